/* SPDX-License-Identifier: MIT */
/*
 * Proves the packet table: what encoders write validates, what breaks a rule does not, and every
 * packet prints as one line.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "hw/packet.h"

static union {
	uint64_t qwords[64];
	struct mt_pkt_header header;
	struct mt_pkt_dispatch dispatch;
	struct mt_pkt_copy copy;
} room;

static const char *why_bad(size_t room_qw)
{
	const char *why = NULL;

	return mt_pkt_validate(&room, room_qw, &why) == -EBADMSG ? why : NULL;
}

static void expect_good(size_t len_qw)
{
	const char *why = "";

	cr_assert_eq(mt_pkt_validate(&room, len_qw, &why), 0, "%s", why);
	cr_assert_eq(room.header.len_qw, len_qw);
	cr_assert_not_null(why_bad(len_qw - 1), "a packet that is cut short is bad");
}

static void expect_text(const char *text)
{
	char line[512], small[8];

	mt_pkt_print(&room, line, sizeof(line));
	cr_assert_str_eq(line, text);
	mt_pkt_print(&room, small, sizeof(small));
	cr_assert_eq(strncmp(small, text, 7), 0);
	cr_assert_lt(strlen(small), 8);
}

static const struct mt_pkt_dispatch a_dispatch = {
	.header = {.flags = MT_PKT_BARRIER, .node = 3},
	.code_va = 0x1000,
	.kernarg_va = 0x2000,
	.kernarg_b = 24,
	.grid_x = 4,
	.grid_y = 3,
	.grid_z = 2,
	.block_x = 256,
	.block_y = 1,
	.block_z = 1,
	.static_shared_b = 16,
	.dynamic_shared_b = 32,
	.priority = -2,
};

static struct mt_pkt_dispatch *put_dispatch(void)
{
	cr_assert_eq(mt_pkt_put_dispatch(&room, &a_dispatch), (void *)(room.qwords + 8));
	return &room.dispatch;
}

Test(packet, dispatch)
{
	put_dispatch();
	expect_good(8);
	expect_text("DISPATCH node=3 barrier code=0x1000 args=0x2000+24 grid=4,3,2 block=256,1,1 "
		    "shared=16+32 priority=-2");
	put_dispatch()->grid_z = 0;
	cr_assert_not_null(why_bad(8));
	put_dispatch()->block_y = 0;
	cr_assert_not_null(why_bad(8));
	put_dispatch()->kernarg_va += 32;
	cr_assert_not_null(why_bad(8));
	put_dispatch()->code_va = 0;
	cr_assert_not_null(why_bad(8));
	put_dispatch()->header.flags = 0x20;
	cr_assert_not_null(why_bad(8));
	put_dispatch()->header.len_qw = 9;
	cr_assert_not_null(why_bad(9));
	put_dispatch()->header.opcode = 0;
	cr_assert_not_null(why_bad(8));
}

/* What a switched-off packet holds is not looked at, but its shape is. */
Test(packet, disabled)
{
	put_dispatch()->header.flags |= MT_PKT_DISABLED;
	room.dispatch.grid_x = 0;
	cr_assert_eq(mt_pkt_validate(&room, 8, NULL), 0);
	room.dispatch.header.len_qw = 4;
	cr_assert_not_null(why_bad(8));
}

Test(packet, copy)
{
	struct mt_pkt_copy copy = {
		.header = {.node = 1},
		.dst_va = 1,
		.src_va = 2,
		.width_b = 3,
		.height = 1,
		.depth = 1,
	};

	cr_assert_eq(mt_pkt_put_copy(&room, &copy), (void *)(room.qwords + 10));
	expect_good(10);
	expect_text("COPY node=1 dst=0x1 src=0x2 size=3");
	copy.height = 2;
	copy.dst_pitch_b = 8;
	copy.src_slice_b = 9;
	mt_pkt_put_copy(&room, &copy);
	expect_text("COPY node=1 dst=0x1 src=0x2 size=3x2x1 dst_pitch=8,0 src_pitch=0,9");
	room.copy.reserved0 = 1;
	cr_assert_not_null(why_bad(10));
}

Test(packet, fill)
{
	struct mt_pkt_fill fill = {
		.header = {.node = MT_PKT_NODE_NONE},
		.dst_va = 16,
		.width_b = 8,
		.height = 1,
		.depth = 1,
		.value = 255,
		.element_b = 4,
	};

	cr_assert_eq(mt_pkt_put_fill(&room, &fill), (void *)(room.qwords + 8));
	expect_good(8);
	expect_text("FILL dst=0x10 size=8 value=0xff element=4");
	fill.element_b = 3;
	mt_pkt_put_fill(&room, &fill);
	cr_assert_not_null(why_bad(8));
	fill.element_b = 4;
	fill.width_b = 6;
	mt_pkt_put_fill(&room, &fill);
	cr_assert_not_null(why_bad(8));
}

Test(packet, words)
{
	static const uint64_t data[] = {7, 8};

	cr_assert_eq(mt_pkt_put_write(&room, 0, 2, 64, data, 2), (void *)(room.qwords + 4));
	expect_good(4);
	expect_text("WRITE node=2 dst=0x40 qwords=2 first=0x7");
	mt_pkt_put_write(&room, 0, 2, 65, data, 2);
	cr_assert_not_null(why_bad(4));

	cr_assert_eq(mt_pkt_put_wait(&room, MT_PKT_ACQUIRE, 2, 64, 9), (void *)(room.qwords + 3));
	expect_good(3);
	expect_text("WAIT node=2 acquire address=0x40 value=9");
	mt_pkt_put_wait(&room, 0, 2, 68, 9);
	cr_assert_not_null(why_bad(3));
	mt_pkt_put_wait(&room, MT_PKT_WAIT_INDIRECT, 2, 64, 9);
	cr_assert_not_null(why_bad(3));

	cr_assert_eq(
		mt_pkt_put_signal(&room, MT_PKT_SIGNAL_MAX | MT_PKT_SIGNAL_TIMESTAMP, 2, 64, 9),
		(void *)(room.qwords + 3));
	expect_good(3);
	expect_text("SIGNAL node=2 max timestamp address=0x40 value=9");
	mt_pkt_put_signal(&room, MT_PKT_SIGNAL_TIMESTAMP, 2, 72, 9);
	cr_assert_not_null(why_bad(3));
	mt_pkt_put_signal(&room, MT_PKT_SIGNAL_INDIRECT | MT_PKT_SIGNAL_TIMESTAMP, 2, 72, 0);
	cr_assert_eq(mt_pkt_validate(&room, 3, NULL), 0);
}

Test(packet, control)
{
	struct mt_pkt_cond cond = {
		.word_va = 4,
		.value = 1,
		.compare = MT_PKT_LT,
		.target_va = 8,
		.passes_va = 16,
	};

	cr_assert_eq(mt_pkt_put_cond(&room, 0, 5, &cond), (void *)(room.qwords + 5));
	expect_good(5);
	expect_text("COND node=5 if [0x4] < 1 goto 0x8 passes=0x10");
	cond.compare = 4;
	mt_pkt_put_cond(&room, 0, 5, &cond);
	cr_assert_not_null(why_bad(5));

	mt_pkt_put_jump(&room, 0, 5, 24);
	expect_good(2);
	expect_text("JUMP node=5 address=0x18");
	mt_pkt_put_call(&room, 0, 5, 28);
	cr_assert_not_null(why_bad(2));
	mt_pkt_put_host(&room, 0, 5, 24);
	expect_good(2);
	mt_pkt_put_timestamp(&room, 0, 5, 24);
	expect_good(2);
	mt_pkt_put_nop(&room, MT_PKT_DISABLED, 5, 7);
	expect_good(7);
	expect_text("NOP node=5 disabled len=7");
	mt_pkt_put_return(&room, 0, 5);
	expect_good(1);
	mt_pkt_put_barrier(&room, 0, 5);
	expect_good(1);
	expect_text("BARRIER node=5 barrier");
	mt_pkt_put_end(&room, MT_PKT_NODE_NONE);
	expect_good(1);
	expect_text("END");
}

/* Every byte that is no opcode is refused, and every opcode has a row with a name. */
Test(packet, opcodes)
{
	uint32_t opcode, known = 0;

	for (opcode = 0; opcode < 256; opcode++) {
		memset(&room, 0, sizeof(room));
		room.header.opcode = (uint8_t)opcode;
		room.header.len_qw = 64;
		if (mt_pkt_info((uint8_t)opcode)) {
			known++;
			cr_assert_not_null(mt_pkt_info((uint8_t)opcode)->name);
		} else {
			cr_assert_str_eq(why_bad(64), "unknown opcode");
		}
	}
	cr_assert_eq(known, 15);
}

static void *encode_some(void *argument)
{
	uint64_t mine[8];
	uint32_t i;

	(void)argument;
	for (i = 0; i < 1000; i++)
		mt_pkt_put_end(mine, 0);
	return NULL;
}

/* The counter sums over threads, also over those that have ended. */
Test(packet, counter)
{
	uint64_t before = mt_pkt_encoded_count();
	pthread_t threads[4];
	uint32_t i;

	mt_pkt_put_end(&room, 0);
	cr_assert_eq(mt_pkt_encoded_count() - before, 1);
	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, encode_some, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	cr_assert_eq(mt_pkt_encoded_count() - before, 4001);
}

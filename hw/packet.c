/* SPDX-License-Identifier: MIT */
/*
 * The packet table and its validator: what one packet may look like, addresses not followed.
 */
#include "hw/packet.h"

#include <errno.h>
#include <stdbool.h>

#define PKT_ROW(name_, value, type, min, max, allowed)                                             \
	[value] = {.name = #name_, .min_qw = (min), .max_qw = (max), .allowed_flags = (allowed)},
static const struct mt_pkt_info table[] = {MT_PKT_LIST(PKT_ROW)};
#undef PKT_ROW

#define PKT_LEN_CHECK(name, value, type, min, max, allowed)                                        \
	_Static_assert((min)*8 >= sizeof(struct type), "shortest " #name " holds its struct");
MT_PKT_LIST(PKT_LEN_CHECK)
#undef PKT_LEN_CHECK

const struct mt_pkt_info *mt_pkt_info(uint8_t opcode)
{
	if (opcode >= sizeof(table) / sizeof(table[0]) || !table[opcode].name)
		return NULL;
	return &table[opcode];
}

static const char *check_dispatch(const struct mt_pkt_dispatch *p)
{
	if (!p->grid_x || !p->grid_y || !p->grid_z)
		return "DISPATCH with an empty grid";
	if (!p->block_x || !p->block_y || !p->block_z)
		return "DISPATCH with an empty block";
	if (p->kernarg_va & 63)
		return "DISPATCH with arguments not on a multiple of 64";
	if (!p->code_va)
		return "DISPATCH without code";
	if (p->kernarg_b && !p->kernarg_va)
		return "DISPATCH with arguments at address 0";
	return NULL;
}

static const char *check_fill(const struct mt_pkt_fill *p)
{
	if (p->element_b != 1 && p->element_b != 2 && p->element_b != 4)
		return "FILL with an element that is not 1, 2 or 4 bytes";
	if (p->width_b % p->element_b)
		return "FILL with a width that is no multiple of the element";
	if (p->reserved0)
		return "FILL with a reserved field that is not zero";
	return NULL;
}

static const char *check_wait(const struct mt_pkt_wait *p)
{
	if (p->address & 7 || !p->address)
		return "WAIT on an address that is no multiple of 8";
	if (p->header.flags & MT_PKT_WAIT_INDIRECT && p->value)
		return "indirect WAIT with a value";
	return NULL;
}

static const char *check_signal(const struct mt_pkt_signal *p)
{
	bool indirect = p->header.flags & MT_PKT_SIGNAL_INDIRECT;
	uint64_t align = p->header.flags & MT_PKT_SIGNAL_TIMESTAMP && !indirect ? 16 : 8;

	if (p->address & (align - 1) || !p->address)
		return "SIGNAL of an address that is no multiple of 8, or of 16 with a time";
	if (indirect && p->value)
		return "indirect SIGNAL with a value";
	return NULL;
}

static const char *check_cond(const struct mt_pkt_cond *p)
{
	if (p->compare > MT_PKT_GE)
		return "COND with an unknown comparison";
	if (p->word_va & 3 || !p->word_va)
		return "COND on an address that is no multiple of 4";
	if (p->target_va & 7 || !p->target_va)
		return "COND with a target that is no multiple of 8";
	if (p->passes_va & 7)
		return "COND with a pass counter that is no multiple of 8";
	return NULL;
}

static const char *check_body(const struct mt_pkt_header *header)
{
	const void *packet = header;

	switch (header->opcode) {
	case MT_PKT_OP_DISPATCH:
		return check_dispatch(packet);
	case MT_PKT_OP_COPY:
		return ((const struct mt_pkt_copy *)packet)->reserved0
			       ? "COPY with a reserved field that is not zero"
			       : NULL;
	case MT_PKT_OP_FILL:
		return check_fill(packet);
	case MT_PKT_OP_WRITE:
		return ((const struct mt_pkt_write *)packet)->dst_va & 7
			       ? "WRITE to an address that is no multiple of 8"
			       : NULL;
	case MT_PKT_OP_WAIT:
		return check_wait(packet);
	case MT_PKT_OP_SIGNAL:
		return check_signal(packet);
	case MT_PKT_OP_JUMP:
	case MT_PKT_OP_CALL:
		return ((const struct mt_pkt_jump *)packet)->target_va & 7
			       ? "JUMP or CALL to an address that is no multiple of 8"
			       : NULL;
	case MT_PKT_OP_COND:
		return check_cond(packet);
	case MT_PKT_OP_HOST:
		return ((const struct mt_pkt_host *)packet)->args_va & 7
			       ? "HOST with arguments not on a multiple of 8"
			       : NULL;
	case MT_PKT_OP_TIMESTAMP:
		return ((const struct mt_pkt_timestamp *)packet)->address & 7
			       ? "TIMESTAMP to an address that is no multiple of 8"
			       : NULL;
	default:
		return NULL;
	}
}

static const char *check_packet(const struct mt_pkt_header *header, size_t room_qw)
{
	const struct mt_pkt_info *info;

	if (!room_qw)
		return "no packet";
	info = mt_pkt_info(header->opcode);
	if (!info)
		return "unknown opcode";
	if (header->flags & ~info->allowed_flags)
		return "unknown flag";
	if (header->len_qw < info->min_qw || header->len_qw > info->max_qw)
		return "bad length";
	if (header->len_qw > room_qw)
		return "packet ends outside its memory";
	/* A switched-off packet may hold values that nobody has looked at. */
	if (header->flags & MT_PKT_DISABLED)
		return NULL;
	return check_body(header);
}

int mt_pkt_validate(const void *packet, size_t room_qw, const char **why_out)
{
	const char *why = check_packet(packet, room_qw);

	if (!why)
		return 0;
	if (why_out)
		*why_out = why;
	return -EBADMSG;
}

/* SPDX-License-Identifier: MIT */
/* Two cards in one process: memory at one address for both, and waits of one for the other. */
#include <errno.h>
#include <string.h>

#include "drm_test.h"

struct pair {
	struct mt_hw_device **devices;
	uint32_t count;
	const struct mt_hw_ops *ops;
	struct mt_hw_queue *queue[2];
	struct mt_hw_bo *commands[2];
};

static void pair_open(struct pair *pair, uint16_t generation)
{
	fake_install(generation);
	fake_add_card(generation);
	cr_assert_eq(fake_open(&pair->devices, &pair->count), 0);
	cr_assert_eq(pair->count, 2);
	pair->ops = pair->devices[0]->ops;
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(pair->ops->queue_create(pair->devices[i], 0, &pair->queue[i]), 0);
		cr_assert_eq(pair->ops->bo_create(pair->devices[i], 4096, MT_HW_COMMAND, 0,
						  &pair->commands[i]),
			     0);
	}
}

static void pair_close(struct pair *pair)
{
	for (int i = 0; i < 2; i++) {
		pair->ops->queue_destroy(pair->queue[i]);
		pair->ops->bo_destroy(pair->commands[i]);
	}
	fake_close(pair->devices, pair->count);
	fake_remove();
}

static int submit(struct pair *pair, int which, void *end)
{
	uint64_t lane = pair->commands[which]->va;
	struct mt_hw_submit submit = {.lane_va = &lane, .lane_count = 1};

	mt_pkt_put_end(end, MT_PKT_NODE_NONE);
	return mt_hw_queue_submit(pair->queue[which], &submit);
}

static void *put_copy(void *at, uint64_t dst, uint64_t src)
{
	struct mt_pkt_copy copy = {
		.dst_va = dst, .src_va = src, .width_b = 8, .height = 1, .depth = 1};

	return mt_pkt_put_copy(at, &copy);
}

/* The second card writes what the first card's memory holds, after the first has said so. */
static void one_waits_for_the_other(uint16_t generation)
{
	struct mt_hw_semaphore gate;
	struct mt_hw_bo *card, *host;
	struct holdings before;
	struct fake_counts after;
	struct pair pair;
	uint64_t *words;
	void *at;

	pair_open(&pair, generation);
	holdings_get(&before);
	cr_assert_eq(pair.ops->bo_create(pair.devices[0], 4096, MT_HW_DEVICE, 0, &card), 0);
	cr_assert_eq(pair.ops->bo_create(pair.devices[0], 4096, MT_HW_HOST, 0, &host), 0);
	cr_assert_eq(pair.ops->semaphore_create(pair.devices[0], &gate), 0);
	cr_assert_eq(pair.ops->bo_map_peer(card, pair.devices[1]), 0);
	cr_assert_eq(pair.ops->bo_map_peer(host, pair.devices[1]), 0);
	cr_assert_eq(pair.ops->semaphore_map_peer(&gate, pair.devices[1]), 0);
	cr_assert_eq(pair.ops->semaphore_map_peer(&gate, pair.devices[1]), 0);
	cr_assert_eq(pair.ops->semaphore_map_peer(&gate, pair.devices[0]), 0);
	words = host->cpu;
	words[0] = 0xabcdef;
	at = mt_pkt_put_wait(pair.commands[1]->cpu, 0, MT_PKT_NODE_NONE, gate.va, 5);
	cr_assert_eq(submit(&pair, 1, put_copy(at, host->va + 8, card->va)), 0);
	cr_expect_eq(mt_hw_queue_wait(pair.queue[1], 1, 10000000), -ETIME);
	at = put_copy(pair.commands[0]->cpu, card->va, host->va);
	at = mt_pkt_put_signal(at, 0, MT_PKT_NODE_NONE, gate.va, 5);
	cr_assert_eq(submit(&pair, 0, at), 0);
	cr_assert_eq(mt_hw_queue_wait(pair.queue[1], 1, LIMIT_NS), 0);
	cr_expect_eq(words[1], 0xabcdef);
	pair.ops->semaphore_destroy(&gate);
	pair.ops->bo_unmap_peer(card, pair.devices[1]);
	pair.ops->bo_destroy(card);
	pair.ops->bo_destroy(host);
	/* The queues keep room that they have needed. */
	fake_counts_get(&after);
	cr_expect_eq(after.semaphores, before.kernel.semaphores);
	pair_close(&pair);
	fake_counts_get(&after);
	cr_expect_eq(after.objects, 0);
	cr_expect_eq(after.mappings, 0);
}

Test(peers, silicon)
{
	one_waits_for_the_other(FAKE_GEN_MP22);
}

Test(peers, simulated)
{
	one_waits_for_the_other(FAKE_GEN_SIM);
}

/* A slot that is used again after its semaphore has gone is the new semaphore for the peer, too. */
Test(peers, slots_are_forgotten)
{
	struct mt_hw_semaphore gate;
	struct pair pair;
	uint64_t first_va = 0;
	void *at;

	pair_open(&pair, FAKE_GEN_MP22);
	for (uint32_t i = 1; i <= 3; i++) {
		cr_assert_eq(pair.ops->semaphore_create(pair.devices[0], &gate), 0);
		if (!first_va)
			first_va = gate.va;
		cr_assert_eq(pair.ops->semaphore_map_peer(&gate, pair.devices[1]), 0);
		at = mt_pkt_put_wait(pair.commands[1]->cpu, 0, MT_PKT_NODE_NONE, gate.va, i);
		cr_assert_eq(submit(&pair, 1, at), 0);
		cr_expect_eq(mt_hw_queue_wait(pair.queue[1], i, 1000000), -ETIME);
		cr_expect_eq(pair.ops->semaphore_signal(&gate, i), 0);
		cr_assert_eq(mt_hw_queue_wait(pair.queue[1], i, LIMIT_NS), 0);
		pair.ops->semaphore_destroy(&gate);
	}
	pair_close(&pair);
}

/* Without being mapped there, another card's semaphore is nothing to wait for. */
Test(peers, strangers_are_a_fault)
{
	struct mt_hw_semaphore gate;
	struct mt_hw_fault fault;
	struct pair pair;

	pair_open(&pair, FAKE_GEN_MP22);
	cr_assert_eq(pair.ops->semaphore_create(pair.devices[0], &gate), 0);
	cr_expect_eq(submit(&pair, 1, mt_pkt_put_wait(pair.commands[1]->cpu, 0, 4, gate.va, 1)),
		     -EIO);
	pair.ops->device_fault(pair.devices[1], &fault);
	cr_expect_eq(fault.code, MT_HW_FAULT_ILLEGAL_ADDRESS);
	cr_expect_eq(atomic_load(&pair.devices[0]->fault), 0);
	pair.ops->semaphore_destroy(&gate);
	pair_close(&pair);
}

/* The caller's memory is pinned by each card for itself. */
Test(peers, user_memory)
{
	static uint64_t words[1024] __attribute__((aligned(4096)));
	struct mt_hw_bo *bo;
	struct pair pair;

	pair_open(&pair, FAKE_GEN_SIM);
	cr_assert_eq(pair.ops->bo_from_user(pair.devices[0], words, sizeof(words), false, &bo), 0);
	cr_assert_eq(pair.ops->bo_map_peer(bo, pair.devices[1]), 0);
	words[0] = 99;
	cr_assert_eq(
		submit(&pair, 1,
		       put_copy(pair.commands[1]->cpu, (uintptr_t)(words + 1), (uintptr_t)words)),
		0);
	cr_assert_eq(mt_hw_queue_wait(pair.queue[1], 1, LIMIT_NS), 0);
	cr_expect_eq(words[1], 99);
	pair.ops->bo_destroy(bo);
	pair_close(&pair);
}

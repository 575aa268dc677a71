/* SPDX-License-Identifier: MIT */
/*
 * Silicon's way: packets become DMA jobs and host steps, in order, within the kernel's limits.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "drm_test.h"
#include "hw/drm/mtgpu_drm.h"

static struct rig rig;

static void open_rig(void)
{
	rig_open(&rig, FAKE_GEN_MP22);
}

static void close_rig(void)
{
	rig_close(&rig);
}

static void fill_random(uint8_t *at, size_t size_b, unsigned int seed)
{
	for (size_t i = 0; i < size_b; i++) {
		seed = seed * 1103515245 + 12345;
		at[i] = (uint8_t)(seed >> 16);
	}
}

/* Host to device to host, over pinned memory, comes back the same. */
Test(jobs, copies_through_the_card, .init = open_rig, .fini = close_rig)
{
	const uint64_t size_b = 300000;
	struct mt_hw_bo *from = rig_bo(&rig, size_b, MT_HW_HOST);
	struct mt_hw_bo *card = rig_bo(&rig, size_b, MT_HW_DEVICE);
	struct mt_hw_bo *to = rig_bo(&rig, size_b, MT_HW_HOST);

	cr_expect_eq(from->va, (uint64_t)(uintptr_t)from->cpu);
	fill_random(from->cpu, size_b, 1);
	rig_begin(&rig);
	rig_copy(&rig, card->va + 3, from->va + 1, size_b - 7);
	rig_copy(&rig, to->va + 5, card->va + 3, size_b - 7);
	rig_run(&rig);
	cr_expect_eq(memcmp((char *)to->cpu + 5, (char *)from->cpu + 1, size_b - 7), 0);
	cr_expect_eq(((uint8_t *)to->cpu)[4], 0);
	rig.ops->bo_destroy(to);
	rig.ops->bo_destroy(card);
	rig.ops->bo_destroy(from);
}

/* Memory that nobody has registered is reached by its address. */
Test(jobs, pageable_memory, .init = open_rig, .fini = close_rig)
{
	uint8_t *host = malloc(100000);
	struct mt_hw_bo *card = rig_bo(&rig, 100000, MT_HW_DEVICE);

	fill_random(host, 50000, 2);
	rig_begin(&rig);
	rig_copy(&rig, card->va, (uintptr_t)host, 50000);
	rig_copy(&rig, (uintptr_t)host + 50000, card->va, 50000);
	rig_run(&rig);
	cr_expect_eq(memcmp(host, host + 50000, 50000), 0);
	rig.ops->bo_destroy(card);
	free(host);
}

/* Rows with steps on either side: only the box is touched. */
Test(jobs, boxes, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_bo *card = rig_bo(&rig, 1 << 20, MT_HW_DEVICE);
	struct mt_hw_bo *host = rig_bo(&rig, 1 << 20, MT_HW_HOST);
	uint8_t *bytes = host->cpu;
	struct mt_pkt_copy box = {
		.dst_va = card->va + 100,
		.src_va = host->va,
		.width_b = 30,
		.height = 4,
		.depth = 3,
		.dst_pitch_b = 64,
		.dst_slice_b = 1000,
		.src_pitch_b = 30,
		.src_slice_b = 130,
	};

	fill_random(bytes, 4096, 3);
	rig_begin(&rig);
	rig.at = mt_pkt_put_copy(rig.at, &box);
	rig_copy(&rig, host->va + 8192, card->va, 4096);
	rig_run(&rig);
	for (uint32_t z = 0; z < 3; z++)
		for (uint32_t y = 0; y < 4; y++)
			cr_expect_eq(memcmp(bytes + 8192 + 100 + z * 1000 + y * 64,
					    bytes + z * 130 + y * 30, 30),
				     0, "slice %u row %u", z, y);
	cr_expect_eq(bytes[8192 + 130], 0);
	cr_expect_eq(bytes[8192 + 99], 0);
	rig.ops->bo_destroy(host);
	rig.ops->bo_destroy(card);
}

/* Every element size, odd lengths, and rows. */
Test(jobs, fills, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_bo *card = rig_bo(&rig, 1 << 20, MT_HW_DEVICE);
	struct mt_hw_bo *host = rig_bo(&rig, 1 << 20, MT_HW_HOST);
	const uint8_t *bytes = host->cpu;
	struct mt_pkt_fill rows = {
		.dst_va = card->va + 500000,
		.width_b = 6,
		.pitch_b = 100,
		.height = 5,
		.depth = 1,
		.value = 0x1234,
		.element_b = 2,
	};

	rig_begin(&rig);
	rig_fill(&rig, card->va + 1, 99999, 0xabcd5a, 1);
	rig_fill(&rig, card->va + 200000, 4 * 1001, 0x01020304, 4);
	rig.at = mt_pkt_put_fill(rig.at, &rows);
	rig_copy(&rig, host->va, card->va, 1 << 20);
	rig_run(&rig);
	cr_expect_eq(bytes[0], 0);
	cr_expect_eq(bytes[100000], 0);
	for (uint32_t i = 1; i < 100000; i++)
		cr_assert_eq(bytes[i], 0x5a, "byte %u", i);
	for (uint32_t i = 0; i < 1001; i++)
		cr_assert_eq(memcmp(bytes + 200000 + 4 * i, "\4\3\2\1", 4), 0, "word %u", i);
	cr_expect_eq(bytes[204004], 0);
	for (uint32_t y = 0; y < 5; y++) {
		cr_expect_eq(memcmp(bytes + 500000 + 100 * y, "\x34\x12\x34\x12\x34\x12", 6), 0);
		cr_expect_eq(bytes[500000 + 100 * y + 6], 0);
	}
	rig.ops->bo_destroy(host);
	rig.ops->bo_destroy(card);
}

/* Copies one after the other are one job, however many: each reads what the one before wrote. */
Test(jobs, long_chain_is_one_job, .init = open_rig, .fini = close_rig)
{
	const uint32_t links = 10000;
	struct mt_hw_bo *card = rig_bo(&rig, (links + 2) * 8, MT_HW_DEVICE);
	struct mt_hw_bo *host = rig_bo(&rig, 4096, MT_HW_HOST);
	uint64_t *words = host->cpu;

	words[0] = 0x1122334455667788;
	rig_begin(&rig);
	rig_copy(&rig, card->va, host->va, 8);
	for (uint32_t i = 0; i < links - 2; i++)
		rig_copy(&rig, card->va + 8 * (i + 1), card->va + 8 * i, 8);
	rig_copy(&rig, host->va + 8, card->va + 8 * (links - 2), 8);
	fake_fail(NULL);
	rig_run(&rig);
	cr_expect_leq(fake_submits(), 2);
	cr_expect_eq(words[1], words[0]);
	rig.ops->bo_destroy(host);
	rig.ops->bo_destroy(card);
}

/* 100 waits and 40 signals in a row keep within 32 and 8 per job, and all of them count. */
Test(jobs, many_semaphores, .init = open_rig, .fini = close_rig)
{
	enum { WAITS = 100, SIGNALS = 40 };
	struct mt_hw_semaphore waits[WAITS], signals[SIGNALS];
	struct mt_hw_bo *card = rig_bo(&rig, 4096, MT_HW_DEVICE);
	uint32_t i;

	for (i = 0; i < WAITS; i++)
		cr_assert_eq(rig.ops->semaphore_create(rig.dev, &waits[i]), 0);
	for (i = 0; i < SIGNALS; i++)
		cr_assert_eq(rig.ops->semaphore_create(rig.dev, &signals[i]), 0);
	rig_begin(&rig);
	for (i = 0; i < WAITS; i++)
		rig.at = mt_pkt_put_wait(rig.at, 0, MT_PKT_NODE_NONE, waits[i].va, 1 + i);
	rig_fill(&rig, card->va, 4096, 1, 4);
	for (i = 0; i < SIGNALS; i++)
		rig.at = mt_pkt_put_signal(rig.at, 0, MT_PKT_NODE_NONE, signals[i].va, 10 + i);
	cr_assert_eq(rig_submit(&rig), 0);
	for (i = 0; i < WAITS; i++) {
		cr_expect_eq(mt_hw_queue_wait(rig.queue, 1, 0), -ETIME, "before wait %u", i);
		cr_assert_eq(rig.ops->semaphore_signal(&waits[i], 1 + i), 0);
	}
	rig_finish(&rig);
	for (i = 0; i < SIGNALS; i++)
		cr_expect_eq(atomic_load(signals[i].value), 10 + i);
	for (i = 0; i < WAITS; i++)
		rig.ops->semaphore_destroy(&waits[i]);
	for (i = 0; i < SIGNALS; i++)
		rig.ops->semaphore_destroy(&signals[i]);
	rig.ops->bo_destroy(card);
}

/* A signal is there before what stands behind it has run. */
Test(jobs, signal_does_not_wait_for_what_follows, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_semaphore gate, done;
	struct mt_hw_bo *card = rig_bo(&rig, 4096, MT_HW_DEVICE);

	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &gate), 0);
	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &done), 0);
	rig_begin(&rig);
	rig_fill(&rig, card->va, 64, 1, 4);
	rig.at = mt_pkt_put_signal(rig.at, 0, MT_PKT_NODE_NONE, done.va, 5);
	rig.at = mt_pkt_put_wait(rig.at, 0, MT_PKT_NODE_NONE, gate.va, 1);
	rig_fill(&rig, card->va, 64, 2, 4);
	cr_assert_eq(rig_submit(&rig), 0);
	cr_expect_eq(rig.ops->semaphore_wait(&done, 5, LIMIT_NS), 0);
	cr_expect_eq(mt_hw_queue_wait(rig.queue, 1, 1000000), -ETIME);
	cr_expect_eq(rig.ops->semaphore_signal(&gate, 1), 0);
	rig_finish(&rig);
	rig.ops->semaphore_destroy(&gate);
	rig.ops->semaphore_destroy(&done);
	rig.ops->bo_destroy(card);
}

/* An event's signal carries the time, never lowers a value, and is there when the queue is done. */
Test(jobs, timestamped_signals, .init = open_rig, .fini = close_rig)
{
	const uint8_t flags = MT_PKT_SIGNAL_MAX | MT_PKT_SIGNAL_TIMESTAMP;
	struct mt_hw_semaphore event;
	uint64_t first_ns, before_ns = rig.ops->device_time_ns(rig.dev);

	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &event), 0);
	rig_begin(&rig);
	rig.at = mt_pkt_put_signal(rig.at, flags, MT_PKT_NODE_NONE, event.va, 5);
	rig_run(&rig);
	cr_expect_eq(atomic_load(event.value), 5);
	first_ns = atomic_load(event.value + 1);
	cr_expect_geq(first_ns, before_ns);
	cr_expect_leq(first_ns, rig.ops->device_time_ns(rig.dev));
	rig_begin(&rig);
	rig.at = mt_pkt_put_signal(rig.at, flags, MT_PKT_NODE_NONE, event.va, 4);
	rig_run(&rig);
	cr_expect_eq(atomic_load(event.value), 5);
	cr_expect_eq(atomic_load(event.value + 1), first_ns);
	rig.ops->semaphore_destroy(&event);
}

/* Pairs and flags are read when the submission is made, after the prologue has written them. */
Test(jobs, prologue_patches_the_stream, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_semaphore semaphore;
	struct mt_hw_bo *card = rig_bo(&rig, 4096, MT_HW_DEVICE);
	struct mt_hw_bo *host = rig_bo(&rig, 4096, MT_HW_HOST);
	uint64_t *pair, lane_va, words[2];
	struct mt_hw_submit submit = {.lane_va = &lane_va, .lane_count = 1};

	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &semaphore), 0);
	pair = (uint64_t *)(void *)rig.at;
	pair[0] = pair[1] = 0;
	rig.at += 16;
	rig_begin(&rig);
	lane_va = rig.start_va;
	rig.at = mt_pkt_put_signal(rig.at, MT_PKT_SIGNAL_INDIRECT, 1, rig_va(&rig, pair), 0);
	rig.at = mt_pkt_put_end(rig.at, MT_PKT_NODE_NONE);
	submit.prologue_va = rig_va(&rig, rig.at);
	words[0] = semaphore.va;
	words[1] = 77;
	rig.at = mt_pkt_put_write(rig.at, 0, MT_PKT_NODE_NONE, rig_va(&rig, pair), words, 2);
	/* Other memory is written in its turn. */
	rig.at = mt_pkt_put_write(rig.at, 0, MT_PKT_NODE_NONE, host->va + 8, words, 2);
	rig.at = mt_pkt_put_end(rig.at, MT_PKT_NODE_NONE);
	cr_assert_eq(mt_hw_queue_submit(rig.queue, &submit), 0);
	rig_finish(&rig);
	cr_expect_eq(atomic_load(semaphore.value), 77);
	cr_expect_eq(((uint64_t *)host->cpu)[2], 77);
	rig.ops->semaphore_destroy(&semaphore);
	rig.ops->bo_destroy(host);
	rig.ops->bo_destroy(card);
}

/* --- host calls --- */

static void *serve(void *unused)
{
	struct mt_hw_host_call call;

	(void)unused;
	while (!rig.ops->host_wait(rig.dev, &call)) {
		((void (*)(void *))(uintptr_t)call.fn)((void *)(uintptr_t)call.data);
		rig.ops->host_done(rig.dev, call.ticket);
	}
	return NULL;
}

static struct mt_hw_bo *seen_bo;
static uint32_t seen_order[4], seen_count;

static void look(void *data)
{
	(void)data;
	seen_order[seen_count++] = *(uint32_t *)seen_bo->cpu;
}

/* A host function sees what stands before it and nothing of what stands behind. */
Test(jobs, host_functions_in_order, .init = open_rig, .fini = close_rig)
{
	pthread_t thread;
	uint64_t *args = (uint64_t *)(void *)rig.at;

	seen_bo = rig_bo(&rig, 4096, MT_HW_HOST);
	args[0] = (uintptr_t)look;
	args[1] = 0;
	rig.at += 16;
	cr_assert_eq(pthread_create(&thread, NULL, serve, NULL), 0);
	rig_begin(&rig);
	for (uint32_t i = 1; i <= 3; i++) {
		rig_fill(&rig, seen_bo->va, 4, i, 4);
		rig.at = mt_pkt_put_host(rig.at, MT_PKT_BARRIER, i, rig_va(&rig, args));
	}
	rig_fill(&rig, seen_bo->va, 4, 9, 4);
	rig.at = mt_pkt_put_host(rig.at, MT_PKT_BARRIER | MT_PKT_DISABLED, 4, rig_va(&rig, args));
	rig_run(&rig);
	cr_expect_eq(seen_count, 3);
	for (uint32_t i = 0; i < 3; i++)
		cr_expect_eq(seen_order[i], i + 1);
	cr_expect_eq(*(uint32_t *)seen_bo->cpu, 9);
	rig.ops->host_stop(rig.dev);
	pthread_join(thread, NULL);
	rig.ops->bo_destroy(seen_bo);
}

/* A kernel is refused, nothing is submitted, and the queue goes on. */
Test(jobs, kernels_are_refused, .init = open_rig, .fini = close_rig)
{
	struct mt_pkt_dispatch kernel = {
		.header = {.node = 3},
		.code_va = rig.commands->va,
		.grid_x = 1,
		.grid_y = 1,
		.grid_z = 1,
		.block_x = 1,
		.block_y = 1,
		.block_z = 1,
	};
	struct mt_hw_bo *card = rig_bo(&rig, 4096, MT_HW_DEVICE);

	cr_expect_eq(rig.dev->info.caps & MT_HW_CAP_KERNELS, 0);
	rig_begin(&rig);
	rig_fill(&rig, card->va, 64, 1, 4);
	rig.at = mt_pkt_put_dispatch(rig.at, &kernel);
	fake_fail(NULL);
	cr_expect_eq(rig_submit(&rig), -ENOTSUP);
	cr_expect_eq(fake_submits(), 0);
	cr_expect_eq(rig.queue->submitted, 0);
	cr_expect_eq(atomic_load(&rig.dev->fault), 0);
	rig_begin(&rig);
	rig_fill(&rig, card->va, 64, 1, 4);
	rig_run(&rig);
	rig.ops->bo_destroy(card);
}

/* A copy from nowhere stops the device and says which node and which address. */
Test(jobs, unmapped_address_is_a_fault, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_bo *card = rig_bo(&rig, 65536, MT_HW_DEVICE);
	struct mt_hw_fault fault;
	uint64_t gone = card->va;

	rig.ops->bo_destroy(card);
	rig_begin(&rig);
	rig_copy(&rig, rig.commands->va, gone, 64);
	cr_expect_eq(rig_submit(&rig), -EIO);
	rig.ops->device_fault(rig.dev, &fault);
	cr_expect_eq(fault.code, MT_HW_FAULT_ILLEGAL_ADDRESS);
	cr_expect_eq(fault.node, 7);
	cr_expect_eq(fault.address, gone);
}

/* So does pageable memory that the process does not have. */
Test(jobs, missing_pageable_memory_is_a_fault, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_bo *card = rig_bo(&rig, 65536, MT_HW_DEVICE);
	struct mt_hw_fault fault;

	rig_begin(&rig);
	rig_copy(&rig, card->va, 0x7000, 64);
	cr_expect_eq(rig_submit(&rig), -EIO);
	rig.ops->device_fault(rig.dev, &fault);
	cr_expect_eq(fault.code, MT_HW_FAULT_ILLEGAL_ADDRESS);
	rig.ops->bo_destroy(card);
}

/* 1,024 submissions fit without waiting, and more than that are only held up. */
Test(jobs, deep_queue, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_bo *host = rig_bo(&rig, 4096, MT_HW_HOST);
	struct mt_hw_semaphore gate;

	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &gate), 0);
	rig_begin(&rig);
	rig.at = mt_pkt_put_wait(rig.at, 0, MT_PKT_NODE_NONE, gate.va, 1);
	cr_assert_eq(rig_submit(&rig), 0);
	for (uint32_t i = 1; i < 1024; i++) {
		rig_begin(&rig);
		rig_fill(&rig, host->va, 4, i, 4);
		cr_assert_eq(rig_submit(&rig), 0);
	}
	cr_expect_eq(mt_hw_queue_completed(rig.queue), 0);
	cr_expect_eq(rig.ops->semaphore_signal(&gate, 1), 0);
	for (uint32_t i = 0; i < 500; i++) {
		rig_begin(&rig);
		rig_fill(&rig, host->va, 4, 2000 + i, 4);
		cr_assert_eq(rig_submit(&rig), 0);
	}
	rig_finish(&rig);
	cr_expect_eq(*(uint32_t *)host->cpu, 2499);
	rig.ops->semaphore_destroy(&gate);
	rig.ops->bo_destroy(host);
}

/* The card is lost while somebody waits: an error, soon, and for good. */
Test(jobs, lost_card, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_semaphore gate;
	struct mt_hw_fault fault;

	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &gate), 0);
	rig_begin(&rig);
	rig.at = mt_pkt_put_wait(rig.at, 0, MT_PKT_NODE_NONE, gate.va, 1);
	cr_assert_eq(rig_submit(&rig), 0);
	fake_lose_card();
	cr_expect_eq(mt_hw_queue_wait(rig.queue, 1, -1), -EIO);
	rig.ops->device_fault(rig.dev, &fault);
	cr_expect_eq(fault.code, MT_HW_FAULT_LOST);
	rig_begin(&rig);
	cr_expect_eq(rig_submit(&rig), -EIO);
	rig.ops->semaphore_destroy(&gate);
}

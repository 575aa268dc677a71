/* SPDX-License-Identifier: MIT */
/*
 * The simulated generation: the card executes packets, calls the host through the mailbox, and
 * leaves word when it stops.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "drm_test.h"

static struct rig rig;

static void open_rig(void)
{
	rig_open(&rig, FAKE_GEN_SIM);
}

static void close_rig(void)
{
	rig_close(&rig);
}

/* Data goes through the card, and one submission is one call of the kernel. */
Test(simulated, copies, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_bo *card = rig_bo(&rig, 100000, MT_HW_DEVICE);
	struct mt_hw_bo *host = rig_bo(&rig, 200000, MT_HW_HOST);
	char *bytes = host->cpu;

	cr_expect_neq(rig.dev->info.caps & MT_HW_CAP_KERNELS, 0);
	for (int i = 0; i < 100000; i++)
		bytes[i] = (char)(i * 7);
	rig_begin(&rig);
	rig_copy(&rig, card->va, host->va, 100000);
	rig_copy(&rig, host->va + 100000, card->va, 100000);
	fake_fail(NULL);
	rig_run(&rig);
	cr_expect_eq(fake_submits(), 1);
	cr_expect_eq(memcmp(bytes, bytes + 100000, 100000), 0);
	rig.ops->bo_destroy(host);
	rig.ops->bo_destroy(card);
}

/* Two lanes wait for each other inside one submission. */
Test(simulated, lanes, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_bo *host = rig_bo(&rig, 4096, MT_HW_HOST);
	uint64_t *words = host->cpu, lanes[2];
	struct mt_hw_submit submit = {.lane_va = lanes, .lane_count = 2, .lane_table_va = host->va};

	lanes[0] = rig_va(&rig, rig.at);
	rig.at = mt_pkt_put_wait(rig.at, 0, MT_PKT_NODE_NONE, host->va + 64, 1);
	rig_copy(&rig, host->va + 256, host->va + 128, 8);
	rig.at = mt_pkt_put_end(rig.at, MT_PKT_NODE_NONE);
	lanes[1] = rig_va(&rig, rig.at);
	rig_fill(&rig, host->va + 128, 8, 0x11, 1);
	rig.at = mt_pkt_put_signal(rig.at, 0, MT_PKT_NODE_NONE, host->va + 64, 1);
	rig.at = mt_pkt_put_end(rig.at, MT_PKT_NODE_NONE);
	memcpy(words, lanes, sizeof(lanes));
	cr_assert_eq(mt_hw_queue_submit(rig.queue, &submit), 0);
	rig_finish(&rig);
	cr_expect_eq(words[32], 0x1111111111111111);
	rig.ops->bo_destroy(host);
}

/* The host's signal reaches a waiting card, and the card's a waiting host, with its time. */
Test(simulated, semaphores_both_ways, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_semaphore gate, done;

	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &gate), 0);
	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &done), 0);
	cr_expect_eq(gate.va, (uint64_t)(uintptr_t)gate.value);
	rig_begin(&rig);
	rig.at = mt_pkt_put_wait(rig.at, 0, MT_PKT_NODE_NONE, gate.va, 3);
	rig.at = mt_pkt_put_signal(rig.at, MT_PKT_SIGNAL_MAX | MT_PKT_SIGNAL_TIMESTAMP,
				   MT_PKT_NODE_NONE, done.va, 9);
	cr_assert_eq(rig_submit(&rig), 0);
	cr_expect_eq(rig.ops->semaphore_wait(&done, 9, 20000000), -ETIME);
	cr_expect_eq(rig.ops->semaphore_signal(&gate, 3), 0);
	cr_expect_eq(rig.ops->semaphore_wait(&done, 9, LIMIT_NS), 0);
	cr_expect_neq(atomic_load(done.value + 1), 0);
	rig_finish(&rig);
	rig.ops->semaphore_destroy(&done);
	rig.ops->semaphore_destroy(&gate);
}

static _Atomic uint32_t called;

static void call_me(void *data)
{
	atomic_fetch_add(&called, (uint32_t)(uintptr_t)data);
}

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

/* More host calls than the mailbox holds all arrive, each before what stands behind it. */
Test(simulated, host_calls, .init = open_rig, .fini = close_rig)
{
	enum { CALLS = 3000 };
	pthread_t thread;
	uint64_t *args = (uint64_t *)(void *)rig.at;

	args[0] = (uintptr_t)call_me;
	args[1] = 1;
	rig.at += 16;
	cr_assert_eq(pthread_create(&thread, NULL, serve, NULL), 0);
	rig_begin(&rig);
	for (uint32_t i = 0; i < CALLS; i++)
		rig.at =
			mt_pkt_put_host(rig.at, i % 64 ? 0 : MT_PKT_BARRIER, i, rig_va(&rig, args));
	rig_run(&rig);
	cr_expect_eq(atomic_load(&called), CALLS);
	rig.ops->host_stop(rig.dev);
	pthread_join(thread, NULL);
}

/* A fault of the card names node, queue and address, also while the program waits for nothing. */
Test(simulated, fault_is_noticed, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_bo *card = rig_bo(&rig, 65536, MT_HW_DEVICE);
	struct mt_hw_fault fault;
	uint64_t gone = card->va;
	const struct timespec pause = {.tv_nsec = 1000000};

	rig.ops->bo_destroy(card);
	rig_begin(&rig);
	rig_fill(&rig, gone, 64, 1, 4);
	cr_assert_eq(rig_submit(&rig), 0);
	for (int i = 0; i < 60000 && !atomic_load(&rig.dev->fault); i++)
		nanosleep(&pause, NULL);
	cr_assert_eq(atomic_load(&rig.dev->fault), MT_HW_FAULT_ILLEGAL_ADDRESS);
	rig.ops->device_fault(rig.dev, &fault);
	cr_expect_eq(fault.node, 8);
	cr_expect_eq(fault.queue, rig.queue->id);
	cr_expect_eq(fault.address, gone);
	cr_expect_eq(mt_hw_queue_wait(rig.queue, 1, -1), -EIO);
	cr_expect_eq(rig_submit(&rig), -EIO);
}

/* Registered memory keeps its address. */
Test(simulated, user_memory, .init = open_rig, .fini = close_rig)
{
	static uint64_t words[1024] __attribute__((aligned(4096)));
	struct mt_hw_bo *bo;

	cr_assert_eq(rig.ops->bo_from_user(rig.dev, words + 3, 4000, false, &bo), 0);
	cr_expect_eq(bo->va, (uint64_t)(uintptr_t)words);
	rig_begin(&rig);
	rig_fill(&rig, (uint64_t)(uintptr_t)(words + 3), 16, 0x22, 1);
	rig_run(&rig);
	cr_expect_eq(words[4], 0x2222222222222222);
	cr_expect_eq(words[5], 0);
	rig.ops->bo_destroy(bo);
}

/* Graphs that device code may launch: each is known while it lives, and busy while it runs. */
Test(simulated, graphs_for_device_code, .init = open_rig, .fini = close_rig)
{
	struct mt_hw_semaphore gate;
	struct mt_hw_graph *graphs[8];
	struct mt_hw_submit submit = {.lane_count = 1};
	uint64_t lane_va;

	cr_expect_neq(rig.dev->info.caps & MT_HW_CAP_DEVICE_LAUNCH, 0);
	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &gate), 0);
	rig_begin(&rig);
	lane_va = rig_va(&rig, rig.at);
	rig.at = mt_pkt_put_wait(rig.at, 0, MT_PKT_NODE_NONE, gate.va, 1);
	rig.at = mt_pkt_put_end(rig.at, MT_PKT_NODE_NONE);
	submit.lane_va = &lane_va;
	for (uint32_t i = 0; i < 8; i++) {
		submit.exec_id = i + 1;
		cr_assert_eq(rig.ops->graph_create(rig.dev, &submit, &graphs[i]), 0);
		rig.ops->graph_upload(graphs[i]);
	}
	submit.exec_id = 3;
	submit.graph = graphs[2];
	cr_assert_eq(mt_hw_queue_submit(rig.queue, &submit), 0);
	while (!rig.ops->graph_is_busy(graphs[2]))
		;
	for (uint32_t i = 0; i < 8; i++)
		cr_expect_eq(rig.ops->graph_is_busy(graphs[i]), i == 2);
	rig.ops->graph_retire(graphs[2]);
	cr_expect_eq(rig.ops->semaphore_signal(&gate, 1), 0);
	rig_finish(&rig);
	cr_expect_eq(rig.ops->graph_is_busy(graphs[2]), 0);
	for (uint32_t i = 0; i < 8; i++)
		rig.ops->graph_destroy(graphs[i]);
	rig.ops->semaphore_destroy(&gate);
}

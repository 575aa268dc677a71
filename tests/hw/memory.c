/* SPDX-License-Identifier: MIT */
/*
 * Proves buffer objects: exact accounting, the same memory at several addresses, pages given back,
 * host memory, peers.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/hw/gpu.h"

static struct t_gpu gpu;

static void open_gpu(void)
{
	t_open(&gpu);
}

static void close_gpu(void)
{
	t_close(&gpu);
}

TestSuite(memory, .init = open_gpu, .fini = close_gpu, .timeout = 60);

static uint64_t free_b(void)
{
	uint64_t left, total;

	cr_assert_eq(gpu.dev->ops->device_memory(gpu.dev, &left, &total), 0);
	return left;
}

/* Resident shared pages of the process. */
static long resident_pages(void)
{
	long size, resident, shared;
	FILE *file = fopen("/proc/self/statm", "r");

	cr_assert_eq(fscanf(file, "%ld %ld %ld", &size, &resident, &shared), 3);
	fclose(file);
	return shared;
}

Test(memory, accounting)
{
	uint64_t before = free_b(), page = mt_hw_page_b(gpu.dev);
	struct mt_hw_bo *a, *b, *host;

	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, 1, MT_HW_DEVICE, 0, &a), 0);
	cr_assert_eq(a->size_b, page);
	cr_assert_eq(free_b(), before - page);
	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, before, MT_HW_DEVICE, 0, &b), -ENOMEM);
	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, before - page, MT_HW_DEVICE, 0, &b), 0);
	cr_assert_eq(free_b(), 0);
	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, 1u << 20, MT_HW_HOST, 0, &host), 0);
	cr_assert_eq(host->va, (uintptr_t)host->cpu);
	gpu.dev->ops->bo_destroy(host);
	gpu.dev->ops->bo_destroy(b);
	gpu.dev->ops->bo_destroy(a);
	cr_assert_eq(free_b(), before);
	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, 0, MT_HW_DEVICE, 0, &a), -EINVAL);
}

/* Memory in pieces is found, too: fragments make one object. */
Test(memory, fragments)
{
	struct mt_hw_bo *bos[64], *large;
	uint64_t piece_b = free_b() / 64 / 4096 * 4096, start;
	unsigned char *at;
	uint32_t i;

	for (i = 0; i < 64; i++)
		cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, piece_b, MT_HW_DEVICE, 0, &bos[i]),
			     0);
	for (i = 0; i < 64; i += 2)
		gpu.dev->ops->bo_destroy(bos[i]);
	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, piece_b * 8, MT_HW_DEVICE, 0, &large), 0);
	start = t_here(&gpu);
	t_fill(&gpu, 0, 1, (void *)(uintptr_t)large->va, piece_b * 8, 0x5a, 1);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	at = (void *)(uintptr_t)large->va;
	cr_assert_eq(at[0] | at[piece_b * 8 - 1], 0x5a);
	gpu.dev->ops->bo_destroy(large);
	for (i = 1; i < 64; i += 2) {
		at = (void *)(uintptr_t)bos[i]->va;
		cr_assert_eq(at[0] | at[piece_b - 1], 0, "a neighbour was written to");
		gpu.dev->ops->bo_destroy(bos[i]);
	}
}

/* One memory at two addresses, and in parts in another order. */
Test(memory, several_addresses)
{
	uint64_t page = mt_hw_page_b(gpu.dev), va, start, *word = t_data(&gpu, 8);
	struct mt_hw_bo *bo;

	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, 4 * page, MT_HW_DEVICE, MT_HW_BO_NO_MAP, &bo),
		     0);
	cr_assert_eq(bo->va, 0);
	cr_assert_eq(gpu.dev->ops->va_reserve(gpu.dev, 8 * page, 1u << 20, &va), 0);
	cr_assert_eq(va % (1u << 20), 0);
	cr_assert_eq(gpu.dev->ops->bo_map(bo, 0, 4 * page, va), 0);
	cr_assert_eq(gpu.dev->ops->bo_map(bo, 2 * page, 2 * page, va + 4 * page), 0);
	cr_assert_eq(gpu.dev->ops->bo_map(bo, 0, page, va + 6 * page), 0);
	cr_assert_eq(gpu.dev->ops->bo_map(bo, 3 * page, 2 * page, va + 6 * page), -EINVAL);
	cr_assert_eq(gpu.dev->ops->bo_map(bo, 1, page, va), -EINVAL);
	cr_assert_eq(gpu.dev->ops->bo_map(bo, 0, page, 4096), -EINVAL);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 1, k_store, va + 3 * page, 123);
	t_copy(&gpu, MT_PKT_BARRIER, 2, word, (void *)(uintptr_t)(va + 5 * page), 8);
	t_dispatch(&gpu, MT_PKT_BARRIER, 3, k_store, va + 6 * page, 9);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(*word, 123);
	cr_assert_eq(gpu.dev->ops->bo_map_cpu(bo), 0);
	cr_assert_eq(*(uint64_t *)bo->cpu, 9);
	/* Unmapped: the address is an error, the memory lives on. */
	cr_assert_eq(gpu.dev->ops->bo_unmap(gpu.dev, va, 8 * page), 0);
	cr_assert_eq(*(uint64_t *)bo->cpu, 9);
	start = t_here(&gpu);
	t_copy(&gpu, 0, 4, word, (void *)(uintptr_t)va, 8);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), -EIO);
	cr_assert_eq(atomic_load(&gpu.dev->fault), MT_HW_FAULT_ILLEGAL_ADDRESS);
	gpu.dev->ops->va_release(gpu.dev, va, 8 * page);
	gpu.dev->ops->bo_destroy(bo);
}

/* Discarded pages leave the process and read as zero; destroyed memory leaves, too. */
Test(memory, discard)
{
	uint64_t size_b = 16u << 20, start;
	long before, full, after;
	struct mt_hw_bo *bo;
	unsigned char *at;

	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, size_b, MT_HW_DEVICE, 0, &bo), 0);
	at = (void *)(uintptr_t)bo->va;
	before = resident_pages();
	start = t_here(&gpu);
	t_fill(&gpu, 0, 1, at, size_b, 7, 1);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	full = resident_pages();
	cr_assert_geq(full - before, (long)(size_b / 4096) - 64);
	cr_assert_eq(gpu.dev->ops->bo_discard(bo, size_b / 2, size_b / 2), 0);
	after = resident_pages();
	cr_assert_geq(full - after, (long)(size_b / 2 / 4096) - 64);
	cr_assert_eq(at[0], 7);
	cr_assert_eq(at[size_b / 2 - 1], 7);
	cr_assert_eq(at[size_b / 2], 0);
	gpu.dev->ops->bo_destroy(bo);
	cr_assert_leq(resident_pages() - before, (long)(size_b / 4096 / 4));
	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, size_b, MT_HW_HOST, 0, &bo), 0);
	memset(bo->cpu, 1, size_b);
	cr_assert_eq(gpu.dev->ops->bo_discard(bo, 4096, 4096), 0);
	cr_assert_eq(((char *)bo->cpu)[4095], 1);
	cr_assert_eq(((char *)bo->cpu)[4096], 0);
	gpu.dev->ops->bo_destroy(bo);
}

/* Memory is zero when it is handed out again. */
Test(memory, zero)
{
	struct mt_hw_bo *bo;
	uint64_t start;
	uint32_t i, k;

	for (i = 0; i < 3; i++) {
		cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, 1u << 20, MT_HW_DEVICE, MT_HW_BO_ZERO,
						     &bo),
			     0);
		for (k = 0; k < 1u << 20; k += 64)
			cr_assert_eq(((unsigned char *)(uintptr_t)bo->va)[k], 0);
		start = t_here(&gpu);
		t_fill(&gpu, 0, 1, (void *)(uintptr_t)bo->va, 1u << 20, 255, 1);
		t_end(&gpu);
		cr_assert_eq(t_run(&gpu, start), 0);
		gpu.dev->ops->bo_destroy(bo);
	}
}

/* Memory of the caller keeps its address; read-only memory is not written to. */
Test(memory, user)
{
	uint64_t *memory = calloc(100, 8), start, *word = t_data(&gpu, 8);
	struct mt_hw_bo *bo, *again;

	cr_assert_eq(gpu.dev->ops->bo_from_user(gpu.dev, memory, 800, false, &bo), 0);
	cr_assert_eq(bo->va, (uintptr_t)memory);
	cr_assert_eq(gpu.dev->ops->bo_from_user(gpu.dev, memory + 1, 8, false, &again), -EEXIST);
	start = t_here(&gpu);
	t_signal(&gpu, MT_PKT_RELEASE, 1, memory, 5);
	t_wait(&gpu, MT_PKT_ACQUIRE, 1, memory, 5);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(memory[0], 5);
	gpu.dev->ops->bo_destroy(bo);
	cr_assert_eq(gpu.dev->ops->bo_from_user(gpu.dev, memory, 800, true, &bo), 0);
	start = t_here(&gpu);
	t_copy(&gpu, 0, 1, word, memory, 8);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(*word, 5);
	gpu.dev->ops->bo_destroy(bo);
	free(memory);
}

/* Ten thousand objects come and go, in any order; addresses and memory come back. */
Test(memory, churn)
{
	static struct mt_hw_bo *bos[300];
	uint64_t before = free_b(), seed = 1;
	uint32_t i, k;

	for (i = 0; i < 10000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		k = (uint32_t)(seed >> 33) % 300;
		if (bos[k]) {
			gpu.dev->ops->bo_destroy(bos[k]);
			bos[k] = NULL;
		} else {
			cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev,
							     4096 * (1 + (seed >> 50) % 20),
							     MT_HW_DEVICE, 0, &bos[k]),
				     0);
			*(uint64_t *)(uintptr_t)bos[k]->va = k;
		}
	}
	for (k = 0; k < 300; k++) {
		if (!bos[k])
			continue;
		cr_assert_eq(*(uint64_t *)(uintptr_t)bos[k]->va, k);
		gpu.dev->ops->bo_destroy(bos[k]);
	}
	cr_assert_eq(free_b(), before);
}

/* Another device reaches an object at the same address. */
Test(peers, peer, .timeout = 60)
{
	struct mt_hw_queue *other;
	uint64_t start, *word;

	setenv("MUSA_MOCK_DEVICES", "2", 1);
	t_open(&gpu);
	word = t_data(&gpu, 8);
	cr_assert_eq(gpu.devices[1]->ops->queue_create(gpu.devices[1], 0, &other), 0);
	cr_assert_eq(gpu.dev->ops->bo_map_peer(gpu.data, gpu.devices[1]), 0);
	cr_assert_eq(gpu.dev->ops->bo_map_peer(gpu.command, gpu.devices[1]), 0);
	start = t_here(&gpu);
	t_signal(&gpu, MT_PKT_RELEASE, 1, word, 77);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(other, start), 0);
	cr_assert_eq(mt_hw_queue_wait(other, 1, -1), 0);
	cr_assert_eq(*word, 77);
	gpu.dev->ops->bo_unmap_peer(gpu.data, gpu.devices[1]);
	cr_assert_eq(t_submit_on(other, start), 0);
	cr_assert_eq(mt_hw_queue_wait(other, 2, -1), -EIO);
	cr_assert_eq(atomic_load(&gpu.dev->fault), 0, "the first device is well");
	gpu.devices[1]->ops->queue_destroy(other);
	t_close(&gpu);
}

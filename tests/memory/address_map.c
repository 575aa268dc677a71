/* SPDX-License-Identifier: MIT */
/* The address map finds exactly the bytes that were entered, at any size, number and from any
 * thread. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "drv/mem_map.h"

#define BASE 0x100000000000ull

static MUresult add(uint64_t base, uint64_t size_b, uint64_t owner)
{
	const struct mt_mem_info info = {
		.base = base,
		.size_b = size_b,
		.kind = MT_ALLOC_DEVICE,
		.type = MT_MEM_DEVICE,
		.device = 3,
		.flags = 7,
		.host_va = base + 1,
		.owner = (void *)(uintptr_t)owner,
	};

	return mt_mem_add(&info);
}

static uint64_t owner_at(uint64_t va)
{
	struct mt_mem_info info;

	return mt_mem_find(va, &info) ? (uint64_t)(uintptr_t)info.owner : 0;
}

/* All that was entered comes back. */
Test(memory_map, tells_what_was_entered)
{
	struct mt_mem_info info;

	cr_assert_eq(add(BASE, 512, 42), MUSA_SUCCESS);
	cr_assert(mt_mem_find(BASE + 100, &info));
	cr_assert_eq(info.base, BASE);
	cr_assert_eq(info.size_b, 512);
	cr_assert_eq(info.kind, MT_ALLOC_DEVICE);
	cr_assert_eq(info.type, MT_MEM_DEVICE);
	cr_assert_eq(info.device, 3);
	cr_assert_eq(info.flags, 7);
	cr_assert_eq(info.host_va, BASE + 1);
	cr_assert_neq(info.id, 0);
	cr_assert_null(info.hooks);
	cr_assert_eq((uintptr_t)info.owner, 42);
}

/* First and last byte belong to the range, their neighbours do not. */
Test(memory_map, has_exact_ends)
{
	const uint64_t sizes[] = {1, 511, 512, 4096, 1 << 21, (1 << 21) + 1, 5 << 21, 1ull << 35};
	const uint64_t shifts[] = {0, 1, 4096, (1 << 21) - 1};

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		for (size_t o = 0; o < sizeof(shifts) / sizeof(shifts[0]); o++) {
			uint64_t base = BASE + shifts[o];

			cr_assert_eq(add(base, sizes[s], 9), MUSA_SUCCESS);
			cr_assert_eq(owner_at(base - 1), 0);
			cr_assert_eq(owner_at(base), 9);
			cr_assert_eq(owner_at(base + sizes[s] / 2), 9);
			cr_assert_eq(owner_at(base + sizes[s] - 1), 9);
			cr_assert_eq(owner_at(base + sizes[s]), 0);
			mt_mem_remove(base);
			cr_assert_eq(owner_at(base), 0);
			cr_assert_eq(owner_at(base + sizes[s] - 1), 0);
		}
	}
}

/* What overlaps is refused and leaves no trace. */
Test(memory_map, refuses_overlaps)
{
	cr_assert_eq(add(BASE + 4096, 8192, 1), MUSA_SUCCESS);
	cr_assert_eq(add(BASE, 4097, 2), MUSA_ERROR_ALREADY_MAPPED);
	cr_assert_eq(add(BASE + 8192, 1, 2), MUSA_ERROR_ALREADY_MAPPED);
	cr_assert_eq(add(BASE, 16ull << 21, 2), MUSA_ERROR_ALREADY_MAPPED);
	cr_assert_eq(add(BASE + 12287, 64ull << 21, 2), MUSA_ERROR_ALREADY_MAPPED);
	cr_assert_eq(owner_at(BASE), 0);
	cr_assert_eq(owner_at(BASE + (5ull << 21)), 0);
	cr_assert(mt_mem_map_overlaps(BASE, 4097));
	cr_assert_not(mt_mem_map_overlaps(BASE, 4096));
	cr_assert_eq(add(BASE, 4096, 3), MUSA_SUCCESS);
	cr_assert_eq(add(BASE + 12288, 64ull << 21, 4), MUSA_SUCCESS);
	cr_assert_eq(add(BASE, 0, 5), MUSA_ERROR_INVALID_VALUE);
	cr_assert_eq(add((1ull << 48) - 1, 2, 5), MUSA_ERROR_INVALID_VALUE);
	cr_assert_eq(owner_at(1ull << 50), 0);
}

/* A range is taken once, by its base only, and of the right kind only. */
Test(memory_map, is_taken_once)
{
	struct mt_mem_info info;

	cr_assert_eq(add(BASE, 1024, 8), MUSA_SUCCESS);
	cr_assert_not(mt_mem_map_take(BASE + 512, &info));
	cr_assert_not(mt_mem_map_take_kind(BASE, 1u << MT_ALLOC_POOL, &info));
	cr_assert(mt_mem_map_take_kind(BASE, 1u << MT_ALLOC_DEVICE, &info));
	cr_assert_eq((uintptr_t)info.owner, 8);
	cr_assert_not(mt_mem_map_take(BASE, &info));
}

enum { MODEL = 4000 };
static struct {
	uint64_t base, size_b;
} model[MODEL];

/* A long random life agrees with a plain list at every step. */
Test(memory_map, agrees_with_a_model)
{
	srand(1);
	for (int round = 0; round < 40000; round++) {
		int i = rand() % MODEL;

		if (model[i].size_b) {
			uint64_t at = model[i].base + (uint64_t)rand() % model[i].size_b;

			cr_assert_eq(owner_at(at), (uint64_t)i + 1);
			mt_mem_remove(model[i].base);
			cr_assert_eq(owner_at(at), 0);
			model[i].size_b = 0;
			continue;
		}
		/* Slots of 64 KiB, so that the model's ranges do not overlap; some fill several
		 * granules. */
		model[i].size_b = 1 + (uint64_t)rand() % 65536;
		model[i].base = BASE + (uint64_t)i * 65536;
		if (i % 1000 == 0) {
			model[i].base = BASE + (1ull << 40) + (uint64_t)i * (1ull << 26);
			model[i].size_b = 1 + (uint64_t)rand() % (1u << 26);
		}
		cr_assert_eq(add(model[i].base, model[i].size_b, (uint64_t)i + 1), MUSA_SUCCESS);
	}
	for (int i = 0; i < MODEL; i++) {
		if (model[i].size_b)
			cr_assert_eq(owner_at(model[i].base + model[i].size_b - 1),
				     (uint64_t)i + 1);
	}
}

/* A million ranges, all found, all removed again. */
Test(memory_map, holds_a_million)
{
#ifdef __SANITIZE_THREAD__
	enum { COUNT = 100000 };
#else
	enum { COUNT = 1000000 };
#endif

	for (uint64_t i = 0; i < COUNT; i++)
		cr_assert_eq(add(BASE + i * 512, 512, i + 1), MUSA_SUCCESS);
	for (uint64_t i = 0; i < COUNT; i += 7)
		cr_assert_eq(owner_at(BASE + i * 512 + 511), i + 1);
	for (uint64_t i = 0; i < COUNT; i++)
		mt_mem_remove(BASE + (i * 7919 % COUNT) * 512);
	cr_assert_not(mt_mem_map_overlaps(BASE, COUNT * 512ull));
}

static _Atomic bool stop;

/* Reads while others write: a range that always is there is always found, and found right. */
static void *read_all(void *arg)
{
	uint64_t reads = 0;

	(void)arg;
	while (!atomic_load(&stop)) {
		uint64_t i = reads++ % 64;
		struct mt_mem_info info;

		cr_assert(mt_mem_find(BASE + i * 8192 + 100, &info));
		cr_assert_eq((uintptr_t)info.owner, i + 1);
		cr_assert_eq(info.base, BASE + i * 8192);
		if (mt_mem_find(BASE + i * 8192 + 4096, &info))
			cr_assert_eq((uintptr_t)info.owner, 1000);
	}
	return NULL;
}

static void *write_some(void *arg)
{
	uint64_t first = (uint64_t)(uintptr_t)arg;

	for (int round = 0; round < 2000; round++) {
		for (uint64_t i = first; i < 64; i += 2)
			cr_assert_eq(add(BASE + i * 8192 + 4096, 1024, 1000), MUSA_SUCCESS);
		for (uint64_t i = first; i < 64; i += 2)
			mt_mem_remove(BASE + i * 8192 + 4096);
	}
	return NULL;
}

Test(memory_map, is_read_while_written)
{
	pthread_t readers[2], writers[2];

	for (uint64_t i = 0; i < 64; i++)
		cr_assert_eq(add(BASE + i * 8192, 4096, i + 1), MUSA_SUCCESS);
	for (uintptr_t i = 0; i < 2; i++) {
		pthread_create(&readers[i], NULL, read_all, NULL);
		pthread_create(&writers[i], NULL, write_some, (void *)i);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(writers[i], NULL);
	atomic_store(&stop, true);
	for (int i = 0; i < 2; i++)
		pthread_join(readers[i], NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Proves the base helpers: handles find out stale and foreign values, arenas give back everything,
 * allocation counts and fails on demand.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hw/base/alloc.h"
#include "hw/base/arena.h"
#include "hw/base/handle.h"
#include "hw/base/log.h"

Test(handle, lookup)
{
	int object, other;
	uint64_t a = mt_handle_create(MT_HANDLE_STREAM, &object);
	uint64_t b = mt_handle_create(MT_HANDLE_GRAPH, &other), node;

	cr_assert_neq(a, b);
	cr_assert_gt(a, UINT64_C(1) << 48);
	cr_assert_eq(mt_handle_get(a, MT_HANDLE_STREAM), &object);
	cr_assert_null(mt_handle_get(a, MT_HANDLE_EVENT));
	cr_assert_null(mt_handle_get(0, MT_HANDLE_STREAM));
	cr_assert_null(mt_handle_get((uintptr_t)&object, MT_HANDLE_STREAM));
	cr_assert_null(mt_handle_get(a | 1u << 22, MT_HANDLE_STREAM), "no sub-index on a stream");
	cr_assert_null(mt_handle_get(a | 0x3fffff, MT_HANDLE_STREAM), "no such slot");
	node = mt_handle_sub(b, MT_HANDLE_NODE, 1000000);
	cr_assert_eq(mt_handle_get(node, MT_HANDLE_NODE), &other);
	cr_assert_eq(mt_handle_sub_index(node), 1000000);
	cr_assert_null(mt_handle_get(node, MT_HANDLE_GRAPH));
	cr_assert_null(mt_handle_get(mt_handle_sub(a, MT_HANDLE_NODE, 1), MT_HANDLE_NODE));
	mt_handle_destroy(b);
	cr_assert_null(mt_handle_get(b, MT_HANDLE_GRAPH));
	cr_assert_null(mt_handle_get(node, MT_HANDLE_NODE));
	mt_handle_destroy(b); /* a stale handle does nothing */
	cr_assert_eq(mt_handle_get(a, MT_HANDLE_STREAM), &object);
}

/* A stale handle stays stale over a hundred thousand new ones, and memory does not grow. */
Test(handle, reuse)
{
	uint64_t stale, handle, i, live_b = 0;
	struct mt_alloc_stats stats;
	int object;

	stale = mt_handle_create(MT_HANDLE_EXEC, &object);
	mt_handle_destroy(stale);
	for (i = 0; i < 100000; i++) {
		handle = mt_handle_create(MT_HANDLE_EXEC, &object);
		cr_assert_neq(handle, 0);
		cr_assert_neq(handle, stale);
		cr_assert_null(mt_handle_get(stale, MT_HANDLE_EXEC));
		mt_handle_destroy(handle);
		if (i == 5000) {
			mt_alloc_stats_get(&stats);
			live_b = stats.live_b;
		}
	}
	mt_alloc_stats_get(&stats);
	cr_assert_eq(stats.live_b, live_b);
}

static void *churn(void *argument)
{
	uint64_t handles[100], i, k;

	for (i = 0; i < 200; i++) {
		for (k = 0; k < 100; k++)
			handles[k] = mt_handle_create(MT_HANDLE_EVENT, argument);
		for (k = 0; k < 100; k++) {
			if (mt_handle_get(handles[k], MT_HANDLE_EVENT) != argument)
				return argument;
			mt_handle_destroy(handles[k]);
		}
	}
	return NULL;
}

Test(handle, threads)
{
	pthread_t threads[4];
	int objects[4], i;
	void *wrong;

	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, churn, &objects[i]);
	for (i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		cr_assert_null(wrong);
	}
}

Test(arena, memory)
{
	struct mt_alloc_stats before, after;
	struct mt_arena arena;
	size_t sizes[] = {1, 8, 24, 4000, 100000, 7, 1 << 20, 3}, i, k;
	unsigned char *at[8];

	mt_alloc_stats_get(&before);
	mt_arena_init(&arena);
	for (k = 0; k < 2; k++) {
		for (i = 0; i < 8; i++) {
			at[i] = mt_arena_alloc(&arena, sizes[i], (size_t)1 << i % 7);
			cr_assert_not_null(at[i]);
			cr_assert_eq((uintptr_t)at[i] % ((size_t)1 << i % 7), 0);
			cr_assert_eq(at[i][0] | at[i][sizes[i] - 1], 0);
			memset(at[i], (int)i + 1, sizes[i]);
		}
		for (i = 0; i < 8; i++)
			cr_assert(at[i][0] == i + 1 && at[i][sizes[i] - 1] == i + 1);
	}
	mt_arena_finish(&arena);
	mt_arena_finish(&(struct mt_arena){0});
	mt_alloc_stats_get(&after);
	cr_assert_eq(after.live_b, before.live_b);
	cr_assert_eq(after.live_count, before.live_count);
}

/* An own-pages arena can be closed and opened again. */
Test(arena, own_pages)
{
	struct mt_arena arena;
	char *text, *large;
	int pipes[2];

	mt_arena_set_own_pages(true);
	mt_arena_init(&arena);
	text = mt_arena_alloc(&arena, 6, 1);
	large = mt_arena_alloc(&arena, 100000, 8);
	memcpy(text, "hello", 6);
	large[99999] = 'x';
	cr_assert_eq(mt_arena_protect(&arena, PROT_NONE), 0);
	/* The kernel refuses to read from there. */
	cr_assert_eq(pipe(pipes), 0);
	cr_assert_eq(write(pipes[1], text, 6), -1);
	cr_assert_eq(write(pipes[1], large + 99999, 1), -1);
	cr_assert_eq(mt_arena_protect(&arena, PROT_READ | PROT_WRITE), 0);
	cr_assert_str_eq(text, "hello");
	cr_assert_eq(large[99999], 'x');
	mt_arena_finish(&arena);
}

Test(alloc, counts)
{
	struct mt_alloc_stats before, after;
	char *text;

	mt_alloc_stats_get(&before);
	text = mt_strdup("some text");
	text = mt_realloc(text, 1000);
	cr_assert_str_eq(text, "some text");
	mt_alloc_stats_get(&after);
	cr_assert_eq(after.calls - before.calls, 2);
	cr_assert_eq(after.live_count - before.live_count, 1);
	cr_assert_geq(after.live_b - before.live_b, 1000);
	mt_free(text);
	mt_free(NULL);
	mt_alloc_stats_get(&after);
	cr_assert_eq(after.live_b, before.live_b);
	cr_assert_null(mt_calloc(SIZE_MAX / 2, 4));
}

Test(alloc, failure)
{
	void *first, *second;

	mt_alloc_fail_at(2);
	first = mt_alloc(1);
	second = mt_calloc(1, 1);
	cr_assert_not_null(first);
	cr_assert_null(second);
	second = mt_alloc_aligned(64, 10);
	cr_assert_not_null(second, "only one fails");
	cr_assert_eq((uintptr_t)second % 64, 0);
	mt_alloc_fail_at(1);
	mt_alloc_fail_at(0);
	mt_free(first);
	first = mt_alloc(1);
	cr_assert_not_null(first);
	mt_free(first);
	mt_free(second);
}

/* The log goes to the file that MUSA_LOG names, up to its level. */
Test(log, file)
{
	char path[] = "/tmp/mtgraph-log-XXXXXX", setting[64], text[512] = "";
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	snprintf(setting, sizeof(setting), "info:%s", path);
	setenv("MUSA_LOG", setting, 1);
	cr_assert_eq(mt_log_init(), 0);
	cr_assert_eq(mt_log_init(), 0);
	mt_log_init_end();
	mt_log(MT_LOG_INFO, "seen %d", 1);
	mt_log(MT_LOG_DEBUG, "not seen");
	cr_assert_gt(read(fd, text, sizeof(text) - 1), 0);
	cr_assert_not_null(strstr(text, "musa info ["));
	cr_assert_not_null(strstr(text, "seen 1\n"));
	cr_assert_null(strstr(text, "not seen"));
	unlink(path);
}

Test(log, bad_setting)
{
	setenv("MUSA_LOG", "loud", 1);
	cr_assert_lt(mt_log_init(), 0);
	cr_assert_lt(mt_log_init(), 0, "it stays wrong");
}

Test(log, off)
{
	unsetenv("MUSA_LOG");
	cr_assert_eq(mt_log_init(), 0);
	cr_assert_eq(mt_log_level, MT_LOG_ERROR, "until initialisation has ended");
	mt_log_init_end();
	cr_assert_eq(mt_log_level, MT_LOG_NONE);
}

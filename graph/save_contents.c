/* SPDX-License-Identifier: MIT */
/*
 * Contents of the memory that a graph names. Small ranges go first, so that a limit leaves out as few
 * as possible; parts that are zero are not written.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "drv/mem_transfer.h"
#include "drv/stream.h"
#include "graph/save_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "musa_runtime_api.h"

#define PIECE_B   (1u << 20) /* most in a section */
#define ZERO_B    65536u     /* parts of this size are left out if they are zero */
#define IDLE_MS   1000u      /* how long saving waits for the device */

/* Reads memory piece by piece; device memory over a stream of its own, so that nothing else waits. */
struct reader {
	struct mt_save *save;
	struct mt_stream *streams[MT_DEVICES_MAX]; /* owned; made when first needed */
	uint8_t *bytes;                            /* owned: PIECE_B */
};

static MUresult stream_of(struct reader *reader, uint32_t device, struct mt_stream **stream_out)
{
	struct mt_ctx *ctx;
	MUstream handle;
	MUresult ret = MUSA_SUCCESS;

	if (device >= MT_DEVICES_MAX)
		return MUSA_ERROR_INVALID_DEVICE;
	if (!reader->streams[device]) {
		ret = mt_ctx_primary(device, &ctx);
		if (!ret)
			ret = mt_stream_create(ctx, MU_STREAM_NON_BLOCKING, 0, &handle);
		if (!ret)
			ret = mt_stream_get(ctx, handle, false, &reader->streams[device]);
	}
	*stream_out = reader->streams[device];
	return ret;
}

/* Host memory is read through the kernel: a pointer in a node need not be good. */
static MUresult read_host(uint64_t va, void *bytes, size_t count)
{
	struct iovec to = {.iov_base = bytes, .iov_len = count};
	struct iovec from = {.iov_base = (void *)(uintptr_t)va, .iov_len = count};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)count ?
		       MUSA_SUCCESS :
		       MUSA_ERROR_INVALID_VALUE;
}

static MUresult read_piece(struct reader *reader, const struct mt_save_range *range, uint64_t at,
			   size_t count)
{
	struct mt_stream *stream;
	MUresult ret;

	if (range->host_va)
		return read_host(range->host_va + at, reader->bytes, count);
	ret = stream_of(reader, range->device, &stream);
	if (!ret)
		ret = mt_mem_copy_1d(stream, (uintptr_t)reader->bytes, range->head.va + at, count,
				     musaMemcpyDefault, true, "graph save");
	return ret;
}

static bool is_zero(const uint8_t *bytes, size_t count)
{
	return !bytes[0] && !memcmp(bytes, bytes + 1, count - 1);
}

static void write_piece(struct mt_save_file *file, uint32_t index, uint64_t offset_b,
			const uint8_t *bytes, size_t count)
{
	const struct mtg_contents head = {
		.range = index, .offset_b = offset_b, .bytes_b = count};

	mt_save_begin_stream(file, MTG_CONTENTS, sizeof(head) + count);
	mt_save_stream(file, &head, sizeof(head));
	mt_save_stream(file, bytes, count);
}

/* The parts of a piece that are not zero. */
static void write_parts(struct mt_save *save, uint32_t index, uint64_t offset_b,
			const uint8_t *bytes, size_t count, uint64_t *written_b)
{
	size_t at, part, start = 0, run = 0;

	for (at = 0; at < count; at += part) {
		part = count - at < ZERO_B ? count - at : ZERO_B;
		if (!is_zero(bytes + at, part)) {
			if (!run)
				start = at;
			run += part;
			continue;
		}
		if (run)
			write_piece(&save->file, index, offset_b + start, bytes + start, run);
		*written_b += run;
		run = 0;
	}
	if (run)
		write_piece(&save->file, index, offset_b + start, bytes + start, run);
	*written_b += run;
}

/* All rows, as far apart as they are in the array. */
static MUresult read_array(struct reader *reader, const struct mt_save_range *range, void *bytes)
{
	struct mt_array *array = range->array, *live;
	struct mt_op_copy copy = {
		.src.array = array,
		.dst = {.ptr = (uintptr_t)bytes, .pitch_b = array->row_b, .xsize = array->width,
			.ysize = array->height ? array->height : 1},
		.width = array->width,
		.height = array->height ? array->height : 1,
		.depth = array->depth ? array->depth : 1,
		.kind = musaMemcpyDeviceToHost,
	};
	struct mt_stream *stream;
	MUresult ret = mt_array_get(array->handle, &live);

	if (!ret && live != array)
		ret = MUSA_ERROR_INVALID_HANDLE;
	if (!ret)
		ret = stream_of(reader, range->device, &stream);
	return ret ? ret : mt_mem_copy(stream, &copy, true, "graph save");
}

/* Arrays are few and are read as a whole. */
static void save_array(struct reader *reader, struct mt_save_range *range, uint64_t *left_b)
{
	uint8_t *bytes = mt_calloc(1, range->head.range_b);
	uint64_t at, count, written_b = 0;

	if (!bytes || read_array(reader, range, bytes)) {
		range->head.flags |= MTG_RANGE_UNREADABLE;
		mt_free(bytes);
		return;
	}
	for (at = 0; at < range->head.range_b; at += count) {
		count = range->head.range_b - at < PIECE_B ? range->head.range_b - at : PIECE_B;
		write_parts(reader->save, range->head.index, at, bytes + at, count, &written_b);
	}
	mt_free(bytes);
	range->head.flags |= MTG_RANGE_SAVED;
	*left_b -= written_b < *left_b ? written_b : *left_b;
}

static void save_range(struct reader *reader, struct mt_save_range *range, uint64_t *left_b)
{
	uint64_t at, written_b = 0;
	size_t count;

	if (range->head.range_b > *left_b) {
		range->head.flags |= MTG_RANGE_OVER_LIMIT;
		return;
	}
	if (range->array) {
		save_array(reader, range, left_b);
		return;
	}
	for (at = 0; at < range->head.range_b; at += count) {
		count = range->head.range_b - at < PIECE_B ? (size_t)(range->head.range_b - at) :
							     PIECE_B;
		if (read_piece(reader, range, at, count)) {
			range->head.flags |= MTG_RANGE_UNREADABLE;
			break;
		}
		write_parts(reader->save, range->head.index, at, reader->bytes, count, &written_b);
	}
	if (at >= range->head.range_b)
		range->head.flags |= MTG_RANGE_SAVED;
	*left_b -= written_b < *left_b ? written_b : *left_b;
}

/* What has no contents of its own between launches. */
static bool has_contents(const struct mt_save_range *range)
{
	struct mt_mem_info info;

	if (range->head.kind == MTG_RANGE_CONDITION || range->head.lifetime == MTG_LIFE_LAUNCH)
		return false;
	if (range->head.kind != MTG_RANGE_GRAPH)
		return true;
	return mt_mem_find(range->head.va, &info) && info.hooks && info.hooks->live(info.owner);
}

static int compare_sizes(const void *a, const void *b, void *ranges)
{
	const struct mt_save_range *x = (struct mt_save_range *)ranges + *(const uint32_t *)a;
	const struct mt_save_range *y = (struct mt_save_range *)ranges + *(const uint32_t *)b;

	if (x->head.range_b != y->head.range_b)
		return x->head.range_b < y->head.range_b ? -1 : 1;
	return x->head.va < y->head.va ? -1 : x->head.va > y->head.va;
}

/* Work that was submitted before may still write; a program may also be waiting for itself. */
static void wait_a_moment(struct mt_save *save)
{
	const struct timespec ms = {.tv_nsec = 1000000};
	uint32_t waited = 0;

	while (!mt_ctx_idle(save->ctx) && waited++ < IDLE_MS)
		nanosleep(&ms, NULL);
	save->busy = !mt_ctx_idle(save->ctx);
	if (save->busy)
		mt_log(MT_LOG_WARN, "graph save: the device is still at work: contents may change");
}

static MUresult write_contents(struct mt_save *save)
{
	struct reader *reader = mt_calloc(1, sizeof(*reader));
	uint32_t *order = mt_alloc((save->range_count + 1u) * sizeof(*order));
	uint64_t left_b = save->memory_b;
	MUresult ret = MUSA_ERROR_OUT_OF_MEMORY;
	uint32_t i;

	if (!reader || !order)
		goto free_both;
	reader->save = save;
	reader->bytes = mt_alloc(PIECE_B);
	if (!reader->bytes)
		goto free_both;
	ret = MUSA_SUCCESS;
	wait_a_moment(save);
	for (i = 0; i < save->range_count; i++)
		order[i] = i;
	qsort_r(order, save->range_count, sizeof(*order), compare_sizes, save->ranges);
	for (i = 0; i < save->range_count; i++)
		if (has_contents(&save->ranges[order[i]]))
			save_range(reader, &save->ranges[order[i]], &left_b);
	for (i = 0; i < MT_DEVICES_MAX; i++)
		if (reader->streams[i])
			mt_stream_destroy(reader->streams[i]);
	mt_free(reader->bytes);
free_both:
	mt_free(reader);
	mt_free(order);
	return ret;
}

static void put_range(struct mt_save_file *file, struct mt_save_range *range)
{
	range->head.name_b = range->name ? (uint32_t)strlen(range->name) : 0;
	range->head.size_b = (uint32_t)sizeof(range->head) + ((range->head.name_b + 7) & ~7u);
	mt_save_put(file, &range->head, sizeof(range->head));
	mt_save_put(file, range->name, range->head.name_b);
	mt_save_pad(file);
}

MUresult mt_save_ranges_write(struct mt_save *save)
{
	struct mt_save_file *file = &save->file;
	uint32_t i;
	MUresult ret = save->memory_b ? write_contents(save) : MUSA_SUCCESS;

	if (ret)
		return ret;
	mt_save_begin(file, MTG_RANGES);
	for (i = 0; i < save->range_count; i++) {
		put_range(file, &save->ranges[i]);
		if (mt_save_is_full(file)) {
			mt_save_end(file);
			mt_save_begin(file, MTG_RANGES);
		}
	}
	mt_save_end(file);
	return MUSA_SUCCESS;
}

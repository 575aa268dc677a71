/* SPDX-License-Identifier: MIT */
/*
 * Stream copies and fills. What a copy of a given shape is, op_copy.c says; who waits, this file.
 */
#include "drv/mem_transfer.h"

#include <string.h>

#include "drv/capture.h"
#include "drv/mem_staging.h"
#include "musa_runtime_api.h"

/* Graph memory that is not allocated now may be named while a capture or graph is built only. */
static bool is_live(uint64_t va)
{
	struct mt_mem_info info;

	if (!mt_mem_find(va, &info) || !info.hooks)
		return true;
	return info.hooks->live(info.owner);
}

static bool sides_live(const struct mt_op_copy *copy)
{
	if (!mt_mem_map_graph_count())
		return true;
	return (copy->src.array || is_live(copy->src.va)) &&
	       (copy->dst.array || is_live(copy->dst.va));
}

static bool is_capturing(struct mt_stream *stream)
{
	return atomic_load_explicit(&stream->capture, memory_order_acquire) != NULL;
}

/* Waits for what the calling thread has just submitted. */
static MUresult wait_newest(struct mt_stream *stream)
{
	uint64_t seq = atomic_load_explicit(&stream->last_seq, memory_order_acquire);
	MUresult ret = MUSA_SUCCESS;
	int error;

	if (seq) {
		error = mt_hw_queue_wait(stream->queue, seq, -1);
		if (error)
			ret = mt_result_from_errno(stream->ctx->hw, error);
	}
	if (!ret)
		ret = mt_ctx_error(stream->ctx);
	if (!ret)
		mt_memory_synced(stream->ctx);
	return ret;
}

/* Whether the call has to return after the copy has run, and if not, whether its source is staged.
 */
static bool must_wait(const struct mt_op_copy *copy, bool *stage_out)
{
	bool from_pageable = copy->src.type == MT_MEM_PAGEABLE;
	bool to_host = copy->dst.type == MT_MEM_PAGEABLE || copy->dst.type == MT_MEM_PINNED;
	uint64_t rows_b, bytes;

	*stage_out = false;
	if (copy->dst.type == MT_MEM_PAGEABLE || (from_pageable && to_host))
		return true;
	if (!from_pageable)
		return false;
	if (__builtin_mul_overflow(copy->width_b, copy->height, &rows_b) ||
	    __builtin_mul_overflow(rows_b, copy->depth, &bytes) || bytes > MT_STAGING_MAX_B)
		return true;
	*stage_out = true;
	return false;
}

static MUresult enqueue_staged(struct mt_stream *stream, struct mt_op *op, const char *api)
{
	struct mt_memory *memory = stream->ctx->memory;
	struct mt_staging *staging;
	MUresult ret = mt_staging_create(memory, op->copy, &staging);

	if (ret)
		return ret;
	ret = mt_stream_enqueue(stream, op, api);
	if (ret) {
		mt_staging_destroy(memory, staging);
		return ret;
	}
	mt_staging_commit(memory, staging, stream);
	return MUSA_SUCCESS;
}

static MUresult submit_copy(struct mt_stream *stream, struct mt_op *op, bool wait, const char *api)
{
	bool stage = false;
	MUresult ret;

	if (is_capturing(stream))
		return wait ? mt_capture_ops->refuse(stream, api)
			    : mt_stream_enqueue(stream, op, api);
	if (!sides_live(op->copy))
		return MUSA_ERROR_INVALID_VALUE;
	if (!wait)
		wait = must_wait(op->copy, &stage);
	if (stage)
		return enqueue_staged(stream, op, api);
	ret = mt_stream_enqueue(stream, op, api);
	if (!ret && wait)
		ret = wait_newest(stream);
	return ret;
}

MUresult mt_mem_copy(struct mt_stream *stream, struct mt_op_copy *copy, bool wait, const char *api)
{
	struct mt_op op;
	MUresult ret;

	if (copy->kind > musaMemcpyDefault)
		return (MUresult)musaErrorInvalidMemcpyDirection;
	if (!copy->width || !copy->height || !copy->depth)
		return MUSA_SUCCESS;
	ret = mt_op_copy_build(stream->ctx, copy, false, &op);
	if (ret)
		return ret;
	return submit_copy(stream, &op, wait, api);
}

MUresult mt_mem_copy_1d(struct mt_stream *stream, uint64_t dst, uint64_t src, uint64_t size_b,
			unsigned int kind, bool wait, const char *api)
{
	struct mt_op_copy copy;

	if (kind > musaMemcpyDefault)
		return (MUresult)musaErrorInvalidMemcpyDirection;
	memset(&copy, 0, sizeof(copy));
	copy.src.ptr = src;
	copy.dst.ptr = dst;
	copy.width = size_b;
	copy.height = copy.depth = 1;
	copy.kind = (uint8_t)kind;
	return mt_mem_copy(stream, &copy, wait, api);
}

MUresult mt_mem_copy_peer(struct mt_stream *stream, struct mt_op_copy *copy, struct mt_ctx *dst,
			  struct mt_ctx *src, bool wait, const char *api)
{
	MUresult ret = MUSA_SUCCESS;

	if (is_capturing(stream) && copy->width && copy->height && copy->depth)
		return mt_capture_ops->refuse(stream, api);
	copy->kind =
		copy->src.array || copy->dst.array ? musaMemcpyDefault : musaMemcpyDeviceToDevice;
	if (wait && dst != stream->ctx)
		ret = mt_ctx_wait_idle(dst);
	if (!ret && wait && src != stream->ctx && src != dst)
		ret = mt_ctx_wait_idle(src);
	return ret ? ret : mt_mem_copy(stream, copy, wait, api);
}

/* A node has two dimensions at most: slices without a gap between them are one box, or one row, and
 * others a node each. `fill` has been checked as a whole. */
static MUresult capture_fill(struct mt_stream *stream, struct mt_op_fill *fill, const char *api)
{
	uint32_t slices = fill->depth, i;
	struct mt_op op;
	MUresult ret = MUSA_SUCCESS;

	if (slices > 1 && fill->slice_b == fill->height * fill->pitch_b) {
		fill->height *= slices;
		if (fill->pitch_b == fill->width * fill->element_b) {
			fill->width *= fill->height;
			fill->height = 1;
			fill->pitch_b = 0;
		}
		slices = 1;
	}
	fill->depth = 1;
	for (i = 0; i < slices && !ret; i++) {
		ret = mt_op_fill_build(stream->ctx, fill, false, &op);
		if (!ret)
			ret = mt_stream_enqueue(stream, &op, api);
		fill->dst += fill->slice_b;
	}
	return ret;
}

MUresult mt_mem_fill(struct mt_stream *stream, struct mt_op_fill *fill, bool wait, const char *api)
{
	struct mt_op op;
	MUresult ret;

	if (!fill->width || !fill->height || !fill->depth)
		return MUSA_SUCCESS;
	ret = mt_op_fill_build(stream->ctx, fill, false, &op);
	if (ret)
		return ret;
	if (is_capturing(stream))
		return wait ? mt_capture_ops->refuse(stream, api)
			    : capture_fill(stream, fill, api);
	if (mt_mem_map_graph_count() && !is_live(fill->dst))
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_stream_enqueue(stream, &op, api);
	if (!ret && wait)
		ret = wait_newest(stream);
	return ret;
}

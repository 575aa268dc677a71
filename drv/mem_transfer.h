/* SPDX-License-Identifier: MIT */
/*
 * Copies and fills on streams, as the API has them: what waits for what when host memory takes
 * part, and what a call of size zero does.
 */
#ifndef MT_DRV_MEM_TRANSFER_H
#define MT_DRV_MEM_TRANSFER_H

#include <stdbool.h>

#include "drv/op.h"
#include "drv/result.h"
#include "drv/stream.h"

/**
 * mt_mem_copy() - Check a copy and put it on a stream.
 * @copy:	Sides as given, extent, kind; completed by the call. Caller's scratch.
 * @wait:	Synchronous call: returns when the copy has completed.
 * @api:	Name of the call, for logs and capture reasons.
 *
 * A copy without bytes is a success without effect. Where pageable memory takes part the caller may
 * use it again when the call returns: its bytes are staged, or the call waits. A capturing
 * stream gets a node.
 *
 * Errors: as the API documents them for the stream copies; 21 for a kind out of range.
 */
MUresult mt_mem_copy(struct mt_stream *stream, struct mt_op_copy *copy, bool wait, const char *api);

/* One dimension. */
MUresult mt_mem_copy_1d(struct mt_stream *stream, uint64_t dst, uint64_t src, uint64_t size_b,
			unsigned int kind, bool wait, const char *api);

/* Between two contexts: as mt_mem_copy(), and refused on a capturing stream. With `wait` all work
 * of both contexts comes first. */
MUresult mt_mem_copy_peer(struct mt_stream *stream, struct mt_op_copy *copy, struct mt_ctx *dst,
			  struct mt_ctx *src, bool wait, const char *api);

/* A fill without elements is a success without effect. */
MUresult mt_mem_fill(struct mt_stream *stream, struct mt_op_fill *fill, bool wait, const char *api);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Staging: pinned copies of pageable sources, so that an asynchronous copy may return before it
 * runs.
 */
#ifndef MT_DRV_MEM_STAGING_H
#define MT_DRV_MEM_STAGING_H

#include "drv/mem_internal.h"
#include "drv/op.h"
#include "drv/stream.h"

/* Sources up to this size are staged; for larger ones the call waits. */
#define MT_STAGING_MAX_B (4ull << 20)

struct mt_staging {
	struct mt_heap_block *block;    /* owned */
	struct mt_stream_ticket ticket; /* when the copy has read it */
	struct mt_staging *next;
};

/* Packs the source of *copy into pinned memory and makes *copy read from there. */
MUresult mt_staging_create(struct mt_memory *memory, struct mt_op_copy *copy,
			   struct mt_staging **staging_out);

/* The copy was not submitted. */
void mt_staging_destroy(struct mt_memory *memory, struct mt_staging *staging);

/* The copy was the stream's newest submission, or an earlier one. */
void mt_staging_commit(struct mt_memory *memory, struct mt_staging *staging,
		       struct mt_stream *stream);

#endif

/* SPDX-License-Identifier: MIT */
/* Copies as the driver API describes them, for streams and for graph nodes. Part of libmusa. */
#ifndef MT_DRV_MU_COPY_H
#define MT_DRV_MU_COPY_H

#include "drv/op.h"

/* Each fills *copy with the sides as given, the extent and the kind that the memory types stand for.
 * INVALID_VALUE for an unknown memory type, a level of detail, or bytes that are no whole elements of
 * an array; INVALID_HANDLE for a stale array. */
MUresult mt_mu_copy_3d(const MUSA_MEMCPY3D *params, struct mt_op_copy *copy);
MUresult mt_mu_copy_2d(const MUSA_MEMCPY2D *params, struct mt_op_copy *copy);

/* The way back: memory types as the kind has them, UNIFIED where it leaves them open. */
void mt_mu_copy_describe(const struct mt_op_copy *copy, MUSA_MEMCPY3D *params_out);

/* The runtime API has results of its own for bad pitches and directions; here they are bad values. */
MUresult mt_mu_copy_result(MUresult result);

#endif

/* SPDX-License-Identifier: MIT */
/* Attributes of streams: access policy, synchronisation policy, memory domains, priority. */
#ifndef MT_DRV_STREAM_ATTR_H
#define MT_DRV_STREAM_ATTR_H

#include "drv/stream.h"

/* `value` is the API's attribute union; only the bytes of the member asked for are read or written.
 * INVALID_VALUE for an id that streams do not have. */
MUresult mt_stream_attr_get(struct mt_stream *stream, int id, void *value);
MUresult mt_stream_attr_set(struct mt_stream *stream, int id, const void *value);

/* All attributes but the priority. */
MUresult mt_stream_attr_copy(struct mt_stream *dst, const struct mt_stream *src);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Writes files of include/mtgraph_format.h section by section. Knows the frame, not the contents, and
 * no device, so that tools use it, too.
 */
#ifndef MT_GRAPH_SAVE_FILE_H
#define MT_GRAPH_SAVE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mtgraph_format.h"

/* The first error stays, and later calls do nothing: it is asked for once, at the end. */
struct mt_save_file {
	int fd, error;     /* error: negative errno */
	uint64_t end;      /* where the next section goes */
	uint8_t *payload;  /* owned: of the open section */
	size_t used_b, room_b;
	uint32_t type;     /* of the open section, 0: none is open */
	uint64_t stream_b; /* streamed section: payload bytes still to come */
	uint32_t crc;      /* of those that have come */
	uint64_t head_at;
	struct mtg_section head;
};

/* Begins a file on a descriptor at its start, borrowed until mt_save_close(). */
void mt_save_open(struct mt_save_file *file, int fd);

/* Goes on with a file that exists, in front of its MTG_END, which comes again with mt_save_close().
 * -EBADMSG if it is no complete file of this major version. */
int mt_save_open_append(struct mt_save_file *file, int fd);

/* A section whose payload is gathered in memory until mt_save_end(). */
void mt_save_begin(struct mt_save_file *file, uint32_t type);
/* `count` zeroed bytes at the end of the payload, or NULL; valid until the next call. */
void *mt_save_room(struct mt_save_file *file, size_t count);
void mt_save_put(struct mt_save_file *file, const void *bytes, size_t count);
void mt_save_pad(struct mt_save_file *file); /* to a multiple of 8 */
/* Whether a list should go on in a new section. */
static inline bool mt_save_is_full(const struct mt_save_file *file)
{
	return file->used_b >= MTG_BLOCK_B;
}
void mt_save_end(struct mt_save_file *file);

/* A section of known size that is written as it comes; mt_save_stream() takes all of it, in pieces. */
void mt_save_begin_stream(struct mt_save_file *file, uint32_t type, uint64_t size_b);
void mt_save_stream(struct mt_save_file *file, const void *bytes, size_t count);

/* Ends the file; the first error or 0. */
int mt_save_close(struct mt_save_file *file);

#endif

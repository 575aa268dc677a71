/* SPDX-License-Identifier: MIT */
/* Memory images. */
#include "tools/dump/memory_image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/array_image.h"
#include "tools/dump/command.h"
#include "tools/dump/progress.h"
#include "tools/dump/words.h"

#define STEP_B (1u << 20)

/* Whether a range has contents between launches. */
static bool has_contents(const struct mtg_range *range)
{
	return range->kind != MTG_RANGE_CONDITION &&
	       !(range->kind == MTG_RANGE_GRAPH && range->node != MTG_NONE);
}

int image_check(struct dump_file *file)
{
	uint32_t count, i;
	const struct file_range *ranges = file_ranges(file, &count);
	int ret = file_status(file);

	for (i = 0; i < count; i++) {
		const struct mtg_range *range = &ranges[i].head;

		if (!has_contents(range) || (range->flags & MTG_RANGE_SAVED))
			continue;
		dump_error("%s lacks the contents of memory %u (%s, %" PRIu64
			   " bytes at 0x%" PRIx64 "): %s",
			   file_path(file), i, word_range_kind(range->kind), range->range_b,
			   range->va,
			   range->flags & MTG_RANGE_OVER_LIMIT ? "over the limit" :
			   range->flags & MTG_RANGE_UNREADABLE ? "could not be read" :
								   "none were asked for");
		ret = DUMP_UNREADABLE;
	}
	return ret;
}

/* Writes the same step over and over. */
static bool fill_range(struct rebuild *rebuild, uint32_t index, const uint8_t *step)
{
	uint64_t range_b = rebuild->file_ranges[index].head.range_b, at, count;
	musaError_t error = musaSuccess;

	for (at = 0; at < range_b && !error; at += count) {
		count = range_b - at < STEP_B ? range_b - at : STEP_B;
		error = rebuild_write(rebuild, index, at, step, count);
	}
	return !error || rebuild_failed(rebuild, error, "filling memory %u", index);
}

static bool write_piece(struct rebuild *rebuild, const struct file_piece *piece, uint8_t *step,
			uint8_t **arrays)
{
	musaError_t error = musaSuccess;
	uint64_t at, count;

	if (arrays[piece->head.range])
		return !file_read_part(rebuild->file, piece->section, piece->bytes_at,
				       arrays[piece->head.range] + piece->head.offset_b,
				       piece->head.bytes_b);
	if (!rebuild->ranges[piece->head.range].va)
		return true;
	for (at = 0; at < piece->head.bytes_b && !error; at += count) {
		count = piece->head.bytes_b - at < STEP_B ? piece->head.bytes_b - at : STEP_B;
		if (file_read_part(rebuild->file, piece->section, piece->bytes_at + at, step,
				   count))
			return false;
		error = rebuild_write(rebuild, piece->head.range, piece->head.offset_b + at, step,
				      count);
	}
	return !error || rebuild_failed(rebuild, error, "contents of memory %u", piece->head.range);
}

/* Arrays are written as a whole, when all of their pieces are there. */
static bool begin_array(struct rebuild *rebuild, uint32_t range, const uint8_t *step, uint8_t **bytes_out)
{
	uint64_t range_b = rebuild->file_ranges[range].head.range_b, at, count;

	if (array_of_range(rebuild, range) == MTG_NONE)
		return true;
	*bytes_out = malloc(range_b);
	if (!*bytes_out)
		return rebuild_no_memory(rebuild);
	for (at = 0; at < range_b; at += count) {
		count = range_b - at < STEP_B ? range_b - at : STEP_B;
		memcpy(*bytes_out + at, step, count);
	}
	return true;
}

static bool write_arrays(struct rebuild *rebuild, uint8_t **arrays)
{
	musaError_t error = musaSuccess;
	uint32_t i;

	for (i = 0; i < rebuild->range_count && !error; i++)
		if (arrays[i])
			error = array_copy(rebuild, array_of_range(rebuild, i), arrays[i], true);
	return !error || rebuild_failed(rebuild, error, "contents of an array");
}

int image_restore(struct rebuild *rebuild, enum image_fill fill)
{
	uint8_t *zero = calloc(STEP_B, 1), *step = malloc(STEP_B), **arrays;
	struct progress progress;
	struct file_piece piece;
	uint32_t i, index = 0;
	bool good;

	arrays = calloc(rebuild->range_count + 1u, sizeof(*arrays));
	good = zero && step && arrays;
	if (!good)
		rebuild_no_memory(rebuild);
	for (i = 0; good && i < STEP_B; i++)
		step[i] = (uint8_t)(i * 167 + (i >> 8) * 13 + 1);
	for (i = 0; good && i < rebuild->range_count; i++) {
		const struct mtg_range *range = &rebuild->file_ranges[i].head;
		const uint8_t *with =
			range->flags & MTG_RANGE_SAVED || fill != IMAGE_FILL_PATTERN ? zero : step;

		if (range->kind == MTG_RANGE_ARRAY)
			good = begin_array(rebuild, i, with, &arrays[i]);
		else if (has_contents(range) && rebuild->ranges[i].va)
			good = fill_range(rebuild, i, with);
	}
	progress_begin(&progress, "memory", file_size(rebuild->file));
	while (good && file_next_piece(rebuild->file, &index, &piece)) {
		progress_update(&progress, piece.section->at);
		good = write_piece(rebuild, &piece, step, arrays);
	}
	progress_end(&progress);
	if (good)
		write_arrays(rebuild, arrays);
	for (i = 0; arrays && i < rebuild->range_count; i++)
		free(arrays[i]);
	free(arrays);
	free(zero);
	free(step);
	return rebuild->status ? rebuild->status : file_status(rebuild->file);
}

int image_take(struct rebuild *rebuild, struct image *image)
{
	musaError_t error;
	uint32_t i, array;

	image->count = rebuild->range_count;
	image->bytes = calloc(image->count + 1u, sizeof(*image->bytes));
	if (!image->bytes) {
		rebuild_no_memory(rebuild);
		return rebuild->status;
	}
	for (i = 0; i < image->count; i++) {
		const struct mtg_range *range = &rebuild->file_ranges[i].head;

		array = array_of_range(rebuild, i);
		if (array == MTG_NONE && (!has_contents(range) || !rebuild->ranges[i].va))
			continue;
		/* What lies between the rows of an array is not read. */
		image->bytes[i] = calloc(range->range_b, 1);
		if (!image->bytes[i]) {
			rebuild_no_memory(rebuild);
			return rebuild->status;
		}
		error = array == MTG_NONE ?
				rebuild_read(rebuild, i, 0, image->bytes[i], range->range_b) :
				array_copy(rebuild, array, image->bytes[i], false);
		if (error) {
			rebuild_failed(rebuild, error, "reading memory %u", i);
			return rebuild->status;
		}
	}
	return DUMP_OK;
}

void image_finish(struct image *image)
{
	while (image->bytes && image->count)
		free(image->bytes[--image->count]);
	free(image->bytes);
	memset(image, 0, sizeof(*image));
}

bool image_next_difference(const struct rebuild *rebuild, const struct image *before,
			   const struct image *after, uint32_t *index,
			   struct image_difference *difference_out)
{
	const uint8_t *x, *y;
	uint64_t at, range_b;
	uint32_t i;

	while (*index < before->count) {
		i = (*index)++;
		x = before->bytes[i];
		y = after->bytes[i];
		range_b = rebuild->file_ranges[i].head.range_b;
		if (!x || !y || !memcmp(x, y, range_b))
			continue;
		*difference_out = (struct image_difference){.range = i};
		for (at = 0; at < range_b; at++) {
			if (x[at] == y[at])
				continue;
			if (!difference_out->bytes) {
				difference_out->offset_b = at;
				difference_out->before = x[at];
				difference_out->after = y[at];
			}
			difference_out->bytes++;
		}
		return true;
	}
	return false;
}

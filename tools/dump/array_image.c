/* SPDX-License-Identifier: MIT */
/* Contents of arrays go through copies with the array as operand: where its rows lie is the device's business. */
#include "tools/dump/array_image.h"

#include <string.h>

#define SLACK_B (UINT64_C(4) << 20) /* of the layout, beside four times the contents */

/* Whether all rows lie in the range, and the range is not much more than them: the file may say anything. */
static bool fits(const struct mtg_array *array, uint64_t range_b)
{
	uint64_t height = array->height ? array->height : 1;
	uint64_t depth = array->depth ? array->depth : 1;
	uint64_t row_b, rows_b, slices_b, bytes, contents_b;

	return array->width && !__builtin_mul_overflow(array->width, array->element_b, &row_b) &&
	       row_b && row_b <= array->row_b &&
	       !__builtin_mul_overflow(height - 1, array->row_b, &rows_b) &&
	       !__builtin_mul_overflow(depth - 1, array->slice_b, &slices_b) &&
	       !__builtin_add_overflow(rows_b, slices_b, &bytes) &&
	       !__builtin_add_overflow(bytes, row_b, &bytes) && bytes <= range_b &&
	       (depth == 1 || !(array->slice_b % array->row_b)) &&
	       !__builtin_mul_overflow(height, depth, &contents_b) &&
	       !__builtin_mul_overflow(contents_b, row_b, &contents_b) &&
	       range_b / 4 <= contents_b + SLACK_B;
}

uint32_t array_of_range(const struct rebuild *rebuild, uint32_t range)
{
	const struct mtg_range *head = &rebuild->file_ranges[range].head;
	const struct mtg_array *arrays;
	uint32_t count, i;

	if (head->kind != MTG_RANGE_ARRAY)
		return MTG_NONE;
	arrays = file_arrays(rebuild->file, &count);
	for (i = 0; i < count; i++)
		if (arrays[i].va == head->va && fits(&arrays[i], head->range_b))
			return i;
	return MTG_NONE;
}

musaError_t array_copy(const struct rebuild *rebuild, uint32_t index, void *bytes, bool to_array)
{
	uint32_t count;
	const struct mtg_array *array = &file_arrays(rebuild->file, &count)[index];
	uint64_t height = array->height ? array->height : 1;
	struct musaPitchedPtr host = {bytes, array->row_b, array->width, height};
	struct musaMemcpy3DParms params;

	memset(&params, 0, sizeof(params));
	if (array->depth > 1)
		host.ysize = array->slice_b / array->row_b;
	params.extent = (struct musaExtent){array->width, height, array->depth ? array->depth : 1};
	params.kind = to_array ? musaMemcpyHostToDevice : musaMemcpyDeviceToHost;
	if (to_array) {
		params.srcPtr = host;
		params.dstArray = rebuild->arrays[index];
	} else {
		params.srcArray = rebuild->arrays[index];
		params.dstPtr = host;
	}
	return musaMemcpy3D(&params);
}

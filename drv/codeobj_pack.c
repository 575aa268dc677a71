/* SPDX-License-Identifier: MIT */
/*
 * Fills kernarg images. This is the hot part of code objects: every launch and every kernel node
 * comes through here, so it only walks lists that were made when the object was loaded.
 */
#include <string.h>

#include "drv/codeobj.h"

/* Unknown tags are refused; this bounds a list whose end tag is missing. */
#define EXTRA_MAX 8u

static void start_image(const struct mt_codeobj_kernel *kernel, uint8_t *image)
{
	memset(image, 0, kernel->kernarg_size_b);
	for (uint32_t i = 0; i < kernel->immediate_count; i++) {
		const struct mt_codeobj_immediate *run = &kernel->immediates[i];

		memcpy(image + run->word * 4, run->values, run->count * sizeof(*run->values));
	}
}

void mt_codeobj_pack_address(const struct mt_codeobj_kernel *kernel, void *image,
			     uint64_t image_address)
{
	uint8_t *bytes = image;

	if (!kernel->indirect_count)
		return;
	for (uint32_t i = 0; i < kernel->param_count; i++) {
		const struct mt_codeobj_param *param = &kernel->params[i];
		uint64_t address = image_address + param->image_b;

		if (param->pair_b != UINT32_MAX)
			memcpy(bytes + param->pair_b, &address, sizeof(address));
	}
}

MUresult mt_codeobj_pack_params(const struct mt_codeobj_kernel *kernel, void *const *params,
				void *image, uint64_t image_address)
{
	uint8_t *bytes = image;

	if (kernel->param_count && !params)
		return MUSA_ERROR_INVALID_VALUE;
	for (uint32_t i = 0; i < kernel->param_count; i++) {
		if (!params[i])
			return MUSA_ERROR_INVALID_VALUE;
	}
	if (!kernel->kernarg_size_b)
		return MUSA_SUCCESS;
	start_image(kernel, bytes);
	for (uint32_t i = 0; i < kernel->param_count; i++) {
		const struct mt_codeobj_param *param = &kernel->params[i];

		/* Constant sizes become single moves. */
		if (param->size_b == 8)
			memcpy(bytes + param->image_b, params[i], 8);
		else if (param->size_b == 4)
			memcpy(bytes + param->image_b, params[i], 4);
		else
			memcpy(bytes + param->image_b, params[i], param->size_b);
	}
	mt_codeobj_pack_address(kernel, image, image_address);
	return MUSA_SUCCESS;
}

MUresult mt_codeobj_pack_buffer(const struct mt_codeobj_kernel *kernel, const void *buffer,
				size_t size_b, void *image, uint64_t image_address)
{
	const uint8_t *from = buffer;
	uint8_t *bytes = image;

	if (size_b < kernel->packed_end_b || (!buffer && kernel->packed_end_b))
		return MUSA_ERROR_INVALID_VALUE;
	if (!kernel->kernarg_size_b)
		return MUSA_SUCCESS;
	start_image(kernel, bytes);
	for (uint32_t i = 0; i < kernel->copy_count; i++) {
		const struct mt_codeobj_copy *copy = &kernel->copies[i];

		memcpy(bytes + copy->image_b, from + copy->packed_b, copy->size_b);
	}
	mt_codeobj_pack_address(kernel, image, image_address);
	return MUSA_SUCCESS;
}

MUresult mt_codeobj_pack_extra(const struct mt_codeobj_kernel *kernel, void *const *extra,
			       void *image, uint64_t image_address)
{
	const void *buffer = NULL;
	const size_t *size = NULL;

	if (!extra)
		return MUSA_ERROR_INVALID_VALUE;
	for (uint32_t i = 0; extra[i] != MU_LAUNCH_PARAM_END; i += 2) {
		if (i >= EXTRA_MAX)
			return MUSA_ERROR_INVALID_VALUE;
		if (extra[i] == MU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[i + 1];
		else if (extra[i] == MU_LAUNCH_PARAM_BUFFER_SIZE)
			size = extra[i + 1];
		else
			return MUSA_ERROR_INVALID_VALUE;
	}
	if (!size)
		return MUSA_ERROR_INVALID_VALUE;
	return mt_codeobj_pack_buffer(kernel, buffer, *size, image, image_address);
}

static uint64_t hidden_value(const struct mt_codeobj_kernel *kernel,
			     const struct mt_codeobj_launch *launch, uint32_t kind)
{
	switch (kind) {
	case MT_CODEOBJ_KIND_BLOCK_DIM_X:
	case MT_CODEOBJ_KIND_BLOCK_DIM_Y:
	case MT_CODEOBJ_KIND_BLOCK_DIM_Z:
		return launch->block[kind - MT_CODEOBJ_KIND_BLOCK_DIM_X];
	case MT_CODEOBJ_KIND_GRID_DIM_X:
	case MT_CODEOBJ_KIND_GRID_DIM_Y:
	case MT_CODEOBJ_KIND_GRID_DIM_Z:
		return launch->grid[kind - MT_CODEOBJ_KIND_GRID_DIM_X];
	case MT_CODEOBJ_KIND_SPILL_BASE:
		return launch->spill_base;
	case MT_CODEOBJ_KIND_CORE_NUMBER:
		return launch->core_number;
	case MT_CODEOBJ_KIND_PROG_ADDR:
		return launch->code_address;
	case MT_CODEOBJ_KIND_PROG_SIZE:
		return kernel->code_size_b;
	default:
		return 0;
	}
}

void mt_codeobj_pack_hidden(const struct mt_codeobj_kernel *kernel, void *image,
			    const struct mt_codeobj_launch *launch)
{
	uint8_t *bytes = image;

	for (uint32_t i = 0; i < kernel->hidden_count; i++) {
		const struct mt_codeobj_hidden *hidden = &kernel->hidden[i];
		uint64_t value = hidden_value(kernel, launch, hidden->kind);

		memcpy(bytes + hidden->word * 4, &value, hidden->word_count < 2 ? 4 : 8);
	}
}

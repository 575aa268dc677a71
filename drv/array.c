/* SPDX-License-Identifier: MIT */
/*
 * Arrays of one to three dimensions: pitch-linear device memory with an element format. There are
 * no textures, so there is no other layout.
 */
#include <string.h>

#include "drv/mem_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"
#include "musa_runtime_api.h"

#define ROW_ALIGN_B 64u

#define FLAGS_TAKEN (musaArrayDefault | musaArraySurfaceLoadStore)
#define FLAGS_KNOWN                                                                                \
	(FLAGS_TAKEN | musaArrayLayered | musaArrayCubemap | musaArrayTextureGather |              \
	 musaArrayColorAttachment | musaArraySparse | musaArrayDeferredMapping)

struct mt_array_object {
	struct mt_array array;       /* first: the two pointers are converted into each other */
	struct mt_heap_block *block; /* NULL: free, to be used again */
	struct mt_array_object *next;
};

MUresult mt_array_get(uint64_t handle, struct mt_array **array_out)
{
	struct mt_array *array = mt_handle_get(handle, MT_HANDLE_ARRAY);

	if (!array)
		return MUSA_ERROR_INVALID_HANDLE;
	*array_out = array;
	return MUSA_SUCCESS;
}

/* One, two or four channels of the same size, from x on. */
static MUresult element_size(const int bits[4], int kind, uint32_t *size_b_out)
{
	uint32_t count = 0;

	while (count < 4 && bits[count]) {
		if (bits[count] != bits[0])
			return MUSA_ERROR_INVALID_VALUE;
		count++;
	}
	for (uint32_t i = count; i < 4; i++) {
		if (bits[i])
			return MUSA_ERROR_INVALID_VALUE;
	}
	if (count != 1 && count != 2 && count != 4)
		return MUSA_ERROR_INVALID_VALUE;
	if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32)
		return MUSA_ERROR_INVALID_VALUE;
	if (kind == musaChannelFormatKindFloat && bits[0] == 8)
		return MUSA_ERROR_INVALID_VALUE;
	*size_b_out = count * (uint32_t)bits[0] / 8;
	return MUSA_SUCCESS;
}

static MUresult check(const struct mt_array_desc *desc, uint32_t *element_b_out)
{
	if (desc->flags & ~(unsigned int)FLAGS_KNOWN)
		return MUSA_ERROR_INVALID_VALUE;
	if (!desc->width || (desc->depth && !desc->height))
		return MUSA_ERROR_INVALID_VALUE;
	if (desc->flags & ~(unsigned int)FLAGS_TAKEN)
		return MUSA_ERROR_NOT_SUPPORTED;
	switch (desc->channel_kind) {
	case musaChannelFormatKindSigned:
	case musaChannelFormatKindUnsigned:
	case musaChannelFormatKindFloat:
		return element_size(desc->channel_bits, desc->channel_kind, element_b_out);
	case musaChannelFormatKindNone:
		return MUSA_ERROR_INVALID_VALUE;
	default:
		return desc->channel_kind < 0 ||
				       desc->channel_kind >
					       musaChannelFormatKindUnsignedNormalized1010102
			       ? MUSA_ERROR_INVALID_VALUE
			       : MUSA_ERROR_NOT_SUPPORTED;
	}
}

/* Steps and whole size; false if it does not fit into an address space. */
static bool lay_out(struct mt_array *array, uint64_t *size_b_out)
{
	uint64_t rows = array->height ? array->height : 1;
	uint64_t slices = array->depth ? array->depth : 1;

	if (__builtin_mul_overflow(array->width, array->element_b, &array->row_b) ||
	    __builtin_add_overflow(array->row_b, ROW_ALIGN_B - 1, &array->row_b))
		return false;
	array->row_b &= ~(uint64_t)(ROW_ALIGN_B - 1);
	return !__builtin_mul_overflow(array->row_b, rows, &array->slice_b) &&
	       !__builtin_mul_overflow(array->slice_b, slices, size_b_out);
}

/* A free descriptor, or a new one. In the list for good. */
static struct mt_array_object *take_object(struct mt_memory *memory, struct mt_heap_block *block)
{
	struct mt_array_object *object;

	pthread_mutex_lock(&memory->lock);
	for (object = memory->arrays; object && object->block; object = object->next)
		;
	if (!object) {
		object = mt_calloc(1, sizeof(*object));
		if (object) {
			object->next = memory->arrays;
			memory->arrays = object;
		}
	}
	if (object)
		object->block = block;
	pthread_mutex_unlock(&memory->lock);
	return object;
}

static void give_object(struct mt_memory *memory, struct mt_array_object *object)
{
	pthread_mutex_lock(&memory->lock);
	object->block = NULL;
	pthread_mutex_unlock(&memory->lock);
}

MUresult mt_array_create(struct mt_ctx *ctx, const struct mt_array_desc *desc,
			 struct mt_array **array_out)
{
	struct mt_memory *memory = ctx->memory;
	struct mt_array array = {
		.ctx = ctx,
		.width = desc->width,
		.height = desc->height,
		.depth = desc->depth,
		.channel_kind = desc->channel_kind,
		.flags = desc->flags,
	};
	struct mt_array_object *object;
	struct mt_heap_block *block;
	uint64_t size_b;
	MUresult ret;

	ret = check(desc, &array.element_b);
	if (ret)
		return ret;
	memcpy(array.channel_bits, desc->channel_bits, sizeof(array.channel_bits));
	if (!lay_out(&array, &size_b) || size_b > ctx->hw->info.memory_b)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_memory_take(memory, &memory->device, size_b, &block);
	if (ret)
		return ret;
	object = take_object(memory, block);
	if (!object) {
		ret = MUSA_ERROR_OUT_OF_MEMORY;
		goto free_block;
	}
	array.va = block->va;
	array.handle = mt_handle_create(MT_HANDLE_ARRAY, object);
	if (!array.handle) {
		ret = MUSA_ERROR_OUT_OF_MEMORY;
		goto give_object;
	}
	object->array = array;
	*array_out = &object->array;
	return MUSA_SUCCESS;

give_object:
	give_object(memory, object);
free_block:
	mt_heap_free(&memory->device, block);
	return ret;
}

MUresult mt_array_destroy(struct mt_array *array)
{
	struct mt_array_object *object = (struct mt_array_object *)array;
	struct mt_memory *memory = array->ctx->memory;
	struct mt_heap_block *block;
	MUresult ret = mt_ctx_wait_idle(array->ctx);

	if (ret)
		return ret;
	mt_handle_destroy(array->handle);
	block = object->block;
	give_object(memory, object);
	mt_heap_free(&memory->device, block);
	return MUSA_SUCCESS;
}

void mt_array_finish(struct mt_memory *memory)
{
	struct mt_array_object *object, *next;

	for (object = memory->arrays; object; object = next) {
		next = object->next;
		if (object->block) {
			mt_handle_destroy(object->array.handle);
			mt_heap_free(&memory->device, object->block);
		}
		mt_free(object);
	}
	memory->arrays = NULL;
}

/* SPDX-License-Identifier: MIT */
/* Memory of a rebuilt graph: every saved range gets a place of the same kind. */
#include <stdlib.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/rebuild.h"

#define PAGE_B 4096u

static bool is_alike(const struct mtg_range *a, const struct mtg_range *b)
{
	return a->range_b == b->range_b && a->kind == b->kind && a->device == b->device;
}

/* The other rebuild's place for a range: of the same address in files of one process, else of the same
 * rank among all ranges of the same kind and size. */
static const struct rebuild_range *find_common(const struct rebuild *rebuild, uint32_t index,
					       const struct rebuild *other)
{
	const struct mtg_range *range = &rebuild->file_ranges[index].head;
	uint32_t i;

	if (range->kind == MTG_RANGE_GRAPH || range->kind == MTG_RANGE_CONDITION ||
	    range->kind == MTG_RANGE_MODULE)
		return NULL;
	if (file_is_same_process(rebuild->file, other->file)) {
		const struct file_range *found = file_range_of(other->file, range->va);

		if (!found || found->head.va != range->va || !is_alike(&found->head, range))
			return NULL;
		return &other->ranges[found->head.index];
	}
	i = index < other->range_count ? index : other->range_count;
	if (i == other->range_count || !is_alike(&other->file_ranges[i].head, range))
		return NULL;
	return &other->ranges[i];
}

/* Host memory at the same place in its page, so that alignment stays what it was. */
static void *host_memory(const struct mtg_range *range, uint64_t *va_out)
{
	uint64_t in_page = range->va % PAGE_B;
	uint8_t *base;

	if (range->range_b > SIZE_MAX - 2 * PAGE_B)
		return NULL;
	base = aligned_alloc(PAGE_B, (in_page + range->range_b + PAGE_B - 1) / PAGE_B * PAGE_B);
	if (!base)
		return NULL;
	memset(base, 0, in_page + range->range_b);
	*va_out = (uintptr_t)base + in_page;
	return base;
}

static musaError_t allocate(struct rebuild *rebuild, const struct file_range *range,
			    struct rebuild_range *to)
{
	musaError_t error = musaSuccess;
	char *name;

	switch (range->head.kind) {
	case MTG_RANGE_PAGEABLE:
		to->base = host_memory(&range->head, &to->va);
		return to->base ? musaSuccess : musaErrorMemoryAllocation;
	case MTG_RANGE_REGISTERED:
		to->base = host_memory(&range->head, &to->va);
		if (!to->base)
			return musaErrorMemoryAllocation;
		error = musaHostRegister((void *)(uintptr_t)to->va, range->head.range_b,
					 range->head.host_flags);
		if (error) {
			free(to->base);
			to->base = NULL;
		}
		return error;
	case MTG_RANGE_PINNED:
		error = musaHostAlloc(&to->base, range->head.range_b, range->head.host_flags);
		break;
	case MTG_RANGE_MANAGED:
		error = musaMallocManaged(&to->base, range->head.range_b, musaMemAttachGlobal);
		break;
	case MTG_RANGE_MODULE:
		if (range->head.code >= rebuild->code_count)
			return musaErrorInvalidSymbol;
		name = strndup(range->name.bytes, range->name.count);
		if (!name)
			return musaErrorMemoryAllocation;
		void *variable = NULL;
		size_t size_b = 0;

		error = musaLibraryGetGlobal(&variable, &size_b,
					     rebuild->libraries[range->head.code], name);
		free(name);
		if (!error && size_b < range->head.range_b)
			error = musaErrorInvalidSymbol;
		to->va = error ? 0 : (uintptr_t)variable;
		return error;
	case MTG_RANGE_GRAPH:
		/* Of an alloc node of this graph: that node will give the address. */
		if (range->head.node != MTG_NONE)
			return musaSuccess;
		error = musaMalloc(&to->base, range->head.range_b);
		break;
	case MTG_RANGE_ARRAY:     /* arrays are made as such */
	case MTG_RANGE_CONDITION: /* handles come with the graph */
		return musaSuccess;
	default:
		error = musaMalloc(&to->base, range->head.range_b);
		break;
	}
	to->va = error ? 0 : (uintptr_t)to->base;
	return error;
}

static bool make_array(struct rebuild *rebuild, const struct mtg_array *array, uint32_t index)
{
	struct musaChannelFormatDesc desc = {
		.x = array->channel_bits[0],
		.y = array->channel_bits[1],
		.z = array->channel_bits[2],
		.w = array->channel_bits[3],
		.f = (enum musaChannelFormatKind)array->channel_kind,
	};
	const struct musaExtent extent = {array->width, array->height, array->depth};
	musaError_t error = musaSetDevice((int)array->device);

	if (!error)
		error = musaMalloc3DArray(&rebuild->arrays[index], &desc, extent, array->flags);
	return !error || rebuild_failed(rebuild, error, "array %u", index);
}

static bool is_same_array(const struct rebuild *rebuild, const struct mtg_array *a,
			  const struct rebuild *other, const struct mtg_array *b)
{
	if (file_is_same_process(rebuild->file, other->file) && a->va != b->va)
		return false;
	return a->width == b->width && a->height == b->height && a->depth == b->depth &&
	       a->device == b->device && a->flags == b->flags &&
	       !memcmp(a->channel_bits, b->channel_bits, sizeof(a->channel_bits));
}

static bool make_arrays(struct rebuild *rebuild, const struct rebuild *other)
{
	const struct mtg_array *arrays = file_arrays(rebuild->file, &rebuild->array_count);
	const struct mtg_array *others = NULL;
	uint32_t i, k, other_count = 0;

	rebuild->arrays = calloc(rebuild->array_count + 1u, sizeof(*rebuild->arrays));
	rebuild->array_borrowed = calloc(rebuild->array_count + 1u, sizeof(bool));
	if (!rebuild->arrays || !rebuild->array_borrowed)
		return rebuild_no_memory(rebuild);
	if (other)
		others = file_arrays(other->file, &other_count);
	for (i = 0; i < rebuild->array_count; i++) {
		/* Arrays are few: they are looked for one by one, first at the same place. */
		for (k = 0; k < other_count && !rebuild->array_borrowed[i]; k++) {
			uint32_t at = (i + k) % other_count;

			if (!is_same_array(rebuild, &arrays[i], other, &others[at]))
				continue;
			rebuild->arrays[i] = other->arrays[at];
			rebuild->array_borrowed[i] = true;
		}
		if (!rebuild->array_borrowed[i] && !make_array(rebuild, &arrays[i], i))
			return false;
	}
	return true;
}

bool rebuild_memory(struct rebuild *rebuild, const struct rebuild *other)
{
	musaError_t error;
	int devices;
	uint32_t i;

	rebuild->file_ranges = file_ranges(rebuild->file, &rebuild->range_count);
	rebuild->ranges = calloc(rebuild->range_count + 1u, sizeof(*rebuild->ranges));
	if (!rebuild->ranges)
		return rebuild_no_memory(rebuild);
	error = musaGetDeviceCount(&devices);
	if (error)
		return rebuild_failed(rebuild, error, "device");
	for (i = 0; i < rebuild->range_count; i++) {
		const struct file_range *range = &rebuild->file_ranges[i];
		const struct rebuild_range *common =
			other ? find_common(rebuild, i, other) : NULL;

		if (common) {
			rebuild->ranges[i] =
				(struct rebuild_range){.va = common->va, .borrowed = true};
			continue;
		}
		error = musaSetDevice((int)range->head.device);
		if (!error)
			error = allocate(rebuild, range, &rebuild->ranges[i]);
		if (error)
			return rebuild_failed(rebuild, error, "memory %u, %llu bytes on device %u",
					      i, (unsigned long long)range->head.range_b,
					      range->head.device);
	}
	return make_arrays(rebuild, other);
}

uint64_t rebuild_address(const struct rebuild *rebuild, uint64_t va)
{
	const struct file_range *range = file_range_of(rebuild->file, va);
	const struct rebuild_range *to;

	if (!range)
		return va;
	to = &rebuild->ranges[range->head.index];
	return to->va ? to->va + (va - range->head.va) : va;
}

musaError_t rebuild_read(const struct rebuild *rebuild, uint32_t range, uint64_t offset_b,
			 void *bytes, size_t count)
{
	return musaMemcpy(bytes, (const char *)(uintptr_t)rebuild->ranges[range].va + offset_b,
			  count, musaMemcpyDefault);
}

musaError_t rebuild_write(const struct rebuild *rebuild, uint32_t range, uint64_t offset_b,
			  const void *bytes, size_t count)
{
	return musaMemcpy((char *)(uintptr_t)rebuild->ranges[range].va + offset_b, bytes, count,
			  musaMemcpyDefault);
}

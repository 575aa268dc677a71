/* SPDX-License-Identifier: MIT */
/*
 * The memory that a graph's nodes name. Known memory counts as a whole, because a kernel that has a
 * pointer into an allocation may use all of it; of ordinary host memory just the bytes of copies.
 */
#include <stdlib.h>
#include <string.h>

#include "drv/module.h"
#include "graph/graph_memory.h"
#include "graph/save_internal.h"
#include "hw/base/alloc.h"

static MUresult add_range(struct mt_save *save, struct mt_save_range **range_out)
{
	uint32_t room = save->range_room ? save->range_room * 2 : 32;
	struct mt_save_range *ranges;

	if (save->range_count == save->range_room) {
		ranges = mt_realloc(save->ranges, (size_t)room * sizeof(*ranges));
		if (!ranges)
			return MUSA_ERROR_OUT_OF_MEMORY;
		save->ranges = ranges;
		save->range_room = room;
	}
	*range_out = &save->ranges[save->range_count++];
	memset(*range_out, 0, sizeof(**range_out));
	(*range_out)->head.head_b = sizeof((*range_out)->head);
	(*range_out)->head.graph = MTG_NONE;
	(*range_out)->head.node = MTG_NONE;
	(*range_out)->head.code = MTG_NONE;
	return MUSA_SUCCESS;
}

static uint32_t lifetime_of(const struct mt_mem_info *info)
{
	switch (info->kind) {
	case MT_ALLOC_POOL:
		return MTG_LIFE_STREAM;
	case MT_ALLOC_GRAPH:
		return ((const struct mt_graph_alloc *)info->owner)->own_free ? MTG_LIFE_LAUNCH
									      : MTG_LIFE_GRAPH;
	case MT_ALLOC_MODULE:
		return MTG_LIFE_MODULE;
	default:
		return MTG_LIFE_PROGRAM;
	}
}

/* The range of known memory, entered when it is met first. */
static MUresult add_known(struct mt_save *save, const struct mt_mem_info *info,
			  struct mt_save_range **range_out)
{
	_Static_assert((int)MT_ALLOC_DEVICE == (int)MTG_RANGE_DEVICE &&
			       (int)MT_ALLOC_IMPORTED == (int)MTG_RANGE_IMPORTED,
		       "kinds have the same numbers");
	_Static_assert((int)MT_MEM_ARRAY == (int)MTG_ARRAY_MEMORY, "types have the same numbers");
	uint32_t before = save->known.count, index;
	struct mt_save_range *range;
	MUresult ret = mt_save_table_add(&save->known, info->base, &index);

	if (ret)
		return ret;
	if (index < before) {
		*range_out = &save->ranges[save->known_at[index]];
		return MUSA_SUCCESS;
	}
	/* Ranges of ordinary memory lie between: the index is not the range's number. */
	if (index >= save->known_room) {
		uint32_t room = save->known.room;
		uint32_t *at = mt_realloc(save->known_at, (size_t)room * sizeof(*at));

		if (!at)
			return MUSA_ERROR_OUT_OF_MEMORY;
		save->known_at = at;
		save->known_room = room;
	}
	ret = add_range(save, &range);
	if (ret)
		return ret;
	save->known_at[index] = save->range_count - 1;
	range->head.va = info->base;
	range->head.range_b = info->size_b;
	range->head.kind = (uint32_t)info->kind;
	range->head.memory = (uint32_t)info->type;
	range->head.lifetime = lifetime_of(info);
	range->head.device = info->device;
	range->head.host_flags = info->flags;
	range->host_va = info->host_va;
	range->device = info->device;
	*range_out = range;
	return MUSA_SUCCESS;
}

/* Memory at an address, if it is known. */
static MUresult note_address(struct mt_save *save, uint64_t va, bool *known_out)
{
	struct mt_save_range *range;
	struct mt_mem_info info;

	*known_out = va && mt_mem_find(va, &info);
	return *known_out ? add_known(save, &info, &range) : MUSA_SUCCESS;
}

static MUresult note_array(struct mt_save *save, struct mt_array *array)
{
	const struct mt_mem_info info = {
		.base = array->va,
		.size_b = array->slice_b * (array->depth ? array->depth : 1),
		.kind = MT_ALLOC_ARRAY,
		.type = MT_MEM_ARRAY,
		.device = array->ctx->device,
	};
	struct mt_save_range *range;
	MUresult ret = add_known(save, &info, &range);

	if (!ret)
		range->array = array;
	return ret;
}

/* Memory of a copy's or fill's side: from the first to the last byte. */
static MUresult note_box(struct mt_save *save, uint64_t va, uint64_t width_b, uint64_t height,
			 uint64_t depth, uint64_t row_b, uint64_t slice_b)
{
	uint64_t rows_b, slices_b, bytes;
	struct mt_save_range *range;
	bool known;
	MUresult ret = note_address(save, va, &known);

	if (ret || known)
		return ret;
	if (__builtin_mul_overflow(height - 1, row_b, &rows_b) ||
	    __builtin_mul_overflow(depth - 1, slice_b, &slices_b) ||
	    __builtin_add_overflow(rows_b, slices_b, &bytes) ||
	    __builtin_add_overflow(bytes, width_b, &bytes) || !bytes || bytes > UINT64_MAX - va)
		return MUSA_SUCCESS;
	ret = add_range(save, &range);
	if (ret)
		return ret;
	range->head.va = va;
	range->head.range_b = bytes;
	range->head.kind = MTG_RANGE_PAGEABLE;
	range->head.memory = MTG_PAGEABLE;
	range->host_va = va;
	return MUSA_SUCCESS;
}

static MUresult note_side(struct mt_save *save, const struct mt_op_copy *copy,
			  const struct mt_copy_side *side)
{
	if (side->array)
		return note_array(save, side->array);
	return note_box(save, side->va, copy->width_b, copy->height, copy->depth, side->row_b,
			side->slice_b);
}

/* Every word of the arguments that lies in known memory counts as a pointer: structs hold pointers,
 * too, and a number that looks like one does no harm. */
static MUresult note_args(struct mt_save *save, const struct mt_save_node *node)
{
	const struct mt_codeobj_kernel *kernel = node->op->kernel.fn->kernel;
	uint32_t i, at;
	uint64_t word;
	bool known;
	MUresult ret = MUSA_SUCCESS;

	for (i = 0; i < kernel->param_count; i++) {
		const struct mt_codeobj_param *param = &kernel->params[i];

		for (at = 0; at + 8 <= param->size_b && !ret; at += 8) {
			memcpy(&word, (const char *)node->args + param->image_b + at, 8);
			ret = note_address(save, word, &known);
		}
	}
	return ret;
}

static MUresult note_alloc(struct mt_save *save, const struct mt_graph_alloc *alloc, uint32_t graph,
			   uint32_t id)
{
	struct mt_save_range *range;
	struct mt_mem_info info;
	MUresult ret;

	if (!mt_mem_find(alloc->va, &info))
		return MUSA_SUCCESS;
	ret = add_known(save, &info, &range);
	if (!ret && graph != MTG_NONE) {
		range->head.graph = graph;
		range->head.node = id;
	}
	return ret;
}

static MUresult note_condition(struct mt_save *save, uint64_t va)
{
	const struct mt_mem_info info = {.base = va, .size_b = 8, .type = MT_MEM_DEVICE,
					 .device = save->ctx->device};
	struct mt_save_range *range;
	MUresult ret = add_known(save, &info, &range);

	if (!ret) {
		range->head.kind = MTG_RANGE_CONDITION;
		range->head.lifetime = MTG_LIFE_GRAPH;
	}
	return ret;
}

MUresult mt_save_ranges_of_node(struct mt_save *save, const struct mt_save_node *node,
				uint32_t graph, uint32_t id)
{
	const struct mt_op *op = node->op;
	MUresult ret;

	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		return node->args ? note_args(save, node) : MUSA_SUCCESS;
	case MT_OP_COPY:
		ret = note_side(save, op->copy, &op->copy->src);
		return ret ? ret : note_side(save, op->copy, &op->copy->dst);
	case MT_OP_FILL:
		return note_box(save, op->fill->dst, op->fill->width * op->fill->element_b,
				op->fill->height, op->fill->depth, op->fill->pitch_b,
				op->fill->slice_b);
	case MT_OP_ALLOC:
		return note_alloc(save, op->graph, graph, id);
	case MT_OP_FREE:
		return note_alloc(save, op->graph, MTG_NONE, 0);
	case MT_OP_CONDITIONAL:
		return note_condition(save, node->cond_handle);
	default:
		return MUSA_SUCCESS;
	}
}

MUresult mt_save_ranges_of_code(struct mt_save *save, const struct mt_function *fn, uint32_t code)
{
	const struct mt_codeobj *obj = mt_function_code(fn);
	uint64_t image_va = fn->code_va - fn->kernel->entry_b;
	struct mt_save_range *range;
	struct mt_mem_info info;
	uint32_t i;
	MUresult ret;

	for (i = 0; i < obj->variable_count; i++) {
		if (!mt_mem_find(image_va + obj->variables[i].offset_b, &info) ||
		    info.kind != MT_ALLOC_MODULE)
			continue;
		ret = add_known(save, &info, &range);
		if (ret)
			return ret;
		range->head.code = code;
		range->name = obj->variables[i].name;
	}
	return MUSA_SUCCESS;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct mt_save_range *x = a, *y = b;

	if (x->head.va != y->head.va)
		return x->head.va < y->head.va ? -1 : 1;
	/* Known memory first: it takes in what ordinary memory was named of it. */
	return (x->head.kind == MTG_RANGE_PAGEABLE) - (y->head.kind == MTG_RANGE_PAGEABLE);
}

void mt_save_ranges_settle(struct mt_save *save)
{
	struct mt_save_range *ranges = save->ranges, *last;
	uint32_t i, count = 0;
	uint64_t end;

	if (save->range_count)
		qsort(ranges, save->range_count, sizeof(*ranges), compare_ranges);
	for (i = 0; i < save->range_count; i++) {
		last = count ? &ranges[count - 1] : NULL;
		end = ranges[i].head.va + ranges[i].head.range_b;
		if (!last || last->head.va + last->head.range_b <= ranges[i].head.va) {
			ranges[count++] = ranges[i];
		} else if (end > last->head.va + last->head.range_b) {
			if (last->head.kind == ranges[i].head.kind) {
				last->head.range_b = end - last->head.va;
				continue;
			}
			/* The rest of one that begins inside another kind. */
			ranges[count] = ranges[i];
			ranges[count].head.va = last->head.va + last->head.range_b;
			ranges[count].head.range_b = end - ranges[count].head.va;
			if (ranges[count].host_va)
				ranges[count].host_va += ranges[count].head.va - ranges[i].head.va;
			count++;
		}
	}
	save->range_count = count;
	for (i = 0; i < count; i++)
		ranges[i].head.index = i;
}

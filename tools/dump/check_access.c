/* SPDX-License-Identifier: MIT */
/*
 * What nodes touch, from their parameters: copies and fills byte by byte, kernels by argument. A pointer
 * argument stands for the memory from there to the next address that the graph names in the same
 * allocation: programs give kernels parts of one allocation.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/dump/check.h"

#define KIND_KERNEL 0
#define KIND_COPY   1
#define KIND_FILL   2
#define KIND_ALLOC  10
#define KIND_FREE   11

static bool grow(struct check_model *m, void *array, uint64_t count, uint64_t *room, size_t size_b)
{
	uint64_t more = *room ? 2 * *room : 1024;
	void *grown;

	if (count < *room)
		return true;
	grown = realloc(*(void **)array, more * size_b);
	if (!grown) {
		m->no_memory = true;
		return false;
	}
	*(void **)array = grown;
	*room = more;
	return true;
}

void check_add_access(struct check_model *m, uint32_t vertex, enum access_kind kind, bool exact,
		      uint64_t va, uint64_t bytes)
{
	if (!va || !bytes || va + bytes < va ||
	    !grow(m, &m->accesses, m->access_count, &m->access_room, sizeof(*m->accesses)))
		return;
	m->accesses[m->access_count++] = (struct access){
		.va = va, .end = va + bytes, .node = vertex, .kind = (uint8_t)kind, .exact = exact};
}

/* --- boxes: rows and slices ---------------------------------------------------------------------- */

struct box {
	uint64_t va, width_b, row_b, slice_b, height, depth;
};

static void add_box(struct check_model *m, uint32_t vertex, enum access_kind kind, struct box box)
{
	uint64_t y, z;

	if (box.height <= 1 || box.row_b == box.width_b) {
		box.width_b *= box.height ? box.height : 1;
		box.height = 1;
	}
	if (box.height == 1 && (box.depth <= 1 || box.slice_b == box.width_b)) {
		box.width_b *= box.depth ? box.depth : 1;
		box.depth = 1;
	}
	for (z = 0; z < (box.depth ? box.depth : 1) && !m->no_memory; z++)
		for (y = 0; y < box.height && !m->no_memory; y++)
			check_add_access(m, vertex, kind, true,
					 box.va + z * box.slice_b + y * box.row_b, box.width_b);
}

static struct box side_box(const struct mtg_copy_params *copy, const struct mtg_copy_side *side)
{
	return (struct box){side->va, copy->width_b, side->row_b, side->slice_b,
			    copy->height ? copy->height : 1, copy->depth ? copy->depth : 1};
}

static bool copies_nothing(const struct mtg_copy_params *copy)
{
	if (!copy->width_b)
		return true;
	return copy->src.va == copy->dst.va &&
	       (copy->height <= 1 || copy->src.row_b == copy->dst.row_b) &&
	       (copy->depth <= 1 || copy->src.slice_b == copy->dst.slice_b);
}

/* --- kernels ------------------------------------------------------------------------------------- */

/* Calls `use` for every word of the arguments that may be a pointer. */
static void each_pointer(struct check_model *m, const struct file_node *node, uint32_t vertex,
			 void (*use)(struct check_model *m, uint32_t vertex, uint64_t va,
				     uint32_t flags))
{
	const struct mtg_kernel_params *params = node->params;
	const struct file_kernel *kernels;
	const struct file_param *param;
	uint32_t count, i, at;
	uint64_t value;

	kernels = file_kernels(m->file, &count);
	if (params->kernel >= count)
		return;
	for (i = 0; i < kernels[params->kernel].head.param_count; i++) {
		param = &kernels[params->kernel].params[i];
		if (param->head.flags & MTG_PARAM_UNUSED)
			continue;
		/* Structures may hold pointers at any multiple of 8. */
		for (at = 0; at + 8 <= param->head.value_b; at += 8) {
			memcpy(&value, node->args + param->head.image_b + at, sizeof(value));
			use(m, vertex, value, param->head.flags);
		}
	}
}

static void note_pointer(struct check_model *m, uint32_t vertex, uint64_t va, uint32_t flags)
{
	(void)vertex;
	(void)flags;
	if (file_range_of(m->file, va) &&
	    grow(m, &m->pointers, m->pointer_count, &m->pointer_room, sizeof(*m->pointers)))
		m->pointers[m->pointer_count++] = va;
}

/* The next address above `va` that is named, or `end`. */
static uint64_t next_named(const struct check_model *m, uint64_t va, uint64_t end)
{
	uint64_t low = 0, high = m->pointer_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (m->pointers[middle] <= va)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->pointer_count && m->pointers[low] < end ? m->pointers[low] : end;
}

static void use_pointer(struct check_model *m, uint32_t vertex, uint64_t va, uint32_t flags)
{
	const struct file_range *range = file_range_of(m->file, va);
	uint64_t bytes;

	if (!range)
		return;
	bytes = next_named(m, va, range->head.va + range->head.range_b) - va;
	if (!(flags & MTG_PARAM_WRITE_ONLY))
		check_add_access(m, vertex, ACCESS_READ, false, va, bytes);
	if (!(flags & MTG_PARAM_CONST))
		check_add_access(m, vertex, ACCESS_WRITE, false, va, bytes);
}

/* --- nodes --------------------------------------------------------------------------------------- */

void check_pointers_of(struct check_model *m, const struct file_node *node)
{
	const struct mtg_copy_params *copy;

	if (node->head->type == KIND_KERNEL) {
		each_pointer(m, node, 0, note_pointer);
	} else if (node->head->type == KIND_COPY) {
		copy = node->params;
		note_pointer(m, 0, copy->src.va, 0);
		note_pointer(m, 0, copy->dst.va, 0);
	} else if (node->head->type == KIND_FILL) {
		note_pointer(m, 0, ((const struct mtg_fill_params *)node->params)->dst, 0);
	}
}

static void add_alloc(struct check_model *m, const struct mtg_alloc_params *params, uint32_t vertex)
{
	uint64_t room = m->alloc_room;

	check_add_access(m, vertex, ACCESS_ALLOC, true, params->va, params->size_b);
	if (!grow(m, &m->allocs, m->alloc_count, &room, sizeof(*m->allocs)))
		return;
	m->alloc_room = (uint32_t)room;
	m->allocs[m->alloc_count++] =
		(struct check_alloc){params->va, params->size_b, vertex, false};
}

static void add_free(struct check_model *m, const struct mtg_free_params *params, uint32_t vertex)
{
	const struct file_range *range = file_range_of(m->file, params->va);

	if (range)
		check_add_access(m, vertex, ACCESS_FREE, true, params->va,
				 range->head.va + range->head.range_b - params->va);
}

void check_accesses_of(struct check_model *m, const struct file_node *node, uint32_t vertex)
{
	const struct mtg_copy_params *copy;
	const struct mtg_fill_params *fill;
	struct vertex *v = &m->vertices[vertex];

	switch (node->head->type) {
	case KIND_KERNEL:
		if (!(v->flags & VERTEX_RECORDS))
			each_pointer(m, node, vertex, use_pointer);
		break;
	case KIND_COPY:
		copy = node->params;
		if (copies_nothing(copy)) {
			v->flags |= VERTEX_IDLE;
			break;
		}
		add_box(m, vertex, ACCESS_READ, side_box(copy, &copy->src));
		add_box(m, vertex, ACCESS_WRITE, side_box(copy, &copy->dst));
		break;
	case KIND_FILL:
		fill = node->params;
		if (!fill->width || !fill->height)
			v->flags |= VERTEX_IDLE;
		else
			add_box(m, vertex, ACCESS_WRITE,
				(struct box){fill->dst, fill->width * fill->element_b,
					     fill->pitch_b, fill->slice_b, fill->height,
					     fill->depth});
		break;
	case KIND_ALLOC:
		add_alloc(m, node->params, vertex);
		break;
	case KIND_FREE:
		add_free(m, node->params, vertex);
		break;
	default:
		break;
	}
}

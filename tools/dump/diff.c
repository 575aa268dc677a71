/* SPDX-License-Identifier: MIT */
/* Differences between two saved graphs: topology first, then parameters. */
#include "tools/dump/diff.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/dump/output.h"
#include "tools/dump/words.h"

struct diff {
	const struct model *a, *b;
	const struct file_node *x, *y; /* nodes at hand */
	bool same_process;
	uint64_t count;
};

/* Begins a line about the nodes at hand. */
static void begin_node(struct diff *diff)
{
	diff->count++;
	out_print(OUT_NAME, "node %u", diff->x->head->id);
	if (diff->x->graph)
		printf(" of graph %u", diff->x->graph);
	printf(" (%s): ", word_node_type(diff->x->head->type));
}

/* A whole line. */
static void differs(struct diff *diff, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void differs(struct diff *diff, const char *format, ...)
{
	va_list args;

	begin_node(diff);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void number(struct diff *diff, const char *name, uint64_t x, uint64_t y)
{
	if (x != y)
		differs(diff, "%s %" PRIu64 " -> %" PRIu64, name, x, y);
}

static void dims(struct diff *diff, const char *name, const uint32_t *x, const uint32_t *y)
{
	if (memcmp(x, y, 3 * sizeof(*x)) != 0)
		differs(diff, "%s %u,%u,%u -> %u,%u,%u", name, x[0], x[1], x[2], y[0], y[1], y[2]);
}

/* Whether addresses name the same place: in files of two processes, of memory that looks the same. */
static bool is_same_place(const struct diff *diff, uint64_t x, uint64_t y)
{
	const struct file_range *a, *b;

	if (diff->same_process)
		return x == y;
	a = file_range_of(diff->a->file, x);
	b = file_range_of(diff->b->file, y);
	if (!a || !b)
		return x == y;
	return a->head.kind == b->head.kind && a->head.range_b == b->head.range_b &&
	       x - a->head.va == y - b->head.va && a->head.index == b->head.index;
}

static void address(struct diff *diff, const char *name, uint64_t x, uint64_t y)
{
	if (!is_same_place(diff, x, y))
		differs(diff, "%s 0x%" PRIx64 " -> 0x%" PRIx64, name, x, y);
}

/* --- parameters ------------------------------------------------------------------------------------- */

static const struct file_kernel *kernel_of(const struct model *model, const struct file_node *node)
{
	const struct mtg_kernel_params *params = node->params;
	uint32_t count;

	return &file_kernels(model->file, &count)[params->kernel];
}

static bool is_same_text(struct file_text a, struct file_text b)
{
	return a.count == b.count && !memcmp(a.bytes, b.bytes, a.count);
}

static bool is_same_value(const struct diff *diff, const uint8_t *x, const uint8_t *y, uint32_t count)
{
	uint64_t a, b;
	uint32_t at;

	for (at = 0; at + 8 <= count; at += 8) {
		memcpy(&a, x + at, 8);
		memcpy(&b, y + at, 8);
		if (a != b && !is_same_place(diff, a, b))
			return false;
	}
	return !memcmp(x + at, y + at, count - at);
}

static void put_value(const uint8_t *bytes, uint32_t count)
{
	uint64_t word = 0;
	uint32_t i;

	if (count <= 8) {
		memcpy(&word, bytes, count);
		printf("0x%" PRIx64, word);
		return;
	}
	for (i = 0; i < count && i < 16; i++)
		printf("%02x", bytes[i]);
	if (count > 16)
		fputs("...", stdout);
}

static void kernel_args(struct diff *diff, const struct file_kernel *k, const struct file_kernel *l)
{
	uint32_t i;

	for (i = 0; i < k->head.param_count && i < l->head.param_count; i++) {
		const struct file_param *p = &k->params[i], *q = &l->params[i];
		const uint8_t *x = diff->x->args + p->head.image_b;
		const uint8_t *y = diff->y->args + q->head.image_b;

		if (p->head.value_b != q->head.value_b) {
			differs(diff, "argument %u has another size", i);
			continue;
		}
		if (is_same_value(diff, x, y, p->head.value_b))
			continue;
		begin_node(diff);
		printf("argument %u", i);
		if (p->name.count) {
			putchar(' ');
			out_name(p->name.bytes, p->name.count);
		}
		fputs(": ", stdout);
		put_value(x, p->head.value_b);
		fputs(" -> ", stdout);
		put_value(y, q->head.value_b);
		putchar('\n');
	}
	number(diff, "arguments", k->head.param_count, l->head.param_count);
}

static void attributes(struct diff *diff)
{
	static const struct mtg_kernel_attrs none;
	const struct mtg_kernel_attrs *x = diff->x->attrs ? diff->x->attrs : &none;
	const struct mtg_kernel_attrs *y = diff->y->attrs ? diff->y->attrs : &none;

	number(diff, "cooperative", x->cooperative, y->cooperative);
	if (x->priority_requested != y->priority_requested)
		differs(diff, "priority %d -> %d", x->priority_requested, y->priority_requested);
	dims(diff, "cluster", x->cluster, y->cluster);
	dims(diff, "preferred cluster", x->preferred_cluster, y->preferred_cluster);
	number(diff, "cluster scheduling policy", x->cluster_policy, y->cluster_policy);
	number(diff, "memory sync domain", x->mem_sync_domain, y->mem_sync_domain);
	number(diff, "memory sync domain map", x->mem_sync_map, y->mem_sync_map);
	if (x->carveout != y->carveout)
		differs(diff, "shared memory carveout %d -> %d", (int)x->carveout,
			(int)y->carveout);
	if (memcmp(x->access_window, y->access_window, sizeof(x->access_window)) != 0)
		differs(diff, "another access policy window");
}

static void kernels(struct diff *diff)
{
	const struct mtg_kernel_params *x = diff->x->params, *y = diff->y->params;
	const struct file_kernel *k = kernel_of(diff->a, diff->x);
	const struct file_kernel *l = kernel_of(diff->b, diff->y);

	if (!is_same_text(k->name, l->name)) {
		begin_node(diff);
		fputs("function ", stdout);
		out_name(k->name.bytes, k->name.count);
		fputs(" -> ", stdout);
		out_name(l->name.bytes, l->name.count);
		putchar('\n');
	}
	dims(diff, "grid", x->grid, y->grid);
	dims(diff, "block", x->block, y->block);
	number(diff, "dynamic shared bytes", x->dynamic_shared_b, y->dynamic_shared_b);
	kernel_args(diff, k, l);
	attributes(diff);
}

static void sides(struct diff *diff, const char *name, const struct mtg_copy_side *x,
		  const struct mtg_copy_side *y)
{
	if ((x->array == MTG_NONE) != (y->array == MTG_NONE) ||
	    (x->array != MTG_NONE && x->array != y->array))
		differs(diff, "%s: another array", name);
	else if (x->array == MTG_NONE)
		address(diff, name, x->va, y->va);
	else if (x->pos_x != y->pos_x || x->pos_y != y->pos_y || x->pos_z != y->pos_z)
		differs(diff, "%s: position %" PRIu64 ",%" PRIu64 ",%" PRIu64 " -> %" PRIu64
			",%" PRIu64 ",%" PRIu64, name, x->pos_x, x->pos_y, x->pos_z, y->pos_x,
			y->pos_y, y->pos_z);
	if (x->memory != y->memory)
		differs(diff, "%s: %s memory -> %s memory", name, word_memory(x->memory),
			word_memory(y->memory));
	number(diff, "device", x->device, y->device);
	number(diff, "pitch", x->pitch_b, y->pitch_b);
}

static void copies(struct diff *diff)
{
	const struct mtg_copy_params *x = diff->x->params, *y = diff->y->params;

	if (x->kind != y->kind)
		differs(diff, "%s -> %s", word_copy_kind(x->kind), word_copy_kind(y->kind));
	sides(diff, "from", &x->src, &y->src);
	sides(diff, "to", &x->dst, &y->dst);
	number(diff, "width", x->width, y->width);
	number(diff, "height", x->height, y->height);
	number(diff, "depth", x->depth, y->depth);
}

static void fills(struct diff *diff)
{
	const struct mtg_fill_params *x = diff->x->params, *y = diff->y->params;

	address(diff, "to", x->dst, y->dst);
	if (x->memory != y->memory)
		differs(diff, "%s memory -> %s memory", word_memory(x->memory),
			word_memory(y->memory));
	number(diff, "value", x->value, y->value);
	number(diff, "element bytes", x->element_b, y->element_b);
	number(diff, "width", x->width, y->width);
	number(diff, "height", x->height, y->height);
	if (x->height > 1 || y->height > 1)
		number(diff, "pitch", x->pitch_b, y->pitch_b);
}

static void hosts(struct diff *diff)
{
	const struct mtg_host_params *x = diff->x->params, *y = diff->y->params;

	if (diff->same_process ? x->fn != y->fn : !is_same_text(diff->x->symbol, diff->y->symbol))
		differs(diff, "another function");
	if (diff->same_process && x->data != y->data)
		differs(diff, "data 0x%" PRIx64 " -> 0x%" PRIx64, x->data, y->data);
}

static void semaphores(struct diff *diff)
{
	const struct mtg_semaphore_params *x = diff->x->params, *y = diff->y->params;
	uint32_t i;

	number(diff, "semaphores", x->count, y->count);
	for (i = 0; i < x->count && i < y->count; i++) {
		if (diff->same_process &&
		    diff->x->semaphores[i].semaphore != diff->y->semaphores[i].semaphore)
			differs(diff, "another semaphore %u", i);
		number(diff, "semaphore value", diff->x->semaphores[i].value,
		       diff->y->semaphores[i].value);
	}
}

static void conditionals(struct diff *diff)
{
	const struct mtg_conditional_params *x = diff->x->params, *y = diff->y->params;

	if (x->type != y->type)
		differs(diff, "%s -> %s", word_conditional(x->type), word_conditional(y->type));
	number(diff, "bodies", x->size, y->size);
	number(diff, "default value", x->default_value, y->default_value);
	number(diff, "flags", x->flags, y->flags);
}

static void parameters(struct diff *diff)
{
	const struct mtg_event_params *event_x = diff->x->params, *event_y = diff->y->params;
	const struct mtg_alloc_params *alloc_x = diff->x->params, *alloc_y = diff->y->params;

	switch (diff->x->head->type) {
	case musaGraphNodeTypeKernel:
		kernels(diff);
		break;
	case musaGraphNodeTypeMemcpy:
		copies(diff);
		break;
	case musaGraphNodeTypeMemset:
		fills(diff);
		break;
	case musaGraphNodeTypeHost:
		hosts(diff);
		break;
	case musaGraphNodeTypeWaitEvent:
	case musaGraphNodeTypeEventRecord:
		if (diff->same_process && event_x->event != event_y->event)
			differs(diff, "another event");
		break;
	case musaGraphNodeTypeExtSemaphoreSignal:
	case musaGraphNodeTypeExtSemaphoreWait:
		semaphores(diff);
		break;
	case musaGraphNodeTypeMemAlloc:
		number(diff, "bytes", alloc_x->size_b, alloc_y->size_b);
		break;
	case musaGraphNodeTypeConditional:
		conditionals(diff);
		break;
	default:
		break;
	}
}

/* --- topology --------------------------------------------------------------------------------------- */

static void nodes(struct diff *diff)
{
	const struct mtg_node *x = diff->x->head, *y = diff->y->head;

	if (x->type != y->type) {
		differs(diff, "is a %s node in B", word_node_type(y->type));
		return;
	}
	if (x->dep_count != y->dep_count)
		differs(diff, "%u dependencies -> %u", x->dep_count, y->dep_count);
	else if (memcmp(diff->x->deps, diff->y->deps, x->dep_count * sizeof(*diff->x->deps)) != 0)
		differs(diff, "other dependencies");
	if ((x->flags ^ y->flags) & MTG_NODE_DISABLED)
		differs(diff, "%s", x->flags & MTG_NODE_DISABLED ? "is enabled in B" :
								  "is disabled in B");
	parameters(diff);
}

/* Both have their graphs in the order of what they stand in; the same place may have another number
 * once the shape differs. */
static void graphs(struct diff *diff, uint32_t a, uint32_t b)
{
	uint32_t i = diff->a->first[a], j = diff->b->first[b];
	uint32_t i_end = diff->a->first[a + 1], j_end = diff->b->first[b + 1];

	if (i_end - i != j_end - j) {
		diff->count++;
		out_print(OUT_HEADING, "graph %u", a);
		printf(": %u nodes -> %u\n", i_end - i, j_end - j);
	}
	for (; i < i_end && j < j_end; i++, j++) {
		diff->x = &diff->a->nodes[i];
		diff->y = &diff->b->nodes[j];
		nodes(diff);
	}
}

uint64_t diff_models(const struct model *a, const struct model *b)
{
	struct diff diff = {.a = a, .b = b};
	uint32_t g, at, other;

	diff.same_process = file_is_same_process(a->file, b->file);
	if (a->graph_count != b->graph_count) {
		diff.count++;
		printf("%u nested graphs -> %u\n", a->graph_count - 1, b->graph_count - 1);
	}
	graphs(&diff, 0, 0);
	for (g = 1; g < a->graph_count; g++) {
		/* The graph of B in the node of the same graph and id. */
		at = a->graphs[g].parent;
		other = at < b->graph_count ? file_nested(b->file, at, a->graphs[g].parent_node,
							  a->graphs[g].slot) :
					      MTG_NONE;
		if (other != MTG_NONE)
			graphs(&diff, g, other);
	}
	return diff.count;
}

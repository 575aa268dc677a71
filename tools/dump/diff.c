/* SPDX-License-Identifier: MIT */
/* What differs between two saved graphs: topology first, then parameters. */
#include "tools/dump/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "musa_runtime_api.h"
#include "tools/dump/words.h"

#define SAYS_B 128u

struct diff {
	struct diff_output *out;
	struct diff_place at; /* nodes at hand */
	bool same_process;
};

static void tell(struct diff *diff, const struct difference *d)
{
	diff_tell(diff->out, &diff->at, d);
}

static struct diff_value number_of(uint64_t number)
{
	return (struct diff_value){.kind = DIFF_NUMBER, .number = number};
}

static struct diff_value signed_of(int64_t number)
{
	return (struct diff_value){.kind = DIFF_SIGNED, .number = (uint64_t)number};
}

static struct diff_value bool_of(bool value)
{
	return (struct diff_value){.kind = DIFF_BOOL, .number = value};
}

static struct diff_value handle_of(uint64_t handle)
{
	return (struct diff_value){.kind = DIFF_HANDLE, .number = handle};
}

static struct diff_value word_of(const char *word)
{
	return (struct diff_value){.kind = DIFF_WORD, .word = word};
}

static struct diff_value text_of(struct file_text text)
{
	return (struct diff_value){.kind = DIFF_TEXT, .text = text};
}

static struct diff_value list_of(const uint32_t *list, uint32_t count)
{
	return (struct diff_value){.kind = DIFF_LIST, .list = list, .count = count};
}

static void number(struct diff *diff, const char *name, uint64_t x, uint64_t y)
{
	if (x != y)
		tell(diff, &(struct difference){.parameter = name, .label = name,
						.a = number_of(x), .b = number_of(y)});
}

static void signed_number(struct diff *diff, const char *name, int32_t x, int32_t y)
{
	if (x != y)
		tell(diff, &(struct difference){.parameter = name, .label = name,
						.a = signed_of(x), .b = signed_of(y)});
}

static void dims(struct diff *diff, const char *name, const uint32_t *x, const uint32_t *y)
{
	if (memcmp(x, y, 3 * sizeof(*x)) != 0)
		tell(diff, &(struct difference){.parameter = name, .label = name,
						.a = list_of(x, 3), .b = list_of(y, 3)});
}

/* Whether addresses name the same place: in files of two processes, of memory that looks the same. */
static bool is_same_place(const struct diff *diff, uint64_t x, uint64_t y)
{
	const struct file_range *a, *b;

	if (diff->same_process)
		return x == y;
	a = file_range_of(diff->at.a->file, x);
	b = file_range_of(diff->at.b->file, y);
	if (!a || !b)
		return x == y;
	return a->head.kind == b->head.kind && a->head.range_b == b->head.range_b &&
	       x - a->head.va == y - b->head.va && a->head.index == b->head.index;
}

static void address(struct diff *diff, const char *side, uint64_t x, uint64_t y)
{
	if (!is_same_place(diff, x, y))
		tell(diff, &(struct difference){
				   .parameter = "address", .side = side, .label = side,
				   .a = {.kind = DIFF_ADDRESS, .number = x},
				   .b = {.kind = DIFF_ADDRESS, .number = y}});
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

static struct diff_value argument_of(const struct file_param *param, const uint8_t *args)
{
	return (struct diff_value){.kind = DIFF_ARGUMENT, .type = param->head.type,
				   .bytes = args + param->head.image_b,
				   .count = param->head.value_b};
}

static void kernel_args(struct diff *diff, const struct file_kernel *k, const struct file_kernel *l)
{
	struct difference d = {.indexed = true, .label = "argument"};
	char says[SAYS_B];
	uint32_t i;

	for (i = 0; i < k->head.param_count && i < l->head.param_count; i++) {
		const struct file_param *p = &k->params[i], *q = &l->params[i];

		d.index = i;
		d.name = p->name;
		d.a = argument_of(p, diff->at.x->args);
		d.b = argument_of(q, diff->at.y->args);
		d.parameter = "argument";
		d.says = NULL;
		if (d.a.count != d.b.count) {
			d.parameter = "argument size";
			d.a = number_of(p->head.value_b);
			d.b = number_of(q->head.value_b);
			snprintf(says, sizeof(says), "argument %u has another size", i);
			d.says = says;
		} else if (is_same_value(diff, d.a.bytes, d.b.bytes, d.a.count)) {
			continue;
		}
		tell(diff, &d);
	}
	number(diff, "arguments", k->head.param_count, l->head.param_count);
}

static struct diff_value window_of(const struct mtg_kernel_attrs *attrs)
{
	return (struct diff_value){.kind = DIFF_BYTES, .bytes = attrs->access_window,
				   .count = sizeof(attrs->access_window)};
}

static void attributes(struct diff *diff)
{
	static const struct mtg_kernel_attrs none;
	const struct mtg_kernel_attrs *x = diff->at.x->attrs ? diff->at.x->attrs : &none;
	const struct mtg_kernel_attrs *y = diff->at.y->attrs ? diff->at.y->attrs : &none;

	number(diff, "cooperative", x->cooperative, y->cooperative);
	signed_number(diff, "priority", x->priority_requested, y->priority_requested);
	dims(diff, "cluster", x->cluster, y->cluster);
	dims(diff, "preferred cluster", x->preferred_cluster, y->preferred_cluster);
	number(diff, "cluster scheduling policy", x->cluster_policy, y->cluster_policy);
	number(diff, "memory sync domain", x->mem_sync_domain, y->mem_sync_domain);
	number(diff, "memory sync domain map", x->mem_sync_map, y->mem_sync_map);
	signed_number(diff, "shared memory carveout", (int32_t)x->carveout, (int32_t)y->carveout);
	if (memcmp(x->access_window, y->access_window, sizeof(x->access_window)) != 0)
		tell(diff, &(struct difference){.parameter = "access policy window",
						.a = window_of(x), .b = window_of(y),
						.says = "another access policy window"});
}

static void kernels(struct diff *diff)
{
	const struct mtg_kernel_params *x = diff->at.x->params, *y = diff->at.y->params;
	const struct file_kernel *k = kernel_of(diff->at.a, diff->at.x);
	const struct file_kernel *l = kernel_of(diff->at.b, diff->at.y);

	if (!is_same_text(k->name, l->name))
		tell(diff, &(struct difference){.parameter = "function", .label = "function",
						.a = text_of(k->name), .b = text_of(l->name)});
	dims(diff, "grid", x->grid, y->grid);
	dims(diff, "block", x->block, y->block);
	number(diff, "dynamic shared bytes", x->dynamic_shared_b, y->dynamic_shared_b);
	kernel_args(diff, k, l);
	attributes(diff);
}

static struct diff_value array_of(const struct mtg_copy_side *side)
{
	return side->array == MTG_NONE ? (struct diff_value){.kind = DIFF_NONE}
				       : number_of(side->array);
}

static struct diff_value memory_of(uint32_t memory)
{
	return (struct diff_value){.kind = DIFF_MEMORY, .number = memory};
}

static struct diff_value position_of(const uint64_t *position)
{
	return (struct diff_value){.kind = DIFF_POSITION, .position = position};
}

static void places(struct diff *diff, const char *name, const struct mtg_copy_side *x,
		   const struct mtg_copy_side *y)
{
	const uint64_t from[] = {x->pos_x, x->pos_y, x->pos_z};
	const uint64_t to[] = {y->pos_x, y->pos_y, y->pos_z};
	char text[SAYS_B];

	if ((x->array == MTG_NONE) != (y->array == MTG_NONE) ||
	    (x->array != MTG_NONE && x->array != y->array)) {
		snprintf(text, sizeof(text), "%s: another array", name);
		tell(diff, &(struct difference){.parameter = "array", .side = name, .says = text,
						.a = array_of(x), .b = array_of(y)});
	} else if (x->array == MTG_NONE) {
		address(diff, name, x->va, y->va);
	} else if (memcmp(from, to, sizeof(from)) != 0) {
		snprintf(text, sizeof(text), "%s: position", name);
		tell(diff, &(struct difference){.parameter = "position", .side = name, .label = text,
						.a = position_of(from), .b = position_of(to)});
	}
}

static void sides(struct diff *diff, const char *name, const struct mtg_copy_side *x,
		  const struct mtg_copy_side *y)
{
	struct difference d = {.side = name};
	char label[SAYS_B];

	places(diff, name, x, y);
	if (x->memory != y->memory) {
		snprintf(label, sizeof(label), "%s:", name);
		d.parameter = "memory";
		d.label = label;
		d.a = memory_of(x->memory);
		d.b = memory_of(y->memory);
		tell(diff, &d);
	}
	if (x->device != y->device) {
		d.parameter = d.label = "device";
		d.a = number_of(x->device);
		d.b = number_of(y->device);
		tell(diff, &d);
	}
	if (x->pitch_b != y->pitch_b) {
		d.parameter = d.label = "pitch";
		d.a = number_of(x->pitch_b);
		d.b = number_of(y->pitch_b);
		tell(diff, &d);
	}
}

static void copies(struct diff *diff)
{
	const struct mtg_copy_params *x = diff->at.x->params, *y = diff->at.y->params;

	if (x->kind != y->kind)
		tell(diff, &(struct difference){.parameter = "copy kind",
						.a = word_of(word_copy_kind(x->kind)),
						.b = word_of(word_copy_kind(y->kind))});
	sides(diff, "from", &x->src, &y->src);
	sides(diff, "to", &x->dst, &y->dst);
	number(diff, "width", x->width, y->width);
	number(diff, "height", x->height, y->height);
	number(diff, "depth", x->depth, y->depth);
}

static void fills(struct diff *diff)
{
	const struct mtg_fill_params *x = diff->at.x->params, *y = diff->at.y->params;

	address(diff, "to", x->dst, y->dst);
	if (x->memory != y->memory)
		tell(diff, &(struct difference){.parameter = "memory", .side = "to",
						.a = memory_of(x->memory),
						.b = memory_of(y->memory)});
	number(diff, "value", x->value, y->value);
	number(diff, "element bytes", x->element_b, y->element_b);
	number(diff, "width", x->width, y->width);
	number(diff, "height", x->height, y->height);
	if (x->height > 1 || y->height > 1)
		number(diff, "pitch", x->pitch_b, y->pitch_b);
}

/* Text has no names for such things. */
static void another(struct diff *diff, const char *what, struct diff_value x, struct diff_value y)
{
	char says[SAYS_B];

	snprintf(says, sizeof(says), "another %s", what);
	tell(diff, &(struct difference){.parameter = what, .a = x, .b = y, .says = says});
}

static void hosts(struct diff *diff)
{
	const struct mtg_host_params *x = diff->at.x->params, *y = diff->at.y->params;

	if (diff->same_process && x->fn != y->fn)
		another(diff, "function", handle_of(x->fn), handle_of(y->fn));
	else if (!diff->same_process && !is_same_text(diff->at.x->symbol, diff->at.y->symbol))
		another(diff, "function", text_of(diff->at.x->symbol), text_of(diff->at.y->symbol));
	if (diff->same_process && x->data != y->data)
		tell(diff, &(struct difference){.parameter = "data", .label = "data",
						.a = handle_of(x->data), .b = handle_of(y->data)});
}

static void semaphore(struct diff *diff, uint32_t index, const struct mtg_semaphore *x,
		      const struct mtg_semaphore *y)
{
	struct difference d = {.index = index, .indexed = true};
	char says[SAYS_B];

	d.says = says;
	if (diff->same_process && x->semaphore != y->semaphore) {
		snprintf(says, sizeof(says), "another semaphore %u", index);
		d.parameter = "semaphore";
		d.a = handle_of(x->semaphore);
		d.b = handle_of(y->semaphore);
		tell(diff, &d);
	}
	if (x->value != y->value) {
		snprintf(says, sizeof(says), "semaphore value %" PRIu64 " -> %" PRIu64, x->value,
			 y->value);
		d.parameter = "semaphore value";
		d.a = number_of(x->value);
		d.b = number_of(y->value);
		tell(diff, &d);
	}
}

static void semaphores(struct diff *diff)
{
	const struct mtg_semaphore_params *x = diff->at.x->params, *y = diff->at.y->params;
	uint32_t i;

	number(diff, "semaphores", x->count, y->count);
	for (i = 0; i < x->count && i < y->count; i++)
		semaphore(diff, i, &diff->at.x->semaphores[i], &diff->at.y->semaphores[i]);
}

static void conditionals(struct diff *diff)
{
	const struct mtg_conditional_params *x = diff->at.x->params, *y = diff->at.y->params;

	if (x->type != y->type)
		tell(diff, &(struct difference){.parameter = "condition",
						.a = word_of(word_conditional(x->type)),
						.b = word_of(word_conditional(y->type))});
	number(diff, "bodies", x->size, y->size);
	number(diff, "default value", x->default_value, y->default_value);
	number(diff, "flags", x->flags, y->flags);
}

static void parameters(struct diff *diff)
{
	const struct mtg_event_params *event_x = diff->at.x->params, *event_y = diff->at.y->params;
	const struct mtg_alloc_params *alloc_x = diff->at.x->params, *alloc_y = diff->at.y->params;

	switch (diff->at.x->head->type) {
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
			another(diff, "event", handle_of(event_x->event), handle_of(event_y->event));
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

static void dependencies(struct diff *diff)
{
	const struct file_node *x = diff->at.x, *y = diff->at.y;
	struct difference d = {
		.kind = DIFF_DEPENDENCIES,
		.a = list_of(x->deps, x->head->dep_count),
		.b = list_of(y->deps, y->head->dep_count),
	};
	char says[SAYS_B] = "other dependencies";

	if (d.a.count == d.b.count && !memcmp(x->deps, y->deps, d.a.count * sizeof(*x->deps)))
		return;
	if (d.a.count != d.b.count)
		snprintf(says, sizeof(says), "%u dependencies -> %u", d.a.count, d.b.count);
	d.says = says;
	tell(diff, &d);
}

static void nodes(struct diff *diff)
{
	const struct mtg_node *x = diff->at.x->head, *y = diff->at.y->head;
	bool x_off = x->flags & MTG_NODE_DISABLED, y_off = y->flags & MTG_NODE_DISABLED;
	char says[SAYS_B];

	if (x->type != y->type) {
		snprintf(says, sizeof(says), "is a %s node in B", word_node_type(y->type));
		tell(diff, &(struct difference){.kind = DIFF_TYPE, .says = says,
						.a = word_of(word_node_type(x->type)),
						.b = word_of(word_node_type(y->type))});
		return;
	}
	dependencies(diff);
	if (x_off != y_off)
		tell(diff, &(struct difference){
				   .kind = DIFF_DISABLED, .a = bool_of(x_off), .b = bool_of(y_off),
				   .says = x_off ? "is enabled in B" : "is disabled in B"});
	parameters(diff);
}

/* Both have their graphs in the order of what they stand in; the same place may have another number
 * once the shape differs. */
static void graphs(struct diff *diff, uint32_t a, uint32_t b)
{
	const struct model *in_a = diff->at.a, *in_b = diff->at.b;
	uint32_t i = in_a->first[a], j = in_b->first[b];
	uint32_t i_end = in_a->first[a + 1], j_end = in_b->first[b + 1];
	char says[SAYS_B];

	diff->at.graph_a = a;
	diff->at.graph_b = b;
	if (i_end - i != j_end - j) {
		snprintf(says, sizeof(says), "%u nodes -> %u", i_end - i, j_end - j);
		tell(diff, &(struct difference){.kind = DIFF_NODES, .says = says,
						.a = number_of(i_end - i),
						.b = number_of(j_end - j)});
	}
	for (; i < i_end && j < j_end; i++, j++) {
		diff->at.x = &in_a->nodes[i];
		diff->at.y = &in_b->nodes[j];
		nodes(diff);
	}
}

void diff_models(struct diff_output *out, const struct model *a, const struct model *b)
{
	struct diff diff = {.out = out, .at = {.a = a, .b = b}};
	uint32_t g, at, other;
	char says[SAYS_B];

	diff.same_process = file_is_same_process(a->file, b->file);
	if (a->graph_count != b->graph_count) {
		snprintf(says, sizeof(says), "%u nested graphs -> %u", a->graph_count - 1,
			 b->graph_count - 1);
		tell(&diff, &(struct difference){.kind = DIFF_GRAPHS, .says = says,
						 .a = number_of(a->graph_count - 1),
						 .b = number_of(b->graph_count - 1)});
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
}

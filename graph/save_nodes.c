/* SPDX-License-Identifier: MIT */
/* Graphs and nodes as records of the file. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "drv/event.h"
#include "drv/ext_semaphore.h"
#include "drv/module.h"
#include "graph/graph_memory.h"
#include "graph/save_internal.h"

static void put_attrs(struct mt_save_file *file, const struct mt_kernel_attrs *attrs)
{
	struct mtg_kernel_attrs record = {
		.set = attrs->set,
		.priority = attrs->priority,
		.priority_requested = attrs->priority_requested,
		.cooperative = attrs->cooperative,
		.cluster_policy = attrs->cluster_policy,
		.mem_sync_domain = attrs->mem_sync_domain,
		.mem_sync_map = attrs->mem_sync_map[0] | (uint32_t)attrs->mem_sync_map[1] << 8,
		.device_updatable = attrs->device_updatable,
		.carveout = attrs->carveout,
	};

	memcpy(record.cluster, attrs->cluster, sizeof(record.cluster));
	memcpy(record.preferred_cluster, attrs->preferred_cluster,
	       sizeof(record.preferred_cluster));
	memcpy(record.access_window, attrs->access_window, sizeof(record.access_window));
	mt_save_put(file, &record, sizeof(record));
}

static void put_kernel(struct mt_save *save, const struct mt_save_node *node)
{
	const struct mt_op_kernel *op = &node->op->kernel;
	const struct mt_codeobj_kernel *kernel = op->fn->kernel;
	struct mt_save_file *file = &save->file;
	struct mtg_kernel_params params = {
		.kernel = mt_save_table_find(&save->kernels, (uintptr_t)op->fn),
		.args_b = op->fn->args_b,
		.dynamic_shared_b = op->dynamic_shared_b,
		.attrs_b = op->attrs ? (uint32_t)sizeof(struct mtg_kernel_attrs) : 0,
	};
	uint8_t *args;
	uint32_t i;

	memcpy(params.grid, op->grid, sizeof(params.grid));
	memcpy(params.block, op->block, sizeof(params.block));
	mt_save_put(file, &params, sizeof(params));
	args = mt_save_room(file, params.args_b);
	if (args && params.args_b && node->args) {
		memcpy(args, node->args, params.args_b);
		/* Addresses of the image itself say nothing elsewhere. */
		for (i = 0; i < kernel->param_count; i++)
			if (kernel->params[i].pair_b != UINT32_MAX)
				memset(args + kernel->params[i].pair_b, 0, 8);
	}
	mt_save_pad(file);
	if (op->attrs)
		put_attrs(file, op->attrs);
}

static void fill_side(struct mt_save *save, const struct mt_copy_side *side,
		      struct mtg_copy_side *record)
{
	*record = (struct mtg_copy_side){
		.ptr = side->ptr,
		.pitch_b = side->pitch_b,
		.xsize = side->xsize,
		.ysize = side->ysize,
		.pos_x = side->pos_x,
		.pos_y = side->pos_y,
		.pos_z = side->pos_z,
		.va = side->va,
		.row_b = side->row_b,
		.slice_b = side->slice_b,
		.array = side->array ? mt_save_table_find(&save->arrays, (uintptr_t)side->array)
				     : MTG_NONE,
		.memory = side->type,
		.device = side->device,
	};
}

static void put_copy(struct mt_save *save, const struct mt_op_copy *copy)
{
	struct mtg_copy_params params = {
		.width = copy->width,
		.height = copy->height,
		.depth = copy->depth,
		.width_b = copy->width_b,
		.kind = copy->kind,
		.is_1d = copy->is_1d,
	};

	fill_side(save, &copy->src, &params.src);
	fill_side(save, &copy->dst, &params.dst);
	mt_save_put(&save->file, &params, sizeof(params));
}

static void put_fill(struct mt_save_file *file, const struct mt_op_fill *fill)
{
	const struct mtg_fill_params params = {
		.dst = fill->dst,
		.pitch_b = fill->pitch_b,
		.width = fill->width,
		.height = fill->height,
		.depth = fill->depth,
		.slice_b = fill->slice_b,
		.value = fill->value,
		.element_b = fill->element_b,
		.memory = fill->type,
	};

	mt_save_put(file, &params, sizeof(params));
}

/* "libx.so:function+0x10", as far as it is known. */
static uint32_t describe(uint64_t fn, char *text, size_t room)
{
	const char *file, *slash;
	Dl_info info;
	int length;

	if (!dladdr((void *)(uintptr_t)fn, &info) || !info.dli_fname)
		return 0;
	slash = strrchr(info.dli_fname, '/');
	file = slash ? slash + 1 : info.dli_fname;
	if (info.dli_sname)
		length = snprintf(text, room, "%s:%s+0x%llx", file, info.dli_sname,
				  (unsigned long long)(fn - (uintptr_t)info.dli_saddr));
	else
		length = snprintf(text, room, "%s+0x%llx", file,
				  (unsigned long long)(fn - (uintptr_t)info.dli_fbase));
	return length < 0 ? 0 : (size_t)length < room ? (uint32_t)length : (uint32_t)room - 1;
}

static void put_host(struct mt_save_file *file, const struct mt_op_host *host)
{
	char text[512];
	struct mtg_host_params params = {
		.fn = (uintptr_t)host->fn,
		.data = (uintptr_t)host->data,
	};

	params.symbol_b = describe(params.fn, text, sizeof(text));
	mt_save_put(file, &params, sizeof(params));
	mt_save_put(file, text, params.symbol_b);
}

static void put_event(struct mt_save_file *file, const struct mt_op_event *event)
{
	const struct mtg_event_params params = {
		.event = event->event->handle,
		.event_flags = event->event->flags,
		.flags = event->flags,
	};

	mt_save_put(file, &params, sizeof(params));
}

static void put_semaphores(struct mt_save_file *file, const struct mt_op_sem *sem)
{
	const struct mtg_semaphore_params params = {.count = sem->count};
	uint32_t i;

	mt_save_put(file, &params, sizeof(params));
	for (i = 0; i < sem->count; i++) {
		struct mtg_semaphore record = {
			.semaphore = sem->params[i].semaphore->handle,
			.value = sem->params[i].value,
		};

		memcpy(record.params, sem->params[i].raw, sizeof(record.params));
		mt_save_put(file, &record, sizeof(record));
	}
}

static void put_alloc(struct mt_save_file *file, const struct mt_graph_alloc *alloc)
{
	struct mtg_alloc_params params = {
		.va = alloc->va,
		.size_b = alloc->size_b,
		.access_count = alloc->access_count,
	};

	memcpy(params.props, alloc->props, sizeof(params.props));
	mt_save_put(file, &params, sizeof(params));
	mt_save_put(file, alloc->access, (size_t)alloc->access_count * MT_MEM_ACCESS_DESC_B);
}

static void put_conditional(struct mt_save_file *file, const struct mt_save_node *node)
{
	const struct mtg_conditional_params params = {
		.handle = node->cond_handle,
		.type = node->cond_type,
		.size = node->cond_size,
		.default_value = node->cond_default,
		.flags = node->cond_flags,
	};

	mt_save_put(file, &params, sizeof(params));
}

static void put_params(struct mt_save *save, const struct mt_save_node *node)
{
	struct mt_save_file *file = &save->file;
	const struct mt_op *op = node->op;
	struct mtg_free_params freed;

	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		put_kernel(save, node);
		break;
	case MT_OP_COPY:
		put_copy(save, op->copy);
		break;
	case MT_OP_FILL:
		put_fill(file, op->fill);
		break;
	case MT_OP_HOST:
		put_host(file, &op->host);
		break;
	case MT_OP_EVENT_WAIT:
	case MT_OP_EVENT_RECORD:
		put_event(file, &op->event);
		break;
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		put_semaphores(file, &op->sem);
		break;
	case MT_OP_ALLOC:
		put_alloc(file, op->graph);
		break;
	case MT_OP_FREE:
		freed.va = ((const struct mt_graph_alloc *)op->graph)->va;
		mt_save_put(file, &freed, sizeof(freed));
		break;
	case MT_OP_CONDITIONAL:
		put_conditional(file, node);
		break;
	case MT_OP_CHILD:
	case MT_OP_EMPTY:
	case MT_OP_BATCH_MEM:
		break;
	}
}

static void put_node(struct mt_save *save, uint32_t id, const struct mt_save_node *node)
{
	struct mt_save_file *file = &save->file;
	size_t start = file->used_b, params_at;
	struct mtg_node head = {
		.id = id,
		.type = node->op->type,
		.device = node->op->device,
		.flags = (node->disabled ? MTG_NODE_DISABLED : 0) |
			 (node->op->type == MT_OP_KERNEL && node->op->args_form ? MTG_NODE_EXTRA : 0),
		.dep_count = node->dep_count,
	};

	mt_save_put(file, &head, sizeof(head));
	mt_save_put(file, node->deps, node->dep_count * sizeof(*node->deps));
	mt_save_pad(file);
	params_at = file->used_b;
	put_params(save, node);
	head.params_b = (uint32_t)(file->used_b - params_at);
	mt_save_pad(file);
	if (file->error)
		return;
	head.size_b = (uint32_t)(file->used_b - start);
	memcpy(file->payload + start, &head, sizeof(head));
}

static void write_graphs(struct mt_save *save)
{
	struct mt_save_file *file = &save->file;
	uint32_t g;

	mt_save_begin(file, MTG_GRAPHS);
	for (g = 0; g < save->view.count; g++) {
		mt_save_put(file, &save->view.graphs[g].head, sizeof(struct mtg_graph));
		if (mt_save_is_full(file)) {
			mt_save_end(file);
			mt_save_begin(file, MTG_GRAPHS);
		}
	}
	mt_save_end(file);
}

/* The count stands in front of the records. */
static void end_nodes(struct mt_save_file *file, struct mtg_nodes *head)
{
	if (!file->error && head->count) {
		memcpy(file->payload, head, sizeof(*head));
		mt_save_end(file);
	}
	head->count = 0;
}

MUresult mt_save_nodes_write(struct mt_save *save)
{
	struct mt_save_file *file = &save->file;
	struct mt_save_node node;
	struct mtg_nodes head;
	uint32_t g, id;
	MUresult ret;
	bool found;

	for (g = 0; g < save->view.count; g++) {
		struct mtg_graph *graph = &save->view.graphs[g].head;

		head = (struct mtg_nodes){.graph = g};
		graph->edge_count = 0;
		for (id = 0; id < graph->id_count; id++) {
			ret = mt_save_view_node(&save->view, g, id, &node, &found);
			if (ret)
				return ret;
			if (!found)
				continue;
			if (!head.count) {
				mt_save_begin(file, MTG_NODES);
				mt_save_put(file, &head, sizeof(head));
			}
			put_node(save, id, &node);
			head.count++;
			graph->edge_count += node.dep_count;
			if (mt_save_is_full(file))
				end_nodes(file, &head);
		}
		end_nodes(file, &head);
	}
	write_graphs(save);
	return MUSA_SUCCESS;
}

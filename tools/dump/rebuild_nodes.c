/* SPDX-License-Identifier: MIT */
/* The nodes of a rebuilt graph, added one by one through the public API. */
#include <stdlib.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/progress.h"
#include "tools/dump/rebuild.h"

/* One node on its way into its graph. */
struct adding {
	struct rebuild *rebuild;
	const struct file_node *node;
	musaGraph_t graph;
	musaGraphNode_t *deps; /* borrowed */
	size_t dep_count;
	musaGraphNode_t *out;
	struct progress progress;
	uint32_t device; /* current */
};

static void do_nothing(void *data)
{
	(void)data;
}

/* --- kernels ---------------------------------------------------------------------------------------- */

/* Values that name saved memory are moved; numbers elsewhere stay as they are. */
static void move_args(struct rebuild *rebuild, const struct file_kernel *kernel, uint8_t *args)
{
	uint32_t i, at;
	uint64_t word;

	for (i = 0; i < kernel->head.param_count; i++) {
		const struct mtg_param *param = &kernel->params[i].head;

		for (at = 0; at + 8 <= param->value_b; at += 8) {
			memcpy(&word, args + param->image_b + at, 8);
			word = rebuild_address(rebuild, word);
			memcpy(args + param->image_b + at, &word, 8);
		}
	}
}

static musaError_t set_attr(musaGraphNode_t node, const struct mtg_kernel_attrs *attrs, uint32_t id)
{
	musaKernelNodeAttrValue value;

	memset(&value, 0, sizeof(value));
	switch (id) {
	case musaLaunchAttributeAccessPolicyWindow:
		memcpy(&value.accessPolicyWindow, attrs->access_window,
		       sizeof(value.accessPolicyWindow));
		break;
	case musaLaunchAttributeCooperative:
		value.cooperative = (int)attrs->cooperative;
		break;
	case musaLaunchAttributeClusterDimension:
		memcpy(&value.clusterDim, attrs->cluster, sizeof(value.clusterDim));
		break;
	case musaLaunchAttributeClusterSchedulingPolicyPreference:
		value.clusterSchedulingPolicyPreference =
			(enum musaClusterSchedulingPolicy)attrs->cluster_policy;
		break;
	case musaLaunchAttributePriority:
		value.priority = attrs->priority_requested;
		break;
	case musaLaunchAttributeMemSyncDomainMap:
		value.memSyncDomainMap.default_ = (unsigned char)attrs->mem_sync_map;
		value.memSyncDomainMap.remote = (unsigned char)(attrs->mem_sync_map >> 8);
		break;
	case musaLaunchAttributeMemSyncDomain:
		value.memSyncDomain = (musaLaunchMemSyncDomain)attrs->mem_sync_domain;
		break;
	case musaLaunchAttributePreferredClusterDimension:
		memcpy(&value.preferredClusterDim, attrs->preferred_cluster,
		       sizeof(value.preferredClusterDim));
		break;
	case musaLaunchAttributePreferredSharedMemoryCarveout:
		value.sharedMemCarveout = attrs->carveout;
		break;
	default:
		return musaSuccess;
	}
	return musaGraphKernelNodeSetAttribute(node, (musaKernelNodeAttrID)id, &value);
}

static musaError_t add_kernel(const struct adding *a)
{
	const struct mtg_kernel_params *saved = a->node->params;
	uint32_t count, i;
	const struct file_kernel *kernel = &file_kernels(a->rebuild->file, &count)[saved->kernel];
	uint8_t *args = malloc((size_t)saved->args_b + 1);
	void **values = calloc(kernel->head.param_count + 1u, sizeof(*values));
	struct musaKernelNodeParams params = {
		.func = a->rebuild->kernels[saved->kernel],
		.gridDim = {saved->grid[0], saved->grid[1], saved->grid[2]},
		.blockDim = {saved->block[0], saved->block[1], saved->block[2]},
		.sharedMemBytes = saved->dynamic_shared_b,
		.kernelParams = values,
	};
	musaError_t error = musaErrorMemoryAllocation;

	if (!args || !values)
		goto free_both;
	/* More shared memory than usual is asked for before the kernel may have it. */
	if (saved->dynamic_shared_b)
		musaFuncSetAttribute((const void *)params.func,
				     musaFuncAttributeMaxDynamicSharedMemorySize,
				     (int)saved->dynamic_shared_b);
	memcpy(args, a->node->args, saved->args_b);
	move_args(a->rebuild, kernel, args);
	for (i = 0; i < kernel->head.param_count; i++)
		values[i] = args + kernel->params[i].head.image_b;
	error = musaGraphAddKernelNode(a->out, a->graph, a->deps, a->dep_count, &params);
	for (i = 0; !error && a->node->attrs && i < 32; i++)
		if (a->node->attrs->set & 1u << i)
			error = set_attr(*a->out, a->node->attrs, i);
free_both:
	free(args);
	free(values);
	return error;
}

/* --- copies and fills ------------------------------------------------------------------------------- */

static void set_side(struct rebuild *rebuild, const struct mtg_copy_side *side, musaArray_t *array,
		     struct musaPos *pos, struct musaPitchedPtr *ptr)
{
	*pos = (struct musaPos){side->pos_x, side->pos_y, side->pos_z};
	if (side->array != MTG_NONE) {
		*array = rebuild->arrays[side->array];
		return;
	}
	/* The first byte lies in known memory; the pointer may lie in front of it. */
	ptr->ptr = (void *)(uintptr_t)(rebuild_address(rebuild, side->va) - (side->va - side->ptr));
	ptr->pitch = side->pitch_b;
	ptr->xsize = side->xsize;
	ptr->ysize = side->ysize;
}

static musaError_t add_copy(const struct adding *a)
{
	const struct mtg_copy_params *copy = a->node->params;
	struct musaMemcpy3DParms params;

	memset(&params, 0, sizeof(params));
	set_side(a->rebuild, &copy->src, &params.srcArray, &params.srcPos, &params.srcPtr);
	set_side(a->rebuild, &copy->dst, &params.dstArray, &params.dstPos, &params.dstPtr);
	params.extent = (struct musaExtent){copy->width, copy->height, copy->depth};
	params.kind = (enum musaMemcpyKind)copy->kind;
	return musaGraphAddMemcpyNode(a->out, a->graph, a->deps, a->dep_count, &params);
}

static musaError_t add_fill(const struct adding *a)
{
	const struct mtg_fill_params *fill = a->node->params;
	const struct musaMemsetParams params = {
		.dst = (void *)(uintptr_t)rebuild_address(a->rebuild, fill->dst),
		.pitch = fill->pitch_b,
		.value = fill->value,
		.elementSize = fill->element_b,
		.width = fill->width,
		.height = fill->height,
	};

	return musaGraphAddMemsetNode(a->out, a->graph, a->deps, a->dep_count, &params);
}

/* --- events ----------------------------------------------------------------------------------------- */

static int compare_events(const void *a, const void *b)
{
	const struct rebuild_event *x = a, *y = b;

	return x->saved < y->saved ? -1 : x->saved > y->saved;
}

static bool is_event_node(const struct file_node *node)
{
	return node->head->type == musaGraphNodeTypeWaitEvent ||
	       node->head->type == musaGraphNodeTypeEventRecord;
}

/* One event for each that the nodes name. */
static bool make_events(struct rebuild *rebuild)
{
	struct rebuild_event *events;
	uint32_t i, count = 0, kept = 0;
	musaError_t error;

	for (i = 0; i < rebuild->model.node_count; i++)
		count += is_event_node(&rebuild->model.nodes[i]);
	rebuild->events = events = calloc(count + 1u, sizeof(*events));
	if (!events)
		return rebuild_no_memory(rebuild);
	for (i = 0, count = 0; i < rebuild->model.node_count; i++) {
		const struct mtg_event_params *params = rebuild->model.nodes[i].params;

		if (is_event_node(&rebuild->model.nodes[i]))
			events[count++] =
				(struct rebuild_event){params->event, params->event_flags, NULL};
	}
	qsort(events, count, sizeof(*events), compare_events);
	for (i = 0; i < count; i++)
		if (!kept || events[i].saved != events[kept - 1].saved)
			events[kept++] = events[i];
	for (i = 0; i < kept; i++) {
		/* Nobody shares it here, and an event that is shared may lack what it has. */
		error = musaEventCreateWithFlags(&events[i].event,
						 events[i].flags &
							 ~(uint32_t)musaEventInterprocess);
		if (error)
			return rebuild_failed(rebuild, error, "event");
		rebuild->event_count++;
	}
	return true;
}

static musaEvent_t find_event(const struct rebuild *rebuild, uint64_t saved)
{
	const struct rebuild_event key = {.saved = saved};
	const struct rebuild_event *found = bsearch(&key, rebuild->events, rebuild->event_count,
						    sizeof(key), compare_events);

	return found ? found->event : NULL;
}

static musaError_t add_event(const struct adding *a)
{
	const struct mtg_event_params *params = a->node->params;
	musaEvent_t event = find_event(a->rebuild, params->event);

	return a->node->head->type == musaGraphNodeTypeEventRecord ?
		       musaGraphAddEventRecordNode(a->out, a->graph, a->deps, a->dep_count, event) :
		       musaGraphAddEventWaitNode(a->out, a->graph, a->deps, a->dep_count, event);
}

/* --- graph memory ----------------------------------------------------------------------------------- */

static musaError_t add_alloc(const struct adding *a)
{
	const struct mtg_alloc_params *saved = a->node->params;
	const struct file_range *range = file_range_of(a->rebuild->file, saved->va);
	struct musaMemAccessDesc *access;
	struct musaMemAllocNodeParams params;
	musaError_t error;

	_Static_assert(sizeof(struct musaMemAccessDesc) == 12, "as in the file");
	if (!range || range->head.va != saved->va)
		return musaErrorInvalidValue;
	memset(&params, 0, sizeof(params));
	memcpy(&params.poolProps, saved->props, sizeof(params.poolProps));
	params.poolProps.win32SecurityAttributes = NULL;
	params.bytesize = saved->size_b;
	access = malloc((size_t)saved->access_count * sizeof(*access) + 1);
	if (!access)
		return musaErrorMemoryAllocation;
	memcpy(access, a->node->access, (size_t)saved->access_count * sizeof(*access));
	params.accessDescs = saved->access_count ? access : NULL;
	params.accessDescCount = saved->access_count;
	error = musaGraphAddMemAllocNode(a->out, a->graph, a->deps, a->dep_count, &params);
	free(access);
	if (!error)
		a->rebuild->ranges[range->head.index].va = (uintptr_t)params.dptr;
	return error;
}

static musaError_t add_free(const struct adding *a)
{
	const struct mtg_free_params *saved = a->node->params;

	return musaGraphAddMemFreeNode(a->out, a->graph, a->deps, a->dep_count,
				       (void *)(uintptr_t)rebuild_address(a->rebuild, saved->va));
}

/* --- nested graphs ---------------------------------------------------------------------------------- */

static musaError_t add_child(const struct adding *a)
{
	uint32_t nested = file_nested(a->rebuild->file, a->node->graph, a->node->head->id, 0);
	musaGraph_t empty;
	musaError_t error = musaGraphCreate(&empty, 0);

	if (error)
		return error;
	error = musaGraphAddChildGraphNode(a->out, a->graph, a->deps, a->dep_count, empty);
	musaGraphDestroy(empty);
	if (!error && nested != MTG_NONE)
		error = musaGraphChildGraphNodeGetGraph(*a->out, &a->rebuild->graphs[nested]);
	return error;
}

static musaError_t add_conditional(const struct adding *a)
{
	const struct mtg_conditional_params *saved = a->node->params;
	struct musaGraphNodeParams params;
	musaError_t error;
	uint32_t slot, nested;

	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeConditional;
	params.conditional.handle = rebuild_address(a->rebuild, saved->handle);
	params.conditional.type = (enum musaGraphConditionalNodeType)saved->type;
	params.conditional.size = saved->size;
	error = musaGraphAddNode(a->out, a->graph, a->deps, a->dep_count, &params);
	for (slot = 0; !error && slot < saved->size; slot++) {
		nested = file_nested(a->rebuild->file, a->node->graph, a->node->head->id, slot);
		if (nested != MTG_NONE)
			a->rebuild->graphs[nested] = params.conditional.phGraph_out[slot];
	}
	return error;
}

/* Handles exist before the kernels that have them as arguments. */
static bool make_handles(struct rebuild *rebuild)
{
	musaGraphConditionalHandle handle;
	const struct file_range *range;
	musaError_t error;
	uint32_t i;

	for (i = 0; i < rebuild->model.node_count; i++) {
		const struct file_node *node = &rebuild->model.nodes[i];
		const struct mtg_conditional_params *saved = node->params;

		if (node->head->type != musaGraphNodeTypeConditional)
			continue;
		range = file_range_of(rebuild->file, saved->handle);
		if (!range || range->head.va != saved->handle)
			return rebuild_failed(rebuild, musaErrorInvalidValue,
					      "node %u of graph %u: its condition", node->head->id,
					      node->graph);
		error = musaGraphConditionalHandleCreate(&handle, rebuild->graphs[0],
							 saved->default_value, saved->flags);
		if (error)
			return rebuild_failed(rebuild, error, "conditional handle");
		rebuild->ranges[range->head.index].va = handle;
	}
	return true;
}

/* --- all -------------------------------------------------------------------------------------------- */

static musaError_t add_host(const struct adding *a)
{
	const struct musaHostNodeParams params = {.fn = do_nothing};

	return musaGraphAddHostNode(a->out, a->graph, a->deps, a->dep_count, &params);
}

static musaError_t add_node(const struct adding *a)
{
	switch (a->node->head->type) {
	case musaGraphNodeTypeKernel:
		return add_kernel(a);
	case musaGraphNodeTypeMemcpy:
		return add_copy(a);
	case musaGraphNodeTypeMemset:
		return add_fill(a);
	case musaGraphNodeTypeHost:
		return add_host(a);
	case musaGraphNodeTypeGraph:
		return add_child(a);
	case musaGraphNodeTypeWaitEvent:
	case musaGraphNodeTypeEventRecord:
		return add_event(a);
	case musaGraphNodeTypeMemAlloc:
		return add_alloc(a);
	case musaGraphNodeTypeMemFree:
		return add_free(a);
	case musaGraphNodeTypeConditional:
		return add_conditional(a);
	case musaGraphNodeTypeEmpty:
		return musaGraphAddEmptyNode(a->out, a->graph, a->deps, a->dep_count);
	case musaGraphNodeTypeExtSemaphoreSignal:
	case musaGraphNodeTypeExtSemaphoreWait:
		return rebuild_add_semaphores(a->rebuild, a->node, a->graph, a->deps, a->dep_count,
					      a->out);
	default:
		return musaErrorNotSupported;
	}
}

/* All dependencies have been added before the node. */
static bool is_in_order(const struct file_node *node)
{
	for (uint32_t i = 0; i < node->head->dep_count; i++)
		if (node->deps[i] > node->head->id)
			return false;
	return true;
}

static bool take_deps(struct adding *a, uint32_t *room)
{
	const struct file_node *node = a->node;
	uint32_t i;

	if (node->head->dep_count > *room) {
		musaGraphNode_t *deps = reallocarray(a->deps, node->head->dep_count, sizeof(*deps));

		if (!deps)
			return rebuild_no_memory(a->rebuild);
		a->deps = deps;
		*room = node->head->dep_count;
	}
	for (i = 0; i < node->head->dep_count; i++)
		a->deps[i] = a->rebuild->nodes[model_find(&a->rebuild->model, node->graph,
							  node->deps[i])];
	a->dep_count = node->head->dep_count;
	return true;
}

/* Edges against the order of insertion are added when both ends are there, a node's in their order. */
static bool add_late_edges(struct adding *a, uint32_t *room, uint32_t graph)
{
	struct rebuild *rebuild = a->rebuild;
	musaError_t error = musaSuccess;
	uint32_t i, k;

	for (i = rebuild->model.first[graph]; i < rebuild->model.first[graph + 1]; i++) {
		a->node = &rebuild->model.nodes[i];
		if (is_in_order(a->node))
			continue;
		if (!take_deps(a, room))
			return false;
		for (k = 0; k < a->dep_count && !error; k++)
			error = musaGraphAddDependencies(a->graph, &a->deps[k], &rebuild->nodes[i],
							 1);
		if (error)
			return rebuild_failed(rebuild, error, "edges of node %u in graph %u",
					      a->node->head->id, graph);
	}
	return true;
}

static bool add_graph(struct adding *a, uint32_t *room, uint32_t graph)
{
	struct rebuild *rebuild = a->rebuild;
	musaError_t error;
	uint32_t i;

	a->graph = rebuild->graphs[graph];
	for (i = rebuild->model.first[graph]; i < rebuild->model.first[graph + 1]; i++) {
		progress_update(&a->progress, i);
		a->node = &rebuild->model.nodes[i];
		a->out = &rebuild->nodes[i];
		a->dep_count = 0;
		if (is_in_order(a->node) && !take_deps(a, room))
			return false;
		/* Kernels belong to the device that is current. */
		error = a->node->head->device == a->device ?
				musaSuccess :
				musaSetDevice(a->node->head->device);
		if (!error) {
			a->device = a->node->head->device;
			error = add_node(a);
		}
		if (error)
			return rebuild_failed(rebuild, error, "node %u of graph %u",
					      a->node->head->id, graph);
	}
	return add_late_edges(a, room, graph);
}

bool rebuild_nodes(struct rebuild *rebuild)
{
	struct adding a = {.rebuild = rebuild, .device = rebuild->model.graphs[0].device};
	uint32_t graph, room = 0;
	musaError_t error;
	bool good;

	rebuild->graphs = calloc(rebuild->model.graph_count + 1u, sizeof(*rebuild->graphs));
	rebuild->nodes = calloc(rebuild->model.node_count + 1u, sizeof(*rebuild->nodes));
	if (!rebuild->graphs || !rebuild->nodes)
		return rebuild_no_memory(rebuild);
	error = musaSetDevice((int)rebuild->model.graphs[0].device);
	if (!error)
		error = musaGraphCreate(&rebuild->graphs[0], 0);
	if (error)
		return rebuild_failed(rebuild, error, "graph on device %u",
				      rebuild->model.graphs[0].device);
	good = make_events(rebuild) && make_handles(rebuild) && rebuild_semaphores(rebuild);
	progress_begin(&a.progress, "building the graph", rebuild->model.node_count);
	for (graph = 0; good && graph < rebuild->model.graph_count; graph++)
		good = add_graph(&a, &room, graph);
	progress_end(&a.progress);
	free(a.deps);
	return good;
}

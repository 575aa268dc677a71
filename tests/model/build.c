/* SPDX-License-Identifier: MIT */
/* Random nodes of every kind, added to a graph and to its model alike. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

extern const void *const model_fold, *const model_mix, *const model_set_handle;
extern const void *const model_arm_loop, *const model_next_pass;

struct m_region *w_new_region(struct world *w)
{
	struct m_region *region = calloc(1, sizeof(*region));
	void *memory;

	CHECKED(w, musaSuccess, musaMallocHost(&memory, sizeof(region->want)));
	memset(memory, 0, sizeof(region->want));
	region->cell = memory;
	region->next = w->regions;
	w->regions = region;
	return region;
}

struct m_graph *w_new_graph(struct world *w)
{
	struct m_graph *graph = calloc(1, sizeof(*graph));

	graph->region = w_new_region(w);
	CHECKED(w, musaSuccess, musaGraphCreate(&graph->graph, 0));
	return graph;
}

void MUSART_CB w_run_host(void *data)
{
	struct m_host *host = data;

	*host->out = *host->out * 7u + *host->in + host->v;
}

struct m_host *w_new_host(struct world *w, struct m_graph *g, int node, int a, unsigned int v)
{
	struct m_host *host = calloc(1, sizeof(*host));

	host->out = &g->region->cell[node];
	host->in = &g->region->cell[a];
	host->v = v;
	host->next = w->hosts;
	w->hosts = host;
	return host;
}

void w_make_kernel(struct kernel_args *k, const struct m_graph *g, const struct m_node *n)
{
	unsigned int *cell = g->region->cell;

	k->out = &cell[n - g->node];
	k->a = &cell[n->a];
	k->b = &cell[n->b];
	k->v = n->v;
	k->pad = 5;
	if (n->kind == M_FOLD) {
		void *list[] = {&k->out, &k->a, &k->b, &k->v};

		memcpy(k->list, list, sizeof(list));
		k->params = t_kernel(model_fold, k->list);
	} else {
		void *list[] = {&k->v, &k->pad, &k->out, &k->a, &k->b};

		memcpy(k->list, list, sizeof(list));
		k->params = t_kernel(model_mix, k->list);
	}
}

struct musaMemsetParams w_make_fill(const struct m_graph *g, const struct m_node *n)
{
	struct musaMemsetParams params = {0};

	params.dst = &g->region->cell[n - g->node];
	params.value = n->v;
	params.elementSize = 4;
	params.width = 1;
	params.height = 1;
	return params;
}

/* An earlier node that `node` depends on, or none. */
int w_pick_input(struct world *w, const struct m_graph *g, int node)
{
	uint64_t all = m_graph_ancestors(g, node);
	int start = (int)below(w, M_NODES);

	for (int i = 0; i < g->count; i++) {
		int at = (start + i) % g->count;

		if (at != node && (all & (UINT64_C(1) << at)))
			return at;
	}
	return M_NODES;
}

size_t w_dep_handles(const struct m_graph *g, uint64_t deps, musaGraphNode_t *out)
{
	size_t count = 0;

	for (int i = 0; i < g->count; i++)
		if (deps & (UINT64_C(1) << i))
			out[count++] = g->node[i].node;
	return count;
}

static struct m_handle *new_handle(struct world *w, struct m_graph *root)
{
	struct m_handle *handle = calloc(1, sizeof(*handle));

	handle->assign = below(w, 2);
	handle->initial = below(w, 3);
	CHECKED(w, musaSuccess,
		musaGraphConditionalHandleCreate(&handle->handle, root->graph, handle->initial,
						 handle->assign ? musaGraphCondAssignDefault : 0));
	w->handles[w->handle_count++] = handle;
	return handle;
}

/* A node whose params are filled in; returns it. */
struct m_node *w_start_node(struct m_graph *g, enum m_kind kind, uint64_t deps)
{
	struct m_node *n = &g->node[g->count];

	memset(n, 0, sizeof(*n));
	n->kind = kind;
	n->deps = deps;
	n->enabled = true;
	n->a = n->b = M_NODES;
	return n;
}

static void add_set(struct m_graph *g, uint64_t deps, struct m_handle *handle,
		    enum musaGraphConditionalNodeType type, struct m_region *loop, unsigned int v)
{
	struct m_node *n = w_start_node(g, M_SET, deps);
	musaGraphNode_t handles[M_NODES];
	size_t count = w_dep_handles(g, deps, handles);
	unsigned int *left = loop ? loop->cell : NULL;
	void *arm[] = {&handle->handle, &left, &v}, *next_args[] = {&handle->handle, &left};
	void *set[] = {&handle->handle, &v};

	n->handle = handle;
	n->type = type;
	n->loop = loop;
	n->v = v;
	g->count++;
	if (type != musaGraphCondTypeWhile)
		n->node = t_add_kernel(g->graph, handles, count, model_set_handle, set);
	else if (v == UINT32_MAX)
		n->node = t_add_kernel(g->graph, handles, count, model_next_pass, next_args);
	else
		n->node = t_add_kernel(g->graph, handles, count, model_arm_loop, arm);
	g->shape++;
}

/* Mostly a kernel that sets the handle, and the conditional node behind it. */
void w_add_conditional(struct world *w, struct m_graph *g, uint64_t deps)
{
	struct musaGraphNodeParams params = {0};
	struct m_handle *handle = new_handle(w, g);
	enum musaGraphConditionalNodeType type = (enum musaGraphConditionalNodeType)below(w, 3);
	int bodies = type == musaGraphCondTypeWhile ? 1
		     : type == musaGraphCondTypeIf  ? 1 + (int)below(w, 2)
						    : 1 + (int)below(w, 3);
	struct m_region *loop = NULL;
	musaGraphNode_t handles[M_NODES];
	size_t count;
	struct m_node *n;

	if (type == musaGraphCondTypeWhile)
		loop = w_new_region(w);
	/* Without a kernel that sets it the handle keeps its value, or gets its default. */
	if (loop || below(w, 3)) {
		add_set(g, deps, handle, type, loop, below(w, 4));
		deps = UINT64_C(1) << (g->count - 1);
	}
	count = w_dep_handles(g, deps, handles);
	n = w_start_node(g, M_COND, deps);
	params.type = musaGraphNodeTypeConditional;
	params.conditional.handle = handle->handle;
	params.conditional.type = type;
	params.conditional.size = (unsigned int)bodies;
	CHECKED(w, musaSuccess, musaGraphAddNode(&n->node, g->graph, handles, count, &params));
	n->handle = handle;
	n->type = type;
	n->bodies = bodies;
	g->count++;
	g->shape++;
	g->has_cond = true;
	for (int b = 0; b < bodies; b++) {
		struct m_graph *body = calloc(1, sizeof(*body));

		body->region = loop ? loop : w_new_region(w);
		body->graph = params.conditional.phGraph_out[b];
		body->embedded = true;
		n->body[b] = body;
		if (loop)
			add_set(body, 0, handle, type, loop, UINT32_MAX);
		for (int i = (int)below(w, 4); i > 0; i--)
			w_add_plain(w, body, below(w, 3) ? M_FOLD : M_FILL,
				  body->count ? UINT64_C(1) << below(w, (uint32_t)body->count) : 0);
	}
}

void w_add_child(struct world *w, struct m_graph *g, uint64_t deps)
{
	struct m_node *n = w_start_node(g, M_CHILD, deps);
	struct m_graph *child = w_new_graph(w);
	musaGraphNode_t handles[M_NODES];
	size_t count = w_dep_handles(g, deps, handles);

	for (int i = 1 + (int)below(w, 4); i > 0; i--)
		w_add_plain(w, child, (enum m_kind)below(w, M_EMPTY + 1),
			  child->count ? UINT64_C(1) << below(w, (uint32_t)child->count) : 0);
	CHECKED(w, musaSuccess,
		musaGraphAddChildGraphNode(&n->node, g->graph, handles, count, child->graph));
	CHECKED(w, musaSuccess, musaGraphDestroy(child->graph));
	CHECKED(w, musaSuccess, musaGraphChildGraphNodeGetGraph(n->node, &child->graph));
	child->embedded = true;
	n->child = child;
	/* The nodes' handles are those of the embedded copy now. */
	musaGraphNode_t inside[M_NODES];
	size_t total = M_NODES;
	CHECKED(w, musaSuccess, musaGraphGetNodes(child->graph, inside, &total));
	for (int i = 0; i < child->count; i++)
		child->node[i].node = inside[i];
	g->count++;
	g->shape++;
}

void w_add_plain(struct world *w, struct m_graph *g, enum m_kind kind, uint64_t deps)
{
	struct m_node *n = w_start_node(g, kind, deps);
	musaGraphNode_t handles[M_NODES];
	size_t count = w_dep_handles(g, deps, handles);
	int at = g->count;
	struct kernel_args k;
	struct musaMemsetParams fill;
	struct musaHostNodeParams host;

	g->count++;
	n->a = w_pick_input(w, g, at);
	n->b = w_pick_input(w, g, at);
	n->v = next(w);
	g->count--;
	switch (kind) {
	case M_FOLD:
	case M_MIX:
		w_make_kernel(&k, g, n);
		CHECKED(w, musaSuccess,
			musaGraphAddKernelNode(&n->node, g->graph, handles, count, &k.params));
		break;
	case M_COPY:
		CHECKED(w, musaSuccess,
			musaGraphAddMemcpyNode1D(&n->node, g->graph, handles, count,
						 &g->region->cell[at], &g->region->cell[n->a], 4,
						 musaMemcpyDefault));
		break;
	case M_FILL:
		fill = w_make_fill(g, n);
		CHECKED(w, musaSuccess,
			musaGraphAddMemsetNode(&n->node, g->graph, handles, count, &fill));
		break;
	case M_HOST:
		n->host = w_new_host(w, g, at, n->a, n->v);
		host.fn = w_run_host;
		host.userData = n->host;
		CHECKED(w, musaSuccess,
			musaGraphAddHostNode(&n->node, g->graph, handles, count, &host));
		break;
	case M_RECORD:
		CHECKED(w, musaSuccess,
			musaGraphAddEventRecordNode(&n->node, g->graph, handles, count, w->event));
		break;
	case M_WAIT:
		CHECKED(w, musaSuccess,
			musaGraphAddEventWaitNode(&n->node, g->graph, handles, count, w->event));
		break;
	default:
		CHECKED(w, musaSuccess, musaGraphAddEmptyNode(&n->node, g->graph, handles, count));
		break;
	}
	g->count++;
	g->shape++;
}

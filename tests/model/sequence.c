/* SPDX-License-Identifier: MIT */
/*
 * Random sequences of API calls, checked against the model: results, and errors.
 *
 * MODEL_SEQUENCES sets the number of sequences, MODEL_SEED the first seed; a failure prints the seed
 * that repeats it. With MODEL_PRINT set, every executable graph's chain goes to stderr.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "mtgraph.h"
#include "support.h"

extern const void *const model_fold, *const model_mix, *const model_set_handle;
extern const void *const model_arm_loop, *const model_next_pass;

#define GRAPHS 4
#define EXECS  5

struct world {
	uint64_t seed, state;
	struct m_graph *graph[GRAPHS];
	struct m_exec exec[EXECS];
	struct m_region *regions;
	struct m_host *hosts;
	struct m_handle *handles[64];
	int handle_count;
	musaStream_t stream[2];
	musaEvent_t event;
	int step;
};

static uint32_t next(struct world *w)
{
	w->state = w->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(w->state >> 33);
}

static uint32_t below(struct world *w, uint32_t limit)
{
	return next(w) % limit;
}

#define CHECKED(w, want, call)                                                                     \
	do {                                                                                       \
		musaError_t checked = (call);                                                      \
		cr_assert_eq(checked, (want), "seed %llu step %d: %s gives %s, not %s",            \
			     (unsigned long long)(w)->seed, (w)->step, #call,                      \
			     musaGetErrorName(checked), musaGetErrorName(want));                   \
	} while (0)

static struct m_region *new_region(struct world *w)
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

static struct m_graph *new_graph(struct world *w)
{
	struct m_graph *graph = calloc(1, sizeof(*graph));

	graph->region = new_region(w);
	CHECKED(w, musaSuccess, musaGraphCreate(&graph->graph, 0));
	return graph;
}

static void sync_and_compare(struct world *w)
{
	CHECKED(w, musaSuccess, musaDeviceSynchronize());
	for (struct m_region *r = w->regions; r; r = r->next)
		for (int i = 0; i < M_NODES; i++)
			cr_assert_eq(r->cell[i], r->want[i],
				     "seed %llu step %d: cell %d is %u, not %u",
				     (unsigned long long)w->seed, w->step, i, r->cell[i], r->want[i]);
}

static void MUSART_CB run_host(void *data)
{
	struct m_host *host = data;

	*host->out = *host->out * 7u + *host->in + host->v;
}

static struct m_host *new_host(struct world *w, struct m_graph *g, int node, int a, unsigned int v)
{
	struct m_host *host = calloc(1, sizeof(*host));

	host->out = &g->region->cell[node];
	host->in = &g->region->cell[a];
	host->v = v;
	host->next = w->hosts;
	w->hosts = host;
	return host;
}

/* The arguments of a FOLD or MIX node. */
struct kernel_args {
	unsigned int *out, *a, *b, v, pad;
	void *list[5];
	struct musaKernelNodeParams params;
};

static void make_kernel(struct kernel_args *k, const struct m_graph *g, const struct m_node *n)
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

static struct musaMemsetParams make_fill(const struct m_graph *g, const struct m_node *n)
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
static int pick_input(struct world *w, const struct m_graph *g, int node)
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

static size_t dep_handles(const struct m_graph *g, uint64_t deps, musaGraphNode_t *out)
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

static void add_plain(struct world *w, struct m_graph *g, enum m_kind kind, uint64_t deps);

/* A node whose params are filled in; returns it. */
static struct m_node *start_node(struct m_graph *g, enum m_kind kind, uint64_t deps)
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
	struct m_node *n = start_node(g, M_SET, deps);
	musaGraphNode_t handles[M_NODES];
	size_t count = dep_handles(g, deps, handles);
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

/* A kernel that sets the handle, and the conditional node behind it. */
static void add_conditional(struct world *w, struct m_graph *g, uint64_t deps)
{
	struct musaGraphNodeParams params = {0};
	struct m_handle *handle = new_handle(w, g);
	enum musaGraphConditionalNodeType type = (enum musaGraphConditionalNodeType)below(w, 3);
	int bodies = type == musaGraphCondTypeWhile ? 1
		     : type == musaGraphCondTypeIf  ? 1 + (int)below(w, 2)
						    : 1 + (int)below(w, 3);
	struct m_region *loop = NULL;
	musaGraphNode_t set;
	struct m_node *n;

	if (type == musaGraphCondTypeWhile)
		loop = new_region(w);
	add_set(g, deps, handle, type, loop, below(w, 4));
	set = g->node[g->count - 1].node;

	n = start_node(g, M_COND, UINT64_C(1) << (g->count - 1));
	params.type = musaGraphNodeTypeConditional;
	params.conditional.handle = handle->handle;
	params.conditional.type = type;
	params.conditional.size = (unsigned int)bodies;
	CHECKED(w, musaSuccess, musaGraphAddNode(&n->node, g->graph, &set, 1, &params));
	n->handle = handle;
	n->type = type;
	n->bodies = bodies;
	g->count++;
	g->shape++;
	g->has_cond = true;
	for (int b = 0; b < bodies; b++) {
		struct m_graph *body = calloc(1, sizeof(*body));

		body->region = loop ? loop : new_region(w);
		body->graph = params.conditional.phGraph_out[b];
		body->embedded = true;
		n->body[b] = body;
		if (loop)
			add_set(body, 0, handle, type, loop, UINT32_MAX);
		for (int i = (int)below(w, 4); i > 0; i--)
			add_plain(w, body, below(w, 3) ? M_FOLD : M_FILL,
				  body->count ? UINT64_C(1) << below(w, (uint32_t)body->count) : 0);
	}
}

static void add_child(struct world *w, struct m_graph *g, uint64_t deps)
{
	struct m_node *n = start_node(g, M_CHILD, deps);
	struct m_graph *child = new_graph(w);
	musaGraphNode_t handles[M_NODES];
	size_t count = dep_handles(g, deps, handles);

	for (int i = 1 + (int)below(w, 4); i > 0; i--)
		add_plain(w, child, (enum m_kind)below(w, M_EMPTY + 1),
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

static void add_plain(struct world *w, struct m_graph *g, enum m_kind kind, uint64_t deps)
{
	struct m_node *n = start_node(g, kind, deps);
	musaGraphNode_t handles[M_NODES];
	size_t count = dep_handles(g, deps, handles);
	int at = g->count;
	struct kernel_args k;
	struct musaMemsetParams fill;
	struct musaHostNodeParams host;

	g->count++;
	n->a = pick_input(w, g, at);
	n->b = pick_input(w, g, at);
	n->v = next(w);
	g->count--;
	switch (kind) {
	case M_FOLD:
	case M_MIX:
		make_kernel(&k, g, n);
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
		fill = make_fill(g, n);
		CHECKED(w, musaSuccess,
			musaGraphAddMemsetNode(&n->node, g->graph, handles, count, &fill));
		break;
	case M_HOST:
		n->host = new_host(w, g, at, n->a, n->v);
		host.fn = run_host;
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

static uint64_t random_deps(struct world *w, const struct m_graph *g)
{
	uint64_t deps = 0;

	for (int i = 0; g->count && i < (int)below(w, 4); i++)
		deps |= UINT64_C(1) << below(w, (uint32_t)g->count);
	return deps;
}

static void do_add_node(struct world *w, struct m_graph *g)
{
	uint32_t kind = below(w, 40);

	if (g->count + 2 >= M_NODES)
		return;
	if (kind == 39 && w->handle_count < 60)
		add_conditional(w, g, random_deps(w, g));
	else if (kind >= 36)
		add_child(w, g, random_deps(w, g));
	else if (kind >= 34)
		add_plain(w, g, kind == 34 ? M_RECORD : M_WAIT, random_deps(w, g));
	else
		add_plain(w, g, (enum m_kind)(kind % (M_EMPTY + 1)), random_deps(w, g));
}

/* A graph with conditional nodes has an exec: a second one is refused, whatever else is wrong. */
static bool has_single_exec(const struct world *w, const struct m_graph *g)
{
	for (int i = 0; g->has_cond && i < EXECS; i++)
		if (w->exec[i].copy && w->exec[i].source == g && w->exec[i].copy->has_cond)
			return true;
	return false;
}

static void do_add_edge(struct world *w, struct m_graph *g)
{
	int from, to;
	musaError_t want = musaSuccess;

	if (g->count < 2)
		return;
	from = (int)below(w, (uint32_t)g->count);
	to = (int)below(w, (uint32_t)g->count);
	/* Backward edges now and then, to meet cycles; they are taken away again at once. */
	if (from > to && below(w, 4)) {
		int swap = from;

		from = to;
		to = swap;
	}
	if (from == to || (g->node[to].deps & (UINT64_C(1) << from)))
		want = musaErrorInvalidValue;
	CHECKED(w, want,
		musaGraphAddDependencies(g->graph, &g->node[from].node, &g->node[to].node, 1));
	if (want)
		return;
	g->node[to].deps |= UINT64_C(1) << from;
	g->shape++;
	if (m_graph_is_cyclic(g)) {
		musaGraphExec_t exec;

		CHECKED(w, has_single_exec(w, g) ? musaErrorNotSupported : musaErrorInvalidValue,
			musaGraphInstantiate(&exec, g->graph, 0));
		CHECKED(w, musaSuccess,
			musaGraphRemoveDependencies(g->graph, &g->node[from].node,
						    &g->node[to].node, 1));
		g->node[to].deps &= ~(UINT64_C(1) << from);
	}
}

/* New parameters for a node, as the exec and graph calls share them. Cells stay ordered: inputs are
 * ancestors in the given graph. */
static void change_params(struct world *w, const struct m_graph *g, struct m_node *n, int at)
{
	if (n->kind == M_FOLD || n->kind == M_MIX)
		n->kind = below(w, 2) ? M_FOLD : M_MIX;
	if (n->kind == M_FOLD || n->kind == M_MIX || n->kind == M_COPY || n->kind == M_HOST) {
		n->a = pick_input(w, g, at);
		n->b = pick_input(w, g, at);
	}
	n->v = next(w);
}

static bool can_change(const struct m_node *n)
{
	return n->kind <= M_HOST;
}

static void do_set_params(struct world *w, struct m_graph *g)
{
	int at = g->count ? (int)below(w, (uint32_t)g->count) : 0;
	struct m_node *n = &g->node[at];
	struct musaMemsetParams fill;
	struct musaHostNodeParams host;
	struct kernel_args k;

	if (!g->count || !can_change(n))
		return;
	change_params(w, g, n, at);
	switch (n->kind) {
	case M_COPY:
		CHECKED(w, musaSuccess,
			musaGraphMemcpyNodeSetParams1D(n->node, &g->region->cell[at],
						       &g->region->cell[n->a], 4,
						       musaMemcpyDefault));
		break;
	case M_FILL:
		fill = make_fill(g, n);
		CHECKED(w, musaSuccess, musaGraphMemsetNodeSetParams(n->node, &fill));
		break;
	case M_HOST:
		n->host = new_host(w, g, at, n->a, n->v);
		host.fn = run_host;
		host.userData = n->host;
		CHECKED(w, musaSuccess, musaGraphHostNodeSetParams(n->node, &host));
		break;
	default:
		make_kernel(&k, g, n);
		CHECKED(w, musaSuccess, musaGraphKernelNodeSetParams(n->node, &k.params));
		break;
	}
}

static void do_instantiate(struct world *w, struct m_graph *g)
{
	struct m_exec *e = &w->exec[below(w, EXECS)];
	musaError_t want = musaSuccess;

	if (e->copy)
		return;
	if (has_single_exec(w, g))
		want = musaErrorNotSupported;
	CHECKED(w, want, musaGraphInstantiate(&e->exec, g->graph, 0));
	if (want)
		return;
	e->copy = m_graph_copy(g);
	e->source = g;
	e->shape = g->shape;
	if (getenv("MODEL_PRINT")) {
		fprintf(stderr, "step %d: ", w->step);
		mtGraphExecPrint(e->exec, 2);
	}
}

static void do_launch(struct world *w, struct m_exec *e)
{
	/* One stream for all: execs of one graph share memory. */
	for (int i = 1 + (int)below(w, 3); i > 0; i--) {
		CHECKED(w, musaSuccess, musaGraphLaunch(e->exec, w->stream[0]));
		m_graph_run(e->copy);
	}
}

/* One node of the exec, or of a child graph inside it, gets new parameters. */
static void do_exec_set_params(struct world *w, struct m_exec *e)
{
	struct m_graph *source = e->source, *copy = e->copy;
	struct musaMemsetParams fill;
	struct musaHostNodeParams host;
	struct m_node *n;
	struct kernel_args k;
	int at;

	if (!source || !copy->count)
		return;
	at = (int)below(w, (uint32_t)copy->count);
	n = &copy->node[at];
	if (n->child && below(w, 2)) {
		copy = n->child;
		at = (int)below(w, (uint32_t)copy->count);
		n = &copy->node[at];
	}
	if (!can_change(n))
		return;
	change_params(w, copy, n, at);
	switch (n->kind) {
	case M_COPY:
		CHECKED(w, musaSuccess,
			musaGraphExecMemcpyNodeSetParams1D(e->exec, n->node,
							   &copy->region->cell[at],
							   &copy->region->cell[n->a], 4,
							   musaMemcpyDefault));
		break;
	case M_FILL:
		fill = make_fill(copy, n);
		CHECKED(w, musaSuccess, musaGraphExecMemsetNodeSetParams(e->exec, n->node, &fill));
		break;
	case M_HOST:
		n->host = new_host(w, copy, at, n->a, n->v);
		host.fn = run_host;
		host.userData = n->host;
		CHECKED(w, musaSuccess, musaGraphExecHostNodeSetParams(e->exec, n->node, &host));
		break;
	default:
		make_kernel(&k, copy, n);
		CHECKED(w, musaSuccess,
			musaGraphExecKernelNodeSetParams(e->exec, n->node, &k.params));
		break;
	}
}

static void do_enable(struct world *w, struct m_exec *e)
{
	unsigned int on = below(w, 2), got = 7;
	struct m_graph *copy = e->copy;
	struct m_node *n;
	bool can;

	if (!e->source || !copy->count)
		return;
	n = &copy->node[below(w, (uint32_t)copy->count)];
	if (n->child && below(w, 2)) {
		copy = n->child;
		n = &copy->node[below(w, (uint32_t)copy->count)];
	}
	if (n->kind == M_SET)
		return; /* switching those off would make loops endless */
	can = n->kind <= M_FILL;
	CHECKED(w, can ? musaSuccess : musaErrorInvalidValue,
		musaGraphNodeSetEnabled(e->exec, n->node, on));
	if (!can)
		return;
	n->enabled = on;
	CHECKED(w, musaSuccess, musaGraphNodeGetEnabled(e->exec, n->node, &got));
	cr_assert_eq(got, on);
}

static void do_update(struct world *w, struct m_exec *e, struct m_graph *g)
{
	musaGraphExecUpdateResultInfo info;

	if (g->has_cond || e->copy->has_cond)
		return;
	if (e->source == g && e->shape == g->shape) {
		CHECKED(w, musaSuccess, musaGraphExecUpdate(e->exec, g->graph, &info));
		cr_assert_eq(info.result, musaGraphExecUpdateSuccess);
		m_graph_update(e->copy, g);
	} else if (g->count != e->copy->count) {
		CHECKED(w, musaErrorGraphExecUpdateFailure,
			musaGraphExecUpdate(e->exec, g->graph, &info));
		cr_assert_eq(info.result, musaGraphExecUpdateErrorTopologyChanged);
	}
}

static void do_clone(struct world *w, int slot, struct m_graph *g)
{
	musaGraph_t clone;

	if (w->graph[slot]) {
		if (g->has_cond)
			CHECKED(w, musaErrorNotSupported, musaGraphClone(&clone, g->graph));
		return;
	}
	if (g->has_cond)
		return;
	CHECKED(w, musaSuccess, musaGraphClone(&clone, g->graph));
	w->graph[slot] = m_graph_copy(g);
	w->graph[slot]->graph = clone;
	for (int i = 0; i < g->count; i++) {
		struct m_node *n = &w->graph[slot]->node[i];

		CHECKED(w, musaSuccess, musaGraphNodeFindInClone(&n->node, g->node[i].node, clone));
		if (n->child) {
			musaGraphNode_t inside[M_NODES];
			size_t total = M_NODES;

			CHECKED(w, musaSuccess,
				musaGraphChildGraphNodeGetGraph(n->node, &n->child->graph));
			CHECKED(w, musaSuccess,
				musaGraphGetNodes(n->child->graph, inside, &total));
			for (int c = 0; c < n->child->count; c++)
				n->child->node[c].node = inside[c];
		}
	}
}

static void do_destroy_graph(struct world *w, int slot)
{
	struct m_graph *g = w->graph[slot];

	CHECKED(w, musaSuccess, musaGraphDestroy(g->graph));
	CHECKED(w, musaErrorInvalidValue, musaGraphDestroy(g->graph));
	for (int i = 0; i < EXECS; i++)
		if (w->exec[i].source == g)
			w->exec[i].source = NULL;
	m_graph_free(g);
	w->graph[slot] = NULL;
}

static void do_destroy_exec(struct world *w, struct m_exec *e)
{
	CHECKED(w, musaSuccess, musaGraphExecDestroy(e->exec));
	CHECKED(w, musaErrorInvalidValue, musaGraphLaunch(e->exec, w->stream[0]));
	m_graph_free(e->copy);
	memset(e, 0, sizeof(*e));
}

static void do_step(struct world *w)
{
	int slot = (int)below(w, GRAPHS);
	struct m_graph *g = w->graph[slot];
	struct m_exec *e = &w->exec[below(w, EXECS)];
	uint32_t what = below(w, 100);

	if (!g) {
		if (what < 70) {
			w->graph[slot] = new_graph(w);
		} else if (w->graph[(slot + 1) % GRAPHS]) {
			do_clone(w, slot, w->graph[(slot + 1) % GRAPHS]);
		}
		return;
	}
	if (what < 30)
		do_add_node(w, g);
	else if (what < 38)
		do_add_edge(w, g);
	else if (what < 46)
		do_set_params(w, g);
	else if (what < 56)
		do_instantiate(w, g);
	else if (what < 70 && e->copy)
		do_launch(w, e);
	else if (what < 79 && e->copy)
		do_exec_set_params(w, e);
	else if (what < 85 && e->copy)
		do_enable(w, e);
	else if (what < 91 && e->copy)
		do_update(w, e, g);
	else if (what < 93)
		do_clone(w, (slot + 1) % GRAPHS, g);
	else if (what < 96)
		sync_and_compare(w);
	else if (what < 97)
		do_destroy_graph(w, slot);
	else if (what < 99 && e->copy)
		do_destroy_exec(w, e);
}

static void finish(struct world *w)
{
	sync_and_compare(w);
	for (int i = 0; i < EXECS; i++)
		if (w->exec[i].copy)
			do_destroy_exec(w, &w->exec[i]);
	for (int i = 0; i < GRAPHS; i++)
		if (w->graph[i])
			do_destroy_graph(w, i);
	while (w->regions) {
		struct m_region *region = w->regions;

		w->regions = region->next;
		CHECKED(w, musaSuccess, musaFreeHost(region->cell));
		free(region);
	}
	while (w->hosts) {
		struct m_host *host = w->hosts;

		w->hosts = host->next;
		free(host);
	}
	for (int i = 0; i < w->handle_count; i++)
		free(w->handles[i]);
	CHECKED(w, musaSuccess, musaStreamDestroy(w->stream[0]));
	CHECKED(w, musaSuccess, musaStreamDestroy(w->stream[1]));
	CHECKED(w, musaSuccess, musaEventDestroy(w->event));
}

static void run_sequence(uint64_t seed)
{
	struct world *w = calloc(1, sizeof(*w));

	w->seed = seed;
	w->state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	w->stream[0] = t_stream();
	w->stream[1] = t_stream();
	CHECKED(w, musaSuccess, musaEventCreate(&w->event));
	for (w->step = 0; w->step < 120; w->step++)
		do_step(w);
	finish(w);
	free(w);
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* The library and the model agree on results and errors of random programs. */
Test(model, random_sequences)
{
	uint64_t first = number_of("MODEL_SEED", 1), count = number_of("MODEL_SEQUENCES", 300);

	for (uint64_t seed = first; seed < first + count; seed++)
		run_sequence(seed);
}

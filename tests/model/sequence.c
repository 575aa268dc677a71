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

#include "mtgraph.h"
#include "world.h"

static void MUSART_CB wait_for_gate(void *gate)
{
	sem_wait(gate);
}

/* What follows in the launches' stream does not start before sync_and_compare(). */
static void do_hold(struct world *w)
{
	if (w->held)
		return;
	CHECKED(w, musaSuccess, musaLaunchHostFunc(w->stream[0], wait_for_gate, &w->gate));
	w->held = true;
}

static void sync_and_compare(struct world *w)
{
	if (w->held)
		sem_post(&w->gate);
	w->held = false;
	CHECKED(w, musaSuccess, musaDeviceSynchronize());
	for (struct m_region *r = w->regions; r; r = r->next)
		for (int i = 0; i < M_NODES; i++)
			cr_assert_eq(r->cell[i], r->want[i],
				     "seed %llu step %d: cell %d is %u, not %u",
				     (unsigned long long)w->seed, w->step, i, r->cell[i], r->want[i]);
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
		w_add_conditional(w, g, random_deps(w, g));
	else if (kind >= 36)
		w_add_child(w, g, random_deps(w, g));
	else if (kind >= 34)
		w_add_plain(w, g, kind == 34 ? M_RECORD : M_WAIT, random_deps(w, g));
	else
		w_add_plain(w, g, (enum m_kind)(kind % (M_EMPTY + 1)), random_deps(w, g));
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
		n->a = w_pick_input(w, g, at);
		n->b = w_pick_input(w, g, at);
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

	if (g->count && n->child && below(w, 2)) {
		g = n->child;
		at = (int)below(w, (uint32_t)g->count);
		n = &g->node[at];
	}
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
		fill = w_make_fill(g, n);
		CHECKED(w, musaSuccess, musaGraphMemsetNodeSetParams(n->node, &fill));
		break;
	case M_HOST:
		n->host = w_new_host(w, g, at, n->a, n->v);
		host.fn = w_run_host;
		host.userData = n->host;
		CHECKED(w, musaSuccess, musaGraphHostNodeSetParams(n->node, &host));
		break;
	default:
		w_make_kernel(&k, g, n);
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
		fill = w_make_fill(copy, n);
		CHECKED(w, musaSuccess, musaGraphExecMemsetNodeSetParams(e->exec, n->node, &fill));
		break;
	case M_HOST:
		n->host = w_new_host(w, copy, at, n->a, n->v);
		host.fn = w_run_host;
		host.userData = n->host;
		CHECKED(w, musaSuccess, musaGraphExecHostNodeSetParams(e->exec, n->node, &host));
		break;
	default:
		w_make_kernel(&k, copy, n);
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

/* One operation on a capturing stream becomes node `at` of the model, behind the stream's set. */
static void capture_op(struct world *w, struct m_graph *g, musaStream_t stream, uint64_t *set)
{
	enum m_kind kind = (enum m_kind)below(w, M_HOST + 1);
	struct m_node *n = w_start_node(g, kind, *set);
	int at = g->count;
	struct kernel_args k;
	const dim3 one = {1, 1, 1};

	g->count++;
	n->a = w_pick_input(w, g, at);
	n->b = w_pick_input(w, g, at);
	n->v = next(w);
	switch (kind) {
	case M_COPY:
		CHECKED(w, musaSuccess,
			musaMemcpyAsync(&g->region->cell[at], &g->region->cell[n->a], 4,
					musaMemcpyDefault, stream));
		break;
	case M_FILL:
		n->v = (n->v & 0xff) * 0x01010101u;
		CHECKED(w, musaSuccess,
			musaMemsetAsync(&g->region->cell[at], (int)(n->v & 0xff), 4, stream));
		break;
	case M_HOST:
		n->host = w_new_host(w, g, at, n->a, n->v);
		CHECKED(w, musaSuccess, musaLaunchHostFunc(stream, w_run_host, n->host));
		break;
	default:
		w_make_kernel(&k, g, n);
		CHECKED(w, musaSuccess,
			musaLaunchKernel(k.params.func, one, one, k.params.kernelParams, 0, stream));
		break;
	}
	*set = UINT64_C(1) << at;
	g->shape++;
}

static void wait_for(struct world *w, musaStream_t waiter, musaStream_t other)
{
	musaEvent_t event;

	CHECKED(w, musaSuccess, musaEventCreateWithFlags(&event, musaEventDisableTiming));
	CHECKED(w, musaSuccess, musaEventRecord(event, other));
	CHECKED(w, musaSuccess, musaStreamWaitEvent(waiter, event, 0));
	CHECKED(w, musaSuccess, musaEventDestroy(event));
}

/* A graph from work captured on two streams. */
static void do_capture(struct world *w, int slot)
{
	struct m_graph *g = calloc(1, sizeof(*g));
	musaGraphNode_t nodes[M_NODES];
	size_t count = M_NODES;
	uint64_t set[2] = {0, 0};
	bool forked = false;

	g->region = w_new_region(w);
	CHECKED(w, musaSuccess,
		musaStreamBeginCapture(w->stream[0], musaStreamCaptureModeRelaxed));
	for (int i = (int)below(w, 14); i > 0; i--) {
		uint32_t what = below(w, 8);

		if (what == 0) {
			wait_for(w, w->stream[1], w->stream[0]);
			set[1] |= set[0];
			forked = true;
		} else if (what == 1 && forked) {
			wait_for(w, w->stream[0], w->stream[1]);
			set[0] |= set[1];
		} else {
			int s = forked ? (int)below(w, 2) : 0;

			capture_op(w, g, w->stream[s], &set[s]);
		}
	}
	if (forked)
		wait_for(w, w->stream[0], w->stream[1]);
	CHECKED(w, musaSuccess, musaStreamEndCapture(w->stream[0], &g->graph));
	CHECKED(w, musaSuccess, musaGraphGetNodes(g->graph, nodes, &count));
	cr_assert_eq(count, (size_t)g->count, "seed %llu step %d: %zu nodes captured, not %d",
		     (unsigned long long)w->seed, w->step, count, g->count);
	for (int i = 0; i < g->count; i++)
		g->node[i].node = nodes[i];
	w->graph[slot] = g;
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
		if (what < 40) {
			w->graph[slot] = w_new_graph(w);
		} else if (what < 80) {
			do_capture(w, slot);
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
	else if (what < 98 && e->copy)
		do_destroy_exec(w, e);
	else if (what >= 98)
		do_hold(w);
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
	sem_destroy(&w->gate);
}

static void run_sequence(uint64_t seed)
{
	struct world *w = calloc(1, sizeof(*w));

	w->seed = seed;
	w->state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	w->stream[0] = t_stream();
	w->stream[1] = t_stream();
	CHECKED(w, musaSuccess, musaEventCreate(&w->event));
	sem_init(&w->gate, 0, 0);
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

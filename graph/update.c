/* SPDX-License-Identifier: MIT */
/*
 * Whole updates: pair the nodes of two graphs, check every pair, then change all that differ.
 *
 * Nodes pair from the sinks: sinks in their list order, then each pair's dependencies in edge order.
 * If both graphs have the same edges between the same positions, that pairs equal positions, and
 * nothing needs to be looked up; this is also found out on the way, node by node.
 */
#include <string.h>

#include "graph/exec_conditional.h"
#include "graph/graph_memory.h"
#include "graph/trace.h"
#include "graph/update.h"
#include "graph/user_object.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"

/* A graph of the exec and the one that updates it. */
struct graph_pair {
	uint32_t index; /* in exec->graphs */
	struct mt_graph *graph;
};

/* Memory of an exec's updates, kept so that a steady state allocates nothing. */
struct mt_update_scratch {
	struct mt_update_change *changes;
	uint32_t change_count, change_capacity;
	struct graph_pair *pairs;
	uint32_t pair_count, pair_capacity;
	uint32_t *words; /* of one pairing */
	size_t word_capacity;
};

struct update {
	struct mt_exec *exec;
	struct mt_update_scratch *scratch;
	struct mt_update_report *report;
	struct mt_update_reason *reason;
};

void mt_update_scratch_free(struct mt_exec *exec)
{
	struct mt_update_scratch *scratch = exec->scratch;

	if (!scratch)
		return;
	mt_free(scratch->changes);
	mt_free(scratch->pairs);
	mt_free(scratch->words);
	mt_free(scratch);
	exec->scratch = NULL;
}

static void *grow(void *array, uint32_t count, uint32_t *capacity, size_t size_b)
{
	uint32_t more;

	if (count < *capacity)
		return array;
	more = *capacity ? *capacity * 2 : 16;
	array = mt_realloc(array, more * size_b);
	if (array)
		*capacity = more;
	return array;
}

/* Notes the reason and returns the refusal. What led to it stands in u->reason. */
static MUresult refuse(struct update *u, uint32_t result, const struct mt_graph *graph,
		       const struct mt_node *node, const struct mt_node *from)
{
	u->report->result = result;
	u->report->node = node ? (MUgraphNode)(uintptr_t)mt_node_handle(graph, node) : NULL;
	u->report->from = from ? (MUgraphNode)(uintptr_t)mt_node_handle(graph, from) : NULL;
	return MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

static MUresult refuse_param(struct update *u, uint32_t result, enum mt_update_param param,
			     const struct mt_exec_node *record, const struct mt_graph *graph,
			     const struct mt_node *node)
{
	mt_update_explain(u->exec, record, &node->op, param, u->reason);
	return refuse(u, result, graph, node, NULL);
}

/* The graphs have other shapes; node and from may be NULL. */
static MUresult refuse_topology(struct update *u, enum mt_update_param param, uint64_t now,
				uint64_t next, const struct mt_graph *graph,
				const struct mt_node *node, const struct mt_node *from)
{
	mt_update_explain_counts(param, now, next, u->reason);
	return refuse(u, MU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, graph, node, from);
}

static MUresult push_pair(struct update *u, uint32_t index, struct mt_graph *graph)
{
	struct mt_update_scratch *scratch = u->scratch;
	struct graph_pair *pairs = grow(scratch->pairs, scratch->pair_count,
					&scratch->pair_capacity, sizeof(*pairs));

	if (!pairs)
		return MUSA_ERROR_OUT_OF_MEMORY;
	scratch->pairs = pairs;
	pairs[scratch->pair_count].index = index;
	pairs[scratch->pair_count++].graph = graph;
	return MUSA_SUCCESS;
}

static MUresult push_change(struct update *u, struct mt_exec_node *node, const struct mt_op *op)
{
	struct mt_update_scratch *scratch = u->scratch;
	struct mt_update_change *changes = grow(scratch->changes, scratch->change_count,
						&scratch->change_capacity, sizeof(*changes));

	if (!changes)
		return MUSA_ERROR_OUT_OF_MEMORY;
	scratch->changes = changes;
	changes[scratch->change_count++] = (struct mt_update_change){ .node = node, .op = op,
								      .with_attrs = true };
	return MUSA_SUCCESS;
}

/* --- one pair of nodes -------------------------------------------------------------------------- */

static MUresult check_conditional(struct update *u, struct mt_exec_node *record,
				  const struct mt_graph *graph, const struct mt_node *node)
{
	const struct mt_conditional *next = node->op.graph;
	const struct mt_exec_cond *cond = record->op.graph;
	MUresult ret = MUSA_SUCCESS;
	uint32_t i;

	if (cond->type != next->type || cond->size != next->size)
		return refuse_param(u, MU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED,
				    cond->type != next->type ? MT_UPDATE_CONDITIONAL_TYPE
							     : MT_UPDATE_CONDITIONAL_BODIES,
				    record, graph, node);
	for (i = 0; i < cond->size && !ret; i++)
		ret = push_pair(u, cond->bodies[i], next->bodies[i]);
	if (!ret && !mt_exec_cond_is_same(cond, graph, next))
		ret = push_change(u, record, &node->op);
	return ret;
}

/* `differs`: the parameters are known to. */
static MUresult check_pair(struct update *u, struct mt_exec_node *record,
			   const struct mt_graph *graph, const struct mt_node *node, bool differs)
{
	const struct mt_op *op = &node->op;
	enum mt_update_param param;
	uint32_t result;

	if (record->op.type != op->type)
		return refuse_param(u, MU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, MT_UPDATE_TYPE,
				    record, graph, node);
	if (op->type == MT_OP_CHILD)
		return push_pair(u,
				 (uint32_t)((struct mt_exec_graph *)record->op.graph -
					    u->exec->graphs),
				 ((struct mt_child *)op->graph)->graph);
	if (op->type == MT_OP_CONDITIONAL)
		return check_conditional(u, record, graph, node);
	/* What is the same may stay. */
	if (!differs && mt_update_is_same(u->exec, record, op))
		return MUSA_SUCCESS;
	result = mt_update_check(u->exec, record, op, true, &param);
	return result ? refuse_param(u, result, param, record, graph, node)
		      : push_change(u, record, op);
}

/* --- pairing ------------------------------------------------------------------------------------ */

/* A node's own dependencies in the exec: ids are list[i] - base. A child node's stand at the start of
 * its graph, and what stands for "root of a child graph" is left out. */
static uint32_t exec_deps(const struct mt_exec *exec, const struct mt_exec_graph *where,
			  uint32_t id, const uint32_t **list_out)
{
	uint32_t number = where->base + id, count;

	if (exec->nodes[number].op.type == MT_OP_CHILD &&
	    !(exec->nodes[number].state & MT_EXEC_NODE_ABSENT))
		number = ((const struct mt_exec_graph *)exec->nodes[number].op.graph)->start;
	*list_out = exec->deps + exec->dep_start[number];
	count = exec->dep_start[number + 1] - exec->dep_start[number];
	return count == 1 && (*list_out)[0] == where->start ? 0 : count;
}

static inline bool same_deps(const struct mt_exec *exec, const struct mt_exec_graph *where,
		      struct mt_node *node)
{
	const uint32_t *theirs = mt_id_list_data(&node->deps), *ours;
	uint32_t number = where->base + node->id, count, i;

	/* The common case first: an ordinary node of a graph that is not embedded. */
	if (where->start == MT_EXEC_NONE && exec->nodes[number].op.type != MT_OP_CHILD) {
		ours = exec->deps + exec->dep_start[number];
		count = exec->dep_start[number + 1] - exec->dep_start[number];
	} else {
		count = exec_deps(exec, where, node->id, &ours);
	}
	if (count != node->deps.count)
		return false;
	for (i = 0; i < count; i++)
		if (ours[i] - where->base != theirs[i])
			return false;
	return true;
}

/* Pairs equal positions while checking them. *done_out is false if the graphs differ in their edges,
 * and then nothing has been decided. */
static MUresult check_in_place(struct update *u, const struct mt_exec_graph *where,
			       struct mt_graph *graph, bool *done_out)
{
	struct mt_update_scratch *scratch = u->scratch;
	uint32_t changes = scratch->change_count, pairs = scratch->pair_count, id;
	struct mt_exec_node *record;
	struct mt_node *node;
	bool kernels;
	MUresult ret = MUSA_SUCCESS;

	*done_out = false;
	if (graph->id_count != where->id_count)
		return MUSA_SUCCESS;
	for (id = 0; id < where->id_count; id++) {
		record = &u->exec->nodes[where->base + id];
		node = mt_graph_node(graph, id);
		if (node->dead != (bool)(record->state & MT_EXEC_NODE_ABSENT) ||
		    (!node->dead && !same_deps(u->exec, where, node))) {
			scratch->change_count = changes;
			scratch->pair_count = pairs;
			return MUSA_SUCCESS;
		}
		kernels = node->op.type == MT_OP_KERNEL && record->op.type == MT_OP_KERNEL;
		if (kernels && mt_update_same_kernel(u->exec, record, &node->op.kernel))
			continue;
		/* The first refusal counts, unless the edges turn out to differ. */
		if (!node->dead && !ret)
			ret = check_pair(u, record, graph, node, kernels);
	}
	*done_out = true;
	return ret;
}

/* State of a pairing by search: ids of the exec's graph by id of the new one, and back. */
struct pairing {
	const struct mt_exec_graph *where;
	struct mt_graph *graph;
	uint32_t *to_exec, *to_new;
	uint32_t *stack;
	uint32_t depth, paired;
};

static void pair(struct pairing *p, uint32_t new_id, uint32_t exec_id)
{
	p->to_exec[new_id] = exec_id;
	p->to_new[exec_id] = new_id;
	p->stack[p->depth++] = new_id;
	p->paired++;
}

static MUresult get_pairing(struct update *u, struct pairing *p)
{
	size_t words = (size_t)p->where->id_count + 2 * (size_t)p->graph->id_count + 1;
	uint32_t *memory = u->scratch->words;

	if (words > u->scratch->word_capacity) {
		memory = mt_realloc(memory, words * sizeof(*memory));
		if (!memory)
			return MUSA_ERROR_OUT_OF_MEMORY;
		u->scratch->words = memory;
		u->scratch->word_capacity = words;
	}
	p->to_new = memory;
	p->to_exec = p->to_new + p->where->id_count;
	p->stack = p->to_exec + p->graph->id_count;
	memset(p->to_new, 0xff, p->where->id_count * sizeof(*memory));
	memset(p->to_exec, 0xff, p->graph->id_count * sizeof(*memory));
	return MUSA_SUCCESS;
}

/* Marks the nodes of the exec's graph that something depends on, in to_new, with a value that is no
 * id and is taken back by clear_marks(). */
#define MARK (MT_EXEC_NONE - 1)

static void mark_inner(const struct mt_exec *exec, struct pairing *p)
{
	const uint32_t *list;
	uint32_t id, i, count;

	for (id = 0; id < p->where->id_count; id++) {
		count = exec_deps(exec, p->where, id, &list);
		for (i = 0; i < count; i++)
			p->to_new[list[i] - p->where->base] = MARK;
	}
}

static void clear_marks(struct pairing *p)
{
	uint32_t id;

	for (id = 0; id < p->where->id_count; id++)
		if (p->to_new[id] == MARK)
			p->to_new[id] = MT_EXEC_NONE;
}

static MUresult pair_sinks(struct update *u, struct pairing *p)
{
	const struct mt_exec_node *nodes = u->exec->nodes + p->where->base;
	struct mt_node *node, *extra = NULL;
	uint32_t id = 0;

	mark_inner(u->exec, p);
	mt_graph_for_each_node(p->graph, node) {
		if (node->dependents.count)
			continue;
		while (id < p->where->id_count && (p->to_new[id] == MARK ||
						   (nodes[id].state & MT_EXEC_NODE_ABSENT)))
			id++;
		if (id == p->where->id_count) {
			extra = node;
			break;
		}
		pair(p, node->id, id++);
	}
	clear_marks(p);
	if (extra)
		return refuse_topology(u, MT_UPDATE_SINKS, p->paired, p->paired + 1, p->graph, extra,
				       NULL);
	return MUSA_SUCCESS;
}

static MUresult pair_deps(struct update *u, struct pairing *p, struct mt_node *node)
{
	const uint32_t *theirs = mt_id_list_data(&node->deps), *ours;
	uint32_t count = exec_deps(u->exec, p->where, p->to_exec[node->id], &ours), i, id;

	if (count != node->deps.count)
		return refuse_topology(u, MT_UPDATE_DEPENDENCIES, count, node->deps.count, p->graph,
				       node, NULL);
	for (i = 0; i < count; i++) {
		id = ours[i] - p->where->base;
		if (p->to_exec[theirs[i]] == id)
			continue;
		if (p->to_exec[theirs[i]] != MT_EXEC_NONE || p->to_new[id] != MT_EXEC_NONE)
			return refuse_topology(u, MT_UPDATE_EDGE, id, theirs[i], p->graph, node,
					       mt_graph_node(p->graph, theirs[i]));
		pair(p, theirs[i], id);
	}
	return MUSA_SUCCESS;
}

static MUresult check_by_search(struct update *u, const struct mt_exec_graph *where,
				struct mt_graph *graph)
{
	struct pairing p = { .where = where, .graph = graph };
	struct mt_node *node;
	MUresult ret;

	if (graph->node_count != where->node_count)
		return refuse_topology(u, MT_UPDATE_NODES, where->node_count, graph->node_count, NULL,
				       NULL, NULL);
	ret = get_pairing(u, &p);
	if (!ret)
		ret = pair_sinks(u, &p);
	while (!ret && p.depth)
		ret = pair_deps(u, &p, mt_graph_node(graph, p.stack[--p.depth]));
	if (ret)
		return ret;
	/* Nodes from which no sink is reached lie on cycles or above them. */
	if (p.paired != graph->node_count)
		return refuse_topology(u, MT_UPDATE_SINKS, p.paired, graph->node_count, NULL, NULL,
				       NULL);
	for (node = mt_graph_next(graph, 0); node && !ret;
	     node = mt_graph_next(graph, node->id + 1))
		ret = check_pair(u, &u->exec->nodes[where->base + p.to_exec[node->id]], graph,
				 node, false);
	return ret;
}

/* --- whole -------------------------------------------------------------------------------------- */

/* Fills the list of changes from all pairs of graphs, nested ones as they are found. */
static MUresult check_all(struct update *u, uint32_t index, struct mt_graph *graph, bool in_order)
{
	const struct mt_exec_graph *where;
	struct graph_pair next;
	uint32_t i;
	bool done;
	MUresult ret = push_pair(u, index, graph);

	for (i = 0; i < u->scratch->pair_count && !ret; i++) {
		next = u->scratch->pairs[i];
		where = &u->exec->graphs[next.index];
		ret = check_in_place(u, where, next.graph, &done);
		if (done || ret)
			continue;
		if (in_order)
			return refuse_topology(u, MT_UPDATE_NODES, where->node_count,
					       next.graph->node_count, NULL, NULL, NULL);
		ret = check_by_search(u, where, next.graph);
	}
	return ret;
}

static bool is_memory(const struct mt_op *op)
{
	return op->type == MT_OP_ALLOC || op->type == MT_OP_FREE;
}

/* Gets all memory, so that nothing can fail half-way. */
static MUresult prepare_all(struct update *u)
{
	struct mt_update_scratch *scratch = u->scratch;
	struct mt_update_change *change;
	uint32_t i, entry_b, largest_b = 0, conds = 0, memories = 0;
	uint64_t bytes = 0;
	MUresult ret = MUSA_SUCCESS;

	for (i = 0; i < scratch->change_count && !ret; i++) {
		change = &scratch->changes[i];
		ret = mt_update_prepare(u->exec, change);
		entry_b = mt_patch_entry_b(change->node, change->move.room_b ? change->move.room_b
									     : change->node->data_b);
		conds += change->op->type == MT_OP_CONDITIONAL;
		memories += is_memory(change->op);
		bytes += entry_b;
		if (entry_b > largest_b)
			largest_b = entry_b;
	}
	if (!ret && conds)
		ret = mt_exec_conds_prepare(u->exec, conds);
	if (!ret && memories)
		ret = mt_exec_memory_prepare(u->exec, memories);
	if (!ret && scratch->change_count && mt_patch_must_stage(u->exec))
		ret = mt_patch_reserve(u->exec, bytes, largest_b);
	return ret;
}

static MUresult commit_all(struct update *u)
{
	struct mt_update_change *change;
	MUresult ret = MUSA_SUCCESS;
	uint32_t i;

	for (i = 0; i < u->scratch->change_count && !ret; i++) {
		change = &u->scratch->changes[i];
		if (change->op->type == MT_OP_CONDITIONAL)
			ret = mt_exec_cond_update(u->exec, change);
		else if (is_memory(change->op))
			mt_exec_memory_replace(u->exec, change->node, change->op->graph);
		else
			ret = mt_update_commit(u->exec, change);
	}
	return ret;
}

/* What the exec will hold: the user objects of the new graphs, and of those that stay. */
static MUresult share_user_objects(struct update *u, uint32_t index, struct mt_user_refs **refs)
{
	MUresult ret = mt_user_refs_share_outside(refs, u->exec, index);
	uint32_t i;

	for (i = 0; i < u->scratch->pair_count && !ret; i++)
		ret = mt_user_refs_share(refs, u->scratch->pairs[i].graph,
					 u->scratch->pairs[i].index);
	return ret;
}

static MUresult update(struct mt_exec *exec, uint32_t index, struct mt_graph *graph, bool in_order,
		       struct mt_update_report *report, struct mt_update_reason *reason)
{
	struct update u = { .exec = exec, .report = report, .reason = reason };
	struct mt_user_refs *refs = NULL;
	MUresult ret;

	if (!exec->scratch)
		exec->scratch = mt_calloc(1, sizeof(*exec->scratch));
	u.scratch = exec->scratch;
	if (!u.scratch)
		return MUSA_ERROR_OUT_OF_MEMORY;
	u.scratch->change_count = 0;
	u.scratch->pair_count = 0;
	ret = check_all(&u, index, graph, in_order);
	if (!ret)
		ret = share_user_objects(&u, index, &refs);
	if (!ret)
		ret = prepare_all(&u);
	if (!ret)
		ret = commit_all(&u);
	if (ret)
		mt_user_refs_drop(refs);
	else
		mt_user_refs_replace(exec, refs);
	reason->changed = u.scratch->change_count;
	return ret;
}

/* The result of a whole update; *reason is filled where it was refused. */
static MUresult update_all(MUgraphExec exec_handle, MUgraph graph_handle,
			   struct mt_update_report *report, struct mt_update_reason *reason)
{
	struct mt_graph *graph;
	struct mt_exec *exec;
	MUresult ret = mt_exec_get(exec_handle, &exec);

	if (ret || mt_graph_get(graph_handle, &graph))
		return MUSA_ERROR_INVALID_VALUE;
	report->result = MU_GRAPH_EXEC_UPDATE_ERROR;
	report->node = NULL;
	report->from = NULL;
	if (graph->role != MT_GRAPH_ROOT)
		return MUSA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&exec->lock);
	ret = update(exec, 0, graph, false, report, reason);
	pthread_mutex_unlock(&exec->lock);
	if (!ret)
		report->result = MU_GRAPH_EXEC_UPDATE_SUCCESS;
	if (ret == MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
		mt_log(MT_LOG_INFO, "graph exec update refused: result %u at node %u: %s is %s, not %s",
		       report->result, mt_handle_sub_index((uintptr_t)report->node), reason->name,
		       reason->next, reason->now);
	return ret;
}

MUresult mt_exec_update(MUgraphExec exec, MUgraph graph, struct mt_update_report *report)
{
	struct mt_update_reason reason = { .node = MT_EXEC_NONE };
	uint64_t start_ns;
	MUresult ret;

	if (!mt_tracing())
		return update_all(exec, graph, report, &reason);
	report->node = NULL;
	start_ns = mt_trace_now_ns();
	ret = update_all(exec, graph, report, &reason);
	mt_trace_update(exec, graph, ret, report, &reason, start_ns);
	return ret;
}

static MUresult set_child(MUgraphExec exec_handle, MUgraphNode node_handle, MUgraph child,
			  struct mt_update_report *report, struct mt_update_reason *reason)
{
	struct mt_exec_node *node;
	struct mt_graph *graph;
	struct mt_exec *exec;
	MUresult ret = mt_exec_get(exec_handle, &exec);

	if (ret || mt_graph_get(child, &graph))
		return MUSA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&exec->lock);
	ret = mt_exec_find_node(exec, node_handle, &node);
	if (!ret && node->op.type != MT_OP_CHILD)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = update(exec,
			     (uint32_t)((struct mt_exec_graph *)node->op.graph - exec->graphs),
			     graph, true, report, reason);
	pthread_mutex_unlock(&exec->lock);
	return ret;
}

MUresult mt_exec_set_child(MUgraphExec exec, MUgraphNode node, MUgraph child)
{
	struct mt_update_reason reason = { .node = MT_EXEC_NONE };
	struct mt_update_report report = { .node = NULL };
	uint64_t start_ns = mt_tracing() ? mt_trace_now_ns() : 0;
	MUresult ret = set_child(exec, node, child, &report, &reason);

	if (mt_tracing())
		mt_trace_node_update(exec, node, "child graph", ret, &reason, start_ns);
	return ret;
}

/* SPDX-License-Identifier: MIT */
/*
 * Packets of conditional nodes: branches to the bodies, the way back, the default value.
 */
#include "graph/exec_conditional.h"

#include <string.h>

#include "graph/conditional_build.h"
#include "graph/conditional_words.h"
#include "hw/base/alloc.h"

#define COND_B ((uint32_t)sizeof(struct mt_pkt_cond))
#define JUMP_B ((uint32_t)sizeof(struct mt_pkt_jump))
#define BODIES_MAX 200u /* bodies of one node: its packets stay together */

MUresult mt_exec_cond_add(struct mt_compile *c, const struct mt_graph *graph, uint32_t graph_index,
			  const struct mt_node *node, uint32_t number, struct mt_exec_cond **out)
{
	const struct mt_conditional *from = node->op.graph;
	const struct mt_cond_handle *handle = mt_cond_handle_find(graph, from->handle);
	struct mt_exec *exec = c->exec;
	struct mt_exec_cond *cond;

	if (!handle) /* of a graph that is gone: cannot be set any more */
		return mt_compile_refuse(c, MUSA_ERROR_INVALID_VALUE, MT_EXEC_ERROR, graph, node);
	if (from->size > BODIES_MAX)
		return mt_compile_refuse(c, MUSA_ERROR_NOT_SUPPORTED, MT_EXEC_NODE_NOT_SUPPORTED,
					 graph, node);
	cond = mt_arena_alloc(&exec->arena, sizeof(*cond), _Alignof(struct mt_exec_cond));
	if (cond)
		cond->bodies = mt_arena_alloc(&exec->arena, from->size * sizeof(uint32_t), 4);
	if (!cond || !cond->bodies)
		return MUSA_ERROR_OUT_OF_MEMORY;
	cond->handle = from->handle;
	cond->type = from->type;
	cond->size = from->size;
	cond->default_value = handle->default_value;
	cond->assign_default = handle->flags & MU_GRAPH_COND_ASSIGN_DEFAULT;
	cond->node = number;
	cond->graph = graph_index;
	mt_cond_word_ref(cond->handle);
	cond->next = exec->conds;
	exec->conds = cond;
	*out = cond;
	return MUSA_SUCCESS;
}

static void drop_held(struct mt_exec *exec)
{
	while (exec->held_count)
		mt_cond_word_unref(exec->held_words[--exec->held_count]);
}

void mt_exec_conds_release(struct mt_exec *exec)
{
	struct mt_exec_cond *cond;

	drop_held(exec);
	mt_free(exec->held_words);
	exec->held_words = NULL;
	for (cond = exec->conds; cond; cond = cond->next)
		mt_cond_word_unref(cond->handle);
	exec->conds = NULL;
}

static uint32_t branch_count(const struct mt_exec_cond *cond)
{
	return cond->type == MU_GRAPH_COND_TYPE_SWITCH ? cond->size : 1;
}

static bool has_jump(const struct mt_exec_cond *cond)
{
	return cond->type == MU_GRAPH_COND_TYPE_WHILE ||
	       (cond->type == MU_GRAPH_COND_TYPE_IF && cond->size == 2);
}

uint32_t mt_exec_cond_packet_b(const struct mt_exec_cond *cond)
{
	return branch_count(cond) * COND_B + (has_jump(cond) ? JUMP_B : 0);
}

void mt_exec_cond_emit(struct mt_exec *exec, struct mt_exec_cond *cond, uint64_t passes_va,
		       struct mt_chain_writer *writer)
{
	struct mt_exec_node *record = &exec->nodes[cond->node];
	uint32_t size_b = record->packet_b, i;
	struct mt_pkt_cond packet = { .word_va = cond->handle };
	void *at = mt_chain_writer_room(writer, size_b);

	if (writer->status)
		return;
	record->packet = mt_chain_writer_place(writer);
	cond->packets = at;
	cond->top_va = mt_chain_writer_va(writer);
	cond->behind_va = cond->top_va + size_b;
	packet.compare = MT_PKT_EQ;
	packet.target_va = cond->behind_va; /* until the bodies are linked */
	if (cond->type == MU_GRAPH_COND_TYPE_IF)
		packet.compare = MT_PKT_NE;
	if (cond->type == MU_GRAPH_COND_TYPE_WHILE)
		packet.passes_va = passes_va;
	for (i = 0; i < branch_count(cond); i++) {
		packet.header.node = cond->node;
		packet.value = cond->type == MU_GRAPH_COND_TYPE_SWITCH ? i : 0;
		at = mt_pkt_put_cond(at, MT_PKT_BARRIER, cond->node, &packet);
	}
	if (has_jump(cond))
		at = mt_pkt_put_jump(at, 0, cond->node, cond->behind_va);
	mt_chain_writer_advance(writer, at);
}

uint64_t mt_exec_cond_link(struct mt_exec_cond *cond, uint32_t body, uint64_t start_va)
{
	struct mt_pkt_cond *branch = (void *)(cond->packets + (size_t)body * COND_B);
	struct mt_pkt_jump *jump = (void *)(cond->packets + COND_B);

	if (cond->type == MU_GRAPH_COND_TYPE_WHILE) {
		jump->target_va = start_va;
		return cond->top_va;
	}
	if (cond->type == MU_GRAPH_COND_TYPE_IF && body == 1)
		jump->target_va = start_va;
	else
		branch->target_va = start_va;
	return cond->behind_va;
}

void *mt_exec_cond_put_reset(const struct mt_exec_cond *cond, void *at)
{
	struct mt_pkt_fill packet = {
		.header = { .node = cond->node },
		.dst_va = cond->handle,
		.width_b = sizeof(uint32_t),
		.height = 1,
		.depth = 1,
		.value = cond->default_value,
		.element_b = sizeof(uint32_t),
	};

	if (!cond->assign_default)
		return mt_pkt_put_nop(at, 0, cond->node, MT_EXEC_COND_RESET_B / 8);
	return mt_pkt_put_fill(at, &packet);
}

bool mt_exec_cond_is_same(const struct mt_exec_cond *cond, const struct mt_graph *graph,
			  const struct mt_conditional *next)
{
	const struct mt_cond_handle *handle = mt_cond_handle_find(graph, next->handle);

	return cond->handle == next->handle &&
	       (!handle || (cond->default_value == handle->default_value &&
			    cond->assign_default ==
				    (bool)(handle->flags & MU_GRAPH_COND_ASSIGN_DEFAULT)));
}

/* A launch may still read or write an old word, so it is kept until the exec is seen idle. */
MUresult mt_exec_conds_prepare(struct mt_exec *exec, uint32_t count)
{
	uint64_t *words;

	if (!exec->patch.oldest && mt_exec_is_idle(exec))
		drop_held(exec);
	if (exec->held_count + count <= exec->held_capacity)
		return MUSA_SUCCESS;
	words = mt_realloc(exec->held_words, (exec->held_count + count) * sizeof(*words));
	if (!words)
		return MUSA_ERROR_OUT_OF_MEMORY;
	exec->held_words = words;
	exec->held_capacity = exec->held_count + count;
	return MUSA_SUCCESS;
}

MUresult mt_exec_cond_update(struct mt_exec *exec, const struct mt_update_change *change)
{
	const struct mt_conditional *next = change->op->graph;
	const struct mt_cond_handle *handle = mt_cond_word_handle(next->handle);
	struct mt_exec_cond *cond = change->node->op.graph;
	struct mt_patch_target target;
	struct mt_pkt_cond *branches;
	uint32_t i;
	MUresult ret = mt_patch_target(exec, change->node, &change->move, &target);

	if (ret)
		return ret;
	if (cond->handle != next->handle) {
		exec->held_words[exec->held_count++] = cond->handle;
		mt_cond_word_ref(next->handle);
	}
	cond->handle = next->handle;
	if (handle) {
		cond->default_value = handle->default_value;
		cond->assign_default = handle->flags & MU_GRAPH_COND_ASSIGN_DEFAULT;
	}
	branches = (void *)target.packet;
	for (i = 0; i < branch_count(cond); i++)
		branches[i].word_va = cond->handle;
	mt_exec_cond_put_reset(cond, target.data);
	return MUSA_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Conditional nodes in an exec. The command processor runs them: the node is a few COND and JUMP
 * packets in its lane, each body a chain that jumps back.
 *
 *	IF       COND word != 0 -> body 0;  with two bodies: JUMP body 1
 *	WHILE    top: COND word == 0 -> behind (counts passes);  JUMP body 0;  the body jumps to top
 *	SWITCH   COND word == n -> body n, for each n
 *
 * Other bodies jump behind the node's packets. The prologue has one packet per conditional node, which
 * gives the word its default value at each launch, or does nothing.
 */
#ifndef MT_GRAPH_EXEC_CONDITIONAL_H
#define MT_GRAPH_EXEC_CONDITIONAL_H

#include "graph/compile.h"
#include "graph/update.h"

#define MT_EXEC_COND_RESET_B ((uint32_t)sizeof(struct mt_pkt_fill))

struct mt_exec_cond {
	struct mt_exec_cond *next;
	uint64_t handle;           /* address of the word; a reference is held */
	uint32_t type, size;
	uint32_t default_value;
	bool assign_default;
	uint32_t node, graph;      /* its number, and the exec graph that it stands in */
	uint32_t *bodies;          /* exec graphs of the bodies */
	uint8_t *packets;          /* CPU view while the chain is written */
	uint64_t top_va, behind_va;
};

/* Takes over a conditional node of the template; its bodies become units. */
MUresult mt_exec_cond_add(struct mt_compile *c, const struct mt_graph *graph, uint32_t graph_index,
			  const struct mt_node *node, uint32_t number, struct mt_exec_cond **out);

uint32_t mt_exec_cond_packet_b(const struct mt_exec_cond *cond);

/* Writes the node's packets, whose bodies are not known yet; `passes_va` is a loop's counter. */
void mt_exec_cond_emit(struct mt_exec *exec, struct mt_exec_cond *cond, uint64_t passes_va,
		       struct mt_chain_writer *writer);

/* A body's chain begins at `start_va`: links it; where it has to jump at its end. */
uint64_t mt_exec_cond_link(struct mt_exec_cond *cond, uint32_t body, uint64_t start_va);

/* Writes the packet of the prologue at `at`. */
void *mt_exec_cond_put_reset(const struct mt_exec_cond *cond, void *at);

/* Whether the exec's node uses this handle with the same default value. */
bool mt_exec_cond_is_same(const struct mt_exec_cond *cond, const struct mt_graph *graph,
			  const struct mt_conditional *next);

/* Gets memory for changes of `count` nodes. OUT_OF_MEMORY. */
MUresult mt_exec_conds_prepare(struct mt_exec *exec, uint32_t count);

/* Puts another handle or default value into effect. Prepared for. */
MUresult mt_exec_cond_update(struct mt_exec *exec, const struct mt_update_change *change);

void mt_exec_conds_release(struct mt_exec *exec); /* references to words */

#endif

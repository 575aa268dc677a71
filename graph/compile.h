/* SPDX-License-Identifier: MIT */
/*
 * State of one instantiation, shared by its passes: compile.c collects and checks, compile_emit.c
 * writes the chain, exec_conditional.c the packets around bodies.
 *
 * A *unit* is what is scheduled together: the root with its embedded child graphs, or a body with its
 * own. Units follow each other in the node numbers, parents before their bodies.
 */
#ifndef MT_GRAPH_COMPILE_H
#define MT_GRAPH_COMPILE_H

#include "graph/exec.h"
#include "graph/schedule.h"

struct mt_compile_unit {
	struct mt_graph *template;
	uint32_t graph_first, graph_end; /* in exec->graphs */
	uint32_t node_first, node_end;
	struct mt_exec_cond *cond;       /* NULL for the root */
	uint32_t body;                   /* which of its bodies */
};

struct mt_compile {
	struct mt_exec *exec;
	struct mt_exec_report *report;
	struct mt_graph **templates;     /* by exec graph; heap */
	uint32_t graph_capacity;
	struct mt_compile_unit *units;   /* heap */
	uint32_t unit_count, unit_capacity;
	uint64_t edge_count;             /* upper bound */
	uint8_t *sched_flags;            /* by node; a block */
	int32_t *priority;               /* by node, or NULL; heap */
	uint32_t *ref_nodes;             /* nodes that hold references; heap */
	uint32_t ref_capacity;
	uint32_t device;                 /* of the nodes seen so far, MT_EXEC_NONE before the first */
	uint32_t work_count;             /* kernels, copies and fills */
	bool has_memory;                 /* the root has memory nodes */
};

/* Notes why the instantiation is refused and returns `error`. `node` may be NULL. */
MUresult mt_compile_refuse(struct mt_compile *c, MUresult error, enum mt_exec_result result,
			   const struct mt_graph *graph, const struct mt_node *node);

/* Schedules the units and writes the chain. */
MUresult mt_compile_emit(struct mt_compile *c);

/* Priority of a kernel in the exec. */
int32_t mt_exec_kernel_priority(const struct mt_exec *exec, const struct mt_op *op);

#endif

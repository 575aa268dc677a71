/* SPDX-License-Identifier: MIT */
/*
 * A launch is executed from the pinned command buffer and from nothing else. These tests look behind
 * the public API, through the library's private table.
 */
#include <sys/mman.h>

#include "drv/table.h"
#include "graph/exec.h"
#include "graph/table.h"
#include "support.h"

/* Graph and exec memory are inaccessible while the launch runs. */
Test(chain, runs_without_the_hosts_objects, .timeout = 60)
{
	enum { COUNT = 300 };
	musaStream_t stream;
	musaGraph_t graph;
	musaGraphExec_t exec;
	musaGraphNode_t node = NULL;
	struct mt_graph *g;
	struct mt_exec *e;
	struct mt_arena *arenas[2];
	struct t_gate gate;
	int *log;

	mt_drv_table_v1.mt_arena_set_own_pages(true);
	stream = t_stream();
	log = t_ints(COUNT + 1);
	OK(musaGraphCreate(&graph, 0));
	for (int i = 0; i < COUNT; i++)
		node = t_add_append(graph, &node, i > 0, log, i);
	OK(musaGraphInstantiate(&exec, graph, 0));
	EQ(mt_graph_table_v1.mt_graph_get(graph, &g), MUSA_SUCCESS);
	EQ(mt_graph_table_v1.mt_exec_get(exec, &e), MUSA_SUCCESS);
	arenas[0] = &g->arena;
	arenas[1] = &e->arena;
	/* The arena records live in what they describe: copies survive the protection. */
	struct mt_arena copies[2] = {*arenas[0], *arenas[1]};

	gate = t_hold(stream);
	OK(musaGraphLaunch(exec, stream));
	for (int i = 0; i < 2; i++)
		EQ(mt_drv_table_v1.mt_arena_protect(&copies[i], PROT_NONE), 0);
	t_release(gate);
	OK(musaStreamSynchronize(stream));
	for (int i = 0; i < 2; i++)
		EQ(mt_drv_table_v1.mt_arena_protect(&copies[i], PROT_READ | PROT_WRITE), 0);

	EQ(t_read(log), COUNT);
	for (int i = 0; i < COUNT; i++)
		EQ(t_read(log + 1 + i), i);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

/* An overwritten opcode in the buffer is a device error: the engine really reads it there. */
Test(chain, an_overwritten_opcode_is_a_device_error, .timeout = 60)
{
	musaStream_t stream = t_stream();
	musaGraph_t graph;
	musaGraphExec_t exec;
	musaGraphNode_t node;
	struct mt_exec *e;
	struct mt_exec_node *record;
	struct mt_pkt_header *header;
	struct mt_hw_fault fault;
	struct mt_hw_device *hw;
	struct t_gate gate;
	int *value = t_ints(1);

	OK(musaGraphCreate(&graph, 0));
	node = t_add_put(graph, NULL, 0, value, 1);
	node = t_add_put(graph, &node, 1, value, 2);
	OK(musaGraphInstantiate(&exec, graph, 0));
	EQ(mt_graph_table_v1.mt_exec_get(exec, &e), MUSA_SUCCESS);
	EQ(mt_graph_table_v1.mt_exec_find_node(e, node, &record), MUSA_SUCCESS);
	gate = t_hold(stream);
	OK(musaGraphLaunch(exec, stream));
	header = mt_chain_cpu(&e->chain, record->packet);
	EQ(header->opcode, MT_PKT_OP_DISPATCH);
	header->opcode = 0xee;
	t_release(gate);
	EXPECT(musaErrorLaunchFailure, musaStreamSynchronize(stream));
	EXPECT(musaErrorLaunchFailure, musaStreamQuery(stream));
	hw = mt_drv_table_v1.mt_device_get(0);
	hw->ops->device_fault(hw, &fault);
	EQ(fault.code, MT_HW_FAULT_BAD_PACKET);
	EQ(fault.node, 1);
}

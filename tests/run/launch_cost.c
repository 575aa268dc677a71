/* SPDX-License-Identifier: MIT */
/* A launch costs the same whatever the size of the graph: counted, not timed. */
#include "drv/table.h"
#include "support.h"

struct cost {
	uint64_t allocations, packets;
};

static struct cost count_launch(musaGraphExec_t exec, musaStream_t stream)
{
	struct mt_alloc_stats before, after;
	uint64_t packets;

	mt_drv_table_v1.mt_alloc_stats_get(&before);
	packets = mt_drv_table_v1.mt_pkt_encoded_count();
	OK(musaGraphLaunch(exec, stream));
	mt_drv_table_v1.mt_alloc_stats_get(&after);
	packets = mt_drv_table_v1.mt_pkt_encoded_count() - packets;
	OK(musaStreamSynchronize(stream));
	return (struct cost){after.calls - before.calls, packets};
}

static struct cost cost_of_chain(int count)
{
	musaStream_t stream = t_stream();
	int *value = t_ints(1);
	musaGraphNode_t node = NULL;
	musaGraphExec_t exec;
	musaGraph_t graph;
	struct cost cost;

	OK(musaGraphCreate(&graph, 0));
	for (int i = 0; i < count; i++) {
		void *args[] = {&value};

		node = t_add_kernel(graph, &node, i > 0, kernel_inc, args);
	}
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	cost = count_launch(exec, stream);
	EQ(t_read(value), 2 * count);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	return cost;
}

/* No allocation, and as many packets for 16,384 nodes as for one. */
Test(launch_cost, is_constant_and_allocates_nothing, .timeout = 60)
{
	struct cost one = cost_of_chain(1), many = cost_of_chain(16384);

	EQ(one.allocations, 0);
	EQ(many.allocations, 0);
	EQ(many.packets, one.packets);
	cr_assert_leq(one.packets, 4);
}

/* Launches behind a blocked stream are accepted without waiting, 1,024 of them. */
Test(launch_cost, a_thousand_launches_do_not_block, .timeout = 60)
{
	musaStream_t stream = t_stream();
	int *value = t_ints(1);
	void *args[] = {&value};
	musaGraphExec_t exec;
	struct t_gate gate;
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_inc, args);
	OK(musaGraphInstantiate(&exec, graph, 0));
	gate = t_hold(stream);
	for (int i = 0; i < 1000; i++)
		OK(musaGraphLaunch(exec, stream));
	EXPECT(musaErrorNotReady, musaStreamQuery(stream));
	t_release(gate);
	OK(musaStreamSynchronize(stream));
	EQ(t_read(value), 1000);
}

// SPDX-License-Identifier: MIT
// oneTBB: a flow graph of continue nodes, built once and run again and again.
#include <deque>

#include <tbb/flow_graph.h>
#include <tbb/global_control.h>

#include "peer.h"

using namespace tbb::flow;

static char buffers[2][PEER_COPY_B];

int main(int argc, char **argv)
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	struct peer peer;
	size_t deps[PEER_LAYER];

	peer_parse(&peer, "oneTBB", argc, argv);

	bool copies = peer.shape == PEER_COPIES;
	double start = peer_now();
	graph graph;
	broadcast_node<continue_msg> root(graph);
	std::deque<continue_node<continue_msg>> nodes;

	for (size_t i = 0; i < peer.nodes; i++) {
		if (copies)
			nodes.emplace_back(graph, [](const continue_msg &) {
				memcpy(buffers[1], buffers[0], PEER_COPY_B);
			});
		else
			nodes.emplace_back(graph, [](const continue_msg &) {});
		size_t count = peer_deps(&peer, i, deps);
		for (size_t d = 0; d < count; d++)
			make_edge(nodes[deps[d]], nodes[i]);
		if (!count)
			make_edge(root, nodes[i]);
	}
	peer.build_ns = peer_now() - start;
	for (int r = -2; r < peer.repeats; r++) {
		double submitted;

		start = peer_now();
		root.try_put(continue_msg());
		submitted = peer_now();
		graph.wait_for_all();
		if (r < 0)
			continue;
		peer.replay_ns[r] = peer_now() - start;
		peer.submit_ns[r] = submitted - start;
	}
	peer_report(&peer);
	return 0;
}

// SPDX-License-Identifier: MIT
// Taskflow: one task per node, run again and again by an executor of two threads.
#include <vector>

#include <taskflow/taskflow.hpp>

#include "peer.h"

static char buffers[2][PEER_COPY_B];

int main(int argc, char **argv)
{
	struct peer peer;
	size_t deps[PEER_LAYER];

	peer_parse(&peer, "Taskflow", argc, argv);

	bool copies = peer.shape == PEER_COPIES;
	tf::Executor executor(2);
	tf::Taskflow flow;
	std::vector<tf::Task> tasks;
	double start = peer_now();

	for (size_t i = 0; i < peer.nodes; i++) {
		if (copies)
			tasks.push_back(flow.emplace(
				[]() { memcpy(buffers[1], buffers[0], PEER_COPY_B); }));
		else
			tasks.push_back(flow.emplace([]() {}));
		size_t count = peer_deps(&peer, i, deps);
		for (size_t d = 0; d < count; d++)
			tasks[deps[d]].precede(tasks[i]);
	}
	peer.build_ns = peer_now() - start;
	for (int r = -2; r < peer.repeats; r++) {
		start = peer_now();
		auto done = executor.run(flow);
		double submitted = peer_now();
		done.wait();
		if (r < 0)
			continue;
		peer.replay_ns[r] = peer_now() - start;
		peer.submit_ns[r] = submitted - start;
	}
	peer_report(&peer);
	return 0;
}

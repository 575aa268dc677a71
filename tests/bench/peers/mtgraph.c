/* SPDX-License-Identifier: MIT */
/* This project, measured the way the peers are. */
#include "peer.h"
#include "kernels.h"
#include "musa_runtime.h"

#define OK(call) peer_check((call) == musaSuccess, #call)

int main(int argc, char **argv)
{
	struct musaKernelNodeParams params = {0};
	musaGraphNode_t *nodes, waits[PEER_LAYER];
	size_t deps[PEER_LAYER];
	void *memory[2];
	musaGraphExec_t exec;
	musaStream_t stream;
	musaGraph_t graph;
	struct peer peer;
	double start;

	peer_parse(&peer, "mtgraph", argc, argv);
	params.func = (void *)(uintptr_t)kernel_empty;
	params.gridDim.x = params.gridDim.y = params.gridDim.z = 1;
	params.blockDim = params.gridDim;
	OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
	for (int i = 0; i < 2; i++) {
		OK(musaMalloc(&memory[i], PEER_COPY_B));
		OK(musaMemset(memory[i], 0, PEER_COPY_B));
	}
	nodes = malloc(peer.nodes * sizeof(*nodes));
	start = peer_now();
	OK(musaGraphCreate(&graph, 0));
	for (size_t i = 0; i < peer.nodes; i++) {
		size_t count = peer_deps(&peer, i, deps);

		for (size_t d = 0; d < count; d++)
			waits[d] = nodes[deps[d]];
		if (peer.shape == PEER_COPIES)
			OK(musaGraphAddMemcpyNode1D(&nodes[i], graph, waits, count, memory[1],
						    memory[0], PEER_COPY_B,
						    musaMemcpyDeviceToDevice));
		else
			OK(musaGraphAddKernelNode(&nodes[i], graph, waits, count, &params));
	}
	OK(musaGraphInstantiate(&exec, graph, 0));
	peer.build_ns = peer_now() - start;
	for (int r = -2; r < peer.repeats; r++) {
		double submitted;

		start = peer_now();
		OK(musaGraphLaunch(exec, stream));
		submitted = peer_now();
		OK(musaStreamSynchronize(stream));
		if (r < 0)
			continue;
		peer.replay_ns[r] = peer_now() - start;
		peer.submit_ns[r] = submitted - start;
	}
	peer_report(&peer);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	free(nodes);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Arrays in copy nodes, added by hand and captured. */
#include "memory_test.h"

enum { W = 12, H = 5 };

static musaArray_t new_array(void)
{
	struct musaChannelFormatDesc format =
		musaCreateChannelDesc(32, 0, 0, 0, musaChannelFormatKindSigned);
	musaArray_t array;

	OK(musaMallocArray(&array, &format, W, H, 0));
	return array;
}

/* Host to array, array to array, array to device: one launch runs all three. */
Test(memory_graph_arrays, nodes)
{
	musaArray_t first = new_array(), second = new_array();
	int host[W * H], *device = device_memory(W * H * sizeof(int));
	struct musaMemcpy3DParms p = {0};
	musaGraphNode_t nodes[3];
	musaGraphExec_t exec;
	musaGraph_t graph;
	unsigned char *got;

	for (int i = 0; i < W * H; i++)
		host[i] = i * i;
	OK(musaGraphCreate(&graph, 0));
	p.srcPtr = make_musaPitchedPtr(host, W * 4, W, H);
	p.dstArray = first;
	p.extent = make_musaExtent(W, H, 1);
	p.kind = musaMemcpyHostToDevice;
	OK(musaGraphAddMemcpyNode(&nodes[0], graph, NULL, 0, &p));
	p.extent.height = H + 1;
	EXPECT(IV, musaGraphAddMemcpyNode(&nodes[1], graph, nodes, 1, &p));
	p.extent.height = 0;
	EXPECT(IV, musaGraphAddMemcpyNode(&nodes[1], graph, nodes, 1, &p));
	memset(&p, 0, sizeof(p));
	p.srcArray = first;
	p.dstArray = second;
	p.extent = make_musaExtent(W, H, 1);
	p.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphAddMemcpyNode(&nodes[1], graph, &nodes[0], 1, &p));
	memset(&p, 0, sizeof(p));
	p.srcArray = second;
	p.dstPtr = make_musaPitchedPtr(device, W * 4, W, H);
	p.extent = make_musaExtent(W, H, 1);
	p.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphAddMemcpyNode(&nodes[2], graph, &nodes[1], 1, &p));
	OK(musaGraphMemcpyNodeGetParams(nodes[1], &p));
	cr_assert_eq(p.srcArray, first);
	cr_assert_eq(p.dstArray, second);
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, NULL));
	OK(musaStreamSynchronize(NULL));
	got = read_back(device, sizeof(host));
	cr_assert_eq(memcmp(got, host, sizeof(host)), 0);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

/* Captured copies with arrays do the same; pageable memory is read at the launch. */
Test(memory_graph_arrays, capture)
{
	musaArray_t array = new_array();
	musaStream_t stream = new_stream();
	int host[W * H], got[W * H];
	musaGraphExec_t exec;
	musaGraph_t graph;

	OK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	OK(musaMemcpy2DToArrayAsync(array, 0, 0, host, W * 4, W * 4, H, musaMemcpyHostToDevice,
				    stream));
	OK(musaMemcpy2DFromArrayAsync(got, W * 4, array, 0, 0, W * 4, H, musaMemcpyDeviceToHost,
				      stream));
	OK(musaStreamEndCapture(stream, &graph));
	OK(musaGraphInstantiate(&exec, graph, 0));
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < W * H; i++)
			host[i] = i + round;
		OK(musaGraphLaunch(exec, stream));
		OK(musaStreamSynchronize(stream));
		cr_assert_arr_eq(got, host, sizeof(host));
	}
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

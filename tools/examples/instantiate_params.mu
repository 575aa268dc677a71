/* SPDX-License-Identifier: MIT */
/* Instantiation with parameters: what a refusal tells, here for a cycle, and the way out. */
#include <musa_runtime.h>

#include "check.h"

static const char *result_name(musaGraphInstantiateResult result)
{
	switch (result) {
	case musaGraphInstantiateSuccess:
		return "success";
	case musaGraphInstantiateInvalidStructure:
		return "invalid structure";
	case musaGraphInstantiateNodeOperationNotSupported:
		return "node operation not supported";
	case musaGraphInstantiateMultipleDevicesNotSupported:
		return "multiple devices not supported";
	case musaGraphInstantiateConditionalHandleUnused:
		return "conditional handle unused";
	default:
		return "error";
	}
}

int main()
{
	musaGraph_t graph;
	musaGraphNode_t first, second;
	musaGraphExec_t exec = nullptr;
	musaGraphInstantiateParams params = {};
	musaStream_t stream;
	musaError_t error;

	CHECK(musaGraphCreate(&graph, 0));
	CHECK(musaGraphAddEmptyNode(&first, graph, nullptr, 0));
	CHECK(musaGraphAddEmptyNode(&second, graph, &first, 1));
	CHECK(musaGraphAddDependencies(graph, &second, &first, 1));

	error = musaGraphInstantiateWithParams(&exec, graph, &params);
	printf("error: %s (%s)\n", musaGetErrorName(error), musaGetErrorString(error));
	printf("result: %s\n", result_name(params.result_out));
	printf("error node: %s\n", params.errNode_out == first    ? "first"
				   : params.errNode_out == second ? "second"
								  : "none");
	if (error != musaErrorInvalidValue ||
	    params.result_out != musaGraphInstantiateInvalidStructure ||
	    (params.errNode_out != first && params.errNode_out != second)) {
		fprintf(stderr, "the cycle was not refused as documented\n");
		return 1;
	}
	musaGetLastError();

	CHECK(musaGraphRemoveDependencies(graph, &second, &first, 1));
	CHECK(musaGraphInstantiateWithParams(&exec, graph, &params));
	printf("result without the cycle: %s\n", result_name(params.result_out));
	CHECK(musaStreamCreate(&stream));
	CHECK(musaGraphLaunch(exec, stream));
	CHECK(musaStreamSynchronize(stream));
	CHECK(musaStreamDestroy(stream));
	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * The runtime API on a generation whose compute packets are not public: kernels are refused, at the
 * call and where a graph is instantiated, and everything else goes on.
 */
#include <elf.h>
#include <stdatomic.h>

#include "musa_runtime.h"
#include "tests/codeobj/builder.h"
#include "uapi.h"

#define COUNT    1000
#define LOG_PATH "/tmp/api-silicon.log"

static musaKernel_t kernel;

static void load(void)
{
	static const char metadata[] =
		COB_DESC("{\".name\":\"empty\",\".arch_id\":220,\".args\":[],"
			 "\".shared_reg_count\":0,\".wave_mode\":1}",
			 "1,0");
	static const uint8_t code[64];
	static const struct cob_symbol symbols[] = {
		{"empty", STB_GLOBAL, STT_FUNC, STV_PROTECTED, COB_TEXT, 0, 64},
	};
	const struct cob_elf elf = {
		.type = ET_DYN,
		.machine = 253,
		.metadata = metadata,
		.text = code,
		.text_size = sizeof(code),
		.symbols = symbols,
		.symbol_count = 1,
	};
	struct cob_buf image = {0}, member = {0};
	musaLibrary_t library;

	cob_elf(&member, &elf);
	cob_bundle(&image, (const struct cob_member[]){{COB_ID_HOST, NULL}, {COB_ID_22, &member}},
		   2);
	t_eq(musaLibraryLoadData(&library, image.data, NULL, NULL, 0, NULL, NULL, 0), musaSuccess);
	t_eq(musaLibraryGetKernel(&kernel, library, "empty"), musaSuccess);
	cob_free(&member);
	cob_free(&image);
}

static void launches(void)
{
	const dim3 one = {1, 1, 1};
	musaStream_t stream;

	load();
	t_eq(musaStreamCreate(&stream), musaSuccess);
	t_eq(musaLaunchKernel((const void *)kernel, one, one, NULL, 0, stream),
	     musaErrorNotSupported);
	t_eq(musaGetLastError(), musaErrorNotSupported);
	t_eq(musaStreamSynchronize(stream), musaSuccess);
	t_eq(musaStreamDestroy(stream), musaSuccess);
}

static bool is_logged(const char *node, const char *generation)
{
	FILE *file = fopen(LOG_PATH, "r");
	char line[512];
	bool found = false;

	while (file && fgets(line, sizeof(line), file))
		found |= strstr(line, node) && strstr(line, generation);
	if (file)
		fclose(file);
	return found;
}

static musaGraphNode_t add_kernel(musaGraph_t graph)
{
	struct musaKernelNodeParams params = {0};
	musaGraphNode_t node = NULL;

	params.func = (void *)kernel;
	params.gridDim.x = params.gridDim.y = params.gridDim.z = 1;
	params.blockDim.x = params.blockDim.y = params.blockDim.z = 1;
	t_eq(musaGraphAddKernelNode(&node, graph, NULL, 0, &params), musaSuccess);
	return node;
}

static void instantiation(void)
{
	musaGraphInstantiateParams params = {0};
	musaGraphNode_t node;
	musaGraphExec_t exec;
	musaGraph_t graph;

	t_eq(musaGraphCreate(&graph, 0), musaSuccess);
	node = add_kernel(graph);
	t_eq(musaGraphInstantiate(&exec, graph, 0), musaErrorNotSupported);
	t_eq(musaGraphInstantiateWithParams(&exec, graph, &params), musaErrorNotSupported);
	t_eq(params.result_out, musaGraphInstantiateNodeOperationNotSupported);
	t_true(params.errNode_out == node);
	t_true(is_logged("node 0", "mp_22"));
	/* Without the kernel the same graph is fine. */
	t_eq(musaGraphDestroyNode(node), musaSuccess);
	t_eq(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
	t_eq(musaGraphExecDestroy(exec), musaSuccess);
	t_eq(musaGraphDestroy(graph), musaSuccess);
}

static void MUSART_CB count_up(void *data)
{
	atomic_fetch_add((_Atomic int *)data, 1);
}

/* Copies, fills, host functions, events, memory nodes: recorded, instantiated, launched again and
 * again. */
static void everything_else(void)
{
	static _Atomic int calls;
	musaStream_t stream, side;
	musaEvent_t fork, join;
	musaGraphExec_t exec;
	musaGraph_t graph;
	int *device, *host;
	void *scratch;

	t_eq(musaStreamCreate(&stream), musaSuccess);
	t_eq(musaStreamCreate(&side), musaSuccess);
	t_eq(musaEventCreate(&fork), musaSuccess);
	t_eq(musaEventCreate(&join), musaSuccess);
	t_eq(musaMalloc((void **)&device, 2 * COUNT * sizeof(int)), musaSuccess);
	t_eq(musaMallocHost((void **)&host, 2 * COUNT * sizeof(int)), musaSuccess);
	t_eq(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal), musaSuccess);
	t_eq(musaMallocAsync(&scratch, COUNT * sizeof(int), stream), musaSuccess);
	t_eq(musaEventRecord(fork, stream), musaSuccess);
	t_eq(musaStreamWaitEvent(side, fork, 0), musaSuccess);
	t_eq(musaMemsetAsync(device, 0x21, COUNT * sizeof(int), side), musaSuccess);
	t_eq(musaMemcpyAsync(scratch, host, COUNT * sizeof(int), musaMemcpyHostToDevice, stream),
	     musaSuccess);
	t_eq(musaMemcpyAsync(device + COUNT, scratch, COUNT * sizeof(int), musaMemcpyDeviceToDevice,
			     stream),
	     musaSuccess);
	t_eq(musaEventRecord(join, side), musaSuccess);
	t_eq(musaStreamWaitEvent(stream, join, 0), musaSuccess);
	t_eq(musaLaunchHostFunc(stream, count_up, (void *)&calls), musaSuccess);
	t_eq(musaFreeAsync(scratch, stream), musaSuccess);
	t_eq(musaStreamEndCapture(stream, &graph), musaSuccess);
	t_eq(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
	for (int i = 0; i < 20; i++) {
		host[0] = host[COUNT - 1] = i;
		t_eq(musaGraphLaunch(exec, stream), musaSuccess);
		t_eq(musaStreamSynchronize(stream), musaSuccess);
		t_eq(musaMemcpy(host + COUNT, device + COUNT, COUNT * sizeof(int),
				musaMemcpyDeviceToHost),
		     musaSuccess);
		t_eq(host[COUNT], i);
		t_eq(host[2 * COUNT - 1], i);
	}
	t_eq(atomic_load(&calls), 20);
	t_eq(musaMemcpy(host, device, COUNT * sizeof(int), musaMemcpyDeviceToHost), musaSuccess);
	t_eq(host[COUNT / 2], 0x21212121);
	t_eq(musaGraphExecDestroy(exec), musaSuccess);
	t_eq(musaGraphDestroy(graph), musaSuccess);
	t_eq(musaFree(device), musaSuccess);
	t_eq(musaFreeHost(host), musaSuccess);
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"kernel launches are refused at the call", launches},
		{"kernel nodes are refused where a graph is instantiated", instantiation},
		{"graphs of everything else run", everything_else},
	};

	/* The card under test is an mp_22; the log is read back. */
	setenv("MUSA_LOG", "warn:" LOG_PATH, 1);
	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

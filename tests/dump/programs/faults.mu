/* SPDX-License-Identifier: MIT */
/* Programs with one planted fault each, and without; the argument says which. */
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		musaError_t check_error = (call);                                                  \
		if (check_error) {                                                                 \
			fprintf(stderr, "%s: %s\n", #call, musaGetErrorName(check_error));         \
			exit(9);                                                                   \
		}                                                                                  \
	} while (0)

__global__ void put(int *to, int value)
{
	to[threadIdx.x] = value;
}

__global__ void add(int *to, const int *from)
{
	to[threadIdx.x] += from[threadIdx.x];
}

/* Half of the buffer each, from one pointer. */
__global__ void put_half(int *to, int half, int value)
{
	to[half * 8 + threadIdx.x] = value;
}

__global__ void nothing(int *to, int count)
{
	if (count)
		*to = count;
}

__global__ void print(int value)
{
	printf("the kernel has %d\n", value);
}

static musaStream_t stream, side;
static musaEvent_t fork_event, join_event;
static int *a, *b;
static musaGraph_t graph;

static musaGraphNode_t kernel(void *func, void **args, const musaGraphNode_t *deps, size_t count,
			      unsigned int threads)
{
	musaKernelNodeParams params = {};
	musaGraphNode_t node;

	params.func = func;
	params.gridDim = dim3(1);
	params.blockDim = dim3(threads);
	params.kernelParams = args;
	CHECK(musaGraphAddKernelNode(&node, graph, deps, count, &params));
	return node;
}

static musaGraphNode_t put_node(int *to, int value, const musaGraphNode_t *deps, size_t count)
{
	void *args[] = {&to, &value};

	return kernel((void *)put, args, deps, count, 16);
}

static musaGraphNode_t fill(int *to, size_t pitch, size_t width, size_t height,
			    const musaGraphNode_t *deps, size_t count)
{
	musaMemsetParams params = {};
	musaGraphNode_t node;

	params.dst = to;
	params.pitch = pitch;
	params.elementSize = 1;
	params.width = width;
	params.height = height;
	CHECK(musaGraphAddMemsetNode(&node, graph, deps, count, &params));
	return node;
}

static musaGraphNode_t alloc(musaMemAllocNodeParams *params)
{
	musaGraphNode_t node;

	memset(params, 0, sizeof(*params));
	params->poolProps.allocType = musaMemAllocationTypePinned;
	params->poolProps.location.type = musaMemLocationTypeDevice;
	params->bytesize = 4096;
	CHECK(musaGraphAddMemAllocNode(&node, graph, nullptr, 0, params));
	return node;
}

static void launch()
{
	musaGraphExec_t exec;

	CHECK(musaGraphInstantiate(&exec, graph, 0));
	CHECK(musaGraphLaunch(exec, stream));
	CHECK(musaStreamSynchronize(stream));
	CHECK(musaGraphExecDestroy(exec));
}

/* A joins B and C by an empty node; with one edge missing B and D are not ordered. */
static void diamond(bool whole)
{
	musaGraphNode_t first = put_node(a, 1, nullptr, 0), left, right, join, both[2];

	left = put_node(a, 2, &first, 1);
	right = put_node(b, 3, &first, 1);
	both[0] = right;
	both[1] = left;
	CHECK(musaGraphAddEmptyNode(&join, graph, both, whole ? 2 : 1));
	void *args[] = {&a, &b};
	kernel((void *)add, args, &join, 1, 16);
	launch();
}

/* Columns of one box: rows interleave, bytes do not, unless one is wider. */
static void columns(size_t width)
{
	fill(a, 64, width, 8, nullptr, 0);
	fill(a + 4, 64, 16, 8, nullptr, 0);
	launch();
}

static void halves(int second)
{
	int value = 1, zero = 0;
	void *first_args[] = {&a, &zero, &value}, *second_args[] = {&a, &second, &value};

	kernel((void *)put_half, first_args, nullptr, 0, 8);
	kernel((void *)put_half, second_args, nullptr, 0, 8);
	launch();
}

static void memory(const char *fault)
{
	musaMemAllocNodeParams params;
	musaGraphNode_t made = alloc(&params), used, gone;
	bool never = !strcmp(fault, "never-freed"), after = !strcmp(fault, "after-free");

	if (!after)
		used = put_node((int *)params.dptr, 4, &made, 1);
	if (!never)
		CHECK(musaGraphAddMemFreeNode(&gone, graph, after ? &made : &used, 1, params.dptr));
	if (after)
		put_node((int *)params.dptr, 4, &gone, 1);
	if (after) {
		musaGraphExec_t exec; /* not launched: it would be a device error */

		CHECK(musaGraphInstantiate(&exec, graph, 0));
		return;
	}
	launch();
}

static void idle_copy()
{
	musaGraphNode_t node;

	CHECK(musaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, a, a, 64,
				       musaMemcpyDeviceToDevice));
	launch();
}

static void idle_kernel()
{
	int zero = 0;
	void *args[] = {&a, &zero};

	kernel((void *)nothing, args, nullptr, 0, 1);
	launch();
}

/* Output on standard output, of the program and of its kernel. */
static void prints()
{
	int value = 5;
	void *args[] = {&value};

	puts("the program prints");
	fflush(stdout);
	kernel((void *)print, args, nullptr, 0, 1);
	launch();
}

static void wait_node(bool record)
{
	musaGraphNode_t node;

	if (record)
		CHECK(musaEventRecord(fork_event, stream));
	CHECK(musaGraphAddEventWaitNode(&node, graph, nullptr, 0, fork_event));
	put_node(a, 1, &node, 1);
	launch();
}

static void branches(bool joined)
{
	musaGraph_t captured;

	CHECK(musaStreamBeginCapture(stream, musaStreamCaptureModeRelaxed));
	put<<<1, 16, 0, stream>>>(a, 1);
	CHECK(musaEventRecord(fork_event, stream));
	CHECK(musaStreamWaitEvent(side, fork_event));
	put<<<1, 16, 0, side>>>(b, 1);
	if (joined) {
		CHECK(musaEventRecord(join_event, side));
		CHECK(musaStreamWaitEvent(stream, join_event));
	}
	musaStreamEndCapture(stream, &captured);
}

int main(int argc, char **argv)
{
	const char *fault = argc > 1 ? argv[1] : "none";

	CHECK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
	CHECK(musaStreamCreateWithFlags(&side, musaStreamNonBlocking));
	CHECK(musaEventCreate(&fork_event));
	CHECK(musaEventCreate(&join_event));
	CHECK(musaMalloc(&a, 4096));
	CHECK(musaMalloc(&b, 4096));
	CHECK(musaGraphCreate(&graph, 0));
	if (!strcmp(fault, "none"))
		diamond(true);
	else if (!strcmp(fault, "missing-edge"))
		diamond(false);
	else if (!strcmp(fault, "columns"))
		columns(16);
	else if (!strcmp(fault, "wide-column"))
		columns(17);
	else if (!strcmp(fault, "halves"))
		halves(1);
	else if (!strcmp(fault, "same-half"))
		halves(0);
	else if (!strcmp(fault, "memory") || !strcmp(fault, "never-freed") ||
		 !strcmp(fault, "after-free"))
		memory(fault);
	else if (!strcmp(fault, "idle-copy"))
		idle_copy();
	else if (!strcmp(fault, "idle-kernel"))
		idle_kernel();
	else if (!strcmp(fault, "prints"))
		prints();
	else if (!strcmp(fault, "unrecorded"))
		wait_node(false);
	else if (!strcmp(fault, "recorded"))
		wait_node(true);
	else if (!strcmp(fault, "unjoined"))
		branches(false);
	else if (!strcmp(fault, "joined"))
		branches(true);
	else
		return 8;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Shared helpers of the driver API's tests. */
#include "driver_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MUcontext d_context(void)
{
	MUcontext ctx;

	OK(muInit(0));
	OK(muDevicePrimaryCtxRetain(&ctx, 0));
	OK(muCtxSetCurrent(ctx));
	return ctx;
}

const void *d_image(void)
{
	static char *image;
	const char *path;
	FILE *file;
	long size;

	if (image)
		return image;
	/* Elsewhere than in the build the environment tells where they are. */
	path = getenv("DRIVER_KERNELS");
	if (!path)
		path = DRIVER_KERNELS;
	file = fopen(path, "rb");
	cr_assert_not_null(file, "%s is missing", path);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	image = malloc((size_t)size);
	cr_assert_not_null(image);
	EQ(fread(image, 1, (size_t)size, file), size);
	fclose(file);
	return image;
}

MUmodule d_module(void)
{
	static MUmodule module;

	if (!module)
		OK(muModuleLoadData(&module, d_image()));
	return module;
}

MUfunction d_function(const char *name)
{
	MUfunction function;

	OK(muModuleGetFunction(&function, d_module(), name));
	return function;
}

MUstream d_stream(void)
{
	MUstream stream;

	OK(muStreamCreate(&stream, MU_STREAM_NON_BLOCKING));
	return stream;
}

MUdeviceptr d_ints(size_t count)
{
	MUdeviceptr memory;

	OK(muMemAlloc(&memory, count * sizeof(int)));
	OK(muMemsetD32(memory, 0, count));
	OK(muCtxSynchronize());
	return memory;
}

int d_read(MUdeviceptr device)
{
	int value;

	OK(muMemcpyDtoH(&value, device, sizeof(value)));
	return value;
}

MUSA_KERNEL_NODE_PARAMS d_kernel(const char *name, void **args)
{
	return (MUSA_KERNEL_NODE_PARAMS){
		.func = d_function(name),
		.gridDimX = 1,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 1,
		.blockDimY = 1,
		.blockDimZ = 1,
		.kernelParams = args,
	};
}

MUgraphNode d_add(MUgraph graph, const MUgraphNode *deps, size_t count, const char *kernel,
		  MUdeviceptr to, int value)
{
	void *args[] = {&to, &value};
	MUSA_KERNEL_NODE_PARAMS params = d_kernel(kernel, args);
	MUgraphNode node;

	OK(muGraphAddKernelNode(&node, graph, deps, count, &params));
	return node;
}

void d_run(MUgraph graph)
{
	MUstream stream = d_stream();
	MUgraphExec exec;

	OK(muGraphInstantiate(&exec, graph, 0));
	OK(muGraphLaunch(exec, stream));
	OK(muStreamSynchronize(stream));
	OK(muGraphExecDestroy(exec));
	OK(muStreamDestroy(stream));
}

volatile int *d_hold(MUstream stream)
{
	MUfunction hold = d_function("hold");
	void *flag;
	void *args[] = {&flag};

	OK(muMemAllocHost(&flag, sizeof(int)));
	memset(flag, 0, sizeof(int));
	OK(muLaunchKernel(hold, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL));
	return flag;
}

void d_release(volatile int *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
	OK(muCtxSynchronize());
	OK(muMemFreeHost((void *)(uintptr_t)flag));
}

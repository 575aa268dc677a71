/* SPDX-License-Identifier: MIT */
/* Libraries, their kernels, occupancy, and entry points by name. */
#include <string.h>

#include "driver_test.h"

TestSuite(driver_libraries, .timeout = 60);

/* Code without a context: kernels by name, loaded where they are used. */
Test(driver_libraries, kernels)
{
	MUcontext ctx;
	MUlibrary library, told;
	MUkernel kernel, all[16];
	MUfunction function, same;
	MUdeviceptr word, memory;
	MUmodule module;
	const char *name;
	unsigned int count;
	size_t size, offset;
	int value = 12, limit;
	void *args[] = {&memory, &value};
	MUstream stream;

	EXPECT(MUSA_ERROR_NOT_INITIALIZED,
	       muLibraryLoadData(&library, d_image(), NULL, NULL, 0, NULL, NULL, 0));
	OK(muInit(0));
	OK(muLibraryLoadData(&library, d_image(), NULL, NULL, 0, NULL, NULL, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muLibraryLoadData(&library, d_image(), NULL, NULL, 1, NULL, NULL, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muLibraryLoadData(NULL, d_image(), NULL, NULL, 0, NULL, NULL, 0));
	EXPECT(MUSA_ERROR_FILE_NOT_FOUND,
	       muLibraryLoadFromFile(&told, "/nowhere", NULL, NULL, 0, NULL, NULL, 0));
	OK(muLibraryGetKernelCount(&count, library));
	EQ(count, 8);
	OK(muLibraryEnumerateKernels(all, count, library));
	OK(muLibraryGetKernel(&kernel, library, "put"));
	EXPECT(MUSA_ERROR_NOT_FOUND, muLibraryGetKernel(&kernel, library, "nothing"));
	OK(muKernelGetName(&name, kernel));
	cr_assert_str_eq(name, "put");
	OK(muKernelGetLibrary(&told, kernel));
	cr_assert_eq(told, library);
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muKernelGetFunction(&function, kernel));
	ctx = d_context();
	OK(muKernelGetFunction(&function, kernel));
	OK(muLibraryGetModule(&module, library));
	OK(muModuleGetFunction(&same, module, "put"));
	cr_assert_eq(function, same);
	OK(muKernelGetParamInfo(kernel, 1, &offset, &size));
	EQ(offset, 8);
	EQ(size, 4);
	OK(muKernelGetAttribute(&limit, MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
	cr_assert_gt(limit, 0);
	OK(muKernelSetAttribute(MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50, kernel, 0));
	OK(muFuncGetAttribute(&limit, MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, function));
	EQ(limit, 50);
	OK(muKernelSetCacheConfig(kernel, MU_FUNC_CACHE_PREFER_L1, 0));
	EXPECT(MUSA_ERROR_INVALID_DEVICE,
	       muKernelGetAttribute(&limit, MU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 5));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muKernelGetName(&name, NULL));
	OK(muLibraryGetGlobal(&word, &size, library, "word"));
	EQ(size, 4);
	EQ(d_read(word), 7);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muLibraryGetGlobal(NULL, NULL, library, "word"));
	memory = d_ints(1);
	stream = d_stream();
	OK(muLaunchKernel((MUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL));
	OK(muStreamSynchronize(stream));
	EQ(d_read(memory), 12);
	OK(muLibraryUnload(library));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muLibraryUnload(library));
	(void)ctx;
}

static size_t block_memory(int threads)
{
	return (size_t)threads * 64;
}

/* Blocks that fit, and the block that fills a multiprocessor. */
Test(driver_libraries, occupancy)
{
	MUfunction twice = (d_context(), d_function("twice"));
	int blocks, fewer, grid, block, mps;

	OK(muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 128, 0));
	cr_assert_gt(blocks, 0);
	OK(muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&fewer, twice, 128, 16384, 0));
	cr_assert_lt(fewer, blocks);
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 0, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
						 &blocks, twice, 32, 0, 4));
	EXPECT(MUSA_ERROR_INVALID_HANDLE,
	       muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 32, 0));
	OK(muOccupancyMaxPotentialBlockSize(&grid, &block, twice, NULL, 0, 0));
	OK(muDeviceGetAttribute(&mps, MU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
	OK(muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, block, 0));
	EQ(grid, blocks * mps);
	OK(muOccupancyMaxPotentialBlockSize(&grid, &block, twice, NULL, 0, 96));
	cr_assert_leq(block, 96);
	/* Shared memory that grows with the block bounds it. */
	OK(muOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, twice, block_memory, 0, 0, 0));
	OK(muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, block, block_memory(block)));
	cr_assert_gt(blocks, 0);
}

/* A name gives the function that the headers mean by it; the version decides between old and new. */
Test(driver_libraries, entry_points)
{
	MUdriverProcAddressQueryResult status;
	MUresult (*init)(unsigned int);
	void *address, *expected;

	OK(muGetProcAddress("muInit", (void **)&init, MUSA_VERSION, 0));
	OK(init(0));
	OK(muGetProcAddress("muMemAlloc", &address, MUSA_VERSION, 0, &status));
	EQ(status, MU_GET_PROC_ADDRESS_SUCCESS);
	expected = (void *)(uintptr_t)muMemAlloc_v2;
	cr_assert_eq(address, expected);
	OK(muGetProcAddress("muStreamBeginCapture", &address, MUSA_VERSION, 0));
	expected = (void *)(uintptr_t)muStreamBeginCapture_v2;
	cr_assert_eq(address, expected);
	OK(muGetProcAddress("muGraphInstantiate", &address, MUSA_VERSION, 0));
	expected = (void *)(uintptr_t)muGraphInstantiateWithFlags;
	cr_assert_eq(address, expected);
	OK(muGetProcAddress("muGraphInstantiate", &address, 40300, 0));
	expected = (void *)(uintptr_t)muGraphInstantiate_v2;
	cr_assert_eq(address, expected);
	OK(muGetProcAddress("muGraphAddKernelNode", &address, MUSA_VERSION, 0));
	expected = (void *)(uintptr_t)muGraphAddKernelNode;
	cr_assert_eq(address, expected);
	OK(muGetProcAddress("muGraphExecUpdate", &address, MUSA_VERSION, 0));
	expected = (void *)(uintptr_t)muGraphExecUpdate_v2;
	cr_assert_eq(address, expected);

	OK(muGetProcAddress("muNothing", &address, MUSA_VERSION, 0, &status));
	EQ(status, MU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
	cr_assert_null(address);
	EXPECT(MUSA_ERROR_NOT_FOUND, muGetProcAddress("malloc", &address, MUSA_VERSION, 0));
	OK(muGetProcAddress("muInit", &address, MUSA_VERSION + 100, 0, &status));
	EQ(status, MU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGetProcAddress(NULL, &address, MUSA_VERSION, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGetProcAddress("muInit", &address, MUSA_VERSION, 3));
	EXPECT(MUSA_ERROR_NOT_SUPPORTED,
	       muGetProcAddress("muMemcpy", &address, MUSA_VERSION,
				MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
}

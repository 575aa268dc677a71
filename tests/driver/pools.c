/* SPDX-License-Identifier: MIT */
/* Memory pools, stream-ordered allocation, and memory and semaphores from elsewhere. */
#include <string.h>
#include <unistd.h>

#include "driver_test.h"
#include "drv/table.h"

#define core (&mt_drv_table_v1)

TestSuite(driver_pools, .timeout = 60);

static const MUmemPoolProps on_device = {
	.allocType = MU_MEM_ALLOCATION_TYPE_PINNED,
	.location = {MU_MEM_LOCATION_TYPE_DEVICE, 0},
};

/* A device has a default pool; another one can take its place. */
Test(driver_pools, pools_of_a_device)
{
	MUmemPoolProps bad = on_device;
	MUmemoryPool standard, current, pool;
	MUmemLocation here = {MU_MEM_LOCATION_TYPE_DEVICE, 0};
	MUmemAccessDesc all = {{MU_MEM_LOCATION_TYPE_DEVICE, 0},
			       MU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	MUmemAccess_flags access;
	muuint64_t threshold = 1 << 20, told;

	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muDeviceGetDefaultMemPool(&standard, 0));
	d_context();
	OK(muDeviceGetDefaultMemPool(&standard, 0));
	OK(muDeviceGetMemPool(&current, 0));
	cr_assert_eq(current, standard);
	EXPECT(MUSA_ERROR_INVALID_DEVICE, muDeviceGetMemPool(&current, 7));
	OK(muMemPoolCreate(&pool, &on_device));
	OK(muDeviceSetMemPool(0, pool));
	OK(muDeviceGetMemPool(&current, 0));
	cr_assert_eq(current, pool);
	OK(muMemPoolSetAttribute(pool, MU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
	OK(muMemPoolGetAttribute(pool, MU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &told));
	EQ(told, threshold);
	OK(muMemPoolSetAccess(pool, &all, 1));
	OK(muMemPoolGetAccess(&access, pool, &here));
	EQ(access, MU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	here.id = 9;
	EXPECT(MUSA_ERROR_INVALID_DEVICE, muMemPoolGetAccess(&access, pool, &here));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemPoolSetAccess(pool, NULL, 1));
	OK(muMemPoolTrimTo(pool, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemPoolDestroy(standard));
	OK(muMemPoolDestroy(pool));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemPoolDestroy(pool));
	bad.reserved[0] = 1;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemPoolCreate(&pool, &bad));
	bad = on_device;
	bad.handleTypes = MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
	EXPECT(MUSA_ERROR_NOT_SUPPORTED, muMemPoolCreate(&pool, &bad));
	bad = on_device;
	bad.location.type = MU_MEM_LOCATION_TYPE_HOST;
	EXPECT(MUSA_ERROR_NOT_SUPPORTED, muMemPoolCreate(&pool, &bad));
	bad.allocType = MU_MEM_ALLOCATION_TYPE_INVALID;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemPoolCreate(&pool, &bad));
}

/* Allocations in stream order, in a capture as nodes. */
Test(driver_pools, stream_ordered)
{
	MUstream stream = (d_context(), d_stream());
	MUdeviceptr memory, other;
	MUmemoryPool pool;
	MUgraph graph;
	size_t count;

	OK(muMemPoolCreate(&pool, &on_device));
	OK(muMemAllocAsync(&memory, 4096, stream));
	OK(muMemAllocFromPoolAsync(&other, 4096, pool, stream));
	OK(muMemsetD32Async(memory, 5, 1024, stream));
	OK(muMemcpyDtoDAsync(other, memory, 4096, stream));
	OK(muStreamSynchronize(stream));
	EQ(d_read(other + 4092), 5);
	OK(muMemFreeAsync(memory, stream));
	OK(muMemFreeAsync(other, stream));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemFreeAsync(0, stream));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAllocAsync(&memory, 0, stream));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAllocAsync(NULL, 64, stream));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAllocFromPoolAsync(&memory, 64, NULL, stream));
	OK(muStreamBeginCapture(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(muMemAllocAsync(&memory, 4096, stream));
	OK(muMemFreeAsync(memory, stream));
	OK(muStreamEndCapture(stream, &graph));
	OK(muGraphGetNodes(graph, NULL, &count));
	EQ(count, 2);
	d_run(graph);
	OK(muGraphDestroy(graph));
	OK(muMemPoolDestroy(pool));
}

/* Memory behind a descriptor is the same memory. */
Test(driver_pools, external_memory)
{
	MUdeviceptr memory = (d_context(), d_ints(1024)), mapped;
	MUSA_EXTERNAL_MEMORY_HANDLE_DESC handle = {0};
	MUSA_EXTERNAL_MEMORY_BUFFER_DESC part = {0};
	MUexternalMemory external;
	MUipcMemHandle ipc;
	uint64_t offset, size;
	int fd;

	EQ(core->mt_mem_export_fd(memory, &fd, &offset, &size), MUSA_SUCCESS);
	handle.type = MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP;
	handle.handle.fd = fd;
	handle.size = size;
	EXPECT(MUSA_ERROR_NOT_SUPPORTED, muImportExternalMemory(&external, &handle));
	handle.type = MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
	handle.flags = 2;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muImportExternalMemory(&external, &handle));
	handle.flags = 0;
	OK(muImportExternalMemory(&external, &handle));
	part.offset = offset;
	part.size = 4096;
	OK(muExternalMemoryGetMappedBuffer(&mapped, external, &part));
	OK(muMemsetD32(mapped, 123, 1));
	OK(muCtxSynchronize());
	EQ(d_read(memory), 123);
	part.flags = 1;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muExternalMemoryGetMappedBuffer(&mapped, external, &part));
	OK(muDestroyExternalMemory(external));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muDestroyExternalMemory(external));
	OK(muMemFree(mapped));

	/* The process that made a handle cannot open it. */
	OK(muIpcGetMemHandle(&ipc, memory));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muIpcOpenMemHandle(&mapped, ipc, 1));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muIpcOpenMemHandle(&mapped, ipc, 8));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muIpcCloseMemHandle(memory));
	OK(muMemFree(memory));
}

/* Semaphores from elsewhere, in streams and in graphs. */
Test(driver_pools, external_semaphores)
{
	MUcontext ctx = d_context();
	MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC handle = {0};
	MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signal = {0};
	MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait = {0};
	MUSA_EXT_SEM_SIGNAL_NODE_PARAMS signals, signals_told;
	MUSA_EXT_SEM_WAIT_NODE_PARAMS waits, waits_told;
	struct mt_ext_semaphore *made;
	MUexternalSemaphore semaphore;
	MUstream stream = d_stream(), other = d_stream();
	MUgraphNode signal_node, wait_node;
	struct mt_ctx *primary;
	MUgraphExec exec;
	MUgraph graph;
	uint64_t own;
	int fd;

	EQ(core->mt_ctx_primary(0, &primary), MUSA_SUCCESS);
	cr_assert_eq((MUcontext)(uintptr_t)primary->handle, ctx);
	EQ(core->mt_ext_semaphore_create(primary, &own), MUSA_SUCCESS);
	EQ(core->mt_ext_semaphore_get(own, &made), MUSA_SUCCESS);
	EQ(core->mt_ext_semaphore_export(made, &fd), MUSA_SUCCESS);
	handle.type = MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE;
	handle.handle.fd = fd;
	EXPECT(MUSA_ERROR_NOT_SUPPORTED, muImportExternalSemaphore(&semaphore, &handle));
	handle.type = MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
	OK(muImportExternalSemaphore(&semaphore, &handle));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muImportExternalSemaphore(NULL, &handle));

	wait.params.fence.value = 1;
	signal.params.fence.value = 1;
	OK(muWaitExternalSemaphoresAsync(&semaphore, &wait, 1, other));
	EXPECT(MUSA_ERROR_NOT_READY, muStreamQuery(other));
	OK(muSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
	OK(muStreamSynchronize(other));

	signals = (MUSA_EXT_SEM_SIGNAL_NODE_PARAMS){&semaphore, &signal, 1};
	waits = (MUSA_EXT_SEM_WAIT_NODE_PARAMS){&semaphore, &wait, 1};
	signal.params.fence.value = wait.params.fence.value = 2;
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddExternalSemaphoresSignalNode(&signal_node, graph, NULL, 0, &signals));
	OK(muGraphAddExternalSemaphoresWaitNode(&wait_node, graph, &signal_node, 1, &waits));
	OK(muGraphExternalSemaphoresSignalNodeGetParams(signal_node, &signals_told));
	EQ(signals_told.paramsArray[0].params.fence.value, 2);
	OK(muGraphExternalSemaphoresSignalNodeSetParams(signal_node, &signals_told));
	OK(muGraphExternalSemaphoresWaitNodeGetParams(wait_node, &waits_told));
	cr_assert_eq(waits_told.extSemArray[0], semaphore);
	OK(muGraphExternalSemaphoresWaitNodeSetParams(wait_node, &waits_told));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muGraphExternalSemaphoresWaitNodeSetParams(signal_node, &waits));
	d_run(graph);
	OK(muGraphInstantiate(&exec, graph, 0));
	signal.params.fence.value = wait.params.fence.value = 3;
	OK(muGraphExecExternalSemaphoresSignalNodeSetParams(exec, signal_node, &signals));
	OK(muGraphExecExternalSemaphoresWaitNodeSetParams(exec, wait_node, &waits));
	OK(muGraphLaunch(exec, stream));
	OK(muStreamSynchronize(stream));
	OK(muWaitExternalSemaphoresAsync(&semaphore, &wait, 1, other));
	OK(muStreamSynchronize(other));
	OK(muGraphExecDestroy(exec));
	OK(muGraphDestroy(graph));
	OK(muDestroyExternalSemaphore(semaphore));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muDestroyExternalSemaphore(semaphore));
	core->mt_ext_semaphore_destroy(made);
}

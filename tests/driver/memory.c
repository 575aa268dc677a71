/* SPDX-License-Identifier: MIT */
/* Memory of the driver API: allocations, what is known of them, copies, fills, arrays. */
#include <stdlib.h>
#include <string.h>

#include "driver_test.h"

TestSuite(driver_memory, .timeout = 60);

/* Allocations of nothing are errors, unlike the runtime's. */
Test(driver_memory, allocations)
{
	MUdeviceptr memory, base;
	size_t pitch, size, free_before, free_after, total;
	unsigned int flags;
	void *host;

	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muMemAlloc(&memory, 16));
	OK(muInit(0));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muMemAlloc(&memory, 16));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muMemGetInfo(&size, &total));
	d_context();
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAlloc(&memory, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAlloc(NULL, 16));
	EXPECT(MUSA_ERROR_OUT_OF_MEMORY, muMemAlloc(&memory, (size_t)1 << 45));
	OK(muMemGetInfo(&free_before, &total));
	OK(muMemAlloc(&memory, 8 << 20));
	OK(muMemGetInfo(&free_after, NULL));
	cr_assert_leq(free_after + (8 << 20), free_before);
	OK(muMemGetAddressRange(&base, &size, memory + 100));
	EQ(base, memory);
	EQ(size, 8 << 20);
	OK(muMemGetAddressRange(NULL, NULL, memory));
	OK(muMemFree(memory));
	EXPECT(MUSA_ERROR_NOT_FOUND, muMemGetAddressRange(&base, &size, memory));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemFree(memory));
	OK(muMemAllocPitch(&memory, &pitch, 100, 4, 4));
	cr_assert_geq(pitch, 100);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAllocPitch(&base, &pitch, 100, 4, 3));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAllocPitch(&base, &pitch, 100, 0, 4));
	OK(muMemFree(memory));

	OK(muMemHostAlloc(&host, 4096, MU_MEMHOSTALLOC_DEVICEMAP | MU_MEMHOSTALLOC_PORTABLE));
	OK(muMemHostGetFlags(&flags, host));
	cr_assert(flags & MU_MEMHOSTALLOC_DEVICEMAP);
	OK(muMemHostGetDevicePointer(&memory, (char *)host + 8, 0));
	OK(muMemsetD32(memory, 0x01010101, 1));
	EQ(((int *)host)[2], 0x01010101);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemHostGetDevicePointer(&memory, host, 1));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemHostGetDevicePointer(&memory, &flags, 0));
	OK(muMemFreeHost(host));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemFreeHost(NULL));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAllocHost(&host, 0));
	host = aligned_alloc(4096, 8192);
	OK(muMemHostRegister(host, 8192, MU_MEMHOSTREGISTER_DEVICEMAP));
	EXPECT(MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, muMemHostRegister(host, 8192, 0));
	OK(muMemHostUnregister(host));
	EXPECT(MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED, muMemHostUnregister(host));
	free(host);
}

/* One property of an address at a time, and several; unknown memory has none. */
Test(driver_memory, pointers)
{
	MUcontext ctx = d_context(), told;
	MUdeviceptr memory = d_ints(100), start, device;
	MUpointer_attribute which[] = {MU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				       MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
				       MU_POINTER_ATTRIBUTE_RANGE_SIZE};
	unsigned int type, managed;
	size_t size;
	int ordinal, local = 0;
	void *values[] = {&type, &ordinal, &size}, *host, *told_host;

	OK(muPointerGetAttribute(&told, MU_POINTER_ATTRIBUTE_CONTEXT, memory));
	cr_assert_eq(told, ctx);
	OK(muPointerGetAttribute(&type, MU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
	EQ(type, MU_MEMORYTYPE_DEVICE);
	OK(muPointerGetAttribute(&start, MU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory + 40));
	EQ(start, memory);
	OK(muPointerGetAttribute(&device, MU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory + 40));
	EQ(device, memory + 40);
	OK(muPointerGetAttribute(&managed, MU_POINTER_ATTRIBUTE_IS_MANAGED, memory));
	EQ(managed, 0);
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muPointerGetAttribute(&told_host, MU_POINTER_ATTRIBUTE_HOST_POINTER, memory));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muPointerGetAttribute(&type, MU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				     (MUdeviceptr)(uintptr_t)&local));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muPointerGetAttribute(&type, (MUpointer_attribute)0, memory));
	EXPECT(MUSA_ERROR_NOT_SUPPORTED,
	       muPointerGetAttribute(&type, MU_POINTER_ATTRIBUTE_P2P_TOKENS, memory));
	OK(muPointerGetAttributes(3, which, values, memory + 4));
	EQ(type, MU_MEMORYTYPE_DEVICE);
	EQ(ordinal, 0);
	EQ(size, 400);
	OK(muPointerGetAttributes(3, which, values, (MUdeviceptr)(uintptr_t)&local));
	EQ(type, 0);
	EQ(ordinal, MU_DEVICE_INVALID);
	EQ(size, 0);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muPointerGetAttributes(0, which, values, memory));
	OK(muMemAllocHost(&host, 64));
	OK(muPointerGetAttribute(&type, MU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				 (MUdeviceptr)(uintptr_t)host));
	EQ(type, MU_MEMORYTYPE_HOST);
	OK(muPointerGetAttribute(&told_host, MU_POINTER_ATTRIBUTE_HOST_POINTER,
				 (MUdeviceptr)(uintptr_t)host));
	cr_assert_eq(told_host, host);
	OK(muMemFreeHost(host));
	OK(muMemFree(memory));
}

/* Managed memory and what is said about it. */
Test(driver_memory, managed)
{
	MUdeviceptr memory;
	MUmem_range_attribute which[] = {MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
					 MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
	MUmemLocation host = {MU_MEM_LOCATION_TYPE_HOST, 0};
	MUmemLocation nowhere = {MU_MEM_LOCATION_TYPE_INVALID, 0};
	unsigned int managed;
	int mostly, location;
	void *values[] = {&mostly, &location};
	size_t sizes[] = {sizeof(int), sizeof(int)};
	MUstream stream;

	d_context();
	stream = d_stream();
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAllocManaged(&memory, 0, MU_MEM_ATTACH_GLOBAL));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemAllocManaged(&memory, 64, 0));
	OK(muMemAllocManaged(&memory, 4096, MU_MEM_ATTACH_GLOBAL));
	OK(muPointerGetAttribute(&managed, MU_POINTER_ATTRIBUTE_IS_MANAGED, memory));
	EQ(managed, 1);
	OK(muMemAdvise(memory, 4096, MU_MEM_ADVISE_SET_READ_MOSTLY, 0));
	OK(muMemAdvise_v2(memory, 4096, MU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muMemAdvise_v2(memory, 4096, MU_MEM_ADVISE_SET_PREFERRED_LOCATION, nowhere));
	OK(muMemPrefetchAsync(memory, 4096, 0, stream));
	OK(muMemRangeGetAttributes(values, sizes, which, 2, memory, 4096));
	EQ(mostly, 1);
	EQ(location, 0);
	OK(muMemPrefetchAsync_v2(memory, 4096, host, 0, stream));
	OK(muMemRangeGetAttribute(&location, sizeof(location),
				  MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory, 4096));
	EQ(location, MU_DEVICE_CPU);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemRangeGetAttributes(values, sizes, which, 0, memory, 1));
	OK(muStreamAttachMemAsync(stream, memory, 0, MU_MEM_ATTACH_GLOBAL));
	OK(muStreamSynchronize(stream));
	OK(muMemFree(memory));
}

/* One dimension in all directions, at once and in a stream. */
Test(driver_memory, copies)
{
	MUcontext ctx = d_context();
	MUdeviceptr a = d_ints(8), b = d_ints(8);
	int from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0};
	MUstream stream = d_stream();

	OK(muMemcpyHtoD(a, from, sizeof(from)));
	OK(muMemcpyDtoD(b, a, sizeof(from)));
	OK(muMemcpyDtoH(to, b, sizeof(to)));
	cr_assert_eq(memcmp(from, to, sizeof(to)), 0);
	OK(muMemcpyHtoDAsync(b, from + 4, 16, stream));
	OK(muMemcpyDtoDAsync(a, b, 16, stream));
	OK(muMemcpyDtoHAsync(to, a, 16, stream));
	OK(muStreamSynchronize(stream));
	EQ(to[0], 5);
	OK(muMemcpy(a, (MUdeviceptr)(uintptr_t)from, 4));
	OK(muMemcpyAsync((MUdeviceptr)(uintptr_t)to, a, 4, stream));
	OK(muStreamSynchronize(stream));
	EQ(to[0], 1);
	OK(muMemcpyPeer(a, ctx, b, ctx, 4));
	OK(muMemcpyPeerAsync(b, ctx, a, NULL, 4, stream));
	OK(muStreamSynchronize(stream));
	EQ(d_read(a), 5);
	OK(muMemcpyHtoD(a, from, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpyHtoD(0, from, 4));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpyHtoD((MUdeviceptr)(uintptr_t)to, from, 4));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpyDtoH(to, a, 64));
	OK(muMemFree(a));
	OK(muMemFree(b));
}

/* Boxes: rows of pitched memory and arrays; positions and widths in bytes. */
Test(driver_memory, boxes)
{
	MUcontext ctx = d_context();
	int from[4][8], to[4][4];
	MUdeviceptr memory;
	size_t pitch;
	MUstream stream = d_stream();
	MUSA_ARRAY3D_DESCRIPTOR format = {.Width = 4, .Height = 4, .Depth = 2,
					  .Format = MU_AD_FORMAT_FLOAT, .NumChannels = 1};
	MUSA_MEMCPY2D up = {0}, down = {0}, bad;
	MUSA_MEMCPY3D box = {0};
	MUSA_MEMCPY3D_PEER peer = {0};
	MUarray array;

	for (int i = 0; i < 32; i++)
		from[i / 8][i % 8] = i;
	OK(muMemAllocPitch(&memory, &pitch, 16, 4, 4));
	up.srcXInBytes = 8;
	up.srcMemoryType = MU_MEMORYTYPE_HOST;
	up.srcHost = from;
	up.srcPitch = sizeof(from[0]);
	up.dstMemoryType = MU_MEMORYTYPE_DEVICE;
	up.dstDevice = memory;
	up.dstPitch = pitch;
	up.WidthInBytes = 16;
	up.Height = 4;
	OK(muMemcpy2D(&up));
	OK(muMemcpy2DUnaligned(&up));
	down.srcMemoryType = MU_MEMORYTYPE_UNIFIED;
	down.srcDevice = memory;
	down.srcPitch = pitch;
	down.dstMemoryType = MU_MEMORYTYPE_HOST;
	down.dstHost = to;
	down.dstPitch = 16;
	down.WidthInBytes = 16;
	down.Height = 4;
	OK(muMemcpy2DAsync(&down, stream));
	OK(muStreamSynchronize(stream));
	EQ(to[3][3], 29);
	bad = up;
	bad.dstPitch = 8;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpy2D(&bad));
	bad = up;
	bad.dstMemoryType = (MUmemorytype)5;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpy2D(&bad));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpy2D(NULL));

	OK(muArray3DCreate(&array, &format));
	box.srcMemoryType = MU_MEMORYTYPE_DEVICE;
	box.srcDevice = memory;
	box.srcPitch = pitch;
	box.dstMemoryType = MU_MEMORYTYPE_ARRAY;
	box.dstArray = array;
	box.dstZ = 1;
	box.WidthInBytes = 16;
	box.Height = 4;
	box.Depth = 1;
	OK(muMemcpy3D(&box));
	memcpy(&peer, &box, sizeof(peer));
	peer.dstContext = peer.srcContext = ctx;
	OK(muMemcpy3DPeer(&peer));
	OK(muMemcpy3DPeerAsync(&peer, stream));
	memset(&box, 0, sizeof(box));
	box.srcMemoryType = MU_MEMORYTYPE_ARRAY;
	box.srcArray = array;
	box.srcXInBytes = 4;
	box.srcZ = 1;
	box.dstMemoryType = MU_MEMORYTYPE_HOST;
	box.dstHost = to;
	box.dstPitch = 16;
	box.WidthInBytes = 12;
	box.Height = 4;
	box.Depth = 1;
	OK(muStreamSynchronize(stream));
	OK(muMemcpy3DAsync(&box, stream));
	OK(muStreamSynchronize(stream));
	EQ(to[1][0], 11);
	box.WidthInBytes = 10;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpy3D(&box));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpy3DPeer(NULL));
	OK(muArrayDestroy(array));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muMemcpy3D(&box));
	format.Format = MU_AD_FORMAT_NV12;
	EXPECT(MUSA_ERROR_NOT_SUPPORTED, muArray3DCreate(&array, &format));
	format.Format = (MUarray_format)5;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muArray3DCreate(&array, &format));
	OK(muMemFree(memory));
}

/* A row of an array of one dimension. */
Test(driver_memory, array_rows)
{
	MUSA_ARRAY_DESCRIPTOR format = {.Width = 8, .Format = MU_AD_FORMAT_UNSIGNED_INT16,
					.NumChannels = 2};
	short from[4] = {1, 2, 3, 4}, to[4] = {0};
	MUstream stream;
	MUarray array;

	d_context();
	stream = d_stream();
	OK(muArrayCreate(&array, &format));
	OK(muMemcpyHtoA(array, 4, from, sizeof(from)));
	OK(muMemcpyAtoH(to, array, 4, sizeof(to)));
	EQ(to[3], 4);
	OK(muMemcpyHtoAAsync(array, 0, from + 2, 4, stream));
	OK(muMemcpyAtoHAsync(to, array, 0, 4, stream));
	OK(muStreamSynchronize(stream));
	EQ(to[0], 3);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpyHtoA(array, 2, from, 4));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemcpyHtoA(array, 28, from, 8));
	OK(muArrayDestroy(array));
}

/* Elements of three sizes, lines and rows, at once and in a stream. */
Test(driver_memory, fills)
{
	MUdeviceptr memory = (d_context(), d_ints(64));
	unsigned char bytes[256];
	MUstream stream = d_stream();

	OK(muMemsetD8(memory, 0x11, 64));
	OK(muMemsetD16Async(memory + 64, 0x2233, 32, stream));
	OK(muMemsetD32Async(memory + 128, 0x44556677, 16, stream));
	OK(muMemsetD8Async(memory + 192, 0x99, 64, stream));
	OK(muMemsetD2D8(memory, 32, 0xaa, 4, 2));
	OK(muMemsetD2D16Async(memory + 64, 32, 0xbbcc, 2, 2, stream));
	OK(muMemsetD2D32Async(memory + 128, 32, 0xddddddddu, 1, 2, stream));
	OK(muMemsetD2D8Async(memory + 192, 32, 0xee, 1, 2, stream));
	OK(muMemsetD16(memory + 252, 0x0102, 1));
	OK(muMemsetD2D16(memory + 254, 2, 0x0304, 1, 1));
	OK(muMemsetD2D32(memory + 248, 4, 0x05060708, 1, 1));
	OK(muStreamSynchronize(stream));
	OK(muMemsetD16(memory + 252, 0x0102, 1));
	OK(muMemcpyDtoH(bytes, memory, sizeof(bytes)));
	EQ(bytes[3], 0xaa);
	EQ(bytes[4], 0x11);
	EQ(bytes[32], 0xaa);
	EQ(bytes[64], 0xcc);
	EQ(bytes[68], 0x33);
	EQ(bytes[128], 0xdd);
	EQ(bytes[132], 0x77);
	EQ(bytes[192], 0xee);
	EQ(bytes[193], 0x99);
	EQ(bytes[252], 0x02);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemsetD32(memory + 2, 0, 1));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemsetD2D32(memory, 8, 0, 4, 2));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muMemsetD8(memory, 0, 1000));
	OK(muMemFree(memory));
}

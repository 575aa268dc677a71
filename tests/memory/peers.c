/* SPDX-License-Identifier: MIT */
/* Two devices: copies between them, access, and memory that belongs to one of them. */
#include "memory_test.h"

#include "drv/table.h"

static void *on_device(int device, size_t size_b)
{
	OK(musaSetDevice(device));
	return device_memory(size_b);
}

/* Access is a switch of its own; it is not needed for copies. */
Test(memory_peers, access)
{
	int can;

	OK(musaDeviceCanAccessPeer(&can, 0, 1));
	EQ(can, 1);
	OK(musaDeviceCanAccessPeer(&can, 1, 1));
	EQ(can, 0);
	EXPECT(musaErrorInvalidDevice, musaDeviceCanAccessPeer(&can, 0, 2));
	EXPECT(IV, musaDeviceCanAccessPeer(NULL, 0, 1));
	EXPECT(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(1));
	OK(musaDeviceEnablePeerAccess(1, 0));
	EXPECT(musaErrorPeerAccessAlreadyEnabled, musaDeviceEnablePeerAccess(1, 0));
	OK(musaDeviceDisablePeerAccess(1));
	EXPECT(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(1));
	EXPECT(IV, musaDeviceEnablePeerAccess(1, 1));
	EXPECT(musaErrorInvalidDevice, musaDeviceEnablePeerAccess(0, 0));
	EXPECT(musaErrorInvalidDevice, musaDeviceEnablePeerAccess(2, 0));
}

/* Every call and either current device. */
Test(memory_peers, copies)
{
	enum { N = 3000 };
	unsigned char *zero = on_device(0, N), *one = on_device(1, N), *got, host[N];
	struct musaPointerAttributes attributes;
	musaStream_t stream;

	fill_pattern(host, N);
	for (int current = 0; current < 2; current++) {
		OK(musaSetDevice(current));
		stream = new_stream();
		OK(musaMemcpy(zero, host, N, musaMemcpyHostToDevice));
		OK(musaMemset(one, 0, N));
		OK(musaMemcpyPeer(one, 1, zero, 0, N));
		got = read_back(one, N);
		cr_assert_arr_eq(got, host, N);
		OK(musaMemset(one, 0, N));
		OK(musaDeviceSynchronize());
		OK(musaMemcpyPeerAsync(one, 1, zero, 0, N, stream));
		OK(musaMemcpyAsync(zero, one, N, musaMemcpyDeviceToDevice, stream));
		OK(musaStreamSynchronize(stream));
		cr_assert_arr_eq(read_back(zero, N), host, N);
		OK(musaStreamDestroy(stream));
	}
	OK(musaPointerGetAttributes(&attributes, zero));
	EQ(attributes.device, 0);
	OK(musaPointerGetAttributes(&attributes, one));
	EQ(attributes.device, 1);
	OK(musaMemcpyPeer(one, 1, zero, 0, 0));
	EXPECT(musaErrorInvalidDevice, musaMemcpyPeer(one, 2, zero, 0, N));
	EXPECT(musaErrorInvalidDevice, musaMemcpyPeer(one, 1, zero, -1, N));
	EXPECT(IV, musaMemcpyPeer(one, 1, zero, 0, N + 1));
	EXPECT(IV, musaMemcpyPeer(one, 1, host, 0, N));
	EXPECT(IV, musaMemcpyPeer(NULL, 1, zero, 0, N));
}

/* Boxes and arrays go between devices too. */
Test(memory_peers, boxes)
{
	enum { W = 16, H = 4, D = 3, BYTES = W * H * D };
	struct musaChannelFormatDesc format =
		musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindUnsigned);
	unsigned char *zero, *one = on_device(1, BYTES), host[BYTES];
	struct musaMemcpy3DPeerParms p = {0};
	musaArray_t array;

	zero = on_device(0, BYTES);
	OK(musaMalloc3DArray(&array, &format, make_musaExtent(W, H, D), 0));
	fill_pattern(host, BYTES);
	OK(musaMemcpy(zero, host, BYTES, musaMemcpyHostToDevice));
	p.srcPtr = make_musaPitchedPtr(zero, W, W, H);
	p.dstArray = array;
	p.extent = make_musaExtent(W, H, D);
	OK(musaMemcpy3DPeer(&p));
	memset(&p, 0, sizeof(p));
	p.srcArray = array;
	p.dstPtr = make_musaPitchedPtr(one, W, W, H);
	p.dstDevice = 1;
	p.extent = make_musaExtent(W, H, D);
	OK(musaMemcpy3DPeerAsync(&p, NULL));
	OK(musaDeviceSynchronize());
	cr_assert_arr_eq(read_back(one, BYTES), host, BYTES);
	p.srcDevice = 5;
	EXPECT(musaErrorInvalidDevice, musaMemcpy3DPeer(&p));
	EXPECT(IV, musaMemcpy3DPeer(NULL));
}

/* Pinned, managed and registered memory of one device serves the other; so does its pool. */
Test(memory_peers, shared_host_memory)
{
	struct musaMemAccessDesc access = {{musaMemLocationTypeDevice, 1},
					   musaMemAccessFlagsProtReadWrite};
	enum musaMemAccessFlags flags;
	char *pinned, *managed, *registered = malloc(100), *pooled;
	musaStream_t stream;
	musaMemPool_t pool;

	OK(musaSetDevice(0));
	OK(musaMallocHost((void **)&pinned, 100));
	OK(musaMallocManaged((void **)&managed, 100, musaMemAttachGlobal));
	OK(musaHostRegister(registered, 100, musaHostRegisterPortable));
	OK(musaDeviceGetDefaultMemPool(&pool, 0));
	OK(musaMemPoolGetAccess(&flags, pool, &access.location));
	EQ(flags, musaMemAccessFlagsProtNone);
	OK(musaMemPoolSetAccess(pool, &access, 1));
	OK(musaMemPoolGetAccess(&flags, pool, &access.location));
	EQ(flags, musaMemAccessFlagsProtReadWrite);
	OK(musaSetDevice(1));
	stream = new_stream();
	OK(musaMallocFromPoolAsync((void **)&pooled, 100, pool, stream));
	OK(musaMemsetAsync(pooled, 4, 100, stream));
	OK(musaMemcpyAsync(pinned, pooled, 100, musaMemcpyDeviceToHost, stream));
	OK(musaMemsetAsync(managed, 5, 100, stream));
	OK(musaMemsetAsync(registered, 6, 100, stream));
	OK(musaFreeAsync(pooled, stream));
	OK(musaStreamSynchronize(stream));
	EQ(pinned[99], 4);
	EQ(managed[99], 5);
	EQ(registered[99], 6);
	/* The pool of device 0 outlives the streams of device 1. */
	OK(musaMallocFromPoolAsync((void **)&pooled, 100, pool, stream));
	OK(musaFreeAsync(pooled, stream));
	OK(musaDeviceReset());
	OK(musaSetDevice(0));
	OK(musaDeviceSynchronize());
	OK(musaMallocAsync((void **)&pooled, 100, NULL));
	OK(musaFree(pooled));
}

/* The synchronous copy waits for both devices first. */
Test(memory_peers, synchronous_copy_is_behind_both)
{
	char *zero = on_device(0, 100), *one = on_device(1, 100);
	musaStream_t stream;

	OK(musaSetDevice(1));
	stream = new_stream();
	for (int i = 0; i < 50; i++)
		OK(musaMemsetAsync(one, i, 100, stream));
	OK(musaSetDevice(0));
	OK(musaMemcpyPeer(zero, 0, one, 1, 100));
	EQ(*read_back(zero, 1), 49);
}

/* A semaphore of one device is signalled and waited for by the other. */
Test(memory_peers, semaphore)
{
	struct musaExternalSemaphoreSignalParams signal_params = { 0 };
	struct musaExternalSemaphoreWaitParams wait_params = { 0 };
	musaExternalSemaphore_t semaphore;
	musaStream_t zero, one;
	struct mt_ctx *ctx;
	uint64_t handle;

	OK(musaSetDevice(0));
	zero = new_stream();
	cr_assert_eq(mt_drv_table_v1.mt_ctx_primary(0, &ctx), MUSA_SUCCESS);
	cr_assert_eq(mt_drv_table_v1.mt_ext_semaphore_create(ctx, &handle), MUSA_SUCCESS);
	semaphore = (musaExternalSemaphore_t)(uintptr_t)handle;
	OK(musaSetDevice(1));
	one = new_stream();
	signal_params.params.fence.value = wait_params.params.fence.value = 3;
	OK(musaWaitExternalSemaphoresAsync(&semaphore, &wait_params, 1, one));
	EXPECT(musaErrorNotReady, musaStreamQuery(one));
	OK(musaSetDevice(0));
	OK(musaSignalExternalSemaphoresAsync(&semaphore, &signal_params, 1, zero));
	OK(musaStreamSynchronize(one));
	OK(musaDestroyExternalSemaphore(semaphore));
}

/* SPDX-License-Identifier: MIT */
/* Device memory: what is handed out, what is refused, and that the books are exact. */
#include "memory_test.h"

#include <pthread.h>

/* Sizes of all kinds are aligned, apart from each other, and writable to the last byte. */
Test(memory_allocation, sizes)
{
	const size_t sizes[] = {1, 2, 255, 256, 257, 512, 4095, 65536, MIB + 1, 20 * MIB};
	void *memory[10];

	for (int i = 0; i < 10; i++) {
		memory[i] = device_memory(sizes[i]);
		EQ((uintptr_t)memory[i] % 512, 0);
		OK(musaMemset(memory[i], i + 1, sizes[i]));
	}
	for (int i = 0; i < 10; i++) {
		unsigned char *host = read_back(memory[i], sizes[i]);

		EQ(host[0], i + 1);
		EQ(host[sizes[i] - 1], i + 1);
		free(host);
		OK(musaFree(memory[i]));
	}
}

/* Nothing is a success that gives nothing. */
Test(memory_allocation, nothing)
{
	void *memory = &memory;

	OK(musaMalloc(&memory, 0));
	cr_assert_null(memory);
	OK(musaFree(NULL));
	OK(musaFreeHost(NULL));
	OK(musaFreeArray(NULL));
}

/* Wrong arguments, double frees, interior and foreign pointers are refused. */
Test(memory_allocation, refusals)
{
	char *memory = device_memory(1024), *other;
	int local;

	EXPECT(IV, musaMalloc(NULL, 1));
	EXPECT(IV, musaFree(memory + 512));
	EXPECT(IV, musaFree(&local));
	OK(musaMallocHost((void **)&other, 64));
	EXPECT(IV, musaFree(other));
	EXPECT(IV, musaFreeHost(memory));
	OK(musaFreeHost(other));
	EXPECT(IV, musaFreeHost(other));
	OK(musaFree(memory));
	EXPECT(IV, musaFree(memory));
	EXPECT(IV, musaPeekAtLastError());
	EXPECT(IV, musaGetLastError());
	OK(musaGetLastError());
}

/* What does not fit is out of memory, and leaves the device usable. */
Test(memory_allocation, too_much)
{
	size_t free_b, total_b;
	void *memory = &free_b;

	OK(musaMemGetInfo(&free_b, &total_b));
	EXPECT(musaErrorMemoryAllocation, musaMalloc(&memory, total_b + 1));
	EXPECT(musaErrorMemoryAllocation, musaMalloc(&memory, SIZE_MAX));
	EXPECT(musaErrorMemoryAllocation, musaMalloc(&memory, SIZE_MAX - 100));
	EQ((uintptr_t)memory, (uintptr_t)&free_b);
	EQ(free_memory(), free_b);
	OK(musaFree(device_memory(MIB)));
}

/* Free memory falls by what was taken and rises by what came back, to the granule. */
Test(memory_allocation, exact_books)
{
	void *first = device_memory(1), *second, *third;
	size_t before = free_memory(), total_b, free_b;

	second = device_memory(MIB);
	EQ(before - free_memory(), MIB);
	third = device_memory(513);
	EQ(before - free_memory(), MIB + 1024);
	OK(musaFree(second));
	EQ(before - free_memory(), 1024);
	second = device_memory(100 * MIB);
	EQ(before - free_memory(), 100 * MIB + 1024);
	OK(musaFree(second));
	OK(musaFree(third));
	OK(musaFree(first));
	OK(musaMemGetInfo(&free_b, &total_b));
	EQ(free_b, before + 512);
	EXPECT(IV, musaMemGetInfo(NULL, &total_b));
	EXPECT(IV, musaMemGetInfo(&free_b, NULL));
}

/* The device can be filled to less than one slab, and again after it was emptied. */
Test(memory_allocation, fills_the_device)
{
	enum { MOST = 1100 };
	static void *memory[MOST];

	for (int round = 0; round < 2; round++) {
		int count = 0;

		while (count < MOST && musaMalloc(&memory[count], MIB) == musaSuccess)
			count++;
		EXPECT(musaErrorMemoryAllocation, musaGetLastError());
		/* 1 GiB on this device, less what the library itself needs. */
		cr_assert_gt(count, 1000);
		cr_assert_lt(free_memory(), 2 * MIB);
		while (count)
			OK(musaFree(memory[--count]));
	}
}

/* Rows start at multiples of the pitch, which is one of 512. */
Test(memory_allocation, pitched)
{
	struct musaExtent extent = {100, 20, 3};
	struct musaPitchedPtr box;
	size_t pitch;
	void *memory;

	OK(musaMallocPitch(&memory, &pitch, 1000, 10));
	EQ(pitch, 1024);
	OK(musaMemset(memory, 1, pitch * 10));
	EXPECT(IV, musaMemset(memory, 1, pitch * 10 + 1));
	OK(musaFree(memory));
	OK(musaMalloc3D(&box, extent));
	EQ(box.pitch, 512);
	EQ(box.xsize, 100);
	EQ(box.ysize, 20);
	OK(musaMemset(box.ptr, 1, 512 * 20 * 3));
	OK(musaFree(box.ptr));
	EXPECT(IV, musaMallocPitch(NULL, &pitch, 1, 1));
	EXPECT(IV, musaMallocPitch(&memory, NULL, 1, 1));
	EXPECT(IV, musaMalloc3D(NULL, extent));
	EXPECT(musaErrorMemoryAllocation, musaMallocPitch(&memory, &pitch, SIZE_MAX, 2));
	EXPECT(musaErrorMemoryAllocation, musaMallocPitch(&memory, &pitch, SIZE_MAX / 4, 8));
	OK(musaMallocPitch(&memory, &pitch, 0, 5));
	cr_assert_null(memory);
}

/* musaFree waits for work that uses the memory. */
Test(memory_allocation, free_waits)
{
	musaStream_t stream = new_stream();
	int *pinned, *memory = device_memory(4 * MIB);

	OK(musaMallocHost((void **)&pinned, 4 * MIB));
	memset(pinned, 0, 4 * MIB);
	for (int i = 0; i < 20; i++)
		OK(musaMemsetAsync(memory, i + 1, 4 * MIB, stream));
	OK(musaMemcpyAsync(pinned, memory, 4 * MIB, musaMemcpyDeviceToHost, stream));
	OK(musaFree(memory));
	EQ(pinned[0], 0x14141414);
	EQ(pinned[MIB - 1], 0x14141414);
	OK(musaStreamDestroy(stream));
	OK(musaFreeHost(pinned));
}

static void *churn(void *arg)
{
	const char *rounds = getenv("CHURN_ROUNDS");
	int count = rounds ? atoi(rounds) : 2000;
	unsigned int seed = (unsigned int)(uintptr_t)arg;
	void *memory[32] = {NULL};

	for (int round = 0; round < count; round++) {
		int i = rand_r(&seed) % 32;

		if (memory[i]) {
			OK(musaFree(memory[i]));
			memory[i] = NULL;
		} else {
			memory[i] =
				device_memory(1 + rand_r(&seed) % (round % 50 ? 5000 : 5000000));
		}
	}
	for (int i = 0; i < 32; i++)
		OK(musaFree(memory[i]));
	return NULL;
}

/* Threads allocate side by side; in the end everything is back. */
Test(memory_allocation, threads)
{
	pthread_t threads[4];
	size_t before;

	OK(musaFree(device_memory(1)));
	before = free_memory();
	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	EQ(free_memory(), before);
}

/* A reset takes all memory along; the old pointers are unknown afterwards. */
Test(memory_allocation, reset)
{
	struct musaPointerAttributes attributes;
	void *device, *host, *managed, *pooled;
	musaArray_t array;
	struct musaChannelFormatDesc format =
		musaCreateChannelDesc(32, 0, 0, 0, musaChannelFormatKindFloat);

	device = device_memory(MIB);
	OK(musaMallocHost(&host, MIB));
	OK(musaMallocManaged(&managed, MIB, musaMemAttachGlobal));
	OK(musaMallocAsync(&pooled, MIB, NULL));
	OK(musaMallocArray(&array, &format, 64, 64, 0));
	OK(musaHostRegister(malloc(100), 100, 0));
	OK(musaDeviceReset());
	OK(musaPointerGetAttributes(&attributes, device));
	EQ(attributes.type, musaMemoryTypeUnregistered);
	OK(musaPointerGetAttributes(&attributes, host));
	EQ(attributes.type, musaMemoryTypeUnregistered);
	EXPECT(IV, musaFree(device));
	EXPECT(IV, musaFree(managed));
	EXPECT(IV, musaFreeAsync(pooled, NULL));
	EXPECT(musaErrorInvalidResourceHandle, musaFreeArray(array));
	OK(musaFree(device_memory(MIB)));
}

/* SPDX-License-Identifier: MIT */
/*
 * Pageable memory in asynchronous copies: a source may be changed as soon as the call has returned,
 * a destination is complete by then.
 */
#include "memory_test.h"

/* The source is read before the call returns, although the stream stands still. */
Test(memory_pageable, source_is_free_at_once)
{
	musaStream_t stream = new_stream();
	_Atomic int open;
	unsigned char *device = device_memory(64 * KIB), *host = malloc(64 * KIB), *got;

	fill_pattern(host, 64 * KIB);
	hold_stream(stream, &open);
	OK(musaMemcpyAsync(device, host, 64 * KIB, musaMemcpyHostToDevice, stream));
	memset(host, 0, 64 * KIB);
	EXPECT(musaErrorNotReady, musaStreamQuery(stream));
	atomic_store(&open, 1);
	OK(musaStreamSynchronize(stream));
	got = read_back(device, 64 * KIB);
	for (size_t i = 0; i < 64 * KIB; i++)
		EQ(got[i], pattern(i));
}

/* So it is for rows. */
Test(memory_pageable, source_rows_are_free_at_once)
{
	musaStream_t stream = new_stream();
	_Atomic int open;
	unsigned char *device = device_memory(64 * 16), *host = malloc(100 * 16), *got;

	fill_pattern(host, 100 * 16);
	OK(musaMemset(device, 0, 64 * 16));
	hold_stream(stream, &open);
	OK(musaMemcpy2DAsync(device, 64, host, 100, 40, 16, musaMemcpyHostToDevice, stream));
	memset(host, 0, 100 * 16);
	atomic_store(&open, 1);
	OK(musaStreamSynchronize(stream));
	got = read_back(device, 64 * 16);
	for (size_t i = 0; i < 64 * 16; i++)
		EQ(got[i], i % 64 < 40 ? pattern(i / 64 * 100 + i % 64) : 0);
}

/* A large source is free as well when the call returns. */
Test(memory_pageable, large_source)
{
	musaStream_t stream = new_stream();
	size_t size_b = 24 * MIB;
	unsigned char *device = device_memory(size_b), *host = malloc(size_b), *got;

	fill_pattern(host, size_b);
	OK(musaMemcpyAsync(device, host, size_b, musaMemcpyHostToDevice, stream));
	memset(host, 0, size_b);
	OK(musaStreamSynchronize(stream));
	got = read_back(device, size_b);
	for (size_t i = 0; i < size_b; i += 4097)
		EQ(got[i], pattern(i));
}

/* A pageable destination is complete when the call returns. */
Test(memory_pageable, destination_is_complete)
{
	musaStream_t stream = new_stream();
	size_t size_b = 8 * MIB;
	unsigned char *device = device_memory(size_b), *host = malloc(size_b);

	for (int round = 1; round < 5; round++) {
		OK(musaMemsetAsync(device, round, size_b, stream));
		OK(musaMemcpyAsync(host, device, size_b, musaMemcpyDeviceToHost, stream));
		EQ(host[0], round);
		EQ(host[size_b - 1], round);
	}
}

/* Pinned and device memory make the call return at once. */
Test(memory_pageable, pinned_does_not_wait)
{
	musaStream_t stream = new_stream();
	_Atomic int open;
	int *pinned, *device = device_memory(64);

	OK(musaMallocHost((void **)&pinned, 64));
	pinned[0] = 1;
	pinned[1] = 0;
	hold_stream(stream, &open);
	OK(musaMemcpyAsync(device, &pinned[0], sizeof(int), musaMemcpyHostToDevice, stream));
	OK(musaMemcpyAsync(&pinned[1], device, sizeof(int), musaMemcpyDeviceToHost, stream));
	EXPECT(musaErrorNotReady, musaStreamQuery(stream));
	/* Pinned sources are read when the copy runs. */
	pinned[0] = 2;
	EQ(pinned[1], 0);
	atomic_store(&open, 1);
	OK(musaStreamSynchronize(stream));
	EQ(pinned[1], 2);
}

/* Many staged copies behind one another need no more than their own memory, and give it back. */
Test(memory_pageable, many_staged_copies)
{
	musaStream_t stream = new_stream();
	unsigned char *device = device_memory(64 * 200), block[64], *got;
	_Atomic int open;

	for (int round = 0; round < 3; round++) {
		hold_stream(stream, &open);
		for (int i = 0; i < 200; i++) {
			memset(block, i + round, sizeof(block));
			OK(musaMemcpyAsync(device + 64 * i, block, 64, musaMemcpyHostToDevice,
					   stream));
		}
		atomic_store(&open, 1);
		OK(musaStreamSynchronize(stream));
		got = read_back(device, 64 * 200);
		for (int i = 0; i < 200; i++)
			EQ(got[64 * i + 63], (i + round) & 0xff);
		free(got);
	}
}

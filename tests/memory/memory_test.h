/* SPDX-License-Identifier: MIT */
/* What the memory tests share: patterns, and a gate that holds a stream without a kernel. */
#ifndef MEMORY_TEST_H
#define MEMORY_TEST_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

#define KIB (1ull << 10)
#define MIB (1ull << 20)

#define IV ((musaError_t)musaErrorInvalidValue)

/* A stream waits in a host function until the gate opens. */
static inline void wait_at_gate(void *data)
{
	_Atomic int *open = data;

	while (!atomic_load(open))
		usleep(200);
}

static inline void hold_stream(musaStream_t stream, _Atomic int *open)
{
	atomic_store(open, 0);
	OK(musaLaunchHostFunc(stream, wait_at_gate, (void *)open));
}

static inline musaStream_t new_stream(void)
{
	musaStream_t stream;

	OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
	return stream;
}

/* Bytes that tell where they stand. */
static inline unsigned char pattern(size_t i)
{
	return (unsigned char)(i * 7 + (i >> 8) * 13 + 1);
}

static inline void fill_pattern(void *memory, size_t size_b)
{
	unsigned char *bytes = memory;

	for (size_t i = 0; i < size_b; i++)
		bytes[i] = pattern(i);
}

static inline void *device_memory(size_t size_b)
{
	void *memory;

	OK(musaMalloc(&memory, size_b));
	return memory;
}

/* Device memory with the pattern in it. */
static inline void *device_pattern(size_t size_b)
{
	void *memory = device_memory(size_b), *host = malloc(size_b);

	fill_pattern(host, size_b);
	OK(musaMemcpy(memory, host, size_b, musaMemcpyHostToDevice));
	free(host);
	return memory;
}

static inline unsigned char *read_back(const void *device, size_t size_b)
{
	unsigned char *host = malloc(size_b);

	OK(musaMemcpy(host, device, size_b, musaMemcpyDeviceToHost));
	return host;
}

static inline size_t free_memory(void)
{
	size_t free_b, total_b;

	OK(musaMemGetInfo(&free_b, &total_b));
	return free_b;
}

#endif

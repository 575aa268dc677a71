// SPDX-License-Identifier: MIT
/*
 * The client's memory at the client's device addresses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu.h"

/* Index of the first range that ends behind va. */
static uint32_t find(const struct gpu *gpu, uint64_t va)
{
	uint32_t low = 0, high = gpu->range_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (gpu->ranges[middle].va + gpu->ranges[middle].size_b <= va)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool gpu_is_mapped(const struct gpu *gpu, uint64_t va, uint64_t size_b)
{
	uint32_t at = find(gpu, va);

	return at < gpu->range_count && gpu->ranges[at].va <= va &&
	       size_b <= gpu->ranges[at].size_b - (va - gpu->ranges[at].va);
}

static int remember(struct gpu *gpu, uint64_t va, uint64_t size_b)
{
	uint32_t at = find(gpu, va), room = gpu->range_room ? gpu->range_room * 2 : 64;
	struct gpu_range *grown;

	if (gpu->range_count == gpu->range_room) {
		grown = realloc(gpu->ranges, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		gpu->ranges = grown;
		gpu->range_room = room;
	}
	memmove(&gpu->ranges[at + 1], &gpu->ranges[at],
		(gpu->range_count - at) * sizeof(gpu->ranges[0]));
	gpu->ranges[at] = (struct gpu_range){va, size_b};
	gpu->range_count++;
	return 0;
}

static void forget(struct gpu *gpu, uint64_t va)
{
	uint32_t at = find(gpu, va);

	if (at == gpu->range_count || gpu->ranges[at].va != va)
		return;
	gpu->range_count--;
	memmove(&gpu->ranges[at], &gpu->ranges[at + 1],
		(gpu->range_count - at) * sizeof(gpu->ranges[0]));
}

int gpu_map(struct gpu *gpu, uint64_t va, uint64_t size_b, bool writable)
{
	uint32_t flags = MT_SG_READ | MT_SG_EXECUTE | (writable ? MT_SG_WRITE : 0);
	int protection = PROT_READ | (writable ? PROT_WRITE | PROT_EXEC : 0), ret;
	void *at = (void *)(uintptr_t)va;

	ret = remember(gpu, va, size_b);
	if (ret)
		return ret;
	if (mmap(at, size_b, protection, MAP_SHARED | MAP_FIXED_NOREPLACE, gpu->fd, (off_t)va) !=
	    at) {
		ret = -errno;
		/* The client was quicker: it has unmapped meanwhile, and says so next. */
		if (ret == -EINVAL)
			return 0;
		goto forget_range;
	}
	ret = mt_sg_map(gpu->engine, va, size_b, flags);
	if (ret)
		goto unmap;
	return 0;

unmap:
	munmap(at, size_b);
forget_range:
	forget(gpu, va);
	return ret;
}

void gpu_unmap(struct gpu *gpu, uint64_t va, uint64_t size_b)
{
	forget(gpu, va);
	mt_sg_unmap(gpu->engine, va, size_b);
	munmap((void *)(uintptr_t)va, size_b);
}

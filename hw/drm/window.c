/* SPDX-License-Identifier: MIT */
/*
 * A device's window: addresses of the process that lie inside a heap of the device, and the
 * mappings of kernel objects there.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "hw/base/log.h"
#include "hw/drm/drm.h"

/* Addresses are several times the memory, for reservations that outlive allocations. */
#define WINDOW_FACTOR 8u
#define WINDOW_MIN_B  (UINT64_C(1) << 30)
#define WINDOW_WISH_B (UINT64_C(64) << 30)
#define WINDOW_MAX_B  (UINT64_C(4) << 40)
#define WINDOW_ALIGN  (UINT64_C(1) << 21)
#define USER_MIN      (UINT64_C(1) << 20)
#define USER_END      ((UINT64_C(1) << 47) - MT_DRM_PAGE_B)
#define PLACES_MAX    16u

/* The page of the heap that holds the range, 0 if none does. */
static uint64_t page_of(const struct mt_drm_device *device, uint64_t va, uint64_t size_b)
{
	const struct drm_mtgpu_heap_info *heap;

	for (uint32_t i = 0; i < device->heap_count; i++) {
		heap = &device->heaps[i];
		if (va >= heap->base && va - heap->base <= heap->length &&
		    size_b <= heap->length - (va - heap->base))
			return UINT64_C(1) << heap->log2_page_size;
	}
	return 0;
}

bool mt_drm_in_heap(const struct mt_drm_device *device, uint64_t va, uint64_t size_b)
{
	uint64_t page_b = page_of(device, va, size_b);

	return page_b && !((va | size_b) & (page_b - 1));
}

/* Inaccessible addresses at `at`, or anywhere if that is 0; 0: not to be had. The address is a
 * hint, which the system takes if nothing is there. */
static uint64_t reserve(uint64_t at, uint64_t size_b)
{
	void *wanted = (void *)(uintptr_t)at;
	void *got = mt_drm_os->mmap(wanted, size_b, PROT_NONE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (got == MAP_FAILED)
		return 0;
	if (at && got != wanted) {
		mt_drm_os->munmap(got, size_b);
		return 0;
	}
	return (uintptr_t)got;
}

static uint64_t align_up(uint64_t value)
{
	return (value + WINDOW_ALIGN - 1) & ~(WINDOW_ALIGN - 1);
}

static uint64_t reserve_in_heap(const struct drm_mtgpu_heap_info *heap, uint64_t size_b)
{
	uint64_t start = align_up(heap->base > USER_MIN ? heap->base : USER_MIN);
	uint64_t end = heap->base + heap->length, va;

	if (end > USER_END)
		end = USER_END;
	for (uint32_t i = 0; i < PLACES_MAX && start < end && end - start >= size_b; i++) {
		va = reserve(start, size_b);
		if (va)
			return va;
		start += size_b;
	}
	return 0;
}

/*
 * UNVERIFIED: which heap is meant for buffers. The one called "general" if there is one, else every
 * one is tried, larger ones first.
 */
static uint64_t reserve_in_heaps(const struct mt_drm_device *device, uint64_t size_b)
{
	uint64_t tried_b = UINT64_MAX, va;
	uint32_t i;

	for (i = 0; i < device->heap_count; i++) {
		if (strncasecmp(device->heaps[i].name, "general", 7))
			continue;
		va = reserve_in_heap(&device->heaps[i], size_b);
		if (va)
			return va;
	}
	for (;;) {
		uint64_t largest_b = 0;

		for (i = 0; i < device->heap_count; i++)
			if (device->heaps[i].length < tried_b &&
			    device->heaps[i].length > largest_b)
				largest_b = device->heaps[i].length;
		if (largest_b < size_b)
			return 0;
		for (i = 0; i < device->heap_count; i++) {
			if (device->heaps[i].length != largest_b)
				continue;
			va = reserve_in_heap(&device->heaps[i], size_b);
			if (va)
				return va;
		}
		tried_b = largest_b;
	}
}

/* Where the kernel puts it may lie in a heap by itself. */
static uint64_t reserve_anywhere(struct mt_drm_device *device, uint64_t size_b)
{
	uint64_t va = reserve(0, size_b);

	if (!va)
		return 0;
	device->window_mapped = mt_drm_in_heap(device, va, size_b);
	if (device->window_mapped || !device->generation->executes_packets)
		return va;
	mt_drm_os->munmap((void *)(uintptr_t)va, size_b);
	return 0;
}

int mt_drm_window_open(struct mt_drm_device *device)
{
	uint64_t memory_b = device->base.info.memory_b;
	uint64_t size_b =
		memory_b < WINDOW_MAX_B / WINDOW_FACTOR ? memory_b * WINDOW_FACTOR : WINDOW_MAX_B;
	uint64_t va;
	int ret;

	if (size_b < WINDOW_WISH_B)
		size_b = WINDOW_WISH_B;
	for (size_b = align_up(size_b); size_b >= WINDOW_MIN_B; size_b = align_up(size_b / 2)) {
		va = reserve_in_heaps(device, size_b);
		device->window_mapped = va != 0;
		if (!va)
			va = reserve_anywhere(device, size_b);
		if (va)
			break;
	}
	if (size_b < WINDOW_MIN_B) {
		mt_log(MT_LOG_ERROR, "%s: no free addresses that the device and this process share",
		       device->path);
		return -ENOMEM;
	}
	ret = mt_extents_init(&device->addresses, va, size_b);
	if (ret) {
		mt_drm_os->munmap((void *)(uintptr_t)va, size_b);
		return ret;
	}
	device->window_va = va;
	device->window_b = size_b;
	device->page_b = page_of(device, va, size_b);
	if (!device->page_b)
		device->page_b = MT_DRM_PAGE_B;
	mt_log(MT_LOG_DEBUG, "%s: window at 0x%llx, %llu GiB%s", device->path,
	       (unsigned long long)va, (unsigned long long)(size_b >> 30),
	       device->window_mapped ? "" : ", outside the device's heaps");
	return 0;
}

void mt_drm_window_close(struct mt_drm_device *device)
{
	mt_drm_os->munmap((void *)(uintptr_t)device->window_va, device->window_b);
	mt_extents_finish(&device->addresses);
}

int mt_drm_window_take(struct mt_drm_device *device, uint64_t size_b, uint64_t align_b,
		       uint64_t *va_out)
{
	if (align_b < device->page_b)
		align_b = device->page_b;
	return mt_extents_take(&device->addresses, mt_drm_pages(device, size_b), align_b, va_out);
}

int mt_drm_window_cover(uint64_t va, uint64_t size_b)
{
	if (mt_drm_os->mmap((void *)(uintptr_t)va, size_b, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
			    0) == MAP_FAILED)
		return -errno;
	return 0;
}

void mt_drm_window_give(struct mt_drm_device *device, uint64_t va, uint64_t size_b)
{
	size_b = mt_drm_pages(device, size_b);
	/* Addresses that still show old memory are given up rather than handed out again. */
	if (!mt_drm_window_cover(va, size_b))
		mt_extents_give(&device->addresses, va, size_b);
	else
		mt_log(MT_LOG_WARN, "%s: %llu bytes of addresses are lost", device->path,
		       (unsigned long long)size_b);
}

int mt_drm_vm_map(struct mt_drm_device *device, uint64_t va, uint32_t handle, uint64_t size_b)
{
	struct drm_mtgpu_vm_map args = {
		.vm_ctx_handle = device->vm,
		.va = va,
		.bo_handle = handle,
		.size = size_b,
	};

	return mt_drm_call(device, DRM_IOCTL_MTGPU_VM_MAP, &args);
}

void mt_drm_vm_unmap(struct mt_drm_device *device, uint64_t va)
{
	struct drm_mtgpu_vm_unmap args = {.vm_ctx_handle = device->vm, .va = va};
	int ret = mt_drm_call(device, DRM_IOCTL_MTGPU_VM_UNMAP, &args);

	if (ret && !mt_drm_stopped(device))
		mt_log(MT_LOG_WARN, "%s: the mapping at 0x%llx stays: %s", device->path,
		       (unsigned long long)va, strerror(-ret));
}

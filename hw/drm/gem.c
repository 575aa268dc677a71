/* SPDX-License-Identifier: MIT */
/*
 * Kernel handles of memory: creation with the flags of each use, counting, placing at an address.
 */
#include <errno.h>

#include "hw/base/alloc.h"
#include "hw/drm/bo.h"

/*
 * UNVERIFIED: which flags the firmware wants. These follow what the interface says of them: memory
 * of the system is cached on both sides and coherent; command memory that the device reads is
 * written by the CPU only, so it is write-combined; memory of the card may be scattered. All of it
 * starts as zero, so that nobody reads what another process has left.
 */
#define GPU_RW (MTGPU_BO_FLAGS_GPU_READABLE | MTGPU_BO_FLAGS_GPU_WRITEABLE)
#define CPU_RW (MTGPU_BO_FLAGS_CPU_READABLE | MTGPU_BO_FLAGS_CPU_WRITEABLE)
#define COMMON (GPU_RW | CPU_RW | MTGPU_BO_FLAGS_ZERO_ON_ALLOC)

static void choose_flags(const struct mt_drm_device *device, enum mt_hw_domain domain,
			 struct drm_mtgpu_bo_create *args)
{
	uint64_t flags = COMMON;

	switch (domain) {
	case MT_HW_DEVICE:
	case MT_HW_CODE:
		args->in.domains = MTGPU_BO_DOMAIN_VRAM;
		flags |= MTGPU_BO_FLAGS_GPU_CACHE_COHERENT | MTGPU_BO_FLAGS_CPU_UNCACHED_WC |
			 MTGPU_BO_FLAGS_NON_CONTIGUOUS;
		break;
	case MT_HW_HOST:
		args->in.domains = MTGPU_BO_DOMAIN_GTT;
		flags |= MTGPU_BO_FLAGS_GPU_CACHE_COHERENT | MTGPU_BO_FLAGS_CPU_CACHE_COHERENT;
		break;
	case MT_HW_COMMAND:
		args->in.domains = MTGPU_BO_DOMAIN_GTT;
		flags |= MTGPU_BO_FLAGS_GPU_CACHE_COHERENT;
		/* Where no device reads packets, the CPU does. */
		flags |= device->generation->executes_packets ? MTGPU_BO_FLAGS_CPU_UNCACHED_WC
							      : MTGPU_BO_FLAGS_CPU_CACHE_COHERENT;
		break;
	}
	args->in.flags = flags;
}

static void close_handle(struct mt_drm_device *device, uint32_t handle)
{
	struct drm_gem_close args = {.handle = handle};

	mt_drm_call(device, DRM_IOCTL_GEM_CLOSE, &args);
}

int mt_drm_gem_adopt_fresh(struct mt_drm_device *device, uint32_t handle,
			   struct mt_drm_gem **gem_out)
{
	struct mt_drm_gem *gem = mt_calloc(1, sizeof(*gem));

	if (!gem) {
		close_handle(device, handle);
		return -ENOMEM;
	}
	gem->handle = handle;
	gem->refs = 1;
	gem->next = device->gems;
	gem->link = &device->gems;
	if (gem->next)
		gem->next->link = &gem->next;
	device->gems = gem;
	*gem_out = gem;
	return 0;
}

int mt_drm_gem_adopt(struct mt_drm_device *device, uint32_t handle, struct mt_drm_gem **gem_out)
{
	struct mt_drm_gem *gem;

	for (gem = device->gems; gem; gem = gem->next) {
		if (gem->handle != handle)
			continue;
		gem->refs++;
		*gem_out = gem;
		return 0;
	}
	return mt_drm_gem_adopt_fresh(device, handle, gem_out);
}

void mt_drm_gem_unref(struct mt_drm_device *device, struct mt_drm_gem *gem)
{
	if (!gem || --gem->refs)
		return;
	*gem->link = gem->next;
	if (gem->next)
		gem->next->link = gem->link;
	close_handle(device, gem->handle);
	mt_free(gem);
}

int mt_drm_gem_request(struct mt_drm_device *device, uint64_t size_b, enum mt_hw_domain domain,
		       uint32_t *handle_out)
{
	struct drm_mtgpu_bo_create args = {.in = {.size = size_b, .align = device->page_b}};
	int ret;

	choose_flags(device, domain, &args);
	ret = mt_drm_call(device, DRM_IOCTL_MTGPU_BO_CREATE, &args);
	if (!ret)
		*handle_out = args.out.bo_handle;
	return ret;
}

int mt_drm_gem_create(struct mt_drm_device *device, uint64_t size_b, enum mt_hw_domain domain,
		      struct mt_drm_gem **gem_out)
{
	uint32_t handle;
	int ret = mt_drm_gem_request(device, size_b, domain, &handle);

	return ret ? ret : mt_drm_gem_adopt_fresh(device, handle, gem_out);
}

int mt_drm_gem_from_user(struct mt_drm_device *device, uint64_t start, uint64_t size_b,
			 bool read_only, struct mt_drm_gem **gem_out)
{
	/* UNVERIFIED: that the flags are those of buffer access. */
	struct drm_mtgpu_bo_from_userptr args = {
		.in =
			{
				.userptr = start,
				.size = size_b,
				.flags = read_only ? MTGPU_BUFFER_ACCESS_FLAG_READ
						   : MTGPU_BUFFER_ACCESS_FLAG_WRITE,
			},
	};
	int ret = mt_drm_call(device, DRM_IOCTL_MTGPU_BO_FROM_USERPTR, &args);

	if (!ret)
		ret = mt_drm_gem_adopt(device, args.out.bo_handle, gem_out);
	if (!ret) {
		(*gem_out)->user = true;
		(*gem_out)->read_only = read_only;
	}
	return ret;
}

int mt_drm_gem_mmap(struct mt_drm_device *device, const struct mt_drm_gem *gem, uint64_t size_b,
		    void *at, void **memory_out)
{
	struct drm_mtgpu_bo_get_mmap_offset args = {.in = {.bo_handle = gem->handle}};
	int ret = mt_drm_call(device, DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, &args);

	return ret ? ret : mt_drm_mmap(device->fd, args.out.offset, size_b, at, memory_out);
}

int mt_drm_gem_place(struct mt_drm_device *device, struct mt_drm_gem *gem, struct mt_drm_bo *bo,
		     uint64_t size_b, uint64_t va, bool cpu)
{
	struct mt_drm_range range = {
		.va = va,
		.size_b = size_b,
		.handle = gem->handle,
		.cpu = cpu || !bo,
		.command = bo && bo->base.domain == MT_HW_COMMAND,
		/* Where jobs name objects, addresses outside the heaps are names only. */
		.mapped = device->window_mapped && (device->generation->executes_packets ||
						    mt_drm_in_heap(device, va, size_b)),
		.gem = gem,
		.owner = bo,
	};
	void *memory;
	int ret;

	ret = mt_drm_ranges_add(&device->map, &range);
	if (ret)
		return ret;
	if (cpu) {
		ret = mt_drm_gem_mmap(device, gem, size_b, (void *)(uintptr_t)va, &memory);
		if (ret)
			goto remove_range;
	}
	if (range.mapped) {
		ret = mt_drm_vm_map(device, va, gem->handle, size_b);
		if (ret)
			goto cover;
	}
	gem->placed++;
	return 0;

cover:
	if (cpu)
		mt_drm_window_cover(va, size_b);
remove_range:
	mt_drm_ranges_remove(&device->map, va);
	return ret;
}

void mt_drm_gem_displace(struct mt_drm_device *device, uint64_t va)
{
	const struct mt_drm_range *range = mt_drm_ranges_find(&device->map, va);

	if (!range)
		return;
	if (range->mapped)
		mt_drm_vm_unmap(device, va);
	if (range->gem)
		range->gem->placed--;
	mt_drm_ranges_remove(&device->map, va);
}

/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects of the drm backend: their life. What maps parts of them stands in mapping.c, what
 * shares them in share.c.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "hw/drm/bo.h"

int mt_drm_va_reserve(struct mt_hw_device *dev, uint64_t size_b, uint64_t align_b, uint64_t *va_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	int ret;

	if (device->forked)
		return -EIO;
	if (!size_b || align_b & (align_b - 1) || size_b > device->window_b)
		return -EINVAL;
	/* Parts of a reservation are mapped in granules. */
	if (align_b < MT_DRM_BO_B)
		align_b = MT_DRM_BO_B;
	pthread_mutex_lock(&device->lock);
	ret = mt_drm_window_take(device, size_b, align_b, va_out);
	pthread_mutex_unlock(&device->lock);
	return ret;
}

void mt_drm_va_release(struct mt_hw_device *dev, uint64_t va, uint64_t size_b)
{
	struct mt_drm_device *device = mt_drm_device(dev);

	if (device->forked)
		return;
	pthread_mutex_lock(&device->lock);
	mt_extents_give(&device->addresses, va, mt_drm_pages(device, size_b));
	pthread_mutex_unlock(&device->lock);
}

static int create_mapped(struct mt_drm_device *device, struct mt_drm_bo *bo)
{
	bool cpu = mt_drm_is_host(bo->base.domain);
	uint32_t handle;
	uint64_t va;
	int ret;

	ret = mt_drm_gem_request(device, bo->base.size_b, bo->base.domain, &handle);
	if (ret)
		return ret;
	pthread_mutex_lock(&device->lock);
	ret = mt_drm_gem_adopt_fresh(device, handle, &bo->gem);
	if (ret)
		goto unlock;
	ret = mt_drm_window_take(device, bo->base.size_b, MT_DRM_BO_B, &va);
	if (ret)
		goto unref_gem;
	ret = mt_drm_gem_place(device, bo->gem, bo, bo->base.size_b, va, cpu);
	if (ret)
		goto give_va;
	bo->base.va = va;
	bo->base.cpu = cpu ? (void *)(uintptr_t)va : NULL;
	bo->in_window = true;
	goto unlock;

give_va:
	mt_drm_window_give(device, va, bo->base.size_b);
unref_gem:
	mt_drm_gem_unref(device, bo->gem);
unlock:
	pthread_mutex_unlock(&device->lock);
	return ret;
}

static int create_pieces(struct mt_drm_device *device, struct mt_drm_bo *bo)
{
	uint64_t count = bo->base.size_b / MT_DRM_BO_B;

	if (device->page_b > MT_DRM_BO_B)
		return -ENOTSUP; /* the device's pages are larger than a piece */
	if (count > UINT32_MAX)
		return -ENOMEM;
	bo->pieces = mt_calloc(count, sizeof(struct mt_drm_gem *));
	if (!bo->pieces)
		return -ENOMEM;
	bo->piece_count = (uint32_t)count;
	return 0;
}

int mt_drm_bo_create(struct mt_hw_device *dev, uint64_t size_b, enum mt_hw_domain domain,
		     uint32_t flags, struct mt_hw_bo **bo_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct mt_drm_bo *bo;
	int ret;

	if (device->forked)
		return -EIO;
	if (!size_b || flags & ~(uint32_t)(MT_HW_BO_ZERO | MT_HW_BO_EXPORTABLE | MT_HW_BO_NO_MAP |
					   MT_HW_BO_SLAB))
		return -EINVAL;
	if (size_b > device->window_b)
		return -ENOMEM;
	bo = mt_calloc(1, sizeof(*bo));
	if (!bo)
		return -ENOMEM;
	bo->base.dev = dev;
	bo->base.size_b =
		mt_drm_pages(device, (size_b + MT_DRM_BO_B - 1) & ~(uint64_t)(MT_DRM_BO_B - 1));
	bo->base.domain = domain;
	bo->base.flags = flags;
	ret = flags & MT_HW_BO_NO_MAP ? create_pieces(device, bo) : create_mapped(device, bo);
	if (ret) {
		mt_free(bo);
		return ret == -ENOSPC ? -ENOMEM : ret;
	}
	*bo_out = &bo->base;
	return 0;
}

/* Pinned memory of the caller keeps its address where a heap of the device holds it. */
static int place_user(struct mt_drm_device *device, struct mt_drm_bo *bo, uint64_t start)
{
	uint64_t va;
	int ret;

	bo->base.va = start;
	if (!device->generation->executes_packets || mt_drm_in_heap(device, start, bo->base.size_b))
		return mt_drm_pin(device, start, start + bo->base.size_b, bo->read_only);
	ret = mt_drm_gem_from_user(device, start, bo->base.size_b, bo->read_only, &bo->gem);
	if (ret)
		return ret;
	ret = mt_drm_window_take(device, bo->base.size_b, MT_DRM_PAGE_B, &va);
	if (ret)
		goto unref_gem;
	ret = mt_drm_gem_place(device, bo->gem, bo, bo->base.size_b, va, false);
	if (ret)
		goto give_va;
	bo->base.va = va;
	bo->in_window = true;
	return 0;

give_va:
	mt_drm_window_give(device, va, bo->base.size_b);
unref_gem:
	mt_drm_gem_unref(device, bo->gem);
	return ret;
}

int mt_drm_bo_from_user(struct mt_hw_device *dev, void *memory, uint64_t size_b, bool read_only,
			struct mt_hw_bo **bo_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	uint64_t start = (uintptr_t)memory & ~(uint64_t)(MT_DRM_PAGE_B - 1);
	uint64_t end =
		((uintptr_t)memory + size_b + MT_DRM_PAGE_B - 1) & ~(uint64_t)(MT_DRM_PAGE_B - 1);
	struct mt_drm_bo *bo;
	int ret;

	if (device->forked)
		return -EIO;
	if (!size_b || end <= start)
		return -EINVAL;
	bo = mt_calloc(1, sizeof(*bo));
	if (!bo)
		return -ENOMEM;
	bo->base.dev = dev;
	bo->base.size_b = end - start;
	bo->base.domain = MT_HW_HOST;
	bo->user = true;
	bo->read_only = read_only;
	bo->base.cpu = (void *)(uintptr_t)start;
	pthread_mutex_lock(&device->lock);
	ret = place_user(device, bo, start);
	pthread_mutex_unlock(&device->lock);
	if (ret) {
		mt_free(bo);
		return ret;
	}
	*bo_out = &bo->base;
	return 0;
}

static int map_pieces_cpu(struct mt_drm_device *device, struct mt_drm_bo *bo)
{
	void *memory = mt_drm_os->mmap(NULL, bo->base.size_b, PROT_NONE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	void *piece;
	int ret = 0;

	if (memory == MAP_FAILED)
		return -errno;
	for (uint32_t i = 0; i < bo->piece_count && !ret; i++) {
		if (!bo->pieces[i])
			ret = mt_drm_gem_create(device, MT_DRM_BO_B, bo->base.domain,
						&bo->pieces[i]);
		if (!ret)
			ret = mt_drm_gem_mmap(device, bo->pieces[i], MT_DRM_BO_B,
					      (char *)memory + (uint64_t)i * MT_DRM_BO_B, &piece);
	}
	if (ret) {
		mt_drm_os->munmap(memory, bo->base.size_b);
		return ret;
	}
	bo->base.cpu = memory;
	return 0;
}

int mt_drm_bo_map_cpu(struct mt_hw_bo *base)
{
	struct mt_drm_device *device = mt_drm_device(base->dev);
	struct mt_drm_bo *bo = mt_drm_bo(base);
	int ret = 0;

	if (device->forked)
		return -EIO;
	pthread_mutex_lock(&device->lock);
	if (!base->cpu) {
		ret = bo->pieces ? map_pieces_cpu(device, bo)
				 : mt_drm_gem_mmap(device, bo->gem, base->size_b, NULL, &base->cpu);
		bo->extra_cpu = !ret;
	}
	pthread_mutex_unlock(&device->lock);
	return ret;
}

/* Mappings that mt_drm_bo_map() has made and nobody has taken away. */
static void drop_mappings(struct mt_drm_device *device, struct mt_drm_bo *bo)
{
	const struct mt_drm_range *range;
	uint32_t i = 0;

	while (i < device->map.count) {
		range = &device->map.at[i];
		if (range->owner != bo) {
			i++;
			continue;
		}
		mt_drm_window_cover(range->va, range->size_b);
		mt_drm_gem_displace(device, range->va);
	}
}

void mt_drm_bo_destroy(struct mt_hw_bo *base)
{
	struct mt_drm_device *device;
	struct mt_drm_bo *bo = mt_drm_bo(base);

	if (!base)
		return;
	device = mt_drm_device(base->dev);
	if (device->forked)
		return;
	while (bo->peers)
		mt_drm_bo_unmap_peer(base, &bo->peers->device->base);
	pthread_mutex_lock(&device->lock);
	if (bo->extra_cpu)
		mt_drm_os->munmap(base->cpu, base->size_b);
	if (bo->pieces) {
		drop_mappings(device, bo);
		for (uint32_t i = 0; i < bo->piece_count; i++)
			mt_drm_gem_unref(device, bo->pieces[i]);
		mt_free(bo->pieces);
	} else if (!bo->gem) {
		mt_drm_unpin(device, base->va, base->va + base->size_b);
	} else {
		mt_drm_gem_displace(device, base->va);
		if (bo->in_window)
			mt_drm_window_give(device, base->va, base->size_b);
		mt_drm_gem_unref(device, bo->gem);
	}
	pthread_mutex_unlock(&device->lock);
	mt_free(bo);
}

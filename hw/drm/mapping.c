/* SPDX-License-Identifier: MIT */
/*
 * Mappings of parts of buffer objects at reserved addresses, and giving pages back.
 */
#include <errno.h>
#include <string.h>

#include "hw/drm/bo.h"

static bool is_part(const struct mt_hw_bo *bo, uint64_t offset_b, uint64_t size_b)
{
	return size_b && offset_b <= bo->size_b && size_b <= bo->size_b - offset_b &&
	       !((offset_b | size_b) & (MT_DRM_BO_B - 1));
}

/* Takes away what lies in [va, end). */
static void unmap_range(struct mt_drm_device *device, uint64_t va, uint64_t end)
{
	uint32_t i = mt_drm_ranges_index(&device->map, va);
	struct mt_drm_range range;

	while (i < device->map.count && device->map.at[i].va < end) {
		range = device->map.at[i];
		mt_drm_window_cover(range.va, range.size_b);
		mt_drm_gem_displace(device, range.va);
	}
}

static int map_pieces(struct mt_drm_device *device, struct mt_drm_bo *bo, uint64_t offset_b,
		      uint64_t size_b, uint64_t va)
{
	bool cpu = mt_drm_is_host(bo->base.domain);
	uint64_t done_b = 0;
	int ret = 0;

	for (; done_b < size_b; done_b += MT_DRM_BO_B) {
		struct mt_drm_gem **piece = &bo->pieces[(offset_b + done_b) / MT_DRM_BO_B];

		if (!*piece)
			ret = mt_drm_gem_create(device, MT_DRM_BO_B, bo->base.domain, piece);
		if (!ret)
			ret = mt_drm_gem_place(device, *piece, bo, MT_DRM_BO_B, va + done_b, cpu);
		if (ret)
			break;
	}
	if (ret)
		unmap_range(device, va, va + done_b);
	return ret;
}

/* An object that is one for the kernel can be mapped from its start, or, where no device reads
 * addresses, from anywhere. */
static int map_whole(struct mt_drm_device *device, struct mt_drm_bo *bo, uint64_t offset_b,
		     uint64_t size_b, uint64_t va)
{
	struct mt_drm_range range = {
		.va = va,
		.size_b = size_b,
		.handle = bo->gem->handle,
		.offset_b = offset_b,
		.owner = bo,
	};

	if (!offset_b)
		return mt_drm_gem_place(device, bo->gem, bo, size_b, va,
					mt_drm_is_host(bo->base.domain));
	if (device->window_mapped || mt_drm_is_host(bo->base.domain))
		return -ENOTSUP;
	return mt_drm_ranges_add(&device->map, &range);
}

int mt_drm_bo_map(struct mt_hw_bo *base, uint64_t offset_b, uint64_t size_b, uint64_t va)
{
	struct mt_drm_device *device = mt_drm_device(base->dev);
	struct mt_drm_bo *bo = mt_drm_bo(base);
	int ret;

	if (device->forked)
		return -EIO;
	if (!is_part(base, offset_b, size_b) || va & (MT_DRM_BO_B - 1) || va < device->window_va ||
	    va - device->window_va > device->window_b - size_b)
		return -EINVAL;
	pthread_mutex_lock(&device->lock);
	ret = bo->pieces ? map_pieces(device, bo, offset_b, size_b, va)
			 : map_whole(device, bo, offset_b, size_b, va);
	pthread_mutex_unlock(&device->lock);
	return ret == -ENOSPC ? -ENOMEM : ret;
}

int mt_drm_bo_unmap(struct mt_hw_device *dev, uint64_t va, uint64_t size_b)
{
	struct mt_drm_device *device = mt_drm_device(dev);

	if (device->forked)
		return -EIO;
	pthread_mutex_lock(&device->lock);
	unmap_range(device, va, va + size_b);
	pthread_mutex_unlock(&device->lock);
	return 0;
}

static int clear_piece(struct mt_drm_device *device, const struct mt_drm_gem *gem, uint64_t size_b)
{
	void *memory;
	int ret = mt_drm_gem_mmap(device, gem, size_b, NULL, &memory);

	if (ret)
		return ret;
	memset(memory, 0, size_b);
	mt_drm_os->munmap(memory, size_b);
	return 0;
}

/* Pieces that are mapped nowhere go back to the kernel. What is mapped keeps its pages: the
 * interface has no call for that; they are cleared by the CPU. On failure a part is done. */
int mt_drm_bo_discard(struct mt_hw_bo *base, uint64_t offset_b, uint64_t size_b)
{
	struct mt_drm_device *device = mt_drm_device(base->dev);
	struct mt_drm_bo *bo = mt_drm_bo(base);
	void *memory;
	int ret = 0;

	if (device->forked)
		return -EIO;
	if (!is_part(base, offset_b, size_b))
		return -EINVAL;
	pthread_mutex_lock(&device->lock);
	if (!bo->pieces) {
		ret = mt_drm_gem_mmap(device, bo->gem, base->size_b, NULL, &memory);
		if (!ret) {
			memset((char *)memory + offset_b, 0, size_b);
			mt_drm_os->munmap(memory, base->size_b);
		}
	}
	for (uint64_t at = offset_b; bo->pieces && at < offset_b + size_b && !ret;
	     at += MT_DRM_BO_B) {
		struct mt_drm_gem **piece = &bo->pieces[at / MT_DRM_BO_B];

		if (!*piece)
			continue;
		if ((*piece)->placed || base->cpu) {
			ret = clear_piece(device, *piece, MT_DRM_BO_B);
		} else {
			mt_drm_gem_unref(device, *piece);
			*piece = NULL;
		}
	}
	pthread_mutex_unlock(&device->lock);
	return ret;
}

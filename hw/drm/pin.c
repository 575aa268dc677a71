/* SPDX-License-Identifier: MIT */
/*
 * The program's own memory, pinned for the device.
 *
 * Registrations may share pages: two neighbours that meet in the middle of one. An address of the
 * device shows one object only, so pages are pinned in *runs*, each once; a run is a range of the
 * device's map and counts the buffer objects that hold any of its pages.
 */
#include <errno.h>

#include "hw/drm/bo.h"

/* Pages that nobody has pinned yet, up to the next that somebody has. */
static int pin_run(struct mt_drm_device *device, uint64_t start, uint64_t end, bool read_only,
		   uint64_t *end_out)
{
	uint32_t next = mt_drm_ranges_index(&device->map, start);
	struct mt_drm_gem *gem;
	int ret;

	if (next < device->map.count && device->map.at[next].va < end)
		end = device->map.at[next].va;
	ret = mt_drm_gem_from_user(device, start, end - start, read_only, &gem);
	if (ret)
		return ret;
	ret = mt_drm_gem_place(device, gem, NULL, end - start, start, false);
	if (ret)
		mt_drm_gem_unref(device, gem);
	else
		*end_out = end;
	return ret;
}

/* -EEXIST: something else lies there, or pages that the device may not write to. */
static int share_run(const struct mt_drm_range *range, bool read_only)
{
	struct mt_drm_gem *gem = range->gem;

	if (!gem || !gem->user || (gem->read_only && !read_only))
		return -EEXIST;
	gem->refs++;
	return 0;
}

int mt_drm_pin(struct mt_drm_device *device, uint64_t start, uint64_t end, bool read_only)
{
	const struct mt_drm_range *range;
	uint64_t at = start, next;
	int ret = 0;

	while (at < end) {
		range = mt_drm_ranges_find(&device->map, at);
		if (range) {
			next = range->va + range->size_b;
			ret = share_run(range, read_only);
		} else {
			ret = pin_run(device, at, end, read_only, &next);
		}
		if (ret) {
			mt_drm_unpin(device, start, at);
			break;
		}
		at = next;
	}
	return ret;
}

void mt_drm_unpin(struct mt_drm_device *device, uint64_t start, uint64_t end)
{
	const struct mt_drm_range *range;
	struct mt_drm_gem *gem;
	uint64_t at = start;

	while (at < end && (range = mt_drm_ranges_find(&device->map, at))) {
		at = range->va + range->size_b;
		gem = range->gem;
		if (gem->refs == 1)
			mt_drm_gem_displace(device, range->va);
		mt_drm_gem_unref(device, gem);
	}
}

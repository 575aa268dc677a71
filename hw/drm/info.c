/* SPDX-License-Identifier: MIT */
/*
 * What the kernel says about a device: versions, heaps, memory, identity. Nothing that it says is
 * believed further than its own limits.
 *
 * UNVERIFIED: in struct drm_mtgpu_query_info, in.data and out.data are taken as user addresses of
 * the argument and of the answer, as the other calls with such fields have it, and the answer to
 * DEV as struct mtgpu_dev_info. A run on a card would settle it; so would the kernel's refusal.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hw/base/log.h"
#include "hw/drm/drm.h"

#define PAGE_LOG2_MIN 12u
#define PAGE_LOG2_MAX 30u

static int query(int fd, uint32_t type, const void *argument, void *answer)
{
	struct drm_mtgpu_query_info args = {
		.in = {.type = type, .data = (uintptr_t)argument},
		.out = {.data = (uintptr_t)answer},
	};

	return mt_drm_ioctl(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &args);
}

/* An error that is not the version's fault. */
static bool is_ordinary(int error)
{
	return error == -ENOMEM || error == -EIO || error == -ENODEV || error == -ENXIO ||
	       error == -EACCES || error == -EPERM;
}

static int refuse_version(const char *path, const char *what, int error)
{
	if (is_ordinary(error))
		return error == -EPERM ? -EACCES : error;
	mt_log(MT_LOG_ERROR,
	       "%s: the kernel's mtgpu driver does not offer version %d of its interface (%s: %s); "
	       "install one that does",
	       path, MTGPU_IOCTL_VERSION, what, error ? strerror(-error) : "another version");
	return -EPROTO;
}

/*
 * The kernel refuses a version that it does not speak.
 * UNVERIFIED: with which errno; therefore any but those of memory, access and a lost device is
 * taken for the version. A kernel may also write its own version back.
 */
int mt_drm_info_negotiate(int fd, const char *path)
{
	struct drm_mtgpu_device_init init = {.ioctl_version = MTGPU_IOCTL_VERSION};
	struct drm_mtgpu_version_check check = {
		.in = {.api_major_version = MTGPU_API_MAJOR_VERSION},
	};
	int ret;

	ret = mt_drm_ioctl(fd, DRM_IOCTL_MTGPU_DEVICE_INIT, &init);
	if (ret || init.ioctl_version != MTGPU_IOCTL_VERSION)
		return refuse_version(path, "DEVICE_INIT", ret);
	/* Without a list of names this asks only whether the major version fits. */
	ret = mt_drm_ioctl(fd, DRM_IOCTL_MTGPU_VERSION_CHECK, &check);
	if (ret || check.in.api_major_version != MTGPU_API_MAJOR_VERSION)
		return refuse_version(path, "VERSION_CHECK", ret);
	mt_log(MT_LOG_DEBUG, "%s: %u calls with versions", path, check.out.supported_api_count);
	return 0;
}

static bool heap_is_sane(const struct drm_mtgpu_heap_info *heap)
{
	return heap->length && heap->base + heap->length > heap->base &&
	       heap->log2_page_size >= PAGE_LOG2_MIN && heap->log2_page_size <= PAGE_LOG2_MAX;
}

static int query_heaps(struct mt_drm_device *device)
{
	uint64_t count = 0;
	int ret;

	ret = query(device->fd, MTGPU_INFO_TYPE_HEAP_COUNT, NULL, &count);
	if (ret)
		return ret;
	count = (uint32_t)count;
	if (count > MT_DRM_HEAPS_MAX) {
		mt_log(MT_LOG_WARN, "%s: only %u of %u heaps are used", device->path,
		       MT_DRM_HEAPS_MAX, (uint32_t)count);
		count = MT_DRM_HEAPS_MAX;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct mtgpu_heap_detail_in in = {.index = i};
		struct mtgpu_heap_detail_out out = {0};
		struct drm_mtgpu_heap_info *heap = &device->heaps[device->heap_count];

		ret = query(device->fd, MTGPU_INFO_TYPE_HEAP_DETAILS, &in, &out);
		if (ret)
			return ret;
		out.info.name[sizeof(out.info.name) - 1] = 0;
		mt_log(MT_LOG_DEBUG, "%s: heap %s at 0x%llx, 0x%llx bytes, pages of 1 << %u",
		       device->path, out.info.name, (unsigned long long)out.info.base,
		       (unsigned long long)out.info.length, out.info.log2_page_size);
		if (!heap_is_sane(&out.info)) {
			mt_log(MT_LOG_WARN, "%s: heap %s is not used: its numbers make no sense",
			       device->path, out.info.name);
			continue;
		}
		*heap = out.info;
		device->heap_count++;
	}
	return 0;
}

/* Where the device sits: the system knows best, then the driver; else nothing is said. */
static void fill_pci(struct mt_drm_device *device, const drmDevice *pci)
{
	struct mt_hw_device_info *info = &device->base.info;
	struct mtgpu_pci_info answer = {0};

	info->pci_domain = info->pci_bus = info->pci_device = -1;
	if (pci && pci->bustype == DRM_BUS_PCI) {
		info->pci_domain = pci->businfo.pci->domain;
		info->pci_bus = pci->businfo.pci->bus;
		info->pci_device = pci->businfo.pci->dev;
		info->pci_vendor_id = pci->deviceinfo.pci->vendor_id;
		info->pci_device_id = pci->deviceinfo.pci->device_id;
		return;
	}
	/* A device that sits on no PCI bus refuses to answer. */
	if (query(device->fd, MTGPU_INFO_TYPE_PCI, NULL, &answer))
		return;
	info->pci_domain = (int)answer.domain_number;
	info->pci_bus = (int)answer.bus_number;
	info->pci_device = (int)answer.device_number;
	info->pci_vendor_id = MT_DRM_VENDOR;
}

int mt_drm_info_memory(struct mt_drm_device *device, uint64_t *free_out, uint64_t *total_out)
{
	struct mtgpu_mem_info answer = {0};
	int ret = query(device->fd, MTGPU_INFO_TYPE_MEMORY, NULL, &answer);

	if (ret)
		return ret;
	*total_out = answer.vram.total_size;
	*free_out = answer.vram.free_size < answer.vram.total_size ? answer.vram.free_size
								   : answer.vram.total_size;
	return 0;
}

int mt_drm_info_bo_size(struct mt_drm_device *device, uint32_t handle, uint64_t *size_out)
{
	struct mtgpu_bo_info_in in = {.bo_handle = handle};
	struct mtgpu_bo_info_out out = {0};
	int ret = query(device->fd, MTGPU_INFO_TYPE_BO, &in, &out);

	if (ret)
		return ret;
	if (!out.info.size)
		return -EPROTO;
	*size_out = out.info.size;
	return 0;
}

int mt_drm_info_fill(struct mt_drm_device *device, const char *desc, const drmDevice *pci)
{
	struct mt_hw_device_info *info = &device->base.info;
	const struct mt_drm_generation *generation;
	struct mtgpu_dev_info answer = {0};
	struct mtgpu_hw_capability capability = {0};
	uint64_t free_b;
	int ret;

	ret = query(device->fd, MTGPU_INFO_TYPE_DEV, NULL, &answer);
	if (!ret)
		ret = query_heaps(device);
	if (!ret)
		ret = mt_drm_info_memory(device, &free_b, &info->memory_b);
	if (ret)
		return ret;
	fill_pci(device, pci);
	if (!info->pci_device_id)
		info->pci_device_id = (uint16_t)answer.dev_id;
	generation = mt_drm_generation_find(info->pci_device_id, desc);
	device->generation = generation;
	snprintf(info->name, sizeof(info->name), "%s", generation->text);
	memcpy(info->uuid, answer.uuid, sizeof(info->uuid));
	info->caps = generation->caps;
	info->arch_id = generation->arch_id;
	info->warp_size = generation->warp_size;
	info->mp_count = answer.num_cores ? answer.num_cores : 1;
	info->lanes = generation->lanes;
	info->shared_block_b = generation->shared_block_b;
	info->priority_least = 0;
	info->priority_greatest = generation->priority_greatest;
	if (query(device->fd, MTGPU_INFO_TYPE_CAPABILITY, NULL, &capability))
		memset(&capability, 0, sizeof(capability));
	mt_log(MT_LOG_INFO, "%s: %s (generation %s, id 0x%04x), %llu MiB%s%s", device->path,
	       info->name, generation->name, info->pci_device_id,
	       (unsigned long long)(info->memory_b >> 20),
	       capability.support_ce ? ", copy engine" : "",
	       capability.support_llc ? ", last-level cache" : "");
	if (!generation->executes_packets)
		mt_log(MT_LOG_INFO,
		       "%s: kernels are refused: the encoding of generation %s is not public",
		       device->path, generation->name);
	return 0;
}

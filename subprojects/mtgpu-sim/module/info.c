// SPDX-License-Identifier: GPL-2.0
/*
 * What a device says about itself: versions, heaps, memory, place.
 */
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sysinfo.h>
#include <linux/uaccess.h>

#include "mtgpu.h"

/* Disjoint; "general" is what no program uses for itself. The gap in the middle is where the process
 * that plays the card lives (its layout is bottom-up from a third of the address space). */
static const struct mtgpu_heap heaps[] = {
	{ "general", 0x110000000000, 0x080000000000 },
	{ "low", 0x000000100000, 0x10fffff00000 },
	{ "middle", 0x190000000000, 0x10aa00000000 },
	{ "high", 0x2b0000000000, 0x54fffff00000 },
};

/* Names of the calls and the versions that the module implements of each. */
static const char *const api_names[] = { "bo", "vm", "job", "semaphore", "timeline" };

const struct mtgpu_heap *mtgpu_heap_of(u64 va, u64 size)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(heaps); i++)
		if (va >= heaps[i].base && va - heaps[i].base < heaps[i].length &&
		    size <= heaps[i].length - (va - heaps[i].base))
			return &heaps[i];
	return NULL;
}

int mtgpu_ioctl_device_init(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_device_init *args = data;
	struct mtgpu_file *file = filp->driver_priv;

	if (args->pad || args->ioctl_version != mtgpu_ioctl_version)
		return -EINVAL;
	file->ready = true;
	return 0;
}

static int check_one(struct mtgpu_api_version *api)
{
	u32 i;

	if (strnlen(api->name, sizeof(api->name)) == sizeof(api->name))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(api_names); i++) {
		if (strcmp(api->name, api_names[i]))
			continue;
		api->version_range[0] = api->version_range[1] = 1;
		return 0;
	}
	api->version_range[0] = api->version_range[1] = 0;
	return 0;
}

int mtgpu_ioctl_version_check(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_version_check *args = data;
	struct mtgpu_api_version __user *in = u64_to_user_ptr(args->in.check_data);
	struct mtgpu_api_version __user *out = u64_to_user_ptr(args->out.result_data);
	struct mtgpu_api_version api;
	u32 i;
	int ret;

	if (args->in.api_major_version != MTGPU_API_MAJOR_VERSION || args->out.pad ||
	    args->in.check_api_count > 1024)
		return -EINVAL;
	for (i = 0; i < args->in.check_api_count; i++) {
		if (copy_from_user(&api, in + i, sizeof(api)))
			return -EFAULT;
		ret = check_one(&api);
		if (ret)
			return ret;
		if (copy_to_user(out + i, &api, sizeof(api)))
			return -EFAULT;
	}
	args->out.supported_api_count = ARRAY_SIZE(api_names);
	return 0;
}

static int answer(u64 address, const void *data, size_t size)
{
	return copy_to_user(u64_to_user_ptr(address), data, size) ? -EFAULT : 0;
}

static int query_heap(const struct drm_mtgpu_query_info *args)
{
	struct mtgpu_heap_detail_in in;
	struct mtgpu_heap_detail_out out = {};

	if (copy_from_user(&in, u64_to_user_ptr(args->in.data), sizeof(in)))
		return -EFAULT;
	if (in.index >= ARRAY_SIZE(heaps))
		return -EINVAL;
	out.info.id = in.index;
	strscpy(out.info.name, heaps[in.index].name, sizeof(out.info.name));
	out.info.base = heaps[in.index].base;
	out.info.length = heaps[in.index].length;
	out.info.log2_page_size = mtgpu_page_shift;
	return answer(args->out.data, &out, sizeof(out));
}

static int query_memory(struct mtgpu_device *device, const struct drm_mtgpu_query_info *args)
{
	struct mtgpu_mem_info out = {};
	struct sysinfo system;

	si_meminfo(&system);
	out.system.total_size = (u64)system.totalram * system.mem_unit;
	out.system.free_size = (u64)system.freeram * system.mem_unit;
	out.vram.total_size = (u64)mtgpu_vram_mb << 20;
	out.vram.free_size = out.vram.total_size - atomic64_read(&device->vram_used);
	return answer(args->out.data, &out, sizeof(out));
}

static int query_bo(struct drm_file *filp, const struct drm_mtgpu_query_info *args)
{
	struct mtgpu_bo_info_out out = {};
	struct mtgpu_bo_info_in in;
	struct mtgpu_bo *bo;

	if (copy_from_user(&in, u64_to_user_ptr(args->in.data), sizeof(in)))
		return -EFAULT;
	bo = in.pad ? NULL : mtgpu_bo_find(filp, in.bo_handle);
	if (!bo)
		return -EINVAL;
	out.info.size = bo->base.size;
	out.info.align = bo->align;
	out.info.flags = bo->flags;
	out.info.domain = bo->domain;
	mtgpu_bo_put(bo);
	return answer(args->out.data, &out, sizeof(out));
}

static int query_device(struct mtgpu_device *device, struct mtgpu_file *file,
			const struct drm_mtgpu_query_info *args)
{
	struct mtgpu_dev_info out = {
		.dev_id = mtgpu_generation->device_id,
		.dev_clock_speed = 1000,
		.mem_clock_speed = 1000,
		.mem_max_clock_speed = 1000,
		.num_cores = 2,
		.uuid = "mtgpu-sim",
	};

	out.dev_status = READ_ONCE(file->lost) != 0;
	out.uuid[15] = device->index;
	return answer(args->out.data, &out, sizeof(out));
}

static int query_pci(struct mtgpu_device *device, const struct drm_mtgpu_query_info *args)
{
	struct mtgpu_pci_info out = { .numa_node_id = NUMA_NO_NODE };
	struct pci_dev *pci;

	if (!dev_is_pci(device->parent))
		return -EINVAL;
	pci = to_pci_dev(device->parent);
	out.domain_number = pci_domain_nr(pci->bus);
	out.bus_number = pci->bus->number;
	out.device_number = PCI_SLOT(pci->devfn);
	out.function_number = PCI_FUNC(pci->devfn);
	return answer(args->out.data, &out, sizeof(out));
}

int mtgpu_ioctl_query_info(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_query_info *args = data;
	struct mtgpu_device *device = to_mtgpu(drm);
	struct mtgpu_hw_capability capability = { .support_ce = 1 };
	struct mtgpu_platform_info platform = {};
	u32 count = ARRAY_SIZE(heaps);

	if (args->in.pad)
		return -EINVAL;
	switch (args->in.type) {
	case MTGPU_INFO_TYPE_HEAP_COUNT:
		return answer(args->out.data, &count, sizeof(count));
	case MTGPU_INFO_TYPE_HEAP_DETAILS:
		return query_heap(args);
	case MTGPU_INFO_TYPE_MEMORY:
		return query_memory(device, args);
	case MTGPU_INFO_TYPE_BO:
		return query_bo(filp, args);
	case MTGPU_INFO_TYPE_DEV:
		return query_device(device, filp->driver_priv, args);
	case MTGPU_INFO_TYPE_PCI:
		return query_pci(device, args);
	case MTGPU_INFO_TYPE_PLATFORM:
		return answer(args->out.data, &platform, sizeof(platform));
	case MTGPU_INFO_TYPE_CAPABILITY:
		return answer(args->out.data, &capability, sizeof(capability));
	default:
		return -EINVAL;
	}
}

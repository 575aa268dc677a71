/* SPDX-License-Identifier: MIT */
/*
 * Versions, queries and the form of argument blocks.
 */
#include <xf86drm.h>

#include "uapi.h"

static int query(int fd, uint32_t type, const void *in, void *out)
{
	struct drm_mtgpu_query_info args = {
		.in = {.type = type, .data = (uintptr_t)in},
		.out.data = (uintptr_t)out,
	};

	return t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &args);
}

/* Another version, or padding, is refused; nothing works before the right one has been said. */
static void versions(void)
{
	struct drm_mtgpu_device_init args = {.ioctl_version = MTGPU_IOCTL_VERSION + 1};
	struct drm_mtgpu_vm_context_create vm = {0};
	int fd = t_open_raw(0);

	t_eq(t_call(fd, DRM_IOCTL_MTGPU_DEVICE_INIT, &args), -EINVAL);
	args.ioctl_version = MTGPU_IOCTL_VERSION - 1;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_DEVICE_INIT, &args), -EINVAL);
	args.ioctl_version = MTGPU_IOCTL_VERSION;
	args.pad = 1;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_DEVICE_INIT, &args), -EINVAL);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VM_CONTEXT_CREATE, &vm), -EINVAL);
	args.pad = 0;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_DEVICE_INIT, &args), 0);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VM_CONTEXT_CREATE, &vm), 0);
	close(fd);
}

static void version_check(void)
{
	struct mtgpu_api_version in[2] = {{.name = "job"}, {.name = "no such thing"}};
	struct mtgpu_api_version out[2] = {0};
	struct drm_mtgpu_version_check args = {
		.in = {.check_api_count = 2, .check_data = (uintptr_t)in},
		.out.result_data = (uintptr_t)out,
	};
	int fd = t_open(0);

	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VERSION_CHECK, &args), 0);
	t_true(args.out.supported_api_count > 0);
	t_eq(out[0].version_range[1], 1);
	t_eq(out[1].version_range[1], 0);
	args.in.api_major_version = 1;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VERSION_CHECK, &args), -EINVAL);
	args.in.api_major_version = 0;
	memset(in[0].name, 'x', sizeof(in[0].name));
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VERSION_CHECK, &args), -EINVAL);
	args.in.check_data = 8;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VERSION_CHECK, &args), -EFAULT);
	close(fd);
}

static void heaps(void)
{
	struct mtgpu_heap_detail_out out[8];
	struct mtgpu_heap_detail_in in;
	uint32_t count = 0, i, k;
	bool general = false;
	int fd = t_open(0);

	t_eq(query(fd, MTGPU_INFO_TYPE_HEAP_COUNT, NULL, &count), 0);
	t_true(count >= 1 && count <= 8);
	for (i = 0; i < count; i++) {
		in.index = i;
		t_eq(query(fd, MTGPU_INFO_TYPE_HEAP_DETAILS, &in, &out[i]), 0);
		general |= !strcmp(out[i].info.name, "general");
		t_true(out[i].info.log2_page_size >= 12);
		for (k = 0; k < i; k++)
			t_true(out[i].info.base + out[i].info.length <= out[k].info.base ||
			       out[k].info.base + out[k].info.length <= out[i].info.base);
	}
	t_true(general);
	in.index = count;
	t_eq(query(fd, MTGPU_INFO_TYPE_HEAP_DETAILS, &in, &out[0]), -EINVAL);
	t_eq(query(fd, MTGPU_INFO_TYPE_HEAP_DETAILS, NULL, &out[0]), -EFAULT);
	close(fd);
}

static void memory(void)
{
	struct mtgpu_mem_info before = {0}, after = {0};
	int fd = t_open(0);
	uint32_t handle;

	t_eq(query(fd, MTGPU_INFO_TYPE_MEMORY, NULL, &before), 0);
	t_true(before.vram.total_size >= before.vram.free_size);
	handle = t_bo(fd, 1 << 20);
	t_eq(query(fd, MTGPU_INFO_TYPE_MEMORY, NULL, &after), 0);
	t_eq(before.vram.free_size - after.vram.free_size, 1 << 20);
	t_bo_close(fd, handle);
	t_eq(query(fd, MTGPU_INFO_TYPE_MEMORY, NULL, &after), 0);
	t_eq(before.vram.free_size, after.vram.free_size);
	close(fd);
}

static void refusals(void)
{
	struct drm_mtgpu_query_info args = {.in = {.type = MTGPU_INFO_TYPE_DEV, .pad = 1}};
	struct mtgpu_bo_info_out bo;
	struct mtgpu_bo_info_in in = {.bo_handle = 12345};
	uint64_t answer[64];
	int fd = t_open(0);

	args.out.data = (uintptr_t)answer;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &args), -EINVAL);
	t_eq(query(fd, MTGPU_INFO_TYPE_INVALID, NULL, answer), -EINVAL);
	t_eq(query(fd, MTGPU_INFO_TYPE_BO, &in, &bo), -EINVAL);
	t_eq(query(fd, MTGPU_INFO_TYPE_DEV, NULL, NULL), -EFAULT);
	t_eq(query(fd, MTGPU_INFO_TYPE_PLATFORM, NULL, answer), 0);
	t_eq(query(fd, MTGPU_INFO_TYPE_CAPABILITY, NULL, answer), 0);
	/* The right number with a block of another size, and numbers that nobody has. */
	t_eq(t_call(fd, DRM_IOWR(DRM_COMMAND_BASE + 0x10, uint32_t[4]), answer), -EINVAL);
	t_eq(t_call(fd, DRM_IOWR(DRM_COMMAND_BASE + 0x3f, uint32_t[2]), answer), -EINVAL);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_HWPERF, answer), -EINVAL);
	close(fd);
}

/* libdrm finds the device in sysfs, by what the configuration space says. */
static void place(void)
{
	drmDevicePtr devices[8];
	int count = drmGetDevices2(0, devices, 8), found = 0, fd = t_open(0);
	struct mtgpu_pci_info answer = {0};
	struct mtgpu_dev_info device = {0};
	bool on_pci = !query(fd, MTGPU_INFO_TYPE_PCI, NULL, &answer);

	t_eq(query(fd, MTGPU_INFO_TYPE_DEV, NULL, &device), 0);
	for (int i = 0; i < count; i++) {
		if (devices[i]->bustype != DRM_BUS_PCI ||
		    devices[i]->deviceinfo.pci->vendor_id != 0x1ed5)
			continue;
		found++;
		t_eq(devices[i]->deviceinfo.pci->device_id, device.dev_id);
		if (strcmp(devices[i]->nodes[DRM_NODE_RENDER], "/dev/dri/renderD128"))
			continue;
		t_eq(devices[i]->businfo.pci->domain, answer.domain_number);
		t_eq(devices[i]->businfo.pci->bus, answer.bus_number);
		t_eq(devices[i]->businfo.pci->dev, answer.device_number);
	}
	t_eq(found != 0, on_pci);
	if (count > 0)
		drmFreeDevices(devices, count);
	close(fd);
}

/* The card's side is not for clients. */
static void card_side(void)
{
	t_true(open("/dev/mtgpu-sim", O_RDWR) < 0);
	t_eq(errno, EACCES);
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"DEVICE_INIT accepts one version and comes first", versions},
		{"VERSION_CHECK answers per name", version_check},
		{"heaps are disjoint and bounded", heaps},
		{"memory in use is counted", memory},
		{"types, padding, sizes and addresses are checked", refusals},
		{"libdrm sees the device where it says it is", place},
		{"clients cannot play the card", card_side},
	};

	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

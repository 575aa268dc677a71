// SPDX-License-Identifier: GPL-2.0
/*
 * Module parameters, the driver and its devices.
 */
#include <drm/drm_drv.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_print.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "mtgpu.h"

static char *gen = "sim";
module_param(gen, charp, 0444);
MODULE_PARM_DESC(gen, "generation: sim, sudi, mp_21, mp_22, mp_31");

static unsigned int devices = 1;
module_param(devices, uint, 0444);
MODULE_PARM_DESC(devices, "how many, 1 or 2");

static bool platform;
module_param(platform, bool, 0444);
MODULE_PARM_DESC(platform, "platform devices instead of a PCI bus");

unsigned long mtgpu_vram_mb = 512;
module_param_named(vram_mb, mtgpu_vram_mb, ulong, 0444);
MODULE_PARM_DESC(vram_mb, "memory of each device in MiB");

unsigned int mtgpu_page_shift = 12;
module_param_named(page_shift, mtgpu_page_shift, uint, 0444);
MODULE_PARM_DESC(page_shift, "log2 of the page size of heaps");

unsigned int mtgpu_ioctl_version = MTGPU_IOCTL_VERSION;
module_param_named(ioctl_version, mtgpu_ioctl_version, uint, 0444);
MODULE_PARM_DESC(ioctl_version, "version that DEVICE_INIT accepts");

unsigned int mtgpu_hang_ms = 10000;
module_param_named(hang_ms, mtgpu_hang_ms, uint, 0644);
MODULE_PARM_DESC(hang_ms, "time without a sign of life after which a busy card is reset");

static bool verbose;
module_param(verbose, bool, 0644);
MODULE_PARM_DESC(verbose, "tell which calls are refused");

static const struct mtgpu_generation generations[] = {
	{ .name = "sim", .device_id = 0x0900, .packets = true },
	{ .name = "sudi", .device_id = 0x0105 },
	{ .name = "mp_21", .device_id = 0x0201 },
	{ .name = "mp_22", .device_id = 0x0323 },
	{ .name = "mp_31", .device_id = 0x0400 },
};

DEFINE_MUTEX(mtgpu_lock);
DECLARE_WAIT_QUEUE_HEAD(mtgpu_wait_queue);
const struct mtgpu_generation *mtgpu_generation;
struct mtgpu_device *mtgpu_devices[MTGPU_DEVICES_MAX];

static int file_open(struct drm_device *drm, struct drm_file *filp)
{
	struct mtgpu_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	file->drm = filp;
	file->device = to_mtgpu(drm);
	INIT_LIST_HEAD(&file->chunks);
	xa_init_flags(&file->vms, XA_FLAGS_ALLOC1);
	xa_init_flags(&file->contexts, XA_FLAGS_ALLOC1);
	xa_init_flags(&file->semaphores, XA_FLAGS_ALLOC1);
	xa_init_flags(&file->timelines, XA_FLAGS_ALLOC1);
	filp->driver_priv = file;
	return 0;
}

/* Queues first, so that no job of theirs starts any more. */
static void file_close(struct drm_device *drm, struct drm_file *filp)
{
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore;
	struct mtgpu_context *context;
	struct mtgpu_vm *vm;
	unsigned long index;

	mutex_lock(&mtgpu_lock);
	xa_for_each(&file->contexts, index, context)
		mtgpu_context_close(context);
	xa_for_each(&file->vms, index, vm)
		mtgpu_vm_close(vm);
	mtgpu_file_timelines_close(file);
	mtgpu_file_chunks_close(file);
	mutex_unlock(&mtgpu_lock);
	xa_for_each(&file->contexts, index, context) {
		flush_work(&context->dma);
		mtgpu_context_put(context);
	}
	xa_for_each(&file->vms, index, vm) {
		mtgpu_vm_wait_gone(vm);
		mtgpu_vm_put(vm);
	}
	xa_for_each(&file->semaphores, index, semaphore)
		mtgpu_semaphore_put(semaphore);
	xa_for_each(&file->timelines, index, semaphore)
		mtgpu_semaphore_put(semaphore);
	xa_destroy(&file->contexts);
	xa_destroy(&file->vms);
	xa_destroy(&file->semaphores);
	xa_destroy(&file->timelines);
	kfree(file);
}

#define ENTRY(name, function) DRM_IOCTL_DEF_DRV(MTGPU_##name, function, DRM_RENDER_ALLOW)
static const struct drm_ioctl_desc ioctls[] = {
	ENTRY(DEVICE_INIT, mtgpu_ioctl_device_init),
	ENTRY(QUERY_INFO, mtgpu_ioctl_query_info),
	ENTRY(BO_CREATE, mtgpu_ioctl_bo_create),
	ENTRY(BO_GET_MMAP_OFFSET, mtgpu_ioctl_bo_mmap_offset),
	ENTRY(BO_FROM_USERPTR, mtgpu_ioctl_bo_userptr),
	ENTRY(BO_EXPORT_GLOBAL_HANDLE, mtgpu_ioctl_bo_export),
	ENTRY(BO_IMPORT_GLOBAL_HANDLE, mtgpu_ioctl_bo_import),
	ENTRY(VM_CONTEXT_CREATE, mtgpu_ioctl_vm_create),
	ENTRY(VM_CONTEXT_DESTROY, mtgpu_ioctl_vm_destroy),
	ENTRY(VM_MAP, mtgpu_ioctl_vm_map),
	ENTRY(VM_UNMAP, mtgpu_ioctl_vm_unmap),
	ENTRY(TIMELINE_CREATE, mtgpu_ioctl_timeline_create),
	ENTRY(TIMELINE_DESTROY, mtgpu_ioctl_timeline_destroy),
	ENTRY(TIMELINE_READ, mtgpu_ioctl_timeline_read),
	ENTRY(FENCE_WAIT, mtgpu_ioctl_fence_wait),
	ENTRY(FENCE_TO_FD, mtgpu_ioctl_fence_to_fd),
	ENTRY(SEMAPHORE_CREATE, mtgpu_ioctl_semaphore_create),
	ENTRY(SEMAPHORE_DESTROY, mtgpu_ioctl_semaphore_destroy),
	ENTRY(SEMAPHORE_CPU_SIGNAL, mtgpu_ioctl_semaphore_signal),
	ENTRY(SEMAPHORE_EXPORT_FD, mtgpu_ioctl_semaphore_export),
	ENTRY(SEMAPHORE_IMPORT_FD, mtgpu_ioctl_semaphore_import),
	ENTRY(SEMAPHORE_WAIT, mtgpu_ioctl_semaphore_wait),
	ENTRY(DMA_TRANSFER, mtgpu_ioctl_dma_transfer),
	ENTRY(JOB_CONTEXT_CREATE, mtgpu_ioctl_job_context_create),
	ENTRY(JOB_CONTEXT_DESTROY, mtgpu_ioctl_job_context_destroy),
	ENTRY(JOB_SUBMIT_V3, mtgpu_ioctl_job_submit),
	ENTRY(VERSION_CHECK, mtgpu_ioctl_version_check),
};

/* The DRM core pads and cuts argument blocks of another size; here they are refused, and so is
 * everything before DEVICE_INIT. */
static long checked_ioctl(struct file *filp, unsigned int command, unsigned long argument)
{
	unsigned int nr = _IOC_NR(command);
	struct drm_file *drm = filp->private_data;
	struct mtgpu_file *file = drm->driver_priv;
	long ret;

	if (_IOC_TYPE(command) == DRM_IOCTL_BASE && nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END) {
		nr -= DRM_COMMAND_BASE;
		if (nr >= ARRAY_SIZE(ioctls) || ioctls[nr].cmd != command)
			return -EINVAL;
		if (!file->ready && command != DRM_IOCTL_MTGPU_DEVICE_INIT)
			return -EINVAL;
	}
	ret = drm_ioctl(filp, command, argument);
	if (verbose && ret && ret != -ETIME)
		drm_info(&file->device->drm, "pid %d: call 0x%02x: %ld\n", current->pid,
			 _IOC_NR(command), ret);
	return ret;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = checked_ioctl,
	.poll = drm_poll,
	.read = drm_read,
	.llseek = noop_llseek,
	.mmap = drm_gem_mmap,
};

static const struct drm_driver driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER,
	.open = file_open,
	.postclose = file_close,
	.prime_handle_to_fd = drm_gem_prime_handle_to_fd,
	.prime_fd_to_handle = drm_gem_prime_fd_to_handle,
	.gem_prime_import_sg_table = mtgpu_prime_import,
	.gem_prime_mmap = drm_gem_prime_mmap,
	.ioctls = ioctls,
	.num_ioctls = ARRAY_SIZE(ioctls),
	.fops = &fops,
	.name = "mtgpu",
	.desc = "mtgpu-sim, a simulated card",
	.date = "20250101",
	.major = 1,
	.minor = 0,
};

int mtgpu_device_add(struct device *parent, u32 index)
{
	struct mtgpu_device *device;
	int ret;

	device = devm_drm_dev_alloc(parent, &driver, struct mtgpu_device, drm);
	if (IS_ERR(device))
		return PTR_ERR(device);
	ret = dma_set_mask_and_coherent(parent, DMA_BIT_MASK(64));
	if (ret)
		return ret;
	device->parent = parent;
	device->index = index;
	INIT_LIST_HEAD(&device->vms);
	dev_set_drvdata(parent, device);
	ret = mtgpu_knobs_add(device);
	if (ret)
		return ret;
	ret = drm_dev_register(&device->drm, 0);
	if (ret) {
		mtgpu_knobs_remove(device);
		return ret;
	}
	mtgpu_devices[index] = device;
	return 0;
}

/* Clients may still have it open: their address spaces stop, and calls fail from now on. */
void mtgpu_device_remove(struct device *parent)
{
	struct mtgpu_device *device = dev_get_drvdata(parent);
	struct mtgpu_vm *vm;

	mtgpu_knobs_remove(device);
	drm_dev_unplug(&device->drm);
	mutex_lock(&mtgpu_lock);
	mtgpu_devices[device->index] = NULL;
	list_for_each_entry(vm, &device->vms, link)
		mtgpu_vm_stop(vm, "the device has been removed");
	mutex_unlock(&mtgpu_lock);
}

static int platform_probe(struct platform_device *pdev)
{
	return mtgpu_device_add(&pdev->dev, pdev->id);
}

static int platform_remove(struct platform_device *pdev)
{
	mtgpu_device_remove(&pdev->dev);
	return 0;
}

static struct platform_driver platform_driver = {
	.probe = platform_probe,
	.remove = platform_remove,
	.driver = { .name = "mtgpu" },
};
static struct platform_device *platform_devices[MTGPU_DEVICES_MAX];

static void remove_platform(void)
{
	u32 i;

	for (i = 0; i < devices; i++)
		platform_device_unregister(platform_devices[i]);
	platform_driver_unregister(&platform_driver);
}

static int add_platform(void)
{
	u32 i;
	int ret;

	ret = platform_driver_register(&platform_driver);
	if (ret)
		return ret;
	for (i = 0; i < devices; i++) {
		platform_devices[i] = platform_device_register_simple("mtgpu", i, NULL, 0);
		if (IS_ERR(platform_devices[i])) {
			ret = PTR_ERR(platform_devices[i]);
			goto unregister;
		}
	}
	return 0;

unregister:
	while (i--)
		platform_device_unregister(platform_devices[i]);
	platform_driver_unregister(&platform_driver);
	return ret;
}

static int check_parameters(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(generations); i++)
		if (!strcmp(generations[i].name, gen))
			mtgpu_generation = &generations[i];
	if (mtgpu_generation && devices >= 1 && devices <= MTGPU_DEVICES_MAX &&
	    mtgpu_page_shift >= PAGE_SHIFT && mtgpu_page_shift <= 21 && mtgpu_vram_mb)
		return 0;
	pr_err("mtgpu: a parameter is wrong\n");
	return -EINVAL;
}

static int __init mtgpu_init(void)
{
	int ret;

	ret = check_parameters();
	if (ret)
		return ret;
	ret = mtgpu_sim_init();
	if (ret)
		return ret;
	ret = platform ? add_platform() : mtgpu_bus_add(devices);
	if (ret) {
		mtgpu_sim_finish();
		return ret;
	}
	mtgpu_watchdog_start();
	return 0;
}

static void __exit mtgpu_exit(void)
{
	mtgpu_watchdog_stop();
	if (platform)
		remove_platform();
	else
		mtgpu_bus_remove();
	mtgpu_sim_finish();
	mtgpu_jobs_finish();
}

module_init(mtgpu_init);
module_exit(mtgpu_exit);
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(DMA_BUF);
MODULE_DESCRIPTION("Simulated mtgpu device on the real DRM core");

// SPDX-License-Identifier: GPL-2.0
/*
 * Address spaces: which object lies at which device address, and what ends them.
 */
#include <drm/drm_drv.h>
#include <drm/drm_print.h>
#include <linux/sched/mm.h>

#include "mtgpu.h"

/* A card that has not been heard of for so long is not waited for. */
#define PATIENCE (3 * HZ)

DEFINE_XARRAY_ALLOC1(mtgpu_vms);

static void release(struct kref *ref)
{
	struct mtgpu_vm *vm = container_of(ref, struct mtgpu_vm, ref);

	drm_mm_takedown(&vm->mm);
	mtgpu_sim_events_drop(&vm->events);
	put_pid(vm->pid);
	mmdrop(vm->client);
	drm_dev_put(&vm->device->drm);
	kfree(vm);
}

void mtgpu_vm_put(struct mtgpu_vm *vm)
{
	kref_put(&vm->ref, release);
}

struct mtgpu_vm *mtgpu_vm_find(struct mtgpu_file *file, u64 handle)
{
	return handle <= U32_MAX ? xa_load(&file->vms, handle) : NULL;
}

struct mtgpu_mapping *mtgpu_vm_mapping(struct mtgpu_vm *vm, u64 va)
{
	struct drm_mm_node *node;

	drm_mm_for_each_node_in_range(node, &vm->mm, va, va + 1)
		return container_of(node, struct mtgpu_mapping, node);
	return NULL;
}

static void unmap(struct mtgpu_mapping *mapping)
{
	drm_mm_remove_node(&mapping->node);
	list_del(&mapping->chunk_link);
	mtgpu_bo_put(mapping->bo);
	kfree(mapping);
}

void mtgpu_vm_stop(struct mtgpu_vm *vm, const char *reason)
{
	struct mtgpu_context *context;

	if (vm->lost || vm->closed)
		return;
	drm_info(&vm->device->drm, "address space %u has stopped: %s\n", vm->id, reason);
	vm->lost = true;
	if (vm->file)
		vm->file->lost++;
	list_for_each_entry(context, &vm->contexts, link)
		mtgpu_context_kill(context);
	wake_up_all(&vm->readable);
	wake_up_all(&mtgpu_wait_queue);
}

/* The handle is gone. What the card has mapped stays in memory until it lets go of it. */
void mtgpu_vm_close(struct mtgpu_vm *vm)
{
	struct mtgpu_context *context;
	struct drm_mm_node *node, *next;

	if (vm->lost)
		vm->file->lost--;
	list_for_each_entry(context, &vm->contexts, link)
		mtgpu_context_kill(context);
	vm->closed = true;
	vm->file = NULL;
	list_del_init(&vm->link);
	xa_erase(&mtgpu_vms, vm->id);
	drm_mm_for_each_node_safe(node, next, &vm->mm)
		unmap(container_of(node, struct mtgpu_mapping, node));
	wake_up_all(&vm->readable);
	wake_up_all(&mtgpu_wait_queue);
	mtgpu_sim_kill(vm);
}

/* Until the process has gone its memory is in use, and the next client would miss it. */
void mtgpu_vm_wait_gone(struct mtgpu_vm *vm)
{
	wait_event_timeout(mtgpu_wait_queue, !READ_ONCE(vm->attached), PATIENCE);
}

/* A card that has not been taken up yet has mapped nothing. */
static bool has_unmapped(struct mtgpu_vm *vm, u64 number)
{
	return READ_ONCE(vm->unmapped) >= number || !READ_ONCE(vm->attached) ||
	       READ_ONCE(vm->lost) || READ_ONCE(vm->closed) ||
	       time_after(jiffies, READ_ONCE(vm->heard) + PATIENCE);
}

static void wait_unmapped(struct mtgpu_vm *vm, u64 number)
{
	while (!has_unmapped(vm, number))
		if (wait_event_killable_timeout(mtgpu_wait_queue, has_unmapped(vm, number),
						HZ / 4) < 0)
			break;
}

static struct mtgpu_vm *new_vm(struct mtgpu_device *device, struct mtgpu_file *file)
{
	struct mtgpu_vm *vm = kzalloc(sizeof(*vm), GFP_KERNEL);

	if (!vm)
		return NULL;
	kref_init(&vm->ref);
	drm_dev_get(&device->drm);
	vm->device = device;
	vm->file = file;
	/* Address 0 is never mapped, so that the range can be named. */
	drm_mm_init(&vm->mm, PAGE_SIZE, (1ull << 47) - PAGE_SIZE);
	INIT_LIST_HEAD(&vm->link);
	INIT_LIST_HEAD(&vm->contexts);
	INIT_LIST_HEAD(&vm->events);
	init_waitqueue_head(&vm->readable);
	vm->heard = jiffies;
	mmgrab(current->mm);
	vm->client = current->mm;
	return vm;
}

int mtgpu_ioctl_vm_create(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_vm_context_create *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_vm *vm = new_vm(to_mtgpu(drm), file);
	u32 handle;
	int ret;

	if (!vm)
		return -ENOMEM;
	mutex_lock(&mtgpu_lock);
	ret = xa_alloc(&mtgpu_vms, &vm->id, vm, xa_limit_31b, GFP_KERNEL);
	if (ret)
		goto unlock;
	ret = xa_alloc(&file->vms, &handle, vm, xa_limit_31b, GFP_KERNEL);
	if (ret)
		goto erase_id;
	if (mtgpu_generation->packets) {
		ret = mtgpu_sim_vm_created(vm);
		if (ret)
			goto erase_handle;
	}
	list_add_tail(&vm->link, &vm->device->vms);
	mutex_unlock(&mtgpu_lock);
	args->vm_ctx_handle = handle;
	return 0;

erase_handle:
	xa_erase(&file->vms, handle);
erase_id:
	xa_erase(&mtgpu_vms, vm->id);
unlock:
	mutex_unlock(&mtgpu_lock);
	mtgpu_vm_put(vm);
	return ret;
}

int mtgpu_ioctl_vm_destroy(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_vm_context_destroy *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_vm *vm;

	mutex_lock(&mtgpu_lock);
	vm = mtgpu_vm_find(file, args->vm_ctx_handle);
	if (vm) {
		xa_erase(&file->vms, args->vm_ctx_handle);
		mtgpu_vm_close(vm);
	}
	mutex_unlock(&mtgpu_lock);
	if (!vm)
		return -EINVAL;
	mtgpu_vm_wait_gone(vm);
	mtgpu_vm_put(vm);
	return 0;
}

static int insert(struct mtgpu_file *file, const struct drm_mtgpu_vm_map *args,
		  struct mtgpu_mapping *mapping)
{
	struct mtgpu_vm *vm = mtgpu_vm_find(file, args->vm_ctx_handle);
	int ret;

	if (!vm)
		return -EINVAL;
	if (vm->lost)
		return -EIO;
	mapping->vm = vm;
	mapping->node.start = args->va;
	mapping->node.size = args->size;
	ret = drm_mm_reserve_node(&vm->mm, &mapping->node);
	if (ret)
		return ret == -ENOSPC ? -EEXIST : ret;
	if (mapping->bo->chunk)
		list_add_tail(&mapping->chunk_link, &mapping->bo->chunk->mappings);
	mtgpu_sim_post(vm, MTGPU_SIM_MAP, 0, args->va, args->size, mapping->bo->writable);
	return 0;
}

int mtgpu_ioctl_vm_map(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_vm_map *args = data;
	u64 page = 1ull << mtgpu_page_shift;
	struct mtgpu_mapping *mapping;
	int ret = -EINVAL;

	if (args->pad || args->mapping_flags || !args->size || (args->va | args->size) & (page - 1) ||
	    !mtgpu_heap_of(args->va, args->size))
		return -EINVAL;
	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	if (!mapping)
		return -ENOMEM;
	INIT_LIST_HEAD(&mapping->chunk_link);
	mapping->bo = mtgpu_bo_find(filp, args->bo_handle);
	if (!mapping->bo)
		goto free_mapping;
	/* Objects are whole pages of the CPU; the rest of a larger page is nobody's. */
	if (args->size > round_up(mapping->bo->base.size, page))
		goto put_bo;
	mutex_lock(&mtgpu_lock);
	ret = insert(filp->driver_priv, args, mapping);
	mutex_unlock(&mtgpu_lock);
	if (!ret)
		return 0;
put_bo:
	mtgpu_bo_put(mapping->bo);
free_mapping:
	kfree(mapping);
	return ret;
}

int mtgpu_ioctl_vm_unmap(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_vm_unmap *args = data;
	struct mtgpu_mapping *mapping = NULL;
	struct mtgpu_vm *vm;
	u64 number = 0;

	mutex_lock(&mtgpu_lock);
	vm = mtgpu_vm_find(filp->driver_priv, args->vm_ctx_handle);
	if (vm)
		mapping = mtgpu_vm_mapping(vm, args->va);
	if (mapping && mapping->node.start != args->va)
		mapping = NULL;
	if (mapping) {
		mtgpu_sim_post(vm, MTGPU_SIM_UNMAP, 0, args->va, mapping->node.size, 0);
		unmap(mapping);
		number = ++vm->unmaps;
		kref_get(&vm->ref);
	}
	mutex_unlock(&mtgpu_lock);
	if (!number)
		return -EINVAL;
	wait_unmapped(vm, number);
	mtgpu_vm_put(vm);
	return 0;
}

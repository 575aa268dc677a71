// SPDX-License-Identifier: GPL-2.0
/*
 * Semaphores as file descriptors, for other processes and other devices.
 */
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>

#include "mtgpu.h"

static int release(struct inode *inode, struct file *filp)
{
	mtgpu_semaphore_put(filp->private_data);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.release = release,
};

int mtgpu_ioctl_semaphore_export(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_semaphore_export_fd *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore;
	int fd;

	mutex_lock(&mtgpu_lock);
	semaphore = mtgpu_semaphore_find(&file->semaphores, args->in.semaphore.handle);
	mutex_unlock(&mtgpu_lock);
	if (!semaphore)
		return -EINVAL;
	fd = anon_inode_getfd("mtgpu-semaphore", &fops, semaphore, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		mtgpu_semaphore_put(semaphore);
		return fd;
	}
	args->out.fd = fd;
	args->out.pad = 0;
	return 0;
}

/* A handle of the memory: the file's own, or one of an object that shares the pages. */
static int memory_handle(struct drm_file *filp, struct mtgpu_chunk *chunk, u64 *handle_out)
{
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_bo *bo = chunk->bo;
	u32 handle;
	int ret;

	if (chunk->file == file)
		return mtgpu_chunk_handle(filp, chunk, handle_out);
	if (chunk->bo->base.dev == &file->device->drm) {
		drm_gem_object_get(&bo->base);
	} else {
		bo = mtgpu_bo_alias(file->device, bo);
		if (IS_ERR(bo))
			return PTR_ERR(bo);
	}
	ret = drm_gem_handle_create(filp, &bo->base, &handle);
	mtgpu_bo_put(bo);
	*handle_out = handle;
	return ret;
}

static int import(struct drm_file *filp, struct drm_mtgpu_semaphore_import_fd *args,
		  struct mtgpu_semaphore *semaphore)
{
	struct mtgpu_file *file = filp->driver_priv;
	u32 handle;
	int ret;

	ret = memory_handle(filp, semaphore->chunk, &args->out.bo_handle);
	if (ret)
		return ret;
	kref_get(&semaphore->ref);
	ret = xa_alloc(&file->semaphores, &handle, semaphore, xa_limit_31b, GFP_KERNEL);
	if (ret) {
		mtgpu_semaphore_put(semaphore);
		return ret;
	}
	args->out.semaphore.handle = handle;
	args->out.semaphore.value = mtgpu_semaphore_value(semaphore);
	args->out.value_offset = (u64)semaphore->slot * MTGPU_SLOT_B;
	return 0;
}

int mtgpu_ioctl_semaphore_import(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_semaphore_import_fd *args = data;
	struct fd from;
	bool known;
	int ret = -EINVAL;

	mutex_lock(&mtgpu_lock);
	known = mtgpu_vm_find(filp->driver_priv, args->in.vm_ctx_handle) != NULL;
	mutex_unlock(&mtgpu_lock);
	if (args->in.pad || !known)
		return -EINVAL;
	from = fdget(args->in.fd);
	if (!from.file)
		return -EBADF;
	if (from.file->f_op == &fops)
		ret = import(filp, args, from.file->private_data);
	fdput(from);
	return ret;
}

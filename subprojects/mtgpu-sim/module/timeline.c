// SPDX-License-Identifier: GPL-2.0
/*
 * Timelines, the older form of semaphores: fences are points on them, and may become sync files.
 */
#include <linux/dma-fence.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/sync_file.h>
#include <linux/uaccess.h>

#include "mtgpu.h"

#define FENCES_MAX 1024

struct mtgpu_fence {
	struct dma_fence base;
	spinlock_t lock;
	struct list_head link; /* of the semaphore, until it signals; owns a reference */
	u64 value;
};

static const char *driver_name(struct dma_fence *fence)
{
	return "mtgpu";
}

static const char *timeline_name(struct dma_fence *fence)
{
	return "timeline";
}

static void fence_release(struct dma_fence *base)
{
	dma_fence_free(base);
	module_put(THIS_MODULE);
}

static const struct dma_fence_ops fence_ops = {
	.get_driver_name = driver_name,
	.get_timeline_name = timeline_name,
	.release = fence_release,
};

void mtgpu_fences_check(struct mtgpu_semaphore *semaphore)
{
	u64 value = mtgpu_semaphore_value(semaphore);
	struct mtgpu_fence *fence, *next;

	list_for_each_entry_safe(fence, next, &semaphore->fences, link) {
		if (fence->value > value)
			continue;
		list_del(&fence->link);
		dma_fence_signal(&fence->base);
		dma_fence_put(&fence->base);
	}
}

/* Nobody will raise the value any more. */
static void cancel_fences(struct mtgpu_semaphore *semaphore)
{
	struct mtgpu_fence *fence, *next;

	list_for_each_entry_safe(fence, next, &semaphore->fences, link) {
		list_del(&fence->link);
		dma_fence_set_error(&fence->base, -ECANCELED);
		dma_fence_signal(&fence->base);
		dma_fence_put(&fence->base);
	}
}

void mtgpu_file_timelines_close(struct mtgpu_file *file)
{
	struct mtgpu_semaphore *semaphore;
	unsigned long index;

	xa_for_each(&file->timelines, index, semaphore)
		cancel_fences(semaphore);
}

int mtgpu_ioctl_timeline_create(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_timeline_create *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore = mtgpu_semaphore_new(file);
	u32 handle;
	int ret;

	if (IS_ERR(semaphore))
		return PTR_ERR(semaphore);
	args->out.timeline_value_offset = (u64)semaphore->slot * MTGPU_SLOT_B;
	ret = mtgpu_chunk_handle(filp, semaphore->chunk, &args->out.timeline_bo_handle);
	if (!ret)
		ret = xa_alloc(&file->timelines, &handle, semaphore, xa_limit_31b, GFP_KERNEL);
	if (ret) {
		mtgpu_semaphore_put(semaphore);
		return ret;
	}
	args->out.timeline_handle = handle;
	return 0;
}

int mtgpu_ioctl_timeline_destroy(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_timeline_destroy *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore = NULL;

	mutex_lock(&mtgpu_lock);
	if (args->in.timeline_handle <= U32_MAX)
		semaphore = xa_erase(&file->timelines, args->in.timeline_handle);
	if (semaphore)
		cancel_fences(semaphore);
	mutex_unlock(&mtgpu_lock);
	if (!semaphore)
		return -EINVAL;
	mtgpu_semaphore_put(semaphore);
	return 0;
}

int mtgpu_ioctl_timeline_read(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_timeline_read *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore;

	mutex_lock(&mtgpu_lock);
	semaphore = mtgpu_semaphore_find(&file->timelines, args->in.timeline_handle);
	mutex_unlock(&mtgpu_lock);
	if (!semaphore)
		return -EINVAL;
	args->out.timeline_value = mtgpu_semaphore_value(semaphore);
	mtgpu_semaphore_put(semaphore);
	return 0;
}

/* struct drm_mtgpu_fence is laid out as struct drm_mtgpu_semaphore: a handle and a value. */
int mtgpu_ioctl_fence_wait(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_fence_wait *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_wait *waits;
	u32 first = 0;
	int ret;

	BUILD_BUG_ON(sizeof(struct drm_mtgpu_fence) != sizeof(struct drm_mtgpu_semaphore));
	if (!args->in.seqno_count || args->in.seqno_count > FENCES_MAX || args->in.wait_all > 1)
		return -EINVAL;
	waits = kcalloc(args->in.seqno_count, sizeof(*waits), GFP_KERNEL);
	if (!waits)
		return -ENOMEM;
	ret = mtgpu_waits_read(&file->timelines, args->in.fences, args->in.seqno_count, waits);
	if (!ret) {
		ret = mtgpu_semaphores_wait(file, waits, args->in.seqno_count, args->in.wait_all,
					    args->in.timeout_ns, &first);
		mtgpu_waits_put(waits, args->in.seqno_count);
	}
	kfree(waits);
	args->out.first_signaled = first;
	args->out.pad = 0;
	return ret;
}

static struct mtgpu_fence *new_fence(u64 value)
{
	struct mtgpu_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL);

	if (!fence)
		return NULL;
	__module_get(THIS_MODULE);
	spin_lock_init(&fence->lock);
	fence->value = value;
	dma_fence_init(&fence->base, &fence_ops, &fence->lock, dma_fence_context_alloc(1), value);
	return fence;
}

int mtgpu_ioctl_fence_to_fd(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_fence_to_fd *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore;
	struct mtgpu_fence *fence = new_fence(args->in.fence.seqno);
	struct sync_file *sync;
	int fd, ret = 0;

	if (!fence)
		return -ENOMEM;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		dma_fence_put(&fence->base);
		return fd;
	}
	sync = sync_file_create(&fence->base);
	mutex_lock(&mtgpu_lock);
	semaphore = mtgpu_semaphore_find(&file->timelines, args->in.fence.timeline_handle);
	if (!semaphore)
		ret = -EINVAL;
	else if (!sync)
		ret = -ENOMEM;
	if (!ret) {
		dma_fence_get(&fence->base);
		list_add_tail(&fence->link, &semaphore->fences);
		mtgpu_fences_check(semaphore);
	}
	mutex_unlock(&mtgpu_lock);
	if (semaphore)
		mtgpu_semaphore_put(semaphore);
	dma_fence_put(&fence->base);
	if (ret) {
		if (sync)
			fput(sync->file);
		put_unused_fd(fd);
		return ret;
	}
	fd_install(fd, sync->file);
	args->out.fd = fd;
	args->out.pad = 0;
	return 0;
}

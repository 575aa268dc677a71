// SPDX-License-Identifier: GPL-2.0
/*
 * DMA jobs: copies between objects and pinned memory, by the CPU.
 */
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "mtgpu.h"

#define COMMANDS_MAX 65536

static void put_span(struct mtgpu_span *span, bool written)
{
	if (span->bo)
		mtgpu_bo_put(span->bo);
	else if (span->pages)
		mtgpu_unpin(span->pages, span->page_count, written);
}

void mtgpu_dma_free(struct mtgpu_copy *copies, u32 count)
{
	while (count--) {
		put_span(&copies[count].src, false);
		put_span(&copies[count].dst, true);
	}
	kvfree(copies);
}

static int read_object(struct drm_file *filp, u64 handle, u64 offset, u64 size, bool write,
		       struct mtgpu_span *span)
{
	struct mtgpu_bo *bo = handle <= U32_MAX ? mtgpu_bo_find(filp, handle) : NULL;

	if (!bo)
		return -EINVAL;
	span->bo = bo; /* put by the caller, also on failure */
	if (offset > bo->base.size || size > bo->base.size - offset || (write && !bo->writable))
		return -EINVAL;
	span->pages = bo->pages;
	span->offset = offset;
	return 0;
}

static int read_span(struct drm_file *filp, u32 type, u64 address, u64 offset, u64 size, bool write,
		     struct mtgpu_span *span)
{
	if (type == MTGPU_DMA_ADDR_TYPE_BO_HANDLE)
		return read_object(filp, address, offset, size, write, span);
	if (type != MTGPU_DMA_ADDR_TYPE_USER_PTR || address + offset < address)
		return -EINVAL;
	span->offset = offset_in_page(address + offset);
	return mtgpu_pin(address + offset, size, write, &span->pages, &span->page_count);
}

static int read_command(struct drm_file *filp, const struct drm_mtgpu_dma_cmd *command,
			struct mtgpu_copy *copy)
{
	int ret;

	if (!command->xfer_size)
		return -EINVAL;
	copy->size = command->xfer_size;
	ret = read_span(filp, command->src_type, command->src_addr, command->src_offset, copy->size,
			false, &copy->src);
	if (ret)
		return ret;
	return read_span(filp, command->dst_type, command->dst_addr, command->dst_offset, copy->size,
			 true, &copy->dst);
}

/* A job without commands only waits and signals. */
int mtgpu_dma_read(struct drm_file *filp, struct mtgpu_job *job, u64 address, u32 size)
{
	const struct drm_mtgpu_dma_cmd __user *from = u64_to_user_ptr(address);
	u32 i, count = size / sizeof(*from);
	struct drm_mtgpu_dma_cmd command;
	int ret;

	if (size % sizeof(*from) || count > COMMANDS_MAX)
		return -EINVAL;
	if (!count)
		return 0;
	job->copies = kvcalloc(count, sizeof(*job->copies), GFP_KERNEL);
	if (!job->copies)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		if (copy_from_user(&command, from + i, sizeof(command)))
			return -EFAULT;
		job->copy_count = i + 1; /* its spans are freed with the job */
		ret = read_command(filp, &command, &job->copies[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static void copy_span(const struct mtgpu_copy *copy)
{
	u64 src = copy->src.offset, dst = copy->dst.offset, left = copy->size, piece;

	while (left) {
		piece = min3(left, PAGE_SIZE - (src & ~PAGE_MASK), PAGE_SIZE - (dst & ~PAGE_MASK));
		memmove(page_address(copy->dst.pages[dst >> PAGE_SHIFT]) + (dst & ~PAGE_MASK),
			page_address(copy->src.pages[src >> PAGE_SHIFT]) + (src & ~PAGE_MASK),
			piece);
		src += piece;
		dst += piece;
		left -= piece;
		cond_resched();
	}
}

static bool hangs(struct mtgpu_context *context)
{
	return READ_ONCE(context->vm->device->inject) == MTGPU_SIM_INJECT_HANG &&
	       !READ_ONCE(context->dead);
}

void mtgpu_dma_run(struct work_struct *work)
{
	struct mtgpu_context *context = container_of(work, struct mtgpu_context, dma);
	struct mtgpu_device *device = context->vm->device;
	struct mtgpu_job *job;
	u32 i;

	mutex_lock(&mtgpu_lock);
	/* The worker's alone: nobody else frees a job that a DMA queue has started. */
	job = list_first_entry(&context->running, struct mtgpu_job, link);
	context->dma_since = jiffies;
	mutex_unlock(&mtgpu_lock);
	if (READ_ONCE(device->inject) == MTGPU_SIM_INJECT_SLOW)
		msleep(READ_ONCE(device->inject_argument));
	wait_event(mtgpu_wait_queue, !hangs(context));
	for (i = 0; i < job->copy_count && !READ_ONCE(context->dead); i++)
		copy_span(&job->copies[i]);
	mutex_lock(&mtgpu_lock);
	context->dma_since = 0;
	mtgpu_jobs_dma_done(context, job);
	mutex_unlock(&mtgpu_lock);
	mtgpu_context_put(context);
}

/* The older form: one copy between two objects, at once; a timeline then counts one more. */
int mtgpu_ioctl_dma_transfer(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_dma_transfer *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	bool out = !(args->in.transfer_flag & MTGPU_DMA_TRANSFER_DIR);
	struct mtgpu_semaphore *timeline;
	struct mtgpu_copy copy = { .size = args->in.size };
	int ret;

	if (args->in.transfer_flag & ~(MTGPU_DMA_TRANSFER_DIR | MTGPU_DMA_TRANSFER_LOCAL_TO_PEER) ||
	    !args->in.size)
		return -EINVAL;
	mutex_lock(&mtgpu_lock);
	timeline = mtgpu_semaphore_find(&file->timelines, args->in.fence_handle);
	mutex_unlock(&mtgpu_lock);
	if (args->in.fence_handle && !timeline)
		return -EINVAL;
	ret = read_object(filp, args->in.bo_handle, args->in.offset, args->in.size, !out,
			  out ? &copy.src : &copy.dst);
	if (!ret)
		ret = read_object(filp, args->in.ext_handle, args->in.ext_offset, args->in.size, out,
				  out ? &copy.dst : &copy.src);
	if (!ret)
		copy_span(&copy);
	put_span(&copy.src, false);
	put_span(&copy.dst, true);
	if (timeline) {
		mutex_lock(&mtgpu_lock);
		if (!ret)
			mtgpu_semaphore_raise(timeline, mtgpu_semaphore_value(timeline) + 1);
		mutex_unlock(&mtgpu_lock);
		mtgpu_semaphore_put(timeline);
	}
	return ret;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Semaphores: 64-bit values in memory that clients and cards map. They are raised by calls, by
 * jobs, and by whoever writes to the memory; the last is noticed by looking again after a while.
 */
#include <drm/drm_drv.h>
#include <linux/hrtimer.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "mtgpu.h"

#define LOOK_NS   (2 * NSEC_PER_MSEC)
#define WAITS_MAX 1024

#define CHUNK_FLAGS                                                                         \
	(MTGPU_BO_FLAGS_GPU_READABLE | MTGPU_BO_FLAGS_GPU_WRITEABLE |                       \
	 MTGPU_BO_FLAGS_CPU_READABLE | MTGPU_BO_FLAGS_CPU_WRITEABLE |                       \
	 MTGPU_BO_FLAGS_CPU_CACHE_COHERENT | MTGPU_BO_FLAGS_ZERO_ON_ALLOC)

void mtgpu_chunk_free(struct mtgpu_chunk *chunk)
{
	if (!chunk)
		return;
	vunmap(chunk->cpu);
	kfree(chunk);
}

static struct mtgpu_chunk *new_chunk(struct mtgpu_file *file)
{
	struct mtgpu_chunk *chunk;
	struct mtgpu_bo *bo;

	bo = mtgpu_bo_new(file->device, MTGPU_CHUNK_B, CHUNK_FLAGS, MTGPU_BO_DOMAIN_GTT);
	if (IS_ERR(bo))
		return ERR_CAST(bo);
	bo->align = PAGE_SIZE;
	chunk = kzalloc(sizeof(*chunk), GFP_KERNEL);
	if (!chunk) {
		mtgpu_bo_put(bo);
		return ERR_PTR(-ENOMEM);
	}
	INIT_LIST_HEAD(&chunk->mappings);
	chunk->bo = bo;
	bo->chunk = chunk; /* freed with it */
	/* An offset of 0 would hide who forgets to add it. */
	__set_bit(0, chunk->slots);
	chunk->cpu = vmap(bo->pages, bo->base.size >> PAGE_SHIFT, VM_MAP, PAGE_KERNEL);
	if (!chunk->cpu) {
		mtgpu_bo_put(bo);
		return ERR_PTR(-ENOMEM);
	}
	chunk->file = file;
	list_add(&chunk->link, &file->chunks);
	return chunk;
}

/* Under mtgpu_lock. */
static int take_slot(struct mtgpu_file *file, struct mtgpu_semaphore *semaphore)
{
	struct mtgpu_chunk *chunk;
	u32 slot;

	list_for_each_entry(chunk, &file->chunks, link) {
		slot = find_first_zero_bit(chunk->slots, MTGPU_CHUNK_SLOTS);
		if (slot < MTGPU_CHUNK_SLOTS)
			goto found;
	}
	chunk = new_chunk(file);
	if (IS_ERR(chunk))
		return PTR_ERR(chunk);
	slot = 1;
found:
	set_bit(slot, chunk->slots);
	drm_gem_object_get(&chunk->bo->base);
	semaphore->chunk = chunk;
	semaphore->slot = slot;
	semaphore->value = chunk->cpu + slot * MTGPU_SLOT_B;
	semaphore->value[0] = 0;
	semaphore->value[1] = 0;
	return 0;
}

void mtgpu_file_chunks_close(struct mtgpu_file *file)
{
	struct mtgpu_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &file->chunks, link) {
		list_del(&chunk->link);
		chunk->file = NULL;
		mtgpu_bo_put(chunk->bo);
	}
}

static void release(struct kref *ref)
{
	struct mtgpu_semaphore *semaphore = container_of(ref, struct mtgpu_semaphore, ref);

	if (semaphore->chunk) {
		clear_bit(semaphore->slot, semaphore->chunk->slots);
		mtgpu_bo_put(semaphore->chunk->bo);
	}
	kfree(semaphore);
}

void mtgpu_semaphore_put(struct mtgpu_semaphore *semaphore)
{
	kref_put(&semaphore->ref, release);
}

struct mtgpu_semaphore *mtgpu_semaphore_new(struct mtgpu_file *file)
{
	struct mtgpu_semaphore *semaphore = kzalloc(sizeof(*semaphore), GFP_KERNEL);
	int ret;

	if (!semaphore)
		return ERR_PTR(-ENOMEM);
	kref_init(&semaphore->ref);
	INIT_LIST_HEAD(&semaphore->fences);
	mutex_lock(&mtgpu_lock);
	ret = take_slot(file, semaphore);
	mutex_unlock(&mtgpu_lock);
	if (ret) {
		mtgpu_semaphore_put(semaphore);
		return ERR_PTR(ret);
	}
	return semaphore;
}

struct mtgpu_semaphore *mtgpu_semaphore_find(struct xarray *handles, u64 handle)
{
	struct mtgpu_semaphore *semaphore = NULL;

	if (handle <= U32_MAX)
		semaphore = xa_load(handles, handle);
	if (semaphore)
		kref_get(&semaphore->ref);
	return semaphore;
}

/* The chunk's handle in the file that made it. Clients leave it open; one that closed it gets
 * another. */
int mtgpu_chunk_handle(struct drm_file *filp, struct mtgpu_chunk *chunk, u64 *handle_out)
{
	struct mtgpu_bo *bo = chunk->handle ? mtgpu_bo_find(filp, chunk->handle) : NULL;
	int ret = 0;

	if (bo != chunk->bo)
		ret = drm_gem_handle_create(filp, &chunk->bo->base, &chunk->handle);
	if (bo)
		mtgpu_bo_put(bo);
	*handle_out = chunk->handle;
	return ret;
}

static void tell_cards(struct mtgpu_semaphore *semaphore, u64 value)
{
	struct mtgpu_mapping *mapping;
	u64 offset = (u64)semaphore->slot * MTGPU_SLOT_B;

	list_for_each_entry(mapping, &semaphore->chunk->mappings, chunk_link)
		if (offset < mapping->node.size)
			mtgpu_sim_post(mapping->vm, MTGPU_SIM_SIGNAL, 0,
				       mapping->node.start + offset, value, 0);
}

void mtgpu_semaphore_raise(struct mtgpu_semaphore *semaphore, u64 value)
{
	u64 old = READ_ONCE(*semaphore->value);

	/* Cards write to the same word. */
	while (old < value)
		if (try_cmpxchg64(semaphore->value, &old, value)) {
			tell_cards(semaphore, value);
			break;
		}
	mtgpu_fences_check(semaphore);
	wake_up_all(&mtgpu_wait_queue);
}

static bool reached(const struct mtgpu_wait *waits, u32 count, bool all, u32 *first_out)
{
	u32 i, met = 0;

	for (i = count; i--;) {
		if (mtgpu_semaphore_value(waits[i].semaphore) < waits[i].value)
			continue;
		met++;
		*first_out = i;
	}
	return all ? met == count : met;
}

int mtgpu_semaphores_wait(struct mtgpu_file *file, const struct mtgpu_wait *waits, u32 count,
			  bool all, u64 timeout_ns, u32 *first_out)
{
	ktime_t deadline = ktime_add_safe(ktime_get(), min_t(u64, timeout_ns, KTIME_MAX));
	ktime_t look;
	int ret;

	for (;;) {
		DEFINE_WAIT(entry);

		prepare_to_wait(&mtgpu_wait_queue, &entry, TASK_INTERRUPTIBLE);
		ret = 0;
		if (reached(waits, count, all, first_out))
			goto finish;
		ret = -EIO;
		if (READ_ONCE(file->lost) || drm_dev_is_unplugged(&file->device->drm))
			goto finish;
		ret = -ETIME;
		if (ktime_compare(ktime_get(), deadline) >= 0)
			goto finish;
		ret = -ERESTARTSYS;
		if (signal_pending(current))
			goto finish;
		look = ktime_add_ns(ktime_get(), LOOK_NS);
		if (ktime_compare(deadline, look) < 0)
			look = deadline;
		schedule_hrtimeout(&look, HRTIMER_MODE_ABS);
		finish_wait(&mtgpu_wait_queue, &entry);
		continue;
finish:
		finish_wait(&mtgpu_wait_queue, &entry);
		return ret;
	}
}

int mtgpu_waits_read(struct xarray *handles, u64 address, u32 count, struct mtgpu_wait *waits)
{
	const struct drm_mtgpu_semaphore __user *from = u64_to_user_ptr(address);
	struct drm_mtgpu_semaphore one;
	u32 i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = -EFAULT;
		if (copy_from_user(&one, from + i, sizeof(one)))
			goto put;
		mutex_lock(&mtgpu_lock);
		waits[i].semaphore = mtgpu_semaphore_find(handles, one.handle);
		mutex_unlock(&mtgpu_lock);
		waits[i].value = one.value;
		ret = -EINVAL;
		if (!waits[i].semaphore)
			goto put;
	}
	return 0;

put:
	mtgpu_waits_put(waits, i);
	return ret;
}

void mtgpu_waits_put(struct mtgpu_wait *waits, u32 count)
{
	while (count--)
		mtgpu_semaphore_put(waits[count].semaphore);
}

int mtgpu_ioctl_semaphore_create(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_semaphore_create *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore = mtgpu_semaphore_new(file);
	u32 handle;
	int ret;

	if (IS_ERR(semaphore))
		return PTR_ERR(semaphore);
	args->out.value_offset = (u64)semaphore->slot * MTGPU_SLOT_B;
	args->out.gpu_address = 0; /* clients map the object where they like */
	ret = mtgpu_chunk_handle(filp, semaphore->chunk, &args->out.bo_handle);
	/* Once it has a handle another thread may destroy it. */
	if (!ret)
		ret = xa_alloc(&file->semaphores, &handle, semaphore, xa_limit_31b, GFP_KERNEL);
	if (ret) {
		mtgpu_semaphore_put(semaphore);
		return ret;
	}
	args->out.handle = handle;
	return 0;
}

int mtgpu_ioctl_semaphore_destroy(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_semaphore_destroy *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore = NULL;

	mutex_lock(&mtgpu_lock);
	if (args->handle <= U32_MAX)
		semaphore = xa_erase(&file->semaphores, args->handle);
	mutex_unlock(&mtgpu_lock);
	if (!semaphore)
		return -EINVAL;
	mtgpu_semaphore_put(semaphore);
	return 0;
}

int mtgpu_ioctl_semaphore_signal(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_semaphore_cpu_signal *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_semaphore *semaphore = NULL;
	struct mtgpu_vm *vm;
	int ret = -EINVAL;

	mutex_lock(&mtgpu_lock);
	vm = mtgpu_vm_find(file, args->vm_ctx_handle);
	if (vm)
		semaphore = mtgpu_semaphore_find(&file->semaphores, args->semaphore.handle);
	if (semaphore && vm->lost)
		ret = -EIO;
	else if (semaphore)
		ret = 0;
	if (!ret) {
		mtgpu_semaphore_raise(semaphore, args->semaphore.value);
		mtgpu_jobs_kick();
	}
	mutex_unlock(&mtgpu_lock);
	if (semaphore)
		mtgpu_semaphore_put(semaphore);
	return ret;
}

int mtgpu_ioctl_semaphore_wait(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_semaphore_wait *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_wait *waits;
	u32 first;
	int ret;

	if (args->in.pad || !args->in.count || args->in.count > WAITS_MAX)
		return -EINVAL;
	waits = kcalloc(args->in.count, sizeof(*waits), GFP_KERNEL);
	if (!waits)
		return -ENOMEM;
	ret = mtgpu_waits_read(&file->semaphores, args->in.semaphores, args->in.count, waits);
	if (!ret) {
		ret = mtgpu_semaphores_wait(file, waits, args->in.count, true, args->in.timeout_ns,
					    &first);
		mtgpu_waits_put(waits, args->in.count);
	}
	kfree(waits);
	return ret;
}

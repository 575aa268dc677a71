/* SPDX-License-Identifier: MIT */
/*
 * Semaphores: kernel objects whose values lie in memory that the process maps, so that a completion
 * is one load.
 *
 * The kernel hands out an object handle and an offset; where several semaphores share an object it
 * is mapped once. The handle is the kernel's: it is not closed here.
 *
 * UNVERIFIED: the qword behind a value is used for the time of its last timestamped signal. On the
 * simulated device it belongs to the semaphore. On silicon nothing but this process writes it; a
 * semaphore whose value lies where another's time would be is put aside, so that the two never
 * meet. SEMAPHORE_WAIT is taken to count its time-out from the call; a wait asks again after a while in
 * any case, and looks at the value itself, so that a kernel that counts otherwise costs time only.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/drm/drm.h"

#define SLOT_B      16u
#define PARKED_MAX  64u
#define SPIN_TRIES  200u
#define SLICE_NS    (INT64_C(100) * 1000000) /* of one kernel wait: how late a lost device shows */

/* UNVERIFIED: newer interfaces of the driver let the firmware leave this bit in a value when it has
 * hung. No count of submissions reaches it. */
#define VALUE_ERROR (UINT64_C(1) << 63)

/* An object that holds values. */
struct mt_drm_sem_bo {
	struct mt_drm_sem_bo *next;
	uint32_t handle;
	uint32_t refs; /* semaphores in it */
	uint64_t va, size_b;
	bool mapped;
};

struct created {
	uint64_t handle, bo_handle, offset_b;
};

static struct mt_drm_sem_bo *find_bo(struct mt_drm_device *device, uint32_t handle)
{
	struct mt_drm_sem_bo *bo;

	for (bo = device->sem_bos; bo && bo->handle != handle; bo = bo->next)
		;
	return bo;
}

static int map_bo(struct mt_drm_device *device, struct mt_drm_sem_bo *bo)
{
	struct drm_mtgpu_bo_get_mmap_offset args = { .in = { .bo_handle = bo->handle } };
	void *memory;
	int ret;

	ret = mt_drm_window_take(device, bo->size_b, MT_DRM_PAGE_B, &bo->va);
	if (ret)
		return ret;
	ret = mt_drm_call(device, DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, &args);
	if (ret)
		goto give_va;
	ret = mt_drm_mmap(device->fd, args.out.offset, bo->size_b, (void *)(uintptr_t)bo->va, &memory);
	if (ret)
		goto give_va;
	/* Packets name semaphores by address; the kernel's own jobs by handle. */
	if (device->generation->executes_packets) {
		ret = mt_drm_vm_map(device, bo->va, bo->handle, bo->size_b);
		if (ret)
			goto give_va;
		bo->mapped = true;
	}
	return 0;

give_va:
	mt_drm_window_give(device, bo->va, bo->size_b);
	return ret;
}

static int get_bo(struct mt_drm_device *device, uint32_t handle, struct mt_drm_sem_bo **bo_out)
{
	struct mt_drm_sem_bo *bo = find_bo(device, handle);
	int ret;

	if (!bo) {
		bo = mt_calloc(1, sizeof(*bo));
		if (!bo)
			return -ENOMEM;
		bo->handle = handle;
		ret = mt_drm_info_bo_size(device, handle, &bo->size_b);
		if (!ret)
			ret = map_bo(device, bo);
		if (ret) {
			mt_free(bo);
			return ret;
		}
		bo->next = device->sem_bos;
		device->sem_bos = bo;
	}
	bo->refs++;
	*bo_out = bo;
	return 0;
}

static void put_bo(struct mt_drm_device *device, struct mt_drm_sem_bo *bo)
{
	struct mt_drm_sem_bo **link = &device->sem_bos;

	if (--bo->refs)
		return;
	while (*link != bo)
		link = &(*link)->next;
	*link = bo->next;
	if (bo->mapped)
		mt_drm_vm_unmap(device, bo->va);
	mt_drm_window_give(device, bo->va, bo->size_b);
	mt_free(bo);
}

static void destroy_handle(struct mt_drm_device *device, uint64_t handle)
{
	struct drm_mtgpu_semaphore_destroy args = { .handle = handle };

	mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY, &args);
}

/* What has been imported before is the same slot; its first handle stays. offset_b of these ranges
 * counts the users. */
static int add_or_share(struct mt_drm_device *device, const struct mt_drm_range *range)
{
	uint32_t at = mt_drm_ranges_index(&device->semaphores, range->va);
	struct mt_drm_range *old = at < device->semaphores.count ? &device->semaphores.at[at] : NULL;

	if (!old || old->va != range->va)
		return mt_drm_ranges_add(&device->semaphores, range);
	old->offset_b++;
	if (old->handle != range->handle)
		destroy_handle(device, range->handle);
	return 0;
}

/* Maps the semaphore and enters it; on failure the handle is still the caller's. */
static int enter(struct mt_drm_device *device, const struct created *created,
		 struct mt_hw_semaphore *semaphore_out)
{
	struct mt_drm_range range = {
		.size_b = SLOT_B,
		.handle = created->handle,
		.offset_b = 1,
	};
	struct mt_drm_sem_bo *bo;
	int ret;

	if (created->bo_handle > UINT32_MAX || created->offset_b % SLOT_B)
		return -EPROTO;
	ret = get_bo(device, (uint32_t)created->bo_handle, &bo);
	if (ret)
		return ret;
	ret = -EPROTO;
	if (created->offset_b > bo->size_b || bo->size_b - created->offset_b < SLOT_B)
		goto put_bo;
	range.va = bo->va + created->offset_b;
	range.owner = bo;
	ret = add_or_share(device, &range);
	if (ret)
		goto put_bo;
	semaphore_out->dev = &device->base;
	semaphore_out->va = range.va;
	semaphore_out->value = (_Atomic uint64_t *)(uintptr_t)range.va;
	return 0;

put_bo:
	put_bo(device, bo);
	return ret;
}

/* A semaphore with a slot of its own. */
static int create_handle(struct mt_drm_device *device, struct created *created_out)
{
	struct drm_mtgpu_semaphore_create args;
	int ret;

	for (uint32_t i = 0; i < PARKED_MAX; i++) {
		memset(&args, 0, sizeof(args));
		ret = mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_CREATE, &args);
		if (ret)
			return ret;
		if (args.out.value_offset % SLOT_B)
			continue; /* put aside until the device is closed */
		created_out->handle = args.out.handle;
		created_out->bo_handle = args.out.bo_handle;
		created_out->offset_b = args.out.value_offset;
		return 0;
	}
	return -EPROTO;
}

int mt_drm_semaphore_create(struct mt_hw_device *dev, struct mt_hw_semaphore *semaphore_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct created created;
	int ret;

	if (device->forked)
		return -EIO;
	pthread_mutex_lock(&device->lock);
	ret = create_handle(device, &created);
	if (!ret) {
		ret = enter(device, &created, semaphore_out);
		if (ret)
			destroy_handle(device, created.handle);
		else
			atomic_store(semaphore_out->value + 1, 0);
	}
	pthread_mutex_unlock(&device->lock);
	return ret == -ENOSPC ? -ENOMEM : ret;
}

static void leave(struct mt_drm_device *device, uint64_t va)
{
	uint32_t at = mt_drm_ranges_index(&device->semaphores, va);
	struct mt_drm_range *range = &device->semaphores.at[at];
	struct mt_drm_sem_bo *bo;
	uint64_t handle;

	if (at == device->semaphores.count || range->va != va)
		return;
	bo = range->owner;
	handle = range->handle;
	if (!--range->offset_b) {
		mt_drm_ranges_remove(&device->semaphores, va);
		destroy_handle(device, handle);
	}
	put_bo(device, bo);
}

void mt_drm_semaphore_destroy(struct mt_hw_semaphore *semaphore)
{
	struct mt_drm_device *device;

	if (!semaphore->dev)
		return;
	device = mt_drm_device(semaphore->dev);
	if (device->forked)
		return;
	pthread_mutex_lock(&device->lock);
	leave(device, semaphore->va);
	pthread_mutex_unlock(&device->lock);
	memset(semaphore, 0, sizeof(*semaphore));
}

void mt_drm_semaphores_free(struct mt_drm_device *device)
{
	struct mt_drm_sem_bo *bo, *next;

	for (bo = device->sem_bos; bo; bo = next) {
		next = bo->next;
		mt_free(bo);
	}
	device->sem_bos = NULL;
}

uint64_t mt_drm_semaphore_handle(struct mt_drm_device *device, uint64_t va)
{
	const struct mt_drm_range *range;
	uint64_t handle;

	pthread_mutex_lock(&device->lock);
	range = mt_drm_ranges_find(&device->semaphores, va);
	handle = range && range->va == va ? range->handle : 0;
	pthread_mutex_unlock(&device->lock);
	return handle;
}

/* True once the value is there; *error_out is set if it never will be. */
static bool has_value(struct mt_drm_device *device, const struct mt_hw_semaphore *semaphore,
		      uint64_t value, int *error_out)
{
	uint64_t now = atomic_load_explicit(semaphore->value, memory_order_acquire);

	*error_out = 0;
	if (now & VALUE_ERROR && !(value & VALUE_ERROR)) {
		mt_drm_lost(device, -EIO, "a semaphore holds the firmware's error mark");
		*error_out = -EIO;
		return false;
	}
	if (now >= value)
		return true;
	if (device->forked || mt_drm_stopped(device))
		*error_out = -EIO;
	return false;
}

/* One wait in the kernel; 0 also if it should be asked again. */
static int wait_slice(struct mt_drm_device *device, uint64_t handle, uint64_t value, int64_t time_ns)
{
	struct drm_mtgpu_semaphore entry = { .handle = handle, .value = value };
	struct drm_mtgpu_semaphore_wait args = {
		.in = {
			.semaphores = (uintptr_t)&entry,
			.count = 1,
			.timeout_ns = (uint64_t)(time_ns < SLICE_NS ? time_ns : SLICE_NS),
		},
	};
	int error;

	if (!mt_drm_os->ioctl(device->fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args)) {
		/* The value should be there now. */
		sched_yield();
		return 0;
	}
	error = -errno;
	switch (error) {
	case -EINTR:
	case -EAGAIN:
	case -ETIME:
	case -ETIMEDOUT:
	case -EBUSY:
		return 0;
	default:
		if (!mt_drm_is_loss(error))
			return error;
		mt_drm_lost(device, error, "wait");
		return -EIO;
	}
}

int mt_drm_semaphore_wait(struct mt_hw_semaphore *semaphore, uint64_t value, int64_t timeout_ns)
{
	struct mt_drm_device *device = mt_drm_device(semaphore->dev);
	uint64_t start_ns, handle;
	int64_t left_ns = INT64_MAX;
	int ret;

	for (uint32_t i = 0; i < SPIN_TRIES; i++) {
		if (has_value(device, semaphore, value, &ret))
			return 0;
		if (ret)
			return ret;
		if (!timeout_ns)
			return -ETIME;
		__builtin_ia32_pause();
	}
	handle = mt_drm_semaphore_handle(device, semaphore->va);
	if (!handle)
		return -EINVAL;
	start_ns = mt_drm_time_ns();
	for (;;) {
		if (timeout_ns > 0) {
			left_ns = timeout_ns - (int64_t)(mt_drm_time_ns() - start_ns);
			if (left_ns <= 0)
				return -ETIME;
		}
		ret = wait_slice(device, handle, value, left_ns);
		if (ret)
			return ret;
		if (has_value(device, semaphore, value, &ret))
			return 0;
		if (ret)
			return ret;
	}
}

/* Under device->lock, which makes looking and raising one step for this process. */
static int raise_value(struct mt_drm_device *device, uint64_t va, uint64_t value, bool stamp)
{
	const struct mt_drm_range *range = mt_drm_ranges_find(&device->semaphores, va);
	_Atomic uint64_t *word = (_Atomic uint64_t *)(uintptr_t)va;
	struct drm_mtgpu_semaphore_cpu_signal args = { .vm_ctx_handle = device->vm };

	if (!range || range->va != va)
		return -EINVAL;
	if (atomic_load_explicit(word, memory_order_acquire) >= value)
		return 0;
	if (stamp)
		atomic_store_explicit(word + 1, mt_drm_time_ns(), memory_order_release);
	args.semaphore.handle = range->handle;
	args.semaphore.value = value;
	return mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_CPU_SIGNAL, &args);
}

int mt_drm_semaphore_stamp(struct mt_drm_device *device, uint64_t va, uint64_t value, bool stamp)
{
	int ret;

	if (device->forked)
		return -EIO;
	pthread_mutex_lock(&device->lock);
	ret = raise_value(device, va, value, stamp);
	pthread_mutex_unlock(&device->lock);
	return ret;
}

int mt_drm_semaphore_signal(struct mt_hw_semaphore *semaphore, uint64_t value)
{
	return mt_drm_semaphore_stamp(mt_drm_device(semaphore->dev), semaphore->va, value, false);
}

int mt_drm_semaphore_export_fd(struct mt_hw_semaphore *semaphore, int *fd_out)
{
	struct mt_drm_device *device = mt_drm_device(semaphore->dev);
	struct drm_mtgpu_semaphore_export_fd args = { 0 };
	int ret;

	args.in.semaphore.handle = mt_drm_semaphore_handle(device, semaphore->va);
	if (!args.in.semaphore.handle)
		return -EINVAL;
	args.in.semaphore.value = atomic_load(semaphore->value);
	ret = mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_EXPORT_FD, &args);
	if (!ret)
		*fd_out = args.out.fd;
	return ret;
}

int mt_drm_semaphore_import_fd(struct mt_hw_device *dev, int fd,
			       struct mt_hw_semaphore *semaphore_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct drm_mtgpu_semaphore_import_fd args = { .in = { .fd = fd, .vm_ctx_handle = device->vm } };
	struct created created;
	int ret;

	if (device->forked)
		return -EIO;
	pthread_mutex_lock(&device->lock);
	ret = mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_IMPORT_FD, &args);
	if (!ret) {
		created.handle = args.out.semaphore.handle;
		created.bo_handle = args.out.bo_handle;
		created.offset_b = args.out.value_offset;
		ret = enter(device, &created, semaphore_out);
		if (ret)
			destroy_handle(device, created.handle);
	}
	pthread_mutex_unlock(&device->lock);
	return ret;
}

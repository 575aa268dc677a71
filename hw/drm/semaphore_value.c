/* SPDX-License-Identifier: MIT */
/*
 * Waiting for values of semaphores and raising them.
 *
 * UNVERIFIED: SEMAPHORE_WAIT is taken to count its time-out from the call. A wait asks again after
 * a while in any case, and looks at the value itself, so that a kernel that counts otherwise costs
 * time only.
 */
#include <errno.h>
#include <sched.h>

#include "hw/drm/drm.h"

#define SPIN_TRIES 200u
#define SLICE_NS   (INT64_C(100) * 1000000) /* of one kernel wait: how late a lost device shows */

/* UNVERIFIED: newer interfaces of the driver let the firmware leave this bit in a value when it has
 * hung. No count of submissions reaches it. */
#define VALUE_ERROR (UINT64_C(1) << 63)

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
static int wait_slice(struct mt_drm_device *device, uint64_t handle, uint64_t value,
		      int64_t time_ns)
{
	struct drm_mtgpu_semaphore entry = {.handle = handle, .value = value};
	struct drm_mtgpu_semaphore_wait args = {
		.in =
			{
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

int mt_drm_semaphore_wait_surely(struct mt_hw_semaphore *semaphore, uint64_t value)
{
	uint32_t tries = 0;
	int ret;

	do {
		ret = mt_drm_semaphore_wait(semaphore, value, -1);
	} while (mt_drm_try_again(ret, &tries));
	return ret;
}

/* Under device->lock, which makes looking and raising one step for this process. */
static int raise_value(struct mt_drm_device *device, uint64_t va, uint64_t value, bool stamp)
{
	const struct mt_drm_range *range = mt_drm_ranges_find(&device->semaphores, va);
	_Atomic uint64_t *word = (_Atomic uint64_t *)(uintptr_t)va;
	struct drm_mtgpu_semaphore_cpu_signal args = {.vm_ctx_handle = device->vm};

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

/* SPDX-License-Identifier: MIT */
/*
 * Semaphores: values in memory, signals, waits, descriptors.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "uapi.h"

#define BAD 12345

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

static void values(void)
{
	int fd = t_open(0);
	uint64_t vm = t_vm(fd);
	struct t_semaphore one = t_semaphore(fd), two = t_semaphore(fd);

	t_eq(atomic_load(one.value), 0);
	t_eq(t_signal(fd, vm, one.handle, 5), 0);
	t_eq(atomic_load(one.value), 5);
	t_eq(atomic_load(two.value), 0);
	t_eq(t_signal(fd, vm, one.handle, 3), 0); /* never lowers */
	t_eq(atomic_load(one.value), 5);
	t_eq(t_wait(fd, one.handle, 5, 0), 0);
	t_eq(t_wait(fd, one.handle, 6, 0), -ETIME);
	/* Whoever maps the memory may write there, too. */
	atomic_store(two.value, 9);
	t_eq(t_wait(fd, two.handle, 9, 0), 0);
	close(fd);
}

static void time_outs(void)
{
	int fd = t_open(0);
	struct t_semaphore one = t_semaphore(fd);
	uint64_t start = now_ns();

	t_eq(t_wait(fd, one.handle, 1, SECOND_NS / 20), -ETIME);
	t_true(now_ns() - start >= SECOND_NS / 20);
	close(fd);
}

struct waiter {
	int fd;
	uint64_t handle;
	int result;
};

static void *wait_main(void *argument)
{
	struct waiter *waiter = argument;

	waiter->result = t_wait(waiter->fd, waiter->handle, 1, UINT64_MAX);
	return NULL;
}

static void wake_ups(void)
{
	int fd = t_open(0);
	uint64_t vm = t_vm(fd);
	struct t_semaphore one = t_semaphore(fd), two = t_semaphore(fd);
	struct waiter called = {fd, one.handle, 1}, stored = {fd, two.handle, 1};
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, wait_main, &called);
	pthread_create(&threads[1], NULL, wait_main, &stored);
	usleep(20000);
	t_eq(t_signal(fd, vm, one.handle, 1), 0);
	atomic_store(two.value, 1);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	t_eq(called.result, 0);
	t_eq(stored.result, 0);
	close(fd);
}

static void many_at_once(void)
{
	struct drm_mtgpu_semaphore all[40];
	struct drm_mtgpu_semaphore_wait args = {.in = {.semaphores = (uintptr_t)all, .count = 40}};
	int fd = t_open(0);
	uint64_t vm = t_vm(fd);

	for (int i = 0; i < 40; i++)
		all[i] = (struct drm_mtgpu_semaphore){t_semaphore(fd).handle, (uint64_t)i};
	for (int i = 0; i < 39; i++)
		t_eq(t_signal(fd, vm, all[i].handle, all[i].value), 0);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args), -ETIME);
	t_eq(t_signal(fd, vm, all[39].handle, 39), 0);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args), 0);
	close(fd);
}

static void refusals(void)
{
	struct drm_mtgpu_semaphore one = {BAD, 0};
	struct drm_mtgpu_semaphore_wait args = {.in = {.semaphores = (uintptr_t)&one, .count = 1}};
	struct drm_mtgpu_semaphore_destroy destroy = {BAD};
	struct drm_mtgpu_semaphore_export_fd export = {.in.semaphore.handle = BAD};
	int fd = t_open(0), other = t_open(0);
	uint64_t vm = t_vm(fd);
	struct t_semaphore real = t_semaphore(fd);

	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args), -EINVAL);
	t_eq(t_wait(other, real.handle, 0, 0), -EINVAL); /* handles belong to their file */
	args.in.count = 0;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args), -EINVAL);
	args.in.count = UINT32_MAX;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args), -EINVAL);
	args.in.count = 1;
	args.in.pad = 1;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args), -EINVAL);
	args.in.pad = 0;
	args.in.semaphores = 16;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args), -EFAULT);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY, &destroy), -EINVAL);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_EXPORT_FD, &export), -EINVAL);
	t_eq(t_signal(fd, vm, BAD, 1), -EINVAL);
	t_eq(t_signal(fd, BAD, real.handle, 1), -EINVAL);
	destroy.handle = real.handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY, &destroy), 0);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY, &destroy), -EINVAL);
	close(other);
	close(fd);
}

/* Slots are used again, and start at zero again. */
static void reuse(void)
{
	struct drm_mtgpu_semaphore_destroy destroy;
	int fd = t_open(0);
	uint64_t vm = t_vm(fd);
	struct t_semaphore one;

	for (int i = 0; i < 3000; i++) {
		struct drm_mtgpu_semaphore_create args = {0};

		t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_CREATE, &args), 0);
		t_eq(t_signal(fd, vm, args.out.handle, 7), 0);
		destroy.handle = args.out.handle;
		t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY, &destroy), 0);
	}
	one = t_semaphore(fd);
	t_eq(atomic_load(one.value), 0);
	close(fd);
}

static int import(int fd, int descriptor, uint64_t vm, struct drm_mtgpu_semaphore_import_fd *args)
{
	*args = (struct drm_mtgpu_semaphore_import_fd){
		.in = {.fd = descriptor, .vm_ctx_handle = vm},
	};
	return t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_IMPORT_FD, args);
}

static void descriptors(void)
{
	struct drm_mtgpu_semaphore_export_fd export = {0};
	struct drm_mtgpu_semaphore_import_fd args;
	int fd = t_open(0), other = t_open(0), pipes[2];
	uint64_t vm = t_vm(fd), other_vm = t_vm(other);
	struct t_semaphore one = t_semaphore(fd);
	char *memory;

	t_eq(t_signal(fd, vm, one.handle, 4), 0);
	export.in.semaphore.handle = one.handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_EXPORT_FD, &export), 0);
	t_eq(import(other, export.out.fd, BAD, &args), -EINVAL);
	t_eq(import(other, 999, other_vm, &args), -EBADF);
	t_eq(pipe(pipes), 0);
	t_eq(import(other, pipes[0], other_vm, &args), -EINVAL);
	t_eq(import(other, export.out.fd, other_vm, &args), 0);
	t_eq(args.out.semaphore.value, 4);
	memory = t_bo_map(other, (uint32_t)args.out.bo_handle, args.out.value_offset + 16);
	t_eq(*(uint64_t *)(void *)(memory + args.out.value_offset), 4);
	t_eq(t_signal(other, other_vm, args.out.semaphore.handle, 6), 0);
	t_eq(t_wait(fd, one.handle, 6, 0), 0);
	close(fd); /* the semaphore lives on */
	t_eq(t_wait(other, args.out.semaphore.handle, 6, 0), 0);
	close(export.out.fd);
	t_eq(t_signal(other, other_vm, args.out.semaphore.handle, 8), 0);
	t_eq(t_wait(other, args.out.semaphore.handle, 8, 0), 0);
	close(pipes[0]);
	close(pipes[1]);
	close(other);
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"values lie in memory and only grow", values},
		{"waits end at their time-out", time_outs},
		{"waits end when a call or a store raises the value", wake_ups},
		{"a wait for many ends with the last", many_at_once},
		{"handles, counts, padding and addresses are checked", refusals},
		{"slots are used again", reuse},
		{"semaphores travel as descriptors and outlive their maker", descriptors},
	};

	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

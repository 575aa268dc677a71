/* SPDX-License-Identifier: MIT */
/*
 * Proves what happens between processes: a forked child gets errors and does not hang, memory and
 * semaphores travel as descriptors.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hw/gpu.h"

static struct t_gpu gpu;

TestSuite(process, .timeout = 60);

static int exit_code(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* What the child of a process with a busy device sees. Its exit code is the line that failed. */
static int in_child(uint64_t start, struct mt_hw_semaphore *semaphore)
{
	struct mt_hw_host_call call;
	struct mt_hw_queue *queue;
	struct mt_hw_bo *bo;

	mt_hw_fork_child();
	if (t_submit_on(gpu.queue, start) != -EIO)
		return 1;
	if (mt_hw_queue_wait(gpu.queue, gpu.queue->submitted + 1, -1) != -EIO)
		return 2;
	if (gpu.dev->ops->queue_create(gpu.dev, 0, &queue) != -EIO)
		return 3;
	if (gpu.dev->ops->bo_create(gpu.dev, 4096, MT_HW_DEVICE, 0, &bo) != -EIO)
		return 4;
	if (gpu.dev->ops->semaphore_wait(semaphore, 1, -1) != -EIO)
		return 5;
	if (gpu.dev->ops->host_wait(gpu.dev, &call) != -ESHUTDOWN)
		return 6;
	if (atomic_load(&gpu.dev->fault) != MT_HW_FAULT_LOST)
		return 7;
	gpu.dev->ops->queue_destroy(gpu.queue);
	gpu.dev->ops->semaphore_destroy(semaphore);
	gpu.dev->ops->bo_destroy(gpu.data);
	mt_hw_finish();
	return 0;
}

Test(process, fork)
{
	struct mt_hw_semaphore semaphore;
	uint64_t start, *gate;
	pid_t child;

	t_open(&gpu);
	cr_assert_eq(gpu.dev->ops->semaphore_create(gpu.dev, &semaphore), 0);
	gate = t_data(&gpu, 8);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 1, k_until, (uintptr_t)gate, 1);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(gpu.queue, start), 0);
	child = fork();
	if (!child)
		_exit(in_child(start, &semaphore));
	cr_assert_eq(exit_code(child), 0);
	__atomic_store_n(gate, 1, __ATOMIC_RELEASE);
	cr_assert_eq(t_finish(&gpu), 0, "the parent goes on");
	gpu.dev->ops->semaphore_destroy(&semaphore);
	t_close(&gpu);
}

static void send_fds(int socket, const int *fds, int count)
{
	char byte = 'x', control[CMSG_SPACE(sizeof(int) * 2)] = {0};
	struct iovec part = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
	memcpy(CMSG_DATA(header), fds, sizeof(int) * (size_t)count);
	if (sendmsg(socket, &message, 0) != 1)
		_exit(50);
}

static void receive_fds(int socket, int *fds, int count)
{
	char byte, control[CMSG_SPACE(sizeof(int) * 2)] = {0};
	struct iovec part = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};

	cr_assert_eq(recvmsg(socket, &message, 0), 1);
	memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int) * (size_t)count);
}

/* The other process: waits on the device for 1, adds to the memory, signals 2 from the device. */
static int other_process(int socket)
{
	struct mt_hw_semaphore semaphore;
	struct mt_hw_bo *bo;
	uint64_t start;
	int fds[2];

	t_open(&gpu);
	if (gpu.dev->ops->semaphore_create(gpu.dev, &semaphore))
		return 10;
	if (gpu.dev->ops->bo_create(gpu.dev, 8192, MT_HW_DEVICE, MT_HW_BO_EXPORTABLE, &bo))
		return 11;
	if (gpu.dev->ops->semaphore_export_fd(&semaphore, &fds[0]) ||
	    gpu.dev->ops->bo_export_fd(bo, &fds[1]))
		return 12;
	send_fds(socket, fds, 2);
	start = t_here(&gpu);
	t_wait(&gpu, MT_PKT_ACQUIRE, 1, (void *)(uintptr_t)semaphore.va, 1);
	t_dispatch(&gpu, 0, 2, k_add, bo->va + 4096, 1);
	t_signal(&gpu, MT_PKT_RELEASE, 3, (void *)(uintptr_t)semaphore.va, 2);
	t_end(&gpu);
	if (t_run(&gpu, start))
		return 13;
	if (gpu.dev->ops->semaphore_wait(&semaphore, 3, -1))
		return 14;
	if (*(uint64_t *)(uintptr_t)(bo->va + 4096) != 143)
		return 15;
	gpu.dev->ops->bo_destroy(bo);
	gpu.dev->ops->semaphore_destroy(&semaphore);
	t_close(&gpu);
	return 0;
}

Test(process, two_processes)
{
	struct mt_hw_semaphore semaphore;
	struct mt_hw_bo *bo, *wrong;
	int sockets[2], fds[2];
	uint64_t start;
	pid_t child;

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	child = fork();
	if (!child)
		_exit(other_process(sockets[0]));
	t_open(&gpu);
	receive_fds(sockets[1], fds, 2);
	cr_assert_eq(gpu.dev->ops->semaphore_import_fd(gpu.dev, fds[0], &semaphore), 0);
	cr_assert_eq(gpu.dev->ops->bo_import_fd(gpu.dev, fds[1], 8192, &bo), 0);
	cr_assert_eq(gpu.dev->ops->bo_import_fd(gpu.dev, fds[1], 8193, &wrong), -EINVAL);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 1, k_store, bo->va + 4096, 42);
	t_signal(&gpu, MT_PKT_RELEASE, 2, (void *)(uintptr_t)semaphore.va, 1);
	t_wait(&gpu, MT_PKT_ACQUIRE, 3, (void *)(uintptr_t)semaphore.va, 2);
	t_dispatch(&gpu, 0, 4, k_add, bo->va + 4096, 100);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_signal(&semaphore, 3), 0);
	cr_assert_eq(exit_code(child), 0);
	cr_assert_eq(*(uint64_t *)(uintptr_t)(bo->va + 4096), 143);
	gpu.dev->ops->bo_destroy(bo);
	gpu.dev->ops->semaphore_destroy(&semaphore);
	t_close(&gpu);
}

/* A semaphore is found again in its own process, and no other file is taken for one. */
Test(process, descriptors)
{
	struct mt_hw_semaphore a, b, again;
	struct mt_hw_bo *bo;
	int fd, other, file;

	t_open(&gpu);
	cr_assert_eq(gpu.dev->ops->semaphore_create(gpu.dev, &a), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_create(gpu.dev, &b), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_export_fd(&a, &fd), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_export_fd(&b, &other), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_import_fd(gpu.dev, fd, &again), 0);
	gpu.dev->ops->semaphore_signal(&again, 7);
	cr_assert_eq(atomic_load(a.value), 7);
	cr_assert_eq(atomic_load(b.value), 0);
	gpu.dev->ops->semaphore_destroy(&again);
	gpu.dev->ops->semaphore_destroy(&a);
	cr_assert_eq(gpu.dev->ops->semaphore_import_fd(gpu.dev, other, &again), 0);
	gpu.dev->ops->semaphore_destroy(&again);
	gpu.dev->ops->semaphore_destroy(&b);
	file = memfd_create("something", 0);
	cr_assert_eq(ftruncate(file, 16384), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_import_fd(gpu.dev, file, &again), -EINVAL);
	cr_assert_eq(gpu.dev->ops->semaphore_import_fd(gpu.dev, -1, &again), -EBADF);
	cr_assert_eq(gpu.dev->ops->bo_import_fd(gpu.dev, STDIN_FILENO, 4096, &bo), -EINVAL);
	close(fd);
	close(other);
	close(file);
	t_close(&gpu);
}

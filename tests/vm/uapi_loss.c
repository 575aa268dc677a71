/* SPDX-License-Identifier: MIT */
/*
 * What is lost: devices that hang, die or are reset, clients that are killed in the middle of work.
 */
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "uapi.h"

#define NONE ((struct drm_mtgpu_semaphore){0})

/* Jobs of its own on a device that does not answer any more, and what is left of the rest. */
static void expect_lost(int fd, uint64_t vm, uint64_t queue, uint64_t semaphore)
{
	struct mtgpu_dev_info answer = {0};
	struct drm_mtgpu_query_info query = {
		.in.type = MTGPU_INFO_TYPE_DEV,
		.out.data = (uintptr_t)&answer,
	};
	uint32_t handle = t_bo(fd, PAGE_B);

	t_eq(t_dma(fd, queue, NULL, 0, NONE, NONE), -EIO);
	t_eq(t_signal(fd, vm, semaphore, 1), -EIO);
	t_eq(t_vm_map(fd, vm, handle, GENERAL_VA, PAGE_B), -EIO);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &query), 0);
	t_eq(answer.dev_status, 1);
	t_bo_close(fd, handle);
}

static void expect_alive(void)
{
	int fd = t_open(0);
	uint64_t vm = t_vm(fd), queue = t_context(fd, vm, MTGPU_SUBMISSION_DMA);
	struct t_semaphore done = t_semaphore(fd);

	t_eq(t_dma(fd, queue, NULL, 0, NONE, (struct drm_mtgpu_semaphore){done.handle, 1}), 0);
	t_eq(t_wait(fd, done.handle, 1, 20 * SECOND_NS), 0);
	close(fd);
}

/* A waiter without a time-out hears of the loss; what was there before stays readable. */
static void lose(const char *how)
{
	int fd = t_open(0), other = t_open(0);
	uint64_t vm = t_vm(fd), queue = t_context(fd, vm, MTGPU_SUBMISSION_DMA);
	struct t_semaphore done = t_semaphore(fd), never = t_semaphore(fd);

	t_eq(t_dma(fd, queue, NULL, 0, NONE, (struct drm_mtgpu_semaphore){done.handle, 1}), 0);
	t_eq(t_wait(fd, done.handle, 1, 20 * SECOND_NS), 0);
	t_inject(how);
	if (!strcmp(how, "hang"))
		t_eq(t_dma(fd, queue, NULL, 0, NONE, (struct drm_mtgpu_semaphore){done.handle, 2}),
		     0);
	t_eq(t_wait(fd, never.handle, 1, UINT64_MAX), -EIO);
	t_eq(t_wait(fd, done.handle, 1, 0), 0);
	expect_lost(fd, vm, queue, done.handle);
	t_inject("none");
	expect_alive();
	close(other);
	close(fd);
}

static void reset(void)
{
	lose("reset");
}

static void die(void)
{
	lose("die");
}

/* On a simulated card DMA goes on while its process hangs: there a job of the card is needed, which
 * the API tests have. */
static void hang(void)
{
	int fd = t_open(0);
	bool sim = t_is_sim(fd);

	close(fd);
	if (!sim)
		lose("hang");
}

static void slow(void)
{
	t_inject("slow 100");
	expect_alive();
	t_inject("none");
	expect_alive();
}

/* A context that was lost is forgotten with its handle; the file can go on with another. */
static void recover(void)
{
	struct drm_mtgpu_vm_context_destroy destroy;
	int fd = t_open(0);
	uint64_t vm = t_vm(fd), queue = t_context(fd, vm, MTGPU_SUBMISSION_DMA);
	struct t_semaphore done = t_semaphore(fd), never = t_semaphore(fd);

	t_inject("reset");
	t_eq(t_wait(fd, never.handle, 1, UINT64_MAX), -EIO);
	t_eq(t_dma(fd, queue, NULL, 0, NONE, NONE), -EIO);
	destroy.vm_ctx_handle = vm;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VM_CONTEXT_DESTROY, &destroy), 0);
	vm = t_vm(fd);
	queue = t_context(fd, vm, MTGPU_SUBMISSION_DMA);
	t_eq(t_dma(fd, queue, NULL, 0, NONE, (struct drm_mtgpu_semaphore){done.handle, 1}), 0);
	t_eq(t_wait(fd, done.handle, 1, 20 * SECOND_NS), 0);
	close(fd);
}

static void busy_child(void)
{
	int fd = t_open(0);
	uint64_t vm = t_vm(fd), queue = t_context(fd, vm, MTGPU_SUBMISSION_DMA);
	struct t_semaphore gate = t_semaphore(fd);
	uint32_t a = t_bo(fd, 1 << 20), b = t_bo(fd, 1 << 20);
	struct drm_mtgpu_dma_cmd cmds[64];
	char *pinned =
		mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_mtgpu_bo_from_userptr args = {
		.in = {.userptr = (uintptr_t)pinned, .size = 1 << 20, .flags = 1},
	};

	if (t_call(fd, DRM_IOCTL_MTGPU_BO_FROM_USERPTR, &args) ||
	    t_vm_map(fd, vm, a, GENERAL_VA, 1 << 20) ||
	    t_vm_map(fd, vm, args.out.bo_handle, GENERAL_VA + (1 << 20), 1 << 20))
		_exit(1);
	for (int i = 0; i < 64; i++)
		cmds[i] = t_copy(a, 0, b, 0, 1 << 20);
	t_bo_map(fd, a, 1 << 20);
	for (int i = 0; i < 20; i++)
		if (t_dma(fd, queue, cmds, 64, NONE, NONE))
			_exit(1);
	if (t_dma(fd, queue, cmds, 64, (struct drm_mtgpu_semaphore){gate.handle, 1}, NONE))
		_exit(1);
	t_wait(fd, gate.handle, 1, UINT64_MAX);
	_exit(1);
}

static void killed_clients(void)
{
	struct mtgpu_mem_info before = {0}, after = {0};
	struct drm_mtgpu_query_info query = {.in.type = MTGPU_INFO_TYPE_MEMORY};
	int fd = t_open(0), status;
	pid_t pids[4];

	query.out.data = (uintptr_t)&before;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &query), 0);
	for (int i = 0; i < 4; i++) {
		pids[i] = fork();
		if (!pids[i])
			busy_child();
	}
	usleep(300000);
	for (int i = 0; i < 4; i++) {
		kill(pids[i], SIGKILL);
		t_eq(waitpid(pids[i], &status, 0), pids[i]);
		t_true(WIFSIGNALED(status));
	}
	/* Memory that a card has mapped goes when its process has gone. */
	query.out.data = (uintptr_t)&after;
	for (int i = 0; i < 200 && after.vram.free_size != before.vram.free_size; i++) {
		usleep(50000);
		t_eq(t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &query), 0);
	}
	t_eq(after.vram.free_size, before.vram.free_size);
	close(fd);
	expect_alive();
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"a reset ends waits and is told by every call", reset},
		{"so does a card that dies", die},
		{"so does a card that hangs", hang},
		{"a slow card is only slow", slow},
		{"a file goes on with a new address space", recover},
		{"killed clients leave nothing behind", killed_clients},
	};

	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

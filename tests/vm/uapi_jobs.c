/* SPDX-License-Identifier: MIT */
/*
 * DMA jobs: copies, order, waits and signals.
 */
#include <stdatomic.h>

#include "uapi.h"

#define SIZE_B (64 * PAGE_B)
#define BAD    4242
#define NONE   ((struct drm_mtgpu_semaphore){0})

struct world {
	int fd;
	uint64_t vm, queue;
	struct t_semaphore done;
	uint32_t src, dst;
	unsigned char *src_at, *dst_at;
};

static void setup(struct world *world)
{
	world->fd = t_open(0);
	world->vm = t_vm(world->fd);
	world->queue = t_context(world->fd, world->vm, MTGPU_SUBMISSION_DMA);
	world->done = t_semaphore(world->fd);
	world->src = t_bo(world->fd, SIZE_B);
	world->dst = t_bo(world->fd, SIZE_B);
	world->src_at = t_bo_map(world->fd, world->src, SIZE_B);
	world->dst_at = t_bo_map(world->fd, world->dst, SIZE_B);
	for (size_t i = 0; i < SIZE_B; i++)
		world->src_at[i] = (unsigned char)(i * 13 + i / 251);
}

static void teardown(struct world *world)
{
	munmap(world->src_at, SIZE_B);
	munmap(world->dst_at, SIZE_B);
	close(world->fd);
}

static int wait_done(struct world *world, uint64_t value)
{
	return t_wait(world->fd, world->done.handle, value, 20 * SECOND_NS);
}

static void copies(void)
{
	struct world world;
	struct drm_mtgpu_dma_cmd cmds[3];

	setup(&world);
	cmds[0] = t_copy(world.dst, 0, world.src, 0, SIZE_B / 2);
	cmds[1] = t_copy(world.dst, SIZE_B / 2 + 3, world.src, 11, 3 * PAGE_B + 5);
	cmds[2] = t_copy(world.dst, SIZE_B - 1, world.dst, 0, 1);
	t_eq(t_dma(world.fd, world.queue, cmds, 3, NONE,
		   (struct drm_mtgpu_semaphore){world.done.handle, 1}),
	     0);
	t_eq(wait_done(&world, 1), 0);
	t_true(!memcmp(world.dst_at, world.src_at, SIZE_B / 2));
	t_true(!memcmp(world.dst_at + SIZE_B / 2 + 3, world.src_at + 11, 3 * PAGE_B + 5));
	t_eq(world.dst_at[SIZE_B / 2 + 2], 0);
	t_eq(world.dst_at[SIZE_B / 2 + 3 + 3 * PAGE_B + 5], 0);
	t_eq(world.dst_at[SIZE_B - 1], world.src_at[0]);
	teardown(&world);
}

static void user_memory(void)
{
	static unsigned char from[3 * PAGE_B + 100], to[3 * PAGE_B + 100];
	struct world world;
	struct drm_mtgpu_dma_cmd cmds[2];

	setup(&world);
	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i * 5 + 1);
	cmds[0] = t_copy(world.dst, 7, 0, 33, sizeof(from) - 33);
	cmds[0].src_type = MTGPU_DMA_ADDR_TYPE_USER_PTR;
	cmds[0].src_addr = (uintptr_t)from;
	cmds[1] = t_copy(0, 33, world.dst, 7, sizeof(from) - 33);
	cmds[1].dst_type = MTGPU_DMA_ADDR_TYPE_USER_PTR;
	cmds[1].dst_addr = (uintptr_t)to;
	t_eq(t_dma(world.fd, world.queue, cmds, 2, NONE,
		   (struct drm_mtgpu_semaphore){world.done.handle, 1}),
	     0);
	t_eq(wait_done(&world, 1), 0);
	t_true(!memcmp(from + 33, to + 33, sizeof(from) - 33));
	t_eq(to[32], 0);
	cmds[0].src_addr = 4096;
	cmds[0].src_offset = 0;
	t_eq(t_dma(world.fd, world.queue, cmds, 2, NONE, NONE), -EFAULT);
	teardown(&world);
}

/* A job waits for its check and what follows on the queue waits with it; other queues go on. */
static void order(void)
{
	struct world world;
	struct drm_mtgpu_dma_cmd first, second;
	struct t_semaphore gate, other;
	uint64_t queue;

	setup(&world);
	gate = t_semaphore(world.fd);
	other = t_semaphore(world.fd);
	queue = t_context(world.fd, world.vm, MTGPU_SUBMISSION_DMA);
	first = t_copy(world.dst, 0, world.src, 0, 1);
	second = t_copy(world.dst, 1, world.dst, 0, 1);
	t_eq(t_dma(world.fd, world.queue, &first, 1, (struct drm_mtgpu_semaphore){gate.handle, 2},
		   (struct drm_mtgpu_semaphore){world.done.handle, 1}),
	     0);
	t_eq(t_dma(world.fd, world.queue, &second, 1, NONE,
		   (struct drm_mtgpu_semaphore){world.done.handle, 2}),
	     0);
	t_eq(t_dma(world.fd, queue, NULL, 0, NONE, (struct drm_mtgpu_semaphore){other.handle, 1}),
	     0);
	t_eq(t_wait(world.fd, other.handle, 1, 20 * SECOND_NS), 0);
	t_eq(atomic_load(world.done.value), 0);
	world.src_at[0] = 99;
	t_eq(t_signal(world.fd, world.vm, gate.handle, 1), 0);
	t_eq(t_wait(world.fd, world.done.handle, 1, SECOND_NS / 50), -ETIME);
	t_eq(t_signal(world.fd, world.vm, gate.handle, 2), 0);
	t_eq(wait_done(&world, 2), 0);
	t_eq(world.dst_at[0], 99);
	t_eq(world.dst_at[1], 99);
	/* A store to memory opens the gate as well. */
	t_eq(t_dma(world.fd, world.queue, &first, 1, (struct drm_mtgpu_semaphore){gate.handle, 3},
		   (struct drm_mtgpu_semaphore){world.done.handle, 3}),
	     0);
	atomic_store(gate.value, 3);
	t_eq(wait_done(&world, 3), 0);
	teardown(&world);
}

static void limits(void)
{
	struct drm_mtgpu_semaphore all[33];
	struct drm_mtgpu_job_submit_v3 args = {0};
	struct world world;

	setup(&world);
	for (int i = 0; i < 33; i++)
		all[i] = (struct drm_mtgpu_semaphore){t_semaphore(world.fd).handle, 0};
	args.in.job_ctx_handle = world.queue;
	args.in.check_semaphores = args.in.update_semaphores = (uintptr_t)all;
	args.in.check_semaphore_count = 33;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.check_semaphore_count = 32;
	args.in.update_semaphore_count = 9;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.update_semaphore_count = 8;
	for (int i = 0; i < 8; i++)
		all[i].value = (uint64_t)i;
	args.in.check_semaphore_count = 0;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), 0);
	for (int i = 0; i < 8; i++)
		t_eq(t_wait(world.fd, all[i].handle, all[i].value, 20 * SECOND_NS), 0);
	args.in.check_semaphore_count = 32;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), 0);
	teardown(&world);
}

static int submit_one(struct world *world, struct drm_mtgpu_dma_cmd cmd)
{
	return t_dma(world->fd, world->queue, &cmd, 1, NONE, NONE);
}

static void bad_commands(void)
{
	struct drm_mtgpu_job_submit_v3 args = {0};
	struct drm_mtgpu_dma_cmd cmd;
	struct world world;

	setup(&world);
	t_eq(submit_one(&world, t_copy(world.dst, 0, world.src, 1, SIZE_B)), -EINVAL);
	t_eq(submit_one(&world, t_copy(world.dst, UINT64_MAX, world.src, 0, 1)), -EINVAL);
	t_eq(submit_one(&world, t_copy(world.dst, 0, world.src, 0, 0)), -EINVAL);
	t_eq(submit_one(&world, t_copy(BAD, 0, world.src, 0, 1)), -EINVAL);
	t_eq(submit_one(&world, t_copy(world.dst, 0, BAD, 0, 1)), -EINVAL);
	cmd = t_copy(world.dst, 0, world.src, 0, 1);
	cmd.src_type = 2;
	t_eq(submit_one(&world, cmd), -EINVAL);
	cmd = t_copy(world.dst, 0, world.src, 0, 1);
	args.in.job_ctx_handle = world.queue;
	args.in.submission_va = (uintptr_t)&cmd;
	args.in.submission_size = sizeof(cmd) - 1;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.submission_size = sizeof(cmd);
	args.in.submission_flags = 8;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.submission_flags = 0;
	args.in.pad1 = 1;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.pad1 = 0;
	args.in.pad2 = 1;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.pad2 = 0;
	args.in.job_ctx_handle = BAD;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.job_ctx_handle = world.queue;
	args.in.submission_va = 8;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EFAULT);
	t_eq(world.dst_at[0], 0);
	teardown(&world);
}

static void queue_types(void)
{
	struct drm_mtgpu_job_context_create args = {0};
	struct drm_mtgpu_job_context_destroy destroy = {BAD};
	struct world world;
	bool sim;

	setup(&world);
	sim = t_is_sim(world.fd);
	args.in.vm_ctx_handle = world.vm;
	args.in.type = MTGPU_SUBMISSION_INVALID;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE, &args), -EINVAL);
	args.in.type = MTGPU_SUBMISSION_GPU_GFX;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE, &args), -EOPNOTSUPP);
	args.in.type = MTGPU_SUBMISSION_GPU_COMPUTE_STREAM;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE, &args), sim ? 0 : -EOPNOTSUPP);
	args.in.type = MTGPU_SUBMISSION_DMA;
	args.in.priority = 1000;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE, &args), -EINVAL);
	args.in.priority = 0;
	args.in.vm_ctx_handle = BAD;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE, &args), -EINVAL);
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_DESTROY, &destroy), -EINVAL);
	destroy.ctx_handle = world.queue;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_DESTROY, &destroy), 0);
	t_eq(t_dma(world.fd, world.queue, NULL, 0, NONE, NONE), -EINVAL);
	teardown(&world);
}

/* Objects that a job uses stay until it has run; a queue that goes takes its waiting jobs along. */
static void lifetimes(void)
{
	struct drm_mtgpu_job_context_destroy destroy;
	struct drm_mtgpu_dma_cmd cmd;
	struct world world;
	struct t_semaphore gate;

	setup(&world);
	gate = t_semaphore(world.fd);
	cmd = t_copy(world.dst, 0, world.src, 0, SIZE_B);
	t_eq(t_dma(world.fd, world.queue, &cmd, 1, (struct drm_mtgpu_semaphore){gate.handle, 1},
		   (struct drm_mtgpu_semaphore){world.done.handle, 1}),
	     0);
	t_bo_close(world.fd, world.src);
	t_bo_close(world.fd, world.dst);
	t_eq(t_signal(world.fd, world.vm, gate.handle, 1), 0);
	t_eq(wait_done(&world, 1), 0);
	t_true(!memcmp(world.src_at, world.dst_at, SIZE_B));
	t_eq(t_dma(world.fd, world.queue, NULL, 0, (struct drm_mtgpu_semaphore){gate.handle, 2},
		   (struct drm_mtgpu_semaphore){world.done.handle, 2}),
	     0);
	destroy.ctx_handle = world.queue;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_DESTROY, &destroy), 0);
	t_eq(t_signal(world.fd, world.vm, gate.handle, 2), 0);
	t_eq(t_wait(world.fd, world.done.handle, 2, SECOND_NS / 20), -ETIME);
	teardown(&world);
}

static void a_long_queue(void)
{
	enum { JOBS = 3000 };
	struct world world;
	struct t_semaphore gate;
	struct drm_mtgpu_dma_cmd cmd;

	setup(&world);
	gate = t_semaphore(world.fd);
	for (uint64_t i = 1; i <= JOBS; i++) {
		cmd = t_copy(world.dst, i % SIZE_B, world.src, i % SIZE_B, 1);
		t_eq(t_dma(world.fd, world.queue, &cmd, 1,
			   (struct drm_mtgpu_semaphore){gate.handle, 1},
			   (struct drm_mtgpu_semaphore){world.done.handle, i}),
		     0);
	}
	t_eq(t_signal(world.fd, world.vm, gate.handle, 1), 0);
	t_eq(wait_done(&world, JOBS), 0);
	t_true(!memcmp(world.src_at + 1, world.dst_at + 1, JOBS));
	teardown(&world);
}

/* A card that executes packets is given jobs that it must refuse: at the call where the kernel can
 * see it, else the address space stops. */
static void packet_jobs(void)
{
	struct drm_mtgpu_job_submit_v3 args = {.in.submission_size = 64};
	struct world world;

	setup(&world);
	if (!t_is_sim(world.fd)) {
		teardown(&world);
		return;
	}
	args.in.job_ctx_handle = t_context(world.fd, world.vm, MTGPU_SUBMISSION_GPU_COMPUTE_STREAM);
	args.in.submission_va = GENERAL_VA;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	t_eq(t_vm_map(world.fd, world.vm, world.dst, GENERAL_VA, SIZE_B), 0);
	args.in.submission_va = GENERAL_VA + SIZE_B - 32;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.submission_va = GENERAL_VA + 4;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.submission_va = GENERAL_VA;
	args.in.submission_size = 0;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EINVAL);
	args.in.submission_size = 64;
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), 0);
	t_eq(wait_done(&world, 1), -EIO);
	t_eq(t_call(world.fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args), -EIO);
	teardown(&world);
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"copies between objects move exactly their bytes", copies},
		{"copies reach pageable memory of the process", user_memory},
		{"jobs of a queue run in order, behind their checks", order},
		{"32 checks and 8 updates are the limit", limits},
		{"commands and argument blocks are checked", bad_commands},
		{"types, priorities and handles of queues are checked", queue_types},
		{"objects outlive their handles while jobs use them", lifetimes},
		{"thousands of jobs may wait", a_long_queue},
		{"jobs that are no jobs stop their address space", packet_jobs},
	};

	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

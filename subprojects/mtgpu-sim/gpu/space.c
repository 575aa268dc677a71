// SPDX-License-Identifier: MIT
/*
 * One address space: its events, in order.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "gpu.h"

#define EVENTS_MAX   64
#define HEAP_LIMIT_B (8u << 20)
#define BEAT_MS      500 /* a sign of life at least so often */

static int access_host(void *user, uint64_t va, void *local, uint64_t size_b, bool write)
{
	struct gpu *gpu = user;
	struct mtgpu_sim_host_access args = {
		.client_va = va,
		.local_va = (uintptr_t)local,
		.size = size_b,
		.write = write,
	};

	return ioctl(gpu->fd, MTGPU_SIM_IOCTL_HOST_ACCESS, &args) ? -errno : 0;
}

static int create_engine(struct gpu *gpu, const struct gpu_options *options)
{
	struct mt_sg_config config = {
		.workers = options->workers,
		.warp_size = options->warp_size,
		.random = options->random,
		.seed = options->seed,
		.while_cap = options->while_cap,
		.watchdog_ns = options->watchdog_ms * 1000000u,
		.heap_limit_b = HEAP_LIMIT_B,
		.host_memory = true,
		.user = gpu,
		.fault = gpu_mailbox_fault,
		.host_call = gpu_mailbox_call,
		.host_access = access_host,
	};

	return mt_sg_engine_create(&config, &gpu->engine);
}

static void inject(struct gpu *gpu, const struct mtgpu_sim_event *event)
{
	switch (event->id) {
	case MTGPU_SIM_INJECT_HANG:
		raise(SIGSTOP);
		break;
	case MTGPU_SIM_INJECT_DIE:
		raise(SIGKILL);
		break;
	case MTGPU_SIM_INJECT_RESET:
		gpu_stop(gpu, MT_HW_FAULT_LOST, "the device has been reset");
		break;
	default:
		gpu->slow_ms = event->id == MTGPU_SIM_INJECT_SLOW ? (uint32_t)event->a : 0;
		break;
	}
}

static void run_job(struct gpu *gpu, const struct mtgpu_sim_event *event)
{
	struct timespec nap = {gpu->slow_ms / 1000, gpu->slow_ms % 1000 * 1000000L};
	const char *why;

	if (gpu->slow_ms)
		nanosleep(&nap, NULL);
	/* A fault of the engine has been reported already. */
	if (gpu_queue_job(gpu, event->id, event->a, event->b, &why) == -EINVAL)
		gpu_stop(gpu, MT_HW_FAULT_BAD_PACKET, why);
}

static void handle(struct gpu *gpu, const struct mtgpu_sim_event *event)
{
	int ret = 0;

	switch (event->kind) {
	case MTGPU_SIM_MAP:
		ret = gpu_map(gpu, event->a, event->b, event->c);
		break;
	case MTGPU_SIM_UNMAP:
		gpu_unmap(gpu, event->a, event->b);
		ioctl(gpu->fd, MTGPU_SIM_IOCTL_UNMAPPED);
		break;
	case MTGPU_SIM_QUEUE_CREATE:
		ret = gpu_queue_create(gpu, event->id, (uint32_t)event->a);
		break;
	case MTGPU_SIM_QUEUE_DESTROY:
		gpu_queue_destroy(gpu, event->id);
		break;
	case MTGPU_SIM_JOB:
		run_job(gpu, event);
		break;
	case MTGPU_SIM_SIGNAL:
		gpu_mailbox_signal(gpu, event->a, event->b);
		break;
	case MTGPU_SIM_INJECT:
		inject(gpu, event);
		break;
	default:
		break;
	}
	if (ret) {
		fprintf(stderr, "mtgpu-gpu: event %u at 0x%llx: %s\n", event->kind,
			(unsigned long long)event->a, strerror(-ret));
		gpu_stop(gpu, MT_HW_FAULT_RESOURCES,
			 "the card has no room for a mapping or a queue");
	}
}

static void run(struct gpu *gpu)
{
	struct pollfd ready = {.fd = gpu->fd, .events = POLLIN};
	struct mtgpu_sim_event events[EVENTS_MAX];
	ssize_t got;

	for (;;) {
		if (!poll(&ready, 1, BEAT_MS)) {
			ioctl(gpu->fd, MTGPU_SIM_IOCTL_NOTIFY);
			continue;
		}
		got = read(gpu->fd, events, sizeof(events));
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return;
		for (size_t i = 0; i < (size_t)got / sizeof(events[0]); i++)
			handle(gpu, &events[i]);
	}
}

int gpu_play(uint32_t id, const struct gpu_options *options)
{
	struct mtgpu_sim_attach attach = {.id = id};
	struct gpu gpu = {0};
	int ret;

	gpu.held_end = &gpu.held;
	pthread_mutex_init(&gpu.queue_lock, NULL);
	pthread_mutex_init(&gpu.mail_lock, NULL);
	gpu.fd = open("/dev/mtgpu-sim", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (gpu.fd < 0)
		return 1;
	ret = create_engine(&gpu, options);
	if (ret) {
		fprintf(stderr, "mtgpu-gpu: engine: %s\n", strerror(-ret));
		return 1;
	}
	/* The client may have left before. */
	if (!ioctl(gpu.fd, MTGPU_SIM_IOCTL_ATTACH, &attach))
		run(&gpu);
	/* Kernels may still run: the process ends with all of them. */
	_exit(0);
}

/* SPDX-License-Identifier: MIT */
/*
 * Timelines, fences and the older form of copies.
 */
#include <poll.h>

#include "uapi.h"

#define BAD 999

static uint64_t timeline(int fd, struct drm_mtgpu_timeline_create *args)
{
	memset(args, 0, sizeof(*args));
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_TIMELINE_CREATE, args), 0);
	return args->out.timeline_handle;
}

static int transfer(int fd, uint32_t bo, uint64_t other, uint32_t flag, uint64_t size_b,
		    uint64_t timeline_handle)
{
	struct drm_mtgpu_dma_transfer args = {
		.in =
			{
				.bo_handle = bo,
				.transfer_flag = flag,
				.ext_handle = other,
				.size = size_b,
				.fence_handle = timeline_handle,
			},
	};

	return t_call(fd, DRM_IOCTL_MTGPU_DMA_TRANSFER, &args);
}

static int wait_fences(int fd, const struct drm_mtgpu_fence *fences, uint32_t count, uint32_t all,
		       uint32_t *first_out)
{
	struct drm_mtgpu_fence_wait args = {
		.in = {.fences = (uintptr_t)fences, .seqno_count = count, .wait_all = all},
	};
	int ret = t_call(fd, DRM_IOCTL_MTGPU_FENCE_WAIT, &args);

	*first_out = args.out.first_signaled;
	return ret;
}

static void counting(void)
{
	struct drm_mtgpu_timeline_create made;
	struct drm_mtgpu_timeline_read args = {0};
	struct drm_mtgpu_timeline_destroy destroy;
	int fd = t_open(0);
	uint64_t handle = timeline(fd, &made);
	uint32_t a = t_bo(fd, PAGE_B), b = t_bo(fd, PAGE_B);
	unsigned char *a_at = t_bo_map(fd, a, PAGE_B), *b_at = t_bo_map(fd, b, PAGE_B);
	char *memory = t_bo_map(fd, (uint32_t)made.out.timeline_bo_handle,
				made.out.timeline_value_offset + 16);

	a_at[17] = 5;
	t_eq(transfer(fd, a, b, MTGPU_DMA_TRANSFER_DEVICE_TO_HOST, PAGE_B, handle), 0);
	t_eq(b_at[17], 5);
	b_at[17] = 6;
	t_eq(transfer(fd, a, b, MTGPU_DMA_TRANSFER_HOST_TO_DEVICE, PAGE_B, handle), 0);
	t_eq(a_at[17], 6);
	args.in.timeline_handle = handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_TIMELINE_READ, &args), 0);
	t_eq(args.out.timeline_value, 2);
	t_eq(*(uint64_t *)(void *)(memory + made.out.timeline_value_offset), 2);
	t_eq(transfer(fd, a, b, 2, PAGE_B, handle), -EINVAL);
	t_eq(transfer(fd, a, b, 0, 2 * PAGE_B, handle), -EINVAL);
	t_eq(transfer(fd, a, BAD, 0, PAGE_B, handle), -EINVAL);
	t_eq(transfer(fd, a, b, 0, PAGE_B, BAD), -EINVAL);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_TIMELINE_READ, &args), 0);
	t_eq(args.out.timeline_value, 2);
	destroy.in.timeline_handle = handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_TIMELINE_DESTROY, &destroy), 0);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_TIMELINE_DESTROY, &destroy), -EINVAL);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_TIMELINE_READ, &args), -EINVAL);
	close(fd);
}

static void fences(void)
{
	struct drm_mtgpu_timeline_create made;
	struct drm_mtgpu_fence both[2];
	int fd = t_open(0);
	uint32_t a = t_bo(fd, PAGE_B), b = t_bo(fd, PAGE_B), first;

	both[0] = (struct drm_mtgpu_fence){timeline(fd, &made), 1};
	both[1] = (struct drm_mtgpu_fence){timeline(fd, &made), 1};
	t_eq(wait_fences(fd, both, 2, 0, &first), -ETIME);
	t_eq(transfer(fd, a, b, 0, PAGE_B, both[1].timeline_handle), 0);
	t_eq(wait_fences(fd, both, 2, 0, &first), 0);
	t_eq(first, 1);
	t_eq(wait_fences(fd, both, 2, 1, &first), -ETIME);
	t_eq(transfer(fd, a, b, 0, PAGE_B, both[0].timeline_handle), 0);
	t_eq(wait_fences(fd, both, 2, 1, &first), 0);
	t_eq(wait_fences(fd, both, 0, 1, &first), -EINVAL);
	t_eq(wait_fences(fd, both, 2, 2, &first), -EINVAL);
	both[0].timeline_handle = BAD;
	t_eq(wait_fences(fd, both, 2, 1, &first), -EINVAL);
	close(fd);
}

static bool is_signalled(int fd)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};

	return poll(&ready, 1, 0) == 1;
}

static void sync_files(void)
{
	struct drm_mtgpu_timeline_create made;
	struct drm_mtgpu_timeline_destroy destroy;
	struct drm_mtgpu_fence_to_fd args = {0}, never = {0};
	int fd = t_open(0);
	uint32_t a = t_bo(fd, PAGE_B), b = t_bo(fd, PAGE_B);

	args.in.fence = (struct drm_mtgpu_fence){timeline(fd, &made), 2};
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_FENCE_TO_FD, &args), 0);
	t_eq(transfer(fd, a, b, 0, PAGE_B, made.out.timeline_handle), 0);
	t_true(!is_signalled(args.out.fd));
	t_eq(transfer(fd, a, b, 0, PAGE_B, made.out.timeline_handle), 0);
	t_true(is_signalled(args.out.fd));
	/* A timeline that goes leaves nobody waiting. */
	never.in.fence = (struct drm_mtgpu_fence){made.out.timeline_handle, 100};
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_FENCE_TO_FD, &never), 0);
	t_true(!is_signalled(never.out.fd));
	destroy.in.timeline_handle = made.out.timeline_handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_TIMELINE_DESTROY, &destroy), 0);
	t_true(is_signalled(never.out.fd));
	args.in.fence.timeline_handle = BAD;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_FENCE_TO_FD, &args), -EINVAL);
	close(never.out.fd);
	close(args.out.fd);
	close(fd);
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"timelines count transfers", counting},
		{"fences are points on timelines", fences},
		{"fences become sync files that always signal", sync_files},
	};

	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

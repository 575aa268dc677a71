/* SPDX-License-Identifier: MIT */
/*
 * A client that has everything open, for what happens to the module meanwhile: it creates the file
 * named by its first argument, waits until that is gone, and looks what still works. The second
 * argument: `alive`, `lost` (the address space has stopped) or `gone` (the device has).
 */
#include <stdatomic.h>

#include "uapi.h"

#define NONE ((struct drm_mtgpu_semaphore){0})

static const char *marker;
static int error; /* that calls give afterwards */

static void hold(void)
{
	int fd = t_open(0), buffer;
	uint64_t vm = t_vm(fd), queue = t_context(fd, vm, MTGPU_SUBMISSION_DMA);
	struct t_semaphore gate = t_semaphore(fd), done = t_semaphore(fd);
	uint32_t a = t_bo(fd, 16 * PAGE_B), b = t_bo(fd, 16 * PAGE_B);
	struct drm_prime_handle prime = {.handle = a, .flags = DRM_CLOEXEC | DRM_RDWR};
	struct drm_mtgpu_dma_cmd cmd = t_copy(b, 0, a, 0, 16 * PAGE_B);
	unsigned char *a_at = t_bo_map(fd, a, 16 * PAGE_B), *b_at = t_bo_map(fd, b, 16 * PAGE_B);

	a_at[0] = 1;
	b_at[0] = 2;
	t_eq(t_vm_map(fd, vm, a, GENERAL_VA, 16 * PAGE_B), 0);
	t_eq(t_call(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
	buffer = prime.fd;
	t_eq(t_dma(fd, queue, &cmd, 1, (struct drm_mtgpu_semaphore){gate.handle, 1},
		   (struct drm_mtgpu_semaphore){done.handle, 1}),
	     0);
	close(open(marker, O_CREAT | O_RDWR, 0666));
	while (!access(marker, F_OK))
		usleep(10000);
	t_eq(t_signal(fd, vm, gate.handle, 1), error);
	t_eq(t_wait(fd, done.handle, 1, 20 * SECOND_NS), error);
	if (!error)
		t_eq(b_at[0], 1);
	t_eq(t_vm_unmap(fd, vm, GENERAL_VA), error == -ENODEV ? error : 0);
	close(buffer);
	munmap(b_at, 16 * PAGE_B);
	close(fd);
	munmap(a_at, 16 * PAGE_B);
}

int main(int argc, char **argv)
{
	static const struct uapi_test tests[] = {
		{"a client that has everything open", hold},
	};

	if (argc != 3)
		return 2;
	marker = argv[1];
	if (!strcmp(argv[2], "gone"))
		error = -ENODEV;
	if (!strcmp(argv[2], "lost"))
		error = -EIO;
	return t_run(tests, 1);
}

/* SPDX-License-Identifier: MIT */
/*
 * Memory between files, processes and devices: global handles and PRIME.
 */
#include <sys/wait.h>

#include "uapi.h"

static int export_fd(int fd, uint32_t handle, int *fd_out)
{
	struct drm_prime_handle args = {.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR};
	int ret = t_call(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args);

	*fd_out = args.fd;
	return ret;
}

static int import_fd(int fd, int buffer, uint32_t *handle_out)
{
	struct drm_prime_handle args = {.fd = buffer};
	int ret = t_call(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args);

	*handle_out = args.handle;
	return ret;
}

static uint64_t size_of(int fd, uint32_t handle)
{
	struct mtgpu_bo_info_in in = {.bo_handle = handle};
	struct mtgpu_bo_info_out out = {0};
	struct drm_mtgpu_query_info args = {
		.in = {.type = MTGPU_INFO_TYPE_BO, .data = (uintptr_t)&in},
		.out.data = (uintptr_t)&out,
	};

	t_eq(t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &args), 0);
	return out.info.size;
}

static void same_device(void)
{
	int fd = t_open(0), other = t_open(0), buffer;
	uint32_t handle = t_bo(fd, 2 * PAGE_B), again, there;
	char *here_at = t_bo_map(fd, handle, 2 * PAGE_B), *there_at;

	strcpy(here_at + PAGE_B, "shared");
	t_eq(export_fd(fd, handle, &buffer), 0);
	t_eq(import_fd(fd, buffer, &again), 0);
	t_eq(again, handle);
	t_eq(import_fd(other, buffer, &there), 0);
	t_eq(size_of(other, there), 2 * PAGE_B);
	there_at = t_bo_map(other, there, 2 * PAGE_B);
	t_true(!strcmp(there_at + PAGE_B, "shared"));
	close(buffer);
	close(fd);
	t_true(!strcmp(there_at + PAGE_B, "shared"));
	munmap(here_at, 2 * PAGE_B);
	munmap(there_at, 2 * PAGE_B);
	t_true(import_fd(other, 0, &there) != 0);
	close(other);
}

static void through_a_dma_buf(void)
{
	int fd = t_open(0), buffer;
	uint32_t handle = t_bo(fd, PAGE_B);
	char *at = t_bo_map(fd, handle, PAGE_B), *direct;

	t_eq(export_fd(fd, handle, &buffer), 0);
	direct = mmap(NULL, PAGE_B, PROT_READ | PROT_WRITE, MAP_SHARED, buffer, 0);
	t_true(direct != MAP_FAILED);
	strcpy(at, "dma-buf");
	t_true(!strcmp(direct, "dma-buf"));
	close(fd);
	t_true(!strcmp(direct, "dma-buf"));
	munmap(direct, PAGE_B);
	munmap(at, PAGE_B);
	close(buffer);
}

static void two_devices(void)
{
	int fd = t_open(0), other, buffer;
	uint32_t handle = t_bo(fd, 2 * PAGE_B), there, target;
	uint64_t vm, queue;
	struct t_semaphore done;
	struct drm_mtgpu_dma_cmd cmd;
	char *here_at, *target_at;

	if (access("/dev/dri/renderD129", F_OK)) {
		close(fd);
		return;
	}
	other = t_open(1);
	here_at = t_bo_map(fd, handle, 2 * PAGE_B);
	strcpy(here_at + PAGE_B, "across");
	t_eq(export_fd(fd, handle, &buffer), 0);
	t_eq(import_fd(other, buffer, &there), 0);
	t_eq(size_of(other, there), 2 * PAGE_B);
	close(buffer);
	vm = t_vm(other);
	queue = t_context(other, vm, MTGPU_SUBMISSION_DMA);
	done = t_semaphore(other);
	target = t_bo(other, 2 * PAGE_B);
	target_at = t_bo_map(other, target, 2 * PAGE_B);
	cmd = t_copy(target, 0, there, 0, 2 * PAGE_B);
	t_eq(t_dma(other, queue, &cmd, 1, (struct drm_mtgpu_semaphore){0},
		   (struct drm_mtgpu_semaphore){done.handle, 1}),
	     0);
	t_eq(t_wait(other, done.handle, 1, 20 * SECOND_NS), 0);
	t_true(!strcmp(target_at + PAGE_B, "across"));
	/* The exporter goes first. */
	munmap(here_at, 2 * PAGE_B);
	close(fd);
	t_eq(t_vm_map(other, vm, there, GENERAL_VA, 2 * PAGE_B), 0);
	munmap(target_at, 2 * PAGE_B);
	close(other);
}

static void user_memory_stays(void)
{
	char *memory =
		mmap(NULL, PAGE_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_mtgpu_bo_from_userptr args = {
		.in = {.userptr = (uintptr_t)memory, .size = PAGE_B, .flags = 1},
	};
	struct drm_mtgpu_bo_global_handle_export export = {0};
	int fd = t_open(0), buffer;

	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_FROM_USERPTR, &args), 0);
	t_true(export_fd(fd, args.out.bo_handle, &buffer) != 0);
	export.in.bo_handle = args.out.bo_handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_EXPORT_GLOBAL_HANDLE, &export), -EINVAL);
	close(fd);
	munmap(memory, PAGE_B);
}

static void global_handles(void)
{
	struct drm_mtgpu_bo_global_handle_export export = {0};
	struct drm_mtgpu_bo_global_handle_import import = {0};
	int fd = t_open(0), other = t_open(0);
	uint32_t handle = t_bo(fd, PAGE_B);
	char *here_at = t_bo_map(fd, handle, PAGE_B), *there_at;

	export.in.bo_handle = handle;
	export.in.pad = 1;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_EXPORT_GLOBAL_HANDLE, &export), -EINVAL);
	export.in.pad = 0;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_EXPORT_GLOBAL_HANDLE, &export), 0);
	import.in.global_handle = export.out.global_handle ^ 1;
	t_eq(t_call(other, DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE, &import), -EINVAL);
	import.in.global_handle = 0;
	t_eq(t_call(other, DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE, &import), -EINVAL);
	import.in.global_handle = export.out.global_handle;
	t_eq(t_call(other, DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE, &import), 0);
	t_eq(import.out.size, PAGE_B);
	there_at = t_bo_map(other, import.out.bo_handle, PAGE_B);
	strcpy(here_at, "global");
	t_true(!strcmp(there_at, "global"));
	munmap(here_at, PAGE_B);
	munmap(there_at, PAGE_B);
	close(fd);
	t_bo_close(other, import.out.bo_handle);
	/* Nobody has it any more. */
	t_eq(t_call(other, DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE, &import), -EINVAL);
	close(other);
}

static void other_process(void)
{
	struct drm_mtgpu_bo_global_handle_export export = {0};
	int fd = t_open(0), status = 1;
	uint32_t handle = t_bo(fd, PAGE_B);
	char *at = t_bo_map(fd, handle, PAGE_B);
	pid_t pid;

	export.in.bo_handle = handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_EXPORT_GLOBAL_HANDLE, &export), 0);
	pid = fork();
	if (!pid) {
		struct drm_mtgpu_bo_global_handle_import import = {
			.in.global_handle = export.out.global_handle,
		};
		int own = t_open(0);

		if (t_call(own, DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE, &import))
			_exit(1);
		strcpy(t_bo_map(own, import.out.bo_handle, PAGE_B), "from the child");
		_exit(0);
	}
	t_eq(waitpid(pid, &status, 0), pid);
	t_eq(status, 0);
	t_true(!strcmp(at, "from the child"));
	munmap(at, PAGE_B);
	close(fd);
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"PRIME: one device, two files", same_device},
		{"PRIME: a dma-buf can be mapped by itself", through_a_dma_buf},
		{"PRIME: a device copies from memory of another", two_devices},
		{"pinned user memory is not exported", user_memory_stays},
		{"global handles name objects as long as they live", global_handles},
		{"global handles work in another process", other_process},
	};

	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

/* SPDX-License-Identifier: MIT */
/*
 * Helpers of the programs that speak to the kernel driver directly.
 */
#include "uapi.h"

#include <glob.h>

static bool failed;

void t_fail(const char *file, int line, const char *what, long long left, long long right)
{
	printf("# %s:%d: %s: %lld, %lld\n", file, line, what, left, right);
	failed = true;
}

int t_run(const struct uapi_test *tests, unsigned int count)
{
	int any = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", count);
	for (unsigned int i = 0; i < count; i++) {
		failed = false;
		tests[i].run();
		printf("%s %u - %s\n", failed ? "not ok" : "ok", i + 1, tests[i].name);
		any |= failed;
	}
	return any;
}

static void give_up(const char *what)
{
	printf("Bail out! %s: %s\nnot ok 0 - %s\n", what, strerror(errno), what);
	exit(1);
}

int t_call(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret && (errno == EINTR || errno == EAGAIN));
	return ret ? -errno : 0;
}

int t_open_raw(int n)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/renderD%d", 128 + n);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		give_up(path);
	return fd;
}

int t_open(int n)
{
	struct drm_mtgpu_device_init args = {.ioctl_version = MTGPU_IOCTL_VERSION};
	int fd = t_open_raw(n);

	if (t_call(fd, DRM_IOCTL_MTGPU_DEVICE_INIT, &args))
		give_up("DEVICE_INIT");
	return fd;
}

bool t_is_sim(int fd)
{
	struct mtgpu_dev_info answer = {0};
	struct drm_mtgpu_query_info args = {
		.in.type = MTGPU_INFO_TYPE_DEV,
		.out.data = (uintptr_t)&answer,
	};

	if (t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &args))
		give_up("QUERY_INFO");
	return answer.dev_id >> 8 == 9;
}

uint32_t t_bo(int fd, uint64_t size_b)
{
	struct drm_mtgpu_bo_create args = {
		.in =
			{
				.size = size_b,
				.flags = BO_RW | MTGPU_BO_FLAGS_ZERO_ON_ALLOC,
				.domains = MTGPU_BO_DOMAIN_VRAM,
			},
	};

	if (t_call(fd, DRM_IOCTL_MTGPU_BO_CREATE, &args))
		give_up("BO_CREATE");
	return args.out.bo_handle;
}

void t_bo_close(int fd, uint32_t handle)
{
	struct drm_gem_close args = {.handle = handle};

	t_eq(t_call(fd, DRM_IOCTL_GEM_CLOSE, &args), 0);
}

void *t_bo_map(int fd, uint32_t handle, uint64_t size_b)
{
	struct drm_mtgpu_bo_get_mmap_offset args = {.in.bo_handle = handle};
	void *memory;

	if (t_call(fd, DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, &args))
		give_up("BO_GET_MMAP_OFFSET");
	memory = mmap(NULL, size_b, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)args.out.offset);
	if (memory == MAP_FAILED)
		give_up("mmap");
	return memory;
}

uint64_t t_vm(int fd)
{
	struct drm_mtgpu_vm_context_create args = {0};

	if (t_call(fd, DRM_IOCTL_MTGPU_VM_CONTEXT_CREATE, &args))
		give_up("VM_CONTEXT_CREATE");
	return args.vm_ctx_handle;
}

int t_vm_map(int fd, uint64_t vm, uint32_t handle, uint64_t va, uint64_t size_b)
{
	struct drm_mtgpu_vm_map args = {
		.vm_ctx_handle = vm,
		.va = va,
		.bo_handle = handle,
		.size = size_b,
	};

	return t_call(fd, DRM_IOCTL_MTGPU_VM_MAP, &args);
}

int t_vm_unmap(int fd, uint64_t vm, uint64_t va)
{
	struct drm_mtgpu_vm_unmap args = {.vm_ctx_handle = vm, .va = va};

	return t_call(fd, DRM_IOCTL_MTGPU_VM_UNMAP, &args);
}

uint64_t t_context(int fd, uint64_t vm, uint32_t type)
{
	struct drm_mtgpu_job_context_create args = {.in = {.type = type, .vm_ctx_handle = vm}};

	if (t_call(fd, DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE, &args))
		give_up("JOB_CONTEXT_CREATE");
	return args.out.ctx_handle;
}

struct t_semaphore t_semaphore(int fd)
{
	struct drm_mtgpu_semaphore_create args = {0};
	struct t_semaphore semaphore;
	char *memory;

	if (t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_CREATE, &args))
		give_up("SEMAPHORE_CREATE");
	memory = t_bo_map(fd, (uint32_t)args.out.bo_handle, args.out.value_offset + 16);
	semaphore.handle = args.out.handle;
	semaphore.value = (_Atomic uint64_t *)(void *)(memory + args.out.value_offset);
	return semaphore;
}

int t_signal(int fd, uint64_t vm, uint64_t handle, uint64_t value)
{
	struct drm_mtgpu_semaphore_cpu_signal args = {.vm_ctx_handle = vm};

	args.semaphore.handle = handle;
	args.semaphore.value = value;
	return t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_CPU_SIGNAL, &args);
}

int t_wait(int fd, uint64_t handle, uint64_t value, uint64_t timeout_ns)
{
	struct drm_mtgpu_semaphore one = {.handle = handle, .value = value};
	struct drm_mtgpu_semaphore_wait args = {
		.in = {.semaphores = (uintptr_t)&one, .count = 1, .timeout_ns = timeout_ns},
	};

	return t_call(fd, DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, &args);
}

int t_dma(int fd, uint64_t context, const struct drm_mtgpu_dma_cmd *cmds, unsigned int count,
	  struct drm_mtgpu_semaphore check, struct drm_mtgpu_semaphore update)
{
	struct drm_mtgpu_job_submit_v3 args = {
		.in =
			{
				.job_ctx_handle = context,
				.check_semaphores = (uintptr_t)&check,
				.check_semaphore_count = check.handle != 0,
				.update_semaphores = (uintptr_t)&update,
				.update_semaphore_count = update.handle != 0,
				.submission_va = (uintptr_t)cmds,
				.submission_size = count * (uint32_t)sizeof(*cmds),
			},
	};

	return t_call(fd, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args);
}

struct drm_mtgpu_dma_cmd t_copy(uint32_t dst, uint64_t dst_offset, uint32_t src,
				uint64_t src_offset, uint64_t size_b)
{
	return (struct drm_mtgpu_dma_cmd){
		.src_type = MTGPU_DMA_ADDR_TYPE_BO_HANDLE,
		.dst_type = MTGPU_DMA_ADDR_TYPE_BO_HANDLE,
		.src_addr = src,
		.dst_addr = dst,
		.src_offset = src_offset,
		.dst_offset = dst_offset,
		.xfer_size = size_b,
	};
}

void t_inject(const char *word)
{
	glob_t found;
	FILE *file;

	if (glob("/sys/class/drm/renderD128/device/inject", 0, NULL, &found))
		give_up("inject");
	file = fopen(found.gl_pathv[0], "w");
	globfree(&found);
	if (!file || fputs(word, file) < 0 || fclose(file))
		give_up("inject");
}

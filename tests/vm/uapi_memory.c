/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects and address spaces.
 */
#include "uapi.h"

#define VM_BAD 777

static int create(int fd, uint64_t size_b, uint64_t align_b, uint64_t flags, uint32_t domains,
		  uint32_t group, uint32_t *handle_out)
{
	struct drm_mtgpu_bo_create args = {.in = {size_b, align_b, flags, domains, group}};
	int ret = t_call(fd, DRM_IOCTL_MTGPU_BO_CREATE, &args);

	*handle_out = args.out.bo_handle;
	return ret;
}

static void create_arguments(void)
{
	const uint32_t vram = MTGPU_BO_DOMAIN_VRAM;
	int fd = t_open(0);
	uint32_t handle;

	t_eq(create(fd, 0, 0, BO_RW, vram, 0, &handle), -EINVAL);
	t_eq(create(fd, UINT64_MAX, 0, BO_RW, vram, 0, &handle), -EINVAL);
	t_eq(create(fd, PAGE_B, 3, BO_RW, vram, 0, &handle), -EINVAL);
	t_eq(create(fd, PAGE_B, 0, UINT64_C(1) << 40, vram, 0, &handle), -EINVAL);
	t_eq(create(fd, PAGE_B, 0, BO_RW | MTGPU_BO_FLAGS_CPU_CACHED | MTGPU_BO_FLAGS_CPU_UNCACHED,
		    vram, 0, &handle),
	     -EINVAL);
	t_eq(create(fd, PAGE_B, 0, BO_RW, 0, 0, &handle), -EINVAL);
	t_eq(create(fd, PAGE_B, 0, BO_RW, 8, 0, &handle), -EINVAL);
	t_eq(create(fd, PAGE_B, 0, BO_RW, vram, 1, &handle), -EINVAL);
	t_eq(create(fd, UINT64_C(1) << 40, 0, BO_RW, vram, 0, &handle), -ENOMEM);
	t_eq(create(fd, 1, 65536, BO_RW, vram, 0, &handle), 0);
	t_bo_close(fd, handle);
	close(fd);
}

/* What was written through one mapping is read through another; fresh memory is zero if asked. */
static void cpu_mappings(void)
{
	int fd = t_open(0);
	uint32_t handle = t_bo(fd, 8 * PAGE_B);
	unsigned char *first = t_bo_map(fd, handle, 8 * PAGE_B);
	unsigned char *second = t_bo_map(fd, handle, 8 * PAGE_B);
	size_t i;

	for (i = 0; i < 8 * PAGE_B; i++)
		t_true(!first[i]);
	for (i = 0; i < 8 * PAGE_B; i++)
		first[i] = (unsigned char)(i * 7);
	for (i = 0; i < 8 * PAGE_B; i++)
		t_true(second[i] == (unsigned char)(i * 7));
	t_bo_close(fd, handle);
	/* The mapping keeps the object. */
	t_eq(second[5], 35);
	munmap(first, 8 * PAGE_B);
	munmap(second, 8 * PAGE_B);
	close(fd);
}

static void cpu_access_rights(void)
{
	struct drm_mtgpu_bo_get_mmap_offset args = {0};
	int fd = t_open(0), other = t_open(0);
	uint32_t handle;

	t_eq(create(fd, PAGE_B, 0, MTGPU_BO_FLAGS_CPU_READABLE, MTGPU_BO_DOMAIN_GTT, 0, &handle),
	     0);
	args.in.bo_handle = handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, &args), 0);
	t_true(mmap(NULL, PAGE_B, PROT_READ, MAP_SHARED, fd, (off_t)args.out.offset) != MAP_FAILED);
	t_true(mmap(NULL, PAGE_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)args.out.offset) ==
	       MAP_FAILED);
	/* Nor may another file map what is not its own, nor anybody more than there is. */
	t_true(mmap(NULL, PAGE_B, PROT_READ, MAP_SHARED, other, (off_t)args.out.offset) ==
	       MAP_FAILED);
	t_true(mmap(NULL, 2 * PAGE_B, PROT_READ, MAP_SHARED, fd, (off_t)args.out.offset) ==
	       MAP_FAILED);
	args.in.pad = 1;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, &args), -EINVAL);
	args.in.pad = 0;
	args.in.bo_handle = 4711;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, &args), -EINVAL);
	close(other);
	close(fd);
}

static int userptr(int fd, void *memory, uint64_t size_b, uint32_t flags, uint32_t *handle_out)
{
	struct drm_mtgpu_bo_from_userptr args = {
		.in = {.userptr = (uintptr_t)memory, .size = size_b, .flags = flags},
	};
	int ret = t_call(fd, DRM_IOCTL_MTGPU_BO_FROM_USERPTR, &args);

	*handle_out = args.out.bo_handle;
	return ret;
}

static void user_pointers(void)
{
	struct drm_mtgpu_bo_get_mmap_offset offset = {0};
	char *memory =
		mmap(NULL, 4 * PAGE_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = t_open(0);
	uint32_t handle;

	t_eq(userptr(fd, memory + 1, PAGE_B, 1, &handle), -EINVAL);
	t_eq(userptr(fd, memory, PAGE_B + 1, 1, &handle), -EINVAL);
	t_eq(userptr(fd, memory, 0, 1, &handle), -EINVAL);
	t_eq(userptr(fd, memory, PAGE_B, 2, &handle), -EINVAL);
	t_eq(userptr(fd, (void *)(uintptr_t)UINT64_C(0xffff800000000000), PAGE_B, 1, &handle),
	     -EFAULT);
	t_eq(userptr(fd, memory, 4 * PAGE_B, 1, &handle), 0);
	offset.in.bo_handle = handle;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, &offset), -EINVAL);
	t_bo_close(fd, handle);
	munmap(memory + 2 * PAGE_B, PAGE_B);
	t_eq(userptr(fd, memory, 4 * PAGE_B, 1, &handle), -EFAULT);
	/* Memory that may only be read. */
	mprotect(memory, PAGE_B, PROT_READ);
	t_eq(userptr(fd, memory, PAGE_B, 1, &handle), -EFAULT);
	t_eq(userptr(fd, memory, PAGE_B, 0, &handle), 0);
	close(fd); /* the object goes with the file */
	munmap(memory, 2 * PAGE_B);
	munmap(memory + 3 * PAGE_B, PAGE_B);
}

static void mappings(void)
{
	struct drm_mtgpu_vm_map args;
	int fd = t_open(0);
	uint64_t vm = t_vm(fd), va = GENERAL_VA;
	uint32_t handle = t_bo(fd, 4 * PAGE_B);

	t_eq(t_vm_map(fd, vm, handle, va, 4 * PAGE_B), 0);
	t_eq(t_vm_map(fd, vm, handle, va, 4 * PAGE_B), -EEXIST);
	t_eq(t_vm_map(fd, vm, handle, va + 3 * PAGE_B, 4 * PAGE_B), -EEXIST);
	t_eq(t_vm_map(fd, vm, handle, va - PAGE_B, PAGE_B), 0);
	t_eq(t_vm_map(fd, vm, handle, va - PAGE_B, 2 * PAGE_B), -EINVAL); /* two heaps */
	t_eq(t_vm_map(fd, vm, handle, va + 4 * PAGE_B, 4 * PAGE_B), 0); /* as often as one likes */
	t_eq(t_vm_map(fd, vm, handle, va + (8 << 20), 5 * PAGE_B), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle, va + (8 << 20) + 1, PAGE_B), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle, va + (8 << 20), PAGE_B - 1), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle, va + (8 << 20), 0), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle, 0, PAGE_B), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle, UINT64_C(1) << 60, PAGE_B), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle + 100, va + (8 << 20), PAGE_B), -EINVAL);
	t_eq(t_vm_map(fd, VM_BAD, handle, va + (8 << 20), PAGE_B), -EINVAL);
	args = (struct drm_mtgpu_vm_map){vm, va + (8 << 20), 0, handle, 1, PAGE_B};
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VM_MAP, &args), -EINVAL);
	args = (struct drm_mtgpu_vm_map){vm, va + (8 << 20), 1, handle, 0, PAGE_B};
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VM_MAP, &args), -EINVAL);
	t_eq(t_vm_unmap(fd, vm, va + PAGE_B), -EINVAL);
	t_eq(t_vm_unmap(fd, VM_BAD, va), -EINVAL);
	t_eq(t_vm_unmap(fd, vm, va), 0);
	t_eq(t_vm_unmap(fd, vm, va), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle, va, PAGE_B), 0);
	close(fd);
}

static void contexts(void)
{
	struct drm_mtgpu_vm_context_destroy args = {.vm_ctx_handle = VM_BAD};
	int fd = t_open(0);
	uint64_t vm = t_vm(fd), other = t_vm(fd);
	uint32_t handle = t_bo(fd, PAGE_B);

	t_true(vm != other);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VM_CONTEXT_DESTROY, &args), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle, GENERAL_VA, PAGE_B), 0);
	t_eq(t_vm_map(fd, other, handle, GENERAL_VA, PAGE_B), 0); /* another address space */
	args.vm_ctx_handle = vm;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VM_CONTEXT_DESTROY, &args), 0);
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_VM_CONTEXT_DESTROY, &args), -EINVAL);
	t_eq(t_vm_map(fd, vm, handle, GENERAL_VA + PAGE_B, PAGE_B), -EINVAL);
	close(fd);
}

static void exhaustion(void)
{
	enum { PIECE_B = 16 << 20, MAX = 4096 };
	struct mtgpu_mem_info before = {0}, after = {0};
	struct drm_mtgpu_query_info query = {.in.type = MTGPU_INFO_TYPE_MEMORY};
	int fd = t_open(0), ret = 0;
	uint32_t handles[MAX], count = 0;

	query.out.data = (uintptr_t)&before;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &query), 0);
	while (count < MAX && !ret) {
		ret = create(fd, PIECE_B, 0, BO_RW, MTGPU_BO_DOMAIN_VRAM, 0, &handles[count]);
		count += !ret;
	}
	t_eq(ret, -ENOMEM);
	t_eq(count, before.vram.free_size / PIECE_B);
	while (count)
		t_bo_close(fd, handles[--count]);
	query.out.data = (uintptr_t)&after;
	t_eq(t_call(fd, DRM_IOCTL_MTGPU_QUERY_INFO, &query), 0);
	t_eq(before.vram.free_size, after.vram.free_size);
	close(fd);
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"arguments of BO_CREATE are checked", create_arguments},
		{"mappings of an object show the same memory and keep it", cpu_mappings},
		{"access rights and sizes of CPU mappings are checked", cpu_access_rights},
		{"user memory is pinned with the rights it has", user_pointers},
		{"device mappings are checked", mappings},
		{"address spaces are separate", contexts},
		{"device memory runs out and comes back", exhaustion},
	};

	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

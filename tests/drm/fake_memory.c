/* SPDX-License-Identifier: MIT */
/* The fake kernel's memory: objects, handles, VM contexts, descriptors. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_internal.h"

#define EXPORTS 64
#define KNOWN_FLAGS                                                                                \
	(MTGPU_BO_FLAGS_GPU_READABLE | MTGPU_BO_FLAGS_GPU_WRITEABLE |                              \
	 MTGPU_BO_FLAGS_CPU_READABLE | MTGPU_BO_FLAGS_CPU_WRITEABLE |                              \
	 MTGPU_BO_FLAGS_GPU_CACHE_COHERENT | MTGPU_BO_FLAGS_CPU_CACHE_COHERENT |                   \
	 MTGPU_BO_FLAGS_CPU_UNCACHED_WC | MTGPU_BO_FLAGS_NON_CONTIGUOUS |                          \
	 MTGPU_BO_FLAGS_ZERO_ON_ALLOC)

static struct fake_object *objects;
static struct fake_export exports[EXPORTS];
static uint64_t last_name = 0x700000000;

struct fake_object *fake_object_create(struct fake_card *card, uint64_t size_b, uint32_t domain)
{
	struct fake_object *object;

	if (domain == MTGPU_BO_DOMAIN_VRAM && size_b > card->config->vram_b - card->vram_used_b)
		return NULL;
	object = calloc(1, sizeof(*object));
	object->card = card;
	object->size_b = size_b;
	object->domain = domain;
	object->refs = 1;
	object->offset_b = card->next_b;
	object->cpu = card->memory + object->offset_b;
	card->next_b += (size_b + 0xffff) & ~UINT64_C(0xffff);
	if (domain == MTGPU_BO_DOMAIN_VRAM)
		card->vram_used_b += size_b;
	object->next = objects;
	objects = object;
	fake_live.objects++;
	return object;
}

void fake_newest_object(uint64_t *flags_out, uint32_t *domain_out)
{
	pthread_mutex_lock(&fake_lock);
	*flags_out = objects->flags;
	*domain_out = objects->domain;
	pthread_mutex_unlock(&fake_lock);
}

void fake_object_unref(struct fake_object *object)
{
	struct fake_object **link = &objects;

	if (--object->refs)
		return;
	while (*link != object)
		link = &(*link)->next;
	*link = object->next;
	if (object->domain == MTGPU_BO_DOMAIN_VRAM)
		object->card->vram_used_b -= object->size_b;
	if (!object->user)
		fallocate(object->card->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  (off_t)object->offset_b, (off_t)object->size_b);
	free(object);
	fake_live.objects--;
}

struct fake_object *fake_object_at(struct fake_card *card, uint64_t offset_b)
{
	for (struct fake_object *object = objects; object; object = object->next)
		if (object->card == card && !object->user && offset_b >= object->offset_b &&
		    offset_b - object->offset_b < object->size_b)
			return object;
	return NULL;
}

int fake_handle_add(struct fake_file *file, struct fake_object *object, uint32_t *handle_out)
{
	for (uint32_t i = 1; i < FAKE_HANDLES; i++) {
		if (file->handles[i])
			continue;
		file->handles[i] = object;
		fake_live.handles++;
		*handle_out = i;
		return 0;
	}
	return ENOMEM;
}

struct fake_object *fake_handle_get(struct fake_file *file, uint64_t handle)
{
	return handle && handle < FAKE_HANDLES ? file->handles[handle] : NULL;
}

/* --- descriptors --------------------------------------------------------------------------------
 */

int fake_export_add(struct fake_object *object, uint64_t offset_b, bool semaphore, int *fd_out)
{
	for (int i = 0; i < EXPORTS; i++) {
		if (exports[i].object)
			continue;
		exports[i].fd = eventfd(0, EFD_CLOEXEC);
		exports[i].object = object;
		exports[i].offset_b = offset_b;
		exports[i].semaphore = semaphore;
		object->refs++;
		*fd_out = exports[i].fd;
		return 0;
	}
	return ENFILE;
}

struct fake_export *fake_export_get(int fd, bool semaphore)
{
	for (int i = 0; i < EXPORTS; i++)
		if (exports[i].object && exports[i].fd == fd && exports[i].semaphore == semaphore)
			return &exports[i];
	return NULL;
}

bool fake_export_close(int fd)
{
	for (int i = 0; i < EXPORTS; i++) {
		if (!exports[i].object || exports[i].fd != fd)
			continue;
		fake_object_unref(exports[i].object);
		exports[i].object = NULL;
		return true;
	}
	return false;
}

/* --- objects ------------------------------------------------------------------------------------
 */

static int bo_create(struct fake_file *file, struct drm_mtgpu_bo_create *args)
{
	struct fake_object *object;
	int error;

	if (!args->in.size || args->in.size & 4095 || args->in.flags & ~(uint64_t)KNOWN_FLAGS ||
	    args->in.group_id || args->out.pad ||
	    (args->in.domains != MTGPU_BO_DOMAIN_VRAM && args->in.domains != MTGPU_BO_DOMAIN_GTT))
		return EINVAL;
	object = fake_object_create(file->card, args->in.size, args->in.domains);
	if (!object)
		return ENOSPC;
	object->flags = args->in.flags;
	error = fake_handle_add(file, object, &args->out.bo_handle);
	if (error)
		fake_object_unref(object);
	return error;
}

static int from_userptr(struct fake_file *file, struct drm_mtgpu_bo_from_userptr *args)
{
	struct fake_object *object;
	unsigned char *resident;
	int missing;

	if ((args->in.userptr | args->in.size) & 4095 || !args->in.size || args->in.pad ||
	    args->in.flags > 1)
		return EINVAL;
	resident = malloc(args->in.size / 4096);
	missing = mincore((void *)(uintptr_t)args->in.userptr, args->in.size, resident);
	free(resident);
	if (missing)
		return EFAULT;
	object = fake_object_create(file->card, args->in.size, MTGPU_BO_DOMAIN_CPU);
	object->user = true;
	object->cpu = (char *)(uintptr_t)args->in.userptr;
	return fake_handle_add(file, object, &args->out.bo_handle);
}

static int global_export(struct fake_file *file, struct drm_mtgpu_bo_global_handle_export *args)
{
	struct fake_object *object = fake_handle_get(file, args->in.bo_handle);

	if (!object || args->in.pad || object->user)
		return EINVAL;
	if (!object->global_name)
		object->global_name = ++last_name;
	args->out.global_handle = object->global_name;
	return 0;
}

static int global_import(struct fake_file *file, struct drm_mtgpu_bo_global_handle_import *args)
{
	struct fake_object *object;

	for (object = objects; object; object = object->next) {
		if (object->global_name != args->in.global_handle || object->card != file->card)
			continue;
		object->refs++;
		args->out.size = object->size_b;
		return fake_handle_add(file, object, &args->out.bo_handle);
	}
	return ENOENT;
}

/* The same object has one handle in a file, as PRIME has it. */
static int prime_import(struct fake_file *file, struct drm_prime_handle *args)
{
	struct fake_export *export = fake_export_get(args->fd, false);

	if (!export)
		return EINVAL;
	for (uint32_t i = 1; i < FAKE_HANDLES; i++) {
		if (file->handles[i] == export->object) {
			args->handle = i;
			return 0;
		}
	}
	export->object->refs++;
	return fake_handle_add(file, export->object, &args->handle);
}

static int gem_close(struct fake_file *file, const struct drm_gem_close *args)
{
	struct fake_object *object = fake_handle_get(file, args->handle);

	if (!object || args->pad)
		return EINVAL;
	file->handles[args->handle] = NULL;
	fake_live.handles--;
	fake_object_unref(object);
	return 0;
}

/* --- VM contexts --------------------------------------------------------------------------------
 */

struct fake_vm *fake_vm_get(struct fake_file *file, uint64_t handle)
{
	struct fake_vm *vm;

	for (vm = file->vms; vm && vm->handle != handle; vm = vm->next)
		;
	return vm;
}

static int vm_create(struct fake_file *file, struct drm_mtgpu_vm_context_create *args)
{
	struct fake_vm *vm = calloc(1, sizeof(*vm));

	vm->handle = fake_new_handle();
	if (file->card->config->device_id >> 8 == FAKE_GEN_SIM >> 8 && fake_sim_start(vm)) {
		free(vm);
		return ENOMEM;
	}
	vm->next = file->vms;
	file->vms = vm;
	args->vm_ctx_handle = vm->handle;
	fake_live.contexts++;
	return 0;
}

static void drop_map(struct fake_vm *vm, uint32_t index)
{
	fake_sim_unmap(vm, &vm->maps[index]);
	fake_object_unref(vm->maps[index].object);
	vm->maps[index] = vm->maps[--vm->map_count];
	fake_live.mappings--;
}

void fake_vm_destroy(struct fake_vm *vm)
{
	fake_sim_stop(vm);
	while (vm->map_count)
		drop_map(vm, vm->map_count - 1);
	free(vm);
	fake_live.contexts--;
}

static int vm_destroy(struct fake_file *file, const struct drm_mtgpu_vm_context_destroy *args)
{
	struct fake_vm **link = &file->vms, *vm;

	for (; (vm = *link) && vm->handle != args->vm_ctx_handle;)
		link = &vm->next;
	if (!vm)
		return EINVAL;
	*link = vm->next;
	for (struct fake_queue *queue = file->queues; queue; queue = queue->next)
		if (queue->vm == vm)
			queue->vm = NULL;
	fake_vm_destroy(vm);
	return 0;
}

static int vm_map(struct fake_file *file, const struct drm_mtgpu_vm_map *args)
{
	const struct fake_card_config *config = file->card->config;
	struct fake_object *object = fake_handle_get(file, args->bo_handle);
	struct fake_vm *vm = fake_vm_get(file, args->vm_ctx_handle);
	bool in_heap = false;
	uint32_t i;

	if (!vm || !object || args->pad || args->mapping_flags || !args->size ||
	    args->size > object->size_b || (args->va | args->size) & 4095)
		return EINVAL;
	for (i = 0; i < config->heap_count; i++)
		in_heap |= args->va >= config->heaps[i].base &&
			   args->va + args->size <= config->heaps[i].base + config->heaps[i].length;
	if (!in_heap)
		return EINVAL;
	for (i = 0; i < vm->map_count; i++)
		if (args->va < vm->maps[i].va + vm->maps[i].size_b &&
		    vm->maps[i].va < args->va + args->size)
			return EEXIST;
	if (vm->map_count == FAKE_MAPS)
		return ENOMEM;
	vm->maps[vm->map_count] = (struct fake_map){args->va, args->size, object};
	if (fake_sim_map(vm, &vm->maps[vm->map_count]))
		return ENOMEM;
	object->refs++;
	vm->map_count++;
	fake_live.mappings++;
	return 0;
}

static int vm_unmap(struct fake_file *file, const struct drm_mtgpu_vm_unmap *args)
{
	struct fake_vm *vm = fake_vm_get(file, args->vm_ctx_handle);

	for (uint32_t i = 0; vm && i < vm->map_count; i++) {
		if (vm->maps[i].va == args->va) {
			drop_map(vm, i);
			return 0;
		}
	}
	return EINVAL;
}

static int mmap_offset(struct fake_file *file, struct drm_mtgpu_bo_get_mmap_offset *args)
{
	const struct fake_object *object = fake_handle_get(file, args->in.bo_handle);

	if (!object || args->in.pad || object->user)
		return EINVAL;
	args->out.offset = object->offset_b;
	return 0;
}

int fake_memory_ioctl(struct fake_file *file, unsigned long request, void *arg)
{
	switch (request) {
	case DRM_IOCTL_MTGPU_BO_CREATE:
		return bo_create(file, arg);
	case DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET:
		return mmap_offset(file, arg);
	case DRM_IOCTL_MTGPU_BO_FROM_USERPTR:
		return from_userptr(file, arg);
	case DRM_IOCTL_MTGPU_BO_EXPORT_GLOBAL_HANDLE:
		return global_export(file, arg);
	case DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE:
		return global_import(file, arg);
	case DRM_IOCTL_MTGPU_VM_CONTEXT_CREATE:
		return vm_create(file, arg);
	case DRM_IOCTL_MTGPU_VM_CONTEXT_DESTROY:
		return vm_destroy(file, arg);
	case DRM_IOCTL_MTGPU_VM_MAP:
		return vm_map(file, arg);
	case DRM_IOCTL_MTGPU_VM_UNMAP:
		return vm_unmap(file, arg);
	case DRM_IOCTL_GEM_CLOSE:
		return gem_close(file, arg);
	case DRM_IOCTL_PRIME_HANDLE_TO_FD: {
		struct drm_prime_handle *args = arg;
		struct fake_object *object = fake_handle_get(file, args->handle);

		return object && !object->user ? fake_export_add(object, 0, false, &args->fd)
					       : EINVAL;
	}
	case DRM_IOCTL_PRIME_FD_TO_HANDLE:
		return prime_import(file, arg);
	default:
		return ENOTTY;
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * The life of semaphores: kernel objects whose values lie in memory that the process maps, so that
 * a completion is one load. What is done with values stands in semaphore_value.c.
 *
 * The kernel hands out an object handle and an offset; where several semaphores share an object it
 * is mapped once. The handle is the kernel's: it is not closed here.
 *
 * UNVERIFIED: the qword behind a value is used for the time of its last timestamped signal. On the
 * simulated device it belongs to the semaphore. On silicon nothing but this process writes it; a
 * semaphore whose value lies where another's time would be is put aside, so that the two never
 * meet.
 */
#include <errno.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/drm/drm.h"

#define SLOT_B     16u
#define PARKED_MAX 64u

/* An object that holds values. */
struct mt_drm_sem_bo {
	struct mt_drm_sem_bo *next;
	uint32_t handle;
	uint32_t refs; /* slots in it */
	uint64_t va, size_b;
	bool foreign; /* the addresses are a peer's, and its CPU mapping */
	bool mapped;
};

/* What stands behind a range of device->semaphores. What has been imported before is the same slot,
 * and its first handle stays. */
struct slot {
	struct mt_drm_sem_bo *bo;
	uint32_t refs;
	uint32_t peer_count;
	struct mt_drm_device **peers; /* owned; others that wait for it at the same address */
};

struct created {
	uint64_t handle, bo_handle, offset_b;
};

static struct mt_drm_sem_bo *find_bo(struct mt_drm_device *device, uint32_t handle)
{
	struct mt_drm_sem_bo *bo;

	for (bo = device->sem_bos; bo && (bo->handle != handle || bo->foreign); bo = bo->next)
		;
	return bo;
}

static int map_bo(struct mt_drm_device *device, struct mt_drm_sem_bo *bo)
{
	struct drm_mtgpu_bo_get_mmap_offset args = {.in = {.bo_handle = bo->handle}};
	void *memory;
	int ret;

	ret = mt_drm_window_take(device, bo->size_b, MT_DRM_PAGE_B, &bo->va);
	if (ret)
		return ret;
	ret = mt_drm_call(device, DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, &args);
	if (ret)
		goto give_va;
	ret = mt_drm_mmap(device->fd, args.out.offset, bo->size_b, (void *)(uintptr_t)bo->va,
			  &memory);
	if (ret)
		goto give_va;
	/* Packets name semaphores by address; the kernel's own jobs by handle. */
	if (device->generation->executes_packets) {
		ret = mt_drm_vm_map(device, bo->va, bo->handle, mt_drm_pages(device, bo->size_b));
		if (ret)
			goto give_va;
		bo->mapped = true;
	}
	return 0;

give_va:
	mt_drm_window_give(device, bo->va, bo->size_b);
	return ret;
}

static int get_bo(struct mt_drm_device *device, uint32_t handle, struct mt_drm_sem_bo **bo_out)
{
	struct mt_drm_sem_bo *bo = find_bo(device, handle);
	int ret;

	if (!bo) {
		bo = mt_calloc(1, sizeof(*bo));
		if (!bo)
			return -ENOMEM;
		bo->handle = handle;
		ret = mt_drm_info_bo_size(device, handle, &bo->size_b);
		if (!ret)
			ret = map_bo(device, bo);
		if (ret) {
			mt_free(bo);
			return ret;
		}
		bo->next = device->sem_bos;
		device->sem_bos = bo;
	}
	bo->refs++;
	*bo_out = bo;
	return 0;
}

static void put_bo(struct mt_drm_device *device, struct mt_drm_sem_bo *bo)
{
	struct mt_drm_sem_bo **link = &device->sem_bos;

	if (--bo->refs)
		return;
	while (*link != bo)
		link = &(*link)->next;
	*link = bo->next;
	if (bo->mapped)
		mt_drm_vm_unmap(device, bo->va);
	if (!bo->foreign)
		mt_drm_window_give(device, bo->va, bo->size_b);
	mt_free(bo);
}

static void destroy_handle(struct mt_drm_device *device, uint64_t handle)
{
	struct drm_mtgpu_semaphore_destroy args = {.handle = handle};

	mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY, &args);
}

static struct slot *find_slot(struct mt_drm_device *device, uint64_t va)
{
	const struct mt_drm_range *range = mt_drm_ranges_find(&device->semaphores, va);

	return range && range->va == va ? range->owner : NULL;
}

/* Takes the handle over on success; bo has been counted for the slot. */
static int add_slot(struct mt_drm_device *device, struct mt_drm_sem_bo *bo, uint64_t va,
		    uint64_t handle)
{
	struct mt_drm_range range = {.va = va, .size_b = SLOT_B, .handle = handle};
	struct slot *slot = mt_calloc(1, sizeof(*slot));
	int ret;

	if (!slot)
		return -ENOMEM;
	slot->bo = bo;
	slot->refs = 1;
	range.owner = slot;
	ret = mt_drm_ranges_add(&device->semaphores, &range);
	if (ret)
		mt_free(slot);
	return ret;
}

/* Maps the semaphore and enters it; on failure the handle is still the caller's. */
static int enter(struct mt_drm_device *device, const struct created *created,
		 struct mt_hw_semaphore *semaphore_out)
{
	struct mt_drm_sem_bo *bo;
	struct slot *slot;
	uint64_t va;
	int ret;

	if (created->bo_handle > UINT32_MAX || created->offset_b % SLOT_B)
		return -EPROTO;
	ret = get_bo(device, (uint32_t)created->bo_handle, &bo);
	if (ret)
		return ret;
	ret = -EPROTO;
	if (created->offset_b > bo->size_b || bo->size_b - created->offset_b < SLOT_B)
		goto put_bo;
	va = bo->va + created->offset_b;
	slot = find_slot(device, va);
	if (slot) {
		slot->refs++;
		if (created->handle != mt_drm_ranges_find(&device->semaphores, va)->handle)
			destroy_handle(device, created->handle);
		put_bo(device, bo);
	} else {
		ret = add_slot(device, bo, va, created->handle);
		if (ret)
			goto put_bo;
	}
	semaphore_out->dev = &device->base;
	semaphore_out->va = va;
	semaphore_out->value = (_Atomic uint64_t *)(uintptr_t)va;
	return 0;

put_bo:
	put_bo(device, bo);
	return ret;
}

/* A semaphore with a slot of its own. */
static int create_handle(struct mt_drm_device *device, struct created *created_out)
{
	struct drm_mtgpu_semaphore_create args;
	int ret;

	for (uint32_t i = 0; i < PARKED_MAX; i++) {
		memset(&args, 0, sizeof(args));
		ret = mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_CREATE, &args);
		if (ret)
			return ret;
		if (args.out.value_offset % SLOT_B)
			continue; /* put aside until the device is closed */
		created_out->handle = args.out.handle;
		created_out->bo_handle = args.out.bo_handle;
		created_out->offset_b = args.out.value_offset;
		return 0;
	}
	return -EPROTO;
}

int mt_drm_semaphore_create(struct mt_hw_device *dev, struct mt_hw_semaphore *semaphore_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct created created;
	int ret;

	if (device->forked)
		return -EIO;
	pthread_mutex_lock(&device->lock);
	ret = create_handle(device, &created);
	if (!ret) {
		ret = enter(device, &created, semaphore_out);
		if (ret)
			destroy_handle(device, created.handle);
		else
			atomic_store(semaphore_out->value + 1, 0);
	}
	pthread_mutex_unlock(&device->lock);
	return ret == -ENOSPC ? -ENOMEM : ret;
}

/* Under device->lock. NULL, or the slot that has lost its last user and is to be freed. */
static struct slot *leave(struct mt_drm_device *device, uint64_t va)
{
	struct slot *slot = find_slot(device, va);
	uint64_t handle;

	if (!slot || --slot->refs)
		return NULL;
	handle = mt_drm_ranges_find(&device->semaphores, va)->handle;
	mt_drm_ranges_remove(&device->semaphores, va);
	put_bo(device, slot->bo);
	destroy_handle(device, handle);
	return slot;
}

static void free_slot(struct slot *slot)
{
	if (!slot)
		return;
	mt_free(slot->peers);
	mt_free(slot);
}

void mt_drm_semaphore_destroy(struct mt_hw_semaphore *semaphore)
{
	struct mt_drm_device *device, *peer;
	struct slot *slot;

	if (!semaphore->dev)
		return;
	device = mt_drm_device(semaphore->dev);
	if (device->forked)
		return;
	pthread_mutex_lock(&device->lock);
	slot = leave(device, semaphore->va);
	pthread_mutex_unlock(&device->lock);
	/* Nobody else knows the slot any more, and no two devices' locks are held at once. */
	for (uint32_t i = 0; slot && i < slot->peer_count; i++) {
		peer = slot->peers[i];
		pthread_mutex_lock(&peer->lock);
		free_slot(leave(peer, semaphore->va));
		pthread_mutex_unlock(&peer->lock);
	}
	free_slot(slot);
	memset(semaphore, 0, sizeof(*semaphore));
}

/* --- peers --- */

/* The peer's view of the object at the owner's addresses; counted. */
static int get_foreign_bo(struct mt_drm_device *peer, uint32_t handle, uint64_t va, uint64_t size_b,
			  struct mt_drm_sem_bo **bo_out)
{
	struct mt_drm_sem_bo *bo;
	int ret;

	for (bo = peer->sem_bos; bo && (bo->va != va || !bo->foreign); bo = bo->next)
		;
	if (!bo) {
		bo = mt_calloc(1, sizeof(*bo));
		if (!bo)
			return -ENOMEM;
		*bo = (struct mt_drm_sem_bo){
			.handle = handle, .va = va, .size_b = size_b, .foreign = true};
		/* Jobs name the semaphore, packets its address. */
		bo->mapped = peer->generation->executes_packets;
		ret = bo->mapped ? mt_drm_vm_map(peer, va, handle, mt_drm_pages(peer, size_b)) : 0;
		if (ret) {
			mt_free(bo);
			return ret;
		}
		bo->next = peer->sem_bos;
		peer->sem_bos = bo;
	}
	bo->refs++;
	*bo_out = bo;
	return 0;
}

/* Under the peer's lock. */
static int import_foreign(struct mt_drm_device *peer, int fd, uint64_t va, uint64_t size_b)
{
	struct drm_mtgpu_semaphore_import_fd args = {.in = {.fd = fd, .vm_ctx_handle = peer->vm}};
	struct mt_drm_sem_bo *bo;
	int ret;

	ret = mt_drm_call(peer, DRM_IOCTL_MTGPU_SEMAPHORE_IMPORT_FD, &args);
	if (ret)
		return ret;
	ret = get_foreign_bo(peer, (uint32_t)args.out.bo_handle, va - args.out.value_offset, size_b,
			     &bo);
	if (ret)
		goto destroy;
	ret = add_slot(peer, bo, va, args.out.semaphore.handle);
	if (!ret)
		return 0;
	put_bo(peer, bo);
destroy:
	destroy_handle(peer, args.out.semaphore.handle);
	return ret;
}

/* Under the owner's lock: 1 if the peer has it, 0 and room for one more peer, or a negative errno.
 */
static int prepare_peer(struct mt_drm_device *device, uint64_t va, struct mt_drm_device *peer)
{
	struct slot *slot = find_slot(device, va);
	struct mt_drm_device **grown;

	if (!slot)
		return -EINVAL;
	for (uint32_t i = 0; i < slot->peer_count; i++)
		if (slot->peers[i] == peer)
			return 1;
	grown = mt_realloc(slot->peers, (slot->peer_count + 1) * sizeof(struct mt_drm_device *));
	if (!grown)
		return -ENOMEM;
	slot->peers = grown;
	return 0;
}

int mt_drm_semaphore_map_peer(struct mt_hw_semaphore *semaphore, struct mt_hw_device *peer_dev)
{
	struct mt_drm_device *device = mt_drm_device(semaphore->dev),
			     *peer = mt_drm_device(peer_dev);
	struct slot *slot;
	int fd, ret;

	if (device->forked)
		return -EIO;
	if (device == peer)
		return 0;
	pthread_mutex_lock(&device->peer_lock);
	pthread_mutex_lock(&device->lock);
	ret = prepare_peer(device, semaphore->va, peer);
	slot = find_slot(device, semaphore->va);
	pthread_mutex_unlock(&device->lock);
	if (ret)
		goto unlock;
	ret = mt_drm_semaphore_export_fd(semaphore, &fd);
	if (ret)
		goto unlock;
	pthread_mutex_lock(&peer->lock);
	ret = import_foreign(peer, fd, semaphore->va, slot->bo->size_b);
	pthread_mutex_unlock(&peer->lock);
	mt_drm_os->close(fd);
	if (!ret)
		slot->peers[slot->peer_count++] = peer;
unlock:
	pthread_mutex_unlock(&device->peer_lock);
	return ret > 0 ? 0 : ret;
}

void mt_drm_semaphores_free(struct mt_drm_device *device)
{
	struct mt_drm_sem_bo *bo, *next;

	for (uint32_t i = 0; i < device->semaphores.count; i++)
		free_slot(device->semaphores.at[i].owner);
	for (bo = device->sem_bos; bo; bo = next) {
		next = bo->next;
		mt_free(bo);
	}
	device->sem_bos = NULL;
}

uint64_t mt_drm_semaphore_handle(struct mt_drm_device *device, uint64_t va)
{
	const struct mt_drm_range *range;
	uint64_t handle;

	pthread_mutex_lock(&device->lock);
	range = mt_drm_ranges_find(&device->semaphores, va);
	handle = range && range->va == va ? range->handle : 0;
	pthread_mutex_unlock(&device->lock);
	return handle;
}

int mt_drm_semaphore_export_fd(struct mt_hw_semaphore *semaphore, int *fd_out)
{
	struct mt_drm_device *device = mt_drm_device(semaphore->dev);
	struct drm_mtgpu_semaphore_export_fd args = {0};
	int ret;

	args.in.semaphore.handle = mt_drm_semaphore_handle(device, semaphore->va);
	if (!args.in.semaphore.handle)
		return -EINVAL;
	args.in.semaphore.value = atomic_load(semaphore->value);
	ret = mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_EXPORT_FD, &args);
	if (!ret)
		*fd_out = args.out.fd;
	return ret;
}

int mt_drm_semaphore_import_fd(struct mt_hw_device *dev, int fd,
			       struct mt_hw_semaphore *semaphore_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct drm_mtgpu_semaphore_import_fd args = {.in = {.fd = fd, .vm_ctx_handle = device->vm}};
	struct created created;
	int ret;

	if (device->forked)
		return -EIO;
	pthread_mutex_lock(&device->lock);
	ret = mt_drm_call(device, DRM_IOCTL_MTGPU_SEMAPHORE_IMPORT_FD, &args);
	if (!ret) {
		created.handle = args.out.semaphore.handle;
		created.bo_handle = args.out.bo_handle;
		created.offset_b = args.out.value_offset;
		ret = enter(device, &created, semaphore_out);
		if (ret)
			destroy_handle(device, created.handle);
	}
	pthread_mutex_unlock(&device->lock);
	return ret;
}

/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects of others: other processes, other drivers, other devices of this process.
 *
 * Between processes an object is known by its global handle, which travels in a small sealed file:
 * such a descriptor can be opened again through /proc, which a dma-buf can not. A dma-buf of
 * another driver, or of another device, comes in through PRIME.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hw/base/alloc.h"
#include "hw/drm/bo.h"

#define TICKET_SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

/* Contents of the file. */
struct ticket {
	char magic[8];
	uint32_t version, reserved0;
	uint64_t global_handle;
	uint64_t size_b;
};

static const char ticket_magic[8] = "MTDRMBO";

static int write_ticket(const struct ticket *ticket, int *fd_out)
{
	int fd = memfd_create("musa-bo", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int ret;

	if (fd < 0)
		return -errno;
	if (write(fd, ticket, sizeof(*ticket)) != (ssize_t)sizeof(*ticket)) {
		ret = -EIO;
		goto close_fd;
	}
	if (fcntl(fd, F_ADD_SEALS, TICKET_SEALS)) {
		ret = -errno;
		goto close_fd;
	}
	*fd_out = fd;
	return 0;

close_fd:
	close(fd);
	return ret;
}

int mt_drm_bo_export_fd(struct mt_hw_bo *base, int *fd_out)
{
	struct mt_drm_device *device = mt_drm_device(base->dev);
	struct mt_drm_bo *bo = mt_drm_bo(base);
	struct drm_mtgpu_bo_global_handle_export args = {0};
	struct ticket ticket = {.version = 1, .size_b = base->size_b};
	int ret;

	if (device->forked)
		return -EIO;
	if (!(base->flags & MT_HW_BO_EXPORTABLE) || !bo->gem)
		return -EINVAL;
	args.in.bo_handle = bo->gem->handle;
	ret = mt_drm_call(device, DRM_IOCTL_MTGPU_BO_EXPORT_GLOBAL_HANDLE, &args);
	if (ret)
		return ret;
	memcpy(ticket.magic, ticket_magic, sizeof(ticket.magic));
	ticket.global_handle = args.out.global_handle;
	return write_ticket(&ticket, fd_out);
}

/* 0: the file is no ticket. */
static bool read_ticket(int fd, struct ticket *ticket_out)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) &&
	       status.st_size == (off_t)sizeof(*ticket_out) &&
	       pread(fd, ticket_out, sizeof(*ticket_out), 0) == (ssize_t)sizeof(*ticket_out) &&
	       !memcmp(ticket_out->magic, ticket_magic, sizeof(ticket_magic)) &&
	       ticket_out->version == 1;
}

/* Under device->lock. */
static int import_handle(struct mt_drm_device *device, int fd, uint32_t *handle_out,
			 uint64_t *size_out)
{
	struct drm_mtgpu_bo_global_handle_import global = {0};
	struct drm_prime_handle prime = {.fd = fd};
	struct ticket ticket;
	int ret;

	if (read_ticket(fd, &ticket)) {
		global.in.global_handle = ticket.global_handle;
		ret = mt_drm_call(device, DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE, &global);
		/* The exporter has gone. */
		if (ret)
			return ret == -ENOENT ? -EINVAL : ret;
		*handle_out = global.out.bo_handle;
		*size_out = global.out.size;
		return 0;
	}
	ret = mt_drm_call(device, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
	if (ret)
		return ret == -ENOTTY ? -EINVAL : ret;
	*handle_out = prime.handle;
	return mt_drm_info_bo_size(device, prime.handle, size_out);
}

/* Under device->lock. */
static int import_bo(struct mt_drm_device *device, struct mt_drm_bo *bo, int fd, uint64_t size_b)
{
	uint64_t object_b = 0, va;
	uint32_t handle = 0;
	int ret;

	ret = import_handle(device, fd, &handle, &object_b);
	if (handle) {
		/* From here on the handle is counted; a failure above closes it. */
		int adopted = mt_drm_gem_adopt(device, handle, &bo->gem);

		if (adopted)
			return adopted;
	}
	if (ret)
		goto unref_gem;
	ret = -EINVAL;
	if (size_b > object_b || object_b != mt_drm_pages(device, object_b))
		goto unref_gem;
	ret = mt_drm_window_take(device, object_b, MT_DRM_BO_B, &va);
	if (ret)
		goto unref_gem;
	ret = mt_drm_gem_place(device, bo->gem, bo, object_b, va, false);
	if (ret)
		goto give_va;
	bo->base.va = va;
	bo->base.size_b = object_b;
	bo->in_window = true;
	return 0;

give_va:
	mt_drm_window_give(device, va, object_b);
unref_gem:
	mt_drm_gem_unref(device, bo->gem);
	return ret;
}

int mt_drm_bo_import_fd(struct mt_hw_device *dev, int fd, uint64_t size_b, struct mt_hw_bo **bo_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct mt_drm_bo *bo;
	int ret;

	if (device->forked)
		return -EIO;
	bo = mt_calloc(1, sizeof(*bo));
	if (!bo)
		return -ENOMEM;
	bo->base.dev = dev;
	bo->base.domain = MT_HW_DEVICE;
	pthread_mutex_lock(&device->lock);
	ret = import_bo(device, bo, fd, size_b);
	pthread_mutex_unlock(&device->lock);
	if (ret) {
		mt_free(bo);
		return ret;
	}
	*bo_out = &bo->base;
	return 0;
}

/* A dma-buf of the object, for another device. */
static int export_prime(struct mt_drm_device *device, const struct mt_drm_gem *gem, int *fd_out)
{
	struct drm_prime_handle args = {.handle = gem->handle, .flags = DRM_CLOEXEC | DRM_RDWR};
	int ret;

	ret = mt_drm_call(device, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args);
	if (!ret)
		*fd_out = args.fd;
	return ret;
}

/* Under the peer's lock: its handle of the object. */
static int get_on_peer(struct mt_drm_device *other, const struct mt_drm_bo *bo, int fd,
		       struct mt_drm_gem **gem_out)
{
	struct drm_prime_handle args = {.fd = fd};
	int ret;

	if (bo->user)
		return mt_drm_gem_from_user(other, (uintptr_t)bo->base.cpu, bo->base.size_b,
					    bo->read_only, gem_out);
	ret = mt_drm_call(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args);
	return ret ? ret : mt_drm_gem_adopt(other, args.handle, gem_out);
}

static int place_on_peer(struct mt_drm_device *other, struct mt_drm_bo *bo, int fd,
			 struct mt_drm_gem **gem_out)
{
	int ret;

	pthread_mutex_lock(&other->lock);
	if (!bo->gem) {
		ret = mt_drm_pin(other, bo->base.va, bo->base.va + bo->base.size_b, bo->read_only);
		goto unlock;
	}
	ret = get_on_peer(other, bo, fd, gem_out);
	if (!ret) {
		ret = mt_drm_gem_place(other, *gem_out, bo, bo->base.size_b, bo->base.va, false);
		if (ret)
			mt_drm_gem_unref(other, *gem_out);
	}
unlock:
	pthread_mutex_unlock(&other->lock);
	return ret;
}

int mt_drm_bo_map_peer(struct mt_hw_bo *base, struct mt_hw_device *peer_dev)
{
	struct mt_drm_device *device = mt_drm_device(base->dev);
	struct mt_drm_device *other = mt_drm_device(peer_dev);
	struct mt_drm_bo *bo = mt_drm_bo(base);
	struct mt_drm_peer *peer;
	int fd = -1, ret = 0;

	if (device->forked)
		return -EIO;
	if (device == other)
		return 0;
	if (bo->pieces)
		return -ENOTSUP; /* pieces are no object to share */
	peer = mt_calloc(1, sizeof(*peer));
	if (!peer)
		return -ENOMEM;
	peer->device = other;
	/* Pinned memory of the caller is pinned by each device for itself. */
	if (!bo->user)
		ret = export_prime(device, bo->gem, &fd);
	if (!ret)
		ret = place_on_peer(other, bo, fd, &peer->gem);
	if (fd >= 0)
		mt_drm_os->close(fd);
	if (ret) {
		mt_free(peer);
		return ret;
	}
	pthread_mutex_lock(&device->lock);
	peer->next = bo->peers;
	bo->peers = peer;
	pthread_mutex_unlock(&device->lock);
	return 0;
}

void mt_drm_bo_unmap_peer(struct mt_hw_bo *base, struct mt_hw_device *peer_dev)
{
	struct mt_drm_device *device = mt_drm_device(base->dev);
	struct mt_drm_device *other = mt_drm_device(peer_dev);
	struct mt_drm_bo *bo = mt_drm_bo(base);
	struct mt_drm_peer **link, *peer;

	if (device->forked)
		return;
	pthread_mutex_lock(&device->lock);
	for (link = &bo->peers; (peer = *link) && peer->device != other;)
		link = &peer->next;
	if (peer)
		*link = peer->next;
	pthread_mutex_unlock(&device->lock);
	if (!peer)
		return;
	pthread_mutex_lock(&other->lock);
	if (peer->gem) {
		mt_drm_gem_displace(other, base->va);
		mt_drm_gem_unref(other, peer->gem);
	} else {
		mt_drm_unpin(other, base->va, base->va + base->size_b);
	}
	pthread_mutex_unlock(&other->lock);
	mt_free(peer);
}

/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects of the mock.
 *
 * Device memory is one file per device; a buffer object owns ranges of it and is mapped into the
 * device's address window. Exportable, imported and unmapped host objects have a file of their
 * own; other host objects are plain anonymous memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hw/base/alloc.h"
#include "hw/mock/mock.h"

struct mock_bo {
	struct mt_hw_bo base;
	struct mt_extent *parts; /* owned; ranges of `fd` in order */
	uint32_t part_count;
	int fd; /* -1: anonymous or user memory */
	bool owns_fd;
	bool owns_pages; /* parts are the device's */
	bool counted;    /* size_b is part of the device's used_b */
	bool user;       /* memory of the caller */
	bool in_window;  /* va lies in the device's window */
	bool extra_cpu;  /* cpu is a mapping of its own */
};

static _Atomic uint64_t allocations;

static struct mock_bo *mock_bo(struct mt_hw_bo *bo)
{
	return (struct mock_bo *)bo;
}

static bool is_device(enum mt_hw_domain domain)
{
	return domain == MT_HW_DEVICE || domain == MT_HW_CODE;
}

static int protection(enum mt_hw_domain domain)
{
	return PROT_READ | PROT_WRITE | (domain == MT_HW_CODE ? PROT_EXEC : 0);
}

static uint32_t engine_flags(enum mt_hw_domain domain)
{
	return MT_SG_READ | MT_SG_WRITE | (domain == MT_HW_CODE ? MT_SG_EXECUTE : 0);
}

int mt_mock_window_close(uint64_t va, uint64_t size_b)
{
	if (mmap((void *)(uintptr_t)va, size_b, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		return -errno;
	return 0;
}

int mt_mock_va_reserve(struct mt_hw_device *dev, uint64_t size_b, uint64_t align_b,
		       uint64_t *va_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);
	int ret;

	size_b = (size_b + MT_MOCK_PAGE_B - 1) & ~(uint64_t)(MT_MOCK_PAGE_B - 1);
	if (!size_b || align_b & (align_b - 1))
		return -EINVAL;
	if (align_b < MT_MOCK_PAGE_B)
		align_b = MT_MOCK_PAGE_B;
	pthread_mutex_lock(&device->lock);
	ret = mt_extents_take(&device->addresses, size_b, align_b, va_out);
	pthread_mutex_unlock(&device->lock);
	return ret;
}

void mt_mock_va_release(struct mt_hw_device *dev, uint64_t va, uint64_t size_b)
{
	struct mt_mock_device *device = mt_mock_device(dev);

	size_b = (size_b + MT_MOCK_PAGE_B - 1) & ~(uint64_t)(MT_MOCK_PAGE_B - 1);
	pthread_mutex_lock(&device->lock);
	mt_extents_give(&device->addresses, va, size_b);
	pthread_mutex_unlock(&device->lock);
}

/* Maps [offset, offset + size) of the object's file at va. On failure parts may be mapped. */
static int map_parts(struct mock_bo *bo, uint64_t offset_b, uint64_t size_b, uint64_t va, int extra)
{
	uint64_t start, length_b;
	uint32_t i;

	for (i = 0; i < bo->part_count && size_b; i++) {
		if (offset_b >= bo->parts[i].size_b) {
			offset_b -= bo->parts[i].size_b;
			continue;
		}
		start = bo->parts[i].start + offset_b;
		length_b = bo->parts[i].size_b - offset_b;
		if (length_b > size_b)
			length_b = size_b;
		if (mmap((void *)(uintptr_t)va, length_b, protection(bo->base.domain),
			 MAP_SHARED | MAP_FIXED | extra, bo->fd, (off_t)start) == MAP_FAILED)
			return -errno;
		offset_b = 0;
		va += length_b;
		size_b -= length_b;
	}
	return 0;
}

/* Pages of the device's file, as few ranges as there are. */
static int take_pages(struct mt_mock_device *device, struct mock_bo *bo)
{
	uint64_t left_b = bo->base.size_b, start, got_b;
	struct mt_extent *grown;
	int ret = 0;

	pthread_mutex_lock(&device->lock);
	if (left_b > device->base.info.memory_b - device->used_b) {
		ret = -ENOMEM;
		goto unlock;
	}
	while (left_b) {
		grown = mt_realloc(bo->parts, (bo->part_count + 1) * sizeof(*grown));
		if (!grown) {
			ret = -ENOMEM;
			break;
		}
		bo->parts = grown;
		got_b = mt_extents_take_some(&device->pages, left_b, &start);
		if (!got_b) {
			ret = -ENOMEM;
			break;
		}
		bo->parts[bo->part_count++] = (struct mt_extent){start, got_b};
		left_b -= got_b;
	}
	if (ret) {
		while (bo->part_count--)
			mt_extents_give(&device->pages, bo->parts[bo->part_count].start,
					bo->parts[bo->part_count].size_b);
		bo->part_count = 0;
		goto unlock;
	}
	device->used_b += bo->base.size_b;
	bo->counted = bo->owns_pages = true;
	bo->fd = device->memory_fd;
unlock:
	pthread_mutex_unlock(&device->lock);
	return ret;
}

static int whole_file(struct mock_bo *bo)
{
	bo->parts = mt_alloc(sizeof(*bo->parts));
	if (!bo->parts)
		return -ENOMEM;
	bo->parts[0] = (struct mt_extent){0, bo->base.size_b};
	bo->part_count = 1;
	return 0;
}

static int take_file(struct mt_mock_device *device, struct mock_bo *bo)
{
	int ret = whole_file(bo);

	if (ret)
		return ret;
	if (is_device(bo->base.domain)) {
		pthread_mutex_lock(&device->lock);
		if (bo->base.size_b > device->base.info.memory_b - device->used_b) {
			ret = -ENOMEM;
		} else {
			device->used_b += bo->base.size_b;
			bo->counted = true;
		}
		pthread_mutex_unlock(&device->lock);
		if (ret)
			return ret;
	}
	bo->fd = memfd_create("musa-bo", MFD_CLOEXEC);
	if (bo->fd < 0)
		return -errno;
	bo->owns_fd = true;
	return ftruncate(bo->fd, (off_t)bo->base.size_b) ? -errno : 0;
}

static int map_anonymous(struct mt_mock_device *device, struct mock_bo *bo)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS, ret;
	void *memory;

	/* Command memory is written soon and as a whole: fewer faults. */
	if (bo->base.domain == MT_HW_COMMAND)
		flags |= MAP_POPULATE;
	memory = mmap(NULL, bo->base.size_b, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	ret = mt_sg_map(device->engine, (uintptr_t)memory, bo->base.size_b,
			engine_flags(bo->base.domain));
	if (ret) {
		munmap(memory, bo->base.size_b);
		return ret;
	}
	bo->base.va = (uintptr_t)memory;
	bo->base.cpu = memory;
	return 0;
}

static int map_in_window(struct mt_mock_device *device, struct mock_bo *bo)
{
	uint64_t va;
	int ret;

	ret = mt_mock_va_reserve(&device->base, bo->base.size_b, MT_MOCK_PAGE_B, &va);
	if (ret)
		return ret;
	ret = mt_mock_bo_map(&bo->base, 0, bo->base.size_b, va);
	if (ret) {
		mt_mock_va_release(&device->base, va, bo->base.size_b);
		return ret;
	}
	bo->base.va = va;
	bo->in_window = true;
	if (!is_device(bo->base.domain))
		bo->base.cpu = (void *)(uintptr_t)va;
	return 0;
}

int mt_mock_alloc_admit(struct mt_hw_device *dev)
{
	return mt_mock_fail_now(&mt_mock_device(dev)->options->fail_alloc, &allocations) ? -ENOMEM
											 : 0;
}

int mt_mock_bo_create(struct mt_hw_device *dev, uint64_t size_b, enum mt_hw_domain domain,
		      uint32_t flags, struct mt_hw_bo **bo_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);
	bool plain = !(flags & (MT_HW_BO_EXPORTABLE | MT_HW_BO_NO_MAP));
	struct mock_bo *bo;
	int ret;

	if (device->forked)
		return -EIO;
	if (!size_b || size_b > INT64_MAX - MT_MOCK_PAGE_B)
		return -EINVAL;
	if (domain == MT_HW_DEVICE && !(flags & MT_HW_BO_SLAB) && mt_mock_alloc_admit(dev))
		return -ENOMEM;
	bo = mt_calloc(1, sizeof(*bo));
	if (!bo)
		return -ENOMEM;
	bo->fd = -1;
	bo->base.dev = dev;
	bo->base.size_b = (size_b + MT_MOCK_PAGE_B - 1) & ~(uint64_t)(MT_MOCK_PAGE_B - 1);
	bo->base.domain = domain;
	bo->base.flags = flags;
	if (!is_device(domain) && plain)
		ret = map_anonymous(device, bo);
	else if (is_device(domain) && !(flags & MT_HW_BO_EXPORTABLE))
		ret = take_pages(device, bo);
	else
		ret = take_file(device, bo);
	if (!ret && !(flags & MT_HW_BO_NO_MAP) && !bo->base.va)
		ret = map_in_window(device, bo);
	if (ret) {
		mt_mock_bo_destroy(&bo->base);
		return ret;
	}
	*bo_out = &bo->base;
	return 0;
}

int mt_mock_bo_from_user(struct mt_hw_device *dev, void *memory, uint64_t size_b, bool read_only,
			 struct mt_hw_bo **bo_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);
	struct mock_bo *bo;
	int ret;

	if (device->forked)
		return -EIO;
	if (!memory || !size_b)
		return -EINVAL;
	bo = mt_calloc(1, sizeof(*bo));
	if (!bo)
		return -ENOMEM;
	bo->fd = -1;
	bo->user = true;
	bo->base.dev = dev;
	bo->base.size_b = size_b;
	bo->base.domain = MT_HW_HOST;
	ret = mt_sg_map(device->engine, (uintptr_t)memory, size_b,
			MT_SG_READ | (read_only ? 0 : MT_SG_WRITE));
	if (ret) {
		mt_free(bo);
		return ret;
	}
	bo->base.va = (uintptr_t)memory;
	bo->base.cpu = memory;
	*bo_out = &bo->base;
	return 0;
}

int mt_mock_bo_import_fd(struct mt_hw_device *dev, int fd, uint64_t size_b,
			 struct mt_hw_bo **bo_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);
	struct mock_bo *bo;
	struct stat status;
	int ret;

	if (device->forked)
		return -EIO;
	if (fstat(fd, &status))
		return -errno;
	size_b = (size_b + MT_MOCK_PAGE_B - 1) & ~(uint64_t)(MT_MOCK_PAGE_B - 1);
	if (!size_b || !S_ISREG(status.st_mode) || (uint64_t)status.st_size < size_b)
		return -EINVAL;
	bo = mt_calloc(1, sizeof(*bo));
	if (!bo)
		return -ENOMEM;
	bo->base.dev = dev;
	bo->base.size_b = size_b;
	bo->base.domain = MT_HW_DEVICE;
	bo->base.flags = MT_HW_BO_EXPORTABLE;
	bo->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	bo->owns_fd = bo->fd >= 0;
	ret = bo->owns_fd ? whole_file(bo) : -errno;
	if (!ret)
		ret = map_in_window(device, bo);
	if (ret) {
		mt_mock_bo_destroy(&bo->base);
		return ret;
	}
	*bo_out = &bo->base;
	return 0;
}

int mt_mock_bo_export_fd(struct mt_hw_bo *base, int *fd_out)
{
	struct mock_bo *bo = mock_bo(base);
	int fd;

	if (!(base->flags & MT_HW_BO_EXPORTABLE) || !bo->owns_fd)
		return -EINVAL;
	fd = fcntl(bo->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	*fd_out = fd;
	return 0;
}

int mt_mock_bo_map_cpu(struct mt_hw_bo *base)
{
	struct mock_bo *bo = mock_bo(base);
	void *memory;
	int ret;

	if (base->cpu)
		return 0;
	if (base->va) {
		base->cpu = (void *)(uintptr_t)base->va;
		return 0;
	}
	memory = mmap(NULL, base->size_b, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		      -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	ret = map_parts(bo, 0, base->size_b, (uintptr_t)memory, 0);
	if (ret) {
		munmap(memory, base->size_b);
		return ret;
	}
	base->cpu = memory;
	bo->extra_cpu = true;
	return 0;
}

static void punch(struct mock_bo *bo, uint64_t offset_b, uint64_t size_b)
{
	uint64_t length_b;
	uint32_t i;

	for (i = 0; i < bo->part_count && size_b; i++) {
		if (offset_b >= bo->parts[i].size_b) {
			offset_b -= bo->parts[i].size_b;
			continue;
		}
		length_b = bo->parts[i].size_b - offset_b;
		if (length_b > size_b)
			length_b = size_b;
		fallocate(bo->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  (off_t)(bo->parts[i].start + offset_b), (off_t)length_b);
		offset_b = 0;
		size_b -= length_b;
	}
}

static void give_pages(struct mt_mock_device *device, struct mock_bo *bo)
{
	uint32_t i;

	if (bo->owns_pages)
		punch(bo, 0, bo->base.size_b);
	pthread_mutex_lock(&device->lock);
	for (i = 0; bo->owns_pages && i < bo->part_count; i++)
		mt_extents_give(&device->pages, bo->parts[i].start, bo->parts[i].size_b);
	if (bo->counted)
		device->used_b -= bo->base.size_b;
	pthread_mutex_unlock(&device->lock);
}

void mt_mock_bo_destroy(struct mt_hw_bo *base)
{
	struct mock_bo *bo = mock_bo(base);
	struct mt_mock_device *device;

	if (!base)
		return;
	device = mt_mock_device(base->dev);
	if (device->forked || mt_sg_engine_stuck(device->engine)) {
		/* A kernel that was left behind may still write there. */
		if (bo->owns_fd)
			close(bo->fd);
		mt_free(bo->parts);
		mt_free(bo);
		return;
	}
	if (bo->in_window) {
		if (!mt_mock_bo_unmap(base->dev, base->va, base->size_b))
			mt_mock_va_release(base->dev, base->va, base->size_b);
	} else if (base->va) {
		mt_sg_unmap(device->engine, base->va, base->size_b);
		if (!bo->user)
			munmap(base->cpu, base->size_b);
	}
	if (bo->extra_cpu)
		munmap(base->cpu, base->size_b);
	give_pages(device, bo);
	if (bo->owns_fd)
		close(bo->fd);
	mt_free(bo->parts);
	mt_free(bo);
}

int mt_mock_bo_map(struct mt_hw_bo *base, uint64_t offset_b, uint64_t size_b, uint64_t va)
{
	struct mt_mock_device *device = mt_mock_device(base->dev);
	struct mock_bo *bo = mock_bo(base);
	int ret;

	if (bo->fd < 0 || !size_b || (offset_b | size_b | va) & (MT_MOCK_PAGE_B - 1) ||
	    offset_b > base->size_b || size_b > base->size_b - offset_b || va < device->window_va ||
	    va - device->window_va > device->window_b - size_b)
		return -EINVAL;
	ret = map_parts(bo, offset_b, size_b, va, 0);
	if (ret)
		goto close_window;
	ret = mt_sg_map(device->engine, va, size_b, engine_flags(base->domain));
	if (ret == -EEXIST)
		return ret; /* what was there is replaced by the same right to access it */
	if (ret)
		goto close_window;
	return 0;

close_window:
	mt_mock_window_close(va, size_b);
	return ret;
}

int mt_mock_bo_unmap(struct mt_hw_device *dev, uint64_t va, uint64_t size_b)
{
	struct mt_mock_device *device = mt_mock_device(dev);
	int ret;

	if ((va | size_b) & (MT_MOCK_PAGE_B - 1) || va < device->window_va ||
	    va - device->window_va > device->window_b - size_b)
		return -EINVAL;
	ret = mt_sg_unmap(device->engine, va, size_b);
	return ret ? ret : mt_mock_window_close(va, size_b);
}

int mt_mock_bo_discard(struct mt_hw_bo *base, uint64_t offset_b, uint64_t size_b)
{
	struct mock_bo *bo = mock_bo(base);

	if (bo->user || (offset_b | size_b) & (MT_MOCK_PAGE_B - 1) || offset_b > base->size_b ||
	    size_b > base->size_b - offset_b)
		return -EINVAL;
	if (bo->fd >= 0)
		punch(bo, offset_b, size_b);
	else if (madvise((char *)base->cpu + offset_b, size_b, MADV_DONTNEED))
		return -errno;
	return 0;
}

int mt_mock_bo_map_peer(struct mt_hw_bo *base, struct mt_hw_device *peer)
{
	if (!base->va)
		return -EINVAL;
	return mt_sg_map(mt_mock_device(peer)->engine, base->va, base->size_b,
			 engine_flags(base->domain));
}

void mt_mock_bo_unmap_peer(struct mt_hw_bo *base, struct mt_hw_device *peer)
{
	mt_sg_unmap(mt_mock_device(peer)->engine, base->va, base->size_b);
}

/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects of the drm backend, between the files that make, map and share them.
 */
#ifndef MT_DRM_BO_H
#define MT_DRM_BO_H

#include "hw/drm/drm.h"

/* A kernel handle. Importing what the device has already gives the same handle, hence the count. */
struct mt_drm_gem {
	struct mt_drm_gem *next, **link; /* in device->gems */
	uint32_t handle;
	uint32_t refs;
	uint32_t placed; /* ranges that show it */
	bool user;       /* pinned memory of the program */
	bool read_only;  /* for the device; user memory only */
};

/* The object as another device sees it, at the same address. */
struct mt_drm_peer {
	struct mt_drm_peer *next;
	struct mt_drm_device *device;
	struct mt_drm_gem *gem; /* of that device; NULL: runs of pinned pages */
};

struct mt_drm_bo {
	struct mt_hw_bo base;   /* first: objects are handed out as this */
	struct mt_drm_gem *gem; /* owned; NULL where there are pieces, or runs of pinned pages */
	/* Backing for mappings has one kernel object per granule, made when it is first needed,
	 * because the kernel maps objects from their start only. Guarded by device->lock. */
	struct mt_drm_gem **pieces; /* owned; of MT_DRM_BO_B bytes */
	uint32_t piece_count;
	bool in_window;            /* va is a range of the window, owned */
	bool user;                 /* memory of the caller, at base.cpu */
	bool read_only;            /* for the device; user memory only */
	bool extra_cpu;            /* base.cpu is a mapping of its own, owned */
	struct mt_drm_peer *peers; /* owned; guarded by device->lock */
};

static inline struct mt_drm_bo *mt_drm_bo(struct mt_hw_bo *bo)
{
	return (struct mt_drm_bo *)bo;
}

static inline bool mt_drm_is_host(enum mt_hw_domain domain)
{
	return domain == MT_HW_HOST || domain == MT_HW_COMMAND;
}

/* Makes an object; needs no lock, because the kernel may have much to clear. */
int mt_drm_gem_request(struct mt_drm_device *device, uint64_t size_b, enum mt_hw_domain domain,
		       uint32_t *handle_out);

/* All that follow under device->lock. */
int mt_drm_gem_create(struct mt_drm_device *device, uint64_t size_b, enum mt_hw_domain domain,
		      struct mt_drm_gem **gem_out);
/* Takes over a handle that nobody else can know yet; on failure it is closed. */
int mt_drm_gem_adopt_fresh(struct mt_drm_device *device, uint32_t handle,
			   struct mt_drm_gem **gem_out);
/* Pins pages of the program for the device. */
int mt_drm_gem_from_user(struct mt_drm_device *device, uint64_t start, uint64_t size_b,
			 bool read_only, struct mt_drm_gem **gem_out);
/* Takes a handle over; on failure it is closed. */
int mt_drm_gem_adopt(struct mt_drm_device *device, uint32_t handle, struct mt_drm_gem **gem_out);
void mt_drm_gem_unref(struct mt_drm_device *device, struct mt_drm_gem *gem); /* accepts NULL */
int mt_drm_gem_mmap(struct mt_drm_device *device, const struct mt_drm_gem *gem, uint64_t size_b,
		    void *at, void **memory_out);

/* Makes va, a range of the window or the caller's memory, show the object: to the device, in the
 * table, and to the CPU if `cpu`. bo may be NULL for pinned memory. */
int mt_drm_gem_place(struct mt_drm_device *device, struct mt_drm_gem *gem, struct mt_drm_bo *bo,
		     uint64_t size_b, uint64_t va, bool cpu);
/* The reverse; CPU pages stay until the window is covered. */
void mt_drm_gem_displace(struct mt_drm_device *device, uint64_t va);

/* pin.c */
/* Pins the program's pages [start, end) at their own address, those that are pinned already once
 * more. -EEXIST: something else lies there, or a page is pinned for reading only. */
int mt_drm_pin(struct mt_drm_device *device, uint64_t start, uint64_t end, bool read_only);
/* The reverse, for exactly what has been pinned. */
void mt_drm_unpin(struct mt_drm_device *device, uint64_t start, uint64_t end);

#endif

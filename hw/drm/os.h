/* SPDX-License-Identifier: MIT */
/*
 * The few system calls of the drm backend, in one table, so that a test can stand in for the
 * kernel.
 */
#ifndef MT_DRM_OS_H
#define MT_DRM_OS_H

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <xf86drm.h>

#define MT_DRM_NODES_MAX 64

/* As the calls of the same names: -1 and errno. */
struct mt_drm_os {
	int (*open)(const char *path, int flags);
	int (*close)(int fd);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	void *(*mmap)(void *at, size_t size_b, int protection, int flags, int fd, off_t offset);
	int (*munmap)(void *at, size_t size_b);
	int (*stat)(const char *path, struct stat *status);
	/* drmGetDevices2() and drmFreeDevices(): a count or a negative errno. */
	int (*get_devices)(uint32_t flags, drmDevicePtr devices[], int count);
	void (*free_devices)(drmDevicePtr devices[], int count);
	/* Minors of the render nodes in /dev/dri, in no order; a count or a negative errno. */
	int (*list_minors)(int minors[], int count);
};

extern const struct mt_drm_os *mt_drm_os; /* in force */

/* Test hook: NULL brings the system's calls back. Not while devices are open. */
void mt_drm_os_set(const struct mt_drm_os *os);

/* Opens a node read-write and close-on-exec, again after EINTR. A descriptor or a negative errno.
 */
int mt_drm_open(const char *path);

/* Called again after EINTR and EAGAIN, as every DRM user does it; the latter not for ever. 0 or a
 * negative errno. Not for calls with a relative time-out. */
int mt_drm_ioctl(int fd, unsigned long request, void *arg);

/* Maps `size_b` bytes of a node at `offset`; at: where exactly, NULL for anywhere. 0 or a negative
 * errno. */
int mt_drm_mmap(int fd, uint64_t offset, uint64_t size_b, void *at, void **memory_out);

#endif

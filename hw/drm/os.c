/* SPDX-License-Identifier: MIT */
/*
 * The system's own calls behind the table, and what is done when a signal interrupts one.
 */
#include "hw/drm/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* A kernel that says "again" for so many tries means something else. */
#define AGAIN_MAX 100000

static int os_open(const char *path, int flags)
{
	return open(path, flags);
}

static int os_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static int os_list_minors(int minors[], int count)
{
	static const char prefix[] = "renderD";
	struct dirent *entry;
	int found = 0;
	DIR *dir;

	dir = opendir("/dev/dri");
	if (!dir)
		return -errno;
	while (found < count && (entry = readdir(dir))) {
		const char *digits = entry->d_name + sizeof(prefix) - 1;
		char *end;
		long minor;

		if (strncmp(entry->d_name, prefix, sizeof(prefix) - 1) || *digits < '0' ||
		    *digits > '9')
			continue;
		minor = strtol(digits, &end, 10);
		if (!*end && minor < 1 << 20)
			minors[found++] = (int)minor;
	}
	closedir(dir);
	return found;
}

static const struct mt_drm_os system_calls = {
	.open = os_open,
	.close = close,
	.ioctl = os_ioctl,
	.mmap = mmap,
	.munmap = munmap,
	.stat = stat,
	.get_devices = drmGetDevices2,
	.free_devices = drmFreeDevices,
	.list_minors = os_list_minors,
};

const struct mt_drm_os *mt_drm_os = &system_calls;

void mt_drm_os_set(const struct mt_drm_os *os)
{
	mt_drm_os = os ? os : &system_calls;
}

int mt_drm_open(const char *path)
{
	int fd;

	do {
		fd = mt_drm_os->open(path, O_RDWR | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

int mt_drm_ioctl(int fd, unsigned long request, void *arg)
{
	int again = 0;

	while (mt_drm_os->ioctl(fd, request, arg)) {
		if (errno != EINTR && (errno != EAGAIN || ++again == AGAIN_MAX))
			return -errno;
		if (errno == EAGAIN)
			sched_yield();
	}
	return 0;
}

int mt_drm_mmap(int fd, uint64_t offset, uint64_t size_b, void *at, void **memory_out)
{
	void *memory = mt_drm_os->mmap(at, size_b, PROT_READ | PROT_WRITE,
				       MAP_SHARED | (at ? MAP_FIXED : 0), fd, (off_t)offset);

	if (memory == MAP_FAILED)
		return -errno;
	*memory_out = memory;
	return 0;
}

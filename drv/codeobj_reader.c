/* SPDX-License-Identifier: MIT */
/*
 * Guarded reads of module images. Memory is never touched directly: the kernel copies it, and says
 * so where a page is missing, protected, or a file's mapping reaches past the file's end.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "drv/codeobj_internal.h"

#define COPY_STEP_B (1u << 20)
#define PROBE_BATCH 64u

static void init_empty(struct mt_codeobj_reader *reader)
{
	reader->fd = -1;
	reader->pipe[0] = -1;
	reader->pipe[1] = -1;
	reader->size_b = UINT64_MAX;
	reader->address = 0;
	reader->cached = UINT64_MAX;
	reader->cached_b = 0;
}

void mt_codeobj_reader_init_memory(struct mt_codeobj_reader *reader, const void *address)
{
	init_empty(reader);
	reader->address = (uintptr_t)address;
}

int mt_codeobj_reader_init_file(struct mt_codeobj_reader *reader, const char *path)
{
	struct stat status;
	int fd;

	init_empty(reader);
	/* O_NONBLOCK: a FIFO must not hold the caller up before it is refused. */
	do {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) < 0) {
		int ret = -errno;

		close(fd);
		return ret;
	}
	if (!S_ISREG(status.st_mode)) {
		close(fd);
		return -EISDIR;
	}
	reader->fd = fd;
	reader->size_b = (uint64_t)status.st_size;
	return 0;
}

void mt_codeobj_reader_finish(struct mt_codeobj_reader *reader)
{
	if (reader->fd >= 0)
		close(reader->fd);
	if (reader->pipe[0] >= 0) {
		close(reader->pipe[0]);
		close(reader->pipe[1]);
	}
	init_empty(reader);
}

/* Where process_vm_readv() is forbidden, write() into a pipe makes the kernel read for us. */
static int copy_through_pipe(struct mt_codeobj_reader *reader, uintptr_t address, uint8_t *bytes,
			     size_t size_b)
{
	size_t done = 0;

	if (reader->pipe[0] < 0 && pipe2(reader->pipe, O_CLOEXEC) < 0) {
		reader->pipe[0] = -1;
		return -errno;
	}
	while (done < size_b) {
		/* At most to the end of the page, so that a short write means a missing page. */
		size_t room = MT_CODEOBJ_PAGE_B - (address + done) % MT_CODEOBJ_PAGE_B;
		size_t part = size_b - done < room ? size_b - done : room;
		size_t taken = 0;
		ssize_t ret = write(reader->pipe[1], (const void *)(address + done), part);

		if (ret < 0 && errno == EINTR)
			continue;
		if (ret <= 0)
			return ret < 0 ? -errno : -EFAULT;
		while (taken < (size_t)ret) {
			ssize_t got =
				read(reader->pipe[0], bytes + done + taken, (size_t)ret - taken);

			if (got < 0 && errno == EINTR)
				continue;
			if (got <= 0)
				return got < 0 ? -errno : -EIO;
			taken += (size_t)got;
		}
		done += taken;
	}
	return 0;
}

static int copy_memory(struct mt_codeobj_reader *reader, uint64_t offset, uint8_t *bytes,
		       size_t size_b)
{
	uintptr_t address, last;
	struct iovec local = {bytes, size_b}, remote;
	ssize_t ret;

	if (__builtin_add_overflow(reader->address, offset, &address) ||
	    __builtin_add_overflow(address, size_b, &last))
		return -EFAULT;
	if (reader->pipe[0] >= 0)
		return copy_through_pipe(reader, address, bytes, size_b);
	remote.iov_base = (void *)address;
	remote.iov_len = size_b;
	ret = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	if (ret < 0 && (errno == ENOSYS || errno == EPERM))
		return copy_through_pipe(reader, address, bytes, size_b);
	return ret == (ssize_t)size_b ? 0 : -EFAULT;
}

static int copy_file(struct mt_codeobj_reader *reader, uint64_t offset, uint8_t *bytes,
		     size_t size_b)
{
	size_t done = 0;

	if (!mt_codeobj_within(offset, size_b, reader->size_b))
		return -EFAULT;
	while (done < size_b) {
		ssize_t ret =
			pread(reader->fd, bytes + done, size_b - done, (off_t)(offset + done));

		if (ret < 0 && errno == EINTR)
			continue;
		if (ret <= 0)
			return -EFAULT; /* the file has shrunk, or cannot be read */
		done += (size_t)ret;
	}
	return 0;
}

int mt_codeobj_reader_copy(struct mt_codeobj_reader *reader, uint64_t offset, void *bytes,
			   uint64_t size_b)
{
	uint8_t *at = bytes;

	while (size_b) {
		size_t part = size_b < COPY_STEP_B ? (size_t)size_b : COPY_STEP_B;
		int ret = reader->fd >= 0 ? copy_file(reader, offset, at, part)
					  : copy_memory(reader, offset, at, part);

		if (ret)
			return ret;
		if (__builtin_add_overflow(offset, part, &offset))
			return -EFAULT;
		at += part;
		size_b -= part;
	}
	return 0;
}

/* Pages are those of the address space, so that one fill never needs two of them. */
static int fill_page(struct mt_codeobj_reader *reader, uint64_t page)
{
	uint64_t first = page * MT_CODEOBJ_PAGE_B; /* address or file offset */
	uint64_t size_b = MT_CODEOBJ_PAGE_B;
	int ret;

	reader->cached = UINT64_MAX;
	if (reader->fd >= 0) {
		if (first >= reader->size_b)
			return -EFAULT;
		if (size_b > reader->size_b - first)
			size_b = reader->size_b - first;
		ret = copy_file(reader, first, reader->page, (size_t)size_b);
	} else {
		/* Offsets count from the image; wrapping arithmetic gives the page's start. */
		uintptr_t address = reader->address;

		reader->address = 0;
		ret = copy_memory(reader, first, reader->page, (size_t)size_b);
		reader->address = address;
	}
	if (ret)
		return ret;
	reader->cached = page;
	reader->cached_b = (uint32_t)size_b;
	return 0;
}

int mt_codeobj_reader_read(struct mt_codeobj_reader *reader, uint64_t offset, void *bytes,
			   size_t size_b)
{
	uint64_t at, end;
	uint8_t *to = bytes;

	if (__builtin_add_overflow((uint64_t)reader->address, offset, &at) ||
	    __builtin_add_overflow(at, size_b, &end))
		return -EFAULT;
	while (at < end) {
		uint64_t page = at / MT_CODEOBJ_PAGE_B;
		uint32_t within = at % MT_CODEOBJ_PAGE_B;
		size_t part = MT_CODEOBJ_PAGE_B - within;

		if (part > end - at)
			part = (size_t)(end - at);
		if (page != reader->cached) {
			int ret = fill_page(reader, page);

			if (ret)
				return ret;
		}
		if (within + part > reader->cached_b)
			return -EFAULT;
		memcpy(to, reader->page + within, part);
		to += part;
		at += part;
	}
	return 0;
}

/* One byte of each page, many pages a call. */
static int probe_memory(struct mt_codeobj_reader *reader, uintptr_t first, uintptr_t last)
{
	uint8_t bytes[PROBE_BATCH];
	struct iovec remote[PROBE_BATCH];
	uintptr_t at = first;

	while (at <= last) {
		struct iovec local = {bytes, 0};
		uint32_t count = 0;
		bool more = true;
		ssize_t ret;

		while (more && count < PROBE_BATCH) {
			remote[count].iov_base = (void *)at;
			remote[count++].iov_len = 1;
			more = !__builtin_add_overflow(at & ~(uintptr_t)(MT_CODEOBJ_PAGE_B - 1),
						       MT_CODEOBJ_PAGE_B, &at) &&
			       at <= last;
		}
		local.iov_len = count;
		ret = reader->pipe[0] >= 0
			      ? -1
			      : process_vm_readv(getpid(), &local, 1, remote, count, 0);
		if (ret < 0 && (reader->pipe[0] >= 0 || errno == ENOSYS || errno == EPERM)) {
			for (uint32_t i = 0; i < count; i++) {
				int error = copy_through_pipe(reader, (uintptr_t)remote[i].iov_base,
							      bytes, 1);

				if (error)
					return error;
			}
		} else if (ret != (ssize_t)count) {
			return -EFAULT;
		}
		if (!more)
			break;
	}
	return 0;
}

int mt_codeobj_reader_probe(struct mt_codeobj_reader *reader, uint64_t offset, uint64_t size_b)
{
	uintptr_t first, last;

	if (!size_b)
		return 0;
	if (reader->fd >= 0)
		return mt_codeobj_within(offset, size_b, reader->size_b) ? 0 : -EFAULT;
	if (__builtin_add_overflow(reader->address, offset, &first) ||
	    __builtin_add_overflow(first, size_b - 1, &last))
		return -EFAULT;
	return probe_memory(reader, first, last);
}

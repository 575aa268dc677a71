/* SPDX-License-Identifier: MIT */
/*
 * Semaphores: 16-byte slots in chunks of shared memory.
 *
 * An exported semaphore is a descriptor of its chunk whose file position is the slot; the chunk's
 * first slots hold a mark by which an importer knows it. Chunks that another process may write to,
 * and imported ones, are polled while somebody waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hw/base/alloc.h"
#include "hw/mock/mock.h"

#define CHUNK_B      16384u
#define SLOT_B       16u
#define CHUNK_SLOTS  (CHUNK_B / SLOT_B)
#define SLOTS_MARKED 4u /* taken by the mark */

struct mark {
	char magic[8];
	uint32_t version, slot_b;
	uint64_t reserved[6];
};
_Static_assert(sizeof(struct mark) == SLOTS_MARKED * SLOT_B, "the mark fills its slots");
static const struct mark the_mark = {.magic = "MTSEMAPH", .version = 1, .slot_b = SLOT_B};

/* Engines of other devices that a chunk is mapped into. */
struct peers {
	struct mt_mock_device **devices; /* owned; borrowed entries */
	uint32_t count;
};

struct mt_mock_chunk {
	struct mt_mock_chunk *next; /* owned */
	uint64_t va;                /* multiple of CHUNK_B, in the window */
	struct peers peers;
	int fd;                              /* owned */
	_Atomic bool shared;                 /* another process may write */
	uint64_t exported[CHUNK_SLOTS / 64]; /* slots that are never reused */
	uint32_t free_count;
	uint16_t free_slots[CHUNK_SLOTS];
};

struct mt_mock_import {
	struct mt_mock_import *next; /* owned */
	uint64_t va;                 /* mapping of the whole chunk */
	uint64_t slot_va;
	struct peers peers;
};

static int map_chunk(struct mt_mock_device *device, int fd, uint64_t *va_out)
{
	uint64_t va;
	int ret;

	ret = mt_extents_take(&device->addresses, CHUNK_B, CHUNK_B, &va);
	if (ret)
		return ret;
	if (mmap((void *)(uintptr_t)va, CHUNK_B, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0) == MAP_FAILED) {
		ret = -errno;
		goto give_va;
	}
	ret = mt_sg_map(device->engine, va, CHUNK_B, MT_SG_READ | MT_SG_WRITE);
	if (ret)
		goto close_window;
	*va_out = va;
	return 0;

close_window:
	mt_mock_window_close(va, CHUNK_B);
give_va:
	mt_extents_give(&device->addresses, va, CHUNK_B);
	return ret;
}

static void unmap_chunk(struct mt_mock_device *device, uint64_t va)
{
	mt_sg_unmap(device->engine, va, CHUNK_B);
	if (!mt_mock_window_close(va, CHUNK_B))
		mt_extents_give(&device->addresses, va, CHUNK_B);
}

static int add_chunk(struct mt_mock_device *device)
{
	struct mt_mock_chunk *chunk = mt_calloc(1, sizeof(*chunk));
	uint32_t i;
	int ret;

	if (!chunk)
		return -ENOMEM;
	chunk->fd = memfd_create("musa-semaphores", MFD_CLOEXEC);
	if (chunk->fd < 0) {
		ret = -errno;
		goto free_chunk;
	}
	if (ftruncate(chunk->fd, CHUNK_B)) {
		ret = -errno;
		goto close_fd;
	}
	ret = map_chunk(device, chunk->fd, &chunk->va);
	if (ret)
		goto close_fd;
	memcpy((void *)(uintptr_t)chunk->va, &the_mark, sizeof(the_mark));
	for (i = CHUNK_SLOTS; i > SLOTS_MARKED; i--)
		chunk->free_slots[chunk->free_count++] = (uint16_t)(i - 1);
	chunk->next = device->chunks;
	device->chunks = chunk;
	return 0;

close_fd:
	close(chunk->fd);
free_chunk:
	mt_free(chunk);
	return ret;
}

int mt_mock_semaphore_create(struct mt_hw_device *dev, struct mt_hw_semaphore *semaphore_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);
	struct mt_mock_chunk *chunk;
	int ret = 0;

	if (device->forked)
		return -EIO;
	pthread_mutex_lock(&device->lock);
	for (chunk = device->chunks; chunk && !chunk->free_count; chunk = chunk->next)
		;
	if (!chunk) {
		ret = add_chunk(device);
		chunk = device->chunks;
	}
	if (!ret) {
		semaphore_out->dev = dev;
		semaphore_out->va = chunk->va + chunk->free_slots[--chunk->free_count] * SLOT_B;
		semaphore_out->value = (_Atomic uint64_t *)(uintptr_t)semaphore_out->va;
		atomic_store(semaphore_out->value, 0);
		atomic_store(semaphore_out->value + 1, 0);
	}
	pthread_mutex_unlock(&device->lock);
	return ret;
}

/* Under the device's lock; NULL: imported. */
static struct mt_mock_chunk *find_chunk(struct mt_mock_device *device, uint64_t va)
{
	struct mt_mock_chunk *chunk;

	for (chunk = device->chunks; chunk; chunk = chunk->next)
		if (va - chunk->va < CHUNK_B)
			return chunk;
	return NULL;
}

static void unmap_peers(struct peers *peers, uint64_t va)
{
	for (uint32_t i = 0; i < peers->count; i++)
		mt_sg_unmap(peers->devices[i]->engine, va, CHUNK_B);
	mt_free(peers->devices);
}

static int map_peer(struct peers *peers, uint64_t va, struct mt_mock_device *peer)
{
	struct mt_mock_device **devices;
	uint32_t i;
	int ret;

	for (i = 0; i < peers->count; i++)
		if (peers->devices[i] == peer)
			return 0;
	devices = mt_realloc(peers->devices, (peers->count + 1) * sizeof(*devices));
	if (!devices)
		return -ENOMEM;
	peers->devices = devices;
	ret = mt_sg_map(peer->engine, va, CHUNK_B, MT_SG_READ | MT_SG_WRITE);
	if (!ret)
		devices[peers->count++] = peer;
	return ret;
}

/* Engines of a process know of each other's waiting lanes: a signal wakes them all. */
int mt_mock_semaphore_map_peer(struct mt_hw_semaphore *semaphore, struct mt_hw_device *peer)
{
	struct mt_mock_device *device = mt_mock_device(semaphore->dev);
	struct mt_mock_import *import;
	struct mt_mock_chunk *chunk;
	int ret = -EINVAL;

	if (device->forked)
		return -EIO;
	if (semaphore->dev == peer)
		return 0;
	pthread_mutex_lock(&device->lock);
	chunk = find_chunk(device, semaphore->va);
	if (chunk)
		ret = map_peer(&chunk->peers, chunk->va, mt_mock_device(peer));
	for (import = device->imports; !chunk && import; import = import->next)
		if (import->slot_va == semaphore->va)
			ret = map_peer(&import->peers, import->va, mt_mock_device(peer));
	pthread_mutex_unlock(&device->lock);
	return ret;
}

static void drop_import(struct mt_mock_device *device, uint64_t va)
{
	struct mt_mock_import **link = &device->imports, *import;

	for (; (import = *link); link = &import->next) {
		if (import->slot_va != va)
			continue;
		*link = import->next;
		unmap_peers(&import->peers, import->va);
		unmap_chunk(device, import->va);
		mt_free(import);
		return;
	}
}

void mt_mock_semaphore_destroy(struct mt_hw_semaphore *semaphore)
{
	struct mt_mock_device *device;
	struct mt_mock_chunk *chunk;
	uint32_t slot;

	if (!semaphore->dev)
		return;
	device = mt_mock_device(semaphore->dev);
	if (device->forked)
		return;
	pthread_mutex_lock(&device->lock);
	chunk = find_chunk(device, semaphore->va);
	/* A kernel that was left behind, or another process, may still write to the slot. */
	slot = chunk ? (uint32_t)(semaphore->va - chunk->va) / SLOT_B : 0;
	if (!chunk)
		drop_import(device, semaphore->va);
	else if (!mt_sg_engine_stuck(device->engine) &&
		 !(chunk->exported[slot / 64] >> slot % 64 & 1))
		chunk->free_slots[chunk->free_count++] = (uint16_t)slot;
	pthread_mutex_unlock(&device->lock);
	memset(semaphore, 0, sizeof(*semaphore));
}

/* Has the word writers that this process does not hear of? */
static bool is_shared(struct mt_mock_device *device, uint64_t va)
{
	struct mt_mock_chunk *chunk;
	bool shared;

	pthread_mutex_lock(&device->lock);
	chunk = find_chunk(device, va);
	shared = !chunk || atomic_load(&chunk->shared);
	pthread_mutex_unlock(&device->lock);
	return shared;
}

int mt_mock_semaphore_wait(struct mt_hw_semaphore *semaphore, uint64_t value, int64_t timeout_ns)
{
	struct mt_mock_device *device = mt_mock_device(semaphore->dev);

	if (atomic_load_explicit(semaphore->value, memory_order_acquire) >= value)
		return 0;
	if (device->forked)
		return -EIO;
	return mt_sg_wait(device->engine, semaphore->va, value, timeout_ns,
			  timeout_ns && is_shared(device, semaphore->va));
}

int mt_mock_semaphore_signal(struct mt_hw_semaphore *semaphore, uint64_t value)
{
	struct mt_mock_device *device = mt_mock_device(semaphore->dev);

	if (device->forked)
		return -EIO;
	mt_sg_signal(device->engine, semaphore->va, value);
	return 0;
}

int mt_mock_semaphore_export_fd(struct mt_hw_semaphore *semaphore, int *fd_out)
{
	struct mt_mock_device *device = mt_mock_device(semaphore->dev);
	struct mt_mock_chunk *chunk;
	uint64_t slot;
	char path[64];
	int fd, ret = 0;

	pthread_mutex_lock(&device->lock);
	chunk = find_chunk(device, semaphore->va);
	if (!chunk) {
		ret = -EINVAL; /* imported ones are exported by their owner */
		goto unlock;
	}
	/* Opened anew, because a duplicate would share its position with all others. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", chunk->fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		ret = -errno;
		goto unlock;
	}
	if (lseek(fd, (off_t)(semaphore->va - chunk->va), SEEK_SET) < 0) {
		ret = -errno;
		close(fd);
		goto unlock;
	}
	atomic_store(&chunk->shared, true);
	slot = (semaphore->va - chunk->va) / SLOT_B;
	chunk->exported[slot / 64] |= UINT64_C(1) << slot % 64;
	*fd_out = fd;
unlock:
	pthread_mutex_unlock(&device->lock);
	return ret;
}

/* Slot offset of an exported descriptor, or a negative errno. */
static int64_t slot_offset(int fd)
{
	struct mark mark;
	struct stat status;
	off_t offset;

	if (fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode) || status.st_size != CHUNK_B)
		return -EINVAL;
	if (pread(fd, &mark, sizeof(mark), 0) != sizeof(mark) ||
	    memcmp(&mark, &the_mark, sizeof(mark)))
		return -EINVAL;
	offset = lseek(fd, 0, SEEK_CUR);
	if (offset < (off_t)sizeof(mark) || offset > (off_t)(CHUNK_B - SLOT_B) || offset % SLOT_B)
		return -EINVAL;
	return offset;
}

int mt_mock_semaphore_import_fd(struct mt_hw_device *dev, int fd,
				struct mt_hw_semaphore *semaphore_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);
	struct mt_mock_import *import;
	int64_t offset = slot_offset(fd);
	int ret;

	if (offset < 0)
		return (int)offset;
	import = mt_calloc(1, sizeof(*import));
	if (!import)
		return -ENOMEM;
	pthread_mutex_lock(&device->lock);
	ret = map_chunk(device, fd, &import->va);
	if (!ret) {
		import->slot_va = import->va + (uint64_t)offset;
		import->next = device->imports;
		device->imports = import;
	}
	pthread_mutex_unlock(&device->lock);
	if (ret) {
		mt_free(import);
		return ret;
	}
	semaphore_out->dev = dev;
	semaphore_out->va = import->slot_va;
	semaphore_out->value = (_Atomic uint64_t *)(uintptr_t)import->slot_va;
	return 0;
}

void mt_mock_semaphores_free(struct mt_mock_device *device)
{
	struct mt_mock_import *import, *next_import;
	struct mt_mock_chunk *chunk, *next;

	for (chunk = device->chunks; chunk; chunk = next) {
		next = chunk->next;
		close(chunk->fd);
		mt_free(chunk->peers.devices);
		mt_free(chunk);
	}
	for (import = device->imports; import; import = next_import) {
		next_import = import->next;
		mt_free(import->peers.devices);
		mt_free(import);
	}
}

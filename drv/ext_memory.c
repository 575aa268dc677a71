/* SPDX-License-Identifier: MIT */
/*
 * Imported memory and IPC handles. An import is one buffer object with the ranges of it that
 * programs have mapped.
 *
 * An IPC handle names a descriptor of the exporting process, which is opened through /proc; the
 * exporter keeps the descriptor open as long as the slab lives.
 */
#include "drv/ext_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drv/mem_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"
#include "hw/base/log.h"

#define IPC_MAGIC 0x314d454d4950544dull /* "MTPIMEM1" */

/* A range of an import that the program has the address of. */
struct mapping {
	struct mt_import *import;
	uint64_t va, size_b;
	uint32_t count; /* times it was mapped */
	struct mapping *next;
};

struct mt_import {
	uint64_t handle; /* MUexternalMemory; 0 for IPC and once destroyed */
	struct mt_memory *memory;
	struct mt_hw_bo *bo;            /* owned */
	struct mapping *mappings;       /* owned; guarded by memory->lock */
	struct mt_ipc_memory ipc;       /* magic 0: not from an IPC handle */
	struct mt_import *next, **link; /* in memory->imports */
};

static MUresult create_import(struct mt_ctx *ctx, int fd, uint64_t size_b,
			      struct mt_import **import_out)
{
	const struct mt_hw_ops *ops = ctx->hw->ops;
	struct mt_import *import = mt_calloc(1, sizeof(*import));
	MUresult ret;
	int error;

	if (!import)
		return MUSA_ERROR_OUT_OF_MEMORY;
	error = ops->bo_import_fd(ctx->hw, fd, size_b, &import->bo);
	if (error) {
		ret = error == -EBADF || error == -EBADMSG ? MUSA_ERROR_INVALID_VALUE
							   : mt_result_from_errno(ctx->hw, error);
		goto free_import;
	}
	ret = mt_mem_share_bo(ctx, import->bo);
	if (ret)
		goto destroy_bo;
	import->memory = ctx->memory;
	*import_out = import;
	return MUSA_SUCCESS;

destroy_bo:
	ops->bo_destroy(import->bo);
free_import:
	mt_free(import);
	return ret;
}

static void link_import(struct mt_import *import)
{
	struct mt_memory *memory = import->memory;

	import->next = memory->imports;
	import->link = &memory->imports;
	if (import->next)
		import->next->link = &import->next;
	memory->imports = import;
}

/* Under memory->lock: goes once neither handle nor mapping is left. */
static void release_import(struct mt_import *import)
{
	if (import->handle || import->mappings)
		return;
	*import->link = import->next;
	if (import->next)
		import->next->link = import->link;
	mt_mem_destroy_shared_bo(import->bo);
	mt_free(import);
}

MUresult mt_ext_memory_import(struct mt_ctx *ctx, int fd, uint64_t size_b, uint64_t *out)
{
	struct mt_import *import;
	MUresult ret;

	if (fd < 0 || !size_b)
		return MUSA_ERROR_INVALID_VALUE;
	ret = create_import(ctx, fd, size_b, &import);
	if (ret)
		return ret;
	import->handle = mt_handle_create(MT_HANDLE_EXT_MEMORY, import);
	if (!import->handle) {
		mt_mem_destroy_shared_bo(import->bo);
		mt_free(import);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	pthread_mutex_lock(&ctx->memory->lock);
	link_import(import);
	pthread_mutex_unlock(&ctx->memory->lock);
	*out = import->handle;
	close(fd);
	return MUSA_SUCCESS;
}

MUresult mt_ext_memory_open(struct mt_ctx *ctx, unsigned int type, int fd, uint64_t size_b,
			    unsigned int flags, uint64_t *out)
{
	if ((flags & ~(unsigned int)MUSA_EXTERNAL_MEMORY_DEDICATED) ||
	    type < MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD ||
	    type > MU_EXTERNAL_MEMORY_HANDLE_TYPE_MTSCIBUF)
		return MUSA_ERROR_INVALID_VALUE;
	if (type != MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD)
		return MUSA_ERROR_NOT_SUPPORTED;
	return mt_ext_memory_import(ctx, fd, size_b, out);
}

MUresult mt_ext_memory_get(uint64_t handle, struct mt_import **import_out)
{
	struct mt_import *import = mt_handle_get(handle, MT_HANDLE_EXT_MEMORY);

	if (!import)
		return MUSA_ERROR_INVALID_HANDLE;
	*import_out = import;
	return MUSA_SUCCESS;
}

void mt_ext_memory_destroy(struct mt_import *import)
{
	struct mt_memory *memory = import->memory;

	mt_handle_destroy(import->handle);
	pthread_mutex_lock(&memory->lock);
	import->handle = 0;
	release_import(import);
	pthread_mutex_unlock(&memory->lock);
}

/* Under memory->lock. */
static MUresult map_range(struct mt_import *import, uint64_t offset_b, uint64_t size_b,
			  uint64_t *va_out)
{
	struct mt_mem_info info = {
		.base = import->bo->va + offset_b,
		.size_b = size_b,
		.kind = MT_ALLOC_IMPORTED,
		.type = MT_MEM_DEVICE,
		.device = import->memory->ctx->device,
	};
	struct mapping *mapping;
	MUresult ret;

	for (mapping = import->mappings; mapping; mapping = mapping->next) {
		if (mapping->va == info.base && mapping->size_b == size_b) {
			mapping->count++;
			*va_out = mapping->va;
			return MUSA_SUCCESS;
		}
	}
	mapping = mt_calloc(1, sizeof(*mapping));
	if (!mapping)
		return MUSA_ERROR_OUT_OF_MEMORY;
	mapping->import = import;
	mapping->va = info.base;
	mapping->size_b = size_b;
	mapping->count = 1;
	info.owner = mapping;
	ret = mt_mem_add(&info);
	if (ret) {
		mt_free(mapping);
		return ret == MUSA_ERROR_ALREADY_MAPPED ? MUSA_ERROR_NOT_SUPPORTED : ret;
	}
	mapping->next = import->mappings;
	import->mappings = mapping;
	*va_out = mapping->va;
	return MUSA_SUCCESS;
}

MUresult mt_ext_memory_map(struct mt_import *import, uint64_t offset_b, uint64_t size_b,
			   uint64_t *va_out)
{
	MUresult ret;

	if (!size_b || offset_b > import->bo->size_b || size_b > import->bo->size_b - offset_b)
		return MUSA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&import->memory->lock);
	ret = map_range(import, offset_b, size_b, va_out);
	pthread_mutex_unlock(&import->memory->lock);
	return ret;
}

/* The mapping at `va` in a context, or NULL; under memory->lock. */
static struct mapping *find_mapping(struct mt_memory *memory, uint64_t va, bool ipc)
{
	struct mt_import *import;
	struct mapping *mapping;

	for (import = memory->imports; import; import = import->next) {
		if ((import->ipc.magic != 0) != ipc)
			continue;
		for (mapping = import->mappings; mapping; mapping = mapping->next) {
			if (mapping->va == va)
				return mapping;
		}
	}
	return NULL;
}

static MUresult unmap_range(struct mt_memory *memory, uint64_t va, bool ipc)
{
	struct mapping **link, *mapping;
	struct mt_import *import;

	pthread_mutex_lock(&memory->lock);
	mapping = find_mapping(memory, va, ipc);
	if (!mapping) {
		pthread_mutex_unlock(&memory->lock);
		return MUSA_ERROR_INVALID_VALUE;
	}
	import = mapping->import;
	if (--mapping->count == 0) {
		mt_mem_remove(mapping->va);
		for (link = &import->mappings; *link != mapping; link = &(*link)->next)
			;
		*link = mapping->next;
		mt_free(mapping);
		release_import(import);
	}
	pthread_mutex_unlock(&memory->lock);
	return MUSA_SUCCESS;
}

MUresult mt_ext_memory_unmap(const struct mt_mem_info *info)
{
	struct mt_ctx *ctx = mt_ctx_primary_peek(info->device);

	return ctx ? unmap_range(ctx->memory, info->base, false) : MUSA_ERROR_INVALID_VALUE;
}

void mt_import_finish(struct mt_memory *memory)
{
	struct mt_import *import, *next;

	for (import = memory->imports; import; import = next) {
		struct mapping *mapping, *after;

		next = import->next;
		for (mapping = import->mappings; mapping; mapping = after) {
			after = mapping->next;
			mt_mem_remove(mapping->va);
			mt_free(mapping);
		}
		if (import->handle)
			mt_handle_destroy(import->handle);
		mt_mem_destroy_shared_bo(import->bo);
		mt_free(import);
	}
	memory->imports = NULL;
}

/* The slab's descriptor, made on first use and kept with it. */
static MUresult slab_fd(struct mt_heap_slab *slab, int *fd_out)
{
	struct mt_hw_device *dev = slab->bo->dev;
	int error = 0;

	pthread_mutex_lock(&slab->heap->lock);
	if (slab->export_fd < 0)
		error = dev->ops->bo_export_fd(slab->bo, &slab->export_fd);
	*fd_out = slab->export_fd;
	pthread_mutex_unlock(&slab->heap->lock);
	return mt_result_from_errno(dev, error);
}

static MUresult find_exportable(uint64_t va, struct mt_mem_info *info,
				struct mt_heap_slab **slab_out)
{
	const struct mt_heap_block *block;

	if (!mt_mem_find(va, info) || info->kind != MT_ALLOC_DEVICE)
		return MUSA_ERROR_INVALID_VALUE;
	block = info->owner;
	*slab_out = block->slab;
	return MUSA_SUCCESS;
}

MUresult mt_mem_export_fd(uint64_t va, int *fd_out, uint64_t *offset_out, uint64_t *object_b_out)
{
	struct mt_heap_slab *slab;
	struct mt_mem_info info;
	MUresult ret = find_exportable(va, &info, &slab);
	int fd;

	if (!ret)
		ret = slab_fd(slab, &fd);
	if (ret)
		return ret;
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return MUSA_ERROR_OPERATING_SYSTEM;
	*fd_out = fd;
	*offset_out = info.base - slab->bo->va;
	*object_b_out = slab->bo->size_b;
	return MUSA_SUCCESS;
}

MUresult mt_ipc_memory_export(uint64_t va, struct mt_ipc_memory *handle_out)
{
	struct mt_heap_slab *slab;
	struct mt_mem_info info;
	struct stat status;
	MUresult ret = find_exportable(va, &info, &slab);
	int fd;

	if (!ret)
		ret = slab_fd(slab, &fd);
	if (ret)
		return ret;
	if (fstat(fd, &status))
		return MUSA_ERROR_OPERATING_SYSTEM;
	*handle_out = (struct mt_ipc_memory){
		.magic = IPC_MAGIC,
		.pid = getpid(),
		.fd = fd,
		.device_id = status.st_dev,
		.inode = status.st_ino,
		.object_b = slab->bo->size_b,
		.offset_b = info.base - slab->bo->va,
		.size_b = info.size_b,
	};
	return MUSA_SUCCESS;
}

/* A descriptor of our own for the exporter's. */
static MUresult open_foreign(const struct mt_ipc_memory *handle, int *fd_out)
{
	struct stat status;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", handle->pid, handle->fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		mt_log(MT_LOG_WARN, "IPC memory handle: %s cannot be opened (errno %d)", path,
		       errno);
		return errno == EACCES || errno == EPERM ? MUSA_ERROR_NOT_PERMITTED
							 : MUSA_ERROR_INVALID_HANDLE;
	}
	if (fstat(fd, &status) || status.st_dev != handle->device_id ||
	    status.st_ino != handle->inode) {
		close(fd);
		return MUSA_ERROR_INVALID_HANDLE;
	}
	*fd_out = fd;
	return MUSA_SUCCESS;
}

/* Under memory->lock: what an earlier call made of the same handle. */
static struct mapping *find_opened(struct mt_memory *memory, const struct mt_ipc_memory *handle)
{
	struct mt_import *import;

	for (import = memory->imports; import; import = import->next) {
		if (import->ipc.magic && import->ipc.inode == handle->inode &&
		    import->ipc.device_id == handle->device_id &&
		    import->ipc.offset_b == handle->offset_b)
			return import->mappings;
	}
	return NULL;
}

MUresult mt_ipc_memory_open(struct mt_ctx *ctx, const struct mt_ipc_memory *handle,
			    uint64_t *va_out)
{
	struct mt_memory *memory = ctx->memory;
	struct mt_import *import;
	struct mapping *mapping;
	MUresult ret;
	int fd;

	if (handle->magic != IPC_MAGIC || !handle->size_b || handle->offset_b > handle->object_b ||
	    handle->size_b > handle->object_b - handle->offset_b)
		return MUSA_ERROR_INVALID_HANDLE;
	if (handle->pid == getpid())
		return MUSA_ERROR_INVALID_CONTEXT;
	pthread_mutex_lock(&memory->lock);
	mapping = find_opened(memory, handle);
	if (mapping) {
		mapping->count++;
		*va_out = mapping->va;
		pthread_mutex_unlock(&memory->lock);
		return MUSA_SUCCESS;
	}
	ret = open_foreign(handle, &fd);
	if (ret)
		goto unlock;
	ret = create_import(ctx, fd, handle->object_b, &import);
	close(fd);
	if (ret)
		goto unlock;
	import->ipc = *handle;
	link_import(import);
	ret = map_range(import, handle->offset_b, handle->size_b, va_out);
	if (ret)
		release_import(import);
unlock:
	pthread_mutex_unlock(&memory->lock);
	return ret;
}

MUresult mt_ipc_memory_close(uint64_t va)
{
	struct mt_mem_info info;
	struct mt_ctx *ctx;
	MUresult ret;

	if (!mt_mem_find(va, &info) || info.base != va || info.kind != MT_ALLOC_IMPORTED)
		return MUSA_ERROR_INVALID_VALUE;
	ctx = mt_ctx_primary_peek(info.device);
	if (!ctx)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_ctx_wait_idle(ctx);
	return ret ? ret : unmap_range(ctx->memory, va, true);
}

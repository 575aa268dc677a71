/* SPDX-License-Identifier: MIT */
/*
 * Memory from elsewhere: imported through a file descriptor, or opened through an IPC handle.
 */
#ifndef MT_DRV_EXT_MEMORY_H
#define MT_DRV_EXT_MEMORY_H

#include <stdint.h>

#include "drv/context.h"
#include "drv/memory.h"
#include "drv/result.h"

struct mt_import;

/**
 * mt_ext_memory_import() - Memory of a file descriptor.
 * @fd:		Taken over on success; stays the caller's on failure.
 * @out:	[out] MUexternalMemory.
 */
MUresult mt_ext_memory_import(struct mt_ctx *ctx, int fd, uint64_t size_b, uint64_t *out);
/* As a program describes it: a file descriptor is the only type there is. */
MUresult mt_ext_memory_open(struct mt_ctx *ctx, unsigned int type, int fd, uint64_t size_b,
			    unsigned int flags, uint64_t *out);
MUresult mt_ext_memory_get(uint64_t handle, struct mt_import **import_out); /* INVALID_HANDLE */

/* The handle dies; the memory lives until its last mapping is freed. */
void mt_ext_memory_destroy(struct mt_import *import);

/* A device address for part of it, to be given back by musaFree. Mapping the same part again gives
 * the same address; parts that overlap otherwise are NOT_SUPPORTED. */
MUresult mt_ext_memory_map(struct mt_import *import, uint64_t offset_b, uint64_t size_b,
			   uint64_t *va_out);

/* musaFree of such an address; INVALID_VALUE for one of an IPC handle. */
MUresult mt_ext_memory_unmap(const struct mt_mem_info *info);

/**
 * mt_mem_export_fd() - Descriptor of the buffer object that a device allocation lies in.
 * @fd_out:	[out] The caller's, to be closed.
 * @offset_out:	[out] Where the allocation starts in it.
 *
 * INVALID_VALUE for anything but memory of musaMalloc.
 */
MUresult mt_mem_export_fd(uint64_t va, int *fd_out, uint64_t *offset_out, uint64_t *object_b_out);

/* IPC handles; 64 bytes as the API has them. */
struct mt_ipc_memory {
	uint64_t magic;
	int32_t pid, fd;           /* of the exporting process */
	uint64_t device_id, inode; /* of the descriptor's file: a stale handle is found out */
	uint64_t object_b;
	uint64_t offset_b, size_b; /* the allocation in it */
	uint64_t reserved0;
};

MUresult mt_ipc_memory_export(uint64_t va, struct mt_ipc_memory *handle_out);

/* Errors: INVALID_CONTEXT in the process that exported it, INVALID_HANDLE if it is stale or none,
 * NOT_PERMITTED if the exporter may not be looked into. Opening twice gives the same address. */
MUresult mt_ipc_memory_open(struct mt_ctx *ctx, const struct mt_ipc_memory *handle,
			    uint64_t *va_out);
MUresult mt_ipc_memory_close(uint64_t va); /* INVALID_VALUE if it was not opened */

#endif

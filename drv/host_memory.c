/* SPDX-License-Identifier: MIT */
/*
 * Pinned host memory: allocated by the runtime, or the program's own and registered.
 */
#include "drv/memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drv/mem_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "musa_runtime_api.h"

#define HOST_ALLOC_FLAGS (musaHostAllocPortable | musaHostAllocMapped | musaHostAllocWriteCombined)
#define HOST_REGISTER_FLAGS                                                                        \
	(musaHostRegisterPortable | musaHostRegisterMapped | musaHostRegisterIoMemory |            \
	 musaHostRegisterReadOnly)

struct mt_registration {
	struct mt_hw_bo *bo; /* owned: the pinned pages */
	uint64_t base;
	struct mt_registration *next, **link;
};

MUresult mt_mem_host_alloc(struct mt_ctx *ctx, uint64_t size_b, unsigned int flags, void **out)
{
	struct mt_memory *memory = ctx->memory;
	struct mt_mem_info info = {.kind = MT_ALLOC_PINNED, .type = MT_MEM_PINNED};
	struct mt_heap_block *block;
	MUresult ret;

	if (flags & ~(unsigned int)HOST_ALLOC_FLAGS)
		return MUSA_ERROR_INVALID_VALUE;
	if (!size_b) {
		*out = NULL;
		return MUSA_SUCCESS;
	}
	ret = mt_memory_take(memory, &memory->host, size_b, &block);
	if (ret)
		return ret;
	info.base = info.host_va = block->va;
	info.size_b = size_b;
	info.device = ctx->device;
	info.flags = flags;
	info.owner = block;
	ret = mt_mem_add(&info);
	if (ret) {
		mt_heap_free(&memory->host, block);
		return ret;
	}
	*out = (void *)(uintptr_t)block->va;
	return MUSA_SUCCESS;
}

/* The range of this kind that starts at `memory`, once its device has nothing left to do. */
static MUresult find_idle(const void *memory, enum mt_alloc_kind kind, MUresult missing)
{
	uint64_t va = (uint64_t)(uintptr_t)memory;
	struct mt_mem_info info;
	struct mt_ctx *ctx;

	if (!mt_mem_find(va, &info) || info.base != va || info.kind != kind)
		return missing;
	ctx = mt_ctx_primary_peek(info.device);
	return ctx ? mt_ctx_wait_idle(ctx) : missing;
}

MUresult mt_mem_host_free(void *memory)
{
	struct mt_mem_info info;
	struct mt_heap_block *block;
	MUresult ret;

	if (!memory)
		return MUSA_SUCCESS;
	ret = find_idle(memory, MT_ALLOC_PINNED, MUSA_ERROR_INVALID_VALUE);
	if (ret)
		return ret;
	if (!mt_mem_map_take_kind((uint64_t)(uintptr_t)memory, 1u << MT_ALLOC_PINNED, &info))
		return MUSA_ERROR_INVALID_VALUE;
	block = info.owner;
	mt_heap_free(block->slab->heap, block);
	return MUSA_SUCCESS;
}

/* Whether all pages of a range are there. */
static bool is_mapped(const void *memory, uint64_t size_b)
{
	uint64_t page_b = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t first = (uint64_t)(uintptr_t)memory & ~(page_b - 1);
	uint64_t end = (uint64_t)(uintptr_t)memory + size_b;

	return !msync((void *)(uintptr_t)first, end - first, MS_ASYNC);
}

static MUresult pin(struct mt_ctx *ctx, void *memory, uint64_t size_b, bool read_only,
		    struct mt_hw_bo **bo_out)
{
	struct mt_hw_bo *bo;
	MUresult ret;
	int error = ctx->hw->ops->bo_from_user(ctx->hw, memory, size_b, read_only, &bo);

	if (error == -EFAULT)
		return MUSA_ERROR_INVALID_VALUE;
	if (error)
		return mt_result_from_errno(ctx->hw, error);
	/* Programs hand the CPU's address to the device. */
	if (bo->va > (uint64_t)(uintptr_t)memory ||
	    bo->va + bo->size_b < (uint64_t)(uintptr_t)memory + size_b) {
		mt_log(MT_LOG_WARN, "pinned memory has another address on the device");
		ret = MUSA_ERROR_NOT_SUPPORTED;
		goto destroy_bo;
	}
	ret = mt_mem_share_bo(ctx, bo);
	if (ret)
		goto destroy_bo;
	*bo_out = bo;
	return MUSA_SUCCESS;

destroy_bo:
	ctx->hw->ops->bo_destroy(bo);
	return ret;
}

static void link_registration(struct mt_memory *memory, struct mt_registration *registration)
{
	pthread_mutex_lock(&memory->lock);
	registration->next = memory->registrations;
	registration->link = &memory->registrations;
	if (registration->next)
		registration->next->link = &registration->next;
	memory->registrations = registration;
	pthread_mutex_unlock(&memory->lock);
}

static void unlink_registration(struct mt_memory *memory, struct mt_registration *registration)
{
	pthread_mutex_lock(&memory->lock);
	*registration->link = registration->next;
	if (registration->next)
		registration->next->link = registration->link;
	pthread_mutex_unlock(&memory->lock);
}

static void destroy_registration(struct mt_registration *registration)
{
	mt_mem_destroy_shared_bo(registration->bo);
	mt_free(registration);
}

MUresult mt_mem_host_register(struct mt_ctx *ctx, void *memory, uint64_t size_b, unsigned int flags)
{
	uint64_t base = (uint64_t)(uintptr_t)memory;
	struct mt_registration *registration;
	struct mt_mem_info info = {
		.base = base,
		.size_b = size_b,
		.kind = MT_ALLOC_REGISTERED,
		.type = MT_MEM_PINNED,
		.device = ctx->device,
		.flags = flags,
		.host_va = base,
	};
	MUresult ret;

	if (!memory || !size_b || base + size_b < base ||
	    (flags & ~(unsigned int)HOST_REGISTER_FLAGS))
		return MUSA_ERROR_INVALID_VALUE;
	if (flags & musaHostRegisterIoMemory)
		return MUSA_ERROR_NOT_SUPPORTED;
	if (mt_mem_map_overlaps(base, size_b))
		return MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	if (!is_mapped(memory, size_b))
		return MUSA_ERROR_INVALID_VALUE;
	registration = mt_calloc(1, sizeof(*registration));
	if (!registration)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = pin(ctx, memory, size_b, flags & musaHostRegisterReadOnly, &registration->bo);
	if (ret)
		goto free_registration;
	registration->base = base;
	link_registration(ctx->memory, registration);
	info.owner = registration;
	ret = mt_mem_add(&info);
	if (ret)
		goto unlink;
	return MUSA_SUCCESS;

unlink:
	unlink_registration(ctx->memory, registration);
	mt_mem_destroy_shared_bo(registration->bo);
free_registration:
	mt_free(registration);
	return ret == MUSA_ERROR_ALREADY_MAPPED ? MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED : ret;
}

MUresult mt_mem_host_unregister(void *memory)
{
	struct mt_mem_info info;
	struct mt_ctx *ctx;
	MUresult ret;

	if (!memory)
		return MUSA_ERROR_INVALID_VALUE;
	ret = find_idle(memory, MT_ALLOC_REGISTERED, MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	if (ret)
		return ret;
	if (!mt_mem_map_take_kind((uint64_t)(uintptr_t)memory, 1u << MT_ALLOC_REGISTERED, &info))
		return MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	ctx = mt_ctx_primary_peek(info.device);
	unlink_registration(ctx->memory, info.owner);
	destroy_registration(info.owner);
	return MUSA_SUCCESS;
}

/* Memory with an address for the host and one for devices. */
static MUresult find_pinned(const void *memory, struct mt_mem_info *info)
{
	if (!mt_mem_find((uint64_t)(uintptr_t)memory, info) ||
	    (info->type != MT_MEM_PINNED && info->type != MT_MEM_MANAGED))
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

MUresult mt_mem_host_address(const void *memory, uint64_t *va_out)
{
	struct mt_mem_info info;
	MUresult ret = find_pinned(memory, &info);

	if (!ret)
		*va_out = info.base + ((uint64_t)(uintptr_t)memory - info.host_va);
	return ret;
}

MUresult mt_mem_host_flags(const void *memory, unsigned int *flags_out)
{
	struct mt_mem_info info;
	MUresult ret = find_pinned(memory, &info);

	if (!ret && info.type != MT_MEM_PINNED)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*flags_out = info.flags;
	return ret;
}

void mt_register_finish(struct mt_memory *memory)
{
	struct mt_registration *registration, *next;

	for (registration = memory->registrations; registration; registration = next) {
		next = registration->next;
		mt_mem_remove(registration->base);
		destroy_registration(registration);
	}
	memory->registrations = NULL;
}

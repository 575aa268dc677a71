/* SPDX-License-Identifier: MIT */
/*
 * Advice, prefetches and range attributes of managed memory; and access between devices. All memory
 * is reachable from every device anyhow, so both are books that are kept for the program.
 */
#include "drv/capture.h"
#include "drv/mem_internal.h"
#include "drv/stream.h"

#define LOCATION_HOST    (-1)
#define LOCATION_NOWHERE (-2)
#define ACCESSED_HOST    (1u << 31)

static MUresult find(uint64_t va, uint64_t size_b, struct mt_managed **managed_out)
{
	const struct mt_heap_block *block;
	struct mt_mem_info info;

	if (!size_b || !mt_mem_find(va, &info) || info.kind != MT_ALLOC_MANAGED ||
	    size_b > info.base + info.size_b - va)
		return MUSA_ERROR_INVALID_VALUE;
	block = info.owner;
	*managed_out = block->user;
	return MUSA_SUCCESS;
}

static MUresult check_location(int location)
{
	if (location < LOCATION_HOST || (location >= 0 && (uint32_t)location >= mt_device_count()))
		return MUSA_ERROR_INVALID_DEVICE;
	return MUSA_SUCCESS;
}

MUresult mt_mem_advise(uint64_t va, uint64_t size_b, int advice, int location)
{
	uint32_t bit = location < 0 ? ACCESSED_HOST : 1u << (location & 31);
	struct mt_managed *managed;
	MUresult ret = find(va, size_b, &managed);

	if (ret)
		return ret;
	if (advice < MU_MEM_ADVISE_SET_READ_MOSTLY || advice > MU_MEM_ADVISE_UNSET_ACCESSED_BY)
		return MUSA_ERROR_INVALID_VALUE;
	if (advice >= MU_MEM_ADVISE_SET_PREFERRED_LOCATION &&
	    advice != MU_MEM_ADVISE_UNSET_PREFERRED_LOCATION) {
		ret = check_location(location);
		if (ret)
			return ret;
	}
	pthread_mutex_lock(&managed->lock);
	switch (advice) {
	case MU_MEM_ADVISE_SET_READ_MOSTLY:
		managed->read_mostly = true;
		break;
	case MU_MEM_ADVISE_UNSET_READ_MOSTLY:
		managed->read_mostly = false;
		break;
	case MU_MEM_ADVISE_SET_PREFERRED_LOCATION:
		managed->preferred = location;
		break;
	case MU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
		managed->preferred = LOCATION_NOWHERE;
		break;
	case MU_MEM_ADVISE_SET_ACCESSED_BY:
		managed->accessed |= bit;
		break;
	case MU_MEM_ADVISE_UNSET_ACCESSED_BY:
		managed->accessed &= ~bit;
		break;
	}
	pthread_mutex_unlock(&managed->lock);
	return MUSA_SUCCESS;
}

/* The host has no nodes that could be told apart. */
MUresult mt_mem_location(const MUmemLocation *location, int *number_out)
{
	switch ((int)location->type) {
	case MU_MEM_LOCATION_TYPE_DEVICE:
		if (location->id < 0)
			return MUSA_ERROR_INVALID_DEVICE;
		*number_out = location->id;
		return MUSA_SUCCESS;
	case MU_MEM_LOCATION_TYPE_HOST:
	case MU_MEM_LOCATION_TYPE_HOST_NUMA:
	case MU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
		*number_out = LOCATION_HOST;
		return MUSA_SUCCESS;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
}

MUresult mt_mem_advise_at(uint64_t va, uint64_t size_b, int advice, const MUmemLocation *location)
{
	int number = LOCATION_HOST;
	MUresult ret = MUSA_SUCCESS;

	/* Only these look at the place. */
	if (advice == MU_MEM_ADVISE_SET_PREFERRED_LOCATION ||
	    advice == MU_MEM_ADVISE_SET_ACCESSED_BY || advice == MU_MEM_ADVISE_UNSET_ACCESSED_BY)
		ret = mt_mem_location(location, &number);
	return ret ? ret : mt_mem_advise(va, size_b, advice, number);
}

MUresult mt_mem_prefetch(struct mt_stream *stream, uint64_t va, uint64_t size_b, int location,
			 const char *api)
{
	struct mt_managed *managed;
	MUresult ret;

	if (atomic_load_explicit(&stream->capture, memory_order_acquire))
		return mt_capture_ops->refuse(stream, api);
	ret = find(va, size_b, &managed);
	if (!ret)
		ret = check_location(location);
	if (ret)
		return ret;
	pthread_mutex_lock(&managed->lock);
	managed->prefetched = location;
	pthread_mutex_unlock(&managed->lock);
	return MUSA_SUCCESS;
}

MUresult mt_mem_attach(struct mt_stream *stream, uint64_t va, uint64_t size_b, unsigned int flags,
		       const char *api)
{
	struct mt_managed *managed;
	struct mt_mem_info info;

	if (atomic_load_explicit(&stream->capture, memory_order_acquire))
		return mt_capture_ops->refuse(stream, api);
	if (flags != MU_MEM_ATTACH_GLOBAL && flags != MU_MEM_ATTACH_HOST &&
	    flags != MU_MEM_ATTACH_SINGLE)
		return MUSA_ERROR_INVALID_VALUE;
	/* A whole allocation: its size, or 0 for it. */
	if (!mt_mem_find(va, &info) || info.base != va || (size_b && size_b != info.size_b))
		return MUSA_ERROR_INVALID_VALUE;
	return find(va, info.size_b, &managed);
}

/* Devices one after the other, the host last; the rest of the array says nowhere. */
static void list_accessed(uint32_t accessed, int *list, uint64_t count)
{
	uint64_t at = 0;

	for (int device = 0; device < 31 && at < count; device++) {
		if (accessed >> device & 1)
			list[at++] = device;
	}
	if ((accessed & ACCESSED_HOST) && at < count)
		list[at++] = LOCATION_HOST;
	while (at < count)
		list[at++] = LOCATION_NOWHERE;
}

static int location_type(int location)
{
	if (location == LOCATION_NOWHERE)
		return MU_MEM_LOCATION_TYPE_INVALID;
	return location == LOCATION_HOST ? MU_MEM_LOCATION_TYPE_HOST : MU_MEM_LOCATION_TYPE_DEVICE;
}

MUresult mt_mem_range_attribute(void *data, uint64_t data_b, int attribute, uint64_t va,
				uint64_t size_b)
{
	struct mt_managed *managed;
	MUresult ret = MUSA_SUCCESS;
	int *value = data;

	if (!data || !data_b || data_b % sizeof(int) ||
	    (attribute != MU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY && data_b != sizeof(int)))
		return MUSA_ERROR_INVALID_VALUE;
	ret = find(va, size_b, &managed);
	if (ret)
		return ret;
	pthread_mutex_lock(&managed->lock);
	switch (attribute) {
	case MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
		*value = managed->read_mostly;
		break;
	case MU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
		list_accessed(managed->accessed, data, data_b / sizeof(int));
		break;
	case MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
		*value = managed->preferred;
		break;
	case MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
		*value = managed->prefetched;
		break;
	case MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
		*value = location_type(managed->preferred);
		break;
	case MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
		*value = managed->preferred < 0 ? 0 : managed->preferred;
		break;
	case MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
		*value = location_type(managed->prefetched);
		break;
	case MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
		*value = managed->prefetched < 0 ? 0 : managed->prefetched;
		break;
	default:
		ret = MUSA_ERROR_INVALID_VALUE;
	}
	pthread_mutex_unlock(&managed->lock);
	return ret;
}

MUresult mt_mem_range_attributes(void **data, const size_t *data_b, const int *attributes,
				 size_t count, uint64_t va, uint64_t size_b)
{
	MUresult ret = MUSA_SUCCESS;

	if (!data || !data_b || !attributes || !count)
		return MUSA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count && !ret; i++)
		ret = mt_mem_range_attribute(data[i], data_b[i], attributes[i], va, size_b);
	return ret;
}

MUresult mt_mem_peer_enable(struct mt_ctx *ctx, uint32_t peer)
{
	uint32_t bit = 1u << peer;

	if (atomic_fetch_or_explicit(&ctx->memory->peers, bit, memory_order_relaxed) & bit)
		return MUSA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
	return MUSA_SUCCESS;
}

MUresult mt_mem_peer_disable(struct mt_ctx *ctx, uint32_t peer)
{
	uint32_t bit = 1u << peer;

	if (!(atomic_fetch_and_explicit(&ctx->memory->peers, ~bit, memory_order_relaxed) & bit))
		return MUSA_ERROR_PEER_ACCESS_NOT_ENABLED;
	return MUSA_SUCCESS;
}

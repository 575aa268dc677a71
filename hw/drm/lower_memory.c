/* SPDX-License-Identifier: MIT */
/*
 * Copies, fills and writes as DMA commands.
 *
 * A command names a buffer object and an offset, or memory of the process that nobody has
 * registered. What crosses from one object into the next is cut there.
 */
#include <errno.h>
#include <string.h>

#include "hw/drm/queue.h"

#define PATTERN_B    64u
#define WRITE_PART_B 4096u

/* One end of a command, and how many bytes it holds for. */
struct place {
	uint32_t type;
	uint64_t addr, offset_b, room_b;
};

/* Bytes of unknown memory from va up to the next known range. */
static uint64_t unknown_room(struct mt_drm_device *device, uint64_t va)
{
	uint64_t room_b = UINT64_MAX - va;
	uint32_t at;

	pthread_mutex_lock(&device->lock);
	at = mt_drm_ranges_index(&device->map, va);
	if (at < device->map.count)
		room_b = device->map.at[at].va - va;
	pthread_mutex_unlock(&device->lock);
	return room_b;
}

static int find_place(struct mt_drm_queue *queue, uint64_t va, struct mt_drm_range *cache,
		      struct place *place_out)
{
	struct mt_drm_device *device = queue->device;

	if (mt_drm_lower_find(queue, va, cache)) {
		place_out->type = MTGPU_DMA_ADDR_TYPE_BO_HANDLE;
		place_out->addr = cache->handle;
		place_out->offset_b = cache->offset_b + (va - cache->va);
		place_out->room_b = cache->size_b - (va - cache->va);
		return 0;
	}
	if (va - device->window_va < device->window_b || va < MT_DRM_PAGE_B)
		return mt_drm_lower_fault(queue, MT_HW_FAULT_ILLEGAL_ADDRESS, va,
					  "a copy or fill touches an address without memory");
	place_out->type = MTGPU_DMA_ADDR_TYPE_USER_PTR;
	place_out->addr = va;
	place_out->offset_b = 0;
	place_out->room_b = unknown_room(device, va);
	return 0;
}

static int copy_run(struct mt_drm_queue *queue, uint64_t dst, uint64_t src, uint64_t size_b)
{
	struct mt_drm_lower *lower = &queue->lower;
	struct drm_mtgpu_dma_cmd cmd;
	struct place to = {0}, from = {0};
	int ret = 0;

	while (size_b && !ret) {
		ret = find_place(queue, dst, &lower->dst, &to);
		if (!ret)
			ret = find_place(queue, src, &lower->src, &from);
		if (ret)
			break;
		cmd = (struct drm_mtgpu_dma_cmd){
			.src_type = from.type,
			.dst_type = to.type,
			.src_addr = from.addr,
			.dst_addr = to.addr,
			.src_offset = from.offset_b,
			.dst_offset = to.offset_b,
			.xfer_size = size_b,
		};
		if (cmd.xfer_size > to.room_b)
			cmd.xfer_size = to.room_b;
		if (cmd.xfer_size > from.room_b)
			cmd.xfer_size = from.room_b;
		ret = mt_drm_lower_cmd(queue, &cmd);
		dst += cmd.xfer_size;
		src += cmd.xfer_size;
		size_b -= cmd.xfer_size;
	}
	return ret;
}

int mt_drm_lower_copy(struct mt_drm_queue *queue, const struct mt_pkt_copy *packet)
{
	uint64_t width_b = packet->width_b, height = packet->height, depth = packet->depth;
	int ret = 0;

	/* Rows, and slices, that lie behind each other on both sides are one. */
	if (height > 1 && packet->dst_pitch_b == width_b && packet->src_pitch_b == width_b) {
		width_b *= height;
		height = 1;
	}
	if (depth > 1 && height == 1 && packet->dst_slice_b == width_b &&
	    packet->src_slice_b == width_b) {
		width_b *= depth;
		depth = 1;
	}
	for (uint64_t z = 0; z < depth && !ret; z++)
		for (uint64_t y = 0; y < height && !ret; y++)
			ret = copy_run(
				queue,
				packet->dst_va + z * packet->dst_slice_b + y * packet->dst_pitch_b,
				packet->src_va + z * packet->src_slice_b + y * packet->src_pitch_b,
				width_b);
	return ret;
}

/* 64 bytes of the value, for jobs to read. */
static int get_pattern(struct mt_drm_queue *queue, uint32_t value, uint32_t element_b,
		       uint64_t *va_out)
{
	struct mt_drm_lower *lower = &queue->lower;
	uint32_t word = element_b == 1   ? (value & 0xff) * 0x01010101u
			: element_b == 2 ? (value & 0xffff) * 0x00010001u
					 : value;
	uint32_t *words;
	uint64_t va;
	int ret;

	if (!lower->pattern_va || lower->pattern_value != word) {
		ret = mt_drm_scratch_take(queue, PATTERN_B, &va);
		if (ret)
			return ret;
		words = (uint32_t *)(uintptr_t)va;
		for (uint32_t i = 0; i < PATTERN_B / sizeof(*words); i++)
			words[i] = word;
		lower->pattern_va = va;
		lower->pattern_value = word;
	}
	*va_out = lower->pattern_va;
	return 0;
}

/* The first bytes come from the pattern, the others from what is there already, doubling. */
static int fill_run(struct mt_drm_queue *queue, uint64_t pattern_va, uint64_t dst, uint64_t size_b)
{
	uint64_t done_b = size_b < PATTERN_B ? size_b : PATTERN_B, part_b;
	int ret = copy_run(queue, dst, pattern_va, done_b);

	for (; done_b < size_b && !ret; done_b += part_b) {
		part_b = size_b - done_b < done_b ? size_b - done_b : done_b;
		ret = copy_run(queue, dst + done_b, dst, part_b);
	}
	return ret;
}

int mt_drm_lower_fill(struct mt_drm_queue *queue, const struct mt_pkt_fill *packet)
{
	uint64_t width_b = packet->width_b, height = packet->height, depth = packet->depth;
	uint64_t pattern_va;
	int ret = get_pattern(queue, packet->value, packet->element_b, &pattern_va);

	if (ret)
		return ret;
	if (height > 1 && packet->pitch_b == width_b) {
		width_b *= height;
		height = 1;
	}
	if (depth > 1 && height == 1 && packet->slice_b == width_b) {
		width_b *= depth;
		depth = 1;
	}
	ret = fill_run(queue, pattern_va, packet->dst_va, width_b);
	/* Further rows are copies of the first. */
	for (uint64_t z = 0; z < depth && !ret; z++)
		for (uint64_t y = z ? 0 : 1; y < height && !ret; y++)
			ret = copy_run(queue,
				       packet->dst_va + z * packet->slice_b + y * packet->pitch_b,
				       packet->dst_va, width_b);
	return ret;
}

/* Command memory is read at submission, so it is also written then; other memory in its turn. */
int mt_drm_lower_write(struct mt_drm_queue *queue, const struct mt_pkt_write *packet)
{
	uint64_t size_b = (packet->header.len_qw - 2u) * UINT64_C(8), done_b, part_b, va;
	struct mt_drm_range target = {0};
	int ret = 0;

	if (!mt_drm_lower_find(queue, packet->dst_va, &target) ||
	    target.size_b - (packet->dst_va - target.va) < size_b)
		return mt_drm_lower_fault(queue, MT_HW_FAULT_ILLEGAL_ADDRESS, packet->dst_va,
					  "a write touches an address without memory");
	if (target.command) {
		memcpy((void *)(uintptr_t)packet->dst_va, packet->data, size_b);
		return 0;
	}
	for (done_b = 0; done_b < size_b && !ret; done_b += part_b) {
		part_b = size_b - done_b < WRITE_PART_B ? size_b - done_b : WRITE_PART_B;
		ret = mt_drm_scratch_take(queue, (uint32_t)part_b, &va);
		if (ret)
			break;
		memcpy((void *)(uintptr_t)va, (const char *)packet->data + done_b, part_b);
		ret = copy_run(queue, packet->dst_va + done_b, va, part_b);
	}
	return ret;
}

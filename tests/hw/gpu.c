/* SPDX-License-Identifier: MIT */
/*
 * A mock device with command memory.
 */
#include "tests/hw/gpu.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND_B (8u << 20)
#define ARGS_B    (4u << 20)
#define DATA_B    (64u << 20)

static void need(int ret, const char *what)
{
	cr_assert_eq(ret, 0, "%s: error %d", what, ret);
}

void t_open(struct t_gpu *gpu)
{
	size_t size_b;
	const void *code = t_kernels(&size_b);

	memset(gpu, 0, sizeof(*gpu));
	setenv("MUSA_BACKEND", "mock", 1);
	setenv("MUSA_MOCK_MEMORY", "256M", 0);
	need(mt_hw_init(&gpu->devices, &gpu->device_count), "mt_hw_init");
	gpu->dev = gpu->devices[0];
	need(gpu->dev->ops->queue_create(gpu->dev, 0, &gpu->queue), "queue");
	need(gpu->dev->ops->bo_create(gpu->dev, size_b, MT_HW_CODE, 0, &gpu->code), "code");
	need(gpu->dev->ops->bo_map_cpu(gpu->code), "map code");
	memcpy(gpu->code->cpu, code, size_b);
	need(gpu->dev->ops->bo_create(gpu->dev, COMMAND_B, MT_HW_COMMAND, 0, &gpu->command),
	     "command memory");
	need(gpu->dev->ops->bo_create(gpu->dev, DATA_B, MT_HW_DEVICE, 0, &gpu->data), "data");
	gpu->args_at = gpu->command->cpu;
	gpu->at = (char *)gpu->command->cpu + ARGS_B;
	gpu->data_at = gpu->data->va;
}

void t_close(struct t_gpu *gpu)
{
	gpu->dev->ops->queue_destroy(gpu->queue);
	gpu->dev->ops->bo_destroy(gpu->data);
	gpu->dev->ops->bo_destroy(gpu->command);
	gpu->dev->ops->bo_destroy(gpu->code);
	mt_hw_finish();
}

uint64_t t_code(struct t_gpu *gpu, t_kernel kernel)
{
	size_t size_b;

	return gpu->code->va + (uint64_t)((uintptr_t)kernel - (uintptr_t)t_kernels(&size_b));
}

uint64_t *t_data(struct t_gpu *gpu, size_t size_b)
{
	uint64_t va = gpu->data_at;

	gpu->data_at += (size_b + 63) / 64 * 64;
	cr_assert_leq(gpu->data_at, gpu->data->va + DATA_B);
	return (uint64_t *)(uintptr_t)va;
}

uint64_t t_args(struct t_gpu *gpu, uint64_t first, uint64_t second)
{
	uint64_t *args = (uint64_t *)(void *)gpu->args_at;

	gpu->args_at += 64;
	cr_assert_leq(gpu->args_at, (char *)gpu->command->cpu + ARGS_B);
	args[0] = first;
	args[1] = second;
	return (uint64_t)(uintptr_t)args;
}

struct mt_pkt_dispatch *t_dispatch(struct t_gpu *gpu, uint8_t flags, uint32_t node, t_kernel kernel,
				   uint64_t first, uint64_t second)
{
	struct mt_pkt_dispatch values = {
		.header = {.flags = flags, .node = node},
		.code_va = t_code(gpu, kernel),
		.kernarg_va = t_args(gpu, first, second),
		.kernarg_b = 16,
		.grid_x = 1,
		.grid_y = 1,
		.grid_z = 1,
		.block_x = 1,
		.block_y = 1,
		.block_z = 1,
	};
	void *at = gpu->at;

	gpu->at = mt_pkt_put_dispatch(at, &values);
	return at;
}

struct mt_pkt_copy *t_copy(struct t_gpu *gpu, uint8_t flags, uint32_t node, const void *dst,
			   const void *src, uint64_t size_b)
{
	struct mt_pkt_copy values = {
		.header = {.flags = flags, .node = node},
		.dst_va = (uintptr_t)dst,
		.src_va = (uintptr_t)src,
		.width_b = size_b,
		.height = 1,
		.depth = 1,
	};
	void *at = gpu->at;

	gpu->at = mt_pkt_put_copy(at, &values);
	return at;
}

struct mt_pkt_fill *t_fill(struct t_gpu *gpu, uint8_t flags, uint32_t node, const void *dst,
			   uint64_t size_b, uint32_t value, uint32_t element_b)
{
	struct mt_pkt_fill values = {
		.header = {.flags = flags, .node = node},
		.dst_va = (uintptr_t)dst,
		.width_b = size_b,
		.height = 1,
		.depth = 1,
		.value = value,
		.element_b = element_b,
	};
	void *at = gpu->at;

	gpu->at = mt_pkt_put_fill(at, &values);
	return at;
}

void t_wait(struct t_gpu *gpu, uint8_t flags, uint32_t node, const void *word, uint64_t value)
{
	gpu->at = mt_pkt_put_wait(gpu->at, flags, node, (uintptr_t)word, value);
}

void t_signal(struct t_gpu *gpu, uint8_t flags, uint32_t node, const void *word, uint64_t value)
{
	gpu->at = mt_pkt_put_signal(gpu->at, flags, node, (uintptr_t)word, value);
}

void t_end(struct t_gpu *gpu)
{
	gpu->at = mt_pkt_put_end(gpu->at, MT_PKT_NODE_NONE);
}

int t_submit_on(struct mt_hw_queue *queue, uint64_t lane_va)
{
	struct mt_hw_submit submit = {.lane_va = &lane_va, .lane_count = 1};

	return mt_hw_queue_submit(queue, &submit);
}

int t_submit_lanes(struct t_gpu *gpu, const uint64_t *lane_va, uint32_t count, uint64_t prologue_va)
{
	uint64_t *table = (uint64_t *)(void *)gpu->args_at;
	struct mt_hw_submit submit = {
		.lane_va = lane_va,
		.lane_table_va = (uintptr_t)table,
		.lane_count = count,
		.prologue_va = prologue_va,
	};

	gpu->args_at += 64 * ((count * 8 + 63) / 64);
	memcpy(table, lane_va, count * sizeof(*table));
	return mt_hw_queue_submit(gpu->queue, &submit);
}

int t_finish(struct t_gpu *gpu)
{
	return mt_hw_queue_wait(gpu->queue, gpu->queue->submitted, -1);
}

int t_run(struct t_gpu *gpu, uint64_t lane_va)
{
	int ret = t_submit_on(gpu->queue, lane_va);

	return ret ? ret : t_finish(gpu);
}

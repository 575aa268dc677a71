/* SPDX-License-Identifier: MIT */
/*
 * Proves that every wrong packet, address and kernel stops the device with an error that names the
 * node, and that nothing hangs afterwards.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hw/gpu.h"

#define NODE 77u

static struct t_gpu gpu;

static void open_gpu(void)
{
	t_open(&gpu);
}

static void close_gpu(void)
{
	t_close(&gpu);
}

TestSuite(faults, .init = open_gpu, .fini = close_gpu, .timeout = 60);

/* Runs the lane, which must end with this fault of node NODE. */
static void expect(uint64_t start, enum mt_hw_fault_code code, const char *text)
{
	struct mt_hw_fault fault;
	uint64_t again = t_here(&gpu);

	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), -EIO);
	gpu.dev->ops->device_fault(gpu.dev, &fault);
	cr_assert_eq(fault.code, code, "fault %d (%s), not %d", fault.code, fault.text, code);
	cr_assert_eq(fault.node, NODE, "node %u: %s", fault.node, fault.text);
	cr_assert_eq(fault.queue, gpu.queue->id);
	cr_assert_eq(fault.seq, 1);
	cr_assert_not_null(strstr(fault.text, text), "'%s' is not in '%s'", text, fault.text);
	cr_assert_not_null(strstr(fault.text, "node 77"), "%s", fault.text);
	cr_assert_eq(atomic_load(&gpu.dev->fault), code);
	cr_assert_eq(t_submit_on(gpu.queue, again), -EIO, "the device has stopped for good");
}

Test(faults, unknown_opcode)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0)->header.opcode = 0x3f;
	expect(start, MT_HW_FAULT_BAD_PACKET, "unknown opcode");
}

Test(faults, bad_length)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0)->header.len_qw = 7;
	expect(start, MT_HW_FAULT_BAD_PACKET, "length");
}

Test(faults, unknown_flag)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0)->header.flags = 0x80;
	expect(start, MT_HW_FAULT_BAD_PACKET, "flag");
}

Test(faults, reserved_field)
{
	uint64_t start = t_here(&gpu);

	t_copy(&gpu, 0, NODE, t_data(&gpu, 8), t_data(&gpu, 8), 8)->reserved0 = 1;
	expect(start, MT_HW_FAULT_BAD_PACKET, "reserved");
}

Test(faults, empty_grid)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0)->grid_y = 0;
	expect(start, MT_HW_FAULT_BAD_PACKET, "grid");
}

Test(faults, large_block)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0)->block_x = 1025;
	expect(start, MT_HW_FAULT_BAD_PACKET, "1025");
}

Test(faults, shared_memory)
{
	uint64_t start = t_here(&gpu);
	struct mt_pkt_dispatch *packet = t_dispatch(&gpu, 0, NODE, k_empty, 0, 0);

	packet->static_shared_b = 1;
	packet->dynamic_shared_b = gpu.dev->info.shared_block_b - 15;
	expect(start, MT_HW_FAULT_RESOURCES, "shared memory");
}

Test(faults, code_is_not_code)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0)->code_va = (uintptr_t)t_data(&gpu, 64);
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "no code");
}

/* An address with a page of memory in front of it and nothing behind. */
static uint64_t an_edge(void)
{
	static struct mt_hw_bo *page;
	uint64_t va;

	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, 4096, MT_HW_DEVICE, MT_HW_BO_NO_MAP, &page),
		     0);
	cr_assert_eq(gpu.dev->ops->va_reserve(gpu.dev, 8192, 4096, &va), 0);
	cr_assert_eq(gpu.dev->ops->bo_map(page, 0, 4096, va), 0);
	return va + 4096;
}

Test(faults, arguments_unmapped)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0)->kernarg_va = an_edge();
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "arguments");
}

Test(faults, arguments_misaligned)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0)->kernarg_va += 8;
	expect(start, MT_HW_FAULT_BAD_PACKET, "multiple of 64");
}

Test(faults, copy_from_nowhere)
{
	uint64_t start = t_here(&gpu);

	t_copy(&gpu, 0, NODE, t_data(&gpu, 64), (void *)(uintptr_t)an_edge(), 64);
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "source");
}

Test(faults, copy_past_the_end)
{
	uint64_t start = t_here(&gpu);

	t_copy(&gpu, 0, NODE, (void *)(uintptr_t)(an_edge() - 63), t_data(&gpu, 64), 64);
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "destination");
}

/* Host memory that does not exist is found when it is touched. */
Test(faults, copy_from_null)
{
	uint64_t start = t_here(&gpu);

	t_copy(&gpu, 0, NODE, t_data(&gpu, 64), (void *)64, 64);
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "access to 0x");
}

Test(faults, fill_misaligned)
{
	uint64_t start = t_here(&gpu);

	t_fill(&gpu, 0, NODE, (char *)t_data(&gpu, 64) + 2, 8, 1, 4);
	expect(start, MT_HW_FAULT_MISALIGNED, "aligned");
}

Test(faults, wait_unmapped)
{
	uint64_t start = t_here(&gpu);

	t_wait(&gpu, 0, NODE, (void *)(uintptr_t)an_edge(), 1);
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "WAIT");
}

Test(faults, signal_misaligned_pair)
{
	struct mt_pkt_pair *pair = (void *)t_data(&gpu, 16);
	uint64_t start = t_here(&gpu);

	pair->semaphore_va = (uintptr_t)pair + 4;
	t_signal(&gpu, MT_PKT_SIGNAL_INDIRECT, NODE, pair, 0);
	expect(start, MT_HW_FAULT_MISALIGNED, "SIGNAL");
}

Test(faults, jump_nowhere)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_empty, 0, 0);
	gpu.at = mt_pkt_put_jump(gpu.at, 0, NODE, 4096);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), -EIO);
	cr_assert_eq(atomic_load(&gpu.dev->fault), MT_HW_FAULT_ILLEGAL_ADDRESS);
}

Test(faults, return_without_call)
{
	uint64_t start = t_here(&gpu);

	gpu.at = mt_pkt_put_return(gpu.at, 0, NODE);
	expect(start, MT_HW_FAULT_BAD_PACKET, "RETURN");
}

Test(faults, call_too_deep)
{
	uint64_t start = t_here(&gpu);

	gpu.at = mt_pkt_put_call(gpu.at, 0, NODE, start);
	expect(start, MT_HW_FAULT_BAD_PACKET, "CALL");
}

Test(faults, end_inside_call)
{
	uint64_t start = t_here(&gpu);

	gpu.at = mt_pkt_put_call(gpu.at, 0, NODE, start + 16);
	gpu.at = mt_pkt_put_end(gpu.at, NODE);
	expect(start, MT_HW_FAULT_BAD_PACKET, "END");
}

Test(faults, packet_past_the_end)
{
	uint64_t start = an_edge() - 8;
	struct mt_pkt_header *packet = (void *)(uintptr_t)start;

	*packet = (struct mt_pkt_header){.opcode = MT_PKT_OP_DISPATCH, .len_qw = 8, .node = NODE};
	expect(start, MT_HW_FAULT_BAD_PACKET, "ends outside");
}

Test(faults, null_write)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_null_write, 0, 0);
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "0x10");
}

/* The crash is found on whichever worker the block ran. */
Test(faults, null_write_in_grid)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_null_write, 0, 0)->grid_x = 1000;
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "0x10");
}

Test(faults, division_by_zero)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_divide, 0, 0);
	expect(start, MT_HW_FAULT_KERNEL, "division");
}

Test(faults, undefined_instruction)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_undefined, 0, 0);
	expect(start, MT_HW_FAULT_KERNEL, "illegal instruction");
}

Test(faults, trap)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_trap, 0, 0);
	expect(start, MT_HW_FAULT_KERNEL, "trap");
}

Test(faults, grid_barrier_without_cooperation)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_grid_barrier, 0, 0);
	expect(start, MT_HW_FAULT_KERNEL, "grid barrier");
}

Test(faults, barrier_outside_threads)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_bad_barrier, 0, 0);
	expect(start, MT_HW_FAULT_KERNEL, "barrier");
}

Test(faults, threads_wait_for_ever)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_deadlock, 0, 0)->block_x = 64;
	expect(start, MT_HW_FAULT_KERNEL, "for ever");
}

/* A thread whose arrays do not fit its stack hits the guard. */
Test(faults, stack_overflow)
{
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, NODE, k_overflow, 0, 0)->block_x = 64;
	expect(start, MT_HW_FAULT_ILLEGAL_ADDRESS, "not mapped");
}

/* All waiters are released, on other queues, too. */
Test(faults, others_are_released)
{
	struct mt_hw_queue *other;
	uint64_t start = t_here(&gpu), *gate = t_data(&gpu, 8);

	cr_assert_eq(gpu.dev->ops->queue_create(gpu.dev, 0, &other), 0);
	t_wait(&gpu, 0, 1, gate, 1);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(other, start), 0);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, NODE, k_trap, 0, 0);
	expect(start, MT_HW_FAULT_KERNEL, "trap");
	cr_assert_eq(mt_hw_queue_wait(other, 1, -1), -EIO);
	gpu.dev->ops->queue_destroy(other);
}

/* SPDX-License-Identifier: MIT */
/* Time stamps around the nodes of an exec: their memory, and their way into the trace. */
#include "graph/exec_times.h"

#include <string.h>

#include "graph/trace.h"

#define PATIENCE_NS 1000000000

MUresult mt_exec_times_create(struct mt_exec *exec)
{
	size_t count = exec->node_count;
	struct mt_exec_times *times = mt_arena_alloc(&exec->arena, sizeof(*times), 8);

	if (!times)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memset(times, 0, sizeof(*times));
	times->stamps = mt_arena_alloc(&exec->arena, count * sizeof(*times->stamps), 4);
	times->queues = mt_arena_alloc(&exec->arena, count, 1);
	if (!times->stamps || !times->queues)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memset(times->stamps, 0xff, count * sizeof(*times->stamps));
	exec->times = times;
	return MUSA_SUCCESS;
}

static uint64_t *stamps_of(const struct mt_exec *exec, uint32_t node)
{
	mt_place place = exec->times->stamps[node];

	return place == MT_PLACE_NONE ? NULL : mt_chain_cpu(&exec->chain, place);
}

bool mt_exec_times_get(const struct mt_exec *exec, uint32_t node, uint64_t times_out[2])
{
	const uint64_t *stamps = stamps_of(exec, node);

	if (!stamps)
		return false;
	memcpy(times_out, stamps, MT_EXEC_STAMPS_B);
	return times_out[0] && times_out[1] >= times_out[0];
}

void mt_exec_times_collect(struct mt_exec *exec, bool wait)
{
	struct mt_exec_times *times = exec->times;
	struct mt_trace_times lines;
	uint64_t entry[4];
	uint64_t *stamps;
	uint32_t node;

	if (!times->pending)
		return;
	if (wait && !mt_exec_is_idle(exec))
		(void)mt_hw_queue_wait(exec->last.queue, exec->last.seq, PATIENCE_NS);
	if (!mt_exec_is_idle(exec)) {
		mt_trace_times_lost(exec, times->launches - 1);
		return;
	}
	times->pending = false;
	mt_trace_times_begin(&lines, exec->handle, times->launches - 1);
	for (node = 0; node < exec->node_count; node++) {
		if (!mt_exec_times_get(exec, node, &entry[2]))
			continue;
		entry[0] = node;
		entry[1] = times->queues[node];
		mt_trace_times_node(&lines, entry);
		stamps = stamps_of(exec, node);
		stamps[0] = stamps[1] = 0; /* a body need not run in the next launch */
	}
	mt_trace_times_end(&lines);
}

/* SPDX-License-Identifier: MIT */
/* Copies of ops that own what they point to, and their end. */
#include "drv/op.h"

#include <string.h>

#include "drv/event.h"
#include "drv/ext_semaphore.h"
#include "hw/base/alloc.h"
#include "hw/base/arena.h"

static void *take_memory(struct mt_arena *arena, size_t size_b, size_t align_b)
{
	return arena ? mt_arena_alloc(arena, size_b, align_b) : mt_alloc_aligned(align_b, size_b);
}

static void *copy_memory(struct mt_arena *arena, const void *src, size_t size_b, size_t align_b)
{
	void *copy = take_memory(arena, size_b, align_b);

	if (copy)
		memcpy(copy, src, size_b);
	return copy;
}

static MUresult copy_kernel(struct mt_op_kernel *kernel, struct mt_arena *arena)
{
	void *args = NULL;

	if (kernel->args_b) {
		args = copy_memory(arena, kernel->args, kernel->args_b, 64);
		if (!args)
			return MUSA_ERROR_OUT_OF_MEMORY;
	}
	if (kernel->attrs) {
		kernel->attrs = copy_memory(arena, kernel->attrs, sizeof(*kernel->attrs), 16);
		if (!kernel->attrs) {
			if (!arena)
				mt_free(args);
			return MUSA_ERROR_OUT_OF_MEMORY;
		}
	}
	kernel->args = args;
	return MUSA_SUCCESS;
}

static MUresult copy_semaphores(struct mt_op_sem *sem, struct mt_arena *arena)
{
	if (!sem->count)
		return MUSA_SUCCESS;
	sem->params = copy_memory(arena, sem->params, sem->count * sizeof(*sem->params), 16);
	if (!sem->params)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < sem->count; i++)
		mt_ext_semaphore_ref(sem->params[i].semaphore);
	return MUSA_SUCCESS;
}

MUresult mt_op_copy_in(struct mt_op *dst, const struct mt_op *src, struct mt_arena *arena)
{
	struct mt_op op = *src;
	MUresult ret = MUSA_SUCCESS;

	switch ((enum mt_op_type)src->type) {
	case MT_OP_KERNEL:
		ret = copy_kernel(&op.kernel, arena);
		break;
	case MT_OP_COPY:
		op.copy = copy_memory(arena, src->copy, sizeof(*op.copy), 16);
		ret = op.copy ? MUSA_SUCCESS : MUSA_ERROR_OUT_OF_MEMORY;
		break;
	case MT_OP_FILL:
		op.fill = copy_memory(arena, src->fill, sizeof(*op.fill), 16);
		ret = op.fill ? MUSA_SUCCESS : MUSA_ERROR_OUT_OF_MEMORY;
		break;
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
		mt_event_ref(op.event.event);
		break;
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		ret = copy_semaphores(&op.sem, arena);
		break;
	case MT_OP_HOST:
	case MT_OP_EMPTY:
	case MT_OP_CHILD:
	case MT_OP_ALLOC:
	case MT_OP_FREE:
	case MT_OP_BATCH_MEM:
	case MT_OP_CONDITIONAL:
		break;
	}
	if (!ret)
		*dst = op;
	return ret;
}

void mt_op_finish(struct mt_op *op, bool from_arena)
{
	void *memory[2] = {NULL, NULL};

	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		memory[0] = op->kernel.args;
		memory[1] = op->kernel.attrs;
		break;
	case MT_OP_COPY:
		memory[0] = op->copy;
		break;
	case MT_OP_FILL:
		memory[0] = op->fill;
		break;
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
		mt_event_unref(op->event.event);
		break;
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		for (uint32_t i = 0; i < op->sem.count; i++)
			mt_ext_semaphore_unref(op->sem.params[i].semaphore);
		memory[0] = op->sem.params;
		break;
	case MT_OP_HOST:
	case MT_OP_EMPTY:
	case MT_OP_CHILD:
	case MT_OP_ALLOC:
	case MT_OP_FREE:
	case MT_OP_BATCH_MEM:
	case MT_OP_CONDITIONAL:
		break;
	}
	if (!from_arena) {
		mt_free(memory[0]);
		mt_free(memory[1]);
	}
	memset(op, 0, sizeof(*op));
}

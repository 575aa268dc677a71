/* SPDX-License-Identifier: MIT */
/*
 * External semaphores as objects. Submitted work names their memory without holding a reference, so
 * a dropped one is kept until its context has been idle once.
 */
#include "drv/ext_semaphore.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "drv/mem_internal.h"
#include "drv/op.h"
#include "drv/stream_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"

MUresult mt_ext_semaphore_get(uint64_t handle, struct mt_ext_semaphore **semaphore_out)
{
	struct mt_ext_semaphore *semaphore = mt_handle_get(handle, MT_HANDLE_EXT_SEMAPHORE);

	if (!semaphore)
		return MUSA_ERROR_INVALID_HANDLE;
	*semaphore_out = semaphore;
	return MUSA_SUCCESS;
}

/* fd < 0: a new one. */
static MUresult open_semaphore(struct mt_ctx *ctx, int fd, uint64_t *out)
{
	struct mt_ext_semaphore *semaphore = mt_calloc(1, sizeof(*semaphore));
	const struct mt_hw_ops *ops = ctx->hw->ops;
	MUresult ret;
	int error;

	if (!semaphore)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (fd < 0)
		error = ops->semaphore_create(ctx->hw, &semaphore->hw);
	else
		error = ops->semaphore_import_fd(ctx->hw, fd, &semaphore->hw);
	if (error) {
		ret = error == -EBADF || error == -EBADMSG ? MUSA_ERROR_INVALID_VALUE
							   : mt_result_from_errno(ctx->hw, error);
		goto free_semaphore;
	}
	semaphore->ctx = ctx;
	atomic_init(&semaphore->refs, 1);
	semaphore->handle = mt_handle_create(MT_HANDLE_EXT_SEMAPHORE, semaphore);
	if (!semaphore->handle) {
		ret = MUSA_ERROR_OUT_OF_MEMORY;
		goto destroy_hw;
	}
	pthread_mutex_lock(&ctx->memory->lock);
	semaphore->next = ctx->memory->semaphores;
	semaphore->link = &ctx->memory->semaphores;
	if (semaphore->next)
		semaphore->next->link = &semaphore->next;
	ctx->memory->semaphores = semaphore;
	pthread_mutex_unlock(&ctx->memory->lock);
	*out = semaphore->handle;
	return MUSA_SUCCESS;

destroy_hw:
	ops->semaphore_destroy(&semaphore->hw);
free_semaphore:
	mt_free(semaphore);
	return ret;
}

MUresult mt_ext_semaphore_import(struct mt_ctx *ctx, int fd, uint64_t *out)
{
	MUresult ret = fd < 0 ? MUSA_ERROR_INVALID_VALUE : open_semaphore(ctx, fd, out);

	if (!ret)
		close(fd);
	return ret;
}

MUresult mt_ext_semaphore_open(struct mt_ctx *ctx, unsigned int type, int fd, unsigned int flags,
			       uint64_t *out)
{
	if (flags || type < MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD ||
	    type > MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32)
		return MUSA_ERROR_INVALID_VALUE;
	if (type != MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD &&
	    type != MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD)
		return MUSA_ERROR_NOT_SUPPORTED;
	return mt_ext_semaphore_import(ctx, fd, out);
}

MUresult mt_ext_semaphore_create(struct mt_ctx *ctx, uint64_t *out)
{
	return open_semaphore(ctx, -1, out);
}

MUresult mt_ext_semaphore_export(struct mt_ext_semaphore *semaphore, int *fd_out)
{
	struct mt_hw_device *dev = semaphore->hw.dev;
	int error = dev->ops->semaphore_export_fd(&semaphore->hw, fd_out);

	return mt_result_from_errno(dev, error);
}

MUresult mt_ext_semaphores_reach(const struct mt_op_sem *list, struct mt_ctx *ctx)
{
	MUresult ret = MUSA_SUCCESS;

	for (uint32_t i = 0; i < list->count && !ret; i++)
		ret = mt_stream_reach(ctx, &list->params[i].semaphore->hw);
	return ret;
}

/* The semaphores may belong to other devices than the stream. */
static MUresult fill_params(struct mt_ctx *ctx, const uint64_t *handles, const void *params,
			    uint32_t count, struct mt_sem_param *out)
{
	const uint8_t *at = params;
	MUresult ret = MUSA_SUCCESS;

	for (uint32_t i = 0; i < count && !ret; i++, at += MT_EXT_SEMAPHORE_PARAMS_B) {
		ret = mt_ext_semaphore_get(handles[i], &out[i].semaphore);
		if (!ret)
			ret = mt_stream_reach(ctx, &out[i].semaphore->hw);
		memcpy(&out[i].value, at, sizeof(out[i].value));
		memcpy(out[i].raw, at, MT_EXT_SEMAPHORE_PARAMS_B);
	}
	return ret;
}

MUresult mt_ext_semaphore_enqueue(struct mt_stream *stream, const uint64_t *handles,
				  const void *params, uint32_t count, bool signal, const char *api)
{
	struct mt_op op = {.type = signal ? MT_OP_SEM_SIGNAL : MT_OP_SEM_WAIT};
	struct mt_sem_param small[4];
	MUresult ret;

	if (!count)
		return MUSA_SUCCESS;
	if (!handles || !params)
		return MUSA_ERROR_INVALID_VALUE;
	op.device = (uint8_t)stream->ctx->device;
	op.sem.count = count;
	op.sem.params = small;
	if (count > sizeof(small) / sizeof(small[0]))
		op.sem.params = mt_calloc(count, sizeof(small[0]));
	if (!op.sem.params)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = fill_params(stream->ctx, handles, params, count, op.sem.params);
	if (!ret)
		ret = mt_stream_enqueue(stream, &op, api);
	if (op.sem.params != small)
		mt_free(op.sem.params);
	return ret;
}

void mt_ext_semaphore_ref(struct mt_ext_semaphore *semaphore)
{
	atomic_fetch_add_explicit(&semaphore->refs, 1, memory_order_relaxed);
}

/* Guards the moment in which a context and the last reference go at once. */
static pthread_mutex_t end_lock = PTHREAD_MUTEX_INITIALIZER;

void mt_ext_semaphore_unref(struct mt_ext_semaphore *semaphore)
{
	struct mt_memory *memory;

	if (atomic_fetch_sub_explicit(&semaphore->refs, 1, memory_order_acq_rel) != 1)
		return;
	pthread_mutex_lock(&end_lock);
	memory = semaphore->ctx ? semaphore->ctx->memory : NULL;
	if (!memory) {
		mt_free(semaphore);
		goto unlock;
	}
	pthread_mutex_lock(&memory->lock);
	*semaphore->link = semaphore->next;
	if (semaphore->next)
		semaphore->next->link = semaphore->link;
	semaphore->next = memory->dropped;
	memory->dropped = semaphore;
	atomic_fetch_add_explicit(&memory->chores, 1, memory_order_relaxed);
	pthread_mutex_unlock(&memory->lock);
unlock:
	pthread_mutex_unlock(&end_lock);
}

void mt_ext_semaphore_destroy(struct mt_ext_semaphore *semaphore)
{
	mt_handle_destroy(semaphore->handle);
	mt_ext_semaphore_unref(semaphore);
}

static void destroy_dropped(struct mt_memory *memory, struct mt_ext_semaphore *semaphore)
{
	struct mt_ext_semaphore *next;

	for (; semaphore; semaphore = next) {
		next = semaphore->next;
		semaphore->hw.dev->ops->semaphore_destroy(&semaphore->hw);
		mt_free(semaphore);
		atomic_fetch_sub_explicit(&memory->chores, 1, memory_order_relaxed);
	}
}

/* No work that names a dropped semaphore can come any more, so being idle after it was dropped is
 * enough. */
void mt_ext_semaphore_reap(struct mt_memory *memory)
{
	struct mt_ext_semaphore *list = NULL;

	pthread_mutex_lock(&memory->lock);
	if (memory->dropped && mt_ctx_idle(memory->ctx)) {
		list = memory->dropped;
		memory->dropped = NULL;
	}
	pthread_mutex_unlock(&memory->lock);
	destroy_dropped(memory, list);
}

/* Nodes may still refer to some; these lose their memory and are freed with the last node. */
void mt_ext_semaphore_finish(struct mt_memory *memory)
{
	struct mt_ext_semaphore *semaphore, *next;

	destroy_dropped(memory, memory->dropped);
	memory->dropped = NULL;
	pthread_mutex_lock(&end_lock);
	for (semaphore = memory->semaphores; semaphore; semaphore = next) {
		bool has_handle =
			mt_handle_get(semaphore->handle, MT_HANDLE_EXT_SEMAPHORE) == semaphore;

		next = semaphore->next;
		semaphore->hw.dev->ops->semaphore_destroy(&semaphore->hw);
		semaphore->ctx = NULL;
		if (!has_handle)
			continue;
		mt_handle_destroy(semaphore->handle);
		if (atomic_fetch_sub_explicit(&semaphore->refs, 1, memory_order_acq_rel) == 1)
			mt_free(semaphore);
	}
	memory->semaphores = NULL;
	pthread_mutex_unlock(&end_lock);
}

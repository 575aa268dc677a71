/* SPDX-License-Identifier: MIT */
/*
 * From ops to submissions: the one door of asynchronous work, and the way of graph launches. What
 * the packets look like is drv/encode.c's matter, what must come first drv/stream_order.c's.
 */
#include "drv/stream_internal.h"

#include <errno.h>
#include <string.h>

#include "drv/capture.h"
#include "drv/event.h"
#include "drv/host.h"
#include "drv/module.h"

#define WAIT_B sizeof(struct mt_pkt_wait)
#define END_B  sizeof(struct mt_pkt_header)

MUresult mt_stream_check_use(struct mt_stream *stream, const char *api)
{
	struct mt_ctx *ctx = stream->ctx;

	if (__builtin_expect(mt_in_host_function(), 0))
		return MUSA_ERROR_NOT_PERMITTED;
	if (__builtin_expect(atomic_load_explicit(&ctx->hw->fault, memory_order_acquire) != 0, 0))
		return mt_ctx_error(ctx);
	if (__builtin_expect(stream->legacy &&
				     atomic_load_explicit(&mt_capture_live, memory_order_acquire),
			     0))
		return mt_capture_ops->legacy(ctx, api);
	return MUSA_SUCCESS;
}

MUresult mt_stream_reach_peer(struct mt_ctx *ctx, struct mt_hw_semaphore *semaphore)
{
	const struct mt_hw_ops *ops = semaphore->dev->ops;

	if (!ops->semaphore_map_peer || ops != ctx->hw->ops)
		return MUSA_ERROR_NOT_SUPPORTED;
	return mt_result_from_errno(ctx->hw, ops->semaphore_map_peer(semaphore, ctx->hw));
}

static MUresult need_queue(struct mt_stream *stream)
{
	MUresult ret;

	if (__builtin_expect(stream->writer != NULL, 1))
		return MUSA_SUCCESS;
	ret = mt_command_writer_acquire(stream->ctx, stream->priority, &stream->writer);
	if (!ret)
		atomic_store_explicit(&stream->queue, stream->writer->queue, memory_order_release);
	return ret;
}

/* Gives the submission its number in the stream's and the context's books. */
static MUresult submit_locked(struct mt_stream *stream, const struct mt_hw_submit *submit)
{
	struct mt_command_writer *writer = stream->writer;
	int error = mt_hw_queue_submit(writer->queue, submit);
	uint64_t seq;

	if (__builtin_expect(error != 0, 0))
		return mt_result_from_errno(stream->ctx->hw, error);
	seq = writer->queue->submitted;
	atomic_store_explicit(&writer->last_seq, seq, memory_order_release);
	atomic_store_explicit(&stream->last_seq, seq, memory_order_release);
	mt_stream_order_publish(stream, seq);
	return MUSA_SUCCESS;
}

static MUresult submit_packets(struct mt_stream *stream, struct mt_stream_work *work, void *end)
{
	uint64_t lane_va = work->space.packets_va;
	struct mt_hw_submit submit = {.lane_va = &lane_va, .lane_count = 1};
	MUresult ret;

	end = mt_pkt_put_end(end, MT_PKT_NODE_NONE);
	ret = submit_locked(stream, &submit);
	if (ret) {
		mt_stream_order_revert(stream, &work->waits);
		return ret;
	}
	mt_stream_order_commit(stream, &work->waits);
	mt_command_writer_commit(stream->writer, &work->space,
				 (uint32_t)((uint8_t *)end - work->space.packets));
	return MUSA_SUCCESS;
}

/* Space, and the implicit waits in front. NOT_READY: *wait_out is the submission to wait for. */
static MUresult prepare(struct mt_stream *stream, uint32_t packets_b, uint32_t data_b,
			struct mt_stream_work *work, uint64_t *wait_out)
{
	struct mt_hw_queue *queue = stream->writer->queue;
	MUresult ret;

	if (queue->submitted >= MT_STREAM_DEPTH) {
		*wait_out = queue->submitted - MT_STREAM_DEPTH + 1;
		if (mt_hw_queue_completed(queue) < *wait_out)
			return MUSA_ERROR_NOT_READY;
	}
	mt_stream_order_collect(stream, &work->waits);
	if (work->waits.more)
		packets_b = data_b = 0;
	ret = mt_command_writer_reserve(
		stream->writer, work->waits.count * (uint32_t)WAIT_B + packets_b + (uint32_t)END_B,
		data_b, &work->space, wait_out);
	if (ret) {
		mt_stream_order_revert(stream, &work->waits);
		return ret;
	}
	work->at = work->space.packets;
	work->data_va = work->space.data_va;
	for (uint32_t i = 0; i < work->waits.count; i++)
		work->at = mt_pkt_put_wait(work->at, MT_PKT_ACQUIRE, MT_PKT_NODE_NONE,
					   work->waits.at[i].va, work->waits.at[i].value);
	return MUSA_SUCCESS;
}

/* Waits for the submission @seq at least; @last is the queue's last one. */
static int wait_for_room(struct mt_hw_queue *queue, uint64_t seq, uint64_t last)
{
	uint64_t more = seq + MT_STREAM_BATCH;
	int error = mt_hw_queue_wait(queue, more < last ? more : last, MT_STREAM_BATCH_NS);

	return error == -ETIME ? mt_hw_queue_wait(queue, seq, -1) : error;
}

MUresult mt_stream_begin(struct mt_stream *stream, uint32_t packets_b, uint32_t data_b,
			 struct mt_stream_work *work_out)
{
	uint64_t wait_seq = 0;
	MUresult ret;
	int error;

	pthread_mutex_lock(&stream->lock);
	ret = need_queue(stream);
	while (!ret) {
		ret = prepare(stream, packets_b, data_b, work_out, &wait_seq);
		if (!ret && work_out->waits.more) {
			ret = submit_packets(stream, work_out, work_out->at);
		} else if (!ret) {
			return MUSA_SUCCESS;
		} else if (ret == MUSA_ERROR_NOT_READY) {
			struct mt_hw_queue *queue = stream->writer->queue;
			uint64_t last = queue->submitted; /* under the lock, as all of it */

			pthread_mutex_unlock(&stream->lock);
			error = wait_for_room(queue, wait_seq, last);
			ret = mt_result_from_errno(stream->ctx->hw, error);
			pthread_mutex_lock(&stream->lock);
		}
	}
	pthread_mutex_unlock(&stream->lock);
	return ret;
}

MUresult mt_stream_end(struct mt_stream *stream, struct mt_stream_work *work, void *end)
{
	MUresult ret = submit_packets(stream, work, end);

	pthread_mutex_unlock(&stream->lock);
	return ret;
}

void mt_stream_abandon(struct mt_stream *stream, struct mt_stream_work *work)
{
	mt_stream_order_revert(stream, &work->waits);
	pthread_mutex_unlock(&stream->lock);
}

/* One submission for the op; semaphore ops of any size come here in pieces that fit. */
static MUresult enqueue_piece(struct mt_stream *stream, const struct mt_op *op)
{
	uint32_t kernarg_b = mt_op_kernarg_b(op);
	uint32_t data_b = kernarg_b + ((mt_op_slot_b(op) + 63u) & ~63u);
	struct mt_op_memory memory = {0};
	struct mt_stream_work work;
	MUresult ret;

	ret = mt_stream_begin(stream, mt_op_packet_b(op), data_b, &work);
	if (ret)
		return ret;
	memory.kernarg = work.space.data;
	memory.kernarg_va = work.data_va;
	memory.slot = (uint64_t *)(work.space.data + kernarg_b);
	memory.slot_va = work.data_va + kernarg_b;
	memory.priority = stream->priority;
	if (op->type == MT_OP_KERNEL && op->kernel.attrs &&
	    (op->kernel.attrs->set & (1u << MU_LAUNCH_ATTRIBUTE_PRIORITY)))
		memory.priority = op->kernel.attrs->priority;
	return mt_stream_end(stream, &work,
			     mt_op_encode(op, &memory, work.at, MT_PKT_ACQUIRE | MT_PKT_RELEASE,
					  MT_PKT_NODE_NONE));
}

static MUresult enqueue_semaphores(struct mt_stream *stream, const struct mt_op *op)
{
	const uint32_t piece = 128; /* 5 KiB of packets and pairs */
	struct mt_op part = *op;
	MUresult ret = MUSA_SUCCESS;

	for (uint32_t i = 0; i < op->sem.count && !ret; i += piece) {
		part.sem.params = op->sem.params + i;
		part.sem.count = op->sem.count - i < piece ? op->sem.count - i : piece;
		ret = enqueue_piece(stream, &part);
	}
	return ret;
}

MUresult mt_stream_enqueue(struct mt_stream *stream, const struct mt_op *op, const char *api)
{
	MUresult ret = mt_stream_check_use(stream, api);

	if (__builtin_expect(ret != MUSA_SUCCESS, 0))
		return ret;
	if (op->type == MT_OP_KERNEL && op->kernel.fn->device != stream->ctx->device)
		return MUSA_ERROR_INVALID_HANDLE;
	if (__builtin_expect(atomic_load_explicit(&stream->capture, memory_order_acquire) != NULL,
			     0))
		return mt_capture_ops->add(stream, op, api);
	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
	case MT_OP_COPY:
	case MT_OP_FILL:
		return enqueue_piece(stream, op);
	case MT_OP_HOST:
		ret = mt_host_prepare(stream->ctx);
		return ret ? ret : enqueue_piece(stream, op);
	case MT_OP_EMPTY:
		return MUSA_SUCCESS;
	case MT_OP_EVENT_RECORD:
		return mt_event_record(op->event.event, stream, op->event.flags, api);
	case MT_OP_EVENT_WAIT:
		return mt_stream_wait_event(stream, op->event.event, op->event.flags, api);
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		return enqueue_semaphores(stream, op);
	case MT_OP_CHILD:
	case MT_OP_ALLOC:
	case MT_OP_FREE:
	case MT_OP_BATCH_MEM:
	case MT_OP_CONDITIONAL:
		break;
	}
	return MUSA_ERROR_NOT_SUPPORTED;
}

MUresult mt_stream_submit_with(struct mt_stream *stream, const void *before, uint32_t before_b,
			       struct mt_hw_submit *submit, struct mt_stream_ticket *ticket_out)
{
	MUresult ret = mt_stream_check_use(stream, "graph launch");
	struct mt_stream_work work;

	if (!ret)
		ret = mt_stream_begin(stream, before_b, 0, &work);
	if (ret)
		return ret;
	if (before_b || work.waits.count) {
		memcpy(work.at, before, before_b);
		ret = submit_packets(stream, &work, work.at + before_b);
	} else {
		mt_stream_order_commit(stream, &work.waits);
	}
	if (!ret)
		ret = submit_locked(stream, submit);
	if (!ret) {
		ticket_out->queue = stream->writer->queue;
		ticket_out->seq = stream->writer->queue->submitted;
	}
	pthread_mutex_unlock(&stream->lock);
	return ret;
}

MUresult mt_stream_submit(struct mt_stream *stream, struct mt_hw_submit *submit,
			  struct mt_stream_ticket *ticket_out)
{
	return mt_stream_submit_with(stream, "", 0, submit, ticket_out);
}

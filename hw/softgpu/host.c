/* SPDX-License-Identifier: MIT */
/*
 * HOST packets: a ticket per call, given back when the host has run the function.
 */
#include <errno.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/internal.h"

#define TICKET_NONE UINT32_MAX

/* Under host_lock. */
static struct sg_ticket *take_ticket(struct mt_sg_engine *engine, uint32_t *index_out)
{
	struct sg_ticket *grown;
	uint32_t i, count;

	if (engine->ticket_free == TICKET_NONE) {
		count = engine->ticket_count ? engine->ticket_count * 2 : 64;
		grown = mt_realloc(engine->tickets, count * sizeof(*grown));
		if (!grown)
			return NULL;
		for (i = engine->ticket_count; i < count; i++)
			grown[i] = (struct sg_ticket){
				.generation = 1,
				.next_free = i + 1 < count ? i + 1 : TICKET_NONE,
			};
		engine->ticket_free = engine->ticket_count;
		engine->tickets = grown;
		engine->ticket_count = count;
	}
	*index_out = engine->ticket_free;
	grown = &engine->tickets[engine->ticket_free];
	engine->ticket_free = grown->next_free;
	return grown;
}

bool mt_sg_do_host(struct sg_worker *worker, struct mt_sg_queue *queue, uint32_t lane,
		   const struct mt_pkt_host *packet)
{
	struct mt_sg_engine *engine = worker->engine;
	const struct mt_pkt_host_args *args = (const void *)(uintptr_t)packet->args_va;
	struct mt_hw_host_call call;
	struct sg_ticket *ticket;
	uint32_t index;

	if (!mt_sg_check(worker, SG_ACCESS_ARGUMENT, packet->args_va, sizeof(*args))) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, packet->args_va,
				   "HOST's arguments at 0x%llx are not mapped",
				   (unsigned long long)packet->args_va);
		return false;
	}
	call.fn = args->fn;
	call.data = args->data;
	pthread_mutex_lock(&engine->host_lock);
	ticket = take_ticket(engine, &index);
	if (ticket) {
		ticket->queue = queue;
		ticket->lane = lane;
		ticket->node = packet->header.node;
		call.ticket = (uint64_t)ticket->generation << 32 | index;
	}
	pthread_mutex_unlock(&engine->host_lock);
	/* Counted before the host can answer. */
	atomic_fetch_add(&queue->lanes[lane].pending, 1);
	if (!ticket || engine->config.host_call(engine->config.user, &call)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_RESOURCES, packet->args_va,
				   "no memory for a host call");
		return false;
	}
	return true;
}

void mt_sg_host_done(struct mt_sg_engine *engine, uint64_t ticket_number)
{
	uint32_t index = (uint32_t)ticket_number, generation = (uint32_t)(ticket_number >> 32);
	struct mt_sg_queue *queue = NULL;
	struct sg_ticket *ticket;
	uint32_t lane = 0;

	if (engine->forked)
		return;
	pthread_mutex_lock(&engine->host_lock);
	if (index < engine->ticket_count && engine->tickets[index].generation == generation &&
	    engine->tickets[index].queue) {
		ticket = &engine->tickets[index];
		queue = ticket->queue;
		lane = ticket->lane;
		ticket->queue = NULL;
		ticket->generation++;
		ticket->next_free = engine->ticket_free;
		engine->ticket_free = index;
	}
	pthread_mutex_unlock(&engine->host_lock);
	if (queue)
		mt_sg_item_done(queue, lane);
}

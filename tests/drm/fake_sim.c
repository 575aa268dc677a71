/* SPDX-License-Identifier: MIT */
/*
 * The fake kernel's simulated device: the software GPU executes packets on the mappings of the VM
 * context, and speaks the protocol of hw/drm/sim_protocol.h. Card and process share an address
 * space, so device memory lies at its address here, too.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "fake_internal.h"
#include "hw/drm/sim_protocol.h"
#include "hw/softgpu/engine.h"

#define HELD_MAX 4096u

static struct sim_call held[HELD_MAX]; /* calls that wait for room */

static struct sim_mailbox *mailbox_of(const struct fake_vm *vm)
{
	return (struct sim_mailbox *)(uintptr_t)vm->mailbox_va;
}

/* Called by workers; the device is stopped for its process. */
static void on_fault(void *user, const struct mt_hw_fault *fault)
{
	struct fake_vm *vm = user;
	struct sim_fault *record;

	pthread_mutex_lock(&fake_lock);
	if (vm->mailbox_va) {
		record = &mailbox_of(vm)->fault;
		record->node = fault->node;
		record->queue = fault->queue;
		record->seq = fault->seq;
		record->address = fault->address;
		memcpy(record->text, fault->text, sizeof(record->text));
		__atomic_store_n(&record->code, fault->code, __ATOMIC_RELEASE);
	}
	vm->stopped = true;
	pthread_cond_broadcast(&fake_changed);
	pthread_mutex_unlock(&fake_lock);
}

/* Writes calls as far as there is room and rings the bell. */
static void post_calls(struct fake_vm *vm)
{
	struct sim_mailbox *mailbox = mailbox_of(vm);

	while (vm->held_count && vm->posted - vm->answered < SIM_CALLS) {
		mailbox->calls[vm->posted % SIM_CALLS] = held[vm->held_first];
		vm->held_first = (vm->held_first + 1) % HELD_MAX;
		vm->held_count--;
		mt_sg_signal(vm->engine, mailbox->bell_va, ++vm->posted);
	}
	pthread_cond_broadcast(&fake_changed);
}

static int on_host_call(void *user, const struct mt_hw_host_call *call)
{
	struct fake_vm *vm = user;
	int ret = -ENOMEM;

	pthread_mutex_lock(&fake_lock);
	if (vm->held_count < HELD_MAX) {
		held[(vm->held_first + vm->held_count++) % HELD_MAX] =
			(struct sim_call){call->fn, call->data, call->ticket, 0};
		post_calls(vm);
		ret = 0;
	}
	pthread_mutex_unlock(&fake_lock);
	return ret;
}

int fake_sim_start(struct fake_vm *vm)
{
	struct mt_sg_config config = {
		.workers = 2,
		.warp_size = 32,
		.heap_limit_b = 1 << 20,
		.host_memory = true,
		.window_va = FAKE_HEAP_BASE,
		.window_b = FAKE_HEAP_B,
		.user = vm,
		.fault = on_fault,
		.host_call = on_host_call,
	};

	return mt_sg_engine_create(&config, &vm->engine);
}

/* Callbacks take the lock. */
void fake_sim_stop(struct fake_vm *vm)
{
	if (!vm->engine)
		return;
	pthread_mutex_unlock(&fake_lock);
	mt_sg_engine_destroy(vm->engine);
	pthread_mutex_lock(&fake_lock);
	vm->engine = NULL;
}

int fake_sim_map(struct fake_vm *vm, const struct fake_map *map)
{
	const struct fake_object *object = map->object;

	if (!vm->engine)
		return 0;
	if (!object->user &&
	    mmap((void *)(uintptr_t)map->va, map->size_b, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED, object->card->fd, (off_t)object->offset_b) == MAP_FAILED)
		return ENOMEM;
	return -mt_sg_map(vm->engine, map->va, map->size_b,
			  MT_SG_READ | MT_SG_WRITE | MT_SG_EXECUTE);
}

void fake_sim_unmap(struct fake_vm *vm, const struct fake_map *map)
{
	if (vm->engine)
		mt_sg_unmap(vm->engine, map->va, map->size_b);
}

static struct fake_graph *find_graph(struct fake_vm *vm, uint64_t va)
{
	for (uint32_t i = 0; i < FAKE_GRAPHS; i++)
		if (vm->graphs[i].va == va)
			return &vm->graphs[i];
	return NULL;
}

/* A job that makes a graph known, or the opposite; it completes at once. */
static int run_graph_job(struct fake_queue *queue, const struct sim_job *job)
{
	struct sim_graph *shared = (void *)(uintptr_t)job->graph_va;
	bool create = job->flags == SIM_JOB_GRAPH_CREATE;
	struct fake_graph *graph = find_graph(queue->vm, create ? 0 : job->graph_va);
	struct mt_hw_submit chain;
	struct mt_hw_graph *gone;

	if (!graph || !shared || (!create && job->flags != SIM_JOB_GRAPH_DESTROY))
		return EINVAL;
	if (create) {
		chain = (struct mt_hw_submit){
			.lane_va = shared->lane_count > 1 ? (void *)(uintptr_t)shared->lanes_va
							  : &shared->lanes_va,
			.lane_table_va = shared->lanes_va,
			.lane_count = shared->lane_count,
			.flags = shared->flags,
			.prologue_va = shared->prologue_va,
			.exec_id = shared->exec_id,
		};
		shared->error = (uint32_t)-mt_sg_graph_create(
			queue->vm->engine, NULL, &chain, (void *)&shared->uploaded, &graph->graph);
		graph->va = shared->error ? 0 : job->graph_va;
	} else {
		gone = graph->graph;
		*graph = (struct fake_graph){0};
		/* Callbacks of what still runs take the lock. */
		pthread_mutex_unlock(&fake_lock);
		mt_sg_graph_destroy(gone);
		pthread_mutex_lock(&fake_lock);
	}
	mt_sg_signal(queue->vm->engine, queue->timeline_va, ++queue->submitted);
	return 0;
}

int fake_sim_submit(struct fake_queue *queue, uint64_t va, uint32_t size_b)
{
	const struct sim_job *job = (const void *)(uintptr_t)va;
	const struct sim_queue *shared;
	const struct fake_graph *graph = NULL;
	struct mt_hw_submit submit;

	if (size_b != sizeof(*job) || !job)
		return EINVAL;
	shared = (const void *)(uintptr_t)job->queue_va;
	if (shared->magic != SIM_QUEUE_MAGIC || shared->version != SIM_VERSION)
		return EINVAL;
	queue->vm->mailbox_va = shared->mailbox_va;
	if (mailbox_of(queue->vm)->magic != SIM_MAILBOX_MAGIC)
		return EINVAL;
	if (!queue->sg && mt_sg_queue_create(queue->vm->engine, -(int)queue->priority,
					     shared->queue_id, shared->timeline_va, &queue->sg))
		return ENOMEM;
	queue->timeline_va = shared->timeline_va;
	if (job->flags & (SIM_JOB_GRAPH_CREATE | SIM_JOB_GRAPH_DESTROY))
		return run_graph_job(queue, job);
	if (job->graph_va) {
		graph = find_graph(queue->vm, job->graph_va);
		if (!graph)
			return EINVAL;
	}
	submit = (struct mt_hw_submit){
		.lane_va = &job->lanes_va,
		.lane_table_va = job->lanes_va,
		.lane_count = job->lane_count,
		.flags = job->flags,
		.prologue_va = job->prologue_va,
		.wait_va = job->wait_va,
		.wait_value = job->wait_value,
		.exec_id = job->exec_id,
		.graph = graph ? graph->graph : NULL,
	};
	if (mt_sg_queue_submit(queue->sg, &submit))
		return EIO;
	queue->submitted++;
	return 0;
}

static bool has_finished(const struct fake_queue *queue)
{
	return __atomic_load_n((const uint64_t *)(uintptr_t)queue->timeline_va, __ATOMIC_ACQUIRE) >=
	       queue->submitted;
}

void fake_sim_drop_queue(struct fake_queue *queue)
{
	struct mt_sg_queue *sg = queue->sg;

	/* An engine takes its queues with it. */
	if (!sg || !queue->vm || !queue->vm->engine)
		return;
	/* Jobs end with their queue; this device can only end as a whole. */
	if (!has_finished(queue)) {
		queue->vm->stopped = true;
		fake_sim_stop(queue->vm);
		return;
	}
	pthread_mutex_unlock(&fake_lock);
	mt_sg_queue_destroy(sg);
	pthread_mutex_lock(&fake_lock);
}

void fake_sim_signal(struct fake_vm *vm, uint64_t va, uint64_t value)
{
	struct sim_mailbox *mailbox;

	if (!vm->engine)
		return;
	mt_sg_signal(vm->engine, va, value);
	mailbox = vm->mailbox_va ? mailbox_of(vm) : NULL;
	if (!mailbox || va != mailbox->answer_va)
		return;
	for (; vm->answered < value; vm->answered++)
		mt_sg_host_done(vm->engine, mailbox->answers[vm->answered % SIM_CALLS]);
	post_calls(vm);
}

/* SPDX-License-Identifier: MIT */
/*
 * From template to exec, second half: schedules each unit, measures it and writes its chain, then
 * the lane table and the prologue.
 */
#include <string.h>

#include "graph/compile.h"
#include "graph/exec_conditional.h"
#include "graph/exec_times.h"
#include "graph/graph_memory.h"
#include "hw/base/alloc.h"
#include "hw/base/trace.h"

#define SYNC_B   ((uint32_t)sizeof(struct mt_pkt_wait)) /* of a SIGNAL, too */
#define END_B    ((uint32_t)sizeof(struct mt_pkt_header))
#define JUMP_B   ((uint32_t)sizeof(struct mt_pkt_jump))
#define WRITE_B  ((uint32_t)sizeof(struct mt_pkt_write))
#define PASSES_B 8u
#define STAMP_B  ((uint32_t)sizeof(struct mt_pkt_timestamp))
#define STAMPS_ROOM_B 64u /* of the two words, with what alignment costs */

_Static_assert(sizeof(struct mt_pkt_wait) == sizeof(struct mt_pkt_signal), "SYNC_B stands for both");

/* One unit on its way into the chain. */
struct emit_unit {
	const struct mt_compile_unit *unit;
	struct mt_schedule schedule;
	uint64_t packet_b[MT_SCHED_LANES_MAX]; /* of each lane */
};

struct emitter {
	struct mt_compile *c;
	struct mt_exec *exec;
	struct emit_unit *units;
	uint64_t data_b;    /* kernargs, slots, counters */
	uint64_t packet_b;  /* of all units, tails included */
	uint64_t reset_b;   /* prologue */
	uint64_t slots_va;  /* progress word of each lane; 0 with one lane */
	struct mt_chain_writer reset;
	struct mt_chain_writer lanes[MT_SCHED_LANES_MAX];
};

/* --- schedule ----------------------------------------------------------------------------------- */

/* The schedule knows a unit's nodes by numbers from 0. */
static MUresult schedule_unit(struct emitter *e, struct emit_unit *u, uint32_t *cycle_out)
{
	struct mt_exec *exec = e->exec;
	uint32_t first = u->unit->node_first, count = u->unit->node_end - first, i, edge_first;
	uint32_t caps = exec->ctx->hw->info.caps, lanes = exec->ctx->hw->info.lanes;
	struct mt_sched_input input = {
		.count = count,
		.dep_start = exec->dep_start + first,
		.deps = exec->deps,
		.flags = e->c->sched_flags + first,
		.priority = e->c->priority ? e->c->priority + first : NULL,
		.lane_max = lanes < MT_SCHED_LANES_MAX ? lanes : MT_SCHED_LANES_MAX,
	};
	uint32_t *start = NULL, *deps;
	MUresult ret;

	if (u->unit->cond || !(caps & MT_HW_CAP_INSTREAM_SYNC) || !input.lane_max)
		input.lane_max = 1;
	if (first) {
		edge_first = exec->dep_start[first];
		start = mt_alloc(((size_t)count + 1 + exec->dep_start[first + count] - edge_first) *
				 sizeof(*start));
		if (!start)
			return MUSA_ERROR_OUT_OF_MEMORY;
		deps = start + count + 1;
		for (i = 0; i <= count; i++)
			start[i] = exec->dep_start[first + i] - edge_first;
		for (i = 0; i < start[count]; i++)
			deps[i] = exec->deps[edge_first + i] - first;
		input.dep_start = start;
		input.deps = deps;
	}
	ret = mt_schedule_create(&input, cycle_out, &u->schedule);
	mt_free(start);
	return ret;
}

/* Names the node of a cycle: the node itself in the root, nothing where it is nested. */
static MUresult refuse_cycle(struct emitter *e, const struct emit_unit *u, uint32_t cycle)
{
	const struct mt_graph *graph = NULL;
	const struct mt_node *node = NULL;

	if (!u->unit->cond && cycle < e->exec->graphs[0].id_count) {
		graph = e->c->templates[0];
		node = mt_graph_node(graph, cycle);
	}
	return mt_compile_refuse(e->c, MUSA_ERROR_INVALID_VALUE, MT_EXEC_INVALID_STRUCTURE, graph,
				 node);
}

/* --- measure ------------------------------------------------------------------------------------ */

/* Sizes stand in the records from the beginning, places come with the chain. */
static void set_sizes(struct mt_exec_node *record)
{
	uint32_t kernarg_b;

	switch ((enum mt_op_type)record->op.type) {
	case MT_OP_KERNEL:
		record->packet_b = sizeof(struct mt_pkt_dispatch);
		record->data_b = (uint16_t)mt_op_kernarg_b(&record->op);
		break;
	case MT_OP_EMPTY: /* order only */
	case MT_OP_CHILD:
	case MT_OP_ALLOC:
	case MT_OP_FREE:
		break;
	case MT_OP_CONDITIONAL:
		record->packet_b = (uint16_t)mt_exec_cond_packet_b(record->op.graph);
		record->data_b = MT_EXEC_COND_RESET_B; /* in the prologue */
		break;
	default:
		kernarg_b = mt_op_kernarg_b(&record->op);
		record->packet_b = (uint16_t)mt_op_packet_b(&record->op);
		record->data_b = (uint16_t)(kernarg_b ? kernarg_b : mt_op_slot_b(&record->op));
		break;
	}
}

static void measure_unit(struct emitter *e, struct emit_unit *u)
{
	const struct mt_schedule *schedule = &u->schedule;
	struct mt_exec_node *nodes = e->exec->nodes + u->unit->node_first;
	const struct mt_sched_place *place;
	uint32_t i, lane, node;

	for (i = 0; i < schedule->order_count; i++) {
		node = schedule->order[i];
		place = &schedule->place[node];
		set_sizes(&nodes[node]);
		u->packet_b[place->lane] += place->wait_count * SYNC_B + nodes[node].packet_b;
		if (e->exec->times && nodes[node].packet_b) {
			u->packet_b[place->lane] += 2 * STAMP_B;
			e->data_b += STAMPS_ROOM_B;
		}
		/* Argument images are multiples of 64; pairs may lie between them. */
		e->data_b += (nodes[node].data_b + 63u) & ~63u;
		if (place->segment && schedule->signalled[place->segment_id] == 1) {
			schedule->signalled[place->segment_id] = 2; /* counted */
			u->packet_b[place->lane] += SYNC_B;
		}
	}
	for (lane = 0; lane < schedule->lane_count; lane++) {
		u->packet_b[lane] += u->unit->cond ? JUMP_B : END_B;
		e->packet_b += u->packet_b[lane] + MT_CHAIN_LINK_B;
	}
}

static MUresult plan(struct emitter *e)
{
	struct mt_exec *exec = e->exec;
	struct mt_exec_cond *cond;

	exec->lane_count = e->units[0].schedule.lane_count;
	for (cond = exec->conds; cond; cond = cond->next) {
		e->reset_b += MT_EXEC_COND_RESET_B;
		e->data_b += PASSES_B;
	}
	if (exec->lane_count > 1) {
		e->data_b += (2 * exec->lane_count * sizeof(uint64_t) + 63u) & ~63u;
		e->reset_b += WRITE_B + exec->lane_count * (uint32_t)sizeof(uint64_t);
	}
	if (e->reset_b) {
		e->reset_b += END_B;
		e->packet_b += e->reset_b + MT_CHAIN_LINK_B;
	}
	return mt_chain_plan(&exec->chain, e->data_b, e->packet_b);
}

/* --- write -------------------------------------------------------------------------------------- */

static MUresult emit_op(struct emitter *e, struct mt_chain_writer *writer, uint32_t number)
{
	struct mt_exec *exec = e->exec;
	struct mt_exec_node *record = &exec->nodes[number];
	bool kernel = record->op.type == MT_OP_KERNEL;
	struct mt_op_memory memory;
	void *at;
	MUresult ret;

	memory.priority = kernel && e->c->priority ? e->c->priority[number] : 0;
	memory.kernarg_va = 0;
	if (record->data_b) {
		ret = mt_chain_alloc(&exec->chain, record->data_b, kernel ? 64 : 16,
				     &record->data);
		if (ret)
			return ret;
		memory.kernarg = mt_chain_cpu(&exec->chain, record->data);
		memory.slot = memory.kernarg;
		memory.kernarg_va = mt_chain_va(&exec->chain, record->data);
		memory.slot_va = memory.kernarg_va;
	}
	at = mt_chain_writer_room(writer, record->packet_b);
	if (writer->status)
		return writer->status;
	record->packet = mt_chain_writer_place(writer);
	at = mt_op_encode(&record->op, &memory, at, mt_exec_node_flags(record), number);
	mt_chain_writer_advance(writer, at);
	if (kernel)
		record->op.kernel.args = NULL; /* the template's */
	return MUSA_SUCCESS;
}

static MUresult emit_conditional(struct emitter *e, struct mt_chain_writer *writer, uint32_t number)
{
	struct mt_exec *exec = e->exec;
	struct mt_exec_node *record = &exec->nodes[number];
	struct mt_exec_cond *cond = record->op.graph;
	mt_place passes;
	void *at;
	MUresult ret = mt_chain_alloc(&exec->chain, PASSES_B, 8, &passes);

	if (ret)
		return ret;
	memset(mt_chain_cpu(&exec->chain, passes), 0, PASSES_B);
	mt_exec_cond_emit(exec, cond, mt_chain_va(&exec->chain, passes), writer);
	at = mt_chain_writer_room(&e->reset, MT_EXEC_COND_RESET_B);
	if (e->reset.status)
		return e->reset.status;
	record->data = mt_chain_writer_place(&e->reset);
	mt_chain_writer_advance(&e->reset, mt_exec_cond_put_reset(cond, at));
	return writer->status;
}

static void emit_stamp(struct emitter *e, struct mt_chain_writer *writer, uint32_t number,
		       uint32_t which)
{
	uint64_t va = mt_chain_va(&e->exec->chain, e->exec->times->stamps[number]);
	void *at = mt_chain_writer_room(writer, STAMP_B);

	mt_chain_writer_advance(writer, mt_pkt_put_timestamp(at, 0, number,
							     va + which * sizeof(uint64_t)));
}

/* The node's packets between two time stamps. */
static MUresult emit_timed(struct emitter *e, struct mt_chain_writer *writer, uint32_t number,
			   uint32_t lane)
{
	struct mt_exec *exec = e->exec;
	mt_place *stamps = &exec->times->stamps[number];
	MUresult ret = mt_chain_alloc(&exec->chain, MT_EXEC_STAMPS_B, 16, stamps);

	if (ret)
		return ret;
	memset(mt_chain_cpu(&exec->chain, *stamps), 0, MT_EXEC_STAMPS_B);
	exec->times->queues[number] = (uint8_t)lane;
	emit_stamp(e, writer, number, 0);
	ret = exec->nodes[number].op.type == MT_OP_CONDITIONAL
		      ? emit_conditional(e, writer, number)
		      : emit_op(e, writer, number);
	if (!ret)
		emit_stamp(e, writer, number, 1);
	return ret ? ret : writer->status;
}

/* A lane's open segment, while its unit is written. */
struct open_segment {
	uint32_t value, id;
};

static void emit_signal(struct emitter *e, const struct mt_schedule *schedule, uint32_t lane,
			const struct open_segment *open)
{
	struct mt_chain_writer *writer = &e->lanes[lane];

	if (!open->value || !schedule->signalled[open->id])
		return;
	mt_chain_writer_advance(writer,
				mt_pkt_put_signal(mt_chain_writer_room(writer, SYNC_B),
						  MT_PKT_RELEASE, MT_PKT_NODE_NONE,
						  e->slots_va + lane * sizeof(uint64_t),
						  open->value));
}

static MUresult emit_node(struct emitter *e, const struct emit_unit *u, uint32_t node,
			  struct open_segment *opens, const struct mt_sched_wait **wait)
{
	const struct mt_sched_place *place = &u->schedule.place[node];
	struct mt_chain_writer *writer = &e->lanes[place->lane];
	struct open_segment *open = &opens[place->lane];
	uint32_t number = u->unit->node_first + node, w;
	struct mt_exec_node *record = &e->exec->nodes[number];

	if (!record->packet_b && !place->wait_count)
		return MUSA_SUCCESS;
	if (open->value != place->segment) {
		emit_signal(e, &u->schedule, place->lane, open);
		open->value = place->segment;
		open->id = place->segment_id;
	}
	for (w = 0; w < place->wait_count; w++, (*wait)++)
		mt_chain_writer_advance(
			writer, mt_pkt_put_wait(mt_chain_writer_room(writer, SYNC_B), MT_PKT_ACQUIRE,
						number,
						e->slots_va + (*wait)->lane * sizeof(uint64_t),
						(*wait)->segment));
	if (place->barrier)
		record->state |= MT_EXEC_NODE_BARRIER;
	if (!record->packet_b)
		return writer->status;
	if (e->exec->times)
		return emit_timed(e, writer, number, place->lane);
	if (record->op.type == MT_OP_CONDITIONAL)
		return emit_conditional(e, writer, number);
	return emit_op(e, writer, number);
}

/* How a lane ends: a body goes back to where it was entered. */
static MUresult emit_end(struct emitter *e, const struct emit_unit *u, uint32_t lane)
{
	struct mt_chain_writer *writer = &e->lanes[lane];
	uint64_t back_va;
	void *at;

	at = mt_chain_writer_room(writer, u->unit->cond ? JUMP_B : END_B);
	if (writer->status)
		return writer->status;
	if (u->unit->cond) {
		back_va = mt_exec_cond_link(u->unit->cond, u->unit->body, writer->start_va);
		at = mt_pkt_put_jump(at, 0, u->unit->cond->node, back_va);
	} else {
		at = mt_pkt_put_end(at, MT_PKT_NODE_NONE);
	}
	mt_chain_writer_advance(writer, at);
	return MUSA_SUCCESS;
}

static MUresult emit_unit(struct emitter *e, const struct emit_unit *u)
{
	const struct mt_schedule *schedule = &u->schedule;
	const struct mt_sched_wait *wait = schedule->waits;
	struct open_segment opens[MT_SCHED_LANES_MAX] = { 0 };
	uint32_t i, lane;
	MUresult ret = MUSA_SUCCESS;

	for (lane = 0; lane < schedule->lane_count; lane++)
		mt_chain_writer_init(&e->lanes[lane], &e->exec->chain, u->packet_b[lane]);
	for (i = 0; i < schedule->order_count && !ret; i++)
		ret = emit_node(e, u, schedule->order[i], opens, &wait);
	for (lane = 0; lane < schedule->lane_count && !ret; lane++) {
		emit_signal(e, schedule, lane, &opens[lane]);
		ret = emit_end(e, u, lane);
	}
	return ret;
}

/* Progress words, and the table of lanes for the device. The prologue clears the words. */
static MUresult emit_tables(struct emitter *e)
{
	static const uint64_t zero[MT_SCHED_LANES_MAX];
	struct mt_exec *exec = e->exec;
	uint32_t lanes = exec->lane_count;
	mt_place place;
	void *at;
	MUresult ret;

	if (e->reset_b) {
		mt_chain_writer_init(&e->reset, &exec->chain, e->reset_b);
		exec->reset_va = e->reset.start_va;
	}
	if (lanes < 2)
		return e->reset.status;
	ret = mt_chain_alloc(&exec->chain, 2 * lanes * (uint32_t)sizeof(uint64_t), 64, &place);
	if (ret)
		return ret;
	e->slots_va = mt_chain_va(&exec->chain, place);
	exec->lane_table_va = e->slots_va + lanes * sizeof(uint64_t);
	exec->lane_table = (uint64_t *)mt_chain_cpu(&exec->chain, place) + lanes;
	memset(mt_chain_cpu(&exec->chain, place), 0, 2 * lanes * sizeof(uint64_t));
	at = mt_chain_writer_room(&e->reset, WRITE_B + lanes * (uint32_t)sizeof(uint64_t));
	if (e->reset.status)
		return e->reset.status;
	at = mt_pkt_put_write(at, 0, MT_PKT_NODE_NONE, e->slots_va, zero, (uint16_t)lanes);
	mt_chain_writer_advance(&e->reset, at);
	return MUSA_SUCCESS;
}

static MUresult emit_all(struct emitter *e)
{
	struct mt_exec *exec = e->exec;
	uint32_t i, lane;
	MUresult ret = emit_tables(e);

	for (i = 0; i < e->c->unit_count && !ret; i++) {
		ret = emit_unit(e, &e->units[i]);
		for (lane = 0; !i && !ret && lane < exec->lane_count; lane++) {
			exec->lane_va[lane] = e->lanes[lane].start_va;
			if (exec->lane_table)
				exec->lane_table[lane] = e->lanes[lane].start_va;
		}
	}
	if (!ret && e->reset_b) {
		void *at = mt_chain_writer_room(&e->reset, END_B);

		ret = e->reset.status;
		if (!ret)
			mt_chain_writer_advance(&e->reset, mt_pkt_put_end(at, MT_PKT_NODE_NONE));
	}
	return ret;
}

MUresult mt_compile_emit(struct mt_compile *c)
{
	struct emitter *e = mt_calloc(1, sizeof(*e));
	uint32_t i, cycle;
	MUresult ret = MUSA_SUCCESS;

	if (!e)
		return MUSA_ERROR_OUT_OF_MEMORY;
	e->c = c;
	e->exec = c->exec;
	e->units = mt_calloc(c->unit_count, sizeof(*e->units));
	if (!e->units)
		ret = MUSA_ERROR_OUT_OF_MEMORY;
	if (!ret && mt_trace.times)
		ret = mt_exec_times_create(c->exec);
	for (i = 0; i < c->unit_count && !ret; i++) {
		e->units[i].unit = &c->units[i];
		ret = schedule_unit(e, &e->units[i], &cycle);
		if (ret == MUSA_ERROR_INVALID_VALUE)
			ret = refuse_cycle(e, &e->units[i], cycle);
		else if (!ret)
			measure_unit(e, &e->units[i]);
	}
	if (!ret && c->has_memory)
		ret = mt_exec_memory_plan(c->exec, &e->units[0].schedule);
	if (!ret)
		ret = plan(e);
	if (!ret)
		ret = emit_all(e);
	for (i = 0; e->units && i < c->unit_count; i++)
		mt_schedule_finish(&e->units[i].schedule);
	mt_free(e->units);
	mt_free(e);
	return ret;
}

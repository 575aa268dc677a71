/* SPDX-License-Identifier: MIT */
/*
 * Graph memory of an exec: who shares memory with whom, and what a launch does to states and backing.
 */
#include <string.h>

#include "graph/graph_memory.h"
#include "graph/schedule.h"
#include "hw/base/alloc.h"

/* --- plan --------------------------------------------------------------------------------------- */

/* A piece of the region that is free again behind a node. */
struct piece {
	uint64_t offset_b, size_b;
	uint32_t behind; /* node after which it is free, MT_EXEC_NONE for never used */
};

struct planner {
	struct mt_exec *exec;
	const struct mt_schedule *schedule;
	struct mt_exec_memory *memory;
	struct piece *pieces; /* heap */
	uint32_t piece_count;
};

static struct mt_exec_alloc *find_own(struct mt_exec_memory *memory,
				      const struct mt_graph_alloc *alloc)
{
	uint32_t i;

	/* Frees mostly name what was allocated last. */
	for (i = memory->alloc_count; i > 0; i--)
		if (memory->allocs[i - 1].alloc == alloc)
			return &memory->allocs[i - 1];
	return NULL;
}

/* Takes the smallest free piece that is large enough, or more of the region. */
static uint64_t take_piece(struct planner *p, uint32_t node, uint64_t size_b)
{
	struct piece *best = NULL, *piece;
	uint64_t offset_b;
	uint32_t i;

	for (i = 0; i < p->piece_count; i++) {
		piece = &p->pieces[i];
		if (piece->size_b < size_b || (best && best->size_b <= piece->size_b))
			continue;
		if (mt_schedule_is_behind(p->schedule, piece->behind, node))
			best = piece;
	}
	if (!best) {
		offset_b = p->memory->region_b;
		p->memory->region_b += size_b;
		return offset_b;
	}
	offset_b = best->offset_b;
	best->offset_b += size_b;
	best->size_b -= size_b;
	if (!best->size_b)
		*best = p->pieces[--p->piece_count];
	return offset_b;
}

static void plan_alloc(struct planner *p, uint32_t node)
{
	struct mt_exec_alloc *own = &p->memory->allocs[p->memory->alloc_count++];

	own->alloc = p->exec->nodes[node].op.graph;
	mt_graph_alloc_ref(own->alloc);
	own->shared = own->alloc->own_free;
	if (own->shared)
		own->offset_b = take_piece(p, node, own->alloc->mapped_b);
	else
		p->memory->has_private = true;
}

static void plan_free(struct planner *p, uint32_t node)
{
	struct mt_graph_alloc *alloc = p->exec->nodes[node].op.graph;
	struct mt_exec_alloc *own;

	if (alloc->group != p->memory->group) {
		p->memory->frees[p->memory->free_count++] = alloc;
		mt_graph_alloc_ref(alloc);
		return;
	}
	/* One that stands before its alloc node is ordered with nothing: its memory is not shared. */
	own = find_own(p->memory, alloc);
	if (own)
		p->pieces[p->piece_count++] =
			(struct piece){ own->offset_b, alloc->mapped_b, node };
}

static MUresult get_arrays(struct planner *p, uint32_t allocs, uint32_t frees)
{
	struct mt_arena *arena = &p->exec->arena;
	struct mt_exec_memory *memory = mt_arena_alloc(arena, sizeof(*memory), 8);

	if (!memory)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memory->allocs = mt_arena_alloc(arena, (allocs + 1) * sizeof(*memory->allocs), 8);
	memory->frees = mt_arena_alloc(arena, (frees + 1) * sizeof(*memory->frees), 8);
	p->pieces = mt_alloc((frees + 1) * sizeof(*p->pieces));
	if (!memory->allocs || !memory->frees || !p->pieces)
		return MUSA_ERROR_OUT_OF_MEMORY;
	p->memory = memory;
	p->exec->memory = memory;
	return MUSA_SUCCESS;
}

static void set_group(struct mt_exec_memory *memory, struct mt_graph_alloc *alloc)
{
	struct mt_graph_memory *all = alloc->group->memory;

	if (memory->group)
		return;
	memory->group = alloc->group;
	pthread_mutex_lock(&all->lock);
	memory->group->refs++;
	pthread_mutex_unlock(&all->lock);
}

MUresult mt_exec_memory_plan(struct mt_exec *exec, const struct mt_schedule *schedule)
{
	struct planner p = { .exec = exec, .schedule = schedule };
	uint32_t i, node, allocs = 0, frees = 0;
	struct mt_graph_alloc *alloc;
	MUresult ret;

	for (i = 0; i < schedule->order_count; i++) {
		allocs += exec->nodes[schedule->order[i]].op.type == MT_OP_ALLOC;
		frees += exec->nodes[schedule->order[i]].op.type == MT_OP_FREE;
	}
	if (!allocs && !frees)
		return MUSA_SUCCESS;
	ret = get_arrays(&p, allocs, frees);
	for (i = 0; i < schedule->order_count && !ret; i++) {
		node = schedule->order[i];
		alloc = exec->nodes[node].op.graph;
		if (exec->nodes[node].op.type == MT_OP_ALLOC)
			set_group(p.memory, alloc);
	}
	for (i = 0; i < schedule->order_count && !ret; i++) {
		node = schedule->order[i];
		if (exec->nodes[node].op.type == MT_OP_ALLOC)
			plan_alloc(&p, node);
		else if (exec->nodes[node].op.type == MT_OP_FREE)
			plan_free(&p, node);
	}
	mt_free(p.pieces);
	return ret;
}

static void drop_past(struct mt_exec_memory *memory)
{
	while (memory->past_count)
		mt_graph_alloc_unref(memory->past[--memory->past_count]);
}

void mt_exec_memory_finish(struct mt_exec *exec)
{
	struct mt_exec_memory *memory = exec->memory;
	uint32_t i;

	if (!memory)
		return;
	for (i = 0; i < memory->alloc_count; i++)
		mt_graph_alloc_unref(memory->allocs[i].alloc);
	for (i = 0; i < memory->free_count; i++)
		mt_graph_alloc_unref(memory->frees[i]);
	drop_past(memory);
	mt_free(memory->past);
	mt_memory_group_unref(memory->group);
	exec->memory = NULL;
}

/* --- update ------------------------------------------------------------------------------------- */

bool mt_exec_memory_can_replace(const struct mt_exec *exec, const struct mt_exec_node *node,
				const struct mt_graph_alloc *next)
{
	const struct mt_graph_alloc *now = node->op.graph;

	return now->size_b == next->size_b && now->own_free == next->own_free &&
	       next->group->memory == exec->ctx->graph && !memcmp(now->props, next->props,
								  sizeof(now->props));
}

MUresult mt_exec_memory_prepare(struct mt_exec *exec, uint32_t count)
{
	struct mt_exec_memory *memory = exec->memory;
	struct mt_graph_alloc **past;

	if (mt_exec_is_at_rest(exec))
		drop_past(memory);
	if (memory->past_count + count <= memory->past_capacity)
		return MUSA_SUCCESS;
	past = mt_realloc(memory->past, (memory->past_count + count) * sizeof(*past));
	if (!past)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memory->past = past;
	memory->past_capacity = memory->past_count + count;
	return MUSA_SUCCESS;
}

static void move_group(struct mt_exec_memory *memory, struct mt_memory_group *group)
{
	struct mt_memory_group *old = memory->group;

	if (old == group)
		return;
	pthread_mutex_lock(&group->memory->lock);
	group->refs++;
	pthread_mutex_unlock(&group->memory->lock);
	memory->group = group;
	mt_memory_group_unref(old);
}

void mt_exec_memory_replace(struct mt_exec *exec, struct mt_exec_node *node,
			    struct mt_graph_alloc *next)
{
	struct mt_exec_memory *memory = exec->memory;
	struct mt_graph_alloc *now = node->op.graph;
	struct mt_exec_alloc *own;
	uint32_t i;

	node->op.graph = next;
	if (node->op.type == MT_OP_ALLOC) {
		own = find_own(memory, now);
		own->alloc = next;
		move_group(memory, next->group);
	} else {
		for (i = 0; i < memory->free_count && memory->frees[i] != now; i++)
			;
		if (i == memory->free_count)
			return; /* of its own memory: nothing to count */
		memory->frees[i] = next;
	}
	mt_graph_alloc_ref(next);
	memory->past[memory->past_count++] = now;
}

/* --- launch ------------------------------------------------------------------------------------- */

static MUresult check_states(const struct mt_exec *exec)
{
	const struct mt_exec_memory *memory = exec->memory;
	uint32_t i;

	if (memory->has_private && !(exec->flags & MT_EXEC_AUTO_FREE))
		for (i = 0; i < memory->alloc_count; i++)
			if (memory->allocs[i].alloc->live)
				return MUSA_ERROR_INVALID_VALUE;
	for (i = 0; i < memory->free_count; i++)
		if (!memory->frees[i]->live)
			return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

static MUresult map_private(struct mt_graph_memory *all, struct mt_graph_alloc *alloc)
{
	struct mt_hw_device *hw = all->ctx->hw;
	struct mt_hw_bo *bo;
	MUresult ret;
	int error;

	if (alloc->bo)
		return MUSA_SUCCESS;
	mt_graph_alloc_unmap(all, alloc); /* an exec made before may have shared it */
	ret = mt_graph_memory_take(all, alloc->mapped_b, &bo);
	if (ret)
		return ret;
	error = hw->ops->bo_map(bo, 0, alloc->mapped_b, alloc->va);
	if (error) {
		mt_graph_memory_give(all, bo);
		return mt_result_from_errno(hw, error);
	}
	alloc->bo = bo;
	return MUSA_SUCCESS;
}

static MUresult map_shared(struct mt_graph_memory *all, struct mt_exec *exec,
			   struct mt_memory_region *region)
{
	struct mt_exec_memory *memory = exec->memory;
	struct mt_hw_device *hw = all->ctx->hw;
	struct mt_exec_alloc *own;
	uint32_t i;
	int error;

	memory->group->plan = 0;
	for (i = 0; i < memory->alloc_count; i++) {
		own = &memory->allocs[i];
		if (!own->shared)
			continue;
		mt_graph_alloc_unmap(all, own->alloc);
		error = hw->ops->bo_map(region->bo, own->offset_b, own->alloc->mapped_b,
					own->alloc->va);
		if (error)
			return mt_result_from_errno(hw, error);
		own->alloc->mapped = true;
	}
	memory->group->region = region;
	memory->group->plan = exec->handle;
	return MUSA_SUCCESS;
}

/* Work in this stream is behind the region's users. */
static bool is_ordered(const struct mt_memory_region *region, const struct mt_stream *stream)
{
	return mt_ticket_is_done(&region->last) || region->last_stream == stream->id;
}

static MUresult find_region(struct mt_graph_memory *all, uint64_t size_b,
			    const struct mt_stream *stream, struct mt_memory_region **region_out)
{
	struct mt_memory_region *region, *best = NULL;
	MUresult ret;

	for (region = all->regions; region; region = region->next)
		if (region->size_b >= size_b && is_ordered(region, stream) &&
		    (!best || region->size_b < best->size_b))
			best = region;
	if (!best) {
		best = mt_calloc(1, sizeof(*best));
		if (!best)
			return MUSA_ERROR_OUT_OF_MEMORY;
		ret = mt_graph_memory_take(all, size_b, &best->bo);
		if (ret) {
			mt_free(best);
			return ret;
		}
		best->size_b = size_b;
		best->next = all->regions;
		all->regions = best;
	}
	*region_out = best;
	return MUSA_SUCCESS;
}

/*
 * The group keeps its region while it can. If launches of another graph use the region in another
 * stream, an idle group moves on to another one; a busy one cannot, and its launch waits for them.
 */
static MUresult back_shared(struct mt_graph_memory *all, struct mt_exec *exec,
			    const struct mt_stream *stream, struct mt_stream_ticket *after)
{
	struct mt_memory_group *group = exec->memory->group;
	struct mt_memory_region *region = group->region;
	bool idle = mt_ticket_is_done(&group->last);
	MUresult ret;

	if (region && group->plan == exec->handle) {
		if (is_ordered(region, stream))
			return MUSA_SUCCESS;
		if (!idle) {
			*after = region->last;
			return MUSA_SUCCESS;
		}
	}
	if (!idle) /* another exec of this graph made the mapping and still runs */
		mt_hw_queue_wait(group->last.queue, group->last.seq, -1);
	ret = find_region(all, exec->memory->region_b, stream, &region);
	return ret ? ret : map_shared(all, exec, region);
}

MUresult mt_exec_memory_begin(struct mt_exec *exec, struct mt_stream *stream, bool launch,
			      struct mt_stream_ticket *after)
{
	struct mt_exec_memory *memory = exec->memory;
	struct mt_graph_memory *all = exec->ctx->graph;
	MUresult ret = MUSA_SUCCESS;
	uint32_t i;

	after->queue = NULL;
	pthread_mutex_lock(&all->lock);
	if (launch)
		ret = check_states(exec);
	if (!ret && memory->group && memory->group->last_stream != stream->id &&
	    !mt_ticket_is_done(&memory->group->last))
		*after = memory->group->last;
	if (!ret && memory->region_b)
		ret = back_shared(all, exec, stream, after);
	for (i = 0; i < memory->alloc_count && !ret && memory->has_private; i++)
		if (!memory->allocs[i].shared)
			ret = map_private(all, memory->allocs[i].alloc);
	if (ret)
		pthread_mutex_unlock(&all->lock);
	return ret;
}

static void set_live(struct mt_graph_alloc *alloc, bool live,
		     const struct mt_stream_ticket *ticket)
{
	if (alloc->live == live)
		return;
	__atomic_store_n(&alloc->live, live, __ATOMIC_RELAXED);
	if (live) {
		alloc->refs++;
	} else {
		alloc->freed = *ticket;
		alloc->refs--; /* the exec holds another one */
	}
}

void mt_exec_memory_end(struct mt_exec *exec, struct mt_stream *stream,
			const struct mt_stream_ticket *ticket)
{
	struct mt_exec_memory *memory = exec->memory;
	struct mt_graph_memory *all = exec->ctx->graph;
	struct mt_memory_group *group = memory->group;
	uint32_t i;

	if (ticket) {
		if (group) {
			group->last = *ticket;
			group->last_stream = stream->id;
		}
		if (memory->region_b) {
			group->region->last = *ticket;
			group->region->last_stream = stream->id;
		}
		for (i = 0; i < memory->alloc_count && memory->has_private; i++)
			if (!memory->allocs[i].shared)
				set_live(memory->allocs[i].alloc, true, ticket);
		for (i = 0; i < memory->free_count; i++)
			set_live(memory->frees[i], false, ticket);
	}
	pthread_mutex_unlock(&all->lock);
}

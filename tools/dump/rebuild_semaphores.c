/* SPDX-License-Identifier: MIT */
/*
 * External semaphores of a rebuilt graph. Whoever shared them is not in the file: new ones take their
 * places. The public API imports semaphores and makes none, so that the core makes them here.
 */
#include <stdlib.h>
#include <string.h>

#include "drv/table.h"
#include "tools/dump/command.h"
#include "tools/dump/rebuild.h"

_Static_assert(sizeof(struct musaExternalSemaphoreSignalParams) ==
		       sizeof(((struct mtg_semaphore *)NULL)->params) &&
	       sizeof(struct musaExternalSemaphoreWaitParams) ==
		       sizeof(((struct mtg_semaphore *)NULL)->params), "as in the file");

static bool is_semaphore_node(const struct file_node *node)
{
	return node->head->type == musaGraphNodeTypeExtSemaphoreSignal ||
	       node->head->type == musaGraphNodeTypeExtSemaphoreWait;
}

static uint32_t count_of(const struct file_node *node)
{
	return ((const struct mtg_semaphore_params *)node->params)->count;
}

static int compare(const void *a, const void *b)
{
	const struct rebuild_semaphore *x = a, *y = b;

	if (x->saved != y->saved)
		return x->saved < y->saved ? -1 : 1;
	return x->most < y->most ? -1 : x->most > y->most;
}

static musaError_t make(struct rebuild_semaphore *semaphore)
{
	const struct mt_drv_table *core = &mt_drv_table_v1;
	struct musaExternalSemaphoreHandleDesc desc = {
		.type = musaExternalSemaphoreHandleTypeOpaqueFd};
	struct mt_ext_semaphore *object;
	struct mt_ctx *ctx;
	uint64_t handle;
	MUresult ret;
	int device;
	musaError_t error = musaGetDevice(&device);

	if (error)
		return error;
	ret = core->mt_ctx_primary(device, &ctx);
	if (!ret)
		ret = core->mt_ext_semaphore_create(ctx, &handle);
	if (!ret)
		ret = core->mt_ext_semaphore_get(handle, &object);
	if (ret)
		return (musaError_t)ret;
	ret = core->mt_ext_semaphore_export(object, &desc.handle.fd);
	/* What is imported keeps it alive, and owns the descriptor. */
	if (!ret)
		error = musaImportExternalSemaphore(&semaphore->semaphore, &desc);
	core->mt_ext_semaphore_destroy(object);
	return ret ? (musaError_t)ret : error;
}

bool rebuild_semaphores(struct rebuild *rebuild)
{
	const struct model *model = &rebuild->model;
	struct rebuild_semaphore *list;
	uint32_t count = 0, kept = 0, i, k;
	musaError_t error;

	for (i = 0; i < model->node_count; i++)
		if (is_semaphore_node(&model->nodes[i]))
			count += count_of(&model->nodes[i]);
	if (!count)
		return true;
	rebuild->semaphores = list = calloc(count, sizeof(*list));
	if (!list)
		return rebuild_no_memory(rebuild);
	for (i = 0, count = 0; i < model->node_count; i++)
		for (k = 0; is_semaphore_node(&model->nodes[i]) && k < count_of(&model->nodes[i]); k++)
			list[count++] = (struct rebuild_semaphore){
				.saved = model->nodes[i].semaphores[k].semaphore,
				.most = model->nodes[i].semaphores[k].value};
	qsort(list, count, sizeof(*list), compare);
	/* Of those with one name the last has the largest value. */
	for (i = 0; i < count; i++)
		if (i + 1 == count || list[i].saved != list[i + 1].saved)
			list[kept++] = list[i];
	for (i = 0; i < kept; i++) {
		error = make(&list[i]);
		if (error)
			return rebuild_failed(rebuild, error, "external semaphore");
		rebuild->semaphore_count++;
	}
	return true;
}

static const struct rebuild_semaphore *find(const struct rebuild *rebuild, uint64_t saved)
{
	uint32_t low = 0, high = rebuild->semaphore_count, middle;

	while (low + 1 < high) {
		middle = low + (high - low) / 2;
		if (rebuild->semaphores[middle].saved <= saved)
			low = middle;
		else
			high = middle;
	}
	return &rebuild->semaphores[low];
}

musaError_t rebuild_add_semaphores(const struct rebuild *rebuild, const struct file_node *node,
				   musaGraph_t graph, const musaGraphNode_t *deps, size_t dep_count,
				   musaGraphNode_t *out)
{
	uint32_t count = count_of(node), i;
	const struct rebuild_semaphore *semaphore;
	musaExternalSemaphore_t *handles = calloc(count + 1u, sizeof(*handles));
	struct musaExternalSemaphoreSignalParams *signals = calloc(count + 1u, sizeof(*signals));
	struct musaExternalSemaphoreWaitParams *waits = calloc(count + 1u, sizeof(*waits));
	const struct musaExternalSemaphoreSignalNodeParams signal = {handles, signals, count};
	const struct musaExternalSemaphoreWaitNodeParams wait = {handles, waits, count};
	musaError_t error = musaErrorMemoryAllocation;

	if (!handles || !signals || !waits)
		goto free_all;
	for (i = 0; i < count; i++) {
		semaphore = find(rebuild, node->semaphores[i].semaphore);
		handles[i] = semaphore->semaphore;
		memcpy(&signals[i], node->semaphores[i].params, sizeof(signals[i]));
		memcpy(&waits[i], node->semaphores[i].params, sizeof(waits[i]));
		/* Less would take back what rebuild_signal_all() has signalled. */
		signals[i].params.fence.value = semaphore->most;
	}
	if (node->head->type == musaGraphNodeTypeExtSemaphoreSignal)
		error = musaGraphAddExternalSemaphoresSignalNode(out, graph, deps, dep_count,
								 &signal);
	else
		error = musaGraphAddExternalSemaphoresWaitNode(out, graph, deps, dep_count, &wait);
free_all:
	free(handles);
	free(signals);
	free(waits);
	return error;
}

musaError_t rebuild_signal_all(const struct rebuild *rebuild, musaStream_t stream)
{
	struct musaExternalSemaphoreSignalParams params;
	musaError_t error = musaSuccess;
	uint32_t i;

	memset(&params, 0, sizeof(params));
	for (i = 0; i < rebuild->semaphore_count && !error; i++) {
		params.params.fence.value = rebuild->semaphores[i].most;
		error = musaSignalExternalSemaphoresAsync(&rebuild->semaphores[i].semaphore, &params,
							  1, stream);
	}
	return error;
}

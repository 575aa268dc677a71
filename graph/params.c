/* SPDX-License-Identifier: MIT */
/*
 * Reading and replacing a node's parameters by its handle.
 */
#include "graph/params.h"

#include <string.h>

#include "drv/codeobj.h"
#include "drv/ext_semaphore.h"
#include "drv/module.h"
#include "graph/calls.h"

#define EXTRA_WORDS 6u /* POINTER, buffer, SIZE, &size, END, size */

uint64_t *mt_node_view_words(struct mt_graph *graph, struct mt_node *node, uint64_t words)
{
	struct mt_node_view *view = node->view;

	if (view && view->room >= words)
		return view->words;
	view = mt_arena_alloc(&graph->arena, sizeof(*view) + words * sizeof(view->words[0]),
			      _Alignof(struct mt_node_view));
	if (!view)
		return NULL;
	view->room = words;
	node->view = view;
	return view->words;
}

static MUresult get_typed(MUgraphNode handle, uint32_t type, struct mt_graph **graph_out,
			  struct mt_node **node_out)
{
	if (mt_node_get(handle, graph_out, node_out) || (*node_out)->op.type != type)
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

MUresult mt_node_params(MUgraphNode handle, uint32_t type, const struct mt_op **op_out)
{
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret = get_typed(handle, type, &graph, &node);

	if (!ret)
		*op_out = &node->op;
	return ret;
}

MUresult mt_node_set_params(MUgraphNode handle, const struct mt_op *op)
{
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret = get_typed(handle, op->type, &graph, &node);

	return ret ? ret : mt_node_set_op(graph, node, op);
}

/* kernelParams: a pointer to each value in the node's argument image, and a NULL behind. */
static MUresult list_params(struct mt_graph *graph, struct mt_node *node,
			    const struct mt_codeobj_kernel *kernel, void ***params_out)
{
	char *image = node->op.kernel.args;
	void **params;
	uint32_t i;

	params = (void **)mt_node_view_words(graph, node, kernel->param_count + 1u);
	if (!params)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < kernel->param_count; i++)
		params[i] = image + kernel->params[i].image_b;
	params[i] = NULL;
	*params_out = params;
	return MUSA_SUCCESS;
}

/* extra: the launch list and behind it the packed buffer, gathered from the argument image. */
static MUresult pack_extra(struct mt_graph *graph, struct mt_node *node,
			   const struct mt_codeobj_kernel *kernel, void ***extra_out)
{
	uint64_t buffer_words = (kernel->packed_size_b + 7u) / 8u;
	const char *image = node->op.kernel.args;
	uint64_t *words = mt_node_view_words(graph, node, EXTRA_WORDS + buffer_words);
	char *buffer;
	void **extra;
	uint32_t i;

	if (!words)
		return MUSA_ERROR_OUT_OF_MEMORY;
	buffer = (char *)(words + EXTRA_WORDS);
	memset(buffer, 0, buffer_words * 8u);
	for (i = 0; i < kernel->param_count; i++)
		memcpy(buffer + kernel->params[i].packed_b, image + kernel->params[i].image_b,
		       kernel->params[i].size_b);
	words[5] = i ? kernel->params[i - 1].packed_b + kernel->params[i - 1].size_b : 0;
	extra = (void **)words;
	extra[0] = MU_LAUNCH_PARAM_BUFFER_POINTER;
	extra[1] = buffer;
	extra[2] = MU_LAUNCH_PARAM_BUFFER_SIZE;
	extra[3] = &words[5];
	extra[4] = MU_LAUNCH_PARAM_END;
	*extra_out = extra;
	return MUSA_SUCCESS;
}

MUresult mt_node_kernel_args(MUgraphNode handle, void ***params_out, void ***extra_out)
{
	const struct mt_codeobj_kernel *kernel;
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret = get_typed(handle, MT_OP_KERNEL, &graph, &node);

	if (ret)
		return ret;
	kernel = node->op.kernel.fn->kernel;
	if (node->op.args_form) {
		ret = pack_extra(graph, node, kernel, extra_out);
		if (!ret)
			*params_out = NULL;
	} else {
		ret = list_params(graph, node, kernel, params_out);
		if (!ret)
			*extra_out = NULL;
	}
	return ret;
}

MUresult mt_node_semaphores(MUgraphNode handle, uint32_t type, MUexternalSemaphore **semaphores_out,
			    const void **params_out, unsigned int *count_out)
{
	const uint64_t params_words = MT_EXT_SEMAPHORE_PARAMS_B / 8u;
	const struct mt_op_sem *sem;
	struct mt_graph *graph;
	struct mt_node *node;
	uint64_t *words;
	uint32_t i;
	MUresult ret = get_typed(handle, type, &graph, &node);

	if (ret)
		return ret;
	sem = &node->op.sem;
	words = mt_node_view_words(graph, node, sem->count * (1u + params_words));
	if (!words)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < sem->count; i++) {
		words[i] = sem->params[i].semaphore->handle;
		memcpy(words + sem->count + i * params_words, sem->params[i].raw,
		       MT_EXT_SEMAPHORE_PARAMS_B);
	}
	*semaphores_out = (MUexternalSemaphore *)words;
	*params_out = words + sem->count;
	*count_out = sem->count;
	return MUSA_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Parameters and switches of single nodes of an exec, found by their handle without a search.
 */
#include "graph/update.h"

/* On success the exec is locked. */
static MUresult open_node(MUgraphExec exec_handle, MUgraphNode node_handle,
			  struct mt_exec **exec_out, struct mt_exec_node **node_out)
{
	struct mt_exec *exec;
	MUresult ret = mt_exec_get(exec_handle, &exec);

	if (ret)
		return ret;
	pthread_mutex_lock(&exec->lock);
	ret = mt_exec_find_node(exec, node_handle, node_out);
	if (ret)
		pthread_mutex_unlock(&exec->lock);
	else
		*exec_out = exec;
	return ret;
}

MUresult mt_exec_node_info(MUgraphExec exec_handle, MUgraphNode node_handle, uint32_t *type_out,
			   struct mt_ctx **ctx_out, const struct mt_kernel_attrs **attrs_out)
{
	struct mt_exec_node *node;
	struct mt_exec *exec;
	MUresult ret = open_node(exec_handle, node_handle, &exec, &node);

	if (ret)
		return ret;
	*type_out = node->op.type;
	*ctx_out = exec->ctx;
	*attrs_out = node->op.type == MT_OP_KERNEL ? node->op.kernel.attrs : NULL;
	pthread_mutex_unlock(&exec->lock);
	return MUSA_SUCCESS;
}

static MUresult set_params(struct mt_exec *exec, struct mt_exec_node *node, const struct mt_op *op)
{
	struct mt_update_change change = { .node = node, .op = op };
	MUresult ret;

	if (node->op.type != op->type || mt_update_check(exec, node, op, false))
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_update_prepare(exec, &change);
	return ret ? ret : mt_update_commit(exec, &change);
}

MUresult mt_exec_set_params(MUgraphExec exec_handle, MUgraphNode node_handle,
			    const struct mt_op *op)
{
	struct mt_exec_node *node;
	struct mt_exec *exec;
	MUresult ret = open_node(exec_handle, node_handle, &exec, &node);

	if (ret)
		return ret;
	ret = set_params(exec, node, op);
	pthread_mutex_unlock(&exec->lock);
	return ret;
}

static bool can_be_disabled(const struct mt_exec_node *node)
{
	return node->op.type == MT_OP_KERNEL || node->op.type == MT_OP_COPY ||
	       node->op.type == MT_OP_FILL;
}

static MUresult set_enabled(struct mt_exec *exec, struct mt_exec_node *node, bool enabled)
{
	struct mt_patch_move stay = { 0 };
	struct mt_patch_target target;
	MUresult ret;

	if (!can_be_disabled(node))
		return MUSA_ERROR_INVALID_VALUE;
	if (enabled == !(node->state & MT_EXEC_NODE_DISABLED))
		return MUSA_SUCCESS;
	ret = mt_patch_target(exec, node, &stay, &target);
	if (ret)
		return ret;
	node->state ^= MT_EXEC_NODE_DISABLED;
	((struct mt_pkt_header *)(void *)target.packet)->flags ^= MT_PKT_DISABLED;
	return MUSA_SUCCESS;
}

MUresult mt_exec_set_enabled(MUgraphExec exec_handle, MUgraphNode node_handle, bool enabled)
{
	struct mt_exec_node *node;
	struct mt_exec *exec;
	MUresult ret = open_node(exec_handle, node_handle, &exec, &node);

	if (ret)
		return ret;
	ret = set_enabled(exec, node, enabled);
	pthread_mutex_unlock(&exec->lock);
	return ret;
}

MUresult mt_exec_get_enabled(MUgraphExec exec_handle, MUgraphNode node_handle, bool *enabled_out)
{
	struct mt_exec_node *node;
	struct mt_exec *exec;
	MUresult ret = open_node(exec_handle, node_handle, &exec, &node);

	if (ret)
		return ret;
	if (!enabled_out || !can_be_disabled(node))
		ret = MUSA_ERROR_INVALID_VALUE;
	else
		*enabled_out = !(node->state & MT_EXEC_NODE_DISABLED);
	pthread_mutex_unlock(&exec->lock);
	return ret;
}

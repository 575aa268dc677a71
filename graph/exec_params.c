/* SPDX-License-Identifier: MIT */
/*
 * Parameters and switches of single nodes of an exec, found by their handle without a search.
 */
#include "graph/trace.h"
#include "graph/update.h"
#include "hw/base/log.h"

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

/* The parameter for which the rules refuse the new ones, or NONE. */
static enum mt_update_param find_refusal(const struct mt_exec *exec,
					 const struct mt_exec_node *node, const struct mt_op *op)
{
	enum mt_update_param param;

	if (node->op.type != op->type)
		return MT_UPDATE_TYPE;
	return mt_update_check(exec, node, op, false, &param) ? param : MT_UPDATE_NONE;
}

static MUresult set_params(struct mt_exec *exec, struct mt_exec_node *node, const struct mt_op *op,
			   struct mt_update_reason *reason)
{
	struct mt_update_change change = { .node = node, .op = op };
	enum mt_update_param refused = find_refusal(exec, node, op);
	MUresult ret;

	if (refused) {
		mt_update_explain(exec, node, op, refused, reason);
		mt_log(MT_LOG_INFO, "parameters of node %u refused: %s is %s, not %s", reason->node,
		       reason->name, reason->next, reason->now);
		return MUSA_ERROR_INVALID_VALUE;
	}
	ret = mt_update_prepare(exec, &change);
	return ret ? ret : mt_update_commit(exec, &change);
}

static MUresult find_and_set(MUgraphExec exec_handle, MUgraphNode node_handle,
			     const struct mt_op *op, struct mt_update_reason *reason)
{
	struct mt_exec_node *node;
	struct mt_exec *exec;
	MUresult ret = open_node(exec_handle, node_handle, &exec, &node);

	if (ret)
		return ret;
	ret = set_params(exec, node, op, reason);
	pthread_mutex_unlock(&exec->lock);
	return ret;
}

MUresult mt_exec_set_params(MUgraphExec exec, MUgraphNode node, const struct mt_op *op)
{
	struct mt_update_reason reason;
	uint64_t start_ns;
	MUresult ret;

	reason.name = NULL;
	if (!mt_tracing())
		return find_and_set(exec, node, op, &reason);
	start_ns = mt_trace_now_ns();
	ret = find_and_set(exec, node, op, &reason);
	mt_trace_node_update(exec, node, "parameters", ret, &reason, start_ns);
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
	uint64_t start_ns = mt_tracing() ? mt_trace_now_ns() : 0;
	MUresult ret = open_node(exec_handle, node_handle, &exec, &node);

	if (ret)
		return ret;
	ret = set_enabled(exec, node, enabled);
	pthread_mutex_unlock(&exec->lock);
	if (mt_tracing())
		mt_trace_node_update(exec_handle, node_handle, enabled ? "enable" : "disable", ret,
				     NULL, start_ns);
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

/* SPDX-License-Identifier: MIT */
/* The graph layer's part in the life of a context. */
#include "graph/exec_context.h"

#include "drv/context.h"
#include "graph/build_roots.h"
#include "graph/conditional_words.h"
#include "graph/exec.h"
#include "graph/graph_memory.h"

static MUresult ctx_created(struct mt_ctx *ctx)
{
	struct mt_graph_memory *memory;
	MUresult ret = mt_graph_memory_create(ctx, &memory);

	if (!ret)
		ctx->graph = memory;
	return ret;
}

static void ctx_destroyed(struct mt_ctx *ctx)
{
	mt_exec_ctx_gone(ctx);
	mt_roots_ctx_gone(ctx);
	mt_cond_words_finish(ctx);
	mt_graph_memory_destroy(ctx->graph);
	ctx->graph = NULL;
}

static const struct mt_graph_hooks hooks = {
	.ctx_created = ctx_created,
	.ctx_destroyed = ctx_destroyed,
	.process_ends = mt_exec_retire_end,
};

void mt_exec_context_init(void)
{
	mt_graph_hooks_set(&hooks);
}

/* SPDX-License-Identifier: MIT */
/* Loops run on the device: however many passes, a launch is one submission, and nothing caps them. */
#include <stdlib.h>

#include "drv/stream.h"
#include "drv/table.h"
#include "support.h"

static uint64_t submitted(musaStream_t handle)
{
	struct mt_stream *stream;
	struct mt_ctx *ctx;

	EQ(mt_drv_table_v1.mt_ctx_primary(0, &ctx), MUSA_SUCCESS);
	EQ(mt_drv_table_v1.mt_stream_get(ctx, handle, false, &stream), MUSA_SUCCESS);
	return atomic_load(&stream->queue)->submitted;
}

Test(loop, passes_are_no_submissions, .timeout = 600)
{
	const char *text = getenv("LOOP_PASSES");
	int passes = text ? atoi(text) : 10000000;
	struct musaGraphNodeParams params = {.type = musaGraphNodeTypeConditional};
	musaGraphConditionalHandle handle;
	int *word = t_ints(1);
	void *args[] = {&handle, &word};
	musaStream_t stream = t_stream();
	musaGraphExec_t exec;
	musaGraphNode_t loop;
	musaGraph_t graph;
	uint64_t before;

	OK(musaMemcpyAsync(word, &passes, sizeof(passes), musaMemcpyHostToDevice, stream));
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphConditionalHandleCreate(&handle, graph, 1, musaGraphCondAssignDefault));
	params.conditional.handle = handle;
	params.conditional.type = musaGraphCondTypeWhile;
	params.conditional.size = 1;
	OK(musaGraphAddNode(&loop, graph, NULL, 0, &params));
	t_add_kernel(params.conditional.phGraph_out[0], NULL, 0, kernel_count_down, args);
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphUpload(exec, stream));
	OK(musaStreamSynchronize(stream));
	before = submitted(stream);
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(submitted(stream), before + 1);
	EQ(t_read(word), 0);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

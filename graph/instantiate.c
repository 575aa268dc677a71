/* SPDX-License-Identifier: MIT */
/* Instantiation as both APIs' calls have it: capture rules, upload, the text of the older calls. */
#include "graph/instantiate.h"

#include <string.h>

#include "drv/capture.h"

MUresult mt_exec_make(const char *api, MUgraph graph, uint64_t flags, struct mt_stream *upload,
		      struct mt_exec_report *report, MUgraphExec *exec_out)
{
	MUresult ret;

	report->result = MT_EXEC_ERROR;
	report->node = NULL;
	if (exec_out)
		*exec_out = NULL;
	if ((flags & MT_EXEC_UPLOAD) && !upload)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_capture_check_unsafe(api);
	if (!ret)
		ret = mt_exec_instantiate(graph, flags, report, exec_out);
	if (ret || !(flags & MT_EXEC_UPLOAD))
		return ret;
	ret = mt_exec_upload(*exec_out, upload);
	if (ret) {
		report->result = MT_EXEC_ERROR;
		mt_exec_destroy(*exec_out);
		*exec_out = NULL;
	}
	return ret;
}

static const char *reason_of(uint32_t result)
{
	switch (result) {
	case MT_EXEC_INVALID_STRUCTURE:
		return "the graph has a cycle";
	case MT_EXEC_NODE_NOT_SUPPORTED:
		return "a node is not allowed where it stands";
	case MT_EXEC_MULTIPLE_DEVICES:
		return "nodes belong to several devices, or their memory cannot be reached";
	case MT_EXEC_HANDLE_UNUSED:
		return "a conditional handle has no node";
	default:
		return "the graph cannot be instantiated";
	}
}

MUresult mt_exec_make_logged(const char *api, MUgraph graph, MUgraphNode *node_out, char *log,
			     size_t log_b, MUgraphExec *exec_out)
{
	struct mt_exec_report report;
	MUresult ret = mt_exec_make(api, graph, 0, NULL, &report, exec_out);

	if (node_out)
		*node_out = ret ? report.node : NULL;
	if (log && log_b) {
		log[0] = 0;
		if (ret) {
			strncpy(log, reason_of(report.result), log_b - 1);
			log[log_b - 1] = 0;
		}
	}
	return ret;
}

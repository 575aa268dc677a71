/* SPDX-License-Identifier: MIT */
/* Instantiation as both APIs' calls have it. */
#ifndef MT_GRAPH_INSTANTIATE_H
#define MT_GRAPH_INSTANTIATE_H

#include "graph/exec.h"

/**
 * mt_exec_make() - Make an exec, unless a capture forbids it, and upload it if the flags say so.
 * @api:	Name of the API call, for capture reasons.
 * @upload:	The stream to upload in; NULL for calls without one, where the flag is an error.
 * @report:	[out] Always written.
 * @exec_out:	[out] NULL after a failure; may itself be NULL, which is one.
 *
 * Errors: those of mt_exec_instantiate() and mt_exec_upload(), STREAM_CAPTURE_UNSUPPORTED.
 */
MUresult mt_exec_make(const char *api, MUgraph graph, uint64_t flags, struct mt_stream *upload,
		      struct mt_exec_report *report, MUgraphExec *exec_out);

/* The older calls, which have no flags: *node_out (unless NULL) gets the node at fault or NULL, and the
 * log of `log_b` bytes (unless NULL or 0) a text that says what is wrong, or none. */
MUresult mt_exec_make_logged(const char *api, MUgraph graph, MUgraphNode *node_out, char *log,
			     size_t log_b, MUgraphExec *exec_out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * mtgraph's own additions to the MUSA runtime API. Programs that use them need this implementation;
 * __MTGRAPH__ tells at compile time that it is there.
 */
#ifndef __MTGRAPH_H__
#define __MTGRAPH_H__

#include "driver_types.h"

#define __MTGRAPH__ 1

#include "musa/api_begin.h"

/**
 * mtGraphExecPrint - Write an executable graph's command buffer as text.
 * @exec: the executable graph; it may be running.
 * @fd:   an open file descriptor, written to and left open.
 *
 * One line for each packet, lane by lane; links between chunks are followed, and what only a branch
 * reaches stands under its address. For people: the text is no stable format.
 *
 * Returns musaSuccess; musaErrorInvalidValue for a NULL or destroyed exec or a bad descriptor;
 * musaErrorMemoryAllocation; musaErrorOperatingSystem if writing fails.
 * Thread safety: as all calls on one exec, callers serialise with its destruction only.
 */
musaError_t mtGraphExecPrint(musaGraphExec_t exec, int fd);

/* What mtGraphSave() and mtGraphExecSave() write beside the graph itself. */
#define mtGraphSaveCode 1u /* the code objects of its kernels */

/**
 * mtGraphSave - Write a graph to a file.
 * @graph:       the graph, with everything nested in it.
 * @path:        the file; replaced if it is there, once the new one is complete.
 * @flags:       0 or mtGraphSaveCode.
 * @memoryLimit: most bytes of memory contents to save; 0 for none. What device and host ranges that
 *               nodes name hold at the time of the call is saved, small ranges first, each as a whole.
 *
 * mtgraph_format.h describes the file; `mtgraph-dump` shows it, compares it and runs it. With contents
 * the call waits for the device's work, for a second at most: later writes may then be in the file.
 *
 * Returns musaSuccess; musaErrorInvalidValue for a NULL or destroyed graph, a NULL path or unknown
 * flags; musaErrorMemoryAllocation; musaErrorOperatingSystem if the file cannot be written.
 * Thread safety: as all calls on one graph.
 */
musaError_t mtGraphSave(musaGraph_t graph, const char *path, unsigned int flags,
			size_t memoryLimit);

/**
 * mtGraphExecSave - Write an executable graph to a file.
 * @exec: the executable graph; it may be running. Its current parameters are saved, and also its
 *        packets, patch sites and queues.
 *
 * All else is as with mtGraphSave(). Programs that run with MUSA_GRAPH_SAVE=DIRECTORY do this with
 * every executable graph they make.
 */
musaError_t mtGraphExecSave(musaGraphExec_t exec, const char *path, unsigned int flags,
			    size_t memoryLimit);

#include "musa/api_end.h"

#endif /* __MTGRAPH_H__ */

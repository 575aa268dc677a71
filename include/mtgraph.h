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

#include "musa/api_end.h"

#endif /* __MTGRAPH_H__ */

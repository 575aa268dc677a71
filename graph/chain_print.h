/* SPDX-License-Identifier: MIT */
/* An exec's chain as text: for people, and for tests that want to see packets. */
#ifndef MT_GRAPH_CHAIN_PRINT_H
#define MT_GRAPH_CHAIN_PRINT_H

#include "graph/exec.h"

/**
 * mt_exec_print() - Write the chain of an exec as text.
 * @exec:	Handle.
 * @fd:		File descriptor to write to; stays open.
 *
 * One line a packet in the order of its lane, links between chunks followed, branch targets that
 * no straight line reaches under a heading of their own. Linear in the chain.
 * Errors: INVALID_VALUE for a stale handle, OUT_OF_MEMORY, OPERATING_SYSTEM if writing fails.
 */
MUresult mt_exec_print(MUgraphExec exec, int fd);

#endif

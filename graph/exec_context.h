/* SPDX-License-Identifier: MIT */
/* What the graph layer does when a context comes and goes. */
#ifndef MT_GRAPH_EXEC_CONTEXT_H
#define MT_GRAPH_EXEC_CONTEXT_H

/* Registers with drv/, once, before any context exists. */
void mt_exec_context_init(void);

#endif

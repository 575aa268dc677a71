/* SPDX-License-Identifier: MIT */
/* Visits the packets of an exec's chain as the command processor would come to them. */
#ifndef MT_GRAPH_CHAIN_WALK_H
#define MT_GRAPH_CHAIN_WALK_H

#include "graph/exec.h"

typedef void (*mt_chain_visitor)(void *data, uint32_t lane, uint64_t va,
				 const struct mt_pkt_header *header);

/* Every packet once, lane by lane; bodies behind the conditional nodes' own lane. Not the prologue.
 * Linear in the chain. Errors: OUT_OF_MEMORY. */
MUresult mt_chain_walk(const struct mt_exec *exec, mt_chain_visitor visit, void *data);

#endif

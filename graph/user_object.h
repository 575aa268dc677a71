/* SPDX-License-Identifier: MIT */
/*
 * References to user objects that graphs and execs own.
 */
#ifndef MT_GRAPH_USER_OBJECT_H
#define MT_GRAPH_USER_OBJECT_H

#include "graph/graph.h"

/* A list with the same objects and counts, each reference taken anew; NULL for NULL. */
MUresult mt_user_refs_copy(const struct mt_user_refs *refs, struct mt_user_refs **copy_out);

#endif

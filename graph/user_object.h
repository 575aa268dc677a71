/* SPDX-License-Identifier: MIT */
/*
 * References to user objects that graphs and execs own.
 */
#ifndef MT_GRAPH_USER_OBJECT_H
#define MT_GRAPH_USER_OBJECT_H

#include "graph/exec.h"

/* A list with the same objects and counts, each reference taken anew; NULL for NULL. */
MUresult mt_user_refs_copy(const struct mt_user_refs *refs, struct mt_user_refs **copy_out);

/* --- Lists of execs: each reference knows for which of the exec's graphs it is held. A list starts as
 * NULL and grows; on failure what was added before stays in it. ---------------------------------- */

/* A new reference to every user object of one template graph, nested ones left out. */
MUresult mt_user_refs_share(struct mt_user_refs **list, const struct mt_graph *graph,
			    uint32_t index);

/* New references to what `exec` holds for those of its graphs that `index` does not contain. */
MUresult mt_user_refs_share_outside(struct mt_user_refs **list, const struct mt_exec *exec,
				    uint32_t index);

/* An exec holds `refs` from now on. The old ones go when the launches that may use them have ended. */
void mt_user_refs_replace(struct mt_exec *exec, struct mt_user_refs *refs);

/* Drops replaced references that no launch uses any longer; all those of `gone`, if not NULL. Returns
 * whether some are left. */
bool mt_user_refs_poll(const struct mt_ctx *gone);

#endif

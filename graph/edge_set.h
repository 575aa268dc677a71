/* SPDX-License-Identifier: MIT */
/*
 * A set of edges (pairs of node ids): open addressing, linear probing, no tombstones.
 */
#ifndef MT_GRAPH_EDGE_SET_H
#define MT_GRAPH_EDGE_SET_H

#include <stdbool.h>
#include <stdint.h>

struct mt_edge_set;

/* NULL if memory has run out. `expected` edges fit without growing. */
struct mt_edge_set *mt_edge_set_create(uint64_t expected);
void mt_edge_set_destroy(struct mt_edge_set *set); /* accepts NULL */

/* The edge must not be in the set. false: out of memory, the set is unchanged. */
bool mt_edge_set_insert(struct mt_edge_set *set, uint32_t from, uint32_t to);
void mt_edge_set_remove(struct mt_edge_set *set, uint32_t from, uint32_t to); /* absent: no effect */
bool mt_edge_set_has(const struct mt_edge_set *set, uint32_t from, uint32_t to);

#endif

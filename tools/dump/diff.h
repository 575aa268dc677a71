/* SPDX-License-Identifier: MIT */
/* Compares two saved graphs node by node. */
#ifndef MT_DUMP_DIFF_H
#define MT_DUMP_DIFF_H

#include "tools/dump/model.h"
#include "tools/dump/rebuild.h"

/* Prints a line for each difference; their number. */
uint64_t diff_models(const struct model *a, const struct model *b);

#endif

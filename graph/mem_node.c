/* SPDX-License-Identifier: MIT */
/*
 * Memory nodes of the template.
 */
#include "graph/mem_node.h"

/* SPDX-License-Identifier: MIT */
/* The words for numbers of the file: node types, kinds of memory, directions. Never NULL. */
#ifndef MT_DUMP_WORDS_H
#define MT_DUMP_WORDS_H

#include <stdint.h>

#define WORD_NODE_TYPES 14u

const char *word_node_type(uint32_t type);       /* "kernel", "memcpy", ... */
const char *word_memory(uint32_t memory);        /* enum mtg_memory */
const char *word_range_kind(uint32_t kind);      /* enum mtg_range_kind */
const char *word_lifetime(uint32_t lifetime);    /* enum mtg_lifetime */
const char *word_copy_kind(uint32_t kind);       /* musaMemcpyKind */
const char *word_conditional(uint32_t type);     /* musaGraphConditionalNodeType */
const char *word_role(uint32_t role);            /* enum mtg_role */
const char *word_param_type(uint32_t type);      /* type of a kernel's parameter in the metadata */

#endif

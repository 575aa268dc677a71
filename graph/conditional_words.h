/* SPDX-License-Identifier: MIT */
/*
 * Device words behind conditional handles. Thread-safe; addresses that are no live word, as after a
 * device reset, have no effect.
 */
#ifndef MT_GRAPH_CONDITIONAL_WORDS_H
#define MT_GRAPH_CONDITIONAL_WORDS_H

#include "graph/graph.h"

/* A word with value 0 and one reference, for a handle whose graph stays until mt_cond_word_forget(). */
MUresult mt_cond_word_alloc(struct mt_ctx *ctx, struct mt_cond_handle *handle, uint64_t *va_out);

/* The handle of a word; NULL if the address is none or the graph has gone. */
struct mt_cond_handle *mt_cond_word_handle(uint64_t va);
void mt_cond_word_forget(uint64_t va);

void mt_cond_word_ref(uint64_t va);
void mt_cond_word_unref(uint64_t va);

/* Frees all words of a device; its work has ended. */
void mt_cond_words_finish(struct mt_ctx *ctx);

#endif

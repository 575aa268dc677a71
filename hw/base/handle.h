/* SPDX-License-Identifier: MIT */
/*
 * Handle table: user handles are numbers, not pointers, so that a stale or foreign one is found
 * out by one compare instead of by a crash.
 *
 *   63   59 58        48 47           22 21         0
 *  +-------+------------+---------------+------------+
 *  | kind  | generation |   sub-index   |    slot    |
 *  +-------+------------+---------------+------------+
 *
 * The sub-index is a node's index inside its graph, 0 for other kinds. Kind and generation are
 * never 0, so a value below 2^48 is no handle, and the special stream values 0, 1 and 2 and
 * ordinary pointers are told apart from handles.
 */
#ifndef MT_BASE_HANDLE_H
#define MT_BASE_HANDLE_H

#include <stdint.h>

enum mt_handle_kind {
	MT_HANDLE_STREAM = 1,
	MT_HANDLE_EVENT,
	MT_HANDLE_GRAPH, /* node handles share the kind's slot: see MT_HANDLE_NODE */
	MT_HANDLE_NODE,  /* slot of the graph, sub-index of the node */
	MT_HANDLE_EXEC,
	MT_HANDLE_CONTEXT,
	MT_HANDLE_MODULE,
	MT_HANDLE_FUNCTION,
	MT_HANDLE_KERNEL,
	MT_HANDLE_LIBRARY,
	MT_HANDLE_ARRAY,
	MT_HANDLE_POOL,
	MT_HANDLE_EXT_MEMORY,
	MT_HANDLE_EXT_SEMAPHORE,
	MT_HANDLE_USER_OBJECT,
};

#define MT_HANDLE_SUB_MAX ((1u << 26) - 1)

/**
 * mt_handle_create() - Enter an object.
 * @kind:	Its kind; MT_HANDLE_NODE is not entered but derived, see mt_handle_sub().
 * @object:	Borrowed until mt_handle_destroy().
 *
 * Return: the handle, or 0 if memory or slots have run out. Thread-safe.
 */
uint64_t mt_handle_create(enum mt_handle_kind kind, void *object);

/* Removes a handle; the slot gets a new generation. Thread-safe. */
void mt_handle_destroy(uint64_t handle);

/* The handle of part `sub` of the object that `handle` names, as kind `kind`. */
uint64_t mt_handle_sub(uint64_t handle, enum mt_handle_kind kind, uint32_t sub);

/* The object, or NULL if the handle is none of this kind or is stale. Lock-free, a few loads. For
 * MT_HANDLE_NODE this is the graph object; the sub-index comes from mt_handle_sub_index(). */
void *mt_handle_get(uint64_t handle, enum mt_handle_kind kind);

/* What kind a handle is or, if stale, was; no kind for other values. */
static inline unsigned int mt_handle_kind(uint64_t handle)
{
	return (unsigned int)(handle >> 59);
}

static inline uint32_t mt_handle_sub_index(uint64_t handle)
{
	return (uint32_t)(handle >> 22) & MT_HANDLE_SUB_MAX;
}

#endif

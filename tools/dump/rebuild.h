/* SPDX-License-Identifier: MIT */
/*
 * Builds a saved graph again through the public API: code is loaded, memory allocated, and every
 * address in parameters is moved to where its memory is now.
 */
#ifndef MT_DUMP_REBUILD_H
#define MT_DUMP_REBUILD_H

#include "musa_runtime.h"
#include "tools/dump/model.h"

struct rebuild_options {
	bool any_host;  /* host functions may do nothing, external semaphores may be new ones */
};

struct rebuild_event {
	uint64_t saved;
	uint32_t flags;
	musaEvent_t event;
};

/* An external semaphore that nodes name. */
struct rebuild_semaphore {
	uint64_t saved; /* what tells it apart in the file */
	uint64_t most;  /* largest value that a node has for it */
	musaExternalSemaphore_t semaphore; /* owned */
};

struct rebuild_range {
	uint64_t va;      /* now; 0: not there (yet) */
	void *base;       /* owned: what to free, NULL if nothing */
	bool borrowed;    /* of another rebuild */
};

struct rebuild {
	struct model model;
	struct dump_file *file;            /* borrowed */
	const struct rebuild_options *options;
	const struct file_range *file_ranges; /* of the file */
	struct rebuild_range *ranges;      /* owned; by range */
	musaArray_t *arrays;               /* owned; by array */
	bool *array_borrowed;
	musaLibrary_t *libraries;          /* owned; by code object */
	void **code;                       /* owned: their bytes */
	musaKernel_t *kernels;             /* owned; by kernel */
	struct rebuild_event *events;      /* owned; sorted by `saved` */
	struct rebuild_semaphore *semaphores; /* owned; sorted by `saved` */
	uint32_t range_count, array_count, code_count, kernel_count, event_count, semaphore_count;
	musaGraph_t *graphs;               /* owned array; graphs[0] is owned */
	musaGraphNode_t *nodes;            /* by index in the model */
	int status;                        /* first failure, an exit code */
};

/* Names on stderr all that the file lacks for being built; DUMP_UNREADABLE if there is anything. */
int rebuild_check(struct rebuild *rebuild);

/**
 * rebuild_graph() - Build the graph of a file.
 * @other:	Memory, arrays that are the same in this one are used in common; NULL for none. It
 *		has to live as long as @rebuild.
 *
 * Returns an exit code; a failed one is given to rebuild_finish() as well.
 */
int rebuild_graph(struct rebuild *rebuild, struct dump_file *file,
		  const struct rebuild_options *options, const struct rebuild *other);
void rebuild_finish(struct rebuild *rebuild); /* accepts a zeroed one */

/* Where an address of the file is now: unchanged if nothing is known of it. */
uint64_t rebuild_address(const struct rebuild *rebuild, uint64_t va);

/* Index in the model of a node of the rebuilt graph, MTG_NONE. */
uint32_t rebuild_find_node(const struct rebuild *rebuild, musaGraphNode_t node);

/* Copies between host bytes and a range that is there. */
musaError_t rebuild_read(const struct rebuild *rebuild, uint32_t range, uint64_t offset_b,
			 void *bytes, size_t count);
musaError_t rebuild_write(const struct rebuild *rebuild, uint32_t range, uint64_t offset_b,
			  const void *bytes, size_t count);

/* Lets every wait for an external semaphore pass, as their other users would in the end. */
musaError_t rebuild_signal_all(const struct rebuild *rebuild, musaStream_t stream);

/* As many devices as the files need, unless the environment says how many: before the library's first
 * call, which reads it. */
void rebuild_set_devices(struct dump_file *file, struct dump_file *other);

/* Private to the parts of rebuilding. */
bool rebuild_semaphores(struct rebuild *rebuild);
musaError_t rebuild_add_semaphores(const struct rebuild *rebuild, const struct file_node *node,
				   musaGraph_t graph, const musaGraphNode_t *deps, size_t dep_count,
				   musaGraphNode_t *out);
bool rebuild_memory(struct rebuild *rebuild, const struct rebuild *other);
bool rebuild_code(struct rebuild *rebuild);
bool rebuild_nodes(struct rebuild *rebuild);
/* Notes that a call failed, and says what it was for. Returns false. */
bool rebuild_failed(struct rebuild *rebuild, musaError_t error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool rebuild_no_memory(struct rebuild *rebuild);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Memory as programs see it: device, pinned, managed, registered and array memory of a context, and
 * the process-wide answer to "what is this address".
 */
#ifndef MT_DRV_MEMORY_H
#define MT_DRV_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/op.h"
#include "drv/result.h"

struct mt_stream;

enum mt_alloc_kind {
	MT_ALLOC_DEVICE = 1, /* musaMalloc and kin */
	MT_ALLOC_PINNED,     /* musaMallocHost, musaHostAlloc */
	MT_ALLOC_MANAGED,
	MT_ALLOC_REGISTERED, /* musaHostRegister */
	MT_ALLOC_ARRAY,
	MT_ALLOC_POOL,     /* stream-ordered */
	MT_ALLOC_GRAPH,    /* alloc node */
	MT_ALLOC_MODULE,   /* device variables */
	MT_ALLOC_IMPORTED, /* external memory, IPC */
};

struct mt_allocation;

/* Frees of memory whose life graph/ tracks. */
struct mt_alloc_hooks {
	/* musaFree (stream NULL) and musaFreeAsync. */
	MUresult (*free)(void *owner, struct mt_stream *stream, const char *api);
	/* false: the memory is not allocated now, so the address counts as unknown. */
	bool (*live)(void *owner);
	/* false: some graph frees the memory, so new copy and fill nodes must not name it. NULL:
	 * they always may. */
	bool (*nameable)(void *owner);
};

struct mt_mem_info {
	uint64_t base, size_b;
	enum mt_alloc_kind kind;
	enum mt_mem_type type;
	uint32_t device;
	unsigned int flags; /* host flags as given */
	uint64_t host_va;   /* CPU address of base, 0 if the host may not touch it */
	uint64_t id;        /* buffer id, unique in the process */
	const struct mt_alloc_hooks *hooks; /* NULL unless kind is GRAPH */
	void *owner;
};

/* What an address belongs to, in any context. false: nothing known (pageable). Thread-safe, cheap:
 * called for every copy and fill. */
bool mt_mem_find(uint64_t va, struct mt_mem_info *info_out);

/* Enter and remove a range whose memory somebody else owns (graph/, modules, external memory).
 * mt_mem_remove() is exact: base as entered. */
MUresult mt_mem_add(const struct mt_mem_info *info);
void mt_mem_remove(uint64_t base);

MUresult mt_memory_init(struct mt_ctx *ctx); /* ctx->memory, default pool */
void mt_memory_finish(struct mt_ctx *ctx);   /* all work has ended; streams are gone */

/* Before the queues of a context are destroyed, whose work has ended: no memory waits for them. */
void mt_memory_forget_queues(struct mt_ctx *ctx);

/* To be called after every successful wait of the host for a stream, event or device: pools give
 * back what lies over their release threshold. One load if there is nothing to do. Takes no stream
 * lock. */
void mt_memory_synced(struct mt_ctx *ctx);

/* Maps a bo of `ctx` into every other device, so that copies between devices can name it. It then
 * has to be destroyed by mt_mem_destroy_shared_bo(), which takes these mappings away first. */
MUresult mt_mem_share_bo(struct mt_ctx *ctx, struct mt_hw_bo *bo);
void mt_mem_destroy_shared_bo(struct mt_hw_bo *bo);

MUresult mt_mem_alloc(struct mt_ctx *ctx, uint64_t size_b, uint64_t *va_out);
/* Rows whose pitch suits every access; no memory for a size of 0. */
MUresult mt_mem_alloc_pitched(struct mt_ctx *ctx, uint64_t width_b, uint64_t height,
			      uint64_t depth, uint64_t *va_out, uint64_t *pitch_b_out);
/* Free of any memory that a program allocated, graph and pool memory included. Checks capture and
 * waits for the device first, as musaFree does. 0 is a success. */
MUresult mt_mem_free(uint64_t va, const char *api);
MUresult mt_mem_managed_alloc(struct mt_ctx *ctx, uint64_t size_b, unsigned int flags,
			      uint64_t *va_out);
MUresult mt_mem_host_alloc(struct mt_ctx *ctx, uint64_t size_b, unsigned int flags, void **out);
MUresult mt_mem_host_free(void *memory); /* waits for the device first */
MUresult mt_mem_host_register(struct mt_ctx *ctx, void *memory, uint64_t size_b,
			      unsigned int flags);
MUresult mt_mem_host_unregister(void *memory); /* waits for the device first */

/* Of memory that the host reaches: the address for devices, and for pinned memory the flags that it was
 * made with. INVALID_VALUE for other memory. */
MUresult mt_mem_host_address(const void *memory, uint64_t *va_out);
MUresult mt_mem_host_flags(const void *memory, unsigned int *flags_out);

/* Bytes still to be had and in all. Unused parts of slabs count as free. */
MUresult mt_mem_get_info(struct mt_ctx *ctx, uint64_t *free_out, uint64_t *total_out);

/* What musaPointerGetAttributes tells: as mt_mem_find(), but memory that is not allocated now is
 * unknown. false: unregistered. */
bool mt_mem_attributes(uint64_t va, struct mt_mem_info *info_out);

/* Managed memory only; a location is a device ordinal, or -1 for the host. Advice is kept per
 * allocation and changes nothing else: all of it is always reachable from everywhere.
 * `advice` is a MUmem_advise, `attribute` a MUmem_range_attribute. */
MUresult mt_mem_advise(uint64_t va, uint64_t size_b, int advice, int location);
MUresult mt_mem_advise_at(uint64_t va, uint64_t size_b, int advice, const MUmemLocation *location);
/* The number of a location as the API describes it. */
MUresult mt_mem_location(const MUmemLocation *location, int *number_out);
MUresult mt_mem_prefetch(struct mt_stream *stream, uint64_t va, uint64_t size_b, int location,
			 const char *api);
MUresult mt_mem_attach(struct mt_stream *stream, uint64_t va, uint64_t size_b, unsigned int flags,
		       const char *api); /* checked, no effect */
MUresult mt_mem_range_attribute(void *data, uint64_t data_b, int attribute, uint64_t va,
				uint64_t size_b);
/* Several at once, up to the first that fails; INVALID_VALUE for none. */
MUresult mt_mem_range_attributes(void **data, const size_t *data_b, const int *attributes,
				 size_t count, uint64_t va, uint64_t size_b);

/* Access of a context to the memory of another: 704 if it is enabled, 705 if it is not. */
MUresult mt_mem_peer_enable(struct mt_ctx *ctx, uint32_t peer);
MUresult mt_mem_peer_disable(struct mt_ctx *ctx, uint32_t peer);

/* Arrays: pitch-linear memory with a format; no textures. */
struct mt_array {
	uint64_t handle;
	struct mt_ctx *ctx;
	uint64_t va, row_b, slice_b;   /* layout */
	uint64_t width, height, depth; /* elements; 0 where the dimension is not used */
	uint32_t element_b;
	int channel_bits[4], channel_kind; /* as musaChannelFormatDesc */
	unsigned int flags;
};
MUresult mt_array_get(uint64_t handle, struct mt_array **array_out); /* INVALID_HANDLE if stale */

/* What an array is made of; dimensions that are not used are 0. */
struct mt_array_desc {
	uint64_t width, height, depth; /* elements */
	int channel_bits[4], channel_kind;
	unsigned int flags;
};

/* Errors: INVALID_VALUE for a format or shape that cannot be, NOT_SUPPORTED for one that is not. */
MUresult mt_array_create(struct mt_ctx *ctx, const struct mt_array_desc *desc,
			 struct mt_array **array_out);

/* Waits for the device first. The descriptor stays readable for nodes that still name it, until
 * another array takes it over. */
MUresult mt_array_destroy(struct mt_array *array);

#endif

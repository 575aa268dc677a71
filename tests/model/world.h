/* SPDX-License-Identifier: MIT */
/* The state of one random sequence, and the functions that add random nodes to its graphs. */
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include <semaphore.h>
#include <stdbool.h>

#include "model.h"
#include "support.h"

#define GRAPHS 4
#define EXECS  5

struct world {
	uint64_t seed, state;
	struct m_graph *graph[GRAPHS];
	struct m_exec exec[EXECS];
	struct m_region *regions;
	struct m_host *hosts;
	struct m_handle *handles[64];
	int handle_count;
	musaStream_t stream[2];
	musaEvent_t event;
	sem_t gate; /* what holds stream[0] back waits for it */
	bool held;
	int step;
};

static inline uint32_t next(struct world *w)
{
	w->state = w->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(w->state >> 33);
}

static inline uint32_t below(struct world *w, uint32_t limit)
{
	return next(w) % limit;
}

#define CHECKED(w, want, call)                                                                     \
	do {                                                                                       \
		musaError_t checked = (call);                                                      \
		cr_assert_eq(checked, (want), "seed %llu step %d: %s gives %s, not %s",            \
			     (unsigned long long)(w)->seed, (w)->step, #call,                      \
			     musaGetErrorName(checked), musaGetErrorName(want));                   \
	} while (0)

/* The arguments of a FOLD or MIX node. */
struct kernel_args {
	unsigned int *out, *a, *b, v, pad;
	void *list[5];
	struct musaKernelNodeParams params;
};

struct m_region *w_new_region(struct world *w);
struct m_graph *w_new_graph(struct world *w);
void MUSART_CB w_run_host(void *data);
struct m_host *w_new_host(struct world *w, struct m_graph *g, int node, int a, unsigned int v);
void w_make_kernel(struct kernel_args *k, const struct m_graph *g, const struct m_node *n);
struct musaMemsetParams w_make_fill(const struct m_graph *g, const struct m_node *n);
int w_pick_input(struct world *w, const struct m_graph *g, int node);
size_t w_dep_handles(const struct m_graph *g, uint64_t deps, musaGraphNode_t *out);
struct m_node *w_start_node(struct m_graph *g, enum m_kind kind, uint64_t deps);
void w_add_conditional(struct world *w, struct m_graph *g, uint64_t deps);
void w_add_child(struct world *w, struct m_graph *g, uint64_t deps);
void w_add_plain(struct world *w, struct m_graph *g, enum m_kind kind, uint64_t deps);

#endif

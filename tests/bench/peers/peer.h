/* SPDX-License-Identifier: MIT */
/*
 * What the peers share: the shapes of graph-bench as dependency lists, and the measurement.
 *
 * A peer program is called with SHAPE NODES [REPEATS] and prints one line: its name, shape, nodes, then
 * nanoseconds per node of building, of a replay (median and smallest), and nanoseconds of the submit call.
 * Programs have two threads to work with.
 */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PEER_WIDTH   8   /* of fork-join */
#define PEER_LAYER   256 /* of all-to-all */
#define PEER_COPY_B  4096
#define PEER_REPEATS 101

enum peer_shape { PEER_CHAIN, PEER_FORK_JOIN, PEER_ALL_TO_ALL, PEER_RANDOM, PEER_COPIES };

struct peer {
	const char *name, *shape_name;
	enum peer_shape shape;
	size_t nodes;
	int repeats;
	uint64_t state; /* of random */
	double build_ns, submit_ns[PEER_REPEATS], replay_ns[PEER_REPEATS];
};

static inline double peer_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline void peer_check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "error: %s\n", what);
	exit(1);
}

static inline void peer_parse(struct peer *peer, const char *name, int argc, char **argv)
{
	static const char *const names[] = {"chain", "fork-join", "all-to-all", "random", "copies"};

	memset(peer, 0, sizeof(*peer));
	peer->name = name;
	peer->repeats = argc > 3 ? atoi(argv[3]) : 15;
	peer_check(argc > 2 && peer->repeats > 0 && peer->repeats <= PEER_REPEATS,
		   "usage: peer SHAPE NODES [REPEATS]");
	peer->shape_name = argv[1];
	peer->nodes = strtoull(argv[2], NULL, 10);
	peer->state = 1;
	for (int i = 0; i < 5; i++) {
		if (strcmp(argv[1], names[i]))
			continue;
		peer->shape = (enum peer_shape)i;
		return;
	}
	peer_check(false, "unknown shape");
}

/* Dependencies of node i, at most PEER_LAYER; to be asked for in order. */
static inline size_t peer_deps(struct peer *peer, size_t i, size_t *deps)
{
	size_t count = 0, width = PEER_WIDTH + 1, reach = i < 64 ? i : 64;

	switch (peer->shape) {
	case PEER_FORK_JOIN:
		if (i % width)
			deps[count++] = i - i % width;
		else
			for (size_t d = 1; i && d < width; d++)
				deps[count++] = i - d;
		break;
	case PEER_ALL_TO_ALL:
		for (size_t d = 0; i >= PEER_LAYER && d < PEER_LAYER; d++)
			deps[count++] = (i / PEER_LAYER - 1) * PEER_LAYER + d;
		break;
	case PEER_RANDOM:
		for (size_t d = 0; i >= 2 && d < 2; d++) {
			peer->state = peer->state * UINT64_C(6364136223846793005) +
				      UINT64_C(1442695040888963407);
			deps[count++] = i - 1 - (size_t)(peer->state >> 33) % reach;
		}
		if (i < 2)
			for (size_t d = 0; d < i; d++)
				deps[count++] = d;
		else if (deps[0] == deps[1])
			deps[1] = deps[0] ? deps[0] - 1 : deps[0] + 1;
		break;
	default: /* chains */
		if (i)
			deps[count++] = i - 1;
		break;
	}
	return count;
}

static inline int peer_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Prints the row from all samples. */
static inline void peer_report(struct peer *peer)
{
	size_t count = (size_t)peer->repeats;

	qsort(peer->replay_ns, count, sizeof(double), peer_compare);
	qsort(peer->submit_ns, count, sizeof(double), peer_compare);
	printf("%s %s %zu %.1f %.1f %.1f %.0f\n", peer->name, peer->shape_name, peer->nodes,
	       peer->build_ns / (double)peer->nodes,
	       peer->replay_ns[count / 2] / (double)peer->nodes,
	       peer->replay_ns[0] / (double)peer->nodes, peer->submit_ns[count / 2]);
}

#endif

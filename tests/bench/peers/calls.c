/* SPDX-License-Identifier: MIT */
/* The floor: an array of function pointers, called in order by one thread. */
#include "peer.h"

struct call {
	void (*run)(void *data);
	void *data;
};

static char buffers[2][PEER_COPY_B];

static void do_nothing(void *data)
{
	__asm__ volatile("" : : "r"(data));
}

static void copy(void *data)
{
	memcpy(data, buffers[0], PEER_COPY_B);
	__asm__ volatile("" : : : "memory");
}

int main(int argc, char **argv)
{
	struct peer peer;
	struct call *calls;
	double start;

	peer_parse(&peer, "calls", argc, argv);
	calls = malloc(peer.nodes * sizeof(*calls));
	peer_check(calls != NULL, "memory");
	start = peer_now();
	for (size_t i = 0; i < peer.nodes; i++) {
		calls[i].run = peer.shape == PEER_COPIES ? copy : do_nothing;
		calls[i].data = buffers[1];
	}
	peer.build_ns = peer_now() - start;
	for (int r = 0; r < peer.repeats; r++) {
		start = peer_now();
		for (size_t i = 0; i < peer.nodes; i++)
			calls[i].run(calls[i].data);
		peer.replay_ns[r] = peer_now() - start;
	}
	peer_report(&peer);
	free(calls);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Follows the packets of a saved exec as the command processor would: links, calls, branches. */
#ifndef MT_DUMP_CHAIN_H
#define MT_DUMP_CHAIN_H

#include "hw/packet.h"
#include "tools/dump/file.h"

enum chain_part {
	CHAIN_PROLOGUE,
	CHAIN_QUEUE,  /* what a queue comes to without branching */
	CHAIN_BRANCH, /* what only a branch or a call reaches */
};

const char *chain_part_word(enum chain_part part);

struct chain_packet {
	const struct mt_pkt_header *header; /* a valid packet, or NULL with `why` */
	const char *why;
	uint64_t va;
	enum chain_part part;
	uint32_t queue;
	bool starts_line; /* nothing leads here but a queue's start or a branch */
};

/* Each packet once. A chain that leads out of the saved command memory is reported as a bad packet. */
void chain_walk(struct dump_file *file,
		void (*visit)(void *data, const struct chain_packet *packet), void *data);

#endif

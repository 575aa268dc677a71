/* SPDX-License-Identifier: MIT */
/*
 * A progress bar on stderr, for work that takes longer than a second. Nothing is shown where stderr
 * is no terminal, and before a second has passed.
 */
#ifndef MT_DUMP_PROGRESS_H
#define MT_DUMP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what; /* borrowed: "reading nodes" */
	uint64_t total;
	uint64_t next;    /* done at which the clock is looked at again */
	uint64_t start_ns, shown_ns;
	bool enabled, shown;
};

void progress_begin(struct progress *progress, const char *what, uint64_t total);

/* Of work whose results go to standard output meanwhile: on a terminal they are progress enough. */
void progress_begin_printing(struct progress *progress, const char *what, uint64_t total);

void progress_update_slow(struct progress *progress, uint64_t done);

/* Cheap enough for each node. `done` grows. */
static inline void progress_update(struct progress *progress, uint64_t done)
{
	if (done >= progress->next)
		progress_update_slow(progress, done);
}

void progress_end(struct progress *progress); /* wipes the bar */

#endif

/* SPDX-License-Identifier: MIT */
/* The progress bar. */
#include "tools/dump/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NS UINT64_C(1000000000)
#define AGAIN_NS UINT64_C(100000000)
#define WIDTH    40u

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void progress_begin(struct progress *progress, const char *what, uint64_t total)
{
	memset(progress, 0, sizeof(*progress));
	progress->what = what;
	progress->total = total ? total : 1;
	progress->enabled = isatty(STDERR_FILENO);
	progress->next = progress->enabled ? 0 : UINT64_MAX;
	progress->start_ns = now_ns();
}

void progress_begin_printing(struct progress *progress, const char *what, uint64_t total)
{
	progress_begin(progress, what, total);
	if (!isatty(STDOUT_FILENO))
		return;
	progress->enabled = false;
	progress->next = UINT64_MAX;
}

void progress_update_slow(struct progress *progress, uint64_t done)
{
	char bar[WIDTH + 1];
	uint64_t now = now_ns(), part;

	if (!progress->enabled)
		return;
	/* The clock is looked at a thousand times at most. */
	progress->next = done + progress->total / 1000 + 1;
	if (now - progress->start_ns < FIRST_NS || now - progress->shown_ns < AGAIN_NS)
		return;
	if (done > progress->total)
		done = progress->total;
	part = (uint64_t)((double)done / (double)progress->total * WIDTH);
	memset(bar, ' ', WIDTH);
	memset(bar, '#', part);
	bar[WIDTH] = '\0';
	fprintf(stderr, "\r%s [%s] %3u%%", progress->what, bar,
		(unsigned int)((double)done * 100 / (double)progress->total));
	progress->shown = true;
	progress->shown_ns = now;
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
	progress->enabled = false;
	progress->next = UINT64_MAX;
}

/* SPDX-License-Identifier: MIT */
/* The log of what spoils a capture: the call, the stream, and what to do instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static char path[] = "/tmp/musa-log-XXXXXX";

static void set_up(void)
{
	char value[64];
	int fd = mkstemp(path);

	cr_assert(fd >= 0);
	close(fd);
	snprintf(value, sizeof(value), "warn:%s", path);
	setenv("MUSA_LOG", value, 1);
}

static void tear_down(void)
{
	unlink(path);
}

/* The log's first line that holds `word`. */
static void find_line(const char *word, char line[1024])
{
	FILE *file = fopen(path, "r");
	bool found = false;

	cr_assert(file);
	while (!found && fgets(line, 1024, file))
		found = strstr(line, word) != NULL;
	fclose(file);
	cr_assert(found, "the log does not name %s", word);
}

Test(capture_log, names_call_stream_and_cure, .init = set_up, .fini = tear_down)
{
	musaStream_t stream = t_stream();
	unsigned long long id;
	char line[1024], number[32];
	musaGraph_t graph;
	void *memory;

	OK(musaStreamGetId(stream, &id));
	snprintf(number, sizeof(number), "stream %llu", id);
	OK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorStreamCaptureUnsupported, musaMalloc(&memory, 64));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(stream, &graph));
	find_line("musaMalloc", line);
	cr_assert(strstr(line, number) && strstr(line, "make it before or after"), "%s", line);

	OK(musaStreamBeginCapture(stream, musaStreamCaptureModeRelaxed));
	EXPECT(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(stream));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(stream, &graph));
	find_line("stream synchronize", line);
	cr_assert(strstr(line, number) && strstr(line, "make it on another stream"), "%s", line);
}

/* SPDX-License-Identifier: MIT */
/*
 * The trace: what MUSA_TRACE=FILE|fd:N asks for, one JSON object a line. Off unless asked for, and
 * then one predictable branch wherever something would be traced.
 *
 * DOC: The format, version 1
 *
 * Every line has "ev" (what happened), "p" (process id), "tid" (thread) and "t" (ns on the monotonic
 * clock at which the line was made). A call that was timed has "ns", its duration, and "result", the
 * MUresult. A line is at most MT_TRACE_LINE_B bytes and is written by one write(2), so that lines of
 * several threads and processes do not mix. The first line of a process is
 *
 *	{"ev":"start","mtgraph_trace":1,...}
 *
 * Unknown events and members are to be skipped. A change that old readers would misread makes
 * version 2. Handles are strings in hexadecimal, so that readers with 53-bit numbers keep them.
 *
 * Places in code are strings "MODULE+0xOFFSET", where OFFSET is the address in the module's own
 * numbering (what addr2line takes), innermost first; calls inside the MUSA libraries are left out.
 */
#ifndef MT_BASE_TRACE_H
#define MT_BASE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MT_TRACE_VERSION  1u
#define MT_TRACE_LINE_B   4096u /* PIPE_BUF: longer writes to a pipe may be torn apart */
#define MT_TRACE_FRAMES   8u    /* places that an event about a problem names */

/* What was asked for. Read-only for callers; set by mt_trace_init(). */
struct mt_trace_state {
	bool on;       /* MUSA_TRACE */
	bool times;    /* MUSA_TRACE_TIMES: execs carry time stamps around their nodes */
	bool accesses; /* MUSA_TRACE_ACCESSES: the mock reports what kernels read and write */
};
extern struct mt_trace_state mt_trace;

#define mt_tracing() __builtin_expect(mt_trace.on, 0)

/* Reads the environment once and opens the file. -EINVAL (and a line in the log) for what cannot be
 * understood or opened. Thread-safe. */
int mt_trace_init(void);

/* A line in the making. What does not fit any more is left out; the line stays well formed. */
struct mt_trace_line {
	size_t used_b;
	bool open;  /* a list is */
	bool first; /* it has no member yet */
	char text[MT_TRACE_LINE_B];
};

void mt_trace_open(struct mt_trace_line *line, const char *event);
void mt_trace_number(struct mt_trace_line *line, const char *name, uint64_t value);
void mt_trace_signed(struct mt_trace_line *line, const char *name, int64_t value);
void mt_trace_handle(struct mt_trace_line *line, const char *name, uint64_t value);
void mt_trace_bool(struct mt_trace_line *line, const char *name, bool value);
void mt_trace_text(struct mt_trace_line *line, const char *name, const char *text);

/* A list of values in between; false: no room for one more, close the line and open another. */
void mt_trace_list(struct mt_trace_line *line, const char *name);
bool mt_trace_list_numbers(struct mt_trace_line *line, const uint64_t *values, size_t count);
bool mt_trace_list_text(struct mt_trace_line *line, const char *text);
void mt_trace_list_end(struct mt_trace_line *line);

/* "at": the places that led into the library, at most `frames` of them. */
void mt_trace_places(struct mt_trace_line *line, unsigned int frames);

/* Writes the line. */
void mt_trace_close(struct mt_trace_line *line);

uint64_t mt_trace_now_ns(void);

#endif

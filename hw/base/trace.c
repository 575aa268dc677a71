/* SPDX-License-Identifier: MIT */
/*
 * The trace: reads what was asked for, builds lines and writes them. No lock is held over a write.
 */
#include "hw/base/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "hw/base/log.h"

#define TAIL_B 8u /* kept for the ends of a list and of the line */

struct mt_trace_state mt_trace;

static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;
static bool init_ran; /* guarded by init_lock */
static int init_result;
static int trace_fd = -1;
static uint64_t process;
static _Thread_local uint64_t thread;

static int open_target(const char *text)
{
	char *end;
	long fd;

	if (strncmp(text, "fd:", 3)) {
		if (*text)
			trace_fd = open(text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (trace_fd >= 0)
			return 0;
		mt_log(MT_LOG_ERROR, "MUSA_TRACE=%s: the file cannot be opened", text);
		return -EINVAL;
	}
	fd = strtol(text + 3, &end, 10);
	if (text[3] < '0' || text[3] > '9' || *end || fd > INT32_MAX ||
	    (fcntl((int)fd, F_GETFL) & O_ACCMODE) == O_RDONLY || fcntl((int)fd, F_GETFL) < 0) {
		mt_log(MT_LOG_ERROR, "MUSA_TRACE=%s: not the number of a file open for writing",
		       text);
		return -EINVAL;
	}
	trace_fd = (int)fd;
	return 0;
}

static int read_switch(const char *name, bool *value_out)
{
	const char *text = getenv(name);

	if (!text)
		return 0;
	if (text[0] != '0' && text[0] != '1')
		goto refuse;
	if (text[1])
		goto refuse;
	*value_out = text[0] == '1';
	return 0;

refuse:
	mt_log(MT_LOG_ERROR, "%s=%s: not 0 or 1", name, text);
	return -EINVAL;
}

static int read_environment(void)
{
	const char *text = getenv("MUSA_TRACE");
	struct mt_trace_state state = { .on = text != NULL };
	struct mt_trace_line line;
	int ret = read_switch("MUSA_TRACE_TIMES", &state.times);

	if (!ret)
		ret = read_switch("MUSA_TRACE_ACCESSES", &state.accesses);
	if (!ret && !text && (state.times || state.accesses)) {
		mt_log(MT_LOG_ERROR, "MUSA_TRACE_TIMES and MUSA_TRACE_ACCESSES need MUSA_TRACE");
		ret = -EINVAL;
	}
	if (!ret && text)
		ret = open_target(text);
	if (ret || !text)
		return ret;
	process = (uint64_t)getpid();
	mt_trace = state;
	mt_trace_open(&line, "start");
	mt_trace_number(&line, "mtgraph_trace", MT_TRACE_VERSION);
	mt_trace_text(&line, "program", program_invocation_name);
	mt_trace_close(&line);
	return 0;
}

int mt_trace_init(void)
{
	int ret;

	pthread_mutex_lock(&init_lock);
	if (!init_ran) {
		init_ran = true;
		init_result = read_environment();
	}
	ret = init_result;
	pthread_mutex_unlock(&init_lock);
	return ret;
}

uint64_t mt_trace_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t own_thread(void)
{
	if (!thread)
		thread = (uint64_t)syscall(SYS_gettid);
	return thread;
}

/* Adds text that is JSON already, all of it or nothing. */
static bool add(struct mt_trace_line *line, const char *text, size_t size_b)
{
	if (line->used_b + size_b > MT_TRACE_LINE_B - TAIL_B)
		return false;
	memcpy(line->text + line->used_b, text, size_b);
	line->used_b += size_b;
	return true;
}

static bool __attribute__((format(printf, 2, 3)))
addf(struct mt_trace_line *line, const char *format, ...)
{
	char text[160];
	va_list args;
	int size_b;

	va_start(args, format);
	size_b = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return size_b >= 0 && (size_t)size_b < sizeof(text) && add(line, text, (size_t)size_b);
}

/* Length of the UTF-8 sequence at `at`, 0 if it is none. */
static size_t sequence_b(const unsigned char *at)
{
	size_t size_b = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
					: (at[0] & 0xf0) == 0xe0	  ? 3
					: at[0] >= 0xf0 && at[0] < 0xf5	  ? 4
									  : 0;

	for (size_t i = 1; i < size_b; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
	    (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
		return 0;
	return size_b;
}

/* A JSON string; cut short where the line ends. Bytes that are no UTF-8 become U+FFFD. */
static void add_string(struct mt_trace_line *line, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	bool room = add(line, "\"", 1);
	size_t size_b;

	while (room && *at) {
		size_b = sequence_b(at);
		/* Two bytes stay for the closing quote. */
		if (line->used_b + 8 > MT_TRACE_LINE_B - TAIL_B)
			break;
		if (!size_b)
			room = add(line, "\xef\xbf\xbd", 3);
		else if (*at == '"' || *at == '\\')
			room = addf(line, "\\%c", *at);
		else if (*at < 0x20 || *at == 0x7f)
			room = addf(line, "\\u%04x", *at);
		else
			room = add(line, (const char *)at, size_b);
		at += size_b ? size_b : 1;
	}
	if (room)
		add(line, "\"", 1);
}

void mt_trace_open(struct mt_trace_line *line, const char *event)
{
	line->used_b = 0;
	line->open = line->first = false;
	addf(line, "{\"ev\":\"%s\",\"p\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"t\":%" PRIu64, event,
	     process, own_thread(), mt_trace_now_ns());
}

void mt_trace_number(struct mt_trace_line *line, const char *name, uint64_t value)
{
	addf(line, ",\"%s\":%" PRIu64, name, value);
}

void mt_trace_signed(struct mt_trace_line *line, const char *name, int64_t value)
{
	addf(line, ",\"%s\":%" PRId64, name, value);
}

void mt_trace_handle(struct mt_trace_line *line, const char *name, uint64_t value)
{
	addf(line, ",\"%s\":\"0x%" PRIx64 "\"", name, value);
}

void mt_trace_bool(struct mt_trace_line *line, const char *name, bool value)
{
	addf(line, ",\"%s\":%s", name, value ? "true" : "false");
}

void mt_trace_text(struct mt_trace_line *line, const char *name, const char *text)
{
	/* A name without its string would be no JSON. */
	if (line->used_b + strlen(name) + 16 > MT_TRACE_LINE_B - TAIL_B)
		return;
	addf(line, ",\"%s\":", name);
	add_string(line, text);
}

void mt_trace_list(struct mt_trace_line *line, const char *name)
{
	line->open = addf(line, ",\"%s\":[", name);
	line->first = true;
}

bool mt_trace_list_numbers(struct mt_trace_line *line, const uint64_t *values, size_t count)
{
	char text[160];
	size_t used_b = 0, i;

	if (!line->first)
		text[used_b++] = ',';
	text[used_b++] = '[';
	for (i = 0; i < count && used_b < sizeof(text) - 24; i++)
		used_b += (size_t)snprintf(text + used_b, sizeof(text) - used_b, "%s%" PRIu64,
					   i ? "," : "", values[i]);
	text[used_b++] = ']';
	if (!line->open || !add(line, text, used_b))
		return false;
	line->first = false;
	return true;
}

bool mt_trace_list_text(struct mt_trace_line *line, const char *text)
{
	/* Longest escape is six bytes; a longer text is cut only if it is alone in the line. */
	if (!line->open || (!line->first && line->used_b + 6 * strlen(text) + 16 >
						    MT_TRACE_LINE_B - TAIL_B))
		return false;
	if (!line->first)
		add(line, ",", 1);
	line->first = false;
	add_string(line, text);
	return true;
}

void mt_trace_list_end(struct mt_trace_line *line)
{
	/* The tail is kept for this. */
	if (line->open)
		line->text[line->used_b++] = ']';
	line->open = false;
}

void mt_trace_close(struct mt_trace_line *line)
{
	line->text[line->used_b++] = '}';
	line->text[line->used_b++] = '\n';
	while (write(trace_fd, line->text, line->used_b) < 0 && errno == EINTR)
		;
}

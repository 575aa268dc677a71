/* SPDX-License-Identifier: MIT */
/*
 * The log: one line per write(2), to stderr or to the file that MUSA_LOG names.
 */
#include "hw/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LINE_MAX_B 1024

enum mt_log_level mt_log_level = MT_LOG_ERROR;

static const char *const level_names[] = {"none", "error", "warn", "info", "debug", "trace"};
static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;
static bool init_ran, level_was_set; /* guarded by init_lock */
static int init_result;
static int log_fd = STDERR_FILENO;

static int parse_setting(const char *text)
{
	const char *colon = strchr(text, ':');
	size_t name_b = colon ? (size_t)(colon - text) : strlen(text);
	int level, fd;

	for (level = MT_LOG_ERROR; level <= MT_LOG_TRACE; level++)
		if (strlen(level_names[level]) == name_b &&
		    !memcmp(level_names[level], text, name_b))
			break;
	if (level > MT_LOG_TRACE) {
		mt_log(MT_LOG_ERROR, "MUSA_LOG=%s: not error|warn|info|debug|trace[:file]", text);
		return -EINVAL;
	}
	if (colon) {
		fd = colon[1] ? open(colon + 1, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
			      : -1;
		if (fd < 0) {
			mt_log(MT_LOG_ERROR, "MUSA_LOG=%s: the file cannot be opened", text);
			return -EINVAL;
		}
		log_fd = fd;
	}
	mt_log_level = (enum mt_log_level)level;
	return 0;
}

int mt_log_init(void)
{
	const char *text;
	int ret;

	pthread_mutex_lock(&init_lock);
	if (!init_ran) {
		init_ran = true;
		text = getenv("MUSA_LOG");
		if (text) {
			init_result = parse_setting(text);
			level_was_set = !init_result;
		}
	}
	ret = init_result;
	pthread_mutex_unlock(&init_lock);
	return ret;
}

void mt_log_init_end(void)
{
	pthread_mutex_lock(&init_lock);
	if (!level_was_set)
		mt_log_level = MT_LOG_NONE;
	pthread_mutex_unlock(&init_lock);
}

void mt_log_write(enum mt_log_level level, const char *format, ...)
{
	char line[LINE_MAX_B];
	va_list args;
	int at, n;

	if (level < MT_LOG_ERROR || level > MT_LOG_TRACE)
		return;
	at = snprintf(line, sizeof(line), "musa %s [%ld] ", level_names[level],
		      (long)syscall(SYS_gettid));
	va_start(args, format);
	n = vsnprintf(line + at, sizeof(line) - (size_t)at - 1, format, args);
	va_end(args);
	if (n < 0)
		return;
	at += n;
	if (at > LINE_MAX_B - 2)
		at = LINE_MAX_B - 2;
	line[at++] = '\n';
	while (write(log_fd, line, (size_t)at) < 0 && errno == EINTR)
		;
}

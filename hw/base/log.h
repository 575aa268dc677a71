/* SPDX-License-Identifier: MIT */
/*
 * The library's only voice: MUSA_LOG=error|warn|info|debug|trace[:file]. Off unless set, except
 * that errors of initialisation go to stderr at level error by default.
 */
#ifndef MT_BASE_LOG_H
#define MT_BASE_LOG_H

#include <stdbool.h>

enum mt_log_level {
	MT_LOG_NONE = 0,
	MT_LOG_ERROR = 1,
	MT_LOG_WARN = 2,
	MT_LOG_INFO = 3,
	MT_LOG_DEBUG = 4,
	MT_LOG_TRACE = 5,
};

/* Level in force; read-only for callers. Set by mt_log_init(). */
extern enum mt_log_level mt_log_level;

/* Reads MUSA_LOG once; -EINVAL (and a line on stderr) if it cannot be parsed. Thread-safe. */
int mt_log_init(void);

/* Initialisation has succeeded: from now on nothing is logged unless MUSA_LOG was set. */
void mt_log_init_end(void);

/* One line, prefixed by level and thread; written with a single write(2). */
void mt_log_write(enum mt_log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define mt_log(level, ...)                                                                         \
	do {                                                                                       \
		if (__builtin_expect((level) <= mt_log_level, 0))                                  \
			mt_log_write((level), __VA_ARGS__);                                        \
	} while (0)

#endif

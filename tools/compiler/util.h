/* SPDX-License-Identifier: MIT */
/* What every part of the compiler driver needs: memory, lists, files, messages. */
#ifndef MTCC_UTIL_H
#define MTCC_UTIL_H

#include <stdbool.h>
#include <stddef.h>

/* A growing list of owned strings, always followed by a NULL entry, so that it is an argv. */
struct mtcc_list {
	char **items; /* owned */
	size_t count;
	size_t capacity;
};

/* The bytes of a file. */
struct mtcc_bytes {
	unsigned char *data; /* owned */
	size_t size_b;
};

/* Prints "mtcc: error: ..." and ends the program with status 1; the temporary folder goes. */
void mtcc_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void mtcc_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void mtcc_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory that is there or the program ends. */
void *mtcc_alloc(size_t size_b);
void *mtcc_realloc(void *old, size_t size_b);
char *mtcc_copy(const char *text);
char *mtcc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

void mtcc_list_add(struct mtcc_list *list, const char *text);
void mtcc_list_add_all(struct mtcc_list *list, const struct mtcc_list *from);
void mtcc_list_finish(struct mtcc_list *list);

bool mtcc_starts(const char *text, const char *prefix);
bool mtcc_ends(const char *text, const char *suffix);
/* The part of @path behind the last slash. */
const char *mtcc_base_name(const char *path);
bool mtcc_file_exists(const char *path);

struct mtcc_bytes mtcc_file_read(const char *path);
void mtcc_file_write(const char *path, const void *data, size_t size_b);

#endif

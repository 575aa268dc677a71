/* SPDX-License-Identifier: MIT */
/* Memory, lists, files and messages of the compiler driver. Failures end the program. */
#include "tools/compiler/util.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_message(const char *kind, const char *format, va_list args)
{
	fflush(stdout);
	fprintf(stderr, "mtcc: %s: ", kind);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void mtcc_fatal(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("error", format, args);
	va_end(args);
	exit(1);
}

void mtcc_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("error", format, args);
	va_end(args);
}

void mtcc_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("note", format, args);
	va_end(args);
}

void *mtcc_alloc(size_t size_b)
{
	void *memory = calloc(1, size_b ? size_b : 1);

	if (!memory)
		mtcc_fatal("out of memory");
	return memory;
}

void *mtcc_realloc(void *old, size_t size_b)
{
	void *memory = realloc(old, size_b ? size_b : 1);

	if (!memory)
		mtcc_fatal("out of memory");
	return memory;
}

char *mtcc_copy(const char *text)
{
	size_t size_b = strlen(text) + 1;

	return memcpy(mtcc_alloc(size_b), text, size_b);
}

char *mtcc_format(const char *format, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		mtcc_fatal("out of memory");
	va_end(args);
	return text;
}

void mtcc_list_add(struct mtcc_list *list, const char *text)
{
	if (list->count + 2 > list->capacity) {
		list->capacity = list->capacity ? list->capacity * 2 : 16;
		list->items = mtcc_realloc(list->items, list->capacity * sizeof(*list->items));
	}
	list->items[list->count++] = mtcc_copy(text);
	list->items[list->count] = NULL;
}

void mtcc_list_add_all(struct mtcc_list *list, const struct mtcc_list *from)
{
	for (size_t i = 0; i < from->count; i++)
		mtcc_list_add(list, from->items[i]);
}

void mtcc_list_finish(struct mtcc_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

bool mtcc_starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool mtcc_ends(const char *text, const char *suffix)
{
	size_t text_b = strlen(text), suffix_b = strlen(suffix);

	return text_b >= suffix_b && !strcmp(text + text_b - suffix_b, suffix);
}

const char *mtcc_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool mtcc_file_exists(const char *path)
{
	return !access(path, R_OK);
}

struct mtcc_bytes mtcc_file_read(const char *path)
{
	struct mtcc_bytes bytes = {0};
	size_t capacity = 0, got;
	FILE *file = fopen(path, "rb");

	if (!file)
		mtcc_fatal("%s: %s", path, strerror(errno));
	do {
		if (bytes.size_b == capacity) {
			capacity = capacity ? capacity * 2 : 65536;
			bytes.data = mtcc_realloc(bytes.data, capacity);
		}
		got = fread(bytes.data + bytes.size_b, 1, capacity - bytes.size_b, file);
		bytes.size_b += got;
	} while (got);
	if (ferror(file))
		mtcc_fatal("%s: read failed", path);
	fclose(file);
	return bytes;
}

void mtcc_file_write(const char *path, const void *data, size_t size_b)
{
	FILE *file = fopen(path, "wb");

	if (!file)
		mtcc_fatal("%s: %s", path, strerror(errno));
	if (fwrite(data, 1, size_b, file) != size_b || fclose(file)) {
		int error = errno;

		unlink(path);
		mtcc_fatal("%s: %s", path, strerror(error));
	}
}

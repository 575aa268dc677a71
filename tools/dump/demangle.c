/* SPDX-License-Identifier: MIT */
/* The C++ runtime's own demangler. */
#include "tools/dump/demangle.h"

#include <stdlib.h>
#include <string.h>

#define NAME_MAX_B 4096u /* longer ones stay as they are: demangled they are no help to anybody */

/* Of the C++ ABI, whose header is C++ only. */
char *__cxa_demangle(const char *name, char *buffer, size_t *size_b, int *status);

char *demangle(const char *name, size_t count)
{
	char text[NAME_MAX_B + 1];
	int status;

	if (count < 3 || count > NAME_MAX_B || memcmp(name, "_Z", 2) || memchr(name, 0, count))
		return NULL;
	memcpy(text, name, count);
	text[count] = '\0';
	return __cxa_demangle(text, NULL, NULL, &status);
}

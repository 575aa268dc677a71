/* SPDX-License-Identifier: MIT */
/* C++ names of kernels as people write them. */
#ifndef MT_DUMP_DEMANGLE_H
#define MT_DUMP_DEMANGLE_H

#include <stddef.h>

/* "_Z5saxpyfPf" -> "saxpy(float, float*)"; NULL for names that are not mangled, and without memory. The
 * caller frees it with free(). */
char *demangle(const char *name, size_t count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Places of a trace ("MODULE+0xOFFSET") as people know them: function+offset, and file:line where the
 * module has debug information.
 */
#ifndef MT_DUMP_PLACES_H
#define MT_DUMP_PLACES_H

#include <stddef.h>

struct places;

struct places *places_open(void); /* NULL without memory */
void places_close(struct places *places); /* accepts NULL */

/* Writes what is known of the place, at least the place itself. Return addresses: the call lies in front
 * of them. Returns `text`. */
const char *places_name(struct places *places, const char *place, char *text, size_t size_b);

#endif

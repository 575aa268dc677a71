/* SPDX-License-Identifier: MIT */
/* A saved graph with a bit of everything, the same bytes each time, made without a device. */
#ifndef TEST_DUMP_SAMPLE_H
#define TEST_DUMP_SAMPLE_H

#include <stddef.h>

/* Writes it to a descriptor, from its start; 0 or a negative errno. */
int sample_write(int fd);

/* The same with another name of its kernel. */
int sample_write_named(int fd, const char *kernel_name, size_t name_b);

#endif

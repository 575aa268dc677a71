/* SPDX-License-Identifier: MIT */
/* A saved graph with a bit of everything, the same bytes each time, made without a device. */
#ifndef TEST_DUMP_SAMPLE_H
#define TEST_DUMP_SAMPLE_H

/* Writes it to a descriptor, from its start; 0 or a negative errno. */
int sample_write(int fd);

#endif

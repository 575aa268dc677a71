/* SPDX-License-Identifier: MIT */
/* The host side's registration of a code object. */
#ifndef MTCC_HOST_H
#define MTCC_HOST_H

/* Rewrites the host bitcode in place: clang's HIP registration becomes MUSA's, with the bundle
 * (a path, or NULL for none) inside. Returns the exit status. */
int mtcc_host_embed(const char *bitcode, const char *bundle);

#endif

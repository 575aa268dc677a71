/* SPDX-License-Identifier: MIT */
/*
 * Opens a block of prototypes: C linkage, exported symbols, and default arguments as C++ has them.
 * No include guard: each header that declares functions includes it, and musa/api_end.h last.
 */
#ifdef __cplusplus
#define __dv(v) = v
extern "C" {
#else
#define __dv(v)
#endif
#pragma GCC visibility push(default)

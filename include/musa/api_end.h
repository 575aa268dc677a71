/* SPDX-License-Identifier: MIT */
/* Closes a block of prototypes that musa/api_begin.h opened. No include guard: used many times. */
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#undef __dv

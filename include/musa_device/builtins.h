/* SPDX-License-Identifier: MIT */
/*
 * The functions that mtcc itself replaces: indices and sizes by the running block's values,
 * services by calls into the engine. Nothing defines them.
 */
#ifndef __MUSA_DEVICE_BUILTINS_H__
#define __MUSA_DEVICE_BUILTINS_H__

#include <stddef.h>

#define __mt_value __attribute__((device, const))
#define __mt_service __attribute__((device))

extern "C" {
__mt_value unsigned int __mt_thread_x(void);
__mt_value unsigned int __mt_thread_y(void);
__mt_value unsigned int __mt_thread_z(void);
__mt_value unsigned int __mt_block_x(void);
__mt_value unsigned int __mt_block_y(void);
__mt_value unsigned int __mt_block_z(void);
__mt_value unsigned int __mt_block_dim_x(void);
__mt_value unsigned int __mt_block_dim_y(void);
__mt_value unsigned int __mt_block_dim_z(void);
__mt_value unsigned int __mt_grid_dim_x(void);
__mt_value unsigned int __mt_grid_dim_y(void);
__mt_value unsigned int __mt_grid_dim_z(void);
__mt_value unsigned int __mt_warp_size(void);
__mt_value unsigned int __mt_dynamic_shared_size(void);
__mt_value unsigned int __mt_static_shared_size(void);

/* op: 0 plain, 1 count, 2 and, 3 or. */
__mt_service unsigned int __mt_barrier(unsigned int op, unsigned int value);
__mt_service void __mt_warp_sync(unsigned long mask_lo, unsigned long mask_hi);
__mt_service const unsigned long *__mt_warp_exchange(unsigned long mask_lo, unsigned long mask_hi,
						     unsigned long value, unsigned long *arrived);
/* Lanes of the warp that are at the same call of this at the same time. */
__mt_service void __mt_active_mask(unsigned long *mask);
__mt_service void __mt_grid_barrier(void);
__mt_service void __mt_yield(unsigned long ns);
/* Nanoseconds since some fixed time. */
__mt_service unsigned long __mt_clock(void);
__mt_service void *__mt_heap_alloc(size_t size);
__mt_service void __mt_heap_free(void *pointer);
__mt_service unsigned int __mt_graph_launch(unsigned long exec, unsigned int stream);
__mt_service unsigned long __mt_graph_current(void);
__mt_service void __mt_assert_fail(const char *expression, const char *file, unsigned int line,
				   const char *function) __attribute__((noreturn));
__mt_service void __mt_trap(void) __attribute__((noreturn));
}

#endif

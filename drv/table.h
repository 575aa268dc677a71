/* SPDX-License-Identifier: MIT */
/*
 * The private, versioned function table through which libmusart reaches the core beyond the exported
 * mu* calls. A runtime library refuses a core whose table has another version or size.
 *
 * MT_DRV_TABLE lists functions by name; their prototypes stand in the drv/ headers included here.
 */
#ifndef MT_DRV_TABLE_H
#define MT_DRV_TABLE_H

#include "drv/attribute.h"
#include "drv/capture.h"
#include "drv/context.h"
#include "drv/entry_point.h"
#include "drv/event.h"
#include "drv/ext_memory.h"
#include "drv/ext_semaphore.h"
#include "drv/launch.h"
#include "drv/mem_transfer.h"
#include "drv/memory.h"
#include "drv/module.h"
#include "drv/op.h"
#include "drv/pool.h"
#include "drv/stream.h"
#include "drv/stream_attr.h"
#include "drv/thread.h"
#include "hw/base/alloc.h"
#include "hw/base/arena.h"

#define MT_DRV_TABLE_VERSION 1u

#define MT_DRV_TABLE(X)										\
	X(mt_init)										\
	X(mt_device_count)									\
	X(mt_device_get)									\
	X(mt_ctx_primary)									\
	X(mt_ctx_primary_peek)									\
	X(mt_ctx_primary_reset)									\
	X(mt_ctx_synchronize)									\
	X(mt_ctx_error)										\
	X(mt_stream_get)									\
	X(mt_stream_create)									\
	X(mt_stream_destroy)									\
	X(mt_stream_synchronize)								\
	X(mt_stream_query)									\
	X(mt_stream_enqueue)									\
	X(mt_event_create)									\
	X(mt_event_get)										\
	X(mt_event_destroy)									\
	X(mt_event_record)									\
	X(mt_stream_wait_event)									\
	X(mt_event_query)									\
	X(mt_event_synchronize)									\
	X(mt_event_elapsed)									\
	X(mt_mem_find)										\
	X(mt_mem_alloc)										\
	X(mt_mem_alloc_pitched)									\
	X(mt_mem_host_address)									\
	X(mt_mem_host_flags)									\
	X(mt_mem_free)										\
	X(mt_mem_host_alloc)									\
	X(mt_mem_host_free)									\
	X(mt_ext_semaphore_get)									\
	X(mt_array_get)										\
	X(mt_mem_managed_alloc)									\
	X(mt_mem_host_register)									\
	X(mt_mem_host_unregister)								\
	X(mt_mem_get_info)									\
	X(mt_mem_attributes)									\
	X(mt_mem_advise)									\
	X(mt_mem_advise_at)									\
	X(mt_mem_location)									\
	X(mt_mem_prefetch)									\
	X(mt_mem_attach)									\
	X(mt_mem_range_attribute)								\
	X(mt_mem_range_attributes)								\
	X(mt_mem_peer_enable)									\
	X(mt_mem_peer_disable)									\
	X(mt_mem_copy)										\
	X(mt_mem_copy_1d)									\
	X(mt_mem_copy_peer)									\
	X(mt_mem_fill)										\
	X(mt_mem_export_fd)									\
	X(mt_array_create)									\
	X(mt_array_destroy)									\
	X(mt_pool_get)										\
	X(mt_pool_make)										\
	X(mt_pool_destroy)									\
	X(mt_pool_default)									\
	X(mt_pool_current)									\
	X(mt_pool_set_current)									\
	X(mt_pool_trim)										\
	X(mt_pool_get_attr)									\
	X(mt_pool_set_attr)									\
	X(mt_pool_set_access_list)								\
	X(mt_pool_get_access_at)								\
	X(mt_pool_alloc_async)									\
	X(mt_pool_free_async)									\
	X(mt_ext_memory_open)									\
	X(mt_ext_memory_get)									\
	X(mt_ext_memory_destroy)								\
	X(mt_ext_memory_map)									\
	X(mt_ext_semaphore_open)								\
	X(mt_ext_semaphore_create)								\
	X(mt_ext_semaphore_export)								\
	X(mt_ext_semaphore_destroy)								\
	X(mt_ext_semaphore_enqueue)								\
	X(mt_ipc_memory_export)									\
	X(mt_ipc_memory_open)									\
	X(mt_ipc_memory_close)									\
	X(mt_module_load_data)									\
	X(mt_module_load_file)									\
	X(mt_module_unload)									\
	X(mt_module_function)									\
	X(mt_module_variable)									\
	X(mt_function_get)									\
	X(mt_register_fat_binary)								\
	X(mt_unregister_fat_binary)								\
	X(mt_register_function)									\
	X(mt_register_variable)									\
	X(mt_device_attribute)									\
	X(mt_capture_check_unsafe_call)								\
	X(mt_stream_attr_get)									\
	X(mt_stream_attr_set)									\
	X(mt_stream_attr_copy)									\
	X(mt_stream_add_callback)								\
	X(mt_alloc_aligned)									\
	X(mt_free)										\
	X(mt_alloc_stats_get)									\
	X(mt_alloc_fail_at)									\
	X(mt_pkt_encoded_count)									\
	X(mt_arena_set_own_pages)								\
	X(mt_arena_protect)									\
	X(mt_launch_kernel)									\
	X(mt_launch_attrs)									\
	X(mt_function_attribute)								\
	X(mt_function_set_attribute)								\
	X(mt_function_blocks_per_mp)								\
	X(mt_entry_point)									\
	X(mt_library_load_data)									\
	X(mt_library_load_file)									\
	X(mt_library_unload)									\
	X(mt_library_kernel)									\
	X(mt_library_kernel_count)								\
	X(mt_library_kernels)									\
	X(mt_library_variable)									\
	X(mt_thread_get)									\
	X(mt_thread_set_device)									\
	X(mt_runtime_function)									\
	X(mt_runtime_variable)

struct mt_drv_table {
	uint32_t version, size_b;
#define MT_DRV_TABLE_MEMBER(f) __typeof__(f) *f;
	MT_DRV_TABLE(MT_DRV_TABLE_MEMBER)
#undef MT_DRV_TABLE_MEMBER
};

extern const struct mt_drv_table mt_drv_table_v1; /* exported by libmusa */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The rest of the kernel interface of the mtgpu driver: graphics, codecs, profiling and the older
 * forms of contexts, jobs and fences. The backend uses none of it.
 */
#ifndef MT_DRM_MTGPU_DRM_EXTRA_H
#define MT_DRM_MTGPU_DRM_EXTRA_H

#include "hw/drm/mtgpu_drm.h"

enum drm_mtgpu_job_type {
	MTGPU_JOB_NOP = 0,
	MTGPU_JOB_TQ = 1,
	MTGPU_JOB_CE = 2,
	MTGPU_JOB_RENDER = 3,
	MTGPU_JOB_COMPUTE = 4,
	MTGPU_JOB_DMA = 5,
	MTGPU_JOB_INVALID = 6,
};

enum drm_mtgpu_object_type {
	DRM_MTGPU_OBJECT_TYPE_FREE_LIST = 0,
	DRM_MTGPU_OBJECT_TYPE_HWRT_DATASET = 1,
	DRM_MTGPU_OBJECT_TYPE_RENDER_RESOURCE = 2,
	DRM_MTGPU_OBJECT_TYPE_INVALID = 3,
};

enum drm_mtgpu_semaphore_type {
	DRM_MTGPU_SEMAPHORE_GPU_SIGNAL = 0,
	DRM_MTGPU_SEMAPHORE_GPU_WAIT = 1,
};

enum drm_mtgpu_cache_op_type {
	DRM_MTGPU_CACHE_OP_LLC_PERSISTENCE_GET = 0,
	DRM_MTGPU_CACHE_OP_LLC_PERSISTENCE_SET = 1,
	DRM_MTGPU_CACHE_OP_LLC_PERSISTENCE_RESET = 2,
};

enum drm_mtgpu_tl_event_type {
	MTGPU_TL_STREAM_OPEN = 0,
	MTGPU_TL_STREAM_CLOSE = 1,
	MTGPU_TL_STREAM_DISCOVER = 2,
	MTGPU_TL_DATA_ACQUIRE = 3,
	MTGPU_TL_DATA_RELEASE = 4,
	MTGPU_TL_CMD_INVALID = 5,
};

enum drm_mtgpu_hwperf_event_type {
	MTGPU_HWPERF_CTRL = 0,
	MTGPU_HWPERF_GET_TIMESTAMPS = 1,
	MTGPU_HWPERF_INVALID = 2,
};

/* QUERY_INFO PLATFORM, answer. */
struct mtgpu_platform_info {
	__u32 mtlink_enable;
	__u32 iommu_enable;
};

struct drm_mtgpu_timeline_create {
	struct {
		__u64 timeline_handle;
		__u64 timeline_bo_handle;
		__u64 timeline_value_offset;
	} out;
};

struct drm_mtgpu_timeline_destroy {
	struct {
		__u64 timeline_handle;
	} in;
};

struct drm_mtgpu_timeline_read {
	struct {
		__u64 timeline_handle;
	} in;
	struct {
		__u64 timeline_value;
	} out;
};

struct drm_mtgpu_fence {
	__u64 timeline_handle;
	__u64 seqno;
};

struct drm_mtgpu_fence_wait {
	struct {
		__u64 fences;
		__u32 seqno_count;
		__u32 wait_all;
		__u64 timeout_ns;
	} in;
	struct {
		__u32 first_signaled;
		__u32 pad;
	} out;
};

struct drm_mtgpu_context_create {
	struct {
		__u32 type;
		__u32 flags;
		__u32 ccbsize;
		__u32 priority;
		__u64 vm_ctx_handle;
		__u64 data;
	} in;
	struct {
		__u64 ctx_handle;
	} out;
};

struct drm_mtgpu_context_destroy {
	__u32 type;
	__u32 pad;
	__u64 ctx_handle;
};

struct drm_mtgpu_tq_context_data {
	__u64 robustness_addr;
};

struct drm_mtgpu_render_context_data {
	__u64 robustness_addr;
	__u32 max_3d_deadline_ms;
	__u32 max_ta_deadline_ms;
};

struct drm_mtgpu_compute_context_data {
	__u64 robustness_addr;
	__u32 max_deadline_ms;
};

struct drm_mtgpu_ce_context_data {
	__u64 framework_cmd;
	__u32 framework_cmd_size;
	__u64 robustness_addr;
};

struct drm_mtgpu_dma_context_data {
	__u64 robustness_addr;
};

struct drm_mtgpu_compute_job_data {
	__u32 num_of_workgroups;
	__u32 num_of_workitems;
};

struct drm_mtgpu_tq_job_data {
	__u32 characteristic1;
	__u32 characteristic2;
};

struct drm_mtgpu_ce_job_data {
	__u32 characteristic1;
	__u32 characteristic2;
};

struct drm_mtgpu_codec_data {
	__u32 type;
	__u32 length;
	__u32 pad0;
	__u32 pad1;
	__u64 data;
};

struct drm_mtgpu_render_job_data {
	__u64 frag_check_semaphores;
	__u32 frag_check_semaphore_count;
	__u32 pad1;
	__u64 frag_update_semaphores;
	__u32 frag_update_semaphore_count;
	__u32 pad2;
	__s32 frag_foreign_fence_fd;
	__u32 pad3;
	__u8 *frag_cmd_array;
	__u32 frag_cmd_size;
	__u32 frag_cmd_count;
	__u8 *frag_pr_cmd_array;
	__u32 frag_pr_cmd_size;
	__u32 pad4;
	__u64 hwrt_dataset_handle;
	__u64 msaa_scratch_buffer_handle;
	__u64 zs_buffer_handle;
	__u32 draw_calls_number;
	__u32 indices_number;
	__u32 mrts_number;
	__u32 render_target_size;
	__u32 kick_geom;
	__u32 kick_pr;
	__u32 kick_frag;
	__u32 abort;
};

struct drm_mtgpu_job_submit {
	struct {
		__u32 type;
		__u32 pad1;
		__u64 ctx_handle;
		__u64 check_semaphores;
		__u32 check_semaphore_count;
		__u32 pad2;
		__u64 update_semaphores;
		__u32 update_semaphore_count;
		__u32 pad3;
		__u64 check_fences;
		__u32 check_fence_count;
		__s32 foreign_fence_fd;
		__s32 *sync_buf_fds;
		__u32 *sync_buf_flags;
		__u32 sync_buf_count;
		__u32 pad4;
		__u64 update_fence;
		const char *update_fence_name;
		__u8 *dm_cmd_array;
		__u32 dm_cmd_size;
		__u32 dm_cmd_count;
		__u64 deadline_us;
		__u32 ext_job_ref;
		__u32 pdump_flags;
		__u64 data;
	} in;
};

struct drm_mtgpu_job_append {
	__u64 job_ctx_handle;
	__u64 stream_uid;
};

struct drm_mtgpu_dma_transfer {
	struct {
		__u32 bo_handle;
		__u32 transfer_flag;
		__u64 ext_handle;
		__u64 offset;
		__u64 ext_offset;
		__u64 size;
		__u64 fence_handle;
	} in;
};

struct drm_mtgpu_object_destroy {
	__u32 type;
	__u32 pad;
	__u64 handle;
};

struct drm_mtgpu_hwrt_dataset_create_args {
	__u64 pm_data_va_array_mcg;
	__u64 tail_ptr_va_array_mcg;
	__u64 vheap_table_va;
	__u64 ppp_multi_sample_ctl;
	__u64 pm_data_va_array;
	__u64 pm_secure_data_va_array;
	__u64 tail_ptr_va_array;
	__u64 free_list_handles;
	__u32 free_lists_count;
	__u32 mcg_core_num;
	__u32 isp_merge_lower_x;
	__u32 isp_merge_lower_y;
	__u32 isp_merge_scale_x;
	__u32 isp_merge_scale_y;
	__u32 isp_merge_upper_x;
	__u32 isp_merge_upper_y;
	__u32 ppp_screen;
	__u32 rgn_stride;
	__u32 teaa;
	__u32 temtile1;
	__u32 temtile2;
	__u32 te_screen;
	__u32 tpc_size;
	__u32 tpc_stride;
	__u16 max_rts;
};

struct drm_mtgpu_free_list_create_args {
	__u64 free_list_base_dev_vaddr;
	__u64 free_list_state_dev_vaddr;
	__u64 mem_ctx_handle;
	__u64 free_list_bo_handle;
	__u64 free_list_bo_offset;
	__u64 free_list_state_bo_handle;
	__u64 free_list_state_bo_offset;
	__u64 global_free_list_handle;
	__u32 enable_check_sum;
	__u32 grow_num_pages;
	__u32 grow_threshold;
	__u32 initial_num_pages;
	__u32 max_num_pages;
};

struct drm_mtgpu_render_resource_create_args {
	__u32 mcg_core_num;
	__u32 free_list_count;
	__u64 free_list_create_args;
};

struct drm_mtgpu_object_create {
	struct {
		__u32 type;
		__u32 pad;
		__u64 data;
	} in;
	struct {
		__u64 *handles;
	} out;
};

struct drm_mtgpu_fence_to_fd {
	struct {
		struct drm_mtgpu_fence fence;
	} in;
	struct {
		__s32 fd;
		__u32 pad;
	} out;
};

struct drm_mtgpu_semaphore_submit {
	__u64 ctx_handle;
	__u32 job_type;
	__u32 sem_type;
	struct drm_mtgpu_semaphore semaphore;
};

struct drm_mtgpu_llc_persistence_in {
	__u32 replace_mode;
	__u64 max_set_aside_size;
};

struct drm_mtgpu_llc_persistence_out {
	__u32 llc_size;
	__u32 max_llc_persisting_size;
};

struct drm_mtgpu_cache_op {
	struct {
		__u32 type;
		__u32 pad;
		__u64 data;
	} in;
	struct {
		__u64 data;
	} out;
};

struct drm_mtgpu_transport_layer {
	struct {
		__u32 type;
		__u32 pad;
		__u64 sd_handle;
		__u64 data;
	} in;
	struct {
		__u64 data;
	} out;
};

struct drm_mtgpu_stream_open_data_in {
	__u8 *name;
	__u32 mode;
};

struct drm_mtgpu_stream_open_data_out {
	__u64 sd_handle;
	__u64 bo_handle;
	__u64 bo_size;
	__u32 multi_readers_allowed;
	__u32 read_offset;
};

struct drm_mtgpu_discover_stream_data_in {
	__u8 *pattern_name;
	__u32 size;
};

struct drm_mtgpu_discover_stream_data_out {
	__u32 found_count;
	__u8 *stream_name;
};

struct drm_mtgpu_acquire_data_in {
	__u32 read_offset;
};

struct drm_mtgpu_acquire_data_out {
	__u32 read_len;
	__u32 read_offset;
};

struct drm_mtgpu_release_data_in {
	__u32 read_len;
	__u32 read_offset;
};

struct drm_mtgpu_stream_close_data_in {
	__u32 bo_handle;
};

struct drm_mtgpu_hwperf {
	struct {
		__u32 type;
		__u32 toggle;
		__u32 stream_id;
		__u32 pad;
		__u64 mask;
	} in;
	struct {
		__u64 data;
	} out;
};

struct mtgpu_hwperf_timestamps {
	__u64 soc_timestamp;
	__u64 os_timestamp;
};

struct drm_mtgpu_notify_queue_update {
	__u32 type;
	__u32 pad;
	__u64 ctx_handle;
};

struct drm_mtgpu_codec_wait {
	__u64 bo_handle;
	__u32 offset;
	__u32 flag;
	__u64 timeout_ns;
};

struct drm_mtgpu_align_check {
	__u64 check_data;
	__u32 check_size;
	__u32 pad;
};

#define DRM_IOCTL_MTGPU_TIMELINE_CREATE                                                            \
	DRM_IOWR(DRM_COMMAND_BASE + 0x1b, struct drm_mtgpu_timeline_create)
#define DRM_IOCTL_MTGPU_TIMELINE_DESTROY                                                           \
	DRM_IOWR(DRM_COMMAND_BASE + 0x1c, struct drm_mtgpu_timeline_destroy)
#define DRM_IOCTL_MTGPU_TIMELINE_READ                                                              \
	DRM_IOWR(DRM_COMMAND_BASE + 0x1d, struct drm_mtgpu_timeline_read)
#define DRM_IOCTL_MTGPU_FENCE_WAIT  DRM_IOWR(DRM_COMMAND_BASE + 0x1e, struct drm_mtgpu_fence_wait)
#define DRM_IOCTL_MTGPU_FENCE_TO_FD DRM_IOWR(DRM_COMMAND_BASE + 0x1f, struct drm_mtgpu_fence_to_fd)
#define DRM_IOCTL_MTGPU_SEMAPHORE_SUBMIT                                                           \
	DRM_IOWR(DRM_COMMAND_BASE + 0x22, struct drm_mtgpu_semaphore_submit)
#define DRM_IOCTL_MTGPU_CONTEXT_CREATE                                                             \
	DRM_IOWR(DRM_COMMAND_BASE + 0x25, struct drm_mtgpu_context_create)
#define DRM_IOCTL_MTGPU_CONTEXT_DESTROY                                                            \
	DRM_IOWR(DRM_COMMAND_BASE + 0x26, struct drm_mtgpu_context_destroy)
#define DRM_IOCTL_MTGPU_JOB_SUBMIT DRM_IOWR(DRM_COMMAND_BASE + 0x27, struct drm_mtgpu_job_submit)
#define DRM_IOCTL_MTGPU_DMA_TRANSFER                                                               \
	DRM_IOWR(DRM_COMMAND_BASE + 0x28, struct drm_mtgpu_dma_transfer)
#define DRM_IOCTL_MTGPU_OBJECT_CREATE                                                              \
	DRM_IOWR(DRM_COMMAND_BASE + 0x29, struct drm_mtgpu_object_create)
#define DRM_IOCTL_MTGPU_OBJECT_DESTROY                                                             \
	DRM_IOWR(DRM_COMMAND_BASE + 0x2a, struct drm_mtgpu_object_destroy)
#define DRM_IOCTL_MTGPU_TRANSPORT_LAYER                                                            \
	DRM_IOWR(DRM_COMMAND_BASE + 0x2b, struct drm_mtgpu_transport_layer)
#define DRM_IOCTL_MTGPU_HWPERF   DRM_IOWR(DRM_COMMAND_BASE + 0x2c, struct drm_mtgpu_hwperf)
#define DRM_IOCTL_MTGPU_CACHE_OP DRM_IOWR(DRM_COMMAND_BASE + 0x2d, struct drm_mtgpu_cache_op)
#define DRM_IOCTL_MTGPU_NOTIFY_QUEUE_UPDATE                                                        \
	DRM_IOWR(DRM_COMMAND_BASE + 0x2e, struct drm_mtgpu_notify_queue_update)
#define DRM_IOCTL_MTGPU_ALIGN_CHECK DRM_IOWR(DRM_COMMAND_BASE + 0x2f, struct drm_mtgpu_align_check)
#define DRM_IOCTL_MTGPU_JOB_APPEND  DRM_IOWR(DRM_COMMAND_BASE + 0x33, struct drm_mtgpu_job_append)
#define DRM_IOCTL_MTGPU_CODEC_WAIT  DRM_IOWR(DRM_COMMAND_BASE + 0x34, struct drm_mtgpu_codec_wait)

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The kernel interface of the mtgpu driver, ioctl version 22: numbers and layouts only.
 *
 * DOC: What is known
 *
 * Names, numbers, sizes and offsets follow the driver's published interface; each of them is
 * checked in mtgpu_drm_check.c. Where its meaning is not published this project assumes something,
 * and the place that does so is marked UNVERIFIED. Padding must be zero.
 */
#ifndef MT_DRM_MTGPU_DRM_H
#define MT_DRM_MTGPU_DRM_H

#include <drm.h>

#define MTGPU_API_MAJOR_VERSION           0
#define MTGPU_IOCTL_VERSION               22
#define MTGPU_HEAPNAME_MAXLENGTH          128
#define MTGPU_API_NAME_LENGTH             64
#define MTGPU_BUFFER_ACCESS_FLAG_READ     0x0
#define MTGPU_BUFFER_ACCESS_FLAG_WRITE    0x1
#define MTGPU_DMA_TRANSFER_DEVICE_TO_HOST 0x0
#define MTGPU_DMA_TRANSFER_HOST_TO_DEVICE 0x1
#define MTGPU_DMA_TRANSFER_LOCAL_TO_PEER  0x4
#define MTGPU_DMA_TRANSFER_PEER_TO_LOCAL  0x5

/* Where memory may lie. */
#define MTGPU_BO_DOMAIN_CPU  0x1
#define MTGPU_BO_DOMAIN_GTT  0x2
#define MTGPU_BO_DOMAIN_VRAM 0x4

/* Access, caches, allocation and use of buffer objects. */
#define MTGPU_BO_FLAGS_GPU_READABLE       0x1
#define MTGPU_BO_FLAGS_GPU_WRITEABLE      0x2
#define MTGPU_BO_FLAGS_CPU_READABLE       0x4
#define MTGPU_BO_FLAGS_CPU_WRITEABLE      0x8
#define MTGPU_BO_FLAGS_GPU_CACHED         0x10
#define MTGPU_BO_FLAGS_GPU_UNCACHED       0x20
#define MTGPU_BO_FLAGS_GPU_UNCACHED_WC    0x40
#define MTGPU_BO_FLAGS_GPU_CACHE_COHERENT 0x80
#define MTGPU_BO_FLAGS_CPU_CACHED         0x100
#define MTGPU_BO_FLAGS_CPU_UNCACHED       0x200
#define MTGPU_BO_FLAGS_CPU_UNCACHED_WC    0x400
#define MTGPU_BO_FLAGS_CPU_CACHE_COHERENT 0x800
#define MTGPU_BO_FLAGS_NON_CONTIGUOUS     0x1000
#define MTGPU_BO_FLAGS_VARM_ONLY          0x2000
#define MTGPU_BO_FLAGS_ZERO_ON_ALLOC      0x4000
#define MTGPU_BO_FLAGS_POISON_ON_ALLOC    0x8000
#define MTGPU_BO_FLAGS_POISON_ON_FREE     0x10000
#define MTGPU_BO_FLAGS_NUMA_ENABLE        0x20000
#define MTGPU_BO_USAGE_DISPLAY            0x100000000ull

/* Submissions. */
#define MTGPU_SUBMISSION_FLAGS_DISABLE_HWR 0x1
#define MTGPU_SUBMISSION_FLAGS_ERROR_PAUSE 0x2
#define MTGPU_SUBMISSION_FLAGS_USER_PAUSE  0x4

/* struct drm_mtgpu_dma_transfer, transfer_flag. */
#define MTGPU_DMA_TRANSFER_DIR 0x1

enum mtgpu_info_type {
	MTGPU_INFO_TYPE_HEAP_COUNT = 0,
	MTGPU_INFO_TYPE_HEAP_DETAILS = 1,
	MTGPU_INFO_TYPE_MEMORY = 2,
	MTGPU_INFO_TYPE_BO = 3,
	MTGPU_INFO_TYPE_DEV = 4,
	MTGPU_INFO_TYPE_PCI = 5,
	MTGPU_INFO_TYPE_PLATFORM = 6,
	MTGPU_INFO_TYPE_CAPABILITY = 7,
	MTGPU_INFO_TYPE_INVALID = 8,
};

enum drm_mtgpu_dma_addr_type {
	MTGPU_DMA_ADDR_TYPE_USER_PTR = 0,
	MTGPU_DMA_ADDR_TYPE_BO_HANDLE = 1,
};

enum drm_mtgpu_job_submission_type {
	MTGPU_SUBMISSION_NOP = 0,
	MTGPU_SUBMISSION_GPU_NOP = 1,
	MTGPU_SUBMISSION_GPU_TQ = 2,
	MTGPU_SUBMISSION_GPU_CE = 3,
	MTGPU_SUBMISSION_GPU_GFX = 4,
	MTGPU_SUBMISSION_GPU_COMPUTE = 5,
	MTGPU_SUBMISSION_GPU_COMPUTE_STREAM = 6,
	MTGPU_SUBMISSION_GPU_UNIVERSAL = 7,
	MTGPU_SUBMISSION_DMA = 8,
	MTGPU_SUBMISSION_CODEC = 9,
	MTGPU_SUBMISSION_INVALID = 10,
};

/* First call on a node: the interface version that the caller speaks. */
struct drm_mtgpu_device_init {
	__u32 ioctl_version;
	__u32 pad;
};

/* A range of device addresses; base and length in bytes. */
struct drm_mtgpu_heap_info {
	__u32 id;
	char name[128];
	__u64 base;
	__u64 length;
	__u32 log2_page_size;
};

/* QUERY_INFO HEAP_DETAILS, argument. */
struct mtgpu_heap_detail_in {
	__u32 index;
};

/* QUERY_INFO HEAP_DETAILS, answer. */
struct mtgpu_heap_detail_out {
	struct drm_mtgpu_heap_info info;
};

/* QUERY_INFO MEMORY, answer, in bytes. */
struct mtgpu_mem_info {
	struct {
		__u64 total_size;
		__u64 free_size;
	} system;
	struct {
		__u64 total_size;
		__u64 free_size;
	} vram;
};

/* PCI device id. */
struct drm_mtgpu_device_info {
	__u32 device_id;
};

/* QUERY_INFO BO, argument. */
struct mtgpu_bo_info_in {
	__u32 bo_handle;
	__u32 pad;
};

/* What a buffer object is. */
struct mtgpu_bo_info {
	__u64 size;
	__u64 align;
	__u64 flags;
	__u32 domain;
	__u32 segment_id;
};

/* QUERY_INFO BO, answer. */
struct mtgpu_bo_info_out {
	struct mtgpu_bo_info info;
};

/* QUERY_INFO DEV, answer. */
struct mtgpu_dev_info {
	__u32 dev_id;
	__u32 dev_status;
	__u32 dev_clock_speed;
	__u32 mem_clock_speed;
	__u32 mem_max_clock_speed;
	__u32 num_cores;
	__u8 uuid[16];
};

/* QUERY_INFO PCI, answer. */
struct mtgpu_pci_info {
	__u32 domain_number;
	__u32 bus_number;
	__u32 device_number;
	__u32 function_number;
	__u32 current_gen_speed;
	__u32 current_width;
	__s32 numa_node_id;
	__u32 total_pci_device_memory_accessible;
	__u32 total_system_memory_accessible;
	__u32 pad;
};

/* QUERY_INFO CAPABILITY, answer. */
struct mtgpu_hw_capability {
	__u64 support_llc : 1;
	__u64 support_ce : 1;
	__u64 reserved : 62;
};

/* in.data and out.data are user addresses of the structs for the type. */
struct drm_mtgpu_query_info {
	struct {
		__u32 type;
		__u32 pad;
		__u64 data;
	} in;
	struct {
		__u64 data;
	} out;
};

struct drm_mtgpu_bo_create {
	struct {
		__u64 size;
		__u64 align;
		__u64 flags;
		__u32 domains;
		__u32 group_id;
	} in;
	struct {
		__u32 bo_handle;
		__u32 pad;
	} out;
};

struct drm_mtgpu_bo_from_userptr {
	struct {
		__u64 userptr;
		__u64 size;
		__u32 flags;
		__u32 pad;
	} in;
	struct {
		__u32 bo_handle;
		__u32 pad;
	} out;
};

struct drm_mtgpu_bo_get_mmap_offset {
	struct {
		__u32 bo_handle;
		__u32 pad;
	} in;
	struct {
		__u64 offset;
	} out;
};

struct drm_mtgpu_bo_global_handle_export {
	struct {
		__u32 bo_handle;
		__u32 pad;
	} in;
	struct {
		__u64 global_handle;
	} out;
};

struct drm_mtgpu_bo_global_handle_import {
	struct {
		__u64 global_handle;
	} in;
	struct {
		__u64 size;
		__u32 bo_handle;
		__u32 pad;
	} out;
};

struct drm_mtgpu_vm_context_create {
	__u64 vm_ctx_handle;
};

struct drm_mtgpu_vm_context_destroy {
	__u64 vm_ctx_handle;
};

/* Maps the object from its start; va and size in pages of the heap around va. */
struct drm_mtgpu_vm_map {
	__u64 vm_ctx_handle;
	__u64 va;
	__u64 mapping_flags;
	__u32 bo_handle;
	__u32 pad;
	__u64 size;
};

/* Takes the whole mapping that starts at va away. */
struct drm_mtgpu_vm_unmap {
	__u64 vm_ctx_handle;
	__u64 va;
};

/* type: enum drm_mtgpu_job_submission_type. */
struct drm_mtgpu_job_context_create {
	struct {
		__u32 type;
		__u32 priority;
		__u64 vm_ctx_handle;
	} in;
	struct {
		__u64 ctx_handle;
	} out;
};

struct drm_mtgpu_job_context_destroy {
	__u64 ctx_handle;
};

/* One transfer of a DMA job; an address is a user pointer or an object handle. */
struct drm_mtgpu_dma_cmd {
	enum drm_mtgpu_dma_addr_type src_type;
	enum drm_mtgpu_dma_addr_type dst_type;
	__u64 src_addr;
	__u64 dst_addr;
	__u64 src_offset;
	__u64 dst_offset;
	__u64 xfer_size;
};

/* submission_va: device address for GPU jobs, user address for DMA jobs. */
struct drm_mtgpu_job_submit_v3 {
	struct {
		__u64 job_ctx_handle;
		__u64 check_semaphores;
		__u32 check_semaphore_count;
		__u32 pad1;
		__u64 update_semaphores;
		__u32 update_semaphore_count;
		__u32 pad2;
		__u64 submission_va;
		__u32 submission_size;
		__u32 submission_flags;
		__u64 submission_id;
	} in;
	struct {
		__u64 data;
	} out;
};

/* A semaphore and the value to wait for or to set. */
struct drm_mtgpu_semaphore {
	__u64 handle;
	__u64 value;
};

/* The 64-bit value lies at value_offset of an object that can be mapped. */
struct drm_mtgpu_semaphore_create {
	struct {
		__u64 handle;
		__u64 bo_handle;
		__u64 value_offset;
		__u64 gpu_address;
	} out;
};

struct drm_mtgpu_semaphore_destroy {
	__u64 handle;
};

struct drm_mtgpu_semaphore_cpu_signal {
	__u64 vm_ctx_handle;
	struct drm_mtgpu_semaphore semaphore;
};

struct drm_mtgpu_semaphore_export_fd {
	struct {
		struct drm_mtgpu_semaphore semaphore;
	} in;
	struct {
		__s32 fd;
		__u32 pad;
	} out;
};

struct drm_mtgpu_semaphore_import_fd {
	struct {
		__s32 fd;
		__u32 pad;
		__u64 vm_ctx_handle;
	} in;
	struct {
		struct drm_mtgpu_semaphore semaphore;
		__u64 bo_handle;
		__u64 value_offset;
	} out;
};

/* Waits for all of an array of struct drm_mtgpu_semaphore. */
struct drm_mtgpu_semaphore_wait {
	struct {
		__u64 semaphores;
		__u32 count;
		__u32 pad;
		__u64 timeout_ns;
	} in;
};

/* check_data, result_data: arrays of struct mtgpu_api_version. */
struct drm_mtgpu_version_check {
	struct {
		__u32 api_major_version;
		__u32 check_api_count;
		__u64 check_data;
	} in;
	struct {
		__u64 result_data;
		__u32 supported_api_count;
		__u32 pad;
	} out;
};

struct mtgpu_api_version {
	char name[64];
	int version_range[2];
};

#define DRM_IOCTL_MTGPU_DEVICE_INIT DRM_IOWR(DRM_COMMAND_BASE + 0x10, struct drm_mtgpu_device_init)
#define DRM_IOCTL_MTGPU_QUERY_INFO  DRM_IOWR(DRM_COMMAND_BASE + 0x11, struct drm_mtgpu_query_info)
#define DRM_IOCTL_MTGPU_BO_CREATE   DRM_IOWR(DRM_COMMAND_BASE + 0x12, struct drm_mtgpu_bo_create)
#define DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET                                                         \
	DRM_IOWR(DRM_COMMAND_BASE + 0x13, struct drm_mtgpu_bo_get_mmap_offset)
#define DRM_IOCTL_MTGPU_BO_FROM_USERPTR                                                            \
	DRM_IOWR(DRM_COMMAND_BASE + 0x14, struct drm_mtgpu_bo_from_userptr)
#define DRM_IOCTL_MTGPU_BO_EXPORT_GLOBAL_HANDLE                                                    \
	DRM_IOWR(DRM_COMMAND_BASE + 0x15, struct drm_mtgpu_bo_global_handle_export)
#define DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE                                                    \
	DRM_IOWR(DRM_COMMAND_BASE + 0x16, struct drm_mtgpu_bo_global_handle_import)
#define DRM_IOCTL_MTGPU_VM_CONTEXT_CREATE                                                          \
	DRM_IOWR(DRM_COMMAND_BASE + 0x17, struct drm_mtgpu_vm_context_create)
#define DRM_IOCTL_MTGPU_VM_CONTEXT_DESTROY                                                         \
	DRM_IOWR(DRM_COMMAND_BASE + 0x18, struct drm_mtgpu_vm_context_destroy)
#define DRM_IOCTL_MTGPU_VM_MAP   DRM_IOWR(DRM_COMMAND_BASE + 0x19, struct drm_mtgpu_vm_map)
#define DRM_IOCTL_MTGPU_VM_UNMAP DRM_IOWR(DRM_COMMAND_BASE + 0x1a, struct drm_mtgpu_vm_unmap)
#define DRM_IOCTL_MTGPU_SEMAPHORE_CREATE                                                           \
	DRM_IOWR(DRM_COMMAND_BASE + 0x20, struct drm_mtgpu_semaphore_create)
#define DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY                                                          \
	DRM_IOWR(DRM_COMMAND_BASE + 0x21, struct drm_mtgpu_semaphore_destroy)
#define DRM_IOCTL_MTGPU_SEMAPHORE_CPU_SIGNAL                                                       \
	DRM_IOWR(DRM_COMMAND_BASE + 0x23, struct drm_mtgpu_semaphore_cpu_signal)
#define DRM_IOCTL_MTGPU_SEMAPHORE_EXPORT_FD                                                        \
	DRM_IOWR(DRM_COMMAND_BASE + 0x24, struct drm_mtgpu_semaphore_export_fd)
#define DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE                                                         \
	DRM_IOWR(DRM_COMMAND_BASE + 0x30, struct drm_mtgpu_job_context_create)
#define DRM_IOCTL_MTGPU_JOB_CONTEXT_DESTROY                                                        \
	DRM_IOWR(DRM_COMMAND_BASE + 0x31, struct drm_mtgpu_job_context_destroy)
#define DRM_IOCTL_MTGPU_JOB_SUBMIT_V3                                                              \
	DRM_IOWR(DRM_COMMAND_BASE + 0x32, struct drm_mtgpu_job_submit_v3)
#define DRM_IOCTL_MTGPU_VERSION_CHECK                                                              \
	DRM_IOWR(DRM_COMMAND_BASE + 0x35, struct drm_mtgpu_version_check)
#define DRM_IOCTL_MTGPU_SEMAPHORE_IMPORT_FD                                                        \
	DRM_IOWR(DRM_COMMAND_BASE + 0x36, struct drm_mtgpu_semaphore_import_fd)
#define DRM_IOCTL_MTGPU_SEMAPHORE_WAIT                                                             \
	DRM_IOWR(DRM_COMMAND_BASE + 0x37, struct drm_mtgpu_semaphore_wait)

#endif

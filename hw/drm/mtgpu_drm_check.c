/* SPDX-License-Identifier: MIT */
/*
 * Compile-time proof that the kernel interface has the layout that the kernel expects.
 */
#include "hw/drm/mtgpu_drm_extra.h"

#include <stddef.h>

#define SIZE(type, bytes)                                                                          \
	_Static_assert(sizeof(struct type) == (bytes), "the kernel copies this many bytes")
#define FIELD(type, member, offset, bytes)                                                         \
	_Static_assert(offsetof(struct type, member) == (offset), "the kernel reads it there");    \
	_Static_assert(sizeof(((struct type *)0)->member) == (bytes), "the kernel reads this "     \
								      "much")
#define NUMBER(name, number) _Static_assert((name) == (number), "the kernel knows this number")

NUMBER(MTGPU_API_MAJOR_VERSION, 0);
NUMBER(MTGPU_IOCTL_VERSION, 22);
NUMBER(MTGPU_HEAPNAME_MAXLENGTH, 128);
NUMBER(MTGPU_API_NAME_LENGTH, 64);
NUMBER(MTGPU_BUFFER_ACCESS_FLAG_READ, 0x0);
NUMBER(MTGPU_BUFFER_ACCESS_FLAG_WRITE, 0x1);
NUMBER(MTGPU_DMA_TRANSFER_DEVICE_TO_HOST, 0x0);
NUMBER(MTGPU_DMA_TRANSFER_HOST_TO_DEVICE, 0x1);
NUMBER(MTGPU_DMA_TRANSFER_LOCAL_TO_PEER, 0x4);
NUMBER(MTGPU_DMA_TRANSFER_PEER_TO_LOCAL, 0x5);
NUMBER(MTGPU_BO_DOMAIN_CPU, 0x1);
NUMBER(MTGPU_BO_DOMAIN_GTT, 0x2);
NUMBER(MTGPU_BO_DOMAIN_VRAM, 0x4);
NUMBER(MTGPU_BO_FLAGS_GPU_READABLE, 0x1);
NUMBER(MTGPU_BO_FLAGS_GPU_WRITEABLE, 0x2);
NUMBER(MTGPU_BO_FLAGS_CPU_READABLE, 0x4);
NUMBER(MTGPU_BO_FLAGS_CPU_WRITEABLE, 0x8);
NUMBER(MTGPU_BO_FLAGS_GPU_CACHED, 0x10);
NUMBER(MTGPU_BO_FLAGS_GPU_UNCACHED, 0x20);
NUMBER(MTGPU_BO_FLAGS_GPU_UNCACHED_WC, 0x40);
NUMBER(MTGPU_BO_FLAGS_GPU_CACHE_COHERENT, 0x80);
NUMBER(MTGPU_BO_FLAGS_CPU_CACHED, 0x100);
NUMBER(MTGPU_BO_FLAGS_CPU_UNCACHED, 0x200);
NUMBER(MTGPU_BO_FLAGS_CPU_UNCACHED_WC, 0x400);
NUMBER(MTGPU_BO_FLAGS_CPU_CACHE_COHERENT, 0x800);
NUMBER(MTGPU_BO_FLAGS_NON_CONTIGUOUS, 0x1000);
NUMBER(MTGPU_BO_FLAGS_VARM_ONLY, 0x2000);
NUMBER(MTGPU_BO_FLAGS_ZERO_ON_ALLOC, 0x4000);
NUMBER(MTGPU_BO_FLAGS_POISON_ON_ALLOC, 0x8000);
NUMBER(MTGPU_BO_FLAGS_POISON_ON_FREE, 0x10000);
NUMBER(MTGPU_BO_FLAGS_NUMA_ENABLE, 0x20000);
NUMBER(MTGPU_BO_USAGE_DISPLAY, 0x100000000);
NUMBER(MTGPU_SUBMISSION_FLAGS_DISABLE_HWR, 0x1);
NUMBER(MTGPU_SUBMISSION_FLAGS_ERROR_PAUSE, 0x2);
NUMBER(MTGPU_SUBMISSION_FLAGS_USER_PAUSE, 0x4);
NUMBER(MTGPU_DMA_TRANSFER_DIR, 0x1);
NUMBER((int)MTGPU_INFO_TYPE_HEAP_COUNT, 0);
NUMBER((int)MTGPU_INFO_TYPE_HEAP_DETAILS, 1);
NUMBER((int)MTGPU_INFO_TYPE_MEMORY, 2);
NUMBER((int)MTGPU_INFO_TYPE_BO, 3);
NUMBER((int)MTGPU_INFO_TYPE_DEV, 4);
NUMBER((int)MTGPU_INFO_TYPE_PCI, 5);
NUMBER((int)MTGPU_INFO_TYPE_PLATFORM, 6);
NUMBER((int)MTGPU_INFO_TYPE_CAPABILITY, 7);
NUMBER((int)MTGPU_INFO_TYPE_INVALID, 8);
NUMBER((int)MTGPU_JOB_NOP, 0);
NUMBER((int)MTGPU_JOB_TQ, 1);
NUMBER((int)MTGPU_JOB_CE, 2);
NUMBER((int)MTGPU_JOB_RENDER, 3);
NUMBER((int)MTGPU_JOB_COMPUTE, 4);
NUMBER((int)MTGPU_JOB_DMA, 5);
NUMBER((int)MTGPU_JOB_INVALID, 6);
NUMBER((int)MTGPU_DMA_ADDR_TYPE_USER_PTR, 0);
NUMBER((int)MTGPU_DMA_ADDR_TYPE_BO_HANDLE, 1);
NUMBER((int)MTGPU_SUBMISSION_NOP, 0);
NUMBER((int)MTGPU_SUBMISSION_GPU_NOP, 1);
NUMBER((int)MTGPU_SUBMISSION_GPU_TQ, 2);
NUMBER((int)MTGPU_SUBMISSION_GPU_CE, 3);
NUMBER((int)MTGPU_SUBMISSION_GPU_GFX, 4);
NUMBER((int)MTGPU_SUBMISSION_GPU_COMPUTE, 5);
NUMBER((int)MTGPU_SUBMISSION_GPU_COMPUTE_STREAM, 6);
NUMBER((int)MTGPU_SUBMISSION_GPU_UNIVERSAL, 7);
NUMBER((int)MTGPU_SUBMISSION_DMA, 8);
NUMBER((int)MTGPU_SUBMISSION_CODEC, 9);
NUMBER((int)MTGPU_SUBMISSION_INVALID, 10);
NUMBER((int)DRM_MTGPU_OBJECT_TYPE_FREE_LIST, 0);
NUMBER((int)DRM_MTGPU_OBJECT_TYPE_HWRT_DATASET, 1);
NUMBER((int)DRM_MTGPU_OBJECT_TYPE_RENDER_RESOURCE, 2);
NUMBER((int)DRM_MTGPU_OBJECT_TYPE_INVALID, 3);
NUMBER((int)DRM_MTGPU_SEMAPHORE_GPU_SIGNAL, 0);
NUMBER((int)DRM_MTGPU_SEMAPHORE_GPU_WAIT, 1);
NUMBER((int)DRM_MTGPU_CACHE_OP_LLC_PERSISTENCE_GET, 0);
NUMBER((int)DRM_MTGPU_CACHE_OP_LLC_PERSISTENCE_SET, 1);
NUMBER((int)DRM_MTGPU_CACHE_OP_LLC_PERSISTENCE_RESET, 2);
NUMBER((int)MTGPU_TL_STREAM_OPEN, 0);
NUMBER((int)MTGPU_TL_STREAM_CLOSE, 1);
NUMBER((int)MTGPU_TL_STREAM_DISCOVER, 2);
NUMBER((int)MTGPU_TL_DATA_ACQUIRE, 3);
NUMBER((int)MTGPU_TL_DATA_RELEASE, 4);
NUMBER((int)MTGPU_TL_CMD_INVALID, 5);
NUMBER((int)MTGPU_HWPERF_CTRL, 0);
NUMBER((int)MTGPU_HWPERF_GET_TIMESTAMPS, 1);
NUMBER((int)MTGPU_HWPERF_INVALID, 2);

NUMBER(DRM_IOCTL_MTGPU_DEVICE_INIT, 0xc0086450);
NUMBER(DRM_IOCTL_MTGPU_QUERY_INFO, 0xc0186451);
NUMBER(DRM_IOCTL_MTGPU_BO_CREATE, 0xc0286452);
NUMBER(DRM_IOCTL_MTGPU_BO_GET_MMAP_OFFSET, 0xc0106453);
NUMBER(DRM_IOCTL_MTGPU_BO_FROM_USERPTR, 0xc0206454);
NUMBER(DRM_IOCTL_MTGPU_BO_EXPORT_GLOBAL_HANDLE, 0xc0106455);
NUMBER(DRM_IOCTL_MTGPU_BO_IMPORT_GLOBAL_HANDLE, 0xc0186456);
NUMBER(DRM_IOCTL_MTGPU_VM_CONTEXT_CREATE, 0xc0086457);
NUMBER(DRM_IOCTL_MTGPU_VM_CONTEXT_DESTROY, 0xc0086458);
NUMBER(DRM_IOCTL_MTGPU_VM_MAP, 0xc0286459);
NUMBER(DRM_IOCTL_MTGPU_VM_UNMAP, 0xc010645a);
NUMBER(DRM_IOCTL_MTGPU_TIMELINE_CREATE, 0xc018645b);
NUMBER(DRM_IOCTL_MTGPU_TIMELINE_DESTROY, 0xc008645c);
NUMBER(DRM_IOCTL_MTGPU_TIMELINE_READ, 0xc010645d);
NUMBER(DRM_IOCTL_MTGPU_FENCE_WAIT, 0xc020645e);
NUMBER(DRM_IOCTL_MTGPU_FENCE_TO_FD, 0xc018645f);
NUMBER(DRM_IOCTL_MTGPU_SEMAPHORE_CREATE, 0xc0206460);
NUMBER(DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY, 0xc0086461);
NUMBER(DRM_IOCTL_MTGPU_SEMAPHORE_SUBMIT, 0xc0206462);
NUMBER(DRM_IOCTL_MTGPU_SEMAPHORE_CPU_SIGNAL, 0xc0186463);
NUMBER(DRM_IOCTL_MTGPU_SEMAPHORE_EXPORT_FD, 0xc0186464);
NUMBER(DRM_IOCTL_MTGPU_CONTEXT_CREATE, 0xc0286465);
NUMBER(DRM_IOCTL_MTGPU_CONTEXT_DESTROY, 0xc0106466);
NUMBER(DRM_IOCTL_MTGPU_JOB_SUBMIT, 0xc0906467);
NUMBER(DRM_IOCTL_MTGPU_DMA_TRANSFER, 0xc0306468);
NUMBER(DRM_IOCTL_MTGPU_OBJECT_CREATE, 0xc0186469);
NUMBER(DRM_IOCTL_MTGPU_OBJECT_DESTROY, 0xc010646a);
NUMBER(DRM_IOCTL_MTGPU_TRANSPORT_LAYER, 0xc020646b);
NUMBER(DRM_IOCTL_MTGPU_HWPERF, 0xc020646c);
NUMBER(DRM_IOCTL_MTGPU_CACHE_OP, 0xc018646d);
NUMBER(DRM_IOCTL_MTGPU_NOTIFY_QUEUE_UPDATE, 0xc010646e);
NUMBER(DRM_IOCTL_MTGPU_ALIGN_CHECK, 0xc010646f);
NUMBER(DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE, 0xc0186470);
NUMBER(DRM_IOCTL_MTGPU_JOB_CONTEXT_DESTROY, 0xc0086471);
NUMBER(DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, 0xc0486472);
NUMBER(DRM_IOCTL_MTGPU_JOB_APPEND, 0xc0106473);
NUMBER(DRM_IOCTL_MTGPU_CODEC_WAIT, 0xc0186474);
NUMBER(DRM_IOCTL_MTGPU_VERSION_CHECK, 0xc0206475);
NUMBER(DRM_IOCTL_MTGPU_SEMAPHORE_IMPORT_FD, 0xc0306476);
NUMBER(DRM_IOCTL_MTGPU_SEMAPHORE_WAIT, 0xc0186477);

SIZE(drm_mtgpu_device_init, 8);
FIELD(drm_mtgpu_device_init, ioctl_version, 0, 4);
FIELD(drm_mtgpu_device_init, pad, 4, 4);

SIZE(drm_mtgpu_heap_info, 160);
FIELD(drm_mtgpu_heap_info, id, 0, 4);
FIELD(drm_mtgpu_heap_info, name, 4, 128);
FIELD(drm_mtgpu_heap_info, base, 136, 8);
FIELD(drm_mtgpu_heap_info, length, 144, 8);
FIELD(drm_mtgpu_heap_info, log2_page_size, 152, 4);

SIZE(mtgpu_heap_detail_in, 4);
FIELD(mtgpu_heap_detail_in, index, 0, 4);

SIZE(mtgpu_heap_detail_out, 160);
FIELD(mtgpu_heap_detail_out, info, 0, 160);

SIZE(mtgpu_mem_info, 32);
FIELD(mtgpu_mem_info, system.total_size, 0, 8);
FIELD(mtgpu_mem_info, system.free_size, 8, 8);
FIELD(mtgpu_mem_info, vram.total_size, 16, 8);
FIELD(mtgpu_mem_info, vram.free_size, 24, 8);

SIZE(drm_mtgpu_device_info, 4);
FIELD(drm_mtgpu_device_info, device_id, 0, 4);

SIZE(mtgpu_bo_info_in, 8);
FIELD(mtgpu_bo_info_in, bo_handle, 0, 4);
FIELD(mtgpu_bo_info_in, pad, 4, 4);

SIZE(mtgpu_bo_info, 32);
FIELD(mtgpu_bo_info, size, 0, 8);
FIELD(mtgpu_bo_info, align, 8, 8);
FIELD(mtgpu_bo_info, flags, 16, 8);
FIELD(mtgpu_bo_info, domain, 24, 4);
FIELD(mtgpu_bo_info, segment_id, 28, 4);

SIZE(mtgpu_bo_info_out, 32);
FIELD(mtgpu_bo_info_out, info, 0, 32);

SIZE(mtgpu_dev_info, 40);
FIELD(mtgpu_dev_info, dev_id, 0, 4);
FIELD(mtgpu_dev_info, dev_status, 4, 4);
FIELD(mtgpu_dev_info, dev_clock_speed, 8, 4);
FIELD(mtgpu_dev_info, mem_clock_speed, 12, 4);
FIELD(mtgpu_dev_info, mem_max_clock_speed, 16, 4);
FIELD(mtgpu_dev_info, num_cores, 20, 4);
FIELD(mtgpu_dev_info, uuid, 24, 16);

SIZE(mtgpu_pci_info, 40);
FIELD(mtgpu_pci_info, domain_number, 0, 4);
FIELD(mtgpu_pci_info, bus_number, 4, 4);
FIELD(mtgpu_pci_info, device_number, 8, 4);
FIELD(mtgpu_pci_info, function_number, 12, 4);
FIELD(mtgpu_pci_info, current_gen_speed, 16, 4);
FIELD(mtgpu_pci_info, current_width, 20, 4);
FIELD(mtgpu_pci_info, numa_node_id, 24, 4);
FIELD(mtgpu_pci_info, total_pci_device_memory_accessible, 28, 4);
FIELD(mtgpu_pci_info, total_system_memory_accessible, 32, 4);
FIELD(mtgpu_pci_info, pad, 36, 4);

SIZE(mtgpu_platform_info, 8);
FIELD(mtgpu_platform_info, mtlink_enable, 0, 4);
FIELD(mtgpu_platform_info, iommu_enable, 4, 4);

SIZE(mtgpu_hw_capability, 8);

SIZE(drm_mtgpu_query_info, 24);
FIELD(drm_mtgpu_query_info, in.type, 0, 4);
FIELD(drm_mtgpu_query_info, in.pad, 4, 4);
FIELD(drm_mtgpu_query_info, in.data, 8, 8);
FIELD(drm_mtgpu_query_info, out.data, 16, 8);

SIZE(drm_mtgpu_bo_create, 40);
FIELD(drm_mtgpu_bo_create, in.size, 0, 8);
FIELD(drm_mtgpu_bo_create, in.align, 8, 8);
FIELD(drm_mtgpu_bo_create, in.flags, 16, 8);
FIELD(drm_mtgpu_bo_create, in.domains, 24, 4);
FIELD(drm_mtgpu_bo_create, in.group_id, 28, 4);
FIELD(drm_mtgpu_bo_create, out.bo_handle, 32, 4);
FIELD(drm_mtgpu_bo_create, out.pad, 36, 4);

SIZE(drm_mtgpu_bo_from_userptr, 32);
FIELD(drm_mtgpu_bo_from_userptr, in.userptr, 0, 8);
FIELD(drm_mtgpu_bo_from_userptr, in.size, 8, 8);
FIELD(drm_mtgpu_bo_from_userptr, in.flags, 16, 4);
FIELD(drm_mtgpu_bo_from_userptr, in.pad, 20, 4);
FIELD(drm_mtgpu_bo_from_userptr, out.bo_handle, 24, 4);
FIELD(drm_mtgpu_bo_from_userptr, out.pad, 28, 4);

SIZE(drm_mtgpu_bo_get_mmap_offset, 16);
FIELD(drm_mtgpu_bo_get_mmap_offset, in.bo_handle, 0, 4);
FIELD(drm_mtgpu_bo_get_mmap_offset, in.pad, 4, 4);
FIELD(drm_mtgpu_bo_get_mmap_offset, out.offset, 8, 8);

SIZE(drm_mtgpu_bo_global_handle_export, 16);
FIELD(drm_mtgpu_bo_global_handle_export, in.bo_handle, 0, 4);
FIELD(drm_mtgpu_bo_global_handle_export, in.pad, 4, 4);
FIELD(drm_mtgpu_bo_global_handle_export, out.global_handle, 8, 8);

SIZE(drm_mtgpu_bo_global_handle_import, 24);
FIELD(drm_mtgpu_bo_global_handle_import, in.global_handle, 0, 8);
FIELD(drm_mtgpu_bo_global_handle_import, out.size, 8, 8);
FIELD(drm_mtgpu_bo_global_handle_import, out.bo_handle, 16, 4);
FIELD(drm_mtgpu_bo_global_handle_import, out.pad, 20, 4);

SIZE(drm_mtgpu_vm_context_create, 8);
FIELD(drm_mtgpu_vm_context_create, vm_ctx_handle, 0, 8);

SIZE(drm_mtgpu_vm_context_destroy, 8);
FIELD(drm_mtgpu_vm_context_destroy, vm_ctx_handle, 0, 8);

SIZE(drm_mtgpu_vm_map, 40);
FIELD(drm_mtgpu_vm_map, vm_ctx_handle, 0, 8);
FIELD(drm_mtgpu_vm_map, va, 8, 8);
FIELD(drm_mtgpu_vm_map, mapping_flags, 16, 8);
FIELD(drm_mtgpu_vm_map, bo_handle, 24, 4);
FIELD(drm_mtgpu_vm_map, pad, 28, 4);
FIELD(drm_mtgpu_vm_map, size, 32, 8);

SIZE(drm_mtgpu_vm_unmap, 16);
FIELD(drm_mtgpu_vm_unmap, vm_ctx_handle, 0, 8);
FIELD(drm_mtgpu_vm_unmap, va, 8, 8);

SIZE(drm_mtgpu_timeline_create, 24);
FIELD(drm_mtgpu_timeline_create, out.timeline_handle, 0, 8);
FIELD(drm_mtgpu_timeline_create, out.timeline_bo_handle, 8, 8);
FIELD(drm_mtgpu_timeline_create, out.timeline_value_offset, 16, 8);

SIZE(drm_mtgpu_timeline_destroy, 8);
FIELD(drm_mtgpu_timeline_destroy, in.timeline_handle, 0, 8);

SIZE(drm_mtgpu_timeline_read, 16);
FIELD(drm_mtgpu_timeline_read, in.timeline_handle, 0, 8);
FIELD(drm_mtgpu_timeline_read, out.timeline_value, 8, 8);

SIZE(drm_mtgpu_fence, 16);
FIELD(drm_mtgpu_fence, timeline_handle, 0, 8);
FIELD(drm_mtgpu_fence, seqno, 8, 8);

SIZE(drm_mtgpu_fence_wait, 32);
FIELD(drm_mtgpu_fence_wait, in.fences, 0, 8);
FIELD(drm_mtgpu_fence_wait, in.seqno_count, 8, 4);
FIELD(drm_mtgpu_fence_wait, in.wait_all, 12, 4);
FIELD(drm_mtgpu_fence_wait, in.timeout_ns, 16, 8);
FIELD(drm_mtgpu_fence_wait, out.first_signaled, 24, 4);
FIELD(drm_mtgpu_fence_wait, out.pad, 28, 4);

SIZE(drm_mtgpu_context_create, 40);
FIELD(drm_mtgpu_context_create, in.type, 0, 4);
FIELD(drm_mtgpu_context_create, in.flags, 4, 4);
FIELD(drm_mtgpu_context_create, in.ccbsize, 8, 4);
FIELD(drm_mtgpu_context_create, in.priority, 12, 4);
FIELD(drm_mtgpu_context_create, in.vm_ctx_handle, 16, 8);
FIELD(drm_mtgpu_context_create, in.data, 24, 8);
FIELD(drm_mtgpu_context_create, out.ctx_handle, 32, 8);

SIZE(drm_mtgpu_context_destroy, 16);
FIELD(drm_mtgpu_context_destroy, type, 0, 4);
FIELD(drm_mtgpu_context_destroy, pad, 4, 4);
FIELD(drm_mtgpu_context_destroy, ctx_handle, 8, 8);

SIZE(drm_mtgpu_job_context_create, 24);
FIELD(drm_mtgpu_job_context_create, in.type, 0, 4);
FIELD(drm_mtgpu_job_context_create, in.priority, 4, 4);
FIELD(drm_mtgpu_job_context_create, in.vm_ctx_handle, 8, 8);
FIELD(drm_mtgpu_job_context_create, out.ctx_handle, 16, 8);

SIZE(drm_mtgpu_job_context_destroy, 8);
FIELD(drm_mtgpu_job_context_destroy, ctx_handle, 0, 8);

SIZE(drm_mtgpu_tq_context_data, 8);
FIELD(drm_mtgpu_tq_context_data, robustness_addr, 0, 8);

SIZE(drm_mtgpu_render_context_data, 16);
FIELD(drm_mtgpu_render_context_data, robustness_addr, 0, 8);
FIELD(drm_mtgpu_render_context_data, max_3d_deadline_ms, 8, 4);
FIELD(drm_mtgpu_render_context_data, max_ta_deadline_ms, 12, 4);

SIZE(drm_mtgpu_compute_context_data, 16);
FIELD(drm_mtgpu_compute_context_data, robustness_addr, 0, 8);
FIELD(drm_mtgpu_compute_context_data, max_deadline_ms, 8, 4);

SIZE(drm_mtgpu_ce_context_data, 24);
FIELD(drm_mtgpu_ce_context_data, framework_cmd, 0, 8);
FIELD(drm_mtgpu_ce_context_data, framework_cmd_size, 8, 4);
FIELD(drm_mtgpu_ce_context_data, robustness_addr, 16, 8);

SIZE(drm_mtgpu_dma_context_data, 8);
FIELD(drm_mtgpu_dma_context_data, robustness_addr, 0, 8);

SIZE(drm_mtgpu_compute_job_data, 8);
FIELD(drm_mtgpu_compute_job_data, num_of_workgroups, 0, 4);
FIELD(drm_mtgpu_compute_job_data, num_of_workitems, 4, 4);

SIZE(drm_mtgpu_tq_job_data, 8);
FIELD(drm_mtgpu_tq_job_data, characteristic1, 0, 4);
FIELD(drm_mtgpu_tq_job_data, characteristic2, 4, 4);

SIZE(drm_mtgpu_ce_job_data, 8);
FIELD(drm_mtgpu_ce_job_data, characteristic1, 0, 4);
FIELD(drm_mtgpu_ce_job_data, characteristic2, 4, 4);

SIZE(drm_mtgpu_dma_cmd, 48);
FIELD(drm_mtgpu_dma_cmd, src_type, 0, 4);
FIELD(drm_mtgpu_dma_cmd, dst_type, 4, 4);
FIELD(drm_mtgpu_dma_cmd, src_addr, 8, 8);
FIELD(drm_mtgpu_dma_cmd, dst_addr, 16, 8);
FIELD(drm_mtgpu_dma_cmd, src_offset, 24, 8);
FIELD(drm_mtgpu_dma_cmd, dst_offset, 32, 8);
FIELD(drm_mtgpu_dma_cmd, xfer_size, 40, 8);

SIZE(drm_mtgpu_codec_data, 24);
FIELD(drm_mtgpu_codec_data, type, 0, 4);
FIELD(drm_mtgpu_codec_data, length, 4, 4);
FIELD(drm_mtgpu_codec_data, pad0, 8, 4);
FIELD(drm_mtgpu_codec_data, pad1, 12, 4);
FIELD(drm_mtgpu_codec_data, data, 16, 8);

SIZE(drm_mtgpu_render_job_data, 128);
FIELD(drm_mtgpu_render_job_data, frag_check_semaphores, 0, 8);
FIELD(drm_mtgpu_render_job_data, frag_check_semaphore_count, 8, 4);
FIELD(drm_mtgpu_render_job_data, pad1, 12, 4);
FIELD(drm_mtgpu_render_job_data, frag_update_semaphores, 16, 8);
FIELD(drm_mtgpu_render_job_data, frag_update_semaphore_count, 24, 4);
FIELD(drm_mtgpu_render_job_data, pad2, 28, 4);
FIELD(drm_mtgpu_render_job_data, frag_foreign_fence_fd, 32, 4);
FIELD(drm_mtgpu_render_job_data, pad3, 36, 4);
FIELD(drm_mtgpu_render_job_data, frag_cmd_array, 40, 8);
FIELD(drm_mtgpu_render_job_data, frag_cmd_size, 48, 4);
FIELD(drm_mtgpu_render_job_data, frag_cmd_count, 52, 4);
FIELD(drm_mtgpu_render_job_data, frag_pr_cmd_array, 56, 8);
FIELD(drm_mtgpu_render_job_data, frag_pr_cmd_size, 64, 4);
FIELD(drm_mtgpu_render_job_data, pad4, 68, 4);
FIELD(drm_mtgpu_render_job_data, hwrt_dataset_handle, 72, 8);
FIELD(drm_mtgpu_render_job_data, msaa_scratch_buffer_handle, 80, 8);
FIELD(drm_mtgpu_render_job_data, zs_buffer_handle, 88, 8);
FIELD(drm_mtgpu_render_job_data, draw_calls_number, 96, 4);
FIELD(drm_mtgpu_render_job_data, indices_number, 100, 4);
FIELD(drm_mtgpu_render_job_data, mrts_number, 104, 4);
FIELD(drm_mtgpu_render_job_data, render_target_size, 108, 4);
FIELD(drm_mtgpu_render_job_data, kick_geom, 112, 4);
FIELD(drm_mtgpu_render_job_data, kick_pr, 116, 4);
FIELD(drm_mtgpu_render_job_data, kick_frag, 120, 4);
FIELD(drm_mtgpu_render_job_data, abort, 124, 4);

SIZE(drm_mtgpu_job_submit, 144);
FIELD(drm_mtgpu_job_submit, in.type, 0, 4);
FIELD(drm_mtgpu_job_submit, in.pad1, 4, 4);
FIELD(drm_mtgpu_job_submit, in.ctx_handle, 8, 8);
FIELD(drm_mtgpu_job_submit, in.check_semaphores, 16, 8);
FIELD(drm_mtgpu_job_submit, in.check_semaphore_count, 24, 4);
FIELD(drm_mtgpu_job_submit, in.pad2, 28, 4);
FIELD(drm_mtgpu_job_submit, in.update_semaphores, 32, 8);
FIELD(drm_mtgpu_job_submit, in.update_semaphore_count, 40, 4);
FIELD(drm_mtgpu_job_submit, in.pad3, 44, 4);
FIELD(drm_mtgpu_job_submit, in.check_fences, 48, 8);
FIELD(drm_mtgpu_job_submit, in.check_fence_count, 56, 4);
FIELD(drm_mtgpu_job_submit, in.foreign_fence_fd, 60, 4);
FIELD(drm_mtgpu_job_submit, in.sync_buf_fds, 64, 8);
FIELD(drm_mtgpu_job_submit, in.sync_buf_flags, 72, 8);
FIELD(drm_mtgpu_job_submit, in.sync_buf_count, 80, 4);
FIELD(drm_mtgpu_job_submit, in.pad4, 84, 4);
FIELD(drm_mtgpu_job_submit, in.update_fence, 88, 8);
FIELD(drm_mtgpu_job_submit, in.update_fence_name, 96, 8);
FIELD(drm_mtgpu_job_submit, in.dm_cmd_array, 104, 8);
FIELD(drm_mtgpu_job_submit, in.dm_cmd_size, 112, 4);
FIELD(drm_mtgpu_job_submit, in.dm_cmd_count, 116, 4);
FIELD(drm_mtgpu_job_submit, in.deadline_us, 120, 8);
FIELD(drm_mtgpu_job_submit, in.ext_job_ref, 128, 4);
FIELD(drm_mtgpu_job_submit, in.pdump_flags, 132, 4);
FIELD(drm_mtgpu_job_submit, in.data, 136, 8);

SIZE(drm_mtgpu_job_submit_v3, 72);
FIELD(drm_mtgpu_job_submit_v3, in.job_ctx_handle, 0, 8);
FIELD(drm_mtgpu_job_submit_v3, in.check_semaphores, 8, 8);
FIELD(drm_mtgpu_job_submit_v3, in.check_semaphore_count, 16, 4);
FIELD(drm_mtgpu_job_submit_v3, in.pad1, 20, 4);
FIELD(drm_mtgpu_job_submit_v3, in.update_semaphores, 24, 8);
FIELD(drm_mtgpu_job_submit_v3, in.update_semaphore_count, 32, 4);
FIELD(drm_mtgpu_job_submit_v3, in.pad2, 36, 4);
FIELD(drm_mtgpu_job_submit_v3, in.submission_va, 40, 8);
FIELD(drm_mtgpu_job_submit_v3, in.submission_size, 48, 4);
FIELD(drm_mtgpu_job_submit_v3, in.submission_flags, 52, 4);
FIELD(drm_mtgpu_job_submit_v3, in.submission_id, 56, 8);
FIELD(drm_mtgpu_job_submit_v3, out.data, 64, 8);

SIZE(drm_mtgpu_job_append, 16);
FIELD(drm_mtgpu_job_append, job_ctx_handle, 0, 8);
FIELD(drm_mtgpu_job_append, stream_uid, 8, 8);

SIZE(drm_mtgpu_dma_transfer, 48);
FIELD(drm_mtgpu_dma_transfer, in.bo_handle, 0, 4);
FIELD(drm_mtgpu_dma_transfer, in.transfer_flag, 4, 4);
FIELD(drm_mtgpu_dma_transfer, in.ext_handle, 8, 8);
FIELD(drm_mtgpu_dma_transfer, in.offset, 16, 8);
FIELD(drm_mtgpu_dma_transfer, in.ext_offset, 24, 8);
FIELD(drm_mtgpu_dma_transfer, in.size, 32, 8);
FIELD(drm_mtgpu_dma_transfer, in.fence_handle, 40, 8);

SIZE(drm_mtgpu_object_destroy, 16);
FIELD(drm_mtgpu_object_destroy, type, 0, 4);
FIELD(drm_mtgpu_object_destroy, pad, 4, 4);
FIELD(drm_mtgpu_object_destroy, handle, 8, 8);

SIZE(drm_mtgpu_hwrt_dataset_create_args, 136);
FIELD(drm_mtgpu_hwrt_dataset_create_args, pm_data_va_array_mcg, 0, 8);
FIELD(drm_mtgpu_hwrt_dataset_create_args, tail_ptr_va_array_mcg, 8, 8);
FIELD(drm_mtgpu_hwrt_dataset_create_args, vheap_table_va, 16, 8);
FIELD(drm_mtgpu_hwrt_dataset_create_args, ppp_multi_sample_ctl, 24, 8);
FIELD(drm_mtgpu_hwrt_dataset_create_args, pm_data_va_array, 32, 8);
FIELD(drm_mtgpu_hwrt_dataset_create_args, pm_secure_data_va_array, 40, 8);
FIELD(drm_mtgpu_hwrt_dataset_create_args, tail_ptr_va_array, 48, 8);
FIELD(drm_mtgpu_hwrt_dataset_create_args, free_list_handles, 56, 8);
FIELD(drm_mtgpu_hwrt_dataset_create_args, free_lists_count, 64, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, mcg_core_num, 68, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, isp_merge_lower_x, 72, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, isp_merge_lower_y, 76, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, isp_merge_scale_x, 80, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, isp_merge_scale_y, 84, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, isp_merge_upper_x, 88, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, isp_merge_upper_y, 92, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, ppp_screen, 96, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, rgn_stride, 100, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, teaa, 104, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, temtile1, 108, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, temtile2, 112, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, te_screen, 116, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, tpc_size, 120, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, tpc_stride, 124, 4);
FIELD(drm_mtgpu_hwrt_dataset_create_args, max_rts, 128, 2);

SIZE(drm_mtgpu_free_list_create_args, 88);
FIELD(drm_mtgpu_free_list_create_args, free_list_base_dev_vaddr, 0, 8);
FIELD(drm_mtgpu_free_list_create_args, free_list_state_dev_vaddr, 8, 8);
FIELD(drm_mtgpu_free_list_create_args, mem_ctx_handle, 16, 8);
FIELD(drm_mtgpu_free_list_create_args, free_list_bo_handle, 24, 8);
FIELD(drm_mtgpu_free_list_create_args, free_list_bo_offset, 32, 8);
FIELD(drm_mtgpu_free_list_create_args, free_list_state_bo_handle, 40, 8);
FIELD(drm_mtgpu_free_list_create_args, free_list_state_bo_offset, 48, 8);
FIELD(drm_mtgpu_free_list_create_args, global_free_list_handle, 56, 8);
FIELD(drm_mtgpu_free_list_create_args, enable_check_sum, 64, 4);
FIELD(drm_mtgpu_free_list_create_args, grow_num_pages, 68, 4);
FIELD(drm_mtgpu_free_list_create_args, grow_threshold, 72, 4);
FIELD(drm_mtgpu_free_list_create_args, initial_num_pages, 76, 4);
FIELD(drm_mtgpu_free_list_create_args, max_num_pages, 80, 4);

SIZE(drm_mtgpu_render_resource_create_args, 16);
FIELD(drm_mtgpu_render_resource_create_args, mcg_core_num, 0, 4);
FIELD(drm_mtgpu_render_resource_create_args, free_list_count, 4, 4);
FIELD(drm_mtgpu_render_resource_create_args, free_list_create_args, 8, 8);

SIZE(drm_mtgpu_object_create, 24);
FIELD(drm_mtgpu_object_create, in.type, 0, 4);
FIELD(drm_mtgpu_object_create, in.pad, 4, 4);
FIELD(drm_mtgpu_object_create, in.data, 8, 8);
FIELD(drm_mtgpu_object_create, out.handles, 16, 8);

SIZE(drm_mtgpu_fence_to_fd, 24);
FIELD(drm_mtgpu_fence_to_fd, in.fence, 0, 16);
FIELD(drm_mtgpu_fence_to_fd, out.fd, 16, 4);
FIELD(drm_mtgpu_fence_to_fd, out.pad, 20, 4);

SIZE(drm_mtgpu_semaphore, 16);
FIELD(drm_mtgpu_semaphore, handle, 0, 8);
FIELD(drm_mtgpu_semaphore, value, 8, 8);

SIZE(drm_mtgpu_semaphore_create, 32);
FIELD(drm_mtgpu_semaphore_create, out.handle, 0, 8);
FIELD(drm_mtgpu_semaphore_create, out.bo_handle, 8, 8);
FIELD(drm_mtgpu_semaphore_create, out.value_offset, 16, 8);
FIELD(drm_mtgpu_semaphore_create, out.gpu_address, 24, 8);

SIZE(drm_mtgpu_semaphore_destroy, 8);
FIELD(drm_mtgpu_semaphore_destroy, handle, 0, 8);

SIZE(drm_mtgpu_semaphore_submit, 32);
FIELD(drm_mtgpu_semaphore_submit, ctx_handle, 0, 8);
FIELD(drm_mtgpu_semaphore_submit, job_type, 8, 4);
FIELD(drm_mtgpu_semaphore_submit, sem_type, 12, 4);
FIELD(drm_mtgpu_semaphore_submit, semaphore, 16, 16);

SIZE(drm_mtgpu_semaphore_cpu_signal, 24);
FIELD(drm_mtgpu_semaphore_cpu_signal, vm_ctx_handle, 0, 8);
FIELD(drm_mtgpu_semaphore_cpu_signal, semaphore, 8, 16);

SIZE(drm_mtgpu_semaphore_export_fd, 24);
FIELD(drm_mtgpu_semaphore_export_fd, in.semaphore, 0, 16);
FIELD(drm_mtgpu_semaphore_export_fd, out.fd, 16, 4);
FIELD(drm_mtgpu_semaphore_export_fd, out.pad, 20, 4);

SIZE(drm_mtgpu_semaphore_import_fd, 48);
FIELD(drm_mtgpu_semaphore_import_fd, in.fd, 0, 4);
FIELD(drm_mtgpu_semaphore_import_fd, in.pad, 4, 4);
FIELD(drm_mtgpu_semaphore_import_fd, in.vm_ctx_handle, 8, 8);
FIELD(drm_mtgpu_semaphore_import_fd, out.semaphore, 16, 16);
FIELD(drm_mtgpu_semaphore_import_fd, out.bo_handle, 32, 8);
FIELD(drm_mtgpu_semaphore_import_fd, out.value_offset, 40, 8);

SIZE(drm_mtgpu_semaphore_wait, 24);
FIELD(drm_mtgpu_semaphore_wait, in.semaphores, 0, 8);
FIELD(drm_mtgpu_semaphore_wait, in.count, 8, 4);
FIELD(drm_mtgpu_semaphore_wait, in.pad, 12, 4);
FIELD(drm_mtgpu_semaphore_wait, in.timeout_ns, 16, 8);

SIZE(drm_mtgpu_llc_persistence_in, 16);
FIELD(drm_mtgpu_llc_persistence_in, replace_mode, 0, 4);
FIELD(drm_mtgpu_llc_persistence_in, max_set_aside_size, 8, 8);

SIZE(drm_mtgpu_llc_persistence_out, 8);
FIELD(drm_mtgpu_llc_persistence_out, llc_size, 0, 4);
FIELD(drm_mtgpu_llc_persistence_out, max_llc_persisting_size, 4, 4);

SIZE(drm_mtgpu_cache_op, 24);
FIELD(drm_mtgpu_cache_op, in.type, 0, 4);
FIELD(drm_mtgpu_cache_op, in.pad, 4, 4);
FIELD(drm_mtgpu_cache_op, in.data, 8, 8);
FIELD(drm_mtgpu_cache_op, out.data, 16, 8);

SIZE(drm_mtgpu_transport_layer, 32);
FIELD(drm_mtgpu_transport_layer, in.type, 0, 4);
FIELD(drm_mtgpu_transport_layer, in.pad, 4, 4);
FIELD(drm_mtgpu_transport_layer, in.sd_handle, 8, 8);
FIELD(drm_mtgpu_transport_layer, in.data, 16, 8);
FIELD(drm_mtgpu_transport_layer, out.data, 24, 8);

SIZE(drm_mtgpu_stream_open_data_in, 16);
FIELD(drm_mtgpu_stream_open_data_in, name, 0, 8);
FIELD(drm_mtgpu_stream_open_data_in, mode, 8, 4);

SIZE(drm_mtgpu_stream_open_data_out, 32);
FIELD(drm_mtgpu_stream_open_data_out, sd_handle, 0, 8);
FIELD(drm_mtgpu_stream_open_data_out, bo_handle, 8, 8);
FIELD(drm_mtgpu_stream_open_data_out, bo_size, 16, 8);
FIELD(drm_mtgpu_stream_open_data_out, multi_readers_allowed, 24, 4);
FIELD(drm_mtgpu_stream_open_data_out, read_offset, 28, 4);

SIZE(drm_mtgpu_discover_stream_data_in, 16);
FIELD(drm_mtgpu_discover_stream_data_in, pattern_name, 0, 8);
FIELD(drm_mtgpu_discover_stream_data_in, size, 8, 4);

SIZE(drm_mtgpu_discover_stream_data_out, 16);
FIELD(drm_mtgpu_discover_stream_data_out, found_count, 0, 4);
FIELD(drm_mtgpu_discover_stream_data_out, stream_name, 8, 8);

SIZE(drm_mtgpu_acquire_data_in, 4);
FIELD(drm_mtgpu_acquire_data_in, read_offset, 0, 4);

SIZE(drm_mtgpu_acquire_data_out, 8);
FIELD(drm_mtgpu_acquire_data_out, read_len, 0, 4);
FIELD(drm_mtgpu_acquire_data_out, read_offset, 4, 4);

SIZE(drm_mtgpu_release_data_in, 8);
FIELD(drm_mtgpu_release_data_in, read_len, 0, 4);
FIELD(drm_mtgpu_release_data_in, read_offset, 4, 4);

SIZE(drm_mtgpu_stream_close_data_in, 4);
FIELD(drm_mtgpu_stream_close_data_in, bo_handle, 0, 4);

SIZE(drm_mtgpu_hwperf, 32);
FIELD(drm_mtgpu_hwperf, in.type, 0, 4);
FIELD(drm_mtgpu_hwperf, in.toggle, 4, 4);
FIELD(drm_mtgpu_hwperf, in.stream_id, 8, 4);
FIELD(drm_mtgpu_hwperf, in.pad, 12, 4);
FIELD(drm_mtgpu_hwperf, in.mask, 16, 8);
FIELD(drm_mtgpu_hwperf, out.data, 24, 8);

SIZE(mtgpu_hwperf_timestamps, 16);
FIELD(mtgpu_hwperf_timestamps, soc_timestamp, 0, 8);
FIELD(mtgpu_hwperf_timestamps, os_timestamp, 8, 8);

SIZE(drm_mtgpu_notify_queue_update, 16);
FIELD(drm_mtgpu_notify_queue_update, type, 0, 4);
FIELD(drm_mtgpu_notify_queue_update, pad, 4, 4);
FIELD(drm_mtgpu_notify_queue_update, ctx_handle, 8, 8);

SIZE(drm_mtgpu_codec_wait, 24);
FIELD(drm_mtgpu_codec_wait, bo_handle, 0, 8);
FIELD(drm_mtgpu_codec_wait, offset, 8, 4);
FIELD(drm_mtgpu_codec_wait, flag, 12, 4);
FIELD(drm_mtgpu_codec_wait, timeout_ns, 16, 8);

SIZE(drm_mtgpu_align_check, 16);
FIELD(drm_mtgpu_align_check, check_data, 0, 8);
FIELD(drm_mtgpu_align_check, check_size, 8, 4);
FIELD(drm_mtgpu_align_check, pad, 12, 4);

SIZE(drm_mtgpu_version_check, 32);
FIELD(drm_mtgpu_version_check, in.api_major_version, 0, 4);
FIELD(drm_mtgpu_version_check, in.check_api_count, 4, 4);
FIELD(drm_mtgpu_version_check, in.check_data, 8, 8);
FIELD(drm_mtgpu_version_check, out.result_data, 16, 8);
FIELD(drm_mtgpu_version_check, out.supported_api_count, 24, 4);
FIELD(drm_mtgpu_version_check, out.pad, 28, 4);

SIZE(mtgpu_api_version, 72);
FIELD(mtgpu_api_version, name, 0, 64);
FIELD(mtgpu_api_version, version_range, 64, 8);

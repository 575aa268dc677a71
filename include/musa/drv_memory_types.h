/* SPDX-License-Identifier: MIT */
/* Memory, copy, array and pool types of the driver API. */
#ifndef __MUSA_DRV_MEMORY_TYPES_H__
#define __MUSA_DRV_MEMORY_TYPES_H__

#include "drv_base_types.h"

#define MU_MEMHOSTALLOC_PORTABLE 0x01
#define MU_MEMHOSTALLOC_DEVICEMAP 0x02
#define MU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define MU_MEMHOSTREGISTER_PORTABLE 0x01
#define MU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define MU_MEMHOSTREGISTER_IOMEMORY 0x04
#define MU_MEMHOSTREGISTER_READ_ONLY 0x08
#define MU_MEM_CREATE_USAGE_TILE_POOL 0x1

#define MUSA_ARRAY3D_LAYERED 0x01
#define MUSA_ARRAY3D_2DARRAY 0x01
#define MUSA_ARRAY3D_SURFACE_LDST 0x02
#define MUSA_ARRAY3D_CUBEMAP 0x04
#define MUSA_ARRAY3D_TEXTURE_GATHER 0x08
#define MUSA_ARRAY3D_DEPTH_TEXTURE 0x10
#define MUSA_ARRAY3D_COLOR_ATTACHMENT 0x20
#define MUSA_ARRAY3D_SPARSE 0x40
#define MUSA_ARRAY3D_DEFERRED_MAPPING 0x80

enum MUmemAttach_flags_enum {
	MU_MEM_ATTACH_GLOBAL = 1,
	MU_MEM_ATTACH_HOST = 2,
	MU_MEM_ATTACH_SINGLE = 4,
};
typedef enum MUmemAttach_flags_enum MUmemAttach_flags;

/* What a channel of an array element holds. */
enum MUarray_format_enum {
	MU_AD_FORMAT_UNSIGNED_INT8 = 1,
	MU_AD_FORMAT_UNSIGNED_INT16 = 2,
	MU_AD_FORMAT_UNSIGNED_INT32 = 3,
	MU_AD_FORMAT_SIGNED_INT8 = 8,
	MU_AD_FORMAT_SIGNED_INT16 = 9,
	MU_AD_FORMAT_SIGNED_INT32 = 10,
	MU_AD_FORMAT_HALF = 16,
	MU_AD_FORMAT_FLOAT = 32,
	MU_AD_FORMAT_NV12 = 176,
	MU_AD_FORMAT_UNORM_INT8X1 = 192,
	MU_AD_FORMAT_UNORM_INT8X2 = 193,
	MU_AD_FORMAT_UNORM_INT8X4 = 194,
	MU_AD_FORMAT_UNORM_INT16X1 = 195,
	MU_AD_FORMAT_UNORM_INT16X2 = 196,
	MU_AD_FORMAT_UNORM_INT16X4 = 197,
	MU_AD_FORMAT_SNORM_INT8X1 = 198,
	MU_AD_FORMAT_SNORM_INT8X2 = 199,
	MU_AD_FORMAT_SNORM_INT8X4 = 200,
	MU_AD_FORMAT_SNORM_INT16X1 = 201,
	MU_AD_FORMAT_SNORM_INT16X2 = 202,
	MU_AD_FORMAT_SNORM_INT16X4 = 203,
};
typedef enum MUarray_format_enum MUarray_format;

/* One property of an address. */
enum MUpointer_attribute_enum {
	MU_POINTER_ATTRIBUTE_CONTEXT = 1,
	MU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
	MU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
	MU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
	MU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
	MU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
	MU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
	MU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
	MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
	MU_POINTER_ATTRIBUTE_IS_LEGACY_MUSA_IPC_CAPABLE = 10,
	MU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
	MU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
	MU_POINTER_ATTRIBUTE_MAPPED = 13,
	MU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14,
	MU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15,
	MU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,
	MU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17,
	MU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18,
	MU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19,
	MU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID = 20,
	MU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE = 21,
};
typedef enum MUpointer_attribute_enum MUpointer_attribute;

enum MUmemRangeHandleType_enum {
	MU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 1,
	MU_MEM_RANGE_HANDLE_TYPE_MAX = 2147483647,
};
typedef enum MUmemRangeHandleType_enum MUmemRangeHandleType;

/* Which member of a copy names the memory. */
enum MUmemorytype_enum {
	MU_MEMORYTYPE_HOST = 1,
	MU_MEMORYTYPE_DEVICE = 2,
	MU_MEMORYTYPE_ARRAY = 3,
	MU_MEMORYTYPE_UNIFIED = 4,
};
typedef enum MUmemorytype_enum MUmemorytype;

enum MUmem_advise_enum {
	MU_MEM_ADVISE_SET_READ_MOSTLY = 1,
	MU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
	MU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
	MU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
	MU_MEM_ADVISE_SET_ACCESSED_BY = 5,
	MU_MEM_ADVISE_UNSET_ACCESSED_BY = 6,
};
typedef enum MUmem_advise_enum MUmem_advise;

enum MUmem_range_attribute_enum {
	MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
	MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
	MU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
	MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4,
	MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5,
	MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6,
	MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
	MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8,
};
typedef enum MUmem_range_attribute_enum MUmem_range_attribute;

enum MUSA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum {
	MU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE = 0,
	MU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ = 1,
	MU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE = 3,
};
typedef enum MUSA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum MUSA_POINTER_ATTRIBUTE_ACCESS_FLAGS;

enum MUexternalMemoryHandleType_enum {
	MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD = 1,
	MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 = 2,
	MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
	MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP = 4,
	MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE = 5,
	MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE = 6,
	MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT = 7,
	MU_EXTERNAL_MEMORY_HANDLE_TYPE_MTSCIBUF = 8,
};
typedef enum MUexternalMemoryHandleType_enum MUexternalMemoryHandleType;

enum MUexternalSemaphoreHandleType_enum {
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD = 1,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32 = 2,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE = 4,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE = 5,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_MTSCISYNC = 6,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX = 7,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT = 8,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD = 9,
	MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32 = 10,
};
typedef enum MUexternalSemaphoreHandleType_enum MUexternalSemaphoreHandleType;

enum MUmemAllocationHandleType_enum {
	MU_MEM_HANDLE_TYPE_NONE = 0,
	MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
	MU_MEM_HANDLE_TYPE_WIN32 = 2,
	MU_MEM_HANDLE_TYPE_WIN32_KMT = 4,
	MU_MEM_HANDLE_TYPE_MAX = 2147483647,
	MU_MEM_HANDLE_TYPE_FABRIC = 8,
};
typedef enum MUmemAllocationHandleType_enum MUmemAllocationHandleType;

enum MUmemAccess_flags_enum {
	MU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
	MU_MEM_ACCESS_FLAGS_PROT_READ = 1,
	MU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
	MU_MEM_ACCESS_FLAGS_PROT_MAX = 2147483647,
};
typedef enum MUmemAccess_flags_enum MUmemAccess_flags;

enum MUmemLocationType_enum {
	MU_MEM_LOCATION_TYPE_INVALID = 0,
	MU_MEM_LOCATION_TYPE_DEVICE = 1,
	MU_MEM_LOCATION_TYPE_MAX = 2147483647,
	MU_MEM_LOCATION_TYPE_HOST = 2,
	MU_MEM_LOCATION_TYPE_HOST_NUMA = 3,
	MU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 4,
};
typedef enum MUmemLocationType_enum MUmemLocationType;

enum MUmemAllocationType_enum {
	MU_MEM_ALLOCATION_TYPE_INVALID = 0,
	MU_MEM_ALLOCATION_TYPE_PINNED = 1,
	MU_MEM_ALLOCATION_TYPE_MAX = 2147483647,
};
typedef enum MUmemAllocationType_enum MUmemAllocationType;

enum MUmemAllocationGranularity_flags_enum {
	MU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
	MU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
};
typedef enum MUmemAllocationGranularity_flags_enum MUmemAllocationGranularity_flags;

enum MUmemOperationType_enum {
	MU_MEM_OPERATION_TYPE_MAP = 1,
	MU_MEM_OPERATION_TYPE_UNMAP = 2,
};
typedef enum MUmemOperationType_enum MUmemOperationType;

enum MUmemHandleType_enum {
	MU_MEM_HANDLE_TYPE_GENERIC = 0,
};
typedef enum MUmemHandleType_enum MUmemHandleType;

enum MUmemAllocationCompType_enum {
	MU_MEM_ALLOCATION_COMP_NONE = 0,
	MU_MEM_ALLOCATION_COMP_GENERIC = 1,
};
typedef enum MUmemAllocationCompType_enum MUmemAllocationCompType;

enum MUmemPool_attribute_enum {
	MU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
	MU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,
	MU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
	MU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
	MU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
	MU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
	MU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
	MU_MEMPOOL_ATTR_USED_MEM_HIGH = 8,
};
typedef enum MUmemPool_attribute_enum MUmemPool_attribute;

/* A copy of rows. Positions, pitches and widths in bytes. */
struct MUSA_MEMCPY2D_st {
	size_t srcXInBytes;
	size_t srcY;
	MUmemorytype srcMemoryType;
	const void *srcHost;
	MUdeviceptr srcDevice;
	MUarray srcArray;
	size_t srcPitch;
	size_t dstXInBytes;
	size_t dstY;
	MUmemorytype dstMemoryType;
	void *dstHost;
	MUdeviceptr dstDevice;
	MUarray dstArray;
	size_t dstPitch;
	size_t WidthInBytes;
	size_t Height;
};
typedef struct MUSA_MEMCPY2D_st MUSA_MEMCPY2D_v2;
typedef MUSA_MEMCPY2D_v2 MUSA_MEMCPY2D;

/* A copy of a box. Positions, pitches and widths in bytes; heights in rows. */
struct MUSA_MEMCPY3D_st {
	size_t srcXInBytes;
	size_t srcY;
	size_t srcZ;
	size_t srcLOD;
	MUmemorytype srcMemoryType;
	const void *srcHost;
	MUdeviceptr srcDevice;
	MUarray srcArray;
	void *reserved0;
	size_t srcPitch;
	size_t srcHeight;
	size_t dstXInBytes;
	size_t dstY;
	size_t dstZ;
	size_t dstLOD;
	MUmemorytype dstMemoryType;
	void *dstHost;
	MUdeviceptr dstDevice;
	MUarray dstArray;
	void *reserved1;
	size_t dstPitch;
	size_t dstHeight;
	size_t WidthInBytes;
	size_t Height;
	size_t Depth;
};
typedef struct MUSA_MEMCPY3D_st MUSA_MEMCPY3D_v2;
typedef MUSA_MEMCPY3D_v2 MUSA_MEMCPY3D;

/* A copy of a box from context to context. */
struct MUSA_MEMCPY3D_PEER_st {
	size_t srcXInBytes;
	size_t srcY;
	size_t srcZ;
	size_t srcLOD;
	MUmemorytype srcMemoryType;
	const void *srcHost;
	MUdeviceptr srcDevice;
	MUarray srcArray;
	MUcontext srcContext;
	size_t srcPitch;
	size_t srcHeight;
	size_t dstXInBytes;
	size_t dstY;
	size_t dstZ;
	size_t dstLOD;
	MUmemorytype dstMemoryType;
	void *dstHost;
	MUdeviceptr dstDevice;
	MUarray dstArray;
	MUcontext dstContext;
	size_t dstPitch;
	size_t dstHeight;
	size_t WidthInBytes;
	size_t Height;
	size_t Depth;
};
typedef struct MUSA_MEMCPY3D_PEER_st MUSA_MEMCPY3D_PEER_v1;
typedef MUSA_MEMCPY3D_PEER_v1 MUSA_MEMCPY3D_PEER;

/* An array of one or two dimensions. Sizes in elements. */
struct MUSA_ARRAY_DESCRIPTOR_st {
	size_t Width;
	size_t Height;
	MUarray_format Format;
	unsigned int NumChannels;
};
typedef struct MUSA_ARRAY_DESCRIPTOR_st MUSA_ARRAY_DESCRIPTOR_v2;
typedef MUSA_ARRAY_DESCRIPTOR_v2 MUSA_ARRAY_DESCRIPTOR;

/* An array of one to three dimensions. Sizes in elements. */
struct MUSA_ARRAY3D_DESCRIPTOR_st {
	size_t Width;
	size_t Height;
	size_t Depth;
	MUarray_format Format;
	unsigned int NumChannels;
	unsigned int Flags;
};
typedef struct MUSA_ARRAY3D_DESCRIPTOR_st MUSA_ARRAY3D_DESCRIPTOR_v2;
typedef MUSA_ARRAY3D_DESCRIPTOR_v2 MUSA_ARRAY3D_DESCRIPTOR;

struct MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
	unsigned long long p2pToken;
	unsigned int vaSpaceToken;
};
typedef struct MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_st MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;
typedef MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 MUSA_POINTER_ATTRIBUTE_P2P_TOKENS;

/* Where memory is or may be used from. */
struct MUmemLocation_st {
	MUmemLocationType type;
	int id;	/* device ordinal or NUMA node */
};
typedef struct MUmemLocation_st MUmemLocation_v1;
typedef MUmemLocation_v1 MUmemLocation;

/* Properties of memory without an address. */
struct MUmemAllocationProp_st {
	MUmemAllocationType type;
	MUmemAllocationHandleType requestedHandleTypes;
	MUmemLocation location;
	void *win32HandleMetaData;
	struct {
		unsigned char compressionType;
		unsigned char gpuDirectRDMACapable;
		unsigned short usage;
		unsigned char reserved[4];
	} allocFlags;
};
typedef struct MUmemAllocationProp_st MUmemAllocationProp_v1;
typedef MUmemAllocationProp_v1 MUmemAllocationProp;

/* Who may use memory, and how. */
struct MUmemAccessDesc_st {
	MUmemLocation location;
	MUmemAccess_flags flags;
};
typedef struct MUmemAccessDesc_st MUmemAccessDesc_v1;
typedef MUmemAccessDesc_v1 MUmemAccessDesc;

/* Properties of a pool. */
struct MUmemPoolProps_st {
	MUmemAllocationType allocType;
	MUmemAllocationHandleType handleTypes;
	MUmemLocation location;
	void *win32SecurityAttributes;
	unsigned char reserved[64];	/* must be 0 */
};
typedef struct MUmemPoolProps_st MUmemPoolProps_v1;
typedef MUmemPoolProps_v1 MUmemPoolProps;

struct MUmemPoolPtrExportData_st {
	unsigned char reserved[64];
};
typedef struct MUmemPoolPtrExportData_st MUmemPoolPtrExportData_v1;
typedef MUmemPoolPtrExportData_v1 MUmemPoolPtrExportData;

#endif /* __MUSA_DRV_MEMORY_TYPES_H__ */

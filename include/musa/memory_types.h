/* SPDX-License-Identifier: MIT */
/* Memory, copy, array and pool types of the runtime API. */
#ifndef __MUSA_MEMORY_TYPES_H__
#define __MUSA_MEMORY_TYPES_H__

#include <stddef.h>

#include "handles.h"

struct musaArray;
struct musaMipmappedArray;
typedef struct musaArray *musaArray_t;
typedef const struct musaArray *musaArray_const_t;
typedef struct musaMipmappedArray *musaMipmappedArray_t;
typedef const struct musaMipmappedArray *musaMipmappedArray_const_t;
typedef struct MUmemPoolHandle_st *musaMemPool_t;

#define musaArrayColorAttachment 0x20
#define musaArrayCubemap 0x04
#define musaArrayDefault 0x00
#define musaArrayDeferredMapping 0x80
#define musaArrayLayered 0x01
#define musaArraySparse 0x40
#define musaArraySparsePropertiesSingleMipTail 0x1
#define musaArraySurfaceLoadStore 0x02
#define musaArrayTextureGather 0x08
#define musaHostAllocDefault 0x00
#define musaHostAllocMapped 0x02
#define musaHostAllocPortable 0x01
#define musaHostAllocWriteCombined 0x04
#define musaHostRegisterDefault 0x00
#define musaHostRegisterIoMemory 0x04
#define musaHostRegisterMapped 0x02
#define musaHostRegisterPortable 0x01
#define musaHostRegisterReadOnly 0x08
#define musaMemAttachGlobal 0x01
#define musaMemAttachHost 0x02
#define musaMemAttachSingle 0x04
#define musaMemPoolCreateUsageHwDecompress 0x2

/* From where to where; Default lets the pointers decide. */
enum musaMemcpyKind {
	musaMemcpyHostToHost = 0,
	musaMemcpyHostToDevice = 1,
	musaMemcpyDeviceToHost = 2,
	musaMemcpyDeviceToDevice = 3,
	musaMemcpyDefault = 4,
};
typedef enum musaMemcpyKind musaMemcpyKind;

/* What an address belongs to. */
enum musaMemoryType {
	musaMemoryTypeUnregistered = 0,
	musaMemoryTypeHost = 1,
	musaMemoryTypeDevice = 2,
	musaMemoryTypeManaged = 3,
};
typedef enum musaMemoryType musaMemoryType;

/* How managed memory will be used. */
enum musaMemoryAdvise {
	musaMemAdviseSetReadMostly = 1,
	musaMemAdviseUnsetReadMostly = 2,
	musaMemAdviseSetPreferredLocation = 3,
	musaMemAdviseUnsetPreferredLocation = 4,
	musaMemAdviseSetAccessedBy = 5,
	musaMemAdviseUnsetAccessedBy = 6,
};
typedef enum musaMemoryAdvise musaMemoryAdvise;

/* Advice that can be asked for. */
enum musaMemRangeAttribute {
	musaMemRangeAttributeReadMostly = 1,
	musaMemRangeAttributePreferredLocation = 2,
	musaMemRangeAttributeAccessedBy = 3,
	musaMemRangeAttributeLastPrefetchLocation = 4,
	musaMemRangeAttributePreferredLocationType = 5,
	musaMemRangeAttributePreferredLocationId = 6,
	musaMemRangeAttributeLastPrefetchLocationType = 7,
	musaMemRangeAttributeLastPrefetchLocationId = 8,
};
typedef enum musaMemRangeAttribute musaMemRangeAttribute;

/* Attributes of a pool: int for the reuse policies, else 64-bit numbers of bytes. */
enum musaMemPoolAttr {
	musaMemPoolReuseFollowEventDependencies = 1,
	musaMemPoolReuseAllowOpportunistic = 2,
	musaMemPoolReuseAllowInternalDependencies = 3,
	musaMemPoolAttrReleaseThreshold = 4,
	musaMemPoolAttrReservedMemCurrent = 5,
	musaMemPoolAttrReservedMemHigh = 6,
	musaMemPoolAttrUsedMemCurrent = 7,
	musaMemPoolAttrUsedMemHigh = 8,
};
typedef enum musaMemPoolAttr musaMemPoolAttr;

/* What the id of a location counts. */
enum musaMemLocationType {
	musaMemLocationTypeInvalid = 0,
	musaMemLocationTypeDevice = 1,
	musaMemLocationTypeHost = 2,
	musaMemLocationTypeHostNuma = 3,
	musaMemLocationTypeHostNumaCurrent = 4,
};
typedef enum musaMemLocationType musaMemLocationType;

/* What a device may do with memory. */
enum musaMemAccessFlags {
	musaMemAccessFlagsProtNone = 0,
	musaMemAccessFlagsProtRead = 1,
	musaMemAccessFlagsProtReadWrite = 3,
};
typedef enum musaMemAccessFlags musaMemAccessFlags;

/* Kind of memory in a pool. */
enum musaMemAllocationType {
	musaMemAllocationTypeInvalid = 0,
	musaMemAllocationTypePinned = 1,
	musaMemAllocationTypeMax = 2147483647,
};
typedef enum musaMemAllocationType musaMemAllocationType;

/* How memory can be passed to another process; bits. */
enum musaMemAllocationHandleType {
	musaMemHandleTypeNone = 0,
	musaMemHandleTypePosixFileDescriptor = 1,
	musaMemHandleTypeWin32 = 2,
	musaMemHandleTypeWin32Kmt = 4,
	musaMemHandleTypeFabric = 8,
};
typedef enum musaMemAllocationHandleType musaMemAllocationHandleType;

/* What a channel of an array element holds. */
enum musaChannelFormatKind {
	musaChannelFormatKindSigned = 0,
	musaChannelFormatKindUnsigned = 1,
	musaChannelFormatKindFloat = 2,
	musaChannelFormatKindNone = 3,
	musaChannelFormatKindNV12 = 4,
	musaChannelFormatKindUnsignedNormalized8X1 = 5,
	musaChannelFormatKindUnsignedNormalized8X2 = 6,
	musaChannelFormatKindUnsignedNormalized8X4 = 7,
	musaChannelFormatKindUnsignedNormalized16X1 = 8,
	musaChannelFormatKindUnsignedNormalized16X2 = 9,
	musaChannelFormatKindUnsignedNormalized16X4 = 10,
	musaChannelFormatKindSignedNormalized8X1 = 11,
	musaChannelFormatKindSignedNormalized8X2 = 12,
	musaChannelFormatKindSignedNormalized8X4 = 13,
	musaChannelFormatKindSignedNormalized16X1 = 14,
	musaChannelFormatKindSignedNormalized16X2 = 15,
	musaChannelFormatKindSignedNormalized16X4 = 16,
	musaChannelFormatKindUnsignedBlockCompressed1 = 17,
	musaChannelFormatKindUnsignedBlockCompressed1SRGB = 18,
	musaChannelFormatKindUnsignedBlockCompressed2 = 19,
	musaChannelFormatKindUnsignedBlockCompressed2SRGB = 20,
	musaChannelFormatKindUnsignedBlockCompressed3 = 21,
	musaChannelFormatKindUnsignedBlockCompressed3SRGB = 22,
	musaChannelFormatKindUnsignedBlockCompressed4 = 23,
	musaChannelFormatKindSignedBlockCompressed4 = 24,
	musaChannelFormatKindUnsignedBlockCompressed5 = 25,
	musaChannelFormatKindSignedBlockCompressed5 = 26,
	musaChannelFormatKindUnsignedBlockCompressed6H = 27,
	musaChannelFormatKindSignedBlockCompressed6H = 28,
	musaChannelFormatKindUnsignedBlockCompressed7 = 29,
	musaChannelFormatKindUnsignedBlockCompressed7SRGB = 30,
	musaChannelFormatKindUnsignedNormalized1010102 = 31,
};
typedef enum musaChannelFormatKind musaChannelFormatKind;

/* Channels of an array element. */
struct musaChannelFormatDesc {
	int x;				/* bits, 0 if there is none */
	int y;
	int z;
	int w;
	enum musaChannelFormatKind f;	/* of all channels */
};
typedef struct musaChannelFormatDesc musaChannelFormatDesc;

/* Rows of memory. */
struct musaPitchedPtr {
	void *ptr;	/* first byte */
	size_t pitch;	/* bytes from row to row */
	size_t xsize;	/* elements in a row */
	size_t ysize;	/* rows in a slice */
};
typedef struct musaPitchedPtr musaPitchedPtr;

/* A box. */
struct musaExtent {
	size_t width;	/* elements of an array, else bytes */
	size_t height;	/* rows */
	size_t depth;	/* slices */
};
typedef struct musaExtent musaExtent;

/* A position. */
struct musaPos {
	size_t x;	/* element of an array, else byte */
	size_t y;	/* row */
	size_t z;	/* slice */
};
typedef struct musaPos musaPos;

/* A copy. On each side either the array or the pointer is set; positions count from it. */
struct musaMemcpy3DParms {
	musaArray_t srcArray;
	struct musaPos srcPos;
	struct musaPitchedPtr srcPtr;
	musaArray_t dstArray;
	struct musaPos dstPos;
	struct musaPitchedPtr dstPtr;
	struct musaExtent extent;
	enum musaMemcpyKind kind;
};
typedef struct musaMemcpy3DParms musaMemcpy3DParms;

/* A copy from device to device. */
struct musaMemcpy3DPeerParms {
	musaArray_t srcArray;
	struct musaPos srcPos;
	struct musaPitchedPtr srcPtr;
	int srcDevice;
	musaArray_t dstArray;
	struct musaPos dstPos;
	struct musaPitchedPtr dstPtr;
	int dstDevice;
	struct musaExtent extent;
};
typedef struct musaMemcpy3DPeerParms musaMemcpy3DPeerParms;

/* Where memory is or may be used from. */
struct musaMemLocation {
	enum musaMemLocationType type;
	int id;	/* device ordinal or NUMA node */
};
typedef struct musaMemLocation musaMemLocation;

/* Who may use memory, and how. */
struct musaMemAccessDesc {
	struct musaMemLocation location;
	enum musaMemAccessFlags flags;
};
typedef struct musaMemAccessDesc musaMemAccessDesc;

/* Properties of a pool. */
struct musaMemPoolProps {
	enum musaMemAllocationType allocType;
	enum musaMemAllocationHandleType handleTypes;
	struct musaMemLocation location;
	void *win32SecurityAttributes;
	size_t maxSize;			/* bytes; 0: no limit */
	unsigned short usage;
	unsigned char reserved[54];	/* must be 0 */
};
typedef struct musaMemPoolProps musaMemPoolProps;

/* An allocation of a shared pool, described to another process. */
struct musaMemPoolPtrExportData {
	unsigned char reserved[64];
};
typedef struct musaMemPoolPtrExportData musaMemPoolPtrExportData;

/* What an address belongs to. 24 bytes: callers rely on it. */
struct musaPointerAttributes {
	enum musaMemoryType type;
	int device;
	void *devicePointer;	/* NULL if the device cannot reach it */
	void *hostPointer;	/* NULL if the host cannot reach it */
};
typedef struct musaPointerAttributes musaPointerAttributes;

/* What musaArrayGetMemoryRequirements() tells: bytes, and alignment in bytes. */
struct musaArrayMemoryRequirements {
	size_t size;
	size_t alignment;
	unsigned int reserved[4];
};
typedef struct musaArrayMemoryRequirements musaArrayMemoryRequirements;

/* Tile size (in elements) and mip tail of a sparse array. */
struct musaArraySparseProperties {
	struct {
		unsigned int width;
		unsigned int height;
		unsigned int depth;
	} tileExtent;
	unsigned int miptailFirstLevel;
	unsigned long long miptailSize;
	unsigned int flags;
	unsigned int reserved[4];
};
typedef struct musaArraySparseProperties musaArraySparseProperties;

enum musaMemcpyFlags {
	musaMemcpyFlagDefault = 0x0,
	musaMemcpyFlagPreferOverlapWithCompute = 0x1,
};
typedef enum musaMemcpyFlags musaMemcpyFlags;

/* When a batched copy may read its source. */
enum musaMemcpySrcAccessOrder {
	musaMemcpySrcAccessOrderInvalid = 0x0,
	musaMemcpySrcAccessOrderStream = 0x1,
	musaMemcpySrcAccessOrderDuringApiCall = 0x2,
	musaMemcpySrcAccessOrderAny = 0x3,
	musaMemcpySrcAccessOrderMax = 0x7fffffff,
};
typedef enum musaMemcpySrcAccessOrder musaMemcpySrcAccessOrder;

/* Attributes of a run of copies in musaMemcpyBatchAsync(). */
struct musaMemcpyAttributes {
	enum musaMemcpySrcAccessOrder srcAccessOrder;
	struct musaMemLocation srcLocHint;
	struct musaMemLocation dstLocHint;
	unsigned int flags;
};
typedef struct musaMemcpyAttributes musaMemcpyAttributes;

enum musaMemcpy3DOperandType {
	musaMemcpyOperandTypePointer = 0x1,
	musaMemcpyOperandTypeArray = 0x2,
	musaMemcpyOperandTypeMax = 0x7fffffff,
};
typedef enum musaMemcpy3DOperandType musaMemcpy3DOperandType;

struct musaOffset3D {
	size_t x;
	size_t y;
	size_t z;
};
typedef struct musaOffset3D musaOffset3D;

/* Source or destination of one copy in musaMemcpy3DBatchAsync(). */
struct musaMemcpy3DOperand {
	enum musaMemcpy3DOperandType type;
	union {
		struct {
			void *ptr;
			size_t rowLength;
			size_t layerHeight;
			struct musaMemLocation locHint;
		} ptr;
		struct {
			musaArray_t array;
			struct musaOffset3D offset;
		} array;
	} op;
};
typedef struct musaMemcpy3DOperand musaMemcpy3DOperand;

struct musaMemcpy3DBatchOp {
	struct musaMemcpy3DOperand src;
	struct musaMemcpy3DOperand dst;
	struct musaExtent extent;
	enum musaMemcpySrcAccessOrder srcAccessOrder;
	unsigned int flags;
};
typedef struct musaMemcpy3DBatchOp musaMemcpy3DBatchOp;

#endif /* __MUSA_MEMORY_TYPES_H__ */

/* SPDX-License-Identifier: MIT */
/* External memory and semaphore types of the runtime API. */
#ifndef __MUSA_EXTERNAL_TYPES_H__
#define __MUSA_EXTERNAL_TYPES_H__

#include "memory_types.h"

typedef struct MUexternalMemory_st *musaExternalMemory_t;
typedef struct MUexternalSemaphore_st *musaExternalSemaphore_t;

#define musaExternalMemoryDedicated 0x1
#define musaExternalSemaphoreSignalSkipMtSciBufMemSync 0x01
#define musaExternalSemaphoreWaitSkipMtSciBufMemSync 0x02
#define musaMtSciSyncAttrSignal 0x1
#define musaMtSciSyncAttrWait 0x2

/* What a handle to external memory is. This system has file descriptors. */
enum musaExternalMemoryHandleType {
	musaExternalMemoryHandleTypeOpaqueFd = 1,
	musaExternalMemoryHandleTypeOpaqueWin32 = 2,
	musaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
	musaExternalMemoryHandleTypeD3D12Heap = 4,
	musaExternalMemoryHandleTypeD3D12Resource = 5,
	musaExternalMemoryHandleTypeD3D11Resource = 6,
	musaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
	musaExternalMemoryHandleTypeMtSciBuf = 8,
};
typedef enum musaExternalMemoryHandleType musaExternalMemoryHandleType;

/* What a handle to an external semaphore is. This system has file descriptors. */
enum musaExternalSemaphoreHandleType {
	musaExternalSemaphoreHandleTypeOpaqueFd = 1,
	musaExternalSemaphoreHandleTypeOpaqueWin32 = 2,
	musaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
	musaExternalSemaphoreHandleTypeD3D12Fence = 4,
	musaExternalSemaphoreHandleTypeD3D11Fence = 5,
	musaExternalSemaphoreHandleTypeMtSciSync = 6,
	musaExternalSemaphoreHandleTypeKeyedMutex = 7,
	musaExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
	musaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
	musaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10,
};
typedef enum musaExternalSemaphoreHandleType musaExternalSemaphoreHandleType;

/* Memory of another API. */
struct musaExternalMemoryHandleDesc {
	enum musaExternalMemoryHandleType type;
	union {
		int fd;
		struct {
			void *handle;
			const void *name;
		} win32;
		const void *mtSciBufObject;
	} handle;
	unsigned long long size;	/* bytes */
	unsigned int flags;
};
typedef struct musaExternalMemoryHandleDesc musaExternalMemoryHandleDesc;

/* A part of external memory. */
struct musaExternalMemoryBufferDesc {
	unsigned long long offset;	/* bytes */
	unsigned long long size;	/* bytes */
	unsigned int flags;
};
typedef struct musaExternalMemoryBufferDesc musaExternalMemoryBufferDesc;

/* A semaphore of another API. */
struct musaExternalSemaphoreHandleDesc {
	enum musaExternalSemaphoreHandleType type;
	union {
		int fd;
		struct {
			void *handle;
			const void *name;
		} win32;
		const void *mtSciSyncObj;
	} handle;
	unsigned int flags;
};
typedef struct musaExternalSemaphoreHandleDesc musaExternalSemaphoreHandleDesc;

/* What to signal; the type of the semaphore says which member counts. */
struct musaExternalSemaphoreSignalParams {
	struct {
		struct {
			unsigned long long value;
		} fence;
		union {
			void *fence;
			unsigned long long reserved;
		} mtSciSync;
		struct {
			unsigned long long key;
		} keyedMutex;
		unsigned int reserved[12];
	} params;
	unsigned int flags;
	unsigned int reserved[16];
};
typedef struct musaExternalSemaphoreSignalParams musaExternalSemaphoreSignalParams;

/* What to wait for; the type of the semaphore says which member counts. */
struct musaExternalSemaphoreWaitParams {
	struct {
		struct {
			unsigned long long value;
		} fence;
		union {
			void *fence;
			unsigned long long reserved;
		} mtSciSync;
		struct {
			unsigned long long key;
			unsigned int timeoutMs;
		} keyedMutex;
		unsigned int reserved[10];
	} params;
	unsigned int flags;
	unsigned int reserved[16];
};
typedef struct musaExternalSemaphoreWaitParams musaExternalSemaphoreWaitParams;

/* Signals of a graph node. */
struct musaExternalSemaphoreSignalNodeParams {
	musaExternalSemaphore_t *extSemArray;
	const struct musaExternalSemaphoreSignalParams *paramsArray;
	unsigned int numExtSems;
};
typedef struct musaExternalSemaphoreSignalNodeParams musaExternalSemaphoreSignalNodeParams;

/* The same in musaGraphNodeParams. */
struct musaExternalSemaphoreSignalNodeParamsV2 {
	musaExternalSemaphore_t *extSemArray;
	const struct musaExternalSemaphoreSignalParams *paramsArray;
	unsigned int numExtSems;
};
typedef struct musaExternalSemaphoreSignalNodeParamsV2 musaExternalSemaphoreSignalNodeParamsV2;

/* Waits of a graph node. */
struct musaExternalSemaphoreWaitNodeParams {
	musaExternalSemaphore_t *extSemArray;
	const struct musaExternalSemaphoreWaitParams *paramsArray;
	unsigned int numExtSems;
};
typedef struct musaExternalSemaphoreWaitNodeParams musaExternalSemaphoreWaitNodeParams;

/* The same in musaGraphNodeParams. */
struct musaExternalSemaphoreWaitNodeParamsV2 {
	musaExternalSemaphore_t *extSemArray;
	const struct musaExternalSemaphoreWaitParams *paramsArray;
	unsigned int numExtSems;
};
typedef struct musaExternalSemaphoreWaitNodeParamsV2 musaExternalSemaphoreWaitNodeParamsV2;

/* A mipmapped array that lies at @offset bytes of imported memory. */
struct musaExternalMemoryMipmappedArrayDesc {
	unsigned long long offset;
	struct musaChannelFormatDesc formatDesc;
	struct musaExtent extent;
	unsigned int flags;
	unsigned int numLevels;
};
typedef struct musaExternalMemoryMipmappedArrayDesc musaExternalMemoryMipmappedArrayDesc;

#endif /* __MUSA_EXTERNAL_TYPES_H__ */

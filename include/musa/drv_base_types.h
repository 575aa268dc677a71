/* SPDX-License-Identifier: MIT */
/* Scalars, handles and callbacks of the driver API. */
#ifndef __MUSA_DRV_BASE_TYPES_H__
#define __MUSA_DRV_BASE_TYPES_H__

#include <stddef.h>
#include <stdint.h>

#include "drv_error_types.h"
#include "handles.h"

#ifndef MUSA_CB
#define MUSA_CB
#endif
#ifndef MUSAAPI
#define MUSAAPI
#endif

/* Types that only the driver API names. */
struct MUarray_st;
struct MUmipmappedArray_st;
struct MUextMemory_st;
struct MUextSemaphore_st;
struct MUlinkState_st;

typedef struct MUctx_st *MUcontext;
typedef struct MUmod_st *MUmodule;
typedef struct MUfunc_st *MUfunction;
typedef struct MUarray_st *MUarray;
typedef struct MUmipmappedArray_st *MUmipmappedArray;
typedef struct MUevent_st *MUevent;
typedef struct MUstream_st *MUstream;
typedef struct MUextMemory_st *MUexternalMemory;
typedef struct MUextSemaphore_st *MUexternalSemaphore;
typedef struct MUgraph_st *MUgraph;
typedef struct MUgraphNode_st *MUgraphNode;
typedef struct MUgraphExec_st *MUgraphExec;
typedef struct MUmemPoolHandle_st *MUmemoryPool;
typedef struct MUuserObject_st *MUuserObject;
typedef struct MUlinkState_st *MUlinkState;
typedef struct MUgraphDeviceUpdatableNode_st *MUgraphDeviceNode;
typedef struct MUkern_st *MUkernel;
typedef struct MUlib_st *MUlibrary;

typedef uint32_t muuint32_t;
typedef uint64_t muuint64_t;
typedef unsigned long long MUdeviceptr_v2;
typedef MUdeviceptr_v2 MUdeviceptr;
typedef int MUdevice_v1;
typedef MUdevice_v1 MUdevice;
typedef unsigned long long MUmemGenericAllocationHandle_v1;
typedef MUmemGenericAllocationHandle_v1 MUmemGenericAllocationHandle;
typedef muuint64_t MUgraphConditionalHandle;

/* Identifier of a device or of an export table. */
typedef struct MUuuid_st MUuuid;

typedef void(MUSA_CB *MUhostFn)(void *userData);
typedef void(MUSA_CB *MUstreamCallback)(MUstream hStream, MUresult status, void *userData);
typedef size_t(MUSA_CB *MUoccupancyB2DSize)(int blockSize);

#define MU_IPC_HANDLE_SIZE 64
#define MU_STREAM_LEGACY ((MUstream)0x1)
#define MU_STREAM_PER_THREAD ((MUstream)0x2)
#define MU_DEVICE_CPU ((MUdevice)-1)
#define MU_DEVICE_INVALID ((MUdevice)-2)

#endif /* __MUSA_DRV_BASE_TYPES_H__ */

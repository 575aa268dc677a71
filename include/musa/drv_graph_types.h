/* SPDX-License-Identifier: MIT */
/* Graph and stream-capture types of the driver API. */
#ifndef __MUSA_DRV_GRAPH_TYPES_H__
#define __MUSA_DRV_GRAPH_TYPES_H__

#include "drv_base_types.h"
#include "drv_launch_types.h"
#include "drv_memory_types.h"
#include "drv_stream_types.h"

#define MU_GRAPH_COND_ASSIGN_DEFAULT 0x1
#define MU_GRAPH_KERNEL_NODE_PORT_DEFAULT 0
#define MU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC 1
#define MU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER 2

enum MUstreamUpdateCaptureDependencies_flags_enum {
	MU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0,
	MU_STREAM_SET_CAPTURE_DEPENDENCIES = 1,
};
typedef enum MUstreamUpdateCaptureDependencies_flags_enum MUstreamUpdateCaptureDependencies_flags;

/* Types of nodes. */
enum MUgraphNodeType_enum {
	MU_GRAPH_NODE_TYPE_KERNEL = 0,
	MU_GRAPH_NODE_TYPE_MEMCPY = 1,
	MU_GRAPH_NODE_TYPE_MEMSET = 2,
	MU_GRAPH_NODE_TYPE_HOST = 3,
	MU_GRAPH_NODE_TYPE_GRAPH = 4,
	MU_GRAPH_NODE_TYPE_EMPTY = 5,
	MU_GRAPH_NODE_TYPE_WAIT_EVENT = 6,
	MU_GRAPH_NODE_TYPE_EVENT_RECORD = 7,
	MU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8,
	MU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9,
	MU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
	MU_GRAPH_NODE_TYPE_MEM_FREE = 11,
	MU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12,
	MU_GRAPH_NODE_TYPE_CONDITIONAL = 13,
};
typedef enum MUgraphNodeType_enum MUgraphNodeType;

/* State of a stream towards capture. */
enum MUstreamCaptureStatus_enum {
	MU_STREAM_CAPTURE_STATUS_NONE = 0,
	MU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
	MU_STREAM_CAPTURE_STATUS_INVALIDATED = 2,
};
typedef enum MUstreamCaptureStatus_enum MUstreamCaptureStatus;

/* Which calls of which threads are refused while a stream captures. */
enum MUstreamCaptureMode_enum {
	MU_STREAM_CAPTURE_MODE_GLOBAL = 0,
	MU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
	MU_STREAM_CAPTURE_MODE_RELAXED = 2,
};
typedef enum MUstreamCaptureMode_enum MUstreamCaptureMode;

/* Why an update was refused. The runtime API counts 6 to 8 in another order. */
enum MUgraphExecUpdateResult_enum {
	MU_GRAPH_EXEC_UPDATE_SUCCESS = 0,
	MU_GRAPH_EXEC_UPDATE_ERROR = 1,
	MU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2,
	MU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3,
	MU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4,
	MU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5,
	MU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6,
	MU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7,
	MU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8,
};
typedef enum MUgraphExecUpdateResult_enum MUgraphExecUpdateResult;

/* Memory of graphs, in bytes. The runtime API counts from 1. */
enum MUgraphMem_attribute_enum {
	MU_GRAPH_MEM_ATTR_USED_MEM_CURRENT = 0,
	MU_GRAPH_MEM_ATTR_USED_MEM_HIGH = 1,
	MU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT = 2,
	MU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH = 3,
};
typedef enum MUgraphMem_attribute_enum MUgraphMem_attribute;

/* What to tell of each node in a DOT file. */
enum MUgraphDebugDot_flags_enum {
	MU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE = 1,
	MU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES = 2,
	MU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS = 4,
	MU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS = 8,
	MU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS = 16,
	MU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS = 32,
	MU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS = 64,
	MU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS = 128,
	MU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS = 256,
	MU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES = 512,
	MU_GRAPH_DEBUG_DOT_FLAGS_HANDLES = 1024,
	MU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS = 2048,
	MU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS = 4096,
	MU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS = 8192,
	MU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO = 16384,
	MU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS = 32768,
};
typedef enum MUgraphDebugDot_flags_enum MUgraphDebugDot_flags;

enum MUuserObject_flags_enum {
	MU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1,
};
typedef enum MUuserObject_flags_enum MUuserObject_flags;

enum MUuserObjectRetain_flags_enum {
	MU_GRAPH_USER_OBJECT_MOVE = 1,
};
typedef enum MUuserObjectRetain_flags_enum MUuserObjectRetain_flags;

/* Flags of instantiation. Upload is for muGraphInstantiateWithParams() alone. */
enum MUgraphInstantiate_flags_enum {
	MUSA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1,
	MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
	MUSA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4,
	MUSA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8,
};
typedef enum MUgraphInstantiate_flags_enum MUgraphInstantiate_flags;

enum MUgraphConditionalNodeType_enum {
	MU_GRAPH_COND_TYPE_IF = 0,
	MU_GRAPH_COND_TYPE_WHILE = 1,
	MU_GRAPH_COND_TYPE_SWITCH = 2,
};
typedef enum MUgraphConditionalNodeType_enum MUgraphConditionalNodeType;

enum MUgraphDependencyType_enum {
	MU_GRAPH_DEPENDENCY_TYPE_DEFAULT = 0,
	MU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1,
};
typedef enum MUgraphDependencyType_enum MUgraphDependencyType;

/* Why instantiation was refused. */
enum MUgraphInstantiateResult_enum {
	MUSA_GRAPH_INSTANTIATE_SUCCESS = 0,
	MUSA_GRAPH_INSTANTIATE_ERROR = 1,
	MUSA_GRAPH_INSTANTIATE_INVALID_STRUCTURE = 2,
	MUSA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED = 3,
	MUSA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED = 4,
	MUSA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED = 5,
};
typedef enum MUgraphInstantiateResult_enum MUgraphInstantiateResult;

/* A kernel launch. Either kernelParams or extra is set. */
struct MUSA_KERNEL_NODE_PARAMS_st {
	MUfunction func;
	unsigned int gridDimX;
	unsigned int gridDimY;
	unsigned int gridDimZ;
	unsigned int blockDimX;
	unsigned int blockDimY;
	unsigned int blockDimZ;
	unsigned int sharedMemBytes;	/* dynamic, of each block */
	void **kernelParams;
	void **extra;
};
typedef struct MUSA_KERNEL_NODE_PARAMS_st MUSA_KERNEL_NODE_PARAMS_v1;
typedef MUSA_KERNEL_NODE_PARAMS_v1 MUSA_KERNEL_NODE_PARAMS;

/* A fill. */
struct MUSA_MEMSET_NODE_PARAMS_st {
	MUdeviceptr dst;
	size_t pitch;			/* bytes; counts if height is over 1 */
	unsigned int value;		/* low elementSize bytes count */
	unsigned int elementSize;	/* 1, 2 or 4 bytes */
	size_t width;			/* elements */
	size_t height;			/* rows */
};
typedef struct MUSA_MEMSET_NODE_PARAMS_st MUSA_MEMSET_NODE_PARAMS_v1;
typedef MUSA_MEMSET_NODE_PARAMS_v1 MUSA_MEMSET_NODE_PARAMS;

/* A call of a host function. */
struct MUSA_HOST_NODE_PARAMS_st {
	MUhostFn fn;
	void *userData;
};
typedef struct MUSA_HOST_NODE_PARAMS_st MUSA_HOST_NODE_PARAMS_v1;
typedef MUSA_HOST_NODE_PARAMS_v1 MUSA_HOST_NODE_PARAMS;

struct MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_st {
	MUexternalSemaphore *extSemArray;
	const MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray;
	unsigned int numExtSems;
};
typedef struct MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_st MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_v1;
typedef MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 MUSA_EXT_SEM_SIGNAL_NODE_PARAMS;

struct MUSA_EXT_SEM_WAIT_NODE_PARAMS_st {
	MUexternalSemaphore *extSemArray;
	const MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray;
	unsigned int numExtSems;
};
typedef struct MUSA_EXT_SEM_WAIT_NODE_PARAMS_st MUSA_EXT_SEM_WAIT_NODE_PARAMS_v1;
typedef MUSA_EXT_SEM_WAIT_NODE_PARAMS_v1 MUSA_EXT_SEM_WAIT_NODE_PARAMS;

/* An allocation. */
struct MUSA_MEM_ALLOC_NODE_PARAMS_st {
	MUmemPoolProps poolProps;
	const MUmemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;	/* bytes */
	MUdeviceptr dptr;	/* [out] address */
};
typedef struct MUSA_MEM_ALLOC_NODE_PARAMS_st MUSA_MEM_ALLOC_NODE_PARAMS;

/* As before, or a kernel of a library. */
struct MUSA_KERNEL_NODE_PARAMS_v2_st {
	MUfunction func;
	unsigned int gridDimX;
	unsigned int gridDimY;
	unsigned int gridDimZ;
	unsigned int blockDimX;
	unsigned int blockDimY;
	unsigned int blockDimZ;
	unsigned int sharedMemBytes;	/* dynamic, of each block */
	void **kernelParams;
	void **extra;
	MUkernel kern;			/* if func is NULL */
	MUcontext ctx;			/* NULL: the current one */
};
typedef struct MUSA_KERNEL_NODE_PARAMS_v2_st MUSA_KERNEL_NODE_PARAMS_v2;

/* The same in MUgraphNodeParams. */
struct MUSA_KERNEL_NODE_PARAMS_v3_st {
	MUfunction func;
	unsigned int gridDimX;
	unsigned int gridDimY;
	unsigned int gridDimZ;
	unsigned int blockDimX;
	unsigned int blockDimY;
	unsigned int blockDimZ;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
	MUkernel kern;
	MUcontext ctx;
};
typedef struct MUSA_KERNEL_NODE_PARAMS_v3_st MUSA_KERNEL_NODE_PARAMS_v3;

struct MUSA_MEMCPY_NODE_PARAMS_st {
	int flags;
	int reserved;
	MUcontext copyCtx;
	MUSA_MEMCPY3D copyParams;
};
typedef struct MUSA_MEMCPY_NODE_PARAMS_st MUSA_MEMCPY_NODE_PARAMS;

/* The same in MUgraphNodeParams. */
struct MUSA_MEMSET_NODE_PARAMS_v2_st {
	MUdeviceptr dst;
	size_t pitch;
	unsigned int value;
	unsigned int elementSize;
	size_t width;
	size_t height;
	MUcontext ctx;
};
typedef struct MUSA_MEMSET_NODE_PARAMS_v2_st MUSA_MEMSET_NODE_PARAMS_v2;

struct MUSA_HOST_NODE_PARAMS_v2_st {
	MUhostFn fn;
	void *userData;
};
typedef struct MUSA_HOST_NODE_PARAMS_v2_st MUSA_HOST_NODE_PARAMS_v2;

/* A conditional node. */
struct MUSA_CONDITIONAL_NODE_PARAMS {
	MUgraphConditionalHandle handle;
	MUgraphConditionalNodeType type;
	unsigned int size;	/* bodies */
	MUgraph *phGraph_out;	/* [out] the bodies; the node owns the array */
	MUcontext ctx;
};
typedef struct MUSA_CONDITIONAL_NODE_PARAMS MUSA_CONDITIONAL_NODE_PARAMS;

struct MUSA_CHILD_GRAPH_NODE_PARAMS_st {
	MUgraph graph;
};
typedef struct MUSA_CHILD_GRAPH_NODE_PARAMS_st MUSA_CHILD_GRAPH_NODE_PARAMS;

struct MUSA_EVENT_RECORD_NODE_PARAMS_st {
	MUevent event;
};
typedef struct MUSA_EVENT_RECORD_NODE_PARAMS_st MUSA_EVENT_RECORD_NODE_PARAMS;

struct MUSA_EVENT_WAIT_NODE_PARAMS_st {
	MUevent event;
};
typedef struct MUSA_EVENT_WAIT_NODE_PARAMS_st MUSA_EVENT_WAIT_NODE_PARAMS;

struct MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st {
	MUexternalSemaphore *extSemArray;
	const MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray;
	unsigned int numExtSems;
};
typedef struct MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_v2;

struct MUSA_EXT_SEM_WAIT_NODE_PARAMS_v2_st {
	MUexternalSemaphore *extSemArray;
	const MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray;
	unsigned int numExtSems;
};
typedef struct MUSA_EXT_SEM_WAIT_NODE_PARAMS_v2_st MUSA_EXT_SEM_WAIT_NODE_PARAMS_v2;

struct MUSA_MEM_ALLOC_NODE_PARAMS_v2_st {
	MUmemPoolProps poolProps;
	const MUmemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	MUdeviceptr dptr;
};
typedef struct MUSA_MEM_ALLOC_NODE_PARAMS_v2_st MUSA_MEM_ALLOC_NODE_PARAMS_v2;

struct MUSA_MEM_FREE_NODE_PARAMS_st {
	MUdeviceptr dptr;
};
typedef struct MUSA_MEM_FREE_NODE_PARAMS_st MUSA_MEM_FREE_NODE_PARAMS;

/* Writes to memory and waits for memory. */
struct MUSA_BATCH_MEM_OP_NODE_PARAMS_v1_st {
	MUcontext ctx;
	unsigned int count;	/* length of paramArray */
	MUstreamBatchMemOpParams *paramArray;
	unsigned int flags;
};
typedef struct MUSA_BATCH_MEM_OP_NODE_PARAMS_v1_st MUSA_BATCH_MEM_OP_NODE_PARAMS_v1;

struct MUSA_BATCH_MEM_OP_NODE_PARAMS_v2_st {
	MUcontext ctx;
	unsigned int count;
	MUstreamBatchMemOpParams *paramArray;
	unsigned int flags;
};
typedef struct MUSA_BATCH_MEM_OP_NODE_PARAMS_v2_st MUSA_BATCH_MEM_OP_NODE_PARAMS_v2;

/* Any node. Bytes that a type does not use must be 0. */
struct MUgraphNodeParams_st {
	MUgraphNodeType type;
	int reserved0[3];
	union {
		long long reserved1[29];
		MUSA_KERNEL_NODE_PARAMS_v3 kernel;
		MUSA_MEMCPY_NODE_PARAMS memcpy;
		MUSA_MEMSET_NODE_PARAMS_v2 memset;
		MUSA_HOST_NODE_PARAMS_v2 host;
		MUSA_CHILD_GRAPH_NODE_PARAMS graph;
		MUSA_EVENT_WAIT_NODE_PARAMS eventWait;
		MUSA_EVENT_RECORD_NODE_PARAMS eventRecord;
		MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 extSemSignal;
		MUSA_EXT_SEM_WAIT_NODE_PARAMS_v2 extSemWait;
		MUSA_MEM_ALLOC_NODE_PARAMS_v2 alloc;
		MUSA_MEM_FREE_NODE_PARAMS free;
		MUSA_BATCH_MEM_OP_NODE_PARAMS_v2 memOp;
		MUSA_CONDITIONAL_NODE_PARAMS conditional;
	};
	long long reserved2;
};
typedef struct MUgraphNodeParams_st MUgraphNodeParams;

/* What an edge means. All 0: the successor starts when the predecessor is done. */
struct MUgraphEdgeData_st {
	unsigned char from_port;
	unsigned char to_port;
	unsigned char type;
	unsigned char reserved[5];	/* must be 0 */
};
typedef struct MUgraphEdgeData_st MUgraphEdgeData;

/* Flags of instantiation, and what it says. */
struct MUSA_GRAPH_INSTANTIATE_PARAMS_st {
	muuint64_t flags;
	MUstream hUploadStream;
	MUgraphNode hErrNode_out;		/* [out] node at fault, or NULL */
	MUgraphInstantiateResult result_out;	/* [out] why */
};
typedef struct MUSA_GRAPH_INSTANTIATE_PARAMS_st MUSA_GRAPH_INSTANTIATE_PARAMS;

/* What an update says. */
struct MUgraphExecUpdateResultInfo_st {
	MUgraphExecUpdateResult result;
	MUgraphNode errorNode;		/* node of the updating graph, or NULL */
	MUgraphNode errorFromNode;	/* its dependency at fault, or NULL */
};
typedef struct MUgraphExecUpdateResultInfo_st MUgraphExecUpdateResultInfo;

#endif /* __MUSA_DRV_GRAPH_TYPES_H__ */

/* SPDX-License-Identifier: MIT */
/* Graph and stream-capture types of the runtime API. */
#ifndef __MUSA_GRAPH_TYPES_H__
#define __MUSA_GRAPH_TYPES_H__

#include "external_types.h"
#include "launch_types.h"
#include "memory_types.h"

typedef struct MUgraph_st *musaGraph_t;
typedef struct MUgraphNode_st *musaGraphNode_t;
typedef struct MUgraphExec_st *musaGraphExec_t;
typedef struct MUuserObject_st *musaUserObject_t;
typedef unsigned long long musaGraphConditionalHandle;

#define musaGraphKernelNodePortDefault 0
#define musaGraphKernelNodePortLaunchCompletion 2
#define musaGraphKernelNodePortProgrammatic 1

/* Types of nodes. Several have two names: the shorter one, and the manual's. */
enum musaGraphNodeType {
	musaGraphNodeTypeKernel = 0,
	musaGraphNodeTypeMemcpy = 1,
	musaGraphNodeTypeMemset = 2,
	musaGraphNodeTypeHost = 3,
	musaGraphNodeTypeGraph = 4,
	musaGraphNodeTypeChildGraph = 4,
	musaGraphNodeTypeEmpty = 5,
	musaGraphNodeTypeWaitEvent = 6,
	musaGraphNodeTypeEventWait = 6,
	musaGraphNodeTypeEventRecord = 7,
	musaGraphNodeTypeExtSemaphoreSignal = 8,
	musaGraphNodeTypeExternalSemaphoreSignal = 8,
	musaGraphNodeTypeExtSemaphoreWait = 9,
	musaGraphNodeTypeExternalSemaphoreWait = 9,
	musaGraphNodeTypeMemAlloc = 10,
	musaGraphNodeTypeMemFree = 11,
	musaGraphNodeTypeConditional = 13,
	musaGraphNodeTypeCount = 14,
};
typedef enum musaGraphNodeType musaGraphNodeType;

/*
 * Why an update was refused. The driver API counts 6 to 8 in another order; the runtime API has
 * the manual's numbers. FunctionChanged is never returned.
 */
enum musaGraphExecUpdateResult {
	musaGraphExecUpdateSuccess = 0,
	musaGraphExecUpdateError = 1,
	musaGraphExecUpdateErrorTopologyChanged = 2,
	musaGraphExecUpdateErrorNodeTypeChanged = 3,
	musaGraphExecUpdateErrorFunctionChanged = 4,
	musaGraphExecUpdateErrorParametersChanged = 5,
	musaGraphExecUpdateErrorNotSupported = 7,
	musaGraphExecUpdateErrorUnsupportedFunctionChange = 8,
	musaGraphExecUpdateErrorAttributesChanged = 6,
};
typedef enum musaGraphExecUpdateResult musaGraphExecUpdateResult;

/* Why instantiation was refused. */
enum musaGraphInstantiateResult {
	musaGraphInstantiateSuccess = 0,
	musaGraphInstantiateError = 1,
	musaGraphInstantiateInvalidStructure = 2,
	musaGraphInstantiateNodeOperationNotSupported = 3,
	musaGraphInstantiateMultipleDevicesNotSupported = 4,
	musaGraphInstantiateConditionalHandleUnused = 5,
};
typedef enum musaGraphInstantiateResult musaGraphInstantiateResult;

/* Flags of instantiation. Upload is for musaGraphInstantiateWithParams() alone. */
enum musaGraphInstantiateFlags {
	musaGraphInstantiateFlagAutoFreeOnLaunch = 1,
	musaGraphInstantiateFlagUpload = 2,
	musaGraphInstantiateFlagDeviceLaunch = 4,
	musaGraphInstantiateFlagUseNodePriority = 8,
};
typedef enum musaGraphInstantiateFlags musaGraphInstantiateFlags;

/* Whether a launch starts with the default value. */
enum musaGraphConditionalHandleFlags {
	musaGraphCondAssignDefault = 1,
};
typedef enum musaGraphConditionalHandleFlags musaGraphConditionalHandleFlags;

/* How the value of a handle chooses a body. */
enum musaGraphConditionalNodeType {
	musaGraphCondTypeIf = 0,
	musaGraphCondTypeWhile = 1,
	musaGraphCondTypeSwitch = 2,
};
typedef enum musaGraphConditionalNodeType musaGraphConditionalNodeType;

/* What an edge means. */
enum musaGraphDependencyType {
	musaGraphDependencyTypeDefault = 0,
	musaGraphDependencyTypeProgrammatic = 1,
};
typedef enum musaGraphDependencyType musaGraphDependencyType;

/* What device code changes of a kernel node. */
enum musaGraphKernelNodeField {
	musaGraphKernelNodeFieldInvalid = 0,
	musaGraphKernelNodeFieldGridDim = 1,
	musaGraphKernelNodeFieldParam = 2,
	musaGraphKernelNodeFieldEnabled = 3,
};
typedef enum musaGraphKernelNodeField musaGraphKernelNodeField;

/* What to tell of each node in a DOT file. */
enum musaGraphDebugDotFlags {
	musaGraphDebugDotFlagsVerbose = 1,
	musaGraphDebugDotFlagsKernelNodeParams = 4,
	musaGraphDebugDotFlagsMemcpyNodeParams = 8,
	musaGraphDebugDotFlagsMemsetNodeParams = 16,
	musaGraphDebugDotFlagsHostNodeParams = 32,
	musaGraphDebugDotFlagsEventNodeParams = 64,
	musaGraphDebugDotFlagsExtSemasSignalNodeParams = 128,
	musaGraphDebugDotFlagsExtSemasWaitNodeParams = 256,
	musaGraphDebugDotFlagsKernelNodeAttributes = 512,
	musaGraphDebugDotFlagsHandles = 1024,
	musaGraphDebugDotFlagsConditionalNodeParams = 32768,
};
typedef enum musaGraphDebugDotFlags musaGraphDebugDotFlags;

/*
 * Memory of graphs, in bytes. The runtime API has the manual's numbers, the driver API counts
 * from 0.
 */
enum musaGraphMemAttributeType {
	musaGraphMemAttrUsedMemCurrent = 1,
	musaGraphMemAttrUsedMemHigh = 2,
	musaGraphMemAttrReservedMemCurrent = 3,
	musaGraphMemAttrReservedMemHigh = 4,
};
typedef enum musaGraphMemAttributeType musaGraphMemAttributeType;

/* Flags of musaUserObjectCreate(). */
enum musaUserObjectFlags {
	musaUserObjectNoDestructorSync = 1,
};
typedef enum musaUserObjectFlags musaUserObjectFlags;

/* Flags of musaGraphRetainUserObject(). */
enum musaUserObjectRetainFlags {
	musaGraphUserObjectMove = 1,
};
typedef enum musaUserObjectRetainFlags musaUserObjectRetainFlags;

/* State of a stream towards capture. */
enum musaStreamCaptureStatus {
	musaStreamCaptureStatusNone = 0,
	musaStreamCaptureStatusActive = 1,
	musaStreamCaptureStatusInvalidated = 2,
};
typedef enum musaStreamCaptureStatus musaStreamCaptureStatus;

/* Which calls of which threads are refused while a stream captures. */
enum musaStreamCaptureMode {
	musaStreamCaptureModeGlobal = 0,
	musaStreamCaptureModeThreadLocal = 1,
	musaStreamCaptureModeRelaxed = 2,
};
typedef enum musaStreamCaptureMode musaStreamCaptureMode;

/* Whether dependencies are added or replaced. */
enum musaStreamUpdateCaptureDependenciesFlags {
	musaStreamAddCaptureDependencies = 0,
	musaStreamSetCaptureDependencies = 1,
};
typedef enum musaStreamUpdateCaptureDependenciesFlags musaStreamUpdateCaptureDependenciesFlags;

/* A kernel launch. Either kernelParams or extra is set. */
struct musaKernelNodeParams {
	void *func;
	dim3 gridDim;
	dim3 blockDim;
	unsigned int sharedMemBytes;	/* dynamic, of each block */
	void **kernelParams;		/* address of each argument */
	void **extra;			/* packed arguments: pairs ended by MU_LAUNCH_PARAM_END */
};
typedef struct musaKernelNodeParams musaKernelNodeParams;

/* The same in musaGraphNodeParams. */
struct musaKernelNodeParamsV2 {
	void *func;
	dim3 gridDim;
	dim3 blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
};
typedef struct musaKernelNodeParamsV2 musaKernelNodeParamsV2;

/* A copy in musaGraphNodeParams. */
struct musaMemcpyNodeParams {
	int flags;		/* must be 0 */
	int reserved[3];	/* must be 0 */
	struct musaMemcpy3DParms copyParams;
};
typedef struct musaMemcpyNodeParams musaMemcpyNodeParams;

/* A fill. */
struct musaMemsetParams {
	void *dst;
	size_t pitch;			/* bytes; counts if height is over 1 */
	unsigned int value;		/* low elementSize bytes count */
	unsigned int elementSize;	/* 1, 2 or 4 bytes */
	size_t width;			/* elements */
	size_t height;			/* rows */
};
typedef struct musaMemsetParams musaMemsetParams;

/* The same in musaGraphNodeParams. */
struct musaMemsetParamsV2 {
	void *dst;
	size_t pitch;
	unsigned int value;
	unsigned int elementSize;
	size_t width;
	size_t height;
};
typedef struct musaMemsetParamsV2 musaMemsetParamsV2;

/* A call of a host function. */
struct musaHostNodeParams {
	musaHostFn_t fn;
	void *userData;
};
typedef struct musaHostNodeParams musaHostNodeParams;

/* The same in musaGraphNodeParams. */
struct musaHostNodeParamsV2 {
	musaHostFn_t fn;
	void *userData;
};
typedef struct musaHostNodeParamsV2 musaHostNodeParamsV2;

/* A graph as a node. */
struct musaChildGraphNodeParams {
	musaGraph_t graph;
};
typedef struct musaChildGraphNodeParams musaChildGraphNodeParams;

/* The recording of an event. */
struct musaEventRecordNodeParams {
	musaEvent_t event;
};
typedef struct musaEventRecordNodeParams musaEventRecordNodeParams;

/* A wait for an event. */
struct musaEventWaitNodeParams {
	musaEvent_t event;
};
typedef struct musaEventWaitNodeParams musaEventWaitNodeParams;

/* An allocation. */
struct musaMemAllocNodeParams {
	struct musaMemPoolProps poolProps;
	const struct musaMemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;	/* bytes */
	void *dptr;		/* [out] address */
};
typedef struct musaMemAllocNodeParams musaMemAllocNodeParams;

/* The same in musaGraphNodeParams. */
struct musaMemAllocNodeParamsV2 {
	struct musaMemPoolProps poolProps;
	const struct musaMemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	void *dptr;
};
typedef struct musaMemAllocNodeParamsV2 musaMemAllocNodeParamsV2;

/* The freeing of an allocation. */
struct musaMemFreeNodeParams {
	void *dptr;
};
typedef struct musaMemFreeNodeParams musaMemFreeNodeParams;

/* A conditional node. */
struct musaConditionalNodeParams {
	musaGraphConditionalHandle handle;
	enum musaGraphConditionalNodeType type;
	unsigned int size;		/* bodies */
	musaGraph_t *phGraph_out;	/* [out] the bodies; the node owns the array */
};
typedef struct musaConditionalNodeParams musaConditionalNodeParams;

/*
 * Any node. Bytes that a type does not use must be 0: the first member of the union lets "= {0}" in
 * C and "= {}" in C++ clear them all.
 */
struct musaGraphNodeParams {
	enum musaGraphNodeType type;
	int reserved0[3];
	union {
		long long reserved1[29];
		struct musaKernelNodeParamsV2 kernel;
		struct musaMemcpyNodeParams memcpy;
		struct musaMemsetParamsV2 memset;
		struct musaHostNodeParamsV2 host;
		struct musaChildGraphNodeParams graph;
		struct musaEventWaitNodeParams eventWait;
		struct musaEventRecordNodeParams eventRecord;
		struct musaExternalSemaphoreSignalNodeParamsV2 extSemSignal;
		struct musaExternalSemaphoreWaitNodeParamsV2 extSemWait;
		struct musaMemAllocNodeParamsV2 alloc;
		struct musaMemFreeNodeParams free;
		struct musaConditionalNodeParams conditional;
	};
	long long reserved2;
};
typedef struct musaGraphNodeParams musaGraphNodeParams;

/* What an edge means. All 0: the successor starts when the predecessor is done. */
struct musaGraphEdgeData_st {
	unsigned char from_port;
	unsigned char to_port;
	unsigned char type;
	unsigned char reserved[5];	/* must be 0 */
};
typedef struct musaGraphEdgeData_st musaGraphEdgeData;

/* Flags of instantiation, and what it says. */
struct musaGraphInstantiateParams_st {
	unsigned long long flags;		/* enum musaGraphInstantiateFlags */
	musaStream_t uploadStream;		/* with the Upload flag */
	musaGraphNode_t errNode_out;		/* [out] node at fault, or NULL */
	musaGraphInstantiateResult result_out;	/* [out] why */
};
typedef struct musaGraphInstantiateParams_st musaGraphInstantiateParams;

/* What an update says. */
struct musaGraphExecUpdateResultInfo_st {
	enum musaGraphExecUpdateResult result;
	musaGraphNode_t errorNode;	/* node of the updating graph, or NULL */
	musaGraphNode_t errorFromNode;	/* its dependency at fault, or NULL */
};
typedef struct musaGraphExecUpdateResultInfo_st musaGraphExecUpdateResultInfo;

/* A change that device code makes to a kernel node. */
struct musaGraphKernelNodeUpdate {
	musaGraphDeviceNode_t node;
	enum musaGraphKernelNodeField field;
	union {
		dim3 gridDim;
		struct {
			const void *pValue;
			size_t offset;
			size_t size;
		} param;
		unsigned int isEnabled;
	} updateData;
};
typedef struct musaGraphKernelNodeUpdate musaGraphKernelNodeUpdate;

#endif /* __MUSA_GRAPH_TYPES_H__ */

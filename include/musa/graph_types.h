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

enum musaGraphInstantiateResult {
	musaGraphInstantiateSuccess = 0,
	musaGraphInstantiateError = 1,
	musaGraphInstantiateInvalidStructure = 2,
	musaGraphInstantiateNodeOperationNotSupported = 3,
	musaGraphInstantiateMultipleDevicesNotSupported = 4,
	musaGraphInstantiateConditionalHandleUnused = 5,
};
typedef enum musaGraphInstantiateResult musaGraphInstantiateResult;

enum musaGraphInstantiateFlags {
	musaGraphInstantiateFlagAutoFreeOnLaunch = 1,
	musaGraphInstantiateFlagUpload = 2,
	musaGraphInstantiateFlagDeviceLaunch = 4,
	musaGraphInstantiateFlagUseNodePriority = 8,
};
typedef enum musaGraphInstantiateFlags musaGraphInstantiateFlags;

enum musaGraphConditionalHandleFlags {
	musaGraphCondAssignDefault = 1,
};
typedef enum musaGraphConditionalHandleFlags musaGraphConditionalHandleFlags;

enum musaGraphConditionalNodeType {
	musaGraphCondTypeIf = 0,
	musaGraphCondTypeWhile = 1,
	musaGraphCondTypeSwitch = 2,
};
typedef enum musaGraphConditionalNodeType musaGraphConditionalNodeType;

enum musaGraphDependencyType {
	musaGraphDependencyTypeDefault = 0,
	musaGraphDependencyTypeProgrammatic = 1,
};
typedef enum musaGraphDependencyType musaGraphDependencyType;

enum musaGraphKernelNodeField {
	musaGraphKernelNodeFieldInvalid = 0,
	musaGraphKernelNodeFieldGridDim = 1,
	musaGraphKernelNodeFieldParam = 2,
	musaGraphKernelNodeFieldEnabled = 3,
};
typedef enum musaGraphKernelNodeField musaGraphKernelNodeField;

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

enum musaGraphMemAttributeType {
	musaGraphMemAttrUsedMemCurrent = 1,
	musaGraphMemAttrUsedMemHigh = 2,
	musaGraphMemAttrReservedMemCurrent = 3,
	musaGraphMemAttrReservedMemHigh = 4,
};
typedef enum musaGraphMemAttributeType musaGraphMemAttributeType;

enum musaUserObjectFlags {
	musaUserObjectNoDestructorSync = 1,
};
typedef enum musaUserObjectFlags musaUserObjectFlags;

enum musaUserObjectRetainFlags {
	musaGraphUserObjectMove = 1,
};
typedef enum musaUserObjectRetainFlags musaUserObjectRetainFlags;

enum musaStreamCaptureStatus {
	musaStreamCaptureStatusNone = 0,
	musaStreamCaptureStatusActive = 1,
	musaStreamCaptureStatusInvalidated = 2,
};
typedef enum musaStreamCaptureStatus musaStreamCaptureStatus;

enum musaStreamCaptureMode {
	musaStreamCaptureModeGlobal = 0,
	musaStreamCaptureModeThreadLocal = 1,
	musaStreamCaptureModeRelaxed = 2,
};
typedef enum musaStreamCaptureMode musaStreamCaptureMode;

enum musaStreamUpdateCaptureDependenciesFlags {
	musaStreamAddCaptureDependencies = 0,
	musaStreamSetCaptureDependencies = 1,
};
typedef enum musaStreamUpdateCaptureDependenciesFlags musaStreamUpdateCaptureDependenciesFlags;

struct musaKernelNodeParams {
	void *func;
	dim3 gridDim;
	dim3 blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
};
typedef struct musaKernelNodeParams musaKernelNodeParams;

struct musaKernelNodeParamsV2 {
	void *func;
	dim3 gridDim;
	dim3 blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
};
typedef struct musaKernelNodeParamsV2 musaKernelNodeParamsV2;

struct musaMemcpyNodeParams {
	int flags;
	int reserved[3];
	struct musaMemcpy3DParms copyParams;
};
typedef struct musaMemcpyNodeParams musaMemcpyNodeParams;

struct musaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value;
	unsigned int elementSize;
	size_t width;
	size_t height;
};
typedef struct musaMemsetParams musaMemsetParams;

struct musaMemsetParamsV2 {
	void *dst;
	size_t pitch;
	unsigned int value;
	unsigned int elementSize;
	size_t width;
	size_t height;
};
typedef struct musaMemsetParamsV2 musaMemsetParamsV2;

struct musaHostNodeParams {
	musaHostFn_t fn;
	void *userData;
};
typedef struct musaHostNodeParams musaHostNodeParams;

struct musaHostNodeParamsV2 {
	musaHostFn_t fn;
	void *userData;
};
typedef struct musaHostNodeParamsV2 musaHostNodeParamsV2;

struct musaChildGraphNodeParams {
	musaGraph_t graph;
};
typedef struct musaChildGraphNodeParams musaChildGraphNodeParams;

struct musaEventRecordNodeParams {
	musaEvent_t event;
};
typedef struct musaEventRecordNodeParams musaEventRecordNodeParams;

struct musaEventWaitNodeParams {
	musaEvent_t event;
};
typedef struct musaEventWaitNodeParams musaEventWaitNodeParams;

struct musaMemAllocNodeParams {
	struct musaMemPoolProps poolProps;
	const struct musaMemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	void *dptr;
};
typedef struct musaMemAllocNodeParams musaMemAllocNodeParams;

struct musaMemAllocNodeParamsV2 {
	struct musaMemPoolProps poolProps;
	const struct musaMemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	void *dptr;
};
typedef struct musaMemAllocNodeParamsV2 musaMemAllocNodeParamsV2;

struct musaMemFreeNodeParams {
	void *dptr;
};
typedef struct musaMemFreeNodeParams musaMemFreeNodeParams;

struct musaConditionalNodeParams {
	musaGraphConditionalHandle handle;
	enum musaGraphConditionalNodeType type;
	unsigned int size;
	musaGraph_t *phGraph_out;
};
typedef struct musaConditionalNodeParams musaConditionalNodeParams;

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

struct musaGraphEdgeData_st {
	unsigned char from_port;
	unsigned char to_port;
	unsigned char type;
	unsigned char reserved[5];
};
typedef struct musaGraphEdgeData_st musaGraphEdgeData;

struct musaGraphInstantiateParams_st {
	unsigned long long flags;
	musaStream_t uploadStream;
	musaGraphNode_t errNode_out;
	musaGraphInstantiateResult result_out;
};
typedef struct musaGraphInstantiateParams_st musaGraphInstantiateParams;

struct musaGraphExecUpdateResultInfo_st {
	enum musaGraphExecUpdateResult result;
	musaGraphNode_t errorNode;
	musaGraphNode_t errorFromNode;
};
typedef struct musaGraphExecUpdateResultInfo_st musaGraphExecUpdateResultInfo;

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

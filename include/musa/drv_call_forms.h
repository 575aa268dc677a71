/* SPDX-License-Identifier: MIT */
/* Names of driver calls that mean one version of several, or several by their parameters. */
#ifndef __MUSA_DRV_CALL_FORMS_H__
#define __MUSA_DRV_CALL_FORMS_H__

#include "drv_device_api.h"
#include "drv_graph_api.h"
#include "drv_memory_api.h"
#include "drv_module_api.h"
#include "drv_pool_api.h"
#include "drv_stream_api.h"

/*
 * The unsuffixed name of a call means its newest version. A name that is a function itself, with
 * other parameters than its versions, stays that function.
 */
#define muDeviceTotalMem muDeviceTotalMem_v2
#define muDevicePrimaryCtxRelease muDevicePrimaryCtxRelease_v2
#define muDevicePrimaryCtxSetFlags muDevicePrimaryCtxSetFlags_v2
#define muDevicePrimaryCtxReset muDevicePrimaryCtxReset_v2
#define muCtxCreate muCtxCreate_v2
#define muCtxDestroy muCtxDestroy_v2
#define muCtxPushCurrent muCtxPushCurrent_v2
#define muCtxPopCurrent muCtxPopCurrent_v2
#define muModuleGetGlobal muModuleGetGlobal_v2
#define muMemGetInfo muMemGetInfo_v2
#define muMemAlloc muMemAlloc_v2
#define muMemAllocPitch muMemAllocPitch_v2
#define muMemFree muMemFree_v2
#define muMemGetAddressRange muMemGetAddressRange_v2
#define muMemAllocHost muMemAllocHost_v2
#define muMemHostGetDevicePointer muMemHostGetDevicePointer_v2
#define muIpcOpenMemHandle muIpcOpenMemHandle_v2
#define muMemHostRegister muMemHostRegister_v2
#define muMemcpyHtoD muMemcpyHtoD_v2
#define muMemcpyDtoH muMemcpyDtoH_v2
#define muMemcpyDtoD muMemcpyDtoD_v2
#define muMemcpyHtoA muMemcpyHtoA_v2
#define muMemcpyAtoH muMemcpyAtoH_v2
#define muMemcpy2D muMemcpy2D_v2
#define muMemcpy3D muMemcpy3D_v2
#define muMemcpyHtoDAsync muMemcpyHtoDAsync_v2
#define muMemcpyDtoHAsync muMemcpyDtoHAsync_v2
#define muMemcpyDtoDAsync muMemcpyDtoDAsync_v2
#define muMemcpyHtoAAsync muMemcpyHtoAAsync_v2
#define muMemcpyAtoHAsync muMemcpyAtoHAsync_v2
#define muMemcpy2DAsync muMemcpy2DAsync_v2
#define muMemcpy3DAsync muMemcpy3DAsync_v2
#define muMemsetD8 muMemsetD8_v2
#define muMemsetD16 muMemsetD16_v2
#define muMemsetD32 muMemsetD32_v2
#define muMemsetD2D8 muMemsetD2D8_v2
#define muMemsetD2D16 muMemsetD2D16_v2
#define muMemsetD2D32 muMemsetD2D32_v2
#define muStreamBeginCapture muStreamBeginCapture_v2
#define muStreamDestroy muStreamDestroy_v2
#define muEventDestroy muEventDestroy_v2
#define muMemcpy2DUnaligned muMemcpy2DUnaligned_v2
#define muArray3DCreate muArray3DCreate_v2
#define muArrayCreate muArrayCreate_v2

#ifndef __cplusplus

/* The parameter after the seventh: what the arguments before it push there. */
#define __musa_drv_pick(a1, a2, a3, a4, a5, a6, a7, name, ...) name

/* 3: flags; 5: error node and log. */
#define muGraphInstantiate(...)                                                                    \
	__musa_drv_pick(__VA_ARGS__, muGraphInstantiateWithFlags, muGraphInstantiateWithFlags,     \
			muGraphInstantiate_v2, muGraphInstantiateWithFlags,                        \
			muGraphInstantiateWithFlags, muGraphInstantiateWithFlags,                  \
			muGraphInstantiateWithFlags, 0)                                            \
	(__VA_ARGS__)

/* 4: error node and result; 3: result info. */
#define muGraphExecUpdate(...)                                                                     \
	__musa_drv_pick(__VA_ARGS__, muGraphExecUpdate, muGraphExecUpdate, muGraphExecUpdate,      \
			muGraphExecUpdate, muGraphExecUpdate_v2, muGraphExecUpdate,                \
			muGraphExecUpdate, 0)                                                      \
	(__VA_ARGS__)

/* 3: status and id; 6: graph and dependencies too; 7: and the edges' data. */
#define muStreamGetCaptureInfo(...)                                                                \
	__musa_drv_pick(__VA_ARGS__, muStreamGetCaptureInfo_v3, muStreamGetCaptureInfo_v2,         \
			muStreamGetCaptureInfo, muStreamGetCaptureInfo, muStreamGetCaptureInfo,    \
			muStreamGetCaptureInfo, muStreamGetCaptureInfo, 0)                         \
	(__VA_ARGS__)

/* 4: the entry point; 5: and why there is none. */
#define muGetProcAddress(...)                                                                      \
	__musa_drv_pick(__VA_ARGS__, muGetProcAddress, muGetProcAddress, muGetProcAddress_v2,      \
			muGetProcAddress, muGetProcAddress, muGetProcAddress, muGetProcAddress, 0) \
	(__VA_ARGS__)

#else

static inline MUresult muGraphInstantiate(MUgraphExec *phGraphExec, MUgraph hGraph,
					  unsigned long long flags)
{
	return muGraphInstantiateWithFlags(phGraphExec, hGraph, flags);
}

static inline MUresult muGraphInstantiate(MUgraphExec *phGraphExec, MUgraph hGraph,
					  MUgraphNode *phErrorNode, char *logBuffer,
					  size_t bufferSize)
{
	return muGraphInstantiate_v2(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}

static inline MUresult muGraphExecUpdate(MUgraphExec hGraphExec, MUgraph hGraph,
					 MUgraphExecUpdateResultInfo *resultInfo)
{
	return muGraphExecUpdate_v2(hGraphExec, hGraph, resultInfo);
}

static inline MUresult
muStreamGetCaptureInfo(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
		       muuint64_t *id_out, MUgraph *graph_out,
		       const MUgraphNode **dependencies_out, size_t *numDependencies_out)
{
	return muStreamGetCaptureInfo_v2(hStream, captureStatus_out, id_out, graph_out,
					 dependencies_out, numDependencies_out);
}

static inline MUresult
muStreamGetCaptureInfo(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
		       muuint64_t *id_out, MUgraph *graph_out,
		       const MUgraphNode **dependencies_out, const MUgraphEdgeData **edgeData_out,
		       size_t *numDependencies_out)
{
	return muStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out, graph_out,
					 dependencies_out, edgeData_out, numDependencies_out);
}

static inline MUresult muGetProcAddress(const char *symbol, void **pfn, int musaVersion,
					muuint64_t flags,
					MUdriverProcAddressQueryResult *symbolStatus)
{
	return muGetProcAddress_v2(symbol, pfn, musaVersion, flags, symbolStatus);
}

/* Newer programs use one type, with the same numbers, for launches, kernel nodes and streams. */

static inline MUresult muGraphKernelNodeSetAttribute(MUgraphNode hNode, MUlaunchAttributeID attr,
						     const MUlaunchAttributeValue *value)
{
	return muGraphKernelNodeSetAttribute(
		hNode, static_cast<MUkernelNodeAttrID>(attr),
		reinterpret_cast<const MUkernelNodeAttrValue *>(value));
}

static inline MUresult muGraphKernelNodeGetAttribute(MUgraphNode hNode, MUlaunchAttributeID attr,
						     MUlaunchAttributeValue *value_out)
{
	return muGraphKernelNodeGetAttribute(hNode, static_cast<MUkernelNodeAttrID>(attr),
					     reinterpret_cast<MUkernelNodeAttrValue *>(value_out));
}

static inline MUresult muStreamSetAttribute(MUstream hStream, MUlaunchAttributeID attr,
					    const MUlaunchAttributeValue *value)
{
	return muStreamSetAttribute(hStream, static_cast<MUstreamAttrID>(attr),
				    reinterpret_cast<const MUstreamAttrValue *>(value));
}

static inline MUresult muStreamGetAttribute(MUstream hStream, MUlaunchAttributeID attr,
					    MUlaunchAttributeValue *value_out)
{
	return muStreamGetAttribute(hStream, static_cast<MUstreamAttrID>(attr),
				    reinterpret_cast<MUstreamAttrValue *>(value_out));
}

#endif

#endif /* __MUSA_DRV_CALL_FORMS_H__ */

/* SPDX-License-Identifier: MIT */
/* Streams, events, capture and external objects of the driver API. */
#ifndef __MUSA_DRV_STREAM_API_H__
#define __MUSA_DRV_STREAM_API_H__

#include "drv_types.h"

#include "api_begin.h"

MUresult muIpcGetEventHandle(MUipcEventHandle *pHandle, MUevent event);
MUresult muIpcOpenEventHandle(MUevent *phEvent, MUipcEventHandle handle);
MUresult muStreamCreate(MUstream *phStream, unsigned int Flags);
MUresult muStreamCreateWithPriority(MUstream *phStream, unsigned int flags, int priority);
MUresult muStreamGetPriority(MUstream hStream, int *priority);
MUresult muStreamGetFlags(MUstream hStream, unsigned int *flags);
MUresult muStreamGetCtx(MUstream hStream, MUcontext *pctx);
MUresult muStreamWaitEvent(MUstream hStream, MUevent hEvent, unsigned int Flags);
MUresult muStreamAddCallback(MUstream hStream, MUstreamCallback callback, void *userData,
			     unsigned int flags);
MUresult muStreamBeginCapture_v2(MUstream hStream, MUstreamCaptureMode mode);
MUresult muStreamEndCapture(MUstream hStream, MUgraph *phGraph);
MUresult muStreamAttachMemAsync(MUstream hStream, MUdeviceptr dptr, size_t length,
				unsigned int flags);
MUresult muStreamQuery(MUstream hStream);
MUresult muStreamSynchronize(MUstream hStream);
MUresult muStreamDestroy_v2(MUstream hStream);
MUresult muStreamCopyAttributes(MUstream dst, MUstream src);
MUresult muStreamGetAttribute(MUstream hStream, MUstreamAttrID attr, MUstreamAttrValue *value_out);
MUresult muStreamSetAttribute(MUstream hStream, MUstreamAttrID attr,
			      const MUstreamAttrValue *value);
MUresult muEventCreate(MUevent *phEvent, unsigned int Flags);
MUresult muEventRecord(MUevent hEvent, MUstream hStream);
MUresult muEventRecordWithFlags(MUevent hEvent, MUstream hStream, unsigned int flags);
MUresult muEventQuery(MUevent hEvent);
MUresult muEventSynchronize(MUevent hEvent);
MUresult muEventDestroy_v2(MUevent hEvent);
MUresult muEventElapsedTime(float *pMilliseconds, MUevent hStart, MUevent hEnd);
MUresult muLaunchHostFunc(MUstream hStream, MUhostFn fn, void *userData);
MUresult muDestroyExternalMemory(MUexternalMemory extMem);
MUresult muDestroyExternalSemaphore(MUexternalSemaphore extSem);
MUresult muEventElapsedTime_v2(float *pMilliseconds, MUevent hStart, MUevent hEnd);
MUresult muExternalMemoryGetMappedBuffer(MUdeviceptr *devPtr, MUexternalMemory extMem,
					 const MUSA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc);
MUresult muImportExternalMemory(MUexternalMemory *extMem_out,
				const MUSA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc);
MUresult muImportExternalSemaphore(MUexternalSemaphore *extSem_out,
				   const MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc);
MUresult muSignalExternalSemaphoresAsync(const MUexternalSemaphore *extSemArray,
					 const MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
					 unsigned int numExtSems, MUstream stream);
MUresult muStreamBatchMemOp(MUstream stream, unsigned int count,
			    MUstreamBatchMemOpParams *paramArray, unsigned int flags);
MUresult muStreamBatchMemOp_v2(MUstream stream, unsigned int count,
			       MUstreamBatchMemOpParams *paramArray, unsigned int flags);
MUresult muStreamBeginCaptureToGraph(MUstream hStream, MUgraph hGraph,
				     const MUgraphNode *dependencies,
				     const MUgraphEdgeData *dependencyData, size_t numDependencies,
				     MUstreamCaptureMode mode);
MUresult muStreamGetCaptureInfo(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				muuint64_t *id_out);
MUresult muStreamGetCaptureInfo_v2(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				   muuint64_t *id_out, MUgraph *graph_out,
				   const MUgraphNode **dependencies_out,
				   size_t *numDependencies_out);
MUresult muStreamGetCaptureInfo_v3(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				   muuint64_t *id_out, MUgraph *graph_out,
				   const MUgraphNode **dependencies_out,
				   const MUgraphEdgeData **edgeData_out,
				   size_t *numDependencies_out);
MUresult muStreamGetDevice(MUstream hStream, MUdevice *device);
MUresult muStreamGetId(MUstream hStream, unsigned long long *streamId);
MUresult muStreamIsCapturing(MUstream hStream, MUstreamCaptureStatus *captureStatus);
MUresult muStreamUpdateCaptureDependencies(MUstream hStream, MUgraphNode *dependencies,
					   size_t numDependencies, unsigned int flags);
MUresult muStreamUpdateCaptureDependencies_v2(MUstream hStream, MUgraphNode *dependencies,
					      const MUgraphEdgeData *dependencyData,
					      size_t numDependencies, unsigned int flags);
MUresult muStreamWaitValue32(MUstream stream, MUdeviceptr addr, muuint32_t value,
			     unsigned int flags);
MUresult muStreamWaitValue32_v2(MUstream stream, MUdeviceptr addr, muuint32_t value,
				unsigned int flags);
MUresult muStreamWaitValue64(MUstream stream, MUdeviceptr addr, muuint64_t value,
			     unsigned int flags);
MUresult muStreamWaitValue64_v2(MUstream stream, MUdeviceptr addr, muuint64_t value,
				unsigned int flags);
MUresult muStreamWriteValue32(MUstream stream, MUdeviceptr addr, muuint32_t value,
			      unsigned int flags);
MUresult muStreamWriteValue32_v2(MUstream stream, MUdeviceptr addr, muuint32_t value,
				 unsigned int flags);
MUresult muStreamWriteValue64(MUstream stream, MUdeviceptr addr, muuint64_t value,
			      unsigned int flags);
MUresult muStreamWriteValue64_v2(MUstream stream, MUdeviceptr addr, muuint64_t value,
				 unsigned int flags);
MUresult muThreadExchangeStreamCaptureMode(MUstreamCaptureMode *mode);
MUresult muWaitExternalSemaphoresAsync(const MUexternalSemaphore *extSemArray,
				       const MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
				       unsigned int numExtSems, MUstream stream);

#include "api_end.h"

#endif /* __MUSA_DRV_STREAM_API_H__ */

/* SPDX-License-Identifier: MIT */
/* Streams, events, capture and external objects of the driver API. */
#ifndef __MUSA_DRV_STREAM_API_H__
#define __MUSA_DRV_STREAM_API_H__

#include "drv_types.h"

/*
 * DOC: A call that names its runtime twin behaves as that does; what differs is the type of the
 * arguments and, where there is one, the context. NULL for a context means the current one. The
 * results have the runtime's numbers. Any thread may call; use of one graph is serialised by its
 * callers. Calls return MUSA_ERROR_NOT_INITIALIZED before muInit(), MUSA_ERROR_INVALID_CONTEXT if they
 * need a current context and there is none, and MUSA_ERROR_NOT_SUPPORTED if the README lists them as
 * not supported.
 */

#include "api_begin.h"

/* Describe an event to another process; see musaIpcGetEventHandle(). */
MUresult muIpcGetEventHandle(MUipcEventHandle *pHandle, MUevent event);
/* Open an event of another process; see musaIpcOpenEventHandle(). */
MUresult muIpcOpenEventHandle(MUevent *phEvent, MUipcEventHandle handle);
/* Make a stream on the current device; see musaStreamCreate(). */
MUresult muStreamCreate(MUstream *phStream, unsigned int Flags);
/* Make a stream with a priority; see musaStreamCreateWithPriority(). */
MUresult muStreamCreateWithPriority(MUstream *phStream, unsigned int flags, int priority);
/* Ask for the priority of a stream; see musaStreamGetPriority(). */
MUresult muStreamGetPriority(MUstream hStream, int *priority);
/* Ask for the flags of a stream; see musaStreamGetFlags(). */
MUresult muStreamGetFlags(MUstream hStream, unsigned int *flags);
/* Ask for the context of a stream. */
MUresult muStreamGetCtx(MUstream hStream, MUcontext *pctx);
/* Let later work of a stream wait for an event; see musaStreamWaitEvent(). */
MUresult muStreamWaitEvent(MUstream hStream, MUevent hEvent, unsigned int Flags);
/*
 * Call a host function after the work so far, and tell it how that went; see
 * musaStreamAddCallback().
 */
MUresult muStreamAddCallback(MUstream hStream, MUstreamCallback callback, void *userData,
			     unsigned int flags);
/*
 * Turn what is given to a stream from now on into nodes of a new graph; see
 * musaStreamBeginCapture().
 */
MUresult muStreamBeginCapture_v2(MUstream hStream, MUstreamCaptureMode mode);
/* End a capture in the stream that began it; see musaStreamEndCapture(). */
MUresult muStreamEndCapture(MUstream hStream, MUgraph *phGraph);
/* Say which stream uses managed memory; see musaStreamAttachMemAsync(). */
MUresult muStreamAttachMemAsync(MUstream hStream, MUdeviceptr dptr, size_t length,
				unsigned int flags);
/* Ask whether a stream has done all it was given; see musaStreamQuery(). */
MUresult muStreamQuery(MUstream hStream);
/* Wait until a stream has done all it was given; see musaStreamSynchronize(). */
MUresult muStreamSynchronize(MUstream hStream);
/* Destroy a stream; see musaStreamDestroy(). */
MUresult muStreamDestroy_v2(MUstream hStream);
/* Copy the attributes of a stream to another; see musaStreamCopyAttributes(). */
MUresult muStreamCopyAttributes(MUstream dst, MUstream src);
/* Ask for an attribute of a stream; see musaStreamGetAttribute(). */
MUresult muStreamGetAttribute(MUstream hStream, MUstreamAttrID attr, MUstreamAttrValue *value_out);
/* Set an attribute of a stream; see musaStreamSetAttribute(). */
MUresult muStreamSetAttribute(MUstream hStream, MUstreamAttrID attr,
			      const MUstreamAttrValue *value);
/* Make an event with timing on the current device; see musaEventCreate(). */
MUresult muEventCreate(MUevent *phEvent, unsigned int Flags);
/* Let an event stand for all that a stream was given so far; see musaEventRecord(). */
MUresult muEventRecord(MUevent hEvent, MUstream hStream);
/* As musaEventRecord(), or as a node of a capture; see musaEventRecordWithFlags(). */
MUresult muEventRecordWithFlags(MUevent hEvent, MUstream hStream, unsigned int flags);
/* Ask whether the work that an event stands for is done; see musaEventQuery(). */
MUresult muEventQuery(MUevent hEvent);
/* Wait for the work that an event stands for; see musaEventSynchronize(). */
MUresult muEventSynchronize(MUevent hEvent);
/* Destroy an event; see musaEventDestroy(). */
MUresult muEventDestroy_v2(MUevent hEvent);
/* Measure the time between two events; see musaEventElapsedTime(). */
MUresult muEventElapsedTime(float *pMilliseconds, MUevent hStart, MUevent hEnd);
/* Call a host function after the work so far; see musaLaunchHostFunc(). */
MUresult muLaunchHostFunc(MUstream hStream, MUhostFn fn, void *userData);
/* Give external memory up; see musaDestroyExternalMemory(). */
MUresult muDestroyExternalMemory(MUexternalMemory extMem);
/* Give an external semaphore up; see musaDestroyExternalSemaphore(). */
MUresult muDestroyExternalSemaphore(MUexternalSemaphore extSem);
/* Measure the time between two events; see musaEventElapsedTime(). */
MUresult muEventElapsedTime_v2(float *pMilliseconds, MUevent hStart, MUevent hEnd);
/* Map a part of external memory; see musaExternalMemoryGetMappedBuffer(). */
MUresult muExternalMemoryGetMappedBuffer(MUdeviceptr *devPtr, MUexternalMemory extMem,
					 const MUSA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc);
/* Take memory over from another API; see musaImportExternalMemory(). */
MUresult muImportExternalMemory(MUexternalMemory *extMem_out,
				const MUSA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc);
/* Take a semaphore over from another API; see musaImportExternalSemaphore(). */
MUresult muImportExternalSemaphore(MUexternalSemaphore *extSem_out,
				   const MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc);
/* Signal external semaphores after the work so far; see musaSignalExternalSemaphoresAsync(). */
MUresult muSignalExternalSemaphoresAsync(const MUexternalSemaphore *extSemArray,
					 const MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
					 unsigned int numExtSems, MUstream stream);
/* Do several of the four calls before, in order. */
MUresult muStreamBatchMemOp(MUstream stream, unsigned int count,
			    MUstreamBatchMemOpParams *paramArray, unsigned int flags);
/* As muStreamBatchMemOp(). */
MUresult muStreamBatchMemOp_v2(MUstream stream, unsigned int count,
			       MUstreamBatchMemOpParams *paramArray, unsigned int flags);
/* As musaStreamBeginCapture(), into a graph that exists; see musaStreamBeginCaptureToGraph(). */
MUresult muStreamBeginCaptureToGraph(MUstream hStream, MUgraph hGraph,
				     const MUgraphNode *dependencies,
				     const MUgraphEdgeData *dependencyData, size_t numDependencies,
				     MUstreamCaptureMode mode);
/* Ask for status and number of a capture; see musaStreamGetCaptureInfo(). */
MUresult muStreamGetCaptureInfo(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				muuint64_t *id_out);
/* Ask for all there is to know of a capture; see musaStreamGetCaptureInfo_v2(). */
MUresult muStreamGetCaptureInfo_v2(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				   muuint64_t *id_out, MUgraph *graph_out,
				   const MUgraphNode **dependencies_out,
				   size_t *numDependencies_out);
/*
 * As musaStreamGetCaptureInfo_v2(), with the data of the edges; see musaStreamGetCaptureInfo_v3().
 */
MUresult muStreamGetCaptureInfo_v3(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				   muuint64_t *id_out, MUgraph *graph_out,
				   const MUgraphNode **dependencies_out,
				   const MUgraphEdgeData **edgeData_out,
				   size_t *numDependencies_out);
/* Ask for the device of a stream; see musaStreamGetDevice(). */
MUresult muStreamGetDevice(MUstream hStream, MUdevice *device);
/* Ask for the number of a stream, unique in the process; see musaStreamGetId(). */
MUresult muStreamGetId(MUstream hStream, unsigned long long *streamId);
/* Ask whether a stream is capturing; see musaStreamIsCapturing(). */
MUresult muStreamIsCapturing(MUstream hStream, MUstreamCaptureStatus *captureStatus);
/* Change what the next captured node depends on; see musaStreamUpdateCaptureDependencies(). */
MUresult muStreamUpdateCaptureDependencies(MUstream hStream, MUgraphNode *dependencies,
					   size_t numDependencies, unsigned int flags);
/*
 * As musaStreamUpdateCaptureDependencies(), with data for the edges; see
 * musaStreamUpdateCaptureDependencies_v2().
 */
MUresult muStreamUpdateCaptureDependencies_v2(MUstream hStream, MUgraphNode *dependencies,
					      const MUgraphEdgeData *dependencyData,
					      size_t numDependencies, unsigned int flags);
/* Let later work of a stream wait until 32 bits of memory compare as the flags say. */
MUresult muStreamWaitValue32(MUstream stream, MUdeviceptr addr, muuint32_t value,
			     unsigned int flags);
/* As muStreamWaitValue32(); all comparisons are available. */
MUresult muStreamWaitValue32_v2(MUstream stream, MUdeviceptr addr, muuint32_t value,
				unsigned int flags);
/* Let later work of a stream wait until 64 bits of memory compare as the flags say. */
MUresult muStreamWaitValue64(MUstream stream, MUdeviceptr addr, muuint64_t value,
			     unsigned int flags);
/* As muStreamWaitValue64(); all comparisons are available. */
MUresult muStreamWaitValue64_v2(MUstream stream, MUdeviceptr addr, muuint64_t value,
				unsigned int flags);
/* Write 32 bits after the work so far. */
MUresult muStreamWriteValue32(MUstream stream, MUdeviceptr addr, muuint32_t value,
			      unsigned int flags);
/* As muStreamWriteValue32(). */
MUresult muStreamWriteValue32_v2(MUstream stream, MUdeviceptr addr, muuint32_t value,
				 unsigned int flags);
/* Write 64 bits after the work so far. */
MUresult muStreamWriteValue64(MUstream stream, MUdeviceptr addr, muuint64_t value,
			      unsigned int flags);
/* As muStreamWriteValue64(). */
MUresult muStreamWriteValue64_v2(MUstream stream, MUdeviceptr addr, muuint64_t value,
				 unsigned int flags);
/*
 * Change which captures refuse unsafe calls of this thread; see
 * musaThreadExchangeStreamCaptureMode().
 */
MUresult muThreadExchangeStreamCaptureMode(MUstreamCaptureMode *mode);
/*
 * Let later work of a stream wait for external semaphores; see musaWaitExternalSemaphoresAsync().
 */
MUresult muWaitExternalSemaphoresAsync(const MUexternalSemaphore *extSemArray,
				       const MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
				       unsigned int numExtSems, MUstream stream);

#include "api_end.h"

#endif /* __MUSA_DRV_STREAM_API_H__ */

/* SPDX-License-Identifier: MIT */
/* Devices, limits, peers, inter-process handles, versions and errors of the runtime API. */
#ifndef __MUSA_DEVICE_API_H__
#define __MUSA_DEVICE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaDeviceReset(void);
musaError_t musaDeviceSynchronize(void);
musaError_t musaDeviceSetLimit(enum musaLimit limit, size_t value);
musaError_t musaDeviceGetLimit(size_t *pValue, enum musaLimit limit);
musaError_t musaDeviceGetCacheConfig(enum musaFuncCache *pCacheConfig);
musaError_t musaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
musaError_t musaDeviceSetCacheConfig(enum musaFuncCache cacheConfig);
musaError_t musaDeviceGetByPCIBusId(int *device, const char *pciBusId);
musaError_t musaDeviceGetPCIBusId(char *pciBusId, int len, int device);
musaError_t musaIpcGetEventHandle(musaIpcEventHandle_t *handle, musaEvent_t event);
musaError_t musaIpcOpenEventHandle(musaEvent_t *event, musaIpcEventHandle_t handle);
musaError_t musaIpcGetMemHandle(musaIpcMemHandle_t *handle, void *devPtr);
musaError_t musaIpcOpenMemHandle(void **devPtr, musaIpcMemHandle_t handle, unsigned int flags);
musaError_t musaIpcCloseMemHandle(void *devPtr);
musaError_t musaDeviceFlushGPUDirectRDMAWrites(enum musaFlushGPUDirectRDMAWritesTarget target,
					       enum musaFlushGPUDirectRDMAWritesScope scope);
musaError_t musaDeviceRegisterAsyncNotification(int device, musaAsyncCallback callbackFunc,
						void *userData,
						musaAsyncCallbackHandle_t *callback);
musaError_t musaDeviceUnregisterAsyncNotification(int device, musaAsyncCallbackHandle_t callback);
musaError_t musaDeviceGetSharedMemConfig(enum musaSharedMemConfig *pConfig);
musaError_t musaDeviceSetSharedMemConfig(enum musaSharedMemConfig config);
musaError_t musaGetLastError(void);
musaError_t musaPeekAtLastError(void);
const char *musaGetErrorName(musaError_t error);
const char *musaGetErrorString(musaError_t error);
musaError_t musaGetDeviceCount(int *count);
musaError_t musaDeviceGetAttribute(int *value, enum musaDeviceAttr attr, int device);
musaError_t musaDeviceGetP2PAttribute(int *value, enum musaDeviceP2PAttr attr, int srcDevice,
				      int dstDevice);
musaError_t musaChooseDevice(int *device, const struct musaDeviceProp *prop);
musaError_t musaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
musaError_t musaSetDevice(int device);
musaError_t musaGetDevice(int *device);
musaError_t musaSetValidDevices(int *device_arr, int len);
musaError_t musaSetDeviceFlags(unsigned int flags);
musaError_t musaGetDeviceFlags(unsigned int *flags);
musaError_t musaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice);
musaError_t musaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
musaError_t musaDeviceDisablePeerAccess(int peerDevice);
musaError_t musaDriverGetVersion(int *driverVersion);
musaError_t musaRuntimeGetVersion(int *runtimeVersion);
musaError_t musaThreadExit(void);
musaError_t musaThreadSynchronize(void);
musaError_t musaThreadSetLimit(enum musaLimit limit, size_t value);
musaError_t musaThreadGetLimit(size_t *pValue, enum musaLimit limit);
musaError_t musaGetDeviceProperties(struct musaDeviceProp *prop, int device);

#include "api_end.h"

#endif /* __MUSA_DEVICE_API_H__ */

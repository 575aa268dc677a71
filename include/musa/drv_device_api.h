/* SPDX-License-Identifier: MIT */
/* Initialisation, devices, contexts, peers and entry points of the driver API. */
#ifndef __MUSA_DRV_DEVICE_API_H__
#define __MUSA_DRV_DEVICE_API_H__

#include "drv_types.h"

#include "api_begin.h"

MUresult muGetErrorString(MUresult error, const char **pStr);
MUresult muGetErrorName(MUresult error, const char **pStr);
MUresult muInit(unsigned int Flags);
MUresult muDriverGetVersion(int *driverVersion);
MUresult muDeviceGet(MUdevice *device, int ordinal);
MUresult muDeviceGetCount(int *count);
MUresult muDeviceGetName(char *name, int len, MUdevice dev);
MUresult muDeviceGetUuid_v2(MUuuid *uuid, MUdevice dev);
MUresult muDeviceTotalMem_v2(size_t *bytes, MUdevice dev);
MUresult muDeviceGetAttribute(int *pi, MUdevice_attribute attrib, MUdevice dev);
MUresult muDeviceGetProperties(MUdevprop *prop, MUdevice dev);
MUresult muDeviceComputeCapability(int *major, int *minor, MUdevice dev);
MUresult muDevicePrimaryCtxRetain(MUcontext *pctx, MUdevice dev);
MUresult muDevicePrimaryCtxRelease_v2(MUdevice dev);
MUresult muDevicePrimaryCtxSetFlags_v2(MUdevice dev, unsigned int flags);
MUresult muDevicePrimaryCtxGetState(MUdevice dev, unsigned int *flags, int *active);
MUresult muDevicePrimaryCtxReset_v2(MUdevice dev);
MUresult muCtxCreate_v2(MUcontext *pctx, unsigned int flags, MUdevice dev);
MUresult muCtxDestroy_v2(MUcontext ctx);
MUresult muCtxPushCurrent_v2(MUcontext ctx);
MUresult muCtxPopCurrent_v2(MUcontext *pctx);
MUresult muCtxSetCurrent(MUcontext ctx);
MUresult muCtxGetCurrent(MUcontext *pctx);
MUresult muCtxGetDevice(MUdevice *device);
MUresult muCtxGetFlags(unsigned int *flags);
MUresult muCtxSynchronize(void);
MUresult muCtxSetLimit(MUlimit limit, size_t value);
MUresult muCtxGetLimit(size_t *pvalue, MUlimit limit);
MUresult muCtxGetCacheConfig(MUfunc_cache *pconfig);
MUresult muCtxSetCacheConfig(MUfunc_cache config);
MUresult muCtxGetSharedMemConfig(MUsharedconfig *pConfig);
MUresult muCtxSetSharedMemConfig(MUsharedconfig config);
MUresult muCtxGetApiVersion(MUcontext ctx, unsigned int *version);
MUresult muCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
MUresult muCtxResetPersistingL2Cache(void);
MUresult muDeviceGetByPCIBusId(MUdevice *dev, const char *pciBusId);
MUresult muDeviceGetPCIBusId(char *pciBusId, int len, MUdevice dev);
MUresult muDeviceCanAccessPeer(int *canAccessPeer, MUdevice dev, MUdevice peerDev);
MUresult muCtxEnablePeerAccess(MUcontext peerContext, unsigned int Flags);
MUresult muCtxDisablePeerAccess(MUcontext peerContext);
MUresult muDeviceGetP2PAttribute(int *value, MUdevice_P2PAttribute attrib, MUdevice srcDevice,
				 MUdevice dstDevice);
MUresult muGetProcAddress(const char *symbol, void **pfn, int musaVersion, muuint64_t flags);
MUresult muGetExportTable(const void **ppExportTable, const MUuuid *pExportTableId);
MUresult muCtxAttach(MUcontext *pctx, unsigned int flags);
MUresult muCtxCreate_v3(MUcontext *pctx, MUexecAffinityParam *paramsArray, int numParams,
			unsigned int flags, MUdevice dev);
MUresult muCtxDetach(MUcontext ctx);
MUresult muCtxGetExecAffinity(MUexecAffinityParam *pExecAffinity, MUexecAffinityType type);
MUresult muCtxGetId(MUcontext ctx, unsigned long long *ctxId);
MUresult muCtxSetFlags(unsigned int flags);
MUresult muDeviceGetExecAffinitySupport(int *pi, MUexecAffinityType type, MUdevice dev);
MUresult muDeviceGetUuid(MUuuid *uuid, MUdevice dev);
MUresult muGetProcAddress_v2(const char *symbol, void **pfn, int musaVersion, muuint64_t flags,
			     MUdriverProcAddressQueryResult *symbolStatus);

#include "api_end.h"

#endif /* __MUSA_DRV_DEVICE_API_H__ */

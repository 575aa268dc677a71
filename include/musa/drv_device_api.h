/* SPDX-License-Identifier: MIT */
/* Initialisation, devices, contexts, peers and entry points of the driver API. */
#ifndef __MUSA_DRV_DEVICE_API_H__
#define __MUSA_DRV_DEVICE_API_H__

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

/* Describe an error code; see musaGetErrorString(). */
MUresult muGetErrorString(MUresult error, const char **pStr);
/* Name an error code; see musaGetErrorName(). */
MUresult muGetErrorName(MUresult error, const char **pStr);
/* Initialise the driver; every other call but the version and error ones needs it. Flags: 0. */
MUresult muInit(unsigned int Flags);
/* Ask for the version of the driver API; see musaDriverGetVersion(). */
MUresult muDriverGetVersion(int *driverVersion);
/* Turn an ordinal, from 0, into a device. */
MUresult muDeviceGet(MUdevice *device, int ordinal);
/* Count the devices. */
MUresult muDeviceGetCount(int *count);
/* Name a device, in at most @len bytes with the NUL. */
MUresult muDeviceGetName(char *name, int len, MUdevice dev);
/* As muDeviceGetUuid(); a partition of a device has its own. */
MUresult muDeviceGetUuid_v2(MUuuid *uuid, MUdevice dev);
/* Ask for the bytes of memory of a device. */
MUresult muDeviceTotalMem_v2(size_t *bytes, MUdevice dev);
/* Ask for one property of a device; see musaDeviceGetAttribute(). */
MUresult muDeviceGetAttribute(int *pi, MUdevice_attribute attrib, MUdevice dev);
/* Describe a device, in the old form; muDeviceGetAttribute() tells more. */
MUresult muDeviceGetProperties(MUdevprop *prop, MUdevice dev);
/* Ask for the compute capability of a device. */
MUresult muDeviceComputeCapability(int *major, int *minor, MUdevice dev);
/* Take a reference to the primary context of a device; the first one creates it. */
MUresult muDevicePrimaryCtxRetain(MUcontext *pctx, MUdevice dev);
/* Give a reference to the primary context up; the last one destroys it. */
MUresult muDevicePrimaryCtxRelease_v2(MUdevice dev);
/* Set how threads wait in the primary context; may be called while it is active. */
MUresult muDevicePrimaryCtxSetFlags_v2(MUdevice dev, unsigned int flags);
/* Ask for the flags of the primary context, and whether it exists. */
MUresult muDevicePrimaryCtxGetState(MUdevice dev, unsigned int *flags, int *active);
/* Destroy all that the primary context holds, whoever refers to it. */
MUresult muDevicePrimaryCtxReset_v2(MUdevice dev);
/* Push the one context of a device, its primary one, onto the stack of the calling thread, and take a
 * reference to it. */
MUresult muCtxCreate_v2(MUcontext *pctx, unsigned int flags, MUdevice dev);
/* Give such a reference up; the calling thread's stack loses the context if it is on top. The context
 * ends with the last reference, unless the runtime API uses it. MUSA_ERROR_INVALID_CONTEXT without one. */
MUresult muCtxDestroy_v2(MUcontext ctx);
/* Push a context onto the stack of the calling thread. */
MUresult muCtxPushCurrent_v2(MUcontext ctx);
/* Pop the context of the calling thread. */
MUresult muCtxPopCurrent_v2(MUcontext *pctx);
/* Replace the context of the calling thread; NULL pops it. */
MUresult muCtxSetCurrent(MUcontext ctx);
/* Ask for the context of the calling thread; NULL if there is none. */
MUresult muCtxGetCurrent(MUcontext *pctx);
/* Ask for the device of the current context. */
MUresult muCtxGetDevice(MUdevice *device);
/* Ask for the flags of the current context. */
MUresult muCtxGetFlags(unsigned int *flags);
/* Wait until the current context has done all it was given. */
MUresult muCtxSynchronize(void);
/* Set a limit of the current context; bytes or a count, which may be rounded up. */
MUresult muCtxSetLimit(MUlimit limit, size_t value);
/* Ask for a limit of the current context. */
MUresult muCtxGetLimit(size_t *pvalue, MUlimit limit);
/* Ask how cache and shared memory are split. */
MUresult muCtxGetCacheConfig(MUfunc_cache *pconfig);
/* Prefer a split of cache and shared memory. */
MUresult muCtxSetCacheConfig(MUfunc_cache config);
/* Ask for the bank width of shared memory. */
MUresult muCtxGetSharedMemConfig(MUsharedconfig *pConfig);
/* Prefer a bank width of shared memory. */
MUresult muCtxSetSharedMemConfig(MUsharedconfig config);
/* Ask which version of the API a context was made for. */
MUresult muCtxGetApiVersion(MUcontext ctx, unsigned int *version);
/* Ask for the lowest priority (the largest number) and the highest. */
MUresult muCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
/* Let lines that were to stay in the cache go; see musaCtxResetPersistingL2Cache(). */
MUresult muCtxResetPersistingL2Cache(void);
/* Find a device by its place on the PCI bus; see musaDeviceGetByPCIBusId(). */
MUresult muDeviceGetByPCIBusId(MUdevice *dev, const char *pciBusId);
/* Ask for the place of a device on the PCI bus; see musaDeviceGetPCIBusId(). */
MUresult muDeviceGetPCIBusId(char *pciBusId, int len, MUdevice dev);
/* Ask whether a device can reach the memory of another; see musaDeviceCanAccessPeer(). */
MUresult muDeviceCanAccessPeer(int *canAccessPeer, MUdevice dev, MUdevice peerDev);
/* Let the current context reach the memory of another. */
MUresult muCtxEnablePeerAccess(MUcontext peerContext, unsigned int Flags);
/* Undo muCtxEnablePeerAccess(). */
MUresult muCtxDisablePeerAccess(MUcontext peerContext);
/* Ask what two devices can do with each other; see musaDeviceGetP2PAttribute(). */
MUresult muDeviceGetP2PAttribute(int *value, MUdevice_P2PAttribute attrib, MUdevice srcDevice,
				 MUdevice dstDevice);
/*
 * Find a driver call by unversioned name and version (as MUSA_VERSION counts): what the headers mean by
 * the name. Where that depends on the number of arguments, it is the newer form from version 50000 on.
 * MUSA_ERROR_NOT_FOUND if there is none; MUSA_ERROR_NOT_SUPPORTED for calls whose stream 0 is the
 * thread's own. Needs no muInit().
 */
MUresult muGetProcAddress(const char *symbol, void **pfn, int musaVersion, muuint64_t flags);
/* Ask for a private function table; see musaGetExportTable(). */
MUresult muGetExportTable(const void **ppExportTable, const MUuuid *pExportTableId);
/* Old: take a reference to the current context. */
MUresult muCtxAttach(MUcontext *pctx, unsigned int flags);
/* As muCtxCreate_v2(), with a part of the device's processors. */
MUresult muCtxCreate_v3(MUcontext *pctx, MUexecAffinityParam *paramsArray, int numParams,
			unsigned int flags, MUdevice dev);
/* Old: give a reference to a context up. */
MUresult muCtxDetach(MUcontext ctx);
/* Ask which part of the device's processors the current context has. */
MUresult muCtxGetExecAffinity(MUexecAffinityParam *pExecAffinity, MUexecAffinityType type);
/* Ask for the number of a context (NULL: the current one), unique in the process. */
MUresult muCtxGetId(MUcontext ctx, unsigned long long *ctxId);
/* Set how threads wait in the current context. */
MUresult muCtxSetFlags(unsigned int flags);
/* Ask whether contexts may have a part of a device's processors. */
MUresult muDeviceGetExecAffinitySupport(int *pi, MUexecAffinityType type, MUdevice dev);
/* Ask for the identifier of a device. */
MUresult muDeviceGetUuid(MUuuid *uuid, MUdevice dev);
/* As muGetProcAddress(), but what is not found is a status and a NULL address, and no error. */
MUresult muGetProcAddress_v2(const char *symbol, void **pfn, int musaVersion, muuint64_t flags,
			     MUdriverProcAddressQueryResult *symbolStatus);

#include "api_end.h"

#endif /* __MUSA_DRV_DEVICE_API_H__ */

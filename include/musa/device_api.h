/* SPDX-License-Identifier: MIT */
/* Devices, limits, peers, inter-process handles, versions and errors of the runtime API. */
#ifndef __MUSA_DEVICE_API_H__
#define __MUSA_DEVICE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaGetDeviceCount() - Count the devices.
 * @count:	[out] Devices, 0 if there are none.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNoDevice  there are none
 */
musaError_t musaGetDeviceCount(int *count);

/**
 * musaSetDevice() - Choose the device of the calling thread.
 * @device:	Device ordinal, from 0.
 *
 * Creates the primary context of the device if need be. Threads start with device 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidDevice  no such device
 */
musaError_t musaSetDevice(int device);

/**
 * musaGetDevice() - Ask for the device of the calling thread.
 * @device:	[out] Ordinal.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaGetDevice(int *device);

/**
 * musaChooseDevice() - Find the device that comes closest to wanted properties.
 * @device:	[out] Ordinal.
 * @prop:	Properties; those left 0 do not count.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNoDevice  there are none
 */
musaError_t musaChooseDevice(int *device, const struct musaDeviceProp *prop);

/**
 * musaSetValidDevices() - Say which devices to try, and in which order.
 * @device_arr:	Ordinals.
 * @len:	Length of the array; 0 means all devices.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL with @len over 0
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaSetValidDevices(int *device_arr, int len);

/**
 * musaInitDevice() - Initialise a device without making it current.
 * @device:	Device ordinal, from 0.
 * @deviceFlags:	Flags as for musaSetDeviceFlags().
 * @flags:	musaInitDeviceFlagsAreValid if @deviceFlags is to be applied, else 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  unknown flag
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);

/**
 * musaSetDeviceFlags() - Set how threads wait for the current device.
 * @flags:	musaDeviceSchedule*, with musaDeviceMapHost, musaDeviceLmemResizeToMax and
 *	musaDeviceSyncMemops.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  unknown flags, or two schedules
 */
musaError_t musaSetDeviceFlags(unsigned int flags);

/**
 * musaGetDeviceFlags() - Ask for the flags of the current device.
 * @flags:	[out] Flags, musaDeviceMapHost always among them.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaGetDeviceFlags(unsigned int *flags);

/**
 * musaGetDeviceProperties() - Describe a device.
 * @prop:	[out] All 1,032 bytes are written.
 * @device:	Device ordinal, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaGetDeviceProperties(struct musaDeviceProp *prop, int device);

/**
 * musaDeviceGetAttribute() - Ask for one property of a device.
 * @value:	[out] Value; units are those of the attribute.
 * @attr:	Attribute.
 * @device:	Device ordinal, from 0.
 *
 * Cheaper than musaGetDeviceProperties(), and what counts where the two differ.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown attribute
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceGetAttribute(int *value, enum musaDeviceAttr attr, int device);

/**
 * musaDeviceGetP2PAttribute() - Ask what two devices can do with each other.
 * @value:	[out] Value.
 * @attr:	Attribute.
 * @srcDevice:	Device that owns @src.
 * @dstDevice:	Device that owns @dst.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, unknown attribute, or one device twice
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceGetP2PAttribute(int *value, enum musaDeviceP2PAttr attr, int srcDevice,
				      int dstDevice);

/**
 * musaDeviceReset() - Destroy the primary context of the current device.
 *
 * Streams, events, memory and modules of the device go with it. The next call makes a new one.
 *
 * Thread safety: one thread, when no other uses the device.
 */
musaError_t musaDeviceReset(void);

/**
 * musaDeviceSynchronize() - Wait until the current device has done all it was given.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorStreamCaptureUnsupported  a stream of the device captures; all its captures
 *			are invalidated
 */
musaError_t musaDeviceSynchronize(void);

/**
 * musaDeviceSetLimit() - Set a limit of the current device.
 * @limit:	Limit.
 * @value:	Bytes or a count; the device may round up.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  out of range
 *		musaErrorUnsupportedLimit  the device has no such limit
 *		musaErrorStreamCaptureUnsupported  the thread is capturing
 */
musaError_t musaDeviceSetLimit(enum musaLimit limit, size_t value);

/**
 * musaDeviceGetLimit() - Ask for a limit of the current device.
 * @pValue:	[out] Bytes or a count.
 * @limit:	Limit.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorUnsupportedLimit  the device has no such limit
 */
musaError_t musaDeviceGetLimit(size_t *pValue, enum musaLimit limit);

/**
 * musaDeviceGetCacheConfig() - Ask how cache and shared memory are split.
 * @pCacheConfig:	[out] Preference.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaDeviceGetCacheConfig(enum musaFuncCache *pCacheConfig);

/**
 * musaDeviceSetCacheConfig() - Prefer a split of cache and shared memory.
 * @cacheConfig:	Preference, which the device may ignore.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  unknown preference
 */
musaError_t musaDeviceSetCacheConfig(enum musaFuncCache cacheConfig);

/**
 * musaDeviceGetSharedMemConfig() - Ask for the bank width of shared memory.
 * @pConfig:	[out] Width.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaDeviceGetSharedMemConfig(enum musaSharedMemConfig *pConfig);

/**
 * musaDeviceSetSharedMemConfig() - Prefer a bank width of shared memory.
 * @config:	Width, which the device may ignore.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  unknown width
 */
musaError_t musaDeviceSetSharedMemConfig(enum musaSharedMemConfig config);

/**
 * musaDeviceGetStreamPriorityRange() - Ask which stream priorities the current device has.
 * @leastPriority:	[out] Lowest, the largest number. May be NULL.
 * @greatestPriority:	[out] Highest, the smallest number. May be NULL.
 *
 * Thread safety: any thread.
 */
musaError_t musaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);

/**
 * musaDeviceGetByPCIBusId() - Find a device by its place on the PCI bus.
 * @device:	[out] Ordinal.
 * @pciBusId:	domain:bus:device.function, in hexadecimal; domain and function may be left out.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or malformed
 *		musaErrorInvalidDevice  no device there
 */
musaError_t musaDeviceGetByPCIBusId(int *device, const char *pciBusId);

/**
 * musaDeviceGetPCIBusId() - Ask for the place of a device on the PCI bus.
 * @pciBusId:	[out] domain:bus:device.function, ended by a NUL.
 * @len:	Bytes in @pciBusId; 13 are enough.
 * @device:	Device ordinal, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or too short
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceGetPCIBusId(char *pciBusId, int len, int device);

/**
 * musaDeviceCanAccessPeer() - Ask whether a device can reach the memory of another.
 * @canAccessPeer:	[out] 1 or 0.
 * @device:	Device ordinal, from 0.
 * @peerDevice:	Device that owns the memory.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice);

/**
 * musaDeviceEnablePeerAccess() - Let kernels of the current device reach the memory of another.
 * @peerDevice:	Device that owns the memory.
 * @flags:	0: none is defined.
 *
 * One way only.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  @flags is not 0
 *		musaErrorInvalidDevice  no such device, or the current one
 *		musaErrorPeerAccessUnsupported  the devices cannot
 *		musaErrorPeerAccessAlreadyEnabled  done before
 */
musaError_t musaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);

/**
 * musaDeviceDisablePeerAccess() - Undo musaDeviceEnablePeerAccess().
 * @peerDevice:	Device that owns the memory.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidDevice  no such device
 *		musaErrorPeerAccessNotEnabled  not enabled
 */
musaError_t musaDeviceDisablePeerAccess(int peerDevice);

/**
 * musaDeviceFlushGPUDirectRDMAWrites() - Make remote writes visible to a device.
 * @target:	Device.
 * @scope:	To whom they become visible.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  the device has no such writes
 */
musaError_t musaDeviceFlushGPUDirectRDMAWrites(enum musaFlushGPUDirectRDMAWritesTarget target,
					       enum musaFlushGPUDirectRDMAWritesScope scope);

/**
 * musaDeviceRegisterAsyncNotification() - Ask to be called when a device is over its memory budget.
 * @device:	Device ordinal, from 0.
 * @callbackFunc:	Function.
 * @userData:	Passed to the callback.
 * @callback:	[out] Handle.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaDeviceRegisterAsyncNotification(int device, musaAsyncCallback callbackFunc,
						void *userData,
						musaAsyncCallbackHandle_t *callback);

/**
 * musaDeviceUnregisterAsyncNotification() - Undo musaDeviceRegisterAsyncNotification().
 * @device:	Device ordinal, from 0.
 * @callback:	Handle.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaDeviceUnregisterAsyncNotification(int device, musaAsyncCallbackHandle_t callback);

/**
 * musaIpcGetEventHandle() - Describe an event to another process.
 * @handle:	[out] 64 bytes to pass on.
 * @event:	Event made with musaEventInterprocess and musaEventDisableTiming.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or another event
 */
musaError_t musaIpcGetEventHandle(musaIpcEventHandle_t *handle, musaEvent_t event);

/**
 * musaIpcOpenEventHandle() - Open an event of another process.
 * @event:	[out] Event. The caller destroys it.
 * @handle:	Bytes from musaIpcGetEventHandle() there.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  not such a handle, or of this process
 */
musaError_t musaIpcOpenEventHandle(musaEvent_t *event, musaIpcEventHandle_t handle);

/**
 * musaIpcGetMemHandle() - Describe an allocation to another process.
 * @handle:	[out] 64 bytes to pass on.
 * @devPtr:	Memory from musaMalloc().
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or other memory
 */
musaError_t musaIpcGetMemHandle(musaIpcMemHandle_t *handle, void *devPtr);

/**
 * musaIpcOpenMemHandle() - Map an allocation of another process.
 * @devPtr:	[out] First byte of the allocation.
 * @handle:	Bytes from musaIpcGetMemHandle() there.
 * @flags:	musaIpcMemLazyEnablePeerAccess.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  not such a handle, or of this process
 */
musaError_t musaIpcOpenMemHandle(void **devPtr, musaIpcMemHandle_t handle, unsigned int flags);

/**
 * musaIpcCloseMemHandle() - Undo musaIpcOpenMemHandle().
 * @devPtr:	Its address.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  another address
 */
musaError_t musaIpcCloseMemHandle(void *devPtr);

/**
 * musaDriverGetVersion() - Ask for the version of the driver API.
 * @driverVersion:	[out] major * 10000 + minor * 100.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaDriverGetVersion(int *driverVersion);

/**
 * musaRuntimeGetVersion() - Ask for the version of the runtime API.
 * @runtimeVersion:	[out] major * 10000 + minor * 100.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaRuntimeGetVersion(int *runtimeVersion);

/**
 * musaGetLastError() - Return the last error of the calling thread, and forget it.
 *
 * Errors of asynchronous work may show here. An error that broke the device stays.
 *
 * Thread safety: any thread.
 */
musaError_t musaGetLastError(void);

/**
 * musaPeekAtLastError() - Return the last error of the calling thread, and keep it.
 *
 * Thread safety: any thread.
 */
musaError_t musaPeekAtLastError(void);

/**
 * musaGetErrorName() - Name an error code.
 * @error:	Code.
 *
 * Returns a constant string, also for a code that is none.
 *
 * Thread safety: any thread.
 */
const char *musaGetErrorName(musaError_t error);

/**
 * musaGetErrorString() - Describe an error code.
 * @error:	Code.
 *
 * Returns a constant string, also for a code that is none.
 *
 * Thread safety: any thread.
 */
const char *musaGetErrorString(musaError_t error);

/**
 * musaThreadExit() - Old name of musaDeviceReset().
 *
 * Thread safety: one thread, when no other uses the device.
 */
musaError_t musaThreadExit(void);

/**
 * musaThreadSynchronize() - Old name of musaDeviceSynchronize().
 *
 * Thread safety: any thread.
 * Errors:	musaErrorStreamCaptureUnsupported  a stream of the device captures
 */
musaError_t musaThreadSynchronize(void);

/**
 * musaThreadSetLimit() - Old name of musaDeviceSetLimit().
 * @limit:	Limit.
 * @value:	Bytes or a count.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorUnsupportedLimit
 *		musaErrorStreamCaptureUnsupported
 */
musaError_t musaThreadSetLimit(enum musaLimit limit, size_t value);

/**
 * musaThreadGetLimit() - Old name of musaDeviceGetLimit().
 * @pValue:	[out] Bytes or a count.
 * @limit:	Limit.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorUnsupportedLimit
 */
musaError_t musaThreadGetLimit(size_t *pValue, enum musaLimit limit);

#include "api_end.h"

#endif /* __MUSA_DEVICE_API_H__ */

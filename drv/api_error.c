/* SPDX-License-Identifier: MIT */
/* Names and descriptions of the runtime's error codes, and the calling thread's last error. */
#include "drv/rt.h"

#define ERROR_LIST(X)										\
	X(musaSuccess, "no error")								\
	X(musaErrorInvalidValue, "invalid argument")						\
	X(musaErrorMemoryAllocation, "out of memory")						\
	X(musaErrorInitializationError, "initialization error")					\
	X(musaErrorMusartUnloading, "the runtime is being unloaded")				\
	X(musaErrorProfilerDisabled, "the profiler is disabled")				\
	X(musaErrorProfilerNotInitialized, "the profiler is not initialized")			\
	X(musaErrorProfilerAlreadyStarted, "the profiler has been started already")		\
	X(musaErrorProfilerAlreadyStopped, "the profiler has been stopped already")		\
	X(musaErrorInvalidConfiguration, "invalid launch configuration")			\
	X(musaErrorInvalidPitchValue, "invalid pitch")						\
	X(musaErrorInvalidSymbol, "invalid device symbol")					\
	X(musaErrorInvalidHostPointer, "invalid host pointer")					\
	X(musaErrorInvalidDevicePointer, "invalid device pointer")				\
	X(musaErrorInvalidTexture, "invalid texture")						\
	X(musaErrorInvalidTextureBinding, "invalid texture binding")				\
	X(musaErrorInvalidChannelDescriptor, "invalid channel descriptor")			\
	X(musaErrorInvalidMemcpyDirection, "invalid copy direction")				\
	X(musaErrorAddressOfConstant, "address of a constant variable is not available")	\
	X(musaErrorTextureFetchFailed, "texture fetch failed")					\
	X(musaErrorTextureNotBound, "texture is not bound")					\
	X(musaErrorSynchronizationError, "synchronization failed")				\
	X(musaErrorInvalidFilterSetting, "invalid texture filter")				\
	X(musaErrorInvalidNormSetting, "invalid texture normalization")				\
	X(musaErrorMixedDeviceExecution, "device and emulated execution cannot be mixed")	\
	X(musaErrorNotYetImplemented, "not implemented")					\
	X(musaErrorMemoryValueTooLarge, "pointer value does not fit")				\
	X(musaErrorStubLibrary, "a stub library was loaded")					\
	X(musaErrorInsufficientDriver, "the driver is older than the runtime")			\
	X(musaErrorCallRequiresNewerDriver, "the call needs a newer driver")			\
	X(musaErrorInvalidSurface, "invalid surface")						\
	X(musaErrorDuplicateVariableName, "two device variables have one name")			\
	X(musaErrorDuplicateTextureName, "two textures have one name")				\
	X(musaErrorDuplicateSurfaceName, "two surfaces have one name")				\
	X(musaErrorDevicesUnavailable, "all devices are busy or unavailable")			\
	X(musaErrorIncompatibleDriverContext, "the context does not fit the runtime")		\
	X(musaErrorMissingConfiguration, "no launch configuration")				\
	X(musaErrorPriorLaunchFailure, "an earlier launch failed")				\
	X(musaErrorLaunchMaxDepthExceeded, "too deep a nesting of launches")			\
	X(musaErrorLaunchFileScopedTex, "file-scoped texture in a nested launch")		\
	X(musaErrorLaunchFileScopedSurf, "file-scoped surface in a nested launch")		\
	X(musaErrorSyncDepthExceeded, "too deep a nesting of synchronization")			\
	X(musaErrorLaunchPendingCountExceeded, "too many pending launches")			\
	X(musaErrorInvalidDeviceFunction, "invalid device function")				\
	X(musaErrorNoDevice, "no MUSA device")							\
	X(musaErrorInvalidDevice, "invalid device ordinal")					\
	X(musaErrorDeviceNotLicensed, "the device is not licensed")				\
	X(musaErrorSoftwareValidityNotEstablished, "software validity not established")		\
	X(musaErrorStartupFailure, "the runtime could not start")				\
	X(musaErrorInvalidKernelImage, "the code object is malformed")				\
	X(musaErrorDeviceUninitialized, "no context")						\
	X(musaErrorMapBufferObjectFailed, "mapping a buffer object failed")			\
	X(musaErrorUnmapBufferObjectFailed, "unmapping a buffer object failed")			\
	X(musaErrorArrayIsMapped, "the array is mapped")					\
	X(musaErrorAlreadyMapped, "already mapped")						\
	X(musaErrorNoKernelImageForDevice, "the code object has no member for this device")	\
	X(musaErrorAlreadyAcquired, "already acquired")						\
	X(musaErrorNotMapped, "not mapped")							\
	X(musaErrorNotMappedAsArray, "not mapped as an array")					\
	X(musaErrorNotMappedAsPointer, "not mapped as a pointer")				\
	X(musaErrorECCUncorrectable, "uncorrectable memory error")				\
	X(musaErrorUnsupportedLimit, "limit not supported")					\
	X(musaErrorDeviceAlreadyInUse, "the device is used exclusively by another thread")	\
	X(musaErrorPeerAccessUnsupported, "peer access is not supported between the devices")	\
	X(musaErrorInvalidPtx, "invalid PTX")							\
	X(musaErrorInvalidGraphicsContext, "invalid graphics context")				\
	X(musaErrorMtlinkUncorrectable, "uncorrectable MTLink error")				\
	X(musaErrorJitCompilerNotFound, "no just-in-time compiler")				\
	X(musaErrorUnsupportedPtxVersion, "unsupported PTX version")				\
	X(musaErrorJitCompilationDisabled, "just-in-time compilation is disabled")		\
	X(musaErrorUnsupportedExecAffinity, "execution affinity not supported")			\
	X(musaErrorUnsupportedDevSideSync, "device-side synchronization is not supported")	\
	X(musaErrorContained, "the error was contained")					\
	X(musaErrorInvalidSource, "invalid source")						\
	X(musaErrorFileNotFound, "file not found")						\
	X(musaErrorSharedObjectSymbolNotFound, "symbol of a shared object not found")		\
	X(musaErrorSharedObjectInitFailed, "a shared object could not be initialized")		\
	X(musaErrorOperatingSystem, "an operating system call failed")				\
	X(musaErrorInvalidResourceHandle, "invalid handle")					\
	X(musaErrorIllegalState, "the object is not in a state that allows this")		\
	X(musaErrorLossyQuery, "the query would lose information")				\
	X(musaErrorSymbolNotFound, "name not found")						\
	X(musaErrorNotReady, "not ready")							\
	X(musaErrorIllegalAddress, "a kernel or copy touched an address that is not mapped")	\
	X(musaErrorLaunchOutOfResources, "too few resources for the launch")			\
	X(musaErrorLaunchTimeout, "the device made no progress in time")			\
	X(musaErrorLaunchIncompatibleTexturing, "incompatible texturing mode")			\
	X(musaErrorPeerAccessAlreadyEnabled, "peer access is enabled already")			\
	X(musaErrorPeerAccessNotEnabled, "peer access is not enabled")				\
	X(musaErrorSetOnActiveProcess, "cannot be set once the device is in use")		\
	X(musaErrorContextIsDestroyed, "the context has been destroyed")			\
	X(musaErrorAssert, "a device-side assertion failed")					\
	X(musaErrorTooManyPeers, "too many peers")						\
	X(musaErrorHostMemoryAlreadyRegistered, "the host memory is registered already")	\
	X(musaErrorHostMemoryNotRegistered, "the host memory is not registered")		\
	X(musaErrorHardwareStackError, "device stack error")					\
	X(musaErrorIllegalInstruction, "illegal instruction")					\
	X(musaErrorMisalignedAddress, "misaligned address")					\
	X(musaErrorInvalidAddressSpace, "wrong address space")					\
	X(musaErrorInvalidPc, "invalid program counter")					\
	X(musaErrorLaunchFailure, "the launch failed on the device")				\
	X(musaErrorCooperativeLaunchTooLarge, "the cooperative launch does not fit the device")	\
	X(musaErrorTensorMemoryLeak, "tensor memory was not released")				\
	X(musaErrorNotPermitted, "not permitted")						\
	X(musaErrorNotSupported, "not supported")						\
	X(musaErrorSystemNotReady, "the system is not ready")					\
	X(musaErrorSystemDriverMismatch, "system and driver do not fit")			\
	X(musaErrorCompatNotSupportedOnDevice, "compatibility mode is not supported on this device")	\
	X(musaErrorMpsConnectionFailed, "no connection to the MPS server")			\
	X(musaErrorMpsRpcFailure, "MPS call failed")						\
	X(musaErrorMpsServerNotReady, "the MPS server is not ready")				\
	X(musaErrorMpsMaxClientsReached, "too many MPS clients")				\
	X(musaErrorMpsMaxConnectionsReached, "too many MPS connections")			\
	X(musaErrorMpsClientTerminated, "the MPS client was terminated")			\
	X(musaErrorCdpNotSupported, "nested launches are not supported")			\
	X(musaErrorCdpVersionMismatch, "version of nested launches does not fit")		\
	X(musaErrorStreamCaptureUnsupported, "not allowed while a stream is capturing")		\
	X(musaErrorStreamCaptureInvalidated, "the capture was invalidated by an earlier call")	\
	X(musaErrorStreamCaptureMerge, "would join two independent captures")			\
	X(musaErrorStreamCaptureUnmatched, "this stream did not begin the capture")		\
	X(musaErrorStreamCaptureUnjoined, "a forked stream was not joined to the one that began the capture")	\
	X(musaErrorStreamCaptureIsolation, "a dependency would cross the border of the capture")	\
	X(musaErrorStreamCaptureImplicit, "the legacy stream would implicitly depend on a capture")	\
	X(musaErrorCapturedEvent, "the event was last recorded in a capture")			\
	X(musaErrorStreamCaptureWrongThread, "another thread began the capture")		\
	X(musaErrorTimeout, "timed out")							\
	X(musaErrorGraphExecUpdateFailure, "the executable graph cannot be updated this way")	\
	X(musaErrorExternalDevice, "an external device failed")					\
	X(musaErrorInvalidClusterSize, "invalid cluster size")					\
	X(musaErrorFunctionNotLoaded, "the function is not loaded")				\
	X(musaErrorInvalidResourceType, "invalid resource type")				\
	X(musaErrorInvalidResourceConfiguration, "invalid resource configuration")		\
	X(musaErrorUnknown, "unknown error")							\
	X(musaErrorApiFailureBase, "runtime failure")


const char *musaGetErrorName(musaError_t error)
{
	switch (error) {
#define ERROR_NAME(code, text)                                                                     \
	case code:                                                                                 \
		return #code;
		ERROR_LIST(ERROR_NAME)
#undef ERROR_NAME
	}
	return "unrecognized error code";
}

const char *musaGetErrorString(musaError_t error)
{
	switch (error) {
#define ERROR_TEXT(code, text)                                                                     \
	case code:                                                                                 \
		return text;
		ERROR_LIST(ERROR_TEXT)
#undef ERROR_TEXT
	}
	return "unrecognized error code";
}

musaError_t musaGetLastError(void)
{
	return mt_rt_last_error(true);
}

musaError_t musaPeekAtLastError(void)
{
	return mt_rt_last_error(false);
}

/* SPDX-License-Identifier: MIT */
/* Names and descriptions of the driver API's result codes. */
#include <stddef.h>

#include "drv/result.h"

#define ERROR_LIST(X) \
	X(MUSA_SUCCESS, "no error") \
	X(MUSA_ERROR_INVALID_VALUE, "invalid argument") \
	X(MUSA_ERROR_OUT_OF_MEMORY, "out of memory") \
	X(MUSA_ERROR_NOT_INITIALIZED, "initialization error") \
	X(MUSA_ERROR_DEINITIALIZED, "the runtime is being unloaded") \
	X(MUSA_ERROR_PROFILER_DISABLED, "the profiler is disabled") \
	X(MUSA_ERROR_PROFILER_NOT_INITIALIZED, "the profiler is not initialized") \
	X(MUSA_ERROR_PROFILER_ALREADY_STARTED, "the profiler has been started already") \
	X(MUSA_ERROR_PROFILER_ALREADY_STOPPED, "the profiler has been stopped already") \
	X(MUSA_ERROR_STUB_LIBRARY, "a stub library was loaded") \
	X(MUSA_ERROR_NO_DEVICE, "no MUSA device") \
	X(MUSA_ERROR_INVALID_DEVICE, "invalid device ordinal") \
	X(MUSA_ERROR_DEVICE_NOT_LICENSED, "the device is not licensed") \
	X(MUSA_ERROR_INVALID_IMAGE, "the code object is malformed") \
	X(MUSA_ERROR_INVALID_CONTEXT, "no context") \
	X(MUSA_ERROR_CONTEXT_ALREADY_CURRENT, "the context is current already") \
	X(MUSA_ERROR_MAP_FAILED, "mapping a buffer object failed") \
	X(MUSA_ERROR_UNMAP_FAILED, "unmapping a buffer object failed") \
	X(MUSA_ERROR_ARRAY_IS_MAPPED, "the array is mapped") \
	X(MUSA_ERROR_ALREADY_MAPPED, "already mapped") \
	X(MUSA_ERROR_NO_BINARY_FOR_GPU, "the code object has no member for this device") \
	X(MUSA_ERROR_ALREADY_ACQUIRED, "already acquired") \
	X(MUSA_ERROR_NOT_MAPPED, "not mapped") \
	X(MUSA_ERROR_NOT_MAPPED_AS_ARRAY, "not mapped as an array") \
	X(MUSA_ERROR_NOT_MAPPED_AS_POINTER, "not mapped as a pointer") \
	X(MUSA_ERROR_ECC_UNCORRECTABLE, "uncorrectable memory error") \
	X(MUSA_ERROR_UNSUPPORTED_LIMIT, "limit not supported") \
	X(MUSA_ERROR_CONTEXT_ALREADY_IN_USE, "the device is used exclusively by another thread") \
	X(MUSA_ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between the devices") \
	X(MUSA_ERROR_INVALID_PTX, "invalid PTX") \
	X(MUSA_ERROR_INVALID_GRAPHICS_CONTEXT, "invalid graphics context") \
	X(MUSA_ERROR_MTLINK_UNCORRECTABLE, "uncorrectable MTLink error") \
	X(MUSA_ERROR_JIT_COMPILER_NOT_FOUND, "no just-in-time compiler") \
	X(MUSA_ERROR_UNSUPPORTED_PTX_VERSION, "unsupported PTX version") \
	X(MUSA_ERROR_JIT_COMPILATION_DISABLED, "just-in-time compilation is disabled") \
	X(MUSA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "execution affinity not supported") \
	X(MUSA_ERROR_INVALID_SOURCE, "invalid source") \
	X(MUSA_ERROR_FILE_NOT_FOUND, "file not found") \
	X(MUSA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "symbol of a shared object not found") \
	X(MUSA_ERROR_SHARED_OBJECT_INIT_FAILED, "a shared object could not be initialized") \
	X(MUSA_ERROR_OPERATING_SYSTEM, "an operating system call failed") \
	X(MUSA_ERROR_INVALID_HANDLE, "invalid handle") \
	X(MUSA_ERROR_ILLEGAL_STATE, "the object is not in a state that allows this") \
	X(MUSA_ERROR_NOT_FOUND, "name not found") \
	X(MUSA_ERROR_NOT_READY, "not ready") \
	X(MUSA_ERROR_ILLEGAL_ADDRESS, "a kernel or copy touched an address that is not mapped") \
	X(MUSA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too few resources for the launch") \
	X(MUSA_ERROR_LAUNCH_TIMEOUT, "the device made no progress in time") \
	X(MUSA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "incompatible texturing mode") \
	X(MUSA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is enabled already") \
	X(MUSA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access is not enabled") \
	X(MUSA_ERROR_PRIMARY_CONTEXT_ACTIVE, "cannot be set once the device is in use") \
	X(MUSA_ERROR_CONTEXT_IS_DESTROYED, "the context has been destroyed") \
	X(MUSA_ERROR_ASSERT, "a device-side assertion failed") \
	X(MUSA_ERROR_TOO_MANY_PEERS, "too many peers") \
	X(MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "the host memory is registered already") \
	X(MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED, "the host memory is not registered") \
	X(MUSA_ERROR_HARDWARE_STACK_ERROR, "device stack error") \
	X(MUSA_ERROR_ILLEGAL_INSTRUCTION, "illegal instruction") \
	X(MUSA_ERROR_MISALIGNED_ADDRESS, "misaligned address") \
	X(MUSA_ERROR_INVALID_ADDRESS_SPACE, "wrong address space") \
	X(MUSA_ERROR_INVALID_PC, "invalid program counter") \
	X(MUSA_ERROR_LAUNCH_FAILED, "the launch failed on the device") \
	X(MUSA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, \
	  "the cooperative launch does not fit the device") \
	X(MUSA_ERROR_NOT_PERMITTED, "not permitted") \
	X(MUSA_ERROR_NOT_SUPPORTED, "not supported") \
	X(MUSA_ERROR_SYSTEM_NOT_READY, "the system is not ready") \
	X(MUSA_ERROR_SYSTEM_DRIVER_MISMATCH, "system and driver do not fit") \
	X(MUSA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, \
	  "compatibility mode is not supported on this device") \
	X(MUSA_ERROR_MPS_CONNECTION_FAILED, "no connection to the MPS server") \
	X(MUSA_ERROR_MPS_RPC_FAILURE, "MPS call failed") \
	X(MUSA_ERROR_MPS_SERVER_NOT_READY, "the MPS server is not ready") \
	X(MUSA_ERROR_MPS_MAX_CLIENTS_REACHED, "too many MPS clients") \
	X(MUSA_ERROR_MPS_MAX_CONNECTIONS_REACHED, "too many MPS connections") \
	X(MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "not allowed while a stream is capturing") \
	X(MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated by an earlier call") \
	X(MUSA_ERROR_STREAM_CAPTURE_MERGE, "would join two independent captures") \
	X(MUSA_ERROR_STREAM_CAPTURE_UNMATCHED, "this stream did not begin the capture") \
	X(MUSA_ERROR_STREAM_CAPTURE_UNJOINED, \
	  "a forked stream was not joined to the one that began the capture") \
	X(MUSA_ERROR_STREAM_CAPTURE_ISOLATION, \
	  "a dependency would cross the border of the capture") \
	X(MUSA_ERROR_STREAM_CAPTURE_IMPLICIT, \
	  "the legacy stream would implicitly depend on a capture") \
	X(MUSA_ERROR_CAPTURED_EVENT, "the event was last recorded in a capture") \
	X(MUSA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "another thread began the capture") \
	X(MUSA_ERROR_TIMEOUT, "timed out") \
	X(MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "the executable graph cannot be updated this way") \
	X(MUSA_ERROR_EXTERNAL_DEVICE, "an external device failed") \
	X(MUSA_ERROR_INVALID_CLUSTER_SIZE, "invalid cluster size") \
	X(MUSA_ERROR_UNKNOWN, "unknown error") \
	X(MUSA_ERROR_DEVICE_UNAVAILABLE, "all devices are busy or unavailable") \
	X(MUSA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, "device-side synchronization is not supported") \
	X(MUSA_ERROR_CONTAINED, "the error was contained") \
	X(MUSA_ERROR_LOSSY_QUERY, "the query would lose information") \
	X(MUSA_ERROR_TENSOR_MEMORY_LEAK, "tensor memory was not released") \
	X(MUSA_ERROR_MPS_CLIENT_TERMINATED, "the MPS client was terminated") \
	X(MUSA_ERROR_CDP_NOT_SUPPORTED, "nested launches are not supported") \
	X(MUSA_ERROR_CDP_VERSION_MISMATCH, "version of nested launches does not fit") \
	X(MUSA_ERROR_FUNCTION_NOT_LOADED, "the function is not loaded") \
	X(MUSA_ERROR_INVALID_RESOURCE_TYPE, "invalid resource type") \
	X(MUSA_ERROR_INVALID_RESOURCE_CONFIGURATION, "invalid resource configuration") \
	X(MUSA_ERROR_KEY_ROTATION, "encryption keys were changed")

struct error_text {
	MUresult code;
	const char *name, *description;
};

#define ERROR_ENTRY(code, description) {code, #code, description},
static const struct error_text errors[] = {ERROR_LIST(ERROR_ENTRY)};

static const struct error_text *find_error(MUresult code)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].code == code)
			return &errors[i];
	return NULL;
}

MUresult muGetErrorName(MUresult error, const char **pStr)
{
	const struct error_text *found = find_error(error);

	if (!pStr)
		return MUSA_ERROR_INVALID_VALUE;
	*pStr = found ? found->name : NULL;
	return found ? MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE;
}

MUresult muGetErrorString(MUresult error, const char **pStr)
{
	const struct error_text *found = find_error(error);

	if (!pStr)
		return MUSA_ERROR_INVALID_VALUE;
	*pStr = found ? found->description : NULL;
	return found ? MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE;
}

/* SPDX-License-Identifier: MIT */
/* The driver API as programs use it: initialisation, devices, contexts, modules, launches. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "musa.h"
#include "musa_runtime_api.h"

#define OK(call) EXPECT(MUSA_SUCCESS, call)
#define EXPECT(want, call)                                                                         \
	do {                                                                                       \
		int expect_got = (int)(call);                                                      \
		cr_assert_eq(expect_got, (int)(want), "%s gives %d, not %d", #call, expect_got,    \
			     (int)(want));                                                         \
	} while (0)

/* Two devices, unless the environment says otherwise. */
static void choose_devices(void)
{
	setenv("MUSA_BACKEND", "mock", 0);
	setenv("MUSA_MOCK_THREADS", "2", 1);
	setenv("MUSA_MOCK_DEVICES", "2", 1);
	setenv("MUSA_MOCK_MEMORY", "128M", 1);
}

TestSuite(driver_api, .init = choose_devices, .timeout = 60);

/* Calls before muInit are refused, those about errors and the version excepted. */
Test(driver_api, before_initialisation)
{
	MUcontext ctx;
	MUdevice device;
	const char *text;
	int value;

	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muDeviceGet(&device, 0));
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muDeviceGetCount(&value));
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muCtxGetCurrent(&ctx));
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muDevicePrimaryCtxRetain(&ctx, 0));
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muCtxSynchronize());
	OK(muDriverGetVersion(&value));
	cr_assert_eq(value, MUSA_VERSION);
	OK(muGetErrorName(MUSA_ERROR_NOT_INITIALIZED, &text));
	cr_assert_str_eq(text, "MUSA_ERROR_NOT_INITIALIZED");
	EXPECT(MUSA_ERROR_INVALID_VALUE, muInit(1));
	OK(muInit(0));
	OK(muInit(0));
	OK(muDeviceGetCount(&value));
	cr_assert_eq(value, 2);
}

/* Every code has a name and a description; another number has neither. */
Test(driver_api, error_texts)
{
	const char *name = "", *text = "";
	int known = 0;

	for (int code = 0; code < 1000; code++) {
		MUresult ret = muGetErrorName((MUresult)code, &name);

		EXPECT(ret, muGetErrorString((MUresult)code, &text));
		if (ret) {
			EXPECT(MUSA_ERROR_INVALID_VALUE, ret);
			cr_assert_null(name);
			cr_assert_null(text);
			continue;
		}
		known++;
		cr_assert_eq(strncmp(name, "MUSA_", 5), 0);
		cr_assert_gt(strlen(text), 3);
	}
	cr_assert_geq(known, 90);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGetErrorName(MUSA_SUCCESS, NULL));
}

/* Devices: names, sizes, attributes, and what is wrong with bad ordinals. */
Test(driver_api, devices)
{
	MUdevice device, other;
	MUdevprop properties;
	MUuuid first, second;
	char name[64], bus[32];
	size_t bytes;
	int major, minor, value;

	OK(muInit(0));
	OK(muDeviceGet(&device, 0));
	OK(muDeviceGet(&other, 1));
	EXPECT(MUSA_ERROR_INVALID_DEVICE, muDeviceGet(&device, 2));
	EXPECT(MUSA_ERROR_INVALID_DEVICE, muDeviceGet(&device, -1));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muDeviceGet(NULL, 0));
	OK(muDeviceGetName(name, sizeof(name), device));
	cr_assert_gt(strlen(name), 0);
	OK(muDeviceGetName(name, 4, device));
	cr_assert_lt(strlen(name), 4);
	OK(muDeviceGetUuid(&first, device));
	OK(muDeviceGetUuid(&second, other));
	cr_assert_neq(memcmp(&first, &second, sizeof(first)), 0);
	OK(muDeviceTotalMem(&bytes, device));
	if (!strcmp(getenv("MUSA_BACKEND"), "mock"))
		cr_assert_eq(bytes, 128u << 20);
	cr_assert_geq(bytes, 128u << 20);
	OK(muDeviceComputeCapability(&major, &minor, device));
	cr_assert_eq(major, 3);
	cr_assert_eq(minor, 1);
	OK(muDeviceGetAttribute(&value, MU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
	cr_assert_eq(value, 32);
	OK(muDeviceGetProperties(&properties, device));
	cr_assert_eq(properties.SIMDWidth, 32);
	cr_assert_eq(properties.maxThreadsPerBlock, 1024);
	cr_assert_eq(properties.maxThreadsDim[2], 1024);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muDeviceGetAttribute(&value, (MUdevice_attribute)9999, 0));
	OK(muDeviceCanAccessPeer(&value, device, other));
	cr_assert_eq(value, 1);
	OK(muDeviceCanAccessPeer(&value, device, device));
	cr_assert_eq(value, 0);
	OK(muDeviceGetPCIBusId(bus, sizeof(bus), other));
	OK(muDeviceGetByPCIBusId(&device, bus));
	cr_assert_eq(device, other);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muDeviceGetByPCIBusId(&device, "nonsense"));
	EXPECT(MUSA_ERROR_INVALID_DEVICE, muDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muDeviceGetPCIBusId(bus, 3, other));
}

/* The primary context lives from the first retain to the last release. */
Test(driver_api, primary_context)
{
	MUcontext ctx, again, current;
	unsigned int flags;
	MUdevice device;
	int active;

	OK(muInit(0));
	OK(muDevicePrimaryCtxGetState(0, &flags, &active));
	cr_assert_eq(active, 0);
	OK(muDevicePrimaryCtxSetFlags(0, MU_CTX_SCHED_SPIN));
	OK(muDevicePrimaryCtxRetain(&ctx, 0));
	OK(muDevicePrimaryCtxRetain(&again, 0));
	cr_assert_eq(ctx, again);
	OK(muDevicePrimaryCtxGetState(0, &flags, &active));
	cr_assert_eq(active, 1);
	cr_assert_eq(flags, MU_CTX_SCHED_SPIN);
	OK(muCtxGetCurrent(&current));
	cr_assert_null(current);
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muCtxSynchronize());
	OK(muCtxSetCurrent(ctx));
	OK(muCtxSynchronize());
	OK(muCtxGetDevice(&device));
	cr_assert_eq(device, 0);
	OK(muCtxGetFlags(&flags));
	cr_assert_eq(flags, MU_CTX_SCHED_SPIN);
	OK(muDevicePrimaryCtxRelease(0));
	OK(muCtxSynchronize());
	OK(muDevicePrimaryCtxRelease(0));
	OK(muDevicePrimaryCtxGetState(0, &flags, &active));
	cr_assert_eq(active, 0);
	EXPECT(MUSA_ERROR_CONTEXT_IS_DESTROYED, muCtxSynchronize());
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muCtxSetCurrent(ctx));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muDevicePrimaryCtxRelease(0));
	EXPECT(MUSA_ERROR_INVALID_DEVICE, muDevicePrimaryCtxRetain(&ctx, 7));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muDevicePrimaryCtxSetFlags(0, 1u << 20));
}

/* The stack of a thread: push, pop, replace. */
Test(driver_api, context_stack)
{
	MUcontext a, b, got;

	OK(muInit(0));
	OK(muDevicePrimaryCtxRetain(&a, 0));
	OK(muDevicePrimaryCtxRetain(&b, 1));
	OK(muCtxPushCurrent(a));
	OK(muCtxPushCurrent(b));
	OK(muCtxGetCurrent(&got));
	cr_assert_eq(got, b);
	OK(muCtxPopCurrent(&got));
	cr_assert_eq(got, b);
	OK(muCtxGetCurrent(&got));
	cr_assert_eq(got, a);
	OK(muCtxSetCurrent(b));
	OK(muCtxGetCurrent(&got));
	cr_assert_eq(got, b);
	OK(muCtxPopCurrent(&got));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muCtxPopCurrent(&got));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muCtxPushCurrent((MUcontext)(uintptr_t)0x77));
}

/* Limits are kept; what no limit is and what the device does not have are told apart. */
Test(driver_api, limits)
{
	MUcontext ctx;
	size_t value;

	OK(muInit(0));
	OK(muDevicePrimaryCtxRetain(&ctx, 0));
	OK(muCtxSetCurrent(ctx));
	OK(muCtxSetLimit(MU_LIMIT_STACK_SIZE, 4096));
	OK(muCtxGetLimit(&value, MU_LIMIT_STACK_SIZE));
	cr_assert_eq(value, 4096);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muCtxGetLimit(&value, (MUlimit)100));
	EXPECT(MUSA_ERROR_UNSUPPORTED_LIMIT, muCtxSetLimit(MU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2));
}

/* The two APIs see one current device. */
Test(driver_api, shared_with_the_runtime)
{
	MUcontext ctx, got;
	MUdevice device;
	int current = -1;

	EXPECT(musaSuccess, musaSetDevice(1));
	OK(muCtxGetCurrent(&got));
	OK(muDevicePrimaryCtxRetain(&ctx, 1));
	cr_assert_eq(got, ctx);
	OK(muCtxGetDevice(&device));
	cr_assert_eq(device, 1);
	OK(muDevicePrimaryCtxRetain(&ctx, 0));
	OK(muCtxPushCurrent(ctx));
	EXPECT(musaSuccess, musaGetDevice(&current));
	cr_assert_eq(current, 0);
	EXPECT(musaSuccess, musaSetDevice(1));
	OK(muCtxGetDevice(&device));
	cr_assert_eq(device, 1);
	/* A release does not end a context that the runtime uses. */
	OK(muDevicePrimaryCtxRelease(1));
	EXPECT(musaSuccess, musaDeviceSynchronize());
	OK(muCtxSynchronize());
}

/* A module's kernel is launched with pointers and with a packed buffer. */
Test(driver_api, modules_and_launches)
{
	struct {
		_Atomic uint64_t count;
		uint32_t ids[4];
	} * log;
	void *to;
	uint32_t id = 7;
	void *params[] = {&to, &id};
	struct {
		void *to;
		uint32_t id;
	} packed = {NULL, 8};
	size_t packed_b = sizeof(packed);
	void *extra[] = {MU_LAUNCH_PARAM_BUFFER_POINTER, &packed, MU_LAUNCH_PARAM_BUFFER_SIZE,
			 &packed_b, MU_LAUNCH_PARAM_END};
	struct cob_buf image = {0};
	MUcontext ctx;
	MUmodule module, owner;
	MUfunction function, none = (MUfunction)(uintptr_t)1;
	MUdeviceptr cell;
	const char *name;
	size_t bytes, offset;
	int value;

	OK(muInit(0));
	OK(muDevicePrimaryCtxRetain(&ctx, 0));
	OK(muCtxSetCurrent(ctx));
	/* A card reaches pinned memory only. */
	OK(musaMallocHost((void **)&log, sizeof(*log)));
	memset(log, 0, sizeof(*log));
	packed.to = to = log;
	device_image(&image);
	OK(muModuleLoadFatBinary(&module, image.data));
	OK(muModuleUnload(module));
	OK(muModuleLoadData(&module, image.data));
	cob_free(&image);
	EXPECT(MUSA_ERROR_NOT_FOUND, muModuleGetFunction(&none, module, "nothing"));
	cr_assert_eq(none, (MUfunction)(uintptr_t)1);
	OK(muModuleGetFunction(&function, module, "append"));
	OK(muModuleGetGlobal(&cell, &bytes, module, "cell"));
	cr_assert_eq(bytes, 8);
	OK(muModuleGetGlobal(NULL, &bytes, module, "space"));
	cr_assert_eq(bytes, 64);
	OK(muModuleGetGlobal(&cell, NULL, module, "space"));
	OK(muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
	OK(muCtxSynchronize());
	cr_assert_eq(log->count, 2);
	cr_assert_eq(log->ids[0], 7);
	cr_assert_eq(log->ids[1], 8);
	EXPECT(MUSA_ERROR_INVALID_HANDLE,
	       muLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0,
							 (MUstream)(uintptr_t)99, params, NULL));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(muFuncGetModule(&owner, function));
	cr_assert_eq(owner, module);
	OK(muFuncGetName(&name, function));
	cr_assert_str_eq(name, "append");
	OK(muFuncGetParamInfo(function, 1, &offset, &bytes));
	cr_assert_eq(offset, 8);
	cr_assert_eq(bytes, 4);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muFuncGetParamInfo(function, 2, &offset, &bytes));
	OK(muFuncGetAttribute(&value, MU_FUNC_ATTRIBUTE_NUM_REGS, function));
	cr_assert_eq(value, 8);
	OK(muModuleUnload(module));
	EXPECT(MUSA_ERROR_INVALID_HANDLE,
	       muFuncGetAttribute(&value, MU_FUNC_ATTRIBUTE_NUM_REGS, function));
}

/* Images that do not load leave NULL and say why. */
Test(driver_api, refused_images)
{
	struct cob_buf image = {0};
	MUcontext ctx;
	MUmodule module;

	OK(muInit(0));
	OK(muDevicePrimaryCtxRetain(&ctx, 0));
	OK(muCtxSetCurrent(ctx));
	device_image_foreign(&image);
	EXPECT(MUSA_ERROR_NO_BINARY_FOR_GPU, muModuleLoadData(&module, image.data));
	cr_assert_null(module);
	EXPECT(MUSA_ERROR_FILE_NOT_FOUND, muModuleLoad(&module, "/nonexistent"));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muModuleLoadData(&module, NULL));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muModuleLoadData(NULL, image.data));
	cob_free(&image);
}

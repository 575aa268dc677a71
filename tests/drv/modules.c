/* SPDX-License-Identifier: MIT */
/* Modules, registered binaries and libraries on the mock GPU. */
#include "device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drv/memory.h"
#include "hw/base/alloc.h"

TestSuite(drv_modules, .init = device_open, .fini = device_close, .timeout = 60);

static uint64_t read_device(uint64_t va)
{
	static _Atomic uint64_t value;
	_Atomic uint64_t *to = &value;
	void *params[] = {&to, &va};

	OK(device_launch(device_ctx->legacy, "copy64", params));
	OK(mt_stream_synchronize(device_ctx->legacy));
	return value;
}

/* Functions are found by their exact names, with the facts of the metadata. */
Test(drv_modules, functions)
{
	struct mt_function *fn, *again;
	int value;
	unsigned int count;
	uint64_t handles[8];

	OK(mt_module_function(device_module, "append", &fn));
	OK(mt_module_function(device_module, "append", &again));
	cr_assert_eq(fn, again);
	cr_assert_str_eq(fn->name, "append");
	cr_assert_eq(fn->args_b % 4, 0);
	OK(mt_function_get(fn->handle, &again));
	cr_assert_eq(fn, again);
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_module_function(device_module, "appen", &fn));
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_module_function(device_module, "cell", &fn));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_module_function(device_module + 1, "add", &fn));
	OK(mt_function_attribute(fn, MU_FUNC_ATTRIBUTE_NUM_REGS, &value));
	cr_assert_eq(value, 8);
	OK(mt_function_attribute(fn, MU_FUNC_ATTRIBUTE_BINARY_VERSION, &value));
	cr_assert_eq(value, 90);
	OK(mt_function_attribute(fn, MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &value));
	cr_assert_eq(value, 1024);
	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_function_attribute(fn, 1000, &value));
	OK(mt_module_function_count(device_module, &count));
	cr_assert_eq(count, 6);
	OK(mt_module_functions(device_module, handles, 8));
	OK(mt_function_get(handles[0], &fn));
	cr_assert_str_eq(fn->name, "add");
}

/* Variables have their addresses, sizes and first values, and are known memory. */
Test(drv_modules, variables)
{
	struct mt_variable cell, space;
	struct mt_mem_info info;
	static uint64_t nine = 9;
	uint64_t *from = &nine;
	void *params[2];

	OK(mt_module_variable(device_module, "cell", &cell));
	OK(mt_module_variable(device_module, "space", &space));
	cr_assert_eq(cell.size_b, 8);
	cr_assert_eq(space.size_b, 64);
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_module_variable(device_module, "add", &cell));
	cr_assert_eq(read_device(cell.va), 5);
	cr_assert_eq(read_device(space.va + 56), 0);
	params[0] = &space.va;
	params[1] = &from;
	OK(device_launch(device_ctx->legacy, "copy64", params));
	cr_assert_eq(read_device(space.va), 9);
	cr_assert(mt_mem_find(space.va + 63, &info));
	cr_assert_eq(info.base, space.va);
	cr_assert_eq(info.size_b, 64);
	cr_assert_eq(info.kind, MT_ALLOC_MODULE);
}

/* Each wrong image has its result, and no module comes of it. */
Test(drv_modules, refused_images)
{
	struct cob_buf image = {0};
	uint64_t module = 1;

	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_module_load_data(device_ctx, NULL, &module));
	cr_assert_eq(module, 0);
	EXPECT(MUSA_ERROR_INVALID_IMAGE,
	       mt_module_load_data(device_ctx, "nothing of this kind, certainly", &module));
	device_image_foreign(&image);
	EXPECT(MUSA_ERROR_NO_BINARY_FOR_GPU, mt_module_load_data(device_ctx, image.data, &module));
	cr_assert_eq(module, 0);
	cob_free(&image);
	EXPECT(MUSA_ERROR_FILE_NOT_FOUND,
	       mt_module_load_file(device_ctx, "/nonexistent/file", &module));
}

/* A file loads as the memory does. */
Test(drv_modules, from_a_file)
{
	char path[] = "/tmp/drv-modules-XXXXXX";
	int fd = mkstemp(path);
	struct cob_buf image = {0};
	struct mt_function *fn;
	uint64_t module;

	cr_assert_geq(fd, 0);
	device_image(&image);
	cr_assert_eq(write(fd, image.data, image.size), (ssize_t)image.size);
	close(fd);
	OK(mt_module_load_file(device_ctx, path, &module));
	OK(mt_module_function(module, "empty", &fn));
	OK(mt_module_unload(module));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_module_unload(module));
	unlink(path);
	cob_free(&image);
}

static void *open_gate(void *gate)
{
	device_sleep_ms(50);
	atomic_store((_Atomic uint32_t *)gate, 1);
	return NULL;
}

/* A module whose kernel runs is unloaded when the kernel has ended. */
Test(drv_modules, unload_waits_for_kernels)
{
	static _Atomic uint32_t flag;
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);
	uint64_t handle = device_function("spin")->handle;
	struct mt_function *fn;
	pthread_t thread;

	OK(device_spin(stream, &flag));
	pthread_create(&thread, NULL, open_gate, &flag);
	OK(mt_module_unload(device_module));
	cr_assert_eq(flag, 1);
	pthread_join(thread, NULL);
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_function_get(handle, &fn));
	OK(mt_stream_synchronize(stream));
}

static const char stub_a, stub_b, stub_c, host_cell;

static void *register_image(const struct cob_buf *image, const void **wrapper)
{
	/* magic, version, image, reserved: any magic will do */
	memset(wrapper, 0, 24);
	memcpy(wrapper, &(uint32_t[]){0x12345678, 1}, 8);
	wrapper[1] = image->data;
	return mt_register_fat_binary(wrapper);
}

/* A stub names its kernel, a host variable its device variable, from first use to unregistration.
 */
Test(drv_modules, registered_code)
{
	static _Atomic uint64_t count;
	_Atomic uint64_t *counter = &count;
	void *params[] = {&counter};
	const struct mt_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params};
	struct cob_buf image = {0};
	const void *wrapper[3];
	struct mt_variable variable;
	struct mt_function *fn, *again;
	void *binary;

	device_image(&image);
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_runtime_function(device_ctx, &stub_a, &fn));
	binary = register_image(&image, wrapper);
	cr_assert(binary);
	mt_register_function(binary, &stub_a, "add");
	mt_register_function(binary, &stub_b, "no such kernel");
	mt_register_variable(binary, &host_cell, "cell", 8, false);
	OK(mt_runtime_function(device_ctx, &stub_a, &fn));
	OK(mt_runtime_function(device_ctx, &stub_a, &again));
	cr_assert_eq(fn, again);
	OK(mt_launch_kernel(device_ctx->legacy, fn, &launch, "test"));
	OK(mt_stream_synchronize(device_ctx->legacy));
	cr_assert_eq(count, 1);
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_runtime_function(device_ctx, &stub_b, &fn));
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_runtime_function(device_ctx, &stub_c, &fn));
	OK(mt_runtime_variable(device_ctx, &host_cell, &variable));
	cr_assert_eq(read_device(variable.va), 5);
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_runtime_variable(device_ctx, &stub_c, &variable));
	/* After a reset the code is loaded again. */
	OK(mt_ctx_primary_reset(0));
	device_open();
	OK(mt_runtime_function(device_ctx, &stub_a, &fn));
	OK(mt_launch_kernel(device_ctx->legacy, fn, &launch, "test"));
	OK(mt_stream_synchronize(device_ctx->legacy));
	cr_assert_eq(count, 2);
	mt_unregister_fat_binary(binary);
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_runtime_function(device_ctx, &stub_a, &fn));
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_runtime_variable(device_ctx, &host_cell, &variable));
	cob_free(&image);
}

/* A stub that two libraries register is known until both have gone. */
Test(drv_modules, registered_twice)
{
	struct cob_buf image = {0};
	const void *wrappers[2][3];
	struct mt_function *fn;
	void *binaries[2];

	device_image(&image);
	for (int i = 0; i < 2; i++) {
		binaries[i] = register_image(&image, wrappers[i]);
		mt_register_function(binaries[i], &stub_a, "add");
	}
	OK(mt_runtime_function(device_ctx, &stub_a, &fn));
	mt_unregister_fat_binary(binaries[0]);
	OK(mt_runtime_function(device_ctx, &stub_a, &fn));
	mt_unregister_fat_binary(binaries[1]);
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_runtime_function(device_ctx, &stub_a, &fn));
	cob_free(&image);
}

/* Registration takes any image; what is wrong with it shows at first use, and each time. */
Test(drv_modules, registered_wrong_images)
{
	static const char junk[4096] = "junk";
	struct cob_buf foreign = {0};
	const void *wrappers[2][3];
	struct mt_function *fn;
	void *a, *b;

	device_image_foreign(&foreign);
	a = register_image(&foreign, wrappers[0]);
	b = register_image(&(struct cob_buf){.data = (uint8_t *)junk, .size = sizeof(junk)},
			   wrappers[1]);
	mt_register_function(a, &stub_a, "empty");
	mt_register_function(b, &stub_b, "empty");
	for (int i = 0; i < 3; i++) {
		EXPECT(MUSA_ERROR_NO_BINARY_FOR_GPU, mt_runtime_function(device_ctx, &stub_a, &fn));
		EXPECT(MUSA_ERROR_INVALID_IMAGE, mt_runtime_function(device_ctx, &stub_b, &fn));
	}
	mt_unregister_fat_binary(a);
	mt_unregister_fat_binary(b);
	cob_free(&foreign);
}

/* Thousands of stubs, registered and taken back, are all found while they are there. */
Test(drv_modules, many_stubs)
{
	enum { COUNT = 5000 };
	static char stubs[COUNT];
	struct cob_buf image = {0};
	const void *wrapper[3];
	struct mt_function *fn;

	device_image(&image);
	for (int round = 0; round < 3; round++) {
		void *binary = register_image(&image, wrapper);

		for (int i = 0; i < COUNT; i++)
			mt_register_function(binary, &stubs[i], i % 2 ? "add" : "append");
		for (int i = 0; i < COUNT; i++) {
			OK(mt_runtime_function(device_ctx, &stubs[i], &fn));
			cr_assert_str_eq(fn->name, i % 2 ? "add" : "append");
		}
		mt_unregister_fat_binary(binary);
		EXPECT(MUSA_ERROR_NOT_FOUND, mt_runtime_function(device_ctx, &stubs[7], &fn));
	}
	cob_free(&image);
}

/* A library's kernels work in the context, and its image may go once it is loaded. */
Test(drv_modules, libraries)
{
	struct cob_buf image = {0};
	uint64_t library, kernel, again;
	struct mt_variable variable;
	struct mt_function *fn;
	const char *name;
	unsigned int count;

	device_image(&image);
	OK(mt_library_load_data(image.data, &library));
	memset(image.data, 0xff, image.size);
	cob_free(&image);
	OK(mt_library_kernel_count(library, &count));
	cr_assert_eq(count, 6);
	OK(mt_library_kernel(library, "add", &kernel));
	OK(mt_library_kernel(library, "add", &again));
	cr_assert_eq(kernel, again);
	EXPECT(MUSA_ERROR_NOT_FOUND, mt_library_kernel(library, "sub", &again));
	OK(mt_kernel_name(kernel, &name));
	cr_assert_str_eq(name, "add");
	OK(mt_kernel_library(kernel, &again));
	cr_assert_eq(again, library);
	OK(mt_runtime_function(device_ctx, (const void *)(uintptr_t)kernel, &fn));
	cr_assert_str_eq(fn->name, "add");
	OK(mt_library_variable(device_ctx, library, "cell", &variable));
	cr_assert_eq(read_device(variable.va), 5);
	OK(mt_library_unload(library));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_library_unload(library));
	EXPECT(MUSA_ERROR_NOT_FOUND,
	       mt_runtime_function(device_ctx, (const void *)(uintptr_t)kernel, &fn));
}

/* Every allocation of a load may fail: the module is not there then, and nothing is lost. */
Test(drv_modules, failed_loads_leave_nothing)
{
	struct cob_buf image = {0};
	struct mt_alloc_stats before, after;
	uint64_t module;
	MUresult ret;

	device_image(&image);
	OK(mt_module_load_data(device_ctx, image.data, &module));
	OK(mt_module_unload(module));
	for (uint64_t n = 1;; n++) {
		mt_alloc_stats_get(&before);
		mt_alloc_fail_at(n);
		ret = mt_module_load_data(device_ctx, image.data, &module);
		mt_alloc_fail_at(0);
		if (!ret)
			break;
		cr_assert_eq(ret, MUSA_ERROR_OUT_OF_MEMORY, "allocation %d: %d", (int)n, ret);
		mt_alloc_stats_get(&after);
		cr_assert_eq(after.live_count, before.live_count, "allocation %d", (int)n);
		cr_assert_lt(n, 1000);
	}
	OK(mt_module_unload(module));
	cob_free(&image);
}

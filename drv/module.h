/* SPDX-License-Identifier: MIT */
/*
 * Modules, functions and device variables; and the registry of what the compiler's host code
 * announced (fat binaries, stubs, variables), loaded per context at first use.
 */
#ifndef MT_DRV_MODULE_H
#define MT_DRV_MODULE_H

#include <stdint.h>

#include "drv/codeobj.h"
#include "drv/context.h"
#include "drv/result.h"

/* A kernel on one device. Lives as long as its module. */
struct mt_function {
	uint64_t handle;          /* MUfunction; 0 until somebody asks for it */
	struct mt_module *module;
	const struct mt_codeobj_kernel *kernel; /* name, argument layout */
	const char *name;
	_Atomic(const void *) stub; /* host stub or MUkernel that mt_runtime_function() found it by,
				     * NULL if none: what GetParams of a kernel node tells */
	uint32_t device;
	uint64_t code_va;         /* block entry */
	uint32_t args_b;          /* kernarg image, 0 if it takes nothing */
	uint32_t static_shared_b; /* without the dynamic part */
	uint32_t max_threads;     /* per block */
	uint32_t max_dynamic_shared_b; /* may be raised by attribute */
	bool device_launch;       /* launches graphs from device code */
	int32_t carveout, cache_config;
};

struct mt_variable {
	const char *name;
	uint64_t va, size_b;
};

/* `image` as muModuleLoadData takes it. *module_out is NULL on failure. */
MUresult mt_module_load_data(struct mt_ctx *ctx, const void *image, uint64_t *module_out);
MUresult mt_module_load_file(struct mt_ctx *ctx, const char *path, uint64_t *module_out);
MUresult mt_module_unload(uint64_t module);
MUresult mt_module_function(uint64_t module, const char *name, struct mt_function **fn_out);
MUresult mt_module_variable(uint64_t module, const char *name, struct mt_variable *variable_out);
/* The code object that a function comes from; lives as long as its module. */
const struct mt_codeobj *mt_function_code(const struct mt_function *fn);
MUresult mt_function_get(uint64_t handle, struct mt_function **fn_out); /* INVALID_HANDLE */
uint64_t mt_module_of(const struct mt_function *fn); /* its handle */
MUresult mt_module_function_count(uint64_t module, unsigned int *count_out);
/* Up to `count` functions in the order of their names. */
MUresult mt_module_functions(uint64_t module, uint64_t *functions, unsigned int count);

/* Attributes as muFuncGetAttribute and muFuncSetAttribute define them (drv/function.c). */
MUresult mt_function_attribute(const struct mt_function *fn, int attribute, int *value_out);
MUresult mt_function_set_attribute(struct mt_function *fn, int attribute, int value);
/* Blocks of so many threads that are resident on one multiprocessor at the same time. */
uint32_t mt_function_blocks_per_mp(const struct mt_function *fn, uint32_t threads,
				   uint64_t dynamic_shared_b);

/* Registration by host code; never fails because of the image: that shows at first use. */
void *mt_register_fat_binary(const void *wrapper);
void mt_unregister_fat_binary(void *binary);
void mt_register_function(void *binary, const void *stub, const char *name);
void mt_register_variable(void *binary, const void *host_variable, const char *name, size_t size_b,
			  bool constant);

/* Libraries: code that belongs to no context and is loaded into one at first use. The image is read
 * when the library is loaded and not needed afterwards. Kernels are MUkernel handles, which a
 * runtime `func` argument and a launch also take. */
MUresult mt_library_load_data(const void *image, uint64_t *library_out);
MUresult mt_library_load_file(const char *path, uint64_t *library_out);
MUresult mt_library_unload(uint64_t library);
MUresult mt_library_kernel(uint64_t library, const char *name, uint64_t *kernel_out); /* NOT_FOUND */
MUresult mt_library_kernel_count(uint64_t library, unsigned int *count_out);
MUresult mt_library_kernels(uint64_t library, uint64_t *kernels, unsigned int count);
MUresult mt_library_variable(struct mt_ctx *ctx, uint64_t library, const char *name,
			     struct mt_variable *variable_out);
MUresult mt_library_module(struct mt_ctx *ctx, uint64_t library, uint64_t *module_out);
MUresult mt_kernel_name(uint64_t kernel, const char **name_out);
MUresult mt_kernel_library(uint64_t kernel, uint64_t *library_out);

/* What a runtime `func` argument names on a context: a registered stub, a MUfunction or a MUkernel.
 * Hot: a lock-free lookup after the first use. INVALID_DEVICE_FUNCTION-like results are left to the
 * API: MUSA_ERROR_NOT_FOUND for an unknown pointer, 209 without an image for the device. */
MUresult mt_runtime_function(struct mt_ctx *ctx, const void *func, struct mt_function **fn_out);
MUresult mt_runtime_variable(struct mt_ctx *ctx, const void *symbol,
			     struct mt_variable *variable_out); /* NOT_FOUND */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Finds the kernels of a device module. The headers' __global__ and __launch_bounds__ leave
 * annotations "mt.kernel" and "mt.launch_bounds", which clang lists in llvm.global.annotations.
 */
#include <string.h>

#include "tools/compiler/module.h"

static LLVMValueRef strip_casts(LLVMValueRef value)
{
	while (LLVMIsAConstantExpr(value))
		value = LLVMGetOperand(value, 0);
	return value;
}

static bool text_equals(LLVMValueRef pointer, const char *text)
{
	LLVMValueRef global = strip_casts(pointer);
	size_t length;
	const char *found;

	if (!LLVMIsAGlobalVariable(global) || !LLVMGetInitializer(global))
		return false;
	found = LLVMGetAsString(LLVMGetInitializer(global), &length);
	return length == strlen(text) + 1 && !memcmp(found, text, length);
}

static struct mtcc_kernel *kernel_of(struct mtcc_module *module, LLVMValueRef function)
{
	for (size_t i = 0; i < module->kernel_count; i++)
		if (module->kernels[i].source == function)
			return &module->kernels[i];
	return NULL;
}

static void add_kernel(struct mtcc_module *module, LLVMValueRef function)
{
	struct mtcc_kernel *kernel;
	size_t length;

	if (LLVMIsDeclaration(function) || kernel_of(module, function))
		return;
	module->kernels = mtcc_realloc(module->kernels,
				       (module->kernel_count + 1) * sizeof(*module->kernels));
	kernel = &module->kernels[module->kernel_count++];
	memset(kernel, 0, sizeof(*kernel));
	kernel->source = function;
	kernel->name = mtcc_copy(LLVMGetValueName2(function, &length));
}

/* The annotation's arguments are a constant struct of integers. */
static void read_launch_bounds(struct mtcc_kernel *kernel, LLVMValueRef pointer)
{
	LLVMValueRef global = strip_casts(pointer), values;
	uint32_t *const fields[] = {&kernel->max_threads, &kernel->min_blocks};
	int count;

	if (!LLVMIsAGlobalVariable(global) || !LLVMGetInitializer(global))
		return;
	values = LLVMGetInitializer(global);
	count = LLVMGetNumOperands(values);
	for (int i = 0; i < count && i < 2; i++) {
		LLVMValueRef value = LLVMGetOperand(values, (unsigned int)i);

		if (LLVMIsAConstantInt(value))
			*fields[i] = (uint32_t)LLVMConstIntGetZExtValue(value);
	}
}

void mtcc_kernels_find(struct mtcc_module *module)
{
	LLVMValueRef list = LLVMGetNamedGlobal(module->module, "llvm.global.annotations");
	LLVMValueRef rows;
	int count;

	if (!list)
		return;
	rows = LLVMGetInitializer(list);
	count = LLVMGetNumOperands(rows);
	for (int i = 0; i < count; i++) {
		LLVMValueRef row = LLVMGetOperand(rows, (unsigned int)i);
		LLVMValueRef value = strip_casts(LLVMGetOperand(row, 0));

		if (LLVMIsAFunction(value) && text_equals(LLVMGetOperand(row, 1), "mt.kernel"))
			add_kernel(module, value);
	}
	for (int i = 0; i < count; i++) {
		LLVMValueRef row = LLVMGetOperand(rows, (unsigned int)i);
		struct mtcc_kernel *kernel = kernel_of(module, strip_casts(LLVMGetOperand(row, 0)));

		if (kernel && text_equals(LLVMGetOperand(row, 1), "mt.launch_bounds"))
			read_launch_bounds(kernel, LLVMGetOperand(row, 4));
	}
	LLVMDeleteGlobal(list);
	for (size_t i = 0; i < module->kernel_count; i++)
		mtcc_kernel_read_params(module, &module->kernels[i]);
}

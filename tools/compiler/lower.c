/* SPDX-License-Identifier: MIT */
/*
 * Replaces calls of the functions that the device headers declare and nobody defines: indices and
 * sizes become loads from the block, services become calls through the engine's table, printf's
 * arguments an array of slots.
 */
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/module.h"

enum builtin_kind {
	BUILTIN_THREAD,  /* index of the thread; offset: 0, 1, 2 for x, y, z */
	BUILTIN_FIELD,   /* 32-bit member of the block */
	BUILTIN_SERVICE, /* call through the services table, with the block first */
	BUILTIN_PRINT,
};

struct builtin {
	const char *name;
	enum builtin_kind kind;
	size_t offset_b;
	bool fibers;  /* other threads of the block must be able to run meanwhile */
	bool barrier; /* block barrier */
	bool no_return;
};

#define FIELD(name, member)                                                                        \
	{                                                                                          \
		"__mt_" name, BUILTIN_FIELD, offsetof(struct mt_dev_block, member), false, false,  \
			false                                                                      \
	}
#define SERVICE(name, member, fibers, barrier)                                                     \
	{                                                                                          \
		"__mt_" name, BUILTIN_SERVICE, offsetof(struct mt_dev_services, member), fibers,   \
			barrier, false                                                             \
	}

static const struct builtin builtins[] = {
	{"__mt_thread_x", BUILTIN_THREAD, 0, false, false, false},
	{"__mt_thread_y", BUILTIN_THREAD, 1, false, false, false},
	{"__mt_thread_z", BUILTIN_THREAD, 2, false, false, false},
	FIELD("block_x", block_x),
	FIELD("block_y", block_y),
	FIELD("block_z", block_z),
	FIELD("block_dim_x", block_dim_x),
	FIELD("block_dim_y", block_dim_y),
	FIELD("block_dim_z", block_dim_z),
	FIELD("grid_dim_x", grid_dim_x),
	FIELD("grid_dim_y", grid_dim_y),
	FIELD("grid_dim_z", grid_dim_z),
	FIELD("warp_size", warp_size),
	FIELD("dynamic_shared_size", dynamic_shared_b),
	FIELD("static_shared_size", static_shared_b),
	SERVICE("barrier", barrier, true, true),
	SERVICE("warp_sync", warp_sync, true, false),
	SERVICE("warp_exchange", warp_exchange, true, false),
	SERVICE("active_mask", active_mask, true, false),
	SERVICE("grid_barrier", grid_barrier, true, false),
	SERVICE("yield", yield, true, false),
	SERVICE("clock", clock, false, false),
	SERVICE("heap_alloc", heap_alloc, false, false),
	SERVICE("heap_free", heap_free, false, false),
	SERVICE("graph_launch", graph_launch, false, false),
	SERVICE("graph_current", graph_current, false, false),
	{"__mt_assert_fail", BUILTIN_SERVICE, offsetof(struct mt_dev_services, assert_fail), false,
	 false, true},
	{"__mt_trap", BUILTIN_SERVICE, offsetof(struct mt_dev_services, trap), false, false, true},
	{"printf", BUILTIN_PRINT, offsetof(struct mt_dev_services, print), false, false, false},
};

static const struct builtin *find_builtin(const char *name)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
		if (!strcmp(builtins[i].name, name))
			return &builtins[i];
	return NULL;
}

bool mtcc_builtin_needs_fibers(const char *name)
{
	const struct builtin *builtin = find_builtin(name);

	return builtin && builtin->fibers;
}

bool mtcc_builtin_is_barrier(const char *name)
{
	const struct builtin *builtin = find_builtin(name);

	return builtin && builtin->barrier;
}

bool mtcc_builtin_launches_graphs(const char *name)
{
	const struct builtin *builtin = find_builtin(name);

	return builtin && builtin->kind == BUILTIN_SERVICE &&
	       builtin->offset_b == offsetof(struct mt_dev_services, graph_launch);
}

static bool is_kernel_body(const struct mtcc_module *module, LLVMValueRef function)
{
	for (size_t i = 0; i < module->kernel_count; i++)
		if (module->kernels[i].body == function)
			return true;
	return false;
}

static LLVMValueRef build_thread(struct mtcc_module *module, LLVMValueRef function,
				 size_t dimension)
{
	static const size_t offsets[] = {offsetof(struct mt_dev_block, thread_x),
					 offsetof(struct mt_dev_block, thread_y),
					 offsetof(struct mt_dev_block, thread_z)};

	if (is_kernel_body(module, function))
		return LLVMGetParam(function, 1 + (unsigned int)dimension);
	/* Not invariant: the thread changes between calls. */
	return mtcc_block_load(module, function, module->i32, offsets[dimension], false);
}

static LLVMValueRef build_service(struct mtcc_module *module, LLVMValueRef function,
				  LLVMValueRef call, const struct builtin *builtin)
{
	unsigned int count = LLVMGetNumArgOperands(call);
	LLVMTypeRef types[8], type;
	LLVMValueRef arguments[8], result;

	if (count > 7)
		mtcc_fatal("%s has too many arguments", builtin->name);
	types[0] = module->bytes;
	arguments[0] = mtcc_block_pointer(module, function);
	for (unsigned int i = 0; i < count; i++) {
		arguments[i + 1] = LLVMGetOperand(call, i);
		types[i + 1] = LLVMTypeOf(arguments[i + 1]);
	}
	type = LLVMFunctionType(LLVMTypeOf(call), types, count + 1, false);
	result = LLVMBuildCall2(module->builder, type,
				mtcc_block_service(module, function, builtin->offset_b, type),
				arguments, count + 1, "");
	if (builtin->no_return)
		LLVMAddCallSiteAttribute(
			result, LLVMAttributeFunctionIndex,
			LLVMCreateEnumAttribute(module->context,
						LLVMGetEnumAttributeKindForName("noreturn", 8), 0));
	return result;
}

/* One printf argument as the 8 bytes of its slot. */
static LLVMValueRef build_slot(struct mtcc_module *module, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMTypeRef double_type = LLVMDoubleTypeInContext(module->context);

	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
		return LLVMBuildPtrToInt(module->builder, value, module->i64, "");
	case LLVMIntegerTypeKind:
		if (LLVMGetIntTypeWidth(type) > 64)
			return LLVMBuildTrunc(module->builder, value, module->i64, "");
		return LLVMBuildSExt(module->builder, value, module->i64, "");
	case LLVMX86_FP80TypeKind:
		value = LLVMBuildFPTrunc(module->builder, value, double_type, "");
		return LLVMBuildBitCast(module->builder, value, module->i64, "");
	case LLVMFloatTypeKind:
		value = LLVMBuildFPExt(module->builder, value, double_type, "");
		return LLVMBuildBitCast(module->builder, value, module->i64, "");
	case LLVMDoubleTypeKind:
		return LLVMBuildBitCast(module->builder, value, module->i64, "");
	default:
		mtcc_fatal("printf in device code takes numbers, pointers and strings only");
	}
}

static LLVMValueRef build_print(struct mtcc_module *module, LLVMValueRef function,
				LLVMValueRef call, const struct builtin *builtin)
{
	unsigned int count = LLVMGetNumArgOperands(call) - 1;
	LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
	LLVMTypeRef slots = LLVMArrayType(module->i64, count ? count : 1);
	LLVMTypeRef types[4] = {module->bytes, module->bytes, LLVMPointerType(module->i64, 0),
				module->i32};
	LLVMTypeRef type = LLVMFunctionType(module->i32, types, 4, false);
	LLVMValueRef arguments[4], array;

	LLVMPositionBuilder(module->builder, first, LLVMGetFirstInstruction(first));
	array = LLVMBuildAlloca(module->builder, slots, "");
	LLVMSetAlignment(array, 8);
	LLVMPositionBuilderBefore(module->builder, call);
	for (unsigned int i = 0; i < count; i++) {
		LLVMValueRef value = build_slot(module, LLVMGetOperand(call, i + 1));

		LLVMBuildStore(module->builder, value,
			       mtcc_build_address(
				       module,
				       LLVMBuildBitCast(module->builder, array, module->bytes, ""),
				       i * sizeof(uint64_t), module->i64));
	}
	arguments[0] = mtcc_block_pointer(module, function);
	arguments[1] = LLVMGetOperand(call, 0);
	arguments[2] = LLVMBuildBitCast(module->builder, array, types[2], "");
	arguments[3] = LLVMConstInt(module->i32, count, false);
	return LLVMBuildCall2(module->builder, type,
			      mtcc_block_service(module, function, builtin->offset_b, type),
			      arguments, 4, "");
}

static void lower_call(struct mtcc_module *module, LLVMValueRef call, const struct builtin *builtin)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	LLVMValueRef value = NULL;

	LLVMPositionBuilderBefore(module->builder, call);
	switch (builtin->kind) {
	case BUILTIN_THREAD:
		value = build_thread(module, function, builtin->offset_b);
		break;
	case BUILTIN_FIELD:
		value = mtcc_block_load(module, function, module->i32, builtin->offset_b, true);
		break;
	case BUILTIN_SERVICE:
		value = build_service(module, function, call, builtin);
		break;
	case BUILTIN_PRINT:
		value = build_print(module, function, call, builtin);
		break;
	}
	if (LLVMGetFirstUse(call))
		LLVMReplaceAllUsesWith(call, value);
	LLVMInstructionEraseFromParent(call);
}

void mtcc_builtins_lower(struct mtcc_module *module)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		LLVMValueRef declared = LLVMGetNamedFunction(module->module, builtins[i].name);
		LLVMUseRef use, next;

		if (!declared || !LLVMIsDeclaration(declared))
			continue;
		for (use = LLVMGetFirstUse(declared); use; use = next) {
			LLVMValueRef user = LLVMGetUser(use);

			next = LLVMGetNextUse(use);
			if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != declared)
				mtcc_fatal("the address of %s cannot be taken in device code",
					   builtins[i].name);
			lower_call(module, user, &builtins[i]);
		}
		LLVMDeleteFunction(declared);
	}
}

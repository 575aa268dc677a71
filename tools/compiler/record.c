/* SPDX-License-Identifier: MIT */
/*
 * --record-access: device code tells the engine of every access before it makes it, if the engine
 * asks for it when the kernel runs. Variables on the stack, arguments and the block's description
 * are left out; block-shared memory is not, because a pointer does not tell: the engine knows.
 */
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/module.h"

/* What a call needs: where, how much, whether it is written. */
struct access {
	LLVMValueRef address, size;
	bool write;
};

/* Behind casts and offsets: a variable of the thread's own. */
static bool is_private(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAAllocaInst(pointer);
}

static LLVMValueRef size_of(struct mtcc_module *module, LLVMTypeRef type)
{
	return LLVMConstInt(module->i64, LLVMStoreSizeOfType(module->layout, type), false);
}

/* Calls of the memory functions that the headers define; their insides are not looked at. */
static bool is_named(LLVMValueRef function, const char *name)
{
	size_t length;

	return LLVMIsAFunction(function) && !strcmp(LLVMGetValueName2(function, &length), name);
}

static bool sets_memory(LLVMValueRef at)
{
	return LLVMIsAMemSetInst(at) ||
	       (LLVMIsACallInst(at) && is_named(LLVMGetCalledValue(at), "memset"));
}

static bool copies_memory(LLVMValueRef at)
{
	LLVMValueRef callee;

	if (LLVMIsAMemCpyInst(at) || LLVMIsAMemMoveInst(at))
		return true;
	if (!LLVMIsACallInst(at))
		return false;
	callee = LLVMGetCalledValue(at);
	return is_named(callee, "memcpy") || is_named(callee, "memmove");
}

/* The accesses of one instruction: at most two. */
static unsigned int find_accesses(struct mtcc_module *module, LLVMValueRef at,
				  struct access accesses[2])
{
	LLVMTypeRef type = LLVMTypeOf(at);

	if (LLVMIsALoadInst(at)) {
		if (LLVMGetMetadata(at, module->invariant_kind))
			return 0;
		accesses[0] = (struct access){LLVMGetOperand(at, 0), size_of(module, type), false};
		return 1;
	}
	if (LLVMIsAStoreInst(at)) {
		type = LLVMTypeOf(LLVMGetOperand(at, 0));
		accesses[0] = (struct access){LLVMGetOperand(at, 1), size_of(module, type), true};
		return 1;
	}
	if (LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at)) {
		type = LLVMTypeOf(LLVMGetOperand(at, 1));
		accesses[0] = (struct access){LLVMGetOperand(at, 0), size_of(module, type), true};
		return 1;
	}
	if (sets_memory(at)) {
		accesses[0] = (struct access){LLVMGetOperand(at, 0), LLVMGetOperand(at, 2), true};
		return 1;
	}
	if (copies_memory(at)) {
		accesses[0] = (struct access){LLVMGetOperand(at, 0), LLVMGetOperand(at, 2), true};
		accesses[1] = (struct access){LLVMGetOperand(at, 1), LLVMGetOperand(at, 2), false};
		return 2;
	}
	return 0;
}

/* void (block, address, size, write): calls the engine if it wants to know. */
static LLVMValueRef make_recorder(struct mtcc_module *module, LLVMTypeRef type)
{
	size_t offset_b = offsetof(struct mt_dev_services, record_access);
	LLVMTypeRef field = LLVMPointerType(type, 0);
	LLVMValueRef recorder, address, services, function, arguments[4], wanted;
	LLVMBasicBlockRef entry, record, end;

	recorder = LLVMAddFunction(module->module, "mt.record_access", type);
	LLVMSetLinkage(recorder, LLVMInternalLinkage);
	mtcc_add_attribute(module, recorder, LLVMAttributeFunctionIndex, "noinline", 0);
	mtcc_add_attribute(module, recorder, LLVMAttributeFunctionIndex, "nounwind", 0);
	entry = LLVMAppendBasicBlockInContext(module->context, recorder, "");
	record = LLVMAppendBasicBlockInContext(module->context, recorder, "");
	end = LLVMAppendBasicBlockInContext(module->context, recorder, "");
	for (unsigned int i = 0; i < 4; i++)
		arguments[i] = LLVMGetParam(recorder, i);
	LLVMPositionBuilderAtEnd(module->builder, entry);
	address = mtcc_build_address(module, arguments[0], offsetof(struct mt_dev_block, services),
				     module->bytes);
	services = LLVMBuildLoad2(module->builder, module->bytes, address, "");
	address = mtcc_build_address(module, services, offset_b, field);
	function = LLVMBuildLoad2(module->builder, field, address, "");
	wanted = LLVMBuildIsNotNull(module->builder, function, "");
	LLVMBuildCondBr(module->builder, wanted, record, end);
	LLVMPositionBuilderAtEnd(module->builder, record);
	LLVMBuildCall2(module->builder, type, function, arguments, 4, "");
	LLVMBuildBr(module->builder, end);
	LLVMPositionBuilderAtEnd(module->builder, end);
	LLVMBuildRetVoid(module->builder);
	return recorder;
}

static void record_instruction(struct mtcc_module *module, LLVMValueRef recorder, LLVMTypeRef type,
			       LLVMValueRef function, LLVMValueRef at)
{
	struct access accesses[2];
	unsigned int count = find_accesses(module, at, accesses);

	for (unsigned int i = 0; i < count; i++) {
		LLVMTypeRef pointer = LLVMTypeOf(accesses[i].address);
		LLVMValueRef arguments[4];

		if (is_private(accesses[i].address) || LLVMGetPointerAddressSpace(pointer))
			continue;
		LLVMPositionBuilderBefore(module->builder, at);
		arguments[0] = mtcc_block_pointer(module, function);
		arguments[1] =
			LLVMBuildBitCast(module->builder, accesses[i].address, module->bytes, "");
		arguments[2] =
			LLVMBuildZExtOrBitCast(module->builder, accesses[i].size, module->i64, "");
		arguments[3] = LLVMConstInt(module->i32, accesses[i].write, false);
		LLVMBuildCall2(module->builder, type, recorder, arguments, 4, "");
	}
}

void mtcc_accesses_record(struct mtcc_module *module)
{
	LLVMTypeRef types[] = {module->bytes, module->bytes, module->i64, module->i32};
	LLVMTypeRef type = LLVMFunctionType(module->void_type, types, 4, false);
	LLVMValueRef recorder = make_recorder(module, type), function, at, next;

	for (function = LLVMGetFirstFunction(module->module); function;
	     function = LLVMGetNextFunction(function)) {
		if (function == recorder || is_named(function, "memcpy") ||
		    is_named(function, "memmove") || is_named(function, "memset"))
			continue;
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		     block = LLVMGetNextBasicBlock(block)) {
			for (at = LLVMGetFirstInstruction(block); at; at = next) {
				next = LLVMGetNextInstruction(at);
				record_instruction(module, recorder, type, function, at);
			}
		}
	}
}

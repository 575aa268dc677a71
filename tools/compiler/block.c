/* SPDX-License-Identifier: MIT */
/*
 * Builds the code that reads the running block's description: through the block argument in a
 * kernel's own functions, through the GS segment in functions that were not inlined. Threads with a
 * GS base cost more to switch between, so that only kernels of modules with such functions ask for it.
 */
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/module.h"

#define GS_ADDRESS_SPACE 256 /* x86: pointers relative to the GS base */

void mtcc_add_attribute(struct mtcc_module *module, LLVMValueRef function, unsigned int index,
			const char *name, uint64_t value)
{
	unsigned int kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, index,
				LLVMCreateEnumAttribute(module->context, kind, value));
}

/* Bodies and entries get the block as their first argument. */
static bool has_block_argument(const struct mtcc_module *module, LLVMValueRef function)
{
	for (size_t i = 0; i < module->kernel_count; i++)
		if (function == module->kernels[i].body || function == module->kernels[i].entry)
			return true;
	return false;
}

LLVMValueRef mtcc_build_address(struct mtcc_module *module, LLVMValueRef base, uint64_t offset_b,
				LLVMTypeRef type)
{
	LLVMValueRef index = LLVMConstInt(module->i64, offset_b, false);
	LLVMValueRef bytes =
		LLVMBuildInBoundsGEP2(module->builder, module->i8, base, &index, 1, "");

	return LLVMBuildBitCast(module->builder, bytes, LLVMPointerType(type, 0), "");
}

static LLVMValueRef mark_invariant(struct mtcc_module *module, LLVMValueRef load)
{
	LLVMMetadataRef empty = LLVMMDNodeInContext2(module->context, NULL, 0);

	LLVMSetMetadata(load, module->invariant_kind, LLVMMetadataAsValue(module->context, empty));
	return load;
}

LLVMValueRef mtcc_block_load(struct mtcc_module *module, LLVMValueRef function, LLVMTypeRef type,
			     size_t offset_b, bool invariant)
{
	LLVMTypeRef gs_type = LLVMPointerType(type, GS_ADDRESS_SPACE);
	LLVMValueRef address, load;

	if (has_block_argument(module, function))
		address = mtcc_build_address(module, LLVMGetParam(function, 0), offset_b, type);
	else
		address = LLVMConstIntToPtr(LLVMConstInt(module->i64, offset_b, false), gs_type);
	load = LLVMBuildLoad2(module->builder, type, address, "");
	return invariant ? mark_invariant(module, load) : load;
}

LLVMValueRef mtcc_block_pointer(struct mtcc_module *module, LLVMValueRef function)
{
	if (has_block_argument(module, function))
		return LLVMGetParam(function, 0);
	return mtcc_block_load(module, function, module->bytes, offsetof(struct mt_dev_block, self),
			       true);
}

LLVMValueRef mtcc_block_service(struct mtcc_module *module, LLVMValueRef function, size_t offset_b,
				LLVMTypeRef type)
{
	LLVMValueRef services, address, load;

	services = mtcc_block_load(module, function, module->bytes,
				   offsetof(struct mt_dev_block, services), true);
	address = mtcc_build_address(module, services, offset_b, LLVMPointerType(type, 0));
	load = LLVMBuildLoad2(module->builder, LLVMPointerType(type, 0), address, "");
	return mark_invariant(module, load);
}

static bool reads_gs(LLVMValueRef function)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
	     block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
		     at = LLVMGetNextInstruction(at))
			if (LLVMIsALoadInst(at) &&
			    LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(at, 0))) ==
				    GS_ADDRESS_SPACE)
				return true;
	return false;
}

void mtcc_block_ask_for_gs(struct mtcc_module *module)
{
	LLVMTypeRef type = LLVMFunctionType(module->void_type, &module->bytes, 1, false);
	LLVMValueRef function = LLVMGetFirstFunction(module->module), block;

	while (function && !reads_gs(function))
		function = LLVMGetNextFunction(function);
	for (size_t i = 0; function && i < module->kernel_count; i++) {
		LLVMValueRef entry = module->kernels[i].entry;

		block = LLVMGetParam(entry, 0);
		LLVMPositionBuilderBefore(module->builder,
					  LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(entry)));
		LLVMBuildCall2(module->builder, type,
			       mtcc_block_service(module, entry,
						  offsetof(struct mt_dev_services, use_gs), type),
			       &block, 1, "");
	}
}

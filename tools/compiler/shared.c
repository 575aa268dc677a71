/* SPDX-License-Identifier: MIT */
/*
 * Block-shared variables. The front end leaves them as global variables: static ones without a
 * value (undef), `extern __shared__` arrays as declarations of no length. Each static one gets an
 * offset from the block's shared memory that no other variable of the same kernel overlaps; the
 * dynamic ones stand behind the kernel's static part.
 */
#include <stdlib.h>
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/module.h"

#define DYNAMIC_ALIGN_B  16
#define SHARED_BYTES_MAX (1u << 20)

struct shared_variable {
	LLVMValueRef global;
	bool dynamic;
	uint64_t offset_b;
	uint64_t size_b;
	bool *kernels; /* owned; which kernels may touch it */
};

struct shared_list {
	struct shared_variable *items; /* owned */
	size_t count;
};

/* A place where an instruction names a shared variable, perhaps inside a constant expression. */
struct shared_use {
	LLVMValueRef instruction;
	unsigned int operand;
};

struct use_list {
	struct shared_use *items; /* owned */
	size_t count;
};

static struct shared_variable *find_variable(const struct shared_list *list, LLVMValueRef value)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].global == value)
			return &list->items[i];
	return NULL;
}

static bool is_dynamic(LLVMValueRef global)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(global);

	return LLVMIsDeclaration(global) && LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
	       !LLVMGetArrayLength(type);
}

static void collect_variables(struct mtcc_module *module, struct shared_list *list)
{
	for (LLVMValueRef global = LLVMGetFirstGlobal(module->module); global;
	     global = LLVMGetNextGlobal(global)) {
		LLVMValueRef value = LLVMGetInitializer(global);
		bool dynamic = is_dynamic(global);
		struct shared_variable *variable;

		if (!dynamic && !(value && LLVMIsUndef(value)))
			continue;
		list->items = mtcc_realloc(list->items, (list->count + 1) * sizeof(*list->items));
		variable = &list->items[list->count++];
		memset(variable, 0, sizeof(*variable));
		variable->global = global;
		variable->dynamic = dynamic;
		variable->size_b =
			LLVMABISizeOfType(module->layout, LLVMGlobalGetValueType(global));
		variable->kernels = mtcc_alloc(module->kernel_count * sizeof(bool));
	}
}

/* The shared variable that a constant names, however deep; NULL if none. */
static struct shared_variable *find_in_constant(const struct shared_list *list, LLVMValueRef value)
{
	struct shared_variable *found = find_variable(list, value);

	if (found || !LLVMIsAConstantExpr(value))
		return found;
	for (int i = 0; !found && i < LLVMGetNumOperands(value); i++)
		found = find_in_constant(list, LLVMGetOperand(value, (unsigned int)i));
	return found;
}

static void note_use(struct mtcc_module *module, const struct shared_list *list,
		     struct use_list *uses, LLVMValueRef instruction, unsigned int operand)
{
	LLVMValueRef value = LLVMGetOperand(instruction, operand), function;
	struct shared_variable *variable;

	if (!value || !LLVMIsAConstant(value))
		return;
	variable = find_in_constant(list, value);
	if (!variable)
		return;
	uses->items = mtcc_realloc(uses->items, (uses->count + 1) * sizeof(*uses->items));
	uses->items[uses->count++] = (struct shared_use){instruction, operand};
	function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	for (size_t i = 0; i < module->kernel_count; i++)
		if (mtcc_kernel_reaches(&module->kernels[i], function))
			variable->kernels[i] = true;
}

static void collect_uses(struct mtcc_module *module, const struct shared_list *list,
			 struct use_list *uses)
{
	for (LLVMValueRef function = LLVMGetFirstFunction(module->module); function;
	     function = LLVMGetNextFunction(function))
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		     block = LLVMGetNextBasicBlock(block))
			for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
			     instruction = LLVMGetNextInstruction(instruction))
				for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
					note_use(module, list, uses, instruction, (unsigned int)i);
}

static bool share_a_kernel(struct mtcc_module *module, const struct shared_variable *a,
			   const struct shared_variable *b)
{
	for (size_t i = 0; i < module->kernel_count; i++)
		if (a->kernels[i] && b->kernels[i])
			return true;
	return false;
}

/* First fit: behind every earlier variable of a common kernel that would overlap. */
static void place_variable(struct mtcc_module *module, struct shared_list *list, size_t index)
{
	struct shared_variable *variable = &list->items[index];
	uint64_t align_b = LLVMGetAlignment(variable->global), offset_b = 0;
	bool moved;

	if (!align_b)
		align_b = 16;
	do {
		moved = false;
		for (size_t i = 0; i < index; i++) {
			const struct shared_variable *other = &list->items[i];

			if (other->dynamic || !share_a_kernel(module, variable, other) ||
			    offset_b >= other->offset_b + other->size_b ||
			    offset_b + variable->size_b <= other->offset_b)
				continue;
			offset_b = other->offset_b + other->size_b;
			offset_b = (offset_b + align_b - 1) / align_b * align_b;
			moved = true;
		}
	} while (moved);
	variable->offset_b = offset_b;
	for (size_t i = 0; i < module->kernel_count; i++) {
		struct mtcc_kernel *kernel = &module->kernels[i];

		if (!variable->kernels[i])
			continue;
		if (offset_b + variable->size_b > kernel->shared_b)
			kernel->shared_b = offset_b + variable->size_b;
		if (kernel->shared_b > SHARED_BYTES_MAX)
			mtcc_fatal("kernel %s has more than %u bytes of static shared memory",
				   kernel->name, SHARED_BYTES_MAX);
	}
}

static void place_variables(struct mtcc_module *module, struct shared_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!list->items[i].dynamic) {
			place_variable(module, list, i);
			continue;
		}
		for (size_t k = 0; k < module->kernel_count; k++)
			module->kernels[k].dynamic_shared |= list->items[i].kernels[k];
	}
}

/* Address of a variable, computed where the builder stands. */
static LLVMValueRef build_variable(struct mtcc_module *module, LLVMValueRef function,
				   const struct shared_variable *variable)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(variable->global);
	LLVMValueRef base, offset, mask;

	base = mtcc_block_load(module, function, module->bytes,
			       offsetof(struct mt_dev_block, shared), true);
	if (!variable->dynamic)
		return mtcc_build_address(module, base, variable->offset_b, type);
	offset = mtcc_block_load(module, function, module->i32,
				 offsetof(struct mt_dev_block, static_shared_b), true);
	offset = LLVMBuildZExt(module->builder, offset, module->i64, "");
	offset = LLVMBuildAdd(module->builder, offset,
			      LLVMConstInt(module->i64, DYNAMIC_ALIGN_B - 1, false), "");
	mask = LLVMConstInt(module->i64, ~(uint64_t)(DYNAMIC_ALIGN_B - 1), false);
	offset = LLVMBuildAnd(module->builder, offset, mask, "");
	base = LLVMBuildInBoundsGEP2(module->builder, module->i8, base, &offset, 1, "");
	return LLVMBuildBitCast(module->builder, base, LLVMPointerType(type, 0), "");
}

static LLVMValueRef build_constant(struct mtcc_module *module, const struct shared_list *list,
				   LLVMValueRef function, LLVMValueRef value);

static LLVMValueRef build_address_constant(struct mtcc_module *module,
					   const struct shared_list *list, LLVMValueRef function,
					   LLVMValueRef value)
{
	unsigned int count = (unsigned int)LLVMGetNumOperands(value);
	LLVMValueRef *operands = mtcc_alloc(count * sizeof(*operands)), result;
	LLVMTypeRef type = LLVMGetGEPSourceElementType(value);

	for (unsigned int i = 0; i < count; i++)
		operands[i] = build_constant(module, list, function, LLVMGetOperand(value, i));
	result = LLVMIsInBounds(value) ? LLVMBuildInBoundsGEP2(module->builder, type, operands[0],
							       operands + 1, count - 1, "")
				       : LLVMBuildGEP2(module->builder, type, operands[0],
						       operands + 1, count - 1, "");
	free(operands);
	return result;
}

/* Instructions that compute what the constant expression @value says. */
static LLVMValueRef build_constant(struct mtcc_module *module, const struct shared_list *list,
				   LLVMValueRef function, LLVMValueRef value)
{
	const struct shared_variable *variable = find_variable(list, value);
	LLVMOpcode opcode;
	LLVMValueRef left, right;

	if (variable)
		return build_variable(module, function, variable);
	if (!find_in_constant(list, value))
		return value;
	opcode = LLVMGetConstOpcode(value);
	if (opcode == LLVMGetElementPtr)
		return build_address_constant(module, list, function, value);
	left = build_constant(module, list, function, LLVMGetOperand(value, 0));
	if (LLVMGetNumOperands(value) == 1)
		return LLVMBuildCast(module->builder, opcode, left, LLVMTypeOf(value), "");
	right = build_constant(module, list, function, LLVMGetOperand(value, 1));
	if (opcode == LLVMICmp)
		return LLVMBuildICmp(module->builder, LLVMGetICmpPredicate(value), left, right, "");
	if (LLVMGetNumOperands(value) == 3)
		return LLVMBuildSelect(
			module->builder, left, right,
			build_constant(module, list, function, LLVMGetOperand(value, 2)), "");
	return LLVMBuildBinOp(module->builder, opcode, left, right, "");
}

static void replace_use(struct mtcc_module *module, const struct shared_list *list,
			const struct shared_use *use)
{
	LLVMValueRef instruction = use->instruction, value, operand;
	LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
	LLVMValueRef function = LLVMGetBasicBlockParent(block);

	operand = LLVMGetOperand(instruction, use->operand);
	if (LLVMIsAPHINode(instruction))
		LLVMPositionBuilderBefore(module->builder,
					  LLVMGetBasicBlockTerminator(
						  LLVMGetIncomingBlock(instruction, use->operand)));
	else
		LLVMPositionBuilderBefore(module->builder, instruction);
	value = build_constant(module, list, function, operand);
	LLVMSetOperand(instruction, use->operand, value);
}

void mtcc_shared_lower(struct mtcc_module *module)
{
	struct shared_list list = {0};
	struct use_list uses = {0};

	collect_variables(module, &list);
	collect_uses(module, &list, &uses);
	place_variables(module, &list);
	for (size_t i = 0; i < uses.count; i++)
		replace_use(module, &list, &uses.items[i]);
	for (size_t i = 0; i < list.count; i++) {
		LLVMValueRef global = list.items[i].global;
		size_t length;

		for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use))
			if (!LLVMIsAConstantExpr(LLVMGetUser(use)))
				mtcc_fatal("the address of __shared__ variable %s is no constant",
					   LLVMGetValueName2(global, &length));
		LLVMReplaceAllUsesWith(global, LLVMGetUndef(LLVMTypeOf(global)));
		LLVMDeleteGlobal(global);
		free(list.items[i].kernels);
	}
	free(list.items);
	free(uses.items);
}

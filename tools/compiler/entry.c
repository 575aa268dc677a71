/* SPDX-License-Identifier: MIT */
/*
 * Turns each kernel into two functions: the body, `void (block, x, y, z)`, runs one thread with
 * arguments read from the argument image; the block entry, `void (block)`, runs a whole block,
 * with plain loops around the body, or through the engine where threads wait for each other.
 */
#include <stdlib.h>
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/axis.h"
#include "tools/compiler/stride.h"

#define KERNARG_ALIGN_B 64 /* what the engine guarantees */

static LLVMValueRef load_argument(struct mtcc_module *module, LLVMValueRef image, uint64_t offset_b,
				  LLVMTypeRef type, unsigned int align_b)
{
	bool boolean =
		LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
	LLVMTypeRef stored = boolean ? module->i8 : type;
	LLVMValueRef address = mtcc_build_address(module, image, offset_b, stored);
	LLVMValueRef value = LLVMBuildLoad2(module->builder, stored, address, "");
	LLVMMetadataRef empty = LLVMMDNodeInContext2(module->context, NULL, 0);

	LLVMSetAlignment(value, align_b);
	LLVMSetMetadata(value, module->invariant_kind, LLVMMetadataAsValue(module->context, empty));
	return boolean ? LLVMBuildTrunc(module->builder, value, type, "") : value;
}

/* True if nothing writes through @pointer, nor keeps it. */
static bool is_only_read(LLVMValueRef pointer)
{
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (LLVMIsALoadInst(user))
			continue;
		if (!LLVMIsAGetElementPtrInst(user) && !LLVMIsABitCastInst(user))
			return false;
		if (!is_only_read(user))
			return false;
	}
	return true;
}

/* A parameter that the source sees in memory: a copy of its own, unless it is only read. */
static LLVMValueRef build_memory_argument(struct mtcc_module *module, LLVMValueRef image,
					  const struct mtcc_param *param, LLVMValueRef argument)
{
	unsigned int align_b = (unsigned int)param->align_b;
	LLVMValueRef source, copy, size;

	source = mtcc_build_address(module, image, param->offset_b, module->i8);
	if (align_b <= KERNARG_ALIGN_B && is_only_read(argument))
		return LLVMBuildBitCast(module->builder, source, LLVMTypeOf(argument), "");
	copy = LLVMBuildAlloca(module->builder,
			       LLVMArrayType(module->i8, (unsigned int)param->size_b), "");
	LLVMSetAlignment(copy, align_b < 8 ? 8 : align_b); /* byval pointers are 8-aligned */
	size = LLVMConstInt(module->i64, param->size_b, false);
	LLVMBuildMemCpy(module->builder, copy, align_b < 8 ? 8 : align_b, source,
			align_b > KERNARG_ALIGN_B ? KERNARG_ALIGN_B : align_b, size);
	return LLVMBuildBitCast(module->builder, copy, LLVMTypeOf(argument), "");
}

static void set_number(struct mtcc_module *module, LLVMValueRef load, const char *name,
		       uint64_t value)
{
	unsigned int kind =
		LLVMGetMDKindIDInContext(module->context, name, (unsigned int)strlen(name));
	LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(module->i64, value, false));

	LLVMSetMetadata(load, kind,
			LLVMMetadataAsValue(module->context,
					    LLVMMDNodeInContext2(module->context, &number, 1)));
}

/* The argument image's address. It is readable to its end, so that loads can leave loops. */
static LLVMValueRef load_image(struct mtcc_module *module, const struct mtcc_kernel *kernel)
{
	LLVMValueRef image = mtcc_block_load(module, kernel->body, module->bytes,
					     offsetof(struct mt_dev_block, kernarg), true);

	set_number(module, image, "dereferenceable", kernel->kernarg_b);
	set_number(module, image, "align", KERNARG_ALIGN_B);
	return image;
}

static void replace_arguments(struct mtcc_module *module, const struct mtcc_kernel *kernel)
{
	LLVMValueRef image = NULL;

	for (size_t i = 0; i < kernel->param_count; i++) {
		const struct mtcc_param *param = &kernel->params[i];
		unsigned int align_b = param->align_b > KERNARG_ALIGN_B
					       ? KERNARG_ALIGN_B
					       : (unsigned int)param->align_b;
		LLVMValueRef argument, value;

		if (param->pass == MTCC_PASS_NOTHING)
			continue;
		if (!image)
			image = load_image(module, kernel);
		argument = LLVMGetParam(kernel->source, param->argument);
		if (param->pass == MTCC_PASS_MEMORY || param->pass == MTCC_PASS_REFERENCE)
			value = build_memory_argument(module, image, param, argument);
		else
			value = load_argument(module, image, param->offset_b, LLVMTypeOf(argument),
					      align_b);
		LLVMReplaceAllUsesWith(argument, value);
		if (param->pass != MTCC_PASS_PAIR)
			continue;
		argument = LLVMGetParam(kernel->source, param->argument + 1);
		value = load_argument(module, image, param->offset_b + 8, LLVMTypeOf(argument),
				      align_b > 8 ? 8 : align_b);
		LLVMReplaceAllUsesWith(argument, value);
	}
}

void mtcc_copy_attributes(LLVMValueRef to, LLVMValueRef from)
{
	unsigned int count = LLVMGetAttributeCountAtIndex(from, LLVMAttributeFunctionIndex);
	LLVMAttributeRef *attributes = mtcc_alloc(count * sizeof(*attributes));

	LLVMGetAttributesAtIndex(from, LLVMAttributeFunctionIndex, attributes);
	for (unsigned int i = 0; i < count; i++)
		LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, attributes[i]);
	free(attributes);
}

/* Not noalias: functions that were not inlined read the block through GS. */
static void mark_block_argument(struct mtcc_module *module, LLVMValueRef function)
{
	mtcc_add_attribute(module, function, 1, "noundef", 0);
	mtcc_add_attribute(module, function, 1, "align", 8);
	mtcc_add_attribute(module, function, 1, "dereferenceable", sizeof(struct mt_dev_block));
}

static void make_body(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	char *name = mtcc_format("%s.thread", kernel->name);
	LLVMBasicBlockRef block;

	kernel->body = LLVMAddFunction(module->module, name, module->body_type);
	free(name);
	LLVMSetLinkage(kernel->body, LLVMInternalLinkage);
	mtcc_copy_attributes(kernel->body, kernel->source);
	mark_block_argument(module, kernel->body);
	while ((block = LLVMGetFirstBasicBlock(kernel->source))) {
		LLVMRemoveBasicBlockFromParent(block);
		LLVMAppendExistingBasicBlock(kernel->body, block);
	}
	block = LLVMGetEntryBasicBlock(kernel->body);
	LLVMPositionBuilder(module->builder, block, LLVMGetFirstInstruction(block));
	replace_arguments(module, kernel);
}

void mtcc_kernels_make_bodies(struct mtcc_module *module)
{
	for (size_t i = 0; i < module->kernel_count; i++)
		make_body(module, &module->kernels[i]);
}

/* Functions that were not inlined, and the engine, look for the thread in the block. */
static void store_thread(struct mtcc_module *module, LLVMValueRef body)
{
	static const size_t offsets[] = {offsetof(struct mt_dev_block, thread_x),
					 offsetof(struct mt_dev_block, thread_y),
					 offsetof(struct mt_dev_block, thread_z)};
	LLVMValueRef address;

	for (unsigned int i = 0; i < 3; i++) {
		address = mtcc_build_address(module, LLVMGetParam(body, MTCC_BODY_BLOCK),
					     offsets[i], module->i32);
		LLVMBuildStore(module->builder, LLVMGetParam(body, MTCC_BODY_X + i), address);
	}
}

static void store_thread_before_calls(struct mtcc_module *module, LLVMValueRef body)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(body); block;
	     block = LLVMGetNextBasicBlock(block)) {
		for (LLVMValueRef call = LLVMGetFirstInstruction(block); call;
		     call = LLVMGetNextInstruction(call)) {
			LLVMValueRef callee;

			if (!LLVMIsACallInst(call))
				continue;
			callee = LLVMGetCalledValue(call);
			if (LLVMIsAInlineAsm(callee) ||
			    (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)))
				continue;
			LLVMPositionBuilderBefore(module->builder, call);
			store_thread(module, body);
		}
	}
}

/* One level of the loop nest: counts from 0 to a member of the block. */
struct loop {
	LLVMBasicBlockRef head, latch;
	LLVMValueRef index;
};

static void open_loop(struct mtcc_module *module, LLVMValueRef entry, struct loop *loop)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(module->builder);
	LLVMValueRef zero = LLVMConstInt(module->i32, 0, false);

	loop->head = LLVMAppendBasicBlockInContext(module->context, entry, "");
	loop->latch = LLVMAppendBasicBlockInContext(module->context, entry, "");
	LLVMBuildBr(module->builder, loop->head);
	LLVMPositionBuilderAtEnd(module->builder, loop->head);
	loop->index = LLVMBuildPhi(module->builder, module->i32, "");
	LLVMAddIncoming(loop->index, &zero, &before, 1);
}

/* Returns the branch back. */
static LLVMValueRef close_loop(struct mtcc_module *module, LLVMValueRef entry, struct loop *loop,
			       LLVMValueRef count)
{
	LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(module->context, entry, "");
	LLVMValueRef next, more, branch;

	LLVMBuildBr(module->builder, loop->latch);
	LLVMPositionBuilderAtEnd(module->builder, loop->latch);
	next = LLVMBuildNUWAdd(module->builder, loop->index, LLVMConstInt(module->i32, 1, false),
			       "");
	more = LLVMBuildICmp(module->builder, LLVMIntULT, next, count, "");
	branch = LLVMBuildCondBr(module->builder, more, loop->head, after);
	LLVMAddIncoming(loop->index, &next, &loop->latch, 1);
	LLVMPositionBuilderAtEnd(module->builder, after);
	return branch;
}

/* Loops over z, y and x around the body, from where the builder stands to their end; @more: the
 * body's arguments behind its own. */
static void build_nest(struct mtcc_module *module, struct mtcc_kernel *kernel,
		       const LLVMValueRef counts[3], const LLVMValueRef *more)
{
	LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(kernel->body));
	LLVMValueRef arguments[MTCC_BODY_MORE + MTCC_BODY_EXTRA], branch;
	unsigned int total = LLVMCountParams(kernel->body);
	struct loop loops[3]; /* x, y, z */

	for (int i = 2; i >= 0; i--)
		open_loop(module, kernel->entry, &loops[i]);
	arguments[MTCC_BODY_BLOCK] = LLVMGetParam(kernel->entry, 0);
	for (int i = 0; i < 3; i++)
		arguments[MTCC_BODY_X + i] = loops[i].index;
	for (unsigned int i = MTCC_BODY_MORE; i < total; i++)
		arguments[i] = more[i - MTCC_BODY_MORE];
	LLVMBuildCall2(module->builder, type, kernel->body, arguments, total, "");
	for (int i = 0; i < 3; i++) {
		branch = close_loop(module, kernel->entry, &loops[i], counts[i]);
		if (!i)
			mtcc_loop_mark(module, kernel, branch);
	}
}

static LLVMBasicBlockRef append(struct mtcc_module *module, const struct mtcc_kernel *kernel)
{
	return LLVMAppendBasicBlockInContext(module->context, kernel->entry, "");
}

/* The threads run a loop over the grid pass by pass, where its numbers allow that. */
static void build_passes(struct mtcc_module *module, struct mtcc_kernel *kernel,
			 const LLVMValueRef counts[3], const struct mtcc_passes *passes)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(module->builder);
	LLVMBasicBlockRef head = append(module, kernel), some = append(module, kernel);
	LLVMBasicBlockRef full = append(module, kernel), rest = append(module, kernel);
	LLVMBasicBlockRef latch = append(module, kernel), plain = append(module, kernel);
	LLVMBasicBlockRef end = append(module, kernel);
	LLVMBuilderRef builder = module->builder;
	LLVMTypeRef type = LLVMTypeOf(passes->step);
	LLVMValueRef zero = LLVMConstNull(type), offset, next, index, more[MTCC_PASSES_ARGUMENTS];

	LLVMBuildCondBr(builder, passes->valid, head, plain);
	LLVMPositionBuilderAtEnd(builder, head);
	offset = LLVMBuildPhi(builder, type, "");
	index = LLVMBuildAdd(builder, passes->first, offset, "");
	LLVMBuildCondBr(builder,
			LLVMBuildICmp(builder, passes->predicate, index, passes->bound, ""), some,
			end);
	LLVMPositionBuilderAtEnd(builder, some);
	index = LLVMBuildAdd(builder, passes->last, offset, "");
	LLVMBuildCondBr(builder,
			LLVMBuildICmp(builder, passes->predicate, index, passes->bound, ""), full,
			rest);
	for (int i = 0; i < 2; i++) {
		LLVMPositionBuilderAtEnd(builder, i ? rest : full);
		mtcc_passes_arguments(module, true, !i, offset, more);
		build_nest(module, kernel, counts, more);
		LLVMBuildBr(builder, latch);
	}
	LLVMPositionBuilderAtEnd(builder, latch);
	next = LLVMBuildAdd(builder, offset, passes->step, "");
	LLVMBuildBr(builder, head);
	LLVMAddIncoming(offset, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){before, latch},
			2);
	LLVMPositionBuilderAtEnd(builder, plain);
	mtcc_passes_arguments(module, false, false, zero, more);
	build_nest(module, kernel, counts, more);
	LLVMBuildBr(builder, end);
	LLVMPositionBuilderAtEnd(builder, end);
}

static void build_guarded(struct mtcc_module *module, struct mtcc_kernel *kernel,
			  const LLVMValueRef counts[3], LLVMValueRef guard)
{
	LLVMBasicBlockRef full = append(module, kernel), rest = append(module, kernel);
	LLVMTypeRef flag = LLVMInt1TypeInContext(module->context);
	LLVMValueRef more = LLVMConstInt(flag, 1, false);

	LLVMBuildCondBr(module->builder, guard, full, rest);
	LLVMPositionBuilderAtEnd(module->builder, full);
	build_nest(module, kernel, counts, &more);
	LLVMBuildRetVoid(module->builder);
	LLVMPositionBuilderAtEnd(module->builder, rest);
	more = LLVMConstInt(flag, 0, false);
	build_nest(module, kernel, counts, &more);
}

static void build_loops(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	static const size_t offsets[] = {offsetof(struct mt_dev_block, block_dim_x),
					 offsetof(struct mt_dev_block, block_dim_y),
					 offsetof(struct mt_dev_block, block_dim_z)};
	LLVMValueRef counts[3], guard = NULL;
	struct mtcc_passes passes;

	for (int i = 0; i < 3; i++)
		counts[i] = mtcc_block_load(module, kernel->entry, module->i32, offsets[i], true);
	if (module->level >= 2 && mtcc_passes_build(module, kernel, &passes))
		build_passes(module, kernel, counts, &passes);
	else if (module->level >= 2 && (guard = mtcc_guard_build(module, kernel)))
		build_guarded(module, kernel, counts, guard);
	else
		build_nest(module, kernel, counts, NULL);
	LLVMBuildRetVoid(module->builder);
	mtcc_add_attribute(module, kernel->body, LLVMAttributeFunctionIndex, "alwaysinline", 0);
}

static void build_fibers(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	LLVMTypeRef types[2] = {module->bytes, LLVMPointerType(module->body_type, 0)};
	LLVMTypeRef type = LLVMFunctionType(module->void_type, types, 2, false);
	LLVMValueRef arguments[2] = {LLVMGetParam(kernel->entry, 0), kernel->body};
	LLVMValueRef run;

	run = mtcc_block_service(module, kernel->entry,
				 offsetof(struct mt_dev_services, run_threads), type);
	LLVMBuildCall2(module->builder, type, run, arguments, 2, "");
	LLVMBuildRetVoid(module->builder);
}

static void make_entry(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	LLVMValueRef old = kernel->source;

	/* The name goes over to the entry; a kernel's address means nothing in device code. */
	LLVMReplaceAllUsesWith(old, LLVMConstPointerNull(LLVMTypeOf(old)));
	kernel->source = NULL;
	LLVMSetValueName2(old, "", 0);
	kernel->entry = LLVMAddFunction(module->module, kernel->name, module->entry_type);
	mtcc_copy_attributes(kernel->entry, old);
	LLVMDeleteFunction(old);
	LLVMSetLinkage(kernel->entry, LLVMExternalLinkage);
	LLVMSetVisibility(kernel->entry, LLVMProtectedVisibility);
	LLVMSetAlignment(kernel->entry, 256);
	mark_block_argument(module, kernel->entry);
	if (!kernel->fibers)
		store_thread_before_calls(module, kernel->body);
	LLVMPositionBuilderAtEnd(module->builder,
				 LLVMAppendBasicBlockInContext(module->context, kernel->entry, ""));
	if (kernel->fibers)
		build_fibers(module, kernel);
	else
		build_loops(module, kernel);
}

void mtcc_kernels_make_entries(struct mtcc_module *module)
{
	for (size_t i = 0; i < module->kernel_count; i++)
		make_entry(module, &module->kernels[i]);
}

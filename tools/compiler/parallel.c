/* SPDX-License-Identifier: MIT */
/*
 * Tells the optimiser that the threads of a block do not depend on each other. Two threads that
 * touch the same memory, one of them writing, without a barrier between, are a race, so that no
 * order of their accesses has to be kept; memory of a thread's own must be out of the way first.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "tools/compiler/module.h"

void mtcc_loop_mark(struct mtcc_module *module, struct mtcc_kernel *kernel, LLVMValueRef branch)
{
	unsigned int kind = LLVMGetMDKindIDInContext(module->context, "llvm.loop", 9);
	LLVMMetadataRef self = LLVMTemporaryMDNode(module->context, NULL, 0);
	LLVMMetadataRef id = LLVMMDNodeInContext2(module->context, &self, 1);

	LLVMMetadataReplaceAllUsesWith(self, id); /* an identity of its own: it names itself */
	LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(module->context, id));
	kernel->loops[kernel->loop_count++] = id;
}

/* Variables on the stack are one thread's, but all threads of the loop use the same place. */
bool mtcc_has_private_memory(LLVMValueRef function)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
	     block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
		     at = LLVMGetNextInstruction(at))
			if (LLVMIsAAllocaInst(at))
				return true;
	return false;
}

static void mark_accesses(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	unsigned int kind =
		LLVMGetMDKindIDInContext(module->context, "llvm.mem.parallel_loop_access", 29);
	LLVMMetadataRef list =
		LLVMMDNodeInContext2(module->context, kernel->loops, kernel->loop_count);
	LLVMValueRef value = LLVMMetadataAsValue(module->context, list);

	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel->entry); block;
	     block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
		     at = LLVMGetNextInstruction(at))
			if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && !LLVMGetVolatile(at) &&
			    LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic)
				LLVMSetMetadata(at, kind, value);
}

void mtcc_kernels_mark_parallel(struct mtcc_module *module)
{
	for (size_t i = 0; i < module->kernel_count; i++) {
		struct mtcc_kernel *kernel = &module->kernels[i];

		if (!kernel->fibers && !mtcc_has_private_memory(kernel->entry))
			mark_accesses(module, kernel);
	}
}

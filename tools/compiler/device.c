/* SPDX-License-Identifier: MIT */
/*
 * Runs the steps that make a code object of the device module: kernels and parameters, inlining,
 * shared memory, built-in functions, block entries, optimisation, machine code, link, bundle.
 */
#include "tools/compiler/device.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compiler/module.h"
#include "tools/compiler/process.h"

static void end_by_llvm(const char *reason)
{
	mtcc_fatal("compiling device code: %s", reason);
}

static void make_target(struct mtcc_module *module)
{
	const char *triple = LLVMGetTarget(module->module);
	LLVMTargetRef target;
	char *text = NULL;

	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	LLVMInitializeX86AsmParser();
	if (LLVMGetTargetFromTriple(triple, &target, &text))
		mtcc_fatal("%s: %s", triple, text);
	/* The functions carry the processor and its features as attributes. */
	module->machine = LLVMCreateTargetMachine(target, triple, "x86-64-v2", "",
						  module->level >= 3 ? LLVMCodeGenLevelAggressive
						  : module->level    ? LLVMCodeGenLevelDefault
								     : LLVMCodeGenLevelNone,
						  LLVMRelocPIC, LLVMCodeModelSmall);
	if (!module->machine)
		mtcc_fatal("LLVM has no x86-64 target");
	module->layout = LLVMCreateTargetDataLayout(module->machine);
}

static void open_module(struct mtcc_module *module, const char *bitcode)
{
	LLVMMemoryBufferRef buffer;
	LLVMTypeRef types[4];
	char *text = NULL;

	LLVMInstallFatalErrorHandler(end_by_llvm);
	module->context = LLVMContextCreate();
	if (LLVMCreateMemoryBufferWithContentsOfFile(bitcode, &buffer, &text))
		mtcc_fatal("%s: %s", bitcode, text);
	if (LLVMParseBitcodeInContext2(module->context, buffer, &module->module))
		mtcc_fatal("%s: not the bitcode of this LLVM", bitcode);
	LLVMDisposeMemoryBuffer(buffer);
	make_target(module);
	module->builder = LLVMCreateBuilderInContext(module->context);
	module->i8 = LLVMInt8TypeInContext(module->context);
	module->i32 = LLVMInt32TypeInContext(module->context);
	module->i64 = LLVMInt64TypeInContext(module->context);
	module->void_type = LLVMVoidTypeInContext(module->context);
	module->bytes = LLVMPointerType(module->i8, 0);
	types[0] = module->bytes;
	types[1] = types[2] = types[3] = module->i32;
	module->body_type = LLVMFunctionType(module->void_type, types, 4, false);
	module->entry_type = LLVMFunctionType(module->void_type, types, 1, false);
	module->invariant_kind = LLVMGetMDKindIDInContext(module->context, "invariant.load", 14);
}

static void close_module(struct mtcc_module *module)
{
	for (size_t i = 0; i < module->kernel_count; i++) {
		for (size_t p = 0; p < module->kernels[i].param_count; p++)
			free(module->kernels[i].params[p].name);
		free(module->kernels[i].params);
		free(module->kernels[i].name);
	}
	free(module->kernels);
	LLVMDisposeBuilder(module->builder);
	LLVMDisposeTargetData(module->layout);
	LLVMDisposeTargetMachine(module->machine);
	LLVMDisposeModule(module->module);
	LLVMContextDispose(module->context);
}

/* A fault of ours ends in a message, not in a crash inside LLVM. */
static void check(struct mtcc_module *module, const char *step)
{
	char *text = NULL;

	if (LLVMVerifyModule(module->module, LLVMReturnStatusAction, &text))
		mtcc_fatal("device code is not well formed after %s: %s", step, text);
	LLVMDisposeMessage(text);
}

static void transform(struct mtcc_module *module)
{
	static const char *const pipelines[] = {"default<O0>", "default<O1>", "default<O2>",
						"default<O3>"};

	mtcc_kernels_find(module);
	LLVMStripModuleDebugInfo(module->module);
	mtcc_module_prepare(module);
	mtcc_module_inline(module);
	mtcc_module_optimise(module, "function(sroa,early-cse,simplifycfg)");
	mtcc_kernels_make_bodies(module);
	mtcc_kernels_find_reach(module);
	mtcc_shared_lower(module);
	mtcc_builtins_lower(module);
	if (module->record)
		mtcc_accesses_record(module);
	mtcc_kernels_make_entries(module);
	mtcc_kernels_finish_reach();
	check(module, "lowering");
	mtcc_module_inline(module);
	if (module->level) { /* what is the same for all threads leaves the loops first */
		mtcc_module_optimise(module, "function(sroa,early-cse,loop-mssa(licm))");
		mtcc_kernels_mark_parallel(module);
	}
	mtcc_module_optimise(module, pipelines[module->level]);
	mtcc_math_lower(module);
	mtcc_module_optimise(module,
			     module->level ? "function(early-cse,loop-mssa(licm))" : "verify");
	mtcc_block_ask_for_gs(module);
}

/* Bytes that variables of @function keep on the stack. */
static uint64_t measure_stack(struct mtcc_module *module, LLVMValueRef function)
{
	uint64_t size_b = 0;

	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
	     block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
		     at = LLVMGetNextInstruction(at))
			if (LLVMIsAAllocaInst(at))
				size_b +=
					LLVMABISizeOfType(module->layout, LLVMGetAllocatedType(at));
	return size_b;
}

/* The metadata goes into the object as a variable in a note section. */
static void add_note(struct mtcc_module *module)
{
	LLVMValueRef value, global;
	struct mtcc_bytes note;

	for (size_t i = 0; i < module->kernel_count; i++) {
		struct mtcc_kernel *kernel = &module->kernels[i];

		kernel->private_b =
			measure_stack(module, kernel->fibers ? kernel->body : kernel->entry);
	}
	note = mtcc_note_build(module);
	value = LLVMConstStringInContext(module->context, (char *)note.data,
					 (unsigned int)note.size_b, true);
	global = LLVMAddGlobal(module->module, LLVMTypeOf(value), "");
	LLVMSetInitializer(global, value);
	LLVMSetGlobalConstant(global, true);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetSection(global, ".note");
	LLVMSetAlignment(global, 4);
	free(note.data);
}

static void emit(struct mtcc_module *module, const char *path, LLVMCodeGenFileType type)
{
	char *name = mtcc_copy(path), *text = NULL;

	check(module, "optimisation");
	if (LLVMTargetMachineEmitToFile(module->machine, module->module, name, type, &text))
		mtcc_fatal("%s: %s", path, text);
	free(name);
}

/* Links one object to a shared one without any undefined symbol. */
static int link_object(const struct mtcc_toolchain *toolchain, const char *object,
		       const char *linked, bool verbose)
{
	const char *words[] = {
		toolchain->lld,
		"-shared",
		"--hash-style=both",
		"-z",
		"max-page-size=4096",
		"-z",
		"noexecstack",
		"-z",
		"defs",
		"-Bsymbolic",
		"-o",
		linked,
		object,
	};
	struct mtcc_list argv = {0};
	struct mtcc_process process;
	char *messages = NULL;
	int status;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		mtcc_list_add(&argv, words[i]);
	process = mtcc_process_start(&argv, true, verbose);
	status = mtcc_process_wait(&process, &messages);
	if (status)
		mtcc_error("linking device code:\n%s", messages);
	free(messages);
	mtcc_list_finish(&argv);
	return status;
}

int mtcc_device_build(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
		      const char *bitcode, const char *output)
{
	struct mtcc_module module = {.level = options->device_level,
				     .record = options->record_access};
	bool text = options->sides == MTCC_SIDES_DEVICE && options->mode == MTCC_MODE_ASSEMBLY;
	char *object = mtcc_temp_path(".o"), *linked = mtcc_temp_path(".elf"), *message = NULL;
	struct mtcc_bytes bytes;
	int status = 0;

	open_module(&module, bitcode);
	transform(&module);
	if (text && options->device_ir) {
		if (LLVMPrintModuleToFile(module.module, output, &message))
			mtcc_fatal("%s: %s", output, message);
	} else {
		add_note(&module);
		emit(&module, text ? output : object, text ? LLVMAssemblyFile : LLVMObjectFile);
	}
	close_module(&module);
	if (!text) {
		status = link_object(toolchain, object, linked, options->verbose);
		if (!status) {
			bytes = mtcc_file_read(linked);
			mtcc_bundle_write(output, &bytes);
			free(bytes.data);
		}
	}
	free(object);
	free(linked);
	return status;
}

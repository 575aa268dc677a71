/* SPDX-License-Identifier: MIT */
/*
 * clang's HIP host pass leaves a constructor that registers the code object, the kernels and the
 * device variables with HIP's runtime functions. MUSA's have other names and the same arguments,
 * so that the IR needs new names, the wrapper's magic number, and the code object itself.
 */
#include "tools/compiler/host.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compiler/util.h"

#define WRAPPER_MAGIC 0x466243b1u
#define BUNDLE_ALIGN_B 4096

static const char *const names[][2] = {
	{"__hipRegisterFatBinary", "__musaRegisterFatBinary"},
	{"__hipUnregisterFatBinary", "__musaUnregisterFatBinary"},
	{"__hipRegisterFunction", "__musaRegisterFunction"},
	{"__hipRegisterVar", "__musaRegisterVar"},
	{"__hipRegisterManagedVar", "__musaRegisterManagedVar"},
	{"__hipRegisterSurface", "__musaRegisterSurface"},
	{"__hipRegisterTexture", "__musaRegisterTexture"},
	{"__hipPushCallConfiguration", "__musaPushCallConfiguration"},
	{"__hipPopCallConfiguration", "__musaPopCallConfiguration"},
	{"hipLaunchKernel", "musaLaunchKernel"},
	{"hipLaunchKernel_spt", "musaLaunchKernel_ptsz"},
	{"__hip_register_globals", "__musa_register_globals"},
	{"__hip_module_ctor", "__musa_module_ctor"},
	{"__hip_module_dtor", "__musa_module_dtor"},
};

static void rename_function(LLVMModuleRef module, const char *from, const char *to)
{
	LLVMValueRef function = LLVMGetNamedFunction(module, from);
	LLVMValueRef target = LLVMGetNamedFunction(module, to);

	if (!function)
		return;
	if (!target) {
		LLVMSetValueName2(function, to, strlen(to));
		return;
	}
	LLVMReplaceAllUsesWith(function, LLVMConstBitCast(target, LLVMTypeOf(function)));
	LLVMDeleteFunction(function);
}

/* Puts the bundle where clang left an external name for it. */
static void embed_bundle(LLVMContextRef context, LLVMModuleRef module, const char *path)
{
	LLVMValueRef place = LLVMGetNamedGlobal(module, "__hip_fatbin"), data, value;
	struct mtcc_bytes bytes;

	if (!place)
		return;
	if (!path)
		mtcc_fatal("host code that registers kernels needs its device side");
	bytes = mtcc_file_read(path);
	value = LLVMConstStringInContext(context, (char *)bytes.data, (unsigned int)bytes.size_b,
					 true);
	free(bytes.data);
	data = LLVMAddGlobal(module, LLVMTypeOf(value), "__musa_fatbin");
	LLVMSetInitializer(data, value);
	LLVMSetGlobalConstant(data, true);
	LLVMSetLinkage(data, LLVMInternalLinkage);
	LLVMSetSection(data, ".mt_fatbin");
	LLVMSetAlignment(data, BUNDLE_ALIGN_B);
	LLVMReplaceAllUsesWith(place, LLVMConstBitCast(data, LLVMTypeOf(place)));
	LLVMDeleteGlobal(place);
}

static void rewrite_wrapper(LLVMContextRef context, LLVMModuleRef module)
{
	LLVMValueRef wrapper = LLVMGetNamedGlobal(module, "__hip_fatbin_wrapper");
	LLVMValueRef handle = LLVMGetNamedGlobal(module, "__hip_gpubin_handle");
	LLVMValueRef old, fields[4];

	if (wrapper) {
		old = LLVMGetInitializer(wrapper);
		for (unsigned int i = 0; i < 4; i++)
			fields[i] = LLVMGetOperand(old, i);
		fields[0] = LLVMConstInt(LLVMInt32TypeInContext(context), WRAPPER_MAGIC, false);
		LLVMSetInitializer(wrapper, LLVMConstStructInContext(context, fields, 4, false));
		LLVMSetSection(wrapper, ".musaFatBinSegment");
		LLVMSetValueName2(wrapper, "__musa_fatbin_wrapper",
				  strlen("__musa_fatbin_wrapper"));
	}
	/* One code object per file: the handle must not merge with another file's. */
	if (handle) {
		LLVMSetComdat(handle, NULL);
		LLVMSetLinkage(handle, LLVMInternalLinkage);
		LLVMSetVisibility(handle, LLVMDefaultVisibility);
		LLVMSetValueName2(handle, "__musa_gpubin_handle", strlen("__musa_gpubin_handle"));
	}
}

int mtcc_host_embed(const char *bitcode, const char *bundle)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	char *text = NULL;
	int status;

	if (LLVMCreateMemoryBufferWithContentsOfFile(bitcode, &buffer, &text))
		mtcc_fatal("%s: %s", bitcode, text);
	if (LLVMParseBitcodeInContext2(context, buffer, &module))
		mtcc_fatal("%s: not the bitcode of this LLVM", bitcode);
	LLVMDisposeMemoryBuffer(buffer);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		rename_function(module, names[i][0], names[i][1]);
	embed_bundle(context, module, bundle);
	rewrite_wrapper(context, module);
	status = LLVMWriteBitcodeToFile(module, bitcode);
	if (status)
		mtcc_error("%s: cannot be written", bitcode);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	return status;
}

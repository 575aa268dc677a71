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

#define WRAPPER_MAGIC  0x466243b1u
#define BUNDLE_ALIGN_B 4096

static const char *const names[][2] = {
	{"__hipRegisterFatBinary", "__musaRegisterFatBinary"},
	{"__hipUnregisterFatBinary", "__musaUnregisterFatBinary"},
	{"__hipRegisterFunction", "__musaRegisterFunction"},
	{"__hipRegisterVar", "__musaRegisterVar"},
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

static LLVMValueRef declare(LLVMModuleRef module, const char *name, LLVMTypeRef result,
			    LLVMTypeRef *types, unsigned int count, LLVMTypeRef *type_out)
{
	LLVMValueRef function = LLVMGetNamedFunction(module, name);

	*type_out = LLVMFunctionType(result, types, count, false);
	if (!function)
		return LLVMAddFunction(module, name, *type_out);
	return LLVMConstBitCast(function, LLVMPointerType(*type_out, 0));
}

/*
 * A managed variable is a pointer on both sides; clang registers it with its first contents. Here
 * the constructor makes the memory at once, fills it, and tells the device side where it is:
 *
 *   __musaRegisterVar(handle, &pointer, name, name, 0, 8, 0, 0);
 *   musaMallocManaged(&pointer, size, musaMemAttachGlobal);
 *   memcpy(pointer, contents, size);
 *   musaMemcpyToSymbol(&pointer, &pointer, 8, 0, musaMemcpyHostToDevice);
 */
static void lower_managed_call(LLVMContextRef context, LLVMModuleRef module, LLVMBuilderRef builder,
			       LLVMValueRef call)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(context), i64 = LLVMInt64TypeInContext(context);
	LLVMTypeRef bytes = LLVMPointerType(LLVMInt8TypeInContext(context), 0);
	LLVMTypeRef handles = LLVMPointerType(bytes, 0), none = LLVMVoidTypeInContext(context),
		    type;
	LLVMTypeRef register_types[] = {handles, bytes, bytes, bytes, i32, i64, i32, i32};
	LLVMTypeRef alloc_types[] = {handles, i64, i32},
		    copy_types[] = {bytes, bytes, i64, i64, i32};
	LLVMValueRef zero = LLVMConstInt(i32, 0, false), zero64 = LLVMConstInt(i64, 0, false);
	LLVMValueRef one = LLVMConstInt(i32, 1, false), eight = LLVMConstInt(i64, 8, false);
	LLVMValueRef handle = LLVMGetOperand(call, 0), variable = LLVMGetOperand(call, 1);
	LLVMValueRef contents = LLVMGetOperand(call, 2), name = LLVMGetOperand(call, 3);
	LLVMValueRef size = LLVMGetOperand(call, 4), function, memory;
	LLVMValueRef registered[] = {handle, variable, name, name, zero, eight, zero, zero};
	LLVMValueRef copied[] = {variable, variable, eight, zero64, one}, allocated[3];

	LLVMPositionBuilderBefore(builder, call);
	function = declare(module, "__musaRegisterVar", none, register_types, 8, &type);
	LLVMBuildCall2(builder, type, function, registered, 8, "");
	allocated[0] = LLVMBuildBitCast(builder, variable, handles, "");
	allocated[1] = size;
	allocated[2] = one;
	function = declare(module, "musaMallocManaged", i32, alloc_types, 3, &type);
	LLVMBuildCall2(builder, type, function, allocated, 3, "");
	memory = LLVMBuildLoad2(builder, bytes, allocated[0], "");
	LLVMBuildMemCpy(builder, memory, 1, contents, 1, size);
	function = declare(module, "musaMemcpyToSymbol", i32, copy_types, 5, &type);
	LLVMBuildCall2(builder, type, function, copied, 5, "");
	LLVMInstructionEraseFromParent(call);
}

static void lower_managed(LLVMContextRef context, LLVMModuleRef module)
{
	LLVMValueRef managed = LLVMGetNamedFunction(module, "__hipRegisterManagedVar");
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);

	while (managed && LLVMGetFirstUse(managed))
		lower_managed_call(context, module, builder, LLVMGetUser(LLVMGetFirstUse(managed)));
	LLVMDisposeBuilder(builder);
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
	lower_managed(context, module);
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

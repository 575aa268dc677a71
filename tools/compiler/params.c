/* SPDX-License-Identifier: MIT */
/*
 * A kernel's parameter list. clang's debug information gives the source parameters (number, size,
 * alignment, class or scalar); the calling convention of x86-64 says which IR arguments each of
 * them became. Argument names ending in ".coerce0" mark values that were split in two.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compiler/module.h"

/* Operand numbers of LLVM 14's debug information nodes. */
enum {
	SUBPROGRAM_TYPE = 4,
	SUBROUTINE_TYPES = 3,
	TYPE_BASE = 3,
	COMPOSITE_ELEMENTS = 4,
};

/* The metadata's type numbers (".type"). */
enum {
	TYPE_I8 = 2,
	TYPE_I16 = 4,
	TYPE_I32 = 6,
	TYPE_FLOAT = 8,
	TYPE_I64 = 9,
	TYPE_DOUBLE = 11,
	TYPE_POINTER = 14,
	TYPE_AGGREGATE = 24,
};

#define KERNARG_BYTES_MAX (64u * 1024)

static LLVMMetadataRef get_operand(struct mtcc_module *module, LLVMMetadataRef node,
				   unsigned int index)
{
	LLVMValueRef value = LLVMMetadataAsValue(module->context, node);
	unsigned int count = LLVMGetMDNodeNumOperands(value);
	LLVMMetadataRef operand = NULL;
	LLVMValueRef *operands;

	if (index >= count)
		return NULL;
	operands = mtcc_alloc(count * sizeof(*operands));
	LLVMGetMDNodeOperands(value, operands);
	if (operands[index])
		operand = LLVMValueAsMetadata(operands[index]);
	free(operands);
	return operand;
}

static unsigned int count_operands(struct mtcc_module *module, LLVMMetadataRef node)
{
	return node ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(module->context, node)) : 0;
}

static bool is_derived(LLVMMetadataRef type)
{
	return type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind;
}

/* typedef, const and volatile have no size of their own. */
static LLVMMetadataRef strip_names(struct mtcc_module *module, LLVMMetadataRef type)
{
	while (is_derived(type) && !LLVMDITypeGetSizeInBits(type))
		type = get_operand(module, type, TYPE_BASE);
	return type;
}

static bool is_class(struct mtcc_module *module, LLVMMetadataRef type)
{
	LLVMDIFlags flags;

	if (LLVMGetMetadataKind(type) != LLVMDICompositeTypeMetadataKind)
		return false;
	flags = LLVMDITypeGetFlags(type);
	/* Enumerations have a base type, vectors and arrays an element type. */
	return !(flags & LLVMDIFlagVector) && !get_operand(module, type, TYPE_BASE);
}

/* Members and base classes that take room; functions, statics and nested types do not. */
static bool is_field(LLVMMetadataRef element)
{
	return is_derived(element) && !(LLVMDITypeGetFlags(element) & LLVMDIFlagStaticMember);
}

static bool is_empty(struct mtcc_module *module, LLVMMetadataRef type)
{
	LLVMMetadataRef elements, field;

	if (!is_class(module, type))
		return false;
	elements = get_operand(module, type, COMPOSITE_ELEMENTS);
	for (unsigned int i = 0; i < count_operands(module, elements); i++) {
		field = get_operand(module, elements, i);
		if (!is_field(field))
			continue;
		field = strip_names(module, get_operand(module, field, TYPE_BASE));
		if (field && !is_empty(module, field))
			return false;
	}
	return true;
}

static uint64_t find_align(struct mtcc_module *module, LLVMMetadataRef type)
{
	uint64_t align_b = 1, size_b, field_b;
	LLVMMetadataRef elements, field, base;

	/* An alignas anywhere on the way holds. */
	for (; is_derived(type) && !LLVMDITypeGetSizeInBits(type);
	     type = get_operand(module, type, TYPE_BASE))
		if (LLVMDITypeGetAlignInBits(type))
			return LLVMDITypeGetAlignInBits(type) / 8;
	if (!type)
		return 1;
	if (LLVMDITypeGetAlignInBits(type))
		return LLVMDITypeGetAlignInBits(type) / 8;
	size_b = LLVMDITypeGetSizeInBits(type) / 8;
	if (is_class(module, type)) {
		elements = get_operand(module, type, COMPOSITE_ELEMENTS);
		for (unsigned int i = 0; i < count_operands(module, elements); i++) {
			field = get_operand(module, elements, i);
			if (!is_field(field))
				continue;
			base = get_operand(module, field, TYPE_BASE);
			field_b = LLVMDITypeGetAlignInBits(field) / 8;
			if (base && !field_b)
				field_b = find_align(module, base);
			/* A packed class has its fields at odd places. */
			if (!(LLVMDITypeGetFlags(field) & LLVMDIFlagBitField) &&
			    LLVMDITypeGetOffsetInBits(field) % (field_b * 8))
				return 1;
			if (field_b > align_b)
				align_b = field_b;
		}
		return size_b % align_b ? 1 : align_b;
	}
	base = LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind
		       ? get_operand(module, type, TYPE_BASE)
		       : NULL;
	if (base && !(LLVMDITypeGetFlags(type) & LLVMDIFlagVector))
		return find_align(module, base); /* array or enumeration */
	for (align_b = 1; align_b < size_b && align_b < 16;)
		align_b *= 2;
	return align_b;
}

/* "const T *": only the printed form of a node tells const from volatile. */
static bool points_to_const(struct mtcc_module *module, LLVMMetadataRef type)
{
	LLVMMetadataRef target;
	bool found = false;

	if (!is_derived(type))
		return false;
	for (target = get_operand(module, type, TYPE_BASE);
	     !found && is_derived(target) && !LLVMDITypeGetSizeInBits(target);
	     target = get_operand(module, target, TYPE_BASE)) {
		char *text = LLVMPrintValueToString(LLVMMetadataAsValue(module->context, target));

		found = strstr(text, "DW_TAG_const_type");
		LLVMDisposeMessage(text);
	}
	return found;
}

static unsigned int find_type_number(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
		return TYPE_POINTER;
	case LLVMFloatTypeKind:
		return TYPE_FLOAT;
	case LLVMDoubleTypeKind:
		return TYPE_DOUBLE;
	case LLVMIntegerTypeKind:
		switch (LLVMGetIntTypeWidth(type)) {
		case 1:
		case 8:
			return TYPE_I8;
		case 16:
			return TYPE_I16;
		case 32:
			return TYPE_I32;
		case 64:
			return TYPE_I64;
		default:
			return TYPE_AGGREGATE;
		}
	default:
		return TYPE_AGGREGATE;
	}
}

static bool has_attribute(LLVMValueRef function, unsigned int argument, const char *name)
{
	unsigned int kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(function, argument + 1, kind);
}

/* Name of an IR argument up to ".coerce". */
static char *read_name(LLVMValueRef argument)
{
	size_t length;
	const char *name = LLVMGetValueName2(argument, &length);
	const char *dot = strstr(name, ".coerce");

	return mtcc_format("%.*s", dot ? (int)(dot - name) : (int)length, name);
}

static enum mtcc_pass find_pass(struct mtcc_module *module, LLVMValueRef function,
				unsigned int argument, LLVMMetadataRef type)
{
	bool class_type = is_class(module, type);
	const char *name;
	size_t length;

	if (class_type && LLVMDITypeGetFlags(type) & LLVMDIFlagTypePassByReference)
		return MTCC_PASS_REFERENCE;
	if (is_empty(module, type))
		return MTCC_PASS_NOTHING;
	if (argument >= LLVMCountParams(function))
		return MTCC_PASS_NOTHING;
	if (has_attribute(function, argument, "byval"))
		return MTCC_PASS_MEMORY;
	name = LLVMGetValueName2(LLVMGetParam(function, argument), &length);
	if (mtcc_ends(name, ".coerce0"))
		return MTCC_PASS_PAIR;
	return MTCC_PASS_VALUE;
}

static void read_param(struct mtcc_module *module, struct mtcc_kernel *kernel,
		       LLVMMetadataRef declared, unsigned int *argument)
{
	struct mtcc_param *param = &kernel->params[kernel->param_count++];
	LLVMMetadataRef type = strip_names(module, declared);
	uint64_t align_b;

	if (!type)
		mtcc_fatal("parameter %zu of kernel %s has no type", kernel->param_count,
			   kernel->name);
	param->size_b = LLVMDITypeGetSizeInBits(type) / 8;
	param->align_b = find_align(module, declared);
	if (!param->size_b) /* nullptr_t */
		param->size_b = param->align_b = sizeof(void *);
	param->argument = *argument;
	param->pass = find_pass(module, kernel->source, *argument, type);
	param->type = TYPE_AGGREGATE;
	if (param->pass == MTCC_PASS_NOTHING) {
		param->name = mtcc_copy("");
	} else {
		LLVMValueRef value = LLVMGetParam(kernel->source, *argument);

		param->name = read_name(value);
		if (param->pass == MTCC_PASS_VALUE && !is_class(module, type))
			param->type = find_type_number(LLVMTypeOf(value));
		param->read_only = points_to_const(module, type);
		*argument += param->pass == MTCC_PASS_PAIR ? 2 : 1;
	}
	align_b = param->align_b < 4 ? 4 : param->align_b;
	param->offset_b = (kernel->kernarg_b + align_b - 1) / align_b * align_b;
	kernel->kernarg_b = (param->offset_b + param->size_b + 3) / 4 * 4;
	if (kernel->kernarg_b > KERNARG_BYTES_MAX)
		mtcc_fatal("the parameters of kernel %s take more than %u bytes", kernel->name,
			   KERNARG_BYTES_MAX);
}

void mtcc_kernel_read_params(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	LLVMMetadataRef subprogram = LLVMGetSubprogram(kernel->source), types;
	unsigned int argument = 0, count;

	if (!subprogram)
		mtcc_fatal("kernel %s has no debug information", kernel->name);
	types = get_operand(module, get_operand(module, subprogram, SUBPROGRAM_TYPE),
			    SUBROUTINE_TYPES);
	count = count_operands(module, types);
	kernel->params = mtcc_alloc(count * sizeof(*kernel->params));
	for (unsigned int i = 1; i < count; i++) /* 0 is the result */
		read_param(module, kernel, get_operand(module, types, i), &argument);
	if (argument != LLVMCountParams(kernel->source))
		mtcc_fatal("cannot tell how the parameters of kernel %s are passed", kernel->name);
}

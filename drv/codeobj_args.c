/* SPDX-License-Identifier: MIT */
/*
 * Reads a kernel's argument list and immediates from the decoded metadata. Where they go in the
 * kernarg image is left to codeobj_kernarg.c.
 */
#include <stdlib.h>

#include "drv/codeobj_internal.h"

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* The type whose 64 bytes are passed by address. */
#define TYPE_DESCRIPTOR 12u

struct arg_base {
	uint32_t offset, size, align, reg_bank, type, address_space, layout;
	bool is_volatile;
	msgpack_object_str name;
};

static const struct mt_codeobj_field base_fields[] = {
	{".offset", MT_CODEOBJ_FIELD_U32, true, offsetof(struct arg_base, offset)},
	{".size", MT_CODEOBJ_FIELD_U32, true, offsetof(struct arg_base, size)},
	{".reg_bank", MT_CODEOBJ_FIELD_U32, true, offsetof(struct arg_base, reg_bank)},
	{".align", MT_CODEOBJ_FIELD_U32, false, offsetof(struct arg_base, align)},
	{".type", MT_CODEOBJ_FIELD_U32, false, offsetof(struct arg_base, type)},
	{".name", MT_CODEOBJ_FIELD_STRING, false, offsetof(struct arg_base, name)},
	{".address_space", MT_CODEOBJ_FIELD_U32, false, offsetof(struct arg_base, address_space)},
	{".layout", MT_CODEOBJ_FIELD_U32, false, offsetof(struct arg_base, layout)},
	{".isVolatile", MT_CODEOBJ_FIELD_BOOL, false, offsetof(struct arg_base, is_volatile)},
};

struct arg_entry {
	msgpack_object_map base;
	uint32_t kind, input_mode;
	bool read_only;
};

static const struct mt_codeobj_field entry_fields[] = {
	{".argBase", MT_CODEOBJ_FIELD_MAP, true, offsetof(struct arg_entry, base)},
	{".kind", MT_CODEOBJ_FIELD_U32, true, offsetof(struct arg_entry, kind)},
	{".input_mode", MT_CODEOBJ_FIELD_U32, false, offsetof(struct arg_entry, input_mode)},
	{".mt_read_only", MT_CODEOBJ_FIELD_BOOL, false, offsetof(struct arg_entry, read_only)},
};

struct block_info {
	uint32_t offset, reg_bank, size;
	msgpack_object_array values;
};

static const struct mt_codeobj_field block_fields[] = {
	{".offset", MT_CODEOBJ_FIELD_U32, true, offsetof(struct block_info, offset)},
	{".size", MT_CODEOBJ_FIELD_U32, true, offsetof(struct block_info, size)},
	{".values", MT_CODEOBJ_FIELD_ARRAY, true, offsetof(struct block_info, values)},
	{".reg_bank", MT_CODEOBJ_FIELD_U32, false, offsetof(struct block_info, reg_bank)},
};

/* One immediate, before consecutive ones are joined. */
struct word {
	uint32_t offset, value;
};

static const char *check_explicit(const struct mt_codeobj_arg *arg)
{
	if (!arg->size_b)
		return "parameter has size 0";
	if (arg->size_b > MT_CODEOBJ_PARAM_MAX_B)
		return "parameter is too large";
	if (!mt_codeobj_is_power_of_two(arg->align_b))
		return "parameter's alignment is no power of two";
	if (arg->align_b > MT_CODEOBJ_PARAM_ALIGN_MAX_B)
		return "parameter's alignment is too large";
	if (arg->reg_bank != MT_CODEOBJ_BANK_KERNARG)
		return "parameter is not in the uniform registers";
	return NULL;
}

/* Hidden inputs that a launch can provide, or that the device provides itself. */
static bool is_known_kind(uint32_t kind)
{
	switch (kind) {
	case MT_CODEOBJ_KIND_THREAD_X:
	case MT_CODEOBJ_KIND_THREAD_Y:
	case MT_CODEOBJ_KIND_THREAD_Z:
	case MT_CODEOBJ_KIND_BLOCK_X:
	case MT_CODEOBJ_KIND_BLOCK_Y:
	case MT_CODEOBJ_KIND_BLOCK_Z:
	case MT_CODEOBJ_KIND_BLOCK_DIM_X:
	case MT_CODEOBJ_KIND_BLOCK_DIM_Y:
	case MT_CODEOBJ_KIND_BLOCK_DIM_Z:
	case MT_CODEOBJ_KIND_GRID_DIM_X:
	case MT_CODEOBJ_KIND_GRID_DIM_Y:
	case MT_CODEOBJ_KIND_GRID_DIM_Z:
	case MT_CODEOBJ_KIND_EXPLICIT:
	case MT_CODEOBJ_KIND_SPILL_BASE:
	case MT_CODEOBJ_KIND_CORE_NUMBER:
	case MT_CODEOBJ_KIND_CONST_CALC:
	case MT_CODEOBJ_KIND_PROG_ADDR:
	case MT_CODEOBJ_KIND_PROG_SIZE:
		return true;
	default:
		return false;
	}
}

static const char *read_arg(struct mt_codeobj_loader *loader, const msgpack_object *object,
			    struct mt_codeobj_kernel *kernel, struct mt_codeobj_arg *arg,
			    bool *no_memory_out)
{
	struct arg_entry entry = {0};
	struct arg_base base = {0};
	const char *text;
	char *name;

	if (object->type != MSGPACK_OBJECT_MAP)
		return "argument is no map";
	text = mt_codeobj_fields_read(&object->via.map, entry_fields, ARRAY_LENGTH(entry_fields),
				      &entry);
	if (!text)
		text = mt_codeobj_fields_read(&entry.base, base_fields, ARRAY_LENGTH(base_fields),
					      &base);
	if (text)
		return text;
	name = mt_arena_alloc(loader->arena, (size_t)base.name.size + 1, 1);
	if (!name) {
		*no_memory_out = true;
		return NULL;
	}
	if (base.name.size)
		memcpy(name, base.name.ptr, base.name.size);
	*arg = (struct mt_codeobj_arg){
		.name = name,
		.kind = entry.kind,
		.reg_bank = base.reg_bank,
		.word = base.offset,
		.word_count = (uint32_t)(((uint64_t)base.size + 3) / 4),
		.size_b = base.size,
		.align_b = base.align,
		.type = base.type,
		.input_mode = entry.input_mode,
		.read_only = entry.read_only,
	};
	if (!is_known_kind(arg->kind))
		kernel->unsupported = "the kernel has a hidden input of unknown kind";
	if (arg->kind != MT_CODEOBJ_KIND_EXPLICIT)
		return NULL;
	if (arg->type == TYPE_DESCRIPTOR) {
		arg->indirect = true;
		arg->word_count = 2;
	}
	return check_explicit(arg);
}

const char *mt_codeobj_args_read(struct mt_codeobj_loader *loader, const msgpack_object_array *list,
				 struct mt_codeobj_kernel *kernel, uint64_t *argument_out,
				 bool *no_memory_out)
{
	struct mt_codeobj_arg *args;

	args = mt_arena_alloc(loader->arena, ((size_t)list->size + 1) * sizeof(*args), 8);
	if (!args) {
		*no_memory_out = true;
		return NULL;
	}
	for (uint32_t i = 0; i < list->size; i++) {
		const char *text = read_arg(loader, &list->ptr[i], kernel, &args[i], no_memory_out);

		if (text)
			*argument_out = i;
		if (text || *no_memory_out)
			return text;
	}
	kernel->args = args;
	kernel->arg_count = list->size;
	return NULL;
}

static const char *read_word(const msgpack_object *object, struct word *word)
{
	struct entry {
		msgpack_object_map base;
	} entry = {0};
	static const struct mt_codeobj_field fields[] = {
		{".immBase", MT_CODEOBJ_FIELD_MAP, true, offsetof(struct entry, base)},
	};
	static const struct mt_codeobj_field base[] = {
		{".offset", MT_CODEOBJ_FIELD_U32, true, offsetof(struct word, offset)},
		{".value", MT_CODEOBJ_FIELD_U32, true, offsetof(struct word, value)},
	};
	const char *text;

	if (object->type != MSGPACK_OBJECT_MAP)
		return "immediate is no map";
	text = mt_codeobj_fields_read(&object->via.map, fields, ARRAY_LENGTH(fields), &entry);
	return text ? text : mt_codeobj_fields_read(&entry.base, base, ARRAY_LENGTH(base), word);
}

/* The block form: consecutive words from one offset. */
static const char *read_block(const struct block_info *block, struct word *words)
{
	for (uint32_t i = 0; i < block->values.size; i++) {
		const msgpack_object *value = &block->values.ptr[i];

		if (value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > UINT32_MAX)
			return "immediate is not a word";
		if (__builtin_add_overflow(block->offset, i, &words[i].offset))
			return "immediate is outside the uniform registers";
		words[i].value = (uint32_t)value->via.u64;
	}
	return NULL;
}

static int compare_words(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Joins sorted words to runs. Overlap is found later, together with the arguments. */
static bool join_words(struct mt_codeobj_loader *loader, const struct word *words, uint32_t count,
		       struct mt_codeobj_kernel *kernel)
{
	struct mt_codeobj_immediate *runs;
	uint32_t *values, run_count = 0;

	runs = mt_arena_alloc(loader->arena, (count + 1u) * sizeof(*runs), 8);
	values = mt_arena_alloc(loader->arena, (count + 1u) * sizeof(*values), 4);
	if (!runs || !values)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		values[i] = words[i].value;
		if (!i || words[i].offset != words[i - 1].offset + 1)
			runs[run_count++] = (struct mt_codeobj_immediate){.word = words[i].offset,
									  .values = &values[i]};
		runs[run_count - 1].count++;
	}
	kernel->immediates = runs;
	kernel->immediate_count = run_count;
	return true;
}

const char *mt_codeobj_immediates_read(struct mt_codeobj_loader *loader,
				       const msgpack_object_array *list,
				       const msgpack_object_map *block_map,
				       struct mt_codeobj_kernel *kernel, uint64_t *argument_out,
				       bool *no_memory_out)
{
	struct block_info block = {.reg_bank = MT_CODEOBJ_BANK_KERNARG};
	const char *text = NULL;
	struct word *words;
	uint64_t count;

	if (block_map->size)
		text = mt_codeobj_fields_read(block_map, block_fields, ARRAY_LENGTH(block_fields),
					      &block);
	if (!text && block.size != (uint64_t)block.values.size * 4)
		text = "size of the immediates is not four times their number";
	if (text)
		return text;
	if (block.reg_bank != MT_CODEOBJ_BANK_KERNARG)
		kernel->unsupported = "the kernel has immediates outside the uniform registers";
	count = (uint64_t)list->size + block.values.size;
	if (count > kernel->uniform_reg_count)
		return "kernel has more immediates than uniform registers";
	words = mt_arena_alloc(&loader->scratch, (count + 1) * sizeof(*words), 4);
	if (!words) {
		*no_memory_out = true;
		return NULL;
	}
	for (uint32_t i = 0; i < list->size; i++) {
		text = read_word(&list->ptr[i], &words[i]);
		if (text) {
			*argument_out = kernel->arg_count + (uint64_t)i;
			return text;
		}
	}
	text = read_block(&block, words + list->size);
	if (text)
		return text;
	qsort(words, count, sizeof(*words), compare_words);
	if (!join_words(loader, words, (uint32_t)count, kernel))
		*no_memory_out = true;
	return NULL;
}

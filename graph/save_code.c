/* SPDX-License-Identifier: MIT */
/* The code that a graph runs: code objects, kernels with their parameters, and arrays. */
#include <string.h>

#include "drv/module.h"
#include "graph/save_internal.h"
#include "hw/base/digest.h"

#define TYPE_POINTER 14u /* number in the code object's metadata */

static MUresult note_array(struct mt_save *save, const struct mt_array *array)
{
	uint32_t index;

	return array ? mt_save_table_add(&save->arrays, (uintptr_t)array, &index) : MUSA_SUCCESS;
}

MUresult mt_save_code_of_node(struct mt_save *save, const struct mt_save_node *node)
{
	const struct mt_op *op = node->op;
	uint32_t index, code, before = save->kernels.count, codes = save->codes.count;
	MUresult ret = MUSA_SUCCESS;

	if (op->type == MT_OP_COPY) {
		ret = note_array(save, op->copy->src.array);
		return ret ? ret : note_array(save, op->copy->dst.array);
	}
	if (op->type != MT_OP_KERNEL)
		return MUSA_SUCCESS;
	ret = mt_save_table_add(&save->kernels, (uintptr_t)op->kernel.fn, &index);
	if (ret || index < before)
		return ret;
	ret = mt_save_table_add(&save->codes, (uintptr_t)mt_function_code(op->kernel.fn), &code);
	if (ret || code < codes)
		return ret;
	return mt_save_ranges_of_code(save, op->kernel.fn, code);
}

static void write_code(struct mt_save *save, uint32_t index)
{
	const struct mt_codeobj *code = (const void *)(uintptr_t)save->codes.keys[index];
	struct mtg_code head = {
		.size_b = sizeof(head),
		.index = index,
		.arch_id = code->arch_id,
		.code_b = code->elf_b,
		.saved_b = save->flags & MT_SAVE_CODE ? code->elf_b : 0,
	};

	mt_sha256(code->elf, code->elf_b, head.sha256);
	mt_save_begin_stream(&save->file, MTG_CODE, sizeof(head) + head.saved_b);
	mt_save_stream(&save->file, &head, sizeof(head));
	if (head.saved_b)
		mt_save_stream(&save->file, code->elf, head.saved_b);
}

static void put_param(struct mt_save_file *file, const struct mt_codeobj_kernel *kernel,
		      const struct mt_codeobj_param *param)
{
	const struct mt_codeobj_arg *arg = &kernel->args[param->arg];
	uint32_t name_b = (uint32_t)strlen(arg->name);
	struct mtg_param head = {
		.size_b = (uint32_t)sizeof(head) + ((name_b + 7) & ~7u),
		.head_b = sizeof(head),
		.image_b = param->image_b,
		.value_b = param->size_b,
		.type = arg->type,
		.flags = (param->pair_b != UINT32_MAX ? MTG_PARAM_INDIRECT : 0) |
			 (arg->type == TYPE_POINTER ? MTG_PARAM_POINTER : 0) |
			 (arg->read_only ? MTG_PARAM_CONST : 0) |
			 (arg->input_mode == 2 ? MTG_PARAM_UNUSED : 0),
		.name_b = name_b,
		.packed_b = param->packed_b,
	};

	mt_save_put(file, &head, sizeof(head));
	mt_save_put(file, arg->name, name_b);
	mt_save_pad(file);
}

static void put_kernel(struct mt_save *save, uint32_t index)
{
	const struct mt_function *fn = (const void *)(uintptr_t)save->kernels.keys[index];
	const struct mt_codeobj_kernel *kernel = fn->kernel;
	uint32_t name_b = (uint32_t)strlen(fn->name), i;
	struct mt_save_file *file = &save->file;
	size_t start = file->used_b;
	struct mtg_kernel head = {
		.head_b = sizeof(head),
		.index = index,
		.code = mt_save_table_find(&save->codes, (uintptr_t)mt_function_code(fn)),
		.code_va = fn->code_va,
		.image_va = fn->code_va - kernel->entry_b,
		.device = fn->device,
		.flags = (fn->device_launch ? MTG_KERNEL_DEVICE_LAUNCH : 0) |
			 (kernel->records ? MTG_KERNEL_RECORDS : 0),
		.args_b = fn->args_b,
		.static_shared_b = fn->static_shared_b,
		.max_threads = fn->max_threads,
		.param_count = kernel->param_count,
		.name_b = name_b,
	};

	mt_save_put(file, &head, sizeof(head));
	mt_save_put(file, fn->name, name_b);
	mt_save_pad(file);
	for (i = 0; i < kernel->param_count; i++)
		put_param(file, kernel, &kernel->params[i]);
	if (file->error)
		return;
	head.size_b = (uint32_t)(file->used_b - start);
	memcpy(file->payload + start, &head, sizeof(head));
}

static void put_array(struct mt_save_file *file, const struct mt_array *array)
{
	struct mtg_array record = {
		.va = array->va,
		.row_b = array->row_b,
		.slice_b = array->slice_b,
		.width = array->width,
		.height = array->height,
		.depth = array->depth,
		.element_b = array->element_b,
		.channel_kind = array->channel_kind,
		.flags = array->flags,
		.device = array->ctx->device,
	};

	for (int i = 0; i < 4; i++)
		record.channel_bits[i] = array->channel_bits[i];
	mt_save_put(file, &record, sizeof(record));
}

/* Goes on in a new section when one is full. */
static void next_of_list(struct mt_save_file *file, uint32_t type)
{
	if (!mt_save_is_full(file))
		return;
	mt_save_end(file);
	mt_save_begin(file, type);
}

void mt_save_code_write(struct mt_save *save)
{
	struct mt_save_file *file = &save->file;
	uint32_t i;

	for (i = 0; i < save->codes.count; i++)
		write_code(save, i);
	mt_save_begin(file, MTG_KERNELS);
	for (i = 0; i < save->kernels.count; i++) {
		put_kernel(save, i);
		next_of_list(file, MTG_KERNELS);
	}
	mt_save_end(file);
	mt_save_begin(file, MTG_ARRAYS);
	for (i = 0; i < save->arrays.count; i++) {
		put_array(file, (const void *)(uintptr_t)save->arrays.keys[i]);
		next_of_list(file, MTG_ARRAYS);
	}
	mt_save_end(file);
}

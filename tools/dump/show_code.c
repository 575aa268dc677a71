/* SPDX-License-Identifier: MIT */
/* Code objects and fat binaries, whoever's: members, kernels, how their arguments are laid out. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "drv/codeobj.h"
#include "tools/dump/command.h"
#include "tools/dump/output.h"
#include "tools/dump/show.h"
#include "tools/dump/words.h"

static const char *kind_word(uint32_t kind)
{
	switch (kind) {
	case MT_CODEOBJ_KIND_THREAD_X:
		return "threadIdx.x";
	case MT_CODEOBJ_KIND_THREAD_Y:
		return "threadIdx.y";
	case MT_CODEOBJ_KIND_THREAD_Z:
		return "threadIdx.z";
	case MT_CODEOBJ_KIND_BLOCK_X:
		return "blockIdx.x";
	case MT_CODEOBJ_KIND_BLOCK_Y:
		return "blockIdx.y";
	case MT_CODEOBJ_KIND_BLOCK_Z:
		return "blockIdx.z";
	case MT_CODEOBJ_KIND_BLOCK_DIM_X:
		return "blockDim.x";
	case MT_CODEOBJ_KIND_BLOCK_DIM_Y:
		return "blockDim.y";
	case MT_CODEOBJ_KIND_BLOCK_DIM_Z:
		return "blockDim.z";
	case MT_CODEOBJ_KIND_GRID_DIM_X:
		return "gridDim.x";
	case MT_CODEOBJ_KIND_GRID_DIM_Y:
		return "gridDim.y";
	case MT_CODEOBJ_KIND_GRID_DIM_Z:
		return "gridDim.z";
	case MT_CODEOBJ_KIND_SPILL_BASE:
		return "spill base";
	case MT_CODEOBJ_KIND_CORE_NUMBER:
		return "core number";
	case MT_CODEOBJ_KIND_CONST_CALC:
		return "calculated constant";
	case MT_CODEOBJ_KIND_PROG_ADDR:
		return "program address";
	case MT_CODEOBJ_KIND_PROG_SIZE:
		return "program size";
	default:
		return "hidden";
	}
}

static void print_kernel(const struct mt_codeobj_kernel *kernel)
{
	fputs("  kernel ", stdout);
	fputs(out_begin(OUT_NAME), stdout);
	out_name(kernel->name, strlen(kernel->name));
	fputs(out_end(), stdout);
	printf(": %" PRIu64 " B of code, arguments %u B, shared %u B, private %u B, %u registers",
	       kernel->code_size_b, kernel->kernarg_size_b, kernel->shared_size_b,
	       kernel->private_size_b, kernel->temp_reg_count);
	if (kernel->max_threads)
		printf(", at most %u threads", kernel->max_threads);
	putchar('\n');
	if (kernel->unsupported)
		printf("    cannot be launched: %s\n", kernel->unsupported);
	for (uint32_t i = 0; i < kernel->param_count; i++) {
		const struct mt_codeobj_param *param = &kernel->params[i];
		const struct mt_codeobj_arg *arg = &kernel->args[param->arg];

		printf("    %-3u %-10s %5u B at %u", i, word_param_type(arg->type), param->size_b,
		       param->image_b);
		if (param->pair_b != UINT32_MAX)
			printf(", by address at %u", param->pair_b);
		if (arg->input_mode == 2)
			fputs(", not read", stdout);
		if (*arg->name) {
			fputs("  ", stdout);
			out_name(arg->name, strlen(arg->name));
		}
		putchar('\n');
	}
	for (uint32_t i = 0; i < kernel->arg_count; i++)
		if (kernel->args[i].kind != MT_CODEOBJ_KIND_EXPLICIT)
			printf("    hidden: %s\n", kind_word(kernel->args[i].kind));
}

static void write_kernel(struct json *json, const struct mt_codeobj_kernel *kernel)
{
	json_object(json, NULL);
	json_string(json, "name", kernel->name);
	json_number(json, "code_bytes", kernel->code_size_b);
	json_number(json, "argument_bytes", kernel->kernarg_size_b);
	json_number(json, "shared_bytes", kernel->shared_size_b);
	json_number(json, "private_bytes", kernel->private_size_b);
	json_number(json, "registers", kernel->temp_reg_count);
	json_number(json, "max_threads", kernel->max_threads);
	if (kernel->unsupported)
		json_string(json, "unsupported", kernel->unsupported);
	json_array(json, "parameters");
	for (uint32_t i = 0; i < kernel->param_count; i++) {
		const struct mt_codeobj_param *param = &kernel->params[i];
		const struct mt_codeobj_arg *arg = &kernel->args[param->arg];

		json_object(json, NULL);
		json_string(json, "name", arg->name);
		json_string(json, "type", word_param_type(arg->type));
		json_number(json, "bytes", param->size_b);
		json_number(json, "offset", param->image_b);
		json_bool(json, "indirect", param->pair_b != UINT32_MAX);
		json_bool(json, "read", arg->input_mode != 2);
		json_end(json);
	}
	json_end(json);
	json_array(json, "hidden");
	for (uint32_t i = 0; i < kernel->arg_count; i++)
		if (kernel->args[i].kind != MT_CODEOBJ_KIND_EXPLICIT)
			json_string(json, NULL, kind_word(kernel->args[i].kind));
	json_end(json);
	json_end(json);
}

static void show_codeobj(const struct mt_codeobj *codeobj, struct json *json)
{
	uint32_t i;

	if (json) {
		json_number(json, "arch", codeobj->arch_id);
		json_number(json, "machine", codeobj->machine);
		json_number(json, "image_bytes", codeobj->image_size_b);
		json_array(json, "kernels");
		for (i = 0; i < codeobj->kernel_count; i++)
			write_kernel(json, &codeobj->kernels[i]);
		json_end(json);
		json_array(json, "variables");
		for (i = 0; i < codeobj->variable_count; i++) {
			json_object(json, NULL);
			json_string(json, "name", codeobj->variables[i].name);
			json_number(json, "bytes", codeobj->variables[i].size_b);
			json_end(json);
		}
		json_end(json);
		return;
	}
	printf("  mp_%u, machine %u, image of %" PRIu64 " B, %u kernels, %u variables\n",
	       codeobj->arch_id / 10, codeobj->machine, codeobj->image_size_b,
	       codeobj->kernel_count, codeobj->variable_count);
	for (i = 0; i < codeobj->kernel_count; i++)
		print_kernel(&codeobj->kernels[i]);
	for (i = 0; i < codeobj->variable_count; i++) {
		fputs("  variable ", stdout);
		out_name(codeobj->variables[i].name, strlen(codeobj->variables[i].name));
		printf(": %" PRIu64 " B\n", codeobj->variables[i].size_b);
	}
}

static int refuse(const char *path, const struct mt_codeobj_reason *why)
{
	dump_error("%s: %s (%s %" PRIu64 "%s%s)", path, why->text ? why->text : "cannot be read",
		   why->unit ? why->unit : "byte", why->position, why->subject[0] ? ", " : "",
		   why->subject);
	return DUMP_UNREADABLE;
}

static bool is_device_member(const struct mt_codeobj_container *container,
			     const struct mt_codeobj_member *member)
{
	return mt_codeobj_container_shape(container) == MT_CODEOBJ_SHAPE_ELF ||
	       (member->arch_id && member->size_b);
}

static int show_member(const char *path, struct mt_codeobj_container *container, uint32_t index,
		       struct json *json)
{
	const struct mt_codeobj_member *member = mt_codeobj_container_member(container, index);
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj *codeobj;
	int ret = DUMP_OK;

	if (json) {
		json_object(json, NULL);
		json_string(json, "id", member->id);
		json_number(json, "bytes", member->size_b);
	} else {
		out_print(OUT_HEADING, "member %u", index);
		fputs(*member->id ? ": " : "", stdout);
		out_name(member->id, strlen(member->id));
		printf(": %" PRIu64 " B\n", member->size_b);
	}
	if (is_device_member(container, member)) {
		if (mt_codeobj_load_member(container, index, &codeobj, &why)) {
			ret = refuse(path, &why);
		} else {
			show_codeobj(codeobj, json);
			mt_codeobj_destroy(codeobj);
		}
	}
	if (json)
		json_end(json);
	return ret;
}

int show_code(const char *path, struct json *json)
{
	struct mt_codeobj_container *container;
	struct mt_codeobj_reason why = {0};
	int ret = DUMP_OK, member;

	if (mt_codeobj_container_open_file(path, &container, &why))
		return refuse(path, &why);
	if (json)
		json_array(json, "members");
	for (uint32_t i = 0; i < mt_codeobj_container_count(container); i++) {
		member = show_member(path, container, i, json);
		ret = ret ? ret : member;
	}
	if (json)
		json_end(json);
	mt_codeobj_container_close(container);
	return ret;
}

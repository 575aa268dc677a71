/* SPDX-License-Identifier: MIT */
/*
 * Kernels from the metadata: the scalars of each kernel map, matched with the symbols. Argument
 * lists are left to codeobj_args.c.
 */
#include <stdlib.h>

#include "drv/codeobj_internal.h"

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* A kernel map's known keys, as read. */
struct kernel_map {
	msgpack_object_str name, const_calc;
	msgpack_object_array args, imms;
	msgpack_object_map imm_info, attrs;
	uint32_t arch_id;
	uint32_t shared_memory_size, private_memory_size;
	uint32_t temp_reg_count, attr_reg_count, internal_reg_count, slot_reg_count;
	uint32_t shared_reg_count;
	uint32_t wave_mode;
	uint32_t cluster_x, cluster_y, cluster_z;
	uint32_t max_threads, abi;
	uint32_t ignored;
	bool has_barrier, has_cluster_barrier, has_texture, graph_launch;
	bool records;
	bool ignored_flag;
};

#define FIELD(key, type, required, member)                                                         \
	{                                                                                          \
		key, MT_CODEOBJ_FIELD_##type, required, offsetof(struct kernel_map, member)        \
	}

/* Keys that nothing here uses are listed too, so that their types are checked. */
static const struct mt_codeobj_field kernel_fields[] = {
	FIELD(".name", STRING, true, name),
	FIELD(".arch_id", U32, true, arch_id),
	FIELD(".args", ARRAY, true, args),
	FIELD(".imms", ARRAY, false, imms),
	FIELD(".imm_info", MAP, false, imm_info),
	FIELD(".const_calc_kernel", STRING, false, const_calc),
	FIELD(".shared_memory_size", U32, false, shared_memory_size),
	FIELD(".private_memory_size", U32, false, private_memory_size),
	FIELD(".temp_reg_count", U32, false, temp_reg_count),
	FIELD(".attr_reg_count", U32, false, attr_reg_count),
	FIELD(".internal_reg_count", U32, false, internal_reg_count),
	FIELD(".slot_reg_count", U32, false, slot_reg_count),
	FIELD(".shared_reg_count", U32, false, shared_reg_count),
	FIELD(".wave_mode", U32, false, wave_mode),
	FIELD(".clusterX", U32, false, cluster_x),
	FIELD(".clusterY", U32, false, cluster_y),
	FIELD(".clusterZ", U32, false, cluster_z),
	FIELD(".has_barrier", BOOL, false, has_barrier),
	FIELD(".has_cluster_barrier", BOOL, false, has_cluster_barrier),
	FIELD(".has_texture", BOOL, false, has_texture),
	FIELD(".has_sqmma_conv", BOOL, false, ignored_flag),
	FIELD(".call_flag", BOOL, false, ignored_flag),
	FIELD(".indirect_call_flag", BOOL, false, ignored_flag),
	FIELD(".attrs", MAP, false, attrs),
	FIELD(".coef_reg_count", U32, false, ignored),
	FIELD(".constcalc_temp_reg_count", U32, false, ignored),
	FIELD(".constcalc_attr_reg_count", U32, false, ignored),
	FIELD(".barrier_coef", U32, false, ignored),
	FIELD(".async_bar_count", U32, false, ignored),
	FIELD(".global_atomic_count", U32, false, ignored),
	FIELD(".shared_atomic_lock_idx", U32, false, ignored),
	FIELD(".local_mem_used_in_cluster", U32, false, ignored),
	FIELD(".max_block_size", U32, false, ignored),
	FIELD(".mt_max_threads", U32, false, max_threads),
	FIELD(".mt_abi", U32, false, abi),
	FIELD(".mt_records", BOOL, false, records),
	FIELD(".mt_graph_launch", BOOL, false, graph_launch),
};

_Static_assert(ARRAY_LENGTH(kernel_fields) <= 64, "seen keys are one bit each");

static MUresult reject_kernel(struct mt_codeobj_loader *loader, const struct kernel_map *map,
			      uint64_t index, const char *text)
{
	return mt_codeobj_reject_named(loader->why, text, "kernel", index, map->name.ptr,
				       map->name.size);
}

/* Bytes at the start of block-shared memory that compiled kernels leave to the hardware. */
static uint32_t reserved_shared(uint32_t arch_id)
{
	switch (arch_id) {
	case 210:
	case 220:
		return 20;
	case 310:
		return 12;
	default:
		return 0;
	}
}

static char *copy_name(struct mt_codeobj_loader *loader, const msgpack_object_str *text)
{
	char *copy = mt_arena_alloc(loader->arena, (size_t)text->size + 1, 1);

	if (copy && text->size)
		memcpy(copy, text->ptr, text->size);
	return copy;
}

static const char *resolve_shared(struct mt_codeobj_loader *loader,
				  struct mt_codeobj_kernel *kernel)
{
	const struct mt_codeobj_symbol *symbol =
		mt_codeobj_symbol_find(loader->shared, loader->shared_count, kernel->name);

	if (symbol) {
		if (symbol->size_b > kernel->shared_size_b)
			return "shared memory is smaller than the kernel's symbol for it";
		kernel->shared_symbol_b = (uint32_t)symbol->size_b;
		kernel->shared_reserved_b = kernel->shared_size_b - kernel->shared_symbol_b;
		return NULL;
	}
	kernel->shared_reserved_b = reserved_shared(kernel->arch_id);
	if (kernel->shared_reserved_b > kernel->shared_size_b)
		kernel->shared_reserved_b = kernel->shared_size_b;
	return NULL;
}

static const char *resolve_code(struct mt_codeobj_loader *loader, const struct kernel_map *map,
				struct mt_codeobj_kernel *kernel, bool *no_memory)
{
	const struct mt_codeobj_symbol *symbol =
		mt_codeobj_symbol_find(loader->functions, loader->function_count, kernel->name);
	const char *name;

	if (!symbol)
		return "no function symbol for the kernel";
	if (!symbol->size_b)
		return "kernel's symbol has size 0";
	if (symbol->offset_b == MT_CODEOBJ_NONE)
		return "kernel's symbol is outside the code";
	kernel->entry_b = symbol->offset_b;
	kernel->code_size_b = symbol->size_b;
	kernel->const_calc_b = MT_CODEOBJ_NONE;
	if (!map->const_calc.size)
		return NULL;
	if (memchr(map->const_calc.ptr, 0, map->const_calc.size))
		return "name of the constant-calculation program has a NUL";
	name = copy_name(loader, &map->const_calc);
	if (!name) {
		*no_memory = true;
		return NULL;
	}
	symbol = mt_codeobj_symbol_find(loader->functions, loader->function_count, name);
	if (!symbol || symbol->offset_b == MT_CODEOBJ_NONE || !symbol->size_b)
		return "no symbol for the constant-calculation program";
	kernel->const_calc_b = symbol->offset_b;
	kernel->const_calc_size_b = symbol->size_b;
	return NULL;
}

static void copy_scalars(const struct kernel_map *map, struct mt_codeobj_kernel *kernel)
{
	kernel->arch_id = map->arch_id;
	kernel->shared_size_b = map->shared_memory_size;
	kernel->private_size_b = map->private_memory_size;
	kernel->temp_reg_count = map->temp_reg_count;
	kernel->attr_reg_count = map->attr_reg_count;
	kernel->internal_reg_count = map->internal_reg_count;
	kernel->slot_reg_count = map->slot_reg_count;
	kernel->uniform_reg_count = map->shared_reg_count;
	kernel->wave_mode = map->wave_mode;
	kernel->cluster_x = map->cluster_x;
	kernel->cluster_y = map->cluster_y;
	kernel->cluster_z = map->cluster_z;
	kernel->max_threads = map->max_threads;
	kernel->abi = map->abi;
	kernel->records = map->records;
	kernel->has_barrier = map->has_barrier;
	kernel->has_cluster_barrier = map->has_cluster_barrier;
	kernel->has_texture = map->has_texture;
	kernel->graph_launch = map->graph_launch;
}

/* The number must be the same in all kernels, the member's id and what the machine can run. */
static const char *check_arch(struct mt_codeobj_loader *loader, uint32_t arch_id)
{
	bool mock = loader->header.e_machine == MT_CODEOBJ_MACHINE_MOCK;

	if (mock != (arch_id == MT_CODEOBJ_ARCH_MOCK))
		return "architecture does not belong to the ELF's machine";
	if (loader->member_arch_id && arch_id != loader->member_arch_id)
		return "architecture differs from the bundle member's";
	if (loader->codeobj->arch_id && arch_id != loader->codeobj->arch_id)
		return "architecture differs between kernels";
	loader->codeobj->arch_id = arch_id;
	return NULL;
}

static MUresult read_arguments(struct mt_codeobj_loader *loader, const struct kernel_map *map,
			       struct mt_codeobj_kernel *kernel, uint64_t index)
{
	uint64_t argument = UINT64_MAX;
	bool no_memory = false;
	const char *text = mt_codeobj_args_read(loader, &map->args, kernel, &argument, &no_memory);

	if (!text && !no_memory)
		text = mt_codeobj_immediates_read(loader, &map->imms, &map->imm_info, kernel,
						  &argument, &no_memory);
	if (!text && !no_memory)
		text = mt_codeobj_kernarg_lay_out(loader, kernel, &argument, &no_memory);
	if (no_memory)
		return mt_codeobj_no_memory(loader->why);
	if (!text)
		return MUSA_SUCCESS;
	if (argument == UINT64_MAX)
		return reject_kernel(loader, map, index, text);
	return mt_codeobj_reject_named(loader->why, text, "argument", argument, map->name.ptr,
				       map->name.size);
}

static MUresult read_kernel(struct mt_codeobj_loader *loader, const msgpack_object *object,
			    uint64_t index, struct mt_codeobj_kernel *kernel)
{
	struct kernel_map map = {0};
	bool no_memory = false;
	const char *text;
	MUresult result;

	if (object->type != MSGPACK_OBJECT_MAP)
		return reject_kernel(loader, &map, index, "kernel is no map");
	text = mt_codeobj_fields_read(&object->via.map, kernel_fields, ARRAY_LENGTH(kernel_fields),
				      &map);
	if (!text && !map.name.size)
		text = "kernel name is empty";
	if (!text && memchr(map.name.ptr, 0, map.name.size))
		text = "kernel name has a NUL";
	if (!text)
		text = check_arch(loader, map.arch_id);
	if (!text && map.shared_reg_count > MT_CODEOBJ_UNIFORM_MAX)
		text = "kernel has too many uniform registers";
	if (text)
		return reject_kernel(loader, &map, index, text);

	copy_scalars(&map, kernel);
	kernel->name = copy_name(loader, &map.name);
	if (!kernel->name)
		return mt_codeobj_no_memory(loader->why);
	result = read_arguments(loader, &map, kernel, index);
	if (result)
		return result;
	text = resolve_code(loader, &map, kernel, &no_memory);
	if (no_memory)
		return mt_codeobj_no_memory(loader->why);
	if (!text)
		text = resolve_shared(loader, kernel);
	return text ? reject_kernel(loader, &map, index, text) : MUSA_SUCCESS;
}

static int compare_kernels(const void *a, const void *b)
{
	const struct mt_codeobj_kernel *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static MUresult read_kernels(struct mt_codeobj_loader *loader, const msgpack_object_array *list)
{
	struct mt_codeobj_kernel *kernels;

	kernels = mt_arena_alloc(loader->arena, ((size_t)list->size + 1) * sizeof(*kernels), 8);
	if (!kernels)
		return mt_codeobj_no_memory(loader->why);
	for (uint32_t i = 0; i < list->size; i++) {
		MUresult result = read_kernel(loader, &list->ptr[i], i, &kernels[i]);

		if (result)
			return result;
	}
	qsort(kernels, list->size, sizeof(*kernels), compare_kernels);
	for (uint32_t i = 1; i < list->size; i++) {
		if (strcmp(kernels[i - 1].name, kernels[i].name) == 0)
			return mt_codeobj_reject_named(loader->why, "two kernels have one name",
						       "kernel", i, kernels[i].name,
						       strlen(kernels[i].name));
	}
	loader->codeobj->kernels = kernels;
	loader->codeobj->kernel_count = list->size;
	return MUSA_SUCCESS;
}

static const char *read_version(struct mt_codeobj *codeobj, const msgpack_object_array *version)
{
	if (version->size != 2 || version->ptr[0].type != MSGPACK_OBJECT_POSITIVE_INTEGER ||
	    version->ptr[1].type != MSGPACK_OBJECT_POSITIVE_INTEGER ||
	    version->ptr[1].via.u64 > UINT32_MAX)
		return "metadata version is not two integers";
	if (version->ptr[0].via.u64 < 1 || version->ptr[0].via.u64 > 3)
		return "metadata version is not known";
	codeobj->version_major = (uint32_t)version->ptr[0].via.u64;
	codeobj->version_minor = (uint32_t)version->ptr[1].via.u64;
	return NULL;
}

static MUresult read_top(struct mt_codeobj_loader *loader, const msgpack_object *top)
{
	struct top_map {
		msgpack_object_array kernels, version;
	} map = {0};
	static const struct mt_codeobj_field fields[] = {
		{"mtgpu.kernels", MT_CODEOBJ_FIELD_ARRAY, true, offsetof(struct top_map, kernels)},
		{"mtgpu.version", MT_CODEOBJ_FIELD_ARRAY, true, offsetof(struct top_map, version)},
	};
	const char *text;

	if (top->type != MSGPACK_OBJECT_MAP)
		return mt_codeobj_reject(loader->why, "metadata is no map", "byte", 0);
	text = mt_codeobj_fields_read(&top->via.map, fields, ARRAY_LENGTH(fields), &map);
	if (!text)
		text = read_version(loader->codeobj, &map.version);
	if (text)
		return mt_codeobj_reject(loader->why, text, "byte", 0);
	return read_kernels(loader, &map.kernels);
}

MUresult mt_codeobj_metadata_read(struct mt_codeobj_loader *loader, const uint8_t *desc,
				  uint64_t desc_size_b)
{
	msgpack_unpacked unpacked;
	MUresult result = mt_codeobj_msgpack_decode(loader, desc, desc_size_b, &unpacked);

	if (result)
		return result;
	result = read_top(loader, &unpacked.data);
	msgpack_unpacked_destroy(&unpacked);
	return result;
}

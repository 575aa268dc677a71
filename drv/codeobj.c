/* SPDX-License-Identifier: MIT */
/*
 * Loads code objects: makes a private copy of a member, has its parts checked in turn, and owns
 * the result.
 */
#include <stdlib.h>

#include "drv/codeobj_container.h"
#include "hw/base/alloc.h"
#include "hw/softgpu/device_abi.h"

/* A code object with what it owns. */
struct owned_codeobj {
	struct mt_codeobj codeobj; /* first: handed out as a pointer to this */
	struct mt_arena arena;
	uint8_t *data; /* the private copy, owned */
};

MUresult mt_codeobj_reject_named(struct mt_codeobj_reason *why, const char *text, const char *unit,
				 uint64_t position, const char *name, size_t name_b)
{
	if (!why)
		return MUSA_ERROR_INVALID_IMAGE;
	if (name_b >= sizeof(why->subject))
		name_b = sizeof(why->subject) - 1;
	why->text = text;
	why->unit = unit;
	why->position = position;
	if (name_b)
		memcpy(why->subject, name, name_b);
	why->subject[name_b] = '\0';
	return MUSA_ERROR_INVALID_IMAGE;
}

MUresult mt_codeobj_reject(struct mt_codeobj_reason *why, const char *text, const char *unit,
			   uint64_t position)
{
	return mt_codeobj_reject_named(why, text, unit, position, "", 0);
}

MUresult mt_codeobj_no_memory(struct mt_codeobj_reason *why)
{
	mt_codeobj_reject(why, "host memory has run out", "byte", 0);
	return MUSA_ERROR_OUT_OF_MEMORY;
}

static MUresult parse(struct mt_codeobj_loader *loader)
{
	const uint8_t *desc;
	uint64_t desc_b;
	MUresult result = mt_codeobj_elf_check(loader);

	if (!result)
		result = mt_codeobj_image_lay_out(loader);
	if (!result)
		result = mt_codeobj_symbols_read(loader);
	if (!result)
		result = mt_codeobj_note_find(loader, &desc, &desc_b);
	if (!result)
		result = mt_codeobj_metadata_read(loader, desc, desc_b);
	if (!result)
		result = mt_codeobj_relocs_read(loader);
	if (result)
		return result;
	loader->codeobj->machine = loader->header.e_machine;
	/* Without kernels the architecture can only come from outside. */
	if (!loader->codeobj->arch_id)
		loader->codeobj->arch_id = loader->header.e_machine == MT_CODEOBJ_MACHINE_MOCK
						   ? MT_CODEOBJ_ARCH_MOCK
						   : loader->member_arch_id;
	return MUSA_SUCCESS;
}

/* The private copy of a member; everything later works on it. */
static MUresult copy_member(struct mt_codeobj_container *container,
			    const struct mt_codeobj_member *member, uint8_t **data_out,
			    struct mt_codeobj_reason *why)
{
	uint8_t *data = mt_alloc((size_t)member->size_b);

	if (!data)
		return mt_codeobj_no_memory(why);
	if (mt_codeobj_reader_copy(&container->reader, member->offset_b, data, member->size_b)) {
		mt_free(data);
		return mt_codeobj_reject(why, "member cannot be read", "byte", member->offset_b);
	}
	*data_out = data;
	return MUSA_SUCCESS;
}

static MUresult load(struct mt_codeobj_container *container, const struct mt_codeobj_member *member,
		     struct mt_codeobj **codeobj_out, struct mt_codeobj_reason *why)
{
	struct mt_codeobj_loader loader = {.why = why};
	struct owned_codeobj *owned = mt_calloc(1, sizeof(*owned));
	MUresult result;

	if (!owned)
		return mt_codeobj_no_memory(why);
	mt_arena_init(&owned->arena);
	mt_arena_init(&loader.scratch);
	result = copy_member(container, member, &owned->data, why);
	if (result)
		goto finish;

	loader.codeobj = &owned->codeobj;
	loader.arena = &owned->arena;
	loader.member_arch_id = member->arch_id;
	loader.data = owned->data;
	loader.size_b = member->size_b;
	owned->codeobj.elf = owned->data;
	owned->codeobj.elf_b = member->size_b;
	result = parse(&loader);
	if (loader.elf)
		elf_end(loader.elf);
finish:
	mt_arena_finish(&loader.scratch);
	if (result) {
		mt_codeobj_destroy(&owned->codeobj);
		return result;
	}
	*codeobj_out = &owned->codeobj;
	return MUSA_SUCCESS;
}

MUresult mt_codeobj_load_member(struct mt_codeobj_container *container, uint32_t index,
				struct mt_codeobj **codeobj_out, struct mt_codeobj_reason *why)
{
	const struct mt_codeobj_member *member = mt_codeobj_container_member(container, index);

	if (!member ||
	    (container->shape == MT_CODEOBJ_SHAPE_BUNDLE && !mt_codeobj_member_is_device(member)))
		return MUSA_ERROR_INVALID_VALUE;
	return load(container, member, codeobj_out, why);
}

/* Device code of another version of the engine's contract would run into it blindly. */
static MUresult check_abi(struct mt_codeobj *codeobj, struct mt_codeobj_reason *why)
{
	if (codeobj->machine != MT_CODEOBJ_MACHINE_MOCK)
		return MUSA_SUCCESS;
	for (uint32_t i = 0; i < codeobj->kernel_count; i++) {
		const struct mt_codeobj_kernel *kernel = &codeobj->kernels[i];

		if (!kernel->abi || kernel->abi == MT_DEV_ABI_VERSION)
			continue;
		mt_codeobj_reject_named(why, "kernel is for another version of the mock GPU",
					"version", kernel->abi, kernel->name, strlen(kernel->name));
		return MUSA_ERROR_NO_BINARY_FOR_GPU;
	}
	return MUSA_SUCCESS;
}

static MUresult no_binary(struct mt_codeobj_reason *why, uint32_t arch_id)
{
	mt_codeobj_reject(why, "no code for this architecture", "architecture", arch_id);
	return MUSA_ERROR_NO_BINARY_FOR_GPU;
}

static MUresult load_bare(struct mt_codeobj_container *container, uint32_t arch_id,
			  struct mt_codeobj **codeobj_out, struct mt_codeobj_reason *why)
{
	struct mt_codeobj *codeobj;
	MUresult result = load(container, &container->members[0], &codeobj, why);

	if (result)
		return result;
	/* Number 0: a silicon object without kernels, which fits any silicon. */
	if (codeobj->arch_id != arch_id && (codeobj->arch_id || arch_id == MT_CODEOBJ_ARCH_MOCK)) {
		mt_codeobj_destroy(codeobj);
		return no_binary(why, arch_id);
	}
	*codeobj_out = codeobj;
	return MUSA_SUCCESS;
}

static MUresult load_from_bundle(struct mt_codeobj_container *container, uint32_t arch_id,
				 struct mt_codeobj **codeobj_out, struct mt_codeobj_reason *why)
{
	for (uint32_t i = 0; i < container->count; i++) {
		const struct mt_codeobj_member *member = &container->members[i];

		if (mt_codeobj_member_is_device(member) && member->arch_id == arch_id)
			return load(container, member, codeobj_out, why);
	}
	for (uint32_t i = 0; i < container->count; i++) {
		struct mt_codeobj *other;
		MUresult result;

		if (!mt_codeobj_member_is_device(&container->members[i]))
			continue;
		result = load(container, &container->members[i], &other, why);
		if (result)
			return result;
		mt_codeobj_destroy(other);
	}
	return no_binary(why, arch_id);
}

MUresult mt_codeobj_load(struct mt_codeobj_container *container, uint32_t arch_id,
			 struct mt_codeobj **codeobj_out, struct mt_codeobj_reason *why)
{
	struct mt_codeobj *codeobj;
	MUresult result;

	if (container->shape == MT_CODEOBJ_SHAPE_ELF)
		result = load_bare(container, arch_id, &codeobj, why);
	else
		result = load_from_bundle(container, arch_id, &codeobj, why);
	if (result)
		return result;
	result = check_abi(codeobj, why);
	if (result) {
		mt_codeobj_destroy(codeobj);
		return result;
	}
	*codeobj_out = codeobj;
	return MUSA_SUCCESS;
}

void mt_codeobj_destroy(struct mt_codeobj *codeobj)
{
	struct owned_codeobj *owned = (struct owned_codeobj *)codeobj;

	if (!owned)
		return;
	mt_arena_finish(&owned->arena);
	mt_free(owned->data);
	mt_free(owned);
}

const struct mt_codeobj_kernel *mt_codeobj_find_kernel(const struct mt_codeobj *codeobj,
						       const char *name)
{
	uint32_t low = 0, high = codeobj->kernel_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(codeobj->kernels[middle].name, name);

		if (!order)
			return &codeobj->kernels[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct mt_codeobj_variable *mt_codeobj_find_variable(const struct mt_codeobj *codeobj,
							   const char *name)
{
	uint32_t low = 0, high = codeobj->variable_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(codeobj->variables[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < codeobj->variable_count && strcmp(codeobj->variables[low].name, name) == 0)
		return &codeobj->variables[low];
	return NULL;
}

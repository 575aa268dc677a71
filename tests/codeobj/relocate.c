/* SPDX-License-Identifier: MIT */
/*
 * The image at its load address: contents, zeroes and relocated words; and hand-written code that
 * really runs from it.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "hw/softgpu/device_abi.h"
#include "tests/codeobj/samples.h"

#define ADDRESS UINT64_C(0x7000abcd0000)

static uint64_t get(const uint8_t *image, uint64_t offset, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, image + offset, size);
	return value;
}

static uint64_t place_of(const struct mt_codeobj *codeobj, const char *name)
{
	const struct mt_codeobj_variable *variable = mt_codeobj_find_variable(codeobj, name);

	cr_assert(variable);
	return variable->offset_b;
}

/* Each known relocation of a linked object gives the address it should, at two addresses. */
Test(codeobj_relocate, linked)
{
	static const uint64_t addresses[] = {ADDRESS, 0}, bases[] = {0, 0x40000000};

	for (int i = 0; i < 4; i++) {
		uint64_t address = addresses[i & 1], data;
		struct cob_elf description;
		struct cob_buf elf = {0};
		struct mt_codeobj *codeobj;
		uint8_t *image;

		sample_rich_describe(&description, ET_DYN, 62);
		description.base = bases[i >> 1];
		cob_elf(&elf, &description);
		codeobj = sample_load(&elf, 900);
		cr_expect_eq(codeobj->reloc_count, 4); /* "none" and those for debug data aside */
		image = malloc(codeobj->image_size_b);
		memset(image, 0xee, codeobj->image_size_b);
		cr_assert_eq(mt_codeobj_relocate(codeobj, image, codeobj->image_size_b, address),
			     MUSA_SUCCESS);
		data = place_of(codeobj, "counter") - 16;
		cr_expect_eq(get(image, data + 32, 8), address + data + 24);
		cr_expect_eq(get(image, data + 40, 8), address + place_of(codeobj, "table") + 8);
		cr_expect_eq(get(image, data + 48, 8), address + place_of(codeobj, "counter"));
		cr_expect_eq(get(image, data + 56, 8),
			     address + mt_codeobj_find_kernel(codeobj, "beta")->entry_b);
		for (uint64_t at = 0; at < 32; at++)
			cr_expect_eq(image[data + at], at);
		for (uint64_t at = 0; at < 64; at++)
			cr_expect_eq(image[place_of(codeobj, "table") + at], 0);
		cr_expect_eq(image[codeobj->kernels[0].entry_b], 0xc3);
		free(image);
		mt_codeobj_destroy(codeobj);
		cob_free(&elf);
	}
}

/* An unlinked object gets distances between its sections. */
Test(codeobj_relocate, unlinked)
{
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;
	uint64_t text, counter;
	uint8_t *image;

	sample_rich(&elf, ET_REL, 62);
	codeobj = sample_load(&elf, 900);
	image = malloc(codeobj->image_size_b);
	memset(image, 0xee, codeobj->image_size_b);
	cr_assert_eq(mt_codeobj_relocate(codeobj, image, codeobj->image_size_b, ADDRESS),
		     MUSA_SUCCESS);
	text = mt_codeobj_find_kernel(codeobj, "alpha")->entry_b;
	counter = place_of(codeobj, "counter");
	cr_expect_eq(text % 256, 0);
	cr_expect_eq((int32_t)get(image, text + 4, 4),
		     (int32_t)((int64_t)counter - 4 - (int64_t)(text + 4)));
	cr_expect_eq((int32_t)get(image, text + 12, 4), 800 - 4 - 12);
	cr_expect_eq(get(image, counter - 16 + 40, 8), ADDRESS + place_of(codeobj, "table") + 8);
	free(image);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* An undefined weak symbol is address 0, wherever the image lies. */
Test(codeobj_relocate, undefined_weak)
{
	const struct cob_symbol symbols[] = {
		{"missing", STB_WEAK, STT_NOTYPE, STV_DEFAULT, COB_UNDEF, 0, 0},
		{"fixed", STB_GLOBAL, STT_OBJECT, STV_DEFAULT, COB_ABS, 0x1234, 0},
		{"here", STB_GLOBAL, STT_OBJECT, STV_DEFAULT, COB_DATA, 0, 8},
	};
	const struct cob_reloc relocs[] = {
		{COB_DATA, 0, R_X86_64_GLOB_DAT, "missing", 0, COB_UNDEF},
		{COB_DATA, 8, R_X86_64_64, "fixed", 4, COB_UNDEF},
		{COB_DATA, 16, R_X86_64_64, NULL, 77, COB_UNDEF},
	};
	struct cob_elf description;
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;
	uint8_t *image;
	uint64_t data;

	sample_rich_describe(&description, ET_DYN, 62);
	description.symbols = symbols;
	description.symbol_count = 3;
	description.relocs = relocs;
	description.reloc_count = 3;
	description.metadata = COB_DESC("", "1,0");
	cob_elf(&elf, &description);
	codeobj = sample_load(&elf, 900);
	image = malloc(codeobj->image_size_b);
	cr_assert_eq(mt_codeobj_relocate(codeobj, image, codeobj->image_size_b, ADDRESS),
		     MUSA_SUCCESS);
	data = place_of(codeobj, "here");
	cr_expect_eq(get(image, data, 8), 0);
	cr_expect_eq(get(image, data + 8, 8), 0x1238);
	cr_expect_eq(get(image, data + 16, 8), 77);
	cr_expect_null(mt_codeobj_find_variable(codeobj, "fixed"));
	free(image);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* Too little room or a crooked address is refused, and nothing is written. */
Test(codeobj_relocate, arguments)
{
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;
	uint8_t *image;

	sample_rich(&elf, ET_DYN, 62);
	codeobj = sample_load(&elf, 900);
	image = malloc(codeobj->image_size_b);
	memset(image, 0xee, codeobj->image_size_b);
	cr_expect_eq(mt_codeobj_relocate(codeobj, image, codeobj->image_size_b - 1, ADDRESS),
		     MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_relocate(codeobj, image, codeobj->image_size_b, ADDRESS + 256),
		     MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_relocate(codeobj, NULL, codeobj->image_size_b, ADDRESS),
		     MUSA_ERROR_INVALID_VALUE);
	for (uint64_t i = 0; i < codeobj->image_size_b; i++)
		cr_assert_eq(image[i], 0xee);
	free(image);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* Segments are in order, inside the image, and have the right protection. */
Test(codeobj_relocate, segments)
{
	for (uint16_t type = ET_REL; type <= ET_DYN; type += ET_DYN - ET_REL) {
		struct cob_buf elf = {0};
		struct mt_codeobj *codeobj;
		uint64_t end = 0;
		uint32_t exec = 0;

		sample_rich(&elf, type, 62);
		codeobj = sample_load(&elf, 900);
		for (uint32_t i = 0; i < codeobj->segment_count; i++) {
			const struct mt_codeobj_segment *segment = &codeobj->segments[i];

			cr_expect_geq(segment->offset_b, end);
			cr_expect_leq(segment->file_b, segment->memory_b);
			end = segment->offset_b + segment->memory_b;
			if (!(segment->flags & MT_CODEOBJ_SEGMENT_EXEC))
				continue;
			exec++;
			cr_expect_not(segment->flags & MT_CODEOBJ_SEGMENT_WRITE);
			cr_expect_leq(segment->offset_b, codeobj->kernels[0].entry_b);
		}
		cr_expect_eq(exec, 1);
		cr_expect_eq(end, codeobj->image_size_b);
		mt_codeobj_destroy(codeobj);
		cob_free(&elf);
	}
}

/* A block entry written by hand, loaded and called, stores its argument. */
Test(codeobj_relocate, built_kernel_runs)
{
	static const uint32_t sizes[] = {8, 4};
	uint8_t code[COB_CODE_STORE_B];
	const struct cob_mock_kernel kernels[] = {
		{.name = "nothing", .code = cob_code_return, .code_size = 1},
		{.name = "store",
		 .code = code,
		 .code_size = sizeof(code),
		 .param_sizes = sizes,
		 .param_count = 2},
	};
	const uint32_t init = 42;
	const struct cob_mock_variable variables[] = {{"answer", &init, 4, 16},
						      {"zeroes", NULL, 0, 1000}};
	struct cob_buf bundle = {0};
	struct mt_codeobj *codeobj;
	const struct mt_codeobj_kernel *store;
	uint32_t target = 0, value = 0xc0ffee, *target_pointer = &target;
	void *params[] = {&target_pointer, &value};
	_Alignas(64) uint8_t kernarg[128];
	struct mt_dev_block block = {0};
	uint8_t *image;

	cob_code_store(code);
	cob_mock_bundle(&bundle, kernels, 2, variables, 2);
	codeobj = sample_load(&bundle, 900);
	cr_expect_eq(mt_codeobj_find_kernel(codeobj, "store")->abi, MT_DEV_ABI_VERSION);
	cr_expect_eq(mt_codeobj_find_variable(codeobj, "zeroes")->size_b, 1000);
	image = mmap(NULL, codeobj->image_size_b, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(image, MAP_FAILED);
	cr_assert_eq(mt_codeobj_relocate(codeobj, image, codeobj->image_size_b,
					 (uint64_t)(uintptr_t)image),
		     MUSA_SUCCESS);
	cr_expect_eq(get(image, place_of(codeobj, "answer"), 4), 42);
	cr_assert_eq(mprotect(image, codeobj->image_size_b, PROT_READ | PROT_EXEC), 0);

	store = mt_codeobj_find_kernel(codeobj, "store");
	cr_assert_leq(store->kernarg_size_b, sizeof(kernarg));
	cr_assert_eq(mt_codeobj_pack_params(store, params, kernarg, 0), MUSA_SUCCESS);
	block.kernarg = kernarg;
	{
		void (*entry)(struct mt_dev_block *);
		const void *address = image + store->entry_b;

		memcpy(&entry, &address, sizeof(entry));
		entry(&block);
	}
	cr_expect_eq(target, 0xc0ffee);
	munmap(image, codeobj->image_size_b);
	mt_codeobj_destroy(codeobj);
	cob_free(&bundle);
}

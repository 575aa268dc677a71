/* SPDX-License-Identifier: MIT */
/*
 * Large and hostile objects: work grows with the bytes, so that these end long before a test's
 * time limit, which quadratic work would not.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codeobj/samples.h"

#define MANY 100000u

static char *numbered(const char *prefix, uint32_t number)
{
	return cob_format("%s%u", prefix, number);
}

static void put(struct cob_buf *json, const char *text)
{
	cob_bytes(json, text, strlen(text));
}

/* Ends the text, as the builder reads it. */
static const char *finish(struct cob_buf *json)
{
	cob_zero(json, 1);
	return (const char *)json->data;
}

/* 100,000 kernels with symbols, each of which is found. */
Test(codeobj_scale, many_kernels)
{
	struct cob_symbol *symbols = calloc(MANY, sizeof(*symbols));
	struct cob_buf json = {0}, elf = {0};
	struct cob_elf description;
	struct mt_codeobj *codeobj;

	cr_assert(symbols);
	put(&json, "{\"mtgpu.version\":[1,0],\"mtgpu.kernels\":[");
	for (uint32_t i = 0; i < MANY; i++) {
		char *map;

		symbols[i] = (struct cob_symbol){numbered("kernel_with_a_common_prefix_", i),
						 STB_GLOBAL,
						 STT_FUNC,
						 STV_PROTECTED,
						 COB_TEXT,
						 i % 1000,
						 16};
		map = cob_format("{\".name\":\"%s\",\".arch_id\":900,\".args\":[]}",
				 symbols[i].name);
		put(&json, map);
		free(map);
	}
	put(&json, "]}");
	sample_rich_describe(&description, ET_DYN, 62);
	description.metadata = finish(&json);
	description.symbols = symbols;
	description.symbol_count = MANY;
	description.text_size = 1024;
	description.reloc_count = 0;
	cob_elf(&elf, &description);
	codeobj = sample_load(&elf, 900);
	cr_expect_eq(codeobj->kernel_count, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		cr_assert_not_null(mt_codeobj_find_kernel(codeobj, symbols[i].name));
	mt_codeobj_destroy(codeobj);
	for (uint32_t i = 0; i < MANY; i++)
		free((char *)(uintptr_t)symbols[i].name);
	free(symbols);
	cob_free(&json);
	cob_free(&elf);
}

/* 60,000 arguments and immediates of one kernel; one map with 100,000 unknown keys. */
Test(codeobj_scale, many_arguments_and_keys)
{
	struct cob_buf json = {0}, elf = {0};
	struct mt_codeobj *codeobj;

	put(&json, "{\"mtgpu.version\":[1,0],\"mtgpu.kernels\":[{\".name\":\"beta\",");
	put(&json, "\".arch_id\":900,\".shared_reg_count\":65536,\".args\":[");
	for (uint32_t i = 0; i < 60000; i++) {
		char *arg = cob_format("{\".kind\":18,\".argBase\":{\".offset\":%u,\".size\":4,"
				       "\".align\":4,\".reg_bank\":3}}",
				       59999 - i);

		put(&json, arg);
		free(arg);
	}
	put(&json, "]");
	for (uint32_t i = 0; i < MANY; i++) {
		char *key = cob_format(",\"unknown_key_%u\":[%u]", i, i);

		put(&json, key);
		free(key);
	}
	put(&json, "}]}");
	sample_rich_with(&elf, ET_REL, 62, finish(&json));
	codeobj = sample_load(&elf, 900);
	cr_expect_eq(codeobj->kernels[0].param_count, 60000);
	cr_expect_eq(codeobj->kernels[0].packed_size_b, 240000);
	mt_codeobj_destroy(codeobj);
	cob_free(&json);
	cob_free(&elf);
}

/* 65,000 bundle entries with members of one byte. */
Test(codeobj_scale, many_members)
{
	struct cob_member *members = calloc(65000, sizeof(*members));
	struct cob_buf elf = {0}, bundle = {0};
	struct mt_codeobj_reason why;

	cr_assert(members);
	sample_rich(&elf, ET_DYN, 62);
	for (uint32_t i = 0; i < 65000; i++)
		members[i].id = numbered("musa-x--mp_1", i);
	members[64999].contents = &elf;
	cob_bundle(&bundle, members, 65000);
	cr_expect_eq(sample_try(&bundle, 900, &why), MUSA_ERROR_INVALID_IMAGE);
	cr_expect_str_eq(why.text, "architecture differs from the bundle member's");
	for (uint32_t i = 0; i < 65000; i++)
		free((char *)(uintptr_t)members[i].id);
	free(members);
	cob_free(&elf);
	cob_free(&bundle);
}

/* 100,000 symbols whose names are tails of one another would cost 10^10 steps to compare. */
Test(codeobj_scale, names_that_share_their_bytes)
{
	struct cob_symbol *symbols = calloc(MANY, sizeof(*symbols));
	struct cob_buf elf = {0};
	struct cob_elf description;
	Elf64_Shdr *strings, *table;
	Elf64_Sym *entries;

	cr_assert(symbols);
	for (uint32_t i = 0; i < MANY; i++)
		symbols[i] = (struct cob_symbol){
			"aaaaaaaaaaaaaaaaaaa", STB_GLOBAL, STT_FUNC, STV_DEFAULT, COB_TEXT, 0, 16};
	sample_rich_describe(&description, ET_REL, 62);
	description.metadata = COB_DESC("", "1,0");
	description.symbols = symbols;
	description.symbol_count = MANY;
	description.reloc_count = 0;
	cob_elf(&elf, &description);
	table = cob_shdr(&elf, ".symtab");
	strings = cob_shdr(&elf, ".strtab");
	cob_ehdr(&elf)->e_shstrndx = 0;
	memset(elf.data + strings->sh_offset, 'a', strings->sh_size - 1);
	elf.data[strings->sh_offset + strings->sh_size - 1] = 0;
	entries = (Elf64_Sym *)(void *)(elf.data + table->sh_offset);
	for (uint32_t i = 1; i <= MANY; i++)
		entries[i].st_name = i;
	sample_expect_reject(&elf, "shared names", "symbol names share too many bytes");
	free(symbols);
	cob_free(&elf);
}

/* 60,000 section headers over the same relocations. */
Test(codeobj_scale, sections_over_the_same_bytes)
{
	struct cob_buf elf = {0};
	Elf64_Shdr relocs;
	Elf64_Ehdr *header;

	sample_rich(&elf, ET_DYN, 62);
	relocs = *cob_shdr(&elf, ".rela.dyn");
	for (uint32_t i = cob_ehdr(&elf)->e_shnum; i < 60000; i++)
		cob_bytes(&elf, &relocs, sizeof(relocs));
	header = cob_ehdr(&elf);
	header->e_shnum = 60000;
	sample_expect_reject(&elf, "same bytes", "sections overlap in the file");
	cob_free(&elf);
}

/* SPDX-License-Identifier: MIT */
/*
 * What looks odd and is good: every peculiarity of published objects is taken.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codeobj/samples.h"

#define NO_ARGS(more) COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[]" more "}", "1,0")

static void expect_metadata(const char *row, const char *metadata)
{
	struct cob_buf linked = {0}, unlinked = {0};

	sample_rich_with(&linked, ET_DYN, 62, metadata);
	sample_expect_accept(&linked, 900, row);
	sample_rich_with(&unlinked, ET_REL, 62, metadata);
	sample_expect_accept(&unlinked, 900, row);
	cob_free(&linked);
	cob_free(&unlinked);
}

Test(codeobj_accept, metadata)
{
	static const struct {
		const char *row, *metadata;
	} rows[] = {
		{"no kernels", COB_DESC("", "1,0")},
		{"version 2,2", COB_DESC("", "2,2")},
		{"version 3,1", COB_DESC("", "3,1")},
		{"version of wide integers", COB_DESC("", "<cf 0000000000000001>,<d3 00000000000000"
							  "01>")},
		{"keys in another order", "{\"mtgpu.version\":[1,0],\"mtgpu.kernels\":[]}"},
		{"unknown keys, any types",
		 "{\"a\":nil,\"b\":<cb 3ff0000000000000>,\"c\":<c4 01 00>,\"d\":<d4 01 00>,"
		 "\"e\":<ff>,\"f\":[[]],\"\":{},\"mtgpu.version\":[1,0],\"mtgpu.kernels\":[]}"},
		{"no optional keys", NO_ARGS("")},
		{"no registers", NO_ARGS(",\".shared_reg_count\":0")},
		{"empty lists", NO_ARGS(",\".imms\":[],\".imm_info\":{},\".attrs\":{}")},
		{"unknown kernel keys", NO_ARGS(",\".new\":[1,{\"x\":2}],\".newer\":nil")},
		{"map instead of fixmap", "<df 00000002"
					  " ad 6d746770752e6b65726e656c73 90"
					  " ad 6d746770752e76657273696f6e 92 01 00>"},
		{"empty constant-calculation program", NO_ARGS(",\".const_calc_kernel\":\"\"")},
		{"block size 1", NO_ARGS(",\".max_block_size\":1")},
		{"empty block of immediates",
		 NO_ARGS(",\".imm_info\":{\".offset\":0,\".size\":0,\".values\":[]}")},
		{"largest integers", NO_ARGS(",\".barrier_coef\":4294967295")},
		{"signed encodings",
		 NO_ARGS(",\".temp_reg_count\":<d0 05>,\".wave_mode\":<d1 0001>")},
		{"64-bit encoding", NO_ARGS(",\".temp_reg_count\":<cf 0000000000000007>")},
		{"args of bank 2 at one offset",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[" COB_ARG(
				  1, 0, 2, 0, 4, 0, 0,
				  "threadIdx.x") "," COB_ARG(2, 0, 2, 0, 4, 0, 0,
							     "threadIdx.y") "," COB_ARG(3, 0, 2, 0,
											4, 0, 0,
											"threadIdx."
											"z") "]}",
			  "1,0")},
		{"hidden pair at an odd word, alignment 0",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[" COB_ARG(
				  19, 0, 3, 67, 8, 0, 18,
				  "Global Spill Base") "],\".shared_reg_count\":69}",
			  "1,0")},
		{"explicit behind hidden",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[" COB_ARG(
				  18, 0, 3, 0, 4, 4, 6,
				  "") "," COB_ARG(9, 0, 3, 1, 4, 0, 0,
						  "") "," COB_ARG(18, 0, 3, 2, 4, 4, 6,
								  "") "],\".shared_reg_count\":3}",
			  "1,0")},
		{"unsorted immediates", NO_ARGS(",\".shared_reg_count\":9,\".imms\":[" COB_IMM(
						8, 1) "," COB_IMM(2, 2) "," COB_IMM(5, 3) "]")},
		{"unknown hidden kind",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[" COB_ARG(
				  31, 0, 3, 0, 4, 0, 0, "") "],\".shared_reg_count\":1}",
			  "1,0")},
		{"few columns",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[{\".kind\":1,"
			  "\".argBase\":{\".offset\":0,\".size\":4,\".reg_bank\":2}}]}",
			  "1,0")},
		{"unknown columns",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[{\".kind\":1,\"new\":1,"
			  "\".argBase\":{\".offset\":0,\".size\":4,\".reg_bank\":2,\"new\":{}}}]}",
			  "1,0")},
		{"byte-sized parameters",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[" COB_ARG(
				  18, 0, 3, 0, 1, 1, 2,
				  "") "," COB_ARG(18, 0, 3, 1, 2, 2, 4,
						  "") "],\".shared_reg_count\":2}",
			  "1,0")},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_metadata(rows[i].row, rows[i].metadata);
}

static void sized_stack(struct cob_buf *elf)
{
	cob_phdr(elf, PT_GNU_STACK, 0)->p_align = 0;
}
static void relro(struct cob_buf *elf)
{
	cob_phdr(elf, PT_GNU_RELRO, 0)->p_memsz = UINT64_MAX - 5000;
}
static void relro_align(struct cob_buf *elf)
{
	cob_phdr(elf, PT_GNU_RELRO, 0)->p_align = 0;
}
static void unknown_section(struct cob_buf *elf)
{
	cob_shdr(elf, ".comment")->sh_type = 0x7123abcd;
}
static void unknown_segment(struct cob_buf *elf)
{
	cob_phdr(elf, PT_GNU_STACK, 0)->p_type = 0x6123abcd;
}
static void no_names(struct cob_buf *elf)
{
	cob_ehdr(elf)->e_shstrndx = 0;
}
static void flags(struct cob_buf *elf)
{
	cob_ehdr(elf)->e_flags = 5;
}
static void abi(struct cob_buf *elf)
{
	elf->data[EI_OSABI] = 3;
}
static void no_code_in_section(struct cob_buf *elf)
{
	cob_shdr(elf, ".bss")->sh_addralign = 0;
}
static void note_segment_only(struct cob_buf *elf)
{
	cob_shdr(elf, ".note")->sh_type = SHT_PROGBITS;
}
static void empty_load(struct cob_buf *elf)
{
	Elf64_Phdr *stack = cob_phdr(elf, PT_GNU_STACK, 0);

	stack->p_type = PT_LOAD;
	stack->p_vaddr = 0; /* inside another, but of no size */
}
static void weak_undefined(struct cob_buf *elf)
{
	Elf64_Sym *symbol = cob_sym(elf, ".dynsym", "not_a_kernel");

	symbol->st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
	symbol->st_shndx = SHN_UNDEF;
	symbol = cob_sym(elf, ".symtab", "not_a_kernel");
	symbol->st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
	symbol->st_shndx = SHN_UNDEF;
}
static void weak_kernel(struct cob_buf *elf)
{
	cob_sym(elf, ".dynsym", "beta")->st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
}
static void absolute_object(struct cob_buf *elf)
{
	cob_sym(elf, ".dynsym", "counter")->st_shndx = SHN_ABS;
	cob_sym(elf, ".dynsym", "counter")->st_value = 5;
}
static void bad_plain_function(struct cob_buf *elf)
{
	/* Only kernels have to lie in the code. */
	cob_sym(elf, ".dynsym", "not_a_kernel")->st_size = 1u << 20;
}

Test(codeobj_accept, elf)
{
	static const struct {
		const char *row;
		void (*change)(struct cob_buf *elf);
	} rows[] = {
		{"GNU_STACK of size 0", sized_stack},
		{"GNU_RELRO past its LOAD", relro},
		{"GNU_RELRO alignment 0", relro_align},
		{"unknown section type", unknown_section},
		{"unknown segment type", unknown_segment},
		{"no section names", no_names},
		{"flags", flags},
		{"OS/ABI", abi},
		{"alignment 0", no_code_in_section},
		{"note by segment only", note_segment_only},
		{"empty LOAD", empty_load},
		{"undefined weak function", weak_undefined},
		{"weak kernel", weak_kernel},
		{"absolute object", absolute_object},
		{"global function outside the code", bad_plain_function},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cob_buf elf = {0};

		sample_rich(&elf, ET_DYN, 62);
		rows[i].change(&elf);
		sample_expect_accept(&elf, 900, rows[i].row);
		cob_free(&elf);
	}
}

/* Forms of the note, of the load address and of the symbol tables. */
Test(codeobj_accept, forms)
{
	static const uint64_t bases[] = {0, 0x1000, 0x10000000, UINT64_C(0x7ffff0000000)};

	for (int i = 0; i < 8; i++) {
		struct cob_elf description;
		struct cob_buf elf = {0};

		sample_rich_describe(&description, i & 1 ? ET_DYN : ET_REL, 62);
		description.short_owner = i & 2;
		description.other_note = i & 4;
		cob_elf(&elf, &description);
		sample_expect_accept(&elf, 900, "note");
		cob_free(&elf);
	}
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		struct cob_elf description;
		struct cob_buf elf = {0};

		sample_rich_describe(&description, ET_DYN, 62);
		description.base = bases[i];
		cob_elf(&elf, &description);
		sample_expect_accept(&elf, 900, "base");
		cob_free(&elf);
	}
}

/* Without .symtab a linked object has no `.sm` symbol, and loads. */
Test(codeobj_accept, stripped)
{
	struct cob_elf description;
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;

	sample_rich_describe(&description, ET_DYN, 62);
	description.no_symtab = true;
	description.reloc_count--; /* the one for debug data names a symbol of .symtab */
	cob_elf(&elf, &description);
	codeobj = sample_load(&elf, 900);
	cr_expect_eq(mt_codeobj_find_kernel(codeobj, "alpha")->shared_size_b, 124);
	cr_expect_eq(mt_codeobj_find_kernel(codeobj, "alpha")->shared_symbol_b, 0);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* A silicon object without kernels tells no architecture: it fits silicon, not the mock. */
Test(codeobj_accept, bare_silicon_without_kernels)
{
	struct mt_codeobj_reason why;
	struct cob_buf elf = {0};

	sample_rich_with(&elf, ET_DYN, 253, COB_DESC("", "1,0"));
	sample_expect_accept(&elf, 310, "no kernels");
	cr_expect_eq(sample_try(&elf, 900, &why), MUSA_ERROR_NO_BINARY_FOR_GPU);
	cob_free(&elf);
}

/* The hand-written spelling of the shared-memory symbol, also where it is a common symbol. */
Test(codeobj_accept, other_shared_symbols)
{
	const struct cob_symbol symbols[] = {
		{"beta", STB_GLOBAL, STT_FUNC, STV_PROTECTED, COB_TEXT, 0, 16},
		{"llvm.mtgpu.kernel.beta.sm", STB_GLOBAL, STT_OBJECT, STV_DEFAULT, COB_COMMON, 4,
		 48},
	};
	struct cob_elf description;
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;

	sample_rich_describe(&description, ET_REL, 62);
	description.reloc_count = 0;
	description.symbols = symbols;
	description.symbol_count = 2;
	description.metadata = NO_ARGS(",\".shared_memory_size\":60");
	cob_elf(&elf, &description);
	codeobj = sample_load(&elf, 900);
	cr_expect_eq(codeobj->kernels[0].shared_symbol_b, 48);
	cr_expect_eq(codeobj->kernels[0].shared_reserved_b, 12);
	cr_expect_eq(codeobj->variable_count, 0);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* Objects at any address: nothing may depend on the image's alignment. */
Test(codeobj_accept, unaligned_image)
{
	struct cob_buf elf = {0};
	uint8_t *room;

	sample_rich(&elf, ET_DYN, 62);
	room = malloc(elf.size + 8);
	cr_assert(room);
	for (size_t shift = 0; shift < 8; shift++) {
		struct cob_buf shifted = {.data = room + shift, .size = elf.size};

		memcpy(shifted.data, elf.data, elf.size);
		sample_expect_accept(&shifted, 900, "unaligned");
	}
	free(room);
	cob_free(&elf);
}

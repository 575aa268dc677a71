/* SPDX-License-Identifier: MIT */
/*
 * Malformed notes, MessagePack and kernel maps: each is refused for its own reason.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codeobj/samples.h"

static void expect_metadata(const char *row, const char *metadata, const char *text)
{
	struct cob_buf linked = {0}, unlinked = {0};

	sample_rich_with(&linked, ET_DYN, 62, metadata);
	sample_expect_reject(&linked, row, text);
	sample_rich_with(&unlinked, ET_REL, 62, metadata);
	sample_expect_reject(&unlinked, row, text);
	cob_free(&linked);
	cob_free(&unlinked);
}

static void set_u32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void no_owner(struct cob_buf *elf)
{
	cob_note(elf)[12] = 'X';
}
static void other_type(struct cob_buf *elf)
{
	set_u32(cob_note(elf) + 8, 32);
}
static void owner_longer(struct cob_buf *elf)
{
	set_u32(cob_note(elf), 7);
}
static void name_end(struct cob_buf *elf)
{
	set_u32(cob_note(elf), UINT32_MAX);
}
static void name_wraps(struct cob_buf *elf)
{
	set_u32(cob_note(elf), UINT32_MAX - 2);
}
static void desc_end(struct cob_buf *elf)
{
	set_u32(cob_note(elf) + 4, UINT32_MAX);
}
static void header_cut(struct cob_buf *elf)
{
	cob_shdr(elf, ".note")->sh_size = 11;
}
static void one_byte(struct cob_buf *elf)
{
	cob_shdr(elf, ".note")->sh_size = 1;
}
static void name_cut(struct cob_buf *elf)
{
	cob_shdr(elf, ".note")->sh_size = 17;
}
static void desc_cut(struct cob_buf *elf)
{
	cob_shdr(elf, ".note")->sh_size = 60;
}
static void desc_empty(struct cob_buf *elf)
{
	cob_shdr(elf, ".note")->sh_size = 20;
	set_u32(cob_note(elf) + 4, 0);
}
static void no_note(struct cob_buf *elf)
{
	cob_shdr(elf, ".note")->sh_type = SHT_PROGBITS;
	if (cob_ehdr(elf)->e_type == ET_DYN)
		cob_phdr(elf, PT_NOTE, 0)->p_type = PT_NULL;
}
static void empty_note(struct cob_buf *elf)
{
	cob_shdr(elf, ".note")->sh_size = 0;
}

Test(codeobj_reject_metadata, notes)
{
	static const struct {
		const char *row;
		void (*damage)(struct cob_buf *elf);
		const char *text;
	} rows[] = {
		{"no note section", no_note, "no metadata note"},
		{"empty note section", empty_note, "no metadata note"},
		{"other owner", no_owner, "no metadata note"},
		{"other type", other_type, "no metadata note"},
		{"longer owner", owner_longer, "no metadata note"},
		{"name past the end", name_end, "note name is cut off"},
		{"name past the end", name_wraps, "note name is cut off"},
		{"descriptor past the end", desc_end, "note descriptor is cut off"},
		{"11 bytes", header_cut, "note header is cut off"},
		{"1 byte", one_byte, "note header is cut off"},
		{"name cut", name_cut, "note name is cut off"},
		{"descriptor cut", desc_cut, "note descriptor is cut off"},
		{"descriptor empty", desc_empty, "metadata is cut off"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (uint16_t type = ET_REL; type <= ET_DYN; type += ET_DYN - ET_REL) {
			struct cob_buf elf = {0};

			sample_rich(&elf, type, 62);
			rows[i].damage(&elf);
			sample_expect_reject(&elf, rows[i].row, rows[i].text);
			cob_free(&elf);
		}
	}
}

/* Two metadata notes contradict each other. */
Test(codeobj_reject_metadata, second_note)
{
	struct cob_elf description;
	struct cob_buf elf = {0};

	sample_rich_describe(&description, ET_DYN, 62);
	description.second_note = true;
	cob_elf(&elf, &description);
	sample_expect_reject(&elf, "two notes", "second metadata note");
	cob_free(&elf);
}

#define DEEP_8 "[[[[[[[0]]]]]]]"
#define DEEP_9 "[[[[[[[[0]]]]]]]]"

/* The structure of the bytes, before anything is decoded. */
Test(codeobj_reject_metadata, messagepack)
{
	static const struct {
		const char *row, *metadata, *text;
	} rows[] = {
		{"trailing byte", COB_DESC("", "1,0") " <c0>", "metadata has bytes behind it"},
		{"trailing value", COB_DESC("", "1,0") " <80>", "metadata has bytes behind it"},
		{"cut map", "<82 ad>", "metadata has more elements than bytes"},
		{"cut string", "<81 ad 6d>", "metadata is cut off"},
		{"cut length", "<81 a1 78 d9>", "metadata is cut off"},
		{"cut integer", "<81 a1 78 cd 01>", "metadata is cut off"},
		{"missing value", "<81 a1 78>", "metadata is cut off"},
		{"invalid type byte", "{\"x\":<c1>}", "metadata has an invalid type byte"},
		{"map32 of 2^32-1", "<df ff ff ff ff 00 00>",
		 "metadata has more elements than bytes"},
		{"array32 of 2^32-1", "{\"x\":<dd ff ff ff ff>}",
		 "metadata has more elements than bytes"},
		{"array16 of 2^16-1", "{\"x\":<dc ff ff>}",
		 "metadata has more elements than bytes"},
		{"map16 in an array", "{\"x\":[1,<de 80 00>]}",
		 "metadata has more elements than bytes"},
		{"str32", "{\"x\":<db ff ff ff ff>}", "metadata is cut off"},
		{"bin32", "{\"x\":<c6 ff ff ff ff>}", "metadata is cut off"},
		{"ext32", "{\"x\":<c9 ff ff ff ff>}", "metadata is cut off"},
		{"fixext16", "{\"x\":<d8 00 01>}", "metadata is cut off"},
		{"depth 9", "{\"x\":" DEEP_9 "}", "metadata is nested too deeply"},
		{"depth 9, empty map", "{\"x\":[[[[[[[{}]]]]]]]}", "metadata is nested too deeply"},
		{"integer key", "{5:1}", "metadata key is not a string"},
		{"nil key", "{nil:1}", "metadata key is not a string"},
		{"binary key", "{<c4 01 61>:1}", "metadata key is not a string"},
		{"map key", "{{}:1}", "metadata key is not a string"},
		{"key inside unknown", "{\"x\":{\"y\":{1:2}}}", "metadata key is not a string"},
		{"top is no map", "[1]", "metadata is no map"},
		{"top is a string", "\"mtgpu.kernels\"", "metadata is no map"},
		{"key twice", "{\"mtgpu.kernels\":[],\"mtgpu.version\":[1,0],\"mtgpu.kernels\":[]}",
		 "metadata has a key twice"},
		{"unknown key twice",
		 "{\"mtgpu.kernels\":[],\"mtgpu.version\":[1,0],\"a\":1,\"a\":2}",
		 "metadata has a key twice"},
		{"key twice, other width",
		 "{\"mtgpu.kernels\":[],\"mtgpu.version\":[1,0],\"a\":1,<d9 01 61>:2}",
		 "metadata has a key twice"},
		{"key twice inside unknown",
		 "{\"mtgpu.kernels\":[],\"mtgpu.version\":[1,0],\"x\":[{\"a\":1,\"a\":1}]}",
		 "metadata has a key twice"},
		{"no kernels", "{\"mtgpu.version\":[1,0]}", "a required key is missing"},
		{"no version", "{\"mtgpu.kernels\":[]}", "a required key is missing"},
		{"kernels no array", "{\"mtgpu.kernels\":{},\"mtgpu.version\":[1,0]}",
		 "value of a known key has the wrong type"},
		{"version no array", "{\"mtgpu.kernels\":[],\"mtgpu.version\":1}",
		 "value of a known key has the wrong type"},
		{"version of one", COB_DESC("", "1"), "metadata version is not two integers"},
		{"version of three", COB_DESC("", "1,0,0"), "metadata version is not two integers"},
		{"version of strings", COB_DESC("", "\"1\",0"),
		 "metadata version is not two integers"},
		{"version negative", COB_DESC("", "<ff>,0"),
		 "metadata version is not two integers"},
		{"version 0", COB_DESC("", "0,9"), "metadata version is not known"},
		{"version 4", COB_DESC("", "4,0"), "metadata version is not known"},
		{"version 2^32+1", COB_DESC("", "4294967297,0"), "metadata version is not known"},
		{"kernel no map", COB_DESC("[]", "1,0"), "kernel is no map"},
		{"kernel nil", COB_DESC("nil", "1,0"), "kernel is no map"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_metadata(rows[i].row, rows[i].metadata, rows[i].text);
}

/* One kernel "alpha" with `args`, `more` keys and the architecture 900. */
#define ALPHA(args, more)                                                                          \
	COB_DESC("{\".name\":\"alpha\",\".arch_id\":900,\".shared_memory_size\":100,"              \
		 "\".args\":[" args "]" more "}",                                                  \
		 "1,0")
#define REGS(count)   ",\".shared_reg_count\":" #count
#define POINTER(word) COB_ARG(18, 0, 3, word, 8, 8, 14, "")

#define WRONG_TYPE "value of a known key has the wrong type"
#define MISSING    "a required key is missing"
#define OUTSIDE    "argument or immediate is outside the uniform registers"
#define SHARED     "two arguments or immediates share a uniform register"

struct metadata_row {
	const char *row, *metadata, *text;
};

static void run_metadata(const struct metadata_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_metadata(rows[i].row, rows[i].metadata, rows[i].text);
}

#define RUN(rows) run_metadata(rows, sizeof(rows) / sizeof((rows)[0]))

Test(codeobj_reject_metadata, kernel_maps)
{
	static const struct metadata_row rows[] = {
		{"no name", COB_DESC("{\".arch_id\":900,\".args\":[]}", "1,0"), MISSING},
		{"no arch", COB_DESC("{\".name\":\"alpha\",\".args\":[]}", "1,0"), MISSING},
		{"no args", COB_DESC("{\".name\":\"alpha\",\".arch_id\":900}", "1,0"), MISSING},
		{"name empty", COB_DESC("{\".name\":\"\",\".arch_id\":900,\".args\":[]}", "1,0"),
		 "kernel name is empty"},
		{"name with NUL",
		 COB_DESC("{\".name\":\"alpha\\0x\",\".arch_id\":900,\".args\":[]}", "1,0"),
		 "kernel name has a NUL"},
		{"name no string", COB_DESC("{\".name\":5,\".arch_id\":900,\".args\":[]}", "1,0"),
		 WRONG_TYPE},
		{"name binary",
		 COB_DESC("{\".name\":<c4 01 61>,\".arch_id\":900,\".args\":[]}", "1,0"),
		 WRONG_TYPE},
		{"name without symbol",
		 COB_DESC("{\".name\":\"alphabet\",\".arch_id\":900,\".args\":[]}", "1,0"),
		 "no function symbol for the kernel"},
		{"name of a variable",
		 COB_DESC("{\".name\":\"counter\",\".arch_id\":900,\".args\":[]}", "1,0"),
		 "no function symbol for the kernel"},
		{"name of a helper",
		 COB_DESC("{\".name\":\"helper\",\".arch_id\":900,\".args\":[]}", "1,0"),
		 "no function symbol for the kernel"},
		{"name twice",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[]},"
			  "{\".name\":\"not_a_kernel\",\".arch_id\":900,\".args\":[]},"
			  "{\".name\":\"beta\",\".arch_id\":900,\".args\":[]}",
			  "1,0"),
		 "two kernels have one name"},
		{"arch of silicon",
		 COB_DESC("{\".name\":\"alpha\",\".arch_id\":310,\".args\":[]}", "1,0"),
		 "architecture does not belong to the ELF's machine"},
		{"arch differs",
		 COB_DESC("{\".name\":\"beta\",\".arch_id\":900,\".args\":[]},"
			  "{\".name\":\"not_a_kernel\",\".arch_id\":310,\".args\":[]}",
			  "1,0"),
		 "architecture does not belong to the ELF's machine"},
		{"args no array",
		 COB_DESC("{\".name\":\"a\",\".arch_id\":900,\".args\":{}}", "1,0"), WRONG_TYPE},
		{"arch string",
		 COB_DESC("{\".name\":\"a\",\".arch_id\":\"900\",\".args\":[]}", "1,0"),
		 WRONG_TYPE},
		{"arch negative",
		 COB_DESC("{\".name\":\"a\",\".arch_id\":<ff>,\".args\":[]}", "1,0"), WRONG_TYPE},
		{"arch 2^32",
		 COB_DESC("{\".name\":\"a\",\".arch_id\":4294967296,\".args\":[]}", "1,0"),
		 WRONG_TYPE},
		{"bool integer", ALPHA("", ",\".has_barrier\":1"), WRONG_TYPE},
		{"integer bool", ALPHA("", ",\".temp_reg_count\":true"), WRONG_TYPE},
		{"integer nil", ALPHA("", ",\".max_block_size\":nil"), WRONG_TYPE},
		{"integer float", ALPHA("", ",\".wave_mode\":<ca 3f 80 00 00>"), WRONG_TYPE},
		{"unused integer", ALPHA("", ",\".coef_reg_count\":\"\""), WRONG_TYPE},
		{"attrs array", ALPHA("", ",\".attrs\":[]"), WRONG_TYPE},
		{"calc integer", ALPHA("", ",\".const_calc_kernel\":0"), WRONG_TYPE},
		{"calc unknown", ALPHA("", ",\".const_calc_kernel\":\"nothing\""),
		 "no symbol for the constant-calculation program"},
		{"calc NUL", ALPHA("", ",\".const_calc_kernel\":\"alpha_ConstCalcProg\\0\""),
		 "name of the constant-calculation program has a NUL"},
		{"2^20 registers", ALPHA("", REGS(1048576)),
		 "kernel has too many uniform registers"},
		{"shared memory",
		 COB_DESC("{\".name\":\"alpha\",\".arch_id\":900,\".args\":[],"
			  "\".shared_memory_size\":99}",
			  "1,0"),
		 "shared memory is smaller than the kernel's symbol for it"},
		{"no shared memory",
		 COB_DESC("{\".name\":\"alpha\",\".arch_id\":900,\".args\":[]}", "1,0"),
		 "shared memory is smaller than the kernel's symbol for it"},
	};

	RUN(rows);
}

/* An entry with one column changed by hand. */
#define ENTRY(base, rest) "{\".argBase\":{" base "}" rest "}"
#define BASE              "\".offset\":0,\".size\":8,\".reg_bank\":3,\".align\":8,\".type\":14"

Test(codeobj_reject_metadata, arguments)
{
	static const struct metadata_row rows[] = {
		{"no map", ALPHA("5", REGS(4)), "argument is no map"},
		{"no base", ALPHA("{\".kind\":18}", REGS(4)), MISSING},
		{"no kind", ALPHA(ENTRY(BASE, ""), REGS(4)), MISSING},
		{"base no map", ALPHA("{\".argBase\":[],\".kind\":18}", REGS(4)), WRONG_TYPE},
		{"no offset", ALPHA(ENTRY("\".size\":8,\".reg_bank\":3", ",\".kind\":18"), REGS(4)),
		 MISSING},
		{"no size", ALPHA(ENTRY("\".offset\":8,\".reg_bank\":3", ",\".kind\":18"), REGS(4)),
		 MISSING},
		{"no bank", ALPHA(ENTRY("\".offset\":8,\".size\":8", ",\".kind\":18"), REGS(4)),
		 MISSING},
		{"volatile integer",
		 ALPHA(ENTRY(BASE ",\".isVolatile\":0", ",\".kind\":18"), REGS(4)), WRONG_TYPE},
		{"name integer", ALPHA(ENTRY(BASE ",\".name\":0", ",\".kind\":18"), REGS(4)),
		 WRONG_TYPE},
		{"mode string", ALPHA(ENTRY(BASE, ",\".kind\":18,\".input_mode\":\"\""), REGS(4)),
		 WRONG_TYPE},
		{"key twice", ALPHA(ENTRY(BASE ",\".size\":8", ",\".kind\":18"), REGS(4)),
		 "metadata has a key twice"},
		{"size 0", ALPHA(COB_ARG(18, 0, 3, 0, 0, 8, 14, ""), REGS(4)),
		 "parameter has size 0"},
		{"size 65537", ALPHA(COB_ARG(18, 0, 3, 0, 65537, 1, 24, ""), REGS(20000)),
		 "parameter is too large"},
		{"size 2^32-1", ALPHA(COB_ARG(18, 0, 3, 0, 4294967295, 1, 24, ""), REGS(4)),
		 "parameter is too large"},
		{"align 0", ALPHA(COB_ARG(18, 0, 3, 0, 8, 0, 14, ""), REGS(4)),
		 "parameter's alignment is no power of two"},
		{"align 12", ALPHA(COB_ARG(18, 0, 3, 0, 8, 12, 14, ""), REGS(4)),
		 "parameter's alignment is no power of two"},
		{"align 8192", ALPHA(COB_ARG(18, 0, 3, 0, 8, 8192, 14, ""), REGS(4)),
		 "parameter's alignment is too large"},
		{"bank 2", ALPHA(COB_ARG(18, 0, 2, 0, 8, 8, 14, ""), REGS(4)),
		 "parameter is not in the uniform registers"},
		{"bank 5", ALPHA(COB_ARG(18, 0, 5, 0, 8, 8, 14, ""), REGS(4)),
		 "parameter is not in the uniform registers"},
		{"past the end", ALPHA(POINTER(4), REGS(5)), OUTSIDE},
		{"past the end by far", ALPHA(POINTER(4294967294), REGS(5)), OUTSIDE},
		{"no registers", ALPHA(POINTER(0), ""), OUTSIDE},
		{"unused past the end", ALPHA(COB_ARG(18, 2, 3, 4, 8, 8, 14, ""), REGS(5)),
		 OUTSIDE},
		{"hidden past the end", ALPHA(COB_ARG(19, 0, 3, 4, 8, 0, 18, ""), REGS(5)),
		 OUTSIDE},
		{"hidden of 2^32-1", ALPHA(COB_ARG(19, 0, 3, 4, 4294967295, 0, 18, ""), REGS(5)),
		 OUTSIDE},
		{"indirect past the end", ALPHA(COB_ARG(18, 0, 3, 4, 64, 64, 12, ""), REGS(5)),
		 OUTSIDE},
		{"unknown type past the end", ALPHA(COB_ARG(18, 0, 3, 0, 40, 8, 99, ""), REGS(5)),
		 OUTSIDE},
		{"same word", ALPHA(POINTER(0) "," POINTER(0), REGS(4)), SHARED},
		{"explicit and hidden",
		 ALPHA(POINTER(0) "," COB_ARG(9, 0, 3, 1, 4, 0, 0, ""), REGS(4)), SHARED},
		{"two hidden",
		 ALPHA(COB_ARG(19, 0, 3, 1, 8, 0, 18, "") "," COB_ARG(23, 0, 3, 2, 4, 0, 7, ""),
		       REGS(4)),
		 SHARED},
		{"output", ALPHA(POINTER(2) "," COB_ARG(25, 2, 3, 3, 4, 0, 0, ""), REGS(4)),
		 SHARED},
		{"indirect takes two",
		 ALPHA(COB_ARG(18, 0, 3, 0, 64, 64, 12, "") "," COB_ARG(9, 0, 3, 1, 4, 0, 0, ""),
		       REGS(4)),
		 SHARED},
		{"vector takes four",
		 ALPHA(COB_ARG(18, 0, 3, 0, 16, 16, 24, "") "," POINTER(2), REGS(8)), SHARED},
		{"unknown type, one word of room",
		 ALPHA(COB_ARG(18, 0, 3, 0, 40, 8, 99, "") "," COB_ARG(9, 0, 3, 1, 4, 0, 0, ""),
		       REGS(16)),
		 SHARED},
		{"pointer misaligned", ALPHA(POINTER(1), REGS(4)),
		 "parameter's register is not aligned"},
		{"vector misaligned", ALPHA(COB_ARG(18, 0, 3, 2, 16, 16, 24, ""), REGS(8)),
		 "parameter's register is not aligned"},
		{"pair misaligned", ALPHA(COB_ARG(18, 0, 3, 3, 64, 64, 12, ""), REGS(8)),
		 "parameter's register is not aligned"},
	};

	RUN(rows);
}

#define INFO(more) ",\".imm_info\":{" more "}"

Test(codeobj_reject_metadata, immediates)
{
	static const struct metadata_row rows[] = {
		{"no array", ALPHA("", REGS(4) ",\".imms\":{}"), WRONG_TYPE},
		{"no map", ALPHA("", REGS(4) ",\".imms\":[5]"), "immediate is no map"},
		{"no base", ALPHA("", REGS(4) ",\".imms\":[{}]"), MISSING},
		{"no value", ALPHA("", REGS(4) ",\".imms\":[{\".immBase\":{\".offset\":1}}]"),
		 MISSING},
		{"value of 33 bits", ALPHA("", REGS(4) ",\".imms\":[" COB_IMM(1, 4294967296) "]"),
		 WRONG_TYPE},
		{"outside", ALPHA("", REGS(4) ",\".imms\":[" COB_IMM(4, 1) "]"), OUTSIDE},
		{"far outside", ALPHA("", REGS(4) ",\".imms\":[" COB_IMM(4294967295, 1) "]"),
		 OUTSIDE},
		{"twice", ALPHA("", REGS(4) ",\".imms\":[" COB_IMM(1, 1) "," COB_IMM(1, 1) "]"),
		 SHARED},
		{"on a parameter", ALPHA(POINTER(0), REGS(4) ",\".imms\":[" COB_IMM(1, 1) "]"),
		 SHARED},
		{"more than registers",
		 ALPHA("", REGS(1) ",\".imms\":[" COB_IMM(0, 1) "," COB_IMM(0, 1) "]"),
		 "kernel has more immediates than uniform registers"},
		{"block no map", ALPHA("", REGS(4) ",\".imm_info\":[]"), WRONG_TYPE},
		{"block without values", ALPHA("", REGS(4) INFO("\".offset\":0,\".size\":0")),
		 MISSING},
		{"block size",
		 ALPHA("", REGS(4) INFO("\".offset\":0,\".size\":12,\".values\":[1,2]")),
		 "size of the immediates is not four times their number"},
		{"block size in words",
		 ALPHA("", REGS(4) INFO("\".offset\":0,\".size\":2,\".values\":[1,2]")),
		 "size of the immediates is not four times their number"},
		{"block value",
		 ALPHA("", REGS(4) INFO("\".offset\":0,\".size\":4,\".values\":[\"1\"]")),
		 "immediate is not a word"},
		{"block value of 33 bits",
		 ALPHA("", REGS(4) INFO("\".offset\":0,\".size\":4,\".values\":[4294967296]")),
		 "immediate is not a word"},
		{"block outside",
		 ALPHA("", REGS(4) INFO("\".offset\":3,\".size\":8,\".values\":[1,2]")), OUTSIDE},
		{"block wraps",
		 ALPHA("", REGS(4) INFO("\".offset\":4294967295,\".size\":8,\".values\":[1,2]")),
		 "immediate is outside the uniform registers"},
		{"block on a parameter",
		 ALPHA(POINTER(2), REGS(4) INFO("\".offset\":1,\".size\":8,\".values\":[1,2]")),
		 SHARED},
		{"both forms overlap",
		 ALPHA("", REGS(4) ",\".imms\":[" COB_IMM(2, 1) "]" INFO(
				   "\".offset\":1,\".size\":8,\".values\":[1,2]")),
		 SHARED},
	};

	RUN(rows);
}

/* A member's architecture is that of its id, its machine's, and the same in all its kernels. */
Test(codeobj_reject_metadata, architecture_against_the_bundle)
{
	static const struct {
		const char *row, *id, *text;
		uint32_t arch_id;
		uint16_t machine;
	} rows[] = {
		{"mp_22 code as mp_31", COB_ID_31, "architecture differs from the bundle member's",
		 220, 253},
		{"mp_31 code as mock", COB_ID_MOCK, "architecture differs from the bundle member's",
		 310, 253},
		{"mock code as mp_31", COB_ID_31, "architecture differs from the bundle member's",
		 900, 62},
		{"900 on the vendor's machine", COB_ID_MOCK,
		 "architecture does not belong to the ELF's machine", 900, 253},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cob_buf elf = {0}, bundle = {0};

		sample_elf(&elf, &sample_float_31, ET_DYN, rows[i].arch_id);
		cob_ehdr(&elf)->e_machine = rows[i].machine;
		cob_bundle(&bundle, (const struct cob_member[]){{rows[i].id, &elf}}, 1);
		sample_expect_reject(&bundle, rows[i].row, rows[i].text);
		cob_free(&elf);
		cob_free(&bundle);
	}
}

/* Two silicon architectures in one object. */
Test(codeobj_reject_metadata, architecture_differs_between_kernels)
{
	struct cob_buf elf = {0};

	sample_rich_with(&elf, ET_DYN, 253,
			 COB_DESC("{\".name\":\"beta\",\".arch_id\":310,\".args\":[]},"
				  "{\".name\":\"not_a_kernel\",\".arch_id\":220,\".args\":[]}",
				  "1,0"));
	sample_expect_reject(&elf, "220 and 310", "architecture differs between kernels");
	cob_free(&elf);
}

/* A refusal names what it is about and where. */
Test(codeobj_reject_metadata, reason_names_kernel_and_argument)
{
	struct mt_codeobj_reason why = {0};
	struct cob_buf elf = {0};

	sample_rich_with(&elf, ET_DYN, 62,
			 ALPHA(POINTER(0) "," COB_ARG(18, 0, 3, 2, 8, 3, 14, ""), REGS(4)));
	cr_assert_eq(sample_try(&elf, 900, &why), MUSA_ERROR_INVALID_IMAGE);
	cr_expect_str_eq(why.subject, "alpha");
	cr_expect_str_eq(why.unit, "argument");
	cr_expect_eq(why.position, 1);
	cob_free(&elf);
}

/* A depth of 8 is still taken. */
Test(codeobj_reject_metadata, depth_8_is_accepted)
{
	struct cob_buf elf = {0};

	sample_rich_with(&elf, ET_DYN, 62,
			 "{\"mtgpu.kernels\":[],\"mtgpu.version\":[1,0],\"x\":" DEEP_8 "}");
	sample_expect_accept(&elf, 900, "depth 8");
	cob_free(&elf);
}

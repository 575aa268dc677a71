/* SPDX-License-Identifier: MIT */
/* Hand-written kernels in hand-built code objects. */
#include "image.h"

#include <stdlib.h>

#define KERNEL(name, args)                                                                         \
	"{\".name\":\"" name "\",\".arch_id\":900,\".mt_abi\":2,\".args\":[" args                  \
	"],\".shared_reg_count\":4,\".temp_reg_count\":8,\".wave_mode\":1}"
#define PTR(word)  COB_ARG(18, 0, 3, word, 8, 8, 14, "")
#define WORD(word) COB_ARG(18, 0, 3, word, 4, 4, 6, "")

static const char metadata[] = COB_DESC(
	KERNEL("add", PTR(0)) "," KERNEL("append", PTR(0) "," WORD(2)) "," KERNEL(
		"copy64",
		PTR(0) "," PTR(2)) "," KERNEL("empty",
					      "") "," KERNEL("spin", PTR(0)) "," KERNEL("trap", ""),
	"1,0");

/* The block entry gets the block in rdi; its kernarg pointer lies at offset 0x48. */
static const uint8_t code[6][64] = {
	/* add: mov rax,[rdi+48h]; mov rcx,[rax]; lock inc qword [rcx]; ret */
	{0x48, 0x8b, 0x47, 0x48, 0x48, 0x8b, 0x08, 0xf0, 0x48, 0xff, 0x01, 0xc3},
	/* append: ...; mov edx,[rax+8]; mov esi,1; lock xadd [rcx],rsi; mov [rcx+rsi*4+8],edx */
	{0x48, 0x8b, 0x47, 0x48, 0x48, 0x8b, 0x08, 0x8b, 0x50, 0x08, 0xbe, 0x01, 0,
	 0,    0,    0xf0, 0x48, 0x0f, 0xc1, 0x31, 0x89, 0x54, 0xb1, 0x08, 0xc3},
	/* copy64: ...; mov rdx,[rax+8]; mov rdx,[rdx]; mov [rcx],rdx; ret */
	{0x48, 0x8b, 0x47, 0x48, 0x48, 0x8b, 0x08, 0x48, 0x8b, 0x50, 0x08, 0x48, 0x8b, 0x12, 0x48,
	 0x89, 0x11, 0xc3},
	/* empty: ret */
	{0xc3},
	/* spin: ...; again: pause; cmp dword [rcx],0; je again; ret */
	{0x48, 0x8b, 0x47, 0x48, 0x48, 0x8b, 0x08, 0xf3, 0x90, 0x83, 0x39, 0x00, 0x74, 0xf9, 0xc3},
	/* trap: ud2 */
	{0x0f, 0x0b},
};

#define FUNCTION(name, at)                                                                         \
	{                                                                                          \
		name, STB_GLOBAL, STT_FUNC, STV_PROTECTED, COB_TEXT, at, 32                        \
	}
static const struct cob_symbol symbols[] = {
	FUNCTION("add", 0),
	FUNCTION("append", 64),
	FUNCTION("copy64", 128),
	FUNCTION("empty", 192),
	FUNCTION("spin", 256),
	FUNCTION("trap", 320),
	{"cell", STB_GLOBAL, STT_OBJECT, STV_DEFAULT, COB_DATA, 0, 8},
	{"space", STB_GLOBAL, STT_OBJECT, STV_DEFAULT, COB_BSS, 0, 64},
};

static const uint64_t data[] = {5};

static void build(struct cob_buf *image, uint16_t machine, const char *text, const char *id)
{
	const struct cob_elf elf = {
		.type = ET_DYN,
		.machine = machine,
		.metadata = text,
		.text = code,
		.text_size = sizeof(code),
		.data = data,
		.data_size = sizeof(data),
		.bss_size = 64,
		.symbols = symbols,
		.symbol_count = sizeof(symbols) / sizeof(symbols[0]),
	};
	struct cob_buf member = {0};

	cob_elf(&member, &elf);
	cob_bundle(image, (const struct cob_member[]){{COB_ID_HOST, NULL}, {id, &member}}, 2);
	cob_free(&member);
}

void device_image(struct cob_buf *image)
{
	build(image, 62, metadata, COB_ID_MOCK);
}

void device_image_foreign(struct cob_buf *image)
{
	static const char kernel[] = "{\".name\":\"empty\",\".arch_id\":310,\".args\":[],"
				     "\".shared_reg_count\":0,\".wave_mode\":1}";
	char *text = cob_format("{\"mtgpu.kernels\":[%s],\"mtgpu.version\":[1,0]}", kernel);

	build(image, 253, text, COB_ID_31);
	free(text);
}

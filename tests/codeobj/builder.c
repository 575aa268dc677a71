/* SPDX-License-Identifier: MIT */
/*
 * Bundles, and whole objects for the mock GPU, on top of the builder's ELF writer.
 */
#include <stdlib.h>
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tests/codeobj/builder.h"

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";

const uint8_t cob_code_return[1] = {0xc3};

void cob_code_store(uint8_t code[COB_CODE_STORE_B])
{
	const uint8_t kernarg = (uint8_t)offsetof(struct mt_dev_block, kernarg);
	const uint8_t to = COB_MOCK_FIRST_WORD * 4, value = to + 8;
	const uint8_t bytes[COB_CODE_STORE_B] = {
		0x48, 0x8b, 0x47,  kernarg, /* mov kernarg(%rdi), %rax */
		0x48, 0x8b, 0x48,  to,      /* mov to(%rax), %rcx */
		0x8b, 0x50, value,          /* mov value(%rax), %edx */
		0x89, 0x11,                 /* mov %edx, (%rcx) */
		0xc3, 0x90,                 /* ret */
	};

	_Static_assert(offsetof(struct mt_dev_block, kernarg) < 128, "one-byte displacement");
	memcpy(code, bytes, sizeof(bytes));
}

void cob_bundle(struct cob_buf *buf, const struct cob_member *members, size_t count)
{
	size_t start = buf->size, header = 32, at;

	for (size_t i = 0; i < count; i++)
		header += 24 + strlen(members[i].id);
	cob_bytes(buf, magic, 24);
	cob_u64(buf, count);
	at = (header + 4095) / 4096 * 4096;
	for (size_t i = 0; i < count; i++) {
		size_t size = members[i].contents ? members[i].contents->size : 0;

		cob_u64(buf, at);
		cob_u64(buf, size);
		cob_u64(buf, strlen(members[i].id));
		cob_bytes(buf, members[i].id, strlen(members[i].id));
		if (size)
			at = (at + size + 4095) / 4096 * 4096;
	}
	for (size_t i = 0; i < count; i++) {
		if (!members[i].contents)
			continue;
		cob_zero(buf, (4096 - (buf->size - start) % 4096) % 4096);
		cob_bytes(buf, members[i].contents->data, members[i].contents->size);
	}
}

uint8_t *cob_entry(struct cob_buf *bundle, size_t index)
{
	uint8_t *at = bundle->data + 32;

	while (index--) {
		uint64_t id_size;

		memcpy(&id_size, at + 16, 8);
		at += 24 + id_size;
	}
	return at;
}

static void put_text(struct cob_buf *buf, char *text)
{
	cob_bytes(buf, text, strlen(text));
	free(text);
}

static void put_kernel(struct cob_buf *json, const struct cob_mock_kernel *kernel)
{
	uint32_t word = COB_MOCK_FIRST_WORD;

	put_text(json, cob_format("{\".name\":\"%s\",\".arch_id\":900,\".mt_abi\":%u,\".args\":[",
				  kernel->name, MT_DEV_ABI_VERSION));
	for (size_t i = 0; i < kernel->param_count; i++) {
		uint32_t size = kernel->param_sizes[i], align = size < 4 ? 4 : size;

		word = (word * 4 + align - 1) / align * align / 4;
		put_text(json, cob_format("{\".argBase\":{\".align\":%u,\".name\":\"\","
					  "\".offset\":%u,\".reg_bank\":3,\".size\":%u,"
					  "\".type\":%u},\".input_mode\":0,\".kind\":18},",
					  size, word, size,
					  size == 16  ? 24
					  : size == 8 ? 14
						      : 6));
		word += (size + 3) / 4;
	}
	put_text(json,
		 cob_format("],\".imms\":[],\".shared_reg_count\":%u,"
			    "\".shared_memory_size\":%u,\".has_barrier\":%s},",
			    word, kernel->static_shared, kernel->has_barrier ? "true" : "false"));
}

/* Code at multiples of 256; data first, then variables without bytes. */
static void fill_mock(struct cob_elf *elf, struct cob_symbol *symbols, struct cob_buf *text,
		      struct cob_buf *data, const struct cob_mock_kernel *kernels,
		      size_t kernel_count, const struct cob_mock_variable *variables,
		      size_t variable_count)
{
	for (size_t i = 0; i < kernel_count; i++) {
		cob_align(text, 256);
		symbols[i] = (struct cob_symbol){kernels[i].name,     STB_GLOBAL, STT_FUNC,
						 STV_PROTECTED,       COB_TEXT,   text->size,
						 kernels[i].code_size};
		cob_bytes(text, kernels[i].code, kernels[i].code_size);
	}
	for (size_t i = 0; i < variable_count; i++) {
		const struct cob_mock_variable *variable = &variables[i];
		struct cob_symbol *symbol = &symbols[kernel_count + i];

		*symbol = (struct cob_symbol){variable->name, STB_GLOBAL, STT_OBJECT,
					      STV_PROTECTED,  COB_DATA,   0,
					      variable->size};
		if (variable->init_size) {
			cob_align(data, 16);
			symbol->value = data->size;
			cob_bytes(data, variable->init, variable->init_size);
			cob_zero(data, variable->size - variable->init_size);
		} else {
			symbol->place = COB_BSS;
			symbol->value = elf->bss_size;
			elf->bss_size += (variable->size + 15) / 16 * 16;
		}
	}
}

void cob_mock_elf(struct cob_buf *buf, const struct cob_mock_kernel *kernels, size_t kernel_count,
		  const struct cob_mock_variable *variables, size_t variable_count)
{
	size_t count = kernel_count + variable_count;
	struct cob_symbol *symbols = calloc(count + 1, sizeof(*symbols));
	struct cob_buf text = {0}, data = {0}, json = {0};
	struct cob_elf elf = {
		.type = ET_DYN, .machine = 62, .symbols = symbols, .symbol_count = count};

	if (!symbols)
		abort();
	put_text(&json, cob_format("{\"mtgpu.kernels\":["));
	for (size_t i = 0; i < kernel_count; i++)
		put_kernel(&json, &kernels[i]);
	put_text(&json, cob_format("],\"mtgpu.version\":[1,0]}"));
	cob_zero(&json, 1);
	fill_mock(&elf, symbols, &text, &data, kernels, kernel_count, variables, variable_count);
	if (!text.size)
		cob_bytes(&text, cob_code_return, sizeof(cob_code_return));
	elf.metadata = (const char *)json.data;
	elf.text = text.data;
	elf.text_size = text.size;
	elf.data = data.data;
	elf.data_size = data.size;
	cob_elf(buf, &elf);
	cob_free(&text);
	cob_free(&data);
	cob_free(&json);
	free(symbols);
}

void cob_mock_bundle(struct cob_buf *buf, const struct cob_mock_kernel *kernels,
		     size_t kernel_count, const struct cob_mock_variable *variables,
		     size_t variable_count)
{
	struct cob_buf elf = {0};

	cob_mock_elf(&elf, kernels, kernel_count, variables, variable_count);
	cob_bundle(buf, (const struct cob_member[]){{COB_ID_HOST, NULL}, {COB_ID_MOCK, &elf}}, 2);
	cob_free(&elf);
}

/* SPDX-License-Identifier: MIT */
/*
 * ELF writer of the test builder: linked and unlinked objects of the published form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codeobj/builder.h"

#define SECTION_MAX 20u
#define SEGMENT_MAX 10u

struct section {
	const char *name;
	struct cob_buf body;
	Elf64_Shdr header;
};

struct writer {
	const struct cob_elf *elf;
	struct section sections[SECTION_MAX]; /* 0 is the null section */
	uint32_t count;
	uint32_t place[COB_COMMON + 1]; /* section number of each place */
	uint32_t dynsym, dynstr, symtab, strtab, shstrtab, dynamic, note;
	Elf64_Phdr segments[SEGMENT_MAX];
	uint32_t segment_count;
	uint64_t symtab_locals, dynsym_count, symtab_count;
};

static uint32_t add_section(struct writer *writer, const char *name, uint32_t type, uint64_t flags,
			    uint64_t align)
{
	struct section *section = &writer->sections[writer->count];

	section->name = name;
	section->header.sh_type = type;
	section->header.sh_flags = flags;
	section->header.sh_addralign = align;
	return writer->count++;
}

static void put_note(struct cob_buf *buf, const struct cob_elf *elf)
{
	struct cob_buf desc = {0};

	cob_msgpack(&desc, elf->metadata);
	cob_u32(buf, elf->short_owner ? 5 : 6);
	cob_u32(buf, (uint32_t)desc.size);
	cob_u32(buf, 0x40);
	cob_bytes(buf, "MTGPU\0\0\0", 8);
	cob_bytes(buf, desc.data, desc.size);
	cob_align(buf, 4);
	cob_free(&desc);
}

static void add_note(struct writer *writer)
{
	const struct cob_elf *elf = writer->elf;
	struct cob_buf *body;

	if (!elf->metadata && !elf->other_note)
		return;
	writer->note = add_section(writer, ".note", SHT_NOTE, SHF_ALLOC, 4);
	body = &writer->sections[writer->note].body;
	if (elf->other_note) {
		cob_u32(body, 4);
		cob_u32(body, 3);
		cob_u32(body, 0x40);
		cob_bytes(body, "GNU\0abc\0", 8);
	}
	if (elf->metadata)
		put_note(body, elf);
	if (elf->metadata && elf->second_note)
		put_note(body, elf);
}

static bool is_dynamic(const struct cob_symbol *symbol)
{
	return symbol->bind != STB_LOCAL;
}

static void add_symbol_table(struct writer *writer, bool dynamic)
{
	uint32_t table = add_section(writer, dynamic ? ".dynsym" : ".symtab",
				     dynamic ? SHT_DYNSYM : SHT_SYMTAB, dynamic ? SHF_ALLOC : 0, 8);
	uint64_t count = 1;

	for (size_t i = 0; i < writer->elf->symbol_count; i++)
		count += !dynamic || is_dynamic(&writer->elf->symbols[i]);
	writer->sections[table].header.sh_entsize = sizeof(Elf64_Sym);
	cob_zero(&writer->sections[table].body, count * sizeof(Elf64_Sym));
	if (dynamic)
		writer->dynsym = table;
	else
		writer->symtab = table;
}

/* Room for the names; they are written when the sections have their places. */
static uint32_t add_strings(struct writer *writer, const char *name, uint64_t flags)
{
	uint32_t table = add_section(writer, name, SHT_STRTAB, flags, 1);
	size_t size = 1;

	for (size_t i = 0; i < writer->elf->symbol_count; i++)
		size += strlen(writer->elf->symbols[i].name) + 1;
	cob_zero(&writer->sections[table].body, size);
	return table;
}

/* Relocations whose place is `place`; all of them for COB_UNDEF, except those for debug data. */
static void add_relocs(struct writer *writer, const char *name, enum cob_place place,
		       uint64_t flags)
{
	uint32_t table;
	uint64_t count = 0;

	for (size_t i = 0; i < writer->elf->reloc_count; i++)
		count += place ? writer->elf->relocs[i].place == place
			       : writer->elf->relocs[i].place != COB_DEBUG;
	if (!count)
		return;
	table = add_section(writer, name, SHT_RELA, flags, 8);
	writer->sections[table].header.sh_entsize = sizeof(Elf64_Rela);
	writer->sections[table].header.sh_info = place ? writer->place[place] : 0;
	cob_zero(&writer->sections[table].body, count * sizeof(Elf64_Rela));
}

static void add_contents(struct writer *writer)
{
	const struct cob_elf *elf = writer->elf;

	if (elf->data_size) {
		writer->place[COB_DATA] =
			add_section(writer, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 16);
		cob_bytes(&writer->sections[writer->place[COB_DATA]].body, elf->data,
			  elf->data_size);
	}
	if (elf->bss_size) {
		writer->place[COB_BSS] =
			add_section(writer, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 16);
		writer->sections[writer->place[COB_BSS]].header.sh_size = elf->bss_size;
	}
	writer->place[COB_DEBUG] = add_section(writer, ".debug_info", SHT_PROGBITS, 0, 1);
	cob_zero(&writer->sections[writer->place[COB_DEBUG]].body, 32);
	add_relocs(writer, ".rela.debug_info", COB_DEBUG, SHF_INFO_LINK);
}

static void add_text(struct writer *writer)
{
	writer->place[COB_TEXT] =
		add_section(writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 256);
	cob_bytes(&writer->sections[writer->place[COB_TEXT]].body, writer->elf->text,
		  writer->elf->text_size);
}

static void add_linked_sections(struct writer *writer)
{
	add_note(writer);
	add_symbol_table(writer, true);
	writer->dynstr = add_strings(writer, ".dynstr", SHF_ALLOC);
	add_relocs(writer, ".rela.dyn", COB_UNDEF, SHF_ALLOC);
	add_text(writer);
	writer->dynamic = add_section(writer, ".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8);
	writer->sections[writer->dynamic].header.sh_entsize = sizeof(Elf64_Dyn);
	cob_zero(&writer->sections[writer->dynamic].body, 5 * sizeof(Elf64_Dyn));
	add_contents(writer);
	cob_bytes(&writer->sections[add_section(writer, ".comment", SHT_PROGBITS,
						SHF_MERGE | SHF_STRINGS, 1)]
			   .body,
		  "Linker: test", 13);
	if (!writer->elf->no_symtab)
		add_symbol_table(writer, false);
	writer->shstrtab = add_section(writer, ".shstrtab", SHT_STRTAB, 0, 1);
	if (!writer->elf->no_symtab)
		writer->strtab = add_strings(writer, ".strtab", 0);
}

static void add_unlinked_sections(struct writer *writer)
{
	writer->strtab = add_strings(writer, ".strtab", 0);
	writer->shstrtab = writer->strtab;
	add_text(writer);
	add_note(writer);
	add_contents(writer);
	add_relocs(writer, ".rela.text", COB_TEXT, SHF_INFO_LINK);
	add_relocs(writer, ".rela.data", COB_DATA, SHF_INFO_LINK);
	add_section(writer, ".llvm_addrsig", SHT_LOOS + 0xfff4c03, SHF_EXCLUDE, 1);
	add_symbol_table(writer, false);
}

static void name_sections(struct writer *writer)
{
	struct cob_buf *names = &writer->sections[writer->shstrtab].body;

	if (!names->size)
		cob_zero(names, 1);
	for (uint32_t i = 1; i < writer->count; i++) {
		writer->sections[i].header.sh_name = (uint32_t)names->size;
		cob_bytes(names, writer->sections[i].name, strlen(writer->sections[i].name) + 1);
	}
}

/* Address minus file offset grows by a page from one segment to the next. */
static uint64_t address_shift(const struct writer *writer, uint32_t section)
{
	if (section < writer->place[COB_TEXT])
		return 0;
	if (section == writer->place[COB_TEXT])
		return 0x1000;
	if (section == writer->dynamic)
		return 0x2000;
	return section == writer->place[COB_BSS] ? 0x4000 : 0x3000;
}

static uint64_t place_sections(struct writer *writer)
{
	uint64_t at = sizeof(Elf64_Ehdr) + writer->segment_count * sizeof(Elf64_Phdr);

	for (uint32_t i = 1; i < writer->count; i++) {
		struct section *section = &writer->sections[i];
		uint64_t align = section->header.sh_addralign;

		at = (at + align - 1) / align * align;
		section->header.sh_offset = at;
		if (writer->elf->type == ET_DYN && (section->header.sh_flags & SHF_ALLOC))
			section->header.sh_addr = writer->elf->base + at + address_shift(writer, i);
		if (section->header.sh_type == SHT_NOBITS)
			continue;
		section->header.sh_size = section->body.size;
		at += section->body.size;
	}
	return (at + 7) / 8 * 8;
}

static void fill_symbols(struct writer *writer, uint32_t table, uint32_t strings)
{
	struct section *section = &writer->sections[table];
	Elf64_Sym *symbols = (Elf64_Sym *)(void *)section->body.data;
	char *names = (char *)writer->sections[strings].body.data;
	bool dynamic = table == writer->dynsym;
	uint32_t count = 1, at = 1;

	section->header.sh_link = strings;
	for (int global = 0; global < 2; global++) {
		section->header.sh_info = count;
		for (size_t i = 0; i < writer->elf->symbol_count; i++) {
			const struct cob_symbol *from = &writer->elf->symbols[i];
			Elf64_Sym *to = &symbols[count];

			if ((from->bind != STB_LOCAL) != global || (dynamic && !is_dynamic(from)))
				continue;
			strcpy(names + at, from->name);
			to->st_name = at;
			at += (uint32_t)strlen(from->name) + 1;
			to->st_info = ELF64_ST_INFO(from->bind, from->type);
			to->st_other = from->visibility;
			to->st_size = from->size;
			to->st_value = from->value;
			if (from->place == COB_ABS)
				to->st_shndx = SHN_ABS;
			else if (from->place == COB_COMMON)
				to->st_shndx = SHN_COMMON;
			else
				to->st_shndx = (uint16_t)writer->place[from->place];
			if (to->st_shndx && to->st_shndx < SHN_LORESERVE)
				to->st_value += writer->sections[to->st_shndx].header.sh_addr;
			count++;
		}
	}
}

static uint64_t find_symbol(const struct writer *writer, uint32_t table, const char *name)
{
	const struct cob_buf *body = &writer->sections[table].body;
	const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)body->data;
	uint32_t strings = writer->sections[table].header.sh_link;

	for (uint64_t i = 1; i < body->size / sizeof(*symbols); i++) {
		if (strcmp((char *)writer->sections[strings].body.data + symbols[i].st_name,
			   name) == 0)
			return i;
	}
	fprintf(stderr, "no symbol '%s'\n", name);
	abort();
}

static void fill_relocs(struct writer *writer, uint32_t table)
{
	struct section *section = &writer->sections[table];
	Elf64_Rela *to = (Elf64_Rela *)(void *)section->body.data;
	bool all = !section->header.sh_info;

	section->header.sh_link =
		writer->elf->type == ET_DYN && all ? writer->dynsym : writer->symtab;
	for (size_t i = 0; i < writer->elf->reloc_count; i++) {
		const struct cob_reloc *from = &writer->elf->relocs[i];
		uint64_t symbol = 0;

		if (all ? from->place == COB_DEBUG
			: writer->place[from->place] != section->header.sh_info)
			continue;
		if (from->symbol)
			symbol = find_symbol(writer, section->header.sh_link, from->symbol);
		to->r_offset = from->offset;
		if (writer->elf->type == ET_DYN)
			to->r_offset += writer->sections[writer->place[from->place]].header.sh_addr;
		to->r_info = ELF64_R_INFO(symbol, from->type);
		to->r_addend = from->addend;
		if (from->addend_place)
			to->r_addend += (int64_t)writer->sections[writer->place[from->addend_place]]
						.header.sh_addr;
		to++;
	}
}

static void fill_dynamic(struct writer *writer)
{
	Elf64_Dyn *entries = (Elf64_Dyn *)(void *)writer->sections[writer->dynamic].body.data;
	const struct section *strings = &writer->sections[writer->dynstr];

	writer->sections[writer->dynamic].header.sh_link = writer->dynstr;
	entries[0].d_tag = DT_SYMTAB;
	entries[0].d_un.d_ptr = writer->sections[writer->dynsym].header.sh_addr;
	entries[1].d_tag = DT_SYMENT;
	entries[1].d_un.d_val = sizeof(Elf64_Sym);
	entries[2].d_tag = DT_STRTAB;
	entries[2].d_un.d_ptr = strings->header.sh_addr;
	entries[3].d_tag = DT_STRSZ;
	entries[3].d_un.d_val = strings->header.sh_size;
}

static void put_segment(struct writer *writer, uint32_t *at, uint32_t type, uint32_t flags,
			uint32_t section, uint64_t align)
{
	const Elf64_Shdr *header = &writer->sections[section].header;

	writer->segments[(*at)++] = (Elf64_Phdr){
		.p_type = type,
		.p_flags = flags,
		.p_offset = header->sh_offset,
		.p_vaddr = header->sh_addr,
		.p_paddr = header->sh_addr,
		.p_filesz = header->sh_type == SHT_NOBITS ? 0 : header->sh_size,
		.p_memsz = header->sh_size,
		.p_align = align,
	};
}

static void fill_segments(struct writer *writer)
{
	const Elf64_Shdr *last = &writer->sections[writer->place[COB_TEXT] - 1].header;
	uint64_t table = writer->segment_count * sizeof(Elf64_Phdr), base = writer->elf->base;
	uint32_t at = 0;

	writer->segments[at++] =
		(Elf64_Phdr){PT_PHDR, PF_R, 64, base + 64, base + 64, table, table, 8};
	writer->segments[at++] = (Elf64_Phdr){.p_type = PT_LOAD,
					      .p_flags = PF_R,
					      .p_vaddr = base,
					      .p_paddr = base,
					      .p_filesz = last->sh_offset + last->sh_size,
					      .p_memsz = last->sh_offset + last->sh_size,
					      .p_align = 0x1000};
	put_segment(writer, &at, PT_LOAD, PF_R | PF_X, writer->place[COB_TEXT], 0x1000);
	put_segment(writer, &at, PT_LOAD, PF_R | PF_W, writer->dynamic, 0x1000);
	if (writer->place[COB_DATA])
		put_segment(writer, &at, PT_LOAD, PF_R | PF_W, writer->place[COB_DATA], 0x1000);
	if (writer->place[COB_BSS])
		put_segment(writer, &at, PT_LOAD, PF_R | PF_W, writer->place[COB_BSS], 0x1000);
	put_segment(writer, &at, PT_DYNAMIC, PF_R | PF_W, writer->dynamic, 8);
	put_segment(writer, &at, PT_GNU_RELRO, PF_R, writer->dynamic, 1);
	/* Reaches past its LOAD, as the published ones do. */
	writer->segments[at - 1].p_memsz = 0x1000;
	writer->segments[at++] = (Elf64_Phdr){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W};
	if (writer->note)
		put_segment(writer, &at, PT_NOTE, PF_R, writer->note, 4);
}

static void emit(struct writer *writer, struct cob_buf *buf, uint64_t shoff)
{
	const struct cob_elf *elf = writer->elf;
	size_t start = buf->size;
	Elf64_Ehdr header = {
		.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = elf->type,
		.e_machine = elf->machine,
		.e_version = EV_CURRENT,
		.e_entry = writer->sections[writer->place[COB_TEXT]].header.sh_addr,
		.e_phoff = writer->segment_count ? sizeof(Elf64_Ehdr) : 0,
		.e_shoff = shoff,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = writer->segment_count ? sizeof(Elf64_Phdr) : 0,
		.e_phnum = (uint16_t)writer->segment_count,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (uint16_t)writer->count,
		.e_shstrndx = (uint16_t)writer->shstrtab,
	};

	cob_bytes(buf, &header, sizeof(header));
	cob_bytes(buf, writer->segments, writer->segment_count * sizeof(Elf64_Phdr));
	for (uint32_t i = 1; i < writer->count; i++) {
		struct section *section = &writer->sections[i];

		cob_zero(buf, start + section->header.sh_offset - buf->size);
		cob_bytes(buf, section->body.data, section->body.size);
		cob_free(&section->body);
	}
	cob_zero(buf, start + shoff - buf->size);
	for (uint32_t i = 0; i < writer->count; i++)
		cob_bytes(buf, &writer->sections[i].header, sizeof(Elf64_Shdr));
}

void cob_elf(struct cob_buf *buf, const struct cob_elf *elf)
{
	struct writer writer = {.elf = elf, .count = 1};
	uint64_t shoff;

	if (elf->type == ET_DYN) {
		add_linked_sections(&writer);
		writer.segment_count =
			7u + (writer.note != 0) + (elf->data_size != 0) + (elf->bss_size != 0);
	} else {
		add_unlinked_sections(&writer);
	}
	name_sections(&writer);
	shoff = place_sections(&writer);
	if (writer.dynsym)
		fill_symbols(&writer, writer.dynsym, writer.dynstr);
	if (writer.symtab)
		fill_symbols(&writer, writer.symtab, writer.strtab);
	for (uint32_t i = 1; i < writer.count; i++) {
		if (writer.sections[i].header.sh_type == SHT_RELA)
			fill_relocs(&writer, i);
	}
	if (elf->type == ET_DYN) {
		fill_dynamic(&writer);
		fill_segments(&writer);
	}
	emit(&writer, buf, shoff);
}

Elf64_Ehdr *cob_ehdr(struct cob_buf *elf)
{
	return (Elf64_Ehdr *)(void *)elf->data;
}

uint32_t cob_shndx(struct cob_buf *elf, const char *name)
{
	const Elf64_Ehdr *header = cob_ehdr(elf);
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(void *)(elf->data + header->e_shoff);
	const char *names = (const char *)elf->data + sections[header->e_shstrndx].sh_offset;

	for (uint32_t i = 1; i < header->e_shnum; i++) {
		if (strcmp(names + sections[i].sh_name, name) == 0)
			return i;
	}
	fprintf(stderr, "no section '%s'\n", name);
	abort();
}

Elf64_Shdr *cob_shdr(struct cob_buf *elf, const char *name)
{
	return (Elf64_Shdr *)(void *)(elf->data + cob_ehdr(elf)->e_shoff) + cob_shndx(elf, name);
}

Elf64_Phdr *cob_phdr(struct cob_buf *elf, uint32_t type, uint32_t flags)
{
	Elf64_Phdr *segments = (Elf64_Phdr *)(void *)(elf->data + cob_ehdr(elf)->e_phoff);

	for (uint32_t i = 0; i < cob_ehdr(elf)->e_phnum; i++) {
		if (segments[i].p_type == type && (!flags || segments[i].p_flags == flags))
			return &segments[i];
	}
	fprintf(stderr, "no segment of type %u\n", type);
	abort();
}

Elf64_Sym *cob_sym(struct cob_buf *elf, const char *table, const char *name)
{
	const Elf64_Shdr *header = cob_shdr(elf, table);
	const Elf64_Shdr *strings =
		(Elf64_Shdr *)(void *)(elf->data + cob_ehdr(elf)->e_shoff) + header->sh_link;
	Elf64_Sym *symbols = (Elf64_Sym *)(void *)(elf->data + header->sh_offset);

	for (uint64_t i = 1; i < header->sh_size / sizeof(*symbols); i++) {
		if (strcmp((char *)elf->data + strings->sh_offset + symbols[i].st_name, name) == 0)
			return &symbols[i];
	}
	fprintf(stderr, "no symbol '%s'\n", name);
	abort();
}

uint8_t *cob_note(struct cob_buf *elf)
{
	return elf->data + cob_shdr(elf, ".note")->sh_offset;
}

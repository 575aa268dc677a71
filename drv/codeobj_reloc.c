/* SPDX-License-Identifier: MIT */
/*
 * Resolves the relocations against loaded parts of a code object to plain (place, value) pairs.
 * Only a code object's own symbols count: there is nothing else that it could be linked against.
 */
#include <stdlib.h>

#include "drv/codeobj_internal.h"

struct target {
	uint64_t value; /* image offset, or the value itself if absolute */
	bool absolute;
};

struct batch {
	struct mt_codeobj_reloc *list;
	uint32_t count;
	uint64_t number;           /* of the relocation over all tables, for the reason */
	const Elf64_Shdr **loaded; /* linked: sections with addresses, ascending */
	uint32_t loaded_count;
};

/* Whether a table's relocations concern memory that gets loaded. */
static bool is_loaded(const struct mt_codeobj_loader *loader, const Elf64_Shdr *table)
{
	if (loader->codeobj->linked && (table->sh_flags & SHF_ALLOC))
		return true;
	return table->sh_info && (loader->sections[table->sh_info].sh_flags & SHF_ALLOC);
}

static MUresult resolve_symbol(struct mt_codeobj_loader *loader, const Elf64_Shdr *table,
			       uint64_t index, uint64_t number, struct target *target)
{
	Elf64_Sym symbol;

	*target = (struct target){.value = 0, .absolute = true};
	if (!index)
		return MUSA_SUCCESS;
	if (!loader->symtab || table->sh_link != loader->symtab || index >= loader->symbol_count)
		return mt_codeobj_reject(loader->why, "relocation's symbol is out of range",
					 "relocation", number);
	memcpy(&symbol, loader->symbol_data + index * sizeof(symbol), sizeof(symbol));
	if (symbol.st_shndx == SHN_UNDEF) {
		if (ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
			return mt_codeobj_reject(loader->why,
						 "relocation against an undefined symbol",
						 "relocation", number);
		return MUSA_SUCCESS;
	}
	target->value = symbol.st_value;
	if (symbol.st_shndx == SHN_ABS)
		return MUSA_SUCCESS;
	target->absolute = false;
	/* Symbols that other tables hold were checked when they were read. */
	if (symbol.st_shndx >= loader->header.e_shnum ||
	    !mt_codeobj_image_place(loader, symbol.st_shndx, symbol.st_value, 0, &target->value))
		return mt_codeobj_reject(loader->why,
					 "relocation against a symbol that is not loaded",
					 "relocation", number);
	return MUSA_SUCCESS;
}

static int compare_section(const void *a, const void *b)
{
	const Elf64_Shdr *x = *(const Elf64_Shdr *const *)a, *y = *(const Elf64_Shdr *const *)b;

	return x->sh_addr < y->sh_addr ? -1 : x->sh_addr > y->sh_addr;
}

/* Dynamic relocations do not name their section: linkers disagree on what sh_info says. */
static MUresult sort_sections(struct mt_codeobj_loader *loader, struct batch *batch)
{
	batch->loaded = mt_arena_alloc(&loader->scratch,
				       loader->header.e_shnum * sizeof(const Elf64_Shdr *), 8);
	if (!batch->loaded)
		return mt_codeobj_no_memory(loader->why);
	for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
		const Elf64_Shdr *section = &loader->sections[i];

		if ((section->sh_flags & SHF_ALLOC) && !(section->sh_flags & SHF_TLS) &&
		    section->sh_type != SHT_NULL && section->sh_size)
			batch->loaded[batch->loaded_count++] = section;
	}
	qsort(batch->loaded, batch->loaded_count, sizeof(*batch->loaded), compare_section);
	return MUSA_SUCCESS;
}

/* The section that holds an address, or NULL. */
static const Elf64_Shdr *find_section(const struct batch *batch, uint64_t address)
{
	uint32_t low = 0, high = batch->loaded_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (batch->loaded[middle]->sh_addr <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? batch->loaded[low - 1] : NULL;
}

/* The image offset of the `size_b` bytes that a relocation changes. */
static MUresult resolve_place(struct mt_codeobj_loader *loader, const Elf64_Shdr *table,
			      const Elf64_Rela *rela, uint64_t size_b, const struct batch *batch,
			      uint64_t *offset_out)
{
	const Elf64_Shdr *section;
	bool ok = false;

	if (!loader->codeobj->linked) {
		ok = mt_codeobj_image_place(loader, table->sh_info, rela->r_offset, size_b,
					    offset_out);
	} else {
		section = find_section(batch, rela->r_offset);
		ok = section &&
		     mt_codeobj_image_place(loader, (uint32_t)(section - loader->sections),
					    rela->r_offset, size_b, offset_out);
	}
	if (!ok)
		return mt_codeobj_reject(loader->why, "relocation is outside its section",
					 "relocation", batch->number);
	return MUSA_SUCCESS;
}

static void add_reloc(struct batch *batch, uint32_t type, uint64_t offset, uint64_t value,
		      enum mt_codeobj_reloc_kind kind)
{
	batch->list[batch->count++] = (struct mt_codeobj_reloc){
		.offset_b = offset,
		.value = value,
		.kind = kind,
		.type = type,
	};
}

/* A 32-bit distance inside the image, which no load address changes. */
static MUresult resolve_distance(struct mt_codeobj_loader *loader, const Elf64_Shdr *table,
				 const Elf64_Rela *rela, struct batch *batch)
{
	struct target target;
	uint64_t offset, value;
	MUresult result = resolve_place(loader, table, rela, 4, batch, &offset);

	if (!result)
		result = resolve_symbol(loader, table, ELF64_R_SYM(rela->r_info), batch->number,
					&target);
	if (result)
		return result;
	if (target.absolute)
		return mt_codeobj_reject(loader->why, "distance to a symbol outside the image",
					 "relocation", batch->number);
	value = target.value + (uint64_t)rela->r_addend - offset;
	if ((int64_t)value != (int32_t)value)
		return mt_codeobj_reject(loader->why, "relocation does not fit 32 bits",
					 "relocation", batch->number);
	add_reloc(batch, ELF64_R_TYPE(rela->r_info), offset, value, MT_CODEOBJ_RELOC_CONST32);
	return MUSA_SUCCESS;
}

static MUresult resolve_address(struct mt_codeobj_loader *loader, const Elf64_Shdr *table,
				const Elf64_Rela *rela, struct batch *batch)
{
	uint32_t type = ELF64_R_TYPE(rela->r_info);
	uint64_t addend = (uint64_t)rela->r_addend, offset;
	struct target target = {.value = -loader->base, .absolute = false};
	MUresult result = resolve_place(loader, table, rela, 8, batch, &offset);

	if (!result && type != R_X86_64_RELATIVE)
		result = resolve_symbol(loader, table, ELF64_R_SYM(rela->r_info), batch->number,
					&target);
	if (result)
		return result;
	if (type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT)
		addend = 0;
	add_reloc(batch, type, offset, target.value + addend,
		  target.absolute ? MT_CODEOBJ_RELOC_CONST64 : MT_CODEOBJ_RELOC_ADDRESS);
	return MUSA_SUCCESS;
}

static MUresult resolve(struct mt_codeobj_loader *loader, const Elf64_Shdr *table,
			const Elf64_Rela *rela, struct batch *batch)
{
	bool linked = loader->codeobj->linked;
	uint32_t type = ELF64_R_TYPE(rela->r_info);

	/* Type 0 means "none" on every machine. The vendor's other numbers are not published. */
	if (type == R_X86_64_NONE)
		return MUSA_SUCCESS;
	if (loader->header.e_machine == MT_CODEOBJ_MACHINE_MOCK) {
		if (type == R_X86_64_PC32 || (type == R_X86_64_PLT32 && !linked))
			return resolve_distance(loader, table, rela, batch);
		if (type == R_X86_64_64 ||
		    (linked && (type == R_X86_64_RELATIVE || type == R_X86_64_GLOB_DAT ||
				type == R_X86_64_JUMP_SLOT)))
			return resolve_address(loader, table, rela, batch);
	}
	return mt_codeobj_reject(loader->why, "relocation type is not known", "relocation",
				 batch->number);
}

static MUresult resolve_table(struct mt_codeobj_loader *loader, uint32_t section,
			      struct batch *batch)
{
	const Elf64_Shdr *table = &loader->sections[section];
	const uint8_t *data;
	uint64_t size_b;
	MUresult result = mt_codeobj_elf_data(loader, section, &data, &size_b);

	if (result)
		return result;
	for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= size_b; at += sizeof(Elf64_Rela)) {
		Elf64_Rela rela;

		memcpy(&rela, data + at, sizeof(rela));
		result = resolve(loader, table, &rela, batch);
		if (result)
			return result;
		batch->number++;
	}
	return MUSA_SUCCESS;
}

static MUresult check_table(struct mt_codeobj_loader *loader, uint32_t section, bool *use_out)
{
	const Elf64_Shdr *table = &loader->sections[section];

	*use_out = false;
	if (table->sh_type != SHT_RELA && table->sh_type != SHT_REL && table->sh_type != SHT_RELR)
		return MUSA_SUCCESS;
	if (table->sh_info >= loader->header.e_shnum)
		return mt_codeobj_reject(loader->why, "relocated section is out of range",
					 "section", section);
	if (!is_loaded(loader, table) || !table->sh_size)
		return MUSA_SUCCESS;
	if (table->sh_type != SHT_RELA)
		return mt_codeobj_reject(loader->why, "relocation format is not RELA", "section",
					 section);
	if (table->sh_entsize != sizeof(Elf64_Rela) || table->sh_size % sizeof(Elf64_Rela))
		return mt_codeobj_reject(loader->why, "relocation table's entry size is not 24",
					 "section", section);
	*use_out = true;
	return MUSA_SUCCESS;
}

/* Whether an address is that of a relocation table that gets used. */
static bool is_used_table(struct mt_codeobj_loader *loader, uint64_t address)
{
	for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
		const Elf64_Shdr *section = &loader->sections[i];

		if (section->sh_type == SHT_RELA && (section->sh_flags & SHF_ALLOC) &&
		    section->sh_addr == address)
			return true;
	}
	return false;
}

/* Relocations that only the dynamic section knows would be left out: refuse them. */
static MUresult check_dynamic(struct mt_codeobj_loader *loader, uint32_t section)
{
	uint64_t tables[2] = {0, 0}, sizes[2] = {0, 0}; /* DT_RELA, DT_JMPREL */
	const uint8_t *data;
	uint64_t size_b;
	bool foreign = false;
	MUresult result = mt_codeobj_elf_data(loader, section, &data, &size_b);

	if (result)
		return result;
	for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= size_b; at += sizeof(Elf64_Dyn)) {
		Elf64_Dyn entry;

		memcpy(&entry, data + at, sizeof(entry));
		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_RELA)
			tables[0] = entry.d_un.d_ptr;
		else if (entry.d_tag == DT_RELASZ)
			sizes[0] = entry.d_un.d_val;
		else if (entry.d_tag == DT_JMPREL)
			tables[1] = entry.d_un.d_ptr;
		else if (entry.d_tag == DT_PLTRELSZ)
			sizes[1] = entry.d_un.d_val;
		else if (entry.d_tag == DT_REL || entry.d_tag == DT_RELR)
			foreign = true;
	}
	if (foreign)
		return mt_codeobj_reject(loader->why, "relocation format is not RELA", "section",
					 section);
	for (int i = 0; i < 2; i++) {
		if (sizes[i] && !is_used_table(loader, tables[i]))
			return mt_codeobj_reject(loader->why,
						 "relocation table has no section header",
						 "section", section);
	}
	return MUSA_SUCCESS;
}

/* All that can be said before single relocations are read, and their number. */
static MUresult check_tables(struct mt_codeobj_loader *loader, uint64_t *count_out)
{
	uint32_t dynamic = 0;

	*count_out = 0;
	for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
		MUresult result;
		bool use;

		result = check_table(loader, i, &use);
		if (result)
			return result;
		if (use)
			*count_out += loader->sections[i].sh_size / sizeof(Elf64_Rela);
		if (loader->sections[i].sh_type == SHT_DYNAMIC)
			dynamic = i;
	}
	if (*count_out >= UINT32_MAX)
		return mt_codeobj_reject(loader->why, "too many relocations", "section", 0);
	return dynamic && loader->codeobj->linked ? check_dynamic(loader, dynamic) : MUSA_SUCCESS;
}

MUresult mt_codeobj_relocs_read(struct mt_codeobj_loader *loader)
{
	struct batch batch = {0};
	uint64_t count = 0;
	MUresult result = check_tables(loader, &count);
	bool use;

	if (!result && count)
		result = sort_sections(loader, &batch);
	if (result)
		return result;
	batch.list = mt_arena_alloc(loader->arena, (count + 1) * sizeof(*batch.list), 8);
	if (!batch.list)
		return mt_codeobj_no_memory(loader->why);
	for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
		result = check_table(loader, i, &use);
		if (!result && use)
			result = resolve_table(loader, i, &batch);
		if (result)
			return result;
	}
	loader->codeobj->relocs = batch.list;
	loader->codeobj->reloc_count = batch.count;
	return MUSA_SUCCESS;
}

MUresult mt_codeobj_relocate(const struct mt_codeobj *codeobj, void *image, uint64_t size_b,
			     uint64_t address)
{
	uint8_t *bytes = image;
	uint64_t at = 0;

	if (size_b < codeobj->image_size_b || address & (codeobj->image_align_b - 1) ||
	    (!image && codeobj->image_size_b))
		return MUSA_ERROR_INVALID_VALUE;
	for (uint32_t i = 0; i < codeobj->segment_count; i++) {
		const struct mt_codeobj_segment *segment = &codeobj->segments[i];

		memset(bytes + at, 0, segment->offset_b - at);
		at = segment->offset_b + segment->file_b;
		if (segment->file_b)
			memcpy(bytes + segment->offset_b, segment->data, segment->file_b);
	}
	if (codeobj->image_size_b > at)
		memset(bytes + at, 0, codeobj->image_size_b - at);
	for (uint32_t i = 0; i < codeobj->reloc_count; i++) {
		const struct mt_codeobj_reloc *reloc = &codeobj->relocs[i];
		uint64_t value = reloc->value;

		if (reloc->kind == MT_CODEOBJ_RELOC_ADDRESS)
			value += address;
		memcpy(bytes + reloc->offset_b, &value,
		       reloc->kind == MT_CODEOBJ_RELOC_CONST32 ? 4 : 8);
	}
	return MUSA_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Checks an ELF's header and tables against the bytes that are there, before libelf sees them.
 * What sections hold is checked where it is used.
 */
#include <stdlib.h>

#include "drv/codeobj_internal.h"

static MUresult check_header(const Elf64_Ehdr *header, struct mt_codeobj_reason *why)
{
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return mt_codeobj_reject(why, "ELF magic is wrong", "byte", 0);
	if (header->e_ident[EI_CLASS] != ELFCLASS64)
		return mt_codeobj_reject(why, "ELF class is not 64 bits", "byte", EI_CLASS);
	if (header->e_ident[EI_DATA] != ELFDATA2LSB)
		return mt_codeobj_reject(why, "ELF is not little-endian", "byte", EI_DATA);
	if (header->e_ident[EI_VERSION] != EV_CURRENT || header->e_version != EV_CURRENT)
		return mt_codeobj_reject(why, "ELF version is not 1", "byte", EI_VERSION);
	if (header->e_machine != MT_CODEOBJ_MACHINE_VENDOR &&
	    header->e_machine != MT_CODEOBJ_MACHINE_MOCK)
		return mt_codeobj_reject(why, "ELF machine is no MUSA device", "byte",
					 offsetof(Elf64_Ehdr, e_machine));
	if (header->e_type != ET_DYN && header->e_type != ET_REL)
		return mt_codeobj_reject(why, "ELF type is neither DYN nor REL", "byte",
					 offsetof(Elf64_Ehdr, e_type));
	if (header->e_ehsize != sizeof(Elf64_Ehdr))
		return mt_codeobj_reject(why, "ELF header size is not 64", "byte",
					 offsetof(Elf64_Ehdr, e_ehsize));
	if (header->e_phnum && header->e_phentsize != sizeof(Elf64_Phdr))
		return mt_codeobj_reject(why, "program header size is not 56", "byte",
					 offsetof(Elf64_Ehdr, e_phentsize));
	if (header->e_shentsize != sizeof(Elf64_Shdr))
		return mt_codeobj_reject(why, "section header size is not 64", "byte",
					 offsetof(Elf64_Ehdr, e_shentsize));
	if (!header->e_shnum || !header->e_shoff || header->e_shnum >= SHN_LORESERVE)
		return mt_codeobj_reject(why, "no usable section header table", "byte",
					 offsetof(Elf64_Ehdr, e_shnum));
	if (header->e_phnum == PN_XNUM)
		return mt_codeobj_reject(why, "too many program headers", "byte",
					 offsetof(Elf64_Ehdr, e_phnum));
	if (header->e_shstrndx >= header->e_shnum)
		return mt_codeobj_reject(why, "section name table is out of range", "byte",
					 offsetof(Elf64_Ehdr, e_shstrndx));
	return MUSA_SUCCESS;
}

/* Raises *extent to the end of a range; false if that overflows. */
static bool extend(uint64_t *extent, uint64_t offset, uint64_t size)
{
	uint64_t end;

	if (__builtin_add_overflow(offset, size, &end))
		return false;
	if (end > *extent)
		*extent = end;
	return true;
}

MUresult mt_codeobj_elf_extent(struct mt_codeobj_reader *reader, uint64_t *size_out,
			       struct mt_codeobj_reason *why)
{
	uint64_t extent = sizeof(Elf64_Ehdr);
	Elf64_Ehdr header;
	MUresult result;

	if (mt_codeobj_reader_read(reader, 0, &header, sizeof(header)))
		return mt_codeobj_reject(why, "ELF header is cut off", "byte", 0);
	result = check_header(&header, why);
	if (result)
		return result;
	if (header.e_phnum && !extend(&extent, header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)))
		return mt_codeobj_reject(why, "program header table is out of range", "byte",
					 offsetof(Elf64_Ehdr, e_phoff));
	if (!extend(&extent, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)))
		return mt_codeobj_reject(why, "section header table is out of range", "byte",
					 offsetof(Elf64_Ehdr, e_shoff));
	for (uint32_t i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr program;

		if (mt_codeobj_reader_read(reader, header.e_phoff + i * sizeof(program), &program,
					   sizeof(program)))
			return mt_codeobj_reject(why, "program header table is cut off", "segment",
						 i);
		if (!extend(&extent, program.p_offset, program.p_filesz))
			return mt_codeobj_reject(why, "segment is outside the file", "segment", i);
	}
	for (uint32_t i = 1; i < header.e_shnum; i++) {
		Elf64_Shdr section;

		if (mt_codeobj_reader_read(reader, header.e_shoff + i * sizeof(section), &section,
					   sizeof(section)))
			return mt_codeobj_reject(why, "section header table is cut off", "section",
						 i);
		if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
		    !extend(&extent, section.sh_offset, section.sh_size))
			return mt_codeobj_reject(why, "section is outside the file", "section", i);
	}
	if (mt_codeobj_reader_probe(reader, 0, extent))
		return mt_codeobj_reject(why, "ELF is shorter than its tables say", "byte", extent);
	*size_out = extent;
	return MUSA_SUCCESS;
}

static MUresult check_programs(struct mt_codeobj_loader *loader)
{
	struct mt_codeobj_reason *why = loader->why;
	const Elf64_Ehdr *header = &loader->header;
	size_t table_b = header->e_phnum * sizeof(Elf64_Phdr);

	if (!header->e_phnum)
		return MUSA_SUCCESS;
	if (!mt_codeobj_within(header->e_phoff, table_b, loader->size_b))
		return mt_codeobj_reject(why, "program header table is out of range", "byte",
					 offsetof(Elf64_Ehdr, e_phoff));
	loader->programs = mt_arena_alloc(&loader->scratch, table_b, 8);
	if (!loader->programs)
		return mt_codeobj_no_memory(why);
	memcpy(loader->programs, loader->data + header->e_phoff, table_b);
	for (uint32_t i = 0; i < header->e_phnum; i++) {
		const Elf64_Phdr *program = &loader->programs[i];
		uint64_t end;

		if (!mt_codeobj_within(program->p_offset, program->p_filesz, loader->size_b))
			return mt_codeobj_reject(why, "segment is outside the file", "segment", i);
		if (program->p_align && !mt_codeobj_is_power_of_two(program->p_align))
			return mt_codeobj_reject(why, "segment alignment is no power of two",
						 "segment", i);
		if (program->p_type != PT_LOAD)
			continue;
		if (program->p_filesz > program->p_memsz)
			return mt_codeobj_reject(why, "segment is larger in the file than loaded",
						 "segment", i);
		if (__builtin_add_overflow(program->p_vaddr, program->p_memsz, &end))
			return mt_codeobj_reject(why, "segment's end overflows", "segment", i);
	}
	return MUSA_SUCCESS;
}

static MUresult check_sections(struct mt_codeobj_loader *loader)
{
	struct mt_codeobj_reason *why = loader->why;
	const Elf64_Ehdr *header = &loader->header;
	size_t table_b = header->e_shnum * sizeof(Elf64_Shdr);
	uint64_t room = loader->size_b;

	if (!mt_codeobj_within(header->e_shoff, table_b, loader->size_b))
		return mt_codeobj_reject(why, "section header table is out of range", "byte",
					 offsetof(Elf64_Ehdr, e_shoff));
	loader->sections = mt_arena_alloc(&loader->scratch, table_b, 8);
	if (!loader->sections)
		return mt_codeobj_no_memory(why);
	memcpy(loader->sections, loader->data + header->e_shoff, table_b);
	for (uint32_t i = 1; i < header->e_shnum; i++) {
		const Elf64_Shdr *section = &loader->sections[i];

		if (section->sh_addralign && !mt_codeobj_is_power_of_two(section->sh_addralign))
			return mt_codeobj_reject(why, "section alignment is no power of two",
						 "section", i);
		if (section->sh_type == SHT_NULL || section->sh_type == SHT_NOBITS)
			continue;
		if (!mt_codeobj_within(section->sh_offset, section->sh_size, loader->size_b))
			return mt_codeobj_reject(why, "section is outside the file", "section", i);
		/* Thousands of headers over the same bytes would make the work quadratic. */
		if (section->sh_size > room)
			return mt_codeobj_reject(why, "sections overlap in the file", "section", i);
		room -= section->sh_size;
	}
	return MUSA_SUCCESS;
}

static MUresult check_section_names(struct mt_codeobj_loader *loader)
{
	const Elf64_Shdr *names = &loader->sections[loader->header.e_shstrndx];

	if (loader->header.e_shstrndx == SHN_UNDEF)
		return MUSA_SUCCESS;
	if (names->sh_type != SHT_STRTAB)
		return mt_codeobj_reject(loader->why, "section name table is no string table",
					 "section", loader->header.e_shstrndx);
	for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
		if (loader->sections[i].sh_name && loader->sections[i].sh_name >= names->sh_size)
			return mt_codeobj_reject(loader->why,
						 "section name is out of the string table",
						 "section", i);
	}
	return MUSA_SUCCESS;
}

static MUresult check_executable(struct mt_codeobj_loader *loader)
{
	if (loader->header.e_type == ET_DYN) {
		for (uint32_t i = 0; i < loader->header.e_phnum; i++) {
			if (loader->programs[i].p_type == PT_LOAD &&
			    (loader->programs[i].p_flags & PF_X))
				return MUSA_SUCCESS;
		}
		return mt_codeobj_reject(loader->why, "no executable segment", "segment",
					 loader->header.e_phnum);
	}
	for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
		const Elf64_Shdr *section = &loader->sections[i];
		const uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;

		if (section->sh_type == SHT_PROGBITS && (section->sh_flags & flags) == flags)
			return MUSA_SUCCESS;
	}
	return mt_codeobj_reject(loader->why, "no executable section", "section",
				 loader->header.e_shnum);
}

MUresult mt_codeobj_elf_check(struct mt_codeobj_loader *loader)
{
	MUresult result;

	if (loader->size_b < sizeof(Elf64_Ehdr))
		return mt_codeobj_reject(loader->why, "ELF header is cut off", "byte", 0);
	memcpy(&loader->header, loader->data, sizeof(loader->header));
	result = check_header(&loader->header, loader->why);
	if (!result)
		result = check_programs(loader);
	if (!result)
		result = check_sections(loader);
	if (!result)
		result = check_section_names(loader);
	if (!result)
		result = check_executable(loader);
	if (result)
		return result;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return mt_codeobj_reject(loader->why, "libelf does not know this ELF version",
					 "byte", EI_VERSION);
	/* libelf only reads the copy; the cast is its signature's. */
	loader->elf = elf_memory((char *)(uintptr_t)loader->data, (size_t)loader->size_b);
	if (!loader->elf)
		return mt_codeobj_no_memory(loader->why);
	return MUSA_SUCCESS;
}

MUresult mt_codeobj_elf_data(struct mt_codeobj_loader *loader, uint32_t section,
			     const uint8_t **data_out, uint64_t *size_out)
{
	Elf_Scn *scn = elf_getscn(loader->elf, section);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	if (!data)
		return mt_codeobj_reject(loader->why, "section cannot be read", "section", section);
	*data_out = data->d_buf;
	*size_out = data->d_buf ? data->d_size : 0;
	return MUSA_SUCCESS;
}

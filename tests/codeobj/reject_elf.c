/* SPDX-License-Identifier: MIT */
/*
 * Malformed ELF headers, tables, symbols and relocations: each is refused for its own reason.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codeobj/samples.h"

typedef void damage_fn(struct cob_buf *elf);

struct row {
	const char *row;
	uint16_t type, machine;
	damage_fn *damage;
	const char *text;
};

#define DYN        ET_DYN, 62
#define REL        ET_REL, 62
#define VENDOR     ET_DYN, 253
#define VENDOR_REL ET_REL, 253
#define DAMAGE(name, statement)                                                                    \
	static void name(struct cob_buf *elf)                                                      \
	{                                                                                          \
		statement;                                                                         \
	}

static void run_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct cob_buf elf = {0};

		sample_rich(&elf, rows[i].type, rows[i].machine);
		if (rows[i].machine == 253) {
			cob_free(&elf);
			char *meta = cob_replace(sample_rich_metadata, "900", "310");
			char *both = cob_replace(meta, "900", "310");

			sample_rich_with(&elf, rows[i].type, 253, both);
			free(meta);
			free(both);
		}
		rows[i].damage(&elf);
		sample_expect_reject(&elf, rows[i].row, rows[i].text);
		cob_free(&elf);
	}
}

#define RUN(rows) run_rows(rows, sizeof(rows) / sizeof((rows)[0]))

DAMAGE(bad_class, elf->data[EI_CLASS] = ELFCLASS32)
DAMAGE(bad_order, elf->data[EI_DATA] = ELFDATA2MSB)
DAMAGE(bad_ident_version, elf->data[EI_VERSION] = 2)
DAMAGE(bad_version, cob_ehdr(elf)->e_version = 2)
DAMAGE(bad_machine, cob_ehdr(elf)->e_machine = EM_AARCH64)
DAMAGE(machine_0, cob_ehdr(elf)->e_machine = 0)
DAMAGE(type_exec, cob_ehdr(elf)->e_type = ET_EXEC)
DAMAGE(type_none, cob_ehdr(elf)->e_type = ET_NONE)
DAMAGE(type_core, cob_ehdr(elf)->e_type = ET_CORE)
DAMAGE(ehsize_0, cob_ehdr(elf)->e_ehsize = 0)
DAMAGE(phentsize_32, cob_ehdr(elf)->e_phentsize = 32)
DAMAGE(shentsize_40, cob_ehdr(elf)->e_shentsize = 40)
DAMAGE(no_sections, cob_ehdr(elf)->e_shnum = 0)
DAMAGE(no_section_table, cob_ehdr(elf)->e_shoff = 0)
DAMAGE(phoff_overflow, cob_ehdr(elf)->e_phoff = UINT64_MAX - 10)
DAMAGE(shoff_overflow, cob_ehdr(elf)->e_shoff = UINT64_MAX - 10)
DAMAGE(names_out_of_range, cob_ehdr(elf)->e_shstrndx = cob_ehdr(elf)->e_shnum)
DAMAGE(names_extended, cob_ehdr(elf)->e_shstrndx = SHN_XINDEX)
DAMAGE(names_no_table, cob_ehdr(elf)->e_shstrndx = (uint16_t)cob_shndx(elf, ".text"))
DAMAGE(section_name, cob_shdr(elf, ".text")->sh_name = 100000)
DAMAGE(section_overflow, cob_shdr(elf, ".comment")->sh_offset = UINT64_MAX - 3)
DAMAGE(section_align, cob_shdr(elf, ".text")->sh_addralign = 3)
DAMAGE(bss_align, cob_shdr(elf, ".bss")->sh_addralign = 48)
DAMAGE(segment_overflow, cob_phdr(elf, PT_NOTE, 0)->p_offset = UINT64_MAX - 3)
DAMAGE(segment_align, cob_phdr(elf, PT_LOAD, 0)->p_align = 0x1001)
DAMAGE(note_segment_align, cob_phdr(elf, PT_NOTE, 0)->p_align = 12)
DAMAGE(huge_align, cob_phdr(elf, PT_LOAD, 0)->p_align = 1u << 30)
DAMAGE(huge_section_align, cob_shdr(elf, ".data")->sh_addralign = 1u << 30)
DAMAGE(small_memory, cob_phdr(elf, PT_LOAD, PF_R | PF_X)->p_memsz = 1)
DAMAGE(memory_overflow, cob_phdr(elf, PT_LOAD, PF_R | PF_X)->p_memsz = UINT64_MAX)
DAMAGE(not_executable, cob_phdr(elf, PT_LOAD, PF_R | PF_X)->p_flags = PF_R)
DAMAGE(section_not_executable, cob_shdr(elf, ".text")->sh_flags = SHF_ALLOC)
DAMAGE(overlap, cob_phdr(elf, PT_LOAD, PF_R)->p_memsz = 1u << 20)
DAMAGE(sections_overlap, cob_shdr(elf, ".comment")->sh_offset = 0;
       cob_shdr(elf, ".comment")->sh_size = elf->size - 100)

static void bss_overflow(struct cob_buf *elf)
{
	cob_shdr(elf, ".bss")->sh_size = UINT64_MAX - 100;
}

static void section_outside(struct cob_buf *elf)
{
	/* Behind everything, in memory that is readable: only a file knows better. */
	cob_shdr(elf, ".debug_info")->sh_size = UINT64_MAX / 2;
}

Test(codeobj_reject_elf, header_and_tables)
{
	static const struct row rows[] = {
		{"class", DYN, bad_class, "ELF class is not 64 bits"},
		{"byte order", DYN, bad_order, "ELF is not little-endian"},
		{"ident version", DYN, bad_ident_version, "ELF version is not 1"},
		{"version", DYN, bad_version, "ELF version is not 1"},
		{"machine", DYN, bad_machine, "ELF machine is no MUSA device"},
		{"machine 0", DYN, machine_0, "ELF machine is no MUSA device"},
		{"type EXEC", DYN, type_exec, "ELF type is neither DYN nor REL"},
		{"type NONE", DYN, type_none, "ELF type is neither DYN nor REL"},
		{"type CORE", VENDOR, type_core, "ELF type is neither DYN nor REL"},
		{"header size", DYN, ehsize_0, "ELF header size is not 64"},
		{"program header size", DYN, phentsize_32, "program header size is not 56"},
		{"section header size", DYN, shentsize_40, "section header size is not 64"},
		{"no sections", DYN, no_sections, "no usable section header table"},
		{"no section table", DYN, no_section_table, "no usable section header table"},
		{"program table", DYN, phoff_overflow, "program header table is out of range"},
		{"section table", DYN, shoff_overflow, "section header table is out of range"},
		{"section names", DYN, names_out_of_range, "section name table is out of range"},
		{"extended names", DYN, names_extended, "section name table is out of range"},
		{"names not STRTAB", DYN, names_no_table, "section name table is no string table"},
		{"section name", DYN, section_name, "section name is out of the string table"},
		{"section end", DYN, section_overflow, "section is outside the file"},
		{"section size", DYN, section_outside, "ELF is shorter than its tables say"},
		{"sections overlap", DYN, sections_overlap, "sections overlap in the file"},
		{"section alignment", DYN, section_align, "section alignment is no power of two"},
		{"bss alignment", REL, bss_align, "section alignment is no power of two"},
	};

	RUN(rows);
}

Test(codeobj_reject_elf, segments)
{
	static const struct row rows[] = {
		{"segment end", DYN, segment_overflow, "segment is outside the file"},
		{"LOAD alignment", DYN, segment_align, "segment alignment is no power of two"},
		{"NOTE alignment", DYN, note_segment_align, "segment alignment is no power of two"},
		{"1 GiB alignment", DYN, huge_align, "alignment is above 2 MiB"},
		{"1 GiB section alignment", REL, huge_section_align, "alignment is above 2 MiB"},
		{"filesz > memsz", DYN, small_memory, "segment is larger in the file than loaded"},
		{"memsz", DYN, memory_overflow, "segment's end overflows"},
		{"no executable LOAD", DYN, not_executable, "no executable segment"},
		{"no executable section", REL, section_not_executable, "no executable section"},
		{"no executable LOAD, vendor", VENDOR, not_executable, "no executable segment"},
		{"LOADs overlap", DYN, overlap, "segments overlap in memory"},
		{"image size", REL, bss_overflow, "image size overflows"},
	};

	RUN(rows);
}

/* Inside a bundle the end is known, and readable memory behind it does not help. */
Test(codeobj_reject_elf, member_ends_where_its_entry_says)
{
	static const struct {
		const char *row, *text;
		int which;
	} rows[] = {
		{"section table", "section header table is out of range", 0},
		{"program table", "program header table is out of range", 1},
		{"section", "section is outside the file", 2},
		{"segment", "segment is outside the file", 3},
		{"header", "ELF header is cut off", 4},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cob_buf elf = {0}, bundle = {0};

		sample_rich(&elf, ET_DYN, 62);
		if (rows[i].which == 0)
			cob_ehdr(&elf)->e_shoff += 8;
		else if (rows[i].which == 1)
			cob_ehdr(&elf)->e_phoff = elf.size - 16;
		else if (rows[i].which == 2)
			cob_shdr(&elf, ".comment")->sh_offset = elf.size - 4;
		else if (rows[i].which == 3)
			cob_phdr(&elf, PT_NOTE, 0)->p_offset = elf.size - 4;
		else
			elf.size = 63;
		cob_bundle(&bundle, (const struct cob_member[]){{COB_ID_MOCK, &elf}}, 1);
		cob_zero(&bundle, 65536);
		sample_expect_reject(&bundle, rows[i].row, rows[i].text);
		cob_free(&elf);
		cob_free(&bundle);
	}
}

DAMAGE(symbol_name, cob_sym(elf, ".dynsym", "not_a_kernel")->st_name = 1u << 20)
DAMAGE(local_name, cob_sym(elf, ".symtab", "helper")->st_name = 1u << 20)
DAMAGE(symbol_section, cob_sym(elf, ".dynsym", "not_a_kernel")->st_shndx = 999)
DAMAGE(symbol_extended, cob_sym(elf, ".symtab", "helper")->st_shndx = SHN_XINDEX)
DAMAGE(undefined_function, cob_sym(elf, ".dynsym", "not_a_kernel")->st_shndx = SHN_UNDEF)
DAMAGE(undefined_object, cob_sym(elf, ".symtab", "counter")->st_shndx = SHN_UNDEF)
DAMAGE(common_object, cob_sym(elf, ".symtab", "counter")->st_shndx = SHN_COMMON)
DAMAGE(entry_size, cob_shdr(elf, ".dynsym")->sh_entsize = 16)
DAMAGE(table_size, cob_shdr(elf, ".dynsym")->sh_size -= 8)
DAMAGE(table_link, cob_shdr(elf, ".symtab")->sh_link = 999)
DAMAGE(table_link_type, cob_shdr(elf, ".dynsym")->sh_link = cob_shndx(elf, ".text"))
DAMAGE(strings_end,
       elf->data[cob_shdr(elf, ".dynstr")->sh_offset + cob_shdr(elf, ".dynstr")->sh_size - 1] = 'x')
DAMAGE(two_tables, cob_shdr(elf, ".symtab")->sh_type = SHT_DYNSYM;
       cob_shdr(elf, ".debug_info")->sh_type = SHT_DYNSYM)
DAMAGE(variable_start, cob_sym(elf, ".dynsym", "counter")->st_value -= 4096)
DAMAGE(variable_end, cob_sym(elf, ".dynsym", "counter")->st_size = 1000)
DAMAGE(variable_overflow, cob_sym(elf, ".dynsym", "table")->st_size = UINT64_MAX - 8)
DAMAGE(variable_rel, cob_sym(elf, ".symtab", "counter")->st_value = 60)
DAMAGE(variable_unloaded,
       cob_sym(elf, ".symtab", "counter")->st_shndx = (uint16_t)cob_shndx(elf, ".debug_info"))
DAMAGE(kernel_gone, cob_sym(elf, ".dynsym", "beta")->st_name = 0)
DAMAGE(kernel_local, cob_sym(elf, ".symtab", "beta")->st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC))
DAMAGE(kernel_object,
       cob_sym(elf, ".dynsym", "beta")->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE))
DAMAGE(kernel_empty, cob_sym(elf, ".dynsym", "beta")->st_size = 0)
DAMAGE(kernel_start, cob_sym(elf, ".dynsym", "beta")->st_value -= 4096)
DAMAGE(kernel_end, cob_sym(elf, ".dynsym", "beta")->st_size = 2000)
DAMAGE(kernel_overflow, cob_sym(elf, ".symtab", "beta")->st_size = UINT64_MAX)
DAMAGE(kernel_in_data,
       cob_sym(elf, ".symtab", "beta")->st_shndx = (uint16_t)cob_shndx(elf, ".data"))
DAMAGE(kernel_absolute, cob_sym(elf, ".dynsym", "beta")->st_shndx = SHN_ABS)
DAMAGE(calc_gone, cob_sym(elf, ".dynsym", "alpha_ConstCalcProg")->st_name = 0)
DAMAGE(calc_outside, cob_sym(elf, ".dynsym", "alpha_ConstCalcProg")->st_size = 5000)
DAMAGE(calc_empty, cob_sym(elf, ".symtab", "alpha_ConstCalcProg")->st_size = 0)
DAMAGE(shared_large, cob_sym(elf, ".symtab", "llvm.musa.kernel.alpha.sm")->st_size = 125)
DAMAGE(shared_huge, cob_sym(elf, ".symtab", "llvm.musa.kernel.alpha.sm")->st_size = UINT64_MAX)

Test(codeobj_reject_elf, symbols)
{
	static const struct row rows[] = {
		{"name", DYN, symbol_name, "symbol name is out of the string table"},
		{"local name", DYN, local_name, "symbol name is out of the string table"},
		{"local name, REL", REL, local_name, "symbol name is out of the string table"},
		{"section", DYN, symbol_section, "symbol's section is out of range"},
		{"extended section", REL, symbol_extended, "symbol's section is out of range"},
		{"undefined global", DYN, undefined_function, "undefined global symbol"},
		{"undefined global, REL", REL, undefined_object, "undefined global symbol"},
		{"undefined, vendor", VENDOR, undefined_function, "undefined global symbol"},
		{"common", REL, common_object, "common symbol"},
		{"entry size", DYN, entry_size, "symbol table's entry size is not 24"},
		{"table size", DYN, table_size, "symbol table's entry size is not 24"},
		{"string table", REL, table_link, "symbol table has no string table"},
		{"not STRTAB", DYN, table_link_type, "symbol table has no string table"},
		{"unterminated", DYN, strings_end, "string table is not terminated"},
		{"two tables", REL, two_tables, "second symbol table of one kind"},
		{"variable start", DYN, variable_start, "variable is outside its section"},
		{"variable end", DYN, variable_end, "variable is outside its section"},
		{"variable overflow", DYN, variable_overflow, "variable is outside its section"},
		{"variable, REL", REL, variable_rel, "variable is outside its section"},
		{"variable not loaded", REL, variable_unloaded, "variable is outside its section"},
	};

	RUN(rows);
}

Test(codeobj_reject_elf, kernel_symbols)
{
	static const struct row rows[] = {
		{"no symbol", DYN, kernel_gone, "no function symbol for the kernel"},
		{"local", REL, kernel_local, "no function symbol for the kernel"},
		{"no function", DYN, kernel_object, "no function symbol for the kernel"},
		{"no function, vendor", VENDOR, kernel_object, "no function symbol for the kernel"},
		{"absolute", DYN, kernel_absolute, "no function symbol for the kernel"},
		{"size 0", DYN, kernel_empty, "kernel's symbol has size 0"},
		{"before the code", DYN, kernel_start, "kernel's symbol is outside the code"},
		{"past the code", DYN, kernel_end, "kernel's symbol is outside the code"},
		{"past the code, vendor", VENDOR, kernel_end,
		 "kernel's symbol is outside the code"},
		{"overflow", REL, kernel_overflow, "kernel's symbol is outside the code"},
		{"in data", REL, kernel_in_data, "kernel's symbol is outside the code"},
		{"no program", DYN, calc_gone, "no symbol for the constant-calculation program"},
		{"program outside", DYN, calc_outside,
		 "no symbol for the constant-calculation program"},
		{"program empty", REL, calc_empty,
		 "no symbol for the constant-calculation program"},
		{"shared memory", DYN, shared_large,
		 "shared memory is smaller than the kernel's symbol for it"},
		{"shared memory, vendor", VENDOR_REL, shared_huge,
		 "shared memory is smaller than the kernel's symbol for it"},
	};

	RUN(rows);
}

static Elf64_Rela *rela(struct cob_buf *elf, const char *table, size_t index)
{
	return (Elf64_Rela *)(void *)(elf->data + cob_shdr(elf, table)->sh_offset) + index;
}

static void set_type(Elf64_Rela *entry, uint32_t type)
{
	entry->r_info = ELF64_R_INFO(ELF64_R_SYM(entry->r_info), type);
}

static void set_symbol(Elf64_Rela *entry, uint64_t symbol)
{
	entry->r_info = ELF64_R_INFO(symbol, ELF64_R_TYPE(entry->r_info));
}

/* Makes the debug relocations count: against a loaded section after all. */
static void load_debug_relocs(struct cob_buf *elf)
{
	cob_shdr(elf, ".rela.debug_info")->sh_info = cob_shndx(elf, ".data");
	rela(elf, ".rela.debug_info", 0)->r_offset = cob_shdr(elf, ".data")->sh_addr;
}

static void undefined_target(struct cob_buf *elf)
{
	uint64_t at = cob_shdr(elf, ".symtab")->sh_offset;
	uint64_t symbol = ((uint8_t *)cob_sym(elf, ".symtab", "sdata") - (elf->data + at)) / 24;

	set_symbol(rela(elf, ".rela.data", 0), symbol);
}

static void unloaded_target(struct cob_buf *elf)
{
	cob_sym(elf, ".symtab", "helper")->st_shndx = (uint16_t)cob_shndx(elf, ".debug_info");
	cob_sym(elf, ".symtab", "helper")->st_value = 0;
}

static void absolute_distance(struct cob_buf *elf)
{
	cob_sym(elf, ".symtab", "helper")->st_shndx = SHN_ABS;
}

/* .data gets a hole at its end: inside the segment, but in no section. */
static void place_in_hole(struct cob_buf *elf)
{
	cob_shdr(elf, ".data")->sh_size -= 4;
}

static Elf64_Dyn *dynamic(struct cob_buf *elf, size_t index)
{
	return (Elf64_Dyn *)(void *)(elf->data + cob_shdr(elf, ".dynamic")->sh_offset) + index;
}

static void hidden_table(struct cob_buf *elf)
{
	dynamic(elf, 0)->d_tag = DT_RELA;
	dynamic(elf, 0)->d_un.d_ptr = cob_shdr(elf, ".data")->sh_addr;
	dynamic(elf, 1)->d_tag = DT_RELASZ;
	dynamic(elf, 1)->d_un.d_val = 24;
}

static void hidden_plt(struct cob_buf *elf)
{
	hidden_table(elf);
	dynamic(elf, 0)->d_tag = DT_JMPREL;
	dynamic(elf, 1)->d_tag = DT_PLTRELSZ;
}

DAMAGE(type_32, set_type(rela(elf, ".rela.dyn", 1), R_X86_64_32))
DAMAGE(type_unknown, set_type(rela(elf, ".rela.dyn", 1), 200))
DAMAGE(type_irelative, set_type(rela(elf, ".rela.dyn", 0), R_X86_64_IRELATIVE))
DAMAGE(type_plt, set_type(rela(elf, ".rela.dyn", 1), R_X86_64_PLT32))
DAMAGE(type_relative, set_type(rela(elf, ".rela.data", 0), R_X86_64_RELATIVE))
DAMAGE(type_gotpcrel, set_type(rela(elf, ".rela.text", 0), R_X86_64_GOTPCREL))
DAMAGE(symbol_range, set_symbol(rela(elf, ".rela.dyn", 1), 1000))
DAMAGE(symbol_range_rel, set_symbol(rela(elf, ".rela.text", 1), 1000))
DAMAGE(place_before, rela(elf, ".rela.dyn", 0)->r_offset = UINT64_MAX - 2)
DAMAGE(place_between, rela(elf, ".rela.dyn", 0)->r_offset = cob_phdr(elf, PT_LOAD, PF_R)->p_memsz)
DAMAGE(place_straddles, rela(elf, ".rela.dyn", 0)->r_offset = cob_shdr(elf, ".data")->sh_addr +
							      cob_shdr(elf, ".data")->sh_size - 7)
DAMAGE(place_rel, rela(elf, ".rela.data", 0)->r_offset = 57)
DAMAGE(place_rel_overflow, rela(elf, ".rela.text", 0)->r_offset = UINT64_MAX - 1)
DAMAGE(distance_large, rela(elf, ".rela.text", 0)->r_addend = INT64_C(1) << 32)
DAMAGE(entry_size_rela, cob_shdr(elf, ".rela.dyn")->sh_entsize = 16)
DAMAGE(table_size_rela, cob_shdr(elf, ".rela.dyn")->sh_size -= 8)
DAMAGE(rel_format, cob_shdr(elf, ".rela.data")->sh_type = SHT_REL)
DAMAGE(relr_format, cob_shdr(elf, ".rela.dyn")->sh_type = SHT_RELR)
DAMAGE(hidden_relr, dynamic(elf, 0)->d_tag = DT_RELR)
DAMAGE(hidden_rel, dynamic(elf, 3)->d_tag = DT_REL)
DAMAGE(info_range, cob_shdr(elf, ".rela.debug_info")->sh_info = 999)

Test(codeobj_reject_elf, relocations)
{
	static const struct row rows[] = {
		{"absolute 32", DYN, type_32, "relocation type is not known"},
		{"type 200", DYN, type_unknown, "relocation type is not known"},
		{"IRELATIVE", DYN, type_irelative, "relocation type is not known"},
		{"PLT32 when linked", DYN, type_plt, "relocation type is not known"},
		{"RELATIVE when unlinked", REL, type_relative, "relocation type is not known"},
		{"GOTPCREL", REL, type_gotpcrel, "relocation type is not known"},
		{"symbol", DYN, symbol_range, "relocation's symbol is out of range"},
		{"symbol, REL", REL, symbol_range_rel, "relocation's symbol is out of range"},
		{"undefined local", REL, undefined_target,
		 "relocation against an undefined symbol"},
		{"symbol not loaded", REL, unloaded_target,
		 "relocation against a symbol that is not loaded"},
		{"distance to absolute", REL, absolute_distance,
		 "distance to a symbol outside the image"},
		{"place wraps", DYN, place_before, "relocation is outside its section"},
		{"place between", DYN, place_between, "relocation is outside its section"},
		{"place straddles", DYN, place_straddles, "relocation is outside its section"},
		{"place in a hole", DYN, place_in_hole, "relocation is outside its section"},
		{"place, REL", REL, place_rel, "relocation is outside its section"},
		{"place wraps, REL", REL, place_rel_overflow, "relocation is outside its section"},
		{"distance", REL, distance_large, "relocation does not fit 32 bits"},
		{"entry size", DYN, entry_size_rela, "relocation table's entry size is not 24"},
		{"table size", DYN, table_size_rela, "relocation table's entry size is not 24"},
		{"REL format", REL, rel_format, "relocation format is not RELA"},
		{"RELR format", DYN, relr_format, "relocation format is not RELA"},
		{"DT_RELA alone", DYN, hidden_table, "relocation table has no section header"},
		{"DT_JMPREL alone, vendor", VENDOR, hidden_plt,
		 "relocation table has no section header"},
		{"DT_RELR alone", DYN, hidden_relr, "relocation format is not RELA"},
		{"DT_REL alone, vendor", VENDOR, hidden_rel, "relocation format is not RELA"},
		{"section", DYN, info_range, "relocated section is out of range"},
		{"debug, now loaded", DYN, load_debug_relocs, "relocation type is not known"},
		{"debug, now loaded, REL", REL, load_debug_relocs, "relocation type is not known"},
	};

	RUN(rows);
}

/* The vendor's relocation numbers are unknown: any is refused, if it is against loaded bytes. */
Test(codeobj_reject_elf, vendor_relocations)
{
	static const uint32_t types[] = {1, 2, 3, 6, 8, 255};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		for (int loaded = 0; loaded < 2; loaded++) {
			const struct cob_reloc reloc = {
				loaded ? COB_DATA : COB_DEBUG, 8, types[i], "beta", 0, COB_UNDEF};
			char *once = cob_replace(sample_rich_metadata, "900", "310");
			char *meta = cob_replace(once, "900", "310");
			struct cob_elf description;
			struct cob_buf elf = {0};

			sample_rich_describe(&description, i % 2 ? ET_DYN : ET_REL, 253);
			description.relocs = &reloc;
			description.reloc_count = 1;
			description.metadata = meta;
			cob_elf(&elf, &description);
			if (loaded)
				sample_expect_reject(&elf, "vendor",
						     "relocation type is not known");
			else
				sample_expect_accept(&elf, 310, "vendor");
			cob_free(&elf);
			free(once);
			free(meta);
		}
	}
}

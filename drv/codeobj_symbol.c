/* SPDX-License-Identifier: MIT */
/*
 * Reads the symbol tables: functions that may be kernels, sizes of static shared memory, and the
 * variables of the code object.
 */
#include <stdlib.h>

#include "drv/codeobj_internal.h"

/* Names may share bytes of the string table; this bounds the work when they share too many. */
#define NAME_BUDGET_FACTOR 4u
#define NAME_BUDGET_BASE_B 65536u

struct table {
	uint32_t section;
	const uint8_t *symbols;
	uint64_t count;
	const char *strings;
	uint64_t strings_b;
	bool exported; /* functions and variables are taken from this one */
	bool shared;   /* sizes of shared memory are taken from this one */
};

struct variables {
	struct mt_codeobj_symbol *list;
	uint32_t count;
};

static const char *const shared_prefixes[] = {"llvm.musa.kernel.", "llvm.mtgpu.kernel."};

static Elf64_Sym symbol_at(const uint8_t *symbols, uint64_t index)
{
	Elf64_Sym symbol;

	memcpy(&symbol, symbols + index * sizeof(symbol), sizeof(symbol));
	return symbol;
}

static MUresult open_table(struct mt_codeobj_loader *loader, uint32_t section, struct table *table)
{
	const Elf64_Shdr *header = &loader->sections[section];
	const uint8_t *strings;
	uint64_t size_b;
	MUresult result;

	if (header->sh_entsize != sizeof(Elf64_Sym) || header->sh_size % sizeof(Elf64_Sym))
		return mt_codeobj_reject(loader->why, "symbol table's entry size is not 24",
					 "section", section);
	if (header->sh_link >= loader->header.e_shnum ||
	    loader->sections[header->sh_link].sh_type != SHT_STRTAB)
		return mt_codeobj_reject(loader->why, "symbol table has no string table", "section",
					 section);
	result = mt_codeobj_elf_data(loader, section, &table->symbols, &size_b);
	if (result)
		return result;
	table->section = section;
	table->count = size_b / sizeof(Elf64_Sym);
	if (table->count > UINT32_MAX / 2)
		return mt_codeobj_reject(loader->why, "too many symbols", "section", section);
	result = mt_codeobj_elf_data(loader, header->sh_link, &strings, &table->strings_b);
	if (result)
		return result;
	table->strings = (const char *)strings;
	if (table->strings_b && table->strings[table->strings_b - 1])
		return mt_codeobj_reject(loader->why, "string table is not terminated", "section",
					 header->sh_link);
	return MUSA_SUCCESS;
}

static MUresult check_symbol(struct mt_codeobj_loader *loader, const struct table *table,
			     const Elf64_Sym *symbol, uint64_t index)
{
	uint32_t bind = ELF64_ST_BIND(symbol->st_info);

	if (symbol->st_name && symbol->st_name >= table->strings_b)
		return mt_codeobj_reject(loader->why, "symbol name is out of the string table",
					 "symbol", index);
	if (symbol->st_shndx == SHN_ABS || symbol->st_shndx == SHN_COMMON)
		return MUSA_SUCCESS;
	if (symbol->st_shndx >= loader->header.e_shnum)
		return mt_codeobj_reject(loader->why, "symbol's section is out of range", "symbol",
					 index);
	if (symbol->st_shndx == SHN_UNDEF && bind == STB_GLOBAL && index) {
		const char *name = symbol->st_name ? table->strings + symbol->st_name : "";

		return mt_codeobj_reject_named(loader->why, "undefined global symbol", "symbol",
					       index, name, strnlen(name, 256));
	}
	return MUSA_SUCCESS;
}

static MUresult symbol_name(struct mt_codeobj_loader *loader, const struct table *table,
			    const Elf64_Sym *symbol, uint64_t index, const char **name_out,
			    size_t *name_b_out)
{
	uint64_t limit = table->strings_b - symbol->st_name;
	size_t name_b;

	if (!symbol->st_name) {
		*name_out = "";
		*name_b_out = 0;
		return MUSA_SUCCESS;
	}
	if (limit > loader->name_budget_b)
		limit = loader->name_budget_b;
	name_b = strnlen(table->strings + symbol->st_name, (size_t)limit);
	if (name_b == limit)
		return mt_codeobj_reject(loader->why, "symbol names share too many bytes", "symbol",
					 index);
	loader->name_budget_b -= name_b + 1;
	*name_out = table->strings + symbol->st_name;
	*name_b_out = name_b;
	return MUSA_SUCCESS;
}

/* Length of the prefix if this is the symbol of a kernel's static shared memory, else 0. */
static size_t shared_prefix(const char *name, size_t name_b)
{
	for (size_t i = 0; i < sizeof(shared_prefixes) / sizeof(shared_prefixes[0]); i++) {
		size_t prefix_b = strlen(shared_prefixes[i]);

		if (name_b > prefix_b + 3 && memcmp(name, shared_prefixes[i], prefix_b) == 0 &&
		    memcmp(name + name_b - 3, ".sm", 3) == 0)
			return prefix_b;
	}
	return 0;
}

static MUresult add_shared(struct mt_codeobj_loader *loader, const Elf64_Sym *symbol,
			   uint64_t index, const char *name, size_t name_b)
{
	char *copy = mt_arena_alloc(&loader->scratch, name_b + 1, 1);

	if (!copy)
		return mt_codeobj_no_memory(loader->why);
	memcpy(copy, name, name_b);
	loader->shared[loader->shared_count++] = (struct mt_codeobj_symbol){
		.name = copy,
		.size_b = symbol->st_size,
		.index = (uint32_t)index,
	};
	return MUSA_SUCCESS;
}

static void add_function(struct mt_codeobj_loader *loader, const Elf64_Sym *symbol, uint64_t index,
			 const char *name)
{
	const Elf64_Shdr *section = &loader->sections[symbol->st_shndx];
	struct mt_codeobj_symbol *function = &loader->functions[loader->function_count++];

	*function = (struct mt_codeobj_symbol){
		.name = name,
		.size_b = symbol->st_size,
		.index = (uint32_t)index,
	};
	/* A bad range matters only if the function turns out to be a kernel. */
	if (!(section->sh_flags & SHF_EXECINSTR) ||
	    !mt_codeobj_image_place(loader, symbol->st_shndx, symbol->st_value, symbol->st_size,
				    &function->offset_b) ||
	    !mt_codeobj_image_covers(loader->codeobj, function->offset_b, symbol->st_size,
				     MT_CODEOBJ_SEGMENT_EXEC))
		function->offset_b = MT_CODEOBJ_NONE;
}

static MUresult add_variable(struct mt_codeobj_loader *loader, const Elf64_Sym *symbol,
			     uint64_t index, const char *name, struct variables *variables)
{
	struct mt_codeobj_symbol *variable = &variables->list[variables->count];

	*variable = (struct mt_codeobj_symbol){
		.name = name,
		.size_b = symbol->st_size,
		.index = (uint32_t)index,
	};
	if (!mt_codeobj_image_place(loader, symbol->st_shndx, symbol->st_value, symbol->st_size,
				    &variable->offset_b))
		return mt_codeobj_reject_named(loader->why, "variable is outside its section",
					       "symbol", index, name, strnlen(name, 256));
	variables->count++;
	return MUSA_SUCCESS;
}

static MUresult take_symbol(struct mt_codeobj_loader *loader, const struct table *table,
			    uint64_t index, struct variables *variables)
{
	Elf64_Sym symbol = symbol_at(table->symbols, index);
	uint32_t bind = ELF64_ST_BIND(symbol.st_info), type = ELF64_ST_TYPE(symbol.st_info);
	uint32_t visibility = ELF64_ST_VISIBILITY(symbol.st_other);
	bool global = (bind == STB_GLOBAL || bind == STB_WEAK) && visibility != STV_HIDDEN &&
		      visibility != STV_INTERNAL;
	const char *name = "";
	size_t name_b = 0, prefix_b;
	MUresult result = check_symbol(loader, table, &symbol, index);

	if (result || symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT))
		return result;
	if (type == STT_FUNC && !(global && table->exported))
		return MUSA_SUCCESS;
	result = symbol_name(loader, table, &symbol, index, &name, &name_b);
	if (result)
		return result;
	if (type == STT_FUNC) {
		if (symbol.st_shndx < loader->header.e_shnum)
			add_function(loader, &symbol, index, name);
		return MUSA_SUCCESS;
	}
	prefix_b = shared_prefix(name, name_b);
	if (prefix_b)
		return table->shared ? add_shared(loader, &symbol, index, name + prefix_b,
						  name_b - prefix_b - 3)
				     : MUSA_SUCCESS;
	if (symbol.st_shndx == SHN_COMMON)
		return mt_codeobj_reject_named(loader->why, "common symbol", "symbol", index, name,
					       name_b);
	if (!global || !table->exported || symbol.st_shndx == SHN_ABS)
		return MUSA_SUCCESS;
	return add_variable(loader, &symbol, index, name, variables);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct mt_codeobj_symbol *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	return x->index < y->index ? -1 : x->index > y->index;
}

static MUresult publish_variables(struct mt_codeobj_loader *loader,
				  const struct variables *variables)
{
	struct mt_codeobj_variable *list;

	list = mt_arena_alloc(loader->arena, (variables->count + 1u) * sizeof(*list), 8);
	if (!list)
		return mt_codeobj_no_memory(loader->why);
	for (uint32_t i = 0; i < variables->count; i++) {
		/* Names lie in the private copy, which the code object keeps. */
		list[i] = (struct mt_codeobj_variable){
			.name = variables->list[i].name,
			.offset_b = variables->list[i].offset_b,
			.size_b = variables->list[i].size_b,
		};
	}
	loader->codeobj->variables = list;
	loader->codeobj->variable_count = variables->count;
	return MUSA_SUCCESS;
}

/* Finds the tables: .dynsym counts in a linked object, .symtab in an unlinked one. */
static MUresult find_tables(struct mt_codeobj_loader *loader, struct table tables[2],
			    uint32_t *count_out)
{
	bool linked = loader->codeobj->linked, seen[2] = {false, false};

	*count_out = 0;
	for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
		bool dynamic = loader->sections[i].sh_type == SHT_DYNSYM;
		struct table *table = &tables[*count_out];
		MUresult result;

		if (!dynamic && loader->sections[i].sh_type != SHT_SYMTAB)
			continue;
		if (seen[dynamic])
			return mt_codeobj_reject(loader->why, "second symbol table of one kind",
						 "section", i);
		seen[dynamic] = true;
		if (dynamic && !linked)
			continue;
		result = open_table(loader, i, table);
		if (result)
			return result;
		table->exported = dynamic == linked;
		table->shared = !dynamic;
		if (table->exported) {
			loader->symtab = i;
			loader->symbol_data = table->symbols;
			loader->symbol_count = table->count;
		}
		(*count_out)++;
	}
	return MUSA_SUCCESS;
}

MUresult mt_codeobj_symbols_read(struct mt_codeobj_loader *loader)
{
	struct variables variables = {0};
	struct table tables[2] = {0};
	uint64_t room = 1;
	uint32_t count;
	MUresult result = find_tables(loader, tables, &count);

	if (result)
		return result;
	for (uint32_t t = 0; t < count; t++)
		room += tables[t].count;
	loader->functions = mt_arena_alloc(&loader->scratch, room * sizeof(*loader->functions), 8);
	loader->shared = mt_arena_alloc(&loader->scratch, room * sizeof(*loader->shared), 8);
	variables.list = mt_arena_alloc(&loader->scratch, room * sizeof(*variables.list), 8);
	if (!loader->functions || !loader->shared || !variables.list)
		return mt_codeobj_no_memory(loader->why);
	if (__builtin_mul_overflow(loader->size_b, NAME_BUDGET_FACTOR, &loader->name_budget_b) ||
	    __builtin_add_overflow(loader->name_budget_b, NAME_BUDGET_BASE_B,
				   &loader->name_budget_b))
		loader->name_budget_b = UINT64_MAX;

	for (uint32_t t = 0; t < count; t++) {
		for (uint64_t i = 0; i < tables[t].count; i++) {
			result = take_symbol(loader, &tables[t], i, &variables);
			if (result)
				return result;
		}
	}
	qsort(loader->functions, loader->function_count, sizeof(*loader->functions),
	      compare_symbols);
	qsort(loader->shared, loader->shared_count, sizeof(*loader->shared), compare_symbols);
	qsort(variables.list, variables.count, sizeof(*variables.list), compare_symbols);
	return publish_variables(loader, &variables);
}

const struct mt_codeobj_symbol *mt_codeobj_symbol_find(const struct mt_codeobj_symbol *symbols,
						       uint32_t count, const char *name)
{
	uint32_t low = 0, high = count;

	/* The first of equal names, so that the answer does not depend on the search. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(symbols[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && strcmp(symbols[low].name, name) == 0 ? &symbols[low] : NULL;
}

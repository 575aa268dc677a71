/* SPDX-License-Identifier: MIT */
/* Looks places up with elfutils' libdwfl: symbols and lines of modules on disk, no process needed. */
#include "tools/dump/places.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/demangle.h"

#define MODULES_MAX 64u
#define SPACE_B     (UINT64_C(1) << 36) /* addresses that each module gets for itself */
#define KNOWN       256u /* places that are remembered: a lookup passes through all symbols */

struct module {
	char *path; /* owned */
	Dwfl_Module *dwfl; /* NULL: cannot be read */
	uint64_t bias;     /* of the addresses it was given */
};

/* What a place was named before. */
struct known {
	char *place, *name; /* owned */
};

struct places {
	Dwfl *dwfl;
	struct module modules[MODULES_MAX];
	unsigned int count;
	struct known known[KNOWN]; /* by hash; a new one takes an old one's room */
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct places *places_open(void)
{
	struct places *places = calloc(1, sizeof(*places));

	if (!places)
		return NULL;
	places->dwfl = dwfl_begin(&callbacks);
	if (places->dwfl)
		return places;
	free(places);
	return NULL;
}

void places_close(struct places *places)
{
	if (!places)
		return;
	for (unsigned int i = 0; i < places->count; i++)
		free(places->modules[i].path);
	for (unsigned int i = 0; i < KNOWN; i++) {
		free(places->known[i].place);
		free(places->known[i].name);
	}
	dwfl_end(places->dwfl);
	free(places);
}

static struct module *find_module(struct places *places, const char *path, size_t path_b)
{
	struct module *module;
	unsigned int i;

	for (i = 0; i < places->count; i++)
		if (strlen(places->modules[i].path) == path_b &&
		    !memcmp(places->modules[i].path, path, path_b))
			return &places->modules[i];
	if (places->count == MODULES_MAX)
		return NULL;
	module = &places->modules[places->count];
	module->path = strndup(path, path_b);
	if (!module->path)
		return NULL;
	places->count++;
	/* Each module lies in a space of its own, so that addresses are told apart. */
	module->bias = (uint64_t)places->count * SPACE_B;
	dwfl_report_begin_add(places->dwfl);
	module->dwfl = dwfl_report_elf(places->dwfl, module->path, module->path, -1, module->bias,
				       true);
	dwfl_report_end(places->dwfl, NULL, NULL);
	return module;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Compilers that leave out the table of address ranges, as clang does, make units be asked in turn. */
static const char *find_line(Dwfl_Module *module, uint64_t address, int *number_out)
{
	Dwfl_Line *line = dwfl_module_getsrc(module, address);
	Dwarf_Die *unit = NULL;
	Dwarf_Line *found;
	Dwarf_Addr bias;

	if (line)
		return dwfl_lineinfo(line, NULL, number_out, NULL, NULL, NULL);
	while ((unit = dwfl_module_nextcu(module, unit, &bias))) {
		if (dwarf_haspc(unit, address - bias) != 1)
			continue;
		found = dwarf_getsrc_die(unit, address - bias);
		if (found && !dwarf_lineno(found, number_out))
			return dwarf_linesrc(found, NULL, NULL);
	}
	return NULL;
}

static void find_name(struct places *places, const char *place, char *text, size_t size_b)
{
	const char *plus = strrchr(place, '+'), *name, *file;
	struct module *module;
	uint64_t address, offset = 0;
	char *plain;
	GElf_Sym symbol;
	int number = 0;
	size_t used_b;

	snprintf(text, size_b, "%s", place);
	if (!plus)
		return;
	module = find_module(places, place, (size_t)(plus - place));
	if (!module || !module->dwfl)
		return;
	/* dwfl_report_elf() adds the bias to the addresses of the file. The call is in front. */
	address = module->bias + strtoull(plus + 1, NULL, 16) - 1;
	name = dwfl_module_addrinfo(module->dwfl, address, &offset, &symbol, NULL, NULL, NULL);
	file = find_line(module->dwfl, address, &number);
	plain = name ? demangle(name, strlen(name)) : NULL;
	if (name)
		snprintf(text, size_b, "%s+0x%llx", plain ? plain : name,
			 (unsigned long long)offset + 1);
	else
		snprintf(text, size_b, "%s", last_part(place));
	free(plain);
	used_b = strlen(text);
	if (file)
		snprintf(text + used_b, size_b - used_b, " (%s:%d)", last_part(file), number);
	else
		snprintf(text + used_b, size_b - used_b, " (%s)", last_part(module->path));
}

static struct known *find_known(struct places *places, const char *place)
{
	uint32_t hash = 2166136261u;

	for (const char *at = place; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 16777619u;
	return &places->known[hash % KNOWN];
}

const char *places_name(struct places *places, const char *place, char *text, size_t size_b)
{
	struct known *known;

	if (!places) {
		snprintf(text, size_b, "%s", place);
		return text;
	}
	known = find_known(places, place);
	if (known->place && known->name && !strcmp(known->place, place)) {
		snprintf(text, size_b, "%s", known->name);
		return text;
	}
	find_name(places, place, text, size_b);
	free(known->place);
	free(known->name);
	known->place = strdup(place);
	known->name = strdup(text);
	return text;
}

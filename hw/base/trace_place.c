/* SPDX-License-Identifier: MIT */
/*
 * Places in the program that led into the library, for the trace: return addresses as module and
 * offset, which a reader can look up without the process.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hw/base/trace.h"

#define DEPTH 48 /* frames that are looked at, the library's own included */

/* The libraries' own files, by name: the entry points lie in another than this code. */
static bool is_own(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return !strncmp(name, "libmusart.so", 12) || !strncmp(name, "libmusa.so", 10);
}

static const char *program_path(char *path, size_t size_b)
{
	ssize_t length = readlink("/proc/self/exe", path, size_b - 1);

	if (length <= 0)
		return "?";
	path[length] = 0;
	return path;
}

/* The address as "MODULE+0xOFFSET"; false if it lies in these libraries or in no module. */
static bool name_place(void *address, char *text, size_t size_b)
{
	char path[1024];
	struct link_map *map;
	const char *module;
	Dl_info info;

	if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return false;
	module = map->l_name && *map->l_name ? map->l_name : program_path(path, sizeof(path));
	if (is_own(module))
		return false;
	snprintf(text, size_b, "%s+0x%zx", module, (size_t)((uintptr_t)address - map->l_addr));
	return true;
}

void mt_trace_places(struct mt_trace_line *line, unsigned int frames)
{
	void *addresses[DEPTH];
	char text[1200];
	int count = backtrace(addresses, DEPTH), i;

	mt_trace_list(line, "at");
	for (i = 0; i < count && frames; i++) {
		if (!name_place(addresses[i], text, sizeof(text)))
			continue;
		frames--;
		if (!mt_trace_list_text(line, text))
			break;
	}
	mt_trace_list_end(line);
}

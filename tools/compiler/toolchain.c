/* SPDX-License-Identifier: MIT */
/*
 * Finds headers and libraries from the place of the running program. The build defines
 * MTCC_CLANG, MTCC_LLD, MTCC_SOURCE_INCLUDE (used from a build folder only) and MTCC_LIBDIR.
 */
#include "tools/compiler/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *find_own_folder(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length < 0)
		mtcc_fatal("/proc/self/exe: %s", strerror(errno));
	path[length] = 0;
	*strrchr(path, '/') = 0;
	return mtcc_copy(path);
}

static void add_if_holds(struct mtcc_list *list, const char *parent, const char *folder,
			 const char *file)
{
	char *path = mtcc_format("%s/%s", parent, folder);
	char *wanted = mtcc_format("%s/%s", path, file);
	char *real;

	if (mtcc_file_exists(wanted)) {
		real = realpath(path, NULL);
		mtcc_list_add(list, real ? real : path);
		free(real);
	}
	free(wanted);
	free(path);
}

void mtcc_toolchain_init(struct mtcc_toolchain *toolchain)
{
	static const char *const build_folders[] = {".", "lib", "graph", "drv", "runtime", "tools"};
	char *own = find_own_folder();
	char *build_mark = mtcc_format("%s/../meson-info", own);

	memset(toolchain, 0, sizeof(*toolchain));
	toolchain->clang = MTCC_CLANG;
	toolchain->lld = MTCC_LLD;
	if (mtcc_file_exists(build_mark)) {
		mtcc_list_add(&toolchain->includes, MTCC_SOURCE_INCLUDE);
		for (size_t i = 0; i < sizeof(build_folders) / sizeof(build_folders[0]); i++) {
			char *folder = mtcc_format("../%s", build_folders[i]);

			add_if_holds(&toolchain->libraries, own, folder, "libmusart.so");
			add_if_holds(&toolchain->libraries, own, folder, "libmusa.so");
			free(folder);
		}
	} else {
		add_if_holds(&toolchain->includes, own, "../include", "musa_runtime.h");
		add_if_holds(&toolchain->libraries, own, "../" MTCC_LIBDIR, "libmusart.so");
	}
	if (!toolchain->includes.count)
		mtcc_fatal("musa_runtime.h is not in %s/../include", own);
	free(build_mark);
	free(own);
}

void mtcc_toolchain_finish(struct mtcc_toolchain *toolchain)
{
	mtcc_list_finish(&toolchain->includes);
	mtcc_list_finish(&toolchain->libraries);
}

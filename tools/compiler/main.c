/* SPDX-License-Identifier: MIT */
/* mtcc: compiles MUSA C++ for the host and the mock GPU. This file runs the steps of one call. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/compiler/compile.h"
#include "tools/compiler/options.h"
#include "tools/compiler/process.h"
#include "tools/compiler/toolchain.h"

static char *default_output(const struct mtcc_options *options, const struct mtcc_input *input)
{
	const char *base = mtcc_base_name(input->path), *dot = strrchr(base, '.');
	int stem = dot ? (int)(dot - base) : (int)strlen(base);
	const char *suffix = ".o";

	if (options->mode == MTCC_MODE_PREPROCESS || options->mode == MTCC_MODE_SYNTAX)
		return NULL;
	if (options->mode == MTCC_MODE_ASSEMBLY)
		suffix = options->device_ir ? ".ll" : ".s";
	else if (options->sides == MTCC_SIDES_DEVICE && input->musa)
		suffix = ".mtfb";
	return mtcc_format("%.*s%s", stem, base, suffix);
}

/* -c, -S, -E, --device-only: every source file has an output of its own. */
static int compile_each(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain)
{
	size_t sources = 0;
	int status = 0;

	for (size_t i = 0; i < options->input_count; i++)
		sources += !options->inputs[i].object;
	if (!sources)
		mtcc_fatal("no source file");
	if (options->output && sources > 1)
		mtcc_fatal("-o names one file, but there are %zu source files", sources);
	for (size_t i = 0; i < options->input_count; i++) {
		const struct mtcc_input *input = &options->inputs[i];
		char *output;
		int ret;

		if (input->object)
			continue;
		output = options->output ? mtcc_copy(options->output)
					 : default_output(options, input);
		ret = mtcc_compile_file(options, toolchain, input, output);
		status = status ? status : ret;
		free(output);
	}
	return status;
}

static int compile_and_link(const struct mtcc_options *options,
			    const struct mtcc_toolchain *toolchain)
{
	const char *output = options->output ? options->output : "a.out";
	struct mtcc_list objects = {0};
	int status = 0;

	for (size_t i = 0; i < options->input_count; i++) {
		const struct mtcc_input *input = &options->inputs[i];
		char *object;
		int ret;

		if (input->object) {
			mtcc_list_add(&objects, input->path);
			continue;
		}
		object = mtcc_temp_path(".o");
		ret = mtcc_compile_file(options, toolchain, input, object);
		status = status ? status : ret;
		mtcc_list_add(&objects, object);
		free(object);
	}
	if (!status)
		status = mtcc_link(options, toolchain, &objects, output);
	mtcc_list_finish(&objects);
	return status;
}

static void check_inputs(const struct mtcc_options *options)
{
	if (!options->input_count)
		mtcc_fatal("no input files");
	for (size_t i = 0; i < options->input_count; i++) {
		const char *path = options->inputs[i].path;

		if (path[0] != '-' && (i == 0 || strcmp(options->inputs[i - 1].path, "-Xlinker")) &&
		    !mtcc_file_exists(path))
			mtcc_fatal("%s: %s", path, strerror(errno));
	}
}

static int run(const struct mtcc_options *options)
{
	struct mtcc_toolchain toolchain;
	struct mtcc_list argv = {0};
	int status;

	mtcc_toolchain_init(&toolchain);
	if (options->forward.count && !options->input_count) {
		mtcc_list_add(&argv, toolchain.clang);
		mtcc_list_add_all(&argv, &options->forward);
		status = mtcc_process_run(&argv, options->verbose);
		mtcc_list_finish(&argv);
		mtcc_toolchain_finish(&toolchain);
		return status;
	}
	check_inputs(options);
	for (size_t i = 0; options->verbose && i < options->ignored.count; i++)
		mtcc_note("'%s' has no effect on the mock GPU", options->ignored.items[i]);
	if (options->mode == MTCC_MODE_LINK && options->sides != MTCC_SIDES_DEVICE)
		status = compile_and_link(options, &toolchain);
	else
		status = compile_each(options, &toolchain);
	mtcc_toolchain_finish(&toolchain);
	return status;
}

int main(int argc, char **argv)
{
	struct mtcc_options options;
	int status = 0;

	mtcc_options_parse(&options, argc, argv);
	if (options.help) {
		mtcc_options_print_help();
	} else if (options.version) {
		printf("mtcc %s, code objects for mp_90, over %s\n", MTCC_VERSION, MTCC_CLANG);
	} else {
		mtcc_temp_init();
		status = run(&options);
	}
	mtcc_options_finish(&options);
	if (fflush(stdout))
		status = status ? status : 1;
	return status;
}

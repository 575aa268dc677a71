/* SPDX-License-Identifier: MIT */
/*
 * Runs clang's passes for one file. A MUSA file has two: clang's HIP front end makes LLVM IR of
 * the device side and of the host side; the device IR becomes a code object here, which goes into
 * the host IR, which clang turns into an object.
 */
#include "tools/compiler/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compiler/device.h"
#include "tools/compiler/host.h"
#include "tools/compiler/process.h"

/* What __MUSA_ARCH__ is in device code: programs then pick their path for the newest cards. */
#define DEVICE_ARCH_MACRO "-D__MUSA_ARCH__=310"

static void add_words(struct mtcc_list *argv, const char *const *words)
{
	for (; *words; words++)
		mtcc_list_add(argv, *words);
}

static bool standard_is_c(const char *standard)
{
	return !strstr(standard, "++");
}

/* clang, its language options and the include path of one compilation. */
static void add_common(struct mtcc_list *argv, const struct mtcc_options *options,
		       const struct mtcc_toolchain *toolchain, bool cxx, bool musa)
{
	mtcc_list_add(argv, toolchain->clang);
	if (cxx)
		mtcc_list_add(argv, "--driver-mode=g++");
	if (options->standard && standard_is_c(options->standard) != cxx) {
		char *word = mtcc_format("-std=%s", options->standard);

		mtcc_list_add(argv, word);
		free(word);
	} else if (musa) {
		mtcc_list_add(argv, "-std=gnu++17");
	}
	mtcc_list_add_all(argv, &options->compile);
	for (size_t i = 0; i < toolchain->includes.count; i++) {
		mtcc_list_add(argv, "-isystem");
		mtcc_list_add(argv, toolchain->includes.items[i]);
	}
}

/* The HIP front end under MUSA's names. */
static void add_musa_language(struct mtcc_list *argv, const struct mtcc_input *input)
{
	static const char *const words[] = {
		"--cuda-host-only",
		"-nogpuinc",
		"-nogpulib",
		"-fdeclspec",
		"-U__HIP__",
		"-U__HIPCC__",
		"-D__MUSA__=1",
		"-D__MUSACC__=1",
		"-Wno-unused-command-line-argument",
		"-Wno-option-ignored",
		"-Xclang",
		"-fcuda-allow-variadic-functions",
		"-include",
		"musa_device/prelude.h",
		"-x",
		"hip",
		NULL,
	};

	add_words(argv, words);
	mtcc_list_add(argv, input->path);
}

/* The dependency file that clang would write for a compilation to @output. */
static void add_dependencies(struct mtcc_list *argv, const struct mtcc_options *options,
			     const char *output)
{
	char *file;

	mtcc_list_add_all(argv, &options->depend);
	if (!options->dependency)
		return;
	if (!options->dependency_target) {
		mtcc_list_add(argv, "-MQ");
		mtcc_list_add(argv, output);
	}
	if (!options->dependency_file) {
		const char *dot = strrchr(mtcc_base_name(output), '.');
		int stem = dot ? (int)(dot - output) : (int)strlen(output);

		file = mtcc_format("%.*s.d", stem, output);
		mtcc_list_add(argv, "-MF");
		mtcc_list_add(argv, file);
		free(file);
	}
}

static void build_device_command(struct mtcc_list *argv, const struct mtcc_options *options,
				 const struct mtcc_toolchain *toolchain,
				 const struct mtcc_input *input, const char *bitcode,
				 const char *output)
{
	/* Debug information tells the types of the kernels' parameters; it is not kept. */
	static const char *const words[] = {
		DEVICE_ARCH_MACRO,
		"-fno-exceptions",
		"-fcxx-exceptions",
		"-O2",
		"-fno-discard-value-names",
		"-g",
		"-fstandalone-debug",
		"-fno-finite-loops",
		"-fno-math-errno",
		"-ffp-contract=off",
		"-Xclang",
		"-fcuda-is-device",
		"-Xclang",
		"-disable-llvm-passes",
		"-Xclang",
		"-aux-triple",
		"-Xclang",
		"x86_64-unknown-linux-gnu",
		NULL,
	};
	static const char *const emit[] = {"-emit-llvm", "-c", "-o", NULL};
	char *word;

	add_common(argv, options, toolchain, true, true);
	if (options->warp_size) {
		word = mtcc_format("-D__MUSA_WARP_SIZE__=%u", options->warp_size);
		mtcc_list_add(argv, word);
		free(word);
	}
	add_words(argv, words);
	word = mtcc_format("-march=%s", options->device_cpu ? options->device_cpu : "x86-64-v2");
	mtcc_list_add(argv, word);
	free(word);
	if (options->sides == MTCC_SIDES_DEVICE)
		add_dependencies(argv, options, output);
	add_words(argv, emit);
	mtcc_list_add(argv, bitcode);
	add_musa_language(argv, input);
}

static void build_host_command(struct mtcc_list *argv, const struct mtcc_options *options,
			       const struct mtcc_toolchain *toolchain,
			       const struct mtcc_input *input, const char *bitcode,
			       const char *output)
{
	static const char *const words[] = {
		"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o", NULL};

	add_common(argv, options, toolchain, true, true);
	mtcc_list_add_all(argv, &options->host);
	add_dependencies(argv, options, output);
	add_words(argv, words);
	mtcc_list_add(argv, bitcode);
	add_musa_language(argv, input);
}

/* -E and -fsyntax-only: clang's host pass alone. */
static int run_host_pass(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
			 const struct mtcc_input *input, const char *output)
{
	struct mtcc_list argv = {0};
	int status;

	add_common(&argv, options, toolchain, true, true);
	mtcc_list_add_all(&argv, &options->host);
	if (options->sides == MTCC_SIDES_DEVICE) {
		mtcc_list_add(&argv, DEVICE_ARCH_MACRO);
		mtcc_list_add(&argv, "-Xclang");
		mtcc_list_add(&argv, "-fcuda-is-device");
	}
	mtcc_list_add(&argv, options->mode == MTCC_MODE_SYNTAX ? "-fsyntax-only" : "-E");
	if (output) {
		mtcc_list_add(&argv, "-o");
		mtcc_list_add(&argv, output);
	}
	add_musa_language(&argv, input);
	status = mtcc_process_run(&argv, options->verbose);
	mtcc_list_finish(&argv);
	return status;
}

/* Turns the host IR, which now holds the code object, into what the mode asks for. */
static int run_host_backend(const struct mtcc_options *options,
			    const struct mtcc_toolchain *toolchain, const char *bitcode,
			    const char *output)
{
	struct mtcc_list argv = {0};
	int status;

	mtcc_list_add(&argv, toolchain->clang);
	mtcc_list_add_all(&argv, &options->compile);
	mtcc_list_add_all(&argv, &options->host);
	mtcc_list_add(&argv, "-Qunused-arguments");
	mtcc_list_add(&argv, options->mode == MTCC_MODE_ASSEMBLY ? "-S" : "-c");
	if (options->mode == MTCC_MODE_ASSEMBLY && options->device_ir)
		mtcc_list_add(&argv, "-emit-llvm");
	mtcc_list_add(&argv, "-o");
	mtcc_list_add(&argv, output);
	mtcc_list_add(&argv, "-x");
	mtcc_list_add(&argv, "ir");
	mtcc_list_add(&argv, bitcode);
	status = mtcc_process_run(&argv, options->verbose);
	mtcc_list_finish(&argv);
	return status;
}

/* Takes clang's " when compiling for ..." out of its summaries, in place. */
static void strip_side(char *text)
{
	static const char mark[] = " when compiling for ";
	char *found, *end;

	while (text && (found = strstr(text, mark))) {
		end = found + strcspn(found, "\n");
		memmove(found, end, strlen(end) + 1);
	}
}

/* Both front ends saw the same text: a message of the second that the first gave is not news. */
static void print_messages(char *host, char *device)
{
	strip_side(host);
	strip_side(device);
	if (host)
		fputs(host, stderr);
	if (device && (!host || strcmp(host, device)))
		fputs(device, stderr);
}

/* Runs the front ends that @options asks for, side by side. */
static int run_front_ends(const struct mtcc_options *options,
			  const struct mtcc_toolchain *toolchain, const struct mtcc_input *input,
			  const char *device_bitcode, const char *host_bitcode, const char *output)
{
	bool want_device = options->sides != MTCC_SIDES_HOST;
	bool want_host = options->sides != MTCC_SIDES_DEVICE;
	struct mtcc_list device_argv = {0}, host_argv = {0};
	struct mtcc_process device = {0}, host = {0};
	char *device_text = NULL, *host_text = NULL;
	int device_status = 0, host_status = 0;

	build_device_command(&device_argv, options, toolchain, input, device_bitcode, output);
	build_host_command(&host_argv, options, toolchain, input, host_bitcode, output);
	if (want_device)
		device = mtcc_process_start(&device_argv, true, options->verbose);
	if (want_host)
		host = mtcc_process_start(&host_argv, true, options->verbose);
	if (want_host)
		host_status = mtcc_process_wait(&host, &host_text);
	if (want_device)
		device_status = mtcc_process_wait(&device, &device_text);
	/* A host error that the device pass repeats is printed once. */
	print_messages(host_text, host_status ? NULL : device_text);
	free(host_text);
	free(device_text);
	mtcc_list_finish(&device_argv);
	mtcc_list_finish(&host_argv);
	return host_status ? host_status : device_status;
}

static int compile_musa(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
			const struct mtcc_input *input, const char *output)
{
	char *device_bitcode = mtcc_temp_path(".bc"), *host_bitcode = mtcc_temp_path(".bc");
	char *bundle =
		options->sides == MTCC_SIDES_DEVICE ? mtcc_copy(output) : mtcc_temp_path(".mtfb");
	int status;

	status = run_front_ends(options, toolchain, input, device_bitcode, host_bitcode, output);
	if (!status && options->sides != MTCC_SIDES_HOST)
		status = mtcc_device_build(options, toolchain, device_bitcode, bundle);
	if (!status && options->sides != MTCC_SIDES_DEVICE) {
		status = mtcc_host_embed(host_bitcode,
					 options->sides == MTCC_SIDES_BOTH ? bundle : NULL);
		if (!status)
			status = run_host_backend(options, toolchain, host_bitcode, output);
	}
	free(device_bitcode);
	free(host_bitcode);
	free(bundle);
	return status;
}

/* A host source: clang does it all. */
static int compile_host(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
			const struct mtcc_input *input, const char *output)
{
	static const char *const modes[] = {
		[MTCC_MODE_LINK] = "-c",
		[MTCC_MODE_OBJECT] = "-c",
		[MTCC_MODE_ASSEMBLY] = "-S",
		[MTCC_MODE_PREPROCESS] = "-E",
		[MTCC_MODE_SYNTAX] = "-fsyntax-only",
	};
	bool c = input->language ? !strcmp(input->language, "c") : mtcc_ends(input->path, ".c");
	struct mtcc_list argv = {0};
	int status;

	add_common(&argv, options, toolchain, !c, false);
	mtcc_list_add_all(&argv, &options->host);
	if (options->mode != MTCC_MODE_SYNTAX && output) {
		add_dependencies(&argv, options, output);
		mtcc_list_add(&argv, "-o");
		mtcc_list_add(&argv, output);
	}
	mtcc_list_add(&argv, "-Qunused-arguments");
	mtcc_list_add(&argv, modes[options->mode]);
	if (options->device_ir)
		mtcc_list_add(&argv, "-emit-llvm");
	if (input->language) {
		mtcc_list_add(&argv, "-x");
		mtcc_list_add(&argv, input->language);
	}
	mtcc_list_add(&argv, input->path);
	status = mtcc_process_run(&argv, options->verbose);
	mtcc_list_finish(&argv);
	return status;
}

int mtcc_compile_file(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
		      const struct mtcc_input *input, const char *output)
{
	if (!input->musa)
		return compile_host(options, toolchain, input, output);
	if (options->mode == MTCC_MODE_PREPROCESS || options->mode == MTCC_MODE_SYNTAX)
		return run_host_pass(options, toolchain, input, output);
	return compile_musa(options, toolchain, input, output);
}

int mtcc_link(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
	      const struct mtcc_list *objects, const char *output)
{
	struct mtcc_list argv = {0};
	char *word;
	int status;

	mtcc_list_add(&argv, toolchain->clang);
	mtcc_list_add(&argv, "--driver-mode=g++");
	mtcc_list_add(&argv, "-Qunused-arguments");
	mtcc_list_add(&argv, "-o");
	mtcc_list_add(&argv, output);
	mtcc_list_add_all(&argv, &options->link);
	mtcc_list_add_all(&argv, objects);
	for (size_t i = 0; i < toolchain->libraries.count; i++) {
		word = mtcc_format("-L%s", toolchain->libraries.items[i]);
		mtcc_list_add(&argv, word);
		free(word);
		word = mtcc_format("-Wl,-rpath,%s", toolchain->libraries.items[i]);
		mtcc_list_add(&argv, word);
		free(word);
	}
	mtcc_list_add(&argv, "-lmusart");
	mtcc_list_add(&argv, "-pthread");
	status = mtcc_process_run(&argv, options->verbose);
	mtcc_list_finish(&argv);
	return status;
}

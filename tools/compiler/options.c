/* SPDX-License-Identifier: MIT */
/* Sorts the command line. What it does not know is clang's. */
#include "tools/compiler/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options whose argument is the next word. */
static const char *const compile_with_word[] = {
	"-I",
	"-D",
	"-U",
	"-include",
	"-imacros",
	"-isystem",
	"-iquote",
	"-idirafter",
	"-iprefix",
	"-isysroot",
	"--sysroot",
	"-Xclang",
	"-Xpreprocessor",
	"-Xassembler",
	"-target",
	"--param",
	"-iwithprefix",
	"-iwithprefixbefore",
	"-include-pch",
};
static const char *const link_with_word[] = {
	"-L", "-l", "-T", "-u", "-z", "-Xlinker", "-e", "-rpath",
};
static const char *const dependency_with_word[] = {"-MF", "-MT", "-MQ", "-MJ"};

static const char *const link_prefixes[] = {
	"-L",        "-l",        "-Wl,",           "-static",       "-fuse-ld=",
	"-rdynamic", "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-pie",
	"-no-pie",   "-shared",   "-stdlib=",
};
/* Instrumentation of host code; device code has no run time library for any of it. */
static const char *const host_prefixes[] = {
	"-fsanitize",
	"-fno-sanitize",
	"-fprofile",
	"-fcoverage",
	"--coverage",
	"-fstack-protector",
	"-fcf-protection",
	"-flto",
	"-pg",
	"-fxray",
	"-march=",
	"-mtune=",
	"-mcpu=",
	"-mavx",
	"-msse",
	"-mfma",
	"-fsplit-stack",
	"-fstack-clash-protection",
	"-g",
	"-fno-omit-frame",
	"-fopenmp",
	"-ftime-trace",
};
/* The vendor compiler's, for silicon; one object for the mock comes out whatever they say. */
static const char *const ignored_prefixes[] = {
	"--offload-arch=",
	"--cuda-gpu-arch=",
	"--no-offload-arch=",
	"--no-cuda-gpu-arch=",
	"-mtgpu",
	"-fmusa-",
	"-fno-musa-",
	"--musa-path=",
	"--cuda-path=",
	"--musa-device-lib",
	"-Wno-unknown-musa-version",
	"-foffload-lto",
};

static bool has_prefix(const char *word, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (mtcc_starts(word, prefixes[i]))
			return true;
	return false;
}

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

#define HAS_PREFIX(word, table) has_prefix(word, table, sizeof(table) / sizeof((table)[0]))
#define IS_ONE_OF(word, table)  is_one_of(word, table, sizeof(table) / sizeof((table)[0]))

static void add_input(struct mtcc_options *options, const char *path, const char *language)
{
	static const char *const sources[] = {
		".c", ".cc", ".cpp", ".cxx", ".c++", ".C",  ".CPP",
		".i", ".ii", ".s",   ".S",   ".bc",  ".ll",
	};
	struct mtcc_input *input;
	bool source = !strcmp(path, "-");

	options->inputs = mtcc_realloc(options->inputs,
				       (options->input_count + 1) * sizeof(*options->inputs));
	input = &options->inputs[options->input_count++];
	memset(input, 0, sizeof(*input));
	input->path = mtcc_copy(path);
	if (language) {
		input->musa = !strcmp(language, "musa");
		input->language = mtcc_copy(language);
		return;
	}
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		source = source || mtcc_ends(path, sources[i]);
	input->musa = mtcc_ends(path, ".mu") || mtcc_ends(path, ".cu");
	input->object = !input->musa && !source;
}

static void add_link_word(struct mtcc_options *options, const char *word)
{
	add_input(options, word, NULL);
	options->inputs[options->input_count - 1].object = true;
	options->inputs[options->input_count - 1].musa = false;
}

static unsigned int parse_level(const char *text, const char *option)
{
	if (!text[0])
		return 1;
	if (!strcmp(text, "s") || !strcmp(text, "z"))
		return 2;
	if (!strcmp(text, "g"))
		return 1;
	if (!strcmp(text, "fast"))
		return 3;
	if (text[0] >= '0' && text[0] <= '9' && !text[1])
		return text[0] > '3' ? 3 : (unsigned int)(text[0] - '0');
	mtcc_fatal("invalid optimisation level '%s'", option);
}

static unsigned int parse_warp(const char *text)
{
	if (!strcmp(text, "32"))
		return 32;
	if (!strcmp(text, "128"))
		return 128;
	mtcc_fatal("the warp size is 32 or 128, not '%s'", text);
}

/* Options that set what the driver itself does. */
static bool parse_own(struct mtcc_options *options, const char *word)
{
	if (!strcmp(word, "-c")) {
		options->mode = MTCC_MODE_OBJECT;
	} else if (!strcmp(word, "-S")) {
		options->mode = MTCC_MODE_ASSEMBLY;
	} else if (!strcmp(word, "-E")) {
		options->mode = MTCC_MODE_PREPROCESS;
	} else if (!strcmp(word, "-fsyntax-only")) {
		options->mode = MTCC_MODE_SYNTAX;
	} else if (!strcmp(word, "--device-only") || !strcmp(word, "--cuda-device-only") ||
		   !strcmp(word, "--offload-device-only")) {
		options->sides = MTCC_SIDES_DEVICE;
	} else if (!strcmp(word, "--host-only") || !strcmp(word, "--cuda-host-only") ||
		   !strcmp(word, "--offload-host-only")) {
		options->sides = MTCC_SIDES_HOST;
	} else if (!strcmp(word, "-v") || !strcmp(word, "--verbose")) {
		options->verbose = true;
	} else if (!strcmp(word, "--help") || !strcmp(word, "-help")) {
		options->help = true;
	} else if (!strcmp(word, "--version")) {
		options->version = true;
	} else if (!strcmp(word, "--record-access")) {
		options->record_access = true;
	} else if (!strcmp(word, "-emit-llvm")) {
		options->device_ir = true;
	} else if (mtcc_starts(word, "-mwarp=")) {
		options->warp_size = parse_warp(word + strlen("-mwarp="));
	} else if (mtcc_starts(word, "--musa-warp-size=")) {
		options->warp_size = parse_warp(word + strlen("--musa-warp-size="));
	} else if (mtcc_starts(word, "--device-march=")) {
		free(options->device_cpu);
		options->device_cpu = mtcc_copy(word + strlen("--device-march="));
	} else if (mtcc_starts(word, "-std=") || mtcc_starts(word, "--std=")) {
		free(options->standard);
		options->standard = mtcc_copy(strchr(word, '=') + 1);
	} else if (mtcc_starts(word, "-Od")) {
		options->device_level = parse_level(word + 3, word);
	} else if (!strcmp(word, "-fgpu-rdc") || !strcmp(word, "-rdc=true")) {
		mtcc_fatal("separate compilation of device code (%s) is not supported", word);
	} else {
		return false;
	}
	return true;
}

/* Sorts one word that stands alone. */
static void parse_word(struct mtcc_options *options, const char *word)
{
	if (parse_own(options, word))
		return;
	if (mtcc_starts(word, "-O")) {
		options->host_level = parse_level(word + 2, word);
		mtcc_list_add(&options->compile, word);
	} else if (mtcc_starts(word, "-o")) {
		free(options->output);
		options->output = mtcc_copy(word + 2);
	} else if (mtcc_starts(word, "-print-") || mtcc_starts(word, "--print-") ||
		   mtcc_starts(word, "-dump")) {
		mtcc_list_add(&options->forward, word);
	} else if (HAS_PREFIX(word, ignored_prefixes)) {
		mtcc_list_add(&options->ignored, word);
	} else if (mtcc_starts(word, "-l") || mtcc_starts(word, "-Wl,")) {
		add_link_word(options, word); /* its place among the objects counts */
	} else if (HAS_PREFIX(word, link_prefixes)) {
		mtcc_list_add(&options->link, word);
	} else if (!strcmp(word, "-MD") || !strcmp(word, "-MMD") || !strcmp(word, "-MP")) {
		options->dependency |= strcmp(word, "-MP") != 0;
		mtcc_list_add(&options->depend, word);
	} else if (HAS_PREFIX(word, host_prefixes)) {
		mtcc_list_add(&options->host, word);
		mtcc_list_add(&options->link, word);
	} else {
		mtcc_list_add(&options->compile, word);
		if (!strcmp(word, "-pthread") || mtcc_starts(word, "-m") ||
		    mtcc_starts(word, "--sysroot=") || mtcc_starts(word, "--target="))
			mtcc_list_add(&options->link, word);
	}
}

static const char *next_word(int argc, char **argv, int *at)
{
	if (*at + 1 >= argc)
		mtcc_fatal("argument to '%s' is missing", argv[*at]);
	return argv[++*at];
}

static void parse_word_pair(struct mtcc_options *options, int argc, char **argv, int *at)
{
	const char *word = argv[*at], *value = next_word(argc, argv, at);

	if (IS_ONE_OF(word, dependency_with_word)) {
		options->dependency_file |= !strcmp(word, "-MF");
		options->dependency_target |= !strcmp(word, "-MT") || !strcmp(word, "-MQ");
		mtcc_list_add(&options->depend, word);
		mtcc_list_add(&options->depend, value);
	} else if (!strcmp(word, "-l") || !strcmp(word, "-Xlinker")) {
		add_link_word(options, word);
		add_link_word(options, value);
	} else if (IS_ONE_OF(word, link_with_word)) {
		mtcc_list_add(&options->link, word);
		mtcc_list_add(&options->link, value);
	} else {
		mtcc_list_add(&options->compile, word);
		mtcc_list_add(&options->compile, value);
	}
}

/* Words of an argument file: separated by white space, quoted as in a shell. */
static void read_words(struct mtcc_list *words, const char *path)
{
	struct mtcc_bytes bytes = mtcc_file_read(path);
	char *word = mtcc_alloc(bytes.size_b + 1), quote = 0;
	size_t length = 0;
	bool inside = false;

	for (size_t i = 0; i <= bytes.size_b; i++) {
		char c = i < bytes.size_b ? (char)bytes.data[i] : '\n';

		if (!quote && strchr(" \t\r\n", c)) {
			word[length] = 0;
			if (inside)
				mtcc_list_add(words, word);
			inside = false;
			length = 0;
			continue;
		}
		inside = true;
		if (c == '\\' && quote != '\'' && i + 1 < bytes.size_b)
			word[length++] = (char)bytes.data[++i];
		else if (c == quote)
			quote = 0;
		else if (!quote && (c == '\'' || c == '"'))
			quote = c;
		else
			word[length++] = c;
	}
	free(word);
	free(bytes.data);
}

/* The command line with @FILE replaced by the file's words. */
static void expand_words(struct mtcc_list *words, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (i && argv[i][0] == '@')
			read_words(words, argv[i] + 1);
		else
			mtcc_list_add(words, argv[i]);
	}
}

static void parse_words(struct mtcc_options *options, int argc, char **argv)
{
	const char *language = NULL;
	bool level_given = false;

	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];

		level_given |= mtcc_starts(word, "-O") && !mtcc_starts(word, "-Od");
		if (word[0] != '-' || !word[1]) {
			add_input(options, word, language);
		} else if (!strcmp(word, "-o")) {
			free(options->output);
			options->output = mtcc_copy(next_word(argc, argv, &i));
		} else if (mtcc_starts(word, "-x")) {
			language = word[2] ? word + 2 : next_word(argc, argv, &i);
			if (!strcmp(language, "mu") || !strcmp(language, "cuda") ||
			    !strcmp(language, "cu"))
				language = "musa";
			if (!strcmp(language, "none"))
				language = NULL;
		} else if (!strcmp(word, "-mllvm")) {
			mtcc_list_add(&options->ignored, next_word(argc, argv, &i));
		} else if (IS_ONE_OF(word, compile_with_word) || IS_ONE_OF(word, link_with_word) ||
			   IS_ONE_OF(word, dependency_with_word)) {
			parse_word_pair(options, argc, argv, &i);
		} else {
			parse_word(options, word);
		}
	}
	if (options->device_level == ~0u)
		options->device_level = level_given ? options->host_level : 2;
}

void mtcc_options_parse(struct mtcc_options *options, int argc, char **argv)
{
	struct mtcc_list words = {0};

	memset(options, 0, sizeof(*options));
	options->device_level = ~0u;
	expand_words(&words, argc, argv);
	parse_words(options, (int)words.count, words.items);
	mtcc_list_finish(&words);
}

void mtcc_options_finish(struct mtcc_options *options)
{
	for (size_t i = 0; i < options->input_count; i++) {
		free(options->inputs[i].path);
		free(options->inputs[i].language);
	}
	free(options->inputs);
	mtcc_list_finish(&options->compile);
	mtcc_list_finish(&options->host);
	mtcc_list_finish(&options->depend);
	mtcc_list_finish(&options->link);
	mtcc_list_finish(&options->ignored);
	mtcc_list_finish(&options->forward);
	free(options->output);
	free(options->standard);
	free(options->device_cpu);
}

void mtcc_options_print_help(void)
{
	fputs("Usage: mtcc [option]... file...\n"
	      "\n"
	      "Compiles MUSA C++ for the host and for the mock GPU.\n"
	      "\n"
	      "Files:\n"
	      "  .mu .cu                host and device code (so is any file behind -x musa)\n"
	      "  .c .cc .cpp .cxx       host code alone\n"
	      "  anything else          an object or a library for the link\n"
	      "\n"
	      "Output:\n"
	      "  (nothing)              an executable, linked with libmusart and the C++ library\n"
	      "  -shared                a shared library\n"
	      "  -c, -S, -E             an object, assembly, preprocessed text\n"
	      "  -fsyntax-only          messages alone\n"
	      "  --device-only          the code object of one file (an offload bundle); with -S "
	      "its\n"
	      "                         assembly, with -S -emit-llvm its LLVM IR; also\n"
	      "                         --cuda-device-only, --offload-device-only\n"
	      "  --host-only            host code without a code object; also --cuda-host-only\n"
	      "  -o FILE                where it goes\n"
	      "\n"
	      "Device code:\n"
	      "  -Od0 ... -Od3          optimisation of device code (as -O; 2 when neither is "
	      "given)\n"
	      "  --musa-warp-size=N     warpSize is the constant N, 32 or 128 (also -mwarp=N);\n"
	      "                         without it, it is read when the kernel runs\n"
	      "  --device-march=CPU     instruction set of device code (x86-64-v2)\n"
	      "  --record-access        kernels report what they read and write, if asked when "
	      "they\n"
	      "                         run (mtgraph-dump check); slower\n"
	      "  -ffast-math            as clang has it, also for device code\n"
	      "\n"
	      "Accepted without effect, named under -v:\n"
	      "  --offload-arch=, --cuda-gpu-arch=, -mtgpu, -mllvm X, -fmusa-..., --musa-path=\n"
	      "\n"
	      "Other options:\n"
	      "  @FILE                  more arguments, from a file\n"
	      "  -x LANGUAGE            language of the files behind it (musa, c, c++, none)\n"
	      "  -v                     print the commands\n"
	      "  --help, --version\n"
	      "Everything else (-std -O -g -I -D -L -l -fPIC -pthread -Wl, -M... -W...) goes to "
	      "clang.\n"
	      "-fsanitize=, -fprofile..., -march= and -g are for host code only.\n",
	      stdout);
}

/* SPDX-License-Identifier: MIT */
/* The command line, sorted: what is ours, what goes to clang, what goes to the link. */
#ifndef MTCC_OPTIONS_H
#define MTCC_OPTIONS_H

#include <stdbool.h>

#include "tools/compiler/util.h"

enum mtcc_mode {
	MTCC_MODE_LINK,
	MTCC_MODE_OBJECT,     /* -c */
	MTCC_MODE_ASSEMBLY,   /* -S */
	MTCC_MODE_PREPROCESS, /* -E */
	MTCC_MODE_SYNTAX,     /* -fsyntax-only */
};

enum mtcc_sides { MTCC_SIDES_BOTH, MTCC_SIDES_DEVICE, MTCC_SIDES_HOST };

struct mtcc_input {
	char *path;     /* owned */
	char *language; /* owned; clang's name of it, "musa", or NULL: by the suffix */
	bool musa;      /* has device code: both passes */
	bool object;    /* goes to the link as it is (also -l and -Wl,) */
};

struct mtcc_options {
	enum mtcc_mode mode;
	enum mtcc_sides sides;
	struct mtcc_input *inputs; /* owned; in the order of the command line */
	size_t input_count;
	struct mtcc_list compile;  /* for every compilation */
	struct mtcc_list host;     /* for host code only: sanitizers, profiles, the processor */
	struct mtcc_list depend;   /* dependency files (-M...): for one front end */
	struct mtcc_list link;     /* for the link, beside the inputs */
	struct mtcc_list ignored;  /* accepted without effect; named under -v */
	struct mtcc_list forward;  /* questions to clang (-print-..., -dump...) */
	char *output;              /* owned; NULL: default name */
	char *standard;            /* owned; -std=, NULL: default */
	unsigned int host_level;   /* -O, 0-3 */
	unsigned int device_level; /* -Od, else as host_level, 2 when neither is given */
	unsigned int warp_size;    /* 0: read when the kernel runs */
	bool record_access;        /* --record-access */
	bool device_ir;            /* -emit-llvm */
	bool dependency;           /* -MD or -MMD */
	bool dependency_file;      /* -MF */
	bool dependency_target;    /* -MT or -MQ */
	bool verbose;
	bool help;
	bool version;
	char *device_cpu; /* owned; --device-march=, NULL: baseline */
};

/* Ends the program with a message when the command line is wrong. */
void mtcc_options_parse(struct mtcc_options *options, int argc, char **argv);
void mtcc_options_finish(struct mtcc_options *options);
void mtcc_options_print_help(void);

#endif

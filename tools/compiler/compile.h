/* SPDX-License-Identifier: MIT */
/* One input file to one output file. */
#ifndef MTCC_COMPILE_H
#define MTCC_COMPILE_H

#include "tools/compiler/options.h"
#include "tools/compiler/toolchain.h"

/* Compiles @input as the mode says. @output: NULL for the standard output (-E).
 * Returns the exit status; messages have been printed. */
int mtcc_compile_file(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
		      const struct mtcc_input *input, const char *output);

/* Links objects and libraries; @objects in order. */
int mtcc_link(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
	      const struct mtcc_list *objects, const char *output);

#endif

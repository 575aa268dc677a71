/* SPDX-License-Identifier: MIT */
/* Device LLVM IR to a code object. */
#ifndef MTCC_DEVICE_H
#define MTCC_DEVICE_H

#include "tools/compiler/options.h"
#include "tools/compiler/toolchain.h"

/* Reads the front end's bitcode and writes an offload bundle with the one member for the mock
 * GPU (or assembly or IR, as the options say). Returns the exit status. */
int mtcc_device_build(const struct mtcc_options *options, const struct mtcc_toolchain *toolchain,
		      const char *bitcode, const char *output);

#endif

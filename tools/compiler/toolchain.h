/* SPDX-License-Identifier: MIT */
/* Where the programs, headers and libraries of a compilation are. */
#ifndef MTCC_TOOLCHAIN_H
#define MTCC_TOOLCHAIN_H

#include "tools/compiler/util.h"

struct mtcc_toolchain {
	const char *clang;          /* static */
	const char *lld;            /* static */
	struct mtcc_list includes;  /* folders of our headers */
	struct mtcc_list libraries; /* folders of our libraries; may be empty */
};

/* Looks beside the running program: an uninstalled build folder or an installed tree. */
void mtcc_toolchain_init(struct mtcc_toolchain *toolchain);
void mtcc_toolchain_finish(struct mtcc_toolchain *toolchain);

#endif

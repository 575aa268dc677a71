/* SPDX-License-Identifier: MIT */
/* Child processes (clang, the linker) and the temporary folder of one run. */
#ifndef MTCC_PROCESS_H
#define MTCC_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "tools/compiler/util.h"

struct mtcc_process {
	pid_t pid;
	char *output; /* owned; file that gets its standard error, NULL: the user's terminal */
};

/* Makes the temporary folder; it is removed when the program ends, by a signal too. */
void mtcc_temp_init(void);
/* A path in the temporary folder that no earlier call returned. Owned by the caller. */
char *mtcc_temp_path(const char *suffix);

/* Starts a program. With @capture its messages wait in a file for mtcc_process_wait(). */
struct mtcc_process mtcc_process_start(const struct mtcc_list *argv, bool capture, bool verbose);
/* Returns the exit status, 128 + signal when a signal ended it. @messages_out (may be NULL)
 * receives the captured messages, owned by the caller. */
int mtcc_process_wait(struct mtcc_process *process, char **messages_out);
/* Both in one step, messages go to the terminal. */
int mtcc_process_run(const struct mtcc_list *argv, bool verbose);

#endif

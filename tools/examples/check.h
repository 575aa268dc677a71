/* SPDX-License-Identifier: MIT */
/* What every example uses: stop with a message when a call fails. */
#ifndef EXAMPLE_CHECK_H
#define EXAMPLE_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		musaError_t check_error = (call);                                                  \
		if (check_error != musaSuccess) {                                                  \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,              \
				musaGetErrorString(check_error));                                  \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Helpers of the call-form programs. These are programs as a user writes them, without a test
 * framework, so that nothing but the public headers decides what compiles.
 */
#ifndef TESTS_HEADERS_CALL_FORMS_H
#define TESTS_HEADERS_CALL_FORMS_H

#include <stdio.h>

static int failures;

/* A call's result beside what it should be; both are printed when they differ. */
#define EXPECT(call, want)                                                                         \
	do {                                                                                       \
		int got_ = (int)(call), want_ = (int)(want);                                       \
		if (got_ != want_) {                                                               \
			fprintf(stderr, "%s:%d: %s: got %d, want %d\n", __FILE__, __LINE__, #call, \
				got_, want_);                                                      \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

#endif /* TESTS_HEADERS_CALL_FORMS_H */

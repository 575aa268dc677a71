/* SPDX-License-Identifier: MIT */
/*
 * The part of Criterion's interface that the tests use, for builds with ThreadSanitizer: Criterion's
 * own runner maps memory where that sanitizer does not allow it. Each test is a forked child.
 */
#ifndef CRITERION_CRITERION_H_
#define CRITERION_CRITERION_H_

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct cr_plain_options {
	char reserved0;
	bool disabled;
	void (*init)(void);
	void (*fini)(void);
	double timeout; /* seconds, 0: none */
	int signal;     /* that the test ends by, 0: none */
	int exit_code;  /* expected */
	const char *description;
};

struct cr_plain_test {
	const char *suite, *name;
	void (*fn)(void); /* NULL: the options of a suite */
	struct cr_plain_options options;
	struct cr_plain_test *next;
};

void cr_plain_add(struct cr_plain_test *test);
/* Prints a failure; `fatal` ends the test. `format` explains it, and may be empty. */
void cr_plain_fail(bool fatal, const char *file, int line, const char *text, const char *format, ...);

/* Ends without its semicolon. */
#define CR_PLAIN_ENTRY(id, suite_, name_, fn_, ...)                                                \
	static struct cr_plain_test id;                                                            \
	__attribute__((constructor)) static void id##_add(void)                                    \
	{                                                                                          \
		cr_plain_add(&id);                                                                 \
	}                                                                                          \
	static struct cr_plain_test id = {                                                         \
		.suite = suite_, .name = name_, .fn = fn_, .options = { 0, __VA_ARGS__ }           \
	}

#define Test(suite_, name_, ...)                                                                   \
	static void suite_##_##name_##_test(void);                                                 \
	CR_PLAIN_ENTRY(suite_##_##name_##_entry, #suite_, #name_, suite_##_##name_##_test,         \
		       __VA_ARGS__);                                                               \
	static void suite_##_##name_##_test(void)

#define TestSuite(suite_, ...) CR_PLAIN_ENTRY(suite_##_suite, #suite_, "", NULL, __VA_ARGS__)

#define CR_PLAIN_CHECK(fatal, condition, text, ...)                                                \
	do {                                                                                       \
		if (!(condition))                                                                  \
			cr_plain_fail(fatal, __FILE__, __LINE__, text, "" __VA_ARGS__);            \
	} while (0)

#define CR_PLAIN_COMPARE(fatal, a, op, b, ...)                                                     \
	CR_PLAIN_CHECK(fatal, (a) op (b), #a " " #op " " #b, __VA_ARGS__)
#define CR_PLAIN_MEMORY(fatal, a, b, size, ...)                                                    \
	CR_PLAIN_CHECK(fatal, !memcmp(a, b, size), #a " equals " #b, __VA_ARGS__)
#define CR_PLAIN_STRING(fatal, a, b, ...)                                                          \
	CR_PLAIN_CHECK(fatal, !strcmp(a, b), #a " equals " #b, __VA_ARGS__)

#define cr_assert(condition, ...)     CR_PLAIN_CHECK(true, condition, #condition, __VA_ARGS__)
#define cr_assert_not(condition, ...) CR_PLAIN_CHECK(true, !(condition), "!" #condition, __VA_ARGS__)
#define cr_assert_fail(...)           CR_PLAIN_CHECK(true, false, "", __VA_ARGS__)
#define cr_assert_null(a, ...)        CR_PLAIN_COMPARE(true, a, ==, NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...)    CR_PLAIN_COMPARE(true, a, !=, NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...)       CR_PLAIN_COMPARE(true, a, ==, b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...)      CR_PLAIN_COMPARE(true, a, !=, b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...)       CR_PLAIN_COMPARE(true, a, <, b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...)      CR_PLAIN_COMPARE(true, a, <=, b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...)       CR_PLAIN_COMPARE(true, a, >, b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...)      CR_PLAIN_COMPARE(true, a, >=, b, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, n, ...) CR_PLAIN_MEMORY(true, a, b, n, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)   CR_PLAIN_STRING(true, a, b, __VA_ARGS__)
#define cr_assert_str_empty(a, ...)   CR_PLAIN_STRING(true, a, "", __VA_ARGS__)

#define cr_expect(condition, ...)     CR_PLAIN_CHECK(false, condition, #condition, __VA_ARGS__)
#define cr_expect_not(condition, ...)                                                              \
	CR_PLAIN_CHECK(false, !(condition), "!" #condition, __VA_ARGS__)
#define cr_expect_fail(...)           CR_PLAIN_CHECK(false, false, "", __VA_ARGS__)
#define cr_expect_null(a, ...)        CR_PLAIN_COMPARE(false, a, ==, NULL, __VA_ARGS__)
#define cr_expect_not_null(a, ...)    CR_PLAIN_COMPARE(false, a, !=, NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...)       CR_PLAIN_COMPARE(false, a, ==, b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...)      CR_PLAIN_COMPARE(false, a, !=, b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...)       CR_PLAIN_COMPARE(false, a, <, b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...)      CR_PLAIN_COMPARE(false, a, <=, b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...)       CR_PLAIN_COMPARE(false, a, >, b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...)      CR_PLAIN_COMPARE(false, a, >=, b, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, n, ...) CR_PLAIN_MEMORY(false, a, b, n, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)   CR_PLAIN_STRING(false, a, b, __VA_ARGS__)
#define cr_expect_str_empty(a, ...)   CR_PLAIN_STRING(false, a, "", __VA_ARGS__)

#endif

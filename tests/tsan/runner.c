/* SPDX-License-Identifier: MIT */
/*
 * Runs the tests of a program one after another, each in a child of its own.
 *
 * Usage: PROGRAM [--tap] [SUITE/TEST]...    (default: all)
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "criterion/criterion.h"

static struct cr_plain_test *tests, **tests_end = &tests;
static bool failed; /* the running test */

void cr_plain_add(struct cr_plain_test *test)
{
	*tests_end = test;
	tests_end = &test->next;
}

void cr_plain_fail(bool fatal, const char *file, int line, const char *text, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	fprintf(stderr, "%s:%d: %s does not hold. ", file, line, text);
	vfprintf(stderr, format, values);
	fprintf(stderr, "\n");
	va_end(values);
	failed = true;
	if (fatal)
		_exit(1);
}

static const struct cr_plain_options *options_of(const char *suite)
{
	static const struct cr_plain_options none;

	for (const struct cr_plain_test *test = tests; test; test = test->next)
		if (!test->fn && !strcmp(test->suite, suite))
			return &test->options;
	return &none;
}

static void run_in_child(const struct cr_plain_test *test)
{
	const struct cr_plain_options *suite = options_of(test->suite);
	double limit = test->options.timeout > 0 ? test->options.timeout : suite->timeout;

	/* Sanitizers slow programs down; a test that hangs still ends. */
	if (limit > 0)
		alarm((unsigned int)(limit * 10) + 1);
	if (suite->init)
		suite->init();
	if (test->options.init)
		test->options.init();
	test->fn();
	if (test->options.fini)
		test->options.fini();
	if (suite->fini)
		suite->fini();
	exit(failed);
}

static bool run_test(const struct cr_plain_test *test)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child)
		run_in_child(test);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (WIFSIGNALED(status)) {
		if (WTERMSIG(status) != test->options.signal)
			fprintf(stderr, "%s/%s: signal %d\n", test->suite, test->name,
				WTERMSIG(status));
		return WTERMSIG(status) == test->options.signal;
	}
	return WEXITSTATUS(status) == test->options.exit_code;
}

static bool is_wanted(const struct cr_plain_test *test, int argc, char **argv)
{
	char name[256];
	bool any = false;

	snprintf(name, sizeof(name), "%s/%s", test->suite, test->name);
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-')
			continue;
		if (!strcmp(argv[i], name))
			return true;
		any = true;
	}
	return !any;
}

int main(int argc, char **argv)
{
	int count = 0, bad = 0;

	for (const struct cr_plain_test *test = tests; test; test = test->next) {
		bool good;

		if (!test->fn || test->options.disabled || !is_wanted(test, argc, argv))
			continue;
		good = run_test(test);
		bad += !good;
		printf("%sok %d - %s::%s\n", good ? "" : "not ", ++count, test->suite, test->name);
	}
	printf("1..%d\n", count);
	return bad > 0;
}

/* SPDX-License-Identifier: MIT */
/* Saved graphs that are cut, changed or made up are refused with a reason, or read without harm. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SIZE_MAX_B 65536u

static uint8_t sample[SIZE_MAX_B];
static size_t sample_b;

static void load(void)
{
	int fd = memfd_create("sample", MFD_CLOEXEC);
	ssize_t count;

	cr_assert(fd >= 0 && !sample_write(fd));
	count = pread(fd, sample, sizeof(sample), 0);
	cr_assert(count > 0 && count < (ssize_t)sizeof(sample));
	sample_b = (size_t)count;
	close(fd);
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Cut anywhere, it is read or refused without harm. */
Test(hostile, cut, .init = load)
{
	for (size_t size = 0; size <= sample_b; size++)
		LLVMFuzzerTestOneInput(sample, size);
}

/* Every byte in turn gets the values that break limits. */
Test(hostile, bytes, .init = load)
{
	static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	uint8_t *bytes = malloc(sample_b);

	for (size_t at = 0; at < sample_b; at++)
		for (size_t v = 0; v < sizeof(values); v++) {
			memcpy(bytes, sample, sample_b);
			bytes[at] = values[v];
			LLVMFuzzerTestOneInput(bytes, sample_b);
		}
	free(bytes);
}

/* Several changes at once, words too; the same ones each time. */
Test(hostile, mutations, .init = load)
{
	static const uint64_t words[] = {0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff,
					 UINT64_C(0x7fffffffffffffff), UINT64_MAX, UINT64_MAX - 7};
	uint8_t *bytes = malloc(sample_b);
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

	for (int round = 0; round < 20000; round++) {
		unsigned int changes = 1 + next(&state) % 4;

		memcpy(bytes, sample, sample_b);
		while (changes--) {
			size_t width = next(&state) % 2 ? 4 : 8;
			size_t at = next(&state) % (sample_b - 8) & ~(size_t)3;

			memcpy(bytes + at, &words[next(&state) % 10], width);
		}
		LLVMFuzzerTestOneInput(bytes, sample_b);
	}
	free(bytes);
}

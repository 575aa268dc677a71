/* SPDX-License-Identifier: MIT */
/* Every 16-bit pattern, hard cases of rounding, and arithmetic against the compiler's _Float16. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mtcc/harness.h"

__extension__ typedef _Float16 f16;

static struct t_image *image;

static void open_image(void)
{
	image = t_image_open(KERNELS);
}

static void close_image(void)
{
	t_image_close(image);
}

TestSuite(small_floats, .init = open_image, .fini = close_image);

static void run(const char *name, uint32_t blocks, uint32_t threads, void **params)
{
	struct t_launch launch = {.grid = {blocks, 0, 0}, .block = {threads, 0, 0}};

	cr_assert(t_run(t_image_kernel(image, name), &launch, params) == T_END_NORMAL, "%s", name);
}

static uint16_t bits_of(f16 x)
{
	uint16_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static f16 half_of(uint16_t bits)
{
	f16 x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* NaNs compare equal. */
static bool same(uint16_t a, uint16_t b)
{
	return a == b || (isnan((float)half_of(a)) && isnan((float)half_of(b)));
}

Test(small_floats, every_half)
{
	float *out = malloc(65536 * sizeof(float)), *p = out;
	void *params[] = {&p};

	run("half_to_float", 256, 256, params);
	for (uint32_t i = 0; i < 65536; i++) {
		float want = (float)half_of((uint16_t)i);

		cr_assert(isnan(want) ? isnan(out[i]) : !memcmp(&out[i], &want, sizeof(want)),
			  "%#x: %g", i, (double)out[i]);
	}
	free(out);
}

/* The largest value of a format not above |x|, found by trying all: no arithmetic in common. */
static float table_below(float x, const float *table, int count)
{
	float best = 0;

	for (int i = 0; i < count; i++)
		if (table[i] <= x && table[i] > best)
			best = table[i];
	return best;
}

static float fp8_value(int bits, int fraction_bits, int bias)
{
	int exponent = bits >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);

	return exponent ? ldexpf((float)(fraction + (1 << fraction_bits)),
				 exponent - bias - fraction_bits)
			: ldexpf((float)fraction, 1 - bias - fraction_bits);
}

static int nearest_fp8(float x, int fraction_bits, int bias, int most)
{
	float table[128], low, high;
	int at;

	for (int i = 0; i <= most; i++)
		table[i] = fp8_value(i, fraction_bits, bias);
	low = table_below(x, table, most + 1);
	for (at = 0; table[at] != low; at++)
		;
	high = at == most ? fp8_value(most + 1, fraction_bits, bias) : table[at + 1];
	if (x - low > high - x || (x - low == high - x && at & 1))
		at++;
	return at;
}

static void check_row(float x, const uint16_t *out, int n)
{
	float up = nextafterf(x, INFINITY), h = (float)(f16)x, b;
	uint16_t want;
	uint32_t bits;

	(void)up;
	cr_expect(same(out[0], bits_of((f16)x)), "half of %a", (double)x);
	cr_expect(same(out[4 * n], bits_of((f16)((double)x * 1.00000001))), "double %a", (double)x);
	if (isnan(x))
		return;
	/* To zero: the nearest, or its neighbour towards zero. */
	want = bits_of((f16)x);
	if (fabsf(h) > fabsf(x))
		want--;
	cr_expect_eq(out[n], want, "half of %a to zero: %#x", (double)x, out[n]);
	want = bits_of((f16)x);
	if (h < x)
		want = (uint16_t)(want & 0x8000 ? want - 1 : want + 1);
	if (!(h == 0 && x < 0))
		cr_expect_eq(out[2 * n], want, "half of %a up: %#x", (double)x, out[2 * n]);
	want = bits_of((f16)x);
	if (h > x)
		want = (uint16_t)(want & 0x8000 ? want + 1 : want - 1);
	if (!(h == 0 && x != 0))
		cr_expect_eq(out[3 * n], want, "half of %a down: %#x", (double)x, out[3 * n]);
	memcpy(&bits, &x, sizeof(bits));
	if (isinf(x))
		return;
	cr_expect_eq(out[6 * n], bits >> 16);
	bits = (uint32_t)out[5 * n] << 16;
	memcpy(&b, &bits, sizeof(b));
	memcpy(&bits, &x, sizeof(bits));
	want = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
	cr_expect_eq(out[5 * n], want, "bfloat16 of %a", (double)x);
	if (fabsf(x) < 440) {
		want = (uint16_t)(nearest_fp8(fabsf(x), 3, 7, 0x7e) | (signbit(x) ? 0x80 : 0));
		cr_expect_eq(out[7 * n], want, "e4m3 of %a: %#x, not %#x", (double)x, out[7 * n],
			     want);
		cr_expect_eq(out[9 * n], want);
	} else if (fabsf(x) > 470) {
		cr_expect_eq(out[7 * n] & 0x7f, 0x7e);
		cr_expect_eq(out[9 * n] & 0x7f, 0x7f);
	}
	if (fabsf(x) < 57000) {
		want = (uint16_t)(nearest_fp8(fabsf(x), 2, 15, 0x7b) | (signbit(x) ? 0x80 : 0));
		cr_expect_eq(out[8 * n], want, "e5m2 of %a: %#x, not %#x", (double)x, out[8 * n],
			     want);
	} else if (fabsf(x) > 62000) {
		cr_expect_eq(out[8 * n] & 0x7f, 0x7c);
	}
}

Test(small_floats, from_float)
{
	enum { COUNT = 6000 };
	static float in[COUNT];
	static uint16_t out[10 * COUNT];
	float *pi = in;
	uint16_t *po = out;
	int n = COUNT;
	void *params[] = {&pi, &po, &n};
	uint32_t bits, seed = 1;

	for (int i = 0; i < COUNT; i++) {
		seed = seed * 1664525 + 1013904223;
		/* Exponents around the formats' ranges; ties and their neighbours. */
		bits = (seed & 0x80000000) | (95 + seed % 50) << 23 | (seed >> 3 & 0x7fe000);
		bits += i % 3 == 0 ? 0x1000 : i % 3 == 1 ? 0xfff : (seed & 0x1fff);
		memcpy(&in[i], &bits, sizeof(bits));
	}
	in[0] = 0;
	in[1] = -0.0f;
	in[2] = INFINITY;
	in[3] = -INFINITY;
	in[4] = NAN;
	in[5] = 65519.996f;
	in[6] = 65520;
	in[7] = 1e-42f;
	in[8] = 0x1p-25f;
	in[9] = 0x1.8p-25f;
	in[10] = -65536;
	run("floats_to_halves", COUNT / 100, 100, params);
	for (int i = 0; i < COUNT; i++)
		check_row(in[i], out + i, n);
}

Test(small_floats, arithmetic)
{
	enum { COUNT = 2000 };
	static uint16_t in[COUNT], out[10 * COUNT];
	uint16_t *pi = in, *po = out;
	int n = COUNT;
	void *params[] = {&pi, &po, &n};
	uint32_t seed = 7;

	for (int i = 0; i < COUNT; i++) {
		seed = seed * 1664525 + 1013904223;
		in[i] = (uint16_t)(i % 2 ? seed >> 16 : (0x3000 + (seed >> 18 & 0x1fff)));
	}
	run("arithmetic", COUNT / 100, 100, params);
	for (int i = 0; i < n; i++) {
		f16 a = half_of(in[i]), b = half_of(in[(i * 7 + 3) % n]);
		f16 c = half_of(in[(i * 5 + 1) % n]);
		float x = (float)a, y = (float)b, z = (float)c;

		cr_expect(same(out[i], bits_of((f16)(x + y))));
		cr_expect(same(out[n + i], bits_of((f16)(x - y))));
		cr_expect(same(out[2 * n + i], bits_of((f16)(x * y))));
		cr_expect(same(out[3 * n + i], bits_of((f16)(x / y))), "%a / %a", (double)x,
			  (double)y);
		cr_expect(same(out[4 * n + i], bits_of((f16)((double)x * (double)y + (double)z))));
		cr_expect(same(out[5 * n + i], bits_of((f16)sqrtf(fabsf(x)))));
		cr_expect(same(out[6 * n + i], bits_of(x < y ? a : b)));
		cr_expect_eq(out[7 * n + i], in[i] ^ 0x8000);
		cr_expect(same(out[8 * n + i], bits_of((f16)(x + z))));
		cr_expect(same(out[9 * n + i], bits_of((f16)(y + z))));
	}
}

Test(small_floats, eight_bits)
{
	float out[1024], *p = out;
	void *params[] = {&p};

	run("eights", 1, 256, params);
	for (int i = 0; i < 256; i++) {
		float want = i & 0x80 ? -fp8_value(i & 0x7f, 3, 7) : fp8_value(i & 0x7f, 3, 7);

		cr_expect((i & 0x7f) == 0x7f ? isnan(out[i]) : out[i] == want, "e4m3 %#x", i);
		cr_expect(isnan(out[i]) ? isnan(out[512 + i]) : out[512 + i] == out[i]);
		want = i & 0x80 ? -fp8_value(i & 0x7f, 2, 15) : fp8_value(i & 0x7f, 2, 15);
		if ((i & 0x7f) < 0x7c)
			cr_expect(out[256 + i] == want, "e5m2 %#x", i);
		else
			cr_expect((i & 0x7f) == 0x7c ? isinf(out[256 + i]) : isnan(out[256 + i]));
		cr_expect(out[768 + i] == 4321);
	}
}

Test(small_floats, atomics_and_shuffles)
{
	uint16_t h = bits_of((f16)1.0f), h2[2] __attribute__((aligned(4))) = {0, 0}, b = 0;
	uint16_t *ph = &h, *ph2 = h2, *pb = &b;
	float out[32], *po = out;
	void *params[] = {&ph, &ph2, &pb, &po};

	run("sums", 1, 32, params);
	cr_expect_eq(h, bits_of((f16)17.0f));
	cr_expect(h2[0] == bits_of((f16)32.0f) && h2[1] == bits_of((f16)64.0f));
	cr_expect_eq(b, 0x4200, "32 as bfloat16: %#x", b);
	for (int t = 0; t < 32; t++) {
		int v = t ^ 1, w = t + 2 < 32 ? (t + 2) ^ 1 : v;

		cr_expect(out[t] == (float)(v + 100 * w + 10000 * v + 1000000 * (v >= 16)),
			  "%d: %g", t, (double)out[t]);
	}
}

Test(small_floats, whole_numbers)
{
	int out[8], *p = out;
	void *params[] = {&p};

	run("wholes", 1, 1, params);
	cr_expect_eq(out[0], -3);
	cr_expect_eq(out[1], 2);
	cr_expect_eq(out[2], 2147483647);
	cr_expect_eq(out[3], 0x7bff);
	cr_expect_eq(out[4], 0x4e81, "%#x", out[4]);
	cr_expect_eq(out[5], 0x6800);
	cr_expect_eq(out[6], (int)0xffff0000);
	cr_expect_eq(out[7], 0x4040);
}

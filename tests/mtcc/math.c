/* SPDX-License-Identifier: MIT */
/* Device math agrees with the C library's; bit intrinsics and directed roundings with their rules.
 */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mtcc/harness.h"

static struct t_image *image;

static void open_image(void)
{
	image = t_image_open(KERNELS);
}

static void close_image(void)
{
	t_image_close(image);
}

TestSuite(math, .init = open_image, .fini = close_image);

static void run(const char *name, int n, void *in, void *out)
{
	struct t_launch launch = {.block = {(uint32_t)n, 0, 0}};
	void *params[] = {&in, &out, &n};

	cr_assert(t_run(t_image_kernel(image, name), &launch, params) == T_END_NORMAL, "%s", name);
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof(a)) || a == b;
}

static bool near(double a, double b)
{
	return same(a, b) || fabs(a - b) <= 1e-12 * fabs(b);
}

#define ROW(expression)                                                                            \
	do {                                                                                       \
		double want = (double)(expression);                                                \
		cr_expect(compare(at[0], want), "%s of %.17g is %.17g, not %.17g", #expression,    \
			  (double)x, at[0], want);                                                 \
		at += n;                                                                           \
	} while (0)

Test(math, floats)
{
	float in[] = {0,          -0.0f,    0.5f,     -1,     1.5f,        2.5f,
		      -2.5f,      3.75f,    -10.25f,  1e-40f, 0.49999997f, 20,
		      12345.678f, -8388609, INFINITY, NAN,    1e30f,       -0.5f};
	int n = sizeof(in) / sizeof(in[0]), e;
	double *out = calloc((size_t)n * 64, sizeof(double));
	bool (*compare)(double, double) = same;
	float whole;

	run("floats", n, in, out);
	for (int i = 0; i < n; i++) {
		float x = in[i], u = fabsf(x);
		double *at = out + i;

		ROW(sinf(x));
		ROW(cosf(x));
		ROW(tanf(x));
		ROW(expf(x));
		ROW(exp2f(x));
		ROW(exp10f(x));
		ROW(logf(u));
		ROW(log2f(u));
		ROW(log10f(u));
		ROW(powf(u, 1.5f));
		ROW(sqrtf(u));
		ROW(cbrtf(x));
		ROW(atan2f(x, 2));
		ROW(fmodf(x, 0.75f));
		ROW(roundf(x));
		ROW(rintf(x));
		ROW(floorf(x));
		ROW(ceilf(x));
		ROW(truncf(x));
		ROW(fmaf(x, x, -1.0f));
		ROW(ldexpf(x, -3));
		ROW(frexpf(x, &e));
		frexpf(x, &e);
		if (!isfinite(x))
			e = 0;
		ROW(e);
		ROW(modff(x, &whole));
		modff(x, &whole);
		ROW(whole);
		if (fabsf(x) < 1e18f) {
			ROW(lroundf(x));
			ROW(lrintf(x));
		} else {
			at += 2 * n; /* no defined result */
		}
		ROW(erff(x));
		ROW(tgammaf(u));
		ROW(fminf(x, 1) + fmaxf(x, 2) + copysignf(3, x));
		ROW(sinf(x));
		ROW(powf(u, 2));
		ROW(roundf(x));
		ROW(u);
		ROW(fmodf(x, 0.75f));
		ROW(ldexpf(x, 5));
		ROW((x < 1 ? 1.0f : x) + (e < 2 ? e : 2));
		ROW(!!isnan(x) + 2 * !!isinf(x) + 4 * !!signbit(x));
		ROW(sinf(x));
		ROW(sinf(x) * 2 + cosf(x));
	}
	free(out);
}

Test(math, doubles)
{
	double in[] = {0.25, -0.5, 1, 1.5, -2.5, 3.1, 5e-324, 2.5, 4503599627370497.5, 0.1, -3};
	int n = sizeof(in) / sizeof(in[0]), e;
	double *out = calloc((size_t)n * 64, sizeof(double)), whole, pi = acos(-1);
	bool (*compare)(double, double);

	run("doubles", n, in, out);
	for (int i = 0; i < n; i++) {
		double x = in[i], u = fabs(x);
		double *at = out + i;

		compare = same;
		ROW(sin(x));
		ROW(exp(x));
		ROW(exp10(x));
		ROW(log1p(u));
		ROW(pow(u, x));
		ROW(hypot(x, 3));
		ROW(fmod(x, 0.75));
		ROW(remainder(x, 0.75));
		ROW(round(x));
		ROW(llround(x));
		ROW(llrint(x));
		ROW(frexp(x, &e));
		frexp(x, &e);
		ROW(e);
		ROW(ilogb(x));
		ROW(scalbn(x, -1070));
		ROW(ldexp(x, 1000));
		ROW(modf(x, &whole));
		ROW(fma(x, x, -1));
		ROW(lgamma(u));
		ROW(j0(x));
		ROW(nextafter(x, 100));
		ROW(cos(x));
		ROW(floor(x));
		if (u < 1e9)
			ROW(sqrt((int)u));
		else
			at += n;
		compare = near;
		if (u < 4)
			ROW(x);
		else
			at += n;
		if (u < 4)
			ROW(u > 1e-10 ? u : at[0] < 1e-15 ? at[0] : u);
		else
			at += n;
		ROW(1 / sqrt(u));
		if (u < 1000) {
			cr_expect(fabs(at[0] - sin(pi * x)) < 1e-14);
			cr_expect(fabs(at[n] - cos(pi * x)) < 1e-14);
		}
		at += 2 * n;
		ROW(0.5 * erfc(-x * sqrt(0.5)));
	}
	free(out);
}

__extension__ typedef unsigned __int128 wide;

static long long byte_permute(unsigned int x)
{
	unsigned int sign = x >> 8 & 0x80 ? 0xff : 0; /* selector 9: sign of byte 1 */

	return (long long)(x & 0xff) | 0x11ll << 8 | 0x33ll << 16 | (long long)sign << 24;
}

Test(math, bits)
{
	int in[] = {0, 1, -1, 0x12345678, (int)0x80000000, 0x00ff0000, 0x7fffffff, -1000};
	int n = sizeof(in) / sizeof(in[0]);
	long long *out = calloc((size_t)n * 32, sizeof(*out));

	run("bits", n, in, out);
	for (int i = 0; i < n; i++) {
		int x = in[i], byte;
		unsigned int u = (unsigned int)x, expect = 0, parts = 0, saturated = 0, differ = 0;
		long long l = x * (1ll << 20) | 5, *at = out + i, dp = 7, seen = 0, mirror = 0;
		static const int weights[] = {-2, 2, -1, 1};

		for (int b = 0; b < 32; b++)
			expect |= (u >> b & 1) << (31 - b);
		for (int b = 0; b < 64; b++)
			mirror |= ((long long)((unsigned long long)l >> b & 1)) << (63 - b);
		for (int b = 0; b < 4; b++) {
			byte = (signed char)(u >> 8 * b);
			dp += byte * weights[b];
			parts |= (((u >> 8 * b) + 1) & 0xff) << 8 * b;
			byte = byte - 127 < -128 ? -128 : byte - 127;
			saturated |= (unsigned int)(byte & 0xff) << 8 * b;
			if ((u >> 8 * b & 0xff) != (0x00ff0000u >> 8 * b & 0xff))
				differ |= 0xffu << 8 * b;
		}
#define NEXT(want)                                                                                 \
	do {                                                                                       \
		cr_expect(at[0] == (long long)(want), "%s of %#x is %#llx, not %#llx", #want, u,   \
			  at[0], (long long)(want));                                               \
		at += n;                                                                           \
	} while (0)
		NEXT(__builtin_popcount(u));
		NEXT(__builtin_popcountll((unsigned long long)l));
		NEXT(u ? __builtin_clz(u) : 32);
		NEXT(__builtin_clzll((unsigned long long)l));
		NEXT(__builtin_ffs(x));
		NEXT(__builtin_ffsll(l));
		NEXT(expect);
		NEXT(mirror);
		NEXT(byte_permute(u));
		NEXT((unsigned int)((unsigned long long)u * u >> 32));
		NEXT((int)((long long)x * x >> 32));
		NEXT((int)(u << 8) / 256 * 3);
		NEXT((unsigned int)(0x12345678u << 8 | u >> 24));
		NEXT(0x12345678);
		NEXT(x);
		NEXT(dp);
		NEXT((wide)(unsigned long long)l * (unsigned long long)l >> 64);
		NEXT(parts);
		NEXT(saturated);
		NEXT(differ);
		for (int b = 0, found = 0; b < 32 && !seen; b++)
			if (u >> b & 1 && ++found == 2)
				seen = b;
		NEXT(seen ? seen : 0xffffffff);
		NEXT(abs(x >> 1));
		NEXT(x > 3 ? x : 3);
		NEXT(u < 7 ? u : 7);
		NEXT((unsigned int)(x > 100 ? (long long)x - 100 : 100 - (long long)x) + 5);
	}
	free(out);
}

static float rounded_to_float(double x, int mode)
{
	volatile double value = x;
	volatile float result;

	fesetround(mode);
	result = (float)value;
	fesetround(FE_TONEAREST);
	return result;
}

/* The host's own rounding modes give the expected values. */
#define ROUNDED(type, mode, a, op, b)                                                              \
	__extension__({                                                                            \
		volatile type left = (a), right = (b), r;                                          \
		fesetround(mode);                                                                  \
		r = left op right;                                                                 \
		fesetround(FE_TONEAREST);                                                          \
		r;                                                                                 \
	})

static double limit(double x, double low, double high)
{
	return isnan(x) ? 0 : x < low ? low : x > high ? high : x;
}

Test(math, directed_rounding)
{
	double in[] = {0.3, -0.3, 1.5, 2.5, -2.5, 1e10, -1e10, 1e20, NAN, 16777217.5, 0.1, 7};
	int n = sizeof(in) / sizeof(in[0]);
	double *out = calloc((size_t)n * 32, sizeof(double));
	bool (*compare)(double, double) = same;

	run("rounding", n, in, out);
	for (int i = 0; i < n; i++) {
		double x = in[i], *at = out + i;
		float f = (float)x;

		ROW(limit(rint((double)f), -2147483648.0, 2147483647.0));
		ROW(limit(trunc((double)f), -2147483648.0, 2147483647.0));
		ROW(limit(ceil((double)f), -2147483648.0, 2147483647.0));
		ROW(limit(floor((double)f), -2147483648.0, 2147483647.0));
		ROW(limit(trunc(x), 0, 4294967295.0));
		ROW(limit(floor(x), -0x1p63, 0x1p63));
		ROW(limit(ceil(x), -0x1p63, 0x1p63));
		ROW((float)x);
		ROW(rounded_to_float(x, FE_TOWARDZERO));
		ROW(rounded_to_float(x, FE_UPWARD));
		ROW(rounded_to_float(x, FE_DOWNWARD));
		ROW(ROUNDED(float, FE_UPWARD, f, +, 1e-9f));
		ROW(ROUNDED(float, FE_DOWNWARD, f, +, 1e-9f));
		ROW(ROUNDED(float, FE_TOWARDZERO, f, *, 1.1f));
		ROW(ROUNDED(float, FE_UPWARD, f, *, 1.1f));
		ROW(ROUNDED(float, FE_DOWNWARD, f, /, 3.0f));
		ROW(ROUNDED(float, FE_UPWARD, f, /, 3.0f));
		ROW(1 / f);
		cr_expect(isnan(x) ||
			  ((double)at[0] * at[0] <= fabs((double)f) &&
			   pow((double)nextafterf((float)at[0], INFINITY), 2) > fabs((double)f)));
		at += n;
		ROW(ROUNDED(double, FE_UPWARD, x, +, 1e-30));
		ROW(ROUNDED(double, FE_DOWNWARD, x, /, 3.0));
		ROW(ROUNDED(double, FE_UPWARD, x, *, 1.1));
		ROW(rounded_to_float(16777217.0 + i, FE_TOWARDZERO));
		ROW(rounded_to_float(0x1p40 + 1, FE_UPWARD));
		ROW(limit((double)f, 0, 1));
		ROW(f / 2 + 1);
	}
	free(out);
}

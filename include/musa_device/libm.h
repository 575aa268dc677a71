/* SPDX-License-Identifier: MIT */
/*
 * Functions of <math.h> that have no table entry in the engine, under their C names: the compiler
 * turns the C++ library's std::round() and its like into calls of these. mtcc drops unused ones.
 */
#ifndef __MUSA_DEVICE_LIBM_H__
#define __MUSA_DEVICE_LIBM_H__

#include "qualifiers.h"

#ifdef __MUSA_ARCH__
#define __mt_c_function extern "C" __attribute__((device, used)) inline
#else
#define __mt_c_function extern "C" __attribute__((device)) inline
#endif

/* Half away from zero. x - trunc(x) is exact. */
#define __mt_define_round(name, T, trunc, fabs, copysign)                        \
	__mt_c_function T name(T x)                                              \
	{                                                                        \
		T whole = trunc(x);                                              \
                                                                                 \
		if (fabs(x - whole) >= (T)0.5)                                   \
			whole += copysign((T)1, x);                              \
		return copysign(whole, x);                                       \
	}

__mt_define_round(roundf, float, __builtin_truncf, __builtin_fabsf, __builtin_copysignf)
__mt_define_round(round, double, __builtin_trunc, __builtin_fabs, __builtin_copysign)

#undef __mt_define_round

#define __mt_define_to_integer(result, name_f, name, float_form, double_form) \
	__mt_c_function result name_f(float x)                                \
	{                                                                     \
		return (result)float_form(x);                                 \
	}                                                                     \
	__mt_c_function result name(double x)                                 \
	{                                                                     \
		return (result)double_form(x);                                \
	}

__mt_define_to_integer(long, lroundf, lround, roundf, round)
__mt_define_to_integer(long long, llroundf, llround, roundf, round)
__mt_define_to_integer(long, lrintf, lrint, __builtin_rintf, __builtin_rint)
__mt_define_to_integer(long long, llrintf, llrint, __builtin_rintf, __builtin_rint)

#undef __mt_define_to_integer

/* 2 to the power n as a double, for -1022 <= n <= 1023. */
__mt_device double __mt_power_of_two(int n)
{
	return __builtin_bit_cast(double, (unsigned long)(1023 + n) << 52);
}

/* Three steps, so that neither an intermediate overflow nor a double rounding shows. */
__mt_c_function double scalbn(double x, int n)
{
	if (n > 3000)
		n = 3000;
	if (n < -3000)
		n = -3000;
	for (; n > 1023; n -= 1023)
		x *= __mt_power_of_two(1023);
	/* 969 = 1022 - 53: the last product alone may become subnormal. */
	for (; n < -969 - 53; n += 969)
		x *= __mt_power_of_two(-969);
	return x * __mt_power_of_two(n);
}

__mt_c_function float scalbnf(float x, int n)
{
	return (float)scalbn((double)x, n);
}

__mt_c_function double ldexp(double x, int n)
{
	return scalbn(x, n);
}

__mt_c_function float ldexpf(float x, int n)
{
	return scalbnf(x, n);
}

__mt_c_function double scalbln(double x, long n)
{
	return scalbn(x, n > 3000 ? 3000 : n < -3000 ? -3000 : (int)n);
}

__mt_c_function float scalblnf(float x, long n)
{
	return (float)scalbln((double)x, n);
}

__mt_c_function double frexp(double x, int *exponent)
{
	unsigned long bits = __builtin_bit_cast(unsigned long, x);
	int field = (int)(bits >> 52 & 0x7ff);

	*exponent = 0;
	if (field == 0x7ff || x == 0)
		return x;
	if (!field) { /* subnormal */
		x *= __mt_power_of_two(54);
		bits = __builtin_bit_cast(unsigned long, x);
		field = (int)(bits >> 52 & 0x7ff) - 54;
	}
	*exponent = field - 1022;
	return __builtin_bit_cast(double, (bits & ~(0x7fful << 52)) | 1022ul << 52);
}

__mt_c_function float frexpf(float x, int *exponent)
{
	return (float)frexp((double)x, exponent);
}

__mt_c_function int ilogb(double x)
{
	int exponent;

	if (x == 0 || x != x)
		return -2147483647 - 1;
	if (__builtin_isinf(x))
		return 2147483647;
	frexp(x, &exponent);
	return exponent - 1;
}

__mt_c_function int ilogbf(float x)
{
	return ilogb((double)x);
}

__mt_c_function double modf(double x, double *whole)
{
	*whole = __builtin_trunc(x);
	return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}

__mt_c_function float modff(float x, float *whole)
{
	*whole = __builtin_truncf(x);
	return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}

#undef __mt_c_function

#endif

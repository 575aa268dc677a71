/* SPDX-License-Identifier: MIT */
/*
 * Conversions and arithmetic with a named rounding: rn to nearest, rz to zero, ru up, rd down.
 * Conversions to integers saturate, and NaN becomes 0.
 */
#ifndef __MUSA_DEVICE_CONVERT_H__
#define __MUSA_DEVICE_CONVERT_H__

#include "math.h"
#include "qualifiers.h"

/* @low and @high are the limits of T as doubles; the upper one may be the power of two above. */
template <class T> __mt_device T __mt_saturate(double x, double low, double high, T least, T most)
{
	if (x != x)
		return 0;
	if (x <= low)
		return least;
	if (x >= high)
		return most;
	return (T)x;
}

__mt_device int __mt_to_int(double x)
{
	return __mt_saturate<int>(x, -2147483648.0, 2147483647.0, -2147483647 - 1, 2147483647);
}

__mt_device unsigned int __mt_to_uint(double x)
{
	return __mt_saturate<unsigned int>(x, 0, 4294967295.0, 0, 4294967295u);
}

__mt_device long long __mt_to_ll(double x)
{
	return __mt_saturate<long long>(x, -9223372036854775808.0, 9223372036854775808.0,
					-9223372036854775807ll - 1, 9223372036854775807ll);
}

__mt_device unsigned long long __mt_to_ull(double x)
{
	return __mt_saturate<unsigned long long>(x, 0, 18446744073709551616.0, 0, ~0ull);
}

#define __mt_to_integer_kind(from, to, result, function)                  \
	__mt_device result __##from##2##to##_rn(from x)                   \
	{                                                                 \
		return function(__builtin_rint((double)x));               \
	}                                                                 \
	__mt_device result __##from##2##to##_rz(from x)                   \
	{                                                                 \
		return function(__builtin_trunc((double)x));              \
	}                                                                 \
	__mt_device result __##from##2##to##_ru(from x)                   \
	{                                                                 \
		return function(__builtin_ceil((double)x));               \
	}                                                                 \
	__mt_device result __##from##2##to##_rd(from x)                   \
	{                                                                 \
		return function(__builtin_floor((double)x));              \
	}

__mt_to_integer_kind(float, int, int, __mt_to_int)
__mt_to_integer_kind(float, uint, unsigned int, __mt_to_uint)
__mt_to_integer_kind(float, ll, long long, __mt_to_ll)
__mt_to_integer_kind(float, ull, unsigned long long, __mt_to_ull)
__mt_to_integer_kind(double, int, int, __mt_to_int)
__mt_to_integer_kind(double, uint, unsigned int, __mt_to_uint)
__mt_to_integer_kind(double, ll, long long, __mt_to_ll)
__mt_to_integer_kind(double, ull, unsigned long long, __mt_to_ull)

#undef __mt_to_integer_kind

/* The neighbour of a finite x: towards plus infinity, towards minus infinity. */
__mt_device float __mt_next_up(float x)
{
	return __builtin_nextafterf(x, __builtin_inff());
}

__mt_device float __mt_next_down(float x)
{
	return __builtin_nextafterf(x, -__builtin_inff());
}

__mt_device double __mt_next_up(double x)
{
	return __builtin_nextafter(x, __builtin_inf());
}

__mt_device double __mt_next_down(double x)
{
	return __builtin_nextafter(x, -__builtin_inf());
}

/* @nearest is the nearest F to an exact value; @error is exact value - nearest, or its sign. */
template <class F> __mt_device F __mt_round_up(F nearest, double error)
{
	return error > 0 ? __mt_next_up(nearest) : nearest;
}

template <class F> __mt_device F __mt_round_down(F nearest, double error)
{
	return error < 0 ? __mt_next_down(nearest) : nearest;
}

template <class F> __mt_device F __mt_round_zero(F nearest, double error)
{
	return nearest > 0 ? __mt_round_down(nearest, error) : __mt_round_up(nearest, error);
}

#define __mt_four_roundings(result, name, parameters, nearest, error)     \
	__mt_device result name##_rn parameters                           \
	{                                                                 \
		return nearest;                                           \
	}                                                                 \
	__mt_device result name##_rz parameters                           \
	{                                                                 \
		result r = nearest;                                       \
                                                                          \
		return __mt_round_zero(r, (double)(error));               \
	}                                                                 \
	__mt_device result name##_ru parameters                           \
	{                                                                 \
		result r = nearest;                                       \
                                                                          \
		return __mt_round_up(r, (double)(error));                 \
	}                                                                 \
	__mt_device result name##_rd parameters                           \
	{                                                                 \
		result r = nearest;                                       \
                                                                          \
		return __mt_round_down(r, (double)(error));               \
	}

__mt_four_roundings(float, __double2float, (double x), (float)x, x - (double)r)
__mt_four_roundings(float, __int2float, (int x), (float)x, (double)x - (double)r)
__mt_four_roundings(float, __uint2float, (unsigned int x), (float)x, (double)x - (double)r)
__mt_four_roundings(float, __ll2float, (long long x), (float)x, (__int128)x - (__int128)r)
__mt_four_roundings(float, __ull2float, (unsigned long long x), (float)x,
		    (__int128)x - (__int128)r)
__mt_four_roundings(double, __ll2double, (long long x), (double)x, (__int128)x - (__int128)r)
__mt_four_roundings(double, __ull2double, (unsigned long long x), (double)x,
		    (__int128)x - (__int128)r)

/* Products of floats are exact in double; of sums and quotients the error's sign is. */
__mt_four_roundings(float, __fadd, (float x, float y), x + y,
		    ((double)x - (double)r) + (double)y)
__mt_four_roundings(float, __fsub, (float x, float y), x - y,
		    ((double)x - (double)r) - (double)y)
__mt_four_roundings(float, __fmul, (float x, float y), x *y, (double)x *(double)y - (double)r)
__mt_four_roundings(float, __fdiv, (float x, float y), x / y,
		    ((double)x - (double)r * (double)y) * (y < 0 ? -1 : 1))
__mt_four_roundings(float, __frcp, (float x), 1.0f / x,
		    (1.0 - (double)r * (double)x) * (x < 0 ? -1 : 1))
__mt_four_roundings(float, __fsqrt, (float x), __builtin_sqrtf(x),
		    (double)x - (double)r * (double)r)
__mt_four_roundings(float, __fmaf, (float x, float y, float z), __builtin_fmaf(x, y, z),
		    __builtin_fma((double)x, (double)y, (double)z) - (double)r)
__mt_four_roundings(double, __dmul, (double x, double y), x *y, __builtin_fma(x, y, -r))
__mt_four_roundings(double, __ddiv, (double x, double y), x / y,
		    __builtin_fma(-r, y, x) * (y < 0 ? -1 : 1))
__mt_four_roundings(double, __drcp, (double x), 1.0 / x,
		    __builtin_fma(-r, x, 1.0) * (x < 0 ? -1 : 1))
__mt_four_roundings(double, __dsqrt, (double x), __builtin_sqrt(x), __builtin_fma(-r, r, x))

#undef __mt_four_roundings

/* Error of a rounded sum (Knuth). */
__mt_device double __mt_sum_error(double x, double y, double sum)
{
	double part = sum - x;

	return (x - (sum - part)) + (y - part);
}

__mt_device double __dadd_rn(double x, double y)
{
	return x + y;
}

__mt_device double __dadd_rz(double x, double y)
{
	return __mt_round_zero(x + y, __mt_sum_error(x, y, x + y));
}

__mt_device double __dadd_ru(double x, double y)
{
	return __mt_round_up(x + y, __mt_sum_error(x, y, x + y));
}

__mt_device double __dadd_rd(double x, double y)
{
	return __mt_round_down(x + y, __mt_sum_error(x, y, x + y));
}

__mt_device double __dsub_rn(double x, double y)
{
	return x - y;
}

__mt_device double __dsub_rz(double x, double y)
{
	return __dadd_rz(x, -y);
}

__mt_device double __dsub_ru(double x, double y)
{
	return __dadd_ru(x, -y);
}

__mt_device double __dsub_rd(double x, double y)
{
	return __dadd_rd(x, -y);
}

__mt_device double __fma_rn(double x, double y, double z)
{
	return __builtin_fma(x, y, z);
}

__mt_device double __int2double_rn(int x)
{
	return x;
}

__mt_device double __uint2double_rn(unsigned int x)
{
	return x;
}

#endif

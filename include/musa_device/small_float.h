/* SPDX-License-Identifier: MIT */
/*
 * Conversions between float and the 16-bit formats, for host and device. Every rounding is made
 * from the bits, so that it is the same on both sides and needs no special instruction.
 */
#ifndef __MUSA_DEVICE_SMALL_FLOAT_H__
#define __MUSA_DEVICE_SMALL_FLOAT_H__

#include <string.h>

#include "../host_defines.h"
#include "../vector_types.h"

#define __mt_small static __inline__ __host__ __device__

enum __mt_rounding { __mt_nearest, __mt_zero, __mt_up, __mt_down };

__mt_small unsigned int __mt_float_bits(float x)
{
	unsigned int bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

__mt_small float __mt_bits_float(unsigned int bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* A float that rounds to any shorter format as @x itself does: to zero, with the last bit set if
 * anything was lost ("round to odd"). */
__mt_small float __mt_float_of_double(double x)
{
	float near = (float)x;
	unsigned int bits = __mt_float_bits(near);

	if ((double)near == x || x != x)
		return near;
	if (((double)near > x) == (x > 0)) /* went away from zero */
		bits--;
	return __mt_bits_float(bits | 1);
}

/* True if a magnitude that lies above @truncated has to go up. */
__mt_small bool __mt_goes_up(unsigned int lost, unsigned int half, unsigned int odd,
			     unsigned int negative, enum __mt_rounding rounding)
{
	switch (rounding) {
	case __mt_nearest:
		return lost > half || (lost == half && odd);
	case __mt_up:
		return lost && !negative;
	case __mt_down:
		return lost && negative;
	default:
		return false;
	}
}

/* binary16: 5 bits of exponent, 10 of fraction. */
__mt_small unsigned short __mt_half_of_float(float x, enum __mt_rounding rounding)
{
	unsigned int bits = __mt_float_bits(x), sign = bits >> 31, size = bits & 0x7fffffff;
	unsigned int shift, fraction, kept, lost;

	if (size > 0x7f800000)
		return 0x7fff;
	if (size == 0x7f800000)
		return (unsigned short)(sign << 15 | 0x7c00);
	if (size >= 0x47800000) { /* 65536 and above */
		kept = rounding == __mt_nearest || rounding == (sign ? __mt_down : __mt_up) ?
			       0x7c00 :
			       0x7bff;
		return (unsigned short)(sign << 15 | kept);
	}
	if (size >= 0x38800000) { /* normal: rebase the exponent, drop 13 bits */
		kept = (size - 0x38000000) >> 13;
		lost = size & 0x1fff;
		kept += __mt_goes_up(lost, 0x1000, kept & 1, sign, rounding);
		return (unsigned short)(sign << 15 | kept);
	}
	/* Subnormal: the fraction with its leading bit, in units of 2^-24. */
	shift = 126 - (size >> 23);
	if (shift > 31)
		shift = 31;
	fraction = (size & 0x7fffff) | (size >> 23 ? 0x800000 : 0);
	kept = fraction >> shift;
	lost = fraction - (kept << shift);
	if (!size)
		return (unsigned short)(sign << 15);
	kept += __mt_goes_up(shift > 24 ? 1 : lost, 1u << (shift - 1), kept & 1, sign, rounding);
	return (unsigned short)(sign << 15 | kept);
}

__mt_small float __mt_float_of_half(unsigned short h)
{
	unsigned int sign = (unsigned int)(h & 0x8000) << 16, size = h & 0x7fff;
	/* Subnormal ones are a whole number of 2^-24. */
	float tiny = (float)size * 5.9604644775390625e-8f;
	unsigned int normal = (size << 13) + (size >= 0x7c00 ? 0x70000000u : 0x38000000u);

	return __mt_bits_float(sign | (size < 0x400 ? __mt_float_bits(tiny) : normal));
}

/* bfloat16: the upper half of a float. */
__mt_small unsigned short __mt_bfloat16_of_float(float x, enum __mt_rounding rounding)
{
	unsigned int bits = __mt_float_bits(x), kept = bits >> 16;

	if ((bits & 0x7fffffff) > 0x7f800000)
		return 0x7fff;
	if ((bits & 0x7fffffff) == 0x7f800000)
		return (unsigned short)kept;
	kept += __mt_goes_up(bits & 0xffff, 0x8000, kept & 1, bits >> 31, rounding);
	return (unsigned short)kept;
}

__mt_small float __mt_float_of_bfloat16(unsigned short b)
{
	return __mt_bits_float((unsigned int)b << 16);
}

/* Conversions to integers saturate, and NaN becomes 0. */
#define __mt_small_to_integer(name, T, least, most)                      \
	__mt_small T name(float x, enum __mt_rounding rounding)          \
	{                                                                \
		double whole = rounding == __mt_nearest ? __builtin_rint((double)x) : \
			       rounding == __mt_up ? __builtin_ceil((double)x) :      \
			       rounding == __mt_down ? __builtin_floor((double)x) :   \
						       __builtin_trunc((double)x);    \
                                                                         \
		if (x != x)                                              \
			return 0;                                        \
		if (whole <= (double)(least))                            \
			return least;                                    \
		if (whole >= (double)(most))                             \
			return most;                                     \
		return (T)whole;                                         \
	}

__mt_small_to_integer(__mt_float_to_char, signed char, -128, 127)
__mt_small_to_integer(__mt_float_to_uchar, unsigned char, 0, 255)
__mt_small_to_integer(__mt_float_to_short, short, -32768, 32767)
__mt_small_to_integer(__mt_float_to_ushort, unsigned short, 0, 65535)
__mt_small_to_integer(__mt_float_to_int, int, -2147483647 - 1, 2147483647)
__mt_small_to_integer(__mt_float_to_uint, unsigned int, 0, 4294967295u)
__mt_small_to_integer(__mt_float_to_ll, long long, -9223372036854775807ll - 1,
		      9223372036854775807ll)
__mt_small_to_integer(__mt_float_to_ull, unsigned long long, 0, 18446744073709551615ull)

#undef __mt_small_to_integer

#endif

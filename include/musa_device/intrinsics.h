/* SPDX-License-Identifier: MIT */
/* Integer and bit intrinsics, and the fast forms of floating-point functions. */
#ifndef __MUSA_DEVICE_INTRINSICS_H__
#define __MUSA_DEVICE_INTRINSICS_H__

#include "builtins.h"
#include "math.h"
#include "qualifiers.h"

__mt_device int __popc(unsigned int x)
{
	return __builtin_popcount(x);
}

__mt_device int __popcll(unsigned long long x)
{
	return __builtin_popcountll(x);
}

__mt_device int __clz(int x)
{
	return x ? __builtin_clz((unsigned int)x) : 32;
}

__mt_device int __clzll(long long x)
{
	return x ? __builtin_clzll((unsigned long long)x) : 64;
}

__mt_device int __ffs(int x)
{
	return __builtin_ffs(x);
}

__mt_device int __ffsll(long long x)
{
	return __builtin_ffsll(x);
}

__mt_device unsigned int __brev(unsigned int x)
{
	return __builtin_bitreverse32(x);
}

__mt_device unsigned long long __brevll(unsigned long long x)
{
	return __builtin_bitreverse64(x);
}

/* Position of the n-th set bit from base upward (n > 0) or downward (n < 0); ~0 if none. */
__mt_device unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
	int at = (int)base, step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;

	if (!offset)
		return base < 32 && mask >> base & 1 ? base : 0xffffffffu;
	for (; at >= 0 && at < 32; at += step)
		if (mask >> at & 1 && !--left)
			return (unsigned int)at;
	return 0xffffffffu;
}

__mt_device unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
	unsigned long long bytes = (unsigned long long)y << 32 | x;
	unsigned int result = 0;

	for (int i = 0; i < 4; i++) {
		unsigned int nibble = selector >> 4 * i & 0xf;
		unsigned int byte = (unsigned int)(bytes >> 8 * (nibble & 7)) & 0xff;

		if (nibble & 8) /* replicate the sign */
			byte = byte & 0x80 ? 0xff : 0;
		result |= byte << 8 * i;
	}
	return result;
}

__mt_device unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift)
{
	unsigned long long both = (unsigned long long)hi << 32 | lo;

	return (unsigned int)(both << (shift & 31) >> 32);
}

__mt_device unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift)
{
	unsigned long long both = (unsigned long long)hi << 32 | lo;

	return (unsigned int)(both >> (shift & 31));
}

__mt_device unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift)
{
	unsigned long long both = (unsigned long long)hi << 32 | lo;

	return (unsigned int)(both << (shift < 32 ? shift : 32) >> 32);
}

__mt_device unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift)
{
	unsigned long long both = (unsigned long long)hi << 32 | lo;

	return (unsigned int)(both >> (shift < 32 ? shift : 32));
}

__mt_device int __mul24(int x, int y)
{
	return (x << 8 >> 8) * (y << 8 >> 8);
}

__mt_device unsigned int __umul24(unsigned int x, unsigned int y)
{
	return (x & 0xffffff) * (y & 0xffffff);
}

__mt_device int __mulhi(int x, int y)
{
	return (int)((long long)x * y >> 32);
}

__mt_device unsigned int __umulhi(unsigned int x, unsigned int y)
{
	return (unsigned int)((unsigned long long)x * y >> 32);
}

__mt_device long long __mul64hi(long long x, long long y)
{
	return (long long)((__int128)x * y >> 64);
}

__mt_device unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
	return (unsigned long long)((unsigned __int128)x * y >> 64);
}

__mt_device unsigned int __sad(int x, int y, unsigned int z)
{
	return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}

__mt_device unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
	return (x > y ? x - y : y - x) + z;
}

__mt_device int __hadd(int x, int y)
{
	return (int)(((long long)x + y) >> 1);
}

__mt_device int __rhadd(int x, int y)
{
	return (int)(((long long)x + y + 1) >> 1);
}

__mt_device unsigned int __uhadd(unsigned int x, unsigned int y)
{
	return (unsigned int)(((unsigned long long)x + y) >> 1);
}

__mt_device unsigned int __urhadd(unsigned int x, unsigned int y)
{
	return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

__mt_device int __dp4a(int x, int y, int z)
{
	for (int i = 0; i < 32; i += 8)
		z += (signed char)(x >> i) * (signed char)(y >> i);
	return z;
}

__mt_device unsigned int __dp4a(unsigned int x, unsigned int y, unsigned int z)
{
	for (int i = 0; i < 32; i += 8)
		z += (x >> i & 0xff) * (y >> i & 0xff);
	return z;
}

__mt_device int __dp2a_lo(int x, int y, int z)
{
	return z + (short)x * (signed char)y + (short)(x >> 16) * (signed char)(y >> 8);
}

__mt_device int __dp2a_hi(int x, int y, int z)
{
	return z + (short)x * (signed char)(y >> 16) + (short)(x >> 16) * (signed char)(y >> 24);
}

/* Bits of a number as another type. */
#define __mt_define_bits(name, to, from)              \
	__mt_device to name(from x)                   \
	{                                             \
		return __builtin_bit_cast(to, x);     \
	}

__mt_define_bits(__float_as_int, int, float)
__mt_define_bits(__float_as_uint, unsigned int, float)
__mt_define_bits(__int_as_float, float, int)
__mt_define_bits(__uint_as_float, float, unsigned int)
__mt_define_bits(__double_as_longlong, long long, double)
__mt_define_bits(__longlong_as_double, double, long long)

#undef __mt_define_bits

__mt_device int __double2hiint(double x)
{
	return (int)(__builtin_bit_cast(long long, x) >> 32);
}

__mt_device int __double2loint(double x)
{
	return (int)__builtin_bit_cast(long long, x);
}

__mt_device double __hiloint2double(int hi, int lo)
{
	return __builtin_bit_cast(double, (unsigned long long)(unsigned int)hi << 32 |
						  (unsigned int)lo);
}

/* Cached loads and stores: one cache here. */
#define __mt_define_load(name)                             \
	template <class T> __mt_device T name(const T *p)  \
	{                                                  \
		return *p;                                 \
	}
#define __mt_define_store(name)                                        \
	template <class T> __mt_device void name(T *p, T value)        \
	{                                                              \
		*p = value;                                            \
	}

__mt_define_load(__ldg)
__mt_define_load(__ldca)
__mt_define_load(__ldcg)
__mt_define_load(__ldcs)
__mt_define_load(__ldcv)
__mt_define_load(__ldlu)
__mt_define_store(__stcg)
__mt_define_store(__stcs)
__mt_define_store(__stwb)
__mt_define_store(__stwt)

#undef __mt_define_load
#undef __mt_define_store

/* All memory is in one address space. */
__mt_device size_t __cvta_generic_to_shared(const void *pointer)
{
	return (size_t)pointer;
}

__mt_device size_t __cvta_generic_to_global(const void *pointer)
{
	return (size_t)pointer;
}

__mt_device void *__cvta_shared_to_generic(size_t pointer)
{
	return (void *)pointer;
}

__mt_device void *__cvta_global_to_generic(size_t pointer)
{
	return (void *)pointer;
}

/* Nanoseconds since some fixed time. */
__mt_device unsigned long long __globaltimer(void)
{
	return __mt_clock();
}

#define __mt_define_fast1(name, form)    \
	__mt_device float name(float x)  \
	{                                \
		return form;             \
	}

__mt_define_fast1(__cosf, __builtin_cosf(x))
__mt_define_fast1(__sinf, __builtin_sinf(x))
__mt_define_fast1(__tanf, __builtin_tanf(x))
__mt_define_fast1(__expf, __builtin_expf(x))
__mt_define_fast1(__exp2f, __builtin_exp2f(x))
__mt_define_fast1(__exp10f, exp10f(x))
__mt_define_fast1(__logf, __builtin_logf(x))
__mt_define_fast1(__log2f, __builtin_log2f(x))
__mt_define_fast1(__log10f, __builtin_log10f(x))
__mt_define_fast1(__saturatef, x > 0 ? (x < 1 ? x : 1.0f) : 0.0f)
__mt_define_fast1(__frsqrt_rn, 1.0f / __builtin_sqrtf(x))

#undef __mt_define_fast1

__mt_device float __powf(float x, float y)
{
	return __builtin_powf(x, y);
}

__mt_device float __fdividef(float x, float y)
{
	return x / y;
}

__mt_device void __sincosf(float x, float *sine, float *cosine)
{
	sincosf(x, sine, cosine);
}

#endif

/* SPDX-License-Identifier: MIT */
/* bfloat16: __mt_bfloat16 and __mt_bfloat162, for host and device C++. */
#ifndef __MUSA_BF16_H__
#define __MUSA_BF16_H__

typedef struct __mt_bfloat16_raw {
	unsigned short x;
} __mt_bfloat16_raw;

typedef struct __mt_bfloat162_raw {
	unsigned short x, y;
} __mt_bfloat162_raw;

#ifdef __cplusplus

#if defined(__MUSACC__)
#include "musa_device.h"
#endif
#include "musa_device/small_float.h"

#define MT_METHOD __host__ __device__

struct __mt_bfloat16 {
	unsigned short __x;

	__mt_bfloat16() = default;
	MT_METHOD __mt_bfloat16(const __mt_bfloat16_raw &raw) : __x(raw.x)
	{
	}
	MT_METHOD __mt_bfloat16(float v) : __x(__mt_bfloat16_of_float(v, __mt_nearest))
	{
	}
	MT_METHOD __mt_bfloat16(double v) : __mt_bfloat16(__mt_float_of_double(v))
	{
	}
	MT_METHOD __mt_bfloat16(short v) : __mt_bfloat16((float)v)
	{
	}
	MT_METHOD __mt_bfloat16(unsigned short v) : __mt_bfloat16((float)v)
	{
	}
	MT_METHOD __mt_bfloat16(int v) : __mt_bfloat16((double)v)
	{
	}
	MT_METHOD __mt_bfloat16(unsigned int v) : __mt_bfloat16((double)v)
	{
	}
	MT_METHOD __mt_bfloat16(long v) : __mt_bfloat16((double)v)
	{
	}
	MT_METHOD __mt_bfloat16(unsigned long v) : __mt_bfloat16((double)v)
	{
	}
	MT_METHOD __mt_bfloat16(long long v) : __mt_bfloat16((double)v)
	{
	}
	MT_METHOD __mt_bfloat16(unsigned long long v) : __mt_bfloat16((double)v)
	{
	}
	MT_METHOD operator __mt_bfloat16_raw() const
	{
		__mt_bfloat16_raw raw;

		raw.x = __x;
		return raw;
	}
	MT_METHOD operator float() const
	{
		return __mt_float_of_bfloat16(__x);
	}
	MT_METHOD explicit operator bool() const
	{
		return (__x & 0x7fff) != 0;
	}
};

struct alignas(4) __mt_bfloat162 {
	__mt_bfloat16 x, y;

	__mt_bfloat162() = default;
	MT_METHOD __mt_bfloat162(const __mt_bfloat16 &low, const __mt_bfloat16 &high)
		: x(low), y(high)
	{
	}
	MT_METHOD __mt_bfloat162(const __mt_bfloat162_raw &raw)
	{
		x.__x = raw.x;
		y.__x = raw.y;
	}
	MT_METHOD operator __mt_bfloat162_raw() const
	{
		__mt_bfloat162_raw raw;

		raw.x = x.__x;
		raw.y = y.__x;
		return raw;
	}
};

struct alignas(8) __mt_bfloat164 {
	__mt_bfloat16 x, y, z, w;
};

#undef MT_METHOD

typedef __mt_bfloat16 mt_bfloat16;
typedef __mt_bfloat162 mt_bfloat162;
typedef __mt_bfloat16 __nv_bfloat16;
typedef __mt_bfloat162 __nv_bfloat162;
typedef __mt_bfloat16_raw __nv_bfloat16_raw;
typedef __mt_bfloat162_raw __nv_bfloat162_raw;
typedef __mt_bfloat16 nv_bfloat16;
typedef __mt_bfloat162 nv_bfloat162;

/* Bits. */
__mt_small __mt_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
	__mt_bfloat16 b;

	b.__x = bits;
	return b;
}

__mt_small __mt_bfloat16 __short_as_bfloat16(short bits)
{
	return __ushort_as_bfloat16((unsigned short)bits);
}

__mt_small unsigned short __bfloat16_as_ushort(__mt_bfloat16 b)
{
	return b.__x;
}

__mt_small short __bfloat16_as_short(__mt_bfloat16 b)
{
	return (short)b.__x;
}

/* Floats. */
__mt_small float __bfloat162float(__mt_bfloat16 b)
{
	return __mt_float_of_bfloat16(b.__x);
}

#define MT_FROM_FLOAT(suffix, rounding)                                               \
	__mt_small __mt_bfloat16 __float2bfloat16##suffix(float v)                    \
	{                                                                             \
		return __ushort_as_bfloat16(__mt_bfloat16_of_float(v, rounding));     \
	}

MT_FROM_FLOAT(, __mt_nearest)
MT_FROM_FLOAT(_rn, __mt_nearest)
MT_FROM_FLOAT(_rz, __mt_zero)
MT_FROM_FLOAT(_ru, __mt_up)
MT_FROM_FLOAT(_rd, __mt_down)

#undef MT_FROM_FLOAT

__mt_small __mt_bfloat16 __double2bfloat16(double v)
{
	return __float2bfloat16(__mt_float_of_double(v));
}

/* Integers, in all roundings; a rounding to odd in between keeps every one of them right. */
#define MT_INTEGER(kind, T)                                                                     \
	__mt_small __mt_bfloat16 __##kind##2bfloat16_rn(T v)                                    \
	{                                                                                       \
		return __float2bfloat16_rn(__mt_float_of_double((double)v));                    \
	}                                                                                       \
	__mt_small __mt_bfloat16 __##kind##2bfloat16_rz(T v)                                    \
	{                                                                                       \
		return __float2bfloat16_rz(__mt_float_of_double((double)v));                    \
	}                                                                                       \
	__mt_small __mt_bfloat16 __##kind##2bfloat16_ru(T v)                                    \
	{                                                                                       \
		return __float2bfloat16_ru(__mt_float_of_double((double)v));                    \
	}                                                                                       \
	__mt_small __mt_bfloat16 __##kind##2bfloat16_rd(T v)                                    \
	{                                                                                       \
		return __float2bfloat16_rd(__mt_float_of_double((double)v));                    \
	}                                                                                       \
	__mt_small T __bfloat162##kind##_rn(__mt_bfloat16 b)                                    \
	{                                                                                       \
		return __mt_float_to_##kind(__bfloat162float(b), __mt_nearest);                 \
	}                                                                                       \
	__mt_small T __bfloat162##kind##_rz(__mt_bfloat16 b)                                    \
	{                                                                                       \
		return __mt_float_to_##kind(__bfloat162float(b), __mt_zero);                    \
	}                                                                                       \
	__mt_small T __bfloat162##kind##_ru(__mt_bfloat16 b)                                    \
	{                                                                                       \
		return __mt_float_to_##kind(__bfloat162float(b), __mt_up);                      \
	}                                                                                       \
	__mt_small T __bfloat162##kind##_rd(__mt_bfloat16 b)                                    \
	{                                                                                       \
		return __mt_float_to_##kind(__bfloat162float(b), __mt_down);                    \
	}

MT_INTEGER(short, short)
MT_INTEGER(ushort, unsigned short)
MT_INTEGER(int, int)
MT_INTEGER(uint, unsigned int)
MT_INTEGER(ll, long long)
MT_INTEGER(ull, unsigned long long)

#undef MT_INTEGER

/* Pairs. */
__mt_small __mt_bfloat162 make_bfloat162(__mt_bfloat16 low, __mt_bfloat16 high)
{
	return __mt_bfloat162(low, high);
}

__mt_small __mt_bfloat162 __halves2bfloat162(__mt_bfloat16 low, __mt_bfloat16 high)
{
	return __mt_bfloat162(low, high);
}

__mt_small __mt_bfloat162 __bfloat162bfloat162(__mt_bfloat16 b)
{
	return __mt_bfloat162(b, b);
}

__mt_small __mt_bfloat162 __float2bfloat162_rn(float v)
{
	return __bfloat162bfloat162(__float2bfloat16(v));
}

__mt_small __mt_bfloat162 __floats2bfloat162_rn(float low, float high)
{
	return __mt_bfloat162(__float2bfloat16(low), __float2bfloat16(high));
}

__mt_small __mt_bfloat162 __float22bfloat162_rn(float2 v)
{
	return __floats2bfloat162_rn(v.x, v.y);
}

__mt_small float2 __bfloat1622float2(__mt_bfloat162 b)
{
	float2 v;

	v.x = __bfloat162float(b.x);
	v.y = __bfloat162float(b.y);
	return v;
}

__mt_small __mt_bfloat16 __low2bfloat16(__mt_bfloat162 b)
{
	return b.x;
}

__mt_small __mt_bfloat16 __high2bfloat16(__mt_bfloat162 b)
{
	return b.y;
}

__mt_small __mt_bfloat162 __low2bfloat162(__mt_bfloat162 b)
{
	return __mt_bfloat162(b.x, b.x);
}

__mt_small __mt_bfloat162 __high2bfloat162(__mt_bfloat162 b)
{
	return __mt_bfloat162(b.y, b.y);
}

__mt_small __mt_bfloat162 __lows2bfloat162(__mt_bfloat162 a, __mt_bfloat162 b)
{
	return __mt_bfloat162(a.x, b.x);
}

__mt_small __mt_bfloat162 __highs2bfloat162(__mt_bfloat162 a, __mt_bfloat162 b)
{
	return __mt_bfloat162(a.y, b.y);
}

#define MT_T __mt_bfloat16
#define MT_T2 __mt_bfloat162
#define MT_MAKE(v) __float2bfloat16((float)(v))
#define MT_MAKE_DOUBLE(v) __double2bfloat16(v)
#define MT_FLOAT(b) __bfloat162float(b)
#define MT_BITS(bits) __ushort_as_bfloat16(bits)
#define MT_RAW_OF(b) ((b).__x)
#define MT_NAME(stem) __mt_bfloat16_##stem
#include "musa_device/small_float_ops.h"

#endif /* __cplusplus */
#endif

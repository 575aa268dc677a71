/* SPDX-License-Identifier: MIT */
/* half precision (binary16): __half and __half2, for host and device C++. */
#ifndef __MUSA_FP16_H__
#define __MUSA_FP16_H__

typedef struct __half_raw {
	unsigned short x;
} __half_raw;

typedef struct __half2_raw {
	unsigned short x, y;
} __half2_raw;

#ifdef __cplusplus

#if defined(__MUSACC__)
#include "musa_device.h"
#endif
#include "musa_device/small_float.h"

#define MT_METHOD __host__ __device__

struct __half {
	unsigned short __x;

	__half() = default;
	MT_METHOD __half(const __half_raw &raw) : __x(raw.x)
	{
	}
	MT_METHOD __half(float v) : __x(__mt_half_of_float(v, __mt_nearest))
	{
	}
	MT_METHOD __half(double v) : __x(__mt_half_of_float(__mt_float_of_double(v), __mt_nearest))
	{
	}
	/* Beyond 2^24, where float rounds first, everything is infinite anyway. */
	MT_METHOD __half(short v) : __half((float)v)
	{
	}
	MT_METHOD __half(unsigned short v) : __half((float)v)
	{
	}
	MT_METHOD __half(int v) : __half((float)v)
	{
	}
	MT_METHOD __half(unsigned int v) : __half((float)v)
	{
	}
	MT_METHOD __half(long v) : __half((float)v)
	{
	}
	MT_METHOD __half(unsigned long v) : __half((float)v)
	{
	}
	MT_METHOD __half(long long v) : __half((float)v)
	{
	}
	MT_METHOD __half(unsigned long long v) : __half((float)v)
	{
	}
	MT_METHOD operator __half_raw() const
	{
		__half_raw raw;

		raw.x = __x;
		return raw;
	}
	MT_METHOD operator float() const
	{
		return __mt_float_of_half(__x);
	}
	MT_METHOD explicit operator bool() const
	{
		return (__x & 0x7fff) != 0;
	}
};

struct alignas(4) __half2 {
	__half x, y;

	__half2() = default;
	MT_METHOD __half2(const __half &low, const __half &high) : x(low), y(high)
	{
	}
	MT_METHOD __half2(const __half2_raw &raw)
	{
		x.__x = raw.x;
		y.__x = raw.y;
	}
	MT_METHOD operator __half2_raw() const
	{
		__half2_raw raw;

		raw.x = x.__x;
		raw.y = y.__x;
		return raw;
	}
};

#undef MT_METHOD

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half __mt_half;
typedef __half2 __mt_half2;

/* Bits. */
__mt_small __half __ushort_as_half(unsigned short bits)
{
	__half h;

	h.__x = bits;
	return h;
}

__mt_small __half __short_as_half(short bits)
{
	return __ushort_as_half((unsigned short)bits);
}

__mt_small unsigned short __half_as_ushort(__half h)
{
	return h.__x;
}

__mt_small short __half_as_short(__half h)
{
	return (short)h.__x;
}

/* Floats. */
__mt_small float __half2float(__half h)
{
	return __mt_float_of_half(h.__x);
}

#define MT_FROM_FLOAT(suffix, rounding)                                           \
	__mt_small __half __float2half##suffix(float v)                           \
	{                                                                         \
		return __ushort_as_half(__mt_half_of_float(v, rounding));         \
	}

MT_FROM_FLOAT(, __mt_nearest)
MT_FROM_FLOAT(_rn, __mt_nearest)
MT_FROM_FLOAT(_rz, __mt_zero)
MT_FROM_FLOAT(_ru, __mt_up)
MT_FROM_FLOAT(_rd, __mt_down)

#undef MT_FROM_FLOAT

__mt_small __half __double2half(double v)
{
	return __float2half(__mt_float_of_double(v));
}

/* Integers, in all roundings. */
#define MT_INTEGER(kind, T)                                                                     \
	__mt_small __half __##kind##2half_rn(T v)                                               \
	{                                                                                       \
		return __float2half_rn((float)v);                                               \
	}                                                                                       \
	__mt_small __half __##kind##2half_rz(T v)                                               \
	{                                                                                       \
		return __float2half_rz((float)v);                                               \
	}                                                                                       \
	__mt_small __half __##kind##2half_ru(T v)                                               \
	{                                                                                       \
		return __float2half_ru((float)v);                                               \
	}                                                                                       \
	__mt_small __half __##kind##2half_rd(T v)                                               \
	{                                                                                       \
		return __float2half_rd((float)v);                                               \
	}                                                                                       \
	__mt_small T __half2##kind##_rn(__half h)                                               \
	{                                                                                       \
		return __mt_float_to_##kind(__half2float(h), __mt_nearest);                     \
	}                                                                                       \
	__mt_small T __half2##kind##_rz(__half h)                                               \
	{                                                                                       \
		return __mt_float_to_##kind(__half2float(h), __mt_zero);                        \
	}                                                                                       \
	__mt_small T __half2##kind##_ru(__half h)                                               \
	{                                                                                       \
		return __mt_float_to_##kind(__half2float(h), __mt_up);                          \
	}                                                                                       \
	__mt_small T __half2##kind##_rd(__half h)                                               \
	{                                                                                       \
		return __mt_float_to_##kind(__half2float(h), __mt_down);                        \
	}

MT_INTEGER(short, short)
MT_INTEGER(ushort, unsigned short)
MT_INTEGER(int, int)
MT_INTEGER(uint, unsigned int)
MT_INTEGER(ll, long long)
MT_INTEGER(ull, unsigned long long)

#undef MT_INTEGER

/* Pairs. */
__mt_small __half2 make_half2(__half low, __half high)
{
	return __half2(low, high);
}

__mt_small __half2 __halves2half2(__half low, __half high)
{
	return __half2(low, high);
}

__mt_small __half2 __half2half2(__half h)
{
	return __half2(h, h);
}

__mt_small __half2 __float2half2_rn(float v)
{
	return __half2half2(__float2half(v));
}

__mt_small __half2 __floats2half2_rn(float low, float high)
{
	return __half2(__float2half(low), __float2half(high));
}

__mt_small __half2 __float22half2_rn(float2 v)
{
	return __floats2half2_rn(v.x, v.y);
}

__mt_small float2 __half22float2(__half2 h)
{
	float2 v;

	v.x = __half2float(h.x);
	v.y = __half2float(h.y);
	return v;
}

__mt_small __half __low2half(__half2 h)
{
	return h.x;
}

__mt_small __half __high2half(__half2 h)
{
	return h.y;
}

__mt_small __half2 __low2half2(__half2 h)
{
	return __half2(h.x, h.x);
}

__mt_small __half2 __high2half2(__half2 h)
{
	return __half2(h.y, h.y);
}

__mt_small __half2 __lows2half2(__half2 a, __half2 b)
{
	return __half2(a.x, b.x);
}

__mt_small __half2 __highs2half2(__half2 a, __half2 b)
{
	return __half2(a.y, b.y);
}

#define MT_T __half
#define MT_T2 __half2
#define MT_MAKE(v) __float2half((float)(v))
#define MT_MAKE_DOUBLE(v) __double2half(v)
#define MT_FLOAT(h) __half2float(h)
#define MT_BITS(bits) __ushort_as_half(bits)
#define MT_RAW_OF(h) ((h).__x)
#define MT_NAME(stem) __mt_half_##stem
#include "musa_device/small_float_ops.h"

#endif /* __cplusplus */
#endif

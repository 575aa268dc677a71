/* SPDX-License-Identifier: MIT */
/* The 8-bit formats e4m3 (largest 448, no infinity) and e5m2, for host and device C++. */
#ifndef __MUSA_FP8_H__
#define __MUSA_FP8_H__

typedef unsigned char __mt_fp8_storage_t;
typedef unsigned short __mt_fp8x2_storage_t;
typedef unsigned int __mt_fp8x4_storage_t;

/* What becomes of values beyond the largest: infinity or NaN, or the largest. */
typedef enum __mt_saturation_t {
	__MT_NOSAT = 0,
	__MT_SATFINITE = 1,
} __mt_saturation_t;

typedef enum __mt_fp8_interpretation_t {
	__MT_E4M3 = 0,
	__MT_E5M2 = 1,
} __mt_fp8_interpretation_t;

#ifdef __cplusplus

#include "musa_bf16.h"
#include "musa_fp16.h"

/* Rounds to nearest. The exponent's bias is 7 with 3 bits of fraction, or 15 with 2. */
__mt_small __mt_fp8_storage_t __musa_cvt_float_to_fp8(const float x,
						      const __mt_saturation_t saturate,
						      const __mt_fp8_interpretation_t kind)
{
	int fraction_bits = kind == __MT_E4M3 ? 3 : 2, bias = kind == __MT_E4M3 ? 7 : 15;
	unsigned int bits = __mt_float_bits(x), sign = bits >> 24 & 0x80, size = bits & 0x7fffffff;
	unsigned int most = kind == __MT_E4M3 ? 0x7e : 0x7b;
	unsigned int beyond = saturate == __MT_SATFINITE ? most : kind == __MT_E4M3 ? 0x7f : 0x7c;
	int exponent = (int)(size >> 23) - 127, shift;
	unsigned int fraction, kept, lost;

	if (size > 0x7f800000)
		return (__mt_fp8_storage_t)(kind == __MT_E4M3 ? 0x7f | sign : 0x7e | sign);
	if (size == 0x7f800000 || exponent > 16)
		return (__mt_fp8_storage_t)(sign | beyond);
	fraction = (size & 0x7fffff) | (size >> 23 ? 0x800000 : 0);
	shift = 23 - fraction_bits;
	if (exponent < 1 - bias) /* subnormal */
		shift += 1 - bias - exponent;
	if (shift > 31)
		shift = 31;
	kept = fraction >> shift;
	lost = fraction - (kept << shift);
	kept += __mt_goes_up(shift > 24 ? fraction != 0 : lost, 1u << (shift - 1), kept & 1, 0,
			     __mt_nearest);
	if (exponent >= 1 - bias) /* the leading one counts as one step of the exponent */
		kept += (unsigned int)(exponent + bias - 1) << fraction_bits;
	return (__mt_fp8_storage_t)(sign | (kept > most ? beyond : kept));
}

__mt_small float __mt_float_of_fp8(__mt_fp8_storage_t v, __mt_fp8_interpretation_t kind)
{
	/* e5m2 is a half without its lower byte; e4m3 has one bit less of exponent. */
	unsigned int size = v & 0x7f;
	float x;

	if (kind == __MT_E5M2)
		return __mt_float_of_half((unsigned short)(v << 8));
	if (size == 0x7f)
		return __builtin_nanf("");
	/* The same bits as a half are 2^-8 of the value: biases 7 and 15. */
	x = __mt_float_of_half((unsigned short)(size << 7)) * 256.0f;
	return v & 0x80 ? -x : x;
}

__mt_small __mt_fp8_storage_t __musa_cvt_double_to_fp8(const double x,
						       const __mt_saturation_t saturate,
						       const __mt_fp8_interpretation_t kind)
{
	return __musa_cvt_float_to_fp8(__mt_float_of_double(x), saturate, kind);
}

__mt_small __mt_fp8x2_storage_t __musa_cvt_float2_to_fp8x2(const float2 x,
							   const __mt_saturation_t saturate,
							   const __mt_fp8_interpretation_t kind)
{
	return (__mt_fp8x2_storage_t)(__musa_cvt_float_to_fp8(x.x, saturate, kind) |
				      __musa_cvt_float_to_fp8(x.y, saturate, kind) << 8);
}

__mt_small __mt_fp8_storage_t __musa_cvt_halfraw_to_fp8(const __half_raw x,
							const __mt_saturation_t saturate,
							const __mt_fp8_interpretation_t kind)
{
	return __musa_cvt_float_to_fp8(__mt_float_of_half(x.x), saturate, kind);
}

__mt_small __mt_fp8_storage_t __musa_cvt_bfloat16raw_to_fp8(const __mt_bfloat16_raw x,
							    const __mt_saturation_t saturate,
							    const __mt_fp8_interpretation_t kind)
{
	return __musa_cvt_float_to_fp8(__mt_float_of_bfloat16(x.x), saturate, kind);
}

__mt_small __half_raw __musa_cvt_fp8_to_halfraw(const __mt_fp8_storage_t x,
						const __mt_fp8_interpretation_t kind)
{
	__half_raw raw;

	raw.x = __mt_half_of_float(__mt_float_of_fp8(x, kind), __mt_nearest);
	return raw;
}

__mt_small __half2_raw __musa_cvt_fp8x2_to_halfraw2(const __mt_fp8x2_storage_t x,
						    const __mt_fp8_interpretation_t kind)
{
	__half2_raw raw;

	raw.x = __musa_cvt_fp8_to_halfraw((__mt_fp8_storage_t)x, kind).x;
	raw.y = __musa_cvt_fp8_to_halfraw((__mt_fp8_storage_t)(x >> 8), kind).x;
	return raw;
}

#define MT_METHOD __host__ __device__

/* One, two and four values of a format, as classes. Conversions to them saturate. */
#define MT_FP8(name, kind)                                                                        \
	struct name {                                                                             \
		__mt_fp8_storage_t __x;                                                           \
                                                                                                  \
		name() = default;                                                                 \
		MT_METHOD explicit name(float v)                                                  \
			: __x(__musa_cvt_float_to_fp8(v, __MT_SATFINITE, kind))                   \
		{                                                                                 \
		}                                                                                 \
		MT_METHOD explicit name(double v)                                                 \
			: __x(__musa_cvt_double_to_fp8(v, __MT_SATFINITE, kind))                  \
		{                                                                                 \
		}                                                                                 \
		MT_METHOD explicit name(int v) : name((double)v)                                  \
		{                                                                                 \
		}                                                                                 \
		MT_METHOD explicit name(__half v) : name((float)v)                                \
		{                                                                                 \
		}                                                                                 \
		MT_METHOD explicit name(__mt_bfloat16 v) : name((float)v)                         \
		{                                                                                 \
		}                                                                                 \
		MT_METHOD explicit operator float() const                                         \
		{                                                                                 \
			return __mt_float_of_fp8(__x, kind);                                      \
		}                                                                                 \
		MT_METHOD explicit operator double() const                                        \
		{                                                                                 \
			return (double)__mt_float_of_fp8(__x, kind);                              \
		}                                                                                 \
		MT_METHOD explicit operator __half() const                                        \
		{                                                                                 \
			return __half(__mt_float_of_fp8(__x, kind));                              \
		}                                                                                 \
		MT_METHOD explicit operator __mt_bfloat16() const                                 \
		{                                                                                 \
			return __mt_bfloat16(__mt_float_of_fp8(__x, kind));                       \
		}                                                                                 \
	}

#define MT_FP8X2(name, kind)                                                                      \
	struct name {                                                                             \
		__mt_fp8x2_storage_t __x;                                                         \
                                                                                                  \
		name() = default;                                                                 \
		MT_METHOD explicit name(float2 v)                                                 \
			: __x(__musa_cvt_float2_to_fp8x2(v, __MT_SATFINITE, kind))                \
		{                                                                                 \
		}                                                                                 \
		MT_METHOD explicit operator float2() const                                        \
		{                                                                                 \
			float2 v;                                                                 \
                                                                                                  \
			v.x = __mt_float_of_fp8((__mt_fp8_storage_t)__x, kind);                   \
			v.y = __mt_float_of_fp8((__mt_fp8_storage_t)(__x >> 8), kind);            \
			return v;                                                                 \
		}                                                                                 \
		MT_METHOD explicit operator __half2() const                                       \
		{                                                                                 \
			return __half2(__musa_cvt_fp8x2_to_halfraw2(__x, kind));                  \
		}                                                                                 \
	}

#define MT_FP8X4(name, pair)                                                                      \
	struct name {                                                                             \
		__mt_fp8x4_storage_t __x;                                                         \
                                                                                                  \
		name() = default;                                                                 \
		MT_METHOD explicit name(float4 v)                                                 \
		{                                                                                 \
			float2 low, high;                                                         \
                                                                                                  \
			low.x = v.x;                                                              \
			low.y = v.y;                                                              \
			high.x = v.z;                                                             \
			high.y = v.w;                                                             \
			__x = pair(low).__x | (__mt_fp8x4_storage_t)pair(high).__x << 16;         \
		}                                                                                 \
		MT_METHOD explicit operator float4() const                                        \
		{                                                                                 \
			pair low, high;                                                           \
			float4 v;                                                                 \
                                                                                                  \
			low.__x = (__mt_fp8x2_storage_t)__x;                                      \
			high.__x = (__mt_fp8x2_storage_t)(__x >> 16);                             \
			v.x = ((float2)low).x;                                                    \
			v.y = ((float2)low).y;                                                    \
			v.z = ((float2)high).x;                                                   \
			v.w = ((float2)high).y;                                                   \
			return v;                                                                 \
		}                                                                                 \
	}

MT_FP8(__mt_fp8_e4m3, __MT_E4M3);
MT_FP8(__mt_fp8_e5m2, __MT_E5M2);
MT_FP8X2(__mt_fp8x2_e4m3, __MT_E4M3);
MT_FP8X2(__mt_fp8x2_e5m2, __MT_E5M2);
MT_FP8X4(__mt_fp8x4_e4m3, __mt_fp8x2_e4m3);
MT_FP8X4(__mt_fp8x4_e5m2, __mt_fp8x2_e5m2);

#undef MT_FP8
#undef MT_FP8X2
#undef MT_FP8X4
#undef MT_METHOD

typedef __mt_fp8_e4m3 __nv_fp8_e4m3;
typedef __mt_fp8_e5m2 __nv_fp8_e5m2;
typedef __mt_fp8x2_e4m3 __nv_fp8x2_e4m3;
typedef __mt_fp8x2_e5m2 __nv_fp8x2_e5m2;
typedef __mt_fp8x4_e4m3 __nv_fp8x4_e4m3;
typedef __mt_fp8x4_e5m2 __nv_fp8x4_e5m2;
typedef __mt_fp8_storage_t __nv_fp8_storage_t;
typedef __mt_fp8x2_storage_t __nv_fp8x2_storage_t;
typedef __mt_fp8x4_storage_t __nv_fp8x4_storage_t;
typedef __mt_saturation_t __nv_saturation_t;
typedef __mt_fp8_interpretation_t __nv_fp8_interpretation_t;

#endif /* __cplusplus */
#endif

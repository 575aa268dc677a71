/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic, comparison and math of one 16-bit format and its pair. Included once per format, with
 * MT_T and MT_T2 naming the types, MT_MAKE(float) and MT_FLOAT(T) the conversions, MT_MAKE_DOUBLE
 * the one from double. Each operation is made in float and rounded once: float has more than twice
 * the digits, so that the result is the nearest.
 */

#define MT_2(name, expression)                                       \
	__mt_small MT_T name(const MT_T a, const MT_T b)             \
	{                                                            \
		float x = MT_FLOAT(a), y = MT_FLOAT(b);              \
                                                                     \
		return MT_MAKE(expression);                          \
	}
#define MT_1(name, expression)                                       \
	__mt_small MT_T name(const MT_T a)                           \
	{                                                            \
		float x = MT_FLOAT(a);                               \
                                                                     \
		return MT_MAKE(expression);                          \
	}
/* The same for both parts of a pair. */
#define MT_PAIR_2(name, single)                                      \
	__mt_small MT_T2 name(const MT_T2 a, const MT_T2 b)          \
	{                                                            \
		return MT_T2(single(a.x, b.x), single(a.y, b.y));    \
	}
#define MT_PAIR_1(name, single)                                      \
	__mt_small MT_T2 name(const MT_T2 a)                         \
	{                                                            \
		return MT_T2(single(a.x), single(a.y));              \
	}

/* To [0, 1], NaN to 0. */
__mt_small float MT_NAME(saturated)(float x)
{
	return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}

MT_2(__hadd, x + y)
MT_2(__hsub, x - y)
MT_2(__hmul, x *y)
MT_2(__hdiv, x / y)
MT_2(__hadd_rn, x + y)
MT_2(__hsub_rn, x - y)
MT_2(__hmul_rn, x *y)
MT_2(__hadd_sat, MT_NAME(saturated)(x + y))
MT_2(__hsub_sat, MT_NAME(saturated)(x - y))
MT_2(__hmul_sat, MT_NAME(saturated)(x *y))
/* A NaN gives way to a number; the _nan forms keep it. */
MT_2(__hmax, x != x ? y : y != y || x > y || (x == y && !__builtin_signbit(x)) ? x : y)
MT_2(__hmin, x != x ? y : y != y || x < y || (x == y && __builtin_signbit(x)) ? x : y)
MT_2(__hmax_nan, x != x || y != y ? __builtin_nanf("") : x > y ? x : y)
MT_2(__hmin_nan, x != x || y != y ? __builtin_nanf("") : x < y ? x : y)

/* Products of two are exact in double. */
__mt_small MT_T __hfma(const MT_T a, const MT_T b, const MT_T c)
{
	return MT_MAKE_DOUBLE((double)MT_FLOAT(a) * MT_FLOAT(b) + MT_FLOAT(c));
}

__mt_small MT_T __hfma_sat(const MT_T a, const MT_T b, const MT_T c)
{
	return MT_MAKE(MT_NAME(saturated)(MT_FLOAT(a) * MT_FLOAT(b) + MT_FLOAT(c)));
}

__mt_small MT_T __hfma_relu(const MT_T a, const MT_T b, const MT_T c)
{
	return __hmax_nan(__hfma(a, b, c), MT_MAKE(0));
}

__mt_small MT_T __hneg(const MT_T a)
{
	return MT_BITS((unsigned short)(MT_RAW_OF(a) ^ 0x8000));
}

__mt_small MT_T __habs(const MT_T a)
{
	return MT_BITS((unsigned short)(MT_RAW_OF(a) & 0x7fff));
}

MT_1(hsqrt, __builtin_sqrtf(x))
MT_1(hrsqrt, 1.0f / __builtin_sqrtf(x))
MT_1(hrcp, 1.0f / x)
MT_1(hlog, __builtin_logf(x))
MT_1(hlog2, __builtin_log2f(x))
MT_1(hlog10, __builtin_log10f(x))
MT_1(hexp, __builtin_expf(x))
MT_1(hexp2, __builtin_exp2f(x))
MT_1(hexp10, __builtin_powf(10.0f, x))
MT_1(hsin, __builtin_sinf(x))
MT_1(hcos, __builtin_cosf(x))
MT_1(htanh, __builtin_tanhf(x))
MT_1(hfloor, __builtin_floorf(x))
MT_1(hceil, __builtin_ceilf(x))
MT_1(htrunc, __builtin_truncf(x))
MT_1(hrint, __builtin_rintf(x))

#define MT_COMPARE(stem, expression)                                                        \
	__mt_small bool __h##stem(const MT_T a, const MT_T b)                               \
	{                                                                                   \
		float x = MT_FLOAT(a), y = MT_FLOAT(b);                                     \
                                                                                            \
		return expression;                                                          \
	}                                                                                   \
	__mt_small bool __h##stem##u(const MT_T a, const MT_T b)                            \
	{                                                                                   \
		float x = MT_FLOAT(a), y = MT_FLOAT(b);                                     \
                                                                                            \
		return x != x || y != y || (expression);                                    \
	}                                                                                   \
	__mt_small MT_T2 __h##stem##2(const MT_T2 a, const MT_T2 b)                         \
	{                                                                                   \
		return MT_T2(MT_MAKE(__h##stem(a.x, b.x)), MT_MAKE(__h##stem(a.y, b.y)));   \
	}                                                                                   \
	__mt_small MT_T2 __h##stem##u2(const MT_T2 a, const MT_T2 b)                        \
	{                                                                                   \
		return MT_T2(MT_MAKE(__h##stem##u(a.x, b.x)), MT_MAKE(__h##stem##u(a.y, b.y))); \
	}                                                                                   \
	__mt_small bool __hb##stem##2(const MT_T2 a, const MT_T2 b)                         \
	{                                                                                   \
		return __h##stem(a.x, b.x) && __h##stem(a.y, b.y);                          \
	}                                                                                   \
	__mt_small bool __hb##stem##u2(const MT_T2 a, const MT_T2 b)                        \
	{                                                                                   \
		return __h##stem##u(a.x, b.x) && __h##stem##u(a.y, b.y);                    \
	}                                                                                   \
	__mt_small unsigned int __h##stem##2_mask(const MT_T2 a, const MT_T2 b)             \
	{                                                                                   \
		return (__h##stem(a.x, b.x) ? 0xffffu : 0) |                                \
		       (__h##stem(a.y, b.y) ? 0xffff0000u : 0);                             \
	}                                                                                   \
	__mt_small unsigned int __h##stem##u2_mask(const MT_T2 a, const MT_T2 b)            \
	{                                                                                   \
		return (__h##stem##u(a.x, b.x) ? 0xffffu : 0) |                             \
		       (__h##stem##u(a.y, b.y) ? 0xffff0000u : 0);                          \
	}

MT_COMPARE(eq, x == y)
MT_COMPARE(ne, x < y || x > y)
MT_COMPARE(lt, x < y)
MT_COMPARE(le, x <= y)
MT_COMPARE(gt, x > y)
MT_COMPARE(ge, x >= y)

__mt_small bool __hisnan(const MT_T a)
{
	return MT_FLOAT(a) != MT_FLOAT(a);
}

/* -1 for minus infinity, 1 for plus infinity. */
__mt_small int __hisinf(const MT_T a)
{
	float x = MT_FLOAT(a);

	return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}

__mt_small MT_T2 __hisnan2(const MT_T2 a)
{
	return MT_T2(MT_MAKE(__hisnan(a.x)), MT_MAKE(__hisnan(a.y)));
}

MT_PAIR_2(__hadd2, __hadd)
MT_PAIR_2(__hsub2, __hsub)
MT_PAIR_2(__hmul2, __hmul)
MT_PAIR_2(__h2div, __hdiv)
MT_PAIR_2(__hadd2_rn, __hadd)
MT_PAIR_2(__hsub2_rn, __hsub)
MT_PAIR_2(__hmul2_rn, __hmul)
MT_PAIR_2(__hadd2_sat, __hadd_sat)
MT_PAIR_2(__hsub2_sat, __hsub_sat)
MT_PAIR_2(__hmul2_sat, __hmul_sat)
MT_PAIR_2(__hmax2, __hmax)
MT_PAIR_2(__hmin2, __hmin)
MT_PAIR_2(__hmax2_nan, __hmax_nan)
MT_PAIR_2(__hmin2_nan, __hmin_nan)
MT_PAIR_1(__hneg2, __hneg)
MT_PAIR_1(__habs2, __habs)
MT_PAIR_1(h2sqrt, hsqrt)
MT_PAIR_1(h2rsqrt, hrsqrt)
MT_PAIR_1(h2rcp, hrcp)
MT_PAIR_1(h2log, hlog)
MT_PAIR_1(h2log2, hlog2)
MT_PAIR_1(h2log10, hlog10)
MT_PAIR_1(h2exp, hexp)
MT_PAIR_1(h2exp2, hexp2)
MT_PAIR_1(h2exp10, hexp10)
MT_PAIR_1(h2sin, hsin)
MT_PAIR_1(h2cos, hcos)
MT_PAIR_1(h2tanh, htanh)
MT_PAIR_1(h2floor, hfloor)
MT_PAIR_1(h2ceil, hceil)
MT_PAIR_1(h2trunc, htrunc)
MT_PAIR_1(h2rint, hrint)

__mt_small MT_T2 __hfma2(const MT_T2 a, const MT_T2 b, const MT_T2 c)
{
	return MT_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

__mt_small MT_T2 __hfma2_sat(const MT_T2 a, const MT_T2 b, const MT_T2 c)
{
	return MT_T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}

__mt_small MT_T2 __hfma2_relu(const MT_T2 a, const MT_T2 b, const MT_T2 c)
{
	return MT_T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}

__mt_small MT_T2 __lowhigh2highlow(const MT_T2 a)
{
	return MT_T2(a.y, a.x);
}

__mt_small float __low2float(const MT_T2 a)
{
	return MT_FLOAT(a.x);
}

__mt_small float __high2float(const MT_T2 a)
{
	return MT_FLOAT(a.y);
}

#define MT_OPERATOR(op, single, pair)                                \
	__mt_small MT_T operator op(const MT_T a, const MT_T b)      \
	{                                                            \
		return single(a, b);                                 \
	}                                                            \
	__mt_small MT_T2 operator op(const MT_T2 a, const MT_T2 b)   \
	{                                                            \
		return pair(a, b);                                   \
	}                                                            \
	__mt_small MT_T &operator op##=(MT_T &a, const MT_T b)       \
	{                                                            \
		return a = single(a, b);                             \
	}                                                            \
	__mt_small MT_T2 &operator op##=(MT_T2 &a, const MT_T2 b)    \
	{                                                            \
		return a = pair(a, b);                               \
	}

MT_OPERATOR(+, __hadd, __hadd2)
MT_OPERATOR(-, __hsub, __hsub2)
MT_OPERATOR(*, __hmul, __hmul2)
MT_OPERATOR(/, __hdiv, __h2div)

#define MT_COMPARISON(op, stem)                                      \
	__mt_small bool operator op(const MT_T a, const MT_T b)      \
	{                                                            \
		return __h##stem(a, b);                              \
	}                                                            \
	__mt_small bool operator op(const MT_T2 a, const MT_T2 b)    \
	{                                                            \
		return __hb##stem##2(a, b);                          \
	}

MT_COMPARISON(==, eq)
MT_COMPARISON(<, lt)
MT_COMPARISON(<=, le)
MT_COMPARISON(>, gt)
MT_COMPARISON(>=, ge)

__mt_small bool operator!=(const MT_T a, const MT_T b)
{
	return __hneu(a, b);
}

__mt_small bool operator!=(const MT_T2 a, const MT_T2 b)
{
	return __hbneu2(a, b);
}

__mt_small MT_T operator-(const MT_T a)
{
	return __hneg(a);
}

__mt_small MT_T operator+(const MT_T a)
{
	return a;
}

__mt_small MT_T2 operator-(const MT_T2 a)
{
	return __hneg2(a);
}

__mt_small MT_T2 operator+(const MT_T2 a)
{
	return a;
}

__mt_small MT_T &operator++(MT_T &a)
{
	return a = __hadd(a, MT_MAKE(1));
}

__mt_small MT_T &operator--(MT_T &a)
{
	return a = __hsub(a, MT_MAKE(1));
}

__mt_small MT_T operator++(MT_T &a, int)
{
	MT_T old = a;

	++a;
	return old;
}

__mt_small MT_T operator--(MT_T &a, int)
{
	MT_T old = a;

	--a;
	return old;
}

#if defined(__MUSACC__)
/* A pair is replaced as a whole; the format itself within its 2 bytes. */
__attribute__((device)) static inline MT_T atomicAdd(MT_T *address, MT_T value)
{
	return __mt_atomic_apply(address, [=](MT_T old) { return __hadd(old, value); });
}

__attribute__((device)) static inline MT_T2 atomicAdd(MT_T2 *address, MT_T2 value)
{
	return __mt_atomic_apply(address, [=](MT_T2 old) { return __hadd2(old, value); });
}
#endif

#undef MT_1
#undef MT_2
#undef MT_PAIR_1
#undef MT_PAIR_2
#undef MT_COMPARE
#undef MT_COMPARISON
#undef MT_OPERATOR
#undef MT_T
#undef MT_T2
#undef MT_MAKE
#undef MT_MAKE_DOUBLE
#undef MT_FLOAT
#undef MT_BITS
#undef MT_RAW_OF
#undef MT_NAME

/* SPDX-License-Identifier: MIT */
/*
 * <math.h> for device code, and what CUDA-like programs expect beside it. The builtins become
 * instructions, or calls through the engine's table where there is no instruction.
 */
#ifndef __MUSA_DEVICE_MATH_H__
#define __MUSA_DEVICE_MATH_H__

#include "libm.h"
#include "qualifiers.h"

#define __mt_math1(name)                                  \
	__mt_device float name##f(float x)                \
	{                                                 \
		return __builtin_##name##f(x);            \
	}                                                 \
	__mt_device double name(double x)                 \
	{                                                 \
		return __builtin_##name(x);               \
	}
#define __mt_math2(name)                                  \
	__mt_device float name##f(float x, float y)       \
	{                                                 \
		return __builtin_##name##f(x, y);         \
	}                                                 \
	__mt_device double name(double x, double y)       \
	{                                                 \
		return __builtin_##name(x, y);            \
	}

__mt_math1(acos)
__mt_math1(acosh)
__mt_math1(asin)
__mt_math1(asinh)
__mt_math1(atan)
__mt_math1(atanh)
__mt_math1(cbrt)
__mt_math1(ceil)
__mt_math1(cos)
__mt_math1(cosh)
__mt_math1(erf)
__mt_math1(erfc)
__mt_math1(exp)
__mt_math1(exp2)
__mt_math1(expm1)
__mt_math1(fabs)
__mt_math1(floor)
__mt_math1(lgamma)
__mt_math1(log)
__mt_math1(log10)
__mt_math1(log1p)
__mt_math1(log2)
__mt_math1(logb)
__mt_math1(nearbyint)
__mt_math1(rint)
__mt_math1(sin)
__mt_math1(sinh)
__mt_math1(sqrt)
__mt_math1(tan)
__mt_math1(tanh)
__mt_math1(tgamma)
__mt_math1(trunc)
__mt_math2(atan2)
__mt_math2(copysign)
__mt_math2(fdim)
__mt_math2(fmax)
__mt_math2(fmin)
__mt_math2(fmod)
__mt_math2(hypot)
__mt_math2(nextafter)
__mt_math2(pow)
__mt_math2(remainder)

#undef __mt_math1
#undef __mt_math2

/* Names that the host's C library has, but clang no builtin for. */
extern "C" {
__attribute__((device)) float __mt_exp10f(float x) __asm__("exp10f");
__attribute__((device)) double __mt_exp10(double x) __asm__("exp10");
__attribute__((device)) float __mt_j0f(float x) __asm__("j0f");
__attribute__((device)) double __mt_j0(double x) __asm__("j0");
__attribute__((device)) float __mt_j1f(float x) __asm__("j1f");
__attribute__((device)) double __mt_j1(double x) __asm__("j1");
__attribute__((device)) float __mt_y0f(float x) __asm__("y0f");
__attribute__((device)) double __mt_y0(double x) __asm__("y0");
__attribute__((device)) float __mt_y1f(float x) __asm__("y1f");
__attribute__((device)) double __mt_y1(double x) __asm__("y1");
}

#define __mt_math_named(name)                             \
	__mt_device float name##f(float x)                \
	{                                                 \
		return __mt_##name##f(x);                 \
	}                                                 \
	__mt_device double name(double x)                 \
	{                                                 \
		return __mt_##name(x);                    \
	}

__mt_math_named(exp10)
__mt_math_named(j0)
__mt_math_named(j1)
__mt_math_named(y0)
__mt_math_named(y1)

#undef __mt_math_named

__mt_device float fmaf(float x, float y, float z)
{
	return __builtin_fmaf(x, y, z);
}

__mt_device double fma(double x, double y, double z)
{
	return __builtin_fma(x, y, z);
}

__mt_device float rsqrtf(float x)
{
	return 1.0f / __builtin_sqrtf(x);
}

__mt_device double rsqrt(double x)
{
	return 1.0 / __builtin_sqrt(x);
}

__mt_device float rsqrt(float x)
{
	return rsqrtf(x);
}

__mt_device float rcbrtf(float x)
{
	return 1.0f / __builtin_cbrtf(x);
}

__mt_device double rcbrt(double x)
{
	return 1.0 / __builtin_cbrt(x);
}

__mt_device float fdividef(float x, float y)
{
	return x / y;
}

/* Reduced first: sin(pi * x) has period 2, and x - 2 * rint(x / 2) is exact. */
__mt_device double sinpi(double x)
{
	x -= 2 * __builtin_rint(x / 2);
	return x == __builtin_rint(x) ? __builtin_copysign(0.0, x) :
					__builtin_sin(3.14159265358979323846 * x);
}

__mt_device double cospi(double x)
{
	x -= 2 * __builtin_rint(x / 2);
	return __builtin_fabs(x) == 0.5 ? 0.0 : __builtin_cos(3.14159265358979323846 * x);
}

__mt_device float sinpif(float x)
{
	return (float)sinpi((double)x);
}

__mt_device float cospif(float x)
{
	return (float)cospi((double)x);
}

__mt_device void sincosf(float x, float *sine, float *cosine)
{
	*sine = __builtin_sinf(x);
	*cosine = __builtin_cosf(x);
}

__mt_device void sincos(double x, double *sine, double *cosine)
{
	*sine = __builtin_sin(x);
	*cosine = __builtin_cos(x);
}

__mt_device void sincospif(float x, float *sine, float *cosine)
{
	*sine = sinpif(x);
	*cosine = cospif(x);
}

__mt_device void sincospi(double x, double *sine, double *cosine)
{
	*sine = sinpi(x);
	*cosine = cospi(x);
}

__mt_device double norm3d(double x, double y, double z)
{
	return __builtin_sqrt(x * x + y * y + z * z);
}

__mt_device float norm3df(float x, float y, float z)
{
	return (float)norm3d(x, y, z);
}

__mt_device double norm4d(double x, double y, double z, double w)
{
	return __builtin_sqrt(x * x + y * y + z * z + w * w);
}

__mt_device float norm4df(float x, float y, float z, float w)
{
	return (float)norm4d(x, y, z, w);
}

__mt_device float rnorm3df(float x, float y, float z)
{
	return (float)(1 / norm3d(x, y, z));
}

__mt_device double rnorm3d(double x, double y, double z)
{
	return 1 / norm3d(x, y, z);
}

__mt_device double rhypot(double x, double y)
{
	return 1 / __builtin_hypot(x, y);
}

__mt_device float rhypotf(float x, float y)
{
	return (float)rhypot(x, y);
}

__mt_device double normcdf(double x)
{
	return 0.5 * __builtin_erfc(-x * 0.70710678118654752440);
}

__mt_device float normcdff(float x)
{
	return (float)normcdf(x);
}

/* Start: Winitzki's closed form, good to 2 digits; each Newton-Halley step triples them. */
__mt_device double erfinv(double x)
{
	double a = __builtin_fabs(x), log_term, root, y, error, step;

	if (!(a < 1))
		return a == 1 ? x * __builtin_inf() : __builtin_nan("");
	log_term = __builtin_log1p(-x * x);
	root = 4.3307467508 + log_term / 2; /* 2 / (pi * 0.147) */
	y = __builtin_sqrt(__builtin_sqrt(root * root - log_term / 0.147) - root);
	for (int i = 0; i < 3; i++) {
		error = a > 0.5 ? (1 - a) - __builtin_erfc(y) : __builtin_erf(y) - a;
		step = error / (1.12837916709551257390 * __builtin_exp(-y * y));
		y -= step / (1 + y * step);
	}
	return __builtin_copysign(y, x);
}

__mt_device double erfcinv(double x)
{
	double y, step;

	if (!(x > 0 && x < 2))
		return x == 0 ? __builtin_inf() : x == 2 ? -__builtin_inf() : __builtin_nan("");
	if (x > 0.01)
		return erfinv(1 - x);
	y = __builtin_sqrt(-__builtin_log(x * 1.7724538509));
	y = __builtin_sqrt(-__builtin_log(x * 1.7724538509 * y));
	for (int i = 0; i < 6; i++) {
		step = x - __builtin_erfc(y);
		step /= 1.12837916709551257390 * __builtin_exp(-y * y);
		y -= step / (1 + y * step);
	}
	return y;
}

__mt_device float erfinvf(float x)
{
	return (float)erfinv(x);
}

__mt_device float erfcinvf(float x)
{
	return (float)erfcinv(x);
}

__mt_device double normcdfinv(double x)
{
	return -1.41421356237309504880 * erfcinv(2 * x);
}

__mt_device float normcdfinvf(float x)
{
	return (float)normcdfinv(x);
}

__mt_device double erfcx(double x)
{
	return x < 25 ? __builtin_exp(x * x) * __builtin_erfc(x) :
			0.56418958354775628695 / x * (1 - 0.5 / (x * x));
}

__mt_device float erfcxf(float x)
{
	return (float)erfcx(x);
}

__mt_device int abs(int x)
{
	return x < 0 ? -x : x;
}

__mt_device long labs(long x)
{
	return x < 0 ? -x : x;
}

__mt_device long long llabs(long long x)
{
	return x < 0 ? -x : x;
}

__mt_device long abs(long x)
{
	return labs(x);
}

__mt_device long long abs(long long x)
{
	return llabs(x);
}

#define __mt_min_max(T)                          \
	__mt_both T min(T a, T b)                \
	{                                        \
		return b < a ? b : a;            \
	}                                        \
	__mt_both T max(T a, T b)                \
	{                                        \
		return a < b ? b : a;            \
	}

__mt_min_max(int)
__mt_min_max(unsigned int)
__mt_min_max(long)
__mt_min_max(unsigned long)
__mt_min_max(long long)
__mt_min_max(unsigned long long)

#undef __mt_min_max

/* A NaN gives way to a number. */
#define __mt_min_max_float(T, fmin, fmax)        \
	__mt_both T min(T a, T b)                \
	{                                        \
		return fmin(a, b);               \
	}                                        \
	__mt_both T max(T a, T b)                \
	{                                        \
		return fmax(a, b);               \
	}

__mt_min_max_float(float, __builtin_fminf, __builtin_fmaxf)
__mt_min_max_float(double, __builtin_fmin, __builtin_fmax)

#undef __mt_min_max_float

/* Mixed signs and widths, as C's usual conversions would have it. */
#define __mt_min_max_mixed(A, B, T)              \
	__mt_both T min(A a, B b)                \
	{                                        \
		return min((T)a, (T)b);          \
	}                                        \
	__mt_both T max(A a, B b)                \
	{                                        \
		return max((T)a, (T)b);          \
	}                                        \
	__mt_both T min(B a, A b)                \
	{                                        \
		return min((T)a, (T)b);          \
	}                                        \
	__mt_both T max(B a, A b)                \
	{                                        \
		return max((T)a, (T)b);          \
	}

__mt_min_max_mixed(int, unsigned int, unsigned int)
__mt_min_max_mixed(long, unsigned long, unsigned long)
__mt_min_max_mixed(long long, unsigned long long, unsigned long long)
__mt_min_max_mixed(float, double, double)

#undef __mt_min_max_mixed

__mt_device unsigned int umin(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

__mt_device unsigned int umax(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

__mt_device long long llmin(long long a, long long b)
{
	return a < b ? a : b;
}

__mt_device long long llmax(long long a, long long b)
{
	return a > b ? a : b;
}

__mt_device unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
	return a < b ? a : b;
}

__mt_device unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
	return a > b ? a : b;
}

/* The C++ library imported the host's functions of these names only. */
namespace std
{
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::fdim;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::frexp;
using ::hypot;
using ::ilogb;
using ::labs;
using ::ldexp;
using ::lgamma;
using ::llabs;
using ::llrint;
using ::llround;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logb;
using ::lrint;
using ::lround;
using ::modf;
using ::nearbyint;
using ::nextafter;
using ::pow;
using ::remainder;
using ::rint;
using ::round;
using ::scalbln;
using ::scalbn;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;
}

#endif

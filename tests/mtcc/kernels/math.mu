/* SPDX-License-Identifier: MIT */
/* One thread per x; each function writes a row. */
#include <algorithm>
#include <cmath>
#include <limits>

#define ROW(expression) (at[0] = (double)(expression), at += n)

extern "C" __global__ void floats(const float *in, double *out, int n)
{
	float x = in[threadIdx.x], u = fabsf(x), s, c, whole;
	double *at = out + threadIdx.x;
	int e;

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
	ROW(e);
	ROW(modff(x, &whole));
	ROW(whole);
	ROW(lroundf(x));
	ROW(lrintf(x));
	ROW(erff(x));
	ROW(tgammaf(u));
	ROW(fminf(x, 1) + fmaxf(x, 2) + copysignf(3, x));
	ROW(std::sin(x));
	ROW(std::pow(u, 2.0f));
	ROW(std::round(x));
	ROW(std::abs(x));
	ROW(std::fmod(x, 0.75f));
	ROW(std::ldexp(x, 5));
	ROW(std::max(x, 1.0f) + std::min(2, (int)e));
	ROW(std::isnan(x) + 2 * isinf(x) + 4 * signbit(x));
	ROW(sin(x));
	sincosf(x, &s, &c);
	ROW(s * 2 + c);
}

extern "C" __global__ void doubles(const double *in, double *out, int n)
{
	double x = in[threadIdx.x], u = fabs(x), whole;
	double *at = out + threadIdx.x;
	int e;

	ROW(sin(x));
	ROW(exp(x));
	ROW(exp10(x));
	ROW(log1p(u));
	ROW(pow(u, x));
	ROW(hypot(x, 3.0));
	ROW(fmod(x, 0.75));
	ROW(remainder(x, 0.75));
	ROW(round(x));
	ROW(llround(x));
	ROW(llrint(x));
	ROW(frexp(x, &e));
	ROW(e);
	ROW(ilogb(x));
	ROW(scalbn(x, -1070));
	ROW(ldexp(x, 1000));
	ROW(modf(x, &whole));
	ROW(fma(x, x, -1.0));
	ROW(lgamma(u));
	ROW(j0(x));
	ROW(nextafter(x, 100.0));
	ROW(std::cos(x));
	ROW(std::floor(x));
	ROW(std::sqrt((int)u));
	ROW(erfinv(erf(x)));
	ROW(erfcinv(erfc(u)));
	ROW(rsqrt(u));
	ROW(sinpi(x));
	ROW(cospi(x));
	ROW(normcdf(x));
}

extern "C" __global__ void bits(const int *in, long long *out, int n)
{
	int x = in[threadIdx.x];
	unsigned int u = x;
	long long l = (long long)x << 20 | 5;
	long long *at = out + threadIdx.x;

	at[0] = __popc(u), at += n;
	at[0] = __popcll(l), at += n;
	at[0] = __clz(x), at += n;
	at[0] = __clzll(l), at += n;
	at[0] = __ffs(x), at += n;
	at[0] = __ffsll(l), at += n;
	at[0] = __brev(u), at += n;
	at[0] = (long long)__brevll(l), at += n;
	at[0] = __byte_perm(u, 0x44332211, 0x9640), at += n;
	at[0] = __umulhi(u, u), at += n;
	at[0] = __mulhi(x, x), at += n;
	at[0] = __mul24(x, 3), at += n;
	at[0] = __funnelshift_l(u, 0x12345678, 8), at += n;
	at[0] = __funnelshift_rc(u, 0x12345678, 40), at += n;
	at[0] = __float_as_int(__int_as_float(x)), at += n;
	at[0] = __dp4a(x, 0x01ff02fe, 7), at += n;
	at[0] = (long long)__umul64hi(l, l), at += n;
	at[0] = __vadd4(u, 0x01010101), at += n;
	at[0] = __vsubss4(u, 0x7f7f7f7f), at += n;
	at[0] = __vcmpne4(u, 0x00ff0000), at += n;
	at[0] = __fns(u, 0, 2), at += n;
	at[0] = abs(x >> 1), at += n;
	at[0] = max(x, 3), at += n;
	at[0] = min(u, 7), at += n;
	at[0] = __sad(x, 100, 5), at += n;
}

extern "C" __global__ void rounding(const double *in, double *out, int n)
{
	double x = in[threadIdx.x];
	float f = (float)x;
	double *at = out + threadIdx.x;

	ROW(__float2int_rn(f));
	ROW(__float2int_rz(f));
	ROW(__float2int_ru(f));
	ROW(__float2int_rd(f));
	ROW(__double2uint_rz(x));
	ROW(__double2ll_rd(x));
	ROW(__double2ll_ru(x));
	ROW(__double2float_rn(x));
	ROW(__double2float_rz(x));
	ROW(__double2float_ru(x));
	ROW(__double2float_rd(x));
	ROW(__fadd_ru(f, 1e-9f));
	ROW(__fadd_rd(f, 1e-9f));
	ROW(__fmul_rz(f, 1.1f));
	ROW(__fmul_ru(f, 1.1f));
	ROW(__fdiv_rd(f, 3.0f));
	ROW(__fdiv_ru(f, 3.0f));
	ROW(__frcp_rn(f));
	ROW(__fsqrt_rd(fabsf(f)));
	ROW(__dadd_ru(x, 1e-30));
	ROW(__ddiv_rd(x, 3.0));
	ROW(__dmul_ru(x, 1.1));
	ROW(__int2float_rz(16777217 + threadIdx.x));
	ROW(__ll2float_ru((1ll << 40) + 1));
	ROW(__saturatef(f));
	ROW(__fdividef(f, 2.0f) + __expf(0.0f));
}

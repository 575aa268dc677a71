/* SPDX-License-Identifier: MIT */
/* half, bfloat16 and the 8-bit formats. */
#include <musa_bf16.h>
#include <musa_fp16.h>
#include <musa_fp8.h>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void half_to_float(float *out)
{
	out[INDEX] = __half2float(__ushort_as_half((unsigned short)INDEX));
}

extern "C" __global__ void floats_to_halves(const float *in, unsigned short *out, int n)
{
	int i = INDEX;

	if (i >= n)
		return;
	out[i] = __half_as_ushort(__float2half(in[i]));
	out[n + i] = __half_as_ushort(__float2half_rz(in[i]));
	out[2 * n + i] = __half_as_ushort(__float2half_ru(in[i]));
	out[3 * n + i] = __half_as_ushort(__float2half_rd(in[i]));
	out[4 * n + i] = __half_as_ushort(__double2half((double)in[i] * 1.00000001));
	out[5 * n + i] = __bfloat16_as_ushort(__float2bfloat16(in[i]));
	out[6 * n + i] = __bfloat16_as_ushort(__float2bfloat16_rz(in[i]));
	out[7 * n + i] = __musa_cvt_float_to_fp8(in[i], __MT_SATFINITE, __MT_E4M3);
	out[8 * n + i] = __musa_cvt_float_to_fp8(in[i], __MT_NOSAT, __MT_E5M2);
	out[9 * n + i] = __musa_cvt_float_to_fp8(in[i], __MT_NOSAT, __MT_E4M3);
}

extern "C" __global__ void arithmetic(const half *in, half *out, int n)
{
	int i = INDEX;

	if (i >= n)
		return;
	half a = in[i], b = in[(i * 7 + 3) % n], c = in[(i * 5 + 1) % n];
	out[i] = a + b;
	out[n + i] = a - b;
	out[2 * n + i] = a * b;
	out[3 * n + i] = a / b;
	out[4 * n + i] = __hfma(a, b, c);
	out[5 * n + i] = hsqrt(__habs(a));
	out[6 * n + i] = a < b ? a : b;
	out[7 * n + i] = -a;
	__half2 two = __hadd2(__halves2half2(a, b), __half2half2(c));
	out[8 * n + i] = __low2half(two);
	out[9 * n + i] = __high2half(two);
}

extern "C" __global__ void eights(float *out)
{
	__mt_fp8_e4m3 a;
	__mt_fp8_e5m2 b;

	a.__x = b.__x = threadIdx.x;
	out[threadIdx.x] = (float)a;
	out[256 + threadIdx.x] = (float)b;
	out[512 + threadIdx.x] = (float)__mt_fp8_e4m3((float)a);
	float4 v = (float4)__mt_fp8x4_e4m3(make_float4(1, 2, 3, 4));
	out[768 + threadIdx.x] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
}

extern "C" __global__ void sums(half *h, __half2 *h2, __mt_bfloat16 *b, float *out)
{
	atomicAdd(h, __float2half(0.5f));
	atomicAdd(h2, __floats2half2_rn(1, 2));
	atomicAdd(b, __float2bfloat16(1));
	half v = __shfl_xor_sync(0xffffffff, __int2half_rn(threadIdx.x), 1);
	__half2 w = __shfl_down_sync(0xffffffff, __half2half2(v), 2);
	out[threadIdx.x] = __half2float(v) + 100 * __low2float(w) + __half2int_rn(v) * 10000 +
			   1000000 * (float)__hge(v, __float2half(16));
}

extern "C" __global__ void wholes(int *out)
{
	out[0] = __half2int_rz(__float2half(-3.7f));
	out[1] = __half2uint_rn(__float2half(2.5f));
	out[2] = __bfloat162int_rn(__float2bfloat16(1e30f));
	out[3] = __half_as_ushort(__int2half_rz(65535));
	out[4] = __bfloat16_as_ushort(__int2bfloat16_rn((1 << 30) + (1 << 22) + 1));
	out[5] = __half_as_ushort(__uint2half_rn(2049));
	out[6] = __hgt2_mask(__floats2half2_rn(1, 2), __floats2half2_rn(2, 1));
	out[7] = __bfloat16_as_ushort(__hmax(__float2bfloat16(-1), __float2bfloat16(3)));
}

/* SPDX-License-Identifier: MIT */
/* The loop that the device's saxpy is compared with; compiled by clang -O3, like kernels. */
void saxpy_loop(float a, const float *restrict x, float *restrict y, long from, long to);

void saxpy_loop(float a, const float *restrict x, float *restrict y, long from, long to)
{
	for (long i = from; i < to; i++)
		y[i] = a * x[i] + y[i];
}

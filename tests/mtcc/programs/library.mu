/* SPDX-License-Identifier: MIT */
/* A shared library with a kernel. */
__global__ void fill(int *out, int value)
{
	out[threadIdx.x] = value;
}

extern "C" int library_run(int value)
{
	int *out, result = -1;

	if (musaMalloc(&out, 64 * sizeof(int)) != musaSuccess)
		return -1;
	fill<<<1, 64>>>(out, value);
	musaMemcpy(&result, out + 63, sizeof(int), musaMemcpyDeviceToHost);
	musaFree(out);
	return result;
}

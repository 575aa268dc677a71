/* SPDX-License-Identifier: MIT */
/* A second file with kernels of the same names. */
#include "shared.h"

static __global__ void local_kernel(int *out)
{
	out[threadIdx.x] = -1;
}

int other_file(int *out)
{
	local_kernel<<<1, 32>>>(out);
	scaled<3><<<1, 32>>>(out);
	scaled<5><<<1, 32>>>(out);
	return musaDeviceSynchronize() != musaSuccess;
}

/* SPDX-License-Identifier: MIT */
/* What the two files of a program share: a template kernel that both instantiate. */
struct Pair {
	int a, b;
};

template <int N> __global__ void scaled(int *out)
{
	out[threadIdx.x] = N * threadIdx.x;
}

int other_file(int *out);

/* SPDX-License-Identifier: MIT */
/* Variables that both sides use. */
#include <cstdio>

struct State {
	int counts[3];
	double total;
};

__managed__ int number = 7;
__device__ __managed__ State state = {{1, 2, 3}, 4.5};
static __managed__ float numbers[100];

__global__ void change()
{
	number += 1;
	if (threadIdx.x == 0)
		state.counts[1] *= 10;
	state.total += number;
	numbers[threadIdx.x] = threadIdx.x;
}

int main()
{
	int *pointer = &number;

	if (number != 7 || state.total != 4.5 || state.counts[2] != 3 || numbers[9] != 0)
		return 1;
	number = 20;
	change<<<1, 1>>>();
	change<<<1, 100>>>();
	if (musaDeviceSynchronize() != musaSuccess)
		return 2;
	if (number < 22 || state.counts[1] != 200 || numbers[99] != 99)
		return 3;
	if (musaMemset(pointer, 0, sizeof(number)) != musaSuccess || number != 0)
		return 4;
	std::puts("everything is right");
	return 0;
}

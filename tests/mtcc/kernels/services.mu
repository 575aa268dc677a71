/* SPDX-License-Identifier: MIT */
/* What device code asks of the engine, and device variables. */
#include <assert.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

__device__ int counter = 5;
__device__ float table[4] = {1, 2, 3, 4};
__constant__ double scale;
__device__ int *pointer = &counter;
static __device__ int hidden = 3;
__device__ const char *const names[] = {"zero", "one"};
constexpr int squares[] = {0, 1, 4, 9};

struct Point {
	int x, y;
};
__constant__ Point points[2] = {{1, 2}, {3, 4}};

extern "C" __global__ void variables(double *out)
{
	out[0] = counter + *pointer;
	out[1] = table[3] * scale;
	out[2] = hidden++;
	out[3] = points[1].x * 10 + points[1].y;
	out[4] = squares[threadIdx.x + 3];
	counter = 9;
	static int calls = 100;
	out[5] = ++calls;
	out[6] = names[1][0];
}

extern "C" __global__ void prints(int n, float f, const char *text)
{
	printf("%d %u %s %5.2f %c %lld %p|\n", n, 7u, text, f, 'x', 1ll << 40, (void *)16);
	std::printf("plain\n");
	if (threadIdx.x > 0)
		printf("100%% %s\n", names[threadIdx.x % 2]);
}

extern "C" __global__ void asserts(int limit)
{
	assert((int)threadIdx.x < limit && "too many");
}

extern "C" __global__ void traps(int limit)
{
	if (threadIdx.x == limit)
		__trap();
}

extern "C" __global__ void heap(int *out)
{
	int *memory = (int *)malloc(4 * sizeof(int));
	Point *point = new Point{4, 5};

	for (int i = 0; i < 4; i++)
		memory[i] = i + threadIdx.x;
	out[threadIdx.x] = memory[3] * 100 + point->x * 10 + point->y;
	free(memory);
	delete point;
	char place[sizeof(Point)];
	Point *placed = new (place) Point{7, 8};
	out[threadIdx.x] += placed->x * 10000;
}

struct Block {
	char bytes[3000];
};

extern "C" __global__ void copies(Block *to, const Block *from, int *out)
{
	*to = *from;
	memcpy(to->bytes, from->bytes + 1, 100);
	memset(to->bytes + 200, 7, threadIdx.x + 50);
	memmove(to->bytes + 301, to->bytes + 300, 500);
	out[0] = memcmp(to->bytes, from->bytes, 3000);
	out[1] = (int)std::move(out[0]) < 0;
}

extern "C" __global__ void graphs(unsigned long long *out, musaGraphExec_t exec,
				  musaGraphConditionalHandle handle)
{
	out[0] = musaGraphLaunch(exec, musaStreamGraphFireAndForget);
	out[1] = musaGraphLaunch(exec, musaStreamGraphTailLaunch);
	out[2] = musaGraphLaunch(exec, musaStreamGraphFireAndForgetAsSibling);
	out[3] = musaGraphLaunch(exec, 0);
	out[4] = (unsigned long long)musaGetCurrentGraphExec();
	musaGraphSetConditional(handle, 17);
}

extern "C" __global__ void time_passes(long long *out)
{
	long long start = clock64();

	while (clock64() < start + 3000000)
		;
	out[0] = clock64() - start;
	out[1] = (long long)__globaltimer();
}

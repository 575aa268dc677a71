/* SPDX-License-Identifier: MIT */
/* Exchanges among the lanes of a warp. */
extern "C" __global__ void shuffles(int *out)
{
	int t = threadIdx.x, n = blockDim.x;

	out[t] = __shfl_sync(0xffffffff, t, 5);
	out[n + t] = __shfl_up_sync(0xffffffff, t, 3);
	out[2 * n + t] = __shfl_down_sync(0xffffffff, t, 4);
	out[3 * n + t] = __shfl_xor_sync(0xffffffff, t, 9);
	out[4 * n + t] = __shfl_sync(0xffffffff, t, 2, 8);
	out[5 * n + t] = __shfl_up_sync(0xffffffff, t, 1, 8);
	out[6 * n + t] = __shfl_down_sync(0xffffffff, t, 1, 8);
	out[7 * n + t] = __shfl_xor_sync(0xffffffff, t, 12, 8);
}

extern "C" __global__ void unmasked_shuffles(int *out)
{
	out[threadIdx.x] = __shfl(threadIdx.x, 1) + __shfl_xor((int)threadIdx.x, 1) +
			   __shfl_up(1, 1) + __shfl_down(1, 1);
}

template <class T> __device__ T warp_sum(T value)
{
	for (int step = warpSize / 2; step; step /= 2)
		value += __shfl_down_sync(0xffffffff, value, step);
	return value;
}

extern "C" __global__ void sums(double *out)
{
	int lane = threadIdx.x % warpSize;
	double d = warp_sum((double)threadIdx.x);
	float f = warp_sum(0.5f);
	long long l = warp_sum(1ll << 33);
	unsigned char c = __shfl_sync(0xffffffff, (unsigned char)threadIdx.x, 7);

	if (lane == 0) {
		double *mine = out + threadIdx.x / warpSize * 4;
		mine[0] = d;
		mine[1] = f;
		mine[2] = (double)l;
		mine[3] = c;
	}
}

extern "C" __global__ void votes(unsigned int *out, int limit)
{
	unsigned int t = threadIdx.x, lane = t % warpSize;
	unsigned int *mine = out + t * 6;

	mine[0] = __ballot_sync(0xffffffff, lane < limit);
	mine[1] = __all_sync(0xffffffff, lane < limit);
	mine[2] = __any_sync(0xffffffff, lane < limit);
	mine[3] = __activemask();
	mine[4] = __match_any_sync(0xffffffff, lane % 3);
	mine[5] = __reduce_add_sync(0xffffffff, lane);
}

/* Two halves of the warp exchange in different branches. */
extern "C" __global__ void diverged(int *out)
{
	int t = threadIdx.x;
	unsigned int odd = 0xaaaaaaaa;

	if (t % 2)
		out[t] = __shfl_xor_sync(odd, t, 2);
	else
		out[t] = __popc(__ballot_sync(~odd, t < 16)) * 100;
	__syncwarp();
	if (t == 3)
		return;
	out[t] += __any_sync(0xfffffff7, t == 3);
}

extern "C" __global__ void sizes(int *out)
{
	out[threadIdx.x] = __laneid() + 1000 * __warpid() + 100000 * warpSize;
}

/* Without a mask, each side of the branch works on its own lanes. */
extern "C" __global__ void unmasked_branches(int *out)
{
	int t = threadIdx.x;

	if (t % 4 == 1)
		out[t] = __shfl_down(t, 4) * 1000 + __popc(__ballot(1));
	else if (t % 4 == 3)
		out[t] = __popc(__ballot(t > 16)) + 100 * __all(t % 4 == 3) + __popc(__activemask()) * 10000;
	else
		out[t] = -1;
}

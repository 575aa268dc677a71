/* SPDX-License-Identifier: MIT */
/* Atomic operations of every type. */

/* Renamed CUDA code brings this itself. */
#if !defined(__MUSA_ARCH__) || __MUSA_ARCH__ < 600
__device__ double atomicAdd(double *address, double val)
{
	unsigned long long int *address_as_ull = (unsigned long long int *)address;
	unsigned long long int old = *address_as_ull, assumed;

	do {
		assumed = old;
		old = atomicCAS(address_as_ull, assumed,
				__double_as_longlong(val + 1000 + __longlong_as_double(assumed)));
	} while (assumed != old);
	return __longlong_as_double(old);
}
#endif

extern "C" __global__ void adds(int *i, unsigned int *u, unsigned long long *l, float *f, double *d)
{
	__shared__ int local;

	if (threadIdx.x == 0)
		local = 0;
	__syncthreads();
	atomicAdd(i, 1);
	atomicAdd(u, 2);
	atomicAdd(l, 3ull << 32);
	atomicAdd(f, 1);
	atomicAdd(d, 1.0);
	atomicAdd_block(&local, 1);
	atomicAdd_system(i, 1);
	atomicSub(u, 1u);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(i, local * 1000);
}

extern "C" __global__ void others(int *v, unsigned int *u)
{
	int t = threadIdx.x;

	atomicMin(&v[0], 50 - t);
	atomicMax(&v[1], t);
	atomicAnd(&v[2], ~(1 << t % 31));
	atomicOr(&v[3], 1 << t % 31);
	atomicXor(&v[4], 1 << t % 31);
	v[5 + t] = atomicExch(&v[100], t);
	atomicInc(&u[0], 9);
	atomicDec(&u[1], 9);
	atomicCAS(&u[2], t, t + 1);
	atomicMin(&u[3], 3000000000u);
	atomicMax(&u[4], 3000000000u);
	unsigned short *s = (unsigned short *)&u[5];
	atomicCAS(s, (unsigned short)t, (unsigned short)(t + 1));
	float *f = (float *)&u[6];
	atomicExch(f, 2.5f);
}

extern "C" __global__ void lock(int *mutex, int *counter)
{
	while (atomicCAS(mutex, 0, 1))
		;
	*counter += 1;
	__threadfence();
	atomicExch(mutex, 0);
}

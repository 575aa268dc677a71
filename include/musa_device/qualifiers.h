/* SPDX-License-Identifier: MIT */
/* The qualifiers of device code as the attributes that mtcc's front end knows. */
#ifndef __MUSA_DEVICE_QUALIFIERS_H__
#define __MUSA_DEVICE_QUALIFIERS_H__

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))

/* mtcc finds kernels and their bounds by these annotations, in the device pass only. */
#ifdef __MUSA_ARCH__
#define __global__ __attribute__((global, annotate("mt.kernel")))
#define __launch_bounds__(...) __attribute__((annotate("mt.launch_bounds", __VA_ARGS__)))
#else
#define __global__ __attribute__((global))
#define __launch_bounds__(...)
#endif

#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(n)
#define __forceinline__ __inline__ __attribute__((always_inline))
/* A __declspec, because the C++ library writes __attribute__((__noinline__)). */
#define __noinline__ __declspec(noinline)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

/* How the headers here define a function of device code, and one of both sides. */
#define __mt_device static __inline__ __attribute__((always_inline, device))
#define __mt_both static __inline__ __attribute__((always_inline, host, device))

#endif

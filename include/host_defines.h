/* SPDX-License-Identifier: MIT */
/* Qualifiers of device code, for compilers that do not know them. */
#ifndef __MUSA_HOST_DEFINES_H__
#define __MUSA_HOST_DEFINES_H__

/*
 * Qualifiers of device code. The device compiler defines them before this header; for a host
 * compiler they mean nothing, so that shared sources compile.
 */
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __shared__
#define __shared__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __managed__
#define __managed__
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif

/* Calling conventions: x86-64 Linux has one. */
#ifndef MUSART_CB
#define MUSART_CB
#endif
#ifndef MUSARTAPI
#define MUSARTAPI
#endif

#endif /* __MUSA_HOST_DEFINES_H__ */

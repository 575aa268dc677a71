/* SPDX-License-Identifier: MIT */
/* threadIdx, blockIdx, blockDim, gridDim and warpSize. */
#ifndef __MUSA_DEVICE_INDEX_H__
#define __MUSA_DEVICE_INDEX_H__

#include "../vector_types.h"
#include "builtins.h"

#define __mt_member(name, builtin)                                       \
	__declspec(property(get = __mt_get_##name)) unsigned int name; \
	__mt_device unsigned int __mt_get_##name(void)                         \
	{                                                                \
		return builtin();                                        \
	}

#define __mt_index_type(type, stem)                                          \
	struct type {                                                        \
		__mt_member(x, stem##_x)                                     \
		__mt_member(y, stem##_y)                                     \
		__mt_member(z, stem##_z)                                     \
		__attribute__((device)) operator uint3() const               \
		{                                                            \
			return uint3{stem##_x(), stem##_y(), stem##_z()};    \
		}                                                            \
		__attribute__((device)) operator dim3() const                \
		{                                                            \
			return dim3(stem##_x(), stem##_y(), stem##_z());     \
		}                                                            \
	}

__mt_index_type(__mt_thread_index, __mt_thread);
__mt_index_type(__mt_block_index, __mt_block);
__mt_index_type(__mt_block_dim, __mt_block_dim);
__mt_index_type(__mt_grid_dim, __mt_grid_dim);

extern const __attribute__((device)) __mt_thread_index threadIdx;
extern const __attribute__((device)) __mt_block_index blockIdx;
extern const __attribute__((device)) struct __mt_block_dim blockDim;
extern const __attribute__((device)) struct __mt_grid_dim gridDim;

#undef __mt_index_type
#undef __mt_member

#ifdef __MUSA_WARP_SIZE__
static constexpr int warpSize = __MUSA_WARP_SIZE__;
#else
struct __mt_warp_size_type {
	__attribute__((device)) operator int() const
	{
		return (int)__mt_warp_size();
	}
};
extern const __attribute__((device)) __mt_warp_size_type warpSize;
#endif

/* Position of the thread in its block, and of the lane in its warp. */
__mt_device unsigned int __mt_thread_rank(void)
{
	return __mt_thread_x() +
	       __mt_block_dim_x() * (__mt_thread_y() + __mt_block_dim_y() * __mt_thread_z());
}

__mt_device unsigned int __laneid(void)
{
	return __mt_thread_rank() % (unsigned int)warpSize;
}

__mt_device unsigned int __warpid(void)
{
	return __mt_thread_rank() / (unsigned int)warpSize;
}

__mt_device unsigned int __lane_id(void)
{
	return __laneid();
}

#endif

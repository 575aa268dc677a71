/* SPDX-License-Identifier: MIT */
/*
 * Calls that name a kernel, for C++: they take the kernel itself, where C takes its address as
 * const void *. Launches with a configuration take the arguments as the kernel's parameters.
 */
#ifndef __MUSA_CXX_LAUNCH_H__
#define __MUSA_CXX_LAUNCH_H__

#include "launch_api.h"
#include "library_api.h"
#include "cxx_occupancy.h"

template <class T>
static inline musaError_t musaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
					   size_t sharedMem = 0, musaStream_t stream = 0)
{
	return ::musaLaunchKernel(reinterpret_cast<const void *>(func), gridDim, blockDim, args,
				  sharedMem, stream);
}

template <class T>
static inline musaError_t musaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim,
						      void **args, size_t sharedMem = 0,
						      musaStream_t stream = 0)
{
	return ::musaLaunchCooperativeKernel(reinterpret_cast<const void *>(func), gridDim,
					     blockDim, args, sharedMem, stream);
}

/* Carries each argument, already of its parameter's type, to where the launch reads it. */
template <typename... Params>
static inline musaError_t __musa_launch_ex(const musaLaunchConfig_t *config,
					   void (*kernel)(Params...), Params... params)
{
	/* One more than the parameters, as an array cannot be empty. */
	void *args[] = {const_cast<void *>(
				static_cast<const volatile void *>(__builtin_addressof(params)))...,
			nullptr};

	return ::musaLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), args);
}

template <typename... Params, typename... Args>
static inline musaError_t musaLaunchKernelEx(const musaLaunchConfig_t *config,
					     void (*kernel)(Params...), Args &&...args)
{
	return __musa_launch_ex<Params...>(config, kernel, static_cast<Args &&>(args)...);
}

template <class T>
static inline musaError_t musaFuncSetCacheConfig(T *func, enum musaFuncCache cacheConfig)
{
	return ::musaFuncSetCacheConfig(reinterpret_cast<const void *>(func), cacheConfig);
}

template <class T>
static inline musaError_t musaFuncSetSharedMemConfig(T *func, enum musaSharedMemConfig config)
{
	return ::musaFuncSetSharedMemConfig(reinterpret_cast<const void *>(func), config);
}

template <class T>
static inline musaError_t musaFuncGetAttributes(struct musaFuncAttributes *attr, T *func)
{
	return ::musaFuncGetAttributes(attr, reinterpret_cast<const void *>(func));
}

template <class T>
static inline musaError_t musaFuncSetAttribute(T *func, enum musaFuncAttribute attr, int value)
{
	return ::musaFuncSetAttribute(reinterpret_cast<const void *>(func), attr, value);
}

template <class T> static inline musaError_t musaFuncGetName(const char **name, T *func)
{
	return ::musaFuncGetName(name, reinterpret_cast<const void *>(func));
}

template <class T> static inline musaError_t musaGetKernel(musaKernel_t *kernelPtr, T *func)
{
	return ::musaGetKernel(kernelPtr, reinterpret_cast<const void *>(func));
}

template <class T>
static inline musaError_t musaGetFuncBySymbol(musaFunction_t *functionPtr, T *func)
{
	return ::musaGetFuncBySymbol(functionPtr, reinterpret_cast<const void *>(func));
}

#endif /* __MUSA_CXX_LAUNCH_H__ */

/* SPDX-License-Identifier: MIT */
/* Kernel launches and function attributes of the runtime API. */
#include "drv/rt.h"

#include <string.h>

static void set_shape(struct mt_launch *launch, dim3 grid, dim3 block, size_t shared_b, void **args)
{
	launch->grid[0] = grid.x;
	launch->grid[1] = grid.y;
	launch->grid[2] = grid.z;
	launch->block[0] = block.x;
	launch->block[1] = block.y;
	launch->block[2] = block.z;
	launch->dynamic_shared_b = shared_b;
	launch->params = args;
}

/* Dimensions that no launch of the kernel can have. */
static bool is_bad_shape(const struct mt_function *fn, const struct mt_launch *launch)
{
	uint64_t threads = 1;

	for (int i = 0; i < 3; i++) {
		if (!launch->grid[i] || launch->grid[i] > MT_MAX_GRID_DIM || !launch->block[i] ||
		    launch->block[i] > MT_MAX_BLOCK_DIM)
			return true;
		threads *= launch->block[i];
	}
	return threads > fn->max_threads;
}

static MUresult launch_kernel(const void *func, const struct mt_launch *launch, musaStream_t stream,
			      const char *api)
{
	struct mt_function *fn;
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_rt_function(s->ctx, func, &fn);
	if (ret == (MUresult)musaErrorInvalidDeviceFunction && func &&
	    atomic_load_explicit(&s->capture, memory_order_acquire))
		ret = MUSA_ERROR_INVALID_HANDLE;
	if (ret)
		return ret;
	ret = mt_drv->mt_launch_kernel(s, fn, launch, api);
	/* A capture refuses them as a node would. */
	if (ret == MUSA_ERROR_INVALID_VALUE && is_bad_shape(fn, launch) &&
	    !atomic_load_explicit(&s->capture, memory_order_acquire))
		ret = (MUresult)musaErrorInvalidConfiguration;
	return ret;
}

musaError_t musaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
			     size_t sharedMem, musaStream_t stream)
{
	struct mt_launch launch = {0};

	set_shape(&launch, gridDim, blockDim, sharedMem, args);
	return mt_rt_return(launch_kernel(func, &launch, stream, "musaLaunchKernel"));
}

musaError_t musaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
					size_t sharedMem, musaStream_t stream)
{
	struct mt_launch launch = {0};
	struct mt_kernel_attrs attrs = {
		.set = 1u << musaLaunchAttributeCooperative,
		.cooperative = 1,
	};

	set_shape(&launch, gridDim, blockDim, sharedMem, args);
	launch.attrs = &attrs;
	return mt_rt_return(launch_kernel(func, &launch, stream, "musaLaunchCooperativeKernel"));
}

musaError_t musaLaunchKernelExC(const musaLaunchConfig_t *config, const void *func, void **args)
{
	struct mt_launch launch = {0};
	struct mt_kernel_attrs attrs;
	struct mt_stream *s;
	MUresult ret;

	if (!config || (config->numAttrs && !config->attrs))
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	set_shape(&launch, config->gridDim, config->blockDim, config->dynamicSmemBytes, args);
	ret = mt_rt_stream(config->stream, false, &s);
	if (!ret && config->numAttrs) {
		ret = mt_drv->mt_launch_attrs(s->ctx, (const MUlaunchAttribute *)config->attrs,
					      config->numAttrs, &attrs);
		launch.attrs = &attrs;
	}
	if (!ret)
		ret = launch_kernel(func, &launch, config->stream, "musaLaunchKernelExC");
	return mt_rt_return(ret);
}

/* A function of the current device. */
static MUresult get_function(const void *func, struct mt_function **fn)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	return ret ? ret : mt_rt_function(ctx, func, fn);
}

static int attribute_of(const struct mt_function *fn, MUfunction_attribute id)
{
	int value = 0;

	if (mt_drv->mt_function_attribute(fn, (int)id, &value))
		return 0;
	return value;
}

musaError_t musaFuncGetAttributes(struct musaFuncAttributes *attr, const void *func)
{
	struct mt_function *fn;
	MUresult ret = get_function(func, &fn);

	if (!ret && !attr)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	memset(attr, 0, sizeof(*attr));
	attr->sharedSizeBytes = (size_t)attribute_of(fn, MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
	attr->constSizeBytes = (size_t)attribute_of(fn, MU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
	attr->localSizeBytes = (size_t)attribute_of(fn, MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
	attr->maxThreadsPerBlock = attribute_of(fn, MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
	attr->numRegs = attribute_of(fn, MU_FUNC_ATTRIBUTE_NUM_REGS);
	attr->ptxVersion = attribute_of(fn, MU_FUNC_ATTRIBUTE_PTX_VERSION);
	attr->binaryVersion = attribute_of(fn, MU_FUNC_ATTRIBUTE_BINARY_VERSION);
	attr->maxDynamicSharedSizeBytes =
		attribute_of(fn, MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
	attr->preferredShmemCarveout =
		attribute_of(fn, MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
	return mt_rt_return(MUSA_SUCCESS);
}

musaError_t musaFuncSetAttribute(const void *func, enum musaFuncAttribute attr, int value)
{
	struct mt_function *fn;
	MUresult ret = get_function(func, &fn);

	if (!ret)
		ret = mt_drv->mt_function_set_attribute(fn, (int)attr, value);
	return mt_rt_return(ret);
}

/* Hints: kept, without other effect. */
musaError_t musaFuncSetCacheConfig(const void *func, enum musaFuncCache cacheConfig)
{
	struct mt_function *fn;
	MUresult ret = get_function(func, &fn);

	if (!ret && (unsigned int)cacheConfig > musaFuncCachePreferEqual)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		fn->cache_config = (int32_t)cacheConfig;
	return mt_rt_return(ret);
}

musaError_t musaFuncSetSharedMemConfig(const void *func, enum musaSharedMemConfig config)
{
	struct mt_function *fn;
	MUresult ret = get_function(func, &fn);

	if (!ret && (unsigned int)config > musaSharedMemBankSizeEightByte)
		ret = MUSA_ERROR_INVALID_VALUE;
	return mt_rt_return(ret);
}

musaError_t musaFuncGetName(const char **name, const void *func)
{
	struct mt_function *fn;
	MUresult ret = get_function(func, &fn);

	if (!ret && !name)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*name = fn->name;
	return mt_rt_return(ret);
}

musaError_t musaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset,
				 size_t *paramSize)
{
	const struct mt_codeobj_param *param;
	struct mt_function *fn;
	MUresult ret = get_function(func, &fn);

	if (!ret && (!paramOffset || paramIndex >= fn->kernel->param_count))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	param = &fn->kernel->params[paramIndex];
	*paramOffset = param->packed_b;
	if (paramSize)
		*paramSize = param->size_b;
	return mt_rt_return(MUSA_SUCCESS);
}

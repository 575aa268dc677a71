/* SPDX-License-Identifier: MIT */
/* Kernel launches of the driver API. */
#include "drv/launch.h"
#include "drv/mu_internal.h"

/* A function of the stream's device; NULL and unknown ones are INVALID_HANDLE. */
static MUresult launch(MUfunction f, MUstream stream, const struct mt_launch *values,
		       const char *api)
{
	struct mt_function *fn;
	struct mt_stream *s;
	MUresult ret = mt_mu_stream(stream, false, &s);

	if (!ret)
		ret = mt_runtime_function(s->ctx, f, &fn);
	if (ret == MUSA_ERROR_NOT_FOUND)
		ret = MUSA_ERROR_INVALID_HANDLE;
	return ret ? ret : mt_launch_kernel(s, fn, values, api);
}

MUresult muLaunchKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
			unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
			unsigned int blockDimZ, unsigned int sharedMemBytes, MUstream hStream,
			void **kernelParams, void **extra)
{
	const struct mt_launch values = {
		.grid = {gridDimX, gridDimY, gridDimZ},
		.block = {blockDimX, blockDimY, blockDimZ},
		.dynamic_shared_b = sharedMemBytes,
		.params = kernelParams,
		.extra = extra,
	};

	return launch(f, hStream, &values, "muLaunchKernel");
}

MUresult muLaunchCooperativeKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
				   unsigned int gridDimZ, unsigned int blockDimX,
				   unsigned int blockDimY, unsigned int blockDimZ,
				   unsigned int sharedMemBytes, MUstream hStream,
				   void **kernelParams)
{
	const struct mt_kernel_attrs attrs = {
		.set = 1u << MU_LAUNCH_ATTRIBUTE_COOPERATIVE,
		.cooperative = 1,
	};
	const struct mt_launch values = {
		.grid = {gridDimX, gridDimY, gridDimZ},
		.block = {blockDimX, blockDimY, blockDimZ},
		.dynamic_shared_b = sharedMemBytes,
		.params = kernelParams,
		.attrs = &attrs,
	};

	return launch(f, hStream, &values, "muLaunchCooperativeKernel");
}

MUresult muLaunchKernelEx(const MUlaunchConfig *config, MUfunction f, void **kernelParams,
			  void **extra)
{
	struct mt_kernel_attrs attrs;
	struct mt_launch values;
	struct mt_stream *s;
	MUresult ret;

	if (!config)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_mu_stream(config->hStream, false, &s);
	if (!ret)
		ret = mt_launch_attrs(s->ctx, config->attrs, config->numAttrs, &attrs);
	if (ret)
		return ret;
	values = (struct mt_launch){
		.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
		.block = {config->blockDimX, config->blockDimY, config->blockDimZ},
		.dynamic_shared_b = config->sharedMemBytes,
		.params = kernelParams,
		.extra = extra,
		.attrs = config->numAttrs ? &attrs : NULL,
	};
	return launch(f, config->hStream, &values, "muLaunchKernelEx");
}

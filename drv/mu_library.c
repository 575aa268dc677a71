/* SPDX-License-Identifier: MIT */
/* Libraries and their kernels, occupancy, and entry points by name, in the driver API. */
#include "drv/entry_point.h"
#include "drv/module.h"
#include "drv/mu_internal.h"

/* Options of a load, in pairs of arrays. Those of the just-in-time compiler have no meaning for finished
 * code; all are accepted. */
struct load_options {
	const void *jit, *jit_values;
	unsigned int jit_count;
	const void *own, *own_values;
	unsigned int own_count;
};

static MUresult check_load(const void *library_out, const void *source,
			   const struct load_options *options)
{
	MUresult ret = mt_initialised();

	if (!ret &&
	    (!library_out || !source ||
	     (options->jit_count && (!options->jit || !options->jit_values)) ||
	     (options->own_count && (!options->own || !options->own_values))))
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret;
}

MUresult muLibraryLoadData(MUlibrary *library, const void *code, MUjit_option *jitOptions,
			   void **jitOptionsValues, unsigned int numJitOptions,
			   MUlibraryOption *libraryOptions, void **libraryOptionValues,
			   unsigned int numLibraryOptions)
{
	const struct load_options options = { jitOptions, jitOptionsValues, numJitOptions,
					      libraryOptions, libraryOptionValues,
					      numLibraryOptions };
	uint64_t handle;
	MUresult ret = check_load(library, code, &options);

	if (!ret)
		ret = mt_library_load_data(code, &handle);
	if (!ret)
		*library = (MUlibrary)(uintptr_t)handle;
	return ret;
}

MUresult muLibraryLoadFromFile(MUlibrary *library, const char *fileName, MUjit_option *jitOptions,
			       void **jitOptionsValues, unsigned int numJitOptions,
			       MUlibraryOption *libraryOptions, void **libraryOptionValues,
			       unsigned int numLibraryOptions)
{
	const struct load_options options = { jitOptions, jitOptionsValues, numJitOptions,
					      libraryOptions, libraryOptionValues,
					      numLibraryOptions };
	uint64_t handle;
	MUresult ret = check_load(library, fileName, &options);

	if (!ret)
		ret = mt_library_load_file(fileName, &handle);
	if (!ret)
		*library = (MUlibrary)(uintptr_t)handle;
	return ret;
}

MUresult muLibraryUnload(MUlibrary library)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_library_unload((uintptr_t)library);
}

MUresult muLibraryGetKernel(MUkernel *pKernel, MUlibrary library, const char *name)
{
	uint64_t kernel;
	MUresult ret = mt_initialised();

	if (!ret && (!pKernel || !name))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_library_kernel((uintptr_t)library, name, &kernel);
	if (!ret)
		*pKernel = (MUkernel)(uintptr_t)kernel;
	return ret;
}

MUresult muLibraryGetKernelCount(unsigned int *count, MUlibrary lib)
{
	MUresult ret = mt_initialised();

	if (!ret && !count)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_library_kernel_count((uintptr_t)lib, count);
}

MUresult muLibraryEnumerateKernels(MUkernel *kernels, unsigned int numKernels, MUlibrary lib)
{
	MUresult ret = mt_initialised();

	if (!ret && !kernels)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret
		   : mt_library_kernels((uintptr_t)lib, (uint64_t *)(void *)kernels, numKernels);
}

MUresult muLibraryGetModule(MUmodule *pMod, MUlibrary library)
{
	struct mt_ctx *ctx;
	uint64_t module;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !pMod)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_library_module(ctx, (uintptr_t)library, &module);
	if (!ret)
		*pMod = (MUmodule)(uintptr_t)module;
	return ret;
}

MUresult muLibraryGetGlobal(MUdeviceptr *dptr, size_t *bytes, MUlibrary library, const char *name)
{
	struct mt_variable variable;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (!name || (!dptr && !bytes)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_library_variable(ctx, (uintptr_t)library, name, &variable);
	if (!ret && dptr)
		*dptr = variable.va;
	if (!ret && bytes)
		*bytes = variable.size_b;
	return ret;
}

MUresult muKernelGetName(const char **name, MUkernel hfunc)
{
	MUresult ret = mt_initialised();

	if (!ret && !name)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_kernel_name((uintptr_t)hfunc, name);
}

MUresult muKernelGetLibrary(MUlibrary *pLib, MUkernel kernel)
{
	uint64_t library;
	MUresult ret = mt_initialised();

	if (!ret && !pLib)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_kernel_library((uintptr_t)kernel, &library);
	if (!ret)
		*pLib = (MUlibrary)(uintptr_t)library;
	return ret;
}

/* The function that a handle, of a kernel or itself a function's, names in a context. */
static MUresult function_in(struct mt_ctx *ctx, const void *handle, struct mt_function **fn_out)
{
	MUresult ret = mt_runtime_function(ctx, handle, fn_out);

	return ret == MUSA_ERROR_NOT_FOUND ? MUSA_ERROR_INVALID_HANDLE : ret;
}

static MUresult current_function(const void *handle, struct mt_ctx **ctx_out,
				 struct mt_function **fn_out)
{
	MUresult ret = mt_mu_ctx(ctx_out);

	return ret ? ret : function_in(*ctx_out, handle, fn_out);
}

/* What a kernel is on a device: in its primary context. */
static MUresult device_function(const void *handle, MUdevice device, struct mt_function **fn_out)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_device(device);

	if (!ret)
		ret = mt_ctx_primary((uint32_t)device, &ctx);
	if (!ret)
		ret = mt_ctx_error(ctx);
	return ret ? ret : function_in(ctx, handle, fn_out);
}

MUresult muKernelGetFunction(MUfunction *pFunc, MUkernel kernel)
{
	struct mt_function *fn;
	struct mt_ctx *ctx;
	MUresult ret = current_function(kernel, &ctx, &fn);

	if (!ret && !pFunc)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*pFunc = (MUfunction)(uintptr_t)fn->handle;
	return ret;
}

MUresult muKernelGetParamInfo(MUkernel kernel, size_t paramIndex, size_t *paramOffset,
			      size_t *paramSize)
{
	struct mt_function *fn;
	struct mt_ctx *ctx;
	MUresult ret = current_function(kernel, &ctx, &fn);

	return ret ? ret
		   : muFuncGetParamInfo((MUfunction)(uintptr_t)fn->handle, paramIndex, paramOffset,
					paramSize);
}

MUresult muKernelGetAttribute(int *pi, MUfunction_attribute attrib, MUkernel kernel, MUdevice dev)
{
	struct mt_function *fn;
	MUresult ret = device_function(kernel, dev, &fn);

	if (!ret && !pi)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_function_attribute(fn, (int)attrib, pi);
}

MUresult muKernelSetAttribute(MUfunction_attribute attrib, int val, MUkernel kernel, MUdevice dev)
{
	struct mt_function *fn;
	MUresult ret = device_function(kernel, dev, &fn);

	return ret ? ret : mt_function_set_attribute(fn, (int)attrib, val);
}

MUresult muKernelSetCacheConfig(MUkernel kernel, MUfunc_cache config, MUdevice dev)
{
	struct mt_function *fn;
	MUresult ret = device_function(kernel, dev, &fn);

	return ret ? ret : muFuncSetCacheConfig((MUfunction)(uintptr_t)fn->handle, config);
}

MUresult muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, MUfunction func,
							      int blockSize, size_t dynamicSMemSize,
							      unsigned int flags)
{
	struct mt_function *fn;
	struct mt_ctx *ctx;
	MUresult ret = current_function(func, &ctx, &fn);

	if (!ret && (!numBlocks || blockSize <= 0 ||
		     (flags & ~(unsigned int)MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*numBlocks = (int)mt_function_blocks_per_mp(fn, (uint32_t)blockSize,
							    dynamicSMemSize);
	return ret;
}

MUresult muOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, MUfunction func, int blockSize,
						     size_t dynamicSMemSize)
{
	return muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		numBlocks, func, blockSize, dynamicSMemSize, MU_OCCUPANCY_DEFAULT);
}

/* The block with the most resident threads, the larger one of equals, in steps of the warp size. */
MUresult muOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
						   MUfunction func,
						   MUoccupancyB2DSize blockSizeToDynamicSMemSize,
						   size_t dynamicSMemSize, int blockSizeLimit,
						   unsigned int flags)
{
	uint32_t best = 0, best_blocks = 0, limit, warp, blocks;
	struct mt_function *fn;
	struct mt_ctx *ctx;
	MUresult ret = current_function(func, &ctx, &fn);

	if (!ret && (!minGridSize || !blockSize || blockSizeLimit < 0 ||
		     (flags & ~(unsigned int)MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	limit = fn->max_threads;
	if (blockSizeLimit && (uint32_t)blockSizeLimit < limit)
		limit = (uint32_t)blockSizeLimit;
	warp = ctx->hw->info.warp_size;
	for (uint32_t threads = limit; threads; threads = (threads - 1) / warp * warp) {
		if (blockSizeToDynamicSMemSize)
			dynamicSMemSize = blockSizeToDynamicSMemSize((int)threads);
		blocks = mt_function_blocks_per_mp(fn, threads, dynamicSMemSize);
		if (blocks * threads > best_blocks * best) {
			best = threads;
			best_blocks = blocks;
		}
	}
	*blockSize = (int)best;
	*minGridSize = (int)(best_blocks * ctx->hw->info.mp_count);
	return MUSA_SUCCESS;
}

MUresult muOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, MUfunction func,
					  MUoccupancyB2DSize blockSizeToDynamicSMemSize,
					  size_t dynamicSMemSize, int blockSizeLimit)
{
	return muOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
							 blockSizeToDynamicSMemSize,
							 dynamicSMemSize, blockSizeLimit,
							 MU_OCCUPANCY_DEFAULT);
}

/* Before muInit, too: a program finds muInit itself by it. */
MUresult muGetProcAddress_v2(const char *symbol, void **pfn, int musaVersion, muuint64_t flags,
			     MUdriverProcAddressQueryResult *symbolStatus)
{
	MUdriverProcAddressQueryResult status;
	MUresult ret = mt_entry_point(symbol, musaVersion, flags, pfn, &status);

	if (!ret && symbolStatus)
		*symbolStatus = status;
	return ret;
}

/* The unversioned name has no status to write: what is not there is an error. */
MUresult(muGetProcAddress)(const char *symbol, void **pfn, int musaVersion, muuint64_t flags)
{
	MUdriverProcAddressQueryResult status;
	MUresult ret = mt_entry_point(symbol, musaVersion, flags, pfn, &status);

	return !ret && status != MU_GET_PROC_ADDRESS_SUCCESS ? MUSA_ERROR_NOT_FOUND : ret;
}

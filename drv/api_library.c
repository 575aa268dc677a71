/* SPDX-License-Identifier: MIT */
/* Code loaded at run time, and handles of registered kernels, in the runtime API. */
#include "drv/rt.h"

/* Options of the just-in-time compiler have no meaning for finished code; they are accepted. */
static MUresult check_options(const void *options, const void *values, unsigned int count)
{
	return count && (!options || !values) ? MUSA_ERROR_INVALID_VALUE : MUSA_SUCCESS;
}

musaError_t musaLibraryLoadData(musaLibrary_t *library, const void *code,
				enum musaJitOption *jitOptions, void **jitOptionsValues,
				unsigned int numJitOptions, enum musaLibraryOption *libraryOptions,
				void **libraryOptionValues, unsigned int numLibraryOptions)
{
	uint64_t handle;
	MUresult ret = mt_rt_init();

	if (!ret && (!library || !code))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = check_options(jitOptions, jitOptionsValues, numJitOptions);
	if (!ret)
		ret = check_options(libraryOptions, libraryOptionValues, numLibraryOptions);
	if (!ret)
		ret = mt_drv->mt_library_load_data(code, &handle);
	if (!ret)
		*library = (musaLibrary_t)(uintptr_t)handle;
	return mt_rt_return(ret);
}

musaError_t musaLibraryLoadFromFile(musaLibrary_t *library, const char *fileName,
				    enum musaJitOption *jitOptions, void **jitOptionsValues,
				    unsigned int numJitOptions,
				    enum musaLibraryOption *libraryOptions,
				    void **libraryOptionValues, unsigned int numLibraryOptions)
{
	uint64_t handle;
	MUresult ret = mt_rt_init();

	if (!ret && (!library || !fileName))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = check_options(jitOptions, jitOptionsValues, numJitOptions);
	if (!ret)
		ret = check_options(libraryOptions, libraryOptionValues, numLibraryOptions);
	if (!ret)
		ret = mt_drv->mt_library_load_file(fileName, &handle);
	if (!ret)
		*library = (musaLibrary_t)(uintptr_t)handle;
	return mt_rt_return(ret);
}

musaError_t musaLibraryUnload(musaLibrary_t library)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_drv->mt_library_unload((uint64_t)(uintptr_t)library);
	return mt_rt_return(ret);
}

musaError_t musaLibraryGetKernel(musaKernel_t *pKernel, musaLibrary_t library, const char *name)
{
	uint64_t kernel;
	MUresult ret = mt_rt_init();

	if (!ret && (!pKernel || !name))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_library_kernel((uint64_t)(uintptr_t)library, name, &kernel);
	if (!ret)
		*pKernel = (musaKernel_t)(uintptr_t)kernel;
	return mt_rt_return(ret);
}

musaError_t musaLibraryGetGlobal(void **dptr, size_t *bytes, musaLibrary_t library, const char *name)
{
	struct mt_variable variable;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && (!name || (!dptr && !bytes)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_library_variable(ctx, (uint64_t)(uintptr_t)library, name,
						  &variable);
	if (ret)
		return mt_rt_return(ret);
	if (dptr)
		*dptr = (void *)(uintptr_t)variable.va;
	if (bytes)
		*bytes = variable.size_b;
	return mt_rt_return(MUSA_SUCCESS);
}

musaError_t musaLibraryGetKernelCount(unsigned int *count, musaLibrary_t lib)
{
	MUresult ret = mt_rt_init();

	if (!ret && !count)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_library_kernel_count((uint64_t)(uintptr_t)lib, count);
	return mt_rt_return(ret);
}

musaError_t musaLibraryEnumerateKernels(musaKernel_t *kernels, unsigned int numKernels,
					musaLibrary_t lib)
{
	MUresult ret = mt_rt_init();

	if (!ret && !kernels)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_library_kernels((uint64_t)(uintptr_t)lib, (uint64_t *)(void *)kernels,
						 numKernels);
	return mt_rt_return(ret);
}

musaError_t musaKernelSetAttributeForDevice(musaKernel_t kernel, enum musaFuncAttribute attr,
					    int value, int device)
{
	struct mt_function *fn;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx_of(device, &ctx);

	if (!ret)
		ret = mt_rt_function(ctx, kernel, &fn);
	if (!ret)
		ret = mt_drv->mt_function_set_attribute(fn, (int)attr, value);
	return mt_rt_return(ret);
}

musaError_t musaGetFuncBySymbol(musaFunction_t *functionPtr, const void *symbolPtr)
{
	struct mt_function *fn;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && !functionPtr)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_rt_function(ctx, symbolPtr, &fn);
	if (!ret)
		*functionPtr = (musaFunction_t)(uintptr_t)fn->handle;
	return mt_rt_return(ret);
}

/* A registered kernel is named by its stub in every call that takes one, so the stub is its handle. */
musaError_t musaGetKernel(musaKernel_t *kernelPtr, const void *entryFuncAddr)
{
	struct mt_function *fn;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && !kernelPtr)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_rt_function(ctx, entryFuncAddr, &fn);
	if (!ret)
		*kernelPtr = (musaKernel_t)(uintptr_t)entryFuncAddr;
	return mt_rt_return(ret);
}

musaError_t musaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr,
					     unsigned int musaVersion, unsigned long long flags,
					     enum musaDriverEntryPointQueryResult *driverStatus)
{
	MUdriverProcAddressQueryResult status;
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_drv->mt_entry_point(symbol, (int)musaVersion, flags, funcPtr, &status);
	/* The numbers are the same. */
	if (!ret && driverStatus)
		*driverStatus = (enum musaDriverEntryPointQueryResult)status;
	return mt_rt_return(ret);
}

musaError_t musaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
				    enum musaDriverEntryPointQueryResult *driverStatus)
{
	return musaGetDriverEntryPointByVersion(symbol, funcPtr, MUSART_VERSION, flags, driverStatus);
}

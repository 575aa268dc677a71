/* SPDX-License-Identifier: MIT */
/* Modules, functions and libraries of the driver API. */
#include "drv/module.h"
#include "drv/mu_internal.h"

static MUresult give_module(MUresult ret, uint64_t handle, MUmodule *module)
{
	*module = ret ? NULL : (MUmodule)(uintptr_t)handle;
	return ret;
}

MUresult muModuleLoad(MUmodule *module, const char *fname)
{
	uint64_t handle = 0;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !module)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	ret = mt_module_load_file(ctx, fname, &handle);
	return give_module(ret, handle, module);
}

MUresult muModuleLoadData(MUmodule *module, const void *image)
{
	uint64_t handle = 0;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !module)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	ret = mt_module_load_data(ctx, image, &handle);
	return give_module(ret, handle, module);
}

/* Options steer a just-in-time compiler, which finished code does not need. */
MUresult muModuleLoadDataEx(MUmodule *module, const void *image, unsigned int numOptions,
			    MUjit_option *options, void **optionValues)
{
	if (numOptions && (!options || !optionValues))
		return MUSA_ERROR_INVALID_VALUE;
	return muModuleLoadData(module, image);
}

MUresult muModuleLoadFatBinary(MUmodule *module, const void *fatMubin)
{
	return muModuleLoadData(module, fatMubin);
}

MUresult muModuleUnload(MUmodule hmod)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_module_unload((uint64_t)(uintptr_t)hmod);
}

MUresult muModuleGetFunction(MUfunction *hfunc, MUmodule hmod, const char *name)
{
	struct mt_function *fn;
	MUresult ret = mt_initialised();

	if (!ret && !hfunc)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_module_function((uint64_t)(uintptr_t)hmod, name, &fn);
	if (!ret)
		*hfunc = (MUfunction)(uintptr_t)fn->handle;
	return ret;
}

MUresult muModuleGetGlobal_v2(MUdeviceptr *dptr, size_t *bytes, MUmodule hmod, const char *name)
{
	struct mt_variable variable;
	MUresult ret = mt_initialised();

	if (!ret)
		ret = mt_module_variable((uint64_t)(uintptr_t)hmod, name, &variable);
	if (ret)
		return ret;
	if (dptr)
		*dptr = variable.va;
	if (bytes)
		*bytes = variable.size_b;
	return MUSA_SUCCESS;
}

MUresult muModuleGetFunctionCount(unsigned int *count, MUmodule mod)
{
	MUresult ret = mt_initialised();

	if (!ret && !count)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_module_function_count((uint64_t)(uintptr_t)mod, count);
}

MUresult muModuleEnumerateFunctions(MUfunction *functions, unsigned int numFunctions, MUmodule mod)
{
	MUresult ret = mt_initialised();

	if (!ret && numFunctions && !functions)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret
		   : mt_module_functions((uint64_t)(uintptr_t)mod, (uint64_t *)functions,
					 numFunctions);
}

MUresult muModuleGetLoadingMode(MUmoduleLoadingMode *mode)
{
	MUresult ret = mt_initialised();

	if (!ret && !mode)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*mode = MU_MODULE_LAZY_LOADING;
	return ret;
}

/* A function handle; a kernel of a library stands for its function in the current context. */
static MUresult get_function(MUfunction handle, struct mt_function **fn_out)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_initialised();

	if (ret)
		return ret;
	if (!mt_function_get((uint64_t)(uintptr_t)handle, fn_out))
		return MUSA_SUCCESS;
	ret = mt_mu_ctx(&ctx);
	if (ret)
		return ret;
	ret = mt_runtime_function(ctx, handle, fn_out);
	return ret == MUSA_ERROR_NOT_FOUND ? MUSA_ERROR_INVALID_HANDLE : ret;
}

MUresult muFuncGetAttribute(int *pi, MUfunction_attribute attrib, MUfunction hfunc)
{
	struct mt_function *fn;
	MUresult ret = get_function(hfunc, &fn);

	if (!ret && !pi)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_function_attribute(fn, (int)attrib, pi);
}

MUresult muFuncSetAttribute(MUfunction hfunc, MUfunction_attribute attrib, int value)
{
	struct mt_function *fn;
	MUresult ret = get_function(hfunc, &fn);

	return ret ? ret : mt_function_set_attribute(fn, (int)attrib, value);
}

MUresult muFuncSetCacheConfig(MUfunction hfunc, MUfunc_cache config)
{
	struct mt_function *fn;
	MUresult ret = get_function(hfunc, &fn);

	if (!ret && (unsigned int)config > MU_FUNC_CACHE_PREFER_EQUAL)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		fn->cache_config = (int32_t)config;
	return ret;
}

MUresult muFuncSetSharedMemConfig(MUfunction hfunc, MUsharedconfig config)
{
	struct mt_function *fn;
	MUresult ret = get_function(hfunc, &fn);

	if (!ret && (unsigned int)config > MU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret;
}

MUresult muFuncGetModule(MUmodule *hmod, MUfunction hfunc)
{
	struct mt_function *fn;
	MUresult ret = get_function(hfunc, &fn);

	if (!ret && !hmod)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*hmod = (MUmodule)(uintptr_t)mt_module_of(fn);
	return ret;
}

MUresult muFuncGetName(const char **name, MUfunction hfunc)
{
	struct mt_function *fn;
	MUresult ret = get_function(hfunc, &fn);

	if (!ret && !name)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*name = fn->name;
	return ret;
}

MUresult muFuncGetParamInfo(MUfunction func, size_t paramIndex, size_t *paramOffset,
			    size_t *paramSize)
{
	struct mt_function *fn;
	MUresult ret = get_function(func, &fn);

	if (!ret && (!paramOffset || paramIndex >= fn->kernel->param_count))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	*paramOffset = fn->kernel->params[paramIndex].packed_b;
	if (paramSize)
		*paramSize = fn->kernel->params[paramIndex].size_b;
	return MUSA_SUCCESS;
}

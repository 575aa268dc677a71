/* SPDX-License-Identifier: MIT */
/* Modules, libraries, functions, launches and occupancy of the driver API. */
#ifndef __MUSA_DRV_MODULE_API_H__
#define __MUSA_DRV_MODULE_API_H__

#include "drv_types.h"

#include "api_begin.h"

MUresult muModuleLoad(MUmodule *module, const char *fname);
MUresult muModuleLoadData(MUmodule *module, const void *image);
MUresult muModuleLoadDataEx(MUmodule *module, const void *image, unsigned int numOptions,
			    MUjit_option *options, void **optionValues);
MUresult muModuleLoadFatBinary(MUmodule *module, const void *fatMubin);
MUresult muModuleUnload(MUmodule hmod);
MUresult muModuleGetFunction(MUfunction *hfunc, MUmodule hmod, const char *name);
MUresult muModuleGetGlobal_v2(MUdeviceptr *dptr, size_t *bytes, MUmodule hmod, const char *name);
MUresult muFuncGetAttribute(int *pi, MUfunction_attribute attrib, MUfunction hfunc);
MUresult muFuncSetAttribute(MUfunction hfunc, MUfunction_attribute attrib, int value);
MUresult muFuncSetCacheConfig(MUfunction hfunc, MUfunc_cache config);
MUresult muFuncSetSharedMemConfig(MUfunction hfunc, MUsharedconfig config);
MUresult muFuncGetModule(MUmodule *hmod, MUfunction hfunc);
MUresult muLaunchKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
			unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
			unsigned int blockDimZ, unsigned int sharedMemBytes, MUstream hStream,
			void **kernelParams, void **extra);
MUresult muLaunchKernelEx(const MUlaunchConfig *config, MUfunction f, void **kernelParams,
			  void **extra);
MUresult muOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, MUfunction func, int blockSize,
						     size_t dynamicSMemSize);
MUresult muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, MUfunction func,
							      int blockSize, size_t dynamicSMemSize,
							      unsigned int flags);
MUresult muOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, MUfunction func,
					  MUoccupancyB2DSize blockSizeToDynamicSMemSize,
					  size_t dynamicSMemSize, int blockSizeLimit);
MUresult muOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
						   MUfunction func,
						   MUoccupancyB2DSize blockSizeToDynamicSMemSize,
						   size_t dynamicSMemSize, int blockSizeLimit,
						   unsigned int flags);
MUresult muFuncGetName(const char **name, MUfunction hfunc);
MUresult muFuncGetParamInfo(MUfunction func, size_t paramIndex, size_t *paramOffset,
			    size_t *paramSize);
MUresult muFuncSetBlockShape(MUfunction hfunc, int x, int y, int z);
MUresult muFuncSetSharedSize(MUfunction hfunc, unsigned int bytes);
MUresult muKernelGetAttribute(int *pi, MUfunction_attribute attrib, MUkernel kernel, MUdevice dev);
MUresult muKernelGetFunction(MUfunction *pFunc, MUkernel kernel);
MUresult muKernelGetLibrary(MUlibrary *pLib, MUkernel kernel);
MUresult muKernelGetName(const char **name, MUkernel hfunc);
MUresult muKernelGetParamInfo(MUkernel kernel, size_t paramIndex, size_t *paramOffset,
			      size_t *paramSize);
MUresult muKernelSetAttribute(MUfunction_attribute attrib, int val, MUkernel kernel, MUdevice dev);
MUresult muKernelSetCacheConfig(MUkernel kernel, MUfunc_cache config, MUdevice dev);
MUresult muLaunch(MUfunction f);
MUresult muLaunchCooperativeKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
				   unsigned int gridDimZ, unsigned int blockDimX,
				   unsigned int blockDimY, unsigned int blockDimZ,
				   unsigned int sharedMemBytes, MUstream hStream,
				   void **kernelParams);
MUresult muLaunchCooperativeKernelMultiDevice(MUSA_LAUNCH_PARAMS *launchParamsList,
					      unsigned int numDevices, unsigned int flags);
MUresult muLaunchGrid(MUfunction f, int grid_width, int grid_height);
MUresult muLaunchGridAsync(MUfunction f, int grid_width, int grid_height, MUstream hStream);
MUresult muLibraryEnumerateKernels(MUkernel *kernels, unsigned int numKernels, MUlibrary lib);
MUresult muLibraryGetGlobal(MUdeviceptr *dptr, size_t *bytes, MUlibrary library, const char *name);
MUresult muLibraryGetKernel(MUkernel *pKernel, MUlibrary library, const char *name);
MUresult muLibraryGetKernelCount(unsigned int *count, MUlibrary lib);
MUresult muLibraryGetModule(MUmodule *pMod, MUlibrary library);
MUresult muLibraryGetUnifiedFunction(void **fptr, MUlibrary library, const char *symbol);
MUresult muLibraryLoadData(MUlibrary *library, const void *code, MUjit_option *jitOptions,
			   void **jitOptionsValues, unsigned int numJitOptions,
			   MUlibraryOption *libraryOptions, void **libraryOptionValues,
			   unsigned int numLibraryOptions);
MUresult muLibraryLoadFromFile(MUlibrary *library, const char *fileName, MUjit_option *jitOptions,
			       void **jitOptionsValues, unsigned int numJitOptions,
			       MUlibraryOption *libraryOptions, void **libraryOptionValues,
			       unsigned int numLibraryOptions);
MUresult muLibraryUnload(MUlibrary library);
MUresult muModuleEnumerateFunctions(MUfunction *functions, unsigned int numFunctions, MUmodule mod);
MUresult muModuleGetFunctionCount(unsigned int *count, MUmodule mod);
MUresult muModuleGetLoadingMode(MUmoduleLoadingMode *mode);

#include "api_end.h"

#endif /* __MUSA_DRV_MODULE_API_H__ */

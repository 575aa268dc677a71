/* SPDX-License-Identifier: MIT */
/* Modules, libraries, functions, launches and occupancy of the driver API. */
#ifndef __MUSA_DRV_MODULE_API_H__
#define __MUSA_DRV_MODULE_API_H__

#include "drv_types.h"

/*
 * DOC: A call that names its runtime twin behaves as that does; what differs is the type of the
 * arguments and, where there is one, the context. NULL for a context means the current one. The
 * results have the runtime's numbers. Any thread may call; use of one graph is serialised by its
 * callers. Calls return MUSA_ERROR_NOT_INITIALIZED before muInit(), MUSA_ERROR_INVALID_CONTEXT if they
 * need a current context and there is none, and MUSA_ERROR_NOT_SUPPORTED if the README lists them as
 * not supported.
 */

#include "api_begin.h"

/* Load a code object or offload bundle from a file into the current context. */
MUresult muModuleLoad(MUmodule *module, const char *fname);
/* Load a code object or offload bundle from memory into the current context. */
MUresult muModuleLoadData(MUmodule *module, const void *image);
/* As muModuleLoadData(), with options for the compiler, which code objects do not need. */
MUresult muModuleLoadDataEx(MUmodule *module, const void *image, unsigned int numOptions,
			    MUjit_option *options, void **optionValues);
/* Load the member of an offload bundle that fits the device. */
MUresult muModuleLoadFatBinary(MUmodule *module, const void *fatMubin);
/* Unload a module with its functions and variables; none may be in use. */
MUresult muModuleUnload(MUmodule hmod);
/* Find a kernel of a module by its name, mangled for C++. */
MUresult muModuleGetFunction(MUfunction *hfunc, MUmodule hmod, const char *name);
/* Find a variable of a module by name; address and size may be NULL. */
MUresult muModuleGetGlobal_v2(MUdeviceptr *dptr, size_t *bytes, MUmodule hmod, const char *name);
/* Ask for an attribute of a kernel. Sizes are in bytes. */
MUresult muFuncGetAttribute(int *pi, MUfunction_attribute attrib, MUfunction hfunc);
/* Set an attribute of a kernel on the current device; see musaFuncSetAttribute(). */
MUresult muFuncSetAttribute(MUfunction hfunc, MUfunction_attribute attrib, int value);
/* Prefer a split of cache and shared memory for a kernel; see musaFuncSetCacheConfig(). */
MUresult muFuncSetCacheConfig(MUfunction hfunc, MUfunc_cache config);
/* Prefer a bank width of shared memory for a kernel; see musaFuncSetSharedMemConfig(). */
MUresult muFuncSetSharedMemConfig(MUfunction hfunc, MUsharedconfig config);
/* Ask for the module of a kernel. */
MUresult muFuncGetModule(MUmodule *hmod, MUfunction hfunc);
/* Run a kernel in a stream. Arguments: one address each, or packed in @extra, not both. */
MUresult muLaunchKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
			unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
			unsigned int blockDimZ, unsigned int sharedMemBytes, MUstream hStream,
			void **kernelParams, void **extra);
/* Run a kernel as a configuration says. */
MUresult muLaunchKernelEx(const MUlaunchConfig *config, MUfunction f, void **kernelParams,
			  void **extra);
/*
 * Ask how many blocks of a kernel fit on a multiprocessor; see
 * musaOccupancyMaxActiveBlocksPerMultiprocessor().
 */
MUresult muOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, MUfunction func, int blockSize,
						     size_t dynamicSMemSize);
/*
 * As musaOccupancyMaxActiveBlocksPerMultiprocessor(), with flags; see
 * musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags().
 */
MUresult muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, MUfunction func,
							      int blockSize, size_t dynamicSMemSize,
							      unsigned int flags);
/* Find the block size that fills the device, and how many blocks do. */
MUresult muOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, MUfunction func,
					  MUoccupancyB2DSize blockSizeToDynamicSMemSize,
					  size_t dynamicSMemSize, int blockSizeLimit);
/* As muOccupancyMaxPotentialBlockSize(), with flags. */
MUresult muOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
						   MUfunction func,
						   MUoccupancyB2DSize blockSizeToDynamicSMemSize,
						   size_t dynamicSMemSize, int blockSizeLimit,
						   unsigned int flags);
/* Ask for the name of a kernel; see musaFuncGetName(). */
MUresult muFuncGetName(const char **name, MUfunction hfunc);
/* Ask where a parameter of a kernel lies; see musaFuncGetParamInfo(). */
MUresult muFuncGetParamInfo(MUfunction func, size_t paramIndex, size_t *paramOffset,
			    size_t *paramSize);
/* Old: set the block of muLaunch(). */
MUresult muFuncSetBlockShape(MUfunction hfunc, int x, int y, int z);
/* Old: set the dynamic shared memory of muLaunch(), in bytes. */
MUresult muFuncSetSharedSize(MUfunction hfunc, unsigned int bytes);
/* Ask for an attribute of a kernel on a device. */
MUresult muKernelGetAttribute(int *pi, MUfunction_attribute attrib, MUkernel kernel, MUdevice dev);
/* Ask for the function of a kernel in the current context. */
MUresult muKernelGetFunction(MUfunction *pFunc, MUkernel kernel);
/* Ask for the library of a kernel. */
MUresult muKernelGetLibrary(MUlibrary *pLib, MUkernel kernel);
/* Ask for the name of a kernel. */
MUresult muKernelGetName(const char **name, MUkernel hfunc);
/* Ask for offset and size of a parameter, in bytes; the size may be NULL. */
MUresult muKernelGetParamInfo(MUkernel kernel, size_t paramIndex, size_t *paramOffset,
			      size_t *paramSize);
/* Set an attribute of a kernel on a device. */
MUresult muKernelSetAttribute(MUfunction_attribute attrib, int val, MUkernel kernel, MUdevice dev);
/* Prefer a split of cache and shared memory for a kernel on a device. */
MUresult muKernelSetCacheConfig(MUkernel kernel, MUfunc_cache config, MUdevice dev);
/* Old: run a kernel in one block. */
MUresult muLaunch(MUfunction f);
/* Run a kernel whose blocks may wait for each other; see musaLaunchCooperativeKernel(). */
MUresult muLaunchCooperativeKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
				   unsigned int gridDimZ, unsigned int blockDimX,
				   unsigned int blockDimY, unsigned int blockDimZ,
				   unsigned int sharedMemBytes, MUstream hStream,
				   void **kernelParams);
/* Run one cooperative kernel on several devices; see musaLaunchCooperativeKernelMultiDevice(). */
MUresult muLaunchCooperativeKernelMultiDevice(MUSA_LAUNCH_PARAMS *launchParamsList,
					      unsigned int numDevices, unsigned int flags);
/* Old: run a kernel in a grid of two dimensions. */
MUresult muLaunchGrid(MUfunction f, int grid_width, int grid_height);
/* Old: run a kernel in a grid of two dimensions in a stream. */
MUresult muLaunchGridAsync(MUfunction f, int grid_width, int grid_height, MUstream hStream);
/* List the kernels of a library; see musaLibraryEnumerateKernels(). */
MUresult muLibraryEnumerateKernels(MUkernel *kernels, unsigned int numKernels, MUlibrary lib);
/* Find a variable by name, on the current device; see musaLibraryGetGlobal(). */
MUresult muLibraryGetGlobal(MUdeviceptr *dptr, size_t *bytes, MUlibrary library, const char *name);
/* Find a kernel by name; see musaLibraryGetKernel(). */
MUresult muLibraryGetKernel(MUkernel *pKernel, MUlibrary library, const char *name);
/* Count the kernels of a library; see musaLibraryGetKernelCount(). */
MUresult muLibraryGetKernelCount(unsigned int *count, MUlibrary lib);
/* Ask for the module of a library in the current context. */
MUresult muLibraryGetModule(MUmodule *pMod, MUlibrary library);
/* Find a function with one address on all devices; see musaLibraryGetUnifiedFunction(). */
MUresult muLibraryGetUnifiedFunction(void **fptr, MUlibrary library, const char *symbol);
/* Load code from memory; see musaLibraryLoadData(). */
MUresult muLibraryLoadData(MUlibrary *library, const void *code, MUjit_option *jitOptions,
			   void **jitOptionsValues, unsigned int numJitOptions,
			   MUlibraryOption *libraryOptions, void **libraryOptionValues,
			   unsigned int numLibraryOptions);
/* Load code from a file; see musaLibraryLoadFromFile(). */
MUresult muLibraryLoadFromFile(MUlibrary *library, const char *fileName, MUjit_option *jitOptions,
			       void **jitOptionsValues, unsigned int numJitOptions,
			       MUlibraryOption *libraryOptions, void **libraryOptionValues,
			       unsigned int numLibraryOptions);
/* Unload code; see musaLibraryUnload(). */
MUresult muLibraryUnload(MUlibrary library);
/* List the kernels of a module, at most @numFunctions. */
MUresult muModuleEnumerateFunctions(MUfunction *functions, unsigned int numFunctions, MUmodule mod);
/* Count the kernels of a module. */
MUresult muModuleGetFunctionCount(unsigned int *count, MUmodule mod);
/* Ask whether kernels are loaded when a module is, or when first used. */
MUresult muModuleGetLoadingMode(MUmoduleLoadingMode *mode);

#include "api_end.h"

#endif /* __MUSA_DRV_MODULE_API_H__ */

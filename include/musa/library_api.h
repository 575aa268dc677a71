/* SPDX-License-Identifier: MIT */
/* Code loaded at run time, entry points by name. */
#ifndef __MUSA_LIBRARY_API_H__
#define __MUSA_LIBRARY_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
				    enum musaDriverEntryPointQueryResult *driverStatus __dv(NULL));
musaError_t musaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr,
					     unsigned int musaVersion, unsigned long long flags,
					     enum musaDriverEntryPointQueryResult *driverStatus __dv(NULL));
musaError_t musaLibraryLoadData(musaLibrary_t *library, const void *code,
				enum musaJitOption *jitOptions, void **jitOptionsValues,
				unsigned int numJitOptions, enum musaLibraryOption *libraryOptions,
				void **libraryOptionValues, unsigned int numLibraryOptions);
musaError_t musaLibraryLoadFromFile(musaLibrary_t *library, const char *fileName,
				    enum musaJitOption *jitOptions, void **jitOptionsValues,
				    unsigned int numJitOptions,
				    enum musaLibraryOption *libraryOptions,
				    void **libraryOptionValues, unsigned int numLibraryOptions);
musaError_t musaLibraryUnload(musaLibrary_t library);
musaError_t musaLibraryGetKernel(musaKernel_t *pKernel, musaLibrary_t library, const char *name);
musaError_t musaLibraryGetGlobal(void **dptr, size_t *bytes, musaLibrary_t library,
				 const char *name);
musaError_t musaLibraryGetManaged(void **dptr, size_t *bytes, musaLibrary_t library,
				  const char *name);
musaError_t musaLibraryGetUnifiedFunction(void **fptr, musaLibrary_t library, const char *symbol);
musaError_t musaLibraryGetKernelCount(unsigned int *count, musaLibrary_t lib);
musaError_t musaLibraryEnumerateKernels(musaKernel_t *kernels, unsigned int numKernels,
					musaLibrary_t lib);
musaError_t musaKernelSetAttributeForDevice(musaKernel_t kernel, enum musaFuncAttribute attr,
					    int value, int device);
musaError_t musaGetExportTable(const void **ppExportTable, const musaUUID_t *pExportTableId);
musaError_t musaGetFuncBySymbol(musaFunction_t *functionPtr, const void *symbolPtr);
musaError_t musaGetKernel(musaKernel_t *kernelPtr, const void *entryFuncAddr);

#include "api_end.h"

#endif /* __MUSA_LIBRARY_API_H__ */

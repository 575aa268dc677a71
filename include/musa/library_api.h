/* SPDX-License-Identifier: MIT */
/* Code loaded at run time, entry points by name. */
#ifndef __MUSA_LIBRARY_API_H__
#define __MUSA_LIBRARY_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaLibraryLoadData() - Load code from memory.
 * @library:	[out] Library. The caller unloads it.
 * @code:	Offload bundle or code object.
 * @jitOptions:	Compiler options; ignored for code that needs no compiler. May be NULL.
 * @jitOptionsValues:	Their values.
 * @numJitOptions:	Length of both arrays.
 * @libraryOptions:	Options. May be NULL.
 * @libraryOptionValues:	Their values.
 * @numLibraryOptions:	Length of both arrays.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidKernelImage  malformed
 *		musaErrorNoKernelImageForDevice  no code for any device
 *		musaErrorMemoryAllocation
 */
musaError_t musaLibraryLoadData(musaLibrary_t *library, const void *code,
				enum musaJitOption *jitOptions, void **jitOptionsValues,
				unsigned int numJitOptions, enum musaLibraryOption *libraryOptions,
				void **libraryOptionValues, unsigned int numLibraryOptions);

/**
 * musaLibraryLoadFromFile() - Load code from a file.
 * @library:	[out] Library. The caller unloads it.
 * @fileName:	File with an offload bundle or code object.
 * @jitOptions:	Compiler options; ignored for code that needs no compiler. May be NULL.
 * @jitOptionsValues:	Their values.
 * @numJitOptions:	Length of both arrays.
 * @libraryOptions:	Options. May be NULL.
 * @libraryOptionValues:	Their values.
 * @numLibraryOptions:	Length of both arrays.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorFileNotFound  no such file
 *		musaErrorInvalidKernelImage  malformed
 *		musaErrorNoKernelImageForDevice  no code for any device
 *		musaErrorMemoryAllocation
 */
musaError_t musaLibraryLoadFromFile(musaLibrary_t *library, const char *fileName,
				    enum musaJitOption *jitOptions, void **jitOptionsValues,
				    unsigned int numJitOptions,
				    enum musaLibraryOption *libraryOptions,
				    void **libraryOptionValues, unsigned int numLibraryOptions);

/**
 * musaLibraryUnload() - Unload code.
 * @library:	Library.
 *
 * Its kernels and variables are gone; none may be in use.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidResourceHandle  NULL or unloaded
 */
musaError_t musaLibraryUnload(musaLibrary_t library);

/**
 * musaLibraryGetKernel() - Find a kernel by name.
 * @pKernel:	[out] Kernel, good for launches on any device; it lives as long as the library.
 * @library:	Library.
 * @name:	Name, as in the code object (mangled for C++).
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  unloaded library
 *		musaErrorSymbolNotFound  no such kernel
 */
musaError_t musaLibraryGetKernel(musaKernel_t *pKernel, musaLibrary_t library, const char *name);

/**
 * musaLibraryGetGlobal() - Find a variable by name, on the current device.
 * @dptr:	[out] Address. May be NULL.
 * @bytes:	[out] Size. May be NULL.
 * @library:	Library.
 * @name:	Name, as in the code object (mangled for C++).
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL name
 *		musaErrorInvalidResourceHandle  unloaded library
 *		musaErrorSymbolNotFound  no such variable
 */
musaError_t musaLibraryGetGlobal(void **dptr, size_t *bytes, musaLibrary_t library,
				 const char *name);

/**
 * musaLibraryGetManaged() - Find a managed variable by name.
 * @dptr:	[out] Address. May be NULL.
 * @bytes:	[out] Size. May be NULL.
 * @library:	Library.
 * @name:	Name, as in the code object (mangled for C++).
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL name
 *		musaErrorInvalidResourceHandle  unloaded library
 *		musaErrorSymbolNotFound  no such variable
 */
musaError_t musaLibraryGetManaged(void **dptr, size_t *bytes, musaLibrary_t library,
				  const char *name);

/**
 * musaLibraryGetUnifiedFunction() - Find a function with one address on all devices.
 * @fptr:	[out] Address.
 * @library:	Library.
 * @symbol:	Name.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  unloaded library
 *		musaErrorSymbolNotFound  no such function
 */
musaError_t musaLibraryGetUnifiedFunction(void **fptr, musaLibrary_t library, const char *symbol);

/**
 * musaLibraryGetKernelCount() - Count the kernels of a library.
 * @count:	[out] Kernels.
 * @lib:	Library.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  unloaded library
 */
musaError_t musaLibraryGetKernelCount(unsigned int *count, musaLibrary_t lib);

/**
 * musaLibraryEnumerateKernels() - List the kernels of a library.
 * @kernels:	[out] Kernels.
 * @numKernels:	Room in the array.
 * @lib:	Library.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  unloaded library
 */
musaError_t musaLibraryEnumerateKernels(musaKernel_t *kernels, unsigned int numKernels,
					musaLibrary_t lib);

/**
 * musaKernelSetAttributeForDevice() - Set an attribute of a kernel on one device.
 * @kernel:	Kernel of a library.
 * @attr:	Attribute.
 * @value:	As for musaFuncSetAttribute().
 * @device:	Device ordinal, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  unknown attribute, or a value out of range
 *		musaErrorInvalidResourceHandle  no such kernel
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaKernelSetAttributeForDevice(musaKernel_t kernel, enum musaFuncAttribute attr,
					    int value, int device);

/**
 * musaGetKernel() - Ask for the handle of a kernel that was linked in.
 * @kernelPtr:	[out] Kernel.
 * @entryFuncAddr:	Its host stub.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaGetKernel(musaKernel_t *kernelPtr, const void *entryFuncAddr);

/**
 * musaGetFuncBySymbol() - Ask for the driver's handle of a kernel on the current device.
 * @functionPtr:	[out] Function.
 * @symbolPtr:	Its host stub.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaGetFuncBySymbol(musaFunction_t *functionPtr, const void *symbolPtr);

/**
 * musaGetDriverEntryPoint() - Find a driver call by name.
 * @symbol:	Unversioned name; the version is that of the runtime API.
 * @funcPtr:	[out] Address, or NULL.
 * @flags:	Of enum musaGetDriverEntryPointFlags.
 * @driverStatus:	[out] Whether and why not. May be NULL.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown flag
 *		musaErrorNotSupported  flag for calls whose stream 0 is the thread's own
 */
musaError_t musaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
				    enum musaDriverEntryPointQueryResult *driverStatus __dv(NULL));

/**
 * musaGetDriverEntryPointByVersion() - Find a driver call by name and version.
 * @symbol:	Unversioned name.
 * @funcPtr:	[out] Address, or NULL.
 * @musaVersion:	major * 10000 + minor * 100.
 * @flags:	Of enum musaGetDriverEntryPointFlags.
 * @driverStatus:	[out] Whether and why not. May be NULL.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown flag
 *		musaErrorNotSupported  flag for calls whose stream 0 is the thread's own
 */
musaError_t musaGetDriverEntryPointByVersion(
		const char *symbol, void **funcPtr, unsigned int musaVersion,
		unsigned long long flags,
		enum musaDriverEntryPointQueryResult *driverStatus __dv(NULL));

/**
 * musaGetExportTable() - Ask for a private function table.
 * @ppExportTable:	[out] Table.
 * @pExportTableId:	Its number.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or no such table
 */
musaError_t musaGetExportTable(const void **ppExportTable, const musaUUID_t *pExportTableId);

#include "api_end.h"

#endif /* __MUSA_LIBRARY_API_H__ */

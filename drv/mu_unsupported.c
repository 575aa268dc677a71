/* SPDX-License-Identifier: MIT */
/*
 * Driver API functions that are declared and not supported. Each is a name of one function that
 * says so: it reads no argument, so the parameter lists do not matter.
 */
#include "musa.h"

/* The names have the types of their prototypes, which differ from the function's own on purpose. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wattribute-alias"
#endif

__attribute__((visibility("hidden"))) MUresult mt_mu_refuse(void);

MUresult mt_mu_refuse(void)
{
	return MUSA_ERROR_NOT_SUPPORTED;
}

#define UNSUPPORTED(f) extern __typeof__(f) f __attribute__((alias("mt_mu_refuse")));

UNSUPPORTED(muCtxAttach)
UNSUPPORTED(muCtxCreate_v3)
UNSUPPORTED(muCtxDetach)
UNSUPPORTED(muCtxGetExecAffinity)
UNSUPPORTED(muDeviceGetExecAffinitySupport)
UNSUPPORTED(muFuncSetBlockShape)
UNSUPPORTED(muFuncSetSharedSize)
UNSUPPORTED(muGetExportTable)
UNSUPPORTED(muGraphAddBatchMemOpNode)
UNSUPPORTED(muGraphBatchMemOpNodeGetParams)
UNSUPPORTED(muGraphBatchMemOpNodeSetParams)
UNSUPPORTED(muGraphExecBatchMemOpNodeSetParams)
UNSUPPORTED(muIpcGetEventHandle)
UNSUPPORTED(muIpcOpenEventHandle)
UNSUPPORTED(muLaunch)
UNSUPPORTED(muLaunchCooperativeKernelMultiDevice)
UNSUPPORTED(muLaunchGrid)
UNSUPPORTED(muLaunchGridAsync)
UNSUPPORTED(muLibraryGetUnifiedFunction)
UNSUPPORTED(muMemAddressFree)
UNSUPPORTED(muMemAddressReserve)
UNSUPPORTED(muMemCreate)
UNSUPPORTED(muMemExportToShareableHandle)
UNSUPPORTED(muMemGetAccess)
UNSUPPORTED(muMemGetAllocationGranularity)
UNSUPPORTED(muMemGetAllocationPropertiesFromHandle)
UNSUPPORTED(muMemGetHandleForAddressRange)
UNSUPPORTED(muMemImportFromShareableHandle)
UNSUPPORTED(muMemMap)
UNSUPPORTED(muMemPoolExportPointer)
UNSUPPORTED(muMemPoolExportToShareableHandle)
UNSUPPORTED(muMemPoolImportFromShareableHandle)
UNSUPPORTED(muMemPoolImportPointer)
UNSUPPORTED(muMemRelease)
UNSUPPORTED(muMemRetainAllocationHandle)
UNSUPPORTED(muMemSetAccess)
UNSUPPORTED(muMemUnmap)
UNSUPPORTED(muStreamBatchMemOp)
UNSUPPORTED(muStreamBatchMemOp_v2)
UNSUPPORTED(muStreamWaitValue32)
UNSUPPORTED(muStreamWaitValue32_v2)
UNSUPPORTED(muStreamWaitValue64)
UNSUPPORTED(muStreamWaitValue64_v2)
UNSUPPORTED(muStreamWriteValue32)
UNSUPPORTED(muStreamWriteValue32_v2)
UNSUPPORTED(muStreamWriteValue64)
UNSUPPORTED(muStreamWriteValue64_v2)

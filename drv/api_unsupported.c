/* SPDX-License-Identifier: MIT */
/*
 * Runtime functions that are declared and not supported: textures, surfaces, graphics interoperation,
 * asynchronous notifications and a few others. Each says so.
 */
#include "drv/rt.h"

/* The parameters are part of the ABI; nobody reads them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

musaError_t musaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
		const struct musaChannelFormatDesc *fmtDesc, int device)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGraphicsUnregisterResource(musaGraphicsResource_t resource)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGraphicsResourceSetMapFlags(musaGraphicsResource_t resource, unsigned int flags)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGraphicsMapResources(int count, musaGraphicsResource_t *resources,
		musaStream_t stream)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGraphicsUnmapResources(int count, musaGraphicsResource_t *resources,
		musaStream_t stream)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size,
		musaGraphicsResource_t resource)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGraphicsSubResourceGetMappedArray(musaArray_t *array,
		musaGraphicsResource_t resource, unsigned int arrayIndex, unsigned int mipLevel)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGraphicsResourceGetMappedMipmappedArray(musaMipmappedArray_t *mipmappedArray,
		musaGraphicsResource_t resource)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaCreateTextureObject(musaTextureObject_t *pTexObject,
		const struct musaResourceDesc *pResDesc, const struct musaTextureDesc *pTexDesc,
		const struct musaResourceViewDesc *pResViewDesc)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaDestroyTextureObject(musaTextureObject_t texObject)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGetTextureObjectResourceDesc(struct musaResourceDesc *pResDesc,
		musaTextureObject_t texObject)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGetTextureObjectTextureDesc(struct musaTextureDesc *pTexDesc,
		musaTextureObject_t texObject)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGetTextureObjectResourceViewDesc(struct musaResourceViewDesc *pResViewDesc,
		musaTextureObject_t texObject)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaCreateSurfaceObject(musaSurfaceObject_t *pSurfObject,
		const struct musaResourceDesc *pResDesc)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaDestroySurfaceObject(musaSurfaceObject_t surfObject)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGetSurfaceObjectResourceDesc(struct musaResourceDesc *pResDesc,
		musaSurfaceObject_t surfObject)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaDeviceFlushGPUDirectRDMAWrites(enum musaFlushGPUDirectRDMAWritesTarget target,
		enum musaFlushGPUDirectRDMAWritesScope scope)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaDeviceRegisterAsyncNotification(int device, musaAsyncCallback callbackFunc,
		void *userData, musaAsyncCallbackHandle_t *callback)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaDeviceUnregisterAsyncNotification(int device, musaAsyncCallbackHandle_t callback)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaLaunchCooperativeKernelMultiDevice(struct musaLaunchParams *launchParamsList,
		unsigned int numDevices, unsigned int flags)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaGetExportTable(const void **ppExportTable, const musaUUID_t *pExportTableId)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaLibraryGetManaged(void **dptr, size_t *bytes, musaLibrary_t library,
		const char *name)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaLibraryGetUnifiedFunction(void **fptr, musaLibrary_t library, const char *symbol)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
		const musaLaunchConfig_t *launchConfig)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaOccupancyMaxActiveClusters(int *numClusters, const void *func,
		const musaLaunchConfig_t *launchConfig)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

/* SPDX-License-Identifier: MIT */
/* Device, limit and version types of the runtime API. */
#ifndef __MUSA_DEVICE_TYPES_H__
#define __MUSA_DEVICE_TYPES_H__

#include <stddef.h>

#include "../host_defines.h"
#include "handles.h"

typedef struct MUuuid_st musaUUID_t;

#define MUSA_IPC_HANDLE_SIZE 64
#define musaCpuDeviceId ((int)-1)
#define musaDeviceBlockingSync 0x04
#define musaDeviceLmemResizeToMax 0x10
#define musaDeviceMapHost 0x08
#define musaDeviceMask 0xff
#define musaDeviceScheduleAuto 0x00
#define musaDeviceScheduleBlockingSync 0x04
#define musaDeviceScheduleMask 0x07
#define musaDeviceScheduleSpin 0x01
#define musaDeviceScheduleYield 0x02
#define musaDeviceSyncMemops 0x80
#define musaInitDeviceFlagsAreValid 0x01
#define musaInvalidDeviceId ((int)-2)
#define musaIpcMemLazyEnablePeerAccess 0x01
#define musaPeerAccessDefault 0x00

/* Who may use a device. */
enum musaComputeMode {
	musaComputeModeDefault = 0,
	musaComputeModeExclusive = 1,
	musaComputeModeProhibited = 2,
	musaComputeModeExclusiveProcess = 3,
};
typedef enum musaComputeMode musaComputeMode;

/* Limits of a device; all but the launch limits are in bytes. */
enum musaLimit {
	musaLimitStackSize = 0,
	musaLimitPrintfFifoSize = 1,
	musaLimitMallocHeapSize = 2,
	musaLimitDevRuntimeSyncDepth = 3,
	musaLimitDevRuntimePendingLaunchCount = 4,
	musaLimitMaxL2FetchGranularity = 5,
	musaLimitPersistingL2CacheSize = 6,
};
typedef enum musaLimit musaLimit;

/* How cache and shared memory are to be split. */
enum musaFuncCache {
	musaFuncCachePreferNone = 0,
	musaFuncCachePreferShared = 1,
	musaFuncCachePreferL1 = 2,
	musaFuncCachePreferEqual = 3,
};
typedef enum musaFuncCache musaFuncCache;

/* Bank width of shared memory. */
enum musaSharedMemConfig {
	musaSharedMemBankSizeDefault = 0,
	musaSharedMemBankSizeFourByte = 1,
	musaSharedMemBankSizeEightByte = 2,
};
typedef enum musaSharedMemConfig musaSharedMemConfig;

/* Shared memory wanted, in per cent of the most there can be. */
enum musaSharedCarveout {
	musaSharedmemCarveoutDefault = -1,
	musaSharedmemCarveoutMaxL1 = 0,
	musaSharedmemCarveoutMaxShared = 100,
};
typedef enum musaSharedCarveout musaSharedCarveout;

/* What two devices can do with each other. */
enum musaDeviceP2PAttr {
	musaDevP2PAttrPerformanceRank = 1,
	musaDevP2PAttrAccessSupported = 2,
	musaDevP2PAttrNativeAtomicSupported = 3,
	musaDevP2PAttrMusaArrayAccessSupported = 4,
};
typedef enum musaDeviceP2PAttr musaDeviceP2PAttr;

/* Ways to make remote writes visible: bits of a device attribute. */
enum musaFlushGPUDirectRDMAWritesOptions {
	musaFlushGPUDirectRDMAWritesOptionHost = 1,
	musaFlushGPUDirectRDMAWritesOptionMemOps = 2,
};
typedef enum musaFlushGPUDirectRDMAWritesOptions musaFlushGPUDirectRDMAWritesOptions;

/* Without a flush, who sees remote writes in order. */
enum musaGPUDirectRDMAWritesOrdering {
	musaGPUDirectRDMAWritesOrderingNone = 0,
	musaGPUDirectRDMAWritesOrderingOwner = 100,
	musaGPUDirectRDMAWritesOrderingAllDevices = 200,
};
typedef enum musaGPUDirectRDMAWritesOrdering musaGPUDirectRDMAWritesOrdering;

/* To whom flushed remote writes become visible. */
enum musaFlushGPUDirectRDMAWritesScope {
	musaFlushGPUDirectRDMAWritesToOwner = 100,
	musaFlushGPUDirectRDMAWritesToAllDevices = 200,
};
typedef enum musaFlushGPUDirectRDMAWritesScope musaFlushGPUDirectRDMAWritesScope;

/* Where remote writes went. */
enum musaFlushGPUDirectRDMAWritesTarget {
	musaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0,
};
typedef enum musaFlushGPUDirectRDMAWritesTarget musaFlushGPUDirectRDMAWritesTarget;

/* Which variant of a driver call to look for: what stream 0 means. */
enum musaGetDriverEntryPointFlags {
	musaEnableDefault = 0,
	musaEnableLegacyStream = 1,
	musaEnablePerThreadDefaultStream = 2,
};
typedef enum musaGetDriverEntryPointFlags musaGetDriverEntryPointFlags;

/* Why there is no entry point. */
enum musaDriverEntryPointQueryResult {
	musaDriverEntryPointSuccess = 0,
	musaDriverEntryPointSymbolNotFound = 1,
	musaDriverEntryPointVersionNotSufficent = 2,
};
typedef enum musaDriverEntryPointQueryResult musaDriverEntryPointQueryResult;

/* One property of a device. Sizes in bytes, clock rates in kHz, bus widths in bits. */
enum musaDeviceAttr {
	musaDevAttrMaxThreadsPerBlock = 1,
	musaDevAttrMaxBlockDimX = 2,
	musaDevAttrMaxBlockDimY = 3,
	musaDevAttrMaxBlockDimZ = 4,
	musaDevAttrMaxGridDimX = 5,
	musaDevAttrMaxGridDimY = 6,
	musaDevAttrMaxGridDimZ = 7,
	musaDevAttrMaxSharedMemoryPerBlock = 8,
	musaDevAttrTotalConstantMemory = 9,
	musaDevAttrWarpSize = 10,
	musaDevAttrMaxPitch = 11,
	musaDevAttrMaxRegistersPerBlock = 12,
	musaDevAttrClockRate = 13,
	musaDevAttrTextureAlignment = 14,
	musaDevAttrGpuOverlap = 15,
	musaDevAttrMultiProcessorCount = 16,
	musaDevAttrKernelExecTimeout = 17,
	musaDevAttrIntegrated = 18,
	musaDevAttrCanMapHostMemory = 19,
	musaDevAttrComputeMode = 20,
	musaDevAttrMaxTexture1DWidth = 21,
	musaDevAttrMaxTexture2DWidth = 22,
	musaDevAttrMaxTexture2DHeight = 23,
	musaDevAttrMaxTexture3DWidth = 24,
	musaDevAttrMaxTexture3DHeight = 25,
	musaDevAttrMaxTexture3DDepth = 26,
	musaDevAttrMaxTexture2DLayeredWidth = 27,
	musaDevAttrMaxTexture2DLayeredHeight = 28,
	musaDevAttrMaxTexture2DLayeredLayers = 29,
	musaDevAttrSurfaceAlignment = 30,
	musaDevAttrConcurrentKernels = 31,
	musaDevAttrEccEnabled = 32,
	musaDevAttrPciBusId = 33,
	musaDevAttrPciDeviceId = 34,
	musaDevAttrTccDriver = 35,
	musaDevAttrMemoryClockRate = 36,
	musaDevAttrGlobalMemoryBusWidth = 37,
	musaDevAttrL2CacheSize = 38,
	musaDevAttrMaxThreadsPerMultiProcessor = 39,
	musaDevAttrAsyncEngineCount = 40,
	musaDevAttrUnifiedAddressing = 41,
	musaDevAttrMaxTexture1DLayeredWidth = 42,
	musaDevAttrMaxTexture1DLayeredLayers = 43,
	musaDevAttrMaxTexture2DGatherWidth = 45,
	musaDevAttrMaxTexture2DGatherHeight = 46,
	musaDevAttrMaxTexture3DWidthAlt = 47,
	musaDevAttrMaxTexture3DHeightAlt = 48,
	musaDevAttrMaxTexture3DDepthAlt = 49,
	musaDevAttrPciDomainId = 50,
	musaDevAttrTexturePitchAlignment = 51,
	musaDevAttrMaxTextureCubemapWidth = 52,
	musaDevAttrMaxTextureCubemapLayeredWidth = 53,
	musaDevAttrMaxTextureCubemapLayeredLayers = 54,
	musaDevAttrMaxSurface1DWidth = 55,
	musaDevAttrMaxSurface2DWidth = 56,
	musaDevAttrMaxSurface2DHeight = 57,
	musaDevAttrMaxSurface3DWidth = 58,
	musaDevAttrMaxSurface3DHeight = 59,
	musaDevAttrMaxSurface3DDepth = 60,
	musaDevAttrMaxSurface1DLayeredWidth = 61,
	musaDevAttrMaxSurface1DLayeredLayers = 62,
	musaDevAttrMaxSurface2DLayeredWidth = 63,
	musaDevAttrMaxSurface2DLayeredHeight = 64,
	musaDevAttrMaxSurface2DLayeredLayers = 65,
	musaDevAttrMaxSurfaceCubemapWidth = 66,
	musaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
	musaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
	musaDevAttrMaxTexture1DLinearWidth = 69,
	musaDevAttrMaxTexture2DLinearWidth = 70,
	musaDevAttrMaxTexture2DLinearHeight = 71,
	musaDevAttrMaxTexture2DLinearPitch = 72,
	musaDevAttrMaxTexture2DMipmappedWidth = 73,
	musaDevAttrMaxTexture2DMipmappedHeight = 74,
	musaDevAttrComputeCapabilityMajor = 75,
	musaDevAttrComputeCapabilityMinor = 76,
	musaDevAttrMaxTexture1DMipmappedWidth = 77,
	musaDevAttrStreamPrioritiesSupported = 78,
	musaDevAttrGlobalL1CacheSupported = 79,
	musaDevAttrLocalL1CacheSupported = 80,
	musaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	musaDevAttrMaxRegistersPerMultiprocessor = 82,
	musaDevAttrManagedMemory = 83,
	musaDevAttrIsMultiGpuBoard = 84,
	musaDevAttrMultiGpuBoardGroupID = 85,
	musaDevAttrHostNativeAtomicSupported = 86,
	musaDevAttrSingleToDoublePrecisionPerfRatio = 87,
	musaDevAttrPageableMemoryAccess = 88,
	musaDevAttrConcurrentManagedAccess = 89,
	musaDevAttrComputePreemptionSupported = 90,
	musaDevAttrCanUseHostPointerForRegisteredMem = 91,
	musaDevAttrReserved92 = 92,
	musaDevAttrReserved93 = 93,
	musaDevAttrReserved94 = 94,
	musaDevAttrCooperativeLaunch = 95,
	musaDevAttrCooperativeMultiDeviceLaunch = 96,
	musaDevAttrMaxSharedMemoryPerBlockOptin = 97,
	musaDevAttrCanFlushRemoteWrites = 98,
	musaDevAttrHostRegisterSupported = 99,
	musaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
	musaDevAttrDirectManagedMemAccessFromHost = 101,
	musaDevAttrMaxBlocksPerMultiprocessor = 106,
	musaDevAttrMaxPersistingL2CacheSize = 108,
	musaDevAttrMaxAccessPolicyWindowSize = 109,
	musaDevAttrReservedSharedMemoryPerBlock = 111,
	musaDevAttrSparseMusaArraySupported = 112,
	musaDevAttrHostRegisterReadOnlySupported = 113,
	musaDevAttrTimelineSemaphoreInteropSupported = 114,
	musaDevAttrMaxTimelineSemaphoreInteropSupported = 114,
	musaDevAttrMemoryPoolsSupported = 115,
	musaDevAttrGPUDirectRDMASupported = 116,
	musaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
	musaDevAttrGPUDirectRDMAWritesOrdering = 118,
	musaDevAttrMemoryPoolSupportedHandleTypes = 119,
	musaDevAttrClusterLaunch = 120,
	musaDevAttrDeferredMappingMusaArraySupported = 121,
	musaDevAttrReserved122 = 122,
	musaDevAttrReserved123 = 123,
	musaDevAttrReserved124 = 124,
	musaDevAttrIpcEventSupport = 125,
	musaDevAttrMemSyncDomainCount = 126,
	musaDevAttrReserved127 = 127,
	musaDevAttrReserved128 = 128,
	musaDevAttrReserved129 = 129,
	musaDevAttrNumaConfig = 130,
	musaDevAttrNumaId = 131,
	musaDevAttrReserved132 = 132,
	musaDevAttrMpsEnabled = 133,
	musaDevAttrHostNumaId = 134,
	musaDevAttrD3D12CigSupported = 135,
	musaDevAttrGpuPciDeviceId = 139,
	musaDevAttrGpuPciSubsystemId = 140,
	musaDevAttrHostNumaMultinodeIpcSupported = 143,
	musaDevAttrMax = 144,
};
typedef enum musaDeviceAttr musaDeviceAttr;

/* All properties of a device. Sizes in bytes, clock rates in kHz, bus widths in bits. */
struct musaDeviceProp {
	char name[256];
	musaUUID_t uuid;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	size_t totalGlobalMem;
	size_t sharedMemPerBlock;
	int regsPerBlock;
	int warpSize;
	size_t memPitch;
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	int clockRate;
	size_t totalConstMem;
	int major;
	int minor;
	size_t textureAlignment;
	size_t texturePitchAlignment;
	int deviceOverlap;
	int multiProcessorCount;
	int kernelExecTimeoutEnabled;
	int integrated;
	int canMapHostMemory;
	int computeMode;
	int maxTexture1D;
	int maxTexture1DMipmap;
	int maxTexture1DLinear;
	int maxTexture2D[2];
	int maxTexture2DMipmap[2];
	int maxTexture2DLinear[3];
	int maxTexture2DGather[2];
	int maxTexture3D[3];
	int maxTexture3DAlt[3];
	int maxTextureCubemap;
	int maxTexture1DLayered[2];
	int maxTexture2DLayered[3];
	int maxTextureCubemapLayered[2];
	int maxSurface1D;
	int maxSurface2D[2];
	int maxSurface3D[3];
	int maxSurface1DLayered[2];
	int maxSurface2DLayered[3];
	int maxSurfaceCubemap;
	int maxSurfaceCubemapLayered[2];
	size_t surfaceAlignment;
	int concurrentKernels;
	int ECCEnabled;
	int pciBusID;
	int pciDeviceID;
	int pciDomainID;
	int tccDriver;
	int asyncEngineCount;
	int unifiedAddressing;
	int memoryClockRate;
	int memoryBusWidth;
	int l2CacheSize;
	int persistingL2CacheMaxSize;
	int maxThreadsPerMultiProcessor;
	int streamPrioritiesSupported;
	int globalL1CacheSupported;
	int localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor;
	int managedMemory;
	int isMultiGpuBoard;
	int multiGpuBoardGroupID;
	int hostNativeAtomicSupported;
	int singleToDoublePrecisionPerfRatio;
	int pageableMemoryAccess;
	int concurrentManagedAccess;
	int computePreemptionSupported;
	int canUseHostPointerForRegisteredMem;
	int cooperativeLaunch;
	int cooperativeMultiDeviceLaunch;
	size_t sharedMemPerBlockOptin;
	int pageableMemoryAccessUsesHostPageTables;
	int directManagedMemAccessFromHost;
	int maxBlocksPerMultiProcessor;
	int accessPolicyMaxWindowSize;
	size_t reservedSharedMemPerBlock;
	int hostRegisterSupported;
	int sparseMusaArraySupported;
	int hostRegisterReadOnlySupported;
	int timelineSemaphoreInteropSupported;
	int memoryPoolsSupported;
	int gpuDirectRDMASupported;
	unsigned int gpuDirectRDMAFlushWritesOptions;
	int gpuDirectRDMAWritesOrdering;
	unsigned int memoryPoolSupportedHandleTypes;
	int deferredMappingMusaArraySupported;
	int ipcEventSupported;
	int clusterLaunch;
	int unifiedFunctionPointers;
	int reserved[63];
};
typedef struct musaDeviceProp musaDeviceProp;

/* An event, described to another process. */
struct musaIpcEventHandle_st {
	char reserved[64];
};
typedef struct musaIpcEventHandle_st musaIpcEventHandle_t;

/* An allocation, described to another process. */
struct musaIpcMemHandle_st {
	char reserved[64];
};
typedef struct musaIpcMemHandle_st musaIpcMemHandle_t;

/* Why the runtime calls an asynchronous-notification callback. */
enum musaAsyncNotificationType {
	musaAsyncNotificationTypeOverBudget = 0x1,
};
typedef enum musaAsyncNotificationType musaAsyncNotificationType;

struct musaAsyncNotificationInfo {
	enum musaAsyncNotificationType type;
	union {
		struct {
			unsigned long long bytesOverBudget;
		} overBudget;
	} info;
};
typedef struct musaAsyncNotificationInfo musaAsyncNotificationInfo_t;

typedef struct musaAsyncCallbackEntry *musaAsyncCallbackHandle_t;
typedef void(MUSART_CB *musaAsyncCallback)(musaAsyncNotificationInfo_t *info, void *userData,
					   musaAsyncCallbackHandle_t callback);

#endif /* __MUSA_DEVICE_TYPES_H__ */

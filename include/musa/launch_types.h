/* SPDX-License-Identifier: MIT */
/* Launch, function-attribute and library types of the runtime API. */
#ifndef __MUSA_LAUNCH_TYPES_H__
#define __MUSA_LAUNCH_TYPES_H__

#include <stddef.h>

#include "../vector_types.h"
#include "stream_types.h"

typedef struct MUfunc_st *musaFunction_t;
typedef struct MUkern_st *musaKernel_t;
typedef struct MUlib_st *musaLibrary_t;
typedef struct MUgraphDeviceUpdatableNode_st *musaGraphDeviceNode_t;

#define musaKernelNodeAttrID musaLaunchAttributeID
#define musaKernelNodeAttrValue musaLaunchAttributeValue
#define musaKernelNodeAttributeAccessPolicyWindow musaLaunchAttributeAccessPolicyWindow
#define musaKernelNodeAttributeClusterDimension musaLaunchAttributeClusterDimension
#define musaKernelNodeAttributeClusterSchedulingPolicyPreference \
	musaLaunchAttributeClusterSchedulingPolicyPreference
#define musaKernelNodeAttributeCooperative musaLaunchAttributeCooperative
#define musaKernelNodeAttributeDeviceUpdatableKernelNode \
	musaLaunchAttributeDeviceUpdatableKernelNode
#define musaKernelNodeAttributeMemSyncDomain musaLaunchAttributeMemSyncDomain
#define musaKernelNodeAttributeMemSyncDomainMap musaLaunchAttributeMemSyncDomainMap
#define musaKernelNodeAttributePreferredSharedMemoryCarveout \
	musaLaunchAttributePreferredSharedMemoryCarveout
#define musaKernelNodeAttributePriority musaLaunchAttributePriority
#define musaOccupancyDefault 0x00
#define musaOccupancyDisableCachingOverride 0x01
#define musaStreamAttrID musaLaunchAttributeID
#define musaStreamAttrValue musaLaunchAttributeValue
#define musaStreamAttributeAccessPolicyWindow musaLaunchAttributeAccessPolicyWindow
#define musaStreamAttributeMemSyncDomain musaLaunchAttributeMemSyncDomain
#define musaStreamAttributeMemSyncDomainMap musaLaunchAttributeMemSyncDomainMap
#define musaStreamAttributePriority musaLaunchAttributePriority
#define musaStreamAttributeSynchronizationPolicy musaLaunchAttributeSynchronizationPolicy
#define musaCooperativeLaunchMultiDeviceNoPostSync 2
#define musaCooperativeLaunchMultiDeviceNoPreSync 1

/* What cached lines are worth. */
enum musaAccessProperty {
	musaAccessPropertyNormal = 0,
	musaAccessPropertyStreaming = 1,
	musaAccessPropertyPersisting = 2,
};
typedef enum musaAccessProperty musaAccessProperty;

/* How a thread waits for a stream. */
enum musaSynchronizationPolicy {
	musaSyncPolicyAuto = 1,
	musaSyncPolicySpin = 2,
	musaSyncPolicyYield = 3,
	musaSyncPolicyBlockingSync = 4,
};
typedef enum musaSynchronizationPolicy musaSynchronizationPolicy;

/* How clusters are spread over a device. */
enum musaClusterSchedulingPolicy {
	musaClusterSchedulingPolicyDefault = 0,
	musaClusterSchedulingPolicySpread = 1,
	musaClusterSchedulingPolicyLoadBalancing = 2,
};
typedef enum musaClusterSchedulingPolicy musaClusterSchedulingPolicy;

/* Which writes a fence waits for. */
enum musaLaunchMemSyncDomain {
	musaLaunchMemSyncDomainDefault = 0,
	musaLaunchMemSyncDomainRemote = 1,
};
typedef enum musaLaunchMemSyncDomain musaLaunchMemSyncDomain;

/* Which member of musaLaunchAttributeValue counts. */
enum musaLaunchAttributeID {
	musaLaunchAttributeIgnore = 0,
	musaLaunchAttributeAccessPolicyWindow = 1,
	musaLaunchAttributeCooperative = 2,
	musaLaunchAttributeSynchronizationPolicy = 3,
	musaLaunchAttributeClusterDimension = 4,
	musaLaunchAttributeClusterSchedulingPolicyPreference = 5,
	musaLaunchAttributeProgrammaticStreamSerialization = 6,
	musaLaunchAttributeProgrammaticEvent = 7,
	musaLaunchAttributePriority = 8,
	musaLaunchAttributeMemSyncDomainMap = 9,
	musaLaunchAttributeMemSyncDomain = 10,
	musaLaunchAttributePreferredClusterDimension = 11,
	musaLaunchAttributeLaunchCompletionEvent = 12,
	musaLaunchAttributeDeviceUpdatableKernelNode = 13,
	musaLaunchAttributePreferredSharedMemoryCarveout = 14,
};
typedef enum musaLaunchAttributeID musaLaunchAttributeID;

/* Attributes of a kernel that can be set. Sizes in bytes. */
enum musaFuncAttribute {
	musaFuncAttributeMaxDynamicSharedMemorySize = 8,
	musaFuncAttributePreferredSharedMemoryCarveout = 9,
	musaFuncAttributeClusterDimMustBeSet = 10,
	musaFuncAttributeRequiredClusterWidth = 11,
	musaFuncAttributeRequiredClusterHeight = 12,
	musaFuncAttributeRequiredClusterDepth = 13,
	musaFuncAttributeNonPortableClusterSizeAllowed = 14,
	musaFuncAttributeClusterSchedulingPolicyPreference = 15,
	musaFuncAttributeMax = 16,
};
typedef enum musaFuncAttribute musaFuncAttribute;

/* Options of the run-time compiler. */
enum musaJitOption {
	musaJitMaxRegisters = 0,
	musaJitThreadsPerBlock = 1,
	musaJitWallTime = 2,
	musaJitInfoLogBuffer = 3,
	musaJitInfoLogBufferSizeBytes = 4,
	musaJitErrorLogBuffer = 5,
	musaJitErrorLogBufferSizeBytes = 6,
	musaJitOptimizationLevel = 7,
	musaJitFallbackStrategy = 10,
	musaJitGenerateDebugInfo = 11,
	musaJitLogVerbose = 12,
	musaJitGenerateLineInfo = 13,
	musaJitCacheMode = 14,
	musaJitPositionIndependentCode = 30,
	musaJitMinCtaPerSm = 31,
	musaJitMaxThreadsPerBlock = 32,
	musaJitOverrideDirectiveValues = 33,
};
typedef enum musaJitOption musaJitOption;

/* Caching of loads, for the run-time compiler. */
enum musaJit_CacheMode {
	musaJitCacheOptionNone = 0,
	musaJitCacheOptionCG = 1,
	musaJitCacheOptionCA = 2,
};
typedef enum musaJit_CacheMode musaJit_CacheMode;

/* What to load if the best code is missing. */
enum musaJit_Fallback {
	musaPreferPtx = 0,
	musaPreferBinary = 1,
};
typedef enum musaJit_Fallback musaJit_Fallback;

/* Options of loading code. */
enum musaLibraryOption {
	musaLibraryHostUniversalFunctionAndDataTable = 0,
	musaLibraryBinaryIsPreserved = 1,
};
typedef enum musaLibraryOption musaLibraryOption;

/* Memory whose lines are to be kept in the cache. */
struct musaAccessPolicyWindow {
	void *base_ptr;
	size_t num_bytes;	/* at most the device attribute */
	float hitRatio;		/* share of the lines that get hitProp, 0 to 1 */
	enum musaAccessProperty hitProp;
	enum musaAccessProperty missProp;
};
typedef struct musaAccessPolicyWindow musaAccessPolicyWindow;

/* Physical domains behind the two logical ones. */
struct musaLaunchMemSyncDomainMap_st {
	unsigned char default_;
	unsigned char remote;
};
typedef struct musaLaunchMemSyncDomainMap_st musaLaunchMemSyncDomainMap;

/* One attribute of a launch, a stream or a kernel node. */
union musaLaunchAttributeValue {
	char pad[64];
	struct musaAccessPolicyWindow accessPolicyWindow;
	int cooperative;
	enum musaSynchronizationPolicy syncPolicy;
	struct {
		unsigned int x;
		unsigned int y;
		unsigned int z;
	} clusterDim;
	enum musaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
	int programmaticStreamSerializationAllowed;
	struct {
		musaEvent_t event;
		int flags;
		int triggerAtBlockStart;
	} programmaticEvent;
	int priority;
	musaLaunchMemSyncDomainMap memSyncDomainMap;
	musaLaunchMemSyncDomain memSyncDomain;
	struct {
		unsigned int x;
		unsigned int y;
		unsigned int z;
	} preferredClusterDim;
	struct {
		musaEvent_t event;
		int flags;
	} launchCompletionEvent;
	struct {
		int deviceUpdatable;
		musaGraphDeviceNode_t devNode;
	} deviceUpdatableKernelNode;
	unsigned int sharedMemCarveout;
};
typedef union musaLaunchAttributeValue musaLaunchAttributeValue;

/* An attribute with its value. */
struct musaLaunchAttribute_st {
	musaLaunchAttributeID id;
	char pad[4];	/* unused */
	musaLaunchAttributeValue val;
};
typedef struct musaLaunchAttribute_st musaLaunchAttribute;

/* How to launch a kernel. */
struct musaLaunchConfig_st {
	dim3 gridDim;
	dim3 blockDim;
	size_t dynamicSmemBytes;	/* of each block */
	musaStream_t stream;
	musaLaunchAttribute *attrs;
	unsigned int numAttrs;		/* length of attrs */
};
typedef struct musaLaunchConfig_st musaLaunchConfig_t;

/* A kernel, as musaFuncGetAttributes() describes it. Sizes in bytes. */
struct musaFuncAttributes {
	size_t sharedSizeBytes;
	size_t constSizeBytes;
	size_t localSizeBytes;
	int maxThreadsPerBlock;
	int numRegs;
	int ptxVersion;
	int binaryVersion;
	int cacheModeCA;
	int maxDynamicSharedSizeBytes;
	int preferredShmemCarveout;
	int clusterDimMustBeSet;
	int requiredClusterWidth;
	int requiredClusterHeight;
	int requiredClusterDepth;
	int clusterSchedulingPolicyPreference;
	int nonPortableClusterSizeAllowed;
	int reserved[16];
};
typedef struct musaFuncAttributes musaFuncAttributes;

/* One launch of musaLaunchCooperativeKernelMultiDevice(). */
struct musaLaunchParams {
	void *func;
	dim3 gridDim;
	dim3 blockDim;
	void **args;
	size_t sharedMem;
	musaStream_t stream;
};
typedef struct musaLaunchParams musaLaunchParams;

#endif /* __MUSA_LAUNCH_TYPES_H__ */

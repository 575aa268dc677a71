/* SPDX-License-Identifier: MIT */
/* Function, launch, library and attribute types of the driver API. */
#ifndef __MUSA_DRV_LAUNCH_TYPES_H__
#define __MUSA_DRV_LAUNCH_TYPES_H__

#include "drv_base_types.h"

#define MU_LAUNCH_PARAM_END ((void *)0x00)
#define MU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define MU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

enum MUoccupancy_flags_enum {
	MU_OCCUPANCY_DEFAULT = 0,
	MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 1,
};
typedef enum MUoccupancy_flags_enum MUoccupancy_flags;

/* Attributes of a kernel. Sizes in bytes. */
enum MUfunction_attribute_enum {
	MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
	MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
	MU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
	MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
	MU_FUNC_ATTRIBUTE_NUM_REGS = 4,
	MU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
	MU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
	MU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
	MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
	MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
	MU_FUNC_ATTRIBUTE_MAX = 10,
	MU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
	MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
	MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
	MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
	MU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
	MU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15,
};
typedef enum MUfunction_attribute_enum MUfunction_attribute;

/* Options of the run-time compiler. */
enum MUjit_option_enum {
	MU_JIT_MAX_REGISTERS = 0,
	MU_JIT_THREADS_PER_BLOCK = 1,
	MU_JIT_WALL_TIME = 2,
	MU_JIT_INFO_LOG_BUFFER = 3,
	MU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
	MU_JIT_ERROR_LOG_BUFFER = 5,
	MU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
	MU_JIT_OPTIMIZATION_LEVEL = 7,
	MU_JIT_TARGET_FROM_MUCONTEXT = 8,
	MU_JIT_TARGET = 9,
	MU_JIT_FALLBACK_STRATEGY = 10,
	MU_JIT_GENERATE_DEBUG_INFO = 11,
	MU_JIT_LOG_VERBOSE = 12,
	MU_JIT_GENERATE_LINE_INFO = 13,
	MU_JIT_CACHE_MODE = 14,
	MU_JIT_NEW_SM3X_OPT = 15,
	MU_JIT_FAST_COMPILE = 16,
	MU_JIT_GLOBAL_SYMBOL_NAMES = 17,
	MU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
	MU_JIT_GLOBAL_SYMBOL_COUNT = 19,
	MU_JIT_LTO = 20,
	MU_JIT_FTZ = 21,
	MU_JIT_PREC_DIV = 22,
	MU_JIT_PREC_SQRT = 23,
	MU_JIT_FMA = 24,
	MU_JIT_NUM_OPTIONS = 25,
	MU_JIT_REFERENCED_KERNEL_NAMES = 25,
	MU_JIT_REFERENCED_KERNEL_COUNT = 26,
	MU_JIT_REFERENCED_VARIABLE_NAMES = 27,
	MU_JIT_REFERENCED_VARIABLE_COUNT = 28,
	MU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
	MU_JIT_POSITION_INDEPENDENT_CODE = 30,
	MU_JIT_MIN_CTA_PER_SM = 31,
	MU_JIT_MAX_THREADS_PER_BLOCK = 32,
	MU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33,
};
typedef enum MUjit_option_enum MUjit_option;

enum MUjit_target_enum {
	MU_TARGET_COMPUTE_20 = 20,
	MU_TARGET_COMPUTE_21 = 21,
	MU_TARGET_COMPUTE_30 = 30,
	MU_TARGET_COMPUTE_32 = 32,
	MU_TARGET_COMPUTE_35 = 35,
	MU_TARGET_COMPUTE_37 = 37,
	MU_TARGET_COMPUTE_50 = 50,
	MU_TARGET_COMPUTE_52 = 52,
	MU_TARGET_COMPUTE_53 = 53,
	MU_TARGET_COMPUTE_60 = 60,
	MU_TARGET_COMPUTE_61 = 61,
	MU_TARGET_COMPUTE_62 = 62,
	MU_TARGET_COMPUTE_70 = 70,
	MU_TARGET_COMPUTE_72 = 72,
	MU_TARGET_COMPUTE_75 = 75,
	MU_TARGET_COMPUTE_80 = 80,
	MU_TARGET_COMPUTE_86 = 86,
};
typedef enum MUjit_target_enum MUjit_target;

enum MUjit_fallback_enum {
	MU_PREFER_PTX = 0,
	MU_PREFER_BINARY = 1,
};
typedef enum MUjit_fallback_enum MUjit_fallback;

enum MUjit_cacheMode_enum {
	MU_JIT_CACHE_OPTION_NONE = 0,
	MU_JIT_CACHE_OPTION_CG = 1,
	MU_JIT_CACHE_OPTION_CA = 2,
};
typedef enum MUjit_cacheMode_enum MUjit_cacheMode;

enum MUjitInputType_enum {
	MU_JIT_INPUT_MUBIN = 0,
	MU_JIT_INPUT_PTX = 1,
	MU_JIT_INPUT_FATBINARY = 2,
	MU_JIT_INPUT_OBJECT = 3,
	MU_JIT_INPUT_LIBRARY = 4,
	MU_JIT_INPUT_MTVM = 5,
	MU_JIT_NUM_INPUT_TYPES = 6,
};
typedef enum MUjitInputType_enum MUjitInputType;

enum MUaccessProperty_enum {
	MU_ACCESS_PROPERTY_NORMAL = 0,
	MU_ACCESS_PROPERTY_STREAMING = 1,
	MU_ACCESS_PROPERTY_PERSISTING = 2,
};
typedef enum MUaccessProperty_enum MUaccessProperty;

enum MUsynchronizationPolicy_enum {
	MU_SYNC_POLICY_AUTO = 1,
	MU_SYNC_POLICY_SPIN = 2,
	MU_SYNC_POLICY_YIELD = 3,
	MU_SYNC_POLICY_BLOCKING_SYNC = 4,
};
typedef enum MUsynchronizationPolicy_enum MUsynchronizationPolicy;

enum MUclusterSchedulingPolicy_enum {
	MU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0,
	MU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1,
	MU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2,
};
typedef enum MUclusterSchedulingPolicy_enum MUclusterSchedulingPolicy;

enum MUlaunchMemSyncDomain_enum {
	MU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT = 0,
	MU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE = 1,
};
typedef enum MUlaunchMemSyncDomain_enum MUlaunchMemSyncDomain;

enum MUlaunchAttributeID_enum {
	MU_LAUNCH_ATTRIBUTE_IGNORE = 0,
	MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
	MU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
	MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
	MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
	MU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
	MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
	MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
	MU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
	MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9,
	MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10,
	MU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11,
	MU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12,
	MU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = 13,
	MU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14,
};
typedef enum MUlaunchAttributeID_enum MUlaunchAttributeID;

enum MUkernelNodeAttrID_enum {
	MU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
	MU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE = 2,
};
typedef enum MUkernelNodeAttrID_enum MUkernelNodeAttrID;

enum MUstreamAttrID_enum {
	MU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
	MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
};
typedef enum MUstreamAttrID_enum MUstreamAttrID;

enum MUlibraryOption_enum {
	MU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
	MU_LIBRARY_BINARY_IS_PRESERVED = 1,
	MU_LIBRARY_NUM_OPTIONS = 2,
};
typedef enum MUlibraryOption_enum MUlibraryOption;

enum MUmoduleLoadingMode_enum {
	MU_MODULE_EAGER_LOADING = 1,
	MU_MODULE_LAZY_LOADING = 2,
};
typedef enum MUmoduleLoadingMode_enum MUmoduleLoadingMode;

struct MUaccessPolicyWindow_st {
	void *base_ptr;
	size_t num_bytes;
	float hitRatio;
	MUaccessProperty hitProp;
	MUaccessProperty missProp;
};
typedef struct MUaccessPolicyWindow_st MUaccessPolicyWindow_v1;
typedef MUaccessPolicyWindow_v1 MUaccessPolicyWindow;

struct MUlaunchMemSyncDomainMap_st {
	unsigned char default_;
	unsigned char remote;
};
typedef struct MUlaunchMemSyncDomainMap_st MUlaunchMemSyncDomainMap;

/* One attribute of a launch. */
union MUlaunchAttributeValue_union {
	char pad[64];
	MUaccessPolicyWindow accessPolicyWindow;
	int cooperative;
	MUsynchronizationPolicy syncPolicy;
	struct {
		unsigned int x;
		unsigned int y;
		unsigned int z;
	} clusterDim;
	MUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
	int programmaticStreamSerializationAllowed;
	struct {
		MUevent event;
		int flags;
		int triggerAtBlockStart;
	} programmaticEvent;
	int priority;
	MUlaunchMemSyncDomainMap memSyncDomainMap;
	MUlaunchMemSyncDomain memSyncDomain;
};
typedef union MUlaunchAttributeValue_union MUlaunchAttributeValue;

struct MUlaunchAttribute_st {
	MUlaunchAttributeID id;
	char pad[4];
	MUlaunchAttributeValue value;
};
typedef struct MUlaunchAttribute_st MUlaunchAttribute;

/* How to launch a kernel. */
struct MUlaunchConfig_st {
	unsigned int gridDimX;
	unsigned int gridDimY;
	unsigned int gridDimZ;
	unsigned int blockDimX;
	unsigned int blockDimY;
	unsigned int blockDimZ;
	unsigned int sharedMemBytes;	/* dynamic, of each block */
	MUstream hStream;
	MUlaunchAttribute *attrs;
	unsigned int numAttrs;
};
typedef struct MUlaunchConfig_st MUlaunchConfig;

/* One attribute of a kernel node. Callers may have only these 32 bytes. */
union MUkernelNodeAttrValue_union {
	MUaccessPolicyWindow accessPolicyWindow;
	int cooperative;
};
typedef union MUkernelNodeAttrValue_union MUkernelNodeAttrValue_v1;
typedef MUkernelNodeAttrValue_v1 MUkernelNodeAttrValue;

/* One attribute of a stream. Callers may have only these 32 bytes. */
union MUstreamAttrValue_union {
	MUaccessPolicyWindow accessPolicyWindow;
	MUsynchronizationPolicy syncPolicy;
};
typedef union MUstreamAttrValue_union MUstreamAttrValue_v1;
typedef MUstreamAttrValue_v1 MUstreamAttrValue;

struct MUSA_LAUNCH_PARAMS_st {
	MUfunction function;
	unsigned int gridDimX;
	unsigned int gridDimY;
	unsigned int gridDimZ;
	unsigned int blockDimX;
	unsigned int blockDimY;
	unsigned int blockDimZ;
	unsigned int sharedMemBytes;
	MUstream hStream;
	void **kernelParams;
};
typedef struct MUSA_LAUNCH_PARAMS_st MUSA_LAUNCH_PARAMS_v1;
typedef MUSA_LAUNCH_PARAMS_v1 MUSA_LAUNCH_PARAMS;

#endif /* __MUSA_DRV_LAUNCH_TYPES_H__ */

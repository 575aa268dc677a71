/* SPDX-License-Identifier: MIT */
/* Stream, event, external memory and semaphore types of the driver API. */
#ifndef __MUSA_DRV_STREAM_TYPES_H__
#define __MUSA_DRV_STREAM_TYPES_H__

#include "drv_base_types.h"
#include "drv_memory_types.h"

#define MUSA_EXTERNAL_MEMORY_DEDICATED 0x1
#define MUSA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_MTSCIBUF_MEMSYNC 0x01
#define MUSA_EXTERNAL_SEMAPHORE_WAIT_SKIP_MTSCIBUF_MEMSYNC 0x02

enum MUstream_flags_enum {
	MU_STREAM_DEFAULT = 0,
	MU_STREAM_NON_BLOCKING = 1,
};
typedef enum MUstream_flags_enum MUstream_flags;

enum MUevent_flags_enum {
	MU_EVENT_DEFAULT = 0,
	MU_EVENT_BLOCKING_SYNC = 1,
	MU_EVENT_DISABLE_TIMING = 2,
	MU_EVENT_INTERPROCESS = 4,
};
typedef enum MUevent_flags_enum MUevent_flags;

enum MUevent_record_flags_enum {
	MU_EVENT_RECORD_DEFAULT = 0,
	MU_EVENT_RECORD_EXTERNAL = 1,
};
typedef enum MUevent_record_flags_enum MUevent_record_flags;

enum MUevent_wait_flags_enum {
	MU_EVENT_WAIT_DEFAULT = 0,
	MU_EVENT_WAIT_EXTERNAL = 1,
};
typedef enum MUevent_wait_flags_enum MUevent_wait_flags;

enum MUstreamWaitValue_flags_enum {
	MU_STREAM_WAIT_VALUE_GEQ = 0,
	MU_STREAM_WAIT_VALUE_EQ = 1,
	MU_STREAM_WAIT_VALUE_AND = 2,
	MU_STREAM_WAIT_VALUE_NOR = 3,
	MU_STREAM_WAIT_VALUE_FLUSH = 1073741824,
};
typedef enum MUstreamWaitValue_flags_enum MUstreamWaitValue_flags;

enum MUstreamWriteValue_flags_enum {
	MU_STREAM_WRITE_VALUE_DEFAULT = 0,
	MU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 1,
};
typedef enum MUstreamWriteValue_flags_enum MUstreamWriteValue_flags;

enum MUstreamBatchMemOpType_enum {
	MU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
	MU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
	MU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
	MU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
	MU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3,
	MU_STREAM_MEM_OP_BARRIER = 6,
};
typedef enum MUstreamBatchMemOpType_enum MUstreamBatchMemOpType;

/* A write to memory or a wait for memory; operation says which member counts. */
union MUstreamBatchMemOpParams_union {
	MUstreamBatchMemOpType operation;
	struct MUstreamMemOpWaitValueParams_st {
		MUstreamBatchMemOpType operation;
		MUdeviceptr address;
		union {
			muuint32_t value;
			muuint64_t value64;
		};
		unsigned int flags;
		MUdeviceptr alias;
	} waitValue;
	struct MUstreamMemOpWriteValueParams_st {
		MUstreamBatchMemOpType operation;
		MUdeviceptr address;
		union {
			muuint32_t value;
			muuint64_t value64;
		};
		unsigned int flags;
		MUdeviceptr alias;
	} writeValue;
	struct MUstreamMemOpFlushRemoteWritesParams_st {
		MUstreamBatchMemOpType operation;
		unsigned int flags;
	} flushRemoteWrites;
	muuint64_t pad[6];
};
typedef union MUstreamBatchMemOpParams_union MUstreamBatchMemOpParams_v1;
typedef MUstreamBatchMemOpParams_v1 MUstreamBatchMemOpParams;

/* Memory of another API. Longer than the runtime's twin. */
struct MUSA_EXTERNAL_MEMORY_HANDLE_DESC_st {
	MUexternalMemoryHandleType type;
	union {
		int fd;
		struct {
			void *handle;
			const void *name;
		} win32;
		const void *mtSciBufObject;
	} handle;
	unsigned long long size;	/* bytes */
	unsigned int flags;
	unsigned int reserved[16];	/* must be 0 */
};
typedef struct MUSA_EXTERNAL_MEMORY_HANDLE_DESC_st MUSA_EXTERNAL_MEMORY_HANDLE_DESC_v1;
typedef MUSA_EXTERNAL_MEMORY_HANDLE_DESC_v1 MUSA_EXTERNAL_MEMORY_HANDLE_DESC;

struct MUSA_EXTERNAL_MEMORY_BUFFER_DESC_st {
	unsigned long long offset;
	unsigned long long size;
	unsigned int flags;
	unsigned int reserved[16];
};
typedef struct MUSA_EXTERNAL_MEMORY_BUFFER_DESC_st MUSA_EXTERNAL_MEMORY_BUFFER_DESC_v1;
typedef MUSA_EXTERNAL_MEMORY_BUFFER_DESC_v1 MUSA_EXTERNAL_MEMORY_BUFFER_DESC;

struct MUSA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
	unsigned long long offset;
	MUSA_ARRAY3D_DESCRIPTOR arrayDesc;
	unsigned int numLevels;
	unsigned int reserved[16];
};
typedef struct MUSA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st
	MUSA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1;
typedef MUSA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1 MUSA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC;

/* A semaphore of another API. Longer than the runtime's twin. */
struct MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st {
	MUexternalSemaphoreHandleType type;
	union {
		int fd;
		struct {
			void *handle;
			const void *name;
		} win32;
		const void *mtSciSyncObj;
	} handle;
	unsigned int flags;
	unsigned int reserved[16];	/* must be 0 */
};
typedef struct MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1;
typedef MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1 MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC;

struct MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st {
	struct {
		struct {
			unsigned long long value;
		} fence;
		union {
			void *fence;
			unsigned long long reserved;
		} mtSciSync;
		struct {
			unsigned long long key;
		} keyedMutex;
		unsigned int reserved[12];
	} params;
	unsigned int flags;
	unsigned int reserved[16];
};
typedef struct MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1;
typedef MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1 MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;

struct MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st {
	struct {
		struct {
			unsigned long long value;
		} fence;
		union {
			void *fence;
			unsigned long long reserved;
		} mtSciSync;
		struct {
			unsigned long long key;
			unsigned int timeoutMs;
		} keyedMutex;
		unsigned int reserved[10];
	} params;
	unsigned int flags;
	unsigned int reserved[16];
};
typedef struct MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1;
typedef MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1 MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;

#endif /* __MUSA_DRV_STREAM_TYPES_H__ */

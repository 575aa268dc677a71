/* SPDX-License-Identifier: MIT */
/* Texture, surface and graphics types of the runtime API. */
#ifndef __MUSA_TEXTURE_TYPES_H__
#define __MUSA_TEXTURE_TYPES_H__

#include "memory_types.h"

/* Texture and surface objects are 64-bit names, not pointers. */
typedef unsigned long long musaTextureObject_t;
typedef unsigned long long musaSurfaceObject_t;

struct musaGraphicsResource;
typedef struct musaGraphicsResource *musaGraphicsResource_t;

enum musaGraphicsRegisterFlags {
	musaGraphicsRegisterFlagsNone = 0,
	musaGraphicsRegisterFlagsReadOnly = 1,
	musaGraphicsRegisterFlagsWriteDiscard = 2,
	musaGraphicsRegisterFlagsSurfaceLoadStore = 4,
	musaGraphicsRegisterFlagsTextureGather = 8,
};
typedef enum musaGraphicsRegisterFlags musaGraphicsRegisterFlags;

enum musaGraphicsMapFlags {
	musaGraphicsMapFlagsNone = 0,
	musaGraphicsMapFlagsReadOnly = 1,
	musaGraphicsMapFlagsWriteDiscard = 2,
};
typedef enum musaGraphicsMapFlags musaGraphicsMapFlags;

/* What a texture or surface object reads from. */
enum musaResourceType {
	musaResourceTypeArray = 0,
	musaResourceTypeMipmappedArray = 1,
	musaResourceTypeLinear = 2,
	musaResourceTypePitch2D = 3,
};
typedef enum musaResourceType musaResourceType;

/* How a view reinterprets the elements of an array. */
enum musaResourceViewFormat {
	musaResViewFormatNone = 0x00,
	musaResViewFormatUnsignedChar1 = 0x01,
	musaResViewFormatUnsignedChar2 = 0x02,
	musaResViewFormatUnsignedChar4 = 0x03,
	musaResViewFormatSignedChar1 = 0x04,
	musaResViewFormatSignedChar2 = 0x05,
	musaResViewFormatSignedChar4 = 0x06,
	musaResViewFormatUnsignedShort1 = 0x07,
	musaResViewFormatUnsignedShort2 = 0x08,
	musaResViewFormatUnsignedShort4 = 0x09,
	musaResViewFormatSignedShort1 = 0x0a,
	musaResViewFormatSignedShort2 = 0x0b,
	musaResViewFormatSignedShort4 = 0x0c,
	musaResViewFormatUnsignedInt1 = 0x0d,
	musaResViewFormatUnsignedInt2 = 0x0e,
	musaResViewFormatUnsignedInt4 = 0x0f,
	musaResViewFormatSignedInt1 = 0x10,
	musaResViewFormatSignedInt2 = 0x11,
	musaResViewFormatSignedInt4 = 0x12,
	musaResViewFormatHalf1 = 0x13,
	musaResViewFormatHalf2 = 0x14,
	musaResViewFormatHalf4 = 0x15,
	musaResViewFormatFloat1 = 0x16,
	musaResViewFormatFloat2 = 0x17,
	musaResViewFormatFloat4 = 0x18,
	musaResViewFormatUnsignedBlockCompressed1 = 0x19,
	musaResViewFormatUnsignedBlockCompressed2 = 0x1a,
	musaResViewFormatUnsignedBlockCompressed3 = 0x1b,
	musaResViewFormatUnsignedBlockCompressed4 = 0x1c,
	musaResViewFormatSignedBlockCompressed4 = 0x1d,
	musaResViewFormatUnsignedBlockCompressed5 = 0x1e,
	musaResViewFormatSignedBlockCompressed5 = 0x1f,
	musaResViewFormatUnsignedBlockCompressed6H = 0x20,
	musaResViewFormatSignedBlockCompressed6H = 0x21,
	musaResViewFormatUnsignedBlockCompressed7 = 0x22,
};
typedef enum musaResourceViewFormat musaResourceViewFormat;

/* What a coordinate outside the texture reads. */
enum musaTextureAddressMode {
	musaAddressModeWrap = 0,
	musaAddressModeClamp = 1,
	musaAddressModeMirror = 2,
	musaAddressModeBorder = 3,
};
typedef enum musaTextureAddressMode musaTextureAddressMode;

enum musaTextureFilterMode {
	musaFilterModePoint = 0,
	musaFilterModeLinear = 1,
};
typedef enum musaTextureFilterMode musaTextureFilterMode;

enum musaTextureReadMode {
	musaReadModeElementType = 0,
	musaReadModeNormalizedFloat = 1,
};
typedef enum musaTextureReadMode musaTextureReadMode;

/* What an access outside a surface does. */
enum musaSurfaceBoundaryMode {
	musaBoundaryModeZero = 0,
	musaBoundaryModeClamp = 1,
	musaBoundaryModeTrap = 2,
};
typedef enum musaSurfaceBoundaryMode musaSurfaceBoundaryMode;

enum musaSurfaceFormatMode {
	musaFormatModeForced = 0,
	musaFormatModeAuto = 1,
};
typedef enum musaSurfaceFormatMode musaSurfaceFormatMode;

/* The memory behind a texture or surface object; @resType names the member of @res. */
struct musaResourceDesc {
	enum musaResourceType resType;
	union {
		struct {
			musaArray_t array;
		} array;
		struct {
			musaMipmappedArray_t mipmap;
		} mipmap;
		struct {
			void *devPtr;
			struct musaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct musaChannelFormatDesc desc;
			size_t width;
			size_t height;
			size_t pitchInBytes;
		} pitch2D;
	} res;
};
typedef struct musaResourceDesc musaResourceDesc;

struct musaResourceViewDesc {
	enum musaResourceViewFormat format;
	size_t width;
	size_t height;
	size_t depth;
	unsigned int firstMipmapLevel;
	unsigned int lastMipmapLevel;
	unsigned int firstLayer;
	unsigned int lastLayer;
};
typedef struct musaResourceViewDesc musaResourceViewDesc;

struct musaTextureDesc {
	enum musaTextureAddressMode addressMode[3];
	enum musaTextureFilterMode filterMode;
	enum musaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	enum musaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias;
	float minMipmapLevelClamp;
	float maxMipmapLevelClamp;
	int disableTrilinearOptimization;
	int seamlessCubemap;
};
typedef struct musaTextureDesc musaTextureDesc;

#endif /* __MUSA_TEXTURE_TYPES_H__ */

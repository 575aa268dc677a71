/* SPDX-License-Identifier: MIT */
/* Channel descriptions of the array element types, for C++: musaCreateChannelDesc<float4>(). */
#ifndef __MUSA_CXX_ARRAY_H__
#define __MUSA_CXX_ARRAY_H__

#include "array_api.h"

#include "../vector_types.h"

/* A type that is no array element has no channels. */
template <class T> static inline musaChannelFormatDesc musaCreateChannelDesc(void)
{
	return ::musaCreateChannelDesc(0, 0, 0, 0, musaChannelFormatKindNone);
}

/* Channels of @bits bits each, as many as @n says. */
static inline musaChannelFormatDesc __musa_channels(int n, int bits, musaChannelFormatKind kind)
{
	return ::musaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0,
				       n > 3 ? bits : 0, kind);
}

#define __musa_channel_desc(type, n, bits, kind)                                                   \
	template <> inline musaChannelFormatDesc musaCreateChannelDesc<type>(void)                 \
	{                                                                                          \
		return __musa_channels(n, bits, kind);                                             \
	}

__musa_channel_desc(char, 1, 8, musaChannelFormatKindSigned)
__musa_channel_desc(signed char, 1, 8, musaChannelFormatKindSigned)
__musa_channel_desc(char1, 1, 8, musaChannelFormatKindSigned)
__musa_channel_desc(char2, 2, 8, musaChannelFormatKindSigned)
__musa_channel_desc(char4, 4, 8, musaChannelFormatKindSigned)
__musa_channel_desc(unsigned char, 1, 8, musaChannelFormatKindUnsigned)
__musa_channel_desc(uchar1, 1, 8, musaChannelFormatKindUnsigned)
__musa_channel_desc(uchar2, 2, 8, musaChannelFormatKindUnsigned)
__musa_channel_desc(uchar4, 4, 8, musaChannelFormatKindUnsigned)
__musa_channel_desc(short, 1, 16, musaChannelFormatKindSigned)
__musa_channel_desc(short1, 1, 16, musaChannelFormatKindSigned)
__musa_channel_desc(short2, 2, 16, musaChannelFormatKindSigned)
__musa_channel_desc(short4, 4, 16, musaChannelFormatKindSigned)
__musa_channel_desc(unsigned short, 1, 16, musaChannelFormatKindUnsigned)
__musa_channel_desc(ushort1, 1, 16, musaChannelFormatKindUnsigned)
__musa_channel_desc(ushort2, 2, 16, musaChannelFormatKindUnsigned)
__musa_channel_desc(ushort4, 4, 16, musaChannelFormatKindUnsigned)
__musa_channel_desc(int, 1, 32, musaChannelFormatKindSigned)
__musa_channel_desc(int1, 1, 32, musaChannelFormatKindSigned)
__musa_channel_desc(int2, 2, 32, musaChannelFormatKindSigned)
__musa_channel_desc(int4, 4, 32, musaChannelFormatKindSigned)
__musa_channel_desc(unsigned int, 1, 32, musaChannelFormatKindUnsigned)
__musa_channel_desc(uint1, 1, 32, musaChannelFormatKindUnsigned)
__musa_channel_desc(uint2, 2, 32, musaChannelFormatKindUnsigned)
__musa_channel_desc(uint4, 4, 32, musaChannelFormatKindUnsigned)
__musa_channel_desc(float, 1, 32, musaChannelFormatKindFloat)
__musa_channel_desc(float1, 1, 32, musaChannelFormatKindFloat)
__musa_channel_desc(float2, 2, 32, musaChannelFormatKindFloat)
__musa_channel_desc(float4, 4, 32, musaChannelFormatKindFloat)

#undef __musa_channel_desc

/* Half-precision elements have no type in host code. */
static inline musaChannelFormatDesc musaCreateChannelDescHalf(void)
{
	return __musa_channels(1, 16, musaChannelFormatKindFloat);
}

static inline musaChannelFormatDesc musaCreateChannelDescHalf1(void)
{
	return __musa_channels(1, 16, musaChannelFormatKindFloat);
}

static inline musaChannelFormatDesc musaCreateChannelDescHalf2(void)
{
	return __musa_channels(2, 16, musaChannelFormatKindFloat);
}

static inline musaChannelFormatDesc musaCreateChannelDescHalf4(void)
{
	return __musa_channels(4, 16, musaChannelFormatKindFloat);
}

#endif /* __MUSA_CXX_ARRAY_H__ */

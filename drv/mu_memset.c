/* SPDX-License-Identifier: MIT */
/* Fills of the driver API: elements of one, two or four bytes, in one or two dimensions. */
#include "drv/mem_transfer.h"
#include "drv/mu_copy.h"
#include "drv/mu_internal.h"

static MUresult fill(MUdeviceptr dst, size_t pitch, unsigned int value, unsigned int element_b,
		     size_t width, size_t height, MUstream handle, bool wait, const char *api)
{
	struct mt_op_fill box = {
		.dst = dst,
		.pitch_b = pitch,
		.width = width,
		.height = height,
		.depth = 1,
		.value = value,
		.element_b = element_b,
	};
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(handle, false, &stream);

	if (!ret)
		ret = mt_mem_fill(stream, &box, wait, api);
	return mt_mu_copy_result(ret);
}

/* The four calls for one size of element. */
#define FILLS(bits, type)                                                                          \
	MUresult muMemsetD##bits##_v2(MUdeviceptr dst, type value, size_t count)                   \
	{                                                                                          \
		return fill(dst, 0, value, sizeof(type), count, 1, NULL, true,                     \
			    "muMemsetD" #bits);                                                    \
	}                                                                                          \
	MUresult muMemsetD##bits##Async(MUdeviceptr dst, type value, size_t count,                 \
					MUstream stream)                                           \
	{                                                                                          \
		return fill(dst, 0, value, sizeof(type), count, 1, stream, false,                  \
			    "muMemsetD" #bits "Async");                                            \
	}                                                                                          \
	MUresult muMemsetD2D##bits##_v2(MUdeviceptr dst, size_t pitch, type value, size_t width,   \
					size_t height)                                             \
	{                                                                                          \
		return fill(dst, pitch, value, sizeof(type), width, height, NULL, true,            \
			    "muMemsetD2D" #bits);                                                  \
	}                                                                                          \
	MUresult muMemsetD2D##bits##Async(MUdeviceptr dst, size_t pitch, type value, size_t width, \
					  size_t height, MUstream stream)                          \
	{                                                                                          \
		return fill(dst, pitch, value, sizeof(type), width, height, stream, false,         \
			    "muMemsetD2D" #bits "Async");                                          \
	}

FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned int)

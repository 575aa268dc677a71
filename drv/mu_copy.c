/* SPDX-License-Identifier: MIT */
/* From the driver API's copy parameters to an op's, and back. */
#include "drv/mu_copy.h"

#include <string.h>

#include "drv/memory.h"
#include "musa_runtime_api.h"

/* One side of the parameters. */
struct side {
	size_t x_b, y, z, lod;
	MUmemorytype type;
	const void *host;
	MUdeviceptr device;
	MUarray array;
	size_t pitch, height;
};

static MUresult set_side(const struct side *given, struct mt_copy_side *side)
{
	MUresult ret;

	if (given->lod)
		return MUSA_ERROR_INVALID_VALUE;
	*side = (struct mt_copy_side){
		.pitch_b = given->pitch,
		.ysize = given->height,
		.pos_x = given->x_b,
		.pos_y = given->y,
		.pos_z = given->z,
	};
	switch ((int)given->type) {
	case MU_MEMORYTYPE_HOST:
		side->ptr = (uintptr_t)given->host;
		return MUSA_SUCCESS;
	case MU_MEMORYTYPE_DEVICE:
	case MU_MEMORYTYPE_UNIFIED:
		side->ptr = given->device;
		return MUSA_SUCCESS;
	case MU_MEMORYTYPE_ARRAY:
		break;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
	ret = mt_array_get((uintptr_t)given->array, &side->array);
	if (ret)
		return ret;
	if (given->x_b % side->array->element_b)
		return MUSA_ERROR_INVALID_VALUE;
	side->pos_x = given->x_b / side->array->element_b;
	return MUSA_SUCCESS;
}

static uint8_t kind_of(MUmemorytype src, MUmemorytype dst)
{
	if (src == MU_MEMORYTYPE_UNIFIED || dst == MU_MEMORYTYPE_UNIFIED)
		return musaMemcpyDefault;
	if (src == MU_MEMORYTYPE_HOST)
		return dst == MU_MEMORYTYPE_HOST ? musaMemcpyHostToHost : musaMemcpyHostToDevice;
	return dst == MU_MEMORYTYPE_HOST ? musaMemcpyDeviceToHost : musaMemcpyDeviceToDevice;
}

/* The extent counts elements as soon as an array takes part. */
static MUresult set_extent(struct mt_op_copy *copy, size_t width_b, size_t height, size_t depth)
{
	const struct mt_array *array = copy->src.array ? copy->src.array : copy->dst.array;
	uint32_t element_b = array ? array->element_b : 1;

	if (width_b % element_b)
		return MUSA_ERROR_INVALID_VALUE;
	copy->width = width_b / element_b;
	copy->height = height;
	copy->depth = depth;
	return MUSA_SUCCESS;
}

MUresult mt_mu_copy_3d(const MUSA_MEMCPY3D *params, struct mt_op_copy *copy)
{
	struct side src, dst;
	MUresult ret;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	src = (struct side){ params->srcXInBytes, params->srcY, params->srcZ, params->srcLOD,
			     params->srcMemoryType, params->srcHost, params->srcDevice,
			     params->srcArray, params->srcPitch, params->srcHeight };
	dst = (struct side){ params->dstXInBytes, params->dstY, params->dstZ, params->dstLOD,
			     params->dstMemoryType, params->dstHost, params->dstDevice,
			     params->dstArray, params->dstPitch, params->dstHeight };
	memset(copy, 0, sizeof(*copy));
	ret = set_side(&src, &copy->src);
	if (!ret)
		ret = set_side(&dst, &copy->dst);
	if (ret)
		return ret;
	copy->kind = kind_of(src.type, dst.type);
	return set_extent(copy, params->WidthInBytes, params->Height, params->Depth);
}

MUresult mt_mu_copy_2d(const MUSA_MEMCPY2D *params, struct mt_op_copy *copy)
{
	MUSA_MEMCPY3D box;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	box = (MUSA_MEMCPY3D){
		.srcXInBytes = params->srcXInBytes,
		.srcY = params->srcY,
		.srcMemoryType = params->srcMemoryType,
		.srcHost = params->srcHost,
		.srcDevice = params->srcDevice,
		.srcArray = params->srcArray,
		.srcPitch = params->srcPitch,
		.dstXInBytes = params->dstXInBytes,
		.dstY = params->dstY,
		.dstMemoryType = params->dstMemoryType,
		.dstHost = params->dstHost,
		.dstDevice = params->dstDevice,
		.dstArray = params->dstArray,
		.dstPitch = params->dstPitch,
		.WidthInBytes = params->WidthInBytes,
		.Height = params->Height,
		.Depth = 1,
	};
	return mt_mu_copy_3d(&box, copy);
}

static MUmemorytype type_of(const struct mt_copy_side *side, uint8_t kind, bool declared_host)
{
	if (side->array)
		return MU_MEMORYTYPE_ARRAY;
	if (kind == musaMemcpyDefault)
		return MU_MEMORYTYPE_UNIFIED;
	return declared_host ? MU_MEMORYTYPE_HOST : MU_MEMORYTYPE_DEVICE;
}

static struct side describe_side(const struct mt_copy_side *side, uint8_t kind, bool declared_host)
{
	struct side told = {
		.x_b = side->pos_x * (side->array ? side->array->element_b : 1),
		.y = side->pos_y,
		.z = side->pos_z,
		.type = type_of(side, kind, declared_host),
		.pitch = side->pitch_b,
		.height = side->ysize,
	};

	if (side->array)
		told.array = (MUarray)(uintptr_t)side->array->handle;
	else if (told.type == MU_MEMORYTYPE_HOST)
		told.host = (const void *)(uintptr_t)side->ptr;
	else
		told.device = side->ptr;
	return told;
}

void mt_mu_copy_describe(const struct mt_op_copy *copy, MUSA_MEMCPY3D *params_out)
{
	uint8_t kind = copy->kind;
	struct side src = describe_side(&copy->src, kind, kind == musaMemcpyHostToHost ||
							  kind == musaMemcpyHostToDevice);
	struct side dst = describe_side(&copy->dst, kind, kind == musaMemcpyHostToHost ||
							  kind == musaMemcpyDeviceToHost);

	*params_out = (MUSA_MEMCPY3D){
		.srcXInBytes = src.x_b,
		.srcY = src.y,
		.srcZ = src.z,
		.srcMemoryType = src.type,
		.srcHost = src.host,
		.srcDevice = src.device,
		.srcArray = src.array,
		.srcPitch = src.pitch,
		.srcHeight = src.height,
		.dstXInBytes = dst.x_b,
		.dstY = dst.y,
		.dstZ = dst.z,
		.dstMemoryType = dst.type,
		.dstHost = (void *)(uintptr_t)dst.host,
		.dstDevice = dst.device,
		.dstArray = dst.array,
		.dstPitch = dst.pitch,
		.dstHeight = dst.height,
		.WidthInBytes = copy->width_b,
		.Height = copy->height,
		.Depth = copy->depth,
	};
}

MUresult mt_mu_copy_result(MUresult result)
{
	switch ((int)result) {
	case musaErrorInvalidPitchValue:
	case musaErrorInvalidMemcpyDirection:
		return MUSA_ERROR_INVALID_VALUE;
	default:
		return result;
	}
}

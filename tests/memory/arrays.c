/* SPDX-License-Identifier: MIT */
/* Arrays of one to three dimensions: formats, shapes, and copies to, from and between them. */
#include "memory_test.h"

static musaArray_t array_of(int bits, size_t width, size_t height, size_t depth)
{
	struct musaChannelFormatDesc format =
		musaCreateChannelDesc(bits, 0, 0, 0, musaChannelFormatKindUnsigned);
	musaArray_t array;

	OK(musaMalloc3DArray(&array, &format, make_musaExtent(width, height, depth), 0));
	return array;
}

/* What was asked for is told. */
Test(memory_arrays, information)
{
	struct musaChannelFormatDesc format =
		musaCreateChannelDesc(16, 16, 16, 16, musaChannelFormatKindFloat);
	struct musaChannelFormatDesc got;
	struct musaArrayMemoryRequirements needs;
	struct musaExtent extent;
	unsigned int flags;
	musaArray_t array;

	OK(musaMallocArray(&array, &format, 100, 50, musaArraySurfaceLoadStore));
	OK(musaArrayGetInfo(&got, &extent, &flags, array));
	EQ(got.x, 16);
	EQ(got.w, 16);
	EQ(got.f, musaChannelFormatKindFloat);
	EQ(extent.width, 100);
	EQ(extent.height, 50);
	EQ(extent.depth, 0);
	EQ(flags, musaArraySurfaceLoadStore);
	OK(musaArrayGetInfo(NULL, NULL, NULL, array));
	OK(musaGetChannelDesc(&got, array));
	EQ(got.y, 16);
	OK(musaArrayGetMemoryRequirements(&needs, array, 0));
	cr_assert_geq(needs.size, 100 * 8 * 50);
	EXPECT(musaErrorInvalidDevice, musaArrayGetMemoryRequirements(&needs, array, 7));
	OK(musaFreeArray(array));
	EXPECT(musaErrorInvalidResourceHandle, musaArrayGetInfo(&got, &extent, &flags, array));
	EXPECT(musaErrorInvalidResourceHandle, musaFreeArray(array));
}

/* Formats and shapes that cannot be, and those that are not there. */
Test(memory_arrays, refusals)
{
	const int bad[][4] = {{0, 0, 0, 0}, {7, 0, 0, 0},  {8, 8, 8, 0}, {8, 16, 0, 0},
			      {0, 8, 0, 0}, {64, 0, 0, 0}, {8, 0, 8, 0}, {-8, 0, 0, 0}};
	struct musaChannelFormatDesc format;
	musaMipmappedArray_t mipmap;
	musaArray_t array;

	for (size_t i = 0; i < 8; i++) {
		format = musaCreateChannelDesc(bad[i][0], bad[i][1], bad[i][2], bad[i][3],
					       musaChannelFormatKindSigned);
		EXPECT(IV, musaMallocArray(&array, &format, 10, 10, 0));
	}
	format = musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindFloat);
	EXPECT(IV, musaMallocArray(&array, &format, 10, 10, 0));
	format = musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindNone);
	EXPECT(IV, musaMallocArray(&array, &format, 10, 10, 0));
	format = musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindUnsigned);
	EXPECT(IV, musaMallocArray(NULL, &format, 10, 10, 0));
	EXPECT(IV, musaMallocArray(&array, NULL, 10, 10, 0));
	EXPECT(IV, musaMallocArray(&array, &format, 0, 10, 0));
	EXPECT(IV, musaMallocArray(&array, &format, 10, 10, 0x100));
	EXPECT(IV, musaMalloc3DArray(&array, &format, make_musaExtent(10, 0, 10), 0));
	EXPECT(musaErrorNotSupported,
	       musaMalloc3DArray(&array, &format, make_musaExtent(10, 10, 6), musaArrayLayered));
	EXPECT(musaErrorNotSupported,
	       musaMalloc3DArray(&array, &format, make_musaExtent(10, 10, 6), musaArrayCubemap));
	EXPECT(musaErrorMemoryAllocation, musaMallocArray(&array, &format, SIZE_MAX, 10, 0));
	EXPECT(musaErrorMemoryAllocation, musaMallocArray(&array, &format, 1 << 20, 1 << 20, 0));
	EXPECT(musaErrorNotSupported,
	       musaMallocMipmappedArray(&mipmap, &format, make_musaExtent(8, 8, 0), 2, 0));
}

/* Rows go in and come out; widths and offsets are bytes. */
Test(memory_arrays, two_dimensions)
{
	enum { W = 30, H = 12 };
	musaArray_t array = array_of(16, W, H, 0), other = array_of(16, W, H, 0);
	unsigned char host[W * 2 * H], part[20 * 5], got[W * 2 * H];

	fill_pattern(host, sizeof(host));
	OK(musaMemcpy2DToArray(array, 0, 0, host, W * 2, W * 2, H, musaMemcpyHostToDevice));
	OK(musaMemcpy2DFromArray(part, 20, array, 8, 3, 20, 5, musaMemcpyDeviceToHost));
	for (size_t i = 0; i < sizeof(part); i++)
		EQ(part[i], pattern((i / 20 + 3) * W * 2 + 8 + i % 20));
	OK(musaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, W * 2, H, musaMemcpyDeviceToDevice));
	OK(musaMemcpy2DFromArrayAsync(got, W * 2, other, 0, 0, W * 2, H, musaMemcpyDefault, NULL));
	cr_assert_arr_eq(got, host, sizeof(host));

	EXPECT(IV, musaMemcpy2DToArray(array, 2, 0, host, W * 2, W * 2, H, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy2DToArray(array, 0, 1, host, W * 2, W * 2, H, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy2DToArray(array, 1, 0, host, W * 2, 4, 1, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy2DToArray(array, 0, 0, host, W * 2, 3, 1, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy2DToArray(NULL, 0, 0, host, W * 2, 4, 1, musaMemcpyHostToDevice));
	EXPECT(musaErrorInvalidPitchValue,
	       musaMemcpy2DToArray(array, 0, 0, host, 3, 4, 2, musaMemcpyHostToDevice));
	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpy2DToArray(array, 0, 0, host, W * 2, 4, 1, musaMemcpyDeviceToHost));
	OK(musaMemcpy2DToArray(array, 0, 0, host, W * 2, 0, 1, musaMemcpyHostToDevice));
}

/* One dimension, and lines of bytes that run over rows. */
Test(memory_arrays, lines)
{
	enum { W = 10, H = 6, BYTES = W * 4 * H };
	musaArray_t line = array_of(32, 100, 0, 0), array = array_of(32, W, H, 0);
	musaArray_t other = array_of(32, W, H, 0);
	unsigned char host[BYTES], got[BYTES];

	fill_pattern(host, BYTES);
	OK(musaMemcpyToArray(line, 8, 0, host, BYTES, musaMemcpyHostToDevice));
	OK(musaMemcpyFromArray(got, line, 8, 0, BYTES, musaMemcpyDeviceToHost));
	cr_assert_arr_eq(got, host, BYTES);
	EXPECT(IV, musaMemcpyToArray(line, 400 - 4, 0, host, 8, musaMemcpyHostToDevice));

	/* From the middle of row 1 to the middle of row 4. */
	OK(musaMemcpyToArray(array, 12, 1, host, 120, musaMemcpyHostToDevice));
	memset(got, 0, BYTES);
	OK(musaMemcpyFromArray(got, array, 12, 1, 120, musaMemcpyDeviceToHost));
	cr_assert_arr_eq(got, host, 120);
	OK(musaMemcpy2DFromArray(got, 40, array, 0, 2, 40, 2, musaMemcpyDeviceToHost));
	cr_assert_arr_eq(got, host + 28, 80);
	OK(musaMemcpyArrayToArray(other, 4, 0, array, 12, 1, 120, musaMemcpyDeviceToDevice));
	OK(musaMemcpyFromArray(got, other, 4, 0, 120, musaMemcpyDeviceToHost));
	cr_assert_arr_eq(got, host, 120);
	EXPECT(IV, musaMemcpyToArray(array, 12, 1, host, BYTES - 48, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpyFromArray(got, array, 0, 6, 4, musaMemcpyDeviceToHost));
}

/* Boxes: with an array the extent and its positions count elements. */
Test(memory_arrays, three_dimensions)
{
	enum { W = 9, H = 5, D = 4 };
	musaArray_t array = array_of(32, W, H, D), other = array_of(32, W, H, D);
	struct musaMemcpy3DParms p = {0};
	unsigned int host[W * H * D], got[3 * 2 * 2];

	for (unsigned int i = 0; i < W * H * D; i++)
		host[i] = i * 3;
	p.srcPtr = make_musaPitchedPtr(host, W * 4, W, H);
	p.dstArray = array;
	p.extent = make_musaExtent(W, H, D);
	p.kind = musaMemcpyHostToDevice;
	OK(musaMemcpy3D(&p));

	memset(&p, 0, sizeof(p));
	p.srcArray = array;
	p.dstArray = other;
	p.extent = make_musaExtent(W, H, D);
	p.kind = musaMemcpyDeviceToDevice;
	OK(musaMemcpy3D(&p));

	memset(&p, 0, sizeof(p));
	p.srcArray = other;
	p.srcPos = make_musaPos(4, 2, 1);
	p.dstPtr = make_musaPitchedPtr(got, 12, 3, 2);
	p.extent = make_musaExtent(3, 2, 2);
	p.kind = musaMemcpyDeviceToHost;
	OK(musaMemcpy3D(&p));
	for (unsigned int i = 0; i < 12; i++)
		EQ(got[i], ((i / 6 + 1) * W * H + (i / 3 % 2 + 2) * W + i % 3 + 4) * 3);

	p.srcPos = make_musaPos(7, 2, 1);
	EXPECT(IV, musaMemcpy3D(&p));
	p.srcPos = make_musaPos(4, 2, 3);
	EXPECT(IV, musaMemcpy3D(&p));
	p.srcPos = make_musaPos(SIZE_MAX, 2, 1);
	EXPECT(IV, musaMemcpy3D(&p));
	p.srcPos = make_musaPos(0, 0, 0);
	p.srcPtr = make_musaPitchedPtr(host, W * 4, W, H);
	EXPECT(IV, musaMemcpy3D(&p));
	p.srcPtr.ptr = NULL;
	p.kind = musaMemcpyHostToDevice;
	EXPECT(musaErrorInvalidMemcpyDirection, musaMemcpy3D(&p));
	p.dstPtr.ptr = NULL;
	p.dstArray = array_of(8, W, H, D);
	p.kind = musaMemcpyDeviceToDevice;
	EXPECT(IV, musaMemcpy3D(&p));
}

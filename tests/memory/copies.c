/* SPDX-License-Identifier: MIT */
/* Copies: every direction, shape and boundary, and what is refused. */
#include "memory_test.h"

#define N 4096u

enum place { PAGEABLE, PINNED, DEVICE, MANAGED, PLACES };

static void *take(enum place place, size_t size_b)
{
	void *memory = NULL;

	switch (place) {
	case PAGEABLE:
		memory = malloc(size_b);
		break;
	case PINNED:
		OK(musaMallocHost(&memory, size_b));
		break;
	case DEVICE:
		OK(musaMalloc(&memory, size_b));
		break;
	case MANAGED:
		OK(musaMallocManaged(&memory, size_b, musaMemAttachGlobal));
		break;
	case PLACES:
		break;
	}
	return memory;
}

/* The direction that names both places, and the one that leaves it to the pointers. */
static enum musaMemcpyKind kind_of(enum place src, enum place dst)
{
	bool from_host = src <= PINNED, to_host = dst <= PINNED;

	if (from_host)
		return to_host ? musaMemcpyHostToHost : musaMemcpyHostToDevice;
	return to_host ? musaMemcpyDeviceToHost : musaMemcpyDeviceToDevice;
}

static void expect_pattern(const void *device, size_t size_b)
{
	unsigned char *host = malloc(size_b);

	OK(musaMemcpy(host, device, size_b, musaMemcpyDefault));
	for (size_t i = 0; i < size_b; i++)
		EQ(host[i], pattern(i));
	free(host);
}

/* All places to all places, named and by default, waiting and not. */
Test(memory_copies, all_directions)
{
	musaStream_t stream = new_stream();
	unsigned char host[N];

	fill_pattern(host, N);
	for (enum place s = 0; s < PLACES; s++) {
		for (enum place d = 0; d < PLACES; d++) {
			void *src = take(s, N), *dst = take(d, N);

			OK(musaMemcpy(src, host, N, musaMemcpyDefault));
			OK(musaMemcpy(dst, src, N, kind_of(s, d)));
			expect_pattern(dst, N);
			dst = take(d, N);
			OK(musaMemcpyAsync(dst, src, N, musaMemcpyDefault, stream));
			OK(musaStreamSynchronize(stream));
			expect_pattern(dst, N);
		}
	}
}

/* Odd sizes and offsets. */
Test(memory_copies, odd_sizes)
{
	unsigned char *src = device_pattern(70000), *dst = device_memory(70000);
	const size_t sizes[] = {1, 3, 7, 8, 63, 64, 65, 4097, 65535};

	for (size_t i = 0; i < 9; i++) {
		for (size_t offset = 0; offset < 9; offset += 4) {
			unsigned char *got;

			OK(musaMemset(dst, 0, 70000));
			OK(musaMemcpy(dst + offset + 1, src + offset, sizes[i],
				      musaMemcpyDeviceToDevice));
			got = read_back(dst, 70000);
			EQ(got[offset], 0);
			for (size_t at = 0; at < sizes[i]; at++)
				EQ(got[offset + 1 + at], pattern(offset + at));
			EQ(got[offset + 1 + sizes[i]], 0);
			free(got);
		}
	}
}

/* Nothing is a success, but the direction is looked at. */
Test(memory_copies, nothing)
{
	char host;

	OK(musaMemcpy(NULL, NULL, 0, musaMemcpyDefault));
	OK(musaMemcpyAsync(NULL, &host, 0, musaMemcpyHostToDevice, NULL));
	OK(musaMemcpy2D(NULL, 0, NULL, 0, 0, 5, musaMemcpyDefault));
	OK(musaMemcpy2D(NULL, 0, NULL, 0, 5, 0, musaMemcpyDefault));
	EXPECT(musaErrorInvalidMemcpyDirection, musaMemcpy(NULL, NULL, 0, (enum musaMemcpyKind)99));
	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpy(NULL, NULL, 0, (enum musaMemcpyKind)256));
	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpy2D(NULL, 0, NULL, 0, 0, 0, (enum musaMemcpyKind)5));
}

/* Bad directions, NULL, declared sides that do not fit, and ranges that run out. */
Test(memory_copies, refusals)
{
	char *device = device_memory(1024), *other = device_memory(1024), host[2048];

	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpy(device, host, 4, (enum musaMemcpyKind)99));
	EXPECT(IV, musaMemcpy(NULL, host, 4, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy(device, NULL, 4, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy(host, host + 8, 4, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy(host, host + 8, 4, musaMemcpyDeviceToHost));
	EXPECT(IV, musaMemcpy(device, host, 4, musaMemcpyDeviceToDevice));
	/* The pointers decide where both are known to the device. */
	OK(musaMemcpy(device, other, 4, musaMemcpyHostToDevice));
	OK(musaMemcpy(device, other, 4, musaMemcpyDeviceToHost));
	EXPECT(IV, musaMemcpy(device, host, 1025, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy(device + 1, host, 1024, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy(host, device + 1023, 2, musaMemcpyDeviceToHost));
	EXPECT(IV, musaMemcpy(host, device, SIZE_MAX, musaMemcpyDeviceToHost));
	OK(musaMemcpy(host, device + 1023, 1, musaMemcpyDeviceToHost));
	EXPECT(IV, musaMemcpyAsync(device, host, 1025, musaMemcpyHostToDevice, NULL));
	EXPECT(musaErrorInvalidResourceHandle,
	       musaMemcpyAsync(device, host, 4, musaMemcpyHostToDevice,
			       (musaStream_t)(uintptr_t)0x123456));
}

/* Rows with their own pitches on each side; what lies between them stays. */
Test(memory_copies, two_dimensions)
{
	enum { WIDTH = 37, HEIGHT = 11, FROM = 50, TO = 64 };
	unsigned char src[FROM * HEIGHT], *got;
	char *dst = device_memory(TO * HEIGHT);

	fill_pattern(src, sizeof(src));
	OK(musaMemset(dst, 0xee, TO * HEIGHT));
	OK(musaMemcpy2D(dst, TO, src, FROM, WIDTH, HEIGHT, musaMemcpyHostToDevice));
	got = read_back(dst, TO * HEIGHT);
	for (size_t y = 0; y < HEIGHT; y++) {
		for (size_t x = 0; x < TO; x++)
			EQ(got[y * TO + x], x < WIDTH ? pattern(y * FROM + x) : 0xee);
	}
	EXPECT(musaErrorInvalidPitchValue,
	       musaMemcpy2D(dst, WIDTH - 1, src, FROM, WIDTH, HEIGHT, musaMemcpyHostToDevice));
	EXPECT(musaErrorInvalidPitchValue,
	       musaMemcpy2D(dst, TO, src, WIDTH - 1, WIDTH, HEIGHT, musaMemcpyHostToDevice));
	/* The last row ends before its pitch does. */
	OK(musaMemcpy2D(dst + TO - WIDTH, TO, src, FROM, WIDTH, HEIGHT, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy2D(dst + TO - WIDTH + 1, TO, src, FROM, WIDTH, HEIGHT,
				musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy2D(dst, TO, src, FROM, WIDTH, HEIGHT + 1, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpy2D(dst, SIZE_MAX / 2, src, FROM, WIDTH, 4, musaMemcpyHostToDevice));
}

static struct musaMemcpy3DParms box(void *dst, size_t dst_pitch, size_t dst_rows, void *src,
				    size_t src_pitch, size_t src_rows)
{
	struct musaMemcpy3DParms p = {0};

	p.dstPtr = make_musaPitchedPtr(dst, dst_pitch, dst_pitch, dst_rows);
	p.srcPtr = make_musaPitchedPtr(src, src_pitch, src_pitch, src_rows);
	p.kind = musaMemcpyDefault;
	return p;
}

/* A box out of a larger box, at positions on both sides. */
Test(memory_copies, three_dimensions)
{
	enum { SX = 20, SY = 9, SZ = 6, DX = 32, DY = 7, DZ = 5 };
	struct musaMemcpy3DParms p;
	unsigned char src[SX * SY * SZ], *got;
	void *dst = device_memory(DX * DY * DZ);

	fill_pattern(src, sizeof(src));
	OK(musaMemset(dst, 0, DX * DY * DZ));
	p = box(dst, DX, DY, src, SX, SY);
	p.srcPos = make_musaPos(3, 2, 1);
	p.dstPos = make_musaPos(5, 1, 2);
	p.extent = make_musaExtent(11, 4, 3);
	OK(musaMemcpy3D(&p));
	got = read_back(dst, DX * DY * DZ);
	for (size_t i = 0; i < DX * DY * DZ; i++) {
		size_t x = i % DX - 5, y = i / DX % DY - 1, z = i / DX / DY - 2;
		bool inside = x < 11 && y < 4 && z < 3;

		EQ(got[i], inside ? pattern((z + 1) * SX * SY + (y + 2) * SX + x + 3) : 0);
	}
	/* One slice further is past the end. */
	p.dstPos = make_musaPos(5, 1, 3);
	EXPECT(IV, musaMemcpy3D(&p));
}

/* What a box must not be. */
Test(memory_copies, three_dimensional_refusals)
{
	char *device = device_memory(4096), host[4096];
	struct musaMemcpy3DParms p = box(device, 16, 4, host, 16, 4);

	p.extent = make_musaExtent(16, 4, 4);
	OK(musaMemcpy3D(&p));
	EXPECT(IV, musaMemcpy3D(NULL));
	p.kind = (enum musaMemcpyKind)7;
	EXPECT(musaErrorInvalidMemcpyDirection, musaMemcpy3D(&p));
	p.kind = musaMemcpyDefault;
	p.extent.depth = 0;
	OK(musaMemcpy3D(&p));
	p.extent = make_musaExtent(17, 4, 4);
	EXPECT(musaErrorInvalidPitchValue, musaMemcpy3D(&p));
	/* Wide enough in itself, but not at its place in the row. */
	p.extent = make_musaExtent(16, 2, 2);
	p.dstPos.x = 1;
	EXPECT(IV, musaMemcpy3D(&p));
	p.dstPos.x = 0;
	p.srcPos.x = 1;
	EXPECT(IV, musaMemcpy3D(&p));
	p.srcPos.x = 0;
	p.extent = make_musaExtent(17, 1, 1);
	EXPECT(IV, musaMemcpy3D(&p));
	p.dstPtr.pitch = p.srcPtr.pitch = 0;
	OK(musaMemcpy3D(&p));
	/* Slices of too few rows are as wrong as rows that are too short. */
	p = box(device, 16, 3, host, 16, 4);
	p.extent = make_musaExtent(16, 4, 2);
	EXPECT(musaErrorInvalidPitchValue, musaMemcpy3D(&p));
	p = box(NULL, 16, 4, host, 16, 4);
	p.extent = make_musaExtent(16, 4, 2);
	EXPECT(IV, musaMemcpy3D(&p));
	p = box(device, SIZE_MAX / 2, SIZE_MAX / 2, host, 16, 4);
	p.extent = make_musaExtent(16, 4, 4);
	EXPECT(IV, musaMemcpy3D(&p));
}

/* Copies of one stream keep their order, and the legacy stream keeps the streams' order. */
Test(memory_copies, order)
{
	musaStream_t stream;
	int *pinned, *device = device_memory(sizeof(int)), last;

	OK(musaStreamCreate(&stream));
	OK(musaMallocHost((void **)&pinned, 100 * sizeof(int)));
	for (int i = 0; i < 100; i++) {
		pinned[i] = i;
		OK(musaMemcpyAsync(device, &pinned[i], sizeof(int), musaMemcpyHostToDevice,
				   stream));
	}
	OK(musaMemcpy(&last, device, sizeof(last), musaMemcpyDeviceToHost));
	EQ(last, 99);
}

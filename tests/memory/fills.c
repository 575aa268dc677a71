/* SPDX-License-Identifier: MIT */
/* Fills write the value's low byte over exactly the box that is named. */
#include "memory_test.h"

static void expect_box(const unsigned char *got, size_t pitch, size_t rows, size_t slices,
		       struct musaExtent box, unsigned char inside, unsigned char outside)
{
	for (size_t i = 0; i < pitch * rows * slices; i++) {
		bool in = i % pitch < box.width && i / pitch % rows < box.height &&
			  i / pitch / rows < box.depth;

		EQ(got[i], in ? inside : outside);
	}
}

/* One dimension, to the byte. */
Test(memory_fills, one_dimension)
{
	char *memory = device_memory(1000);
	unsigned char *got;

	OK(musaMemset(memory, 0x11, 1000));
	OK(musaMemset(memory + 3, 0x1234, 500));
	got = read_back(memory, 1000);
	for (size_t i = 0; i < 1000; i++)
		EQ(got[i], i >= 3 && i < 503 ? 0x34 : 0x11);
	free(got);
	OK(musaMemsetAsync(memory, -1, 1000, NULL));
	got = read_back(memory, 1000);
	EQ(got[999], 0xff);
}

/* Two and three dimensions leave what lies between the rows. */
Test(memory_fills, more_dimensions)
{
	enum { PITCH = 48, ROWS = 7, SLICES = 4 };
	struct musaExtent flat = {33, 5, 1}, box = {17, 6, 3};
	void *memory = device_memory(PITCH * ROWS * SLICES);
	musaStream_t stream = new_stream();
	struct musaPitchedPtr pitched = make_musaPitchedPtr(memory, PITCH, PITCH, ROWS);

	OK(musaMemset(memory, 0, PITCH * ROWS * SLICES));
	OK(musaMemset2D(memory, PITCH, 0x55, flat.width, flat.height));
	expect_box(read_back(memory, PITCH * ROWS * SLICES), PITCH, ROWS, SLICES, flat, 0x55, 0);
	OK(musaMemset3D(pitched, 0, make_musaExtent(PITCH, ROWS, SLICES)));
	OK(musaMemset3DAsync(pitched, 0x66, box, stream));
	OK(musaMemset2DAsync(memory, PITCH, 0x66, 1, 1, stream));
	OK(musaStreamSynchronize(stream));
	expect_box(read_back(memory, PITCH * ROWS * SLICES), PITCH, ROWS, SLICES, box, 0x66, 0);
}

/* Nothing, and what must not be. */
Test(memory_fills, refusals)
{
	struct musaPitchedPtr pitched;
	char *memory = device_memory(1024), host[64];

	OK(musaMemset(NULL, 0, 0));
	OK(musaMemset2D(NULL, 0, 0, 0, 4));
	EXPECT(IV, musaMemset(NULL, 0, 1));
	EXPECT(IV, musaMemset(host, 0, 1));
	EXPECT(IV, musaMemset(memory, 0, 1025));
	EXPECT(IV, musaMemset(memory + 1024, 0, 1));
	EXPECT(IV, musaMemset2D(memory, 15, 0, 16, 2));
	EXPECT(IV, musaMemset2D(memory, 512, 0, 513, 2));
	EXPECT(IV, musaMemset2D(memory, 512, 0, 512, 3));
	EXPECT(IV, musaMemset2D(memory, SIZE_MAX / 2, 0, 512, 8));
	OK(musaMemset2D(memory, 0, 0, 16, 1));
	pitched = make_musaPitchedPtr(memory, 16, 16, 4);
	EXPECT(IV, musaMemset3D(pitched, 0, make_musaExtent(16, 5, 2)));
	EXPECT(IV, musaMemset3D(pitched, 0, make_musaExtent(16, 4, 17)));
	OK(musaMemset3D(pitched, 0, make_musaExtent(16, 4, 16)));
}

/* Pinned and managed memory can be filled as well. */
Test(memory_fills, host_memory)
{
	unsigned char *pinned, *managed;

	OK(musaMallocHost((void **)&pinned, 100));
	OK(musaMallocManaged((void **)&managed, 100, musaMemAttachGlobal));
	OK(musaMemset(pinned, 3, 100));
	OK(musaMemset(managed, 4, 100));
	EQ(pinned[99], 3);
	EQ(managed[99], 4);
}

/* SPDX-License-Identifier: MIT */
/* Managed memory: host and device see the same bytes; advice and prefetches are kept and told. */
#include "memory_test.h"

static int attribute(enum musaMemRangeAttribute which, const void *memory)
{
	int value = 12345;

	OK(musaMemRangeGetAttribute(&value, sizeof(value), which, memory, 100));
	return value;
}

/* Both sides write and read. */
Test(memory_managed, is_shared)
{
	int *managed, *device = device_memory(400);

	OK(musaMallocManaged((void **)&managed, 400, musaMemAttachGlobal));
	for (int i = 0; i < 100; i++)
		managed[i] = i;
	OK(musaMemcpy(device, managed, 400, musaMemcpyDeviceToDevice));
	OK(musaMemset(managed, 0, 400));
	EQ(managed[50], 0);
	OK(musaMemcpy(managed, device, 400, musaMemcpyDefault));
	EQ(managed[50], 50);
	OK(musaFree(managed));
	EXPECT(IV, musaFree(managed));
}

Test(memory_managed, refusals)
{
	void *managed;

	EXPECT(IV, musaMallocManaged(NULL, 100, musaMemAttachGlobal));
	EXPECT(IV, musaMallocManaged(&managed, 0, musaMemAttachGlobal));
	EXPECT(IV, musaMallocManaged(&managed, 100, 0));
	EXPECT(IV, musaMallocManaged(&managed, 100, musaMemAttachSingle));
	EXPECT(IV, musaMallocManaged(&managed, 100, 8));
	EXPECT(musaErrorMemoryAllocation,
	       musaMallocManaged(&managed, SIZE_MAX / 2, musaMemAttachGlobal));
	OK(musaMallocManaged(&managed, 100, musaMemAttachHost));
}

/* Advice comes back through the attributes. */
Test(memory_managed, advice)
{
	int devices[3], value;
	void *data[2] = {&value, devices};
	size_t sizes[2] = {sizeof(value), sizeof(devices)};
	enum musaMemRangeAttribute which[2] = {musaMemRangeAttributeReadMostly,
					       musaMemRangeAttributeAccessedBy};
	char *managed, *device = device_memory(100);
	musaStream_t stream = new_stream();

	OK(musaMallocManaged((void **)&managed, 100, musaMemAttachGlobal));
	EQ(attribute(musaMemRangeAttributeReadMostly, managed), 0);
	EQ(attribute(musaMemRangeAttributePreferredLocation, managed), -2);
	EQ(attribute(musaMemRangeAttributeLastPrefetchLocation, managed), -2);
	OK(musaMemAdvise(managed, 100, musaMemAdviseSetReadMostly, 0));
	OK(musaMemAdvise(managed, 100, musaMemAdviseSetPreferredLocation, 0));
	OK(musaMemAdvise(managed, 100, musaMemAdviseSetAccessedBy, -1));
	OK(musaMemAdvise(managed, 100, musaMemAdviseSetAccessedBy, 0));
	OK(musaMemPrefetchAsync(managed, 100, -1, stream));
	EQ(attribute(musaMemRangeAttributeReadMostly, managed), 1);
	EQ(attribute(musaMemRangeAttributePreferredLocation, managed), 0);
	EQ(attribute(musaMemRangeAttributePreferredLocationType, managed),
	   musaMemLocationTypeDevice);
	EQ(attribute(musaMemRangeAttributeLastPrefetchLocation, managed), -1);
	EQ(attribute(musaMemRangeAttributeLastPrefetchLocationType, managed),
	   musaMemLocationTypeHost);
	OK(musaMemRangeGetAttributes(data, sizes, which, 2, managed, 100));
	EQ(value, 1);
	EQ(devices[0], 0);
	EQ(devices[1], -1);
	EQ(devices[2], -2);
	OK(musaMemAdvise(managed, 100, musaMemAdviseUnsetReadMostly, 0));
	OK(musaMemAdvise(managed, 100, musaMemAdviseUnsetPreferredLocation, 0));
	EQ(attribute(musaMemRangeAttributeReadMostly, managed), 0);
	EQ(attribute(musaMemRangeAttributePreferredLocation, managed), -2);

	EXPECT(IV, musaMemAdvise(device, 100, musaMemAdviseSetReadMostly, 0));
	EXPECT(IV, musaMemAdvise(managed, 101, musaMemAdviseSetReadMostly, 0));
	EXPECT(IV, musaMemAdvise(managed, 0, musaMemAdviseSetReadMostly, 0));
	EXPECT(IV, musaMemAdvise(managed, 100, (enum musaMemoryAdvise)0, 0));
	EXPECT(musaErrorInvalidDevice,
	       musaMemAdvise(managed, 100, musaMemAdviseSetPreferredLocation, 9));
	EXPECT(musaErrorInvalidDevice, musaMemPrefetchAsync(managed, 100, 9, stream));
	EXPECT(IV, musaMemPrefetchAsync(device, 100, 0, stream));
	EXPECT(IV,
	       musaMemRangeGetAttribute(&value, 3, musaMemRangeAttributeReadMostly, managed, 100));
	EXPECT(IV,
	       musaMemRangeGetAttribute(&value, 4, (enum musaMemRangeAttribute)99, managed, 100));
	OK(musaStreamAttachMemAsync(stream, managed, 0, musaMemAttachGlobal));
	OK(musaStreamAttachMemAsync(stream, managed, 100, musaMemAttachSingle));
	EXPECT(IV, musaStreamAttachMemAsync(stream, device, 0, musaMemAttachGlobal));
	EXPECT(IV, musaStreamAttachMemAsync(stream, managed, 50, musaMemAttachGlobal));
	EXPECT(IV, musaStreamAttachMemAsync(stream, managed, 0, 3));
}

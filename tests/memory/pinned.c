/* SPDX-License-Identifier: MIT */
/* Pinned memory, allocated and registered, and what the API tells about addresses. */
#include "memory_test.h"

static struct musaPointerAttributes attributes_of(const void *memory)
{
	struct musaPointerAttributes attributes;

	OK(musaPointerGetAttributes(&attributes, memory));
	return attributes;
}

/* Flags come back as given; unknown ones are refused. */
Test(memory_pinned, flags)
{
	unsigned int flags;
	void *memory, *device;

	OK(musaHostAlloc(&memory, 100, musaHostAllocMapped | musaHostAllocWriteCombined));
	OK(musaHostGetFlags(&flags, memory));
	EQ(flags, musaHostAllocMapped | musaHostAllocWriteCombined);
	OK(musaHostGetFlags(&flags, (char *)memory + 99));
	EXPECT(IV, musaHostGetFlags(&flags, (char *)memory + 100));
	OK(musaHostGetDevicePointer(&device, (char *)memory + 5, 0));
	EQ((char *)device - (char *)memory, 5);
	EXPECT(IV, musaHostGetDevicePointer(&device, memory, 1));
	EXPECT(IV, musaHostGetDevicePointer(NULL, memory, 0));
	EXPECT(IV, musaHostGetDevicePointer(&device, &flags, 0));
	EXPECT(IV, musaHostGetFlags(NULL, memory));
	EXPECT(IV, musaHostGetFlags(&flags, &flags));
	OK(musaFreeHost(memory));
	EXPECT(IV, musaHostAlloc(&memory, 100, 8));
	EXPECT(IV, musaHostAlloc(NULL, 100, 0));
	EXPECT(IV, musaMallocHost(NULL, 100));
	OK(musaMallocHost(&memory, 0));
	cr_assert_null(memory);
}

/* Each kind of memory is told apart, at both ends of the range. */
Test(memory_pinned, attributes)
{
	char *device = device_memory(1000), *host, *managed, local;
	struct musaPointerAttributes got;

	OK(musaMallocHost((void **)&host, 1000));
	OK(musaMallocManaged((void **)&managed, 1000, musaMemAttachGlobal));
	got = attributes_of(device + 999);
	EQ(got.type, musaMemoryTypeDevice);
	EQ(got.device, 0);
	cr_assert_eq(got.devicePointer, device + 999);
	cr_assert_null(got.hostPointer);
	got = attributes_of(host + 1);
	EQ(got.type, musaMemoryTypeHost);
	cr_assert_eq(got.devicePointer, host + 1);
	cr_assert_eq(got.hostPointer, host + 1);
	got = attributes_of(managed);
	EQ(got.type, musaMemoryTypeManaged);
	cr_assert_eq(got.devicePointer, managed);
	cr_assert_eq(got.hostPointer, managed);
	got = attributes_of(&local);
	EQ(got.type, musaMemoryTypeUnregistered);
	cr_assert_null(got.devicePointer);
	EQ(attributes_of(device + 1000).type, musaMemoryTypeUnregistered);
	EXPECT(IV, musaPointerGetAttributes(NULL, device));
	EXPECT(IV, musaPointerGetAttributes(&got, NULL));
}

/* Registered memory is pinned memory until it is unregistered; neighbours can be registered too. */
Test(memory_pinned, registration)
{
	char *memory = malloc(10000);
	unsigned int flags;

	OK(musaHostRegister(memory + 1, 4000, musaHostRegisterMapped));
	EQ(attributes_of(memory).type, musaMemoryTypeUnregistered);
	EQ(attributes_of(memory + 1).type, musaMemoryTypeHost);
	EQ(attributes_of(memory + 4000).type, musaMemoryTypeHost);
	EQ(attributes_of(memory + 4001).type, musaMemoryTypeUnregistered);
	OK(musaHostGetFlags(&flags, memory + 1));
	EQ(flags, musaHostRegisterMapped);
	EXPECT(musaErrorHostMemoryAlreadyRegistered, musaHostRegister(memory + 1, 4000, 0));
	EXPECT(musaErrorHostMemoryAlreadyRegistered, musaHostRegister(memory, 2, 0));
	EXPECT(musaErrorHostMemoryAlreadyRegistered, musaHostRegister(memory + 4000, 2, 0));
	OK(musaHostRegister(memory + 4001, 100, 0));
	OK(musaMemset(memory + 1, 7, 4000));
	EQ(memory[4000], 7);
	EXPECT(IV, musaMemset(memory + 1, 7, 4001));
	EXPECT(musaErrorHostMemoryNotRegistered, musaHostUnregister(memory + 2));
	OK(musaHostUnregister(memory + 1));
	EXPECT(musaErrorHostMemoryNotRegistered, musaHostUnregister(memory + 1));
	OK(musaMemset(memory + 4001, 8, 100));
	OK(musaHostUnregister(memory + 4001));
	EXPECT(IV, musaMemset(memory + 4001, 8, 100));
	free(memory);
}

/* What cannot be registered. */
Test(memory_pinned, registration_refusals)
{
	char memory[64];
	void *pinned, *device = device_memory(64);

	OK(musaMallocHost(&pinned, 64));
	EXPECT(IV, musaHostRegister(NULL, 64, 0));
	EXPECT(IV, musaHostRegister(memory, 0, 0));
	EXPECT(IV, musaHostRegister(memory, SIZE_MAX, 0));
	EXPECT(IV, musaHostRegister(memory, 64, 16));
	EXPECT(musaErrorNotSupported, musaHostRegister(memory, 64, musaHostRegisterIoMemory));
	EXPECT(musaErrorHostMemoryAlreadyRegistered, musaHostRegister(pinned, 64, 0));
	EXPECT(IV, musaHostRegister((void *)(uintptr_t)4096, 64, 0));
	EXPECT(IV, musaHostUnregister(NULL));
	EXPECT(musaErrorHostMemoryNotRegistered, musaHostUnregister(pinned));
	EXPECT(musaErrorHostMemoryNotRegistered, musaHostUnregister(device));
	EXPECT(musaErrorHostMemoryNotRegistered, musaHostUnregister(memory));
}

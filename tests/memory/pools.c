/* SPDX-License-Identifier: MIT */
/* Stream-ordered allocation: when memory may be had again, what the pools count, and what they give
 * back. */
#include "memory_test.h"

#include <pthread.h>

static uint64_t attribute(musaMemPool_t pool, enum musaMemPoolAttr which)
{
	uint64_t value = 0;

	OK(musaMemPoolGetAttribute(pool, which, &value));
	return value;
}

static uint64_t used(musaMemPool_t pool)
{
	return attribute(pool, musaMemPoolAttrUsedMemCurrent);
}

static uint64_t reserved(musaMemPool_t pool)
{
	return attribute(pool, musaMemPoolAttrReservedMemCurrent);
}

static musaMemPool_t default_pool(void)
{
	musaMemPool_t pool;

	OK(musaDeviceGetDefaultMemPool(&pool, 0));
	return pool;
}

static musaMemPool_t new_pool(size_t max_b)
{
	struct musaMemPoolProps props = {0};
	musaMemPool_t pool;

	props.allocType = musaMemAllocationTypePinned;
	props.location.type = musaMemLocationTypeDevice;
	props.maxSize = max_b;
	OK(musaMemPoolCreate(&pool, &props));
	return pool;
}

static void keep_memory(musaMemPool_t pool)
{
	uint64_t all = UINT64_MAX;

	OK(musaMemPoolSetAttribute(pool, musaMemPoolAttrReleaseThreshold, &all));
}

static void *take(size_t size_b, musaStream_t stream)
{
	void *memory;

	OK(musaMallocAsync(&memory, size_b, stream));
	return memory;
}

/* The same stream has a freed block again at once. */
Test(memory_pools, same_stream_reuses_at_once)
{
	musaStream_t stream = new_stream();
	_Atomic int open;
	void *first, *second;

	hold_stream(stream, &open);
	first = take(MIB, stream);
	OK(musaMemsetAsync(first, 1, MIB, stream));
	OK(musaFreeAsync(first, stream));
	second = take(MIB, stream);
	cr_assert_eq(first, second);
	OK(musaMemsetAsync(second, 2, MIB, stream));
	EXPECT(musaErrorNotReady, musaStreamQuery(stream));
	atomic_store(&open, 1);
	OK(musaStreamSynchronize(stream));
	EQ(*read_back(second, 1), 2);
	OK(musaFreeAsync(second, stream));
}

/* A smaller block is cut out of a freed one, the rest serves the next. */
Test(memory_pools, same_stream_cuts_blocks)
{
	musaStream_t stream = new_stream();
	_Atomic int open;
	char *whole, *first, *second;

	hold_stream(stream, &open);
	whole = take(MIB, stream);
	OK(musaFreeAsync(whole, stream));
	first = take(MIB / 4, stream);
	second = take(MIB / 2, stream);
	cr_assert(first >= whole && first < whole + MIB);
	cr_assert(second >= whole && second + MIB / 2 <= whole + MIB);
	cr_assert(second >= first + MIB / 4 || first >= second + MIB / 2);
	atomic_store(&open, 1);
	OK(musaStreamSynchronize(stream));
}

/* Another stream does not have it while the first has not come to the free; it may afterwards. */
Test(memory_pools, other_streams_wait_their_turn)
{
	musaStream_t one = new_stream(), two = new_stream();
	_Atomic int open;
	void *first, *second;

	keep_memory(default_pool());
	hold_stream(one, &open);
	first = take(MIB, one);
	OK(musaFreeAsync(first, one));
	second = take(MIB, two);
	cr_assert_neq(first, second);
	OK(musaMemsetAsync(second, 1, MIB, two));
	/* Nor does the second stream wait for the first. */
	OK(musaStreamSynchronize(two));
	atomic_store(&open, 1);
	OK(musaStreamSynchronize(one));
	OK(musaFreeAsync(second, two));
	OK(musaStreamSynchronize(two));
	first = take(20 * MIB, one);
	OK(musaFreeAsync(first, one));
	OK(musaStreamSynchronize(one));
	EQ(reserved(default_pool()), 32 * MIB);
	second = take(20 * MIB, two);
	EQ(reserved(default_pool()), 32 * MIB);
	OK(musaFreeAsync(second, two));
}

/* With no memory left in the pool a stream may wait for another one's free instead. */
Test(memory_pools, waits_for_another_stream)
{
	musaMemPool_t pool = new_pool(32 * MIB);
	musaStream_t one = new_stream(), two = new_stream();
	void *first, *second;
	_Atomic int open;
	int off = 0;

	hold_stream(one, &open);
	OK(musaMallocFromPoolAsync(&first, 32 * MIB, pool, one));
	OK(musaMemsetAsync(first, 1, MIB, one));
	OK(musaFreeAsync(first, one));
	OK(musaMallocFromPoolAsync(&second, 32 * MIB, pool, two));
	cr_assert_eq(first, second);
	OK(musaMemsetAsync(second, 2, MIB, two));
	EXPECT(musaErrorNotReady, musaStreamQuery(two));
	atomic_store(&open, 1);
	OK(musaStreamSynchronize(two));
	EQ(*read_back(second, 1), 2);
	OK(musaFreeAsync(second, two));
	OK(musaDeviceSynchronize());

	/* Switched off, it waits on the host rather than fail. */
	OK(musaMemPoolSetAttribute(pool, musaMemPoolReuseAllowInternalDependencies, &off));
	OK(musaMallocFromPoolAsync(&first, 32 * MIB, pool, one));
	OK(musaMemsetAsync(first, 1, 32 * MIB, one));
	OK(musaFreeAsync(first, one));
	OK(musaMallocFromPoolAsync(&second, 32 * MIB, pool, two));
	OK(musaFreeAsync(second, two));
	OK(musaMemPoolDestroy(pool));
}

/* Used counts allocations, reserved what the pool holds; high marks stay until they are reset. */
Test(memory_pools, counts)
{
	musaMemPool_t pool = default_pool();
	musaStream_t stream = new_stream();
	uint64_t zero = 0, one = 1;
	void *first, *second;

	EQ(used(pool), 0);
	EQ(reserved(pool), 0);
	first = take(MIB, stream);
	second = take(100, stream);
	EQ(used(pool), MIB + 512);
	EQ(reserved(pool), 32 * MIB);
	OK(musaFreeAsync(first, stream));
	EQ(used(pool), 512);
	OK(musaFreeAsync(second, stream));
	EQ(used(pool), 0);
	EQ(attribute(pool, musaMemPoolAttrUsedMemHigh), MIB + 512);
	/* The threshold is 0: a synchronisation gives everything back. */
	OK(musaStreamSynchronize(stream));
	EQ(reserved(pool), 0);
	EQ(attribute(pool, musaMemPoolAttrReservedMemHigh), 32 * MIB);
	OK(musaMemPoolSetAttribute(pool, musaMemPoolAttrReservedMemHigh, &zero));
	OK(musaMemPoolSetAttribute(pool, musaMemPoolAttrUsedMemHigh, &zero));
	EQ(attribute(pool, musaMemPoolAttrUsedMemHigh), 0);
	EQ(attribute(pool, musaMemPoolAttrReservedMemHigh), 0);
	EXPECT(IV, musaMemPoolSetAttribute(pool, musaMemPoolAttrUsedMemHigh, &one));
	EXPECT(IV, musaMemPoolSetAttribute(pool, musaMemPoolAttrUsedMemCurrent, &zero));
	EXPECT(IV, musaMemPoolSetAttribute(pool, musaMemPoolAttrReservedMemCurrent, &zero));
	EXPECT(IV, musaMemPoolSetAttribute(pool, (enum musaMemPoolAttr)0, &zero));
	EXPECT(IV, musaMemPoolGetAttribute(pool, (enum musaMemPoolAttr)9, &zero));
	EXPECT(IV, musaMemPoolGetAttribute(pool, musaMemPoolAttrUsedMemHigh, NULL));
}

/* The release threshold keeps memory over a synchronisation; TrimTo gives it back. */
Test(memory_pools, threshold_and_trim)
{
	musaMemPool_t pool = default_pool();
	musaStream_t stream = new_stream();
	void *blocks[3];
	size_t before = free_memory();

	keep_memory(pool);
	EQ(attribute(pool, musaMemPoolAttrReleaseThreshold), UINT64_MAX);
	for (int i = 0; i < 3; i++)
		blocks[i] = take(30 * MIB, stream);
	for (int i = 0; i < 3; i++)
		OK(musaFreeAsync(blocks[i], stream));
	OK(musaStreamSynchronize(stream));
	EQ(reserved(pool), 90 * MIB);
	EQ(before - free_memory(), 90 * MIB);
	OK(musaMemPoolTrimTo(pool, 60 * MIB));
	EQ(reserved(pool), 60 * MIB);
	blocks[0] = take(100, stream);
	OK(musaMemPoolTrimTo(pool, 0));
	cr_assert_leq(reserved(pool), 32 * MIB);
	cr_assert_gt(reserved(pool), 0);
	OK(musaFreeAsync(blocks[0], stream));
	OK(musaStreamSynchronize(stream));
	OK(musaMemPoolTrimTo(pool, 0));
	EQ(reserved(pool), 0);
	EQ(free_memory(), before);
}

/* Reuse switches are kept. */
Test(memory_pools, switches)
{
	musaMemPool_t pool = new_pool(0);

	for (int which = 1; which <= 3; which++) {
		int value = 5, off = 0;

		OK(musaMemPoolGetAttribute(pool, (enum musaMemPoolAttr)which, &value));
		EQ(value, 1);
		OK(musaMemPoolSetAttribute(pool, (enum musaMemPoolAttr)which, &off));
		OK(musaMemPoolGetAttribute(pool, (enum musaMemPoolAttr)which, &value));
		EQ(value, 0);
	}
}

/* The program's own pools: limit, current pool, and a life that ends with the last allocation. */
Test(memory_pools, own_pools)
{
	musaMemPool_t pool = new_pool(8 * MIB), current;
	musaStream_t stream = new_stream();
	void *memory, *more;
	size_t before;

	OK(musaDeviceGetMemPool(&current, 0));
	cr_assert_eq(current, default_pool());
	OK(musaDeviceSetMemPool(0, pool));
	OK(musaDeviceGetMemPool(&current, 0));
	cr_assert_eq(current, pool);
	before = free_memory();
	memory = take(8 * MIB, stream);
	EQ(used(pool), 8 * MIB);
	EQ(used(default_pool()), 0);
	EXPECT(musaErrorMemoryAllocation, musaMallocAsync(&more, 1, stream));
	OK(musaMemPoolDestroy(pool));
	OK(musaDeviceGetMemPool(&current, 0));
	cr_assert_eq(current, default_pool());
	EXPECT(IV, musaMemPoolTrimTo(pool, 0));
	EXPECT(IV, musaMemPoolDestroy(pool));
	EXPECT(IV, musaMallocFromPoolAsync(&more, 1, pool, stream));
	OK(musaMemsetAsync(memory, 1, 8 * MIB, stream));
	OK(musaFreeAsync(memory, stream));
	OK(musaStreamSynchronize(stream));
	EQ(free_memory(), before);
	EXPECT(IV, musaMemPoolDestroy(default_pool()));
	EXPECT(IV, musaMemPoolDestroy(NULL));
}

/* Properties that cannot be, or are not there. */
Test(memory_pools, properties)
{
	struct musaMemPoolProps props = {0};
	musaMemPool_t pool;
	int fd;

	EXPECT(IV, musaMemPoolCreate(&pool, &props));
	props.allocType = musaMemAllocationTypePinned;
	EXPECT(IV, musaMemPoolCreate(&pool, &props));
	props.location.type = musaMemLocationTypeDevice;
	props.location.id = 9;
	EXPECT(IV, musaMemPoolCreate(&pool, &props));
	props.location.id = 0;
	EXPECT(IV, musaMemPoolCreate(NULL, &props));
	EXPECT(IV, musaMemPoolCreate(&pool, NULL));
	props.handleTypes = musaMemHandleTypePosixFileDescriptor;
	EXPECT(musaErrorNotSupported, musaMemPoolCreate(&pool, &props));
	EXPECT(musaErrorNotSupported,
	       musaMemPoolExportToShareableHandle(&fd, default_pool(),
						  musaMemHandleTypePosixFileDescriptor, 0));
	EXPECT(musaErrorInvalidDevice, musaDeviceGetDefaultMemPool(&pool, 9));
	EXPECT(musaErrorInvalidDevice, musaDeviceGetMemPool(&pool, -1));
	EXPECT(IV, musaDeviceGetMemPool(NULL, 0));
}

/* A device cannot lose access to its own pool. */
Test(memory_pools, access)
{
	struct musaMemAccessDesc access = {{musaMemLocationTypeDevice, 0},
					   musaMemAccessFlagsProtReadWrite};
	enum musaMemAccessFlags flags;

	OK(musaMemPoolGetAccess(&flags, default_pool(), &access.location));
	EQ(flags, musaMemAccessFlagsProtReadWrite);
	OK(musaMemPoolSetAccess(default_pool(), &access, 1));
	access.flags = musaMemAccessFlagsProtNone;
	EXPECT(IV, musaMemPoolSetAccess(default_pool(), &access, 1));
	access.location.id = 5;
	EXPECT(musaErrorInvalidDevice, musaMemPoolSetAccess(default_pool(), &access, 1));
	access.location.type = musaMemLocationTypeInvalid;
	EXPECT(IV, musaMemPoolGetAccess(&flags, default_pool(), &access.location));
}

/* Frees of the wrong memory, twice, or by the other call. */
Test(memory_pools, frees)
{
	musaStream_t stream = new_stream();
	char *memory = take(1000, stream), *plain = device_memory(100);
	struct musaPointerAttributes attributes;

	OK(musaPointerGetAttributes(&attributes, memory));
	EQ(attributes.type, musaMemoryTypeDevice);
	EXPECT(IV, musaMemset(memory, 0, 1001));
	EXPECT(IV, musaFreeAsync(NULL, stream));
	EXPECT(IV, musaFreeAsync(memory + 512, stream));
	EXPECT(IV, musaFreeAsync(plain, stream));
	EXPECT(IV, musaFreeAsync(&attributes, stream));
	OK(musaFreeAsync(memory, stream));
	EXPECT(IV, musaFreeAsync(memory, stream));
	EXPECT(IV, musaFree(memory));
	memory = take(1000, stream);
	OK(musaMemsetAsync(memory, 1, 1000, stream));
	OK(musaFree(memory));
	EXPECT(IV, musaFreeAsync(memory, stream));
	EQ(used(default_pool()), 0);
	memory = take(0, stream);
	cr_assert_null(memory);
	EXPECT(IV, musaMallocAsync(NULL, 1, stream));
	EXPECT(musaErrorMemoryAllocation, musaMallocAsync((void **)&memory, SIZE_MAX, stream));
}

/* Memory that a legacy kernel still uses is not handed out because a blocking stream frees it. */
Test(memory_pools, implicit_order_counts)
{
	musaStream_t blocking, other = new_stream();
	_Atomic int open;
	void *memory, *next;

	keep_memory(default_pool());
	OK(musaStreamCreate(&blocking));
	memory = take(32 * MIB, blocking);
	hold_stream(NULL, &open);
	OK(musaFreeAsync(memory, blocking));
	/* The pool's only slab: opportunistic reuse would give the same address without a wait. */
	next = take(32 * MIB, other);
	if (next == memory) {
		OK(musaMemsetAsync(next, 0, 1, other));
		EXPECT(musaErrorNotReady, musaStreamQuery(other));
	}
	atomic_store(&open, 1);
	OK(musaDeviceSynchronize());
	OK(musaFreeAsync(next, other));
}

static void *churn(void *arg)
{
	unsigned int seed = (unsigned int)(uintptr_t)arg;
	musaStream_t stream = new_stream();

	for (int round = 0; round < 500; round++) {
		size_t size_b = 1 + rand_r(&seed) % 100000;
		unsigned char *memory = take(size_b, stream), mark = (unsigned char)rand_r(&seed);
		unsigned char got[2];

		OK(musaMemsetAsync(memory, mark, size_b, stream));
		OK(musaMemcpyAsync(&got[0], memory, 1, musaMemcpyDeviceToHost, stream));
		OK(musaMemcpyAsync(&got[1], memory + size_b - 1, 1, musaMemcpyDeviceToHost,
				   stream));
		EQ(got[0], mark);
		EQ(got[1], mark);
		OK(musaFreeAsync(memory, stream));
	}
	OK(musaStreamSynchronize(stream));
	OK(musaStreamDestroy(stream));
	return NULL;
}

/* Threads with streams of their own share the pool without touching each other's memory. */
Test(memory_pools, threads)
{
	pthread_t threads[4];

	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	OK(musaDeviceSynchronize());
	EQ(used(default_pool()), 0);
	EQ(reserved(default_pool()), 0);
}

/* SPDX-License-Identifier: MIT */
/* Refused memory: wherever device or host memory runs out in a call, the call says so and nothing
 * is lost. */
#include "memory_test.h"

#include "drv/table.h"

#define core (&mt_drv_table_v1)
#define OOM  ((musaError_t)musaErrorMemoryAllocation)

/* The chosen allocation fails, others do not. */
Test(memory_refused, nth_allocation)
{
	struct musaChannelFormatDesc format =
		musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindUnsigned);
	musaArray_t array;
	void *memory;

	setenv("MUSA_MOCK_FAIL_ALLOC", "3+", 1);
	OK(musaMalloc(&memory, 100));
	OK(musaMallocAsync(&memory, 100, NULL));
	EXPECT(OOM, musaMalloc(&memory, 100));
	EXPECT(OOM, musaMallocAsync(&memory, 100, NULL));
	EXPECT(OOM, musaMallocArray(&array, &format, 16, 16, 0));
	/* Host memory is not the device's. */
	OK(musaMallocHost(&memory, 100));
}

Test(memory_refused, one_allocation)
{
	void *memory;

	setenv("MUSA_MOCK_FAIL_ALLOC", "2", 1);
	OK(musaMalloc(&memory, 100));
	EXPECT(OOM, musaMalloc(&memory, 100));
	OK(musaMalloc(&memory, 100));
}

typedef musaError_t (*step)(void);

static musaError_t malloc_and_free(void)
{
	void *memory;
	musaError_t ret = musaMalloc(&memory, 40 * MIB);

	return ret ? ret : musaFree(memory);
}

static musaError_t host_and_free(void)
{
	void *memory;
	musaError_t ret = musaMallocHost(&memory, 8 * MIB);

	return ret ? ret : musaFreeHost(memory);
}

static musaError_t managed_and_free(void)
{
	void *memory;
	musaError_t ret = musaMallocManaged(&memory, 8 * MIB, musaMemAttachGlobal);

	return ret ? ret : musaFree(memory);
}

static musaError_t register_and_unregister(void)
{
	static char memory[5000];
	musaError_t ret = musaHostRegister(memory, sizeof(memory), 0);

	return ret ? ret : musaHostUnregister(memory);
}

static musaError_t pool_and_free(void)
{
	void *memory;
	musaError_t ret = musaMallocAsync(&memory, 8 * MIB, NULL), freed;

	if (ret)
		return ret;
	ret = musaFreeAsync(memory, NULL);
	freed = ret ? musaFree(memory) : musaStreamSynchronize(NULL);
	return ret ? ret : freed;
}

static musaError_t make_pool(void)
{
	struct musaMemPoolProps props = {0};
	musaMemPool_t pool;
	musaError_t ret;

	props.allocType = musaMemAllocationTypePinned;
	props.location.type = musaMemLocationTypeDevice;
	ret = musaMemPoolCreate(&pool, &props);
	return ret ? ret : musaMemPoolDestroy(pool);
}

static musaError_t make_array(void)
{
	struct musaChannelFormatDesc format =
		musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindUnsigned);
	musaArray_t array;
	musaError_t ret = musaMallocArray(&array, &format, 4096, 8192, 0);

	return ret ? ret : musaFreeArray(array);
}

static musaError_t copy_staged(void)
{
	static char host[1000];
	static void *device;
	musaError_t ret = device ? musaSuccess : musaMalloc(&device, 1000);

	if (!ret)
		ret = musaMemcpyAsync(device, host, 1000, musaMemcpyHostToDevice, NULL);
	return ret ? ret : musaStreamSynchronize(NULL);
}

static musaError_t make_semaphore(void)
{
	struct mt_ext_semaphore *semaphore;
	struct mt_ctx *ctx;
	uint64_t handle;
	MUresult ret = core->mt_ctx_primary(0, &ctx);

	if (!ret)
		ret = core->mt_ext_semaphore_create(ctx, &handle);
	if (!ret)
		ret = core->mt_ext_semaphore_get(handle, &semaphore);
	if (!ret)
		core->mt_ext_semaphore_destroy(semaphore);
	if (!ret)
		ret = core->mt_ctx_synchronize(ctx);
	return (musaError_t)ret;
}

/* Lets the n-th allocation of the call fail for every n until the call has none left to fail. */
static void walk(step call, const char *name)
{
	struct mt_alloc_stats before, after;
	size_t free_b;
	uint64_t n;

	/* Twice, so that everything that is made once is there. */
	OK(call());
	OK(call());
	OK(musaDeviceSynchronize());
	core->mt_alloc_stats_get(&before);
	free_b = free_memory();
	for (n = 1; n < 100; n++) {
		musaError_t ret;

		core->mt_alloc_fail_at(n);
		ret = call();
		core->mt_alloc_fail_at(0);
		cr_assert(ret == musaSuccess || ret == OOM, "%s: %s", name, musaGetErrorName(ret));
		OK(musaDeviceSynchronize());
		core->mt_alloc_stats_get(&after);
		cr_assert_leq(after.live_count, before.live_count,
			      "%s, allocation %d: %d blocks left", name, (int)n,
			      (int)(after.live_count - before.live_count));
		EQ(free_memory(), free_b);
		if (after.calls == before.calls && ret == musaSuccess)
			break;
		core->mt_alloc_stats_get(&before);
		if (ret == musaSuccess && n > 20)
			break;
	}
	cr_assert_lt(n, 100);
}

Test(memory_refused, host_memory)
{
	static const struct {
		const char *name;
		step call;
	} calls[] = {
		{"musaMalloc", malloc_and_free},
		{"musaMallocHost", host_and_free},
		{"musaMallocManaged", managed_and_free},
		{"musaHostRegister", register_and_unregister},
		{"musaMallocAsync", pool_and_free},
		{"musaMemPoolCreate", make_pool},
		{"musaMallocArray", make_array},
		{"musaMemcpyAsync", copy_staged},
		{"external semaphore", make_semaphore},
	};

	/* A second worker would come into being whenever the first is late once. */
	setenv("MUSA_MOCK_THREADS", "1", 1);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		walk(calls[i].call, calls[i].name);
}

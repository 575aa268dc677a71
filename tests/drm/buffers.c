/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects and semaphores: addresses, CPU mappings, parts, sharing, peers, limits, fork.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drm_test.h"

#define GRANULE 65536u

static struct rig rig;

static void open_rig(void)
{
	rig_open(&rig, FAKE_GEN_MP22);
}

static void close_rig(void)
{
	rig_close(&rig);
}

TestSuite(buffers, .init = open_rig, .fini = close_rig);

/* Whether the CPU may read there. */
static bool is_readable(uint64_t va)
{
	char byte;
	struct iovec local = {&byte, 1}, remote = {(void *)(uintptr_t)va, 1};

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

static void set_word(uint64_t va, uint32_t value)
{
	rig_begin(&rig);
	rig_fill(&rig, va, 4, value, 4);
	rig_run(&rig);
}

static uint32_t get_word(uint64_t va)
{
	uint32_t word = 0;

	rig_begin(&rig);
	rig_copy(&rig, (uint64_t)(uintptr_t)&word, va, 4);
	rig_run(&rig);
	return word;
}

/* Host memory has one address, device memory none for the CPU, and freed addresses are closed. */
Test(buffers, addresses)
{
	struct mt_hw_bo *host = rig_bo(&rig, 100, MT_HW_HOST);
	struct mt_hw_bo *card = rig_bo(&rig, 100, MT_HW_DEVICE);
	uint64_t host_va = host->va;

	cr_expect_eq(host->size_b, GRANULE);
	cr_expect_eq(host->va, (uint64_t)(uintptr_t)host->cpu);
	cr_expect(is_readable(host->va));
	cr_expect_not(is_readable(card->va));
	cr_expect_eq(card->cpu, NULL);
	rig.ops->bo_destroy(host);
	cr_expect_not(is_readable(host_va));
	rig.ops->bo_destroy(card);
	rig.ops->bo_destroy(NULL);
}

static void expect_kind(enum mt_hw_domain domain, uint32_t where, uint64_t cache)
{
	const uint64_t cpu_cache = MTGPU_BO_FLAGS_CPU_CACHE_COHERENT |
				   MTGPU_BO_FLAGS_CPU_UNCACHED_WC | MTGPU_BO_FLAGS_CPU_CACHED |
				   MTGPU_BO_FLAGS_CPU_UNCACHED;
	const uint64_t always = MTGPU_BO_FLAGS_GPU_READABLE | MTGPU_BO_FLAGS_CPU_WRITEABLE |
				MTGPU_BO_FLAGS_ZERO_ON_ALLOC;
	struct mt_hw_bo *bo = rig_bo(&rig, GRANULE, domain);
	uint32_t got_domain;
	uint64_t flags;

	fake_newest_object(&flags, &got_domain);
	cr_expect_eq(got_domain, where, "kind %d", domain);
	cr_expect_eq(flags & cpu_cache, cache, "kind %d: 0x%lx", domain, flags);
	cr_expect_eq(flags & always, always, "kind %d: 0x%lx", domain, flags);
	rig.ops->bo_destroy(bo);
}

/* Where memory lies and how the CPU caches it follows its use: a card that reads packets gets them
 * through write-combining. */
Test(buffers, kinds_of_memory)
{
	expect_kind(MT_HW_DEVICE, MTGPU_BO_DOMAIN_VRAM, MTGPU_BO_FLAGS_CPU_UNCACHED_WC);
	expect_kind(MT_HW_CODE, MTGPU_BO_DOMAIN_VRAM, MTGPU_BO_FLAGS_CPU_UNCACHED_WC);
	expect_kind(MT_HW_HOST, MTGPU_BO_DOMAIN_GTT, MTGPU_BO_FLAGS_CPU_CACHE_COHERENT);
	expect_kind(MT_HW_COMMAND, MTGPU_BO_DOMAIN_GTT, MTGPU_BO_FLAGS_CPU_CACHE_COHERENT);
	rig_close(&rig);
	rig_open(&rig, FAKE_GEN_SIM);
	expect_kind(MT_HW_DEVICE, MTGPU_BO_DOMAIN_VRAM, MTGPU_BO_FLAGS_CPU_UNCACHED_WC);
	expect_kind(MT_HW_HOST, MTGPU_BO_DOMAIN_GTT, MTGPU_BO_FLAGS_CPU_CACHE_COHERENT);
	expect_kind(MT_HW_COMMAND, MTGPU_BO_DOMAIN_GTT, MTGPU_BO_FLAGS_CPU_UNCACHED_WC);
}

/* A CPU mapping of device memory lies elsewhere and shows the same bytes. */
Test(buffers, cpu_mapping_of_device_memory)
{
	struct mt_hw_bo *card = rig_bo(&rig, GRANULE, MT_HW_DEVICE);

	set_word(card->va + 8, 0x1234);
	cr_assert_eq(rig.ops->bo_map_cpu(card), 0);
	cr_expect_eq(rig.ops->bo_map_cpu(card), 0);
	cr_expect_neq((uint64_t)(uintptr_t)card->cpu, card->va);
	cr_expect_eq(((uint32_t *)card->cpu)[2], 0x1234);
	((uint32_t *)card->cpu)[3] = 0x5678;
	cr_expect_eq(get_word(card->va + 12), 0x5678);
	rig.ops->bo_destroy(card);
}

/* New memory is zero although old memory was not. */
Test(buffers, memory_starts_as_zero)
{
	struct mt_hw_bo *card = rig_bo(&rig, GRANULE, MT_HW_DEVICE);

	set_word(card->va, 0xffffffff);
	rig.ops->bo_destroy(card);
	card = rig_bo(&rig, GRANULE, MT_HW_DEVICE);
	cr_expect_eq(get_word(card->va), 0);
	rig.ops->bo_destroy(card);
}

/* Parts of a backing appear at reserved addresses, also twice; wrong ones are refused. */
Test(buffers, parts)
{
	struct mt_hw_bo *backing = NULL;
	uint64_t va;

	cr_assert_eq(
		rig.ops->bo_create(rig.dev, 8 * GRANULE, MT_HW_DEVICE, MT_HW_BO_NO_MAP, &backing),
		0);
	cr_expect_eq(backing->va, 0);
	cr_assert_eq(rig.ops->va_reserve(rig.dev, 16 * GRANULE, 2 << 20, &va), 0);
	cr_expect_eq(va % (2 << 20), 0);
	cr_assert_eq(rig.ops->bo_map(backing, 0, 4 * GRANULE, va), 0);
	cr_assert_eq(rig.ops->bo_map(backing, 2 * GRANULE, 2 * GRANULE, va + 8 * GRANULE), 0);
	/* Across the border of two pieces. */
	rig_begin(&rig);
	rig_fill(&rig, va + 3 * GRANULE - 4, 8, 0x77777777, 4);
	rig_run(&rig);
	cr_expect_eq(get_word(va + 9 * GRANULE), 0x77777777);
	cr_expect_eq(get_word(va + 9 * GRANULE - 4), 0x77777777);
	cr_expect_eq(rig.ops->bo_map(backing, GRANULE, GRANULE, va), -EEXIST);
	cr_expect_eq(rig.ops->bo_map(backing, 1, GRANULE, va + 12 * GRANULE), -EINVAL);
	cr_expect_eq(rig.ops->bo_map(backing, 7 * GRANULE, 2 * GRANULE, va + 12 * GRANULE),
		     -EINVAL);
	cr_expect_eq(rig.ops->bo_map(backing, 0, GRANULE, 4096), -EINVAL);
	cr_expect_eq(rig.ops->bo_unmap(rig.dev, va, 4 * GRANULE), 0);
	cr_expect_eq(get_word(va + 9 * GRANULE), 0x77777777);
	cr_expect_eq(rig.ops->bo_unmap(rig.dev, va + 8 * GRANULE, 2 * GRANULE), 0);
	rig.ops->va_release(rig.dev, va, 16 * GRANULE);
	rig.ops->bo_destroy(backing);
}

/* What is discarded reads as zero, mapped or not; unmapped pages go back to the card. */
Test(buffers, discard)
{
	struct mt_hw_bo *backing = NULL;
	uint64_t va, free_before, free_after, total;

	cr_assert_eq(
		rig.ops->bo_create(rig.dev, 4 * GRANULE, MT_HW_DEVICE, MT_HW_BO_NO_MAP, &backing),
		0);
	cr_assert_eq(rig.ops->va_reserve(rig.dev, 4 * GRANULE, GRANULE, &va), 0);
	cr_assert_eq(rig.ops->bo_map(backing, 0, 4 * GRANULE, va), 0);
	set_word(va, 5);
	set_word(va + GRANULE, 6);
	cr_assert_eq(rig.ops->bo_discard(backing, 0, GRANULE), 0);
	cr_expect_eq(get_word(va), 0);
	cr_expect_eq(get_word(va + GRANULE), 6);
	cr_assert_eq(rig.ops->bo_unmap(rig.dev, va, 4 * GRANULE), 0);
	rig.ops->device_memory(rig.dev, &free_before, &total);
	cr_assert_eq(rig.ops->bo_discard(backing, 0, 4 * GRANULE), 0);
	rig.ops->device_memory(rig.dev, &free_after, &total);
	cr_expect_eq(free_after - free_before, 4 * GRANULE);
	cr_assert_eq(rig.ops->bo_map(backing, 0, 2 * GRANULE, va), 0);
	cr_expect_eq(get_word(va + GRANULE), 0);
	cr_expect_eq(rig.ops->bo_discard(backing, 3 * GRANULE, 2 * GRANULE), -EINVAL);
	rig.ops->bo_destroy(backing);
	rig.ops->va_release(rig.dev, va, 4 * GRANULE);
}

/* An exported object can be opened again through /proc and imported; both see the same bytes. */
Test(buffers, export_and_import)
{
	struct mt_hw_bo *card = NULL, *twin = NULL, *none = NULL;
	int fd, again, pipes[2];
	char path[64];

	cr_assert_eq(
		rig.ops->bo_create(rig.dev, 2 * GRANULE, MT_HW_DEVICE, MT_HW_BO_EXPORTABLE, &card),
		0);
	cr_assert_eq(rig.ops->bo_export_fd(card, &fd), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, O_RDWR | O_CLOEXEC);
	cr_assert_geq(again, 0);
	cr_assert_eq(rig.ops->bo_import_fd(rig.dev, again, 2 * GRANULE, &twin), 0);
	cr_expect_neq(twin->va, card->va);
	set_word(card->va + GRANULE, 0xfeed);
	cr_expect_eq(get_word(twin->va + GRANULE), 0xfeed);
	cr_expect_eq(rig.ops->bo_import_fd(rig.dev, again, 3 * GRANULE, &none), -EINVAL);
	rig.ops->bo_destroy(card);
	cr_expect_eq(get_word(twin->va + GRANULE), 0xfeed);
	rig.ops->bo_destroy(twin);
	/* The object has gone with its last user. */
	cr_expect_eq(rig.ops->bo_import_fd(rig.dev, again, GRANULE, &none), -EINVAL);
	cr_assert_eq(pipe(pipes), 0);
	cr_expect_eq(rig.ops->bo_import_fd(rig.dev, pipes[0], GRANULE, &none), -EINVAL);
	cr_expect_eq(none, NULL);
	card = rig_bo(&rig, GRANULE, MT_HW_DEVICE);
	cr_expect_eq(rig.ops->bo_export_fd(card, &fd), -EINVAL);
	rig.ops->bo_destroy(card);
	close(pipes[0]);
	close(pipes[1]);
	close(again);
	close(fd);
}

/* A dma-buf comes in; importing what the process has already does not end its life twice. */
Test(buffers, import_of_a_dma_buf)
{
	struct mt_hw_bo *card = rig_bo(&rig, GRANULE, MT_HW_DEVICE), *first = NULL, *second = NULL;
	struct drm_prime_handle prime = {.flags = O_CLOEXEC};
	struct holdings before;
	int device_fd = -1;

	set_word(card->va, 0xabc);
	/* The only open file of the card, and the object's handle in it: the newest. */
	for (int fd = 0; fd < 64 && device_fd < 0; fd++)
		for (prime.handle = 64; prime.handle > 0 && device_fd < 0; prime.handle--)
			if (!mt_drm_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime))
				device_fd = fd;
	cr_assert_geq(device_fd, 0);
	holdings_get(&before);
	cr_assert_eq(rig.ops->bo_import_fd(rig.dev, prime.fd, GRANULE, &first), 0);
	cr_assert_eq(rig.ops->bo_import_fd(rig.dev, prime.fd, GRANULE, &second), 0);
	cr_expect_eq(get_word(first->va), 0xabc);
	cr_expect_eq(get_word(second->va), 0xabc);
	rig.ops->bo_destroy(first);
	cr_expect_eq(get_word(second->va), 0xabc);
	rig.ops->bo_destroy(second);
	cr_expect_eq(get_word(card->va), 0xabc);
	holdings_same(&before, "imports");
	mt_drm_os->close(prime.fd);
	rig.ops->bo_destroy(card);
}

/* The caller's memory keeps its address; what is not there is refused. */
Test(buffers, user_memory)
{
	char *memory =
		mmap(NULL, 5 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct mt_hw_bo *pinned = NULL, *none = NULL;
	struct holdings before;

	cr_assert_eq(rig.ops->bo_from_user(rig.dev, memory + 100, 8192, false, &pinned), 0);
	cr_expect_eq(pinned->va, (uint64_t)(uintptr_t)memory);
	cr_expect_eq(pinned->size_b, 3 * 4096);
	set_word(pinned->va + 200, 42);
	cr_expect_eq(*(uint32_t *)(void *)(memory + 200), 42);
	/* Runs from pinned into pageable memory. */
	rig_begin(&rig);
	rig_fill(&rig, pinned->va + 2 * 4096, 2 * 4096, 9, 1);
	rig_run(&rig);
	cr_expect_eq((uint8_t)memory[4 * 4096 - 1], 9);
	holdings_get(&before);
	munmap(memory + 4 * 4096, 4096);
	cr_expect_eq(rig.ops->bo_from_user(rig.dev, memory + 4 * 4096, 10, true, &none), -EFAULT);
	cr_expect_eq(rig.ops->bo_from_user(rig.dev, memory, 0, true, &none), -EINVAL);
	holdings_same(&before, "refused registrations");
	rig.ops->bo_destroy(pinned);
	munmap(memory, 4 * 4096);
}

static struct mt_hw_bo *pin_user(char *start, uint64_t size_b, bool read_only)
{
	struct mt_hw_bo *bo = NULL;

	cr_assert_eq(rig.ops->bo_from_user(rig.dev, start, size_b, read_only, &bo), 0);
	cr_expect_eq(bo->va, (uint64_t)(uintptr_t)start & ~UINT64_C(4095));
	return bo;
}

/* Registrations may meet in a page: it stays pinned until the last of them has gone. */
Test(buffers, user_memory_with_common_pages)
{
	char *memory =
		mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t va = (uint64_t)(uintptr_t)memory;
	struct mt_hw_bo *left, *right, *around, *none = NULL;
	struct holdings before, pinned;

	set_word(va, 0); /* the queue keeps room that it has needed */
	holdings_get(&before);
	left = pin_user(memory + 4096, 4096 + 100, false);
	right = pin_user(memory + 2 * 4096 + 100, 3 * 4096, false);
	around = pin_user(memory, 8 * 4096, true);
	/* 1-2, 3-5, 0, 6-7: each page once. */
	fake_counts_get(&pinned.kernel);
	cr_expect_eq(pinned.kernel.handles, before.kernel.handles + 4);
	set_word(va + 2 * 4096 + 96, 17);
	set_word(va + 2 * 4096 + 100, 18);
	rig.ops->bo_destroy(left);
	set_word(va + 2 * 4096 + 104, 19);
	cr_expect_eq(*(uint32_t *)(void *)(memory + 2 * 4096 + 96), 17);
	cr_expect_eq(*(uint32_t *)(void *)(memory + 2 * 4096 + 100), 18);
	cr_expect_eq(*(uint32_t *)(void *)(memory + 2 * 4096 + 104), 19);
	/* What is pinned for reading only is not shared with who wants to write. */
	cr_expect_eq(rig.ops->bo_from_user(rig.dev, memory + 4096, 8 * 4096 - 4096, false, &none),
		     -EEXIST);
	cr_expect_eq(none, NULL);
	rig.ops->bo_destroy(right);
	rig.ops->bo_destroy(around);
	holdings_same(&before, "common pages");
	left = pin_user(memory, 8 * 4096, false);
	fake_counts_get(&pinned.kernel);
	cr_expect_eq(pinned.kernel.handles, before.kernel.handles + 1);
	rig.ops->bo_destroy(left);
	munmap(memory, 8 * 4096);
}

/* What does not fit is refused, and the rest still works. */
Test(buffers, limits)
{
	struct mt_hw_bo *big = NULL, *card;
	struct holdings before;
	uint64_t va;

	holdings_get(&before);
	cr_expect_eq(rig.ops->bo_create(rig.dev, UINT64_C(5) << 30, MT_HW_DEVICE, 0, &big),
		     -ENOMEM);
	cr_expect_eq(rig.ops->bo_create(rig.dev, UINT64_MAX - 5, MT_HW_HOST, 0, &big), -ENOMEM);
	cr_expect_eq(rig.ops->bo_create(rig.dev, 0, MT_HW_HOST, 0, &big), -EINVAL);
	cr_expect_eq(rig.ops->bo_create(rig.dev, 1, MT_HW_HOST, 1u << 9, &big), -EINVAL);
	cr_expect_eq(rig.ops->va_reserve(rig.dev, UINT64_C(1) << 46, 1, &va), -EINVAL);
	cr_expect_eq(rig.ops->va_reserve(rig.dev, 4096, 3, &va), -EINVAL);
	holdings_same(&before, "refusals");
	card = rig_bo(&rig, UINT64_C(3) << 30, MT_HW_DEVICE);
	rig.ops->bo_destroy(card);
}

/* Thousands of objects come and go; their addresses are used again. */
Test(buffers, addresses_are_used_again)
{
	struct mt_hw_bo *bos[64];
	uint64_t lowest = UINT64_MAX, highest = 0;
	struct holdings before;

	holdings_get(&before);
	for (int round = 0; round < 50; round++) {
		for (int i = 0; i < 64; i++) {
			bos[i] = rig_bo(&rig, (uint64_t)(i % 5 + 1) * GRANULE, MT_HW_HOST);
			if (bos[i]->va < lowest)
				lowest = bos[i]->va;
			if (bos[i]->va > highest)
				highest = bos[i]->va;
		}
		for (int i = 0; i < 64; i++)
			rig.ops->bo_destroy(bos[(i * 37) % 64]);
	}
	cr_expect_lt(highest - lowest, UINT64_C(64) * 6 * GRANULE);
	holdings_same(&before, "rounds");
}

/* --- semaphores --- */

/* A word of time lies behind each value, also where the kernel packs values closely. */
Test(buffers, semaphores_keep_their_slots)
{
	enum { COUNT = 600 };
	static struct mt_hw_semaphore semaphores[COUNT];
	struct holdings before;

	holdings_get(&before);
	for (uint32_t i = 0; i < COUNT; i++) {
		cr_assert_eq(rig.ops->semaphore_create(rig.dev, &semaphores[i]), 0);
		cr_expect_eq(semaphores[i].va % 16, 0);
		cr_expect_eq(atomic_load(semaphores[i].value), 0);
		atomic_store(semaphores[i].value + 1, i + 1);
		cr_assert_eq(rig.ops->semaphore_signal(&semaphores[i], 1000 + i), 0);
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		cr_expect_eq(atomic_load(semaphores[i].value), 1000 + i);
		cr_expect_eq(atomic_load(semaphores[i].value + 1), i + 1);
	}
	/* Never lower. */
	cr_expect_eq(rig.ops->semaphore_signal(&semaphores[0], 3), 0);
	cr_expect_eq(atomic_load(semaphores[0].value), 1000);
	for (uint32_t i = 0; i < COUNT; i++)
		rig.ops->semaphore_destroy(&semaphores[i]);
	/* Its chunks are the kernel's. */
	fake_counts_get(&before.kernel);
	holdings_same(&before, "semaphores");
}

Test(packing, closely_packed_values)
{
	struct mt_hw_device **devices;
	struct mt_hw_semaphore a, b;
	uint32_t count;

	fake_install(FAKE_GEN_MP22);
	fake_cards[0].semaphore_stride = 8;
	cr_assert_eq(fake_open(&devices, &count), 0);
	cr_assert_eq(devices[0]->ops->semaphore_create(devices[0], &a), 0);
	cr_assert_eq(devices[0]->ops->semaphore_create(devices[0], &b), 0);
	cr_expect_geq(b.va - a.va, 16);
	cr_assert_eq(devices[0]->ops->semaphore_signal(&b, 7), 0);
	cr_expect_eq(atomic_load(a.value + 1), 0);
	devices[0]->ops->semaphore_destroy(&a);
	devices[0]->ops->semaphore_destroy(&b);
	fake_close(devices, count);
	fake_remove();
}

/* Export and import give one value, also twice; strangers are refused. */
Test(buffers, shared_semaphores)
{
	struct mt_hw_semaphore own, twin, third, none;
	struct mt_hw_bo *card = rig_bo(&rig, GRANULE, MT_HW_DEVICE);
	int fd;

	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &own), 0);
	cr_assert_eq(rig.ops->semaphore_export_fd(&own, &fd), 0);
	cr_assert_eq(rig.ops->semaphore_import_fd(rig.dev, fd, &twin), 0);
	cr_assert_eq(rig.ops->semaphore_import_fd(rig.dev, fd, &third), 0);
	rig_begin(&rig);
	rig.at = mt_pkt_put_signal(rig.at, 0, MT_PKT_NODE_NONE, twin.va, 12);
	rig_run(&rig);
	cr_expect_eq(rig.ops->semaphore_wait(&own, 12, LIMIT_NS), 0);
	rig.ops->semaphore_destroy(&own);
	cr_expect_eq(rig.ops->semaphore_signal(&third, 13), 0);
	cr_expect_eq(atomic_load(twin.value), 13);
	rig.ops->semaphore_destroy(&twin);
	cr_expect_eq(rig.ops->semaphore_wait(&third, 13, 0), 0);
	rig.ops->semaphore_destroy(&third);
	cr_expect_eq(rig.ops->semaphore_import_fd(rig.dev, 0, &none), -EINVAL);
	mt_drm_os->close(fd);
	rig.ops->bo_destroy(card);
}

/* A time-out ends a wait, and a poll does not wait at all. */
Test(buffers, timeouts)
{
	struct mt_hw_semaphore semaphore;

	cr_assert_eq(rig.ops->semaphore_create(rig.dev, &semaphore), 0);
	cr_expect_eq(rig.ops->semaphore_wait(&semaphore, 1, 0), -ETIME);
	cr_expect_eq(rig.ops->semaphore_wait(&semaphore, 1, 1), -ETIME);
	cr_expect_eq(rig.ops->semaphore_wait(&semaphore, 1, 30000000), -ETIME);
	cr_expect_eq(rig.ops->semaphore_wait(&semaphore, 0, -1), 0);
	rig.ops->semaphore_destroy(&semaphore);
}

/* After fork() the child gets errors, and its end takes nothing from the parent. */
Test(buffers, fork)
{
	struct mt_hw_bo *card = rig_bo(&rig, GRANULE, MT_HW_DEVICE);
	struct mt_hw_semaphore semaphore;
	int status;
	pid_t child;

	set_word(card->va, 0x99);
	child = fork();
	cr_assert_geq(child, 0);
	if (!child) {
		struct mt_hw_bo *none;
		bool good;

		mt_hw_drm_backend.fork_child(rig.dev);
		good = rig.ops->bo_create(rig.dev, 1, MT_HW_HOST, 0, &none) == -EIO &&
		       rig.ops->semaphore_create(rig.dev, &semaphore) == -EIO &&
		       rig_submit(&rig) == -EIO;
		rig.ops->bo_destroy(card);
		rig.ops->device_close(rig.dev);
		_exit(good ? 0 : 1);
	}
	cr_assert_eq((int)waitpid(child, &status, 0), (int)child);
	cr_expect_eq(status, 0);
	cr_expect_eq(get_word(card->va), 0x99);
	rig.ops->bo_destroy(card);
}

/* SPDX-License-Identifier: MIT */
/*
 * Call k of the kernel fails, for every k and every plausible reason, and so does every allocation:
 * the error is the right one, nothing is left behind, the device works on, and the same call
 * succeeds afterwards. A reason that means the loss of the card makes it a sticky fault instead.
 */
#include <errno.h>
#include <string.h>

#include "drm_test.h"

#define CALLS_MAX 200

/* A sanitizer that is slow about address space gets one of each sort. */
static const int reasons[] = {
	ENOMEM, EIO,    EINTR,
#ifndef __SANITIZE_THREAD__
	EINVAL, EFAULT, ENOSPC, EBUSY, EPERM, ENODEV, EAGAIN,
#endif
};

#define REASON_COUNT (sizeof(reasons) / sizeof(reasons[0]))

/* Something that a program does, and how it takes it back. */
struct scenario {
	const char *name;
	uint16_t generation;
	int (*act)(struct rig *rig);
	void (*undo)(struct rig *rig);
};

static struct mt_hw_bo *made;
static struct mt_hw_semaphore made_semaphore;
static struct mt_hw_queue *made_queue;
static uint64_t made_va;
static uint64_t user_words[4096] __attribute__((aligned(4096)));

static int create_host(struct rig *rig)
{
	return rig->ops->bo_create(rig->dev, 70000, MT_HW_HOST, 0, &made);
}

static int create_device(struct rig *rig)
{
	return rig->ops->bo_create(rig->dev, 70000, MT_HW_DEVICE, 0, &made);
}

static int pin_user(struct rig *rig)
{
	return rig->ops->bo_from_user(rig->dev, user_words, sizeof(user_words), false, &made);
}

/* Pages between two runs that are pinned already, and those runs. */
static int pin_common_pages(struct rig *rig)
{
	struct mt_hw_bo *first, *second = NULL;
	int ret = rig->ops->bo_from_user(rig->dev, user_words + 512, 4096, false, &first);

	if (ret)
		return ret;
	ret = rig->ops->bo_from_user(rig->dev, user_words + 2048, 8, false, &second);
	if (!ret)
		ret = rig->ops->bo_from_user(rig->dev, user_words, sizeof(user_words), false,
					     &made);
	rig->ops->bo_destroy(first);
	rig->ops->bo_destroy(second);
	return ret;
}

static void destroy_bo(struct rig *rig)
{
	rig->ops->bo_destroy(made);
}

static int map_parts(struct rig *rig)
{
	int ret = rig->ops->bo_create(rig->dev, 4 << 16, MT_HW_HOST, MT_HW_BO_NO_MAP, &made);

	if (ret)
		return ret;
	ret = rig->ops->va_reserve(rig->dev, 4 << 16, 1 << 16, &made_va);
	if (ret)
		goto destroy;
	ret = rig->ops->bo_map(made, 1 << 16, 3 << 16, made_va);
	if (ret)
		goto release;
	return 0;

release:
	rig->ops->va_release(rig->dev, made_va, 4 << 16);
destroy:
	rig->ops->bo_destroy(made);
	return ret;
}

static void unmap_parts(struct rig *rig)
{
	rig->ops->bo_unmap(rig->dev, made_va, 3 << 16);
	rig->ops->va_release(rig->dev, made_va, 4 << 16);
	rig->ops->bo_destroy(made);
}

static int map_cpu(struct rig *rig)
{
	int ret = create_device(rig);

	if (ret)
		return ret;
	ret = rig->ops->bo_map_cpu(made);
	if (ret)
		rig->ops->bo_destroy(made);
	return ret;
}

static int export_import(struct rig *rig)
{
	struct mt_hw_bo *own;
	int fd, ret;

	ret = rig->ops->bo_create(rig->dev, 1 << 16, MT_HW_DEVICE, MT_HW_BO_EXPORTABLE, &own);
	if (ret)
		return ret;
	ret = rig->ops->bo_export_fd(own, &fd);
	if (!ret) {
		ret = rig->ops->bo_import_fd(rig->dev, fd, 1 << 16, &made);
		mt_drm_os->close(fd);
	}
	rig->ops->bo_destroy(own);
	return ret;
}

static int create_semaphore(struct rig *rig)
{
	return rig->ops->semaphore_create(rig->dev, &made_semaphore);
}

static void destroy_semaphore(struct rig *rig)
{
	rig->ops->semaphore_destroy(&made_semaphore);
}

static int import_semaphore(struct rig *rig)
{
	struct mt_hw_semaphore own;
	int fd, ret = rig->ops->semaphore_create(rig->dev, &own);

	if (ret)
		return ret;
	ret = rig->ops->semaphore_export_fd(&own, &fd);
	if (!ret) {
		ret = rig->ops->semaphore_import_fd(rig->dev, fd, &made_semaphore);
		mt_drm_os->close(fd);
	}
	rig->ops->semaphore_destroy(&own);
	return ret;
}

static int create_queue(struct rig *rig)
{
	return rig->ops->queue_create(rig->dev, 0, &made_queue);
}

static void destroy_queue(struct rig *rig)
{
	rig->ops->queue_destroy(made_queue);
}

static struct mt_hw_graph *made_graph;

static int create_graph(struct rig *rig)
{
	const uint64_t lane_va = rig_va(rig, rig->at);
	const struct mt_hw_submit chain = {.lane_va = &lane_va, .lane_count = 1, .exec_id = 1};

	return rig->ops->graph_create(rig->dev, &chain, &made_graph);
}

static void destroy_graph(struct rig *rig)
{
	rig->ops->graph_destroy(made_graph);
}

static const struct scenario creations[] = {
	{"host memory", FAKE_GEN_MP22, create_host, destroy_bo},
	{"device memory", FAKE_GEN_MP22, create_device, destroy_bo},
	{"user memory", FAKE_GEN_MP22, pin_user, destroy_bo},
	{"user memory with common pages", FAKE_GEN_MP22, pin_common_pages, destroy_bo},
	{"parts", FAKE_GEN_MP22, map_parts, unmap_parts},
	{"CPU mapping", FAKE_GEN_MP22, map_cpu, destroy_bo},
	{"export and import", FAKE_GEN_MP22, export_import, destroy_bo},
	{"semaphore", FAKE_GEN_MP22, create_semaphore, destroy_semaphore},
	{"imported semaphore", FAKE_GEN_MP22, import_semaphore, destroy_semaphore},
	{"DMA queue", FAKE_GEN_MP22, create_queue, destroy_queue},
	{"packet queue", FAKE_GEN_SIM, create_queue, destroy_queue},
	{"device memory, simulated", FAKE_GEN_SIM, create_device, destroy_bo},
	{"graph for device code", FAKE_GEN_SIM, create_graph, destroy_graph},
};

static bool is_loss(int reason)
{
	return reason == EIO || reason == ENODEV;
}

static int expected(int reason)
{
	if (reason == EINTR || reason == EAGAIN)
		return 0;
	return is_loss(reason) ? -EIO : reason == ENOSPC ? -ENOMEM : -reason;
}

/* Calls that give something back: what failed to go is the kernel's, the program goes on. */
static bool gives_back(unsigned long request)
{
	return request == DRM_IOCTL_GEM_CLOSE || request == DRM_IOCTL_MTGPU_VM_UNMAP ||
	       request == DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY;
}

static void check_result(const struct scenario *scenario, struct rig *rig, uint64_t k, int reason,
			 int ret)
{
	unsigned long request = fake_failed();
	bool sticky = atomic_load(&rig->dev->fault) == MT_HW_FAULT_LOST;

	/* A mapping can fail in the process, whatever the card does; one that covers old addresses
	 * only costs addresses. */
	if (request == FAKE_MMAP) {
		cr_expect(ret == -reason || ret == expected(reason) || ret == 0,
			  "%s, mapping %d, %s: %d", scenario->name, (int)k, strerror(reason), ret);
		return;
	}
	/* The mailbox' thread waits on its own, and asks again or sees the loss. */
	if (request == DRM_IOCTL_MTGPU_SEMAPHORE_WAIT)
		return;
	if (gives_back(request))
		cr_expect(ret == 0 || (ret == -EIO && is_loss(reason)), "%s, call %d, %s: %d",
			  scenario->name, (int)k, strerror(reason), ret);
	else
		cr_expect(ret == expected(reason) || (ret == -reason && !is_loss(reason)),
			  "%s, call %d (0x%lx), %s: %d", scenario->name, (int)k, request,
			  strerror(reason), ret);
	cr_expect(sticky == is_loss(reason), "%s, call %d (0x%lx), %s", scenario->name, (int)k,
		  request, strerror(reason));
}

/* Runs the scenario with call k failing. False: it makes fewer than k calls. */
static bool run_scenario(const struct scenario *scenario, uint64_t k, int reason)
{
	const struct fake_failure failure = {.at = k, .error = reason};
	struct holdings before;
	struct rig rig;
	uint64_t calls;
	int ret;

	rig_open(&rig, scenario->generation);
	holdings_get(&before);
	fake_fail(&failure);
	ret = scenario->act(&rig);
	calls = fake_calls();
	fake_fail(NULL);
	if (calls >= k)
		check_result(scenario, &rig, k, reason, ret);
	if (ret && !atomic_load(&rig.dev->fault)) {
		holdings_same(&before, scenario->name);
		ret = scenario->act(&rig);
		cr_expect_eq(ret, 0, "%s again after call %d, %s", scenario->name, (int)k,
			     strerror(reason));
	}
	if (!ret)
		scenario->undo(&rig);
	rig_close(&rig);
	return calls >= k;
}

/* Every call of everything that makes something. */
Test(failures, creations, .timeout = 300)
{
	struct holdings before;

	holdings_get(&before);
	for (size_t i = 0; i < sizeof(creations) / sizeof(creations[0]); i++)
		for (size_t r = 0; r < REASON_COUNT; r++)
			for (uint64_t k = 1; run_scenario(&creations[i], k, reasons[r]); k++)
				cr_assert_lt(k, CALLS_MAX);
	holdings_same(&before, "all creations");
}

/* Every allocation of the same. */
Test(failures, allocations, .timeout = 300)
{
	struct holdings before, all;
	struct rig rig;

	holdings_get(&all);
	for (size_t i = 0; i < sizeof(creations) / sizeof(creations[0]); i++) {
		const struct scenario *scenario = &creations[i];
		int ret = -ENOMEM;

		for (uint64_t n = 1; ret; n++) {
			cr_assert_lt(n, CALLS_MAX);
			rig_open(&rig, scenario->generation);
			holdings_get(&before);
			mt_alloc_fail_at(n);
			ret = scenario->act(&rig);
			mt_alloc_fail_at(0);
			cr_expect(ret == 0 || ret == -ENOMEM, "%s: %d", scenario->name, ret);
			if (ret) {
				holdings_same(&before, scenario->name);
				cr_expect_eq(scenario->act(&rig), 0, "%s again", scenario->name);
			}
			scenario->undo(&rig);
			rig_close(&rig);
		}
	}
	holdings_same(&all, "all allocations");
}

/* Opening, call by call: the device is refused or complete. */
Test(failures, open, .timeout = 300)
{
	struct mt_hw_device **devices;
	struct holdings before;
	uint32_t count;
	bool more = true;

	for (size_t r = 0; r < REASON_COUNT; r++) {
		more = true;
		for (uint64_t k = 1; more; k++) {
			const struct fake_failure failure = {.at = k, .error = reasons[r]};
			int ret;

			cr_assert_lt(k, CALLS_MAX);
			fake_install(FAKE_GEN_SIM);
			holdings_get(&before);
			fake_fail(&failure);
			ret = fake_open(&devices, &count);
			more = fake_calls() >= k;
			fake_fail(NULL);
			if (!ret)
				fake_close(devices, count);
			holdings_same(&before, "open");
			cr_expect_eq(fake_open(&devices, &count), 0, "again after call %d, %s",
				     (int)k, strerror(reasons[r]));
			fake_close(devices, count);
			holdings_same(&before, "open again");
			fake_remove();
		}
	}
}

/* Closing, call by call: the process is left clean whatever the kernel says. */
Test(failures, teardown, .timeout = 300)
{
	static const uint16_t generations[] = {FAKE_GEN_MP22, FAKE_GEN_SIM};
	struct holdings before;
	struct rig rig;
	bool more;

	holdings_get(&before);
	for (size_t g = 0; g < 2; g++) {
		for (size_t r = 0; r < REASON_COUNT; r++) {
			more = true;
			for (uint64_t k = 1; more; k++) {
				const struct fake_failure failure = {.at = k, .error = reasons[r]};

				cr_assert_lt(k, CALLS_MAX);
				rig_open(&rig, generations[g]);
				fake_fail(&failure);
				rig.ops->queue_destroy(rig.queue);
				rig.ops->bo_destroy(rig.commands);
				fake_close(rig.devices, rig.device_count);
				more = fake_calls() >= k;
				fake_fail(NULL);
				fake_remove();
				holdings_same(&before, "teardown");
			}
		}
	}
}

/* --- submissions --------------------------------------------------------------------------------
 */

/* A fill, a signal in between, a fill, a timestamped signal: three jobs and a step of the host. */
static int submit_stages(struct rig *rig, struct mt_hw_bo *host, struct mt_hw_semaphore *semaphore,
			 uint64_t value)
{
	rig_begin(rig);
	rig_fill(rig, host->va, 4, (uint32_t)value, 4);
	rig->at = mt_pkt_put_signal(rig->at, 0, MT_PKT_NODE_NONE, semaphore[0].va, value);
	rig_fill(rig, host->va + 4, 4, (uint32_t)value, 4);
	rig->at = mt_pkt_put_signal(rig->at, MT_PKT_SIGNAL_MAX | MT_PKT_SIGNAL_TIMESTAMP,
				    MT_PKT_NODE_NONE, semaphore[1].va, value);
	rig_fill(rig, host->va + 8, 4, (uint32_t)value, 4);
	return rig_submit(rig);
}

/* One failing call: nothing was submitted, or all of it was. Afterwards the queue goes on. */
static bool run_submit(uint16_t generation, uint64_t k, int reason)
{
	const struct fake_failure failure = {.at = k, .error = reason};
	struct mt_hw_semaphore semaphores[2];
	struct mt_hw_bo *host;
	struct rig rig;
	uint64_t calls;
	uint32_t *words;
	int ret;

	rig_open(&rig, generation);
	host = rig_bo(&rig, 4096, MT_HW_HOST);
	words = host->cpu;
	for (int i = 0; i < 2; i++)
		cr_assert_eq(rig.ops->semaphore_create(rig.dev, &semaphores[i]), 0);
	fake_fail(&failure);
	ret = submit_stages(&rig, host, semaphores, 1);
	if (!ret)
		/* A wait that fails may be asked again. */
		mt_hw_queue_wait(rig.queue, rig.queue->submitted, LIMIT_NS);
	calls = fake_calls();
	if (ret)
		cr_expect(rig.queue->submitted == 0 &&
				  (words[0] == 0 || atomic_load(&rig.dev->fault)),
			  "call %d, %s: %d", (int)k, strerror(reason), ret);
	fake_fail(NULL);
	if (atomic_load(&rig.dev->fault)) {
		cr_expect(is_loss(reason) || reason == EFAULT, "call %d, %s", (int)k,
			  strerror(reason));
	} else {
		if (ret) {
			cr_expect(ret == expected(reason) ||
					  (fake_failed() == FAKE_MMAP && ret == -reason),
				  "call %d, %s: %d", (int)k, strerror(reason), ret);
			cr_expect_eq(submit_stages(&rig, host, semaphores, 1), 0);
		}
		cr_expect_eq(mt_hw_queue_wait(rig.queue, rig.queue->submitted, LIMIT_NS), 0);
		cr_expect(words[0] == 1 && words[1] == 1 && words[2] == 1, "call %d, %s", (int)k,
			  strerror(reason));
		cr_expect_eq(atomic_load(semaphores[0].value), 1);
		cr_expect_eq(atomic_load(semaphores[1].value), 1);
	}
	for (int i = 0; i < 2; i++)
		rig.ops->semaphore_destroy(&semaphores[i]);
	rig.ops->bo_destroy(host);
	rig_close(&rig);
	return calls >= k;
}

Test(failures, submissions, .timeout = 300)
{
	struct holdings before;

	holdings_get(&before);
	for (size_t r = 0; r < REASON_COUNT; r++) {
		for (uint64_t k = 1; run_submit(FAKE_GEN_MP22, k, reasons[r]); k++)
			cr_assert_lt(k, CALLS_MAX);
		for (uint64_t k = 1; run_submit(FAKE_GEN_SIM, k, reasons[r]); k++)
			cr_assert_lt(k, CALLS_MAX);
	}
	holdings_same(&before, "submissions");
}

/* Every allocation of a submission; a refused one is not half there. */
Test(failures, submissions_without_memory, .timeout = 300)
{
	struct mt_hw_semaphore semaphores[2];
	struct mt_hw_bo *host;
	struct rig rig;
	int ret = -ENOMEM;

	for (uint64_t n = 1; ret; n++) {
		cr_assert_lt(n, CALLS_MAX);
		rig_open(&rig, FAKE_GEN_MP22);
		host = rig_bo(&rig, 4096, MT_HW_HOST);
		for (int i = 0; i < 2; i++)
			cr_assert_eq(rig.ops->semaphore_create(rig.dev, &semaphores[i]), 0);
		mt_alloc_fail_at(n);
		ret = submit_stages(&rig, host, semaphores, 1);
		mt_alloc_fail_at(0);
		if (ret) {
			cr_expect_eq(ret, -ENOMEM);
			cr_expect_eq(rig.queue->submitted, 0);
			cr_expect_eq(*(uint32_t *)host->cpu, 0);
			cr_expect_eq(submit_stages(&rig, host, semaphores, 2), 0);
		}
		rig_finish(&rig);
		cr_expect_eq(*(uint32_t *)host->cpu, ret ? 2 : 1);
		for (int i = 0; i < 2; i++)
			rig.ops->semaphore_destroy(&semaphores[i]);
		rig.ops->bo_destroy(host);
		rig_close(&rig);
	}
}

/* A kernel that fails every wait with the same errno: the wait ends with an error or in time. */
Test(failures, waits)
{
	for (size_t r = 0; r < REASON_COUNT; r++) {
		const struct fake_failure failure = {
			.at = 1,
			.error = reasons[r],
			.onwards = true,
			.only = true,
			.request = DRM_IOCTL_MTGPU_SEMAPHORE_WAIT,
		};
		struct mt_hw_semaphore gate;
		struct rig rig;
		int ret;

		rig_open(&rig, FAKE_GEN_MP22);
		cr_assert_eq(rig.ops->semaphore_create(rig.dev, &gate), 0);
		rig_begin(&rig);
		rig.at = mt_pkt_put_wait(rig.at, 0, MT_PKT_NODE_NONE, gate.va, 1);
		cr_assert_eq(rig_submit(&rig), 0);
		fake_fail(&failure);
		ret = mt_hw_queue_wait(rig.queue, 1, 20000000);
		fake_fail(NULL);
		if (is_loss(reasons[r]))
			cr_expect_eq(ret, -EIO);
		else if (reasons[r] == EINTR || reasons[r] == EAGAIN || reasons[r] == EBUSY)
			cr_expect_eq(ret, -ETIME);
		else
			cr_expect_eq(ret, -reasons[r]);
		if (!atomic_load(&rig.dev->fault)) {
			cr_assert_eq(rig.ops->semaphore_signal(&gate, 1), 0);
			rig_finish(&rig);
		}
		rig.ops->semaphore_destroy(&gate);
		rig_close(&rig);
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * Proves that every environment variable is understood as a whole or refused by name and text.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hw/base/log.h"
#include "hw/hw.h"
#include "hw/options.h"

static const char *const names[] = {
	"MUSA_BACKEND",        "MUSA_MOCK_DEVICES",     "MUSA_MOCK_MEMORY",
	"MUSA_MOCK_THREADS",   "MUSA_MOCK_WARP",        "MUSA_MOCK_SCHEDULE",
	"MUSA_MOCK_MAX_EXECS", "MUSA_MOCK_FAIL_ALLOC",  "MUSA_MOCK_FAIL_SUBMIT",
	"MUSA_MOCK_WHILE_CAP", "MUSA_MOCK_WATCHDOG_MS",
};

static void clear_all(void)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

TestSuite(options, .init = clear_all);

static int read_with(const char *name, const char *text, struct mt_hw_options *options)
{
	setenv(name, text, 1);
	return mt_hw_options_read(options);
}

Test(options, defaults)
{
	struct mt_hw_options options;

	cr_assert_eq(mt_hw_options_read(&options), 0);
	cr_assert_eq(options.backend, MT_HW_BACKEND_AUTO);
	cr_assert_eq(options.devices, 1);
	cr_assert_geq(options.threads, 2);
	cr_assert_gt(options.memory_b, 64u << 20);
	cr_assert_eq(options.warp_size, 32);
	cr_assert_not(options.random);
	cr_assert_eq(options.max_execs | options.while_cap | options.watchdog_ms, 0);
	cr_assert_eq(options.fail_alloc.n | options.fail_submit.n, 0);
}

Test(options, values)
{
	struct mt_hw_options options;

	cr_assert_eq(read_with("MUSA_BACKEND", "mock", &options), 0);
	cr_assert_eq(options.backend, MT_HW_BACKEND_MOCK);
	cr_assert_eq(read_with("MUSA_MOCK_DEVICES", "3", &options), 0);
	cr_assert_eq(options.devices, 3);
	cr_assert_eq(read_with("MUSA_MOCK_MEMORY", "3G", &options), 0);
	cr_assert_eq(options.memory_b, UINT64_C(3) << 30);
	cr_assert_eq(read_with("MUSA_MOCK_MEMORY", "1048576", &options), 0);
	cr_assert_eq(options.memory_b, 1u << 20);
	cr_assert_eq(read_with("MUSA_MOCK_MEMORY", "2048K", &options), 0);
	cr_assert_eq(options.memory_b, 2u << 20);
	cr_assert_eq(read_with("MUSA_MOCK_THREADS", "7", &options), 0);
	cr_assert_eq(options.threads, 7);
	cr_assert_eq(read_with("MUSA_MOCK_WARP", "128", &options), 0);
	cr_assert_eq(options.warp_size, 128);
	cr_assert_eq(read_with("MUSA_MOCK_SCHEDULE", "random:18446744073709551615", &options), 0);
	cr_assert(options.random);
	cr_assert_eq(options.seed, UINT64_MAX);
	cr_assert_eq(read_with("MUSA_MOCK_SCHEDULE", "fifo", &options), 0);
	cr_assert_not(options.random);
	cr_assert_eq(read_with("MUSA_MOCK_MAX_EXECS", "12", &options), 0);
	cr_assert_eq(options.max_execs, 12);
	cr_assert_eq(read_with("MUSA_MOCK_FAIL_ALLOC", "4", &options), 0);
	cr_assert(options.fail_alloc.n == 4 && !options.fail_alloc.onwards);
	cr_assert_eq(read_with("MUSA_MOCK_FAIL_SUBMIT", "5+", &options), 0);
	cr_assert(options.fail_submit.n == 5 && options.fail_submit.onwards);
	cr_assert_eq(read_with("MUSA_MOCK_WHILE_CAP", "1000", &options), 0);
	cr_assert_eq(options.while_cap, 1000);
	cr_assert_eq(read_with("MUSA_MOCK_WATCHDOG_MS", "250", &options), 0);
	cr_assert_eq(options.watchdog_ms, 250);
}

/* Each wrong value is an error of initialisation, and the log holds name and text. */
Test(options, refused)
{
	static const char *const bad[][2] = {
		{"MUSA_BACKEND", ""},
		{"MUSA_BACKEND", "Mock"},
		{"MUSA_BACKEND", "drm "},
		{"MUSA_MOCK_DEVICES", "0"},
		{"MUSA_MOCK_DEVICES", "65"},
		{"MUSA_MOCK_DEVICES", "-1"},
		{"MUSA_MOCK_DEVICES", "two"},
		{"MUSA_MOCK_MEMORY", ""},
		{"MUSA_MOCK_MEMORY", "1T"},
		{"MUSA_MOCK_MEMORY", "12GB"},
		{"MUSA_MOCK_MEMORY", "G"},
		{"MUSA_MOCK_MEMORY", "1.5G"},
		{"MUSA_MOCK_MEMORY", "99999999999G"},
		{"MUSA_MOCK_MEMORY", "4K"},
		{"MUSA_MOCK_THREADS", "0"},
		{"MUSA_MOCK_THREADS", "4 "},
		{"MUSA_MOCK_THREADS", " 4"},
		{"MUSA_MOCK_THREADS", "+4"},
		{"MUSA_MOCK_THREADS", "0x4"},
		{"MUSA_MOCK_WARP", "64"},
		{"MUSA_MOCK_WARP", "032"},
		{"MUSA_MOCK_SCHEDULE", "random"},
		{"MUSA_MOCK_SCHEDULE", "random:"},
		{"MUSA_MOCK_SCHEDULE", "random:1x"},
		{"MUSA_MOCK_SCHEDULE", "random:18446744073709551616"},
		{"MUSA_MOCK_SCHEDULE", "lifo"},
		{"MUSA_MOCK_MAX_EXECS", "none"},
		{"MUSA_MOCK_FAIL_ALLOC", "0"},
		{"MUSA_MOCK_FAIL_ALLOC", "+"},
		{"MUSA_MOCK_FAIL_ALLOC", "3++"},
		{"MUSA_MOCK_FAIL_SUBMIT", "3-"},
		{"MUSA_MOCK_WHILE_CAP", "off"},
		{"MUSA_MOCK_WATCHDOG_MS", "1s"},
	};
	char path[] = "/tmp/mtgraph-options-XXXXXX", text[512], wanted[128];
	struct mt_hw_device **devices;
	int fd = mkstemp(path), keep = dup(STDERR_FILENO);
	uint32_t count;
	ssize_t size;
	size_t i;

	cr_assert_eq(mt_log_init(), 0);
	dup2(fd, STDERR_FILENO);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		clear_all();
		cr_assert_eq(ftruncate(fd, 0), 0);
		lseek(fd, 0, SEEK_SET);
		setenv(bad[i][0], bad[i][1], 1);
		cr_assert_eq(mt_hw_init(&devices, &count), -EINVAL, "%s=%s", bad[i][0], bad[i][1]);
		size = pread(fd, text, sizeof(text) - 1, 0);
		cr_assert_gt(size, 0);
		text[size] = '\0';
		snprintf(wanted, sizeof(wanted), "%s=%s:", bad[i][0], bad[i][1]);
		cr_assert_not_null(strstr(text, wanted), "%s: %s", wanted, text);
	}
	dup2(keep, STDERR_FILENO);
	unlink(path);
}

/* Injected failures hit the n-th call, or all from it on. */
Test(options, injected_failures)
{
	struct mt_hw_device **devices, *dev;
	struct mt_hw_bo *bo;
	uint32_t count, i;
	int ret;

	setenv("MUSA_BACKEND", "mock", 1);
	setenv("MUSA_MOCK_FAIL_ALLOC", "2", 1);
	cr_assert_eq(mt_hw_init(&devices, &count), 0);
	dev = devices[0];
	for (i = 1; i <= 4; i++) {
		ret = dev->ops->bo_create(dev, 4096, MT_HW_DEVICE, 0, &bo);
		cr_assert_eq(ret, i == 2 ? -ENOMEM : 0);
		if (!ret)
			dev->ops->bo_destroy(bo);
	}
	mt_hw_finish();
	clear_all();
	setenv("MUSA_BACKEND", "mock", 1);
	setenv("MUSA_MOCK_FAIL_ALLOC", "6+", 1);
	cr_assert_eq(mt_hw_init(&devices, &count), 0);
	dev = devices[0];
	for (i = 5; i <= 8; i++) {
		ret = dev->ops->bo_create(dev, 4096, MT_HW_DEVICE, 0, &bo);
		cr_assert_eq(ret, i >= 6 ? -ENOMEM : 0);
		if (!ret)
			dev->ops->bo_destroy(bo);
	}
	mt_hw_finish();
}

/* Devices are apart: each with its own address, bus and memory. */
Test(options, devices)
{
	struct mt_hw_device **devices;
	uint64_t free_b, total_b;
	uint32_t count, i;

	setenv("MUSA_BACKEND", "mock", 1);
	setenv("MUSA_MOCK_DEVICES", "3", 1);
	setenv("MUSA_MOCK_MEMORY", "64M", 1);
	cr_assert_eq(mt_hw_init(&devices, &count), 0);
	cr_assert_eq(count, 3);
	for (i = 0; i < 3; i++) {
		cr_assert_str_eq(devices[i]->info.name, "MTT Mock GPU");
		cr_assert_eq(devices[i]->info.arch_id, 900);
		cr_assert_eq(devices[i]->index, i);
		if (i) {
			cr_assert_neq(devices[i]->info.pci_bus, devices[0]->info.pci_bus);
			cr_assert_neq(memcmp(devices[i]->info.uuid, devices[0]->info.uuid, 16), 0);
		}
		cr_assert_eq(devices[i]->ops->device_memory(devices[i], &free_b, &total_b), 0);
		cr_assert_eq(total_b, 64u << 20);
		cr_assert_eq(free_b, 64u << 20);
	}
	mt_hw_finish();
}

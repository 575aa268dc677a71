/* SPDX-License-Identifier: MIT */
/*
 * Finding and opening devices: odd buses, gaps, missing and forbidden nodes, signals, versions, and
 * what is said about each.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "drm_test.h"
#include "hw/base/log.h"

static char log_path[64];
static char log_text[16384];

static void start_log(void)
{
	char option[96];

	snprintf(log_path, sizeof(log_path), "/tmp/drm-open-%d.log", (int)getpid());
	snprintf(option, sizeof(option), "info:%s", log_path);
	setenv("MUSA_LOG", option, 1);
	cr_assert_eq(mt_log_init(), 0);
	fake_install(FAKE_GEN_MP22);
}

static void end_log(void)
{
	unlink(log_path);
	fake_remove();
}

/* All lines so far. */
static const char *logged(void)
{
	FILE *file = fopen(log_path, "r");
	size_t length = file ? fread(log_text, 1, sizeof(log_text) - 1, file) : 0;

	log_text[length] = 0;
	if (file)
		fclose(file);
	return log_text;
}

static uint32_t count_lines(const char *with)
{
	uint32_t count = 0;

	for (const char *at = logged(); (at = strstr(at, with)); at += strlen(with))
		count++;
	return count;
}

/* Opens, expects so many devices, closes. */
static void expect_devices(uint32_t wanted)
{
	struct mt_hw_device **devices;
	uint32_t count;

	cr_assert_eq(fake_open(&devices, &count), 0);
	cr_expect_eq(count, wanted);
	fake_close(devices, count);
}

static void expect_refusal(int error)
{
	struct mt_hw_device **devices = NULL;
	uint32_t count = 77;
	struct holdings before;

	holdings_get(&before);
	cr_expect_eq(fake_open(&devices, &count), error);
	cr_expect_eq(devices, NULL);
	cr_expect_eq(count, 77);
	holdings_same(&before, "refused open");
}

TestSuite(open, .init = start_log, .fini = end_log);

/* What the device says about itself. */
Test(open, properties)
{
	struct mt_hw_device **devices;
	uint64_t free_b, total_b;
	uint32_t count;

	cr_assert_eq(fake_open(&devices, &count), 0);
	cr_expect_eq(devices[0]->info.arch_id, 220);
	cr_expect_eq(devices[0]->info.warp_size, 128);
	cr_expect_eq(devices[0]->info.pci_vendor_id, 0x1ed5);
	cr_expect_eq(devices[0]->info.pci_device_id, FAKE_GEN_MP22);
	cr_expect_eq(devices[0]->info.pci_bus, 1);
	cr_expect_eq(devices[0]->info.memory_b, UINT64_C(4) << 30);
	cr_expect_eq(devices[0]->info.uuid[3], 0x5a);
	cr_expect_eq(devices[0]->ops->device_memory(devices[0], &free_b, &total_b), 0);
	cr_expect_eq(free_b, total_b);
	fake_close(devices, count);
}

/* C14 (a): a signal interrupts opening five times. */
Test(open, interrupted)
{
	fake_cards[0].open_eintr = 5;
	expect_devices(1);
	cr_expect_eq(fake_opens(), 6);
}

static int pipe_out;

static void on_alarm(int number)
{
	char byte = 0;
	int saved = errno;

	(void)number;
	if (write(pipe_out, &byte, 1) < 0)
		errno = saved;
	errno = saved;
}

/* C14 (b), (c): a timer fires all the time; its handler writes to a pipe and nothing restarts
 * calls. */
Test(open, under_fire, .timeout = 120)
{
	const struct itimerval fire = {{0, 200}, {0, 200}}, cease = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = on_alarm}, after;
	sigset_t mask_before, mask_after;
	struct holdings before;
	struct rig rig;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	pipe_out = ends[1];
	sigaction(SIGALRM, &action, NULL);
	sigprocmask(SIG_SETMASK, NULL, &mask_before);
	expect_devices(1);
	holdings_get(&before);
	setitimer(ITIMER_REAL, &fire, NULL);
	for (int i = 0; i < 100; i++) {
		struct mt_hw_bo *host;

		rig_open(&rig, i % 2 ? FAKE_GEN_MP22 : FAKE_GEN_SIM);
		host = rig_bo(&rig, 4096, MT_HW_HOST);
		rig_begin(&rig);
		rig_fill(&rig, host->va, 64, (uint32_t)i, 4);
		rig_run(&rig);
		cr_expect_eq(*(uint32_t *)host->cpu, (uint32_t)i);
		rig.ops->bo_destroy(host);
		rig_close(&rig);
		fake_install(FAKE_GEN_MP22);
	}
	setitimer(ITIMER_REAL, &cease, NULL);
	expect_devices(1);
	sigaction(SIGALRM, NULL, &after);
	cr_expect_eq((void *)(uintptr_t)after.sa_handler, (void *)(uintptr_t)on_alarm);
	sigprocmask(SIG_SETMASK, NULL, &mask_after);
	cr_expect_eq(memcmp(&mask_before, &mask_after, sizeof(uint64_t)), 0);
	fake_remove();
	before.descriptors--; /* the card's file, which goes with the fake */
	before.regions--;
	holdings_same(&before, "after the fire");
	close(ends[0]);
	close(ends[1]);
}

/* C15: one node may not be opened, the other may. */
Test(open, one_is_forbidden)
{
	fake_add_card(FAKE_GEN_MP22);
	fake_cards[0].open_error = EACCES;
	expect_devices(1);
	cr_expect_eq(count_lines("permission denied"), 1);
	cr_expect_neq((void *)strstr(logged(), "/dev/dri/renderD128: permission denied"), NULL);
	cr_expect_neq((void *)strstr(logged(), "group root"), NULL);
}

/* C15: both may not be opened. */
Test(open, all_are_forbidden)
{
	fake_add_card(FAKE_GEN_MP22);
	fake_cards[0].open_error = fake_cards[1].open_error = EACCES;
	expect_refusal(-EACCES);
	cr_expect_eq(count_lines("permission denied"), 2);
	cr_expect_eq(count_lines("no such node"), 0);
}

/* C15: the nodes are missing, which reads differently. */
Test(open, nodes_are_missing)
{
	fake_cards[0].open_error = ENOENT;
	expect_refusal(-ENODEV);
	cr_expect_eq(count_lines("permission denied"), 0);
	cr_expect_eq(count_lines("no such node"), 1);
}

/* C15: with the mock chosen nothing is opened. */
Test(open, mock_opens_nothing)
{
	struct mt_hw_device **devices;
	uint32_t count;

	setenv("MUSA_BACKEND", "mock", 1);
	cr_assert_eq(mt_hw_init(&devices, &count), 0);
	cr_expect_eq(fake_opens(), 0);
	cr_expect_eq(strcmp(devices[0]->ops->name, "mock"), 0);
	mt_hw_finish();
}

/* The drm backend comes first where there is a card, and the mock where there is none. */
Test(open, choice_without_wish)
{
	struct mt_hw_device **devices;
	uint32_t count;

	unsetenv("MUSA_BACKEND");
	cr_assert_eq(mt_hw_init(&devices, &count), 0);
	cr_expect_eq(strcmp(devices[0]->ops->name, "drm"), 0);
	mt_hw_finish();
	fake_card_count = 0;
	cr_assert_eq(mt_hw_init(&devices, &count), 0);
	cr_expect_eq(strcmp(devices[0]->ops->name, "mock"), 0);
	mt_hw_finish();
	setenv("MUSA_BACKEND", "drm", 1);
	cr_expect_eq(mt_hw_init(&devices, &count), -ENODEV);
}

/* C16 (a): there is no /dev/dri. */
Test(open, no_folder)
{
	fake_card_count = 0;
	fake_dir_error = -ENOENT;
	expect_refusal(-ENODEV);
}

/* C16 (b): only nodes for displays. */
Test(open, display_nodes_only)
{
	fake_cards[0].card_only = true;
	expect_refusal(-ENODEV);
}

/* C16 (c): a bus that has no id, or that libdrm leaves out: the driver's name decides. */
Test(open, odd_buses)
{
	struct mt_hw_device **devices;
	uint32_t count;

	fake_cards[0].bus = FAKE_BUS_PLATFORM;
	fake_add_card(FAKE_GEN_MP22)->bus = FAKE_BUS_UNKNOWN;
	cr_assert_eq(fake_open(&devices, &count), 0);
	cr_assert_eq(count, 2);
	for (uint32_t i = 0; i < count; i++) {
		cr_expect_eq(devices[i]->info.pci_bus, -1);
		cr_expect_eq(devices[i]->info.pci_domain, -1);
		cr_expect_eq(devices[i]->info.arch_id, 220);
	}
	fake_close(devices, count);
}

/* C16 (d): gaps in the minors, and somebody else's card between. */
Test(open, gaps_and_foreigners)
{
	struct mt_hw_device **devices;
	uint32_t count;

	fake_cards[0].minor = 130;
	fake_add_card(0x1234)->minor = 131;
	fake_cards[1].vendor = 0x1002;
	fake_cards[1].driver = "amdgpu";
	fake_add_card(0x0402)->minor = 137;
	fake_add_card(FAKE_GEN_MP22)->minor = 140;
	fake_cards[3].bus = FAKE_BUS_UNKNOWN;
	fake_cards[3].driver = "vgem";
	for (int run = 0; run < 2; run++) {
		cr_assert_eq(fake_open(&devices, &count), 0);
		cr_assert_eq(count, 2);
		cr_expect_eq(devices[0]->info.arch_id, 220);
		cr_expect_eq(devices[1]->info.arch_id, 310);
		cr_expect_eq(devices[1]->index, 1);
		fake_close(devices, count);
	}
	/* The card that is known to be foreign is not even opened: 3 nodes, twice. */
	cr_expect_eq(fake_opens(), 6);
}

/* C16 (e): sysfs is not mounted, libdrm lists nothing. */
Test(open, no_sysfs)
{
	fake_list_error = -ENOENT;
	expect_devices(1);
}

/* C16 (f): the list fails and there is nothing else. */
Test(open, list_fails)
{
	fake_list_error = -EIO;
	fake_dir_error = -EACCES;
	expect_refusal(-ENODEV);
}

/* Another version of the interface is refused with a clear word, whichever call finds out. */
Test(open, other_versions)
{
	fake_cards[0].version = 21;
	expect_refusal(-EPROTO);
	cr_expect_eq(count_lines("does not offer version 22 of its interface"), 1);
	fake_cards[0].version = 23;
	expect_refusal(-EPROTO);
	fake_cards[0].version = 22;
	fake_cards[0].no_version_check = true;
	expect_refusal(-EPROTO);
	fake_add_card(FAKE_GEN_MP22);
	expect_devices(1);
}

/* Every generation, and those to come. */
Test(open, generations)
{
	static const struct {
		uint16_t id;
		uint32_t arch_id;
	} rows[] = {{0x0105, 100}, {0x02ff, 210}, {0x0300, 220}, {0x0400, 310}, {0x0500, 0}};
	struct mt_hw_device **devices;
	uint32_t count;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fake_cards[0].device_id = rows[i].id;
		cr_assert_eq(fake_open(&devices, &count), 0);
		cr_expect_eq(devices[0]->info.arch_id, rows[i].arch_id);
		cr_expect_eq(devices[0]->info.caps, MT_HW_CAP_HOST_MEMORY);
		fake_close(devices, count);
	}
}

/* A card that only has the number of the simulation is sent no packets. */
Test(open, number_alone_is_no_simulation)
{
	struct mt_hw_device **devices;
	uint32_t count;

	fake_cards[0].device_id = FAKE_GEN_SIM;
	fake_cards[0].desc = "MTGPU DRM";
	cr_assert_eq(fake_open(&devices, &count), 0);
	cr_expect_eq(devices[0]->info.caps & MT_HW_CAP_KERNELS, 0);
	fake_close(devices, count);
}

/* Heaps out of reach: jobs that name objects still run; nonsense is left alone. */
Test(open, odd_heaps)
{
	fake_cards[0].heaps[0].length = UINT64_MAX;
	fake_cards[0].heaps[1].base = UINT64_C(1) << 60;
	expect_devices(1);
	fake_cards[0].heap_count = 0;
	expect_devices(1);
}

static void visible(const char *text, int result, uint32_t count, uint16_t first)
{
	struct mt_hw_device **devices;
	uint32_t found;

	setenv("MUSA_VISIBLE_DEVICES", text, 1);
	cr_expect_eq(mt_hw_init(&devices, &found), result, "\"%s\"", text);
	if (result)
		return;
	cr_expect_eq(found, count, "\"%s\"", text);
	if (found) {
		cr_expect_eq(devices[0]->info.pci_device_id, first, "\"%s\"", text);
		cr_expect_eq(devices[found - 1]->index, found - 1);
	}
	mt_hw_finish();
}

/* MUSA_VISIBLE_DEVICES chooses and orders; what is no list is an error. */
Test(open, visible_devices)
{
	fake_add_card(0x0401);
	fake_add_card(0x0201);
	visible("1", 0, 1, 0x0401);
	visible("2,0", 0, 2, 0x0201);
	visible("0,1,2", 0, 3, FAKE_GEN_MP22);
	visible("1,7,0", 0, 1, 0x0401);
	visible("-1", 0, 0, 0);
	visible("", 0, 0, 0);
	visible("0,0", -EINVAL, 0, 0);
	visible("zero", -EINVAL, 0, 0);
	visible("0,", -EINVAL, 0, 0);
	visible("0 1", -EINVAL, 0, 0);
}

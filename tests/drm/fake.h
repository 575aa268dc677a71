/* SPDX-License-Identifier: MIT */
/*
 * A kernel of the drm backend in the test's own process: it stands behind the backend's table of
 * system calls, keeps memory in one file per card, checks every argument, runs DMA jobs, and can
 * make any call fail. With the simulated generation it lets the software GPU execute packets.
 *
 * One card answers as any number of render nodes do; all state is under one lock.
 */
#ifndef MT_TEST_DRM_FAKE_H
#define MT_TEST_DRM_FAKE_H

#include <pthread.h>

#include "hw/backend.h"
#include "hw/drm/mtgpu_drm.h"
#include "hw/drm/os.h"

#define FAKE_CARDS_MAX 4
#define FAKE_HEAPS_MAX 4
#define FAKE_HEAP_BASE (UINT64_C(1) << 45)
#define FAKE_HEAP_B    (UINT64_C(1) << 42)
#define FAKE_OPEN      0ul /* in place of an ioctl's number */
#define FAKE_MMAP      1ul
#define FAKE_GEN_SIM   0x0901u
#define FAKE_GEN_MP22  0x0301u

enum fake_bus {
	FAKE_BUS_PCI,
	FAKE_BUS_PLATFORM, /* libdrm knows it, without an id */
	FAKE_BUS_UNKNOWN,  /* libdrm does not list it */
};

struct fake_card_config {
	uint32_t minor;
	enum fake_bus bus;
	uint16_t vendor, device_id;
	const char *driver, *desc;
	int open_error;      /* errno of every open, 0: none */
	uint32_t open_eintr; /* opens that a signal interrupts before one succeeds */
	uint32_t version;    /* interface version that it speaks */
	bool no_version_check;
	uint64_t vram_b;
	uint32_t heap_count;
	struct drm_mtgpu_heap_info heaps[FAKE_HEAPS_MAX];
	uint32_t semaphore_stride; /* bytes between values */
	bool card_only;            /* no render node */
};

/* What exists at the moment, over all files. */
struct fake_counts {
	uint32_t files, handles, objects, contexts, queues, semaphores, mappings;
};

struct fake_failure {
	uint64_t at; /* number of the call that fails, from 1; 0: none */
	int error;
	bool onwards;   /* and all later ones */
	uint64_t every; /* or each so many calls later; never mmap */
	bool only;      /* count only calls of the ioctl `request` */
	unsigned long request;
};

extern struct fake_card_config fake_cards[FAKE_CARDS_MAX];
extern uint32_t fake_card_count;
extern int fake_list_error; /* of drmGetDevices2(), a negative errno */
extern int fake_dir_error;  /* of reading /dev/dri */

/* Puts the fake in place with one card of a generation. Everything else is the config's default. */
void fake_install(uint16_t device_id);
struct fake_card_config *fake_add_card(uint16_t device_id);
void fake_remove(void);

/* Numbers calls anew and arms a failure; NULL: none. */
void fake_fail(const struct fake_failure *failure);
uint64_t fake_calls(void);       /* since fake_fail() */
unsigned long fake_failed(void); /* the ioctl that failed last, FAKE_MMAP or FAKE_OPEN */
uint64_t fake_opens(void);       /* since fake_install() */
uint64_t fake_submits(void);     /* JOB_SUBMIT_V3, since fake_fail() */
void fake_counts_get(struct fake_counts *counts_out);
/* What the newest object was asked for. */
void fake_newest_object(uint64_t *flags_out, uint32_t *domain_out);
/* The card stops: every call is EIO from now on. */
void fake_lose_card(void);
/* Jobs stay where they are until this is taken back. */
void fake_hold_jobs(bool hold);

/* Opens the devices through the backend, closes them. */
int fake_open(struct mt_hw_device ***devices_out, uint32_t *count_out);
void fake_close(struct mt_hw_device **devices, uint32_t count);

#endif

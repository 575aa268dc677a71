/* SPDX-License-Identifier: MIT */
/*
 * Options of the hardware layer, from the environment.
 */
#ifndef MT_HW_OPTIONS_H
#define MT_HW_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum mt_hw_backend_choice {
	MT_HW_BACKEND_AUTO, /* drm if there is a card, else mock */
	MT_HW_BACKEND_MOCK,
	MT_HW_BACKEND_DRM,
};

/* The n-th call fails, and with `onwards` every later one; n 0: off. */
struct mt_hw_fail_at {
	uint64_t n;
	bool onwards;
};

struct mt_hw_options {
	enum mt_hw_backend_choice backend;
	uint32_t devices;
	uint64_t memory_b; /* of each device */
	uint32_t threads;  /* workers of each device */
	uint32_t warp_size;
	bool random; /* schedule */
	uint64_t seed;
	uint64_t max_execs; /* live graph execs, 0: no ceiling */
	struct mt_hw_fail_at fail_alloc, fail_submit;
	uint64_t while_cap;   /* 0: off */
	uint64_t watchdog_ms; /* 0: off */
	char graph_save[4096];         /* directory for every graph that is instantiated; "": off */
	uint64_t graph_save_memory_b;  /* most bytes of memory contents in such a file */
};

/* Reads the environment; wrong values are logged at level error with name and text. -EINVAL if
 * there was one; all of them are looked at. */
int mt_hw_options_read(struct mt_hw_options *options_out);

/* The options that mt_hw_init() has read. */
const struct mt_hw_options *mt_hw_options(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Parses the environment. Every value must be understood as a whole.
 */
#include "hw/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "hw/base/log.h"

#define DEVICES_MAX  64u
#define THREADS_MAX  256u
#define MEMORY_MIN_B (UINT64_C(1) << 20)
#define PAGE_B       4096u
#define GRAPH_SAVE_MEMORY_B (UINT64_C(64) << 20)

static int complain(const char *name, const char *text, const char *wanted)
{
	mt_log(MT_LOG_ERROR, "%s=%s: not %s", name, text, wanted);
	return -EINVAL;
}

/* Decimal digits up to the end or up to one of `stops`; NULL: no number, or too large. */
static const char *parse_number(const char *text, uint64_t *value_out)
{
	uint64_t value = 0;

	if (*text < '0' || *text > '9')
		return NULL;
	for (; *text >= '0' && *text <= '9'; text++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return NULL;
	*value_out = value;
	return text;
}

static int read_number(const char *name, uint64_t min, uint64_t max, const char *wanted,
		       uint64_t *value_out)
{
	const char *text = getenv(name), *end;
	uint64_t value;

	if (!text)
		return 0;
	end = parse_number(text, &value);
	if (!end || *end || value < min || value > max)
		return complain(name, text, wanted);
	*value_out = value;
	return 0;
}

static int read_size(const char *name, uint64_t min_b, const char *wanted, uint64_t *size_out)
{
	const char *text = getenv(name), *end;
	unsigned int shift = 0;
	uint64_t value;

	if (!text)
		return 0;
	end = parse_number(text, &value);
	if (end && *end) {
		shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
		end = shift ? end + 1 : NULL;
	}
	if (!end || *end || value > UINT64_MAX >> shift >> 8 || value << shift < min_b)
		return complain(name, text, wanted);
	*size_out = value << shift;
	return 0;
}

static int read_fail_at(const char *name, struct mt_hw_fail_at *fail_out)
{
	const char *text = getenv(name), *end;
	uint64_t n;

	if (!text)
		return 0;
	end = parse_number(text, &n);
	if (end && *end == '+' && !end[1]) {
		end++;
		fail_out->onwards = true;
	}
	if (!end || *end || !n)
		return complain(name, text, "n or n+ with n >= 1");
	fail_out->n = n;
	return 0;
}

/* A directory that files can be written to. */
static int read_directory(const char *name, char *path, size_t room)
{
	const char *text = getenv(name);
	struct stat status;

	if (!text)
		return 0;
	if (stat(text, &status) || !S_ISDIR(status.st_mode) || access(text, W_OK | X_OK) ||
	    strlen(text) >= room)
		return complain(name, text, "a directory that can be written to");
	strcpy(path, text);
	return 0;
}

static int read_backend(enum mt_hw_backend_choice *backend_out)
{
	const char *text = getenv("MUSA_BACKEND");

	if (!text)
		return 0;
	if (!strcmp(text, "mock"))
		*backend_out = MT_HW_BACKEND_MOCK;
	else if (!strcmp(text, "drm"))
		*backend_out = MT_HW_BACKEND_DRM;
	else
		return complain("MUSA_BACKEND", text, "mock or drm");
	return 0;
}

static int read_warp(uint32_t *warp_out)
{
	const char *text = getenv("MUSA_MOCK_WARP");

	if (!text)
		return 0;
	if (!strcmp(text, "32"))
		*warp_out = 32;
	else if (!strcmp(text, "128"))
		*warp_out = 128;
	else
		return complain("MUSA_MOCK_WARP", text, "32 or 128");
	return 0;
}

static int read_schedule(struct mt_hw_options *options)
{
	const char *text = getenv("MUSA_MOCK_SCHEDULE"), *end;

	if (!text || !strcmp(text, "fifo"))
		return 0;
	end = strncmp(text, "random:", 7) ? NULL : parse_number(text + 7, &options->seed);
	if (!end || *end)
		return complain("MUSA_MOCK_SCHEDULE", text, "fifo or random:SEED");
	options->random = true;
	return 0;
}

static uint64_t default_memory(void)
{
	struct sysinfo info;

	if (sysinfo(&info))
		return UINT64_C(1) << 30;
	return (uint64_t)info.totalram * info.mem_unit / 2 / PAGE_B * PAGE_B;
}

static uint32_t default_threads(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (cpus < 2)
		return 2;
	return cpus > (long)THREADS_MAX ? THREADS_MAX : (uint32_t)cpus;
}

int mt_hw_options_read(struct mt_hw_options *options_out)
{
	struct mt_hw_options options = {.warp_size = 32,
					.graph_save_memory_b = GRAPH_SAVE_MEMORY_B};
	uint64_t devices = 1, threads = default_threads();
	int ret = 0;

	options.memory_b = default_memory();
	ret |= read_backend(&options.backend);
	ret |= read_number("MUSA_MOCK_DEVICES", 1, DEVICES_MAX, "a number from 1 to 64", &devices);
	ret |= read_size("MUSA_MOCK_MEMORY", MEMORY_MIN_B,
			 "a number of bytes with K, M or G, at least 1M", &options.memory_b);
	ret |= read_number("MUSA_MOCK_THREADS", 1, THREADS_MAX, "a number from 1 to 256", &threads);
	ret |= read_warp(&options.warp_size);
	ret |= read_schedule(&options);
	ret |= read_number("MUSA_MOCK_MAX_EXECS", 1, UINT64_MAX, "a number from 1",
			   &options.max_execs);
	ret |= read_fail_at("MUSA_MOCK_FAIL_ALLOC", &options.fail_alloc);
	ret |= read_fail_at("MUSA_MOCK_FAIL_SUBMIT", &options.fail_submit);
	ret |= read_number("MUSA_MOCK_WHILE_CAP", 1, UINT64_MAX, "a number from 1",
			   &options.while_cap);
	ret |= read_number("MUSA_MOCK_WATCHDOG_MS", 1, UINT32_MAX, "a number of ms from 1",
			   &options.watchdog_ms);
	ret |= read_directory("MUSA_GRAPH_SAVE", options.graph_save, sizeof(options.graph_save));
	ret |= read_size("MUSA_GRAPH_SAVE_MEMORY", 0, "a number of bytes with K, M or G",
			 &options.graph_save_memory_b);
	if (ret)
		return -EINVAL;
	options.memory_b = options.memory_b / PAGE_B * PAGE_B;
	options.devices = (uint32_t)devices;
	options.threads = (uint32_t)threads;
	*options_out = options;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Sleeping on a word, and the clock.
 */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "hw/softgpu/internal.h"

/* Returns when woken, when the word differs, at the time-out, or for no reason. */
void mt_sg_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t timeout_ns)
{
	struct timespec timeout = {
		.tv_sec = timeout_ns / 1000000000,
		.tv_nsec = timeout_ns % 1000000000,
	};

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, timeout_ns < 0 ? NULL : &timeout, NULL,
		0);
}

void mt_sg_futex_wake(_Atomic uint32_t *word, uint32_t count)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count > INT_MAX ? INT_MAX : (int)count, NULL,
		NULL, 0);
}

uint64_t mt_sg_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* SPDX-License-Identifier: MIT */
/*
 * Helpers of the programs that speak to the kernel driver directly: a device, short forms of the
 * calls, and TAP.
 */
#ifndef VM_UAPI_H
#define VM_UAPI_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hw/drm/mtgpu_drm_extra.h"

#define PAGE_B     4096u
#define GENERAL_VA UINT64_C(0x110000000000) /* start of the heap "general" */
#define SECOND_NS  UINT64_C(1000000000)
#define BO_RW      0xfull /* readable and writable by CPU and device */

struct uapi_test {
	const char *name; /* what is proven */
	void (*run)(void);
};

/* Runs all tests in order and returns the number that failed, at most 1. */
int t_run(const struct uapi_test *tests, unsigned int count);
void t_fail(const char *file, int line, const char *what, long long left, long long right);

#define t_true(condition)                                                                          \
	do {                                                                                       \
		if (!(condition))                                                                  \
			t_fail(__FILE__, __LINE__, #condition, 0, 0);                              \
	} while (0)
#define t_eq(left, right)                                                                          \
	do {                                                                                       \
		long long left_ = (long long)(left), right_ = (long long)(right);                  \
		if (left_ != right_)                                                               \
			t_fail(__FILE__, __LINE__, #left " == " #right, left_, right_);            \
	} while (0)

/* A call: 0 or a negative errno; EINTR is tried again. */
int t_call(int fd, unsigned long request, void *arg);

/* The render node of the n-th device, open; with DEVICE_INIT said. Ends the program on failure. */
int t_open_raw(int n);
int t_open(int n);
bool t_is_sim(int fd);

uint32_t t_bo(int fd, uint64_t size_b);
void t_bo_close(int fd, uint32_t handle);
void *t_bo_map(int fd, uint32_t handle, uint64_t size_b);
uint64_t t_vm(int fd);
int t_vm_map(int fd, uint64_t vm, uint32_t handle, uint64_t va, uint64_t size_b);
int t_vm_unmap(int fd, uint64_t vm, uint64_t va);
uint64_t t_context(int fd, uint64_t vm, uint32_t type);

struct t_semaphore {
	uint64_t handle;
	_Atomic uint64_t *value; /* mapped */
};
struct t_semaphore t_semaphore(int fd);
int t_signal(int fd, uint64_t vm, uint64_t handle, uint64_t value);
int t_wait(int fd, uint64_t handle, uint64_t value, uint64_t timeout_ns);

/* A DMA job with at most one check and one update; handle 0: none. */
int t_dma(int fd, uint64_t context, const struct drm_mtgpu_dma_cmd *cmds, unsigned int count,
	  struct drm_mtgpu_semaphore check, struct drm_mtgpu_semaphore update);
struct drm_mtgpu_dma_cmd t_copy(uint32_t dst, uint64_t dst_offset, uint32_t src,
				uint64_t src_offset, uint64_t size_b);

/* Writes to the attribute `inject` of the first device. */
void t_inject(const char *word);

#endif

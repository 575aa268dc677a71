/* SPDX-License-Identifier: MIT */
/*
 * Runs code objects of the mock GPU without the engine: a loader of one page, one host thread,
 * fibers by ucontext. Tests of the compiler use it to see what the compiler alone makes.
 */
#ifndef MTCC_TEST_HARNESS_H
#define MTCC_TEST_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define T_PARAMS_MAX 32

enum t_end { T_END_NORMAL, T_END_ASSERT, T_END_TRAP, T_END_STUCK };

struct t_param {
	uint64_t offset_b; /* in the argument image */
	uint64_t size_b;
	uint64_t align_b;
	uint64_t type;
	bool read_only;
	char name[64];
};

struct t_kernel {
	char name[256];
	void *entry;
	size_t param_count;
	struct t_param params[T_PARAMS_MAX];
	uint64_t kernarg_b;
	uint64_t shared_b;
	uint64_t max_threads;
	uint64_t private_b;
	bool fibers;
	bool barrier;
};

struct t_image;

struct t_dim {
	uint32_t x, y, z;
};

struct t_launch {
	struct t_dim grid, block; /* zero means one */
	uint32_t dynamic_shared_b;
	uint32_t warp_size; /* zero means 32 */
};

/* Loads the bundle that mtcc made; a test that cannot have it fails. */
struct t_image *t_image_open(const char *path);
void t_image_close(struct t_image *image);
size_t t_image_kernel_count(const struct t_image *image);
/* Kernel named @part, or the one whose mangled name contains it; else the test fails. */
struct t_kernel *t_image_kernel(struct t_image *image, const char *part);
/* Device variable by its symbol. */
void *t_image_variable(struct t_image *image, const char *name, size_t *size_b_out);

/* Runs a grid. @params as for a launch. */
enum t_end t_run(struct t_kernel *kernel, const struct t_launch *launch, void **params);

/* From now on counts what kernels read and write of these bytes; NULL: recording is off. */
void t_record(const void *base, size_t size_b);
uint64_t t_recorded(bool is_write);

/* What printf in kernels wrote since the last call of t_run(), and the last assert's text. */
const char *t_printed(void);
const char *t_assert_text(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Sample kernels of published form, for mp_21, mp_22 and mp_31 and, with the architecture's number
 * exchanged, for the mock GPU; and one object that has a bit of everything, to be damaged.
 */
#ifndef TESTS_CODEOBJ_SAMPLES_H
#define TESTS_CODEOBJ_SAMPLES_H

#include "drv/codeobj.h"
#include "tests/codeobj/builder.h"

/* One compiled kernel: its map as JSON, with the symbols that belong to it. */
struct sample {
	const char *name;
	uint32_t arch_id;
	const char *version;
	const char *map;
	const struct cob_symbol *symbols;
	size_t symbol_count;
	size_t text_size, bss_size;
};

extern const struct sample sample_histogram_22;
extern const struct sample sample_float_31;
extern const struct sample sample_scan_22;
extern const struct sample sample_dynamic_31;
extern const struct sample sample_indirect_31;
extern const struct sample sample_empty_31;
extern const struct sample sample_empty_22;
extern const struct sample *const samples[];
extern const size_t sample_count;

/* An ELF of a sample. `arch_id` 0 keeps its own; 900 makes an x86-64 object for the mock. */
void sample_elf(struct cob_buf *buf, const struct sample *sample, uint16_t type, uint32_t arch_id);
/* A bundle of a host entry and members of all four architectures with this kernel. */
void sample_bundle(struct cob_buf *buf, const struct sample *sample);

/*
 * The object to be damaged: kernels "alpha" (a constant-calculation program, static shared memory)
 * and "beta" (indirect parameter, block of immediates), variables "counter" (.data) and "table"
 * (.bss), an undefined local symbol, and, for the mock, relocations.
 */
extern const char sample_rich_metadata[];
void sample_rich_describe(struct cob_elf *elf, uint16_t type, uint16_t machine);
void sample_rich(struct cob_buf *buf, uint16_t type, uint16_t machine);
/* The same with other metadata. */
void sample_rich_with(struct cob_buf *buf, uint16_t type, uint16_t machine, const char *metadata);

/* Loads bytes as a bare ELF or bundle for an architecture; destroys the result at once. */
MUresult sample_try(const struct cob_buf *image, uint32_t arch_id, struct mt_codeobj_reason *why);
/* Loads and keeps; aborts the test when it is refused. */
struct mt_codeobj *sample_load(const struct cob_buf *image, uint32_t arch_id);

/*
 * Asserts that an image is refused as malformed for the reason that `text` says. The test fails
 * with `row` and what came instead.
 */
void sample_expect_reject(const struct cob_buf *image, const char *row, const char *text);
/* Asserts that the image loads, bare for its own architecture. */
void sample_expect_accept(const struct cob_buf *image, uint32_t arch_id, const char *row);

#endif

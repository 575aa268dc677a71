/* SPDX-License-Identifier: MIT */
/*
 * Code objects: finding, checking and describing the device code in a module image. This is host
 * code only: it knows no device and no context, and hands plain descriptions to the module loader.
 *
 *   file or bare pointer --open--> container (members) --load--> code object (private copy)
 *                                                                    |
 *          kernels, variables, segments, relocations  <--------------+
 *
 * Nothing in an image is trusted. A bare pointer is read through the kernel, which refuses
 * unmapped pages, so that no image, however short or wrong, makes the process fault.
 */
#ifndef MT_DRV_CODEOBJ_H
#define MT_DRV_CODEOBJ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "musa.h"

/* The mock GPU's own architecture and machine; no silicon has this number. */
#define MT_CODEOBJ_ARCH_MOCK      900u
#define MT_CODEOBJ_MACHINE_MOCK   62u  /* EM_X86_64 */
#define MT_CODEOBJ_MACHINE_VENDOR 253u /* what the vendor's linker writes */

#define MT_CODEOBJ_KERNARG_ALIGN_B 64u
#define MT_CODEOBJ_NONE            UINT64_MAX /* an offset that is not there */

/**
 * struct mt_codeobj_reason - Why an image was refused, for the log.
 * @text:	Static text; NULL if nothing was refused.
 * @unit:	What @position counts: "byte" (of the image, member or note), "member", "section",
 *		"segment", "symbol", "relocation", "kernel", "argument", "architecture" or
 *		"version". Static text.
 * @position:	Where.
 * @subject:	Name of the kernel or symbol that it is about, cut to fit; may be empty.
 */
struct mt_codeobj_reason {
	const char *text;
	const char *unit;
	uint64_t position;
	char subject[96];
};

/* --- Containers ------------------------------------------------------------------------------ */

enum mt_codeobj_shape {
	MT_CODEOBJ_SHAPE_BUNDLE = 1,
	MT_CODEOBJ_SHAPE_ELF = 2, /* one bare ELF; its architecture shows only when it is loaded */
};

struct mt_codeobj_member {
	const char *id;    /* owned by the container; empty for a bare ELF */
	uint32_t arch_id;  /* mp_XY is XY0; 0 for host and foreign entries and for a bare ELF */
	uint64_t offset_b; /* from the container's first byte */
	uint64_t size_b;   /* 0: an entry without contents */
};

/* An opened image. Not thread-safe: reading it uses a cache. */
struct mt_codeobj_container;

/* Take any wrapper struct {magic, version, image, reserved}, whatever its magic. */
#define MT_CODEOBJ_OPEN_ANY_WRAPPER 0x1u

/**
 * mt_codeobj_container_open_file() - Open a bundle or a bare ELF in a file.
 * @path:	Borrowed.
 * @container_out: [out] Owned by the caller; it holds the file open until it is closed.
 * @why:	[out] Reason of a refusal; may be NULL.
 *
 * Errors:	MUSA_ERROR_FILE_NOT_FOUND  cannot be opened, or is no regular file
 *		MUSA_ERROR_INVALID_IMAGE   neither shape, or malformed, or cut short
 */
MUresult mt_codeobj_container_open_file(const char *path,
					struct mt_codeobj_container **container_out,
					struct mt_codeobj_reason *why);

/**
 * mt_codeobj_container_open_memory() - Open a wrapper, a bundle or a bare ELF without a length.
 * @image:	Borrowed until the container is closed. May point anywhere: the kernel is asked
 *		for every page before it is read.
 * @flags:	MT_CODEOBJ_OPEN_*.
 *
 * The extent follows from the image's own tables, and all of it must be readable; it may lie
 * across several mappings.
 *
 * Errors:	MUSA_ERROR_INVALID_IMAGE   as above, or part of it cannot be read
 *		MUSA_ERROR_INVALID_VALUE   @image is NULL or @flags has an unknown bit
 */
MUresult mt_codeobj_container_open_memory(const void *image, uint32_t flags,
					  struct mt_codeobj_container **container_out,
					  struct mt_codeobj_reason *why);

/* Accepts NULL. Code objects loaded from the container stay valid. */
void mt_codeobj_container_close(struct mt_codeobj_container *container);

enum mt_codeobj_shape mt_codeobj_container_shape(const struct mt_codeobj_container *container);
uint32_t mt_codeobj_container_count(const struct mt_codeobj_container *container);
const struct mt_codeobj_member *
mt_codeobj_container_member(const struct mt_codeobj_container *container, uint32_t index);

/* --- Code objects ---------------------------------------------------------------------------- */

/* What an entry of a kernel's argument list is. Values are those of the metadata. */
enum mt_codeobj_kind {
	MT_CODEOBJ_KIND_THREAD_X = 1,
	MT_CODEOBJ_KIND_THREAD_Y = 2,
	MT_CODEOBJ_KIND_THREAD_Z = 3,
	MT_CODEOBJ_KIND_BLOCK_X = 5,
	MT_CODEOBJ_KIND_BLOCK_Y = 6,
	MT_CODEOBJ_KIND_BLOCK_Z = 7,
	MT_CODEOBJ_KIND_BLOCK_DIM_X = 9,
	MT_CODEOBJ_KIND_BLOCK_DIM_Y = 10,
	MT_CODEOBJ_KIND_BLOCK_DIM_Z = 11,
	MT_CODEOBJ_KIND_GRID_DIM_X = 13,
	MT_CODEOBJ_KIND_GRID_DIM_Y = 14,
	MT_CODEOBJ_KIND_GRID_DIM_Z = 15,
	MT_CODEOBJ_KIND_EXPLICIT = 18, /* the user's parameters; all other kinds are hidden */
	MT_CODEOBJ_KIND_SPILL_BASE = 19,
	MT_CODEOBJ_KIND_CORE_NUMBER = 23,
	MT_CODEOBJ_KIND_CONST_CALC = 25,
	MT_CODEOBJ_KIND_PROG_ADDR = 33,
	MT_CODEOBJ_KIND_PROG_SIZE = 34,
};

enum mt_codeobj_bank {
	MT_CODEOBJ_BANK_THREAD = 2,  /* per-thread registers */
	MT_CODEOBJ_BANK_KERNARG = 3, /* uniform words: the kernarg image */
	MT_CODEOBJ_BANK_SHARED = 5,  /* words of block-shared memory */
};

/* One entry of the argument list, as the metadata gives it. */
struct mt_codeobj_arg {
	const char *name;    /* for people only; may be empty */
	uint32_t kind;       /* enum mt_codeobj_kind, or a number not known here */
	uint32_t reg_bank;   /* enum mt_codeobj_bank */
	uint32_t word;       /* offset in the bank, in 32-bit words */
	uint32_t word_count; /* words that it occupies: 2 if indirect */
	uint32_t size_b;     /* size of the value in host memory */
	uint32_t align_b;
	uint32_t type;
	uint32_t input_mode; /* 2: the code does not read it; it is still a launch argument */
	bool indirect;       /* the words hold the device address of the value */
	bool read_only;      /* .mt_read_only: a pointer through which the kernel does not write */
};

/* One explicit parameter, in declaration order. */
struct mt_codeobj_param {
	uint32_t arg; /* index into the kernel's args */
	uint32_t size_b;
	uint32_t packed_b; /* offset in the packed launch buffer */
	uint32_t image_b;  /* offset of the value's bytes in the kernarg image */
	uint32_t pair_b;   /* indirect: offset of the word pair for its address, else UINT32_MAX */
};

/* Copies `size_b` bytes of the packed buffer to the image; adjacent parameters are merged. */
struct mt_codeobj_copy {
	uint32_t packed_b, image_b, size_b;
};

/* `count` consecutive 32-bit words to be in the image when the kernel starts. */
struct mt_codeobj_immediate {
	uint32_t word, count;
	const uint32_t *values;
};

/* A word (or pair) of the image that the driver fills, not the caller. */
struct mt_codeobj_hidden {
	uint32_t kind, word, word_count;
};

/**
 * struct mt_codeobj_kernel - All that a launch needs to know of a kernel.
 *
 * The kernarg image has the kernel's uniform words first and the objects of indirect parameters
 * behind, each at a multiple of 64; it wants a device address that is a multiple of 64.
 */
struct mt_codeobj_kernel {
	const char *name;
	uint32_t arch_id;
	uint64_t entry_b; /* offset of the code in the image */
	uint64_t code_size_b;
	uint64_t const_calc_b; /* offset of the constant-calculation program, or MT_CODEOBJ_NONE */
	uint64_t const_calc_size_b;

	const struct mt_codeobj_arg *args;
	uint32_t arg_count;
	const struct mt_codeobj_param *params;
	uint32_t param_count;
	uint32_t packed_end_b;  /* end of the last parameter: shortest packed buffer taken */
	uint32_t packed_size_b; /* size of the packed struct, its tail padding included */

	uint32_t kernarg_size_b; /* whole image */
	uint32_t uniform_size_b; /* its uniform words: .shared_reg_count * 4 */
	const struct mt_codeobj_copy *copies;
	uint32_t copy_count;
	const struct mt_codeobj_immediate *immediates;
	uint32_t immediate_count;
	const struct mt_codeobj_hidden *hidden;
	uint32_t hidden_count;
	uint32_t indirect_count;

	/* Why this kernel cannot be launched although its module is good; NULL if it can. Looking
	 * it up is MUSA_ERROR_NOT_SUPPORTED then. */
	const char *unsupported;

	uint32_t shared_size_b;     /* block-shared memory without the dynamic part */
	uint32_t shared_symbol_b;   /* size of the kernel's `.sm` symbol, 0 without one */
	uint32_t shared_reserved_b; /* words at its start that belong to the hardware */
	uint32_t private_size_b;    /* per thread */
	uint32_t temp_reg_count;    /* "number of registers" */
	uint32_t attr_reg_count;
	uint32_t internal_reg_count;
	uint32_t slot_reg_count;
	uint32_t uniform_reg_count; /* .shared_reg_count */
	uint32_t wave_mode;         /* 0: waves of 128, 1: waves of 32 */
	uint32_t cluster_x, cluster_y, cluster_z;
	uint32_t max_threads; /* .mt_max_threads; 0: only the device's limit */
	uint32_t abi;         /* .mt_abi: version of the block-entry contract; 0 without */
	bool has_barrier;
	bool has_cluster_barrier;
	bool has_texture;
	bool records; /* .mt_records: tells the engine of every access */
	bool graph_launch; /* .mt_graph_launch: launches graphs from device code */
};

struct mt_codeobj_variable {
	const char *name;
	uint64_t offset_b; /* in the image */
	uint64_t size_b;
};

#define MT_CODEOBJ_SEGMENT_EXEC  0x1u
#define MT_CODEOBJ_SEGMENT_WRITE 0x2u
#define MT_CODEOBJ_SEGMENT_READ  0x4u

/* A piece of the image: a LOAD segment, or an allocatable section of an unlinked object. */
struct mt_codeobj_segment {
	uint64_t offset_b;   /* in the image */
	uint64_t file_b;     /* bytes that come from the object */
	uint64_t memory_b;   /* bytes in the image; what is past file_b is zero */
	const uint8_t *data; /* file_b bytes, owned by the code object */
	uint32_t flags;      /* MT_CODEOBJ_SEGMENT_* */
};

enum mt_codeobj_reloc_kind {
	MT_CODEOBJ_RELOC_ADDRESS = 1, /* 64 bits: load address + value */
	MT_CODEOBJ_RELOC_CONST64 = 2, /* 64 bits: value */
	MT_CODEOBJ_RELOC_CONST32 = 3, /* low 32 bits of value */
};

/* A relocation with its symbol and addend already resolved. */
struct mt_codeobj_reloc {
	uint64_t offset_b; /* where, in the image */
	uint64_t value;
	uint32_t kind; /* enum mt_codeobj_reloc_kind */
	uint32_t type; /* the machine's own number, for people */
};

/**
 * struct mt_codeobj - A checked code object.
 *
 * Immutable once loaded, so any number of threads may read it. Everything it points to is its own.
 */
struct mt_codeobj {
	uint32_t machine;
	uint32_t arch_id; /* of its kernels; 0 if it has none and its container names none */
	uint32_t version_major, version_minor;
	bool linked; /* ET_DYN, else ET_REL */
	const uint8_t *elf; /* the file as it was read, elf_b bytes */
	uint64_t elf_b;

	uint64_t image_size_b;
	uint64_t image_align_b;                    /* of the load address */
	const struct mt_codeobj_segment *segments; /* by ascending offset */
	uint32_t segment_count;
	const struct mt_codeobj_kernel *kernels; /* sorted by name */
	uint32_t kernel_count;
	const struct mt_codeobj_variable *variables; /* sorted by name */
	uint32_t variable_count;
	const struct mt_codeobj_reloc *relocs;
	uint32_t reloc_count;
};

/**
 * mt_codeobj_load() - Load the code object for an architecture.
 * @arch_id:	Exact match; no architecture runs another's code.
 * @codeobj_out: [out] Owned by the caller.
 * @why:	[out] Reason of a refusal; may be NULL.
 *
 * Errors:	MUSA_ERROR_NO_BINARY_FOR_GPU  the container is good but has nothing for @arch_id, or
 *					      its code is for another version of the mock GPU
 *		MUSA_ERROR_INVALID_IMAGE      a member is malformed. If none is for @arch_id the
 *					      others are checked, so that a broken image is not
 *					      taken for a good one of another architecture
 *		MUSA_ERROR_OUT_OF_MEMORY
 */
MUresult mt_codeobj_load(struct mt_codeobj_container *container, uint32_t arch_id,
			 struct mt_codeobj **codeobj_out, struct mt_codeobj_reason *why);

/* The same for one member, whatever its architecture. MUSA_ERROR_INVALID_VALUE for an index out of
 * range, or of a host or empty entry. */
MUresult mt_codeobj_load_member(struct mt_codeobj_container *container, uint32_t index,
				struct mt_codeobj **codeobj_out, struct mt_codeobj_reason *why);

void mt_codeobj_destroy(struct mt_codeobj *codeobj); /* accepts NULL */

/* By exact name; NULL if there is none. O(log n). */
const struct mt_codeobj_kernel *mt_codeobj_find_kernel(const struct mt_codeobj *codeobj,
						       const char *name);
const struct mt_codeobj_variable *mt_codeobj_find_variable(const struct mt_codeobj *codeobj,
							   const char *name);

/**
 * mt_codeobj_relocate() - Write the image as it must look at a load address.
 * @image:	image_size_b bytes, all of which are written.
 * @size_b:	Size of @image.
 * @address:	Load address, a multiple of image_align_b.
 *
 * Errors:	MUSA_ERROR_INVALID_VALUE  @size_b too small or @address misaligned; nothing written
 */
MUresult mt_codeobj_relocate(const struct mt_codeobj *codeobj, void *image, uint64_t size_b,
			     uint64_t address);

/* --- Launch arguments ------------------------------------------------------------------------ */

/* Values of the hidden inputs of a launch. */
struct mt_codeobj_launch {
	uint32_t grid[3], block[3];
	uint64_t spill_base; /* device address, 0 where there is none */
	uint32_t core_number;
	uint64_t code_address; /* device address of the kernel's code */
};

/**
 * mt_codeobj_pack_params() - Fill a kernarg image from an array of pointers to the values.
 * @params:	One pointer for every parameter, unused ones too; NULL if the kernel has none.
 * @image:	kernarg_size_b bytes; all are written: values, immediates, zero elsewhere.
 * @image_address: Device address that the image will have, for indirect parameters.
 *
 * Cost:	O(parameters); no allocation.
 * Errors:	MUSA_ERROR_INVALID_VALUE  a missing pointer; @image is not written
 */
MUresult mt_codeobj_pack_params(const struct mt_codeobj_kernel *kernel, void *const *params,
				void *image, uint64_t image_address);

/* The same from a packed struct of `size_b` bytes; a longer one is taken, a shorter one refused. */
MUresult mt_codeobj_pack_buffer(const struct mt_codeobj_kernel *kernel, const void *buffer,
				size_t size_b, void *image, uint64_t image_address);

/* The same from a launch's `extra` list {POINTER, p, SIZE, &size, END}, in any order. An unknown
 * tag or a missing part is MUSA_ERROR_INVALID_VALUE. */
MUresult mt_codeobj_pack_extra(const struct mt_codeobj_kernel *kernel, void *const *extra,
			       void *image, uint64_t image_address);

/* Rewrites the addresses of indirect parameters for an image that moves to `image_address`. */
void mt_codeobj_pack_address(const struct mt_codeobj_kernel *kernel, void *image,
			     uint64_t image_address);

/* Fills the hidden uniform words. */
void mt_codeobj_pack_hidden(const struct mt_codeobj_kernel *kernel, void *image,
			    const struct mt_codeobj_launch *launch);

#endif

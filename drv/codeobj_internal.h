/* SPDX-License-Identifier: MIT */
/*
 * Shared between the files that check and describe code objects. Every function here that returns
 * a MUresult has filled the reason when it is not MUSA_SUCCESS.
 */
#ifndef MT_DRV_CODEOBJ_INTERNAL_H
#define MT_DRV_CODEOBJ_INTERNAL_H

#include <elf.h>
#include <libelf.h>
#include <msgpack.h>
#include <string.h>

#include "drv/codeobj.h"
#include "hw/base/arena.h"

/* Limits on what an image may ask for. Real objects stay far below all of them. */
#define MT_CODEOBJ_ID_MAX_B          4096u  /* of a bundle entry's id */
#define MT_CODEOBJ_UNIFORM_MAX       65536u /* words of a kernel's uniform registers */
#define MT_CODEOBJ_PARAM_MAX_B       65536u /* size of one parameter */
#define MT_CODEOBJ_PARAM_ALIGN_MAX_B 4096u
#define MT_CODEOBJ_PARAMS_MAX_B      (1u << 24) /* all parameters together, packed */
#define MT_CODEOBJ_IMAGE_ALIGN_MAX_B (1u << 21)
#define MT_CODEOBJ_DEPTH_MAX         8u /* nesting of the metadata; real depth is 6 */

/* Records a reason; returns MUSA_ERROR_INVALID_IMAGE. */
MUresult mt_codeobj_reject(struct mt_codeobj_reason *why, const char *text, const char *unit,
			   uint64_t position);
/* The same with the name of what it is about; need not be terminated. */
MUresult mt_codeobj_reject_named(struct mt_codeobj_reason *why, const char *text, const char *unit,
				 uint64_t position, const char *name, size_t name_b);
/* Records that memory ran out; returns MUSA_ERROR_OUT_OF_MEMORY. */
MUresult mt_codeobj_no_memory(struct mt_codeobj_reason *why);

static inline bool mt_codeobj_is_power_of_two(uint64_t value)
{
	return value && !(value & (value - 1));
}

static inline bool mt_codeobj_within(uint64_t offset, uint64_t size, uint64_t limit)
{
	return offset <= limit && size <= limit - offset;
}

/* Rounds up to a power of two; false if that overflows. */
static inline bool mt_codeobj_align(uint64_t value, uint64_t align, uint64_t *aligned_out)
{
	return !__builtin_add_overflow(value, align - 1, aligned_out) &&
	       (*aligned_out &= ~(align - 1), true);
}

/* --- Guarded reads (codeobj_reader.c) -------------------------------------------------------- */

#define MT_CODEOBJ_PAGE_B 4096u

/*
 * Source of an image: a file of known size, or an address without an end. Not thread-safe.
 */
struct mt_codeobj_reader {
	int fd;            /* owned; -1 for memory */
	uint64_t size_b;   /* of the file; UINT64_MAX for memory */
	uintptr_t address; /* of memory */
	int pipe[2];       /* owned; -1 unless process_vm_readv() is refused here */
	uint64_t cached;   /* number of the page in `page`, UINT64_MAX if none */
	uint32_t cached_b; /* valid bytes of it, from its start */
	uint8_t page[MT_CODEOBJ_PAGE_B];
};

void mt_codeobj_reader_init_memory(struct mt_codeobj_reader *reader, const void *address);
/* 0 or negative errno. */
int mt_codeobj_reader_init_file(struct mt_codeobj_reader *reader, const char *path);
void mt_codeobj_reader_finish(struct mt_codeobj_reader *reader);
/* Small reads, page by page through the cache. 0, or -EFAULT if a byte is not there. */
int mt_codeobj_reader_read(struct mt_codeobj_reader *reader, uint64_t offset, void *bytes,
			   size_t size_b);
/* Large reads, straight into the caller's memory. */
int mt_codeobj_reader_copy(struct mt_codeobj_reader *reader, uint64_t offset, void *bytes,
			   uint64_t size_b);
/* Checks that every page of a range can be read. */
int mt_codeobj_reader_probe(struct mt_codeobj_reader *reader, uint64_t offset, uint64_t size_b);

/* --- The ELF file (codeobj_elf.c) ------------------------------------------------------------ */

struct mt_codeobj_symbol {
	const char *name;  /* in the private copy, terminated */
	uint64_t offset_b; /* in the image */
	uint64_t size_b;
	uint32_t section;
	uint32_t index;
};

/* A code object while it is being loaded. */
struct mt_codeobj_loader {
	struct mt_codeobj_reason *why;
	struct mt_codeobj *codeobj; /* what is being filled */
	struct mt_arena *arena;     /* of the code object: what stays */
	struct mt_arena scratch;    /* what goes when loading ends */
	uint32_t member_arch_id;    /* of the bundle entry; 0 for a bare ELF */

	const uint8_t *data; /* the private copy */
	uint64_t size_b;
	Elf *elf; /* owned */
	Elf64_Ehdr header;
	Elf64_Shdr *sections;     /* scratch; header.e_shnum of them */
	Elf64_Phdr *programs;     /* scratch; header.e_phnum of them */
	uint64_t *section_offset; /* scratch; place in the image, MT_CODEOBJ_NONE if not loaded */
	uint64_t base; /* lowest address of a linked object, what image offsets start at */

	/* From the symbol tables, each sorted by name; scratch. */
	struct mt_codeobj_symbol *functions, *shared;
	uint32_t function_count, shared_count;
	uint32_t symtab; /* section number of the table that relocations name; 0 if none */
	const uint8_t *symbol_data;
	uint64_t symbol_count;
	uint64_t name_budget_b; /* name bytes that may still be read */
};

/* Extent of the ELF at the start of a reader, from its tables alone. */
MUresult mt_codeobj_elf_extent(struct mt_codeobj_reader *reader, uint64_t *size_out,
			       struct mt_codeobj_reason *why);
/* Checks headers and tables; fills elf, header, sections, programs. */
MUresult mt_codeobj_elf_check(struct mt_codeobj_loader *loader);
/* Contents of a section; NULL data if it is empty. */
MUresult mt_codeobj_elf_data(struct mt_codeobj_loader *loader, uint32_t section,
			     const uint8_t **data_out, uint64_t *size_out);

/* codeobj_image.c: segments and size of the image. */
MUresult mt_codeobj_image_lay_out(struct mt_codeobj_loader *loader);
/* Image offset of a range in a section or of an address; false if it is not in the image. */
bool mt_codeobj_image_place(const struct mt_codeobj_loader *loader, uint32_t section,
			    uint64_t value, uint64_t size_b, uint64_t *offset_out);
/* Whether [offset, offset + size) lies in one segment that has all of `flags`. */
bool mt_codeobj_image_covers(const struct mt_codeobj *codeobj, uint64_t offset_b, uint64_t size_b,
			     uint32_t flags);

/* codeobj_symbol.c: fills functions, shared and the code object's variables. */
MUresult mt_codeobj_symbols_read(struct mt_codeobj_loader *loader);
const struct mt_codeobj_symbol *mt_codeobj_symbol_find(const struct mt_codeobj_symbol *symbols,
						       uint32_t count, const char *name);

/* codeobj_reloc.c: resolves the relocations against loaded parts. */
MUresult mt_codeobj_relocs_read(struct mt_codeobj_loader *loader);

/* codeobj_note.c: finds the one metadata note. */
MUresult mt_codeobj_note_find(struct mt_codeobj_loader *loader, const uint8_t **desc_out,
			      uint64_t *desc_size_out);

/* --- Metadata -------------------------------------------------------------------------------- */

/* codeobj_msgpack.c: checks the bytes, then decodes them; the caller destroys the result. */
MUresult mt_codeobj_msgpack_decode(struct mt_codeobj_loader *loader, const uint8_t *data,
				   uint64_t size_b, msgpack_unpacked *unpacked_out);

enum mt_codeobj_field_type {
	MT_CODEOBJ_FIELD_U32 = 1, /* uint32_t */
	MT_CODEOBJ_FIELD_BOOL,    /* bool */
	MT_CODEOBJ_FIELD_STRING,  /* msgpack_object_str */
	MT_CODEOBJ_FIELD_ARRAY,   /* msgpack_object_array */
	MT_CODEOBJ_FIELD_MAP,     /* msgpack_object_map */
};

/* A known key of a map, where its value goes, and whether the map needs it. */
struct mt_codeobj_field {
	const char *key;
	enum mt_codeobj_field_type type;
	bool required;
	size_t offset;
};

/*
 * Reads the known keys of a map into `object`; unknown keys are skipped. Fields that are not there
 * keep what they have. NULL, or the static text of what is wrong.
 */
const char *mt_codeobj_fields_read(const msgpack_object_map *map,
				   const struct mt_codeobj_field *fields, size_t field_count,
				   void *object);

/* codeobj_metadata.c: kernels from the decoded metadata. */
MUresult mt_codeobj_metadata_read(struct mt_codeobj_loader *loader, const uint8_t *desc,
				  uint64_t desc_size_b);

/* codeobj_args.c: argument list and immediates of a kernel. Fills args, arg_count, immediates and
 * immediate_count; uniform_reg_count is set already. NULL or static text; *argument_out says
 * where, and *no_memory_out whether memory ran out instead. */
const char *mt_codeobj_args_read(struct mt_codeobj_loader *loader, const msgpack_object_array *list,
				 struct mt_codeobj_kernel *kernel, uint64_t *argument_out,
				 bool *no_memory_out);
const char *mt_codeobj_immediates_read(struct mt_codeobj_loader *loader,
				       const msgpack_object_array *list,
				       const msgpack_object_map *block,
				       struct mt_codeobj_kernel *kernel, uint64_t *argument_out,
				       bool *no_memory_out);

/* codeobj_kernarg.c: checks the uniform words of a kernel for overlap, then lays out its kernarg
 * image and packed buffer. Same result as mt_codeobj_args_read(). */
const char *mt_codeobj_kernarg_lay_out(struct mt_codeobj_loader *loader,
				       struct mt_codeobj_kernel *kernel, uint64_t *argument_out,
				       bool *no_memory_out);

#endif

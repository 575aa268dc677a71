/* SPDX-License-Identifier: MIT */
/*
 * Builds code objects byte by byte for tests: metadata, ELF objects and bundles, of the same form
 * as published ones. It shares nothing with the loader, so that each checks the other. Every
 * function aborts when memory runs out; buffers are freed with cob_free().
 */
#ifndef TESTS_CODEOBJ_BUILDER_H
#define TESTS_CODEOBJ_BUILDER_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cob_buf {
	uint8_t *data; /* owned */
	size_t size, room;
};

void cob_free(struct cob_buf *buf);
void cob_bytes(struct cob_buf *buf, const void *bytes, size_t size);
void cob_zero(struct cob_buf *buf, size_t size);
void cob_align(struct cob_buf *buf, size_t align); /* zero padding */
void cob_u32(struct cob_buf *buf, uint32_t value);
void cob_u64(struct cob_buf *buf, uint64_t value);
char *cob_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A copy of `text` with the first `from` replaced; aborts if there is none. */
char *cob_replace(const char *text, const char *from, const char *to);

/*
 * Metadata is written as JSON and becomes MessagePack in the shortest encodings, with two
 * additions: `nil`, and raw bytes as <hex>, which stand for whatever they encode. A map may have
 * any value as a key. Strings know \" and \0 only.
 */
void cob_msgpack(struct cob_buf *buf, const char *json);

/* One entry of .args, from the columns kind, input mode, bank, offset, size, align, type, name. */
#define COB_ARG(kind, mode, bank, offset, size, align, type, name)                                 \
	"{\".argBase\":{\".address_space\":0,\".align\":" #align ",\".isVolatile\":false,"         \
	"\".layout\":0,\".name\":\"" name "\",\".offset\":" #offset ",\".reg_bank\":" #bank        \
	",\".size\":" #size ",\".type\":" #type "},\".input_mode\":" #mode ",\".kind\":" #kind "}"
#define COB_IMM(offset, value) "{\".immBase\":{\".offset\":" #offset ",\".value\":" #value "}}"
/* A whole descriptor around kernel maps. */
#define COB_DESC(kernels, version)                                                                 \
	"{\"mtgpu.kernels\":[" kernels "],\"mtgpu.version\":[" version "]}"

/* --- ELF ------------------------------------------------------------------------------------- */

enum cob_place { /* the section of a symbol or of a relocation's place */
		 COB_UNDEF = 0,
		 COB_TEXT,
		 COB_DATA,
		 COB_BSS,
		 COB_DEBUG, /* not loaded */
		 COB_ABS,
		 COB_COMMON,
};

struct cob_symbol {
	const char *name;
	uint8_t bind, type, visibility; /* STB_*, STT_*, STV_* */
	enum cob_place place;
	uint64_t value; /* offset in the section */
	uint64_t size;
};

struct cob_reloc {
	enum cob_place place; /* section whose bytes change */
	uint64_t offset;      /* in it */
	uint32_t type;
	const char *symbol; /* NULL: symbol 0 */
	int64_t addend;     /* for a RELATIVE one: offset in `addend_place` */
	enum cob_place addend_place;
};

struct cob_elf {
	uint16_t type;        /* ET_DYN or ET_REL */
	uint16_t machine;     /* 253 or 62 */
	const char *metadata; /* JSON; NULL: no note */
	const void *text;
	size_t text_size;
	const void *data; /* of .data */
	size_t data_size;
	size_t bss_size;
	const struct cob_symbol *symbols;
	size_t symbol_count;
	const struct cob_reloc *relocs;
	size_t reloc_count;
	bool short_owner; /* note owner without its NUL */
	bool other_note;  /* a foreign note before the metadata */
	bool second_note; /* the metadata twice */
	bool no_symtab;   /* linked: .dynsym only */
	uint64_t base;    /* linked: address of the first byte */
};

void cob_elf(struct cob_buf *buf, const struct cob_elf *elf);

/* Headers inside a built ELF, to be damaged. */
Elf64_Ehdr *cob_ehdr(struct cob_buf *elf);
Elf64_Shdr *cob_shdr(struct cob_buf *elf, const char *name); /* aborts if there is none */
uint32_t cob_shndx(struct cob_buf *elf, const char *name);
Elf64_Phdr *cob_phdr(struct cob_buf *elf, uint32_t type, uint32_t flags); /* first that matches */
Elf64_Sym *cob_sym(struct cob_buf *elf, const char *table, const char *name);
uint8_t *cob_note(struct cob_buf *elf); /* first byte of .note */

/* --- Bundles --------------------------------------------------------------------------------- */

struct cob_member {
	const char *id;
	const struct cob_buf *contents; /* NULL: an empty entry */
};

#define COB_ID_HOST "host-x86_64-unknown-linux"
#define COB_ID_21   "musa-mtgpu-mt-musa--mp_21"
#define COB_ID_22   "musa-mtgpu-mt-musa--mp_22"
#define COB_ID_31   "musa-mtgpu-mt-musa--mp_31"
#define COB_ID_MOCK "musa-mtgpu-mt-musa--mp_90"

/* Members at multiples of 4096, zeroes between them. */
void cob_bundle(struct cob_buf *buf, const struct cob_member *members, size_t count);
/* A bundle's entry table, to be damaged: bytes of entry `index` {offset, size, id length, id}. */
uint8_t *cob_entry(struct cob_buf *bundle, size_t index);

/* --- Objects for the mock GPU ---------------------------------------------------------------- */

/* A kernel whose block entry is x86-64 code written by hand. */
struct cob_mock_kernel {
	const char *name;
	const void *code;
	size_t code_size;
	const uint32_t *param_sizes; /* 1, 2, 4, 8 or 16 bytes, aligned to their size */
	size_t param_count;
	uint32_t static_shared;
	bool has_barrier;
};

/* A global variable with its first bytes; the rest of it is zero. */
struct cob_mock_variable {
	const char *name;
	const void *init;
	size_t init_size, size;
};

/* Parameters start at this word, each in the next aligned place. */
#define COB_MOCK_FIRST_WORD 14u

/* A linked object: bare, or as the only device member of a bundle. */
void cob_mock_elf(struct cob_buf *buf, const struct cob_mock_kernel *kernels, size_t kernel_count,
		  const struct cob_mock_variable *variables, size_t variable_count);
void cob_mock_bundle(struct cob_buf *buf, const struct cob_mock_kernel *kernels,
		     size_t kernel_count, const struct cob_mock_variable *variables,
		     size_t variable_count);

/* Block entry that does nothing. */
extern const uint8_t cob_code_return[1];
/* Block entry of `void kernel(uint32_t *to, uint32_t value)`: every block stores once. */
#define COB_CODE_STORE_B 15u
void cob_code_store(uint8_t code[COB_CODE_STORE_B]);

#endif

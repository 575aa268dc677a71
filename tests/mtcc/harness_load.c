/* SPDX-License-Identifier: MIT */
/* Bundle, ELF and metadata: as little as the tests need, by its own reading of the format. */
#include <criterion/criterion.h>
#include <elf.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "hw/softgpu/device_abi.h"
#include "tests/mtcc/harness.h"

#define MEMBER_ID "musa-mtgpu-mt-musa--mp_90"

struct t_image {
	unsigned char *file; /* owned */
	size_t file_b;
	unsigned char *elf;  /* the member, inside file */
	unsigned char *base; /* owned; mapped */
	size_t base_b;
	struct t_kernel *kernels; /* owned */
	size_t kernel_count;
};

static void read_file(struct t_image *image, const char *path)
{
	FILE *file = fopen(path, "rb");
	long size;

	cr_assert(file, "%s cannot be opened", path);
	cr_assert(!fseek(file, 0, SEEK_END));
	size = ftell(file);
	rewind(file);
	image->file_b = (size_t)size;
	image->file = malloc(image->file_b);
	cr_assert(image->file && fread(image->file, 1, image->file_b, file) == image->file_b);
	fclose(file);
}

static void find_member(struct t_image *image)
{
	uint64_t count, entry[3];
	size_t at = 24;

	cr_assert(image->file_b > 32 && !memcmp(image->file, "__CLANG_OFFLOAD_BUNDLE__", 24));
	memcpy(&count, image->file + at, 8);
	at += 8;
	for (uint64_t i = 0; i < count; i++) {
		memcpy(entry, image->file + at, sizeof(entry));
		at += sizeof(entry);
		if (entry[2] == strlen(MEMBER_ID) &&
		    !memcmp(image->file + at, MEMBER_ID, entry[2])) {
			cr_assert(entry[0] % 4096 == 0 && entry[0] + entry[1] == image->file_b);
			image->elf = image->file + entry[0];
		}
		at += entry[2];
	}
	cr_assert(image->elf, "the bundle has no member " MEMBER_ID);
}

static Elf64_Shdr *section(struct t_image *image, uint32_t type)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)image->elf;
	Elf64_Shdr *sections = (Elf64_Shdr *)(image->elf + header->e_shoff);

	for (int i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == type)
			return &sections[i];
	return NULL;
}

static void map_segments(struct t_image *image)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)image->elf;
	Elf64_Phdr *segments = (Elf64_Phdr *)(image->elf + header->e_phoff);

	cr_assert(header->e_type == ET_DYN && header->e_machine == EM_X86_64);
	for (int i = 0; i < header->e_phnum; i++)
		if (segments[i].p_type == PT_LOAD &&
		    segments[i].p_vaddr + segments[i].p_memsz > image->base_b)
			image->base_b = segments[i].p_vaddr + segments[i].p_memsz;
	image->base = mmap(NULL, image->base_b, PROT_READ | PROT_WRITE | PROT_EXEC,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert(image->base != MAP_FAILED);
	for (int i = 0; i < header->e_phnum; i++)
		if (segments[i].p_type == PT_LOAD)
			memcpy(image->base + segments[i].p_vaddr, image->elf + segments[i].p_offset,
			       segments[i].p_filesz);
}

static Elf64_Sym *symbols(struct t_image *image, size_t *count, const char **names)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)image->elf;
	Elf64_Shdr *sections = (Elf64_Shdr *)(image->elf + header->e_shoff);
	Elf64_Shdr *dynsym = section(image, SHT_DYNSYM);

	cr_assert(dynsym);
	*count = dynsym->sh_size / sizeof(Elf64_Sym);
	*names = (char *)image->elf + sections[dynsym->sh_link].sh_offset;
	return (Elf64_Sym *)(image->elf + dynsym->sh_offset);
}

static Elf64_Sym *find_symbol(struct t_image *image, const char *name, int type)
{
	const char *names;
	size_t count;
	Elf64_Sym *table = symbols(image, &count, &names);

	for (size_t i = 1; i < count; i++) {
		cr_assert(table[i].st_shndx != SHN_UNDEF, "%s is undefined",
			  names + table[i].st_name);
		if (!strcmp(names + table[i].st_name, name) &&
		    ELF64_ST_TYPE(table[i].st_info) == type &&
		    ELF64_ST_BIND(table[i].st_info) == STB_GLOBAL &&
		    ELF64_ST_VISIBILITY(table[i].st_other) == STV_PROTECTED && table[i].st_size)
			return &table[i];
	}
	return NULL;
}

static void relocate(struct t_image *image)
{
	Elf64_Shdr *rela = section(image, SHT_RELA);
	const char *names;
	size_t count;
	Elf64_Sym *table = symbols(image, &count, &names);

	for (size_t i = 0; rela && i < rela->sh_size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela *row = (Elf64_Rela *)(image->elf + rela->sh_offset) + i;
		uint64_t value = (uint64_t)(uintptr_t)image->base + (uint64_t)row->r_addend;

		switch (ELF64_R_TYPE(row->r_info)) {
		case R_X86_64_NONE:
			continue;
		case R_X86_64_RELATIVE:
			break;
		case R_X86_64_64:
		case R_X86_64_GLOB_DAT:
		case R_X86_64_JUMP_SLOT:
			value += table[ELF64_R_SYM(row->r_info)].st_value;
			break;
		default:
			cr_assert_fail("relocation type %u",
				       (unsigned int)ELF64_R_TYPE(row->r_info));
		}
		memcpy(image->base + row->r_offset, &value, sizeof(value));
	}
}

static const msgpack_object *get(const msgpack_object *map, const char *key)
{
	cr_assert(map->type == MSGPACK_OBJECT_MAP);
	for (uint32_t i = 0; i < map->via.map.size; i++) {
		const msgpack_object *name = &map->via.map.ptr[i].key;

		if (name->via.str.size == strlen(key) &&
		    !memcmp(name->via.str.ptr, key, strlen(key)))
			return &map->via.map.ptr[i].val;
	}
	cr_assert_fail("the metadata has no %s", key);
	return NULL;
}

static uint64_t get_number(const msgpack_object *map, const char *key)
{
	const msgpack_object *value = get(map, key);

	cr_assert(value->type == MSGPACK_OBJECT_POSITIVE_INTEGER, "%s is no number", key);
	return value->via.u64;
}

static void get_text(const msgpack_object *map, const char *key, char *out, size_t out_b)
{
	const msgpack_object *value = get(map, key);

	cr_assert(value->type == MSGPACK_OBJECT_STR && value->via.str.size < out_b);
	memcpy(out, value->via.str.ptr, value->via.str.size);
	out[value->via.str.size] = 0;
}

static void read_kernel(struct t_image *image, struct t_kernel *kernel, const msgpack_object *map)
{
	const msgpack_object *args = get(map, ".args");
	Elf64_Sym *symbol;

	get_text(map, ".name", kernel->name, sizeof(kernel->name));
	cr_assert(get_number(map, ".arch_id") == 900 && get_number(map, ".mt_abi") == MT_DEV_ABI_VERSION);
	symbol = find_symbol(image, kernel->name, STT_FUNC);
	cr_assert(symbol, "no symbol %s", kernel->name);
	kernel->entry = image->base + symbol->st_value;
	kernel->shared_b = get_number(map, ".shared_memory_size");
	kernel->private_b = get_number(map, ".private_memory_size");
	kernel->max_threads = get_number(map, ".mt_max_threads");
	kernel->fibers = get(map, ".mt_fibers")->via.boolean;
	kernel->barrier = get(map, ".has_barrier")->via.boolean;
	kernel->param_count = args->via.array.size;
	cr_assert(kernel->param_count <= T_PARAMS_MAX);
	for (size_t i = 0; i < kernel->param_count; i++) {
		const msgpack_object *arg = &args->via.array.ptr[i], *base = get(arg, ".argBase");
		struct t_param *param = &kernel->params[i];

		cr_assert(get_number(arg, ".kind") == 18 && get_number(base, ".reg_bank") == 3);
		param->offset_b = get_number(base, ".offset") * 4;
		param->size_b = get_number(base, ".size");
		param->align_b = get_number(base, ".align");
		param->type = get_number(base, ".type");
		param->read_only = get(arg, ".mt_read_only")->via.boolean;
		get_text(base, ".name", param->name, sizeof(param->name));
		cr_assert(param->offset_b % param->align_b == 0);
		cr_assert(param->offset_b >= kernel->kernarg_b);
		kernel->kernarg_b = param->offset_b + param->size_b;
		cr_assert(kernel->kernarg_b <= get_number(map, ".shared_reg_count") * 4);
	}
}

static void read_note(struct t_image *image)
{
	Elf64_Shdr *note = section(image, SHT_NOTE);
	const msgpack_object *kernels;
	const unsigned char *data;
	msgpack_unpacked unpacked;
	size_t at = 0;
	uint32_t head[3];

	cr_assert(note);
	data = image->elf + note->sh_offset;
	memcpy(head, data, sizeof(head));
	cr_assert(head[0] == 6 && head[2] == 0x40 && !memcmp(data + 12, "MTGPU\0\0\0", 8));
	msgpack_unpacked_init(&unpacked);
	cr_assert(msgpack_unpack_next(&unpacked, (const char *)data + 20, head[1], &at) ==
		  MSGPACK_UNPACK_SUCCESS);
	cr_assert(at == head[1], "bytes behind the metadata");
	kernels = get(&unpacked.data, "mtgpu.kernels");
	image->kernel_count = kernels->via.array.size;
	image->kernels = calloc(image->kernel_count + 1, sizeof(*image->kernels));
	cr_assert(image->kernels);
	for (size_t i = 0; i < image->kernel_count; i++)
		read_kernel(image, &image->kernels[i], &kernels->via.array.ptr[i]);
	msgpack_unpacked_destroy(&unpacked);
}

struct t_image *t_image_open(const char *path)
{
	struct t_image *image = calloc(1, sizeof(*image));

	cr_assert(image);
	read_file(image, path);
	find_member(image);
	map_segments(image);
	relocate(image);
	read_note(image);
	return image;
}

void t_image_close(struct t_image *image)
{
	munmap(image->base, image->base_b);
	free(image->kernels);
	free(image->file);
	free(image);
}

size_t t_image_kernel_count(const struct t_image *image)
{
	return image->kernel_count;
}

struct t_kernel *t_image_kernel(struct t_image *image, const char *part)
{
	struct t_kernel *found = NULL;

	for (size_t i = 0; i < image->kernel_count; i++) {
		if (!strcmp(image->kernels[i].name, part))
			return &image->kernels[i];
		if (!strstr(image->kernels[i].name, part))
			continue;
		cr_assert(!found, "%s and %s", found->name, image->kernels[i].name);
		found = &image->kernels[i];
	}
	cr_assert(found, "no kernel %s", part);
	return found;
}

void *t_image_variable(struct t_image *image, const char *name, size_t *size_b_out)
{
	Elf64_Sym *symbol = find_symbol(image, name, STT_OBJECT);

	cr_assert(symbol, "no variable %s", name);
	if (size_b_out)
		*size_b_out = symbol->st_size;
	return image->base + symbol->st_value;
}

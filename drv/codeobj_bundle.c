/* SPDX-License-Identifier: MIT */
/*
 * Containers: tells wrapper, offload bundle and bare ELF apart and lists the members. What is
 * inside a member is left to the loader of code objects.
 */
#include <stdlib.h>

#include "drv/codeobj_container.h"
#include "hw/base/alloc.h"

static const char bundle_magic[24] = {'_', '_', 'C', 'L', 'A', 'N', 'G', '_', 'O', 'F', 'F', 'L',
				      'O', 'A', 'D', '_', 'B', 'U', 'N', 'D', 'L', 'E', '_', '_'};

/* The wrapper's magic: of the vendor's SDK header, and of clang's HIP host pass. */
#define WRAPPER_MAGIC_VENDOR 0x466243b1u
#define WRAPPER_MAGIC_HIP    0x48495046u

struct wrapper {
	uint32_t magic, version;
	uint64_t image;
	uint64_t reserved;
};

/* musa-...-mp_XY is XY0; anything else is no member of ours and gives 0. */
static uint32_t parse_arch(const char *id, size_t id_b)
{
	const char *dash = memrchr(id, '-', id_b);
	const char *end = id + id_b;
	uint64_t number = 0;

	if (id_b < 5 || memcmp(id, "musa-", 5) != 0 || !dash)
		return 0;
	if (end - dash < 5 || memcmp(dash, "-mp_", 4) != 0)
		return 0;
	for (const char *at = dash + 4; at < end; at++) {
		if (*at < '0' || *at > '9')
			return 0;
		number = number * 10 + (uint64_t)(*at - '0');
		if (number > UINT32_MAX / 10)
			return 0;
	}
	return (uint32_t)number * 10;
}

static MUresult grow_members(struct mt_codeobj_container *container, uint32_t *room)
{
	uint32_t more = *room ? *room * 2 : 8;
	struct mt_codeobj_member *members;

	if (*room > UINT32_MAX / 2)
		return MUSA_ERROR_OUT_OF_MEMORY;
	members = mt_realloc(container->members, more * sizeof(*members));
	if (!members)
		return MUSA_ERROR_OUT_OF_MEMORY;
	container->members = members;
	*room = more;
	return MUSA_SUCCESS;
}

static MUresult read_entry(struct mt_codeobj_container *container, uint64_t *at,
			   struct mt_codeobj_member *member, struct mt_codeobj_reason *why)
{
	uint64_t entry[3], end; /* offset, size, id length */
	char *id;

	if (mt_codeobj_reader_read(&container->reader, *at, entry, sizeof(entry)))
		return mt_codeobj_reject(why, "bundle entry is cut off", "byte", *at);
	if (entry[2] == 0 || entry[2] > MT_CODEOBJ_ID_MAX_B)
		return mt_codeobj_reject(why, "bundle entry has a bad id length", "byte", *at);
	if (__builtin_add_overflow(entry[0], entry[1], &end))
		return mt_codeobj_reject(why, "bundle entry's end overflows", "byte", *at);
	id = mt_arena_alloc(&container->arena, (size_t)entry[2] + 1, 1);
	if (!id)
		return mt_codeobj_no_memory(why);
	*at += sizeof(entry);
	if (mt_codeobj_reader_read(&container->reader, *at, id, (size_t)entry[2]))
		return mt_codeobj_reject(why, "bundle entry's id is cut off", "byte", *at);
	*at += entry[2];
	member->id = id;
	member->arch_id = parse_arch(id, (size_t)entry[2]);
	member->offset_b = entry[0];
	member->size_b = entry[1];
	return MUSA_SUCCESS;
}

static int compare_offset(const void *a, const void *b)
{
	const struct mt_codeobj_member *x = *(const struct mt_codeobj_member *const *)a;
	const struct mt_codeobj_member *y = *(const struct mt_codeobj_member *const *)b;

	return x->offset_b < y->offset_b ? -1 : x->offset_b > y->offset_b;
}

static int compare_arch(const void *a, const void *b)
{
	const struct mt_codeobj_member *x = *(const struct mt_codeobj_member *const *)a;
	const struct mt_codeobj_member *y = *(const struct mt_codeobj_member *const *)b;

	return x->arch_id < y->arch_id ? -1 : x->arch_id > y->arch_id;
}

/* Device members may neither overlap the header nor each other, nor share an architecture. */
static MUresult check_members(struct mt_codeobj_container *container, uint64_t header_b,
			      struct mt_codeobj_reason *why)
{
	const struct mt_codeobj_member **sorted;
	uint32_t count = 0;

	sorted = mt_calloc((size_t)container->count + 1, sizeof(struct mt_codeobj_member *));
	if (!sorted)
		return mt_codeobj_no_memory(why);
	for (uint32_t i = 0; i < container->count; i++) {
		if (mt_codeobj_member_is_device(&container->members[i]))
			sorted[count++] = &container->members[i];
	}
	qsort(sorted, count, sizeof(*sorted), compare_offset);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t free_from = i ? sorted[i - 1]->offset_b + sorted[i - 1]->size_b : header_b;

		if (sorted[i]->offset_b < free_from) {
			uint64_t index = (uint64_t)(sorted[i] - container->members);

			mt_free(sorted);
			return mt_codeobj_reject(why,
						 i ? "two bundle members overlap"
						   : "bundle member starts inside the header",
						 "member", index);
		}
	}
	qsort(sorted, count, sizeof(*sorted), compare_arch);
	for (uint32_t i = 1; i < count; i++) {
		if (sorted[i]->arch_id == sorted[i - 1]->arch_id) {
			uint64_t index = (uint64_t)(sorted[i] - container->members);

			mt_free(sorted);
			return mt_codeobj_reject(why, "two bundle members have one architecture",
						 "member", index);
		}
	}
	mt_free(sorted);
	return MUSA_SUCCESS;
}

static MUresult read_bundle(struct mt_codeobj_container *container, struct mt_codeobj_reason *why)
{
	uint64_t count, at = sizeof(bundle_magic) + sizeof(count), extent;
	uint32_t room = 0;
	MUresult result;

	if (mt_codeobj_reader_read(&container->reader, sizeof(bundle_magic), &count, sizeof(count)))
		return mt_codeobj_reject(why, "bundle header is cut off", "byte",
					 sizeof(bundle_magic));
	if (count == 0)
		return mt_codeobj_reject(why, "bundle has no entries", "byte",
					 sizeof(bundle_magic));
	/* The smallest entry has an id of one byte. */
	if (count > UINT32_MAX || (container->reader.size_b != UINT64_MAX &&
				   count > (container->reader.size_b - at) / 25))
		return mt_codeobj_reject(why, "bundle has more entries than can fit", "byte",
					 sizeof(bundle_magic));
	container->shape = MT_CODEOBJ_SHAPE_BUNDLE;
	for (uint64_t i = 0; i < count; i++) {
		if (container->count == room && grow_members(container, &room))
			return mt_codeobj_no_memory(why);
		result = read_entry(container, &at, &container->members[container->count], why);
		if (result)
			return result;
		container->count++;
	}
	result = check_members(container, at, why);
	if (result)
		return result;

	extent = at;
	for (uint32_t i = 0; i < container->count; i++) {
		const struct mt_codeobj_member *member = &container->members[i];

		if (member->size_b && member->offset_b + member->size_b > extent)
			extent = member->offset_b + member->size_b;
	}
	if (mt_codeobj_reader_probe(&container->reader, 0, extent))
		return mt_codeobj_reject(why, "bundle is shorter than its members", "byte", extent);
	return MUSA_SUCCESS;
}

static MUresult read_bare_elf(struct mt_codeobj_container *container, struct mt_codeobj_reason *why)
{
	uint64_t extent;
	uint32_t room = 0;
	MUresult result = mt_codeobj_elf_extent(&container->reader, &extent, why);

	if (result)
		return result;
	if (grow_members(container, &room))
		return mt_codeobj_no_memory(why);
	container->shape = MT_CODEOBJ_SHAPE_ELF;
	container->members[0] = (struct mt_codeobj_member){.id = "", .size_b = extent};
	container->count = 1;
	return MUSA_SUCCESS;
}

static MUresult detect(struct mt_codeobj_container *container, bool may_be_wrapper, uint32_t flags,
		       struct mt_codeobj_reason *why)
{
	struct mt_codeobj_reader *reader = &container->reader;
	struct wrapper wrapper;
	char magic[sizeof(bundle_magic)];

	if (mt_codeobj_reader_read(reader, 0, magic, 4))
		return mt_codeobj_reject(why, "image is shorter than any magic", "byte", 0);
	if (memcmp(magic, ELFMAG, SELFMAG) == 0)
		return read_bare_elf(container, why);
	if (memcmp(magic, bundle_magic, 4) == 0) {
		if (mt_codeobj_reader_read(reader, 0, magic, sizeof(magic)) ||
		    memcmp(magic, bundle_magic, sizeof(magic)) != 0)
			return mt_codeobj_reject(why, "bundle magic is wrong or cut off", "byte",
						 0);
		return read_bundle(container, why);
	}
	if (!may_be_wrapper || mt_codeobj_reader_read(reader, 0, &wrapper, sizeof(wrapper)))
		return mt_codeobj_reject(why, "neither an offload bundle nor an ELF", "byte", 0);
	if (wrapper.magic != WRAPPER_MAGIC_VENDOR && wrapper.magic != WRAPPER_MAGIC_HIP &&
	    !(flags & MT_CODEOBJ_OPEN_ANY_WRAPPER))
		return mt_codeobj_reject(why, "neither a wrapper, an offload bundle nor an ELF",
					 "byte", 0);
	if (!wrapper.image)
		return mt_codeobj_reject(why, "wrapper has no image", "byte",
					 offsetof(struct wrapper, image));
	mt_codeobj_reader_finish(reader);
	mt_codeobj_reader_init_memory(reader, (const void *)(uintptr_t)wrapper.image);
	return detect(container, false, flags, why);
}

static struct mt_codeobj_container *create_container(void)
{
	struct mt_codeobj_container *container = mt_calloc(1, sizeof(*container));

	if (container)
		mt_arena_init(&container->arena);
	return container;
}

MUresult mt_codeobj_container_open_file(const char *path,
					struct mt_codeobj_container **container_out,
					struct mt_codeobj_reason *why)
{
	struct mt_codeobj_container *container;
	MUresult result;

	if (!path)
		return MUSA_ERROR_INVALID_VALUE;
	container = create_container();
	if (!container)
		return mt_codeobj_no_memory(why);
	if (mt_codeobj_reader_init_file(&container->reader, path)) {
		mt_codeobj_reject_named(why, "file cannot be opened", "byte", 0, path,
					strlen(path));
		result = MUSA_ERROR_FILE_NOT_FOUND;
		goto close_container;
	}
	result = detect(container, false, 0, why);
	if (result)
		goto close_container;
	*container_out = container;
	return MUSA_SUCCESS;

close_container:
	mt_codeobj_container_close(container);
	return result;
}

MUresult mt_codeobj_container_open_memory(const void *image, uint32_t flags,
					  struct mt_codeobj_container **container_out,
					  struct mt_codeobj_reason *why)
{
	struct mt_codeobj_container *container;
	MUresult result;

	if (!image || (flags & ~MT_CODEOBJ_OPEN_ANY_WRAPPER))
		return MUSA_ERROR_INVALID_VALUE;
	container = create_container();
	if (!container)
		return mt_codeobj_no_memory(why);
	mt_codeobj_reader_init_memory(&container->reader, image);
	result = detect(container, true, flags, why);
	if (result) {
		mt_codeobj_container_close(container);
		return result;
	}
	*container_out = container;
	return MUSA_SUCCESS;
}

void mt_codeobj_container_close(struct mt_codeobj_container *container)
{
	if (!container)
		return;
	mt_codeobj_reader_finish(&container->reader);
	mt_free(container->members);
	mt_arena_finish(&container->arena);
	mt_free(container);
}

enum mt_codeobj_shape mt_codeobj_container_shape(const struct mt_codeobj_container *container)
{
	return container->shape;
}

uint32_t mt_codeobj_container_count(const struct mt_codeobj_container *container)
{
	return container->count;
}

const struct mt_codeobj_member *
mt_codeobj_container_member(const struct mt_codeobj_container *container, uint32_t index)
{
	return index < container->count ? &container->members[index] : NULL;
}

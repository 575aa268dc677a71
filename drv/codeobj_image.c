/* SPDX-License-Identifier: MIT */
/*
 * The image of a code object in device memory: the LOAD segments of a linked object, or the
 * allocatable sections of an unlinked one at addresses chosen here.
 */
#include <stdlib.h>

#include "drv/codeobj_internal.h"

/* Groups of an unlinked object start on pages of their own, so that protection can differ. */
#define GROUP_ALIGN_B 4096u

static MUresult raise_alignment(struct mt_codeobj_loader *loader, uint64_t align_b,
				const char *unit, uint32_t index)
{
	if (align_b > MT_CODEOBJ_IMAGE_ALIGN_MAX_B)
		return mt_codeobj_reject(loader->why, "alignment is above 2 MiB", unit, index);
	if (align_b > loader->codeobj->image_align_b)
		loader->codeobj->image_align_b = align_b;
	return MUSA_SUCCESS;
}

static int compare_address(const void *a, const void *b)
{
	const Elf64_Phdr *x = *(const Elf64_Phdr *const *)a;
	const Elf64_Phdr *y = *(const Elf64_Phdr *const *)b;

	return x->p_vaddr < y->p_vaddr ? -1 : x->p_vaddr > y->p_vaddr;
}

static uint32_t segment_flags(uint32_t program_flags)
{
	return (program_flags & PF_X ? MT_CODEOBJ_SEGMENT_EXEC : 0) |
	       (program_flags & PF_W ? MT_CODEOBJ_SEGMENT_WRITE : 0) |
	       (program_flags & PF_R ? MT_CODEOBJ_SEGMENT_READ : 0);
}

/* The non-empty LOAD segments, by ascending address. */
static MUresult sort_loads(struct mt_codeobj_loader *loader, const Elf64_Phdr ***sorted_out,
			   uint32_t *count_out)
{
	const Elf64_Phdr **sorted;
	uint32_t count = 0;

	sorted = mt_arena_alloc(&loader->scratch,
				(loader->header.e_phnum + 1u) * sizeof(const Elf64_Phdr *), 8);
	if (!sorted)
		return mt_codeobj_no_memory(loader->why);
	for (uint32_t i = 0; i < loader->header.e_phnum; i++) {
		const Elf64_Phdr *program = &loader->programs[i];
		MUresult result;

		if (program->p_type != PT_LOAD || !program->p_memsz)
			continue;
		result = raise_alignment(loader, program->p_align, "segment", i);
		if (result)
			return result;
		sorted[count++] = program;
	}
	qsort(sorted, count, sizeof(*sorted), compare_address);
	*sorted_out = sorted;
	*count_out = count;
	return MUSA_SUCCESS;
}

static MUresult lay_out_segments(struct mt_codeobj_loader *loader)
{
	struct mt_codeobj *codeobj = loader->codeobj;
	struct mt_codeobj_segment *segments;
	const Elf64_Phdr **sorted = NULL;
	uint32_t count = 0;
	MUresult result = sort_loads(loader, &sorted, &count);

	if (result)
		return result;
	segments = mt_arena_alloc(loader->arena, (count + 1u) * sizeof(*segments), 8);
	if (!segments)
		return mt_codeobj_no_memory(loader->why);
	loader->base = count ? sorted[0]->p_vaddr & ~(codeobj->image_align_b - 1) : 0;
	for (uint32_t i = 0; i < count; i++) {
		const Elf64_Phdr *program = sorted[i];
		uint64_t offset = program->p_vaddr - loader->base;

		if (offset < codeobj->image_size_b)
			return mt_codeobj_reject(loader->why, "segments overlap in memory",
						 "segment", (uint64_t)(program - loader->programs));
		segments[i] = (struct mt_codeobj_segment){
			.offset_b = offset,
			.file_b = program->p_filesz,
			.memory_b = program->p_memsz,
			.data = loader->data + program->p_offset,
			.flags = segment_flags(program->p_flags),
		};
		codeobj->image_size_b = offset + program->p_memsz;
	}
	codeobj->segments = segments;
	codeobj->segment_count = count;
	return MUSA_SUCCESS;
}

/* Code first, then constant data, then data, then what has no bytes in the file. */
static uint32_t section_group(const Elf64_Shdr *section)
{
	if (section->sh_flags & SHF_EXECINSTR)
		return 0;
	if (section->sh_type == SHT_NOBITS)
		return 3;
	return section->sh_flags & SHF_WRITE ? 2 : 1;
}

static MUresult place_section(struct mt_codeobj_loader *loader, uint32_t index, uint64_t align_b,
			      struct mt_codeobj_segment *segment)
{
	const Elf64_Shdr *section = &loader->sections[index];
	struct mt_codeobj *codeobj = loader->codeobj;
	bool in_file = section->sh_type != SHT_NOBITS;
	uint64_t offset;
	MUresult result = raise_alignment(loader, align_b, "section", index);

	if (result)
		return result;
	if (!mt_codeobj_align(codeobj->image_size_b, align_b, &offset) ||
	    __builtin_add_overflow(offset, section->sh_size, &codeobj->image_size_b))
		return mt_codeobj_reject(loader->why, "image size overflows", "section", index);
	loader->section_offset[index] = offset;
	*segment = (struct mt_codeobj_segment){
		.offset_b = offset,
		.file_b = in_file ? section->sh_size : 0,
		.memory_b = section->sh_size,
		.data = in_file ? loader->data + section->sh_offset : NULL,
		.flags = MT_CODEOBJ_SEGMENT_READ |
			 (section->sh_flags & SHF_EXECINSTR ? MT_CODEOBJ_SEGMENT_EXEC : 0) |
			 (section->sh_flags & SHF_WRITE ? MT_CODEOBJ_SEGMENT_WRITE : 0),
	};
	return MUSA_SUCCESS;
}

static MUresult lay_out_sections(struct mt_codeobj_loader *loader)
{
	struct mt_codeobj *codeobj = loader->codeobj;
	struct mt_codeobj_segment *segments;

	segments = mt_arena_alloc(loader->arena, loader->header.e_shnum * sizeof(*segments), 8);
	if (!segments)
		return mt_codeobj_no_memory(loader->why);
	codeobj->segments = segments;
	for (uint32_t group = 0; group < 4; group++) {
		uint64_t group_align_b = GROUP_ALIGN_B;

		for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
			const Elf64_Shdr *section = &loader->sections[i];
			uint64_t align_b = section->sh_addralign ? section->sh_addralign : 1;
			MUresult result;

			if (section->sh_type == SHT_NULL || !(section->sh_flags & SHF_ALLOC) ||
			    section_group(section) != group)
				continue;
			if (align_b < group_align_b)
				align_b = group_align_b;
			group_align_b = 1;
			result = place_section(loader, i, align_b,
					       &segments[codeobj->segment_count]);
			if (result)
				return result;
			codeobj->segment_count++;
		}
	}
	return MUSA_SUCCESS;
}

MUresult mt_codeobj_image_lay_out(struct mt_codeobj_loader *loader)
{
	loader->codeobj->linked = loader->header.e_type == ET_DYN;
	loader->codeobj->image_align_b = GROUP_ALIGN_B;
	loader->section_offset =
		mt_arena_alloc(&loader->scratch, loader->header.e_shnum * sizeof(uint64_t), 8);
	if (!loader->section_offset)
		return mt_codeobj_no_memory(loader->why);
	for (uint32_t i = 0; i < loader->header.e_shnum; i++)
		loader->section_offset[i] = MT_CODEOBJ_NONE;
	return loader->codeobj->linked ? lay_out_segments(loader) : lay_out_sections(loader);
}

bool mt_codeobj_image_covers(const struct mt_codeobj *codeobj, uint64_t offset_b, uint64_t size_b,
			     uint32_t flags)
{
	uint32_t low = 0, high = codeobj->segment_count;
	const struct mt_codeobj_segment *segment;

	/* The last segment that starts at or before the range. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (codeobj->segments[middle].offset_b <= offset_b)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	segment = &codeobj->segments[low - 1];
	return (segment->flags & flags) == flags &&
	       mt_codeobj_within(offset_b - segment->offset_b, size_b, segment->memory_b);
}

bool mt_codeobj_image_place(const struct mt_codeobj_loader *loader, uint32_t section,
			    uint64_t value, uint64_t size_b, uint64_t *offset_out)
{
	const Elf64_Shdr *header = &loader->sections[section];

	if (!(header->sh_flags & SHF_ALLOC))
		return false;
	if (!loader->codeobj->linked) {
		if (loader->section_offset[section] == MT_CODEOBJ_NONE ||
		    !mt_codeobj_within(value, size_b, header->sh_size))
			return false;
		*offset_out = loader->section_offset[section] + value;
		return true;
	}
	if (value < header->sh_addr || value < loader->base ||
	    !mt_codeobj_within(value - header->sh_addr, size_b, header->sh_size) ||
	    !mt_codeobj_image_covers(loader->codeobj, value - loader->base, size_b, 0))
		return false;
	*offset_out = value - loader->base;
	return true;
}

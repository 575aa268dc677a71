/* SPDX-License-Identifier: MIT */
/*
 * Finds the one note that holds the metadata. Its contents are left to others.
 */
#include "drv/codeobj_internal.h"

#define NOTE_TYPE_METADATA 0x40u

struct scan {
	const uint8_t *desc;
	uint64_t desc_b;
	uint32_t found;
};

static uint64_t pad(uint64_t size, uint64_t align)
{
	return (size + align - 1) & ~(align - 1);
}

/* The owner is seen both with and without its terminator counted. */
static bool is_metadata(const Elf64_Nhdr *note, const uint8_t *name)
{
	return note->n_type == NOTE_TYPE_METADATA &&
	       ((note->n_namesz == 6 && memcmp(name, "MTGPU", 6) == 0) ||
		(note->n_namesz == 5 && memcmp(name, "MTGPU", 5) == 0));
}

/* `start` is the file offset of the notes; it only serves the reason. */
static MUresult scan_notes(struct mt_codeobj_loader *loader, const uint8_t *data, uint64_t size_b,
			   uint64_t align, uint64_t start, struct scan *scan)
{
	uint64_t at = 0;

	/* Descriptors are padded to 4; only sections aligned to 8 pad to 8. */
	if (align != 8)
		align = 4;
	while (at < size_b) {
		Elf64_Nhdr note;
		uint64_t name_at = at + sizeof(note), desc_at;

		if (size_b - at < sizeof(note))
			return mt_codeobj_reject(loader->why, "note header is cut off", "byte",
						 start + at);
		memcpy(&note, data + at, sizeof(note));
		desc_at = pad(name_at + note.n_namesz, align);
		if (!mt_codeobj_within(name_at, note.n_namesz, size_b))
			return mt_codeobj_reject(loader->why, "note name is cut off", "byte",
						 start + at);
		if (note.n_descsz && !mt_codeobj_within(desc_at, note.n_descsz, size_b))
			return mt_codeobj_reject(loader->why, "note descriptor is cut off", "byte",
						 start + at);
		if (is_metadata(&note, data + name_at)) {
			if (scan->found++)
				return mt_codeobj_reject(loader->why, "second metadata note",
							 "byte", start + at);
			scan->desc = data + desc_at;
			scan->desc_b = note.n_descsz;
		}
		at = pad(desc_at + note.n_descsz, align);
	}
	return MUSA_SUCCESS;
}

/* An object without note sections may still have a note segment. */
static MUresult scan_segments(struct mt_codeobj_loader *loader, struct scan *scan)
{
	uint64_t room = loader->size_b;

	for (uint32_t i = 0; i < loader->header.e_phnum; i++) {
		const Elf64_Phdr *program = &loader->programs[i];
		MUresult result;

		if (program->p_type != PT_NOTE)
			continue;
		if (program->p_filesz > room)
			return mt_codeobj_reject(loader->why, "note segments overlap", "segment",
						 i);
		room -= program->p_filesz;
		result = scan_notes(loader, loader->data + program->p_offset, program->p_filesz,
				    program->p_align, program->p_offset, scan);
		if (result)
			return result;
	}
	return MUSA_SUCCESS;
}

MUresult mt_codeobj_note_find(struct mt_codeobj_loader *loader, const uint8_t **desc_out,
			      uint64_t *desc_size_out)
{
	struct scan scan = {0};
	bool has_section = false;
	MUresult result = MUSA_SUCCESS;

	for (uint32_t i = 1; i < loader->header.e_shnum; i++) {
		const Elf64_Shdr *section = &loader->sections[i];
		const uint8_t *data;
		uint64_t size_b;

		if (section->sh_type != SHT_NOTE)
			continue;
		has_section = true;
		result = mt_codeobj_elf_data(loader, i, &data, &size_b);
		if (!result)
			result = scan_notes(loader, data, size_b, section->sh_addralign,
					    section->sh_offset, &scan);
		if (result)
			return result;
	}
	if (!has_section)
		result = scan_segments(loader, &scan);
	if (result)
		return result;
	if (!scan.found)
		return mt_codeobj_reject(loader->why, "no metadata note", "section",
					 loader->header.e_shnum);
	*desc_out = scan.desc;
	*desc_size_out = scan.desc_b;
	return MUSA_SUCCESS;
}

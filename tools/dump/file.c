/* SPDX-License-Identifier: MIT */
/* The reader's frame: opening, the index of sections, payloads and their sums. */
#include "tools/dump/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hw/base/digest.h"
#include "tools/dump/command.h"
#include "tools/dump/file_private.h"

#define SECTIONS_MAX  (1u << 22)
#define PAYLOAD_MAX_B (UINT64_C(1) << 31) /* of what is read as a whole */

static const char *section_name(uint32_t type)
{
	static const char *const names[] = {
		"?",      "INFO",     "CODE", "KERNELS",    "ARRAYS", "GRAPHS", "NODES",   "RANGES",
		"CONTENTS", "EXEC", "EXEC_NODES", "CHUNKS", "TIMES",  "ACCESSES", "END",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : "?";
}

int file_bad(struct dump_file *file, const struct file_section *section, const char *format, ...)
{
	char text[256];
	va_list args;

	if (file->status)
		return file->status;
	file->status = DUMP_UNREADABLE;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (section)
		dump_error("%s: section %u (%s, at byte %llu): %s", file->path,
			   (unsigned int)(section - file->sections), section_name(section->type),
			   (unsigned long long)section->at, text);
	else
		dump_error("%s: %s", file->path, text);
	return DUMP_UNREADABLE;
}

int file_no_memory(struct dump_file *file)
{
	return file_bad(file, NULL, "memory has run out");
}

bool file_grow(struct dump_file *file, void *array, uint32_t count, uint32_t *room,
	       size_t element_b)
{
	uint32_t next = *room ? *room * 2 : 16;
	void *old, *memory;

	if (count < *room)
		return true;
	memcpy(&old, array, sizeof(old));
	memory = next > *room ? reallocarray(old, next, element_b) : NULL;
	if (!memory) {
		file_no_memory(file);
		return false;
	}
	memcpy(array, &memory, sizeof(memory));
	*room = next;
	return true;
}

bool file_keep(struct dump_file *file, void *memory)
{
	if (!file_grow(file, &file->kept, file->kept_count, &file->kept_room,
		       sizeof(*file->kept))) {
		free(memory);
		return false;
	}
	file->kept[file->kept_count++] = memory;
	return true;
}

void *file_alloc(struct dump_file *file, uint64_t count, size_t element_b)
{
	void *memory = calloc(count ? count : 1, element_b);

	if (!memory) {
		file_no_memory(file);
		return NULL;
	}
	return file_keep(file, memory) ? memory : NULL;
}

/* pread() of all bytes: 0, or -1 with errno, 0 for the file's end. */
static int read_at(int fd, uint64_t at, void *bytes, uint64_t count)
{
	uint8_t *to = bytes;
	ssize_t done;

	while (count) {
		done = pread(fd, to, count, (off_t)at);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			if (!done)
				errno = 0;
			return -1;
		}
		to += done;
		at += (uint64_t)done;
		count -= (uint64_t)done;
	}
	return 0;
}

static int read_bytes(struct dump_file *file, const struct file_section *section, uint64_t at,
		      void *bytes, uint64_t count)
{
	if (!read_at(file->fd, at, bytes, count))
		return DUMP_OK;
	return file_bad(file, section, "%s", errno ? strerror(errno) : "the file ends too early");
}

bool file_is_saved_graph(const char *path)
{
	uint8_t magic[8];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is;

	if (fd < 0)
		return false;
	is = !read_at(fd, 0, magic, sizeof(magic)) && !memcmp(magic, MTG_MAGIC, sizeof(magic));
	close(fd);
	return is;
}

static int read_header(struct dump_file *file, uint64_t *first_out)
{
	struct mtg_header header;
	int ret;

	if (file->size_b < sizeof(header))
		return file_bad(file, NULL, "not a saved graph: too short");
	ret = read_bytes(file, NULL, 0, &header, sizeof(header));
	if (ret)
		return ret;
	if (memcmp(header.magic, MTG_MAGIC, sizeof(header.magic)) != 0)
		return file_bad(file, NULL, "not a saved graph");
	if (header.major != MTG_MAJOR)
		return file_bad(file, NULL, "format version %u.%u; this program reads version %u",
				header.major, header.minor, MTG_MAJOR);
	if (header.header_b < sizeof(header) || header.header_b % 8)
		return file_bad(file, NULL, "bad header");
	*first_out = header.header_b;
	return DUMP_OK;
}

static int read_index(struct dump_file *file, uint64_t at)
{
	struct mtg_section head;
	struct file_section *section;
	uint64_t room;
	int ret;

	for (;;) {
		if (at > file->size_b || file->size_b - at < sizeof(head))
			return file_bad(file, NULL, "cut short: it has no end section");
		ret = read_bytes(file, NULL, at, &head, sizeof(head));
		if (ret)
			return ret;
		if (head.type == MTG_END)
			return DUMP_OK;
		if (file->section_count == SECTIONS_MAX)
			return file_bad(file, NULL, "more than %u sections", SECTIONS_MAX);
		if (!file_grow(file, &file->sections, file->section_count, &file->section_room,
			       sizeof(*section)))
			return file->status;
		section = &file->sections[file->section_count++];
		section->at = at + sizeof(head);
		section->size_b = head.size_b;
		section->type = head.type;
		section->crc32 = head.crc32;
		room = file->size_b - section->at;
		if (head.size_b > room)
			return file_bad(file, section, "cut short: %llu bytes are announced",
					(unsigned long long)head.size_b);
		if ((!head.type || head.type > MTG_END) && (head.flags & MTG_SECTION_NEEDED))
			return file_bad(file, section,
					"type %u is needed and not known to this program", head.type);
		at = section->at + ((head.size_b + 7) & ~UINT64_C(7));
	}
}

int file_open(const char *path, struct dump_file **file_out)
{
	struct dump_file *file = calloc(1, sizeof(*file));
	struct stat status;
	uint64_t first = 0;
	int ret;

	if (!file || !(file->path = strdup(path))) {
		free(file);
		dump_error("memory has run out");
		return DUMP_UNREADABLE;
	}
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0 || fstat(file->fd, &status))
		ret = file_bad(file, NULL, "%s", strerror(errno));
	else if (!S_ISREG(status.st_mode))
		ret = file_bad(file, NULL, "not a regular file");
	else {
		file->size_b = (uint64_t)status.st_size;
		ret = read_header(file, &first);
		if (!ret)
			ret = read_index(file, first);
	}
	if (ret) {
		file_close(file);
		return ret;
	}
	*file_out = file;
	return DUMP_OK;
}

void file_close(struct dump_file *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	while (file->kept_count)
		free(file->kept[--file->kept_count]);
	free(file->kept);
	free(file->sections);
	free(file->path);
	free(file);
}

const char *file_path(const struct dump_file *file)
{
	return file->path;
}

uint64_t file_size(const struct dump_file *file)
{
	return file->size_b;
}

int file_status(const struct dump_file *file)
{
	return file->status;
}

uint32_t file_section_count(const struct dump_file *file)
{
	return file->section_count;
}

const struct file_section *file_section(const struct dump_file *file, uint32_t index)
{
	return &file->sections[index];
}

uint32_t file_find(const struct dump_file *file, uint32_t type, uint32_t from)
{
	while (from < file->section_count && file->sections[from].type != type)
		from++;
	return from;
}

void file_buffer_finish(struct file_buffer *buffer)
{
	free(buffer->bytes);
	memset(buffer, 0, sizeof(*buffer));
}

int file_read(struct dump_file *file, const struct file_section *section,
	      struct file_buffer *buffer)
{
	uint8_t *bytes;
	int ret;

	if (file->status)
		return file->status;
	if (section->size_b > PAYLOAD_MAX_B)
		return file_bad(file, section, "too large: %llu bytes",
				(unsigned long long)section->size_b);
	if (section->size_b > buffer->room_b || !buffer->bytes) {
		bytes = malloc(section->size_b ? section->size_b : 1);
		if (!bytes)
			return file_no_memory(file);
		free(buffer->bytes);
		buffer->bytes = bytes;
		buffer->room_b = section->size_b;
	}
	buffer->size_b = section->size_b;
	ret = read_bytes(file, section, section->at, buffer->bytes, section->size_b);
	if (!ret && mt_crc32(0, buffer->bytes, section->size_b) != section->crc32)
		ret = file_bad(file, section, "damaged: its check sum is wrong");
	return ret;
}

int file_read_part(struct dump_file *file, const struct file_section *section, uint64_t offset_b,
		   void *bytes, uint64_t count)
{
	if (file->status)
		return file->status;
	if (offset_b > section->size_b || count > section->size_b - offset_b)
		return file_bad(file, section, "too short");
	return read_bytes(file, section, section->at + offset_b, bytes, count);
}

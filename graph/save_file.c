/* SPDX-License-Identifier: MIT */
/* The frame of saved graphs. */
#include "graph/save_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hw/base/alloc.h"
#include "hw/base/digest.h"

/* The structs are the format: their sizes are part of it. */
#define IS(type, size) _Static_assert(sizeof(struct type) == (size), "part of the format")
IS(mtg_header, 32);
IS(mtg_section, 24);
IS(mtg_info, 48);
IS(mtg_device, 80);
IS(mtg_code, 64);
IS(mtg_kernel, 64);
IS(mtg_param, 32);
IS(mtg_array, 80);
IS(mtg_graph, 48);
IS(mtg_nodes, 8);
IS(mtg_node, 24);
IS(mtg_kernel_params, 40);
IS(mtg_kernel_attrs, 96);
IS(mtg_copy_side, 88);
IS(mtg_copy_params, 216);
IS(mtg_fill_params, 64);
IS(mtg_host_params, 24);
IS(mtg_event_params, 16);
IS(mtg_semaphore_params, 8);
IS(mtg_semaphore, 160);
IS(mtg_alloc_params, 112);
IS(mtg_free_params, 8);
IS(mtg_conditional_params, 32);
IS(mtg_range, 80);
IS(mtg_contents, 24);
IS(mtg_exec, 176);
IS(mtg_exec_nodes, 8);
IS(mtg_exec_node, 32);
IS(mtg_chunk, 16);
IS(mtg_time, 32);
IS(mtg_access, 32);
#undef IS

#define FIRST_ROOM_B 65536u

static void fail(struct mt_save_file *file, int error)
{
	if (!file->error)
		file->error = error;
}

static void write_all(struct mt_save_file *file, uint64_t offset, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;
	ssize_t done;

	while (count && !file->error) {
		done = pwrite(file->fd, at, count, (off_t)offset);
		if (done < 0) {
			if (errno != EINTR)
				fail(file, -errno);
			continue;
		}
		at += done;
		offset += (uint64_t)done;
		count -= (size_t)done;
	}
}

void mt_save_open(struct mt_save_file *file, int fd)
{
	struct mtg_header header = {
		.major = MTG_MAJOR, .minor = MTG_MINOR, .header_b = sizeof(header)};

	memset(file, 0, sizeof(*file));
	memcpy(header.magic, MTG_MAGIC, sizeof(header.magic));
	file->fd = fd;
	write_all(file, 0, &header, sizeof(header));
	file->end = sizeof(header);
}

static int read_all(int fd, uint64_t offset, void *bytes, size_t count)
{
	uint8_t *at = bytes;
	ssize_t done;

	while (count) {
		done = pread(fd, at, count, (off_t)offset);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -EBADMSG;
		at += done;
		offset += (uint64_t)done;
		count -= (size_t)done;
	}
	return 0;
}

int mt_save_open_append(struct mt_save_file *file, int fd)
{
	struct mtg_header header;
	struct mtg_section section;
	struct stat status;
	uint64_t at;
	int ret = read_all(fd, 0, &header, sizeof(header));

	if (!ret && fstat(fd, &status))
		ret = -errno;
	if (ret)
		return ret;
	if (memcmp(header.magic, MTG_MAGIC, sizeof(header.magic)) != 0 ||
	    header.major != MTG_MAJOR || header.header_b < sizeof(header) || header.header_b % 8)
		return -EBADMSG;
	for (at = header.header_b;; at += sizeof(section) + ((section.size_b + 7) & ~7ull)) {
		ret = read_all(fd, at, &section, sizeof(section));
		if (ret)
			return ret;
		if (section.type == MTG_END)
			break;
		if (section.size_b > (uint64_t)status.st_size)
			return -EBADMSG;
	}
	memset(file, 0, sizeof(*file));
	file->fd = fd;
	file->end = at;
	return 0;
}

void mt_save_begin(struct mt_save_file *file, uint32_t type)
{
	file->type = type;
	file->used_b = 0;
}

void *mt_save_room(struct mt_save_file *file, size_t count)
{
	size_t room_b = file->room_b ? file->room_b : FIRST_ROOM_B;
	uint8_t *payload;

	if (file->error)
		return NULL;
	while (room_b - file->used_b < count) {
		if (room_b > SIZE_MAX / 2) {
			fail(file, -ENOMEM);
			return NULL;
		}
		room_b *= 2;
	}
	if (room_b != file->room_b) {
		payload = mt_realloc(file->payload, room_b);
		if (!payload) {
			fail(file, -ENOMEM);
			return NULL;
		}
		file->payload = payload;
		file->room_b = room_b;
	}
	payload = file->payload + file->used_b;
	memset(payload, 0, count);
	file->used_b += count;
	return payload;
}

void mt_save_put(struct mt_save_file *file, const void *bytes, size_t count)
{
	void *room = mt_save_room(file, count);

	if (room && count)
		memcpy(room, bytes, count);
}

void mt_save_pad(struct mt_save_file *file)
{
	mt_save_room(file, -file->used_b & 7);
}

void mt_save_end(struct mt_save_file *file)
{
	mt_save_begin_stream(file, file->type, file->used_b);
	mt_save_stream(file, file->payload, file->used_b);
}

static void end_stream(struct mt_save_file *file)
{
	static const uint8_t zero[8];

	file->head.crc32 = file->crc;
	write_all(file, file->end, zero, -file->head.size_b & 7);
	write_all(file, file->head_at, &file->head, sizeof(file->head));
	file->end += -file->head.size_b & 7;
	file->type = 0;
}

void mt_save_begin_stream(struct mt_save_file *file, uint32_t type, uint64_t size_b)
{
	file->type = type;
	file->head = (struct mtg_section){.type = type, .size_b = size_b};
	file->head_at = file->end;
	file->stream_b = size_b;
	file->crc = 0;
	file->end += sizeof(file->head);
	if (!size_b)
		end_stream(file);
}

void mt_save_stream(struct mt_save_file *file, const void *bytes, size_t count)
{
	if (!count)
		return;
	write_all(file, file->end, bytes, count);
	file->crc = mt_crc32(file->crc, bytes, count);
	file->end += count;
	file->stream_b -= count;
	if (!file->stream_b)
		end_stream(file);
}

int mt_save_close(struct mt_save_file *file)
{
	mt_save_begin_stream(file, MTG_END, 0);
	mt_free(file->payload);
	file->payload = NULL;
	return file->error;
}

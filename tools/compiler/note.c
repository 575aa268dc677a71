/* SPDX-License-Identifier: MIT */
/*
 * The kernels' metadata: a MessagePack map in an ELF note of owner "MTGPU", type 0x40, with the
 * keys that silicon's objects have (version 1.0, 31 keys per kernel) and a few ".mt_" ones of the
 * mock's own, which other loaders ignore.
 */
#include <stdlib.h>
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/module.h"

#define ARCH_ID       900u /* no silicon has it */
#define NONE          4294967295u
#define KIND_EXPLICIT 18u /* a parameter of the source */
#define BANK_UNIFORM  3u
#define WAVE_32       1u
#define REGISTERS     32u /* "registers per thread": x86-64 keeps them elsewhere */
#define NOTE_TYPE     0x40u

struct writer {
	unsigned char *data;
	size_t size_b, capacity_b;
};

static void put(struct writer *writer, const void *data, size_t size_b)
{
	if (writer->size_b + size_b > writer->capacity_b) {
		writer->capacity_b = (writer->size_b + size_b) * 2;
		writer->data = mtcc_realloc(writer->data, writer->capacity_b);
	}
	memcpy(writer->data + writer->size_b, data, size_b);
	writer->size_b += size_b;
}

/* A first byte and a big-endian number. */
static void put_head(struct writer *writer, unsigned char first, uint64_t value, unsigned int bytes)
{
	unsigned char head[9] = {first};

	for (unsigned int i = 0; i < bytes; i++)
		head[1 + i] = (unsigned char)(value >> 8 * (bytes - 1 - i));
	put(writer, head, 1 + bytes);
}

static void put_text(struct writer *writer, const char *text)
{
	size_t length = strlen(text);

	if (length < 32)
		put_head(writer, (unsigned char)(0xa0 | length), 0, 0);
	else if (length < 256)
		put_head(writer, 0xd9, length, 1);
	else
		put_head(writer, 0xda, length, 2);
	put(writer, text, length);
}

static void put_number(struct writer *writer, uint64_t value)
{
	if (value < 128)
		put_head(writer, (unsigned char)value, 0, 0);
	else if (value < 256)
		put_head(writer, 0xcc, value, 1);
	else if (value < 65536)
		put_head(writer, 0xcd, value, 2);
	else if (value <= NONE)
		put_head(writer, 0xce, value, 4);
	else
		put_head(writer, 0xcf, value, 8);
}

static void put_bool(struct writer *writer, bool value)
{
	put_head(writer, value ? 0xc3 : 0xc2, 0, 0);
}

static void put_array(struct writer *writer, size_t count)
{
	if (count < 16)
		put_head(writer, (unsigned char)(0x90 | count), 0, 0);
	else if (count < 65536)
		put_head(writer, 0xdc, count, 2);
	else
		put_head(writer, 0xdd, count, 4);
}

static void put_map(struct writer *writer, size_t count)
{
	if (count < 16)
		put_head(writer, (unsigned char)(0x80 | count), 0, 0);
	else
		put_head(writer, 0xde, count, 2);
}

static void put_named_number(struct writer *writer, const char *key, uint64_t value)
{
	put_text(writer, key);
	put_number(writer, value);
}

static void put_named_bool(struct writer *writer, const char *key, bool value)
{
	put_text(writer, key);
	put_bool(writer, value);
}

static void put_param(struct writer *writer, const struct mtcc_param *param)
{
	put_map(writer, 4);
	put_text(writer, ".argBase");
	put_map(writer, 9);
	put_named_number(writer, ".address_space", 0);
	put_named_number(writer, ".align", param->align_b);
	put_named_bool(writer, ".isVolatile", false);
	put_named_number(writer, ".layout", 0);
	put_text(writer, ".name");
	put_text(writer, param->name);
	put_named_number(writer, ".offset", param->offset_b / 4);
	put_named_number(writer, ".reg_bank", BANK_UNIFORM);
	put_named_number(writer, ".size", param->size_b);
	put_named_number(writer, ".type", param->type);
	put_named_number(writer, ".input_mode", 0);
	put_named_number(writer, ".kind", KIND_EXPLICIT);
	put_named_bool(writer, ".mt_read_only", param->read_only);
}

/* Keys whose value is a number, in the alphabetical order that silicon's objects have. */
static void put_kernel(struct writer *writer, const struct mtcc_kernel *kernel, bool records)
{
	put_map(writer, 31 + 7);
	put_named_number(writer, ".arch_id", ARCH_ID);
	put_text(writer, ".args");
	put_array(writer, kernel->param_count);
	for (size_t i = 0; i < kernel->param_count; i++)
		put_param(writer, &kernel->params[i]);
	put_named_number(writer, ".async_bar_count", 0);
	put_named_number(writer, ".attr_reg_count", 0);
	put_text(writer, ".attrs");
	put_map(writer, 0);
	put_named_number(writer, ".barrier_coef", NONE);
	put_named_bool(writer, ".call_flag", false);
	put_named_number(writer, ".clusterX", 0);
	put_named_number(writer, ".clusterY", 0);
	put_named_number(writer, ".clusterZ", 0);
	put_named_number(writer, ".coef_reg_count", 0);
	put_text(writer, ".const_calc_kernel");
	put_text(writer, "");
	put_named_number(writer, ".constcalc_attr_reg_count", 0);
	put_named_number(writer, ".constcalc_temp_reg_count", 0);
	put_named_number(writer, ".global_atomic_count", 0);
	put_named_bool(writer, ".has_barrier", kernel->barrier);
	put_named_bool(writer, ".has_cluster_barrier", false);
	put_named_bool(writer, ".has_sqmma_conv", false);
	put_named_bool(writer, ".has_texture", false);
	put_text(writer, ".imms");
	put_array(writer, 0);
	put_named_number(writer, ".internal_reg_count", 0);
	put_named_number(writer, ".local_mem_used_in_cluster", 0);
	put_named_number(writer, ".max_block_size", 1);
	put_named_number(writer, ".mt_abi", MT_DEV_ABI_VERSION);
	put_named_bool(writer, ".mt_dynamic_shared", kernel->dynamic_shared);
	put_named_bool(writer, ".mt_fibers", kernel->fibers);
	put_named_bool(writer, ".mt_graph_launch", kernel->graph_launch);
	put_named_number(writer, ".mt_max_threads", kernel->max_threads);
	put_named_number(writer, ".mt_min_blocks", kernel->min_blocks);
	put_named_bool(writer, ".mt_records", records);
	put_text(writer, ".name");
	put_text(writer, kernel->name);
	put_named_number(writer, ".private_memory_size", kernel->private_b);
	put_named_number(writer, ".shared_atomic_lock_idx", NONE);
	put_named_number(writer, ".shared_memory_size", kernel->shared_b);
	put_named_number(writer, ".shared_reg_count", kernel->kernarg_b / 4);
	put_named_number(writer, ".slot_reg_count", kernel->dynamic_shared ? 3 : 0);
	put_named_number(writer, ".temp_reg_count", REGISTERS);
	put_named_number(writer, ".wave_mode", WAVE_32);
}

static void put_word(struct writer *writer, uint32_t value)
{
	put(writer, &value, sizeof(value)); /* the host is little-endian, as the object */
}

struct mtcc_bytes mtcc_note_build(const struct mtcc_module *module)
{
	static const char owner[8] = "MTGPU", zeros[4] = "";
	struct writer note = {0}, text = {0};

	put_map(&text, 2);
	put_text(&text, "mtgpu.kernels");
	put_array(&text, module->kernel_count);
	for (size_t i = 0; i < module->kernel_count; i++)
		put_kernel(&text, &module->kernels[i], module->record);
	put_text(&text, "mtgpu.version");
	put_array(&text, 2);
	put_number(&text, 1);
	put_number(&text, 0);

	put_word(&note, 6); /* owner with its terminator */
	put_word(&note, (uint32_t)text.size_b);
	put_word(&note, NOTE_TYPE);
	put(&note, owner, sizeof(owner));
	put(&note, text.data, text.size_b);
	put(&note, zeros, (4 - text.size_b % 4) % 4);
	free(text.data);
	return (struct mtcc_bytes){note.data, note.size_b};
}

/* SPDX-License-Identifier: MIT */
/*
 * One fuzzing step over a saved graph of any bytes: sums are put right, so that what lies behind them
 * is reached, and everything is read. Built as a libFuzzer target where the compiler has it, and called
 * by the test of random mutations everywhere.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hw/base/digest.h"
#include "tools/dump/chain.h"
#include "tools/dump/command.h"
#include "tools/dump/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink; /* what was read is used */

/* The reader's only voice: a refusal has to say something. */
static bool has_spoken;

void dump_error(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	if (vsnprintf(text, sizeof(text), format, args) <= 0)
		abort();
	va_end(args);
	has_spoken = true;
}

static void repair_sums(uint8_t *bytes, size_t size)
{
	struct mtg_section head;
	size_t at = sizeof(struct mtg_header);

	while (at <= size && size - at >= sizeof(head)) {
		memcpy(&head, bytes + at, sizeof(head));
		if (head.size_b > size - at - sizeof(head))
			return;
		head.crc32 = mt_crc32(0, bytes + at + sizeof(head), head.size_b);
		memcpy(bytes + at, &head, sizeof(head));
		at += sizeof(head) + ((head.size_b + 7) & ~UINT64_C(7));
	}
}

static void use(const void *bytes, uint64_t count)
{
	sink += mt_crc32(0, bytes, count);
}

static void use_packet(void *data, const struct chain_packet *packet)
{
	char text[256];

	(void)data;
	if (packet->header) {
		mt_pkt_print(packet->header, text, sizeof(text));
		use(text, strlen(text));
	}
}

static void read_tables(struct dump_file *file)
{
	const struct file_info *info = file_info(file);
	const struct file_kernel *kernels;
	const struct file_range *ranges;
	uint32_t count, i, k;

	use(info->program.bytes, info->program.count);
	use(info->devices, info->head.device_count * sizeof(*info->devices));
	file_codes(file, &count);
	file_arrays(file, &count);
	kernels = file_kernels(file, &count);
	for (i = 0; i < count; i++)
		for (k = 0; k < kernels[i].head.param_count; k++)
			use(kernels[i].params[k].name.bytes, kernels[i].params[k].name.count);
	ranges = file_ranges(file, &count);
	for (i = 0; i < count; i++) {
		use(ranges[i].name.bytes, ranges[i].name.count);
		if (file_range_of(file, ranges[i].head.va) != &ranges[i])
			abort();
	}
}

static void read_rest(struct dump_file *file)
{
	struct file_record_cursor times = {0}, accesses = {0};
	struct file_exec_cursor exec_nodes = {0};
	const struct mtg_exec_node *exec_node;
	struct file_piece piece;
	uint32_t index = 0, i, id;
	const void *record;
	uint8_t byte;

	while (file_next_piece(file, &index, &piece))
		if (piece.head.bytes_b)
			file_read_part(file, piece.section, piece.bytes_at, &byte, 1);
	while ((record = file_next_record(file, &times, MTG_TIMES, sizeof(struct mtg_time))))
		use(record, sizeof(struct mtg_time));
	while ((record = file_next_record(file, &accesses, MTG_ACCESSES, sizeof(struct mtg_access))))
		use(record, sizeof(struct mtg_access));
	for (i = 0; i < 64 && (exec_node = file_exec_node(file, &exec_nodes, i)); i++) {
		use(exec_node, sizeof(*exec_node));
		file_graph_of_number(file, i, &id);
	}
	file_record_cursor_finish(&times);
	file_record_cursor_finish(&accesses);
	file_exec_cursor_finish(&exec_nodes);
	chain_walk(file, use_packet, NULL);
}

static void read_model(struct dump_file *file)
{
	struct model model = {0};
	uint32_t i;

	if (!model_load(&model, file))
		for (i = 0; i < model.node_count; i++) {
			const struct file_node *node = &model.nodes[i];

			use(node->params, node->head->params_b);
			use(node->deps, node->head->dep_count * sizeof(*node->deps));
			if (node->args)
				use(node->args, ((const struct mtg_kernel_params *)node->params)->args_b);
			if (node->attrs)
				use(node->attrs, sizeof(*node->attrs));
			if (node->symbol.count)
				use(node->symbol.bytes, node->symbol.count);
			if (model_find(&model, node->graph, node->head->id) != i)
				abort();
		}
	model_finish(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	uint8_t *bytes = malloc(size + 1);
	struct dump_file *file;
	char path[64];

	if (fd < 0 || !bytes)
		abort();
	memcpy(bytes, data, size);
	repair_sums(bytes, size);
	if (write(fd, bytes, size) != (ssize_t)size)
		abort();
	free(bytes);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	has_spoken = false;
	if (!file_open(path, &file)) {
		read_tables(file);
		read_rest(file);
		read_model(file);
		if (file_status(file) && !has_spoken)
			abort();
		file_close(file);
	} else if (!has_spoken) {
		abort(); /* a refusal without a reason */
	}
	close(fd);
	return 0;
}

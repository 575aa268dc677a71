/* SPDX-License-Identifier: MIT */
/* Rebuilding as a whole: what is lacking, code, and the order of the parts. */
#include "tools/dump/rebuild.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/output.h"

#define DEVICES_MAX 16u

bool rebuild_failed(struct rebuild *rebuild, musaError_t error, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!rebuild->status)
		dump_error("%s: %s: %s", file_path(rebuild->file), text,
			   musaGetErrorString(error));
	rebuild->status = DUMP_UNREADABLE;
	return false;
}

bool rebuild_no_memory(struct rebuild *rebuild)
{
	return rebuild_failed(rebuild, musaErrorMemoryAllocation, "host memory");
}

/* --- what is lacking -------------------------------------------------------------------------------- */

static void lacks(struct rebuild *rebuild, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void lacks(struct rebuild *rebuild, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	dump_error("%s lacks %s", file_path(rebuild->file), text);
	rebuild->status = DUMP_UNREADABLE;
}

static void check_code(struct rebuild *rebuild)
{
	uint32_t count, i, k;
	const struct file_code *codes = file_codes(rebuild->file, &count);
	char hash[17];

	for (i = 0; i < count; i++) {
		if (codes[i].head.saved_b)
			continue;
		for (k = 0; k < 8; k++)
			snprintf(hash + 2 * k, 3, "%02x", codes[i].head.sha256[k]);
		lacks(rebuild, "code object %u (mp_%u, %llu bytes, SHA-256 %s...)", i,
		      codes[i].head.arch_id / 10, (unsigned long long)codes[i].head.code_b, hash);
	}
}

static void check_host(struct rebuild *rebuild)
{
	struct file_node_cursor cursor = {0};
	struct file_node node;

	while (file_next_node(rebuild->file, &cursor, &node)) {
		switch (node.head->type) {
		case musaGraphNodeTypeHost:
			lacks(rebuild, "the host function of node %u in graph %u: %.*s",
			      node.head->id, node.graph,
			      node.symbol.count > 200 ? 200 : (int)node.symbol.count,
			      node.symbol.bytes);
			break;
		case musaGraphNodeTypeExtSemaphoreSignal:
		case musaGraphNodeTypeExtSemaphoreWait:
			lacks(rebuild, "the external semaphores of node %u in graph %u",
			      node.head->id, node.graph);
			break;
		default:
			break;
		}
	}
	file_node_cursor_finish(&cursor);
}

int rebuild_check(struct rebuild *rebuild)
{
	check_code(rebuild);
	if (!rebuild->options->any_host)
		check_host(rebuild);
	if (file_status(rebuild->file))
		rebuild->status = file_status(rebuild->file);
	return rebuild->status;
}

/* --- code ------------------------------------------------------------------------------------------- */

static bool load_library(struct rebuild *rebuild, const struct file_code *code, uint32_t index)
{
	const struct file_section *section = file_section(rebuild->file, code->section);
	struct file_buffer buffer = {0};
	musaError_t error;

	if (file_read(rebuild->file, section, &buffer)) {
		file_buffer_finish(&buffer);
		rebuild->status = DUMP_UNREADABLE;
		return false;
	}
	rebuild->code[index] = buffer.bytes;
	error = musaLibraryLoadData(&rebuild->libraries[index], buffer.bytes + code->head.size_b,
				    NULL, NULL, 0, NULL, NULL, 0);
	return !error || rebuild_failed(rebuild, error, "code object %u (mp_%u)", index,
					code->head.arch_id / 10);
}

bool rebuild_code(struct rebuild *rebuild)
{
	const struct file_code *codes = file_codes(rebuild->file, &rebuild->code_count);
	const struct file_kernel *kernels = file_kernels(rebuild->file, &rebuild->kernel_count);
	musaError_t error;
	char *name;
	uint32_t i;

	rebuild->libraries = calloc(rebuild->code_count + 1u, sizeof(*rebuild->libraries));
	rebuild->code = calloc(rebuild->code_count + 1u, sizeof(*rebuild->code));
	rebuild->kernels = calloc(rebuild->kernel_count + 1u, sizeof(*rebuild->kernels));
	if (!rebuild->libraries || !rebuild->code || !rebuild->kernels)
		return rebuild_no_memory(rebuild);
	for (i = 0; i < rebuild->code_count; i++)
		if (!load_library(rebuild, &codes[i], i))
			return false;
	for (i = 0; i < rebuild->kernel_count; i++) {
		name = strndup(kernels[i].name.bytes, kernels[i].name.count);
		if (!name)
			return rebuild_no_memory(rebuild);
		error = musaLibraryGetKernel(&rebuild->kernels[i],
					     rebuild->libraries[kernels[i].head.code], name);
		if (error)
			rebuild_failed(rebuild, error, "kernel %.100s", name);
		free(name);
		if (error)
			return false;
	}
	return true;
}

static uint32_t device_count(struct dump_file *file)
{
	return file ? file_info(file)->head.device_count : 0;
}

void rebuild_set_devices(struct dump_file *file, struct dump_file *other)
{
	uint32_t count = device_count(file), more = device_count(other);
	const char *backend = getenv("MUSA_BACKEND");
	char number[16];

	count = more > count ? more : count;
	if (getenv("MUSA_MOCK_DEVICES") || count < 2 || count > DEVICES_MAX ||
	    (backend && strcmp(backend, "mock") != 0))
		return;
	snprintf(number, sizeof(number), "%u", count);
	setenv("MUSA_MOCK_DEVICES", number, 1);
}

/* --- the whole -------------------------------------------------------------------------------------- */

static bool has_devices(struct rebuild *rebuild)
{
	const struct model *model = &rebuild->model;
	uint32_t most = model->graphs[0].device, i;
	int count = 0;
	musaError_t error = musaGetDeviceCount(&count);

	if (error)
		return rebuild_failed(rebuild, error, "it cannot be built here");
	for (i = 0; i < model->node_count; i++)
		most = model->nodes[i].head->device > most ? model->nodes[i].head->device : most;
	return most < (uint32_t)count ||
	       rebuild_failed(rebuild, musaErrorInvalidDevice,
			      "it cannot be built here: device %u is needed, and there are %d", most,
			      count);
}

int rebuild_graph(struct rebuild *rebuild, struct dump_file *file,
		  const struct rebuild_options *options, const struct rebuild *other)
{
	memset(rebuild, 0, sizeof(*rebuild));
	rebuild->file = file;
	rebuild->options = options;
	if (rebuild_check(rebuild))
		return rebuild->status;
	rebuild->status = model_load(&rebuild->model, file);
	if (rebuild->status)
		return rebuild->status;
	if (has_devices(rebuild) && rebuild_code(rebuild) && rebuild_memory(rebuild, other))
		rebuild_nodes(rebuild);
	if (!rebuild->status)
		rebuild->status = file_status(file);
	return rebuild->status;
}

static void free_ranges(struct rebuild *rebuild)
{
	for (uint32_t i = 0; rebuild->ranges && i < rebuild->range_count; i++) {
		const struct rebuild_range *range = &rebuild->ranges[i];

		if (!range->base)
			continue;
		switch (rebuild->file_ranges[i].head.kind) {
		case MTG_RANGE_PAGEABLE:
			free(range->base);
			break;
		case MTG_RANGE_PINNED:
			musaFreeHost(range->base);
			break;
		case MTG_RANGE_REGISTERED:
			musaHostUnregister(range->base);
			free(range->base);
			break;
		default:
			musaFree(range->base);
			break;
		}
	}
}

void rebuild_finish(struct rebuild *rebuild)
{
	uint32_t i;

	if (rebuild->graphs && rebuild->graphs[0])
		musaGraphDestroy(rebuild->graphs[0]);
	for (i = 0; i < rebuild->event_count; i++)
		musaEventDestroy(rebuild->events[i].event);
	for (i = 0; i < rebuild->semaphore_count; i++)
		musaDestroyExternalSemaphore(rebuild->semaphores[i].semaphore);
	free_ranges(rebuild);
	for (i = 0; rebuild->arrays && i < rebuild->array_count; i++)
		if (rebuild->arrays[i] && !rebuild->array_borrowed[i])
			musaFreeArray(rebuild->arrays[i]);
	for (i = 0; rebuild->libraries && i < rebuild->code_count; i++)
		if (rebuild->libraries[i])
			musaLibraryUnload(rebuild->libraries[i]);
	for (i = 0; rebuild->code && i < rebuild->code_count; i++)
		free(rebuild->code[i]);
	free(rebuild->ranges);
	free(rebuild->arrays);
	free(rebuild->array_borrowed);
	free(rebuild->libraries);
	free(rebuild->code);
	free(rebuild->kernels);
	free(rebuild->events);
	free(rebuild->semaphores);
	free(rebuild->graphs);
	free(rebuild->nodes);
	model_finish(&rebuild->model);
	memset(rebuild, 0, sizeof(*rebuild));
}

uint32_t rebuild_find_node(const struct rebuild *rebuild, musaGraphNode_t node)
{
	uint32_t i;

	for (i = 0; rebuild->nodes && i < rebuild->model.node_count; i++)
		if (rebuild->nodes[i] == node)
			return i;
	return MTG_NONE;
}

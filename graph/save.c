/* SPDX-License-Identifier: MIT */
/*
 * Saves a graph: finds out what its nodes name, writes the file beside its place, and puts it there
 * when it is complete.
 */
#include "graph/save.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "graph/save_internal.h"
#include "graph/trace.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "hw/options.h"

static const char *program_name(void)
{
	return program_invocation_short_name ? program_invocation_short_name : "?";
}

static uint64_t wall_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Process numbers come again, and containers all have the same ones. */
static uint32_t process_mark(void)
{
	static _Atomic uint64_t mark;
	uint64_t none = 0, now = wall_clock_ns() | 1;

	if (!atomic_load_explicit(&mark, memory_order_relaxed))
		atomic_compare_exchange_strong(&mark, &none, now);
	return (uint32_t)(atomic_load_explicit(&mark, memory_order_relaxed) * 0x9e3779b97f4a7c15u >>
			  32);
}

static void put_device(struct mt_save_file *file, const struct mt_hw_device *hw)
{
	struct mtg_device record = {
		.arch_id = hw->info.arch_id,
		.warp_size = hw->info.warp_size,
		.mp_count = hw->info.mp_count,
		.caps = hw->info.caps,
	};

	memcpy(record.name, hw->info.name, sizeof(record.name) - 1);
	mt_save_put(file, &record, sizeof(record));
}

static void write_info(struct mt_save *save)
{
	const char *program = program_name(), *backend = save->ctx->hw->ops->name;
	struct mt_save_file *file = &save->file;
	struct mtg_info info = {
		.size_b = sizeof(info),
		.flags = (save->flags & MT_SAVE_CODE ? MTG_INFO_CODE : 0) |
			 (save->memory_b ? MTG_INFO_MEMORY : 0) | (save->busy ? MTG_INFO_BUSY : 0),
		.time_ns = wall_clock_ns(),
		.memory_limit_b = save->memory_b,
		.pid = (uint32_t)getpid(),
		.program_b = (uint32_t)strlen(program),
		.version_b = (uint32_t)strlen(MT_VERSION),
		.backend_b = (uint32_t)strlen(backend),
		.device_count = mt_device_count(),
		.process = process_mark(),
	};
	uint32_t i;

	mt_save_begin(file, MTG_INFO);
	mt_save_put(file, &info, sizeof(info));
	mt_save_put(file, program, info.program_b);
	mt_save_put(file, MT_VERSION, info.version_b);
	mt_save_put(file, backend, info.backend_b);
	mt_save_pad(file);
	for (i = 0; i < info.device_count; i++)
		put_device(file, mt_device_get(i));
	mt_save_end(file);
}

/* What the nodes name: code and memory. */
static MUresult collect(struct mt_save *save)
{
	struct mt_save_node node;
	uint32_t g, id;
	bool found;
	MUresult ret = MUSA_SUCCESS;

	for (g = 0; g < save->view.count; g++)
		for (id = 0; id < save->view.graphs[g].head.id_count && !ret; id++) {
			ret = mt_save_view_node(&save->view, g, id, &node, &found);
			if (ret || !found)
				continue;
			ret = mt_save_code_of_node(save, &node);
			if (!ret)
				ret = mt_save_ranges_of_node(save, &node, g, id);
		}
	return ret;
}

static void finish(struct mt_save *save)
{
	mt_save_view_finish(&save->view);
	mt_save_table_finish(&save->codes);
	mt_save_table_finish(&save->kernels);
	mt_save_table_finish(&save->arrays);
	mt_save_table_finish(&save->known);
	mt_free(save->known_at);
	mt_free(save->ranges);
	mt_free(save->file.payload);
}

/* All that needs the exec's lock. */
static MUresult write_structure(struct mt_save *save, const struct mt_graph *graph,
				const struct mt_exec *exec)
{
	MUresult ret = exec ? mt_save_view_exec(&save->view, exec) :
			      mt_save_view_graph(&save->view, graph);

	if (!ret)
		ret = collect(save);
	if (ret)
		return ret;
	mt_save_code_write(save);
	ret = mt_save_nodes_write(save);
	if (!ret && exec)
		ret = mt_save_exec_write(save);
	return ret;
}

static MUresult write_all(struct mt_save *save, const struct mt_graph *graph, struct mt_exec *exec)
{
	MUresult ret;

	if (exec)
		pthread_mutex_lock(&exec->lock);
	ret = write_structure(save, graph, exec);
	if (exec)
		pthread_mutex_unlock(&exec->lock);
	if (ret)
		return ret;
	mt_save_ranges_settle(save);
	ret = mt_save_ranges_write(save);
	if (ret)
		return ret;
	write_info(save);
	return MUSA_SUCCESS;
}

/* Writes to a file of another name in the same directory. */
static MUresult save_to(struct mt_save *save, const char *path, const struct mt_graph *graph,
			struct mt_exec *exec)
{
	static _Atomic uint32_t count;
	char temporary[PATH_MAX];
	int fd, length, error;
	MUresult ret;

	length = snprintf(temporary, sizeof(temporary), "%s.%d.%u", path, (int)getpid(),
			  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed));
	if (length < 0 || (size_t)length >= sizeof(temporary))
		return MUSA_ERROR_INVALID_VALUE;
	fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		mt_log(MT_LOG_WARN, "graph save: %s: %s", path, strerror(errno));
		return MUSA_ERROR_OPERATING_SYSTEM;
	}
	mt_save_open(&save->file, fd);
	ret = write_all(save, graph, exec);
	error = mt_save_close(&save->file);
	if (close(fd) && !error)
		error = -errno;
	if (!ret && !error && rename(temporary, path))
		error = -errno;
	if (ret || error)
		unlink(temporary);
	if (ret || !error)
		return ret;
	mt_log(MT_LOG_WARN, "graph save: %s: %s", path, strerror(-error));
	return error == -ENOMEM ? MUSA_ERROR_OUT_OF_MEMORY : MUSA_ERROR_OPERATING_SYSTEM;
}

MUresult mt_graph_save(MUgraph handle, const char *path, uint32_t flags, uint64_t memory_b)
{
	struct mt_save save = {.flags = flags, .memory_b = memory_b};
	struct mt_graph *graph;
	MUresult ret = mt_graph_get(handle, &graph);

	if (ret || !path || flags & ~(uint32_t)MT_SAVE_CODE)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_ctx_primary(graph->device, &save.ctx);
	if (!ret)
		ret = save_to(&save, path, graph, NULL);
	finish(&save);
	return ret;
}

static MUresult save_exec(struct mt_exec *exec, const char *path, uint32_t flags, uint64_t memory_b)
{
	struct mt_save save = {.flags = flags, .memory_b = memory_b, .ctx = exec->ctx};
	MUresult ret = save_to(&save, path, NULL, exec);

	finish(&save);
	return ret;
}

MUresult mt_exec_save(MUgraphExec handle, const char *path, uint32_t flags, uint64_t memory_b)
{
	struct mt_exec *exec;
	MUresult ret = mt_exec_get(handle, &exec);

	if (ret || !path || flags & ~(uint32_t)MT_SAVE_CODE)
		return MUSA_ERROR_INVALID_VALUE;
	return save_exec(exec, path, flags, memory_b);
}

void mt_exec_save_new(struct mt_exec *exec)
{
	static _Atomic uint32_t count;
	const struct mt_hw_options *options = mt_hw_options();
	char path[PATH_MAX];
	int length;
	MUresult ret;

	if (!options->graph_save[0])
		return;
	length = snprintf(path, sizeof(path), "%s/%s-%d-%u.mtgraph", options->graph_save,
			  program_name(), (int)getpid(),
			  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed));
	if (length < 0 || (size_t)length >= sizeof(path))
		return;
	ret = save_exec(exec, path, MT_SAVE_CODE, options->graph_save_memory_b);
	if (ret)
		mt_log(MT_LOG_ERROR, "graph save: %s could not be written: error %d", path,
		       (int)ret);
	else if (mt_tracing())
		mt_trace_saved(exec, path);
}

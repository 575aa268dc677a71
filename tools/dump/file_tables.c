/* SPDX-License-Identifier: MIT */
/* The reader's small tables: information, code objects, kernels, arrays, graphs, the exec. */
#include <stdlib.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/file_private.h"

/* The sections of a type, read one after the other into memory that stays. */
struct walk {
	struct dump_file *file;
	uint32_t type, index;
	const struct file_section *section;
	const uint8_t *bytes;
	uint64_t size_b;
};

/* true the first time that a table is asked for. */
static bool begin(struct walk *walk, struct dump_file *file, uint32_t type)
{
	memset(walk, 0, sizeof(*walk));
	walk->file = file;
	walk->type = type;
	if (file->loaded & 1u << type)
		return false;
	file->loaded |= 1u << type;
	return true;
}

static bool next_section(struct walk *walk)
{
	struct file_buffer buffer = {0};
	struct dump_file *file = walk->file;

	walk->index = file_find(file, walk->type, walk->section ? walk->index + 1 : 0);
	if (file->status || walk->index == file->section_count)
		return false;
	walk->section = &file->sections[walk->index];
	if (file_read(file, walk->section, &buffer)) {
		file_buffer_finish(&buffer);
		return false;
	}
	walk->bytes = buffer.bytes;
	walk->size_b = buffer.size_b;
	return file_keep(file, buffer.bytes);
}

/* --- information ---------------------------------------------------------------------------------- */

static void read_info(struct dump_file *file, const struct walk *walk)
{
	struct file_info *info = &file->info;
	uint64_t at, texts_b;

	if (walk->size_b < sizeof(info->head)) {
		file_bad(file, walk->section, "too short");
		return;
	}
	memcpy(&info->head, walk->bytes, sizeof(info->head));
	at = info->head.size_b;
	texts_b = (uint64_t)info->head.program_b + info->head.version_b + info->head.backend_b;
	if (at < sizeof(info->head) || at % 8 || at > walk->size_b ||
	    texts_b > walk->size_b - at ||
	    info->head.device_count > (walk->size_b - at - texts_b) / sizeof(struct mtg_device)) {
		memset(info, 0, sizeof(*info));
		file_bad(file, walk->section, "its parts do not fit into it");
		return;
	}
	info->program = (struct file_text){(const char *)walk->bytes + at, info->head.program_b};
	at += info->head.program_b;
	info->version = (struct file_text){(const char *)walk->bytes + at, info->head.version_b};
	at += info->head.version_b;
	info->backend = (struct file_text){(const char *)walk->bytes + at, info->head.backend_b};
	at = (at + info->head.backend_b + 7) & ~UINT64_C(7);
	if (at > walk->size_b ||
	    info->head.device_count > (walk->size_b - at) / sizeof(struct mtg_device))
		info->head.device_count = 0;
	info->devices = (const struct mtg_device *)(walk->bytes + at);
}

const struct file_info *file_info(struct dump_file *file)
{
	struct walk walk;

	if (begin(&walk, file, MTG_INFO) && next_section(&walk))
		read_info(file, &walk);
	return &file->info;
}

bool file_is_same_process(struct dump_file *a, struct dump_file *b)
{
	const struct mtg_info *x = &file_info(a)->head, *y = &file_info(b)->head;

	return x->pid == y->pid && x->process == y->process;
}

/* --- code objects --------------------------------------------------------------------------------- */

/* Heads only: the bytes are large and stay in the file. */
static void load_codes(struct dump_file *file)
{
	uint32_t i, room = 0;

	for (i = file_find(file, MTG_CODE, 0); i < file->section_count && !file->status;
	     i = file_find(file, MTG_CODE, i + 1)) {
		const struct file_section *section = &file->sections[i];
		struct file_code *code;

		if (!file_grow(file, &file->codes, file->code_count, &room, sizeof(*code)))
			return;
		code = &file->codes[file->code_count];
		if (file_read_part(file, section, 0, &code->head, sizeof(code->head)))
			return;
		code->section = i;
		if (code->head.index != file->code_count ||
		    code->head.size_b < sizeof(code->head) ||
		    code->head.size_b > section->size_b ||
		    code->head.saved_b > section->size_b - code->head.size_b ||
		    (code->head.saved_b && code->head.saved_b != code->head.code_b)) {
			file_bad(file, section, "bad code object record");
			return;
		}
		file->code_count++;
	}
}

const struct file_code *file_codes(struct dump_file *file, uint32_t *count_out)
{
	struct walk walk;

	if (begin(&walk, file, MTG_CODE)) {
		load_codes(file);
		if (file->codes && !file_keep(file, file->codes))
			file->codes = NULL;
	}
	*count_out = file->status ? 0 : file->code_count;
	return *count_out ? file->codes : NULL;
}

/* --- kernels ---------------------------------------------------------------------------------------- */

/* A record's name behind its head: checks that record, head and name fit. */
static bool take_name(const uint8_t *record, uint64_t room, uint32_t size_b, uint32_t head_b,
		      uint32_t least_b, uint32_t name_b, struct file_text *name_out)
{
	if (size_b > room || size_b % 8 || head_b < least_b || head_b % 8 || head_b > size_b ||
	    name_b > size_b - head_b)
		return false;
	*name_out = (struct file_text){(const char *)record + head_b, name_b};
	return true;
}

static bool read_params(struct walk *walk, struct file_kernel *kernel, const uint8_t *record)
{
	uint64_t at = kernel->head.head_b + (((uint64_t)kernel->head.name_b + 7) & ~UINT64_C(7));
	struct file_param *params;
	uint32_t i;

	if (at > kernel->head.size_b ||
	    kernel->head.param_count > (kernel->head.size_b - at) / sizeof(struct mtg_param))
		return false;
	params = file_alloc(walk->file, kernel->head.param_count, sizeof(*params));
	if (!params)
		return false;
	for (i = 0; i < kernel->head.param_count; i++) {
		struct mtg_param *head = &params[i].head;

		if (kernel->head.size_b - at < sizeof(*head))
			return false;
		memcpy(head, record + at, sizeof(*head));
		if (!take_name(record + at, kernel->head.size_b - at, head->size_b, head->head_b,
			       sizeof(*head), head->name_b, &params[i].name) ||
		    head->image_b > kernel->head.args_b ||
		    head->value_b > kernel->head.args_b - head->image_b)
			return false;
		at += head->size_b;
	}
	kernel->params = params;
	return true;
}

static bool read_kernel(struct walk *walk, uint64_t *at, uint32_t *room)
{
	struct dump_file *file = walk->file;
	struct file_kernel *kernel;

	if (!file_grow(file, &file->kernels, file->kernel_count, room, sizeof(*kernel)))
		return false;
	kernel = &file->kernels[file->kernel_count];
	memset(kernel, 0, sizeof(*kernel));
	if (walk->size_b - *at < sizeof(kernel->head))
		return false;
	memcpy(&kernel->head, walk->bytes + *at, sizeof(kernel->head));
	if (!take_name(walk->bytes + *at, walk->size_b - *at, kernel->head.size_b,
		       kernel->head.head_b, sizeof(kernel->head), kernel->head.name_b,
		       &kernel->name) ||
	    kernel->head.index != file->kernel_count || kernel->head.code >= file->code_count ||
	    !read_params(walk, kernel, walk->bytes + *at))
		return false;
	*at += kernel->head.size_b;
	file->kernel_count++;
	return true;
}

const struct file_kernel *file_kernels(struct dump_file *file, uint32_t *count_out)
{
	uint32_t room = 0, codes;
	struct walk walk;
	uint64_t at;

	if (begin(&walk, file, MTG_KERNELS)) {
		file_codes(file, &codes);
		while (next_section(&walk))
			for (at = 0; at < walk.size_b && !file->status;)
				if (!read_kernel(&walk, &at, &room))
					file_bad(file, walk.section, "bad kernel record");
		if (file->kernels && !file_keep(file, file->kernels))
			file->kernels = NULL;
	}
	*count_out = file->status ? 0 : file->kernel_count;
	return *count_out ? file->kernels : NULL;
}

/* --- fixed records ---------------------------------------------------------------------------------- */

/* Gathers the records of all sections of a type into one array. */
static void *read_records(struct walk *walk, size_t record_b, uint32_t *count_out)
{
	struct dump_file *file = walk->file;
	struct file_buffer buffer = {0};
	uint64_t total_b = 0;
	uint8_t *records, *to;
	uint32_t i;

	for (i = file_find(file, walk->type, 0); i < file->section_count;
	     i = file_find(file, walk->type, i + 1)) {
		if (file->sections[i].size_b % record_b)
			file_bad(file, &file->sections[i], "no whole number of records");
		total_b += file->sections[i].size_b;
	}
	if (total_b / record_b >= MTG_NONE)
		file_bad(file, NULL, "too many records");
	if (file->status)
		return NULL;
	records = to = file_alloc(file, total_b, 1);
	for (i = file_find(file, walk->type, 0); records && i < file->section_count;
	     i = file_find(file, walk->type, i + 1)) {
		if (file_read(file, &file->sections[i], &buffer)) {
			records = NULL;
			break;
		}
		memcpy(to, buffer.bytes, buffer.size_b);
		to += buffer.size_b;
	}
	file_buffer_finish(&buffer);
	*count_out = records ? (uint32_t)(total_b / record_b) : 0;
	return records;
}

const struct mtg_array *file_arrays(struct dump_file *file, uint32_t *count_out)
{
	struct walk walk;

	if (begin(&walk, file, MTG_ARRAYS))
		file->arrays = read_records(&walk, sizeof(*file->arrays), &file->array_count);
	*count_out = file->status ? 0 : file->array_count;
	return *count_out ? file->arrays : NULL;
}

/* --- graphs ----------------------------------------------------------------------------------------- */

static int compare_place(const struct mtg_graph *graph, uint32_t parent, uint32_t node,
			 uint32_t slot)
{
	if (graph->parent != parent)
		return graph->parent < parent ? -1 : 1;
	if (graph->parent_node != node)
		return graph->parent_node < node ? -1 : 1;
	return graph->slot < slot ? -1 : graph->slot > slot;
}

static int compare_nested(const void *a, const void *b, void *graphs)
{
	const struct mtg_graph *x = (struct mtg_graph *)graphs + *(const uint32_t *)a;
	const struct mtg_graph *y = (struct mtg_graph *)graphs + *(const uint32_t *)b;

	return compare_place(x, y->parent, y->parent_node, y->slot);
}

static int compare_base(const void *a, const void *b, void *graphs)
{
	const struct mtg_graph *x = (struct mtg_graph *)graphs + *(const uint32_t *)a;
	const struct mtg_graph *y = (struct mtg_graph *)graphs + *(const uint32_t *)b;

	return x->base < y->base ? -1 : x->base > y->base;
}

/* Parents come first, so that following parents ends; each place holds one graph. */
static void check_graphs(struct dump_file *file)
{
	const struct mtg_graph *graphs = file->graphs;
	uint32_t i;

	for (i = 0; i < file->graph_count; i++) {
		bool good = i ? graphs[i].parent < i && graphs[i].role >= MTG_CHILD &&
					graphs[i].role <= MTG_BODY
			      : graphs[i].parent == MTG_NONE && graphs[i].role == MTG_ROOT;

		if (!good || graphs[i].node_count > graphs[i].id_count ||
		    (i && graphs[i].parent_node >= graphs[graphs[i].parent].id_count)) {
			file_bad(file, NULL, "graph %u has no place", i);
			return;
		}
	}
	file->nested = file_alloc(file, file->graph_count, sizeof(uint32_t));
	file->by_base = file_alloc(file, file->graph_count, sizeof(uint32_t));
	if (!file->nested || !file->by_base)
		return;
	for (i = 0; i < file->graph_count; i++) {
		file->by_base[i] = i;
		file->nested[i] = i;
	}
	/* The root, whose parent is MTG_NONE, comes last. */
	qsort_r(file->nested, file->graph_count, sizeof(uint32_t), compare_nested, file->graphs);
	qsort_r(file->by_base, file->graph_count, sizeof(uint32_t), compare_base, file->graphs);
	for (i = 1; i < file->graph_count; i++)
		if (!compare_nested(&file->nested[i - 1], &file->nested[i], file->graphs))
			file_bad(file, NULL, "two graphs in one place");
}

const struct mtg_graph *file_graphs(struct dump_file *file, uint32_t *count_out)
{
	struct walk walk;

	if (begin(&walk, file, MTG_GRAPHS)) {
		file->graphs = read_records(&walk, sizeof(*file->graphs), &file->graph_count);
		if (!file->status && !file->graph_count)
			file_bad(file, NULL, "it holds no graph");
		if (!file->status)
			check_graphs(file);
	}
	*count_out = file->status ? 0 : file->graph_count;
	return *count_out ? file->graphs : NULL;
}

uint32_t file_nested(struct dump_file *file, uint32_t graph, uint32_t node, uint32_t slot)
{
	uint32_t low = 0, high, middle, count;
	int order;

	file_graphs(file, &count);
	for (high = count; low < high;) {
		middle = low + (high - low) / 2;
		order = compare_place(&file->graphs[file->nested[middle]], graph, node, slot);
		if (!order)
			return file->nested[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return MTG_NONE;
}

uint32_t file_graph_of_number(struct dump_file *file, uint32_t number, uint32_t *id_out)
{
	uint32_t low = 0, high, middle, count;
	const struct mtg_graph *graph;

	file_graphs(file, &count);
	/* The last graph whose base is not beyond the number. Empty graphs share a base. */
	for (high = count; low < high;) {
		middle = low + (high - low) / 2;
		if (file->graphs[file->by_base[middle]].base <= number)
			low = middle + 1;
		else
			high = middle;
	}
	while (low) {
		graph = &file->graphs[file->by_base[--low]];
		if (number - graph->base < graph->id_count) {
			*id_out = number - graph->base;
			return file->by_base[low];
		}
		if (graph->id_count)
			break;
	}
	return MTG_NONE;
}

/* --- exec ------------------------------------------------------------------------------------------- */

const struct mtg_exec *file_exec(struct dump_file *file)
{
	struct walk walk;

	if (begin(&walk, file, MTG_EXEC) && next_section(&walk)) {
		if (walk.size_b >= sizeof(file->exec))
			memcpy(&file->exec, walk.bytes, sizeof(file->exec));
		if (walk.size_b < sizeof(file->exec) || file->exec.size_b < sizeof(file->exec) ||
		    file->exec.queue_count > MTG_QUEUES_MAX)
			file_bad(file, walk.section, "bad record");
		else
			file->has_exec = true;
	}
	return file->has_exec && !file->status ? &file->exec : NULL;
}

/* --- ranges ----------------------------------------------------------------------------------------- */

static bool read_range(struct walk *walk, uint64_t *at, uint32_t *room)
{
	struct dump_file *file = walk->file;
	struct file_range *range, *last;

	if (!file_grow(file, &file->ranges, file->range_count, room, sizeof(*range)))
		return false;
	range = &file->ranges[file->range_count];
	if (walk->size_b - *at < sizeof(range->head))
		return false;
	memcpy(&range->head, walk->bytes + *at, sizeof(range->head));
	last = file->range_count ? range - 1 : NULL;
	if (!take_name(walk->bytes + *at, walk->size_b - *at, range->head.size_b,
		       range->head.head_b, sizeof(range->head), range->head.name_b,
		       &range->name) ||
	    range->head.index != file->range_count || !range->head.range_b ||
	    range->head.range_b > UINT64_MAX - range->head.va ||
	    (last && last->head.va + last->head.range_b > range->head.va))
		return false;
	*at += range->head.size_b;
	file->range_count++;
	return true;
}

const struct file_range *file_ranges(struct dump_file *file, uint32_t *count_out)
{
	uint32_t room = 0;
	struct walk walk;
	uint64_t at;

	if (begin(&walk, file, MTG_RANGES)) {
		while (next_section(&walk))
			for (at = 0; at < walk.size_b && !file->status;)
				if (!read_range(&walk, &at, &room))
					file_bad(file, walk.section, "bad record of memory");
		if (file->ranges && !file_keep(file, file->ranges))
			file->ranges = NULL;
	}
	*count_out = file->status ? 0 : file->range_count;
	return *count_out ? file->ranges : NULL;
}

const struct file_range *file_range_of(struct dump_file *file, uint64_t va)
{
	uint32_t low = 0, high, middle;
	const struct file_range *ranges = file_ranges(file, &high);

	while (low < high) {
		middle = low + (high - low) / 2;
		if (va < ranges[middle].head.va)
			high = middle;
		else if (va - ranges[middle].head.va >= ranges[middle].head.range_b)
			low = middle + 1;
		else
			return &ranges[middle];
	}
	return NULL;
}

/* SPDX-License-Identifier: MIT */
/* Texts and colours of nodes. Fill colours stand for types, border colours for queues. */
#include "tools/dump/draw_label.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/demangle.h"
#include "tools/dump/output.h"
#include "tools/dump/words.h"

#define TEXT_MAX_B 200u /* more does not fit a node, and Graphviz reads no quoted text above 16 KiB */

void draw_text(FILE *out, const char *bytes, size_t count)
{
	size_t end = count < TEXT_MAX_B ? count : TEXT_MAX_B;

	for (size_t i = 0; i < end;) {
		size_t length = out_utf8(bytes + i, count - i);
		uint8_t byte = (uint8_t)bytes[i];

		if (!length || byte < 0x20 || byte == 0x7f) {
			fprintf(out, "\\\\x%02x", byte);
			i++;
		} else if (byte == '\\') {
			fputs("\\\\", out);
			i++;
		} else {
			fwrite(bytes + i, 1, length, out);
			i += length;
		}
	}
	if (end < count)
		fputs("...", out);
}

static void size_text(FILE *out, uint64_t bytes)
{
	char text[OUT_SIZE_B];

	fputs(out_size(bytes, text), out);
}

static void dims(FILE *out, const uint32_t *dim)
{
	fprintf(out, "%u", dim[0]);
	if (dim[1] != 1 || dim[2] != 1)
		fprintf(out, "x%u", dim[1]);
	if (dim[2] != 1)
		fprintf(out, "x%u", dim[2]);
}

/* Without the parameters: the picture has no room for them. */
static void kernel_name(FILE *out, const struct file_text *name)
{
	char *plain = demangle(name->bytes, name->count);

	if (plain)
		draw_text(out, plain, strcspn(plain, "("));
	else
		draw_text(out, name->bytes, name->count);
	free(plain);
}

static void kernel_lines(FILE *out, struct dump_file *file, const struct mtg_kernel_params *params)
{
	uint32_t count;
	const struct file_kernel *kernels = file_kernels(file, &count);

	if (params->kernel < count)
		kernel_name(out, &kernels[params->kernel].name);
	else
		fputs("kernel", out);
	fputs("\\n", out);
	dims(out, params->grid);
	fputs(params->grid[0] == 1 && params->grid[1] == 1 && params->grid[2] == 1 ? " block of " :
										     " blocks of ",
	      out);
	dims(out, params->block);
	if (params->dynamic_shared_b) {
		fputs(", ", out);
		size_text(out, params->dynamic_shared_b);
		fputs(" shared", out);
	}
}

static void copy_lines(FILE *out, const struct mtg_copy_params *copy)
{
	fprintf(out, "copy %s\\n", word_copy_kind(copy->kind));
	size_text(out, copy->width_b);
	if (copy->height > 1 || copy->depth > 1)
		fprintf(out, " x %" PRIu64, copy->height);
	if (copy->depth > 1)
		fprintf(out, " x %" PRIu64, copy->depth);
}

static void fill_lines(FILE *out, const struct mtg_fill_params *fill)
{
	fprintf(out, "fill with %#x\\n%" PRIu64, fill->value, fill->width);
	if (fill->height > 1)
		fprintf(out, " x %" PRIu64, fill->height);
	fprintf(out, " of %u B", fill->element_b);
}

void draw_node_lines(FILE *out, struct dump_file *file, const struct file_node *node)
{
	switch (node->head->type) {
	case 0:
		kernel_lines(out, file, node->params);
		break;
	case 1:
		copy_lines(out, node->params);
		break;
	case 2:
		fill_lines(out, node->params);
		break;
	case 3:
		fputs("host function", out);
		if (node->symbol.count) {
			fputs("\\n", out);
			draw_text(out, node->symbol.bytes, node->symbol.count);
		}
		break;
	case 10:
		fputs("alloc ", out);
		size_text(out, ((const struct mtg_alloc_params *)node->params)->size_b);
		break;
	case 13: {
		const struct mtg_conditional_params *conditional = node->params;

		fputs(word_conditional(conditional->type), out);
		break;
	}
	default:
		fputs(word_node_type(node->head->type), out);
		break;
	}
	if (node->head->flags & MTG_NODE_DISABLED)
		fputs("\\n(disabled)", out);
}

void draw_weight(FILE *out, uint64_t weight, bool is_time)
{
	if (!is_time)
		fprintf(out, "%" PRIu64 " %s", weight, weight == 1 ? "node" : "nodes");
	else if (weight < 10000)
		fprintf(out, "%" PRIu64 " ns", weight);
	else if (weight < 10000000)
		fprintf(out, "%.1f us", (double)weight / 1e3);
	else
		fprintf(out, "%.1f ms", (double)weight / 1e6);
}

const char *draw_fill_colour(uint32_t type)
{
	/* Light enough for black text, told apart by lightness as well as by hue. */
	static const char *const colours[WORD_NODE_TYPES] = {
		"#cfe2ff", "#d8f3dc", "#eaf7c4", "#ffe5d0", "#e5dbff", "#f1f3f5", "#fff3bf",
		"#ffec99", "#ffd6e0", "#ffc2d4", "#c5f6fa", "#99e9f2", "#eeeeee", "#d0bfff",
	};

	return colours[type < WORD_NODE_TYPES ? type : 5];
}

const char *draw_shape(uint32_t type)
{
	static const char *const shapes[WORD_NODE_TYPES] = {
		"box", "box", "box", "hexagon", "folder", "ellipse", "note",
		"note", "note", "note", "box3d", "box3d", "box", "diamond",
	};

	return shapes[type < WORD_NODE_TYPES ? type : 5];
}

const char *draw_queue_colour(uint32_t queue)
{
	/* After Okabe and Ito: told apart by colour-blind readers, too. */
	static const char *const colours[] = {
		"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#555555",
	};

	return queue == MTG_NONE ? "#888888" : colours[queue % (sizeof(colours) / sizeof(colours[0]))];
}

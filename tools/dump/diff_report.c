/* SPDX-License-Identifier: MIT */
/* Tells differences: a line of text or an object of JSON each. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/dump/diff.h"
#include "tools/dump/output.h"
#include "tools/dump/sink.h"
#include "tools/dump/words.h"

#define BYTES_SHOWN 16u /* of an argument, in text */

/* --- text ------------------------------------------------------------------------------------------- */

static void print_argument(const struct diff_value *value)
{
	uint64_t word = 0;
	uint32_t i;

	if (value->count <= sizeof(word)) {
		memcpy(&word, value->bytes, value->count);
		printf("0x%" PRIx64, word);
		return;
	}
	for (i = 0; i < value->count && i < BYTES_SHOWN; i++)
		printf("%02x", value->bytes[i]);
	if (value->count > BYTES_SHOWN)
		fputs("...", stdout);
}

static void print_value(const struct diff_value *value)
{
	uint32_t i;

	switch (value->kind) {
	case DIFF_NUMBER:
		printf("%" PRIu64, value->number);
		break;
	case DIFF_SIGNED:
		printf("%" PRId64, (int64_t)value->number);
		break;
	case DIFF_HANDLE:
	case DIFF_ADDRESS:
		printf("0x%" PRIx64, value->number);
		break;
	case DIFF_WORD:
		fputs(value->word, stdout);
		break;
	case DIFF_MEMORY:
		printf("%s memory", word_memory((uint32_t)value->number));
		break;
	case DIFF_TEXT:
		out_name(value->text.bytes, value->text.count);
		break;
	case DIFF_LIST:
		for (i = 0; i < value->count; i++)
			printf("%s%u", i ? "," : "", value->list[i]);
		break;
	case DIFF_POSITION:
		printf("%" PRIu64 ",%" PRIu64 ",%" PRIu64, value->position[0], value->position[1],
		       value->position[2]);
		break;
	case DIFF_ARGUMENT:
		print_argument(value);
		break;
	case DIFF_NONE:
	case DIFF_BOOL:
	case DIFF_BYTES:
		break; /* differences with such values say in words what there is to say */
	}
}

static void print_label(const struct difference *d)
{
	if (!d->label)
		return;
	fputs(d->label, stdout);
	if (d->indexed)
		printf(" %u", d->index);
	if (d->name.count) {
		putchar(' ');
		out_name(d->name.bytes, d->name.count);
	}
	fputs(d->indexed ? ": " : " ", stdout);
}

static void print_difference(const struct diff_place *place, const struct difference *d)
{
	if (d->kind == DIFF_NODES) {
		out_print(OUT_HEADING, "graph %u", place->graph_a);
		fputs(": ", stdout);
	} else if (d->kind != DIFF_GRAPHS) {
		out_print(OUT_NAME, "node %u", place->x->head->id);
		if (place->x->graph)
			printf(" of graph %u", place->x->graph);
		printf(" (%s): ", word_node_type(place->x->head->type));
	}
	if (d->says) {
		puts(d->says);
		return;
	}
	print_label(d);
	print_value(&d->a);
	fputs(" -> ", stdout);
	print_value(&d->b);
	putchar('\n');
}

/* --- JSON ------------------------------------------------------------------------------------------- */

static void put_value(struct json *json, const char *key, const struct diff_value *value,
		      struct dump_file *file)
{
	struct sink sink = {.file = file, .json = json};
	uint32_t i;

	switch (value->kind) {
	case DIFF_NONE:
		json_null(json, key);
		break;
	case DIFF_NUMBER:
		json_number(json, key, value->number);
		break;
	case DIFF_SIGNED:
		json_signed(json, key, (int64_t)value->number);
		break;
	case DIFF_BOOL:
		json_bool(json, key, value->number);
		break;
	case DIFF_HANDLE:
		json_hex(json, key, value->number);
		break;
	case DIFF_ADDRESS:
		sink_address(&sink, key, value->number);
		break;
	case DIFF_WORD:
		json_string(json, key, value->word);
		break;
	case DIFF_MEMORY:
		json_string(json, key, word_memory((uint32_t)value->number));
		break;
	case DIFF_TEXT:
		json_text(json, key, value->text.bytes, value->text.count);
		break;
	case DIFF_LIST:
		sink_numbers(&sink, key, value->list, value->count);
		break;
	case DIFF_POSITION:
		json_array(json, key);
		for (i = 0; i < 3; i++)
			json_number(json, NULL, value->position[i]);
		json_end(json);
		break;
	case DIFF_BYTES:
		json_bytes(json, key, value->bytes, value->count);
		break;
	case DIFF_ARGUMENT:
		sink_value(&sink, key, value->type, value->bytes, value->count);
		break;
	}
}

static void put_node(struct json *json, const char *key, const struct file_node *node)
{
	json_object(json, key);
	json_number(json, "graph", node->graph);
	json_number(json, "node", node->head->id);
	json_string(json, "type", word_node_type(node->head->type));
	json_end(json);
}

static void put_difference(struct json *json, const struct diff_place *place,
			   const struct difference *d)
{
	static const char *const kinds[] = {
		[DIFF_PARAMETER] = "parameter", [DIFF_DISABLED] = "disabled",
		[DIFF_DEPENDENCIES] = "dependencies", [DIFF_TYPE] = "type",
		[DIFF_NODES] = "nodes", [DIFF_GRAPHS] = "nested graphs",
	};

	json_object(json, NULL);
	json_string(json, "kind", kinds[d->kind]);
	if (d->kind == DIFF_NODES) {
		json_number(json, "graph_a", place->graph_a);
		json_number(json, "graph_b", place->graph_b);
	} else if (d->kind != DIFF_GRAPHS) {
		put_node(json, "node_a", place->x);
		put_node(json, "node_b", place->y);
	}
	if (d->parameter)
		json_string(json, "parameter", d->parameter);
	if (d->side)
		json_string(json, "side", d->side);
	if (d->indexed)
		json_number(json, "index", d->index);
	if (d->name.count)
		json_text(json, "name", d->name.bytes, d->name.count);
	put_value(json, "value_a", &d->a, place->a->file);
	put_value(json, "value_b", &d->b, place->b->file);
	json_end(json);
}

void diff_tell(struct diff_output *out, const struct diff_place *place, const struct difference *d)
{
	out->count++;
	if (out->json)
		put_difference(out->json, place, d);
	else
		print_difference(place, d);
}

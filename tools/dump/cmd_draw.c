/* SPDX-License-Identifier: MIT */
/* mtgraph-dump draw: a picture of a saved graph. */
#include <getopt.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/draw_model.h"
#include "tools/dump/draw_picture.h"

#define LIMIT_DEFAULT 200u

/* The format that a file's name asks for; NULL if none. */
static const char *format_of(const char *path)
{
	static const char *const formats[][2] = {
		{"svg", "svg"}, {"png", "png"}, {"pdf", "pdf"}, {"dot", "dot"}, {"gv", "dot"},
	};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(dot + 1, formats[i][0]))
			return formats[i][1];
	return NULL;
}

static int draw(const char *input, const char *output, const char *format,
		const struct draw_options *draw_options)
{
	struct draw_model model;
	struct dump_file *file;
	int ret = file_open(input, &file);

	if (ret)
		return ret;
	ret = draw_model_load(file, &model);
	if (!ret) {
		ret = draw_picture(file, &model, draw_options, output, format);
		draw_model_free(&model);
	}
	file_close(file);
	return ret;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"limit", required_argument, NULL, 'l'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	struct draw_options draw_options = { .limit = LIMIT_DEFAULT };
	const char *output = NULL, *format;
	uint64_t limit;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "o:l:h", options, NULL)) != -1) {
		switch (option) {
		case 'h':
			return dump_help(&dump_draw);
		case 'o':
			output = optarg;
			break;
		case 'l':
			if (!dump_parse_number(optarg, 0, 1000000, &limit) || limit == 1)
				return dump_usage(&dump_draw,
						  "--limit takes 0, or 2 to 1000000, not '%s'",
						  optarg);
			draw_options.limit = limit ? (uint32_t)limit : UINT32_MAX;
			break;
		default:
			return dump_usage(&dump_draw, "unknown option '%s', or it lacks a value",
					  argv[optind - 1]);
		}
	}
	if (argc - optind != 1)
		return dump_usage(&dump_draw, "one FILE is needed");
	if (!output)
		return dump_usage(&dump_draw, "-o OUTPUT is needed");
	format = format_of(output);
	if (!format)
		return dump_usage(&dump_draw, "'%s' does not end in .svg, .png, .pdf, .dot or .gv",
				  output);
	return draw(argv[optind], output, format, &draw_options);
}

const struct dump_command dump_draw = {
	.name = "draw",
	.summary = "a picture of a saved graph",
	.help = "Usage: mtgraph-dump draw FILE -o OUTPUT.svg|.png|.pdf|.dot [--limit N]\n"
		"\n"
		"Draws a saved graph from top to bottom. The colour of a node says its type, the colour\n"
		"of its border its queue (in files of executable graphs). The critical path is red: the\n"
		"longest one by the times that the file has, else by the number of nodes. Child graphs\n"
		"and bodies of conditional nodes are drawn beside their node, and count in it.\n"
		"\n"
		"A graph of more nodes than the limit is folded by its repeated structure: what stands\n"
		"several times in a row or side by side is drawn once, with a count.\n"
		"\n"
		"  -o, --output OUTPUT  the file to write; its ending says the format\n"
		"  -l, --limit N        nodes up to which a graph is drawn whole (default 200), 0: always\n"
		"      --help           this text\n"
		"\n"
		"Exit status: 0 drawn, 2 wrong use, 3 a file that cannot be read or written.\n",
	.run = run,
};

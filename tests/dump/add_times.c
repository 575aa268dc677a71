/* SPDX-License-Identifier: MIT */
/* Adds times of nodes to a saved graph: add-times FILE GRAPH:NODE:LAUNCH:START:END... */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "graph/save_file.h"

static int add(struct mt_save_file *file, char **texts, int count)
{
	struct mtg_time time = {0};

	mt_save_begin(file, MTG_TIMES);
	for (int i = 0; i < count; i++) {
		if (sscanf(texts[i], "%" SCNu32 ":%" SCNu32 ":%" SCNu32 ":%" SCNu64 ":%" SCNu64,
			   &time.graph, &time.node, &time.launch, &time.start_ns,
			   &time.end_ns) != 5)
			return -1;
		mt_save_put(file, &time, sizeof(time));
	}
	mt_save_end(file);
	return mt_save_close(file);
}

int main(int argc, char **argv)
{
	struct mt_save_file file;
	int fd = argc > 2 ? open(argv[1], O_RDWR) : -1;
	int ret = fd < 0 ? -1 : mt_save_open_append(&file, fd);

	if (!ret)
		ret = add(&file, argv + 2, argc - 2);
	if (ret || close(fd)) {
		fprintf(stderr, "usage: add-times FILE GRAPH:NODE:LAUNCH:START:END...\n");
		return 1;
	}
	return 0;
}

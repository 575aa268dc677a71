/* SPDX-License-Identifier: MIT */
/* Saves both graphs of each pair of the update rules: save-pairs DIRECTORY, as N-a.mtgraph and N-b.mtgraph. */
#include <stdio.h>
#include <stdlib.h>

#include "mtgraph.h"
#include "support.h"
#include "update_pairs.h"

static void save_pair(const struct update_pair *pair, const char *directory, unsigned int number)
{
	char path[512];
	musaGraphExec_t exec;
	musaGraph_t a, b;

	OK(musaGraphCreate(&a, 0));
	OK(musaGraphCreate(&b, 0));
	pair->build(a, false);
	pair->build(b, true);
	OK(musaGraphInstantiateWithFlags(&exec, a, pair->flags));
	snprintf(path, sizeof(path), "%s/%u-a.mtgraph", directory, number);
	OK(mtGraphExecSave(exec, path, mtGraphSaveCode, 0));
	snprintf(path, sizeof(path), "%s/%u-b.mtgraph", directory, number);
	OK(mtGraphSave(b, path, mtGraphSaveCode, 0));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
	OK(musaGraphDestroy(b));
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: save-pairs DIRECTORY\n");
		return 2;
	}
	setenv("MUSA_MOCK_DEVICES", "2", 1); /* some pairs are about a second device */
	update_pairs_set_up();
	for (unsigned int i = 0; i < update_pair_count; i++)
		save_pair(&update_pairs[i], argv[1], i);
	return 0;
}

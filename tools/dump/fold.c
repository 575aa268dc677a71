/* SPDX-License-Identifier: MIT */
/* Merges alike neighbours and repeats in rounds; each round is linear but for a sort of the items. */
#include "tools/dump/fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_MAX 16u /* the longest row that is looked for as a repeat */
#define ROUNDS_MAX 32u
#define DEGREE_MAX 64u /* edges are compared with others where an end has no more of them */
#define EDGES_READABLE 4u /* edges for each item, beyond which layers are drawn instead */

/* Neighbours of each item, by rows. */
struct rows {
	uint32_t *first; /* one more than items */
	uint32_t *other;
};

/* What items are sorted by to find those that belong together. */
struct key {
	uint64_t a, b, c;
	uint32_t item;
};

struct work {
	struct rows in, out;
	struct key *keys;
	uint32_t *stamp;  /* per item: scratch of removing doubles */
	uint32_t *layers; /* per root, by position */
	uint32_t *place;  /* per item: its position among the roots */
};

static uint64_t mix(uint64_t value)
{
	value += 0x9e3779b97f4a7c15ull;
	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
	value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
	return value ^ (value >> 31);
}

static int reserve(void **array, uint32_t *room, uint32_t need, size_t size_b)
{
	uint32_t more = *room ? *room : 64;
	void *grown;

	if (need <= *room)
		return 0;
	while (more < need)
		more = more > UINT32_MAX / 2 ? UINT32_MAX : more * 2;
	grown = realloc(*array, more * size_b);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	*room = more;
	return 0;
}

/* A new item over `shown` (its children as drawn); the caller gives members their parent. */
static int add_item(struct fold *fold, enum fold_kind kind, uint32_t count, const uint32_t *shown,
		    uint32_t shown_count, uint32_t *item_out)
{
	struct fold_item *item;
	uint64_t signature = mix((uint64_t)kind << 32 | count);

	if (reserve((void **)&fold->items, &fold->item_room, fold->item_count + 1,
		    sizeof(*fold->items)) ||
	    reserve((void **)&fold->children, &fold->child_room, fold->child_count + shown_count,
		    sizeof(*fold->children)))
		return -ENOMEM;
	item = &fold->items[fold->item_count];
	memset(item, 0, sizeof(*item));
	for (uint32_t i = 0; i < shown_count; i++) {
		fold->children[fold->child_count + i] = shown[i];
		signature = mix(signature ^ fold->items[shown[i]].signature);
	}
	item->signature = signature;
	item->kind = kind;
	item->count = count;
	item->node = FOLD_NONE;
	item->parent = FOLD_NONE;
	item->first_child = fold->child_count;
	item->child_count = shown_count;
	fold->child_count += shown_count;
	*item_out = fold->item_count++;
	return 0;
}

static void adopt(struct fold *fold, uint32_t parent, uint32_t member, uint32_t slot)
{
	fold->items[member].parent = parent;
	fold->items[member].slot = slot;
	fold->items[parent].node_count += fold->items[member].node_count;
}

static uint32_t root_of(const struct fold *fold, uint32_t item)
{
	while (fold->items[item].parent != FOLD_NONE)
		item = fold->items[item].parent;
	return item;
}

static void work_free(struct work *work)
{
	free(work->in.first);
	free(work->in.other);
	free(work->out.first);
	free(work->out.other);
	free(work->keys);
	free(work->stamp);
	free(work->layers);
	free(work->place);
	memset(work, 0, sizeof(*work));
}

static int work_make(struct work *work, const struct fold *fold)
{
	size_t items = (size_t)fold->item_count + 2, edges = (size_t)fold->edge_count + 1;

	memset(work, 0, sizeof(*work));
	work->in.first = malloc(items * sizeof(uint32_t));
	work->in.other = malloc(edges * sizeof(uint32_t));
	work->out.first = malloc(items * sizeof(uint32_t));
	work->out.other = malloc(edges * sizeof(uint32_t));
	work->keys = malloc(items * sizeof(*work->keys));
	work->stamp = malloc(items * sizeof(uint32_t));
	work->layers = malloc(items * sizeof(uint32_t));
	work->place = malloc(items * sizeof(uint32_t));
	if (work->in.first && work->in.other && work->out.first && work->out.other && work->keys &&
	    work->stamp && work->layers && work->place)
		return 0;
	work_free(work);
	return -ENOMEM;
}

static void fill_rows(struct rows *rows, const struct fold *fold, bool out)
{
	uint32_t *first = rows->first;

	memset(first, 0, ((size_t)fold->item_count + 2) * sizeof(*first));
	for (uint32_t i = 0; i < fold->edge_count; i++)
		first[(out ? fold->edges[i].from : fold->edges[i].to) + 2]++;
	for (uint32_t i = 1; i < fold->item_count + 2; i++)
		first[i] += first[i - 1];
	for (uint32_t i = 0; i < fold->edge_count; i++) {
		const struct edge *edge = &fold->edges[i];

		rows->other[first[(out ? edge->from : edge->to) + 1]++] = out ? edge->to
									      : edge->from;
	}
}

static uint32_t degree(const struct rows *rows, uint32_t item)
{
	return rows->first[item + 1] - rows->first[item];
}

/* Edges between roots, each pair once; the list of roots. */
static int collect(struct fold *fold)
{
	uint32_t edges = 0, roots = 0;
	struct work work;
	int ret;

	for (uint32_t i = 0; i < fold->item_count; i++)
		roots += fold->items[i].parent == FOLD_NONE;
	free(fold->roots);
	fold->roots = malloc(((size_t)roots + 1) * sizeof(*fold->roots));
	if (!fold->roots)
		return -ENOMEM;
	fold->root_count = 0;
	for (uint32_t i = 0; i < fold->item_count; i++)
		if (fold->items[i].parent == FOLD_NONE)
			fold->roots[fold->root_count++] = i;

	for (uint32_t i = 0; i < fold->edge_count; i++) {
		struct edge edge = { root_of(fold, fold->edges[i].from),
				     root_of(fold, fold->edges[i].to) };

		if (edge.from != edge.to)
			fold->edges[edges++] = edge;
	}
	fold->edge_count = edges;
	ret = work_make(&work, fold);
	if (ret)
		return ret;
	fill_rows(&work.out, fold, true);
	memset(work.stamp, 0xff, fold->item_count * sizeof(*work.stamp));
	edges = 0;
	for (uint32_t i = 0; i < fold->item_count; i++) {
		for (uint32_t e = work.out.first[i]; e < work.out.first[i + 1]; e++) {
			uint32_t to = work.out.other[e];

			if (work.stamp[to] == i)
				continue;
			work.stamp[to] = i;
			fold->edges[edges++] = (struct edge){ i, to };
		}
	}
	fold->edge_count = edges;
	work_free(&work);
	return 0;
}

/* Leaves out edges a -> c beside a -> b -> c. */
static int reduce(struct fold *fold)
{
	uint32_t edges = 0, marked = FOLD_NONE;
	struct work work;
	int ret = work_make(&work, fold);

	if (ret)
		return ret;
	fill_rows(&work.in, fold, false);
	fill_rows(&work.out, fold, true);
	memset(work.stamp, 0xff, fold->item_count * sizeof(*work.stamp));
	/* collect() left the edges sorted by where they begin. */
	for (uint32_t i = 0; i < fold->edge_count; i++) {
		uint32_t from = fold->edges[i].from, to = fold->edges[i].to;
		bool redundant = false;

		if (marked != from) {
			marked = from;
			for (uint32_t e = work.out.first[from]; e < work.out.first[from + 1]; e++)
				work.stamp[work.out.other[e]] = from;
		}
		if (degree(&work.in, to) <= DEGREE_MAX)
			for (uint32_t e = work.in.first[to]; e < work.in.first[to + 1]; e++)
				redundant |= work.stamp[work.in.other[e]] == from;
		if (!redundant)
			fold->edges[edges++] = fold->edges[i];
	}
	fold->edge_count = edges;
	work_free(&work);
	return 0;
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	if (x->b != y->b)
		return x->b < y->b ? -1 : 1;
	if (x->c != y->c)
		return x->c < y->c ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

static bool same_key(const struct key *x, const struct key *y)
{
	return x->a == y->a && x->b == y->b && x->c == y->c;
}

/* Merges the roots of equal keys. */
static int merge_keys(struct fold *fold, struct key *keys, enum fold_kind kind)
{
	uint32_t count = fold->root_count, end;

	qsort(keys, count, sizeof(*keys), compare_keys);
	for (uint32_t i = 0; i < count; i = end) {
		uint32_t item, shown = keys[i].item;
		int ret;

		for (end = i + 1; end < count && same_key(&keys[end], &keys[i]);)
			end++;
		if (end - i < 2)
			continue;
		ret = add_item(fold, kind, end - i, &shown, kind == FOLD_LAYERS ? 0 : 1, &item);
		if (ret)
			return ret;
		for (uint32_t k = i; k < end; k++)
			adopt(fold, item, keys[k].item, 0);
	}
	return 0;
}

/* Alike items with the same predecessors and successors. */
static int merge_parallel(struct fold *fold)
{
	struct work work;
	int ret = work_make(&work, fold);

	if (ret)
		return ret;
	fill_rows(&work.in, fold, false);
	fill_rows(&work.out, fold, true);
	for (uint32_t i = 0; i < fold->root_count; i++) {
		uint32_t item = fold->roots[i];
		struct key *key = &work.keys[i];

		/* A sum of hashes names a set whatever its order. */
		*key = (struct key){ .a = fold->items[item].signature, .item = item };
		for (uint32_t e = work.in.first[item]; e < work.in.first[item + 1]; e++)
			key->b += mix(work.in.other[e]);
		for (uint32_t e = work.out.first[item]; e < work.out.first[item + 1]; e++)
			key->c += mix(work.out.other[e]);
	}
	ret = merge_keys(fold, work.keys, FOLD_PARALLEL);
	work_free(&work);
	return ret;
}

/* The best repeat at the beginning of a row: its period and how often it stands there. */
static uint32_t find_period(const struct fold *fold, const uint32_t *row, uint32_t length,
			    uint32_t *repeats_out)
{
	uint32_t best = 0, covered = 0;

	for (uint32_t period = 1; period <= PERIOD_MAX && period * 2 <= length; period++) {
		uint32_t end = period;

		while (end < length && fold->items[row[end]].signature ==
					       fold->items[row[end - period]].signature)
			end++;
		end -= end % period;
		if (end >= period * 2 && end > covered) {
			best = period;
			covered = end;
		}
	}
	*repeats_out = best ? covered / best : 0;
	return best;
}

static int merge_row(struct fold *fold, const uint32_t *row, uint32_t length)
{
	for (uint32_t i = 0; i < length;) {
		uint32_t repeats, item;
		uint32_t period = find_period(fold, row + i, length - i, &repeats);
		int ret;

		if (!period) {
			i++;
			continue;
		}
		ret = add_item(fold, FOLD_SERIES, repeats, row + i, period, &item);
		if (ret)
			return ret;
		for (uint32_t k = 0; k < period * repeats; k++)
			adopt(fold, item, row[i + k], k % period);
		i += period * repeats;
	}
	return 0;
}

/* Repeats among items that follow each other with nothing beside them. */
static int merge_series(struct fold *fold)
{
	struct work work;
	int ret = work_make(&work, fold);

	if (ret)
		return ret;
	fill_rows(&work.in, fold, false);
	fill_rows(&work.out, fold, true);
	for (uint32_t i = 0; i < fold->root_count && !ret; i++) {
		uint32_t item = fold->roots[i], length = 0;

		/* A row begins where no single predecessor leads only here. */
		if (degree(&work.in, item) == 1 &&
		    degree(&work.out, work.in.other[work.in.first[item]]) == 1)
			continue;
		for (;;) {
			work.stamp[length++] = item;
			if (degree(&work.out, item) != 1)
				break;
			item = work.out.other[work.out.first[item]];
			if (degree(&work.in, item) != 1)
				break;
		}
		ret = merge_row(fold, work.stamp, length);
	}
	work_free(&work);
	return ret;
}

/* One item for each key, which is `together` layers: edges between neighbours are what is left. */
static int merge_layer_keys(struct fold *fold, struct key *keys, uint32_t together, uint32_t deepest)
{
	uint32_t before = fold->item_count, count = fold->root_count, edges = 0, *group;
	int ret = merge_keys(fold, keys, FOLD_LAYERS);

	group = calloc((size_t)fold->item_count + 1, sizeof(*group));
	if (!group)
		return -ENOMEM;
	if (!ret)
		ret = collect(fold);
	for (uint32_t i = 0; !ret && i < count; i++)
		group[root_of(fold, keys[i].item)] = (uint32_t)keys[i].a;
	for (uint32_t i = before; !ret && i < fold->item_count; i++) {
		fold->items[i].layer = group[i] * together;
		fold->items[i].last_layer = group[i] * together + together - 1;
		if (fold->items[i].last_layer > deepest)
			fold->items[i].last_layer = deepest;
	}
	for (uint32_t i = 0; !ret && i < fold->edge_count; i++)
		if (group[fold->edges[i].to] == group[fold->edges[i].from] + 1)
			fold->edges[edges++] = fold->edges[i];
	if (!ret)
		fold->edge_count = edges;
	free(group);
	return ret;
}

/* Sums up by layers, the coarser the more is left: alike ones of a layer, whole layers, several layers. */
static int merge_layers(struct fold *fold, uint32_t limit)
{
	struct edge *edges = malloc(((size_t)fold->edge_count + 1) * sizeof(*edges));
	uint32_t deepest = 0, together = 0;
	struct work work;
	int ret = work_make(&work, fold);

	if (ret || !edges) {
		free(edges);
		if (!ret)
			work_free(&work);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < fold->root_count; i++)
		work.place[fold->roots[i]] = i;
	for (uint32_t i = 0; i < fold->edge_count; i++)
		edges[i] = (struct edge){ work.place[fold->edges[i].from],
					  work.place[fold->edges[i].to] };
	ret = graph_layers(fold->root_count, edges, fold->edge_count, work.layers);
	if (ret)
		goto out;
	for (uint32_t i = 0; i < fold->root_count; i++) {
		deepest = work.layers[i] > deepest ? work.layers[i] : deepest;
		work.keys[i] = (struct key){ .a = work.layers[i],
					     .b = fold->items[fold->roots[i]].signature,
					     .item = fold->roots[i] };
	}
	ret = merge_keys(fold, work.keys, FOLD_SIMILAR);
	if (!ret)
		ret = collect(fold);
	if (ret || (fold->root_count <= limit &&
		    fold->edge_count <= EDGES_READABLE * fold->root_count))
		goto out;

	/* The layer of a merged item is that of its members. */
	together = deepest / limit + 1;
	for (uint32_t i = 0; i < fold->root_count; i++) {
		uint32_t item = fold->roots[i], member = item;

		if (fold->items[item].kind == FOLD_SIMILAR)
			member = fold->children[fold->items[item].first_child];
		work.keys[i] = (struct key){ .a = work.layers[work.place[member]] / together,
					     .item = item };
	}
	ret = merge_layer_keys(fold, work.keys, together, deepest);
out:
	free(edges);
	work_free(&work);
	return ret == -ELOOP ? 0 : ret;
}

static int fold_all(struct fold *fold, uint32_t limit)
{
	uint32_t before;
	int ret;

	for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
		before = fold->root_count;
		ret = reduce(fold);
		if (!ret)
			ret = merge_parallel(fold);
		if (!ret)
			ret = collect(fold);
		if (!ret)
			ret = reduce(fold);
		if (!ret)
			ret = merge_series(fold);
		if (!ret)
			ret = collect(fold);
		if (ret)
			return ret;
		if (fold->root_count == before)
			break;
	}
	return fold->root_count > limit ? merge_layers(fold, limit) : 0;
}

int fold_make(struct fold *fold, uint32_t node_count, const struct edge *edges, uint32_t edge_count,
	      const uint64_t *signatures, uint32_t limit)
{
	int ret;

	memset(fold, 0, sizeof(*fold));
	fold->edges = malloc(((size_t)edge_count + 1) * sizeof(*fold->edges));
	if (!fold->edges || reserve((void **)&fold->items, &fold->item_room, node_count + 1,
				    sizeof(*fold->items))) {
		fold_free(fold);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < node_count; i++)
		fold->items[i] = (struct fold_item){
			.signature = signatures[i], .kind = FOLD_NODE, .count = 1,
			.node = i, .node_count = 1, .parent = FOLD_NONE,
		};
	fold->item_count = node_count;
	for (uint32_t i = 0; i < edge_count; i++)
		fold->edges[i] = edges[i];
	fold->edge_count = edge_count;
	ret = collect(fold);
	if (!ret && node_count > limit)
		ret = fold_all(fold, limit);
	if (ret)
		fold_free(fold);
	return ret;
}

void fold_free(struct fold *fold)
{
	free(fold->items);
	free(fold->children);
	free(fold->roots);
	free(fold->edges);
	memset(fold, 0, sizeof(*fold));
}

void fold_mark(struct fold *fold, uint32_t node)
{
	uint32_t slots[2 * ROUNDS_MAX + 4], depth = 0, item = node;

	for (; fold->items[item].parent != FOLD_NONE; item = fold->items[item].parent)
		slots[depth++] = fold->items[item].slot;
	fold->items[item].marked = true;
	while (depth && fold->items[item].child_count) {
		item = fold->children[fold->items[item].first_child + slots[--depth]];
		fold->items[item].marked = true;
	}
}

uint32_t fold_end(const struct fold *fold, uint32_t item, bool last)
{
	const struct fold_item *at = &fold->items[item];

	while (at->child_count) {
		item = fold->children[at->first_child + (last ? at->child_count - 1 : 0)];
		at = &fold->items[item];
	}
	return item;
}

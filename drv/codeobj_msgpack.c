/* SPDX-License-Identifier: MIT */
/*
 * Strict MessagePack: checks the structure of the bytes first, because msgpack-c believes element
 * counts, then lets msgpack-c decode them. Also reads the known keys of a map by a table.
 */
#include <stdlib.h>

#include "drv/codeobj_internal.h"

struct walk {
	const uint8_t *data;
	uint64_t size_b, at;
	uint64_t left[MT_CODEOBJ_DEPTH_MAX]; /* values still to come in each open container */
	bool is_map[MT_CODEOBJ_DEPTH_MAX];
	uint32_t depth;
	uint64_t largest_map;
};

/* What follows a type byte: an integer of `length_b` bytes that counts something, then payload. */
struct shape {
	uint8_t length_b; /* width of the count, 0 if the count is in the type byte or fixed */
	uint64_t count;   /* in that case */
	uint8_t extra_b;  /* type byte of an extension */
	enum { SHAPE_BYTES, SHAPE_STRING, SHAPE_ARRAY, SHAPE_MAP, SHAPE_INVALID } kind;
};

static struct shape shape_of(uint8_t type)
{
	static const uint8_t number_b[16] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8}; /* 0xca to 0xd3 */
	uint8_t low = type & 3;

	if (type < 0x80 || type >= 0xe0)
		return (struct shape){.kind = SHAPE_BYTES};
	if (type < 0x90)
		return (struct shape){.count = type & 15, .kind = SHAPE_MAP};
	if (type < 0xa0)
		return (struct shape){.count = type & 15, .kind = SHAPE_ARRAY};
	if (type < 0xc0)
		return (struct shape){.count = type & 31, .kind = SHAPE_STRING};
	if (type == 0xc1)
		return (struct shape){.kind = SHAPE_INVALID};
	if (type < 0xc4) /* nil, false, true */
		return (struct shape){.kind = SHAPE_BYTES};
	if (type < 0xc7) /* bin 8, 16, 32 */
		return (struct shape){.length_b = (uint8_t)(1 << (type - 0xc4)),
				      .kind = SHAPE_BYTES};
	if (type < 0xca) /* ext 8, 16, 32 */
		return (struct shape){.length_b = (uint8_t)(1 << (type - 0xc7)),
				      .extra_b = 1,
				      .kind = SHAPE_BYTES};
	if (type < 0xd4)
		return (struct shape){.count = number_b[type - 0xca], .kind = SHAPE_BYTES};
	if (type < 0xd9) /* fixext 1 to 16 */
		return (struct shape){
			.count = 1u << (type - 0xd4), .extra_b = 1, .kind = SHAPE_BYTES};
	if (type < 0xdc) /* str 8, 16, 32 */
		return (struct shape){.length_b = (uint8_t)(1 << (type - 0xd9)),
				      .kind = SHAPE_STRING};
	return (struct shape){.length_b = low & 1 ? 4 : 2,
			      .kind = type < 0xde ? SHAPE_ARRAY : SHAPE_MAP};
}

static const char *open_container(struct walk *walk, const struct shape *shape, uint64_t count)
{
	uint64_t values = shape->kind == SHAPE_MAP ? count * 2 : count;

	/* Every value has at least one byte. Counts have 32 bits, so the product is exact. */
	if (values > walk->size_b - walk->at)
		return "metadata has more elements than bytes";
	if (walk->depth == MT_CODEOBJ_DEPTH_MAX)
		return "metadata is nested too deeply";
	if (shape->kind == SHAPE_MAP && count > walk->largest_map)
		walk->largest_map = count;
	walk->left[walk->depth] = values;
	walk->is_map[walk->depth] = shape->kind == SHAPE_MAP;
	walk->depth++;
	return NULL;
}

/* Takes one value, or the head of a container. */
static const char *step(struct walk *walk)
{
	bool is_key =
		walk->depth && walk->is_map[walk->depth - 1] && !(walk->left[walk->depth - 1] & 1);
	struct shape shape;
	uint64_t count;

	if (walk->at == walk->size_b)
		return "metadata is cut off";
	shape = shape_of(walk->data[walk->at++]);
	if (shape.kind == SHAPE_INVALID)
		return "metadata has an invalid type byte";
	if (is_key && shape.kind != SHAPE_STRING)
		return "metadata key is not a string";
	if (walk->depth)
		walk->left[walk->depth - 1]--;
	if (shape.length_b > walk->size_b - walk->at)
		return "metadata is cut off";
	count = shape.count;
	for (uint32_t i = 0; i < shape.length_b; i++)
		count = count << 8 | walk->data[walk->at++];
	if (shape.kind == SHAPE_ARRAY || shape.kind == SHAPE_MAP)
		return open_container(walk, &shape, count);
	if (count + shape.extra_b > walk->size_b - walk->at)
		return "metadata is cut off";
	walk->at += count + shape.extra_b;
	return NULL;
}

static const char *walk_value(struct walk *walk)
{
	do {
		const char *text = step(walk);

		if (text)
			return text;
		while (walk->depth && !walk->left[walk->depth - 1])
			walk->depth--;
	} while (walk->depth);
	return walk->at == walk->size_b ? NULL : "metadata has bytes behind it";
}

static int compare_keys(const void *a, const void *b)
{
	const msgpack_object_str *x = *(const msgpack_object_str *const *)a;
	const msgpack_object_str *y = *(const msgpack_object_str *const *)b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->ptr, y->ptr, x->size);
}

static const msgpack_object_str *check_map(const msgpack_object_map *map,
					   const msgpack_object_str **keys)
{
	for (uint32_t i = 0; i < map->size; i++)
		keys[i] = &map->ptr[i].key.via.str;
	qsort(keys, map->size, sizeof(*keys), compare_keys);
	for (uint32_t i = 1; i < map->size; i++) {
		if (compare_keys(&keys[i - 1], &keys[i]) == 0)
			return keys[i];
	}
	return NULL;
}

/*
 * A key that some map below `object` holds twice, or NULL. Recursion is as deep as the metadata,
 * which was found to be at most MT_CODEOBJ_DEPTH_MAX.
 */
static const msgpack_object_str *find_duplicate(const msgpack_object *object,
						const msgpack_object_str **keys)
{
	const msgpack_object_str *found = NULL;

	if (object->type == MSGPACK_OBJECT_ARRAY) {
		for (uint32_t i = 0; i < object->via.array.size && !found; i++)
			found = find_duplicate(&object->via.array.ptr[i], keys);
	} else if (object->type == MSGPACK_OBJECT_MAP) {
		found = check_map(&object->via.map, keys);
		for (uint32_t i = 0; i < object->via.map.size && !found; i++)
			found = find_duplicate(&object->via.map.ptr[i].val, keys);
	}
	return found;
}

MUresult mt_codeobj_msgpack_decode(struct mt_codeobj_loader *loader, const uint8_t *data,
				   uint64_t size_b, msgpack_unpacked *unpacked_out)
{
	struct walk walk = {.data = data, .size_b = size_b};
	const msgpack_object_str **keys, *duplicate;
	const char *text = walk_value(&walk);
	msgpack_unpack_return ret;
	size_t offset = 0;

	if (text)
		return mt_codeobj_reject(loader->why, text, "byte", walk.at);
	keys = mt_arena_alloc(&loader->scratch, (walk.largest_map + 1) * sizeof(*keys), 8);
	if (!keys)
		return mt_codeobj_no_memory(loader->why);
	msgpack_unpacked_init(unpacked_out);
	ret = msgpack_unpack_next(unpacked_out, (const char *)data, (size_t)size_b, &offset);
	if (ret != MSGPACK_UNPACK_SUCCESS) {
		msgpack_unpacked_destroy(unpacked_out);
		return ret == MSGPACK_UNPACK_NOMEM_ERROR
			       ? mt_codeobj_no_memory(loader->why)
			       : mt_codeobj_reject(loader->why, "metadata cannot be decoded",
						   "byte", offset);
	}
	duplicate = find_duplicate(&unpacked_out->data, keys);
	if (duplicate) {
		MUresult result =
			mt_codeobj_reject_named(loader->why, "metadata has a key twice", "byte",
						(uint64_t)((const uint8_t *)duplicate->ptr - data),
						duplicate->ptr, duplicate->size);

		msgpack_unpacked_destroy(unpacked_out);
		return result;
	}
	return MUSA_SUCCESS;
}

/* Stores a value in the member that a field names; false if its type is wrong. */
static bool store_field(const struct mt_codeobj_field *field, const msgpack_object *value,
			void *object)
{
	char *to = (char *)object + field->offset;

	switch (field->type) {
	case MT_CODEOBJ_FIELD_U32: {
		uint32_t number = (uint32_t)value->via.u64;

		if (value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > UINT32_MAX)
			return false;
		memcpy(to, &number, sizeof(number));
		return true;
	}
	case MT_CODEOBJ_FIELD_BOOL:
		if (value->type != MSGPACK_OBJECT_BOOLEAN)
			return false;
		memcpy(to, &value->via.boolean, sizeof(bool));
		return true;
	case MT_CODEOBJ_FIELD_STRING:
		if (value->type != MSGPACK_OBJECT_STR)
			return false;
		memcpy(to, &value->via.str, sizeof(value->via.str));
		return true;
	case MT_CODEOBJ_FIELD_ARRAY:
		if (value->type != MSGPACK_OBJECT_ARRAY)
			return false;
		memcpy(to, &value->via.array, sizeof(value->via.array));
		return true;
	case MT_CODEOBJ_FIELD_MAP:
		if (value->type != MSGPACK_OBJECT_MAP)
			return false;
		memcpy(to, &value->via.map, sizeof(value->via.map));
		return true;
	}
	return false;
}

const char *mt_codeobj_fields_read(const msgpack_object_map *map,
				   const struct mt_codeobj_field *fields, size_t field_count,
				   void *object)
{
	uint64_t seen = 0;

	for (uint32_t i = 0; i < map->size; i++) {
		const msgpack_object_str *key = &map->ptr[i].key.via.str;

		for (size_t f = 0; f < field_count; f++) {
			if (strlen(fields[f].key) != key->size ||
			    memcmp(fields[f].key, key->ptr, key->size) != 0)
				continue;
			if (!store_field(&fields[f], &map->ptr[i].val, object))
				return "value of a known key has the wrong type";
			seen |= UINT64_C(1) << f;
			break;
		}
	}
	for (size_t f = 0; f < field_count; f++) {
		if (fields[f].required && !(seen & UINT64_C(1) << f))
			return "a required key is missing";
	}
	return NULL;
}

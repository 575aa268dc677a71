/* SPDX-License-Identifier: MIT */
/* Words for numbers. */
#include "tools/dump/words.h"

#include <stddef.h>

#define WORD(name, number)                                                                         \
	const char *name(uint32_t number)                                                          \
	{                                                                                          \
		return number < sizeof(words_##name) / sizeof(words_##name[0]) &&                  \
				       words_##name[number] ?                                      \
			       words_##name[number] :                                              \
			       "?";                                                                \
	}

static const char *const words_word_node_type[WORD_NODE_TYPES] = {
	"kernel", "memcpy", "memset", "host", "child graph", "empty", "event wait", "event record",
	"semaphore signal", "semaphore wait", "memory alloc", "memory free", "batch memory",
	"conditional",
};
WORD(word_node_type, type)

static const char *const words_word_memory[] = {"pageable", "pinned", "device", "managed", "array"};
WORD(word_memory, memory)

static const char *const words_word_range_kind[] = {
	"pageable", "device", "pinned", "managed", "registered", "array", "pool", "graph",
	"variable", "imported", "condition",
};
WORD(word_range_kind, kind)

static const char *const words_word_lifetime[] = {"program", "stream", "launch", "graph", "module"};
WORD(word_lifetime, lifetime)

static const char *const words_word_copy_kind[] = {
	"host to host", "host to device", "device to host", "device to device", "default",
};
WORD(word_copy_kind, kind)

static const char *const words_word_conditional[] = {"if", "while", "switch"};
WORD(word_conditional, type)

static const char *const words_word_role[] = {"root", "child", "body"};
WORD(word_role, role)

static const char *const words_word_param_type[] = {
	[2] = "i8", [4] = "i16", [6] = "i32", [8] = "float", [9] = "i64", [11] = "double",
	[12] = "descriptor", [14] = "pointer", [24] = "struct",
};
WORD(word_param_type, type)

/* SPDX-License-Identifier: MIT */
/* The offload bundle around a code object: an empty host entry and the mock GPU's member. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compiler/module.h"

#define MEMBER_ALIGN_B 4096

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
static const char *const ids[] = {"host-x86_64-unknown-linux", "musa-mtgpu-mt-musa--mp_90"};

void mtcc_bundle_write(const char *path, const struct mtcc_bytes *object)
{
	uint64_t sizes[] = {0, object->size_b}, count = 2;
	size_t size_b = MEMBER_ALIGN_B + object->size_b, at = 0;
	unsigned char *data = mtcc_alloc(size_b);

	memcpy(data, magic, strlen(magic));
	at += strlen(magic);
	memcpy(data + at, &count, sizeof(count));
	at += sizeof(count);
	for (size_t i = 0; i < count; i++) {
		uint64_t entry[3] = {MEMBER_ALIGN_B, sizes[i], strlen(ids[i])};

		memcpy(data + at, entry, sizeof(entry));
		at += sizeof(entry);
		memcpy(data + at, ids[i], entry[2]);
		at += entry[2];
	}
	memcpy(data + MEMBER_ALIGN_B, object->data, object->size_b);
	mtcc_file_write(path, data, size_b);
	free(data);
}

/* SPDX-License-Identifier: MIT */
/*
 * The container of code objects, as the files that open it and load from it share it.
 */
#ifndef MT_DRV_CODEOBJ_CONTAINER_H
#define MT_DRV_CODEOBJ_CONTAINER_H

#include "drv/codeobj_internal.h"

struct mt_codeobj_container {
	struct mt_codeobj_reader reader;
	struct mt_arena arena; /* member ids */
	enum mt_codeobj_shape shape;
	struct mt_codeobj_member *members; /* owned */
	uint32_t count;
};

static inline bool mt_codeobj_member_is_device(const struct mt_codeobj_member *member)
{
	return member->arch_id && member->size_b;
}

#endif

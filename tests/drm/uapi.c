/* SPDX-License-Identifier: MIT */
/*
 * The kernel interface against a list of its own: numbers, sizes, offsets, and that no member of
 * the list overlaps another or reaches past its struct.
 */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdint.h>

#include "hw/drm/mtgpu_drm_extra.h"

struct listed_value {
	const char *name;
	uint64_t have, want;
};

struct listed_ioctl {
	const char *name;
	uint32_t have, want, nr;
	size_t size_b;
};

struct listed_member {
	const char *type, *member; /* member NULL: the struct itself, `members` of which follow */
	size_t have_offset, have_b, want_offset, want_b;
	uint32_t members;
};

#define VALUE(name, want) {#name, (uint64_t)(name), (want)},
#define IOCTL(name, want, nr, type)
#define STRUCT(type, size_b, count)
#define MEMBER(type, member, offset, size_b)
#define BIT_FIELD(type, member, bits)
static const struct listed_value values[] = {
#include "uapi.def"
};
#undef VALUE
#undef IOCTL
#define VALUE(name, want)
#define IOCTL(name, want, nr, type) {#name, (uint32_t)(name), (want), (nr), sizeof(struct type)},
static const struct listed_ioctl ioctls[] = {
#include "uapi.def"
};
#undef IOCTL
#undef STRUCT
#undef MEMBER
#define IOCTL(name, want, nr, type)
#define STRUCT(type, size_b, count) {#type, NULL, 0, sizeof(struct type), 0, (size_b), (count)},
#define MEMBER(type, member, offset, size_b)                                                       \
	{#type,                                                                                    \
	 #member,                                                                                  \
	 offsetof(struct type, member),                                                            \
	 sizeof(((struct type *)0)->member),                                                       \
	 (offset),                                                                                 \
	 (size_b),                                                                                 \
	 0},
static const struct listed_member members[] = {
#include "uapi.def"
};
#undef STRUCT
#undef MEMBER
#undef BIT_FIELD

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Constants, flags and enumerators have the kernel's values. */
Test(uapi, values)
{
	cr_assert_eq(COUNT(values), 83);
	for (size_t i = 0; i < COUNT(values); i++)
		cr_expect_eq(values[i].have, values[i].want, "%s", values[i].name);
}

/* Each call has its number, which holds direction, size and group. */
Test(uapi, ioctls)
{
	cr_assert_eq(COUNT(ioctls), 40);
	for (size_t i = 0; i < COUNT(ioctls); i++) {
		const struct listed_ioctl *call = &ioctls[i];
		uint32_t number =
			3u << 30 | (uint32_t)call->size_b << 16 | 'd' << 8 | (0x40 + call->nr);

		cr_expect_eq(call->have, call->want, "%s", call->name);
		cr_expect_eq(number, call->want, "%s", call->name);
		cr_expect_eq(call->nr, 0x10 + (uint32_t)i, "%s", call->name);
	}
}

/* Structs and members lie where the kernel reads them. */
Test(uapi, layouts)
{
	size_t structs = 0, end = 0;
	uint32_t left = 0;

	for (size_t i = 0; i < COUNT(members); i++) {
		const struct listed_member *row = &members[i];
		const char *name = row->member ? row->member : "(size)";

		cr_expect_eq(row->have_b, row->want_b, "%s %s", row->type, name);
		cr_expect_eq(row->have_offset, row->want_offset, "%s %s", row->type, name);
		if (!row->member) {
			cr_expect_eq(left, 0, "members are missing before %s", row->type);
			left = row->members;
			end = 0;
			structs++;
			continue;
		}
		cr_expect_geq(row->want_offset, end, "%s %s overlaps", row->type, name);
		end = row->want_offset + row->want_b;
		left--;
	}
	cr_expect_eq(left, 0);
	cr_expect_eq(structs, 80);
}

/* Two capability bits lie at the bottom of one word. */
Test(uapi, capability_bits)
{
	union {
		struct mtgpu_hw_capability bits;
		uint64_t word;
	} u = {.word = 0};

	u.bits.support_llc = 1;
	cr_expect_eq(u.word, 1);
	u.bits.support_llc = 0;
	u.bits.support_ce = 1;
	cr_expect_eq(u.word, 2);
}

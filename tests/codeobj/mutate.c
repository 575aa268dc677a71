/* SPDX-License-Identifier: MIT */
/*
 * Random mutations of good objects, the same ones in every run: whatever comes of them, nothing
 * faults, leaks, or contradicts itself.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "tests/codeobj/samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ROUNDS 3000u

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static const uint64_t interesting[] = {0,
				       1,
				       7,
				       8,
				       63,
				       64,
				       255,
				       256,
				       4095,
				       4096,
				       65535,
				       65536,
				       0x7fffffff,
				       0x80000000,
				       0xffffffff,
				       UINT64_C(1) << 32,
				       UINT64_C(1) << 63,
				       UINT64_MAX - 1,
				       UINT64_MAX};

static void mutate_once(struct cob_buf *image, uint64_t *state)
{
	size_t at = next_random(state) % image->size;
	uint64_t value =
		interesting[next_random(state) % (sizeof(interesting) / sizeof(interesting[0]))];
	size_t width = (size_t)1 << next_random(state) % 4;

	switch (next_random(state) % 6) {
	case 0:
		image->data[at] ^= (uint8_t)(1u << next_random(state) % 8);
		break;
	case 1:
		image->data[at] = (uint8_t)next_random(state);
		break;
	case 2: /* a number where one may stand */
		at = at / width * width;
		if (at + width <= image->size)
			memcpy(image->data + at, &value, width);
		break;
	case 3: /* a small change of one */
		image->data[at] += (uint8_t)(next_random(state) % 9 - 4);
		break;
	case 4: /* a copy of other bytes */
		width = next_random(state) % 64;
		value = next_random(state) % image->size;
		if (at + width <= image->size && value + width <= image->size)
			memmove(image->data + at, image->data + value, width);
		break;
	default: /* the end cut off, rarely */
		if (next_random(state) % 8 == 0)
			image->size = at ? at : 1;
		break;
	}
}

/* The tables at both ends of an object matter more than its code. */
static void mutate_tables(struct cob_buf *image, uint64_t *state)
{
	struct cob_buf part = *image;
	size_t third = image->size / 3;

	part.size = third;
	if (next_random(state) & 1)
		part.data = image->data + image->size - third;
	for (uint64_t i = next_random(state) % 3 + 1; i; i--) {
		size_t size = part.size;

		mutate_once(&part, state);
		part.size = size;
	}
}

static void run(const struct cob_buf *seed, uint64_t state)
{
	struct cob_buf image = {0};

	for (uint32_t round = 0; round < ROUNDS; round++) {
		image.size = 0;
		cob_bytes(&image, seed->data, seed->size);
		if (round & 1)
			mutate_tables(&image, &state);
		else
			for (uint64_t i = next_random(&state) % 4 + 1; i; i--)
				mutate_once(&image, &state);
		LLVMFuzzerTestOneInput(image.data, image.size);
	}
	cob_free(&image);
}

Test(codeobj_mutate, linked_and_unlinked)
{
	struct mt_alloc_stats before, after;

	mt_alloc_stats_get(&before);
	for (uint16_t type = ET_REL; type <= ET_DYN; type += ET_DYN - ET_REL) {
		struct cob_buf elf = {0};

		sample_rich(&elf, type, 62);
		run(&elf, 0x9e3779b97f4a7c15u + type);
		cob_free(&elf);
	}
	mt_alloc_stats_get(&after);
	cr_expect_eq(before.live_count, after.live_count);
}

Test(codeobj_mutate, bundle)
{
	struct cob_buf mock = {0}, silicon = {0}, bundle = {0};

	sample_elf(&mock, &sample_scan_22, ET_DYN, 900);
	sample_elf(&silicon, &sample_indirect_31, ET_REL, 0);
	cob_bundle(&bundle,
		   (const struct cob_member[]){
			   {COB_ID_HOST, NULL}, {COB_ID_31, &silicon}, {COB_ID_MOCK, &mock}},
		   3);
	run(&bundle, 0xbf58476d1ce4e5b9u);
	cob_free(&mock);
	cob_free(&silicon);
	cob_free(&bundle);
}

/* Mutated metadata alone, where most of the rules are. */
Test(codeobj_mutate, metadata)
{
	uint64_t state = 0x94d049bb133111ebu;
	struct cob_buf elf = {0}, image = {0};
	const Elf64_Shdr *note;

	sample_rich(&elf, ET_REL, 62);
	note = cob_shdr(&elf, ".note");
	for (uint32_t round = 0; round < 4 * ROUNDS; round++) {
		struct cob_buf part;

		image.size = 0;
		cob_bytes(&image, elf.data, elf.size);
		part.data = image.data + note->sh_offset;
		for (uint64_t i = next_random(&state) % 3 + 1; i; i--) {
			part.size = note->sh_size;
			mutate_once(&part, &state);
		}
		LLVMFuzzerTestOneInput(image.data, image.size);
	}
	cob_free(&elf);
	cob_free(&image);
}

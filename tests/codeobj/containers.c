/* SPDX-License-Identifier: MIT */
/*
 * Containers: the three shapes, listing, choosing a member, and the malformed ones.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/codeobj/samples.h"

static struct mt_codeobj_container *open_good(const void *image)
{
	struct mt_codeobj_container *container = NULL;
	struct mt_codeobj_reason why = {0};
	MUresult result = mt_codeobj_container_open_memory(image, 0, &container, &why);

	cr_assert_eq(result, MUSA_SUCCESS, "%s", why.text ? why.text : "");
	return container;
}

/* All members are listed in order, with their architectures; host entries have none. */
Test(codeobj_containers, bundle_is_listed)
{
	static const uint32_t archs[] = {0, 210, 220, 310, 900};
	struct cob_buf bundle = {0};
	struct mt_codeobj_container *container;

	sample_bundle(&bundle, &sample_scan_22);
	container = open_good(bundle.data);
	cr_expect_eq(mt_codeobj_container_shape(container), MT_CODEOBJ_SHAPE_BUNDLE);
	cr_assert_eq(mt_codeobj_container_count(container), 5);
	for (uint32_t i = 0; i < 5; i++) {
		const struct mt_codeobj_member *member = mt_codeobj_container_member(container, i);

		cr_expect_eq(member->arch_id, archs[i], "%u: %u", i, member->arch_id);
		cr_expect_eq(member->offset_b % 4096, 0);
		cr_expect_eq(member->size_b != 0, i != 0);
	}
	cr_expect_str_eq(mt_codeobj_container_member(container, 0)->id, COB_ID_HOST);
	cr_expect_str_eq(mt_codeobj_container_member(container, 4)->id, COB_ID_MOCK);
	cr_expect_null(mt_codeobj_container_member(container, 5));
	mt_codeobj_container_close(container);
	cob_free(&bundle);
}

/* Exactly the member for the architecture is loaded, and it outlives its container. */
Test(codeobj_containers, member_is_chosen_by_exact_architecture)
{
	static const uint32_t archs[] = {210, 220, 310, 900};
	struct cob_buf bundle = {0};

	sample_bundle(&bundle, &sample_scan_22);
	for (size_t i = 0; i < 4; i++) {
		struct mt_codeobj_container *container = open_good(bundle.data);
		struct mt_codeobj *codeobj = NULL, *same = NULL;

		cr_assert_eq(mt_codeobj_load(container, archs[i], &codeobj, NULL), MUSA_SUCCESS);
		cr_assert_eq(mt_codeobj_load_member(container, (uint32_t)i + 1, &same, NULL),
			     MUSA_SUCCESS);
		mt_codeobj_container_close(container);
		cr_expect_eq(codeobj->arch_id, archs[i]);
		cr_expect_eq(same->arch_id, archs[i]);
		cr_expect_eq(codeobj->machine, archs[i] == 900 ? 62 : 253);
		cr_expect_str_eq(codeobj->kernels[0].name, sample_scan_22.name);
		mt_codeobj_destroy(codeobj);
		mt_codeobj_destroy(same);
	}
	cob_free(&bundle);
}

/* A good container without code for the device is not malformed, in either shape. */
Test(codeobj_containers, other_architecture)
{
	static const uint32_t archs[] = {210, 220, 310, 320, 100, 0, 31};
	struct cob_buf mock = {0}, silicon = {0}, bundle = {0};
	struct mt_codeobj_reason why = {0};

	sample_elf(&mock, &sample_float_31, ET_DYN, 900);
	sample_elf(&silicon, &sample_float_31, ET_DYN, 0);
	cob_bundle(&bundle, (const struct cob_member[]){{COB_ID_HOST, NULL}, {COB_ID_31, &silicon}},
		   2);
	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		cr_expect_eq(sample_try(&mock, archs[i], &why), MUSA_ERROR_NO_BINARY_FOR_GPU);
	cr_expect_eq(sample_try(&silicon, 900, &why), MUSA_ERROR_NO_BINARY_FOR_GPU);
	cr_expect_eq(why.position, 900);
	cr_expect_eq(sample_try(&bundle, 900, &why), MUSA_ERROR_NO_BINARY_FOR_GPU);
	cr_expect_eq(sample_try(&bundle, 310, &why), MUSA_SUCCESS);
	cob_free(&bundle);

	/* Nothing but a host entry. */
	cob_bundle(&bundle, (const struct cob_member[]){{COB_ID_HOST, NULL}}, 1);
	cr_expect_eq(sample_try(&bundle, 900, &why), MUSA_ERROR_NO_BINARY_FOR_GPU);
	cob_free(&mock);
	cob_free(&silicon);
	cob_free(&bundle);
}

/* A broken member of another architecture is not taken for a good one. */
Test(codeobj_containers, broken_member_of_other_architecture)
{
	struct cob_buf silicon = {0}, bundle = {0};

	sample_elf(&silicon, &sample_float_31, ET_DYN, 0);
	cob_ehdr(&silicon)->e_type = ET_EXEC;
	cob_bundle(&bundle, (const struct cob_member[]){{COB_ID_31, &silicon}}, 1);
	sample_expect_reject(&bundle, "broken mp_31", "ELF type is neither DYN nor REL");
	cob_free(&silicon);
	cob_free(&bundle);
}

/* After a refused load the next good one works. */
Test(codeobj_containers, good_after_bad)
{
	struct cob_buf bundle = {0}, text = {0};
	struct mt_codeobj_reason why;

	sample_bundle(&bundle, &sample_float_31);
	cob_bytes(&text, "plain text, and enough of it for a header", 42);
	cr_expect_eq(sample_try(&bundle, 320, &why), MUSA_ERROR_NO_BINARY_FOR_GPU);
	cr_expect_eq(sample_try(&text, 900, &why), MUSA_ERROR_INVALID_IMAGE);
	cr_expect_eq(sample_try(&bundle, 900, &why), MUSA_SUCCESS);
	cob_free(&bundle);
	cob_free(&text);
}

/* Ids: any number of dashes, and only musa-...-mp_<digits>. */
Test(codeobj_containers, ids)
{
	static const struct {
		const char *id;
		uint32_t arch_id;
	} rows[] = {
		{"musa-mtgpu-mt-musa--mp_31", 310},
		{"musa-mtgpu-mt-musa-mp_31", 310},
		{"musa-mtgpu-mt-musa---mp_21", 210},
		{"musa-mthg-mt-musa--mp_42", 420},
		{"musa-mp_10", 100},
		{"musa-x-mp_031", 310},
		{"host-x86_64-mp_31", 0},
		{"musa-mtgpu-mt-musa--mp_", 0},
		{"musa-mtgpu-mt-musa--mp_3x", 0},
		{"musa-mtgpu-mt-musa--mp_31 ", 0},
		{"musa-mtgpu-mt-musa--sm_31", 0},
		{"musamp_31", 0},
		{"musa-mp_31-extra", 0},
		{"cuda-mtgpu-mt-musa--mp_31", 0},
		{"musa-x-mp_99999999999999999999", 0},
		{"musa-", 0},
		{"m", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cob_buf elf = {0}, bundle = {0};
		struct mt_codeobj_container *container;

		sample_rich(&elf, ET_DYN, 62);
		cob_bundle(&bundle, (const struct cob_member[]){{rows[i].id, &elf}}, 1);
		container = open_good(bundle.data);
		cr_expect_eq(mt_codeobj_container_member(container, 0)->arch_id, rows[i].arch_id,
			     "'%s': %u", rows[i].id,
			     mt_codeobj_container_member(container, 0)->arch_id);
		mt_codeobj_container_close(container);
		cob_free(&elf);
		cob_free(&bundle);
	}
}

/* A bare ELF has one nameless member. */
Test(codeobj_containers, bare_elf)
{
	struct cob_buf elf = {0};
	struct mt_codeobj_container *container;
	struct mt_codeobj *codeobj = NULL;

	sample_elf(&elf, &sample_float_31, ET_REL, 0);
	container = open_good(elf.data);
	cr_expect_eq(mt_codeobj_container_shape(container), MT_CODEOBJ_SHAPE_ELF);
	cr_assert_eq(mt_codeobj_container_count(container), 1);
	cr_expect_eq(mt_codeobj_container_member(container, 0)->size_b, elf.size);
	cr_expect_str_empty(mt_codeobj_container_member(container, 0)->id);
	cr_assert_eq(mt_codeobj_load_member(container, 0, &codeobj, NULL), MUSA_SUCCESS);
	cr_expect_eq(codeobj->arch_id, 310);
	mt_codeobj_destroy(codeobj);
	mt_codeobj_container_close(container);
	cob_free(&elf);
}

struct wrapper {
	uint32_t magic, version;
	const void *image;
	const void *reserved;
};

/* A wrapper leads to its image; a strange magic only where that is asked for. */
Test(codeobj_containers, wrapper)
{
	struct cob_buf bundle = {0};
	struct wrapper wrapper = {0x466243b1, 1, NULL, NULL};
	struct wrapper nested = {0x466243b1, 1, &wrapper, NULL};
	struct mt_codeobj_container *container;

	sample_bundle(&bundle, &sample_float_31);
	wrapper.image = bundle.data;
	container = open_good(&wrapper);
	cr_expect_eq(mt_codeobj_container_count(container), 5);
	mt_codeobj_container_close(container);
	wrapper.magic = 0x48495046;
	mt_codeobj_container_close(open_good(&wrapper));
	cr_expect_eq(mt_codeobj_container_open_memory(&nested, 0, &container, NULL),
		     MUSA_ERROR_INVALID_IMAGE);

	wrapper.magic = 0x12345678;
	cr_expect_eq(mt_codeobj_container_open_memory(&wrapper, 0, &container, NULL),
		     MUSA_ERROR_INVALID_IMAGE);
	cr_expect_eq(mt_codeobj_container_open_memory(&wrapper, MT_CODEOBJ_OPEN_ANY_WRAPPER,
						      &container, NULL),
		     MUSA_SUCCESS);
	mt_codeobj_container_close(container);

	wrapper.image = NULL;
	cr_expect_eq(mt_codeobj_container_open_memory(&wrapper, MT_CODEOBJ_OPEN_ANY_WRAPPER,
						      &container, NULL),
		     MUSA_ERROR_INVALID_IMAGE);
	wrapper.image = (const void *)(uintptr_t)0x6162636465666768; /* text */
	cr_expect_eq(mt_codeobj_container_open_memory(&wrapper, MT_CODEOBJ_OPEN_ANY_WRAPPER,
						      &container, NULL),
		     MUSA_ERROR_INVALID_IMAGE);
	wrapper.image = (const void *)UINTPTR_MAX;
	cr_expect_eq(mt_codeobj_container_open_memory(&wrapper, MT_CODEOBJ_OPEN_ANY_WRAPPER,
						      &container, NULL),
		     MUSA_ERROR_INVALID_IMAGE);
	cob_free(&bundle);
}

/* Wrong arguments are told from wrong images. */
Test(codeobj_containers, arguments)
{
	struct cob_buf bundle = {0};
	struct mt_codeobj_container *container;
	struct mt_codeobj *codeobj;

	sample_bundle(&bundle, &sample_float_31);
	cr_expect_eq(mt_codeobj_container_open_memory(NULL, 0, &container, NULL),
		     MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_container_open_memory(bundle.data, 2, &container, NULL),
		     MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_container_open_file(NULL, &container, NULL),
		     MUSA_ERROR_INVALID_VALUE);
	container = open_good(bundle.data);
	cr_expect_eq(mt_codeobj_load_member(container, 0, &codeobj, NULL),
		     MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_load_member(container, 5, &codeobj, NULL),
		     MUSA_ERROR_INVALID_VALUE);
	mt_codeobj_container_close(container);
	mt_codeobj_container_close(NULL);
	mt_codeobj_destroy(NULL);
	cob_free(&bundle);
}

static MUresult open_path(const char *path)
{
	struct mt_codeobj_container *container = NULL;
	MUresult result = mt_codeobj_container_open_file(path, &container, NULL);

	mt_codeobj_container_close(container);
	return result;
}

/* Files: what is not there, is no file or is empty; a good one loads, with bytes behind it too. */
Test(codeobj_containers, files)
{
	char dir[] = "/tmp/codeobj-XXXXXX";
	char *path, *fifo;
	struct cob_buf bundle = {0};
	struct mt_codeobj_container *container;
	struct mt_codeobj *codeobj;
	int fd;

	cr_assert_not_null(mkdtemp(dir));
	path = cob_format("%s/k.mtfb", dir);
	fifo = cob_format("%s/fifo", dir);
	cr_expect_eq(open_path(path), MUSA_ERROR_FILE_NOT_FOUND);
	cr_expect_eq(open_path(""), MUSA_ERROR_FILE_NOT_FOUND);
	cr_expect_eq(open_path(dir), MUSA_ERROR_FILE_NOT_FOUND);
	cr_assert_eq(mkfifo(fifo, 0600), 0);
	cr_expect_eq(open_path(fifo), MUSA_ERROR_FILE_NOT_FOUND);
	unlink(fifo);

	fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	cr_assert_geq(fd, 0);
	cr_expect_eq(open_path(path), MUSA_ERROR_INVALID_IMAGE);
	sample_bundle(&bundle, &sample_scan_22);
	cob_bytes(&bundle, "behind", 6);
	cr_assert_eq(write(fd, bundle.data, bundle.size), (ssize_t)bundle.size);
	cr_assert_eq(mt_codeobj_container_open_file(path, &container, NULL), MUSA_SUCCESS);
	cr_assert_eq(mt_codeobj_load(container, 900, &codeobj, NULL), MUSA_SUCCESS);
	mt_codeobj_destroy(codeobj);
	/* The file shrinks between opening and loading. */
	cr_assert_eq(ftruncate(fd, 5000), 0);
	cr_expect_eq(mt_codeobj_load(container, 900, &codeobj, NULL), MUSA_ERROR_INVALID_IMAGE);
	mt_codeobj_container_close(container);
	close(fd);
	unlink(path);
	rmdir(dir);
	free(path);
	free(fifo);
	cob_free(&bundle);
}

static void set_u64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

static uint64_t get_u64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void no_magic(struct cob_buf *bundle)
{
	bundle->data[20] ^= 1;
}
static void no_entries(struct cob_buf *bundle)
{
	set_u64(bundle->data + 24, 0);
}
static void too_many(struct cob_buf *bundle)
{
	set_u64(bundle->data + 24, UINT64_MAX / 24);
}
static void one_too_many(struct cob_buf *bundle)
{
	set_u64(bundle->data + 24, 6);
}
static void id_empty(struct cob_buf *bundle)
{
	set_u64(cob_entry(bundle, 2) + 16, 0);
}
static void id_long(struct cob_buf *bundle)
{
	set_u64(cob_entry(bundle, 2) + 16, 4097);
}
static void id_huge(struct cob_buf *bundle)
{
	set_u64(cob_entry(bundle, 4) + 16, UINT64_MAX);
}
static void size_overflow(struct cob_buf *bundle)
{
	set_u64(cob_entry(bundle, 4) + 8, -4096);
}
static void in_header(struct cob_buf *bundle)
{
	set_u64(cob_entry(bundle, 1), 100);
}
static void at_start(struct cob_buf *bundle)
{
	set_u64(cob_entry(bundle, 1), 0);
}
static void overlap(struct cob_buf *bundle)
{
	set_u64(cob_entry(bundle, 4), get_u64(cob_entry(bundle, 3)) + 8);
}
static void same(struct cob_buf *bundle)
{
	memcpy(cob_entry(bundle, 4), cob_entry(bundle, 3), 16);
}
static void same_arch(struct cob_buf *bundle)
{
	memcpy(cob_entry(bundle, 3) + 24 + strlen(COB_ID_31) - 2, "21", 2);
}

/* Every malformed bundle is refused for its own reason. */
Test(codeobj_containers, malformed_bundles)
{
	static const struct {
		const char *row;
		void (*damage)(struct cob_buf *bundle);
		const char *text;
	} rows[] = {
		{"magic", no_magic, "bundle magic is wrong or cut off"},
		{"no entries", no_entries, "bundle has no entries"},
		{"count too large", too_many, "bundle has more entries than can fit"},
		{"entry past the header", one_too_many, "bundle entry has a bad id length"},
		{"id length 0", id_empty, "bundle entry has a bad id length"},
		{"id length 4097", id_long, "bundle entry has a bad id length"},
		{"id length 2^64-1", id_huge, "bundle entry has a bad id length"},
		{"end overflows", size_overflow, "bundle entry's end overflows"},
		{"member in the header", in_header, "bundle member starts inside the header"},
		{"member at the start", at_start, "bundle member starts inside the header"},
		{"members overlap", overlap, "two bundle members overlap"},
		{"members are the same", same, "two bundle members overlap"},
		{"same architecture", same_arch, "two bundle members have one architecture"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cob_buf bundle = {0};

		sample_bundle(&bundle, &sample_float_31);
		rows[i].damage(&bundle);
		sample_expect_reject(&bundle, rows[i].row, rows[i].text);
		cob_free(&bundle);
	}
}

/* In a file the count is bounded by the file's size before any entry is read. */
Test(codeobj_containers, count_is_bounded_by_the_file)
{
	char path[] = "/tmp/codeobj-XXXXXX";
	struct mt_codeobj_container *container;
	struct mt_codeobj_reason why = {0};
	struct cob_buf bundle = {0};
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	sample_bundle(&bundle, &sample_empty_31);
	set_u64(bundle.data + 24, bundle.size / 25);
	cr_assert_eq(write(fd, bundle.data, bundle.size), (ssize_t)bundle.size);
	cr_expect_eq(mt_codeobj_container_open_file(path, &container, &why),
		     MUSA_ERROR_INVALID_IMAGE);
	cr_expect_str_eq(why.text, "bundle has more entries than can fit");
	close(fd);
	unlink(path);
	cob_free(&bundle);
}

/* Foreign and empty entries are skipped, wherever they say they lie. */
Test(codeobj_containers, foreign_entries_are_skipped)
{
	struct cob_buf elf = {0}, bundle = {0};

	sample_rich(&elf, ET_DYN, 62);
	cob_bundle(&bundle,
		   (const struct cob_member[]){{COB_ID_31, NULL},
					       {COB_ID_31, NULL},
					       {COB_ID_MOCK, &elf},
					       {"hip-amdgcn--gfx900", NULL},
					       {COB_ID_HOST, NULL}},
		   5);
	set_u64(cob_entry(&bundle, 0), UINT64_MAX);
	set_u64(cob_entry(&bundle, 3), 0); /* inside the header, and not ours */
	set_u64(cob_entry(&bundle, 3) + 8, 64);
	sample_expect_accept(&bundle, 900, "foreign entries");
	cob_free(&elf);
	cob_free(&bundle);
}

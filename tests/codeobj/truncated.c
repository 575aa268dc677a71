/* SPDX-License-Identifier: MIT */
/*
 * Images that end too early, next to memory that must not be touched, and good ones that lie
 * across mappings.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hw/base/alloc.h"
#include "hw/base/block.h"
#include "tests/codeobj/samples.h"

#define PAGE_B 4096u

/* Memory whose last byte lies before a page without access. */
struct guarded {
	uint8_t *map;
	size_t room, whole;
};

static void guard(struct guarded *guarded, size_t size)
{
	guarded->room = (size + PAGE_B - 1) / PAGE_B * PAGE_B + PAGE_B;
	guarded->whole = guarded->room + PAGE_B;
	guarded->map = mmap(NULL, guarded->whole, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(guarded->map, MAP_FAILED);
	cr_assert_eq(mprotect(guarded->map + guarded->room, PAGE_B, PROT_NONE), 0);
}

/* Every length 0..N with the last byte before the guard: refused, only N loads. */
static void try_lengths(const struct cob_buf *image, const char *row, size_t step)
{
	struct guarded guarded;
	size_t length = 0;

	guard(&guarded, image->size);
	while (length <= image->size) {
		struct cob_buf cut = {.data = guarded.map + guarded.room - length, .size = length};
		struct mt_codeobj_reason why = {0};
		MUresult result;

		memcpy(cut.data, image->data, length);
		result = sample_try(&cut, 900, &why);
		cr_expect_eq(result,
			     length == image->size ? MUSA_SUCCESS : MUSA_ERROR_INVALID_IMAGE,
			     "%s, %zu of %zu: %d %s", row, length, image->size, result,
			     why.text ? why.text : "");
		if (length < image->size && length + step > image->size)
			length = image->size;
		else
			length += step;
	}
	munmap(guarded.map, guarded.whole);
}

Test(codeobj_truncated, every_length_of_a_linked_elf)
{
	struct cob_buf elf = {0};

	sample_rich(&elf, ET_DYN, 62);
	try_lengths(&elf, "linked", 1);
	cob_free(&elf);
}

Test(codeobj_truncated, every_length_of_an_unlinked_elf)
{
	struct cob_buf elf = {0};

	sample_rich(&elf, ET_REL, 62);
	try_lengths(&elf, "unlinked", 1);
	cob_free(&elf);
}

/* The mock's member stands first, so that the lack of later ones has to be noticed too. */
Test(codeobj_truncated, every_length_of_a_bundle)
{
	struct cob_buf mock = {0}, silicon = {0}, bundle = {0};

	sample_elf(&silicon, &sample_empty_31, ET_DYN, 0);
	sample_elf(&mock, &sample_empty_31, ET_DYN, 900);
	cob_bundle(&bundle,
		   (const struct cob_member[]){
			   {COB_ID_MOCK, &mock}, {COB_ID_31, &silicon}, {COB_ID_HOST, NULL}},
		   3);
	try_lengths(&bundle, "bundle", 1);
	cob_free(&mock);
	cob_free(&silicon);
	cob_free(&bundle);
}

/* The same from files, which have a length. */
Test(codeobj_truncated, every_length_of_a_file)
{
	char path[] = "/tmp/codeobj-XXXXXX";
	struct cob_buf elf = {0};
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	sample_rich(&elf, ET_DYN, 62);
	for (size_t length = 0; length <= elf.size; length++) {
		struct mt_codeobj_container *container = NULL;
		struct mt_codeobj *codeobj = NULL;
		MUresult result;

		if (length)
			cr_assert_eq(pwrite(fd, elf.data + length - 1, 1, (off_t)length - 1), 1);
		result = mt_codeobj_container_open_file(path, &container, NULL);
		if (!result)
			result = mt_codeobj_load(container, 900, &codeobj, NULL);
		cr_expect_eq(result, length == elf.size ? MUSA_SUCCESS : MUSA_ERROR_INVALID_IMAGE,
			     "%zu of %zu: %d", length, elf.size, result);
		mt_codeobj_destroy(codeobj);
		mt_codeobj_container_close(container);
	}
	close(fd);
	unlink(path);
	cob_free(&elf);
}

/* A mapped file that ends inside the mapping would raise SIGBUS if it were touched. */
Test(codeobj_truncated, mapping_past_the_end_of_its_file)
{
	char path[] = "/tmp/codeobj-XXXXXX";
	struct cob_buf bundle = {0}, mapped;
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	sample_bundle(&bundle, &sample_float_31);
	cr_assert_eq(write(fd, bundle.data, bundle.size), (ssize_t)bundle.size);
	mapped.data = mmap(NULL, bundle.size, PROT_READ, MAP_PRIVATE, fd, 0);
	cr_assert_neq(mapped.data, MAP_FAILED);
	sample_expect_accept(&mapped, 900, "whole file");
	cr_assert_eq(ftruncate(fd, PAGE_B * 2), 0);
	sample_expect_reject(&mapped, "cut file", "bundle is shorter than its members");
	munmap(mapped.data, bundle.size);
	close(fd);
	unlink(path);
	cob_free(&bundle);
}

/* A whole image across the border of two read-only mappings with different flags, at each page. */
Test(codeobj_truncated, two_mappings)
{
	struct cob_buf bundle = {0};
	size_t pages;

	sample_bundle(&bundle, &sample_float_31);
	pages = (bundle.size + PAGE_B - 1) / PAGE_B;
	for (size_t border = 1; border < pages; border++) {
		struct guarded guarded;
		struct cob_buf moved;

		guard(&guarded, bundle.size);
		moved.data = guarded.map + guarded.room - bundle.size;
		memcpy(moved.data, bundle.data, bundle.size);
		/* A shared mapping of zeroes cannot merge with a private one. */
		cr_assert_eq(mprotect(guarded.map, guarded.room, PROT_READ), 0);
		{
			uint8_t *from = guarded.map + border * PAGE_B, copy[PAGE_B];

			memcpy(copy, from, PAGE_B);
			cr_assert_eq(mmap(from, PAGE_B, PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
				     from);
			memcpy(from, copy, PAGE_B);
			cr_assert_eq(mprotect(from, PAGE_B, PROT_READ | PROT_EXEC), 0);
		}
		sample_expect_accept(&moved, 900, "two mappings");
		munmap(guarded.map, guarded.whole);
	}
	cob_free(&bundle);
}

/* A hole in the middle, and pages without access. */
Test(codeobj_truncated, hole)
{
	struct cob_buf bundle = {0};
	struct guarded guarded;
	struct cob_buf moved;

	sample_bundle(&bundle, &sample_float_31);
	guard(&guarded, bundle.size);
	moved.data = guarded.map;
	memcpy(moved.data, bundle.data, bundle.size);
	sample_expect_accept(&moved, 900, "no hole");
	cr_assert_eq(mprotect(guarded.map + 2 * PAGE_B, PAGE_B, PROT_NONE), 0);
	sample_expect_reject(&moved, "no access", "bundle is shorter than its members");
	cr_assert_eq(munmap(guarded.map + 2 * PAGE_B, PAGE_B), 0);
	sample_expect_reject(&moved, "hole", "bundle is shorter than its members");
	munmap(guarded.map, guarded.whole);
	cob_free(&bundle);
}

/* Pointers that lead nowhere. */
Test(codeobj_truncated, wild_pointers)
{
	static const uintptr_t wild[] = {1,
					 8,
					 PAGE_B - 1,
					 UINTPTR_MAX,
					 UINTPTR_MAX - 64,
					 (uintptr_t)1 << 47,
					 (uintptr_t)1 << 63};

	for (size_t i = 0; i < sizeof(wild) / sizeof(wild[0]); i++) {
		struct cob_buf image = {.data = (uint8_t *)wild[i]};
		struct mt_codeobj_reason why;

		cr_expect_eq(sample_try(&image, 900, &why), MUSA_ERROR_INVALID_IMAGE, "%zu", i);
	}
}

/* Text, by pointer and as a file; and a section table past the end. */
Test(codeobj_truncated, text_and_far_section_table)
{
	static const char *const texts[] = {"",
					    "x",
					    "\177ELF",
					    "__CL",
					    "__CLANG_OFFLOAD_BUNDLE__",
					    "#include <stdio.h>\nint main(void) { return 0; }\n"};
	struct cob_buf elf = {0}, far;
	struct guarded guarded;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct cob_buf image;
		struct mt_codeobj_reason why;

		guard(&guarded, strlen(texts[i]));
		image.data = guarded.map + guarded.room - strlen(texts[i]);
		memcpy(image.data, texts[i], strlen(texts[i]));
		cr_expect_eq(sample_try(&image, 900, &why), MUSA_ERROR_INVALID_IMAGE, "%zu", i);
		munmap(guarded.map, guarded.whole);
	}
	sample_rich(&elf, ET_DYN, 62);
	guard(&guarded, elf.size);
	far.data = guarded.map + guarded.room - elf.size;
	memcpy(far.data, elf.data, elf.size);
	((Elf64_Ehdr *)(void *)far.data)->e_shoff = elf.size + 8;
	sample_expect_reject(&far, "far section table", "section header table is cut off");
	munmap(guarded.map, guarded.whole);
	cob_free(&elf);
}

/* Ten thousand failed loads of all sorts leave no byte and no descriptor behind. */
Test(codeobj_truncated, no_leak_over_10000_failures)
{
	struct cob_buf elf = {0};
	struct mt_alloc_stats before, after;
	struct mallinfo2 heap_before = {0}, heap_after;
	size_t pooled_before = 0;
	int fd_before, fd_after;

	sample_rich(&elf, ET_DYN, 62);
	fd_before = dup(0);
	close(fd_before);
	mt_alloc_stats_get(&before);
	for (int i = 0; i < 10000; i++) {
		size_t at = (size_t)i * 7919 % elf.size;
		uint8_t was = elf.data[at];
		struct mt_codeobj_reason why;

		if (i == 100) { /* caches are warm */
			heap_before = mallinfo2();
			pooled_before = mt_block_pooled_b();
		}
		/* Alternate a damaged byte, another architecture and a file that is not there. */
		if (i % 3 == 0)
			elf.data[i / 3 % 16] ^= 0x55;
		if (i % 3 == 2) {
			struct mt_codeobj_container *none;

			cr_assert_eq(mt_codeobj_container_open_file("/nothing", &none, &why),
				     MUSA_ERROR_FILE_NOT_FOUND);
		} else {
			elf.data[at] ^= 0xff;
			sample_try(&elf, i % 3 ? 310 : 900, &why);
			elf.data[at] = was;
		}
		if (i % 3 == 0) {
			cob_free(&elf);
			sample_rich(&elf, ET_DYN, 62);
		}
	}
	heap_after = mallinfo2();
	mt_alloc_stats_get(&after);
	fd_after = dup(0);
	close(fd_after);
	cr_expect_eq(after.live_count, before.live_count);
	cr_expect_eq(after.live_b, before.live_b);
	cr_expect_eq(fd_after, fd_before);
	/* libelf and msgpack-c allocate by themselves; a leak of one block each would be MiB. What the
	 * pool of blocks holds is no leak. */
	cr_expect_leq(heap_after.uordblks - mt_block_pooled_b(),
		      heap_before.uordblks - pooled_before + 65536, "%zu - %zu to %zu - %zu",
		      heap_before.uordblks, pooled_before, heap_after.uordblks, mt_block_pooled_b());
	cob_free(&elf);
}

/* Makes a system call fail with EPERM from now on, as a container's filter does. */
static void forbid(uint32_t number)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	cr_assert_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

/* Where the kernel does not let a process read itself by number, a pipe does the same. */
Test(codeobj_truncated, without_process_vm_readv)
{
	struct cob_buf elf = {0}, bundle = {0};
	int before, after;

	forbid(SYS_process_vm_readv);
	before = dup(0);
	close(before);
	sample_rich(&elf, ET_REL, 62);
	try_lengths(&elf, "through a pipe", 7);
	sample_bundle(&bundle, &sample_float_31);
	try_lengths(&bundle, "bundle through a pipe", 1021);
	after = dup(0);
	close(after);
	cr_expect_eq(before, after);
	cob_free(&elf);
	cob_free(&bundle);
}

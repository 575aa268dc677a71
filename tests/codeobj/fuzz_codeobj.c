/* SPDX-License-Identifier: MIT */
/*
 * One fuzzing step over an image of any bytes. Built as a libFuzzer target where the compiler has
 * it, and called by the test of random mutations everywhere.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "drv/codeobj.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PAGE_B      4096u
#define IMAGE_MAX_B (UINT64_C(1) << 24)

/* Uses all that a loaded code object describes. */
static void use(const struct mt_codeobj *codeobj)
{
	uint64_t size_b = codeobj->image_size_b;

	if (size_b && size_b <= IMAGE_MAX_B) {
		void *image = malloc((size_t)size_b);

		if (image)
			mt_codeobj_relocate(codeobj, image, size_b, 0);
		free(image);
	}
	for (uint32_t i = 0; i < codeobj->kernel_count; i++) {
		const struct mt_codeobj_kernel *kernel = &codeobj->kernels[i];
		struct mt_codeobj_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
		void *buffer = calloc(1, kernel->packed_size_b + 1u);
		void *image = malloc(kernel->kernarg_size_b + 1u);

		if (buffer && image) {
			mt_codeobj_pack_buffer(kernel, buffer, kernel->packed_end_b, image, 0);
			mt_codeobj_pack_hidden(kernel, image, &launch);
		}
		free(buffer);
		free(image);
		if (mt_codeobj_find_kernel(codeobj, kernel->name) != kernel)
			abort();
		if (kernel->entry_b >= size_b || kernel->code_size_b > size_b - kernel->entry_b)
			abort();
	}
	for (uint32_t i = 0; i < codeobj->variable_count; i++) {
		const struct mt_codeobj_variable *variable = &codeobj->variables[i];

		if (!mt_codeobj_find_variable(codeobj, variable->name) ||
		    variable->offset_b > size_b || variable->size_b > size_b - variable->offset_b)
			abort();
	}
}

static void load_all(struct mt_codeobj_container *container)
{
	struct mt_codeobj *codeobj;

	for (uint32_t i = 0; i < mt_codeobj_container_count(container); i++) {
		codeobj = NULL;
		if (!mt_codeobj_load_member(container, i, &codeobj, NULL))
			use(codeobj);
		mt_codeobj_destroy(codeobj);
	}
	codeobj = NULL;
	if (!mt_codeobj_load(container, MT_CODEOBJ_ARCH_MOCK, &codeobj, NULL))
		use(codeobj);
	mt_codeobj_destroy(codeobj);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The image ends where a page without access begins, so that reads past it are found. */
	size_t room = (size + PAGE_B - 1) / PAGE_B * PAGE_B;
	uint8_t *map = mmap(NULL, room + PAGE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct mt_codeobj_container *container;
	struct mt_codeobj_reason why = {0};
	uint8_t *image;

	if (map == MAP_FAILED)
		return 0;
	image = map + room - size;
	if (room && mprotect(map, room, PROT_READ | PROT_WRITE) == 0) {
		memcpy(image, data, size);
		if (!mt_codeobj_container_open_memory(image, 0, &container, &why)) {
			load_all(container);
			mt_codeobj_container_close(container);
		} else if (!why.text) {
			abort(); /* a refusal without a reason */
		}
	}
	munmap(map, room + PAGE_B);
	return 0;
}

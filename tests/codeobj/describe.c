/* SPDX-License-Identifier: MIT */
/*
 * What a good code object is described as: kernels, arguments, memory, symbols.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codeobj/samples.h"

/* Every sample loads, linked and not, for its own architecture and, rewritten, for the mock. */
Test(codeobj_describe, samples_load)
{
	for (size_t i = 0; i < sample_count; i++) {
		for (uint16_t type = ET_REL; type <= ET_DYN; type += ET_DYN - ET_REL) {
			struct cob_buf own = {0}, mock = {0};

			sample_elf(&own, samples[i], type, 0);
			sample_elf(&mock, samples[i], type, 900);
			sample_expect_accept(&own, samples[i]->arch_id, samples[i]->name);
			sample_expect_accept(&mock, 900, samples[i]->name);
			cob_free(&own);
			cob_free(&mock);
		}
	}
}

/* The parameters come in list order, unused ones too, and hidden inputs are told apart. */
Test(codeobj_describe, histogram)
{
	static const uint32_t packed[] = {0, 8, 16, 20}, image[] = {64, 72, 60, 80};
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;
	const struct mt_codeobj_kernel *kernel;

	sample_elf(&elf, &sample_histogram_22, ET_DYN, 0);
	codeobj = sample_load(&elf, 220);
	cr_expect_eq(codeobj->machine, 253);
	cr_expect_eq(codeobj->arch_id, 220);
	cr_expect_eq(codeobj->version_major, 1);
	cr_expect(codeobj->linked);
	cr_assert_eq(codeobj->kernel_count, 1);
	kernel = mt_codeobj_find_kernel(codeobj, "_Z20histogramCalculationPKiPiii");
	cr_assert_not_null(kernel);
	cr_expect_eq(kernel->arg_count, 13);
	cr_assert_eq(kernel->param_count, 4);
	for (size_t i = 0; i < 4; i++) {
		cr_expect_eq(kernel->params[i].packed_b, packed[i], "packed %zu: %u", i,
			     kernel->params[i].packed_b);
		cr_expect_eq(kernel->params[i].image_b, image[i], "image %zu: %u", i,
			     kernel->params[i].image_b);
	}
	cr_expect_eq(kernel->args[7].input_mode, 2);
	cr_expect_eq(kernel->packed_end_b, 24);
	cr_expect_eq(kernel->packed_size_b, 24);
	cr_expect_eq(kernel->uniform_size_b, 100);
	cr_expect_eq(kernel->kernarg_size_b, 100);
	cr_expect_eq(kernel->immediate_count, 1);
	cr_expect_eq(kernel->immediates[0].word, 21);
	cr_expect_eq(kernel->immediates[0].count, 4);
	cr_expect_eq(kernel->immediates[0].values[1], 262144);
	cr_expect_eq(kernel->hidden_count, 3);
	cr_expect_eq(kernel->copy_count, 3); /* both pointers in one */
	cr_expect_eq(kernel->copies[0].size_b, 16);
	cr_expect_eq(kernel->temp_reg_count, 3);
	cr_expect_eq(kernel->shared_size_b, 20);
	cr_expect_eq(kernel->shared_reserved_b, 20);
	cr_expect_eq(kernel->code_size_b, 248);
	cr_expect_eq(kernel->const_calc_b, MT_CODEOBJ_NONE);
	cr_expect_null(kernel->unsupported);
	cr_expect_eq(kernel->wave_mode, 0);
	cr_expect_str_eq(kernel->args[0].name, "blockIdx.x");
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* Static shared memory is the symbol's size; the rest of the size is reserved. */
Test(codeobj_describe, static_shared_and_const_calc)
{
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;
	const struct mt_codeobj_kernel *kernel;

	sample_elf(&elf, &sample_scan_22, ET_DYN, 0);
	codeobj = sample_load(&elf, 220);
	kernel = &codeobj->kernels[0];
	cr_expect_eq(kernel->shared_size_b, 220);
	cr_expect_eq(kernel->shared_symbol_b, 200);
	cr_expect_eq(kernel->shared_reserved_b, 20);
	cr_expect(kernel->has_barrier);
	cr_expect_neq(kernel->const_calc_b, MT_CODEOBJ_NONE);
	cr_expect_eq(kernel->const_calc_size_b, 28);
	cr_expect_eq(kernel->const_calc_b - kernel->entry_b, 768);
	/* The program is no kernel, and the shared memory is no variable. */
	cr_expect_null(
		mt_codeobj_find_kernel(codeobj, "_Z12parallelScanIsEvPKT_PS0_i_ConstCalcProg"));
	cr_expect_eq(codeobj->kernel_count, 1);
	cr_expect_eq(codeobj->variable_count, 0);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* An indirect parameter takes two registers; its value lies behind the registers. */
Test(codeobj_describe, indirect_parameters)
{
	static const uint32_t packed[] = {0, 8, 64, 128, 192, 208, 212, 216, 224, 228};
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;
	const struct mt_codeobj_kernel *kernel;

	sample_elf(&elf, &sample_indirect_31, ET_REL, 0);
	codeobj = sample_load(&elf, 310);
	kernel = &codeobj->kernels[0];
	cr_expect_not(codeobj->linked);
	cr_expect_eq(codeobj->version_major, 3);
	cr_assert_eq(kernel->param_count, 10);
	for (size_t i = 0; i < 10; i++)
		cr_expect_eq(kernel->params[i].packed_b, packed[i], "%zu: %u", i,
			     kernel->params[i].packed_b);
	cr_expect_eq(kernel->packed_size_b, 256);
	cr_expect_eq(kernel->packed_end_b, 232);
	cr_expect_eq(kernel->indirect_count, 2);
	cr_expect_eq(kernel->uniform_size_b, 448);
	cr_expect_eq(kernel->params[2].pair_b, 16);
	cr_expect_eq(kernel->params[2].image_b, 448);
	cr_expect_eq(kernel->params[3].pair_b, 24);
	cr_expect_eq(kernel->params[3].image_b, 512);
	cr_expect_eq(kernel->params[4].pair_b, UINT32_MAX);
	cr_expect_eq(kernel->kernarg_size_b, 576);
	cr_expect_eq(kernel->immediates[0].word, 70);
	cr_expect_eq(kernel->immediates[0].count, 3);
	cr_expect_eq(kernel->immediates[0].values[2], 48);
	cr_expect_eq(kernel->shared_size_b, 196608);
	cr_expect_eq(kernel->wave_mode, 1);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* A kernel without arguments needs no image at all. */
Test(codeobj_describe, empty_kernel)
{
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;

	sample_elf(&elf, &sample_empty_31, ET_DYN, 0);
	codeobj = sample_load(&elf, 310);
	cr_expect_eq(codeobj->kernels[0].param_count, 0);
	cr_expect_eq(codeobj->kernels[0].kernarg_size_b, 0);
	cr_expect_eq(codeobj->kernels[0].packed_size_b, 0);
	cr_expect_eq(codeobj->kernels[0].shared_reserved_b, 12);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* Kernels, variables and their places in the image; only exported objects are variables. */
Test(codeobj_describe, rich_object)
{
	for (uint16_t type = ET_REL; type <= ET_DYN; type += ET_DYN - ET_REL) {
		struct cob_buf elf = {0};
		struct mt_codeobj *codeobj;
		const struct mt_codeobj_kernel *alpha, *beta;
		const struct mt_codeobj_variable *counter, *table;

		sample_rich(&elf, type, 62);
		codeobj = sample_load(&elf, 900);
		alpha = mt_codeobj_find_kernel(codeobj, "alpha");
		beta = mt_codeobj_find_kernel(codeobj, "beta");
		cr_assert(alpha && beta);
		cr_expect_null(mt_codeobj_find_kernel(codeobj, "not_a_kernel"));
		cr_expect_null(mt_codeobj_find_kernel(codeobj, "helper"));
		cr_expect_null(mt_codeobj_find_kernel(codeobj, ""));
		cr_expect_eq(beta->entry_b - alpha->entry_b, 512);
		cr_expect_eq(alpha->shared_symbol_b, 100);
		cr_expect_eq(alpha->shared_reserved_b, 24);
		cr_expect_eq(alpha->immediate_count, 1); /* unsorted in the note */
		cr_expect_eq(alpha->immediates[0].values[0], 6);
		cr_expect_eq(codeobj->variable_count, 2);
		counter = mt_codeobj_find_variable(codeobj, "counter");
		table = mt_codeobj_find_variable(codeobj, "table");
		cr_assert(counter && table);
		cr_expect_eq(counter->size_b, 8);
		cr_expect_eq(table->size_b, 64);
		cr_expect_null(mt_codeobj_find_variable(codeobj, "alpha"));
		cr_expect_null(mt_codeobj_find_variable(codeobj, "llvm.musa.kernel.alpha.sm"));
		cr_expect_leq(table->offset_b + table->size_b, codeobj->image_size_b);
		cr_expect_eq(codeobj->image_align_b, 4096);
		mt_codeobj_destroy(codeobj);
		cob_free(&elf);
	}
}

/* The parts that only the mock's compiler writes. */
Test(codeobj_describe, mock_keys)
{
	char *with = cob_replace(sample_rich_metadata, "\".temp_reg_count\":3",
				 "\".mt_abi\":2,\".mt_max_threads\":256");
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;

	sample_rich_with(&elf, ET_DYN, 62, with);
	codeobj = sample_load(&elf, 900);
	cr_expect_eq(mt_codeobj_find_kernel(codeobj, "alpha")->abi, 2);
	cr_expect_eq(mt_codeobj_find_kernel(codeobj, "alpha")->max_threads, 256);
	cr_expect_eq(mt_codeobj_find_kernel(codeobj, "beta")->abi, 0);
	cr_expect_eq(mt_codeobj_find_kernel(codeobj, "beta")->max_threads, 0);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
	free(with);
}

/* Code for another version of the engine is refused, though it can be listed. */
Test(codeobj_describe, other_version_of_the_mock)
{
	char *with = cob_replace(sample_rich_metadata, "\".temp_reg_count\":3", "\".mt_abi\":3");
	struct mt_codeobj_container *container;
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj *codeobj = NULL;
	struct cob_buf elf = {0};

	sample_rich_with(&elf, ET_DYN, 62, with);
	cr_expect_eq(sample_try(&elf, 900, &why), MUSA_ERROR_NO_BINARY_FOR_GPU);
	cr_expect_str_eq(why.subject, "alpha");
	cr_assert_eq(mt_codeobj_container_open_memory(elf.data, 0, &container, NULL), MUSA_SUCCESS);
	cr_expect_eq(mt_codeobj_load_member(container, 0, &codeobj, NULL), MUSA_SUCCESS);
	mt_codeobj_destroy(codeobj);
	mt_codeobj_container_close(container);
	cob_free(&elf);
	free(with);
}

/* An unknown hidden input makes the kernel unusable, not its module. */
Test(codeobj_describe, unknown_hidden_kind)
{
	char *with = cob_replace(sample_rich_metadata, "\".kind\":9}", "\".kind\":31}");
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;

	sample_rich_with(&elf, ET_DYN, 62, with);
	codeobj = sample_load(&elf, 900);
	cr_expect_not_null(mt_codeobj_find_kernel(codeobj, "alpha")->unsupported);
	cr_expect_null(mt_codeobj_find_kernel(codeobj, "beta")->unsupported);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
	free(with);
}

/* A value of unknown type with less room than its size is passed by address. */
Test(codeobj_describe, unknown_type_is_narrowed)
{
	static const char *const maps[2] = {
		COB_ARG(18, 0, 3, 2, 40, 8, 99, "") "," COB_ARG(18, 0, 3, 4, 8, 8, 9, ""),
		COB_ARG(18, 0, 3, 2, 40, 8, 99, "") "," COB_ARG(18, 0, 3, 12, 8, 8, 9, ""),
	};

	for (int fits = 0; fits < 2; fits++) {
		char *desc = cob_format(COB_DESC("{\".name\":\"alpha\",\".arch_id\":900,\".args\":"
						 "[%s],\".shared_reg_count\":14,"
						 "\".shared_memory_size\":100}",
						 "2,2"),
					maps[fits]);
		struct cob_buf elf = {0};
		struct mt_codeobj *codeobj;

		sample_rich_with(&elf, ET_DYN, 62, desc);
		codeobj = sample_load(&elf, 900);
		cr_expect_eq(codeobj->kernels[0].args[0].indirect, !fits);
		cr_expect_eq(codeobj->kernels[0].args[0].word_count, fits ? 10 : 2);
		cr_expect_eq(codeobj->kernels[0].kernarg_size_b, fits ? 56 : 64 + 40);
		mt_codeobj_destroy(codeobj);
		cob_free(&elf);
		free(desc);
	}
}

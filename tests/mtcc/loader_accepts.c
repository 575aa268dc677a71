/* SPDX-License-Identifier: MIT */
/* The driver's strict loader takes what the compiler makes, and reads the same out of it. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "drv/codeobj.h"
#include "hw/softgpu/device_abi.h"

static struct mt_codeobj *load(const char *name)
{
	struct mt_codeobj_container *container;
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj *codeobj;
	char path[4096];

	cr_assert(snprintf(path, sizeof(path), "%s/%s.mtfb", KERNEL_FOLDER, name) <
		  (int)sizeof(path));
	cr_assert_eq(mt_codeobj_container_open_file(path, &container, &why), MUSA_SUCCESS, "%s: %s",
		     path, why.text);
	cr_assert_eq(mt_codeobj_container_count(container), 2);
	cr_assert_eq(mt_codeobj_load(container, 900, &codeobj, &why), MUSA_SUCCESS, "%s: %s", path,
		     why.text);
	mt_codeobj_container_close(container);
	return codeobj;
}

Test(mtcc_loader, every_test_kernel)
{
	static const char *const names[] = {"atomics",    "blocks",   "groups",       "math",
					    "parameters", "services", "small_floats", "warp"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct mt_codeobj *codeobj = load(names[i]);

		cr_assert(codeobj->linked && codeobj->machine == 62 && codeobj->arch_id == 900);
		cr_assert(codeobj->kernel_count > 0);
		for (uint32_t k = 0; k < codeobj->kernel_count; k++) {
			cr_expect(!codeobj->kernels[k].unsupported, "%s: %s",
				  codeobj->kernels[k].name, codeobj->kernels[k].unsupported);
			cr_expect(codeobj->kernels[k].abi == MT_DEV_ABI_VERSION && codeobj->kernels[k].code_size_b);
		}
		mt_codeobj_destroy(codeobj);
	}
}

/* A packed launch buffer is the C struct of the parameters. */
Test(mtcc_loader, packed_buffer)
{
	static const uint32_t packed[] = {0, 8, 16, 32, 48, 64, 152, 160, 192, 208, 240};
	struct mt_codeobj *codeobj = load("parameters");
	const struct mt_codeobj_kernel *kernel = mt_codeobj_find_kernel(codeobj, "structs");

	cr_assert(kernel && kernel->param_count == sizeof(packed) / sizeof(packed[0]));
	for (uint32_t i = 0; i < kernel->param_count; i++)
		cr_expect_eq(kernel->params[i].packed_b, packed[i], "%u: %u", i,
			     kernel->params[i].packed_b);
	cr_expect_eq(mt_codeobj_find_kernel(codeobj, "bounded")->max_threads, 192);
	mt_codeobj_destroy(codeobj);
}

Test(mtcc_loader, device_variables)
{
	struct mt_codeobj *codeobj = load("services");
	const struct mt_codeobj_variable *variable = mt_codeobj_find_variable(codeobj, "table");

	cr_assert(variable && variable->size_b == 16);
	cr_assert(mt_codeobj_find_variable(codeobj, "scale"), "__constant__");
	cr_assert(codeobj->reloc_count > 0, "the pointers among the variables");
	mt_codeobj_destroy(codeobj);
}

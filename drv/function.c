/* SPDX-License-Identifier: MIT */
/* Attributes of functions, and how many of their blocks a multiprocessor holds. */
#include "drv/attribute.h"
#include "drv/module.h"
#include "drv/module_internal.h"

MUresult mt_function_attribute(const struct mt_function *fn, int attribute, int *value_out)
{
	const struct mt_codeobj_kernel *kernel = fn->kernel;

	switch (attribute) {
	case MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value_out = (int)fn->max_threads;
		break;
	case MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		/* The kernel's own arrays where the object tells them from reserved words. */
		*value_out = (int)(kernel->shared_symbol_b ? kernel->shared_symbol_b
							   : fn->static_shared_b);
		break;
	case MU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
		*value_out = 0; /* constants are module variables, not the kernel's */
		break;
	case MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
		*value_out = (int)kernel->private_size_b;
		break;
	case MU_FUNC_ATTRIBUTE_NUM_REGS:
		*value_out = (int)kernel->temp_reg_count;
		break;
	case MU_FUNC_ATTRIBUTE_PTX_VERSION:
	case MU_FUNC_ATTRIBUTE_BINARY_VERSION:
		*value_out = (int)(kernel->arch_id / 10);
		break;
	case MU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
		*value_out = 0;
		break;
	case MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		*value_out = (int)fn->max_dynamic_shared_b;
		break;
	case MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		*value_out = fn->carveout;
		break;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
	return MUSA_SUCCESS;
}

MUresult mt_function_set_attribute(struct mt_function *fn, int attribute, int value)
{
	uint64_t limit_b = fn->module->ctx->hw->info.shared_block_b;

	switch (attribute) {
	case MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		if (value < 0 || (uint64_t)value + fn->static_shared_b > limit_b)
			return MUSA_ERROR_INVALID_VALUE;
		fn->max_dynamic_shared_b = (uint32_t)value;
		return MUSA_SUCCESS;
	case MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		if (value < -1 || value > 100)
			return MUSA_ERROR_INVALID_VALUE;
		fn->carveout = value;
		return MUSA_SUCCESS;
	default: /* the others are facts */
		return MUSA_ERROR_INVALID_VALUE;
	}
}

uint32_t mt_function_blocks_per_mp(const struct mt_function *fn, uint32_t threads,
				   uint64_t dynamic_shared_b)
{
	uint64_t limit_b = fn->module->ctx->hw->info.shared_block_b;
	uint64_t shared_b = fn->static_shared_b + dynamic_shared_b;
	uint64_t registers = (uint64_t)fn->kernel->temp_reg_count * threads;
	uint64_t blocks = MT_MAX_BLOCKS_PER_MP;
	int limit;

	if (!threads || threads > fn->max_threads || shared_b > limit_b)
		return 0;
	if (!mt_device_attribute(fn->device, MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
				 &limit) &&
	    (uint64_t)limit / threads < blocks)
		blocks = (uint64_t)limit / threads;
	if (registers &&
	    !mt_device_attribute(fn->device, MU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
				 &limit) &&
	    (uint64_t)limit / registers < blocks)
		blocks = (uint64_t)limit / registers;
	if (shared_b && limit_b / shared_b < blocks)
		blocks = limit_b / shared_b;
	return (uint32_t)blocks;
}

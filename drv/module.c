/* SPDX-License-Identifier: MIT */
/*
 * Modules: a code object placed in a context's memory, its functions and its variables. Parsing
 * is drv/codeobj's part, what the compiler's host code registers drv/register.c's.
 */
#include <string.h>

#include "drv/attribute.h"
#include "drv/command.h"
#include "drv/memory.h"
#include "drv/module_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"
#include "hw/base/log.h"

void mt_code_log(const char *what, const struct mt_codeobj_reason *why)
{
	if (why->text)
		mt_log(MT_LOG_ERROR, "%s refused: %s (%s %llu%s%s)", what, why->text,
		       why->unit ? why->unit : "byte", (unsigned long long)why->position,
		       why->subject[0] ? ", " : "", why->subject);
}

MUresult mt_code_load(struct mt_codeobj_container *container, uint32_t arch_id,
		      struct mt_code **code_out)
{
	struct mt_codeobj_reason why = {0};
	struct mt_code *code = mt_alloc(sizeof(*code));
	MUresult ret;

	if (!code)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_codeobj_load(container, arch_id, &code->obj, &why);
	if (ret) {
		mt_code_log("code object", &why);
		mt_free(code);
		return ret;
	}
	atomic_init(&code->refs, 1);
	*code_out = code;
	return MUSA_SUCCESS;
}

void mt_code_unref(struct mt_code *code)
{
	if (!code || atomic_fetch_sub_explicit(&code->refs, 1, memory_order_acq_rel) != 1)
		return;
	mt_codeobj_destroy(code->obj);
	mt_free(code);
}

static MUresult place_image(struct mt_module *module)
{
	const struct mt_codeobj *obj = module->code->obj;
	struct mt_hw_device *hw = module->ctx->hw;
	uint64_t align_b = obj->image_align_b ? obj->image_align_b : 1;
	uint64_t page_b = mt_hw_page_b(hw);
	uint64_t room_b;
	int error;

	if (!obj->image_size_b)
		return MUSA_SUCCESS;
	/* Buffer objects begin at pages; a larger alignment is made by moving inside. */
	room_b = align_b > page_b ? align_b - page_b : 0;
	if (__builtin_add_overflow(obj->image_size_b, room_b, &room_b))
		return MUSA_ERROR_OUT_OF_MEMORY;
	error = hw->ops->bo_create(hw, room_b, MT_HW_CODE, 0, &module->bo);
	if (!error)
		error = hw->ops->bo_map_cpu(module->bo);
	if (error)
		return mt_result_from_errno(hw, error);
	module->va = (module->bo->va + align_b - 1) & ~(align_b - 1);
	return mt_codeobj_relocate(obj, (char *)module->bo->cpu + (module->va - module->bo->va),
				   obj->image_size_b, module->va);
}

static void describe_function(struct mt_module *module, uint32_t index)
{
	const struct mt_codeobj_kernel *kernel = &module->code->obj->kernels[index];
	struct mt_function *fn = &module->functions[index];
	uint64_t limit_b = module->ctx->hw->info.shared_block_b;

	fn->module = module;
	fn->kernel = kernel;
	fn->name = kernel->name;
	fn->device = module->ctx->device;
	fn->code_va = module->va + kernel->entry_b;
	fn->args_b = kernel->kernarg_size_b;
	fn->static_shared_b = kernel->shared_size_b;
	fn->max_threads = kernel->max_threads && kernel->max_threads < MT_MAX_THREADS_PER_BLOCK
				  ? kernel->max_threads
				  : MT_MAX_THREADS_PER_BLOCK;
	fn->max_dynamic_shared_b =
		limit_b > kernel->shared_size_b ? (uint32_t)(limit_b - kernel->shared_size_b) : 0;
	fn->device_launch = kernel->graph_launch;
	fn->carveout = -1;
}

static MUresult add_variables(struct mt_module *module)
{
	const struct mt_codeobj *obj = module->code->obj;

	for (uint32_t i = 0; i < obj->variable_count; i++) {
		struct mt_mem_info info = {
			.base = module->va + obj->variables[i].offset_b,
			.size_b = obj->variables[i].size_b,
			.kind = MT_ALLOC_MODULE,
			.type = MT_MEM_DEVICE,
			.device = module->ctx->device,
			.owner = module,
		};
		MUresult ret = info.size_b ? mt_mem_add(&info) : MUSA_SUCCESS;

		if (ret)
			return ret;
		module->variable_count = i + 1;
	}
	return MUSA_SUCCESS;
}

static void remove_variables(struct mt_module *module)
{
	const struct mt_codeobj *obj = module->code->obj;

	while (module->variable_count) {
		const struct mt_codeobj_variable *variable =
			&obj->variables[--module->variable_count];

		if (variable->size_b)
			mt_mem_remove(module->va + variable->offset_b);
	}
}

MUresult mt_module_create(struct mt_ctx *ctx, struct mt_code *code, struct mt_module **module_out)
{
	const struct mt_codeobj *obj = code->obj;
	struct mt_module *module = mt_calloc(1, sizeof(*module));
	MUresult ret;

	if (!module)
		return MUSA_ERROR_OUT_OF_MEMORY;
	module->ctx = ctx;
	module->code = code;
	atomic_fetch_add_explicit(&code->refs, 1, memory_order_relaxed);
	ret = place_image(module);
	if (ret)
		goto fail;
	ret = MUSA_ERROR_OUT_OF_MEMORY;
	if (obj->kernel_count) {
		module->functions = mt_calloc(obj->kernel_count, sizeof(*module->functions));
		if (!module->functions)
			goto fail;
	}
	for (uint32_t i = 0; i < obj->kernel_count; i++)
		describe_function(module, i);
	module->handle = mt_handle_create(MT_HANDLE_MODULE, module);
	if (!module->handle)
		goto fail;
	ret = add_variables(module);
	if (ret)
		goto fail;
	pthread_mutex_lock(&ctx->lock);
	module->link = &ctx->modules;
	module->next = ctx->modules;
	if (module->next)
		module->next->link = &module->next;
	ctx->modules = module;
	pthread_mutex_unlock(&ctx->lock);
	*module_out = module;
	return MUSA_SUCCESS;

fail:
	mt_module_destroy(module);
	return ret;
}

void mt_module_destroy(struct mt_module *module)
{
	struct mt_ctx *ctx;

	if (!module)
		return;
	ctx = module->ctx;
	remove_variables(module);
	if (module->handle)
		mt_handle_destroy(module->handle);
	pthread_mutex_lock(&ctx->lock);
	if (module->link) {
		*module->link = module->next;
		if (module->next)
			module->next->link = module->link;
	}
	pthread_mutex_unlock(&ctx->lock);
	for (uint32_t i = 0; module->functions && i < module->code->obj->kernel_count; i++)
		if (module->functions[i].handle)
			mt_handle_destroy(module->functions[i].handle);
	mt_free(module->functions);
	if (module->bo)
		ctx->hw->ops->bo_destroy(module->bo);
	mt_code_unref(module->code);
	mt_free(module);
}

void mt_modules_finish(struct mt_ctx *ctx)
{
	while (ctx->modules)
		mt_module_destroy(ctx->modules);
}

static MUresult load_container(struct mt_ctx *ctx, struct mt_codeobj_container *container,
			       uint64_t *module_out)
{
	struct mt_module *module;
	struct mt_code *code;
	MUresult ret;

	ret = mt_code_load(container, ctx->hw->info.arch_id, &code);
	mt_codeobj_container_close(container);
	if (ret)
		return ret;
	ret = mt_module_create(ctx, code, &module);
	mt_code_unref(code);
	if (!ret)
		*module_out = module->handle;
	return ret;
}

MUresult mt_module_load_data(struct mt_ctx *ctx, const void *image, uint64_t *module_out)
{
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj_container *container;
	MUresult ret;

	*module_out = 0;
	if (!image)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_codeobj_container_open_memory(image, 0, &container, &why);
	if (ret) {
		mt_code_log("module image", &why);
		return ret;
	}
	return load_container(ctx, container, module_out);
}

MUresult mt_module_load_file(struct mt_ctx *ctx, const char *path, uint64_t *module_out)
{
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj_container *container;
	MUresult ret;

	*module_out = 0;
	if (!path)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_codeobj_container_open_file(path, &container, &why);
	if (ret) {
		mt_code_log("module file", &why);
		return ret;
	}
	return load_container(ctx, container, module_out);
}

static MUresult get_module(uint64_t handle, struct mt_module **module_out)
{
	*module_out = mt_handle_get(handle, MT_HANDLE_MODULE);
	return *module_out ? MUSA_SUCCESS : MUSA_ERROR_INVALID_HANDLE;
}

MUresult mt_module_unload(uint64_t handle)
{
	struct mt_module *module;
	MUresult ret = get_module(handle, &module);

	if (ret)
		return ret;
	/* Kernels of it may be running; after a device failure none is. */
	mt_ctx_wait_idle(module->ctx);
	mt_module_destroy(module);
	return MUSA_SUCCESS;
}

static MUresult need_handle(struct mt_function *fn)
{
	struct mt_ctx *ctx = fn->module->ctx;
	MUresult ret = MUSA_SUCCESS;

	if (fn->kernel->unsupported || fn->args_b > MT_COMMAND_KERNARG_MAX) {
		mt_log(MT_LOG_ERROR, "kernel %s cannot be launched: %s", fn->name,
		       fn->kernel->unsupported ? fn->kernel->unsupported
					       : "its arguments are too large");
		return MUSA_ERROR_NOT_SUPPORTED;
	}
	pthread_mutex_lock(&ctx->lock);
	if (!fn->handle)
		fn->handle = mt_handle_create(MT_HANDLE_FUNCTION, fn);
	if (!fn->handle)
		ret = MUSA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_unlock(&ctx->lock);
	return ret;
}

MUresult mt_module_find_function(struct mt_module *module, const char *name,
				 struct mt_function **fn_out)
{
	const struct mt_codeobj *obj = module->code->obj;
	const struct mt_codeobj_kernel *kernel = mt_codeobj_find_kernel(obj, name);
	struct mt_function *fn;
	MUresult ret;

	if (!kernel)
		return MUSA_ERROR_NOT_FOUND;
	fn = &module->functions[kernel - obj->kernels];
	ret = need_handle(fn);
	if (!ret)
		*fn_out = fn;
	return ret;
}

MUresult mt_module_find_variable(struct mt_module *module, const char *name,
				 struct mt_variable *variable_out)
{
	const struct mt_codeobj_variable *variable =
		mt_codeobj_find_variable(module->code->obj, name);

	if (!variable)
		return MUSA_ERROR_NOT_FOUND;
	variable_out->name = variable->name;
	variable_out->va = module->va + variable->offset_b;
	variable_out->size_b = variable->size_b;
	return MUSA_SUCCESS;
}

MUresult mt_module_function(uint64_t handle, const char *name, struct mt_function **fn_out)
{
	struct mt_module *module;
	MUresult ret = get_module(handle, &module);

	if (!ret && !name)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_module_find_function(module, name, fn_out);
}

MUresult mt_module_variable(uint64_t handle, const char *name, struct mt_variable *variable_out)
{
	struct mt_module *module;
	MUresult ret = get_module(handle, &module);

	if (!ret && !name)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_module_find_variable(module, name, variable_out);
}

MUresult mt_module_function_count(uint64_t handle, unsigned int *count_out)
{
	struct mt_module *module;
	MUresult ret = get_module(handle, &module);

	if (!ret)
		*count_out = module->code->obj->kernel_count;
	return ret;
}

MUresult mt_module_functions(uint64_t handle, uint64_t *functions, unsigned int count)
{
	struct mt_module *module;
	MUresult ret = get_module(handle, &module);

	for (uint32_t i = 0; !ret && i < count && i < module->code->obj->kernel_count; i++) {
		ret = need_handle(&module->functions[i]);
		functions[i] = module->functions[i].handle;
	}
	return ret;
}

MUresult mt_function_get(uint64_t handle, struct mt_function **fn_out)
{
	struct mt_function *fn = mt_handle_get(handle, MT_HANDLE_FUNCTION);

	if (!fn)
		return MUSA_ERROR_INVALID_HANDLE;
	*fn_out = fn;
	return MUSA_SUCCESS;
}

uint64_t mt_module_of(const struct mt_function *fn)
{
	return fn->module->handle;
}

const struct mt_codeobj *mt_function_code(const struct mt_function *fn)
{
	return fn->module->code->obj;
}

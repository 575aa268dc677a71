/* SPDX-License-Identifier: MIT */
/* Libraries: code objects that belong to no context, and the kernels named in them. */
#include <string.h>

#include "drv/module_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"

/* Code for every architecture among the devices; the first failure counts if there is none at all.
 */
static MUresult load_code(struct mt_binary *library, struct mt_codeobj_container *container)
{
	MUresult first = MUSA_ERROR_NO_BINARY_FOR_GPU;
	bool any = false;

	for (uint32_t i = 0; i < mt_device_count(); i++) {
		uint32_t arch_id = mt_device_get(i)->info.arch_id;
		struct mt_code *code = NULL;
		MUresult ret;

		for (uint32_t j = 0; j < i && !code; j++)
			if (mt_device_get(j)->info.arch_id == arch_id)
				code = library->at[j].code;
		if (code) {
			atomic_fetch_add_explicit(&code->refs, 1, memory_order_relaxed);
			ret = MUSA_SUCCESS;
		} else {
			ret = mt_code_load(container, arch_id, &code);
		}
		if (!ret)
			library->at[i].code = code;
		else if (!i || ret != MUSA_ERROR_NO_BINARY_FOR_GPU)
			first = ret;
		any |= !ret;
	}
	return any ? MUSA_SUCCESS : first;
}

static const struct mt_codeobj *any_object(const struct mt_binary *library)
{
	for (uint32_t i = 0; i < MT_DEVICES_MAX; i++)
		if (library->at[i].code)
			return library->at[i].code->obj;
	return NULL;
}

static MUresult load_library(struct mt_codeobj_container *container, uint64_t *library_out)
{
	struct mt_binary *library;
	MUresult ret = mt_binary_create(NULL, &library);

	if (!ret) {
		ret = load_code(library, container);
		if (!ret) {
			library->handle = mt_handle_create(MT_HANDLE_LIBRARY, library);
			ret = library->handle ? MUSA_SUCCESS : MUSA_ERROR_OUT_OF_MEMORY;
		}
		if (ret)
			mt_binary_destroy(library);
		else
			*library_out = library->handle;
	}
	mt_codeobj_container_close(container);
	return ret;
}

MUresult mt_library_load_data(const void *image, uint64_t *library_out)
{
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj_container *container;
	MUresult ret;

	if (!image)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_codeobj_container_open_memory(image, 0, &container, &why);
	if (ret) {
		mt_code_log("library image", &why);
		return ret;
	}
	return load_library(container, library_out);
}

MUresult mt_library_load_file(const char *path, uint64_t *library_out)
{
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj_container *container;
	MUresult ret;

	if (!path)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_codeobj_container_open_file(path, &container, &why);
	if (ret) {
		mt_code_log("library file", &why);
		return ret;
	}
	return load_library(container, library_out);
}

static MUresult get_library(uint64_t handle, struct mt_binary **library_out)
{
	*library_out = mt_handle_get(handle, MT_HANDLE_LIBRARY);
	return *library_out ? MUSA_SUCCESS : MUSA_ERROR_INVALID_HANDLE;
}

MUresult mt_library_unload(uint64_t handle)
{
	struct mt_binary *library;
	MUresult ret = get_library(handle, &library);

	if (ret)
		return ret;
	mt_handle_destroy(handle);
	mt_binary_wait_idle(library);
	mt_binary_destroy(library);
	return MUSA_SUCCESS;
}

/* The entry of a kernel, with its handle, made when first asked for. The library is locked. */
static MUresult need_entry(struct mt_binary *library, const char *name, uint64_t *kernel_out)
{
	struct mt_entry *entry;
	MUresult ret;

	for (entry = library->entries; entry; entry = entry->next)
		if (!strcmp(entry->name, name))
			break;
	if (!entry) {
		ret = mt_binary_add_entry(library, NULL, name, &entry);
		if (ret)
			return ret;
	}
	if (!entry->handle)
		entry->handle = mt_handle_create(MT_HANDLE_KERNEL, entry);
	*kernel_out = entry->handle;
	return entry->handle ? MUSA_SUCCESS : MUSA_ERROR_OUT_OF_MEMORY;
}

MUresult mt_library_kernel(uint64_t handle, const char *name, uint64_t *kernel_out)
{
	struct mt_binary *library;
	MUresult ret = get_library(handle, &library);

	if (ret)
		return ret;
	if (!name)
		return MUSA_ERROR_INVALID_VALUE;
	if (!mt_codeobj_find_kernel(any_object(library), name))
		return MUSA_ERROR_NOT_FOUND;
	pthread_mutex_lock(&library->lock);
	ret = need_entry(library, name, kernel_out);
	pthread_mutex_unlock(&library->lock);
	return ret;
}

MUresult mt_library_kernel_count(uint64_t handle, unsigned int *count_out)
{
	struct mt_binary *library;
	MUresult ret = get_library(handle, &library);

	if (!ret)
		*count_out = any_object(library)->kernel_count;
	return ret;
}

MUresult mt_library_kernels(uint64_t handle, uint64_t *kernels, unsigned int count)
{
	struct mt_binary *library;
	const struct mt_codeobj *obj;
	MUresult ret = get_library(handle, &library);

	if (ret)
		return ret;
	obj = any_object(library);
	pthread_mutex_lock(&library->lock);
	for (uint32_t i = 0; !ret && i < count && i < obj->kernel_count; i++)
		ret = need_entry(library, obj->kernels[i].name, &kernels[i]);
	pthread_mutex_unlock(&library->lock);
	return ret;
}

MUresult mt_library_variable(struct mt_ctx *ctx, uint64_t handle, const char *name,
			     struct mt_variable *variable_out)
{
	struct mt_binary *library;
	struct mt_module *module;
	MUresult ret = get_library(handle, &library);

	if (!ret && !name)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_binary_module(library, ctx, &module);
	return ret ? ret : mt_module_find_variable(module, name, variable_out);
}

MUresult mt_library_module(struct mt_ctx *ctx, uint64_t handle, uint64_t *module_out)
{
	struct mt_binary *library;
	struct mt_module *module;
	MUresult ret = get_library(handle, &library);

	if (!ret)
		ret = mt_binary_module(library, ctx, &module);
	if (!ret)
		*module_out = module->handle;
	return ret;
}

MUresult mt_kernel_name(uint64_t kernel, const char **name_out)
{
	struct mt_entry *entry = mt_handle_get(kernel, MT_HANDLE_KERNEL);

	if (!entry)
		return MUSA_ERROR_INVALID_HANDLE;
	*name_out = entry->name;
	return MUSA_SUCCESS;
}

MUresult mt_kernel_library(uint64_t kernel, uint64_t *library_out)
{
	struct mt_entry *entry = mt_handle_get(kernel, MT_HANDLE_KERNEL);

	if (!entry)
		return MUSA_ERROR_INVALID_HANDLE;
	*library_out = entry->binary->handle;
	return MUSA_SUCCESS;
}

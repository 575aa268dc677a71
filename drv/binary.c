/* SPDX-License-Identifier: MIT */
/*
 * Binaries: device code that belongs to the process, and its modules in the contexts. Registered
 * fat binaries and libraries are both of this kind.
 */
#include <string.h>

#include "drv/module_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mt_binary *binaries; /* guarded by list_lock */

MUresult mt_binary_create(const void *image, struct mt_binary **binary_out)
{
	struct mt_binary *binary = mt_calloc(1, sizeof(*binary));

	if (!binary)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (pthread_mutex_init(&binary->lock, NULL)) {
		mt_free(binary);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	binary->image = image;
	pthread_mutex_lock(&list_lock);
	binary->link = &binaries;
	binary->next = binaries;
	if (binary->next)
		binary->next->link = &binary->next;
	binaries = binary;
	pthread_mutex_unlock(&list_lock);
	*binary_out = binary;
	return MUSA_SUCCESS;
}

void mt_binary_destroy(struct mt_binary *binary)
{
	struct mt_entry *entry;

	pthread_mutex_lock(&list_lock);
	*binary->link = binary->next;
	if (binary->next)
		binary->next->link = binary->link;
	pthread_mutex_unlock(&list_lock);
	while ((entry = binary->entries)) {
		binary->entries = entry->next;
		if (entry->handle)
			mt_handle_destroy(entry->handle);
		mt_free(entry->name);
		mt_free(entry);
	}
	for (uint32_t i = 0; i < MT_DEVICES_MAX; i++) {
		mt_module_destroy(binary->at[i].module);
		mt_code_unref(binary->at[i].code);
	}
	pthread_mutex_destroy(&binary->lock);
	mt_free(binary);
}

MUresult mt_binary_add_entry(struct mt_binary *binary, const void *key, const char *name,
			     struct mt_entry **entry_out)
{
	struct mt_entry *entry = mt_calloc(1, sizeof(*entry));

	if (!entry)
		return MUSA_ERROR_OUT_OF_MEMORY;
	entry->name = mt_strdup(name);
	if (!entry->name) {
		mt_free(entry);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	entry->key = key;
	entry->binary = binary;
	entry->next = binary->entries;
	binary->entries = entry;
	*entry_out = entry;
	return MUSA_SUCCESS;
}

/* The code for a device: another device's of the same architecture, or from the image. */
static MUresult need_code(struct mt_binary *binary, const struct mt_ctx *ctx)
{
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj_container *container;
	MUresult ret;

	if (binary->at[ctx->device].code)
		return MUSA_SUCCESS;
	for (uint32_t i = 0; i < mt_device_count(); i++) {
		struct mt_code *code = binary->at[i].code;

		if (!code || mt_device_get(i)->info.arch_id != ctx->hw->info.arch_id)
			continue;
		atomic_fetch_add_explicit(&code->refs, 1, memory_order_relaxed);
		binary->at[ctx->device].code = code;
		return MUSA_SUCCESS;
	}
	if (!binary->image)
		return MUSA_ERROR_NO_BINARY_FOR_GPU;
	ret = mt_codeobj_container_open_memory(binary->image, MT_CODEOBJ_OPEN_ANY_WRAPPER,
					       &container, &why);
	if (ret) {
		mt_code_log("registered code", &why);
		return ret;
	}
	ret = mt_code_load(container, ctx->hw->info.arch_id, &binary->at[ctx->device].code);
	mt_codeobj_container_close(container);
	return ret;
}

MUresult mt_binary_module(struct mt_binary *binary, struct mt_ctx *ctx,
			  struct mt_module **module_out)
{
	MUresult ret;

	pthread_mutex_lock(&binary->lock);
	ret = binary->at[ctx->device].failed;
	if (!ret && !binary->at[ctx->device].module) {
		ret = need_code(binary, ctx);
		/* An image does not get better by trying again; memory may. */
		if (ret == MUSA_ERROR_INVALID_IMAGE || ret == MUSA_ERROR_NO_BINARY_FOR_GPU)
			binary->at[ctx->device].failed = ret;
		if (!ret)
			ret = mt_module_create(ctx, binary->at[ctx->device].code,
					       &binary->at[ctx->device].module);
	}
	if (!ret)
		*module_out = binary->at[ctx->device].module;
	pthread_mutex_unlock(&binary->lock);
	return ret;
}

MUresult mt_entry_function(struct mt_entry *entry, struct mt_ctx *ctx, struct mt_function **fn_out)
{
	struct mt_module *module;
	MUresult ret;

	*fn_out = atomic_load_explicit(&entry->fn[ctx->device], memory_order_acquire);
	if (__builtin_expect(*fn_out != NULL, 1))
		return MUSA_SUCCESS;
	ret = mt_binary_module(entry->binary, ctx, &module);
	if (!ret)
		ret = mt_module_find_function(module, entry->name, fn_out);
	if (ret)
		return ret;
	atomic_store_explicit(&(*fn_out)->stub,
			      entry->key ? entry->key : (const void *)(uintptr_t)entry->handle,
			      memory_order_relaxed);
	atomic_store_explicit(&entry->fn[ctx->device], *fn_out, memory_order_release);
	return MUSA_SUCCESS;
}

void mt_binaries_forget(struct mt_ctx *ctx)
{
	pthread_mutex_lock(&list_lock);
	for (struct mt_binary *binary = binaries; binary; binary = binary->next) {
		pthread_mutex_lock(&binary->lock);
		binary->at[ctx->device].module = NULL;
		for (struct mt_entry *entry = binary->entries; entry; entry = entry->next)
			atomic_store_explicit(&entry->fn[ctx->device], NULL, memory_order_release);
		pthread_mutex_unlock(&binary->lock);
	}
	pthread_mutex_unlock(&list_lock);
}

void mt_binary_wait_idle(struct mt_binary *binary)
{
	for (uint32_t i = 0; i < MT_DEVICES_MAX; i++)
		if (binary->at[i].module)
			mt_ctx_wait_idle(binary->at[i].module->ctx);
}

void mt_binary_leave_busy(struct mt_binary *binary)
{
	pthread_mutex_lock(&binary->lock);
	for (uint32_t i = 0; i < MT_DEVICES_MAX; i++)
		if (binary->at[i].module && !mt_ctx_idle(binary->at[i].module->ctx))
			binary->at[i].module = NULL;
	pthread_mutex_unlock(&binary->lock);
}

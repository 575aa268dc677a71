/* SPDX-License-Identifier: MIT */
/*
 * The device words behind conditional handles: pages of 32-bit words in memory that kernels, command
 * processors and the host reach. A word is counted, because execs outlive their graph.
 */
#include <pthread.h>
#include <string.h>

#include "graph/conditional_words.h"
#include "hw/base/alloc.h"

#define WORDS_PER_PAGE 1024u
#define PAGE_B         (WORDS_PER_PAGE * sizeof(uint32_t))

struct page {
	struct page *next;
	struct mt_hw_bo *bo; /* owned */
	uint32_t device;
	uint32_t used;       /* words with references */
	uint32_t refs[WORDS_PER_PAGE];
	struct mt_cond_handle *handles[WORDS_PER_PAGE]; /* borrowed; NULL once the graph has gone */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct page *pages; /* owned; guarded by lock */

/* Under the lock: the page of an address that may be anything, and the word's index there. */
static struct page *find_page(uint64_t va, uint32_t *index_out)
{
	struct page *page;

	for (page = pages; page; page = page->next) {
		if (va - page->bo->va < PAGE_B) {
			*index_out = (uint32_t)((va - page->bo->va) / sizeof(uint32_t));
			return va % sizeof(uint32_t) ? NULL : page;
		}
	}
	return NULL;
}

/* Under the lock. */
static MUresult add_page(struct mt_ctx *ctx, struct page **page_out)
{
	struct page *page = mt_calloc(1, sizeof(*page));
	int error;

	if (!page)
		return MUSA_ERROR_OUT_OF_MEMORY;
	error = ctx->hw->ops->bo_create(ctx->hw, PAGE_B, MT_HW_HOST, MT_HW_BO_ZERO, &page->bo);
	if (error) {
		mt_free(page);
		return mt_result_from_errno(ctx->hw, error);
	}
	page->device = ctx->device;
	page->next = pages;
	pages = page;
	*page_out = page;
	return MUSA_SUCCESS;
}

static struct page *find_room(uint32_t device)
{
	struct page *page;

	for (page = pages; page; page = page->next)
		if (page->device == device && page->used < WORDS_PER_PAGE)
			return page;
	return NULL;
}

MUresult mt_cond_word_alloc(struct mt_ctx *ctx, struct mt_cond_handle *handle, uint64_t *va_out)
{
	MUresult ret = MUSA_SUCCESS;
	struct page *page;
	uint32_t i;

	pthread_mutex_lock(&lock);
	page = find_room(ctx->device);
	if (!page)
		ret = add_page(ctx, &page);
	if (!ret) {
		for (i = 0; page->refs[i]; i++)
			;
		page->refs[i] = 1;
		page->used++;
		page->handles[i] = handle;
		((uint32_t *)page->bo->cpu)[i] = 0;
		*va_out = page->bo->va + i * sizeof(uint32_t);
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

struct mt_cond_handle *mt_cond_word_handle(uint64_t va)
{
	struct mt_cond_handle *handle = NULL;
	struct page *page;
	uint32_t i;

	pthread_mutex_lock(&lock);
	page = find_page(va, &i);
	if (page && page->refs[i])
		handle = page->handles[i];
	pthread_mutex_unlock(&lock);
	return handle;
}

void mt_cond_word_forget(uint64_t va)
{
	struct page *page;
	uint32_t i;

	pthread_mutex_lock(&lock);
	page = find_page(va, &i);
	if (page)
		page->handles[i] = NULL;
	pthread_mutex_unlock(&lock);
}

void mt_cond_word_ref(uint64_t va)
{
	struct page *page;
	uint32_t i;

	pthread_mutex_lock(&lock);
	page = find_page(va, &i);
	if (page && page->refs[i])
		page->refs[i]++;
	pthread_mutex_unlock(&lock);
}

void mt_cond_word_unref(uint64_t va)
{
	struct page *page;
	uint32_t i;

	pthread_mutex_lock(&lock);
	page = find_page(va, &i);
	if (page && page->refs[i] && !--page->refs[i])
		page->used--;
	pthread_mutex_unlock(&lock);
}

void mt_cond_words_finish(struct mt_ctx *ctx)
{
	struct page **link = &pages, *page;

	pthread_mutex_lock(&lock);
	while ((page = *link)) {
		if (page->device != ctx->device) {
			link = &page->next;
			continue;
		}
		*link = page->next;
		ctx->hw->ops->bo_destroy(page->bo);
		mt_free(page);
	}
	pthread_mutex_unlock(&lock);
}

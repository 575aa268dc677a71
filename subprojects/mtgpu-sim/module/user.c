// SPDX-License-Identifier: GPL-2.0
/*
 * Pinned pages of the calling process.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "mtgpu.h"

int mtgpu_pin(u64 address, u64 size, bool write, struct page ***pages_out, u32 *count_out)
{
	u64 start = address & PAGE_MASK, end = PAGE_ALIGN(address + size), count;
	unsigned int flags = FOLL_LONGTERM | (write ? FOLL_WRITE : 0);
	struct page **pages;
	u32 done = 0;
	int ret;

	if (!size || address + size < address || end < start)
		return -EINVAL;
	if (!access_ok(u64_to_user_ptr(address), size))
		return -EFAULT;
	count = (end - start) >> PAGE_SHIFT;
	if (count > totalram_pages())
		return -ENOMEM;
	pages = kvmalloc_array(count, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	while (done < count) {
		ret = pin_user_pages_fast(start + ((u64)done << PAGE_SHIFT),
					  min_t(u64, count - done, INT_MAX), flags, pages + done);
		if (ret <= 0) {
			mtgpu_unpin(pages, done, false);
			return ret ? ret : -EFAULT;
		}
		done += ret;
	}
	*pages_out = pages;
	*count_out = count;
	return 0;
}

void mtgpu_unpin(struct page **pages, u32 count, bool dirty)
{
	unpin_user_pages_dirty_lock(pages, count, dirty);
	kvfree(pages);
}

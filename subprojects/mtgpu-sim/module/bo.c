// SPDX-License-Identifier: GPL-2.0
/*
 * Buffer objects: all of them are arrays of pages that stay in memory.
 */
#include <drm/drm_drv.h>
#include <drm/drm_prime.h>
#include <linux/dma-buf.h>
#include <linux/highmem.h>
#include <linux/log2.h>
#include <linux/pagemap.h>
#include <linux/random.h>
#include <linux/shmem_fs.h>

#include "mtgpu.h"

#define FLAGS_GPU_CACHE                                                                     \
	(MTGPU_BO_FLAGS_GPU_CACHED | MTGPU_BO_FLAGS_GPU_UNCACHED | MTGPU_BO_FLAGS_GPU_UNCACHED_WC)
#define FLAGS_CPU_CACHE                                                                     \
	(MTGPU_BO_FLAGS_CPU_CACHED | MTGPU_BO_FLAGS_CPU_UNCACHED | MTGPU_BO_FLAGS_CPU_UNCACHED_WC)
#define FLAGS_ALL    (0x3ffffull | MTGPU_BO_USAGE_DISPLAY)
#define DOMAINS_ALL  (MTGPU_BO_DOMAIN_CPU | MTGPU_BO_DOMAIN_GTT | MTGPU_BO_DOMAIN_VRAM)
#define ALIGN_MAX    (1ull << 30)
#define POISON       0xa5
#define POISON_B     64 /* of each page: enough to catch who takes memory for zero */

/* Objects that have a global handle; the array's own lock orders it against their end. */
static DEFINE_XARRAY_ALLOC1(globals);
static DEFINE_MUTEX(export_lock); /* one index per object */
static u32 global_cookie; /* upper half of handles, so that they are not small numbers */

static const struct drm_gem_object_funcs bo_funcs;

static vm_fault_t fault(struct vm_fault *vmf)
{
	struct drm_gem_object *obj = vmf->vma->vm_private_data;
	struct mtgpu_bo *bo = to_mtgpu_bo(obj);
	/* The core has taken the object's place among mmap offsets off vm_pgoff. */
	pgoff_t page = vmf->pgoff - drm_vma_node_start(&obj->vma_node);
	vm_fault_t ret = VM_FAULT_SIGBUS;
	int cookie;

	if (!drm_dev_enter(obj->dev, &cookie))
		return VM_FAULT_SIGBUS;
	if (vmf->pgoff < drm_vma_node_start(&obj->vma_node))
		page = vmf->pgoff; /* mapped through a dma-buf */
	if (page < obj->size >> PAGE_SHIFT)
		ret = vmf_insert_pfn(vmf->vma, vmf->address, page_to_pfn(bo->pages[page]));
	drm_dev_exit(cookie);
	return ret;
}

static const struct vm_operations_struct bo_vm_ops = {
	.fault = fault,
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
};

static int bo_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct mtgpu_bo *bo = to_mtgpu_bo(obj);

	if (bo->kind == MTGPU_BO_USER || !(vma->vm_flags & VM_SHARED) ||
	    !(bo->flags & (MTGPU_BO_FLAGS_CPU_READABLE | MTGPU_BO_FLAGS_CPU_WRITEABLE)))
		return -EACCES;
	if (!(bo->flags & MTGPU_BO_FLAGS_CPU_WRITEABLE)) {
		if (vma->vm_flags & VM_WRITE)
			return -EACCES;
		vma->vm_flags &= ~VM_MAYWRITE;
	}
	vma->vm_flags |= VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP | VM_IO;
	vma->vm_ops = &bo_vm_ops;
	return 0;
}

static void bo_free(struct drm_gem_object *obj)
{
	struct mtgpu_bo *bo = to_mtgpu_bo(obj);

	if (bo->global)
		xa_erase(&globals, bo->global);
	if (bo->charged)
		atomic64_sub(obj->size, bo->charged);
	if (bo->kind != MTGPU_BO_ALIAS)
		mtgpu_chunk_free(bo->chunk);
	switch (bo->kind) {
	case MTGPU_BO_PLAIN:
		if (bo->pages)
			drm_gem_put_pages(obj, bo->pages, false, false);
		break;
	case MTGPU_BO_USER:
		if (bo->pages)
			mtgpu_unpin(bo->pages, obj->size >> PAGE_SHIFT, bo->writable);
		break;
	case MTGPU_BO_IMPORT:
		kvfree(bo->pages);
		if (obj->import_attach)
			drm_prime_gem_destroy(obj, bo->sgt);
		break;
	case MTGPU_BO_ALIAS:
		mtgpu_bo_put(bo->origin);
		break;
	}
	atomic_dec(&to_mtgpu(obj->dev)->objects);
	drm_gem_object_release(obj);
	kfree(bo);
}

static struct sg_table *bo_sg_table(struct drm_gem_object *obj)
{
	return drm_prime_pages_to_sg(obj->dev, to_mtgpu_bo(obj)->pages, obj->size >> PAGE_SHIFT);
}

static struct dma_buf *bo_export(struct drm_gem_object *obj, int flags)
{
	if (to_mtgpu_bo(obj)->kind == MTGPU_BO_USER)
		return ERR_PTR(-EINVAL);
	return drm_gem_prime_export(obj, flags);
}

static const struct drm_gem_object_funcs bo_funcs = {
	.free = bo_free,
	.export = bo_export,
	.get_sg_table = bo_sg_table,
	.mmap = bo_mmap,
	.vm_ops = &bo_vm_ops,
};

void mtgpu_bo_put(struct mtgpu_bo *bo)
{
	drm_gem_object_put(&bo->base);
}

struct mtgpu_bo *mtgpu_bo_find(struct drm_file *filp, u32 handle)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(filp, handle);

	return obj ? to_mtgpu_bo(obj) : NULL;
}

/* An object without pages; it goes with its last reference. */
static struct mtgpu_bo *alloc_bo(struct drm_device *drm, enum mtgpu_bo_kind kind, u64 size)
{
	struct mtgpu_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL);

	if (!bo)
		return NULL;
	bo->kind = kind;
	bo->base.funcs = &bo_funcs;
	drm_gem_private_object_init(drm, &bo->base, size);
	atomic_inc(&to_mtgpu(drm)->objects);
	return bo;
}

static int charge(struct mtgpu_device *device, struct mtgpu_bo *bo, u64 size)
{
	u64 limit = (u64)mtgpu_vram_mb << 20;

	bo->charged = &device->system_used;
	if (bo->domain & MTGPU_BO_DOMAIN_VRAM)
		bo->charged = &device->vram_used;
	else
		limit = (u64)totalram_pages() << PAGE_SHIFT;
	if (size > limit || atomic64_add_return(size, bo->charged) > limit) {
		if (size <= limit)
			atomic64_sub(size, bo->charged);
		bo->charged = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* Pages of shmem are zero; who did not ask for zero shall not rely on it. */
static void spoil(struct mtgpu_bo *bo)
{
	u32 i, count = bo->base.size >> PAGE_SHIFT;

	if (bo->flags & MTGPU_BO_FLAGS_ZERO_ON_ALLOC)
		return;
	for (i = 0; i < count; i++)
		memset(page_address(bo->pages[i]), POISON, POISON_B);
}

struct mtgpu_bo *mtgpu_bo_new(struct mtgpu_device *device, u64 size, u64 flags, u32 domain)
{
	struct page **pages;
	struct mtgpu_bo *bo;
	struct file *filp;

	size = round_up(size, 1ull << mtgpu_page_shift);
	bo = alloc_bo(&device->drm, MTGPU_BO_PLAIN, size);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->flags = flags;
	bo->domain = domain;
	bo->writable = true;
	if (charge(device, bo, size)) {
		mtgpu_bo_put(bo);
		return ERR_PTR(-ENOMEM);
	}
	filp = shmem_file_setup("mtgpu", size, VM_NORESERVE);
	if (IS_ERR(filp)) {
		mtgpu_bo_put(bo);
		return ERR_CAST(filp);
	}
	bo->base.filp = filp;
	/* Running out is the caller's trouble, not a reason to kill somebody. */
	mapping_set_gfp_mask(bo->base.filp->f_mapping,
			     GFP_USER | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	pages = drm_gem_get_pages(&bo->base);
	if (IS_ERR(pages)) {
		mtgpu_bo_put(bo);
		return ERR_CAST(pages);
	}
	bo->pages = pages;
	spoil(bo);
	return bo;
}

struct mtgpu_bo *mtgpu_bo_alias(struct mtgpu_device *device, struct mtgpu_bo *origin)
{
	struct mtgpu_bo *bo = alloc_bo(&device->drm, MTGPU_BO_ALIAS, origin->base.size);

	if (!bo)
		return ERR_PTR(-ENOMEM);
	drm_gem_object_get(&origin->base);
	bo->origin = origin;
	bo->pages = origin->pages;
	bo->flags = origin->flags;
	bo->align = origin->align;
	bo->domain = origin->domain;
	bo->writable = origin->writable;
	bo->chunk = origin->chunk;
	return bo;
}

/* What comes from another device, of this module or of any. */
struct drm_gem_object *mtgpu_prime_import(struct drm_device *drm, struct dma_buf_attachment *attach,
					  struct sg_table *sgt)
{
	u64 size = PAGE_ALIGN(attach->dmabuf->size);
	struct mtgpu_bo *bo = alloc_bo(drm, MTGPU_BO_IMPORT, size);
	int ret;

	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->flags = MTGPU_BO_FLAGS_GPU_READABLE | MTGPU_BO_FLAGS_GPU_WRITEABLE |
		    MTGPU_BO_FLAGS_CPU_READABLE | MTGPU_BO_FLAGS_CPU_WRITEABLE;
	bo->domain = MTGPU_BO_DOMAIN_GTT;
	bo->writable = true;
	bo->sgt = sgt;
	bo->pages = kvmalloc_array(size >> PAGE_SHIFT, sizeof(*bo->pages), GFP_KERNEL);
	ret = bo->pages ? drm_prime_sg_to_page_array(sgt, bo->pages, size >> PAGE_SHIFT) : -ENOMEM;
	if (ret) {
		mtgpu_bo_put(bo);
		return ERR_PTR(ret);
	}
	return &bo->base;
}

/* Gives the object to the file and drops the caller's reference. */
static int publish(struct drm_file *filp, struct mtgpu_bo *bo, u32 *handle)
{
	int ret = drm_gem_handle_create(filp, &bo->base, handle);

	mtgpu_bo_put(bo);
	return ret;
}

int mtgpu_ioctl_bo_create(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_bo_create *args = data;
	struct mtgpu_bo *bo;

	if (!args->in.size || args->in.size > S64_MAX / 2 || args->in.flags & ~FLAGS_ALL ||
	    !args->in.domains || args->in.domains & ~DOMAINS_ALL || args->in.group_id ||
	    hweight64(args->in.flags & FLAGS_GPU_CACHE) > 1 ||
	    hweight64(args->in.flags & FLAGS_CPU_CACHE) > 1 ||
	    (args->in.align && (!is_power_of_2(args->in.align) || args->in.align > ALIGN_MAX)))
		return -EINVAL;
	bo = mtgpu_bo_new(to_mtgpu(drm), args->in.size, args->in.flags, args->in.domains);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	bo->align = args->in.align ? args->in.align : 1ull << mtgpu_page_shift;
	args->out.pad = 0;
	return publish(filp, bo, &args->out.bo_handle);
}

int mtgpu_ioctl_bo_mmap_offset(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_bo_get_mmap_offset *args = data;
	struct mtgpu_bo *bo = args->in.pad ? NULL : mtgpu_bo_find(filp, args->in.bo_handle);
	int ret = -EINVAL;

	if (!bo)
		return ret;
	if (bo->kind != MTGPU_BO_USER) {
		ret = drm_gem_create_mmap_offset(&bo->base);
		args->out.offset = drm_vma_node_offset_addr(&bo->base.vma_node);
	}
	mtgpu_bo_put(bo);
	return ret;
}

int mtgpu_ioctl_bo_userptr(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_bo_from_userptr *args = data;
	struct mtgpu_bo *bo;
	u32 count;
	int ret;

	if (args->in.pad || args->in.flags & ~MTGPU_BUFFER_ACCESS_FLAG_WRITE || !args->in.size ||
	    !PAGE_ALIGNED(args->in.userptr) || !PAGE_ALIGNED(args->in.size))
		return -EINVAL;
	bo = alloc_bo(drm, MTGPU_BO_USER, args->in.size);
	if (!bo)
		return -ENOMEM;
	bo->writable = args->in.flags & MTGPU_BUFFER_ACCESS_FLAG_WRITE;
	bo->flags = MTGPU_BO_FLAGS_GPU_READABLE | (bo->writable ? MTGPU_BO_FLAGS_GPU_WRITEABLE : 0);
	bo->align = PAGE_SIZE;
	bo->domain = MTGPU_BO_DOMAIN_CPU;
	ret = mtgpu_pin(args->in.userptr, args->in.size, bo->writable, &bo->pages, &count);
	if (ret) {
		mtgpu_bo_put(bo);
		return ret;
	}
	args->out.pad = 0;
	return publish(filp, bo, &args->out.bo_handle);
}

int mtgpu_ioctl_bo_export(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_bo_global_handle_export *args = data;
	struct mtgpu_bo *bo = args->in.pad ? NULL : mtgpu_bo_find(filp, args->in.bo_handle);
	int ret = 0;

	if (!bo)
		return -EINVAL;
	if (bo->kind == MTGPU_BO_USER) {
		ret = -EINVAL;
		goto put_bo;
	}
	mutex_lock(&export_lock);
	if (!global_cookie)
		global_cookie = get_random_u32() | 1;
	if (!bo->global)
		ret = xa_alloc(&globals, &bo->global, bo, xa_limit_31b, GFP_KERNEL);
	args->out.global_handle = (u64)global_cookie << 32 | bo->global;
	mutex_unlock(&export_lock);
put_bo:
	mtgpu_bo_put(bo);
	return ret;
}

static struct mtgpu_bo *find_global(u64 handle)
{
	struct mtgpu_bo *bo = NULL;

	xa_lock(&globals);
	if (handle >> 32 && handle >> 32 == global_cookie)
		bo = xa_load(&globals, (u32)handle);
	if (bo && !kref_get_unless_zero(&bo->base.refcount))
		bo = NULL;
	xa_unlock(&globals);
	return bo;
}

int mtgpu_ioctl_bo_import(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_bo_global_handle_import *args = data;
	struct mtgpu_bo *bo = find_global(args->in.global_handle), *alias;

	if (!bo)
		return -EINVAL;
	if (bo->base.dev != drm) {
		alias = mtgpu_bo_alias(to_mtgpu(drm), bo);
		mtgpu_bo_put(bo);
		if (IS_ERR(alias))
			return PTR_ERR(alias);
		bo = alias;
	}
	args->out.size = bo->base.size;
	args->out.pad = 0;
	return publish(filp, bo, &args->out.bo_handle);
}

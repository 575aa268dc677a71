// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/mtgpu-sim: how a process plays the card. The protocol stands in mtgpu_sim.h.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "mtgpu.h"

#define ACCESS_PIECE_B 65536

enum role { ROLE_NONE, ROLE_SERVER, ROLE_VM };

struct peer {
	enum role role;
	struct mtgpu_vm *vm; /* owned reference */
};

/* All under mtgpu_lock. */
static struct peer *server;
static LIST_HEAD(server_events);
static DECLARE_WAIT_QUEUE_HEAD(server_readable);

static struct mtgpu_event *new_event(u32 kind, u32 id, u64 a, u64 b, u64 c)
{
	struct mtgpu_event *event = kmalloc(sizeof(*event), GFP_KERNEL);

	if (event)
		event->wire = (struct mtgpu_sim_event){ kind, id, a, b, c };
	return event;
}

void mtgpu_sim_events_drop(struct list_head *events)
{
	struct mtgpu_event *event, *next;

	list_for_each_entry_safe(event, next, events, link) {
		list_del(&event->link);
		kfree(event);
	}
}

int mtgpu_sim_vm_created(struct mtgpu_vm *vm)
{
	struct mtgpu_event *event;

	if (!server)
		return -ENODEV;
	event = new_event(MTGPU_SIM_VM_CREATE, vm->id, task_tgid_nr(current), vm->device->index, 0);
	if (!event)
		return -ENOMEM;
	list_add_tail(&event->link, &server_events);
	wake_up_all(&server_readable);
	return 0;
}

void mtgpu_sim_post(struct mtgpu_vm *vm, u32 kind, u32 id, u64 a, u64 b, u64 c)
{
	struct mtgpu_event *event;

	if (!mtgpu_generation->packets || vm->lost || vm->closed)
		return;
	event = new_event(kind, id, a, b, c);
	if (!event) {
		mtgpu_vm_stop(vm, "no memory for an event");
		return;
	}
	list_add_tail(&event->link, &vm->events);
	wake_up_all(&vm->readable);
}

void mtgpu_sim_kill(struct mtgpu_vm *vm)
{
	if (vm->pid)
		kill_pid(vm->pid, SIGKILL, 1);
}

static int sim_open(struct inode *inode, struct file *filp)
{
	filp->private_data = kzalloc(sizeof(struct peer), GFP_KERNEL);
	return filp->private_data ? 0 : -ENOMEM;
}

static void detach(struct mtgpu_vm *vm)
{
	mtgpu_vm_stop(vm, "the process that plays the card has gone");
	put_pid(vm->pid);
	vm->pid = NULL;
	vm->attached = false;
}

/* Address spaces that nobody has taken up yet will not be. */
static void stop_serving(void)
{
	struct mtgpu_vm *vm;
	unsigned long index;

	server = NULL;
	mtgpu_sim_events_drop(&server_events);
	xa_for_each(&mtgpu_vms, index, vm)
		if (!vm->attached)
			mtgpu_vm_stop(vm, "the server has gone");
}

static int sim_release(struct inode *inode, struct file *filp)
{
	struct peer *peer = filp->private_data;

	mutex_lock(&mtgpu_lock);
	if (peer->role == ROLE_VM)
		detach(peer->vm);
	if (peer->role == ROLE_SERVER)
		stop_serving();
	mutex_unlock(&mtgpu_lock);
	wake_up_all(&mtgpu_wait_queue);
	if (peer->vm)
		mtgpu_vm_put(peer->vm);
	kfree(peer);
	return 0;
}

/* The next event; NULL: none. end_out: there will be none. */
static struct mtgpu_event *take_event(struct peer *peer, bool *end_out)
{
	struct list_head *events = peer->role == ROLE_SERVER ? &server_events : &peer->vm->events;
	struct mtgpu_event *event;

	mutex_lock(&mtgpu_lock);
	if (peer->vm)
		peer->vm->heard = jiffies;
	*end_out = peer->vm && (peer->vm->closed || peer->vm->lost);
	event = *end_out ? NULL : list_first_entry_or_null(events, struct mtgpu_event, link);
	if (event)
		list_del(&event->link);
	mutex_unlock(&mtgpu_lock);
	return event;
}

static bool is_readable(struct peer *peer)
{
	if (peer->role == ROLE_SERVER)
		return !list_empty(&server_events);
	return READ_ONCE(peer->vm->closed) || READ_ONCE(peer->vm->lost) ||
	       !list_empty(&peer->vm->events);
}

static wait_queue_head_t *readable_of(struct peer *peer)
{
	return peer->role == ROLE_SERVER ? &server_readable : &peer->vm->readable;
}

static ssize_t sim_read(struct file *filp, char __user *to, size_t size, loff_t *offset)
{
	struct peer *peer = filp->private_data;
	struct mtgpu_event *event;
	ssize_t done = 0;
	bool end;
	int ret;

	if (peer->role == ROLE_NONE || size < sizeof(event->wire))
		return -EINVAL;
	while (size - done >= sizeof(event->wire)) {
		event = take_event(peer, &end);
		if (event) {
			ret = copy_to_user(to + done, &event->wire, sizeof(event->wire));
			kfree(event);
			if (ret)
				return -EFAULT;
			done += sizeof(event->wire);
			continue;
		}
		if (done || end)
			break;
		if (filp->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(*readable_of(peer), is_readable(peer));
		if (ret)
			return ret;
	}
	return done;
}

static __poll_t sim_poll(struct file *filp, poll_table *table)
{
	struct peer *peer = filp->private_data;

	if (peer->role == ROLE_NONE)
		return EPOLLERR;
	poll_wait(filp, readable_of(peer), table);
	return is_readable(peer) ? EPOLLIN | EPOLLRDNORM : 0;
}

static void map_open(struct vm_area_struct *vma)
{
	drm_gem_object_get(vma->vm_private_data);
}

static void map_close(struct vm_area_struct *vma)
{
	drm_gem_object_put(vma->vm_private_data);
}

static vm_fault_t map_fault(struct vm_fault *vmf)
{
	struct mtgpu_bo *bo = to_mtgpu_bo(vmf->vma->vm_private_data);
	u64 page = (vmf->address - vmf->vma->vm_start) >> PAGE_SHIFT;

	if (page >= bo->base.size >> PAGE_SHIFT)
		return VM_FAULT_SIGBUS;
	return vmf_insert_pfn(vmf->vma, vmf->address, page_to_pfn(bo->pages[page]));
}

/* Splitting would lose the distance from the object's start. */
static int map_split(struct vm_area_struct *vma, unsigned long address)
{
	return -EINVAL;
}

static const struct vm_operations_struct map_ops = {
	.open = map_open,
	.close = map_close,
	.fault = map_fault,
	.may_split = map_split,
};

static int sim_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct peer *peer = filp->private_data;
	u64 va = (u64)vma->vm_pgoff << PAGE_SHIFT, size = vma->vm_end - vma->vm_start;
	struct mtgpu_mapping *mapping;
	int ret = -EINVAL;

	if (peer->role != ROLE_VM || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	mutex_lock(&mtgpu_lock);
	mapping = mtgpu_vm_mapping(peer->vm, va);
	if (mapping && mapping->node.start == va && size <= mapping->node.size)
		ret = 0;
	if (!ret && !mapping->bo->writable) {
		if (vma->vm_flags & VM_WRITE)
			ret = -EACCES;
		vma->vm_flags &= ~VM_MAYWRITE;
	}
	if (!ret) {
		drm_gem_object_get(&mapping->bo->base);
		vma->vm_private_data = &mapping->bo->base;
	}
	mutex_unlock(&mtgpu_lock);
	if (ret)
		return ret;
	vma->vm_flags |= VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY | VM_IO;
	vma->vm_ops = &map_ops;
	return 0;
}

static long serve(struct peer *peer, const struct mtgpu_sim_serve *args)
{
	if (args->version != MTGPU_SIM_VERSION || args->pad || peer->role != ROLE_NONE)
		return -EINVAL;
	if (server)
		return -EBUSY;
	server = peer;
	peer->role = ROLE_SERVER;
	return 0;
}

static long attach(struct peer *peer, const struct mtgpu_sim_attach *args)
{
	struct mtgpu_vm *vm = args->pad ? NULL : xa_load(&mtgpu_vms, args->id);

	if (!vm || peer->role != ROLE_NONE)
		return -EINVAL;
	if (vm->attached || vm->lost)
		return -EBUSY;
	kref_get(&vm->ref);
	vm->attached = true;
	vm->pid = get_pid(task_tgid(current));
	vm->heard = jiffies;
	peer->vm = vm;
	peer->role = ROLE_VM;
	if (vm->device->inject != MTGPU_SIM_INJECT_NONE)
		mtgpu_sim_post(vm, MTGPU_SIM_INJECT, vm->device->inject,
			       vm->device->inject_argument, 0, 0);
	return 0;
}

static long complete_jobs(struct mtgpu_vm *vm, const struct mtgpu_sim_complete *args)
{
	struct mtgpu_context *context = xa_load(&mtgpu_contexts, args->id);

	if (args->pad)
		return -EINVAL;
	/* The client may have given the queue up meanwhile. */
	if (context && context->vm == vm && !context->dead)
		mtgpu_jobs_complete(context, args->number);
	return 0;
}

static long notify(struct mtgpu_vm *vm)
{
	vm->heard = jiffies;
	wake_up_all(&mtgpu_wait_queue);
	mtgpu_jobs_kick();
	return 0;
}

/* Pages of the client one by one: what it may not touch itself the card may not touch either. */
static int access_page(struct mm_struct *mm, u64 va, void *data, u32 size, bool write)
{
	struct page *page;
	int ret;

	mmap_read_lock(mm);
	ret = get_user_pages_remote(mm, va, 1, write ? FOLL_WRITE : 0, &page, NULL, NULL);
	mmap_read_unlock(mm);
	if (ret != 1)
		return -EFAULT;
	if (write) {
		memcpy(page_address(page) + offset_in_page(va), data, size);
		set_page_dirty_lock(page);
	} else {
		memcpy(data, page_address(page) + offset_in_page(va), size);
	}
	put_page(page);
	return 0;
}

static int access_piece(struct mm_struct *mm, u64 va, u8 *data, u64 size, bool write)
{
	u64 done = 0, part;
	int ret = 0;

	for (; done < size && !ret; done += part) {
		part = min_t(u64, size - done, PAGE_SIZE - offset_in_page(va + done));
		ret = access_page(mm, va + done, data + done, part, write);
	}
	return ret;
}

static long host_access(struct mtgpu_vm *vm, const struct mtgpu_sim_host_access *args)
{
	u64 done, piece;
	u8 *bounce;
	int ret = 0;

	if (args->pad || args->write > 1 || args->client_va + args->size < args->client_va)
		return -EINVAL;
	if (!mmget_not_zero(vm->client))
		return -EFAULT;
	bounce = kvmalloc(ACCESS_PIECE_B, GFP_KERNEL);
	if (!bounce)
		ret = -ENOMEM;
	for (done = 0; done < args->size && !ret; done += piece) {
		piece = min_t(u64, args->size - done, ACCESS_PIECE_B);
		if (args->write && copy_from_user(bounce, u64_to_user_ptr(args->local_va + done), piece))
			ret = -EFAULT;
		if (!ret)
			ret = access_piece(vm->client, args->client_va + done, bounce, piece,
					   args->write);
		if (!ret && !args->write &&
		    copy_to_user(u64_to_user_ptr(args->local_va + done), bounce, piece))
			ret = -EFAULT;
		cond_resched();
	}
	kvfree(bounce);
	/* The last one out unmaps, and may not wait for us: hence not here. */
	mmput_async(vm->client);
	return ret;
}

static long sim_ioctl(struct file *filp, unsigned int command, unsigned long argument)
{
	struct peer *peer = filp->private_data;
	union {
		struct mtgpu_sim_serve serve;
		struct mtgpu_sim_attach attach;
		struct mtgpu_sim_complete complete;
		struct mtgpu_sim_stop stop;
		struct mtgpu_sim_host_access access;
	} args;
	long ret = 0;

	if (_IOC_SIZE(command) > sizeof(args))
		return -ENOTTY;
	if (copy_from_user(&args, (const void __user *)argument, _IOC_SIZE(command)))
		return -EFAULT;
	if (peer->role != ROLE_VM && command != MTGPU_SIM_IOCTL_SERVE &&
	    command != MTGPU_SIM_IOCTL_ATTACH)
		return -EINVAL;
	if (command == MTGPU_SIM_IOCTL_HOST_ACCESS)
		return host_access(peer->vm, &args.access);
	mutex_lock(&mtgpu_lock);
	switch (command) {
	case MTGPU_SIM_IOCTL_SERVE:
		ret = serve(peer, &args.serve);
		break;
	case MTGPU_SIM_IOCTL_ATTACH:
		ret = attach(peer, &args.attach);
		break;
	case MTGPU_SIM_IOCTL_COMPLETE:
		ret = complete_jobs(peer->vm, &args.complete);
		break;
	case MTGPU_SIM_IOCTL_STOP:
		args.stop.reason[sizeof(args.stop.reason) - 1] = 0;
		mtgpu_vm_stop(peer->vm, args.stop.reason);
		break;
	case MTGPU_SIM_IOCTL_UNMAPPED:
		peer->vm->unmapped++;
		wake_up_all(&mtgpu_wait_queue);
		break;
	case MTGPU_SIM_IOCTL_NOTIFY:
		ret = notify(peer->vm);
		break;
	default:
		ret = -ENOTTY;
		break;
	}
	mutex_unlock(&mtgpu_lock);
	return ret;
}

static const struct file_operations sim_fops = {
	.owner = THIS_MODULE,
	.open = sim_open,
	.release = sim_release,
	.read = sim_read,
	.poll = sim_poll,
	.mmap = sim_mmap,
	.unlocked_ioctl = sim_ioctl,
	.llseek = no_llseek,
};

static struct miscdevice sim_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "mtgpu-sim",
	.fops = &sim_fops,
	.mode = 0600,
};

int mtgpu_sim_init(void)
{
	return misc_register(&sim_device);
}

void mtgpu_sim_finish(void)
{
	misc_deregister(&sim_device);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Queues and their jobs: a job waits until its checks are met and its predecessor has started, goes
 * to the card or to the DMA worker, and raises its updates when it has completed.
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "mtgpu.h"

#define PRIORITY_MAX 15
#define FLAGS_ALL                                                                            \
	(MTGPU_SUBMISSION_FLAGS_DISABLE_HWR | MTGPU_SUBMISSION_FLAGS_ERROR_PAUSE |           \
	 MTGPU_SUBMISSION_FLAGS_USER_PAUSE)

DEFINE_XARRAY_ALLOC1(mtgpu_contexts);

/* Looks again at values that somebody may have written to memory. */
static void look_again(struct work_struct *work);
static DECLARE_DELAYED_WORK(look_work, look_again);

static void release(struct kref *ref)
{
	struct mtgpu_context *context = container_of(ref, struct mtgpu_context, ref);

	mtgpu_vm_put(context->vm);
	kfree(context);
}

void mtgpu_context_put(struct mtgpu_context *context)
{
	kref_put(&context->ref, release);
}

static void free_job(struct mtgpu_job *job)
{
	mtgpu_waits_put(job->checks, job->check_count);
	mtgpu_waits_put(job->updates, job->update_count);
	mtgpu_dma_free(job->copies, job->copy_count);
	kfree(job);
}

static bool is_dma(const struct mtgpu_context *context)
{
	return context->type == MTGPU_SUBMISSION_DMA;
}

/* Its jobs are dropped; the one that the DMA worker has is dropped by the worker. */
void mtgpu_context_kill(struct mtgpu_context *context)
{
	struct mtgpu_job *job, *next;

	if (context->dead)
		return;
	context->dead = true;
	list_for_each_entry_safe(job, next, &context->pending, link) {
		list_del(&job->link);
		free_job(job);
	}
	context->pending_count = 0;
	wake_up_all(&mtgpu_wait_queue);
	if (is_dma(context))
		return;
	context->vm->running -= context->running_count;
	context->running_count = 0;
	list_for_each_entry_safe(job, next, &context->running, link) {
		list_del(&job->link);
		free_job(job);
	}
}

static bool checks_met(const struct mtgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->check_count; i++)
		if (mtgpu_semaphore_value(job->checks[i].semaphore) < job->checks[i].value)
			return false;
	return true;
}

static void start(struct mtgpu_context *context, struct mtgpu_job *job)
{
	list_move_tail(&job->link, &context->running);
	context->pending_count--;
	context->running_count++;
	if (is_dma(context)) {
		kref_get(&context->ref);
		queue_work(system_unbound_wq, &context->dma);
		return;
	}
	context->vm->running++;
	context->vm->heard = jiffies;
	mtgpu_sim_post(context->vm, MTGPU_SIM_JOB, context->id, job->va, job->size, job->number);
}

/* True if the first job waits for a value. */
static bool kick(struct mtgpu_context *context)
{
	u32 limit = is_dma(context) ? 1 : MTGPU_IN_FLIGHT_MAX;
	struct mtgpu_job *job;

	while (!context->dead && context->running_count < limit) {
		job = list_first_entry_or_null(&context->pending, struct mtgpu_job, link);
		if (!job)
			return false;
		if (!checks_met(job))
			return true;
		start(context, job);
	}
	return false;
}

void mtgpu_jobs_kick(void)
{
	struct mtgpu_context *context;
	unsigned long index;
	bool waits = false;

	xa_for_each(&mtgpu_contexts, index, context)
		waits |= kick(context);
	if (waits)
		schedule_delayed_work(&look_work, 1);
}

static void look_again(struct work_struct *work)
{
	mutex_lock(&mtgpu_lock);
	mtgpu_jobs_kick();
	mutex_unlock(&mtgpu_lock);
}

void mtgpu_jobs_complete(struct mtgpu_context *context, u64 number)
{
	struct mtgpu_job *job;
	u32 i;

	/* Raising a value may, without memory for an event, stop the whole address space. */
	while ((job = list_first_entry_or_null(&context->running, struct mtgpu_job, link)) &&
	       job->number <= number) {
		list_del(&job->link);
		context->running_count--;
		if (!is_dma(context))
			context->vm->running--;
		for (i = 0; i < job->update_count; i++)
			mtgpu_semaphore_raise(job->updates[i].semaphore, job->updates[i].value);
		free_job(job);
	}
	wake_up_all(&mtgpu_wait_queue);
	mtgpu_jobs_kick();
}

/* The DMA worker is done with its job. */
void mtgpu_jobs_dma_done(struct mtgpu_context *context, struct mtgpu_job *job)
{
	if (!context->dead) {
		mtgpu_jobs_complete(context, job->number);
		return;
	}
	list_del(&job->link);
	context->running_count--;
	free_job(job);
}

void mtgpu_jobs_finish(void)
{
	cancel_delayed_work_sync(&look_work);
}

static int check_type(u32 type)
{
	if (type >= MTGPU_SUBMISSION_INVALID)
		return -EINVAL;
	if (type == MTGPU_SUBMISSION_DMA)
		return 0;
	if (type == MTGPU_SUBMISSION_GPU_COMPUTE_STREAM && mtgpu_generation->packets)
		return 0;
	return -EOPNOTSUPP;
}

static int publish(struct mtgpu_file *file, struct mtgpu_context *context, u64 vm_handle,
		   u32 priority, u32 *handle)
{
	struct mtgpu_vm *vm = mtgpu_vm_find(file, vm_handle);
	int ret;

	if (!vm)
		return -EINVAL;
	if (vm->lost)
		return -EIO;
	ret = xa_alloc(&mtgpu_contexts, &context->id, context, xa_limit_31b, GFP_KERNEL);
	if (ret)
		return ret;
	ret = xa_alloc(&file->contexts, handle, context, xa_limit_31b, GFP_KERNEL);
	if (ret) {
		xa_erase(&mtgpu_contexts, context->id);
		return ret;
	}
	kref_get(&vm->ref);
	context->vm = vm;
	list_add_tail(&context->link, &vm->contexts);
	if (!is_dma(context))
		mtgpu_sim_post(vm, MTGPU_SIM_QUEUE_CREATE, context->id, priority, 0, 0);
	return 0;
}

int mtgpu_ioctl_job_context_create(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_job_context_create *args = data;
	struct mtgpu_context *context;
	u32 handle;
	int ret;

	ret = check_type(args->in.type);
	if (ret)
		return ret;
	if (args->in.priority > PRIORITY_MAX)
		return -EINVAL;
	context = kzalloc(sizeof(*context), GFP_KERNEL);
	if (!context)
		return -ENOMEM;
	kref_init(&context->ref);
	context->type = args->in.type;
	INIT_LIST_HEAD(&context->pending);
	INIT_LIST_HEAD(&context->running);
	INIT_WORK(&context->dma, mtgpu_dma_run);
	mutex_lock(&mtgpu_lock);
	ret = publish(filp->driver_priv, context, args->in.vm_ctx_handle, args->in.priority,
		      &handle);
	mutex_unlock(&mtgpu_lock);
	if (ret) {
		kfree(context);
		return ret;
	}
	args->out.ctx_handle = handle;
	return 0;
}

/* Under mtgpu_lock: the queue is nobody's any more. */
void mtgpu_context_close(struct mtgpu_context *context)
{
	mtgpu_context_kill(context);
	if (!is_dma(context))
		mtgpu_sim_post(context->vm, MTGPU_SIM_QUEUE_DESTROY, context->id, 0, 0, 0);
	xa_erase(&mtgpu_contexts, context->id);
	list_del_init(&context->link);
}

int mtgpu_ioctl_job_context_destroy(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_job_context_destroy *args = data;
	struct mtgpu_file *file = filp->driver_priv;
	struct mtgpu_context *context = NULL;

	mutex_lock(&mtgpu_lock);
	if (args->ctx_handle <= U32_MAX)
		context = xa_erase(&file->contexts, args->ctx_handle);
	if (context)
		mtgpu_context_close(context);
	mutex_unlock(&mtgpu_lock);
	if (!context)
		return -EINVAL;
	flush_work(&context->dma);
	mtgpu_context_put(context);
	return 0;
}

static struct mtgpu_context *find_context(struct mtgpu_file *file, u64 handle)
{
	struct mtgpu_context *context = NULL;

	mutex_lock(&mtgpu_lock);
	if (handle <= U32_MAX)
		context = xa_load(&file->contexts, handle);
	if (context)
		kref_get(&context->ref);
	mutex_unlock(&mtgpu_lock);
	return context;
}

static int read_job(struct drm_file *filp, struct mtgpu_context *context,
		    const struct drm_mtgpu_job_submit_v3 *args, struct mtgpu_job *job)
{
	struct mtgpu_file *file = filp->driver_priv;
	int ret;

	job->va = args->in.submission_va;
	job->size = args->in.submission_size;
	ret = mtgpu_waits_read(&file->semaphores, args->in.check_semaphores,
			       args->in.check_semaphore_count, job->checks);
	if (ret)
		return ret;
	job->check_count = args->in.check_semaphore_count;
	ret = mtgpu_waits_read(&file->semaphores, args->in.update_semaphores,
			       args->in.update_semaphore_count, job->updates);
	if (ret)
		return ret;
	job->update_count = args->in.update_semaphore_count;
	if (is_dma(context))
		return mtgpu_dma_read(filp, job, job->va, job->size);
	return 0;
}

/* The card reads the job where it lies. */
static bool is_mapped(struct mtgpu_vm *vm, const struct mtgpu_job *job)
{
	struct mtgpu_mapping *mapping = mtgpu_vm_mapping(vm, job->va);

	return job->size && !(job->va & 7) && mapping &&
	       job->size <= mapping->node.size - (job->va - mapping->node.start);
}

static int append(struct mtgpu_context *context, struct mtgpu_job *job, u64 *number_out)
{
	if (context->dead)
		return context->vm->lost ? -EIO : -EINVAL;
	if (!is_dma(context) && !is_mapped(context->vm, job))
		return -EINVAL;
	if (context->pending_count >= MTGPU_PENDING_MAX)
		return -EBUSY;
	job->number = ++context->submitted;
	*number_out = job->number;
	list_add_tail(&job->link, &context->pending);
	context->pending_count++;
	mtgpu_jobs_kick();
	return 0;
}

static bool has_room(struct mtgpu_context *context)
{
	return READ_ONCE(context->dead) || READ_ONCE(context->pending_count) < MTGPU_PENDING_MAX;
}

static int submit(struct mtgpu_context *context, struct mtgpu_job *job, u64 *number_out)
{
	int ret;

	for (;;) {
		mutex_lock(&mtgpu_lock);
		ret = append(context, job, number_out);
		mutex_unlock(&mtgpu_lock);
		if (ret != -EBUSY)
			return ret;
		ret = wait_event_interruptible(mtgpu_wait_queue, has_room(context));
		if (ret)
			return ret;
	}
}

int mtgpu_ioctl_job_submit(struct drm_device *drm, void *data, struct drm_file *filp)
{
	struct drm_mtgpu_job_submit_v3 *args = data;
	struct mtgpu_context *context;
	struct mtgpu_job *job;
	int ret;

	if (args->in.pad1 || args->in.pad2 || args->in.submission_flags & ~FLAGS_ALL ||
	    args->in.check_semaphore_count > MTGPU_CHECKS_MAX ||
	    args->in.update_semaphore_count > MTGPU_UPDATES_MAX)
		return -EINVAL;
	context = find_context(filp->driver_priv, args->in.job_ctx_handle);
	if (!context)
		return -EINVAL;
	job = kzalloc(sizeof(*job), GFP_KERNEL);
	ret = job ? read_job(filp, context, args, job) : -ENOMEM;
	if (!ret)
		ret = submit(context, job, &args->out.data);
	if (ret && job)
		free_job(job);
	mtgpu_context_put(context);
	return ret;
}

/* SPDX-License-Identifier: MIT */
/* The fake kernel's semaphores, job contexts and DMA jobs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "fake_internal.h"

#define CHUNK_B 4096u
#define LOOK_NS 1000000 /* the card writes values without a word */

static struct fake_job *pending, **pending_end = &pending;

/* --- semaphores ---------------------------------------------------------------------------------
 */

struct fake_semaphore *fake_semaphore_get(struct fake_file *file, uint64_t handle)
{
	struct fake_semaphore *semaphore;

	for (semaphore = file->semaphores; semaphore && semaphore->handle != handle;)
		semaphore = semaphore->next;
	return semaphore;
}

_Atomic uint64_t *fake_semaphore_word(const struct fake_semaphore *semaphore)
{
	return (_Atomic uint64_t *)(void *)(semaphore->object->cpu + semaphore->offset_b);
}

static void add_semaphore(struct fake_file *file, struct fake_object *object, uint64_t offset_b,
			  struct fake_semaphore **semaphore_out)
{
	struct fake_semaphore *semaphore = calloc(1, sizeof(*semaphore));

	object->refs++;
	semaphore->handle = fake_new_handle();
	semaphore->object = object;
	semaphore->offset_b = offset_b;
	semaphore->file = file;
	semaphore->next = file->semaphores;
	file->semaphores = semaphore;
	fake_live.semaphores++;
	*semaphore_out = semaphore;
}

static int semaphore_create(struct fake_file *file, struct drm_mtgpu_semaphore_create *args)
{
	struct fake_semaphore *semaphore;

	if (!file->sem_chunk || file->sem_used_b == CHUNK_B) {
		file->sem_chunk = fake_object_create(file->card, CHUNK_B, MTGPU_BO_DOMAIN_GTT);
		if (fake_handle_add(file, file->sem_chunk, &file->sem_chunk_handle))
			return ENOMEM;
		file->sem_used_b = 0;
	}
	add_semaphore(file, file->sem_chunk, file->sem_used_b, &semaphore);
	file->sem_used_b += file->card->config->semaphore_stride;
	args->out.handle = semaphore->handle;
	args->out.bo_handle = file->sem_chunk_handle;
	args->out.value_offset = semaphore->offset_b;
	args->out.gpu_address = 0xe000000000 + semaphore->offset_b;
	return 0;
}

static void drop_semaphore(struct fake_semaphore *semaphore)
{
	struct fake_semaphore **link = &semaphore->file->semaphores;

	while (*link != semaphore)
		link = &(*link)->next;
	*link = semaphore->next;
	fake_object_unref(semaphore->object);
	free(semaphore);
	fake_live.semaphores--;
}

void fake_file_drop_semaphores(struct fake_file *file)
{
	while (file->semaphores)
		drop_semaphore(file->semaphores);
}

static int semaphore_destroy(struct fake_file *file, const struct drm_mtgpu_semaphore_destroy *args)
{
	struct fake_semaphore *semaphore = fake_semaphore_get(file, args->handle);

	if (!semaphore)
		return EINVAL;
	drop_semaphore(semaphore);
	return 0;
}

static int semaphore_export(struct fake_file *file, struct drm_mtgpu_semaphore_export_fd *args)
{
	struct fake_semaphore *semaphore = fake_semaphore_get(file, args->in.semaphore.handle);

	if (!semaphore)
		return EINVAL;
	return fake_export_add(semaphore->object, semaphore->offset_b, true, &args->out.fd);
}

static int semaphore_import(struct fake_file *file, struct drm_mtgpu_semaphore_import_fd *args)
{
	struct fake_export *export = fake_export_get(args->in.fd, true);
	struct fake_semaphore *semaphore;
	uint32_t handle = 0;

	if (!export || args->in.pad || !fake_vm_get(file, args->in.vm_ctx_handle))
		return EINVAL;
	for (uint32_t i = 1; i < FAKE_HANDLES && !handle; i++)
		if (file->handles[i] == export->object)
			handle = i;
	if (!handle) {
		export->object->refs++;
		if (fake_handle_add(file, export->object, &handle))
			return ENOMEM;
	}
	add_semaphore(file, export->object, export->offset_b, &semaphore);
	args->out.semaphore.handle = semaphore->handle;
	args->out.semaphore.value = *fake_semaphore_word(semaphore);
	args->out.bo_handle = handle;
	args->out.value_offset = semaphore->offset_b;
	return 0;
}

/* Handles are looked up anew each time: they may go while somebody waits. */
static int look(struct fake_file *file, const struct drm_mtgpu_semaphore_wait *args)
{
	const struct drm_mtgpu_semaphore *list = (const void *)(uintptr_t)args->in.semaphores;
	struct fake_semaphore *semaphore;

	if (file->card->lost || (file->vms && file->vms->stopped))
		return EIO;
	for (uint32_t i = 0; i < args->in.count; i++) {
		semaphore = fake_semaphore_get(file, list[i].handle);
		if (!semaphore)
			return EINVAL;
		if (*fake_semaphore_word(semaphore) < list[i].value)
			return EAGAIN;
	}
	return 0;
}

static int semaphore_wait(struct fake_file *file, const struct drm_mtgpu_semaphore_wait *args)
{
	struct timespec now, next;
	int64_t left_ns = (int64_t)args->in.timeout_ns;
	int error;

	if (!args->in.count || args->in.pad || !args->in.semaphores)
		return EINVAL;
	while ((error = look(file, args)) == EAGAIN) {
		if (left_ns <= 0)
			return ETIME;
		clock_gettime(CLOCK_REALTIME, &now);
		next = now;
		next.tv_nsec += LOOK_NS;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		pthread_cond_timedwait(&fake_changed, &fake_lock, &next);
		clock_gettime(CLOCK_REALTIME, &next);
		left_ns -= (next.tv_sec - now.tv_sec) * INT64_C(1000000000) +
			   (next.tv_nsec - now.tv_nsec);
	}
	return error;
}

static int cpu_signal(struct fake_file *file, const struct drm_mtgpu_semaphore_cpu_signal *args)
{
	struct fake_semaphore *semaphore = fake_semaphore_get(file, args->semaphore.handle);
	struct fake_vm *vm = fake_vm_get(file, args->vm_ctx_handle);

	if (!semaphore || !vm)
		return EINVAL;
	if (vm->stopped)
		return EIO;
	fake_semaphore_set(semaphore, args->semaphore.value);
	for (uint32_t i = 0; i < vm->map_count; i++)
		if (vm->maps[i].object == semaphore->object)
			fake_sim_signal(vm, vm->maps[i].va + semaphore->offset_b,
					args->semaphore.value);
	fake_jobs_run();
	return 0;
}

void fake_semaphore_set(struct fake_semaphore *semaphore, uint64_t value)
{
	_Atomic uint64_t *word = fake_semaphore_word(semaphore);
	uint64_t old = *word;

	while (old < value && !atomic_compare_exchange_weak(word, &old, value))
		;
	pthread_cond_broadcast(&fake_changed);
}

int fake_semaphore_ioctl(struct fake_file *file, unsigned long request, void *arg)
{
	switch (request) {
	case DRM_IOCTL_MTGPU_SEMAPHORE_CREATE:
		return semaphore_create(file, arg);
	case DRM_IOCTL_MTGPU_SEMAPHORE_DESTROY:
		return semaphore_destroy(file, arg);
	case DRM_IOCTL_MTGPU_SEMAPHORE_EXPORT_FD:
		return semaphore_export(file, arg);
	case DRM_IOCTL_MTGPU_SEMAPHORE_IMPORT_FD:
		return semaphore_import(file, arg);
	case DRM_IOCTL_MTGPU_SEMAPHORE_WAIT:
		return semaphore_wait(file, arg);
	case DRM_IOCTL_MTGPU_SEMAPHORE_CPU_SIGNAL:
		return cpu_signal(file, arg);
	default:
		return ENOTTY;
	}
}

/* --- jobs ---------------------------------------------------------------------------------------
 */

static struct fake_queue *queue_get(struct fake_file *file, uint64_t handle)
{
	struct fake_queue *queue;

	for (queue = file->queues; queue && queue->handle != handle; queue = queue->next)
		;
	return queue;
}

static int queue_create(struct fake_file *file, struct drm_mtgpu_job_context_create *args)
{
	bool sim = file->card->config->device_id >> 8 == FAKE_GEN_SIM >> 8;
	struct fake_vm *vm = fake_vm_get(file, args->in.vm_ctx_handle);
	struct fake_queue *queue;

	if (!vm ||
	    args->in.type != (sim ? MTGPU_SUBMISSION_GPU_COMPUTE_STREAM : MTGPU_SUBMISSION_DMA))
		return EINVAL;
	queue = calloc(1, sizeof(*queue));
	queue->handle = fake_new_handle();
	queue->type = args->in.type;
	queue->priority = args->in.priority;
	queue->vm = vm;
	queue->file = file;
	queue->next = file->queues;
	file->queues = queue;
	args->out.ctx_handle = queue->handle;
	fake_live.queues++;
	return 0;
}

/* Jobs of a queue that goes, go. */
static void drop_jobs(const struct fake_queue *queue)
{
	struct fake_job **link = &pending, *job;

	while ((job = *link)) {
		if (job->queue != queue) {
			link = &job->next;
			continue;
		}
		*link = job->next;
		free(job->cmds);
		free(job);
	}
	pending_end = link;
}

static void drop_queue(struct fake_queue *queue)
{
	struct fake_queue **link = &queue->file->queues;

	while (*link != queue)
		link = &(*link)->next;
	*link = queue->next;
	drop_jobs(queue);
	fake_sim_drop_queue(queue);
	free(queue);
	fake_live.queues--;
}

void fake_file_drop_queues(struct fake_file *file)
{
	while (file->queues)
		drop_queue(file->queues);
}

/* The end of a command: memory of the card, or an address of the process. NULL: not there. */
static int check_end(struct fake_file *file, uint32_t type, uint64_t addr, uint64_t offset_b,
		     uint64_t size_b)
{
	const struct fake_object *object;

	if (type == MTGPU_DMA_ADDR_TYPE_USER_PTR)
		return addr ? 0 : EFAULT;
	if (type != MTGPU_DMA_ADDR_TYPE_BO_HANDLE)
		return EINVAL;
	object = fake_handle_get(file, addr);
	return object && offset_b <= object->size_b && size_b <= object->size_b - offset_b ? 0
											   : EINVAL;
}

/* As get_user_pages() would find out. */
static int check_user(uint32_t type, uint64_t addr, uint64_t offset_b, uint64_t size_b)
{
	char byte;
	struct iovec local = {&byte, 1}, remote = {(void *)(uintptr_t)(addr + offset_b), 1};

	if (type != MTGPU_DMA_ADDR_TYPE_USER_PTR)
		return 0;
	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != 1)
		return EFAULT;
	remote.iov_base = (void *)(uintptr_t)(addr + offset_b + size_b - 1);
	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1 ? 0 : EFAULT;
}

static char *end_at(struct fake_file *file, uint32_t type, uint64_t addr, uint64_t offset_b)
{
	if (type == MTGPU_DMA_ADDR_TYPE_USER_PTR)
		return (char *)(uintptr_t)(addr + offset_b);
	return fake_handle_get(file, addr)->cpu + offset_b;
}

static void run_job(const struct fake_job *job)
{
	struct fake_file *file = job->queue->file;

	for (uint32_t i = 0; i < job->cmd_count; i++) {
		const struct drm_mtgpu_dma_cmd *cmd = &job->cmds[i];

		memcpy(end_at(file, cmd->dst_type, cmd->dst_addr, cmd->dst_offset),
		       end_at(file, cmd->src_type, cmd->src_addr, cmd->src_offset), cmd->xfer_size);
	}
	for (uint32_t i = 0; i < job->update_count; i++) {
		struct fake_semaphore *semaphore = fake_semaphore_get(file, job->updates[i].handle);

		/* Plainly: a job's update could lower a value. */
		if (semaphore)
			*fake_semaphore_word(semaphore) = job->updates[i].value;
	}
	pthread_cond_broadcast(&fake_changed);
}

static bool may_run(const struct fake_job *job)
{
	for (uint32_t i = 0; i < job->check_count; i++) {
		struct fake_semaphore *semaphore =
			fake_semaphore_get(job->queue->file, job->checks[i].handle);

		if (semaphore && *fake_semaphore_word(semaphore) < job->checks[i].value)
			return false;
	}
	return true;
}

/* The first job of a queue that may run does, until none can. Later jobs never overtake. */
void fake_jobs_run(void)
{
	struct fake_job **link = &pending, *job, *before;

	while (!fake_held && (job = *link)) {
		for (before = pending; before->queue != job->queue; before = before->next)
			;
		if (before != job || !may_run(job)) {
			link = &job->next;
			continue;
		}
		*link = job->next;
		if (!*link)
			pending_end = link;
		run_job(job);
		free(job->cmds);
		free(job);
		link = &pending;
	}
}

static int check_list(struct fake_file *file, uint64_t list_va, uint32_t count, uint32_t limit,
		      struct drm_mtgpu_semaphore *to)
{
	const struct drm_mtgpu_semaphore *list = (const void *)(uintptr_t)list_va;

	if (count > limit || (count && !list))
		return EINVAL;
	for (uint32_t i = 0; i < count; i++) {
		if (!fake_semaphore_get(file, list[i].handle))
			return ENOENT;
		to[i] = list[i];
	}
	return 0;
}

static int take_cmds(struct fake_file *file, struct fake_job *job,
		     const struct drm_mtgpu_job_submit_v3 *args)
{
	const struct drm_mtgpu_dma_cmd *cmds = (const void *)(uintptr_t)args->in.submission_va;
	int error = 0;

	if (!cmds || !args->in.submission_size || args->in.submission_size % sizeof(*cmds))
		return EINVAL;
	job->cmd_count = (uint32_t)(args->in.submission_size / sizeof(*cmds));
	for (uint32_t i = 0; i < job->cmd_count && !error; i++) {
		const struct drm_mtgpu_dma_cmd *cmd = &cmds[i];

		if (!cmd->xfer_size)
			return EINVAL;
		error = check_end(file, cmd->src_type, cmd->src_addr, cmd->src_offset,
				  cmd->xfer_size);
		if (!error)
			error = check_end(file, cmd->dst_type, cmd->dst_addr, cmd->dst_offset,
					  cmd->xfer_size);
		if (!error)
			error = check_user(cmd->src_type, cmd->src_addr, cmd->src_offset,
					   cmd->xfer_size);
		if (!error)
			error = check_user(cmd->dst_type, cmd->dst_addr, cmd->dst_offset,
					   cmd->xfer_size);
	}
	if (error)
		return error;
	job->cmds = malloc(args->in.submission_size);
	memcpy(job->cmds, cmds, args->in.submission_size);
	return 0;
}

static int submit(struct fake_file *file, const struct drm_mtgpu_job_submit_v3 *args)
{
	struct fake_queue *queue = queue_get(file, args->in.job_ctx_handle);
	struct fake_job *job;
	int error;

	if (!queue || args->in.pad1 || args->in.pad2 || args->in.submission_flags)
		return EINVAL;
	if (!queue->vm || queue->vm->stopped)
		return EIO;
	job = calloc(1, sizeof(*job));
	job->queue = queue;
	job->check_count = args->in.check_semaphore_count;
	job->update_count = args->in.update_semaphore_count;
	error = check_list(file, args->in.check_semaphores, job->check_count, 32, job->checks);
	if (!error)
		error = check_list(file, args->in.update_semaphores, job->update_count, 8,
				   job->updates);
	if (!error && queue->type == MTGPU_SUBMISSION_DMA)
		error = take_cmds(file, job, args);
	else if (!error)
		error = fake_sim_submit(queue, args->in.submission_va, args->in.submission_size);
	if (error || queue->type != MTGPU_SUBMISSION_DMA) {
		free(job);
		return error;
	}
	*pending_end = job;
	pending_end = &job->next;
	fake_jobs_run();
	return 0;
}

int fake_job_ioctl(struct fake_file *file, unsigned long request, void *arg)
{
	switch (request) {
	case DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE:
		return queue_create(file, arg);
	case DRM_IOCTL_MTGPU_JOB_CONTEXT_DESTROY: {
		const struct drm_mtgpu_job_context_destroy *args = arg;
		struct fake_queue *queue = queue_get(file, args->ctx_handle);

		if (!queue)
			return EINVAL;
		drop_queue(queue);
		return 0;
	}
	case DRM_IOCTL_MTGPU_JOB_SUBMIT_V3:
		return submit(file, arg);
	default:
		return ENOTTY;
	}
}

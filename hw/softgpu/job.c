/* SPDX-License-Identifier: MIT */
/*
 * Jobs: the pieces of one packet, claimed by its worker and by helpers.
 */
#include "hw/softgpu/internal.h"

/* A job that has run so long calls sleeping workers. */
#define CALL_HELP_NS 20000u

static uint64_t claim_of(uint64_t sequence, uint64_t next)
{
	return sequence << SG_JOB_NEXT_BITS | next;
}

static struct sg_job *take_job(struct sg_worker *worker)
{
	uint32_t i;

	for (i = 0; i < SG_WORKER_JOBS; i++) {
		if (!atomic_load_explicit(&worker->jobs[i].busy, memory_order_acquire)) {
			atomic_store_explicit(&worker->jobs[i].busy, 1, memory_order_relaxed);
			return &worker->jobs[i];
		}
	}
	return NULL;
}

/*
 * Claims a chunk of the job that had this sequence number; 0: none left. The total is read before
 * it is known to belong to the sequence: if the job has been reused meanwhile, its claim word was
 * CLOSED before and has another sequence number since, so the exchange fails.
 */
static uint64_t claim_pieces(struct sg_job *job, uint64_t sequence, uint64_t *first_out)
{
	uint64_t claim = atomic_load(&job->claim), next, count, total;

	for (;;) {
		next = claim & SG_JOB_NEXT_MASK;
		if (claim >> SG_JOB_NEXT_BITS != sequence || next == SG_JOB_CLOSED)
			return 0;
		total = atomic_load_explicit(&job->total, memory_order_relaxed);
		count = atomic_load_explicit(&job->chunk, memory_order_relaxed);
		if (count >= total - next)
			count = total - next;
		if (atomic_compare_exchange_weak(&job->claim, &claim,
						 claim_of(sequence, next + count == total
									    ? SG_JOB_CLOSED
									    : next + count))) {
			*first_out = next;
			return count;
		}
	}
}

/* Random order: pieces rotate, and may run backwards, each claim for itself. */
static void run_pieces(struct sg_worker *worker, struct sg_job *job, uint64_t first, uint64_t count)
{
	uint64_t i, piece, total = atomic_load_explicit(&job->total, memory_order_relaxed);

	atomic_fetch_add_explicit(&job->queue->progress, 1, memory_order_relaxed);
	if (!worker->engine->config.random) {
		job->run(worker, job, first, count);
		return;
	}
	for (i = first; i < first + count; i++) {
		piece = (i + job->rotate) % total;
		job->run(worker, job, job->reverse ? total - 1 - piece : piece, 1);
	}
}

/* True if these were the last pieces. */
static bool finish_pieces(struct sg_job *job, uint64_t count)
{
	return atomic_fetch_sub(&job->remaining, count) == count;
}

/* The sequence number of the job that is now open. */
static uint64_t open_job(struct sg_worker *worker, struct sg_job *job, sg_job_fn run,
			 const void *packet, uint64_t total, uint64_t chunk)
{
	uint64_t claim = atomic_load_explicit(&job->claim, memory_order_relaxed);
	uint64_t sequence = ((claim >> SG_JOB_NEXT_BITS) + 1) & (UINT64_MAX >> SG_JOB_NEXT_BITS);

	job->run = run;
	job->packet = packet;
	atomic_store_explicit(&job->total, total, memory_order_relaxed);
	atomic_store_explicit(&job->chunk, chunk, memory_order_relaxed);
	job->queue = atomic_load_explicit(&worker->queue, memory_order_relaxed);
	job->lane = worker->lane;
	job->node = atomic_load_explicit(&worker->node, memory_order_relaxed);
	job->pc = atomic_load_explicit(&worker->pc, memory_order_relaxed);
	job->exec_id = worker->exec_id;
	if (worker->engine->config.random) {
		job->rotate = mt_sg_random(worker) % total;
		job->reverse = mt_sg_random(worker) & 1;
	}
	atomic_store_explicit(&job->remaining, total, memory_order_relaxed);
	atomic_store_explicit(&job->claim, claim_of(sequence, 0), memory_order_release);
	return sequence;
}

static void run_alone(struct sg_worker *worker, sg_job_fn run, const void *packet, uint64_t total)
{
	struct sg_job job = {.run = run, .packet = packet};
	uint64_t i;

	atomic_store_explicit(&job.total, total, memory_order_relaxed);
	job.queue = atomic_load_explicit(&worker->queue, memory_order_relaxed);
	if (!worker->engine->config.random) {
		run(worker, &job, 0, total);
		return;
	}
	job.rotate = mt_sg_random(worker) % total;
	job.reverse = mt_sg_random(worker) & 1;
	for (i = 0; i < total; i++)
		run_pieces(worker, &job, i, 1);
}

void mt_sg_job_run(struct sg_worker *worker, sg_job_fn run, const void *packet, uint64_t total,
		   uint64_t chunk)
{
	struct mt_sg_engine *engine = worker->engine;
	struct mt_sg_queue *queue = atomic_load_explicit(&worker->queue, memory_order_relaxed);
	struct sg_job *job =
		engine->config.workers > 1 && total < SG_JOB_CLOSED ? take_job(worker) : NULL;
	uint64_t sequence, first, count, done = 0, start_ns = 0;
	bool called = false;
	uint32_t lane;

	if (worker->beside)
		mt_sg_leave_caller(worker);
	if (!job) {
		run_alone(worker, run, packet, total);
		return;
	}
	lane = worker->lane;
	sequence = open_job(worker, job, run, packet, total, chunk);
	mt_sg_watcher_arm(engine);
	while ((count = claim_pieces(job, sequence, &first))) {
		run_pieces(worker, job, first, count);
		done += count;
		if (called || atomic_load_explicit(&engine->stopped, memory_order_relaxed))
			continue;
		if (!start_ns) {
			start_ns = mt_sg_time_ns();
		} else if (mt_sg_time_ns() - start_ns > CALL_HELP_NS) {
			called = true;
			mt_sg_worker_wake(engine, engine->config.workers - 1);
		}
	}
	/* Helpers that still run decide together with this worker who was last. If they took every
	 * piece, one of them is or was the last, and reports it. */
	if (done && finish_pieces(job, done))
		atomic_store_explicit(&job->busy, 0, memory_order_release);
	else
		atomic_fetch_add(&queue->lanes[lane].pending, 1);
}

static bool help_job(struct sg_worker *worker, struct sg_job *job, uint64_t sequence)
{
	struct mt_sg_queue *queue;
	uint64_t first, count, done = 0;
	uint32_t lane;

	count = claim_pieces(job, sequence, &first);
	if (!count)
		return false;
	queue = job->queue;
	lane = job->lane;
	mt_sg_check_refresh(worker);
	atomic_store_explicit(&worker->queue, queue, memory_order_relaxed);
	atomic_store_explicit(&worker->pc, job->pc, memory_order_relaxed);
	atomic_store_explicit(&worker->node, job->node, memory_order_relaxed);
	worker->exec_id = job->exec_id;
	worker->lane = lane;
	/* This piece may wait for one that nobody has taken yet. */
	mt_sg_watcher_arm(worker->engine);
	do {
		run_pieces(worker, job, first, count);
		done += count;
		/* Other queues come first: this one has a worker already. */
		if (mt_sg_ready_any(worker->engine))
			break;
	} while ((count = claim_pieces(job, sequence, &first)));
	atomic_store_explicit(&worker->queue, NULL, memory_order_relaxed);
	if (!finish_pieces(job, done))
		return true;
	atomic_store_explicit(&job->busy, 0, memory_order_release);
	mt_sg_item_done(queue, lane);
	return true;
}

/* Helps a job that has been open for age_ns at least, so that short ones are left alone. */
bool mt_sg_jobs_help(struct sg_worker *worker, uint64_t now_ns, uint64_t age_ns)
{
	struct mt_sg_engine *engine = worker->engine;
	uint32_t i, k, count = atomic_load(&engine->worker_count);
	struct sg_seen *seen;
	struct sg_job *job;
	uint64_t claim;

	for (i = 0; i < count; i++) {
		for (k = 0; k < SG_WORKER_JOBS; k++) {
			job = &engine->workers[i]->jobs[k];
			if (!atomic_load_explicit(&job->busy, memory_order_relaxed))
				continue;
			claim = atomic_load(&job->claim);
			seen = &worker->seen[i];
			if ((claim & SG_JOB_NEXT_MASK) == SG_JOB_CLOSED)
				continue;
			if (seen->sequence[k] != claim >> SG_JOB_NEXT_BITS) {
				seen->sequence[k] = claim >> SG_JOB_NEXT_BITS;
				seen->sequence_ns[k] = now_ns;
			} else if (now_ns - seen->sequence_ns[k] >= age_ns &&
				   help_job(worker, job, claim >> SG_JOB_NEXT_BITS)) {
				return true;
			}
		}
	}
	return false;
}

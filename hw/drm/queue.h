/* SPDX-License-Identifier: MIT */
/*
 * Queues of the drm backend: a job context with a timeline, and how submissions become its jobs.
 *
 * DOC: DMA queues
 *
 * Silicon gets no packets. A submission is read when it is submitted and becomes *stages*, numbered
 * over the life of the queue. A stage is a DMA job or a step of the host (a host function, a signal
 * with a time stamp, a signal that must not lower a value). The queue's progress semaphore counts
 * them: stage n starts when it is n - 1 and sets it to n; the last stage of a submission also
 * sets the timeline. Steps are made by the queue's agent, a thread that exists once a queue has had
 * one.
 *
 * What the packets say is read at submission, and so are argument words and pairs that they point
 * to; words in command memory that a WRITE changes are changed then. This is the stream's order,
 * because nothing but later submissions reads them.
 */
#ifndef MT_DRM_QUEUE_H
#define MT_DRM_QUEUE_H

#include "hw/drm/drm.h"

#define MT_DRM_QUEUE_DEPTH 1024u /* submissions that may be pending */

/* UNVERIFIED: limits per job that the published kernel source has for its firmware. */
#define MT_DRM_CHECKS_MAX  32u
#define MT_DRM_UPDATES_MAX 8u

/* Commands of one job; the kernel publishes no limit. */
#define MT_DRM_JOB_CMDS_MAX 16384u

enum mt_drm_step_kind {
	MT_DRM_STEP_CALL,   /* call a function: a = fn, b = data */
	MT_DRM_STEP_SIGNAL, /* semaphore at a to b */
	MT_DRM_STEP_TIME,   /* store the time at CPU address a */
};

struct mt_drm_step {
	enum mt_drm_step_kind kind;
	bool stamp;
	uint64_t a, b;
	uint64_t stage;
	uint64_t timeline; /* value that the timeline gets, 0: none */
};

/* One stage of the submission that is being read. */
struct mt_drm_stage {
	bool is_step;
	struct mt_drm_step step;
	uint32_t cmd_first, cmd_count;
	uint32_t check_first, check_count;
	uint32_t update_first, update_count;
};

/* Growable array; elements are plain. */
struct mt_drm_array {
	void *at; /* owned */
	uint32_t count, room;
};

/* Small data that DMA jobs read: patterns and values, in slots of 64 bytes. */
struct mt_drm_scratch {
	struct mt_drm_scratch *next;
	struct mt_hw_bo *bo; /* owned */
	uint64_t last_stage; /* that reads it */
	uint32_t used_b;
};

struct mt_drm_agent;
struct sim_job;

struct mt_drm_lower {
	struct mt_drm_array cmds, checks, updates, stages;
	uint32_t cmd_first, check_first, update_first; /* of the open job */
	uint64_t stage;                                /* of the last stage that was closed */
	struct mt_drm_range dst, src, packet;          /* last found; size_b 0: none */
	uint32_t node;                                 /* of the packet that is read */
	uint64_t pattern_va, pattern_value;            /* newest pattern; 0: none */
};

struct mt_drm_queue {
	struct mt_hw_queue base; /* first: queues are handed out as this */
	struct mt_drm_device *device;
	struct mt_drm_queue *next, **link; /* in device->queues */
	uint64_t context;                  /* job context */
	uint64_t timeline_handle;

	/* Packet queues. */
	struct mt_hw_bo *ring; /* owned: struct sim_queue, struct sim_job[] */

	/* DMA queues. */
	struct mt_hw_semaphore progress;
	uint64_t progress_handle;
	uint64_t stage; /* last one that was issued */
	struct mt_drm_lower lower;
	struct mt_drm_scratch *scratch; /* owned; the first is the one in use */
	struct mt_drm_agent *agent;     /* owned; NULL until a step was needed */
};

/* sim_queue.c */
int mt_drm_sim_queue_init(struct mt_drm_queue *queue, int priority);
void mt_drm_sim_queue_finish(struct mt_drm_queue *queue);
/* Submits a job as the queue's next; its queue_va is filled in. */
int mt_drm_sim_queue_job(struct mt_drm_queue *queue, const struct sim_job *job);
int mt_drm_sim_queue_submit(struct mt_drm_queue *queue, const struct mt_hw_submit *submit);

/* dma_queue.c */
int mt_drm_dma_queue_init(struct mt_drm_queue *queue, int priority);
void mt_drm_dma_queue_finish(struct mt_drm_queue *queue);
int mt_drm_dma_queue_submit(struct mt_drm_queue *queue, const struct mt_hw_submit *submit);

/* queue.c */
int mt_drm_job_context_create(struct mt_drm_queue *queue, uint32_t type, uint32_t priority);
void mt_drm_job_context_destroy(struct mt_drm_queue *queue);
/* Room for one more element of size_b bytes; NULL if memory has run out. Does not count it. */
void *mt_drm_array_next(struct mt_drm_array *array, uint32_t size_b);

/* lower.c: reads a submission into stages; nothing is issued. */
int mt_drm_lower(struct mt_drm_queue *queue, const struct mt_hw_submit *submit);
void mt_drm_lower_finish(struct mt_drm_lower *lower);
/* The packet cannot be executed: the device stops at it. -EIO. */
int mt_drm_lower_fault(struct mt_drm_queue *queue, enum mt_hw_fault_code code, uint64_t address,
		       const char *text);

/* lower_stage.c */
int mt_drm_lower_check(struct mt_drm_queue *queue, uint64_t handle, uint64_t value);
int mt_drm_lower_update(struct mt_drm_queue *queue, uint64_t handle, uint64_t value);
int mt_drm_lower_cmd(struct mt_drm_queue *queue, const struct drm_mtgpu_dma_cmd *cmd);
int mt_drm_lower_step(struct mt_drm_queue *queue, const struct mt_drm_step *step);
/* Closes the last stage, which sets the timeline to `seq`. */
int mt_drm_lower_end(struct mt_drm_queue *queue, uint64_t seq);

/* lower_memory.c: packets that move memory. */
int mt_drm_lower_copy(struct mt_drm_queue *queue, const struct mt_pkt_copy *packet);
int mt_drm_lower_fill(struct mt_drm_queue *queue, const struct mt_pkt_fill *packet);
int mt_drm_lower_write(struct mt_drm_queue *queue, const struct mt_pkt_write *packet);
/* Finds what lies at va, first in *cache; false: nothing. */
bool mt_drm_lower_find(struct mt_drm_queue *queue, uint64_t va, struct mt_drm_range *cache);

/* scratch.c */
/* Room that the CPU writes now and the job that is being put together reads: at most 4 KiB. */
int mt_drm_scratch_take(struct mt_drm_queue *queue, uint32_t size_b, uint64_t *va_out);
/* The submission that has taken room ends with this stage. */
void mt_drm_scratch_settle(struct mt_drm_queue *queue, uint64_t stage);
void mt_drm_scratch_free(struct mt_drm_queue *queue);

/* agent.c */
/* The queue's agent with room for `count` more steps. */
int mt_drm_agent_prepare(struct mt_drm_queue *queue, uint32_t count);
void mt_drm_agent_push(struct mt_drm_agent *agent, const struct mt_drm_step *step);
/* Ends the queue's agent, if there is one; steps that it has not made are left out. */
void mt_drm_agent_stop(struct mt_drm_queue *queue);

#endif

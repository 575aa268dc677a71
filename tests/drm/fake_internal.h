/* SPDX-License-Identifier: MIT */
/* The fake kernel's inside. */
#ifndef MT_TEST_DRM_FAKE_INTERNAL_H
#define MT_TEST_DRM_FAKE_INTERNAL_H

#include "fake.h"

#define FAKE_FILES   8
#define FAKE_HANDLES 16384
#define FAKE_MAPS    8192
#define FAKE_GRAPHS  64

struct fake_card;
struct mt_sg_engine;
struct mt_sg_queue;
struct mt_hw_graph;

/* Memory. Counted by handles, mappings and exports. */
struct fake_object {
	struct fake_object *next;
	struct fake_card *card;
	uint64_t size_b;
	uint64_t offset_b; /* in the card's file */
	char *cpu;         /* as the card sees it */
	uint64_t flags;
	uint32_t domain;
	bool user;
	uint64_t global_name; /* 0: none */
	uint32_t refs;
};

struct fake_map {
	uint64_t va, size_b;
	struct fake_object *object;
};

/* A graph that device code launches, by the address of its description. */
struct fake_graph {
	uint64_t va;
	struct mt_hw_graph *graph; /* NULL: free */
};

struct fake_vm {
	struct fake_vm *next;
	uint64_t handle;
	struct fake_map maps[FAKE_MAPS];
	uint32_t map_count;
	struct mt_sg_engine *engine;
	bool stopped;
	uint64_t mailbox_va, posted, answered, read; /* of a simulated device */
	uint64_t held_first, held_count;             /* calls that the ring has no room for */
	struct fake_graph graphs[FAKE_GRAPHS];
};

struct fake_semaphore {
	struct fake_semaphore *next;
	uint64_t handle;
	struct fake_object *object;
	uint64_t offset_b;
	struct fake_file *file;
};

struct fake_queue {
	struct fake_queue *next;
	uint64_t handle;
	uint32_t type;
	uint32_t priority;
	struct fake_vm *vm;
	struct fake_file *file;
	struct mt_sg_queue *sg;
	uint64_t timeline_va, submitted; /* of the simulated device */
};

/* A DMA job that has not run. */
struct fake_job {
	struct fake_job *next;
	struct fake_queue *queue;
	struct drm_mtgpu_semaphore checks[32], updates[8];
	uint32_t check_count, update_count, cmd_count;
	struct drm_mtgpu_dma_cmd *cmds;
};

struct fake_file {
	bool used;
	int fd;
	struct fake_card *card;
	bool initialised;
	struct fake_object *handles[FAKE_HANDLES]; /* index: handle */
	struct fake_vm *vms;
	struct fake_queue *queues;
	struct fake_semaphore *semaphores;
	struct fake_object *sem_chunk; /* where the next value goes */
	uint32_t sem_chunk_handle;
	uint64_t sem_used_b;
};

/* A descriptor that stands for an object or a semaphore. */
struct fake_export {
	int fd;
	struct fake_object *object;
	uint64_t offset_b;
	bool semaphore;
};

struct fake_card {
	const struct fake_card_config *config;
	int fd; /* memory */
	char *memory;
	uint64_t next_b; /* of the file */
	uint64_t vram_used_b;
	bool lost;
};

extern pthread_mutex_t fake_lock;
extern pthread_cond_t fake_changed;
extern struct fake_counts fake_live;
extern bool fake_held;

/* All under fake_lock; an errno, 0 for success. */
int fake_memory_ioctl(struct fake_file *file, unsigned long request, void *arg);
int fake_semaphore_ioctl(struct fake_file *file, unsigned long request, void *arg);
int fake_job_ioctl(struct fake_file *file, unsigned long request, void *arg);

struct fake_object *fake_object_create(struct fake_card *card, uint64_t size_b, uint32_t domain);
void fake_object_unref(struct fake_object *object);
int fake_handle_add(struct fake_file *file, struct fake_object *object, uint32_t *handle_out);
struct fake_object *fake_handle_get(struct fake_file *file, uint64_t handle);
struct fake_object *fake_object_at(struct fake_card *card, uint64_t offset_b);
struct fake_vm *fake_vm_get(struct fake_file *file, uint64_t handle);
struct fake_semaphore *fake_semaphore_get(struct fake_file *file, uint64_t handle);
_Atomic uint64_t *fake_semaphore_word(const struct fake_semaphore *semaphore);
void fake_semaphore_set(struct fake_semaphore *semaphore, uint64_t value);
int fake_export_add(struct fake_object *object, uint64_t offset_b, bool semaphore, int *fd_out);
struct fake_export *fake_export_get(int fd, bool semaphore);
bool fake_export_close(int fd);
void fake_jobs_run(void);
void fake_file_drop_queues(struct fake_file *file);
void fake_file_drop_semaphores(struct fake_file *file);
void fake_vm_destroy(struct fake_vm *vm);
uint64_t fake_new_handle(void);

/* The simulated device: the software GPU on the VM context's mappings. */
int fake_sim_start(struct fake_vm *vm);
void fake_sim_stop(struct fake_vm *vm);
int fake_sim_map(struct fake_vm *vm, const struct fake_map *map);
void fake_sim_unmap(struct fake_vm *vm, const struct fake_map *map);
int fake_sim_submit(struct fake_queue *queue, uint64_t va, uint32_t size_b);
void fake_sim_drop_queue(struct fake_queue *queue);
void fake_sim_signal(struct fake_vm *vm, uint64_t va, uint64_t value);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Life of an engine.
 */
#include <errno.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/internal.h"

int mt_sg_engine_create(const struct mt_sg_config *config, struct mt_sg_engine **engine_out)
{
	struct mt_sg_engine *engine;
	int ret;

	if (!config->workers || config->workers > MT_SG_WORKERS_MAX ||
	    (config->warp_size != 32 && config->warp_size != 128))
		return -EINVAL;
	engine = mt_alloc_aligned(CACHE_LINE_B, sizeof(*engine));
	if (!engine)
		return -ENOMEM;
	engine->config = *config;
	atomic_store(&engine->host_cpu, -1);
	atomic_store(&engine->helped_cpu, -1);
	engine->services = mt_sg_services;
	if (config->accesses)
		engine->services.record_access = mt_sg_record_access;
	engine->fault.node = MT_PKT_NODE_NONE;
	engine->ticket_free = UINT32_MAX;
	atomic_store(&engine->map_generation, 1);
	engine->queues = mt_calloc(MT_SG_QUEUES_MAX, sizeof(*engine->queues));
	engine->queue_free = mt_calloc(MT_SG_QUEUES_MAX, sizeof(*engine->queue_free));
	if (!engine->queues || !engine->queue_free) {
		ret = -ENOMEM;
		goto free_tables;
	}
	mt_sg_waiters_init();
	/* Default mutexes cannot fail to be made on Linux. */
	pthread_mutex_init(&engine->map_lock, NULL);
	pthread_mutex_init(&engine->thread_lock, NULL);
	pthread_mutex_init(&engine->host_lock, NULL);
	pthread_mutex_init(&engine->launch_lock, NULL);
	mt_sg_crash_install();
	if (config->watchdog_ns) {
		ret = mt_sg_monitor_start(engine);
		if (ret)
			goto finish_locks;
	}
	*engine_out = engine;
	return 0;

finish_locks:
	pthread_mutex_destroy(&engine->launch_lock);
	pthread_mutex_destroy(&engine->host_lock);
	pthread_mutex_destroy(&engine->thread_lock);
	pthread_mutex_destroy(&engine->map_lock);
free_tables:
	mt_free(engine->queue_free);
	mt_free(engine->queues);
	mt_free(engine);
	return ret;
}

bool mt_sg_engine_destroy(struct mt_sg_engine *engine)
{
	if (!engine || engine->forked)
		return true;
	mt_sg_monitor_stop(engine);
	if (!mt_sg_workers_stop(engine))
		return false;
	mt_sg_queues_free(engine);
	mt_sg_graphs_free(engine);
	pthread_mutex_destroy(&engine->launch_lock);
	pthread_mutex_destroy(&engine->host_lock);
	pthread_mutex_destroy(&engine->thread_lock);
	pthread_mutex_destroy(&engine->map_lock);
	mt_free(engine->tickets);
	mt_free(engine->mappings);
	mt_free(engine->queue_free);
	mt_free(engine->queues);
	mt_free(engine);
	return true;
}

void mt_sg_engine_forked(struct mt_sg_engine *engine)
{
	engine->forked = true;
	atomic_store(&engine->stopped, 1);
	mt_sg_attention(engine);
}

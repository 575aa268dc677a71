/* SPDX-License-Identifier: MIT */
/*
 * Queues of the mock, an engine queue with its timeline; and graphs that device code may launch.
 */
#include <errno.h>

#include "hw/base/alloc.h"
#include "hw/mock/mock.h"

struct mock_queue {
	struct mt_hw_queue base;
	struct mt_sg_queue *queue; /* owned */
};

static _Atomic uint64_t last_id;
static _Atomic uint64_t submits;

int mt_mock_queue_create(struct mt_hw_device *dev, int priority, struct mt_hw_queue **queue_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);
	struct mock_queue *queue;
	int ret;

	if (device->forked)
		return -EIO;
	queue = mt_calloc(1, sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	ret = mt_mock_semaphore_create(dev, &queue->base.timeline);
	if (ret)
		goto free_queue;
	queue->base.dev = dev;
	queue->base.id = atomic_fetch_add(&last_id, 1) + 1;
	ret = mt_sg_queue_create(device->engine, priority, queue->base.id, queue->base.timeline.va,
				 &queue->queue);
	if (ret)
		goto destroy_timeline;
	*queue_out = &queue->base;
	return 0;

destroy_timeline:
	mt_mock_semaphore_destroy(&queue->base.timeline);
free_queue:
	mt_free(queue);
	return ret;
}

void mt_mock_queue_destroy(struct mt_hw_queue *base)
{
	struct mock_queue *queue = (struct mock_queue *)base;

	if (!base)
		return;
	mt_sg_queue_destroy(queue->queue);
	mt_mock_semaphore_destroy(&base->timeline);
	mt_free(queue);
}

int mt_mock_queue_submit(struct mt_hw_queue *base, const struct mt_hw_submit *submit)
{
	struct mock_queue *queue = (struct mock_queue *)base;
	struct mt_mock_device *device = mt_mock_device(base->dev);
	int ret;

	if (__builtin_expect(device->options->fail_submit.n != 0, 0) &&
	    mt_mock_fail_now(&device->options->fail_submit, &submits))
		return -ENOMEM;
	ret = mt_sg_queue_submit(queue->queue, submit);
	if (!ret)
		base->submitted++;
	return ret;
}

int mt_mock_graph_create(struct mt_hw_device *dev, const struct mt_hw_submit *chain,
			 struct mt_hw_graph **graph_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);

	if (device->forked)
		return -EIO;
	return mt_sg_graph_create(device->engine, dev, chain, NULL, graph_out);
}

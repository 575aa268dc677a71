/* SPDX-License-Identifier: MIT */
/*
 * Choice of the backend, and its life in the process.
 */
#include "hw/backend.h"

#include <errno.h>

#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "hw/visible.h"

static struct mt_hw_options options;
static const struct mt_hw_backend *backend; /* in use; NULL before and after */
static struct mt_hw_device **devices;       /* owned, with the devices */
static uint32_t device_count;

const struct mt_hw_options *mt_hw_options(void)
{
	return &options;
}

static int open_drm(void)
{
#ifdef MT_HW_DRM
	backend = &mt_hw_drm_backend;
	return backend->open(&options, &devices, &device_count);
#else
	if (options.backend == MT_HW_BACKEND_DRM)
		mt_log(MT_LOG_ERROR, "MUSA_BACKEND=drm: this build has no drm backend");
	return -ENODEV;
#endif
}

static int open_mock(void)
{
	backend = &mt_hw_mock_backend;
	return backend->open(&options, &devices, &device_count);
}

/* Keeps the devices that are asked for, in that order, and closes the others. */
static int select_visible(void)
{
	struct mt_hw_device **all = devices;
	uint32_t count = device_count, visible, i;
	uint32_t *order = mt_calloc(count ? count : 1, sizeof(*order));
	int ret;

	if (!order)
		return -ENOMEM;
	ret = mt_hw_visible_read(count, order, &visible);
	if (ret)
		goto free_order;
	devices = mt_calloc(visible ? visible : 1, sizeof(struct mt_hw_device *));
	if (!devices) {
		devices = all;
		ret = -ENOMEM;
		goto free_order;
	}
	device_count = visible;
	for (i = 0; i < visible; i++) {
		devices[i] = all[order[i]];
		devices[i]->index = i;
		all[order[i]] = NULL;
	}
	for (i = 0; i < count; i++)
		if (all[i])
			all[i]->ops->device_close(all[i]);
	mt_free(all);
free_order:
	mt_free(order);
	return ret;
}

int mt_hw_init(struct mt_hw_device ***devices_out, uint32_t *count_out)
{
	int ret;

	ret = mt_hw_options_read(&options);
	if (ret)
		return ret;
	switch (options.backend) {
	case MT_HW_BACKEND_MOCK:
		ret = open_mock();
		break;
	case MT_HW_BACKEND_DRM:
		ret = open_drm();
		break;
	default:
		ret = open_drm();
		if (ret == -ENODEV)
			ret = open_mock();
		break;
	}
	if (!ret) {
		ret = select_visible();
		if (ret)
			mt_hw_finish();
	}
	if (ret) {
		mt_log(MT_LOG_ERROR, "no device: error %d", -ret);
		backend = NULL;
		return ret;
	}
	mt_log(MT_LOG_INFO, "backend %s: %u devices", backend->name, device_count);
	mt_log_init_end();
	*devices_out = devices;
	*count_out = device_count;
	return 0;
}

void mt_hw_finish(void)
{
	uint32_t i;

	for (i = 0; i < device_count; i++)
		devices[i]->ops->device_close(devices[i]);
	mt_free(devices);
	devices = NULL;
	device_count = 0;
	backend = NULL;
}

void mt_hw_fork_child(void)
{
	uint32_t i;

	if (!backend || !backend->fork_child)
		return;
	for (i = 0; i < device_count; i++)
		backend->fork_child(devices[i]);
}

uint64_t mt_hw_page_b(const struct mt_hw_device *dev)
{
	(void)dev;
	return backend->page_b;
}

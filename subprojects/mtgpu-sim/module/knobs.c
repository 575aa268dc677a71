// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of each device for tests, and the watchdog that notices cards without a sign of life.
 *
 * `inject` takes what shall go wrong: none, hang, die, reset, "slow MS". hang and slow last until
 * another word is written; die and reset happen once, to every address space of the device.
 * `objects` is the number of buffer objects that exist.
 */
#include <linux/device.h>
#include <linux/sysfs.h>

#include "mtgpu.h"

#define WATCHDOG_PERIOD (HZ / 2)
#define SLOW_MAX_MS     10000

static const char *const words[] = {
	[MTGPU_SIM_INJECT_NONE] = "none",
	[MTGPU_SIM_INJECT_HANG] = "hang",
	[MTGPU_SIM_INJECT_DIE] = "die",
	[MTGPU_SIM_INJECT_SLOW] = "slow",
	[MTGPU_SIM_INJECT_RESET] = "reset",
};

static void watch(struct work_struct *work);
static DECLARE_DELAYED_WORK(watch_work, watch);

/* Where no process plays the card the module does. */
static void strike(struct mtgpu_device *device, u32 what, u32 argument)
{
	struct mtgpu_vm *vm;

	list_for_each_entry(vm, &device->vms, link) {
		if (mtgpu_generation->packets)
			mtgpu_sim_post(vm, MTGPU_SIM_INJECT, what, argument, 0, 0);
		else if (what == MTGPU_SIM_INJECT_DIE || what == MTGPU_SIM_INJECT_RESET)
			mtgpu_vm_stop(vm, words[what]);
	}
}

static ssize_t inject_store(struct device *parent, struct device_attribute *attribute,
			    const char *text, size_t size)
{
	struct mtgpu_device *device = dev_get_drvdata(parent);
	char word[16];
	u32 i, argument = 0;

	if (sscanf(text, "%15s %u", word, &argument) < 1 || argument > SLOW_MAX_MS)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			break;
	if (i == ARRAY_SIZE(words))
		return -EINVAL;
	mutex_lock(&mtgpu_lock);
	strike(device, i, argument);
	if (i == MTGPU_SIM_INJECT_DIE || i == MTGPU_SIM_INJECT_RESET)
		i = MTGPU_SIM_INJECT_NONE;
	device->inject = i;
	device->inject_argument = argument;
	wake_up_all(&mtgpu_wait_queue);
	mutex_unlock(&mtgpu_lock);
	return size;
}

static ssize_t inject_show(struct device *parent, struct device_attribute *attribute, char *text)
{
	struct mtgpu_device *device = dev_get_drvdata(parent);

	return sysfs_emit(text, "%s %u\n", words[READ_ONCE(device->inject)],
			  READ_ONCE(device->inject_argument));
}

static DEVICE_ATTR_RW(inject);

static ssize_t objects_show(struct device *parent, struct device_attribute *attribute, char *text)
{
	struct mtgpu_device *device = dev_get_drvdata(parent);

	return sysfs_emit(text, "%d\n", atomic_read(&device->objects));
}

static DEVICE_ATTR_RO(objects);

int mtgpu_knobs_add(struct mtgpu_device *device)
{
	int ret;

	ret = device_create_file(device->parent, &dev_attr_inject);
	if (ret)
		return ret;
	ret = device_create_file(device->parent, &dev_attr_objects);
	if (ret)
		device_remove_file(device->parent, &dev_attr_inject);
	return ret;
}

void mtgpu_knobs_remove(struct mtgpu_device *device)
{
	device_remove_file(device->parent, &dev_attr_objects);
	device_remove_file(device->parent, &dev_attr_inject);
}

static bool is_late(unsigned long since)
{
	return time_after(jiffies, since + msecs_to_jiffies(mtgpu_hang_ms));
}

static bool is_stuck(struct mtgpu_vm *vm)
{
	struct mtgpu_context *context;

	if (vm->running && is_late(vm->heard))
		return true;
	list_for_each_entry(context, &vm->contexts, link)
		if (context->dma_since && is_late(context->dma_since))
			return true;
	return false;
}

static void watch(struct work_struct *work)
{
	struct mtgpu_vm *vm;
	unsigned long index;

	mutex_lock(&mtgpu_lock);
	xa_for_each(&mtgpu_vms, index, vm) {
		if (vm->lost || !is_stuck(vm))
			continue;
		mtgpu_vm_stop(vm, "hung, reset");
		mtgpu_sim_kill(vm);
	}
	mutex_unlock(&mtgpu_lock);
	schedule_delayed_work(&watch_work, WATCHDOG_PERIOD);
}

void mtgpu_watchdog_start(void)
{
	schedule_delayed_work(&watch_work, WATCHDOG_PERIOD);
}

void mtgpu_watchdog_stop(void)
{
	cancel_delayed_work_sync(&watch_work);
}

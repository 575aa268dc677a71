/* SPDX-License-Identifier: MIT */
/*
 * Which render nodes are ours, and what to say about those that cannot be used.
 *
 * libdrm knows where devices sit, but it leaves out what it cannot place: devices of buses that it
 * does not know, and all of them where sysfs is not mounted. So the nodes in /dev/dri are looked
 * at as well, and a node that nothing is known of is asked for its driver's name.
 */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/backend.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "hw/drm/drm.h"

struct node {
	int minor;
	char path[32];
	const drmDevice *known; /* libdrm's record, borrowed; NULL: none */
};

struct search {
	struct node nodes[MT_DRM_NODES_MAX];
	uint32_t node_count;
	struct mt_drm_device *devices[MT_DRM_NODES_MAX];
	uint32_t device_count;
	int error; /* the reason most worth telling why a node of ours is not used */
};

static void add_node(struct search *search, int minor, const drmDevice *known)
{
	struct node *node;

	for (uint32_t i = 0; i < search->node_count; i++)
		if (search->nodes[i].minor == minor)
			return;
	if (search->node_count == MT_DRM_NODES_MAX)
		return;
	node = &search->nodes[search->node_count++];
	node->minor = minor;
	node->known = known;
	snprintf(node->path, sizeof(node->path), "/dev/dri/renderD%d", minor);
}

static int minor_of(const drmDevice *device)
{
	const char *path, *digits;
	int minor;

	if (!(device->available_nodes & 1 << DRM_NODE_RENDER))
		return -1;
	path = device->nodes[DRM_NODE_RENDER];
	digits = strstr(path, "renderD");
	return digits && sscanf(digits + 7, "%d", &minor) == 1 ? minor : -1;
}

/* Devices that have a place come first, by place; then the others, by minor. */
static int compare_nodes(const void *left, const void *right)
{
	const struct node *a = left, *b = right;
	bool a_pci = a->known && a->known->bustype == DRM_BUS_PCI;
	bool b_pci = b->known && b->known->bustype == DRM_BUS_PCI;

	if (a_pci != b_pci)
		return a_pci ? -1 : 1;
	if (a_pci) {
		const drmPciBusInfo *p = a->known->businfo.pci, *q = b->known->businfo.pci;
		uint64_t pa = (uint64_t)p->domain << 24 | p->bus << 16 | p->dev << 8 | p->func;
		uint64_t pb = (uint64_t)q->domain << 24 | q->bus << 16 | q->dev << 8 | q->func;

		if (pa != pb)
			return pa < pb ? -1 : 1;
	}
	return a->minor < b->minor ? -1 : a->minor > b->minor;
}

static void list_nodes(struct search *search, drmDevicePtr *known, int known_count)
{
	int minors[MT_DRM_NODES_MAX];
	int count = mt_drm_os->list_minors(minors, MT_DRM_NODES_MAX);

	for (int i = 0; i < known_count; i++) {
		int minor = minor_of(known[i]);

		if (minor >= 0)
			add_node(search, minor, known[i]);
	}
	if (count < 0)
		mt_log(MT_LOG_INFO, "/dev/dri: %s", strerror(-count));
	for (int i = 0; i < count; i++)
		add_node(search, minors[i], NULL);
	qsort(search->nodes, search->node_count, sizeof(search->nodes[0]), compare_nodes);
}

static bool is_foreign(const struct node *node)
{
	return node->known && node->known->bustype == DRM_BUS_PCI &&
	       node->known->deviceinfo.pci->vendor_id != MT_DRM_VENDOR;
}

static void name_group(const char *path, char *text, size_t size_b)
{
	char buffer[1024];
	struct stat status;
	struct group entry, *found;

	if (mt_drm_os->stat(path, &status))
		snprintf(text, size_b, "its group");
	else if (!getgrgid_r(status.st_gid, &entry, buffer, sizeof(buffer), &found) && found)
		snprintf(text, size_b, "group %s", found->gr_name);
	else
		snprintf(text, size_b, "group %u", status.st_gid);
}

/* Permission outlives all other reasons: it is the one that the user can mend. */
static void note_error(struct search *search, int error)
{
	if (search->error != -EACCES)
		search->error = error;
}

static void complain_open(struct search *search, const struct node *node, int error)
{
	char group[96];

	switch (error) {
	case -EACCES:
	case -EPERM:
		name_group(node->path, group, sizeof(group));
		mt_log(MT_LOG_ERROR,
		       "%s: permission denied: it belongs to %s, which this process is not in; add "
		       "the user to it (usermod -aG), or give the container the device and the "
		       "group",
		       node->path, group);
		note_error(search, -EACCES);
		break;
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		mt_log(MT_LOG_ERROR,
		       "%s: there is no such node although the device exists: pass /dev/dri to the "
		       "container, or load the kernel driver again",
		       node->path);
		note_error(search, -ENODEV);
		break;
	default:
		mt_log(MT_LOG_ERROR, "%s: cannot be opened: %s", node->path, strerror(-error));
		note_error(search, error);
		break;
	}
}

/* The driver's name and description, cut off where they are too long. */
static int query_driver(int fd, char *name, char *desc, size_t size_b)
{
	struct drm_version version = {
		.name = name,
		.name_len = size_b - 1,
		.desc = desc,
		.desc_len = size_b - 1,
	};
	int ret;

	memset(name, 0, size_b);
	memset(desc, 0, size_b);
	ret = mt_drm_ioctl(fd, DRM_IOCTL_VERSION, &version);
	name[size_b - 1] = desc[size_b - 1] = 0;
	return ret;
}

static void try_node(struct search *search, const struct node *node)
{
	char name[64], desc[128];
	int fd, ret;

	if (is_foreign(node))
		return;
	fd = mt_drm_open(node->path);
	if (fd < 0) {
		complain_open(search, node, fd);
		return;
	}
	ret = query_driver(fd, name, desc, sizeof(name));
	if (ret && node->known && node->known->bustype == DRM_BUS_PCI) {
		mt_log(MT_LOG_ERROR, "%s: the driver does not say its name: %s", node->path,
		       strerror(-ret));
		note_error(search, ret);
		goto close_node;
	}
	if (ret || strcmp(name, MT_DRM_NAME)) {
		mt_log(MT_LOG_INFO, "%s: not ours: driver %s", node->path,
		       ret ? strerror(-ret) : name);
		goto close_node;
	}
	ret = mt_drm_device_open(fd, node->path, desc, node->known,
				 &search->devices[search->device_count]);
	if (ret) {
		if (ret != -EPROTO)
			mt_log(MT_LOG_ERROR, "%s: the device cannot be used: %s", node->path,
			       strerror(-ret));
		note_error(search, ret);
		goto close_node;
	}
	search->devices[search->device_count]->base.index = search->device_count;
	search->device_count++;
	return;

close_node:
	mt_drm_os->close(fd);
}

static int open_devices(const struct mt_hw_options *options, struct mt_hw_device ***devices_out,
			uint32_t *count_out)
{
	drmDevicePtr known[MT_DRM_NODES_MAX];
	struct search search = {.error = -ENODEV};
	struct mt_hw_device **devices;
	int known_count;
	uint32_t i;

	(void)options;
	known_count = mt_drm_os->get_devices(0, known, MT_DRM_NODES_MAX);
	if (known_count < 0) {
		mt_log(MT_LOG_INFO, "libdrm lists no devices: %s", strerror(-known_count));
		known_count = 0;
	}
	list_nodes(&search, known, known_count);
	for (i = 0; i < search.node_count; i++)
		try_node(&search, &search.nodes[i]);
	mt_drm_os->free_devices(known, known_count);
	if (!search.device_count)
		return search.error;
	devices = mt_calloc(search.device_count, sizeof(*devices));
	for (i = 0; i < search.device_count; i++) {
		if (devices)
			devices[i] = &search.devices[i]->base;
		else
			mt_drm_device_close(&search.devices[i]->base);
	}
	if (!devices)
		return -ENOMEM;
	*devices_out = devices;
	*count_out = search.device_count;
	return 0;
}

static void fork_child(struct mt_hw_device *dev)
{
	struct mt_drm_device *device = mt_drm_device(dev);

	/* The kernel's objects are the parent's. */
	device->forked = true;
	atomic_store(&dev->fault, MT_HW_FAULT_LOST);
}

const struct mt_hw_backend mt_hw_drm_backend = {
	.name = "drm",
	.page_b = MT_DRM_BO_B,
	.open = open_devices,
	.fork_child = fork_child,
};

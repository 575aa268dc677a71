// SPDX-License-Identifier: GPL-2.0
/*
 * A PCI root bus of the module's own, whose configuration space is a few bytes of memory, so that
 * user space finds the devices in sysfs as it finds any card.
 */
#include <linux/module.h>
#include <linux/pci.h>

#include "mtgpu.h"

#define VENDOR       0x1ed5
#define CLASS_CODE   0x030200 /* 3D controller: not a VGA device, so nobody wants to boot on it */
#define CONFIG_B     256
#define FIRST_BUS    1
#define FIRST_DOMAIN 1
#define LAST_DOMAIN  0xffff /* what libdrm can name */

static struct pci_bus *root;
static struct pci_sysdata sysdata;
static u8 config[MTGPU_DEVICES_MAX][CONFIG_B];
static u32 device_count;
static struct resource bus_numbers = {
	.name = "mtgpu-sim",
	.start = FIRST_BUS,
	.end = FIRST_BUS,
	.flags = IORESOURCE_BUS,
};

static u8 *config_of(struct pci_bus *bus, unsigned int devfn, int where)
{
	if (bus->number != FIRST_BUS || PCI_FUNC(devfn) || PCI_SLOT(devfn) >= device_count ||
	    where >= CONFIG_B)
		return NULL;
	return config[PCI_SLOT(devfn)] + where;
}

static int read_config(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	u8 *at = config_of(bus, devfn, where);

	*value = ~0u;
	if (!at)
		return PCIBIOS_DEVICE_NOT_FOUND;
	*value = 0;
	memcpy(value, at, size);
	return PCIBIOS_SUCCESSFUL;
}

/* Only the command register and the interrupt line are memory; there are no resources to place. */
static int write_config(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value)
{
	u8 *at = config_of(bus, devfn, where);

	if (!at)
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (where == PCI_COMMAND || where == PCI_INTERRUPT_LINE)
		memcpy(at, &value, min(size, 2));
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops config_ops = { .read = read_config, .write = write_config };

static void fill_config(u8 *at)
{
	*(__le16 *)(at + PCI_VENDOR_ID) = cpu_to_le16(VENDOR);
	*(__le16 *)(at + PCI_DEVICE_ID) = cpu_to_le16(mtgpu_generation->device_id);
	*(__le32 *)(at + PCI_CLASS_REVISION) = cpu_to_le32(CLASS_CODE << 8 | 1);
	at[PCI_HEADER_TYPE] = PCI_HEADER_TYPE_NORMAL;
	*(__le16 *)(at + PCI_SUBSYSTEM_VENDOR_ID) = cpu_to_le16(VENDOR);
	*(__le16 *)(at + PCI_SUBSYSTEM_ID) = cpu_to_le16(1);
}

static int pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	/* Real cards have this vendor as well: only what sits on the bus above is ours. */
	if (pdev->bus->ops != &config_ops)
		return -ENODEV;
	return mtgpu_device_add(&pdev->dev, PCI_SLOT(pdev->devfn));
}

static void pci_remove(struct pci_dev *pdev)
{
	mtgpu_device_remove(&pdev->dev);
}

static const struct pci_device_id ids[] = {
	{ PCI_DEVICE(VENDOR, PCI_ANY_ID) },
	{ }
};
MODULE_DEVICE_TABLE(pci, ids);

static struct pci_driver pci_driver = {
	.name = "mtgpu",
	.id_table = ids,
	.probe = pci_probe,
	.remove = pci_remove,
};

static int free_domain(void)
{
	int domain;

	for (domain = FIRST_DOMAIN; domain <= LAST_DOMAIN; domain++)
		if (!pci_find_bus(domain, FIRST_BUS))
			return domain;
	return -ENOSPC;
}

static int add_root(void)
{
	LIST_HEAD(resources);

	sysdata.domain = free_domain();
	if (sysdata.domain < 0)
		return sysdata.domain;
	sysdata.node = NUMA_NO_NODE;
	pci_add_resource(&resources, &bus_numbers);
	pci_lock_rescan_remove();
	root = pci_scan_root_bus(NULL, FIRST_BUS, &config_ops, &sysdata, &resources);
	if (root)
		pci_bus_add_devices(root);
	pci_unlock_rescan_remove();
	if (!root) {
		pci_free_resource_list(&resources);
		return -ENODEV;
	}
	return 0;
}

static void remove_root(void)
{
	pci_lock_rescan_remove();
	pci_stop_root_bus(root);
	pci_remove_root_bus(root);
	pci_unlock_rescan_remove();
}

int mtgpu_bus_add(u32 count)
{
	u32 i;
	int ret;

	device_count = count;
	for (i = 0; i < count; i++)
		fill_config(config[i]);
	ret = pci_register_driver(&pci_driver);
	if (ret)
		return ret;
	ret = add_root();
	if (ret)
		goto unregister;
	for (i = 0; i < count; i++)
		if (!mtgpu_devices[i])
			goto remove;
	return 0;

remove:
	ret = -ENODEV;
	remove_root();
unregister:
	pci_unregister_driver(&pci_driver);
	return ret;
}

void mtgpu_bus_remove(void)
{
	remove_root();
	pci_unregister_driver(&pci_driver);
}

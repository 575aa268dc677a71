/* SPDX-License-Identifier: MIT */
/* Initialisation and devices of the driver API. */
#include <stdio.h>
#include <string.h>

#include "drv/attribute.h"
#include "drv/mu_internal.h"

MUresult muInit(unsigned int Flags)
{
	return Flags ? MUSA_ERROR_INVALID_VALUE : mt_init();
}

MUresult muDriverGetVersion(int *driverVersion)
{
	if (!driverVersion)
		return MUSA_ERROR_INVALID_VALUE;
	*driverVersion = MUSA_VERSION;
	return MUSA_SUCCESS;
}

MUresult mt_mu_device(MUdevice device)
{
	MUresult ret = mt_initialised();

	if (!ret && (device < 0 || (uint32_t)device >= mt_device_count()))
		ret = MUSA_ERROR_INVALID_DEVICE;
	return ret;
}

static const struct mt_hw_device_info *info_of(MUdevice device)
{
	return &mt_device_get((uint32_t)device)->info;
}

static int attribute_of(MUdevice device, MUdevice_attribute id)
{
	int value = 0;

	return mt_device_attribute((uint32_t)device, (int)id, &value) ? 0 : value;
}

MUresult muDeviceGet(MUdevice *device, int ordinal)
{
	MUresult ret = mt_mu_device(ordinal);

	if (!ret && !device)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*device = ordinal;
	return ret;
}

MUresult muDeviceGetCount(int *count)
{
	MUresult ret = mt_initialised();

	if (!ret && !count)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*count = (int)mt_device_count();
	return ret;
}

MUresult muDeviceGetName(char *name, int len, MUdevice dev)
{
	MUresult ret = mt_mu_device(dev);

	if (!ret && (!name || len <= 0))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		snprintf(name, (size_t)len, "%s", info_of(dev)->name);
	return ret;
}

MUresult muDeviceGetUuid(MUuuid *uuid, MUdevice dev)
{
	MUresult ret = mt_mu_device(dev);

	if (!ret && !uuid)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		memcpy(uuid, info_of(dev)->uuid, sizeof(*uuid));
	return ret;
}

MUresult muDeviceGetUuid_v2(MUuuid *uuid, MUdevice dev)
{
	return muDeviceGetUuid(uuid, dev);
}

MUresult muDeviceTotalMem_v2(size_t *bytes, MUdevice dev)
{
	MUresult ret = mt_mu_device(dev);

	if (!ret && !bytes)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*bytes = info_of(dev)->memory_b;
	return ret;
}

MUresult muDeviceGetAttribute(int *pi, MUdevice_attribute attrib, MUdevice dev)
{
	MUresult ret = mt_mu_device(dev);

	return ret ? ret : mt_device_attribute((uint32_t)dev, (int)attrib, pi);
}

MUresult muDeviceGetProperties(MUdevprop *prop, MUdevice dev)
{
	MUresult ret = mt_mu_device(dev);

	if (!ret && !prop)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	*prop = (MUdevprop){
		.maxThreadsPerBlock = attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
		.maxThreadsDim = {attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
				  attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
				  attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)},
		.maxGridSize = {attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
				attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
				attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)},
		.sharedMemPerBlock =
			attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
		.totalConstantMemory = attribute_of(dev, MU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY),
		.SIMDWidth = attribute_of(dev, MU_DEVICE_ATTRIBUTE_WARP_SIZE),
		.memPitch = attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_PITCH),
		.regsPerBlock = attribute_of(dev, MU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
		.clockRate = attribute_of(dev, MU_DEVICE_ATTRIBUTE_CLOCK_RATE),
		.textureAlign = attribute_of(dev, MU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
	};
	return MUSA_SUCCESS;
}

MUresult muDeviceComputeCapability(int *major, int *minor, MUdevice dev)
{
	MUresult ret = mt_mu_device(dev);

	if (!ret && (!major || !minor))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	*major = attribute_of(dev, MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
	*minor = attribute_of(dev, MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
	return MUSA_SUCCESS;
}

static void format_bus_id(char text[32], const struct mt_hw_device_info *info)
{
	snprintf(text, 32, "%04x:%02x:%02x.0", (unsigned int)info->pci_domain & 0xffff,
		 (unsigned int)info->pci_bus & 0xff, (unsigned int)info->pci_device & 0xff);
}

MUresult muDeviceGetPCIBusId(char *pciBusId, int len, MUdevice dev)
{
	char text[32];
	MUresult ret = mt_mu_device(dev);

	if (!ret && (!pciBusId || len <= 0))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && info_of(dev)->pci_bus < 0)
		ret = MUSA_ERROR_NOT_SUPPORTED;
	if (ret)
		return ret;
	format_bus_id(text, info_of(dev));
	if (strlen(text) >= (size_t)len)
		return MUSA_ERROR_INVALID_VALUE;
	strcpy(pciBusId, text);
	return MUSA_SUCCESS;
}

/* domain:bus:device.function, or without the function, or without the domain and the function. */
static bool parse_bus_id(const char *text, unsigned int *domain, unsigned int *bus,
			 unsigned int *device)
{
	unsigned int function;
	int end = 0;

	if (sscanf(text, "%x:%x:%x.%x%n", domain, bus, device, &function, &end) == 4 && !text[end])
		return true;
	end = 0;
	if (sscanf(text, "%x:%x:%x%n", domain, bus, device, &end) == 3 && !text[end])
		return true;
	end = 0;
	*domain = 0;
	return sscanf(text, "%x:%x%n", bus, device, &end) == 2 && !text[end];
}

MUresult muDeviceGetByPCIBusId(MUdevice *dev, const char *pciBusId)
{
	unsigned int domain, bus, device;
	MUresult ret = mt_initialised();

	if (!ret && (!dev || !pciBusId || !parse_bus_id(pciBusId, &domain, &bus, &device)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	for (uint32_t i = 0; i < mt_device_count(); i++) {
		const struct mt_hw_device_info *info = &mt_device_get(i)->info;

		if (info->pci_bus >= 0 && (unsigned int)info->pci_domain == domain &&
		    (unsigned int)info->pci_bus == bus &&
		    (unsigned int)info->pci_device == device) {
			*dev = (MUdevice)i;
			return MUSA_SUCCESS;
		}
	}
	return MUSA_ERROR_INVALID_DEVICE;
}

MUresult muDeviceCanAccessPeer(int *canAccessPeer, MUdevice dev, MUdevice peerDev)
{
	MUresult ret = mt_mu_device(dev);

	if (!ret)
		ret = mt_mu_device(peerDev);
	if (!ret && !canAccessPeer)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*canAccessPeer = dev != peerDev;
	return ret;
}

MUresult muDeviceGetP2PAttribute(int *value, MUdevice_P2PAttribute attrib, MUdevice srcDevice,
				 MUdevice dstDevice)
{
	MUresult ret = mt_mu_device(srcDevice);

	if (!ret)
		ret = mt_mu_device(dstDevice);
	if (!ret && srcDevice == dstDevice)
		ret = MUSA_ERROR_INVALID_DEVICE;
	if (!ret && !value)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	switch (attrib) {
	case MU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
		*value = 0;
		return MUSA_SUCCESS;
	case MU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
	case MU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
		*value = 1;
		return MUSA_SUCCESS;
	case MU_DEVICE_P2P_ATTRIBUTE_MUSA_ARRAY_ACCESS_SUPPORTED:
		*value = 1; /* arrays are pitch-linear memory */
		return MUSA_SUCCESS;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
}

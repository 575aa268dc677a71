/* SPDX-License-Identifier: MIT */
/*
 * What the runtime API says about the cards is what the system says. The argument tells where they
 * sit: `pci` or `platform`; 1,024 MiB each, two of them on PCI.
 */
#include <dirent.h>
#include <limits.h>

#include "musa_runtime.h"
#include "uapi.h"

#define MEMORY_B ((size_t)1024 << 20)
#define PIECE_B  ((size_t)64 << 20)

static bool on_pci;

/* The name of the bus' device behind a render node. */
static void sysfs_name(int index, char *name_out, size_t size_b)
{
	char link[64], path[PATH_MAX];

	snprintf(link, sizeof(link), "/sys/class/drm/renderD%d/device", 128 + index);
	name_out[0] = 0;
	if (realpath(link, path))
		snprintf(name_out, size_b, "%s", strrchr(path, '/') + 1);
}

static void count(void)
{
	int devices = 0;

	t_eq(musaGetDeviceCount(&devices), musaSuccess);
	t_eq(devices, on_pci ? 2 : 1);
}

static void places(void)
{
	char name[64], said[64];
	struct musaDeviceProp prop;
	unsigned int domain, bus, device;
	int devices = 0, found;

	t_eq(musaGetDeviceCount(&devices), musaSuccess);
	for (int i = 0; i < devices; i++) {
		t_eq(musaGetDeviceProperties(&prop, i), musaSuccess);
		if (!on_pci) {
			t_eq(prop.pciDomainID, 0);
			t_eq(prop.pciBusID, 0);
			t_eq(prop.pciDeviceID, 0);
			t_true(musaDeviceGetPCIBusId(said, sizeof(said), i) != musaSuccess);
			continue;
		}
		sysfs_name(i, name, sizeof(name));
		t_eq(musaDeviceGetPCIBusId(said, sizeof(said), i), musaSuccess);
		t_true(!strcmp(said, name));
		t_eq(sscanf(name, "%x:%x:%x.", &domain, &bus, &device), 3);
		t_eq(prop.pciDomainID, domain);
		t_eq(prop.pciBusID, bus);
		t_eq(prop.pciDeviceID, device);
		t_eq(musaDeviceGetByPCIBusId(&found, name), musaSuccess);
		t_eq(found, i);
	}
	if (on_pci) {
		t_eq(musaGetDeviceProperties(&prop, 0), musaSuccess);
		memcpy(said, &prop.uuid, sizeof(prop.uuid));
		t_eq(musaGetDeviceProperties(&prop, 1), musaSuccess);
		t_true(memcmp(said, &prop.uuid, sizeof(prop.uuid)));
	}
}

/* Memory that one card gives is missing there and nowhere else, until it is given back. */
static void memory(void)
{
	size_t free_b, total_b, before_b, other_b;
	struct musaDeviceProp prop;
	void *piece;

	t_eq(musaGetDeviceProperties(&prop, 0), musaSuccess);
	t_eq(prop.totalGlobalMem, MEMORY_B);
	if (on_pci) {
		t_eq(musaSetDevice(1), musaSuccess);
		t_eq(musaMemGetInfo(&other_b, &total_b), musaSuccess);
	}
	t_eq(musaSetDevice(0), musaSuccess);
	t_eq(musaMemGetInfo(&before_b, &total_b), musaSuccess);
	t_eq(total_b, MEMORY_B);
	t_eq(musaMalloc(&piece, PIECE_B), musaSuccess);
	t_eq(musaMemGetInfo(&free_b, &total_b), musaSuccess);
	t_eq(before_b - free_b, PIECE_B);
	if (on_pci) {
		t_eq(musaSetDevice(1), musaSuccess);
		t_eq(musaMemGetInfo(&free_b, &total_b), musaSuccess);
		t_eq(free_b, other_b);
		t_eq(musaSetDevice(0), musaSuccess);
	}
	t_eq(musaFree(piece), musaSuccess);
	t_eq(musaMemGetInfo(&free_b, &total_b), musaSuccess);
	t_eq(free_b, before_b);
	t_eq(musaMalloc(&piece, MEMORY_B + 1), musaErrorMemoryAllocation);
	t_eq(musaGetLastError(), musaErrorMemoryAllocation);
}

int main(int argc, char **argv)
{
	static const struct uapi_test tests[] = {
		{"all cards are found", count},
		{"they sit where the system says", places},
		{"memory is counted", memory},
	};

	on_pci = argc > 1 && !strcmp(argv[1], "pci");
	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

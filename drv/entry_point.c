/* SPDX-License-Identifier: MIT */
/* Entry points of the driver API by name: which version of a name a program means. */
#include "drv/entry_point.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_B 128u

/* The first interface in which these names have the parameters of their newest version. */
#define NEW_FORMS 50000

/* Names with which the headers mean one function or another, by the number of arguments. */
static const struct {
	const char *name, *older, *newer;
} forms[] = {
	{ "muGraphInstantiate", "muGraphInstantiate_v2", "muGraphInstantiateWithFlags" },
	{ "muStreamGetCaptureInfo", "muStreamGetCaptureInfo", "muStreamGetCaptureInfo_v2" },
	{ "muGraphExecUpdate", "muGraphExecUpdate", "muGraphExecUpdate_v2" },
	{ "muGetProcAddress", "muGetProcAddress", "muGetProcAddress_v2" },
};

/* Functions whose second version has other parameters and goes by its suffixed name only. */
static const char *const plain[] = {
	"muMemAdvise",
	"muMemPrefetchAsync",
	"muGraphAddKernelNode",
	"muGraphKernelNodeGetParams",
	"muGraphKernelNodeSetParams",
	"muGraphExecKernelNodeSetParams",
	"muGraphAddNode",
	"muGraphAddDependencies",
	"muGraphRemoveDependencies",
	"muGraphGetEdges",
	"muGraphNodeGetDependencies",
	"muGraphNodeGetDependentNodes",
	"muStreamUpdateCaptureDependencies",
};

static bool is_plain(const char *name)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (!strcmp(plain[i], name))
			return true;
	}
	return false;
}

/* An exported function of this library, wherever it was loaded to. */
static void *find(const char *name)
{
	static const char here;
	Dl_info own;
	void *library, *address;

	if (!dladdr(&here, &own) || !own.dli_fname)
		return NULL;
	library = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return NULL;
	address = dlsym(library, name);
	dlclose(library); /* it is this library, which stays */
	return address;
}

static void *find_version(const char *name, int version)
{
	char suffixed[NAME_MAX_B + 4];
	void *address;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!strcmp(forms[i].name, name))
			return find(version < NEW_FORMS ? forms[i].older : forms[i].newer);
	}
	if (!is_plain(name)) {
		snprintf(suffixed, sizeof(suffixed), "%s_v2", name);
		address = find(suffixed);
		if (address)
			return address;
	}
	return find(name);
}

MUresult mt_entry_point(const char *name, int version, uint64_t flags, void **out,
			MUdriverProcAddressQueryResult *status_out)
{
	void *address = NULL;

	if (!name || !out || flags > MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
		return MUSA_ERROR_INVALID_VALUE;
	*out = NULL;
	if (flags == MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
		return MUSA_ERROR_NOT_SUPPORTED;
	if (!strncmp(name, "mu", 2) && strlen(name) < NAME_MAX_B)
		address = find_version(name, version);
	if (!address)
		*status_out = MU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	else if (version > MUSA_VERSION)
		*status_out = MU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
	else
		*status_out = MU_GET_PROC_ADDRESS_SUCCESS;
	if (*status_out == MU_GET_PROC_ADDRESS_SUCCESS)
		*out = address;
	return MUSA_SUCCESS;
}

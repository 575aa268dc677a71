/* SPDX-License-Identifier: MIT */
/*
 * Entry points that the compiler's host code calls: registration of fat binaries, kernels and
 * variables at program start, and the launch configuration between <<<>>> and the stub.
 */
#include "drv/rt.h"

#include <string.h>

#include "vector_types.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void **__musaRegisterFatBinary(const void *wrapper);
EXPORT void __musaRegisterFatBinaryEnd(void **binary);
EXPORT void __musaUnregisterFatBinary(void **binary);
EXPORT int __musaRegisterFunction(void **binary, const void *stub, char *deviceName,
				  const char *deviceName2, int threadLimit, uint3 *tid, uint3 *bid,
				  dim3 *blockDim, dim3 *gridDim, int *warpSize);
EXPORT void __musaRegisterVar(void **binary, void *hostVar, char *deviceName,
			      const char *deviceName2, int ext, size_t size, int constant, int global);
EXPORT void __musaRegisterManagedVar(void **binary, void **hostVar, char *deviceName,
				     const char *deviceName2, int ext, size_t size, int constant,
				     int global);
EXPORT char __musaInitModule(void **binary);
EXPORT unsigned int __musaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
						void *stream);
EXPORT musaError_t __musaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
					      void *stream);

void **__musaRegisterFatBinary(const void *wrapper)
{
	return mt_drv->mt_register_fat_binary(wrapper);
}

void __musaRegisterFatBinaryEnd(void **binary)
{
	(void)binary; /* everything loads at first use */
}

void __musaUnregisterFatBinary(void **binary)
{
	mt_drv->mt_unregister_fat_binary(binary);
}

int __musaRegisterFunction(void **binary, const void *stub, char *deviceName,
			   const char *deviceName2, int threadLimit, uint3 *tid, uint3 *bid,
			   dim3 *blockDim, dim3 *gridDim, int *warpSize)
{
	/* The code object's metadata has the limits. */
	(void)deviceName2;
	(void)threadLimit;
	(void)tid;
	(void)bid;
	(void)blockDim;
	(void)gridDim;
	(void)warpSize;
	mt_drv->mt_register_function(binary, stub, deviceName);
	return 0;
}

void __musaRegisterVar(void **binary, void *hostVar, char *deviceName, const char *deviceName2,
		       int ext, size_t size, int constant, int global)
{
	(void)deviceName2;
	(void)ext;
	(void)global;
	mt_drv->mt_register_variable(binary, hostVar, deviceName, size, constant != 0);
}

void __musaRegisterManagedVar(void **binary, void **hostVar, char *deviceName,
			      const char *deviceName2, int ext, size_t size, int constant, int global)
{
	__musaRegisterVar(binary, hostVar, deviceName, deviceName2, ext, size, constant, global);
}

char __musaInitModule(void **binary)
{
	(void)binary;
	return 1;
}

/* Configurations nest: an argument expression of a launch may itself launch. */
#define CONFIG_DEPTH 16

static _Thread_local struct {
	dim3 grid, block;
	size_t shared_b;
	void *stream;
} configs[CONFIG_DEPTH];
static _Thread_local unsigned int config_count;

unsigned int __musaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, void *stream)
{
	if (config_count == CONFIG_DEPTH) {
		mt_rt_return((MUresult)musaErrorMissingConfiguration);
		return 1;
	}
	configs[config_count].grid = gridDim;
	configs[config_count].block = blockDim;
	configs[config_count].shared_b = sharedMem;
	configs[config_count].stream = stream;
	config_count++;
	return 0;
}

musaError_t __musaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
				       void *stream)
{
	if (!config_count)
		return mt_rt_return((MUresult)musaErrorMissingConfiguration);
	config_count--;
	*gridDim = configs[config_count].grid;
	*blockDim = configs[config_count].block;
	*sharedMem = configs[config_count].shared_b;
	memcpy(stream, &configs[config_count].stream, sizeof(void *));
	return musaSuccess;
}

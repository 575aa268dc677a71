/* SPDX-License-Identifier: MIT */
/*
 * What `<<<...>>>` becomes. clang's front end looks for HIP's names; the first has the runtime's
 * symbol at once, the second gets it from mtcc in the IR, because clang makes the call by name.
 */
#ifndef __MUSA_DEVICE_LAUNCH_H__
#define __MUSA_DEVICE_LAUNCH_H__

#include "../driver_types.h"

extern "C" {
unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
					struct MUstream_st *stream = 0)
	__asm__("__musaPushCallConfiguration");
musaError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
			    size_t shared, musaStream_t stream);
}

#endif

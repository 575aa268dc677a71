/* SPDX-License-Identifier: MIT */
/* The whole library in a test's program, on the fake kernel. */
#ifndef MT_TEST_DRM_API_H
#define MT_TEST_DRM_API_H

#include <criterion/criterion.h>

#include "fake.h"
#include "musa_runtime.h"

#define OK(call)                                                                                   \
	do {                                                                                       \
		musaError_t ok_got = (call);                                                       \
		cr_assert_eq(ok_got, musaSuccess, "%s gives %s", #call, musaGetErrorName(ok_got)); \
	} while (0)

/* Puts the fake in place before the library looks for devices, and makes the context. */
static inline void api_start(uint16_t generation)
{
	setenv("MUSA_BACKEND", "drm", 1);
	fake_install(generation);
	OK(musaSetDevice(0));
	OK(musaFree(NULL));
}

#endif

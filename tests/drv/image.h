/* SPDX-License-Identifier: MIT */
/* Code objects with hand-written kernels, so that a test needs neither the compiler nor the APIs.
 */
#ifndef TESTS_DRV_IMAGE_H
#define TESTS_DRV_IMAGE_H

#include "tests/codeobj/builder.h"

/*
 * Kernels, all of one thread:
 *   empty()
 *   add(u64 *counter)             atomic increment
 *   append(struct log *, u32 id)  atomic append
 *   spin(u32 *flag)               until it is not 0
 *   copy64(u64 *to, u64 *from)
 *   trap()
 * Variables: "cell" of 8 bytes, 5 at first, and "space" of 64, zero.
 */
void device_image(struct cob_buf *image);         /* a bundle with the mock's member */
void device_image_foreign(struct cob_buf *image); /* a bundle with an mp_31 member only */

#endif

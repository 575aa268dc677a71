/* SPDX-License-Identifier: MIT */
/* Timeline semaphores as another API makes them, for tests of external semaphores. */
#ifndef TEST_SEMAPHORE_H
#define TEST_SEMAPHORE_H

#include "drv/ext_semaphore.h"
#include "support.h"

/* A new one of device 0: a descriptor of it, and (unless NULL) the object behind it. */
int t_semaphore_fd(struct mt_ext_semaphore **object_out);
/* Takes the descriptor over. */
musaExternalSemaphore_t t_semaphore_import(int fd);
/* Both of it. */
musaExternalSemaphore_t t_semaphore(struct mt_ext_semaphore **object_out);

#endif

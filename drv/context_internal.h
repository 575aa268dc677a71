/* SPDX-License-Identifier: MIT */
/* What initialisation and contexts ask of each other. */
#ifndef MT_DRV_CONTEXT_INTERNAL_H
#define MT_DRV_CONTEXT_INTERNAL_H

#include "drv/context.h"

const struct mt_graph_hooks *mt_graph_hooks_get(void); /* NULL if none are set */

/* Destroys a device's primary context if there is one. No work is in flight, or the device has
 * failed. */
void mt_ctx_end(uint32_t device);

#endif

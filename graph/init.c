/* SPDX-License-Identifier: MIT */
/* Registers the graph layer with the driver layer when the library is loaded, before any call. */
#include "graph/capture.h"

__attribute__((constructor)) static void register_layer(void)
{
	mt_capture_init();
}

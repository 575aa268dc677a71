/* SPDX-License-Identifier: MIT */
/* Registers the graph layer with the driver layer when the library is loaded, before any call. */
#include "graph/capture.h"
#include "graph/exec_context.h"

__attribute__((constructor)) static void register_layer(void)
{
	mt_capture_init();
	mt_exec_context_init();
}

/* SPDX-License-Identifier: MIT */
/* The same calls as seen by C++. */
#include "driver_forms_c.c"

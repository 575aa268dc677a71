/* SPDX-License-Identifier: MIT */
/* The same facts as seen by C++. */
#include "driver_abi.c"

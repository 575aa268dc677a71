/* SPDX-License-Identifier: MIT */
/* The same facts as seen by C++. */
#include "runtime_abi.c"

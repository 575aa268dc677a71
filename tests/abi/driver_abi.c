/* SPDX-License-Identifier: MIT */
/* Types, values and prototypes of the driver API are the ones that binaries rely on. */
#include "musa.h"

#include "facts.h"

#include "driver_enums.def"
#include "driver_functions.def"
#include "driver_layout.def"
#include "driver_macros.def"

#undef HANDLE_ROW
#define HANDLE_ROW(name, value) bad += (uintptr_t)(name) != (value);
#undef SAME_ROW
#define SAME_ROW(a, b)
#undef VALUE_ROW
#define VALUE_ROW(name, value)

int main(void)
{
	int bad = 0;

#include "driver_macros.def"
	return bad != 0;
}

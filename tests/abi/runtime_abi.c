/* SPDX-License-Identifier: MIT */
/* Types, values and prototypes of the runtime API are the ones that binaries rely on. */
#include "musa_runtime.h"

#include "facts.h"

#include "runtime_enums.def"
#include "runtime_extra.def"
#include "runtime_functions.def"
#include "runtime_layout.def"
#include "runtime_macros.def"
#include "vector_layout.def"

#undef HANDLE_ROW
#define HANDLE_ROW(name, value) bad += (uintptr_t)(name) != (value);
#undef SAME_ROW
#define SAME_ROW(a, b)
#undef VALUE_ROW
#define VALUE_ROW(name, value)

int main(void)
{
	int bad = 0;

#include "runtime_macros.def"
	return bad != 0;
}

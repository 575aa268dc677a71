/* SPDX-License-Identifier: MIT */
/*
 * What a program is told where the card cannot be used. The argument says why it cannot: the number
 * of the error that is expected; 0: it can.
 */
#include <stdio.h>
#include <stdlib.h>

#include "musa_runtime.h"

int main(int argc, char **argv)
{
	int count = -1, wanted = argc > 1 ? atoi(argv[1]) : 0;
	musaError_t error = musaGetDeviceCount(&count);
	void *memory;

	printf("musaGetDeviceCount: %s, %d\n", musaGetErrorName(error), count);
	if ((int)error != wanted)
		return 1;
	error = musaMalloc(&memory, 4096);
	printf("musaMalloc: %s\n", musaGetErrorName(error));
	return (int)error != wanted;
}

/* SPDX-License-Identifier: MIT */
/* Functions that are called and not inlined know which thread runs them, on every worker. */
#include "driver_test.h"

Test(driver_called_functions, know_their_thread, .timeout = 60)
{
	enum { BLOCKS = 300, THREADS = 64, DEPTH = 20 };
	static int got[BLOCKS * THREADS];
	MUdeviceptr to;
	int depth = DEPTH;
	void *args[] = {&to, &depth};

	d_context();
	to = d_ints(BLOCKS * THREADS);
	for (int round = 0; round < 20; round++) {
		OK(muMemsetD32(to, 0, BLOCKS * THREADS));
		OK(muLaunchKernel(d_function("number"), BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, args,
				  NULL));
		OK(muMemcpyDtoH(got, to, sizeof(got)));
		for (int i = 0; i < BLOCKS * THREADS; i++)
			EQ(got[i], i + DEPTH);
	}
}

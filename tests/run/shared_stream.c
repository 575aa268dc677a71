/* SPDX-License-Identifier: MIT */
/* Threads that fill one stream beyond what it holds lose no launch, and the order is the stream's. */
#include <pthread.h>

#include "support.h"

#define THREADS  4
#define LAUNCHES 500  /* of each; together more than a stream holds */

struct launcher {
	pthread_t thread;
	musaStream_t stream;
	int *word;
	musaError_t error;
};

static void *launch_all(void *argument)
{
	struct launcher *launcher = argument;
	const dim3 one = {1, 1, 1};
	void *args[] = {&launcher->word};

	for (int i = 0; i < LAUNCHES && !launcher->error; i++)
		launcher->error =
			musaLaunchKernel(kernel_inc, one, one, args, 0, launcher->stream);
	return NULL;
}

Test(shared_stream, full_by_several_threads, .timeout = 300)
{
	musaStream_t stream = t_stream();
	int *word = t_ints(1);
	struct launcher launchers[THREADS];

	for (int i = 0; i < THREADS; i++) {
		launchers[i] = (struct launcher){.stream = stream, .word = word};
		EQ(pthread_create(&launchers[i].thread, NULL, launch_all, &launchers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		EQ(pthread_join(launchers[i].thread, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		OK(launchers[i].error);
	OK(musaStreamSynchronize(stream));
	EQ(t_read(word), THREADS * LAUNCHES);
}

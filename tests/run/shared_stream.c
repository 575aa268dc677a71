/* SPDX-License-Identifier: MIT */
/* Threads that fill one stream beyond what it holds lose no launch, and the order is the stream's. */
#include <pthread.h>

#include "support.h"

#define THREADS  4
#define LAUNCHES 500  /* of each; together more than a stream holds */

struct shared {
	musaStream_t stream;
	int *word;
};

static void *launch_all(void *argument)
{
	struct shared *shared = argument;
	const dim3 one = {1, 1, 1};
	void *args[] = {&shared->word};

	for (int i = 0; i < LAUNCHES; i++)
		if (musaLaunchKernel(kernel_inc, one, one, args, 0, shared->stream))
			return shared;
	return NULL;
}

Test(shared_stream, full_by_several_threads, .timeout = 300)
{
	struct shared shared = {.stream = t_stream(), .word = t_ints(1)};
	pthread_t threads[THREADS];
	void *failed;

	for (int i = 0; i < THREADS; i++)
		EQ(pthread_create(&threads[i], NULL, launch_all, &shared), 0);
	for (int i = 0; i < THREADS; i++) {
		EQ(pthread_join(threads[i], &failed), 0);
		cr_assert_null(failed);
	}
	OK(musaStreamSynchronize(shared.stream));
	EQ(t_read(shared.word), THREADS * LAUNCHES);
}

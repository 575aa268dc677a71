/* SPDX-License-Identifier: MIT */
/* Execution on the software GPU beside what plain loops of the host do with as many threads. */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define SAXPY_COUNT (64l << 20)
#define COPY_B      ((size_t)64 << 20)
#define THREADS_MAX 64

extern const void *const kernel_bench_saxpy, *const kernel_bench_saxpy_stride,
	*const kernel_bench_pass_round, *const kernel_bench_stamp;
void saxpy_loop(float a, const float *restrict x, float *restrict y, long from, long to);

/* As many as the device has. */
static int thread_count(void)
{
	const char *text = getenv("MUSA_MOCK_THREADS");
	int count = text ? atoi(text) : 2;

	return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : count;
}

static void device_time(struct bench *b, const char *name, size_t n, const void *kernel,
			unsigned int grid, unsigned int block, void **args, double units,
			const char *unit)
{
	const dim3 grid_dim = {grid, 1, 1}, block_dim = {block, 1, 1};

	for (int r = -1; r < b->repeats; r++) {
		if (r >= 0)
			bench_start(b);
		CHECK(musaLaunchKernel(kernel, grid_dim, block_dim, args, 0, b->stream));
		CHECK(musaStreamSynchronize(b->stream));
		if (r >= 0)
			bench_stop(b, r, units);
	}
	report_plain(b, name, "-", n, unit);
}

/* --- the host's part ---------------------------------------------------------------------------- */

struct share {
	pthread_t thread;
	void (*run)(const struct share *share);
	char *to;
	const char *from;
	long first, end; /* floats, or bytes */
};

static void run_saxpy(const struct share *share)
{
	saxpy_loop(2.0f, (const float *)(const void *)share->from, (float *)(void *)share->to,
		   share->first, share->end);
}

static void run_copy(const struct share *share)
{
	memcpy(share->to + share->first, share->from + share->first,
	       (size_t)(share->end - share->first));
}

static void *share_main(void *argument)
{
	const struct share *share = argument;

	share->run(share);
	return NULL;
}

static void host_time(struct bench *b, const char *name, size_t n, struct share share, double units,
		      const char *unit)
{
	struct share shares[THREADS_MAX];
	int count = thread_count();

	for (int r = -1; r < b->repeats; r++) {
		if (r >= 0)
			bench_start(b);
		for (int i = 0; i < count; i++) {
			shares[i] = share;
			shares[i].first = share.end / count * i;
			shares[i].end = i == count - 1 ? share.end : share.end / count * (i + 1);
			if (i)
				pthread_create(&shares[i].thread, NULL, share_main, &shares[i]);
		}
		share.run(&shares[0]);
		for (int i = 1; i < count; i++)
			pthread_join(shares[i].thread, NULL);
		if (r >= 0)
			bench_stop(b, r, units);
	}
	report_plain(b, name, "-", n, unit);
}

/* --- rows --------------------------------------------------------------------------------------- */

static void bench_saxpy(struct bench *b)
{
	size_t size_b = SAXPY_COUNT * sizeof(float);
	float a = 2.0f, *x, *y;
	long n = SAXPY_COUNT;
	void *args[] = {&a, &x, &y, &n};
	struct share share = {.run = run_saxpy, .end = SAXPY_COUNT};

	CHECK(musaMalloc((void **)&x, size_b));
	CHECK(musaMalloc((void **)&y, size_b));
	CHECK(musaMemset(x, 0, size_b));
	CHECK(musaMemset(y, 0, size_b));
	device_time(b, "saxpy", SAXPY_COUNT, kernel_bench_saxpy, SAXPY_COUNT / 256, 256, args, 1e6,
		    "ms");
	device_time(b, "saxpy-stride", SAXPY_COUNT, kernel_bench_saxpy_stride, 1024, 256, args, 1e6,
		    "ms");
	CHECK(musaFree(x));
	CHECK(musaFree(y));
	share.from = aligned_alloc(4096, size_b);
	share.to = aligned_alloc(4096, size_b);
	memset((void *)(uintptr_t)share.from, 0, size_b);
	memset(share.to, 0, size_b);
	host_time(b, "saxpy-clang", SAXPY_COUNT, share, 1e6, "ms");
	free((void *)(uintptr_t)share.from);
	free(share.to);
}

static void bench_barrier(struct bench *b)
{
	static const unsigned int blocks[] = {256, 1024};
	unsigned int *out;
	int rounds = 1000;
	void *args[] = {&out, &rounds};

	CHECK(musaMalloc((void **)&out, 4096));
	for (int i = 0; i < 2; i++)
		device_time(b, "barrier", blocks[i], kernel_bench_pass_round, 1, blocks[i], args,
			    (double)blocks[i] * rounds, "ns/thread");
	CHECK(musaFree(out));
}

static void bench_copy(struct bench *b)
{
	struct share share = {.run = run_copy, .end = COPY_B};
	void *from, *to;

	CHECK(musaMalloc(&from, COPY_B));
	CHECK(musaMalloc(&to, COPY_B));
	CHECK(musaMemset(from, 1, COPY_B));
	CHECK(musaMemset(to, 2, COPY_B));
	for (int r = -1; r < b->repeats; r++) {
		if (r >= 0)
			bench_start(b);
		CHECK(musaMemcpyAsync(to, from, COPY_B, musaMemcpyDeviceToDevice, b->stream));
		CHECK(musaStreamSynchronize(b->stream));
		if (r >= 0)
			bench_stop(b, r, 1e6);
	}
	report_plain(b, "copy", "-", COPY_B, "ms");
	CHECK(musaFree(from));
	CHECK(musaFree(to));
	share.from = aligned_alloc(4096, COPY_B);
	share.to = aligned_alloc(4096, COPY_B);
	memset((void *)(uintptr_t)share.from, 1, COPY_B);
	memset(share.to, 2, COPY_B);
	host_time(b, "copy-memcpy", COPY_B, share, 1e6, "ms");
	free((void *)(uintptr_t)share.from);
	free(share.to);
}

/* From the launch call until a store of the kernel is seen, with all workers asleep before, and what the
 * call itself took of it. After a longer pause processors sleep deeper and caches hold less. */
static void bench_wake(struct bench *b, int pause_ms)
{
	struct timespec pause = {.tv_nsec = pause_ms * 1000000L};
	char name[32];
	double calls[REPEATS_MAX];
	unsigned int value = 0;
	const dim3 one = {1, 1, 1};
	volatile unsigned int *word;
	void *memory;
	void *args[] = {&memory, &value};

	CHECK(musaMallocManaged(&memory, 64, musaMemAttachGlobal));
	word = memory;
	*word = 0;
	for (int r = -1; r < b->repeats; r++) {
		double start;

		CHECK(musaStreamSynchronize(b->stream));
		nanosleep(&pause, NULL);
		value++;
		if (r >= 0)
			bench_start(b);
		start = now_ns();
		CHECK(musaLaunchKernel(kernel_bench_stamp, one, one, args, 0, b->stream));
		if (r >= 0)
			calls[r] = (now_ns() - start) / 1000;
		while (*word != value)
			;
		if (r >= 0)
			bench_stop(b, r, 1000);
	}
	CHECK(musaStreamSynchronize(b->stream));
	snprintf(name, sizeof(name), "wake-%dms", pause_ms);
	report_plain(b, name, "-", 1, "us");
	memcpy(b->samples, calls, sizeof(double) * (size_t)b->repeats);
	snprintf(name, sizeof(name), "wake-call-%dms", pause_ms);
	report_plain(b, name, "-", 1, "us");
	CHECK(musaFree(memory));
}

struct sleeper {
	sem_t call;
	volatile unsigned int word;
};

static void *sleep_main(void *argument)
{
	struct sleeper *sleeper = argument;
	unsigned int word;

	do {
		while (sem_wait(&sleeper->call))
			;
		word = sleeper->word + 1;
		sleeper->word = word;
	} while (word != UINT32_MAX);
	return NULL;
}

/* What waking a plain thread takes: the least that a launch with all workers asleep can take. */
static void bench_wake_thread(struct bench *b, int pause_ms)
{
	struct timespec pause = {.tv_nsec = pause_ms * 1000000L};
	char name[32];
	struct sleeper sleeper = {.word = 0};
	pthread_t thread;

	sem_init(&sleeper.call, 0, 0);
	if (pthread_create(&thread, NULL, sleep_main, &sleeper))
		check(musaErrorUnknown, "a thread");
	for (int r = 0; r < b->repeats; r++) {
		unsigned int before = sleeper.word;

		nanosleep(&pause, NULL);
		bench_start(b);
		sem_post(&sleeper.call);
		while (sleeper.word == before)
			;
		bench_stop(b, r, 1000);
	}
	snprintf(name, sizeof(name), "wake-thread-%dms", pause_ms);
	report_plain(b, name, "-", 1, "us");
	sleeper.word = UINT32_MAX - 1;
	sem_post(&sleeper.call);
	pthread_join(thread, NULL);
	sem_destroy(&sleeper.call);
}

/* Processor time of the process while nothing happens. */
static void bench_idle(struct bench *b)
{
	struct timespec pause = {.tv_nsec = 200000000}, before, after;

	CHECK(musaStreamSynchronize(b->stream));
	nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	report_number(b, "idle", "-", 1,
		      ((double)(after.tv_sec - before.tv_sec) * 1e9 +
		       (double)(after.tv_nsec - before.tv_nsec)) / 0.2 / 1000, "us/s");
}

void rows_device(struct bench *b)
{
	if (b->counts) /* the work is other threads' */
		return;
	if (wanted(b, "saxpy"))
		bench_saxpy(b);
	if (wanted(b, "barrier"))
		bench_barrier(b);
	if (wanted(b, "copy"))
		bench_copy(b);
	if (wanted(b, "wake")) {
		for (int pause_ms = 1; pause_ms <= 40; pause_ms += 39) {
			bench_wake(b, pause_ms);
			bench_wake_thread(b, pause_ms);
		}
	}
	if (wanted(b, "idle"))
		bench_idle(b);
}

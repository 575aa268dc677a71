/* SPDX-License-Identifier: MIT */
/*
 * Call k of the kernel fails while a program works with the runtime API: memory, capture,
 * instantiation, launch, update, wait and teardown. The call that needed it says so, and succeeds
 * when it is made again; a lost card is a sticky error, and nothing hangs. Each k is a process of
 * its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api_test.h"

#define COUNT     1024
#define BYTES     (COUNT * sizeof(int))
#define CALLS_MAX 2000

/* How a child ends. */
enum verdict {
	GOOD = 0,
	LOST = 2, /* the card has stopped, and says so */
	BAD = 3,
	TOO_FEW = 4, /* the program makes fewer than k calls */
};

struct program {
	int *device, *in, *out;
	musaStream_t stream;
	musaEvent_t event;
	musaGraph_t graph;
	musaGraphExec_t exec;
	musaGraphNode_t copy;
	int calls;
};

static void count_call(void *data)
{
	++*(int *)data;
}

static musaError_t make_device(struct program *p)
{
	return musaMalloc((void **)&p->device, BYTES);
}

static musaError_t make_in(struct program *p)
{
	musaError_t ret = musaMallocHost((void **)&p->in, 2 * BYTES);

	for (int i = 0; !ret && i < 2 * COUNT; i++)
		p->in[i] = i;
	return ret;
}

static musaError_t make_out(struct program *p)
{
	return musaMallocHost((void **)&p->out, BYTES);
}

static musaError_t make_stream(struct program *p)
{
	return musaStreamCreate(&p->stream);
}

static musaError_t make_event(struct program *p)
{
	return musaEventCreate(&p->event);
}

static musaError_t copy_in(struct program *p)
{
	return musaMemcpyAsync(p->device, p->in, BYTES, musaMemcpyHostToDevice, p->stream);
}

static musaError_t record(struct program *p)
{
	return musaEventRecord(p->event, p->stream);
}

static musaError_t wait_for_all(struct program *p)
{
	return musaStreamSynchronize(p->stream);
}

/* A capture that was broken is given up as a whole. */
static musaError_t capture(struct program *p)
{
	musaError_t ret = musaStreamBeginCapture(p->stream, musaStreamCaptureModeThreadLocal), end;

	if (ret)
		return ret;
	ret = musaMemcpyAsync(p->device, p->in, BYTES, musaMemcpyHostToDevice, p->stream);
	if (!ret)
		ret = musaMemsetAsync(p->device, 0xff, sizeof(int), p->stream);
	if (!ret)
		ret = musaLaunchHostFunc(p->stream, count_call, &p->calls);
	if (!ret)
		ret = musaMemcpyAsync(p->out, p->device, BYTES, musaMemcpyDeviceToHost, p->stream);
	end = musaStreamEndCapture(p->stream, &p->graph);
	return ret ? ret : end;
}

static musaError_t instantiate(struct program *p)
{
	size_t count = 1;
	musaError_t ret = musaGraphGetRootNodes(p->graph, &p->copy, &count);

	return ret ? ret : musaGraphInstantiate(&p->exec, p->graph, 0);
}

static musaError_t launch(struct program *p)
{
	return musaGraphLaunch(p->exec, p->stream);
}

static musaError_t update(struct program *p)
{
	return musaGraphExecMemcpyNodeSetParams1D(p->exec, p->copy, p->device, p->in + COUNT, BYTES,
						  musaMemcpyHostToDevice);
}

/* All of it, whatever the calls before say; the first error, 0 for none. */
static musaError_t tear_down(struct program *p)
{
	const musaError_t results[] = {
		p->exec ? musaGraphExecDestroy(p->exec) : musaSuccess,
		p->graph ? musaGraphDestroy(p->graph) : musaSuccess,
		p->event ? musaEventDestroy(p->event) : musaSuccess,
		p->stream ? musaStreamDestroy(p->stream) : musaSuccess,
		musaFree(p->device),
		musaFreeHost(p->in),
		musaFreeHost(p->out),
		musaDeviceReset(),
	};

	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		if (results[i])
			return results[i];
	return musaSuccess;
}

static const struct {
	const char *name;
	musaError_t (*act)(struct program *p);
} steps[] = {
	{"device memory", make_device},
	{"pinned memory", make_in},
	{"pinned memory", make_out},
	{"stream", make_stream},
	{"event", make_event},
	{"copy", copy_in},
	{"record", record},
	{"wait", wait_for_all},
	{"capture", capture},
	{"instantiate", instantiate},
	{"launch", launch},
	{"update", update},
	{"launch", launch},
	{"wait", wait_for_all},
};

#define STEP_COUNT (sizeof(steps) / sizeof(steps[0]))

static int complain(const char *step, uint64_t k, int reason, const char *what, musaError_t ret)
{
	fprintf(stderr, "call %llu (0x%lx) gives %s: %s: %s (%s)\n", (unsigned long long)k,
		fake_failed(), strerror(reason), step, what, musaGetErrorName(ret));
	return BAD;
}

/* Whether the device stops for good: the card is lost, or a job names memory that is not there. */
static bool is_loss(int reason)
{
	return reason == EIO || reason == ENODEV ||
	       (reason == EFAULT && fake_failed() == DRM_IOCTL_MTGPU_JOB_SUBMIT_V3);
}

/* The steps in order, each once more if it fails. 0, or what the whole ends with. */
static int run_steps(struct program *p, uint64_t k, int reason)
{
	musaError_t ret;

	for (size_t i = 0; i < STEP_COUNT; i++) {
		ret = steps[i].act(p);
		if (!ret)
			continue;
		if (fake_calls() < k)
			return complain(steps[i].name, k, reason, "fails too early", ret);
		if (musaGetLastError() == musaSuccess)
			return complain(steps[i].name, k, reason, "left no last error", ret);
		/* Only a device that has stopped may fail again, and goes on failing. */
		ret = steps[i].act(p);
		if (ret && !is_loss(reason))
			return complain(steps[i].name, k, reason, "fails again", ret);
		if (ret && musaDeviceSynchronize() == musaSuccess)
			return complain(steps[i].name, k, reason, "is not sticky", ret);
		if (ret)
			return LOST;
	}
	return GOOD;
}

static int check_results(const struct program *p, uint64_t k, int reason)
{
	for (int i = 0; i < COUNT; i++)
		if (p->out[i] != (i ? i + COUNT : -1))
			return complain("result", k, reason, "wrong", musaSuccess);
	if (p->calls != 2)
		return complain("host function", k, reason, "not twice", musaSuccess);
	return GOOD;
}

/* The whole program with call k failing, counted from the context's end of creation. */
static int run_program(uint16_t generation, uint64_t k, int reason)
{
	const struct fake_failure failure = {.at = k, .error = reason};
	struct program p = {0};
	struct fake_counts counts;
	musaError_t ret;
	int verdict;

	api_start(generation);
	fake_fail(&failure);
	verdict = run_steps(&p, k, reason);
	if (verdict == GOOD)
		verdict = check_results(&p, k, reason);
	if (verdict == BAD)
		return BAD;
	ret = tear_down(&p);
	if (ret && !is_loss(reason))
		return complain("teardown", k, reason, "fails", ret);
	if (fake_calls() < k)
		return TOO_FEW;
	fake_counts_get(&counts);
	/* What the kernel refuses to take back is the kernel's. */
	if (counts.queues && !is_loss(reason) &&
	    fake_failed() != DRM_IOCTL_MTGPU_JOB_CONTEXT_DESTROY)
		return complain("teardown", k, reason, "leaves queues", ret);
	return GOOD;
}

/* ThreadSanitizer, the slowest, gets another third of the calls with each reason: the others see that
 * nothing leaks, and it looks at threads. */
#ifdef __SANITIZE_THREAD__
#define CALL_STEP 3u
#else
#define CALL_STEP 1u
#endif

/* False: the program has ended before call k. */
static bool run_child(uint16_t generation, uint64_t k, int reason)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		alarm(120);
		exit(run_program(generation, k, reason));
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFEXITED(status), "call %d, %s: signal %d", (int)k, strerror(reason),
		  WTERMSIG(status));
	cr_expect(WEXITSTATUS(status) == GOOD || WEXITSTATUS(status) == TOO_FEW, "call %d, %s: %d",
		  (int)k, strerror(reason), WEXITSTATUS(status));
	return WEXITSTATUS(status) != TOO_FEW;
}

static void every_call(uint16_t generation, const int *reasons)
{
	for (uint64_t first = 1; *reasons; reasons++, first++)
		for (uint64_t k = 1 + first % CALL_STEP; run_child(generation, k, *reasons);
		     k += CALL_STEP)
			cr_assert_lt(k, CALLS_MAX);
}

TestSuite(api_failures, .timeout = 600);

static const int memory[] = {ENOMEM, ENOSPC, 0};
static const int refusal[] = {
	EINVAL,
/* Sanitizers are slow about processes, and these take the same ways. */
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
	EPERM,  EFAULT, EBUSY,
#endif
	0,
};
static const int loss[] = {EIO, ENODEV, 0};
static const int signals[] = {EINTR, EAGAIN, 0};

Test(api_failures, memory_by_jobs)
{
	every_call(FAKE_GEN_MP22, memory);
}

Test(api_failures, refusal_by_jobs)
{
	every_call(FAKE_GEN_MP22, refusal);
}

Test(api_failures, loss_by_jobs)
{
	every_call(FAKE_GEN_MP22, loss);
}

Test(api_failures, signals_by_jobs)
{
	every_call(FAKE_GEN_MP22, signals);
}

Test(api_failures, memory_by_packets)
{
	every_call(FAKE_GEN_SIM, memory);
}

Test(api_failures, refusal_by_packets)
{
	every_call(FAKE_GEN_SIM, refusal);
}

Test(api_failures, loss_by_packets)
{
	every_call(FAKE_GEN_SIM, loss);
}

Test(api_failures, signals_by_packets)
{
	every_call(FAKE_GEN_SIM, signals);
}

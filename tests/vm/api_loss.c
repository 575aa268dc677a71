/* SPDX-License-Identifier: MIT */
/*
 * The runtime API on cards that hang, die, are slow or are reset: nothing waits for ever, every
 * later call says so, and the next process starts afresh. Each case is a process, because such
 * errors are sticky.
 */
#include <sys/wait.h>

#include "musa_runtime.h"
#include "uapi.h"

#define SIZE_B (1 << 20)

struct world {
	musaStream_t stream;
	char *device, *host;
};

static void expect(const char *what, musaError_t got, musaError_t wanted)
{
	if (got != wanted) {
		printf("# %s gives %s, not %s\n", what, musaGetErrorName(got),
		       musaGetErrorName(wanted));
		_exit(1);
	}
}
#define EXPECT(wanted, call) expect(#call, call, wanted)

static void setup(struct world *world)
{
	EXPECT(musaSuccess, musaStreamCreate(&world->stream));
	EXPECT(musaSuccess, musaMalloc((void **)&world->device, SIZE_B));
	EXPECT(musaSuccess, musaMallocHost((void **)&world->host, SIZE_B));
	memset(world->host, 5, SIZE_B);
	EXPECT(musaSuccess, musaMemcpyAsync(world->device, world->host, SIZE_B,
					    musaMemcpyHostToDevice, world->stream));
	EXPECT(musaSuccess, musaStreamSynchronize(world->stream));
}

static musaError_t copy_back(struct world *world)
{
	musaError_t error = musaMemcpyAsync(world->host, world->device, SIZE_B,
					    musaMemcpyDeviceToHost, world->stream);

	return error ? error : musaStreamSynchronize(world->stream);
}

/* Everything fails from now on, and nothing blocks. */
static void expect_sticky(struct world *world)
{
	void *memory;

	EXPECT(musaErrorLaunchFailure, musaStreamSynchronize(world->stream));
	EXPECT(musaErrorLaunchFailure, musaDeviceSynchronize());
	EXPECT(musaErrorLaunchFailure, musaMalloc(&memory, 1 << 24));
	EXPECT(musaErrorLaunchFailure, copy_back(world));
	EXPECT(musaErrorLaunchFailure, musaStreamQuery(world->stream));
}

static void lose_idle(const char *how)
{
	struct world world;

	setup(&world);
	t_inject(how);
	EXPECT(musaErrorLaunchFailure, copy_back(&world));
	expect_sticky(&world);
	_exit(0);
}

static void lose_waiting(const char *how)
{
	struct world world;
	musaGraph_t graph;
	musaGraphExec_t exec;
	musaGraphNode_t node, last = NULL;

	setup(&world);
	EXPECT(musaSuccess, musaGraphCreate(&graph, 0));
	for (int i = 0; i < 50; i++) {
		EXPECT(musaSuccess,
		       musaGraphAddMemcpyNode1D(&node, graph, last ? &last : NULL, last != NULL,
						i % 2 ? world.host : world.device,
						i % 2 ? world.device : world.host, SIZE_B,
						musaMemcpyDefault));
		last = node;
	}
	EXPECT(musaSuccess, musaGraphInstantiate(&exec, graph, 0));
	t_inject(how);
	for (int i = 0; i < 100; i++) {
		musaError_t error = musaGraphLaunch(exec, world.stream);

		if (error)
			expect("musaGraphLaunch", error, musaErrorLaunchFailure);
	}
	EXPECT(musaErrorLaunchFailure, musaStreamSynchronize(world.stream));
	expect_sticky(&world);
	EXPECT(musaErrorLaunchFailure, musaGraphLaunch(exec, world.stream));
	_exit(0);
}

static void fresh(const char *how)
{
	struct world world;

	(void)how;
	setup(&world);
	memset(world.host, 0, SIZE_B);
	EXPECT(musaSuccess, copy_back(&world));
	if (world.host[0] != 5 || world.host[SIZE_B - 1] != 5)
		_exit(1);
	_exit(0);
}

static void slow(const char *how)
{
	struct world world;

	setup(&world);
	t_inject(how);
	memset(world.host, 0, SIZE_B);
	EXPECT(musaSuccess, copy_back(&world));
	if (world.host[SIZE_B - 1] != 5)
		_exit(1);
	_exit(0);
}

static void in_process(void (*run)(const char *how), const char *how)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		run(how);
	t_eq(waitpid(pid, &status, 0), pid);
	t_eq(status, 0);
}

static void case_of(void (*run)(const char *how), const char *how)
{
	in_process(run, how);
	t_inject("none");
	in_process(fresh, NULL);
}

static void reset_idle(void)
{
	case_of(lose_idle, "reset");
}

static void die_idle(void)
{
	case_of(lose_idle, "die");
}

static void hang_idle(void)
{
	case_of(lose_idle, "hang");
}

static void reset_busy(void)
{
	case_of(lose_waiting, "reset");
}

static void die_busy(void)
{
	case_of(lose_waiting, "die");
}

static void hang_busy(void)
{
	case_of(lose_waiting, "hang");
}

static void slow_card(void)
{
	case_of(slow, "slow 50");
}

int main(void)
{
	static const struct uapi_test tests[] = {
		{"an idle card is reset", reset_idle},
		{"an idle card dies", die_idle},
		{"an idle card hangs", hang_idle},
		{"a card is reset while launches wait", reset_busy},
		{"a card dies while launches wait", die_busy},
		{"a card hangs while launches wait", hang_busy},
		{"a slow card gives right results", slow_card},
	};

	return t_run(tests, sizeof(tests) / sizeof(tests[0]));
}

/* SPDX-License-Identifier: MIT */
/*
 * A timer's signal strikes all the time, and its handler restarts no call: programs start, count
 * devices, launch a graph and end as if there were none. The argument is the number of programs at
 * most.
 */
#include <dirent.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "musa_runtime.h"
#include "uapi.h"

#define PAUSE_US 200
#define ENOUGH_S 25 /* fewer programs on a machine that is slow */
#define SIZE_B   4096

static int pipe_ends[2];
static int rounds;

/* The next one comes a while after this one, not after it was due: an emulated processor may need
 * longer than that for a handler, and would do nothing else. */
static void on_alarm(int number)
{
	const struct itimerval next = {.it_value = {0, PAUSE_US}};
	int saved = errno;
	char byte = 0;

	(void)number;
	if (write(pipe_ends[1], &byte, 1) < 0)
		errno = saved;
	setitimer(ITIMER_REAL, &next, NULL);
	errno = saved;
}

static int count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

static musaError_t launch(void)
{
	unsigned char *device, *host;
	musaGraphExec_t exec;
	musaStream_t stream;
	musaGraph_t graph;
	musaError_t ret;

	ret = musaStreamCreate(&stream);
	if (!ret)
		ret = musaMalloc((void **)&device, SIZE_B);
	if (!ret)
		ret = musaMallocHost((void **)&host, SIZE_B);
	if (!ret)
		ret = musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal);
	if (!ret)
		ret = musaMemsetAsync(device, 0x5a, SIZE_B, stream);
	if (!ret)
		ret = musaMemcpyAsync(host, device, SIZE_B, musaMemcpyDeviceToHost, stream);
	if (!ret)
		ret = musaStreamEndCapture(stream, &graph);
	if (!ret)
		ret = musaGraphInstantiate(&exec, graph, 0);
	if (!ret)
		ret = musaGraphLaunch(exec, stream);
	if (!ret)
		ret = musaStreamSynchronize(stream);
	if (!ret && (host[0] != 0x5a || host[SIZE_B - 1] != 0x5a))
		ret = musaErrorUnknown;
	return ret ? ret : musaDeviceReset();
}

/* An exit status; the signals are the process' own matter before and after. */
static int one_program(void)
{
	const struct itimerval fire = {.it_value = {0, PAUSE_US}};
	struct sigaction action = {.sa_handler = on_alarm}, after;
	sigset_t before_mask, after_mask;
	int devices = 0, again = 0, descriptors;
	musaError_t ret;

	sigaction(SIGALRM, &action, NULL);
	sigprocmask(SIG_SETMASK, NULL, &before_mask);
	setitimer(ITIMER_REAL, &fire, NULL);
	ret = musaGetDeviceCount(&devices);
	descriptors = count_descriptors();
	if (!ret)
		ret = launch();
	if (!ret)
		ret = musaGetDeviceCount(&again);
	if (ret) {
		printf("# %s\n", musaGetErrorName(ret));
		return 1;
	}
	if (devices != 2 || again != 2 || count_descriptors() != descriptors)
		return 2;
	sigaction(SIGALRM, NULL, &after);
	sigprocmask(SIG_SETMASK, NULL, &after_mask);
	if (after.sa_handler != on_alarm || memcmp(&before_mask, &after_mask, sizeof(uint64_t)))
		return 3;
	return 0;
}

static void under_fire(void)
{
	char bytes[4096];
	time_t start_s = time(NULL);
	uint64_t strikes = 0;
	int status, done = 0;

	t_eq(pipe(pipe_ends), 0);
	fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
	fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
	for (int i = 0; i < rounds && time(NULL) - start_s < ENOUGH_S; i++) {
		pid_t pid = fork();
		ssize_t got;

		if (!pid)
			exit(one_program());
		status = -1;
		t_eq(waitpid(pid, &status, 0), pid);
		t_eq(status, 0);
		while ((got = read(pipe_ends[0], bytes, sizeof(bytes))) > 0)
			strikes += (uint64_t)got;
		done++;
	}
	t_true(done && strikes > (uint64_t)done);
	printf("# %d programs, %llu signals\n", done, (unsigned long long)strikes);
}

int main(int argc, char **argv)
{
	static const struct uapi_test tests[] = {
		{"signals that restart nothing change nothing", under_fire},
	};

	rounds = argc > 1 ? atoi(argv[1]) : 100;
	return t_run(tests, 1);
}

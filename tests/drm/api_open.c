/* SPDX-License-Identifier: MIT */
/*
 * The first call of the runtime API on cards that interrupt, refuse, hide, or speak another
 * version, and what is said about it without any setting of the log. The device list is made once
 * in a process, so each case is one.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api_test.h"

#if defined(__SANITIZE_THREAD__)
#define ROUNDS 20
#elif defined(__SANITIZE_ADDRESS__)
#define ROUNDS 100
#else
#define ROUNDS 1000
#endif

#define SIZE_B 4096

static char said[16384];
static char said_path[] = "/tmp/drm-api-open-XXXXXX";
static int stderr_before;

/* The library's words go to a file. */
static void start(void)
{
	int fd = mkstemp(said_path);

	cr_assert_geq(fd, 0);
	stderr_before = dup(STDERR_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
	unsetenv("MUSA_LOG");
	setenv("MUSA_BACKEND", "drm", 1);
	fake_install(FAKE_GEN_MP22);
}

static void end(void)
{
	dup2(stderr_before, STDERR_FILENO);
	unlink(said_path);
}

TestSuite(api_open, .init = start, .fini = end, .timeout = 60);

static uint32_t lines_with(const char *text)
{
	int fd = open(said_path, O_RDONLY);
	ssize_t length = read(fd, said, sizeof(said) - 1);
	uint32_t count = 0;

	close(fd);
	said[length > 0 ? length : 0] = 0;
	for (const char *at = said; (at = strstr(at, text)); at = at + strlen(text))
		count++;
	return count;
}

static void expect_devices(int wanted)
{
	int count = -1;

	OK(musaGetDeviceCount(&count));
	cr_expect_eq(count, wanted);
}

/* Every call gives the same error, and it is explained once. */
static void expect_refusal(musaError_t wanted, const char *text, uint32_t times)
{
	int count = 77;
	void *memory;

	for (int i = 0; i < 3; i++) {
		cr_expect_eq(musaGetDeviceCount(&count), wanted);
		cr_expect_eq(musaMalloc(&memory, 1), wanted);
		cr_expect_eq(musaSetDevice(0), wanted);
	}
	cr_expect_eq(lines_with(text), times, "%u times: %s", times, text);
}

/* --- C14: signals --- */

Test(api_open, interrupted)
{
	fake_cards[0].open_eintr = 5;
	expect_devices(1);
	cr_expect_eq(fake_opens(), 6);
	cr_expect_eq(lines_with("musa"), 0);
}

static int pipe_ends[2];

static void on_alarm(int number)
{
	int saved = errno;
	char byte = 0;

	(void)number;
	if (write(pipe_ends[1], &byte, 1) < 0)
		errno = saved;
	errno = saved;
}

static int count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void launch_once(unsigned char value)
{
	unsigned char *device, *host;
	musaGraphExec_t exec;
	musaStream_t stream;
	musaGraph_t graph;

	OK(musaStreamCreate(&stream));
	OK(musaMalloc((void **)&device, SIZE_B));
	OK(musaMallocHost((void **)&host, SIZE_B));
	OK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	OK(musaMemsetAsync(device, value, SIZE_B, stream));
	OK(musaMemcpyAsync(host, device, SIZE_B, musaMemcpyDeviceToHost, stream));
	OK(musaStreamEndCapture(stream, &graph));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	cr_assert(host[0] == value && host[SIZE_B - 1] == value);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaDeviceReset());
}

/* One program from its first call to its end; every third call of the kernel is interrupted. */
static void one_program(int round)
{
	const struct itimerval fire = {{0, 200}, {0, 200}};
	const struct fake_failure failure = {.at = 1, .every = 3, .error = EINTR};
	struct sigaction action = {.sa_handler = on_alarm}, after;
	sigset_t mask_before, mask_after;
	int descriptors;

	fake_install(round % 2 ? FAKE_GEN_MP22 : FAKE_GEN_SIM);
	fake_fail(&failure);
	sigaction(SIGALRM, &action, NULL);
	sigprocmask(SIG_SETMASK, NULL, &mask_before);
	setitimer(ITIMER_REAL, &fire, NULL);
	expect_devices(1);
	descriptors = count_descriptors();
	launch_once((unsigned char)round);
	expect_devices(1);
	cr_assert_eq(count_descriptors(), descriptors);
	sigaction(SIGALRM, NULL, &after);
	cr_assert_eq((void *)(uintptr_t)after.sa_handler, (void *)(uintptr_t)on_alarm);
	sigprocmask(SIG_SETMASK, NULL, &mask_after);
	cr_assert_eq(memcmp(&mask_before, &mask_after, sizeof(uint64_t)), 0);
}

Test(api_open, under_fire, .timeout = 600)
{
	int status, descriptors;
	char bytes[4096];
	long strikes = 0;

	cr_assert_eq(pipe(pipe_ends), 0);
	fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
	fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
	fake_remove();
	descriptors = count_descriptors();
	for (int round = 0; round < ROUNDS; round++) {
		pid_t child = fork();
		ssize_t got;

		if (!child) {
			one_program(round);
			exit(0);
		}
		cr_assert_eq(waitpid(child, &status, 0), child);
		cr_assert_eq(status, 0, "round %d", round);
		while ((got = read(pipe_ends[0], bytes, sizeof(bytes))) > 0)
			strikes += got;
	}
	cr_expect_gt(strikes, ROUNDS);
	cr_expect_eq(count_descriptors(), descriptors);
}

/* --- C15: permission --- */

Test(api_open, one_is_forbidden)
{
	fake_add_card(FAKE_GEN_MP22);
	fake_cards[0].open_error = EACCES;
	expect_devices(1);
	expect_devices(1);
	cr_expect_eq(lines_with("permission denied"), 1);
	cr_expect_eq(lines_with("/dev/dri/renderD128: permission denied"), 1);
}

Test(api_open, all_are_forbidden)
{
	fake_add_card(FAKE_GEN_MP22);
	fake_cards[0].open_error = fake_cards[1].open_error = EACCES;
	expect_refusal(musaErrorNoDevice, "permission denied: it belongs to group root", 2);
	cr_expect_eq(lines_with("/dev/dri/renderD129: permission denied"), 1);
}

Test(api_open, nodes_are_missing)
{
	fake_cards[0].open_error = ENOENT;
	expect_refusal(musaErrorNoDevice, "/dev/dri/renderD128: there is no such node", 1);
	cr_expect_eq(lines_with("permission"), 0);
}

Test(api_open, mock_opens_nothing)
{
	fake_cards[0].open_error = EACCES;
	setenv("MUSA_BACKEND", "mock", 1);
	setenv("MUSA_MOCK_MEMORY", "64M", 1);
	expect_devices(1);
	cr_expect_eq(fake_opens(), 0);
	cr_expect_eq(lines_with("musa"), 0);
}

/* --- C16: odd and missing devices --- */

Test(api_open, no_folder)
{
	fake_card_count = 0;
	fake_dir_error = -ENOENT;
	expect_refusal(musaErrorNoDevice, "permission", 0);
}

Test(api_open, display_nodes_only)
{
	fake_cards[0].card_only = true;
	expect_refusal(musaErrorNoDevice, "permission", 0);
}

Test(api_open, list_fails)
{
	fake_list_error = -EIO;
	fake_dir_error = -EACCES;
	expect_refusal(musaErrorNoDevice, "no such node", 0);
}

static void expect_unknown_place(int index)
{
	struct musaDeviceProp prop;
	char text[32];

	OK(musaGetDeviceProperties(&prop, index));
	cr_expect_eq(prop.pciBusID, 0);
	cr_expect_eq(prop.pciDeviceID, 0);
	cr_expect_neq(musaDeviceGetPCIBusId(text, sizeof(text), index), musaSuccess);
}

Test(api_open, odd_buses)
{
	fake_cards[0].bus = FAKE_BUS_PLATFORM;
	fake_add_card(FAKE_GEN_MP22)->bus = FAKE_BUS_UNKNOWN;
	expect_devices(2);
	expect_unknown_place(0);
	expect_unknown_place(1);
}

Test(api_open, no_sysfs)
{
	fake_list_error = -ENOENT;
	expect_devices(1);
}

Test(api_open, gaps_and_foreigners)
{
	struct musaDeviceProp prop;

	fake_cards[0].minor = 130;
	fake_add_card(0x1234)->minor = 131;
	fake_cards[1].vendor = 0x1002;
	fake_cards[1].driver = "amdgpu";
	fake_add_card(0x0402)->minor = 137;
	expect_devices(2);
	OK(musaGetDeviceProperties(&prop, 0));
	cr_expect_eq(prop.major * 10 + prop.minor, 22);
	OK(musaGetDeviceProperties(&prop, 1));
	cr_expect_eq(prop.major * 10 + prop.minor, 31);
}

/* --- versions --- */

Test(api_open, older_interface)
{
	fake_cards[0].version = 21;
	expect_refusal(musaErrorSystemDriverMismatch, "does not offer version 22 of its interface",
		       1);
}

Test(api_open, newer_interface)
{
	fake_cards[0].version = 23;
	expect_refusal(musaErrorSystemDriverMismatch, "does not offer version 22 of its interface",
		       1);
}

/* --- failures --- */

/* The error of a first call that cannot be made. */
static bool is_plausible(musaError_t error, int reason)
{
	switch (error) {
	case musaErrorNoDevice:
		return reason != ENOMEM;
	case musaErrorMemoryAllocation:
		return reason == ENOMEM || reason == ENOSPC;
	case musaErrorSystemDriverMismatch:
		return reason == EINVAL || reason == EBUSY || reason == EFAULT || reason == ENOSPC;
	default:
		return error != musaSuccess && reason != ENOMEM && reason != EACCES &&
		       reason != ENODEV;
	}
}

/* Call k fails: the program has the device or is told so, each time it asks. An exit status: 0 as
 * it should be, 4: there is no call k. */
static int first_call(uint16_t generation, uint64_t k, int reason)
{
	const struct fake_failure failure = {.at = k, .error = reason};
	struct fake_counts counts;
	musaError_t error;
	int devices = -1;

	fake_install(generation);
	fake_fail(&failure);
	error = musaGetDeviceCount(&devices);
	if (fake_calls() < k)
		return error || devices != 1 ? 1 : 4;
	fake_fail(NULL);
	if (musaGetDeviceCount(&devices) != error)
		return 2;
	fake_counts_get(&counts);
	if (!error) {
		launch_once(1);
		return 0;
	}
	/* Nothing is open any more. */
	return is_plausible(error, reason) && !counts.files && !counts.objects ? 0 : 3;
}

static void every_first_call(uint16_t generation)
{
	/* Sanitizers, slow about processes, get one of each sort. */
	static const int reasons[] = {
		ENOMEM,
		EIO,
		EINTR,
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
		EINVAL,
		EFAULT,
		ENOSPC,
		EBUSY,
		EPERM,
		EACCES,
		ENODEV,
		EAGAIN,
#endif
	};

	for (size_t r = 0; r < sizeof(reasons) / sizeof(reasons[0]); r++) {
		int status = 0;

		for (uint64_t k = 1; !status; k++) {
			pid_t child = fork();

			if (!child)
				exit(first_call(generation, k, reasons[r]));
			cr_assert_eq(waitpid(child, &status, 0), child);
			cr_assert(status == 0 || (k > 5 && WEXITSTATUS(status) == 4),
				  "call %d, %s: status 0x%x", (int)k, strerror(reasons[r]), status);
		}
	}
}

Test(api_open, every_call_fails_by_jobs, .timeout = 300)
{
	every_first_call(FAKE_GEN_MP22);
}

Test(api_open, every_call_fails_by_packets, .timeout = 300)
{
	every_first_call(FAKE_GEN_SIM);
}

// SPDX-License-Identifier: MIT
/*
 * mtgpu-gpu: the server. It starts a process of the same program for each address space that a
 * client makes.
 *
 * Device addresses are addresses of that process, so it keeps out of the way of the addresses that
 * clients use for themselves: no randomisation, and libraries, stacks and large blocks from a
 * third of the address space upwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "gpu.h"

#define EVENTS_MAX 16

enum { OPTION_VM = 256, OPTION_WORKERS, OPTION_WARP, OPTION_SCHEDULE, OPTION_CAP, OPTION_WATCHDOG };

static const struct option long_options[] = {
	{"vm", required_argument, NULL, OPTION_VM},
	{"workers", required_argument, NULL, OPTION_WORKERS},
	{"warp", required_argument, NULL, OPTION_WARP},
	{"schedule", required_argument, NULL, OPTION_SCHEDULE},
	{"while-cap", required_argument, NULL, OPTION_CAP},
	{"watchdog-ms", required_argument, NULL, OPTION_WATCHDOG},
	{0},
};

static const char usage[] =
	"usage: mtgpu-gpu [--workers N] [--warp 32|128] [--schedule fifo|random:SEED]\n"
	"                 [--while-cap N] [--watchdog-ms N]\n";

static bool read_number(const char *text, uint64_t max, uint64_t *number_out)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || number > max)
		return false;
	*number_out = number;
	return true;
}

static bool read_schedule(const char *text, struct gpu_options *options)
{
	if (!strcmp(text, "fifo"))
		return true;
	if (strncmp(text, "random:", 7))
		return false;
	options->random = true;
	return read_number(text + 7, UINT64_MAX, &options->seed);
}

static bool read_option(int option, struct gpu_options *options, uint64_t *vm)
{
	uint64_t number = 0;

	switch (option) {
	case OPTION_VM:
		return read_number(optarg, UINT32_MAX, vm);
	case OPTION_WORKERS:
		if (!read_number(optarg, MT_SG_WORKERS_MAX, &number) || !number)
			return false;
		options->workers = (uint32_t)number;
		return true;
	case OPTION_WARP:
		if (!read_number(optarg, 128, &number) || (number != 32 && number != 128))
			return false;
		options->warp_size = (uint32_t)number;
		return true;
	case OPTION_SCHEDULE:
		return read_schedule(optarg, options);
	case OPTION_CAP:
		return read_number(optarg, UINT64_MAX, &options->while_cap);
	case OPTION_WATCHDOG:
		return read_number(optarg, UINT32_MAX, &options->watchdog_ms);
	default:
		return false;
	}
}

/* The program again, with one more option and addresses of its own choice. */
static void start_player(uint32_t id, int argc, char **argv)
{
	char number[16];
	char **again;
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		fprintf(stderr, "mtgpu-gpu: fork: %s\n", strerror(errno));
	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	again = calloc((size_t)argc + 3, sizeof(*again));
	if (!again)
		_exit(1);
	snprintf(number, sizeof(number), "%u", id);
	memcpy(again, argv, (size_t)argc * sizeof(*again));
	again[argc] = (char *)"--vm";
	again[argc + 1] = number;
	personality(ADDR_NO_RANDOMIZE | ADDR_COMPAT_LAYOUT);
	execv("/proc/self/exe", again);
	_exit(1);
}

static int serve(int argc, char **argv)
{
	struct mtgpu_sim_serve serve = {.version = MTGPU_SIM_VERSION};
	struct mtgpu_sim_event events[EVENTS_MAX];
	struct sigaction ignore = {.sa_handler = SIG_IGN, .sa_flags = SA_NOCLDWAIT};
	int fd = open("/dev/mtgpu-sim", O_RDWR | O_CLOEXEC);
	ssize_t got;

	if (fd < 0 || ioctl(fd, MTGPU_SIM_IOCTL_SERVE, &serve)) {
		fprintf(stderr, "mtgpu-gpu: /dev/mtgpu-sim: %s\n", strerror(errno));
		return 1;
	}
	sigaction(SIGCHLD, &ignore, NULL);
	for (;;) {
		got = read(fd, events, sizeof(events));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		for (size_t i = 0; i < (size_t)got / sizeof(events[0]); i++)
			if (events[i].kind == MTGPU_SIM_VM_CREATE)
				start_player(events[i].id, argc, argv);
	}
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	struct gpu_options options = {.workers = 4, .warp_size = 32};
	uint64_t vm = 0;
	int option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (read_option(option, &options, &vm))
			continue;
		fputs(usage, stderr);
		return 2;
	}
	if (optind != argc) {
		fputs(usage, stderr);
		return 2;
	}
	return vm ? gpu_play((uint32_t)vm, &options) : serve(argc, argv);
}

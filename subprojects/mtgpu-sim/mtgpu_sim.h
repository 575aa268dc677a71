/* SPDX-License-Identifier: MIT */
/*
 * What the module mtgpu and the process that plays its card say to each other, through
 * /dev/mtgpu-sim. Silicon has nothing like it.
 *
 * DOC: Roles of a descriptor
 *
 * SERVE makes it the server's: read() yields one MTGPU_SIM_VM_CREATE per address space that clients
 * make. The server starts a process for each, which opens the device itself and says ATTACH: from
 * then on read() yields the address space's events, in order and one struct each, and end-of-file
 * once the client has given the address space up. A descriptor that is closed early takes with it
 * what it stood for: the address space stops, and its client gets EIO.
 *
 * mmap() of an attached descriptor, shared and with the offset equal to the device address of a
 * mapping, gives that mapping's memory. It stays valid until munmap(), whatever the client does.
 * After each UNMAP event the process says UNMAPPED once it has let go; the client's call waits for
 * that, as a driver waits until a card has forgotten a translation.
 *
 * An attached process reads or says NOTIFY at least once a second; one that does neither while it
 * has jobs for the module's hang_ms counts as hung: it is killed and its address space stops.
 */
#ifndef MTGPU_SIM_H
#define MTGPU_SIM_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define MTGPU_SIM_VERSION 1

enum mtgpu_sim_event_kind {
	MTGPU_SIM_VM_CREATE = 1,     /* id: address space, a: pid of the client, b: device */
	MTGPU_SIM_MAP = 2,           /* a: va, b: size in bytes, c: 1 if writable */
	MTGPU_SIM_UNMAP = 3,         /* a: va, b: size in bytes */
	MTGPU_SIM_QUEUE_CREATE = 4,  /* id: queue, a: priority, 0 is least */
	MTGPU_SIM_QUEUE_DESTROY = 5, /* id: queue */
	MTGPU_SIM_JOB = 6,           /* id: queue, a: va, b: size in bytes, c: number, from 1 */
	MTGPU_SIM_SIGNAL = 7,        /* a: va of a word, b: value that it has at least */
	MTGPU_SIM_INJECT = 8,        /* id: enum mtgpu_sim_inject, a: argument */
};

/* What goes wrong on purpose. */
enum mtgpu_sim_inject {
	MTGPU_SIM_INJECT_NONE = 0,
	MTGPU_SIM_INJECT_HANG = 1,  /* nothing moves any more */
	MTGPU_SIM_INJECT_DIE = 2,   /* the process ends */
	MTGPU_SIM_INJECT_SLOW = 3,  /* argument: ms before each job */
	MTGPU_SIM_INJECT_RESET = 4, /* the device reports that it has been reset */
};

struct mtgpu_sim_event {
	__u32 kind; /* enum mtgpu_sim_event_kind */
	__u32 id;
	__u64 a, b, c;
};

struct mtgpu_sim_serve {
	__u32 version; /* MTGPU_SIM_VERSION */
	__u32 pad;
};

struct mtgpu_sim_attach {
	__u32 id;
	__u32 pad;
};

/* Jobs of a queue up to this one have completed. */
struct mtgpu_sim_complete {
	__u32 id;
	__u32 pad;
	__u64 number;
};

/* The address space has stopped; reason is for the log. */
struct mtgpu_sim_stop {
	char reason[160];
};

/* Copies between the client's pageable memory and the caller's; EFAULT where there is none. */
struct mtgpu_sim_host_access {
	__u64 client_va;
	__u64 local_va;
	__u64 size;
	__u32 write; /* 1: to the client */
	__u32 pad;
};

#define MTGPU_SIM_IOCTL_SERVE       _IOW('S', 0x40, struct mtgpu_sim_serve)
#define MTGPU_SIM_IOCTL_ATTACH      _IOW('S', 0x41, struct mtgpu_sim_attach)
#define MTGPU_SIM_IOCTL_COMPLETE    _IOW('S', 0x42, struct mtgpu_sim_complete)
#define MTGPU_SIM_IOCTL_STOP        _IOW('S', 0x43, struct mtgpu_sim_stop)
#define MTGPU_SIM_IOCTL_NOTIFY      _IO('S', 0x44) /* values of semaphores have changed */
#define MTGPU_SIM_IOCTL_HOST_ACCESS _IOW('S', 0x45, struct mtgpu_sim_host_access)
#define MTGPU_SIM_IOCTL_UNMAPPED    _IO('S', 0x46) /* one more UNMAP event has been obeyed */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The command stream: an abstract, versioned packet set that the software GPU executes and from
 * which backends for silicon lower. It is this project's own format, not a hardware format.
 *
 * DOC: Rules of the stream
 *
 * A *lane* is one sequence of packets that a queue executes in order of issue. Packets of a lane
 * may overlap: a packet is only ordered behind earlier ones of its lane where it, or a packet
 * between them, says so:
 *
 *   MT_PKT_BARRIER   in a header: every earlier packet of the lane has completed, and what it wrote
 *                    is visible, before this one starts.
 *   WAIT             the lane issues nothing further until the value is there.
 *   SIGNAL           happens after every earlier packet of the lane has completed (implies a barrier),
 *   END, COND, JUMP, RETURN, CALL and HOST with MT_PKT_BARRIER likewise; COND and END always.
 *
 * Everything is little-endian. A packet starts on a multiple of 8 bytes. Reserved fields and
 * unknown flag bits must be zero and are checked. Addresses are GPU virtual addresses.
 *
 *   63          32 31      16 15     8 7      0
 *  +--------------+----------+--------+--------+
 *  |  node index  | len (qw) | flags  | opcode |
 *  +--------------+----------+--------+--------+
 *
 * The node index names the graph node, so that every error, trace and dump can say which node it
 * concerns; MT_PKT_NODE_NONE where there is none.
 */
#ifndef MT_HW_PACKET_H
#define MT_HW_PACKET_H

#include <stddef.h>
#include <stdint.h>

#define MT_PKT_VERSION   1u
#define MT_PKT_NODE_NONE 0xffffffffu
#define MT_PKT_LEN_MAX   0xffffu /* qwords */

/* X(NAME, value, struct, minimum qwords, maximum qwords, allowed flags): the one description from
 * which encoder, validator, decoder and dump come. */
#define MT_PKT_LIST(X)                                                                             \
	X(NOP, 0x01, mt_pkt_header, 1, MT_PKT_LEN_MAX, MT_PKT_COMMON)                              \
	X(DISPATCH, 0x02, mt_pkt_dispatch, 8, 8, MT_PKT_COMMON | MT_PKT_DISPATCH_COOPERATIVE)      \
	X(COPY, 0x03, mt_pkt_copy, 10, 10, MT_PKT_COMMON)                                          \
	X(FILL, 0x04, mt_pkt_fill, 8, 8, MT_PKT_COMMON)                                            \
	X(WRITE, 0x05, mt_pkt_write, 3, MT_PKT_LEN_MAX, MT_PKT_COMMON)                             \
	X(WAIT, 0x06, mt_pkt_wait, 3, 3, MT_PKT_COMMON | MT_PKT_WAIT_INDIRECT)                     \
	X(SIGNAL, 0x07, mt_pkt_signal, 3, 3,                                                       \
	  MT_PKT_COMMON | MT_PKT_SIGNAL_INDIRECT | MT_PKT_SIGNAL_MAX | MT_PKT_SIGNAL_TIMESTAMP)    \
	X(BARRIER, 0x08, mt_pkt_header, 1, 1, MT_PKT_COMMON)                                       \
	X(JUMP, 0x09, mt_pkt_jump, 2, 2, MT_PKT_COMMON)                                            \
	X(CALL, 0x0a, mt_pkt_jump, 2, 2, MT_PKT_COMMON)                                            \
	X(RETURN, 0x0b, mt_pkt_header, 1, 1, MT_PKT_COMMON)                                        \
	X(COND, 0x0c, mt_pkt_cond, 5, 5, MT_PKT_COMMON)                                            \
	X(HOST, 0x0d, mt_pkt_host, 2, 2, MT_PKT_COMMON)                                            \
	X(TIMESTAMP, 0x0e, mt_pkt_timestamp, 2, 2, MT_PKT_COMMON)                                  \
	X(END, 0x0f, mt_pkt_header, 1, 1, MT_PKT_COMMON)

/* Flags of every packet. */
#define MT_PKT_BARRIER  0x01u /* wait for all earlier packets of the lane */
#define MT_PKT_ACQUIRE  0x02u /* see what the host and other queues wrote before */
#define MT_PKT_RELEASE  0x04u /* make results visible to the host and other queues */
#define MT_PKT_DISABLED 0x08u /* do nothing but keep the order; toggled by one header write */
#define MT_PKT_COMMON   (MT_PKT_BARRIER | MT_PKT_ACQUIRE | MT_PKT_RELEASE | MT_PKT_DISABLED)

/* Flags of single packets. */
#define MT_PKT_DISPATCH_COOPERATIVE 0x10u /* all blocks are resident; grid barriers work */
#define MT_PKT_WAIT_INDIRECT        0x10u /* address names a struct mt_pkt_pair to wait for */
#define MT_PKT_SIGNAL_INDIRECT      0x10u /* address names a struct mt_pkt_pair to signal */
#define MT_PKT_SIGNAL_MAX           0x20u /* leave a larger value as it is (its time, too) */
#define MT_PKT_SIGNAL_TIMESTAMP     0x40u /* store the time in ns at address + 8, before the value */

struct mt_pkt_header {
	uint8_t opcode;
	uint8_t flags;
	uint16_t len_qw; /* whole packet, header included */
	uint32_t node;
};

/* What an indirect WAIT or SIGNAL reads when it executes; semaphore_va 0: nothing to do. */
struct mt_pkt_pair {
	uint64_t semaphore_va; /* multiple of 8 (of 16 with a time stamp) */
	uint64_t value;
};

struct mt_pkt_dispatch {
	struct mt_pkt_header header;
	uint64_t code_va;    /* block entry */
	uint64_t kernarg_va; /* argument image, multiple of 64; 0 if the kernel has none */
	uint32_t grid_x, grid_y, grid_z;
	uint32_t block_x, block_y, block_z;
	uint32_t dynamic_shared_b;
	uint32_t static_shared_b;
	uint32_t kernarg_b; /* bytes of the argument image */
	int32_t priority;   /* lower number is more urgent, as for streams */
};

/* Copies `depth` slices of `height` rows of `width_b` bytes. */
struct mt_pkt_copy {
	struct mt_pkt_header header;
	uint64_t dst_va;
	uint64_t src_va;
	uint64_t width_b;
	uint64_t dst_pitch_b, dst_slice_b; /* not used where height, depth are 1 */
	uint64_t src_pitch_b, src_slice_b;
	uint32_t height, depth;
	uint64_t reserved0; /* zero */
};

/* Writes the low `element_b` bytes of value (1, 2 or 4) over a box; width_b is a multiple of it. */
struct mt_pkt_fill {
	struct mt_pkt_header header;
	uint64_t dst_va;
	uint64_t width_b;
	uint64_t pitch_b, slice_b;
	uint32_t height, depth;
	uint32_t value, element_b;
	uint64_t reserved0; /* zero */
};

/* Stores len_qw - 2 qwords of data at dst_va (multiple of 8), each store atomic. */
struct mt_pkt_write {
	struct mt_pkt_header header;
	uint64_t dst_va;
	uint64_t data[];
};

/* Goes on once the 64-bit word at address is >= value (unsigned). */
struct mt_pkt_wait {
	struct mt_pkt_header header;
	uint64_t address; /* semaphore, or pair if indirect */
	uint64_t value;   /* zero if indirect */
};

struct mt_pkt_signal {
	struct mt_pkt_header header;
	uint64_t address; /* semaphore, or pair if indirect */
	uint64_t value;   /* zero if indirect */
};

/* JUMP goes on at target_va; CALL also remembers the packet behind it for RETURN. */
struct mt_pkt_jump {
	struct mt_pkt_header header;
	uint64_t target_va;
};

#define MT_PKT_CALL_DEPTH_MAX 8u

enum mt_pkt_compare {
	MT_PKT_EQ = 0,
	MT_PKT_NE = 1,
	MT_PKT_LT = 2, /* unsigned */
	MT_PKT_GE = 3,
};

/* Jumps to target_va if the 32-bit word at word_va compares so with value, else goes on. */
struct mt_pkt_cond {
	struct mt_pkt_header header;
	uint64_t word_va;
	uint32_t value;
	uint32_t compare;   /* enum mt_pkt_compare */
	uint64_t target_va;
	/* 64-bit pass counter of a loop, 0 for none: incremented when the packet does not jump, set
	 * to zero when it jumps; a configured cap on it is a device error of the node. */
	uint64_t passes_va;
};

/* What a host call is given: read from memory when the packet executes. */
struct mt_pkt_host_args {
	uint64_t fn;
	uint64_t data;
};

/* Asks the host to run a function; the packet completes when it has returned. */
struct mt_pkt_host {
	struct mt_pkt_header header;
	uint64_t args_va; /* struct mt_pkt_host_args, multiple of 8 */
};

/* Stores the device's time in ns once all earlier packets of the lane have completed. */
struct mt_pkt_timestamp {
	struct mt_pkt_header header;
	uint64_t address;
};

#define MT_PKT_OPCODE_ENUM(name, value, type, min_qw, max_qw, allowed) MT_PKT_OP_##name = value,
enum mt_pkt_opcode { MT_PKT_LIST(MT_PKT_OPCODE_ENUM) };
#undef MT_PKT_OPCODE_ENUM

/* The lengths in the table are the structs' own. */
_Static_assert(sizeof(struct mt_pkt_header) == 8, "header is one qword");
_Static_assert(sizeof(struct mt_pkt_dispatch) == 64, "one cache line per kernel");
_Static_assert(sizeof(struct mt_pkt_copy) == 80, "copy");
_Static_assert(sizeof(struct mt_pkt_fill) == 64, "fill");
_Static_assert(sizeof(struct mt_pkt_write) == 16, "write without data");
_Static_assert(sizeof(struct mt_pkt_wait) == 24, "wait");
_Static_assert(sizeof(struct mt_pkt_signal) == 24, "signal");
_Static_assert(sizeof(struct mt_pkt_jump) == 16, "jump, call");
_Static_assert(sizeof(struct mt_pkt_cond) == 40, "cond");
_Static_assert(sizeof(struct mt_pkt_host) == 16, "host");
_Static_assert(sizeof(struct mt_pkt_timestamp) == 16, "timestamp");

/* One row of the table. */
struct mt_pkt_info {
	const char *name;
	uint16_t min_qw, max_qw;
	uint8_t allowed_flags;
};

/**
 * mt_pkt_info() - Row of an opcode.
 * @opcode:	First byte of a header.
 *
 * Return: the row, or NULL for an unknown opcode.
 */
const struct mt_pkt_info *mt_pkt_info(uint8_t opcode);

/**
 * mt_pkt_validate() - Check one packet by the table and its own rules, without following addresses.
 * @packet:	Start of the packet, in host memory.
 * @room_qw:	Qwords that may be read from there.
 * @why_out:	[out] Static text on failure. May be NULL.
 *
 * Return: 0, or -EBADMSG.
 */
int mt_pkt_validate(const void *packet, size_t room_qw, const char **why_out);

/**
 * mt_pkt_print() - One packet as one line of text, without a newline.
 * @packet:	A validated packet.
 * @text:	Buffer, always terminated.
 * @size_b:	Its size.
 */
void mt_pkt_print(const void *packet, char *text, size_t size_b);

/* Test hook: how many packets this process has encoded (any thread). */
uint64_t mt_pkt_encoded_count(void);

/* Encoders write one packet at `at` and return its end. Room is the caller's matter. They are
 * the only code that knows the layout on the writing side. */
void *mt_pkt_put_nop(void *at, uint8_t flags, uint32_t node, uint16_t len_qw);
void *mt_pkt_put_dispatch(void *at, const struct mt_pkt_dispatch *values);
void *mt_pkt_put_copy(void *at, const struct mt_pkt_copy *values);
void *mt_pkt_put_fill(void *at, const struct mt_pkt_fill *values);
void *mt_pkt_put_write(void *at, uint8_t flags, uint32_t node, uint64_t dst_va, const uint64_t *data,
		       uint16_t count);
void *mt_pkt_put_wait(void *at, uint8_t flags, uint32_t node, uint64_t address, uint64_t value);
void *mt_pkt_put_signal(void *at, uint8_t flags, uint32_t node, uint64_t address, uint64_t value);
void *mt_pkt_put_barrier(void *at, uint8_t flags, uint32_t node);
void *mt_pkt_put_jump(void *at, uint8_t flags, uint32_t node, uint64_t target_va);
void *mt_pkt_put_call(void *at, uint8_t flags, uint32_t node, uint64_t target_va);
void *mt_pkt_put_return(void *at, uint8_t flags, uint32_t node);
void *mt_pkt_put_cond(void *at, uint8_t flags, uint32_t node, const struct mt_pkt_cond *values);
void *mt_pkt_put_host(void *at, uint8_t flags, uint32_t node, uint64_t args_va);
void *mt_pkt_put_timestamp(void *at, uint8_t flags, uint32_t node, uint64_t address);
void *mt_pkt_put_end(void *at, uint32_t node);

#endif

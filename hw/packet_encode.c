/* SPDX-License-Identifier: MIT */
/*
 * Encoders of the packet set, which also count what they write.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "hw/packet.h"

/* Counters are per thread, so that encoding shares no cache line; a thread that ends leaves its
 * number in `ended`. */
struct counter {
	_Atomic uint64_t value;      /* written by its thread only */
	struct counter *next, *prev; /* guarded by lock */
	bool listed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static struct counter *counters; /* borrowed from their threads; guarded by lock */
static uint64_t ended;           /* guarded by lock */
static _Thread_local struct counter mine __attribute__((tls_model("initial-exec")));

static void unlist(void *argument)
{
	struct counter *counter = argument;

	pthread_mutex_lock(&lock);
	ended += atomic_load_explicit(&counter->value, memory_order_relaxed);
	if (counter->next)
		counter->next->prev = counter->prev;
	if (counter->prev)
		counter->prev->next = counter->next;
	else
		counters = counter->next;
	atomic_store_explicit(&counter->value, 0, memory_order_relaxed);
	counter->listed = false;
	pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
	pthread_key_create(&key, unlist);
}

static void __attribute__((noinline)) list_mine(void)
{
	pthread_once(&once, make_key);
	pthread_setspecific(key, &mine);
	pthread_mutex_lock(&lock);
	mine.prev = NULL;
	mine.next = counters;
	if (counters)
		counters->prev = &mine;
	counters = &mine;
	mine.listed = true;
	pthread_mutex_unlock(&lock);
}

static inline void count_one(void)
{
	if (__builtin_expect(!mine.listed, 0))
		list_mine();
	atomic_store_explicit(&mine.value,
			      atomic_load_explicit(&mine.value, memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

uint64_t mt_pkt_encoded_count(void)
{
	struct counter *counter;
	uint64_t sum;

	pthread_mutex_lock(&lock);
	sum = ended;
	for (counter = counters; counter; counter = counter->next)
		sum += atomic_load_explicit(&counter->value, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
	return sum;
}

static inline struct mt_pkt_header header_of(uint8_t opcode, uint8_t flags, size_t len_qw,
					     uint32_t node)
{
	count_one();
	return (struct mt_pkt_header){
		.opcode = opcode, .flags = flags, .len_qw = (uint16_t)len_qw, .node = node};
}

void *mt_pkt_put_nop(void *at, uint8_t flags, uint32_t node, uint16_t len_qw)
{
	*(struct mt_pkt_header *)at = header_of(MT_PKT_OP_NOP, flags, len_qw, node);
	memset((char *)at + 8, 0, 8u * (len_qw - 1u));
	return (char *)at + 8u * len_qw;
}

void *mt_pkt_put_dispatch(void *at, const struct mt_pkt_dispatch *values)
{
	struct mt_pkt_dispatch *packet = at;

	*packet = *values;
	packet->header = header_of(MT_PKT_OP_DISPATCH, values->header.flags, sizeof(*packet) / 8,
				   values->header.node);
	return packet + 1;
}

void *mt_pkt_put_copy(void *at, const struct mt_pkt_copy *values)
{
	struct mt_pkt_copy *packet = at;

	*packet = *values;
	packet->header = header_of(MT_PKT_OP_COPY, values->header.flags, sizeof(*packet) / 8,
				   values->header.node);
	packet->reserved0 = 0;
	return packet + 1;
}

void *mt_pkt_put_fill(void *at, const struct mt_pkt_fill *values)
{
	struct mt_pkt_fill *packet = at;

	*packet = *values;
	packet->header = header_of(MT_PKT_OP_FILL, values->header.flags, sizeof(*packet) / 8,
				   values->header.node);
	packet->reserved0 = 0;
	return packet + 1;
}

void *mt_pkt_put_write(void *at, uint8_t flags, uint32_t node, uint64_t dst_va,
		       const uint64_t *data, uint16_t count)
{
	struct mt_pkt_write *packet = at;

	packet->header = header_of(MT_PKT_OP_WRITE, flags, 2u + count, node);
	packet->dst_va = dst_va;
	memcpy(packet->data, data, 8u * count);
	return packet->data + count;
}

void *mt_pkt_put_wait(void *at, uint8_t flags, uint32_t node, uint64_t address, uint64_t value)
{
	struct mt_pkt_wait *packet = at;

	packet->header = header_of(MT_PKT_OP_WAIT, flags, sizeof(*packet) / 8, node);
	packet->address = address;
	packet->value = value;
	return packet + 1;
}

void *mt_pkt_put_signal(void *at, uint8_t flags, uint32_t node, uint64_t address, uint64_t value)
{
	struct mt_pkt_signal *packet = at;

	packet->header = header_of(MT_PKT_OP_SIGNAL, flags, sizeof(*packet) / 8, node);
	packet->address = address;
	packet->value = value;
	return packet + 1;
}

static void *put_plain(void *at, uint8_t opcode, uint8_t flags, uint32_t node)
{
	struct mt_pkt_header *packet = at;

	*packet = header_of(opcode, flags, 1, node);
	return packet + 1;
}

void *mt_pkt_put_barrier(void *at, uint8_t flags, uint32_t node)
{
	return put_plain(at, MT_PKT_OP_BARRIER, flags | MT_PKT_BARRIER, node);
}

static void *put_address(void *at, uint8_t opcode, uint8_t flags, uint32_t node, uint64_t address)
{
	struct mt_pkt_jump *packet = at;

	packet->header = header_of(opcode, flags, sizeof(*packet) / 8, node);
	packet->target_va = address;
	return packet + 1;
}

void *mt_pkt_put_jump(void *at, uint8_t flags, uint32_t node, uint64_t target_va)
{
	return put_address(at, MT_PKT_OP_JUMP, flags, node, target_va);
}

void *mt_pkt_put_call(void *at, uint8_t flags, uint32_t node, uint64_t target_va)
{
	return put_address(at, MT_PKT_OP_CALL, flags, node, target_va);
}

void *mt_pkt_put_return(void *at, uint8_t flags, uint32_t node)
{
	return put_plain(at, MT_PKT_OP_RETURN, flags, node);
}

void *mt_pkt_put_cond(void *at, uint8_t flags, uint32_t node, const struct mt_pkt_cond *values)
{
	struct mt_pkt_cond *packet = at;

	*packet = *values;
	packet->header = header_of(MT_PKT_OP_COND, flags, sizeof(*packet) / 8, node);
	return packet + 1;
}

void *mt_pkt_put_host(void *at, uint8_t flags, uint32_t node, uint64_t args_va)
{
	return put_address(at, MT_PKT_OP_HOST, flags, node, args_va);
}

void *mt_pkt_put_timestamp(void *at, uint8_t flags, uint32_t node, uint64_t address)
{
	return put_address(at, MT_PKT_OP_TIMESTAMP, flags, node, address);
}

void *mt_pkt_put_end(void *at, uint32_t node)
{
	return put_plain(at, MT_PKT_OP_END, 0, node);
}

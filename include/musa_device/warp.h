/* SPDX-License-Identifier: MIT */
/*
 * Shuffles, votes, matches and reductions among the lanes of a warp. Each is one exchange, in
 * which every lane of the mask gives 8 bytes and sees what the others gave. Masks have 32 bits as
 * in programs for 32 lanes; where a warp has 128, the full mask stands for all of them.
 */
#ifndef __MUSA_DEVICE_WARP_H__
#define __MUSA_DEVICE_WARP_H__

#include "builtins.h"
#include "index.h"

struct __mt_lanes {
	unsigned long lo, hi; /* lanes 0-63, 64-127 */
};

__mt_device __mt_lanes __mt_lanes_of(unsigned int mask)
{
	if (mask == 0xffffffffu && warpSize > 32)
		return __mt_lanes{~0ul, ~0ul};
	return __mt_lanes{mask, 0};
}

/* Lanes that are at this place of the program now: what operations without a mask work on. */
__mt_device __mt_lanes __mt_lanes_here(void)
{
	unsigned long lanes[2];

	__mt_active_mask(lanes);
	return __mt_lanes{lanes[0], lanes[1]};
}

__mt_device bool __mt_lane_is_in(const unsigned long lanes[2], unsigned int lane)
{
	return lanes[lane / 64] >> lane % 64 & 1;
}

/* One lane's 8 bytes, and what the lanes of the mask gave. */
struct __mt_exchange {
	const unsigned long *values;
	unsigned long arrived[2];

	__attribute__((device)) __mt_exchange(__mt_lanes lanes, unsigned long value)
	{
		values = __mt_warp_exchange(lanes.lo, lanes.hi, value, arrived);
	}
	__attribute__((device)) __mt_exchange(unsigned int mask, unsigned long value)
		: __mt_exchange(__mt_lanes_of(mask), value)
	{
	}
};

template <class T> __mt_device unsigned long __mt_to_bits(T value)
{
	static_assert(sizeof(T) <= 8, "a lane gives at most 8 bytes");
	unsigned long bits = 0;

	__builtin_memcpy(&bits, &value, sizeof(T));
	return bits;
}

template <class T> __mt_device T __mt_from_bits(unsigned long bits)
{
	T value;

	__builtin_memcpy(&value, &bits, sizeof(T));
	return value;
}

template <class T, class Mask>
__mt_device T __mt_shuffle(Mask mask, T value, unsigned int from, unsigned int self)
{
	__mt_exchange exchange(mask, __mt_to_bits(value));

	if (from >= (unsigned int)warpSize || !__mt_lane_is_in(exchange.arrived, from))
		from = self;
	return __mt_from_bits<T>(exchange.values[from]);
}

/* The lane that each kind of shuffle reads, in groups of @width lanes. */
__mt_device unsigned int __mt_from_index(unsigned int self, int source, int width)
{
	unsigned int low = (unsigned int)width - 1;

	return (self & ~low) | ((unsigned int)source & low);
}

__mt_device unsigned int __mt_from_below(unsigned int self, unsigned int delta, int width)
{
	return (self & ((unsigned int)width - 1)) >= delta ? self - delta : self;
}

__mt_device unsigned int __mt_from_above(unsigned int self, unsigned int delta, int width)
{
	unsigned int low = (unsigned int)width - 1;

	return (self & low) + delta <= low ? self + delta : self;
}

/* A later group is out of reach, an earlier one is not. */
__mt_device unsigned int __mt_from_xor(unsigned int self, int bits, int width)
{
	unsigned int from = self ^ (unsigned int)bits;

	return from > (self | ((unsigned int)width - 1)) ? self : from;
}

#define __mt_define_shuffle(name, kind, by)                                                        \
	template <class T>                                                                         \
	__mt_device T name##_sync(unsigned int mask, T value, by, int width = warpSize)            \
	{                                                                                          \
		unsigned int self = __laneid();                                                    \
                                                                                                   \
		return __mt_shuffle(mask, value, __mt_from_##kind(self, lane, width), self);       \
	}                                                                                          \
	template <class T> __mt_device T name(T value, by, int width = warpSize)                   \
	{                                                                                          \
		unsigned int self = __laneid();                                                    \
                                                                                                   \
		return __mt_shuffle(__mt_lanes_here(), value, __mt_from_##kind(self, lane, width), \
				    self);                                                         \
	}

__mt_define_shuffle(__shfl, index, int lane)
__mt_define_shuffle(__shfl_up, below, unsigned int lane)
__mt_define_shuffle(__shfl_down, above, unsigned int lane)
__mt_define_shuffle(__shfl_xor, xor, int lane)

#undef __mt_define_shuffle

__mt_device void __syncwarp(unsigned int mask = 0xffffffffu)
{
	__mt_lanes lanes = __mt_lanes_of(mask);

	__mt_warp_sync(lanes.lo, lanes.hi);
}

__mt_device unsigned int __activemask(void)
{
	return (unsigned int)__mt_lanes_here().lo;
}

/* Lanes of @exchange whose value is not zero. */
__mt_device __mt_lanes __mt_count_votes(const __mt_exchange &exchange)
{
	__mt_lanes votes = {0, 0};

	for (unsigned int lane = 0; lane < (unsigned int)warpSize; lane++) {
		unsigned long bit = (unsigned long)(exchange.values[lane] != 0) << lane % 64;

		*(lane < 64 ? &votes.lo : &votes.hi) |= bit;
	}
	votes.lo &= exchange.arrived[0];
	votes.hi &= exchange.arrived[1];
	return votes;
}

__mt_device unsigned int __mt_ballot(const __mt_exchange &exchange)
{
	return (unsigned int)__mt_count_votes(exchange).lo;
}

__mt_device int __mt_all(const __mt_exchange &exchange)
{
	__mt_lanes votes = __mt_count_votes(exchange);

	return votes.lo == exchange.arrived[0] && votes.hi == exchange.arrived[1];
}

__mt_device int __mt_any(const __mt_exchange &exchange)
{
	__mt_lanes votes = __mt_count_votes(exchange);

	return (votes.lo | votes.hi) != 0;
}

__mt_device int __mt_uni(const __mt_exchange &exchange)
{
	return !__mt_any(exchange) || __mt_all(exchange);
}

#define __mt_define_vote(result, name)                                                   \
	__mt_device result __##name##_sync(unsigned int mask, int predicate)             \
	{                                                                                \
		return __mt_##name(__mt_exchange(mask, predicate != 0));                 \
	}                                                                                \
	__mt_device result __##name(int predicate)                                       \
	{                                                                                \
		return __mt_##name(__mt_exchange(__mt_lanes_here(), predicate != 0));    \
	}

__mt_define_vote(unsigned int, ballot)
__mt_define_vote(int, all)
__mt_define_vote(int, any)
__mt_define_vote(int, uni)

#undef __mt_define_vote

template <class T> __mt_device unsigned int __match_any_sync(unsigned int mask, T value)
{
	unsigned long bits = __mt_to_bits(value);
	__mt_exchange exchange(mask, bits);
	unsigned int equal = 0;

	for (unsigned int lane = 0; lane < 32; lane++)
		equal |= (unsigned int)(exchange.values[lane] == bits) << lane;
	return equal & (unsigned int)exchange.arrived[0];
}

template <class T>
__mt_device unsigned int __match_all_sync(unsigned int mask, T value, int *predicate)
{
	unsigned int equal, arrived;
	unsigned long bits = __mt_to_bits(value);
	__mt_exchange exchange(mask, bits);

	equal = 0;
	arrived = (unsigned int)exchange.arrived[0];
	for (unsigned int lane = 0; lane < 32; lane++)
		equal |= (unsigned int)(exchange.values[lane] == bits) << lane;
	*predicate = (equal & arrived) == arrived;
	return *predicate ? arrived : 0;
}

/* Folds the values of all lanes of the mask. */
template <class T, class Op> __mt_device T __mt_reduce(unsigned int mask, T value, Op op)
{
	__mt_exchange exchange(mask, __mt_to_bits(value));
	bool first = true;
	T result = value;

	for (unsigned int lane = 0; lane < (unsigned int)warpSize; lane++) {
		T other;

		if (!__mt_lane_is_in(exchange.arrived, lane))
			continue;
		other = __mt_from_bits<T>(exchange.values[lane]);
		result = first ? other : op(result, other);
		first = false;
	}
	return result;
}

#define __mt_define_reduce(name, type, expression)                                           \
	__mt_device type __reduce_##name##_sync(unsigned int mask, type value)               \
	{                                                                                    \
		return __mt_reduce(mask, value, [](type a, type b) { return expression; });  \
	}

__mt_define_reduce(add, unsigned int, a + b)
__mt_define_reduce(add, int, a + b)
__mt_define_reduce(min, unsigned int, a < b ? a : b)
__mt_define_reduce(min, int, a < b ? a : b)
__mt_define_reduce(max, unsigned int, a > b ? a : b)
__mt_define_reduce(max, int, a > b ? a : b)
__mt_define_reduce(and, unsigned int, a & b)
__mt_define_reduce(or, unsigned int, a | b)
__mt_define_reduce(xor, unsigned int, a ^ b)

#undef __mt_define_reduce

#endif

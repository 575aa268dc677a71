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

__mt_device bool __mt_lane_is_in(const unsigned long lanes[2], unsigned int lane)
{
	return lanes[lane / 64] >> lane % 64 & 1;
}

/* One lane's 8 bytes, and what the lanes of the mask gave. */
struct __mt_exchange {
	const unsigned long *values;
	unsigned long arrived[2];

	__attribute__((device)) __mt_exchange(unsigned int mask, unsigned long value)
	{
		__mt_lanes lanes = __mt_lanes_of(mask);

		values = __mt_warp_exchange(lanes.lo, lanes.hi, value, arrived);
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

template <class T>
__mt_device T __mt_shuffle(unsigned int mask, T value, unsigned int from, unsigned int self)
{
	__mt_exchange exchange(mask, __mt_to_bits(value));

	if (from >= (unsigned int)warpSize || !__mt_lane_is_in(exchange.arrived, from))
		from = self;
	return __mt_from_bits<T>(exchange.values[from]);
}

template <class T>
__mt_device T __shfl_sync(unsigned int mask, T value, int source, int width = warpSize)
{
	unsigned int self = __laneid(), low = (unsigned int)width - 1;

	return __mt_shuffle(mask, value, (self & ~low) | ((unsigned int)source & low), self);
}

template <class T>
__mt_device T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = warpSize)
{
	unsigned int self = __laneid(), low = (unsigned int)width - 1;

	return __mt_shuffle(mask, value, (self & low) >= delta ? self - delta : self, self);
}

template <class T>
__mt_device T __shfl_down_sync(unsigned int mask, T value, unsigned int delta,
			       int width = warpSize)
{
	unsigned int self = __laneid(), low = (unsigned int)width - 1;

	return __mt_shuffle(mask, value, (self & low) + delta <= low ? self + delta : self, self);
}

template <class T>
__mt_device T __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = warpSize)
{
	unsigned int self = __laneid(), low = (unsigned int)width - 1;
	unsigned int from = self ^ (unsigned int)lane_mask;

	return __mt_shuffle(mask, value, from > (self | low) ? self : from, self);
}

template <class T> __mt_device T __shfl(T value, int source, int width = warpSize)
{
	return __shfl_sync(0xffffffffu, value, source, width);
}

template <class T> __mt_device T __shfl_up(T value, unsigned int delta, int width = warpSize)
{
	return __shfl_up_sync(0xffffffffu, value, delta, width);
}

template <class T> __mt_device T __shfl_down(T value, unsigned int delta, int width = warpSize)
{
	return __shfl_down_sync(0xffffffffu, value, delta, width);
}

template <class T> __mt_device T __shfl_xor(T value, int lane_mask, int width = warpSize)
{
	return __shfl_xor_sync(0xffffffffu, value, lane_mask, width);
}

__mt_device void __syncwarp(unsigned int mask = 0xffffffffu)
{
	__mt_lanes lanes = __mt_lanes_of(mask);

	__mt_warp_sync(lanes.lo, lanes.hi);
}

__mt_device unsigned int __activemask(void)
{
	unsigned long lanes[2];

	__mt_active_mask(lanes);
	return (unsigned int)lanes[0];
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

__mt_device unsigned int __ballot_sync(unsigned int mask, int predicate)
{
	__mt_exchange exchange(mask, predicate != 0);

	return (unsigned int)__mt_count_votes(exchange).lo;
}

__mt_device int __all_sync(unsigned int mask, int predicate)
{
	__mt_exchange exchange(mask, predicate != 0);
	__mt_lanes votes = __mt_count_votes(exchange);

	return votes.lo == exchange.arrived[0] && votes.hi == exchange.arrived[1];
}

__mt_device int __any_sync(unsigned int mask, int predicate)
{
	__mt_exchange exchange(mask, predicate != 0);
	__mt_lanes votes = __mt_count_votes(exchange);

	return (votes.lo | votes.hi) != 0;
}

__mt_device int __uni_sync(unsigned int mask, int predicate)
{
	__mt_exchange exchange(mask, predicate != 0);
	__mt_lanes votes = __mt_count_votes(exchange);

	return (!votes.lo && !votes.hi) ||
	       (votes.lo == exchange.arrived[0] && votes.hi == exchange.arrived[1]);
}

__mt_device unsigned int __ballot(int predicate)
{
	return __ballot_sync(0xffffffffu, predicate);
}

__mt_device int __all(int predicate)
{
	return __all_sync(0xffffffffu, predicate);
}

__mt_device int __any(int predicate)
{
	return __any_sync(0xffffffffu, predicate);
}

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

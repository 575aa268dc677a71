/* SPDX-License-Identifier: MIT */
/*
 * Cooperative groups: blocks, grids, tiles of a warp and the lanes that happen to be together.
 * For device code; a host compiler sees nothing of it.
 */
#ifndef __MUSA_COOPERATIVE_GROUPS_H__
#define __MUSA_COOPERATIVE_GROUPS_H__

#if defined(__MUSACC__) && defined(__cplusplus)

#include "musa_device.h"

namespace cooperative_groups
{

#define __cg __attribute__((always_inline, device)) inline

namespace details
{

/* Lanes of a warp as two words, and the group operations that need no more than that. */
struct lanes {
	unsigned long lo, hi;

	__cg bool has(unsigned int lane) const
	{
		return (lane < 64 ? lo >> lane : hi >> (lane - 64)) & 1;
	}
	__cg unsigned int count() const
	{
		return (unsigned int)(__builtin_popcountl(lo) + __builtin_popcountl(hi));
	}
	__cg unsigned int rank_of(unsigned int lane) const
	{
		unsigned long low = lane < 64 ? lo & ((1ul << lane) - 1) : lo;
		unsigned long high = lane <= 64 ? 0 : hi & ((1ul << (lane - 64)) - 1);

		return (unsigned int)(__builtin_popcountl(low) + __builtin_popcountl(high));
	}
	/* Lane with @rank lanes of the group below it; the lane itself if there is none. */
	__cg unsigned int lane_of(unsigned int rank, unsigned int self) const
	{
		for (unsigned int lane = 0; lane < 128; lane++)
			if (has(lane) && !rank--)
				return lane;
		return self;
	}
	/* Bits of @other at the places of this group's lanes, pushed together. */
	__cg unsigned long gather(const lanes &other) const
	{
		unsigned long bits = 0;
		unsigned int rank = 0;

		for (unsigned int lane = 0; lane < 128; lane++)
			if (has(lane))
				bits |= (unsigned long)other.has(lane) << rank++;
		return bits;
	}
};

__cg lanes contiguous(unsigned int first, unsigned int count)
{
	unsigned long ones = count < 64 ? (1ul << count) - 1 : ~0ul;

	if (count == 128)
		return lanes{~0ul, ~0ul};
	return first < 64 ? lanes{ones << first, 0} : lanes{0, ones << (first - 64)};
}

struct exchange {
	const unsigned long *values;
	unsigned long arrived[2];

	__cg exchange(const lanes &mask, unsigned long value)
	{
		values = __mt_warp_exchange(mask.lo, mask.hi, value, arrived);
	}
	__cg lanes votes(const lanes &mask) const
	{
		lanes result = {0, 0};

		for (unsigned int lane = 0; lane < (unsigned int)warpSize; lane++)
			if (mask.has(lane) && values[lane])
				*(lane < 64 ? &result.lo : &result.hi) |= 1ul << lane % 64;
		return result;
	}
};

/* Objects larger than a lane's 8 bytes go in pieces. */
template <class T> __cg T shuffle(const lanes &mask, const T &value, unsigned int from)
{
	constexpr unsigned int words = (sizeof(T) + 7) / 8;
	unsigned long in[words] = {}, out[words];
	T result;

	__builtin_memcpy(in, &value, sizeof(T));
	for (unsigned int i = 0; i < words; i++)
		out[i] = exchange(mask, in[i]).values[from];
	__builtin_memcpy(&result, out, sizeof(T));
	return result;
}

} // namespace details

class thread_block;

/* What every group has; a group of lanes unless it says that it is the whole block. */
class thread_group
{
    public:
	__cg unsigned long long size() const
	{
		return whole_block ? (unsigned long long)__mt_block_dim_x() * __mt_block_dim_y() *
					     __mt_block_dim_z() :
				     mask.count();
	}
	__cg unsigned long long num_threads() const
	{
		return size();
	}
	__cg unsigned long long thread_rank() const
	{
		return whole_block ? __mt_thread_rank() : mask.rank_of(__laneid());
	}
	__cg bool is_valid() const
	{
		return true;
	}
	__cg void sync() const
	{
		if (whole_block)
			__mt_barrier(0, 0);
		else
			__mt_warp_sync(mask.lo, mask.hi);
	}

    protected:
	__cg thread_group(bool whole, details::lanes lanes_in) : whole_block(whole), mask(lanes_in)
	{
	}

	bool whole_block;
	details::lanes mask;

	friend __cg thread_group tiled_partition(const thread_group &parent, unsigned int size);
	friend __cg thread_group tiled_partition(const thread_block &parent, unsigned int size);
};

class thread_block : public thread_group
{
    public:
	__cg thread_block() : thread_group(true, details::lanes{0, 0})
	{
	}
	__cg static void sync()
	{
		__mt_barrier(0, 0);
	}
	__cg static unsigned int thread_rank()
	{
		return __mt_thread_rank();
	}
	__cg static unsigned int size()
	{
		return __mt_block_dim_x() * __mt_block_dim_y() * __mt_block_dim_z();
	}
	__cg static unsigned int num_threads()
	{
		return size();
	}
	__cg static dim3 group_index()
	{
		return blockIdx;
	}
	__cg static dim3 thread_index()
	{
		return threadIdx;
	}
	__cg static dim3 group_dim()
	{
		return blockDim;
	}
	__cg static dim3 dim_threads()
	{
		return blockDim;
	}
};

__cg thread_block this_thread_block()
{
	return thread_block();
}

class grid_group
{
    public:
	__cg static bool is_valid()
	{
		return true;
	}
	__cg static void sync()
	{
		__mt_grid_barrier();
	}
	__cg static unsigned long long num_blocks()
	{
		return (unsigned long long)__mt_grid_dim_x() * __mt_grid_dim_y() *
		       __mt_grid_dim_z();
	}
	__cg static unsigned long long block_rank()
	{
		return __mt_block_x() +
		       (unsigned long long)__mt_grid_dim_x() *
			       (__mt_block_y() + (unsigned long long)__mt_grid_dim_y() *
							 __mt_block_z());
	}
	__cg static unsigned long long num_threads()
	{
		return num_blocks() * thread_block::size();
	}
	__cg static unsigned long long size()
	{
		return num_threads();
	}
	__cg static unsigned long long thread_rank()
	{
		return block_rank() * thread_block::size() + __mt_thread_rank();
	}
	__cg static dim3 group_dim()
	{
		return gridDim;
	}
	__cg static dim3 dim_blocks()
	{
		return gridDim;
	}
	__cg static dim3 block_index()
	{
		return blockIdx;
	}
};

__cg grid_group this_grid()
{
	return grid_group();
}

/* What tiles and coalesced groups share: T's mask() and source() say who is who. */
template <class Group> class lane_operations
{
    public:
	__cg void sync() const
	{
		details::lanes mask = self().lanes_of();

		__mt_warp_sync(mask.lo, mask.hi);
	}
	template <class T> __cg T shfl(T value, int rank) const
	{
		return details::shuffle(self().lanes_of(), value, self().lane_at(rank));
	}
	template <class T> __cg T shfl_up(T value, unsigned int delta) const
	{
		unsigned int rank = self().thread_rank();

		return shfl(value, (int)(rank >= delta ? rank - delta : rank));
	}
	template <class T> __cg T shfl_down(T value, unsigned int delta) const
	{
		unsigned int rank = self().thread_rank();

		return shfl(value, (int)(rank + delta < self().size() ? rank + delta : rank));
	}
	template <class T> __cg T shfl_xor(T value, unsigned int bits) const
	{
		unsigned int rank = self().thread_rank(), other = rank ^ bits;

		return shfl(value, (int)(other < self().size() ? other : rank));
	}
	__cg int any(int predicate) const
	{
		details::lanes votes = vote(predicate);

		return (votes.lo | votes.hi) != 0;
	}
	__cg int all(int predicate) const
	{
		details::lanes mask = self().lanes_of();
		details::exchange exchange(mask, predicate != 0);
		details::lanes votes = exchange.votes(mask);

		return votes.lo == exchange.arrived[0] && votes.hi == exchange.arrived[1];
	}
	__cg unsigned int ballot(int predicate) const
	{
		return (unsigned int)self().lanes_of().gather(vote(predicate));
	}
	template <class T> __cg unsigned int match_any(T value) const
	{
		details::lanes mask = self().lanes_of(), equal = {0, 0};
		unsigned long bits = __mt_to_bits(value);
		details::exchange exchange(mask, bits);

		for (unsigned int lane = 0; lane < (unsigned int)warpSize; lane++)
			if (mask.has(lane) && exchange.values[lane] == bits)
				*(lane < 64 ? &equal.lo : &equal.hi) |= 1ul << lane % 64;
		return (unsigned int)mask.gather(equal);
	}
	template <class T> __cg unsigned int match_all(T value, int &predicate) const
	{
		unsigned int equal = match_any(value), every = ballot(1);

		predicate = equal == every;
		return predicate ? every : 0;
	}

    private:
	__cg const Group &self() const
	{
		return static_cast<const Group &>(*this);
	}
	__cg details::lanes vote(int predicate) const
	{
		details::lanes mask = self().lanes_of();

		return details::exchange(mask, predicate != 0).votes(mask);
	}
};

/* A part of a warp whose size is known when the program is compiled. */
template <unsigned int Size, class Parent = void>
class thread_block_tile : public lane_operations<thread_block_tile<Size, Parent>>
{
    public:
	static_assert(Size && !(Size & (Size - 1)) && Size <= 128,
		      "a tile is a power of two, at most one warp");

	thread_block_tile() = default;
	/* Whose part it is does not matter to it. */
	template <class Other> __cg thread_block_tile(const thread_block_tile<Size, Other> &)
	{
	}
	__cg static unsigned int size()
	{
		return Size;
	}
	__cg static unsigned int num_threads()
	{
		return Size;
	}
	__cg static unsigned int thread_rank()
	{
		return __mt_thread_rank() % Size;
	}
	__cg static unsigned int meta_group_rank()
	{
		return __mt_thread_rank() / Size;
	}
	__cg static unsigned int meta_group_size()
	{
		return (thread_block::size() + Size - 1) / Size;
	}
	__cg static bool is_valid()
	{
		return true;
	}
	__cg static details::lanes lanes_of()
	{
		return details::contiguous(__laneid() / Size * Size, Size);
	}
	__cg static unsigned int lane_at(int rank)
	{
		return __laneid() / Size * Size + (unsigned int)rank % Size;
	}
	__cg operator thread_group() const;
};

/* The lanes of a warp that are at the same place of the program now. */
class coalesced_group : public thread_group, public lane_operations<coalesced_group>
{
    public:
	__cg explicit coalesced_group(details::lanes lanes_in) : thread_group(false, lanes_in)
	{
	}
	using lane_operations<coalesced_group>::sync;
	__cg unsigned int size() const
	{
		return mask.count();
	}
	__cg unsigned int num_threads() const
	{
		return size();
	}
	__cg unsigned int thread_rank() const
	{
		return mask.rank_of(__laneid());
	}
	__cg unsigned int meta_group_rank() const
	{
		return 0;
	}
	__cg unsigned int meta_group_size() const
	{
		return 1;
	}
	__cg details::lanes lanes_of() const
	{
		return mask;
	}
	__cg unsigned int lane_at(int rank) const
	{
		return mask.lane_of((unsigned int)rank, __laneid());
	}
};

template <unsigned int Size, class Parent>
__cg thread_block_tile<Size, Parent>::operator thread_group() const
{
	return coalesced_group(lanes_of());
}

__cg coalesced_group coalesced_threads()
{
	unsigned long mask[2];

	__mt_active_mask(mask);
	return coalesced_group(details::lanes{mask[0], mask[1]});
}

template <unsigned int Size, class Parent>
__cg thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
	return thread_block_tile<Size, Parent>();
}

__cg thread_group tiled_partition(const thread_group &parent, unsigned int size)
{
	unsigned int rank, first, at = 0;
	details::lanes part = {0, 0};

	if (parent.whole_block)
		return coalesced_group(details::contiguous(__laneid() / size * size, size));
	rank = parent.mask.rank_of(__laneid());
	first = rank / size * size;
	for (unsigned int lane = 0; lane < 128; lane++) {
		if (!parent.mask.has(lane))
			continue;
		if (at >= first && at < first + size)
			*(lane < 64 ? &part.lo : &part.hi) |= 1ul << lane % 64;
		at++;
	}
	return coalesced_group(part);
}

__cg thread_group tiled_partition(const thread_block &parent, unsigned int size)
{
	return tiled_partition(static_cast<const thread_group &>(parent), size);
}

/* Splits a group by a label, or by a yes and no. */
template <class Group> __cg coalesced_group labeled_partition(const Group &group, int label)
{
	details::lanes mask = group.lanes_of(), equal = {0, 0};
	details::exchange exchange(mask, (unsigned int)label);

	for (unsigned int lane = 0; lane < (unsigned int)warpSize; lane++)
		if (mask.has(lane) && exchange.values[lane] == (unsigned int)label)
			*(lane < 64 ? &equal.lo : &equal.hi) |= 1ul << lane % 64;
	return coalesced_group(equal);
}

template <class Group> __cg coalesced_group binary_partition(const Group &group, bool predicate)
{
	return labeled_partition(group, predicate);
}

template <class Group> __cg void sync(const Group &group)
{
	group.sync();
}

template <class Group> __cg unsigned long long thread_rank(const Group &group)
{
	return group.thread_rank();
}

template <class Group> __cg unsigned long long group_size(const Group &group)
{
	return group.size();
}

#undef __cg

} // namespace cooperative_groups

#endif
#endif

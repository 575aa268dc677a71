/* SPDX-License-Identifier: MIT */
/* cooperative_groups::reduce() and the function objects that it takes. */
#ifndef __MUSA_COOPERATIVE_GROUPS_REDUCE_H__
#define __MUSA_COOPERATIVE_GROUPS_REDUCE_H__

#include "../cooperative_groups.h"

#if defined(__MUSACC__) && defined(__cplusplus)

namespace cooperative_groups
{

#define __cg __attribute__((always_inline, device)) inline
#define __cg_operation(name, expression)                     \
	template <class T = void> struct name {              \
		__cg T operator()(T a, T b) const            \
		{                                            \
			return expression;                   \
		}                                            \
	};                                                   \
	template <> struct name<void> {                      \
		template <class T> __cg T operator()(T a, T b) const \
		{                                            \
			return expression;                   \
		}                                            \
	}

__cg_operation(plus, a + b);
__cg_operation(less, b < a ? b : a);
__cg_operation(greater, a < b ? b : a);
__cg_operation(bit_and, a & b);
__cg_operation(bit_or, a | b);
__cg_operation(bit_xor, a ^ b);

/* Every lane gets the result; the values are folded in the order of ranks. */
template <class Group, class T, class Op>
__cg T reduce(const Group &group, T value, Op op)
{
	T result = group.shfl(value, 0);

	for (unsigned int rank = 1; rank < (unsigned int)group.size(); rank++)
		result = op(result, group.shfl(value, (int)rank));
	return result;
}

/* One step per doubling where the group is a power of two in size. */
template <unsigned int Size, class Parent, class T, class Op>
__cg T reduce(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
	for (unsigned int step = 1; step < Size; step *= 2)
		value = op(value, group.shfl_xor(value, step));
	return value;
}

template <class Group, class T, class Op>
__cg void reduce_update_async(const Group &group, T &target, T value, Op op)
{
	T total = reduce(group, value, op);

	if (group.thread_rank() == 0)
		target = op(target, total);
}

#undef __cg_operation
#undef __cg

} // namespace cooperative_groups

#endif
#endif

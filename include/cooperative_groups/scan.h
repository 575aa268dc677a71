/* SPDX-License-Identifier: MIT */
/* cooperative_groups::inclusive_scan() and exclusive_scan(). */
#ifndef __MUSA_COOPERATIVE_GROUPS_SCAN_H__
#define __MUSA_COOPERATIVE_GROUPS_SCAN_H__

#include "reduce.h"

#if defined(__MUSACC__) && defined(__cplusplus)

namespace cooperative_groups
{

#define __cg __attribute__((always_inline, device)) inline

template <class Group, class T, class Op>
__cg T inclusive_scan(const Group &group, T value, Op op)
{
	unsigned int rank = (unsigned int)group.thread_rank(), size = (unsigned int)group.size();

	for (unsigned int step = 1; step < size; step *= 2) {
		T other = group.shfl_up(value, step);

		if (rank >= step)
			value = op(other, value);
	}
	return value;
}

template <class Group, class T> __cg T inclusive_scan(const Group &group, T value)
{
	return inclusive_scan(group, value, plus<T>());
}

/* The first thread gets a value-initialised T. */
template <class Group, class T, class Op>
__cg T exclusive_scan(const Group &group, T value, Op op)
{
	T before = group.shfl_up(inclusive_scan(group, value, op), 1);

	return group.thread_rank() == 0 ? T() : before;
}

template <class Group, class T> __cg T exclusive_scan(const Group &group, T value)
{
	return exclusive_scan(group, value, plus<T>());
}

#undef __cg

} // namespace cooperative_groups

#endif
#endif

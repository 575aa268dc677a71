/* SPDX-License-Identifier: MIT */
/*
 * Atomic operations on global and shared memory. They are templates whose second parameter takes
 * no part in deduction: arguments convert as for plain functions, and a program's own overload
 * (renamed CUDA code brings atomicAdd(double *, double)) wins over ours instead of clashing.
 */
#ifndef __MUSA_DEVICE_ATOMIC_H__
#define __MUSA_DEVICE_ATOMIC_H__

#include "qualifiers.h"

template <class T> struct __mt_same {
	typedef T type;
};

template <class T> struct __mt_is_atomic_number {
	static constexpr bool value = false;
};
template <class T> struct __mt_is_atomic_integer {
	static constexpr bool value = false;
};

#define __mt_atomic_integer(T)                       \
	template <> struct __mt_is_atomic_integer<T> { \
		static constexpr bool value = true;  \
	};                                           \
	template <> struct __mt_is_atomic_number<T> {  \
		static constexpr bool value = true;  \
	}

__mt_atomic_integer(int);
__mt_atomic_integer(unsigned int);
__mt_atomic_integer(long);
__mt_atomic_integer(unsigned long);
__mt_atomic_integer(long long);
__mt_atomic_integer(unsigned long long);
template <> struct __mt_is_atomic_number<float> {
	static constexpr bool value = true;
};
template <> struct __mt_is_atomic_number<double> {
	static constexpr bool value = true;
};

#undef __mt_atomic_integer

template <bool condition, class T> struct __mt_if {
};
template <class T> struct __mt_if<true, T> {
	typedef T type;
};

template <class T> using __mt_number = typename __mt_if<__mt_is_atomic_number<T>::value, T>::type;
template <class T> using __mt_integer = typename __mt_if<__mt_is_atomic_integer<T>::value, T>::type;
template <class T> using __mt_word = typename __mt_if<sizeof(T) == 2 || sizeof(T) == 4 ||
							      sizeof(T) == 8, T>::type;

/* Repeats an operation that has no instruction until nobody came between. */
template <class T, class Op> __mt_device T __mt_atomic_apply(T *address, Op op)
{
	T old, next;

	__atomic_load(address, &old, __ATOMIC_RELAXED);
	do {
		next = op(old);
	} while (!__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST));
	return old;
}

#define __mt_atomic(name, check, expression)                                                     \
	template <class T>                                                                       \
	__mt_device check<T> name(T *address, typename __mt_same<T>::type value)                 \
	{                                                                                        \
		return expression;                                                               \
	}                                                                                        \
	template <class T>                                                                       \
	__mt_device check<T> name##_block(T *address, typename __mt_same<T>::type value)         \
	{                                                                                        \
		return expression;                                                               \
	}                                                                                        \
	template <class T>                                                                       \
	__mt_device check<T> name##_system(T *address, typename __mt_same<T>::type value)        \
	{                                                                                        \
		return expression;                                                               \
	}

template <class T> __mt_device T __mt_atomic_exchange(T *address, T value)
{
	T old;

	__atomic_exchange(address, &value, &old, __ATOMIC_SEQ_CST);
	return old;
}

template <class T> __mt_device T __mt_atomic_cas(T *address, T compare, T value)
{
	__atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_SEQ_CST,
				  __ATOMIC_SEQ_CST);
	return compare;
}

template <class T> __mt_device T __mt_atomic_add(T *address, T value)
{
	return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}

__mt_device float __mt_atomic_add(float *address, float value)
{
	return __mt_atomic_apply(address, [=](float old) { return old + value; });
}

__mt_device double __mt_atomic_add(double *address, double value)
{
	return __mt_atomic_apply(address, [=](double old) { return old + value; });
}

template <class T> __mt_device T __mt_atomic_min(T *address, T value)
{
	return __mt_atomic_apply(address, [=](T old) { return old < value ? old : value; });
}

template <class T> __mt_device T __mt_atomic_max(T *address, T value)
{
	return __mt_atomic_apply(address, [=](T old) { return old > value ? old : value; });
}

template <class T> __mt_device T __mt_atomic_inc(T *address, T limit)
{
	return __mt_atomic_apply(address, [=](T old) { return old >= limit ? T(0) : T(old + 1); });
}

template <class T> __mt_device T __mt_atomic_dec(T *address, T limit)
{
	return __mt_atomic_apply(
		address, [=](T old) { return old == 0 || old > limit ? limit : T(old - 1); });
}

__mt_atomic(atomicAdd, __mt_number, __mt_atomic_add(address, value))
__mt_atomic(atomicSub, __mt_integer, __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST))
__mt_atomic(atomicExch, __mt_word, __mt_atomic_exchange(address, value))
__mt_atomic(atomicMin, __mt_number, __mt_atomic_min(address, value))
__mt_atomic(atomicMax, __mt_number, __mt_atomic_max(address, value))
__mt_atomic(atomicAnd, __mt_integer, __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST))
__mt_atomic(atomicOr, __mt_integer, __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST))
__mt_atomic(atomicXor, __mt_integer, __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST))
__mt_atomic(atomicInc, __mt_integer, __mt_atomic_inc(address, value))
__mt_atomic(atomicDec, __mt_integer, __mt_atomic_dec(address, value))

#undef __mt_atomic

#define __mt_atomic_three(name)                                                                  \
	template <class T>                                                                       \
	__mt_device __mt_word<T> name(T *address, typename __mt_same<T>::type compare,           \
				      typename __mt_same<T>::type value)                         \
	{                                                                                        \
		return __mt_atomic_cas(address, compare, value);                                 \
	}

__mt_atomic_three(atomicCAS)
__mt_atomic_three(atomicCAS_block)
__mt_atomic_three(atomicCAS_system)

#undef __mt_atomic_three

#endif

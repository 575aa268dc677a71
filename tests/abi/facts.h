/* SPDX-License-Identifier: MIT */
/*
 * Turns rows of facts into compile-time checks, for C11 and C++17 alike: a header that says
 * otherwise does not compile.
 */
#ifndef TESTS_ABI_FACTS_H
#define TESTS_ABI_FACTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <type_traits>
#define FACT(cond, text) static_assert(cond, text);
#define SAME_TYPE(a, b) std::is_same<a, b>::value
#define MEMBER_TYPE(type, member) decltype((static_cast<type *>(nullptr))->member)
#define ALIGN_OF(type) alignof(type)
#define C_LINKAGE extern "C"
#else
#define FACT(cond, text) _Static_assert(cond, text);
#define SAME_TYPE(a, b) __builtin_types_compatible_p(a, b)
#define MEMBER_TYPE(type, member) __typeof__(((type *)0)->member)
#define ALIGN_OF(type) _Alignof(type)
#define C_LINKAGE extern
#endif

#define MEMBER_SIZE(type, member) sizeof(((type *)0)->member)

#define ENUM_ROW(type, name, value)                                                                \
	FACT((long long)(name) == (value), #name) FACT(sizeof(type) == 4, #type)
#define SIZE_ROW(type, size) FACT(sizeof(type) == (size), #type)
#define ALIGN_ROW(type, size, align)                                                               \
	FACT(sizeof(type) == (size), #type) FACT(ALIGN_OF(type) == (align), #type)
#define SAME_ROW(a, b) FACT(SAME_TYPE(a, b), #a)
#define FIELD_ROW(type, member, offset, size)                                                      \
	FACT(offsetof(type, member) == (offset), #type "." #member)                                \
	FACT(MEMBER_SIZE(type, member) == (size), #type "." #member)
#define TYPED_ROW(type, member, offset, size, member_type)                                         \
	FIELD_ROW(type, member, offset, size)                                                      \
	FACT(SAME_TYPE(MEMBER_TYPE(type, member), member_type), #type "." #member)
#define VALUE_ROW(name, value) FACT((name) == (value), #name)
/* A cast from a number to a pointer is no constant expression: checked when the program runs. */
#define HANDLE_ROW(name, value)
/* Another type under the same name does not compile. */
#define FUNC_ROW(result, name, params) C_LINKAGE result(name) params;

#endif /* TESTS_ABI_FACTS_H */

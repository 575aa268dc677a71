/* SPDX-License-Identifier: MIT */
/* What device code has of the C library: memory blocks, the heap, printf, assert. */
#ifndef __MUSA_DEVICE_MEMORY_H__
#define __MUSA_DEVICE_MEMORY_H__

#include <stddef.h>

#include "builtins.h"

extern "C" {
__attribute__((device, format(printf, 1, 2))) int printf(const char *format, ...);

/* The first three are also what copies of large objects become. */
#ifdef __MUSA_ARCH__
__attribute__((device, used)) inline void *memcpy(void *to, const void *from, size_t size)
{
	void *result = to;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
	return result;
}

__attribute__((device, used)) inline void *memset(void *to, int value, size_t size)
{
	void *result = to;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
	return result;
}

__attribute__((device, used)) inline void *memmove(void *to, const void *from, size_t size)
{
	char *out = (char *)to;
	const char *in = (const char *)from;

	if (out <= in || out >= in + size)
		return memcpy(to, from, size);
	while (size--) {
		out[size] = in[size];
		__asm__ volatile("" : : : "memory"); /* or it becomes a call of itself */
	}
	return to;
}

__attribute__((device, used)) inline int memcmp(const void *left, const void *right, size_t size)
{
	const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;

	for (size_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

__attribute__((device, used)) inline int bcmp(const void *left, const void *right, size_t size)
{
	return memcmp(left, right, size);
}
#else
__attribute__((device)) void *memcpy(void *to, const void *from, size_t size);
__attribute__((device)) void *memset(void *to, int value, size_t size);
__attribute__((device)) void *memmove(void *to, const void *from, size_t size);
__attribute__((device)) int memcmp(const void *left, const void *right, size_t size);
#endif

__attribute__((device)) inline void *malloc(size_t size)
{
	return __mt_heap_alloc(size);
}

__attribute__((device)) inline void free(void *pointer)
{
	__mt_heap_free(pointer);
}

__attribute__((device, noreturn)) inline void __assert_fail(const char *expression,
							    const char *file, unsigned int line,
							    const char *function)
{
	__mt_assert_fail(expression, file, line, function);
}

__attribute__((device, noreturn)) inline void abort(void)
{
	__mt_trap();
}
}

__attribute__((device)) inline void *operator new(size_t size)
{
	return __mt_heap_alloc(size);
}

__attribute__((device)) inline void *operator new[](size_t size)
{
	return __mt_heap_alloc(size);
}

__attribute__((device)) inline void *operator new(size_t, void *place) noexcept
{
	return place;
}

__attribute__((device)) inline void *operator new[](size_t, void *place) noexcept
{
	return place;
}

__attribute__((device)) inline void operator delete(void *pointer) noexcept
{
	__mt_heap_free(pointer);
}

__attribute__((device)) inline void operator delete[](void *pointer) noexcept
{
	__mt_heap_free(pointer);
}

__attribute__((device)) inline void operator delete(void *pointer, size_t) noexcept
{
	__mt_heap_free(pointer);
}

__attribute__((device)) inline void operator delete[](void *pointer, size_t) noexcept
{
	__mt_heap_free(pointer);
}

__attribute__((device)) inline void operator delete(void *, void *) noexcept
{
}

__attribute__((device)) inline void operator delete[](void *, void *) noexcept
{
}

/* Calls of pure and deleted virtual functions end here. */
extern "C" __attribute__((device, noreturn)) inline void __cxa_pure_virtual(void)
{
	__mt_trap();
}

extern "C" __attribute__((device, noreturn)) inline void __cxa_deleted_virtual(void)
{
	__mt_trap();
}

#endif

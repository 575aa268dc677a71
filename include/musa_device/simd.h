/* SPDX-License-Identifier: MIT */
/* Arithmetic on two 16-bit or four 8-bit numbers packed into one word. */
#ifndef __MUSA_DEVICE_SIMD_H__
#define __MUSA_DEVICE_SIMD_H__

#include "qualifiers.h"

/* Applies @op to each part of T's width; op takes and returns int. */
template <class T, class Op> __mt_device unsigned int __mt_parts(unsigned int a, unsigned int b,
								 Op op)
{
	constexpr unsigned int bits = 8 * sizeof(T), mask = (1u << bits) - 1;
	unsigned int result = 0;

	for (unsigned int i = 0; i < 32; i += bits)
		result |= ((unsigned int)op((int)(T)(a >> i), (int)(T)(b >> i)) & mask) << i;
	return result;
}

__mt_device int __mt_clamp(int x, int low, int high)
{
	return x < low ? low : x > high ? high : x;
}

#define __mt_define_parts(name, T, expression)                                              \
	__mt_device unsigned int name(unsigned int a, unsigned int b)                       \
	{                                                                                   \
		return __mt_parts<T>(a, b, [](int x, int y) { return (int)(expression); }); \
	}

/* op2 works on shorts, op4 on bytes; s: signed, u: unsigned. */
#define __mt_define_both(stem, sign, expression)                                            \
	__mt_define_parts(stem##sign##2, __mt_##sign##2, expression)                        \
	__mt_define_parts(stem##sign##4, __mt_##sign##4, expression)

typedef short __mt_s2;
typedef signed char __mt_s4;
typedef unsigned short __mt_u2;
typedef unsigned char __mt_u4;

__mt_define_parts(__vadd2, unsigned short, x + y)
__mt_define_parts(__vadd4, unsigned char, x + y)
__mt_define_parts(__vsub2, unsigned short, x - y)
__mt_define_parts(__vsub4, unsigned char, x - y)
__mt_define_parts(__vaddss2, short, __mt_clamp(x + y, -32768, 32767))
__mt_define_parts(__vaddss4, signed char, __mt_clamp(x + y, -128, 127))
__mt_define_parts(__vaddus2, unsigned short, __mt_clamp(x + y, 0, 65535))
__mt_define_parts(__vaddus4, unsigned char, __mt_clamp(x + y, 0, 255))
__mt_define_parts(__vsubss2, short, __mt_clamp(x - y, -32768, 32767))
__mt_define_parts(__vsubss4, signed char, __mt_clamp(x - y, -128, 127))
__mt_define_parts(__vsubus2, unsigned short, __mt_clamp(x - y, 0, 65535))
__mt_define_parts(__vsubus4, unsigned char, __mt_clamp(x - y, 0, 255))
__mt_define_parts(__vcmpeq2, unsigned short, x == y ? -1 : 0)
__mt_define_parts(__vcmpeq4, unsigned char, x == y ? -1 : 0)
__mt_define_parts(__vcmpne2, unsigned short, x != y ? -1 : 0)
__mt_define_parts(__vcmpne4, unsigned char, x != y ? -1 : 0)
__mt_define_parts(__vabsdiffu2, unsigned short, x > y ? x - y : y - x)
__mt_define_parts(__vabsdiffu4, unsigned char, x > y ? x - y : y - x)
__mt_define_parts(__vavgu2, unsigned short, (x + y + 1) / 2)
__mt_define_parts(__vavgu4, unsigned char, (x + y + 1) / 2)
__mt_define_parts(__vseteq2, unsigned short, x == y)
__mt_define_parts(__vseteq4, unsigned char, x == y)
__mt_define_parts(__vsetne2, unsigned short, x != y)
__mt_define_parts(__vsetne4, unsigned char, x != y)
__mt_define_both(__vmax, s, x > y ? x : y)
__mt_define_both(__vmax, u, x > y ? x : y)
__mt_define_both(__vmin, s, x < y ? x : y)
__mt_define_both(__vmin, u, x < y ? x : y)
__mt_define_both(__vcmpge, s, x >= y ? -1 : 0)
__mt_define_both(__vcmpge, u, x >= y ? -1 : 0)
__mt_define_both(__vcmpgt, s, x > y ? -1 : 0)
__mt_define_both(__vcmpgt, u, x > y ? -1 : 0)
__mt_define_both(__vcmple, s, x <= y ? -1 : 0)
__mt_define_both(__vcmple, u, x <= y ? -1 : 0)
__mt_define_both(__vcmplt, s, x < y ? -1 : 0)
__mt_define_both(__vcmplt, u, x < y ? -1 : 0)

#undef __mt_define_parts
#undef __mt_define_both

__mt_device unsigned int __vneg2(unsigned int a)
{
	return __vsub2(0, a);
}

__mt_device unsigned int __vneg4(unsigned int a)
{
	return __vsub4(0, a);
}

__mt_device unsigned int __vabs2(unsigned int a)
{
	return __mt_parts<short>(a, 0, [](int x, int) { return x < 0 ? -x : x; });
}

__mt_device unsigned int __vabs4(unsigned int a)
{
	return __mt_parts<signed char>(a, 0, [](int x, int) { return x < 0 ? -x : x; });
}

__mt_device unsigned int __vsadu4(unsigned int a, unsigned int b)
{
	unsigned int d = __vabsdiffu4(a, b);

	return (d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24);
}

#endif

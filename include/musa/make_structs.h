/* SPDX-License-Identifier: MIT */
/* Constructors of the structs that copies take by value, for C and C++. */
#ifndef __MUSA_MAKE_STRUCTS_H__
#define __MUSA_MAKE_STRUCTS_H__

#include "memory_types.h"

/**
 * make_musaPitchedPtr() - Describe rows of memory.
 * @d:	First byte.
 * @p:	Bytes from one row to the next.
 * @xsz:	Elements in a row.
 * @ysz:	Rows in a slice.
 */
static __inline__ struct musaPitchedPtr make_musaPitchedPtr(void *d, size_t p, size_t xsz,
							    size_t ysz)
{
	struct musaPitchedPtr s;

	s.ptr = d;
	s.pitch = p;
	s.xsize = xsz;
	s.ysize = ysz;
	return s;
}

/**
 * make_musaPos() - Describe a position.
 * @x:	Column: elements of an array, bytes of linear memory.
 * @y:	Row.
 * @z:	Slice.
 */
static __inline__ struct musaPos make_musaPos(size_t x, size_t y, size_t z)
{
	struct musaPos p;

	p.x = x;
	p.y = y;
	p.z = z;
	return p;
}

/**
 * make_musaExtent() - Describe a box.
 * @w:	Width: elements of an array, bytes of linear memory.
 * @h:	Rows.
 * @d:	Slices.
 */
static __inline__ struct musaExtent make_musaExtent(size_t w, size_t h, size_t d)
{
	struct musaExtent e;

	e.width = w;
	e.height = h;
	e.depth = d;
	return e;
}

#endif /* __MUSA_MAKE_STRUCTS_H__ */

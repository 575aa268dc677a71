/* SPDX-License-Identifier: MIT */
/* The one conversion that the typed C++ calls share: where a pointer is to be written. */
#ifndef __MUSA_CXX_OUT_H__
#define __MUSA_CXX_OUT_H__

/* Through void *, so that a pointer to const may be filled in too. */
template <class T> static inline void **__musa_out(T **pointer)
{
	return static_cast<void **>(static_cast<void *>(pointer));
}

#endif /* __MUSA_CXX_OUT_H__ */

/* SPDX-License-Identifier: MIT */
/* Version of the MUSA runtime API: major * 10000 + minor * 100. */
#ifndef __MUSART_VERSION_H__
#define __MUSART_VERSION_H__

#define MUSART_VERSION 50100
/* The name by which programs ask which calls exist. */
#define __MUSART_API_VERSION MUSART_VERSION

#endif /* __MUSART_VERSION_H__ */

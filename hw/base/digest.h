/* SPDX-License-Identifier: MIT */
/* Digests of bytes: CRC-32 for files that may be damaged, SHA-256 for names of contents. */
#ifndef MT_BASE_DIGEST_H
#define MT_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32 of IEEE 802.3 (zlib, PNG) of `crc`'s bytes followed by these; 0 to begin. */
uint32_t mt_crc32(uint32_t crc, const void *bytes, size_t count);

void mt_sha256(const void *bytes, size_t count, uint8_t digest_out[32]);

#endif

/* SPDX-License-Identifier: MIT */
/* Digests: a CRC that takes eight bytes a step, and SHA-256 as FIPS 180-4 defines it. */
#include "hw/base/digest.h"

#include <pthread.h>
#include <string.h>

static uint32_t crc_tables[8][256];

static void make_crc_tables(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
		crc_tables[0][i] = crc;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (int t = 1; t < 8; t++)
			crc_tables[t][i] = crc_tables[t - 1][i] >> 8 ^
					   crc_tables[0][crc_tables[t - 1][i] & 0xff];
}

uint32_t mt_crc32(uint32_t crc, const void *bytes, size_t count)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const uint8_t *at = bytes;
	uint64_t word;

	pthread_once(&once, make_crc_tables);
	crc = ~crc;
	for (; count >= 8; count -= 8, at += 8) {
		memcpy(&word, at, 8);
		word ^= crc;
		crc = 0;
		for (int t = 0; t < 8; t++)
			crc ^= crc_tables[7 - t][word >> 8 * t & 0xff];
	}
	for (; count; count--)
		crc = crc >> 8 ^ crc_tables[0][(crc ^ *at++) & 0xff];
	return ~crc;
}

static const uint32_t round_words[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t x, int by)
{
	return x >> by | x << (32 - by);
}

static void add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64], v[8], a, b;
	int i;

	for (i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (; i < 64; i++) {
		a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
		b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
		w[i] = w[i - 16] + a + w[i - 7] + b;
	}
	memcpy(v, state, sizeof(v));
	for (i = 0; i < 64; i++) {
		a = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
		    ((v[4] & v[5]) ^ (~v[4] & v[6])) + round_words[i] + w[i];
		b = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) +
		    ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += a;
		v[0] = a + b;
	}
	for (i = 0; i < 8; i++)
		state[i] += v[i];
}

void mt_sha256(const void *bytes, size_t count, uint8_t digest_out[32])
{
	uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	uint64_t bits = (uint64_t)count * 8;
	const uint8_t *at = bytes;
	uint8_t tail[128] = {0};
	size_t tail_b;

	for (; count >= 64; count -= 64, at += 64)
		add_block(state, at);
	if (count)
		memcpy(tail, at, count);
	tail[count] = 0x80;
	tail_b = count < 56 ? 64 : 128;
	for (int i = 0; i < 8; i++)
		tail[tail_b - 1 - (size_t)i] = (uint8_t)(bits >> 8 * i);
	add_block(state, tail);
	if (tail_b == 128)
		add_block(state, tail + 64);
	for (int i = 0; i < 32; i++)
		digest_out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

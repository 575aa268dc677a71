/* SPDX-License-Identifier: MIT */
/* Device variables by their symbols: addresses, sizes, copies to and from them. */
#include "memory_test.h"

/* Where a symbol is, and that memory calls see its exact size. */
Test(memory_symbols, address_and_size)
{
	struct musaPointerAttributes attributes;
	size_t size_b;
	void *memory;
	int other;

	OK(musaGetSymbolAddress(&memory, symbol_constant_words));
	OK(musaGetSymbolSize(&size_b, symbol_constant_words));
	EQ(size_b, 16);
	OK(musaPointerGetAttributes(&attributes, memory));
	EQ(attributes.type, musaMemoryTypeDevice);
	OK(musaMemset(memory, 1, 16));
	EXPECT(IV, musaMemset(memory, 1, 17));
	EXPECT(musaErrorInvalidSymbol, musaGetSymbolAddress(&memory, NULL));
	EXPECT(musaErrorInvalidSymbol, musaGetSymbolAddress(&memory, &other));
	EXPECT(musaErrorInvalidSymbol, musaGetSymbolSize(&size_b, NULL));
	EXPECT(IV, musaGetSymbolAddress(NULL, symbol_device_word));
	EXPECT(IV, musaGetSymbolSize(NULL, symbol_device_word));
}

/* Values go in and come back, waiting and not, with offsets. */
Test(memory_symbols, copies)
{
	musaStream_t stream = new_stream();
	int words[4] = {1, 2, 3, 4}, got[4] = {0}, *device = device_memory(16);

	OK(musaMemcpyToSymbol(symbol_constant_words, words, 16, 0, musaMemcpyHostToDevice));
	OK(musaMemcpyFromSymbol(got, symbol_constant_words, 8, 8, musaMemcpyDeviceToHost));
	EQ(got[0], 3);
	EQ(got[1], 4);
	words[0] = 9;
	OK(musaMemcpyToSymbolAsync(symbol_constant_words, words, 4, 4, musaMemcpyDefault, stream));
	OK(musaMemcpyFromSymbolAsync(device, symbol_constant_words, 16, 0, musaMemcpyDeviceToDevice,
				     stream));
	OK(musaMemcpyFromSymbolAsync(got, symbol_constant_words, 16, 0, musaMemcpyDeviceToHost,
				     stream));
	EQ(got[1], 9);
	EQ(t_read(device + 1), 9);
	OK(musaMemcpyToSymbol(symbol_device_word, device, 4, 0, musaMemcpyDeviceToDevice));
	OK(musaMemcpyFromSymbol(got, symbol_device_word, 4, 0, musaMemcpyDefault));
	EQ(got[0], 1);
}

Test(memory_symbols, refusals)
{
	const void *symbol = symbol_constant_words;
	int words[5] = {0};

	EXPECT(musaErrorInvalidSymbol,
	       musaMemcpyToSymbol(NULL, words, 4, 0, musaMemcpyHostToDevice));
	EXPECT(musaErrorInvalidSymbol,
	       musaMemcpyFromSymbol(words, &words, 4, 0, musaMemcpyDeviceToHost));
	EXPECT(IV, musaMemcpyToSymbol(symbol, words, 17, 0, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpyToSymbol(symbol, words, 4, 13, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpyToSymbol(symbol, words, 4, SIZE_MAX, musaMemcpyHostToDevice));
	EXPECT(IV, musaMemcpyToSymbol(symbol, NULL, 4, 0, musaMemcpyHostToDevice));
	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpyToSymbol(symbol, words, 4, 0, musaMemcpyDeviceToHost));
	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpyToSymbol(symbol, words, 4, 0, musaMemcpyHostToHost));
	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpyFromSymbol(words, symbol, 4, 0, musaMemcpyHostToDevice));
	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpyFromSymbol(words, symbol, 4, 0, (enum musaMemcpyKind)77));
	OK(musaMemcpyToSymbol(symbol, NULL, 0, 16, musaMemcpyHostToDevice));
}

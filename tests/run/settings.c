/* SPDX-License-Identifier: MIT */
/* What is set on a device is what queries tell, per device, until it is reset. */
#include "support.h"

Test(settings, cache_and_banks)
{
	enum musaSharedMemConfig banks;
	enum musaFuncCache cache;

	OK(musaDeviceGetCacheConfig(&cache));
	EQ(cache, musaFuncCachePreferNone);
	OK(musaDeviceGetSharedMemConfig(&banks));
	EQ(banks, musaSharedMemBankSizeFourByte);
	for (int i = musaFuncCachePreferNone; i <= musaFuncCachePreferEqual; i++) {
		OK(musaDeviceSetCacheConfig((enum musaFuncCache)i));
		EXPECT(musaErrorInvalidValue,
		       musaDeviceSetCacheConfig((enum musaFuncCache)(musaFuncCachePreferEqual + 1)));
		OK(musaDeviceGetCacheConfig(&cache));
		EQ(cache, i);
	}
	for (int i = musaSharedMemBankSizeDefault; i <= musaSharedMemBankSizeEightByte; i++) {
		OK(musaDeviceSetSharedMemConfig((enum musaSharedMemConfig)i));
		EXPECT(musaErrorInvalidValue,
		       musaDeviceSetSharedMemConfig(
			       (enum musaSharedMemConfig)(musaSharedMemBankSizeEightByte + 1)));
		OK(musaDeviceGetSharedMemConfig(&banks));
		EQ(banks, i);
	}
	EXPECT(musaErrorInvalidValue, musaDeviceGetCacheConfig(NULL));
	EXPECT(musaErrorInvalidValue, musaDeviceGetSharedMemConfig(NULL));

	/* The other device has settings of its own. */
	OK(musaSetDevice(1));
	OK(musaDeviceGetCacheConfig(&cache));
	EQ(cache, musaFuncCachePreferNone);
	OK(musaDeviceSetCacheConfig(musaFuncCachePreferL1));
	OK(musaSetDevice(0));
	OK(musaDeviceGetCacheConfig(&cache));
	EQ(cache, musaFuncCachePreferEqual);
	OK(musaDeviceReset());
	OK(musaDeviceGetCacheConfig(&cache));
	EQ(cache, musaFuncCachePreferNone);
	OK(musaDeviceGetSharedMemConfig(&banks));
	EQ(banks, musaSharedMemBankSizeFourByte);
}

Test(settings, limits)
{
	static const enum musaLimit limits[] = {musaLimitStackSize, musaLimitPrintfFifoSize,
						musaLimitMallocHeapSize};
	size_t before, value;

	for (int i = 0; i < 3; i++) {
		OK(musaDeviceGetLimit(&before, limits[i]));
		OK(musaDeviceSetLimit(limits[i], 2 * before + 4096));
		OK(musaDeviceGetLimit(&value, limits[i]));
		EQ(value, 2 * before + 4096);
		OK(musaThreadGetLimit(&value, limits[i]));
		EQ(value, 2 * before + 4096);
		OK(musaSetDevice(1));
		OK(musaDeviceGetLimit(&value, limits[i]));
		EQ(value, before);
		OK(musaSetDevice(0));
	}
	EXPECT(musaErrorInvalidValue, musaDeviceGetLimit(NULL, musaLimitStackSize));
	EXPECT(musaErrorInvalidValue, musaDeviceSetLimit((enum musaLimit)7, 1));
	EXPECT(musaErrorInvalidValue, musaDeviceGetLimit(&value, (enum musaLimit)7));
	for (int i = musaLimitDevRuntimeSyncDepth; i <= musaLimitPersistingL2CacheSize; i++) {
		EXPECT(musaErrorUnsupportedLimit, musaDeviceSetLimit((enum musaLimit)i, 1));
		EXPECT(musaErrorUnsupportedLimit, musaDeviceGetLimit(&value, (enum musaLimit)i));
	}
}

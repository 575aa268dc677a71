/* SPDX-License-Identifier: MIT */
/*
 * Reads the list of visible devices.
 */
#include "hw/visible.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "hw/base/log.h"

#define NAME "MUSA_VISIBLE_DEVICES"

static int complain(const char *text, const char *why)
{
	mt_log(MT_LOG_ERROR, NAME "=%s: %s", text, why);
	return -EINVAL;
}

/* One number up to a comma or the end; *text goes behind it. */
static int read_ordinal(const char **text, long *ordinal_out)
{
	char *end;

	if (**text != '-' && (**text < '0' || **text > '9'))
		return -EINVAL;
	errno = 0;
	*ordinal_out = strtol(*text, &end, 10);
	if (end == *text || errno || (*end && *end != ','))
		return -EINVAL;
	*text = *end ? end + 1 : end;
	/* A comma needs a number behind it. */
	return *end && !end[1] ? -EINVAL : 0;
}

int mt_hw_visible_read(uint32_t count, uint32_t *order_out, uint32_t *count_out)
{
	const char *text = getenv(NAME), *at = text;
	uint32_t found = 0, i;
	bool ended = false;
	long ordinal;

	for (i = 0; !text && i < count; i++)
		order_out[found++] = i;
	while (at && *at) {
		if (read_ordinal(&at, &ordinal))
			return complain(text, "not a list of ordinals");
		if (ordinal < 0 || ordinal >= (long)count)
			ended = true;
		if (ended)
			continue;
		for (i = 0; i < found; i++)
			if (order_out[i] == (uint32_t)ordinal)
				return complain(text, "a device stands in it twice");
		order_out[found++] = (uint32_t)ordinal;
	}
	if (text)
		mt_log(MT_LOG_INFO, NAME "=%s: %u of %u devices", text, found, count);
	*count_out = found;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Where graph/ registers stream capture, and the process-wide count of live captures. */
#include "drv/capture.h"

const struct mt_capture_ops *mt_capture_ops;
_Atomic unsigned int mt_capture_live;

void mt_capture_ops_set(const struct mt_capture_ops *ops)
{
	mt_capture_ops = ops;
}

MUresult mt_capture_check_unsafe_call(const char *api)
{
	return mt_capture_check_unsafe(api);
}

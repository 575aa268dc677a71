/* SPDX-License-Identifier: MIT */
/*
 * Stream attributes. They are stored and read back; the engine has no caches or memory domains
 * that they could steer, and the priority is fixed when the stream is created.
 */
#include "drv/stream_attr.h"

#include <string.h>

#include "drv/attribute.h"
#include "driver_types.h"
#include "hw/base/alloc.h"

struct stream_attrs {
	struct musaAccessPolicyWindow window;
	enum musaSynchronizationPolicy policy;
	musaLaunchMemSyncDomainMap domain_map;
	musaLaunchMemSyncDomain domain;
};

static const struct stream_attrs defaults = {
	.policy = musaSyncPolicyAuto,
	.domain_map = {.default_ = 0, .remote = 1},
	.domain = musaLaunchMemSyncDomainDefault,
};

/* The stream's own values, made on the first change. */
static struct stream_attrs *own_attrs(struct mt_stream *stream)
{
	struct stream_attrs *attrs = stream->attrs;

	if (attrs)
		return attrs;
	attrs = mt_alloc(sizeof(*attrs));
	if (attrs) {
		*attrs = defaults;
		stream->attrs = attrs;
	}
	return attrs;
}

MUresult mt_stream_attr_get(struct mt_stream *stream, int id, void *value)
{
	union musaLaunchAttributeValue *out = value;
	const struct stream_attrs *attrs = stream->attrs ? stream->attrs : &defaults;

	if (!out)
		return MUSA_ERROR_INVALID_VALUE;
	switch (id) {
	case musaLaunchAttributeAccessPolicyWindow:
		out->accessPolicyWindow = attrs->window;
		return MUSA_SUCCESS;
	case musaLaunchAttributeSynchronizationPolicy:
		out->syncPolicy = attrs->policy;
		return MUSA_SUCCESS;
	case musaLaunchAttributeMemSyncDomainMap:
		out->memSyncDomainMap = attrs->domain_map;
		return MUSA_SUCCESS;
	case musaLaunchAttributeMemSyncDomain:
		out->memSyncDomain = attrs->domain;
		return MUSA_SUCCESS;
	case musaLaunchAttributePriority:
		out->priority = stream->priority;
		return MUSA_SUCCESS;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
}

static MUresult check_value(const struct mt_stream *stream, int id,
			    const union musaLaunchAttributeValue *value)
{
	const struct musaAccessPolicyWindow *window = &value->accessPolicyWindow;

	switch (id) {
	case musaLaunchAttributeAccessPolicyWindow:
		return window->hitRatio >= 0.0f && window->hitRatio <= 1.0f &&
				       (unsigned int)window->hitProp <= musaAccessPropertyPersisting &&
				       (unsigned int)window->missProp <= musaAccessPropertyStreaming &&
				       mt_access_window_fits(stream->ctx->device, window->num_bytes)
			       ? MUSA_SUCCESS
			       : MUSA_ERROR_INVALID_VALUE;
	case musaLaunchAttributeSynchronizationPolicy:
		return value->syncPolicy >= musaSyncPolicyAuto &&
				       value->syncPolicy <= musaSyncPolicyBlockingSync
			       ? MUSA_SUCCESS
			       : MUSA_ERROR_INVALID_VALUE;
	case musaLaunchAttributeMemSyncDomainMap:
		return MUSA_SUCCESS;
	case musaLaunchAttributeMemSyncDomain:
		return (unsigned int)value->memSyncDomain <= musaLaunchMemSyncDomainRemote
			       ? MUSA_SUCCESS
			       : MUSA_ERROR_INVALID_VALUE;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
}

MUresult mt_stream_attr_set(struct mt_stream *stream, int id, const void *value)
{
	const union musaLaunchAttributeValue *in = value;
	struct stream_attrs *attrs;
	MUresult ret;

	if (!in)
		return MUSA_ERROR_INVALID_VALUE;
	ret = check_value(stream, id, in);
	if (ret)
		return ret;
	pthread_mutex_lock(&stream->lock);
	attrs = own_attrs(stream);
	if (attrs) {
		if (id == musaLaunchAttributeAccessPolicyWindow)
			attrs->window = in->accessPolicyWindow;
		else if (id == musaLaunchAttributeSynchronizationPolicy)
			attrs->policy = in->syncPolicy;
		else if (id == musaLaunchAttributeMemSyncDomainMap)
			attrs->domain_map = in->memSyncDomainMap;
		else
			attrs->domain = in->memSyncDomain;
	}
	pthread_mutex_unlock(&stream->lock);
	return attrs ? MUSA_SUCCESS : MUSA_ERROR_OUT_OF_MEMORY;
}

MUresult mt_stream_attr_copy(struct mt_stream *dst, const struct mt_stream *src)
{
	struct stream_attrs *attrs;

	if (!src->attrs && !dst->attrs)
		return MUSA_SUCCESS;
	attrs = own_attrs(dst);
	if (!attrs)
		return MUSA_ERROR_OUT_OF_MEMORY;
	*attrs = src->attrs ? *(const struct stream_attrs *)src->attrs : defaults;
	return MUSA_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * One packet as one line of text.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "hw/packet.h"

struct line {
	char *text;
	size_t size_b, at;
};

static void __attribute__((format(printf, 2, 3))) add(struct line *line, const char *format, ...)
{
	va_list args;
	int n;

	if (line->at + 1 >= line->size_b)
		return;
	va_start(args, format);
	n = vsnprintf(line->text + line->at, line->size_b - line->at, format, args);
	va_end(args);
	if (n > 0)
		line->at += (size_t)n;
}

static void print_flags(struct line *line, const struct mt_pkt_header *header)
{
	static const struct {
		uint8_t opcode, flag; /* opcode 0: any */
		const char *name;
	} names[] = {
		{0, MT_PKT_BARRIER, "barrier"},
		{0, MT_PKT_ACQUIRE, "acquire"},
		{0, MT_PKT_RELEASE, "release"},
		{0, MT_PKT_DISABLED, "disabled"},
		{MT_PKT_OP_DISPATCH, MT_PKT_DISPATCH_COOPERATIVE, "cooperative"},
		{MT_PKT_OP_WAIT, MT_PKT_WAIT_INDIRECT, "indirect"},
		{MT_PKT_OP_SIGNAL, MT_PKT_SIGNAL_INDIRECT, "indirect"},
		{MT_PKT_OP_SIGNAL, MT_PKT_SIGNAL_MAX, "max"},
		{MT_PKT_OP_SIGNAL, MT_PKT_SIGNAL_TIMESTAMP, "timestamp"},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (header->flags & names[i].flag &&
		    (!names[i].opcode || names[i].opcode == header->opcode))
			add(line, " %s", names[i].name);
}

static void print_dispatch(struct line *line, const struct mt_pkt_dispatch *p)
{
	add(line, " code=0x%" PRIx64 " args=0x%" PRIx64 "+%u grid=%u,%u,%u block=%u,%u,%u",
	    p->code_va, p->kernarg_va, p->kernarg_b, p->grid_x, p->grid_y, p->grid_z, p->block_x,
	    p->block_y, p->block_z);
	if (p->static_shared_b || p->dynamic_shared_b)
		add(line, " shared=%u+%u", p->static_shared_b, p->dynamic_shared_b);
	if (p->priority)
		add(line, " priority=%d", p->priority);
}

static void print_copy(struct line *line, const struct mt_pkt_copy *p)
{
	add(line, " dst=0x%" PRIx64 " src=0x%" PRIx64 " size=%" PRIu64, p->dst_va, p->src_va,
	    p->width_b);
	if (p->height != 1 || p->depth != 1)
		add(line, "x%ux%u dst_pitch=%" PRIu64 ",%" PRIu64 " src_pitch=%" PRIu64 ",%" PRIu64,
		    p->height, p->depth, p->dst_pitch_b, p->dst_slice_b, p->src_pitch_b,
		    p->src_slice_b);
}

static void print_fill(struct line *line, const struct mt_pkt_fill *p)
{
	add(line, " dst=0x%" PRIx64 " size=%" PRIu64, p->dst_va, p->width_b);
	if (p->height != 1 || p->depth != 1)
		add(line, "x%ux%u pitch=%" PRIu64 ",%" PRIu64, p->height, p->depth, p->pitch_b,
		    p->slice_b);
	add(line, " value=0x%x element=%u", p->value, p->element_b);
}

static void print_cond(struct line *line, const struct mt_pkt_cond *p)
{
	static const char *const compare[] = {"==", "!=", "<", ">="};

	add(line, " if [0x%" PRIx64 "] %s %u goto 0x%" PRIx64, p->word_va,
	    p->compare <= MT_PKT_GE ? compare[p->compare] : "?", p->value, p->target_va);
	if (p->passes_va)
		add(line, " passes=0x%" PRIx64, p->passes_va);
}

void mt_pkt_print(const void *packet, char *text, size_t size_b)
{
	const struct mt_pkt_header *header = packet;
	const struct mt_pkt_info *info = mt_pkt_info(header->opcode);
	struct line line = {.text = text, .size_b = size_b};
	const struct mt_pkt_write *write = packet;
	const struct mt_pkt_wait *wait = packet;
	const struct mt_pkt_jump *jump = packet;

	if (!size_b)
		return;
	text[0] = '\0';
	add(&line, "%s", info ? info->name : "?");
	if (header->node != MT_PKT_NODE_NONE)
		add(&line, " node=%u", header->node);
	print_flags(&line, header);
	switch (header->opcode) {
	case MT_PKT_OP_NOP:
		add(&line, " len=%u", header->len_qw);
		break;
	case MT_PKT_OP_DISPATCH:
		print_dispatch(&line, packet);
		break;
	case MT_PKT_OP_COPY:
		print_copy(&line, packet);
		break;
	case MT_PKT_OP_FILL:
		print_fill(&line, packet);
		break;
	case MT_PKT_OP_WRITE:
		add(&line, " dst=0x%" PRIx64 " qwords=%u first=0x%" PRIx64, write->dst_va,
		    header->len_qw - 2u, write->data[0]);
		break;
	case MT_PKT_OP_WAIT:
	case MT_PKT_OP_SIGNAL:
		add(&line, " address=0x%" PRIx64 " value=%" PRIu64, wait->address, wait->value);
		break;
	case MT_PKT_OP_COND:
		print_cond(&line, packet);
		break;
	case MT_PKT_OP_JUMP:
	case MT_PKT_OP_CALL:
	case MT_PKT_OP_HOST:
	case MT_PKT_OP_TIMESTAMP:
		add(&line, " address=0x%" PRIx64, jump->target_va);
		break;
	default:
		break;
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * The table of generations: the only place to change when an encoding becomes known.
 *
 * What the kernel publishes is its interface, not the words that compute units read. So silicon
 * gets DMA jobs, semaphores and memory through the published interface, and kernels are refused
 * where a graph is instantiated or a launch is called. Only the simulated device executes packets.
 */
#include "hw/drm/generation.h"

#include <string.h>

#include "hw/drm/queue.h"
#include "hw/drm/sim_protocol.h"

#define SIM_ID 0x09u

/* DMA jobs read and write pageable memory themselves. */
#define SILICON                                                                                    \
	.caps = MT_HW_CAP_HOST_MEMORY, .lanes = 1, .queue_init = mt_drm_dma_queue_init,            \
	.queue_finish = mt_drm_dma_queue_finish, .queue_submit = mt_drm_dma_queue_submit

static const struct mt_drm_generation generations[] = {
	{
		.name = "sim",
		.text = "MTT Simulated GPU",
		.id = SIM_ID,
		.arch_id = 900, /* no silicon has it */
		.warp_size = 32,
		.shared_block_b = 196608,
		.caps = MT_HW_CAP_KERNELS | MT_HW_CAP_INSTREAM_SYNC | MT_HW_CAP_BRANCH |
			MT_HW_CAP_HOST_MEMORY | MT_HW_CAP_DEVICE_LAUNCH,
		.lanes = 4,
		.priority_greatest = -5,
		.executes_packets = true,
		.queue_init = mt_drm_sim_queue_init,
		.queue_finish = mt_drm_sim_queue_finish,
		.queue_submit = mt_drm_sim_queue_submit,
	},
	/* UNVERIFIED: the arch_id of sudi; no compiler option for it is published. */
	{.name = "sudi",
	 .text = "MTT GPU, sudi",
	 .id = 0x01,
	 .arch_id = 100,
	 .warp_size = 128,
	 SILICON},
	{.name = "mp_21",
	 .text = "MTT GPU, mp_21 (quyuan1)",
	 .id = 0x02,
	 .arch_id = 210,
	 .warp_size = 128,
	 SILICON},
	{.name = "mp_22",
	 .text = "MTT GPU, mp_22 (quyuan2)",
	 .id = 0x03,
	 .arch_id = 220,
	 .warp_size = 128,
	 SILICON},
	{.name = "mp_31",
	 .text = "MTT GPU, mp_31 (pinghu1)",
	 .id = 0x04,
	 .arch_id = 310,
	 .warp_size = 32,
	 SILICON},
	{.name = "unknown", .text = "MTT GPU, unknown generation", .warp_size = 32, SILICON},
};

#define GENERATION_COUNT (sizeof(generations) / sizeof(generations[0]))

const struct mt_drm_generation *mt_drm_generation_find(uint32_t device_id, const char *desc)
{
	bool simulated = !strncmp(desc, SIM_DESC, sizeof(SIM_DESC) - 1);
	uint32_t id = device_id >> 8;

	for (uint32_t i = 0; i < GENERATION_COUNT - 1; i++) {
		if (generations[i].id != id)
			continue;
		/* The simulation may play silicon, but silicon is never sent packets. */
		if (generations[i].executes_packets && !simulated)
			break;
		return &generations[i];
	}
	return &generations[GENERATION_COUNT - 1];
}

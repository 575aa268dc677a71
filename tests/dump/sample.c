/* SPDX-License-Identifier: MIT */
/* A saved graph by hand: one node of each type, a child graph, a loop, packets, memory, times. */
#include "sample.h"

#include <stdint.h>
#include <string.h>

#include "graph/save_file.h"
#include "hw/packet.h"

#define CHUNK_VA  0x7f0000010000u
#define CHUNK_B   2048u
#define DEVICE_VA 0x7f0000100000u
#define HOST_VA   0x7f0000200010u
#define POOL_VA   0x7f0000300000u
#define WORD_VA   0x7f0000400000u

enum { KERNEL, COPY, FILL, HOST, CHILD, EMPTY, EVENT_WAIT, EVENT_RECORD, SEM_SIGNAL, SEM_WAIT, ALLOC,
       FREE, CONDITIONAL = 13 };

static void put_info(struct mt_save_file *file)
{
	const struct mtg_info info = {
		.size_b = sizeof(info),
		.flags = MTG_INFO_MEMORY,
		.time_ns = UINT64_C(1700000000000000000),
		.memory_limit_b = 65536,
		.pid = 4711,
		.program_b = 6,
		.version_b = 5,
		.backend_b = 4,
		.device_count = 1,
		.process = 99,
	};
	const struct mtg_device device = {
		.name = "Sample GPU", .arch_id = 900, .warp_size = 32, .mp_count = 4};

	mt_save_begin(file, MTG_INFO);
	mt_save_put(file, &info, sizeof(info));
	mt_save_put(file, "sample5.1.0mock", 15);
	mt_save_pad(file);
	mt_save_put(file, &device, sizeof(device));
	mt_save_end(file);
}

static void put_param(struct mt_save_file *file, const char *name, uint32_t type, uint32_t image_b,
		      uint32_t value_b)
{
	uint32_t name_b = (uint32_t)strlen(name);
	const struct mtg_param param = {
		.size_b = (uint32_t)sizeof(param) + ((name_b + 7) & ~7u),
		.head_b = sizeof(param),
		.image_b = image_b,
		.value_b = value_b,
		.type = type,
		.flags = type == 14 ? MTG_PARAM_POINTER : 0,
		.name_b = name_b,
		.packed_b = image_b,
	};

	mt_save_put(file, &param, sizeof(param));
	mt_save_put(file, name, name_b);
	mt_save_pad(file);
}

static void put_code(struct mt_save_file *file, const char *name, size_t name_b)
{
	struct mtg_code code = {.size_b = sizeof(code), .arch_id = 900, .code_b = 5000};
	struct mtg_kernel kernel = {
		.head_b = sizeof(kernel),
		.code_va = 0x7f0000001100,
		.image_va = 0x7f0000001000,
		.args_b = 32,
		.static_shared_b = 128,
		.max_threads = 1024,
		.param_count = 4,
		.name_b = (uint32_t)name_b,
	};

	memset(code.sha256, 0xab, sizeof(code.sha256));
	mt_save_begin(file, MTG_CODE);
	mt_save_put(file, &code, sizeof(code));
	mt_save_end(file);
	mt_save_begin(file, MTG_KERNELS);
	mt_save_put(file, &kernel, sizeof(kernel));
	mt_save_put(file, name, name_b);
	mt_save_pad(file);
	put_param(file, "to", 14, 0, 8);
	put_param(file, "value", 6, 8, 4);
	put_param(file, "factor", 8, 12, 4);
	put_param(file, "pair", 24, 16, 16);
	kernel.size_b = (uint32_t)file->used_b;
	memcpy(file->payload, &kernel, sizeof(kernel));
	mt_save_end(file);
}

static void put_graphs(struct mt_save_file *file)
{
	const struct mtg_graph graphs[] = {
		{.role = MTG_ROOT, .parent = MTG_NONE, .id_count = 14, .node_count = 13,
		 .edge_count = 13, .base = 0, .uid = 1},
		{.role = MTG_CHILD, .parent = 0, .parent_node = 4, .id_count = 2, .node_count = 2,
		 .edge_count = 1, .base = 14, .uid = 2},
		{.role = MTG_BODY, .parent = 0, .parent_node = 13, .id_count = 1, .node_count = 1,
		 .base = 17, .uid = 3},
	};

	mt_save_begin(file, MTG_GRAPHS);
	mt_save_put(file, graphs, sizeof(graphs));
	mt_save_end(file);
}

static void put_node(struct mt_save_file *file, uint32_t id, uint8_t type, const uint32_t *deps,
		     uint32_t dep_count, const void *params, uint32_t params_b)
{
	const struct mtg_node head = {
		.size_b = (uint32_t)sizeof(head) + ((dep_count * 4 + 7) & ~7u) +
			  ((params_b + 7) & ~7u),
		.id = id,
		.type = type,
		.dep_count = dep_count,
		.params_b = params_b,
	};

	mt_save_put(file, &head, sizeof(head));
	mt_save_put(file, deps, dep_count * sizeof(*deps));
	mt_save_pad(file);
	mt_save_put(file, params, params_b);
	mt_save_pad(file);
}

static void put_kernel(struct mt_save_file *file, uint32_t id, const uint32_t *deps,
		       uint32_t dep_count)
{
	struct {
		struct mtg_kernel_params params;
		uint64_t to;
		int32_t value;
		float factor;
		uint8_t pair[16];
		struct mtg_kernel_attrs attrs;
	} all = {
		.params = {.args_b = 32, .grid = {4, 2, 1}, .block = {64, 1, 1},
			   .dynamic_shared_b = 16, .attrs_b = sizeof(all.attrs)},
		.to = DEVICE_VA + 64,
		.value = -5,
		.factor = 0.5f,
		.pair = {1, 2, 3, 4},
		.attrs = {.set = 1u << 8, .priority = -1, .priority_requested = -3},
	};

	put_node(file, id, KERNEL, deps, dep_count, &all, sizeof(all));
}

static void put_copy(struct mt_save_file *file, uint32_t id, const uint32_t *deps, uint32_t count)
{
	const struct mtg_copy_params copy = {
		.src = {.ptr = HOST_VA, .va = HOST_VA, .array = MTG_NONE, .row_b = 100},
		.dst = {.ptr = DEVICE_VA, .va = DEVICE_VA, .array = MTG_NONE, .row_b = 100,
			.memory = MTG_DEVICE_MEMORY},
		.width = 100, .height = 1, .depth = 1, .width_b = 100, .kind = 1, .is_1d = 1,
	};

	put_node(file, id, COPY, deps, count, &copy, sizeof(copy));
}

static void put_others(struct mt_save_file *file)
{
	static const uint32_t after[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	const struct mtg_fill_params fill = {.dst = DEVICE_VA + 256, .pitch_b = 64, .width = 8,
					     .height = 3, .depth = 1, .value = 0xff,
					     .element_b = 4, .memory = MTG_DEVICE_MEMORY};
	const struct {
		struct mtg_host_params params;
		char symbol[16];
	} host = {{.fn = 0x5500, .data = 0x6600, .symbol_b = 15}, "sample:fn+0x000"};
	const struct mtg_event_params event = {.event = 77};
	const struct {
		struct mtg_semaphore_params params;
		struct mtg_semaphore semaphore;
	} semaphores = {{.count = 1}, {.semaphore = 88, .value = 3}};
	const struct mtg_alloc_params alloc = {.va = POOL_VA, .size_b = 4096};
	const struct mtg_free_params freed = {.va = POOL_VA};
	const struct mtg_conditional_params loop = {.handle = WORD_VA, .type = 1, .size = 1,
						    .default_value = 1, .flags = 1};

	put_node(file, 2, FILL, after + 1, 1, &fill, sizeof(fill));
	put_node(file, 3, HOST, after + 2, 1, &host, sizeof(host));
	put_node(file, 4, CHILD, after + 3, 1, NULL, 0);
	put_node(file, 5, EMPTY, after + 3, 1, NULL, 0);
	put_node(file, 6, EVENT_WAIT, after + 4, 2, &event, sizeof(event));
	put_node(file, 7, EVENT_RECORD, after + 6, 1, &event, sizeof(event));
	put_node(file, 8, SEM_SIGNAL, after + 7, 1, &semaphores, sizeof(semaphores));
	put_node(file, 9, SEM_WAIT, after + 8, 1, &semaphores, sizeof(semaphores));
	put_node(file, 10, ALLOC, after + 9, 1, &alloc, sizeof(alloc));
	put_node(file, 11, FREE, after + 10, 1, &freed, sizeof(freed));
	/* Id 12 was destroyed. */
	put_node(file, 13, CONDITIONAL, after + 11, 1, &loop, sizeof(loop));
}

static void put_nodes(struct mt_save_file *file)
{
	static const uint32_t zero[] = {0};
	struct mtg_nodes head = {.count = 13};

	mt_save_begin(file, MTG_NODES);
	mt_save_put(file, &head, sizeof(head));
	put_copy(file, 0, NULL, 0);
	put_kernel(file, 1, zero, 1);
	put_others(file);
	mt_save_end(file);
	head = (struct mtg_nodes){.graph = 1, .count = 2};
	mt_save_begin(file, MTG_NODES);
	mt_save_put(file, &head, sizeof(head));
	put_node(file, 0, EMPTY, NULL, 0, NULL, 0);
	put_kernel(file, 1, zero, 1);
	mt_save_end(file);
	head = (struct mtg_nodes){.graph = 2, .count = 1};
	mt_save_begin(file, MTG_NODES);
	mt_save_put(file, &head, sizeof(head));
	put_kernel(file, 0, NULL, 0);
	mt_save_end(file);
}

static void put_range(struct mt_save_file *file, const struct mtg_range *range, const char *name)
{
	struct mtg_range head = *range;

	head.head_b = sizeof(head);
	head.name_b = (uint32_t)strlen(name);
	head.size_b = (uint32_t)sizeof(head) + ((head.name_b + 7) & ~7u);
	mt_save_put(file, &head, sizeof(head));
	mt_save_put(file, name, head.name_b);
	mt_save_pad(file);
}

static void put_memory(struct mt_save_file *file)
{
	const struct mtg_contents contents = {.range = 1, .offset_b = 16, .bytes_b = 32};
	const struct mtg_range ranges[] = {
		{.va = 0x7f0000001800, .range_b = 16, .index = 0, .kind = MTG_RANGE_MODULE,
		 .memory = MTG_DEVICE_MEMORY, .lifetime = MTG_LIFE_MODULE, .graph = MTG_NONE,
		 .node = MTG_NONE, .flags = MTG_RANGE_UNREADABLE},
		{.va = DEVICE_VA, .range_b = 1024, .index = 1, .kind = MTG_RANGE_DEVICE,
		 .memory = MTG_DEVICE_MEMORY, .graph = MTG_NONE, .node = MTG_NONE,
		 .code = MTG_NONE, .flags = MTG_RANGE_SAVED},
		{.va = HOST_VA, .range_b = 100, .index = 2, .graph = MTG_NONE, .node = MTG_NONE,
		 .code = MTG_NONE, .flags = MTG_RANGE_OVER_LIMIT},
		{.va = POOL_VA, .range_b = 4096, .index = 3, .kind = MTG_RANGE_GRAPH,
		 .memory = MTG_DEVICE_MEMORY, .lifetime = MTG_LIFE_LAUNCH, .node = 10,
		 .code = MTG_NONE},
		{.va = WORD_VA, .range_b = 8, .index = 4, .kind = MTG_RANGE_CONDITION,
		 .memory = MTG_DEVICE_MEMORY, .lifetime = MTG_LIFE_GRAPH, .graph = MTG_NONE,
		 .node = MTG_NONE, .code = MTG_NONE},
	};
	uint8_t bytes[32];
	uint32_t i;

	memset(bytes, 7, sizeof(bytes));
	mt_save_begin_stream(file, MTG_CONTENTS, sizeof(contents) + sizeof(bytes));
	mt_save_stream(file, &contents, sizeof(contents));
	mt_save_stream(file, bytes, sizeof(bytes));
	mt_save_begin(file, MTG_RANGES);
	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		put_range(file, &ranges[i], i ? "" : "table");
	mt_save_end(file);
}

/* Two queues; the second loops: a branch that leads behind, a jump to the body, which jumps back. */
static void put_exec(struct mt_save_file *file)
{
	uint64_t words[CHUNK_B / 8] = {0};
	const struct mtg_chunk chunk = {.va = CHUNK_VA, .chunk_b = CHUNK_B};
	const struct mt_pkt_dispatch dispatch = {
		.header = {.flags = MT_PKT_BARRIER, .node = 1}, .code_va = 0x7f0000001100,
		.kernarg_va = CHUNK_VA + 1024, .grid_x = 4, .grid_y = 2, .grid_z = 1,
		.block_x = 64, .block_y = 1, .block_z = 1, .kernarg_b = 32,
		.static_shared_b = 128};
	const struct mt_pkt_copy copy = {.header = {.node = 0}, .dst_va = DEVICE_VA,
					 .src_va = HOST_VA, .width_b = 100, .height = 1, .depth = 1};
	const struct mt_pkt_cond cond = {.word_va = WORD_VA, .compare = MT_PKT_EQ,
					 .target_va = CHUNK_VA + 512 + 24 + 40 + 16};
	struct mtg_exec exec = {
		.size_b = sizeof(exec), .node_count = 18, .queue_count = 2, .chunk_count = 1,
		.prologue_va = CHUNK_VA + 768, .packet_version = MT_PKT_VERSION,
		.queue_va = {CHUNK_VA, CHUNK_VA + 512}};
	struct mtg_exec_nodes nodes = {.count = 18};
	struct mtg_exec_node records[18] = {{0}};
	void *at = words;
	uint32_t i;

	at = mt_pkt_put_copy(at, &copy);
	at = mt_pkt_put_dispatch(at, &dispatch);
	at = mt_pkt_put_signal(at, MT_PKT_RELEASE, MT_PKT_NODE_NONE, CHUNK_VA + 1536, 1);
	mt_pkt_put_end(at, MT_PKT_NODE_NONE);
	at = words + 512 / 8;
	at = mt_pkt_put_wait(at, MT_PKT_ACQUIRE, 13, CHUNK_VA + 1536, 1);
	at = mt_pkt_put_cond(at, MT_PKT_BARRIER, 13, &cond);
	at = mt_pkt_put_jump(at, 0, 13, CHUNK_VA + 896);
	mt_pkt_put_end(at, MT_PKT_NODE_NONE);
	at = words + 768 / 8;
	words[1200 / 8] = 0;
	at = mt_pkt_put_write(at, 0, MT_PKT_NODE_NONE, CHUNK_VA + 1536, &words[1200 / 8], 1);
	mt_pkt_put_end(at, MT_PKT_NODE_NONE);
	at = words + 896 / 8;
	at = mt_pkt_put_nop(at, 0, 17, 1);
	mt_pkt_put_jump(at, 0, 13, CHUNK_VA + 512 + 24);

	for (i = 0; i < 18; i++)
		records[i].queue = MTG_NONE;
	records[0] = (struct mtg_exec_node){.packet_va = CHUNK_VA, .packet_b = 80};
	records[1] = (struct mtg_exec_node){.packet_va = CHUNK_VA + 80, .packet_b = 64,
					    .data_va = CHUNK_VA + 1024, .data_b = 64,
					    .state = MTG_EXEC_BARRIER};
	records[12].state = MTG_EXEC_ABSENT;
	records[13] = (struct mtg_exec_node){.packet_va = CHUNK_VA + 536, .packet_b = 56,
					     .queue = 1};
	records[16].state = MTG_EXEC_ABSENT;
	records[17] = (struct mtg_exec_node){.packet_va = CHUNK_VA + 896, .packet_b = 8,
					     .queue = 1};
	mt_save_begin(file, MTG_EXEC);
	mt_save_put(file, &exec, sizeof(exec));
	mt_save_end(file);
	mt_save_begin(file, MTG_EXEC_NODES);
	mt_save_put(file, &nodes, sizeof(nodes));
	mt_save_put(file, records, sizeof(records));
	mt_save_end(file);
	mt_save_begin(file, MTG_CHUNKS);
	mt_save_put(file, &chunk, sizeof(chunk));
	mt_save_put(file, words, sizeof(words));
	mt_save_end(file);
}

static void put_seen(struct mt_save_file *file)
{
	const struct mtg_time times[] = {{.node = 0, .start_ns = 100, .end_ns = 300},
					 {.node = 1, .start_ns = 300, .end_ns = 900}};
	const struct mtg_access access = {.node = 1, .flags = MTG_ACCESS_WRITE,
					  .va = DEVICE_VA + 64, .bytes_b = 256};

	mt_save_begin(file, MTG_TIMES);
	mt_save_put(file, times, sizeof(times));
	mt_save_end(file);
	mt_save_begin(file, MTG_ACCESSES);
	mt_save_put(file, &access, sizeof(access));
	mt_save_end(file);
	/* Of a later version: skipped. */
	mt_save_begin(file, 1000);
	mt_save_put(file, "later", 5);
	mt_save_end(file);
}

int sample_write(int fd)
{
	return sample_write_named(fd, "do\"it\\\xff\n\x1b", 9);
}

int sample_write_named(int fd, const char *kernel_name, size_t name_b)
{
	struct mt_save_file file;

	mt_save_open(&file, fd);
	put_info(&file);
	put_code(&file, kernel_name, name_b);
	put_graphs(&file);
	put_nodes(&file);
	put_exec(&file);
	put_memory(&file);
	put_seen(&file);
	return mt_save_close(&file);
}

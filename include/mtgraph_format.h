/* SPDX-License-Identifier: MIT */
/*
 * The file format of saved graphs, `.mtgraph`: everything a reader or a writer needs to know.
 *
 * DOC: Rules of the file
 *
 *	+--------------------+
 *	| struct mtg_header  |
 *	+--------------------+
 *	| struct mtg_section |  size_b bytes of payload follow, then zeros up to a multiple of 8
 *	|   payload          |
 *	+--------------------+
 *	| ...                |
 *	+--------------------+
 *	| section MTG_END    |  the last one; a file without it was cut short
 *	+--------------------+
 *
 * Everything is little-endian. Structs stand in the file as they stand here, without padding of a
 * compiler's making; each starts at a multiple of 8 from the start of the file. Reserved fields are
 * zero when written and ignored when read.
 *
 * Sections come in any order, and most types may come several times: a list (nodes, packets, memory
 * contents, ...) is cut into sections of about MTG_BLOCK_B bytes, so that a reader needs memory for
 * one of them. A reader skips sections of a type that it does not know, unless they are marked
 * MTG_SECTION_NEEDED. Records that begin with their own size may grow at their end in later minor
 * versions; a reader takes the part that it knows.
 *
 * A higher minor version adds sections, record tails and numbers; a higher major version changes
 * what is here, so that older readers have to refuse.
 *
 * Texts are bytes without a terminating zero, whose length stands in the record; UTF-8 normally, but
 * nothing promises it. Addresses are those of the saving process. Devices are ordinals there.
 *
 * Nodes are named by graph (index of its MTG_GRAPHS record) and id (its order of insertion there).
 * An exec numbers its nodes as well: a graph's `base` plus the node's id. Packets hold that number.
 */
#ifndef MTGRAPH_FORMAT_H
#define MTGRAPH_FORMAT_H

#include <stdint.h>

#define MTG_MAGIC   "\211MTGRAPH" /* 8 bytes */
#define MTG_MAJOR   1u
#define MTG_MINOR   0u
#define MTG_NONE    0xffffffffu /* no index, no node */
#define MTG_BLOCK_B 262144u     /* size at which writers start a new section of a list */

struct mtg_header {
	uint8_t magic[8];
	uint16_t major, minor;
	uint32_t header_b; /* of this struct: the first section follows */
	uint64_t reserved[2];
};

enum mtg_section_type {
	MTG_INFO = 1,       /* struct mtg_info, texts, struct mtg_device[] */
	MTG_CODE = 2,       /* struct mtg_code, then the code object if it was saved */
	MTG_KERNELS = 3,    /* struct mtg_kernel records */
	MTG_ARRAYS = 4,     /* struct mtg_array[] */
	MTG_GRAPHS = 5,     /* struct mtg_graph[], parents before what is nested in them */
	MTG_NODES = 6,      /* struct mtg_nodes, then struct mtg_node records, by ascending id */
	MTG_RANGES = 7,     /* struct mtg_range records, by ascending address */
	MTG_CONTENTS = 8,   /* struct mtg_contents, then bytes */
	MTG_EXEC = 9,       /* struct mtg_exec: the file holds an executable graph */
	MTG_EXEC_NODES = 10, /* struct mtg_exec_nodes, then struct mtg_exec_node[] */
	MTG_CHUNKS = 11,    /* command memory: struct mtg_chunk, its bytes, the next one */
	MTG_TIMES = 12,     /* struct mtg_time[]: measured times of nodes */
	MTG_ACCESSES = 13,  /* struct mtg_access[]: memory that nodes were seen to touch */
	MTG_END = 14,       /* empty */
};

#define MTG_SECTION_NEEDED 1u /* who does not know the type must not use the file */

struct mtg_section {
	uint32_t type;   /* enum mtg_section_type */
	uint32_t flags;  /* MTG_SECTION_* */
	uint64_t size_b; /* of the payload, without padding */
	uint32_t crc32;  /* of the payload: the one of IEEE 802.3, as in zlib and PNG */
	uint32_t reserved;
};

/* --- MTG_INFO: once ---------------------------------------------------------------------------- */

enum mtg_info_flags {
	MTG_INFO_CODE = 1u << 0,   /* code objects were asked for */
	MTG_INFO_MEMORY = 1u << 1, /* memory contents were asked for */
	MTG_INFO_BUSY = 1u << 2,   /* the device was still at work when memory was read */
};

/* Followed by program_b, version_b, backend_b bytes of text, padded as one to a multiple of 8, then by
 * device_count struct mtg_device. */
struct mtg_info {
	uint32_t size_b; /* of this struct */
	uint32_t flags;  /* enum mtg_info_flags */
	uint64_t time_ns; /* of saving, since 1970 */
	uint64_t memory_limit_b;
	uint32_t pid;
	uint32_t program_b, version_b, backend_b; /* what saved it: program, library version, backend */
	uint32_t device_count;
	uint32_t process; /* with pid: files with the same pair come from one process */
};

struct mtg_device {
	char name[64]; /* cut, zero-filled */
	uint32_t arch_id, warp_size, mp_count, caps;
};

/* --- MTG_CODE: one section per code object ------------------------------------------------------- */

struct mtg_code {
	uint32_t size_b; /* of this struct */
	uint32_t index;  /* what kernels name; 0, 1, ... */
	uint32_t arch_id;
	uint32_t reserved;
	uint64_t code_b;    /* size of the code object, an ELF file */
	uint64_t saved_b;   /* bytes of it that follow: code_b or 0 */
	uint8_t sha256[32]; /* of the ELF file */
};

/* --- MTG_KERNELS -------------------------------------------------------------------------------- */

enum mtg_kernel_flags {
	MTG_KERNEL_DEVICE_LAUNCH = 1u << 0, /* launches graphs itself */
	MTG_KERNEL_RECORDS = 1u << 1, /* tells of every access: MTG_ACCESSES are exact */
};

/* Followed by the name, padded to a multiple of 8, then by param_count struct mtg_param records. */
struct mtg_kernel {
	uint32_t size_b; /* of the whole record, a multiple of 8 */
	uint32_t head_b; /* of this struct */
	uint32_t index;  /* what nodes name; 0, 1, ... */
	uint32_t code;   /* index of its code object */
	uint64_t code_va;
	uint64_t image_va; /* load address of its code object */
	uint32_t device;
	uint32_t flags;    /* enum mtg_kernel_flags */
	uint32_t args_b;   /* of an argument image */
	uint32_t static_shared_b;
	uint32_t max_threads;
	uint32_t param_count;
	uint32_t name_b;
	uint32_t reserved;
};

enum mtg_param_flags {
	MTG_PARAM_INDIRECT = 1u << 0, /* passed by address; the image holds the value all the same */
	MTG_PARAM_POINTER = 1u << 1,  /* the metadata says that it is a pointer */
	MTG_PARAM_CONST = 1u << 2,    /* ... and that the kernel does not write through it */
	MTG_PARAM_UNUSED = 1u << 3,   /* the code does not read it */
	MTG_PARAM_WRITE_ONLY = 1u << 4, /* ... that the kernel only writes through it */
};

/* Followed by the name, padded to a multiple of 8. */
struct mtg_param {
	uint32_t size_b; /* of the whole record, a multiple of 8 */
	uint32_t head_b; /* of this struct */
	uint32_t image_b; /* offset of the value in the argument image */
	uint32_t value_b; /* size of the value */
	uint32_t type;    /* number of the code object's metadata, 0: not known */
	uint32_t flags;   /* enum mtg_param_flags */
	uint32_t name_b;
	uint32_t packed_b; /* offset of the value in a packed argument buffer */
};

/* --- MTG_ARRAYS --------------------------------------------------------------------------------- */

struct mtg_array {
	uint64_t va, row_b, slice_b;
	uint64_t width, height, depth; /* elements; 0 where the dimension is not used */
	uint32_t element_b;
	int32_t channel_bits[4], channel_kind; /* as musaChannelFormatDesc */
	uint32_t flags;
	uint32_t device;
};

/* --- MTG_GRAPHS --------------------------------------------------------------------------------- */

enum mtg_role {
	MTG_ROOT = 0,  /* the graph itself: index 0 */
	MTG_CHILD = 1, /* embedded in a child node */
	MTG_BODY = 2,  /* of a conditional node */
};

struct mtg_graph {
	uint32_t role;        /* enum mtg_role */
	uint32_t parent;      /* graph that it is nested in, MTG_NONE for the root */
	uint32_t parent_node; /* id of the node there */
	uint32_t slot;        /* which of the node's bodies */
	uint32_t device;
	uint32_t id_count;    /* ids are below this; some may be missing */
	uint32_t node_count;
	uint32_t base;        /* exec: number of its node 0, else MTG_NONE */
	uint64_t edge_count;
	uint64_t uid;         /* of the graph in its process */
};

/* --- MTG_NODES ---------------------------------------------------------------------------------- */

/* Every section of nodes belongs to one graph. A graph's sections stand in the order of the ids. */
struct mtg_nodes {
	uint32_t graph;
	uint32_t count;
};

enum mtg_node_flags {
	MTG_NODE_DISABLED = 1u << 0,  /* exec: acts as an empty node */
	MTG_NODE_EDGE_DATA = 1u << 1, /* edge data follows the dependencies */
	MTG_NODE_EXTRA = 1u << 2,     /* kernel: its arguments were given as a packed buffer */
};

/* Followed by dep_count ids (uint32_t) in the order in which the edges were added, padded to a multiple
 * of 8; with MTG_NODE_EDGE_DATA by dep_count entries of 8 bytes as musaGraphEdgeData has them; by
 * params_b bytes of parameters, padded to a multiple of 8. */
struct mtg_node {
	uint32_t size_b; /* of the whole record, a multiple of 8 */
	uint32_t id;
	uint8_t type;    /* musaGraphNodeType; says what the parameters are */
	uint8_t device;
	uint16_t flags;  /* enum mtg_node_flags */
	uint32_t dep_count;
	uint32_t params_b;
	uint32_t reserved;
};

/* Type 0. Followed by the argument image (args_b bytes, padded to a multiple of 8; the addresses of
 * indirect parameters are zero), then by struct mtg_kernel_attrs if attrs_b is not 0. */
struct mtg_kernel_params {
	uint32_t kernel; /* index of its record */
	uint32_t args_b;
	uint32_t grid[3], block[3];
	uint32_t dynamic_shared_b;
	uint32_t attrs_b;
};

struct mtg_kernel_attrs {
	uint32_t set; /* bit n: launch attribute n was set */
	int32_t priority, priority_requested;
	uint32_t cooperative;
	uint32_t cluster[3], preferred_cluster[3];
	uint32_t cluster_policy;
	uint32_t mem_sync_domain;
	uint32_t mem_sync_map; /* default | remote << 8 */
	uint32_t device_updatable;
	uint32_t carveout;
	uint8_t access_window[32]; /* musaAccessPolicyWindow */
	uint32_t reserved;
};

/* What kind of memory an address belongs to. */
enum mtg_memory {
	MTG_PAGEABLE = 0, /* ordinary host memory */
	MTG_PINNED = 1,
	MTG_DEVICE_MEMORY = 2,
	MTG_MANAGED = 3,
	MTG_ARRAY_MEMORY = 4,
};

/* One side of a copy, as given and as resolved. */
struct mtg_copy_side {
	uint64_t ptr, pitch_b, xsize, ysize; /* as given; ptr 0 for arrays */
	uint64_t pos_x, pos_y, pos_z;        /* as given */
	uint64_t va, row_b, slice_b;         /* resolved: first byte, steps */
	uint32_t array;                      /* index, MTG_NONE for pointers */
	uint16_t memory;                     /* enum mtg_memory */
	uint16_t device;
};

/* Type 1. */
struct mtg_copy_params {
	struct mtg_copy_side src, dst;
	uint64_t width, height, depth; /* as given: width in elements if an array takes part */
	uint64_t width_b;              /* bytes of a row */
	uint32_t kind;                 /* musaMemcpyKind */
	uint32_t is_1d;                /* counts as one-dimensional for updates */
};

/* Type 2. */
struct mtg_fill_params {
	uint64_t dst, pitch_b;
	uint64_t width; /* elements */
	uint64_t height, depth, slice_b;
	uint32_t value, element_b;
	uint32_t memory; /* enum mtg_memory */
	uint32_t reserved;
};

/* Type 3. Followed by symbol_b bytes: what the function is, as far as the dynamic linker knows. */
struct mtg_host_params {
	uint64_t fn, data;
	uint32_t symbol_b;
	uint32_t reserved;
};

/* Types 6 (wait), 7 (record). */
struct mtg_event_params {
	uint64_t event; /* tells events apart */
	uint32_t event_flags; /* of its creation */
	uint32_t flags;       /* of the node */
};

/* Types 8 (signal), 9 (wait). Followed by count struct mtg_semaphore. */
struct mtg_semaphore_params {
	uint32_t count;
	uint32_t reserved;
};

struct mtg_semaphore {
	uint64_t semaphore; /* tells semaphores apart */
	uint64_t value;
	uint8_t params[144]; /* as the API takes them */
};

/* Type 10. Followed by access_count entries of 12 bytes: location type, its id, access flags. */
struct mtg_alloc_params {
	uint64_t va, size_b;
	uint8_t props[88]; /* musaMemPoolProps */
	uint32_t access_count;
	uint32_t reserved;
};

/* Type 11. */
struct mtg_free_params {
	uint64_t va;
};

/* Type 13. */
struct mtg_conditional_params {
	uint64_t handle; /* device address of the condition; kernels have it as an argument */
	uint32_t type;   /* musaGraphConditionalNodeType */
	uint32_t size;   /* number of bodies */
	uint32_t default_value;
	uint32_t flags;  /* of the handle */
	uint64_t reserved;
};

/* Types 4 (child graph) and 5 (empty) have no parameters. */

/* --- MTG_RANGES, MTG_CONTENTS ------------------------------------------------------------------- */

enum mtg_range_kind {
	MTG_RANGE_PAGEABLE = 0,   /* ordinary host memory: just the bytes that copies name */
	MTG_RANGE_DEVICE = 1,     /* musaMalloc and kin */
	MTG_RANGE_PINNED = 2,
	MTG_RANGE_MANAGED = 3,
	MTG_RANGE_REGISTERED = 4,
	MTG_RANGE_ARRAY = 5,      /* laid out as the record in MTG_ARRAYS with this address says */
	MTG_RANGE_POOL = 6,       /* stream-ordered */
	MTG_RANGE_GRAPH = 7,      /* of an alloc node */
	MTG_RANGE_MODULE = 8,     /* a device variable */
	MTG_RANGE_IMPORTED = 9,
	MTG_RANGE_CONDITION = 10, /* the word behind a conditional handle */
};

enum mtg_lifetime {
	MTG_LIFE_PROGRAM = 0, /* until the program frees it */
	MTG_LIFE_STREAM = 1,  /* stream-ordered: freed in some stream */
	MTG_LIFE_LAUNCH = 2,  /* allocated and freed inside each launch */
	MTG_LIFE_GRAPH = 3,   /* allocated by a launch, freed by something else */
	MTG_LIFE_MODULE = 4,  /* as long as its code is loaded */
};

enum mtg_range_flags {
	MTG_RANGE_SAVED = 1u << 0, /* MTG_CONTENTS has its bytes; those that it leaves out are zero */
	MTG_RANGE_OVER_LIMIT = 1u << 1, /* not saved: it did not fit any more */
	MTG_RANGE_UNREADABLE = 1u << 2, /* not saved: could not be read */
};

/* Followed by the name, padded to a multiple of 8. */
struct mtg_range {
	uint32_t size_b; /* of the whole record, a multiple of 8 */
	uint32_t head_b; /* of this struct */
	uint64_t va;
	uint64_t range_b; /* bytes of memory */
	uint64_t pool;    /* tells pools apart, 0 for none */
	uint32_t index;   /* what contents name; 0, 1, ... in the order of the addresses */
	uint32_t kind;     /* enum mtg_range_kind */
	uint32_t memory;   /* enum mtg_memory */
	uint32_t lifetime; /* enum mtg_lifetime */
	uint32_t device;
	uint32_t flags;    /* enum mtg_range_flags */
	uint32_t host_flags; /* musaHostAlloc or musaHostRegister flags */
	uint32_t graph, node; /* GRAPH: the alloc node, MTG_NONE if it is none of these graphs' */
	uint32_t code;     /* MODULE: its code object, else MTG_NONE */
	uint32_t name_b;   /* MODULE: name of the variable */
	uint32_t reserved;
};

/* Followed by bytes_b bytes of the range, from offset_b on. */
struct mtg_contents {
	uint32_t range;
	uint32_t reserved;
	uint64_t offset_b, bytes_b;
};

/* --- MTG_EXEC, MTG_EXEC_NODES, MTG_CHUNKS: executable graphs ------------------------------------- */

#define MTG_QUEUES_MAX 16u

struct mtg_exec {
	uint32_t size_b; /* of this struct */
	uint32_t node_count; /* numbers are below this */
	uint64_t flags;      /* musaGraphInstantiateFlags */
	uint32_t queue_count;
	uint32_t chunk_count;
	uint64_t prologue_va; /* packets up to END that come before the queues', 0 for none */
	uint64_t queue_table_va;
	uint64_t queue_va[MTG_QUEUES_MAX]; /* first packet of each queue */
	uint32_t packet_version;
	uint32_t reserved;
};

/* Nodes first, first + 1, ... follow. */
struct mtg_exec_nodes {
	uint32_t first;
	uint32_t count;
};

enum mtg_exec_node_state {
	MTG_EXEC_BARRIER = 1u << 0,  /* waits for all before it in its queue */
	MTG_EXEC_DISABLED = 1u << 3,
	MTG_EXEC_ABSENT = 1u << 7,   /* no node: destroyed, or only a number */
};

/* Patch sites: the places that an update of the node may rewrite. */
struct mtg_exec_node {
	uint64_t packet_va; /* first packet, 0 if it has none */
	uint64_t data_va;   /* arguments, slots; conditional: its packet of the prologue; 0 for none */
	uint32_t packet_b;
	uint32_t data_b;
	uint32_t queue;     /* MTG_NONE if it has no packet */
	uint32_t state;     /* enum mtg_exec_node_state */
};

/* Followed by chunk_b bytes, padded to a multiple of 8. hw/packet.h describes the packets. */
struct mtg_chunk {
	uint64_t va;
	uint32_t chunk_b;
	uint32_t reserved;
};

/* --- MTG_TIMES, MTG_ACCESSES: what runs have shown ----------------------------------------------- */

struct mtg_time {
	uint32_t graph, node;
	uint32_t launch; /* 0, 1, ... */
	uint32_t queue;
	uint64_t start_ns, end_ns; /* clock of the device */
};

enum mtg_access_flags {
	MTG_ACCESS_READ = 1u << 0,
	MTG_ACCESS_WRITE = 1u << 1,
};

struct mtg_access {
	uint32_t graph, node;
	uint32_t flags; /* enum mtg_access_flags */
	uint32_t reserved;
	uint64_t va, bytes_b;
};

#endif

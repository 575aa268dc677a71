/* SPDX-License-Identifier: MIT */
/*
 * `mtgraph-dump diff` says of two saved graphs what musaGraphExecUpdate() says of the graphs: for a pair
 * of each row of the update rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mtgraph.h"
#include "support.h"

static int *device, *other;     /* two allocations of 64 KiB */
static int *pinned;
static char pageable[2][65536];
static musaEvent_t events[2];

static void nothing(void *data)
{
	(void)data;
}

static void nothing_else(void *data)
{
	(void)data;
}

static void set_up(void)
{
	OK(musaMalloc((void **)&device, 65536));
	OK(musaMalloc((void **)&other, 65536));
	OK(musaMallocHost((void **)&pinned, 65536));
	OK(musaEventCreate(&events[0]));
	OK(musaEventCreate(&events[1]));
}

/* --- nodes ---------------------------------------------------------------------------------------- */

static musaGraphNode_t empty(musaGraph_t graph, musaGraphNode_t dep)
{
	musaGraphNode_t node;

	OK(musaGraphAddEmptyNode(&node, graph, &dep, dep ? 1 : 0));
	return node;
}

static musaGraphNode_t put(musaGraph_t graph, int *to, int value)
{
	return t_add_put(graph, NULL, 0, to, value);
}

static void copy(musaGraph_t graph, void *dst, const void *src, size_t count,
		 enum musaMemcpyKind kind)
{
	musaGraphNode_t node;

	OK(musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, dst, src, count, kind));
}

static void copy_rows(musaGraph_t graph, void *dst, size_t pitch, size_t height)
{
	struct musaMemcpy3DParms params = {0};
	musaGraphNode_t node;

	params.srcPtr = (struct musaPitchedPtr){other, 256, 256, 16};
	params.dstPtr = (struct musaPitchedPtr){dst, pitch, 256, 16};
	params.extent = (struct musaExtent){128, height, 1};
	params.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphAddMemcpyNode(&node, graph, NULL, 0, &params));
}

static void fill(musaGraph_t graph, void *dst, unsigned int value, size_t width, size_t height,
		 size_t pitch)
{
	const struct musaMemsetParams params = {.dst = dst, .value = value, .elementSize = 4,
						.width = width, .height = height, .pitch = pitch};
	musaGraphNode_t node;

	OK(musaGraphAddMemsetNode(&node, graph, NULL, 0, &params));
}

/* --- rows: build(graph, second) builds A, or B with `second` --------------------------------------- */

static void same(musaGraph_t graph, bool second)
{
	(void)second;
	put(graph, device, 1);
}

static void count_differs(musaGraph_t graph, bool second)
{
	musaGraphNode_t node = empty(graph, NULL);

	if (second)
		empty(graph, node);
}

static void more_sinks(musaGraph_t graph, bool second)
{
	musaGraphNode_t a = empty(graph, NULL), b = empty(graph, a);

	empty(graph, second ? a : b);
}

static void other_dependencies(musaGraph_t graph, bool second)
{
	musaGraphNode_t a = empty(graph, NULL), b = empty(graph, NULL), c = empty(graph, NULL);
	musaGraphNode_t end = empty(graph, c);

	OK(musaGraphAddDependencies(graph, &b, &c, 1));
	OK(musaGraphAddDependencies(graph, &a, second ? &end : &b, 1));
}

static void cyclic(musaGraph_t graph, bool second)
{
	musaGraphNode_t a = empty(graph, NULL), b = empty(graph, a);

	if (second)
		OK(musaGraphAddDependencies(graph, &b, &a, 1));
}

static void crossed(musaGraph_t graph, bool second)
{
	musaGraphNode_t a = empty(graph, NULL), b = empty(graph, NULL), c = empty(graph, NULL);
	musaGraphNode_t d = empty(graph, NULL);
	musaGraphNode_t from[2] = {second ? a : b, a}, to[2] = {d, d};

	OK(musaGraphAddDependencies(graph, &a, &c, 1));
	OK(musaGraphAddDependencies(graph, &b, &c, 1));
	if (second)
		from[1] = b;
	OK(musaGraphAddDependencies(graph, from, to, 2));
}

static void type_differs(musaGraph_t graph, bool second)
{
	if (second)
		put(graph, device, 1);
	else
		fill(graph, device, 1, 16, 1, 0);
}

static void kernel_arguments(musaGraph_t graph, bool second)
{
	put(graph, second ? other : device, second ? 2 : 1);
}

static void kernel_function(musaGraph_t graph, bool second)
{
	void *args[] = {&device};

	if (second)
		t_add_kernel(graph, NULL, 0, kernel_inc, args);
	else
		put(graph, device, 1);
}

static void kernel_grid(musaGraph_t graph, bool second)
{
	int value = 1;
	void *args[] = {&device, &value};
	struct musaKernelNodeParams params = t_kernel(kernel_put, args);
	musaGraphNode_t node;

	params.gridDim.x = second ? 4 : 1;
	params.blockDim.x = second ? 32 : 1;
	params.sharedMemBytes = second ? 64 : 0;
	OK(musaGraphAddKernelNode(&node, graph, NULL, 0, &params));
}

static void set_attr(musaGraphNode_t node, musaKernelNodeAttrID id, int number)
{
	musaKernelNodeAttrValue value;

	memset(&value, 0, sizeof(value));
	value.priority = number;
	OK(musaGraphKernelNodeSetAttribute(node, id, &value));
}

static void cooperative(musaGraph_t graph, bool second)
{
	musaGraphNode_t node = put(graph, device, 1);

	if (second)
		set_attr(node, musaLaunchAttributeCooperative, 1);
}

static void priority(musaGraph_t graph, bool second)
{
	set_attr(put(graph, device, 1), musaLaunchAttributePriority, second ? -1 : 0);
}

static void sync_domain(musaGraph_t graph, bool second)
{
	set_attr(put(graph, device, 1), musaLaunchAttributeMemSyncDomain, second);
}

static void copy_pointers(musaGraph_t graph, bool second)
{
	copy(graph, device, second ? pageable[1] : pageable[0], second ? 100 : 200,
	     musaMemcpyHostToDevice);
}

static void copy_pinned(musaGraph_t graph, bool second)
{
	copy(graph, device, second ? (void *)pinned : (void *)pageable[0], 100,
	     musaMemcpyHostToDevice);
}

static void copy_kind(musaGraph_t graph, bool second)
{
	if (second)
		copy(graph, device, other, 100, musaMemcpyDeviceToDevice);
	else
		copy(graph, device, pageable[0], 100, musaMemcpyHostToDevice);
}

static void copy_default(musaGraph_t graph, bool second)
{
	copy(graph, device, pageable[0], 100, second ? musaMemcpyDefault : musaMemcpyHostToDevice);
}

static void copy_rows_same(musaGraph_t graph, bool second)
{
	(void)second;
	copy_rows(graph, device, 256, 4);
}

static void copy_rows_pointer(musaGraph_t graph, bool second)
{
	copy_rows(graph, device + (second ? 1024 : 0), 256, 4);
}

static void copy_rows_pitch(musaGraph_t graph, bool second)
{
	copy_rows(graph, device, second ? 512 : 256, 4);
}

static void copy_becomes_flat(musaGraph_t graph, bool second)
{
	copy_rows(graph, device, 256, second ? 1 : 4);
}

static void copy_flat_pitch(musaGraph_t graph, bool second)
{
	copy_rows(graph, device, second ? 512 : 256, 1);
}

static void fill_all(musaGraph_t graph, bool second)
{
	fill(graph, second ? other : device, second ? 7 : 1, second ? 32 : 16, 1, 0);
}

static void fill_pinned(musaGraph_t graph, bool second)
{
	fill(graph, second ? pinned : device, 1, 16, 1, 0);
}

static void fill_height(musaGraph_t graph, bool second)
{
	fill(graph, device, 1, 16, second ? 2 : 1, 64);
}

static void fill_rows_width(musaGraph_t graph, bool second)
{
	fill(graph, device, 1, second ? 8 : 16, 4, 64);
}

static void fill_rows_pointer(musaGraph_t graph, bool second)
{
	fill(graph, second ? other : device, second ? 7 : 1, 16, 4, 64);
}

static void host(musaGraph_t graph, bool second)
{
	const struct musaHostNodeParams params = {.fn = second ? nothing_else : nothing,
						  .userData = second ? device : NULL};
	musaGraphNode_t node;

	OK(musaGraphAddHostNode(&node, graph, NULL, 0, &params));
}

static void event(musaGraph_t graph, bool second)
{
	musaGraphNode_t node, wait;

	OK(musaGraphAddEventRecordNode(&node, graph, NULL, 0, events[second]));
	OK(musaGraphAddEventWaitNode(&wait, graph, &node, 1, events[second]));
}

static void add_child(musaGraph_t graph, musaGraph_t child)
{
	musaGraphNode_t node;

	empty(graph, NULL);
	OK(musaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
	OK(musaGraphDestroy(child));
}

static void child_inner(musaGraph_t graph, bool second)
{
	musaGraph_t child;

	OK(musaGraphCreate(&child, 0));
	fill(child, device, 1, 16, second ? 2 : 1, 64);
	add_child(graph, child);
}

static void child_count(musaGraph_t graph, bool second)
{
	musaGraph_t child;

	OK(musaGraphCreate(&child, 0));
	if (second)
		empty(child, NULL);
	put(child, device, 1);
	add_child(graph, child);
}

static musaGraph_t conditional(musaGraph_t graph, enum musaGraphConditionalNodeType type,
			       unsigned int size, unsigned int value)
{
	struct musaGraphNodeParams params;
	musaGraphConditionalHandle handle;
	musaGraphNode_t node;

	OK(musaGraphConditionalHandleCreate(&handle, graph, value, musaGraphCondAssignDefault));
	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeConditional;
	params.conditional.handle = handle;
	params.conditional.type = type;
	params.conditional.size = size;
	OK(musaGraphAddNode(&node, graph, NULL, 0, &params));
	return params.conditional.phGraph_out[0];
}

static void condition_type(musaGraph_t graph, bool second)
{
	conditional(graph, second ? musaGraphCondTypeWhile : musaGraphCondTypeIf, 1, 0);
}

static void condition_size(musaGraph_t graph, bool second)
{
	conditional(graph, musaGraphCondTypeIf, second ? 2 : 1, 0);
}

static void condition_default(musaGraph_t graph, bool second)
{
	put(conditional(graph, musaGraphCondTypeIf, 1, second), device, 1);
}

static void condition_body(musaGraph_t graph, bool second)
{
	fill(conditional(graph, musaGraphCondTypeIf, 1, 0), device, 1, 16, second ? 2 : 1, 64);
}

static void memory(musaGraph_t graph, size_t size)
{
	struct musaMemAllocNodeParams params;
	musaGraphNode_t alloc, freed;

	memset(&params, 0, sizeof(params));
	params.poolProps.allocType = musaMemAllocationTypePinned;
	params.poolProps.location.type = musaMemLocationTypeDevice;
	params.bytesize = size;
	OK(musaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
	OK(musaGraphAddMemFreeNode(&freed, graph, &alloc, 1, params.dptr));
}

static void memory_same(musaGraph_t graph, bool second)
{
	(void)second;
	memory(graph, 4096);
}

static void memory_size(musaGraph_t graph, bool second)
{
	memory(graph, second ? 1 << 20 : 4096);
}

static const struct row {
	const char *name;
	void (*build)(musaGraph_t graph, bool second);
	unsigned long long flags;
} rows[] = {
	{"same", same, 0},
	{"node counts differ", count_differs, 0},
	{"more sinks", more_sinks, 0},
	{"another number of dependencies", other_dependencies, 0},
	{"cyclic", cyclic, 0},
	{"a dependency paired otherwise", crossed, 0},
	{"type", type_differs, 0},
	{"kernel: arguments", kernel_arguments, 0},
	{"kernel: function", kernel_function, 0},
	{"kernel: grid, block, shared memory", kernel_grid, 0},
	{"kernel: cooperative", cooperative, 0},
	{"kernel: priority", priority, 0},
	{"kernel: priority that counts", priority, musaGraphInstantiateFlagUseNodePriority},
	{"kernel: memory sync domain", sync_domain, 0},
	{"copy: pointers, size", copy_pointers, 0},
	{"copy: pageable to pinned", copy_pinned, 0},
	{"copy: kind and memory", copy_kind, 0},
	{"copy: kind default", copy_default, 0},
	{"copy of rows: the same", copy_rows_same, 0},
	{"copy of rows: pointer", copy_rows_pointer, 0},
	{"copy of rows: pitch", copy_rows_pitch, 0},
	{"copy: 2D to 1D", copy_becomes_flat, 0},
	{"copy of one row: pitch", copy_flat_pitch, 0},
	{"fill: pointer, value, width", fill_all, 0},
	{"fill: device to pinned", fill_pinned, 0},
	{"fill: height", fill_height, 0},
	{"fill of rows: width", fill_rows_width, 0},
	{"fill of rows: pointer, value", fill_rows_pointer, 0},
	{"host function", host, 0},
	{"event", event, 0},
	{"child graph: inner node", child_inner, 0},
	{"child graph: node count", child_count, 0},
	{"condition: type", condition_type, 0},
	{"condition: size", condition_size, 0},
	{"condition: default", condition_default, 0},
	{"condition: body", condition_body, 0},
	{"memory: the same", memory_same, 0},
	{"memory: size", memory_size, 0},
};

/* The last line that the tool prints, and its exit code. */
static int ask_tool(const char *a, const char *b, char line[512])
{
	const char *tool = getenv("MTGRAPH_DUMP");
	char command[1024];
	FILE *pipe;
	int status;

	cr_assert(tool, "MTGRAPH_DUMP names no tool");
	snprintf(command, sizeof(command), "%s diff %s %s", tool, a, b);
	pipe = popen(command, "r");
	cr_assert(pipe);
	line[0] = '\0';
	while (fgets(line, 512, pipe))
		;
	status = pclose(pipe);
	cr_assert(WIFEXITED(status), "%s dies", command);
	return WEXITSTATUS(status);
}

static const char *word_of(enum musaGraphExecUpdateResult result)
{
	switch (result) {
	case musaGraphExecUpdateErrorTopologyChanged:
		return "topology changed";
	case musaGraphExecUpdateErrorNodeTypeChanged:
		return "node type changed";
	case musaGraphExecUpdateErrorParametersChanged:
		return "parameters changed";
	case musaGraphExecUpdateErrorAttributesChanged:
		return "attributes changed";
	case musaGraphExecUpdateErrorNotSupported:
		return "not supported";
	default:
		return "?";
	}
}

/* The id of a node in its graph, if it is the root's. */
static long id_of(musaGraph_t graph, musaGraphNode_t node)
{
	musaGraphNode_t nodes[16];
	size_t count = 16, i;

	OK(musaGraphGetNodes(graph, nodes, &count));
	for (i = 0; i < count; i++)
		if (nodes[i] == node)
			return (long)i;
	return -1;
}

static void check_row(const struct row *row, const char *directory)
{
	char a_path[256], b_path[256], line[512], want[128];
	musaGraphExecUpdateResultInfo info = {0};
	musaGraph_t a, b;
	musaGraphExec_t exec;
	musaError_t error;
	int code;

	snprintf(a_path, sizeof(a_path), "%s/a.mtgraph", directory);
	snprintf(b_path, sizeof(b_path), "%s/b.mtgraph", directory);
	OK(musaGraphCreate(&a, 0));
	OK(musaGraphCreate(&b, 0));
	row->build(a, false);
	row->build(b, true);
	OK(musaGraphInstantiateWithFlags(&exec, a, row->flags));
	OK(mtGraphExecSave(exec, a_path, mtGraphSaveCode, 0));
	OK(mtGraphSave(b, b_path, mtGraphSaveCode, 0));
	error = musaGraphExecUpdate(exec, b, &info);
	code = ask_tool(a_path, b_path, line);
	cr_assert(code == 0 || code == 1, "%s: diff ends with %d", row->name, code);
	if (!error) {
		cr_assert_str_eq(line, "B can update A\n", "%s: %s", row->name, line);
	} else {
		EXPECT(musaErrorGraphExecUpdateFailure, error);
		snprintf(want, sizeof(want), "B cannot update A: %s", word_of(info.result));
		cr_assert_eq(strncmp(line, want, strlen(want)), 0, "%s: %s, not %s", row->name,
			     line, want);
		snprintf(want, sizeof(want), "at node %ld of graph 0", id_of(b, info.errorNode));
		if (info.errorNode && id_of(b, info.errorNode) >= 0)
			cr_assert(strstr(line, want), "%s: %s, not %s", row->name, line, want);
		cr_assert_eq(!info.errorNode, !strstr(line, "at node"), "%s: %s", row->name, line);
	}
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
	OK(musaGraphDestroy(b));
	unlink(a_path);
	unlink(b_path);
}

/* The tool's answer is the API's, for every row. */
Test(diff, every_row, .timeout = 280)
{
	char directory[] = "/tmp/mtgraph-rows-XXXXXX";

	cr_assert(mkdtemp(directory));
	set_up();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i], directory);
	rmdir(directory);
}

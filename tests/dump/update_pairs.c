/* SPDX-License-Identifier: MIT */
/* Pairs of graphs: one for each row of the rules of whole-graph updates, and one for each exception. */
#include <string.h>

#include "device_launch.h"
#include "test_semaphore.h"
#include "update_pairs.h"

static int *device, *other;     /* two allocations of 64 KiB */
static int *pinned, *managed;
static int *second_device;      /* on it */
static musaArray_t array;
static musaExternalSemaphore_t semaphores[3];
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

void update_pairs_set_up(void)
{
	const struct musaChannelFormatDesc format = {32, 0, 0, 0, musaChannelFormatKindSigned};

	OK(musaMalloc((void **)&device, 65536));
	OK(musaMalloc((void **)&other, 65536));
	OK(musaMallocHost((void **)&pinned, 65536));
	OK(musaMallocManaged((void **)&managed, 65536, musaMemAttachGlobal));
	OK(musaMallocArray(&array, &format, 64, 64, 0));
	for (int i = 0; i < 3; i++)
		semaphores[i] = t_semaphore(NULL);
	OK(musaSetDevice(1));
	OK(musaMalloc((void **)&second_device, 65536));
	OK(musaSetDevice(0));
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

/* --- pairs: build(graph, second) builds A, or B with `second` -------------------------------------- */

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

static void cluster(musaGraph_t graph, bool second)
{
	musaKernelNodeAttrValue value;

	memset(&value, 0, sizeof(value));
	value.clusterDim.x = value.clusterDim.y = value.clusterDim.z = 1;
	musaGraphNode_t node = put(graph, device, 1);

	if (second)
		OK(musaGraphKernelNodeSetAttribute(node, musaLaunchAttributeClusterDimension,
						   &value));
}

static void window(musaGraph_t graph, bool second)
{
	musaKernelNodeAttrValue value;

	memset(&value, 0, sizeof(value));
	value.accessPolicyWindow.base_ptr = device;
	value.accessPolicyWindow.num_bytes = second ? 4096 : 1024;
	value.accessPolicyWindow.hitRatio = 1;
	value.accessPolicyWindow.hitProp = musaAccessPropertyPersisting;
	OK(musaGraphKernelNodeSetAttribute(put(graph, device, 1),
					   musaLaunchAttributeAccessPolicyWindow, &value));
}

static void sync_map(musaGraph_t graph, bool second)
{
	musaKernelNodeAttrValue value;

	memset(&value, 0, sizeof(value));
	value.memSyncDomainMap.remote = second;
	OK(musaGraphKernelNodeSetAttribute(put(graph, device, 1),
					   musaLaunchAttributeMemSyncDomainMap, &value));
}

/* From a kernel that launches graphs to one that does not, and the other way round. */
static void launching(musaGraph_t graph, bool launches)
{
	int count = 2;
	void *args[] = {&device, &count, &other};

	if (launches)
		t_add_kernel(graph, NULL, 0, kernel_repeat, args);
	else
		put(graph, device, 1);
}

static void kernel_launches(musaGraph_t graph, bool second)
{
	launching(graph, second);
}

static void kernel_launches_no_more(musaGraph_t graph, bool second)
{
	launching(graph, !second);
}

/* A kernel belongs to the device that was current. */
static void kernel_device(musaGraph_t graph, bool second)
{
	OK(musaSetDevice(second));
	put(graph, second ? second_device : device, 1);
	OK(musaSetDevice(0));
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

static void copy_direction(musaGraph_t graph, bool second)
{
	if (second)
		copy(graph, pageable[0], device, 100, musaMemcpyDeviceToHost);
	else
		copy(graph, device, pageable[0], 100, musaMemcpyHostToDevice);
}

static void copy_managed(musaGraph_t graph, bool second)
{
	copy(graph, device, second ? managed : other, 100, musaMemcpyDefault);
}

static void copy_device(musaGraph_t graph, bool second)
{
	copy(graph, device, second ? second_device : other, 100, musaMemcpyDefault);
}

/* A box that becomes deeper, and one that comes from an array. */
static void copy_box(musaGraph_t graph, bool second)
{
	struct musaMemcpy3DParms params = {0};
	musaGraphNode_t node;

	params.srcPtr = (struct musaPitchedPtr){other, 256, 256, 16};
	params.dstPtr = (struct musaPitchedPtr){device, 256, 256, 16};
	params.extent = (struct musaExtent){128, 4, second ? 3 : 2};
	params.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphAddMemcpyNode(&node, graph, NULL, 0, &params));
}

static void copy_array(musaGraph_t graph, size_t row, size_t width)
{
	struct musaMemcpy3DParms params = {0};
	musaGraphNode_t node;

	params.srcArray = array;
	params.srcPos.y = row;
	params.dstPtr = (struct musaPitchedPtr){device, 256, 64, 64};
	params.extent = (struct musaExtent){width, 2, 1};
	params.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphAddMemcpyNode(&node, graph, NULL, 0, &params));
}

static void array_same(musaGraph_t graph, bool second)
{
	(void)second;
	copy_array(graph, 0, 16);
}

static void array_position(musaGraph_t graph, bool second)
{
	copy_array(graph, second, 16);
}

static void array_extent(musaGraph_t graph, bool second)
{
	copy_array(graph, 0, second ? 8 : 16);
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

static void fill_managed(musaGraph_t graph, bool second)
{
	fill(graph, second ? managed : device, 1, 16, 1, 0);
}

static void fill_device(musaGraph_t graph, bool second)
{
	OK(musaSetDevice(second));
	fill(graph, second ? second_device : device, 1, 16, 1, 0);
	OK(musaSetDevice(0));
}

static void fill_element(musaGraph_t graph, bool second)
{
	const struct musaMemsetParams params = {.dst = device, .value = 1, .width = 16, .height = 1,
						.elementSize = second ? 2 : 4};
	musaGraphNode_t node;

	OK(musaGraphAddMemsetNode(&node, graph, NULL, 0, &params));
}

static void fill_rows_pitch(musaGraph_t graph, bool second)
{
	fill(graph, device, 1, 16, 4, second ? 128 : 64);
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

static void semaphore(musaGraph_t graph, unsigned int first, unsigned int count,
		      unsigned long long value)
{
	struct musaExternalSemaphoreSignalParams signals[2] = {{{{0}}}};
	struct musaExternalSemaphoreWaitParams waits[2] = {{{{0}}}};
	const struct musaExternalSemaphoreSignalNodeParams signal = {&semaphores[first], signals,
								     count};
	const struct musaExternalSemaphoreWaitNodeParams wait = {&semaphores[first], waits, count};
	musaGraphNode_t node;

	for (int i = 0; i < 2; i++)
		signals[i].params.fence.value = waits[i].params.fence.value = value;
	OK(musaGraphAddExternalSemaphoresSignalNode(&node, graph, NULL, 0, &signal));
	OK(musaGraphAddExternalSemaphoresWaitNode(&node, graph, &node, 1, &wait));
}

static void semaphore_value(musaGraph_t graph, bool second)
{
	semaphore(graph, 0, 2, second ? 9 : 4);
}

static void semaphore_other(musaGraph_t graph, bool second)
{
	semaphore(graph, second, 2, 4);
}

static void semaphore_count(musaGraph_t graph, bool second)
{
	semaphore(graph, 0, second ? 1 : 2, 4);
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

const struct update_pair update_pairs[] = {
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
	{"kernel: memory sync domain map", sync_map, 0},
	{"kernel: cluster", cluster, 0},
	{"kernel: access policy window", window, 0},
	{"kernel: another device", kernel_device, 0},
	{"kernel: launches graphs", kernel_launches, 0},
	{"kernel: launches graphs no more", kernel_launches_no_more, 0},
	{"copy: pointers, size", copy_pointers, 0},
	{"copy: pageable to pinned", copy_pinned, 0},
	{"copy: kind and memory", copy_kind, 0},
	{"copy: kind default", copy_default, 0},
	{"copy: direction", copy_direction, 0},
	{"copy: device to managed", copy_managed, 0},
	{"copy: another device", copy_device, 0},
	{"copy of a box: depth", copy_box, 0},
	{"copy of an array: the same", array_same, 0},
	{"copy of an array: position", array_position, 0},
	{"copy of an array: extent", array_extent, 0},
	{"copy of rows: the same", copy_rows_same, 0},
	{"copy of rows: pointer", copy_rows_pointer, 0},
	{"copy of rows: pitch", copy_rows_pitch, 0},
	{"copy: 2D to 1D", copy_becomes_flat, 0},
	{"copy of one row: pitch", copy_flat_pitch, 0},
	{"fill: pointer, value, width", fill_all, 0},
	{"fill: device to pinned", fill_pinned, 0},
	{"fill: device to managed", fill_managed, 0},
	{"fill: another device", fill_device, 0},
	{"fill: bytes of an element", fill_element, 0},
	{"fill: height", fill_height, 0},
	{"fill of rows: pitch", fill_rows_pitch, 0},
	{"fill of rows: width", fill_rows_width, 0},
	{"fill of rows: pointer, value", fill_rows_pointer, 0},
	{"host function", host, 0},
	{"event", event, 0},
	{"semaphores: values", semaphore_value, 0},
	{"semaphores: others", semaphore_other, 0},
	{"semaphores: how many", semaphore_count, 0},
	{"child graph: inner node", child_inner, 0},
	{"child graph: node count", child_count, 0},
	{"condition: type", condition_type, 0},
	{"condition: size", condition_size, 0},
	{"condition: default", condition_default, 0},
	{"condition: body", condition_body, 0},
	{"memory: the same", memory_same, 0},
	{"memory: size", memory_size, 0},
};

const unsigned int update_pair_count = sizeof(update_pairs) / sizeof(update_pairs[0]);

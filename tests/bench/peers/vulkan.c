/* SPDX-License-Identifier: MIT */
/* Vulkan (lavapipe): one recorded command buffer of dispatches or copies, a barrier wherever a node
 * depends on one behind the last barrier. */
#include <vulkan/vulkan.h>

#include "peer.h"

#define OK(call) peer_check((call) == VK_SUCCESS, #call)

/* An empty compute shader, as words of SPIR-V 1.0. */
static const uint32_t shader[] = {
	0x07230203, 0x00010000, 0, 6, 0,                        /* header; ids below 6 */
	2u << 16 | 17, 1,                                       /* OpCapability Shader */
	3u << 16 | 14, 0, 1,                                    /* OpMemoryModel Logical GLSL450 */
	5u << 16 | 15, 5, 1, 0x6e69616d, 0,                     /* OpEntryPoint GLCompute %1 "main" */
	6u << 16 | 16, 1, 17, 1, 1, 1,                          /* OpExecutionMode %1 LocalSize 1 1 1 */
	2u << 16 | 19, 2,                                       /* %2 = OpTypeVoid */
	3u << 16 | 33, 3, 2,                                    /* %3 = OpTypeFunction %2 */
	5u << 16 | 54, 2, 1, 0, 3,                              /* %1 = OpFunction %2 None %3 */
	2u << 16 | 248, 4,                                      /* %4 = OpLabel */
	1u << 16 | 253,                                         /* OpReturn */
	1u << 16 | 56,                                          /* OpFunctionEnd */
};

static VkDevice device;
static VkQueue queue;
static uint32_t memory_type;

static void open_device(void)
{
	VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					 .apiVersion = VK_API_VERSION_1_0};
	VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
				     .pApplicationInfo = &application};
	float priority = 1;
	VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
					      .queueCount = 1,
					      .pQueuePriorities = &priority};
	VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
					  .queueCreateInfoCount = 1,
					  .pQueueCreateInfos = &queue_info};
	VkPhysicalDeviceProperties properties;
	VkPhysicalDeviceMemoryProperties memory;
	VkPhysicalDevice all[8], found = NULL;
	uint32_t count = 8;
	VkInstance instance;

	OK(vkCreateInstance(&info, NULL, &instance));
	vkEnumeratePhysicalDevices(instance, &count, all);
	for (uint32_t i = 0; i < count && !found; i++) {
		vkGetPhysicalDeviceProperties(all[i], &properties);
		if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
			found = all[i];
	}
	peer_check(found != NULL, "no Vulkan device on the CPU");
	OK(vkCreateDevice(found, &device_info, NULL, &device));
	vkGetDeviceQueue(device, 0, 0, &queue);
	vkGetPhysicalDeviceMemoryProperties(found, &memory);
	for (memory_type = 0; memory_type < memory.memoryTypeCount; memory_type++)
		if (memory.memoryTypes[memory_type].propertyFlags &
		    VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
			break;
}

static VkBuffer make_buffer(void)
{
	VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
				   .size = PEER_COPY_B,
				   .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
					    VK_BUFFER_USAGE_TRANSFER_DST_BIT};
	VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
	VkMemoryRequirements needs;
	VkDeviceMemory memory;
	VkBuffer buffer;

	OK(vkCreateBuffer(device, &info, NULL, &buffer));
	vkGetBufferMemoryRequirements(device, buffer, &needs);
	allocate.allocationSize = needs.size;
	allocate.memoryTypeIndex = memory_type;
	OK(vkAllocateMemory(device, &allocate, NULL, &memory));
	OK(vkBindBufferMemory(device, buffer, memory, 0));
	return buffer;
}

static VkPipeline make_pipeline(void)
{
	VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
					 .codeSize = sizeof(shader),
					 .pCode = shader};
	VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			  .pName = "main"},
	};
	VkPipeline pipeline;

	OK(vkCreateShaderModule(device, &code, NULL, &info.stage.module));
	OK(vkCreatePipelineLayout(device, &layout, NULL, &info.layout));
	OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
	return pipeline;
}

static void record(struct peer *peer, VkCommandBuffer commands, VkPipeline pipeline,
		   const VkBuffer buffers[2])
{
	VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	bool copies = peer->shape == PEER_COPIES;
	VkMemoryBarrier memory = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = copies ? VK_ACCESS_TRANSFER_WRITE_BIT : VK_ACCESS_SHADER_WRITE_BIT,
		.dstAccessMask = copies ? VK_ACCESS_TRANSFER_READ_BIT : VK_ACCESS_SHADER_READ_BIT,
	};
	VkPipelineStageFlags stage = copies ? VK_PIPELINE_STAGE_TRANSFER_BIT
					    : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
	VkBufferCopy copy = {.size = PEER_COPY_B};
	size_t deps[PEER_LAYER], behind = 0; /* first node behind the last barrier */

	OK(vkBeginCommandBuffer(commands, &begin));
	if (!copies)
		vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	for (size_t i = 0; i < peer->nodes; i++) {
		size_t count = peer_deps(peer, i, deps);
		bool barrier = false;

		for (size_t d = 0; d < count; d++)
			barrier |= deps[d] >= behind;
		if (barrier) {
			vkCmdPipelineBarrier(commands, stage, stage, 0, 1, &memory, 0, NULL, 0, NULL);
			behind = i;
		}
		if (copies)
			vkCmdCopyBuffer(commands, buffers[0], buffers[1], 1, &copy);
		else
			vkCmdDispatch(commands, 1, 1, 1);
	}
	OK(vkEndCommandBuffer(commands));
}

int main(int argc, char **argv)
{
	VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
	VkCommandBufferAllocateInfo allocate = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandBufferCount = 1};
	VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1};
	VkCommandBuffer commands;
	VkPipeline pipeline;
	VkBuffer buffers[2];
	struct peer peer;
	VkFence fence;
	double start;

	peer_parse(&peer, "lavapipe", argc, argv);
	open_device();
	pipeline = make_pipeline();
	for (int i = 0; i < 2; i++)
		buffers[i] = make_buffer();
	OK(vkCreateCommandPool(device, &pool_info, NULL, &allocate.commandPool));
	OK(vkAllocateCommandBuffers(device, &allocate, &commands));
	OK(vkCreateFence(device, &fence_info, NULL, &fence));
	start = peer_now();
	record(&peer, commands, pipeline, buffers);
	peer.build_ns = peer_now() - start;
	submit.pCommandBuffers = &commands;
	for (int r = -1; r < peer.repeats; r++) {
		double submitted;

		start = peer_now();
		OK(vkQueueSubmit(queue, 1, &submit, fence));
		submitted = peer_now();
		OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
		if (r >= 0) {
			peer.replay_ns[r] = peer_now() - start;
			peer.submit_ns[r] = submitted - start;
		}
		OK(vkResetFences(device, 1, &fence));
	}
	peer_report(&peer);
	return 0;
}

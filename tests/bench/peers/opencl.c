/* SPDX-License-Identifier: MIT */
/* PoCL: one command buffer (cl_khr_command_buffer) with sync points for edges. POCL_DEVICES chooses the
 * device. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "peer.h"

#define OK(call) peer_check((call) == CL_SUCCESS, #call)

static const char source[] = "__kernel void empty(void) {}\n";

/* The first device whose platform knows command buffers. */
static cl_device_id find_device(cl_platform_id *platform_out)
{
	cl_platform_id platforms[8];
	char extensions[8192];
	cl_uint count = 0;
	cl_device_id device;

	if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
		return NULL;
	for (cl_uint i = 0; i < count && i < 8; i++) {
		if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
			continue;
		if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions,
				    NULL) != CL_SUCCESS || !strstr(extensions, "cl_khr_command_buffer"))
			continue;
		*platform_out = platforms[i];
		return device;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const char *kind = getenv("POCL_DEVICES");
	cl_sync_point_khr *points, waits[PEER_LAYER];
	size_t deps[PEER_LAYER], one = 1;
	const char *text = source;
	cl_platform_id platform;
	cl_command_queue queue;
	cl_command_buffer_khr buffer;
	cl_mem memory[2] = {NULL, NULL};
	cl_device_id device;
	cl_context context;
	cl_program program;
	cl_kernel kernel;
	struct peer peer;
	char name[64];
	double start;
	cl_int error;

	snprintf(name, sizeof(name), "PoCL-%s", kind ? kind : "default");
	peer_parse(&peer, name, argc, argv);
	device = find_device(&platform);
	peer_check(device != NULL, "no OpenCL device with command buffers");

#define FIND(name) \
	name##_fn name = (name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name); \
	peer_check(name != NULL, #name)
	FIND(clCreateCommandBufferKHR);
	FIND(clFinalizeCommandBufferKHR);
	FIND(clEnqueueCommandBufferKHR);
	FIND(clCommandNDRangeKernelKHR);
	FIND(clCommandCopyBufferKHR);

	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	OK(error);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	OK(error);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	OK(error);
	OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
	kernel = clCreateKernel(program, "empty", &error);
	OK(error);
	for (int i = 0; i < 2; i++) {
		memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, PEER_COPY_B, NULL, &error);
		OK(error);
	}
	points = malloc(peer.nodes * sizeof(*points));
	start = peer_now();
	buffer = clCreateCommandBufferKHR(1, &queue, NULL, &error);
	OK(error);
	for (size_t i = 0; i < peer.nodes; i++) {
		cl_uint count = (cl_uint)peer_deps(&peer, i, deps);

		for (cl_uint d = 0; d < count; d++)
			waits[d] = points[deps[d]];
		if (peer.shape == PEER_COPIES)
			OK(clCommandCopyBufferKHR(buffer, NULL, memory[0], memory[1], 0, 0,
						  PEER_COPY_B, count, count ? waits : NULL,
						  &points[i], NULL));
		else
			OK(clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &one,
						     &one, count, count ? waits : NULL, &points[i],
						     NULL));
	}
	OK(clFinalizeCommandBufferKHR(buffer));
	peer.build_ns = peer_now() - start;
	for (int r = -1; r < peer.repeats; r++) {
		double submitted;

		start = peer_now();
		OK(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
		submitted = peer_now();
		OK(clFinish(queue));
		if (r < 0)
			continue;
		peer.replay_ns[r] = peer_now() - start;
		peer.submit_ns[r] = submitted - start;
	}
	peer_report(&peer);
	return 0;
}

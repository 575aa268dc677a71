/* SPDX-License-Identifier: MIT */
/*
 * Memory and semaphores between processes: the child imports what the parent made, and both see the
 * same bytes and values. The parent creates through the core, as another API would.
 */
#include "memory_test.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include "drv/table.h"

#define core (&mt_drv_table_v1)

static int channel[2];

static void send_message(int to, const void *data, size_t size_b, int fd)
{
	struct iovec part = {(void *)(uintptr_t)data, size_b};
	char control[CMSG_SPACE(sizeof(int))] = {0};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (fd >= 0) {
		struct cmsghdr *header;

		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	}
	cr_assert_eq(sendmsg(to, &message, 0), (ssize_t)size_b);
}

static int receive_message(int from, void *data, size_t size_b)
{
	struct iovec part = {data, size_b};
	char control[CMSG_SPACE(sizeof(int))];
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *header;
	int fd = -1;

	if (recvmsg(from, &message, 0) != (ssize_t)size_b)
		return -1;
	header = CMSG_FIRSTHDR(&message);
	if (header)
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/* Runs `child` in a process of its own, started before the library is. */
static pid_t start_child(int (*child)(int channel))
{
	pid_t pid;

	cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel), 0);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (!pid)
		_exit(child(channel[1]));
	return pid;
}

static void expect_exit(pid_t pid, int status)
{
	int got;

	cr_assert_eq(waitpid(pid, &got, 0), pid);
	cr_assert(WIFEXITED(got), "the child crashed");
	EQ(WEXITSTATUS(got), status);
}

/* In the child a number says which step failed. */
#define STEP(number, condition)                                                                    \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return (number);                                                           \
	} while (0)

static musaExternalSemaphore_t import_semaphore(int fd)
{
	struct musaExternalSemaphoreHandleDesc desc = {0};
	musaExternalSemaphore_t semaphore = NULL;

	desc.type = musaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
	desc.handle.fd = fd;
	if (musaImportExternalSemaphore(&semaphore, &desc))
		return NULL;
	return semaphore;
}

static musaError_t signal_value(musaExternalSemaphore_t semaphore, uint64_t value,
				musaStream_t stream)
{
	struct musaExternalSemaphoreSignalParams params = {0};

	params.params.fence.value = value;
	return musaSignalExternalSemaphoresAsync(&semaphore, &params, 1, stream);
}

static musaError_t wait_value(musaExternalSemaphore_t semaphore, uint64_t value,
			      musaStream_t stream)
{
	struct musaExternalSemaphoreWaitParams params = {0};

	params.params.fence.value = value;
	return musaWaitExternalSemaphoresAsync(&semaphore, &params, 1, stream);
}

static int semaphore_child(int from)
{
	musaExternalSemaphore_t semaphore;
	char byte;
	int fd = receive_message(from, &byte, 1);

	STEP(1, fd >= 0);
	semaphore = import_semaphore(fd);
	STEP(2, semaphore);
	/* Answers every odd value with the next even one. */
	for (uint64_t value = 1; value < 20; value += 2) {
		STEP(3, !wait_value(semaphore, value, NULL));
		STEP(4, !signal_value(semaphore, value + 1, NULL));
	}
	STEP(5, !musaStreamSynchronize(NULL));
	STEP(6, !musaDestroyExternalSemaphore(semaphore));
	STEP(7, musaDestroyExternalSemaphore(semaphore) == musaErrorInvalidResourceHandle);
	return 42;
}

static musaExternalSemaphore_t create_semaphore(struct mt_ext_semaphore **object_out)
{
	struct mt_ctx *ctx;
	uint64_t handle;

	OK(musaFree(NULL));
	cr_assert_eq(core->mt_ctx_primary(0, &ctx), MUSA_SUCCESS);
	cr_assert_eq(core->mt_ext_semaphore_create(ctx, &handle), MUSA_SUCCESS);
	cr_assert_eq(core->mt_ext_semaphore_get(handle, object_out), MUSA_SUCCESS);
	return (musaExternalSemaphore_t)(uintptr_t)handle;
}

/* Two processes take turns on one timeline, in stream order on both sides. */
Test(memory_external, semaphore_between_processes)
{
	pid_t pid = start_child(semaphore_child);
	struct mt_ext_semaphore *object;
	musaExternalSemaphore_t semaphore = create_semaphore(&object);
	musaStream_t stream = new_stream();
	int fd;

	cr_assert_eq(core->mt_ext_semaphore_export(object, &fd), MUSA_SUCCESS);
	send_message(channel[0], "x", 1, fd);
	for (uint64_t value = 1; value < 20; value += 2) {
		OK(signal_value(semaphore, value, stream));
		OK(wait_value(semaphore, value + 1, stream));
	}
	OK(musaStreamSynchronize(stream));
	EQ(mt_ext_semaphore_value(object), 20);
	expect_exit(pid, 42);
	OK(musaDestroyExternalSemaphore(semaphore));
}

/* A wait holds its stream until the value is there; it may be destroyed meanwhile. */
Test(memory_external, semaphore_in_one_process)
{
	struct mt_ext_semaphore *object;
	musaExternalSemaphore_t semaphore = create_semaphore(&object), imported;
	musaStream_t one = new_stream(), two = new_stream();
	char *memory = device_memory(1);
	int fd;

	cr_assert_eq(core->mt_ext_semaphore_export(object, &fd), MUSA_SUCCESS);
	imported = import_semaphore(fd);
	cr_assert_not_null(imported);
	OK(musaMemset(memory, 1, 1));
	OK(wait_value(imported, 7, one));
	OK(musaMemsetAsync(memory, 2, 1, one));
	OK(signal_value(semaphore, 6, two));
	OK(musaStreamSynchronize(two));
	EXPECT(musaErrorNotReady, musaStreamQuery(one));
	OK(musaDestroyExternalSemaphore(imported));
	OK(signal_value(semaphore, 7, two));
	OK(musaStreamSynchronize(one));
	EQ(*read_back(memory, 1), 2);
	OK(musaDestroyExternalSemaphore(semaphore));
}

/* Many at once, none at all, and what is refused. */
Test(memory_external, semaphore_refusals)
{
	struct musaExternalSemaphoreHandleDesc desc = {0};
	struct musaExternalSemaphoreSignalParams params[100];
	musaExternalSemaphore_t many[100], semaphore;
	struct mt_ext_semaphore *object;

	memset(params, 0, sizeof(params));
	for (int i = 0; i < 100; i++) {
		many[i] = create_semaphore(&object);
		params[i].params.fence.value = (unsigned long long)i + 1;
	}
	OK(musaSignalExternalSemaphoresAsync(many, params, 100, NULL));
	OK(musaStreamSynchronize(NULL));
	EQ(mt_ext_semaphore_value(object), 100);
	OK(musaSignalExternalSemaphoresAsync(NULL, NULL, 0, NULL));
	EXPECT(IV, musaSignalExternalSemaphoresAsync(many, NULL, 1, NULL));
	EXPECT(IV, musaSignalExternalSemaphoresAsync(NULL, params, 1, NULL));
	many[1] = NULL;
	EXPECT(musaErrorInvalidResourceHandle,
	       musaSignalExternalSemaphoresAsync(many, params, 2, NULL));
	EXPECT(musaErrorInvalidResourceHandle, musaDestroyExternalSemaphore(NULL));
	desc.type = musaExternalSemaphoreHandleTypeOpaqueFd;
	desc.handle.fd = -1;
	EXPECT(IV, musaImportExternalSemaphore(&semaphore, &desc));
	desc.handle.fd = 0;
	cr_assert_neq(musaImportExternalSemaphore(&semaphore, &desc), musaSuccess);
	desc.type = musaExternalSemaphoreHandleTypeD3D12Fence;
	EXPECT(musaErrorNotSupported, musaImportExternalSemaphore(&semaphore, &desc));
	desc.type = (enum musaExternalSemaphoreHandleType)0;
	EXPECT(IV, musaImportExternalSemaphore(&semaphore, &desc));
	EXPECT(IV, musaImportExternalSemaphore(NULL, &desc));
	EXPECT(IV, musaImportExternalSemaphore(&semaphore, NULL));
}

/* What the memory message says. */
struct memory_message {
	uint64_t offset_b, object_b;
};

static int memory_child(int from)
{
	struct musaExternalMemoryHandleDesc desc = {0};
	struct musaExternalMemoryBufferDesc buffer = {0};
	struct memory_message message;
	musaExternalMemory_t memory;
	unsigned char byte = 0, *mapped, *again;
	int fd = receive_message(from, &message, sizeof(message));

	STEP(1, fd >= 0);
	desc.type = musaExternalMemoryHandleTypeOpaqueFd;
	desc.handle.fd = fd;
	desc.size = message.object_b;
	STEP(2, !musaImportExternalMemory(&memory, &desc));
	buffer.offset = message.offset_b;
	buffer.size = 4096;
	STEP(3, !musaExternalMemoryGetMappedBuffer((void **)&mapped, memory, &buffer));
	STEP(4, !musaExternalMemoryGetMappedBuffer((void **)&again, memory, &buffer));
	STEP(5, mapped == again);
	STEP(6, !musaMemcpy(&byte, mapped + 100, 1, musaMemcpyDeviceToHost));
	STEP(7, byte == pattern(100));
	STEP(8, musaMemset(mapped, 9, 4097) == musaErrorInvalidValue);
	STEP(9, !musaMemset(mapped, 9, 4096));
	STEP(10, !musaDestroyExternalMemory(memory));
	STEP(11, musaDestroyExternalMemory(memory) == musaErrorInvalidResourceHandle);
	STEP(12, !musaFree(again));
	STEP(13, !musaMemset(mapped, 10, 2));
	STEP(14, !musaFree(mapped));
	STEP(15, musaFree(mapped) == musaErrorInvalidValue);
	return 42;
}

/* Imported memory is the exporter's memory. */
Test(memory_external, memory_between_processes)
{
	pid_t pid = start_child(memory_child);
	void *memory = device_pattern(4096);
	struct memory_message message;
	unsigned char *got;
	int fd;

	cr_assert_eq(core->mt_mem_export_fd((uint64_t)(uintptr_t)memory, &fd, &message.offset_b,
					    &message.object_b),
		     MUSA_SUCCESS);
	send_message(channel[0], &message, sizeof(message), fd);
	expect_exit(pid, 42);
	got = read_back(memory, 4096);
	EQ(got[0], 10);
	EQ(got[1], 10);
	EQ(got[2], 9);
	EQ(got[4095], 9);
}

Test(memory_external, memory_refusals)
{
	struct musaExternalMemoryHandleDesc desc = {0};
	musaExternalMemory_t memory;

	desc.type = musaExternalMemoryHandleTypeOpaqueFd;
	desc.handle.fd = -1;
	desc.size = 4096;
	EXPECT(IV, musaImportExternalMemory(&memory, &desc));
	EXPECT(IV, musaImportExternalMemory(NULL, &desc));
	EXPECT(IV, musaImportExternalMemory(&memory, NULL));
	desc.flags = 8;
	EXPECT(IV, musaImportExternalMemory(&memory, &desc));
	desc.flags = 0;
	desc.type = musaExternalMemoryHandleTypeD3D12Heap;
	EXPECT(musaErrorNotSupported, musaImportExternalMemory(&memory, &desc));
	EXPECT(musaErrorInvalidResourceHandle, musaDestroyExternalMemory(NULL));
}

static int ipc_child(int from)
{
	musaIpcMemHandle_t handle, broken;
	unsigned char byte = 0, *opened, *again;
	void *nothing;

	STEP(1, receive_message(from, &handle, sizeof(handle)) == -1);
	STEP(2, !musaIpcOpenMemHandle((void **)&opened, handle, musaIpcMemLazyEnablePeerAccess));
	STEP(3, !musaIpcOpenMemHandle((void **)&again, handle, 0));
	STEP(4, opened == again);
	STEP(5, !musaMemcpy(&byte, opened + 70, 1, musaMemcpyDeviceToHost));
	STEP(6, byte == pattern(70));
	STEP(7, !musaMemset(opened, 5, 1000));
	STEP(8, musaMemset(opened, 5, 1001) == musaErrorInvalidValue);
	STEP(9, musaFree(opened) == musaErrorInvalidValue);
	STEP(10, !musaIpcCloseMemHandle(opened));
	STEP(11, !musaIpcCloseMemHandle(opened));
	STEP(12, musaIpcCloseMemHandle(opened) == musaErrorInvalidValue);
	broken = handle;
	memset(&broken, 0x5a, sizeof(broken));
	STEP(13, musaIpcOpenMemHandle(&nothing, broken, 0) == musaErrorInvalidResourceHandle);
	STEP(14, musaIpcOpenMemHandle(&nothing, handle, 99) == musaErrorInvalidValue);
	STEP(15, musaIpcOpenMemHandle(NULL, handle, 0) == musaErrorInvalidValue);
	return 42;
}

/* An IPC handle opens the allocation in another process, and only there. */
Test(memory_external, ipc)
{
	pid_t pid = start_child(ipc_child);
	char *memory = device_pattern(1000);
	musaIpcMemHandle_t handle;
	unsigned char *got;
	void *opened, *host;

	OK(musaMallocHost(&host, 100));
	OK(musaIpcGetMemHandle(&handle, memory));
	EXPECT(IV, musaIpcGetMemHandle(NULL, memory));
	EXPECT(IV, musaIpcGetMemHandle(&handle, NULL));
	EXPECT(IV, musaIpcGetMemHandle(&handle, host));
	EXPECT(musaErrorDeviceUninitialized, musaIpcOpenMemHandle(&opened, handle, 0));
	send_message(channel[0], &handle, sizeof(handle), -1);
	expect_exit(pid, 42);
	got = read_back(memory, 1000);
	EQ(got[0], 5);
	EQ(got[999], 5);
	EXPECT(IV, musaIpcCloseMemHandle(memory));
}

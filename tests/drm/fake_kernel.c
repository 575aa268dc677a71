/* SPDX-License-Identifier: MIT */
/* The fake kernel: cards, files, the table of system calls, failures. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_internal.h"
#include "hw/base/alloc.h"

#define CARD_FILE_B (UINT64_C(1) << 36) /* sparse */

struct fake_card_config fake_cards[FAKE_CARDS_MAX];
uint32_t fake_card_count;
int fake_list_error, fake_dir_error;
pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t fake_changed = PTHREAD_COND_INITIALIZER;
struct fake_counts fake_live;
bool fake_held;

static struct fake_card cards[FAKE_CARDS_MAX];
static struct fake_file *files[FAKE_FILES];
static struct fake_failure failure;
static uint64_t calls, opens, submits, last_handle = 0x100;
static uint64_t failed; /* the number of an ioctl */
static uint32_t interrupted[FAKE_CARDS_MAX];

uint64_t fake_new_handle(void)
{
	return ++last_handle;
}

static bool fails_again(void)
{
	return failure.onwards || (failure.every && (calls - failure.at) % failure.every == 0);
}

/* True if this call is to fail; errno is set. */
static bool fails_now(unsigned long request)
{
	bool hit;

	if ((failure.only && failure.request != request) || (failure.every && request == FAKE_MMAP))
		return false;
	calls++;
	hit = failure.at && (calls == failure.at || (calls > failure.at && fails_again()));
	if (hit) {
		errno = failure.error;
		failed = request;
	}
	return hit;
}

static struct fake_file *file_of(int fd)
{
	for (int i = 0; i < FAKE_FILES; i++)
		if (files[i] && files[i]->fd == fd)
			return files[i];
	return NULL;
}

/* --- open, close --------------------------------------------------------------------------------
 */

static int card_start(struct fake_card *card)
{
	if (card->fd > 0)
		return 0;
	card->config = &fake_cards[card - cards];
	card->fd = memfd_create("fake-drm", MFD_CLOEXEC);
	if (card->fd < 0 || ftruncate(card->fd, CARD_FILE_B))
		return -1;
	card->memory = mmap(NULL, CARD_FILE_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
			    card->fd, 0);
	card->next_b = 1 << 16;
	return card->memory == MAP_FAILED ? -1 : 0;
}

static int open_card(uint32_t index)
{
	struct fake_file *file;
	int slot;

	if (fake_cards[index].open_error) {
		errno = fake_cards[index].open_error;
		return -1;
	}
	if (interrupted[index] < fake_cards[index].open_eintr) {
		interrupted[index]++;
		errno = EINTR;
		return -1;
	}
	for (slot = 0; slot < FAKE_FILES && files[slot]; slot++)
		;
	if (slot == FAKE_FILES || cards[index].fd <= 0) {
		errno = EMFILE;
		return -1;
	}
	file = calloc(1, sizeof(*file));
	file->card = &cards[index];
	file->fd = fcntl(cards[index].fd, F_DUPFD_CLOEXEC, 0);
	files[slot] = file;
	fake_live.files++;
	return file->fd;
}

static int fake_open_node(const char *path, int flags)
{
	int minor, fd = -1;
	uint32_t i;

	pthread_mutex_lock(&fake_lock);
	opens++;
	if (fails_now(FAKE_OPEN))
		goto unlock;
	errno = ENOENT;
	if ((flags & O_ACCMODE) != O_RDWR || !(flags & O_CLOEXEC) ||
	    sscanf(path, "/dev/dri/renderD%d", &minor) != 1)
		goto unlock;
	for (i = 0; i < fake_card_count; i++) {
		if (fake_cards[i].minor == (uint32_t)minor && !fake_cards[i].card_only) {
			fd = open_card(i);
			break;
		}
	}
unlock:
	pthread_mutex_unlock(&fake_lock);
	return fd;
}

static void drop_file(struct fake_file *file)
{
	struct fake_vm *vm, *next;

	for (vm = file->vms; vm; vm = vm->next)
		fake_sim_stop(vm);
	fake_file_drop_queues(file);
	fake_file_drop_semaphores(file);
	for (vm = file->vms; vm; vm = next) {
		next = vm->next;
		fake_vm_destroy(vm);
	}
	for (int i = 0; i < FAKE_HANDLES; i++) {
		if (!file->handles[i])
			continue;
		fake_object_unref(file->handles[i]);
		fake_live.handles--;
	}
	free(file);
	fake_live.files--;
}

static int fake_close_fd(int fd)
{
	pthread_mutex_lock(&fake_lock);
	for (int i = 0; i < FAKE_FILES; i++) {
		if (files[i] && files[i]->fd == fd) {
			drop_file(files[i]);
			files[i] = NULL;
		}
	}
	fake_export_close(fd);
	pthread_mutex_unlock(&fake_lock);
	return close(fd);
}

/* --- ioctls -------------------------------------------------------------------------------------
 */

static void answer_text(char *to, __kernel_size_t *length, const char *text)
{
	size_t room = *length;

	*length = strlen(text);
	if (to && room)
		memcpy(to, text, *length < room ? *length : room);
}

static int version(const struct fake_card_config *config, struct drm_version *args)
{
	args->version_major = 1;
	answer_text(args->name, &args->name_len, config->driver);
	answer_text(args->desc, &args->desc_len, config->desc);
	return 0;
}

static int query(struct fake_file *file, const struct fake_card_config *config,
		 struct drm_mtgpu_query_info *args)
{
	void *out = (void *)(uintptr_t)args->out.data;
	const void *in = (const void *)(uintptr_t)args->in.data;

	if (args->in.pad || !out)
		return EINVAL;
	switch (args->in.type) {
	case MTGPU_INFO_TYPE_HEAP_COUNT:
		*(uint32_t *)out = config->heap_count;
		return 0;
	case MTGPU_INFO_TYPE_HEAP_DETAILS: {
		const struct mtgpu_heap_detail_in *which = in;

		if (!in || which->index >= config->heap_count)
			return EINVAL;
		((struct mtgpu_heap_detail_out *)out)->info = config->heaps[which->index];
		return 0;
	}
	case MTGPU_INFO_TYPE_MEMORY: {
		struct mtgpu_mem_info *answer = out;

		answer->vram.total_size = config->vram_b;
		answer->vram.free_size = config->vram_b - file->card->vram_used_b;
		return 0;
	}
	case MTGPU_INFO_TYPE_BO: {
		const struct mtgpu_bo_info_in *which = in;
		const struct fake_object *object =
			in && !which->pad ? fake_handle_get(file, which->bo_handle) : NULL;
		struct mtgpu_bo_info_out *answer = out;

		if (!object)
			return ENOENT;
		answer->info.size = object->size_b;
		answer->info.domain = object->domain;
		answer->info.flags = object->flags;
		return 0;
	}
	case MTGPU_INFO_TYPE_DEV: {
		struct mtgpu_dev_info *answer = out;

		answer->dev_id = config->device_id;
		answer->num_cores = 8;
		memset(answer->uuid, 0x5a, sizeof(answer->uuid));
		return 0;
	}
	case MTGPU_INFO_TYPE_PCI: {
		struct mtgpu_pci_info *answer = out;

		if (config->bus != FAKE_BUS_PCI)
			return ENODEV;
		answer->bus_number = config->minor - 127;
		return 0;
	}
	case MTGPU_INFO_TYPE_PLATFORM:
	case MTGPU_INFO_TYPE_CAPABILITY:
		return 0;
	default:
		return EINVAL;
	}
}

static int ours(struct fake_file *file, const struct fake_card_config *config,
		unsigned long request, void *arg)
{
	int error;

	if (request == DRM_IOCTL_MTGPU_DEVICE_INIT) {
		const struct drm_mtgpu_device_init *init = arg;

		if (init->pad || init->ioctl_version != config->version)
			return EINVAL;
		file->initialised = true;
		return 0;
	}
	if (!file->initialised)
		return EPERM;
	if (request == DRM_IOCTL_MTGPU_VERSION_CHECK) {
		struct drm_mtgpu_version_check *check = arg;

		if (config->no_version_check)
			return ENOTTY;
		if (check->in.api_major_version || check->in.check_api_count)
			return EINVAL;
		check->out.supported_api_count = 40;
		return 0;
	}
	if (request == DRM_IOCTL_MTGPU_QUERY_INFO)
		return query(file, config, arg);
	error = fake_memory_ioctl(file, request, arg);
	if (error == ENOTTY)
		error = fake_semaphore_ioctl(file, request, arg);
	if (error == ENOTTY)
		error = fake_job_ioctl(file, request, arg);
	return error;
}

static int fake_ioctl(int fd, unsigned long request, void *arg)
{
	const struct fake_card_config *config;
	struct fake_file *file;
	int error;

	pthread_mutex_lock(&fake_lock);
	if (fails_now(request)) {
		error = errno;
		goto unlock;
	}
	if (request == DRM_IOCTL_MTGPU_JOB_SUBMIT_V3)
		submits++;
	error = EBADF;
	file = file_of(fd);
	if (!file)
		goto unlock;
	config = file->card->config;
	if (file->card->lost)
		error = EIO;
	else if (request == DRM_IOCTL_VERSION)
		error = version(config, arg);
	else
		error = strcmp(config->driver, "mtgpu") ? ENOTTY : ours(file, config, request, arg);
unlock:
	pthread_mutex_unlock(&fake_lock);
	errno = error;
	return error ? -1 : 0;
}

/* --- mmap ---------------------------------------------------------------------------------------
 */

static void *fake_mmap(void *at, size_t size_b, int protection, int flags, int fd, off_t offset)
{
	const struct fake_object *object;
	void *memory = MAP_FAILED;
	struct fake_file *file;

	pthread_mutex_lock(&fake_lock);
	if (fails_now(FAKE_MMAP))
		goto unlock;
	if (fd >= 0) {
		file = file_of(fd);
		object = file ? fake_object_at(file->card, (uint64_t)offset) : NULL;
		errno = EINVAL;
		if (!object || object->user || object->offset_b != (uint64_t)offset ||
		    size_b > object->size_b)
			goto unlock;
	}
	memory = mmap(at, size_b, protection, flags, fd, offset);
unlock:
	pthread_mutex_unlock(&fake_lock);
	return memory;
}

static int fake_stat(const char *path, struct stat *status)
{
	(void)path;
	memset(status, 0, sizeof(*status));
	return 0;
}

/* --- enumeration --------------------------------------------------------------------------------
 */

static int fake_get_devices(uint32_t flags, drmDevicePtr devices[], int count)
{
	int found = 0;

	(void)flags;
	if (fake_list_error)
		return fake_list_error;
	for (uint32_t i = 0; i < fake_card_count && found < count; i++) {
		const struct fake_card_config *config = &fake_cards[i];
		drmDevicePtr device;

		if (config->bus == FAKE_BUS_UNKNOWN)
			continue;
		device = calloc(1, sizeof(*device));
		device->nodes = calloc(DRM_NODE_MAX, sizeof(char *));
		device->available_nodes = 1 << DRM_NODE_PRIMARY;
		device->bustype = config->bus == FAKE_BUS_PCI ? DRM_BUS_PCI : DRM_BUS_PLATFORM;
		if (!config->card_only) {
			device->available_nodes |= 1 << DRM_NODE_RENDER;
			device->nodes[DRM_NODE_RENDER] = malloc(64);
			snprintf(device->nodes[DRM_NODE_RENDER], 64, "/dev/dri/renderD%u",
				 config->minor);
		}
		if (config->bus == FAKE_BUS_PCI) {
			device->businfo.pci = calloc(1, sizeof(*device->businfo.pci));
			device->businfo.pci->bus = (uint8_t)(config->minor - 127);
			device->deviceinfo.pci = calloc(1, sizeof(*device->deviceinfo.pci));
			device->deviceinfo.pci->vendor_id = config->vendor;
			device->deviceinfo.pci->device_id = config->device_id;
		}
		devices[found++] = device;
	}
	return found;
}

static void fake_free_devices(drmDevicePtr devices[], int count)
{
	for (int i = 0; i < count; i++) {
		if (devices[i]->bustype == DRM_BUS_PCI) {
			free(devices[i]->businfo.pci);
			free(devices[i]->deviceinfo.pci);
		}
		free(devices[i]->nodes[DRM_NODE_RENDER]);
		free(devices[i]->nodes);
		free(devices[i]);
	}
}

static int fake_list_minors(int minors[], int count)
{
	int found = 0;

	if (fake_dir_error)
		return fake_dir_error;
	/* Backwards: a folder has no order. */
	for (uint32_t i = fake_card_count; i-- > 0 && found < count;)
		if (!fake_cards[i].card_only)
			minors[found++] = (int)fake_cards[i].minor;
	return found;
}

static const struct mt_drm_os fake_os = {
	.open = fake_open_node,
	.close = fake_close_fd,
	.ioctl = fake_ioctl,
	.mmap = fake_mmap,
	.munmap = munmap,
	.stat = fake_stat,
	.get_devices = fake_get_devices,
	.free_devices = fake_free_devices,
	.list_minors = fake_list_minors,
};

/* --- control ------------------------------------------------------------------------------------
 */

struct fake_card_config *fake_add_card(uint16_t device_id)
{
	struct fake_card_config *config = &fake_cards[fake_card_count];

	*config = (struct fake_card_config){
		.minor = 128 + fake_card_count,
		.bus = FAKE_BUS_PCI,
		.vendor = 0x1ed5,
		.device_id = device_id,
		.driver = "mtgpu",
		.desc = device_id >> 8 == FAKE_GEN_SIM >> 8 ? "mtgpu-sim, in a test" : "MTGPU DRM",
		.version = MTGPU_IOCTL_VERSION,
		.vram_b = UINT64_C(4) << 30,
		.heap_count = 2,
		.semaphore_stride = 16,
	};
	config->heaps[0] = (struct drm_mtgpu_heap_info){
		.id = 1,
		.name = "user",
		.base = 1 << 20,
		.length = FAKE_HEAP_BASE - (1 << 20),
		.log2_page_size = 12,
	};
	config->heaps[1] = (struct drm_mtgpu_heap_info){
		.id = 2,
		.name = "general",
		.base = FAKE_HEAP_BASE,
		.length = FAKE_HEAP_B,
		.log2_page_size = 12,
	};
	if (device_id >> 8 == FAKE_GEN_SIM >> 8)
		config->heaps[config->heap_count++] = (struct drm_mtgpu_heap_info){
			.id = 3,
			.name = "user high",
			.base = FAKE_HEAP_BASE + FAKE_HEAP_B,
			.length = (UINT64_C(1) << 47) - FAKE_HEAP_BASE - FAKE_HEAP_B,
			.log2_page_size = 12,
		};
	card_start(&cards[fake_card_count]);
	fake_card_count++;
	return config;
}

void fake_install(uint16_t device_id)
{
	memset(&failure, 0, sizeof(failure));
	fake_card_count = 0;
	fake_list_error = fake_dir_error = 0;
	opens = calls = submits = 0;
	memset(interrupted, 0, sizeof(interrupted));
	fake_add_card(device_id);
	mt_drm_os_set(&fake_os);
}

void fake_remove(void)
{
	mt_drm_os_set(NULL);
	for (int i = 0; i < FAKE_CARDS_MAX; i++) {
		if (cards[i].fd <= 0)
			continue;
		munmap(cards[i].memory, CARD_FILE_B);
		close(cards[i].fd);
		memset(&cards[i], 0, sizeof(cards[i]));
	}
}

void fake_fail(const struct fake_failure *armed)
{
	pthread_mutex_lock(&fake_lock);
	failure = armed ? *armed : (struct fake_failure){0};
	calls = submits = 0;
	pthread_mutex_unlock(&fake_lock);
}

static uint64_t read_count(const uint64_t *count)
{
	uint64_t now;

	pthread_mutex_lock(&fake_lock);
	now = *count;
	pthread_mutex_unlock(&fake_lock);
	return now;
}

uint64_t fake_calls(void)
{
	return read_count(&calls);
}

unsigned long fake_failed(void)
{
	return read_count(&failed);
}

uint64_t fake_opens(void)
{
	return read_count(&opens);
}

uint64_t fake_submits(void)
{
	return read_count(&submits);
}

void fake_counts_get(struct fake_counts *counts_out)
{
	pthread_mutex_lock(&fake_lock);
	*counts_out = fake_live;
	pthread_mutex_unlock(&fake_lock);
}

void fake_lose_card(void)
{
	pthread_mutex_lock(&fake_lock);
	for (uint32_t i = 0; i < fake_card_count; i++)
		cards[i].lost = true;
	pthread_cond_broadcast(&fake_changed);
	pthread_mutex_unlock(&fake_lock);
}

void fake_hold_jobs(bool hold)
{
	pthread_mutex_lock(&fake_lock);
	fake_held = hold;
	fake_jobs_run();
	pthread_mutex_unlock(&fake_lock);
}

int fake_open(struct mt_hw_device ***devices_out, uint32_t *count_out)
{
	static struct mt_hw_options options;

	return mt_hw_drm_backend.open(&options, devices_out, count_out);
}

void fake_close(struct mt_hw_device **devices, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		devices[i]->ops->device_close(devices[i]);
	mt_free(devices);
}

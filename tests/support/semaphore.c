/* SPDX-License-Identifier: MIT */
/* Timeline semaphores as another API makes them. */
#include "test_semaphore.h"

#include "drv/table.h"

int t_semaphore_fd(struct mt_ext_semaphore **object_out)
{
	struct mt_ext_semaphore *object;
	struct mt_ctx *ctx;
	uint64_t handle;
	int fd;

	OK(musaFree(NULL));
	EQ(mt_drv_table_v1.mt_ctx_primary(0, &ctx), MUSA_SUCCESS);
	EQ(mt_drv_table_v1.mt_ext_semaphore_create(ctx, &handle), MUSA_SUCCESS);
	EQ(mt_drv_table_v1.mt_ext_semaphore_get(handle, &object), MUSA_SUCCESS);
	EQ(mt_drv_table_v1.mt_ext_semaphore_export(object, &fd), MUSA_SUCCESS);
	if (object_out)
		*object_out = object;
	return fd;
}

musaExternalSemaphore_t t_semaphore_import(int fd)
{
	struct musaExternalSemaphoreHandleDesc desc = {
		.type = musaExternalSemaphoreHandleTypeOpaqueFd, .handle.fd = fd};
	musaExternalSemaphore_t semaphore;

	OK(musaImportExternalSemaphore(&semaphore, &desc));
	return semaphore;
}

musaExternalSemaphore_t t_semaphore(struct mt_ext_semaphore **object_out)
{
	return t_semaphore_import(t_semaphore_fd(object_out));
}

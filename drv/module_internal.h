/* SPDX-License-Identifier: MIT */
/* What modules, the registry of compiled-in code and libraries share. Not for the layers above. */
#ifndef MT_DRV_MODULE_INTERNAL_H
#define MT_DRV_MODULE_INTERNAL_H

#include <pthread.h>

#include "drv/module.h"

/* A parsed code object; contexts of one architecture share it. */
struct mt_code {
	_Atomic uint32_t refs;
	struct mt_codeobj *obj; /* owned */
};

struct mt_module {
	uint64_t handle;                /* MUmodule */
	struct mt_ctx *ctx;             /* borrowed */
	struct mt_module *next, **link; /* ctx->modules; guarded by ctx->lock */
	struct mt_code *code;           /* a reference */
	struct mt_hw_bo *bo;            /* owned; NULL if the image is empty */
	uint64_t va;                    /* load address */
	struct mt_function *functions;  /* owned; in the order of the code object's kernels */
	uint32_t variable_count;        /* of those entered in the address map */
};

/* Loads the member for `arch_id`; logs why if it is refused. */
MUresult mt_code_load(struct mt_codeobj_container *container, uint32_t arch_id,
		      struct mt_code **code_out);
void mt_code_unref(struct mt_code *code); /* accepts NULL */
void mt_code_log(const char *what, const struct mt_codeobj_reason *why);

/* Takes a reference of its own on `code`. */
MUresult mt_module_create(struct mt_ctx *ctx, struct mt_code *code, struct mt_module **module_out);
/* No work may use it any more. Accepts NULL. */
void mt_module_destroy(struct mt_module *module);
void mt_modules_finish(struct mt_ctx *ctx);

/* With a handle; NOT_FOUND, or NOT_SUPPORTED for a kernel that cannot be launched. */
MUresult mt_module_find_function(struct mt_module *module, const char *name,
				 struct mt_function **fn_out);
MUresult mt_module_find_variable(struct mt_module *module, const char *name,
				 struct mt_variable *variable_out);

struct mt_binary;

/* A name in a binary: what a stub, a host variable or a MUkernel stands for. */
struct mt_entry {
	const void *key; /* stub or host variable; NULL for kernels of libraries */
	uint64_t handle; /* MUkernel, or 0 */
	char *name;      /* owned */
	struct mt_binary *binary;
	struct mt_entry *next;     /* in the binary */
	struct mt_entry *same_key; /* the next registration of the same key */
	_Atomic(struct mt_function *) fn[MT_DEVICES_MAX]; /* found already */
};

/* Device code of the process, not of a context: a registered fat binary or a library. */
struct mt_binary {
	uint64_t handle;          /* MUlibrary, or 0 */
	const void *image;        /* registered: borrowed for its life; NULL for a library */
	pthread_mutex_t lock;     /* guards what follows */
	struct mt_entry *entries; /* owned; guarded by the registry's lock where registered */
	struct {
		struct mt_code *code; /* a reference; the same for devices of one architecture */
		struct mt_module *module; /* the context's */
		MUresult failed;          /* lasting failure of an earlier attempt */
	} at[MT_DEVICES_MAX];
	struct mt_binary *next, **link; /* all binaries; guarded by the registry's lock */
};

MUresult mt_binary_create(const void *image, struct mt_binary **binary_out);
void mt_binary_destroy(struct mt_binary *binary); /* with its modules; work has ended */
MUresult mt_binary_add_entry(struct mt_binary *binary, const void *key, const char *name,
			     struct mt_entry **entry_out);
/* The binary's module in a context, loaded at first use. */
MUresult mt_binary_module(struct mt_binary *binary, struct mt_ctx *ctx,
			  struct mt_module **module_out);
MUresult mt_entry_function(struct mt_entry *entry, struct mt_ctx *ctx, struct mt_function **fn_out);

/* A context ends: forget its modules and functions. */
void mt_binaries_forget(struct mt_ctx *ctx);

/* Before mt_binary_destroy(): waits for the contexts that hold modules of it, or leaves the modules
 * of busy contexts behind, to be destroyed with these. */
void mt_binary_wait_idle(struct mt_binary *binary);
void mt_binary_leave_busy(struct mt_binary *binary);

#endif

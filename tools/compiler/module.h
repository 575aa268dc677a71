/* SPDX-License-Identifier: MIT */
/*
 * The device module while it is transformed. Each step has a file of its own; device.c runs them
 * in order. Device code reaches the engine through hw/softgpu/device_abi.h alone.
 */
#ifndef MTCC_MODULE_H
#define MTCC_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/compiler/util.h"

/* How the front end's IR receives one source parameter (System V x86-64 calling convention). */
enum mtcc_pass {
	MTCC_PASS_NOTHING,   /* empty class: no IR argument */
	MTCC_PASS_VALUE,     /* one IR argument holds it */
	MTCC_PASS_PAIR,      /* two IR arguments: bytes 0-7 and the rest */
	MTCC_PASS_MEMORY,    /* byval pointer to it */
	MTCC_PASS_REFERENCE, /* class that is not trivially copied: pointer to a copy */
};

struct mtcc_param {
	char *name; /* owned; "" when the source gives none */
	enum mtcc_pass pass;
	unsigned int argument; /* index of the first IR argument */
	uint64_t size_b;
	uint64_t align_b;
	uint64_t offset_b; /* in the argument image; a multiple of 4 */
	unsigned int type; /* the metadata's type number */
	bool read_only;    /* pointer to const */
};

struct mtcc_kernel {
	LLVMValueRef source;       /* function as the front end made it; later NULL */
	LLVMValueRef body;         /* void (block, x, y, z): one thread */
	LLVMValueRef entry;        /* void (block): the FUNC symbol */
	char *name;                /* owned; mangled */
	struct mtcc_param *params; /* owned */
	size_t param_count;
	uint64_t kernarg_b;   /* end of the last parameter in the argument image */
	uint32_t max_threads; /* of __launch_bounds__; 0: none */
	uint32_t min_blocks;
	uint64_t shared_b;   /* static shared memory */
	uint64_t private_b;  /* memory that a thread's local variables keep after optimisation */
	bool dynamic_shared; /* uses an extern __shared__ array */
	bool barrier;        /* block barrier in reach */
	bool graph_launch;   /* launch of a graph in reach */
	bool fibers;         /* needs the engine's threads: barrier, warp exchange, ... in reach */
	LLVMMetadataRef loops[3]; /* identities of the loops over x */
	unsigned int loop_count;
};

struct mtcc_module {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
	LLVMTargetDataRef layout;
	LLVMBuilderRef builder;
	struct mtcc_kernel *kernels; /* owned */
	size_t kernel_count;
	unsigned int level;                         /* 0-3 */
	bool record;                                /* --record-access */
	LLVMTypeRef i8, i32, i64, void_type, bytes; /* bytes: i8* */
	LLVMTypeRef body_type, entry_type;
	unsigned int invariant_kind; /* metadata kind of !invariant.load */
};

/* kernels.c: finds the kernels by the qualifiers' annotations, and their parameters. */
void mtcc_kernels_find(struct mtcc_module *module);
/* params.c: fills the parameter list from the function's debug information. */
void mtcc_kernel_read_params(struct mtcc_module *module, struct mtcc_kernel *kernel);

/* prepare.c: linkage and attributes of everything in the module. */
void mtcc_module_prepare(struct mtcc_module *module);
/* Inlines what is marked for it, bottom up, and drops functions that nobody calls any more. */
void mtcc_module_inline(struct mtcc_module *module);
/* Runs a pass pipeline; a failure ends the program. */
void mtcc_module_optimise(struct mtcc_module *module, const char *pipeline);

/* reach.c: what each kernel can call; sets barrier and fibers. */
void mtcc_kernels_find_reach(struct mtcc_module *module);
/* True if @kernel may run code of @function. Valid after mtcc_kernels_find_reach(). */
bool mtcc_kernel_reaches(const struct mtcc_kernel *kernel, LLVMValueRef function);
void mtcc_kernels_finish_reach(void);

/* entry.c: makes bodies out of the source functions, and the block entries around them. */
void mtcc_kernels_make_bodies(struct mtcc_module *module);
void mtcc_kernels_make_entries(struct mtcc_module *module);

/* Gives @to every function attribute of @from. */
void mtcc_copy_attributes(LLVMValueRef to, LLVMValueRef from);

/* guard.c: an i1, where the builder stands in the kernel's entry, that says that every thread of
 * the block passes the tests of its place in the grid; the body gets one more argument, which
 * takes these tests for granted. NULL: there are none. */
LLVMValueRef mtcc_guard_build(struct mtcc_module *module, struct mtcc_kernel *kernel);

/* parallel.c: names the loop that @branch closes; later tells that its passes are independent. */
void mtcc_loop_mark(struct mtcc_module *module, struct mtcc_kernel *kernel, LLVMValueRef branch);
void mtcc_kernels_mark_parallel(struct mtcc_module *module);
/* True if a thread keeps variables in memory. */
bool mtcc_has_private_memory(LLVMValueRef function);

/* shared.c: places __shared__ variables and replaces their addresses. */
void mtcc_shared_lower(struct mtcc_module *module);

/* lower.c: replaces the calls of the device headers' built-in functions. */
void mtcc_builtins_lower(struct mtcc_module *module);
/* What kind of thread switch a function of that name stands for. */
bool mtcc_builtin_needs_fibers(const char *name);
bool mtcc_builtin_is_barrier(const char *name);
bool mtcc_builtin_launches_graphs(const char *name);

/* record.c: makes device code report its accesses. */
void mtcc_accesses_record(struct mtcc_module *module);

/* math.c: replaces what has no inline form by calls through the engine's table. */
void mtcc_math_lower(struct mtcc_module *module);

/* block.c: values of the running block, for code in @function. */
LLVMValueRef mtcc_block_pointer(struct mtcc_module *module, LLVMValueRef function);
LLVMValueRef mtcc_block_load(struct mtcc_module *module, LLVMValueRef function, LLVMTypeRef type,
			     size_t offset_b, bool invariant);
/* Address @offset_b bytes behind @base, as a pointer to @type. */
LLVMValueRef mtcc_build_address(struct mtcc_module *module, LLVMValueRef base, uint64_t offset_b,
				LLVMTypeRef type);
/* Function pointer at @offset_b in the services table, to be called with a block first. */
LLVMValueRef mtcc_block_service(struct mtcc_module *module, LLVMValueRef function, size_t offset_b,
				LLVMTypeRef type);
/* When code is final: kernels ask for the GS base if a function of the module reads through it. */
void mtcc_block_ask_for_gs(struct mtcc_module *module);
void mtcc_add_attribute(struct mtcc_module *module, LLVMValueRef function, unsigned int index,
			const char *name, uint64_t value);

/* note.c: the MessagePack metadata as bytes. */
struct mtcc_bytes mtcc_note_build(const struct mtcc_module *module);

/* bundle.c: wraps the linked object. */
void mtcc_bundle_write(const char *path, const struct mtcc_bytes *object);

#endif

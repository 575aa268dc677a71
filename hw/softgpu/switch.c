/* SPDX-License-Identifier: MIT */
/*
 * Register switches, x86-64: fibers, and the way out of a kernel that crashed.
 */
#include <stddef.h>

#include "hw/softgpu/internal.h"

_Static_assert(offsetof(struct sg_context, rsp) == 0 && offsetof(struct sg_context, rip) == 8 &&
		       offsetof(struct sg_context, rbx) == 16 &&
		       offsetof(struct sg_context, rbp) == 24 &&
		       offsetof(struct sg_context, r12) == 32 &&
		       offsetof(struct sg_context, r15) == 56,
	       "the assembly below counts on it");

void mt_sg_worker_abort(struct sg_worker *worker)
{
	worker->crash_signal = 0;
	mt_sg_context_load(&worker->recover);
}

/* save: returns 0, and once more 1 when load is called. Only what a call preserves is kept. */
__asm__(".text\n"
	".p2align 4\n"
	".globl mt_sg_context_save\n"
	".hidden mt_sg_context_save\n"
	".type mt_sg_context_save, @function\n"
	"mt_sg_context_save:\n"
	"	leaq 8(%rsp), %rax\n"
	"	movq %rax, (%rdi)\n"
	"	movq (%rsp), %rax\n"
	"	movq %rax, 8(%rdi)\n"
	"	movq %rbx, 16(%rdi)\n"
	"	movq %rbp, 24(%rdi)\n"
	"	movq %r12, 32(%rdi)\n"
	"	movq %r13, 40(%rdi)\n"
	"	movq %r14, 48(%rdi)\n"
	"	movq %r15, 56(%rdi)\n"
	"	xorl %eax, %eax\n"
	"	ret\n"
	".size mt_sg_context_save, .-mt_sg_context_save\n"

	".p2align 4\n"
	".globl mt_sg_context_load\n"
	".hidden mt_sg_context_load\n"
	".type mt_sg_context_load, @function\n"
	"mt_sg_context_load:\n"
	"	movq (%rdi), %rsp\n"
	"	movq 16(%rdi), %rbx\n"
	"	movq 24(%rdi), %rbp\n"
	"	movq 32(%rdi), %r12\n"
	"	movq 40(%rdi), %r13\n"
	"	movq 48(%rdi), %r14\n"
	"	movq 56(%rdi), %r15\n"
	"	cld\n"
	"	movl $1, %eax\n"
	"	jmpq *8(%rdi)\n"
	".size mt_sg_context_load, .-mt_sg_context_load\n"

	/* Pushes what a call preserves, stores the stack pointer, takes the other stack. */
	".p2align 4\n"
	".globl mt_sg_stack_switch\n"
	".hidden mt_sg_stack_switch\n"
	".type mt_sg_stack_switch, @function\n"
	"mt_sg_stack_switch:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size mt_sg_stack_switch, .-mt_sg_stack_switch\n"

	/* First return address of a new stack: calls the function in r12 with the argument in r13.
	 * The function does not return. */
	".p2align 4\n"
	".globl mt_sg_stack_start\n"
	".hidden mt_sg_stack_start\n"
	".type mt_sg_stack_start, @function\n"
	"mt_sg_stack_start:\n"
	"	xorl %ebp, %ebp\n"
	"	movq %r13, %rdi\n"
	"	callq *%r12\n"
	"	ud2\n"
	".size mt_sg_stack_start, .-mt_sg_stack_start\n");

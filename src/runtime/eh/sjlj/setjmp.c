/* setjmp and longjmp of our own: what a call keeps, in frame->buffer, without signals and without the C library. First that register which
 * llvm.localrecover counts from (frame.h). */
#include "runtime/eh/sjlj/frame.h"

_Static_assert(offsetof(CircehFrame, buffer) == 48, "the offsets below");

/* clang-format off */
#ifdef _WIN32
#define BEGIN(name) ".globl " name "\n" name ":\n"
#else
#define BEGIN(name) ".globl " name "\n\t.type " name ", %function\n" name ":\n"
__asm__(".hidden circeh_sjlj_longjmp\n");
#endif

#if defined(__x86_64__) && defined(_WIN32)
/* RBP, RBX, RDI, RSI, R12 to R15, RSP, RIP, XMM6 to XMM15 (x64 calling convention: nonvolatile registers). */
__asm__(".text\n"
	BEGIN("circ_sjlj_setjmp")
	"	movq %rbp, 48(%rcx)\n"
	"	movq %rbx, 56(%rcx)\n"
	"	movq %rdi, 64(%rcx)\n"
	"	movq %rsi, 72(%rcx)\n"
	"	movq %r12, 80(%rcx)\n"
	"	movq %r13, 88(%rcx)\n"
	"	movq %r14, 96(%rcx)\n"
	"	movq %r15, 104(%rcx)\n"
	"	leaq 8(%rsp), %rax\n"
	"	movq %rax, 112(%rcx)\n"
	"	movq (%rsp), %rax\n"
	"	movq %rax, 120(%rcx)\n"
	"	movups %xmm6, 128(%rcx)\n"
	"	movups %xmm7, 144(%rcx)\n"
	"	movups %xmm8, 160(%rcx)\n"
	"	movups %xmm9, 176(%rcx)\n"
	"	movups %xmm10, 192(%rcx)\n"
	"	movups %xmm11, 208(%rcx)\n"
	"	movups %xmm12, 224(%rcx)\n"
	"	movups %xmm13, 240(%rcx)\n"
	"	movups %xmm14, 256(%rcx)\n"
	"	movups %xmm15, 272(%rcx)\n"
	"	xorl %eax, %eax\n"
	"	retq\n"
	BEGIN("circeh_sjlj_longjmp")
	"	movups 128(%rcx), %xmm6\n"
	"	movups 144(%rcx), %xmm7\n"
	"	movups 160(%rcx), %xmm8\n"
	"	movups 176(%rcx), %xmm9\n"
	"	movups 192(%rcx), %xmm10\n"
	"	movups 208(%rcx), %xmm11\n"
	"	movups 224(%rcx), %xmm12\n"
	"	movups 240(%rcx), %xmm13\n"
	"	movups 256(%rcx), %xmm14\n"
	"	movups 272(%rcx), %xmm15\n"
	"	movq 48(%rcx), %rbp\n"
	"	movq 56(%rcx), %rbx\n"
	"	movq 64(%rcx), %rdi\n"
	"	movq 72(%rcx), %rsi\n"
	"	movq 80(%rcx), %r12\n"
	"	movq 88(%rcx), %r13\n"
	"	movq 96(%rcx), %r14\n"
	"	movq 104(%rcx), %r15\n"
	"	movq 112(%rcx), %rsp\n"
	"	movl $1, %eax\n"
	"	jmpq *120(%rcx)\n");
#elif defined(__x86_64__)
/* RBP, RBX, R12 to R15, RSP, RIP (System V ABI, figure 3.36). */
__asm__(".text\n"
	BEGIN("circ_sjlj_setjmp")
	"	movq %rbp, 48(%rdi)\n"
	"	movq %rbx, 56(%rdi)\n"
	"	movq %r12, 64(%rdi)\n"
	"	movq %r13, 72(%rdi)\n"
	"	movq %r14, 80(%rdi)\n"
	"	movq %r15, 88(%rdi)\n"
	"	leaq 8(%rsp), %rax\n"
	"	movq %rax, 96(%rdi)\n"
	"	movq (%rsp), %rax\n"
	"	movq %rax, 104(%rdi)\n"
	"	xorl %eax, %eax\n"
	"	retq\n"
	BEGIN("circeh_sjlj_longjmp")
	"	movq 48(%rdi), %rbp\n"
	"	movq 56(%rdi), %rbx\n"
	"	movq 64(%rdi), %r12\n"
	"	movq 72(%rdi), %r13\n"
	"	movq 80(%rdi), %r14\n"
	"	movq 88(%rdi), %r15\n"
	"	movq 96(%rdi), %rsp\n"
	"	movl $1, %eax\n"
	"	jmpq *104(%rdi)\n");
#elif defined(__aarch64__)
/* SP, x19 to x30, d8 to d15 (AAPCS64, 6.1.1 and 6.1.2). */
__asm__(".text\n"
	BEGIN("circ_sjlj_setjmp")
	"	mov x9, sp\n"
	"	stp x9, x19, [x0, #48]\n"
	"	stp x20, x21, [x0, #64]\n"
	"	stp x22, x23, [x0, #80]\n"
	"	stp x24, x25, [x0, #96]\n"
	"	stp x26, x27, [x0, #112]\n"
	"	stp x28, x29, [x0, #128]\n"
	"	str x30, [x0, #144]\n"
	"	stp d8, d9, [x0, #160]\n"
	"	stp d10, d11, [x0, #176]\n"
	"	stp d12, d13, [x0, #192]\n"
	"	stp d14, d15, [x0, #208]\n"
	"	mov w0, #0\n"
	"	ret\n"
	BEGIN("circeh_sjlj_longjmp")
	"	ldp x9, x19, [x0, #48]\n"
	"	ldp x20, x21, [x0, #64]\n"
	"	ldp x22, x23, [x0, #80]\n"
	"	ldp x24, x25, [x0, #96]\n"
	"	ldp x26, x27, [x0, #112]\n"
	"	ldp x28, x29, [x0, #128]\n"
	"	mov sp, x9\n"
	"	ldr x30, [x0, #144]\n"
	"	ldp d8, d9, [x0, #160]\n"
	"	ldp d10, d11, [x0, #176]\n"
	"	ldp d12, d13, [x0, #192]\n"
	"	ldp d14, d15, [x0, #208]\n"
	"	mov w0, #1\n"
	"	ret\n");
#else
#error "which registers does a call keep?"
#endif
/* clang-format on */

/* What an exception of a fault is raised from on x86_64: RSP and RBX are the address of the CircehFault. To unwinders it is the frame of a
 * signal (its CIE has an S): the address in the function that faulted is one in the instruction, which no call precedes, and all registers are
 * as the fault found them.
 *
 * It is the address behind the instruction's first byte (FAULT_INSIDE): for that of the instruction LLVM's libunwind takes the row of the frame
 * table that ends there, as it does for calls, and looks for the caller in the wrong place where, say, a push comes before.
 *
 * When the exception is over and the instruction is to be started again, all registers are as they were, the vectors and flags, too: code that is
 * marked circ.may_fault may have anything in them.
 */
#include "runtime/eh/elf/x86_64/thunk.h"

__attribute__((used)) uint64_t circeh_fault_state;

/* DW_CFA_expression of a register of DWARF's numbers: at RBX + offset. Of two bytes each: DW_OP_breg3 and a LEB128 below 8192. */
#define LEB(offset)           "((" #offset ") & 0x7f) | 0x80, (" #offset ") >> 7"
#define SAVED(number, offset) ".cfi_escape 0x10, " #number ", 3, 0x73, " LEB(offset) "\n\t"
/* DW_CFA_val_expression: what is at RBX + offset, and DW_OP_plus_uconst FAULT_INSIDE. */
#define INSIDE(number, offset) ".cfi_escape 0x16, " #number ", 6, 0x73, " LEB(offset) ", 0x06, 0x23, 1\n\t"

_Static_assert(offsetof(CircehFault, pc) == 128 && offsetof(CircehFault, flags) == 136 && FAULT_INSIDE == 1,
               "below");

__asm__(".text\n\t"
        ".p2align 4\n\t"
        ".hidden circeh_fault_thunk\n\t"
        ".globl circeh_fault_thunk\n\t"
        ".type circeh_fault_thunk, @function\n"
        "circeh_fault_thunk:\n\t"
        ".cfi_startproc\n\t"
        ".cfi_signal_frame\n\t"
        /* DW_CFA_def_cfa_expression: what RSP was */
        ".cfi_escape 0x0f, 4, 0x73, " LEB(32) ", 0x06\n\t" SAVED(0, 0) SAVED(1, 16) SAVED(2, 8) SAVED(3, 24)
            SAVED(4, 48) SAVED(5, 56) SAVED(6, 40) SAVED(8, 64) SAVED(9, 72) SAVED(10, 80) SAVED(11, 88)
                SAVED(12, 96) SAVED(13, 104) SAVED(14, 112) SAVED(15, 120) INSIDE(16, 128)
        /* An unwinder looks at the byte before the address that a call pushes. */
        "nop\n\t"
        "movq circeh_fault_state(%rip), %rcx\n\t"
        "testq %rcx, %rcx\n\t"
        "je 1f\n\t"
        "subq %rcx, %rsp\n\t"
        "xorl %eax, %eax\n\t"
        "movq %rax, 512(%rsp)\n\t" /* the header, which XSAVE does not write as a whole */
        "movq %rax, 520(%rsp)\n\t"
        "movq %rax, 528(%rsp)\n\t"
        "movq %rax, 536(%rsp)\n\t"
        "movq %rax, 544(%rsp)\n\t"
        "movq %rax, 552(%rsp)\n\t"
        "movq %rax, 560(%rsp)\n\t"
        "movq %rax, 568(%rsp)\n\t"
        "movl $-1, %eax\n\t"
        "movl $-1, %edx\n\t"
        "xsave64 (%rsp)\n\t"
        "jmp 2f\n"
        "1:\n\t"
        "subq $512, %rsp\n\t"
        "fxsave64 (%rsp)\n"
        "2:\n\t"
        "emms\n\t" /* C expects an empty stack of the x87 */
        "cld\n\t"
        "movq %rbx, %rdi\n\t"
        "call circeh_fault_raise\n\t"
        "cmpq $0, circeh_fault_state(%rip)\n\t"
        "je 3f\n\t"
        "movl $-1, %eax\n\t"
        "movl $-1, %edx\n\t"
        "xrstor64 (%rsp)\n\t"
        "jmp 4f\n"
        "3:\n\t"
        "fxrstor64 (%rsp)\n"
        "4:\n\t"
        /* RBX, the flags and the address are popped from where nobody has anything: below the red zone. */
        "movq 32(%rbx), %rcx\n\t"
        "movq 24(%rbx), %rax\n\t"
        "movq %rax, -152(%rcx)\n\t"
        "movq 136(%rbx), %rax\n\t"
        "movq %rax, -144(%rcx)\n\t"
        "movq 128(%rbx), %rax\n\t"
        "movq %rax, -136(%rcx)\n\t"
        "movq 0(%rbx), %rax\n\t"
        "movq 8(%rbx), %rcx\n\t"
        "movq 16(%rbx), %rdx\n\t"
        "movq 40(%rbx), %rbp\n\t"
        "movq 48(%rbx), %rsi\n\t"
        "movq 56(%rbx), %rdi\n\t"
        "movq 64(%rbx), %r8\n\t"
        "movq 72(%rbx), %r9\n\t"
        "movq 80(%rbx), %r10\n\t"
        "movq 88(%rbx), %r11\n\t"
        "movq 96(%rbx), %r12\n\t"
        "movq 104(%rbx), %r13\n\t"
        "movq 112(%rbx), %r14\n\t"
        "movq 120(%rbx), %r15\n\t"
        "movq 32(%rbx), %rsp\n\t"
        "leaq -152(%rsp), %rsp\n\t"
        "popq %rbx\n\t"
        "popfq\n\t"
        "ret $128\n\t"
        ".cfi_endproc\n\t"
        ".size circeh_fault_thunk, .-circeh_fault_thunk\n\t"
        ".section .note.GNU-stack,\"\",@progbits\n\t"
        ".text");

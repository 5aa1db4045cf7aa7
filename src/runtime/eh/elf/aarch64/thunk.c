/* What an exception of a fault is raised from on AArch64: SP and X19 are the address of the CircehFault. To unwinders it is the frame of a
 * signal, as on x86_64 (x86_64/thunk.c), whose return address is no register that the code that faulted has a use for: the program counter of
 * DWARF (DWARF for the Arm 64-bit Architecture, 4.1).
 *
 * When the instruction is to be started again, the thread returns from the signal a second time (context.c).
 */
#include "runtime/eh/elf/fault_context.h"

/* DW_CFA_expression of a register: at X19 + offset. Of two bytes each: DW_OP_breg19 and a LEB128 below 8192. */
#define LEB(offset)   "((" #offset ") & 0x7f) | 0x80, (" #offset ") >> 7"
#define SAVED(number) ".cfi_escape 0x10, " #number ", 3, 0x83, " LEB(8 * number) "\n\t"
/* DW_CFA_val_expression: what is at X19 + offset, and DW_OP_plus_uconst FAULT_INSIDE. */
#define INSIDE(number, offset) ".cfi_escape 0x16, " #number ", 6, 0x83, " LEB(offset) ", 0x06, 0x23, 1\n\t"

_Static_assert(offsetof(CircehFault, pc) == 256 && FAULT_INSIDE == 1, "below");

__asm__(".text\n\t"
        ".p2align 4\n\t"
        ".hidden circeh_fault_thunk\n\t"
        ".globl circeh_fault_thunk\n\t"
        ".type circeh_fault_thunk, %function\n"
        "circeh_fault_thunk:\n\t"
        ".cfi_startproc\n\t"
        ".cfi_signal_frame\n\t"
        ".cfi_return_column 32\n\t"
        /* DW_CFA_def_cfa_expression: what SP was */
        ".cfi_escape 0x0f, 4, 0x83, " LEB(248) ", 0x06\n\t" SAVED(0) SAVED(1) SAVED(2) SAVED(3) SAVED(4)
            SAVED(5) SAVED(6) SAVED(7) SAVED(8) SAVED(9) SAVED(10) SAVED(11) SAVED(12) SAVED(13) SAVED(14)
                SAVED(15) SAVED(16) SAVED(17) SAVED(18) SAVED(19) SAVED(20) SAVED(21) SAVED(22) SAVED(23)
                    SAVED(24) SAVED(25) SAVED(26) SAVED(27) SAVED(28) SAVED(29) SAVED(30) INSIDE(32, 256)
        /* An unwinder looks at the instruction before the address that a call leaves. */
        "nop\n\t"
        "mov x0, x19\n\t"
        "bl circeh_fault_raise\n\t"
        "mov x0, x19\n\t"
        "bl circeh_fault_leave\n\t"
        "mov sp, x0\n\t"
        "mov x8, #139\n\t" /* rt_sigreturn */
        "svc #0\n\t"
        "brk #1\n\t"
        ".cfi_endproc\n\t"
        ".size circeh_fault_thunk, .-circeh_fault_thunk\n\t"
        ".section .note.GNU-stack,\"\",%progbits\n\t"
        ".text");

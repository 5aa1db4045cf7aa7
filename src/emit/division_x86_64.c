/* emit/division_x86_64.c: the dividend is in EDX:EAX, or in AX; so are remainder and quotient. */
#include "base/base.h"
#include "emit/division_machine.h"

static const DivisionRow rows[] = {
    {8, "movsbw %al, %ax", "idivb $3", "movzbl %al, %eax", "divb $3", "\n\tmovb %ah, %dl"},
    {16, "cwtd", "idivw $3", "xorl %edx, %edx", "divw $3", ""},
    {32, "cltd", "idivl $3", "xorl %edx, %edx", "divl $3", ""},
    {64, "cqto", "idivq $3", "xorl %edx, %edx", "divq $3", ""},
};

const DivisionMachine division_x86_64 = {
    .rows = rows,
    .nrows = ARRAY_LEN(rows),
    .constraints = "={ax},=&{dx},0,r,!i,~{dirflag},~{fpsr},~{flags}",
};

/* A frame of more than a page touches every page on its way down, since the page behind the last touched one
 * is the guard that makes the stack grow. In: the size in rax, the stack pointer before the allocation in
 * rsp. Changes no register: LLVM keeps values in r10 and r11. */
#include "runtime/windows/crt.h"

void __chkstk(void);

__attribute__((naked)) void __chkstk(void)
{
	__asm__("pushq %r10\n"
	        "	pushq %r11\n"
	        "	leaq 24(%rsp), %r10\n" /* as the caller sees it */
	        "	subq %rax, %r10\n"
	        "	jae 1f\n"
	        "	xorl %r10d, %r10d\n" /* more than there can be: faults at the end of the stack */
	        "1:	movq %gs:16, %r11\n" /* TEB.StackLimit: down to here all is touched */
	        "	cmpq %r11, %r10\n"
	        "	jae 3f\n"
	        "	andq $-4096, %r10\n"
	        "2:	leaq -4096(%r11), %r11\n"
	        "	testb %al, (%r11)\n"
	        "	cmpq %r10, %r11\n"
	        "	jne 2b\n"
	        "3:	popq %r11\n"
	        "	popq %r10\n"
	        "	retq");
}

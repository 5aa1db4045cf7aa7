/* calls_aarch64.S: truth_enter() of calls.S for AArch64.
 *
 *   x16             the name of the function
 *   x17             where the call returns to
 *   x30             where the stub goes on
 */
	.globl truth_enter
	.text
	.balign 4
truth_enter:
	stp x29, x30, [sp, -224]!
	mov x29, sp
	stp x0, x1, [sp, 16]
	stp x2, x3, [sp, 32]
	stp x4, x5, [sp, 48]
	stp x6, x7, [sp, 64]
	stp x8, x17, [sp, 80]
	stp q0, q1, [sp, 96]
	stp q2, q3, [sp, 128]
	stp q4, q5, [sp, 160]
	stp q6, q7, [sp, 192]
	mov x0, x16
	mov x1, x17
	add x2, sp, 224
	bl record_call
	ldp x0, x1, [sp, 16]
	ldp x2, x3, [sp, 32]
	ldp x4, x5, [sp, 48]
	ldp x6, x7, [sp, 64]
	ldp x8, x17, [sp, 80]
	ldp q0, q1, [sp, 96]
	ldp q2, q3, [sp, 128]
	ldp q4, q5, [sp, 160]
	ldp q6, q7, [sp, 192]
	ldp x29, x16, [sp], 224
	mov x30, x17
	br x16
	.section .note.GNU-stack, "", @progbits

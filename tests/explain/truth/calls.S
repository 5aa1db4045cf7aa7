/* calls.S: truth_enter(), which the stubs of calls.py call: each stands in for a function, records that it is called and from where,
 * and jumps to it. The stack is then that of the call itself, so unwinders see nothing of it.
 *
 *   r11             the name of the function
 *   [rsp]           where the stub goes on
 *   [rsp + 8]       where the call returns to
 */
	.intel_syntax noprefix
	.globl truth_enter
	.text
truth_enter:
	push rbp
	mov rbp, rsp
	push rax
	push rdi
	push rsi
	push rdx
	push rcx
	push r8
	push r9
	push r10
	sub rsp, 64
	movsd [rsp], xmm0
	movsd [rsp + 8], xmm1
	movsd [rsp + 16], xmm2
	movsd [rsp + 24], xmm3
	movsd [rsp + 32], xmm4
	movsd [rsp + 40], xmm5
	movsd [rsp + 48], xmm6
	movsd [rsp + 56], xmm7
	and rsp, -16
	sub rsp, 32
#ifdef _WIN32
	mov rcx, r11
	mov rdx, [rbp + 16]
	lea r8, [rbp + 24]
#else
	mov rdi, r11
	mov rsi, [rbp + 16]
	lea rdx, [rbp + 24]
#endif
	call record_call
	lea rsp, [rbp - 128]
	movsd xmm0, [rsp]
	movsd xmm1, [rsp + 8]
	movsd xmm2, [rsp + 16]
	movsd xmm3, [rsp + 24]
	movsd xmm4, [rsp + 32]
	movsd xmm5, [rsp + 40]
	movsd xmm6, [rsp + 48]
	movsd xmm7, [rsp + 56]
	add rsp, 64
	pop r10
	pop r9
	pop r8
	pop rcx
	pop rdx
	pop rsi
	pop rdi
	pop rax
	pop rbp
	ret
#ifdef __ELF__
	.section .note.GNU-stack, "", @progbits
#endif

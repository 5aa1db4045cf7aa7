// Unwind codes of AArch64, each that has a directive, and packed unwind data in its forms. The instructions are nops: only how many counts.
	.macro	code directive, more:vararg
	nop
	\directive \more
	.endm

	.macro	function name
	.globl	\name
	.p2align 2
\name:
	.seh_proc \name
	.endm

	.macro	done
	.seh_endepilogue
	ret
	.seh_endproc
	.endm

	.text
	function every_code
	code	.seh_pac_sign_lr
	code	.seh_save_r19r20_x 248
	code	.seh_save_regp x21, 16
	code	.seh_save_next
	code	.seh_save_reg x28, 504
	code	.seh_save_reg_x x25, 256
	code	.seh_save_regp_x x27, 512
	code	.seh_save_lrpair x23, 64
	code	.seh_save_fregp d8, 32
	code	.seh_save_fregp_x d14, 512
	code	.seh_save_freg d15, 504
	code	.seh_save_freg_x d9, 256
	code	.seh_save_any_reg x0, 8
	code	.seh_save_any_reg_p x2, 16
	code	.seh_save_any_reg_x x30, 32
	code	.seh_save_any_reg_px x4, 48
	code	.seh_save_any_reg d3, 24
	code	.seh_save_any_reg_p d30, 0
	code	.seh_save_any_reg_x d31, 16
	code	.seh_save_any_reg_px d6, 1008
	code	.seh_save_any_reg q8, 1008
	code	.seh_save_any_reg_p q10, 32
	code	.seh_save_any_reg_x q31, 16
	code	.seh_save_any_reg_px q12, 64
	code	.seh_stackalloc 496
	code	.seh_stackalloc 16384
	code	.seh_stackalloc 1048576
	code	.seh_save_fplr 504
	code	.seh_save_fplr_x 512
	code	.seh_set_fp
	code	.seh_add_fp 2040
	code	.seh_nop
	code	.seh_trap_frame
	code	.seh_pushframe
	code	.seh_context
	code	.seh_ec_context
	code	.seh_clear_unwound_to_call
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_add_fp 2040
	code	.seh_save_fplr_x 512
	code	.seh_stackalloc 32
	code	.seh_save_next
	code	.seh_pac_sign_lr
	done

	// More epilogs than fit into one word of the header.
	function many_epilogs
	code	.seh_save_fplr_x 64
	code	.seh_save_regp x19, 16
	.seh_endprologue
	.rept	40
	nop
	.seh_startepilogue
	code	.seh_save_regp x19, 16
	code	.seh_save_fplr_x 64
	.seh_endepilogue
	ret
	.endr
	.seh_startepilogue
	code	.seh_save_fplr_x 64
	done

	// More instructions than one record can describe: further entries, whose prologs are elsewhere.
	function large
	code	.seh_save_regp_x x19, 32
	code	.seh_save_fplr 16
	.seh_endprologue
	.rept	600000
	nop
	.endr
	.seh_startepilogue
	code	.seh_save_fplr 16
	code	.seh_save_regp_x x19, 32
	done

	// Packed: locals alone; of two instructions; registers without a partner; with lr; in a frame chain; signed; parameters at home.
	function locals
	code	.seh_stackalloc 48
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_stackalloc 48
	done

	function many_locals
	code	.seh_stackalloc 4080
	code	.seh_stackalloc 32
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_stackalloc 32
	code	.seh_stackalloc 4080
	done

	function odd
	code	.seh_save_regp_x x19, 48
	code	.seh_save_reg x21, 16
	code	.seh_save_fregp d8, 24
	code	.seh_save_freg d10, 40
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_save_freg d10, 40
	code	.seh_save_fregp d8, 24
	code	.seh_save_reg x21, 16
	code	.seh_save_regp_x x19, 48
	done

	function floats
	code	.seh_save_fregp_x d8, 32
	code	.seh_save_fregp d10, 16
	code	.seh_stackalloc 16
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_stackalloc 16
	code	.seh_save_fregp d10, 16
	code	.seh_save_fregp_x d8, 32
	done

	function with_lr
	code	.seh_save_r19r20_x 32
	code	.seh_save_reg x30, 16
	code	.seh_stackalloc 16
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_stackalloc 16
	code	.seh_save_reg x30, 16
	code	.seh_save_r19r20_x 32
	done

	function odd_with_lr
	code	.seh_save_r19r20_x 32
	code	.seh_save_lrpair x21, 16
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_save_lrpair x21, 16
	code	.seh_save_r19r20_x 32
	done

	function lr_alone
	code	.seh_save_reg_x x30, 16
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_save_reg_x x30, 16
	done

	function chain
	code	.seh_save_r19r20_x 48
	code	.seh_save_regp x21, 16
	code	.seh_save_fregp d8, 32
	code	.seh_save_fplr_x 32
	code	.seh_set_fp
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_save_fplr_x 32
	code	.seh_save_fregp d8, 32
	code	.seh_save_regp x21, 16
	code	.seh_save_r19r20_x 48
	done

	function large_chain
	code	.seh_save_r19r20_x 16
	code	.seh_stackalloc 4080
	code	.seh_stackalloc 528
	code	.seh_save_fplr 0
	code	.seh_set_fp
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_save_fplr 0
	code	.seh_stackalloc 528
	code	.seh_stackalloc 4080
	code	.seh_save_r19r20_x 16
	done

	function signed_chain
	code	.seh_pac_sign_lr
	code	.seh_save_r19r20_x 16
	code	.seh_save_fplr_x 16
	code	.seh_set_fp
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_save_fplr_x 16
	code	.seh_save_r19r20_x 16
	code	.seh_pac_sign_lr
	done

	function homes
	code	.seh_save_r19r20_x 80
	code	.seh_nop
	code	.seh_nop
	code	.seh_nop
	code	.seh_nop
	code	.seh_save_fplr_x 32
	code	.seh_set_fp
	.seh_endprologue
	nop
	.seh_startepilogue
	code	.seh_save_fplr_x 32
	code	.seh_save_r19r20_x 80
	done

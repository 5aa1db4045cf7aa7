" Vim syntax of CIR. The operations are written by tests/constructs/vim_syntax.py from the tables of the reader.
if exists("b:current_syntax")
	finish
endif
syntax case match
syntax iskeyword @,48-57,_,.,$
syntax match cirComment "//.*$"
syntax region cirString start=+"+ skip=+\\.+ end=+"+ oneline
syntax match cirNumber "\v-?<\d+(\.\d*(e[+-]?\d+)?)?>"
syntax match cirValue "%[A-Za-z0-9_$.-]\+"
syntax match cirBlock "\^[A-Za-z0-9_$.-]\+"
syntax match cirSymbol "@\%([A-Za-z0-9_$.-]\+\|\"\%([^\"\\]\|\\.\)*\"\)"
syntax match cirType "![A-Za-z0-9_$.-]\+"
syntax match cirAttribute "#[A-Za-z0-9_$.-]\+"
syntax match cirKey "\<circ\?\.[A-Za-z0-9_.]\+"
syntax keyword cirModule module attributes loc
syntax keyword cirOperation cir.abs cir.acos cir.add cir.add.overflow cir.address_of_return_address cir.alloc.exception cir.alloc_exception cir.alloca cir.and
syntax keyword cirOperation cir.array.ctor cir.array.dtor cir.asin cir.asm cir.assume cir.assume.aligned cir.assume.separate_storage cir.assume_aligned
syntax keyword cirOperation cir.assume_separate_storage cir.atan cir.atan2 cir.atomic.clear cir.atomic.cmp_xchg cir.atomic.cmpxchg cir.atomic.fence cir.atomic.fetch
syntax keyword cirOperation cir.atomic.test_and_set cir.atomic.xchg cir.base_class_addr cir.base_data_member cir.base_method cir.begin_catch cir.begin_cleanup cir.binop
syntax keyword cirOperation cir.binop.overflow cir.bit.clrsb cir.bit.clz cir.bit.ctz cir.bit.ffs cir.bit.parity cir.bit.popcount cir.bit.reverse cir.bit_reverse
syntax keyword cirOperation cir.bitreverse cir.block_address cir.blockaddress cir.br cir.brcond cir.break cir.bswap cir.builtin_int_cast cir.byte_swap cir.call
syntax keyword cirOperation cir.call_llvm_intrinsic cir.case cir.cast cir.catch cir.catch_param cir.catch_param.flat cir.catchpad cir.catchret cir.catchswitch cir.ceil
syntax keyword cirOperation cir.cleanup.scope cir.cleanuppad cir.cleanupret cir.clear_cache cir.clear_padding cir.clrsb cir.clz cir.cmp cir.cmp3way cir.complex.add
syntax keyword cirOperation cir.complex.binop cir.complex.conj cir.complex.create cir.complex.div cir.complex.imag cir.complex.imag_ptr cir.complex.mul cir.complex.real
syntax keyword cirOperation cir.complex.real_ptr cir.complex.sub cir.condition cir.const cir.constrained_fadd cir.constrained_fdiv cir.constrained_fmul
syntax keyword cirOperation cir.constrained_frem cir.constrained_fsub cir.construct_catch_param cir.continue cir.copy cir.copysign cir.cos cir.cosh cir.cpuid cir.cst
syntax keyword cirOperation cir.ctz cir.dec cir.delete.array cir.delete_array cir.derived_class_addr cir.derived_data_member cir.derived_method cir.div cir.do
syntax keyword cirOperation cir.dyn_cast cir.eh.catchswitch cir.eh.dispatch cir.eh.inflight_exception cir.eh.initiate cir.eh.landingpad cir.eh.longjmp cir.eh.setjmp
syntax keyword cirOperation cir.eh.terminate cir.eh.typeid cir.eh.unexpected cir.end_catch cir.end_cleanup cir.exp cir.exp10 cir.exp2 cir.expect cir.extract_member
syntax keyword cirOperation cir.fabs cir.fadd cir.fdiv cir.ffs cir.floor cir.fma cir.fmax cir.fmaximum cir.fmaxnum cir.fmin cir.fminimum cir.fminnum cir.fmod cir.fmul
syntax keyword cirOperation cir.fmuladd cir.fneg cir.for cir.frame_address cir.free.exception cir.freeze cir.frem cir.frexp cir.fshl cir.fshr cir.fsub cir.func
syntax keyword cirOperation cir.get_bitfield cir.get_element cir.get_global cir.get_member cir.get_method cir.get_runtime_member cir.global cir.goto cir.if cir.inc
syntax keyword cirOperation cir.indirect_br cir.indirect_goto cir.indirectbr cir.init_catch_param cir.insert_member cir.invariant_group cir.is_constant cir.is_fp_class
syntax keyword cirOperation cir.label cir.launder cir.libc.memchr cir.libc.memcmp cir.libc.memcpy cir.libc.memmove cir.libc.memset cir.lifetime.end cir.lifetime.start
syntax keyword cirOperation cir.llrint cir.llround cir.llvm.intrinsic cir.load cir.local_init cir.log cir.log10 cir.log2 cir.loop cir.lrint cir.lround cir.max
syntax keyword cirOperation cir.memcpy_inline cir.memset_inline cir.min cir.minus cir.modf cir.mul cir.mul.overflow cir.nearbyint cir.not cir.objsize cir.or cir.parity
syntax keyword cirOperation cir.plus cir.popcount cir.pow cir.prefetch cir.ptr_diff cir.ptr_mask cir.ptr_stride cir.register_exit_dtor cir.rem cir.resume
syntax keyword cirOperation cir.resume.flat cir.return cir.return_address cir.rint cir.rotate cir.round cir.roundeven cir.scope cir.select cir.set_bitfield cir.shift
syntax keyword cirOperation cir.signbit cir.sin cir.sinh cir.sqrt cir.stack_restore cir.stack_save cir.stackrestore cir.stacksave cir.store cir.sub cir.sub.overflow
syntax keyword cirOperation cir.switch cir.switch.flat cir.tan cir.tanh cir.ternary cir.throw cir.trap cir.trunc cir.try cir.try_call cir.try_throw cir.unary cir.undef
syntax keyword cirOperation cir.unreachable cir.va.arg cir.va.copy cir.va.end cir.va.start cir.va_arg cir.va_copy cir.va_end cir.va_start cir.vec.cmp cir.vec.create
syntax keyword cirOperation cir.vec.extract cir.vec.insert cir.vec.masked_load cir.vec.reduce cir.vec.reduce.add cir.vec.reduce.and cir.vec.reduce.fadd
syntax keyword cirOperation cir.vec.reduce.fmax cir.vec.reduce.fmaximum cir.vec.reduce.fmin cir.vec.reduce.fminimum cir.vec.reduce.fmul cir.vec.reduce.mul
syntax keyword cirOperation cir.vec.reduce.or cir.vec.reduce.smax cir.vec.reduce.smin cir.vec.reduce.umax cir.vec.reduce.umin cir.vec.reduce.xor cir.vec.shuffle
syntax keyword cirOperation cir.vec.shuffle.dynamic cir.vec.splat cir.vec.ternary cir.vtable.address_point cir.vtable.get_type_info cir.vtable.get_virtual_fn_addr
syntax keyword cirOperation cir.vtable.get_vptr cir.vtt.address_point cir.while cir.xor cir.yield circ.abnormal circ.atomicrmw circ.binary circ.check circ.cmpxchg
syntax keyword cirOperation circ.compare circ.convert circ.eh.drop circ.eh.recoverfp circ.exception circ.exception_type circ.extract_value circ.gep circ.inline_asm
syntax keyword cirOperation circ.insert_value circ.landingpad circ.localescape circ.localrecover circ.resume circ.try_copy circ.try_div circ.try_load circ.try_rem
syntax keyword cirOperation circ.try_set circ.try_store
highlight default link cirComment Comment
highlight default link cirString String
highlight default link cirNumber Number
highlight default link cirValue Identifier
highlight default link cirBlock Label
highlight default link cirSymbol Function
highlight default link cirType Type
highlight default link cirAttribute PreProc
highlight default link cirKey PreProc
highlight default link cirModule Keyword
highlight default link cirOperation Statement
let b:current_syntax = "cir"

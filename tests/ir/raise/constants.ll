; Constant expressions in initial values: a symbol, less another, and a number.
; RUN: split-file %s %t
; RUN: %circ --emit=llvm %t/good.ll -o - | FileCheck %t/good.ll
; RUN: %circ --emit=abi %t/good.ll -o - | FileCheck %t/good.ll --check-prefix=CIR
; RUN: %circ --emit=abi %t/good.ll -o %t.cir && %circ --emit=llvm %t.cir -o - | FileCheck %t/good.ll
; RUN: %circ -c %t/good.ll -o %t.o && llvm-readelf -r %t.o | FileCheck %t/good.ll --check-prefix=RELOC
; RUN: not %circ -c %t/product.ll -o %t.o 2>&1 | FileCheck %t/product.ll
; RUN: not %circ -c %t/taken.ll -o %t.o 2>&1 | FileCheck %t/taken.ll
; RUN: not %circ -c %t/elsewhere.ll -o %t.o 2>&1 | FileCheck %t/elsewhere.ll
; RUN: not %circ -c %t/narrow.ll -o %t.o 2>&1 | FileCheck %t/narrow.ll
;--- good.ll
target triple = "x86_64-unknown-linux-gnu"
@a = global [4 x i32] zeroinitializer
declare void @f()
; What clang makes of a switch with -fPIC.
; CIR: @table = #cir.const_array<[#cir.distance<@a, @table> : !s32i, #cir.distance<@f, @table, -4> : !s32i]>
; CHECK: @table = private unnamed_addr constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @table to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @f, i64 -4) to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
; RELOC: R_X86_64_PC32 {{.*}} a + 0
; RELOC: R_X86_64_PC32 {{.*}} f + 0
@table = private unnamed_addr constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @table to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @f to i64), i64 ptrtoint (ptr getelementptr inbounds ([2 x i32], ptr @table, i64 0, i64 1) to i64)) to i32)]
; CIR: @wide = #cir.distance<@a, @wide> : !s64i
@wide = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @wide to i64))
; CIR: @inside = #cir.global_offset<@a, 8> : !s64i
; CHECK: @inside = dso_local global i64 ptrtoint (ptr getelementptr inbounds (i8, ptr @a, i64 8) to i64)
@inside = dso_local global i64 ptrtoint (ptr getelementptr inbounds ([4 x i32], ptr @a, i64 0, i64 2) to i64)
; CIR: @sum = #cir.global_offset<@a, 5> : !s64i
@sum = global i64 add (i64 ptrtoint (ptr @a to i64), i64 5)
; CIR: @tagged = #cir.global_offset<@a, 1> : !cir.ptr<!void>
@tagged = global ptr inttoptr (i64 add (i64 ptrtoint (ptr @a to i64), i64 1) to ptr)
; CIR: @low = #cir.global_view<@a> : !s32i
@low = global i32 ptrtoint (ptr @a to i32)
; CIR: @nothing = #cir.int<8> : !s64i
; CHECK: @nothing = global i64 8
@nothing = global i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @a, i64 8) to i64), i64 ptrtoint (ptr @a to i64))
;--- product.ll
@a = global i32 0
; CHECK: {{^.*}}.ll: error: module has the constant 'i64 xor (i64 ptrtoint (ptr @a to i64), i64 5)', which has no counterpart in CIR
@p = global i64 xor (i64 ptrtoint (ptr @a to i64), i64 5)
;--- taken.ll
@a = global i32 0
; CHECK: module has the constant 'i64 sub (i64 0, i64 ptrtoint (ptr @a to i64))', which has no counterpart in CIR
@p = global i64 sub (i64 0, i64 ptrtoint (ptr @a to i64))
;--- elsewhere.ll
@a = global i32 0
@b = global i32 0
; CHECK: error: 'cir.global' op: '#cir.distance<@a, @b> : !cir.int<s, 64>' must be in the initial value of '@b'
@p = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))
;--- narrow.ll
@a = global i32 0
; CHECK: error: 'cir.global' op: a constant of this kind cannot have type '!cir.int<s, 16>'
@p = global i16 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @p to i64)) to i16)

; What has no form is an error that names the function and the instruction.
; RUN: split-file %s %t
; RUN: not %circ -c %t/scalable.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=SCALABLE
; RUN: not %circ -c %t/callbr.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=CALLBR
; RUN: not %circ -c %t/gc.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=GC
; RUN: not %circ -c %t/bundle.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=BUNDLE
; RUN: rm -f %t/empty.ll && touch %t/empty.ll && not %circ -c %t/empty.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=EMPTY
; RUN: not %circ -c %t/text.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=TEXT
; RUN: not %circ -c %t/broken.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=BROKEN
; RUN: not %circ -c --target=x86_64-pc-windows-msvc %t/arm.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=TARGET
; RUN: %circ --emit=bc %t/linux.ll -o %t.bc && head -c 400 %t.bc > %t.cut.bc && not %circ -c %t.cut.bc -o %t.o 2>&1 | FileCheck %s --check-prefix=CUT
; SCALABLE: function 'f' has type '<vscale x 4 x i32>', a scalable vector, which has no counterpart in CIR
; CALLBR: function 'f': 'callbr void asm {{.*}}' has no counterpart in CIR
; GC: function 'f' uses the garbage collector 'shadow-stack', which circ does not support
; BUNDLE: function 'f': 'call void @g() [ "deopt"(i32 1) ]' has the operand bundle 'deopt', which has no counterpart in CIR
; TEXT: error: {{.*}}text.ll:1:8: LLVM cannot read the module: expected 'module asm'
; BROKEN: LLVM cannot read the module: PHINode should have one entry for each predecessor
; TARGET: error: module was made for target 'aarch64-unknown-linux-gnu', and cannot be compiled for 'x86_64-pc-windows-msvc'
; CUT: LLVM cannot read the module:
; EMPTY: empty.ll: input is empty; expected LLVM IR
;--- scalable.ll
define <vscale x 4 x i32> @f(<vscale x 4 x i32> %x) { ret <vscale x 4 x i32> %x }
;--- callbr.ll
define void @f() {
  callbr void asm "", "!i"() to label %a [label %b]
a:
  ret void
b:
  ret void
}
;--- gc.ll
define void @f() gc "shadow-stack" { ret void }
;--- bundle.ll
declare void @g()
define void @f() {
  call void @g() [ "deopt"(i32 1) ]
  ret void
}
;--- text.ll
module {}
;--- broken.ll
define i32 @f(i32 %x) {
  %p = phi i32 [ %x, %0 ]
  ret i32 %p
}
;--- arm.ll
target triple = "aarch64-unknown-linux-gnu"
define void @f() { ret void }
;--- linux.ll
target triple = "x86_64-unknown-linux-gnu"
define void @f() { ret void }

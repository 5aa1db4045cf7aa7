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
; RUN: not %circ -c %t/swift.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=SWIFT
; RUN: not %circ -c %t/inalloca.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=INALLOCA
; RUN: not %circ -c %t/va.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=VA
; RUN: not %circ -c %t/funclet.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=FUNCLET
; RUN: not %circ -c %t/prefix.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=PREFIX
; RUN: not %circ -c %t/token.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=TOKEN
; RUN: not %circ -c %t/type.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=TYPE
; RUN: not %circ -c %t/equivalent.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=EQUIVALENT
; RUN: not %circ -c %t/constrained.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=CONSTRAINED
; RUN: %circ -c %t/model.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=MODEL
; RUN: not %circ -c %t/personality.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=PERSONALITY
; PERSONALITY: {{^.*}}.ll: error: function 'f' has a personality that is not a function{{$}}
; RUN: not %circ -c %t/clause.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=CLAUSE
; CLAUSE: {{^.*}}.ll: error: function 'f': '%lp = landingpad { ptr, i32 } catch ptr @work' has a clause that is no global variable
; RUN: not %circ -c --target=x86_64-pc-windows-msvc %t/alignment.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
; ALIGNMENT: {{^.*}}.ll: error: function 'f': alignment 16384 is larger than COFF supports (limit 8192)
; ALIGNMENT-NEXT: {{^.*}}.ll: error: variable 'v': alignment 32768 is larger than COFF supports (limit 8192)
; RUN: not %circ -c %t/appending.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=APPENDING
; APPENDING: {{^.*}}.ll: error: module has a variable with appending linkage, 'list', which only lists of LLVM's own can have
; SCALABLE: {{^.*}}.ll: error: function 'f' has type '<vscale x 4 x i32>', a scalable vector, which has no counterpart in CIR
; CALLBR: {{^.*}}.ll: error: function 'f': 'callbr void asm {{.*}}' has no counterpart in CIR
; GC: {{^.*}}.ll: error: function 'f' uses the garbage collector 'shadow-stack', which circ does not support
; BUNDLE: {{^.*}}.ll: error: function 'f': 'call void @g() [ "deopt"(i32 1) ]' has the operand bundle 'deopt', which has no counterpart in CIR
; TEXT: {{^.*}}text.ll:1:8: error: LLVM cannot read the module: expected 'module asm'
; BROKEN: LLVM cannot read the module: PHINode should have one entry for each predecessor
; TARGET: {{^.*}}.ll: error: module was made for target 'aarch64-unknown-linux-gnu', and cannot be compiled for 'x86_64-pc-windows-msvc'
; CUT: LLVM cannot read the module:
; EMPTY: empty.ll: error: input is empty; expected LLVM IR
; SWIFT: {{^.*}}.ll: error: function 'f' has the parameter attribute 'swifterror', which has no counterpart in CIR
; INALLOCA: {{^.*}}.ll: error: function 'g' has the parameter attribute 'inalloca', which has no counterpart in CIR
; VA: {{^.*}}.ll: error: function 'f': '%x = va_arg ptr %p, { i32, i32 }' reads a whole record; read its members
; FUNCLET: {{^.*}}.ll: error: function 'f': '%p = cleanuppad within none []' has no counterpart in CIR
; PREFIX: {{^.*}}.ll: error: function 'f' has prefix or prologue data, which has no counterpart in CIR
; TOKEN: {{^.*}}.ll: error: function 'f': '%t = call token @llvm.call.preallocated.setup(i32 0)' has type 'token', which has no counterpart in CIR
; CONSTRAINED: {{^.*}}.ll: error: function 'f': '%x = call float @llvm.experimental.constrained.fadd.f32({{.*}}' has type 'metadata', which has no counterpart in CIR
; TYPE: {{^.*}}.ll: error: function 'f' has type 'target("spirv.Image")', which has no counterpart in CIR
; EQUIVALENT: module has the constant 'ptr dso_local_equivalent @f', which has no counterpart in CIR
; MODEL: {{^.*}}model.ll: remark: left out, because CIR has no counterpart: code models of globals
;--- swift.ll
define void @f(ptr swifterror %e) { ret void }
;--- inalloca.ll
declare void @g(ptr inalloca(i32))
;--- va.ll
define i32 @f(ptr %p) {
  %x = va_arg ptr %p, { i32, i32 }
  %y = extractvalue { i32, i32 } %x, 0
  ret i32 %y
}
;--- funclet.ll
declare void @g()
declare i32 @__CxxFrameHandler3(...)
define void @f() personality ptr @__CxxFrameHandler3 {
  invoke void @g() to label %ok unwind label %pad
ok:
  ret void
pad:
  %p = cleanuppad within none []
  cleanupret from %p unwind to caller
}
;--- prefix.ll
define void @f() prefix i32 1 { ret void }
;--- token.ll
declare token @llvm.call.preallocated.setup(i32)
define void @f() {
  %t = call token @llvm.call.preallocated.setup(i32 0)
  ret void
}
;--- type.ll
define void @f(target("spirv.Image") %x) { ret void }
;--- equivalent.ll
declare void @f()
@g = global ptr dso_local_equivalent @f
;--- model.ll
target triple = "x86_64-unknown-linux-gnu"
@g = global i32 0, code_model "large"
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
;--- personality.ll
@v = global i8 0
define void @f() personality ptr @v { ret void }
;--- linux.ll
target triple = "x86_64-unknown-linux-gnu"
define void @f() { ret void }
;--- constrained.ll
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
define float @f(float %a) strictfp {
  %x = call float @llvm.experimental.constrained.fadd.f32(float %a, float %a, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret float %x
}
;--- clause.ll
declare i32 @__gxx_personality_v0(...)
declare void @work()
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @work
  resume { ptr, i32 } %lp
done:
  ret void
}

;--- alignment.ll
target triple = "x86_64-unknown-linux-gnu"
@v = global i32 0, align 32768
define void @f() align 16384 {
  ret void
}

;--- appending.ll
@list = appending global [1 x i32] zeroinitializer

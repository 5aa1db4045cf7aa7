; Sizes have another type in the names of operator new and delete on windows-gnu.
; RUN: %circ --target=x86_64-w64-windows-gnu --emit=llvm %s -o - | FileCheck %s
; RUN: %circ --target=x86_64-pc-windows-msvc --emit=llvm %s -o - | FileCheck %s --check-prefix=SAME
; RUN: %circ --lift --emit=llvm %s -o - | FileCheck %s --check-prefix=SAME
; RUN: %circ --target=x86_64-w64-windows-gnu --emit=flat %s -o %t.flat.cir
; RUN: FileCheck %s --check-prefix=FLAT --input-file=%t.flat.cir
; RUN: %circ --target=x86_64-w64-windows-gnu --emit=llvm %t.flat.cir -o - | FileCheck %s
; FLAT: cir.func private @_Znwm({{.*}}circ.link_name = "_Znwy"
; CHECK-LABEL: define void @f()
; CHECK: call ptr @_Znwy(i64 4)
; CHECK: call ptr @_ZnaySt11align_val_t(i64 8, i64 64)
; CHECK: call void @_ZdlPvy(
; CHECK: call void @_ZdlPv(
; SAME: call ptr @_Znwm(i64 4)
; SAME: call void @_ZdlPvm(
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64)
declare ptr @_ZnamSt11align_val_t(i64, i64)
declare void @_ZdlPvm(ptr, i64)
declare void @_ZdlPv(ptr)
define void @f() {
  %p = call ptr @_Znwm(i64 4)
  %q = call ptr @_ZnamSt11align_val_t(i64 8, i64 64)
  call void @_ZdlPvm(ptr %p, i64 4)
  call void @_ZdlPv(ptr %q)
  ret void
}

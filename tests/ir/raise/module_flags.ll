; Flags that change code are kept; what they say is for the system that the module was made for.
; RUN: %circ --emit=abi %s -o - | FileCheck %s
; RUN: %circ --emit=llvm %s -o - | FileCheck %s --check-prefix=LLVM
; RUN: %circ -S %s -o - | FileCheck %s --check-prefix=ASM
; RUN: %circ --lift -S %s -o - | FileCheck %s --check-prefix=ASM
; RUN: %circ --target=x86_64-pc-windows-msvc --emit=flat %s -o - | FileCheck %s --check-prefix=WINDOWS
; CHECK: circ.flags = {"cf-protection-branch" = 1 : i32, "stack-protector-guard-reg" = "gs"}
; LLVM-DAG: !{i32 8, !"cf-protection-branch", i32 1}
; LLVM-DAG: !{i32 1, !"stack-protector-guard-reg", !"gs"}
; LLVM-NOT: wchar_size
; ASM: endbr64
; WINDOWS: cir.func @f
; WINDOWS-NOT: circ.flags
target triple = "x86_64-unknown-linux-gnu"
define void @f() {
  ret void
}
!llvm.module.flags = !{!0, !1, !2, !3}
!0 = !{i32 8, !"cf-protection-branch", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 1, !"stack-protector-guard-reg", !"gs"}
!3 = !{i32 6, !"cf-protection-return", !{}}

; LLVM 20 has it first.
; UNSUPPORTED: llvm-19
; RUN: %circ --emit=abi %s -o - | FileCheck %s --check-prefix=CIR
; RUN: %circ --emit=llvm %s -o - | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define i1 @more(i32 %a, i32 %b) {
; CIR: circ.compare ugt samesign
; CHECK: icmp samesign ugt i32
  %m = icmp samesign ugt i32 %a, %b
  ret i1 %m
}

; An instruction of LLVM 22: raised as ptrtoint.
; REQUIRES: llvm-22
; RUN: %circ --emit=llvm %s -o - | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
@g = global i32 0
; CHECK: @h = global i64 ptrtoint (ptr @g to i64)
@h = global i64 ptrtoaddr (ptr @g to i64)
; CHECK-LABEL: define i64 @f(
define i64 @f(ptr %p) {
; CHECK: ptrtoint ptr %0 to i64
  %x = ptrtoaddr ptr %p to i64
; CHECK: add i64 %{{[0-9]+}}, ptrtoint (ptr @g to i64)
  %y = add i64 %x, ptrtoaddr (ptr @g to i64)
  ret i64 %y
}

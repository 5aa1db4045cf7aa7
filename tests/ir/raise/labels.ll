; Addresses of blocks, in constants and in bodies.
; RUN: %circ --emit=llvm %s -o - | FileCheck %s
; RUN: %circ --emit=abi %s -o %t.cir && %circ --emit=llvm %t.cir -o - | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-DAG: @table = internal constant [2 x ptr] [ptr blockaddress(@run, %{{[0-9]+}}), ptr blockaddress(@run, %{{[0-9]+}})]
@table = internal constant [2 x ptr] [ptr blockaddress(@run, %a), ptr blockaddress(@run, %b)]
; CHECK-DAG: @step = dso_local global i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@run, %{{[0-9]+}}) to i64), i64 ptrtoint (ptr blockaddress(@run, %{{[0-9]+}}) to i64)) to i32)
@step = dso_local global i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@run, %b) to i64), i64 ptrtoint (ptr blockaddress(@run, %a) to i64)) to i32)

; CHECK-LABEL: define dso_local i32 @run(
define dso_local i32 @run(i64 %i) {
  %p = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i
  %to = load ptr, ptr %p
; CHECK: indirectbr ptr
  indirectbr ptr %to, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}

; CHECK-LABEL: define dso_local ptr @elsewhere(
define dso_local ptr @elsewhere() {
; CHECK: ret ptr blockaddress(@run, %{{[0-9]+}})
  ret ptr blockaddress(@run, %b)
}

; RUN: %circ --emit=llvm %s -o - | FileCheck %s
; RUN: %circ --emit=abi %s -o %t.cir && %circ --emit=llvm %t.cir -o - | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

$shared = comdat any
; CHECK-DAG: @x = hidden local_unnamed_addr global i32 3, align 4
@x = hidden local_unnamed_addr global i32 3, align 4
; CHECK-DAG: @text = private unnamed_addr constant [4 x i8] c"a\00\FFb", section "names", align 1
@text = private unnamed_addr constant [4 x i8] c"a\00\FFb", section "names", align 1
; CHECK-DAG: @t = internal thread_local(localexec) global i64 0
@t = internal thread_local(localexec) global i64 0
; CHECK-DAG: @shared = linkonce_odr global [2 x ptr] [ptr @x, ptr null], comdat
@shared = linkonce_odr global [2 x ptr] [ptr @x, ptr null], comdat
; CHECK-DAG: @member = linkonce_odr global i8 1, comdat($shared)
@member = linkonce_odr global i8 1, comdat($shared)
; CHECK-DAG: @weak = extern_weak global i8
@weak = extern_weak global i8
; CHECK-DAG: @imported = external dllimport global i8
@imported = external dllimport global i8
; CHECK-DAG: @exported = dllexport global i8 0
@exported = dllexport global i8 0
; CHECK-DAG: @flag = internal global i1 true
@flag = internal global i1 true
; CHECK-DAG: @llvm.used = appending global [1 x ptr] [ptr @flag], section "llvm.metadata"
@llvm.used = appending global [1 x ptr] [ptr @flag], section "llvm.metadata"
; CHECK-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 200, ptr @init, ptr null }]
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 200, ptr @init, ptr null }]
; CHECK-DAG: @other = weak alias i32, ptr @x
@other = weak alias i32, ptr @x
; CHECK-DAG: @chosen = ifunc i32 (), ptr @choose
@chosen = ifunc i32 (), ptr @choose

; CHECK: define internal void @init() #[[INIT:[0-9]+]] section "early" align 32
define internal void @init() cold noinline "a-key"="a value" section "early" align 32 {
  ret void
}
; CHECK: define ptr @choose()
define ptr @choose() { ret ptr null }
; CHECK: define x86_vectorcallcc zeroext i8 @passes(i1 zeroext %0, ptr noalias {{(nocapture )?}}byval(i64) align 8 {{(captures\(none\) )?}}%1, double nofpclass(nan) %2)
define x86_vectorcallcc zeroext i8 @passes(i1 zeroext %a, ptr noalias nocapture byval(i64) align 8 %b, double nofpclass(nan) %c) {
  %x = zext i1 %a to i8
  ret i8 %x
}
; CHECK: declare dso_local void @g(...)
declare dso_local void @g(...)
; CHECK: attributes #[[INIT]] = { cold noinline "a-key"="a value" }

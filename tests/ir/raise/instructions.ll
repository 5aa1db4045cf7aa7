; Every instruction comes back as it was.
; RUN: %circ --emit=abi %s -o - | FileCheck %s --check-prefix=CIR
; RUN: %circ --emit=llvm %s -o - | FileCheck %s
; RUN: %circ --emit=abi %s -o %t.cir && %circ --emit=abi %t.cir -o - | diff %t.cir - && %circ --emit=llvm %t.cir -o - | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

%struct.S = type { i32, [4 x i16], i1 }
@s = dso_local global %struct.S { i32 1, [4 x i16] [i16 1, i16 2, i16 3, i16 4], i1 true }, align 8
@p = constant ptr getelementptr (i8, ptr @s, i64 4)

; CIR: circ.llvm
; CHECK-LABEL: define i32 @numbers(i32 %0, i32 %1, i1 %2)
define i32 @numbers(i32 %a, i32 %b, i1 %c) {
; CIR: cir.add nsw %arg0, %arg1 : !s32i
; CHECK: add nsw i32 %0, %1
  %x = add nsw i32 %a, %b
; CIR: circ.binary add nuw
; CHECK-NEXT: add nuw i32
  %y = add nuw i32 %x, 1
; CIR: circ.binary udiv exact
; CHECK-NEXT: udiv exact i32
  %z = udiv exact i32 %y, %b
; CIR: circ.binary or disjoint
; CHECK-NEXT: or disjoint i32
  %w = or disjoint i32 %z, 7
; CHECK-NEXT: shl nuw nsw i32
  %v = shl nuw nsw i32 %w, 3
; CIR: circ.convert zext nneg
; CHECK-NEXT: zext nneg i32 %{{[0-9]+}} to i128
  %u = zext nneg i32 %v to i128
; CHECK-NEXT: mul i128 %{{[0-9]+}}, -170141183460469231731687303715884105728
  %h = mul i128 %u, -170141183460469231731687303715884105728
; CIR: circ.convert trunc
; CHECK-NEXT: trunc i128 %{{[0-9]+}} to i32
  %t = trunc i128 %h to i32
; CIR: circ.compare ult
; CHECK-NEXT: icmp ult i32
  %l = icmp ult i32 %t, %a
; CIR: circ.compare ugt
; CHECK-NEXT: icmp ugt i32
  %m = icmp ugt i32 %t, %a
; CHECK-NEXT: and i1
  %n = and i1 %l, %m
; CHECK-NEXT: select i1
  %r = select i1 %n, i32 %t, i32 %a
; CHECK-NEXT: ret i32
  ret i32 %r
}

; A store of a constant is no copy.
; CHECK-LABEL: define void @stores(ptr %0)
; CHECK: store { double, double } { double 1.500000e+00, double -2.000000e+00 }, ptr %0, align 8
; CHECK-NEXT: store [4 x i32] zeroinitializer, ptr %0
; CHECK-NEXT: store [4 x i32] undef, ptr %0
define void @stores(ptr %p) {
  store { double, double } { double 1.5, double -2.0 }, ptr %p, align 8
  store [4 x i32] zeroinitializer, ptr %p
  store [4 x i32] undef, ptr %p
  ret void
}

; CHECK-LABEL: define i1 @floats(float %0, x86_fp80 %1)
define i1 @floats(float %a, x86_fp80 %b) {
; CHECK: fadd nnan nsz float %0, 1.500000e+00
  %x = fadd nnan nsz float %a, 1.5
; CHECK-NEXT: fpext float %{{[0-9]+}} to x86_fp80
  %y = fpext float %x to x86_fp80
; CHECK-NEXT: fadd x86_fp80 %{{[0-9]+}}, 0xK4000C90FDAA22168C235
  %z = fadd x86_fp80 %y, 0xK4000C90FDAA22168C235
; CIR: circ.compare ueq
; CHECK-NEXT: fcmp ueq x86_fp80
  %r = fcmp ueq x86_fp80 %z, %b
  ret i1 %r
}

; CHECK-LABEL: define ptr @addresses(ptr %0, i64 %1)
define ptr @addresses(ptr %p, i64 %i) {
; CIR: circ.gep inbounds !rec_S
; CHECK: getelementptr inbounds %struct.S, ptr %0, i64 %1, i32 1, i64 2
  %a = getelementptr inbounds %struct.S, ptr %p, i64 %i, i32 1, i64 2
; CHECK-NEXT: store i16 5, ptr %{{[0-9]+}}, align 2
  store i16 5, ptr %a
; CHECK-NEXT: load atomic volatile i64, ptr getelementptr inbounds (i8, ptr @s, i64 8) acquire, align 8
  %b = load atomic volatile i64, ptr getelementptr inbounds (i8, ptr @s, i64 8) acquire, align 8
; CIR: circ.atomicrmw umax seq_cst
; CHECK-NEXT: atomicrmw umax ptr %0, i64 %{{[0-9]+}} seq_cst, align 8
  %c = atomicrmw umax ptr %p, i64 %b seq_cst
; CIR: circ.cmpxchg weak
; CHECK-NEXT: cmpxchg weak ptr %0, i64 %{{[0-9]+}}, i64 %{{[0-9]+}} acq_rel monotonic, align 8
  %d = cmpxchg weak ptr %p, i64 %b, i64 %c acq_rel monotonic
; CHECK-NEXT: extractvalue { i64, i1 } %{{[0-9]+}}, 1
  %e = extractvalue { i64, i1 } %d, 1
; CHECK-NEXT: select i1
  %f = select i1 %e, ptr %a, ptr %p
  ret ptr %f
}

; CHECK-LABEL: define <4 x i32> @vectors(<4 x i32> %0, <4 x i32> %1)
define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b) {
; CHECK: icmp slt <4 x i32> %0, %1
  %m = icmp slt <4 x i32> %a, %b
; CHECK-NEXT: select <4 x i1>
  %x = select <4 x i1> %m, <4 x i32> %a, <4 x i32> %b
; CHECK-NEXT: shufflevector <4 x i32> %{{[0-9]+}}, <4 x i32> poison, <4 x i32> <i32 3, i32 poison, i32 1, i32 0>
  %y = shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> <i32 3, i32 poison, i32 1, i32 0>
; CHECK-NEXT: insertelement <4 x i32> %{{[0-9]+}}, i32 9, i64 2
  %z = insertelement <4 x i32> %y, i32 9, i64 2
  ret <4 x i32> %z
}

; CHECK-LABEL: define { i32, [2 x i8] } @aggregates({ i32, [2 x i8] } %0)
define { i32, [2 x i8] } @aggregates({ i32, [2 x i8] } %a) {
; CIR: circ.extract_value %arg0 [1, 0]
; CIR: circ.insert_value
; CHECK: insertvalue
  %x = extractvalue { i32, [2 x i8] } %a, 1, 0
  %y = insertvalue { i32, [2 x i8] } %a, i8 %x, 1, 1
  ret { i32, [2 x i8] } %y
}

; CHECK-LABEL: define fastcc i64 @assembly(i64 %0)
define fastcc i64 @assembly(i64 %a) {
; CIR: circ.inline_asm "addq $2, $0", "=r,0,r,~{flags}" side_effects
; CHECK: call i64 asm sideeffect "addq $2, $0", "=r,0,r,~{flags}"(i64 %0, i64 1)
  %x = call i64 asm sideeffect "addq $2, $0", "=r,0,r,~{flags}"(i64 %a, i64 1)
; CHECK-NEXT: tail call fastcc i64 @assembly(i64 %{{[0-9]+}})
  %y = tail call fastcc i64 @assembly(i64 %x)
  ret i64 %y
}

; CHECK-LABEL: define i32 @phis(i32 %0)
define i32 @phis(i32 %n) {
; CHECK: switch i32 %0, label
entry:
  switch i32 %n, label %d [ i32 1, label %a
                            i32 2, label %a ]
a:
; CHECK: phi i32 [ 5, %1 ], [ 5, %1 ], [ %{{[0-9]+}}, %{{[0-9]+}} ]
  %x = phi i32 [ 5, %entry ], [ 5, %entry ], [ %y, %a ]
  %y = sub i32 %x, 1
  %c = icmp eq i32 %y, 0
  br i1 %c, label %d, label %a
d:
  %r = phi i32 [ 0, %entry ], [ %x, %a ]
  ret i32 %r
}

; Assumptions that have ops of their own.
; CHECK-LABEL: define void @assumes(
define void @assumes(ptr %p, ptr %q, i64 %n) {
; CIR: cir.assume_aligned %arg0 alignment 16
; CHECK: call void @llvm.assume(i1 true) [ "align"(ptr %0, i64 16) ]
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
; CIR: cir.assume_aligned %arg0 alignment 8 [offset %arg2 : !s64i]
; CHECK-NEXT: call void @llvm.assume(i1 true) [ "align"(ptr %0, i64 8, i64 %2) ]
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8, i64 %n) ]
; CIR: cir.assume_separate_storage
; CHECK-NEXT: call void @llvm.assume(i1 true) [ "separate_storage"(ptr %0, ptr %1) ]
  call void @llvm.assume(i1 true) [ "separate_storage"(ptr %p, ptr %q) ]
; CHECK-NEXT: ret void
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %p) ]
  ret void
}
declare void @llvm.assume(i1)

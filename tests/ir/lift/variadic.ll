; Functions that read variable arguments keep System V's convention on Windows, and the calls of them by name; the list has 24 bytes there.
; RUN: %circ --emit=flat --target=x86_64-pc-windows-msvc %s -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=circ.conv
; RUN: %circ --emit=flat --target=x86_64-w64-windows-gnu %s -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=circ.conv
; RUN: %circ --emit=flat --lift %s -o - | FileCheck %s --check-prefix=OWN --implicit-check-not=circ.conv
; RUN: %circ --emit=asm --target=x86_64-pc-windows-msvc %s -o - 2>/dev/null | FileCheck %s --check-prefix=ASM
target triple = "x86_64-unknown-linux-gnu"
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare i32 @printf(ptr, ...)
declare i32 @__gxx_personality_v0(...)
; CHECK: warning: function 'reads' reads variable arguments as System V passes them; on Windows other modules cannot call it
; CHECK: cir.func @reads(%arg0: !s32i, ...) -> !s32i attributes {circ.conv = #cir.int<78> : !s32i} {
; ASM-LABEL: reads:
; ASM: testb %al, %al
define i32 @reads(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %v = load i32, ptr %list
  ret i32 %v
}
; CHECK: cir.func internal @own(...) attributes {circ.conv = #cir.int<78> : !s32i} {
define internal void @own(...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  ret void
}
; What does not read them is C's.
; CHECK: cir.func @ignores(...) {
define void @ignores(...) {
  ret void
}
; CHECK: cir.func @copies
; CHECK: cir.load %{{.*}} : !cir.ptr<!cir.array<!u64i x 3>>, !cir.array<!u64i x 3>
; CHECK-NEXT: cir.store
; OWN: cir.func @copies
; OWN: cir.call @llvm.va_copy.p0
define void @copies(ptr %to, ptr %from) {
  call void @llvm.va_copy.p0(ptr %to, ptr %from)
  ret void
}
; CHECK: cir.func @calls
; CHECK: cir.call @reads(%{{.*}}) {circ.conv = #cir.int<78> : !s32i}
; CHECK: cir.call @ignores()
; CHECK: cir.call @printf(
; CHECK: cir.try_call @own() ^bb{{.*}} {circ.conv = #cir.int<78> : !s32i}
; ASM-LABEL: calls:
; ASM: movb $0, %al
; ASM-NEXT: callq reads
define void @calls(ptr %p) personality ptr @__gxx_personality_v0 {
  %x = call i32 (i32, ...) @reads(i32 1, i32 2)
  call void (...) @ignores()
  %y = call i32 (ptr, ...) @printf(ptr %p, i32 %x)
  invoke void (...) @own() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp
done:
  ret void
}

; LLVM IR is explained by its landing pads: clauses in their order, filters, what terminates; bases by type infos.
; RUN: %circ explain %s | FileCheck %s
; RUN: %circ explain --throw=Derived --at=catches %s | FileCheck %s --check-prefix=THROW
; RUN: %circ --emit=abi %s -o %t.cir && %circ explain %t.cir | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

@_ZTIi = external constant ptr
@_ZTI4Base = external constant ptr
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x ptr]
@_ZTS7Derived = constant [9 x i8] c"7Derived\00"
@_ZTI7Derived = constant { ptr, ptr, ptr } { ptr getelementptr inbounds (i8, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 16), ptr @_ZTS7Derived, ptr @_ZTI4Base }
declare i32 @f()
declare i32 @__gxx_personality_v0(...)
declare void @__clang_call_terminate(ptr)

; CHECK: catches
; CHECK-NEXT: call f
; CHECK-NEXT: {{^ +}}catch Base
; CHECK-NEXT: {{^ +}}catch int
; CHECK-NEXT: {{^ +}}catch Derived{{.*}} (never reached: an earlier handler takes it)
; CHECK-NEXT: {{^ +}}cleanup
; CHECK-NEXT: what is left leaves the function
; THROW: catches call f
; THROW-NEXT: 1. catch Base
; THROW-NEXT: caught here
define void @catches() personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @f() to label %ok unwind label %pad
ok:
  ret void
pad:
  %lp = landingpad { ptr, i32 } cleanup catch ptr @_ZTI4Base catch ptr @_ZTIi catch ptr @_ZTI7Derived
  resume { ptr, i32 } %lp
}

; CHECK: filters
; CHECK-NEXT: call f
; CHECK-NEXT: {{^ +}}catch all but int
; CHECK-NEXT: {{^ +}}catch all
; CHECK-NEXT: caught here
define void @filters() personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @f() to label %ok unwind label %pad
ok:
  ret void
pad:
  %lp = landingpad { ptr, i32 } filter [1 x ptr] [ptr @_ZTIi] catch ptr null
  ret void
}

; CHECK: ends
; CHECK-NEXT: call f
; CHECK-NEXT: {{^ +}}terminate
; CHECK-NEXT: what is left terminates the program
define void @ends() nounwind personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @f() to label %ok unwind label %pad
ok:
  ret void
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  call void @__clang_call_terminate(ptr %p) nounwind
  unreachable
}

; What may not be left, and what has no pad.
; CHECK: promises
; CHECK-NEXT: call f{{.*}}: must not leave the function, which is nothrow
; CHECK: plain
; CHECK-NEXT: call f{{.*}}: leaves the function
define void @promises() nounwind {
  %r = call i32 @f()
  ret void
}
define void @plain() {
  %r = call i32 @f()
  ret void
}

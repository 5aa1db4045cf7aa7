; Pads that are only taken apart are cir.eh.inflight_exception; others give the pair.
; RUN: %circ --emit=abi %s -o - | FileCheck %s --check-prefix=CIR
; RUN: %circ --emit=llvm %s -o - | FileCheck %s
; RUN: %circ --emit=abi %s -o %t.cir && %circ --emit=llvm %t.cir -o - | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

@_ZTIi = external constant ptr
declare i32 @f()
declare i32 @__gxx_personality_v0(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)

; CHECK-LABEL: define i32 @catches() personality ptr @__gxx_personality_v0
define i32 @catches() personality ptr @__gxx_personality_v0 {
; CIR: cir.try_call @f()
; CHECK: invoke i32 @f()
  %r = invoke i32 @f() to label %ok unwind label %pad
ok:
; CHECK: phi i32 [ %{{[0-9]+}}, %0 ], [ 3, %{{[0-9]+}} ]
  %v = phi i32 [ %r, %0 ], [ 3, %pad ]
  ret i32 %v
pad:
; CIR: cir.eh.inflight_exception catch_all [@_ZTIi]
; CHECK: landingpad { ptr, i32 }
; CHECK-NEXT: catch ptr @_ZTIi
; CHECK-NEXT: catch ptr null
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
; CIR: cir.eh.typeid @_ZTIi
  %t = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %t
  br i1 %is, label %ok, label %no
no:
  unreachable
}

; CHECK-LABEL: define void @cleans()
define void @cleans() personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @f() to label %ok unwind label %pad
ok:
  ret void
pad:
; CIR: circ.landingpad cleanup {{\[}}[@_ZTIi], @_ZTIi]
; CHECK: landingpad { ptr, i32 }
; CHECK-NEXT: cleanup
; CHECK-NEXT: filter [1 x ptr] [ptr @_ZTIi]
; CHECK-NEXT: catch ptr @_ZTIi
  %lp = landingpad { ptr, i32 } cleanup filter [1 x ptr] [ptr @_ZTIi] catch ptr @_ZTIi
; CIR: circ.resume
; CHECK-NEXT: resume { ptr, i32 }
  resume { ptr, i32 } %lp
}

; The truth that an invoke gives to a phi: between them there is no room for a cast.
; CHECK-LABEL: define i1 @asks()
define i1 @asks() personality ptr @__gxx_personality_v0 {
; CIR: cir.func @asks() -> !u1i
; CIR: ^bb{{[0-9]+}}(%{{[0-9]+}}: !u1i):
; CHECK: [[R:%[0-9]+]] = invoke i1 @ask()
  %r = invoke i1 @ask() to label %ok unwind label %pad
ok:
; CHECK: phi i1 [ [[R]], %0 ], [ false, %{{[0-9]+}} ]
  %v = phi i1 [ %r, %0 ], [ false, %pad ]
  %n = xor i1 %v, true
  ret i1 %n
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  br label %ok
}
declare i1 @ask()

; All pads of a function have one type, here one with a name.
; CHECK-LABEL: define void @named()
%pad = type { ptr, i32 }
define void @named() personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @f() to label %ok unwind label %one
ok:
  %r2 = invoke i32 @f() to label %done unwind label %two
done:
  ret void
one:
; CHECK: landingpad %pad
  %lp = landingpad %pad cleanup
  %p = extractvalue %pad %lp, 0
  %s = extractvalue %pad %lp, 1
  unreachable
two:
; CHECK: landingpad %pad
  %lp2 = landingpad %pad cleanup
  resume %pad %lp2
}

; Optimizers make one throw of several, of the type that a condition chooses: each type has its own throw again.
; RUN: %circ run --lift --verify-each %s
; RUN: %circ run --lift --verify-each -O2 %s
; RUN: %circ --target=x86_64-pc-windows-msvc --verify-each -c %s -o %t.obj
; RUN: %circ --emit=flat --lift %s -o - | FileCheck %s
; CHECK-LABEL: cir.func @throw(
; CHECK: cir.throw {{.*}}, @_ZTIi
; CHECK: cir.throw {{.*}}, @_ZTIc, @destroy
; CHECK: cir.throw {{.*}}, @_ZTIs
; CHECK-LABEL: cir.func @caught(
@_ZTIi = external constant ptr
@_ZTIc = external constant ptr
@_ZTIs = external constant ptr
@destroyed = global i32 0
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)
define void @destroy(ptr %object) {
  %n = load i32, ptr @destroyed
  %m = add i32 %n, 1
  store i32 %m, ptr @destroyed
  ret void
}
define void @throw(i1 %int, i1 %char) {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  store i32 7, ptr %e
  %other = select i1 %char, ptr @_ZTIc, ptr @_ZTIs
  %type = select i1 %int, ptr @_ZTIi, ptr %other
  %of_other = select i1 %char, ptr @destroy, ptr null
  %destructor = select i1 %int, ptr null, ptr %of_other
  call void @__cxa_throw(ptr %e, ptr %type, ptr %destructor)
  unreachable
}
; The type's number: 1, 2, or 3 for one that has no clause.
define i32 @caught(i1 %int, i1 %char) personality ptr @__gxx_personality_v0 {
  invoke void @throw(i1 %int, i1 %char) to label %never unwind label %pad
never:
  unreachable
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr @_ZTIc catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %i = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is_i = icmp eq i32 %s, %i
  br i1 %is_i, label %first, label %next
next:
  %c = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIc)
  %is_c = icmp eq i32 %s, %c
  br i1 %is_c, label %second, label %third
first:
  call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  ret i32 1
second:
  call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  ret i32 2
third:
  call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  ret i32 3
}
define i32 @main() {
  %a = call i32 @caught(i1 true, i1 false)
  %b = call i32 @caught(i1 false, i1 true)
  %c = call i32 @caught(i1 false, i1 false)
  %d = load i32, ptr @destroyed
  %wrong_a = icmp ne i32 %a, 1
  %wrong_b = icmp ne i32 %b, 2
  %wrong_c = icmp ne i32 %c, 3
  %wrong_d = icmp ne i32 %d, 1
  %ab = or i1 %wrong_a, %wrong_b
  %cd = or i1 %wrong_c, %wrong_d
  %all = or i1 %ab, %cd
  %status = zext i1 %all to i32
  ret i32 %status
}

; Code in flight that is a loop, whose first block follows upon the end of a catch: the cleanup begins in front of it.
; RUN: %circ run --lift --verify-each %s
; RUN: %circ run --lift --verify-each -O2 %s
; RUN: %circ --target=x86_64-pc-windows-msvc --verify-each -c %s -o %t.obj
; RUN: %circ --target=x86_64-w64-windows-gnu --verify-each -c %s -o %t.o
; RUN: %circ --emit=flat --lift %s -o - | FileCheck %s
; CHECK-LABEL: cir.func @f
; CHECK: cir.end_catch
; CHECK-NEXT: cir.end_cleanup
; CHECK-NEXT: cir.br ^[[FRONT:bb[0-9]+]](
; CHECK: ^[[FRONT]](%[[TOKEN:[0-9]+]]: !cir.eh_token):
; CHECK-NEXT: %[[CLEANUP:[0-9]+]] = cir.begin_cleanup %[[TOKEN]]
; CHECK-NEXT: cir.br ^[[LOOP:bb[0-9]+]](
; CHECK: cir.brcond %{{[0-9]+}} ^[[LOOP]](
; CHECK: cir.end_cleanup %[[CLEANUP]]
@count = internal global i32 0
@_ZTIi = external constant ptr
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @__gxx_personality_v0(...)
define void @throw() {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  call void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null)
  unreachable
}
define void @destroy() nounwind {
  %n = load i32, ptr @count
  %m = add i32 %n, 1
  store i32 %m, ptr @count
  ret void
}
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @throw() to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %o = call ptr @__cxa_begin_catch(ptr %p)
  invoke void @throw() to label %never unwind label %pad2
pad2:
  %lp2 = landingpad { ptr, i32 } cleanup
  call void @__cxa_end_catch()
  br label %loop
loop:
  %i = phi i32 [ 3, %pad2 ], [ %next, %loop ]
  call void @destroy()
  %next = add i32 %i, -1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %out
out:
  resume { ptr, i32 } %lp2
never:
  unreachable
}
define i32 @main() personality ptr @__gxx_personality_v0 {
  invoke void @f() to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %o = call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  %n = load i32, ptr @count
  %status = sub i32 %n, 3
  ret i32 %status
never:
  unreachable
}

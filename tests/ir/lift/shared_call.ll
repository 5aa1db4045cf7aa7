; A handler that two pads share is copied. The block after a call in it takes the result of its own copy's call.
; RUN: %circ --emit=flat --lift %s -o %t.cir
; RUN: %circ --verify-only %t.cir
; RUN: FileCheck %s < %t.cir
target triple = "x86_64-unknown-linux-gnu"
@_ZTIi = external constant ptr
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare void @one()
declare void @two()
declare ptr @hub()
declare void @use(ptr)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
; CHECK: %[[A:.*]] = cir.try_call @hub() ^[[NA:bb[0-9]+]],
; CHECK: %[[B:.*]] = cir.try_call @hub() ^[[NB:bb[0-9]+]],
; CHECK: ^[[NA]]:
; CHECK-NEXT: cir.call @use(%[[A]])
; CHECK: ^[[NB]]:
; CHECK-NEXT: cir.call @use(%[[B]])
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @one() to label %next unwind label %pad1
next:
  invoke void @two() to label %done unwind label %pad2
pad1:
  %lp1 = landingpad { ptr, i32 } catch ptr null
  %e1 = extractvalue { ptr, i32 } %lp1, 0
  br label %catch
pad2:
  %lp2 = landingpad { ptr, i32 } catch ptr @_ZTIi
  %e2 = extractvalue { ptr, i32 } %lp2, 0
  %s2 = extractvalue { ptr, i32 } %lp2, 1
  %t = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s2, %t
  br i1 %is, label %catch, label %on
on:
  resume { ptr, i32 } %lp2
catch:
  %e = phi ptr [ %e1, %pad1 ], [ %e2, %pad2 ]
  %o = call ptr @__cxa_begin_catch(ptr %e)
  %hub = invoke ptr @hub() to label %named unwind label %pad3
named:
  call void @use(ptr %hub)
  call void @__cxa_end_catch()
  br label %done
pad3:
  %lp3 = landingpad { ptr, i32 } cleanup
  call void @__cxa_end_catch()
  resume { ptr, i32 } %lp3
done:
  ret void
}

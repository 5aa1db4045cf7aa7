; Exception specifications: a filter has a dispatch of its own, between what is caught within and outside of it.
; RUN: %circ --emit=flat --verify-each %s -o - | FileCheck %s
; RUN: not %circ --emit=obj --target=x86_64-pc-windows-msvc %s -o %t.obj 2>&1 | FileCheck %s --check-prefix=MSVC
; MSVC: error: exception specification is not supported by the Microsoft ABI
@_ZTIi = external constant ptr
@_ZTIc = external constant ptr
declare void @work()
declare void @handle()
declare void @__cxa_call_unexpected(ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: cir.func @alone()
; CHECK: {{^ *}}^[[UNEXPECTED:bb[0-9]+]](%{{.*}}: !cir.eh_token):
; CHECK-NEXT: cir.eh.unexpected
; CHECK: cir.eh.dispatch
; CHECK-NEXT: filter(#cir.global_view<@_ZTIi> : {{.*}}) : ^[[UNEXPECTED]]
; CHECK-NEXT: unwind : ^
define void @alone() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } filter [1 x ptr] [ptr @_ZTIi]
  %e = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %is = icmp slt i32 %s, 0
  br i1 %is, label %unexpected, label %on
unexpected:
  call void @__cxa_call_unexpected(ptr %e)
  unreachable
on:
  resume { ptr, i32 } %lp
done:
  ret void
}

; The call may throw.
; CHECK-LABEL: cir.func @throws()
; CHECK: cir.eh.unexpected
; CHECK: filter() : ^
define void @throws() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } filter [0 x ptr] zeroinitializer
  %e = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %is = icmp slt i32 %s, 0
  br i1 %is, label %unexpected, label %on
unexpected:
  invoke void @__cxa_call_unexpected(ptr %e) to label %never unwind label %more
never:
  unreachable
more:
  %lp2 = landingpad { ptr, i32 } cleanup
  br label %end
end:
  resume { ptr, i32 } %lp2
on:
  resume { ptr, i32 } %lp
done:
  ret void
}

; CHECK-LABEL: cir.func @between()
; CHECK: cir.eh.dispatch
; CHECK-NEXT: catch(#cir.global_view<@_ZTIi>
; CHECK-NEXT: unwind : ^[[FILTER:bb[0-9]+]]
; CHECK: ^[[FILTER]](%[[T:[0-9]+]]: !cir.eh_token)
; CHECK-NEXT: cir.eh.dispatch %[[T]]
; CHECK-NEXT: filter() : ^
; CHECK-NEXT: unwind : ^
define void @between() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi filter [0 x ptr] zeroinitializer
  %e = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %t = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %int = icmp eq i32 %s, %t
  br i1 %int, label %catch, label %more
catch:
  %o = call ptr @__cxa_begin_catch(ptr %e)
  call void @handle()
  call void @__cxa_end_catch()
  br label %done
more:
  %is = icmp slt i32 %s, 0
  br i1 %is, label %unexpected, label %on
unexpected:
  call void @__cxa_call_unexpected(ptr %e)
  unreachable
on:
  resume { ptr, i32 } %lp
done:
  ret void
}

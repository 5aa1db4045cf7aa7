; A selector that is compared when its catch has begun: the type waits in memory, which a catch within that one leaves alone.
; RUN: %circ --emit=flat --verify-each %s -o - | FileCheck %s
; CHECK-LABEL: cir.func @f()
; CHECK: %[[SLOT:[0-9]+]] = cir.alloca "__caught" : !cir.ptr<!u32i>
; CHECK-NOT: "__caught"
; CHECK: %[[TYPE:[0-9]+]] = cir.load %[[SLOT]]
; CHECK: cir.cmp eq %[[TYPE]]
; CHECK: cir.call @handle(
; CHECK-COUNT-2: cir.store %{{[0-9]+}}, %[[SLOT]]
; CHECK-NOT: cir.store
@_ZTIi = external constant ptr
@_ZTIc = external constant ptr
declare void @work()
declare void @handle(i1)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %id
  %o = call ptr @__cxa_begin_catch(ptr %p)
  invoke void @work() to label %out unwind label %inner
inner:
  %lp2 = landingpad { ptr, i32 } catch ptr null
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  %o2 = call ptr @__cxa_begin_catch(ptr %p2)
  call void @__cxa_end_catch()
  br label %out
out:
  call void @handle(i1 %is)
  call void @__cxa_end_catch()
  br label %done
done:
  ret void
}

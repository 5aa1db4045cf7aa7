; A selector that is compared when its catch has begun, or has ended: the number of the type waits in memory, in a slot of each selector.
; RUN: %circ run --lift --verify-each %s
; RUN: %circ run --lift --verify-each -O2 %s
; RUN: %circ --target=x86_64-pc-windows-msvc --verify-each -c %s -o %t.obj
; RUN: %circ --emit=flat --lift %s -o - | FileCheck %s
; Two catches one after another do not share a slot.
; CHECK-LABEL: cir.func @one_after_another
; CHECK: %[[A:[0-9]+]] = cir.alloca "__caught"
; CHECK-NOT: "__caught"
; CHECK-COUNT-2: cir.store %{{[0-9]+}}, %[[A]]
; CHECK-NOT: cir.store
; CHECK-LABEL: cir.func @of_two_depths
@_ZTIi = external constant ptr
@_ZTIc = external constant ptr
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)
define void @throw(i1 %int) {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  br i1 %int, label %i, label %c
i:
  call void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null)
  unreachable
c:
  call void @__cxa_throw(ptr %e, ptr @_ZTIc, ptr null)
  unreachable
}
; The second exception is another one: the first one's selector stays what it was.
define i1 @one_after_another(i1 %first, i1 %second) personality ptr @__gxx_personality_v0 {
  invoke void @throw(i1 %first) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %o = call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  invoke void @throw(i1 %second) to label %never unwind label %pad2
pad2:
  %lp2 = landingpad { ptr, i32 } catch ptr null
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  %o2 = call ptr @__cxa_begin_catch(ptr %p2)
  call void @__cxa_end_catch()
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %id
  ret i1 %is
never:
  unreachable
}
; A phi of the selectors of a catch and of one within another catch.
define i1 @of_two_depths(i1 %first, i1 %second, i1 %inner) personality ptr @__gxx_personality_v0 {
  invoke void @throw(i1 %first) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %o = call ptr @__cxa_begin_catch(ptr %p)
  br i1 %inner, label %again, label %join
again:
  invoke void @throw(i1 %second) to label %never unwind label %pad2
pad2:
  %lp2 = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  %s2 = extractvalue { ptr, i32 } %lp2, 1
  %o2 = call ptr @__cxa_begin_catch(ptr %p2)
  call void @__cxa_end_catch()
  br label %join
join:
  %which = phi i32 [ %s, %pad ], [ %s2, %pad2 ]
  call void @__cxa_end_catch()
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %which, %id
  ret i1 %is
never:
  unreachable
}
define i32 @main() {
  %a = call i1 @one_after_another(i1 true, i1 false)
  %b = call i1 @one_after_another(i1 false, i1 true)
  %c = call i1 @of_two_depths(i1 true, i1 false, i1 false)
  %d = call i1 @of_two_depths(i1 true, i1 false, i1 true)
  %e = call i1 @of_two_depths(i1 false, i1 true, i1 true)
  %f = call i1 @of_two_depths(i1 false, i1 true, i1 false)
  %not.b = xor i1 %b, true
  %not.d = xor i1 %d, true
  %not.f = xor i1 %f, true
  %1 = and i1 %a, %not.b
  %2 = and i1 %1, %c
  %3 = and i1 %2, %not.d
  %4 = and i1 %3, %e
  %5 = and i1 %4, %not.f
  %status = select i1 %5, i32 0, i32 1
  ret i32 %status
}

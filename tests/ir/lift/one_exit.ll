; What leaves a handler, and what its try does not catch, goes on to the same pad in Windows' tables.
; RUN: %circ --target=x86_64-pc-windows-msvc --verify-each -c %s -o %t.obj
; RUN: %circ --emit=flat --lift --verify-each %s -o - | FileCheck %s
; The optimizer sends what the inner try leaves straight to the handler of the outer one.
; CHECK-LABEL: cir.func @outer_catches_all
; CHECK: catch({{.*}}@_ZTIi>
; CHECK-NEXT: unwind : ^[[OUTER:bb[0-9]+]]
; CHECK: ^[[OUTER]](
; CHECK-NEXT: cir.eh.dispatch
; CHECK-NEXT: catch_all
; A value that waits in memory is stored before the tests, and before the end of the catch: alone it would make a cleanup of each path.
; CHECK-LABEL: cir.func @values
; CHECK: cir.store %{{[0-9]+}}, %[[SLOT:[0-9]+]] :
; CHECK-NEXT: cir.end_cleanup
; CHECK: cir.store %{{[0-9]+}}, %[[SLOT]] :
; CHECK-NEXT: cir.end_catch
; The catch of everything takes a value, which is stored in flight: the handler unwinds to the dispatch that all share.
; CHECK-LABEL: cir.func @values_of_a_catch_of_all
; CHECK: catch({{.*}}@_ZTIi>
; CHECK-NEXT: unwind :
; CHECK: cir.eh.dispatch
; CHECK-NEXT: catch_all
; CHECK-NOT: cir.eh.dispatch
; Two pads of a handler go on to code that meets again where the catch ends: each has its own up to there, the one that branches, too.
; CHECK-LABEL: cir.func @branches_in_flight
; CHECK: [[T:%[0-9]+]] = cir.eh.initiate cleanup
; CHECK-NEXT: [[K:%[0-9]+]] = cir.begin_cleanup [[T]]
; CHECK-NEXT: cir.cast int_to_bool %arg1
; CHECK-NEXT: cir.brcond
; CHECK: cir.end_cleanup [[K]]
; CHECK-NEXT: cir.br ^[[END:bb[0-9]+]]([[T]]
; CHECK: cir.end_cleanup [[K]]
; CHECK-NEXT: cir.br ^[[END]]([[T]]
@_ZTIi = external constant ptr
@_ZTIc = external constant ptr
declare void @work()
declare void @use(i32)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)
define void @outer_catches_all() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %id
  br i1 %is, label %inner, label %outer
inner:
  %o = call ptr @__cxa_begin_catch(ptr %p)
  invoke void @work() to label %ok unwind label %pad2
ok:
  call void @__cxa_end_catch()
  br label %done
pad2:
  %lp2 = landingpad { ptr, i32 } catch ptr null
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  call void @__cxa_end_catch()
  br label %outer
outer:
  %q = phi ptr [ %p, %pad ], [ %p2, %pad2 ]
  %o2 = call ptr @__cxa_begin_catch(ptr %q)
  call void @__cxa_end_catch()
  br label %done
done:
  ret void
}
define void @values() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr @_ZTIc
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %id
  br i1 %is, label %inner, label %join
inner:
  %o = call ptr @__cxa_begin_catch(ptr %p)
  invoke void @work() to label %ok unwind label %pad2
ok:
  call void @__cxa_end_catch()
  br label %done
pad2:
  %lp2 = landingpad { ptr, i32 } catch ptr @_ZTIc
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  %s2 = extractvalue { ptr, i32 } %lp2, 1
  call void @__cxa_end_catch()
  br label %join
join:
  %x = phi i32 [ 1, %pad ], [ 2, %pad2 ]
  %q = phi ptr [ %p, %pad ], [ %p2, %pad2 ]
  %t = phi i32 [ %s, %pad ], [ %s2, %pad2 ]
  %id2 = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIc)
  %is2 = icmp eq i32 %t, %id2
  br i1 %is2, label %outer, label %on
outer:
  %o2 = call ptr @__cxa_begin_catch(ptr %q)
  call void @use(i32 %x)
  call void @__cxa_end_catch()
  br label %done
on:
  %r1 = insertvalue { ptr, i32 } poison, ptr %q, 0
  %r2 = insertvalue { ptr, i32 } %r1, i32 %t, 1
  resume { ptr, i32 } %r2
done:
  ret void
}
define void @values_of_a_catch_of_all() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %id
  br i1 %is, label %inner, label %outer
inner:
  %o = call ptr @__cxa_begin_catch(ptr %p)
  invoke void @work() to label %ok unwind label %pad2
ok:
  call void @__cxa_end_catch()
  br label %done
pad2:
  %lp2 = landingpad { ptr, i32 } catch ptr null
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  call void @__cxa_end_catch()
  br label %outer
outer:
  %x = phi i32 [ 1, %pad ], [ 2, %pad2 ]
  %q = phi ptr [ %p, %pad ], [ %p2, %pad2 ]
  %o2 = call ptr @__cxa_begin_catch(ptr %q)
  invoke void @use(i32 %x) to label %end unwind label %pad3
end:
  call void @__cxa_end_catch()
  br label %done
pad3:
  %lp3 = landingpad { ptr, i32 } cleanup
  call void @__cxa_end_catch()
  resume { ptr, i32 } %lp3
done:
  ret void
}
define void @branches_in_flight(ptr %x, i1 %c, i1 %d) personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %o = call ptr @__cxa_begin_catch(ptr %p)
  invoke void @work() to label %more unwind label %one
more:
  invoke void @work() to label %end unwind label %two
end:
  call void @__cxa_end_catch()
  br label %done
two:
  %lp2 = landingpad { ptr, i32 } cleanup
  br label %first
one:
  %lp3 = landingpad { ptr, i32 } cleanup
  br i1 %c, label %second, label %first
first:
  %r1 = phi { ptr, i32 } [ %lp2, %two ], [ %lp3, %one ]
  call void @use(i32 1) nounwind
  br i1 %d, label %second, label %out
second:
  %r2 = phi { ptr, i32 } [ %r1, %first ], [ %lp3, %one ]
  call void @use(i32 2) nounwind
  br label %out
out:
  %r3 = phi { ptr, i32 } [ %r1, %first ], [ %r2, %second ]
  call void @__cxa_end_catch()
  resume { ptr, i32 } %r3
done:
  ret void
}

; Landing pads as flat CIR: clauses, cleanups, catches, what terminates; as optimized code has it, and as code of -O0 does.
; RUN: %circ --emit=flat --verify-each %s -o - | FileCheck %s
; RUN: %circ --emit=abi --lift --verify-each %s -o - | FileCheck %s --check-prefix=AGAIN
; RUN: %circ -c --target=x86_64-pc-windows-msvc --verify-each %s -o %t.obj
; RUN: %circ -c --target=x86_64-w64-windows-gnu --verify-each %s -o %t.gnu.obj
; RUN: %circ --emit=llvm %s -o - | FileCheck %s --check-prefix=AS-IT-WAS
; AS-IT-WAS: landingpad { ptr, i32 }
target triple = "x86_64-unknown-linux-gnu"

@_ZTIi = external constant ptr
@_ZTIf = external constant ptr
declare void @work()
declare void @close() nounwind
declare void @use(i32)
declare void @drop(ptr)
declare i32 @__gxx_personality_v0(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare void @__cxa_rethrow()
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_free_exception(ptr)
declare void @__cxa_throw(ptr, ptr, ptr)
declare void @__clang_call_terminate(ptr)

; A chain of tests is one dispatch, in the order of the pad; a cleanup is in front of it.
; CHECK-LABEL: cir.func @chain()
; CHECK-NOT: personality
; CHECK: cir.try_call @work()
; CHECK: [[T:%[0-9]+]] = cir.eh.initiate cleanup
; CHECK-NEXT: [[C:%[0-9]+]] = cir.begin_cleanup [[T]]
; CHECK-NEXT: cir.call @close()
; CHECK-NEXT: cir.end_cleanup [[C]]
; CHECK-NEXT: cir.br ^[[D:bb[0-9]+]]([[T]]
; CHECK: cir.resume
; CHECK: cir.eh.dispatch
; CHECK-NEXT: catch(#cir.global_view<@_ZTIi>
; CHECK-NEXT: catch(#cir.global_view<@_ZTIf>
; CHECK-NEXT: unwind :
; CHECK: cir.begin_catch
; CHECK: cir.begin_catch
; CHECK-NOT: __cxa_
; AGAIN: cir.eh.inflight_exception cleanup [@_ZTIi, @_ZTIf]
define void @chain() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } cleanup catch ptr @_ZTIi catch ptr @_ZTIf
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  call void @close()
  %f = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIf)
  %is.f = icmp eq i32 %s, %f
  br i1 %is.f, label %float, label %next
next:
  %i = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is.i = icmp eq i32 %s, %i
  br i1 %is.i, label %int, label %on
float:
  %o = call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  br label %done
int:
  %o2 = call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  br label %done
on:
  resume { ptr, i32 } %lp
done:
  ret void
}

; Slots of -O0.
; CHECK-LABEL: cir.func @slots()
; CHECK-NOT: cir.alloca
; CHECK: cir.eh.initiate
; CHECK: cir.eh.dispatch
; CHECK-NEXT: catch_all
; CHECK: cir.begin_catch
define void @slots() personality ptr @__gxx_personality_v0 {
  %exn.slot = alloca ptr
  %sel.slot = alloca i32
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  store ptr %p, ptr %exn.slot
  %s = extractvalue { ptr, i32 } %lp, 1
  store i32 %s, ptr %sel.slot
  br label %catch
catch:
  %exn = load ptr, ptr %exn.slot
  %o = call ptr @__cxa_begin_catch(ptr %exn)
  call void @__cxa_end_catch()
  br label %done
done:
  ret void
}

; The optimizer has made one beginning of two handlers: what they do differs by type still.
; CHECK-LABEL: cir.func @merged()
; CHECK: cir.eh.dispatch
; CHECK-NEXT: catch(#cir.global_view<@_ZTIi>
; CHECK-NEXT: catch_all
; CHECK: cir.store {{%[0-9]+}}, [[SLOT:%[0-9]+]] : !u32i
; CHECK: cir.store {{%[0-9]+}}, [[SLOT]] : !u32i
define void @merged() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %i = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is.i = icmp eq i32 %s, %i
  %o = call ptr @__cxa_begin_catch(ptr %p)
  %v = select i1 %is.i, i32 1, i32 2
  call void @use(i32 %v) nounwind
  call void @__cxa_end_catch()
  br label %done
done:
  ret void
}

; CHECK-LABEL: cir.func @rethrows()
; CHECK: cir.try_throw ^
; CHECK: cir.begin_cleanup
; CHECK-NEXT: cir.end_catch
; CHECK-NEXT: cir.end_cleanup
define void @rethrows() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %o = call ptr @__cxa_begin_catch(ptr %p)
  invoke void @__cxa_rethrow() to label %never unwind label %out
out:
  %lp2 = landingpad { ptr, i32 } cleanup
  invoke void @__cxa_end_catch() to label %on unwind label %terminate
on:
  resume { ptr, i32 } %lp2
terminate:
  %lp3 = landingpad { ptr, i32 } catch ptr null
  %p3 = extractvalue { ptr, i32 } %lp3, 0
  call void @__clang_call_terminate(ptr %p3)
  unreachable
never:
  unreachable
done:
  ret void
}

; CHECK-LABEL: cir.func @throws()
; CHECK: cir.alloc.exception 4
; CHECK: cir.throw {{%[0-9]+}} : !cir.ptr<!cir.array<!u8i x 4>>, @_ZTIi
define void @throws() {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  store i32 5, ptr %e
  call void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null)
  unreachable
}

; What stands behind a throw is not reached, and goes: a store, a branch, the normal edge of an invoke.
; CHECK-LABEL: cir.func @goes_on
; CHECK: cir.throw
; CHECK-NEXT: cir.unreachable
; CHECK: cir.try_throw ^[[NEVER:bb[0-9]+]], ^
; CHECK: ^[[NEVER]]:
; CHECK-NEXT: cir.unreachable
; CHECK: ([[R:%[0-9]+]]: !s32i):  // pred: ^bb0
; CHECK-NEXT: cir.return [[R]]
define i32 @goes_on(i32 %c, ptr %x) personality ptr @__gxx_personality_v0 {
  switch i32 %c, label %end [ i32 1, label %a i32 2, label %b ]
a:
  call void @__cxa_rethrow()
  store i32 1, ptr %x
  br label %end
b:
  invoke void @__cxa_rethrow() to label %on unwind label %pad
on:
  %n = load i32, ptr %x
  br label %end
pad:
  %lp = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp
end:
  %r = phi i32 [ %c, %0 ], [ 1, %a ], [ %n, %on ]
  ret i32 %r
}

; Functions of the runtime that throw nothing have no edge to a pad.
; CHECK-LABEL: cir.func @throws_nothing
; CHECK: cir.eh.initiate :
; CHECK-NOT: cir.eh.initiate
; CHECK: cir.alloc.exception 4
; CHECK: cir.free.exception
; CHECK: cir.end_catch
; CHECK-NOT: cir.eh.initiate
; CHECK: cir.begin_catch
define void @throws_nothing() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %o = invoke ptr @__cxa_begin_catch(ptr %p) to label %begun unwind label %out
begun:
  %e = invoke ptr @__cxa_allocate_exception(i64 4) to label %made unwind label %out
made:
  invoke void @__cxa_free_exception(ptr %e) to label %free unwind label %out
free:
  %v = load i32, ptr %o
  call void @use(i32 %v)
  invoke void @__cxa_end_catch() to label %done unwind label %out
out:
  %lp2 = landingpad { ptr, i32 } cleanup
  call void @close()
  resume { ptr, i32 } %lp2
done:
  ret void
}

; Its object may be a value of the block after it.
; CHECK-LABEL: cir.func @object_in_phi
; CHECK: ^bb{{[0-9]+}}([[O:%[0-9]+]]: !cir.ptr<!void>):
; CHECK: cir.load {{.*}}!s32i
; CHECK: cir.end_catch
; CHECK: cir.begin_catch
define void @object_in_phi() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %o = invoke ptr @__cxa_begin_catch(ptr %p) to label %begun unwind label %out
begun:
  %x = phi ptr [ %o, %pad ]
  %v = load i32, ptr %x
  call void @use(i32 %v)
  call void @__cxa_end_catch()
  br label %done
out:
  %lp2 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp2
done:
  ret void
}

; Two throws that the optimizer has made one of.
; CHECK-LABEL: cir.func @throws_either
; CHECK-DAG: cir.throw {{.*}}, @_ZTIi
; CHECK-DAG: cir.throw {{.*}}, @_ZTIf
define void @throws_either(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %e = call ptr @__cxa_allocate_exception(i64 4)
  br label %throw
b:
  %e2 = call ptr @__cxa_allocate_exception(i64 4)
  br label %throw
throw:
  %o = phi ptr [ %e, %a ], [ %e2, %b ]
  %t = phi ptr [ @_ZTIi, %a ], [ @_ZTIf, %b ]
  call void @__cxa_throw(ptr %o, ptr %t, ptr null)
  unreachable
}

; One of the two comes by the edge of a call that may throw.
; CHECK-LABEL: cir.func @throws_what_was_made
; CHECK-DAG: cir.throw {{.*}}, @_ZTIi
; CHECK-DAG: cir.throw {{.*}}, @_ZTIf
define void @throws_what_was_made(i1 %c) personality ptr @__gxx_personality_v0 {
  br i1 %c, label %a, label %b
a:
  %e = call ptr @__cxa_allocate_exception(i64 4)
  invoke void @work() to label %throw unwind label %free
b:
  %e2 = call ptr @__cxa_allocate_exception(i64 8)
  br label %throw
throw:
  %o = phi ptr [ %e, %a ], [ %e2, %b ]
  %t = phi ptr [ @_ZTIi, %a ], [ @_ZTIf, %b ]
  call void @__cxa_throw(ptr %o, ptr %t, ptr null)
  unreachable
free:
  %lp = landingpad { ptr, i32 } cleanup
  call void @__cxa_free_exception(ptr %e)
  resume { ptr, i32 } %lp
}

; A catch and the normal path share the throw, which is copied: the address of the object waits in memory, and its size is known.
; CHECK-LABEL: cir.func @throws_in_a_copy
; CHECK-COUNT-2: throw %{{[0-9]+}} : !cir.ptr<!cir.array<!u8i x 4>>, @_ZTIi
define void @throws_in_a_copy() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %make unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %x = call ptr @__cxa_begin_catch(ptr %p)
  br label %make
make:
  %e = call ptr @__cxa_allocate_exception(i64 4)
  invoke void @work() to label %throw unwind label %out
throw:
  invoke void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null) to label %never unwind label %out
out:
  %lp2 = landingpad { ptr, i32 } catch ptr null
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  call void @__clang_call_terminate(ptr %p2)
  unreachable
never:
  unreachable
}

; So are its types, which the edges of a call and of a branch bring.
; CHECK-LABEL: cir.func @throws_either_in_a_copy
; CHECK-COUNT-2: throw %{{[0-9]+}} : !cir.ptr<!cir.array<!u8i x 8>>, @_ZTIf, @drop
; CHECK-COUNT-2: throw %{{[0-9]+}} : !cir.ptr<!cir.array<!u8i x 4>>, @_ZTIi
define void @throws_either_in_a_copy(i1 %c) personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %make unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %x = call ptr @__cxa_begin_catch(ptr %p)
  br label %make
make:
  br i1 %c, label %int, label %float
int:
  %e = call ptr @__cxa_allocate_exception(i64 4)
  br label %throw
float:
  %e2 = call ptr @__cxa_allocate_exception(i64 8)
  invoke void @work() to label %throw unwind label %out
throw:
  %o = phi ptr [ %e, %int ], [ %e2, %float ]
  %t = phi ptr [ @_ZTIi, %int ], [ @_ZTIf, %float ]
  %d = phi ptr [ null, %int ], [ @drop, %float ]
  invoke void @__cxa_throw(ptr %o, ptr %t, ptr %d) to label %never unwind label %out
out:
  %lp2 = landingpad { ptr, i32 } catch ptr null
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  call void @__clang_call_terminate(ptr %p2)
  unreachable
never:
  unreachable
}

; A pad that two handlers share is copied with the value that its edges bring, which a handler behind it uses.
; CHECK-LABEL: cir.func @brings_a_value_in_a_copy
; CHECK: [[S:%[0-9]+]] = cir.alloca "__across_pads" : !cir.ptr<!s32i>
; CHECK: ^bb{{[0-9]+}}([[V:%[0-9]+]]: !s32i):
; CHECK-NEXT: [[T:%[0-9]+]] = cir.eh.initiate cleanup
; CHECK-NEXT: cir.begin_cleanup [[T]]
; CHECK-NEXT: cir.store [[V]], [[S]]
; CHECK: ^bb{{[0-9]+}}([[W:%[0-9]+]]: !s32i):
; CHECK-NEXT: cir.eh.initiate cleanup
; CHECK-NEXT: cir.begin_cleanup
; CHECK-NEXT: cir.store [[W]], [[S]]
; CHECK-COUNT-2: cir.load [[S]]
define void @brings_a_value_in_a_copy() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %x = call ptr @__cxa_begin_catch(ptr %p)
  %t = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %t
  br i1 %is, label %end, label %try
try:
  invoke void @work() to label %again unwind label %inner
again:
  invoke void @work() to label %end unwind label %inner
inner:
  %v = phi i32 [ 1, %try ], [ 2, %again ]
  %lp2 = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %p2 = extractvalue { ptr, i32 } %lp2, 0
  %x2 = call ptr @__cxa_begin_catch(ptr %p2)
  call void @use(i32 %v)
  call void @__cxa_end_catch()
  br label %end
end:
  call void @__cxa_end_catch()
  br label %done
done:
  ret void
}

; CHECK-LABEL: cir.func @terminates()
; CHECK: cir.eh.initiate
; CHECK: cir.eh.terminate
define void @terminates() nounwind personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  call void @__clang_call_terminate(ptr %p)
  unreachable
done:
  ret void
}

; A catch that two types share takes a value that says which: what the later test stores, the earlier one's exceptions do not see.
; RUN: %circ run --lift --verify-each %s
; RUN: %circ run --lift --verify-each -O2 %s
; RUN: %circ --target=x86_64-pc-windows-msvc --verify-each -c %s -o %t.obj
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
define i32 @first_edge_first(i1 %int) personality ptr @__gxx_personality_v0 {
  invoke void @throw(i1 %int) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr @_ZTIc
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %id
  br i1 %is, label %catch, label %second
second:
  %id2 = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIc)
  %is2 = icmp eq i32 %s, %id2
  br i1 %is2, label %catch, label %on
catch:
  %which = phi i32 [ 1, %pad ], [ 2, %second ]
  %o = call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  ret i32 %which
on:
  resume { ptr, i32 } %lp
never:
  unreachable
}
; The blocks stand in the other order.
define i32 @second_edge_first(i1 %int) personality ptr @__gxx_personality_v0 {
  invoke void @throw(i1 %int) to label %never unwind label %pad
second:
  %id2 = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIc)
  %is2 = icmp eq i32 %s, %id2
  br i1 %is2, label %catch, label %on
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr @_ZTIc
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %not = icmp ne i32 %s, %id
  br i1 %not, label %second, label %catch
catch:
  %which = phi i32 [ 2, %second ], [ 1, %pad ]
  %o = call ptr @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  ret i32 %which
on:
  resume { ptr, i32 } %lp
never:
  unreachable
}
; A variable that the second test is behind the store of.
define i32 @stored_between(i1 %int) personality ptr @__gxx_personality_v0 {
  %v = alloca i32
  store i32 1, ptr %v
  invoke void @throw(i1 %int) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr @_ZTIc
  %p = extractvalue { ptr, i32 } %lp, 0
  %s = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %id
  br i1 %is, label %catch, label %second
second:
  store i32 2, ptr %v
  %id2 = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIc)
  %is2 = icmp eq i32 %s, %id2
  br i1 %is2, label %catch, label %on
catch:
  %o = call ptr @__cxa_begin_catch(ptr %p)
  %which = load i32, ptr %v
  call void @__cxa_end_catch()
  ret i32 %which
on:
  resume { ptr, i32 } %lp
never:
  unreachable
}
; 1, 2, 1, 2, 1, 2
define i32 @main() {
  %a = call i32 @first_edge_first(i1 true)
  %b = call i32 @first_edge_first(i1 false)
  %c = call i32 @second_edge_first(i1 true)
  %d = call i32 @second_edge_first(i1 false)
  %e = call i32 @stored_between(i1 true)
  %f = call i32 @stored_between(i1 false)
  %1 = mul i32 %a, 100000
  %2 = mul i32 %b, 10000
  %3 = mul i32 %c, 1000
  %4 = mul i32 %d, 100
  %5 = mul i32 %e, 10
  %6 = add i32 %1, %2
  %7 = add i32 %6, %3
  %8 = add i32 %7, %4
  %9 = add i32 %8, %5
  %all = add i32 %9, %f
  %ok = icmp eq i32 %all, 121212
  %status = select i1 %ok, i32 0, i32 1
  ret i32 %status
}

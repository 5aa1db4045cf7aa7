; What flat CIR has no form for is an error at the instruction.
; RUN: split-file %s %t
; RUN: not %circ --emit=flat %t/arithmetic.ll -o - 2>&1 | FileCheck %s --check-prefix=ARITHMETIC
; RUN: not %circ --emit=flat %t/escape.ll -o - 2>&1 | FileCheck %s --check-prefix=ESCAPE
; RUN: not %circ --emit=flat %t/mixed.ll -o - 2>&1 | FileCheck %s --check-prefix=MIXED
; RUN: not %circ --emit=flat %t/open.ll -o - 2>&1 | FileCheck %s --check-prefix=OPEN
; RUN: not %circ --emit=flat %t/twice.ll -o - 2>&1 | FileCheck %s --check-prefix=TWICE
; RUN: not %circ --emit=flat %t/size.ll -o - 2>&1 | FileCheck %s --check-prefix=SIZE
; RUN: not %circ --emit=flat %t/type.ll -o - 2>&1 | FileCheck %s --check-prefix=TYPE
; RUN: not %circ --emit=flat %t/returns.ll -o - 2>&1 | FileCheck %s --check-prefix=RETURNS
; RUN: not %circ --emit=flat %t/large.ll -o - 2>&1 | FileCheck %s --check-prefix=LARGE
; RUN: not %circ --emit=flat %t/begin.ll -o - 2>&1 | FileCheck %s --check-prefix=BEGIN
; RUN: not %circ --emit=flat %t/throw.ll -o - 2>&1 | FileCheck %s --check-prefix=THROW
; RUN: not %circ --emit=flat %t/free.ll -o - 2>&1 | FileCheck %s --check-prefix=FREE
; RUN: not %circ --emit=flat %t/numbers.ll -o - 2>&1 | FileCheck %s --check-prefix=NUMBERS
; NUMBERS: {{^.*}}.ll: error: function 'f': 'cir.cmp' computes with the number of a type
; RUN: not %circ --emit=flat %t/function.ll -o - 2>&1 | FileCheck %s --check-prefix=FUNCTION
; FUNCTION: {{^.*}}.ll: error: function 'f': 'cir.cmp' compares a selector with what is no type of the module
; ARITHMETIC: {{^.*}}.ll: error: function 'f': 'cir.add' computes with the selector of an exception
; ESCAPE: {{^.*}}.ll: error: function 'f': 'cir.call @keep' lets the pointer to an exception escape
; MIXED: {{^.*}}.ll: error: function 'f': 'cir.try_call @work' passes on something that is no exception where others pass one
; OPEN: {{^.*}}.ll: error: function 'f': 'circ.resume' resumes while a catch is open
; TWICE: {{^.*}}.ll: error: function 'f': 'cir.call @__cxa_end_catch' ends a catch, but none is open
; SIZE: {{^.*}}.ll: error: function 'f': 'cir.call @__cxa_allocate_exception' allocates an exception of a size that is not constant
; TYPE: {{^.*}}.ll: error: function 'f': 'cir.call @__cxa_throw' throws an exception whose type is no symbol
; BEGIN: {{^.*}}.ll: error: function 'f': 'cir.call @__cxa_begin_catch' has another signature than the function of the runtime
; THROW: {{^.*}}.ll: error: function 'f': 'cir.call @__cxa_throw' has another signature than the function of the runtime
; FREE: {{^.*}}.ll: error: function 'f': 'cir.call @__cxa_free_exception' has another signature than the function of the runtime
; RETURNS: {{^.*}}.ll: error: function 'f': 'cir.return' returns while an exception is in flight
; LARGE: {{^.*}}.ll: error: function 'f': 'cir.and' combines too many comparisons of a selector
;--- arithmetic.ll
declare void @work()
declare i32 @__gxx_personality_v0(...)
define i32 @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } cleanup
  %s = extractvalue { ptr, i32 } %lp, 1
  %n = add i32 %s, 1
  ret i32 %n
done:
  ret i32 0
}
;--- numbers.ll
@A = external constant ptr
@B = external constant ptr
declare void @work()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)
define i32 @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } cleanup
  %a = call i32 @llvm.eh.typeid.for.p0(ptr @A)
  %b = call i32 @llvm.eh.typeid.for.p0(ptr @B)
  %same = icmp eq i32 %a, %b
  br i1 %same, label %done, label %other
other:
  resume { ptr, i32 } %lp
done:
  ret i32 0
}
;--- function.ll
declare void @work()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)
define i32 @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } cleanup
  %s = extractvalue { ptr, i32 } %lp, 1
  %a = call i32 @llvm.eh.typeid.for.p0(ptr @work)
  %is = icmp eq i32 %s, %a
  br i1 %is, label %done, label %other
other:
  resume { ptr, i32 } %lp
done:
  ret i32 0
}
;--- escape.ll
declare void @work()
declare void @keep(ptr)
declare i32 @__gxx_personality_v0(...)
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } cleanup
  %p = extractvalue { ptr, i32 } %lp, 0
  call void @keep(ptr %p)
  resume { ptr, i32 } %lp
done:
  ret void
}
;--- mixed.ll
declare void @work()
declare ptr @__cxa_begin_catch(ptr)
declare i32 @__gxx_personality_v0(...)
define void @f(ptr %other) personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %catch unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  br label %catch
catch:
  %e = phi ptr [ %p, %pad ], [ %other, %0 ]
  %o = call ptr @__cxa_begin_catch(ptr %e)
  unreachable
}
;--- open.ll
declare void @work()
declare ptr @__cxa_begin_catch(ptr)
declare i32 @__gxx_personality_v0(...)
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %o = call ptr @__cxa_begin_catch(ptr %p)
  invoke void @work() to label %done unwind label %pad2
pad2:
  %lp2 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp2
done:
  unreachable
}
;--- twice.ll
declare void @__cxa_end_catch()
define void @f() {
  call void @__cxa_end_catch()
  ret void
}
;--- size.ll
declare ptr @__cxa_allocate_exception(i64)
define void @f(i64 %n) {
  %e = call ptr @__cxa_allocate_exception(i64 %n)
  ret void
}
;--- type.ll
declare void @__cxa_throw(ptr, ptr, ptr)
define void @f(ptr %e, ptr %t) {
  call void @__cxa_throw(ptr %e, ptr %t, ptr null)
  unreachable
}
;--- returns.ll
declare void @work()
declare i32 @__gxx_personality_v0(...)
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } cleanup
  ret void
done:
  ret void
}
;--- large.ll
declare void @work()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)
@_ZTIi = external constant ptr
define i32 @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi
  %s = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %t0 = icmp eq i32 %s, %id
  %t1 = and i1 %t0, %t0
  %t2 = and i1 %t1, %t1
  %t3 = and i1 %t2, %t2
  %t4 = and i1 %t3, %t3
  %t5 = and i1 %t4, %t4
  %t6 = and i1 %t5, %t5
  %t7 = and i1 %t6, %t6
  %t8 = and i1 %t7, %t7
  br i1 %t8, label %done, label %out
out:
  resume { ptr, i32 } %lp
done:
  ret i32 0
}
;--- begin.ll
declare void @work()
declare void @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @__gxx_personality_v0(...)
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  call void @__cxa_begin_catch(ptr %p)
  call void @__cxa_end_catch()
  br label %done
done:
  ret void
}
;--- throw.ll
declare void @__cxa_throw(ptr, ptr)
define void @f(ptr %e, ptr %t) {
  call void @__cxa_throw(ptr %e, ptr %t)
  unreachable
}
;--- free.ll
declare i32 @__cxa_free_exception(ptr)
define i32 @f(ptr %e) {
  %x = call i32 @__cxa_free_exception(ptr %e)
  ret i32 %x
}

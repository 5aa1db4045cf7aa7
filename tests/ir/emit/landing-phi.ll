; The exception's registers are read before LLVM brings the phis of a landing pad into registers: as slots they have none. The twelfth had x1, the selector.
; RUN: %circ -S -O0 %s -o - | FileCheck %s
; CHECK-LABEL: many:
; CHECK: .LBB0_4:
; CHECK-NOT: str x1,
; CHECK: bl __cxa_begin_catch
target triple = "aarch64-unknown-linux-gnu"
declare void @may_throw()
declare void @sink(i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
declare ptr @__cxa_begin_catch(ptr)
declare i32 @__gxx_personality_v0(...)
define void @many(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7, i64 %a8, i64 %a9, i64 %a10, i64 %a11, i1 %first) personality ptr @__gxx_personality_v0 {
  br i1 %first, label %b1, label %b2
b1:
  invoke void @may_throw() to label %done unwind label %pad
b2:
  invoke void @may_throw() to label %done unwind label %pad
done:
  ret void
pad:
  %v0 = phi i64 [ %a0, %b1 ], [ 0, %b2 ]
  %v1 = phi i64 [ %a1, %b1 ], [ 0, %b2 ]
  %v2 = phi i64 [ %a2, %b1 ], [ 0, %b2 ]
  %v3 = phi i64 [ %a3, %b1 ], [ 0, %b2 ]
  %v4 = phi i64 [ %a4, %b1 ], [ 0, %b2 ]
  %v5 = phi i64 [ %a5, %b1 ], [ 0, %b2 ]
  %v6 = phi i64 [ %a6, %b1 ], [ 0, %b2 ]
  %v7 = phi i64 [ %a7, %b1 ], [ 0, %b2 ]
  %v8 = phi i64 [ %a8, %b1 ], [ 0, %b2 ]
  %v9 = phi i64 [ %a9, %b1 ], [ 0, %b2 ]
  %v10 = phi i64 [ %a10, %b1 ], [ 0, %b2 ]
  %v11 = phi i64 [ %a11, %b1 ], [ 0, %b2 ]
  %e = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %e, 0
  %q = call ptr @__cxa_begin_catch(ptr %p)
  call void @sink(i64 %v0, i64 %v1, i64 %v2, i64 %v3, i64 %v4, i64 %v5, i64 %v6, i64 %v7, i64 %v8, i64 %v9, i64 %v10, i64 %v11)
  ret void
}

; frames.ll with __except of all, which unwinding to a frame farther out does not enter, and a cleanup in inner that it runs.
declare i32 @__C_specific_handler(...)
declare void @land(ptr, ptr)
declare void @thrower(i32)

@inner.name = private constant [6 x i8] c"inner\00"
@outer.name = private constant [6 x i8] c"outer\00"
@cleanup.name = private constant [17 x i8] c"inner's cleanup\00\00"

define i32 @inner(i32 %n) noinline uwtable personality ptr @__C_specific_handler {
  %kept = mul i32 %n, 1000
  invoke void @thrower(i32 %n) to label %done unwind label %dispatch
done:
  ret i32 %n
dispatch:
  %all = catchswitch within none [label %pad] unwind label %cleanup
pad:
  %p = catchpad within %all [ptr null]
  catchret from %p to label %stay
cleanup:
  %c = cleanuppad within none []
  call void @land(ptr @cleanup.name, ptr null) [ "funclet"(token %c) ]
  cleanupret from %c unwind to caller
stay:
  call void @land(ptr @inner.name, ptr null)
  ret i32 %kept
}

define i32 @outer(i32 %n) noinline uwtable personality ptr @__C_specific_handler {
  %kept = add i32 %n, 7
  %v = invoke i32 @inner(i32 %n) to label %done unwind label %dispatch
done:
  ret i32 %v
dispatch:
  %all = catchswitch within none [label %pad] unwind to caller
pad:
  %p = catchpad within %all [ptr null]
  catchret from %p to label %stay
stay:
  call void @land(ptr @outer.name, ptr null)
  ret i32 %kept
}

; Functions with a place where exceptions land, for circ_frame_label() and what goes there. inner goes on where it is unwound, outer stays. For the C
; preprocessor.
declare i32 @PERSONALITY(...)
declare void @land(ptr, ptr)
declare void @thrower(i32)

@inner.name = private constant [6 x i8] c"inner\00"
@outer.name = private constant [6 x i8] c"outer\00"

define i32 @inner(i32 %n) noinline uwtable personality ptr @PERSONALITY {
  %kept = mul i32 %n, 1000
  invoke void @thrower(i32 %n) to label %done unwind label %pad
done:
  ret i32 %n
pad:
  %e = landingpad { ptr, i32 } cleanup
  %x = extractvalue { ptr, i32 } %e, 0
  call void @land(ptr @inner.name, ptr null)
  %forced = icmp ne ptr %x, null
  br i1 %forced, label %on, label %stay
on:
  resume { ptr, i32 } %e
stay:
  ret i32 %kept
}

define i32 @outer(i32 %n) noinline uwtable personality ptr @PERSONALITY {
  %kept = add i32 %n, 7
  %v = invoke i32 @inner(i32 %n) to label %done unwind label %pad
done:
  ret i32 %v
pad:
  %e = landingpad { ptr, i32 } cleanup
  %x = extractvalue { ptr, i32 } %e, 0
  call void @land(ptr @outer.name, ptr %x)
  ret i32 %kept
}

; What System V has, and Windows not: one warning a function.
; RUN: split-file %s %t
; RUN: %circ --emit=flat --target=x86_64-pc-windows-msvc %t/warned.ll -o - 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning:
; RUN: %circ --emit=flat --target=x86_64-w64-windows-gnu %t/warned.ll -o - 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning:
; RUN: %circ --emit=flat %t/warned.ll -o - 2>&1 >/dev/null | FileCheck %s --check-prefix=OWN --allow-empty --implicit-check-not=warning:
; CHECK: warning: function 'reads' reads variable arguments as System V passes them; on Windows other modules cannot call it
; CHECK: warning: function 'gives_list' passes a list of variable arguments to or from 'vsnprintf'; on Windows that does not work
; CHECK: warning: function 'gives_list_99' passes a list of variable arguments to or from '__isoc99_vsscanf'; on Windows that does not work
; CHECK: warning: function 'passes' passes a record in memory, as System V does to or from 'record'; on Windows that does not work
; CHECK: warning: function 'gives' passes a 'long double' of 80 bits to or from 'wide'; on Windows that does not work
; CHECK: warning: function 'takes' takes a 'long double' of 80 bits to or from 'width'; on Windows that does not work
; OWN-NOT: warning
;--- warned.ll
target triple = "x86_64-unknown-linux-gnu"
%record = type { i64, i64, i64 }
declare void @llvm.va_start.p0(ptr)
declare void @record(ptr byval(%record))
declare void @wide(x86_fp80)
declare x86_fp80 @width()
define void @reads(...) {
  %list = alloca [24 x i8]
  call void @llvm.va_start.p0(ptr %list)
  ret void
}
; A local function is called by nobody else.
define internal void @reads_alone(...) {
  %list = alloca [24 x i8]
  call void @llvm.va_start.p0(ptr %list)
  ret void
}
declare i32 @vsnprintf(ptr, i64, ptr, ptr)
declare i32 @__isoc99_vsscanf(ptr, ptr, ptr)
define void @gives_list(ptr %p, ptr %list) {
  call i32 @vsnprintf(ptr %p, i64 1, ptr %p, ptr %list)
  ret void
}
define void @gives_list_99(ptr %p, ptr %list) {
  call i32 @__isoc99_vsscanf(ptr %p, ptr %p, ptr %list)
  ret void
}
define void @passes(ptr %r) {
  call void @record(ptr byval(%record) %r)
  call void @record(ptr byval(%record) %r)
  ret void
}
define void @gives() {
  call void @wide(x86_fp80 0xK3FFF8000000000000000)
  ret void
}
define void @takes() {
  %w = call x86_fp80 @width()
  ret void
}
; Within the module both sides agree.
define internal void @own(ptr byval(%record) %r, x86_fp80 %w) {
  ret void
}
define void @calls(ptr %r) {
  call void @own(ptr byval(%record) %r, x86_fp80 0xK3FFF8000000000000000)
  ret void
}

; The bases of a class stand in its type info, which another module may have.
; RUN: not %circ --target=x86_64-pc-windows-msvc -c %s -o %t.obj 2>&1 | FileCheck %s
; CHECK: {{^.*}}.ll: error: cannot find the bases of 'Error': its type info has no initializer in this module; link the module with the one that has it (llvm-link)
target triple = "x86_64-unknown-linux-gnu"
@_ZTI5Error = external constant ptr
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
define void @f() {
  %e = call ptr @__cxa_allocate_exception(i64 8)
  call void @__cxa_throw(ptr %e, ptr @_ZTI5Error, ptr null)
  unreachable
}

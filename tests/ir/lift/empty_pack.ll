; The Itanium ABI does not say of an empty pack of template arguments what it is a pack of: types, where a module was LLVM IR.
; RUN: %circ --target=x86_64-pc-windows-msvc -S %s -o - | FileCheck %s
; CHECK: .asciz ".?AU?$Box@$$V@@"
target triple = "x86_64-unknown-linux-gnu"
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTS3BoxIJEE = constant [9 x i8] c"3BoxIJEE\00"
@_ZTI3BoxIJEE = constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @_ZTS3BoxIJEE }
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
define void @f() {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  call void @__cxa_throw(ptr %e, ptr @_ZTI3BoxIJEE, ptr null)
  unreachable
}

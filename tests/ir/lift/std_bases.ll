; A base of the standard library is one class, whether its type info is named or another class of the library has it as a base.
; RUN: %circ --target=x86_64-pc-windows-msvc -S %s -o - | FileCheck %s
; CHECK-COUNT-1: {{^}}circ.own.St9exception:
; CHECK-NOT: {{^}}circ.own.St9exception:
target triple = "x86_64-unknown-linux-gnu"
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x ptr]
@_ZTISt9exception = external constant ptr
@_ZTISt11logic_error = external constant ptr
@_ZTS1A = constant [3 x i8] c"1A\00"
@_ZTS1B = constant [3 x i8] c"1B\00"
@_ZTI1A = constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @_ZTS1A, ptr @_ZTISt11logic_error }
@_ZTI1B = constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @_ZTS1B, ptr @_ZTISt9exception }
@_ZTV1A = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @_ZTI1A, ptr @f] }
@_ZTV1B = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @_ZTI1B, ptr @f] }
define void @f() {
  ret void
}

; The pointer to a constructor is in the group of its variable.
; RUN: %circ --emit=asm %s -o - | FileCheck %s
; CHECK-NOT: declared
; CHECK: .section .init_array,"awG",@init_array,v,comdat
; CHECK: .section .init_array.1,"aw",@init_array
; CHECK-NOT: declared
target triple = "x86_64-unknown-linux-gnu"
$v = comdat any
@v = linkonce_odr global i32 0, comdat
@w = available_externally global i32 0
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @init, ptr @v }, { i32, ptr, ptr } { i32 1, ptr @other, ptr null }, { i32, ptr, ptr } { i32 2, ptr @declared, ptr @w }]
define internal void @init() section ".text.startup" comdat($v) {
  ret void
}
define internal void @other() {
  ret void
}
declare void @declared()

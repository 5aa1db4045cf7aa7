; The lines of debug metadata stay where they are: of functions, of instructions, of code that was inlined from another file, and in messages.
; RUN: %circ -g -c %s -o %t.o
; RUN: llvm-dwarfdump --verify %t.o
; RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s --check-prefix=LINES
; RUN: llvm-dwarfdump --debug-info %t.o | FileCheck %s --check-prefix=INFO
; RUN: %circ --emit=abi --print-locations %s -o %t.cir
; RUN: FileCheck %s --check-prefix=LOCS --input-file=%t.cir
; RUN: %circ -g -c %t.cir -o %t.again.o
; RUN: llvm-dwarfdump --debug-line %t.again.o | FileCheck %s --check-prefix=LINES
; RUN: not %circ --emit=flat %s -o - 2>&1 | FileCheck %s --check-prefix=ERROR
; INFO: DW_AT_name ("first.c")
; INFO: DW_AT_name ("f")
; INFO-NEXT: DW_AT_decl_file ("/src/first.c")
; INFO-NEXT: DW_AT_decl_line (7)
; INFO-NOT: DW_TAG_subprogram
; LOCS: cir.try_call @work(){{.*}} loc("/src/first.c":8:3)
; LOCS: cir.mul {{.*}} loc("/src/second.h":3:11)
; LOCS: cir.return {{.*}} loc("/src/first.c":11:3)
; LOCS-NEXT: } loc("/src/first.c":7:0)
; LINES: include_directories[ 1] = "/src"
; LINES: file_names[ 1]:
; LINES-NEXT: name: "first.c"
; LINES-NEXT: dir_index: 1
; LINES: name: "second.h"
; LINES-NEXT: dir_index: 1
; LINES: 0x{{[0-9a-f]+}} 7 0 1
; LINES: 0x{{[0-9a-f]+}} 8 3 1
; LINES: 0x{{[0-9a-f]+}} 9 5 1
; LINES: 0x{{[0-9a-f]+}} 3 11 2
; LINES: 0x{{[0-9a-f]+}} 11 3 1
; ERROR: /src/first.c:9:5: error: function 'f': 'cir.add' computes with the selector of an exception
source_filename = "first.c"
target triple = "x86_64-pc-linux-gnu"
declare void @work()
declare i32 @__gxx_personality_v0(...)
define i32 @f(i32 %a) personality ptr @__gxx_personality_v0 !dbg !5 {
  invoke void @work() to label %done unwind label %pad, !dbg !8
pad:
  %lp = landingpad { ptr, i32 } cleanup, !dbg !8
  %s = extractvalue { ptr, i32 } %lp, 1, !dbg !9
  %n = add i32 %s, 1, !dbg !9
  ret i32 %n, !dbg !9
done:
  %m = mul i32 %a, %a, !dbg !12
  ret i32 %m, !dbg !13
}
define i32 @without(i32 %a) {
  ret i32 %a
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "first.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "f", file: !1, line: 7, type: !4, scopeLine: 7, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DIFile(filename: "/src/second.h", directory: "/elsewhere")
!7 = distinct !DISubprogram(name: "square", file: !6, line: 2, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!8 = !DILocation(line: 8, column: 3, scope: !5)
!9 = !DILocation(line: 9, column: 5, scope: !10)
!10 = distinct !DILexicalBlock(scope: !5, file: !1, line: 9)
!11 = !DILocation(line: 10, column: 8, scope: !5)
!12 = !DILocation(line: 3, column: 11, scope: !7, inlinedAt: !11)
!13 = !DILocation(line: 11, column: 3, scope: !5)

; ModuleID = '/tmp/l/rm/program.bc'
source_filename = "program.7acf54d1-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@alloc41 = private unnamed_addr constant <{ [10 x i8] }> <{ [10 x i8] c"close %d\0A\00" }>, align 1
@alloc42 = private unnamed_addr constant <{ [14 x i8] }> <{ [14 x i8] c"explicit panic" }>, align 1
@alloc43 = private unnamed_addr constant <{ [10 x i8] }> <{ [10 x i8] c"program.rs" }>, align 1
@alloc44 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc43, [16 x i8] c"\0A\00\00\00\00\00\00\00%\00\00\00\09\00\00\00" }>, align 8
@alloc45 = private unnamed_addr constant <{ [11 x i8] }> <{ [11 x i8] c"caught %d\0A\00" }>, align 1
@alloc46 = private unnamed_addr constant <{ [11 x i8] }> <{ [11 x i8] c"result %d\0A\00" }>, align 1
@alloc47 = private unnamed_addr constant <{ [8 x i8] }> <{ [8 x i8] c"end %d\0A\00" }>, align 1

; Function Attrs: nonlazybind uwtable
define internal fastcc void @"_ZN4core3ptr35drop_in_place$LT$program..Guard$GT$17ha65a60c9abbc3b63E"(ptr nocapture readonly %_1) unnamed_addr #0 {
start:
  tail call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %_5.i = load i32, ptr %_1, align 4, !alias.scope !2
  tail call void @say(ptr @alloc41, i32 %_5.i), !noalias !2
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable
define void @rust_eh_personality() unnamed_addr #1 {
start:
  ret void
}

; Function Attrs: noreturn nonlazybind uwtable
define void @rust_begin_unwind(ptr noalias nocapture noundef readonly align 8 dereferenceable(40) %_1) unnamed_addr #2 {
start:
  tail call void @throw_number(i32 -1) #8
  unreachable
}

; Function Attrs: nonlazybind uwtable
define void @"_ZN56_$LT$program..Guard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h873e5c8730b1fb7fE"(ptr noalias nocapture noundef readonly align 4 dereferenceable(4) %self) unnamed_addr #0 {
start:
  %_5 = load i32, ptr %self, align 4
  tail call void @say(ptr @alloc41, i32 %_5)
  ret void
}

; Function Attrs: noinline nonlazybind uwtable
define internal fastcc i32 @_ZN7program4work17he12943f2b97393a8E(i32 returned %n) unnamed_addr #3 {
start:
  switch i32 %n, label %bb4 [
    i32 2, label %bb1
    i32 3, label %bb3
  ]

bb1:                                              ; preds = %start
  tail call void @throw_number(i32 20) #8
  unreachable

bb3:                                              ; preds = %start
  tail call void @_ZN4core9panicking5panic17h2c88932fe82bb6e8E(ptr noalias noundef nonnull readonly align 1 @alloc42, i64 14, ptr noalias noundef readonly align 8 dereferenceable(24) @alloc44) #8
  unreachable

bb4:                                              ; preds = %start
  ret i32 %n
}

; Function Attrs: noinline nonlazybind uwtable
define internal fastcc i32 @_ZN7program7guarded17hc3c987c3045b091eE(i32 %n) unnamed_addr #3 personality ptr @rust_eh_personality {
start:
  %inner = alloca i32, align 4
  %_outer = alloca i32, align 4
  %0 = bitcast ptr %_outer to ptr
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %0)
  store i32 %n, ptr %_outer, align 4
  %1 = bitcast ptr %inner to ptr
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %1)
  %_5 = add i32 %n, 100
  store i32 %_5, ptr %inner, align 4
  %result = invoke fastcc i32 @_ZN7program4work17he12943f2b97393a8E(i32 %n)
          to label %bb1 unwind label %bb6

cleanup:                                          ; preds = %bb1
  %2 = landingpad { ptr, i32 }
          cleanup
  br label %bb4

bb1:                                              ; preds = %start
  invoke void @say(ptr @alloc41, i32 %_5)
          to label %bb2 unwind label %cleanup

bb2:                                              ; preds = %bb1
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %1)
  tail call void @say(ptr @alloc41, i32 %n), !noalias !5
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %0)
  ret i32 %n

bb4:                                              ; preds = %bb6, %cleanup
  %3 = phi { ptr, i32 } [ %4, %bb6 ], [ %2, %cleanup ]
  invoke fastcc void @"_ZN4core3ptr35drop_in_place$LT$program..Guard$GT$17ha65a60c9abbc3b63E"(ptr nonnull %_outer) #9
          to label %bb5 unwind label %abort

bb6:                                              ; preds = %start
  %4 = landingpad { ptr, i32 }
          cleanup
  invoke fastcc void @"_ZN4core3ptr35drop_in_place$LT$program..Guard$GT$17ha65a60c9abbc3b63E"(ptr nonnull %inner) #9
          to label %bb4 unwind label %abort

abort:                                            ; preds = %bb6, %bb4
  %5 = landingpad { ptr, i32 }
          cleanup
  tail call void @_ZN4core9panicking15panic_no_unwind17h81efef8d2418efafE() #10
  unreachable

bb5:                                              ; preds = %bb4
  resume { ptr, i32 } %3
}

; Function Attrs: nonlazybind uwtable
define i32 @main() unnamed_addr #0 personality ptr @rust_eh_personality {
start:
  %_6.i1.i = invoke fastcc i32 @_ZN7program7guarded17hc3c987c3045b091eE(i32 0)
          to label %bb2 unwind label %__rust_try.exit

__rust_try.exit:                                  ; preds = %start
  %0 = landingpad { ptr, i32 }
          catch ptr null
  %1 = extractvalue { ptr, i32 } %0, 0
  %_7.i2.i = tail call i32 @thrown(ptr %1)
  br label %bb2

bb2:                                              ; preds = %__rust_try.exit, %start
  %_6.i1.sink.i19 = phi i32 [ %_7.i2.i, %__rust_try.exit ], [ %_6.i1.i, %start ]
  %2 = phi ptr [ @alloc45, %__rust_try.exit ], [ @alloc46, %start ]
  %3 = getelementptr [0 x i8], ptr %2, i64 0, i64 0
  tail call void @say(ptr %3, i32 %_6.i1.sink.i19)
  %_6.i1.i.1 = invoke fastcc i32 @_ZN7program7guarded17hc3c987c3045b091eE(i32 1)
          to label %bb2.1 unwind label %__rust_try.exit.1

__rust_try.exit.1:                                ; preds = %bb2
  %4 = landingpad { ptr, i32 }
          catch ptr null
  %5 = extractvalue { ptr, i32 } %4, 0
  %_7.i2.i.1 = tail call i32 @thrown(ptr %5)
  br label %bb2.1

bb2.1:                                            ; preds = %__rust_try.exit.1, %bb2
  %_6.i1.sink.i19.1 = phi i32 [ %_7.i2.i.1, %__rust_try.exit.1 ], [ %_6.i1.i.1, %bb2 ]
  %6 = phi ptr [ @alloc45, %__rust_try.exit.1 ], [ @alloc46, %bb2 ]
  %7 = getelementptr [0 x i8], ptr %6, i64 0, i64 0
  tail call void @say(ptr %7, i32 %_6.i1.sink.i19.1)
  %_6.i1.i.2 = invoke fastcc i32 @_ZN7program7guarded17hc3c987c3045b091eE(i32 2)
          to label %bb2.2 unwind label %__rust_try.exit.2

__rust_try.exit.2:                                ; preds = %bb2.1
  %8 = landingpad { ptr, i32 }
          catch ptr null
  %9 = extractvalue { ptr, i32 } %8, 0
  %_7.i2.i.2 = tail call i32 @thrown(ptr %9)
  br label %bb2.2

bb2.2:                                            ; preds = %__rust_try.exit.2, %bb2.1
  %_6.i1.sink.i19.2 = phi i32 [ %_7.i2.i.2, %__rust_try.exit.2 ], [ %_6.i1.i.2, %bb2.1 ]
  %10 = phi ptr [ @alloc45, %__rust_try.exit.2 ], [ @alloc46, %bb2.1 ]
  %11 = getelementptr [0 x i8], ptr %10, i64 0, i64 0
  tail call void @say(ptr %11, i32 %_6.i1.sink.i19.2)
  %_6.i1.i.3 = invoke fastcc i32 @_ZN7program7guarded17hc3c987c3045b091eE(i32 3)
          to label %bb2.3 unwind label %__rust_try.exit.3

__rust_try.exit.3:                                ; preds = %bb2.2
  %12 = landingpad { ptr, i32 }
          catch ptr null
  %13 = extractvalue { ptr, i32 } %12, 0
  %_7.i2.i.3 = tail call i32 @thrown(ptr %13)
  br label %bb2.3

bb2.3:                                            ; preds = %__rust_try.exit.3, %bb2.2
  %_6.i1.sink.i19.3 = phi i32 [ %_7.i2.i.3, %__rust_try.exit.3 ], [ %_6.i1.i.3, %bb2.2 ]
  %14 = phi ptr [ @alloc45, %__rust_try.exit.3 ], [ @alloc46, %bb2.2 ]
  %15 = getelementptr [0 x i8], ptr %14, i64 0, i64 0
  tail call void @say(ptr %15, i32 %_6.i1.sink.i19.3)
  %_6.i1.i.4 = invoke fastcc i32 @_ZN7program7guarded17hc3c987c3045b091eE(i32 4)
          to label %bb2.4 unwind label %__rust_try.exit.4

__rust_try.exit.4:                                ; preds = %bb2.3
  %16 = landingpad { ptr, i32 }
          catch ptr null
  %17 = extractvalue { ptr, i32 } %16, 0
  %_7.i2.i.4 = tail call i32 @thrown(ptr %17)
  br label %bb2.4

bb2.4:                                            ; preds = %__rust_try.exit.4, %bb2.3
  %_6.i1.sink.i19.4 = phi i32 [ %_7.i2.i.4, %__rust_try.exit.4 ], [ %_6.i1.i.4, %bb2.3 ]
  %18 = phi ptr [ @alloc45, %__rust_try.exit.4 ], [ @alloc46, %bb2.3 ]
  %19 = getelementptr [0 x i8], ptr %18, i64 0, i64 0
  tail call void @say(ptr %19, i32 %_6.i1.sink.i19.4)
  tail call void @say(ptr @alloc47, i32 0)
  ret i32 0
}

; Function Attrs: noreturn nonlazybind uwtable
declare void @throw_number(i32) unnamed_addr #2

; Function Attrs: nonlazybind uwtable
declare void @say(ptr, i32) unnamed_addr #0

; Function Attrs: cold noinline noreturn nonlazybind uwtable
declare void @_ZN4core9panicking5panic17h2c88932fe82bb6e8E(ptr noalias noundef nonnull readonly align 1, i64, ptr noalias noundef readonly align 8 dereferenceable(24)) unnamed_addr #4

; Function Attrs: cold noinline noreturn nounwind nonlazybind uwtable
declare void @_ZN4core9panicking15panic_no_unwind17h81efef8d2418efafE() unnamed_addr #5

; Function Attrs: nonlazybind uwtable
declare i32 @thrown(ptr) unnamed_addr #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #6

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #7

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #7

attributes #0 = { nonlazybind uwtable "probe-stack"="__rust_probestack" "target-cpu"="x86-64" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable "probe-stack"="__rust_probestack" "target-cpu"="x86-64" }
attributes #2 = { noreturn nonlazybind uwtable "probe-stack"="__rust_probestack" "target-cpu"="x86-64" }
attributes #3 = { noinline nonlazybind uwtable "probe-stack"="__rust_probestack" "target-cpu"="x86-64" }
attributes #4 = { cold noinline noreturn nonlazybind uwtable "probe-stack"="__rust_probestack" "target-cpu"="x86-64" }
attributes #5 = { cold noinline noreturn nounwind nonlazybind uwtable "probe-stack"="__rust_probestack" "target-cpu"="x86-64" }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #7 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #8 = { noreturn }
attributes #9 = { noinline }
attributes #10 = { noinline noreturn nounwind }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!3}
!3 = distinct !{!3, !4, !"_ZN56_$LT$program..Guard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h873e5c8730b1fb7fE: %self"}
!4 = distinct !{!4, !"_ZN56_$LT$program..Guard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h873e5c8730b1fb7fE"}
!5 = !{!6}
!6 = distinct !{!6, !7, !"_ZN56_$LT$program..Guard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h873e5c8730b1fb7fE: %self"}
!7 = distinct !{!7, !"_ZN56_$LT$program..Guard$u20$as$u20$core..ops..drop..Drop$GT$4drop17h873e5c8730b1fb7fE"}

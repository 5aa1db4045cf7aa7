; ModuleID = '/tmp/l/dm/all.bc'
source_filename = "llvm-link"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%program.Plain = type { ptr, ptr }
%object.TypeInfo_Class = type { ptr, ptr, { i64, ptr }, { i64, ptr }, { i64, ptr }, { i64, ptr }, ptr, ptr, ptr, i32, [4 x i8], ptr, { i64, ptr }, ptr, ptr }
%program.Numbered = type { ptr, ptr, i32 }
%program.Guard = type { i32 }

@_D7program5Plain6__initZ = constant %program.Plain { ptr @_D7program5Plain6__vtblZ, ptr null }, align 8
@_D7program5Plain6__vtblZ = constant [1 x ptr] [ptr @_D7program5Plain7__ClassZ]
@_D7program5Plain7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 16, ptr @_D7program5Plain6__initZ }, { i64, ptr } { i64 13, ptr @.str }, { i64, ptr } { i64 1, ptr @_D7program5Plain6__vtblZ }, { i64, ptr } zeroinitializer, ptr @_D9Exception7__ClassZ, ptr null, ptr null, i32 54, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }
@.str = private unnamed_addr constant [14 x i8] c"program.Plain\00"
@_D7program8Numbered6__initZ = constant %program.Numbered { ptr @_D7program8Numbered6__vtblZ, ptr null, i32 0 }, align 8
@_D7program8Numbered6__vtblZ = constant [1 x ptr] [ptr @_D7program8Numbered7__ClassZ]
@_D7program8Numbered7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 20, ptr @_D7program8Numbered6__initZ }, { i64, ptr } { i64 16, ptr @.str.1 }, { i64, ptr } { i64 1, ptr @_D7program8Numbered6__vtblZ }, { i64, ptr } zeroinitializer, ptr @_D9Exception7__ClassZ, ptr null, ptr null, i32 62, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }
@.str.1 = private unnamed_addr constant [17 x i8] c"program.Numbered\00"
@_D7program4Deep6__initZ = constant %program.Numbered { ptr @_D7program4Deep6__vtblZ, ptr null, i32 0 }, align 8
@_D7program4Deep6__vtblZ = constant [1 x ptr] [ptr @_D7program4Deep7__ClassZ]
@_D7program4Deep7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 20, ptr @_D7program4Deep6__initZ }, { i64, ptr } { i64 12, ptr @.str.2 }, { i64, ptr } { i64 1, ptr @_D7program4Deep6__vtblZ }, { i64, ptr } zeroinitializer, ptr @_D7program8Numbered7__ClassZ, ptr null, ptr null, i32 62, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }
@.str.2 = private unnamed_addr constant [13 x i8] c"program.Deep\00"
@.str.3 = private unnamed_addr constant [10 x i8] c"close %d\0A\00"
@.str.4 = private unnamed_addr constant [12 x i8] c"failure %d\0A\00"
@.str.5 = private unnamed_addr constant [12 x i8] c"finally %d\0A\00"
@.str.6 = private unnamed_addr constant [9 x i8] c"deep %d\0A\00"
@.str.7 = private unnamed_addr constant [13 x i8] c"numbered %d\0A\00"
@.str.9 = private unnamed_addr constant [11 x i8] c"result %d\0A\00"
@str = private unnamed_addr constant [4 x i8] c"end\00", align 1
@str.11 = private unnamed_addr constant [10 x i8] c"exception\00", align 1
@_D6Object6__initZ = constant %program.Plain { ptr @_D6Object6__vtblZ, ptr null }, align 8
@_D6Object6__vtblZ = constant [1 x ptr] [ptr @_D6Object7__ClassZ]
@_D6Object7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 16, ptr @_D6Object6__initZ }, { i64, ptr } { i64 13, ptr @.str.8 }, { i64, ptr } { i64 1, ptr @_D6Object6__vtblZ }, { i64, ptr } zeroinitializer, ptr null, ptr null, ptr null, i32 54, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }
@_D14TypeInfo_Class6__vtblZ = constant [1 x ptr] [ptr @_D14TypeInfo_Class7__ClassZ]
@.str.8 = private unnamed_addr constant [14 x i8] c"object.Object\00"
@_D8TypeInfo6__initZ = constant %program.Plain { ptr @_D8TypeInfo6__vtblZ, ptr null }, align 8
@_D8TypeInfo6__vtblZ = constant [1 x ptr] [ptr @_D8TypeInfo7__ClassZ]
@_D8TypeInfo7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 16, ptr @_D8TypeInfo6__initZ }, { i64, ptr } { i64 15, ptr @.str.1.10 }, { i64, ptr } { i64 1, ptr @_D8TypeInfo6__vtblZ }, { i64, ptr } zeroinitializer, ptr @_D6Object7__ClassZ, ptr null, ptr null, i32 54, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }
@.str.1.10 = private unnamed_addr constant [16 x i8] c"object.TypeInfo\00"
@_D14TypeInfo_Class6__initZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } zeroinitializer, { i64, ptr } zeroinitializer, { i64, ptr } zeroinitializer, { i64, ptr } zeroinitializer, ptr null, ptr null, ptr null, i32 0, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }, align 8
@_D14TypeInfo_Class7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 152, ptr @_D14TypeInfo_Class6__initZ }, { i64, ptr } { i64 14, ptr @.str.2.9 }, { i64, ptr } { i64 1, ptr @_D14TypeInfo_Class6__vtblZ }, { i64, ptr } zeroinitializer, ptr @_D8TypeInfo7__ClassZ, ptr null, ptr null, i32 52, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr inttoptr (i64 1 to ptr) }
@.str.2.9 = private unnamed_addr constant [15 x i8] c"TypeInfo_Class\00"
@_D6object9Throwable6__initZ = constant %program.Plain { ptr @_D6object9Throwable6__vtblZ, ptr null }, align 8
@_D6object9Throwable6__vtblZ = constant [1 x ptr] [ptr @_D6object9Throwable7__ClassZ]
@_D6object9Throwable7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 16, ptr @_D6object9Throwable6__initZ }, { i64, ptr } { i64 16, ptr @.str.3.13 }, { i64, ptr } { i64 1, ptr @_D6object9Throwable6__vtblZ }, { i64, ptr } zeroinitializer, ptr @_D6Object7__ClassZ, ptr null, ptr null, i32 54, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }
@.str.3.13 = private unnamed_addr constant [17 x i8] c"object.Throwable\00"
@_D9Exception6__initZ = constant %program.Plain { ptr @_D9Exception6__vtblZ, ptr null }, align 8
@_D9Exception6__vtblZ = constant [1 x ptr] [ptr @_D9Exception7__ClassZ]
@_D9Exception7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 16, ptr @_D9Exception6__initZ }, { i64, ptr } { i64 16, ptr @.str.4.16 }, { i64, ptr } { i64 1, ptr @_D9Exception6__vtblZ }, { i64, ptr } zeroinitializer, ptr @_D6object9Throwable7__ClassZ, ptr null, ptr null, i32 54, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }
@.str.4.16 = private unnamed_addr constant [17 x i8] c"object.Exception\00"
@_D6object5Error6__initZ = constant %program.Plain { ptr @_D6object5Error6__vtblZ, ptr null }, align 8
@_D6object5Error6__vtblZ = constant [1 x ptr] [ptr @_D6object5Error7__ClassZ]
@_D6object5Error7__ClassZ = global %object.TypeInfo_Class { ptr @_D14TypeInfo_Class6__vtblZ, ptr null, { i64, ptr } { i64 16, ptr @_D6object5Error6__initZ }, { i64, ptr } { i64 12, ptr @.str.5.17 }, { i64, ptr } { i64 1, ptr @_D6object5Error6__vtblZ }, { i64, ptr } zeroinitializer, ptr @_D6object9Throwable7__ClassZ, ptr null, ptr null, i32 54, [4 x i8] zeroinitializer, ptr null, { i64, ptr } zeroinitializer, ptr null, ptr null }
@.str.5.17 = private unnamed_addr constant [13 x i8] c"object.Error\00"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write) uwtable
define nonnull ptr @_D7program8Numbered6__ctorMFiZCQBdQy(ptr nonnull returned writeonly %0, i32 %1) local_unnamed_addr #0 {
  %3 = getelementptr inbounds %program.Numbered, ptr %0, i64 0, i32 2
  store i32 %1, ptr %3, align 4
  ret ptr %0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write) uwtable
define nonnull ptr @_D7program4Deep6__ctorMFiZCQzQt(ptr nonnull returned writeonly %0, i32 %1) local_unnamed_addr #0 {
  %3 = getelementptr inbounds %program.Numbered, ptr %0, i64 0, i32 2
  store i32 %1, ptr %3, align 4
  ret ptr %0
}

; Function Attrs: nofree nounwind uwtable
define void @_D7program5Guard6__dtorMFZv(ptr nocapture nonnull readonly %0) local_unnamed_addr #1 {
  %2 = getelementptr inbounds %program.Guard, ptr %0, i64 0, i32 0
  %3 = load i32, ptr %2, align 4
  %4 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.3, i32 %3) #9
  ret void
}

; Function Attrs: nofree nounwind
declare noundef i32 @printf(ptr nocapture noundef readonly, ...) local_unnamed_addr #2

; Function Attrs: nofree nounwind uwtable
define nonnull ptr @_D7program5Guard8opAssignMFNcNjSQBeQzZQh(ptr nonnull returned %0, ptr noalias nocapture readonly align 4 %1) local_unnamed_addr #1 {
  %3 = getelementptr %program.Guard, ptr %0, i64 0, i32 0
  %4 = load i32, ptr %3, align 1
  %5 = getelementptr %program.Guard, ptr %1, i64 0, i32 0
  %6 = load i32, ptr %5, align 4
  store i32 %6, ptr %3, align 1
  %7 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.3, i32 %4) #10
  ret ptr %0
}

; Function Attrs: uwtable
define i32 @_D7program4workFiZi(i32 returned %0) local_unnamed_addr #3 {
  switch i32 %0, label %14 [
    i32 2, label %2
    i32 3, label %7
  ]

2:                                                ; preds = %1
  %3 = tail call ptr @_d_allocclass(ptr nonnull @_D7program5Plain7__ClassZ) #4
  %4 = getelementptr %program.Plain, ptr %3, i64 0, i32 0
  store ptr @_D7program5Plain6__vtblZ, ptr %4, align 8
  %5 = getelementptr inbounds %program.Plain, ptr %3, i64 0, i32 1
  store ptr null, ptr %5, align 8
  %6 = bitcast ptr %3 to ptr
  tail call void @_d_throw_exception(ptr %6) #5
  unreachable

7:                                                ; preds = %1
  %8 = tail call ptr @_d_allocclass(ptr nonnull @_D7program8Numbered7__ClassZ) #4
  %9 = getelementptr %program.Plain, ptr %8, i64 0, i32 0
  store ptr @_D7program8Numbered6__vtblZ, ptr %9, align 8
  %10 = getelementptr inbounds %program.Plain, ptr %8, i64 0, i32 1
  store ptr null, ptr %10, align 8
  %11 = getelementptr inbounds %program.Plain, ptr %8, i64 1
  %12 = bitcast ptr %11 to ptr
  store i32 30, ptr %12, align 4
  %13 = bitcast ptr %8 to ptr
  tail call void @_d_throw_exception(ptr %13) #5
  unreachable

14:                                               ; preds = %1
  %15 = icmp sgt i32 %0, 3
  br i1 %15, label %16, label %24

16:                                               ; preds = %14
  %17 = tail call ptr @_d_allocclass(ptr nonnull @_D7program4Deep7__ClassZ) #4
  %18 = getelementptr %program.Plain, ptr %17, i64 0, i32 0
  store ptr @_D7program4Deep6__vtblZ, ptr %18, align 8
  %19 = getelementptr inbounds %program.Plain, ptr %17, i64 0, i32 1
  store ptr null, ptr %19, align 8
  %20 = getelementptr inbounds %program.Plain, ptr %17, i64 1
  %21 = bitcast ptr %20 to ptr
  %22 = mul i32 %0, 10
  store i32 %22, ptr %21, align 4
  %23 = bitcast ptr %17 to ptr
  tail call void @_d_throw_exception(ptr %23) #5
  unreachable

24:                                               ; preds = %14
  ret i32 %0
}

; Function Attrs: uwtable
declare ptr @_d_allocclass(ptr) local_unnamed_addr #4

; Function Attrs: cold noreturn uwtable
declare void @_d_throw_exception(ptr) local_unnamed_addr #5

; Function Attrs: uwtable
define i32 @_D7program7guardedFiZi(i32 %0) local_unnamed_addr #3 personality ptr @_d_eh_personality {
  %2 = invoke i32 @_D7program4workFiZi(i32 %0) #3
          to label %3 unwind label %16

3:                                                ; preds = %1
  %4 = add i32 %0, 1
  %5 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.3, i32 %0) #10
  ret i32 %4

6:                                                ; preds = %16
  %7 = tail call ptr @_d_eh_enter_catch(ptr %18)
  %8 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.4, i32 %0) #9
  invoke void @_d_throw_exception(ptr %7) #5
          to label %9 unwind label %10

9:                                                ; preds = %6
  unreachable

10:                                               ; preds = %6
  %11 = landingpad { ptr, i32 }
          cleanup
  %12 = extractvalue { ptr, i32 } %11, 0
  br label %13

13:                                               ; preds = %16, %10
  %14 = phi ptr [ %18, %16 ], [ %12, %10 ]
  %15 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.3, i32 %0) #10
  tail call void @_Unwind_Resume(ptr %14)
  unreachable

16:                                               ; preds = %1
  %17 = landingpad { ptr, i32 }
          cleanup
          catch ptr @_D6object9Throwable7__ClassZ
  %18 = extractvalue { ptr, i32 } %17, 0
  %19 = extractvalue { ptr, i32 } %17, 1
  %20 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D6object9Throwable7__ClassZ)
  %21 = icmp eq i32 %19, %20
  br i1 %21, label %6, label %13
}

; Function Attrs: uwtable
declare i32 @_d_eh_personality(i32, i32, i64, ptr, ptr) #4

; Function Attrs: nounwind uwtable
declare ptr @_d_eh_enter_catch(ptr) local_unnamed_addr #6

; Function Attrs: cold noreturn uwtable
declare void @_Unwind_Resume(ptr) local_unnamed_addr #5

; Function Attrs: nounwind memory(none)
declare i32 @llvm.eh.typeid.for.p0(ptr) #7

; Function Attrs: uwtable
define i32 @_D7program5againFiZi(i32 %0) local_unnamed_addr #3 personality ptr @_d_eh_personality {
  %2 = invoke i32 @_D7program7guardedFiZi(i32 %0) #3
          to label %12 unwind label %21

3:                                                ; preds = %21
  %4 = tail call ptr @_d_eh_enter_catch(ptr %23)
  %5 = getelementptr inbounds %program.Plain, ptr %4, i64 1
  %6 = bitcast ptr %5 to ptr
  %7 = load i32, ptr %6, align 4
  %8 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.6, i32 %7) #9
  %9 = icmp eq i32 %0, 5
  br i1 %9, label %10, label %12

10:                                               ; preds = %3
  invoke void @_d_throw_exception(ptr nonnull %4) #5
          to label %11 unwind label %15

11:                                               ; preds = %10
  unreachable

12:                                               ; preds = %3, %1
  %13 = phi i32 [ -1, %3 ], [ %2, %1 ]
  %14 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.5, i32 %0) #9
  ret i32 %13

15:                                               ; preds = %10
  %16 = landingpad { ptr, i32 }
          cleanup
  %17 = extractvalue { ptr, i32 } %16, 0
  br label %18

18:                                               ; preds = %21, %15
  %19 = phi ptr [ %17, %15 ], [ %23, %21 ]
  %20 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.5, i32 %0) #9
  tail call void @_Unwind_Resume(ptr %19)
  unreachable

21:                                               ; preds = %1
  %22 = landingpad { ptr, i32 }
          cleanup
          catch ptr @_D7program4Deep7__ClassZ
  %23 = extractvalue { ptr, i32 } %22, 0
  %24 = extractvalue { ptr, i32 } %22, 1
  %25 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D7program4Deep7__ClassZ)
  %26 = icmp eq i32 %24, %25
  br i1 %26, label %3, label %18
}

; Function Attrs: uwtable
define i32 @main() local_unnamed_addr #3 personality ptr @_d_eh_personality {
  %1 = invoke i32 @_D7program5againFiZi(i32 1) #3
          to label %2 unwind label %103

2:                                                ; preds = %0
  %3 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.9, i32 %1) #9
  br label %13

4:                                                ; preds = %103
  %5 = tail call ptr @_d_eh_enter_catch(ptr %105)
  %6 = getelementptr inbounds %program.Plain, ptr %5, i64 1
  %7 = bitcast ptr %6 to ptr
  %8 = load i32, ptr %7, align 4
  %9 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.7, i32 %8) #9
  br label %13

10:                                               ; preds = %109
  %11 = tail call ptr @_d_eh_enter_catch(ptr %105)
  %12 = tail call i32 @puts(ptr nonnull dereferenceable(1) @str.11)
  br label %13

13:                                               ; preds = %10, %4, %2
  %14 = invoke i32 @_D7program5againFiZi(i32 2) #3
          to label %33 unwind label %15

15:                                               ; preds = %13
  %16 = landingpad { ptr, i32 }
          catch ptr @_D7program8Numbered7__ClassZ
          catch ptr @_D9Exception7__ClassZ
  %17 = extractvalue { ptr, i32 } %16, 0
  %18 = extractvalue { ptr, i32 } %16, 1
  %19 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D7program8Numbered7__ClassZ)
  %20 = icmp eq i32 %18, %19
  br i1 %20, label %27, label %21

21:                                               ; preds = %15
  %22 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D9Exception7__ClassZ)
  %23 = icmp eq i32 %18, %22
  br i1 %23, label %24, label %112

24:                                               ; preds = %21
  %25 = tail call ptr @_d_eh_enter_catch(ptr %17)
  %26 = tail call i32 @puts(ptr nonnull dereferenceable(1) @str.11)
  br label %35

27:                                               ; preds = %15
  %28 = tail call ptr @_d_eh_enter_catch(ptr %17)
  %29 = getelementptr inbounds %program.Plain, ptr %28, i64 1
  %30 = bitcast ptr %29 to ptr
  %31 = load i32, ptr %30, align 4
  %32 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.7, i32 %31) #9
  br label %35

33:                                               ; preds = %13
  %34 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.9, i32 %14) #9
  br label %35

35:                                               ; preds = %33, %27, %24
  %36 = invoke i32 @_D7program5againFiZi(i32 3) #3
          to label %55 unwind label %37

37:                                               ; preds = %35
  %38 = landingpad { ptr, i32 }
          catch ptr @_D7program8Numbered7__ClassZ
          catch ptr @_D9Exception7__ClassZ
  %39 = extractvalue { ptr, i32 } %38, 0
  %40 = extractvalue { ptr, i32 } %38, 1
  %41 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D7program8Numbered7__ClassZ)
  %42 = icmp eq i32 %40, %41
  br i1 %42, label %49, label %43

43:                                               ; preds = %37
  %44 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D9Exception7__ClassZ)
  %45 = icmp eq i32 %40, %44
  br i1 %45, label %46, label %112

46:                                               ; preds = %43
  %47 = tail call ptr @_d_eh_enter_catch(ptr %39)
  %48 = tail call i32 @puts(ptr nonnull dereferenceable(1) @str.11)
  br label %57

49:                                               ; preds = %37
  %50 = tail call ptr @_d_eh_enter_catch(ptr %39)
  %51 = getelementptr inbounds %program.Plain, ptr %50, i64 1
  %52 = bitcast ptr %51 to ptr
  %53 = load i32, ptr %52, align 4
  %54 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.7, i32 %53) #9
  br label %57

55:                                               ; preds = %35
  %56 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.9, i32 %36) #9
  br label %57

57:                                               ; preds = %55, %49, %46
  %58 = invoke i32 @_D7program5againFiZi(i32 4) #3
          to label %77 unwind label %59

59:                                               ; preds = %57
  %60 = landingpad { ptr, i32 }
          catch ptr @_D7program8Numbered7__ClassZ
          catch ptr @_D9Exception7__ClassZ
  %61 = extractvalue { ptr, i32 } %60, 0
  %62 = extractvalue { ptr, i32 } %60, 1
  %63 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D7program8Numbered7__ClassZ)
  %64 = icmp eq i32 %62, %63
  br i1 %64, label %71, label %65

65:                                               ; preds = %59
  %66 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D9Exception7__ClassZ)
  %67 = icmp eq i32 %62, %66
  br i1 %67, label %68, label %112

68:                                               ; preds = %65
  %69 = tail call ptr @_d_eh_enter_catch(ptr %61)
  %70 = tail call i32 @puts(ptr nonnull dereferenceable(1) @str.11)
  br label %79

71:                                               ; preds = %59
  %72 = tail call ptr @_d_eh_enter_catch(ptr %61)
  %73 = getelementptr inbounds %program.Plain, ptr %72, i64 1
  %74 = bitcast ptr %73 to ptr
  %75 = load i32, ptr %74, align 4
  %76 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.7, i32 %75) #9
  br label %79

77:                                               ; preds = %57
  %78 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.9, i32 %58) #9
  br label %79

79:                                               ; preds = %77, %71, %68
  %80 = invoke i32 @_D7program5againFiZi(i32 5) #3
          to label %99 unwind label %81

81:                                               ; preds = %79
  %82 = landingpad { ptr, i32 }
          catch ptr @_D7program8Numbered7__ClassZ
          catch ptr @_D9Exception7__ClassZ
  %83 = extractvalue { ptr, i32 } %82, 0
  %84 = extractvalue { ptr, i32 } %82, 1
  %85 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D7program8Numbered7__ClassZ)
  %86 = icmp eq i32 %84, %85
  br i1 %86, label %93, label %87

87:                                               ; preds = %81
  %88 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D9Exception7__ClassZ)
  %89 = icmp eq i32 %84, %88
  br i1 %89, label %90, label %112

90:                                               ; preds = %87
  %91 = tail call ptr @_d_eh_enter_catch(ptr %83)
  %92 = tail call i32 @puts(ptr nonnull dereferenceable(1) @str.11)
  br label %101

93:                                               ; preds = %81
  %94 = tail call ptr @_d_eh_enter_catch(ptr %83)
  %95 = getelementptr inbounds %program.Plain, ptr %94, i64 1
  %96 = bitcast ptr %95 to ptr
  %97 = load i32, ptr %96, align 4
  %98 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.7, i32 %97) #9
  br label %101

99:                                               ; preds = %79
  %100 = tail call i32 (ptr, ...) @printf(ptr nonnull dereferenceable(1) @.str.9, i32 %80) #9
  br label %101

101:                                              ; preds = %99, %93, %90
  %102 = tail call i32 @puts(ptr nonnull dereferenceable(1) @str)
  ret i32 0

103:                                              ; preds = %0
  %104 = landingpad { ptr, i32 }
          catch ptr @_D7program8Numbered7__ClassZ
          catch ptr @_D9Exception7__ClassZ
  %105 = extractvalue { ptr, i32 } %104, 0
  %106 = extractvalue { ptr, i32 } %104, 1
  %107 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D7program8Numbered7__ClassZ)
  %108 = icmp eq i32 %106, %107
  br i1 %108, label %4, label %109

109:                                              ; preds = %103
  %110 = tail call i32 @llvm.eh.typeid.for.p0(ptr @_D9Exception7__ClassZ)
  %111 = icmp eq i32 %106, %110
  br i1 %111, label %10, label %112

112:                                              ; preds = %109, %87, %65, %43, %21
  %113 = phi ptr [ %83, %87 ], [ %61, %65 ], [ %39, %43 ], [ %17, %21 ], [ %105, %109 ]
  tail call void @_Unwind_Resume(ptr %113)
  unreachable
}

; Function Attrs: nofree nounwind
declare noundef i32 @puts(ptr nocapture noundef readonly) local_unnamed_addr #8

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write) uwtable "frame-pointer"="none" "target-cpu"="x86-64" "target-features"="+cx16" }
attributes #1 = { nofree nounwind uwtable "frame-pointer"="none" "target-cpu"="x86-64" "target-features"="+cx16" }
attributes #2 = { nofree nounwind "frame-pointer"="none" "target-cpu"="x86-64" "target-features"="+cx16" }
attributes #3 = { uwtable "frame-pointer"="none" "target-cpu"="x86-64" "target-features"="+cx16" }
attributes #4 = { uwtable }
attributes #5 = { cold noreturn uwtable }
attributes #6 = { nounwind uwtable }
attributes #7 = { nounwind memory(none) }
attributes #8 = { nofree nounwind }
attributes #9 = { "frame-pointer"="none" "target-cpu"="x86-64" "target-features"="+cx16" }
attributes #10 = { nounwind "frame-pointer"="none" "target-cpu"="x86-64" "target-features"="+cx16" }

!llvm.ldc.typeinfo._D7program5Plain7__ClassZ = !{!0}
!llvm.ldc.classinfo._D7program5Plain7__ClassZ = !{!1}
!llvm.ldc.typeinfo._D9Exception7__ClassZ = !{!0, !0}
!llvm.ldc.classinfo._D9Exception7__ClassZ = !{!1, !1}
!llvm.ldc.typeinfo._D7program8Numbered7__ClassZ = !{!0}
!llvm.ldc.classinfo._D7program8Numbered7__ClassZ = !{!2}
!llvm.ldc.typeinfo._D7program4Deep7__ClassZ = !{!0}
!llvm.ldc.classinfo._D7program4Deep7__ClassZ = !{!2}
!llvm.ldc.typeinfo._D6object9Throwable7__ClassZ = !{!0, !0}
!llvm.ldc.classinfo._D6object9Throwable7__ClassZ = !{!1, !1}
!llvm.ident = !{!3, !3}
!llvm.ldc.typeinfo._D6Object7__ClassZ = !{!0}
!llvm.ldc.classinfo._D6Object7__ClassZ = !{!1}
!llvm.ldc.typeinfo._D8TypeInfo7__ClassZ = !{!0}
!llvm.ldc.classinfo._D8TypeInfo7__ClassZ = !{!1}
!llvm.ldc.typeinfo._D14TypeInfo_Class7__ClassZ = !{!0}
!llvm.ldc.classinfo._D14TypeInfo_Class7__ClassZ = !{!4}
!llvm.ldc.typeinfo._D6object5Error7__ClassZ = !{!0}
!llvm.ldc.classinfo._D6object5Error7__ClassZ = !{!1}

!0 = !{ptr undef}
!1 = !{%program.Plain undef, i1 false}
!2 = !{%program.Numbered undef, i1 false}
!3 = !{!"ldc version 1.30.0"}
!4 = !{%object.TypeInfo_Class undef, i1 false}

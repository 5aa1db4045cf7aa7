; tries.ll for windows-msvc: each clause a catchswitch of its own, whose filter asks circ_seh_match(); the handlers are
; behind the catchret, and what is done with the cleanup of an exception is a funclet.

%clause = type { i32, i32, ptr }
%ops = type { ptr, ptr, ptr, ptr }

declare i32 @__C_specific_handler(...)
declare void @llvm.localescape(...)
declare ptr @llvm.localrecover(ptr, ptr, i32)
declare ptr @llvm.eh.recoverfp(ptr, ptr)
declare i32 @circ_seh_match(ptr, ptr, ptr, ptr)
declare ptr @circ_begin_catch(ptr)
declare void @circ_end_catch()
@type_error = external constant i8
@type_other = external constant i8
@plain = external constant i8

#define BEGIN(name) \
	define i32 @try_##name(ptr %o) "frame-pointer"="all" "no-realign-stack" uwtable personality ptr @__C_specific_handler { \
	%slot = alloca ptr \
	%local = alloca i32 \
	%landed = alloca ptr \
	call void (...) @llvm.localescape(ptr %slot, ptr %local, ptr %landed) \
	store ptr %o, ptr %slot \
	store i32 7, ptr %local \
	%body.at = getelementptr %ops, ptr %o, i32 0, i32 0 \
	%body = load ptr, ptr %body.at \
	%cleanup.at = getelementptr %ops, ptr %o, i32 0, i32 1 \
	%cleanup = load ptr, ptr %cleanup.at \
	invoke void %body(ptr %o) to label %done unwind label %pad \
	done: \
	call void %cleanup(ptr %o, i32 0, ptr %local) \
	ret i32 0 \
	pad: \
	%c = cleanuppad within none [] \
	invoke void %cleanup(ptr %o, i32 1, ptr %local) [ "funclet"(token %c) ] to label %cleaned unwind label %d1 \
	cleaned: \
	cleanupret from %c unwind label %d1

#define CASE(n, thunk, next) \
	d##n: \
	%s##n = catchswitch within none [label %p##n] unwind next \
	p##n: \
	%t##n = catchpad within %s##n [ptr thunk] \
	catchret from %t##n to label %case##n \
	case##n: br label %enter

#define HANDLER(...) \
	enter: \
	%which = phi i32 __VA_ARGS__ \
	%x = load ptr, ptr %landed \
	%object = call ptr @circ_begin_catch(ptr %x) \
	%handler.at = getelementptr %ops, ptr %o, i32 0, i32 3 \
	%handler = load ptr, ptr %handler.at \
	%result = invoke i32 %handler(ptr %o, i32 %which, ptr %object, ptr %x, ptr %local) to label %handled unwind label %thrown \
	handled: \
	call void @circ_end_catch() \
	ret i32 %result \
	thrown: \
	%e = cleanuppad within none [] \
	call void @circ_end_catch() [ "funclet"(token %e) ] \
	cleanupret from %e unwind to caller \
	}

#define ASK(name, n, clause) \
	define internal i32 @name.thunk##n(ptr %pointers, ptr %frame) uwtable { \
	%fp = call ptr @llvm.eh.recoverfp(ptr @try_##name, ptr %frame) \
	%landed = call ptr @llvm.localrecover(ptr @try_##name, ptr %fp, i32 2) \
	%answer = call i32 @circ_seh_match(ptr %pointers, ptr clause, ptr %fp, ptr %landed) \
	ret i32 %answer \
	}

#define FILTER(name) \
	define internal i32 @name.when(ptr %record, ptr %frame) uwtable { \
	%slot = call ptr @llvm.localrecover(ptr @try_##name, ptr %frame, i32 0) \
	%local = call ptr @llvm.localrecover(ptr @try_##name, ptr %frame, i32 1) \
	%o = load ptr, ptr %slot \
	%filter.at = getelementptr %ops, ptr %o, i32 0, i32 2 \
	%filter = load ptr, ptr %filter.at \
	%answer = call i32 %filter(ptr %o, ptr %record, ptr %local) \
	ret i32 %answer \
	} \
	@name.clause.when = private constant %clause { i32 3, i32 LANGUAGE, ptr @name.when }

@clause.error = private constant %clause { i32 2, i32 LANGUAGE, ptr @type_error }
@clause.other = private constant %clause { i32 2, i32 LANGUAGE, ptr @type_other }
@clause.plain = private constant %clause { i32 1, i32 LANGUAGE, ptr @plain }
@clause.all = private constant %clause { i32 4, i32 LANGUAGE, ptr null }

BEGIN(when_error_plain_all)
CASE(1, @when_error_plain_all.thunk1, label %d2)
CASE(2, @when_error_plain_all.thunk2, label %d3)
CASE(3, @when_error_plain_all.thunk3, label %d4)
CASE(4, @when_error_plain_all.thunk4, to caller)
HANDLER([ 1, %case1 ], [ 2, %case2 ], [ 3, %case3 ], [ 4, %case4 ])
FILTER(when_error_plain_all)
ASK(when_error_plain_all, 1, @when_error_plain_all.clause.when)
ASK(when_error_plain_all, 2, @clause.error)
ASK(when_error_plain_all, 3, @clause.plain)
ASK(when_error_plain_all, 4, null)

BEGIN(when)
CASE(1, @when.thunk1, to caller)
HANDLER([ 1, %case1 ])
FILTER(when)
ASK(when, 1, @when.clause.when)

BEGIN(other)
CASE(1, @other.thunk1, to caller)
HANDLER([ 1, %case1 ])
ASK(other, 1, @clause.other)

BEGIN(own)
CASE(1, @own.thunk1, to caller)
HANDLER([ 1, %case1 ])
ASK(own, 1, @clause.all)

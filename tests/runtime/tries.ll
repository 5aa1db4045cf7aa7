; What circ makes of a cir.try with a cleanup around its body, with landing pads. For the C preprocessor, whose
; macros make one line of a function, which LLVM does not mind.
;
;	try { body() } cleanup { cleanup(exceptional) } catch … { handler(which, object) }
;
; Everything is asked of a table of functions, tests/runtime/tries.hpp.

%clause = type { i32, i32, ptr }
%ops = type { ptr, ptr, ptr, ptr }

declare i32 @PERSONALITY(...)
declare void @llvm.localescape(...)
declare ptr @llvm.localrecover(ptr, ptr, i32)
declare i32 @llvm.eh.typeid.for(ptr)
declare ptr @circ_begin_catch(ptr)
declare void @circ_end_catch()
declare void @circ_drop(ptr)
@type_error = external constant i8
@type_other = external constant i8
@plain = external constant i8

#define BEGIN(name) \
	define i32 @try_##name(ptr %o) "frame-pointer"="all" "no-realign-stack" uwtable personality ptr @PERSONALITY { \
	%slot = alloca ptr \
	%local = alloca i32 \
	call void (...) @llvm.localescape(ptr %slot, ptr %local) \
	store ptr %o, ptr %slot \
	store i32 7, ptr %local \
	%body.at = getelementptr %ops, ptr %o, i32 0, i32 0 \
	%body = load ptr, ptr %body.at \
	invoke void %body(ptr %o) to label %done unwind label %pad \
	done: \
	%cleanup.at = getelementptr %ops, ptr %o, i32 0, i32 1 \
	%cleanup = load ptr, ptr %cleanup.at \
	call void %cleanup(ptr %o, i32 0, ptr %local) \
	ret i32 0

#define PADS(clauses) \
	pad: \
	%e = landingpad { ptr, i32 } cleanup clauses \
	%x1 = extractvalue { ptr, i32 } %e, 0 \
	%s1 = extractvalue { ptr, i32 } %e, 1 \
	%pcleanup.at = getelementptr %ops, ptr %o, i32 0, i32 1 \
	%pcleanup = load ptr, ptr %pcleanup.at \
	invoke void %pcleanup(ptr %o, i32 1, ptr %local) to label %dispatch unwind label %replaced \
	replaced: \
	%e2 = landingpad { ptr, i32 } cleanup clauses \
	%x2 = extractvalue { ptr, i32 } %e2, 0 \
	%s2 = extractvalue { ptr, i32 } %e2, 1 \
	call void @circ_drop(ptr %x1) \
	br label %dispatch \
	dispatch: \
	%x = phi ptr [ %x1, %pad ], [ %x2, %replaced ] \
	%s = phi i32 [ %s1, %pad ], [ %s2, %replaced ]

#define CASE(n, clause, next) \
	%t##n = call i32 @llvm.eh.typeid.for(ptr clause) \
	%m##n = icmp eq i32 %s, %t##n \
	br i1 %m##n, label %case##n, label %next \
	case##n: br label %enter \
	next:

#define NOTHING \
	%r1 = insertvalue { ptr, i32 } poison, ptr %x, 0 \
	%r2 = insertvalue { ptr, i32 } %r1, i32 %s, 1 \
	resume { ptr, i32 } %r2

#define HANDLER(...) \
	enter: \
	%which = phi i32 __VA_ARGS__ \
	%object = call ptr @circ_begin_catch(ptr %x) \
	%handler.at = getelementptr %ops, ptr %o, i32 0, i32 3 \
	%handler = load ptr, ptr %handler.at \
	%result = invoke i32 %handler(ptr %o, i32 %which, ptr %object, ptr %x, ptr %local) to label %handled unwind label %thrown \
	handled: \
	call void @circ_end_catch() \
	ret i32 %result \
	thrown: \
	%e3 = landingpad { ptr, i32 } cleanup \
	call void @circ_end_catch() \
	resume { ptr, i32 } %e3 \
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
PADS(catch ptr @when_error_plain_all.clause.when catch ptr @clause.error catch ptr @clause.plain catch ptr null)
CASE(1, @when_error_plain_all.clause.when, not1)
CASE(2, @clause.error, not2)
CASE(3, @clause.plain, not3)
	br label %enter
HANDLER([ 1, %case1 ], [ 2, %case2 ], [ 3, %case3 ], [ 4, %not3 ])
FILTER(when_error_plain_all)

BEGIN(when)
PADS(catch ptr @when.clause.when)
CASE(1, @when.clause.when, not1)
NOTHING
HANDLER([ 1, %case1 ])
FILTER(when)

BEGIN(other)
PADS(catch ptr @clause.other)
CASE(1, @clause.other, not1)
NOTHING
HANDLER([ 1, %case1 ])

BEGIN(own)
PADS(catch ptr @clause.all)
CASE(1, @clause.all, not1)
NOTHING
HANDLER([ 1, %case1 ])

// What a language's own exceptions do, on every system: the trace is in program.out. With an argument: what ends in a message.
#include "tries.hpp"

extern "C" {
int printf(const char *, ...);
int fflush(void *);
int strcmp(const char *, const char *);
}

#define printf(...) (printf(__VA_ARGS__), fflush(nullptr)) // what a program has said that dies

static void release(void *object)
{
	printf("  release %d\n", *(int *)object);
}

extern "C" {
const CircExceptionType type_base = {"my.Base", sizeof(int), nullptr, 0, {}};
const CircExceptionType type_error = {"my.Error", sizeof(int), release, 1, {&type_base}};
const CircExceptionType type_other = {"my.Other", sizeof(int), release, 0, {}};
const char plain = 0;
}

static const struct Derived {
	const char *name;
	size_t size;
	void (*release)(void *);
	size_t nbases;
	const CircExceptionType *bases[2];
} type_derived = {"my.Derived", sizeof(int), release, 2, {&type_other, &type_error}};

static const CircClause error = {CIRC_CLAUSE_EXCEPTION_TYPE, 0, &type_error};
static const CircClause other = {CIRC_CLAUSE_EXCEPTION_TYPE, 0, &type_other};
static const CircClause derived = {CIRC_CLAUSE_EXCEPTION_TYPE, 0, &type_derived};
static const CircClause plain_type = {CIRC_CLAUSE_TYPE, 0, &plain};
static const CircClause error5 = {CIRC_CLAUSE_EXCEPTION_TYPE, 5, &type_error};

static void throw_value(int value, const CircClause *type, void (*destroy)(void *) = nullptr)
{
	int *object = (int *)circ_allocate_exception(sizeof(int));
	*object = value;
	printf("  throw %d\n", value);
	circ_throw(object, type, destroy);
	printf("  goes on behind %d\n", value);
}

struct Guard {
	int n;
	~Guard()
	{
		printf("  ~Guard %d\n", n);
	}
};

static void say_cleanup(Try *, int exceptional, int *local)
{
	printf("  cleanup%s, local %d\n", exceptional ? " of an exception" : "", *local);
}

static int say_handler(Try *, int which, void *object, void *native, int *local)
{
	CircRecord *r = circ_record(native);
	printf("  handler %d: %s %d, local %d\n", which, r->code == CIRC_CODE_LANGUAGE ? "own" : "foreign",
	       object ? *(int *)object : -1, *local);
	return which;
}

static int filter_answer;

static int say_filter(Try *, CircRecord *r, int *local)
{
	++*local;
	printf("  filter: %s %d -> %d\n", r->code == CIRC_CODE_LANGUAGE ? "own" : "foreign",
	       r->object ? *(int *)r->object : -1, filter_answer);
	return filter_answer;
}

typedef int Tried(Try *);

static void run(const char *title, Tried *tried, void (*body)(Try *), int answer = 0)
{
	Try t = {body, say_cleanup, say_filter, say_handler};
	filter_answer = answer;
	printf("%s\n", title);
	printf("  = %d\n", tried(&t));
}

// --- one throw, one try ---

static void nothing(Try *) {}

static void throw_error(Try *)
{
	Guard g{1};
	throw_value(1, &error);
}

static void throw_derived(Try *)
{
	throw_value(2, &derived);
}

static void throw_plain(Try *)
{
	throw_value(3, &plain_type, [](void *object) { printf("  destroy %d\n", *(int *)object); });
}

static void throw_other(Try *)
{
	throw_value(4, &other);
}

/* The second one does not meet what the first one passed. */
static void throw_behind_a_scope(Try *)
{
	{
		Guard g{7};
		try {
			throw_value(7, &other);
		} catch (int n) {
			printf("  catch (int) %d\n", n);
		}
	}
	filter_answer = 0;
	throw_value(8, &other);
}

static void throw_cxx(Try *)
{
	Guard g{5};
	throw 5;
}

static void throw_language5(Try *)
{
	throw_value(6, &error5);
}

static void one_try()
{
	run("nothing", try_when_error_plain_all, nothing);
	run("a type", try_when_error_plain_all, throw_error);
	run("a base", try_when_error_plain_all, throw_derived);
	run("any address for a type", try_when_error_plain_all, throw_plain);
	run("all", try_when_error_plain_all, throw_other);
	run("a filter takes it", try_when_error_plain_all, throw_other, 1);
	run("a filter goes on", try_when_error_plain_all, throw_other, -1);
	run("a filter goes on, another is thrown", try_when_error_plain_all, throw_behind_a_scope, -1);
	run("C++'s", try_when_error_plain_all, throw_cxx);
	run("C++'s, a filter takes it", try_when_error_plain_all, throw_cxx, 1);
	run("another language's", try_when_error_plain_all, throw_language5);
	run("another language's, a filter takes it", try_when, throw_language5, 1);
	run("all of a language: another's", try_own, throw_language5);
	run("all of a language: its own", try5_own, throw_language5);
	run("language 5 and its own", try5_when_error_plain_all, throw_language5);
	run("language 5 and another's", try5_when_error_plain_all, throw_error);
}

// --- tries in tries ---

static Tried *inner;
static void (*inner_body)(Try *);
static int (*inner_handler)(Try *, int, void *, void *, int *) = say_handler;
static void (*inner_cleanup)(Try *, int, int *) = say_cleanup;

static void run_inner(Try *)
{
	Guard g{10};
	Try t = {inner_body, inner_cleanup, say_filter, inner_handler};
	printf("  inner = %d\n", inner(&t));
}

static void nested(const char *title, Tried *outer, Tried *in, void (*body)(Try *), int answer = 0)
{
	inner = in;
	inner_body = body;
	run(title, outer, run_inner, answer);
	inner_handler = say_handler;
	inner_cleanup = say_cleanup;
}

static int rethrow(Try *t, int which, void *object, void *native, int *local)
{
	say_handler(t, which, object, native, local);
	Guard g{11};
	circ_rethrow();
}

static int throw_another(Try *t, int which, void *object, void *native, int *local)
{
	say_handler(t, which, object, native, local);
	throw_value(20, &error);
	return 0;
}

/* Throws on, and a try of its own catches that; then its own handler is still one. */
static int rethrow_within(Try *t, int which, void *object, void *native, int *local)
{
	say_handler(t, which, object, native, local);
	Try again = {[](Try *) { circ_rethrow(); }, say_cleanup, say_filter, say_handler};
	try_own(&again);
	printf("  held: %d\n", object ? *(int *)object : -1);
	return which;
}

static int rethrow_to_cxx(Try *t, int which, void *object, void *native, int *local)
{
	say_handler(t, which, object, native, local);
	try {
		circ_rethrow();
	} catch (...) {
		printf("  catch (...)\n");
	}
	printf("  held: %d\n", object ? *(int *)object : -1);
	return which;
}

static void throw_in_cleanup(Try *t, int exceptional, int *local)
{
	say_cleanup(t, exceptional, local);
	throw_value(21, &error);
}

/* What is thrown and caught in a cleanup is not seen outside. */
static void catch_in_cleanup(Try *t, int exceptional, int *local)
{
	say_cleanup(t, exceptional, local);
	Try own = {throw_error, say_cleanup, say_filter, say_handler};
	printf("  in cleanup = %d\n", try_own(&own));
}

static void through_cxx(Try *t)
{
	try {
		Guard g{12};
		run_inner(t);
	} catch (int n) {
		printf("  catch (int) %d\n", n);
	} catch (...) {
		printf("  catch (...), thrown on\n");
		throw;
	}
}

static void kept_by_cxx(Try *t)
{
	try {
		run_inner(t);
	} catch (...) {
		printf("  catch (...)\n");
	}
}

static void nests()
{
	nested("the inner one does not take it", try_when_error_plain_all, try_other, throw_error);
	nested("filters, inner first, before cleanups", try_when, try_when, throw_error, 0 + 1);
	inner_handler = rethrow;
	nested("thrown on", try_when_error_plain_all, try_own, throw_error);
	inner_handler = rethrow;
	nested("thrown on: C++'s", try_when_error_plain_all, try_when_error_plain_all, throw_cxx);
	inner_handler = rethrow;
	nested("thrown on, a filter takes it: C++'s", try_when, try_when_error_plain_all, throw_cxx, 1);
	inner_handler = throw_another;
	nested("a handler throws another", try_when_error_plain_all, try_other, throw_other);
	inner_handler = rethrow_within;
	nested("thrown on and caught again", try_own, try_own, throw_error);
	inner_handler = rethrow_within;
	nested("thrown on and caught again: C++'s", try_own, try_own, throw_cxx);
	inner_handler = rethrow_to_cxx;
	nested("thrown on, C++ takes it", try_own, try_own, throw_error);
	inner_cleanup = throw_in_cleanup;
	nested("a cleanup throws, the same try takes it", try_own, try_when_error_plain_all, throw_other);
	inner_cleanup = throw_in_cleanup;
	nested("a cleanup throws, the outer try takes it", try_own, try_other, throw_other);
	inner_cleanup = throw_in_cleanup;
	nested("a cleanup throws in place of C++'s", try_own, try_other, throw_cxx);
	inner_cleanup = catch_in_cleanup;
	nested("a cleanup catches its own", try_own, try_when_error_plain_all, throw_other);
	inner_cleanup = catch_in_cleanup;
	nested("a cleanup catches its own, a filter took C++'s", try_when, try_when, throw_cxx, 1);
}

static void with_cxx()
{
	inner = try_other;
	inner_body = throw_error;
	run("C++ between, and throws on", try_when_error_plain_all, through_cxx);
	run("C++ between, and takes it", try_when_error_plain_all, kept_by_cxx);
	inner_body = throw_cxx;
	run("C++'s through a cleanup to C++", try_when_error_plain_all, through_cxx);
}

// --- what an exception is as a type ---

static int say_objects(Try *, CircRecord *r, int *)
{
	const CircExceptionType *types[] = {&type_base, &type_error, &type_other};
	for (const CircExceptionType *type : types) {
		int *object = (int *)circ_object_as(r, 0, type), *fifth = (int *)circ_object_as(r, 5, type);
		printf("  as %s: %d, of language 5: %d\n", type->name, object ? *object : -1, fifth ? *fifth : -1);
	}
	return 1;
}

static void as(const char *title, Tried *tried, void (*body)(Try *))
{
	Try t = {body, say_cleanup, say_objects, say_handler};
	printf("%s\n", title);
	printf("  = %d\n", tried(&t));
}

static bool match_moved(const CircClause *, const CircClause *, void **object)
{
	static int moved = 98;
	*object = &moved;
	return true;
}

static void objects_as()
{
	as("as a type", try_when, throw_error);
	as("as a type: a base's", try_when, throw_derived);
	as("as a type: no circ.exception_type", try_when, throw_plain);
	as("as a type: another language's", try_when, throw_language5);
	as("as a type: seen by language 5", try5_when_error_plain_all, throw_language5);
	as("as a type: C++'s", try_when, throw_cxx);
	circ_set_match(match_moved);
	as("as a type: the language's own rules", try_when, throw_other);
	circ_set_match(nullptr);
	printf("as a type: no record\n  = %d\n", circ_object_as(nullptr, 0, &type_error) != nullptr);
}

// --- hooks ---

static bool match_all(const CircClause *thrown, const CircClause *wanted, void **object)
{
	static int moved = 99;
	printf("  match %d %d\n", thrown->kind, wanted->kind);
	if (wanted->what == &plain)
		*object = &moved;
	return wanted->what == &plain;
}

static void release_plain(void *object, const CircClause *type)
{
	printf("  released by the hook: %d, kind %d\n", *(int *)object, type->kind);
}

static void say_throw(CircRecord *r)
{
	printf("  hook of throws: %d%s\n", *(int *)r->object, r->flags & CIRC_RETHROWN ? ", thrown on" : "");
}

static void say_replaced(CircRecord *old, CircRecord *by)
{
	printf("  hook: %d replaced by %d\n", old->object ? *(int *)old->object : -1,
	       by ? *(int *)by->object : -1);
}

static void hooks()
{
	circ_set_match(match_all);
	run("match", try_when_error_plain_all, throw_error);
	circ_set_match(nullptr);
	circ_set_release(release_plain);
	run("release", try_own, [](Try *) { throw_value(7, &plain_type); });
	circ_set_release(nullptr);
	circ_set_throw_hook(say_throw);
	inner_handler = rethrow;
	nested("hook of throws", try_own, try_own, throw_error);
	circ_set_throw_hook(nullptr);
	circ_set_replaced(say_replaced);
	inner_cleanup = throw_in_cleanup;
	nested("hook of what is replaced", try_own, try_other, throw_other);
	circ_set_replaced(nullptr);
}

static void releases()
{
	circ_free_exception(circ_allocate_exception(1000));
	circ_free_exception(nullptr);
	printf("freed\n");
}

// --- what cannot be ---

static int catch_and_end(Try *, int, void *, void *, int *)
{
	circ_end_catch();
	return 0;
}

static int overwrite(Try *, int, void *object, void *, int *)
{
	for (char *p = (char *)object - 200; p < (char *)object; p++)
		*p = 'x';
	return 0;
}

/* Only what the system has for the kind of an exception. */
static void overwrite_kind(void *native)
{
	*(uint64_t *)native = 0x7878787878787878;
}

static int overwrite_class(Try *, int, void *, void *native, int *)
{
	overwrite_kind(native);
	return 0;
}

static int overwrite_class_and_rethrow(Try *, int, void *, void *native, int *)
{
	overwrite_kind(native);
	circ_rethrow();
}

static int overwrite_in_filter(Try *, CircRecord *r, int *)
{
	overwrite_kind(r->native);
	return 1;
}

static volatile int deep;

/* Without an end, and not as a loop. */
static int overflow(Try *t, CircRecord *r, int *local)
{
	volatile char much[1000] = {0};
	return ++deep ? overflow(t, r, local) + much[deep % 1000] : 0;
}

/* An exception that was thrown, caught and ended. */
static void *ended(void **native)
{
	static void *object, *whole;
	Try t = {throw_plain, say_cleanup, say_filter, [](Try *, int, void *o, void *n, int *) {
		         object = o;
		         whole = n;
		         return 0;
	         }};
	try_own(&t);
	*native = whole;
	return object;
}

static bool describe(const CircRecord *r, char *out, size_t size)
{
	out[0] = (char)('0' + *(int *)r->object);
	out[size > 1] = '\0';
	return true;
}

/* t: throws my.Error. */
static const struct Wrong {
	const char *name;
	void (*run)(Try &t);
} all_wrong[] = {
    {"end", [](Try &) { circ_end_catch(); }},
    {"end-twice",
     [](Try &t) {
	     t.handler = catch_and_end;
	     try_own(&t);
     }},
    {"answer",
     [](Try &t) {
	     filter_answer = 7;
	     try_when(&t);
     }},
    {"overwritten",
     [](Try &t) {
	     t.handler = overwrite;
	     try_own(&t);
     }},
    {"rethrow", [](Try &) { circ_rethrow(); }},
    {"thrown-twice",
     [](Try &t) {
	     t.handler = [](Try *, int, void *object, void *, int *) {
		     circ_throw(object, &error, nullptr);
		     return 0;
	     };
	     try_own(&t);
     }},
    {"freed",
     [](Try &t) {
	     t.handler = [](Try *, int, void *object, void *, int *) {
		     circ_free_exception(object);
		     return 0;
	     };
	     try_own(&t);
     }},
    {"no-type", [](Try &) { circ_throw(circ_allocate_exception(4), nullptr, nullptr); }},
    {"no-return",
     [](Try &t) {
	     t.body = throw_cxx;
	     filter_answer = -1;
	     try_when(&t);
     }},
    {"uncaught",
     [](Try &t) {
	     circ_set_describe(describe);
	     Guard g{30};
	     try_other(&t);
     }},
    {"uncaught-plain",
     [](Try &t) {
	     t.body = throw_plain;
	     try_other(&t);
     }},
    {"uncaught-hook",
     [](Try &t) {
	     circ_set_unhandled([](CircRecord *r) { printf("  hook: %d\n", *(int *)r->object); });
	     try_other(&t);
     }},
    {"filter-throws",
     [](Try &t) {
	     t.filter = [](Try *, CircRecord *, int *) {
		     throw_value(40, &other);
		     return 1;
	     };
	     try_when(&t);
     }},
    {"filter-throws-cxx",
     [](Try &t) {
	     t.filter = [](Try *, CircRecord *, int *) -> int { throw 40; };
	     try_when(&t);
     }},
    {"match-throws",
     [](Try &t) {
	     circ_set_match([](const CircClause *, const CircClause *, void **) {
		     throw_value(40, &other);
		     return true;
	     });
	     try_when_error_plain_all(&t);
     }},
    {"release-throws",
     [](Try &t) {
	     circ_set_release([](void *, const CircClause *) { throw_value(40, &other); });
	     t.body = [](Try *) { throw_value(7, &plain_type); };
	     try_own(&t);
     }},
    {"release-throws-cxx",
     [](Try &t) {
	     circ_set_release([](void *, const CircClause *) { throw 40; });
	     try {
		     throw_value(7, &plain_type);
	     } catch (...) {
	     }
     }},
    {"destroy-throws",
     [](Try &t) {
	     t.body = [](Try *) { throw_value(7, &plain_type, [](void *) { throw_value(40, &other); }); };
	     try_own(&t);
     }},
    {"throw-hook-throws",
     [](Try &t) {
	     circ_set_throw_hook([](CircRecord *) {
		     circ_set_throw_hook(nullptr);
		     throw_value(40, &other);
	     });
	     try_own(&t);
     }},
    {"replaced-hook-throws",
     [](Try &t) {
	     circ_set_replaced([](CircRecord *, CircRecord *) { throw_value(40, &other); });
	     t.cleanup = throw_in_cleanup;
	     try_own(&t);
     }},
    {"unhandled-hook-throws",
     [](Try &t) {
	     circ_set_unhandled([](CircRecord *) { throw_value(40, &other); });
	     try_other(&t);
     }},
    {"describe-throws",
     [](Try &t) {
	     circ_set_describe([](const CircRecord *, char *, size_t) -> bool { throw 40; });
	     try_other(&t);
     }},
    {"filter-faults",
     [](Try &t) {
	     t.filter = [](Try *, CircRecord *, int *) { return *(volatile int *)nullptr; };
	     try_when(&t);
     }},
    {"overflow",
     [](Try &t) {
	     t.filter = overflow;
	     try_when(&t);
     }},
    {"class",
     [](Try &t) {
	     t.handler = overwrite_class;
	     try_own(&t);
     }},
    {"class-rethrown",
     [](Try &t) {
	     t.handler = overwrite_class_and_rethrow;
	     try_own(&t);
     }},
    {"class-in-flight",
     [](Try &t) {
	     t.filter = overwrite_in_filter;
	     try_when(&t);
     }},
    {"over-thrown",
     [](Try &t) {
	     void *native;
	     circ_throw(ended(&native), &error, nullptr);
     }},
    {"over-caught",
     [](Try &t) {
	     void *native;
	     ended(&native);
	     circ_begin_catch(native);
     }},
    {"over-dropped",
     [](Try &t) {
	     void *native;
	     ended(&native);
	     circ_drop(native);
     }},
    {"freed-thrown",
     [](Try &t) {
	     void *object = circ_allocate_exception(4);
	     circ_free_exception(object);
	     circ_throw(object, &error, nullptr);
     }},
    {"freed-twice",
     [](Try &t) {
	     void *object = circ_allocate_exception(4);
	     circ_free_exception(object);
	     circ_free_exception(object);
     }},
    {"not-allocated",
     [](Try &t) {
	     static char memory[1000];
	     circ_throw(memory + 900, &error, nullptr);
     }},
    {"null-thrown", [](Try &) { circ_throw(nullptr, &error, nullptr); }},
    {"null-caught", [](Try &) { circ_begin_catch(nullptr); }},
    {"null-dropped", [](Try &) { circ_drop(nullptr); }},
    {"null-record", [](Try &) { circ_record(nullptr); }},
    {"no-memory", [](Try &) { circ_allocate_exception(SIZE_MAX / 2); }},
    {"too-large", [](Try &) { circ_allocate_exception(SIZE_MAX); }},
    {"terminate",
     [](Try &t) {
	     t.handler = [](Try *, int, void *, void *native, int *) -> int { circ_terminate(native); };
	     try_own(&t);
     }},
    {"frame-over",
     [](Try &) {
	     CircFrame f;
	     circ_frames(&f, 1);
	     f.sp -= 1 << 16;
	     circ_frame_branch(&f, (void *)f.pc, nullptr);
     }},
};

static void do_wrong(const char *what)
{
	Try t = {throw_error, say_cleanup, say_filter, say_handler};
	for (const Wrong &wrong : all_wrong)
		if (!strcmp(wrong.name, what))
			wrong.run(t);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		do_wrong(argv[1]);
		return 3;
	}
	one_try();
	nests();
	with_cxx();
	objects_as();
	hooks();
	releases();
	return 0;
}

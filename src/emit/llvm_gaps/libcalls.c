/* emit/llvm_gaps/libcalls.c */
#include "emit/llvm_gaps/libcalls.h"

#include "emit/llvm_gaps/callers.h"
#include "emit/source_place.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Core.h>

/* What LLVM calls has no longer names. */
enum { NAME_SIZE = 32, OWN_KEY_SIZE = sizeof PLACE_OWN + NAME_SIZE };

typedef enum Fault { FAULT_ABSENT, FAULT_OTHERWISE } Fault;

/* Functions whose names begin and end so. */
typedef struct Family {
	const char *prefix, *suffix;
	Fault fault;
} Family;

/* GCC passes _Float16 in other registers than LLVM, and returns __float128 in memory. */
static const Family gnu[] = {
    {"", "f128", FAULT_ABSENT},           /* sinf128 */
    {"exp10", "", FAULT_ABSENT},          /* and exp10f, exp10l */
    {"roundeven", "", FAULT_ABSENT},      /* and roundevenf, roundevenl */
    {"__trunc", "bf2", FAULT_ABSENT},     /* __truncsfbf2 */
    {"__trunc", "hf2", FAULT_OTHERWISE},  /* __truncdfhf2 */
    {"__extendhf", "", FAULT_OTHERWISE},  /* __extendhfsf2 */
    {"__fixhf", "", FAULT_OTHERWISE},     /* __fixhfti */
    {"__fixunshf", "", FAULT_OTHERWISE},  /* __fixunshfti */
    {"__float", "hf", FAULT_OTHERWISE},   /* __floattihf */
    {"__", "tf3", FAULT_OTHERWISE},       /* __addtf3 */
    {"__extend", "tf2", FAULT_OTHERWISE}, /* __extenddftf2 */
    {"__powi", "tf2", FAULT_OTHERWISE},   /* __powitf2 */
    {"__float", "tf", FAULT_OTHERWISE},   /* __floatditf */
};

static const Family msvc[] = {
    {"", "f128", FAULT_ABSENT},       /* sinf128 */
    {"__atomic_", "", FAULT_ABSENT},  /* __atomic_load_16 */
    {"__", "tf3", FAULT_ABSENT},      /* __addtf3 */
    {"__", "tf2", FAULT_ABSENT},      /* __lttf2, __extenddftf2 */
    {"__trunctf", "", FAULT_ABSENT},  /* __trunctfdf2 */
    {"__fixtf", "", FAULT_ABSENT},    /* __fixtfti */
    {"__fixunstf", "", FAULT_ABSENT}, /* __fixunstfdi */
    {"__float", "tf", FAULT_ABSENT},  /* __floatditf */
    {"__", "xf2", FAULT_ABSENT},      /* __extendhfxf2 */
    {"__truncxf", "", FAULT_ABSENT},  /* __truncxfhf2 */
    {"__fixxf", "", FAULT_ABSENT},    /* __fixxfti */
    {"__fixunsxf", "", FAULT_ABSENT}, /* __fixunsxfti */
    {"__float", "xf", FAULT_ABSENT},  /* __floattixf */
    {"exp10l", "", FAULT_ABSENT},     {"roundevenl", "", FAULT_ABSENT},
};

/* LLVM takes these for the 80 bits of x87; there, C's long double is double. */
static const char *const msvc_long_double[] = {
    "acosl",  "asinl", "atan2l", "atanl",  "ceill",   "cosl",   "coshl",      "exp2l",   "expl",
    "floorl", "fmal",  "fmaxl",  "fminl",  "fmodl",   "frexpl", "ldexpl",     "llrintl", "llroundl",
    "log10l", "log2l", "logl",   "lrintl", "lroundl", "modfl",  "nearbyintl", "powl",    "rintl",
    "roundl", "sinhl", "sinl",   "sqrtl",  "tanhl",   "tanl",   "truncl",
};

typedef struct Target {
	const char *faults[2]; /* by Fault */
	const Family *families;
	size_t nfamilies;
	const char *const *exact;
	size_t nexact;
} Target;

static const Target gnu_target = {
    {"which no library of windows-gnu has",
     "which has another calling convention in the libgcc of windows-gnu"},
    gnu,
    ARRAY_LEN(gnu),
    NULL,
    0,
};
static const Target msvc_target = {
    {"which no library of windows-msvc has", "which takes a 'double' on windows-msvc"},
    msvc,
    ARRAY_LEN(msvc),
    msvc_long_double,
    ARRAY_LEN(msvc_long_double),
};

static const Target *target_of(LLVMModuleRef module)
{
	const char *triple = LLVMGetTarget(module);
	return emit_is_mingw(triple) ? &gnu_target : emit_is_windows(triple) ? &msvc_target : NULL;
}

static bool is_of_family(const Family *f, Str name)
{
	size_t head = strlen(f->prefix), tail = strlen(f->suffix);
	return name.len >= head + tail && memcmp(name.data, f->prefix, head) == 0 &&
	       memcmp(name.data + name.len - tail, f->suffix, tail) == 0;
}

static bool is_missing(const Target *t, Str name, Fault *fault)
{
	for (size_t i = 0; i < t->nfamilies && name.len < NAME_SIZE; i++)
		if (is_of_family(&t->families[i], name)) {
			*fault = t->families[i].fault;
			return true;
		}
	*fault = FAULT_OTHERWISE;
	for (size_t i = 0; i < t->nexact; i++)
		if (str_is(name, t->exact[i]))
			return true;
	return false;
}

/* The module's own */

/* The name of named metadata that says so. */
static size_t own_key(Str name, char key[OWN_KEY_SIZE])
{
	return (size_t)snprintf(key, OWN_KEY_SIZE, PLACE_OWN "%.*s", (int)name.len, name.data);
}

void libcalls_note_own(LLVMModuleRef module)
{
	const Target *t = target_of(module);
	for (LLVMValueRef f = t ? LLVMGetFirstFunction(module) : NULL; f; f = LLVMGetNextFunction(f)) {
		Str name;
		Fault fault;
		char key[OWN_KEY_SIZE];
		name.data = LLVMGetValueName2(f, &name.len);
		if (is_missing(t, name, &fault))
			LLVMGetOrInsertNamedMetadata(module, key, own_key(name, key));
	}
}

static bool is_own(LLVMModuleRef module, Str name)
{
	char key[OWN_KEY_SIZE];
	return LLVMGetNamedMetadata(module, key, own_key(name, key)) != NULL;
}

/* What is called */

typedef struct Check {
	LLVMModuleRef module;
	const Target *target;
	Diags *d;
} Check;

/* NULL: none, or no memory. */
static LLVMValueRef function_of(const Check *c, Str name)
{
	char *text = strndup(name.data, name.len);
	LLVMValueRef f = text ? LLVMGetNamedFunction(c->module, text) : NULL;
	free(text);
	return f;
}

static bool is_function(void *user, Str name)
{
	LLVMValueRef f = function_of(user, name);
	return f && !LLVMIsDeclaration(f);
}

static bool wanted(void *user, Str name)
{
	Check *c = user;
	Fault fault;
	return is_missing(c->target, name, &fault) && !is_own(c->module, name);
}

static void found(void *user, Str callee, Str function)
{
	Check *c = user;
	static const char kind[] = PLACE_FUNCTION;
	LLVMValueRef f = function.data ? function_of(c, function) : NULL;
	Place place = {0};
	Fault fault = FAULT_ABSENT;
	if (f)
		place = place_of_function(
		    c->d, f,
		    LLVMGetMDKindIDInContext(LLVMGetModuleContext(c->module), kind, sizeof kind - 1));
	Loc loc = {0};
	if (place.number)
		loc = (Loc){.pos = place.pos, .info = &place.info};
	is_missing(c->target, callee, &fault);
	diag_error(c->d, loc, "this function needs '%.*s', %s", (int)callee.len, callee.data,
	           c->target->faults[fault]);
}

void libcalls_check(LLVMModuleRef module, EmitFormat format, Str code, Diags *d)
{
	Check check = {module, target_of(module), d};
	Callers c = {wanted, is_function, found, &check};
	if (!check.target)
		return;
	if (format == EMIT_OBJECT)
		callers_in_object(code, &c);
	else
		callers_in_assembly(code, &c);
}

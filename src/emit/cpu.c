/* emit/cpu.c: what LLVM thinks of names of CPUs and features, and what it must not be asked. */
#include "emit/cpu.h"

#include "base/arena.h"
#include "base/name.h"
#include "emit/emit.h"
#include "emit/output.h"
#include "emit/source_place.h"
#include "target/target.h"

#include <pthread.h>
#include <unistd.h>

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

typedef struct Check {
	const CpuNames *names;
	const char *function; /* or NULL */
	Loc loc;              /* of it */
	Diags *d;
} Check;

static const char *of_function(const Check *c)
{
	return c->function ? " of function " : "";
}

static const char *function_name(const Check *c)
{
	return c->function ? c->function : "";
}

static const AbiMachine *machine_of(const Check *c)
{
	const AbiTarget *target = abi_target(str_of(c->names->triple));
	return (target ? target : abi_target(STR("")))->machine;
}

/* One line of LLVM's: `'sky' is not a recognized processor for this target (ignoring processor)`. */
static void report_complaint(const Check *c, Str line)
{
	const char *open = memchr(line.data, '\'', line.len);
	const char *end = line.data + line.len;
	const char *close = open ? memrchr(open + 1, '\'', (size_t)(end - open - 1)) : NULL;
	bool cpu = close && memmem(close, (size_t)(end - close), "processor", 9);
	const AbiCpus *cpus = machine_of(c)->cpus;
	bool is_arch =
	    cpu && cpus->arch_prefix && strncmp(open + 1, cpus->arch_prefix, strlen(cpus->arch_prefix)) == 0;
	if (!close)
		diag_error(c->d, c->loc, "LLVM: %.*s", (int)line.len, line.data);
	else
		diag_error(c->d, c->loc, "unknown %s %.*s%s%s for target '%s'%s", cpu ? "CPU" : "CPU feature",
		           (int)(close + 1 - open), open, of_function(c), function_name(c), c->names->triple,
		           is_arch ? cpus->arch_hint : "");
}

/* LLVM says some things more than once. */
static bool report_complaints(const Check *c, Str text)
{
	for (size_t at = 0; at < text.len;) {
		const char *line = text.data + at;
		const char *nl = memchr(line, '\n', text.len - at);
		size_t len = nl ? (size_t)(nl - line) : text.len - at;
		if (len && !memmem(text.data, at, line, len))
			report_complaint(c, (Str){line, len});
		at += len + 1;
	}
	return text.len == 0;
}

/* LLVM would print long lists. */
static bool asks_for_help(const Check *c)
{
	bool cpu = strcmp(c->names->cpu, "help") == 0;
	if (!cpu && !strstr(c->names->features, "+help"))
		return false;
	diag_error(c->d, c->loc, "unknown CPU%s 'help'; run 'llc -march=%s -m%s=help' for a list",
	           cpu ? "" : " feature", machine_of(c)->cpus->llc_arch, cpu ? "cpu" : "attr");
	return true;
}

static pthread_mutex_t standard_error = PTHREAD_MUTEX_INITIALIZER; /* the process has only one */

void emit_hold_standard_error(void)
{
	pthread_mutex_lock(&standard_error);
}

void emit_release_standard_error(void)
{
	pthread_mutex_unlock(&standard_error);
}

static void make_machine(const CpuNames *n)
{
	LLVMTargetRef target;
	char *message = NULL;
	if (LLVMGetTargetFromTriple(n->triple, &target, &message)) {
		LLVMDisposeMessage(message); /* not what is asked here */
		return;
	}
	LLVMDisposeTargetMachine(LLVMCreateTargetMachine(target, n->triple, n->cpu, n->features,
	                                                 LLVMCodeGenLevelNone, LLVMRelocStatic,
	                                                 LLVMCodeModelDefault));
}

/* LLVM does not return an unknown CPU or feature as an error: it prints a line on standard error and
 * goes on with something else. So, for the moment it takes to make one target machine, standard error
 * is a file that is read afterwards. */
static bool are_known(const Check *c)
{
	int file = output_anonymous();
	if (file < 0)
		return true;
	emit_hold_standard_error();
	int saved = dup(STDERR_FILENO);
	if (saved >= 0) {
		dup2(file, STDERR_FILENO);
		make_machine(c->names);
		dup2(saved, STDERR_FILENO);
		close(saved);
	}
	emit_release_standard_error();
	Str complaints = output_map(file);
	bool ok = report_complaints(c, complaints);
	output_unmap(complaints);
	close(file);
	return ok;
}

/* list: ends with NULL, or NULL. */
static bool is_in(const char *const *list, Str name)
{
	for (; list && *list; list++)
		if (str_is(name, *list))
			return true;
	return false;
}

static bool begins_with_any(const char *const *list, Str name)
{
	for (; list && *list; list++)
		if (str_begins_with(name, str_of(*list)))
			return true;
	return false;
}

/* The next of a list "+a,-b"; empty at its end. */
static Str next_feature(const char **list)
{
	size_t len = strcspn(*list, ",");
	Str one = {*list, len};
	*list += len + ((*list)[len] == ',');
	return one;
}

/* What is left of the machine must be able to run 64-bit code and to pass floating point numbers in their registers unless all is done in
 * software; LLVM crashes over it, or passes them elsewhere. */
static bool leaves_64_bit(const Check *c)
{
	const AbiCpus *cpus = machine_of(c)->cpus;
	Str without_float = {0};
	bool soft = false;
	for (const char *list = c->names->features; *list;) {
		Str f = next_feature(&list);
		if (is_in(cpus->ending_64_bit, f)) {
			diag_error(c->d, c->loc, "CPU feature '%.*s'%s%s is not available in 64-bit code",
			           (int)f.len, f.data, of_function(c), function_name(c));
			return false;
		}
		if (is_in(cpus->float_features, f))
			without_float = f;
		else if (begins_with_any(cpus->float_extensions, f))
			without_float = (Str){0};
		else if (cpus->has_soft_float &&
		         (str_equal(f, STR("+soft-float")) || str_equal(f, STR("-soft-float"))))
			soft = f.data[0] == '+';
	}
	if (!without_float.len || soft)
		return true;
	diag_error(
	    c->d, c->loc, "CPU feature '%.*s'%s%s %s, because floating point arguments go in %s registers",
	    (int)without_float.len, without_float.data, of_function(c), function_name(c),
	    cpus->has_soft_float ? "requires '+soft-float'" : "is not available", cpus->float_registers);
	return false;
}

/* What clang has unless it is told otherwise: LLVM need not be asked. */
static bool is_default(const Check *c)
{
	return strcmp(c->names->cpu, machine_of(c)->default_cpu) == 0 && !*c->names->features;
}

static bool can_run(const Check *c)
{
	if (is_default(c))
		return true;
	if (asks_for_help(c) || !leaves_64_bit(c))
		return false;
	if (!is_in(machine_of(c)->cpus->without_64_bit, str_of(c->names->cpu)))
		return are_known(c);
	diag_error(c->d, c->loc, "CPU '%s'%s%s cannot run 64-bit code", c->names->cpu, of_function(c),
	           function_name(c));
	return false;
}

bool cpu_check(const CpuNames *names, Diags *d)
{
	return can_run(&(Check){.names = names, .d = d});
}

/* Functions */

typedef struct Functions {
	const char *triple;
	Arena mem, scratch;       /* scratch: for one function */
	NameTable checked;        /* lists of names that were looked at */
	LLVMAttributeRef last[3]; /* of the last function that asks for any: CPU, features, tuning */
	Diags *d;
} Functions;

/* "": the function has no such attribute. */
static const char *text_attribute(Functions *all, LLVMValueRef f, const char *key)
{
	LLVMAttributeRef a =
	    LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, key, (unsigned)strlen(key));
	unsigned len = 0;
	const char *text = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
	return text ? arena_copy(&all->scratch, text, len) : "";
}

/* Most functions of a module ask for the same. */
static bool is_new(Functions *all, const char *what, const char *cpu, const char *features)
{
	uint32_t before = all->checked.len;
	name_intern(&all->checked, str_of(arena_printf(&all->scratch, "%s %s %s", what, cpu, features)));
	return all->checked.len > before;
}

/* Attributes are unique in a context: most functions ask for what the one before asked for. */
static bool asks_anew(Functions *all, LLVMValueRef f)
{
	static const char *const keys[] = {"target-cpu", "target-features", "tune-cpu"};
	LLVMAttributeRef asked[ARRAY_LEN(all->last)];
	bool any = false;
	for (unsigned i = 0; i < ARRAY_LEN(keys); i++) {
		asked[i] = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, keys[i],
		                                         (unsigned)strlen(keys[i]));
		any |= asked[i] != NULL;
	}
	if (!any || memcmp(asked, all->last, sizeof asked) == 0)
		return false;
	memcpy(all->last, asked, sizeof asked);
	return true;
}

static const char *quoted_name(Functions *all, LLVMValueRef f)
{
	size_t len;
	const char *name = LLVMGetValueName2(f, &len);
	return arena_printf(&all->scratch, "'%.*s'", (int)len, name);
}

static bool check_machine(Functions *all, Check c, LLVMValueRef f)
{
	const char *cpu = text_attribute(all, f, "target-cpu");
	const char *features = text_attribute(all, f, "target-features");
	if ((!*cpu && !*features) || !is_new(all, "for", cpu, features))
		return true;
	c.names = &(CpuNames){all->triple, *cpu ? cpu : "generic", features};
	return can_run(&c);
}

/* Code may be tuned for a CPU that cannot run it. */
static bool check_tuning(Functions *all, Check c, LLVMValueRef f)
{
	c.names = &(CpuNames){all->triple, text_attribute(all, f, "tune-cpu"), ""};
	if (!*c.names->cpu || !is_new(all, "tune", c.names->cpu, ""))
		return true;
	return !asks_for_help(&c) && are_known(&c);
}

static void check_function(Functions *all, LLVMValueRef f)
{
	static const char kind[] = PLACE_MACHINE;
	if (!asks_anew(all, f))
		return;
	unsigned id = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(f)), kind, sizeof kind - 1);
	Place place = place_of_function(all->d, f, id);
	Check c = {.function = quoted_name(all, f), .d = all->d};
	if (place.number)
		c.loc = (Loc){.pos = place.pos, .info = &place.info};
	if (check_machine(all, c, f))
		check_tuning(all, c, f);
	LLVMGlobalEraseMetadata(f, id);
}

static bool check_all(Functions *all, LLVMModuleRef module, OomGuard *guard)
{
	if (setjmp(guard->env)) {
		diag_failure(all->d, "out of memory");
		return false;
	}
	uint32_t errors = all->d->errors;
	names_init(&all->checked, &all->mem);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		ArenaMark mark = arena_mark(&all->scratch);
		check_function(all, f);
		arena_release(&all->scratch, mark);
	}
	return all->d->errors == errors;
}

bool cpu_check_functions(LLVMModuleRef module, Diags *d)
{
	OomGuard guard;
	Functions all = {.triple = LLVMGetTarget(module), .d = d};
	arena_init(&all.mem);
	arena_init(&all.scratch);
	all.mem.oom = all.scratch.oom = &guard;
	bool ok = check_all(&all, module, &guard);
	arena_free(&all.scratch);
	arena_free(&all.mem);
	return ok;
}

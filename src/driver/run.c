#include "driver/run.h"

#include "driver/memory.h"
#include "driver/source.h"
#include "driver/stack_watch.h"
#include "ir/eh_runtime.h"
#include "ir/external_symbols.h"
#include "jit/jit.h"
#include "pipeline/lazy.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* What the JIT runs finds the C++ library of the process, libstdc++, as LLVM has it or loaded for that. For libc++ the
 * process is started again with that loaded first: there can be only one C++ run time among code that throws
 * to each other. The unwinder stays libgcc's, where LLVM registers frame tables. */
static const char marker[] = "CIRC_RUN_LIBCXX";
static const char preloaded[] = "libgcc_s.so.1 libc++.so.1 libc++abi.so.1";

typedef struct Run {
	const Options *o;
	Arena *arena;
	Report *report;
	Diags d;
	Jit *jit;
} Run;

static Jit *ending; /* for exit(), which has no parameters */

static void finish_at_exit(void)
{
	Jit *jit = ending;
	ending = NULL;
	if (jit)
		jit_finish(jit);
}

/* The C++ library */

static bool names_libcxx(Str symbol)
{
	/* In the inline namespace std::__1. */
	return memmem(symbol.data, symbol.len, "St3__1", strlen("St3__1")) != NULL;
}

static bool wants_libcxx(const Run *r, const IrModule *m)
{
	if (r->o->cxxlib_given)
		return r->o->cxxlib == CXXLIB_LIBCXX;
	IR_FOR_OPS (op, ir_module_block(m))
		if ((op->kind == OP_FUNC || op->kind == OP_GLOBAL) &&
		    names_libcxx(name_str(ir_symbol_name(op))))
			return true;
	return false;
}

static bool reads_standard_input(const Options *o)
{
	for (uint32_t i = 0; i < o->inputs.len; i++)
		if (strcmp(o->inputs.data[i].path, "-") == 0)
			return true;
	return false;
}

/* Only returns on failure, or when it is there already. */
static bool load_libcxx(Run *r, char **argv)
{
	if (getenv(marker)) {
		if (dlopen("libc++.so.1", RTLD_NOW | RTLD_NOLOAD))
			return true;
		report_failure(r->report, "cannot load libc++.so.1; install libc++ (Debian: libc++1-22)");
		return false;
	}
	const char *own = getenv("LD_PRELOAD");
	const char *all = own && *own ? arena_printf(r->arena, "%s %s", own, preloaded) : preloaded;
	setenv(marker, own ? own : "", true);
	setenv("LD_PRELOAD", all, true);
	execv("/proc/self/exe", argv);
	report_failure(r->report, "cannot restart circ with libc++ loaded: %s", strerror(errno));
	return false;
}

/* Where LLVM has one of its own inside of the command, programs cannot see it. */
static bool load_libstdcxx(Run *r)
{
#ifdef CIRC_LOADS_LIBSTDCXX
	if (!dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL)) {
		report_failure(r->report, "cannot load libstdc++.so.6: %s", dlerror());
		return false;
	}
#else
	(void)r;
#endif
	return true;
}

/* The program's environment is what the command was given. */
static void restore_environment(void)
{
	const char *own = getenv(marker);
	if (!own)
		return;
	if (*own)
		setenv("LD_PRELOAD", own, true);
	else
		unsetenv("LD_PRELOAD");
	unsetenv(marker);
}

static bool choose_libcxx(Run *r, const IrModule *m, char **argv)
{
	if (!wants_libcxx(r, m) || (getenv(marker) && dlopen("libc++.so.1", RTLD_NOW | RTLD_NOLOAD)))
		return true;
	if (!getenv(marker) && reads_standard_input(r->o) && !r->o->cxxlib_given) {
		report_failure(r->report,
		               "module uses libc++, but standard input has been read; add '--cxxlib=libc++'");
		return false;
	}
	return load_libcxx(r, argv);
}

/* Compiling */

/* The C standard has the first two, POSIX systems the third. */
static bool check_main(Unit *u)
{
	const Name *name = name_find(&u->m->names, STR("main"));
	const IrOp *f = name ? ir_symbol(name) : NULL;
	if (!f)
		return true;
	bool ok = f->kind == OP_FUNC;
	if (ok) {
		const IrType *t = ir_symbol_type(f);
		ok = t->elem && t->elem->kind == TYPE_INT && t->elem->width == 32 && t->nmembers <= 3 &&
		     t->nmembers != 1;
		for (uint32_t i = 0; ok && i < t->nmembers; i++)
			ok = i ? t->members[i]->kind == TYPE_PTR
			       : t->members[i]->kind == TYPE_INT && t->members[i]->width == 32;
	}
	if (ok)
		return true;
	diag_error(&u->d, f->loc,
	           "'main' has a type that cannot be run; expected a function () -> !s32i, (!s32i, argv) -> "
	           "!s32i or (!s32i, argv, envp) -> !s32i");
	return false;
}

static bool check_target(Unit *u)
{
	const char *triple = u->pipeline.triple;
	if (emit_runs_here(triple))
		return true;
	report_file_error(u->report, u->input->path,
	                  "module is for target '%s', which this machine cannot run", triple);
	return false;
}

/* The runtime in this process is the one with tables. */
static bool check_model(Unit *u)
{
	if (!ir_module_is_sjlj(u->m))
		return true;
	report_file_error(u->report, u->input->path,
	                  "module has no exception tables (%s), which 'run' needs; compile a program instead",
	                  u->o->sjlj ? "'--eh=sjlj'" : "'circ.eh.model = \"sjlj\"'");
	return false;
}

static bool adapt(void *unit, LLVMModuleRef module, const char *part_prefix, Diags *d)
{
	Unit *u = unit;
	return u->waits ? jit_prepare_part(u->in_jit, module, u->part, part_prefix, d)
	                : jit_prepare_module(u->in_jit, module, part_prefix, d);
}

static bool compile_part(void *unit, uint32_t part, EmitImage *image, Diags *d)
{
	Unit *u = unit;
	u->part = part;
	return pipeline_compile_part(&u->pipeline, part, image, d);
}

static void drop_parts(void *unit)
{
	unit_finish(unit);
}

/* The unit stays as long as the program runs. */
static bool end_lazily(Run *r, Unit *u, const IrReferences *uses)
{
	LazyFunctions functions = pipeline_lazy_functions(&u->pipeline, r->arena);
	JitParts parts = {.compile = compile_part,
	                  .drop = drop_parts,
	                  .user = u,
	                  .d = &u->d,
	                  .uses = uses->data,
	                  .nuses = uses->len};
	ir_module_guard(u->m, NULL);
	u->options.hooks = (PipelineHooks){.user = u, .adapt = adapt};
	u->waits = true;
	return jit_end_lazily(u->in_jit, &parts, functions.data, functions.len, &u->d) != NULL;
}

/* A debugger's `step` goes over a function that is not compiled yet; and times are printed before the program runs. */
static bool is_lazy(const Options *o)
{
	bool wanted = o->lazy ? strcmp(o->lazy, "--lazy") == 0 : !o->debug && !o->time_passes;
	return wanted && jit_is_lazy_here();
}

static bool add_unit(Run *r, Unit *u, char **argv)
{
	if (!unit_read(u) || !unit_verify(u) || !check_target(u) || !check_model(u) || !check_main(u) ||
	    !pipeline_run(&u->pipeline, GOAL_ABI))
		return false;
	IrReferences uses = ir_references(u->m, r->arena); /* the CIR may be gone when they are needed */
	if (!choose_libcxx(r, u->m, argv) || !(u->in_jit = jit_begin_module(r->jit, &u->d)))
		return false;
	u->options.hooks.adapt = adapt;
	u->options.in_process = true;
	u->options.lazy = is_lazy(r->o);
	if (!unit_image(u)) {
		jit_drop_module(u->in_jit);
		return false;
	}
	if (u->pipeline.divided.nparts)
		return end_lazily(r, u, &uses);
	return jit_end_module(u->in_jit, u->pipeline.image.bytes, uses.data, uses.len, &u->d) != NULL;
}

static bool add_unit_guarded(Run *r, Unit *u, char **argv)
{
	OomGuard guard, *former = r->arena->oom;
	volatile bool ok = false;
	u->oom = r->arena->oom = &guard;
	if (setjmp(guard.env)) {
		report_failure(u->report, "out of memory");
		if (u->in_jit && !u->waits)
			jit_drop_module(u->in_jit);
	} else {
		ok = add_unit(r, u, argv);
	}
	r->arena->oom = former;
	return ok;
}

static bool add_object(Run *r, const char *path)
{
	Str bytes;
	if (!source_read_bytes(path, &bytes, r->report))
		return false;
	bool ok = jit_add_object(r->jit, path, bytes, &r->d) != NULL;
	free((void *)(uintptr_t)bytes.data);
	return ok;
}

static bool add_all(Run *r, Unit *units, char **argv, Timing *t)
{
	const Options *o = r->o;
	bool ok = true;
	for (uint32_t i = 0; i < o->loads.len; i++)
		ok &= jit_load_library(r->jit, o->loads.data[i], &r->d);
	for (uint32_t i = 0; i < o->inputs.len; i++) {
		if (!o->inputs.data[i].is_cir) {
			ok &= add_object(r, o->inputs.data[i].path);
			continue;
		}
		unit_open(units, o, &o->inputs.data[i], r->report, t, NULL);
		ok &= add_unit_guarded(r, units, argv);
		timing_enter(t, PHASE_OTHER);
		if (!units->waits)
			unit_finish(units);
		units++;
	}
	return ok;
}

/* Running */

typedef int Main(int argc, char **argv, char **envp);

static char **make_args(const Options *o, Arena *arena)
{
	char **args = arena_array(arena, char *, (size_t)o->nargs + 2);
	args[0] = (char *)(uintptr_t)o->inputs.data[0].path;
	for (int i = 0; i < o->nargs; i++)
		args[i + 1] = o->args[i];
	return args;
}

static int call_main(void *address, int argc, char **argv)
{
	extern char **environ;
	Main *entry;
	memcpy(&entry, &address, sizeof entry);
	signal(SIGXFSZ, SIG_DFL);
	memory_release();
	stack_release();
	return entry(argc, argv, environ);
}

void run_program(const Options *o, Unit *units, char **argv, Arena *arena, Report *report, Timing *t)
{
	Run r = {.o = o, .arena = arena, .report = report};
	report_diagnostics(report, &r.d);
	if (o->cxxlib_given && o->cxxlib == CXXLIB_LIBCXX && !load_libcxx(&r, argv))
		return;
	if (!load_libstdcxx(&r))
		return;
	char **args = make_args(o, arena);
	jit_watch_end();
	r.jit = jit_create(o->debug != 0, &r.d);
	bool ok = r.jit && add_all(&r, units, argv, t);
	restore_environment();
	timing_enter(t, PHASE_LINK);
	void *entry = ok ? jit_lookup(r.jit, "main", &r.d) : NULL;
	timing_enter(t, PHASE_OTHER);
	if (entry) {
		if (o->time_passes)
			timing_print(t);
		ending = r.jit;
		atexit(finish_at_exit);
		/* As a C start-up does: destructors of thread-local variables come first, then
		 * exit handlers. The code stays. */
		exit(call_main(entry, o->nargs + 1, args));
	}
	if (r.jit)
		jit_destroy(r.jit);
}

#include "driver/program.h"

#include "driver/options_check.h"
#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>

static bool needs_quotes(const char *arg)
{
	static const char safe[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%^";
	return !*arg || arg[strspn(arg, safe)];
}

/* Inside of quotes. */
static void show_byte(char c)
{
	if (c == '\'')
		fputs("'\\''", stderr);
	else if ((unsigned char)c < 0x20 || c == 0x7f)
		fprintf(stderr, "'$'\\%03o''", (unsigned)c);
	else
		fputc(c, stderr);
}

/* As a shell would read it. */
static void show(const char *const *argv, void *user)
{
	(void)user;
	for (; *argv; argv++) {
		fputc(' ', stderr);
		if (!needs_quotes(*argv)) {
			fputs(*argv, stderr);
			continue;
		}
		fputc('\'', stderr);
		for (const char *p = *argv; *p; p++)
			show_byte(*p);
		fputc('\'', stderr);
	}
	fputc('\n', stderr);
}

static const char *object_name(const char *path, Arena *arena)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');
	if (strcmp(path, "-") == 0)
		return "stdin.o";
	return arena_printf(arena, "%.*s.o", dot && dot != base ? (int)(dot - base) : (int)strlen(base),
	                    base);
}

static LinkInput *collect_inputs(const Options *o, const Unit *units, Arena *arena)
{
	LinkInput *inputs = arena_array(arena, LinkInput, o->inputs.len);
	for (uint32_t i = 0; i < o->inputs.len; i++) {
		const Input *in = &o->inputs.data[i];
		inputs[i].arg = in->is_cir ? object_name(in->path, arena) : in->path;
		if (!in->is_cir)
			continue;
		inputs[i].object = o->dry_run ? STR("") : units->pipeline.image.bytes;
		units++;
	}
	return inputs;
}

/* The target of the program: --target, else that of the units, which must agree. */
static bool find_triple(const Options *o, const Unit *units, Report *r, const char **triple)
{
	*triple = o->dry_run || !o->ncir ? NULL : units[0].pipeline.triple;
	for (uint32_t i = 1; *triple && i < o->ncir; i++)
		if (strcmp(units[i].pipeline.triple, *triple) != 0) {
			report_file_error(r, units[i].input->path,
			                  "module is for target '%s', but '%s' is for '%s'",
			                  units[i].pipeline.triple, units[0].input->path, *triple);
			return false;
		}
	return true;
}

static bool has_no_tables(const Options *o, const Unit *units)
{
	bool sjlj = o->sjlj;
	for (uint32_t i = 0; i < o->ncir && !o->dry_run; i++)
		sjlj |= units[i].sjlj;
	return sjlj;
}

/* As compilers of each system name it. */
static const char *default_output(const Options *o, const char *triple)
{
	if (!triple || !emit_is_windows(triple))
		return "a.out";
	return o->shared ? "a.dll" : "a.exe";
}

bool program_link(const Options *o, const Unit *units, Arena *arena, Report *r, Timing *t)
{
	const char *triple;
	if (!find_triple(o, units, r, &triple))
		return false;
	LinkInput *inputs = collect_inputs(o, units, arena);
	bool asks = !triple && o->triple;
	char *given = asks ? emit_triple(o->triple) : NULL;
	if (asks && !given)
		arena_exhausted(arena);
	LinkJob job = {
	    .triple = given ? given : triple,
	    .cxxlib = o->cxxlib,
	    .sjlj = has_no_tables(o, units),
	    .cxxlib_given = o->cxxlib_given,
	    .pie = o->pic,
	    .shared = o->shared,
	    .is_static = o->is_static,
	    .pthread = o->pthread,
	    .winsdk = o->winsdk,
	    .inputs = inputs,
	    .ninputs = o->inputs.len,
	    .output = o->output ? o->output : default_output(o, given ? given : triple),
	    .show = o->verbose || o->dry_run ? show : NULL,
	    .dry_run = o->dry_run,
	};
	Diags d;
	report_diagnostics(r, &d);
	timing_enter(t, PHASE_LINK);
	bool ok = options_check_output(o, job.output, r) && link_program(&job, arena, &d);
	free(given);
	return ok;
}

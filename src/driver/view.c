#include "driver/view.h"

#include "driver/source.h"
#include "driver/unit.h"
#include "view/view.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The name of the input with ".html" for its suffix, in the current folder; standard input has "view.html". */
static const char *default_path(const char *input, Arena *arena)
{
	const char *base = path_base(input), *dot = strrchr(base, '.');
	if (strcmp(input, "-") == 0)
		return "view.html";
	size_t stem = dot && dot != base ? (size_t)(dot - base) : strlen(base);
	return arena_printf(arena, "%.*s.html", (int)stem, base);
}

/* As desktops have it; the page needs no more than any browser. */
static void open_page(const char *path, Report *r)
{
	extern char **environ;
	const char *given = getenv("BROWSER");
	const char *const program = given && *given ? given : "xdg-open";
	char *argv[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)path, NULL};
	pid_t child;
	int error = posix_spawnp(&child, program, NULL, NULL, argv, environ);
	if (error)
		report_failure(r, "cannot start '%s': %s; open '%s' in a browser", program, strerror(error),
		               path);
}

static void make_page(const Options *o, Str text, Arena *arena, Report *r)
{
	Diags d;
	StrBuf page = {0};
	const char *input = o->inputs.data[0].path, *path = o->output;
	report_diagnostics(r, &d);
	ViewOptions options = {.name = source_name(input),
	                       .text = text,
	                       .from = o->from,
	                       .repair = o->repair,
	                       .repair_given = o->repair_given,
	                       .eh = o->eh,
	                       .triples = o->triples.data,
	                       .ntriples = o->triples.len,
	                       .pipeline = unit_pipeline_options(o)};
	if (!path)
		path = default_path(input, arena);
	if (view_make(&options, arena, &d, &page) && emit_bytes(path, (Str){page.data, page.len}, &d) &&
	    o->open)
		open_page(path, r);
}

static void make_guarded(const Options *o, Str text, Arena *arena, Report *r)
{
	OomGuard guard, *former = arena->oom;
	arena->oom = &guard;
	if (setjmp(guard.env))
		report_failure(r, "out of memory");
	else
		make_page(o, text, arena, r);
	arena->oom = former;
}

void view_file(const Options *o, Arena *arena, Report *r)
{
	Str text = {0};
	if (source_read(o->inputs.data[0].path, &text, r))
		make_guarded(o, text, arena, r);
	free((void *)(uintptr_t)text.data);
}

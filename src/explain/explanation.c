#include "explain/explanation.h"

#include "explain/hidden.h"

#include <stdio.h>
#include <stdlib.h>

CircExplanation *explanation_create(void)
{
	CircExplanation *e = calloc(1, sizeof *e);
	if (!e)
		return NULL;
	arena_init(&e->arena);
	return e;
}

void explanation_destroy(CircExplanation *e)
{
	if (!e)
		return;
	free(e->demangled);
	arena_free(&e->arena);
	free(e);
}

static Name *intern(CircExplanation *e, NameTable *table, Str text)
{
	if (!table->arena)
		names_init(table, &e->arena);
	return name_intern(table, text);
}

const char *explanation_string(CircExplanation *e, Str text)
{
	return intern(e, &e->strings, text)->text;
}

static CircExplainedType *add_type(CircExplanation *e)
{
	CircExplainedType *type = arena_new(&e->arena, CircExplainedType);
	type->index = e->types.len;
	vec_push(&e->arena, &e->types, type);
	return type;
}

static CircExplainedType *type_of(CircExplanation *e, Str key, Str symbol)
{
	Name *name = intern(e, &e->types_by_symbol, key);
	if (!name->symbol) {
		CircExplainedType *type = add_type(e);
		name->symbol = type;
		if (symbol.data)
			type->symbol = name->text;
		else
			type->name = name->text;
	}
	return name->symbol;
}

CircExplainedType *explanation_type(CircExplanation *e, Str symbol)
{
	return type_of(e, symbol, symbol);
}

CircExplainedType *explanation_type_at(CircExplanation *e, uint64_t address)
{
	char key[40];
	snprintf(key, sizeof key, "address 0x%llx", (unsigned long long)address);
	return type_of(e, str_of(key), (Str){0});
}

CircExplainedFunction *explanation_add_function(CircExplanation *e)
{
	CircExplainedFunction *f = arena_new(&e->arena, CircExplainedFunction);
	vec_push(&e->arena, &e->functions, f);
	return f;
}

void explanation_set_sites(CircExplanation *e, CircExplainedFunction *f, const SiteVec *sites)
{
	f->sites = arena_copy_n(&e->arena, sites->data, sites->len, sizeof *sites->data);
	f->nsites = sites->len;
}

void explanation_set_steps(CircExplanation *e, CircSite *site, const StepVec *steps)
{
	site->steps = arena_copy_n(&e->arena, steps->data, steps->len, sizeof *steps->data);
	site->nsteps = steps->len;
}

/* Names for people. */

static const char *demangled(CircExplanation *e, Demangler *demangle, const char *symbol)
{
	e->demangled = demangle && symbol ? demangle(symbol) : NULL;
	if (!e->demangled)
		return symbol;
	const char *name = explanation_string(e, str_of(e->demangled));
	free(e->demangled);
	e->demangled = NULL;
	return name;
}

/* Name.symbol: the name for people. */
static void name_symbol(CircExplanation *e, const char *symbol, Demangler *demangle)
{
	Name *name = symbol ? intern(e, &e->strings, str_of(symbol)) : NULL;
	if (name && !name->symbol)
		name->symbol = (void *)(uintptr_t)demangled(e, demangle, name->text);
}

const char *explanation_name_of(const CircExplanation *e, const char *symbol)
{
	const Name *name = name_find(&e->strings, str_of(symbol));
	return name && name->symbol ? name->symbol : symbol;
}

static void name_function(CircExplanation *e, CircExplainedFunction *f, Demangler *demangle)
{
	for (size_t i = 0; i < f->nsites; i++) {
		name_symbol(e, f->sites[i].callee, demangle);
		for (size_t k = 0; k < f->sites[i].nsteps; k++)
			name_symbol(e, f->sites[i].steps[k].function, demangle);
	}
	if (!f->name)
		f->name = demangled(e, demangle, f->symbol);
	if (!f->name)
		f->name = arena_printf(&e->arena, "function at 0x%llx", (unsigned long long)f->address);
}

/* "typeinfo for Error" and "struct Error `RTTI Type Descriptor'" are named by the type alone. */
static void name_type(CircExplanation *e, CircExplainedType *type, Demangler *demangle)
{
	static const Str before[] = {
	    {"typeinfo for ", 13}, {"struct ", 7}, {"class ", 6}, {"union ", 6}, {"enum ", 5}};
	static const char behind[] = "`RTTI Type Descriptor'"; /* after a space, but for pointers */
	if (type->name)
		return;
	const char *name = demangled(e, demangle, type->symbol);
	Str text = str_of(name);
	for (size_t i = 0; i < ARRAY_LEN(before) && name != type->symbol; i++)
		if (str_begins_with(text, before[i]))
			text = (Str){text.data + before[i].len, text.len - before[i].len};
	size_t tail = sizeof behind - 1;
	if (text.len > tail && memcmp(text.data + text.len - tail, behind, tail) == 0)
		text.len -= tail;
	while (text.len && text.data[text.len - 1] == ' ')
		text.len--;
	type->name = explanation_string(e, text);
}

/* Order and duplicates. */

static int compare_functions(const void *a, const void *b)
{
	const CircExplainedFunction *f = *(CircExplainedFunction *const *)a,
	                            *g = *(CircExplainedFunction *const *)b;
	int by_section = strcmp(f->section ? f->section : "", g->section ? g->section : "");
	if (f->address != g->address && by_section == 0)
		return f->address < g->address ? -1 : 1;
	if (by_section)
		return by_section;
	return strcmp(f->symbol ? f->symbol : "", g->symbol ? g->symbol : "");
}

static int compare_in_image(const void *a, const void *b)
{
	const CircExplainedFunction *f = *(CircExplainedFunction *const *)a,
	                            *g = *(CircExplainedFunction *const *)b;
	if (f->address != g->address)
		return f->address < g->address ? -1 : 1;
	return f->size < g->size ? -1 : f->size > g->size;
}

static void sort_functions(CircExplanation *e)
{
	if (e->functions.len && strcmp(e->format, "module") != 0)
		qsort(e->functions.data, e->functions.len, sizeof *e->functions.data,
		      e->linked ? compare_in_image : compare_functions);
}

/* A step, and where it stands in its function. */
typedef struct Stand {
	CircStep *step;
	size_t site;
} Stand;

static uintptr_t step_code(const CircStep *s)
{
	return s->op ? s->op : (uintptr_t)s->begin;
}

static int compare_clauses(const CircStep *s, const CircStep *t)
{
	uintptr_t a[] = {s->kind, step_code(s), s->ntypes ? (uintptr_t)s->types[0] : 0,
	                 (uintptr_t)s->function};
	uintptr_t b[] = {t->kind, step_code(t), t->ntypes ? (uintptr_t)t->types[0] : 0,
	                 (uintptr_t)t->function};
	for (size_t i = 0; i < ARRAY_LEN(a); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int compare_stands(const void *a, const void *b)
{
	const Stand *s = a, *t = b;
	int c = compare_clauses(s->step, t->step);
	return c ? c : s->site < t->site ? -1 : s->site > t->site;
}

static void mark_duplicates(const CircExplainedFunction *f, Arena *mem)
{
	size_t n = 0;
	for (size_t i = 0; i < f->nsites; i++)
		n += f->sites[i].nsteps;
	if (n < 2)
		return;
	ArenaMark mark = arena_mark(mem);
	Stand *stands = arena_array(mem, Stand, n);
	n = 0;
	for (size_t i = 0; i < f->nsites; i++)
		for (size_t k = 0; k < f->sites[i].nsteps; k++)
			stands[n++] = (Stand){(CircStep *)&f->sites[i].steps[k], i};
	qsort(stands, n, sizeof *stands, compare_stands);
	for (size_t i = 1; i < n; i++)
		stands[i].step->is_duplicate =
		    compare_clauses(stands[i - 1].step, stands[i].step) == 0 &&
		    (step_code(stands[i].step) != 0) &&
		    (stands[i - 1].site != stands[i].site || stands[i - 1].step->is_duplicate);
	arena_release(mem, mark);
}

void explanation_finish(CircExplanation *e, Demangler *demangle)
{
	sort_functions(e);
	for (uint32_t i = 0; i < e->functions.len; i++) {
		e->functions.data[i]->index = i;
		name_function(e, e->functions.data[i], demangle);
		mark_duplicates(e->functions.data[i], &e->arena);
	}
	for (uint32_t i = 0; i < e->types.len; i++)
		name_type(e, e->types.data[i], demangle);
	explanation_mark_hidden(e);
}

/* What the library hands out. */

size_t circ_explanation_nfunctions(const CircExplanation *e)
{
	return e ? e->functions.len : 0;
}

const CircExplainedFunction *circ_explanation_function(const CircExplanation *e, size_t index)
{
	return e && index < e->functions.len ? e->functions.data[index] : NULL;
}

size_t circ_explanation_ntypes(const CircExplanation *e)
{
	return e ? e->types.len : 0;
}

const CircExplainedType *circ_explanation_type(const CircExplanation *e, size_t index)
{
	return e && index < e->types.len ? e->types.data[index] : NULL;
}

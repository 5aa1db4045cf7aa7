/* explain/explanation.h: an explanation while it is made (circ/explain.h has what it is for its users).
 *
 * Everything lives in its arena. A reader of tables makes functions and sites with the functions below and knows nothing of how
 * they are printed. Names for people are made last, by explanation_finish(). */
#ifndef CIRC_EXPLAIN_EXPLANATION_H
#define CIRC_EXPLAIN_EXPLANATION_H

#include "base/arena.h"
#include "base/name.h"
#include "base/vec.h"
#include "circ/explain.h"
#include "explain/sink.h"

typedef VEC(CircStep) StepVec;
typedef VEC(CircSite) SiteVec;

/* What C++ calls the thing that a symbol stands for, malloc'ed; NULL: no mangled name. */
typedef char *Demangler(const char *symbol);

struct CircExplanation {
	Arena arena;
	NameTable strings, types_by_symbol; /* of a type, Name.symbol is its CircExplainedType */
	VEC(CircExplainedFunction *) functions;
	VEC(CircExplainedType *) types;
	const char *file, *format,
	    *target;     /* "a.o"; "elf", "coff" or "module"; "x86_64", or a module's triple */
	bool linked;     /* addresses are those of the image */
	char *demangled; /* malloc'ed, while it is copied: memory may run out meanwhile */
};

/* False: no memory. The arena's guard is the caller's to set. */
CircExplanation *explanation_create(void);
void explanation_destroy(CircExplanation *e);

/* A copy that lives with the explanation; equal texts are one. */
const char *explanation_string(CircExplanation *e, Str text);

/* The type of a symbol, made at the first call. */
CircExplainedType *explanation_type(CircExplanation *e, Str symbol);
/* A type that has no symbol: by its address. */
CircExplainedType *explanation_type_at(CircExplanation *e, uint64_t address);

/* What is a symbol called in text? After explanation_finish(). */
const char *explanation_name_of(const CircExplanation *e, const char *symbol);

CircExplainedFunction *explanation_add_function(CircExplanation *e);

/* Arrays for what was collected; the vectors may be used again. */
void explanation_set_sites(CircExplanation *e, CircExplainedFunction *f, const SiteVec *sites);
void explanation_set_steps(CircExplanation *e, CircSite *site, const StepVec *steps);

/* Sorts functions by section and address (those of a module stay), marks duplicates, gives names. demangle: NULL: none. */
void explanation_finish(CircExplanation *e, Demangler *demangle);

void explanation_write_text(const CircExplanation *e, Sink *s);
void explanation_write_json(const CircExplanation *e, Sink *s);

#endif

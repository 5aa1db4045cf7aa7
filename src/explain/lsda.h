/* explain/lsda.h: the language-specific data of a function, as compilers write them to `.gcc_except_table` for
 * __gxx_personality_v0 and its relatives (Itanium C++ ABI: Exception Handling, 7; LSB 5.0 Core, 10.6): where calls land, and
 * what is tried there. Of Windows' objects __gxx_personality_seh0 has the same. Nothing here asks for the format of the object. */
#ifndef CIRC_EXPLAIN_LSDA_H
#define CIRC_EXPLAIN_LSDA_H

#include "explain/explanation.h"
#include "explain/lines.h"
#include "explain/type_info.h"

typedef enum LsdaLanguage {
	LSDA_NONE,  /* no personality that reads such data */
	LSDA_CXX,   /* and Rust, D: what leaves code without an entry ends the program */
	LSDA_OTHER, /* C's cleanups, Ada, Objective-C, Crystal: it goes on to the caller */
	LSDA_CIRC   /* of circ's runtime: types are CircClause of include/circ/runtime.h */
} LsdaLanguage;

/* By the symbol of the personality. */
LsdaLanguage lsda_language(Str personality);

typedef struct LsdaReader {
	CircExplanation *e;
	const ObjectFile *o;
	const LineTable *lines;
	TypeInfos *types;
	uint64_t steps_left; /* so that hostile chains that are used by many sites stay linear in the file */
	StepVec steps;
	SiteVec sites;
} LsdaReader;

void lsda_open(LsdaReader *r, CircExplanation *e, const ObjectFile *o, const LineTable *lines,
               TypeInfos *types);

/* Sets f->sites and f->rest. begin, size: the function's code. table: where its data begin. */
void lsda_read(LsdaReader *r, LsdaLanguage language, ObjectPlace begin, uint64_t size, ObjectPlace table,
               CircExplainedFunction *f);

#endif

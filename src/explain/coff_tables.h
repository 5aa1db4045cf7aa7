/* explain/coff_tables.h: what the readers of Microsoft's tables share while one object is explained. */
#ifndef CIRC_EXPLAIN_COFF_TABLES_H
#define CIRC_EXPLAIN_COFF_TABLES_H

#include "explain/explanation.h"
#include "explain/lines.h"
#include "explain/lsda.h"
#include "explain/pdata.h"

/* A function whose handler reads tables of C++. */
typedef struct CxxUser {
	uint32_t entry;
	ObjectPlace table; /* FuncInfo: shared by a function and its funclets */
} CxxUser;

typedef struct CoffTables {
	CircExplanation *e;
	const ObjectFile *o;
	LineTable lines;
	TypeInfos types; /* of the Itanium ABI and of circ's runtime: windows-gnu */
	LsdaReader lsda;
	PdataVec entries;
	CircExplainedFunction **functions; /* of the entry with that number */
	VEC(CxxUser) cxx;
	uint64_t work_left; /* functions may point to one table a thousand times, and steps nest */
} CoffTables;

enum { COFF_STEP_COST = 16 };

/* To be asked before rows are read, or steps made. False: there were too many for the size of the file; reported once. */
bool coff_tables_spend(CoffTables *t, ObjectPlace at, uint64_t work);

/* What a pointer relative to the image points to. */
ObjectTarget coff_tables_target(const CoffTables *t, ObjectPlace at);
/* The name of a symbol; NULL: none. */
const char *coff_tables_symbol(const CoffTables *t, uint32_t symbol);
CircExplainedFunction *coff_tables_function(const CoffTables *t, ObjectPlace begin);

/* A step for code: a funclet or a place in a function. */
CircStep coff_tables_step(const CoffTables *t, CircStepKind kind, const ObjectTarget *code);
/* Does nothing but end the program, as far as its relocations show? */
bool coff_tables_terminates(const CoffTables *t, const ObjectTarget *code);

/* type_info_microsoft.c: a type descriptor. */
const CircExplainedType *coff_type(CircExplanation *e, const ObjectFile *o, const ObjectTarget *descriptor);
/* Types that throw infos and class hierarchies list get their bases. */
void coff_type_bases(CoffTables *t);

/* unwind_codes_arm64.c: adds the rows of AArch64's unwind codes, or of packed unwind data. Where there are too many, it reports that and stops. */
void unwind_rows_arm64(CoffTables *t, const PdataEntry *entry, const UnwindInfo *info, UnwindRowVec *rows);

/* coff_calls.c: calls that relocations show. */
typedef struct CoffCall {
	uint64_t begin, end; /* in the section; the return address is `end` */
	const char *callee;  /* NULL: has no name */
} CoffCall;
typedef VEC(CoffCall) CoffCallVec;

/* The name of what a call names, without the "__imp_" of a pointer in the import table; NULL: none. */
const char *coff_tables_callee(const CoffTables *t, Str symbol);

/* Calls of the range [begin, end): on x86_64 those whose return address is in it, on AArch64 those that are in it themselves. */
void coff_calls(const CoffTables *t, uint32_t section, uint64_t begin, uint64_t end, CoffCallVec *calls);

/* Adds sites of the code [begin, end) of a function, by place in its section: one, or one for each call, which share the steps. */
void coff_sites(CoffTables *t, const PdataEntry *entry, uint64_t begin, uint64_t end, const StepVec *steps,
                CircEnd end_of_path, SiteVec *sites);

/* cxx_frame_handler.c: __CxxFrameHandler3: all functions of CoffTables.cxx. */
void cxx_frame_handler_read(CoffTables *t);
bool cxx_frame_handler_is_table(const CoffTables *t, ObjectPlace data, ObjectPlace *table);

/* scope_table.c: __C_specific_handler. data: the table. */
/* Is it one, by its looks? */
bool scope_table_is(CoffTables *t, const PdataEntry *entry, ObjectPlace data);
void scope_table_read(CoffTables *t, const PdataEntry *entry, ObjectPlace data, CircExplainedFunction *f);

#endif

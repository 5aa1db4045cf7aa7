/* circ/explain.h: what an exception does, read from an object file or from a module: for each call that can unwind, what
 * runs, in which order, and where it ends. docs/explain.md has sessions, and the JSON that `circ explain --json` writes, which
 * is these structures, field by field.
 *
 * An explanation of an object is read from its tables alone: `.eh_frame` and `.gcc_except_table` (Itanium C++ ABI: Exception
 * Handling; LSB 5.0, 10.6), `.pdata` and `.xdata` (Microsoft's x64 and ARM64 exception handling). Which code runs behind a landing pad is
 * code, not table: a CIRC_STEP_CLEANUP of an object names no function. An explanation of a module knows it.
 *
 * Ownership  an explanation owns all that is reached from it; circ_explanation_free() frees it. It borrows nothing.
 * Lifetime   pointers from it are valid until then. Nothing changes once it is made, but for what circ_explanation_throw() adds.
 * Units      code offsets count bytes from the begin of the function; addresses are the image's, or offsets in the
 *            section of an object that is not linked.
 * Errors     NULL: nothing could be read, and the handler heard why. Else what is wrong with the tables was reported (a warning
 *            with the section and the offset in it), and what could be read is there.
 * Threads    an explanation may be read by several threads at once; making them, too. */
#ifndef CIRC_EXPLAIN_H
#define CIRC_EXPLAIN_H

#include "circ/module.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CircExplanation CircExplanation;

/* A place in a source. Unknown: NULL, 0, 0. */
typedef struct CircPlace {
	const char *file;
	uint32_t line, column;
} CircPlace;

/* A type that handlers name. */
typedef struct CircExplainedType {
	const char
	    *symbol;      /* of the type info or descriptor, "_ZTI5Error", "??_R0?AUError@@@8"; NULL: none */
	const char *name; /* as C++ writes it, "Error"; else the symbol, or "address 0x1234" */
	/* Those whose handlers take it as well, as far as type infos here tell. */
	const struct CircExplainedType *const *bases;
	size_t nbases;
	size_t index;   /* circ_explanation_type() */
	bool has_bases; /* the type info is here, so `bases` is all of them */
} CircExplainedType;

typedef enum CircStepKind {
	CIRC_STEP_CLEANUP,       /* code runs, and the exception goes on */
	CIRC_STEP_FINALLY,       /* code runs, and may do what it likes with the exception */
	CIRC_STEP_CATCH,         /* takes exceptions of types[0] */
	CIRC_STEP_CATCH_ALL,     /* takes every exception */
	CIRC_STEP_WHEN,          /* takes what `function` says, before anything is unwound */
	CIRC_STEP_SPECIFICATION, /* takes every exception but those of `types` (throw() of C++98) */
	CIRC_STEP_TERMINATE,     /* ends the program */
} CircStepKind;

/* Of a handler (CIRC_STEP_CATCH and CATCH_ALL), in Microsoft's tables. */
enum {
	CIRC_CATCH_CONST = 1,
	CIRC_CATCH_VOLATILE = 2,
	CIRC_CATCH_REFERENCE = 8,
	CIRC_CATCH_ELLIPSIS = 64,
};

/* One thing that is tried or runs. */
typedef struct CircStep {
	CircStepKind kind;
	const CircExplainedType *const *types;
	size_t ntypes;
	/* WHEN: the filter; else what runs: a funclet, the destructor that a cleanup calls. NULL: unknown */
	const char *function;
	/* Of that code, by the image or section. 0, 0: unknown, or a module; end alone 0: unknown */
	uint64_t begin, end;
	bool is_duplicate; /* a step of an earlier site is the same: it stands once in the source */
	CircPlace place;
	int32_t state; /* Microsoft's C++: the state that it leaves, or the lowest of its try; else -1 */
	uint32_t adjectives; /* CIRC_CATCH_… */
	/* Microsoft's C++: where the handler has the object, from the frame; 0: nowhere. */
	int32_t object_offset;
	uint32_t op; /* module: number of the op, see CircExplainedFunction; 0: none */
	/* Module: some ways go around it: a cleanup's flag, an object that was not made. */
	bool is_conditional;
	/* Module, TERMINATE: a cleanup before it throws. That happens when a handler further out was found. */
	bool is_unwinding;
	/* An earlier step of this site takes all that it would take: it never gets an exception. */
	bool is_hidden;
} CircStep;

typedef enum CircEnd {
	CIRC_END_LEAVES,     /* what nothing took goes on to the caller */
	CIRC_END_CAUGHT,     /* some step takes everything */
	CIRC_END_TERMINATES, /* std::terminate() or the like: what nothing took ends the program */
	/* Module: what nothing took would leave a function that promises `nothrow`, which the compiler relies on. */
	CIRC_END_UNDEFINED,
} CircEnd;

/* A call, a throw or what faults, or the range of code that a table has for one or several. */
typedef struct CircSite {
	uint64_t begin, end; /* code offsets; module: 0 */
	uint64_t pad;        /* code offset of the landing pad; 0: none */
	const char *callee;  /* symbol; NULL: unknown, or through a pointer */
	/* Module: what it is that is no call and no throw: "load", "store", "div" and so forth, which fault; "check null" and so
	 * forth, which call `callee` where they fail. NULL: a call or a throw */
	const char *operation;
	CircPlace place;
	uint32_t op;                     /* module: number of the op */
	bool is_throw;                   /* module: it throws, and calls nothing */
	bool is_unwinding;               /* module: it runs because of unwinding, in a cleanup */
	const CircExplainedType *thrown; /* module: by is_throw; NULL: again what was caught, or of no type */
	const CircStep *steps;
	size_t nsteps;
	CircEnd end_of_path;
} CircSite;

/* What the unwinder is told of the frame from a code offset on: "cfa=rsp+16 rbp=[cfa-16] ra=[cfa-8]" for DWARF, "push rbp",
 * "alloc 40", "save x19 x20 at 16" for Microsoft's unwind codes. */
typedef struct CircUnwindRow {
	uint64_t offset;
	const char *rule;
} CircUnwindRow;

typedef enum CircTableKind {
	CIRC_TABLE_NONE,  /* the frame is unwound, and nothing runs */
	CIRC_TABLE_LSDA,  /* .gcc_except_table, or the same for __gxx_personality_seh0 */
	CIRC_TABLE_CXX,   /* __CxxFrameHandler3 */
	CIRC_TABLE_SCOPE, /* __C_specific_handler */
	CIRC_TABLE_OTHER, /* of a personality that circ has no reader for, or none, but handlers by setjmp: no sites */
	CIRC_TABLE_MODULE, /* a module's plan */
} CircTableKind;

typedef struct CircExplainedFunction {
	size_t index;       /* circ_explanation_function() */
	const char *symbol; /* NULL: stripped */
	const char *name;   /* as C++ writes it; else the symbol, or "function at 0x1234" */
	const char *section;
	uint64_t address, size;  /* 0, 0: module */
	const char *personality; /* symbol; NULL: none */
	CircTableKind tables;
	uint64_t table; /* address of the LSDA or the handler's data; 0: none */
	/* Of a funclet its function; of a filter the one with its handler, where a module or a scope table tells; else NULL. Which
	 * filter a handler has, CircStep.function says. */
	const struct CircExplainedFunction *parent;
	CircPlace place;
	/* Module: number of the op: its place in the text, from 1, or in the order in which ops were built. */
	uint32_t op;
	const CircSite *sites; /* ascending */
	size_t nsites;
	CircEnd rest;              /* what an exception does that leaves code outside of all sites */
	const CircUnwindRow *rows; /* with CircExplainOptions.rows */
	size_t nrows;
} CircExplainedFunction;

/* All zero: everything but the rows. */
typedef struct CircExplainOptions {
	const char *name;   /* of the file, for messages; NULL: "object" */
	const char *triple; /* module: the target; NULL: the module's own, else the host's */
	bool rows;          /* unwind rows, too */
} CircExplainOptions;

/* bytes: an ELF or COFF object, shared library, DLL or program; read during the call only. */
CIRC_API CircExplanation *circ_explain_object(const void *bytes, size_t size,
                                              const CircExplainOptions *options,
                                              CircDiagnosticHandler *handler, void *user);

/* As circ would compile it: what is missing on the way (verifying, flattening) is done with a copy. */
CIRC_API CircExplanation *circ_explain_module(CircModule *module, const CircExplainOptions *options);

CIRC_API void circ_explanation_free(CircExplanation *explanation);

CIRC_API size_t circ_explanation_nfunctions(const CircExplanation *explanation);
/* In the order of their addresses, or of the module. NULL: no such index. */
CIRC_API const CircExplainedFunction *circ_explanation_function(const CircExplanation *explanation,
                                                                size_t index);

/* The types that handlers name, and their bases. */
CIRC_API size_t circ_explanation_ntypes(const CircExplanation *explanation);
CIRC_API const CircExplainedType *circ_explanation_type(const CircExplanation *explanation, size_t index);

/* One exception, followed. */

typedef enum CircTaken {
	CIRC_TAKEN_NO,      /* it runs, and the exception goes on */
	CIRC_TAKEN_YES,     /* the exception ends here */
	CIRC_TAKEN_PERHAPS, /* a filter decides, or the bases of the type are not known here */
} CircTaken;

typedef struct CircThrowStep {
	const CircStep *step;
	CircTaken taken;
} CircThrowStep;

/* What the exception does in one function. */
typedef struct CircThrowFrame {
	const CircExplainedFunction *function;
	const CircSite *site; /* NULL: a place outside of all sites */
	/* 0: where it begins. The frames behind one with a depth that is one more are its direct callers here. */
	size_t depth;
	const CircThrowStep *steps; /* without handlers that do not take it */
	size_t nsteps;
	CircEnd end;
	bool is_seen; /* the site was followed before: its callers are not shown again */
} CircThrowFrame;

typedef struct CircThrowPath {
	const char *type;                        /* as it was asked for */
	const CircExplainedType *explained_type; /* NULL: nothing here names it */
	const CircThrowFrame *frames;
	size_t nframes;
	bool is_cut; /* there were more than 10,000 frames */
} CircThrowPath;

/* What an exception of a type does. type: a name or symbol, as in CircExplainedType. at: where it leaves a call: "FUNCTION"
 * (each of its calls), "SYMBOL+OFFSET" (bytes, 0x for hexadecimal), "FILE:LINE"; NULL: each call of all functions, without callers. The
 * path belongs to the explanation, so this is no call for two threads at once. NULL: `at` is no place here; *error, which may
 * be NULL, says why, and belongs to the explanation. */
CIRC_API const CircThrowPath *circ_explanation_throw(CircExplanation *explanation, const char *type,
                                                     const char *at, const char **error);

/* malloc'ed, for circ_free(): all of it, as text for people, or as JSON (docs/explain.md has the schema). */
CIRC_API char *circ_explanation_text(const CircExplanation *explanation);
CIRC_API char *circ_explanation_json(const CircExplanation *explanation);

#ifdef __cplusplus
}
#endif
#endif

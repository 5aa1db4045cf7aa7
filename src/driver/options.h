/* driver/options.h: the command line, read.
 *
 * Ownership  everything lives in the arena given to options_parse(), or points into argv.
 * Errors     false: a message about wrong usage was printed; the command exits with 2.
 */
#ifndef CIRC_DRIVER_OPTIONS_H
#define CIRC_DRIVER_OPTIONS_H

#include "base/prefix_map.h"
#include "base/vec.h"
#include "driver/report.h"
#include "link/link.h"
#include "text/parse.h"

/* How an option takes its value: options.def. */
typedef enum OptionForm { FLAG, JOINED, ARG, EQUALS } OptionForm;

/* What is made, in the order of the stages. */
typedef enum Product {
	MAKE_CIR,
	MAKE_FLAT,
	MAKE_ABI,
	MAKE_LLVM,
	MAKE_BITCODE,
	MAKE_ASSEMBLY,
	MAKE_OBJECT,
	MAKE_PROGRAM,
	PRODUCT_COUNT
} Product;

typedef struct ProductInfo {
	const char *name;   /* of --emit */
	const char *suffix; /* of its files; NULL: standard output is the default */
} ProductInfo;
extern const ProductInfo product_info[PRODUCT_COUNT];

/* In the order of the command line, which is the order of the linker's. */
typedef struct Input {
	const char *path; /* "-": standard input. Or an option for the linker */
	bool is_cir;      /* else it is for the linker */
	bool is_option;
	bool is_llvm; /* LLVM IR, as text or as bitcode */
} Input;

/* The first argument, if it is the name of one; else COMMAND_COMPILE, whose name is none. */
typedef enum Command {
#define COMMAND(id, name, synopsis, help) COMMAND_##id,
#include "driver/options.def"
	COMMAND_COUNT
} Command;

typedef struct DepfileTarget {
	const char *name;
	bool quoted; /* -MQ: as make reads it; -MT: as it is */
} DepfileTarget;

typedef struct Options {
	Command command;
	VEC(Input) inputs;
	uint32_t ncir;
	const char *output; /* -o, or NULL */
	Product product;
	const char *product_given_by; /* the option that asked for it, or NULL */
	bool depfile;                 /* -MD, -MMD */
	bool depfile_phony;           /* -MP */
	const char *depfile_name;     /* -MF, or NULL */
	VEC(DepfileTarget) depfile_targets;
	const char *source_name; /* or NULL */
	PrefixMaps prefix_maps;
	Dialect from;
	RepairMode repair;
	bool repair_given; /* else the dialect decides */
	char opt;
	unsigned debug;                      /* version of DWARF, 0: none */
	const char *triple, *cpu, *features; /* or NULL */
	VEC(const char *) triples;           /* of each --target; `triple` is the last */
	bool sjlj;                           /* exceptions without tables: 'circ.eh.model' of the module */
	const char *eh;                      /* as 'cir.ms.eh' of the module has it, or NULL */
	bool lift;                           /* LLVM IR for its own target, too */
	const char *eh_runtime;              /* file of a table for lifting, or NULL */
	const char *faults;                  /* as 'circ.faults' of the module has it, or NULL */
	bool pic, pie, shared, is_static, pthread;
	CxxLib cxxlib;
	const char *winsdk; /* or NULL */
	bool cxxlib_given;
	const char *jobs_given;  /* -j's value, or NULL */
	VEC(const char *) loads; /* --load */
	const char *lazy;        /* --lazy, --no-lazy, or NULL */
	char **args;             /* of the program: what follows "--" */
	int nargs;
	unsigned print_flags;                                  /* PrintFlags */
	unsigned jobs;                                         /* threads, at least 1 */
	unsigned max_copied_ops, max_data, max_constant_parts; /* ModuleBudget; 0: the default */
	unsigned max_time, max_memory;                         /* --untrusted: seconds, MiB; 0: the default */
	unsigned part_ops; /* ops in a part of a module, at least; 0: the default */
	bool verify_only, verify_each, no_asm_files, untrusted, dump_plan;
	const char *thrown, *at; /* `circ explain`: --throw, --at, or NULL */
	bool json, unwind_rows;  /* `circ explain` */
	bool open;               /* `circ view` */
	bool verbose, dry_run, time_passes;
	bool help, version;
	const char *topic; /* of `circ help`, or NULL */
} Options;

/* The last part of a path. */
const char *path_base(const char *path);
/* The path with this suffix instead of its own. malloc'ed; NULL: no memory. */
char *path_with_suffix(const char *path, const char *suffix);

/* Each on its own; options_check() asks whether they make sense together. */
bool options_parse(Options *o, int argc, char **argv, Arena *arena, Report *r);

#endif

/* lower/debug.h: what debuggers are told: DWARF on ELF, CodeView for windows-msvc. Private to src/lower.
 *
 * debug.c        functions, variables
 * debug_place.c  files, lines, lexical blocks
 * debug_type.c   types
 * debug_record.c records and what the module tells of their members
 * debug_unit.c   the compile unit
 *
 * A place is what `loc(...)` says; where the text says nothing, its own line, so that a debugger steps
 * through the CIR. Files are named as they are given, and the compilation folder is ".": the same input gives
 * the same bytes wherever it lies. Code does not depend on any of this: only metadata is added.
 *
 * Without LowerOptions.debug every function here does nothing.
 */
#ifndef CIRC_LOWER_DEBUG_H
#define CIRC_LOWER_DEBUG_H

#include "ir/debug_source.h"
#include "lower/lowerer.h"

#include <llvm-c/DebugInfo.h>

typedef VEC(IrType *) TypeList;

/* A function, or a block in it. */
typedef struct DebugScope {
	LLVMMetadataRef node, file;
	PtrMap elsewhere; /* the same scope for code of other files */
	bool has_label;
} DebugScope;

typedef struct Debug {
	LLVMModuleRef scratch; /* of the builder */
	LLVMDIBuilderRef builder;
	LLVMValueRef unit;
	LLVMMetadataRef stand_in; /* for the unit, while there is work for the builder */
	LLVMMetadataRef file;     /* the unit's own */
	VEC(LLVMMetadataRef) subprograms;
	LLVMMetadataRef expression; /* an empty one */
	PtrMap files;               /* by where the path's bytes are */
	DebugScope function;        /* being lowered */
	const IrSource *source;     /* of it, or NULL */
	VEC(bool) parameters;       /* of it, by number: which have a variable */
	PtrMap blocks;              /* in it: IrScope to DebugScope */
	LLVMMetadataRef *types;     /* IrType.id */
	uint16_t *names;            /* debug_type.c: IrType.id: in the name of the type; 0: not counted yet */
	TypeList announced;         /* records, in the order in which they were met */
	uint32_t described;         /* of these, whose members have been told */
	PtrMap records;             /* debug_record.c: what is known of them */
} Debug;

typedef struct DebugPlace {
	LLVMMetadataRef file;
	unsigned line, column; /* 0: unknown */
} DebugPlace;

void debug_begin(Lower *e);
void debug_end(Lower *e);
/* What is emitted from now on belongs to func, until NULL. */
void debug_function(Lower *e, LLVMValueRef function, const IrOp *func);
/* All of it has been lowered: its variables that no alloca is. */
void debug_moved(Lower *e);
/* Where the code of op comes from. */
void debug_op(Lower *e, const IrOp *op);
void debug_local(Lower *e, const IrOp *alloca, LLVMValueRef slot);
void debug_global(Lower *e, const IrOp *global, LLVMValueRef v);

/* debug_unit.c. False: reported. */
bool debug_open_unit(Lower *e);
void debug_set_unit_file(Lower *e, LLVMMetadataRef file);
void debug_close_unit(Lower *e);
void debug_dispose(Lower *e);

/* debug_record.c: where lowering ends early, what was announced is owned by nobody yet. */
void debug_drop_announced(Lower *e);

/* debug_place.c */
LLVMMetadataRef debug_make_file(Lower *e, Str path);
/* Of files, functions, variables, types: as they may stand in a comment of assembly. */
Str debug_name(Lower *e, Str name);
DebugPlace debug_place(Lower *e, Loc loc);
/* The innermost block of loc in the function being lowered. */
LLVMMetadataRef debug_scope(Lower *e, Loc loc);
LLVMMetadataRef debug_location(Lower *e, Loc loc);
/* Before the code at loc, if it is the first of a copy that debuggers could not tell from its original. */
void debug_label(Lower *e, Loc loc);

/* debug_type.c. NULL: !cir.void and what has no type for a debugger. */
LLVMMetadataRef debug_type(Lower *e, IrType *t);
/* Of a function. */
LLVMMetadataRef debug_function_type(Lower *e, const IrType *t);
/* debug_record.c: records hold pointers to each other, so each is announced when it is
 * met, and described at the end. */
LLVMMetadataRef debug_announce_record(Lower *e, IrType *t);
void debug_finish_records(Lower *e);
/* Types have no names of members, bit-fields and bases; the code that reaches them has.
 * Bodies may be gone at the end. */
void debug_learn_records(Lower *e);

#endif

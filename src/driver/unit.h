/* driver/unit.h: one input file on its way through the stages.
 *
 * Each step takes the unit from one stage to the next. It returns false when it reported an error; the unit may then only be closed.
 * A step for a stage that the file has already passed does nothing.
 */
#ifndef CIRC_DRIVER_UNIT_H
#define CIRC_DRIVER_UNIT_H

#include "driver/options.h"
#include "driver/timing.h"
#include "emit/emit.h"
#include "ir/module.h"

typedef struct Unit {
	const Options *o;
	const Input *input;
	Report *report;
	Timing *timing;
	Diags d;
	OomGuard *oom; /* of the arenas of m */

	Str text;     /* malloc'ed; what the module was read from */
	IrModule *m;  /* NULL: not read yet, or already an LLVM module */
	Stage stage;  /* of m */
	char *triple; /* that code is made for, malloc'ed */

	LLVMTargetMachineRef machine;
	LLVMContextRef context;
	LLVMModuleRef module;
	Str object; /* malloc'ed; for the linker */
} Unit;

void unit_open(Unit *u, const Options *o, const Input *input, Report *r, Timing *t);
/* Gives back everything but what the linker needs. */
void unit_finish(Unit *u);
void unit_close(Unit *u);

bool unit_read(Unit *u);
/* The verifier at the stage that the text shows; also whether that stage leads to what is to be made. */
bool unit_verify(Unit *u);
bool unit_flatten(Unit *u);
bool unit_lower_abi(Unit *u);
bool unit_print(Unit *u);
bool unit_dump_plan(Unit *u);
/* To LLVM IR. The CIR is given back to the system: LLVM needs the memory. */
bool unit_lower(Unit *u);
bool unit_optimize(Unit *u);
bool unit_emit(Unit *u);
/* As unit_emit, to u->object. */
bool unit_emit_object(Unit *u);

#endif

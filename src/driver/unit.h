/* driver/unit.h: one input file on its way through the stages.
 *
 * Each step takes the unit from one stage to the next. It returns false when it reported an error; the unit
 * may then only be closed. A step for a stage that the file has already passed does nothing.
 */
#ifndef CIRC_DRIVER_UNIT_H
#define CIRC_DRIVER_UNIT_H

#include "base/jobs.h"
#include "driver/options.h"
#include "driver/timing.h"
#include "emit/emit.h"
#include "ir/module.h"
#include "lower/split.h"

typedef struct Unit {
	const Options *o;
	const Input *input;
	Report *report;
	Timing *timing;
	Jobs *jobs; /* threads for its parts */
	Diags d;
	OomGuard *oom; /* of the arenas of m */

	Str text;     /* malloc'ed; what the module was read from */
	void *unused; /* of heap_prepare() */
	IrModule *m;  /* NULL: not read yet, or already an LLVM module */
	Stage stage;  /* of m */
	char *triple; /* that code is made for, malloc'ed */

	LLVMTargetMachineRef machine;
	LLVMContextRef context;
	LLVMModuleRef module;
	EmitImage image; /* for a file or the linker */
} Unit;

void unit_open(Unit *u, const Options *o, const Input *input, Report *r, Timing *t, Jobs *jobs);
/* Gives back everything but the image. */
void unit_finish(Unit *u);
/* Leaves what LLVM has made for the process's end to give back, at once: of the one unit of a process that ends soon. */
void unit_leave_llvm(Unit *u);
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
/* To u->image. */
bool unit_emit(Unit *u);
/* u->image to the unit's file. */
bool unit_write(Unit *u);

/* unit_lower() in two steps. known: the names of CPU and features are right. split: NULL, or the module is
 * left as it is, and part i of it is made. */
bool unit_open_machine(Unit *u, bool known);
bool unit_make_llvm(Unit *u, const LowerSplit *split, uint32_t i);

#endif

/* repair/internal.h: what the rows share.
 *
 * A row looks for its pattern, asks repair_at() at each place where it finds one, and changes the place if that says so. It must
 * not change anything before: where a text is only looked at, nothing is. It may report errors only where r->changes is true.
 */
#ifndef CIRC_REPAIR_INTERNAL_H
#define CIRC_REPAIR_INTERNAL_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/build.h"
#include "repair/repair.h"

typedef VEC(IrOp *) RepairOps;

typedef enum RepairId {
#define REPAIR(id, ...) REPAIR_##id,
#include "repair/repairs.def"
	REPAIR_COUNT
} RepairId;

typedef struct RepairFound {
	uint32_t n;
	Loc first;
	RepairId row; /* of the first */
} RepairFound;

typedef struct Repair {
	IrModule *m;
	const AbiTarget *target; /* NULL: not known */
	Stage stage;             /* of m */
	Diags *d;
	Arena *mem;   /* until the pass is done */
	RepairId row; /* that runs */
	bool changes; /* that row; else it only looks */
	RepairFound changed, left;
	uint32_t changed_by[REPAIR_COUNT];
} Repair;

/* remark.c */

/* The row's pattern stands here. True: change it. */
bool repair_at(Repair *r, Loc loc);
/* What is left to say when all rows have run. */
void repair_tell(const Repair *r);

/* One for each row. False: reported. */
#define REPAIR(id, ...) bool repair_##id(Repair *r);
#include "repair/repairs.def"

/* proof.c */

/* When clang printed the text, in months since the year 0; last < first: nothing proves that clang did, or no clang can have. */
typedef struct RepairTime {
	int first, last;
} RepairTime;

RepairTime repair_time(const char *from, const char *until);
RepairTime repair_time_both(RepairTime a, RepairTime b);
RepairTime repair_time_of_text(const IrModule *m);

/* member_function.c: what member functions say of themselves, and of their object */

/* The class whose constructor or destructor func is; NULL: it is none. */
const IrType *repair_constructed(const IrOp *func);
const IrType *repair_destroyed(const IrOp *func);
bool repair_is_thunk(const IrOp *func); /* as its name tells */
/* The parameter that v is, or that was stored where v is loaded; NULL: none. */
const IrValue *repair_parameter(const IrOp *func, const IrValue *v);
bool repair_sets_vptr(const IrOp *op);

/* Is it the address of a variable of that name? Its name is all that tells what clang made it for. */
bool repair_is_variable(const IrValue *v, Str name);

#endif

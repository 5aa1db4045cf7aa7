/* The exception that a fault is: no language's: the types of its code take it, filters and catch-alls. */
#include "runtime/eh/fault.h"
#include "runtime/eh/raise.h"

/* Of the thread; 0: none. A handler of signals reads it, where memory for it cannot be had. */
static _Thread_local uintptr_t declined __attribute__((tls_model("initial-exec")));

bool circeh_fault_is_declined(uintptr_t pc)
{
	bool is = declined == pc;
	declined = 0;
	return is;
}

static CircException *describe(const CircehFault *f)
{
	CircException *e = circeh_of_object(circ_allocate_exception(0), CIRCEH_ALLOCATED);
	e->state = CIRCEH_THROWN;
	e->is_fault = true;
	e->type = circeh_clause_of_code(f->code);
	e->record = (CircRecord){
	    .code = f->code,
	    .address = (void *)f->pc,
	    .native = &e->native,
	    .info = {f->info[0], f->info[1]},
	};
	e->plain_frame = circeh_is_operation(f->pc) ? 0 : CIRCEH_PLAIN_FRAME_UNKNOWN;
	circeh_fly(e);
	circeh_on_throw(&e->record);
	return e;
}

/* Where nobody takes it the fault is the program's own, as without us: it happens again. */
void circeh_fault_raise(CircehFault *f)
{
	CircException *e = describe(f);
	circeh_raise(e);
	if (!e->decision.continues) {
		circeh_on_unhandled(&e->record);
		declined = f->pc;
	}
	circeh_over(e);
}

/* Functions out of which no exception comes: they throw none, and call only such functions.
 *
 * LLVM finds that out itself, but not of linkonce_odr and weak_odr functions, since the linker may take another definition, which was
 * optimised otherwise. The source is the same, so that what holds of this one holds of that one. clang says it of what it has written
 * already; here all bodies are known first, so that the order of functions does not matter.
 */
#include "lower/attribute.h"

#include "base/ptrmap.h"

/* May the program run another definition of this name in its place, which does something else? */
static bool is_replaceable(const IrOp *func)
{
	unsigned linkage = ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL);
	return linkage == LINKAGE_WEAK || linkage == LINKAGE_LINKONCE;
}

void lower_nounwind_begin(Lower *e, const IrOp *func)
{
	e->unwinds = e->whole || e->options->code_only || is_replaceable(func);
	e->quiet_calls = e->calls.len;
}

void lower_nounwind_call(Lower *e, const CallSite *c)
{
	if (!e->function || e->unwinds || (c->nothrow && !c->unwind))
		return;
	bool known = !c->unwind && LLVMIsAFunction(c->callee);
	if (known && attribute_has(e, (Holder){c->callee, false}, LLVM_nounwind))
		return;
	if (known)
		vec_push(e->arena, &e->calls, ((LowerCall){.caller = e->quiet.len, .callee = c->callee}));
	else
		e->unwinds = true;
}

void lower_nounwind_end(Lower *e)
{
	if (e->unwinds)
		e->calls.len = e->quiet_calls;
	else
		vec_push(e->arena, &e->quiet, ((LowerQuiet){.function = e->function}));
}

/* Of each function that is called, the calls of it are a list. Of a function that is not in the list of quiet ones, all callers
 * unwind; and of these the callers. */
static void spread(Lower *e)
{
	enum { NONE = 0 };
	PtrMap indices = {0};
	VEC(uint32_t) unwinding = {0};
	for (uint32_t i = 0; i < e->quiet.len; i++)
		ptrmap_put(e->scratch, &indices, e->quiet.data[i].function, &e->quiet.data[i]);
	for (uint32_t i = 0; i < e->calls.len; i++) {
		LowerCall *c = &e->calls.data[i];
		LowerQuiet *callee = ptrmap_get(&indices, c->callee);
		if (callee) {
			c->next = callee->callers;
			callee->callers = i + 1;
		} else if (!e->quiet.data[c->caller].unwinds) {
			e->quiet.data[c->caller].unwinds = true;
			vec_push(e->scratch, &unwinding, c->caller);
		}
	}
	while (unwinding.len) {
		uint32_t next = e->quiet.data[unwinding.data[--unwinding.len]].callers;
		for (; next != NONE; next = e->calls.data[next - 1].next) {
			uint32_t caller = e->calls.data[next - 1].caller;
			if (!e->quiet.data[caller].unwinds)
				vec_push(e->scratch, &unwinding, caller);
			e->quiet.data[caller].unwinds = true;
		}
	}
}

void lower_nounwind_finish(Lower *e)
{
	ArenaMark mark = arena_mark(e->scratch);
	spread(e);
	arena_release(e->scratch, mark);
	for (uint32_t i = 0; i < e->quiet.len; i++)
		if (!e->quiet.data[i].unwinds)
			attribute_add((Holder){e->quiet.data[i].function, false}, ATTRIBUTE_OF_FUNCTION,
			              attribute_unit(e, LLVM_nounwind));
}

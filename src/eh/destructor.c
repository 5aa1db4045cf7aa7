#include "eh/destructor.h"

#include "ir/mangled.h"

static bool gives_object(const IrOp *func)
{
	const IrType *result = ir_func_type(func)->elem;
	return ir_is_ptr(result) ||
	       (result->kind == TYPE_VOID && mangled_is_structor(name_str(ir_symbol_name(func))));
}

/* cir.func internal @.circ.destructor.NAME(%object) [-> ptr] { cir.call @NAME(%object); cir.return [%object] } */
static void define(Cxa *c, IrOp *thunk, IrOp *destructor, bool gives)
{
	IrModule *m = c->rt.m;
	ir_set_enum(m, thunk, NAME_linkage, ENUM_LINKAGE, LINKAGE_INTERNAL);
	IrBuilder b = ir_at_end(m, ir_func_add_entry(m, thunk), thunk->loc);
	IrValue *object = b.block->args[0];
	libfn_build_call(&b, destructor, &object, 1, NULL);
	ir_build(&b, OP_RETURN, NULL, &object, gives);
}

Name *destructor_for_runtime(Cxa *c, Name *destructor, Loc loc)
{
	IrModule *m = c->rt.m;
	IrOp *func = ir_symbol(destructor);
	bool wanted = c->runtime == EH_RUNTIME_CXX;
	if (!c->rt.target->machine->returns_this || func->kind != OP_FUNC ||
	    ir_func_type(func)->nmembers != 1 || gives_object(func) == wanted)
		return destructor;
	ArenaMark mark = arena_mark(&m->scratch);
	Name *name = ir_name(m, str_of(arena_printf(&m->scratch, ".circ.destructor.%s", destructor->text)));
	arena_release(&m->scratch, mark);
	if (!ir_symbol(name)) {
		IrType *type =
		    ir_type_func(m, &m->voidp, 1, wanted ? m->voidp : ir_type_simple(m, TYPE_VOID), false);
		define(c, ir_func_create(m, name, type, loc), func, wanted);
	}
	return name;
}

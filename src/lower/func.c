/* Functions: what a declaration says. */
#include "lower/lowerer.h"

/* The lowest bit of a pointer to a member function says that it is virtual: no member may be at an odd address, as
 * LLVM would have it for size. The pointer may be made in another module, for which there is the name; that does not tell
 * members of classes from those of namespaces. Microsoft's pointers have no such bit. */
static uint64_t alignment(const Lower *e, const IrOp *func)
{
	const Name *name = ir_symbol_name(func);
	bool nested = strncmp(name->text, "_ZN", 3) == 0 || strncmp(name->text, "_ZZ", 3) == 0;
	bool even = (nested || e->methods[name->id]) && !e->microsoft && !ir_func_is_declaration(func);
	uint64_t told = ir_op_uint(func, NAME_alignment, 0);
	return even && !e->whole && told < 2 ? 2 : told;
}

/* Only its address is taken, so it need not be declared: `i32 (...)` then, as every front end has it. */
static void set_personality(Lower *e, LLVMValueRef v, const IrOp *func)
{
	const Name *name = ir_op_symbol(func, NAME_personality);
	if (!name)
		return;
	if (!e->symbols[name->id] && !e->declare(e, name))
		e->symbols[name->id] =
		    LLVMAddFunction(e->module, name->text, LLVMFunctionType(e->i32, NULL, 0, true));
	LLVMSetPersonalityFn(v, e->symbols[name->id]);
}

/* For what emit/cpu.c may have to tell. Most functions of a module ask for the same, and attributes are unique. */
static void note_machine(Lower *e, LLVMValueRef v, const IrOp *func)
{
	static const char kind[] = "circ.machine";
	const Machine nothing = {{NULL}};
	if (memcmp(&e->machine, &nothing, sizeof nothing) == 0 ||
	    memcmp(&e->machine, &e->noted, sizeof e->noted) == 0)
		return;
	e->noted = e->machine;
	LLVMGlobalSetMetadata(v, LLVMGetMDKindIDInContext(e->context, kind, (unsigned)strlen(kind)),
	                      lower_place_node(e, func->loc));
}

/* For what emit/llvm_gaps/libcalls.c may have to tell. */
static void note_function(Lower *e, LLVMValueRef v, const IrOp *func)
{
	static const char kind[] = "circ.function";
	if (e->coff && e->options->places)
		LLVMGlobalSetMetadata(v, LLVMGetMDKindIDInContext(e->context, kind, (unsigned)strlen(kind)),
		                      lower_place_node(e, func->loc));
}

static const char *link_name(Lower *e, const IrOp *func)
{
	const IrAttr *own = ir_op_attr(func, NAME_circ_link_name);
	return own && own->kind == ATTR_STRING ? own->name->text : lower_part_name(e, func);
}

void lower_declare_function(Lower *e, const IrOp *func)
{
	const Name *name = ir_symbol_name(func);
	LLVMTypeRef type = lower_type(e, ir_func_type(func));
	if (!type)
		return;
	LLVMValueRef v = LLVMAddFunction(e->module, link_name(e, func), type);
	e->symbols[name->id] = v;
	lower_linkage(e, v, func, !ir_func_is_declaration(func) || ir_op_has(func, NAME_aliasee));
	LLVMSetFunctionCallConv(v, lower_calling_conv(e, func));
	lower_section(e, v, func);
	lower_symbol_alignment(e, v, alignment(e, func));
	lower_function_attributes(e, v, func);
	lower_may_fault(e, v, func);
	note_machine(e, v, func);
}

void lower_define_function(Lower *e, const IrOp *func)
{
	LLVMValueRef v = lower_symbol(e, ir_symbol_name(func));
	if (!v || !lower_count_padding(e, v))
		return;
	lower_check_zero_section(e, func, NULL);
	set_personality(e, v, func);
	note_function(e, v, func);
	lower_body(e, v, func);
}

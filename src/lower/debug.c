#include "lower/debug.h"

/* Places */

/* A debugger stops behind the code of a function that has no place: where its parameters are in their slots. */
static bool is_prologue(const Lower *e, const IrOp *op)
{
	if (e->options->op_numbers || op->block != e->func->regions[0].first)
		return false;
	if (op->kind != OP_STORE)
		return op->kind == OP_ALLOCA;
	const IrValue *stored = ir_operand(op, 0), *slot = ir_operand(op, 1);
	return stored->is_arg && stored->def.block == op->block && !slot->is_arg &&
	       slot->def.op->kind == OP_ALLOCA;
}

/* LLVM IR that was read says itself which instructions have a place. LLVM wants one for each call, for inlining. */
static bool has_place(const Lower *e, const IrOp *op)
{
	if (!e->whole || e->options->op_numbers)
		return !is_prologue(e, op);
	return loc_file(op->loc.info) || op->kind == OP_CALL || op->kind == OP_TRY_CALL;
}

void debug_op(Lower *e, const IrOp *op)
{
	if (!e->debug || !e->debug->function.node)
		return;
	if (op->kind != OP_ALLOCA) /* which stands in the entry block */
		debug_label(e, op->loc);
	LLVMSetCurrentDebugLocation2(e->b, has_place(e, op) ? debug_location(e, op->loc) : NULL);
}

/* Functions */

static Str digits_name(const char *p, const char *end)
{
	size_t n = 0;
	while (p < end && *p >= '0' && *p <= '9' && n < (size_t)(end - p))
		n = n * 10 + (size_t)(*p++ - '0');
	return n && n <= (size_t)(end - p) ? (Str){p, n} : (Str){0};
}

/* The last identifier of an Itanium name that has nothing else in it: `_Z3addii`, `_ZN2ns1C3addEi`. Debuggers
 * take the rest from the linkage name. */
static Str source_name(const Name *symbol)
{
	const char *p = symbol->text, *end = p + symbol->len;
	if (symbol->len < 4 || memcmp(p, "_Z", 2) != 0)
		return name_str(symbol);
	p += 2;
	bool nested = *p == 'N';
	p += nested;
	while (nested && p < end && (*p == 'K' || *p == 'V' || *p == 'r'))
		p++;
	Str last = {0}, next;
	while ((next = digits_name(p, end)).len) {
		last = next;
		p = next.data + next.len;
		if (!nested)
			break;
	}
	return last.len && (!nested || (p < end && *p == 'E')) ? last : name_str(symbol);
}

/* Of LLVM IR that was read only what has a place there. */
static bool is_described(const Lower *e, const IrOp *symbol)
{
	return !e->whole || e->options->op_numbers || loc_file(symbol->loc.info);
}

static bool is_local(const IrOp *symbol)
{
	unsigned linkage = ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL);
	return linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE;
}

/* Variables */

enum { DW_OP_deref = 0x06 }; /* DWARF 5, 7.7.1 */

/* Names that no source has: of temporaries, and what front ends begin with two underscores. */
static bool is_source_name(const Name *name)
{
	return name->len && !memchr(name->text, '.', name->len) && strncmp(name->text, "__", 2) != 0;
}

/* A parameter that is stored to several slots is the first of them; the others are variables that begin as it. */
static bool take_parameter(Lower *e, uint32_t number)
{
	Debug *g = e->debug;
	while (g->parameters.len <= number)
		vec_push(e->arena, &g->parameters, false);
	bool first = number && !g->parameters.data[number];
	g->parameters.data[number] = true;
	return first;
}

static LLVMMetadataRef describe_variable(Lower *e, const IrMoved *v, LLVMMetadataRef type)
{
	Debug *g = e->debug;
	Str name = debug_name(e, name_str(v->name));
	DebugPlace p = debug_place(e, v->loc);
	if (take_parameter(e, v->parameter))
		return LLVMDIBuilderCreateParameterVariable(g->builder, g->function.node, name.data, name.len,
		                                            v->parameter, p.file, p.line, type, true,
		                                            LLVMDIFlagZero);
	return LLVMDIBuilderCreateAutoVariable(g->builder, debug_scope(e, v->loc), name.data, name.len,
	                                       p.file, p.line, type, true, LLVMDIFlagZero, 0);
}

/* before: the instruction that it is declared at, or NULL: the end of the entry block. */
static void declare(Lower *e, const IrMoved *v, LLVMValueRef memory, LLVMValueRef before)
{
	Debug *g = e->debug;
	LLVMMetadataRef type = is_source_name(v->name) ? debug_type(e, v->type) : NULL;
	if (!type)
		return;
	LLVMMetadataRef variable = describe_variable(e, v, type), place = debug_location(e, v->loc);
	if (before)
		LLVMDIBuilderInsertDeclareRecordBefore(g->builder, memory, variable, g->expression, place,
		                                       before);
	else
		LLVMDIBuilderInsertDeclareRecordAtEnd(g->builder, memory, variable, g->expression, place,
		                                      LLVMGetEntryBasicBlock(e->function));
}

/* Slots of LLVM IR have names of values, which mean nothing, and types without a sign. */
void debug_local(Lower *e, const IrOp *alloca, LLVMValueRef slot)
{
	if (!e->debug || e->whole || e->options->op_numbers || ir_op_nmain(alloca) ||
	    ir_op_has(alloca, NAME_cleanup_dest_slot))
		return;
	const IrValue *memory = &alloca->results[0];
	IrMoved v = {.name = ir_op_attr(alloca, NAME_name)->name,
	             .type = memory->type->elem,
	             .loc = alloca->loc,
	             .parameter = ir_source_parameter(e->debug->source, memory)};
	declare(e, &v, slot, LLVMGetNextInstruction(slot));
}

/* Variables at arguments, which are there from the beginning; or at addresses in slots, which have been lowered. */
static void declare_moved(Lower *e, bool at_arguments)
{
	Debug *g = e->debug;
	uint64_t deref = DW_OP_deref;
	LLVMMetadataRef direct = g->expression;
	for (uint32_t i = 0; g->source && !e->options->op_numbers && i < g->source->moved.len; i++) {
		const IrMoved *v = &g->source->moved.data[i];
		if (v->address->is_arg != at_arguments)
			continue;
		LLVMValueRef memory = lower_value(e, v->address);
		if (!at_arguments)
			g->expression = LLVMDIBuilderCreateExpression(g->builder, &deref, 1);
		declare(e, v, memory, at_arguments ? NULL : LLVMGetNextInstruction(memory));
		g->expression = direct;
	}
}

void debug_moved(Lower *e)
{
	if (e->debug && e->debug->function.node)
		declare_moved(e, false);
}

void debug_function(Lower *e, LLVMValueRef function, const IrOp *func)
{
	Debug *g = e->debug;
	if (!g)
		return;
	LLVMSetCurrentDebugLocation2(e->b, NULL);
	g->blocks = (PtrMap){0};
	g->parameters.len = 0;
	g->function = (DebugScope){0};
	if (!func || !is_described(e, func))
		return;
	const Name *symbol = ir_symbol_name(func);
	DebugPlace p = debug_place(e, func->loc);
	Str found = source_name(symbol), name = debug_name(e, found);
	bool mangled = found.len != symbol->len;
	g->source = ir_source_of(e->m, func);
	LLVMMetadataRef type = debug_function_type(e, g->source ? g->source->type : ir_func_type(func));
	LLVMMetadataRef subprogram = LLVMDIBuilderCreateFunction(
	    g->builder, p.file, name.data, name.len, mangled ? symbol->text : "", mangled ? symbol->len : 0,
	    p.file, p.line, type, is_local(func), true, p.line, LLVMDIFlagPrototyped, e->options->optimized);
	LLVMSetSubprogram(function, subprogram);
	vec_push(e->arena, &g->subprograms, subprogram);
	g->function = (DebugScope){.node = subprogram, .file = p.file};
	declare_moved(e, true);
}

/* Virtual tables, type infos, what throws need, guards, literals: no source has names for them. */
static bool is_source_global(const Lower *e, const Name *symbol)
{
	static const struct {
		const char *prefix;
		bool microsoft;
	} rows[] = {{"_ZT", false}, {"_ZGV", false}, {"??_", true},
	            {"_TI", true},  {"_CT", true},   {"__", false}};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if ((e->microsoft || !rows[i].microsoft) &&
		    strncmp(symbol->text, rows[i].prefix, strlen(rows[i].prefix)) == 0)
			return false;
	return !memchr(symbol->text, '.', symbol->len);
}

void debug_global(Lower *e, const IrOp *global, LLVMValueRef v)
{
	Debug *g = e->debug;
	const Name *symbol = ir_symbol_name(global);
	LLVMMetadataRef type =
	    g && !e->options->op_numbers && is_described(e, global) && is_source_global(e, symbol)
	        ? debug_type(e, ir_symbol_type(global))
	        : NULL;
	if (!type)
		return;
	DebugPlace p = debug_place(e, global->loc);
	Str found = source_name(symbol), name = debug_name(e, found);
	bool mangled = found.len != symbol->len;
	LLVMMetadataRef described = LLVMDIBuilderCreateGlobalVariableExpression(
	    g->builder, p.file, name.data, name.len, mangled ? symbol->text : "", mangled ? symbol->len : 0,
	    p.file, p.line, type, is_local(global), g->expression, NULL, 0);
	LLVMGlobalSetMetadata(v, LLVMGetMDKindIDInContext(e->context, "dbg", 3), described);
}

/* Beginning and end */

static void add_flag(const Lower *e, const char *name, unsigned value)
{
	LLVMModuleFlagBehavior behavior = LLVMModuleFlagBehaviorWarning;
	LLVMAddModuleFlag(e->module, behavior, name, strlen(name),
	                  LLVMValueAsMetadata(LLVMConstInt(e->i32, value, false)));
}

/* A module that was built, or raised, is no text's. */
static Str unit_name(const IrModule *m)
{
	if (m->source.text.data || (m->source.name && !m->name))
		return str_of(m->source.name);
	return m->name ? name_str(m->name) : STR("<memory>");
}

void debug_begin(Lower *e)
{
	if (!e->options->debug)
		return;
	Debug *g = e->debug = arena_array(e->arena, Debug, 1);
	if (!debug_open_unit(e))
		return;
	g->types = arena_array(e->arena, LLVMMetadataRef, e->m->types.len);
	g->names = arena_array(e->arena, uint16_t, e->m->types.len);
	g->file = debug_make_file(e, unit_name(e->m));
	g->expression = LLVMDIBuilderCreateExpression(g->builder, NULL, 0);
	debug_set_unit_file(e, g->file);
	debug_learn_records(e);
	add_flag(e, "Debug Info Version", LLVMDebugMetadataVersion());
	if (e->microsoft)
		add_flag(e, "CodeView", 1);
	else
		add_flag(e, "Dwarf Version", e->options->debug);
}

void debug_end(Lower *e)
{
	if (!e->debug)
		return;
	debug_finish_records(e);
	debug_close_unit(e);
}

#include "ir/module.h"

#include <stdlib.h>

static const char *const known_names[NAME_COUNT] = {
#define NAME(id, text) [NAME_##id] = text,
#include "ir/names.def"
};

static void fill(IrModule *m)
{
	names_init(&m->names, &m->arena);
	for (unsigned i = 0; i < NAME_COUNT; i++) {
		Name *n = ir_name(m, str_of(known_names[i]));
		CHECK(n->id == i); /* a text that stands twice in names.def */
	}
	m->s32 = ir_type_int(m, 32, true, false);
	m->u32 = ir_type_int(m, 32, false, false);
	m->s64 = ir_type_int(m, 64, true, false);
	m->u64 = ir_type_int(m, 64, false, false);
	m->u8 = ir_type_int(m, 8, false, false);
	m->size = m->u64;
	m->difference = m->s64;
	m->voidp = ir_type_ptr(m, ir_type_simple(m, TYPE_VOID));
	ir_block_append(&m->body, ir_block_create(m, (Loc){0}));
}

static bool fill_guarded(IrModule *m)
{
	OomGuard guard;
	ir_module_guard(m, &guard);
	if (setjmp(guard.env))
		return false;
	fill(m);
	ir_module_guard(m, NULL);
	return true;
}

IrModule *ir_module_create(void)
{
	IrModule *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	arena_init(&m->arena);
	arena_init(&m->scratch);
	m->budget = (ModuleBudget){BUDGET_COPIED_OPS, BUDGET_DATA, BUDGET_CONSTANT_PARTS};
	pool_init(&m->pool, &m->arena, m);
	pool_init(&m->symbols, &m->arena, m);
	if (fill_guarded(m))
		return m;
	ir_module_destroy(m);
	return NULL;
}

void ir_module_destroy(IrModule *m)
{
	if (!m)
		return;
	pool_free(&m->pool);
	pool_free(&m->symbols);
	arena_free(&m->scratch);
	arena_free(&m->arena);
	free(m);
}

OomGuard *ir_module_guard(IrModule *m, OomGuard *guard)
{
	OomGuard *former = m->arena.oom;
	m->arena.oom = m->scratch.oom = guard;
	return former;
}

/* Known names are interned first, in order: the id is the index. */
Name *ir_known_name(const IrModule *m, NameId id)
{
	Name *n = name_find(&m->names, str_of(known_names[id]));
	CHECK(n && n->id == (uint32_t)id);
	return n;
}

void ir_module_set_address_size(IrModule *m, uint32_t bytes)
{
	if (bytes == ir_module_address_size(m))
		return;
	m->size = ir_type_int(m, bytes * 8, false, false);
	m->difference = ir_type_int(m, bytes * 8, true, false);
	ir_types_forget_layouts(m);
}

const IrAttr *ir_module_attr(const IrModule *m, NameId name)
{
	for (uint32_t i = 0; i < m->nmodule_attrs; i++)
		if (m->module_attrs[i].name->id == (uint32_t)name)
			return m->module_attrs[i].value;
	return NULL;
}

int ir_module_lang(const IrModule *m)
{
	const IrAttr *a = ir_module_attr(m, NAME_cir_lang);
	return a && a->kind == ATTR_ENUM && a->enum_class == ENUM_LANG ? (int)a->bits : -1;
}

/* `NAME = VALUE` at q, where a word begins? */
static bool is_setting(const char *q, const char *name, const char *value)
{
	static const char spaces[] = " \t\n";
	if (strncmp(q, name, strlen(name)) != 0)
		return false;
	q += strlen(name);
	q += strspn(q, spaces);
	if (*q != '=')
		return false;
	q += 1 + strspn(q + 1, spaces);
	return strncmp(q, value, strlen(value)) == 0;
}

/* #cir.lowering_lang_options<exceptions = true, …>: kept as text, since clang adds to the list. */
bool ir_module_option_is(const IrModule *m, const char *option, bool on)
{
	const IrAttr *a = ir_module_attr(m, NAME_lowering_lang_options);
	if (!a || a->kind != ATTR_OPAQUE)
		return false;
	for (const char *q = a->name->text; *q; q++)
		if (strchr("<, \t\n", *q) && is_setting(q + 1, option, on ? "true" : "false"))
			return true;
	return false;
}

/* Without exceptions, cleanups are for normal exits alone. */
static bool has_unwinding_cleanup(const IrModule *m)
{
	if (!m->made[OP_CLEANUP_SCOPE])
		return false;
	for (const IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_CLEANUP_SCOPE &&
		    ir_op_enum(op, NAME_kind, CLEANUP_NORMAL) != CLEANUP_NORMAL)
			return true;
	return false;
}

bool ir_module_has_cxx_exceptions(const IrModule *m)
{
	if (m->settled)
		return m->cxx_exceptions;
	if (ir_module_lang(m) != LANG_CXX)
		return false;
	if (ir_module_option_is(m, "exceptions", true))
		return true;
	if (m->made[OP_TRY] || m->made[OP_THROW] || m->made[OP_ALLOC_EXCEPTION] || m->made[OP_CHECK])
		return true;
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC && !ir_func_is_declaration(op) && ir_op_has(op, NAME_personality))
			return true;
	return has_unwinding_cleanup(m);
}

void ir_module_settle_exceptions(IrModule *m)
{
	m->cxx_exceptions = ir_module_has_cxx_exceptions(m);
	m->settled = true;
}

void ir_module_set_attr(IrModule *m, Name *name, const IrAttr *value)
{
	uint32_t i = 0;
	while (i < m->nmodule_attrs && m->module_attrs[i].name != name)
		i++;
	if (!value) {
		for (; i + 1 < m->nmodule_attrs; i++)
			m->module_attrs[i] = m->module_attrs[i + 1];
		if (i < m->nmodule_attrs)
			m->nmodule_attrs--;
		return;
	}
	if (i == m->nmodule_attrs) {
		IrNamedAttr *attrs = arena_array(&m->arena, IrNamedAttr, i + 1);
		if (i)
			memcpy(attrs, m->module_attrs, i * sizeof *attrs);
		m->module_attrs = attrs;
		m->nmodule_attrs++;
	}
	m->module_attrs[i] = (IrNamedAttr){name, value};
}

Name *ir_symbol_name(const IrOp *op)
{
	return ir_op_symbol(op, NAME_sym_name);
}

Name *ir_free_name(IrModule *m, Str stem)
{
	Name *first = ir_name(m, stem), *name = first;
	uintptr_t n = (uintptr_t)ptrmap_get(&m->numbers, first);
	StrBuf text = {0};
	ArenaMark mark = arena_mark(&m->scratch);
	buf_put(&m->scratch, &text, stem);
	while (ir_symbol(name)) {
		text.len = (uint32_t)stem.len;
		buf_printf(&m->scratch, &text, ".%zu", (size_t)++n);
		name = ir_name(m, (Str){text.data, text.len});
	}
	arena_release(&m->scratch, mark);
	if (n)
		ptrmap_put(&m->arena, &m->numbers, first, (void *)n);
	return name;
}

Name *ir_guard_name(IrModule *m, const Name *variable)
{
	ArenaMark mark = arena_mark(&m->scratch);
	bool mangled = variable->len > 2 && memcmp(variable->text, "_Z", 2) == 0;
	const char *text =
	    mangled ? arena_printf(&m->scratch, "_ZGV%s", variable->text + 2)
	            : arena_printf(&m->scratch, "_ZGV%u%s", (unsigned)variable->len, variable->text);
	Name *name = ir_name(m, str_of(text));
	arena_release(&m->scratch, mark);
	return name;
}

bool ir_symbol_define(IrOp *op)
{
	Name *name = ir_symbol_name(op);
	if (!name || name->symbol)
		return false;
	name->symbol = op;
	return true;
}

void ir_symbol_undefine(IrOp *op)
{
	Name *name = ir_symbol_name(op);
	if (name && name->symbol == op)
		name->symbol = NULL;
}

static IrType *type_attr(const IrOp *op, NameId name)
{
	const IrAttr *a = ir_op_attr(op, name);
	return a && a->kind == ATTR_TYPE ? a->type : NULL;
}

IrType *ir_func_type(const IrOp *func)
{
	return type_attr(func, NAME_function_type);
}

IrType *ir_symbol_type(const IrOp *symbol)
{
	return type_attr(symbol, symbol->kind == OP_FUNC ? NAME_function_type : NAME_sym_type);
}

Str ir_module_triple(const IrModule *m)
{
	const IrAttr *a = ir_module_attr(m, NAME_cir_triple);
	if (!a)
		a = ir_module_attr(m, NAME_llvm_target_triple);
	return a && a->kind == ATTR_STRING ? name_str(a->name) : (Str){"", 0};
}

/* A thread-local global whose wrapper is still to be made: until then, its uses are structured CIR's. */
static bool lacks_wrapper(const IrOp *op)
{
	const IrAttr *refs = op->kind == OP_GLOBAL ? ir_op_attr(op, NAME_tls_refs) : NULL;
	return refs && refs->kind == ATTR_PARAMS && !ir_symbol(refs->elems[TLS_WRAPPER_INIT_WRAPPER]->name);
}

static bool lacks_function(const IrAttr *name)
{
	const IrOp *found = name->kind == ATTR_STRING ? ir_symbol(name->name) : NULL;
	return !found || found->kind != OP_FUNC; /* a global of that name is an error then */
}

/* The initializer of a C++20 module, or one that it is to call, is still to be made. */
static bool lacks_initializer(const IrModule *m)
{
	const IrAttr *own = ir_module_attr(m, NAME_cxx_module_init_fn_name);
	const IrAttr *imports = ir_module_attr(m, NAME_cxx_module_imported_inits);
	if ((own && lacks_function(own)) || (imports && imports->kind != ATTR_ARRAY))
		return true;
	for (uint32_t i = 0; imports && i < imports->n; i++)
		if (lacks_function(imports->elems[i]))
			return true;
	return false;
}

bool ir_func_has_label(const IrModule *m, const IrOp *func)
{
	if (!m->made[OP_LABEL])
		return false;
	IR_FOR_BLOCKS (b, &func->regions[0])
		if (b->first->kind == OP_LABEL)
			return true;
	return false;
}

/* Flattening ends what would leave it in std::terminate. */
static bool is_noexcept(const IrOp *func)
{
	return ir_op_is_nothrow(func) && !ir_func_is_declaration(func);
}

static bool expands(const IrModule *m)
{
	bool terminates = ir_module_has_cxx_exceptions(m);
	if (lacks_initializer(m))
		return true;
	IR_FOR_OPS (op, ir_module_block(m))
		if (lacks_wrapper(op) || (op->kind == OP_FUNC && terminates && is_noexcept(op)))
			return true;
	return false;
}

/* Of the stages that admit everything, the one that it is; 0: there is none. */
static unsigned preferred(unsigned stages, bool expands)
{
	static const Stage preference[] = {STAGE_FLAT, STAGE_STRUCTURED, STAGE_ITANIUM, STAGE_MICROSOFT};
	if (expands && (stages & STAGE_STRUCTURED))
		return STAGE_STRUCTURED;
	for (unsigned i = 0; i < ARRAY_LEN(preference); i++)
		if (stages & preference[i])
			return preference[i];
	return 0;
}

unsigned ir_module_stages_of_all(const IrModule *m)
{
	unsigned common = ~0u;
	for (unsigned k = 0; k < OP_COUNT; k++)
		if (m->made[k])
			common &= op_info[k].stages;
	return common;
}

/* Walks no further than it must: no op can take a stage away that admits all kinds. */
Stage ir_module_stage(const IrModule *m)
{
	enum { ALL_STAGES = STAGE_STRUCTURED | STAGE_FLAT | STAGE_ITANIUM | STAGE_MICROSOFT };
	const IrAttr *raised = ir_module_attr(m, NAME_circ_llvm);
	if (raised)
		return raised->kind == ATTR_STRING ? STAGE_FLAT : STAGE_ITANIUM;
	unsigned common = ALL_STAGES, seen = 0, certain = ir_module_stages_of_all(m);
	bool first = expands(m);
	const IrOp *op = ir_walk_first(&m->body);
	for (; op && !(preferred(common, first) & certain); op = ir_walk_next(op, &m->body)) {
		common &= op_info[op->kind].stages;
		if (op_info[op->kind].stages != ALL_STAGES) /* the others tell nothing */
			seen |= op_info[op->kind].stages;
	}
	unsigned stage = preferred(common, first);
	if (stage)
		return (Stage)stage;
	/* No stage admits them all; name the one of its most telling op, and let the
	 * verifier say what does not belong. */
	return seen & STAGE_STRUCTURED ? STAGE_STRUCTURED : STAGE_FLAT;
}

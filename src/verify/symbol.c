/* Functions and globals (cir-reference 4.2 and 4.3). */
#include "ir/layout.h"
#include "verify/verifier.h"

enum {
	ALIAS_CHAIN_MAX = 64, /* an alias of an alias of …; longer is refused */
	PRIORITY_MAX = 65535,
};

static unsigned linkage_of(const IrOp *op)
{
	return ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL);
}

static const char *linkage_text(unsigned linkage)
{
	return ir_enum_info[ENUM_LINKAGE].words[linkage];
}

static bool is_local(unsigned linkage)
{
	return linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE;
}

static bool report_linkage(Verifier *v, const IrOp *op, const char *what)
{
	verifier_error(v, op, ": %s cannot have '%s' linkage", what, linkage_text(linkage_of(op)));
	return false;
}

bool verifier_not_word(Verifier *v, const IrOp *op, const Name *name, EnumClass c)
{
	const IrAttr *a = ir_op_attr(op, name->id);
	verifier_error(v, op, ": expected attribute '%s' to be a word of #cir.%s<…>", name->text,
	               ir_enum_info[c].spelling);
	if (a->kind == ATTR_INT)
		verifier_note(v, op->loc,
		              "a number is not read, because it stands for different words in different "
		              "versions of CIR; write the word");
	return false;
}

bool verifier_check_enum(Verifier *v, const IrOp *op, NameId name, EnumClass c)
{
	const IrAttr *a = ir_op_attr(op, name);
	if (!a || (a->kind == ATTR_ENUM && a->enum_class == c))
		return true;
	return verifier_not_word(v, op, ir_known_name(v->m, name), c);
}

bool verifier_check_symbol_type(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_symbol_type(op);
	if (op->kind == OP_FUNC && (!t || t->kind != TYPE_FUNC))
		verifier_error(v, op, "requires a function type as attribute 'function_type'");
	else if (!t)
		verifier_error(v, op, "requires a type as attribute 'sym_type'");
	else if (op->kind == OP_GLOBAL && t->kind == TYPE_FUNC)
		verifier_error(v, op, ": a global cannot have a function type");
	else
		return true;
	return false;
}

/* What functions and globals have in common. */
static bool check_common(Verifier *v, const IrOp *op)
{
	static const struct {
		NameId name;
		EnumClass class;
	} enums[] = {
	    {NAME_linkage, ENUM_LINKAGE},         {NAME_sym_visibility, ENUM_SYM_VISIBILITY},
	    {NAME_visibility, ENUM_VISIBILITY},   {NAME_calling_conv, ENUM_CALLING_CONV},
	    {NAME_tls_model, ENUM_TLS_MODEL},     {NAME_inline_kind, ENUM_INLINE},
	    {NAME_side_effect, ENUM_SIDE_EFFECT},
	};
	if (!verifier_check_name(v, op))
		return false;
	for (unsigned i = 0; i < ARRAY_LEN(enums); i++)
		if (!verifier_check_enum(v, op, enums[i].name, enums[i].class))
			return false;
	unsigned visibility = ir_op_enum(op, NAME_visibility, VISIBILITY_DEFAULT);
	if (is_local(linkage_of(op)) && visibility != VISIBILITY_DEFAULT) {
		verifier_error(v, op, ": %s visibility is not allowed with '%s' linkage",
		               ir_enum_info[ENUM_VISIBILITY].words[visibility], linkage_text(linkage_of(op)));
		return false;
	}
	return verifier_check_annotations(v, op) && verifier_check_align(v, op, NAME_alignment);
}

/* Priorities stand in attributes that may also be bare: then they are the default. */
static bool check_priority(Verifier *v, const IrOp *op, NameId name)
{
	const IrAttr *a = ir_op_attr(op, name);
	uint64_t priority;
	if (!a || a->kind == ATTR_UNIT || (ir_attr_get_u64(a, &priority) && priority <= PRIORITY_MAX))
		return true;
	verifier_error(v, op, ": attribute '%s' must be a priority from 0 to %d",
	               ir_known_name(v->m, name)->text, PRIORITY_MAX);
	return false;
}

/* Aliases */

static bool is_interposable(unsigned linkage)
{
	return linkage == LINKAGE_WEAK || linkage == LINKAGE_LINKONCE || linkage == LINKAGE_EXTERN_WEAK ||
	       linkage == LINKAGE_COMMON;
}

static bool is_definition(const IrOp *op)
{
	if (linkage_of(op) == LINKAGE_AVAILABLE_EXTERNALLY)
		return false;
	return op->regions[0].first || ir_op_has(op, NAME_initial_value);
}

static const IrOp *aliasee(const IrOp *op)
{
	return op && ir_op_has(op, NAME_aliasee) ? ir_symbol(ir_op_symbol(op, NAME_aliasee)) : NULL;
}

/* The nearest aliasee of op that is part of a cycle of aliases; NULL: the chain has an end. */
static const IrOp *nearest_in_cycle(const IrOp *op)
{
	const IrOp *slow = op, *fast = op;
	do {
		slow = aliasee(slow);
		fast = aliasee(aliasee(fast));
	} while (fast && fast != slow);
	if (!fast)
		return NULL;
	for (slow = op; slow != fast; fast = aliasee(fast)) /* as far from op as from where they met */
		slow = aliasee(slow);
	return slow == op ? aliasee(op) : slow;
}

/* name: of the last one that was looked at. */
static bool report_chain(Verifier *v, const IrOp *op, const Name *name)
{
	if (!ir_symbol(name)) {
		verifier_error(v, op, ": the module has no symbol '@%s'%s", name ? name->text : "",
		               verifier_similar_symbol(v, name, op->kind));
		return false;
	}
	const IrOp *cycle = nearest_in_cycle(op);
	if (cycle)
		verifier_error(
		    v, op, ": aliasee '@%s' is part of a cycle of aliases; name a %s that the module defines",
		    ir_symbol_name(cycle)->text, op->kind == OP_FUNC ? "function" : "global");
	else
		verifier_error(
		    v, op, "is an alias through more than %d others; name the symbol at the end of the chain",
		    (int)ALIAS_CHAIN_MAX);
	return false;
}

/* The code asks for the variable instead of the alias: neither may be what another module replaces alone. */
static bool check_thread_alias(Verifier *v, const IrOp *op, const IrOp *target)
{
	bool thread = ir_op_has(op, NAME_tls_model);
	const char *name = ir_symbol_name(target)->text;
	if (thread && is_interposable(linkage_of(op)))
		return report_linkage(v, op, "an alias of a thread-local variable");
	if (thread != ir_op_has(target, NAME_tls_model))
		verifier_error(v, op, ": aliasee '@%s' is %sthread-local; its alias must be the same", name,
		               thread ? "not " : "");
	else if (thread && is_interposable(linkage_of(target)))
		verifier_error(v, op, ": aliasee '@%s' is thread-local, and cannot have '%s' linkage", name,
		               linkage_text(linkage_of(target)));
	else
		return true;
	return false;
}

/* An alias stands for a definition, in the end; on the way there only for aliases that nothing may replace. */
static bool check_alias(Verifier *v, const IrOp *op)
{
	unsigned linkage = linkage_of(op);
	if (linkage == LINKAGE_COMMON || linkage == LINKAGE_APPENDING || linkage == LINKAGE_EXTERN_WEAK)
		return report_linkage(v, op, "an alias");
	const IrOp *target = op;
	for (unsigned steps = 0; ir_op_has(target, NAME_aliasee); steps++) {
		const Name *name = ir_op_symbol(target, NAME_aliasee);
		target = ir_symbol(name);
		if (!target || steps == ALIAS_CHAIN_MAX)
			return report_chain(v, op, name);
		if (ir_op_has(target, NAME_aliasee) && is_interposable(linkage_of(target))) {
			verifier_error(v, op, ": aliasee '@%s' is itself an alias with '%s' linkage",
			               name->text, linkage_text(linkage_of(target)));
			return false;
		}
	}
	if (target->kind != op->kind || !is_definition(target)) {
		verifier_error(v, op, ": aliasee '@%s' must be a %s that the module defines",
		               ir_symbol_name(target)->text, op->kind == OP_FUNC ? "function" : "global");
		return false;
	}
	return check_thread_alias(v, op, target);
}

/* Functions */

/* What is only declared may be declared before its records are, as in C: nobody can call it then. */
static bool fits_signature(Verifier *v, const IrOp *op, const IrType *t)
{
	if (ir_is_incomplete(t) && ir_func_is_declaration(op) && !ir_op_has(op, NAME_aliasee))
		return true;
	return !ir_is_token(t) && verifier_type_fits(v, t);
}

/* Of a type that does not fit. what: it is of a parameter, or a result. */
static const char *why_unfit(Verifier *v, const IrType *t, const char *what)
{
	if (t->kind != TYPE_OPAQUE || t->name->text[0] != '!')
		return arena_printf(v->arena, "which no %s can have", what);
	return arena_printf(v->arena, "of the dialect '%.*s', which is not supported",
	                    (int)strcspn(t->name->text + 1, "."), t->name->text + 1);
}

static bool check_signature(Verifier *v, const IrOp *op, const IrType *t)
{
	for (uint32_t i = 0; i < t->nmembers; i++) {
		if (fits_signature(v, op, t->members[i]))
			continue;
		verifier_error(v, op, ": parameter #%u has type '%s', %s", i, verifier_type(v, t->members[i]),
		               why_unfit(v, t->members[i], "parameter"));
		return false;
	}
	if (t->elem->kind == TYPE_VOID || fits_signature(v, op, t->elem))
		return true;
	verifier_error(v, op, ": the result has type '%s', %s", verifier_type(v, t->elem),
	               why_unfit(v, t->elem, "result"));
	return false;
}

/* Kernels of accelerators, which hosts start but do not call. */
bool verifier_is_kernel(const IrOp *func)
{
	switch (ir_op_enum(func, NAME_calling_conv, CALLING_CONV_C)) {
	case CALLING_CONV_PTX_KERNEL:
	case CALLING_CONV_SPIR_KERNEL:
	case CALLING_CONV_OPENCL_KERNEL:
	case CALLING_CONV_AMDGPU_KERNEL:
		return true;
	default:
		return false;
	}
}

static bool check_conv(Verifier *v, const IrOp *op, const IrType *t)
{
	if (!verifier_is_kernel(op) || (t->elem->kind == TYPE_VOID && !t->variadic))
		return true;
	verifier_error(v, op, ": a kernel must return void and cannot be variadic");
	return false;
}

static bool check_entry(Verifier *v, const IrOp *op, const IrType *t)
{
	const IrBlock *entry = op->regions[0].first;
	if (entry->nargs != t->nmembers) {
		verifier_error(v, op,
		               ": expected %u arguments of the entry block, one for each parameter, found %u",
		               t->nmembers, entry->nargs);
		return false;
	}
	for (uint32_t i = 0; i < entry->nargs; i++) {
		if (entry->args[i]->type == t->members[i])
			continue;
		verifier_error(v, op,
		               ": expected argument #%u of the entry block to have the type of the "
		               "parameter, '%s', found '%s'",
		               i, verifier_type(v, t->members[i]), verifier_type(v, entry->args[i]->type));
		return false;
	}
	return true;
}

static bool check_declaration(Verifier *v, const IrOp *op)
{
	unsigned linkage = linkage_of(op);
	if (linkage != LINKAGE_EXTERNAL && linkage != LINKAGE_EXTERN_WEAK &&
	    linkage != LINKAGE_AVAILABLE_EXTERNALLY) {
		verifier_error(v, op,
		               ": a declaration must have 'external' or 'extern_weak' linkage, found '%s'",
		               linkage_text(linkage));
		return false;
	}
	if (ir_op_has(op, NAME_comdat)) {
		verifier_error(v, op, ": a declaration cannot be in a comdat");
		return false;
	}
	return true;
}

static bool check_definition(Verifier *v, const IrOp *op, const IrType *t)
{
	unsigned linkage = linkage_of(op);
	if (linkage == LINKAGE_COMMON || linkage == LINKAGE_APPENDING || linkage == LINKAGE_EXTERN_WEAK)
		return report_linkage(v, op, "a function with a body");
	if (ir_op_has(op, NAME_coroutine)) {
		verifier_error(v, op, ": the body of a coroutine must have at least one 'cir.await'");
		return false;
	}
	return check_entry(v, op, t);
}

static bool check_body(Verifier *v, const IrOp *op, const IrType *t)
{
	bool declared = ir_func_is_declaration(op);
	if (!ir_op_has(op, NAME_aliasee))
		return declared ? check_declaration(v, op) : check_definition(v, op, t);
	if (!declared) {
		verifier_error(v, op, ": an alias cannot have a body");
		return false;
	}
	return check_alias(v, op);
}

static bool check_personality(Verifier *v, const IrOp *op)
{
	const IrAttr *a = ir_op_attr(op, NAME_personality);
	bool named = a && a->kind == ATTR_SYMBOL && a->name->len && !memchr(a->name->text, 0, a->name->len) &&
	             !verifier_is_reserved(a->name);
	if (!a || (named && (!ir_symbol(a->name) || verifier_func(a->name))))
		return verifier_check_runtime(v, op);
	verifier_error(v, op, ": the personality must be a function");
	return false;
}

bool verifier_check_conflicts(Verifier *v, const IrOp *op)
{
	static const NameId pairs[][2] = {
	    {NAME_optnone, NAME_optsize},       {NAME_optnone, NAME_minsize},
	    {NAME_optnone, NAME_always_inline}, {NAME_optimize_none, NAME_optsize},
	    {NAME_optimize_none, NAME_minsize}, {NAME_optimize_none, NAME_always_inline}};
	for (unsigned i = 0; i < ARRAY_LEN(pairs); i++) {
		if (!ir_op_has(op, pairs[i][0]) || !ir_op_has(op, pairs[i][1]))
			continue;
		verifier_error(v, op, ": attributes '%s' and '%s' exclude each other",
		               ir_known_name(v->m, pairs[i][0])->text,
		               ir_known_name(v->m, pairs[i][1])->text);
		return false;
	}
	NameId never = ir_op_has(op, NAME_optnone) ? NAME_optnone : NAME_optimize_none;
	unsigned inlined;
	if (!ir_attr_inline_kind(ir_op_attr(op, NAME_inline_kind), &inlined))
		return true;
	if (ir_op_has(op, never) && inlined == INLINE_ALWAYS_INLINE) {
		verifier_error(v, op, ": attributes '%s' and 'always_inline' exclude each other",
		               ir_known_name(v->m, never)->text);
		return false;
	}
	if (op->kind != OP_FUNC && ir_op_has(op, NAME_always_inline) && inlined != INLINE_ALWAYS_INLINE) {
		verifier_error(v, op, ": attributes 'inline_kind' and 'always_inline' exclude each other");
		return false;
	}
	return true;
}

static void warn_ctor(Verifier *v, const IrOp *op, const IrType *t)
{
	bool ctor = ir_op_has(op, NAME_global_ctor);
	if (t->nmembers && (ctor || ir_op_has(op, NAME_global_dtor)))
		verifier_warning(v, op->loc, "'cir.func' op: a global %s takes no arguments",
		                 ctor ? "constructor" : "destructor");
}

void verify_func(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_func_type(op);
	if (!check_common(v, op) || !check_signature(v, op, t) || !check_conv(v, op, t) ||
	    !check_body(v, op, t) || !check_personality(v, op) || !verifier_check_traits(v, op) ||
	    !verifier_check_conflicts(v, op) || !verifier_check_may_fault(v, op) ||
	    !verifier_check_text_attrs(v, op) || !check_priority(v, op, NAME_global_ctor) ||
	    !check_priority(v, op, NAME_global_dtor) ||
	    !verifier_check_align(v, op, NAME_preferred_alignment))
		return;
	warn_ctor(v, op, t);
	verifier_check_param_attrs(v, op, t->members, t->nmembers, t->elem);
}

/* Globals */

static bool check_common_linkage(Verifier *v, const IrOp *op, const IrAttr *init)
{
	if (init && !ir_attr_is_zero(init))
		verifier_error(v, op, ": a global with 'common' linkage must be initialized with zero");
	else if (ir_op_has(op, NAME_constant))
		verifier_error(v, op, ": a global with 'common' linkage cannot be constant");
	else if (ir_op_has(op, NAME_comdat))
		verifier_error(v, op, ": a global with 'common' linkage cannot be in a comdat");
	else
		return true;
	return false;
}

static bool has_dynamic_init(const IrOp *op)
{
	return op->regions[0].first || op->regions[1].first;
}

static bool check_global_linkage(Verifier *v, const IrOp *op, const IrAttr *init)
{
	unsigned linkage = linkage_of(op);
	const IrAttr *visibility = ir_op_attr(op, NAME_sym_visibility);
	bool defined = init || has_dynamic_init(op);
	bool own = verifier_is_used_list(op) ||
	           (verifier_is_reserved(ir_symbol_name(op)) && ir_module_attr(v->m, NAME_circ_llvm));
	if (linkage == LINKAGE_APPENDING && own)
		return true;
	if (linkage == LINKAGE_APPENDING || (defined && linkage == LINKAGE_EXTERN_WEAK))
		return report_linkage(v, op, defined ? "a global with an initializer" : "a global");
	if (linkage == LINKAGE_COMMON)
		return check_common_linkage(v, op, init);
	if (!defined && linkage != LINKAGE_EXTERNAL && linkage != LINKAGE_EXTERN_WEAK)
		return report_linkage(v, op, "a global without an initializer");
	if (!defined && ir_op_has(op, NAME_comdat)) {
		verifier_error(v, op, ": a declaration cannot be in a comdat");
		return false;
	}
	if (visibility && visibility->bits == SYM_VISIBILITY_PUBLIC && is_local(linkage)) {
		verifier_error(v, op, ": public visibility is not allowed with '%s' linkage",
		               linkage_text(linkage));
		return false;
	}
	return true;
}

static bool check_initializer(Verifier *v, const IrOp *op, const IrAttr *init, const IrType *t)
{
	if (init->type == t)
		return verifier_check_constant(v, op, init);
	verifier_error(v, op, ": the initializer has type '%s', but the global has type '%s'",
	               init->type ? verifier_type(v, init->type) : "none", verifier_type(v, t));
	return false;
}

/* A declaration may have an incomplete record as its type; a definition needs to know its size. */
static bool check_global_type(Verifier *v, const IrOp *op, const IrType *t, bool defined)
{
	return (!defined && t->kind == TYPE_RECORD && !t->complete) ||
	       verifier_check_storage(v, op, t, "the global's type");
}

/* It tells of the guard of a static variable in a function. */
static bool check_local_info(Verifier *v, const IrOp *op)
{
	const IrAttr *info = ir_op_attr(op, NAME_static_local_info);
	const IrAttr *local = info ? info->elems[STATIC_LOCAL_INFO_LOCAL] : NULL;
	if (!local || !local->bits || ir_op_has(op, NAME_static_local_guard))
		return true;
	verifier_error(v, op,
	               ": attribute 'static_local_info' of a local variable needs 'static_local_guard'");
	return false;
}

/* It names the guard of a global that several files initialize. */
static bool check_dynamic_guard(Verifier *v, const IrOp *op)
{
	const IrAttr *guard = ir_op_attr(op, NAME_dynamic_init_guard);
	if (!guard || guard->kind == ATTR_STRING)
		return true;
	verifier_error(v, op, ": expected attribute 'dynamic_init_guard' to be a string");
	return false;
}

/* What the passes take apart. */
static bool check_params(Verifier *v, const IrOp *op)
{
	static const struct {
		NameId name;
		AttrRow row;
	} rows[] = {{NAME_tls_refs, ATTR_ROW_TLS_WRAPPER_INIT},
	            {NAME_static_local_guard, ATTR_ROW_STATIC_LOCAL_GUARD},
	            {NAME_static_local_info, ATTR_ROW_STATIC_LOCAL_INFO}};
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		const IrAttr *a = ir_op_attr(op, rows[i].name);
		if (!a || (a->kind == ATTR_PARAMS && a->row == rows[i].row))
			continue;
		verifier_error(v, op, ": expected attribute '%s' to be #cir.%s<…>",
		               ir_known_name(v->m, rows[i].name)->text, ir_attr_row_info[rows[i].row].name);
		return false;
	}
	return check_dynamic_guard(v, op) && check_local_info(v, op);
}

static bool check_global_parts(Verifier *v, const IrOp *op, const IrAttr *init)
{
	bool regions = has_dynamic_init(op);
	if (!check_params(v, op))
		return false;
	if (regions && v->stage != STAGE_STRUCTURED)
		verifier_error(
		    v, op, ": a ctor or dtor region belongs to structured CIR only; flattening removes it");
	else if (linkage_of(op) == LINKAGE_AVAILABLE_EXTERNALLY && regions)
		verifier_error(v, op,
		               "cannot have a ctor or dtor region, since it is 'available_externally' and "
		               "initialized elsewhere");
	else if (ir_op_has(op, NAME_aliasee) && (init || regions))
		verifier_error(v, op, ": an alias cannot have an initializer or regions");
	else if (ir_op_has(op, NAME_tls_refs) && !ir_op_has(op, NAME_tls_model))
		verifier_error(v, op, ": 'tls_refs' needs a thread-local global");
	else if (ir_op_has(op, NAME_static_local_guard) && regions)
		verifier_error(v, op,
		               ": a global with 'static_local_guard' cannot have a ctor or dtor region");
	else
		return true;
	return false;
}

static bool check_region_blocks(Verifier *v, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nregions; i++) {
		const IrRegion *r = &op->regions[i];
		if (r->first == r->last)
			continue;
		verifier_error(v, op, ": the %s region must have exactly one block", i ? "dtor" : "ctor");
		return false;
	}
	return true;
}

void verify_global(Verifier *v, const IrOp *op)
{
	const IrAttr *init = ir_op_attr(op, NAME_initial_value);
	const IrType *t = ir_symbol_type(op);
	bool alias = ir_op_has(op, NAME_aliasee);
	if (!check_common(v, op) || !check_global_type(v, op, t, init || has_dynamic_init(op)) ||
	    !check_global_parts(v, op, init) || !check_region_blocks(v, op) ||
	    !check_priority(v, op, NAME_init_priority))
		return;
	if (alias ? check_alias(v, op) : check_global_linkage(v, op, init))
		if (init)
			check_initializer(v, op, init, t);
}

#include "abi/ms_rtti.h"

#include "abi/ms_info.h"
#include "abi/ms_record.h"
#include "ir/build.h"

typedef struct Rewrite {
	MsTypes *t;
	const IrAttr **done; /* by id: what the attribute becomes; NULL: not asked for yet */
	uint32_t ndone;
	bool ok;
} Rewrite;

static bool is_type_info(const Name *name)
{
	const IrOp *op = ms_name_begins(name, "_ZTI") ? ir_symbol(name) : NULL;
	return op && op->kind == OP_GLOBAL;
}

static bool defines_type_info(const IrOp *op)
{
	return op->kind == OP_GLOBAL && is_type_info(ir_symbol_name(op));
}

/* References */

static bool names_symbol(const IrAttr *a)
{
	return a->kind == ATTR_SYMBOL || a->kind == ATTR_GLOBAL_VIEW || a->kind == ATTR_GLOBAL_OFFSET ||
	       a->kind == ATTR_IMAGE_REL;
}

/* NULL: reported. */
static Name *descriptor_for(Rewrite *r, const IrAttr *a, Loc loc)
{
	if ((a->kind == ATTR_GLOBAL_VIEW && a->n) || (a->kind == ATTR_GLOBAL_OFFSET && a->bits)) {
		diag_error(r->t->d, loc,
		           "an address inside type info '%s' has no counterpart in the Microsoft ABI",
		           a->name->text);
		return NULL;
	}
	MsInfo *info = ms_info(r->t, a->name, loc);
	return info ? ms_info_descriptor(r->t, info, loc) : NULL;
}

static const IrAttr *rewrite(Rewrite *r, const IrAttr *a, Loc loc);

static const IrAttr *rewritten(Rewrite *r, const IrAttr *a, Loc loc)
{
	Arena *mem = &r->t->m->scratch;
	IrAttr key = *a;
	bool changed = names_symbol(a) && is_type_info(a->name);
	if (changed)
		key.name = descriptor_for(r, a, loc);
	if (changed && !key.name) {
		r->ok = false;
		return a;
	}
	key.elems = arena_copy_n(mem, a->elems, a->n, sizeof *a->elems);
	for (uint32_t i = 0; i < a->n; i++) {
		key.elems[i] = a->elems[i] ? rewrite(r, a->elems[i], loc) : NULL;
		changed |= key.elems[i] != a->elems[i];
	}
	return changed ? ir_attr_intern(r->t->m, &key) : a;
}

/* The reader and the builder limit how deeply attributes nest. */
static const IrAttr *rewrite(Rewrite *r, const IrAttr *a, Loc loc)
{
	if (a->id >= r->ndone)
		return a; /* made here */
	if (!r->done[a->id])
		r->done[a->id] = rewritten(r, a, loc);
	return r->done[a->id];
}

/* Virtual tables of the Itanium ABI */

static bool is_table(const IrOp *op)
{
	const Name *name = op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
	return (ms_name_begins(name, "_ZTV") || ms_name_begins(name, "_ZTC")) &&
	       ir_op_has(op, NAME_initial_value);
}

static const IrAttr *record_for(Rewrite *r, const IrAttr *a, Loc loc)
{
	MsInfo *info = ms_info(r->t, a->name, loc);
	const IrAttr *record = NULL;
	if (info && ms_info_is_class(r->t, info))
		record = ms_record_descriptor(r->t, info, a->type, loc);
	r->ok &= record != NULL || (info && !ms_info_is_class(r->t, info));
	return record ? record : rewrite(r, a, loc);
}

/* In a record of arrays, or in the one of them: the tables of the class and of its bases. */
static const IrAttr *rewrite_table(Rewrite *r, const IrAttr *a, Loc loc)
{
	IrAttr key = *a;
	if (a->kind == ATTR_GLOBAL_VIEW && !a->n && is_type_info(a->name))
		return record_for(r, a, loc);
	if (a->kind != ATTR_VTABLE && a->kind != ATTR_CONST_RECORD && a->kind != ATTR_CONST_ARRAY)
		return rewrite(r, a, loc);
	key.elems = arena_copy_n(&r->t->m->scratch, a->elems, a->n, sizeof *a->elems);
	for (uint32_t i = 0; i < a->n; i++)
		key.elems[i] = a->elems[i] ? rewrite_table(r, a->elems[i], loc) : NULL;
	return ir_attr_intern(r->t->m, &key);
}

/* Its result points to a type info as the front end declared it. */
static void retype_address(Rewrite *r, IrOp *op)
{
	IrModule *m = r->t->m;
	IrType *type = ir_type_ptr(m, ir_symbol_type(ir_symbol(ir_op_symbol(op, NAME_symbol))));
	if (op->results[0].type == type)
		return;
	IrBuilder b = ir_before(m, op);
	IrOpSpec spec = {.kind = OP_GET_GLOBAL, .nresults = 1, .attrs = op->attrs, .nattrs = op->nattrs};
	spec.result_types = &type;
	IrOp *address = ir_build_spec(&b, &spec);
	ir_value_replace(&op->results[0],
	                 ir_build_cast(&b, CAST_BITCAST, &address->results[0], op->results[0].type));
	ir_op_erase(op);
}

static void rewrite_op(Rewrite *r, IrOp *op)
{
	bool changed = false, table = is_table(op);
	for (uint32_t i = 0; i < op->nattrs; i++) {
		const IrAttr *now = (table ? rewrite_table : rewrite)(r, op->attrs[i].value, op->loc);
		changed |= now != op->attrs[i].value;
		op->attrs[i].value = now;
	}
	if (changed && op->kind == OP_GET_GLOBAL)
		retype_address(r, op);
}

static bool rewrite_references(MsTypes *t)
{
	IrModule *m = t->m;
	Rewrite r = {.t = t, .ndone = m->attrs.len, .ok = true};
	r.done = arena_array(&m->scratch, const IrAttr *, m->attrs.len);
	for (IrOp *op = ir_walk_first(&m->body), *next; op; op = next) {
		next = ir_walk_next(op, &m->body);
		if (!defines_type_info(op))
			rewrite_op(&r, op);
	}
	return r.ok;
}

/* What is left over */

static void mark_used(const IrAttr *a, bool *seen, bool *used)
{
	if (seen[a->id])
		return;
	seen[a->id] = true;
	if (names_symbol(a))
		used[a->name->id] = true;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->elems[i])
			mark_used(a->elems[i], seen, used);
}

/* By id of the name. */
static const bool *find_used(const IrModule *m, Arena *mem)
{
	bool *seen = arena_array(mem, bool, m->attrs.len), *used = arena_array(mem, bool, m->names.len);
	const Name *own = ir_known_name(m, NAME_sym_name);
	for (const IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		for (uint32_t i = 0; i < op->nattrs; i++)
			if (op->attrs[i].name != own)
				mark_used(op->attrs[i].value, seen, used);
	return used;
}

static void erase(IrOp *op)
{
	ir_symbol_undefine(op);
	ir_op_erase(op);
}

static void erase_type_infos(MsTypes *t)
{
	IR_FOR_OPS_SAFE (op, ir_module_block(t->m))
		if (defines_type_info(op))
			erase(op);
	const bool *used = find_used(t->m, &t->m->scratch);
	IR_FOR_OPS_SAFE (op, ir_module_block(t->m)) {
		const Name *name = op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
		if (name && !used[name->id] &&
		    (ms_name_begins(name, "_ZTS") || ms_name_begins(name, "_ZTVN10__cxxabiv1")))
			erase(op);
	}
}

static bool has_type_infos(const IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m))
		if (defines_type_info(op))
			return true;
	return false;
}

bool ms_rtti_translate(MsTypes *t)
{
	if (!has_type_infos(t->m))
		return true;
	ArenaMark mark = arena_mark(&t->m->scratch);
	bool ok = rewrite_references(t);
	if (ok)
		erase_type_infos(t);
	arena_release(&t->m->scratch, mark);
	return ok;
}

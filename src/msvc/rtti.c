#include "msvc/rtti.h"

#include "ir/build.h"
#include "msvc/class_record.h"
#include "msvc/type_info.h"

typedef struct Rewrite {
	MsTypes *t;
	const IrAttr **done;          /* by id: what the attribute becomes; NULL: not asked for yet */
	const IrAttr **done_in_table; /* the same, in a virtual table */
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

static bool is_inside(const IrAttr *a)
{
	return (a->kind == ATTR_GLOBAL_VIEW && a->n) || (a->kind == ATTR_GLOBAL_OFFSET && a->bits);
}

/* The descriptor of a class that its virtual tables point to, so that a comparison of addresses finds them
 * equal; of another type, the one that the runtime and C++ have. NULL: reported. */
static const IrAttr *address_of(Rewrite *r, const IrAttr *a, Loc loc)
{
	MsTypes *t = r->t;
	MsInfo *info = ms_info(t, a->name, loc);
	if (!info)
		return NULL;
	IrAttr key = *a;
	bool is_address = a->kind == ATTR_GLOBAL_VIEW || a->kind == ATTR_GLOBAL_OFFSET;
	if (is_address && ms_info_is_class(t, info))
		return ms_record_address(t, info, a->type, loc);
	key.name = ms_info_descriptor(t, info, loc);
	return key.name ? ir_attr_intern(t->m, &key) : NULL;
}

static const IrAttr *without_type_info(Rewrite *r, const IrAttr *a, Loc loc)
{
	const IrAttr *address = NULL;
	if (is_inside(a))
		diag_error(r->t->d, loc,
		           "an address inside type info '%s' has no counterpart in the Microsoft ABI",
		           a->name->text);
	else
		address = address_of(r, a, loc);
	r->ok &= address != NULL;
	return address ? address : a;
}

static const IrAttr *rewrite(Rewrite *r, const IrAttr *a, Loc loc);

static const IrAttr *rewritten(Rewrite *r, const IrAttr *a, Loc loc)
{
	Arena *mem = &r->t->m->scratch;
	IrAttr key = *a;
	bool changed = false;
	if (names_symbol(a) && is_type_info(a->name))
		return without_type_info(r, a, loc);
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

/* What is available_externally says what another module's table has, as code does. */
static bool is_table(const IrOp *op)
{
	const Name *name = op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
	return (ms_name_begins(name, "_ZTV") || ms_name_begins(name, "_ZTC")) &&
	       ir_op_has(op, NAME_initial_value) &&
	       ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL) != LINKAGE_AVAILABLE_EXTERNALLY;
}

static const IrAttr *record_for(Rewrite *r, const IrAttr *a, Loc loc)
{
	MsInfo *info = ms_info(r->t, a->name, loc);
	const IrAttr *record = NULL;
	if (info && ms_info_is_class(r->t, info))
		record = ms_record_of_table(r->t, info, a->type, loc);
	r->ok &= record != NULL || (info && !ms_info_is_class(r->t, info));
	return record ? record : rewrite(r, a, loc);
}

static const IrAttr *rewrite_table(Rewrite *r, const IrAttr *a, Loc loc);

/* In a record of arrays, or in the one of them: the tables of the class and of its bases. */
static const IrAttr *table_rewritten(Rewrite *r, const IrAttr *a, Loc loc)
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

static const IrAttr *rewrite_table(Rewrite *r, const IrAttr *a, Loc loc)
{
	CHECK(a->id < r->ndone); /* nothing of a table is made before it is rewritten */
	if (!r->done_in_table[a->id])
		r->done_in_table[a->id] = table_rewritten(r, a, loc);
	return r->done_in_table[a->id];
}

static void rewrite_op(Rewrite *r, IrOp *op)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		op->attrs[i].value = rewrite(r, op->attrs[i].value, op->loc);
}

static void rewrite_table_op(Rewrite *r, IrOp *op)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		op->attrs[i].value = rewrite_table(r, op->attrs[i].value, op->loc);
}

/* Becomes a constant: the address lies inside of another global. */
static void rewrite_get_global(Rewrite *r, IrOp *op)
{
	IrType *type = op->results[0].type;
	const IrAttr *view = ir_attr_global_view(r->t->m, type, ir_op_symbol(op, NAME_symbol), NULL, 0);
	IrBuilder b = ir_before(r->t->m, op);
	ir_value_replace(&op->results[0], ir_build_const(&b, without_type_info(r, view, op->loc)));
	ir_op_erase(op);
}

static bool gets_type_info(const IrOp *op)
{
	return op->kind == OP_GET_GLOBAL && is_type_info(ir_op_symbol(op, NAME_symbol));
}

static bool rewrite_references(MsTypes *t)
{
	IrModule *m = t->m;
	Rewrite r = {.t = t, .ndone = m->attrs.len, .ok = true};
	r.done = arena_array(&m->scratch, const IrAttr *, m->attrs.len);
	r.done_in_table = arena_array(&m->scratch, const IrAttr *, m->attrs.len);
	IR_FOR_OPS (op, ir_module_block(m))
		if (is_table(op))
			rewrite_table_op(&r, op);
	for (IrOp *op = ir_walk_first(&m->body), *next; op; op = next) {
		next = ir_walk_next(op, &m->body);
		if (gets_type_info(op))
			rewrite_get_global(&r, op);
		else if (!defines_type_info(op) && !is_table(op))
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

static bool is_any(const IrOp *op)
{
	(void)op;
	return true;
}

/* By ops of that kind; by id of the name. */
static const bool *find_used(const IrModule *m, Arena *mem, bool (*by)(const IrOp *op))
{
	bool *seen = arena_array(mem, bool, m->attrs.len), *used = arena_array(mem, bool, m->names.len);
	const Name *own = ir_known_name(m, NAME_sym_name);
	for (const IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		for (uint32_t i = 0; i < op->nattrs && by(op); i++)
			if (op->attrs[i].name != own)
				mark_used(op->attrs[i].value, seen, used);
	return used;
}

static void erase(IrOp *op)
{
	ir_symbol_undefine(op);
	ir_op_erase(op);
}

/* Also the names and the tables that they alone pointed to. */
static void erase_type_infos(MsTypes *t)
{
	const bool *pointed_to = find_used(t->m, &t->m->scratch, defines_type_info);
	IR_FOR_OPS_SAFE (op, ir_module_block(t->m))
		if (defines_type_info(op))
			erase(op);
	const bool *used = find_used(t->m, &t->m->scratch, is_any);
	IR_FOR_OPS_SAFE (op, ir_module_block(t->m)) {
		const Name *name = op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
		if (name && pointed_to[name->id] && !used[name->id] &&
		    (ms_name_begins(name, "_ZTS") || ms_name_begins(name, "_ZTVN10__cxxabiv1")))
			erase(op);
	}
}

/* Members of std::type_info */

/* Of the Itanium libraries: { virtual pointer, name }. The word behind the pointer is Microsoft's own. */
static bool is_library_type_info(const IrType *t)
{
	return t->kind == TYPE_RECORD && t->name && str_is(name_str(t->name), "std::type_info") &&
	       t->nmembers == 2;
}

static bool reads_type_name(const IrOp *op)
{
	const IrType *t = op->kind == OP_GET_MEMBER       ? ir_operand(op, 0)->type->elem
	                  : op->kind == OP_EXTRACT_MEMBER ? ir_operand(op, 0)->type
	                                                  : NULL;
	uint64_t index;
	return t && is_library_type_info(t) && ir_attr_get_u64(ir_op_attr(op, NAME_index), &index) &&
	       index == 1;
}

static bool check_type_names(const IrModule *m, Diags *d)
{
	bool ok = true;
	for (const IrOp *op = ir_walk_first(&m->body); op && !diag_full(d); op = ir_walk_next(op, &m->body)) {
		if (!reads_type_name(op))
			continue;
		diag_error(
		    d, op->loc,
		    "the name in 'std::type_info' has no counterpart in the Microsoft ABI; call "
		    "'__std_type_info_name', '__std_type_info_compare' or '__std_type_info_hash' instead");
		ok = false;
	}
	return ok;
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
	bool ok = check_type_names(t->m, t->d);
	if (!has_type_infos(t->m))
		return ok;
	ArenaMark mark = arena_mark(&t->m->scratch);
	ok = rewrite_references(t) && ok;
	if (ok)
		erase_type_infos(t);
	arena_release(&t->m->scratch, mark);
	return ok;
}

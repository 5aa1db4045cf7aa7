/* Zeros of what holds pointers to data members. C++ means null pointers, and their bits are not zeros (-1 in the
 * Itanium ABI), but clang prints
 *
 *	cir.global @table = #cir.zero : !cir.array<!cir.data_member<!s32i in !rec_S> x 2>
 *
 * for a variable without a constant initializer. Such zeros are spelled out, with #cir.data_member<null>. A common
 * symbol is zeros, whatever it is of. */
#include "repair/internal.h"

enum { NULLS_MAX = 1 << 22 }; /* elements that are made: one line of text can ask for any number */

typedef enum Holds { HOLDS_UNKNOWN, HOLDS_NONE, HOLDS_SOME } Holds;

typedef struct Nulls {
	IrModule *m;
	uint32_t nattrs;
	uint8_t *holds;         /* by type: Holds */
	const IrAttr **zeros;   /* by type: its zero, spelled out */
	const IrAttr **changed; /* by attribute that was there before */
	uint64_t made;
} Nulls;

static bool holds(Nulls *n, const IrType *t);

/* Of a union, the zero is that of its first member. */
static bool look_into(Nulls *n, const IrType *t)
{
	if (t->kind == TYPE_ARRAY)
		return t->count && holds(n, t->elem);
	if (t->kind != TYPE_RECORD)
		return t->kind == TYPE_DATA_MEMBER;
	uint32_t members = t->record_kind == RECORD_UNION && t->nmembers ? 1 : t->nmembers;
	for (uint32_t i = 0; i < members; i++)
		if (holds(n, t->members[i]))
			return true;
	return false;
}

/* How deeply types hold others is bounded (ir_check_nesting). */
static bool holds(Nulls *n, const IrType *t)
{
	if (n->holds[t->id] == HOLDS_UNKNOWN)
		n->holds[t->id] = look_into(n, t) ? HOLDS_SOME : HOLDS_NONE;
	return n->holds[t->id] == HOLDS_SOME;
}

/* Spelling out */

static const IrAttr *aggregate(Nulls *n, AttrKind kind, IrType *t, const IrAttr **elems, uint32_t count)
{
	return ir_attr_intern(n->m, &(IrAttr){.kind = kind, .type = t, .elems = elems, .n = count});
}

static const IrAttr *zero(Nulls *n, IrType *t);

/* The first `given` elements are there; NULL: too many. */
static const IrAttr *fill_array(Nulls *n, IrType *t, const IrAttr *const *given, uint32_t ngiven)
{
	n->made += t->count < NULLS_MAX ? t->count : NULLS_MAX;
	if (n->made >= NULLS_MAX)
		return NULL;
	const IrAttr **elems = arena_array(&n->m->scratch, const IrAttr *, t->count);
	for (uint32_t i = 0; i < t->count; i++) {
		elems[i] = i < ngiven ? given[i] : zero(n, t->elem);
		if (!elems[i])
			return NULL;
	}
	return aggregate(n, ATTR_CONST_ARRAY, t, elems, (uint32_t)t->count);
}

static const IrAttr *fill_record(Nulls *n, IrType *t)
{
	const IrAttr **elems = arena_array(&n->m->scratch, const IrAttr *, t->nmembers);
	uint32_t members = t->record_kind == RECORD_UNION ? 1 : t->nmembers, count = 0;
	n->made += members;
	if (n->made >= NULLS_MAX)
		return NULL;
	for (uint32_t i = 0; i < members; i++) {
		IrType *member = t->members[i]->kind == TYPE_BITFIELD ? t->members[i]->elem : t->members[i];
		if (member && !(elems[count++] = zero(n, member)))
			return NULL;
	}
	return aggregate(n, ATTR_CONST_RECORD, t, elems, count);
}

static const IrAttr *zero(Nulls *n, IrType *t)
{
	if (t->kind == TYPE_DATA_MEMBER || !holds(n, t))
		return ir_attr_zero_of(n->m, t);
	if (!n->zeros[t->id])
		n->zeros[t->id] = t->kind == TYPE_ARRAY ? fill_array(n, t, NULL, 0) : fill_record(n, t);
	return n->zeros[t->id];
}

static const IrAttr *change(Nulls *n, const IrAttr *a);

/* NULL: it would be too large. */
static const IrAttr *change_elements(Nulls *n, const IrAttr *a)
{
	IrAttr key = *a;
	bool changed = false;
	key.elems = arena_copy_n(&n->m->scratch, a->elems, a->n, sizeof *a->elems);
	for (uint32_t i = 0; i < a->n; i++) {
		if (!(key.elems[i] = change(n, a->elems[i])))
			return NULL;
		changed |= key.elems[i] != a->elems[i];
	}
	if (a->kind == ATTR_CONST_ARRAY && a->n < a->type->count && holds(n, a->type))
		return fill_array(n, a->type, key.elems, a->n);
	return changed ? ir_attr_intern(n->m, &key) : a;
}

/* How deeply attributes hold others is bounded by those who make them. */
static const IrAttr *change(Nulls *n, const IrAttr *a)
{
	bool aggregate = a->kind == ATTR_CONST_RECORD || (a->kind == ATTR_CONST_ARRAY && !a->name);
	if (a->kind == ATTR_ZERO)
		return holds(n, a->type) ? zero(n, a->type) : a;
	if (!aggregate || a->id >= n->nattrs)
		return a;
	if (!n->changed[a->id])
		n->changed[a->id] = change_elements(n, a);
	return n->changed[a->id];
}

/* The walk */

static bool has_data_members(const IrModule *m)
{
	for (uint32_t i = 0; i < m->types.len; i++)
		if (m->types.held[i]->kind == TYPE_DATA_MEMBER)
			return true;
	return false;
}

static bool change_op(Nulls *n, IrOp *op, Repair *r)
{
	NameId name = op->kind == OP_CONST ? NAME_value : NAME_initial_value;
	const IrAttr *a = op->kind == OP_CONST || op->kind == OP_GLOBAL ? ir_op_attr(op, name) : NULL;
	if (!a || ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_COMMON)
		return true;
	const IrAttr *b = change(n, a);
	if (!b && r->changes)
		diag_error(r->d, op->loc,
		           "with this '%s' op the module initializes %d or more elements, pointers to "
		           "members among them, with null",
		           op_info[op->kind].name, NULLS_MAX);
	else if (b && b != a && repair_at(r, op->loc))
		ir_op_set_attr(n->m, op, ir_known_name(n->m, name), b);
	return b || !r->changes;
}

bool repair_null_members(Repair *r)
{
	IrModule *m = r->m;
	if (!has_data_members(m))
		return true;
	ArenaMark mark = arena_mark(&m->scratch);
	Nulls n = {.m = m, .nattrs = m->attrs.len};
	n.holds = arena_array(&m->scratch, uint8_t, m->types.len);
	n.zeros = arena_array(&m->scratch, const IrAttr *, m->types.len);
	n.changed = arena_array(&m->scratch, const IrAttr *, m->attrs.len);
	bool ok = true;
	for (IrOp *op = ir_walk_first(&m->body); op && ok; op = ir_walk_next(op, &m->body))
		ok = change_op(&n, op, r);
	arena_release(&m->scratch, mark);
	return ok;
}

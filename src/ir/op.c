#include "ir/module.h"

#include <stdlib.h>

/* Stage letters and flags as the rows of ops.def write them. */
enum {
	S = STAGE_STRUCTURED,
	F = STAGE_FLAT,
	I = STAGE_ITANIUM,
	M = STAGE_MICROSOFT,
	ALL = S | F | I | M,
	ANY = OP_ANY,
	TERM = OPF_TERM,
	PURE = OPF_PURE,
	THROWS = OPF_THROWS,
	CALLS = OPF_CALLS,
	SYMBOL = OPF_SYMBOL,
	ISOLATED = OPF_ISOLATED,
	YIELDS = OPF_YIELDS,
	FENV = OPF_FENV,
	OMITS = OPF_OMITS,
	LOOP = OPF_LOOP,
	BLOCK = OPF_BLOCK,
};

const OpInfo op_info[OP_COUNT] = {
#define OP(id, name, stages, flags, regions, succs, operands, results, verify, lower, format)                \
	[OP_##id] = {name, operands, results, format, flags, stages, regions, succs},
#include "ir/ops.def"
};

OpKind op_find(Str mnemonic)
{
	for (unsigned k = 0; k < OP_COUNT; k++)
		if (str_equal(str_of(op_info[k].name), mnemonic))
			return (OpKind)k;
	return OP_COUNT;
}

/* Uses and edges */

static void use_link(IrUse *u, IrValue *v, IrOp *user)
{
	u->value = v;
	u->user = user;
	u->next = v->uses;
	u->link = &v->uses;
	if (v->uses)
		v->uses->link = &u->next;
	v->uses = u;
}

static void use_unlink(IrUse *u)
{
	*u->link = u->next;
	if (u->next)
		u->next->link = u->link;
	u->value = NULL;
}

static void succ_link(IrSucc *s, IrBlock *dest)
{
	s->dest = dest;
	s->next = dest->preds;
	s->link = &dest->preds;
	if (dest->preds)
		dest->preds->link = &s->next;
	dest->preds = s;
}

static void succ_unlink(IrSucc *s)
{
	*s->link = s->next;
	if (s->next)
		s->next->link = s->link;
	s->dest = NULL;
}

/* Creation */

static Pool *pool_of(IrModule *m, OpKind kind)
{
	return op_info[kind].flags & OPF_SYMBOL ? &m->symbols : &m->pool;
}

IrOp *ir_op_create(IrModule *m, const IrOpSpec *spec)
{
	Pool *pool = pool_of(m, spec->kind);
	IrOp *op = pool_new(pool, IrOp);
	op->kind = spec->kind;
	m->made[spec->kind] = true;
	op->loc = spec->loc;
	op->noperands = spec->noperands;
	for (uint32_t i = 0; i < spec->nsuccs; i++)
		op->noperands += spec->succs[i].nargs;
	if (op->noperands)
		op->operands = pool_array_raw(pool, IrUse, op->noperands);
	uint32_t n = 0;
	for (; n < spec->noperands; n++)
		use_link(&op->operands[n], spec->operands[n], op);
	if (spec->nsuccs) {
		op->nsuccs = spec->nsuccs;
		op->succs = pool_array_raw(pool, IrSucc, spec->nsuccs);
	}
	for (uint32_t i = 0; i < spec->nsuccs; i++) {
		op->succs[i] = (IrSucc){.op = op, .first = n, .nargs = spec->succs[i].nargs};
		succ_link(&op->succs[i], spec->succs[i].dest);
		for (uint32_t k = 0; k < spec->succs[i].nargs; k++, n++)
			use_link(&op->operands[n], spec->succs[i].args[k], op);
	}
	if (spec->nresults) {
		op->nresults = spec->nresults;
		op->results = pool_array_raw(pool, IrValue, spec->nresults);
	}
	for (uint32_t i = 0; i < spec->nresults; i++) {
		IrType *type = spec->result_types[i];
		op->results[i] = (IrValue){.type = type, .def.op = op, .id = m->nvalues++, .index = i};
	}
	if (spec->nregions) {
		op->nregions = spec->nregions;
		op->regions = pool_array(pool, IrRegion, spec->nregions);
	}
	for (uint32_t i = 0; i < spec->nregions; i++)
		op->regions[i].op = op;
	if (spec->nattrs) {
		op->nattrs = spec->nattrs;
		op->attrs = pool_array_raw(pool, IrNamedAttr, spec->nattrs);
	}
	for (uint32_t i = 0; i < spec->nattrs; i++) {
		op->attrs[i] = spec->attrs[i];
		op->attr_bits |= ir_attr_bit(spec->attrs[i].name->id);
	}
	return op;
}

void ir_op_append(IrBlock *b, IrOp *op)
{
	CHECK(!op->block);
	op->block = b;
	op->prev = b->last;
	op->next = NULL;
	if (b->last)
		b->last->next = op;
	else
		b->first = op;
	b->last = op;
}

void ir_op_insert_before(IrOp *before, IrOp *op)
{
	CHECK(!op->block && before->block);
	op->block = before->block;
	op->prev = before->prev;
	op->next = before;
	if (before->prev)
		before->prev->next = op;
	else
		before->block->first = op;
	before->prev = op;
}

void ir_op_remove(IrOp *op)
{
	CHECK(op->block);
	if (op->prev)
		op->prev->next = op->next;
	else
		op->block->first = op->next;
	if (op->next)
		op->next->prev = op->prev;
	else
		op->block->last = op->prev;
	op->block = NULL;
	op->prev = op->next = NULL;
}

IrOp *ir_block_take_ops(IrBlock *b)
{
	IrOp *first = b->first;
	for (IrOp *op = first; op; op = op->next)
		op->block = NULL;
	b->first = b->last = NULL;
	return first;
}

/* Drops what the op refers to, not what is inside it. */
static void drop_references(IrOp *op)
{
	for (uint32_t i = 0; i < op->noperands; i++)
		if (op->operands[i].value)
			use_unlink(&op->operands[i]);
	for (uint32_t i = 0; i < op->nsuccs; i++)
		if (op->succs[i].dest)
			succ_unlink(&op->succs[i]);
	op->noperands = op->nsuccs = 0;
}

static void drop_all_references(IrOp *op)
{
	for (uint32_t i = 0; i < op->nregions; i++)
		for (IrOp *o = ir_walk_first(&op->regions[i]); o; o = ir_walk_next(o, &op->regions[i]))
			drop_references(o);
	drop_references(op);
}

/* Memory of a block without its ops. */
static void give_back_block(IrBlock *b)
{
	for (uint32_t i = 0; i < b->nargs; i++)
		pool_drop(b->args[i]);
	pool_drop(b->args);
	pool_drop(b);
}

/* Takes what is in op's regions out of them, and puts the ops in front of `rest`. */
static IrOp *open_regions(IrOp *op, IrOp *rest)
{
	for (uint32_t i = 0; i < op->nregions; i++) {
		for (IrBlock *b = op->regions[i].first, *next; b; b = next) {
			next = b->next;
			if (b->last) {
				b->last->next = rest;
				rest = b->first;
			}
			give_back_block(b);
		}
	}
	return rest;
}

/* Memory of a chain of ops and of all they contain. */
static void give_back_ops(IrOp *op)
{
	while (op) {
		IrOp *rest = open_regions(op, op->next);
		pool_drop(op->operands);
		pool_drop(op->results);
		pool_drop(op->succs);
		pool_drop(op->regions);
		pool_drop(op->attrs);
		pool_drop(op);
		op = rest;
	}
}

void ir_op_erase(IrOp *op)
{
	drop_all_references(op);
	for (uint32_t i = 0; i < op->nresults; i++)
		CHECK(!op->results[i].uses);
	if (op_info[op->kind].flags & OPF_SYMBOL)
		ir_symbol_undefine(op);
	if (op->block)
		ir_op_remove(op);
	IrModule *m = pool_owner(op);
	op->prev = m->erased;
	m->erased = op;
}

void ir_module_forget_erased(IrModule *m)
{
	for (IrOp *op = m->erased, *next; op; op = next) {
		next = op->prev;
		op->next = NULL;
		give_back_ops(op);
	}
	m->erased = NULL;
}

/* Operands */

uint32_t ir_op_nmain(const IrOp *op)
{
	return op->nsuccs ? op->succs[0].first : op->noperands;
}

void ir_set_operand(IrOp *op, uint32_t i, IrValue *v)
{
	CHECK(i < op->noperands);
	if (op->operands[i].value)
		use_unlink(&op->operands[i]);
	use_link(&op->operands[i], v, op);
}

/* Replaces operands [at, at + old) by n others; what stands behind moves. */
static void splice_operands(IrModule *m, IrOp *op, uint32_t at, uint32_t old, IrValue *const *v, uint32_t n)
{
	uint32_t total = op->noperands - old + n;
	IrUse *uses = total ? pool_array(&m->pool, IrUse, total) : NULL;
	for (uint32_t i = 0; i < op->noperands; i++) {
		IrValue *value = op->operands[i].value;
		use_unlink(&op->operands[i]);
		if (i < at)
			use_link(&uses[i], value, op);
		else if (i >= at + old)
			use_link(&uses[i - old + n], value, op);
	}
	for (uint32_t i = 0; i < n; i++)
		use_link(&uses[at + i], v[i], op);
	pool_drop(op->operands);
	op->operands = uses;
	op->noperands = total;
}

void ir_op_set_main_operands(IrModule *m, IrOp *op, IrValue *const *v, uint32_t n)
{
	uint32_t old = ir_op_nmain(op);
	splice_operands(m, op, 0, old, v, n);
	for (uint32_t i = 0; i < op->nsuccs; i++)
		op->succs[i].first = op->succs[i].first - old + n;
}

void ir_succ_set_args(IrModule *m, IrOp *op, uint32_t succ, IrValue *const *args, uint32_t n)
{
	CHECK(succ < op->nsuccs);
	uint32_t old = op->succs[succ].nargs;
	splice_operands(m, op, op->succs[succ].first, old, args, n);
	op->succs[succ].nargs = n;
	for (uint32_t i = succ + 1; i < op->nsuccs; i++)
		op->succs[i].first = op->succs[i].first - old + n;
}

void ir_succ_set_dest(IrSucc *s, IrBlock *dest)
{
	if (s->dest)
		succ_unlink(s);
	succ_link(s, dest);
}

void ir_value_replace(IrValue *from, IrValue *to)
{
	CHECK(from != to);
	while (from->uses) {
		IrUse *u = from->uses;
		IrOp *user = u->user;
		use_unlink(u);
		use_link(u, to, user);
	}
}

/* Attributes */

const IrAttr *ir_op_find_attr(const IrOp *op, uint32_t name_id)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		if (op->attrs[i].name->id == name_id)
			return op->attrs[i].value;
	return NULL;
}

void ir_op_set_attr(IrModule *m, IrOp *op, Name *name, const IrAttr *value)
{
	uint32_t i = 0;
	while (i < op->nattrs && op->attrs[i].name != name)
		i++;
	if (!value) {
		if (i == op->nattrs)
			return;
		memmove(op->attrs + i, op->attrs + i + 1, (op->nattrs - i - 1) * sizeof *op->attrs);
		op->nattrs--;
		return;
	}
	if (i == op->nattrs) {
		IrNamedAttr *attrs = pool_array(pool_of(m, op->kind), IrNamedAttr, i + 1);
		if (i)
			memcpy(attrs, op->attrs, i * sizeof *attrs);
		pool_drop(op->attrs);
		op->attrs = attrs;
		op->nattrs++;
	}
	op->attrs[i] = (IrNamedAttr){name, value};
	op->attr_bits |= ir_attr_bit(name->id);
}

bool ir_attr_inline_kind(const IrAttr *a, unsigned *kind)
{
	bool number = a && a->kind == ATTR_INT && !a->words && a->bits - 1 <= INLINE_INLINE_HINT;
	if (!number && !(a && a->kind == ATTR_ENUM && a->enum_class == ENUM_INLINE))
		return false;
	*kind = (unsigned)(number ? a->bits - 1 : a->bits);
	return true;
}

uint64_t ir_op_uint(const IrOp *op, uint32_t name_id, uint64_t absent)
{
	uint64_t v;
	return ir_attr_get_u64(ir_op_attr(op, name_id), &v) ? v : absent;
}

/* Blocks */

IrBlock *ir_block_create(IrModule *m, Loc loc)
{
	IrBlock *b = pool_new(&m->pool, IrBlock);
	b->id = m->nblocks++;
	b->loc = loc;
	return b;
}

void ir_block_append(IrRegion *r, IrBlock *b)
{
	CHECK(!b->region);
	b->region = r;
	b->prev = r->last;
	b->next = NULL;
	if (r->last)
		r->last->next = b;
	else
		r->first = b;
	r->last = b;
}

void ir_block_insert_after(IrBlock *where, IrBlock *b)
{
	CHECK(!b->region && where->region);
	b->region = where->region;
	b->prev = where;
	b->next = where->next;
	if (where->next)
		where->next->prev = b;
	else
		where->region->last = b;
	where->next = b;
}

IrBlock *ir_block_split(IrModule *m, IrBlock *b, IrOp *first, Loc loc)
{
	IrBlock *rest = ir_block_create(m, loc);
	ir_block_insert_after(b, rest);
	for (IrOp *op = first, *next; op; op = next) {
		next = op->next;
		ir_op_remove(op);
		ir_op_append(rest, op);
	}
	return rest;
}

void ir_block_remove(IrBlock *b)
{
	CHECK(b->region);
	if (b->prev)
		b->prev->next = b->next;
	else
		b->region->first = b->next;
	if (b->next)
		b->next->prev = b->prev;
	else
		b->region->last = b->prev;
	b->region = NULL;
	b->prev = b->next = NULL;
}

void ir_block_drop_references(IrBlock *b)
{
	IR_FOR_OPS (op, b)
		drop_all_references(op);
}

void ir_block_erase(IrBlock *b)
{
	CHECK(!b->preds);
	while (b->last)
		ir_op_erase(b->last);
	if (b->region)
		ir_block_remove(b);
}

void ir_func_drop_body(IrOp *func)
{
	IrRegion *r = &func->regions[0];
	for (IrBlock *b = r->first, *next; b; b = next) {
		next = b->next;
		give_back_ops(b->first);
		give_back_block(b);
	}
	r->first = r->last = NULL;
}

IrValue *ir_block_add_arg(IrModule *m, IrBlock *b, IrType *type)
{
	IrValue *v = pool_new(&m->pool, IrValue);
	v->type = type;
	v->def.block = b;
	v->is_arg = 1;
	v->index = b->nargs;
	v->id = m->nvalues++;
	/* Storage grows by powers of two; it is full when nargs is one. */
	if ((b->nargs & (b->nargs - 1)) == 0) {
		IrValue **args = pool_array(&m->pool, IrValue *, b->nargs ? b->nargs * 2 : 1);
		if (b->nargs)
			memcpy(args, b->args, b->nargs * sizeof *args);
		pool_drop(b->args);
		b->args = args;
	}
	return b->args[b->nargs++] = v;
}

IrValue **ir_block_take_args(IrBlock *b)
{
	IrValue **args = b->args;
	b->args = NULL;
	b->nargs = 0;
	return args;
}

void ir_block_remove_arg(IrBlock *b, uint32_t index)
{
	CHECK(index < b->nargs && !b->args[index]->uses);
	pool_drop(b->args[index]);
	memmove(b->args + index, b->args + index + 1, (b->nargs - index - 1) * sizeof *b->args);
	b->nargs--;
	for (uint32_t i = index; i < b->nargs; i++)
		b->args[i]->index = i;
}

void ir_block_keep_args(IrBlock *b, IrValue *const *kept, uint32_t n)
{
	enum { GONE = INT32_MAX };
	for (uint32_t i = 0; i < b->nargs; i++)
		b->args[i]->index = GONE;
	for (uint32_t i = 0; i < n; i++)
		kept[i]->index = i;
	for (uint32_t i = 0; i < b->nargs; i++) {
		if (b->args[i]->index != GONE)
			continue;
		CHECK(!b->args[i]->uses);
		pool_drop(b->args[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		b->args[i] = kept[i];
	b->nargs = n;
}

/* Walking */

static IrOp *first_in_blocks(const IrBlock *b)
{
	for (; b; b = b->next)
		if (b->first)
			return b->first;
	return NULL;
}

static IrOp *first_in_regions(const IrOp *op, uint32_t from)
{
	for (uint32_t i = from; i < op->nregions; i++) {
		IrOp *first = first_in_blocks(op->regions[i].first);
		if (first)
			return first;
	}
	return NULL;
}

IrOp *ir_walk_first(const IrRegion *root)
{
	return first_in_blocks(root->first);
}

IrOp *ir_walk_skip(const IrOp *op, const IrRegion *root)
{
	for (;;) {
		if (op->next)
			return op->next;
		IrOp *next = first_in_blocks(op->block->next);
		if (next)
			return next;
		const IrRegion *r = op->block->region;
		if (r == root)
			return NULL;
		op = r->op;
		next = first_in_regions(op, (uint32_t)(r - op->regions) + 1);
		if (next)
			return next;
	}
}

IrOp *ir_walk_next(const IrOp *op, const IrRegion *root)
{
	IrOp *inside = first_in_regions(op, 0);
	return inside ? inside : ir_walk_skip(op, root);
}

/* Calls */

Name *ir_call_callee(const IrOp *op)
{
	return ir_op_symbol(op, NAME_callee);
}

static uint32_t first_arg(const IrOp *op)
{
	return ir_call_callee(op) ? 0 : 1;
}

uint32_t ir_call_nargs(const IrOp *op)
{
	uint32_t n = ir_op_nmain(op);
	return n < first_arg(op) ? 0 : n - first_arg(op);
}

IrValue *ir_call_arg(const IrOp *op, uint32_t i)
{
	return ir_operand(op, first_arg(op) + i);
}

bool ir_op_is_nothrow(const IrOp *op)
{
	return ir_op_has(op, NAME_nothrow) || ir_op_has(op, NAME_nounwind) || ir_op_has(op, NAME_no_unwind);
}

bool ir_op_may_throw(const IrOp *op)
{
	if (!(op_info[op->kind].flags & OPF_THROWS) || ir_op_is_nothrow(op))
		return false;
	const IrOp *callee = op_info[op->kind].flags & OPF_CALLS ? ir_symbol(ir_call_callee(op)) : NULL;
	return !callee || !ir_op_is_nothrow(callee);
}

bool ir_op_may_wrap(OpKind kind)
{
	switch (kind) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_INC:
	case OP_DEC:
	case OP_MINUS:
		return true;
	default:
		return false;
	}
}

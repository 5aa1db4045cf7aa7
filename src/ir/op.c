/* The table of ops, what makes one, its place in a block, its attributes, and what calls say. */
#include "base/suggest.h"
#include "ir/module.h"

#include "ir/use.h"

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

/* "cir." and "circ.": all ops have one of them, so it makes none alike. 0: neither. */
static uint32_t dialect_prefix(Str name)
{
	if (str_begins_with(name, STR("circ.")))
		return 5;
	return str_begins_with(name, STR("cir.")) ? 4 : 0;
}

/* Of one dialect or the other, since they are taken for each other. */
const char *op_similar(Str mnemonic)
{
	uint32_t prefix = dialect_prefix(mnemonic);
	if (!prefix || mnemonic.len == prefix)
		return NULL;
	Suggestion s = suggest_begin((Str){mnemonic.data + prefix, mnemonic.len - prefix});
	const char *similar = NULL;
	for (unsigned k = 0; k < OP_COUNT; k++) {
		const char *name = op_info[k].name, *rest = name + dialect_prefix(str_of(name));
		suggest_try(&s, str_of(rest));
		similar = s.best.data == rest ? name : similar;
	}
	return similar;
}

/* Creation */

static Pool *pool_of(IrModule *m, OpKind kind)
{
	return op_info[kind].flags & OPF_SYMBOL ? &m->symbols : &m->pool;
}

/* Its own operands, and behind them the arguments of each successor. */
static void add_operands(Pool *pool, IrOp *op, const IrOpSpec *spec)
{
	op->noperands = spec->noperands;
	for (uint32_t i = 0; i < spec->nsuccs; i++)
		op->noperands += spec->succs[i].nargs;
	if (op->noperands)
		op->operands = pool_array_raw(pool, IrUse, op->noperands);
	uint32_t n = 0;
	for (; n < spec->noperands; n++)
		ir_use_link(&op->operands[n], spec->operands[n], op);
	if (spec->nsuccs) {
		op->nsuccs = spec->nsuccs;
		op->succs = pool_array_raw(pool, IrSucc, spec->nsuccs);
	}
	for (uint32_t i = 0; i < spec->nsuccs; i++) {
		op->succs[i] = (IrSucc){.op = op, .first = n, .nargs = spec->succs[i].nargs};
		ir_succ_link(&op->succs[i], spec->succs[i].dest);
		for (uint32_t k = 0; k < spec->succs[i].nargs; k++, n++)
			ir_use_link(&op->operands[n], spec->succs[i].args[k], op);
	}
}

static void add_results(IrModule *m, Pool *pool, IrOp *op, const IrOpSpec *spec)
{
	if (spec->nresults) {
		op->nresults = spec->nresults;
		op->results = pool_array_raw(pool, IrValue, spec->nresults);
	}
	for (uint32_t i = 0; i < spec->nresults; i++) {
		IrType *type = spec->result_types[i];
		op->results[i] = (IrValue){.type = type, .def.op = op, .id = m->nvalues++, .index = i};
	}
}

static void add_regions(Pool *pool, IrOp *op, const IrOpSpec *spec)
{
	if (spec->nregions) {
		op->nregions = spec->nregions;
		op->regions = pool_array(pool, IrRegion, spec->nregions);
	}
	for (uint32_t i = 0; i < spec->nregions; i++)
		op->regions[i].op = op;
}

static void add_attrs(Pool *pool, IrOp *op, const IrOpSpec *spec)
{
	if (spec->nattrs) {
		op->nattrs = spec->nattrs;
		op->attrs = pool_array_raw(pool, IrNamedAttr, spec->nattrs);
	}
	for (uint32_t i = 0; i < spec->nattrs; i++) {
		op->attrs[i] = spec->attrs[i];
		op->attr_bits |= ir_attr_bit(spec->attrs[i].name->id);
	}
}

IrOpSpec ir_op_spec(const IrOp *op, Arena *mem)
{
	uint32_t n = ir_op_nmain(op);
	IrValue **operands = arena_array(mem, IrValue *, n);
	for (uint32_t i = 0; i < n; i++)
		operands[i] = ir_operand(op, i);
	IrType **types = arena_array(mem, IrType *, op->nresults);
	for (uint32_t i = 0; i < op->nresults; i++)
		types[i] = op->results[i].type;
	return (IrOpSpec){.kind = op->kind,
	                  .operands = operands,
	                  .noperands = n,
	                  .result_types = types,
	                  .nresults = op->nresults,
	                  .attrs = op->attrs,
	                  .nattrs = op->nattrs};
}

IrOp *ir_op_create(IrModule *m, const IrOpSpec *spec)
{
	Pool *pool = pool_of(m, spec->kind);
	IrOp *op = pool_new(pool, IrOp);
	op->kind = spec->kind;
	m->made[spec->kind] = true;
	m->warned = false;
	op->loc = spec->loc;
	add_operands(pool, op, spec);
	add_results(m, pool, op, spec);
	add_regions(pool, op, spec);
	add_attrs(pool, op, spec);
	return op;
}

/* What the regions were is of no op: the public interface tells by it that a handle has ended. */
void ir_op_add_regions(IrModule *m, IrOp *op, uint32_t n)
{
	IrRegion *former = op->regions;
	uint32_t nformer = op->nregions;
	IrOpSpec spec = {.nregions = nformer + n};
	add_regions(pool_of(m, op->kind), op, &spec);
	for (uint32_t i = 0; i < nformer; i++) {
		op->regions[i] = former[i];
		former[i] = (IrRegion){.op = NULL};
		IR_FOR_BLOCKS (b, &op->regions[i])
			b->region = &op->regions[i];
	}
	pool_drop(former);
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
	m->warned = false;
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

/* api/build.c: blocks, places, and ops by their mnemonic. */
#include "api/api.h"
#include "ir/constraint.h"

/* Blocks */

static IrBlock *new_block(ApiCall *c, IrRegion *r, IrBlock *after)
{
	if (r == &c->m->body) {
		api_error(c, "module body has exactly one block");
		return NULL;
	}
	IrBlock *b = ir_block_create(c->m, c->loc);
	if (after)
		ir_block_insert_after(after, b);
	else
		ir_block_append(r, b);
	return api_hand_out(c->m, b);
}

CircBlock *circ_block_create(CircModule *m, CircRegion *region)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	IrBlock *b = api_region(&c, region, "region") ? new_block(&c, region, NULL) : NULL;
	api_end(&c);
	return b;
}

CircBlock *circ_block_create_after(CircModule *m, CircBlock *block)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	IrBlock *b = api_block(&c, block, "block") ? new_block(&c, block->region, block) : NULL;
	api_end(&c);
	return b;
}

CircValue *circ_block_add_arg(CircModule *m, CircBlock *block, CircType *type)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	bool ok = api_block(&c, block, "block") && api_type(&c, type, "type");
	if (ok && block == ir_module_block(m))
		ok = api_error(&c, "module body cannot have block arguments");
	if (ok && !ir_is_token(type) && type->kind != TYPE_TOKEN)
		ok = api_value_type(&c, type, "type");
	IrValue *v = ok ? ir_block_add_arg(m, block, type) : NULL;
	api_end(&c);
	return v;
}

/* Changes */

static bool has_used_result(const IrOp *op)
{
	for (uint32_t i = 0; i < op->nresults; i++)
		if (op->results[i].uses)
			return true;
	return false;
}

static bool is_inside(const IrOp *op, const IrOp *outer)
{
	while (op && op != outer)
		op = ir_op_parent(op);
	return op != NULL;
}

static bool used_outside(const IrValue *v, const IrOp *outer)
{
	IR_FOR_USES (u, v)
		if (!is_inside(u->user, outer))
			return true;
	return false;
}

static bool block_is_used_outside(const IrBlock *b, const IrOp *outer)
{
	for (uint32_t i = 0; i < b->nargs; i++)
		if (used_outside(b->args[i], outer))
			return true;
	IR_FOR_PREDS(s, b)
	if (!is_inside(s->op, outer))
		return true;
	return false;
}

/* In a program that verifies nothing outside refers to what is in a region; but this one
 * may still be in the making. */
static bool contents_are_used(const IrOp *op)
{
	for (uint32_t i = 0; i < op->nregions; i++) {
		const IrBlock *last = NULL;
		IR_FOR_BLOCKS (b, &op->regions[i])
			if (block_is_used_outside(b, op))
				return true;
		for (const IrOp *o = ir_walk_first(&op->regions[i]); o;
		     o = ir_walk_next(o, &op->regions[i])) {
			if (o->block != last && block_is_used_outside(o->block, op))
				return true;
			last = o->block;
			for (uint32_t k = 0; k < o->nresults; k++)
				if (used_outside(&o->results[k], op))
					return true;
		}
	}
	return false;
}

bool circ_op_erase(CircModule *m, CircOp *op)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = api_op(&c, op, "op");
	if (ok && has_used_result(op))
		ok = api_error(&c, "a result of this '%s' is still used", op_info[op->kind].name);
	if (ok && contents_are_used(op))
		ok = api_error(&c, "a value defined inside this '%s' is still used outside of it",
		               op_info[op->kind].name);
	if (ok) {
		api_forget_regions(m, op);
		ir_op_erase(op);
	}
	api_end(&c);
	return ok;
}

bool circ_value_replace(CircModule *m, CircValue *from, CircValue *to)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = api_value(&c, from, "from") && api_value(&c, to, "to");
	if (ok && from->type != to->type)
		ok = api_error(&c, "'from' has type %s, but 'to' has type %s", api_type_str(&c, from->type),
		               api_type_str(&c, to->type));
	if (ok && from != to)
		ir_value_replace(from, to);
	api_end(&c);
	return ok;
}

/* Places */

CircBuilder *circ_builder_create(CircModule *m)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	CircBuilder *b = arena_new(&m->arena, CircBuilder);
	b->m = b->at.m = m;
	api_end(&c);
	return b;
}

bool circ_builder_at_end(CircBuilder *b, CircBlock *block)
{
	ApiCall c;
	if (!b || !api_begin(&c, b->m, __func__))
		return false;
	bool ok = api_block(&c, block, "block");
	if (ok) {
		b->at.block = block;
		b->at.before = NULL;
	}
	api_end(&c);
	return ok;
}

bool circ_builder_before(CircBuilder *b, CircOp *op)
{
	ApiCall c;
	if (!b || !api_begin(&c, b->m, __func__))
		return false;
	bool ok = api_op(&c, op, "op");
	if (ok) {
		b->at.block = op->block;
		b->at.before = op;
	}
	api_end(&c);
	return ok;
}

CircBlock *circ_builder_block(const CircBuilder *b)
{
	return b && api_is_ours(b->m, b->at.block) ? b->at.block : NULL;
}

CircModule *circ_builder_module(const CircBuilder *b)
{
	return b ? b->m : NULL;
}

static const LocInfo *place_info(IrModule *m, const char *file, uint32_t line, uint32_t column)
{
	if (!file)
		return NULL;
	size_t len = strlen(file);
	LocInfo *info = arena_new(&m->arena, LocInfo);
	*info = (LocInfo){.kind = LOC_FILE, .name = {arena_copy(&m->arena, file, len), len}};
	info->line = line;
	info->col = column;
	return info;
}

bool circ_builder_set_loc(CircBuilder *b, const char *file, uint32_t line, uint32_t column)
{
	ApiCall c;
	if (!b || !api_begin(&c, b->m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	b->at.loc.info = place_info(b->m, file, line, column);
	api_end(&c);
	return true;
}

bool circ_op_set_loc(CircModule *m, CircOp *op, const char *file, uint32_t line, uint32_t column)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = api_op(&c, op, "op");
	if (ok)
		op->loc.info = place_info(m, file, line, column);
	api_end(&c);
	return ok;
}

static bool check_place(ApiCall *c, const CircBuilder *b)
{
	if (!b->at.block)
		return api_error(c, "builder has no insertion point; set one first");
	const IrOp *before = b->at.before;
	if (!api_is_ours(c->m, b->at.block) ||
	    (before && (!api_is_our_op(c->m, before) || before->block != b->at.block)))
		return api_error(c, "insertion point of the builder has been erased; set another");
	return b->at.block != ir_module_block(c->m) ||
	       api_error(c, "module body holds only functions and globals; move the builder into a function");
}

/* Ops by their rows */

static void read_mnemonics(ApiCall *c)
{
	names_init(&c->api->mnemonics, &c->m->arena);
	for (unsigned k = 0; k < OP_COUNT; k++)
		name_intern(&c->api->mnemonics, str_of(op_info[k].name));
}

OpKind api_find_op(ApiCall *c, const char *mnemonic)
{
	if (!c->api->mnemonics.cap)
		read_mnemonics(c);
	const Name *n = name_find(&c->api->mnemonics, str_of(mnemonic));
	return n ? (OpKind)n->id : OP_COUNT;
}

static bool slot_holds(const ShapeSlot *s, const IrType *t, IrValue *const *operands)
{
	if (s->same)
		return t == operands[s->of]->type;
	return s->attr || class_holds(s->class, t);
}

/* The slot that says what operand or result i must be; NULL when there are too many. */
static const ShapeSlot *slot_of(const ShapeSlot *slots, uint8_t n, size_t i)
{
	if (i < n)
		return &slots[i];
	return n && slots[n - 1].many ? &slots[n - 1] : NULL;
}

static size_t least(const ShapeSlot *slots, uint8_t n)
{
	size_t count = 0;
	while (count < n && !slots[count].optional && !slots[count].many)
		count++;
	return count;
}

/* least, most: operands, results or successors that the row has room for. */
static bool wrong_count(ApiCall *c, const CircOpSpec *s, const char *what, size_t least, size_t most,
                        size_t n)
{
	const char *bound = least == most ? "" : n < least ? "at least " : "at most ";
	return api_error(c, "wrong number of %s for '%s': expected %s%zu, found %zu", what, s->mnemonic,
	                 bound, n < least ? least : most, n);
}

/* Slots, or SIZE_MAX when the last stands for any number. */
static size_t slots_max(const ShapeSlot *slots, uint8_t n)
{
	return n && slots[n - 1].many ? SIZE_MAX : n;
}

static bool check_operands(ApiCall *c, const OpShape *shape, const CircOpSpec *s)
{
	if (!api_values(c, s->operands, s->noperands, "operands"))
		return false;
	if (s->noperands < least(shape->operands, shape->noperands))
		return wrong_count(c, s, "operands", least(shape->operands, shape->noperands),
		                   slots_max(shape->operands, shape->noperands), s->noperands);
	for (size_t i = 0; i < s->noperands; i++) {
		const ShapeSlot *slot = slot_of(shape->operands, shape->noperands, i);
		if (!slot)
			return wrong_count(c, s, "operands", least(shape->operands, shape->noperands),
			                   shape->noperands, s->noperands);
		if (!slot_holds(slot, s->operands[i]->type, s->operands))
			return api_error(c, "operand #%zu of '%s' has type %s; expected %s", i, s->mnemonic,
			                 api_type_str(c, s->operands[i]->type),
			                 slot->same ? api_type_str(c, s->operands[slot->of]->type)
			                            : class_text(slot->class));
	}
	return true;
}

static const IrAttr *given_attr(const CircOpSpec *s, const Name *name)
{
	for (size_t i = 0; i < s->nattrs; i++)
		if (strcmp(s->attrs[i].name, name->text) == 0)
			return s->attrs[i].value;
	return NULL;
}

/* The only type of a class, or NULL. */
static IrType *class_type(IrModule *m, TypeClass class)
{
	switch (class) {
	case CLASS_BOOL:
		return ir_type_simple(m, TYPE_BOOL);
	case CLASS_VOIDP:
		return m->voidp;
	case CLASS_U32:
		return m->u32;
	case CLASS_EH:
		return ir_type_simple(m, TYPE_EH_TOKEN);
	case CLASS_CLEANUP:
		return ir_type_simple(m, TYPE_CLEANUP_TOKEN);
	case CLASS_CATCH:
		return ir_type_simple(m, TYPE_CATCH_TOKEN);
	default:
		return NULL;
	}
}

static IrType *derive_result(ApiCall *c, const ShapeSlot *slot, const CircOpSpec *s)
{
	const IrAttr *a = slot->attr ? given_attr(s, slot->attr) : NULL;
	if (slot->same)
		return s->operands[slot->of]->type;
	if (slot->attr)
		return a ? a->type : NULL;
	return class_type(c->m, slot->class);
}

/* Results that are not given follow from the row; those that may be absent are. */
static bool derive_results(ApiCall *c, const OpShape *shape, const CircOpSpec *s, IrOpSpec *out)
{
	IrType **types = arena_array(&c->m->scratch, IrType *, SHAPE_SLOTS);
	size_t n = least(shape->results, shape->nresults);
	for (size_t i = 0; i < n; i++) {
		types[i] = derive_result(c, &shape->results[i], s);
		if (!types[i])
			return api_error(c,
			                 "cannot infer the type of result #%zu of '%s'; set 'result_types'",
			                 i, s->mnemonic);
	}
	out->result_types = types;
	out->nresults = (uint32_t)n;
	return true;
}

static bool check_results(ApiCall *c, const OpShape *shape, const CircOpSpec *s, IrOpSpec *out)
{
	if (!s->result_types && !s->nresults)
		return derive_results(c, shape, s, out);
	if (!api_types(c, s->result_types, s->nresults, "result_types"))
		return false;
	if (s->nresults < least(shape->results, shape->nresults))
		return wrong_count(c, s, "results", least(shape->results, shape->nresults),
		                   slots_max(shape->results, shape->nresults), s->nresults);
	for (size_t i = 0; i < s->nresults; i++) {
		const ShapeSlot *slot = slot_of(shape->results, shape->nresults, i);
		if (!slot)
			return wrong_count(c, s, "results", least(shape->results, shape->nresults),
			                   shape->nresults, s->nresults);
		if (!slot_holds(slot, s->result_types[i], s->operands))
			return api_error(c, "result #%zu of '%s' cannot have type %s", i, s->mnemonic,
			                 api_type_str(c, s->result_types[i]));
	}
	out->result_types = s->result_types;
	out->nresults = (uint32_t)s->nresults;
	return true;
}

static bool check_successors(ApiCall *c, const OpInfo *info, const CircOpSpec *s, IrOpSpec *out)
{
	if (!api_count(c, s->nsuccessors, s->successors, "successors"))
		return false;
	if (info->nsuccs != OP_ANY && s->nsuccessors != info->nsuccs)
		return wrong_count(c, s, "successors", info->nsuccs, info->nsuccs, s->nsuccessors);
	IrSuccSpec *succs = arena_array(&c->m->scratch, IrSuccSpec, s->nsuccessors);
	uint64_t args = s->noperands;
	for (size_t i = 0; i < s->nsuccessors; i++) {
		const CircSuccessor *e = &s->successors[i];
		if (!api_block(c, e->block, "block") || !api_values(c, e->args, e->nargs, "args"))
			return false;
		succs[i] = (IrSuccSpec){e->block, e->args, (uint32_t)e->nargs};
		args += e->nargs;
	}
	out->succs = succs;
	out->nsuccs = (uint32_t)s->nsuccessors;
	return args <= UINT32_MAX / 2 || api_error(c, "successors have too many arguments");
}

static bool check_attrs(ApiCall *c, const CircOpSpec *s, IrOpSpec *out)
{
	if (!api_count(c, s->nattrs, s->attrs, "attrs"))
		return false;
	IrNamedAttr *attrs = arena_array(&c->m->scratch, IrNamedAttr, s->nattrs);
	for (size_t i = 0; i < s->nattrs; i++) {
		const CircNamedAttr *a = &s->attrs[i];
		if (!api_given(c, a->name, "name") || !api_attr(c, a->value, a->name) ||
		    !api_attr_fits_over(c, a->value))
			return false;
		attrs[i] = (IrNamedAttr){ir_name(c->m, str_of(a->name)), a->value};
		if (!attrs[i].name->len)
			return api_error(c, "name of attribute #%zu is empty", i);
		for (size_t k = 0; k < i; k++)
			if (attrs[k].name == attrs[i].name)
				return api_error(c, "duplicate attribute '%s'", a->name);
	}
	out->attrs = attrs;
	out->nattrs = (uint32_t)s->nattrs;
	return true;
}

static bool check_regions(ApiCall *c, const OpInfo *info, const CircOpSpec *s, IrOpSpec *out)
{
	enum { REGIONS_MAX = 0xFFFF }; /* IrOp.nregions */
	bool any = info->nregions == OP_ANY;
	out->nregions = any || s->nregions ? (uint32_t)s->nregions : info->nregions;
	if (any ? s->nregions > REGIONS_MAX : s->nregions && s->nregions != info->nregions)
		return api_error(c, "'%s' cannot have %zu regions", s->mnemonic, s->nregions);
	return true;
}

static bool unknown_op(ApiCall *c, const char *mnemonic)
{
	const char *similar = op_similar(str_of(mnemonic));
	return similar ? api_error(c, "unknown op '%s'; did you mean '%s'?", mnemonic, similar)
	               : api_error(c, "unknown op '%s'", mnemonic);
}

/* Everything about the op but its place. */
static bool convert_spec(ApiCall *c, const CircOpSpec *s, IrOpSpec *out)
{
	if (!api_given(c, s, "spec") || !api_given(c, s->mnemonic, "mnemonic"))
		return false;
	OpKind kind = api_find_op(c, s->mnemonic);
	if (kind == OP_COUNT)
		return unknown_op(c, s->mnemonic);
	const OpInfo *info = &op_info[kind];
	const OpShape *shape = shape_of(c->m, kind);
	if (kind == OP_EXCEPTION_TYPE)
		return api_error(c, "'%s' defines a symbol; use circ_exception_type_create()", s->mnemonic);
	if (info->flags & OPF_SYMBOL)
		return api_error(c, "'%s' defines a symbol; use circ_func_create() or circ_global_create()",
		                 s->mnemonic);
	*out = (IrOpSpec){.kind = kind};
	return check_operands(c, shape, s) && check_attrs(c, s, out) && check_results(c, shape, s, out) &&
	       check_successors(c, info, s, out) && check_regions(c, info, s, out);
}

IrOp *api_make_op(const char *function, CircBuilder *b, const CircOpSpec *spec)
{
	ApiCall c;
	IrOpSpec converted;
	if (!b || !api_begin(&c, b->m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	c.loc = b->at.loc;
	IrOp *op = NULL;
	if (check_place(&c, b) && convert_spec(&c, spec, &converted)) {
		converted.operands = spec->operands;
		converted.noperands = (uint32_t)spec->noperands;
		op = ir_build_spec(&b->at, &converted);
	}
	api_end(&c);
	return op;
}

CircOp *circ_build_op(CircBuilder *b, const CircOpSpec *spec)
{
	return api_make_op(__func__, b, spec);
}

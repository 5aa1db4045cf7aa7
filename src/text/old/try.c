/* Exceptions of the incubator (cir-reference 5.9, 5.10, 6.5), read as what they mean today.
 *
 * 	A    %e = cir.try { %slot = cir.alloca !cir.ptr<!cir.eh.info>, …; … cir.yield %x : P } : () -> P
 * 	     cir.catch(%e : P, [ type (ATTR) {…}, all {…}, #cir.unwind {…} ])
 * 	                                                   one cir.try with its handlers; the slot and %e are nothing
 * 	A B  %p = cir.catch_param -> P                     the catch of a whole handler: begin_catch … end_catch
 * 	     %p = cir.catch_param(%e) -> P                 the same
 * 	B    %p = cir.catch_param begin %exn -> P          in Itanium form: a call of __cxa_begin_catch
 * 	     cir.catch_param end                           a call of __cxa_end_catch
 * 	     cir.call exception @f(…) : … cleanup {…}      a call in a cleanup scope of kind eh
 *
 * 	N    cir.construct_catch_param reference, cir.init_catch_param reference
 * 	                                                   reference_to_pointer, which they are called since
 *
 * and one that is newer than what is printed: cir.throw with the type info and the destructor as values.
 */
#include "text/old/old.h"

#include "ir/build.h"
#include "ir/catch_region.h"

/* A value that is mentioned and has no meaning any more: it must exist. */
static bool mentioned(Parser *p, OperandRef *r)
{
	return parse_operand(p, r) && value_resolve(p, r, r->type) != NULL;
}

/* cir.try with a result */

static bool is_token_pointer(const IrType *t)
{
	while (t->kind == TYPE_PTR)
		t = t->elem;
	return t->kind == TYPE_EH_TOKEN;
}

static void drop_yielded(Parser *p, const IrRegion *body)
{
	IR_FOR_BLOCKS (b, body) {
		IrOp *end = b->last;
		if (!end || end->kind != OP_YIELD || !end->noperands)
			continue;
		IrBuilder at = ir_before(p->m, end);
		ir_build(&at, OP_YIELD, NULL, NULL, 0);
		ir_op_erase(end);
	}
}

/* The slot of the exception pointer, and what is loaded from it; loads go first. */
static void drop_slot(Parser *p, const IrRegion *body)
{
	static const OpKind kinds[] = {OP_LOAD, OP_ALLOCA};
	for (unsigned i = 0; i < ARRAY_LEN(kinds); i++) {
		VEC(IrOp *) unused = {0};
		for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
			if (op->kind == kinds[i] && is_token_pointer(op->results[0].type) &&
			    !op->results[0].uses)
				vec_push(p->mem, &unused, op);
		for (uint32_t k = 0; k < unused.len; k++)
			ir_op_erase(unused.data[k]);
	}
}

/* `: () -> P`, `: P`, or nothing */
static IrType *early_result(Parser *p)
{
	if (!accept(p, ':'))
		return ir_type_ptr(p->m, ir_type_simple(p->m, TYPE_EH_TOKEN));
	if (at(p, '(') && (!accept(p, '(') || !expect(p, ')') || !expect(p, TOK_ARROW)))
		return NULL;
	return parse_type(p);
}

bool parse_early_try(Parser *p, Frame *f)
{
	const Binding b = p->bindings.data[f->bindings];
	if (p->bindings.len - f->bindings > 1 || b.count > 1)
		return parse_fail(p, b.name.at, "'cir.try' must have at most one result");
	IrType *type = early_result(p);
	if (!type)
		return false;
	const IrRegion *body = p->regions.data[f->regions];
	drop_yielded(p, body);
	drop_slot(p, body);
	IrAttr poison = {.kind = ATTR_POISON, .type = type};
	IrNamedAttr value = {p->known[NAME_value], ir_attr_intern(p->m, &poison)};
	IrOp *stand_in = parse_insert_op(p, &(IrOpSpec){.kind = OP_CONST,
	                                                .loc = parse_loc_at(p, f->at),
	                                                .result_types = &type,
	                                                .nresults = 1,
	                                                .attrs = &value,
	                                                .nattrs = 1});
	vec_push(p->mem, &p->early_tries, stand_in);
	p->bindings.len = f->bindings;
	return value_define(p, b.name, &stand_in->results[0], 1);
}

/* cir.catch */

/* The cir.try that stands right before, whose result `e` is; or NULL. */
static IrOp *try_of(Parser *p, const IrValue *e)
{
	for (uint32_t i = 0; i < p->early_tries.len; i++) {
		IrOp *stand_in = p->early_tries.data[i];
		if (e == &stand_in->results[0] && stand_in->next && stand_in->next->kind == OP_TRY &&
		    !stand_in->next->next && stand_in->next->nregions == 1)
			return stand_in->next;
	}
	return NULL;
}

/* Takes the cir.try apart: it is made again, with its handlers. */
static void take_try(Parser *p, Frame *f, IrOp *op)
{
	IrRegion *body = arena_new(p->mem, IrRegion);
	ir_region_move_blocks(&op->regions[0], body);
	vec_push(p->mem, &p->regions, body);
	for (uint32_t i = 0; i < op->nattrs; i++)
		push_attr(p, op->attrs[i].name, op->attrs[i].value);
	f->at = p->lx.base + op->loc.pos - 1;
	ir_op_erase(op);
}

/* `type (ATTR) {…}`, `type ATTR {…}`, `all {…}`, `#cir.all {…}`, `#cir.unwind {…}` */
static Parsed open_entry(Parser *p, Frame *f)
{
	bool ok;
	if (accept_word(p, STR("all"))) {
		ok = parse_handler_word(p, HANDLER_ALL);
	} else {
		bool parenthesised = accept_word(p, STR("type")) && accept(p, '(');
		ok = parse_handler_type(p) && (!parenthesised || expect(p, ')'));
	}
	return ok ? parse_open_handler(p, f) : PARSED_NO;
}

Parsed parse_old_catch(Parser *p, Frame *f)
{
	OperandRef e;
	bool ok;
	if (p->regions.len > f->regions) {
		parse_handler_done(p, f);
		if (accept(p, ','))
			return open_entry(p, f);
		return expect(p, ']') && expect(p, ')') ? parse_handlers_complete(p, f) : PARSED_NO;
	}
	if (!expect(p, '(') || !parse_operand(p, &e))
		return PARSED_NO;
	e.type = parse_colon_type(p, &ok);
	IrValue *v = ok ? value_resolve(p, &e, e.type) : NULL;
	if (!v || !expect(p, ',') || !expect(p, '['))
		return PARSED_NO;
	IrOp *op = try_of(p, v);
	if (!op) {
		parse_fail(p, e.at, "expected the result of the 'cir.try' right before this operation");
		return PARSED_NO;
	}
	take_try(p, f, op);
	return open_entry(p, f);
}

/* cir.catch_param */

/* `begin %exn -> P`: the address, cast from what the run-time function gives; the call
 * is made when %exn is known. */
static bool begin(Parser *p, Frame *f)
{
	OperandRef exn;
	if (!parse_operand(p, &exn) || (!accept(p, ':') && !expect(p, TOK_ARROW)))
		return false;
	IrType *type = parse_type(p);
	if (!type)
		return false;
	f->kind = OP_CAST;
	p->catch_runtime = true;
	push_enum(p, NAME_kind, ENUM_CAST, CAST_BITCAST);
	push_result(p, type);
	exn.type = p->m->voidp;
	push_operand(p, exn);
	return true;
}

void parse_begin_catch_call(Parser *p, const Frame *f)
{
	IrNamedAttr callee = {p->known[NAME_callee],
	                      ir_attr_symbol(p->m, ir_name(p->m, STR("__cxa_begin_catch")))};
	IrType *unknown = NULL; /* the declaration may come later */
	IrOp *call =
	    parse_insert_op(p, &(IrOpSpec){.kind = OP_CALL,
	                                   .loc = {.pos = parse_loc_at(p, f->at).pos, .info = f->loc},
	                                   .operands = p->values.data,
	                                   .noperands = 1,
	                                   .result_types = &unknown,
	                                   .nresults = 1,
	                                   .attrs = &callee,
	                                   .nattrs = 1});
	vec_push(p->mem, &p->untyped_calls, call);
	p->values.data[0] = &call->results[0];
}

Parsed parse_old_catch_param(Parser *p, Frame *f)
{
	OperandRef e;
	if (accept_word(p, STR("begin")))
		return begin(p, f) ? PARSED_ALL : PARSED_NO;
	if (accept_word(p, STR("end"))) {
		f->kind = OP_CALL;
		p->catch_runtime = true;
		push_attr(p, p->known[NAME_callee],
		          ir_attr_symbol(p->m, ir_name(p->m, STR("__cxa_end_catch"))));
		return PARSED_ALL;
	}
	if (accept(p, '(') && (!mentioned(p, &e) || !expect(p, ')')))
		return PARSED_NO;
	IrType *type = accept(p, TOK_ARROW) ? parse_type(p) : p->m->voidp;
	if (!type)
		return PARSED_NO;
	push_result(p, type);
	return PARSED_ALL;
}

/* Only references to pointers are made before the catch begins. Those that are not are still called `reference`. */
void parse_modernise_reference(Parser *p, const Frame *f)
{
	if (f->kind == OP_INIT_CATCH_PARAM &&
	    (p->values.len < 2 || !ir_catch_has_reference(p->values.data[0], p->values.data[1])))
		return;
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		IrNamedAttr *a = &p->attrs.data[i];
		if (a->name == p->known[NAME_kind] && a->value->kind == ATTR_ENUM &&
		    a->value->enum_class == ENUM_CATCH_INIT && a->value->bits == CATCH_INIT_REFERENCE)
			a->value = ir_attr_enum(p->m, ENUM_CATCH_INIT, CATCH_INIT_REFERENCE_TO_POINTER);
	}
}

/* cir.throw of the very newest: `%p, %type_info, %dtor : P, T, D`, both constants */

/* The symbol whose address v is; NULL: none, and *null tells whether it is a null pointer. */
static Name *symbol_of(const IrValue *v, bool *null)
{
	*null = false;
	while (!v->is_arg && v->def.op && v->def.op->kind == OP_CAST)
		v = ir_operand(v->def.op, 0);
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	if (op && op->kind == OP_GET_GLOBAL)
		return ir_op_symbol(op, NAME_symbol);
	const IrAttr *a = op && op->kind == OP_CONST ? ir_op_attr(op, NAME_value) : NULL;
	*null = a && a->kind == ATTR_PTR && a->bits == 0;
	return a && a->kind == ATTR_GLOBAL_VIEW && a->n == 0 ? a->name : NULL;
}

bool parse_thrown_symbols(Parser *p, const Frame *f)
{
	static const NameId names[] = {NAME_type_info, NAME_dtor};
	for (uint32_t i = 1; i < p->values.len; i++) {
		bool null;
		Name *symbol = symbol_of(p->values.data[i], &null);
		if (symbol)
			push_attr(p, p->known[names[i - 1]], ir_attr_symbol(p->m, symbol));
		else if (!null || i == 1)
			return parse_fail(p, p->operands.data[f->operands + i].at,
			                  i == 1 ? "expected the address of a type-info global"
			                         : "expected the address of a function, or null");
	}
	if (p->values.len > 1) {
		p->values.len = 1;
		p->operands.len = f->operands + 1;
	}
	return true;
}

Parsed parse_throw_of_values(Parser *p, Frame *f)
{
	uint32_t n = 0;
	do {
		if (!parse_push_operand(p))
			return PARSED_NO;
		n++;
	} while (accept(p, ','));
	if (n > 3)
		return expected(p, "at most three operands"), PARSED_NO;
	for (uint32_t i = 0; i < n; i++) {
		if (i ? !expect(p, ',') : !expect(p, ':'))
			return PARSED_NO;
		if (!(p->operands.data[f->operands + i].type = parse_type(p)))
			return PARSED_NO;
	}
	if (f->kind == OP_TRY_THROW && (!parse_successor(p) || !expect(p, ',') || !parse_successor(p)))
		return PARSED_NO;
	return PARSED_ALL;
}

/* Calls with a cleanup region */

IrValue *parse_wrap_call(Parser *p, const Frame *f, IrOp *call)
{
	IrRegion *cleanup = f->cleanup;
	if (!cleanup->first)
		ir_block_append(cleanup, ir_block_create(p->m, call->loc));
	if (!ir_block_terminator(cleanup->last)) {
		IrBuilder end = ir_at_end(p->m, cleanup->last, call->loc);
		ir_build(&end, OP_YIELD, NULL, NULL, 0);
	}
	bool named = p->bindings.len > f->bindings && call->nresults;
	IrBuilder b = ir_before(p->m, call);
	IrValue *slot = NULL;
	if (named)
		slot = ir_build_alloca(&b, call->results[0].type, STR("tmp.call.res"), 0);
	IrRegion body = {0};
	IrBlock *inside = ir_block_create(p->m, call->loc), *block = call->block;
	ir_op_remove(call);
	ir_block_append(&body, inside);
	ir_op_append(inside, call);
	b = ir_at_end(p->m, inside, call->loc);
	if (named)
		ir_build_store(&b, &call->results[0], slot);
	ir_build(&b, OP_YIELD, NULL, NULL, 0);
	IrOp *scope = ir_wrap_in_cleanup(p->m, &body, CLEANUP_EH, cleanup, call->loc);
	ir_op_remove(scope);
	ir_op_append(block, scope);
	b = ir_at_end(p->m, block, call->loc);
	return named ? ir_build_load(&b, slot) : NULL;
}

/* At the end of the text */

static void drop_stand_ins(Parser *p)
{
	for (uint32_t i = 0; i < p->early_tries.len; i++) {
		IrOp *stand_in = p->early_tries.data[i];
		if (stand_in->results[0].uses)
			diag_error(p->d, stand_in->results[0].uses->user->loc,
			           "the result of 'cir.try' may be used by its 'cir.catch' only");
		else
			ir_op_erase(stand_in);
	}
}

static void declare(Parser *p, Str name, IrType *result, IrType *param)
{
	IrType *type = ir_type_func(p->m, &param, param != NULL, result, false);
	ir_func_declare(p->m, name, type);
}

void parse_old_exceptions(Parser *p)
{
	drop_stand_ins(p);
	if (!p->catch_runtime)
		return;
	declare(p, STR("__cxa_begin_catch"), ir_type_ptr(p->m, p->m->u8), p->m->voidp);
	declare(p, STR("__cxa_end_catch"), ir_type_simple(p->m, TYPE_VOID), NULL);
}

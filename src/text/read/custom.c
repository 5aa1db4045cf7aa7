/* Custom spellings of memory, control flow and calls: cir-reference 5.5, 5.8, 5.9. */
#include "text/read/parser.h"

/* `align(4)`, optional */
static bool alignment(Parser *p, NameId name)
{
	uint64_t n;
	if (!accept_word(p, STR("align")))
		return true;
	if (!expect(p, '(') || !parse_uint(p, &n, "integer value") || !expect(p, ')'))
		return false;
	push_attr(p, p->known[name], ir_attr_i64(p->m, (int64_t)n));
	return true;
}

static bool operand_type(Parser *p, const Frame *f, uint32_t index)
{
	return (p->operands.data[f->operands + index].type = parse_type(p)) != NULL;
}

/* `tbaa([…])`, of the incubator */
static bool alias_analysis(Parser *p)
{
	const char *where = peek(p).at;
	if (!accept_word(p, STR("tbaa")))
		return true;
	parse_older(p, where, "'tbaa' of a copy");
	const IrAttr *a = expect(p, '(') ? parse_attr(p) : NULL;
	if (!a || !expect(p, ')'))
		return false;
	push_attr(p, p->known[NAME_tbaa], a);
	return true;
}

/* %src align(N) to %dst align(N) volatile skip_tail_padding : P, Q */
Parsed parse_custom_copy(Parser *p, Frame *f)
{
	if (!parse_push_operand(p) || !alignment(p, NAME_src_align) || !expect_word(p, STR("to")) ||
	    !parse_push_operand(p) || !alignment(p, NAME_dst_align))
		return PARSED_NO;
	for (;;) {
		if (accept_word(p, STR("volatile")))
			push_flag(p, NAME_is_volatile_flag);
		else if (accept_word(p, STR("skip_tail_padding")))
			push_flag(p, NAME_skip_tail_padding);
		else
			break;
	}
	if (!parse_op_dict(p, f) || !expect(p, ':'))
		return PARSED_NO;
	if (!operand_type(p, f, 0))
		return PARSED_NO;
	if (accept(p, ','))
		return operand_type(p, f, 1) ? PARSED_ALL : PARSED_NO;
	p->operands.data[f->operands + 1].type = p->operands.data[f->operands].type;
	return alias_analysis(p) ? PARSED_ALL : PARSED_NO;
}

/* `0`; printed as an attribute by some forks: `#cir.int<0> : I` */
static const IrAttr *case_value(Parser *p, IrType *type)
{
	Token t = peek(p);
	if (t.kind == TOK_ATTR) {
		const IrAttr *value = parse_attr(p);
		if (value && value->kind == ATTR_INT && value->type == type)
			return value;
		if (value)
			parse_fail(p, t.at, "expected a case value of type '%s'", ir_type_str(p->mem, type));
		return NULL;
	}
	if (t.kind != TOK_INT) {
		expected_here(p, "case value");
		return NULL;
	}
	advance(p);
	return parse_int_value(p, t, type);
}

/* One of `0: ^b(…)` */
static bool switch_case(Parser *p, const Frame *f)
{
	const IrAttr *value = case_value(p, p->operands.data[f->operands].type);
	if (!value)
		return false;
	vec_push(p->mem, &p->elems, value);
	return expect(p, ':') && parse_successor(p);
}

/* Entries end with a comma, or with their line alone. */
static bool switch_cases(Parser *p, const Frame *f)
{
	if (!expect(p, '['))
		return false;
	while (!at(p, ']')) {
		if (!switch_case(p, f))
			return false;
		if (!accept(p, ',') && !at(p, ']') && parse_same_line(p))
			return expected(p, "',' or ']'");
	}
	return expect(p, ']');
}

/* %x : I, ^default [ 0: ^b, 1: ^c ] */
Parsed parse_custom_switch_flat(Parser *p, Frame *f)
{
	if (!parse_push_operand(p) || !expect(p, ':'))
		return PARSED_NO;
	const char *where = peek(p).at;
	if (!operand_type(p, f, 0))
		return PARSED_NO;
	if (p->operands.data[f->operands].type->kind != TYPE_INT) {
		parse_fail(p, where, "expected an integer type");
		return PARSED_NO;
	}
	if (!expect(p, ',') || !parse_successor(p))
		return PARSED_NO;
	uint32_t base = p->elems.len;
	bool ok = switch_cases(p, f);
	if (ok)
		push_attr(p, p->known[NAME_case_values],
		          ir_attr_array(p->m, p->elems.data + base, p->elems.len - base));
	p->elems.len = base;
	return ok ? PARSED_ALL : PARSED_NO;
}

/* %p poison : P, [^a, ^b(…)] */
Parsed parse_custom_indirect_br(Parser *p, Frame *f)
{
	if (!parse_push_operand(p))
		return PARSED_NO;
	if (accept_word(p, STR("poison")))
		push_flag(p, NAME_poison);
	if (!expect(p, ':') || !operand_type(p, f, 0) || !expect(p, ',') || !expect(p, '['))
		return PARSED_NO;
	while (!at(p, ']')) {
		if (!parse_successor(p))
			return PARSED_NO;
		if (!accept(p, ',') && parse_same_line(p))
			break;
	}
	return expect(p, ']') ? PARSED_ALL : PARSED_NO;
}

/* <@f, "label"> : P; older: -> P */
Parsed parse_custom_block_address(Parser *p, Frame *f)
{
	(void)f;
	const IrAttr *untyped = parse_block_address(p, ATTR_BLOCK_ADDR);
	if (at(p, TOK_ARROW))
		parse_older(p, peek(p).at, "'->' for ':'");
	if (!untyped || (!accept(p, TOK_ARROW) && !expect(p, ':')))
		return PARSED_NO;
	IrAttr typed = *untyped;
	if (!(typed.type = parse_type(p)))
		return PARSED_NO;
	push_attr(p, p->known[NAME_block_addr_info], ir_attr_intern(p->m, &typed));
	return PARSED_ALL;
}

/* Calls */

/* `(%a, %b)`, D: `(%a : T, %b : U)` */
static bool call_operands(Parser *p)
{
	if (!expect(p, '('))
		return false;
	while (!at(p, ')')) {
		if (!parse_push_operand(p))
			return false;
		bool ok;
		if (at(p, ':'))
			parse_older(p, peek(p).at, "the type of an argument after the argument");
		p->operands.data[p->operands.len - 1].type = parse_colon_type(p, &ok);
		if (!ok)
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, ')');
}

static bool callee(Parser *p)
{
	if (at_operand(p))
		return parse_push_operand(p);
	if (!at(p, TOK_SYMBOL))
		return expected(p, "a callee, '@name' or '%name'");
	Name *name = parse_symbol(p);
	push_attr(p, p->known[NAME_callee], ir_attr_symbol(p->m, name));
	return true;
}

static bool call_flag(Parser *p)
{
	static const NameId flags[] = {NAME_nothrow, NAME_musttail, NAME_nounwind, NAME_willreturn,
	                               NAME_noreturn};
	for (unsigned i = 0; i < ARRAY_LEN(flags); i++) {
		if (accept_word(p, name_str(p->known[flags[i]]))) {
			push_flag(p, flags[i]);
			return true;
		}
	}
	return false;
}

static bool call_word(Parser *p, const Frame *f, bool *any)
{
	*any = true;
	if (call_flag(p))
		return true;
	if (accept_word(p, STR("side_effect")))
		return parse_side_effect_clause(p);
	if (accept_word(p, STR("cc")))
		return parse_cc_clause(p);
	if (accept_word(p, STR("extra")))
		return parse_extra_clause(p, f);
	*any = false;
	return true;
}

/* Words between the operands and the type, or behind the type: of those the newest has `cc(…)` alone. */
static bool call_words(Parser *p, const Frame *f, bool behind_type)
{
	for (bool any = true; any;) {
		Token t = peek(p);
		uint32_t before = p->attrs.len;
		if (!call_word(p, f, &any) || !parse_check_new(p, t.at, f->attrs, before))
			return false;
		if (any && behind_type && !token_is(t, STR("cc")))
			parse_older(p, t.at, "a word after the type of a call");
	}
	return true;
}

static bool call_results(Parser *p)
{
	if (!parse_result_list(p, &p->result_list))
		return false;
	for (uint32_t i = 0; i < p->result_list.types.len; i++)
		push_result(p, p->result_list.types.data[i]);
	push_dicts(p, NAME_res_attrs, p->result_list.dicts.data, p->result_list.dicts.len,
	           p->result_list.types.len);
	return true;
}

static bool indirect_callee(Parser *p, const char *where, const IrType *t)
{
	if (t->kind == TYPE_PTR && t->elem->kind == TYPE_FUNC)
		return true;
	return parse_fail(p, where,
	                  "expected the type of the callee, a pointer to a function, first; got '%s'",
	                  ir_type_str(p->mem, t));
}

/* frame->phase of calls */
enum {
	CALL_EXCEPTION = 1, /* `exception(%e)`: the slot of A, whose type is in the list, too */
	CALL_CLEANUP = 2,   /* its cleanup region has been opened (B) */
};

/* … with the type of the exception slot in front: it is no argument. */
static void drop_slot_type(Parser *p, const Frame *f)
{
	if (!(f->phase & CALL_EXCEPTION) || p->list.types.len != pushed_operands(p, f) + 1)
		return;
	p->list.types.len--;
	memmove(p->list.types.data, p->list.types.data + 1, p->list.types.len * sizeof *p->list.types.data);
	if (!p->list.dicts.len)
		return;
	p->list.dicts.len--;
	memmove(p->list.dicts.data, p->list.dicts.data + 1, p->list.dicts.len * sizeof *p->list.dicts.data);
}

/* `(T, U) -> R`; of an indirect call, the callee's type comes first. */
static bool call_type(Parser *p, const Frame *f)
{
	const char *where = peek(p).at;
	if (!parse_type_list(p, &p->list))
		return false;
	drop_slot_type(p, f);
	uint32_t n = pushed_operands(p, f), given = p->list.types.len;
	if (n != given || p->list.variadic)
		return parse_fail(p, where, "%u operands present, but expected %u", n, given);
	bool indirect = !pushed_attr(p, f, NAME_callee);
	if (indirect && !indirect_callee(p, where, p->list.types.data[0]))
		return false;
	for (uint32_t i = 0; i < n; i++)
		p->operands.data[f->operands + i].type = p->list.types.data[i];
	uint32_t skip = indirect && p->list.dicts.len, args = given - indirect;
	push_dicts(p, NAME_arg_attrs, p->list.dicts.data + skip, p->list.dicts.len - skip, args);
	return expect(p, TOK_ARROW) && call_results(p);
}

/* What `@callee` returns, when it is known already or is one of the run-time functions. */
static bool known_result(Parser *p, const Name *callee, IrType **result)
{
	static const struct {
		const char *name;
		bool pointer;
	} runtime[] = {
	    {"__cxa_begin_catch", true},       {"__cxa_end_catch", false},
	    {"__cxa_get_exception_ptr", true}, {"__cxa_allocate_exception", true},
	    {"__cxa_free_exception", false},   {"__cxa_throw", false},
	    {"__cxa_rethrow", false},          {"__cxa_call_unexpected", false},
	    {"_ZSt9terminatev", false},        {"__clang_call_terminate", false},
	};
	const IrOp *op = ir_symbol(callee);
	const IrType *type = op && op->kind == OP_FUNC ? ir_func_type(op) : NULL;
	if (type) {
		*result = type->elem->kind == TYPE_VOID ? NULL : type->elem;
		return true;
	}
	for (unsigned i = 0; i < ARRAY_LEN(runtime); i++) {
		if (strcmp(runtime[i].name, callee->text) == 0) {
			*result = runtime[i].pointer ? p->m->voidp : NULL;
			return true;
		}
	}
	return false;
}

/* D leaves the function type out. When the callee is not known yet, the result is
 * settled at the end of the text. */
static bool untyped_call(Parser *p, Frame *f)
{
	const IrAttr *name = pushed_attr(p, f, NAME_callee);
	IrType *result = NULL;
	if (!name)
		return expected(p, "':' and the type of the indirect call");
	parse_older(p, f->at, "a call without its type");
	p->design = true;
	if (known_result(p, name->name, &result)) {
		if (result)
			push_result(p, result);
		return true;
	}
	f->untyped_call = true;
	if (p->bindings.len > f->bindings)
		push_result(p, NULL);
	return true;
}

static Parsed call_cleanup(Parser *p, Frame *f)
{
	if (!at_word(p, STR("cleanup")))
		return PARSED_ALL;
	parse_older(p, peek(p).at, "the cleanup of a call");
	advance(p);
	f->phase |= CALL_CLEANUP;
	return parse_open_region(p, NULL, 0);
}

/* B names the exception behind the results, too: `, %e`. */
static bool trailing_exception(Parser *p)
{
	OperandRef e;
	return !accept(p, ',') || (parse_operand(p, &e) && value_resolve(p, &e, NULL));
}

static Parsed call_tail(Parser *p, Frame *f)
{
	if (!call_words(p, f, false) || !parse_op_dict(p, f))
		return PARSED_NO;
	if (!accept(p, ':'))
		return untyped_call(p, f) ? PARSED_ALL : PARSED_NO;
	if (!call_type(p, f) || ((f->phase & CALL_EXCEPTION) && !trailing_exception(p)))
		return PARSED_NO;
	if (!call_words(p, f, true))
		return PARSED_NO;
	f->dict_read = false; /* another one may stand behind the type */
	return op_info[f->kind].flags & OPF_TERM ? PARSED_ALL : call_cleanup(p, f);
}

static bool call_head(Parser *p, Frame *f)
{
	OperandRef e;
	/* said again: what is not nothrow may throw */
	if (at_word(p, STR("exception")))
		parse_older(p, peek(p).at, "'exception' at a call");
	if (accept_word(p, STR("exception")) && accept(p, '(')) {
		if (!parse_operand(p, &e) || !value_resolve(p, &e, NULL) || !expect(p, ')'))
			return false;
		f->phase = CALL_EXCEPTION;
	}
	return callee(p) && call_operands(p);
}

Parsed parse_custom_call(Parser *p, Frame *f)
{
	if (f->phase & CALL_CLEANUP) {
		f->cleanup = vec_pop(&p->regions);
		return call_words(p, f, true) ? PARSED_ALL : PARSED_NO;
	}
	if (f->at[0] == 'c' && f->at[1] == 'a') /* `call @f` */
		parse_in_era_a(p);
	return call_head(p, f) ? call_tail(p, f) : PARSED_NO;
}

/* … ^normal, ^unwind … */
Parsed parse_custom_try_call(Parser *p, Frame *f)
{
	if (f->phase & CALL_CLEANUP)
		return parse_custom_call(p, f);
	if (!call_head(p, f))
		return PARSED_NO;
	if (f->phase & CALL_EXCEPTION) /* inside a cir.try, and no terminator (A) */
		f->kind = OP_CALL;
	else if (!parse_successor(p) || !expect(p, ',') || !parse_successor(p))
		return PARSED_NO;
	return call_tail(p, f);
}

static IrOp *with_result(Parser *p, IrOp *op, IrType *result)
{
	uint32_t nmain = ir_op_nmain(op);
	p->values.len = p->succ_specs.len = 0;
	for (uint32_t i = 0; i < op->noperands; i++)
		vec_push(p->mem, &p->values, op->operands[i].value);
	for (uint32_t i = 0; i < op->nsuccs; i++)
		vec_push(p->mem, &p->succ_specs,
		         ((IrSuccSpec){op->succs[i].dest, p->values.data + op->succs[i].first,
		                       op->succs[i].nargs}));
	IrOpSpec spec = {.kind = op->kind,
	                 .loc = op->loc,
	                 .operands = p->values.data,
	                 .noperands = nmain,
	                 .result_types = &result,
	                 .nresults = 1,
	                 .succs = p->succ_specs.data,
	                 .nsuccs = op->nsuccs,
	                 .attrs = op->attrs,
	                 .nattrs = op->nattrs};
	return ir_op_create(p->m, &spec);
}

static void settle_call(Parser *p, IrOp *op)
{
	const Name *name = ir_call_callee(op);
	IrType *result = NULL;
	known_result(p, name, &result);
	if (!op->nresults) {
		if (result) { /* it has one that nobody uses */
			IrOp *again = with_result(p, op, result);
			ir_op_insert_before(op, again);
			ir_op_erase(op);
		}
		return;
	}
	IrValue *v = &op->results[0];
	if (!result)
		diag_error(p->d, op->loc,
		           "cannot infer the result type of the call of '%s': the text does not specify what "
		           "'%s' returns; add the result type to the call",
		           name->text, name->text);
	else if (!v->type)
		v->type = result;
	else if (v->type != result)
		diag_error(p->d, op->loc, "result type mismatch: expected '%s', but provided '%s'",
		           ir_type_str(p->mem, result), ir_type_str(p->mem, v->type));
}

void parse_untyped_calls(Parser *p)
{
	for (uint32_t i = 0; i < p->untyped_calls.len; i++)
		settle_call(p, p->untyped_calls.data[i]);
}

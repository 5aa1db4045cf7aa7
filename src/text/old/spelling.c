/* Older spellings that no format can say: the "old" columns of cir-reference section 5. */
#include "ir/layout.h"
#include "text/old/old.h"

/* (ATTR) : T; A: (nullptr) : T */
Parsed parse_old_const(Parser *p, Frame *f)
{
	if (p->lx.before_end - f->at == 7) /* `cir.cst` */
		parse_in_era_a(p);
	if (!expect(p, '('))
		return PARSED_NO;
	bool ok, null = accept_word(p, STR("nullptr"));
	const IrAttr *a = null ? p->unit : parse_attr(p);
	if (!a || !expect(p, ')') || !expect(p, ':'))
		return PARSED_NO;
	const char *where = peek(p).at;
	IrType *type = parse_type(p);
	if (!type)
		return PARSED_NO;
	type = parse_cir_type_of(p, type);
	a = null ? parse_null(p, where, type) : parse_cir_constant(p, f->at, a);
	if (!a)
		return PARSED_NO;
	if (a->kind == ATTR_STRING || a->kind == ATTR_TYPE || !a->type)
		ok = parse_fail(p, where, "expected a constant with a type");
	else
		ok =
		    a->type == type || parse_fail(p, where, "result type (%s) does not match value type (%s)",
		                                  ir_type_str(p->mem, type), ir_type_str(p->mem, a->type));
	if (!ok)
		return PARSED_NO;
	push_attr(p, p->known[NAME_value], a);
	return PARSED_ALL;
}

/* Arithmetic */

typedef struct OldWord {
	const char *word;
	OpKind kind;
} OldWord;

static bool kind_word(Parser *p, Frame *f, const OldWord *words, size_t n)
{
	Token t = peek(p);
	for (size_t i = 0; t.kind == TOK_WORD && i < n; i++) {
		if (str_is(token_str(t), words[i].word)) {
			f->kind = words[i].kind;
			advance(p);
			return true;
		}
	}
	return expected(p, "the kind of operation");
}

static void wrap_flags(Parser *p)
{
	for (;;) {
		if (accept_word(p, STR("nsw")))
			push_flag(p, NAME_nsw);
		else if (accept_word(p, STR("nuw")))
			push_flag(p, NAME_nuw);
		else if (accept_word(p, STR("sat")))
			push_flag(p, NAME_sat);
		else
			return;
	}
}

/* : T */
Parsed parse_old_undef(Parser *p, Frame *f)
{
	(void)f;
	IrType *type = expect(p, ':') ? parse_type(p) : NULL;
	if (!type)
		return PARSED_NO;
	push_attr(p, p->known[NAME_value], ir_attr_intern(p->m, &(IrAttr){.kind = ATTR_UNDEF, .type = type}));
	push_result(p, type);
	return PARSED_ALL;
}

static bool type_of_operands(Parser *p, const Frame *f)
{
	IrType *t = parse_type(p);
	for (uint32_t i = f->operands; t && i < p->operands.len; i++)
		p->operands.data[i].type = t;
	return t != NULL;
}

/* One `binop` was for numbers of every kind, and in A for the logic of booleans. */
static bool kind_for_type(Parser *p, Frame *f, const char *where, bool logical)
{
	const IrType *t = p->operands.data[f->operands].type;
	if (logical && t->kind != TYPE_BOOL)
		return parse_fail(p, where, "expected operands of type !cir.bool, got '%s'",
		                  ir_type_str(p->mem, t));
	if (t->kind == TYPE_COMPLEX && f->kind == OP_ADD)
		f->kind = OP_COMPLEX_ADD;
	else if (t->kind == TYPE_COMPLEX && f->kind == OP_SUB)
		f->kind = OP_COMPLEX_SUB;
	return true;
}

/* (add, %a, %b) nsw : T; A: (shl, %a, %b) : T */
Parsed parse_old_binop(Parser *p, Frame *f)
{
	static const OldWord words[] = {
	    {"add", OP_ADD},   {"sub", OP_SUB},   {"mul", OP_MUL},  {"div", OP_DIV}, {"rem", OP_REM},
	    {"and", OP_AND},   {"or", OP_OR},     {"xor", OP_XOR},  {"max", OP_MAX}, {"min", OP_MIN},
	    {"shl", OP_SHIFT}, {"shr", OP_SHIFT}, {"land", OP_AND}, {"lor", OP_OR}};
	if (!expect(p, '('))
		return PARSED_NO;
	const char *where = peek(p).at;
	bool left = at_word(p, STR("shl")), logical = at_word(p, STR("land")) || at_word(p, STR("lor"));
	if (!kind_word(p, f, words, ARRAY_LEN(words)) || !expect(p, ',') || !parse_push_operand(p) ||
	    !expect(p, ',') || !parse_push_operand(p) || !expect(p, ')'))
		return PARSED_NO;
	wrap_flags(p);
	if (!expect(p, ':') || !type_of_operands(p, f) || !kind_for_type(p, f, where, logical))
		return PARSED_NO;
	if (f->kind == OP_SHIFT) {
		push_enum(p, NAME_kind, ENUM_SHIFT, left ? SHIFT_LEFT : SHIFT_RIGHT);
		push_result(p, p->operands.data[f->operands].type);
	}
	return PARSED_ALL;
}

/* (add, %a, %b) : T, (U, !cir.bool) */
Parsed parse_old_overflow(Parser *p, Frame *f)
{
	static const OldWord words[] = {
	    {"add", OP_ADD_OVERFLOW}, {"sub", OP_SUB_OVERFLOW}, {"mul", OP_MUL_OVERFLOW}};
	IrType *result;
	if (!expect(p, '(') || !kind_word(p, f, words, ARRAY_LEN(words)) || !expect(p, ',') ||
	    !parse_push_operand(p) || !expect(p, ',') || !parse_push_operand(p) || !expect(p, ')') ||
	    !expect(p, ':') || !type_of_operands(p, f) || !expect(p, ',') || !expect(p, '(') ||
	    !(result = parse_type(p)) || !expect(p, ','))
		return PARSED_NO;
	push_result(p, result);
	const char *where = peek(p).at;
	if (!(result = parse_type(p)))
		return PARSED_NO;
	if (result->kind != TYPE_BOOL) {
		parse_fail(p, where, "expected !cir.bool for the second result");
		return PARSED_NO;
	}
	return expect(p, ')') ? PARSED_ALL : PARSED_NO;
}

/* A plus changes nothing: it is the conversion of a type to itself. */
static void make_plus(Parser *p, Frame *f)
{
	const IrType *t = ir_scalar(p->operands.data[f->operands].type);
	if (!ir_is_int(t) && !ir_is_float(t)) {
		f->kind = OP_FREEZE;
		return;
	}
	f->kind = OP_CAST;
	push_enum(p, NAME_kind, ENUM_CAST, ir_is_int(t) ? CAST_INTEGRAL : CAST_FLOATING);
	push_result(p, p->operands.data[f->operands].type);
}

/* (inc, %x) nsw : T, T */
Parsed parse_old_unary(Parser *p, Frame *f)
{
	static const OldWord words[] = {
	    {"inc", OP_INC}, {"dec", OP_DEC}, {"minus", OP_MINUS}, {"not", OP_NOT}, {"plus", OP_CAST}};
	if (!expect(p, '(') || !kind_word(p, f, words, ARRAY_LEN(words)) || !expect(p, ',') ||
	    !parse_push_operand(p) || !expect(p, ')'))
		return PARSED_NO;
	wrap_flags(p);
	if (!expect(p, ':') || !type_of_operands(p, f))
		return PARSED_NO;
	const char *where = peek(p).at;
	if (accept(p, ',')) {
		IrType *result = parse_type(p);
		if (!result)
			return PARSED_NO;
		if (result != p->operands.data[f->operands].type) {
			parse_fail(p, where, "expected the type of the operand for the result");
			return PARSED_NO;
		}
	}
	if (f->kind == OP_CAST)
		make_plus(p, f);
	return PARSED_ALL;
}

/* add %a, %b range(full) promoted : C */
Parsed parse_old_complex_binop(Parser *p, Frame *f)
{
	static const OldWord words[] = {{"add", OP_COMPLEX_ADD},
	                                {"sub", OP_COMPLEX_SUB},
	                                {"mul", OP_COMPLEX_MUL},
	                                {"div", OP_COMPLEX_DIV}};
	if (!kind_word(p, f, words, ARRAY_LEN(words)) || !parse_push_operand(p) || !expect(p, ',') ||
	    !parse_push_operand(p))
		return PARSED_NO;
	bool ranged = f->kind == OP_COMPLEX_MUL || f->kind == OP_COMPLEX_DIV;
	int range = COMPLEX_RANGE_FULL;
	if (accept_word(p, STR("range")) &&
	    (!expect(p, '(') || (range = parse_enum_word(p, ENUM_COMPLEX_RANGE)) < 0 || !expect(p, ')')))
		return PARSED_NO;
	accept_word(p, STR("promoted")); /* what it was in the source; means nothing here */
	if (ranged)
		push_enum(p, NAME_range, ENUM_COMPLEX_RANGE, (unsigned)range);
	return expect(p, ':') && type_of_operands(p, f) ? PARSED_ALL : PARSED_NO;
}

/* %x : T */
Parsed parse_old_plus(Parser *p, Frame *f)
{
	if (!parse_push_operand(p) || !expect(p, ':') || !type_of_operands(p, f))
		return PARSED_NO;
	make_plus(p, f);
	return PARSED_ALL;
}

/* %x poison : T */
static Parsed operand_with_flag(Parser *p, Frame *f, Str word, NameId name)
{
	if (!parse_push_operand(p) || !expect_word(p, word) || !expect(p, ':') || !type_of_operands(p, f))
		return PARSED_NO;
	push_flag(p, name);
	return PARSED_ALL;
}

Parsed parse_old_abs(Parser *p, Frame *f)
{
	return operand_with_flag(p, f, STR("poison"), NAME_min_is_poison);
}

Parsed parse_old_count_zeros(Parser *p, Frame *f)
{
	return operand_with_flag(p, f, STR("zero_poison"), NAME_poison_zero);
}

/* Memory */

/* f: NULL where no value may stand */
static bool alloca_word(Parser *p, Frame *f)
{
	if (f && accept(p, '=')) {
		push_flag(p, NAME_init);
		return parse_operand(p, &f->initial);
	}
	if (accept_word(p, STR("init")) || accept_word(p, STR("cinit")) || accept_word(p, STR("paraminit")) ||
	    accept_word(p, STR("callinit")) || accept_word(p, STR("listinit")))
		push_flag(p, NAME_init);
	else if (accept_word(p, STR("const")))
		push_flag(p, NAME_is_const);
	else if (accept_word(p, STR("cleanup_dest_slot")))
		push_flag(p, NAME_cleanup_dest_slot);
	else if (!accept_word(p, STR("uninitialized")))
		return expected(p, "'init', 'const' or 'cleanup_dest_slot'");
	return true;
}

/* `["x", init]`; A: `["x", = %arg]`, which is stored, and `[cinit]`, without a name */
static bool alloca_name(Parser *p, Frame *f)
{
	Str name = {0};
	if (!expect(p, '['))
		return false;
	bool named = at(p, TOK_STRING);
	if (named ? !parse_string(p, &name) : !alloca_word(p, NULL))
		return false;
	push_attr(p, p->known[NAME_name], ir_attr_string(p->m, name));
	while (named && accept(p, ',')) {
		const char *where = peek(p).at;
		uint32_t before = p->attrs.len;
		if (!alloca_word(p, f) || !parse_check_new(p, where, f->attrs, before))
			return false;
	}
	return expect(p, ']');
}

/* T, !cir.ptr<T>, %n : I, ["x", init] [annotations] ast #cir.var.decl.ast, of which the last says nothing */
Parsed parse_old_alloca(Parser *p, Frame *f)
{
	const char *where = peek(p).at;
	IrType *type = parse_type(p);
	if (!type || !expect(p, ','))
		return PARSED_NO;
	type = parse_signature_type(p, where, type);
	where = peek(p).at;
	IrType *result = parse_type(p);
	if (!result || !expect(p, ','))
		return PARSED_NO;
	if (result->kind != TYPE_PTR || result->elem != type) {
		parse_fail(p, where, "expected a pointer to '%s', got '%s'", ir_type_str(p->mem, type),
		           ir_type_str(p->mem, result));
		return PARSED_NO;
	}
	if (at_operand(p) &&
	    (!parse_push_operand(p) || !expect(p, ':') || !type_of_operands(p, f) || !expect(p, ',')))
		return PARSED_NO;
	push_result(p, result);
	if (!alloca_name(p, f))
		return PARSED_NO;
	if (at(p, '[')) {
		const IrAttr *list = parse_attr_list(p);
		if (!list)
			return PARSED_NO;
		push_attr(p, p->known[NAME_annotations], list);
	}
	if (!accept_word(p, STR("ast")))
		return PARSED_ALL;
	return (at(p, TOK_ATTR) || expected(p, "an attribute of the AST")) && parse_attr(p) ? PARSED_ALL
	                                                                                    : PARSED_NO;
}

/* (%level), of type !cir.ptr<!void> */
Parsed parse_old_frame_address(Parser *p, Frame *f)
{
	(void)f;
	if (!expect(p, '(') || !parse_push_operand(p) || !expect(p, ')'))
		return PARSED_NO;
	push_result(p, p->m->voidp);
	return PARSED_ALL;
}

/* Exceptions */

/* D: (%t : !cir.eh_token) : !cir.catch_token, without the pointer */
Parsed parse_old_begin_catch(Parser *p, Frame *f)
{
	if (!expect(p, '(') || !parse_push_operand(p) || !expect(p, ':') || !type_of_operands(p, f) ||
	    !expect(p, ')') || !expect(p, ':'))
		return PARSED_NO;
	IrType *type = parse_type(p);
	if (!type)
		return PARSED_NO;
	p->design = true;
	f->names_may_lack = true;
	push_result(p, type);
	push_result(p, p->m->voidp);
	return PARSED_ALL;
}

/* inbounds|nuw %p, %i : (P, I) -> P */
Parsed parse_old_ptr_stride(Parser *p, Frame *f)
{
	bool inbounds = false, nusw = false, nuw = false;
	IrType *t;
	do {
		bool *flag = accept_word(p, STR("inbounds"))        ? &inbounds
		             : accept_word(p, STR("nusw"))          ? &nusw
		             : accept_word(p, STR("nuw"))           ? &nuw
		             : accept_word(p, STR("inbounds_flag")) ? &inbounds
		                                                    : NULL;
		if (!flag)
			return expected(p, "SSA operand, 'inbounds', 'nusw' or 'nuw'"), PARSED_NO;
		*flag = true;
	} while (accept(p, '|'));
	if (inbounds)
		push_flag(p, NAME_inbounds);
	if (nusw)
		push_flag(p, NAME_nusw);
	if (nuw)
		push_flag(p, NAME_nuw);
	if (!parse_push_operand(p) || !expect(p, ',') || !parse_push_operand(p) || !expect(p, ':') ||
	    !expect(p, '('))
		return PARSED_NO;
	OperandRef *types = p->operands.data + f->operands;
	if (!(types[0].type = parse_type(p)) || !expect(p, ',') || !(types[1].type = parse_type(p)) ||
	    !expect(p, ')') || !expect(p, TOK_ARROW) || !(t = parse_type(p)))
		return PARSED_NO;
	push_result(p, t);
	return PARSED_ALL;
}

/* (T) -> P */
Parsed parse_old_alloc_exception(Parser *p, Frame *f)
{
	(void)f;
	if (!expect(p, '('))
		return PARSED_NO;
	const char *where = peek(p).at;
	IrType *type = parse_type(p), *result;
	if (!type || !expect(p, ')') || !expect(p, TOK_ARROW) || !(result = parse_type(p)))
		return PARSED_NO;
	IrType *bad;
	if (ir_check_nesting(p->m, type, &bad) != NESTING_FINE || !ir_type_sized(type)) {
		parse_fail(p, where, "missing data layout for '%s'", ir_type_str(p->mem, type));
		return PARSED_NO;
	}
	push_attr(p, p->known[NAME_size], ir_attr_i64(p->m, (int64_t)ir_type_size(type)));
	push_result(p, result);
	return PARSED_ALL;
}

/* `%list %count : P, I`: the last parameter said where the list begins, and says nothing any more. */
Parsed parse_old_va_start(Parser *p, Frame *f)
{
	OperandRef count;
	if (!parse_push_operand(p) || !parse_operand(p, &count) || !expect(p, ':') ||
	    !type_of_operands(p, f) || !expect(p, ',') || !parse_type(p))
		return PARSED_NO;
	return PARSED_ALL;
}

/* `[null, @_ZTIi]`: null is catch-all, which comes last whatever its place. */
static bool landingpad_clauses(Parser *p)
{
	bool catch_all = false, ok = true;
	uint32_t base = p->elems.len;
	advance(p);
	while (ok && !at(p, ']')) {
		if (accept_word(p, STR("null"))) {
			catch_all = true;
		} else {
			Name *symbol = parse_symbol(p);
			ok = symbol != NULL;
			if (ok)
				vec_push(p->mem, &p->elems, ir_attr_symbol(p->m, symbol));
		}
		if (!accept(p, ','))
			break;
	}
	ok = ok && expect(p, ']');
	uint32_t n = p->elems.len - base;
	if (ok && catch_all)
		push_flag(p, NAME_catch_all);
	if (ok && n)
		push_attr(p, p->known[NAME_catch_type_list], ir_attr_array(p->m, p->elems.data + base, n));
	p->elems.len = base;
	return ok;
}

/* `: (!cir.ptr<!void>, !u32i)`, also without the parentheses */
static bool landingpad_types(Parser *p)
{
	const char *where = peek(p).at;
	bool parenthesised = accept(p, '(');
	IrType *pointer = parse_type(p), *selector;
	if (!pointer || !expect(p, ',') || !(selector = parse_type(p)) || (parenthesised && !expect(p, ')')))
		return false;
	if (pointer != p->m->voidp || selector != p->m->u32)
		return parse_fail(p, where, "expected the types '!cir.ptr<!cir.void>, !cir.int<u, 32>'");
	return true;
}

/* cleanup [null, @_ZTIi] : (!cir.ptr<!void>, !u32i) */
Parsed parse_old_landingpad(Parser *p, Frame *f)
{
	(void)f;
	p->design = true;
	if (accept_word(p, STR("cleanup")))
		push_flag(p, NAME_cleanup);
	if (at(p, '[') && !landingpad_clauses(p))
		return PARSED_NO;
	return !accept(p, ':') || landingpad_types(p) ? PARSED_ALL : PARSED_NO;
}

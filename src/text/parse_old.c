/* Older spellings that no format can say: the "old" columns of cir-reference section 5, and 1.9. */
#include "ir/layout.h"
#include "text/parser.h"

/* Builtin constants and types of the earliest eras. */

bool parse_is_cir_type(const IrType *t)
{
	return t->kind < TYPE_BUILTIN_INT;
}

IrType *parse_cir_type_of(Parser *p, IrType *t)
{
	static const struct {
		const char *name;
		TypeKind kind;
	} floats[] = {{"f32", TYPE_FLOAT}, {"f64", TYPE_DOUBLE}, {"f16", TYPE_HALF},
	              {"bf16", TYPE_BF16}, {"f80", TYPE_F80},    {"f128", TYPE_F128}};
	if (t->kind == TYPE_BUILTIN_INT)
		return t->width == 1 ? ir_type_simple(p->m, TYPE_BOOL)
		                     : ir_type_int(p->m, t->width, true, false);
	for (unsigned i = 0; t->kind == TYPE_BUILTIN_FLOAT && i < ARRAY_LEN(floats); i++)
		if (strcmp(t->name->text, floats[i].name) == 0)
			return ir_type_simple(p->m, floats[i].kind);
	return t;
}

/* Pointers to i8 are of every era: upstream makes them, too. */
IrType *parse_pointers_to_cir_type(Parser *p, IrType *t)
{
	IrType *leaf = t;
	unsigned depth = 0;
	for (; ir_is_ptr(leaf) && !leaf->attr; leaf = leaf->elem)
		depth++;
	IrType *now = parse_cir_type_of(p, leaf);
	if (now == leaf || (depth && leaf->width == 8))
		return t;
	while (depth--)
		now = ir_type_ptr(p->m, now);
	return now;
}

IrType *parse_signature_type(Parser *p, IrType *t)
{
	IrType *now = parse_pointers_to_cir_type(p, t);
	if (now != t)
		parse_in_era_a(p);
	return now;
}

const IrAttr *parse_cir_constant(Parser *p, const IrAttr *a)
{
	if (a->kind == ATTR_FLAG)
		return ir_attr_bool(p->m, a->bits);
	if ((a->kind != ATTR_INT && a->kind != ATTR_FLOAT) || parse_is_cir_type(a->type))
		return a;
	IrAttr now = *a;
	now.type = parse_cir_type_of(p, a->type);
	if (now.type->kind == TYPE_BOOL)
		return ir_attr_bool(p->m, a->bits & 1);
	return ir_attr_intern(p->m, &now);
}

/* (ATTR) : T */
Parsed parse_old_const(Parser *p, Frame *f)
{
	if (p->lx.before_end - f->at == 7) /* `cir.cst` */
		parse_in_era_a(p);
	if (!expect(p, '('))
		return PARSED_NO;
	const IrAttr *a = parse_attr(p);
	bool ok;
	if (!a || !expect(p, ')') || !expect(p, ':'))
		return PARSED_NO;
	const char *where = peek(p).at;
	IrType *type = parse_type(p);
	if (!type)
		return PARSED_NO;
	type = parse_cir_type_of(p, type);
	a = parse_cir_constant(p, a);
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

static bool operand(Parser *p)
{
	OperandRef r;
	if (!parse_operand(p, &r))
		return false;
	push_operand(p, r);
	return true;
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

static bool type_of_operands(Parser *p, const Frame *f)
{
	IrType *t = parse_type(p);
	for (uint32_t i = f->operands; t && i < p->operands.len; i++)
		p->operands.data[i].type = t;
	return t != NULL;
}

/* (add, %a, %b) nsw : T; A: (shl, %a, %b) : T */
Parsed parse_old_binop(Parser *p, Frame *f)
{
	static const OldWord words[] = {{"add", OP_ADD}, {"sub", OP_SUB},   {"mul", OP_MUL},
	                                {"div", OP_DIV}, {"rem", OP_REM},   {"and", OP_AND},
	                                {"or", OP_OR},   {"xor", OP_XOR},   {"max", OP_MAX},
	                                {"min", OP_MIN}, {"shl", OP_SHIFT}, {"shr", OP_SHIFT}};
	bool left;
	if (!expect(p, '('))
		return PARSED_NO;
	left = at_word(p, STR("shl"));
	if (!kind_word(p, f, words, ARRAY_LEN(words)) || !expect(p, ',') || !operand(p) || !expect(p, ',') ||
	    !operand(p) || !expect(p, ')'))
		return PARSED_NO;
	wrap_flags(p);
	if (!expect(p, ':') || !type_of_operands(p, f))
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
	if (!expect(p, '(') || !kind_word(p, f, words, ARRAY_LEN(words)) || !expect(p, ',') || !operand(p) ||
	    !expect(p, ',') || !operand(p) || !expect(p, ')') || !expect(p, ':') || !type_of_operands(p, f) ||
	    !expect(p, ',') || !expect(p, '(') || !(result = parse_type(p)) || !expect(p, ','))
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
	if (!expect(p, '(') || !kind_word(p, f, words, ARRAY_LEN(words)) || !expect(p, ',') || !operand(p) ||
	    !expect(p, ')'))
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
	if (!kind_word(p, f, words, ARRAY_LEN(words)) || !operand(p) || !expect(p, ',') || !operand(p))
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
	if (!operand(p) || !expect(p, ':') || !type_of_operands(p, f))
		return PARSED_NO;
	make_plus(p, f);
	return PARSED_ALL;
}

/* %x poison : T */
static Parsed operand_with_flag(Parser *p, Frame *f, Str word, NameId name)
{
	if (!operand(p) || !expect_word(p, word) || !expect(p, ':') || !type_of_operands(p, f))
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
	if (accept_word(p, STR("init")) || accept_word(p, STR("cinit")) || accept_word(p, STR("paraminit")))
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

/* T, !cir.ptr<T>, %n : I, ["x", init] [annotations] */
Parsed parse_old_alloca(Parser *p, Frame *f)
{
	IrType *type = parse_type(p);
	if (!type || !expect(p, ','))
		return PARSED_NO;
	type = parse_signature_type(p, type);
	const char *where = peek(p).at;
	IrType *result = parse_type(p);
	if (!result || !expect(p, ','))
		return PARSED_NO;
	if (result->kind != TYPE_PTR || result->elem != type) {
		parse_fail(p, where, "expected a pointer to '%s', got '%s'", ir_type_str(p->mem, type),
		           ir_type_str(p->mem, result));
		return PARSED_NO;
	}
	if (at_operand(p) && (!operand(p) || !expect(p, ':') || !type_of_operands(p, f) || !expect(p, ',')))
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
	return PARSED_ALL;
}

/* (%level), of type !cir.ptr<!void> */
Parsed parse_old_frame_address(Parser *p, Frame *f)
{
	(void)f;
	if (!expect(p, '(') || !operand(p) || !expect(p, ')'))
		return PARSED_NO;
	push_result(p, p->m->voidp);
	return PARSED_ALL;
}

/* Exceptions */

/* D: (%t : !cir.eh_token) : !cir.catch_token, without the pointer */
Parsed parse_old_begin_catch(Parser *p, Frame *f)
{
	if (!expect(p, '(') || !operand(p) || !expect(p, ':') || !type_of_operands(p, f) || !expect(p, ')') ||
	    !expect(p, ':'))
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
		bool *flag = accept_word(p, STR("inbounds")) ? &inbounds
		             : accept_word(p, STR("nusw"))   ? &nusw
		             : accept_word(p, STR("nuw"))    ? &nuw
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
	if (!operand(p) || !expect(p, ',') || !operand(p) || !expect(p, ':') || !expect(p, '('))
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
	if (!operand(p) || !parse_operand(p, &count) || !expect(p, ':') || !type_of_operands(p, f) ||
	    !expect(p, ',') || !parse_type(p))
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

/* Integer ops on floats */

static OpKind float_kind(OpKind kind)
{
	switch (kind) {
	case OP_ADD:
	case OP_INC:
	case OP_DEC:
		return OP_FADD;
	case OP_SUB:
		return OP_FSUB;
	case OP_MUL:
		return OP_FMUL;
	case OP_DIV:
		return OP_FDIV;
	case OP_REM:
		return OP_FREM;
	case OP_MINUS:
		return OP_FNEG;
	default:
		return kind;
	}
}

void parse_old_push_const(Parser *p, const Frame *f, IrType *type, const IrAttr *constant)
{
	IrNamedAttr value = {p->known[NAME_value], constant};
	IrOpSpec spec = {.kind = OP_CONST,
	                 .loc = {.pos = parse_loc_at(p, f->at).pos, .info = f->loc},
	                 .result_types = &type,
	                 .nresults = 1,
	                 .attrs = &value,
	                 .nattrs = 1};
	vec_push(p->mem, &p->values, &parse_insert_op(p, &spec)->results[0]);
	push_operand(p, p->operands.data[f->operands]);
}

/* ++ and -- of a float add a constant. */
static void add_one(Parser *p, const Frame *f, IrType *type, bool up)
{
	IrAttr one = {.kind = ATTR_FLOAT,
	              .type = type,
	              .name = ir_name(p->m, up ? STR("1.000000e+00") : STR("-1.000000e+00"))};
	parse_old_push_const(p, f, type, ir_attr_intern(p->m, &one));
}

static void modernise_float(Parser *p, Frame *f)
{
	IrType *type = p->values.len ? p->values.data[0]->type : NULL;
	OpKind kind = float_kind(f->kind);
	if (kind == f->kind || !type || !ir_is_float(ir_scalar(type)))
		return;
	if ((f->kind == OP_INC || f->kind == OP_DEC) && type->kind != TYPE_VECTOR)
		add_one(p, f, type, f->kind == OP_INC);
	else if (f->kind == OP_INC || f->kind == OP_DEC)
		return;
	f->kind = kind;
}

/* Counts of bits, and signs, once had a result of another type: it is converted now. */
static bool had_own_result(OpKind kind)
{
	switch (kind) {
	case OP_CLZ:
	case OP_CTZ:
	case OP_CLRSB:
	case OP_FFS:
	case OP_PARITY:
	case OP_POPCOUNT:
	case OP_SIGNBIT:
	case OP_CMP:
		return true;
	default:
		return false;
	}
}

static void convert_result(Parser *p, Frame *f)
{
	IrType *asked = p->results.len > f->results ? p->results.data[f->results] : NULL;
	bool truth = f->kind == OP_SIGNBIT || f->kind == OP_CMP;
	if (!asked || !ir_is_int(asked) || p->values.len != (f->kind == OP_CMP ? 2 : 1))
		return;
	IrType *given = truth ? ir_type_simple(p->m, TYPE_BOOL) : p->values.data[0]->type;
	if (given == asked)
		return;
	IrOpSpec spec = {.kind = f->kind,
	                 .loc = {.pos = parse_loc_at(p, f->at).pos, .info = f->loc},
	                 .operands = p->values.data,
	                 .noperands = p->values.len,
	                 .result_types = &given,
	                 .nresults = 1,
	                 .attrs = p->attrs.data + f->attrs,
	                 .nattrs = p->attrs.len - f->attrs};
	p->values.data[0] = &parse_insert_op(p, &spec)->results[0];
	p->values.len = 1;
	p->operands.len = f->operands + 1;
	p->attrs.len = f->attrs;
	f->kind = OP_CAST;
	push_enum(p, NAME_kind, ENUM_CAST, truth ? CAST_BOOL_TO_INT : CAST_INTEGRAL);
}

/* Atomics: the scope was not spelled, and the pointee could have another type of the
 * same size than the value. */

static bool has_size(Parser *p, IrType *t)
{
	IrType *bad;
	return ir_check_nesting(p->m, t, &bad) == NESTING_FINE && ir_type_sized(t);
}

static void make_pointee(Parser *p, const Frame *f, IrType *type)
{
	IrValue *pointer = p->values.data[0];
	IrType *pointee = ir_is_ptr(pointer->type) ? pointer->type->elem : type;
	if (pointee == type || !has_size(p, pointee) || !has_size(p, type) ||
	    ir_type_size(pointee) != ir_type_size(type))
		return;
	IrType *to = ir_type_ptr_in(p->m, type, pointer->type->attr);
	IrNamedAttr kind = {p->known[NAME_kind], ir_attr_enum(p->m, ENUM_CAST, CAST_BITCAST)};
	IrOpSpec spec = {.kind = OP_CAST,
	                 .loc = {.pos = parse_loc_at(p, f->at).pos, .info = f->loc},
	                 .operands = p->values.data,
	                 .noperands = 1,
	                 .result_types = &to,
	                 .nresults = 1,
	                 .attrs = &kind,
	                 .nattrs = 1};
	p->values.data[0] = &parse_insert_op(p, &spec)->results[0];
}

static void modernise_atomic(Parser *p, Frame *f)
{
	bool is_old = f->spelling && f->spelling->format != op_info[f->kind].format;
	if (!is_old || f->generic || p->values.len < 2)
		return;
	if (!pushed_attr(p, f, NAME_sync_scope))
		push_enum(p, NAME_sync_scope, ENUM_SYNC_SCOPE, SYNC_SCOPE_SYSTEM);
	make_pointee(p, f, p->values.data[1]->type);
}

/* Before nsw was for signed integers alone and nuw for unsigned ones, both could stand with either. */
static void modernise_wrap_flags(Parser *p, Frame *f)
{
	const IrType *type = p->values.len ? ir_scalar(p->values.data[0]->type) : NULL;
	if (!type || !ir_is_int(type))
		return;
	Name *flag = p->known[type->is_signed ? NAME_nuw : NAME_nsw];
	uint32_t kept = f->attrs;
	for (uint32_t i = f->attrs; i < p->attrs.len; i++)
		if (p->attrs.data[i].name != flag)
			p->attrs.data[kept++] = p->attrs.data[i];
	p->attrs.len = kept;
}

static const IrAttr *part(Parser *p, IrType *type, bool one, bool negative)
{
	if (ir_is_int(type))
		return ir_attr_int(p->m, type, one);
	Str text = one ? STR("1.000000e+00") : negative ? STR("-0.000000e+00") : STR("0.000000e+00");
	return ir_attr_intern(p->m, &(IrAttr){.kind = ATTR_FLOAT, .type = type, .name = ir_name(p->m, text)});
}

/* ++, -- and - of a complex number are with a constant. Its zeros have the sign that keeps -0.0 what it is. */
static void modernise_complex(Parser *p, Frame *f)
{
	IrType *type = p->values.len ? p->values.data[0]->type : NULL;
	if (!type || type->kind != TYPE_COMPLEX)
		return;
	if (f->kind == OP_NOT) { /* as in GNU C */
		f->kind = OP_COMPLEX_CONJ;
		return;
	}
	if (f->kind != OP_INC && f->kind != OP_DEC && f->kind != OP_MINUS)
		return;
	bool minus = f->kind == OP_MINUS, negative = f->kind != OP_DEC;
	const IrAttr *parts[] = {part(p, type->elem, !minus, negative), part(p, type->elem, false, negative)};
	IrAttr constant = {.kind = ATTR_CONST_COMPLEX, .type = type, .elems = parts, .n = 2};
	parse_old_push_const(p, f, type, ir_attr_intern(p->m, &constant));
	if (minus) {
		IrValue *value = p->values.data[0];
		p->values.data[0] = p->values.data[1];
		p->values.data[1] = value;
	}
	f->kind = f->kind == OP_INC ? OP_COMPLEX_ADD : OP_COMPLEX_SUB;
}

/* Before cir.func could name its personality, landing pads meant that of C++. */
static void modernise_personality(Parser *p, Frame *f)
{
	if (f->kind == OP_FUNC && p->unwinds && !pushed_attr(p, f, NAME_personality))
		push_attr(p, p->known[NAME_personality],
		          ir_attr_symbol(p->m, ir_name(p->m, STR("__gxx_personality_v0"))));
	p->unwinds = f->kind == OP_EH_INFLIGHT;
}

/* MLIR keeps the visibility of a symbol as a string, which the generic form and dictionaries show. */
static void modernise_visibility(Parser *p, const Frame *f)
{
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		IrNamedAttr *a = &p->attrs.data[i];
		if (a->name != p->known[NAME_sym_visibility] || a->value->kind != ATTR_STRING)
			continue;
		int word = ir_enum_find(ENUM_SYM_VISIBILITY, name_str(a->value->name));
		if (word > SYM_VISIBILITY_PUBLIC)
			a->value = ir_attr_enum(p->m, ENUM_SYM_VISIBILITY, (unsigned)word);
		else if (word == SYM_VISIBILITY_PUBLIC) /* the default, which is not stored */
			p->attrs.data[i--] = p->attrs.data[--p->attrs.len];
	}
}

bool parse_modernise(Parser *p, Frame *f)
{
	if (f->kind == OP_FUNC || f->kind == OP_GLOBAL)
		modernise_visibility(p, f);
	if (f->kind == OP_EH_INFLIGHT || (f->kind == OP_FUNC && p->unwinds))
		modernise_personality(p, f);
	if (f->kind == OP_CAST && f->spelling && f->spelling->kind == OP_CATCH_PARAM)
		parse_begin_catch_call(p, f);
	modernise_float(p, f);
	modernise_complex(p, f);
	if (f->attrs < p->attrs.len && ir_op_may_wrap(f->kind))
		modernise_wrap_flags(p, f);
	if ((f->kind == OP_VTABLE_ADDRESS_POINT || (f->kind == OP_PTR_STRIDE && p->values.len == 1)) &&
	    !parse_old_address_point(p, f))
		return false;
	if (f->kind == OP_PREFETCH && !pushed_attr(p, f, NAME_access))
		push_enum(p, NAME_access, ENUM_PREFETCH, PREFETCH_READ);
	if (f->kind == OP_CONSTRUCT_CATCH_PARAM || f->kind == OP_INIT_CATCH_PARAM)
		parse_modernise_reference(p, f);
	if (had_own_result(f->kind))
		convert_result(p, f);
	if (f->kind >= OP_ATOMIC_FETCH && f->kind <= OP_ATOMIC_CMPXCHG)
		modernise_atomic(p, f);
	for (uint32_t i = f->attrs; f->kind == OP_CONST && i < p->attrs.len; i++)
		if (p->attrs.data[i].name == p->known[NAME_value])
			p->attrs.data[i].value = parse_cir_constant(p, p->attrs.data[i].value);
	return f->kind != OP_THROW && f->kind != OP_TRY_THROW ? true : parse_thrown_symbols(p, f);
}

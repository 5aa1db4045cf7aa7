/* What older files mean by ops that are spelled as today: the op that is being made, and its operands, become those
 * of the newest text. */
#include "ir/layout.h"
#include "text/old/old.h"

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

/* A new constant before the op that is being read is its last operand. */
static void push_const(Parser *p, const Frame *f, IrType *type, const IrAttr *constant)
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
	push_const(p, f, type, ir_attr_intern(p->m, &one));
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
	parse_older(p, f->at, "an integer operation on floating point");
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
	parse_older(p, f->at, "a result type that differs from the operand's");
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
		else
			parse_older(p, f->at, "'nsw' of unsigned integers, or 'nuw' of signed ones");
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
	if (f->kind == OP_NOT || f->kind == OP_INC || f->kind == OP_DEC || f->kind == OP_MINUS)
		parse_older(p, f->at, "an operation of integers on complex numbers");
	if (f->kind == OP_NOT) { /* as in GNU C */
		f->kind = OP_COMPLEX_CONJ;
		return;
	}
	if (f->kind != OP_INC && f->kind != OP_DEC && f->kind != OP_MINUS)
		return;
	bool minus = f->kind == OP_MINUS, negative = f->kind != OP_DEC;
	const IrAttr *parts[] = {part(p, type->elem, !minus, negative), part(p, type->elem, false, negative)};
	IrAttr constant = {.kind = ATTR_CONST_COMPLEX, .type = type, .elems = parts, .n = 2};
	push_const(p, f, type, ir_attr_intern(p->m, &constant));
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
	if (f->kind == OP_FUNC && p->unwinds && !pushed_attr(p, f, NAME_personality)) {
		parse_older(p, f->at, "a function with landing pads without its personality");
		push_attr(p, p->known[NAME_personality],
		          ir_attr_symbol(p->m, ir_name(p->m, STR("__gxx_personality_v0"))));
	}
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

/* Address points of virtual tables, as the incubator wrote them: two keys for the place, of a global or of an address.
 *
 * 	%a = cir.vtable.address_point(@_ZTV1B, vtable_index = 0, address_point_index = 2) : P
 * 	%b = cir.vtable.address_point( %vptr : P, vtable_index = 0, address_point_index = -2) : P
 *
 * The latter is a step from the address: cir.ptr_stride now. */

static bool step_from_address(Parser *p, const Frame *f, const IrAttr *group, const IrAttr *slot)
{
	uint64_t index;
	if (!ir_attr_get_u64(group, &index) || index)
		return parse_fail(p, f->at, "expected vtable_index = 0, since the table is not named");
	IrType *type = ir_type_int(p->m, 64, true, false);
	push_const(p, f, type, ir_attr_int(p->m, type, slot->bits));
	return true;
}

static bool modernise_address_point(Parser *p, Frame *f)
{
	const IrAttr *group = pushed_attr(p, f, NAME_index), *slot = pushed_attr(p, f, NAME_offset);
	if (f->generic || !group || !slot)
		return true;
	p->attrs.len -= 2; /* they were pushed last */
	if (f->kind == OP_PTR_STRIDE)
		return step_from_address(p, f, group, slot);
	const IrAttr *elems[] = {[ADDRESS_POINT_INDEX] = group, [ADDRESS_POINT_OFFSET] = slot};
	IrAttr point = {
	    .kind = ATTR_PARAMS, .row = ATTR_ROW_ADDRESS_POINT, .elems = elems, .n = ARRAY_LEN(elems)};
	push_attr(p, p->known[NAME_address_point], ir_attr_intern(p->m, &point));
	return true;
}

bool parse_modernise(Parser *p, Frame *f)
{
	if (op_info[f->kind].flags & OPF_SYMBOL)
		modernise_visibility(p, f);
	if (f->kind == OP_EH_INFLIGHT || (f->kind == OP_FUNC && p->unwinds))
		modernise_personality(p, f);
	if (op_info[f->kind].flags & OPF_SYMBOL)
		return true;
	if (f->kind == OP_CAST && f->spelling && f->spelling->kind == OP_CATCH_PARAM)
		parse_begin_catch_call(p, f);
	modernise_float(p, f);
	modernise_complex(p, f);
	if (f->attrs < p->attrs.len && ir_op_may_wrap(f->kind))
		modernise_wrap_flags(p, f);
	if ((f->kind == OP_VTABLE_ADDRESS_POINT || (f->kind == OP_PTR_STRIDE && p->values.len == 1)) &&
	    !modernise_address_point(p, f))
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
			p->attrs.data[i].value = parse_cir_constant(p, f->at, p->attrs.data[i].value);
	return f->kind != OP_THROW && f->kind != OP_TRY_THROW ? true : parse_thrown_symbols(p, f);
}

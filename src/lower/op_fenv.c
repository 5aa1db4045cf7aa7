/* Floating point with an environment (cir-reference 3.2, `fenv`): LLVM's constrained intrinsics.
 *
 *	%r = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b,
 *	                                        metadata !"round.dynamic", metadata !"fpexcept.strict")
 *
 * LLVM wants `strictfp` on every function that holds one: it is added where the front end has not said it.
 * It has no code for most of them on half and bfloat: those are computed in float.
 */
#include "lower/lowerer.h"

typedef struct ConstrainedOp {
	const char *name;
	bool rounds;
} ConstrainedOp;

static const ConstrainedOp constrained_ops[OP_COUNT] = {
#define CONSTRAINED(op, name, rounds) [OP_##op] = {name, rounds},
#include "lower/fenv.def"
};

enum { ARGS_MAX = 6 };

/* A call being made: operands first, then what is said in metadata. */
typedef struct Call {
	const IrAttr *fenv;
	LLVMValueRef args[ARGS_MAX];
	unsigned nargs;
	LLVMTypeRef overloads[OVERLOADS_MAX];
	unsigned noverloads;
} Call;

static void add_text(Lower *e, Call *c, const char *text)
{
	LLVMMetadataRef md = LLVMMDStringInContext2(e->context, text, strlen(text));
	CHECK(c->nargs < ARGS_MAX);
	c->args[c->nargs++] = LLVMMetadataAsValue(e->context, md);
}

static const char *rounding(const IrAttr *fenv)
{
	static const struct {
		const char *word, *text;
	} modes[] = {
	    {"tonearest", "round.tonearest"},   {"tonearestaway", "round.tonearestaway"},
	    {"downward", "round.downward"},     {"upward", "round.upward"},
	    {"upwardzero", "round.towardzero"}, {"towardzero", "round.towardzero"},
	};
	const IrAttr *mode = fenv->elems[FENV_ROUNDING];
	if (!mode)
		return "round.tonearest";
	for (unsigned i = 0; i < ARRAY_LEN(modes); i++)
		if (strcmp(mode->name->text, modes[i].word) == 0)
			return modes[i].text;
	return "round.dynamic"; /* unknown */
}

/* Exceptions that are masked are of no interest; others may trap, or are watched. */
static const char *exceptions(const IrAttr *fenv)
{
	const IrAttr *strict = fenv->elems[FENV_STRICT], *mode = fenv->elems[FENV_EXCEPT];
	if (strict && strict->bits)
		return "fpexcept.strict";
	return !mode || strcmp(mode->name->text, "masked") == 0 ? "fpexcept.ignore" : "fpexcept.maytrap";
}

static LLVMValueRef finish(Lower *e, Call *c, const char *name, bool rounds)
{
	if (rounds)
		add_text(e, c, rounding(c->fenv));
	add_text(e, c, exceptions(c->fenv));
	const char *full = arena_printf(e->scratch, "llvm.experimental.constrained.%s", name);
	unsigned id = LLVMLookupIntrinsicID(full, strlen(full));
	if (!id) {
		lower_error(e, "requires '%s', which LLVM %u does not have", full, e->llvm_major);
		return NULL;
	}
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, c->overloads, c->noverloads);
	lower_mark_strictfp(e);
	return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(f), f, c->args, c->nargs, "");
}

/* float, in as many lanes, for what is computed in it; NULL: t is computed as it is. */
static LLVMTypeRef wide_type(const Lower *e, const IrType *t)
{
	TypeKind kind = ir_scalar(t)->kind;
	if (kind != TYPE_HALF && kind != TYPE_BF16)
		return NULL;
	LLVMTypeRef type = LLVMFloatTypeInContext(e->context);
	return t->kind == TYPE_VECTOR ? LLVMVectorType(type, (unsigned)t->count) : type;
}

static Call begin(Lower *e, const IrOp *op)
{
	Call c = {.fenv = ir_op_attr(op, NAME_fenv)};
	for (; c.nargs < op->noperands; c.nargs++) {
		LLVMTypeRef wide = wide_type(e, ir_operand(op, c.nargs)->type);
		LLVMValueRef v = lower_operand(e, op, c.nargs);
		c.args[c.nargs] = wide ? LLVMBuildFPExt(e->b, v, wide, "") : v;
	}
	return c;
}

/* The real or the imaginary parts of complex operands. */
static Call begin_parts(Lower *e, const IrOp *op, const IrType *t, LLVMTypeRef wide, unsigned part)
{
	Call c = {.fenv = ir_op_attr(op, NAME_fenv)};
	for (; c.nargs < op->noperands; c.nargs++) {
		LLVMValueRef v = lower_complex_parts(e, lower_operand(e, op, c.nargs), t, part);
		c.args[c.nargs] = wide ? LLVMBuildFPExt(e->b, v, wide, "") : v;
	}
	return c;
}

static void set_result(Lower *e, const IrOp *op, LLVMValueRef v)
{
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	if (v && type)
		lower_result(e, op, LLVMTypeOf(v) == type ? v : LLVMBuildFPTrunc(e->b, v, type, ""));
}

static void lower_row(Lower *e, const IrOp *op, const ConstrainedOp *row)
{
	if (!lower_has_function(e, op))
		return;
	Call c = begin(e, op);
	LLVMTypeRef type = lower_type(e, op->results[0].type), from = LLVMTypeOf(c.args[0]);
	bool to_int = ir_is_int(op->results[0].type);
	if (!type)
		return;
	c.overloads[c.noverloads++] = to_int ? type : from;
	if (to_int)
		c.overloads[c.noverloads++] = from;
	set_result(e, op, finish(e, &c, row->name, row->rounds));
}

/* Comparisons: those that order signal on every NaN, as C has it, unless the op says. */
static LLVMValueRef compare(Lower *e, Call *c, unsigned kind, const IrAttr *signaling)
{
	static const struct {
		const char *predicate;
		bool signals;
	} kinds[] = {
	    [CMP_LT] = {"olt", true},   [CMP_LE] = {"ole", true},   [CMP_GT] = {"ogt", true},
	    [CMP_GE] = {"oge", true},   [CMP_EQ] = {"oeq", false},  [CMP_NE] = {"une", false},
	    [CMP_ONE] = {"one", false}, [CMP_UNO] = {"uno", false},
	};
	c->overloads[0] = LLVMTypeOf(c->args[0]);
	c->noverloads = 1;
	add_text(e, c, kinds[kind].predicate);
	bool signals = signaling ? signaling->bits : kinds[kind].signals;
	return finish(e, c, signals ? "fcmps" : "fcmp", false);
}

static void lower_constrained_compare(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_type(e, op->results[0].type); /* of vectors: integers, all ones for true */
	Call c = begin(e, op);
	LLVMValueRef v = compare(e, &c, ir_op_enum(op, NAME_kind, CMP_EQ), ir_op_attr(op, NAME_signaling));
	if (v && type)
		lower_result(e, op, LLVMTypeOf(v) == type ? v : LLVMBuildSExt(e->b, v, type, ""));
}

/* Complex numbers: equal in both parts. */
static void lower_constrained_equality(Lower *e, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type;
	LLVMTypeRef wide = wide_type(e, t->elem);
	unsigned kind = ir_op_enum(op, NAME_kind, CMP_EQ);
	LLVMValueRef parts[2];
	for (unsigned i = 0; i < ARRAY_LEN(parts); i++) {
		Call c = begin_parts(e, op, t, wide, i);
		parts[i] = compare(e, &c, kind, ir_op_attr(op, NAME_signaling));
		if (!parts[i])
			return;
	}
	lower_result(e, op,
	             kind == CMP_EQ ? LLVMBuildAnd(e->b, parts[0], parts[1], "")
	                            : LLVMBuildOr(e->b, parts[0], parts[1], ""));
}

/* Casts */

static LLVMValueRef convert(Lower *e, Call *c, LLVMTypeRef to, const char *name, bool rounds)
{
	c->overloads[0] = to;
	c->overloads[1] = LLVMTypeOf(c->args[0]);
	c->noverloads = 2;
	return finish(e, c, name, rounds);
}

/* To type, which is float where the op's own result is smaller. NULL: nothing is left to
 * be done, or it is reported. */
static LLVMValueRef cast(Lower *e, Call *c, unsigned kind, const IrType *from, const IrType *to,
                         LLVMTypeRef type)
{
	LLVMTypeRef have = LLVMTypeOf(c->args[0]);
	switch (kind) {
	case CAST_FLOATING:
		if (have == type || ir_float_width(from) == ir_float_width(to))
			return LLVMBuildFPCast(e->b, c->args[0], type, "");
		return ir_float_width(from) < ir_float_width(to) ? convert(e, c, type, "fpext", false)
		                                                 : convert(e, c, type, "fptrunc", true);
	case CAST_FLOAT_TO_INT:
		return convert(e, c, type, to->is_signed ? "fptosi" : "fptoui", false);
	case CAST_INT_TO_FLOAT:
		return convert(e, c, type, from->is_signed ? "sitofp" : "uitofp", true);
	case CAST_BOOL_TO_FLOAT:
		return convert(e, c, type, "uitofp", true);
	default:
		CHECK(kind == CAST_FLOAT_TO_BOOL);
		c->args[c->nargs++] = LLVMConstNull(have);
		return compare(e, c, CMP_NE, NULL);
	}
}

static bool is_float_cast(unsigned kind)
{
	return kind == CAST_FLOATING || kind == CAST_FLOAT_TO_INT || kind == CAST_INT_TO_FLOAT ||
	       kind == CAST_BOOL_TO_FLOAT || kind == CAST_FLOAT_TO_BOOL;
}

/* LLVM ends the process in the code generator: there is no function of the library for a
 * conversion of more bits. */
static bool has_conversion(Lower *e, const IrType *t)
{
	if (!ir_is_int(t) || t->width <= 128)
		return true;
	lower_error(e, "with an environment converts integers of at most 128 bits; found '%s'",
	            lower_spell(e, t));
	return false;
}

static bool lower_constrained_cast(Lower *e, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, 0);
	IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	if (!is_float_cast(kind))
		return false;
	if (!has_conversion(e, ir_scalar(from)) || !has_conversion(e, ir_scalar(to)))
		return true;
	Call c = begin(e, op);
	/* What is wider than float is rounded once. */
	bool at_once = kind == CAST_FLOATING && ir_float_width(ir_scalar(from)) > 32;
	LLVMTypeRef wide = at_once ? NULL : wide_type(e, to), type = wide ? wide : lower_type(e, to);
	if (type)
		set_result(e, op, cast(e, &c, kind, ir_scalar(from), ir_scalar(to), type));
	return true;
}

/* Complex sums: of each part its own. src/call has expanded products and quotients. */
static void lower_constrained_complex(Lower *e, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	LLVMTypeRef wide = wide_type(e, t->elem), type = lower_type(e, t->elem);
	LLVMValueRef parts[2];
	if (!type)
		return;
	for (unsigned i = 0; i < ARRAY_LEN(parts); i++) {
		Call c = begin_parts(e, op, t, wide, i);
		c.overloads[c.noverloads++] = LLVMTypeOf(c.args[0]);
		LLVMValueRef v = finish(e, &c, op->kind == OP_COMPLEX_ADD ? "fadd" : "fsub", true);
		if (!v)
			return;
		parts[i] = wide ? LLVMBuildFPTrunc(e->b, v, type, "") : v;
	}
	lower_result(e, op, lower_make_complex(e, parts[0], parts[1], op->results[0].type));
}

/* Where nothing else can be asked of the machine the operation is a plain one. */
static bool is_plain(Lower *e, const IrOp *op, bool *refused)
{
	if (!e->target->machine->rounds_to_nearest)
		return false;
	const char *mode = rounding(ir_op_attr(op, NAME_fenv));
	*refused = strcmp(mode, "round.tonearest") != 0 && strcmp(mode, "round.dynamic") != 0;
	if (*refused)
		lower_error(e, "rounds otherwise than to the nearest, as target '%s' cannot",
		            e->target->name);
	return true;
}

bool lower_constrained(Lower *e, const IrOp *op)
{
	bool refused;
	if (is_plain(e, op, &refused))
		return refused;
	const ConstrainedOp *row = &constrained_ops[lower_rounding(e, op)];
	if (row->name)
		lower_row(e, op, row);
	else if ((op->kind == OP_CMP || op->kind == OP_VEC_CMP) &&
	         ir_is_float(ir_scalar(ir_operand(op, 0)->type)))
		lower_constrained_compare(e, op);
	else if (op->kind == OP_CMP && ir_operand(op, 0)->type->kind == TYPE_COMPLEX &&
	         ir_is_float(ir_operand(op, 0)->type->elem))
		lower_constrained_equality(e, op);
	else if ((op->kind == OP_COMPLEX_ADD || op->kind == OP_COMPLEX_SUB) &&
	         ir_is_float(op->results[0].type->elem))
		lower_constrained_complex(e, op);
	else if (op->kind == OP_CAST)
		return lower_constrained_cast(e, op);
	else
		return false;
	return true;
}

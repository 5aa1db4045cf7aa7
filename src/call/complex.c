/* With x = a + bi and y = c + di:
 *
 * 	x * y  = (ac - bd) + (ad + bc)i
 * 	x / y  = ((ac + bd) + (bc - ad)i) / (cc + dd)          range(basic), and integers
 *
 * A product of range(full) that is NaN in both parts may come from infinities: then the
 * run-time library looks again.
 *
 * 	  z = (…, …)
 * 	  if (isnan(z.real) && isnan(z.imag)) ^again else ^rest(z)
 * 	^again:
 * 	  w = __muldc3(a, b, c, d)
 * 	  br ^rest(w)
 *
 * A quotient of range(full) is the library's. range(improved) is Smith's algorithm (CACM 5, 1962): dividing
 * by the larger of c and d first, so that nothing overflows on the way. range(promoted) divides in the next
 * format that holds every product; where there is none, as Smith.
 */
#include "call/complex.h"

#include "base/vec.h"
#include "ir/build.h"
#include "ir/function_entry.h"
#include "ir/spell.h"

typedef struct Expansion {
	IrModule *m;
	const IrAttr *fenv; /* the op's floating point environment, or NULL */
	const AbiTarget *target;
	Diags *d;
	IrOp *op;
	IrBuilder b;
	IrType *part;             /* of the result */
	IrValue *a, *bi, *c, *di; /* of the operands */
	bool is_float;
} Expansion;

/* Small builders */

static IrValue *binary(IrBuilder *b, OpKind kind, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {x, y};
	return &ir_build(b, kind, x->type, operands, 2)->results[0];
}

static IrValue *part_of(IrBuilder *b, IrValue *z, OpKind kind)
{
	return &ir_build(b, kind, z->type->elem, &z, 1)->results[0];
}

static IrValue *choose(IrBuilder *b, IrValue *cond, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {cond, x, y};
	return &ir_build(b, OP_SELECT, x->type, operands, 3)->results[0];
}

/* What rounds or raises does so in the op's environment. */
static IrValue *in_environment(Expansion *x, IrValue *v)
{
	if (x->fenv)
		ir_op_set_attr(x->m, v->def.op, ir_known_name(x->m, NAME_fenv), x->fenv);
	return v;
}

static IrValue *add(Expansion *x, IrValue *l, IrValue *r)
{
	return in_environment(x, binary(&x->b, x->is_float ? OP_FADD : OP_ADD, l, r));
}

static IrValue *sub(Expansion *x, IrValue *l, IrValue *r)
{
	return in_environment(x, binary(&x->b, x->is_float ? OP_FSUB : OP_SUB, l, r));
}

static IrValue *mul(Expansion *x, IrValue *l, IrValue *r)
{
	return in_environment(x, binary(&x->b, x->is_float ? OP_FMUL : OP_MUL, l, r));
}

static IrValue *divide(Expansion *x, IrValue *l, IrValue *r)
{
	return in_environment(x, binary(&x->b, x->is_float ? OP_FDIV : OP_DIV, l, r));
}

static IrValue *create(Expansion *x, IrValue *re, IrValue *im)
{
	IrValue *parts[] = {re, im};
	IrType *t = x->op->results[0].type;
	return &ir_build(&x->b, OP_COMPLEX_CREATE, t, parts, 2)->results[0];
}

static IrValue *convert(Expansion *x, IrValue *v, IrType *to)
{
	return v->type == to ? v : in_environment(x, ir_build_cast(&x->b, CAST_FLOATING, v, to));
}

static IrValue *create_converted(Expansion *x, IrValue *re, IrValue *im)
{
	re = convert(x, re, x->part);
	im = convert(x, im, x->part);
	return create(x, re, im);
}

/* Formulas. Ops are made one a statement: C leaves open which argument of a call is evaluated first. */

static IrValue *product(Expansion *x)
{
	IrValue *ac = mul(x, x->a, x->c), *bd = mul(x, x->bi, x->di), *re = sub(x, ac, bd);
	IrValue *ad = mul(x, x->a, x->di), *bc = mul(x, x->bi, x->c), *im = add(x, ad, bc);
	return create(x, re, im);
}

/* The parts of the quotient, in the type of the parts at hand. */
static void quotient_parts(Expansion *x, IrValue **re, IrValue **im)
{
	IrValue *cc = mul(x, x->c, x->c), *dd = mul(x, x->di, x->di), *below = add(x, cc, dd);
	IrValue *ac = mul(x, x->a, x->c), *bd = mul(x, x->bi, x->di);
	*re = divide(x, add(x, ac, bd), below);
	IrValue *bc = mul(x, x->bi, x->c), *ad = mul(x, x->a, x->di);
	*im = divide(x, sub(x, bc, ad), below);
}

static IrValue *quotient(Expansion *x)
{
	IrValue *re, *im;
	quotient_parts(x, &re, &im);
	return create_converted(x, re, im);
}

static IrValue *absolute(Expansion *x, IrValue *v)
{
	return &ir_build(&x->b, OP_FABS, v->type, &v, 1)->results[0];
}

/* p is the larger of c and d, q the other one, r = q / p: all is divided by p + q r. The imaginary part is not
 * negated behind its division: that of equal numbers is 0, not -0. */
static IrValue *smith(Expansion *x)
{
	IrBuilder *b = &x->b;
	IrValue *c = absolute(x, x->c), *d = absolute(x, x->di);
	IrValue *swap = in_environment(x, ir_build_cmp(b, CMP_LT, c, d));
	IrValue *p = choose(b, swap, x->di, x->c), *q = choose(b, swap, x->c, x->di);
	IrValue *u = choose(b, swap, x->bi, x->a), *w = choose(b, swap, x->a, x->bi);
	IrValue *r = divide(x, q, p), *below = add(x, p, mul(x, q, r));
	IrValue *re = divide(x, add(x, u, mul(x, w, r)), below);
	IrValue *ur = mul(x, u, r), *from = choose(b, swap, ur, w), *what = choose(b, swap, w, ur);
	return create(x, re, divide(x, sub(x, from, what), below));
}

/* The format that products of x->part fit into, or NULL. */
static IrType *wider(const Expansion *x)
{
	switch (x->part->kind == TYPE_LONG_DOUBLE ? x->part->elem->kind : x->part->kind) {
	case TYPE_HALF:
		return ir_type_simple(x->m, TYPE_FLOAT);
	case TYPE_BF16: /* has the exponents of float */
	case TYPE_FLOAT:
		return ir_type_simple(x->m, TYPE_DOUBLE);
	case TYPE_DOUBLE: /* long double, if that is wider */
		return x->target->long_double_is_double
		           ? NULL
		           : ir_type_simple(x->m, x->target->machine->has_f80 ? TYPE_F80 : TYPE_F128);
	default:
		return NULL;
	}
}

static void convert_parts(Expansion *x, IrType *to)
{
	x->a = convert(x, x->a, to);
	x->bi = convert(x, x->bi, to);
	x->c = convert(x, x->c, to);
	x->di = convert(x, x->di, to);
}

static IrValue *promoted(Expansion *x)
{
	IrType *wide = wider(x);
	if (!wide)
		return smith(x);
	convert_parts(x, wide);
	return quotient(x);
}

/* The run-time library: compiler-rt or libgcc */

/* The halves have no functions of their own: those of float serve. */
static IrType *library_type(const Expansion *x)
{
	bool half = x->part->kind == TYPE_HALF || x->part->kind == TYPE_BF16;
	return half ? ir_type_simple(x->m, TYPE_FLOAT) : x->part;
}

static const char *library_name(const IrType *part, bool multiplies)
{
	switch (part->kind == TYPE_LONG_DOUBLE ? part->elem->kind : part->kind) {
	case TYPE_FLOAT:
		return multiplies ? "__mulsc3" : "__divsc3";
	case TYPE_DOUBLE:
		return multiplies ? "__muldc3" : "__divdc3";
	case TYPE_F80:
		return multiplies ? "__mulxc3" : "__divxc3";
	default:
		CHECK(part->kind == TYPE_F128 || part->kind == TYPE_LONG_DOUBLE);
		return multiplies ? "__multc3" : "__divtc3";
	}
}

/* C's long double is double on windows-msvc: no library there has functions of wider formats. */
static bool has_library(const Expansion *x, const IrType *part, const char *name)
{
	bool is_f80 =
	    part->kind == TYPE_F80 || (part->kind == TYPE_LONG_DOUBLE && part->elem->kind == TYPE_F80);
	if (is_f80 && !x->target->machine->has_f80) {
		diag_error(x->d, x->op->loc, "'%s' op: target '%s' has no '!cir.f80'",
		           op_info[x->op->kind].name, x->target->name);
		return false;
	}
	if (x->target->runtime != RUNTIME_MICROSOFT || ir_float_width(part) <= 64 ||
	    ir_symbol(ir_name(x->m, str_of(name))))
		return true;
	diag_error(x->d, x->op->loc,
	           "'%s' op on '%s' with range(full) calls '%s', which no library of windows-msvc has; use "
	           "range(improved), or define the function",
	           op_info[x->op->kind].name, ir_type_str(&x->m->scratch, x->op->results[0].type), name);
	return false;
}

static bool call_library(Expansion *x, IrValue **z)
{
	IrType *part = library_type(x), *complex = ir_type_complex(x->m, part);
	IrType *params[] = {part, part, part, part};
	IrType *type = ir_type_func(x->m, params, 4, complex, false);
	const char *name = library_name(part, x->op->kind == OP_COMPLEX_MUL);
	const IrOp *have = ir_symbol(ir_name(x->m, str_of(name)));
	if (!has_library(x, part, name))
		return false;
	if (have && (have->kind != OP_FUNC || ir_func_type(have) != type)) {
		diag_error(x->d, x->op->loc, "'%s' op calls '%s', which must have the type '%s'",
		           op_info[x->op->kind].name, name, ir_type_str(&x->m->scratch, type));
		diag_note(x->d, have->loc, "the module has another symbol of that name here");
		return false;
	}
	ir_func_declare(x->m, str_of(name), type);
	convert_parts(x, part);
	IrValue *args[] = {x->a, x->bi, x->c, x->di};
	IrOp *call = ir_build_call(&x->b, ir_name(x->m, str_of(name)), complex, args, 4);
	ir_set_flag(x->m, call, NAME_nothrow);
	*z = &call->results[0];
	if (part != x->part) {
		IrValue *re = part_of(&x->b, *z, OP_COMPLEX_REAL), *im = part_of(&x->b, *z, OP_COMPLEX_IMAG);
		*z = create_converted(x, re, im);
	}
	return true;
}

static IrValue *is_nan(Expansion *x, IrValue *v)
{
	return in_environment(x, ir_build_cmp(&x->b, CMP_UNO, v, v));
}

static bool full_product(Expansion *x, IrValue **z)
{
	IrValue *fast = product(x);
	abi_entry_keep_variables(x->op);
	IrBlock *head = x->op->block, *rest = ir_block_split(x->m, head, x->op, x->op->loc);
	IrBlock *again = ir_block_create(x->m, x->op->loc);
	ir_block_insert_after(head, again);
	*z = ir_block_add_arg(x->m, rest, fast->type);
	IrBuilder *b = &x->b;
	*b = ir_at_end(x->m, head, x->op->loc);
	IrValue *re = is_nan(x, part_of(b, fast, OP_COMPLEX_REAL));
	IrValue *im = is_nan(x, part_of(b, fast, OP_COMPLEX_IMAG));
	ir_build_brcond(b, binary(b, OP_AND, re, im), (IrSuccSpec){again, NULL, 0},
	                (IrSuccSpec){rest, &fast, 1});
	x->b = ir_at_end(x->m, again, x->op->loc);
	IrValue *slow;
	if (!call_library(x, &slow))
		return false;
	ir_build_br(&x->b, rest, &slow, 1);
	return true;
}

/* One op */

static bool result_of(Expansion *x, IrValue **z)
{
	unsigned range = ir_op_enum(x->op, NAME_range, COMPLEX_RANGE_FULL);
	bool multiplies = x->op->kind == OP_COMPLEX_MUL;
	if (x->is_float && range == COMPLEX_RANGE_FULL)
		return multiplies ? full_product(x, z) : call_library(x, z);
	if (multiplies)
		*z = product(x);
	else if (x->is_float && range == COMPLEX_RANGE_IMPROVED)
		*z = smith(x);
	else if (x->is_float && range == COMPLEX_RANGE_PROMOTED)
		*z = promoted(x);
	else
		*z = quotient(x);
	return true;
}

static bool expand(IrModule *m, const AbiTarget *target, Diags *d, IrOp *op)
{
	Expansion x = {.m = m, .target = target, .d = d, .op = op, .b = ir_before(m, op)};
	IrValue *l = ir_operand(op, 0), *r = ir_operand(op, 1), *z;
	x.part = op->results[0].type->elem;
	x.is_float = ir_is_float(x.part);
	x.fenv = x.is_float ? ir_op_attr(op, NAME_fenv) : NULL;
	x.a = part_of(&x.b, l, OP_COMPLEX_REAL);
	x.bi = part_of(&x.b, l, OP_COMPLEX_IMAG);
	x.c = part_of(&x.b, r, OP_COMPLEX_REAL);
	x.di = part_of(&x.b, r, OP_COMPLEX_IMAG);
	if (!result_of(&x, &z))
		return false;
	ir_value_replace(&op->results[0], z);
	ir_op_erase(op);
	return true;
}

bool abi_expand_complex(IrModule *m, const AbiTarget *target, Diags *d)
{
	if (!m->made[OP_COMPLEX_MUL] && !m->made[OP_COMPLEX_DIV])
		return true;
	VEC(IrOp *) found = {0};
	ArenaMark mark = arena_mark(&m->scratch);
	IR_FOR_OPS (func, ir_module_block(m)) {
		if (func->kind != OP_FUNC)
			continue;
		IR_FOR_BLOCKS (block, &func->regions[0])
			IR_FOR_OPS (op, block)
				if (op->kind == OP_COMPLEX_MUL || op->kind == OP_COMPLEX_DIV)
					vec_push(&m->scratch, &found, op);
	}
	bool ok = true;
	for (uint32_t i = 0; i < found.len && ok; i++)
		ok = expand(m, target, d, found.data[i]);
	arena_release(&m->scratch, mark);
	return ok;
}

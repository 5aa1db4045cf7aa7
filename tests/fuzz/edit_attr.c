/* edit_attr.c: attributes and types changed, of one op or wherever they stand. */
#include "edit.h"

#include "base/vec.h"
#include "ir/build.h"

static bool has_attributes(const IrOp *op)
{
	return op->nattrs > 0;
}

static uint64_t change_number(Edit *e, uint64_t v)
{
	static const uint64_t values[] = {0,  1,  2,  3,   4,    7,          8,         16,
	                                  31, 32, 64, 255, 4096, UINT32_MAX, UINT64_MAX};
	switch (pick_below(e, 4)) {
	case 0:
		return v + 1;
	case 1:
		return v - 1;
	case 2:
		return v << pick_below(e, 64);
	default:
		return values[pick_below(e, ARRAY_LEN(values))];
	}
}

static uint32_t count_words(EnumClass c)
{
	uint32_t n = 0;
	while (ir_enum_info[c].words[n])
		n++;
	return n;
}

static const IrAttr *change(Edit *e, const IrAttr *a);

/* One element left out, doubled, or changed. */
static const IrAttr *change_elements(Edit *e, const IrAttr *a)
{
	const IrAttr **elems = arena_array(e->arena, const IrAttr *, a->n + 1);
	uint32_t at = pick_below(e, a->n), n = 0, how = pick_below(e, 4), other = pick_below(e, a->n);
	for (uint32_t i = 0; i < a->n; i++) {
		if (how == 0 && i == at)
			continue;
		elems[n++] = a->elems[i];
		if (how == 1 && i == at)
			elems[n++] = a->elems[i];
	}
	if (how == 2 && a->elems[at])
		elems[at] = change(e, a->elems[at]);
	if (how == 3) {
		elems[at] = a->elems[other];
		elems[other] = a->elems[at];
	}
	IrAttr copy = *a;
	copy.elems = elems;
	copy.n = n;
	return ir_attr_intern(e->m, &copy);
}

static const IrAttr *change_words(Edit *e, const IrAttr *a)
{
	IrAttr copy = *a;
	Name *symbol = pick_symbol(e);
	if (symbol)
		copy.name = symbol;
	return ir_attr_intern(e->m, &copy);
}

static const IrAttr *change_float(Edit *e, const IrAttr *a)
{
	static const char *const values[] = {"0.000000e+00",  "-0.000000e+00", "1.500000e+00",
	                                     "1.000000e-320", "1.000000e+300", "3.000000e+05"};
	IrAttr copy = *a;
	copy.name = ir_name(e->m, str_of(values[pick_below(e, ARRAY_LEN(values))]));
	return ir_attr_intern(e->m, &copy);
}

static const IrAttr *with_type(Edit *e, const IrAttr *a)
{
	IrAttr copy = *a;
	copy.type = pick_type(e);
	copy.words = NULL; /* as many as the former type has */
	return ir_attr_intern(e->m, &copy);
}

/* Another attribute of the same kind; NULL: it has none. */
static const IrAttr *change(Edit *e, const IrAttr *a)
{
	bool typed = a->type && a->kind != ATTR_TYPE;
	if (typed && pick_one_in(e, 6))
		return with_type(e, a);
	switch (a->kind) {
	case ATTR_FLAG:
		return ir_attr_flag(e->m, !a->bits);
	case ATTR_BOOL:
		return ir_attr_bool(e->m, !a->bits);
	case ATTR_INT:
		return a->words ? a : ir_attr_int(e->m, a->type, change_number(e, a->bits));
	case ATTR_FLOAT:
		return change_float(e, a);
	case ATTR_TYPE:
		return ir_attr_type(e->m, pick_type(e));
	case ATTR_ENUM:
		return ir_attr_enum(e->m, a->enum_class, pick_below(e, count_words(a->enum_class)));
	case ATTR_SYMBOL:
	case ATTR_GLOBAL_VIEW:
	case ATTR_GLOBAL_OFFSET:
		return a->n ? a : change_words(e, a);
	case ATTR_ARRAY:
	case ATTR_CONST_ARRAY:
	case ATTR_CONST_RECORD:
	case ATTR_CONST_VECTOR:
	case ATTR_VTABLE:
	case ATTR_TYPEINFO:
	case ATTR_DATA_MEMBER:
		return a->n ? change_elements(e, a) : a;
	default:
		return a;
	}
}

/* The definition keeps its name: the symbol table must stay right. */
static bool is_name(const IrOp *op, const Name *attr)
{
	return (op_info[op->kind].flags & OPF_SYMBOL) && attr->id == NAME_sym_name;
}

bool edit_attribute(Edit *e)
{
	IrOp *op = pick_op(e, has_attributes);
	if (!op)
		return false;
	const IrNamedAttr *a = &op->attrs[pick_below(e, op->nattrs)];
	if (is_name(op, a->name))
		return false;
	bool remove = pick_one_in(e, 8) && a->value->kind != ATTR_ENUM;
	ir_op_set_attr(e->m, op, a->name, remove ? NULL : change(e, a->value));
	return true;
}

/* An attribute that some other op has, of the same name when it has one. */
bool edit_attribute_from_elsewhere(Edit *e)
{
	IrOp *op = pick_op(e, NULL), *from = pick_op(e, has_attributes);
	if (!op || !from)
		return false;
	const IrNamedAttr *a = &from->attrs[pick_below(e, from->nattrs)];
	if (a->name->id == NAME_sym_name)
		return false;
	ir_op_set_attr(e->m, op, a->name, a->value);
	return true;
}

/* Attributes and types are shared: changed in place, they change wherever they stand. The
 * module is only printed afterwards. */
bool edit_attribute_everywhere(Edit *e)
{
	VEC(IrAttr *) attrs = {0};
	for (uint32_t i = 0; i < e->m->attrs.nheld; i++) {
		IrAttr *a = e->m->attrs.held[i];
		if (a->kind == ATTR_INT && !a->words)
			vec_push(e->arena, &attrs, a);
	}
	if (!attrs.len)
		return false;
	IrAttr *a = attrs.data[pick_below(e, attrs.len)];
	*a = *ir_attr_int(e->m, a->type, change_number(e, a->bits));
	return true;
}

/* The type of a value, and of what it is compared with by being used there. */
bool edit_type(Edit *e)
{
	IrOp *op = pick_op(e, pick_is_inner);
	if (!op)
		return false;
	IrType *type = pick_type(e);
	if (op->nresults && !pick_one_in(e, 4))
		op->results[pick_below(e, op->nresults)].type = type;
	else if (op->noperands)
		op->operands[pick_below(e, op->noperands)].value->type = type;
	else
		return false;
	return true;
}

static bool can_change(const IrType *t)
{
	switch (t->kind) {
	case TYPE_INT:
	case TYPE_ARRAY:
	case TYPE_VECTOR:
	case TYPE_PTR:
	case TYPE_COMPLEX:
	case TYPE_FUNC:
		return true;
	case TYPE_RECORD:
		return t->complete;
	default:
		return false;
	}
}

/* Only a type that is nested less deeply may come in: no type may hold itself. */
static IrType *shallower(Edit *e, uint32_t depth, IrType *otherwise)
{
	IrType *t = pick_type(e);
	return t->depth < depth && t->kind != TYPE_RECORD ? t : otherwise;
}

static void change_record(Edit *e, IrType *t)
{
	switch (pick_below(e, 4)) {
	case 0:
		t->packed = !t->packed;
		break;
	case 1:
		if (t->nmembers > 1)
			t->nmembers--;
		break;
	case 2:
		t->record_kind = (RecordKind)pick_below(e, 3);
		break;
	default:
		if (t->nmembers) {
			uint32_t i = pick_below(e, t->nmembers);
			t->members[i] = shallower(e, 2, t->members[i]);
		}
		break;
	}
}

/* Integers of such a type that have words have them for the former width, too. */
static uint32_t pick_width(Edit *e, const IrType *t)
{
	static const uint32_t widths[] = {1, 3, 8, 16, 24, 32, 64, 100, 128, 129, 512};
	uint32_t width = widths[pick_below(e, ARRAY_LEN(widths))], room = (t->width + 63) / 64 * 64;
	return t->width > 64 && width > room ? room : width;
}

bool edit_type_everywhere(Edit *e)
{
	VEC(IrType *) types = {0};
	for (uint32_t i = 0; i < e->m->types.len; i++)
		if (can_change(e->m->types.held[i]))
			vec_push(e->arena, &types, e->m->types.held[i]);
	if (!types.len)
		return false;
	IrType *t = types.data[pick_below(e, types.len)];
	switch (t->kind) {
	case TYPE_INT:
		t->width = pick_width(e, t);
		t->is_signed ^= pick_one_in(e, 2);
		t->bitint ^= pick_one_in(e, 4);
		break;
	case TYPE_ARRAY:
	case TYPE_VECTOR:
		if (pick_one_in(e, 2))
			t->count = change_number(e, t->count) % (pick_one_in(e, 50) ? UINT64_MAX : 100);
		else
			t->elem = shallower(e, t->depth, t->elem);
		break;
	case TYPE_FUNC:
		if (pick_one_in(e, 3) || !t->nmembers)
			t->variadic = !t->variadic;
		else
			t->members[0] = shallower(e, t->depth, t->members[0]);
		break;
	case TYPE_RECORD:
		change_record(e, t);
		break;
	default:
		t->elem = shallower(e, t->depth, t->elem);
		break;
	}
	return true;
}

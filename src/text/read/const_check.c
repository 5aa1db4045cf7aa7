/* Does a constant fit its type? (cir-reference 3.1) */
#include "text/read/parser.h"

static bool check_string(Parser *p, const char *where, const IrAttr *a)
{
	const IrType *elem = a->elem_type->kind == TYPE_ARRAY ? a->elem_type->elem : NULL;
	if (!elem || elem->kind != TYPE_INT || elem->width != 8)
		return parse_fail(
		    p, where,
		    "constant array element for string literals expects !cir.int<u, 8> element type");
	if (a->type->kind != TYPE_ARRAY || a->type->elem != elem)
		return parse_fail(p, where, "constant array element should match array element type");
	if (a->elem_type->count != a->name->len ||
	    (a->bits & 1 ? a->type->count < a->name->len : a->type->count != a->name->len))
		return parse_fail(p, where, "constant array size should match type size");
	return true;
}

static bool check_array(Parser *p, const char *where, const IrAttr *a)
{
	if (a->type->kind != TYPE_ARRAY)
		return parse_fail(p, where, "expected an array type, got '%s'", ir_type_str(p->mem, a->type));
	if (a->name)
		return check_string(p, where, a);
	if (a->bits & 1 ? a->n > a->type->count : a->n != a->type->count)
		return parse_fail(p, where, "constant array has %u values but array type has size %llu", a->n,
		                  (unsigned long long)a->type->count);
	for (uint32_t i = 0; i < a->n; i++)
		if (a->elems[i]->type != a->type->elem)
			return parse_fail(p, where, "constant array element should match array element type");
	return true;
}

static bool check_vector(Parser *p, const char *where, const IrAttr *a)
{
	if (a->type->kind != TYPE_VECTOR)
		return parse_fail(p, where, "expected a vector type, got '%s'", ir_type_str(p->mem, a->type));
	if (a->n != a->type->count)
		return parse_fail(p, where, "constant vector has %u values but vector type has size %llu",
		                  a->n, (unsigned long long)a->type->count);
	for (uint32_t i = 0; i < a->n; i++)
		if (a->elems[i]->type != a->type->elem)
			return parse_fail(p, where,
			                  "constant vector element should match vector element type");
	return true;
}

static bool check_complex(Parser *p, const char *where, const IrAttr *a)
{
	if (a->type->kind != TYPE_COMPLEX)
		return parse_fail(p, where, "expected a complex type, got '%s'",
		                  ir_type_str(p->mem, a->type));
	if (a->n != 2)
		return parse_fail(p, where, "expected a real and an imaginary part");
	for (uint32_t i = 0; i < a->n; i++)
		if (a->elems[i]->type != a->type->elem)
			return parse_fail(p, where, "complex part should match the type '%s'",
			                  ir_type_str(p->mem, a->type->elem));
	return true;
}

static bool is_flexible(const IrType *member)
{
	return member->kind == TYPE_ARRAY && member->count == 0;
}

/* A flexible array member takes an array of any length; a bit-field unit takes a value of its storage. */
static bool member_takes(const IrType *member, const IrType *value)
{
	if (member->kind == TYPE_BITFIELD)
		return member->elem == value;
	return member == value ||
	       (is_flexible(member) && value && value->kind == TYPE_ARRAY && value->elem == member->elem);
}

static bool check_union(Parser *p, const char *where, const IrAttr *a)
{
	if (a->n != 1)
		return parse_fail(p, where, "number of elements must match");
	for (uint32_t i = 0; i < a->type->nmembers; i++)
		if (member_takes(a->type->members[i], a->elems[0]->type))
			return true;
	return parse_fail(p, where, "element at index 0 has the type of no member of '%s'",
	                  ir_type_str(p->mem, a->type));
}

static const char *type_name(Parser *p, const IrType *t)
{
	return t ? ir_type_str(p->mem, t) : "none";
}

static bool check_record(Parser *p, const char *where, const IrAttr *a)
{
	const IrType *t = a->type;
	if (t->kind != TYPE_RECORD)
		return parse_fail(p, where, "expected !cir.record type, got '%s'", ir_type_str(p->mem, t));
	if (!t->complete)
		return parse_fail(p, where, "record '%s' is incomplete", t->name->text);
	if (t->record_kind == RECORD_UNION)
		return check_union(p, where, a);
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->nmembers; i++) {
		const IrType *member = t->members[i];
		if (ir_is_zero_width(member))
			continue;
		if (n == a->n)
			return parse_fail(p, where, "number of elements must match");
		const IrType *value = a->elems[n]->type;
		if (!member_takes(member, value))
			return parse_fail(
			    p, where,
			    "element at index %u has type %s but the expected type for this element is %s", n,
			    type_name(p, value), type_name(p, member));
		n++;
	}
	return n == a->n || parse_fail(p, where, "number of elements must match");
}

static bool check_vtable(Parser *p, const char *where, const IrAttr *a)
{
	const IrType *t = a->type;
	if (t->kind != TYPE_RECORD)
		return parse_fail(p, where, "expected !cir.record type result");
	if (!t->complete || t->nmembers == 0)
		return parse_fail(p, where, "expected a record type with at least one member");
	if (a->n != t->nmembers)
		return parse_fail(p, where, "number of elements must match");
	for (uint32_t i = 0; i < a->n; i++) {
		const IrAttr *group = a->elems[i];
		if (group->kind != ATTR_CONST_ARRAY || group->name)
			return parse_fail(p, where, "expected constant array subtype");
		for (uint32_t k = 0; k < group->n; k++)
			if (group->elems[k]->kind != ATTR_PTR && group->elems[k]->kind != ATTR_GLOBAL_VIEW)
				return parse_fail(p, where, "expected '#cir.global_view' or '#cir.ptr'");
	}
	return true;
}

static bool check_typeinfo(Parser *p, const char *where, const IrAttr *a)
{
	const IrType *t = a->type;
	if (t->kind != TYPE_RECORD)
		return parse_fail(p, where, "expected !cir.record type");
	if (!t->complete || a->n != t->nmembers)
		return parse_fail(p, where, "number of elements must match");
	for (uint32_t i = 0; i < a->n; i++) {
		const IrAttr *e = a->elems[i];
		if (e->kind != ATTR_INT && e->kind != ATTR_GLOBAL_VIEW && e->kind != ATTR_PTR)
			return parse_fail(p, where, "integer or global view array attribute");
		if (e->type != t->members[i])
			return parse_fail(
			    p, where,
			    "element at index %u has type %s but the expected type for this element is %s", i,
			    type_name(p, e->type), type_name(p, t->members[i]));
	}
	return true;
}

static bool check_data_member(Parser *p, const char *where, const IrAttr *a)
{
	const IrType *t = a->type;
	if (t->kind != TYPE_DATA_MEMBER)
		return parse_fail(p, where, "expected a '!cir.data_member' type");
	const IrType *inner = t->members[0];
	for (uint32_t i = 0; i < a->n; i++) {
		uint64_t index;
		if (!ir_attr_get_u64(a->elems[i], &index))
			return parse_fail(p, where, "expected integer value");
		if (inner->kind != TYPE_RECORD || !inner->complete)
			return parse_fail(p, where,
			                  "the record of a #cir.data_member attribute must be complete");
		if (index >= inner->nmembers)
			return parse_fail(p, where, "member index out of bounds");
		inner = inner->members[index];
	}
	if (a->n && inner != t->elem)
		return parse_fail(
		    p, where, "member type of a #cir.data_member attribute must match the attribute type");
	return true;
}

bool check_constant(Parser *p, const char *where, const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_CONST_ARRAY:
		return check_array(p, where, a);
	case ATTR_CONST_RECORD:
		return check_record(p, where, a);
	case ATTR_CONST_VECTOR:
		return check_vector(p, where, a);
	case ATTR_CONST_COMPLEX:
		return check_complex(p, where, a);
	case ATTR_VTABLE:
		return check_vtable(p, where, a);
	case ATTR_TYPEINFO:
		return check_typeinfo(p, where, a);
	case ATTR_DATA_MEMBER:
		return check_data_member(p, where, a);
	default:
		return true;
	}
}

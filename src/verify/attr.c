/* Constants: what `cir.const` gives and globals begin with (cir-reference 3.1). Their nesting is limited
 * where they are made (TYPE_DEPTH_MAX); what is shared is checked once. */
#include "ir/nearest_region.h"
#include "verify/verifier.h"

#include "ir/layout.h"

static bool check(Verifier *v, const IrOp *op, const IrAttr *a);

/* Numbers */

/* Two's complement of the type's width, extended by its signedness. */
static bool canonical(const IrType *t, uint64_t bits)
{
	if (t->width >= 64)
		return true;
	uint64_t low = bits & ((UINT64_C(1) << t->width) - 1);
	if (t->kind == TYPE_INT && !t->is_signed)
		return bits == low;
	uint64_t sign = UINT64_C(1) << (t->width - 1);
	return bits == (low ^ sign) - sign;
}

static bool check_int(Verifier *v, const IrOp *op, const IrAttr *a)
{
	TypeKind kind = a->type->kind;
	if (kind != TYPE_INT && kind != TYPE_BUILTIN_INT && kind != TYPE_INDEX) {
		verifier_error(v, op, ": a constant of this kind cannot have type '%s'",
		               verifier_type(v, a->type));
		return false;
	}
	if (kind == TYPE_INDEX || a->words || canonical(a->type, a->bits))
		return true;
	verifier_error(v, op, ": the integer is too large for its type");
	return false;
}

static bool check_kind(Verifier *v, const IrOp *op, const IrAttr *a, bool fits)
{
	if (!fits)
		verifier_error(v, op, ": a constant of this kind cannot have type '%s'",
		               verifier_type(v, a->type));
	return fits;
}

static bool check_zero(Verifier *v, const IrOp *op, const IrType *t)
{
	bool fits = ir_type_takes_zero(t);
	if (!fits)
		verifier_error(v, op, ": #cir.zero cannot be of type '%s', whose null value is not all zeros",
		               verifier_type(v, t));
	return fits;
}

/* Aggregates */

static bool check_elements(Verifier *v, const IrOp *op, const IrAttr *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (!check(v, op, a->elems[i]))
			return false;
	return true;
}

static bool has_type(const IrAttr *a, const IrType *t)
{
	return a->type == t;
}

static bool report_element(Verifier *v, const IrOp *op, uint32_t i, const IrAttr *elem, const IrType *want)
{
	verifier_error(v, op, ": element #%u has type '%s'; expected '%s'", i,
	               elem->type ? verifier_type(v, elem->type) : "none", verifier_type(v, want));
	return false;
}

static bool report_count(Verifier *v, const IrOp *op, uint64_t n, uint64_t count)
{
	verifier_error(v, op, ": the number of elements is %llu, but the array type has %llu",
	               (unsigned long long)n, (unsigned long long)count);
	return false;
}

static bool check_string(Verifier *v, const IrOp *op, const IrAttr *a)
{
	const IrType *elem = a->type->elem;
	if (!ir_is_int(elem) || elem->width != 8) {
		verifier_error(v, op, ": a string needs an array type of 8-bit integers");
		return false;
	}
	const IrType *inner = a->elem_type;
	if (inner && (inner->kind != TYPE_ARRAY || inner->elem != elem || inner->count != a->name->len))
		return report_count(v, op, a->name->len, inner->kind == TYPE_ARRAY ? inner->count : 0);
	bool padded = a->bits & 1;
	if (a->name->len > a->type->count || (!padded && a->name->len != a->type->count))
		return report_count(v, op, a->name->len, a->type->count);
	return true;
}

static bool check_array(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (!check_kind(v, op, a, a->type->kind == TYPE_ARRAY))
		return false;
	if (a->name)
		return check_string(v, op, a);
	bool padded = a->bits & 1;
	if (a->n > a->type->count || (!padded && a->n != a->type->count))
		return report_count(v, op, a->n, a->type->count);
	for (uint32_t i = 0; i < a->n; i++) {
		if (has_type(a->elems[i], a->type->elem))
			continue;
		verifier_error(v, op, ": an element does not have the element type of the array");
		return false;
	}
	return check_elements(v, op, a);
}

static bool check_vector(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (!check_kind(v, op, a, a->type->kind == TYPE_VECTOR))
		return false;
	if (a->n != a->type->count) {
		verifier_error(v, op, ": the number of elements does not match the vector type '%s'",
		               verifier_type(v, a->type));
		return false;
	}
	for (uint32_t i = 0; i < a->n; i++)
		if (!has_type(a->elems[i], a->type->elem))
			return report_element(v, op, i, a->elems[i], a->type->elem);
	return check_elements(v, op, a);
}

static bool check_complex(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (!check_kind(v, op, a, a->type->kind == TYPE_COMPLEX && a->n == 2))
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!has_type(a->elems[i], a->type->elem))
			return report_element(v, op, i, a->elems[i], a->type->elem);
	return check_elements(v, op, a);
}

/* Records */

/* What a constant of the member has as its type; NULL: the member takes none (a zero-width bit-field). */
static const IrType *member_value_type(const IrType *member)
{
	return member->kind == TYPE_BITFIELD ? member->elem : member;
}

/* The last member may be an array of no fixed length: the constant decides. */
static bool is_flexible(const IrType *member, const IrAttr *elem)
{
	return member->kind == TYPE_ARRAY && member->count == 0 && elem->type &&
	       elem->type->kind == TYPE_ARRAY && elem->type->elem == member->elem;
}

static bool check_union(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (a->n != 1) {
		verifier_error(v, op, ": a constant of a union needs exactly one element");
		return false;
	}
	for (uint32_t i = 0; i < a->type->nmembers; i++)
		if (has_type(a->elems[0], member_value_type(a->type->members[i])) ||
		    is_flexible(a->type->members[i], a->elems[0]))
			return check_elements(v, op, a);
	verifier_error(v, op, ": the element has type '%s', which no member of the union has",
	               a->elems[0]->type ? verifier_type(v, a->elems[0]->type) : "none");
	return false;
}

static bool check_members(Verifier *v, const IrOp *op, const IrAttr *a)
{
	const IrType *r = a->type;
	uint32_t at = 0;
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const IrType *want = member_value_type(r->members[i]);
		if (!want)
			continue;
		if (at == a->n)
			break;
		const IrAttr *elem = a->elems[at];
		bool flexible = i + 1 == r->nmembers && is_flexible(r->members[i], elem);
		if (!flexible && !has_type(elem, want))
			return report_element(v, op, at, elem, want);
		at++;
	}
	uint32_t wanted = 0;
	for (uint32_t i = 0; i < r->nmembers; i++)
		wanted += member_value_type(r->members[i]) != NULL;
	if (a->n != wanted) {
		verifier_error(v, op, ": a constant of type '%s' needs %u elements, but %u are given",
		               verifier_type(v, r), wanted, a->n);
		return false;
	}
	return check_elements(v, op, a);
}

static bool check_record(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (!check_kind(v, op, a, a->type->kind == TYPE_RECORD))
		return false;
	return a->type->record_kind == RECORD_UNION ? check_union(v, op, a) : check_members(v, op, a);
}

static bool check_vtable(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (a->type->kind != TYPE_RECORD) {
		verifier_error(v, op, ": #cir.vtable needs a record type");
		return false;
	}
	if (a->type->nmembers == 0) {
		verifier_error(v, op, ": #cir.vtable needs a record type with at least one member");
		return false;
	}
	for (uint32_t i = 0; i < a->n; i++) {
		const IrAttr *group = a->elems[i];
		if (group->kind != ATTR_CONST_ARRAY || group->name) {
			verifier_error(v, op,
			               ": expected each member of #cir.vtable to be a #cir.const_array");
			return false;
		}
		for (uint32_t k = 0; k < group->n; k++) {
			if (group->elems[k]->kind == ATTR_GLOBAL_VIEW || group->elems[k]->kind == ATTR_PTR)
				continue;
			verifier_error(
			    v, op, ": expected each entry of #cir.vtable to be #cir.global_view or #cir.ptr");
			return false;
		}
	}
	return check_record(v, op, a);
}

static bool check_typeinfo(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (a->type->kind != TYPE_RECORD) {
		verifier_error(v, op, ": #cir.typeinfo needs a record type");
		return false;
	}
	for (uint32_t i = 0; i < a->n; i++) {
		AttrKind kind = a->elems[i]->kind;
		if (kind == ATTR_GLOBAL_VIEW || kind == ATTR_INT || kind == ATTR_PTR)
			continue;
		verifier_error(
		    v, op,
		    ": expected each member of #cir.typeinfo to be an integer, #cir.global_view or #cir.ptr");
		return false;
	}
	return check_record(v, op, a);
}

/* Addresses */

static bool is_aggregate(const IrType *t)
{
	return t->kind == TYPE_ARRAY || t->kind == TYPE_RECORD;
}

/* A step over elements that stays in the addresses x86-64 has. */
static bool is_near(int64_t index, IrType *elem)
{
	const int64_t end = INT64_C(1) << 48;
	uint64_t size = ir_type_sized(elem) ? ir_type_size(elem) : 1;
	int64_t most = end / (int64_t)(size && size < (uint64_t)end ? size : 1);
	return index <= most && index >= -most;
}

static bool check_distance(Verifier *v, const IrOp *op, const IrAttr *a, uint32_t i, IrType *elem)
{
	int64_t index;
	if (ir_attr_get_i64(a->elems[i], &index) && is_near(index, elem))
		return true;
	verifier_error(v, op, ": index #%u of '#cir.global_view<@%s>' is out of the range of addresses", i,
	               a->name->text);
	return false;
}

/* Each index steps into the symbol's value; a first index on what is no aggregate steps over it. */
static bool check_indices(Verifier *v, const IrOp *op, const IrAttr *a)
{
	const IrOp *symbol = ir_symbol(a->name);
	IrType *t = ir_symbol_type(symbol);
	uint32_t i = 0;
	if (a->n && t && !is_aggregate(t) && !check_distance(v, op, a, i++, t))
		return false;
	for (; i < a->n; i++) {
		int64_t index;
		bool number = ir_attr_get_i64(a->elems[i], &index);
		if (!number || !t || !is_aggregate(t) || !ir_type_sized(t) ||
		    (t->kind == TYPE_RECORD && (index < 0 || (uint64_t)index >= t->nmembers))) {
			verifier_error(v, op,
			               ": index #%u of '#cir.global_view<@%s>' is out of the bounds of the "
			               "global's type",
			               i, a->name->text);
			return false;
		}
		if (t->kind == TYPE_ARRAY && !check_distance(v, op, a, i, t->elem))
			return false;
		t = t->kind == TYPE_ARRAY ? t->elem : t->members[index];
	}
	return true;
}

/* Where the address of a thread-local variable may stand: in the lists of what is used, which are not in the program, and as a
 * value of a function, of the thread that runs it. */
static bool allows_thread_local(const IrOp *op)
{
	if (op->kind != OP_CONST)
		return verifier_is_used_list(op);
	const IrAttr *value = ir_op_attr(op, NAME_value);
	return value && (value->kind == ATTR_GLOBAL_VIEW || value->kind == ATTR_GLOBAL_OFFSET);
}

/* A thread-local variable has an address in each thread, which is no constant. One with a wrapper is initialized by it. */
static bool check_address(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (!verifier_check_symbol(v, op, a->name, true))
		return false;
	const IrOp *symbol = ir_symbol(a->name);
	bool allowed = allows_thread_local(op) && (op->kind != OP_CONST || !ir_op_has(symbol, NAME_tls_refs));
	if (allowed || !ir_op_has(symbol, NAME_tls_model))
		return true;
	verifier_error(v, op, ": the address of '@%s' is not a constant, since '@%s' is thread-local",
	               a->name->text, a->name->text);
	return false;
}

static bool check_view(Verifier *v, const IrOp *op, const IrAttr *a)
{
	TypeKind kind = a->type->kind;
	return check_kind(v, op, a, kind == TYPE_PTR || kind == TYPE_INT || kind == TYPE_VPTR) &&
	       check_address(v, op, a) && check_indices(v, op, a);
}

static bool check_offset(Verifier *v, const IrOp *op, const IrAttr *a)
{
	return check_kind(v, op, a, ir_is_ptr(a->type) || ir_is_int(a->type)) && check_address(v, op, a);
}

/* Objects hold the distance of a symbol from where it is written: so from the global that holds it, in 32 or 64 bits. */
static bool check_symbol_distance(Verifier *v, const IrOp *op, const IrAttr *a)
{
	const Name *to = a->elems[0]->name, *from = a->elems[1]->name;
	bool fits = ir_is_int(a->type) && !a->type->bitint && (a->type->width == 32 || a->type->width == 64);
	v->distances++;
	if (!check_kind(v, op, a, fits) || !verifier_check_symbol(v, op, to, true))
		return false;
	if (op->kind != OP_GLOBAL || ir_symbol_name(op) != from)
		verifier_error(v, op, ": '%s' must be in the initial value of '@%s'",
		               ir_attr_str(v->arena, a), from->text);
	else if (ir_op_has(op, NAME_tls_model) || ir_op_has(ir_symbol(to), NAME_tls_model))
		verifier_error(v, op, ": a distance is not a constant where a variable is thread-local");
	else
		return true;
	return false;
}

/* What the relocations of COFF can say: nothing but the place of a definition or of an import, in 32 bits. */
static bool check_image_relative(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (!check_kind(v, op, a, ir_is_int(a->type) && a->type->width == 32) ||
	    !verifier_check_symbol(v, op, a->name, true))
		return false;
	const IrOp *symbol = ir_symbol(a->name);
	const char *what = ir_op_has(symbol, NAME_aliasee)     ? "an alias"
	                   : ir_op_has(symbol, NAME_tls_model) ? "thread-local"
	                                                       : NULL;
	if (!what)
		return true;
	verifier_error(v, op, ": #cir.image_relative needs a symbol that is placed in the image; '@%s' is %s",
	               a->name->text, what);
	return false;
}

static bool check_data_member(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (!check_kind(v, op, a, a->type->kind == TYPE_DATA_MEMBER))
		return false;
	const IrType *t = a->type->members[0];
	for (uint32_t i = 0; i < a->n; i++) {
		uint64_t index;
		if (t->kind != TYPE_RECORD || !ir_type_sized(t) || !ir_attr_get_u64(a->elems[i], &index) ||
		    index >= t->nmembers) {
			verifier_error(v, op,
			               ": member index #%u of #cir.data_member is out of the bounds of '%s'",
			               i, verifier_type(v, t));
			return false;
		}
		t = t->members[index];
	}
	if (a->n == 0 || t == a->type->elem)
		return true;
	verifier_error(v, op,
	               ": the member that #cir.data_member names does not have the type of the attribute");
	return false;
}

static bool check_method(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (!check_kind(v, op, a, a->type->kind == TYPE_METHOD))
		return false;
	if (!a->name || verifier_func(a->name))
		return true;
	verifier_error(v, op, ": the module has no function '@%s'%s", a->name->text,
	               verifier_similar_symbol(v, a->name, OP_FUNC));
	return false;
}

/* The labels of one function at a time: a table of addresses is about one. */
static const IrOp *find_label(Verifier *v, const IrOp *func, const Name *name)
{
	if (v->labelled != func) {
		v->labelled = func;
		v->label_of = v->cleanup_of = (PtrMap){0};
		for (IrOp *op = ir_walk_first(&func->regions[0]); op;
		     op = ir_walk_next(op, &func->regions[0])) {
			const IrAttr *label = op->kind == OP_LABEL ? ir_op_attr(op, NAME_label) : NULL;
			if (label && label->kind == ATTR_STRING)
				ptrmap_put(v->arena, &v->label_of, label->name, op);
		}
	}
	return ptrmap_get(&v->label_of, name);
}

/* A cleanup region is there twice once it is flattened, so a label in it has no one address. */
static bool is_cleanup(void *user, const IrRegion *r)
{
	(void)user;
	return verifier_is_cleanup_region(r);
}

static bool is_in_cleanup(Verifier *v, const IrOp *label)
{
	return ir_nearest(v->arena, &v->cleanup_of, label, is_cleanup, NULL) != NULL;
}

static bool check_label(Verifier *v, const IrOp *op, const IrOp *func, const IrAttr *name)
{
	const IrOp *label = name->kind == ATTR_STRING ? find_label(v, func, name->name) : NULL;
	if (!label) {
		verifier_error(v, op, ": function '@%s' has no label %s", ir_symbol_name(func)->text,
		               ir_attr_str(v->arena, name));
	} else if (is_in_cleanup(v, label)) {
		verifier_error(v, op, "cannot take the address of label '%s', which is in a cleanup region",
		               name->name->text);
		verifier_note(v, label->loc, "the label is here");
	} else {
		return true;
	}
	return false;
}

static bool check_block_address(Verifier *v, const IrOp *op, const IrAttr *a)
{
	bool diff = a->kind == ATTR_BLOCK_DIFF;
	/* A _BitInt has padding in memory: a distance is as wide as LLVM writes it. */
	if (!check_kind(v, op, a, diff ? ir_is_int(a->type) && !a->type->bitint : ir_is_ptr(a->type)))
		return false;
	const IrOp *func = verifier_func(a->name);
	if (!func) {
		verifier_error(v, op, ": the module has no function '@%s'%s", a->name ? a->name->text : "",
		               verifier_similar_symbol(v, a->name, OP_FUNC));
		return false;
	}
	for (uint32_t i = 0; i < a->n; i++)
		if (!check_label(v, op, func, a->elems[i]))
			return false;
	return true;
}

static bool check_content(Verifier *v, const IrOp *op, const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_INT:
		return check_int(v, op, a);
	case ATTR_FLOAT:
		return check_kind(v, op, a, ir_is_float(a->type));
	case ATTR_BOOL:
		return check_kind(v, op, a, a->type->kind == TYPE_BOOL);
	case ATTR_PTR:
		return check_kind(v, op, a, ir_is_ptr(a->type));
	case ATTR_ZERO:
		return check_zero(v, op, a->type);
	case ATTR_UNDEF:
	case ATTR_POISON:
		return true;
	case ATTR_CONST_ARRAY:
		return check_array(v, op, a);
	case ATTR_CONST_RECORD:
		return check_record(v, op, a);
	case ATTR_CONST_VECTOR:
		return check_vector(v, op, a);
	case ATTR_CONST_COMPLEX:
		return check_complex(v, op, a);
	case ATTR_GLOBAL_VIEW:
		return check_view(v, op, a);
	case ATTR_GLOBAL_OFFSET:
		return check_offset(v, op, a);
	case ATTR_DISTANCE:
		return check_symbol_distance(v, op, a);
	case ATTR_IMAGE_REL:
		return check_image_relative(v, op, a);
	case ATTR_VTABLE:
		return check_vtable(v, op, a);
	case ATTR_TYPEINFO:
		return check_typeinfo(v, op, a);
	case ATTR_DATA_MEMBER:
		return check_data_member(v, op, a);
	case ATTR_METHOD:
		return check_method(v, op, a);
	case ATTR_BLOCK_ADDR:
	case ATTR_BLOCK_DIFF:
		return check_block_address(v, op, a);
	default:
		verifier_error(v, op, ": expected a constant, found '%s'", ir_attr_str(v->arena, a));
		return false;
	}
}

static bool check(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (v->attr_checked[a->id])
		return true;
	if (!a->type) {
		verifier_error(v, op, ": expected a constant with a type, found '%s'",
		               ir_attr_str(v->arena, a));
		return false;
	}
	uint32_t distances = v->distances;
	if (!verifier_check_storage(v, op, a->type, "the type of a constant,") || !check_content(v, op, a))
		return false;
	v->attr_checked[a->id] = !allows_thread_local(op) && v->distances == distances;
	return true;
}

/* Zeros of a scalar are for elements alone, where clang fills the padding of records with them; but a pointer to a virtual
 * table has no other null. */
bool verifier_check_constant(Verifier *v, const IrOp *op, const IrAttr *a)
{
	if (a->kind == ATTR_ZERO && a->type && !ir_type_is_aggregate(a->type) && a->type->kind != TYPE_VPTR) {
		verifier_error(v, op, ": #cir.zero needs a record, array, vector or complex type");
		return false;
	}
	return check(v, op, a);
}

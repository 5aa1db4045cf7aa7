/* What `cir.record_layouts` says of records (cir-reference 3.4), and circ's own `cir.record_traits`
 * (docs/attributes.md), where calls go wrong if it is not so. */
#include "verify/verifier.h"

typedef struct Layouts {
	Verifier *v;
	PtrMap of;    /* Name of a record: its #cir.record_layout */
	PtrMap holds; /* record type: answers of holds_data() */
} Layouts;

static bool are_layouts(const IrAttr *dict)
{
	bool ok = dict->kind == ATTR_DICT;
	for (uint32_t i = 0; ok && i < dict->n; i++)
		ok = dict->elems[i]->kind == ATTR_PARAMS && dict->elems[i]->row == ATTR_ROW_RECORD_LAYOUT;
	return ok;
}

static bool is_told_empty(const Layouts *l, const IrType *record)
{
	const IrAttr *a = record->name ? ptrmap_get(&l->of, record->name) : NULL;
	return a && a->elems[RECORD_LAYOUT_EMPTY] && a->elems[RECORD_LAYOUT_EMPTY]->bits;
}

static const IrType *element(const IrType *t)
{
	while (t->kind == TYPE_ARRAY && t->count)
		t = t->elem;
	return t;
}

static bool has_named_field(const IrType *unit)
{
	for (uint32_t i = 0; i < unit->nmembers; i++)
		if (!unit->marks || !unit->marks[i])
			return true;
	return false;
}

static bool holds_data(Layouts *l, const IrType *record);

/* Clang has bytes for bit-fields without a name, of which a record may be empty. */
static bool is_data(Layouts *l, const IrType *record, uint32_t i)
{
	const IrType *t = element(record->members[i]);
	MemberMark mark = record->marks ? (MemberMark)record->marks[i] : MARK_DATA;
	if (mark == MARK_PAD || mark == MARK_EMPTY || t->kind == TYPE_ARRAY || t == l->v->m->u8)
		return false;
	if (t->kind == TYPE_BITFIELD)
		return has_named_field(t);
	return t->kind != TYPE_RECORD || (!is_told_empty(l, t) && holds_data(l, t));
}

static bool holds_data(Layouts *l, const IrType *record)
{
	static const char yes = 1, no = 0;
	const char *known = ptrmap_get(&l->holds, record);
	if (!known) {
		known = &no;
		for (uint32_t i = 0; i < record->nmembers && known == &no; i++)
			if (is_data(l, record, i))
				known = &yes;
		ptrmap_put(l->v->arena, &l->holds, record, (void *)(uintptr_t)known);
	}
	return known == &yes;
}

static void check_empty(Layouts *l, const IrType *record)
{
	ptrmap_put(l->v->arena, &l->v->empty_records, record, (void *)(uintptr_t)record);
	if (holds_data(l, record))
		diag_error(l->v->d, l->v->m->attrs_loc,
		           "attribute 'cir.record_layouts' of the module says 'is_empty' of record '%s', "
		           "which holds data",
		           record->name->text);
}

static bool is_list_of_numbers(const IrAttr *a)
{
	uint64_t number;
	bool ok = !a || a->kind == ATTR_ARRAY;
	for (uint32_t i = 0; ok && a && i < a->n; i++)
		ok = ir_attr_get_u64(a->elems[i], &number);
	return ok;
}

static void check_fields_of_no_width(Verifier *v, const Name *record, const IrAttr *layout)
{
	const IrAttr *offsets = layout->elems[RECORD_LAYOUT_ZERO_WIDTH_OFFSETS];
	const IrAttr *widths = layout->elems[RECORD_LAYOUT_ZERO_WIDTH_WIDTHS];
	if (!is_list_of_numbers(offsets) || !is_list_of_numbers(widths) ||
	    (offsets ? offsets->n : 0) != (widths ? widths->n : 0))
		diag_error(v->d, v->m->attrs_loc,
		           "attribute 'cir.record_layouts' of the module must give an offset and a width, "
		           "both numbers, for each zero-width bit-field of record '%s'",
		           record->text);
}

/* clang::RecordArgPassingKind */
static void check_passing(Verifier *v, const Name *record, const IrAttr *layout)
{
	static const char *const known[] = {"can_pass_in_regs", "cannot_pass_in_regs",
	                                    "can_never_pass_in_regs"};
	const IrAttr *kind = layout->elems[RECORD_LAYOUT_ARG_PASSING];
	if (!kind)
		return;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (strcmp(kind->name->text, known[i]) == 0)
			return;
	diag_error(v->d, v->m->attrs_loc,
	           "'arg_passing_kind' of record '%s' in attribute 'cir.record_layouts' must be "
	           "'can_pass_in_regs', 'cannot_pass_in_regs' or 'can_never_pass_in_regs', found '%s'",
	           record->text, kind->name->text);
}

static void check_records(Layouts *l)
{
	const TypeTable *types = &l->v->m->types;
	for (uint32_t i = 0; i < types->len; i++) {
		const IrType *t = types->held[i];
		if (t->kind == TYPE_RECORD && t->complete && is_told_empty(l, t))
			check_empty(l, t);
	}
}

static bool are_traits(const IrAttr *a)
{
	static const NameId known[] = {NAME_aggregate, NAME_homogeneous, NAME_flexible, NAME_atomic,
	                               NAME_padding_known};
	uint32_t n = 0;
	if (a->kind != ATTR_DICT)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		const IrAttr *trait = ir_dict_get(a, known[i]);
		n += trait && trait->kind == ATTR_FLAG;
	}
	return n == a->n;
}

static void check_traits(const Verifier *v)
{
	const IrAttr *dict = ir_module_attr(v->m, NAME_cir_record_traits);
	if (dict && dict->kind != ATTR_DICT) {
		diag_error(v->d, v->m->attrs_loc,
		           "attribute 'cir.record_traits' of the module must be a dictionary from records to "
		           "their traits");
		return;
	}
	for (uint32_t i = 0; dict && i < dict->n; i++)
		if (!are_traits(dict->elems[i]))
			diag_error(
			    v->d, v->m->attrs_loc,
			    "attribute 'cir.record_traits' of the module has an unknown trait of "
			    "record '%s'; expected 'aggregate', 'homogeneous', 'flexible', 'atomic' or "
			    "'padding_known', each true or false",
			    dict->keys[i]->text);
}

void verifier_check_layouts(Verifier *v)
{
	check_traits(v);
	Layouts l = {.v = v};
	const IrAttr *dict = ir_module_attr(v->m, NAME_cir_record_layouts);
	if (dict && !are_layouts(dict))
		diag_error(v->d, v->m->attrs_loc,
		           "attribute 'cir.record_layouts' of the module must be a dictionary of "
		           "#cir.record_layout");
	if (!dict || !are_layouts(dict))
		return;
	for (uint32_t i = 0; i < dict->n; i++) {
		ptrmap_put(v->arena, &l.of, dict->keys[i], (void *)(uintptr_t)dict->elems[i]);
		check_fields_of_no_width(v, dict->keys[i], dict->elems[i]);
		check_passing(v, dict->keys[i], dict->elems[i]);
	}
	if (dict->n)
		check_records(&l);
}

bool verifier_holds_nothing(const Verifier *v, const IrType *record, const IrType *member)
{
	const IrType *t = element(member);
	return t->kind != TYPE_RECORD && t->kind != TYPE_ARRAY && ptrmap_get(&v->empty_records, record);
}

/* lower/attribute_param.c: attributes of parameters and results (cir-reference 5.9). */
#include "lower/attribute.h"

#include "ir/layout.h"

typedef enum ParamForm { FORM_UNIT, FORM_WHOLE, FORM_NUMBER, FORM_TYPE, FORM_NO_CAPTURE } ParamForm;

/* HINT: only optimizers read it. PLACE: of the copy that `byval` makes it is code, else a hint. */
typedef enum ParamUse { CODE, HINT, PLACE } ParamUse;

static const struct {
	const char *key;
	EnumAttr attr;
	ParamForm form;
	ParamUse use;
} params[] = {
    {"llvm.noundef", LLVM_noundef, FORM_UNIT, HINT},
    {"llvm.nonnull", LLVM_nonnull, FORM_UNIT, HINT},
    {"llvm.noalias", LLVM_noalias, FORM_UNIT, HINT},
    {"llvm.nocapture", LLVM_nocapture, FORM_NO_CAPTURE, HINT},
    {"llvm.readonly", LLVM_readonly, FORM_UNIT, HINT},
    {"llvm.readnone", LLVM_readnone, FORM_UNIT, HINT},
    {"llvm.writeonly", LLVM_writeonly, FORM_UNIT, HINT},
    {"llvm.returned", LLVM_returned, FORM_UNIT, CODE},
    {"llvm.zeroext", LLVM_zeroext, FORM_UNIT, CODE},
    {"llvm.signext", LLVM_signext, FORM_UNIT, CODE},
    {"llvm.inreg", LLVM_inreg, FORM_UNIT, CODE},
    {"llvm.nest", LLVM_nest, FORM_UNIT, CODE},
    {"llvm.swifterror", LLVM_swifterror, FORM_UNIT, CODE},
    {"llvm.dead_on_return", LLVM_dead_on_return, FORM_WHOLE, HINT},
    {"llvm.dead_on_unwind", LLVM_dead_on_unwind, FORM_UNIT, HINT},
    {"llvm.writable", LLVM_writable, FORM_UNIT, HINT},
    {"llvm.align", LLVM_align, FORM_NUMBER, PLACE},
    {"llvm.alignstack", LLVM_alignstack, FORM_NUMBER, CODE},
    {"llvm.dereferenceable", LLVM_dereferenceable, FORM_NUMBER, HINT},
    {"llvm.dereferenceable_or_null", LLVM_dereferenceable_or_null, FORM_NUMBER, HINT},
    {"llvm.sret", LLVM_sret, FORM_TYPE, CODE},
    {"llvm.byval", LLVM_byval, FORM_TYPE, CODE},
    {"llvm.byref", LLVM_byref, FORM_TYPE, CODE},
};

void attribute_init_params(Lower *e)
{
	e->param_rows = arena_array(e->arena, uint8_t, e->m->names.len);
	e->spare_dicts = arena_array(e->arena, uint8_t, e->m->attrs.len);
	for (unsigned i = 0; i < ARRAY_LEN(params); i++) {
		const Name *name = name_find(&e->m->names, str_of(params[i].key));
		if (name)
			e->param_rows[name->id] = (uint8_t)(i + 1);
	}
}

/* Before LLVM 21 an attribute of its own, then the empty set of captures. */
static LLVMAttributeRef no_capture(const Lower *e)
{
	return attribute_unit(e, e->enum_kinds[LLVM_captures] ? LLVM_captures : LLVM_nocapture);
}

/* LLVM's limit is higher, but nobody has such a stack. */
static bool check_by_value(Lower *e, IrType *t)
{
	if (ir_type_size(t) <= INT32_MAX)
		return true;
	lower_error(e, ": a parameter of type '%s' is larger than %d bytes; pass its address",
	            lower_spell(e, t), INT32_MAX);
	return false;
}

/* Of all that the pointer points to (no number, or -1), not of so many bytes: LLVM 22 knows no numbers here,
 * and what stands behind those bytes may be alive. */
static bool is_of_all(const IrAttr *a)
{
	int64_t number;
	return a->kind == ATTR_UNIT || (ir_attr_get_i64(a, &number) && number == -1);
}

static LLVMAttributeRef param_attribute(Lower *e, unsigned row, const IrAttr *a)
{
	EnumAttr attr = params[row].attr;
	LLVMTypeRef type;
	uint64_t number;
	switch (params[row].form) {
	case FORM_UNIT: /* the newest are hints, which older versions do without */
		return e->enum_kinds[attr] ? attribute_unit(e, attr) : NULL;
	case FORM_WHOLE:
		return is_of_all(a) && e->enum_kinds[attr] ? attribute_unit(e, attr) : NULL;
	case FORM_NO_CAPTURE:
		return no_capture(e);
	case FORM_NUMBER: /* LLVM has no attribute for 0 bytes */
		return ir_attr_get_u64(a, &number) && number ? attribute_valued(e, attr, number) : NULL;
	case FORM_TYPE:
		if (attr == LLVM_byval && a->kind == ATTR_TYPE && !check_by_value(e, a->type))
			return NULL;
		type = a->kind == ATTR_TYPE ? lower_memory_type(e, a->type) : NULL;
		return type ? LLVMCreateTypeAttribute(e->context, e->enum_kinds[attr], type) : NULL;
	}
	return NULL;
}

static bool has_copy(const Lower *e, const IrAttr *dict)
{
	for (uint32_t i = 0; i < dict->n; i++) {
		unsigned row = e->param_rows[dict->keys[i]->id];
		if (row && (params[row - 1].attr == LLVM_byval || params[row - 1].attr == LLVM_byref))
			return true;
	}
	return false;
}

static bool is_needed(const Lower *e, const IrAttr *dict, unsigned row)
{
	ParamUse use = params[row - 1].use;
	unsigned attr = params[row - 1].attr;
	/* A front end for another processor may say so; here callers do not, and nobody may count on it. */
	if (!e->whole && !e->target->machine->widens_small && (attr == LLVM_signext || attr == LLVM_zeroext))
		return false;
	return !e->options->code_only || use == CODE || (use == PLACE && has_copy(e, dict));
}

/* Is there nothing in it to be added? Asked of each dictionary once. */
static bool is_spare(const Lower *e, const IrAttr *dict)
{
	enum { UNKNOWN, SPARE, NEEDED };
	uint8_t *answer = &e->spare_dicts[dict->id];
	for (uint32_t i = 0; *answer == UNKNOWN && i < dict->n; i++) {
		unsigned row = e->param_rows[dict->keys[i]->id];
		if (row && is_needed(e, dict, row))
			*answer = NEEDED;
	}
	if (*answer == UNKNOWN)
		*answer = SPARE;
	return *answer == SPARE;
}

/* Each attribute that is added makes LLVM a new list of all: half of lowering a front
 * end's module, were hints added, too. */
static void add_params(Lower *e, Holder h, unsigned index, const IrAttr *dict)
{
	for (uint32_t i = 0; e->whole && dict->kind == ATTR_DICT && i < dict->n; i++) {
		const char *name = dict->keys[i]->text;
		bool known = e->param_rows[dict->keys[i]->id] || strncmp(name, "llvm.", 5) != 0;
		LLVMAttributeRef a = known ? NULL : attribute_by_name(e, name + 5, dict->elems[i]);
		if (a)
			attribute_add(h, index, a);
	}
	if (dict->kind != ATTR_DICT || is_spare(e, dict))
		return;
	for (uint32_t i = 0; i < dict->n; i++) {
		unsigned row = e->param_rows[dict->keys[i]->id];
		LLVMAttributeRef a =
		    row && is_needed(e, dict, row) ? param_attribute(e, row - 1, dict->elems[i]) : NULL;
		if (a)
			attribute_add(h, index, a);
	}
}

static bool is_extended(const IrAttr *dict)
{
	for (uint32_t i = 0; dict && dict->kind == ATTR_DICT && i < dict->n; i++)
		if (strcmp(dict->keys[i]->text, "llvm.zeroext") == 0 ||
		    strcmp(dict->keys[i]->text, "llvm.signext") == 0)
			return true;
	return false;
}

void attribute_add_place(Lower *e, Holder h, unsigned index, const IrType *t, const IrAttr *dict)
{
	if (dict)
		add_params(e, h, index, dict);
	if (t->kind == TYPE_BOOL && e->target->machine->widens_small && !is_extended(dict))
		attribute_add(h, index, attribute_unit(e, LLVM_zeroext));
}

/* Attributes of functions and calls; the inverse of lower/attribute*.c. What the passes ask for gets CIR's own word, the
 * rest is kept by LLVM's: of functions in the dictionary `circ.attributes`, of parameters as `llvm.NAME`. A module has few
 * lists of attributes, and many places that have one: each list is made once, and found by what is in it. */
#include "raise/raiser.h"

/* A list, and those that begin with it. */
struct RaiseAttributes {
	PtrMap
	    next; /* LLVMAttributeRef → RaiseAttributes: the same list with that attribute added at its end */
	bool made, nothrow;
	const IrAttr *dict; /* NULL: of nothing */
};

static RaiseAttributes *with(Raise *r, RaiseAttributes *list, LLVMAttributeRef a)
{
	RaiseAttributes *longer = ptrmap_get(&list->next, a);
	if (!longer) {
		longer = arena_new(r->arena, RaiseAttributes);
		ptrmap_put(r->arena, &list->next, a, longer);
	}
	return longer;
}

typedef struct Dict {
	VEC(Name *) keys;
	VEC(const IrAttr *) values;
} Dict;

static void put(Raise *r, Dict *d, Name *key, const IrAttr *value)
{
	vec_push(r->arena, &d->keys, key);
	vec_push(r->arena, &d->values, value);
}

static const IrAttr *dict_attr(Raise *r, const Dict *d)
{
	return ir_dict_with(r->m, NULL, d->keys.data, d->values.data, d->keys.len);
}

/* NULL: of a newer LLVM. */
static const char *kind_name(unsigned kind)
{
	static const char *const names[] = {
#define NAME(text) #text,
#include "raise/attribute_names.def"
	};
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])) == kind)
			return names[i];
	return NULL;
}

static const char *name_of(Raise *r, LLVMAttributeRef a)
{
	unsigned kind = LLVMGetEnumAttributeKind(a);
	const char *name = kind < ARRAY_LEN(r->kind_names) ? r->kind_names[kind] : NULL;
	if (!name)
		name = kind_name(kind);
	if (name && kind < ARRAY_LEN(r->kind_names))
		r->kind_names[kind] = name;
	if (!name)
		raise_error(r, "has an attribute that circ does not know");
	return name;
}

/* NULL: lost, or reported. */
static const IrAttr *value_of(Raise *r, LLVMAttributeRef a)
{
	if (LLVMIsTypeAttribute(a)) {
		IrType *t = raise_memory_type(r, LLVMGetTypeAttributeValue(a));
		return t ? ir_attr_type(r->m, t) : NULL;
	}
	if (LLVMIsEnumAttribute(a)) {
		uint64_t value = LLVMGetEnumAttributeValue(a);
		return value ? ir_attr_i64(r->m, (int64_t)value) : ir_attr_unit(r->m);
	}
	raise_lose(r, LOST_RANGE);
	return NULL;
}

/* Parameters and results */

static bool is_no_capture(const char *name, const IrAttr *value)
{
	return strcmp(name, "nocapture") == 0 || (strcmp(name, "captures") == 0 && value->kind == ATTR_UNIT);
}

/* They need an alloca of their kind, which LLVM-C cannot make. */
static bool is_of_alloca(const char *name)
{
	return strcmp(name, "swifterror") == 0 || strcmp(name, "inalloca") == 0 ||
	       strcmp(name, "preallocated") == 0;
}

static void put_place(Raise *r, Dict *d, LLVMAttributeRef a)
{
	if (LLVMIsStringAttribute(a)) {
		raise_error(r, "has a parameter with a string attribute, which has no counterpart in CIR");
		return;
	}
	const IrAttr *value = value_of(r, a);
	const char *name = value ? name_of(r, a) : NULL;
	if (name && is_of_alloca(name)) {
		raise_error(r, "has the parameter attribute '%s', which has no counterpart in CIR", name);
		return;
	}
	if (name && is_no_capture(name, value))
		name = "nocapture";
	if (name)
		put(r, d, ir_name(r->m, str_of(arena_printf(r->arena, "llvm.%s", name))), value);
}

typedef struct Holder {
	LLVMValueRef v;
	bool is_call;
} Holder;

static LLVMAttributeRef *attributes_at(Raise *r, Holder h, LLVMAttributeIndex i, unsigned *n)
{
	*n = h.is_call ? LLVMGetCallSiteAttributeCount(h.v, i) : LLVMGetAttributeCountAtIndex(h.v, i);
	if (!*n)
		return NULL;
	LLVMAttributeRef *list = raise_array(&r->body, sizeof *list, *n);
	if (h.is_call)
		LLVMGetCallSiteAttributes(h.v, i, list);
	else
		LLVMGetAttributesAtIndex(h.v, i, list);
	return list;
}

typedef void MakeFn(Raise *r, RaiseAttributes *made, const LLVMAttributeRef *list, unsigned n);

/* NULL: none. */
static const RaiseAttributes *list_at(Raise *r, Holder h, LLVMAttributeIndex i, RaiseAttributes **root,
                                      MakeFn *make)
{
	unsigned n;
	LLVMAttributeRef *list = attributes_at(r, h, i, &n);
	if (!n)
		return NULL;
	if (!*root)
		*root = arena_new(r->arena, RaiseAttributes);
	RaiseAttributes *at = *root;
	for (unsigned k = 0; k < n; k++)
		at = with(r, at, list[k]);
	if (!at->made)
		make(r, at, list, n);
	at->made = true;
	return at;
}

static void make_place(Raise *r, RaiseAttributes *made, const LLVMAttributeRef *list, unsigned n)
{
	Dict d = {0};
	for (unsigned k = 0; k < n; k++)
		put_place(r, &d, list[k]);
	if (d.keys.len)
		made->dict = dict_attr(r, &d);
}

static const IrAttr *place_dict(Raise *r, Holder h, LLVMAttributeIndex i)
{
	const RaiseAttributes *list = list_at(r, h, i, &r->place_attributes, make_place);
	return list ? list->dict : NULL;
}

static void raise_places(Raise *r, IrOp *op, Holder h, unsigned nparams)
{
	const IrAttr **dicts = raise_array(&r->body, sizeof *dicts, nparams), *empty = NULL;
	bool any = false;
	for (unsigned i = 0; i < nparams; i++) {
		dicts[i] = place_dict(r, h, i + 1);
		any |= dicts[i] != NULL;
	}
	for (unsigned i = 0; any && i < nparams; i++)
		if (!dicts[i])
			dicts[i] = empty = empty ? empty : ir_attr_dict(r->m, NULL, NULL, 0);
	if (any)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_arg_attrs),
		               ir_attr_array(r->m, dicts, nparams));
	const IrAttr *result = place_dict(r, h, 0);
	if (result)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_res_attrs),
		               ir_attr_array(r->m, &result, 1));
}

/* Of the function or call itself */

static void put_text(Raise *r, Dict *d, LLVMAttributeRef a)
{
	unsigned key_len, len;
	const char *key = LLVMGetStringAttributeKind(a, &key_len);
	const char *text = LLVMGetStringAttributeValue(a, &len);
	put(r, d, ir_name(r->m, (Str){key, key_len}), ir_attr_string(r->m, (Str){text, len}));
}

static void make_own(Raise *r, RaiseAttributes *made, const LLVMAttributeRef *list, unsigned n)
{
	Dict d = {0};
	for (unsigned k = 0; k < n; k++) {
		if (LLVMIsStringAttribute(list[k])) {
			put_text(r, &d, list[k]);
			continue;
		}
		const IrAttr *value = value_of(r, list[k]);
		const char *name = value ? name_of(r, list[k]) : NULL;
		if (name && strcmp(name, "nounwind") == 0)
			made->nothrow = true;
		else if (name)
			put(r, &d, ir_name(r->m, str_of(name)), value);
	}
	if (d.keys.len)
		made->dict = dict_attr(r, &d);
}

static void raise_own(Raise *r, IrOp *op, Holder h)
{
	LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	const RaiseAttributes *list = list_at(r, h, index, &r->own_attributes, make_own);
	if (list && list->nothrow)
		ir_set_flag(r->m, op, NAME_nothrow);
	if (list && list->dict)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_circ_attributes), list->dict);
}

void raise_function_attributes(Raise *r, IrOp *func, LLVMValueRef f)
{
	Holder h = {f, false};
	raise_own(r, func, h);
	raise_places(r, func, h, ir_func_type(func)->nmembers);
}

void raise_call_attributes(Raise *r, IrOp *call, LLVMValueRef v)
{
	Holder h = {v, true};
	raise_own(r, call, h);
	raise_places(r, call, h, LLVMGetNumArgOperands(v));
}

const IrAttr *raise_conv(Raise *r, unsigned conv)
{
	return conv ? ir_attr_i64(r->m, conv) : NULL;
}

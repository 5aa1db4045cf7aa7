/* Attributes of functions, calls, parameters and results (cir-reference 4.2, 5.9). */
#include "lower/lowerer.h"

#include "ir/layout.h"

/* Attributes of LLVM, by name; the number of each is asked for once. */
typedef enum EnumAttr {
#define LLVM_ATTR(name) LLVM_##name,
#include "lower/attributes.def"
	LLVM_ATTR_COUNT
} EnumAttr;

static const char *const attr_names[LLVM_ATTR_COUNT] = {
#define LLVM_ATTR(name) #name,
#include "lower/attributes.def"
};

/* Unit attributes of functions and calls. 0: none */
static const uint8_t unit_attrs[NAME_COUNT] = {
    [NAME_nothrow] = LLVM_nounwind,
    [NAME_nounwind] = LLVM_nounwind,
    [NAME_no_unwind] = LLVM_nounwind,
    [NAME_noreturn] = LLVM_noreturn,
    [NAME_no_return] = LLVM_noreturn,
    [NAME_cold] = LLVM_cold,
    [NAME_hot] = LLVM_hot,
    [NAME_convergent] = LLVM_convergent,
    [NAME_nobuiltin] = LLVM_nobuiltin,
    [NAME_noduplicate] = LLVM_noduplicate,
    [NAME_nocallback] = LLVM_nocallback,
    [NAME_mustprogress] = LLVM_mustprogress,
    [NAME_nofree] = LLVM_nofree,
    [NAME_norecurse] = LLVM_norecurse,
    [NAME_nosync] = LLVM_nosync,
    [NAME_nomerge] = LLVM_nomerge,
    [NAME_returns_twice] = LLVM_returns_twice,
    [NAME_optsize] = LLVM_optsize,
    [NAME_minsize] = LLVM_minsize,
    [NAME_optnone] = LLVM_optnone,
    [NAME_optimize_none] = LLVM_optnone,
    [NAME_strictfp] = LLVM_strictfp,
    [NAME_willreturn] = LLVM_willreturn,
    [NAME_sanitize_address] = LLVM_sanitize_address,
    [NAME_sanitize_thread] = LLVM_sanitize_thread,
    [NAME_sanitize_memory] = LLVM_sanitize_memory,
    [NAME_sanitize_hwaddress] = LLVM_sanitize_hwaddress,
};

/* Those that LLVM takes as text, of functions and calls; valued: with the text that they hold. */
static const struct {
	const char *key;
	bool valued;
} text_attrs[NAME_COUNT] = {
    [NAME_no_builtins] = {"no-builtins", false},
    [NAME_save_reg_params] = {"save-reg-params", false},
    [NAME_no_caller_saved_registers] = {"no_caller_saved_registers", false},
    [NAME_trap_func_name] = {"trap-func-name", true},
    [NAME_zero_call_used_regs] = {"zero-call-used-regs", true},
    [NAME_modular_format] = {"modular-format", true},
};

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
    {"llvm.dereferenceable", LLVM_dereferenceable, FORM_NUMBER, HINT},
    {"llvm.dereferenceable_or_null", LLVM_dereferenceable_or_null, FORM_NUMBER, HINT},
    {"llvm.sret", LLVM_sret, FORM_TYPE, CODE},
    {"llvm.byval", LLVM_byval, FORM_TYPE, CODE},
    {"llvm.byref", LLVM_byref, FORM_TYPE, CODE},
};

/* As LLVM numbers them. */
typedef enum TableKind { TABLE_SYNC = 1, TABLE_ASYNC = 2 } TableKind;

static LLVMAttributeRef valued(const Lower *e, EnumAttr a, uint64_t value)
{
	CHECK(e->enum_kinds[a]);
	return LLVMCreateEnumAttribute(e->context, e->enum_kinds[a], value);
}

/* Does the module say that name, of whatever? */
static bool has_text_name(const Lower *e, const char *key)
{
	return name_find(&e->m->names, str_of(key)) ||
	       name_find(&e->m->names, str_of(arena_printf(e->scratch, "cir.%s", key)));
}

void lower_attributes_init(Lower *e)
{
	e->enum_kinds = arena_array(e->arena, unsigned, LLVM_ATTR_COUNT);
	e->enum_attrs = arena_array(e->arena, LLVMAttributeRef, LLVM_ATTR_COUNT);
	for (unsigned i = 1; i < LLVM_ATTR_COUNT; i++)
		e->enum_kinds[i] = LLVMGetEnumAttributeKindForName(attr_names[i], strlen(attr_names[i]));
	e->frame_pointer = LLVMCreateStringAttribute(e->context, "frame-pointer", 13, "all", 3);
	for (TableKind kind = TABLE_SYNC; kind <= TABLE_ASYNC; kind++)
		e->tables[kind] = valued(e, LLVM_uwtable, kind);
	e->text_attrs = arena_array(e->arena, TextAttribute, TEXT_ATTRS);
	e->forbids = has_text_name(e, "dontcall-error") || has_text_name(e, "dontcall-warn");
	e->param_rows = arena_array(e->arena, uint8_t, e->m->names.len);
	e->spare_dicts = arena_array(e->arena, uint8_t, e->m->attrs.len);
	for (unsigned i = 0; i < ARRAY_LEN(params); i++) {
		const Name *name = name_find(&e->m->names, str_of(params[i].key));
		if (name)
			e->param_rows[name->id] = (uint8_t)(i + 1);
	}
}

static LLVMAttributeRef unit(const Lower *e, EnumAttr a)
{
	if (!e->enum_attrs[a])
		e->enum_attrs[a] = valued(e, a, 0);
	return e->enum_attrs[a];
}

/* What attributes are put on: a function or a call. */
typedef struct Holder {
	LLVMValueRef v;
	bool is_call;
	bool own; /* the callee is defined in the module */
} Holder;

static void add(Holder h, unsigned index, LLVMAttributeRef a)
{
	if (h.is_call)
		LLVMAddCallSiteAttribute(h.v, index, a);
	else
		LLVMAddAttributeAtIndex(h.v, index, a);
}

static const LLVMAttributeIndex at_function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

static bool has(const Lower *e, Holder h, EnumAttr a)
{
	unsigned kind = e->enum_kinds[a];
	return (h.is_call ? LLVMGetCallSiteEnumAttribute(h.v, at_function, kind)
	                  : LLVMGetEnumAttributeAtIndex(h.v, at_function, kind)) != NULL;
}

/* LLVM wants both. Bundles may say the one, too. */
static void add_noinline_to_optnone(Lower *e, Holder h, const IrOp *op)
{
	bool may_say = ir_op_has(op, NAME_optnone) || ir_op_has(op, NAME_optimize_none) ||
	               ir_op_has(op, NAME_extra) || ir_op_has(op, NAME_default_func_attrs);
	if (may_say && has(e, h, LLVM_optnone))
		add(h, at_function, unit(e, LLVM_noinline));
}

/* Memory effects */

typedef enum Access { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_READWRITE } Access;

typedef enum Memory {
	MEM_ARG,
	MEM_INACCESSIBLE,
	MEM_ERRNO,
	MEM_OTHER,
	MEM_TARGET0,
	MEM_TARGET1,
	MEM_COUNT
} Memory;

static Access access_of(const IrAttr *a)
{
	if (!a || a->kind != ATTR_STRING)
		return ACCESS_READWRITE;
	if (str_equal(name_str(a->name), STR("none")))
		return ACCESS_NONE;
	if (str_equal(name_str(a->name), STR("read")))
		return ACCESS_READ;
	return str_equal(name_str(a->name), STR("write")) ? ACCESS_WRITE : ACCESS_READWRITE;
}

/* The number that LLVM makes of them: two bits per kind of memory. Versions before 21 know three kinds, and
 * count errno among the others; before 22 what targets keep is inaccessible memory. */
static uint64_t pack_effects(const Lower *e, const Access *access)
{
	if (e->llvm_major >= 22) {
		uint64_t bits = 0;
		for (unsigned i = 0; i < MEM_COUNT; i++)
			bits |= (uint64_t)access[i] << 2 * i;
		return bits;
	}
	uint64_t arg = access[MEM_ARG], errno_mem = access[MEM_ERRNO], other = access[MEM_OTHER];
	uint64_t inaccessible = access[MEM_INACCESSIBLE] | access[MEM_TARGET0] | access[MEM_TARGET1];
	if (e->llvm_major == 21)
		return arg | inaccessible << 2 | errno_mem << 4 | other << 6;
	return arg | inaccessible << 2 | (other | errno_mem) << 4;
}

static void add_effects(const Lower *e, Holder h, const Access *access)
{
	add(h, at_function, valued(e, LLVM_memory, pack_effects(e, access)));
}

static void add_memory_effects(const Lower *e, Holder h, const IrAttr *a)
{
	static const uint8_t fields[MEM_COUNT] = {
	    [MEM_ARG] = MEMORY_EFFECTS_ARG,         [MEM_INACCESSIBLE] = MEMORY_EFFECTS_INACCESSIBLE,
	    [MEM_ERRNO] = MEMORY_EFFECTS_ERRNO,     [MEM_OTHER] = MEMORY_EFFECTS_OTHER,
	    [MEM_TARGET0] = MEMORY_EFFECTS_TARGET0, [MEM_TARGET1] = MEMORY_EFFECTS_TARGET1,
	};
	Access access[MEM_COUNT];
	if (a->kind != ATTR_PARAMS || a->row != ATTR_ROW_MEMORY_EFFECTS)
		return;
	for (unsigned i = 0; i < MEM_COUNT; i++)
		access[i] = access_of(a->elems[fields[i]]);
	add_effects(e, h, access);
}

/* The older way to say the same. It does not promise `nothrow`; of `argmem`, which is MSVC's __declspec(noalias), not
 * that the call returns either. */
static void add_side_effect(const Lower *e, Holder h, const IrAttr *a)
{
	Access access[MEM_COUNT];
	if (a->kind != ATTR_ENUM || a->bits == SIDE_EFFECT_ALL)
		return;
	bool pure = a->bits == SIDE_EFFECT_PURE || a->bits == SIDE_EFFECT_PURE_ARGMEM;
	for (unsigned i = 0; i < MEM_COUNT; i++)
		access[i] = pure ? ACCESS_READ : ACCESS_NONE;
	if (a->bits >= SIDE_EFFECT_PURE_ARGMEM)
		access[MEM_ARG] = ACCESS_READWRITE;
	if (a->bits == SIDE_EFFECT_ARGMEM)
		access[MEM_INACCESSIBLE] = ACCESS_READWRITE;
	else
		add(h, at_function, unit(e, LLVM_willreturn));
	add_effects(e, h, access);
}

/* Functions and calls */

static void add_inline(const Lower *e, Holder h, const IrAttr *a)
{
	static const uint8_t kinds[] = {
	    [INLINE_NO_INLINE] = LLVM_noinline,
	    [INLINE_ALWAYS_INLINE] = LLVM_alwaysinline,
	    [INLINE_INLINE_HINT] = LLVM_inlinehint,
	};
	unsigned kind;
	if (ir_attr_inline_kind(a, &kind) && !(kind == INLINE_INLINE_HINT && h.is_call))
		add(h, at_function, unit(e, (EnumAttr)kinds[kind]));
}

static void add_string(const Lower *e, Holder h, Str key, Str value)
{
	add(h, at_function,
	    LLVMCreateStringAttribute(e->context, key.data, (unsigned)key.len, value.data,
	                              (unsigned)value.len));
}

static void add_text(const Lower *e, Holder h, uint32_t name, const IrAttr *a)
{
	bool valued = text_attrs[name].valued;
	if (!valued || a->kind == ATTR_STRING)
		add_string(e, h, str_of(text_attrs[name].key), valued ? name_str(a->name) : STR(""));
}

/* An empty list means all. */
static void add_no_builtins(const Lower *e, Holder h, const IrAttr *names)
{
	if (names->kind == ATTR_ARRAY && names->n == 0)
		add_text(e, h, NAME_no_builtins, names);
	for (uint32_t i = 0; names->kind == ATTR_ARRAY && i < names->n; i++) {
		if (names->elems[i]->kind != ATTR_STRING)
			continue;
		const Name *name = names->elems[i]->name;
		const char *key = arena_printf(e->scratch, "no-builtin-%s", name->text);
		add_string(e, h, str_of(key), STR(""));
	}
}

static LLVMTypeRef type_of(Holder h)
{
	return h.is_call ? LLVMGetCalledFunctionType(h.v) : LLVMGlobalGetValueType(h.v);
}

/* Which parameters make the size; LLVM's verifier wants integers. */
static void add_alloc_size(const Lower *e, Holder h, const IrAttr *a)
{
	uint32_t at[2] = {0, UINT32_MAX}, n; /* LLVM's word for a second that is not there */
	LLVMTypeRef type = type_of(h);
	unsigned nparams = LLVMCountParamTypes(type);
	LLVMTypeRef *types = arena_array(e->scratch, LLVMTypeRef, nparams + 1);
	if (!ir_attr_get_numbers(a, at, ARRAY_LEN(at), &n) || !n)
		return;
	LLVMGetParamTypes(type, types);
	for (uint32_t i = 0; i < n; i++)
		if (at[i] >= nparams || LLVMGetTypeKind(types[at[i]]) != LLVMIntegerTypeKind)
			return;
	add(h, at_function, valued(e, LLVM_allocsize, (uint64_t)at[0] << 32 | at[1]));
}

/* LLVM's verifier reads it: `flavor,format,first,function,aspect…`, where first is the number of a parameter, from 1, or
 * that behind them of `...`. */
static void add_modular_format(Lower *e, Holder h, const IrAttr *a)
{
	enum { FIRST = 2, LEAST = 5 };
	uint64_t commas = 0, first = 0;
	Str s = a->kind == ATTR_STRING ? name_str(a->name) : STR("");
	bool digits = true;
	for (size_t i = 0; i < s.len; i++) {
		if (s.data[i] == ',')
			commas++;
		else if (commas != FIRST)
			continue;
		else if (s.data[i] < '0' || s.data[i] > '9' || first > UINT16_MAX)
			digits = false;
		else
			first = first * 10 + (uint64_t)(s.data[i] - '0');
	}
	LLVMTypeRef type = type_of(h);
	if (commas < LEAST - 1 || !digits || !first ||
	    first > LLVMCountParamTypes(type) + (LLVMIsFunctionVarArg(type) ? 1 : 0))
		lower_error(
		    e, "attribute 'modular_format' must be \"flavor,format,first,function,aspect\", where "
		       "first is the number of a parameter");
	else
		add_text(e, h, NAME_modular_format, a);
}

static void add_named(Lower *e, Holder h, const Name *name, const IrAttr *a);

static void add_dict(Lower *e, Holder h, const IrAttr *dict)
{
	for (uint32_t i = 0; dict->kind == ATTR_DICT && i < dict->n; i++)
		add_named(e, h, dict->keys[i], dict->elems[i]);
}

/* That CPU has these features and no others, and code for it is tuned so, where nothing is said (LLVM's
 * X86TargetMachine::getSubtargetImpl). */
static PlainCpu plain_cpu(Str key, Str value)
{
	if (str_is(key, "target-cpu"))
		return str_is(value, "x86-64") ? PLAIN_CPU : PLAIN_NOTHING;
	bool implied =
	    (str_is(key, "tune-cpu") && str_is(value, "generic")) ||
	    (str_is(key, "target-features") && str_is(value, "+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87"));
	return implied ? PLAIN_IMPLIED : PLAIN_NOTHING;
}

static unsigned machine_part(Str key)
{
	static const char *const keys[] = {"target-cpu", "target-features", "tune-cpu"};
	_Static_assert(sizeof keys / sizeof *keys == ARRAY_LEN(((Machine *)NULL)->asked),
	               "what a function may ask for");
	for (unsigned i = 0; i < ARRAY_LEN(keys); i++)
		if (str_is(key, keys[i]))
			return i + 1;
	return 0;
}

/* The same few are on every function: CPU, features. */
static TextAttribute *text_attribute(const Lower *e, const Name *name, const Name *value)
{
	TextAttribute *seen = &e->text_attrs[name->id % TEXT_ATTRS];
	if (seen->name != name || seen->value != value)
		*seen = (TextAttribute){
		    .name = name,
		    .value = value,
		    .plain = plain_cpu(ir_attr_llvm_key(name), name_str(value)),
		    .machine = machine_part(ir_attr_llvm_key(name)),
		};
	return seen;
}

static void add_text_attribute(Lower *e, Holder h, const Name *name, const Name *value)
{
	TextAttribute *text = text_attribute(e, name, value);
	Str key = ir_attr_llvm_key(name);
	if (!text->attr)
		text->attr = LLVMCreateStringAttribute(e->context, key.data, (unsigned)key.len, value->text,
		                                       value->len);
	if (text->machine)
		e->machine.asked[text->machine - 1] = text->attr;
	add(h, at_function, text->attr);
}

/* Unknown ones: text is handed on to LLVM, the rest has no meaning there. */
static void add_unknown(Lower *e, Holder h, const Name *name, const IrAttr *a)
{
	if (name->id >= NAME_COUNT && a->kind == ATTR_STRING && !h.is_call)
		add_text_attribute(e, h, name, a->name);
	else if (a->kind == ATTR_ENUM && a->enum_class == ENUM_INLINE)
		add_inline(e, h, a);
}

static void add_named(Lower *e, Holder h, const Name *name, const IrAttr *a)
{
	unsigned row = name->id < NAME_COUNT ? unit_attrs[name->id] : 0;
	if (row) {
		add(h, at_function, unit(e, (EnumAttr)row));
		return;
	}
	if (name->id == NAME_modular_format) {
		add_modular_format(e, h, a);
		return;
	}
	if (name->id < NAME_COUNT && text_attrs[name->id].key) {
		add_text(e, h, name->id, a);
		return;
	}
	switch (name->id) {
	case NAME_inline_kind:
		add_inline(e, h, a);
		break;
	case NAME_memory_effects:
		add_memory_effects(e, h, a);
		break;
	case NAME_side_effect:
		add_side_effect(e, h, a);
		break;
	case NAME_builtin: /* of a function: that circ's user calls it so */
		if (h.is_call && !h.own)
			add(h, at_function, unit(e, LLVM_builtin));
		break;
	case NAME_always_inline: /* of a function it is the inline kind, of a call: see lower_call_attributes() */
		break;
	case NAME_no_builtin:
		if (h.is_call)
			add(h, at_function, unit(e, LLVM_nobuiltin));
		break;
	case NAME_nobuiltins:
		add_no_builtins(e, h, a);
		break;
	case NAME_allocsize:
		add_alloc_size(e, h, a);
		break;
	case NAME_extra:
	case NAME_default_func_attrs:
		add_dict(e, h, a);
		break;
	default:
		add_unknown(e, h, name, a);
	}
}

static void add_all(Lower *e, Holder h, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		add_named(e, h, op->attrs[i].name, op->attrs[i].value);
}

static bool says_plain(const Lower *e, const IrNamedAttr *a, PlainCpu what)
{
	return a->name->id >= NAME_COUNT && a->value->kind == ATTR_STRING &&
	       text_attribute(e, a->name, a->value->name)->plain == what;
}

static bool is_for_plain_cpu(const Lower *e, const IrOp *func)
{
	for (uint32_t i = 0; i < func->nattrs; i++)
		if (says_plain(e, &func->attrs[i], PLAIN_CPU))
			return true;
	return false;
}

/* LLVM wants it where `optnone` is, which may be among others in a dictionary. */
static bool is_spare_noinline(const IrOp *func, const IrNamedAttr *a)
{
	return a->name->id == NAME_inline_kind && a->value->kind == ATTR_ENUM &&
	       a->value->bits == INLINE_NO_INLINE && !ir_op_has(func, NAME_extra) &&
	       !ir_op_has(func, NAME_default_func_attrs);
}

/* Of a function that is compiled as it stands, without what that does not change: an attribute takes LLVM as long as
 * reading two ops takes circ. */
static void add_needed(Lower *e, Holder h, const IrOp *func)
{
	bool plain = e->options->plain_cpu && is_for_plain_cpu(e, func);
	for (uint32_t i = 0; i < func->nattrs; i++) {
		const IrNamedAttr *a = &func->attrs[i];
		if (!(plain && says_plain(e, a, PLAIN_IMPLIED)) && !is_spare_noinline(func, a))
			add_named(e, h, a->name, a->value);
	}
}

/* Parameters */

/* Before LLVM 21 an attribute of its own, then the empty set of captures. */
static LLVMAttributeRef no_capture(const Lower *e)
{
	return unit(e, e->enum_kinds[LLVM_captures] ? LLVM_captures : LLVM_nocapture);
}

/* LLVM's limit is higher, but nobody has such a stack. */
static bool check_by_value(Lower *e, IrType *t)
{
	if (ir_type_size(t) <= INT32_MAX)
		return true;
	lower_error(e, "a parameter of type '%s' is larger than %d bytes; pass its address",
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
		return e->enum_kinds[attr] ? unit(e, attr) : NULL;
	case FORM_WHOLE:
		return is_of_all(a) && e->enum_kinds[attr] ? unit(e, attr) : NULL;
	case FORM_NO_CAPTURE:
		return no_capture(e);
	case FORM_NUMBER:
		return ir_attr_get_u64(a, &number) ? valued(e, attr, number) : NULL;
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

/* Each attribute that is added makes LLVM a new list of all: half of lowering a front
 * end's module, were hints added, too. */
static bool is_needed(const Lower *e, const IrAttr *dict, unsigned row)
{
	ParamUse use = params[row - 1].use;
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

static void add_params(Lower *e, Holder h, unsigned index, const IrAttr *dict)
{
	if (dict->kind != ATTR_DICT || is_spare(e, dict))
		return;
	for (uint32_t i = 0; i < dict->n; i++) {
		unsigned row = e->param_rows[dict->keys[i]->id];
		LLVMAttributeRef a =
		    row && is_needed(e, dict, row) ? param_attribute(e, row - 1, dict->elems[i]) : NULL;
		if (a)
			add(h, index, a);
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

/* One parameter or result: booleans are passed as 0 or 1 in a whole register (cir-reference 2.1). */
static void add_place(Lower *e, Holder h, unsigned index, const IrType *t, const IrAttr *dict)
{
	if (dict)
		add_params(e, h, index, dict);
	if (t->kind == TYPE_BOOL && !is_extended(dict))
		add(h, index, unit(e, LLVM_zeroext));
}

static const IrAttr *place_dict(const IrAttr *list, uint32_t i)
{
	return list && list->kind == ATTR_ARRAY && i < list->n ? list->elems[i] : NULL;
}

/* The unwinder walks through every frame: the tables are for all functions, as clang has them on x86_64. */
static TableKind table_kind(const IrOp *func)
{
	const IrAttr *a = ir_op_attr(func, NAME_uwtable);
	const IrAttr *kind =
	    a && a->kind == ATTR_PARAMS && a->row == ATTR_ROW_UWTABLE ? a->elems[UWTABLE_KIND] : NULL;
	bool sync = kind && kind->kind == ATTR_STRING && str_equal(name_str(kind->name), STR("sync"));
	return sync ? TABLE_SYNC : TABLE_ASYNC;
}

/* LLVM's word for a #cir.frame_pointer, or NULL. What reserves no register is new in LLVM 22. */
static const char *frame_pointer_word(const Lower *e, const IrAttr *a)
{
	const struct {
		const char *ours, *llvm;
	} words[] = {{"none", "none"},
	             {"non_leaf", "non-leaf"},
	             {"non_leaf_no_reserve", e->llvm_major < 22 ? "non-leaf" : "non-leaf-no-reserve"},
	             {"all", "all"},
	             {"reserved", "reserved"}};
	const IrAttr *kind = a && a->kind == ATTR_PARAMS && a->row == ATTR_ROW_FRAME_POINTER
	                         ? a->elems[FRAME_POINTER_KIND]
	                         : NULL;
	for (unsigned i = 0; kind && kind->kind == ATTR_STRING && i < ARRAY_LEN(words); i++)
		if (str_is(name_str(kind->name), words[i].ours))
			return words[i].llvm;
	return NULL;
}

/* Where a front end says it of functions, or of the module, a function of which it says nothing has none. */
static void add_frame_pointer(Lower *e, Holder h, const IrOp *func, bool defined)
{
	const char *own = frame_pointer_word(e, ir_op_attr(func, NAME_frame_pointer));
	if (own)
		add(h, at_function,
		    LLVMCreateStringAttribute(e->context, "frame-pointer", 13, own, (unsigned)strlen(own)));
	else if (defined && e->options->frame_pointers && !e->coff &&
	         !ir_module_attr(e->m, NAME_cir_frame_pointer))
		add(h, at_function, e->frame_pointer);
}

static bool says(LLVMValueRef function, Str key, Str value)
{
	LLVMAttributeRef a =
	    LLVMGetStringAttributeAtIndex(function, at_function, key.data, (unsigned)key.len);
	unsigned len = 0;
	const char *text = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
	return text && (!value.len || str_equal((Str){text, len}, value));
}

/* LLVM ends the process over the table of XRay, for which it knows no section of COFF. */
static void check_xray(Lower *e, LLVMValueRef function)
{
	if (says(function, STR("function-instrument"), STR("xray-never")))
		return;
	if (says(function, STR("function-instrument"), STR("xray-always")) ||
	    says(function, STR("xray-instruction-threshold"), STR("")))
		lower_error(e, "XRay, which attributes of the function ask for, knows no COFF");
}

/* Functions of libraries that return again when longjmp and the like are called, as clang knows them. LLVM knows them by
 * the attribute alone, which not every front end prints: without it, what is needed behind the second return
 * shares its place with something else. */
static bool returns_again(Str name)
{
	static const char *const names[] = {
	    "setjmp",  "_setjmp",        "_setjmpex", "sigsetjmp",  "__sigsetjmp",
	    "qsetjmp", "setjmp_syscall", "savectx",   "getcontext", "vfork",
	};
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (str_equal(name, str_of(names[i])))
			return true;
	return false;
}

void lower_function_attributes(Lower *e, LLVMValueRef function, const IrOp *func)
{
	Holder h = {function, false};
	e->machine = (Machine){{NULL}};
	const IrAttr *args = ir_op_attr(func, NAME_arg_attrs), *res = ir_op_attr(func, NAME_res_attrs);
	const IrType *t = ir_func_type(func);
	bool defined = !ir_func_is_declaration(func);
	add_frame_pointer(e, h, func, defined);
	/* a string "frame-pointer" of the function, if any, replaces the above */
	if (e->options->code_only)
		add_needed(e, h, func);
	else
		add_all(e, h, func);
	if (defined && e->coff)
		check_xray(e, function);
	bool placed = !ir_signature_incomplete(t);
	for (uint32_t i = 0; i < t->nmembers && placed; i++)
		add_place(e, h, i + 1, t->members[i], place_dict(args, i));
	if (placed)
		add_place(e, h, 0, t->elem, place_dict(res, 0));
	add_noinline_to_optnone(e, h, func);
	if (defined)
		add(h, at_function, e->tables[table_kind(func)]);
	else if (returns_again(name_str(ir_symbol_name(func))))
		add(h, at_function, unit(e, LLVM_returns_twice));
}

/* What such a function does is known, and LLVM must not believe `builtin` over it: that memory from an operator
 * new that is not inlined holds no values yet, though the program's own has put some there. Bodies are dropped
 * when they have been lowered. */
static bool calls_definition(LLVMValueRef call, const IrOp *op)
{
	const IrOp *callee = ir_symbol(ir_call_callee(op));
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
	return callee && function && (!ir_func_is_declaration(callee) || !LLVMIsDeclaration(function));
}

/* LLVM reads the same of the callee, unless that is an alias. */
static bool is_spare_nounwind(const IrOp *call, const IrNamedAttr *a)
{
	if (a->name->id >= NAME_COUNT || unit_attrs[a->name->id] != LLVM_nounwind)
		return false;
	const IrOp *callee = ir_symbol(ir_call_callee(call));
	return callee && !ir_op_has(callee, NAME_aliasee) && ir_op_is_nothrow(callee);
}

static void add_call(Lower *e, Holder h, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		if (!e->options->code_only || !is_spare_nounwind(op, &op->attrs[i]))
			add_named(e, h, op->attrs[i].name, op->attrs[i].value);
}

void lower_call_attributes(Lower *e, LLVMValueRef call, const IrOp *op)
{
	Holder h = {call, true, calls_definition(call, op)};
	const IrAttr *args = ir_op_attr(op, NAME_arg_attrs), *res = ir_op_attr(op, NAME_res_attrs);
	add_call(e, h, op);
	add_noinline_to_optnone(e, h, op);
	if (ir_op_has(op, NAME_always_inline) && !has(e, h, LLVM_noinline))
		add(h, at_function, unit(e, LLVM_alwaysinline));
	uint32_t n = ir_call_nargs(op);
	for (uint32_t i = 0; i < n; i++)
		add_place(e, h, i + 1, ir_call_arg(op, i)->type, place_dict(args, i));
	if (op->nresults)
		add_place(e, h, 0, op->results[0].type, place_dict(res, 0));
}

void lower_library_attributes(Lower *e, LLVMValueRef call, const IrOp *op, const char *name)
{
	Holder h = {call, true, false};
	const IrAttr *names = ir_op_attr(op, NAME_nobuiltins);
	add_all(e, h, op);
	bool plain = names && names->kind == ATTR_ARRAY && names->n == 0;
	for (uint32_t i = 0; names && names->kind == ATTR_ARRAY && i < names->n; i++)
		plain |=
		    names->elems[i]->kind == ATTR_STRING && strcmp(names->elems[i]->name->text, name) == 0;
	if (plain)
		add(h, at_function, unit(e, LLVM_nobuiltin));
}

void lower_mark_strictfp(Lower *e)
{
	if (!LLVMGetEnumAttributeAtIndex(e->function, LLVMAttributeFunctionIndex,
	                                 e->enum_kinds[LLVM_strictfp]))
		LLVMAddAttributeAtIndex(e->function, LLVMAttributeFunctionIndex, unit(e, LLVM_strictfp));
}

/* lower/attribute_named.c: what functions and calls say by name (cir-reference 4.2). */
#include "lower/attribute.h"

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

static void add_inline(const Lower *e, Holder h, const IrAttr *a)
{
	static const uint8_t kinds[] = {
	    [INLINE_NO_INLINE] = LLVM_noinline,
	    [INLINE_ALWAYS_INLINE] = LLVM_alwaysinline,
	    [INLINE_INLINE_HINT] = LLVM_inlinehint,
	};
	unsigned kind;
	if (ir_attr_inline_kind(a, &kind) && !(kind == INLINE_INLINE_HINT && h.is_call))
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, (EnumAttr)kinds[kind]));
}

static void add_string(const Lower *e, Holder h, Str key, Str value)
{
	attribute_add(h, ATTRIBUTE_OF_FUNCTION,
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
	attribute_add(h, ATTRIBUTE_OF_FUNCTION,
	              attribute_valued(e, LLVM_allocsize, (uint64_t)at[0] << 32 | at[1]));
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
		lower_error(e, ": attribute 'modular_format' must be \"flavor,format,first,function,aspect\" "
		               "with the number of a parameter as 'first'");
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
 * X86TargetMachine::getSubtargetImpl, for one). */
static PlainCpu plain_cpu(const Lower *e, Str key, Str value)
{
	const char *cpu = e->target->machine->default_cpu;
	if (str_is(key, "target-cpu"))
		return str_is(value, cpu) ? PLAIN_CPU : PLAIN_NOTHING;
	const char *features = e->target->machine->cpus->plain_features;
	bool implied = (str_is(key, "tune-cpu") && str_is(value, "generic")) ||
	               (features && str_is(key, "target-features") && str_is(value, features));
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
		    .plain = plain_cpu(e, ir_attr_llvm_key(name), name_str(value)),
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
	attribute_add(h, ATTRIBUTE_OF_FUNCTION, text->attr);
}

LLVMAttributeRef attribute_by_name(Lower *e, const char *name, const IrAttr *a)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMTypeRef type;
	uint64_t number;
	if (!kind)
		return NULL;
	if (a->kind == ATTR_TYPE)
		return (type = lower_memory_type(e, a->type))
		           ? LLVMCreateTypeAttribute(e->context, kind, type)
		           : NULL;
	return a->kind == ATTR_UNIT          ? LLVMCreateEnumAttribute(e->context, kind, 0)
	       : ir_attr_get_u64(a, &number) ? LLVMCreateEnumAttribute(e->context, kind, number)
	                                     : NULL;
}

/* `circ.attributes`: LLVM's own, by its names; what is text is text there. */
static void add_llvm(Lower *e, Holder h, const IrAttr *dict)
{
	for (uint32_t i = 0; dict->kind == ATTR_DICT && i < dict->n; i++) {
		const Name *name = dict->keys[i];
		const IrAttr *a = dict->elems[i];
		if (a->kind == ATTR_STRING) {
			if (h.is_call)
				add_string(e, h, name_str(name), name_str(a->name));
			else
				add_text_attribute(e, h, name, a->name);
			continue;
		}
		LLVMAttributeRef attr = attribute_by_name(e, name->text, a);
		if (attr)
			attribute_add(h, ATTRIBUTE_OF_FUNCTION, attr);
	}
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
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, (EnumAttr)row));
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
		attribute_add_memory_effects(e, h, a);
		break;
	case NAME_side_effect:
		attribute_add_side_effect(e, h, a);
		break;
	case NAME_builtin: /* of a function: that circ's user calls it so */
		if (h.is_call && !h.own)
			attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_builtin));
		break;
	case NAME_always_inline: /* of a function it is the inline kind, of a call: see lower_call_attributes() */
		break;
	case NAME_no_builtin:
		if (h.is_call)
			attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_nobuiltin));
		break;
	case NAME_nobuiltins:
		add_no_builtins(e, h, a);
		break;
	case NAME_allocsize:
		add_alloc_size(e, h, a);
		break;
	case NAME_circ_attributes:
		add_llvm(e, h, a);
		break;
	case NAME_extra:
	case NAME_default_func_attrs:
		add_dict(e, h, a);
		break;
	default:
		add_unknown(e, h, name, a);
	}
}

void attribute_add_named(Lower *e, Holder h, const IrOp *op)
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

void attribute_add_needed(Lower *e, Holder h, const IrOp *func)
{
	bool plain = e->options->plain_cpu && is_for_plain_cpu(e, func);
	for (uint32_t i = 0; i < func->nattrs; i++) {
		const IrNamedAttr *a = &func->attrs[i];
		if (!(plain && says_plain(e, a, PLAIN_IMPLIED)) && !is_spare_noinline(func, a))
			add_named(e, h, a->name, a->value);
	}
}

/* LLVM reads the same of the callee, unless that is an alias. */
static bool is_spare_nounwind(const IrOp *call, const IrNamedAttr *a)
{
	if (a->name->id >= NAME_COUNT || unit_attrs[a->name->id] != LLVM_nounwind)
		return false;
	const IrOp *callee = ir_symbol(ir_call_callee(call));
	return callee && !ir_op_has(callee, NAME_aliasee) && ir_op_is_nothrow(callee);
}

void attribute_add_of_call(Lower *e, Holder h, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		if (!e->options->code_only || !is_spare_nounwind(op, &op->attrs[i]))
			add_named(e, h, op->attrs[i].name, op->attrs[i].value);
}

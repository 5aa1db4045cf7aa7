/* Of which kind the attributes are that functions and calls have by a name of LLVM's, and what flags fast math has. */
#include "verify/verifier.h"

typedef enum TraitKind {
	TRAIT_FREE, /* not here */
	TRAIT_UNIT,
	TRAIT_TEXT,
	TRAIT_NAMES,
	TRAIT_EFFECTS,
	TRAIT_TABLE,
	TRAIT_FRAME,
	TRAIT_KIND_COUNT,
} TraitKind;

static const uint8_t traits[NAME_COUNT] = {
    [NAME_nothrow] = TRAIT_UNIT,
    [NAME_nounwind] = TRAIT_UNIT,
    [NAME_no_unwind] = TRAIT_UNIT,
    [NAME_noreturn] = TRAIT_UNIT,
    [NAME_no_return] = TRAIT_UNIT,
    [NAME_cold] = TRAIT_UNIT,
    [NAME_hot] = TRAIT_UNIT,
    [NAME_convergent] = TRAIT_UNIT,
    [NAME_noduplicate] = TRAIT_UNIT,
    [NAME_nocallback] = TRAIT_UNIT,
    [NAME_mustprogress] = TRAIT_UNIT,
    [NAME_nofree] = TRAIT_UNIT,
    [NAME_norecurse] = TRAIT_UNIT,
    [NAME_nosync] = TRAIT_UNIT,
    [NAME_nomerge] = TRAIT_UNIT,
    [NAME_returns_twice] = TRAIT_UNIT,
    [NAME_optsize] = TRAIT_UNIT,
    [NAME_minsize] = TRAIT_UNIT,
    [NAME_optnone] = TRAIT_UNIT,
    [NAME_optimize_none] = TRAIT_UNIT,
    [NAME_always_inline] = TRAIT_UNIT,
    [NAME_strictfp] = TRAIT_UNIT,
    [NAME_willreturn] = TRAIT_UNIT,
    [NAME_musttail] = TRAIT_UNIT,
    [NAME_tail] = TRAIT_UNIT,
    [NAME_builtin] = TRAIT_UNIT,
    [NAME_no_builtin] = TRAIT_UNIT,
    [NAME_nobuiltin] = TRAIT_UNIT,
    [NAME_no_builtins] = TRAIT_UNIT,
    [NAME_sanitize_address] = TRAIT_UNIT,
    [NAME_sanitize_thread] = TRAIT_UNIT,
    [NAME_sanitize_memory] = TRAIT_UNIT,
    [NAME_sanitize_hwaddress] = TRAIT_UNIT,
    [NAME_circ_may_fault] = TRAIT_UNIT,
    [NAME_save_reg_params] = TRAIT_UNIT,
    [NAME_no_caller_saved_registers] = TRAIT_UNIT,
    [NAME_trap_func_name] = TRAIT_TEXT,
    [NAME_zero_call_used_regs] = TRAIT_TEXT,
    [NAME_nobuiltins] = TRAIT_NAMES,
    [NAME_memory_effects] = TRAIT_EFFECTS,
    [NAME_uwtable] = TRAIT_TABLE,
    [NAME_frame_pointer] = TRAIT_FRAME,
};

static const char *const wanted[TRAIT_KIND_COUNT] = {
    [TRAIT_UNIT] = "a unit attribute",     [TRAIT_TEXT] = "a string",
    [TRAIT_NAMES] = "an array of strings", [TRAIT_EFFECTS] = "#cir.memory_effects<…>",
    [TRAIT_TABLE] = "#cir.uwtable<…>",     [TRAIT_FRAME] = "#cir.frame_pointer<…>",
};

static const char *const tables[] = {"sync", "async", NULL};
static const char *const frames[] = {"none", "non_leaf", "non_leaf_no_reserve", "all", "reserved", NULL};

static bool are_texts(const IrAttr *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->elems[i]->kind != ATTR_STRING)
			return false;
	return true;
}

/* The word that is the attribute's only parameter. */
static bool says_one_of(const IrAttr *a, unsigned row, const char *const *words)
{
	const IrAttr *word = a->kind == ATTR_PARAMS && a->row == row ? a->elems[0] : NULL;
	if (!word || word->kind != ATTR_STRING)
		return false;
	while (*words && !str_is(name_str(word->name), *words))
		words++;
	return *words;
}

static bool fits(TraitKind kind, const IrAttr *a)
{
	switch (kind) {
	case TRAIT_UNIT:
		return a->kind == ATTR_UNIT;
	case TRAIT_TEXT:
		return a->kind == ATTR_STRING;
	case TRAIT_NAMES:
		return a->kind == ATTR_ARRAY && are_texts(a);
	case TRAIT_EFFECTS:
		return a->kind == ATTR_PARAMS && a->row == ATTR_ROW_MEMORY_EFFECTS;
	case TRAIT_TABLE:
		return says_one_of(a, ATTR_ROW_UWTABLE, tables);
	case TRAIT_FRAME:
		return says_one_of(a, ATTR_ROW_FRAME_POINTER, frames);
	default:
		return true;
	}
}

static bool check(Verifier *v, const IrOp *op, const Name *name, const IrAttr *a)
{
	TraitKind kind = name->id < NAME_COUNT ? (TraitKind)traits[name->id] : TRAIT_FREE;
	if (fits(kind, a))
		return true;
	verifier_error(v, op, ": expected attribute '%s' to be %s, found '%s'", name->text, wanted[kind],
	               ir_attr_str(v->arena, a));
	return false;
}

bool verifier_check_traits(Verifier *v, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nattrs; i++) {
		const Name *name = op->attrs[i].name;
		const IrAttr *a = op->attrs[i].value;
		bool bundle =
		    a->kind == ATTR_DICT && (name->id == NAME_extra || name->id == NAME_default_func_attrs);
		if (!check(v, op, name, a))
			return false;
		for (uint32_t k = 0; bundle && k < a->n; k++)
			if (!check(v, op, a->keys[k], a->elems[k]))
				return false;
	}
	return true;
}

/* Fast math */

/* The next word of `reassoc, nnan>`, without the blanks around it. */
static Str next_flag(const char **at)
{
	const char *begin = *at + strspn(*at, " "), *end = begin + strcspn(begin, ",|>");
	*at = end;
	while (end > begin && end[-1] == ' ')
		end--;
	return (Str){begin, (size_t)(end - begin)};
}

static bool check_flags(Verifier *v, const IrOp *op, NameId name)
{
	static const char *const words[] = {"none", "reassoc", "nnan",     "ninf", "nsz",
	                                    "arcp", "afn",     "contract", "fast"};
	static const char prefix[] = "#cir.fastmath<";
	const IrAttr *a = ir_op_attr(op, name);
	if (!a)
		return true;
	const char *text = ir_known_name(v->m, name)->text;
	if (a->kind != ATTR_OPAQUE || !str_begins_with(name_str(a->name), STR("#cir.fastmath<"))) {
		verifier_error(v, op, ": expected attribute '%s' to be #cir.fastmath<…>", text);
		return false;
	}
	const char *at = a->name->text + sizeof prefix - 1;
	if (*at == '>')
		return true;
	do {
		Str flag = next_flag(&at);
		unsigned i = 0;
		while (i < ARRAY_LEN(words) && !str_is(flag, words[i]))
			i++;
		if (i < ARRAY_LEN(words))
			continue;
		verifier_error(v, op, ": '%.*s' is not a flag of '%s'", (int)flag.len, flag.data, text);
		return false;
	} while (*at++ != '>');
	return true;
}

bool verifier_check_fastmath(Verifier *v, const IrOp *op)
{
	return check_flags(v, op, NAME_fastmath) && check_flags(v, op, NAME_fastmath_flags);
}

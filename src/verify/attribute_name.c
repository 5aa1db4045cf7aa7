/* Names of attributes that resemble a known one: a misspelt `nothrow` changes the program, without a word. Others may be for
 * another tool and pass. Each name is looked up once a module, whatever it is on; those of names.def never. */
#include "base/suggest.h"
#include "verify/verifier.h"

enum { ON_OP = 1, ON_CALL = 2, ON_FUNC = 4, ON_GLOBAL = 8, ON_PARAM = 16, ON_MODULE = 32 };

enum {
	LETTERS_MIN = 5,  /* shorter words are near to too many others */
	EDITS_MAX = 2,    /* of longer ones, more are another word */
	NAMES_MAX = 1000, /* looked up; a module with more unknown ones is not written by hand */
};

static const char *const texts[NAME_COUNT] = {
#define NAME(id, text) [NAME_##id] = (text),
#include "ir/names.def"
};

/* Rows of names.def: from `first` up to `last`. */
static const struct {
	NameId first, last;
	unsigned on;
} rows[] = {
    {NAME_value, NAME_poison, ON_OP},
    {NAME_callee, NAME_callee_type, ON_CALL | ON_OP | ON_FUNC},
    {NAME_copy_fn, NAME_unwind_to_caller, ON_OP},
    {NAME_sym_name, NAME_global_dtor, ON_FUNC | ON_GLOBAL},
    {NAME_sym_type, NAME_init_priority, ON_GLOBAL},
    {NAME_personality, NAME_func_info, ON_FUNC | ON_CALL},
    {NAME_section, NAME_section, ON_FUNC},
    {NAME_preferred_alignment, NAME_preferred_alignment, ON_FUNC | ON_GLOBAL},
    {NAME_cold, NAME_optimize_none, ON_FUNC | ON_CALL},
    {NAME_frame_pointer, NAME_frame_pointer, ON_FUNC | ON_CALL},
    {NAME_strictfp, NAME_catch_copy_thunk, ON_FUNC | ON_CALL},
    {NAME_alignment, NAME_annotations, ON_FUNC | ON_GLOBAL},
    {NAME_ms_name, NAME_ms_inheritance, ON_GLOBAL},
    {NAME_dll, NAME_dll, ON_FUNC | ON_GLOBAL},
    {NAME_return_slot, NAME_return_slot, ON_OP},
    {NAME_ms_method, NAME_cir_instance_method, ON_FUNC | ON_CALL},
    {NAME_cir_triple, NAME_cir_record_traits, ON_MODULE},
    {NAME_lowering_lang_options, NAME_cir_cxx_abi, ON_MODULE},
    {NAME_cir_frame_pointer, NAME_cir_frame_pointer, ON_MODULE},
};

/* Words that are none, for what is probably meant. */
static const struct {
	const char *word, *meant;
	unsigned on;
} others[] = {
    {"align", "alignment", ON_OP | ON_FUNC | ON_GLOBAL},
    {"noinline", "inline_kind", ON_FUNC | ON_CALL},
    {"no_inline", "inline_kind", ON_FUNC | ON_CALL},
    {"inline_hint", "inline_kind", ON_FUNC | ON_CALL},
};

/* LLVM's without a rule of their own (verify/param_attribute.c). */
static const char *const passing[] = {
    "llvm.noundef", "llvm.nofree",   "llvm.noext",    "llvm.noinline",  "llvm.range",      "llvm.captures",
    "llvm.immarg",  "llvm.inalloca", "llvm.allocptr", "llvm.swiftself", "llvm.swiftasync", "llvm.allocalign",
};

/* `cir.`, `llvm.`, or nothing. */
static Str dialect_of(Str name)
{
	const char *dot = memchr(name.data, '.', name.len);
	return (Str){name.data, dot ? (size_t)(dot - name.data) + 1 : 0};
}

typedef struct Search {
	Suggestion s; /* of what follows the dialect */
	Str dialect;
	const char *meant;
	bool exact;
} Search;

static void try(Search *q, const char *word, const char *meant)
{
	Str w = str_of(word), dialect = dialect_of(w), before = q->s.best;
	if (!str_equal(dialect, q->dialect))
		return;
	w = (Str){w.data + dialect.len, w.len - dialect.len};
	if (w.len < LETTERS_MIN || *w.data != *q->s.word.data)
		return;
	suggest_try(&q->s, w);
	if (q->s.best.data != before.data)
		q->meant = meant;
	q->exact |= str_equal(w, q->s.word) && word == meant;
}

/* clang writes them with its dialect before them, "cir.target-cpu". */
static void try_text_key(Search *q, const char *word)
{
	Str dialect = q->dialect;
	if (str_equal(dialect, STR("cir.")))
		q->dialect.len = 0;
	try(q, word, word);
	q->dialect = dialect;
}

static void try_all(Search *q, unsigned on)
{
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
		for (unsigned n = rows[i].first; rows[i].on & on && n <= (unsigned)rows[i].last; n++)
			try(q, texts[n], texts[n]);
	for (unsigned i = 0; i < ARRAY_LEN(others); i++)
		if (others[i].on & on)
			try(q, others[i].word, others[i].meant);
	const char *word;
	for (unsigned i = 0; on & ON_FUNC && (word = verifier_text_attr(i)); i++)
		try_text_key(q, word);
	for (unsigned i = 0; on & ON_PARAM && (word = verifier_param_attr(i)); i++)
		try(q, word, word);
	for (unsigned i = 0; on & ON_PARAM && i < ARRAY_LEN(passing); i++)
		try(q, passing[i], passing[i]);
}

/* The name that was probably meant, or NULL. */
static const char *meant_by(const Name *name, unsigned on)
{
	Str text = name_str(name), dialect = dialect_of(text);
	Str word = {text.data + dialect.len, text.len - dialect.len};
	if (word.len < LETTERS_MIN)
		return NULL;
	Search q = {.s = suggest_begin(word), .dialect = dialect};
	if (q.s.most > EDITS_MAX)
		q.s.most = EDITS_MAX;
	try_all(&q, on);
	return q.exact ? NULL : q.meant;
}

static void check(Verifier *v, Loc loc, const Name *name, unsigned on)
{
	if (BASE_LIKELY(name->id < NAME_COUNT || v->judged[name->id] & on))
		return;
	v->judged[name->id] |= (uint8_t)on;
	if (name->id < v->m->judged_names || v->nlooked_up++ >= NAMES_MAX)
		return;
	const char *meant = meant_by(name, on);
	if (!meant)
		return;
	Str dialect = dialect_of(name_str(name));
	const char *before = dialect_of(str_of(meant)).len ? "" : name->text;
	diag_warning(v->d, loc, "unknown attribute '%s'; did you mean '%.*s%s'?", name->text,
	             *before ? (int)dialect.len : 0, before, meant);
}

static void check_dict(Verifier *v, Loc loc, const IrAttr *dict, unsigned on)
{
	for (uint32_t i = 0; dict->kind == ATTR_DICT && i < dict->n; i++)
		check(v, loc, dict->keys[i], on);
}

static void check_params(Verifier *v, Loc loc, const IrAttr *list)
{
	for (uint32_t i = 0; list && list->kind == ATTR_ARRAY && i < list->n; i++) {
		const IrAttr *dict = list->elems[i];
		if (v->judged_dicts[dict->id])
			continue;
		v->judged_dicts[dict->id] = 1;
		check_dict(v, loc, dict, ON_PARAM);
	}
}

static unsigned holder(const IrOp *op)
{
	if (op->kind == OP_FUNC)
		return ON_FUNC;
	if (op->kind == OP_GLOBAL)
		return ON_GLOBAL;
	return op_info[op->kind].flags & OPF_CALLS ? ON_CALL : ON_OP;
}

void verifier_check_attr_names(Verifier *v, const IrOp *op)
{
	unsigned on = holder(op);
	for (uint32_t i = 0; i < op->nattrs; i++)
		check(v, op->loc, op->attrs[i].name, on);
	if (!(on & (ON_FUNC | ON_CALL)))
		return;
	check_params(v, op->loc, ir_op_attr(op, NAME_arg_attrs));
	check_params(v, op->loc, ir_op_attr(op, NAME_res_attrs));
	const IrAttr *extra = ir_op_attr(op, NAME_extra);
	const IrAttr *bundle = ir_op_attr(op, NAME_default_func_attrs);
	if (extra)
		check_dict(v, op->loc, extra, on);
	if (bundle)
		check_dict(v, op->loc, bundle, on);
}

void verifier_check_module_names(Verifier *v)
{
	for (uint32_t i = 0; i < v->m->nmodule_attrs; i++)
		check(v, v->m->attrs_loc, v->m->module_attrs[i].name, ON_MODULE);
}

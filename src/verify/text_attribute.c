/* Function attributes that go to LLVM as text, as far as LLVM minds what they say. Others pass. */
#include "verify/verifier.h"

static const char flag_words[] = "false true";
static const char a_number[] = "#";      /* decimal */
static const char a_cpu[] = "=";         /* a word; which ones there are only LLVM knows */
static const char a_text[] = "$";        /* anything, as a string of C */
static const char not_here[] = "";       /* of calls, or about types as LLVM has them */
static const char feature_list[] = "+-"; /* +a,-b */
static const char registers[] = "skip used-gpr-arg used-gpr used-arg used all-gpr-arg all-gpr all-arg all";
static const char counters[] = "mcount .mcount llvm.arm.gnu.eabi.mcount \1_mcount \1mcount __mcount _mcount "
                               "__cyg_profile_func_enter_bare "
                               "__cyg_profile_func_enter __cyg_profile_func_exit";
static const char modes[] = "ieee preserve-sign positive-zero dynamic"; /* one, or `one,one` */

/* What is none of these is a list of the words that are allowed. */
static const struct {
	const char *name, *values;
} known[] = {
    {"frame-pointer", "all non-leaf non-leaf-no-reserve none reserved"},
    {"target-cpu", a_cpu},
    {"tune-cpu", a_cpu},
    {"target-features", feature_list},
    {"aarch64_zt0_undef", not_here},
    {"modular-format", not_here},
    {"vector-function-abi-variant", not_here},
    {"instrument-function-entry", counters},
    {"instrument-function-entry-inlined", counters},
    {"instrument-function-exit", counters},
    {"instrument-function-exit-inlined", counters},
    {"denormal-fp-math", modes},
    {"denormal-fp-math-f32", modes},
    {"zero-call-used-regs", registers},
    {"zero_call_used_regs", registers},
    {"min-legal-vector-width", a_number},
    {"patchable-function-entry", a_number},
    {"patchable-function-prefix", a_number},
    {"stack-probe-size", a_number},
    {"stack-protector-buffer-size", a_number},
    {"warn-stack-size", a_number},
    {"xray-instruction-threshold", a_number},
    {"patchable-function-entry-section", a_text},
    {"allow_direct_access_in_hot_patch_function", flag_words},
    {"approx-func-fp-math", flag_words},
    {"branch-protection-pauth-lr", flag_words},
    {"branch-target-enforcement", flag_words},
    {"guarded-control-stack", flag_words},
    {"less-precise-fpmad", flag_words},
    {"no-infs-fp-math", flag_words},
    {"loader-replaceable", flag_words},
    {"marked_for_windows_hot_patching", flag_words},
    {"no-inline-line-tables", flag_words},
    {"no-jump-tables", flag_words},
    {"no-nans-fp-math", flag_words},
    {"no-signed-zeros-fp-math", flag_words},
    {"profile-sample-accurate", flag_words},
    {"unsafe-fp-math", flag_words},
    {"use-sample-profile", flag_words},
    {"sign-return-address", "all non-leaf none"},
    {"sign-return-address-key", "a_key b_key"},
};

const char *verifier_text_attr(unsigned row)
{
	return row < ARRAY_LEN(known) ? known[row].name : NULL;
}

static bool is_number(Str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.data[i] < '0' || s.data[i] > '9')
			return false;
	return s.len > 0 && s.len < 10;
}

/* Empty is the default. */
static bool is_name(Str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.data[i] <= ' ' || s.data[i] > '~')
			return false;
	return true;
}

static bool is_feature(Str s)
{
	return s.len > 1 && (s.data[0] == '+' || s.data[0] == '-') && is_name(s);
}

static Str piece(Str *s, char separator)
{
	const char *end = memchr(s->data, separator, s->len);
	size_t len = end ? (size_t)(end - s->data) : s->len;
	Str first = {s->data, len};
	size_t taken = end ? len + 1 : len;
	*s = (Str){s->data + taken, s->len - taken};
	return first;
}

static bool is_word_of(Str s, const char *words)
{
	Str rest = str_of(words);
	while (rest.len)
		if (str_equal(piece(&rest, ' '), s))
			return true;
	return false;
}

static bool fits(Str value, const char *values)
{
	if (values == a_number)
		return is_number(value);
	if (values == a_text)
		return value.len && !memchr(value.data, 0, value.len);
	if (values == a_cpu)
		return is_name(value);
	if (values == flag_words)
		return !value.len || is_word_of(value, values);
	if (value.len && value.data[value.len - 1] == ',')
		return false;
	uint32_t pieces = 0;
	while (value.len) {
		Str one = piece(&value, ',');
		if (values == feature_list ? !is_feature(one) : !is_word_of(one, values))
			return false;
		pieces++;
	}
	return values == feature_list || pieces == 1 || (pieces == 2 && values == modes);
}

static bool check(Verifier *v, const IrOp *op, Name *name, const IrAttr *a)
{
	IrNamedAttr *fitting = &v->fitting_text[name->id % ARRAY_LEN(v->fitting_text)];
	if (a->kind != ATTR_STRING || (fitting->name == name && fitting->value == a))
		return true;
	for (uint32_t i = 0; i < ARRAY_LEN(known); i++) {
		if (!str_is(ir_attr_llvm_key(name), known[i].name) ||
		    fits(name_str(a->name), known[i].values))
			continue;
		verifier_error(v, op, ": attribute '%s' has the value '%s', which LLVM does not know",
		               name->text, a->name->text);
		return false;
	}
	*fitting = (IrNamedAttr){name, a};
	return true;
}

bool verifier_check_text_attrs(Verifier *v, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nattrs; i++) {
		const IrAttr *a = op->attrs[i].value;
		bool bundle = a->kind == ATTR_DICT &&
		              (op->attrs[i].name == ir_known_name(v->m, NAME_extra) ||
		               op->attrs[i].name == ir_known_name(v->m, NAME_default_func_attrs));
		if (!check(v, op, op->attrs[i].name, a))
			return false;
		for (uint32_t k = 0; bundle && k < a->n; k++)
			if (!check(v, op, a->keys[k], a->elems[k]))
				return false;
	}
	return true;
}

/* edit_name.c: type infos renamed to those of other types, by the grammar of the Itanium C++ ABI (5.1): what is changed at
 * random in a mangled name is none. Substitutions are drawn blindly: some name what has not been. */
#include "edit.h"

#include "base/vec.h"

enum { DEPTH_MAX = 5, NAME_MAX_LEN = 2000 };

typedef struct Writer {
	Edit *e;
	StrBuf out;
	unsigned depth;
} Writer;

static void put_type(Writer *w);
static void put_class(Writer *w);

static void put(Writer *w, const char *text)
{
	buf_put(w->e->arena, &w->out, str_of(text));
}

static void put_one(Writer *w, const char *const *words, uint32_t n)
{
	put(w, words[pick_below(w->e, n)]);
}
#define PUT_ONE(w, words) put_one(w, words, ARRAY_LEN(words))

static void put_builtin(Writer *w)
{
	static const char *const words[] = {
	    "v",  "w",  "b",     "c",  "a",     "h",    "s",      "t",     "i",     "j",     "l",
	    "m",  "x",  "y",     "n",  "o",     "f",    "d",      "e",     "g",     "Dn",    "Du",
	    "Ds", "Di", "DF16_", "Dh", "DF16b", "DB7_", "DU128_", "Dv4_f", "Dv2_x", "Dv3_i", "Cf",
	};
	PUT_ONE(w, words);
}

static void put_number(Writer *w)
{
	static const char *const words[] = {"0",
	                                    "1",
	                                    "2",
	                                    "9",
	                                    "10",
	                                    "11",
	                                    "16",
	                                    "255",
	                                    "4294967295",
	                                    "9223372036854775808",
	                                    "18446744073709551615"};
	PUT_ONE(w, words);
}

static void put_argument(Writer *w)
{
	static const char *const literals[] = {"b", "i", "m", "x", "y", "c", "Dn"};
	switch (pick_below(w->e, 6)) {
	case 0:
		put(w, "L");
		PUT_ONE(w, literals);
		put(w, pick_one_in(w->e, 3) ? "n" : "");
		put_number(w);
		put(w, "E");
		break;
	case 1:
		put(w, "J");
		for (uint32_t n = pick_below(w->e, 4); n; n--)
			put_type(w);
		put(w, "E");
		break;
	default:
		put_type(w);
	}
}

static void put_arguments(Writer *w)
{
	put(w, "I");
	for (uint32_t n = pick_below(w->e, 4); n; n--)
		put_argument(w);
	put(w, "E");
}

/* Classes that circ knows without a record or an attribute are there so that the rest of the name is reached. */
static void put_class(Writer *w)
{
	static const char *const names[] = {
	    "St9exception", "St13runtime_error", "St9bad_alloc", "Ss",     "So", "Sd", "1S", "1C", "1U",
	    "1E",           "1SB3tag",           "2ns",          "3BoxL1x"};
	static const char *const simple[] = {"1S", "1C", "1U", "1E", "1SB3tag", "2ns", "3BoxL1x"};
	static const char *const scopes[] = {"St", "2ns", "1S", "3BoxIiE", "S_", "S0_", "Sb"};
	switch (pick_below(w->e, 6)) {
	case 0:
		put(w, "N");
		PUT_ONE(w, scopes);
		PUT_ONE(w, simple);
		if (pick_one_in(w->e, 2))
			put_arguments(w);
		put(w, "E");
		break;
	case 1:
		put(w, "3Box");
		put_arguments(w);
		break;
	case 2:
		put(w, "St6vectorI");
		put_type(w);
		put(w, "SaIS_EE");
		break;
	default:
		PUT_ONE(w, names);
	}
}

static void put_function(Writer *w, bool member)
{
	static const char *const qualifiers[] = {"", "", "", "K", "V", "VK"}, *const ref[] = {"", "", "R",
	                                                                                      "O"};
	if (member)
		PUT_ONE(w, qualifiers);
	put(w, pick_one_in(w->e, 4) ? "DoF" : "F");
	put_type(w);
	uint32_t n = pick_below(w->e, 5);
	if (!n)
		put(w, "v");
	for (; n; n--)
		put_type(w);
	put(w, pick_one_in(w->e, 6) ? "z" : "");
	if (member)
		PUT_ONE(w, ref);
	put(w, "E");
}

static void put_compound(Writer *w)
{
	static const char *const prefixes[] = {"P", "P", "P", "PK", "PV", "PVK",
	                                       "K", "V", "R", "O",  "rP", "C"};
	static const char *const substitutions[] = {"S_", "S0_", "S1_", "S2_", "SA_", "S10_"};
	switch (pick_below(w->e, 10)) {
	case 0:
		put(w, pick_one_in(w->e, 2) ? "A" : "PA");
		if (!pick_one_in(w->e, 6))
			put_number(w);
		put(w, "_");
		put_type(w);
		break;
	case 1:
		put(w, "P");
		put_function(w, false);
		break;
	case 2:
		put(w, "M");
		put_class(w);
		put_function(w, true);
		break;
	case 3:
		put(w, "M");
		put_class(w);
		put_type(w);
		break;
	case 4:
		PUT_ONE(w, substitutions);
		break;
	case 5:
	case 6:
		put_class(w);
		break;
	default:
		PUT_ONE(w, prefixes);
		put_type(w);
	}
}

static void put_type(Writer *w)
{
	w->depth++;
	if (w->depth > DEPTH_MAX || w->out.len > NAME_MAX_LEN || pick_one_in(w->e, 3))
		put_builtin(w);
	else
		put_compound(w);
	w->depth--;
}

static bool is_type_info(const IrOp *op)
{
	const Name *name = op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
	return name && str_begins_with(name_str(name), STR("_ZTI"));
}

/* Attributes are shared: changed in place, they change wherever they stand. The module is only printed afterwards. */
static void rename_everywhere(Edit *e, const Name *from, Name *to)
{
	for (uint32_t i = 0; i < e->m->attrs.nheld; i++) {
		IrAttr *a = e->m->attrs.held[i];
		if (a->name == from)
			a->name = to;
	}
}

static void set_word(Edit *e, IrOp *op, const char *key, const char *const *words, uint32_t n)
{
	const char *word = words[pick_below(e, n)];
	ir_op_set_attr(e->m, op, ir_name(e->m, str_of(key)), ir_attr_string(e->m, str_of(word)));
}

/* What a class is, or how it inherits, is for an attribute to tell where the module has no record of it. */
static void tell_class(Edit *e, IrOp *op)
{
	static const char *const tags[] = {"struct", "class", "union", "enum"};
	static const char *const inheritance[] = {"single", "multiple", "virtual", "unspecified"};
	if (pick_one_in(e, 2))
		set_word(e, op, "cir.ms.tag", tags, ARRAY_LEN(tags));
	if (pick_one_in(e, 6))
		set_word(e, op, "cir.ms.inheritance", inheritance, ARRAY_LEN(inheritance));
}

bool edit_type_info(Edit *e)
{
	IrOp *op = pick_op(e, is_type_info);
	if (!op)
		return false;
	Writer w = {.e = e};
	put(&w, "_ZTI");
	if (pick_one_in(e, 3))
		put_class(&w);
	else
		put_type(&w);
	tell_class(e, op);
	rename_everywhere(e, ir_symbol_name(op), ir_name(e->m, (Str){w.out.data, w.out.len}));
	return true;
}

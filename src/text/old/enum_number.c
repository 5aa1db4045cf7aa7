/* Words that stand as numbers: how MLIR writes an enumeration in the generic form, until mid 2026.
 *
 * 	"cir.global"() <{linkage = 3 : i32, …}> is linkage = #cir.linkage<linkonce_odr>
 *
 * Only those that every version counts alike. The others (casts, comparisons, …) were counted from 0, from 1 and in another
 * order: what the number means, nothing in the text tells, and it stays what the verifier refuses. But where the first word is
 * the default, on every function or call, 0 and 1 are that one: 1 may be the second as well, a convention that is C's on
 * x86_64, and an effect that promises more.
 */
#include "text/old/old.h"

typedef struct NumberRow {
	NameId name;
	EnumClass words;
	uint32_t first, count; /* of the numbers, the words are in this order */
	bool default_only;     /* each of them is the first word */
	bool of_function;      /* on a call it is a number */
} NumberRow;

static const NumberRow rows[] = {
    {NAME_linkage, ENUM_LINKAGE, 0, 11},
    {NAME_tls_model, ENUM_TLS_MODEL, 0, 4},
    {NAME_mem_order, ENUM_MEM_ORDER, 0, 6}, /* memory_order of C++ */
    {NAME_succ_order, ENUM_MEM_ORDER, 0, 6},
    {NAME_fail_order, ENUM_MEM_ORDER, 0, 6},
    {NAME_sync_scope, ENUM_SYNC_SCOPE, 0, 2},
    {NAME_binop, ENUM_ATOMIC_FETCH, 0, 8},
    {NAME_asm_flavor, ENUM_ASM_FLAVOR, 0, 2},
    {NAME_inline_kind, ENUM_INLINE, 1, 3, .of_function = true},
    {NAME_calling_conv, ENUM_CALLING_CONV, 0, 2, .default_only = true},
    {NAME_side_effect, ENUM_SIDE_EFFECT, 0, 2, .default_only = true},
};

static bool is_number(const IrAttr *a, int64_t *n)
{
	return a->kind == ATTR_INT && a->type && a->type->kind == TYPE_BUILTIN_INT && a->type->width == 32 &&
	       ir_attr_get_i64(a, n);
}

static bool convert(Parser *p, const Frame *f, const NumberRow *row, IrNamedAttr *a)
{
	uint32_t last = row->first + row->count - 1;
	int64_t n;
	if (!is_number(a->value, &n))
		return true;
	parse_older(p, f->at, "a number for a word");
	if (n < row->first || n > last)
		return parse_fail(p, f->at, "'%s' is %lld; expected a number from %u to %u, or #cir.%s<…>",
		                  a->name->text, (long long)n, row->first, last,
		                  ir_enum_info[row->words].spelling);
	a->value = ir_attr_enum(p->m, row->words, row->default_only ? 0 : (unsigned)(n - row->first));
	return true;
}

bool parse_modernise_numbers(Parser *p, const Frame *f)
{
	for (uint32_t i = f->attrs; i < p->attrs.len; i++)
		for (unsigned r = 0; r < ARRAY_LEN(rows); r++)
			if (p->attrs.data[i].name == p->known[rows[r].name] &&
			    (f->kind == OP_FUNC || !rows[r].of_function) &&
			    !convert(p, f, &rows[r], &p->attrs.data[i]))
				return false;
	return true;
}

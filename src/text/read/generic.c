/* The generic form of an op: cir-reference 1.10.
 *
 * 	"cir.name"(%a, %b) [^bb1, ^bb2(%c : T)] <{inherent}> ({region}, {region}) {discardable} : (T, U) -> (V, W)
 */
#include "text/read/parser.h"

enum { PHASE_HEAD, PHASE_REGIONS, PHASE_TAIL };

/* cir.get_member until the end of 2023, when it had no other form. */
#define ELEMENT_ADDR STR("cir.struct_element_addr")

static bool is_element_addr(const Frame *f)
{
	static const char spelling[] = "\"cir.struct_element_addr\"";
	return f->kind == OP_GET_MEMBER && strncmp(f->at, spelling, strlen(spelling)) == 0;
}

static bool modernise_element_addr(Parser *p, const Frame *f)
{
	parse_renamed(p, f->at, ELEMENT_ADDR, op_info[f->kind].name);
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		IrNamedAttr *a = &p->attrs.data[i];
		int64_t n;
		if (a->name == p->known[NAME_name] || a->name == p->known[NAME_index])
			return parse_fail(p, f->at,
			                  "'%s' is an attribute of 'cir.get_member'; remove it here",
			                  a->name->text);
		if (strcmp(a->name->text, "member_name") == 0)
			a->name = p->known[NAME_name];
		else if (strcmp(a->name->text, "member_index") == 0 && ir_attr_get_i64(a->value, &n))
			*a = (IrNamedAttr){p->known[NAME_index], ir_attr_i64(p->m, n)};
	}
	return true;
}

/* `1 : index` */
static const IrAttr *our_value(Parser *p, const IrAttr *a)
{
	int64_t n;
	return a->kind == ATTR_INT && ir_attr_get_i64(a, &n) ? ir_attr_i64(p->m, n) : a;
}

/* What upstream calls attributes that its custom form does not name. */
static void rename_attrs(Parser *p, const Frame *f)
{
	static const struct {
		OpKind op;
		const char *theirs;
		AttrKind kind;
		NameId ours;
	} rows[] = {{OP_GET_GLOBAL, "name", ATTR_SYMBOL, NAME_symbol},
	            {OP_GET_GLOBAL, "tls", ATTR_UNIT, NAME_thread_local},
	            {OP_GET_MEMBER, "index_attr", ATTR_INT, NAME_index},
	            {OP_CLEANUP_SCOPE, "cleanupKind", ATTR_ENUM, NAME_kind},
	            {OP_SWITCH_FLAT, "caseValues", ATTR_ARRAY, NAME_case_values},
	            {OP_GLOBAL, "global_visibility", ATTR_ENUM, NAME_visibility},
	            {OP_FUNC, "global_visibility", ATTR_ENUM, NAME_visibility}};
	for (unsigned r = 0; r < ARRAY_LEN(rows); r++) {
		if (rows[r].op != f->kind || pushed_attr(p, f, rows[r].ours))
			continue;
		for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
			IrNamedAttr *a = &p->attrs.data[i];
			bool number = rows[r].kind == ATTR_ENUM && a->value->kind == ATTR_INT; /* an error */
			if ((a->value->kind != rows[r].kind && !number) ||
			    strcmp(a->name->text, rows[r].theirs) != 0)
				continue;
			a->name = p->known[rows[r].ours];
			a->value = our_value(p, a->value);
		}
	}
}

/* Only the custom forms of older ops are read: their attributes have the names of their eras. */
static const char *why_unknown(Parser *p, Str name)
{
	bool older = slice_find(&p->mnemonics, name.data, (uint32_t)name.len,
	                        hash_bytes(&p->m->names.key, name.data, name.len)) != NULL;
	return arena_printf(p->mem,
	                    older
	                        ? "operation \"%.*s\" has another name in the newest CIR, and is not read in "
	                          "the generic form; expected its custom form%s"
	                        : "operation \"%.*s\" is unknown%s",
	                    (int)name.len, name.data, older ? "" : parse_similar_op(p, name));
}

static bool name(Parser *p, Frame *f)
{
	Token t = peek(p);
	Str s;
	if (!parse_string(p, &s))
		return false;
	f->kind = str_equal(s, ELEMENT_ADDR) ? OP_GET_MEMBER : op_find(s);
	return f->kind != OP_COUNT || parse_unknown(p, t.at, s, why_unknown(p, s));
}

static bool operands(Parser *p)
{
	if (!expect(p, '('))
		return false;
	while (!at(p, ')')) {
		if (!parse_push_operand(p))
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, ')');
}

static bool successors(Parser *p)
{
	if (!accept(p, '['))
		return true;
	while (!at(p, ']')) {
		if (!parse_successor(p))
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, ']');
}

static bool head(Parser *p, Frame *f)
{
	if (!name(p, f) || !operands(p) || !successors(p))
		return false;
	if (accept(p, '<') && (!parse_dict_onto_attrs(p, f->attrs) || !expect(p, '>')))
		return false;
	if (f->kind == OP_GLOBAL) /* before its regions are read */
		parse_modernise_global(p, f);
	return true;
}

static bool ends_with(const Name *name, Str end)
{
	return name->len >= end.len && memcmp(name->text + name->len - end.len, end.data, end.len) == 0;
}

/* The attribute with such a name, taken away. */
static const IrAttr *take_attr(Parser *p, const Frame *f, Str end)
{
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		const IrAttr *a = p->attrs.data[i].value;
		if (!ends_with(p->attrs.data[i].name, end))
			continue;
		memmove(&p->attrs.data[i], &p->attrs.data[i + 1],
		        (p->attrs.len - i - 1) * sizeof p->attrs.data[0]);
		p->attrs.len--;
		return a;
	}
	return NULL;
}

enum { OWN_SEGMENTS = 16 }; /* of the op itself, at most */

/* How many operands each successor has, from the last on, and *main the op; NULL: nothing tells.
 *
 * 	operandSegmentSizes = array<i32: 1, 0, 2>       of the op and of each successor
 * 	case_operand_segments = array<i32: 1, 0, 1>     of each case, which are the last segment; of
 * 	                                                cir.indirect_br another word, and alone: of each successor */
static const uint32_t *segments(Parser *p, const Frame *f, uint32_t nsuccs, uint32_t *main)
{
	uint32_t max = nsuccs + OWN_SEGMENTS, n = 1, more = 0;
	uint32_t *sizes = arena_array(p->mem, uint32_t, max);
	const IrAttr *a = take_attr(p, f, STR("operandSegmentSizes"));
	bool lists = f->kind == OP_SWITCH_FLAT || f->kind == OP_INDIRECT_BR; /* any number of successors */
	const IrAttr *of_cases = lists && nsuccs ? take_attr(p, f, STR("_operand_segments")) : NULL;
	sizes[0] = op_shape(p, f->kind)->noperands;
	if (a ? !ir_attr_get_numbers(a, sizes, max, &n) : !of_cases)
		return NULL;
	if (of_cases) {
		n -= a != NULL;
		if (!ir_attr_get_numbers(of_cases, sizes + n, max - n, &more) && more)
			return NULL;
		n += more;
	}
	if (n < nsuccs)
		return NULL;
	*main = 0;
	for (uint32_t i = 0; i < n - nsuccs; i++)
		*main += sizes[i];
	return sizes + n - nsuccs;
}

static bool misfit(Parser *p, const Frame *f, uint32_t total)
{
	return parse_fail(p, f->at, "the numbers of operands of successors do not fit the %u operands",
	                  total);
}

/* Hands the last operands to the successors, as MLIR writes terminators. */
static bool split_operands(Parser *p, Frame *f)
{
	uint32_t rest, nsuccs = p->succs.len - f->succs;
	uint32_t main = op_shape(p, f->kind)->noperands, total = pushed_operands(p, f);
	const uint32_t *sizes = segments(p, f, nsuccs, &main);
	if (!nsuccs || p->succ_args.len > f->succ_args)
		return true;
	if (!sizes && nsuccs == 1 && !op_shape(p, f->kind)->any_operands) {
		main = main < total ? main : total; /* the last one may be absent */
		rest = total - main;
		sizes = &rest;
	}
	if (!sizes)
		return true;
	uint32_t at_operand_no = main;
	for (uint32_t i = 0; i < nsuccs; i++) {
		SuccRef *s = &p->succs.data[f->succs + i];
		s->first = p->succ_args.len;
		s->nargs = sizes[i];
		if (s->nargs > total || at_operand_no > total - s->nargs)
			return misfit(p, f, total);
		for (uint32_t k = 0; k < s->nargs; k++)
			vec_push(p->mem, &p->succ_args, p->operands.data[f->operands + at_operand_no++]);
	}
	if (at_operand_no != total)
		return misfit(p, f, total);
	p->operands.len = f->operands + main;
	return true;
}

static bool types(Parser *p, const Frame *f)
{
	if (!expect(p, ':'))
		return false;
	const char *where = peek(p).at;
	if (!parse_type_list(p, &p->list))
		return false;
	uint32_t n = pushed_operands(p, f);
	if (p->list.types.len != n)
		return parse_fail(p, where, "expected %u operand types but had %u", n, p->list.types.len);
	for (uint32_t i = 0; i < n; i++)
		p->operands.data[f->operands + i].type = p->list.types.data[i];
	if (!expect(p, TOK_ARROW) || !parse_result_list(p, &p->list))
		return false;
	for (uint32_t i = 0; i < p->list.types.len; i++)
		push_result(p, p->list.types.data[i]);
	return true;
}

/* What is so without a word is not kept: the custom form has none for it. */
static void drop_defaults(Parser *p, const Frame *f)
{
	parse_drop_default(p, f->attrs, NAME_calling_conv, CALLING_CONV_C);
	if (f->kind == OP_FUNC)
		parse_drop_default(p, f->attrs, NAME_linkage, LINKAGE_EXTERNAL);
	if (f->kind != OP_FUNC && f->kind != OP_GLOBAL)
		return;
	parse_drop_default(p, f->attrs, NAME_visibility, VISIBILITY_DEFAULT);
	parse_drop_default(p, f->attrs, NAME_sym_visibility, SYM_VISIBILITY_PUBLIC);
}

static bool has_region(const Parser *p, const Frame *f)
{
	for (uint32_t i = f->regions; i < p->regions.len; i++)
		if (p->regions.data[i]->first)
			return true;
	return false;
}

static bool tail(Parser *p, Frame *f)
{
	if (!parse_op_dict(p, f))
		return false;
	rename_attrs(p, f);
	if (!p->old->modernise_numbers(p, f))
		return false;
	drop_defaults(p, f);
	if (is_element_addr(f) && !modernise_element_addr(p, f))
		return false;
	if (f->kind == OP_GLOBAL)
		parse_modernise_global(p, f);
	if (f->kind == OP_GLOBAL &&
	    (pushed_attr(p, f, NAME_static_local) || pushed_attr(p, f, NAME_static_local_guard))) {
		if (pushed_attr(p, f, NAME_static_local) || has_region(p, f))
			parse_older(p, f->at,
			            "the initialization of a static variable of a function at the global");
		p->old_statics = true;
	}
	return types(p, f) && split_operands(p, f);
}

Parsed parse_generic(Parser *p, Frame *f)
{
	if (f->phase == PHASE_HEAD) {
		if (!head(p, f))
			return PARSED_NO;
		f->phase = at(p, '(') ? PHASE_REGIONS : PHASE_TAIL;
		if (f->phase == PHASE_REGIONS) {
			advance(p);
			return parse_open_region(p, NULL, 0);
		}
	}
	if (f->phase == PHASE_REGIONS) {
		if (accept(p, ','))
			return parse_open_region(p, NULL, 0);
		if (!expect(p, ')'))
			return PARSED_NO;
		f->phase = PHASE_TAIL;
	}
	return tail(p, f) ? PARSED_ALL : PARSED_NO;
}

/* Making an op of what was read: the types that its text leaves out, the names it uses, the names it gives. */
#include "text/read/parser.h"

static IrType *fixed_type(Parser *p, Str word)
{
	static const struct {
		const char *word;
		TypeKind kind;
	} kinds[] = {{"bool", TYPE_BOOL},
	             {"eh", TYPE_EH_TOKEN},
	             {"cleanup", TYPE_CLEANUP_TOKEN},
	             {"catch", TYPE_CATCH_TOKEN}};
	for (unsigned i = 0; i < ARRAY_LEN(kinds); i++)
		if (str_equal(str_of(kinds[i].word), word))
			return ir_type_simple(p->m, kinds[i].kind);
	if (str_equal(word, STR("voidp")))
		return p->m->voidp;
	if (str_equal(word, STR("u32")))
		return p->m->u32;
	if (str_equal(word, STR("s32")))
		return p->m->s32;
	if (str_equal(word, STR("u64")))
		return p->m->u64;
	return NULL;
}

static TypeRule type_rule(Parser *p, Str word)
{
	if (word.data[0] == '=' || word.data[0] == '.')
		return (TypeRule){.same_as = (int8_t)(word.data[1] - '0'), .element = word.data[0] == '.'};
	if (word.data[0] == '@')
		return (TypeRule){.same_as = -1, .attr = ir_name(p->m, (Str){word.data + 1, word.len - 1})};
	return (TypeRule){.same_as = -1, .fixed = fixed_type(p, word)};
}

/* Cuts a column of ops.def. */
static uint8_t cut_rules(Parser *p, const char *column, TypeRule *rules, size_t max, bool *any,
                         bool *optional)
{
	uint8_t n = 0;
	for (const char *q = column; *q;) {
		Str word = {q, strcspn(q, " ")};
		q += word.len + (q[word.len] == ' ');
		char last = word.data[word.len - 1];
		if (last == '*') {
			*any = true;
			break;
		}
		*optional = last == '?';
		word.len -= *optional;
		CHECK(n < max);
		rules[n++] = type_rule(p, word);
	}
	return n;
}

const ReadShape *op_shape(Parser *p, OpKind kind)
{
	if (BASE_LIKELY(p->shapes[kind]))
		return p->shapes[kind];
	ReadShape *s = p->shapes[kind] = arena_new(p->mem, ReadShape);
	bool optional_operand;
	s->noperands = cut_rules(p, op_info[kind].operands, s->operands, ARRAY_LEN(s->operands),
	                         &s->any_operands, &optional_operand);
	s->nresults = cut_rules(p, op_info[kind].results, s->results, ARRAY_LEN(s->results), &s->any_results,
	                        &s->optional_result);
	return s;
}

static IrType *element_of(const IrType *t)
{
	return t ? ir_element(t) : NULL;
}

/* The type that the row gives operand i, or NULL: any. */
static IrType *operand_type(Parser *p, const Frame *f, const ReadShape *s, uint32_t i)
{
	const OperandRef *r = &p->operands.data[f->operands + i];
	if (r->type || i >= s->noperands)
		return r->type;
	const TypeRule *rule = &s->operands[i];
	if (rule->element) /* the other operand may come later: its type is spelled then */
		return element_of(p->operands.data[f->operands + (uint32_t)rule->same_as].type);
	if (rule->same_as >= 0 && (uint32_t)rule->same_as < i)
		return p->values.data[rule->same_as]->type;
	return rule->fixed;
}

static bool resolve_operands(Parser *p, const Frame *f, const ReadShape *s)
{
	p->values.len = 0;
	for (uint32_t i = f->operands; i < p->operands.len; i++) {
		const OperandRef *r = &p->operands.data[i];
		if (!r->at)
			return parse_fail(p, f->at, "operand %u is missing", i - f->operands);
		IrValue *v = value_resolve(p, r, operand_type(p, f, s, i - f->operands));
		if (!v)
			return false;
		vec_push(p->mem, &p->values, v);
	}
	return true;
}

static bool resolve_succs(Parser *p, const Frame *f)
{
	for (uint32_t i = f->succs; i < p->succs.len; i++) {
		const SuccRef *s = &p->succs.data[i];
		for (uint32_t k = 0; k < s->nargs; k++) {
			const OperandRef *r = &p->succ_args.data[s->first + k];
			IrValue *v = value_resolve(p, r, r->type);
			if (!v)
				return false;
			vec_push(p->mem, &p->values, v);
		}
	}
	p->succ_specs.len = 0;
	IrValue **args = p->values.data + (p->operands.len - f->operands);
	for (uint32_t i = f->succs; i < p->succs.len; i++) {
		const SuccRef *s = &p->succs.data[i];
		vec_push(p->mem, &p->succ_specs, ((IrSuccSpec){block_resolve(p, s->name), args, s->nargs}));
		args += s->nargs;
	}
	return true;
}

static IrType *rule_type(Parser *p, const Frame *f, const TypeRule *rule)
{
	if (rule->fixed)
		return rule->fixed;
	if (rule->same_as >= 0 && (uint32_t)rule->same_as < p->operands.len - f->operands) {
		IrType *t = p->values.data[rule->same_as]->type;
		return rule->element ? ir_element(t) : t;
	}
	for (uint32_t i = f->attrs; rule->attr && i < p->attrs.len; i++)
		if (p->attrs.data[i].name == rule->attr)
			return p->attrs.data[i].value->type;
	return NULL;
}

/* Those that are not spelled follow from the row. */
static bool result_types(Parser *p, const Frame *f, const ReadShape *s)
{
	for (uint32_t i = 0; i < s->nresults; i++) {
		if (p->results.len - f->results <= i) {
			if (s->optional_result && i + 1 == s->nresults)
				break;
			push_result(p, NULL);
		}
		IrType **t = &p->results.data[f->results + i];
		if (!*t)
			*t = rule_type(p, f, &s->results[i]);
		if (!*t)
			return parse_fail(p, f->at, "cannot infer the type of result %u of '%s'", i,
			                  op_info[f->kind].name);
	}
	return true;
}

static bool check_bindings(Parser *p, const Frame *f, const ReadShape *s)
{
	uint64_t bound = 0;
	uint32_t results = p->results.len - f->results;
	for (uint32_t i = f->bindings; i < p->bindings.len; i++)
		bound += p->bindings.data[i].count;
	if (!s->any_results && results > s->nresults)
		return parse_fail(p, f->at, "'%s' has %u results, not %u", op_info[f->kind].name, s->nresults,
		                  results);
	if (f->kind == OP_CALL_LLVM_INTRINSIC && !results && bound == 1) {
		p->bindings.len = f->bindings; /* older texts name a result of type !void */
		return true;
	}
	if (!bound || bound == results || (f->names_may_lack && bound < results))
		return true;
	const char *where = p->bindings.data[f->bindings].name.at;
	if (!results)
		return parse_fail(p, where, "cannot name an operation with no results");
	return parse_fail(p, where, "'%s' has %u result%s, but %llu name%s given", op_info[f->kind].name,
	                  results, results == 1 ? "" : "s", (unsigned long long)bound,
	                  bound == 1 ? " is" : "s are");
}

static void move_regions(Parser *p, const Frame *f, IrOp *op)
{
	for (uint32_t i = f->regions; i < p->regions.len; i++) {
		IrRegion *from = p->regions.data[i], *to = &op->regions[i - f->regions];
		to->first = from->first;
		to->last = from->last;
		IR_FOR_BLOCKS (b, to)
			b->region = to;
	}
}

static bool check_counts(Parser *p, const Frame *f)
{
	const OpInfo *info = &op_info[f->kind];
	uint32_t succs = p->succs.len - f->succs, regions = p->regions.len - f->regions;
	if (info->nsuccs != OP_ANY && succs != info->nsuccs)
		return parse_fail(p, f->at, "'%s' has %u successors, not %u", info->name, info->nsuccs,
		                  succs);
	if (info->nregions != OP_ANY && regions > info->nregions)
		return parse_fail(p, f->at, "'%s' has %u regions, not %u", info->name, info->nregions,
		                  regions);
	return true;
}

void parse_deliver_warnings(Parser *p, uint32_t first)
{
	for (uint32_t i = first; i < p->warnings.len; i++) {
		const Warning *w = &p->warnings.data[i];
		if (w->is_older)
			p->older = true;
		else if (w->is_error)
			diag_error(p->d, parse_loc_at(p, w->at), "%s", w->message);
		else
			diag_warning(p->d, parse_loc_at(p, w->at), "%s", w->message);
	}
	p->warnings.len = first;
}

/* The generic form gives the name as a string. */
static bool check_symbol(Parser *p, const Frame *f)
{
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		IrNamedAttr *a = &p->attrs.data[i];
		if (a->name != p->known[NAME_sym_name])
			continue;
		if (a->value->kind == ATTR_STRING)
			a->value = ir_attr_symbol(p->m, a->value->name);
		if (a->value->kind == ATTR_SYMBOL)
			return true;
	}
	return parse_fail(p, f->at, "'%s' op requires attribute 'sym_name'", op_info[f->kind].name);
}

/* Enters a symbol; a second one of the name is an error, which is delivered. */
static void define_symbol(Parser *p, const Frame *f, IrOp *op)
{
	if (ir_symbol_define(op))
		return;
	const Name *name = ir_symbol_name(op);
	parse_error(p, f->at, "redefinition of symbol named '%s'", name->text);
	diag_note(p->d, name->symbol ? ((IrOp *)name->symbol)->loc : (Loc){0},
	          "see existing symbol definition here");
}

static IrOp *make_op(Parser *p, const Frame *f)
{
	uint32_t nregions = p->regions.len - f->regions, least = op_info[f->kind].nregions;
	if (least != OP_ANY && nregions < least)
		nregions = least;
	IrOpSpec spec = {.kind = f->kind,
	                 .loc = {.pos = parse_loc_at(p, f->at).pos, .info = f->loc},
	                 .operands = p->values.data,
	                 .noperands = p->operands.len - f->operands,
	                 .result_types = p->results.data + f->results,
	                 .nresults = p->results.len - f->results,
	                 .succs = p->succ_specs.data,
	                 .nsuccs = p->succ_specs.len,
	                 .nregions = nregions,
	                 .attrs = p->attrs.data + f->attrs,
	                 .nattrs = p->attrs.len - f->attrs};
	return ir_op_create(p->m, &spec);
}

IrBlock *parse_block(Parser *p, Frame *f)
{
	if (!f->block) {
		f->block = ir_block_create(p->m, parse_loc_at(p, f->region_at));
		ir_block_append(f->region, f->block);
	}
	return f->block;
}

/* Where the op being read goes: the end of the block of the frame below it. */
static IrBlock *current_block(Parser *p)
{
	return parse_block(p, &p->frames.data[p->frames.len - 2]);
}

IrOp *parse_insert_op(Parser *p, const IrOpSpec *spec)
{
	IrOp *op = ir_op_create(p->m, spec);
	ir_op_append(current_block(p), op);
	return op;
}

static void store_initial(Parser *p, IrValue *initial, IrOp *alloca)
{
	IrValue *operands[] = {initial, &alloca->results[0]};
	parse_insert_op(
	    p, &(IrOpSpec){.kind = OP_STORE, .loc = alloca->loc, .operands = operands, .noperands = 2});
}

/* A function or global, without what only the generic form may give it. */
static bool finish_symbol(Parser *p, Frame *f)
{
	if (!check_symbol(p, f) || !check_counts(p, f) || !p->old->modernise(p, f))
		return false;
	p->values.len = p->succ_specs.len = 0;
	IrOp *op = make_op(p, f);
	move_regions(p, f, op);
	ir_op_append(current_block(p), op);
	parse_deliver_warnings(p, f->warnings);
	define_symbol(p, f, op);
	return true;
}

static bool is_plain(const Parser *p, const Frame *f)
{
	return p->operands.len == f->operands && p->succs.len == f->succs && p->results.len == f->results &&
	       p->bindings.len == f->bindings;
}

bool parse_finish_op(Parser *p)
{
	Frame *f = top_frame(p);
	const ReadShape *s = op_shape(p, f->kind);
	bool symbol = op_info[f->kind].flags & OPF_SYMBOL;
	p->failure.message = NULL; /* of spellings that it was not */
	if (symbol && is_plain(p, f))
		return finish_symbol(p, f);
	if ((symbol && !check_symbol(p, f)) || !check_counts(p, f) || !resolve_operands(p, f, s))
		return false;
	if (!p->old->modernise(p, f))
		return false;
	s = op_shape(p, f->kind);
	if (!resolve_succs(p, f) || !result_types(p, f, s) || !check_bindings(p, f, s))
		return false;
	IrValue *initial = NULL;
	if (f->initial.at && !(initial = value_resolve(p, &f->initial, p->results.data[f->results]->elem)))
		return false;
	IrOp *op = make_op(p, f);
	move_regions(p, f, op);
	ir_op_append(current_block(p), op);
	p->old->note_access(p, op);
	parse_deliver_warnings(p, f->warnings);
	IrValue *results = f->cleanup ? p->old->wrap_call(p, f, op) : op->results;
	if (initial)
		store_initial(p, initial, op);
	if (symbol)
		define_symbol(p, f, op);
	if (f->untyped_call)
		vec_push(p->mem, &p->untyped_calls, op);
	uint32_t first = 0;
	for (uint32_t i = f->bindings; i < p->bindings.len; i++) {
		const Binding *b = &p->bindings.data[i];
		value_define(p, b->name, results + first, b->count);
		first += b->count;
	}
	return true;
}

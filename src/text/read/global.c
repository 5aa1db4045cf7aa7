/* cir.global: cir-reference 4.3. */
#include "text/read/parser.h"

enum { PHASE_HEAD, PHASE_CTOR, PHASE_DTOR };

/* `tls_model = M`, for some months of 2026 `tls_model = <M>`; A and B: `tls_dyn` alone */
static bool tls_model(Parser *p)
{
	if (!expect(p, '='))
		return false;
	const char *where = peek(p).at;
	bool angled = accept(p, '<');
	if (angled)
		parse_older(p, where, "the thread-local model in angle brackets");
	int word = parse_enum_word(p, ENUM_TLS_MODEL);
	if (word >= 0)
		push_enum(p, NAME_tls_model, ENUM_TLS_MODEL, (unsigned)word);
	return word >= 0 && (!angled || expect(p, '>'));
}

static bool params_word(Parser *p, NameId name, AttrRow row)
{
	const IrAttr *a = parse_unprefixed_params(p, row);
	if (a)
		push_attr(p, p->known[name], a);
	return a != NULL;
}

/* `dynamic_init_guard<"_ZGV…">`, since late 2026 for the static variables of functions, too: for those it
 * is `static_local_guard<"_ZGV…">`. */
static void settle_guard(Parser *p, const Frame *f)
{
	const IrAttr *info = pushed_attr(p, f, NAME_static_local_info);
	const IrAttr *local = info && info->kind == ATTR_PARAMS ? info->elems[STATIC_LOCAL_INFO_LOCAL] : NULL;
	bool is_local = f->phase == PHASE_HEAD && (!info || (local && local->bits)) &&
	                !pushed_attr(p, f, NAME_static_local_guard);
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		IrNamedAttr *a = &p->attrs.data[i];
		if (a->name != p->known[NAME_dynamic_init_guard] || a->value->kind != ATTR_PARAMS ||
		    a->value->row != ATTR_ROW_STATIC_LOCAL_GUARD)
			continue;
		if (is_local)
			a->name = p->known[NAME_static_local_guard];
		else
			a->value = a->value->elems[STATIC_LOCAL_GUARD_NAME];
	}
}

static bool address_space(Parser *p)
{
	const IrAttr *space = NULL;
	if (!parse_address_space(p, &space))
		return false;
	if (space)
		push_attr(p, p->known[NAME_addr_space], space);
	return true;
}

static bool enum_here(Parser *p, EnumClass c, unsigned *word)
{
	Token t = peek(p);
	int found = -1;
	if (t.kind == TOK_WORD)
		found = ir_enum_find(c, token_str(t));
	else if (t.kind == TOK_STRING)
		found = ir_enum_find(c, (Str){t.at + 1, t.len - 2});
	if (found >= 0)
		advance(p);
	*word = (unsigned)found;
	return found >= 0;
}

static bool plain_word(Parser *p)
{
	static const struct {
		const char *word;
		NameId name;
		const char *older; /* what it is then, or NULL */
	} flags[] = {{"constant", NAME_constant},
	             {"dso_local", NAME_dso_local},
	             {"dsolocal", NAME_dso_local, "'dsolocal'"},
	             {"static_local", NAME_static_local, "'static_local' of a global"}};
	for (unsigned i = 0; i < ARRAY_LEN(flags); i++) {
		const char *where = peek(p).at;
		if (accept_word(p, str_of(flags[i].word))) {
			if (flags[i].older)
				parse_older(p, where, flags[i].older);
			push_flag(p, flags[i].name);
			return true;
		}
	}
	return false;
}

static bool head_word(Parser *p, const Frame *f)
{
	unsigned word;
	Token t = peek(p);
	if (enum_here(p, ENUM_LINKAGE, &word)) {
		push_enum(p, NAME_linkage, ENUM_LINKAGE, word);
	} else if (pushed_attr(p, f, NAME_sym_visibility) && accept_word(p, STR("private"))) {
		parse_older(p, t.at, "the linkage 'private' for 'cir_private'");
		push_enum(p, NAME_linkage, ENUM_LINKAGE, LINKAGE_CIR_PRIVATE);
	} else if (enum_here(p, ENUM_SYM_VISIBILITY, &word)) {
		if (t.kind == TOK_WORD)
			parse_older(p, t.at, "the visibility of a global without quotes");
		push_enum(p, NAME_sym_visibility, ENUM_SYM_VISIBILITY, word);
	} else if (enum_here(p, ENUM_VISIBILITY, &word)) {
		push_enum(p, NAME_visibility, ENUM_VISIBILITY, word);
	} else if (enum_here(p, ENUM_TLS_MODEL, &word)) {
		parse_older(p, t.at, "a thread-local model without 'tls_model ='");
		push_enum(p, NAME_tls_model, ENUM_TLS_MODEL, word);
	} else if (accept_word(p, STR("tls_model"))) {
		return tls_model(p);
	} else if (accept_word(p, STR("tls_refs")) || accept_word(p, STR("dyn_tls_refs"))) {
		return expect(p, '=') && params_word(p, NAME_tls_refs, ATTR_ROW_TLS_WRAPPER_INIT);
	} else if (accept_word(p, STR("static_local_guard"))) {
		return params_word(p, NAME_static_local_guard, ATTR_ROW_STATIC_LOCAL_GUARD);
	} else if (accept_word(p, STR("dynamic_init_guard"))) {
		return params_word(p, NAME_dynamic_init_guard, ATTR_ROW_STATIC_LOCAL_GUARD);
	} else if (accept_word(p, STR("comdat"))) {
		return parse_comdat_clause(p);
	} else if (at_word(p, STR("addrspace")) || at_word(p, STR("lang_address_space")) ||
	           at_word(p, STR("target_address_space"))) {
		return address_space(p);
	} else if (!plain_word(p)) {
		return expected(p, "a keyword of cir.global, or a symbol name, '@name'");
	}
	return true;
}

static bool head(Parser *p, const Frame *f)
{
	while (!at(p, TOK_SYMBOL)) {
		const char *where = peek(p).at;
		uint32_t before = p->attrs.len;
		if (!head_word(p, f) || !parse_check_new(p, where, f->attrs, before))
			return false;
	}
	parse_drop_default(p, f->attrs, NAME_sym_visibility, SYM_VISIBILITY_PUBLIC);
	parse_drop_default(p, f->attrs, NAME_visibility, VISIBILITY_DEFAULT);
	return true;
}

/* The earliest eras write builtin values: `3 : i32`, `3.4 : f32`, `@other`. */
static const IrAttr *cir_value(Parser *p, const char *at, const IrAttr *a, IrType *type)
{
	if (a->kind == ATTR_SYMBOL && type)
		return ir_attr_global_view(p->m, type, a->name, NULL, 0);
	if (a->kind == ATTR_INT && type && type->kind == TYPE_INT && !parse_is_cir_type(a->type)) {
		int64_t v;
		if (ir_attr_get_i64(a, &v))
			return ir_attr_int(p->m, type, (uint64_t)v);
	}
	return parse_cir_constant(p, at, a);
}

static bool set_type(Parser *p, IrType *t)
{
	push_attr(p, p->known[NAME_sym_type], ir_attr_type(p->m, t));
	return true;
}

static bool read_type(Parser *p)
{
	const char *where = peek(p).at;
	IrType *t = parse_type(p);
	return t && set_type(p, parse_signature_type(p, where, t));
}

/* Such a value shows the era. */
static const IrAttr *modern_value(Parser *p, const char *at, const IrAttr *a, IrType *type)
{
	bool plain =
	    a->kind == ATTR_INT || a->kind == ATTR_FLOAT || a->kind == ATTR_SYMBOL || a->kind == ATTR_FLAG;
	if (plain && (!a->type || !parse_is_cir_type(a->type))) {
		parse_older(p, at, "an initializer that is not a constant of CIR");
		parse_in_era_a(p);
	}
	return cir_value(p, at, a, type);
}

/* What the custom form does where it reads them. */
void parse_modernise_global(Parser *p, const Frame *f)
{
	IrNamedAttr *value = NULL;
	IrType *type = NULL;
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		IrNamedAttr *a = &p->attrs.data[i];
		if (a->name == p->known[NAME_initial_value])
			value = a;
		if (a->name != p->known[NAME_sym_type] || a->value->kind != ATTR_TYPE)
			continue;
		type = parse_signature_type(p, f->at, a->value->type);
		a->value = ir_attr_type(p->m, type);
	}
	if (value)
		value->value = modern_value(p, f->at, value->value, type);
}

static bool set_value(Parser *p, const char *where, const IrAttr *a, IrType *type)
{
	a = modern_value(p, where, a, type);
	if (!a->type || a->kind == ATTR_TYPE)
		return parse_fail(p, where, "expected an initializer with a type");
	if (type && type != a->type)
		return parse_fail(p, where, "the global has type '%s', its initializer '%s'",
		                  ir_type_str(p->mem, type), ir_type_str(p->mem, a->type));
	push_attr(p, p->known[NAME_initial_value], a);
	return set_type(p, a->type);
}

/* `= ATTR`, `= ATTR : T` */
static bool value(Parser *p)
{
	const char *where = peek(p).at;
	const IrAttr *a = parse_attr(p);
	bool ok = a != NULL;
	if (ok && a->type && at(p, ':'))
		parse_older(p, peek(p).at, "the type of a global after that of its initializer");
	IrType *type = ok ? parse_colon_type(p, &ok) : NULL;
	return ok && set_value(p, where, a, type);
}

/* `nullptr`, and constants that leave out their type */
static const IrAttr *typed_value(Parser *p, IrType *type)
{
	const char *where = peek(p).at;
	if (accept_word(p, STR("nullptr")))
		return parse_null(p, where, type);
	Aggregate holder = {.outer = p->inside, .looked_for = true, .type = ir_type_array(p->m, type, 1)};
	p->inside = &holder;
	const IrAttr *a = parse_attr(p);
	p->inside = holder.outer;
	return a;
}

/* `: T`; A: `: T = ATTR` */
static bool type_and_value(Parser *p)
{
	const char *where = peek(p).at;
	IrType *type = parse_type(p);
	if (!type)
		return false;
	type = parse_signature_type(p, where, type);
	if (!at(p, '='))
		return set_type(p, type);
	parse_older(p, peek(p).at, "an initializer after the type");
	parse_in_era_a(p);
	advance(p);
	where = peek(p).at;
	const IrAttr *a = typed_value(p, type);
	return a && set_value(p, where, a, type);
}

/* `init_priority(N)`, of `{init_priority = N : i32}` */
static bool init_priority(Parser *p)
{
	uint64_t n;
	const char *where = p->lx.before_end - sizeof "init_priority" + 1;
	if (!expect(p, '(') || !parse_uint(p, &n, "priority") || !expect(p, ')'))
		return false;
	if (n > INT32_MAX)
		return parse_fail(p, where, "the priority is out of range");
	push_attr(p, p->known[NAME_init_priority], ir_attr_i32(p->m, (int32_t)n));
	return true;
}

/* `ast(#cir.var.decl.ast)`, older: `ast #cir.var.decl.ast`, and the attribute alone. It says nothing. */
static bool ast(Parser *p)
{
	if (!at(p, '('))
		parse_older(p, p->lx.before_end - strlen("ast"), "'ast' without parentheses");
	return !accept(p, '(') || (parse_attr(p) && expect(p, ')'));
}

static bool tail_item(Parser *p, Frame *f, bool *any)
{
	*any = true;
	if (at(p, '[')) {
		const IrAttr *list = parse_attr_list(p);
		if (list)
			push_attr(p, p->known[NAME_annotations], list);
		return list != NULL;
	}
	if (at(p, '{') && !f->dict_read)
		return parse_op_dict(p, f);
	if (accept_word(p, STR("align")))
		return parse_alignment_clause(p); /* the newest spelling of `{alignment = N : i64}` */
	if (accept_word(p, STR("init_priority")))
		return init_priority(p);
	if (accept_word(p, STR("static_local_info")) || accept_word(p, STR("dynamic_init_info")))
		return params_word(p, NAME_static_local_info, ATTR_ROW_STATIC_LOCAL_INFO);
	if (accept_word(p, STR("ast")))
		return ast(p);
	if (at(p, TOK_ATTR) && parse_same_line(p)) {
		parse_older(p, peek(p).at, "an attribute after a global");
		return parse_attr(p) != NULL; /* of the AST, it says nothing */
	}
	*any = false;
	return true;
}

static bool tail(Parser *p, Frame *f)
{
	for (bool any = true; any;) {
		const char *where = peek(p).at;
		uint32_t before = p->attrs.len;
		if (!tail_item(p, f, &any) || !parse_check_new(p, where, f->attrs, before))
			return false;
	}
	f->dict_read = true;
	settle_guard(p, f);
	if (pushed_attr(p, f, NAME_static_local) ||
	    (f->phase != PHASE_HEAD && pushed_attr(p, f, NAME_static_local_guard))) {
		parse_older(p, f->at, "the initialization of a static variable of a function at the global");
		p->old_statics = true;
	}
	return true;
}

static Parsed open_region(Parser *p, Frame *f, uint32_t phase)
{
	if (!at(p, '{')) {
		expected(p, "'{'");
		return PARSED_NO;
	}
	f->phase = phase;
	if (phase == PHASE_DTOR && p->regions.len == f->regions)
		push_empty_region(p);
	return parse_open_region(p, NULL, 0);
}

/* `= #cir.zero : T ctor {`, older: `= ctor : T {`, which leaves out that the global is
 * zero before its constructor runs. */
static void drop_zero(Parser *p, const Frame *f)
{
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		if (p->attrs.data[i].name != p->known[NAME_initial_value] ||
		    !ir_attr_is_zero(p->attrs.data[i].value))
			continue;
		p->attrs.data[i] = p->attrs.data[--p->attrs.len];
		return;
	}
}

static Parsed after_init(Parser *p, Frame *f)
{
	if (f->phase == PHASE_HEAD && pushed_attr(p, f, NAME_initial_value) && accept_word(p, STR("ctor"))) {
		drop_zero(p, f);
		return open_region(p, f, PHASE_CTOR);
	}
	if (accept_word(p, STR("dtor")))
		return open_region(p, f, PHASE_DTOR);
	return tail(p, f) ? PARSED_ALL : PARSED_NO;
}

/* The closed region gets its implied yield and must be one block. */
static bool check_region(Parser *p, const Frame *f)
{
	const char *what = f->phase == PHASE_CTOR ? "ctor" : "dtor";
	IrRegion *r = p->regions.data[p->regions.len - 1];
	if (p->d->errors > f->errors)
		return true;
	if (!r->first)
		return parse_fail(p, f->region_at, "custom op 'cir.global' %s region shall not be empty",
		                  what);
	if (r->first != r->last)
		return parse_fail(p, f->region_at,
		                  "custom op 'cir.global' %s region must have exactly one block", what);
	if (!ir_block_terminator(r->first)) {
		IrOpSpec yield = {.kind = OP_YIELD, .loc = parse_loc_at(p, p->lx.before_end - 1)};
		ir_op_append(r->first, ir_op_create(p->m, &yield));
	}
	return true;
}

static Parsed initializer(Parser *p, Frame *f)
{
	if (accept(p, ':'))
		return type_and_value(p) ? after_init(p, f) : PARSED_NO;
	if (!accept(p, '=')) {
		expected(p, "':' or '='");
		return PARSED_NO;
	}
	if (accept_word(p, STR("ctor"))) {
		if (!expect(p, ':') || !read_type(p))
			return PARSED_NO;
		return open_region(p, f, PHASE_CTOR);
	}
	return value(p) ? after_init(p, f) : PARSED_NO;
}

/* Only the earliest era leaves the linkage out, and means external. */
static bool check_linkage(Parser *p, const Frame *f, const char *where)
{
	if (pushed_attr(p, f, NAME_linkage))
		return true;
	if (!p->era_a)
		return parse_fail(
		    p, where,
		    "expected string or keyword containing one of the following enum values for attribute "
		    "'linkage' [external, available_externally, linkonce, linkonce_odr, weak, weak_odr, "
		    "appending, internal, cir_private, extern_weak, common]");
	parse_older(p, where, "a global without its linkage");
	push_enum(p, NAME_linkage, ENUM_LINKAGE, LINKAGE_EXTERNAL);
	return true;
}

Parsed parse_custom_global(Parser *p, Frame *f)
{
	if (f->phase != PHASE_HEAD) {
		if (!check_region(p, f))
			return PARSED_NO;
		return f->phase == PHASE_CTOR ? after_init(p, f) : tail(p, f) ? PARSED_ALL : PARSED_NO;
	}
	if (!parse_leading_words(p, f, head))
		return PARSED_NO;
	const char *where = peek(p).at;
	Name *name = parse_symbol(p);
	if (!name)
		return PARSED_NO;
	push_attr(p, p->known[NAME_sym_name], ir_attr_symbol(p->m, name));
	if (accept_word(p, STR("alias")) && !parse_symbol_clause(p, NAME_aliasee))
		return PARSED_NO;
	Parsed result = initializer(p, f);
	return check_linkage(p, f, where) ? result : PARSED_NO;
}

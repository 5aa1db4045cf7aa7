/* Modules: reference 4.1. */
#include "text/read/parser.h"

/* The triple decides the ABI. One that cannot be read would leave that to the command line without a word. */
static bool check_triple(Parser *p, const char *where, NameId name)
{
	const IrAttr *a = ir_module_attr(p->m, name);
	return !a || a->kind == ATTR_STRING ||
	       parse_fail(p, where, "attribute '%s' must be a string", p->known[name]->text);
}

/* `llvm.target_triple` is what older modules say (reference 3.4); the newest ClangIR asks for `cir.triple`. */
static void rename_old_triple(Parser *p, const char *where)
{
	if (ir_module_attr(p->m, NAME_cir_triple))
		return;
	for (uint32_t i = 0; i < p->m->nmodule_attrs; i++) {
		IrNamedAttr *a = &p->m->module_attrs[i];
		if (a->name != p->known[NAME_llvm_target_triple] || a->value->kind != ATTR_STRING)
			continue;
		parse_older(p, where, "'llvm.target_triple' without 'cir.triple'");
		a->name = p->known[NAME_cir_triple];
	}
}

/* In the generic form the name is an attribute, and the visibility, which means nothing here, may be one. */
static void set_attr(Parser *p, const IrNamedAttr *a, bool generic)
{
	if (generic && a->name == p->known[NAME_sym_name] && a->value->kind == ATTR_STRING)
		p->m->name = a->value->name;
	else if (!generic || a->name != p->known[NAME_sym_visibility])
		ir_module_set_attr(p->m, a->name, a->value);
}

static bool dictionary(Parser *p, bool generic)
{
	uint32_t base = p->attrs.len;
	const char *where = peek(p).at;
	p->m->attrs_loc = parse_loc_at(p, where);
	if (!parse_dict_onto_attrs(p, base))
		return false;
	for (uint32_t i = base; i < p->attrs.len; i++)
		set_attr(p, &p->attrs.data[i], generic);
	p->attrs.len = base;
	rename_old_triple(p, where);
	return check_triple(p, where, NAME_cir_triple) && check_triple(p, where, NAME_llvm_target_triple);
}

/* `"builtin.module"() <{…}> ({ … }) {…} : () -> ()`, up to the region */
static bool generic_head(Parser *p)
{
	if (!expect(p, '(') || !expect(p, ')'))
		return false;
	if (accept(p, '<') && (!dictionary(p, true) || !expect(p, '>')))
		return false;
	return expect(p, '(') && expect(p, '{');
}

static bool generic_tail(Parser *p)
{
	return expect(p, ')') && (!at(p, '{') || dictionary(p, true)) && expect(p, ':') && expect(p, '(') &&
	       expect(p, ')') && expect(p, TOK_ARROW) && expect(p, '(') && expect(p, ')');
}

static bool custom_head(Parser *p)
{
	if (at(p, TOK_SYMBOL) && !(p->m->name = parse_symbol(p)))
		return false;
	if (accept_word(p, STR("attributes")) && !dictionary(p, false))
		return false;
	return expect(p, '{');
}

static bool head(Parser *p, bool generic)
{
	const char *where = peek(p).at;
	advance(p);
	if (p->frames.len > 1)
		return parse_fail(p, where, "nested modules are not supported");
	if (p->module_seen)
		return parse_fail(p, where, "a second module; expected one module in a text");
	if (p->m->body.first->first)
		return parse_fail(p, where, "operations before the module; expected all of them inside it");
	return generic ? generic_head(p) : custom_head(p);
}

static bool add_linker_options(Parser *p)
{
	const LocInfo *loc = NULL;
	advance(p);
	const char *where = peek(p).at;
	const IrAttr *more = parse_attr(p);
	const IrAttr *old = ir_module_attr(p->m, NAME_cir_linker_options);
	if (!more || !parse_trailing_loc(p, &loc))
		return false;
	bool strings = more->kind == ATTR_ARRAY && (!old || old->kind == ATTR_ARRAY);
	for (uint32_t i = 0; strings && i < more->n; i++)
		strings = more->elems[i]->kind == ATTR_STRING;
	if (!strings)
		return parse_fail(p, where, "expected an array of strings");
	uint32_t n = old ? old->n : 0;
	const IrAttr **elems = arena_array(p->mem, const IrAttr *, n + more->n + 1);
	for (uint32_t i = 0; i < n; i++)
		elems[i] = old->elems[i];
	for (uint32_t i = 0; i < more->n; i++)
		elems[n + i] = more->elems[i];
	if (!p->m->attrs_loc.pos)
		p->m->attrs_loc = parse_loc_at(p, where);
	ir_module_set_attr(p->m, p->known[NAME_cir_linker_options], ir_attr_array(p->m, elems, n + more->n));
	return true;
}

/* `cir.linker_options ["/DEFAULTLIB:x"]`, of the incubator: an op for what is an attribute of the module here. */
static void linker_options(Parser *p)
{
	const char *from = peek(p).at;
	uint32_t warnings = p->warnings.len;
	parse_older(p, from, "'cir.linker_options' as an operation");
	bool ok = add_linker_options(p);
	parse_deliver_warnings(p, warnings);
	if (ok)
		return;
	parse_deliver(p);
	parse_recover(p, from, false);
}

void parse_open_module(Parser *p, const char *where, bool generic)
{
	Frame f = {.kind = OP_COUNT,
	           .at = where,
	           .region = &p->m->body,
	           .block = p->m->body.first,
	           .region_at = where,
	           .generic = generic};
	vec_push(p->mem, &p->frames, f);
	scope_open(p, top_frame(p), true);
}

static void module(Parser *p, bool generic)
{
	const char *from = peek(p).at;
	uint32_t attrs = p->attrs.len, warnings = p->warnings.len;
	bool ok = head(p, generic);
	p->attrs.len = attrs;
	parse_deliver_warnings(p, warnings);
	if (ok) {
		p->module_seen = true;
		parse_open_module(p, from, generic);
		return;
	}
	parse_deliver(p);
	parse_recover(p, from, false);
}

void parse_close_module(Parser *p)
{
	const LocInfo *loc = NULL;
	bool generic = top_frame(p)->generic;
	uint32_t attrs = p->attrs.len, warnings = p->warnings.len;
	scope_close(p, top_frame(p));
	p->frames.len--;
	advance(p);
	const char *from = peek(p).at;
	bool ok = (!generic || generic_tail(p)) && parse_trailing_loc(p, &loc);
	p->attrs.len = attrs;
	parse_deliver_warnings(p, warnings);
	if (ok)
		return;
	parse_deliver(p);
	if (generic)
		parse_recover(p, from, false);
}

/* MLIR labels the block of a generic module that is empty. */
bool parse_module_label(Parser *p)
{
	if (!top_frame(p)->generic || p->m->body.first->first)
		return false;
	advance(p);
	return accept(p, ':');
}

bool parse_module(Parser *p)
{
	bool generic = at(p, TOK_STRING) && token_is(peek(p), STR("\"builtin.module\""));
	if (generic || at_word(p, STR("module")) || at_word(p, STR("builtin.module")))
		module(p, generic);
	else if (parse_is_module_frame(top_frame(p)) && at_word(p, STR("cir.linker_options")))
		linker_options(p);
	else
		return false;
	return true;
}

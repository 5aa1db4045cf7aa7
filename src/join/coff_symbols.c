/* join/coff_symbols.c: the symbols of the result.
 *
 *   1  what the parts define, in their order: a section's symbol stands before those in
 *      it, as COMDATs need it
 *   2  what they refer to: found by name, or undefined
 *   3  the file's name
 *
 * What was private is as in the object of a whole module: functions are `.L` and their name, variables are
 * referred to by the symbol of their section and where they are in it.
 */
#include "join/coff.h"

static CoffOutSymbol *add_symbol(CoffJoin *j, const CoffInSymbol *like)
{
	CoffOutSymbol *s = arena_new(j->mem, CoffOutSymbol);
	s->name = like->name;
	s->value = like->value;
	s->section = like->section;
	s->type = like->type;
	s->class = like->class;
	s->weak = like->weak ? like : NULL;
	vec_push(j->mem, &j->symbols, s);
	return s;
}

static CoffOutSymbol *section_symbol(CoffJoin *j, CoffOut *o)
{
	if (!o->symbol) {
		o->symbol = add_symbol(j, &(CoffInSymbol){.name = o->name, .class = COFF_STATIC});
		o->symbol->out = o;
	}
	return o->symbol;
}

/* ---- 1: definitions ---- */

static bool is_left_out(const CoffPart *p, const CoffInSymbol *s)
{
	return s->section > 0 && p->sections[s->section].left_out;
}

/* A weak external whose default is in a section is a definition, too. */
static bool is_weak_definition(const CoffPart *p, const CoffInSymbol *s)
{
	return s->weak->section > 0 && !is_left_out(p, s->weak);
}

static bool is_common(const CoffInSymbol *s)
{
	return s->class == COFF_EXTERNAL && s->section == COFF_UNDEFINED && s->value;
}

static bool is_definition(const CoffPart *p, const CoffInSymbol *s)
{
	if (s->class == COFF_WEAK)
		return is_weak_definition(p, s);
	if (s->section == COFF_ABSOLUTE)
		return !s->is_default;
	return is_common(s) || (s->section > 0 && !is_left_out(p, s));
}

/* False: another one with that name has another value. */
static bool add_absolute(CoffJoin *j, CoffInSymbol *s)
{
	CoffMeaning *m = coff_meaning(s->name);
	if (!m->absolute)
		m->absolute = add_symbol(j, s);
	s->to = m->absolute;
	return s->to->value == s->value;
}

static void stand_for_section(CoffJoin *j, const CoffIn *in, CoffInSymbol *s)
{
	s->to = section_symbol(j, in->out);
	s->add = in->shift + s->value;
}

static CoffOutSymbol *add_static(CoffJoin *j, const CoffIn *in, const CoffInSymbol *s)
{
	CoffOutSymbol *to = add_symbol(j, s);
	to->out = in->out;
	to->value += in->shift;
	return to;
}

static CoffOutSymbol *add_private_function(CoffJoin *j, const CoffIn *in, const CoffInSymbol *s)
{
	CoffInSymbol named = *s;
	named.name =
	    coff_name(j, str_of(arena_printf(j->mem, ".L%s", s->name->text + j->prefixes.was_private.len)));
	return add_static(j, in, &named);
}

static void add_local(CoffJoin *j, const CoffPart *p, CoffInSymbol *s)
{
	const CoffIn *in = &p->sections[s->section];
	bool was_private = str_begins_with(name_str(s->name), j->prefixes.was_private);
	if (s->defines_section) {
		stand_for_section(j, in, s);
		return;
	}
	if (!was_private)
		s->to = add_static(j, in, s);
	else if (s->type == COFF_FUNCTION)
		s->to = add_private_function(j, in, s);
	else
		stand_for_section(j, in, s);
	join_add_local(&coff_meaning(s->name)->locals, j->mem, (uint32_t)(p - j->parts),
	               (uint32_t)(s - p->symbols));
}

/* False: it is defined twice. What is only there for a weak external has a name of its own in the end. */
static bool add_global(CoffJoin *j, const CoffPart *p, CoffInSymbol *s)
{
	CoffMeaning *m = coff_meaning(s->name);
	if (m->global && !s->is_default)
		return false;
	s->to = add_symbol(j, s);
	if (s->section > 0) {
		s->to->out = p->sections[s->section].out;
		s->to->value += p->sections[s->section].shift;
	}
	if (!s->is_default)
		m->global = s->to;
	return true;
}

static bool add_definition(CoffJoin *j, CoffPart *p, CoffInSymbol *s)
{
	bool global = s->class == COFF_EXTERNAL || s->class == COFF_WEAK;
	if (s->section > 0)
		section_symbol(j, p->sections[s->section].out);
	if (global)
		return add_global(j, p, s);
	if (s->section == COFF_ABSOLUTE)
		return add_absolute(j, s);
	add_local(j, p, s);
	return true;
}

/* ---- 2: references ---- */

static bool add_undefined(CoffJoin *j, CoffInSymbol *s)
{
	CoffInSymbol *weak = s->weak;
	s->to = add_symbol(j, s);
	s->to->section = COFF_UNDEFINED;
	s->to->value = 0;
	coff_meaning(s->name)->global = s->to;
	if (!weak)
		return true;
	if (weak->section != COFF_ABSOLUTE)
		return false;
	if (!weak->to)
		weak->to = add_symbol(j, weak);
	return true;
}

/* False: there is none. */
static bool refer_to_local(CoffJoin *j, CoffInSymbol *s, uint32_t part, Str name)
{
	const JoinLocal *l = join_find_local(coff_meaning(coff_name(j, name))->locals, part);
	const CoffInSymbol *local = l ? &j->parts[part].symbols[l->symbol] : NULL;
	if (!local)
		return false;
	s->to = local->to;
	s->add = local->add;
	return true;
}

/* False: nobody knows which one it is: what only assembly names may be local to another part, or have the name of
 * what LLVM made there. */
static bool add_reference(CoffJoin *j, CoffPart *p, CoffInSymbol *s)
{
	CoffMeaning *m = coff_meaning(s->name);
	uint32_t part;
	Str local;
	(void)p;
	if (join_is_of_part(name_str(s->name), j->prefixes.of_part, &part, &local))
		return refer_to_local(j, s, part, local);
	if (!m->global && m->locals)
		return false;
	s->to = m->global;
	return s->to || add_undefined(j, s);
}

static bool is_reference(const CoffPart *p, const CoffInSymbol *s)
{
	if (s->class == COFF_WEAK)
		return !is_weak_definition(p, s);
	if (s->section == COFF_UNDEFINED)
		return !is_common(s);
	return s->class == COFF_EXTERNAL && is_left_out(p, s);
}

/* ---- 3: files ---- */

static bool is_file(const CoffPart *p, const CoffInSymbol *s)
{
	(void)p;
	return s->class == COFF_FILE;
}

static bool add_file(CoffJoin *j, CoffPart *p, CoffInSymbol *s)
{
	size_t size = s->naux * (p->big ? sizeof(CoffBigSymbol) : sizeof(CoffSymbol));
	Str file = {s->aux, strnlen(s->aux, size)};
	CoffMeaning *m = coff_meaning(coff_name(j, file));
	if (!m->file) {
		m->file = add_symbol(j, s);
		m->file->file = file;
	}
	s->to = m->file;
	return true;
}

/* ---- names of defaults ---- */

static bool is_unique(const CoffOutSymbol *s, bool comdat)
{
	bool defined = s->out || s->section == COFF_ABSOLUTE;
	return s->class == COFF_EXTERNAL && defined && !s->default_of &&
	       (comdat || !s->out || !(s->out->flags & COFF_COMDAT));
}

/* LLVM makes them unique among objects by the first symbol that no other object defines,
 * or at least one that this defines. */
static const Name *unique_name(const CoffJoin *j)
{
	for (int comdat = 0; comdat <= 1; comdat++)
		for (uint32_t i = 0; i < j->symbols.len; i++)
			if (is_unique(j->symbols.data[i], comdat))
				return j->symbols.data[i]->name;
	return NULL;
}

static void name_defaults(CoffJoin *j)
{
	bool any = false;
	for (uint32_t i = 0; i < j->symbols.len; i++) {
		CoffOutSymbol *s = j->symbols.data[i];
		any |= s->weak != NULL;
		if (s->weak && s->weak->weak->is_default)
			s->weak->weak->to->default_of = s->name;
	}
	const Name *unique = any ? unique_name(j) : NULL;
	for (uint32_t i = 0; unique && i < j->symbols.len; i++) {
		CoffOutSymbol *s = j->symbols.data[i];
		if (s->default_of)
			s->name = coff_name(j, str_of(arena_printf(j->mem, ".weak.%s.default.%s",
			                                           s->default_of->text, unique->text)));
	}
}

/* A weak external is nothing without its default. */
static bool check_weak(const CoffJoin *j)
{
	for (uint32_t i = 0; i < j->symbols.len; i++)
		if (j->symbols.data[i]->weak && !j->symbols.data[i]->weak->weak->to)
			return false;
	return true;
}

/* ---- all ---- */

typedef bool Kind(const CoffPart *p, const CoffInSymbol *s);
typedef bool Add(CoffJoin *j, CoffPart *p, CoffInSymbol *s);

static bool each_symbol(CoffJoin *j, Kind *kind, Add *add)
{
	for (uint32_t k = 0; k < j->nparts; k++) {
		CoffPart *p = &j->parts[k];
		for (uint32_t i = 0; i < p->nsymbols; i++) {
			CoffInSymbol *s = &p->symbols[i];
			if (s->name && kind(p, s) && !add(j, p, s))
				return false;
		}
	}
	return true;
}

bool coff_join_symbols(CoffJoin *j)
{
	if (!each_symbol(j, is_definition, add_definition) || !each_symbol(j, is_reference, add_reference) ||
	    !each_symbol(j, is_file, add_file) || !check_weak(j))
		return false;
	name_defaults(j);
	return true;
}

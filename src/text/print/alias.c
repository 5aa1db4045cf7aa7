/* text/print/alias.c: which types and attributes get an alias, what it is called, and the list of definitions
 * (reference 1.6). */
#include "text/print/printer.h"

#include <stdlib.h>

/* Characters that an alias may not have become hexadecimal, blanks underscores. */
static void put_identifier(Printer *p, StrBuf *out, Str s)
{
	static const char hex[] = "0123456789ABCDEF";
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.data[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		             c == '_' || c == '$' || c == '-';
		if (plain || c == ' ') {
			buf_char(p->arena, out, plain ? (char)c : '_');
		} else {
			buf_char(p->arena, out, hex[c >> 4]);
			buf_char(p->arena, out, hex[c & 15]);
		}
	}
}

static void name_record(Printer *p, StrBuf *out, const IrType *t)
{
	static const char *const anonymous[] = {"rec_anon_struct", "rec_anon_class", "rec_anon_union"};
	if (!t->name) {
		buf_put(p->arena, out, str_of(anonymous[t->record_kind]));
		return;
	}
	buf_put(p->arena, out, STR("rec_"));
	put_identifier(p, out, name_str(t->name));
}

static void name_int(Printer *p, StrBuf *out, const IrType *t)
{
	buf_char(p->arena, out, t->is_signed ? 's' : 'u');
	spell_uint(p->arena, out, t->width);
	buf_put(p->arena, out, t->bitint ? STR("i_bitint") : STR("i"));
}

/* Nothing is written when the type has no alias. */
static void name_type(Printer *p, StrBuf *out, const IrType *t)
{
	if (t->kind == TYPE_INT)
		name_int(p, out, t);
	else if (t->kind == TYPE_VOID)
		buf_put(p->arena, out, STR("void"));
	else if (t->kind == TYPE_RECORD)
		name_record(p, out, t);
	else if (print_names_type(p, t))
		buf_put(p->arena, out, STR("type"));
}

static void name_cmp3way(Printer *p, StrBuf *out, const IrAttr *a)
{
	static const struct {
		uint32_t param;
		const char *word;
	} parts[] = {{CMP3WAY_INFO_LT, "lt"},
	             {CMP3WAY_INFO_EQ, "eq"},
	             {CMP3WAY_INFO_GT, "gt"},
	             {CMP3WAY_INFO_UNORDERED, "un"}};
	buf_put(p->arena, out, STR("cmp3way_info_"));
	buf_put(p->arena, out, name_str(a->elems[CMP3WAY_INFO_ORDERING]->name));
	buf_char(p->arena, out, '_');
	for (unsigned i = 0; i < ARRAY_LEN(parts); i++) {
		const IrAttr *v = a->elems[parts[i].param];
		int64_t number;
		if (!v || !ir_attr_get_i64(v, &number))
			continue;
		buf_put(p->arena, out, str_of(parts[i].word));
		if (number < 0)
			buf_char(p->arena, out, 'n');
		spell_uint(p->arena, out, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
	}
}

static void name_attr(Printer *p, StrBuf *out, const IrAttr *a)
{
	if (a->kind == ATTR_BOOL) {
		buf_put(p->arena, out, a->bits ? STR("true") : STR("false"));
	} else if (a->kind == ATTR_PARAMS && a->row == ATTR_ROW_BITFIELD_INFO) {
		buf_put(p->arena, out, STR("bfi_"));
		put_identifier(p, out, name_str(a->elems[BITFIELD_INFO_NAME]->name));
	} else if (a->kind == ATTR_PARAMS && a->row == ATTR_ROW_CMP3WAY_INFO) {
		name_cmp3way(p, out, a);
	} else if (print_names_attr(p, a)) {
		buf_put(p->arena, out, STR("attr"));
	}
}

static uint32_t *times_asked(Printer *p, const Name *n)
{
	while (p->alias_asked.len <= n->id)
		vec_push(p->arena, &p->alias_asked, 0);
	return &p->alias_asked.data[n->id];
}

/* The name itself, or with the first number that makes it new. */
static Str unique_name(Printer *p, Str wanted)
{
	Name *base = name_intern(&p->alias_names, wanted), *n = base;
	bool separate = wanted.data[wanted.len - 1] >= '0' && wanted.data[wanted.len - 1] <= '9';
	while (*times_asked(p, n)) {
		StrBuf text = {0};
		buf_put(p->arena, &text, wanted);
		if (separate)
			buf_char(p->arena, &text, '_');
		spell_uint(p->arena, &text, (*times_asked(p, base))++);
		n = name_intern(&p->alias_names, (Str){text.data, text.len});
	}
	*times_asked(p, n) = 1;
	return name_str(n);
}

static uint32_t add_alias(Printer *p, Str wanted, const IrType *t, const IrAttr *a)
{
	PrintAlias alias = {.name = unique_name(p, wanted), .type = t, .attr = a};
	vec_push(p->arena, &p->aliases, alias);
	return p->aliases.len;
}

static void write_alias(Printer *p, char sigil, uint32_t number)
{
	put_char(p, sigil);
	put(p, p->aliases.data[number - 1].name);
	if (p->defining)
		vec_push(p->arena, &p->deps, number - 1);
}

/* Speller.type_alias: a record that is being defined is spelled out, and mentioned by name inside itself. */
static bool type_alias(Speller *s, const IrType *t)
{
	Printer *p = s->user;
	if (p->defining && p->defining->type == t)
		return false;
	uint32_t number = p->type_alias[t->id];
	if (!number) {
		StrBuf name = {0};
		name_type(p, &name, t);
		if (!name.len)
			return false;
		number = p->type_alias[t->id] = add_alias(p, (Str){name.data, name.len}, t, NULL);
	}
	write_alias(p, '!', number);
	return true;
}

static bool attr_alias(Speller *s, const IrAttr *a)
{
	Printer *p = s->user;
	if ((a->kind != ATTR_BOOL && !a->n) || (p->defining && p->defining->attr == a))
		return false;
	uint32_t number = p->attr_alias[a->id];
	if (!number) {
		StrBuf name = {0};
		name_attr(p, &name, a);
		if (!name.len)
			return false;
		number = p->attr_alias[a->id] = add_alias(p, (Str){name.data, name.len}, NULL, a);
	}
	write_alias(p, '#', number);
	return true;
}

void print_alias_init(Printer *p)
{
	p->type_alias = arena_array(p->arena, uint32_t, p->m->types.len);
	p->attr_alias = arena_array(p->arena, uint32_t, p->m->attrs.len);
	p->type_shared = arena_array(p->arena, PrintShared, p->m->types.len);
	p->attr_shared = arena_array(p->arena, PrintShared, p->m->attrs.len);
	names_init(&p->alias_names, p->arena);
	p->speller.arena = p->arena;
	p->speller.type_alias = type_alias;
	p->speller.attr_alias = attr_alias;
	p->speller.user = p;
}

/* Spells what each alias from `first` on stands for; that may call for further aliases, which come after it in the list. */
static void spell_definitions(Printer *p, uint32_t first)
{
	StrBuf *out = p->out;
	for (uint32_t i = first; i < p->aliases.len; i++) {
		StrBuf text = {0};
		PrintAlias alias = p->aliases.data[i];
		alias.first_dep = p->deps.len;
		p->defining = &alias;
		p->out = p->speller.out = &text;
		if (alias.type)
			spell_type(&p->speller, alias.type);
		else
			spell_attr(&p->speller, alias.attr);
		p->defining = NULL;
		alias.text = (Str){text.data, text.len};
		alias.ndeps = p->deps.len - alias.first_dep;
		p->aliases.data[i] = alias;
	}
	p->out = p->speller.out = out;
}

/* By name, a union behind the struct or class of that name. */
static int compare_records(const void *left, const void *right)
{
	const IrType *a = *(IrType *const *)left, *b = *(IrType *const *)right;
	int order = name_compare(a->name, b->name);
	return order ? order : (a->record_kind == RECORD_UNION) - (b->record_kind == RECORD_UNION);
}

/* Records that nothing uses tell what their names stand for: whether a type info is that of a struct, class or union. */
static void define_unused_records(Printer *p)
{
	const TypeTable *table = &p->m->types;
	VEC(const IrType *) records = {0};
	for (uint32_t i = 0; i < table->len; i++) {
		const IrType *t = table->held[i];
		if (t->kind == TYPE_RECORD && t->name && !p->type_alias[t->id])
			vec_push(p->arena, &records, t);
	}
	if (records.len)
		qsort(records.data, records.len, sizeof *records.data, compare_records);
	uint32_t first = p->aliases.len;
	for (uint32_t i = 0; i < records.len; i++) {
		StrBuf name = {0};
		name_record(p, &name, records.data[i]);
		p->type_alias[records.data[i]->id] =
		    add_alias(p, (Str){name.data, name.len}, records.data[i], NULL);
	}
	spell_definitions(p, first);
}

/* depth = 1 + the greatest depth below, found depth first with a stack of one's own: records may form long
 * chains. An edge back into a cycle counts as nothing. */
static void find_depth(Printer *p, uint32_t root)
{
	typedef struct Visit {
		uint32_t alias, next_dep;
	} Visit;
	VEC(Visit) stack = {0};
	PrintAlias *aliases = p->aliases.data;
	vec_push(p->arena, &stack, ((Visit){root, 0}));
	aliases[root].state = ALIAS_OPEN;
	while (stack.len) {
		Visit *v = &stack.data[stack.len - 1];
		PrintAlias *a = &aliases[v->alias];
		if (v->next_dep == a->ndeps) {
			a->state = ALIAS_DONE;
			stack.len--;
			continue;
		}
		uint32_t dep = p->deps.data[a->first_dep + v->next_dep];
		if (aliases[dep].state == ALIAS_NEW) {
			aliases[dep].state = ALIAS_OPEN;
			vec_push(p->arena, &stack, ((Visit){dep, 0}));
			continue;
		}
		if (aliases[dep].state == ALIAS_DONE && aliases[dep].depth >= a->depth)
			a->depth = aliases[dep].depth + 1;
		v->next_dep++;
	}
}

/* What is used stands above what uses it; then types before attributes, then by name. */
static int compare_aliases(const void *left, const void *right)
{
	const PrintAlias *a = left, *b = right;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (!a->type != !b->type)
		return a->type ? -1 : 1;
	return strcmp(a->name.data, b->name.data);
}

void print_alias_definitions(Printer *p)
{
	spell_definitions(p, 0);
	define_unused_records(p);
	for (uint32_t i = 0; i < p->aliases.len; i++)
		if (p->aliases.data[i].state == ALIAS_NEW)
			find_depth(p, i);
	if (p->aliases.len)
		qsort(p->aliases.data, p->aliases.len, sizeof *p->aliases.data, compare_aliases);
	print_loc_definitions(p);
	for (uint32_t i = 0; i < p->aliases.len; i++) {
		const PrintAlias *a = &p->aliases.data[i];
		put_char(p, a->type ? '!' : '#');
		put(p, a->name);
		PUT(p, " = ");
		put(p, a->text);
		put_char(p, '\n');
	}
}

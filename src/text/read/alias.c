/* Aliases (cir-reference 1.6): found by name, read when first used, wherever they are defined. */
#include "text/read/parser.h"

#include "text/read/scan.h"

enum {
	LOC_NAME_MAX = 11, /* characters of `#loc` and a number */
	TEXT_PER_LOC = 8,  /* bytes of text for each number, lest one number alone makes a large table */
};

/* Of the digits from `at` to `stop`, which are all there are, and their value: are they a number of `#locN`, written as
 * the printer does? */
static inline bool is_loc_number(const Parser *p, const char *at, const char *stop, uint32_t n)
{
	return stop > at && stop - at <= LOC_NAME_MAX - 4 && (*at != '0' || stop == at + 1) &&
	       n < (size_t)(p->lx.end - p->lx.base) / TEXT_PER_LOC;
}

/* `#loc12`: 12; UINT32_MAX for any other name. There are many of these. */
static uint32_t loc_number(const Parser *p, const char *at, uint32_t len)
{
	uint32_t n;
	if (len < 5 || len > LOC_NAME_MAX || memcmp(at, "#loc", 4) != 0)
		return UINT32_MAX;
	const char *stop = scan_number(at + 4, p->lx.end, &n);
	return stop == at + len && is_loc_number(p, at + 4, stop, n) ? n : UINT32_MAX;
}

static Alias *new_alias(Parser *p, Token name, const char *def)
{
	Alias *a = arena_new(p->mem, Alias);
	a->name = name;
	a->def = def;
	return a;
}

/* That of `#locN`, made now if it is known as a location alone. */
static Alias *numbered_alias(Parser *p, uint32_t n, uint32_t len)
{
	NumberedLoc *e = n < p->numbered_locs.len ? &p->numbered_locs.data[n] : NULL;
	if (!e || e->alias || !e->loc)
		return e ? e->alias : NULL;
	Token name = {.at = e->name, .len = len, .kind = TOK_ATTR};
	e->alias = new_alias(p, name, e->name + len + 3);
	e->alias->end = e->end;
	e->alias->loc = e->loc;
	e->alias->state = ALIAS_DONE;
	return e->alias;
}

static Alias *lookup(Parser *p, const char *at, uint32_t len)
{
	uint32_t n = loc_number(p, at, len);
	if (n != UINT32_MAX)
		return numbered_alias(p, n, len);
	Slice *s = slice_find(&p->alias_names, at, len, hash_bytes(&p->m->names.key, at, len));
	return s ? s->u.ptr : NULL;
}

static NumberedLoc *numbered_loc(Parser *p, uint32_t n)
{
	while (n >= p->numbered_locs.len)
		vec_push(p->mem, &p->numbered_locs, (NumberedLoc){0});
	return &p->numbered_locs.data[n];
}

static Alias *insert(Parser *p, Token name, const char *def)
{
	uint32_t n = loc_number(p, name.at, name.len);
	if (n != UINT32_MAX)
		return numbered_loc(p, n)->alias = new_alias(p, name, def);
	Alias *a = new_alias(p, name, def);
	slice_add(p->mem, &p->alias_names, name.at, name.len, hash_bytes(&p->m->names.key, name.at, name.len))
	    ->u.ptr = a;
	return a;
}

static void predefine(Parser *p, Str name, IrType *type, const IrAttr *attr)
{
	Alias *a = insert(p, (Token){.at = name.data, .len = (uint32_t)name.len}, NULL);
	a->state = ALIAS_DONE;
	a->type = type;
	a->attr = attr;
}

void alias_predefine(Parser *p)
{
	static const struct {
		Str name;
		uint32_t width;
	} ints[] = {
	    {{"!s8i", 4}, 8},     {{"!s16i", 5}, 16},   {{"!s32i", 5}, 32}, {{"!s64i", 5}, 64},
	    {{"!s128i", 6}, 128}, {{"!u8i", 4}, 8},     {{"!u16i", 5}, 16}, {{"!u32i", 5}, 32},
	    {{"!u64i", 5}, 64},   {{"!u128i", 6}, 128},
	};
	for (unsigned i = 0; i < ARRAY_LEN(ints); i++)
		predefine(p, ints[i].name,
		          ir_type_int(p->m, ints[i].width, ints[i].name.data[1] == 's', false), NULL);
	predefine(p, STR("!void"), ir_type_simple(p->m, TYPE_VOID), NULL);
	predefine(p, STR("!bool"), ir_type_simple(p->m, TYPE_BOOL), NULL);
	predefine(p, STR("#true"), NULL, ir_attr_bool(p->m, true));
	predefine(p, STR("#false"), NULL, ir_attr_bool(p->m, false));
}

/* Enters a definition; the first one of a name counts. */
static Alias *enter(Parser *p, Token name, const char *def)
{
	Alias *a = lookup(p, name.at, name.len);
	if (!a)
		return insert(p, name, def);
	if (!a->def)
		*a = (Alias){.name = name, .def = def};
	return a;
}

bool alias_at_definition(const Parser *p)
{
	if (!at(p, TOK_TYPE) && !at(p, TOK_ATTR))
		return false;
	Lexer ahead = p->lx;
	lex_next(&ahead);
	return ahead.tok.kind == '=';
}

/* `#loc12 = loc(…)` at q: most definitions are of this kind. Behind it and its location, which is entered; NULL, and
 * nothing entered: any other text, or an older definition. */
static inline const char *enter_numbered_loc(Parser *p, const char *q, uint32_t *number)
{
	const char *digits = q + 4, *end = p->lx.end, *behind;
	uint32_t n;
	if (end - q < 12 || memcmp(q, "#loc", 4) != 0)
		return NULL;
	const char *stop = scan_number(digits, end, &n);
	if (!is_loc_number(p, digits, stop, n) || end - stop < 7 || memcmp(stop, " = loc(", 7) != 0)
		return NULL;
	const LocInfo *l = parse_plain_loc_body(p, stop + 7, &behind, PLAIN_LOC_LEVELS);
	if (!l || l->kind == LOC_UNKNOWN)
		return NULL;
	NumberedLoc *e = numbered_loc(p, n);
	if (e->loc || e->alias)
		return NULL;
	*e = (NumberedLoc){.loc = l, .name = q, .end = behind};
	*number = n;
	return behind;
}

/* A run of them, a line each. Behind the last one, which the first of the run remembers; or NULL. */
static const char *enter_numbered_locs(Parser *p, const char *q)
{
	const char *behind = NULL;
	uint32_t first = 0, n;
	for (const char *line = q, *next; (next = enter_numbered_loc(p, line, &n)); line = behind + 1) {
		if (!behind)
			first = n;
		behind = next;
		if (behind == p->lx.end || *behind != '\n')
			break;
	}
	if (behind)
		p->numbered_locs.data[first].end = behind;
	return behind;
}

static void enter_definition(Parser *p, const char *q)
{
	lex_seek(&p->lx, q);
	Token name = peek(p);
	if (!alias_at_definition(p))
		return;
	advance(p);
	advance(p);
	enter(p, name, peek(p).at);
}

/* Behind the end of the line that q is on, or NULL: it is the last one. */
static inline const char *next_line(const char *q, const char *end)
{
	if (q < end && *q == '\n')
		return q + 1;
	const char *nl = q < end ? memchr(q, '\n', (size_t)(end - q)) : NULL;
	return nl ? nl + 1 : NULL;
}

/* Room for as many as the last line's number says, which is the highest in what printers write. */
static void reserve_numbered_locs(Parser *p)
{
	const char *begin = p->lx.base, *end = p->lx.end, *q;
	uint32_t n;
	while (end > begin && scan_is(end[-1], SPACE))
		end--;
	for (q = end; q > begin && q[-1] != '\n';)
		q--;
	if (end - q < 5 || memcmp(q, "#loc", 4) != 0)
		return;
	const char *stop = scan_number(q + 4, end, &n);
	if (is_loc_number(p, q + 4, stop, n))
		vec_reserve(p->mem, &p->numbered_locs, n + 1);
}

/* Enters every definition that begins a line. Lines that only look like one are never used as one. Locations,
 * which are the most of a real module, are read at once; those of a run are skipped together (alias_definition). */
static void scan(Parser *p)
{
	p->aliases_scanned = true;
	Lexer saved = p->lx;
	const char *line = p->lx.base, *end = p->lx.end;
	reserve_numbered_locs(p);
	while (line) {
		const char *q = scan_to_definition(line, end), *behind = NULL;
		if (q == end)
			break;
		if (*q == '#')
			behind = enter_numbered_locs(p, q);
		if (!behind)
			enter_definition(p, q);
		line = next_line(behind ? behind : q, end);
	}
	p->lx = saved;
}

/* Enters those that begin a line behind a carriage return alone, which is one for MLIR, too. Hardly a text has such
 * lines: they are looked for where a name has no definition else. */
static void scan_returns(Parser *p)
{
	p->returns_scanned = true;
	Lexer saved = p->lx;
	const char *q = p->lx.base, *end = p->lx.end;
	while ((q = memchr(q, '\r', (size_t)(end - q)))) {
		q = scan_blanks(q + 1, end);
		if (q < end && (*q == '#' || *q == '!'))
			enter_definition(p, q);
	}
	p->lx = saved;
}

/* `!rec_X` without a definition: the incomplete record X (the design document). */
static Alias *assume_record(Parser *p, Token name)
{
	if (name.len < 6 || memcmp(name.at, "!rec_", 5) != 0)
		return NULL;
	Alias *a = insert(p, name, NULL);
	a->state = ALIAS_DONE;
	a->type = ir_type_record(p->m, RECORD_STRUCT, (Str){name.at + 5, name.len - 5});
	return a;
}

static Alias *find(Parser *p, Token name)
{
	Alias *a = lookup(p, name.at, name.len);
	if ((!a || !a->def) && !p->aliases_scanned) {
		scan(p);
		a = lookup(p, name.at, name.len);
	}
	if (!a && !p->returns_scanned) {
		scan_returns(p);
		a = lookup(p, name.at, name.len);
	}
	return a ? a : assume_record(p, name);
}

bool alias_exists(Parser *p, Token name)
{
	return find(p, name) != NULL;
}

static void read_definition(Parser *p, Alias *a)
{
	lex_seek(&p->lx, a->def);
	if (*a->name.at == '!')
		a->type = parse_type(p);
	else if (at_loc(p))
		a->loc = parse_loc(p);
	else
		a->attr = parse_attr(p);
	a->end = p->lx.before_end;
	a->state = a->type || a->loc || a->attr ? ALIAS_DONE : ALIAS_BROKEN;
}

static void resolve(Parser *p, Alias *a);

/* Outside of all records, those that were only mentioned get their bodies; one after the
 * other, however long the chain. */
static void resolve_mentioned(Parser *p)
{
	if (p->resolving_mentioned || p->open_records.len)
		return;
	p->resolving_mentioned = true;
	while (p->mentioned.len) {
		Alias *a = vec_pop(&p->mentioned);
		if (a->state == ALIAS_NEW)
			resolve(p, a);
	}
	p->resolving_mentioned = false;
}

/* Reads the definition in a context of its own. An error in it is told once, where it stands. */
static void resolve(Parser *p, Alias *a)
{
	if ((a->loc = parse_plain_loc(p, a->def, &a->end, PLAIN_LOC_LEVELS))) {
		a->state = ALIAS_DONE;
		return;
	}
	Lexer lx = p->lx;
	struct Failure failure = p->failure;
	bool in_opaque = p->in_opaque;
	uint32_t base = p->open_records_base;
	Aggregate *inside = p->inside;
	p->failure = (struct Failure){0};
	p->in_opaque = false;
	p->inside = NULL;
	p->open_records_base = p->open_records.len;
	a->state = ALIAS_BUSY;
	uint32_t warnings = p->warnings.len;
	read_definition(p, a);
	parse_deliver_warnings(p, warnings); /* it is read once, and what uses it may be taken back */
	if (a->state == ALIAS_BROKEN)
		parse_deliver(p);
	p->open_records_base = base;
	p->inside = inside;
	p->in_opaque = in_opaque;
	p->failure = failure;
	p->lx = lx;
	resolve_mentioned(p);
}

/* Records may refer to each other: inside one, an alias of a named record means that record, whose body is
 * read later. NULL: the current token is no such alias. */
static IrType *mention(Parser *p)
{
	Alias *a = p->open_records.len ? find(p, peek(p)) : NULL;
	if (!a || !a->def || (a->state != ALIAS_NEW && a->state != ALIAS_BUSY))
		return NULL;
	Lexer lx = p->lx;
	lex_seek(&p->lx, a->def);
	IrType *record = parse_record_head(p);
	p->lx = lx;
	if (!record)
		return NULL;
	if (a->state == ALIAS_NEW)
		vec_push(p->mem, &p->mentioned, a);
	advance(p);
	return record;
}

/* "; did you mean '!x'?", or "". Types and attributes have a sign of their own. */
static const char *similar_alias(Parser *p, Token name)
{
	char sign[] = {*name.at, '\0'};
	Suggestion s = suggest_begin((Str){name.at + 1, name.len - 1});
	for (uint32_t i = 0; i < p->alias_names.slices.len; i++) {
		const Alias *a = p->alias_names.slices.data[i].u.ptr;
		if (*a->name.at == *sign)
			suggest_try(&s, (Str){a->name.at + 1, a->name.len - 1});
	}
	return parse_did_you_mean(p, &s, sign);
}

/* The alias that is the current token, resolved and consumed; NULL after a failure. */
static Alias *use(Parser *p)
{
	Token name = peek(p);
	Alias *a = find(p, name);
	if (!a) {
		parse_fail(p, name.at, "alias '%.*s' is not defined%s", (int)name.len, name.at,
		           similar_alias(p, name));
		return NULL;
	}
	if (!a->def && p->newest && !a->told) {
		a->told = true;
		parse_error(p, name.at, "older spelling: alias '%.*s' without a definition; use %s",
		            (int)name.len, name.at, diag_setting(p->d, SETTING_DIALECT_AUTO));
	}
	if (a->state == ALIAS_BUSY) {
		parse_fail(p, name.at, "alias '%.*s' is defined by itself", (int)name.len, name.at);
		return NULL;
	}
	if (a->state == ALIAS_NEW)
		resolve(p, a);
	if (a->state == ALIAS_BROKEN) {
		p->failure.silent = true;
		return NULL;
	}
	advance(p);
	return a;
}

IrType *alias_type(Parser *p)
{
	IrType *record = mention(p);
	if (record)
		return record;
	const Alias *a = use(p);
	return a ? a->type : NULL;
}

const IrAttr *alias_attr(Parser *p)
{
	Alias *a = use(p);
	if (a && !a->attr)
		a->attr = ir_attr_intern(p->m, &(IrAttr){.kind = ATTR_LOC, .loc = a->loc});
	return a ? a->attr : NULL;
}

const LocInfo *alias_loc(Parser *p)
{
	Token name = peek(p);
	const Alias *a = use(p);
	if (a && !a->loc)
		parse_fail(p, name.at, "'%.*s' is not a location", (int)name.len, name.at);
	return a ? a->loc : NULL;
}

/* Definitions stand behind the uses: what is not read yet is, if it is a plain one. */
const LocInfo *alias_numbered_loc(Parser *p, uint32_t n, unsigned levels)
{
	if (n >= p->numbered_locs.len)
		return NULL;
	if (p->numbered_locs.data[n].loc)
		return p->numbered_locs.data[n].loc;
	Alias *a = p->numbered_locs.data[n].alias;
	if (a && a->state == ALIAS_NEW && a->def && (a->loc = parse_plain_loc(p, a->def, &a->end, levels)))
		a->state = ALIAS_DONE;
	return a && a->state == ALIAS_DONE ? a->loc : NULL;
}

Loc alias_of_type(Parser *p, const IrType *type)
{
	const Alias *first = NULL;
	for (uint32_t i = 0; i < p->alias_names.slices.len; i++) {
		const Alias *a = p->alias_names.slices.data[i].u.ptr;
		if (a->def && a->type == type && (!first || a->name.at < first->name.at))
			first = a;
	}
	return first ? parse_loc_at(p, first->name.at) : (Loc){0};
}

bool alias_definition(Parser *p)
{
	Token name = peek(p);
	if (!p->aliases_scanned && *name.at == '#')
		scan(p);
	if (memchr(name.at, '.', name.len))
		return parse_fail(p, name.at, "'%.*s' cannot be an alias: it names a dialect", (int)name.len,
		                  name.at);
	Alias again, *a = lookup(p, name.at, name.len);
	if (a && a->name.at == name.at && a->state == ALIAS_DONE) { /* by scan(), or a use came first */
		lex_seek(&p->lx, a->end);
		return true;
	}
	advance(p);
	advance(p);
	const char *def = peek(p).at;
	a = enter(p, name, def);
	if (a->def != def) {
		parse_error(p, name.at, "redefinition of %s alias id '%.*s'",
		            *name.at == '!' ? "type" : "attribute", (int)name.len - 1, name.at + 1);
		parse_note(p, a->name.at, "previously defined here");
		again = (Alias){.name = name, .def = def};
		a = &again;
	}
	if (a->state == ALIAS_NEW)
		resolve(p, a);
	if (a->state == ALIAS_BROKEN) {
		p->failure.silent = true;
		return false;
	}
	lex_seek(&p->lx, a->end);
	return true;
}

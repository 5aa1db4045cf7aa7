#include "lsp/names.h"

/* A brace that is open, or the function that it is in. */
typedef struct Scope {
	bool is_module, is_function;
	uint32_t bindings; /* where its part of the log begins */
	uint32_t pending;  /* … and of the uses that have no definition yet */
} Scope;

/* A token that defines a value, when it is reached. */
typedef struct Definition {
	uint32_t token;
	uint32_t op, result, type; /* of LspMeaning */
} Definition;

/* A name was bound: what it meant before. */
typedef struct Binding {
	uint32_t name, former;
} Binding;

typedef struct Finder {
	LspNames *n;
	Arena *mem;
	Str text;
	VEC(Scope) scopes;
	VEC(Binding) log;
	VEC(uint32_t) pending;       /* names */
	VEC(uint32_t) meanings;      /* of each Name, by its id: 1 + index, or 0 */
	VEC(Definition) definitions; /* ascending by token */
	uint32_t next;               /* of them */
	uint32_t function;           /* number of the last one */
	uint32_t no_binding;         /* tokens before it are known not to begin a list of results */
	uint32_t parens;             /* open since the op began */
	uint32_t symbol;             /* the token that defined the last symbol */
	uint32_t opened;             /* the brace whose scope is open already, for the region's arguments */
	bool wants_symbol;           /* the op defines one, which has not been met */
	bool is_module_next;         /* the brace that opens next is that of a module */
} Finder;

/* ---- tokens ---- */

static void collect_tokens(Finder *f)
{
	Lexer lx;
	for (lex_begin(&lx, f->text); lx.tok.kind != TOK_EOF; lex_next(&lx))
		vec_push(f->mem, &f->n->tokens, lx.tok);
	vec_push(f->mem, &f->n->tokens, lx.tok); /* so that there is always a next one */
}

static void match_brackets(Finder *f)
{
	LspNames *n = f->n;
	VEC(uint32_t) open = {0};
	n->match = arena_array(f->mem, uint32_t, n->tokens.len);
	for (uint32_t i = 0; i < n->tokens.len; i++) {
		TokKind kind = n->tokens.data[i].kind;
		n->match[i] = LSP_NONE;
		if (kind == '(' || kind == '{') {
			vec_push(f->mem, &open, i);
		} else if (kind == ')' || kind == '}') {
			TokKind opens = kind == ')' ? '(' : '{';
			/* A brace closes what was forgotten inside of it. */
			uint32_t at = open.len;
			while (at && n->tokens.data[open.data[at - 1]].kind != opens && kind == '}')
				at--;
			if (at && n->tokens.data[open.data[at - 1]].kind == opens) {
				n->match[open.data[at - 1]] = i;
				open.len = at - 1;
			}
		}
	}
}

static Token token_at(const Finder *f, uint32_t i)
{
	return f->n->tokens.data[i < f->n->tokens.len ? i : f->n->tokens.len - 1];
}

static TokKind kind_at(const Finder *f, uint32_t i)
{
	return token_at(f, i).kind;
}

static bool is_first_on_line(const Finder *f, uint32_t i)
{
	if (!i)
		return true;
	const char *from = token_at(f, i - 1).at + token_at(f, i - 1).len, *to = token_at(f, i).at;
	return memchr(from, '\n', (size_t)(to - from)) != NULL;
}

OpKind lsp_op_of(const LspNames *n, Token t)
{
	Str s = token_str(t);
	if (t.kind == TOK_STRING)
		s = (Str){s.data + 1, s.len - 2};
	const Name *name = t.kind == TOK_WORD || t.kind == TOK_STRING ? name_find(&n->table, s) : NULL;
	return name && name->id < OP_COUNT ? (OpKind)name->id : OP_COUNT;
}

/* ---- names ---- */

/* The name of a token: `&x` is `%x`, `@"x"` is `@x`. NULL: names of dialects, numbers behind `#`. */
static const Name *name_of(Finder *f, Token t)
{
	Str s = token_str(t);
	char sigil = *s.data == '&' ? '%' : *s.data;
	if ((sigil == '!' || sigil == '#') &&
	    (memchr(s.data, '.', s.len) || (s.data[1] >= '0' && s.data[1] <= '9')))
		return NULL;
	Str bare = {s.data + 1, s.len - 1};
	if (sigil == '@' && bare.data[0] == '"')
		bare = lex_unquote(f->mem, (Token){bare.data, (uint32_t)bare.len, TOK_STRING});
	while (sigil == '@' && bare.len && (*bare.data == ' ' || *bare.data == '\t'))
		bare = (Str){bare.data + 1, bare.len - 1};
	char *key = arena_alloc(f->mem, bare.len + 1, 1);
	key[0] = sigil;
	memcpy(key + 1, bare.data, bare.len);
	return name_intern(&f->n->table, (Str){key, bare.len + 1});
}

static uint32_t *meaning_of(Finder *f, const Name *name)
{
	while (name->id >= f->meanings.len)
		vec_push(f->mem, &f->meanings, 0);
	return &f->meanings.data[name->id];
}

static uint32_t add_meaning(Finder *f, const Name *name)
{
	bool is_local = name->text[0] == '%' || name->text[0] == '^';
	LspMeaning m = {.sigil = name->text[0],
	                .name = name,
	                .first = LSP_NONE,
	                .last = LSP_NONE,
	                .definition = LSP_NONE,
	                .function = is_local ? f->function : 0,
	                .op = LSP_NONE,
	                .type = LSP_NONE};
	vec_push(f->mem, &f->n->meanings, m);
	return f->n->meanings.len - 1;
}

static uint32_t add_name(Finder *f, Token t)
{
	LspName name = {
	    .offset = (uint32_t)(t.at - f->text.data), .len = t.len, .meaning = LSP_NONE, .next = LSP_NONE};
	vec_push(f->mem, &f->n->names, name);
	return f->n->names.len - 1;
}

static void set_meaning(Finder *f, uint32_t name, uint32_t meaning)
{
	f->n->names.data[name].meaning = meaning;
}

static void define(Finder *f, uint32_t name, uint32_t meaning)
{
	LspMeaning *m = &f->n->meanings.data[meaning];
	set_meaning(f, name, meaning);
	if (m->definition == LSP_NONE) {
		m->definition = name;
		f->n->names.data[name].is_definition = true;
	}
}

/* Of a value or a block: a meaning of the scope. */
static LspMeaning *bind(Finder *f, Token t)
{
	const Name *name = name_of(f, t);
	uint32_t *slot = meaning_of(f, name), meaning = add_meaning(f, name);
	vec_push(f->mem, &f->log, ((Binding){name->id, *slot}));
	*slot = meaning + 1;
	define(f, add_name(f, t), meaning);
	return &f->n->meanings.data[meaning];
}

static const Name *name_used(Finder *f, uint32_t name)
{
	LspName *n = &f->n->names.data[name];
	TokKind kind = f->text.data[n->offset] == '@' ? TOK_SYMBOL : TOK_VALUE;
	return name_of(f, (Token){f->text.data + n->offset, n->len, kind});
}

static void use(Finder *f, Token t)
{
	const Name *name = name_of(f, t);
	if (!name)
		return;
	uint32_t at = add_name(f, t), *slot = meaning_of(f, name);
	bool is_block = name->text[0] == '^'; /* of its region, whatever a region around has */
	if (is_block || (!*slot && name->text[0] == '%')) {
		vec_push(f->mem, &f->pending, at);
		return;
	}
	if (!*slot)
		*slot = add_meaning(f, name) + 1;
	set_meaning(f, at, *slot - 1);
}

/* Of a symbol or an alias. */
static void define_global(Finder *f, Token t)
{
	const Name *name = name_of(f, t);
	if (!name)
		return;
	uint32_t at = add_name(f, t), *slot = meaning_of(f, name);
	if (!*slot)
		*slot = add_meaning(f, name) + 1;
	define(f, at, *slot - 1);
}

/* ---- scopes ---- */

static Scope *top(Finder *f)
{
	return &f->scopes.data[f->scopes.len - 1];
}

static void open_scope(Finder *f, bool is_module, bool is_function)
{
	vec_push(f->mem, &f->scopes, ((Scope){is_module, is_function, f->log.len, f->pending.len}));
}

/* Uses that came before their definition have it now, or are left to the scope around. What a function does not define is one meaning, which
 * has no definition. */
static void close_scope(Finder *f)
{
	Scope s = *top(f);
	uint32_t left = s.pending;
	for (uint32_t i = s.pending; i < f->pending.len; i++) {
		uint32_t at = f->pending.data[i];
		const Name *name = name_used(f, at);
		uint32_t *slot = meaning_of(f, name);
		if (!*slot && (s.is_function || f->scopes.len == 1)) {
			vec_push(f->mem, &f->log, ((Binding){name->id, 0}));
			*slot = add_meaning(f, name) + 1;
		}
		if (*slot)
			set_meaning(f, at, *slot - 1);
		else
			f->pending.data[left++] = at;
	}
	f->pending.len = left;
	while (f->log.len > s.bindings) {
		Binding b = vec_pop(&f->log);
		f->meanings.data[b.name] = b.former;
	}
	f->scopes.len--;
}

static void close_function(Finder *f)
{
	if (top(f)->is_function)
		close_scope(f);
}

/* ---- what defines values ---- */

/* `%a, %b:2 =`: behind the `=`; 0: it is no such list. */
static uint32_t results_end(Finder *f, uint32_t i)
{
	uint32_t at = i;
	if (i < f->no_binding)
		return 0;
	while (kind_at(f, at) == TOK_VALUE) {
		at++;
		if (kind_at(f, at) == ':' && kind_at(f, at + 1) == TOK_INT)
			at += 2;
		if (kind_at(f, at) != ',')
			break;
		at++;
	}
	if (kind_at(f, at) == '=' && kind_at(f, at - 1) != ',')
		return at + 1;
	f->no_binding = at;
	return 0;
}

static uint32_t count_of(Token t)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < t.len && n < 100000; i++)
		n = n * 10 + (uint32_t)(t.at[i] - '0');
	return n;
}

static void add_definition(Finder *f, Definition d)
{
	vec_push(f->mem, &f->definitions, d);
}

static void find_results(Finder *f, uint32_t i, uint32_t end)
{
	for (uint32_t result = 0; i < end; i++) {
		if (kind_at(f, i) == TOK_VALUE)
			add_definition(f, (Definition){i, end, result++, LSP_NONE});
		else if (kind_at(f, i) == TOK_INT)
			result += count_of(token_at(f, i)) - 1;
	}
}

/* `(%a: T, %b: T)`: those that a `(` or a `,` is before, and a `:` behind. */
static void find_arguments(Finder *f, uint32_t i, uint32_t end)
{
	for (uint32_t depth = 0; i < end; i++) {
		TokKind kind = kind_at(f, i);
		bool begins = depth == 1 && (kind_at(f, i - 1) == '(' || kind_at(f, i - 1) == ',');
		depth += kind == '(' || kind == '{';
		depth -= depth && (kind == ')' || kind == '}');
		if (begins && kind == TOK_VALUE && kind_at(f, i + 1) == ':')
			add_definition(f, (Definition){i, LSP_NONE, 0, i + 2});
	}
}

/* Is this name the label of a block? Then it is the first on its line or in its region, or a colon follows. Else it is a successor. */
static bool is_label(const Finder *f, uint32_t i)
{
	if (kind_at(f, i) != TOK_BLOCK || !(is_first_on_line(f, i) || kind_at(f, i - 1) == '{'))
		return false;
	uint32_t behind = i + 1;
	if (kind_at(f, behind) == '(')
		behind = f->n->match[behind] == LSP_NONE ? i : f->n->match[behind] + 1;
	return kind_at(f, behind) == ':';
}

/* Arguments of a function, a block or a region; in `cir.switch (%x : T) {` it is an operand. */
static void read_paren(Finder *f, uint32_t i)
{
	uint32_t end = f->n->match[i];
	f->parens++;
	if (!i || end == LSP_NONE || kind_at(f, i + 1) != TOK_VALUE || kind_at(f, i + 2) != ':')
		return;
	bool is_operand = kind_at(f, i - 1) == TOK_BLOCK || lsp_op_of(f->n, token_at(f, i - 1)) != OP_COUNT;
	bool is_region = kind_at(f, end + 1) == '{' && !is_operand;
	bool is_function = f->symbol == i - 1 && top(f)->is_function;
	if (is_region && !is_function) {
		open_scope(f, false, false);
		f->opened = end + 1;
	}
	if (is_function || is_region || is_label(f, i - 1))
		find_arguments(f, i, end);
}

/* `module attributes {…} {`: the second one is the module's. */
static void read_brace(Finder *f, uint32_t i)
{
	bool is_dictionary =
	    i && kind_at(f, i - 1) == TOK_WORD && str_is(token_str(token_at(f, i - 1)), "attributes");
	bool is_module = f->is_module_next && top(f)->is_module && !is_dictionary;
	if (f->opened != i)
		open_scope(f, is_module, false);
	f->is_module_next &= !is_module;
}

static void read_op(Finder *f, OpKind kind)
{
	bool is_symbol = op_info[kind].flags & OPF_SYMBOL;
	f->parens = 0;
	f->wants_symbol = is_symbol;
	if (!is_symbol)
		return;
	close_function(f);
	f->function++;
	open_scope(f, false, true);
}

static void read_word(Finder *f, uint32_t i)
{
	Token t = token_at(f, i);
	bool is_outside = top(f)->is_module || top(f)->is_function;
	OpKind kind = lsp_op_of(f->n, t);
	if (kind != OP_COUNT && (is_outside || !(op_info[kind].flags & OPF_SYMBOL))) {
		read_op(f, kind);
	} else if (str_is(token_str(t), "module") && is_outside && is_first_on_line(f, i)) {
		close_function(f);
		f->is_module_next = true;
	}
}

static void read_value(Finder *f, uint32_t i)
{
	uint32_t end = f->next == f->definitions.len ? results_end(f, i) : 0;
	if (end)
		find_results(f, i, end);
	if (f->next == f->definitions.len || f->definitions.data[f->next].token != i) {
		use(f, token_at(f, i));
		return;
	}
	Definition d = f->definitions.data[f->next++];
	LspMeaning *m = bind(f, token_at(f, i));
	m->op = d.op;
	m->result = d.result;
	m->type = d.type;
}

/* A symbol where the op defines one; those in brackets are others'. */
static void read_symbol(Finder *f, uint32_t i)
{
	if (!f->wants_symbol || f->parens) {
		use(f, token_at(f, i));
		return;
	}
	define_global(f, token_at(f, i));
	f->wants_symbol = false;
	f->symbol = i;
}

static void read_token(Finder *f, uint32_t i)
{
	Token t = token_at(f, i);
	switch ((int)t.kind) {
	case TOK_WORD:
	case TOK_STRING:
		read_word(f, i);
		break;
	case '(':
		read_paren(f, i);
		break;
	case ')':
		f->parens -= f->parens > 0;
		break;
	case '{':
		read_brace(f, i);
		break;
	case '}':
		close_function(f);
		if (f->scopes.len > 1)
			close_scope(f);
		break;
	case TOK_VALUE:
		read_value(f, i);
		break;
	case TOK_BLOCK:
		if (is_label(f, i))
			bind(f, t);
		else
			use(f, t);
		break;
	case TOK_SYMBOL:
		read_symbol(f, i);
		break;
	case TOK_TYPE:
	case TOK_ATTR:
		if (is_first_on_line(f, i) && kind_at(f, i + 1) == '=')
			define_global(f, t);
		else
			use(f, t);
		break;
	default:
		break;
	}
}

static void chain_names(LspNames *n)
{
	for (uint32_t i = 0; i < n->names.len; i++) {
		LspMeaning *m = &n->meanings.data[n->names.data[i].meaning];
		if (m->first == LSP_NONE)
			m->first = i;
		else
			n->names.data[m->last].next = i;
		m->last = i;
	}
}

LspNames *lsp_names_find(Arena *mem, Str text)
{
	LspNames *n = arena_new(mem, LspNames);
	Finder f = {.n = n, .mem = mem, .text = text, .symbol = LSP_NONE, .opened = LSP_NONE};
	names_init(&n->table, mem);
	for (uint32_t i = 0; i < OP_COUNT; i++)
		name_intern(&n->table, str_of(op_info[i].name));
	collect_tokens(&f);
	match_brackets(&f);
	open_scope(&f, true, false);
	for (uint32_t i = 0; i + 1 < n->tokens.len; i++)
		read_token(&f, i);
	while (f.scopes.len)
		close_scope(&f);
	chain_names(n);
	return n;
}

uint32_t lsp_name_at(const LspNames *n, uint32_t offset)
{
	uint32_t low = 0, high = n->names.len; /* names before low begin at or before the offset */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (n->names.data[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	const LspName *name = low ? &n->names.data[low - 1] : NULL;
	return name && offset <= name->offset + name->len ? low - 1 : LSP_NONE;
}

uint32_t lsp_token_before(const LspNames *n, Str text, uint32_t offset)
{
	uint32_t low = 0, high = n->tokens.len - 1;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if ((size_t)(n->tokens.data[middle].at - text.data) < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : LSP_NONE;
}

static bool opens(TokKind kind)
{
	return kind == '(' || kind == '{' || kind == '[' || kind == '<';
}

static bool closes(TokKind kind)
{
	return kind == ')' || kind == '}' || kind == ']' || kind == '>';
}

uint32_t lsp_type_end(const LspNames *n, uint32_t first)
{
	uint32_t depth = 0, i = first;
	for (; i + 1 < n->tokens.len; i++) {
		TokKind kind = n->tokens.data[i].kind;
		bool ends = kind == ',' || closes(kind) || kind == '{' || kind == TOK_WORD;
		if (!depth && i > first && ends)
			break;
		depth += opens(kind);
		depth -= depth && closes(kind);
	}
	return i;
}

/* Up to where all of its brackets are closed and a line ends. */
void lsp_alias_text(const LspNames *n, Str text, const LspMeaning *m, uint32_t *begin, uint32_t *end)
{
	const LspName *name = &n->names.data[m->definition];
	uint32_t i = *begin = lsp_token_before(n, text, name->offset + 1) + 2, depth = 0;
	for (; i + 1 < n->tokens.len; i++) {
		Token t = n->tokens.data[i], last = n->tokens.data[i - 1];
		const char *between = last.at + last.len;
		if (!depth && i > *begin && memchr(between, '\n', (size_t)(t.at - between)))
			break;
		depth += opens(t.kind);
		depth -= depth && closes(t.kind);
	}
	*end = i;
}

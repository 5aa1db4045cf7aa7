/* lsp/completion.c: what can stand where the cursor is: by the sigil before it, else an op, or a word of the op that is being written. */
#include "lsp/server.h"

#include "ir/attr.h"
#include "text/read/scan.h"

enum { KIND_FUNCTION = 3, KIND_VARIABLE = 6, KIND_CLASS = 7, KIND_KEYWORD = 14, KIND_REFERENCE = 18 };

static const char *const type_words[] = {
    "!cir.array",       "!cir.bf16",        "!cir.bool",   "!cir.catch_token", "!cir.cleanup_token",
    "!cir.complex",     "!cir.data_member", "!cir.double", "!cir.eh_token",    "!cir.f128",
    "!cir.f16",         "!cir.f80",         "!cir.float",  "!cir.func",        "!cir.int",
    "!cir.long_double", "!cir.method",      "!cir.ptr",    "!cir.struct",      "!cir.union",
    "!cir.vector",      "!cir.void",        "!cir.vptr"};

static const char *const attr_words[] = {
#define ATTR_ROW(id, name) "#cir." name,
#include "ir/attrs.def"
    "#cir.bool", "#cir.const_array", "#cir.const_record", "#cir.const_vector", "#cir.fp",  "#cir.global_view",
    "#cir.int",  "#cir.poison",      "#cir.ptr",          "#cir.undef",        "#cir.zero"};

typedef struct List {
	Asked *a;
	cJSON *items;
	uint32_t begin; /* of what the item replaces */
} List;

static void add_item(List *l, Str label, int kind, const char *words)
{
	Asked *a = l->a;
	cJSON *item = cJSON_CreateObject(), *edit = cJSON_CreateObject();
	json_put_text(item, "label", &a->s->mem, label);
	cJSON_AddNumberToObject(item, "kind", kind);
	cJSON_AddItemToObject(edit, "range", json_range(a->d, l->begin, a->offset));
	json_put_text(edit, "newText", &a->s->mem, label);
	cJSON_AddItemToObject(item, "textEdit", edit);
	if (words)
		cJSON_AddStringToObject(item, "documentation", words);
	cJSON_AddItemToArray(l->items, item);
}

static void add_words(List *l, const char *const *words, size_t n, int kind)
{
	for (size_t i = 0; i < n; i++)
		add_item(l, str_of(words[i]), kind, NULL);
}

/* The function whose text the cursor is in: that of the last name before it. */
static uint32_t function_at(const LspNames *n, uint32_t offset)
{
	uint32_t low = 0, high = n->names.len;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (n->names.data[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (uint32_t i = low; i--;) {
		const LspMeaning *m = &n->meanings.data[n->names.data[i].meaning];
		if (m->function)
			return m->function;
	}
	return 1;
}

static void add_names(List *l, char sigil)
{
	static const int kinds[] = {['%'] = KIND_VARIABLE,
	                            ['^'] = KIND_REFERENCE,
	                            ['@'] = KIND_FUNCTION,
	                            ['!'] = KIND_CLASS,
	                            ['#'] = KIND_CLASS};
	const LspNames *n = document_names(l->a->d);
	uint32_t function = function_at(n, l->begin), line = l->begin;
	while (line && l->a->d->text[line - 1] != '\n')
		line--;
	for (uint32_t i = 0; i < n->meanings.len; i++) {
		const LspMeaning *m = &n->meanings.data[i];
		bool is_local = sigil == '%' || sigil == '^';
		if (m->sigil != sigil || m->definition == LSP_NONE || (is_local && m->function != function))
			continue;
		const LspName *name = &n->names.data[m->definition];
		if (sigil != '%' || name->offset < line) /* a block may come later */
			add_item(l, (Str){l->a->d->text + name->offset, name->len},
			         kinds[(unsigned char)sigil], NULL);
	}
}

static void add_ops(List *l)
{
	for (unsigned kind = 0; kind < OP_COUNT; kind++)
		add_item(l, str_of(op_info[kind].name), KIND_KEYWORD,
		         lsp_op_words(&l->a->s->mem, (OpKind)kind));
}

/* `?nsw`, `@kind:cast` in the format of an op. */
static void add_words_of(List *l, OpKind kind)
{
	for (const char *p = op_info[kind].format; *p;) {
		size_t n = strcspn(p, " ");
		const char *colon = memchr(p, ':', n);
		if (*p == '?' && n > 1 && p[1] != ')')
			add_item(l, (Str){p + 1, n - 1}, KIND_KEYWORD, NULL);
		int class = *p == '@' && colon
		                ? ir_enum_class_find((Str){colon + 1, (size_t)(p + n - colon - 1)})
		                : -1;
		for (const char *const *word = class < 0 ? NULL : ir_enum_info[class].words; word && *word;
		     word++)
			add_item(l, str_of(*word), KIND_KEYWORD, NULL);
		p += n + (p[n] == ' ');
	}
}

/* The op of the statement that the token before the cursor is in; OP_COUNT: a statement begins here. */
static OpKind op_before(Document *d, uint32_t begin)
{
	enum { LOOKED_AT = 200 };
	const LspNames *n = document_names(d);
	uint32_t at = lsp_token_before(n, document_text(d), begin);
	for (unsigned i = 0; at != LSP_NONE && i < LOOKED_AT; i++, at--) {
		Token t = n->tokens.data[at];
		OpKind kind = lsp_op_of(n, t);
		const char *end = t.at + t.len, *cursor = d->text + begin; /* which may be within a token */
		bool is_other_line = end < cursor && memchr(end, '\n', (size_t)(cursor - end));
		if (is_other_line || t.kind == '=' || t.kind == '{' || t.kind == '}')
			return OP_COUNT;
		if (kind != OP_COUNT)
			return kind;
		if (!at)
			break;
	}
	return OP_COUNT;
}

cJSON *lsp_completion(Asked *a)
{
	Document *d = a->d;
	List l = {.a = a, .items = cJSON_CreateArray(), .begin = a->offset};
	while (l.begin && scan_is(d->text[l.begin - 1], SUFFIX))
		l.begin--;
	char sigil = l.begin ? d->text[l.begin - 1] : 0;
	OpKind kind = OP_COUNT;
	if (sigil && strchr("%^@!#", sigil)) {
		l.begin--;
		add_names(&l, sigil);
		if (sigil == '!')
			add_words(&l, type_words, ARRAY_LEN(type_words), KIND_CLASS);
		if (sigil == '#')
			add_words(&l, attr_words, ARRAY_LEN(attr_words), KIND_CLASS);
	} else if ((kind = op_before(d, l.begin)) != OP_COUNT) {
		add_words_of(&l, kind);
	} else {
		add_ops(&l);
	}
	return l.items;
}

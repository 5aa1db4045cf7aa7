/* What LLVM-C has no getter for, from the text of the module: whether a symbol is dso_local, and the name of its comdat. Each symbol begins a line of
 * its own there, in the order of the module's lists. Bodies are taken out while LLVM prints: they would cost most of the time. */
#include "raise/raiser.h"

static Str line_at(const char *text)
{
	return (Str){text, strcspn(text, "\n")};
}

/* Is the word in the line, in front of `end`? */
static bool has_word(Str line, const char *word, size_t end)
{
	size_t len = strlen(word);
	for (size_t i = 0; i + len <= end; i++)
		if (memcmp(line.data + i, word, len) == 0 && (i == 0 || line.data[i - 1] == ' ') &&
		    line.data[i + len] == ' ')
			return true;
	return false;
}

/* Behind the name of a global, which may be quoted. */
static size_t name_end(Str line)
{
	size_t i = 1;
	if (line.len > 1 && line.data[1] == '"') {
		for (i = 2; i < line.len && line.data[i] != '"'; i++)
			;
		return i;
	}
	while (i < line.len && line.data[i] != ' ')
		i++;
	return i;
}

/* `comdat($name)` follows the value. A string in the value may look the same, but ends in a quote: the last one counts. */
static Name *comdat_of(Raise *r, Str line)
{
	static const char word[] = "comdat($";
	size_t len = sizeof word - 1, at = line.len;
	for (size_t i = 0; i + len <= line.len; i++)
		if (memcmp(line.data + i, word, len) == 0)
			at = i + len;
	const char *begin = line.data + at, *end = memchr(begin, ')', line.len - at);
	if (!end || end == begin)
		return NULL;
	if (*begin == '"') /* other characters than those of C: not taken for it */
		return NULL;
	return ir_name(r->m, (Str){begin, (size_t)(end - begin)});
}

/* `@x = internal dso_local global i32 0`: as far as the word for what it is. */
static void read_variable(Raise *r, Str line)
{
	static const char *const kinds[] = {" global ", " constant ", " alias ", " ifunc "};
	size_t begin = name_end(line), at = line.len;
	unsigned kind = 0;
	for (unsigned k = 0; k < ARRAY_LEN(kinds); k++) {
		size_t len = strlen(kinds[k]);
		for (size_t i = begin; i + len <= line.len && i < at; i++)
			if (memcmp(line.data + i, kinds[k], len) == 0) {
				at = i;
				kind = k;
			}
	}
	Str rest = {line.data + begin, line.len - begin};
	Header h = {.dso_local = has_word(rest, "dso_local", at - begin), .comdat = comdat_of(r, line)};
	if (memmem(rest.data, rest.len, ", code_model \"",
	           14)) /* no such text is in a string, whose quotes LLVM escapes */
		raise_lose(r, LOST_CODE_MODEL);
	HeaderList *list = kind < 2 ? &r->globals : kind == 2 ? &r->aliases : &r->ifuncs;
	vec_push(r->arena, list, h);
}

static void read_function(Raise *r, Str line)
{
	const char *name = memchr(line.data, '@', line.len);
	size_t end = name ? (size_t)(name - line.data) : line.len;
	Header h = {.dso_local = has_word(line, "dso_local", end), .comdat = comdat_of(r, line)};
	vec_push(r->arena, &r->functions, h);
}

static unsigned count(LLVMValueRef first, LLVMValueRef (*next)(LLVMValueRef))
{
	unsigned n = 0;
	for (; first; first = next(first))
		n++;
	return n;
}

static bool agrees(const Raise *r)
{
	return r->functions.len == count(LLVMGetFirstFunction(r->module), LLVMGetNextFunction) &&
	       r->globals.len == count(LLVMGetFirstGlobal(r->module), LLVMGetNextGlobal) &&
	       r->aliases.len == count(LLVMGetFirstGlobalAlias(r->module), LLVMGetNextGlobalAlias) &&
	       r->ifuncs.len == count(LLVMGetFirstGlobalIFunc(r->module), LLVMGetNextGlobalIFunc);
}

typedef struct Body {
	LLVMValueRef function;
	LLVMBasicBlockRef *blocks;
	uint32_t n;
} Body;

typedef VEC(Body) Bodies;

/* LLVM cannot print the address of a block that is taken out. */
static bool has_label(const Raise *r, const Body *body)
{
	for (uint32_t i = 0; i < body->n; i++)
		if (ptrmap_get(&r->labels, body->blocks[i]))
			return true;
	return false;
}

static void take_bodies(Raise *r, Bodies *out)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) {
		Body body = {.function = f, .n = LLVMCountBasicBlocks(f)};
		if (!body.n)
			continue;
		body.blocks = raise_array(&r->body, sizeof *body.blocks, body.n);
		LLVMGetBasicBlocks(f, body.blocks);
		if (has_label(r, &body))
			continue;
		for (uint32_t i = 0; i < body.n; i++)
			LLVMRemoveBasicBlockFromParent(body.blocks[i]);
		vec_push(&r->body, out, body);
	}
}

static void put_bodies(const Bodies *bodies)
{
	for (uint32_t i = 0; i < bodies->len; i++)
		for (uint32_t k = 0; k < bodies->data[i].n; k++)
			LLVMAppendExistingBasicBlock(bodies->data[i].function, bodies->data[i].blocks[k]);
}

static char *print_symbols(Raise *r)
{
	Bodies bodies = {0};
	ArenaMark mark = arena_mark(&r->body);
	take_bodies(r, &bodies);
	char *text = LLVMPrintModuleToString(r->module);
	put_bodies(&bodies);
	arena_release(&r->body, mark);
	return text;
}

bool raise_read_headers(Raise *r)
{
	char *text = print_symbols(r);
	for (const char *at = text; *at;) {
		Str line = line_at(at);
		if (str_begins_with(line, STR("@")))
			read_variable(r, line);
		else if (str_begins_with(line, STR("define ")) || str_begins_with(line, STR("declare ")))
			read_function(r, line);
		at += line.len;
		at += *at == '\n';
	}
	LLVMDisposeMessage(text);
	if (!agrees(r))
		raise_error(r, "cannot be read: LLVM prints its symbols in a form that circ does not know");
	return !r->failed;
}

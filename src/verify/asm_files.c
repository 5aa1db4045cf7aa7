/* What assembly may read files: text that has '.incbin' or '.include', or that could form such a directive while it is
 * assembled. More is refused than does, never less:
 *
 *   .incbin .INCLUDE     a directive by its name, in any case; in a comment or a string, too
 *   .macro .irp .rept    what these repeat may put a name together: "\a\()cbin", and so may ".altmacro"
 *   .in$0 $0             of a template: an operand may be any symbol, ".incbin" among them, where a statement begins
 *   ".incbin"            a statement that begins with a string: the quotes count for nothing
 *
 * That no other directive reads a file, and what a statement begins behind (newline ';' and labels), is LLVM's AsmParser.cpp.
 */
#include "verify/asm_files.h"

typedef struct Directive {
	const char *name;
	const char *why;
} Directive;

static const char reads[] = "reads a file";
static const char forms[] = "can form a directive that reads a file";

static const Directive directives[] = {
    {".incbin", reads}, {".include", reads}, {".macro", forms}, {".irp", forms},
    {".irpc", forms},   {".rept", forms},    {".rep", forms},   {".altmacro", forms},
};
static const Directive operand = {"an operand at the beginning of a statement", forms};
static const Directive string = {"a string at the beginning of a statement", forms};

/* How much of a statement has been seen. A label is a first word, and ':' behind it. */
typedef enum Seen { NOTHING, WORD, WORD_AND_SPACE, MORE } Seen;

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool goes_on(char c)
{
	c = lower(c);
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* An operand of a template may stand for the rest of the name. */
static bool may_be(const Directive *d, Str text, bool template)
{
	size_t i = 0;
	for (; d->name[i]; i++) {
		char c = i < text.len ? text.data[i] : '\0';
		if (c == '$' && template)
			return true;
		if (lower(c) != d->name[i])
			return false;
	}
	return i == text.len || !goes_on(text.data[i]);
}

static const Directive *directive_at(Str text, bool template)
{
	for (size_t i = 0; i < ARRAY_LEN(directives); i++)
		if (may_be(&directives[i], text, template))
			return &directives[i];
	return NULL;
}

/* '$' of a template, as verify/asm.c has it: '$$' and '${:word}' are no operands. */
static bool is_operand(Str text)
{
	return text.len < 2 || !(strchr("$(|)", text.data[1]) || str_begins_with(text, STR("${:")));
}

static bool is_variant(Str text)
{
	return text.len > 1 && text.data[0] == '$' && text.data[1] && strchr("(|)", text.data[1]);
}

static Seen go_on(Seen seen, char c, char before)
{
	if (c == '\n' || c == '\r' || c == ';' || (c == '/' && before == '*') || (c == ':' && seen != MORE))
		return NOTHING;
	if ((unsigned char)c <= ' ')
		return seen == WORD ? WORD_AND_SPACE : seen;
	return seen == NOTHING || seen == WORD ? WORD : MORE;
}

static const Directive *find(Str text, bool template)
{
	Seen seen = NOTHING;
	for (size_t i = 0; i < text.len; i++) {
		Str rest = {text.data + i, text.len - i};
		char c = text.data[i];
		if (template && is_variant(rest)) { /* either of them may end a statement */
			seen = NOTHING;
			i++;
			continue;
		}
		const Directive *found = c == '.' ? directive_at(rest, template) : NULL;
		if (found)
			return found;
		if (seen == NOTHING && c == '"')
			return &string;
		if (seen == NOTHING && c == '$' && template && is_operand(rest))
			return &operand;
		seen = go_on(seen, c, i ? text.data[i - 1] : '\0');
	}
	return NULL;
}

static bool check(Diags *d, Loc loc, const char *what, Str text, bool template)
{
	const Directive *found = find(text, template);
	if (found)
		diag_error(d, loc,
		           "%s has %s%s%s, which %s; assembly that may read files is not allowed here "
		           "(%s)",
		           what, *found->name == '.' ? "'" : "", found->name, *found->name == '.' ? "'" : "",
		           found->why, diag_setting(d, SETTING_NO_ASM_FILES));
	return !found;
}

/* The lines of the module's assembly are one text for LLVM, but no name goes over the end of a line. */
bool verify_no_asm_files(const IrModule *m, Diags *d)
{
	uint32_t errors = d->errors;
	const IrAttr *lines = ir_module_attr(m, NAME_cir_module_asm);
	for (uint32_t i = 0; lines && i < lines->n; i++)
		if (!check(d, m->attrs_loc, "attribute 'cir.module_asm'", name_str(lines->elems[i]->name),
		           false))
			break;
	for (IrOp *op = ir_walk_first(&m->body); op && !diag_full(d); op = ir_walk_next(op, &m->body))
		if (op->kind == OP_ASM || op->kind == OP_INLINE_ASM)
			check(d, op->loc, op->kind == OP_ASM ? "'cir.asm' op" : "'circ.inline_asm' op",
			      name_str(ir_op_attr(op, NAME_asm_string)->name), true);
	return d->errors == errors;
}

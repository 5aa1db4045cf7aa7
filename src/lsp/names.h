/* lsp/names.h: what the names in a text mean: values, blocks, symbols, aliases of types and attributes.
 *
 * By tokens and braces alone, so that it works while the text is wrong. A use may come before its definition. Values and blocks are those
 * of their function, and what a region defines is not seen outside; symbols and aliases are the module's. */
#ifndef CIRC_LSP_NAMES_H
#define CIRC_LSP_NAMES_H

#include "base/name.h"
#include "base/vec.h"
#include "ir/op.h"
#include "text/read/lex.h"

#define LSP_NONE UINT32_MAX /* no index */

/* Where a name stands, with its sigil. */
typedef struct LspName {
	uint32_t offset, len;
	uint32_t meaning; /* index in meanings */
	uint32_t next;    /* another of the same meaning, further in the text, or LSP_NONE */
	bool is_definition;
} LspName;

typedef struct LspMeaning {
	char sigil;           /* % ^ @ ! # */
	const Name *name;     /* sigil and name */
	uint32_t first, last; /* of names */
	uint32_t definition;  /* of names, or LSP_NONE */
	uint32_t function;    /* of values and blocks: which one, from 1, in the order of the text; else 0 */
	/* of a value */
	uint32_t op;     /* result: index of the token of its op's name; else LSP_NONE */
	uint32_t result; /* number of the result */
	uint32_t type;   /* argument: index of the first token of its type; else LSP_NONE */
} LspMeaning;

typedef struct LspNames {
	NameTable table; /* the first ones are the names of ops, by OpKind */
	VEC(Token) tokens;
	uint32_t *match;          /* of each ( and {: the index of what closes it, or LSP_NONE */
	VEC(LspName) names;       /* ascending */
	VEC(LspMeaning) meanings; /* in the order of the text */
} LspNames;

LspNames *lsp_names_find(Arena *mem, Str text);

/* The name at an offset, or that ends there; LSP_NONE: none. */
uint32_t lsp_name_at(const LspNames *n, uint32_t offset);
/* The last token that begins before an offset; LSP_NONE: none. */
uint32_t lsp_token_before(const LspNames *n, Str text, uint32_t offset);

/* The tokens of an alias's definition, behind the `=`. */
void lsp_alias_text(const LspNames *n, Str text, const LspMeaning *m, uint32_t *begin, uint32_t *end);
/* Behind the tokens of a type: what brackets hold, as far as a `,` or what closes the brackets around. */
uint32_t lsp_type_end(const LspNames *n, uint32_t first);

/* The kind of op that a token names, as a word or, in the generic form, a string; OP_COUNT: none. */
OpKind lsp_op_of(const LspNames *n, Token t);

#endif

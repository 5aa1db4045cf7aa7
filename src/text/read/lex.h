/* text/read/lex.h: the tokens of CIR text (cir-reference 1.1).
 *
 * Ownership  a lexer borrows the text; tokens point into it, nothing is copied.
 * Errors     what is no token becomes TOK_ERROR, and `error` says why.
 */
#ifndef CIRC_TEXT_READ_LEX_H
#define CIRC_TEXT_READ_LEX_H

#include "base/vec.h"

/* Punctuation of one character is its own kind. */
typedef enum TokKind {
	TOK_EOF = 256,
	TOK_ERROR,
	TOK_WORD,     /* bare id: letters, digits, _ $ . */
	TOK_VALUE,    /* %x; &x in the design document */
	TOK_BLOCK,    /* ^x */
	TOK_SYMBOL,   /* @x, @"x" */
	TOK_ATTR,     /* #x, #dialect.name */
	TOK_TYPE,     /* !x, !dialect.name */
	TOK_INT,      /* 12, -12, 0x1F */
	TOK_FLOAT,    /* 1.5, -1.5e+00 */
	TOK_STRING,   /* with its quotes */
	TOK_ARROW,    /* -> */
	TOK_ELLIPSIS, /* ... */
	TOK_SCOPE,    /* :: */
	TOK_METADATA, /* {-# */
} TokKind;

typedef struct Token {
	const char *at;
	uint32_t len;
	TokKind kind;
} Token;

typedef struct Lexer {
	const char *base, *end;
	const char *cur;        /* behind the current token */
	const char *before_end; /* end of the token before the current one */
	Token tok;
	const char *error; /* of a TOK_ERROR */
} Lexer;

void lex_begin(Lexer *lx, Str text);
void lex_next(Lexer *lx);
/* Makes the token at offset `at` the current one. */
void lex_seek(Lexer *lx, const char *at);

static inline Str token_str(Token t)
{
	return (Str){t.at, t.len};
}

/* The text is not empty, and is often one character. */
static inline bool token_is(Token t, Str text)
{
	return t.len == text.len && *t.at == *text.data &&
	       (t.len == 1 || memcmp(t.at, text.data, text.len) == 0);
}

/* The bytes between the quotes, escapes replaced. The result is in the text itself when
 * it has none, else in the arena. */
Str lex_unquote(Arena *a, Token string);

#endif

/* tokens FILE...: the tokens of CIR texts, as circ's lexer has them, for those who colour them (tests/editors/textmate.mjs). For each file a line
 * "= FILE", then one for each token: its kind, offset and length. A token that is none ends the file. */
#include "text/read/lex.h"

#include <stdio.h>
#include <stdlib.h>

static const struct Kind {
	TokKind kind;
	const char *name;
} kinds[] = {
    {TOK_WORD, "word"},     {TOK_VALUE, "value"},  {TOK_BLOCK, "block"},
    {TOK_SYMBOL, "symbol"}, {TOK_ATTR, "attr"},    {TOK_TYPE, "type"},
    {TOK_INT, "number"},    {TOK_FLOAT, "number"}, {TOK_STRING, "string"},
};

static const char *name_of(TokKind kind)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return "other";
}

static void print_tokens(Str text)
{
	Lexer lx;
	lex_begin(&lx, text);
	while (lx.tok.kind != TOK_EOF && lx.tok.kind != TOK_ERROR) {
		printf("%s %zu %u\n", name_of(lx.tok.kind), (size_t)(lx.tok.at - text.data), lx.tok.len);
		lex_next(&lx);
	}
}

static char *read_all(FILE *in, size_t *len)
{
	size_t cap = 0;
	char *data = NULL;
	*len = 0;
	do {
		if (*len == cap && !(data = realloc(data, (cap = cap ? 2 * cap : 1 << 16) + 1)))
			abort();
		*len += fread(data + *len, 1, cap - *len, in);
	} while (!feof(in) && !ferror(in));
	data[*len] = '\0';
	return data;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *in = fopen(argv[i], "rb");
		if (!in) {
			perror(argv[i]);
			return 1;
		}
		size_t len;
		char *text = read_all(in, &len);
		fclose(in);
		printf("= %s\n", argv[i]);
		print_tokens((Str){text, len});
		free(text);
	}
	return 0;
}

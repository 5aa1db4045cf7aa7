#include "jit/symbols.h"

#include <search.h>
#include <stdlib.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(((const JitSymbol *)a)->name, ((const JitSymbol *)b)->name);
}

JitSymbol *jit_symbols_find(const JitSymbols *s, const char *name)
{
	JitSymbol key = {.name = (char *)(uintptr_t)name};
	JitSymbol **node = tfind(&key, &s->root, by_name);
	return node ? *node : NULL;
}

static void free_symbol(void *p)
{
	JitSymbol *symbol = p;
	free(symbol->name);
	free(symbol);
}

JitSymbol *jit_symbols_get(JitSymbols *s, const char *name)
{
	JitSymbol *symbol = jit_symbols_find(s, name);
	if (symbol) {
		symbol->count++;
		return symbol;
	}
	symbol = calloc(1, sizeof *symbol);
	if (!symbol)
		return NULL;
	symbol->name = strdup(name);
	symbol->count = 1;
	if (symbol->name && tsearch(symbol, &s->root, by_name))
		return symbol;
	free_symbol(symbol);
	return NULL;
}

void jit_symbols_release(JitSymbols *s, const char *name)
{
	JitSymbol *symbol = jit_symbols_find(s, name);
	if (!symbol || --symbol->count)
		return;
	tdelete(symbol, &s->root, by_name);
	free_symbol(symbol);
}

void jit_symbols_free(JitSymbols *s)
{
	tdestroy(s->root, free_symbol);
	s->root = NULL;
}

/* lsp/indent.h: the indentation of a text. */
#ifndef CIRC_LSP_INDENT_H
#define CIRC_LSP_INDENT_H

#include "lsp/names.h"

/* The text with other blanks at the beginnings and ends of its lines. The tokens are those of the text, and it has no errors. */
Str lsp_indent(Arena *mem, Str text, const LspNames *n);

#endif

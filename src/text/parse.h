/* text/parse.h: text to IR (cir-reference sections 1 to 5, all eras).
 *
 * Ownership  the module borrows the text, which must outlive it: diagnostics quote it.
 * Errors     false: at least one error was reported. The parser recovers at the next op and reports up to
 *            DIAG_LIMIT errors. The module may then be only destroyed.
 * Limits     text of at most 2 GiB; types, attributes and locations nested at most
 *            TYPE_DEPTH_MAX deep. Regions nest freely.
 */
#ifndef CIRC_TEXT_PARSE_H
#define CIRC_TEXT_PARSE_H

#include "ir/module.h"

/* Which spellings are read. */
typedef enum Dialect {
	DIALECT_AUTO,   /* those of every era */
	DIALECT_NEWEST, /* those of the newest grammar: each older one is an error */
	DIALECT_EARLIEST /* as AUTO; i32 stands for !s32i from the beginning, not only where something shows that era */
} Dialect;

/* m: new and empty; its source is set to (name, text). */
bool text_parse_as(IrModule *m, const char *name, Str text, Dialect dialect, Diags *d);
bool text_parse(IrModule *m, const char *name, Str text, Diags *d); /* DIALECT_AUTO */

/* One type or attribute, whole, for a module that exists. Aliases are the
 * predefined ones; `!rec_S` is the record S. NULL: an error was reported, with its place in the text.
 * The text must outlive the module. */
IrType *text_parse_type(IrModule *m, Str text, Diags *d);
const IrAttr *text_parse_attr(IrModule *m, Str text, Diags *d);

#endif

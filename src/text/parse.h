/* text/parse.h: text to IR (cir-reference sections 1 to 5, all eras).
 *
 * Ownership  the module borrows the text, which must outlive it: diagnostics quote it.
 * Errors     false: at least one error was reported. The parser recovers at the next op and reports up to DIAG_LIMIT
 *            errors. The module may then be only destroyed.
 * Limits     text of at most 2 GiB; types, attributes and locations nested at most TYPE_DEPTH_MAX deep. Regions nest freely.
 */
#ifndef CIRC_TEXT_PARSE_H
#define CIRC_TEXT_PARSE_H

#include "ir/module.h"

/* m: new and empty; its source is set to (name, text). */
bool text_parse(IrModule *m, const char *name, Str text, Diags *d);

#endif

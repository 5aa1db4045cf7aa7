/* explain/module_site.h: which ops of flat CIR can unwind: calls, throws, operations that fault, checks.
 *
 * A check is a branch to cold code that raises (flatten/check.c). Checks share that code, so the branch is the site, and the call in
 * the code is none. */
#ifndef CIRC_EXPLAIN_MODULE_SITE_H
#define CIRC_EXPLAIN_MODULE_SITE_H

#include "ir/module.h"

typedef struct ModuleSite {
	const IrOp *unwinds;   /* the op that does: the site's own, or the call of a check */
	const char *operation; /* "load", "check null" and so forth; NULL: a call or a throw */
	bool is_throw;
} ModuleSite;

/* False: nothing leaves it. func: that it is in. */
bool module_site(const IrModule *m, const IrOp *func, const IrOp *op, ModuleSite *s);

/* Does a block hold the call of checks, and nothing else? */
bool module_is_raise(const IrModule *m, const IrBlock *b);

#endif

/* explain/cfa.h: what call frame instructions make of a frame, row by row (DWARF 5, 6.4; LSB 5.0 Core, 10.6.1). */
#ifndef CIRC_EXPLAIN_CFA_H
#define CIRC_EXPLAIN_CFA_H

#include "explain/eh_frame.h"
#include "explain/explanation.h"

/* What one function after the other uses again; lives in the explanation's arena. */
typedef struct CfaReader CfaReader;
CfaReader *cfa_open(CircExplanation *e, const ObjectFile *o);

/* Sets f->rows. */
void cfa_rows(CfaReader *r, const EhFde *fde, CircExplainedFunction *f);

#endif

/* view/explanation.h: explanations as part of the page's data. Private to src/view. */
#ifndef CIRC_VIEW_EXPLANATION_H
#define CIRC_VIEW_EXPLANATION_H

#include "explain/explain.h"
#include "explain/module.h"
#include "view/data.h"

/* NULL: no memory, reported. Its arena fails as `mem` does; explanation_destroy() frees it. */
CircExplanation *view_explanation(Arena *mem, Diags *d);

/* Finishes and writes it. */
void put_explanation(ViewData *d, CircExplanation *e);

#endif

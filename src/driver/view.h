/* driver/view.h: `circ view`: a page that shows a module at all its stages. */
#ifndef CIRC_DRIVER_VIEW_H
#define CIRC_DRIVER_VIEW_H

#include "driver/options.h"

/* Writes -o, else FILE.html in the current folder; --open shows it. What is wrong is reported. */
void view_file(const Options *o, Arena *arena, Report *r);

#endif

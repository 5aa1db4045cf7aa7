/* driver/lsp.h: `circ lsp`: a language server on standard input and output. */
#ifndef CIRC_DRIVER_LSP_H
#define CIRC_DRIVER_LSP_H

#include "driver/options.h"

/* Until the client asks it to exit, or is gone. The exit status is an error in the latter case. */
void lsp_run(const Options *o, Arena *arena, Report *r);

#endif

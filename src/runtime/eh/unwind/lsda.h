/* runtime/eh/unwind/lsda.h: a function's table of exceptions, .gcc_except_table, as LLVM and gas write it: where in
 * the function calls land, and what is caught there (https://itanium-cxx-abi.github.io/cxx-abi/exceptions.pdf, 7).
 * Threads  no shared state. Errors  a table that cannot be is said, and the program aborted.
 */
#ifndef CIRC_RUNTIME_EH_UNWIND_LSDA_H
#define CIRC_RUNTIME_EH_UNWIND_LSDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What encoded pointers may count from; the rest of a table is relative to its own bytes. */
typedef struct LsdaBases {
	uintptr_t function, text, data;
} LsdaBases;

typedef struct Lsda {
	LsdaBases bases;
	uintptr_t pads; /* landing pads count from here */
	const uint8_t *sites, *actions, *types;
	uint8_t site_encoding, type_encoding;
} Lsda;

typedef struct LsdaSite {
	uintptr_t pad;         /* 0: the exception passes */
	const uint8_t *action; /* NULL: a cleanup only */
} LsdaSite;

void circeh_lsda_open(Lsda *lsda, const uint8_t *table, const LsdaBases *bases);

/* Of the call whose last byte is at `pc`. False: no exception may come from there. */
bool circeh_lsda_find(const Lsda *lsda, uintptr_t pc, LsdaSite *site);

#ifdef __wasm__
/* There sites are the catches of a function, by number: a pad, which is the same number, and an action. NULL: no clauses. */
const uint8_t *circeh_lsda_action(const Lsda *lsda, uintptr_t number);
#endif

/* The action's number, 0 for a cleanup; *action becomes the next one, or NULL. */
intptr_t circeh_lsda_next(const uint8_t **action);

/* What a number above 0 stands for. */
const void *circeh_lsda_type(const Lsda *lsda, intptr_t number);

#endif

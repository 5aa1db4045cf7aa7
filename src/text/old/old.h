/* text/old/old.h: what the files of this folder share, and the one thing that others see of it: old_text. */
#ifndef CIRC_TEXT_OLD_OLD_H
#define CIRC_TEXT_OLD_OLD_H

#include "text/read/parser.h"

/* Older spellings, and older meanings of today's: for the reader, which gets it from text/parse.c. */
extern const OldText old_text;

#define OLD(id, mnemonic, format)
#define OLD_CUSTOM(id, mnemonic, function) CustomParser function;
#include "text/old/ops.def"

/* What an older text means by an op: modernise.c, enum_number.c */

bool parse_modernise(Parser *p, Frame *f);
bool parse_modernise_numbers(Parser *p, const Frame *f);

/* Exceptions: try.c */

/* For a `cir.catch_param begin`, whose operand is in p->values: a call takes it, and the call's result its place. */
void parse_begin_catch_call(Parser *p, const Frame *f);
/* The kind of a parameter that is a reference to the caught pointer. */
void parse_modernise_reference(Parser *p, const Frame *f);
/* What a cir.throw throws, and what destroys it, as symbols, when they were given as values. */
bool parse_thrown_symbols(Parser *p, const Frame *f);
IrValue *parse_wrap_call(Parser *p, const Frame *f, IrOp *call);
bool parse_early_try(Parser *p, Frame *f);
void parse_old_exceptions(Parser *p);

/* Static variables of before cir.local_init: static_variable.c */
void parse_old_statics(Parser *p);

/* Padding: padding.c */

void parse_note_access(Parser *p, IrOp *op);
void parse_tell_padding(Parser *p);
void parse_padded(Parser *p);

#endif

/* ir/spell.h: the text of types and attributes, newest spelling, for the printer and for diagnostics.
 *
 * Nesting is bounded by what the parser and the builder accept (TYPE_DEPTH_MAX); recursion is safe.
 */
#ifndef CIRC_IR_SPELL_H
#define CIRC_IR_SPELL_H

#include "base/vec.h"
#include "ir/attr.h"

/* Types, attributes and locations nested deeper than this are refused by the reader and by the builder. */
enum { TYPE_DEPTH_MAX = 256 };

typedef struct Speller {
	Arena *arena;
	StrBuf *out;
	/* Writes an alias and returns true, or returns false to have it spelled out. NULL: always
	 * spelled out; a named record inside itself, or with no aliases at all, is then written
	 * without its body: !cir.struct<"S">. */
	bool (*type_alias)(struct Speller *s, const IrType *t);
	bool (*attr_alias)(struct Speller *s, const IrAttr *a);
	bool (*loc_alias)(struct Speller *s, const LocInfo *loc);
	void *user;
	const IrType *inside[TYPE_DEPTH_MAX]; /* named records being written */
	uint32_t ninside;
	uint32_t depth; /* of attributes and dictionaries around what is written */
	uint32_t limit; /* of bytes, for messages: what is longer is cut short. 0: none */
} Speller;

void spell_type(Speller *s, const IrType *t);
void spell_attr(Speller *s, const IrAttr *a); /* with its `: T` */
void spell_attr_untyped(Speller *s, const IrAttr *a);
/* The number of an ATTR_INT, in decimal by the signedness of its type. */
void spell_attr_number(Speller *s, const IrAttr *a);
void spell_address_space(Speller *s, const IrAttr *space); /* as in a pointer type */
void spell_loc(Speller *s, const LocInfo *loc); /* loc(…); without aliases a very long one is loc(unknown) */
void spell_attr_params(Speller *s, const IrAttr *a); /* ATTR_PARAMS without its name: `<index = 0>` */
void spell_dict_body(Speller *s, Name *const *keys, const IrAttr *const *values, uint32_t n); /* `a = 1, b` */
void spell_string(Arena *a, StrBuf *out, Str bytes);     /* quoted, escaped */
void spell_symbol(Arena *a, StrBuf *out, const Name *n); /* @f or @"f g" */
void spell_key(Arena *a, StrBuf *out, const Name *n);    /* f or "f g" */
void spell_uint(Arena *a, StrBuf *out, uint64_t v);
void spell_int(Arena *a, StrBuf *out, int64_t v);

/* The text of an attribute, of at most `limit` bytes. */
Str ir_attr_text(Arena *a, const IrAttr *attr, uint32_t limit);

/* For messages: NUL terminated, in the arena; cut short where it is very long. */
const char *ir_type_str(Arena *a, const IrType *t);
const char *ir_attr_str(Arena *a, const IrAttr *attr);

#endif

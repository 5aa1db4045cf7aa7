/* msvc/itanium_reader.h: what the reader of types and that of names share. */
#ifndef CIRC_MSVC_ITANIUM_READER_H
#define CIRC_MSVC_ITANIUM_READER_H

#include "msvc/itanium_type.h"

typedef VEC(CxxType *) CxxTypeList;

typedef struct ItaniumReader {
	CxxTypes *t;
	const char *at, *end;
	CxxTypeList subs;   /* what S_, S0_, … stand for */
	ItaniumFailure why; /* what NULL: nothing went wrong */
	unsigned depth;     /* of calls */
} ItaniumReader;

/* Remembers the first reason; returns NULL. */
CxxType *itanium_fail(ItaniumReader *r, const char *why);
CxxType *itanium_fail_at_local(ItaniumReader *r, const char *why);
CxxType *itanium_malformed(ItaniumReader *r);
/* Makes what a later S…_ may refer to. NULL stays NULL. */
CxxType *itanium_substitutable(ItaniumReader *r, CxxType *type);

/* An interned type; nesting too deep is the failure. */
CxxType *itanium_make(ItaniumReader *r, CxxType *made);
/* Of what clang spells otherwise than it is named; unless that is too long. type: or NULL. */
void itanium_set_spelling(ItaniumReader *r, CxxType *type, const StrBuf *text);

CxxType *itanium_read_type(ItaniumReader *r);
/* <class-enum-type> up to its end, which its reader makes substitutable. */
CxxType *itanium_read_name(ItaniumReader *r);
/* <substitution> but St. */
CxxType *itanium_read_substitution(ItaniumReader *r);
/* I <template-arg>+ E */
CxxType *itanium_read_args(ItaniumReader *r, const CxxType *name);
/* Decimal digits. */
bool itanium_read_number(ItaniumReader *r, uint64_t *out);

static inline char itanium_peek(const ItaniumReader *r)
{
	return r->at < r->end ? *r->at : '\0';
}

static inline char itanium_peek2(const ItaniumReader *r)
{
	return r->end - r->at > 1 ? r->at[1] : '\0';
}

static inline bool itanium_accept(ItaniumReader *r, char c)
{
	bool is = r->at < r->end && *r->at == c;
	r->at += is;
	return is;
}

#endif

/* msvc/cxx_type.h: C++ types as mangled names tell them, neutral between the two manglings.
 *
 * Ownership  types live in the arena of their table and are interned there: equal types are the same
 *            pointer, so that back references compare addresses. A type may hold another many times; walk
 *            them with a memo, or with a limit.
 * Errors     a type nested deeper than CXX_DEPTH_MAX is not made: the constructors return NULL.
 * Threads    a table belongs to one thread at a time.
 */
#ifndef CIRC_MSVC_CXX_TYPE_H
#define CIRC_MSVC_CXX_TYPE_H

#include "base/vec.h"

#include "base/name.h"

enum { CXX_DEPTH_MAX = 256 };

typedef enum CxxKind {
	CXX_BUILTIN,        /* builtin */
	CXX_NAMED,          /* ident in scope (NULL: global); a specialization: is_template, list */
	CXX_QUALIFIED,      /* elem, quals; elem is no array and not qualified itself */
	CXX_POINTER,        /* elem */
	CXX_LVALUE_REF,     /* elem */
	CXX_RVALUE_REF,     /* elem */
	CXX_ARRAY,          /* elem, value: how many; 0 when that is not known */
	CXX_FUNCTION,       /* elem: result; list: parameters; quals, ref, variadic, is_noexcept */
	CXX_MEMBER_POINTER, /* elem; scope: the class */
	CXX_LITERAL,        /* argument of a template: elem: its type, value, negative */
	CXX_PACK,           /* arguments of a template: list */
} CxxKind;

typedef enum CxxQual { CXX_CONST = 1, CXX_VOLATILE = 2, CXX_RESTRICT = 4 } CxxQual;
typedef enum CxxRef { CXX_REF_NONE, CXX_REF_LVALUE, CXX_REF_RVALUE } CxxRef;

typedef enum CxxBuiltin {
#define CXX_BUILTIN(id, itanium, spelling, microsoft, size) CXX_##id,
#include "msvc/cxx_builtins.def"
	CXX_BUILTIN_COUNT
} CxxBuiltin;

typedef struct CxxBuiltinInfo {
	const char *itanium, *spelling, *microsoft;
	uint32_t size;
} CxxBuiltinInfo;
extern const CxxBuiltinInfo cxx_builtin_info[CXX_BUILTIN_COUNT];

typedef struct CxxType CxxType;
struct CxxType {
	CxxKind kind : 8;
	CxxBuiltin builtin : 8;
	uint8_t quals; /* CxxQual */
	CxxRef ref : 8;
	bool variadic, is_noexcept, is_template, negative;
	uint16_t depth; /* of types in it, itself included */
	uint32_t n;
	uint64_t value;
	CxxType *elem, *scope;
	Name *ident;
	CxxType **list;
	/* what is worked out once, by those named */
	Name *spelling;  /* cxx_type_spell() */
	Name *microsoft; /* msvc/mangle.c: a specialization without its scope */
	CxxType *next;   /* chain of the table */
	uint32_t hash;
};

typedef struct CxxTypes {
	Arena *arena;
	NameTable names; /* identifiers, spellings, pieces of Microsoft names */
	CxxType **slots;
	uint32_t cap, len;
	Name *anonymous; /* namespaces, in Microsoft names; NULL: they have none */
} CxxTypes;

void cxx_types_init(CxxTypes *t, Arena *arena);

/* Interns a filled-in type; `key` and its list may be temporary. NULL: nested too deeply. */
CxxType *cxx_type(CxxTypes *t, const CxxType *key);

CxxType *cxx_type_builtin(CxxTypes *t, CxxBuiltin b);
CxxType *cxx_type_of(CxxTypes *t, CxxKind kind, CxxType *elem); /* pointer or reference */
CxxType *cxx_type_named(CxxTypes *t, CxxType *scope, Str ident);
/* name<args…> of a template's name. */
CxxType *cxx_type_specialize(CxxTypes *t, const CxxType *name, CxxType *const *args, uint32_t n);

/* Qualifiers; of an array, those of its elements. */
unsigned cxx_type_quals(const CxxType *type);

/* As clang prints it, without blanks: `ns::Box<int,char*>`. NULL when that would be
 * longer than CXX_SPELLING_MAX. */
enum { CXX_SPELLING_MAX = 4096 };
Name *cxx_type_spell(CxxTypes *t, CxxType *type);

#endif

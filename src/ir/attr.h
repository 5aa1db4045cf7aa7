/* ir/attr.h: the attributes of CIR (cir-reference sections 1.7 and 3).
 *
 * Ownership  attributes live in the arena of their module and are interned there: equal
 *            ones are the same pointer.
 * Threads    as for the module.
 */
#ifndef CIRC_IR_ATTR_H
#define CIRC_IR_ATTR_H

#include "base/diag.h"
#include "ir/type.h"

typedef enum AttrKind {
	/* builtin */
	ATTR_UNIT,
	ATTR_FLAG,   /* true, false: bits */
	ATTR_INT,    /* `#cir.int<3> : !s32i`, `4 : i64`: type, bits or words */
	ATTR_FLOAT,  /* `#cir.fp<1.5> : !cir.double`, `1.5 : f32`: type; name = the value as spelled */
	ATTR_STRING, /* name = the bytes; type or NULL */
	ATTR_TYPE,   /* type */
	ATTR_SYMBOL, /* @name, nested: elems are further ATTR_SYMBOL */
	ATTR_ARRAY,  /* elems */
	ATTR_DICT,   /* elems; keys */
	ATTR_LOC,    /* loc */
	ATTR_ENUM,   /* a word of an enumeration (ir/enums.def): bits = index, enum_class */
	/* constants, 3.1; all typed */
	ATTR_BOOL, /* #cir.bool: bits */
	ATTR_PTR,  /* #cir.ptr: bits is the address, 0 = null */
	ATTR_ZERO,
	ATTR_UNDEF,
	ATTR_POISON,
	ATTR_CONST_ARRAY, /* elems, or name = the string; bits bit 0: trailing_zeros; elem type in elem_type for strings */
	ATTR_CONST_RECORD,  /* elems */
	ATTR_CONST_VECTOR,  /* elems */
	ATTR_CONST_COMPLEX, /* elems: re, im */
	ATTR_GLOBAL_VIEW,   /* name = the symbol; elems: indices; bits: 1 for an address point */
	ATTR_GLOBAL_OFFSET, /* name; bits: bytes */
	ATTR_DISTANCE,      /* elems: two symbols; from the second to the first, and bits bytes further */
	ATTR_IMAGE_REL,     /* name: where it is, from the start of a COFF image */
	ATTR_VTABLE,        /* elems */
	ATTR_TYPEINFO,      /* elems */
	ATTR_DATA_MEMBER,   /* elems: path; none: bits is the offset in bytes plus one, 0 = null */
	ATTR_METHOD,        /* name, or bits = vtable offset with elems[0] = unit; neither = null */
	ATTR_BLOCK_ADDR,    /* #cir.block_addr_info: name = function, elems[0] = label */
	ATTR_BLOCK_DIFF,    /* #cir.block_addr_diff */
	/* 3.2, 3.3 and everything else in `#dialect.name<…>` */
	ATTR_PARAMS, /* `#cir.NAME<key = value, …>` of ir/attrs.def: attr_row; elems by row order, NULL = absent */
	ATTR_OPAQUE, /* kept as text: name has one NUL byte per part; elems are the parts (resolved aliases) */
	ATTR_KIND_COUNT
} AttrKind;

struct CircAttr {
	AttrKind kind : 8;
	uint8_t enum_class;    /* ATTR_ENUM: EnumClass */
	uint16_t row;          /* ATTR_PARAMS: AttrRow */
	uint16_t depth;        /* of attributes in it, itself included */
	uint32_t id;           /* dense in the module */
	uint32_t n;            /* elems (and keys) */
	IrType *type;          /* or NULL */
	IrType *elem_type;     /* ATTR_CONST_ARRAY as a string: its inner type */
	uint64_t bits;         /* ATTR_INT of at most 64 bits: two's complement, extended by its signedness */
	const uint64_t *words; /* ATTR_INT wider than 64 bits: little endian, `bits` words; else NULL */
	Name *name;
	const IrAttr **elems;
	Name **keys;        /* ATTR_DICT */
	const LocInfo *loc; /* ATTR_LOC */
};

/* With the hash, so that only an attribute that is most likely the one is looked at. */
typedef struct AttrSlot {
	IrAttr *attr; /* or NULL */
	uint32_t hash;
} AttrSlot;

typedef struct AttrTable {
	AttrSlot *slots; /* open addressing; cap is a power of two */
	IrAttr **held;   /* all but plain symbols and strings, which their names know */
	uint32_t cap, nheld;
	uint32_t len; /* of the module's attributes */
} AttrTable;

/* The words of section 3.5, by class. */
typedef enum EnumClass {
#define ENUM_CLASS(id, spelling) ENUM_##id,
#define ENUM_WORD(class, id, spelling)
#include "ir/enums.def"
	ENUM_CLASS_COUNT
} EnumClass;

#define ENUM_CLASS(id, spelling)
#define ENUM_WORD(class, id, spelling) class##_##id,
#define ENUM_BEGIN(class)              enum {
#define ENUM_END                                                                                             \
	}                                                                                                    \
	;
#include "ir/enums.def"

typedef struct EnumInfo {
	const char *spelling;     /* `cast` in `#cir.cast<bitcast>` */
	const char *const *words; /* NULL-terminated */
} EnumInfo;
extern const EnumInfo ir_enum_info[ENUM_CLASS_COUNT];
int ir_enum_class_find(Str spelling); /* -1 when there is none */
/* -1 when the class has no such word. */
int ir_enum_find(EnumClass c, Str word);

/* ATTR_PARAMS: the rows of ir/attrs.def, and how each parameter is spelled. */
typedef enum AttrRow {
#define ATTR_ROW(id, name) ATTR_ROW_##id,
#include "ir/attrs.def"
	ATTR_ROW_COUNT
} AttrRow;

#define ATTR_BEGIN(id)                              enum {
#define ATTR_PARAM(id, parameter, key, kind, flags) id##_##parameter,
#define ATTR_END                                                                                             \
	}                                                                                                    \
	;
#include "ir/attrs.def"

typedef enum ParamKind {
	PARAM_STR,
	PARAM_WORD,
	PARAM_INT,
	PARAM_FLAG,
	PARAM_TYPE,
	PARAM_SYM,
	PARAM_ANY
} ParamKind;

enum { PARAM_OPT = 1, PARAM_BARE = 2 };

typedef struct AttrParam {
	const char *key;
	ParamKind kind : 8;
	uint8_t flags;
} AttrParam;

typedef struct AttrRowInfo {
	const char *name;        /* `bitfield_info` in `#cir.bitfield_info<…>` */
	const AttrParam *params; /* ended by a NULL key */
	uint32_t nparams;
} AttrRowInfo;
extern const AttrRowInfo ir_attr_row_info[ATTR_ROW_COUNT];

/* Interns a filled-in attribute; `a` and what it points to may be temporary. */
const IrAttr *ir_attr_intern(IrModule *m, const IrAttr *a);
/* Is it one of the module's, not of another's? */
bool ir_attr_belongs(const IrModule *m, const IrAttr *a);

const IrAttr *ir_attr_unit(IrModule *m);
const IrAttr *ir_attr_flag(IrModule *m, bool value);
const IrAttr *ir_attr_int(IrModule *m, IrType *type, uint64_t value); /* truncated to the type's width */
/* Of more than 64 bits, in at least one word; those above n are the extension, by the type's signedness. The attribute
 * holds no more words than its value needs. */
const IrAttr *ir_attr_wide_int(IrModule *m, IrType *type, const uint64_t *words, uint32_t n);
/* Word i of the number, also above those that it holds. */
uint64_t ir_attr_word(const IrAttr *a, uint32_t i);
const IrAttr *ir_attr_i64(IrModule *m, int64_t value); /* `value : i64` */
const IrAttr *ir_attr_i32(IrModule *m, int32_t value); /* `value : i32` */
const IrAttr *ir_attr_string(IrModule *m, Str bytes);
const IrAttr *ir_attr_type(IrModule *m, IrType *type);
const IrAttr *ir_attr_symbol(IrModule *m, Name *name);
const IrAttr *ir_attr_array(IrModule *m, const IrAttr *const *elems, uint32_t n);
const IrAttr *ir_attr_dict(IrModule *m, Name *const *keys, const IrAttr *const *values, uint32_t n);
/* What dict has, or NULL, and these entries, each in place of that of its key. Sorted, as MLIR has them. */
const IrAttr *ir_dict_with(IrModule *m, const IrAttr *dict, Name *const *keys, const IrAttr *const *values,
                           uint32_t n);
const IrAttr *ir_attr_enum(IrModule *m, EnumClass c, unsigned word);
const IrAttr *ir_attr_bool(IrModule *m, bool value);      /* #cir.bool */
const IrAttr *ir_attr_null(IrModule *m, IrType *pointer); /* #cir.ptr<null> */
const IrAttr *ir_attr_zero(IrModule *m, IrType *type);
const IrAttr *ir_attr_zero_of(IrModule *m,
                              IrType *type); /* … as clang spells it: `#cir.int<0>` of integers */
const IrAttr *ir_attr_global_view(IrModule *m, IrType *type, Name *symbol, const IrAttr *const *indices,
                                  uint32_t n);

/* Has there ever been a word of that enumeration? Takes a look for each word. */
bool ir_attr_has_enum(const IrModule *m, EnumClass c);

/* Value of a dictionary's key (a name id of ir/names.def or any interned name), or NULL. */
const IrAttr *ir_dict_get(const IrAttr *dict, uint32_t name_id);

/* ATTR_INT as a signed or unsigned 64-bit number by its type (builtin integers are
 * signed). False if it does not fit. */
bool ir_attr_get_i64(const IrAttr *a, int64_t *out);
bool ir_attr_get_u64(const IrAttr *a, uint64_t *out);
/* The numbers of `array<i32: 1, 0, 2>`, at most max; false when it is no such array. */
bool ir_attr_get_numbers(const IrAttr *a, uint32_t *numbers, uint32_t max, uint32_t *n);
/* The key under which text goes to LLVM: clang writes those of functions with its dialect's
 * name before them, "cir.target-cpu". */
Str ir_attr_llvm_key(const Name *name);

/* A constant of a number, a pointer or #cir.zero that is plainly zero: constants made of
 * others are not looked into. */
bool ir_attr_is_zero(const IrAttr *a);

#endif

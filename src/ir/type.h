/* ir/type.h: the types of CIR (cir-reference section 2).
 *
 * Ownership  types live in the arena of their module and are interned there: equal types are the
 *            same pointer. Named records are nominal: one per family (struct and class, or union)
 *            and name; the body may come later.
 * Units      sizes and alignments in bytes, integer widths in bits.
 * Threads    a module belongs to one thread at a time; reading types of a finished module
 *            is safe from several.
 */
#ifndef CIRC_IR_TYPE_H
#define CIRC_IR_TYPE_H

#include "base/name.h"

typedef struct CircModule IrModule;
typedef struct CircType IrType;
typedef struct CircAttr IrAttr;

typedef enum TypeKind {
	TYPE_VOID,
	TYPE_BOOL,
	TYPE_INT,         /* width, is_signed, bitint */
	TYPE_HALF,        /* !cir.f16 */
	TYPE_BF16,        /* !cir.bf16 */
	TYPE_FLOAT,       /* !cir.float */
	TYPE_DOUBLE,      /* !cir.double */
	TYPE_F80,         /* !cir.f80 */
	TYPE_F128,        /* !cir.f128 */
	TYPE_LONG_DOUBLE, /* elem: the float type it stands for */
	TYPE_COMPLEX,     /* elem */
	TYPE_PTR,         /* elem: pointee; attr: address space or NULL */
	TYPE_VPTR,
	TYPE_ARRAY,  /* elem x count */
	TYPE_VECTOR, /* elem x count, scalable */
	TYPE_RECORD, /* record_kind, name or NULL, members, marks, packed, ... */
	TYPE_BITFIELD, /* elem: storage or NULL; members: declared types, widths in `widths` (newest upstream) */
	TYPE_FUNC,     /* elem: result (TYPE_VOID for none); members: parameters; variadic */
	TYPE_METHOD,      /* elem: function type; members[0]: class; inheritance */
	TYPE_DATA_MEMBER, /* elem: member type; members[0]: class; inheritance */
	TYPE_EH_TOKEN,
	TYPE_CLEANUP_TOKEN,
	TYPE_CATCH_TOKEN,
	TYPE_BUILTIN_INT,   /* iN: width */
	TYPE_BUILTIN_FLOAT, /* f16 bf16 f32 f64 f80 f128: width; bf16 has attr text in name */
	TYPE_INDEX,
	TYPE_NONE,
	TYPE_TOKEN,  /* builtin `token` */
	TYPE_OPAQUE, /* not ours: kept as text in name (`!llvm.ptr<271>`, `tensor<…>`) */
	TYPE_KIND_COUNT
} TypeKind;

typedef enum RecordKind { RECORD_STRUCT, RECORD_CLASS, RECORD_UNION } RecordKind;

/* How a class inherits, which the Microsoft ABI asks for pointers to its members; each is more general than
 * the one before. A class that is incomplete has the last. */
typedef enum MsInheritance { MS_UNTOLD, MS_SINGLE, MS_MULTIPLE, MS_VIRTUAL, MS_UNSPECIFIED } MsInheritance;

/* What a record member is for (reference 2.4). MARK_UNTOLD: bytes of a `padded` struct that may be data or padding; they
 * count as data. The text has `pad` for it, and says of the struct, which has a name, that its padding is not known. */
typedef enum MemberMark { MARK_DATA, MARK_PAD, MARK_EMPTY, MARK_BITFIELD, MARK_UNTOLD } MemberMark;

struct CircType {
	TypeKind kind : 8;
	RecordKind record_kind : 8;
	bool is_signed : 1;
	bool bitint : 1;
	bool scalable : 1;
	bool variadic : 1;
	bool packed : 1;
	bool complete : 1;        /* TYPE_RECORD: the body is known */
	unsigned inheritance : 3; /* MsInheritance; MS_UNTOLD: the bases of the class say it */
	uint16_t depth; /* of types in it, itself included; a named record counts one, whatever it holds */
	uint32_t id;    /* dense in the module, from 0, for side tables */
	uint32_t width;
	uint32_t nmembers;
	uint64_t count;
	IrType *elem;
	IrType **members;
	uint8_t *marks;   /* TYPE_RECORD: MemberMark of each member */
	uint32_t *widths; /* TYPE_BITFIELD: bits of each declared field */
	IrType *padding;  /* union: explicit tail padding, or NULL */
	Name *name;
	const IrAttr *attr; /* TYPE_PTR: address space. TYPE_RECORD: std_type_info or NULL */
	uint64_t size;      /* cache of ir/layout; valid when align is not 0 */
	uint32_t align;
	uint32_t hash;
	IrType *pointer;         /* cache of ir_type_ptr(this), the most frequent constructor */
	const IrAttr *type_attr; /* cache of ir_attr_type(this) */
};

/* With the hash, so that only a type that is most likely the one is looked at. */
typedef struct TypeSlot {
	IrType *type; /* or NULL */
	uint32_t hash;
} TypeSlot;

typedef struct TypeTable {
	TypeSlot *slots; /* open addressing; cap is a power of two */
	IrType **held;   /* in the order in which they were made, which is that of their ids */
	uint32_t cap, len;
} TypeTable;

/* Of all types: they depend on ir_module_address_size(). */
void ir_types_forget_layouts(IrModule *m);
/* Interns a filled-in type but for its id, hash and depth; `key` and what it points to may be temporary. */
IrType *ir_type_intern(IrModule *m, const IrType *key);
bool ir_type_belongs(const IrModule *m, const IrType *t); /* is it one of the module's, not of another's? */
IrType *ir_type_simple(IrModule *m, TypeKind kind);       /* kinds without parameters */
IrType *ir_type_int(IrModule *m, uint32_t width, bool is_signed, bool bitint);
IrType *ir_type_builtin_int(IrModule *m, uint32_t width);
IrType *ir_type_builtin_float(IrModule *m, const char *name);
IrType *ir_type_opaque(IrModule *m, Str text);
IrType *ir_type_ptr(IrModule *m, IrType *pointee);
IrType *ir_type_ptr_in(IrModule *m, IrType *pointee, const IrAttr *address_space);
IrType *ir_type_array(IrModule *m, IrType *elem, uint64_t count);
IrType *ir_type_vector(IrModule *m, IrType *elem, uint64_t count, bool scalable);
IrType *ir_type_complex(IrModule *m, IrType *elem);
IrType *ir_type_long_double(IrModule *m, IrType *elem);
IrType *ir_type_func(IrModule *m, IrType *const *params, uint32_t nparams, IrType *result, bool variadic);
/* kind: TYPE_METHOD, of a function type, or TYPE_DATA_MEMBER. */
IrType *ir_type_member_pointer(IrModule *m, TypeKind kind, IrType *member, IrType *record, MsInheritance);
/* As CIR spells it; "" for MS_UNTOLD. */
const char *ir_inheritance_word(MsInheritance inheritance);
/* MS_UNTOLD: not one of the words. */
MsInheritance ir_inheritance_of_word(Str word);
IrType *ir_type_bitfield(IrModule *m, IrType *storage, IrType *const *types, const uint32_t *widths,
                         const uint8_t *unnamed, uint32_t n);

typedef struct RecordBody {
	IrType *const *members;
	const uint8_t *marks; /* NULL: all MARK_DATA */
	uint32_t nmembers;
	bool packed;
	IrType *padding; /* union only, or NULL */
	const IrAttr *std_type_info;
} RecordBody;

/* The named record; created incomplete when the name is new to its family. */
IrType *ir_type_record(IrModule *m, RecordKind kind, Str name);
/* Completes a record. False when it has another body already; an equal body is accepted. */
bool ir_record_set_body(IrModule *m, IrType *record, const RecordBody *body);
IrType *ir_type_anon_record(IrModule *m, RecordKind kind, const RecordBody *body);

/* Do records hold each other by value without end, or more than TYPE_DEPTH_MAX deep? That a
 * type is nested too deep otherwise, its depth says. root NULL: asks for all types of the
 * module. *where: the type that is wrong. */
typedef enum IrNesting { NESTING_FINE, NESTING_CYCLE, NESTING_DEEP } IrNesting;
IrNesting ir_check_nesting(IrModule *m, IrType *root, IrType **where);

/* A bit-field that only separates others: a member without bytes, alignment, value or LLVM field. */
static inline bool ir_is_zero_width(const IrType *member)
{
	return member->kind == TYPE_BITFIELD && !member->elem;
}

static inline bool ir_is_int(const IrType *t)
{
	return t->kind == TYPE_INT;
}

/* What a unit of bit-fields is stored as: an integer, or bytes where none has its size; LLVM
 * accesses them as one integer, too. */
static inline bool ir_is_bitfield_storage(const IrType *t)
{
	enum { BYTES_MAX = 4096 };
	return ir_is_int(t) || (t->kind == TYPE_ARRAY && ir_is_int(t->elem) && t->elem->width == 8 &&
	                        t->count > 0 && t->count <= BYTES_MAX);
}

static inline bool ir_is_float(const IrType *t)
{
	return t->kind >= TYPE_HALF && t->kind <= TYPE_LONG_DOUBLE;
}
/* Width in bits of a floating point type's value; 0 for other types. */
unsigned ir_float_width(const IrType *t);

static inline bool ir_is_ptr(const IrType *t)
{
	return t->kind == TYPE_PTR;
}

/* What a zero on its own is of (#cir.zero); elements of constants may be zeros of other types that are zeros in
 * memory, but pointers to members, whose null is something else. */
static inline bool ir_type_is_aggregate(const IrType *t)
{
	return t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR ||
	       t->kind == TYPE_COMPLEX;
}

static inline bool ir_type_takes_zero(const IrType *t)
{
	return ir_type_is_aggregate(t) || ir_is_int(t) || ir_is_float(t) || ir_is_ptr(t) ||
	       t->kind == TYPE_BOOL || t->kind == TYPE_VPTR;
}

static inline bool ir_is_token(const IrType *t)
{
	return t->kind >= TYPE_EH_TOKEN && t->kind <= TYPE_CATCH_TOKEN;
}

static inline bool ir_is_padding_untold(const IrType *record)
{
	return record->marks && memchr(record->marks, MARK_UNTOLD, record->nmembers);
}

/* What a vector or a complex is made of, or NULL. */
static inline IrType *ir_element(const IrType *t)
{
	return t->kind == TYPE_VECTOR || t->kind == TYPE_COMPLEX ? t->elem : NULL;
}

/* The scalar inside a vector, or the type itself. */
static inline const IrType *ir_scalar(const IrType *t)
{
	return t->kind == TYPE_VECTOR ? t->elem : t;
}

#endif

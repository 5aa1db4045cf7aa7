/* circ/type.h: types. The rules at the head of circ/circ.h hold for every function here.
 *
 * Types are unique in their module: equal types are the same pointer. Sizes and alignments are in bytes,
 * widths in bits. A function that makes a type returns NULL after an error.
 */
#ifndef CIRC_TYPE_H
#define CIRC_TYPE_H

#include "circ/module.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CircTypeKind {
	CIRC_TYPE_VOID,
	CIRC_TYPE_BOOL,
	CIRC_TYPE_INT,
	CIRC_TYPE_F16,
	CIRC_TYPE_BF16,
	CIRC_TYPE_FLOAT,
	CIRC_TYPE_DOUBLE,
	CIRC_TYPE_F80,
	CIRC_TYPE_F128,
	CIRC_TYPE_LONG_DOUBLE,
	CIRC_TYPE_COMPLEX,
	CIRC_TYPE_PTR,
	CIRC_TYPE_VPTR,
	CIRC_TYPE_ARRAY,
	CIRC_TYPE_VECTOR,
	CIRC_TYPE_RECORD,
	CIRC_TYPE_BITFIELD,
	CIRC_TYPE_FUNC,
	CIRC_TYPE_METHOD,
	CIRC_TYPE_DATA_MEMBER,
	CIRC_TYPE_EH_TOKEN,
	CIRC_TYPE_CLEANUP_TOKEN,
	CIRC_TYPE_CATCH_TOKEN,
	CIRC_TYPE_BUILTIN_INT,   /* MLIR's iN, in attributes */
	CIRC_TYPE_BUILTIN_FLOAT, /* MLIR's f32 …, in attributes */
	CIRC_TYPE_INDEX,
	CIRC_TYPE_NONE,
	CIRC_TYPE_TOKEN,
	CIRC_TYPE_OPAQUE /* of another dialect, kept as text */
} CircTypeKind;

typedef enum CircRecordKind { CIRC_RECORD_STRUCT, CIRC_RECORD_CLASS, CIRC_RECORD_UNION } CircRecordKind;

/* What a member of a record is for. */
typedef enum CircMemberMark {
	CIRC_MEMBER_DATA,    /* a field, base or vtable pointer */
	CIRC_MEMBER_PAD,     /* bytes without meaning */
	CIRC_MEMBER_EMPTY,   /* occupies its type, holds no data */
	CIRC_MEMBER_BITFIELD /* of a bit-field type */
} CircMemberMark;

/* Any type, from its text: "!cir.ptr<!cir.int<s, 32>>", "!s32i" and the other predefined names, "i64".
 * NULL: not one type, whole; reported with its place in the text. */
CIRC_API CircType *circ_type_parse(CircModule *module, const char *text, size_t len);

/* A type without parameters: void, bool, f16 to f128, vptr, the tokens, index, none.
 * Other kinds are an error. */
CIRC_API CircType *circ_type_simple(CircModule *module, CircTypeKind kind);
/* !cir.int<s, N> or <u, N>. width: 1 to 8388608. */
CIRC_API CircType *circ_type_int(CircModule *module, unsigned width, bool is_signed);
/* _BitInt(N): aligned to at most 8 bytes. */
CIRC_API CircType *circ_type_bitint(CircModule *module, unsigned width, bool is_signed);
/* `long double`, which is the same as `format`: double, f80 or f128. */
CIRC_API CircType *circ_type_long_double(CircModule *module, CircType *format);
/* elem: an integer or floating point type. */
CIRC_API CircType *circ_type_complex(CircModule *module, CircType *elem);
/* pointee: any type but a token; void and functions are allowed. */
CIRC_API CircType *circ_type_ptr(CircModule *module, CircType *pointee);
/* In an address space of the target. 0: what circ_type_ptr() gives. */
CIRC_API CircType *circ_type_ptr_in(CircModule *module, CircType *pointee, unsigned address_space);
/* count 0: a flexible array member. elem: a value type. */
CIRC_API CircType *circ_type_array(CircModule *module, CircType *elem, uint64_t count);
/* elem: integer, floating point, bool or pointer; count: 1 to 2^32 - 1. */
CIRC_API CircType *circ_type_vector(CircModule *module, CircType *elem, uint64_t count, bool scalable);
/* result: NULL or void for none. params: value types. */
CIRC_API CircType *circ_type_func(CircModule *module, CircType *const *params, size_t nparams,
                                  CircType *result, bool variadic);
/* Pointers to members of `record`. */
CIRC_API CircType *circ_type_method(CircModule *module, CircType *func, CircType *record);
CIRC_API CircType *circ_type_data_member(CircModule *module, CircType *member, CircType *record);
/* MLIR's iN, for attributes. width: 1 to 8388608. */
CIRC_API CircType *circ_type_builtin_int(CircModule *module, unsigned width);

/* The body of a record. The front end lays records out: where C++ and the natural layout
 * differ there are members that pad. */
typedef struct CircRecordBody {
	CircType *const *members;    /* value types */
	const CircMemberMark *marks; /* one per member; NULL: all CIRC_MEMBER_DATA */
	size_t nmembers;
	bool packed;
	CircType *padding; /* of a union: its tail, or NULL */
} CircRecordBody;

/* The record of that name; incomplete when the name is new. Struct and class are one family, union another;
 * within a family a name means one record. name: not empty. */
CIRC_API CircType *circ_type_record(CircModule *module, CircRecordKind kind, const char *name, size_t len);
/* Completes a named record. False: it has another body already, or the body is wrong. */
CIRC_API bool circ_record_set_body(CircModule *module, CircType *record, const CircRecordBody *body);
/* A record without a name: the same whenever the body is. */
CIRC_API CircType *circ_type_anon_record(CircModule *module, CircRecordKind kind, const CircRecordBody *body);

/* What a type is made of. They never fail: NULL, and what a kind does not have, give NULL, 0 or
 * false, and the kind CIRC_TYPE_NONE. */

CIRC_API CircTypeKind circ_type_kind(const CircType *type);
/* Pointee, element, result of a function (never NULL there), member type of a member pointer. */
CIRC_API CircType *circ_type_elem(const CircType *type);
/* Members of a record, parameters of a function. */
CIRC_API size_t circ_type_nmembers(const CircType *type);
CIRC_API CircType *circ_type_member(const CircType *type, size_t index);
CIRC_API uint64_t circ_type_count(const CircType *type); /* of an array or vector */
CIRC_API unsigned circ_type_width(const CircType *type); /* of an integer */
CIRC_API bool circ_type_is_signed(const CircType *type);
CIRC_API bool circ_type_is_variadic(const CircType *type);
CIRC_API bool circ_type_is_complete(const CircType *type); /* of a record: its body is known */
/* Of a record; borrowed from the module. *len may be NULL. */
CIRC_API const char *circ_type_name(const CircType *type, size_t *len);

/* Layout, for the target that the module names in `cir.triple`. False, and not an error: the type has no size. size,
 * align: bytes; may be NULL. */
CIRC_API bool circ_type_layout(CircType *type, uint64_t *size, unsigned *align);

#ifdef __cplusplus
}
#endif

#endif

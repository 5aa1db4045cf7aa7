/* circ/attr.h: attributes and constants. The rules at the head of circ/circ.h hold for every
 * function here.
 *
 * Attributes are unique in their module: equal ones are the same pointer. A function that makes one returns
 * NULL after an error. The frequent ones have a function; every other one is made from its text.
 */
#ifndef CIRC_ATTR_H
#define CIRC_ATTR_H

#include "circ/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Any attribute, from its text: "#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>", "[1, 2]",
 * "#cir.inline<no_inline>". NULL: not one attribute, whole; reported with its place in the text. */
CIRC_API const CircAttr *circ_attr_parse(CircModule *module, const char *text, size_t len);

/* Builtin attributes */

CIRC_API const CircAttr *circ_attr_unit(CircModule *module);               /* a key without a value */
CIRC_API const CircAttr *circ_attr_flag(CircModule *module, bool value);   /* true, false */
CIRC_API const CircAttr *circ_attr_i64(CircModule *module, int64_t value); /* `value : i64` */
CIRC_API const CircAttr *circ_attr_i32(CircModule *module, int32_t value); /* `value : i32` */
CIRC_API const CircAttr *circ_attr_string(CircModule *module, const char *bytes, size_t len);
CIRC_API const CircAttr *circ_attr_type(CircModule *module, CircType *type);
CIRC_API const CircAttr *circ_attr_symbol(CircModule *module, const char *name, size_t len); /* @name */
CIRC_API const CircAttr *circ_attr_array(CircModule *module, const CircAttr *const *elems, size_t n);

typedef struct CircNamedAttr {
	const char *name;
	const CircAttr *value;
} CircNamedAttr;

/* Names must differ and not be empty. */
CIRC_API const CircAttr *circ_attr_dict(CircModule *module, const CircNamedAttr *entries, size_t n);

/* A word of an enumeration ("Enumerations" of docs/operations.md): ("cmp", "lt"), ("linkage", "internal"),
 * ("cast", "bitcast"). */
CIRC_API const CircAttr *circ_attr_enum(CircModule *module, const char *enumeration, const char *word);

/* Constants; each knows its type. */

/* type: !cir.int or iN of at most 64 bits. value: must fit, by the signedness of the type; of an
 * unsigned one it is taken as uint64_t. */
CIRC_API const CircAttr *circ_attr_int(CircModule *module, CircType *type, int64_t value);
/* The same for any width: two's complement, little endian, (width + 63) / 64 words. */
CIRC_API const CircAttr *circ_attr_wide_int(CircModule *module, CircType *type, const uint64_t *words,
                                            size_t nwords);
/* type: a floating point type. The value is written with as many digits as make it exact in a double. */
CIRC_API const CircAttr *circ_attr_float(CircModule *module, CircType *type, double value);
CIRC_API const CircAttr *circ_attr_bool(CircModule *module, bool value); /* #true, #false */
CIRC_API const CircAttr *circ_attr_null(CircModule *module, CircType *pointer);
/* type: a record, array, vector or complex; as an element of a constant, also a scalar that is no pointer to
 * a member. */
CIRC_API const CircAttr *circ_attr_zero(CircModule *module, CircType *type);
CIRC_API const CircAttr *circ_attr_undef(CircModule *module, CircType *type);  /* any value type */
CIRC_API const CircAttr *circ_attr_poison(CircModule *module, CircType *type); /* any value type */
/* type: an array; n: its count, or less, and the rest is zero. Each element has the array's element type. */
CIRC_API const CircAttr *circ_attr_const_array(CircModule *module, CircType *type,
                                               const CircAttr *const *elems, size_t n);
/* Bytes as an array of 8-bit integers. type: such an array; len: its count, or less, and the rest is zero. */
CIRC_API const CircAttr *circ_attr_const_string(CircModule *module, CircType *type, const char *bytes,
                                                size_t len);
/* type: a complete record; one element per member and of its type. Of a union: one element, of any member. */
CIRC_API const CircAttr *circ_attr_const_record(CircModule *module, CircType *type,
                                                const CircAttr *const *elems, size_t n);
/* The address of a function or global, which need not exist yet; with indices, of what they lead to inside
 * it. type: a pointer, or an integer for the address as a number. */
CIRC_API const CircAttr *circ_attr_global_view(CircModule *module, CircType *type, const char *symbol,
                                               const int32_t *indices, size_t nindices);

/* The type of a constant or typed attribute, or NULL. Never fails. */
CIRC_API CircType *circ_attr_get_type(const CircAttr *attr);
/* The number of an integer attribute. False, and not an error: it is none, or does not fit. */
CIRC_API bool circ_attr_get_int(const CircAttr *attr, int64_t *value);
/* The bytes of a string, or the name of a symbol; NULL for others. Borrowed from the module. len may be NULL. */
CIRC_API const char *circ_attr_get_string(const CircAttr *attr, size_t *len);

#ifdef __cplusplus
}
#endif

#endif
